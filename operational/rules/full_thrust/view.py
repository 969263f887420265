"""What a side is shown: its report, made of the state and of nothing the side has not learnt.

``view_for`` is a side's report and ``view_of_umpire`` the same shape with the truth in it, as
docs/rulesets.md describes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from campaign.engine.clock import exact_minutes, format_instant, from_minutes, parse_instant
from campaign.engine.vectors import from_axial
from operational.rules.full_thrust.contacts_view import known_layouts, view_contacts
from operational.rules.full_thrust.forces import force_thrust
from operational.rules.full_thrust.preferences import EASIEST_SHIP, KEYS, MARKER_SIDES, preference
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import ACTIVE, Force, Meeting, Ship, SideBook, State
from operational.rules.full_thrust.tables import OPERATIONAL_TURN_MINUTES, SIDES_OF_A_HEX
from operational.rules.full_thrust.view_ships import class_documents, ship_document

SCHEMA = 1
RULESET = "operational/full-thrust"
UNITS = {"distance": "hexes", "velocity": "hexes a turn", "turn": "operational turn", "thrust": "thrust points"}
GHOSTS = 3
DIRECTIONS = "ABCDEF"

Document = dict[str, Any]


@rule("dummy-taskforces", "sharing")
def view_for(state: State, side: str) -> Document:
    """Return the report of one side after the turn just played."""
    book = state.books[side]
    ships = [ship for ship in state.ships.values() if ship.side == side]
    classes = {ship.ship_class for ship in ships}
    return {
        **_frame(state),
        "side": side,
        "side_name": book.name,
        "dummies": book.dummies,
        "forces": [force_document(state, force) for force in state.forces_of(side)],
        "contacts": view_contacts(state, side),
        "ships": [ship_document(state, ship) for ship in ships],
        "classes": class_documents(state, {*classes, *known_layouts(book)}),
        "ledger": [dict(each) for each in book.ledger],
        "engagements": _engagements(state, book),
        "preferences": standing_choices(state, book),
        "facts": _side_facts(state, book, ships),
    }


def view_of_umpire(state: State) -> Document:
    """Return the truth in the shape of a report, with "side" null there and each row's own side in the row."""
    ships = list(state.ships.values())
    return {
        **_frame(state),
        "side": None,
        "side_name": "Umpire",
        "dummies": None,
        "forces": [force_document(state, force) for force in state.forces.values()],
        "contacts": [],
        "ships": [ship_document(state, ship) for ship in ships],
        "classes": class_documents(state, state.classes),
        "ledger": [dict(each) for book in state.books.values() for each in book.ledger],
        "engagements": [
            _engagement(state, meeting, number, None) for number, meeting in enumerate(state.meetings, start=1)
        ],
        "preferences": {},
        "facts": [fact for book in state.books.values() for fact in _side_facts(state, book, ships, named=True)],
    }


@rule("scales")
def _frame(state: State) -> Document:
    """Return what every report starts with: when, in which units, and the maps everyone has."""
    at = exact_minutes(parse_instant(state.epoch), 0) + Fraction(OPERATIONAL_TURN_MINUTES * state.turn)
    return {
        "ruleset": RULESET,
        "schema": SCHEMA,
        "turn": state.turn,
        "at": format_instant(from_minutes(at)),
        "units": dict(UNITS),
        "rulings": dict(state.rulings),
        "sides": [{"key": book.side, "name": book.name} for book in state.books.values()],
        "initiative": state.initiative or None,
        "systems": [
            {
                "key": system.key,
                "name": system.name,
                "star": system.star,
                "bodies": [
                    {"id": body.id, "name": body.name, "kind": body.kind, "q": body.q, "r": body.r, "z": 0}
                    for body in system.bodies
                ],
                "rings": [],
            }
            for system in state.systems
        ],
    }


def standing_choices(state: State, book: SideBook) -> Document:
    """Return a side's standing choices as last filed, without names of what is no more."""
    forces = {force.id for force in state.forces_of(book.side)}
    found: Document = {}
    for key in KEYS:
        filed = preference(book.preferences, key)
        known = set(DIRECTIONS) if key == MARKER_SIDES else set(state.ships) if key == EASIEST_SHIP else forces
        found[key] = [each for each in filed if each in known]
    return found


@rule("vectors", "taskforces", "active-counters", "thrust-marker", "base-facing")
def force_document(state: State, force: Force) -> Document:
    """Return a task force, or dummy, as its owner reads it."""
    members = state.members.get(force.id, ())
    marks = ["dummy"] if force.dummy else []
    if force.engaged:
        marks.append("in-battle")
    if force.active:
        marks.append("active-sensors")
    if members and all(ship.cloaked for ship in members):
        marks.append("cloaked")
    end = force.end_point
    return {
        "id": force.id,
        "side": force.side,
        "name": force.name,
        "system": force.system,
        "q": force.q,
        "r": force.r,
        "z": 0,
        "place": "map",
        "velocity": from_axial(force.vq, force.vr),
        "speed": force.speed,
        "thrust": force_thrust(state, force),
        "marks": marks,
        "ships": [ship.id for ship in members],
        "flagship": None,
        "course": [],
        "end_point": {"q": end.q, "r": end.r},
        "marker": force.marker or None,
        "thrust_used": force.used,
        "active": list(force.active),
        "ghosts": [
            {"turn": state.turn + ahead, "q": force.q + ahead * force.vq, "r": force.r + ahead * force.vr, "z": 0}
            for ahead in range(1, GHOSTS + 1)
        ],
        "engaged": force.engaged or None,
        "facts": _force_facts(force),
    }


def _force_facts(force: Force) -> list[Document]:
    """Return the statements about a force that hang on a rule."""
    end = force.end_point
    facts = [
        {"label": "Velocity", "value": f"{force.speed} hexes a turn", "rule": "vectors"},
        {"label": "Projected end point", "value": f"{end.q}, {end.r}", "rule": "end-point-movement"},
    ]
    if force.marker:
        base = (DIRECTIONS.index(force.marker) + SIDES_OF_A_HEX // 2) % SIDES_OF_A_HEX
        text = f"on side {force.marker}, base facing {DIRECTIONS[base]}, {force.used} thrust"
        facts.append({"label": "Thrust marker", "value": text, "rule": "base-facing"})
    if force.active:
        facts.append({"label": "Active sensor counters", "value": str(len(force.active)), "rule": "active-counters"})
    return facts


def _engagements(state: State, book: SideBook) -> list[Document]:
    """Return the engagements that a side has forces in, in the order of the side's own numbers."""
    numbers = book.engagement_numbers
    found = [
        _engagement(state, meeting, numbers[meeting.id], book) for meeting in state.meetings if meeting.id in numbers
    ]
    return sorted(found, key=lambda each: int(each["number"]))


@rule("table-phase")
def _engagement(state: State, meeting: Meeting, number: int, book: SideBook | None) -> Document:
    """Return one engagement: the forces and ships of a side in it (of all for None), and the contacts it met."""
    here = [state.forces[force] for force in meeting.forces if force in state.forces]
    own = [force for force in here if book is None or force.side == book.side]
    contacts: Mapping[str, Any] = {} if book is None else book.contact_of
    system = next(each for each in state.systems if each.key == meeting.system)
    return {
        "id": meeting.id,
        "number": number,
        "issue": meeting.issue,
        "status": "closed" if meeting.closed else "open",
        "system": system.key,
        "turn": meeting.turn,
        "forces": [force.id for force in own],
        "ships": [ship.id for force in own for ship in state.members.get(force.id, ())],
        "opponents": sorted(contacts[force.id].id for force in here if force.id in contacts),
        "text": f"Engagement {number} at {system.name}, since turn {meeting.turn}.",
    }


def _side_facts(state: State, book: SideBook, ships: Iterable[Ship], *, named: bool = False) -> list[Document]:
    """Return what is true of a whole side: ships in service, their points, and its dummies."""
    active = [ship for ship in ships if ship.side == book.side and ship.status == ACTIVE and not ship.carrier]
    in_play = sum(force.dummy for force in state.forces_of(book.side))
    most = "not rolled yet" if book.dummies is None else f"of {book.dummies} allowed"
    before = f"{book.name}: " if named else ""
    return [
        {"label": f"{before}Ships in service", "value": str(len(active)), "rule": "taskforces"},
        {"label": f"{before}Their points", "value": str(sum(ship.cost for ship in active)), "rule": "ecm-packages"},
        {"label": f"{before}Dummies", "value": f"{in_play} in play, {most}", "rule": "dummy-taskforces"},
    ]
