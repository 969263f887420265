"""Thrust and movement of forces: vectors carry them on, thrust displaces them by half of its change (B3, B5).

All forces move at once, in arrays; only forces that thrust are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from campaign.engine.dice import TurnDice
from campaign.engine.hexes import Hex
from campaign.engine.ruleset import Event
from campaign.engine.vectors import Vectors, format_vectors, from_axial, to_axial
from campaign.rulebooks.saganami.movement import is_thrust_legal, is_within_speed_limit
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.flight import flight_of, shifted
from operational.rules.saganami.forces import force_thrusts, ship_thrusts
from operational.rules.saganami.orders import Orders
from operational.rules.saganami.state import ON_MAP, WEDGE_UP, State
from operational.rules.saganami.switches import ENGAGED_FORCES, ruling

Course = tuple[Mapping[str, int], ...]


@rule("B3.11", "B3.12", "B3.14", "B3.27", "B3.32", "B5.12")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Move every force by its vectors and this turn's displacement, then add its thrust to its vectors."""
    forces = state.forces
    changes, courses, ended = _changes(state, orders)
    events: list[Event] = [_course_ended(state, force) for force in ended]
    count = len(forces)
    change = np.zeros((3, count), dtype=np.int64)
    shift = np.zeros((3, count), dtype=np.int64)
    carries: dict[str, tuple[str, ...]] = {}
    thrusts = _thrusts(state, orders) if changes else []
    for row, wanted in changes.items():
        reason = _why_not(state, row, wanted, thrusts[row])
        if reason is not None:
            courses.pop(forces.id[row], None)
            events.append(_held(state, row, reason))
            continue
        before = flight_of(state, row)
        after = before.after(wanted)
        change[:, row] = after.velocity.less(before.velocity)
        if int(forces.place[row]) == ON_MAP:
            shift[:, row] = shifted(before, after)
            if after.carry:
                carries[forces.id[row]] = after.carry
        events.append(_thrusted(state, row, wanted, after.velocity, Hex(*shift[:, row].tolist())))
    moving = forces.place == ON_MAP
    if ruling(state.rulings, ENGAGED_FORCES) == "hold":
        moving &= np.array([not engaged for engaged in forces.engaged], dtype=np.bool_)
    step = np.where(moving, np.stack([forces.vq, forces.vr, forces.vz]) + shift, 0)
    moved_forces = replace(
        forces,
        q=forces.q + step[0],
        r=forces.r + step[1],
        z=forces.z + step[2],
        vq=forces.vq + change[0],
        vr=forces.vr + change[1],
        vz=forces.vz + change[2],
        dq=change[0],
        dr=change[1],
        dz=change[2],
        mq=step[0],
        mr=step[1],
        mz=step[2],
        carry=carries,
        course=courses,
    )
    return replace(state, forces=moved_forces), tuple(events)


@rule("B3.231", "B5.122")
def _thrusts(state: State, orders: Mapping[str, Orders]) -> list[int]:
    """Return every force's thrust this turn, by row: its slowest ship's, with a point more where a ship red-lines."""
    found: list[int] = force_thrusts(state).tolist()
    red_lining = {
        force: set(order.red_line)
        for sheet in orders.values()
        for force, order in sheet.forces.items()
        if order.red_line
    }
    if red_lining:
        ratings = ship_thrusts(state).tolist()
        for force, pushed in red_lining.items():
            rows = state.ships.of_force.get(force, ())
            if rows:
                found[state.forces.index[force]] = min(ratings[row] + (state.ships.id[row] in pushed) for row in rows)
    return found


def _changes(state: State, orders: Mapping[str, Orders]) -> tuple[dict[int, Vectors], dict[str, Course], list[str]]:
    """Return the change each thrusting force wants (by row), the standing courses left after this turn, and
    the forces that fly the last change of theirs."""
    forces = state.forces
    courses: dict[str, Course] = dict(forces.course)
    single: dict[str, Vectors] = {}
    for sheet in orders.values():
        for force, order in sheet.forces.items():
            if order.course is not None:
                courses[force] = order.course
            elif order.thrust is not None:
                courses.pop(force, None)
                single[force] = order.thrust
    wanted: dict[int, Vectors] = {}
    index = forces.index
    for force, change in single.items():
        row = index.get(force)
        if row is not None and change and not forces.engaged[row]:
            wanted[row] = change
    left: dict[str, Course] = {}
    ended: list[str] = []
    for force, course in courses.items():
        row = index.get(force)
        if row is None or forces.engaged[row] or not course:
            continue
        if course[0]:
            wanted[row] = course[0]
        if len(course) > 1:
            left[force] = course[1:]
        else:
            ended.append(force)
    return dict(sorted(wanted.items())), left, sorted(ended, key=index.__getitem__)


@rule("B3.22", "B3.24", "B5.122", "B5.123", "B5.145")
def _why_not(state: State, row: int, change: Vectors, thrust: int) -> tuple[str, str] | None:
    """Return why a force cannot make this change of velocity now, as (sentence, rule), or None."""
    forces = state.forces
    if int(forces.wedge[row]) != WEDGE_UP:
        return "its wedge is down", "B5.145"
    if not is_thrust_legal(thrust, change):
        return f"its slowest ship has thrust {thrust}", "B3.24"
    velocity = Hex(int(forces.vq[row]), int(forces.vr[row]), int(forces.vz[row])).moved(*to_axial(change))
    if not is_within_speed_limit(from_axial(*velocity)):
        return "it would be faster than normal space allows", "B5.123"
    return None


def _held(state: State, row: int, reason: tuple[str, str]) -> Event:
    forces = state.forces
    return Event(
        "thrust-held",
        f"{forces.name[row]} coasts: {reason[0]}.",
        (forces.side[row],),
        (reason[1],),
        {"force": forces.id[row]},
    )


def _thrusted(state: State, row: int, change: Vectors, velocity: Hex, shift: Hex) -> Event:
    forces = state.forces
    after = from_axial(*velocity)
    return Event(
        "force-thrust",
        f"{forces.name[row]} thrusts {format_vectors(change)} and makes {format_vectors(after)} now.",
        (forces.side[row],),
        ("B3.24", "B3.27", "B3.32"),
        {"force": forces.id[row], "change": dict(change), "displacement": from_axial(*shift), "velocity": after},
    )


def _course_ended(state: State, force: str) -> Event:
    forces = state.forces
    row = forces.index[force]
    return Event(
        "course-ended",
        f"{forces.name[row]} flies the last turn of its course.",
        (forces.side[row],),
        ("B3.11",),
        {"force": force},
    )
