"""What a task force can do by the ships it has: the thrust that moves its end point."""

from __future__ import annotations

from operational.rules.full_thrust.ship_class import thrust_rating
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import Force, Ship, State
from operational.rules.full_thrust.taskforces import manoeuvre_rate


def ship_thrust(state: State, ship: Ship) -> int:
    """Return a ship's thrust rating as it is damaged."""
    return thrust_rating(state.class_of(ship), ship.damage)


@rule("taskforces")
def force_thrust(state: State, force: Force) -> int:
    """Return the thrust that a task force may spend in a turn: its slowest ship's; a dummy's is what it shows."""
    members = state.members.get(force.id, ())
    if not members:
        return force.shown_thrust
    return manoeuvre_rate([ship_thrust(state, ship) for ship in members])
