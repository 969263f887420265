"""Contacts: what each side believes of the forces of others, never more than it learnt (B5.14).

A contact hangs on a force, which only the umpire knows. Its facts are plain JSON: "footprint" (a row
of the table), "wedge" ("up" or "down"), "velocity" and "acceleration" ([q, r, z] in hexes a turn),
"scale" (a list of [at least, less than, how many], largest first) with "divisor", "dummy" (true once it
is seen through), "side". ``learnt`` has the turn of each. A contact that is not seen again ages, is
lost after the turns of the "contact-memory" switch, and is forgotten after as many again: what is found
then is a new contact, since nobody could know that it is the old one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from campaign.engine.dice import TurnDice
from campaign.engine.hexes import is_within
from campaign.engine.ruleset import Event
from campaign.engine.vectors import format_vectors, from_axial
from campaign.rulebooks.saganami.movement import OPERATIONAL_SPEED_LIMIT
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami import detection_ranges as ranges
from operational.rules.saganami.state import WEDGE_UP, Contact, SideBook, State
from operational.rules.saganami.switches import CONTACT_MEMORY, ruling
from operational.rules.saganami.tokens import new_token

PHASE = "detection"
NEVER = "never"
# B3.24: the printed plotting grids end at thrust 7, an elite engineer adds one (D1.145), and a change of
# velocity that costs 8 is shorter than 9 because its cost is rounded down.
LONGEST_CHANGE = 9

Scale = list[list[int]]


class Sighting(NamedTuple):
    """What a side learns of one force in a turn.

    ``rows`` counts the rows of the detection table that are learnt, from presence on (0 for a
    footprint alone). ``scale`` holds [at least, less than, how many] with ``divisor``, for three rows
    and more. ``is_seen_through``: it is known for a dummy. ``side`` is the force's side where that
    is told, else "".
    """

    row: int
    rows: int
    footprint: str = ""
    scale: Scale | None = None
    divisor: int = 0
    is_seen_through: bool = False
    side: str = ""


class Whereabouts:
    """The forces' columns as plain lists, made once for all sides of a turn."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.id = state.forces.id

    @cached_property
    def place(self) -> list[tuple[int, int, int, int]]:
        """Return system, q, r and z of each force."""
        forces = self._state.forces
        columns = (forces.system, forces.q, forces.r, forces.z)
        return list(zip(*(column.tolist() for column in columns), strict=True))

    @cached_property
    def before(self) -> list[tuple[int, int, int, int]]:
        """Return system, q, r and z of each force at the start of the turn's movement."""
        forces = self._state.forces
        columns = (forces.system, forces.q - forces.mq, forces.r - forces.mr, forces.z - forces.mz)
        return list(zip(*(column.tolist() for column in columns), strict=True))

    def of(self, sighting: Sighting) -> tuple[int, int, int, int]:
        """Return where a sighting was made: of a footprint where the group came out."""
        return self.before[sighting.row] if sighting.footprint else self.place[sighting.row]

    @cached_property
    def velocity(self) -> list[list[int]]:
        """Return the velocity of each force."""
        forces = self._state.forces
        return [list(each) for each in zip(forces.vq.tolist(), forces.vr.tolist(), forces.vz.tolist(), strict=True)]

    @cached_property
    def acceleration(self) -> list[list[int]]:
        """Return the change of velocity that each force made this turn."""
        forces = self._state.forces
        return [list(each) for each in zip(forces.dq.tolist(), forces.dr.tolist(), forces.dz.tolist(), strict=True)]

    @cached_property
    def wedge(self) -> list[str]:
        """Return "up" or "down" for each force."""
        return ["up" if each == WEDGE_UP else "down" for each in self._state.forces.wedge.tolist()]


def pips(contact: Contact) -> int:
    """Return how many rows of the detection table were ever learnt of a contact, 0 (a footprint) to 5."""
    facts = contact.facts
    if "dummy" in facts:
        return 5
    divisor = facts.get("divisor", 0)
    if divisor:
        return 5 if divisor == 1 else 4 if divisor == 5 else 3
    return 2 if "velocity" in facts else 1 if "wedge" in facts else 0


@dataclass(frozen=True, slots=True)
class Learnt:
    """What became of a side's book: the book, its events, and force id to contact for what was seen."""

    book: SideBook
    events: tuple[Event, ...]
    seen: Mapping[str, Contact]


@rule("B5.14", "B5.143")
def learn(
    book: SideBook, sightings: Iterable[Sighting], where: Whereabouts, turn: int, dice: TurnDice, memory: int | None
) -> Learnt:
    """Write what a side saw in ``turn`` into its book, and let the rest age.

    At most one sighting a force. What is seen where a contact cannot have got to, and what comes out of
    hyperspace, is a new contact: the side could not know it again. New contacts get the side's next list
    numbers in the order of their places, so that a number tells nothing of the forces' own order.
    ``memory`` is the number of turns after which a contact is lost, None for never.
    """
    held = {contact.force: contact for contact in book.contacts if not contact.lost}
    refreshed: dict[str, Contact] = {}
    fresh: list[tuple[tuple[int, int, int, int], str, Sighting]] = []
    improved: list[Contact] = []
    for sighting in sightings:
        force = where.id[sighting.row]
        old = held.get(force)
        if old is None or sighting.footprint or not _may_be(old, where.place[sighting.row], turn):
            fresh.append((where.of(sighting), _token(dice, book.side, force), sighting))
            continue
        contact = _updated(old, sighting, where, turn)
        refreshed[force] = contact
        if pips(contact) > pips(old):
            improved.append(contact)
    found_anew = {where.id[sighting.row] for _, _, sighting in fresh}
    kept, lost = _aged(book.contacts, refreshed, found_anew, turn, memory)
    number = book.next_contact
    gained: list[tuple[Contact, Sighting]] = []
    for _, token, sighting in sorted(fresh, key=lambda each: each[:2]):
        blank = Contact(token, number, where.id[sighting.row], 0, 0, 0, 0, turn, {}, {})
        contact = _updated(blank, sighting, where, turn)
        refreshed[contact.force] = contact
        gained.append((contact, sighting))
        number += 1
    events = [_footprint_event(book.side, contact, where.of(each)) for contact, each in gained if each.footprint]
    events += [_event(book.side, "contact-gained", contact) for contact, each in gained if each.rows]
    improved.sort(key=lambda each: each.number)
    events += [_event(book.side, "contact-improved", contact) for contact in improved]
    events += [_lost_event(book.side, contact) for contact in lost]
    changed = replace(book, contacts=(*kept, *(contact for contact, _ in gained)), next_contact=number)
    return Learnt(changed, tuple(events), refreshed)


def memory_of(state: State) -> int | None:
    """Return after how many turns without a sighting a contact is lost in this campaign; None for never."""
    chosen = ruling(state.rulings, CONTACT_MEMORY)
    return None if chosen == NEVER else int(chosen)


def _token(dice: TurnDice, side: str, force: str) -> str:
    """Return an outward id, from an address of its own for each side and force."""
    return new_token(dice.umpire(PHASE, f"{side}/{force}", "contact"))


@rule("B3.27", "B5.123")
def reach(age: int, *, velocity_age: int | None) -> int:
    """Return how far a thing may be, after ``age`` turns unseen, from where it is reckoned to be (hexes).

    ``velocity_age`` is how many turns before the last sighting its velocity was learnt, None if it never
    was: then anything up to the speed limit is possible. With a velocity, thrust in every turn bends the
    course: by half of the change in the turn it is made, by all of it in each turn after.
    """
    if velocity_age is None:
        return OPERATIONAL_SPEED_LIMIT * age
    bent = LONGEST_CHANGE * age * age + 2 * LONGEST_CHANGE * velocity_age * age
    return min((bent + 1) // 2, 2 * OPERATIONAL_SPEED_LIMIT * age)


def reach_of(contact: Contact, turn: int) -> int:
    """Return how many hexes off its last known course, or place, a contact may be after ``turn``."""
    known = contact.learnt.get("acceleration")
    return reach(max(0, turn - contact.seen), velocity_age=None if known is None else contact.seen - known)


def _may_be(contact: Contact, place: tuple[int, int, int, int], turn: int) -> bool:
    """Return whether a contact may be what is seen at a place: system, q, r, z."""
    system, q, r, z = place
    age = turn - contact.seen
    vq, vr, vz = contact.facts.get("velocity", (0, 0, 0))
    away = (q - contact.q - vq * age, r - contact.r - vr * age, z - contact.z - vz * age)
    return system == contact.system and is_within(*away, reach_of(contact, turn))


def _updated(old: Contact, sighting: Sighting, where: Whereabouts, turn: int) -> Contact:
    """Return a contact with a sighting added; a finer scale of before stays while the new one does not deny it."""
    facts, learnt = dict(old.facts), dict(old.learnt)
    row = sighting.row
    if sighting.footprint:
        facts["footprint"], learnt["footprint"] = sighting.footprint, turn
    if sighting.rows >= 1:
        facts["wedge"], learnt["presence"] = where.wedge[row], turn
    if sighting.rows >= 2:
        facts["velocity"], facts["acceleration"] = where.velocity[row], where.acceleration[row]
        learnt["acceleration"] = turn
    if sighting.is_seen_through:
        facts["dummy"], learnt["dummy"] = True, turn
        for name in ("scale", "divisor"):
            facts.pop(name, None)
        learnt.pop("scale", None)
    elif sighting.scale is not None and "dummy" not in facts and not _is_finer(facts, sighting):
        facts["scale"], facts["divisor"] = sighting.scale, sighting.divisor
        learnt["scale"] = turn
    if sighting.side:
        facts["side"], learnt["side"] = sighting.side, turn
    # a footprint alone was seen at the start of the turn, where the group came out
    seen = turn if sighting.rows else turn - 1
    place = where.place[row] if sighting.rows else where.before[row]
    return Contact(old.id, old.number, old.force, *place, seen, facts, learnt)


def _is_finer(facts: Mapping[str, Any], sighting: Sighting) -> bool:
    """Return whether the scale known from before is the finer one and agrees with the new sighting."""
    known = facts.get("divisor", 0)
    if not 0 < known < sighting.divisor or sighting.scale is None:
        return False
    return coarser(facts["scale"], sighting.divisor) == sighting.scale


def coarser(scale: Scale, divisor: int) -> Scale:
    """Return a list of scales as it reads over a divisor."""
    counts: dict[tuple[int, int], int] = {}
    for low, _, count in scale:
        bounds = ranges.scale_bounds(low, divisor)
        counts[bounds] = counts.get(bounds, 0) + count
    return [[low, above, count] for (low, above), count in sorted(counts.items(), reverse=True)]


def _aged(
    contacts: tuple[Contact, ...],
    refreshed: Mapping[str, Contact],
    found_anew: Collection[str],
    turn: int,
    memory: int | None,
) -> tuple[list[Contact], list[Contact]]:
    """Return the contacts of before as they are now, and those of them that were lost in this turn."""
    kept: list[Contact] = []
    lost: list[Contact] = []
    for contact in contacts:
        if contact.force in refreshed and not contact.lost:
            kept.append(refreshed[contact.force])
            continue
        if contact.force in found_anew:
            # nobody of this side knows that the new contact is the old one
            contact = replace(contact, force="")
        age = turn - contact.seen
        if memory is None or age <= memory:
            kept.append(contact)
        elif age <= 2 * memory:
            gone = contact if contact.lost else replace(contact, lost=True, force="")
            kept.append(gone)
            if not contact.lost:
                lost.append(gone)
    return kept, lost


def known_rows(contact: Contact) -> list[str]:
    """Return what is known of a contact, in the words of the detection table."""
    knows = ["footprint"] if "footprint" in contact.facts else []
    return [*knows, *ranges.levels(pips(contact))]


@rule("B5.143")
def told(contact: Contact) -> str:
    """Return the referee's sentence: detected, accelerating, velocities, scale at least and less than."""
    facts = contact.facts
    parts = ["detected" if "wedge" in facts else "hyper footprint"]
    if facts.get("wedge") == "down":
        parts.append("wedge down")
    if "velocity" in facts:
        parts.append(f"accelerating {format_vectors(from_axial(*facts['acceleration']))}")
        parts.append(f"velocities of {format_vectors(from_axial(*facts['velocity']))}")
    if "scale" in facts:
        parts.append(scale_text(facts["scale"]))
    if "dummy" in facts:
        parts.append("a dummy")
    return ", ".join(parts)


def scale_text(scale: Scale) -> str:
    """Return a list of scales in words: "scale at least 10, less than 20", with the number of ships where not one."""
    parts = []
    for low, above, count in scale:
        one = f"scale {low}" if above == low + 1 else f"scale at least {low}, less than {above}"
        parts.append(one if count == 1 else f"{count} of {one}")
    return "; ".join(parts)


def _event(side: str, kind: str, contact: Contact) -> Event:
    return Event(
        kind,
        f"Contact {contact.number}: {told(contact)}.",
        (side,),
        ("B5.14", "B5.143"),
        {"contact": contact.id, "number": contact.number, "knows": known_rows(contact)},
    )


def _footprint_event(side: str, contact: Contact, place: tuple[int, int, int, int]) -> Event:
    band = contact.facts["footprint"]
    return Event(
        "footprint-detected",
        f"Contact {contact.number}: the hyper footprint of {ranges.FOOTPRINT_TEXT[band]}.",
        (side,),
        ("B5.14",),
        {
            "contact": contact.id,
            "number": contact.number,
            "footprint": band,
            "q": place[1],
            "r": place[2],
            "z": place[3],
        },
    )


def _lost_event(side: str, contact: Contact) -> Event:
    return Event(
        "contact-lost",
        f"Contact {contact.number} is lost: nothing was seen of it since turn {contact.seen}.",
        (side,),
        ("B5.14",),
        {"contact": contact.id, "number": contact.number, "seen": contact.seen},
    )
