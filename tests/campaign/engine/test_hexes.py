"""The hex map: directions, distances, rings, lines and rounding."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.hexes import (
    DIRECTIONS,
    LETTERS,
    OPPOSITE,
    ORIGIN,
    STEP,
    Hex,
    are_within,
    disc,
    distance_in_plane,
    is_within,
    line,
    ranges_squared,
    ring,
    rotate,
    round_hex,
    squared_range,
    to_plane,
    true_range,
)

whole = st.integers(-400, 400)
share = st.fractions(-30, 30, max_denominator=60)


def plane_square(q: Fraction | int, r: Fraction | int) -> Fraction:
    """Return the squared straight distance of a step in the plane, exactly: y = r + q/2, x = q root 3 / 2."""
    return Fraction(q) ** 2 + Fraction(q) * Fraction(r) + Fraction(r) ** 2


def test_the_directions_run_clockwise_from_a_at_the_top() -> None:
    """A points along +y, and each letter lies 60 degrees clockwise of the one before."""
    for index, letter in enumerate(DIRECTIONS):
        x, y = to_plane(*STEP[letter][:2])
        assert math.isclose(math.degrees(math.atan2(x, y)) % 360, index * 60, abs_tol=1e-9)
        assert math.isclose(math.hypot(x, y), 1)


def test_one_sixth_of_a_turn_leads_from_each_direction_to_the_next() -> None:
    """Rotation is clockwise; six sixths are nothing, and a negative number turns back."""
    for index, letter in enumerate(DIRECTIONS):
        q, r, _ = STEP[letter]
        assert rotate(q, r, 1) == STEP[DIRECTIONS[(index + 1) % 6]][:2]
        assert rotate(q, r, -1) == STEP[DIRECTIONS[(index - 1) % 6]][:2]
        assert rotate(q, r, 6) == (q, r)


def test_opposite_directions_cancel() -> None:
    """Every letter with its opposite leads nowhere."""
    for letter in LETTERS:
        assert tuple(a + b for a, b in zip(STEP[letter], STEP[OPPOSITE[letter]], strict=True)) == ORIGIN


def test_moving_and_measuring_back_agree() -> None:
    """The step from one hex to another is what ``moved`` needs to come from the one to the other."""
    start, end = Hex(3, -4, 2), Hex(-1, 5, -6)
    assert start.moved(*end.less(start)) == end
    assert Hex(1, 2) == (1, 2, 0)


@given(whole, whole)
def test_hexes_on_the_map_are_the_fewest_steps(q: int, r: int) -> None:
    """A hex at distance n has a neighbour at n - 1 and none nearer: the count is a walk's length."""
    distance = distance_in_plane(q, r)
    neighbours = [distance_in_plane(q + STEP[letter][0], r + STEP[letter][1]) for letter in DIRECTIONS]
    assert min(neighbours) == (distance - 1 if distance else 1)
    assert max(neighbours) == distance + 1


@pytest.mark.parametrize(
    ("step", "range_"),
    [
        ((0, 0, 0), 0),
        ((4, 3, 2), 7),
        ((2, 0, 2), 2),
        ((0, 46, 20), 50),
        ((0, 5, 3), 5),
        ((6, -6, 0), 6),
        ((0, 5, 4), 6),
    ],
)
def test_a_range_is_the_distance_in_space_with_its_fraction_dropped(step: tuple[int, int, int], range_: int) -> None:
    """Seven out and two up is 7.28, so 7; five and three is 5.83, so 5; five and four is 6.40, so 6."""
    assert true_range(*step) == range_


@given(whole, whole, whole, st.integers(0, 500))
def test_within_reach_means_a_range_of_at_most_the_reach(q: int, r: int, z: int, reach: int) -> None:
    """The integer test and the range agree, and so do the array versions."""
    assert is_within(q, r, z, reach) == (true_range(q, r, z) <= reach)
    qs, rs, zs = np.array([q]), np.array([r]), np.array([z])
    assert ranges_squared(qs, rs, zs).tolist() == [squared_range(q, r, z)]
    assert are_within(qs, rs, zs, reach).tolist() == [is_within(q, r, z, reach)]


@given(share, share)
def test_rounding_finds_a_nearest_hex(q: Fraction, r: Fraction) -> None:
    """No neighbour of the hex found is nearer to the point, measured exactly."""
    found = round_hex(q, r)
    here = plane_square(q - found[0], r - found[1])
    for letter in DIRECTIONS:
        assert here <= plane_square(q - found[0] - STEP[letter][0], r - found[1] - STEP[letter][1])


@given(share, share, whole, whole)
def test_rounding_is_the_same_everywhere_on_the_map(q: Fraction, r: Fraction, dq: int, dr: int) -> None:
    """A point moved by whole hexes rounds to the hex moved likewise, borders included."""
    found = round_hex(q, r)
    assert round_hex(q + dq, r + dr) == (found[0] + dq, found[1] + dr)


def test_a_whole_point_is_its_own_hex() -> None:
    """Integers are allowed as well as fractions."""
    assert round_hex(3, -7) == (3, -7)


@given(whole, whole, st.integers(0, 12))
def test_a_ring_holds_every_hex_at_its_distance_once(q: int, r: int, radius: int) -> None:
    """Six times the radius of them, each next to the one before, clockwise from direction A."""
    found = ring(q, r, radius)
    assert len(set(found)) == len(found) == (6 * radius or 1)
    assert {distance_in_plane(a - q, b - r) for a, b in found} == {radius}
    assert found[0] == (q, r + radius)
    if radius:
        assert found[radius] == (q + radius, r)
        assert all(distance_in_plane(a[0] - b[0], a[1] - b[1]) == 1 for a, b in pairwise(found))


def test_a_disc_is_all_its_rings() -> None:
    """19 hexes within two."""
    assert len(disc(5, 5, 2)) == 19
    assert disc(5, 5, 2)[0] == (5, 5)
    assert set(disc(5, 5, 2)) == {(5 + q, 5 + r) for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) <= 2}


@given(whole, whole, whole, whole)
def test_a_line_is_a_shortest_walk_along_the_straight_way(q: int, r: int, to_q: int, to_r: int) -> None:
    """One hex for each step, neighbours all the way, and none further than a hex from the straight line."""
    walk = line((q, r), (to_q, to_r))
    distance = distance_in_plane(to_q - q, to_r - r)
    assert walk[0] == (q, r)
    assert walk[-1] == (to_q, to_r)
    assert len(walk) == distance + 1
    for one, two in pairwise(walk):
        assert distance_in_plane(one[0] - two[0], one[1] - two[1]) == 1
    for step, (at_q, at_r) in enumerate(walk[1:-1], start=1):
        off = plane_square(
            q + Fraction((to_q - q) * step, distance) - at_q, r + Fraction((to_r - r) * step, distance) - at_r
        )
        assert off <= Fraction(1, 3)
