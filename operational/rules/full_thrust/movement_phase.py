"""The movement phase: task forces move by turns, the initiative's loser first.

Thrust moves a force's end point hex by hex, the marker goes there at once and the end point as far again.
A force that was told to go for a contact looks at where that is when its own turn comes: who has the
initiative moves later and sees more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from campaign.engine.dice import TurnDice
from campaign.engine.hexes import DIRECTIONS, STEP, Hex, distance_in_plane
from campaign.engine.ruleset import Event
from campaign.engine.vectors import Vectors, format_vectors, from_axial, to_axial
from operational.rules.full_thrust.contacts import OPEN
from operational.rules.full_thrust.detection_phase import order_of_play
from operational.rules.full_thrust.forces import force_thrust
from operational.rules.full_thrust.movement import (
    check_thrust,
    move,
    opponent_marker,
    thrust_marker_sides,
    thrust_used,
)
from operational.rules.full_thrust.orders import Chase, Orders
from operational.rules.full_thrust.preferences import MARKER_SIDES, MOVEMENT_ORDER, preference
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import Contact, Force, State
from operational.rules.full_thrust.switches import MARKERS, ruling

PHASE = "movement"


@rule("movement-phase", "end-point-movement", "initiative")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Move every task force once; those at the table coast."""
    events: list[Event] = []
    for force in state.forces.values():
        if force.engaged:
            state = state.with_forces(moved(state, force, {}))
    thrusts = _thrusts(state, orders)
    for identity in order_of_play(state, MOVEMENT_ORDER):
        force = state.forces[identity]
        sheet = orders.get(force.side)
        order = sheet.forces.get(identity) if sheet else None
        thrust: Vectors = thrusts.get(identity, {})
        if order is not None and order.chase is not None:
            thrust = chase_thrust(state, force, order.chase)
        problems = check_thrust(thrust, force_thrust(state, force))
        if problems:
            events.append(
                Event(
                    "thrust-refused",
                    f"{force.name} coasts: {problems[0].message}",
                    (force.side,),
                    ("taskforces",),
                    {"force": identity},
                )
            )
            thrust = {}
        after = moved(state, force, thrust)
        state = state.with_forces(after)
        events.append(_told(after, thrust))
    return replace(state, underway={}), tuple(events)


def _thrusts(state: State, orders: Mapping[str, Orders]) -> dict[str, Mapping[str, int]]:
    """Return the thrust ordered for each force, with that of the forces made in this turn."""
    return {
        **state.underway,
        **{
            force: order.thrust
            for side, sheet in orders.items()
            for force, order in sheet.forces.items()
            if order.thrust and force in state.forces and state.forces[force].side == side
        },
    }


@rule("end-point-movement", "thrust-marker", "opponent-tie")
def moved(state: State, force: Force, thrust: Vectors) -> Force:
    """Return a force after its move; the other side's standing choice settles where its thrust marker goes."""
    made = move(from_axial(force.vq, force.vr), thrust, force.hex)
    enemy = state.books[state.enemy_of(force.side)]
    marker = opponent_marker(thrust_marker_sides(thrust), preference(enemy.preferences, MARKER_SIDES) or DIRECTIONS)
    step = to_axial(made.moved)
    return replace(
        force,
        q=made.position.q,
        r=made.position.r,
        vq=step.q,
        vr=step.r,
        mq=step.q,
        mr=step.r,
        marker=marker or "",
        used=thrust_used(thrust),
    )


def _told(force: Force, thrust: Vectors) -> Event:
    vector = from_axial(force.vq, force.vr)
    text = f"{force.name} moves {format_vectors(vector)}"
    text += f" after thrust of {format_vectors(thrust)}." if thrust else ", coasting."
    return Event(
        "force-moved",
        text,
        (force.side,),
        ("end-point-movement",),
        {"force": force.id, "q": force.q, "r": force.r, "velocity": vector, "thrust": dict(thrust)},
    )


# Going for a contact ----------------------------------------------------------------------------


def chase_thrust(state: State, force: Force, chase: Chase) -> dict[str, int]:
    """Return the thrust that brings a force's end point near a contact's, or away from it, as both lie now.

    Thrust is spent hex by hex as long as it helps, up to the force's rating. With markers out of sight the
    contact is reckoned on from where it was last seen. Without a contact the force coasts.
    """
    contact = next((each for each in state.books[force.side].contacts if each.id == chase.contact), None)
    if contact is None or contact.system != force.system:
        return {}
    aim = _end_point_of(state, contact)
    rate = force_thrust(state, force)
    return steer(force.end_point, aim, rate, way=chase.way, distance=chase.distance)


def steer(end_point: Hex, aim: Hex, rate: int, *, way: str, distance: int) -> dict[str, int]:
    """Return thrust that moves an end point toward (or away from) ``aim``, until ``distance`` is kept or spent."""
    sign = 1 if way == "toward" else -1
    thrust: dict[str, int] = {}
    here = end_point
    for _ in range(rate):
        away = _distance(here, aim)
        if sign * away <= sign * distance:
            break
        best = min(DIRECTIONS, key=lambda letter: (sign * _square(here.moved(*STEP[letter]), aim), letter))
        if sign * _distance(here.moved(*STEP[best]), aim) >= sign * away:
            break
        here = here.moved(*STEP[best])
        thrust[best] = thrust.get(best, 0) + 1
    return {letter: thrust[letter] for letter in DIRECTIONS if letter in thrust}


def _end_point_of(state: State, contact: Contact) -> Hex:
    """Return where a contact's end point is, as far as its side can know it now."""
    if ruling(state.rulings, MARKERS) == OPEN and contact.force in state.forces:
        return state.forces[contact.force].end_point
    ahead = state.turn + 1 - contact.seen
    return Hex(contact.q + ahead * (contact.vq or 0), contact.r + ahead * (contact.vr or 0))


def _distance(one: Hex, other: Hex) -> int:
    return distance_in_plane(one.q - other.q, one.r - other.r)


def _square(one: Hex, other: Hex) -> int:
    """Return the square of the straight distance, which tells hexes of one range apart."""
    q, r = one.q - other.q, one.r - other.r
    return q * q + q * r + r * r
