"""One force's flight, turn by turn: what the movement phase, the course planner and the ghosts on the map share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from campaign.engine.hexes import Hex
from campaign.engine.vectors import Vectors, to_axial
from campaign.rulebooks.saganami.grades import Grade
from campaign.rulebooks.saganami.movement import displacement, end_of_turn
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.forces import leading_ship
from operational.rules.saganami.state import State
from operational.rules.saganami.switches import DISPLACEMENT, ruling


@dataclass(frozen=True, slots=True)
class Flight:
    """Where a force is and how it moves, in operational hexes and hexes a turn.

    ``carry`` are the directions in which it carries a half hex. ``engineer`` is the flagship's;
    ``is_displaced`` is False where a house rule does without displacement.
    """

    position: Hex
    velocity: Hex
    carry: tuple[str, ...] = ()
    engineer: Grade = "average"
    is_displaced: bool = True

    @rule("B3.11", "B3.27", "B3.31", "B3.32")
    def after(self, change: Vectors) -> Flight:
        """Return the flight a turn later, with this change of velocity made in the turn.

        The velocity of before carries the force on and displacement shifts it; the change counts from
        the next turn on. Facing is free at this scale, so thrust never needs a pivot.
        """
        step, shift, carry = _made(tuple(change.items()), self.engineer, self.carry, self.is_displaced)
        return Flight(
            position=end_of_turn(self.position.moved(*self.velocity), shift),
            velocity=self.velocity.moved(*step),
            carry=carry,
            engineer=self.engineer,
            is_displaced=self.is_displaced,
        )


@lru_cache(maxsize=65536)
def _made(
    change: tuple[tuple[str, int], ...], engineer: Grade, carry: tuple[str, ...], is_displaced: bool
) -> tuple[Hex, Vectors, tuple[str, ...]]:
    """Return what a change of velocity makes of a turn: its step, its displacement, the halves carried on."""
    vectors = dict(change)
    shift, onward = displacement(vectors, engineer, carry) if is_displaced else ({}, ())
    return to_axial(vectors), shift, onward


def fly(flight: Flight, changes: Iterable[Vectors]) -> list[Flight]:
    """Return the flight after each of the changes, a turn each."""
    flown = []
    for change in changes:
        flight = flight.after(change)
        flown.append(flight)
    return flown


def flight_of(state: State, row: int) -> Flight:
    """Return the flight of the force in a row; a dummy is led by an average engineer."""
    forces = state.forces
    leader = leading_ship(state, forces.id[row])
    return Flight(
        position=Hex(int(forces.q[row]), int(forces.r[row]), int(forces.z[row])),
        velocity=Hex(int(forces.vq[row]), int(forces.vr[row]), int(forces.vz[row])),
        carry=forces.carry.get(forces.id[row], ()),
        engineer="average" if leader is None else state.ships.grades[leader].engineer,
        is_displaced=ruling(state.rulings, DISPLACEMENT) == "half",
    )


def shifted(before: Flight, after: Flight) -> Hex:
    """Return the displacement of one turn: the step that was made less what the velocity alone would have made."""
    return after.position.less(before.position.moved(*before.velocity))
