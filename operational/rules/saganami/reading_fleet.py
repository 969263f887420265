"""Reading the lists of a sheet: splits, merges, searches and repairs (B5.12, B5.142, C6.16).

Each check sees what the orders before it leave: ships already split off, drones already spent,
damage control parties already at work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from campaign.engine.errors import Problem, pointer
from campaign.engine.vectors import format_vectors
from campaign.rulebooks.saganami.bearings import INDEX_OF_WINDOW
from campaign.rulebooks.saganami.movement import is_thrust_legal, thrust_needed
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.own_report import OwnReport
from operational.rules.saganami.reading_forces import changes_of
from operational.rules.saganami.sheet import MergeItem, RepairItem, SearchItem, SplitItem
from operational.rules.saganami.structure import INTEGRITY
from operational.rules.saganami.switches import DUMMIES, MERGING, ruling

MAGAZINE = "mag"


class FleetReading:
    """The sheet's lists while they are read; ``merged`` are the forces that join another."""

    def __init__(self, own: OwnReport) -> None:
        self.own = own
        self.merged: dict[str, str] = {}
        self._led: set[str] = set()
        self._split: set[str] = set()
        self._decoyed: set[str] = set()
        self._searched: set[str] = set()
        self._emerging: set[str] = set()
        self._parties: Counter[str] = Counter()
        self._repairs: Counter[tuple[str, str]] = Counter()

    # Splitting -----------------------------------------------------------------------------------

    @rule("B5.12", "B5.122")
    def check_split(self, item: SplitItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with a split."""
        own = self.own
        found = _check_own_force(own, item.force, place + "/force")
        if found is not None:
            yield found
            return
        if item.dummy:
            yield from self._check_dummy(item, place)
        elif not item.ships:
            message = "A split takes at least one ship along."
            yield Problem(place + "/ships", "split-into-nothing", message, "B5.12")
        else:
            yield from self._check_leaving(item, place)
        if item.into is not None:
            yield from self._check_target(item, place + "/into")
        yield from self._check_course(item, place)

    def _check_dummy(self, item: SplitItem, place: str) -> Iterator[Problem]:
        if ruling(self.own.rulings, DUMMIES) != "launched":
            yield Problem(place + "/dummy", "no-dummies", "This campaign does not launch dummies.", "B5.14")
        if item.ships or item.into is not None:
            yield Problem(place + "/dummy", "dummy-with-ships", "A dummy leaves without ships, as a force of its own.")
        if item.force in self._decoyed:
            yield Problem(place + "/dummy", "second-dummy", "A force launches one dummy a turn.", "B5.14")

    def _check_leaving(self, item: SplitItem, place: str) -> Iterator[Problem]:
        own = self.own
        members = own.members[item.force]
        for number, ship in enumerate(item.ships):
            here = place + pointer("ships", number)
            if ship in own.ships and not own.is_active(ship):
                yield dead_ship(own, ship, here)
            elif ship in self._split or ship in item.ships[:number]:
                yield Problem(here, "ship-split-twice", "This ship already leaves its force this turn.", "B5.12")
            elif ship not in members:
                yield Problem(here, "ship-not-in-force", "This force has no such ship.", "B5.12")
        if members and not set(members) - set(item.ships):
            message = "A split leaves at least one ship behind; rename the force, or merge it, instead."
            yield Problem(place + "/ships", "split-of-everything", message, "B5.12")

    def _check_target(self, item: SplitItem, place: str) -> Iterator[Problem]:
        found = _check_own_force(self.own, item.into or "", place)
        if found is not None:
            yield found
        elif item.into == item.force:
            yield Problem(place, "same-force", "Ships join another force than the one they leave.", "B5.12")
        elif item.thrust is not None or item.course is not None or item.name is not None:
            message = "Ships that join a force move with it and under its name."
            yield Problem(place, "orders-for-transfer", message, "B5.12")
        else:
            yield from self._check_together(item.force, item.into or "", place)

    def _check_course(self, item: SplitItem, place: str) -> Iterator[Problem]:
        if item.thrust is not None and item.course is not None:
            message = "Give this turn's thrust or a course of several turns, not both."
            yield Problem(place + "/course", "thrust-and-course", message, "B3.21")
            return
        own = self.own
        known = [ship for ship in item.ships if ship in own.ships]
        limit = min((int(own.ships[ship]["thrust"]) for ship in known), default=own.thrust(item.force))
        for number, change in enumerate(changes_of(item.thrust, item.course) or ()):
            here = place + ("/thrust" if item.course is None else pointer("course", number))
            if not is_thrust_legal(limit, change):
                message = f"{format_vectors(change)} needs thrust {thrust_needed(change)}; the ships have {limit}."
                yield Problem(here, "thrust-over-rating", message, "B3.24")
            if number == 0 and change and "wedge-down" in own.forces[item.force]["marks"]:
                yield Problem(here, "wedge-down", "The force has its wedge down.", "B5.145")

    def split(self, item: SplitItem) -> None:
        """Let a split be known to the orders that follow."""
        self._split.update(item.ships)
        if item.dummy:
            self._decoyed.add(item.force)
        leaving = set(item.ships)
        members = self.own.members
        members[item.force] = [ship for ship in members[item.force] if ship not in leaving]
        if item.into is not None:
            self._join(item.into, item.ships)

    # Merging -------------------------------------------------------------------------------------

    @rule("B5.12")
    def check_merge(self, item: MergeItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with a merge: forces join in one hex, with one velocity and one state of the wedge."""
        own = self.own
        found = _check_own_force(own, item.into, place + "/into")
        if found is not None:
            yield found
            return
        if item.into in self.merged:
            yield Problem(place + "/into", "merged-twice", "This force itself joins another.", "B5.12")
        if not item.forces:
            yield Problem(place + "/forces", "merge-of-nothing", "Name at least one force that joins.", "B5.12")
        for number, force in enumerate(item.forces):
            here = place + pointer("forces", number)
            found = _check_own_force(own, force, here)
            if found is not None:
                yield found
            elif force == item.into:
                yield Problem(here, "same-force", "A force cannot join itself.", "B5.12")
            elif force in self.merged or force in self._led or force in item.forces[:number]:
                yield Problem(here, "merged-twice", "This force is in another merge already.", "B5.12")
            else:
                yield from self._check_together(force, item.into, here)

    def _check_together(self, force: str, into: str, place: str) -> Iterator[Problem]:
        one, other = self.own.forces[force], self.own.forces[into]
        if _where(one) != _where(other):
            message = f"{one['name']} and {other['name']} are not in the same hex."
            yield Problem(place, "not-same-hex", message, "B5.12")
        if ruling(self.own.rulings, MERGING) == "same-velocity" and one["velocity"] != other["velocity"]:
            message = (
                f"{one['name']} makes {format_vectors(one['velocity'])}, "
                f"{other['name']} {format_vectors(other['velocity'])}."
            )
            yield Problem(place, "not-same-velocity", message, "B5.12")
        if ("wedge-up" in one["marks"]) != ("wedge-up" in other["marks"]):
            message = "One of the forces has its wedge up, the other down."
            yield Problem(place, "wedges-differ", message, "B5.145")
        if "dummy" in other["marks"] and "dummy" not in one["marks"]:
            yield Problem(place, "dummy-cannot-lead", "Ships cannot join a dummy; let the dummy join them.", "B5.12")

    def merge(self, item: MergeItem) -> None:
        """Let a merge be known to the orders that follow."""
        self._led.add(item.into)
        for force in item.forces:
            self.merged[force] = item.into
            self._join(item.into, self.own.members[force])
            self.own.members[force] = []

    def _join(self, force: str, ships: Sequence[str]) -> None:
        """Add ships to a force, in the order of the roster."""
        joined = {*self.own.members[force], *ships}
        self.own.members[force] = [ship for ship in self.own.ships if ship in joined]

    # Searching -----------------------------------------------------------------------------------

    def arrive(self, forces: set[str]) -> None:
        """Let the forces be known that come out of hyperspace at the start of this turn."""
        self._emerging |= forces

    @rule("B5.142")
    def check_search(self, item: SearchItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with a search: one window a ship and turn, no more drones than are left."""
        own = self.own
        found = _check_own_ship(own, item.ship, place + "/ship")
        if found is not None:
            yield found
            return
        ship = own.ships[item.ship]
        force = own.forces.get(ship["force"] or "")
        if force is None or (force["place"] != "map" and force["id"] not in self._emerging):
            message = f"{ship['name']} is not on a map."
            yield Problem(place + "/ship", "ship-not-on-map", message, "B5.142")
        elif force["engaged"]:
            yield Problem(place + "/ship", "in-battle", f"{ship['name']} is in battle.", "B5.12")
        if item.ship in self._searched:
            message = f"{ship['name']} searches one window a turn."
            yield Problem(place + "/ship", "second-search", message, "B5.142")
        if item.window not in INDEX_OF_WINDOW:
            message = f"{item.window!r} is no AVID window; write A/B blue+, C yellow, purple- and the like."
            yield Problem(place + "/window", "unknown-window", message, "B5.142")
        left = int(ship["stores"]["recon_drones"])
        if item.drones > left:
            message = f"{ship['name']} has {left} recon drones left."
            yield Problem(place + "/drones", "too-few-drones", message, "B5.142")

    def search(self, item: SearchItem) -> None:
        """Let a search be known to the orders that follow."""
        self._searched.add(item.ship)

    # Repairing -----------------------------------------------------------------------------------

    @rule("C6.16")
    def check_repair(self, item: RepairItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with a permanent repair: what is not broken, or more than the parties can do."""
        own = self.own
        found = _check_own_ship(own, item.ship, place + "/ship")
        if found is not None:
            yield found
            return
        ship = own.ships[item.ship]
        force = own.forces.get(ship["force"] or "")
        if force is not None and force["engaged"]:
            yield Problem(place + "/ship", "in-battle", f"{ship['name']} is in battle.", "B5.12")
        tracks = {track["name"]: track for track in own.classes[ship["class"]]["tracks"]}
        if item.track not in tracks:
            yield Problem(place + "/track", "unknown-track", f"{ship['name']} has no such track.", "A2.67")
        elif item.track == INTEGRITY:
            message = "Structural integrity is repaired in a shipyard only."
            yield Problem(place + "/track", "cannot-repair", message, "C6.16")
        elif tracks[item.track]["ammunition"] and tracks[item.track]["code"] != MAGAZINE:
            message = "Box launchers are loaded by their carrier, not by damage control."
            yield Problem(place + "/track", "cannot-repair", message, "C6.14")
        else:
            yield from self._check_boxes(ship, item, place)
        wanted = item.boxes * item.parties
        free = int(ship["parties"]) - self._parties[item.ship]
        if wanted > free:
            message = f"{ship['name']} has {max(free, 0)} damage control parties free, {wanted} are asked for."
            yield Problem(place + "/parties", "too-few-parties", message, "C6.16")

    def _check_boxes(self, ship: Any, item: RepairItem, place: str) -> Iterator[Problem]:
        track = next((each for each in ship["tracks"] if each["name"] == item.track), None)
        left = int(track["lost"]) - int(track["shipyard"]) if track is not None else 0
        left -= self._repairs[item.ship, item.track]
        if item.boxes > left:
            message = f"{ship['name']} has {max(left, 0)} boxes of this track that its crew can repair."
            yield Problem(place + "/boxes", "too-many-boxes", message, "C6.16")

    def repair(self, item: RepairItem) -> None:
        """Let a repair be known to the orders that follow."""
        self._parties[item.ship] += item.boxes * item.parties
        self._repairs[item.ship, item.track] += item.boxes


def _check_own_force(own: OwnReport, force: str, place: str) -> Problem | None:
    """Return why a force cannot be split or merged: it is not the side's, or in battle."""
    row = own.forces.get(force)
    if row is None:
        return Problem(place, "unknown-force", "You have no such force.")
    if row["engaged"]:
        return Problem(place, "in-battle", f"{row['name']} is in battle and takes no orders on the map.", "B5.12")
    return None


def _check_own_ship(own: OwnReport, ship: str, place: str) -> Problem | None:
    """Return why a ship takes no orders: it is not the side's, or no longer in service."""
    if ship not in own.ships:
        return Problem(place, "unknown-ship", "You have no such ship.")
    return None if own.is_active(ship) else dead_ship(own, ship, place)


def dead_ship(own: OwnReport, ship: str, place: str) -> Problem:
    """Return the problem of an order for a ship that is no longer in service."""
    row = own.ships[ship]
    return Problem(place, "dead-ship", f"{row['name']} takes no orders: it is {row['status']}.")


def _where(force: Any) -> tuple[Any, ...]:
    return (force["system"], force["place"], force["q"], force["r"], force["z"])
