"""What a side is shown: its report, made of the state and of nothing the side has not learnt.

``view_for`` is a side's report and ``view_of_umpire`` the same shape with the truth in it, as
docs/rulesets.md describes. Both look at whole columns; thousands of forces cost milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from campaign.engine.clock import format_instant, parse_instant
from campaign.engine.hexes import ranges_squared
from campaign.engine.vectors import from_axial
from campaign.rulebooks.saganami.movement import OPERATIONAL_SPEED_LIMIT
from campaign.rulebooks.saganami.scales import TRANSLATE_SPEED_LIMIT, operational_instant
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.contacts_view import ledger_for, view_contacts
from operational.rules.saganami.flight import flight_of, fly
from operational.rules.saganami.forces import force_thrusts
from operational.rules.saganami.preferences import DEFAULTS
from operational.rules.saganami.state import GONE, IN_HYPERSPACE, ON_MAP, WEDGE_UP, Meeting, SideBook, State
from operational.rules.saganami.view_ships import class_documents, ship_documents

SCHEMA = 1
RULESET = "operational/saganami"
UNITS = {"distance": "hexes", "velocity": "hexes a turn", "turn": "operational turn", "thrust": "thrust points"}
GHOSTS = 3
PLACES = {ON_MAP: "map", IN_HYPERSPACE: "hyperspace", GONE: "gone"}

Document = dict[str, Any]


@rule("B5.14")
def view_for(state: State, side: str) -> Document:
    """Return the report of one side after the turn just played."""
    book = state.books[side]
    rows = [row for row, owner in enumerate(state.forces.side) if owner == side]
    ships = [row for row, owner in enumerate(state.ships.side) if owner == side]
    return {
        **_frame(state),
        "side": side,
        "side_name": book.name,
        "forces": force_documents(state, rows),
        "contacts": view_contacts(state, side),
        "ships": ship_documents(state, ships),
        "classes": class_documents(state, {state.ships.ship_class[row] for row in ships}),
        "ledger": ledger_for(state, side),
        "engagements": _engagements(state, book),
        "preferences": {**DEFAULTS, **book.preferences},
        "facts": _side_facts(state, ships),
    }


def view_of_umpire(state: State) -> Document:
    """Return the truth in the shape of a report, with "side" null there and each row's own side in the row."""
    rows = range(len(state.forces))
    ships = range(len(state.ships))
    return {
        **_frame(state),
        "side": None,
        "side_name": "Umpire",
        "forces": force_documents(state, rows),
        "contacts": [],
        "ships": ship_documents(state, ships),
        "classes": class_documents(state, state.classes),
        "ledger": [dict(each) for book in state.books.values() for each in book.ledger],
        "engagements": [
            _engagement(state, meeting, number, None, {}) for number, meeting in enumerate(state.meetings, start=1)
        ],
        "preferences": {},
        "facts": _side_facts(state, ships),
    }


def _frame(state: State) -> Document:
    """Return what every report starts with: when, in which units, and the maps everyone has."""
    at = operational_instant(parse_instant(state.epoch), state.turn)
    return {
        "ruleset": RULESET,
        "schema": SCHEMA,
        "turn": state.turn,
        "at": format_instant(at),
        "units": dict(UNITS),
        "rulings": dict(state.rulings),
        "sides": [{"key": book.side, "name": book.name} for book in state.books.values()],
        "systems": [
            {
                "key": system.key,
                "name": system.name,
                "star": system.star,
                "bodies": [
                    {"id": body.id, "name": body.name, "kind": body.kind, "q": body.q, "r": body.r, "z": body.z}
                    for body in system.bodies
                ],
                "rings": [
                    {"label": "hyper limit", "radius": system.hyper_limit, "style": "limit", "rule": "B5.16"},
                ],
            }
            for system in state.systems
        ],
    }


@lru_cache(maxsize=65536)
def velocity_document(q: int, r: int, z: int) -> Document:
    """Return a velocity as vectors; not to be written to."""
    return dict(from_axial(q, r, z))


def force_documents(state: State, rows: Iterable[int]) -> list[Document]:
    """Return the documents of forces by row, in that order; forces that are gone are left out."""
    forces = state.forces
    here = [row for row in rows if int(forces.place[row]) != GONE]
    if not here:
        return []
    own = np.array(here, dtype=np.int64)
    columns = {name: getattr(forces, name)[own].tolist() for name in ("system", "place", "wedge", "dummy")}
    position = np.stack([forces.q[own], forces.r[own], forces.z[own]])
    velocity = np.stack([forces.vq[own], forces.vr[own], forces.vz[own]])
    thrust = force_thrusts(state)[own].tolist()
    limits = np.array([system.hyper_limit for system in state.systems], dtype=np.int64)[forces.system[own]]
    outside = ranges_squared(*position) >= limits * limits
    speed = np.sqrt(ranges_squared(*velocity)).astype(np.int64)
    ahead = [(position + turns * velocity).T.tolist() for turns in range(1, GHOSTS + 1)]
    ships = state.ships
    members = ships.of_force
    found: list[Document] = []
    for at, (row, where, moves, is_outside, fast) in enumerate(
        zip(here, position.T.tolist(), velocity.T.tolist(), outside.tolist(), speed.tolist(), strict=True)
    ):
        force = forces.id[row]
        on_map = columns["place"][at] == ON_MAP
        marks = ["wedge-up" if columns["wedge"][at] == WEDGE_UP else "wedge-down"]
        if columns["dummy"][at]:
            marks.append("dummy")
        if forces.engaged[row]:
            marks.append("in-battle")
        course = forces.course.get(force, ())
        q, r, z = where
        found.append(
            {
                "id": force,
                "side": forces.side[row],
                "name": forces.name[row],
                "system": state.systems[columns["system"][at]].key,
                "q": q,
                "r": r,
                "z": z,
                "place": PLACES[columns["place"][at]],
                "velocity": velocity_document(*moves),
                "speed": fast,
                "thrust": thrust[at],
                "marks": marks,
                "ships": [ships.id[each] for each in members.get(force, ())],
                "flagship": forces.flagship[row] or None,
                "course": [dict(step) for step in course],
                "carry": list(forces.carry.get(force, ())),
                "ghosts": _ghosts(state, row, course, ahead, at) if on_map else [],
                "engaged": forces.engaged[row] or None,
                "outside_limit": on_map and is_outside,
                "facts": _force_facts(on_map, is_outside, fast),
            }
        )
    return found


def _ghosts(
    state: State, row: int, course: Sequence[Mapping[str, int]], ahead: Sequence[Sequence[Sequence[int]]], at: int
) -> list[Document]:
    """Return where a force will be after each of the coming turns, if it keeps its course."""
    turn = state.turn
    if not course:
        return [
            {"turn": turn + number, "q": hexes[at][0], "r": hexes[at][1], "z": hexes[at][2]}
            for number, hexes in enumerate(ahead, start=1)
        ]
    steps = [*course[:GHOSTS], *[{}] * (GHOSTS - len(course))]
    flown = fly(flight_of(state, row), steps)
    return [
        {"turn": turn + number, "q": each.position.q, "r": each.position.r, "z": each.position.z}
        for number, each in enumerate(flown, start=1)
    ]


@lru_cache(maxsize=4096)
def _force_facts(on_map: bool, is_outside: bool, speed: int) -> list[Document]:
    """Return the statements about a force that hang on a rule; shared, not to be written to."""
    facts: list[Document] = [
        {"label": "Speed", "value": f"{speed} of at most {OPERATIONAL_SPEED_LIMIT} hexes a turn", "rule": "B5.123"}
    ]
    if on_map:
        where = "outside" if is_outside else "inside"
        facts.append({"label": "Hyper limit", "value": where, "rule": "B5.16"})
        if is_outside:
            slow = speed <= TRANSLATE_SPEED_LIMIT
            value = "may translate" if slow else f"too fast to translate, at most {TRANSLATE_SPEED_LIMIT} hexes a turn"
            facts.append({"label": "Hyperspace", "value": value, "rule": "B5.161"})
    return facts


def _engagements(state: State, book: SideBook) -> list[Document]:
    """Return the engagements that a side has forces in, under the side's own numbers and contacts."""
    numbers = book.engagement_numbers
    contact_of = {contact.force: contact.id for contact in book.contacts}
    found = [
        _engagement(state, meeting, numbers[meeting.id], book.side, contact_of)
        for meeting in state.meetings
        if meeting.id in numbers
    ]
    return sorted(found, key=lambda each: int(each["number"]))


def _engagement(
    state: State, meeting: Meeting, number: int, side: str | None, contact_of: Mapping[str, str]
) -> Document:
    """Return one engagement: the forces and ships of ``side`` in it (of all for None), and the contacts it met."""
    forces, ships = state.forces, state.ships
    rows = [forces.index[force] for force in meeting.forces if force in forces.index]
    own = [row for row in rows if side is None or forces.side[row] == side]
    system = state.systems[meeting.system]
    return {
        "id": meeting.id,
        "number": number,
        "issue": meeting.issue,
        "status": "closed" if meeting.closed else "open",
        "system": system.key,
        "turn": meeting.turn,
        "forces": [forces.id[row] for row in own],
        "ships": [ships.id[each] for row in own for each in ships.of_force.get(forces.id[row], ())],
        "opponents": [contact_of[force] for force in meeting.forces if force in contact_of],
        "text": f"Engagement {number} at {system.name}, since turn {meeting.turn}.",
    }


def _side_facts(state: State, rows: Iterable[int]) -> list[Document]:
    """Return what is true of a whole side: ships in service and what they cost."""
    ships = state.ships
    active = [row for row in rows if ships.status[row] == "active"]
    cost = int(ships.cost[active].sum()) if active else 0
    return [
        {"label": "Ships in service", "value": str(len(active)), "rule": "D2.221"},
        {"label": "Their points", "value": str(cost), "rule": "D2.221"},
    ]
