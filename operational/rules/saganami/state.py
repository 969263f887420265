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
from numpy.typing import NDArray

from campaign.rulebooks.saganami.grades import ShipGrades
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass

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
    """A map: the star stands at hex (0, 0, 0); ``hyper_limit`` in operational hexes (B5.16).

    ``defender`` is the side at home here, "" for none: it answers for the direction of arrivals (B5.162).
    """

    key: str
    name: str
    star: str
    hyper_limit: int
    bodies: tuple[Body, ...] = ()
    defender: str = ""


@dataclass(frozen=True)
class Forces:
    """Columns of the forces.

    ``system`` indexes State.systems. ``place`` is ON_MAP, IN_HYPERSPACE or GONE. ``wedge`` is
    WEDGE_DOWN or WEDGE_UP. ``dummy`` marks a force without ships that looks like one. ``engaged`` is
    the id of the engagement that holds the force, "" for none. ``flagship`` is a ship id, "" for a
    dummy. ``carry`` maps a force id to the letters in which it carries a half hex (B3.271).
    ``course`` maps a force id to its standing course: changes of vector for the coming turns.
    ``dq, dr, dz`` is the change of velocity made in the turn just played, what others may learn as
    acceleration. ``mq, mr, mz`` is the step made on the map in that turn (velocity before the change,
    and displacement): the force came from the hex less this step. Both are 0 for a force that was not
    on the map all turn. ``raised`` maps a force id to the turn at whose end its wedge came up, kept for
    one turn: sidewalls follow a tactical turn later (B5.145). ``pretends`` is the thrust rating that a
    dummy shows, ``guise`` the keys of the ship classes whose wedges it shows.
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
    mq: Integers
    mr: Integers
    mz: Integers
    wedge: Integers
    dummy: NDArray[np.bool_]
    flagship: tuple[str, ...]
    engaged: tuple[str, ...]
    carry: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    course: Mapping[str, tuple[Mapping[str, int], ...]] = field(default_factory=dict)
    raised: Mapping[str, int] = field(default_factory=dict)
    pretends: Mapping[str, int] = field(default_factory=dict)
    guise: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def index(self) -> dict[str, int]:
        """Return force id to row."""
        return {identity: row for row, identity in enumerate(self.id)}

    def __len__(self) -> int:
        return len(self.id)


Grades = ShipGrades
"""The six grades of a ship, each "poor", "average", "veteran" or "elite" (D1.11)."""


@dataclass(frozen=True, slots=True)
class JuryRig:
    """Lost boxes that damage control holds together (C6.13): they work for ten tactical turns."""

    track: str
    boxes: int
    made: int  # operational turn in which the repair held
    due: int  # operational turn at whose end it fails (ten tactical turns later, by 19/6)
    left: int = 10  # tactical turns that it had to go at the end of turn ``made``


@dataclass(frozen=True, slots=True)
class Tries:
    """Boxes of one track on which permanent repair failed: once (one try is left), or twice (C6.16)."""

    once: int = 0
    shipyard: int = 0


@dataclass(frozen=True)
class Ships:
    """Columns of the ships.

    ``force`` is a force id, "" for a ship that is on no map. ``status`` is ACTIVE, DESTROYED,
    SURRENDERED or DEPARTED. ``cost`` is the ship's own, in points, with grades; ``drones`` the recon
    drones left. ``damage`` maps a ship id to {track: boxes lost}, those that a rig holds together with
    them; ``stores`` to the counts left ({"pods": n, ...}); both leave out what is as the class has it.
    ``rigs`` maps a ship id to its jury rigs (what does not work now is ``not_working``), ``repairs`` to the
    tracks on which permanent repair failed, ``life_support`` to the turn at
    whose end its next check falls due (C5.423).
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
    repairs: Mapping[str, Mapping[str, Tries]] = field(default_factory=dict)

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

    def not_working(self, ship: str) -> Mapping[str, int]:
        """Return {track: boxes that do not work now}: what is lost, less what a jury rig holds together."""
        lost = self.damage.get(ship, {})
        rigs = self.rigs.get(ship, ())
        if not rigs:
            return lost
        held = {rig.track: sum(each.boxes for each in rigs if each.track == rig.track) for rig in rigs}
        return {track: count - held.get(track, 0) for track, count in lost.items()}

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
    ``classes`` the ship classes by key, ``meetings`` the engagements, open and closed. ``arrivals`` are
    the ids of the forces that came out of hyperspace in the turn being played: the detection phase finds
    their footprints (B5.14) and leaves it empty.
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
    arrivals: tuple[str, ...] = ()

    @cached_property
    def worked_out(self) -> dict[str, Any]:
        """Return what was worked out of this very state, under the name of the function that did it."""
        return {}
