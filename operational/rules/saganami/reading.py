"""A side's sheet read against its own report: typed orders, and every problem with its place and rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from campaign.engine.errors import Problem, pointer
from campaign.engine.procedure import problems_of
from campaign.engine.ruleset import Reading
from operational.rules.saganami.orders import ForceOrder, Orders
from operational.rules.saganami.sheet import FORCES, SECTIONS, ForceItem


def read_orders(report: Mapping[str, Any], document: Mapping[str, Any]) -> Reading:
    """Read a sheet. An order with a stopping problem is left out; the rest of the sheet stands."""
    problems = [
        Problem(pointer(key), "unknown-section", f"A sheet has the sections {', '.join(SECTIONS)}.")
        for key in document
        if key not in SECTIONS
    ]
    own = {force["id"] for force in report["forces"]}
    orders: dict[str, ForceOrder] = {}
    for force, item in document.get(FORCES, {}).items():
        place = pointer(FORCES, force)
        if force not in own:
            problems.append(Problem(place, "unknown-force", f"There is no force {force!r} of yours."))
            continue
        try:
            found = ForceItem.model_validate(item)
        except ValidationError as error:
            problems += [Problem(place + each.place, each.code, each.message, each.rule) for each in problems_of(error)]
            continue
        course = None if found.course is None else tuple(found.course)
        orders[force] = ForceOrder(thrust=found.thrust, course=course)
    return Reading(Orders(side=str(report["side"]), forces=orders), tuple(sorted(problems)))
