"""Detection's numbers and single rules (B5.14): footprints, ranges, the check, and what a success tells.

Ranges are whole operational hexes, the fraction of the 3-D distance dropped. A target is a ship or a
LAC squadron, its wedge up or down; ``Target`` says which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from campaign.engine.errors import refuse
from campaign.rulebooks.saganami.source import rule

MEGATON = 1_000_000  # tons

# B5.14, first columns: the discharge of a group that leaves hyperspace is seen by everyone so near.
FOOTPRINT_OVER_100, FOOTPRINT_50_TO_100, FOOTPRINT_UNDER_50 = "over-100", "50-to-100", "under-50"
FOOTPRINT_HEXES: Mapping[str, int] = {FOOTPRINT_OVER_100: 300, FOOTPRINT_50_TO_100: 225, FOOTPRINT_UNDER_50: 150}
FOOTPRINT_TEXT: Mapping[str, str] = {
    FOOTPRINT_OVER_100: "more than 100 million tons",
    FOOTPRINT_50_TO_100: "50 to 100 million tons",
    FOOTPRINT_UNDER_50: "less than 50 million tons",
}

# B5.14, second columns, in the order in which a target gives itself away as the range falls.
PRESENCE, ACCELERATION, SCALE_10, SCALE_5, EXACT = "presence", "acceleration", "scale/10", "scale/5", "exact"
ROW_HEXES: Mapping[str, int] = {PRESENCE: 120, ACCELERATION: 100, SCALE_10: 80, SCALE_5: 60, EXACT: 40}
ROWS: tuple[str, ...] = tuple(ROW_HEXES)
DIVISOR: Mapping[str, int] = {SCALE_10: 10, SCALE_5: 5, EXACT: 1}

PENALTY_STARTS = 40  # B5.141: hexes without a penalty
LAC_PENALTY_STARTS = 10  # B5.144, illegible in print: a quarter of 40
PENALTY_STEP = 10  # each full ten hexes more add one to the die
DRONE_HEXES = 5  # B5.142
LAC_SHARE, WEDGE_DOWN_SHARE = 4, 10  # B5.144: a quarter of every range; B5.145: a tenth


class Target(IntEnum):
    """What is looked for: a ship or LACs, the wedge up or down."""

    SHIP = 0
    LAC = 1
    SHIP_WEDGE_DOWN = 2
    LAC_WEDGE_DOWN = 3

    @classmethod
    def of(cls, *, is_lac: bool, is_wedge_up: bool) -> Target:
        """Return the kind of a target."""
        return cls(is_lac + 2 * (not is_wedge_up))

    @property
    def is_lac(self) -> bool:
        """Return whether LACs are looked for."""
        return bool(self.value & 1)

    @property
    def share(self) -> int:
        """Return by what the ranges of the table are divided."""
        return (LAC_SHARE if self.is_lac else 1) * (WEDGE_DOWN_SHARE if self.value & 2 else 1)


@rule("B5.14")
def footprint_band(tons: int) -> str:
    """Return the row of a group's hyper footprint: "over-100", "50-to-100" or "under-50" (millions of tons)."""
    if tons > 100 * MEGATON:
        return FOOTPRINT_OVER_100
    return FOOTPRINT_50_TO_100 if tons >= 50 * MEGATON else FOOTPRINT_UNDER_50


@rule("B5.14")
def footprint_hexes(tons: int) -> int:
    """Return how many hexes away the hyper footprint of a group of so many tons is seen by itself."""
    return FOOTPRINT_HEXES[footprint_band(tons)]


@rule("B5.14", "B5.144", "B5.145")
def detection_hexes(event_hexes: int, target: Target = Target.SHIP) -> int:
    """Return a range of the table for a target: a quarter for LACs, a tenth with the wedge down, both for both.

    Ranges are counted in whole hexes, so a fraction of a hex is dropped.
    """
    return event_hexes // target.share


@rule("B5.142")
def effective_range(op_range: int, drones: int = 0) -> int:
    """Return the range that a search counts with: five hexes less for every recon drone spent, never below 0."""
    return max(0, op_range - DRONE_HEXES * drones)


@rule("B5.141", "B5.144")
def range_penalty(effective: int, target: Target = Target.SHIP) -> int:
    """Return what the range adds to the die: one for each full ten hexes over 40, for LACs over 10."""
    starts = LAC_PENALTY_STARTS if target.is_lac else PENALTY_STARTS
    return max(0, effective - starts) // PENALTY_STEP


@rule("B5.141")
def ecm_disadvantage(searcher: int, target: int) -> int:
    """Return by how many levels the searcher's ECM is the worse; 0 where it is not."""
    return max(0, target - searcher)


@dataclass(frozen=True, slots=True)
class Check:
    """A search's check: the number to roll at or under, the die with what is added to it, and whether it passed."""

    target: int
    modified_roll: int

    @property
    def success(self) -> bool:
        """Return whether the modified die is at or under the target number."""
        return self.modified_roll <= self.target


@rule("B5.141", "B5.142", "B5.144")
def search_check(
    target_number: int, die: int, op_range: int, *, drones: int = 0, disadvantage: int = 0, target: Target = Target.SHIP
) -> Check:
    """Return the check of a search against one target.

    ``target_number`` is the crew's with the EWO's grade counted, ``die`` the d10 of the search,
    ``disadvantage`` the levels of ECM by which the searcher is the worse.
    """
    penalty = range_penalty(effective_range(op_range, drones), target)
    return Check(target_number, die + disadvantage + penalty)


@rule("B5.14", "B5.142", "B5.144", "B5.145")
def rows_in_range(op_range: int, target: Target = Target.SHIP, drones: int = 0) -> tuple[str, ...]:
    """Return the rows of the table in whose range a target is, from "presence" on.

    A search that passes its check learns all of them; one that fails learns none.
    """
    effective = effective_range(op_range, drones)
    return tuple(row for row in ROWS if effective <= detection_hexes(ROW_HEXES[row], target))


@rule("B5.143")
def scale_bounds(scale: int, divisor: int) -> tuple[int, int]:
    """Return the target's scale as the referee tells it: at least the first number, less than the second.

    With divisor 1 the two hold a single scale between them. Raises ProblemsError for another divisor.
    """
    if divisor not in DIVISOR.values():
        raise refuse("unknown-divisor", "A scale is known over 10, over 5 or exactly.", place="/divisor", rule="B5.143")
    low = scale // divisor * divisor
    return low, low + divisor


def farthest_reach() -> int:
    """Return the widest range at which anything is seen by a search without drones, in hexes."""
    return max(ROW_HEXES.values())


def longest_with_margin(margin: int, target: Target = Target.SHIP) -> int:
    """Return the largest effective range at which a check with ``margin`` to spare passes; -1 for none.

    ``margin`` is the target number less the die and the ECM disadvantage. No farther than the
    first row of the table reaches.
    """
    if margin < 0:
        return -1
    starts = LAC_PENALTY_STARTS if target.is_lac else PENALTY_STARTS
    return min(detection_hexes(farthest_reach(), target), starts + PENALTY_STEP * (margin + 1) - 1)


def levels(rows: int) -> tuple[str, ...]:
    """Return the first so many rows of the table."""
    return ROWS[: max(0, rows)]
