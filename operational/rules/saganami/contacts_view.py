"""Contacts as a side reads them, in the shape of docs/rulesets.md, from its own book and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from campaign.engine.vectors import format_vectors, from_axial
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami import detection_ranges as ranges
from operational.rules.saganami.contacts import known_rows, pips, reach_of, scale_text
from operational.rules.saganami.state import Contact, State

GHOSTS = 3
Document = dict[str, Any]


def view_contacts(state: State, side: str) -> list[Document]:
    """Return a side's contacts in the order of their list numbers, which is that of its book.

    ``reach`` is how many hexes off its last known course (or, where no velocity is known, off its last
    known hex) the thing may be by now; ``ghosts`` are the places of that course, now and in the coming
    turns.
    """
    book = state.books[side]
    keys = [system.key for system in state.systems]
    names = {each.side: each.name for each in state.books.values()}
    allies = {*book.allies, *(each.side for each in state.books.values() if side in each.allies)}
    return [_document(contact, state.turn, keys, names, allies) for contact in book.contacts]


def ledger_for(state: State, side: str) -> list[Document]:
    """Return a side's attempts of the turn just played to learn something, in the order of its sheet."""
    return [dict(each) for each in state.books[side].ledger]


def _document(contact: Contact, turn: int, keys: Sequence[str], names: dict[str, str], allies: set[str]) -> Document:
    facts = contact.facts
    velocity = facts.get("velocity")
    age = max(0, turn - contact.seen)
    side = facts.get("side")
    return {
        "id": contact.id,
        "number": contact.number,
        "label": f"Contact {contact.number}",
        "system": keys[contact.system],
        "q": contact.q,
        "r": contact.r,
        "z": contact.z,
        "velocity": None if velocity is None else vectors_of(*velocity),
        "knows": known_rows(contact),
        "pips": pips(contact),
        "facts": _facts(contact, names),
        "seen": contact.seen,
        "age": age,
        "lost": contact.lost,
        "ghosts": [] if velocity is None or contact.lost else _ghosts(contact, velocity, turn, age),
        "side": side,
        "side_name": None if side is None else names.get(side),
        "ally": side in allies,
        "reach": reach_of(contact, turn),
    }


@lru_cache(maxsize=65536)
def vectors_of(q: int, r: int, z: int) -> dict[str, int]:
    """Return a velocity as vectors; shared, not to be written to."""
    return from_axial(q, r, z)


@lru_cache(maxsize=65536)
def _written(q: int, r: int, z: int) -> str:
    return format_vectors(from_axial(q, r, z))


def _ghosts(contact: Contact, velocity: Sequence[int], turn: int, age: int) -> list[Document]:
    """Return the places of a coasting contact: this turn's where it was not seen, and the next ones."""
    vq, vr, vz = velocity
    first = 0 if age else 1
    return [
        {
            "turn": turn + ahead,
            "q": contact.q + vq * (age + ahead),
            "r": contact.r + vr * (age + ahead),
            "z": contact.z + vz * (age + ahead),
        }
        for ahead in range(first, GHOSTS + 1)
    ]


@rule("B5.143")
def _facts(contact: Contact, names: dict[str, str]) -> list[Document]:
    """Return what was learnt, each with the turn of it; what is not known is not there."""
    facts, learnt = contact.facts, contact.learnt
    found: list[Document] = []
    if "footprint" in facts:
        found.append(_fact("Hyper footprint", ranges.FOOTPRINT_TEXT[facts["footprint"]], "B5.14", learnt["footprint"]))
    if "wedge" in facts:
        found.append(_fact("Wedge", facts["wedge"], "B5.14", learnt["presence"]))
    if "velocity" in facts:
        when = learnt["acceleration"]
        found.append(_fact("Accelerating", _written(*facts["acceleration"]), "B5.143", when))
        found.append(_fact("Velocities", _written(*facts["velocity"]), "B5.143", when))
    if "scale" in facts:
        found.append(_fact("Scale", scale_text(facts["scale"]), "B5.143", learnt["scale"]))
    if "dummy" in facts:
        found.append(_fact("Dummy", "seen through", "B5.14", learnt["dummy"]))
    if "side" in facts:
        found.append(_fact("Side", names.get(facts["side"], facts["side"]), "B5.14", learnt["side"]))
    return found


def _fact(label: str, value: str, rule_key: str, turn: int) -> Document:
    return {"label": label, "value": value, "rule": rule_key, "turn": turn}
