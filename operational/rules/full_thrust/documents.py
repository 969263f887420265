"""The state as a document and back: whole numbers and text, forces, ships and contacts as columns.

``load_state(dump_state(state))`` is the same state, and ``dump_state(load_state(document))`` the same
document. An older schema is lifted step by step by ``LIFTS`` (schema to the function that makes the
next one of it); a sample of each schema is kept among the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from campaign.engine.errors import refuse
from operational.rules.full_thrust.ship_class import dump_class, undump_class
from operational.rules.full_thrust.state import (
    SCHEMA,
    Body,
    Contact,
    Detected,
    Force,
    Meeting,
    Ship,
    SideBook,
    StarSystem,
    State,
)

Row = TypeVar("Row", Force, Ship, Contact, Detected)

LIFTS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""Schema to the function that lifts a document of it to the next schema."""


def load_state(document: Mapping[str, Any]) -> State:
    """Read a state document. Raises ProblemsError for a schema this edition does not know."""
    found = dict(document)
    while found.get("schema") != SCHEMA:
        lift = LIFTS.get(found.get("schema", 0))
        if lift is None:
            message = f"This state has schema {found.get('schema')!r}; {SCHEMA} and what can be lifted to it are known."
            raise refuse("unknown-schema", message, place="/schema")
        found = lift(found)
    roster = found["roster"]
    return State(
        turn=found["turn"],
        epoch=found["epoch"],
        rulings=dict(found["rulings"]),
        systems=tuple(_load_system(each) for each in found["systems"]),
        classes={key: undump_class(each) for key, each in roster["classes"].items()},
        forces={each.id: each for each in _load_rows(Force, found["map"]["forces"], "/map/forces")},
        ships={each.id: each for each in _load_rows(Ship, roster["ships"], "/roster/ships")},
        books={each["side"]: _load_book(each) for each in found["sides"]},
        meetings=tuple(_load_meeting(each) for each in found["meetings"]),
        initiative=found["initiative"],
    )


def dump_state(state: State) -> dict[str, Any]:
    """Return the state as a document: lists, mappings, text, whole numbers, booleans and null."""
    return {
        "schema": SCHEMA,
        "turn": state.turn,
        "epoch": state.epoch,
        "initiative": state.initiative,
        "rulings": dict(state.rulings),
        "systems": [_dump_system(each) for each in state.systems],
        "map": {"forces": _dump_rows(Force, state.forces.values())},
        "roster": {
            "classes": {key: dump_class(each) for key, each in state.classes.items()},
            "ships": _dump_rows(Ship, state.ships.values()),
        },
        "sides": [_dump_book(each) for each in state.books.values()],
        "meetings": [_dump_meeting(each) for each in state.meetings],
    }


def _columns(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _dump_rows(kind: type[Row], rows: Iterable[Row]) -> dict[str, list[Any]]:
    listed = list(rows)
    return {name: [_plain(getattr(row, name)) for row in listed] for name in _columns(kind)}


def _load_rows(kind: type[Row], columns: Mapping[str, Sequence[Any]], place: str) -> list[Row]:
    names = _columns(kind)
    count = len(columns[names[0]])
    for name in names:
        if len(columns[name]) != count:
            message = f"Column {name} has {len(columns[name])} rows where {count} are expected."
            raise refuse("columns-differ", message, place=f"{place}/{name}")
    return [
        kind(**dict(zip(names, map(_frozen, row), strict=True)))
        for row in zip(*(columns[name] for name in names), strict=True)
    ]


def _plain(value: Any) -> Any:
    """Return a field as JSON has it."""
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _frozen(value: Any) -> Any:
    """Return a field of JSON as a row holds it: lists are tuples, mappings copies."""
    if isinstance(value, list):
        return tuple(value)
    return dict(value) if isinstance(value, Mapping) else value


def _load_system(document: Mapping[str, Any]) -> StarSystem:
    bodies = tuple(Body(**each) for each in document["bodies"])
    return StarSystem(document["key"], document["name"], document["star"], bodies)


def _dump_system(system: StarSystem) -> dict[str, Any]:
    return {
        "key": system.key,
        "name": system.name,
        "star": system.star,
        "bodies": [
            {"id": each.id, "name": each.name, "kind": each.kind, "q": each.q, "r": each.r} for each in system.bodies
        ],
    }


def _load_book(document: Mapping[str, Any]) -> SideBook:
    return SideBook(
        side=document["side"],
        name=document["name"],
        dummies=document["dummies"],
        contacts=tuple(_load_rows(Contact, document["contacts"], "/sides/contacts")),
        detected=tuple(_load_rows(Detected, document["detected"], "/sides/detected")),
        ledger=tuple(document["ledger"]),
        preferences=dict(document["preferences"]),
        next_contact=document["next_contact"],
        next_bogey=document["next_bogey"],
        next_engagement=document["next_engagement"],
        engagement_numbers=dict(document["engagement_numbers"]),
    )


def _dump_book(book: SideBook) -> dict[str, Any]:
    return {
        "side": book.side,
        "name": book.name,
        "dummies": book.dummies,
        "contacts": _dump_rows(Contact, book.contacts),
        "detected": _dump_rows(Detected, book.detected),
        "ledger": [dict(each) for each in book.ledger],
        "preferences": dict(book.preferences),
        "next_contact": book.next_contact,
        "next_bogey": book.next_bogey,
        "next_engagement": book.next_engagement,
        "engagement_numbers": dict(book.engagement_numbers),
    }


def _load_meeting(document: Mapping[str, Any]) -> Meeting:
    return Meeting(
        id=document["id"],
        issue=document["issue"],
        turn=document["turn"],
        issued=document["issued"],
        system=document["system"],
        forces=tuple(document["forces"]),
        document=document["document"],
        closed=document["closed"],
        parting=tuple((one, other) for one, other in document["parting"]),
    )


def _dump_meeting(meeting: Meeting) -> dict[str, Any]:
    return {
        "id": meeting.id,
        "issue": meeting.issue,
        "turn": meeting.turn,
        "issued": meeting.issued,
        "system": meeting.system,
        "forces": list(meeting.forces),
        "document": dict(meeting.document),
        "closed": meeting.closed,
        "parting": [list(each) for each in meeting.parting],
    }
