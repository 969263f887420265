"""Procedures of the rules desk on officers and crew (D1.1, A2.65, C5.4412)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from pydantic import Field

from campaign.engine.clock import parse_instant
from campaign.engine.dice import Roller
from campaign.engine.errors import ProblemsError, refuse
from campaign.engine.procedure import Input, Procedure
from campaign.rulebooks.saganami import grade_history, grades

Modifier = Annotated[int, Field(ge=0, le=9, description="added to the difference of the dice")]


class AdjustedCost(Input):
    """A base cost and the changes that the grades make."""

    base: int = Field(ge=0, description="base cost of the class in points")
    mods: list[int] = Field(max_length=len(grades.CATEGORIES), description="change of cost for each officer and crew")


class ShipCost(Input):
    """A class's table of costs and a ship's grades."""

    base: int = Field(ge=0, description="base cost of the class in points")
    costs: dict[str, list[int]] = Field(description="four changes of cost, poor to elite, for each category")
    grades: dict[str, str] = Field(default={}, description="grade by category; average where left out")


class InitialRoll(Input):
    """A category to roll for a new ship, or afresh."""

    modifier: Modifier = 0


class AnniversaryRoll(Input):
    """A category to roll after a year."""

    grade: grades.Grade = Field(description="the grade before the roll")
    modifier: Modifier = 0


class VictoryReview(Input):
    """A category that a victor wants to roll again."""

    margin: str = Field(description="the margin of victory")
    grade: grades.Grade = Field(description="the grade before the roll")


class BridgeHit(Input):
    """A ship whose bridge was hit."""

    grades: dict[str, str] = Field(default={}, description="grade by category; average where left out")


class Effect(Input):
    """A category and a grade."""

    category: grades.Category = Field(description="officer or crew")
    grade: grades.Grade = Field(description="the grade")


class Anniversaries(Input):
    """A stretch of time in a ship's life."""

    commissioned: str = Field(description="date of commissioning, YYYY-MM-DD")
    after: str = Field(description="date from whose midnight on to look, not itself included")
    until: str = Field(description="date to whose midnight to look, included")
    custom: grade_history.Custom = Field(default="anniversary", description="when grades are rolled each year")


class CommanderReview(Input):
    """A miracle-grade commander who takes a ship."""

    taken: str = Field(description="date of taking command, YYYY-MM-DD")
    level: int = Field(ge=1, le=3, description="1 superb, 2 excellent, 3 legendary")
    grades: dict[str, str] = Field(default={}, description="the ship's grade by category; average where left out")


def _date(text: str, place: str) -> date:
    return parse_instant(text, place, "D1.13").date()


def _adjusted_cost(asked: AdjustedCost) -> dict[str, Any]:
    return {"points": grades.adjusted_cost(asked.base, asked.mods)}


def _ship_cost(asked: ShipCost) -> dict[str, Any]:
    problems = grades.check_officer_costs(asked.costs, place="/costs")
    if problems:
        raise ProblemsError(problems)
    costs = {category: asked.costs[category] for category in grades.CATEGORIES}
    held = grades.load_grades(asked.grades, place="/grades")
    return {"points": grades.cost_with_grades(asked.base, costs, held)}


def _initial(asked: InitialRoll, roller: Roller) -> dict[str, Any]:
    rolled = grades.roll_initial(roller, asked.modifier)
    return {"grade": rolled.grade, "roll": rolled.modified}


def _anniversary(asked: AnniversaryRoll, roller: Roller) -> dict[str, Any]:
    rolled = grades.roll_anniversary(roller, asked.grade, asked.modifier)
    return {"grade": rolled.grade, "roll": rolled.modified, "changed": rolled.grade != asked.grade}


def _victory_review(asked: VictoryReview, roller: Roller) -> dict[str, Any]:
    modifier = grades.victory_modifier(asked.margin)
    if modifier is None:
        message = "Only an overwhelming or a legendary victory is followed by a review."
        raise refuse("margin-too-small", message, place="/margin", rule="D1.135")
    rolled = grades.roll_initial(roller, modifier)
    return {
        "grade": rolled.grade,
        "roll": rolled.modified,
        "modifier": modifier,
        "changed": rolled.grade != asked.grade,
    }


def _bridge_hit(asked: BridgeHit, roller: Roller) -> dict[str, Any]:
    hit = grades.roll_bridge_hit(roller, grades.load_grades(asked.grades, place="/grades"))
    return {"officer": hit.officer, "before": hit.before, "after": hit.after}


def _effect(asked: Effect) -> dict[str, Any]:
    return {"effect": grades.effect_text(asked.category, asked.grade)}


def _anniversaries(asked: Anniversaries) -> dict[str, Any]:
    due = grade_history.anniversaries_due(
        _date(asked.commissioned, "/commissioned"),
        grade_history.instant_of(_date(asked.after, "/after")),
        grade_history.instant_of(_date(asked.until, "/until")),
        asked.custom,
    )
    return {"dates": [day.isoformat() for day in due]}


def _commander_review(asked: CommanderReview) -> dict[str, Any]:
    held = grades.load_grades(asked.grades, place="/grades")
    command = grade_history.Command("", asked.level, _date(asked.taken, "/taken"))
    rolled = grades.categories_rolled_afresh(held)
    return {
        "date": command.review.isoformat(),
        "categories": list(rolled),
        "rerolled": [grades.CATEGORIES.index(category) for category in rolled],
        "modifier": grades.commander_modifier(asked.level),
    }


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="grades.adjusted-cost",
        rules=("A2.65", "D1.112"),
        summary="A ship's cost with the changes for its officers and crew.",
        input=AdjustedCost,
        result={"points": "adjusted cost in points"},
        run=_adjusted_cost,
        example={"base": 4434, "mods": [245, 90, 61, 8, 23, 133]},
    ),
    Procedure(
        name="grades.ship-cost",
        rules=("A2.65", "D1.11", "D1.112"),
        summary="A ship's cost from its class's table and its grades.",
        input=ShipCost,
        result={"points": "adjusted cost in points"},
        run=_ship_cost,
        example={
            "base": 124,
            "costs": {
                "tactical": [-6, 0, 6, 12],
                "ewo": [-2, 0, 2, 4],
                "assistant": [-2, 0, 2, 4],
                "helm": [-1, 0, 1, 2],
                "engineer": [-1, 0, 1, 2],
                "crew": [-4, 0, 3, 6],
            },
            "grades": {"ewo": "veteran"},
        },
    ),
    Procedure(
        name="grades.initial",
        rules=("D1.12", "D1.121", "D1.122", "D1.123", "D1.124"),
        summary="The grade of one officer or the crew of a new ship.",
        input=InitialRoll,
        result={"grade": "poor, average, veteran or elite", "roll": "difference of the dice with the modifier"},
        run=_initial,
        dice="dice",
        example={"dice": [5, 3], "modifier": 0},
    ),
    Procedure(
        name="grades.anniversary",
        rules=("D1.131",),
        summary="What a year does to one grade.",
        input=AnniversaryRoll,
        result={
            "grade": "the grade afterwards",
            "roll": "difference of the dice with the modifier",
            "changed": "whether it changed",
        },
        run=_anniversary,
        dice="dice",
        example={"dice": [10, 1], "grade": "average"},
    ),
    Procedure(
        name="grades.anniversaries",
        rules=("D1.13", "D1.131"),
        summary="The dates on which a ship's grades are rolled in a stretch of time.",
        input=Anniversaries,
        result={"dates": "dates, first to last"},
        run=_anniversaries,
        example={"commissioned": "1904-02-29", "after": "1904-02-29", "until": "1908-12-31"},
    ),
    Procedure(
        name="grades.victory-review",
        rules=("D1.135", "D1.12"),
        summary="The re-roll of one grade that a great victory allows.",
        input=VictoryReview,
        result={
            "grade": "the grade afterwards, better or worse",
            "roll": "difference of the dice with the modifier",
            "modifier": "1 after an overwhelming, 2 after a legendary victory",
            "changed": "whether it changed",
        },
        run=_victory_review,
        dice="dice",
        example={"dice": [8, 1], "margin": "overwhelming-victory", "grade": "average"},
    ),
    Procedure(
        name="grades.commander-review",
        rules=("D1.132", "D1.231"),
        summary="When, which and how grades are rolled afresh under a miracle-grade commander.",
        input=CommanderReview,
        result={
            "date": "the day of the rolls, two months after taking command",
            "categories": "categories rolled afresh",
            "rerolled": "the same as places on the ship's sheet, from 0",
            "modifier": "added to each roll",
        },
        run=_commander_review,
        example={"taken": "1905-03-05", "level": 3, "grades": {"tactical": "elite", "helm": "poor"}},
    ),
    Procedure(
        name="grades.bridge-hit",
        rules=("C5.4412",),
        summary="Whether a bridge hit costs an officer a grade, and whom.",
        input=BridgeHit,
        result={
            "officer": "the officer hurt, or null",
            "before": "the grade before, or null",
            "after": "the grade afterwards, or null",
        },
        run=_bridge_hit,
        dice="dice",
        example={"dice": [8, 2, 7], "grades": {"helm": "veteran"}},
    ),
    Procedure(
        name="grades.effect",
        rules=("D1.111", "D1.14"),
        summary="What a grade of an officer or the crew does.",
        input=Effect,
        result={"effect": "the effect as on the ship's sheet"},
        run=_effect,
        example={"category": "ewo", "grade": "elite"},
    ),
)
