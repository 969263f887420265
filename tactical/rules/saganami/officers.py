"""What officers and crew do in a battle (D1.14), and the crew quality check (A2.65, A2.674)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from campaign.engine.dice import Roller
from campaign.engine.errors import refuse
from campaign.rulebooks.saganami.grades import ASSISTANT_KILLS, EWO_ECM, HELM_WINDOWS, TACTICAL_MQL, Grade, crew_target
from campaign.rulebooks.saganami.source import rule

Boost = Literal["pivot", "roll"]
Kills = Fraction


@dataclass(frozen=True, slots=True)
class Ratings:
    """How many windows a ship can pivot and roll in a turn."""

    pivot: int
    roll: int


@rule("B2.22", "B2.23", "B2.231", "B2.232", "B2.233", "D1.144", "C5.464")
def helm_ratings(pivot: int, roll: int, grade: Grade, boost: Boost = "pivot") -> Ratings:
    """Return the ratings of the pivot and roll tracks as the helm officer changes them (windows a turn).

    ``boost`` is where an elite officer's window goes this turn. A poor one never takes a rating below
    1 while its track has boxes; a rating of 0 means that none are left, and nobody helps that.
    """
    if pivot < 0 or roll < 0:
        raise refuse("negative", "A rating is never negative.", place="/pivot" if pivot < 0 else "/roll", rule="B2.22")
    windows = HELM_WINDOWS[grade]
    either = windows.get("pivot or roll", 0)
    changed = {
        "pivot": windows.get("pivot", 0) + (either if boost == "pivot" else 0),
        "roll": windows.get("roll", 0) + (either if boost == "roll" else 0),
    }
    return Ratings(
        *(max(rating + changed[what], 1) if rating else 0 for what, rating in (("pivot", pivot), ("roll", roll)))
    )


@rule("D1.141")
def tactical_quality(mql: int, grade: Grade) -> int:
    """Return a salvo's quality level as the tactical officer changes it; lower is better for the attacker."""
    return mql + TACTICAL_MQL[grade]


@rule("D1.142")
def warfare_ecm(ecm: int, grade: Grade, boxes_left: int) -> int:
    """Return the ECM value as the electronic warfare officer changes it, 0 once the track has no box left."""
    return ecm + EWO_ECM[grade] if boxes_left > 0 else 0


@rule("D1.143")
def assistant_kills(countermissiles: Kills, point_defense: Kills, grade: Grade) -> tuple[Kills, Kills]:
    """Return the probable kills of countermissiles and point defence as the assistant changes them.

    A poor officer takes one from the countermissiles but never brings them below 1; less than 1 stays
    as it is. Systems with no probable kills left stay at nothing.
    """
    more_cm, more_pd = ASSISTANT_KILLS[grade]
    if more_cm < 0:
        cm = max(countermissiles + more_cm, min(countermissiles, Fraction(1)))
    else:
        cm = countermissiles + more_cm if countermissiles else countermissiles
    return cm, point_defense + more_pd if point_defense else point_defense


@dataclass(frozen=True, slots=True)
class Check:
    """A crew quality check: the die, the number it had to be at or under, and whether it was."""

    die: int
    target: int
    passed: bool


def check_passes(die: int, target: int) -> bool:
    """Return whether a d10 passes a check: at or under the target."""
    return die <= target


@rule("A1.211", "A2.674", "D1.111", "C6.121")
def roll_crew_check(roller: Roller, target: int) -> Check:
    """Roll a crew quality check: one d10 (the 0 is a ten), passed at or under the target."""
    die = roller.die()
    return Check(die, target, check_passes(die, target))


@rule("C5.441", "C5.4411")
def bridge_target(crew: Grade, squares_left: int, penalty: int) -> int | None:
    """Return the crew target of this turn's bridge check, or None while the bridge has a square left.

    ``penalty`` is the number in the first unmarked circle, or the one at the end of the track (0, -1, -2).
    """
    return None if squares_left > 0 else crew_target(crew) + penalty
