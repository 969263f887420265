"""The movement phase: task forces move by turns, the initiative's loser first.

Thrust moves a force's end point hex by hex, the marker goes there at once and the end point as far again.
A force that was told to go for a contact looks at where that is when its own turn comes: who has the
initiative moves later and sees more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from campaign.engine.dice import TurnDice
from campaign.engine.hexes import DIRECTIONS, Hex
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
from operational.rules.full_thrust.pursuit import Course, pursue
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import Contact, Force, State
from operational.rules.full_thrust.switches import MARKERS, ruling

PHASE = "movement"


@rule("movement-phase", "end-point-movement", "initiative")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Move every task force once; those at the table coast."""
    events: list[Event] = []
    after = {force.id: moved(state, force, {}) for force in state.forces.values() if force.engaged}
    thrusts = _thrusts(state, orders)
    for identity in order_of_play(state, MOVEMENT_ORDER):
        force = state.forces[identity]
        sheet = orders.get(force.side)
        order = sheet.forces.get(identity) if sheet else None
        thrust: Vectors = thrusts.get(identity, {})
        if order is not None and order.chase is not None:
            thrust = chase_thrust(state, force, order.chase, after)
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
        after[identity] = moved(state, force, thrust)
        events.append(_told(after[identity], thrust))
    return replace(state.with_forces(*after.values()), underway={}), tuple(events)


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


def chase_thrust(state: State, force: Force, chase: Chase, moved_so_far: Mapping[str, Force]) -> dict[str, int]:
    """Return the thrust that brings a force near a contact, or away from it, as both lie now.

    ``state`` is as before the phase, ``moved_so_far`` the forces that have had their turn. With markers out of
    sight the contact is reckoned on from where it was last seen. Without a contact the force coasts.
    """
    contact = state.books[force.side].contact_named.get(chase.contact)
    if contact is None or contact.system != force.system:
        return {}
    own = Course(force.hex, Hex(force.vq, force.vr))
    other = _reckoned(state, contact, moved_so_far)
    return pursue(own, other, force_thrust(state, force), distance=chase.distance, is_away=chase.way == "away")


def _reckoned(state: State, contact: Contact, moved_so_far: Mapping[str, Force]) -> Course:
    """Return where a contact was before the phase, and its vector, as far as its side can know it now."""
    force = state.forces.get(contact.force)
    if force is not None and ruling(state.rulings, MARKERS) == OPEN:
        now = moved_so_far.get(force.id, force)
        return Course(force.hex, Hex(now.vq, now.vr))
    velocity = Hex(contact.vq or 0, contact.vr or 0)
    ahead = state.turn - contact.seen
    return Course(Hex(contact.q + ahead * velocity.q, contact.r + ahead * velocity.r), velocity)
