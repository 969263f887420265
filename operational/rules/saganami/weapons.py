"""Missiles on the operational scale (B5.15): ranges as data, and what range does to their quality.

The source leaves ordering such fire to a later product (B5.151), so the turn has no step for it; a
table that plays it by hand finds the numbers here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from campaign.engine.errors import refuse
from campaign.rulebooks.saganami.source import rule

MQL_FREE_HEXES = 3  # B5.152: up to here the range costs nothing
MQL_PER_HEX = 2
TACTICAL_HEXES = 10  # B5.15: in one operational hex


class MissileRange(NamedTuple):
    """A row of the table: range in operational and in tactical hexes, as printed."""

    operational: int
    tactical: int


# B5.15, as printed: the rows do not all follow from the tactical range by one rounding.
MISSILE_RANGES: Mapping[tuple[int, str], MissileRange] = {
    (3, "maximum"): MissileRange(28, 284),
    (3, "early"): MissileRange(6, 63),
    (2, "maximum"): MissileRange(13, 128),
    (2, "early"): MissileRange(3, 28),
    (1, "maximum"): MissileRange(3, 28),
    (1, "early"): MissileRange(0, 6),
}


@rule("B5.15")
def missile_range(drives: int, salvo: str) -> MissileRange:
    """Return the range of a missile with one, two or three drives: its "maximum", or its "early" salvo's.

    Raises ProblemsError ("unknown-missile") for another number of drives or another salvo.
    """
    found = MISSILE_RANGES.get((drives, salvo))
    if found is None:
        message = 'A missile has 1, 2 or 3 drives; a range is "maximum" or "early".'
        raise refuse("unknown-missile", message, place="/drives", rule="B5.15")
    return found


@rule("B5.15")
def is_in_missile_range(drives: int, salvo: str, op_range: int) -> bool:
    """Return whether a target so many operational hexes away is in a missile's range."""
    return op_range <= missile_range(drives, salvo).operational


@rule("B5.152")
def operational_mql(base_mql: int, op_range: int) -> int:
    """Return the quality level (lower is better) of missiles fired over operational hexes: 2 worse for each past 3."""
    return base_mql + MQL_PER_HEX * max(0, op_range - MQL_FREE_HEXES)
