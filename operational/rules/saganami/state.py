"""The state of an operational/saganami campaign: systems, forces, ships, contacts, engagements.

Forces and ships stand in columns: one sequence a field, all of one length, in the order of their
ids' first appearance. Positions and velocities are axial whole numbers in operational hexes and
hexes a turn; letters appear only at the doors (``vectors``). ``schema`` 1 is the shape below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from campaign.rulebooks.saganami.ship_class import ShipClass
from numpy.typing import NDArray

SCHEMA = 1
Integers = NDArray[np.int64]

# wedge (B5.145): a wedge ordered up is up at the end of the turn in which it was ordered
WEDGE_DOWN, WEDGE_UP = 0, 1
# where a force is
ON_MAP, IN_HYPERSPACE, GONE = 0, 1, 2
# what became of a ship
ACTIVE, DESTROYED, SURRENDERED, DEPARTED = "active", "destroyed", "surrendered", "departed"


@dataclass(frozen=True, slots=True)
class Body:
    """A body of a system: its kind ("star", "planet", "station", ...) and its hex."""

    id: str
    name: str
    kind: str
    q: int
    r: int
    z: int


@dataclass(frozen=True, slots=True)
class StarSystem:
    """A map: the star stands at hex (0, 0, 0); ``hyper_limit`` in operational hexes (B5.16)."""

    key: str
    name: str
    star: str
    hyper_limit: int
    bodies: tuple[Body, ...] = ()


@dataclass(frozen=True)
class Forces:
    """Columns of the forces.

    ``system`` indexes State.systems. ``place`` is ON_MAP, IN_HYPERSPACE or GONE. ``wedge`` is
    WEDGE_DOWN or WEDGE_UP. ``dummy`` marks a force without ships that looks like one. ``engaged`` is
    the id of the engagement that holds the force, "" for none. ``flagship`` is a ship id, "" for a
    dummy. ``carry`` maps a force id to the letters in which it carries a half hex (B3.271).
    ``course`` maps a force id to its standing course: changes of vector for the coming turns.
    ``change`` is the change of velocity made in the turn just played (axial), what others may learn
    as acceleration.
    """

    id: tuple[str, ...]
    side: tuple[str, ...]
    name: tuple[str, ...]
    system: Integers
    place: Integers
    q: Integers
    r: Integers
    z: Integers
    vq: Integers
    vr: Integers
    vz: Integers
    dq: Integers
    dr: Integers
    dz: Integers
    wedge: Integers
    dummy: NDArray[np.bool_]
    flagship: tuple[str, ...]
    engaged: tuple[str, ...]
    carry: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    course: Mapping[str, tuple[Mapping[str, int], ...]] = field(default_factory=dict)

    @cached_property
    def index(self) -> dict[str, int]:
        """Return force id to row."""
        return {identity: row for row, identity in enumerate(self.id)}

    def __len__(self) -> int:
        return len(self.id)


@dataclass(frozen=True, slots=True)
class Grades:
    """The six grades of a ship, each "poor", "average", "veteran" or "elite" (D1.11)."""

    tactical: str = "average"
    ewo: str = "average"
    assistant: str = "average"
    helm: str = "average"
    engineer: str = "average"
    crew: str = "average"


@dataclass(frozen=True, slots=True)
class JuryRig:
    """A box that damage control holds together (C6.13): it fails again ``due`` sixths of an
    operational turn count later; ``due`` is in tactical sixths: 19 tactical turns are 6 turns."""

    track: str
    boxes: int
    made: int  # operational turn in which the repair held
    due: int  # operational turn at whose end it fails (ten tactical turns later, by 19/6)


@dataclass(frozen=True)
class Ships:
    """Columns of the ships.

    ``force`` is a force id, "" for a ship that is on no map. ``status`` is ACTIVE, DESTROYED,
    SURRENDERED or DEPARTED. ``damage`` maps a ship id to {track: boxes lost}, ``stores`` to
    {"recon_drones": n, "pods": n, ...}, left out where nothing is lost or spent differs from the
    class. ``rigs`` maps a ship id to its jury rigs. ``life_support`` maps a ship id to the turn at
    whose end its next check falls due (C5.423). ``cost`` is the ship's own, in points, with grades.
    """

    id: tuple[str, ...]
    side: tuple[str, ...]
    name: tuple[str, ...]
    ship_class: tuple[str, ...]
    force: tuple[str, ...]
    status: tuple[str, ...]
    cost: Integers
    grades: tuple[Grades, ...]
    drones: Integers
    damage: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    stores: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    rigs: Mapping[str, tuple[JuryRig, ...]] = field(default_factory=dict)
    life_support: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def index(self) -> dict[str, int]:
        """Return ship id to row."""
        return {identity: row for row, identity in enumerate(self.id)}

    @cached_property
    def of_force(self) -> dict[str, tuple[int, ...]]:
        """Return force id to the rows of its active ships."""
        rows: dict[str, list[int]] = {}
        for row, (force, status) in enumerate(zip(self.force, self.status, strict=True)):
            if force and status == ACTIVE:
                rows.setdefault(force, []).append(row)
        return {force: tuple(found) for force, found in rows.items()}

    def __len__(self) -> int:
        return len(self.id)


@dataclass(frozen=True, slots=True)
class Contact:
    """What a side believes of one force, never more than it learnt.

    ``id`` is a token of this side's own, ``number`` the side's own list number. ``force`` is the
    truth it hangs on and never leaves the umpire's hands. ``learnt`` maps each fact to the turn in
    which it was learnt: "presence", "position", "velocity", "acceleration", "footprint",
    "scale" (a range low/high). ``q, r, z`` is the last known hex, ``seen`` the turn of it.
    """

    id: str
    number: int
    force: str
    system: int
    q: int
    r: int
    z: int
    seen: int
    facts: Mapping[str, Any]
    learnt: Mapping[str, int]
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """An engagement as the map knows it: who was handed to the tactical level, where and when.

    ``issue`` rises when reinforcements join, ``document`` is the engagement as handed over (its
    digest is what a report must name). ``closed`` once its report came back.
    """

    id: str
    issue: int
    turn: int  # operational turn in which it was opened
    issued: int  # operational turn of the present issue
    system: int
    forces: tuple[str, ...]
    document: Mapping[str, Any]
    closed: bool = False


@dataclass(frozen=True, slots=True)
class SideBook:
    """What belongs to one side: its contacts, its ledger of this turn, its standing choices.

    ``ledger`` lists the detection attempts of the turn just played, as documents for the owner.
    ``preferences`` are the standing answers ("direction_away") filed with the last sheet;
    ``next_contact`` and ``next_engagement`` are the side's own running numbers.
    """

    side: str
    name: str
    contacts: tuple[Contact, ...] = ()
    ledger: tuple[Mapping[str, Any], ...] = ()
    preferences: Mapping[str, Any] = field(default_factory=dict)
    next_contact: int = 1
    next_engagement: int = 1
    engagement_numbers: Mapping[str, int] = field(default_factory=dict)
    allies: tuple[str, ...] = ()


@dataclass(frozen=True)
class State:
    """The whole truth after operational turn ``turn``.

    ``epoch`` is the PD instant of turn 0 ("1906-03-01T00:00"), ``rulings`` the campaign's switches,
    ``classes`` the ship classes by key, ``meetings`` the engagements, open and closed, ``spent``
    the wrecks and departures needed for the record.
    """

    turn: int
    epoch: str
    rulings: Mapping[str, str]
    systems: tuple[StarSystem, ...]
    classes: Mapping[str, ShipClass]
    forces: Forces
    ships: Ships
    books: Mapping[str, SideBook]
    meetings: tuple[Meeting, ...] = ()
