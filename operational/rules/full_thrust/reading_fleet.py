"""Reading the list sections of a sheet: scans, craft, splits, merges and calls, each against those before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from campaign.engine.errors import Problem, pointer
from campaign.engine.vectors import Vectors
from operational.rules.full_thrust.dummies import check_split_off
from operational.rules.full_thrust.movement import check_thrust, parse_flat_vector
from operational.rules.full_thrust.own_report import OwnReport
from operational.rules.full_thrust.sensors import ScanAllowance, Scanner, check_scan, operational_dice
from operational.rules.full_thrust.setup import MOST_DUMMIES
from operational.rules.full_thrust.sheet import (
    CallItem,
    CloakingItem,
    LaunchItem,
    MergeItem,
    RecoverItem,
    ScanItem,
    SplitItem,
)
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.switches import CALL_DISTANCE, SECOND_LOOK, ruling
from operational.rules.full_thrust.taskforces import check_merge, check_split

FRIEND, ENEMY = "friend", "enemy"


def unknown_force(place: str) -> Problem:
    """Return the problem of a force that is not the side's own, whether it exists or not."""
    return Problem(place, "unknown-force", "You have no such task force.")


def check_flat_thrust(thrust: Vectors | None, rate: int, place: str) -> Iterator[Problem]:
    """Yield what is wrong with thrust: it is flat, and no more than the rate of the slowest ship."""
    if thrust is None:
        return
    _, problems = parse_flat_vector(thrust, place, "end-point-movement")
    yield from problems
    if not problems:
        yield from check_thrust(thrust, rate, place=place)


class FleetReading:
    """The list orders of one sheet while it is read; ``take_*`` makes a good one known to the checks of the next."""

    def __init__(self, own: OwnReport, active: frozenset[str]) -> None:
        self.own = own
        self.active = active
        self.scans: dict[str, int] = {}
        self.moved_craft: set[str] = set()
        self.room = {key: int(ship["room"]) for key, ship in own.ships.items()}
        self.merged: set[str] = set()
        self.dummies = sum(own.is_dummy(force) for force in own.forces)

    # Forces and ships -------------------------------------------------------------------------

    def _force(self, force: str, place: str) -> Iterator[Problem]:
        if force not in self.own.forces:
            yield unknown_force(place)
        elif self.own.forces[force]["engaged"]:
            name = self.own.forces[force]["name"]
            yield Problem(place, "in-battle", f"{name} is at the table and takes no orders on the map.", "table-phase")
        elif force in self.merged:
            yield Problem(place, "merged-away", "This task force joins another one.", "merge-split")

    def _ship(self, ship: str, place: str) -> Iterator[Problem]:
        """Yield what keeps a ship from doing something: it is not own, not in service, or its force is not there."""
        if not self.own.is_active(ship):
            yield Problem(place, "unknown-ship", "You have no such ship in service.")
        elif self.own.ships[ship]["force"] is None:
            name = self.own.ships[ship]["name"]
            yield Problem(place, "ship-not-on-map", f"{name} is with no task force on the map.", "taskforces")
        else:
            yield from self._force(str(self.own.ships[ship]["force"]), place)

    def _contact(self, contact: str, place: str) -> Iterator[Problem]:
        if contact in self.own.forces or contact in self.own.ships:
            yield Problem(place, "scan-of-a-friend", "Only enemies are scanned.", "detection-phase")
        elif contact not in self.own.contacts:
            yield Problem(place, "unknown-contact", "You have no such contact.", "detection-phase")
        elif self.own.contacts[contact]["lost"]:
            yield Problem(place, "contact-lost", "This contact is out of sight.", "detection-phase")

    # Scans ------------------------------------------------------------------------------------

    @rule("detection-phase", "fire-control-limit", "active-counters", "operational-sensor-table")
    def check_scan(self, item: ScanItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with a scan; range and bands are exact, since detection comes before movement."""
        wrong = [*self._ship(item.ship, place + "/ship"), *self._contact(item.contact, place + "/contact")]
        yield from wrong
        if wrong:
            return
        ship = self.own.ships[item.ship]
        if ship["kind"] == "craft":
            message = "Fighters and other craft have no sensors on the map's table."
            yield Problem(place + "/ship", "craft-scans", message, "operational-sensor-table")
            return
        range_ = self.own.range_to(str(ship["force"]), item.contact)
        if range_ is None:
            yield Problem(place + "/contact", "other-map", "The contact is on another map.", "detection-phase")
            return
        used = self.scans.get(item.ship, 0) + item.scans - 1
        scanner = Scanner(
            FRIEND,
            ship["sensors"],
            ScanAllowance(int(ship["fire_controls"]), used),
            item.ship in self.active,
            bool(ship["cloaked"]),
        )
        dice = operational_dice(ship["sensors"], item.mode, range_)
        places = {"/range_hex": "/contact", "/fire_controls": "/scans", "/is_cloaked": "/ship"}
        for problem in check_scan(scanner, mode=item.mode, target_side=ENEMY, dice=dice):
            yield replace(problem, place=place + places.get(problem.place, problem.place))
        if item.bogey is not None:
            yield from self._check_bogey(item, place + "/bogey")

    def _check_bogey(self, item: ScanItem, place: str) -> Iterator[Problem]:
        if ruling(self.own.rulings, SECOND_LOOK) != "allowed":
            message = "In this campaign the owner chooses the ship that is scanned."
            yield Problem(place, "second-look", message, "easiest-ship")
        elif not any(each["id"] == item.bogey and each["locked"] for each in self.own.contacts[item.contact]["ships"]):
            yield Problem(place, "unknown-bogey", "No ship of that id is detected there.", "easiest-ship")

    def take_scan(self, item: ScanItem) -> None:
        """Count a scan."""
        self.scans[item.ship] = self.scans.get(item.ship, 0) + item.scans

    # Craft ------------------------------------------------------------------------------------

    @rule("operations-phase")
    def check_recovery(self, item: RecoverItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with a recovery: craft out, in the ship's hex with its vector, and room for them."""
        wrong = list(self._ship(item.ship, place + "/ship"))
        yield from wrong
        for number, craft in enumerate(item.craft):
            here = place + pointer("craft", number)
            if craft in item.craft[:number] or craft in self.moved_craft:
                yield Problem(here, "ship-twice", "This craft has an order already.", "operations-phase")
                continue
            found = list(self._ship(craft, here))
            yield from found
            if found or wrong:
                continue
            if self.own.ships[craft]["kind"] != "craft":
                yield Problem(here, "not-a-craft", "Only craft are taken aboard.", "operations-phase")
            elif not self.own.are_together(
                str(self.own.ships[craft]["force"]), str(self.own.ships[item.ship]["force"])
            ):
                message = "Craft are recovered in the ship's hex and with its vector."
                yield Problem(here, "not-together", message, "merge-split")
        if not wrong and len(item.craft) > self.room[item.ship]:
            message = f"{self.own.ships[item.ship]['name']} has room for {self.room[item.ship]} craft."
            yield Problem(place + "/craft", "no-room", message, "operations-phase")

    def take_recovery(self, item: RecoverItem) -> None:
        """Take craft out of their forces."""
        self.moved_craft.update(item.craft)
        self.room[item.ship] -= len(item.craft)
        for craft in item.craft:
            self.own.members[str(self.own.ships[craft]["force"])].remove(craft)

    @rule("operations-phase")
    def check_launch(self, item: LaunchItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with a launch: craft of the ship that are aboard, each once."""
        wrong = list(self._ship(item.ship, place + "/ship"))
        yield from wrong
        if wrong:
            return
        aboard = self.own.ships[item.ship]["craft"]
        for number, craft in enumerate(item.craft):
            here = place + pointer("craft", number)
            if craft not in aboard:
                yield Problem(here, "unknown-craft", "This ship has no such craft aboard.", "operations-phase")
            elif craft in item.craft[:number] or craft in self.moved_craft:
                yield Problem(here, "ship-twice", "This craft has an order already.", "operations-phase")
        known = [craft for craft in item.craft if craft in aboard]
        if known:
            yield from check_flat_thrust(item.thrust, self.own.slowest(known), place + "/thrust")

    def take_launch(self, item: LaunchItem) -> None:
        """Note craft that leave."""
        self.moved_craft.update(item.craft)

    # Task forces ------------------------------------------------------------------------------

    @rule("merge-split", "taskforces", "dummy-taskforces")
    def check_split(self, item: SplitItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with a split: ships of the force, some of which stay, or a dummy."""
        wrong = list(self._force(item.force, place + "/force"))
        yield from wrong
        if wrong:
            return
        if item.dummy:
            if item.ships:
                yield Problem(place + "/ships", "dummy-with-ships", "A dummy has no ships.", "dummy-taskforces")
            most = MOST_DUMMIES if self.own.dummies is None else self.own.dummies
            yield from check_split_off(self.dummies, most, place=place + "/dummy")
            yield from check_flat_thrust(item.thrust, self.own.thrust(item.force), place + "/thrust")
            return
        members = self.own.members[item.force]
        staying = [ship for ship in members if ship not in item.ships]
        places = {"/parts/0": "/ships", "/parts/1": "/ships", "/parts": "/ships"}
        for problem in check_split(members, [staying, item.ships]):
            head = problem.place.replace("/parts/1/", "/ships/")
            yield replace(problem, place=place + places.get(head, head))
        known = [ship for ship in item.ships if ship in members]
        if known:
            yield from check_flat_thrust(item.thrust, self.own.slowest(known), place + "/thrust")

    def take_split(self, item: SplitItem) -> None:
        """Take ships out of their force."""
        self.dummies += item.dummy
        for ship in item.ships:
            self.own.members[item.force].remove(ship)

    @rule("merge-split")
    def check_merge(self, item: MergeItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with a merge: own task forces in one hex with one vector, each once."""
        wrong = list(self._force(item.into, place + "/into"))
        yield from wrong
        seen = [item.into]
        for number, force in enumerate(item.forces):
            here = place + pointer("forces", number)
            found = list(self._force(force, here))
            yield from found
            if force in seen:
                yield Problem(here, "force-twice", "This task force is named twice.", "merge-split")
            elif not found and not wrong:
                for problem in check_merge([self.own.marker(item.into), self.own.marker(force)]):
                    yield replace(problem, place=here)
                if self.own.forces[force]["system"] != self.own.forces[item.into]["system"]:
                    yield Problem(here, "other-map", "It is on another map.", "merge-split")
            seen.append(force)
        if not item.forces:
            yield Problem(place + "/forces", "merge-too-few", "It takes two task forces to merge.", "merge-split")

    def take_merge(self, item: MergeItem) -> None:
        """Move the ships of the joining forces."""
        for force in item.forces:
            self.own.members[item.into] += self.own.members[force]
            self.own.members[force] = []
        self.merged.update(item.forces)

    @rule("cloaking")
    def check_cloaking(self, item: CloakingItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with the cloaks: ships with a device that works, each in one of the lists."""
        for key, ships in (("cloak", item.cloak), ("decloak", item.decloak)):
            for number, ship in enumerate(ships):
                yield from self._check_cloak(ship, key, ships[:number], item, place + pointer(key, number))

    def _check_cloak(
        self, ship: str, key: str, before: Sequence[str], item: CloakingItem, place: str
    ) -> Iterator[Problem]:
        wrong = list(self._ship(ship, place))
        yield from wrong
        if wrong:
            return
        row = self.own.ships[ship]
        if ship in before or (key == "decloak" and ship in item.cloak):
            yield Problem(place, "ship-twice", "This ship is named twice.", "cloaking")
        elif key == "cloak" and not row["cloak"]:
            yield Problem(place, "no-cloak", f"{row['name']} has no cloaking device that works.", "cloaking")
        elif bool(row["cloaked"]) == (key == "cloak"):
            state = "is cloaked" if row["cloaked"] else "is not cloaked"
            yield Problem(place, "cloak-as-it-is", f"{row['name']} {state}.", "cloaking")

    @rule("table-phase")
    def check_call(self, item: CallItem, place: str) -> Iterator[Problem]:
        """Yield what is wrong with a call for battle: an own force with ships, and a contact that is detected."""
        yield from self._force(item.force, place + "/force")
        if item.force in self.own.forces and not self.own.members[item.force]:
            yield Problem(place + "/force", "dummy-calls", "A dummy cannot call for battle.", "table-phase")
        wrong = list(self._contact(item.contact, place + "/contact"))
        yield from wrong
        if wrong:
            return
        if not any(each["locked"] for each in self.own.contacts[item.contact]["ships"]):
            message = "Battle is called for with a force of which a ship is detected."
            yield Problem(place + "/contact", "not-detected", message, "table-phase")
        elif item.force in self.own.forces:
            reach = int(ruling(self.own.rulings, CALL_DISTANCE))
            range_ = self.own.range_to(item.force, item.contact)
            if range_ is None or range_ > reach:
                message = f"It counts only if the contact is within {reach} hexes after the movement."
                yield Problem(place + "/contact", "far-away", message, "table-phase", "warn")

    def take_call(self, item: CallItem) -> None:
        """Calls change nothing for the orders after them."""
