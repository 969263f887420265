"""The course planner: the fewest turns to a point, or to a contact that coasts (B3, B5).

The number of turns is tried upward from what the bounds of ``course_bounds`` allow. For each, all
flights that can still arrive are followed turn by turn; where they grow too many, those in the middle of
what can still be reached go on. A plan is flown by the engine's own ``Flight`` before it is given out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from campaign.engine.hexes import LETTERS, ORIGIN, Hex, Integers, are_within
from campaign.engine.vectors import from_axial
from campaign.rulebooks.saganami.movement import OPERATIONAL_SPEED_LIMIT
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.course_bounds import BITS, Floats, codes_of, reach_of
from operational.rules.saganami.flight import Flight, fly

MOST_TURNS = 150
WIDTHS = (8, 80, 400, 1600)  # how many flights are followed at once: narrow first, wide where narrow finds none
MOST_WAYS = 14  # bounds asked at every step: the tightest of the start ...
PLAIN_WAYS = 14  # ... and those along the map's edges and corners, and straight up and down
ASKED_FIRST = 5
BESIDE = 3
MOST_WORK = 1_500_000  # flights times changes that one number of turns may cost ...
ALL_WORK = 3_000_000  # ... and all of them, after which only the narrowest search is made
LEAST_CHANGES = 400  # a flight costs as much as so many changes, however few it has
_TINY = 1e-9
_NEAR = 0.05  # what part of a bound counts as near to it
_OTHERS = 0.0005  # how much all bounds together count beside the tightest


@dataclass(frozen=True, slots=True)
class Goal:
    """Where to: a hex that moves on by ``drift`` each turn (none for a point), and whether to keep its velocity.

    ``is_matched``: the flight ends with the drift as its own velocity: at rest at a point, or flying
    along with a contact. Otherwise it only ends its turn in the hex.
    """

    at: Hex
    drift: Hex = ORIGIN
    is_matched: bool = True

    def after(self, turns: int) -> Hex:
        """Return the hex after so many turns."""
        return self.at.moved(*(turns * step for step in self.drift))


@dataclass(frozen=True, slots=True)
class Course:
    """A plan: a change of velocity a turn, where it ends, and whether no plan of fewer turns exists for certain."""

    changes: tuple[Mapping[str, int], ...]
    end: Flight
    is_fewest: bool

    @property
    def turns(self) -> int:
        """Return how many turns it takes."""
        return len(self.changes)


@rule("B3.11", "B3.22", "B3.24", "B3.27", "B3.32", "B5.12", "B5.123")
def plan(flight: Flight, thrust: int, goal: Goal, most_turns: int = MOST_TURNS) -> Course | None:
    """Return the course of fewest turns from a flight to a goal, or None if ``most_turns`` are not enough.

    Every change is within the thrust rating and no velocity over the highest speed; facing is free. A
    course ends exactly in the goal's hex, with its velocity if that is to be matched.
    """
    if thrust == 0:
        return _coasting(flight, goal, most_turns)
    search = _Search(flight, thrust, goal)
    # where not every change is tried, bounds prove nothing either; no turn and one turn are looked at whole
    is_fewest = True
    for turns in range(most_turns + 1):
        if not search.is_in_bounds(turns):
            is_fewest = is_fewest and (turns == 0 or search.reach.is_whole)
            continue
        changes, is_complete = search.run(turns)
        if changes is not None:
            flown = fly(flight, changes)
            end = flown[-1] if flown else flight
            return Course(tuple(changes), end, is_fewest)
        is_fewest = is_fewest and is_complete
    return None


def _coasting(flight: Flight, goal: Goal, most_turns: int) -> Course | None:
    """Return the course of a force without thrust: it gets there by itself, or never."""
    for turns in range(most_turns + 1):
        end = ([flight, *fly(flight, [{}] * turns)])[-1]
        if end.position == goal.after(turns) and (not goal.is_matched or end.velocity == goal.drift):
            return Course(({},) * turns, end, True)
    return None


@dataclass(slots=True)
class _Layer:
    """The flights followed after some turns: position and velocity (n, 3), carried halves (n,), whence and how."""

    position: Integers
    velocity: Integers
    carry: Integers
    parent: Integers
    change: Integers

    def rows(self, rows: Integers) -> _Layer:
        """Return some of the flights."""
        columns = (self.position, self.velocity, self.carry, self.parent, self.change)
        return _Layer(*(column[rows] for column in columns))


class _Search:
    """The search for one flight and goal."""

    def __init__(self, flight: Flight, thrust: int, goal: Goal) -> None:
        self.goal = goal
        self._work = 0
        is_level = flight.position.z == goal.at.z and flight.velocity.z == 0 == goal.drift.z
        self.reach = reach_of(thrust, flight.engineer, flight.is_displaced, is_level)
        bits = sum(int(bit) for bit, letter in zip(BITS, LETTERS, strict=True) if letter in flight.carry)
        self.start = _Layer(
            position=np.array([flight.position], dtype=np.int64),
            velocity=np.array([flight.velocity], dtype=np.int64),
            carry=np.array([bits], dtype=np.int64),
            parent=np.zeros(1, dtype=np.int64),
            change=np.zeros(1, dtype=np.int64),
        )

    def is_in_bounds(self, turns: int) -> bool:
        """Return whether no bound rules out that the goal is reached in so many turns."""
        if turns == 0:
            return bool(self._is_arrived(self.start, self.goal.after(0))[0])
        if turns == 1:
            return True  # as quickly tried
        return bool(self._slack_by_way(turns).min() >= 0)

    def _slack_by_way(self, turns: int) -> Floats:
        """Return how far inside each way's tightest bound the start is, in turns of full thrust."""
        reach = self.reach
        target = self.goal.after(turns)
        missing = np.array(target) - self.start.position[0] - turns * self.start.velocity[0]
        lacking = np.array(self.goal.drift) - self.start.velocity[0]
        far = reach.ways @ missing - reach.carried(self.start.carry)[0]
        if not self.goal.is_matched:
            found: Floats = (reach.passing(turns) - far) / reach.speeds + _TINY
            return found
        fast = reach.ways @ lacking
        weights = np.arange(turns) + reach.share
        inside = (reach.resting(turns) - far[:, None] + weights * fast[:, None]).min(axis=1)
        rest: Floats = np.minimum(inside, turns * reach.speeds - fast) / reach.speeds + _TINY
        return rest

    def run(self, turns: int) -> tuple[list[Mapping[str, int]] | None, bool]:
        """Return the changes of a course of exactly so many turns, or None and whether there is none for certain."""
        if turns < 2:
            return self._short(turns)
        tightest = np.argsort(self._slack_by_way(turns), kind="stable")
        ways = np.array([way for order, way in enumerate(tightest) if order < MOST_WAYS or way < PLAIN_WAYS])
        for width in WIDTHS:
            cost = width * turns * max(len(self.reach.tried), LEAST_CHANGES)
            if width > WIDTHS[0] and (cost > MOST_WORK or self._work + cost > ALL_WORK):
                break
            self._work += cost
            layers, is_complete = self._layers(turns, width, ways)
            if layers is not None:
                return self._traced(layers), True
            if is_complete:
                return None, True
        return None, False

    def _short(self, turns: int) -> tuple[list[Mapping[str, int]] | None, bool]:
        """Return the course of no turn or of one."""
        if turns == 0:
            return [], True
        moved, _, _ = self.reach.moves(int(self.start.carry[0]))
        velocity = self.start.velocity[0] + self.reach.changes
        gap = np.array(self.goal.after(1)) - self.start.position[0] - self.start.velocity[0]
        fits = (moved == gap).all(axis=1) & _is_slow(velocity)
        if self.goal.is_matched:
            fits &= (velocity == np.array(self.goal.drift)).all(axis=1)
        rows = np.flatnonzero(fits).tolist()
        return ([_vectors(*self.reach.changes[rows[0]].tolist())] if rows else None), True

    def _layers(self, turns: int, width: int, ways: Integers) -> tuple[list[_Layer] | None, bool]:
        """Follow at most ``width`` flights for so many turns; return them, or None and whether none was left out."""
        target = self.goal.after(turns)
        layers = [self.start]
        is_complete = self.reach.is_whole
        for left in range(turns - 1, 1, -1):
            grown, score = self._grown(layers[-1], left, target, ways)
            if not len(grown.carry):
                return None, is_complete
            if len(grown.carry) > width and left > 2:
                is_complete = False
                grown = grown.rows(np.sort(np.argsort(-score, kind="stable")[:width]))
            layers.append(grown)
        landed = self._landed(layers[-1], target)
        return (None, is_complete) if landed is None else ([*layers, *landed], True)

    def _landed(self, layer: _Layer, target: Hex) -> list[_Layer] | None:
        """Return the last two turns of a course: of the first flight that they can bring exactly to the goal."""
        reach = self.reach
        gap = codes_of(np.array(target) - layer.position - 2 * layer.velocity)
        lacking = np.array(self.goal.drift) - layer.velocity
        kinds = np.hstack((layer.carry[:, None], lacking if self.goal.is_matched else np.zeros_like(lacking)))
        each, of = np.unique(kinds, axis=0, return_inverse=True)
        order = np.argsort(of.ravel(), kind="stable")
        starts = np.searchsorted(of.ravel()[order], np.arange(len(each) + 1))
        for number, (carry, *change) in enumerate(each.tolist()):
            rows = order[starts[number] : starts[number + 1]]
            known, first, second = reach.landings(carry, tuple(change) if self.goal.is_matched else None)
            if not len(known):
                continue
            at = np.minimum(np.searchsorted(known, gap[rows]), len(known) - 1)
            for hit in np.flatnonzero(known[at] == gap[rows]).tolist():
                turns = self._flown(layer, rows[hit : hit + 1], (first[at[hit]], second[at[hit]]))
                if all(_is_slow(turn.velocity)[0] for turn in turns):
                    return turns
        return None

    def _flown(self, layer: _Layer, row: Integers, changes: Sequence[int]) -> list[_Layer]:
        """Return the turns of one flight that makes these changes."""
        found: list[_Layer] = []
        for change in changes:
            moved, onward, _ = self.reach.moves(int(layer.carry[row[0]]))
            layer = _Layer(
                position=layer.position[row] + layer.velocity[row] + moved[change],
                velocity=layer.velocity[row] + self.reach.changes[change],
                carry=onward[change : change + 1],
                parent=row,
                change=np.array([change]),
            )
            row = np.zeros(1, dtype=np.int64)
            found.append(layer)
        return found

    def _grown(self, layer: _Layer, left: int, target: Hex, ways: Integers) -> tuple[_Layer, Floats]:
        """Return every flight a turn later from which the target is in bounds, each once, with its score."""
        parts: list[_Layer] = []
        scores: list[Floats] = []
        for row in range(len(layer.carry)):
            tried, room = self._kept(layer, row, left, target, ways)
            keep = self.reach.tried[tried]
            # what is farthest inside its tightest bound keeps most ways open; near ones among the others count little
            scores.append(room.min(axis=1) - _OTHERS * (1 / (room + _NEAR)).sum(axis=1))
            moved, onward, _ = self.reach.moves(int(layer.carry[row]))
            parts.append(
                _Layer(
                    position=layer.position[row] + layer.velocity[row] + moved[keep],
                    velocity=layer.velocity[row] + self.reach.changes[keep],
                    carry=onward[keep],
                    parent=np.full(len(keep), row, dtype=np.int64),
                    change=keep,
                )
            )
        grown = _Layer(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("position", "velocity", "carry", "parent", "change")
            )
        )
        once = _first_rows(np.hstack((grown.position, grown.velocity, grown.carry[:, None])))
        return grown.rows(once), np.concatenate(scores)[once]

    def _kept(self, layer: _Layer, row: int, left: int, target: Hex, ways: Integers) -> tuple[Integers, Floats]:
        """Return which of the changes tried keep a flight in bounds, and the part of each bound they leave (n, u).

        The tightest bounds are asked first, and the others of what is left.
        """
        every = np.flatnonzero(_is_slow(layer.velocity[row] + self.reach.changes[self.reach.tried]))
        room = self._room(layer, row, left, target, ways[:ASKED_FIRST], every)
        inside = room.min(axis=1) >= -_TINY
        some = every[inside]
        rest = self._room(layer, row, left, target, ways[ASKED_FIRST:], some)
        within = rest.min(axis=1) >= -_TINY
        return some[within], np.hstack((room[inside][within], rest[within]))

    def _room(self, layer: _Layer, row: int, left: int, target: Hex, ways: Integers, changes: Integers) -> Floats:
        """Return (n, u): what part of its tightest bound along each way each change leaves, ``left`` turns to go."""
        reach = self.reach
        directions, speeds = reach.ways[ways], reach.speeds[ways]
        velocity = layer.velocity[row]
        _, _, moved = reach.moves(int(layer.carry[row]))
        far = directions @ (np.array(target) - layer.position[row] - (left + 1) * velocity)
        which = np.ix_(changes, ways)
        along = reach.along[which]
        # how far each change and its displacement take the flight over the target, along each way
        over = moved[which] + left * along - far
        if not self.goal.is_matched:
            bound = reach.passing(left)[ways]
            found: Floats = (bound + over) / bound
            return found
        fast = directions @ (np.array(self.goal.drift) - velocity) - along
        inside: Floats = (left * speeds - fast) / (left * speeds)
        bounds = reach.resting(left)[ways]
        # the weights of the final velocity that bound each way most when nothing is done, and those next to them
        steady = directions @ (np.array(self.goal.drift) - velocity)
        tightest = (bounds + np.arange(left) * steady[:, None]).argmin(axis=1)
        row_of = np.arange(len(ways))
        for beside in range(-BESIDE, BESIDE + 1):
            share = np.clip(tightest + beside, 0, left - 1)
            np.minimum(inside, 1 + (over + (share + reach.share) * fast) / bounds[row_of, share], out=inside)
        return inside

    def _is_arrived(self, layer: _Layer, target: Hex) -> NDArray[np.bool_]:
        arrived: NDArray[np.bool_] = (layer.position == np.array(target)).all(axis=1)
        if self.goal.is_matched:
            arrived = arrived & (layer.velocity == np.array(self.goal.drift)).all(axis=1)
        return arrived

    def _traced(self, layers: list[_Layer]) -> list[Mapping[str, int]]:
        """Return the changes that led to the first flight of the last layer."""
        found: list[Mapping[str, int]] = []
        row = 0
        for layer in reversed(layers[1:]):
            found.append(_vectors(*self.reach.changes[int(layer.change[row])].tolist()))
            row = int(layer.parent[row])
        return found[::-1]


def _is_slow(velocity: Integers) -> NDArray[np.bool_]:
    """Return which velocities keep to the highest speed of normal space."""
    return are_within(velocity[:, 0], velocity[:, 1], velocity[:, 2], OPERATIONAL_SPEED_LIMIT)


def _first_rows(keys: Integers) -> Integers:
    """Return the first row of each kind, in order."""
    _, once = np.unique(keys, axis=0, return_index=True)
    found: Integers = np.sort(once)
    return found


@lru_cache(maxsize=4096)
def _vectors(q: int, r: int, z: int) -> Mapping[str, int]:
    return from_axial(q, r, z)
