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
    """Return the documents of forces by row, in that order; forces that are gone are left out. Not to be written to."""
    known: list[Document | None] | None = state.worked_out.get("force_documents")
    if known is None:
        known = state.worked_out["force_documents"] = _all_forces(state)
    return [document for row in rows if (document := known[row]) is not None]


def _all_forces(state: State) -> list[Document | None]:
    """Return the document of every force, by row, None for one that is gone."""
    forces, ships = state.forces, state.ships
    position = np.stack([forces.q, forces.r, forces.z])
    velocity = np.stack([forces.vq, forces.vr, forces.vz])
    limits = np.array([system.hyper_limit for system in state.systems], dtype=np.int64)[forces.system]
    outside = (ranges_squared(*position) >= limits * limits) & (forces.place == ON_MAP)
    speed = np.sqrt(ranges_squared(*velocity)).astype(np.int64)
    ahead = np.stack([position + turns * velocity for turns in range(1, GHOSTS + 1)]).transpose(2, 0, 1).tolist()
    turns = range(state.turn + 1, state.turn + 1 + GHOSTS)
    keys = [system.key for system in state.systems]
    members = ships.of_force
    names = ships.id
    found: list[Document | None] = []
    for row, (force, side, name, flagship, engaged, system, place, where, moves, coasting, fast, is_outside, up, dummy,
              thrust) in enumerate(
        zip(
            forces.id, forces.side, forces.name, forces.flagship, forces.engaged, forces.system.tolist(),
            forces.place.tolist(), position.T.tolist(), velocity.T.tolist(), ahead, speed.tolist(), outside.tolist(),
            (forces.wedge == WEDGE_UP).tolist(), forces.dummy.tolist(), force_thrusts(state).tolist(), strict=True,
        )
    ):  # fmt: skip
        if place == GONE:
            found.append(None)
            continue
        on_map = place == ON_MAP
        course = forces.course.get(force, ())
        ghosts: list[Document] = []
        if on_map and course:
            ghosts = _ghosts(state, row, course)
        elif on_map:
            ghosts = [{"turn": turn, "q": q, "r": r, "z": z} for turn, (q, r, z) in zip(turns, coasting, strict=True)]
        q, r, z = where
        found.append(
            {
                "id": force,
                "side": side,
                "name": name,
                "system": keys[system],
                "q": q,
                "r": r,
                "z": z,
                "place": PLACES[place],
                "velocity": velocity_document(*moves),
                "speed": fast,
                "thrust": thrust,
                "marks": MARKS[up, dummy, bool(engaged)],
                "ships": [names[each] for each in members.get(force, ())],
                "flagship": flagship or None,
                "course": [dict(step) for step in course] if course else [],
                "carry": list(forces.carry.get(force, ())),
                "ghosts": ghosts,
                "engaged": engaged or None,
                "outside_limit": is_outside,
                "facts": _force_facts(on_map, is_outside, fast),
            }
        )
    return found


MARKS = {
    (up, dummy, engaged): [
        "wedge-up" if up else "wedge-down",
        *(["dummy"] if dummy else []),
        *(["in-battle"] if engaged else []),
    ]
    for up in (True, False)
    for dummy in (True, False)
    for engaged in (True, False)
}
"""Marks of a force by wedge up, dummy, in battle; shared, not to be written to."""


def _ghosts(state: State, row: int, course: Sequence[Mapping[str, int]]) -> list[Document]:
    """Return where a force will be after each of the coming turns, by its standing course and coasting after it."""
    steps = [*course[:GHOSTS], *[{}] * (GHOSTS - len(course))]
    flown = fly(flight_of(state, row), steps)
    return [
        {"turn": state.turn + number, "q": each.position.q, "r": each.position.r, "z": each.position.z}
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
