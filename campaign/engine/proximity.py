"""Who comes near whom: approaches within one turn, meetings of opposing groups, and searches by range.

Everything that decides is exact. A distance is that of ``hexes.squared_range``, which is a norm, so it
is convex along a straight path; the searches prune with the integer bounds of boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from campaign.engine.hexes import Hex, Integers, round_hex
from campaign.engine.range_tree import RangeTree, nearest_pairs, seen, within_pairs

Booleans = npt.NDArray[np.bool_]

_SLICES_AT_MOST = 64


class Approach(NamedTuple):
    """A moment of a turn, ``step`` of ``steps`` (0 of n is its start, n of n its end), and the range then in hexes."""

    step: int
    steps: int
    range: int

    @property
    def time(self) -> Fraction:
        """Return the share of the turn that has passed, 0 to 1."""
        return Fraction(self.step, self.steps)


def steps_of(move: Hex) -> int:
    """Return the fewest equal steps, at least one, that split a relative motion so that none is over one hex."""
    q, r, z = move
    plane = max(abs(q), abs(r), abs(q + r))
    squared = plane * plane + z * z
    root = isqrt(squared)
    return max(1, root + (root * root < squared))


def meeting(start: Hex, end: Hex, other_start: Hex, other_end: Hex, reach: int) -> Approach | None:
    """Return the first moment of a turn at which two straight paths are within ``reach`` hexes, or None.

    The turn is taken in equal steps of at most one hex of relative motion. If the paths come within
    reach only between two steps (they graze), the moment of the closest approach counts; so no
    meeting is missed, however fast the two are.
    """
    first = start.less(other_start)
    move = end.less(other_end).less(first)
    limit = (reach + 1) ** 2
    if _scaled_square(first, move, 0, 1) < limit:
        return Approach(0, 1, isqrt(_scaled_square(first, move, 0, 1)))
    closest = _time_of_closest(first, move)
    if not _is_near(first, move, closest.numerator, closest.denominator, limit):
        return None
    steps = steps_of(move)
    # Up to the closest approach the distance only falls, so the first step within reach can be halved for.
    low, high = 0, steps * closest.numerator // closest.denominator
    if _is_near(first, move, high, steps, limit):
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if _is_near(first, move, middle, steps, limit) else (middle, high)
        return _approach(first, move, high, steps)
    if high < steps and _is_near(first, move, high + 1, steps, limit):
        return _approach(first, move, high + 1, steps)
    return _approach(first, move, closest.numerator, closest.denominator)


def closest_approach(start: Hex, end: Hex, other_start: Hex, other_end: Hex) -> Approach:
    """Return the first moment of a turn at which two straight paths are closest, exactly, and the range then."""
    first = start.less(other_start)
    move = end.less(other_end).less(first)
    closest = _time_of_closest(first, move)
    return _approach(first, move, closest.numerator, closest.denominator)


def position_at(start: Hex, end: Hex, step: int, steps: int) -> Hex:
    """Return the hex (and level) nearest to a straight path's point at ``step`` of ``steps``."""
    share = Fraction(step, steps)
    q, r = round_hex(start.q + share * (end.q - start.q), start.r + share * (end.r - start.r))
    level = 2 * (start.z + share * (end.z - start.z)) + 1
    return Hex(q, r, level.numerator // (2 * level.denominator))


def meeting_candidates(groups: Integers, start: Integers, end: Integers, reach: int) -> Integers:
    """Return the pairs of movers of different groups that may come within ``reach`` hexes during a turn.

    ``groups`` is (n,), ``start`` and ``end`` are (n, 3) arrays of q, r, z. The answer is (k, 2), the
    smaller index first, in order. It holds every pair for which ``meeting`` finds one, and few others.
    """
    groups, start, end = np.asarray(groups), _points(start), _points(end)
    move = end - start
    length = _longest(move)
    slices = min(_SLICES_AT_MOST, max(1, -(-length // (2 * (reach + 1)))))
    # In a slice a mover is at most half of its slice's path away from where it is in the middle of it;
    # rounding that place down costs less than 2 hexes and 1 level, for both less than 5 in all.
    slack = reach + 1 + -(-length // slices) + 5
    found = []
    for each in range(slices):
        middle = (start * (2 * slices) + move * (2 * each + 1)) // (2 * slices)
        found.append(_opposing_pairs(groups, middle, slack))
    coded = np.unique(np.concatenate(found))
    pairs: Integers = np.stack(np.divmod(coded, max(len(groups), 1)), axis=1)
    return pairs[_paths_cross(start, move, pairs, reach)]


def meetings(groups: Integers, start: Integers, end: Integers, reach: int) -> list[tuple[int, int, Approach]]:
    """Return every pair of movers of different groups that come within ``reach``, with the first moment.

    Arrays as in ``meeting_candidates``. In order of the moment, then of the two indices.
    """
    found = []
    starts = [Hex(*place) for place in _points(start).tolist()]
    ends = [Hex(*place) for place in _points(end).tolist()]
    for one, other in meeting_candidates(groups, start, end, reach).tolist():
        approach = meeting(starts[one], ends[one], starts[other], ends[other], reach)
        if approach is not None:
            found.append((one, other, approach))
    return sorted(found, key=lambda entry: (entry[2].time, entry[0], entry[1]))


def seen_by_any(targets: Integers, sensors: Integers, reach: int) -> Booleans:
    """Return for each target whether any sensor is within ``reach`` hexes.

    ``targets`` is (n, 3), ``sensors`` (m, 3): arrays of q, r, z. The answer is (n,).
    """
    targets, sensors = _points(targets), _points(sensors)
    if reach < 0 or not len(targets) or not len(sensors):
        return np.zeros(len(targets), dtype=np.bool_)
    return seen(RangeTree(targets), RangeTree(sensors), (reach + 1) ** 2)


def pairs_within(points: Integers, others: Integers, reach: int) -> Integers:
    """Return the pairs of a point and another within ``reach`` hexes: (k, 2) indices, in order.

    ``points`` is (n, 3), ``others`` (m, 3): arrays of q, r, z.
    """
    points, others = _points(points), _points(others)
    if reach < 0 or not len(points) or not len(others):
        return np.zeros((0, 2), dtype=np.int64)
    coded = np.sort(within_pairs(RangeTree(points), RangeTree(others), (reach + 1) ** 2))
    return np.stack(np.divmod(coded, len(others)), axis=1)


def nearest(points: Integers, others: Integers) -> tuple[Integers, Integers]:
    """Return for each point the index of the nearest other, the lowest of equals, and the squared range to it.

    ``points`` is (n, 3), ``others`` (m, 3) with m at least 1: arrays of q, r, z. Both answers are (n,).
    """
    points, others = _points(points), _points(others)
    if not len(points):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return nearest_pairs(RangeTree(points), RangeTree(others))


def _opposing_pairs(groups: Integers, places: Integers, reach: int) -> Integers:
    """Return the pairs of different groups within reach, each coded as smaller index * n + larger."""
    found = [np.zeros(0, dtype=np.int64)]
    for ours, theirs in _opposing(groups):
        pairs = pairs_within(places[ours], places[theirs], reach)
        one, other = ours[pairs[:, 0]], theirs[pairs[:, 1]]
        found.append(np.minimum(one, other) * len(groups) + np.maximum(one, other))
    return np.concatenate(found)


def _opposing(groups: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield for each group but the last the indices of its members, and of all later groups' members."""
    for group in np.unique(groups)[:-1]:
        yield np.flatnonzero(groups == group), np.flatnonzero(groups > group)


def _paths_cross(start: Integers, move: Integers, pairs: Integers, reach: int) -> Booleans:
    """Return which pairs are, at one time, less than reach + 1 apart on every axis (with a little to spare)."""
    first, other = pairs[:, 0], pairs[:, 1]
    away = (start[first] - start[other]).astype(np.float64)
    rate = (move[first] - move[other]).astype(np.float64)
    away = np.column_stack((away, away[:, 0] + away[:, 1]))
    rate = np.column_stack((rate, rate[:, 0] + rate[:, 1]))
    wide = reach + 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        enters, leaves = (-wide - away) / rate, (wide - away) / rate
    rests = rate == 0
    near = np.abs(away) < wide
    earliest = np.where(rests, np.where(near, 0.0, 2.0), np.minimum(enters, leaves))
    latest = np.where(rests, np.where(near, 1.0, -1.0), np.maximum(enters, leaves))
    crosses: Booleans = np.maximum(earliest.max(axis=1), 0.0) <= np.minimum(latest.min(axis=1), 1.0) + 1e-9
    return crosses


def _points(places: Integers) -> Integers:
    """Return an array of places as (n, 3) 64-bit integers."""
    return np.asarray(places, dtype=np.int64).reshape(-1, 3)


def _longest(move: Integers) -> int:
    """Return the length of the longest move, its fraction counted up."""
    if not len(move):
        return 0
    q, r, z = (np.abs(part) for part in (move[:, 0], move[:, 1], move[:, 2]))
    plane = np.maximum(np.maximum(q, r), np.abs(move[:, 0] + move[:, 1]))
    return isqrt(int((plane * plane + z * z).max())) + 1


def _scaled_square(first: Hex, move: Hex, step: int, steps: int) -> int:
    """Return the squared distance at ``step`` of ``steps``, times ``steps`` squared."""
    q = first.q * steps + move.q * step
    r = first.r * steps + move.r * step
    z = first.z * steps + move.z * step
    plane = max(abs(q), abs(r), abs(q + r))
    return plane * plane + z * z


def _is_near(first: Hex, move: Hex, step: int, steps: int, limit: int) -> bool:
    return _scaled_square(first, move, step, steps) < limit * steps * steps


def _approach(first: Hex, move: Hex, step: int, steps: int) -> Approach:
    return Approach(step, steps, isqrt(_scaled_square(first, move, step, steps)) // steps)


def _time_of_closest(first: Hex, move: Hex) -> Fraction:
    """Return the first time, 0 to 1, at which the distance is least.

    The hexes on the map are the largest of three linear amounts, so between the times at which two of
    them change places the squared distance is one parabola: it is least at one of these times or at
    the bottom of a parabola.
    """
    lines = ((first.q, move.q), (first.r, move.r), (-first.q - first.r, -move.q - move.r))
    turning = {Fraction(0), Fraction(1)}
    for index, (away, rate) in enumerate(lines):
        other_away, other_rate = lines[(index + 1) % 3]
        turning.update(_zero(away, rate))
        turning.update(_zero(away - other_away, rate - other_rate))
    for away, rate in lines:
        weight = rate * rate + move.z * move.z
        if weight:
            bottom = Fraction(-(away * rate + first.z * move.z), weight)
            if 0 < bottom < 1:
                turning.add(bottom)

    def squared(time: Fraction) -> tuple[Fraction, Fraction]:
        scaled = _scaled_square(first, move, time.numerator, time.denominator)
        return Fraction(scaled, time.denominator**2), time

    return min(turning, key=squared)


def _zero(away: int, rate: int) -> tuple[Fraction, ...]:
    """Return the time between 0 and 1 at which a linear amount is nothing, if there is one."""
    if rate and 0 < Fraction(-away, rate) < 1:
        return (Fraction(-away, rate),)
    return ()
