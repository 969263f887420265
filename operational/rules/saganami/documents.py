"""The state as a document and back: canonical whole numbers and text, columns as lists.

``load_state(dump_state(state))`` is the same state, and ``dump_state(load_state(document))`` the same
document. An older schema is lifted step by step by ``LIFTS`` (schema to the function that makes the
next one of it); a sample of each schema is kept among the tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

import numpy as np

from campaign.engine.dice import canonical
from campaign.engine.errors import refuse
from campaign.rulebooks.saganami.ship_class import dump_class, load_class
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from operational.rules.saganami.state import (
    SCHEMA,
    Body,
    Contact,
    Forces,
    Grades,
    JuryRig,
    Meeting,
    Ships,
    SideBook,
    StarSystem,
    State,
    Tries,
)

LIFTS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""Schema to the function that lifts a document of it to the next schema."""

POSTS = tuple(field.name for field in fields(Grades))
_LETTER_OF = {"poor": "p", "average": "a", "veteran": "v", "elite": "e"}
_GRADE_OF = {letter: grade for grade, letter in _LETTER_OF.items()}
_CONTACT_FIELDS = tuple(field.name for field in fields(Contact))

FORCE_TEXTS = ("id", "side", "name", "flagship", "engaged")
FORCE_NUMBERS = ("system", "place", "q", "r", "z", "vq", "vr", "vz", "dq", "dr", "dz", "mq", "mr", "mz", "wedge")
SHIP_TEXTS = ("id", "side", "name", "ship_class", "force", "status")
SHIP_NUMBERS = ("cost", "drones")


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
        classes=dict(_load_classes(canonical(roster["classes"]))),
        forces=_load_forces(found["map"]["forces"]),
        ships=_load_ships(roster["ships"]),
        books={each["side"]: _load_book(each) for each in found["sides"]},
        meetings=tuple(_load_meeting(each) for each in found["meetings"]),
    )


def dump_state(state: State) -> dict[str, Any]:
    """Return the state as a document: lists, mappings, text, whole numbers and booleans."""
    return {
        "schema": SCHEMA,
        "turn": state.turn,
        "epoch": state.epoch,
        "rulings": dict(state.rulings),
        "systems": [_dump_system(each) for each in state.systems],
        "map": {"forces": _dump_forces(state.forces)},
        "roster": {
            "classes": {key: _dump_class(each) for key, each in state.classes.items()},
            "ships": _dump_ships(state.ships),
        },
        "sides": [_dump_book(each) for each in state.books.values()],
        "meetings": [_dump_meeting(each) for each in state.meetings],
    }


@lru_cache(maxsize=32)
def _load_classes(text: str) -> tuple[tuple[str, ShipClass], ...]:
    """Read the ship classes of a state; a campaign's classes hardly change, so they are remembered."""
    return tuple((key, load_class(each)) for key, each in json.loads(text).items())


@lru_cache(maxsize=512)
def _class_text(ship_class: ShipClass) -> str:
    return canonical(dump_class(ship_class))


def _dump_class(ship_class: ShipClass) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(_class_text(ship_class))
    return document


def _load_system(document: Mapping[str, Any]) -> StarSystem:
    bodies = tuple(Body(**each) for each in document["bodies"])
    return StarSystem(
        key=document["key"],
        name=document["name"],
        star=document["star"],
        hyper_limit=document["hyper_limit"],
        bodies=bodies,
        defender=document["defender"],
    )


def _dump_system(system: StarSystem) -> dict[str, Any]:
    bodies = [
        {"id": each.id, "name": each.name, "kind": each.kind, "q": each.q, "r": each.r, "z": each.z}
        for each in system.bodies
    ]
    return {
        "key": system.key,
        "name": system.name,
        "star": system.star,
        "hyper_limit": system.hyper_limit,
        "bodies": bodies,
        "defender": system.defender,
    }


def _load_forces(columns: Mapping[str, Any]) -> Forces:
    texts: dict[str, Any] = {name: tuple(columns[name]) for name in FORCE_TEXTS}
    numbers: dict[str, Any] = {name: np.array(columns[name], dtype=np.int64) for name in FORCE_NUMBERS}
    forces = Forces(
        **texts,
        **numbers,
        dummy=np.array(columns["dummy"], dtype=np.bool_),
        carry={force: tuple(letters) for force, letters in columns["carry"].items()},
        course={force: tuple(dict(step) for step in steps) for force, steps in columns["course"].items()},
        raised=dict(columns["raised"]),
        pretends=dict(columns["pretends"]),
        guise={force: tuple(keys) for force, keys in columns["guise"].items()},
    )
    _check_lengths(columns, (*FORCE_TEXTS, *FORCE_NUMBERS, "dummy"), len(forces), "/map/forces")
    return forces


def _dump_forces(forces: Forces) -> dict[str, Any]:
    return {
        **{name: list(getattr(forces, name)) for name in FORCE_TEXTS},
        **{name: getattr(forces, name).tolist() for name in FORCE_NUMBERS},
        "dummy": forces.dummy.tolist(),
        "carry": {force: list(letters) for force, letters in forces.carry.items()},
        "course": {force: [dict(step) for step in steps] for force, steps in forces.course.items()},
        "raised": dict(forces.raised),
        "pretends": dict(forces.pretends),
        "guise": {force: list(keys) for force, keys in forces.guise.items()},
    }


@lru_cache(maxsize=4096)
def load_grades(letters: str) -> Grades:
    """Return the grades of six letters p, a, v, e in the order tactical, ewo, assistant, helm, engineer, crew."""
    grades: dict[str, Any] = {post: _GRADE_OF[letter] for post, letter in zip(POSTS, letters, strict=True)}
    return Grades(**grades)


@lru_cache(maxsize=4096)
def dump_grades(grades: Grades) -> str:
    """Return the six letters of ``load_grades``."""
    return "".join(_LETTER_OF[getattr(grades, post)] for post in POSTS)


def _load_ships(columns: Mapping[str, Any]) -> Ships:
    texts = {name: tuple(columns[name]) for name in SHIP_TEXTS}
    ships = Ships(
        **texts,
        cost=np.array(columns["cost"], dtype=np.int64),
        drones=np.array(columns["drones"], dtype=np.int64),
        grades=tuple(map(load_grades, columns["grades"])),
        damage={ship: dict(lost) for ship, lost in columns["damage"].items()},
        stores={ship: dict(left) for ship, left in columns["stores"].items()},
        rigs={ship: tuple(JuryRig(**each) for each in rigs) for ship, rigs in columns["rigs"].items()},
        life_support=dict(columns["life_support"]),
        repairs={
            ship: {track: Tries(**each) for track, each in tracks.items()}
            for ship, tracks in columns["repairs"].items()
        },
    )
    _check_lengths(columns, (*SHIP_TEXTS, *SHIP_NUMBERS, "grades"), len(ships), "/roster/ships")
    return ships


def _dump_ships(ships: Ships) -> dict[str, Any]:
    return {
        **{name: list(getattr(ships, name)) for name in SHIP_TEXTS},
        **{name: getattr(ships, name).tolist() for name in SHIP_NUMBERS},
        "grades": list(map(dump_grades, ships.grades)),
        "damage": {ship: dict(lost) for ship, lost in ships.damage.items()},
        "stores": {ship: dict(left) for ship, left in ships.stores.items()},
        "rigs": {
            ship: [
                {"track": each.track, "boxes": each.boxes, "made": each.made, "due": each.due, "left": each.left}
                for each in rigs
            ]
            for ship, rigs in ships.rigs.items()
        },
        "life_support": dict(ships.life_support),
        "repairs": {
            ship: {track: {"once": each.once, "shipyard": each.shipyard} for track, each in tracks.items()}
            for ship, tracks in ships.repairs.items()
        },
    }


def _load_book(document: Mapping[str, Any]) -> SideBook:
    columns = document["contacts"]
    return SideBook(
        side=document["side"],
        name=document["name"],
        contacts=tuple(Contact(*row) for row in zip(*(columns[name] for name in _CONTACT_FIELDS), strict=True)),
        ledger=tuple(document["ledger"]),
        preferences=dict(document["preferences"]),
        next_contact=document["next_contact"],
        next_engagement=document["next_engagement"],
        engagement_numbers=dict(document["engagement_numbers"]),
        allies=tuple(document["allies"]),
    )


def _dump_book(book: SideBook) -> dict[str, Any]:
    contacts: dict[str, list[Any]] = {name: [] for name in _CONTACT_FIELDS}
    for name, column in contacts.items():
        column.extend([getattr(contact, name) for contact in book.contacts])
    return {
        "side": book.side,
        "name": book.name,
        "contacts": contacts,
        "ledger": [dict(each) for each in book.ledger],
        "preferences": dict(book.preferences),
        "next_contact": book.next_contact,
        "next_engagement": book.next_engagement,
        "engagement_numbers": dict(book.engagement_numbers),
        "allies": list(book.allies),
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
    }


def _check_lengths(columns: Mapping[str, Any], names: tuple[str, ...], length: int, place: str) -> None:
    """Refuse columns that are not of one length."""
    for name in names:
        if len(columns[name]) != length:
            message = f"Column {name} has {len(columns[name])} rows where {length} are expected."
            raise refuse("columns-differ", message, place=f"{place}/{name}")
