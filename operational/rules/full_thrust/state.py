"""The state of an operational/full-thrust campaign: maps, task forces, ships, contacts, engagements.

The map is flat: axial hexes of 55 MU, velocities in hexes an operational turn; vectors as letters appear
only at the doors. ``schema`` 1 is the shape below; in the document, forces and ships stand in columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from campaign.engine.hexes import Hex, distance_in_plane
from operational.rules.full_thrust.ship_class import ShipClass

SCHEMA = 1
# what became of a ship; a craft that is carried is active and with no force
ACTIVE, DESTROYED, SURRENDERED, DEPARTED = "active", "destroyed", "surrendered", "departed"


@dataclass(frozen=True, slots=True)
class Body:
    """A body of a map: its kind ("planet", "moon", "station", ...) and its hex."""

    id: str
    name: str
    kind: str
    q: int
    r: int


@dataclass(frozen=True, slots=True)
class StarSystem:
    """A map; ``star`` says what stands in hex (0, 0)."""

    key: str
    name: str
    star: str
    bodies: tuple[Body, ...] = ()


@dataclass(frozen=True, slots=True)
class Force:
    """A task force, or a dummy: where its marker is and how it moves.

    ``mq, mr`` is the step it made in the movement phase just played. ``shown_thrust`` is what a dummy
    manoeuvres with. ``marker`` is the hex side of the thrust marker, A to F, "" without one, and ``used``
    the thrust that its movement phase spent. ``active`` are the ships that were declared to use active
    sensors when the force was last chosen to detect: one counter each. ``engaged`` is the id of the
    engagement that holds the force, "" for none.
    """

    id: str
    side: str
    name: str
    system: str
    q: int
    r: int
    vq: int = 0
    vr: int = 0
    mq: int = 0
    mr: int = 0
    dummy: bool = False
    shown_thrust: int = 0
    marker: str = ""
    used: int = 0
    active: tuple[str, ...] = ()
    engaged: str = ""

    @property
    def hex(self) -> Hex:
        """Return the hex of the marker."""
        return Hex(self.q, self.r)

    @property
    def end_point(self) -> Hex:
        """Return the hex of the projected end point."""
        return Hex(self.q + self.vq, self.r + self.vr)

    @property
    def speed(self) -> int:
        """Return the velocity: the hexes from the marker to the end point."""
        return distance_in_plane(self.vq, self.vr)


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship, or a craft (``carrier`` is its mother ship). ``force`` is "" for a craft aboard or a ship off the map.

    ``damage`` maps tracks to boxes lost, those without loss left out; ``cost`` in points.
    """

    id: str
    side: str
    name: str
    ship_class: str
    force: str
    status: str
    cost: int
    carrier: str = ""
    cloaked: bool = False
    damage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contact:
    """A marker of the other side as a side sees it.

    ``id`` is a token of this side's own, ``number`` its list number. ``force`` is the truth it hangs on, ""
    once it is out of sight, and never leaves the umpire's hands. ``vq, vr`` are None while the end point
    is not seen. ``counters`` are the active sensor counters, ``marker`` the thrust marker. ``told`` maps
    what was announced of the whole force ("all-detected") to the turn of it.
    """

    id: str
    number: int
    force: str
    system: str
    q: int
    r: int
    vq: int | None
    vr: int | None
    counters: int
    marker: str
    seen: int
    told: Mapping[str, int] = field(default_factory=dict)
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Detected:
    """A ship of the other side that was detected: what is known of it, and who holds the lock.

    ``contact`` is the id of the contact it is (or was last) with. ``facts`` are those of tables.FACTS with
    their values, ``learnt`` the turn of each. ``holders`` are the own ships with a sensor lock on it;
    without any, the ship counts as not detected and what was learnt is only remembered.
    """

    id: str
    number: int
    ship: str
    contact: str
    facts: Mapping[str, Any]
    learnt: Mapping[str, int]
    holders: tuple[str, ...]
    seen: int

    @property
    def is_locked(self) -> bool:
        """Whether some ship holds a lock on it."""
        return bool(self.holders)


@dataclass(frozen=True, slots=True)
class Meeting:
    """An engagement as the map knows it: who went to the table, where and when.

    ``issue`` rises when others join, ``document`` is the engagement as handed over. ``closed`` once its
    report came back; ``parting`` are then the pairs of forces that have not been apart since.
    """

    id: str
    issue: int
    turn: int
    issued: int
    system: str
    forces: tuple[str, ...]
    document: Mapping[str, Any]
    closed: bool = False
    parting: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class SideBook:
    """What belongs to one side: contacts, detected ships, its ledger of this turn, its standing choices.

    ``dummies`` is how many it may have in play, None before they are rolled for. ``next_*`` are the side's
    own running numbers.
    """

    side: str
    name: str
    dummies: int | None = None
    contacts: tuple[Contact, ...] = ()
    detected: tuple[Detected, ...] = ()
    ledger: tuple[Mapping[str, Any], ...] = ()
    preferences: Mapping[str, Any] = field(default_factory=dict)
    next_contact: int = 1
    next_bogey: int = 1
    next_engagement: int = 1
    engagement_numbers: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def contact_of(self) -> dict[str, Contact]:
        """Return force id to contact, for markers in sight."""
        return {contact.force: contact for contact in self.contacts if contact.force and not contact.lost}

    @cached_property
    def contact_named(self) -> dict[str, Contact]:
        """Return contact id to contact, lost ones with them."""
        return {contact.id: contact for contact in self.contacts}

    @cached_property
    def detected_of(self) -> dict[str, Detected]:
        """Return ship id to what is known of it."""
        return {each.ship: each for each in self.detected}


@dataclass(frozen=True)
class State:
    """The whole truth after operational turn ``turn``; in the phases, the turn being played is one more.

    ``epoch`` is the calendar's instant of turn 0. ``forces`` and ``ships`` are by id, in the order in which
    they came into play. ``initiative`` is the side that has the initiative in the turn being played.
    """

    turn: int
    epoch: str
    rulings: Mapping[str, str]
    systems: tuple[StarSystem, ...]
    classes: Mapping[str, ShipClass]
    forces: Mapping[str, Force]
    ships: Mapping[str, Ship]
    books: Mapping[str, SideBook]
    meetings: tuple[Meeting, ...] = ()
    initiative: str = ""
    underway: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @cached_property
    def members(self) -> dict[str, tuple[Ship, ...]]:
        """Return force id to its active ships and craft, in order."""
        found: dict[str, list[Ship]] = {}
        for ship in self.ships.values():
            if ship.force and ship.status == ACTIVE:
                found.setdefault(ship.force, []).append(ship)
        return {force: tuple(ships) for force, ships in found.items()}

    @cached_property
    def aboard(self) -> dict[str, tuple[Ship, ...]]:
        """Return ship id to the craft it has aboard, in order."""
        found: dict[str, list[Ship]] = {}
        for ship in self.ships.values():
            if ship.carrier and not ship.force and ship.status == ACTIVE:
                found.setdefault(ship.carrier, []).append(ship)
        return {carrier: tuple(craft) for carrier, craft in found.items()}

    def class_of(self, ship: Ship) -> ShipClass:
        """Return a ship's class."""
        return self.classes[ship.ship_class]

    def enemy_of(self, side: str) -> str:
        """Return the other one of the two sides."""
        return next(key for key in self.books if key != side)

    def forces_of(self, side: str) -> Iterator[Force]:
        """Yield a side's forces, dummies with them."""
        return (force for force in self.forces.values() if force.side == side)

    def with_forces(self, *changed: Force) -> State:
        """Return the state with these forces in place of those of the same ids, new ones at the end."""
        return self._same_ships(replace(self, forces={**self.forces, **{force.id: force for force in changed}}))

    def without_forces(self, *gone: str) -> State:
        """Return the state without these forces."""
        left = {key: force for key, force in self.forces.items() if key not in gone}
        return self._same_ships(replace(self, forces=left))

    def with_ships(self, *changed: Ship) -> State:
        """Return the state with these ships in place of those of the same ids, new ones at the end."""
        return replace(self, ships={**self.ships, **{ship.id: ship for ship in changed}})

    def with_book(self, book: SideBook) -> State:
        """Return the state with a side's book replaced."""
        return self._same_ships(replace(self, books={**self.books, book.side: book}))

    def _same_ships(self, changed: State) -> State:
        """Return a state with the same ships, what was worked out of them kept."""
        for name in ("members", "aboard"):
            if name in self.__dict__:
                changed.__dict__[name] = self.__dict__[name]
        return changed
