"""Bearings on the AVID: through which of its 50 windows one hex sees another (B2.12, C1.1).

The AVID stands still relative to the map. Its yellow ring has twelve windows, each blue ring twelve,
each green ring six (hex edges only), and there is one purple window above and one below. A window is
written as direction, ring and half of the sphere: "A/B blue+", "C yellow", "D green-", "purple+".

``WINDOWS`` lists them; arrays give a window as its place in that list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from campaign.engine.errors import refuse
from campaign.engine.hexes import DIRECTIONS, Integers, true_range
from campaign.engine.vectors import from_axial
from campaign.rulebooks.saganami.source import rule

# The engine's range is nobody's rule; here it becomes the rulebook's.
rule("C1.14")(true_range)

EDGE_RATIO = 3  # C1.12: so many times as far in one direction as in the next is seen through a hex edge
RING_RATIO = 4  # C1.151: so many times as far along or up as in the other way is level, or straight up

COLUMNS = tuple(
    name
    for index, letter in enumerate(DIRECTIONS)
    for name in (letter, f"{letter}/{DIRECTIONS[(index + 1) % len(DIRECTIONS)]}")
)
"""The twelve horizontal directions, clockwise from A: hex edges and hex corners in turn."""

RINGS = ("yellow", "blue+", "blue-", "green+", "green-", "purple+", "purple-")

WINDOWS: tuple[str, ...] = (
    *(f"{column} {ring}" for ring in RINGS[:3] for column in COLUMNS),
    *(f"{letter} {ring}" for ring in RINGS[3:5] for letter in DIRECTIONS),
    *RINGS[5:],
)
INDEX_OF_WINDOW: Mapping[str, int] = {window: index for index, window in enumerate(WINDOWS)}

NO_WINDOW = -1  # in arrays: there is no second window


@rule("C1.12", "C1.121")
def horizontal_direction(dq: int, dr: int) -> str:
    """Return the hex edge ("A") or hex corner ("A/B") through which a step on the map is seen.

    The larger of its two legs must be three times the smaller, or more, for an edge. Raises
    ProblemsError ("no-bearing") where nothing lies between the two on the map.
    """
    legs = from_axial(dq, dr)
    if not legs:
        raise refuse("no-bearing", "A place straight above, below or in the same hex has no direction.", rule="C1.12")
    far = max(legs, key=lambda letter: legs[letter])
    if legs[far] >= EDGE_RATIO * (sum(legs.values()) - legs[far]):
        return far
    first, second = legs
    return f"{second}/{first}" if (first, second) == ("A", "F") else f"{first}/{second}"


@rule("C1.15", "C1.151", "C1.152", "C1.153", "B2.123")
def ring_of(horizontal: int, altitude: int) -> str:
    """Return the ring through which a target is seen: "yellow", or "blue", "green", "purple" with + or -.

    ``horizontal`` is the map distance in hexes, ``altitude`` the target's altitude less the
    observer's. Raises ProblemsError ("no-bearing") when both are 0.
    """
    height = abs(altitude)
    half = "+" if altitude > 0 else "-"
    if horizontal == 0 and height == 0:
        raise refuse("no-bearing", "A target in the observer's own place is seen through no window.", rule="C1.15")
    if horizontal >= RING_RATIO * height:
        return "yellow"
    if height >= RING_RATIO * horizontal:
        return f"purple{half}"
    return f"green{half}" if height > horizontal else f"blue{half}"


@rule("C1.11", "B2.12", "B2.153")
def windows_of_bearing(dq: int, dr: int, dz: int) -> tuple[str, ...]:
    """Return the windows through which a step is seen: one, or two on a spine of the green ring.

    The green ring has no windows for the hex corners: a bearing belongs to the edge its larger leg
    points along, and one with equal legs lies on the spine between two windows and shows in both,
    the one that comes first clockwise named first. Raises ProblemsError ("no-bearing") for no step.
    """
    legs = from_axial(dq, dr)
    ring = ring_of(sum(legs.values()), dz)
    if ring.startswith("purple"):
        return (ring,)
    if not ring.startswith("green"):
        return (f"{horizontal_direction(dq, dr)} {ring}",)
    most = max(legs.values())
    letters = [letter for letter, leg in legs.items() if leg == most]
    if letters == ["A", "F"]:
        letters.reverse()
    return tuple(f"{letter} {ring}" for letter in letters)


def window_of_bearing(dq: int, dr: int, dz: int) -> str:
    """Return the window through which a step is seen; on a green spine the one that comes first clockwise."""
    return windows_of_bearing(dq, dr, dz)[0]


class Cone(NamedTuple):
    """The directions a window takes in, as four linear conditions on a step (q, r), its hexes h and altitude z.

    ``first`` and ``second`` are (a, b, least): a*q + b*r >= least. ``low`` and ``high`` are (c, d, least):
    c*h + d*z >= least.
    """

    first: tuple[int, int, int]
    second: tuple[int, int, int]
    low: tuple[int, int, int]
    high: tuple[int, int, int]


_ALWAYS = (0, 0, 0)


def _turned(condition: tuple[int, int, int], sixths: int) -> tuple[int, int, int]:
    """Return a condition stated for A as it reads for the direction ``sixths`` of a circle clockwise.

    A step is turned back by q, r -> -r, q + r for each sixth, and the condition asked of that.
    """
    a, b, least = condition
    for _ in range(sixths):
        a, b = b, b - a
    return a, b, least


def _heights(ring: str) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return what a ring asks of hexes and altitude."""
    up = -1 if ring.endswith("-") else 1
    kind = ring.rstrip("+-")
    if kind == "yellow":
        return (1, RING_RATIO, 0), (1, -RING_RATIO, 0)
    if kind == "blue":
        return (-1, RING_RATIO * up, 1), (1, -up, 0)
    if kind == "green":
        return (-1, up, 1), (RING_RATIO, -up, 1)
    return (-RING_RATIO, up, 0), (0, up, 1)


# For A: a step with legs (B, A) = (q, r) to the right, (F, A) = (-q, q + r) to the left of it.
_EDGE = ((-EDGE_RATIO, 1, 0), (EDGE_RATIO + 1, 1, 0))
_EDGE_IN_GREEN = ((-1, 1, 0), (2, 1, 0))
_CORNER = ((EDGE_RATIO, -1, 1), (-1, EDGE_RATIO, 1))


def _cone(window: str) -> Cone:
    if window in RINGS:
        return Cone(_ALWAYS, _ALWAYS, *_heights(window))
    column, ring = window.split()
    if "/" in column:
        first, second = _CORNER
    elif ring.startswith("green"):
        first, second = _EDGE_IN_GREEN
    else:
        first, second = _EDGE
    sixths = DIRECTIONS.index(column[0])
    return Cone(_turned(first, sixths), _turned(second, sixths), *_heights(ring))


CONES: tuple[Cone, ...] = tuple(_cone(window) for window in WINDOWS)
"""The cone of each window, in the order of WINDOWS."""


@rule("C1.11", "C1.12", "C1.15")
def are_in_window(window: int, dq: Integers, dr: Integers, dz: Integers) -> npt.NDArray[np.bool_]:
    """Return which of the steps are seen through a window, given as its place in WINDOWS.

    The same answer as ``windows_of_bearing``, for arrays; a step to the observer's own place is in none.
    """
    cone = CONES[window]
    hexes = np.maximum(np.maximum(np.abs(dq), np.abs(dr)), np.abs(dq + dr))
    found: npt.NDArray[np.bool_] = (hexes > 0) | (dz != 0)
    for (a, b, least), one, other in (
        (cone.first, dq, dr),
        (cone.second, dq, dr),
        (cone.low, hexes, dz),
        (cone.high, hexes, dz),
    ):
        if a or b:
            found &= a * one + b * other >= least
    return found
