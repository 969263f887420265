"""Where a patrol battle begins (D2.1): opposite corners of the map, with free vectors up to five.

The printed map sheets have no stated size; ours, two sheets long edge to long edge, puts the corners
``CORNERS_APART`` hexes from one another, just outside the longest missile range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from campaign.engine.errors import Problem, pointer
from campaign.engine.hexes import Hex, distance_in_plane
from campaign.engine.vectors import parse_vectors, speed
from campaign.rulebooks.saganami.source import rule

HexSize: TypeAlias = Literal["large", "small"]

CORNERS_APART = 36  # hexes; our map
AROUND_CORNER = 5  # D2.12
FASTEST = 5  # hexes per turn, in any direction
ALTITUDE: Mapping[HexSize, int] = {"large": 12, "small": 20}

LOW_CORNER = Hex(0, 0, 0)


@rule("D2.12")
def high_corner(hex_size: HexSize = "large") -> Hex:
    """Return the corner opposite to the origin, at the altitude of the side that has the height."""
    return Hex(CORNERS_APART, 0, ALTITUDE[hex_size])


@dataclass(frozen=True, slots=True)
class Start:
    """Where a ship begins: its hex with altitude, and its vectors in hexes per turn."""

    at: Hex
    vectors: Mapping[str, int]


@rule("D2.12")
def check_starts(corner: Hex, starts: Mapping[str, Start], *, place: str = "/starts") -> tuple[Problem, ...]:
    """Return what is wrong with a side's starting places: within five hexes of its corner, at its altitude, up to five.

    ``starts`` maps ships to their places; facing is free.
    """
    problems: list[Problem] = []
    for ship, start in starts.items():
        here = place + pointer(ship)
        if distance_in_plane(start.at.q - corner.q, start.at.r - corner.r) > AROUND_CORNER:
            message = f"A ship starts within {AROUND_CORNER} hexes of its corner."
            problems.append(Problem(here + "/at", "too-far-from-corner", message, "D2.12"))
        if start.at.z != corner.z:
            problems.append(Problem(here + "/at/z", "wrong-altitude", f"This side starts at {corner.z}.", "D2.12"))
        vectors, found = parse_vectors(start.vectors, here + "/vectors", "D2.12")
        problems.extend(found)
        if not found and speed(vectors) > FASTEST:
            message = f"A ship starts with vectors up to {FASTEST}."
            problems.append(Problem(here + "/vectors", "too-fast", message, "D2.12"))
    return tuple(problems)
