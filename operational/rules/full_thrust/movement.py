"""Initiative, the order of play, and movement: the projected end point, the thrust marker and the base facing.

The map is flat: a vector is a map over A to F in hexes an operational turn. A task force's projected
end point is where its vector leads from its hex; thrust moves that end point, one hex a point of
thrust, and then the task force goes there and the end point the same way again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from campaign.engine.dice import Roller
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.engine.hexes import DIRECTIONS, OPPOSITE, ORIGIN, STEP, Hex
from campaign.engine.vectors import Vectors, add, consolidate, from_axial, opposite, parse_vectors, to_axial, total
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.tables import DIE_SIDES

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Initiative:
    """Who has the initiative, and the faces of each round of rolls (side to face), ties with them."""

    winner: str
    loser: str
    rounds: tuple[Mapping[str, int], ...]


@rule("initiative")
def roll_initiative(rollers: Mapping[str, Roller]) -> Initiative:
    """Roll a d6 for each of the two sides until they differ; the higher has the initiative.

    ``rollers`` maps each side to what rolls for it, which may be one roller for both.
    """
    if len(rollers) != 2:
        raise refuse("not-two-sides", "Initiative is rolled between two sides.", place="/dice", rule="initiative")
    first, second = rollers
    rounds: list[Mapping[str, int]] = []
    while True:
        faces = {side: roller.die(DIE_SIDES) for side, roller in rollers.items()}
        rounds.append(faces)
        if faces[first] != faces[second]:
            winner, loser = (first, second) if faces[first] > faces[second] else (second, first)
            return Initiative(winner, loser, tuple(rounds))


def alternate(first: Sequence[Item], second: Sequence[Item]) -> tuple[Item, ...]:
    """Return two sides' items by turns, beginning with ``first``; who has more left ends alone."""
    found: list[Item] = []
    for index in range(max(len(first), len(second))):
        found.extend(first[index : index + 1])
        found.extend(second[index : index + 1])
    return tuple(found)


def check_preference(
    preference: Sequence[str], forces: Iterable[str], *, place: str = "/preference"
) -> tuple[Problem, ...]:
    """Return what is wrong with an order of preference: names that are twice in it, or not of ``forces``."""
    known = frozenset(forces)
    seen: set[str] = set()
    problems = []
    for index, name in enumerate(preference):
        here = place + pointer(index)
        if name in seen:
            problems.append(Problem(here, "force-twice", f"{name} already stands in the order of preference."))
        elif name not in known:
            problems.append(Problem(here, "unknown-force", f"{name} is none of the task forces that take part."))
        seen.add(name)
    return tuple(problems)


def in_order_of_preference(preference: Sequence[str], forces: Sequence[str]) -> tuple[str, ...]:
    """Return all forces: those preferred first in that order, then the others as they stand."""
    listed = [name for name in preference if name in forces]
    return (*listed, *(name for name in forces if name not in listed))


@rule("initiative")
def operational_order(initiative: Initiative, forces: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the order in which task forces search, and in which they move: the initiative's loser begins.

    ``forces`` maps each side to its task forces in that side's order of preference.
    """
    return alternate(forces[initiative.loser], forces[initiative.winner])


@rule("tabletop-scans")
def tabletop_scan_order(initiative: Initiative, ships: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the order in which ships scan on the table: there the initiative's winner begins."""
    return alternate(ships[initiative.winner], ships[initiative.loser])


def parse_flat_vector(value: Any, place: str, rule_key: str) -> tuple[dict[str, int], tuple[Problem, ...]]:
    """Return a vector of the flat map and every problem found in it: + and - are not of this map."""
    found, problems = parse_vectors(value, place, rule_key)
    climbs = [
        Problem(place + pointer(letter), "flat-map", "This map is flat: there is no up and no down.", rule_key)
        for letter in ("+", "-")
        if isinstance(value, Mapping) and letter in value
    ]
    wrong = {problem.place for problem in climbs}
    others = [problem for problem in problems if problem.place not in wrong]
    return {letter: found[letter] for letter in found if letter in DIRECTIONS}, tuple(sorted([*climbs, *others]))


@rule("vectors")
def projected_end_point(position: Hex, vector: Vectors) -> Hex:
    """Return the hex of the projected end point of a task force that stands in ``position``."""
    return position.moved(*to_axial(vector))


@rule("vectors")
def vector_between(position: Hex, end_point: Hex) -> dict[str, int]:
    """Return the vector of a task force from its marker and its projected end point."""
    step = end_point.less(position)
    return from_axial(step.q, step.r)


@rule("end-point-movement")
def thrust_used(thrust: Vectors) -> int:
    """Return the thrust spent: one for each hex that the end point is moved, also where hexes cancel out."""
    return total(thrust)


@rule("end-point-movement", "taskforces")
def check_thrust(thrust: Vectors, rate: int, *, place: str = "/thrust") -> tuple[Problem, ...]:
    """Return a problem where more thrust is spent than ``rate``, the rating of the slowest ship of the task force."""
    used = thrust_used(thrust)
    if used <= rate:
        return ()
    message = f"The slowest ship of the task force has thrust {rate}: it cannot spend {used}."
    return (Problem(place, "thrust-beyond-rating", message, "taskforces"),)


@rule("end-point-movement")
def end_point_path(end_point: Hex, steps: Sequence[str]) -> tuple[Hex, ...]:
    """Return the hexes of the end point as thrust moves it hex by hex (directions A to F), the first one with it."""
    path = [end_point]
    for step in steps:
        path.append(path[-1].moved(*STEP[step]))
    return tuple(path)


@dataclass(frozen=True, slots=True)
class Move:
    """A task force's movement: the step it makes, its next vector, its new hex and its new end point."""

    moved: dict[str, int]
    next_vector: dict[str, int]
    position: Hex
    end_point: Hex


@rule("end-point-movement")
def move(vector: Vectors, thrust: Vectors, position: Hex = ORIGIN) -> Move:
    """Move a task force: thrust moves the end point at once, the marker goes there, the end point as far again."""
    changed = consolidate(add(vector, thrust))
    arrived = projected_end_point(position, changed)
    return Move(changed, dict(changed), arrived, projected_end_point(arrived, changed))


def nearest_sides(step: Vectors) -> tuple[str, ...]:
    """Return the hex sides closest to the way of a step, A to F: two where both are equally close, none for no step."""
    net = consolidate(step)
    most = max(net.values(), default=0)
    return tuple(letter for letter in DIRECTIONS if most and net.get(letter) == most)


@rule("thrust-marker")
def thrust_marker_sides(thrust: Vectors) -> tuple[str, ...]:
    """Return the hex sides that the thrust marker may be put on, A to F: two where both are equally close.

    It is the side closest to the direction opposite to the way the end point was moved by all the
    thrust together. Where no thrust was spent, or all of it cancelled out, the end point has not
    been moved any way and there is no marker.
    """
    return nearest_sides(opposite(thrust))


@rule("die-modifiers")
def is_burning_away(marker: str | None, position: Hex, scanner: Hex) -> bool:
    """Return whether a task force burned its main drives away from a scanner, in the hexes where they stand.

    It did where its thrust marker, the side its drives point to, is a hex side closest to the
    scanner's direction. In one hex there is no direction, and no burn away.
    """
    step = scanner.less(position)
    return marker in nearest_sides(from_axial(step.q, step.r))


def check_marker_preference(preference: Sequence[str], *, place: str = "/preference") -> tuple[Problem, ...]:
    """Return what is wrong with a standing preference of hex sides for the enemy's thrust markers."""
    seen: set[str] = set()
    problems = []
    for index, side in enumerate(preference):
        here = place + pointer(index)
        if side not in DIRECTIONS:
            problems.append(Problem(here, "unknown-direction", f"{side!r} is no hex side.", "opponent-tie"))
        elif side in seen:
            problems.append(Problem(here, "side-twice", f"{side} is already preferred.", "opponent-tie"))
        seen.add(side)
    return tuple(problems)


@rule("opponent-tie")
def opponent_marker(candidates: Sequence[str], preference: Sequence[str] = DIRECTIONS) -> str | None:
    """Return the side that the marker goes on: of two equally close ones the opponent's earlier preference.

    A preference may leave sides out; they come last, in the order A to F. None where there is no marker.
    """
    problems = check_marker_preference(preference)
    if problems:
        raise ProblemsError(problems)
    order = in_order_of_preference(preference, DIRECTIONS)
    return min(candidates, key=order.index, default=None)


@rule("base-facing")
def base_facing(marker: str | None) -> int | None:
    """Return the base facing, a hex side 0 to 5 clockwise from A: opposite the thrust marker, None without one."""
    return None if marker is None else DIRECTIONS.index(OPPOSITE[marker])
