"""Approaches within a turn, meetings of opposing groups, and searches by range, against plain brute force."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.hexes import Hex, distance_in_plane, ranges_squared, true_range
from campaign.engine.proximity import (
    Approach,
    closest_approach,
    meeting,
    meeting_candidates,
    meetings,
    nearest,
    pairs_within,
    position_at,
    seen_by_any,
    steps_of,
)

Integers = npt.NDArray[np.int64]

REACH = 5
FINE = 20_000

place = st.integers(-130, 130)
change = st.integers(-120, 120)
level = st.integers(-30, 30)
hexes = st.builds(Hex, place, place, level)
moves = st.builds(Hex, change, change, level)


@st.composite
def passes(draw: st.DrawFn) -> tuple[Hex, Hex, Hex, Hex]:
    """Return two moves (start and end, start and end) that come close to each other at some time of the turn."""
    start, move, other_move = draw(hexes), draw(moves), draw(moves)
    tenths = draw(st.integers(0, 10))
    off = draw(st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9), st.integers(-7, 7)))
    rate = move.less(other_move)
    other = start.less(off).moved(*(part * tenths // 10 for part in rate))
    return start, start.moved(*move), other, other.moved(*other_move)


clouds = st.lists(st.tuples(st.integers(-60, 60), st.integers(-60, 60), st.integers(-9, 9)), min_size=1, max_size=40)


def squares_along(start: Hex, end: Hex, other_start: Hex, other_end: Hex, steps: int) -> Integers:
    """Return the squared distances at every step of a turn, times the square of the steps."""
    first = start.less(other_start)
    move = end.less(other_end).less(first)
    step = np.arange(steps + 1)
    return ranges_squared(*(away * steps + rate * step for away, rate in zip(first, move, strict=True)))


def all_squares(points: Integers, others: Integers) -> Integers:
    """Return the squared distance of every point to every other."""
    steps = points[:, None, :] - others[None, :, :]
    return ranges_squared(steps[..., 0], steps[..., 1], steps[..., 2])


def test_two_that_pass_meet_at_the_first_step_within_reach() -> None:
    """Head on over 100 hexes at 60 each: 120 steps of one hex, and range 5 after the 95th."""
    approach = meeting(Hex(0, 0), Hex(0, 60), Hex(0, 100), Hex(0, 40), REACH)
    assert approach == Approach(95, 120, 5)
    assert approach.time == Fraction(95, 120)


def test_two_that_are_near_already_meet_at_once() -> None:
    """Step 0, however they move on."""
    assert meeting(Hex(0, 0), Hex(50, 0), Hex(3, 0), Hex(3, 0), REACH) == Approach(0, 1, 3)
    assert meeting(Hex(0, 0), Hex(0, 0), Hex(5, 0), Hex(5, 0), REACH) == Approach(0, 1, 5)


def test_two_at_rest_beyond_reach_never_meet() -> None:
    """Range 6 is not 5."""
    assert meeting(Hex(0, 0), Hex(0, 0), Hex(6, 0), Hex(6, 0), REACH) is None


def test_two_that_part_never_meet() -> None:
    """The closest approach is the start."""
    assert meeting(Hex(0, 0), Hex(0, -30), Hex(0, 7), Hex(0, 40), REACH) is None
    assert closest_approach(Hex(0, 0), Hex(0, -30), Hex(0, 7), Hex(0, 40)) == Approach(0, 1, 7)


def test_altitude_keeps_two_apart() -> None:
    """They cross on the map, six levels from each other."""
    assert meeting(Hex(0, 0, 6), Hex(0, 20, 6), Hex(0, 20), Hex(0, 0), REACH) is None
    assert meeting(Hex(0, 0, 5), Hex(0, 20, 5), Hex(0, 20), Hex(0, 0), REACH) == Approach(17, 40, 5)


def test_a_step_is_at_most_one_hex_in_space() -> None:
    """Three on the map and four up are five steps; a little more makes six; rest is one."""
    assert steps_of(Hex(0, 3, 4)) == 5
    assert steps_of(Hex(0, 3, 5)) == 6
    assert steps_of(Hex(0, 0, 0)) == 1


def test_paths_that_only_graze_between_two_steps_are_not_missed() -> None:
    """At no step of the turn are they within range 5, between two of them they are: the closest moment counts."""
    start, end, other = Hex(6, -1, 0), Hex(5, 2, 1), Hex(0, 0, 0)
    grazing = 0
    for q in range(-8, 9):
        for r in range(-8, 9):
            for z in (0, 1, 2, 3):
                first, last = start.moved(0, 0, z), end.moved(q, r, z)
                steps = steps_of(last.less(first))
                squares = squares_along(first, last, other, other, steps)
                closest = closest_approach(first, last, other, other)
                if (squares >= 36 * steps * steps).all() and closest.range <= REACH:
                    grazing += 1
                    assert meeting(first, last, other, other, REACH) == closest
    assert grazing > 3


@settings(max_examples=300)
@given(passes())
def test_no_pair_that_passes_within_reach_is_missed(ways: tuple[Hex, Hex, Hex, Hex]) -> None:
    """Against a path of 20,000 steps, at speeds to 120 each: near on it means a meeting, and a meeting is near."""
    start, end, other, other_end = ways
    lowest = int(squares_along(start, end, other, other_end, FINE).min())
    approach = meeting(start, end, other, other_end, REACH)
    closest = closest_approach(start, end, other, other_end)
    if lowest < 36 * FINE * FINE:
        assert approach is not None
    if approach is None:
        assert closest.range > REACH
    else:
        assert approach.range <= REACH
        assert closest.range <= approach.range


@settings(max_examples=300)
@given(passes(), st.integers(0, 60))
def test_a_meeting_is_the_first_step_of_all_that_are_within_reach(ways: tuple[Hex, Hex, Hex, Hex], reach: int) -> None:
    """Halving finds what trying every step in turn finds."""
    start, end, other, other_end = ways
    steps = steps_of(end.less(other_end).less(start.less(other)))
    near = np.flatnonzero(squares_along(start, end, other, other_end, steps) < (reach + 1) ** 2 * steps * steps)
    approach = meeting(start, end, other, other_end, reach)
    if len(near):
        assert approach is not None
        assert approach.time == Fraction(int(near[0]), steps)
    elif approach is not None:
        assert approach == closest_approach(start, end, other, other_end)


@settings(max_examples=300)
@given(passes())
def test_the_closest_approach_is_closer_than_any_step(ways: tuple[Hex, Hex, Hex, Hex]) -> None:
    """No step of a fine path is closer, and one of its steps comes as near as a step can change."""
    start, end, other, other_end = ways
    squares = squares_along(start, end, other, other_end, FINE)
    closest = closest_approach(start, end, other, other_end)
    exact = Fraction(int(squares_along(start, end, other, other_end, closest.steps)[closest.step]), closest.steps**2)
    lowest = Fraction(int(squares.min()), FINE**2)
    assert exact <= lowest
    step = steps_of(end.less(other_end).less(start.less(other))) / FINE
    assert float(lowest) ** 0.5 - float(exact) ** 0.5 <= step
    assert closest.range**2 <= exact < (closest.range + 1) ** 2


@settings(max_examples=300)
@given(passes())
def test_a_meeting_looks_the_same_from_both_sides(ways: tuple[Hex, Hex, Hex, Hex]) -> None:
    """The order of the two is nothing."""
    start, end, other, other_end = ways
    assert meeting(start, end, other, other_end, REACH) == meeting(other, other_end, start, end, REACH)


@given(hexes, moves, st.integers(1, 200))
def test_a_place_on_a_path_is_near_its_exact_point(start: Hex, move: Hex, steps: int) -> None:
    """From the start to the end, never more than a hex and half a level off."""
    end = start.moved(*move)
    assert position_at(start, end, 0, steps) == start
    assert position_at(start, end, steps, steps) == end
    for step in range(0, steps, 7):
        here = position_at(start, end, step, steps)
        off = [steps * (a - b) - step * c for a, b, c in zip(here, start, move, strict=True)]
        assert distance_in_plane(off[0], off[1]) <= steps
        assert 2 * abs(off[2]) <= steps


def test_groups_meet_only_with_others() -> None:
    """Two of one side in one hex are no meeting; indices come smaller first, moments in order."""
    groups = np.array([2, 1, 1, 2])
    start = np.array([[0, 0, 0], [0, 9, 0], [0, 9, 0], [0, 200, 0]])
    end = np.array([[0, 0, 0], [0, 0, 0], [0, 5, 0], [0, 200, 0]])
    assert meetings(groups, start, end, REACH) == [(0, 1, Approach(4, 9, 5)), (0, 2, Approach(4, 4, 5))]


def test_nobody_meets_where_there_is_nobody_or_one_side_only() -> None:
    """Empty arrays are answers too."""
    nobody = np.zeros((0, 3), dtype=np.int64)
    assert meetings(np.zeros(0, dtype=np.int64), nobody, nobody, REACH) == []
    two = np.zeros((2, 3), dtype=np.int64)
    assert meetings(np.array([1, 1]), two, two, REACH) == []
    assert meeting_candidates(np.array([1, 1]), two, two, REACH).shape == (0, 2)


@pytest.mark.parametrize("seed", range(25))
def test_the_search_finds_every_meeting_that_trying_all_pairs_finds(seed: int) -> None:
    """Two to five sides, crowds and wide maps, slow and fast."""
    draw = np.random.default_rng(seed)
    count, width, fastest = int(draw.integers(2, 90)), int(draw.integers(5, 400)), int(draw.integers(0, 121))
    groups = draw.integers(0, draw.integers(1, 6), count)
    start = draw.integers(-width, width + 1, (count, 3))
    end = start + draw.integers(-fastest, fastest + 1, (count, 3))
    ways = [(Hex(*a), Hex(*b)) for a, b in zip(start.tolist(), end.tolist(), strict=True)]
    expected = {}
    for one in range(count):
        for two in range(one + 1, count):
            approach = meeting(*ways[one], *ways[two], REACH)
            if groups[one] != groups[two] and approach is not None:
                expected[one, two] = approach
    found = meetings(groups, start, end, REACH)
    assert {(one, two): approach for one, two, approach in found} == expected
    assert [entry[2].time for entry in found] == sorted(approach.time for approach in expected.values())


def test_ten_thousand_movers_leave_few_candidates() -> None:
    """Of 25 million opposing pairs at speeds to 40, the candidates are at most twice those that meet."""
    draw = np.random.default_rng(1)
    groups = draw.integers(0, 2, 10_000)
    start = np.column_stack((draw.integers(-400, 401, (10_000, 2)), draw.integers(-20, 21, 10_000)))
    end = start + np.column_stack((draw.integers(-20, 21, (10_000, 2)), draw.integers(-2, 3, 10_000)))
    candidates = meeting_candidates(groups, start, end, REACH)
    assert len(meetings(groups, start, end, REACH)) <= len(candidates) <= 2 * len(meetings(groups, start, end, REACH))


@given(clouds, clouds, st.integers(0, 70))
def test_searches_by_range_agree_with_trying_all_pairs(
    first: list[tuple[int, int, int]], second: list[tuple[int, int, int]], reach: int
) -> None:
    """Who is seen, which pairs are within reach, and which other is nearest."""
    points, others = np.array(first), np.array(second)
    squares = all_squares(points, others)
    near = squares < (reach + 1) ** 2
    assert seen_by_any(points, others, reach).tolist() == near.any(axis=1).tolist()
    assert pairs_within(points, others, reach).tolist() == np.argwhere(near).tolist()
    indices, ranges = nearest(points, others)
    assert indices.tolist() == squares.argmin(axis=1).tolist()
    assert ranges.tolist() == squares.min(axis=1).tolist()


@pytest.mark.parametrize("spread", [0, 3, 2**19, 2**22, 2**27])
def test_searches_work_at_any_width_of_the_map(spread: int) -> None:
    """From all in one hex to hundreds of millions of hexes apart."""
    draw = np.random.default_rng(spread)
    points, others = draw.integers(-spread, spread + 1, (60, 3)), draw.integers(-spread, spread + 1, (70, 3))
    others[:20] = points[:20] + draw.integers(-4, 5, (20, 3))
    squares = all_squares(points, others)
    assert seen_by_any(points, others, 5).tolist() == (squares < 36).any(axis=1).tolist()
    assert pairs_within(points, others, 5).tolist() == np.argwhere(squares < 36).tolist()
    assert nearest(points, others)[0].tolist() == squares.argmin(axis=1).tolist()


def test_the_edge_of_a_range_is_exact() -> None:
    """120.99 hexes is range 120 and seen; 121 is not."""
    sensors = np.array([[0, 0, 0]])
    targets = np.array([[0, 120, 0], [0, 120, 15], [0, 120, 16], [121, 0, 0], [60, 60, 0], [-60, -61, 0]])
    assert [true_range(*target) for target in targets.tolist()] == [120, 120, 121, 121, 120, 121]
    assert seen_by_any(targets, sensors, 120).tolist() == [True, True, False, False, True, False]


def test_nobody_sees_and_nobody_is_seen_where_there_is_nobody() -> None:
    """Empty arrays, and a reach below nothing."""
    none, one = np.zeros((0, 3), dtype=np.int64), np.zeros((1, 3), dtype=np.int64)
    assert seen_by_any(none, one, 5).tolist() == []
    assert seen_by_any(one, none, 5).tolist() == [False]
    assert seen_by_any(one, one, -1).tolist() == [False]
    assert seen_by_any(one, one, 0).tolist() == [True]
    assert pairs_within(one, none, 5).shape == pairs_within(none, one, 5).shape == (0, 2)
    assert nearest(none, one)[0].tolist() == []


def test_ten_thousand_by_ten_thousand_are_seen_as_by_comparing_every_pair() -> None:
    """Crowded, apart at the rim of the range, and wide: one target in ten is compared with every sensor."""
    draw = np.random.default_rng(3)

    def cloud(width: int, height: int, away: int = 0) -> Integers:
        plane = draw.integers(-width, width + 1, (10_000, 2)) + np.array([away, 0])
        return np.column_stack((plane, draw.integers(-height, height + 1, 10_000)))

    for targets, sensors in (
        (cloud(400, 20), cloud(400, 20)),
        (cloud(60, 20), cloud(60, 20, 180)),
        (cloud(4000, 20), cloud(4000, 20)),
    ):
        seen = seen_by_any(targets, sensors, 120)
        plain = (all_squares(targets[::10], sensors) < 121**2).any(axis=1)
        assert seen[::10].tolist() == plain.tolist()
