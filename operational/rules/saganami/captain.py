"""The automatic commander: a whole order sheet from a side's own report, by one of five doctrines, without chance.

A captain knows what the report says and nothing else. It gives every force of its side that is on the
map and not in battle an order, searches with every ship, and files the standing choices again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.engine.hexes import ORIGIN, Hex, true_range
from campaign.engine.vectors import from_axial, speed
from campaign.rulebooks.saganami.movement import OPERATIONAL_SPEED_LIMIT
from campaign.rulebooks.saganami.scales import TRANSLATE_SPEED_LIMIT, can_translate
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.captain_picture import Foe, Own, Picture, outside
from operational.rules.saganami.captain_search import search_orders
from operational.rules.saganami.course import Goal, plan
from operational.rules.saganami.hyper import is_outside
from operational.rules.saganami.steering import (
    change_toward,
    closest_in,
    is_leaving,
    resized,
    speed_along,
    turns_to_cover,
    velocity_to_meet,
    velocity_to_pass,
    velocity_to_stop_at,
)
from operational.rules.saganami.structure import INTEGRITY

PICKET, INTERCEPT, CONVOY, RAID, RUN = "picket", "intercept", "convoy", "raid", "run"
DOCTRINES: Mapping[str, str] = {
    PICKET: "Hold station, and search the windows in turn.",
    INTERCEPT: "Close with the contact that can be met first; hold station while there is none.",
    CONVOY: "Go to the nearest body and stay there; run for the limit while a contact is near.",
    RAID: "Pass the nearest body at speed, then leave across the limit.",
    RUN: "Leave the system by the shortest way that no contact bars, and translate out.",
}

DANGER = 40  # hexes: a convoy runs from what is, or will soon be, so near
SOON = 10  # turns
WIDE_BERTH = 60  # hexes that a runner likes to keep between its exit and a contact
RAID_SPEED = 40  # hexes a turn past the body: slow enough to translate afterwards
PASSED_SPEED = 6  # a raider that leaves a body this fast has passed it; one that just came out is slower
PLANNED_FORCES = 4  # a captain with more forces in hand steers by bearings
PLANNED_TURNS = 24
ENTRY = 3  # hexes outside the limit at which a captain comes out of hyperspace

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a doctrine wants of a force: the velocity to have, and whether to translate out as soon as it may.

    ``change`` is this turn's change of velocity where a course was planned.
    """

    velocity: Hex
    leave: bool = False
    change: Mapping[str, int] | None = None


def captain(report: Mapping[str, Any], doctrine: str) -> Document:
    """Return the order sheet of a side, from its own report, by a doctrine of DOCTRINES.

    Raises KeyError for a doctrine that is not one of them.
    """
    picture = Picture(report)
    wants = _PLANS[doctrine]
    forces: dict[str, Document] = {}
    for own in picture.forces:
        if own.row["place"] == "map":
            forces[own.id] = _on_map(picture, own, wants(picture, own))
        else:
            forces[own.id] = _emergence(picture, own, doctrine)
    return {
        "forces": forces,
        "search": search_orders(picture),
        "repair": _repairs(picture),
        "preferences": dict(report["preferences"]),
    }


# What a doctrine wants ---------------------------------------------------------------------------


def _picket(picture: Picture, own: Own) -> Plan:
    """Hold station: take off what speed there is."""
    return Plan(ORIGIN)


def _intercept(picture: Picture, own: Own) -> Plan:
    """Close with the foe that is met first, by distance, closing speed and thrust."""
    foes = picture.nearest_foes(own.system, own.next)
    if not foes:
        return _picket(picture, own)

    def turns(foe: Foe) -> tuple[int, int]:
        away = foe.place.less(own.next)
        closing = speed_along(own.velocity.less(foe.velocity), away)
        return turns_to_cover(true_range(*away), closing, own.thrust, OPERATIONAL_SPEED_LIMIT), foe.number

    foe = min(foes, key=turns)
    wanted = velocity_to_meet(foe.place.less(own.next), foe.velocity, own.thrust)
    return Plan(wanted, change=_first_change(picture, own, foe))


def _first_change(picture: Picture, own: Own, foe: Foe) -> Mapping[str, int] | None:
    """Return the first change of the course of fewest turns to where a coasting foe will be, or None.

    Planned anew each turn. Where the foe's velocity is not known, where no course is short enough, and for
    large fleets, there is no plan: the force then steers by the foe's bearing.
    """
    if not (own.thrust and foe.is_moving_known) or len(picture.forces) > PLANNED_FORCES:
        return None
    now = foe.place.less(foe.velocity)
    course = plan(own.flight, own.thrust, Goal(now, foe.velocity, is_matched=False), PLANNED_TURNS)
    return course.changes[0] if course is not None and course.changes else None


def _convoy(picture: Picture, own: Own) -> Plan:
    """Go to the nearest body and stop there; run while a foe is, or comes, near the convoy or lies at the body."""
    body = picture.nearest_body(own.system, own.next)
    comes_near = any(
        closest_in(foe.place.less(own.next), foe.velocity.less(own.velocity), SOON) <= DANGER
        for foe in picture.nearest_foes(own.system, own.next)
    )
    if comes_near or (body is not None and picture.is_foe_near(own.system, body, DANGER)):
        return _run(picture, own)
    return Plan(ORIGIN if body is None else velocity_to_stop_at(body.less(own.next), own.thrust))


def _raid(picture: Picture, own: Own) -> Plan:
    """Pass the nearest body as fast as lets it translate afterwards; leave once it is passed."""
    body = picture.nearest_body(own.system, own.next)
    if body is None:
        return _run(picture, own)
    away = body.less(own.next)
    has_passed = away == ORIGIN or is_leaving(away, own.velocity)
    if has_passed and true_range(*own.velocity) >= PASSED_SPEED:
        return _run(picture, own)
    return Plan(velocity_to_pass(away, RAID_SPEED))


@rule("B5.161")
def _run(picture: Picture, own: Own) -> Plan:
    """Make for the exit that is reached first and that no foe will be near; be slow enough there to translate."""
    if is_outside(own.next, picture.limit(own.system)):
        fast = true_range(*own.velocity)
        return Plan(resized(own.velocity, min(fast, TRANSLATE_SPEED_LIMIT)), leave=True)
    foes = picture.nearest_foes(own.system, own.next)
    best = min(
        (_cost_of_exit(own, place, foes), number, place)
        for number, place in enumerate(picture.exits(own.system, own.next))
    )
    return Plan(velocity_to_pass(best[2].less(own.next), TRANSLATE_SPEED_LIMIT), leave=True)


def _cost_of_exit(own: Own, place: Hex, foes: Sequence[Foe]) -> int:
    """Return the turns to an exit, and one more for every three hexes that a foe comes nearer than a wide berth.

    Each foe is reckoned at four moments of the way, coasting.
    """
    away = place.less(own.next)
    turns = turns_to_cover(true_range(*away), speed_along(own.velocity, away), own.thrust, TRANSLATE_SPEED_LIMIT)
    near = 0
    for foe in foes:
        gaps = []
        for quarter in range(1, 5):
            then = foe.place.moved(*(part * turns * quarter // 4 for part in foe.velocity))
            gaps.append(true_range(*then.less(own.next.moved(*(part * quarter // 4 for part in away)))))
        near += max(0, WIDE_BERTH - min(gaps))
    return turns + near // 3


_PLANS: Mapping[str, Callable[[Picture, Own], Plan]] = {
    PICKET: _picket,
    INTERCEPT: _intercept,
    CONVOY: _convoy,
    RAID: _raid,
    RUN: _run,
}


# What is ordered ---------------------------------------------------------------------------------


@rule("B5.145", "B5.161")
def _on_map(picture: Picture, own: Own, wanted: Plan) -> Document:
    """Return the order of a force on a map: this turn's thrust, its wedge up, and out where it wants to and may."""
    change = wanted.change
    if change is None:
        change = change_toward(own.velocity, wanted.velocity, own.thrust)
    order: Document = {"thrust": dict(change)}
    if "wedge-down" in own.row["marks"]:
        order["wedge"] = "up"
    if wanted.leave and own.can_translate:
        after = own.flight.after(change)
        slow = can_translate(speed(from_axial(*after.velocity)))
        if slow and is_outside(after.position, picture.limit(own.system)):
            order["translate_out"] = True
    return order


@rule("B5.162")
def _emergence(picture: Picture, own: Own, doctrine: str) -> Document:
    """Return the order to come out of hyperspace: on the side of the first body, just outside limit and body.

    Who runs stays where it is, and so does a convoy while a foe is believed to be near that place.
    """
    bodies = picture.bodies(own.system)
    way = bodies[0][1] if bodies else ORIGIN
    at = outside(way, max(picture.limit(own.system), true_range(*way)) + ENTRY)
    is_barred = any(picture.is_foe_near(own.system, place, WIDE_BERTH) for place in (at, way))
    if doctrine == RUN or not own.can_translate or (doctrine == CONVOY and is_barred):
        return {}
    return {"emerge": {"system": own.system, "at": {"q": at.q, "r": at.r, "z": at.z}}}


@rule("C6.16")
def _repairs(picture: Picture) -> list[Document]:
    """Return permanent repairs: one party to each broken box, in the order of the sheet, while parties last."""
    found: list[Document] = []
    for own in picture.forces:
        for key in own.row["ships"]:
            ship = picture.own.ships[key]
            free = int(ship["parties"])
            for track in ship["tracks"]:
                boxes = min(free, int(track["lost"]) - int(track["shipyard"]))
                if boxes > 0 and track["name"] != INTEGRITY:
                    found.append({"ship": key, "track": track["name"], "boxes": boxes, "parties": 1})
                    free -= boxes
    return found
