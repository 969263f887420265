"""Vector movement as both Saganami levels share it (B3): thrust, displacement, midpoint, consolidation.

Vectors are maps of A to F, + and - to hexes per turn (``campaign.engine.vectors``); a change is what
a turn's thrust adds to them.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from math import isqrt
from typing import Any

from campaign.engine import vectors as v
from campaign.engine.errors import Problem
from campaign.engine.hexes import LETTERS, Hex, disc, true_range
from campaign.engine.vectors import Vectors
from campaign.rulebooks.saganami.grades import ENGINEER_HALVES, Grade
from campaign.rulebooks.saganami.source import rule

# The engine's steps of consolidation are nobody's rules; here they become the rulebook's.
rule("B3.331")(v.take_off_opposites)
rule("B3.332")(v.merge_wide_pairs)

OPERATIONAL_SPEED_LIMIT = 120  # B5.123: 0.8 c, in operational hexes per operational turn
TACTICAL_SPEED_LIMIT = 360  # B5.123: the same, in tactical hexes per tactical turn


@rule("B3.15", "B3.26")
def check_vectors(value: Any, place: str, most: int | None = None) -> tuple[dict[str, int], tuple[Problem, ...]]:
    """Return the vectors in a document and every problem: eight directions, whole numbers, none negative."""
    return v.parse_vectors(value, place, "B3.15", most)


@rule("B3.3", "B3.33", "B3.331", "B3.332")
def consolidate(vectors: Vectors) -> dict[str, int]:
    """Return the least vectors for the same velocity: at most two neighbouring directions, and + or -."""
    return v.consolidate(vectors)


@rule("B3.31", "B3.32")
def apply_thrust(vectors: Vectors, *changes: Vectors) -> dict[str, int]:
    """Return the vectors after the changes of one or more thrusts: added, then consolidated."""
    return consolidate(v.add(vectors, *changes))


@rule("B3.11", "B3.12")
def end_of_turn(position: Hex, vectors: Vectors, displacement: Vectors | None = None) -> Hex:
    """Return where a turn ends: the vectors carry the unit on, and this turn's displacement shifts it."""
    return position.moved(*v.sum_axial((vectors, displacement or {})))


@rule("B3.121")
def midpoint(vectors: Vectors) -> dict[str, int]:
    """Return the step from the start of the turn to the midpoint: half of each direction, rounded up."""
    return v.halves_up(vectors)


@rule("B3.24")
def thrust_needed(change: Vectors) -> int:
    """Return the thrust that a change of velocity costs on the plotting grids.

    On the map it is the hexes of the change; with a vertical part it is the root of the sum of both
    squares, fraction dropped.
    """
    return true_range(*v.to_axial(change))


@rule("B3.24")
def is_thrust_legal(thrust: int, change: Vectors) -> bool:
    """Return whether a thrust rating is enough for a change of velocity."""
    return thrust_needed(change) <= thrust


@rule("B3.24")
@lru_cache(maxsize=64)
def legal_changes(thrust: int) -> tuple[Hex, ...]:
    """Return every change of velocity that a thrust rating can make where facing is free, the null change first.

    As axial steps, ring by ring on the map, then by altitude from the level of the map outwards. The
    operational scale sets no facing (B5.12), so every direction is open.
    """
    found: list[Hex] = []
    for q, r in disc(0, 0, thrust):
        plane = max(abs(q), abs(r), abs(q + r))
        highest = isqrt((thrust + 1) ** 2 - 1 - plane * plane)
        found.extend(Hex(q, r, z) for z in sorted(range(-highest, highest + 1), key=lambda z: (abs(z), -z)))
    return tuple(found)


@rule("B3.27", "B3.271", "B3.272")
def displacement(
    change: Vectors, engineer: Grade = "average", carry: Collection[str] = (), *, is_pivoted: bool = False
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return by how much this turn's thrust shifts the end of turn, and the directions that carry a half hex on.

    ``change`` is this turn's change of velocity as recorded, direction by direction; ``carry`` are the
    directions with a half hex from the turns before; ``is_pivoted`` tells of any pivot in the turn,
    even of one window. A half in a direction without thrust is gone. A poor engineer loses halves, an
    average one carries them, better ones round them up.
    """
    kept = [letter for letter in LETTERS if letter in carry and change.get(letter)]
    handling = ENGINEER_HALVES[engineer]
    if is_pivoted:
        return {}, tuple(kept) if handling == "carried" else ()
    if handling == "lost":
        return v.halves(change)[0], ()
    doubled = v.add(change, dict.fromkeys(kept, 1))
    if handling == "rounded-up":
        return v.halves_up(doubled), ()
    return v.halves(doubled)


@rule("B5.123")
def is_within_speed_limit(vectors: Vectors, limit: int = OPERATIONAL_SPEED_LIMIT) -> bool:
    """Return whether a velocity keeps to the highest speed of normal space, hexes per turn.

    The speed is measured as a range is: hexes on the map and altitude, fraction dropped.
    """
    return not v.is_faster_than(vectors, limit)
