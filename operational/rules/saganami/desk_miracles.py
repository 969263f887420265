"""Procedures of the rules desk on miracle-grade commanders (D1.2)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from campaign.engine.dice import Roller
from campaign.engine.procedure import Input, Procedure
from campaign.rulebooks.saganami import miracle_effects, miracles


class DrawTurns(Input):
    """A commander's level and how many draws to list."""

    level: miracles.Level = Field(description="superb, excellent or legendary")
    count: int = Field(ge=1, le=miracles.MAXIMUM_COUNT, description="how many turns to list")


class DrawTurn(Input):
    """A commander's level and a turn."""

    level: miracles.Level = Field(description="superb, excellent or legendary")
    turn: int = Field(ge=1, description="turn on the present scale, from 1")


class Eligible(Input):
    """Two forces' points."""

    own_points: int = Field(ge=1, description="points of the own force")
    enemy_points: int = Field(ge=1, description="points of the enemy force")


class Hand(Input):
    """A hand of cards."""

    cards: list[str] = Field(max_length=52, description="ranks (A K Q J 10..2), or cards with their suit (10H)")


class Effects(Input):
    """An open miracle."""

    miracle_level: int = Field(ge=19, le=21, description="19, 20 or 21")
    scale: miracles.Scale = Field(description="the scale of play")
    used: list[str] = Field(default=[], description="level 21 miracles used before")


class SureHits(Input):
    """A salvo that a miracle brings through."""

    missiles: int = Field(ge=0, description="missiles in the salvo")


class DoubledThrust(Input):
    """A ship with damaged impellers."""

    current: int = Field(ge=0, description="present thrust rating")
    original: int = Field(ge=0, description="thrust rating of the undamaged ship")
    impeller_damaged: bool = Field(description="whether the impellers are damaged")


def _draw_turns(asked: DrawTurns) -> dict[str, Any]:
    return {"turns": list(miracles.draw_turns(asked.level, asked.count))}


def _draw_turn(asked: DrawTurn) -> dict[str, Any]:
    return {"draw": miracles.is_draw_turn(asked.level, asked.turn)}


def _eligible(asked: Eligible) -> dict[str, Any]:
    return {"eligible": miracles.is_eligible(asked.own_points, asked.enemy_points)}


def _hand(asked: Hand) -> dict[str, Any]:
    counted = miracles.count_hand(asked.cards)
    return {"total": counted.total, "bust": counted.is_bust, "miracle_level": counted.miracle}


def _effects(asked: Effects) -> dict[str, Any]:
    found = miracle_effects.effects_for(asked.miracle_level, asked.scale, asked.used)
    return {
        "effects": [
            {
                "key": one.key,
                "level": one.level,
                "rule": one.rule,
                "title": one.title,
                "summary": one.summary,
                "moment": one.moment,
                "choices": [
                    {"name": choice.name, "kind": choice.kind, "title": choice.title} for choice in one.choices
                ],
                "turns": one.turns,
            }
            for one in found
        ]
    }


def _sure_hits(asked: SureHits, roller: Roller) -> dict[str, Any]:
    return {"missiles": miracle_effects.roll_sure_hits(roller, asked.missiles)}


def _doubled_thrust(asked: DoubledThrust) -> dict[str, Any]:
    thrust = miracle_effects.doubled_thrust(asked.current, asked.original, is_impeller_damaged=asked.impeller_damaged)
    return {"thrust": thrust}


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="miracles.draw-turns",
        rules=("D1.23", "D1.231", "D1.232", "D1.233", "D1.234"),
        summary="The turns at whose end a miracle-grade commander draws a card, on either scale.",
        input=DrawTurns,
        result={"turns": "the first turns with a draw"},
        run=_draw_turns,
        example={"level": "superb", "count": 4},
    ),
    Procedure(
        name="miracles.draw-turn",
        rules=("D1.2211", "D1.231", "D1.232", "D1.233"),
        summary="Whether a card must be drawn at the end of a turn.",
        input=DrawTurn,
        result={"draw": "true if a card must be drawn"},
        run=_draw_turn,
        example={"level": "legendary", "turn": 5},
    ),
    Procedure(
        name="miracles.eligible",
        rules=("D1.22", "D3.42"),
        summary="Whether a side is weak enough for a miracle-grade commander.",
        input=Eligible,
        result={"eligible": "true at a disadvantage of a fifth or more"},
        run=_eligible,
        example={"own_points": 480, "enemy_points": 600},
    ),
    Procedure(
        name="miracles.hand",
        rules=("D1.221", "D1.222"),
        summary="What a hand counts, and which miracle it opens.",
        input=Hand,
        result={
            "total": "the best count of the hand",
            "bust": "true over 21",
            "miracle_level": "19, 20, 21, or null",
        },
        run=_hand,
        example={"cards": ["A", "8", "K"]},
    ),
    Procedure(
        name="miracles.effects",
        rules=("D1.24", "D1.25", "D1.26"),
        summary="What an open miracle can do.",
        input=Effects,
        result={"effects": "effects with level, rule, choices and how many turns they last beyond their own"},
        run=_effects,
        example={"miracle_level": 21, "scale": "operational"},
    ),
    Procedure(
        name="miracles.sure-hits",
        rules=("D1.241",),
        summary="How many missiles a miracle brings through at least (3d10hi).",
        input=SureHits,
        result={"missiles": "missiles that reach the target at least"},
        run=_sure_hits,
        dice="dice",
        example={"dice": [3, 9, 5], "missiles": 20},
    ),
    Procedure(
        name="miracles.doubled-thrust",
        rules=("D1.253",),
        summary="A damaged ship's thrust under a level 20 miracle.",
        input=DoubledThrust,
        result={"thrust": "thrust rating for two turns"},
        run=_doubled_thrust,
        example={"current": 3, "original": 5, "impeller_damaged": True},
    ),
)
