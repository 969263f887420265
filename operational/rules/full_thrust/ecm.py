"""Electronic counter measures: the sensor dice against them, re-rolls, die modifiers and area cover."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from campaign.engine.dice import Roller
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.tables import (
    AREA_ECM_MODIFIER,
    AREA_ECM_REACH_MU,
    DIE_SIDES,
    ECM_COSTS,
    ECM_GRADES,
    ECM_HITS,
    REROLL_FACE,
    TARGET_ACTIVE_MODIFIER,
    TARGET_BURNING_AWAY_MODIFIER,
    EcmGrade,
    EcmKind,
    Mode,
    SystemCost,
)


@dataclass(frozen=True, slots=True)
class DieModifiers:
    """What is added to each sensor die.

    ``bonus`` (0 to 3) comes from what the target does and counts for re-rolls too; ``area`` (0 to
    -3) comes from area ECM, and re-rolls, which are made as if there were no ECM, are free of it.
    """

    bonus: int = 0
    area: int = 0


NO_MODIFIERS = DieModifiers()


@dataclass(frozen=True, slots=True)
class DieResult:
    """What one sensor die scores, and whether it is rolled again."""

    hits: int
    reroll: bool


@dataclass(frozen=True, slots=True)
class Score:
    """Hits of a detection attempt with the faces that made them: first the dice, then the re-rolls."""

    hits: int
    dice: tuple[int, ...]
    rerolls: tuple[int, ...]


@rule("die-modifiers")
def die_modifiers(
    mode: Mode,
    *,
    target_active: bool = False,
    target_burning_away: bool = False,
    vector_movement: bool = False,
    area_ecm: EcmGrade = "none",
) -> DieModifiers:
    """Return the modifiers of an attempt's dice.

    Passive sensors gain 1 from a target that uses active sensors, and 2, with vector movement, from
    one whose main drive burned facing away from the sensing ship in the last movement phase; active
    sensors gain neither. Area ECM takes 1, 2 or 3 by its grade from both.
    """
    bonus = 0
    if mode == "passive" and target_active:
        bonus += TARGET_ACTIVE_MODIFIER
    if mode == "passive" and target_burning_away and vector_movement:
        bonus += TARGET_BURNING_AWAY_MODIFIER
    return DieModifiers(bonus, AREA_ECM_MODIFIER[area_ecm])


@rule("ecm-table", "die-modifiers")
def score_die(ecm: EcmGrade, face: int, modifiers: DieModifiers = NO_MODIFIERS) -> DieResult:
    """Return what a die's natural face (1 to 6) scores against the target's own ECM.

    Modified faces below 1 and above 6 count as those. Only a natural 6 is rolled again, and it is
    whatever the modifiers make of it.
    """
    modified = min(max(face + modifiers.bonus + modifiers.area, 1), DIE_SIDES)
    return DieResult(ECM_HITS[ecm][modified - 1], face == REROLL_FACE)


@rule("ecm-table")
def roll_score(
    count: int,
    ecm: EcmGrade,
    roller: Roller,
    modifiers: DieModifiers = NO_MODIFIERS,
    reroller: Roller | None = None,
) -> Score:
    """Roll ``count`` sensor dice, then a re-roll for every natural 6, re-rolls of 6 with them.

    Re-rolls count as if the target had no ECM: no own ECM and no area ECM, but the bonus stays.
    ``reroller`` rolls them where it is another than ``roller``.
    """
    again = reroller or roller
    unprotected = DieModifiers(bonus=modifiers.bonus)
    hits = pending = 0
    dice, rerolls = [], []
    for _ in range(count):
        face = roller.die(DIE_SIDES)
        result = score_die(ecm, face, modifiers)
        dice.append(face)
        hits += result.hits
        pending += result.reroll
    while pending:
        face = again.die(DIE_SIDES)
        result = score_die("none", face, unprotected)
        rerolls.append(face)
        hits += result.hits
        pending += result.reroll - 1
    return Score(hits, tuple(dice), tuple(rerolls))


@rule("ecm-table")
def expected_hits(ecm: EcmGrade, modifiers: DieModifiers = NO_MODIFIERS) -> Fraction:
    """Return the hits that one sensor die scores on average, its re-rolls with it; exact."""
    faces = range(1, DIE_SIDES + 1)
    unprotected = DieModifiers(bonus=modifiers.bonus)
    first = Fraction(sum(score_die(ecm, face, modifiers).hits for face in faces), DIE_SIDES)
    again = Fraction(sum(score_die("none", face, unprotected).hits for face in faces), DIE_SIDES)
    chance = Fraction(1, DIE_SIDES)
    return first + chance * again / (1 - chance)


@rule("ecm-packages", "ecm-table")
def ecm_cost(grade: EcmGrade, kind: EcmKind) -> SystemCost:
    """Return the mass and the points of an individual or an area ECM system."""
    return ECM_COSTS[kind][grade]


@rule("ecm-packages")
def strongest_ecm(grades: Iterable[EcmGrade]) -> EcmGrade:
    """Return the best of several grades, "none" without any.

    Area systems do not add up: the source gives one modifier for each grade, so the best one counts.
    On the map they cover the whole task force.
    """
    return max(grades, key=ECM_GRADES.index, default="none")


@rule("ecm-packages")
def area_cover(systems: Iterable[tuple[EcmGrade, int | Fraction]]) -> EcmGrade:
    """Return the area ECM that covers a ship on the table.

    ``systems`` are the grades of friendly area systems, each with its distance in MU; they reach 12.
    """
    return strongest_ecm(grade for grade, distance in systems if distance <= AREA_ECM_REACH_MU)
