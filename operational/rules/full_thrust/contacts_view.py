"""Contacts as a side reads them, in the shape of docs/rulesets.md, from its own book and public maps alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.vectors import format_vectors, from_axial
from operational.rules.full_thrust.contacts import ALL_DETECTED
from operational.rules.full_thrust.sensors import contact_marker, has_firing_solution, size_class
from operational.rules.full_thrust.ship_class import TRACK_LABELS, ShipClass
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import Contact, Detected, SideBook, State
from operational.rules.full_thrust.tables import FACTS, PRINTED_VELOCITIES, SIZE_CLASS_NAMES

GHOSTS = 3
Document = dict[str, Any]

_PIPS: Mapping[str, int] = {"size-class": 1, "mass": 2, "class": 3, "layout": 4, "condition": 4}
_TITLES: Mapping[str, str] = {
    "size-class": "Size class",
    "velocity": "Velocity",
    "course": "Course",
    "facing": "Facing",
    "screens": "Screens",
    "mass": "Mass",
    "class": "Class",
    "layout": "Layout",
    "condition": "Condition",
}


def view_contacts(state: State, side: str) -> list[Document]:
    """Return a side's contacts in the order of their list numbers.

    ``reach`` is how many hexes a marker out of sight may have moved, at the velocity table's last row.
    """
    book = state.books[side]
    enemy = state.enemy_of(side)
    name = state.books[enemy].name
    return [
        _document(state, book, contact, enemy, name) for contact in sorted(book.contacts, key=lambda each: each.number)
    ]


@rule("passive-results", "active-results", "active-counters", "sharing")
def _document(state: State, book: SideBook, contact: Contact, enemy: str, name: str) -> Document:
    ships = [each for each in book.detected if each.contact == contact.id]
    knows = ["marker"]
    knows += [mark for mark in ("bogey", "identified") if any(_marker_of(each) == mark for each in ships)]
    knows += sorted(contact.told)
    velocity = None if contact.vq is None or contact.vr is None else from_axial(contact.vq, contact.vr)
    age = max(0, state.turn - contact.seen)
    pips = max((_PIPS.get(fact, 0) for each in ships for fact in each.facts), default=0)
    return {
        "id": contact.id,
        "number": contact.number,
        "label": f"Contact {contact.number}",
        "system": contact.system,
        "q": contact.q,
        "r": contact.r,
        "z": 0,
        "velocity": velocity,
        "knows": knows,
        "pips": 5 if ALL_DETECTED in contact.told else pips,
        "facts": _facts(state, contact, ships, velocity),
        "ships": [_ship(state, each) for each in ships],
        "counters": contact.counters,
        "marker": contact.marker or None,
        "seen": contact.seen,
        "age": age,
        "lost": contact.lost,
        "ghosts": [] if velocity is None or contact.lost else _ghosts(state.turn, contact),
        "side": enemy,
        "side_name": name,
        "ally": False,
        "reach": age * len(PRINTED_VELOCITIES),
    }


def _marker_of(ship: Detected) -> str | None:
    return contact_marker(ship.facts)


def _ghosts(turn: int, contact: Contact) -> list[Document]:
    """Return the places of a contact that coasts on."""
    vq, vr = contact.vq or 0, contact.vr or 0
    return [
        {"turn": turn + ahead, "q": contact.q + ahead * vq, "r": contact.r + ahead * vr, "z": 0}
        for ahead in range(1, GHOSTS + 1)
    ]


def _facts(state: State, contact: Contact, ships: list[Detected], velocity: Mapping[str, int] | None) -> list[Document]:
    """Return what is known of a contact, each with the turn of it; what is not known is not there."""
    found = [_fact("Active sensor counters", str(contact.counters), "active-counters", contact.seen)]
    if velocity is not None:
        found.append(_fact("Vector", format_vectors(velocity), "vectors", contact.seen))
    if contact.marker:
        found.append(_fact("Thrust marker", f"on side {contact.marker}", "thrust-marker", contact.seen))
    for each in ships:
        value = "; ".join(f"{fact['label'].lower()} {fact['value']}" for fact in _ship_facts(state, each))
        where = f"Bogey {each.number}" if each.is_locked else f"Bogey {each.number}, lock lost"
        found.append(_fact(where, value, "sharing", each.seen))
    if ALL_DETECTED in contact.told:
        text = "every ship there was detected"
        found.append(_fact("All detected", text, "false-contacts", contact.told[ALL_DETECTED]))
    return found


def _fact(label: str, value: str, rule_key: str, turn: int) -> Document:
    return {"label": label, "value": value, "rule": rule_key, "turn": turn}


@rule("passive-results", "active-results")
def _ship(state: State, ship: Detected) -> Document:
    """Return a ship that was detected. With a lock there is a firing solution; without one it is only remembered."""
    return {
        "id": ship.id,
        "number": ship.number,
        "label": f"Bogey {ship.number}",
        "marker": _marker_of(ship),
        "locked": ship.is_locked,
        "firing_solution": ship.is_locked and has_firing_solution(ship.facts),
        "class": ship.facts.get("class"),
        "seen": ship.seen,
        "facts": _ship_facts(state, ship),
    }


def _ship_facts(state: State, ship: Detected) -> list[Document]:
    found = []
    for fact in FACTS:
        if fact in ship.facts:
            value = fact_text(state.classes, fact, ship.facts[fact])
            rule_key = "size-class" if fact == "size-class" else "passive-results"
            found.append(_fact(_TITLES[fact], value, rule_key, ship.learnt[fact]))
    return found


def fact_text(classes: Mapping[str, ShipClass], fact: str, value: Any) -> str:
    """Return a fact's value in words."""
    if fact == "size-class":
        return f"{value}, {SIZE_CLASS_NAMES[value - 1]}"
    if fact == "velocity":
        return f"{value} hexes a turn"
    if fact == "course":
        return format_vectors(from_axial(*value))
    if fact == "facing":
        return "none that shows" if value is None else f"side {value}"
    if fact == "class":
        return classes[value].name
    if fact == "layout":
        return "known"
    if fact == "condition":
        hurt = ", ".join(f"{TRACK_LABELS[track].lower()} {lost} lost" for track, lost in value.items())
        return hurt or "undamaged"
    if fact == "mass":
        return f"{value}, size class {size_class(value)}"
    return str(value)


def known_layouts(book: SideBook) -> list[str]:
    """Return the classes of the other side whose layout is known."""
    return sorted({each.facts["layout"] for each in book.detected if "layout" in each.facts})
