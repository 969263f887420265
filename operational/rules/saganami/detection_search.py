"""Which searches find which targets, for thousands of both at once (B5.141 to B5.145).

One die belongs to a search: the ship's one attempt, held against every target in its window with the
target's own ECM and range. So the dice of a turn hang on the orders alone and on nothing hidden. Pairs
are never looped over: per window the targets are cut to the strip in which its cone can reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import isqrt

import numpy as np

from campaign.engine.hexes import DIRECTIONS, Integers, ranges_squared, rotate
from campaign.rulebooks.saganami.bearings import RING_RATIO, RINGS, WINDOWS, are_in_window
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami import detection_ranges as ranges
from operational.rules.saganami.detection_ranges import Target
from operational.rules.saganami.detection_targets import Booleans, Targets

_STRIP = 16  # hexes of q in one strip of the sorted targets
_PAIRS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class Searches:
    """Columns of the searches: side, place, window (place in WINDOWS), drones, number to roll, die, own ECM."""

    side: Integers
    system: Integers
    q: Integers
    r: Integers
    z: Integers
    window: Integers
    drones: Integers
    number: Integers
    die: Integers
    ecm: Integers

    def __len__(self) -> int:
        return len(self.side)


@dataclass(frozen=True, slots=True)
class Finds:
    """What was found: search, target, and how many rows of the table were learnt (1 to 5), in that order."""

    search: Integers
    target: Integers
    rows: Integers


_NOTHING = np.zeros(0, dtype=np.int64)

_LIMITS = np.array(
    [[ranges.detection_hexes(ranges.ROW_HEXES[row], kind) for kind in Target] for row in ranges.ROWS], dtype=np.int64
)
_STARTS = np.array(
    [ranges.LAC_PENALTY_STARTS if kind.is_lac else ranges.PENALTY_STARTS for kind in Target], dtype=np.int64
)

# Corners of the cones on the map, in quarters of their length, for direction A and for A/B.
_EDGE_CORNERS = ((0, 0), (1, 3), (0, 4), (-1, 4))
_CORNER_CORNERS = ((0, 0), (1, 3), (3, 1))
_GREEN_CORNERS = ((0, 0), (2, 2), (0, 4), (-2, 4))
_ROUND = ((4, 0), (0, 4), (4, -4), (-4, 0), (0, -4), (-4, 4))


def _map_bounds(window: str) -> tuple[int, int, int, int]:
    """Return the least and greatest q, and r, of a window's cone on the map, in quarters of its length."""
    corners: tuple[tuple[int, int], ...] = _ROUND
    if window not in RINGS:
        column, ring = window.split()
        shape = _CORNER_CORNERS if "/" in column else _GREEN_CORNERS if ring.startswith("green") else _EDGE_CORNERS
        corners = tuple(rotate(q, r, DIRECTIONS.index(column[0])) for q, r in shape)
    return (
        min(q for q, _ in corners),
        max(q for q, _ in corners),
        min(r for _, r in corners),
        max(r for _, r in corners),
    )


_MAP_BOUNDS = tuple(_map_bounds(window) for window in WINDOWS)


def _map_length(window: str, reach: Integers) -> Integers:
    """Return how many hexes on the map a target in a window can be away, if it is within reach in space."""
    if window.startswith("purple"):
        return reach // RING_RATIO
    if "green" in window:
        # hexes < altitude, so twice the squared hexes are less than the squared range
        return np.array([isqrt((each + 1) ** 2 // 2) for each in range(int(reach.max()) + 1)], dtype=np.int64)[reach]
    return reach


class _Strips:
    """The targets sorted by system, strip of q, and r: what lies in a box is a few runs of the order."""

    def __init__(self, targets: Targets) -> None:
        self.low_q, self.low_r = int(targets.q.min()), int(targets.r.min())
        self.strips = (int(targets.q.max()) - self.low_q) // _STRIP + 1
        self.span = int(targets.r.max()) - self.low_r + 1
        strip = targets.system * self.strips + (targets.q - self.low_q) // _STRIP
        keys = strip * self.span + (targets.r - self.low_r)
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]

    def runs(
        self, system: Integers, low_q: Integers, high_q: Integers, low_r: Integers, high_r: Integers
    ) -> tuple[Integers, Integers, Integers]:
        """Return the runs of the order inside boxes: index of the box, first and last place + 1."""
        first = np.clip((low_q - self.low_q) // _STRIP, 0, self.strips)
        last = np.clip((high_q - self.low_q) // _STRIP, -1, self.strips - 1)
        least = np.clip(low_r - self.low_r, 0, self.span)
        most = np.clip(high_r - self.low_r, -1, self.span - 1)
        count = np.where(least <= most, np.maximum(last - first + 1, 0), 0)
        box = np.repeat(np.arange(len(count)), count)
        strip = (system * self.strips + first)[box] + _counting(count)
        begin = np.searchsorted(self.keys, strip * self.span + least[box], side="left")
        end = np.searchsorted(self.keys, strip * self.span + most[box], side="right")
        filled = end > begin
        return box[filled], begin[filled], end[filled]


def _counting(count: Integers) -> Integers:
    """Return 0, 1, ... count-1 for each count, one after the other."""
    ends = np.cumsum(count)
    found: Integers = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - count, count)
    return found


@rule("B5.141", "B5.142", "B5.144", "B5.145")
def find(searches: Searches, targets: Targets, hostile: Booleans) -> Finds:
    """Return everything the searches find. ``hostile[a, b]``: side a looks for side b.

    A target in the searcher's own hex and altitude fills every window.
    """
    margin = searches.number - searches.die
    kept = np.flatnonzero(margin >= 0)
    if not len(kept) or not len(targets):
        return Finds(_NOTHING, _NOTHING, _NOTHING)
    farthest = ranges.farthest_reach()
    reach = np.minimum(farthest, ranges.PENALTY_STARTS + ranges.PENALTY_STEP * (margin + 1) - 1)
    reach = reach + ranges.DRONE_HEXES * searches.drones
    strips = _Strips(targets)
    found: list[tuple[Integers, Integers, Integers]] = []
    windows = searches.window[kept]
    for window in np.unique(windows).tolist():
        those = kept[windows == window]
        low_q, high_q, low_r, high_r = _MAP_BOUNDS[window]
        length = _map_length(WINDOWS[window], reach[those])
        q, r = searches.q[those], searches.r[those]
        box, begin, end = strips.runs(
            searches.system[those],
            q + low_q * length // 4,
            q - (-high_q * length // 4),
            r + low_r * length // 4,
            r - (-high_r * length // 4),
        )
        for part in _parts(end - begin):
            size = (end - begin)[part]
            search = np.repeat(those[box[part]], size)
            target = strips.order[np.repeat(begin[part], size) + _counting(size)]
            found.append(_checked(searches, targets, hostile, window, search, target))
    if not found:
        return Finds(_NOTHING, _NOTHING, _NOTHING)
    search, target, rows = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((target, search))
    return Finds(search[order], target[order], rows[order])


def _parts(sizes: Integers) -> list[slice]:
    """Return slices of runs that hold about a million pairs each."""
    if not len(sizes):
        return []
    piece = np.cumsum(sizes) // _PAIRS_AT_ONCE
    edges = [0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), len(sizes)]
    return [slice(first, last) for first, last in pairwise(edges)]


def _checked(
    searches: Searches, targets: Targets, hostile: Booleans, window: int, search: Integers, target: Integers
) -> tuple[Integers, Integers, Integers]:
    """Return the pairs of one window in which the search passes its check, and the rows it learns."""
    dq = targets.q[target] - searches.q[search]
    dr = targets.r[target] - searches.r[search]
    dz = targets.z[target] - searches.z[search]
    here = (dq == 0) & (dr == 0) & (dz == 0)
    inside = (are_in_window(window, dq, dr, dz) | here) & hostile[searches.side[search], targets.side[target]]
    search, target, dq, dr, dz = search[inside], target[inside], dq[inside], dr[inside], dz[inside]
    # whole squares below 2 to the 52 have exact roots as floats, so the floor is exact
    hexes = np.sqrt(ranges_squared(dq, dr, dz)).astype(np.int64)
    hexes = np.maximum(0, hexes - ranges.DRONE_HEXES * searches.drones[search])
    kind = targets.kind[target]
    penalty = np.maximum(0, hexes - _STARTS[kind]) // ranges.PENALTY_STEP
    disadvantage = np.maximum(0, targets.ecm[target] - searches.ecm[search])
    passed = searches.die[search] + penalty + disadvantage <= searches.number[search]
    rows = (hexes <= _LIMITS[:, kind]).sum(axis=0)
    learnt = passed & (rows > 0)
    return search[learnt], target[learnt], rows[learnt]
