"""Grades of officers and crew (D1.1): what they are, what they cost, how they are rolled, what they do.

A ship has five officers and a crew, each poor, average, veteran or elite. The history of a ship's
grades over the years is in ``grade_history``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from campaign.engine.dice import Roller
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.rulebooks.saganami.source import rule

Grade: TypeAlias = Literal["poor", "average", "veteran", "elite"]
GRADES: tuple[Grade, ...] = get_args(Grade)

Category: TypeAlias = Literal["tactical", "ewo", "assistant", "helm", "engineer", "crew"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
OFFICERS: tuple[Category, ...] = CATEGORIES[:5]
CATEGORY_TITLES: Mapping[Category, str] = {
    "tactical": "Tactical officer",
    "ewo": "Electronic warfare officer",
    "assistant": "Assistant tactical officer",
    "helm": "Helm",
    "engineer": "Engineering officer",
    "crew": "Crew",
}

# A2.65: the abbreviations of the ship's sheet, in its order.
POST_OF_CATEGORY: Mapping[Category, str] = {
    "tactical": "TAC",
    "ewo": "EWO",
    "assistant": "ATO",
    "helm": "HELM",
    "engineer": "ENG",
    "crew": "CREW",
}

# D1.111 and A2.65: a crew quality check is a d10 at or under this number.
CREW_TARGET: Mapping[Grade, int] = {"poor": 2, "average": 5, "veteran": 7, "elite": 9}
# D1.141: added to the quality level of every missile launched; lower is better.
TACTICAL_MQL: Mapping[Grade, int] = {"poor": 1, "average": 0, "veteran": -1, "elite": -2}
# D1.142: added to the ECM value, and to the crew target of a detection check.
EWO_ECM: Mapping[Grade, int] = {"poor": -1, "average": 0, "veteran": 1, "elite": 2}
# D1.143: added to the probable kills of countermissiles and of point defence.
ASSISTANT_KILLS: Mapping[Grade, tuple[int, int]] = {
    "poor": (-1, 0),
    "average": (0, 0),
    "veteran": (1, 0),
    "elite": (1, 1),
}
# D1.144: windows of pivot and roll; "or" means that the bonus goes to one of them, chosen each turn.
HELM_WINDOWS: Mapping[Grade, Mapping[str, int]] = {
    "poor": {"pivot": -1, "roll": -1},
    "average": {},
    "veteran": {"roll": 1},
    "elite": {"pivot or roll": 1},
}
# D1.145: what becomes of half a hex of displacement, and the bonus to the thrust rating.
ENGINEER_HALVES: Mapping[Grade, Literal["lost", "carried", "rounded-up"]] = {
    "poor": "lost",
    "average": "carried",
    "veteran": "rounded-up",
    "elite": "rounded-up",
}
ENGINEER_THRUST: Mapping[Grade, int] = {"poor": 0, "average": 0, "veteran": 0, "elite": 1}

VETERAN_ROLL = 8  # D1.122
ELITE_ROLL = 9  # D1.123, and D1.131 where it lifts a grade by one
BRIDGE_HIT_LOSES = 6  # C5.4412

# C5.4412: the d10 that says which officer was on the bridge.
OFFICER_BY_DIE: tuple[Category, ...] = tuple(officer for officer in OFFICERS for _ in range(2))


@dataclass(frozen=True, slots=True)
class ShipGrades:
    """A ship's six grades at one instant."""

    tactical: Grade = "average"
    ewo: Grade = "average"
    assistant: Grade = "average"
    helm: Grade = "average"
    engineer: Grade = "average"
    crew: Grade = "average"

    def of(self, category: Category) -> Grade:
        """Return the grade in one category."""
        grades: Mapping[Category, Grade] = self.as_document()
        return grades[category]

    def with_grade(self, category: Category, grade: Grade) -> ShipGrades:
        """Return the grades with one of them changed."""
        return replace(self, **{category: grade})

    def as_document(self) -> dict[Category, Grade]:
        """Return the grades by category, in the order of the ship's sheet."""
        return {
            "tactical": self.tactical,
            "ewo": self.ewo,
            "assistant": self.assistant,
            "helm": self.helm,
            "engineer": self.engineer,
            "crew": self.crew,
        }

    def by_post(self) -> dict[str, Grade]:
        """Return the grades by the abbreviations of the ship's sheet, as ship classes take them."""
        return {POST_OF_CATEGORY[category]: grade for category, grade in self.as_document().items()}


def load_grades(document: Mapping[str, Any], *, place: str = "") -> ShipGrades:
    """Return grades from a document by category; a category left out is average.

    Raises ProblemsError for a category or grade that the rules do not know.
    """
    problems = []
    known: dict[Category, Grade] = {}
    for key, value in document.items():
        category = next((one for one in CATEGORIES if one == key), None)
        grade = next((one for one in GRADES if one == value), None)
        if category is None:
            message = f"A category is one of {', '.join(CATEGORIES)}."
            problems.append(Problem(place + pointer(key), "unknown-category", message, "D1.11"))
        elif grade is None:
            message = f"A grade is one of {', '.join(GRADES)}."
            problems.append(Problem(place + pointer(key), "unknown-grade", message, "D1.11"))
        else:
            known[category] = grade
    if problems:
        raise ProblemsError(problems)
    return ShipGrades(**known)


@rule("D1.131", "C5.4412")
def shifted(grade: Grade, steps: int) -> Grade:
    """Return a grade moved up or down by ``steps``, held between poor and elite."""
    return GRADES[min(max(GRADES.index(grade) + steps, 0), len(GRADES) - 1)]


# What grades cost ------------------------------------------------------------------------------

OfficerCosts: TypeAlias = Mapping[Category, Sequence[int]]
"""A class's table of the ship's sheet: category to four changes of cost in points, poor to elite."""


@rule("A2.65", "D1.11", "D1.112")
def adjusted_cost(base: int, modifiers: Sequence[int]) -> int:
    """Return a ship's cost with its grades: the base cost and the six changes, in points."""
    return base + sum(modifiers)


@rule("A2.65", "D1.11", "D1.112", "D1.125")
def cost_with_grades(base: int, costs: OfficerCosts, grades: ShipGrades) -> int:
    """Return a ship's adjusted cost from its class's table; rolled grades are paid for like any other."""
    return adjusted_cost(base, [costs[category][GRADES.index(grades.of(category))] for category in CATEGORIES])


@rule("D1.111", "D1.112")
def check_officer_costs(costs: Mapping[str, Sequence[int]], *, place: str = "") -> tuple[Problem, ...]:
    """Return what is wrong with a class's table of officers' costs.

    Each category has four changes: poor never costs, average is free, veteran and elite never save
    and elite is not cheaper than veteran.
    """
    problems = []
    for category in CATEGORIES:
        row = costs.get(category)
        here = place + pointer(category)
        if row is None:
            problems.append(Problem(here, "missing", "Every category has its row of costs.", "D1.111"))
        elif len(row) != len(GRADES):
            problems.append(Problem(here, "not-four", "A row has one change of cost for each grade.", "D1.111"))
        elif not row[0] <= 0 == row[1] <= row[2] <= row[3]:
            message = "Poor never raises the cost, average leaves it, veteran and elite never lower it."
            problems.append(Problem(here, "costs-out-of-order", message, "D1.112"))
    for key in costs:
        if key not in CATEGORIES:
            message = f"A category is one of {', '.join(CATEGORIES)}."
            problems.append(Problem(place + pointer(key), "unknown-category", message, "D1.111"))
    return tuple(problems)


# How grades are rolled -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GradeRoll:
    """A roll of 2d10- for one category: the faces, the difference with its modifier, the grade it gives."""

    dice: tuple[int, int]
    modified: int
    grade: Grade


def _difference(roller: Roller, modifier: int) -> tuple[tuple[int, int], int]:
    """Roll 2d10- and add a modifier (A1.22: after the difference); what is over nine counts as nine."""
    if modifier < 0:
        raise refuse("negative", "No rule lowers a roll for grades.", place="/modifier", rule="D1.135")
    dice = (roller.die(), roller.die())
    return dice, min(abs(dice[0] - dice[1]) + modifier, ELITE_ROLL)


@rule("D1.12", "D1.121", "D1.122", "D1.123", "D1.124")
def roll_initial(roller: Roller, modifier: int = 0) -> GradeRoll:
    """Roll a category's grade for a new ship, or afresh.

    Nine is elite, eight veteran, one to seven average; nothing is poor if the two dice, being
    equal, are odd. The printed 0 of a die is a ten and even.
    """
    dice, modified = _difference(roller, modifier)
    grade: Grade = "average"
    if modified == 0 and dice[0] % 2:
        grade = "poor"
    elif modified == VETERAN_ROLL:
        grade = "veteran"
    elif modified == ELITE_ROLL:
        grade = "elite"
    return GradeRoll(dice, modified, grade)


@rule("D1.13", "D1.131")
def roll_anniversary(roller: Roller, grade: Grade, modifier: int = 0) -> GradeRoll:
    """Roll what a year does to one category: up by one on nine, down by one on nothing with two ones or two tens."""
    dice, modified = _difference(roller, modifier)
    steps = 0
    if modified == ELITE_ROLL:
        steps = 1
    elif modified == 0 and dice in ((1, 1), (10, 10)):
        steps = -1
    return GradeRoll(dice, modified, shifted(grade, steps))


@rule("D1.135")
def victory_modifier(margin: str) -> int | None:
    """Return the modifier with which the winner's ships may roll their grades again, or None if they may not."""
    return {"overwhelming-victory": 1, "legendary-victory": 2}.get(margin)


@rule("D1.132", "D1.231")
def commander_modifier(level: int) -> int:
    """Return what a miracle-grade commander adds to a ship's rolls for grades: the level (1 superb to 3 legendary)."""
    if not 1 <= level <= 3:
        raise refuse("unknown-level", "A commander's level is 1, 2 or 3.", place="/level", rule="D1.23")
    return level


@rule("D1.132")
def categories_rolled_afresh(grades: ShipGrades) -> tuple[Category, ...]:
    """Return the categories that a miracle-grade commander's arrival rolls afresh: those at average or worse."""
    return tuple(category for category in CATEGORIES if grades.of(category) in ("poor", "average"))


@dataclass(frozen=True, slots=True)
class BridgeHit:
    """What a hit on the bridge did to the officers: the faces, and who was hurt, if any."""

    dice: tuple[int, ...]
    officer: Category | None
    before: Grade | None = None
    after: Grade | None = None


@rule("C5.4412")
def roll_bridge_hit(roller: Roller, grades: ShipGrades) -> BridgeHit:
    """Roll whether a bridge hit costs an officer a grade, and whom (2d10-, six or more; then a d10).

    The crew's grade is never lost to damage; a poor officer gets no worse.
    """
    first, second = roller.die(), roller.die()
    if abs(first - second) < BRIDGE_HIT_LOSES:
        return BridgeHit((first, second), None)
    which = roller.die()
    officer = OFFICER_BY_DIE[which - 1]
    before = grades.of(officer)
    return BridgeHit((first, second, which), officer, before, shifted(before, -1))


# What grades do --------------------------------------------------------------------------------


@rule("D1.111")
def crew_target(grade: Grade) -> int:
    """Return the number at or under which a d10 passes a crew quality check."""
    return CREW_TARGET[grade]


@rule("D1.142", "B5.141")
def detection_target(crew: Grade, ewo: Grade) -> int:
    """Return the target of a detection check: the crew's, changed as the EWO changes the ship's ECM."""
    return CREW_TARGET[crew] + EWO_ECM[ewo]


@rule("D1.14", "D1.141", "D1.142", "D1.143", "D1.144", "D1.145", "D1.111")
def effect_text(category: Category, grade: Grade) -> str:
    """Return what a grade does, in the few words of a ship's sheet."""
    if category == "tactical":
        return _signed(TACTICAL_MQL[grade], "MQL")
    if category == "ewo":
        return _signed(EWO_ECM[grade], "ECM")
    if category == "assistant":
        countermissiles, point_defence = ASSISTANT_KILLS[grade]
        parts = [_signed(countermissiles, "CM"), _signed(point_defence, "PD")]
        return ", ".join(part for part in parts if part != "no effect") or "no effect"
    if category == "helm":
        windows = HELM_WINDOWS[grade]
        return ", ".join(_signed(amount, what) for what, amount in windows.items()) or "no effect"
    if category == "engineer":
        halves = {"lost": "half hexes lost", "carried": "no effect", "rounded-up": "half hexes rounded up"}
        thrust = ENGINEER_THRUST[grade]
        return halves[ENGINEER_HALVES[grade]] + (f", {_signed(thrust, 'thrust')}" if thrust else "")
    return f"checks at {CREW_TARGET[grade]} or less"


def _signed(amount: int, what: str) -> str:
    return f"{amount:+d} {what}" if amount else "no effect"
