"""The 3-D hex map: axial hexes (q, r), altitude z, distances, rings, lines and rotations.

Directions run clockwise from A. A is one step of r, so axial (q, r) lies in the plane at
y = r + q/2 and x = q times the root of 3 over 2. Everything that decides is integers or fractions;
floats appear only in ``to_plane``, for drawings and for the centres of search trees.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

DIRECTIONS = ("A", "B", "C", "D", "E", "F")
LETTERS = (*DIRECTIONS, "+", "-")
STEP: Mapping[str, tuple[int, int, int]] = {
    "A": (0, 1, 0),
    "B": (1, 0, 0),
    "C": (1, -1, 0),
    "D": (0, -1, 0),
    "E": (-1, 0, 0),
    "F": (-1, 1, 0),
    "+": (0, 0, 1),
    "-": (0, 0, -1),
}
OPPOSITE: Mapping[str, str] = {"A": "D", "B": "E", "C": "F", "D": "A", "E": "B", "F": "C", "+": "-", "-": "+"}

_HALF_ROOT_3 = sqrt(3) / 2


class Hex(NamedTuple):
    """A hex at an altitude, or the step from one to another: q and r in hexes, z in levels."""

    q: int
    r: int
    z: int = 0

    def moved(self, dq: int, dr: int, dz: int = 0) -> Hex:
        """Return the hex that lies (dq, dr, dz) away."""
        return Hex(self.q + dq, self.r + dr, self.z + dz)

    def less(self, other: Hex) -> Hex:
        """Return the step that leads from ``other`` to this hex."""
        return Hex(self.q - other.q, self.r - other.r, self.z - other.z)


ORIGIN = Hex(0, 0, 0)


def distance_in_plane(dq: int, dr: int) -> int:
    """Return the number of hexes of a step on the map, altitude left out."""
    return max(abs(dq), abs(dr), abs(dq + dr))


def squared_range(dq: int, dr: int, dz: int) -> int:
    """Return the square of the 3-D distance: hexes on the map squared plus altitude squared."""
    plane = max(abs(dq), abs(dr), abs(dq + dr))
    return plane * plane + dz * dz


def true_range(dq: int, dr: int, dz: int) -> int:
    """Return the range in hexes: the 3-D distance, its fraction dropped."""
    return isqrt(squared_range(dq, dr, dz))


def is_within(dq: int, dr: int, dz: int, reach: int) -> bool:
    """Return whether the range, its fraction dropped, is at most ``reach`` hexes (at least 0)."""
    return squared_range(dq, dr, dz) < (reach + 1) ** 2


def to_plane(q: int, r: int) -> tuple[float, float]:
    """Return the (x, y) of a hex's centre, in hexes, for drawings and search trees: A points along +y."""
    return q * _HALF_ROOT_3, r + q / 2


def rotate(q: int, r: int, sixths: int) -> tuple[int, int]:
    """Return a step turned clockwise by ``sixths`` of a circle (A becomes B); negative turns the other way."""
    for _ in range(sixths % 6):
        q, r = q + r, -q
    return q, r


def round_hex(q: Fraction | int, r: Fraction | int) -> tuple[int, int]:
    """Return the hex whose centre is nearest to a point given in fractions of hexes.

    Exact. A point on a border always goes to the same one of its hexes, wherever on the map it is.
    """
    exact_q, exact_r = Fraction(q), Fraction(r)
    exact_s = -exact_q - exact_r
    whole_q, whole_r, whole_s = _round_half_up(exact_q), _round_half_up(exact_r), _round_half_up(exact_s)
    off_q, off_r, off_s = abs(whole_q - exact_q), abs(whole_r - exact_r), abs(whole_s - exact_s)
    if off_q > off_r and off_q > off_s:
        whole_q = -whole_r - whole_s
    elif off_r > off_s:
        whole_r = -whole_q - whole_s
    return whole_q, whole_r


def ring(q: int, r: int, radius: int) -> tuple[tuple[int, int], ...]:
    """Return the hexes at exactly ``radius`` hexes, clockwise from the one in direction A.

    A radius of 0 is the hex itself; otherwise there are six times ``radius``.
    """
    if radius == 0:
        return ((q, r),)
    found = []
    here_q, here_r = q, r + radius
    for corner in range(6):
        # From the corner in one direction the ring's side runs two directions further on.
        step_q, step_r, _ = STEP[DIRECTIONS[(corner + 2) % 6]]
        for _ in range(radius):
            found.append((here_q, here_r))
            here_q, here_r = here_q + step_q, here_r + step_r
    return tuple(found)


def disc(q: int, r: int, radius: int) -> tuple[tuple[int, int], ...]:
    """Return the hexes at most ``radius`` hexes away, ring by ring from the middle."""
    return tuple(found for each in range(radius + 1) for found in ring(q, r, each))


def line(start: tuple[int, int], end: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Return the hexes that a straight line crosses from centre to centre, both ends with it, in order."""
    steps = distance_in_plane(end[0] - start[0], end[1] - start[1])
    if steps == 0:
        return (start,)
    return tuple(
        round_hex(
            start[0] + Fraction((end[0] - start[0]) * step, steps),
            start[1] + Fraction((end[1] - start[1]) * step, steps),
        )
        for step in range(steps + 1)
    )


def ranges_squared(dq: Integers, dr: Integers, dz: Integers) -> Integers:
    """Return ``squared_range`` of arrays of steps, element by element (64-bit integers)."""
    plane = np.maximum(np.maximum(np.abs(dq), np.abs(dr)), np.abs(dq + dr))
    squared: Integers = plane * plane + dz * dz
    return squared


def are_within(dq: Integers, dr: Integers, dz: Integers, reach: int) -> npt.NDArray[np.bool_]:
    """Return ``is_within`` of arrays of steps, element by element."""
    within: npt.NDArray[np.bool_] = ranges_squared(dq, dr, dz) < (reach + 1) ** 2
    return within


def _round_half_up(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)
