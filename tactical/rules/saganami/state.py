"""The state of a battle: who is where, facing where, in what condition (A3.0).

A turn is played on a copy: ``State.copy`` gives one, the phases change it, and nobody else ever sees it
half done. Lists keep their order; ids decide where nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from campaign.engine.hexes import ORIGIN, Hex
from campaign.rulebooks.saganami.grades import ShipGrades
from campaign.rulebooks.saganami.ship_class_sheet import CRAFT
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.attitude import Attitude
from tactical.rules.saganami.avid import Place
from tactical.rules.saganami.missiles import Stage, Warhead
from tactical.rules.saganami.movement import Course
from tactical.rules.saganami.sheet import COMMUNICATIONS, HULL, Sheet

SCHEMA: Final = 1
EDITION: Final = 1

Fate: TypeAlias = Literal["active", "destroyed", "surrendered", "departed"]
Plotting: TypeAlias = Literal["facing", "movement", "lacs", "launch"]
PLOTTING: tuple[Plotting, ...] = ("facing", "movement", "lacs", "launch")
"""What the sides write down, in the order of a turn; the last one is followed by all that comes of it."""


@dataclass(slots=True)
class Rig:
    """Boxes of a track that a jury rig holds together until it fails at the end of tactical turn ``fails``."""

    track: str
    boxes: int
    fails: int


@dataclass(frozen=True, slots=True)
class Move:
    """A unit's plot in play: its markers, the attitudes at the midpoint and at the end, and what was plotted."""

    course: Course
    midpoint: Attitude
    end: Attitude
    pivot_windows: int = 0
    roll_windows: int = 0
    thrust: int = 0
    change: Mapping[str, int] = field(default_factory=dict)
    is_red_lined: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A salvo on its way: one column of a salvo card (C2.1).

    ``windows`` are those through which the shooter sees the target, ``pods`` how many pods threw it (0
    for tubes), ``link`` the letter of a linked salvo or "". ``lead`` gave range and bearing.
    """

    number: int
    side: str
    shooter: str
    lead: str
    target: str
    stage: Stage
    mount: str
    missiles: int
    base: int
    quality: int
    damage: int
    warhead: Warhead
    range: int
    windows: tuple[Place, ...]
    link: str = ""
    pods: int = 0


@dataclass(slots=True)
class Ship:
    """One unit: a ship, a base or a squadron of LACs.

    ``gone`` counts the boxes of each track that do not work now; those a rig holds together are in
    ``rigs`` and not in it. ``failed`` counts boxes on which a repair has failed, ``spent`` decoys that
    were used up (both also in ``gone``). ``marked`` are the body boxes of each LAC, ``sails`` the impeller
    tracks whose sail is gone. ``canister`` are tubes' worth of rounds by mount. ``berth`` is the step from
    the force's start to the ship's own; ``arrives``, ``nearest`` and ``step`` those of the engagement.
    ``left_turn`` is the turn in which it was lost or gone.
    ``came`` is ``gone`` as the ship came into the battle, rigged boxes with it, ``brought`` its stores.
    """

    id: str
    name: str
    seen_name: str
    side: str
    force: str
    sheet: Sheet
    cost: int
    crew: dict[str, int]
    stores: dict[str, int]
    grades: ShipGrades
    place: Hex
    vectors: dict[str, int]
    attitude: Attitude | None = None
    carry: tuple[str, ...] = ()
    fate: Fate = "active"
    note: str = ""
    left_turn: int | None = None
    arrives: int = 0
    nearest: str = ""
    step: Hex | None = None
    berth: Hex = ORIGIN
    wedge_up: bool = True
    walls_from: int = 0
    gone: dict[str, int] = field(default_factory=dict)
    rigs: list[Rig] = field(default_factory=list)
    failed: dict[str, int] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    marked: dict[str, tuple[int, ...]] = field(default_factory=dict)
    sails: tuple[str, ...] = ()
    canister: dict[str, int] = field(default_factory=dict)
    pods_aboard: int = 0
    pods_towed: int = 0
    pods_settling: tuple[tuple[int, int], ...] = ()
    pods_used: int = 0
    pods_killed: int = 0
    pod_cost: int = 0
    came: dict[str, int] = field(default_factory=dict)
    brought: dict[str, int] = field(default_factory=dict)
    came_grades: ShipGrades = field(default_factory=ShipGrades)
    life_support_failed: int | None = None
    hits_seen: int = 0
    move: Move | None = None
    is_mute: bool = False
    disabled: dict[str, int] = field(default_factory=dict)
    fired: tuple[str, ...] = ()

    def copy(self) -> Ship:
        """Return a ship of the same condition that can be changed on its own."""
        return replace(
            self,
            stores=dict(self.stores),
            gone=dict(self.gone),
            rigs=[replace(rig) for rig in self.rigs],
            failed=dict(self.failed),
            spent=dict(self.spent),
            marked=dict(self.marked),
            canister=dict(self.canister),
            disabled=dict(self.disabled),
        )

    # What the ship is --------------------------------------------------------------------------

    @property
    def is_active(self) -> bool:
        """Whether it fights: on the map, and neither lost nor gone nor given up."""
        return self.fate == "active" and self.attitude is not None

    def left(self, track: str) -> int:
        """Return the boxes of a track that work, 0 for one it does not have."""
        return self.sheet.size.get(track, 0) - self.gone.get(track, 0)

    def number(self, track: str) -> int:
        """Return the present whole number of a track."""
        return int(self.sheet.value(track, self.gone.get(track, 0)))

    def has_walls(self, turn: int) -> bool:
        """Return whether the sidewalls stand in a tactical turn: the wedge is up, and they have followed it."""
        return self.sheet.is_base or (self.wedge_up and turn >= self.walls_from)

    @rule("C5.444")
    def can_talk(self) -> bool:
        """Return whether it can link salvoes and share defences; a squadron of LACs has no track for it."""
        return self.sheet.is_lac or self.left(COMMUNICATIONS) > 0

    @rule("C5.422", "C6.11", "C7.33")
    def parties(self) -> int:
        """Return the damage control parties left: working wrenches, or LACs alive with a square."""
        if self.sheet.is_lac:
            return sum(self.left(f"{craft}.damage_control") > 0 for craft in self.live_craft())
        return self.sheet.wrenches[self.gone.get(HULL, 0)]

    @rule("C7.11", "C7.111")
    def live_craft(self) -> tuple[str, ...]:
        """Return the letters of a squadron's LACs that are not destroyed."""
        return tuple(
            craft for craft in self.sheet.craft if len(self.marked.get(craft, ())) < self.sheet.size[f"{craft}.body"]
        )

    def rigged(self, track: str) -> int:
        """Return the boxes of a track that a rig holds together."""
        return sum(rig.boxes for rig in self.rigs if rig.track == track)

    def lost(self) -> dict[str, int]:
        """Return the boxes lost by track, rigged ones counted as lost (engine.handoff)."""
        found = {track: boxes for track, boxes in self.gone.items() if boxes}
        for rig in self.rigs:
            found[rig.track] = found.get(rig.track, 0) + rig.boxes
        return {track: found[track] for track in self.sheet.size if track in found}

    # What happens to it ------------------------------------------------------------------------

    def mark(self, track: str, boxes: int = 1) -> int:
        """Mark boxes of a track off, a rigged one first and for good; return how many there were to mark."""
        done = min(boxes, self.left(track))
        if done <= 0:
            return 0
        self.gone[track] = self.gone.get(track, 0) + done
        torn = done
        for rig in reversed(self.rigs):
            if rig.track == track and torn:
                taken = min(rig.boxes, torn)
                rig.boxes -= taken
                torn -= taken
        self.rigs = [rig for rig in self.rigs if rig.boxes]
        return done


@dataclass(frozen=True, slots=True)
class Side:
    """A side: its name, its allies' keys, and what it paid for beside ships and pods."""

    name: str
    allies: tuple[str, ...] = ()
    options_cost: int = 0


@dataclass(slots=True)
class State:
    """A whole battle.

    ``turn`` counts the tactical turns that are over; ``stage`` is what is plotted next. ``frame`` is the
    velocity of the map. ``handed`` names the engagement (id, issue, digest) where there is one, and
    ``chart`` what its theatre asks: the hyper limit and each force's place on the star's map. ``over`` is
    the end, once there is one. ``cards`` live from launch to impact, within one step.
    """

    battle: str
    title: str
    sides: dict[str, Side]
    ships: list[Ship]
    classes: dict[str, dict[str, Any]]
    sheets: dict[str, Sheet]
    rulings: dict[str, str]
    turn: int = 0
    stage: Plotting = "facing"
    frame: dict[str, int] = field(default_factory=dict)
    time_limit: int | None = None
    handed: dict[str, Any] = field(default_factory=dict)
    chart: dict[str, Any] = field(default_factory=dict)
    objectives: list[dict[str, Any]] = field(default_factory=list)
    over: dict[str, Any] | None = None
    cards: tuple[Card, ...] = ()

    def copy(self) -> State:
        """Return a state that can be changed on its own; classes and sheets are shared."""
        return replace(self, ships=[ship.copy() for ship in self.ships], objectives=list(self.objectives))

    def ship(self, identity: str) -> Ship:
        """Return a ship by id."""
        return next(ship for ship in self.ships if ship.id == identity)

    def find(self, identity: str) -> Ship | None:
        """Return a ship by id, or None."""
        return next((ship for ship in self.ships if ship.id == identity), None)

    def active(self) -> Iterator[Ship]:
        """Yield the ships that fight, in their order."""
        return (ship for ship in self.ships if ship.is_active)

    def oppose(self, one: str, other: str) -> bool:
        """Return whether two sides fight each other."""
        return one != other and other not in self.sides[one].allies and one not in self.sides[other].allies


def craft_of(track: str) -> str:
    """Return the letter of the LAC that a track belongs to, or "" for a ship's."""
    letter, dot, _ = track.partition(".")
    return letter if dot and len(letter) == 1 and letter in CRAFT else ""
