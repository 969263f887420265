"""What a unit can do with helm and engines this turn, its damage and its officers counted (B2.2, B3.2)."""

from __future__ import annotations

from campaign.engine import vectors as v
from campaign.engine.hexes import Hex
from campaign.engine.vectors import Vectors
from campaign.rulebooks.saganami.movement import TACTICAL_SPEED_LIMIT
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.movement import Course, course
from tactical.rules.saganami.officers import Boost, Ratings, helm_ratings
from tactical.rules.saganami.pods import towing
from tactical.rules.saganami.sheet import IMPELLERS, PIVOT, ROLL, THRUST
from tactical.rules.saganami.state import Ship
from tactical.rules.saganami.thrust import thrust_rating


def ratings_of(ship: Ship, boost: Boost = "pivot") -> Ratings:
    """Return the windows that a ship can pivot and roll this turn."""
    return helm_ratings(ship.number(PIVOT), ship.number(ROLL), ship.grades.helm, boost)


@rule("A2.676", "B3.22", "C7.123", "C8.21", "B5.145")
def thrust_of(ship: Ship, *, is_red_lined: bool = False) -> int:
    """Return the thrust a unit may plot: pods in tow disable boxes, without a wedge or impellers there is none."""
    if not ship.wedge_up or ship.sheet.is_base:
        return 0
    lac = ship.sheet.ship_class.lac
    if lac is not None:
        return lac.thrust
    disabled = towing(ship.sheet.scale, ship.pods_towed).thrust_boxes_disabled
    value = int(ship.sheet.value(THRUST, ship.gone.get(THRUST, 0) + disabled))
    return thrust_rating(value, ship.grades.engineer, is_red_lined=is_red_lined)


@rule("C5.465")
def is_on_circles(ship: Ship) -> bool:
    """Return whether only the circles of the Maximum Thrust track are left."""
    boxes = ship.sheet.boxes.get(THRUST, ())
    gone = ship.gone.get(THRUST, 0)
    return gone < len(boxes) and boxes[gone].kind is BoxKind.CIRCLE


@rule("C5.465", "B3.232")
def is_impeller_gone(ship: Ship) -> bool:
    """Return whether an impeller track has no box left."""
    return any(track in ship.sheet.size and ship.left(track) == 0 for track in IMPELLERS.values())


@rule("A3.11", "B3.12")
def coasting(ship: Ship) -> Course:
    """Return the markers of a unit that does nothing: as they are laid out before anybody plots."""
    return course(ship.place, ship.vectors, {}, engineer=ship.grades.engineer, carry=ship.carry)


@rule("B5.123")
def is_too_fast(vectors: Vectors, frame: Vectors, before: Vectors) -> bool:
    """Return whether a velocity, the map's frame added, breaks the speed limit; one that only falls does not."""
    now = v.speed(v.add(vectors, frame))
    return now > TACTICAL_SPEED_LIMIT and now >= v.speed(v.add(before, frame))


@rule("C7.11", "C7.13")
def shares_place(one: Ship, other: Ship, here: Hex, there: Hex) -> bool:
    """Return whether two units break the stacking limit; squadrons of LACs never do."""
    return here == there and not one.sheet.is_lac and not other.sheet.is_lac
