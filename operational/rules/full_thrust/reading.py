"""A side's sheet read against its own report: typed orders, and every problem with its place and rule.

Nothing but the report is looked at, so a problem never tells more than the report does. Each order with
a stopping problem is left out, and the rest of the sheet stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from campaign.engine.errors import Problem, pointer, stops
from campaign.engine.procedure import problems_of
from campaign.engine.ruleset import Reading
from campaign.engine.vectors import Vectors
from operational.rules.full_thrust import sheet as form
from operational.rules.full_thrust.orders import (
    Call,
    Chase,
    Cloaking,
    ForceOrder,
    Launch,
    Merge,
    Orders,
    Recovery,
    Scan,
    Split,
)
from operational.rules.full_thrust.own_report import OwnReport
from operational.rules.full_thrust.preferences import check_preferences
from operational.rules.full_thrust.reading_fleet import FleetReading, check_flat_thrust, unknown_force
from operational.rules.full_thrust.source import rule

ItemType = TypeVar("ItemType", bound=form.Item)


def read_orders(report: Mapping[str, Any], document: Mapping[str, Any]) -> Reading:
    """Read a sheet against its side's report. Never raises; every problem comes back at once."""
    return _Sheet(OwnReport(report), document).read()


class _Sheet:
    """One sheet while it is read."""

    def __init__(self, own: OwnReport, document: Mapping[str, Any]) -> None:
        self.own = own
        self.document = document
        self.problems: list[Problem] = []

    def read(self) -> Reading:
        """Return the typed orders and the problems, sorted by place."""
        if not isinstance(self.document, Mapping):
            problem = Problem("", "not-an-object", "An order sheet is an object of sections.")
            return Reading(Orders(side=self.own.side), (problem,))
        for key in self.document:
            if key not in form.SECTIONS:
                message = f"A sheet has the sections {', '.join(form.SECTIONS)}."
                self.problems.append(Problem(pointer(key), "unknown-section", message))
        items = self._force_items()
        self.fleet = FleetReading(self.own, frozenset(self._active(items)))
        scans, recoveries, launches, splits, merges = self._lists()
        forces = self._forces(items)
        orders = Orders(
            side=self.own.side,
            forces=forces,
            scans=scans,
            launches=launches,
            recoveries=recoveries,
            splits=splits,
            merges=merges,
            cloaking=self._cloaking(),
            calls=tuple(
                Call(item.force, item.contact)
                for item in self._items(form.CALLS, form.CallItem, self.fleet.check_call, self.fleet.take_call)
            ),
            preferences=self._preferences(),
        )
        return Reading(orders, tuple(sorted(self.problems)))

    def _lists(
        self,
    ) -> tuple[tuple[Scan, ...], tuple[Recovery, ...], tuple[Launch, ...], tuple[Split, ...], tuple[Merge, ...]]:
        """Read the list sections in the order in which they happen."""
        fleet = self.fleet
        scans = tuple(
            Scan(item.ship, item.contact, item.mode, item.scans, item.bogey or "")
            for item in self._items(form.SCANS, form.ScanItem, fleet.check_scan, fleet.take_scan)
        )
        recoveries = tuple(
            Recovery(item.ship, tuple(item.craft))
            for item in self._items(form.RECOVER, form.RecoverItem, fleet.check_recovery, fleet.take_recovery)
        )
        launches = tuple(
            Launch(item.ship, tuple(item.craft), (item.name or "").strip(), item.thrust)
            for item in self._items(form.LAUNCH, form.LaunchItem, fleet.check_launch, fleet.take_launch)
        )
        splits = tuple(
            Split(item.force, tuple(item.ships), (item.name or "").strip(), item.dummy, item.thrust)
            for item in self._items(form.SPLIT, form.SplitItem, fleet.check_split, fleet.take_split)
        )
        merges = tuple(
            Merge(item.into, tuple(item.forces))
            for item in self._items(form.MERGE, form.MergeItem, fleet.check_merge, fleet.take_merge)
        )
        return scans, recoveries, launches, splits, merges

    def _say(self, problems: list[Problem]) -> bool:
        """Note the problems; return whether none of them stops the order."""
        self.problems += problems
        return not stops(problems)

    def _item(self, model: type[ItemType], value: Any, place: str) -> ItemType | None:
        try:
            return model.model_validate(value)
        except ValidationError as error:
            self.problems += [
                Problem(place + each.place, each.code, each.message, each.rule or _VECTOR_RULES.get(each.code, ""))
                for each in problems_of(error)
            ]
            return None

    def _items(
        self,
        section: str,
        model: type[ItemType],
        check: Callable[[ItemType, str], Iterator[Problem]],
        take: Callable[[ItemType], None],
    ) -> list[ItemType]:
        """Return the usable orders of a list section; ``take`` makes each known to the checks of the next."""
        listed = self.document.get(section, [])
        if not isinstance(listed, list):
            self.problems.append(Problem(pointer(section), "not-a-list", "This section is a list of orders."))
            return []
        found = []
        for number, value in enumerate(listed):
            place = pointer(section, number)
            item = self._item(model, value, place)
            if item is not None and self._say(list(check(item, place))):
                take(item)
                found.append(item)
        return found

    # What each force does ---------------------------------------------------------------------

    def _force_items(self) -> dict[str, form.ForceItem]:
        section = self.document.get(form.FORCES, {})
        if not isinstance(section, Mapping):
            message = "This section is an object: one order for each task force, under its id."
            self.problems.append(Problem(pointer(form.FORCES), "not-an-object", message))
            return {}
        items = {}
        for force, value in section.items():
            place = pointer(form.FORCES, force)
            if force not in self.own.forces:
                self.problems.append(unknown_force(place))
                continue
            item = self._item(form.ForceItem, value, place)
            if item is not None:
                items[force] = item
        return items

    @rule("active-counters")
    def _active(self, items: Mapping[str, form.ForceItem]) -> Iterator[str]:
        """Yield the ships that are declared to use active sensors, of those that can."""
        for force, item in items.items():
            for number, ship in enumerate(item.active):
                here = pointer(form.FORCES, force, "active", number)
                if ship not in self.own.forces[force]["ships"]:
                    message = "Only a ship of this task force can be declared here."
                    self.problems.append(Problem(here, "ship-not-in-force", message, "active-counters"))
                elif self.own.ships[ship]["kind"] == "craft":
                    message = "Fighters and other craft have no sensors on the map's table."
                    self.problems.append(Problem(here, "craft-scans", message, "operational-sensor-table"))
                elif self.own.ships[ship]["cloaked"]:
                    message = "A cloaked ship uses no active sensors."
                    self.problems.append(Problem(here, "scanner-cloaked", message, "cloaking"))
                elif ship in item.active[:number]:
                    self.problems.append(Problem(here, "ship-twice", "This ship is named twice.", "active-counters"))
                else:
                    yield ship

    def _forces(self, items: Mapping[str, form.ForceItem]) -> dict[str, ForceOrder]:
        orders: dict[str, ForceOrder] = {}
        for force, item in items.items():
            place = pointer(form.FORCES, force)
            if self._say(list(self._check_force(force, item, place))):
                orders[force] = ForceOrder(
                    thrust=_flat(item.thrust),
                    chase=None
                    if item.chase is None
                    else Chase(item.chase.contact, item.chase.way, item.chase.distance),
                    active=tuple(ship for ship in item.active if ship in self.fleet.active),
                    name=None if item.name is None else item.name.strip(),
                )
        return orders

    @rule("end-point-movement", "taskforces", "movement-phase")
    def _check_force(self, force: str, item: form.ForceItem, place: str) -> Iterator[Problem]:
        """Yield every problem of a force's own order, with the ships that the sheet leaves it."""
        row = self.own.forces[force]
        if row["engaged"]:
            message = f"{row['name']} is at the table and takes no orders on the map."
            yield Problem(place, "in-battle", message, "table-phase")
            return
        moves = item.thrust is not None or item.chase is not None
        if force in self.fleet.merged and moves:
            yield Problem(place, "merged-away", "This task force joins another one and moves with it.", "merge-split")
            return
        if item.thrust is not None and item.chase is not None:
            message = "Give thrust or a contact to go for, not both."
            yield Problem(place + "/chase", "thrust-and-chase", message, "end-point-movement")
        yield from check_flat_thrust(item.thrust, self.own.thrust(force), place + "/thrust")
        if item.chase is not None:
            contact = self.own.contacts.get(item.chase.contact)
            if contact is None:
                yield Problem(place + "/chase/contact", "unknown-contact", "You have no such contact.")
            elif contact["system"] != row["system"]:
                yield Problem(place + "/chase/contact", "other-map", "The contact is on another map.")

    def _cloaking(self) -> Cloaking:
        section = self.document.get(form.CLOAKING, {})
        place = pointer(form.CLOAKING)
        item = self._item(form.CloakingItem, section, place)
        if item is None or not self._say(list(self.fleet.check_cloaking(item, place))):
            return Cloaking()
        return Cloaking(tuple(item.cloak), tuple(item.decloak))

    def _preferences(self) -> dict[str, Any]:
        section = self.document.get(form.PREFERENCES, {})
        if not isinstance(section, Mapping):
            problem = Problem(pointer(form.PREFERENCES), "not-an-object", "Standing choices are an object.")
            self.problems.append(problem)
            return {}
        problems = check_preferences(section, self.own.forces, self.own.ships, pointer(form.PREFERENCES))
        self.problems += problems
        wrong = {problem.place for problem in problems}
        return {
            str(key): list(value)
            for key, value in section.items()
            if not any(place.startswith(pointer(form.PREFERENCES, key)) for place in wrong)
        }


_VECTOR_RULES = dict.fromkeys(
    ("not-vectors", "unknown-direction", "negative-vector", "not-whole-number"), "end-point-movement"
)


def _flat(thrust: Vectors | None) -> dict[str, int] | None:
    return None if thrust is None else dict(thrust)
