"""Procedures of the rules desk on patrol scenarios (D3)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from campaign.engine.dice import Roller
from campaign.engine.errors import ProblemsError, refuse
from campaign.engine.procedure import Input, NoInput, Procedure
from campaign.rulebooks.saganami import patrol, patrol_battle, patrol_missions, patrol_play, patrol_score


class Budget(Input):
    """A base budget and a force multiplier."""

    base: int = Field(description="base budget in points")
    multiplier: int = Field(default=100, description="force multiplier in percent")


class Card(Input):
    """A playing card."""

    card: str = Field(description="rank (A K Q J 10..2), or a card with its suit (10H)")


class MissionCard(Input):
    """A mission card in the hand of a side."""

    role: patrol.Role = Field(description="attacker or defender")
    card: str = Field(description="rank (A K Q J 10..2), or a card with its suit (10H)")


class Chosen(Input):
    """A mission chosen from a list."""

    listed: patrol.Role = Field(description="which list")
    card: str = Field(description="rank of its card")


class MissionCards(Input):
    """A mission card and the cards drawn after it."""

    role: patrol.Role = Field(description="attacker or defender")
    cards: list[str] = Field(min_length=1, max_length=52, description="the mission card and the further draws")
    choice: Chosen | None = Field(default=None, description="the mission chosen where the cards leave one")


class Separation(Input):
    """Two forces drawing apart."""

    separation: int = Field(ge=0, description="hexes between the closest elements")
    opening_rate: int = Field(description="hexes per turn by which they draw apart")


class Lateness(Input):
    """A force and its time limit."""

    turns_past_limit: int = Field(description="turns past the limit: now, or when the force disengaged")
    disengaged: bool = Field(description="whether the force has disengaged")


class PatrolBattle(Input):
    """A patrol battle that is over."""

    battle: dict[str, Any] = Field(description="the summary: turns, base_budget, attacker and defender")


def _budget(asked: Budget) -> dict[str, Any]:
    found = patrol.budget(asked.base, asked.multiplier)
    return {
        "first_spend": found.first_spend,
        "opponent_spend": found.opponent_spend,
        "final_total": found.final_total,
        "remaining": found.remaining,
    }


def _force_multiplier(asked: Card) -> dict[str, Any]:
    return {"percent": patrol.force_multiplier(asked.card)}


def _time_limit(asked: Card) -> dict[str, Any]:
    return {"turns": patrol.time_limit(asked.card)}


def _mission_document(mission: patrol.Mission) -> dict[str, Any]:
    told = patrol_missions.briefing_of(mission)
    return {
        "mission": mission.key,
        "rule": mission.rule,
        "title": told.title,
        "orders": told.orders,
        "declares": told.declares,
    }


def _mission(asked: MissionCard) -> dict[str, Any]:
    return _mission_document(patrol.mission_on(asked.role, asked.card))


def _draw(asked: MissionCards) -> dict[str, Any]:
    choice = None if asked.choice is None else patrol.mission_on(asked.choice.listed, asked.choice.card)
    found = patrol.draw_mission(asked.role, asked.cards, choice)
    return {
        "missions": [_mission_document(mission) for mission in found.missions],
        "needs": found.needs or None,
        "options": [{"listed": one.listed, "card": one.rank, "mission": one.key} for one in found.options],
        "drawn": found.drawn,
    }


def _disengaged(asked: Separation) -> dict[str, Any]:
    return {"disengaged": patrol.is_disengaged(asked.separation, asked.opening_rate)}


def _forfeit(asked: Lateness) -> dict[str, Any]:
    return {"percent": patrol.forfeit_percent(asked.turns_past_limit, is_disengaged=asked.disengaged)}


def _score(asked: PatrolBattle) -> dict[str, Any]:
    try:
        battle = patrol_battle.load_battle(asked.battle)
    except ValueError as error:  # what canonical JSON cannot carry
        raise refuse("not-json", str(error), place="/battle", rule="D3.41") from error
    except ProblemsError as error:
        raise ProblemsError(
            type(one)("/battle" + one.place, one.code, one.message, one.rule) for one in error.problems
        ) from error
    return patrol_score.score_patrol(battle).as_document()


def _pincer(_asked: NoInput, roller: Roller) -> dict[str, Any]:
    return {"turn": patrol_play.roll_pincer_arrival(roller), "range": patrol_play.PINCER_RANGE}


def _countermissiles(_asked: NoInput, roller: Roller) -> dict[str, Any]:
    return {"out": patrol_play.roll_countermissiles_out(roller)}


_EXAMPLE_SHIP = {"cost": 100, "boxes": 100, "tons": 200000, "ship_class": "cruiser"}

PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="patrol.budget",
        rules=("D3.11", "D3.112", "D3.12", "D3.14"),
        summary="What a side and its opponent may spend, before and after the cards.",
        input=Budget,
        result={
            "first_spend": "points for the first purchase",
            "opponent_spend": "points that the opponent spends",
            "final_total": "the whole budget with the multiplier",
            "remaining": "points left for the last purchase",
        },
        run=_budget,
        example={"base": 600, "multiplier": 110},
    ),
    Procedure(
        name="patrol.force-multiplier",
        rules=("D3.14",),
        summary="What a card makes of the base budget.",
        input=Card,
        result={"percent": "percent of the base budget"},
        run=_force_multiplier,
        example={"card": "K"},
    ),
    Procedure(
        name="patrol.time-limit",
        rules=("D3.14",),
        summary="How long a card lets a force stay.",
        input=Card,
        result={"turns": "tactical turns until it must start to disengage"},
        run=_time_limit,
        example={"card": "9"},
    ),
    Procedure(
        name="patrol.mission",
        rules=("D3.2", "D3.3"),
        summary="The mission on a card, for the attacker or the defender.",
        input=MissionCard,
        result={
            "mission": "name of the mission",
            "rule": "the card's entry in its list",
            "title": "title for the briefing",
            "orders": "what counts",
            "declares": "what the side declares beforehand, or nothing",
        },
        run=_mission,
        example={"role": "attacker", "card": "6"},
    ),
    Procedure(
        name="patrol.draw-mission",
        rules=("D3.13", "D3.2", "D3.3"),
        summary="What a mission card comes to with its further draws and choices.",
        input=MissionCards,
        result={
            "missions": "missions settled so far: a spy and the true mission, or one",
            "needs": "card, choice, or null when all is settled",
            "options": "missions to choose from",
            "drawn": "cards used",
        },
        run=_draw,
        example={"role": "attacker", "cards": ["K", "4"], "choice": {"listed": "defender", "card": "4"}},
    ),
    Procedure(
        name="patrol.disengaged",
        rules=("D3.131",),
        summary="Whether two forces have drawn apart far and fast enough.",
        input=Separation,
        result={"disengaged": "true beyond 50 hexes, opening by 3 or more"},
        run=_disengaged,
        example={"separation": 51, "opening_rate": 3},
    ),
    Procedure(
        name="patrol.forfeit",
        rules=("D3.131",),
        summary="How much of its points a force forfeits that stayed too long.",
        input=Lateness,
        result={"percent": "percent of the points forfeited"},
        run=_forfeit,
        example={"turns_past_limit": 10, "disengaged": False},
    ),
    Procedure(
        name="patrol.score",
        rules=("D3.4", "D3.41", "D3.131"),
        summary="The account of a patrol battle with both sides' missions, line by line.",
        input=PatrolBattle,
        result={
            "sides": "each side's points, cost, ratio and lines (label, points, rule)",
            "difference": "the difference of the ratios as a fraction",
            "margin": "the margin of victory",
            "winner": "the winning side, or null in a draw",
        },
        run=_score,
        example={
            "battle": {
                "turns": 12,
                "base_budget": 400,
                "attacker": {
                    "side": "red",
                    "missions": [{"listed": "attacker", "rank": "10", "targets": ["Anvil"]}],
                    "time_limit": 14,
                    "budget": 400,
                    "ships": [{"ship": "Heron", "boxes_lost": 30, **_EXAMPLE_SHIP}],
                },
                "defender": {
                    "side": "green",
                    "missions": [{"listed": "defender", "rank": "8"}],
                    "time_limit": 12,
                    "budget": 360,
                    "ships": [{"ship": "Anvil", "fate": "destroyed", "left_turn": 9, **_EXAMPLE_SHIP}],
                },
            }
        },
    ),
    Procedure(
        name="patrol.pincer-arrival",
        rules=("D3.3/K",),
        summary="When the other arm of a pincer appears (3d10med).",
        input=NoInput,
        result={"turn": "tactical turn of its arrival", "range": "range at which it appears, in hexes"},
        run=_pincer,
        dice="dice",
        example={"dice": [9, 2, 5]},
    ),
    Procedure(
        name="patrol.picket-countermissiles",
        rules=("D3.3/4",),
        summary="Whether a side of a picket's ship has run out of countermissiles (2d10-).",
        input=NoInput,
        result={"out": "true on 7 or more"},
        run=_countermissiles,
        dice="dice",
        example={"dice": [9, 2]},
    ),
)
