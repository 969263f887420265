"""What a thrust rating can still reach in so many turns: the bounds that make the course search exact and quick.

A turn's change of velocity made with ``k`` turns still to fly after it moves a force by ``k`` times the
change and by the turn's displacement. Along a direction (a *way*) and for any weight of the final
velocity, no plan gets further than the sum over the turns of the best that a turn can do there; a target
outside one such bound cannot be reached, whatever the plan. Inside all of them it nearly always can.

With an average engineer half hexes are carried: a plan's displacement is half of all changes, less half
a hex for every half that is lost. A half lost on the way back is a gain, so the bounds count how often
one can be lost, by the directions of each turn's thrust and the next one's.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from campaign.engine.hexes import LETTERS, STEP, Integers
from campaign.engine.vectors import from_axial
from campaign.rulebooks.saganami.grades import ENGINEER_HALVES, Grade
from campaign.rulebooks.saganami.movement import legal_changes
from campaign.rulebooks.saganami.source import rule

Floats = NDArray[np.float64]
STEPS: Integers = np.array([STEP[letter] for letter in LETTERS], dtype=np.int64)
BITS: Integers = 1 << np.arange(len(LETTERS), dtype=np.int64)
EDGES = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))  # weights of q and r: edges of the hexagon of changes
CORNERS = ((1, 2), (2, 1), (1, -1), (-1, -2), (-2, -1), (-1, 1))  # and its corners, twice as long
CARRIED, NONE = "carried", "none"
MOST_CHANGES = 3000  # so many changes of a turn are all followed: thrust 8; of more, so many spread over them all ...
MOST_PAIRS = 150_000  # ... and so many pairs of changes for the last two turns
DEEP = 24  # turns before the end in which lost halves are counted exactly


@rule("B3.27", "B3.271", "B3.272")
def displacements(letters: Integers, carry: Integers | int, halves: str) -> tuple[Integers, Integers]:
    """Return the displacements (n, 3) and carried halves (n, as bits of LETTERS) of many changes at once.

    ``letters`` is (n, 8), each change by direction; ``carry`` the halves carried into the turn, for all or for
    each. ``halves`` is "carried", "lost", "rounded-up", or "none" for play without displacement.
    """
    nothing = np.zeros(len(letters), dtype=np.int64)
    if halves == NONE:
        return np.zeros((len(letters), 3), dtype=np.int64), nothing
    if halves == "lost":
        return (letters // 2) @ STEPS, nothing
    held: Integers = np.asarray(carry, dtype=np.int64).reshape(-1, 1) & BITS
    doubled = letters + ((held > 0) & (letters > 0))
    if halves == "rounded-up":
        return ((doubled + 1) // 2) @ STEPS, nothing
    return (doubled // 2) @ STEPS, (doubled % 2) @ BITS


class Reach:
    """Everything a thrust rating can do in a turn, and how far it gets in several.

    ``changes`` (n, 3) and ``letters`` (n, 8) are the legal changes; ``ways`` (u, 3) the directions of the
    bounds, ``speeds`` (u,) the most of a change along each. ``tried`` (m,) are the rows of the changes that a
    search follows, ``is_whole`` whether they are all of them, ``along`` (m, u) each of these along each way.
    ``share`` is the part of its own turn that a change counts for: a half with displacement, else nothing.
    """

    def __init__(self, thrust: int, engineer: Grade, is_displaced: bool, is_level: bool) -> None:
        changes: Integers = np.array(legal_changes(thrust), dtype=np.int64)
        self.changes = changes[changes[:, 2] == 0] if is_level else changes
        listed = [from_axial(*each) for each in self.changes.tolist()]
        self.letters: Integers = np.array([[each.get(letter, 0) for letter in LETTERS] for each in listed])
        self.ways = _ways(thrust, is_level)
        self.halves = str(ENGINEER_HALVES[engineer]) if is_displaced else NONE
        self.share = 0.5 if is_displaced else 0.0
        self.tried = _spread(self.changes, self.ways)
        self.is_whole = len(self.tried) == len(self.changes)
        self.along: Floats = self.changes[self.tried] @ self.ways.T
        self.speeds: Floats = self.along.max(axis=0)
        self._toward: Floats = STEPS @ self.ways.T
        self._moves: dict[int, tuple[Integers, Integers, Floats]] = {}
        self._landings: dict[tuple[int, tuple[int, int, int] | None], tuple[Integers, Integers, Integers]] = {}
        self._thrust = thrust
        self._row_of = np.full((2 * thrust + 1,) * 3, -1, dtype=np.int64)
        self._row_of[tuple((self.changes + thrust).T)] = np.arange(len(self.changes))
        self._turns = 0
        self._passing = self._resting = np.zeros((0, 0))
        self._sums = np.zeros((0, 0, 0))

    def moves(self, carry: int) -> tuple[Integers, Integers, Floats]:
        """Return displacement (n, 3), halves carried on (n,), and what both add each way for those tried (m, u)."""
        found = self._moves.get(carry)
        if found is None:
            moved, onward = displacements(self.letters, carry, self.halves)
            adds = moved[self.tried] @ self.ways.T + self.carried(onward[self.tried])
            found = self._moves[carry] = moved, onward, adds
        return found

    def rows_of(self, changes: Integers) -> Integers:
        """Return the rows of changes (n, 3) among the legal ones, -1 for one that is not legal."""
        inside: NDArray[np.bool_] = np.abs(changes).max(axis=1) <= self._thrust
        found: Integers = np.where(
            inside, self._row_of[tuple(np.where(inside[:, None], changes, 0).T + self._thrust)], -1
        )
        return found

    def landings(self, carry: int, change: tuple[int, int, int] | None) -> tuple[Integers, Integers, Integers]:
        """Return what the last two turns can do: codes of steps, sorted, and the rows of the two changes for each.

        A step is how much further than by its velocity alone a force ends after the two turns. ``change`` is
        what both must come to together, None where the final velocity is free.
        """
        found = self._landings.get((carry, change))
        if found is None:
            moved, onward, _ = self.moves(carry)
            if change is None:
                first, second = self._pairs(onward)
            else:
                second = self.rows_of(np.array(change) - self.changes)
                first = np.flatnonzero(second >= 0)
                second = second[first]
            again, _ = displacements(self.letters[second], onward[first], self.halves)
            codes, rows = np.unique(codes_of(self.changes[first] + moved[first] + again), return_index=True)
            found = self._landings[carry, change] = codes, first[rows], second[rows]
        return found

    def _pairs(self, onward: Integers) -> tuple[Integers, Integers]:
        """Return pairs of changes, rows of the first and the second: for each displacement one second change."""
        firsts: list[Integers] = []
        seconds: list[Integers] = []
        for carry in np.unique(onward).tolist():
            _, rows = np.unique(codes_of(self.moves(carry)[0]), return_index=True)
            those = np.flatnonzero(onward == carry)
            if not self.is_whole:
                # the second change's displacement fills the gaps between first changes that stand apart
                share = MOST_PAIRS * len(those) // (len(onward) * len(rows))
                those = those[:: max(1, len(those) // max(1, share))]
            firsts.append(np.repeat(those, len(rows)))
            seconds.append(np.tile(rows, len(those)))
        return np.concatenate(firsts), np.concatenate(seconds)

    def carried(self, carry: Integers) -> Floats:
        """Return (n, u): what half hexes carried along can still add on each way."""
        held = ((carry[:, None] & BITS) > 0).astype(np.float64)
        gain: Floats = held @ np.maximum(self._toward, 0) / 2
        return gain

    def passing(self, turns: int) -> Floats:
        """Return (u,): the furthest along each way in so many turns, however fast at the end."""
        self._grow(turns)
        found: Floats = self._passing[:, turns]
        return found

    def resting(self, turns: int) -> Floats:
        """Return (u, turns): the furthest where the final velocity weighs s turns, for s = share, 1 + share, ..."""
        self._grow(turns)
        found: Floats = self._sums[turns, :, :turns]
        return found

    def _grow(self, turns: int) -> None:
        if turns < self._turns:
            return
        self._turns = most = max(16, 2 * turns)
        first = np.zeros((len(self.ways), 1))
        weights: Floats = np.arange(most, dtype=np.float64) + self.share
        self._passing = np.hstack((first, np.cumsum(self._best(weights), axis=1)))
        if self.halves == CARRIED:
            self._sums = self._sums_with_halves(most)
            return
        every = np.hstack((first, np.cumsum(self._best(np.arange(-most, most + 1, dtype=np.float64)), axis=1)))
        self._sums = np.zeros((most + 1, len(self.ways), most))
        for count in range(1, most + 1):
            start = most - np.arange(count)
            self._sums[count, :, :count] = every[:, start + count] - every[:, start]

    def _best(self, weights: Floats) -> Floats:
        """Return (u, weights): the most a turn does along each way at each weight, its rounding of halves included."""
        gain: Floats = np.zeros_like(self.along)
        if self.halves not in (CARRIED, NONE):
            moved, _ = displacements(self.letters, 0, self.halves)
            gain = moved[self.tried] @ self.ways.T - self.along / 2
        return np.stack([(weight * self.along + gain).max(axis=0) for weight in weights.tolist()], axis=1)

    def _sums_with_halves(self, most: int) -> Floats:
        """Return (turns, u, s): the best sums where halves can be lost between turns of different directions."""
        kinds, kind_of = np.unique(self.letters[self.tried] > 0, axis=0, return_inverse=True)
        against = np.maximum(-self._toward, 0) / 2  # what losing a half in each direction gains, (8, u)
        # from a turn of one kind to one of another: the halves of the directions that are left off
        lost = np.einsum("ab,bu->au", kinds.astype(np.float64), against)
        kept = np.einsum("al,bl,lu->abu", kinds.astype(np.float64), kinds.astype(np.float64), against)
        gain = lost[:, None, :] - kept
        highest = np.stack([self.along[kind_of.ravel() == kind].max(axis=0) for kind in range(len(kinds))])
        lowest = np.stack([self.along[kind_of.ravel() == kind].min(axis=0) for kind in range(len(kinds))])
        sums = np.zeros((most + 1, len(self.ways), most))
        still = int(np.flatnonzero(~kinds.any(axis=1))[0])
        # value[b, u, s]: the best of the turns to come after one of kind b
        value = np.repeat(lost[:, :, None], most, axis=2)
        for count in range(1, most + 1):
            weight = (count - 1) - np.arange(most, dtype=np.float64)
            does = np.maximum(weight * highest[:, :, None], weight * lowest[:, :, None])
            if count > DEEP:
                # far from the end it is enough to count every half that a turn could ever lose
                sums[count] = sums[count - 1] + (does + lost[:, :, None]).max(axis=0)
                continue
            after = does + value
            value = np.stack([(gain[kind][:, :, None] + after).max(axis=0) for kind in range(len(kinds))])
            sums[count] = value[still]
        return sums


def _spread(changes: Integers, ways: Floats) -> Integers:
    """Return the rows of changes to follow: all, or where they are too many the utmost, none, and some between."""
    every = np.arange(len(changes))
    if len(changes) <= MOST_CHANGES:
        return every
    utmost = (changes @ ways.T).argmax(axis=0)
    none = np.flatnonzero((changes == 0).all(axis=1))
    found: Integers = np.unique(np.concatenate((utmost, none, every[:: -(-len(changes) // MOST_CHANGES)])))
    return found


def codes_of(steps: Integers) -> Integers:
    """Return one number for each step (n, 3), the same for the same step; what is far off is out of reach anyway."""
    clipped = np.clip(steps, -9999, 9999) + 10_000
    found: Integers = (clipped[:, 0] * 20_000 + clipped[:, 1]) * 20_000 + clipped[:, 2]
    return found


@lru_cache(maxsize=64)
def reach_of(thrust: int, engineer: Grade, is_displaced: bool, is_level: bool) -> Reach:
    """Return the reach of a thrust rating; ``is_level`` leaves altitude out."""
    return Reach(thrust, engineer, is_displaced, is_level)


def _ways(thrust: int, is_level: bool) -> Floats:
    """Return the directions in which reach is bounded: edges and corners of the changes on the map, with altitude."""
    plane = [(float(q), float(r)) for q, r in EDGES] + [(q / 2, r / 2) for q, r in CORNERS]
    level = [(q, r, 0.0) for q, r in plane]
    if is_level:
        return np.array(level)
    steep = [
        (q * across, r * across, sign * up) for q, r in plane for across, up in _slopes(thrust) for sign in (1.0, -1.0)
    ]
    return np.array([*level, (0.0, 0.0, 1.0), (0.0, 0.0, -1.0), *steep])


def _slopes(thrust: int) -> list[tuple[float, float]]:
    """Return the slopes (map, altitude) of the hull of the changes between level and straight up."""
    most = {hexes: max(z for q, r, z in legal_changes(thrust) if (q, r) == (hexes, 0)) for hexes in range(thrust + 1)}
    hull: list[tuple[int, int]] = []
    for point in most.items():
        while len(hull) > 1 and _is_under(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    return [
        (float(before[1] - after[1]), float(after[0] - before[0]))
        for before, after in pairwise(hull)
        if before[1] > after[1]
    ]


def _is_under(one: tuple[int, int], two: tuple[int, int], three: tuple[int, int]) -> bool:
    """Return whether the second of three points, from left to right, lies on or under the line of the others."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0]) >= 0
