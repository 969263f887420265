"""Procedures of the rules desk on victory (D2.2)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from campaign.engine.procedure import Input, Procedure
from campaign.rulebooks.saganami import victory

Points = Annotated[int, Field(ge=0, description="points")]
Number = Annotated[int | float, Field(allow_inf_nan=False)]


class DamagePoints(Input):
    """A ship that lost boxes."""

    cost: Points = Field(description="the ship's adjusted cost in points")
    boxes: int = Field(ge=1, description="boxes on the ship's sheet")
    damaged: int = Field(ge=0, description="boxes marked off")


class SurrenderPoints(Input):
    """A ship that strikes its colours."""

    cost: Points = Field(description="the ship's adjusted cost in points")
    officers: int = Field(ge=0, description="officers aboard")
    enlisted_and_marines: int = Field(ge=0, description="ratings and marines aboard")


class PodPoints(Input):
    """Pods fired or shot away."""

    cost: Points = Field(description="what the ship's pods cost together, in points")
    bought: int = Field(ge=0, description="pods bought")
    spent: int = Field(ge=0, description="pods used or killed")


class Ratio(Input):
    """What a side earned over what it brought."""

    points: Number = Field(description="victory points earned, objectives included")
    cost: Number = Field(gt=0, description="initial cost of the side's own force in points")


class MarginOfTwo(Input):
    """Two sides' points and their own initial costs."""

    vp_a: Number = Field(description="victory points side a earned")
    cost_a: Number = Field(gt=0, description="initial cost of side a's force")
    vp_b: Number = Field(description="victory points side b earned")
    cost_b: Number = Field(gt=0, description="initial cost of side b's force")


class MarginBand(Input):
    """A difference between two victory point ratios."""

    difference: Number = Field(ge=0, description="the larger ratio less the smaller")


class ShipAfter(Input):
    """One ship after a battle."""

    ship: str = Field(min_length=1, description="the ship's id or name")
    cost: Points = Field(description="adjusted cost in points, without pods")
    boxes: int = Field(ge=1, description="boxes on its sheet")
    boxes_lost: int = Field(default=0, ge=0, description="boxes marked off in this battle")
    fate: victory.Fate = Field(default="fighting", description="what became of it")
    officers: int = Field(default=0, ge=0, description="officers aboard, if it surrendered")
    enlisted_and_marines: int = Field(default=0, ge=0, description="ratings and marines aboard, if it surrendered")
    pods_bought: int = Field(default=0, ge=0, description="pods it brought")
    pods_spent: int = Field(default=0, ge=0, description="pods used or killed")
    pod_cost: int = Field(default=0, ge=0, description="what its pods cost together, in points")


class ObjectiveMet(Input):
    """An objective a side achieved."""

    label: str = Field(min_length=1, description="what was achieved")
    points: Points = Field(description="bonus points")


class SideAfter(Input):
    """One side after a battle."""

    side: str = Field(min_length=1, description="the side's name")
    ships: list[ShipAfter] = Field(min_length=1, description="every ship it brought")
    objectives: list[ObjectiveMet] = Field(default=[], description="objectives it achieved")
    options_cost: int = Field(default=0, ge=0, description="points spent on commander's options other than pods")
    allies: list[str] = Field(default=[], description="sides that earn nothing from its losses")


class Battle(Input):
    """Every side after a battle."""

    sides: list[SideAfter] = Field(min_length=2, description="the sides")

    def outcomes(self) -> tuple[victory.SideOutcome, ...]:
        """Return the sides as the rules take them."""
        return tuple(
            victory.SideOutcome(
                side=one.side,
                ships=tuple(victory.ShipOutcome(**ship.model_dump()) for ship in one.ships),
                objectives=tuple(victory.Objective(met.label, met.points) for met in one.objectives),
                options_cost=one.options_cost,
                allies=tuple(one.allies),
            )
            for one in self.sides
        )


class BattleSoFar(Battle):
    """A battle and how long it has lasted."""

    turns: int = Field(ge=0, description="tactical turns played")


def _damage_points(asked: DamagePoints) -> dict[str, Any]:
    return {"points": victory.damage_points(asked.cost, asked.boxes, asked.damaged)}


def _surrender_points(asked: SurrenderPoints) -> dict[str, Any]:
    return {"points": victory.surrender_points(asked.cost, asked.officers, asked.enlisted_and_marines)}


def _pod_points(asked: PodPoints) -> dict[str, Any]:
    return {"points": victory.pod_points(asked.cost, asked.bought, asked.spent)}


def _ratio(asked: Ratio) -> dict[str, Any]:
    ratio = victory.victory_point_ratio(victory.exact(asked.points), victory.exact(asked.cost))
    return {"ratio": ratio, "exact": str(ratio)}


def _margin(asked: MarginOfTwo) -> dict[str, Any]:
    ratio_a = victory.victory_point_ratio(victory.exact(asked.vp_a), victory.exact(asked.cost_a))
    ratio_b = victory.victory_point_ratio(victory.exact(asked.vp_b), victory.exact(asked.cost_b))
    difference = abs(ratio_a - ratio_b)
    margin = victory.margin_band(difference)
    ahead = "a" if ratio_a > ratio_b else "b"
    return {
        "margin": margin,
        "winner": None if margin == "draw" else ahead,
        "ratio_a": ratio_a,
        "ratio_b": ratio_b,
        "difference": difference,
        "exact": str(difference),
    }


def _margin_band(asked: MarginBand) -> dict[str, Any]:
    return {"margin": victory.margin_band(victory.exact(asked.difference))}


def _score(asked: Battle) -> dict[str, Any]:
    return victory.score(asked.outcomes()).as_document()


def _cowardly_draw(asked: BattleSoFar) -> dict[str, Any]:
    return {"cowardly_draw": victory.is_cowardly_draw(asked.turns, asked.outcomes())}


_MARGIN = "draw, minor-victory, victory, major-victory, overwhelming-victory or legendary-victory"

PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="victory.damage-points",
        rules=("D2.223",),
        summary="Victory points for the boxes an enemy ship lost.",
        input=DamagePoints,
        result={"points": "victory points for the enemy, rounded up"},
        run=_damage_points,
        example={"cost": 36, "boxes": 114, "damaged": 47},
    ),
    Procedure(
        name="victory.surrender-points",
        rules=("D2.224",),
        summary="Victory points for a ship that surrenders, less its crew.",
        input=SurrenderPoints,
        result={"points": "victory points for the enemy, rounded up"},
        run=_surrender_points,
        example={"cost": 4434, "officers": 440, "enlisted_and_marines": 4463},
    ),
    Procedure(
        name="victory.pod-points",
        rules=("D2.225", "C8.12"),
        summary="Victory points for missile pods used or killed.",
        input=PodPoints,
        result={"points": "victory points for the enemy, rounded up"},
        run=_pod_points,
        example={"cost": 66, "bought": 4, "spent": 3},
    ),
    Procedure(
        name="victory.ratio",
        rules=("D2.231",),
        summary="The victory point ratio: points earned over the cost of the own force.",
        input=Ratio,
        result={"ratio": "the ratio as a decimal", "exact": "the ratio as a fraction"},
        run=_ratio,
        example={"points": 13, "cost": 42},
    ),
    Procedure(
        name="victory.margin",
        rules=("D2.232", "D2.231"),
        summary="The margin of victory from two sides' points and their own initial costs.",
        input=MarginOfTwo,
        result={
            "margin": _MARGIN,
            "winner": "a, b, or null in a draw",
            "ratio_a": "side a's victory point ratio",
            "ratio_b": "side b's victory point ratio",
            "difference": "the larger ratio less the smaller, as a decimal",
            "exact": "the difference as a fraction",
        },
        run=_margin,
        example={"vp_a": 13, "cost_a": 42, "vp_b": 5, "cost_b": 36},
    ),
    Procedure(
        name="victory.margin-band",
        rules=("D2.232",),
        summary="The margin of victory for a difference of two ratios.",
        input=MarginBand,
        result={"margin": _MARGIN},
        run=_margin_band,
        example={"difference": 0.3},
    ),
    Procedure(
        name="victory.score",
        rules=("D2.2", "D2.222", "D2.223", "D2.224", "D2.225", "D2.231", "D2.232"),
        summary="The whole account of a battle, line by line, with ratios, margin and winner.",
        input=Battle,
        result={
            "sides": "each side's points, cost, ratio and lines (label, points, rule)",
            "difference": "the difference of the ratios as a fraction",
            "margin": _MARGIN,
            "winner": "the winning side, or null in a draw",
        },
        run=_score,
        example={
            "sides": [
                {"side": "red", "ships": [{"ship": "Sparrow", "cost": 36, "boxes": 114, "boxes_lost": 41}]},
                {"side": "green", "ships": [{"ship": "Anvil", "cost": 42, "boxes": 140, "boxes_lost": 14}]},
            ]
        },
    ),
    Procedure(
        name="victory.cowardly-draw",
        rules=("D2.0",),
        summary="Whether a fight ends for want of fighting.",
        input=BattleSoFar,
        result={"cowardly_draw": "true if nobody hurt half of anybody's ships in ten turns"},
        run=_cowardly_draw,
        example={
            "turns": 10,
            "sides": [
                {"side": "red", "ships": [{"ship": "Sparrow", "cost": 36, "boxes": 114, "boxes_lost": 2}]},
                {"side": "green", "ships": [{"ship": "Anvil", "cost": 42, "boxes": 140}]},
            ],
        },
    ),
)
