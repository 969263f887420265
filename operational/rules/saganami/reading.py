"""A side's sheet read against its own report: typed orders, and every problem with its place and rule.

Nothing but the report is looked at, so a problem never tells more than the report does. The sections
are read in the order in which they happen: splits, merges, what each force does, searches, repairs,
standing choices; each order with a stopping problem is left out, and the rest of the sheet stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from campaign.engine.errors import Problem, pointer, stops
from campaign.engine.procedure import problems_of
from campaign.engine.ruleset import Reading
from operational.rules.saganami import sheet as form
from operational.rules.saganami.orders import ForceOrder, Merge, Orders, Repair, Search, Split
from operational.rules.saganami.own_report import OwnReport
from operational.rules.saganami.preferences import check_preferences
from operational.rules.saganami.reading_fleet import FleetReading
from operational.rules.saganami.reading_forces import changes_of, check_force, typed_order

ItemType = TypeVar("ItemType", bound=form.Item)

_VECTOR_RULES = dict.fromkeys(("not-vectors", "unknown-direction", "negative-vector", "not-whole-number"), "B3.15")


def read_orders(report: Mapping[str, Any], document: Mapping[str, Any]) -> Reading:
    """Read a sheet against its side's report. Never raises; every problem comes back at once."""
    return _Sheet(OwnReport(report), document).read()


class _Sheet:
    """One sheet while it is read."""

    def __init__(self, own: OwnReport, document: Mapping[str, Any]) -> None:
        self.own = own
        self.document = document
        self.fleet = FleetReading(own)
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
        splits = tuple(
            Split(
                force=item.force,
                ships=tuple(item.ships),
                name=(item.name or "").strip(),
                into=item.into or "",
                is_dummy=item.dummy,
                course=changes_of(item.thrust, item.course) or (),
            )
            for item in self._items(form.SPLIT, form.SplitItem, self.fleet.check_split, self.fleet.split)
        )
        merges = tuple(
            Merge(item.into, tuple(item.forces))
            for item in self._items(form.MERGE, form.MergeItem, self.fleet.check_merge, self.fleet.merge)
        )
        forces = self._forces()
        emerging = {force for force, order in forces.items() if order.emerge is not None}
        self.fleet.arrive(emerging)
        searches = tuple(
            Search(item.ship, item.window, item.drones)
            for item in self._items(form.SEARCH, form.SearchItem, self.fleet.check_search, self.fleet.search)
        )
        repairs = tuple(
            Repair(item.ship, item.track, item.boxes, item.parties)
            for item in self._items(form.REPAIR, form.RepairItem, self.fleet.check_repair, self.fleet.repair)
        )
        orders = Orders(self.own.side, forces, splits, merges, searches, repairs, self._preferences())
        return Reading(orders, tuple(sorted(self.problems)))

    def _say(self, problems: list[Problem]) -> bool:
        """Note the problems; return whether none of them stops the order."""
        self.problems += problems
        return not stops(problems)

    def _item(self, model: type[ItemType], value: Any, place: str) -> ItemType | None:
        try:
            return model.model_validate(value)
        except ValidationError as error:
            self.problems += [
                Problem(place + each.place, each.code, each.message, _VECTOR_RULES.get(each.code, each.rule))
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

    def _forces(self) -> dict[str, ForceOrder]:
        section = self.document.get(form.FORCES, {})
        if not isinstance(section, Mapping):
            message = "This section is an object: one order for each force, under its id."
            self.problems.append(Problem(pointer(form.FORCES), "not-an-object", message))
            return {}
        orders: dict[str, ForceOrder] = {}
        for force, value in section.items():
            place = pointer(form.FORCES, force)
            if force not in self.own.forces:
                self.problems.append(unknown_force(place))
                continue
            item = self._item(form.ForceItem, value, place)
            if item is None:
                continue
            if force in self.fleet.merged:
                message = "This force joins another at the start of the turn."
                self.problems.append(Problem(place, "merged-away", message, "B5.12"))
            elif self._say(list(check_force(self.own, force, item, place))):
                orders[force] = typed_order(item)
        return orders

    def _preferences(self) -> dict[str, str]:
        section = self.document.get(form.PREFERENCES, {})
        if not isinstance(section, Mapping):
            problem = Problem(pointer(form.PREFERENCES), "not-an-object", "Standing choices are an object.")
            self.problems.append(problem)
            return {}
        problems = check_preferences(section, self.own.bodies, pointer(form.PREFERENCES))
        self.problems += problems
        wrong = {problem.place for problem in problems}
        return {str(key): str(value) for key, value in section.items() if pointer(form.PREFERENCES, key) not in wrong}


def unknown_force(place: str) -> Problem:
    """Return the problem of a force that is not the side's own, whether it exists or not."""
    return Problem(place, "unknown-force", "You have no such force.")
