"""The markers of a turn: where a ship will be at the midpoint and at the end, and its vectors after (B3.1, B3.27)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from campaign.engine.hexes import Hex
from campaign.engine.vectors import Vectors, to_axial
from campaign.rulebooks.saganami import movement
from campaign.rulebooks.saganami.grades import Grade
from campaign.rulebooks.saganami.source import rule


@dataclass(frozen=True, slots=True)
class Course:
    """A turn's movement of one unit.

    Places are hexes with altitude in levels. ``displacement`` has shifted the end of turn already;
    ``carry`` are the directions whose half hex waits for the next turn; ``vectors`` are those after the
    turn, consolidated (hexes per turn).
    """

    start: Hex
    midpoint: Hex
    end: Hex
    displacement: dict[str, int]
    carry: tuple[str, ...]
    vectors: dict[str, int]


@rule(
    "A2.311",
    "A3.11",
    "A3.123",
    "A3.31",
    "A3.32",
    "B3.12",
    "B3.121",
    "B3.14",
    "B3.27",
    "B3.3",
    "B3.31",
    "B4.12",
    "B4.211",
    "B4.212",
    "B4.213",
    "B4.22",
    "B4.221",
    "B4.23",
    "B4.24",
    "B4.25",
    "B4.251",
    "B4.312",
    "B4.313",
    "B4.32",
    "B4.35",
    "B4.351",
    "B4.352",
    "B4.353",
)
def course(
    start: Hex,
    vectors: Vectors,
    change: Vectors,
    *,
    pivot_windows: int = 0,
    engineer: Grade = "average",
    carry: Collection[str] = (),
) -> Course:
    """Return the markers of a turn and what it leaves.

    The vectors carry the unit whatever way it faces. Displacement shifts the end of turn alone, and
    only where the unit did not pivot; the change itself counts from the next turn on.
    """
    shift, halves = movement.displacement(change, engineer, carry, is_pivoted=pivot_windows > 0)
    return Course(
        start=start,
        midpoint=start.moved(*to_axial(movement.midpoint(vectors))),
        end=movement.end_of_turn(start, vectors, shift),
        displacement=shift,
        carry=halves,
        vectors=movement.apply_thrust(vectors, change),
    )
