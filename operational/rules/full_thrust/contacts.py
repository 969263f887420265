"""Contacts: which markers a side sees on the map, and which ships behind them it has detected.

In the source counters lie on the map for both sides, and dummies make them worth doubting: that is the
"open" ruling. With "in-reach" a marker is only seen where a sensor could be used on it. Whatever is known
of ships comes from scans alone. A detected ship is tracked from marker to marker as long as somebody holds
a sensor lock on it; a contact hangs on its force, which only the umpire knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from campaign.engine.dice import Stream, TurnDice, canonical
from campaign.engine.hexes import distance_in_plane
from campaign.engine.ruleset import Event
from operational.rules.full_thrust.sensors import Lock, locks_after_cloaking, operational_reach
from operational.rules.full_thrust.ship_class import sensor_grade
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import ACTIVE, Contact, Detected, Force, Ship, SideBook, State
from operational.rules.full_thrust.switches import CONTACT_MEMORY, MARKERS, ruling
from operational.rules.full_thrust.tables import Mode, SensorGrade
from operational.rules.full_thrust.tokens import new_token

ALL_DETECTED = "all-detected"
OPEN = "open"
Tokens = Callable[[str, str], str]
"""(side, what it names) to an outward id."""


def dice_tokens(dice: TurnDice, phase: str) -> Tokens:
    """Return ids from the umpire's stream, each from an address of its own."""
    return lambda side, subject: new_token(dice.umpire(phase, f"{side}/{subject}", "token"))


def keyed_tokens(key: str) -> Tokens:
    """Return ids that hang on a secret text, where no dice are at hand; the same text gives the same ids."""
    return lambda side, subject: new_token(Stream(key.encode(), canonical([side, subject])))


def map_sensor(state: State, ship: Ship) -> SensorGrade | None:
    """Return the grade of a ship's sensors on the map; None for craft, which the map's table does not have."""
    grade = sensor_grade(state.class_of(ship), ship.damage)
    return None if grade == "fighter" else grade


class _Eye(NamedTuple):
    """An own marker that sees: where, and how far."""

    system: str
    q: int
    r: int
    reach: int


@rule("operational-sensor-table", "sensors")
def eyes_of(state: State, side: str) -> list[_Eye]:
    """Return from where and how far a side's sensors reach: passive ones, and active ones that were declared."""
    eyes = []
    for force in state.forces_of(side):
        reaches = [
            operational_reach(grade, mode)
            for ship in state.members.get(force.id, ())
            if not ship.cloaked and (grade := map_sensor(state, ship)) is not None
            for mode in _modes(force, ship)
        ]
        if reaches:
            eyes.append(_Eye(force.system, force.q, force.r, max(reaches)))
    return eyes


def _modes(force: Force, ship: Ship) -> tuple[Mode, ...]:
    return ("passive", "active") if ship.id in force.active else ("passive",)


def markers_seen(state: State, side: str) -> list[Force]:
    """Return the other side's task forces whose markers a side sees, dummies with them."""
    others = [force for force in state.forces.values() if force.side != side]
    if ruling(state.rulings, MARKERS) == OPEN:
        return others
    eyes = eyes_of(state, side)
    return [
        force
        for force in others
        if force.engaged
        or any(
            eye.system == force.system and distance_in_plane(force.q - eye.q, force.r - eye.r) <= eye.reach
            for eye in eyes
        )
    ]


@rule("sharing", "vectors", "active-counters", "thrust-marker")
def refreshed(state: State, turn: int, tokens: Tokens) -> tuple[State, tuple[Event, ...]]:
    """Write into both sides' books what they see of each other's markers after ``turn``."""
    events: list[Event] = []
    for side in tuple(state.books):
        book, told = _refreshed(state, state.books[side], turn, tokens)
        state = state.with_book(book)
        events += told
    return state, tuple(events)


def _refreshed(state: State, book: SideBook, turn: int, tokens: Tokens) -> tuple[SideBook, list[Event]]:
    is_open = ruling(state.rulings, MARKERS) == OPEN
    seen = {force.id: force for force in markers_seen(state, book.side)}
    tracked = {state.ships[each.ship].force for each in book.detected if each.is_locked}
    held = book.contact_of
    kept: list[Contact] = []
    events: list[Event] = []
    for contact in book.contacts:
        if contact.force in seen:
            kept.append(_sighted(contact, seen[contact.force], turn, is_open or contact.force in tracked))
        elif is_open:
            events.append(_event(book, "contact-gone", contact, "left the map"))
        elif not contact.lost:
            kept.append(replace(contact, lost=True, force=""))
            events.append(_event(book, "contact-lost", contact, "is out of reach"))
        elif _is_remembered(state, contact, turn):
            kept.append(contact)
    fresh = sorted(
        ((force, tokens(book.side, force.id)) for key, force in seen.items() if key not in held),
        key=lambda each: (each[0].system, each[0].q, each[0].r, each[1]),
    )
    number = book.next_contact
    for force, token in fresh:
        blank = Contact(token, number, force.id, force.system, 0, 0, None, None, 0, "", turn)
        contact = _sighted(blank, force, turn, is_open or force.id in tracked)
        kept.append(contact)
        events.append(_event(book, "contact-gained", contact, "is on the map"))
        number += 1
    changed = replace(book, contacts=tuple(kept), next_contact=number)
    return replace(changed, detected=_still_known(state, changed)), events


def _sighted(contact: Contact, force: Force, turn: int, shows_vector: bool) -> Contact:
    """Return a contact as its marker lies now."""
    return replace(
        contact,
        system=force.system,
        q=force.q,
        r=force.r,
        vq=force.vq if shows_vector else None,
        vr=force.vr if shows_vector else None,
        counters=len(force.active),
        marker=force.marker,
        seen=turn,
    )


def _is_remembered(state: State, contact: Contact, turn: int) -> bool:
    memory = ruling(state.rulings, CONTACT_MEMORY)
    return memory == "never" or turn - contact.seen <= int(memory)


@rule("cloaking", "sharing")
def _still_known(state: State, book: SideBook) -> tuple[Detected, ...]:
    """Return what is known of ships: locks go with holders and with markers out of sight, knowledge with its contact.

    A ship that is locked is known to be with the marker it is with now.
    """
    contacts = {contact.id for contact in book.contacts}
    found = []
    for each in book.detected:
        ship = state.ships[each.ship]
        if ship.status != ACTIVE and each.is_locked:
            continue  # who tracks a ship sees it go; of a remembered one nobody knows
        marker = book.contact_of.get(ship.force)
        holders = each.holders if marker is not None else ()
        holders = tuple(
            holder for holder in holders if state.ships[holder].status == ACTIVE and state.ships[holder].force
        )
        now = replace(each, holders=holders, contact=marker.id if marker is not None and holders else each.contact)
        if now.contact in contacts:
            found.append(now)
    return tuple(found)


@rule("cloaking")
def with_cloaked(state: State, ship: str) -> State:
    """Return the state in which a ship has cloaked: the locks on it and its own are gone, on both sides."""
    for book in tuple(state.books.values()):
        locks = [Lock(holder, each.ship) for each in book.detected for holder in each.holders]
        left = locks_after_cloaking(locks, ship)
        detected = tuple(
            replace(each, holders=tuple(holder for holder in each.holders if Lock(holder, each.ship) in left))
            for each in book.detected
        )
        state = state.with_book(replace(book, detected=detected))
    return state.with_ships(replace(state.ships[ship], cloaked=True))


def without_contacts(state: State, forces: Iterable[str]) -> State:
    """Return the state in which both sides know that these markers have left the map."""
    gone = frozenset(forces)
    for book in tuple(state.books.values()):
        kept = tuple(contact for contact in book.contacts if contact.force not in gone)
        state = state.with_book(replace(book, contacts=kept))
    return state


def _event(book: SideBook, kind: str, contact: Contact, text: str) -> Event:
    return Event(
        kind,
        f"Contact {contact.number} {text}.",
        (book.side,),
        ("vectors",),
        {"contact": contact.id, "number": contact.number},
    )
