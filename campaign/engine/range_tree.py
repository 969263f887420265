"""Exact searches by range among many hexes: trees of tight boxes, walked two at a time in whole arrays.

The points are sorted along a curve that keeps neighbours together (the bits of q, r and z
interleaved), so each cell of every size is one run of the order. For two cells the least and the
greatest squared distance follow from their boxes in q, r, q + r and z. A pair of cells that is
decided by these bounds is never opened; the smallest cells are single hexes, whose bounds are the
distance itself. So the answers are exact, and the work grows with the rim of the range instead of with the
number of pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from campaign.engine.hexes import Integers

Booleans = npt.NDArray[np.bool_]

_BITS = 20  # for each of q, r and z: three of them fit into 64 bits


class Level(NamedTuple):
    """The cells of one size: size is 2 to the ``shift``.

    ``first`` are the places in the sorted order at which each cell begins, and the number of points
    after them. ``children`` are the first cells of the next level, likewise. ``low`` and ``high`` are
    (4, cells) bounds.
    """

    shift: int
    first: Integers
    children: Integers
    low: Integers
    high: Integers

    def __len__(self) -> int:
        return len(self.first) - 1


class RangeTree:
    """A tree over (n, 3) places q, r, z; n is at least 1. ``order`` leads from the sorted order to the places."""

    __slots__ = ("levels", "order", "size")

    def __init__(self, places: Integers) -> None:
        codes = _codes(places)
        self.size = len(places)
        self.order: Integers = np.argsort(codes, kind="stable").astype(np.int64)
        sorted_codes, sorted_places = codes[self.order], places[self.order]
        q, r, z = sorted_places[:, 0], sorted_places[:, 1], sorted_places[:, 2]
        axes = np.stack((q, r, q + r, z))
        self.levels: list[Level] = self._levels(sorted_codes, axes)

    def _levels(self, codes: Integers, axes: Integers) -> list[Level]:
        """Return the levels from the single root down to single hexes, those that split nothing left out."""
        starts: list[tuple[int, Integers]] = []
        for shift in range(_BITS + 1):
            cells = codes >> (3 * shift)
            first = np.concatenate(([0], np.flatnonzero(cells[1:] != cells[:-1]) + 1)).astype(np.int64)
            if not starts or len(first) < len(starts[-1][1]):
                starts.append((shift, first))
            if len(first) == 1:
                break
        levels: list[Level] = []
        below: Integers | None = None
        low, high = axes, axes
        for shift, first in starts:
            if below is None:
                inner = first
            else:
                inner = np.searchsorted(below, first).astype(np.int64)
            low = np.minimum.reduceat(low, inner, axis=1)
            high = np.maximum.reduceat(high, inner, axis=1)
            ends = self.size if below is None else len(below)
            levels.append(Level(shift, np.append(first, self.size), np.append(inner, ends), low, high))
            below = first
        return levels[::-1]


class _Walk:
    """Pairs of cells of two trees that are still open, and the level reached in each."""

    __slots__ = ("cells", "level", "other_cells", "other_level", "others", "tree")

    def __init__(self, tree: RangeTree, others: RangeTree) -> None:
        self.tree, self.others = tree, others
        self.level = self.other_level = 0
        self.cells: Integers = np.zeros(1, dtype=np.int64)
        self.other_cells: Integers = np.zeros(1, dtype=np.int64)

    @property
    def here(self) -> Level:
        """Return the level reached in the first tree."""
        return self.tree.levels[self.level]

    @property
    def there(self) -> Level:
        """Return the level reached in the second tree."""
        return self.others.levels[self.other_level]

    def bounds(self) -> tuple[Integers, Integers]:
        """Return the least and the greatest squared distance of each open pair."""
        low, high = self.here.low[:, self.cells], self.here.high[:, self.cells]
        other_low, other_high = self.there.low[:, self.other_cells], self.there.high[:, self.other_cells]
        above, below = low - other_high, other_low - high
        gaps = np.maximum(np.maximum(above, below), 0)
        spans = np.maximum(-above, -below)
        plane, wide = gaps[:3].max(axis=0), spans[:3].max(axis=0)
        return plane * plane + gaps[3] * gaps[3], wide * wide + spans[3] * spans[3]

    def keep(self, which: Booleans) -> None:
        """Close the other pairs."""
        self.cells, self.other_cells = self.cells[which], self.other_cells[which]

    def opens_first_tree(self) -> bool:
        """Return whether the first tree's cells are the ones to open next: they are the larger."""
        if self.level == len(self.tree.levels) - 1:
            return False
        return self.other_level == len(self.others.levels) - 1 or self.here.shift >= self.there.shift

    def open(self) -> None:
        """Replace the larger cells of the open pairs by the cells within."""
        if self.opens_first_tree():
            repeated, self.cells = _within(self.here.children, self.cells)
            self.other_cells = self.other_cells[repeated]
            self.level += 1
        else:
            repeated, self.other_cells = _within(self.there.children, self.other_cells)
            self.cells = self.cells[repeated]
            self.other_level += 1


def seen(tree: RangeTree, others: RangeTree, limit: int) -> Booleans:
    """Return for each place of ``tree`` whether one of ``others`` is at a squared distance under ``limit``."""
    walk = _Walk(tree, others)
    known: Booleans = np.zeros(1, dtype=np.bool_)
    while len(walk.cells):
        least, greatest = walk.bounds()
        known[walk.cells[greatest < limit]] = True
        # What a decided bound leaves open ends here: at single hexes both bounds are the same.
        walk.keep((least < limit) & ~known[walk.cells])
        if len(walk.cells) and walk.opens_first_tree():
            known = np.repeat(known, np.diff(walk.here.children))
        if len(walk.cells):
            walk.open()
    answer: Booleans = np.zeros(tree.size, dtype=np.bool_)
    answer[tree.order] = np.repeat(known, np.diff(walk.here.first))
    return answer


def within_pairs(tree: RangeTree, others: RangeTree, limit: int) -> Integers:
    """Return the pairs at a squared distance under ``limit``, coded as index * number of others + other index."""
    walk = _Walk(tree, others)
    found: list[Integers] = [np.zeros(0, dtype=np.int64)]
    while len(walk.cells):
        least, greatest = walk.bounds()
        inside = greatest < limit
        found.append(_all_pairs(walk, inside))
        walk.keep((least < limit) & ~inside)
        if len(walk.cells):
            walk.open()
    return np.concatenate(found)


def nearest_pairs(tree: RangeTree, others: RangeTree) -> tuple[Integers, Integers]:
    """Return for each place the nearest other (the lowest index of equals) and the squared distance to it."""
    walk = _Walk(tree, others)
    best: Integers = np.full(1, np.iinfo(np.int64).max)
    while True:
        least, greatest = walk.bounds()
        np.minimum.at(best, walk.cells, greatest)
        walk.keep(least <= best[walk.cells])
        if walk.level == len(tree.levels) - 1 and walk.other_level == len(others.levels) - 1:
            break
        if walk.opens_first_tree():
            best = np.repeat(best, np.diff(walk.here.children))
        walk.open()
    # Every pair still open is one of two hexes at the least distance; of these the lowest index counts.
    lowest = np.minimum.reduceat(others.order, walk.there.first[:-1])
    chosen: Integers = np.full(len(walk.here), np.iinfo(np.int64).max)
    np.minimum.at(chosen, walk.cells, lowest[walk.other_cells])
    points = np.diff(walk.here.first)
    indices, squares = np.empty(tree.size, dtype=np.int64), np.empty(tree.size, dtype=np.int64)
    indices[tree.order], squares[tree.order] = np.repeat(chosen, points), np.repeat(best, points)
    return indices, squares


def _all_pairs(walk: _Walk, which: Booleans) -> Integers:
    """Return every pair of the points of these pairs of cells, coded."""
    first, other_first = walk.here.first, walk.there.first
    cells, other_cells = walk.cells[which], walk.other_cells[which]
    repeated, places = _within(first, cells)
    repeated, other_places = _within(other_first, other_cells[repeated])
    coded: Integers = walk.tree.order[places[repeated]] * walk.others.size + walk.others.order[other_places]
    return coded


def _within(first: Integers, cells: Integers) -> tuple[Integers, Integers]:
    """Return what lies within each cell, one after the other, and which entry of ``cells`` each belongs to."""
    begin = first[cells]
    counts = first[cells + 1] - begin
    repeated: Integers = np.repeat(np.arange(len(cells)), counts)
    before = np.cumsum(counts) - counts
    inner: Integers = np.arange(len(repeated)) - before[repeated] + begin[repeated]
    return repeated, inner


def _codes(places: Integers) -> Integers:
    """Return the interleaved bits of each place, counted from the lowest q, r and z."""
    code: Integers = np.zeros(len(places), dtype=np.int64)
    for axis in range(3):
        value = places[:, axis] - places[:, axis].min()
        if int(value.max()) >= 1 << _BITS:
            # Wider than the curve: the rank among the values keeps the order, and boxes stay true.
            value = np.unique(value, return_inverse=True)[1].reshape(-1)
        code |= _spread(value.astype(np.int64)) << axis
    return code


def _spread(value: Integers) -> Integers:
    """Return each value's bits with two empty ones after every bit."""
    value = (value | value << 32) & 0x1F00000000FFFF
    value = (value | value << 16) & 0x1F0000FF0000FF
    value = (value | value << 8) & 0x100F00F00F00F00F
    value = (value | value << 4) & 0x10C30C30C30C30C3
    return (value | value << 2) & 0x1249249249249249
