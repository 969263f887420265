"""What a ship class costs: our costing, calibrated on the specimen class (docs/ship-classes.md).

Weight of fire and staying power count alike: their product is what a ship does before it dies, and
its root is what the ship is worth. All of it is whole numbers, so a class has one cost everywhere.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isqrt

from campaign.rulebooks.saganami.ship_class import (
    POSTS,
    boxes_total,
    ecm_rating,
    thrust_rating,
    track_value,
)
from campaign.rulebooks.saganami.ship_class_sheet import Mount, ShipClass
from campaign.rulebooks.saganami.source import rule

SPECIMEN_COST = 4434
"""Printed cost of the Sample class (A2.65)."""
SPECIMEN_WORTH = 62_538_393_600_000
"""``worth`` of the Sample class, which ties points to worth."""
SPECIMEN_OFFICERS = {
    "TAC": (-122, 0, 122, 245),
    "EWO": (-45, 0, 45, 90),
    "ATO": (-24, 0, 32, 61),
    "HELM": (-6, 0, 2, 8),
    "ENG": (-8, 0, 8, 23),
    "CREW": (-88, 0, 66, 133),
}
"""Printed officer and crew costs of the Sample class, Poor to Elite (A2.65)."""

_BEAM_WEIGHTS = {"L": 10, "G": 20, "ET": 10}
_PERFECT_MQL = 24


def attack(ship_class: ShipClass) -> int:
    """Return the weight of fire of all mounts.

    Each weapon counts the square of its damage at range 0 (of one missile): lasers and energy torpedoes
    ten times, grasers (span 3) twenty times, missiles 24 less the class's mean base MQL times. Pods laid
    in a turn count as launchers. A LAC's box launcher counts the missiles in it, at half weight, since
    it fires once (C7.212).
    """
    bands = ship_class.range_bands
    accuracy = 0 if bands is None else _PERFECT_MQL - sum(bands.mql) // len(bands.mql)
    weight = sum(_mount_attack(mount, accuracy) for mount in ship_class.mounts)
    if ship_class.lac is not None:
        return weight * ship_class.lac.craft
    if ship_class.pods is not None:
        pods = ship_class.pods
        weight += pods.per_turn * pods.missiles * pods.damage**2 * accuracy
    return weight


def _mount_attack(mount: Mount, accuracy: int) -> int:
    weight = 0
    for weapon in mount.weapons:
        strength = weapon.damage[0] ** 2
        if weapon.code == "M":
            missiles = Fraction(sum(mount.launchers), 2) if mount.launchers else weapon.count
            weight += int(missiles * strength * accuracy)
        else:
            weight += weapon.count * strength * _BEAM_WEIGHTS[weapon.code]
    return weight


def guard(ship_class: ShipClass) -> int:
    """Return how well the class keeps missiles off: 10, plus twice its ECM, one broadside's probable kills and decoys.

    A LAC squadron pools the kills of all its craft (C7.132).
    """
    names = ("A.port.CM", "A.port.PD") if ship_class.lac is not None else ("port.CM", "port.PD")
    kills = sum((Fraction(track_value(ship_class, name)) for name in names if ship_class.track(name)), Fraction(0))
    if ship_class.lac is not None:
        kills *= ship_class.lac.craft
    decoys = ship_class.track("port.dcy")
    return 10 + 2 * ecm_rating(ship_class, {}) + int(kills) + (0 if decoys is None else len(decoys.boxes))


def worth(ship_class: ShipClass) -> int:
    """Return attack x boxes x (scale + 1) squared x guard x (thrust + 6), a number in no unit."""
    hardness = (ship_class.scale + 1) ** 2
    agility = thrust_rating(ship_class, {}) + 6
    return attack(ship_class) * boxes_total(ship_class) * hardness * guard(ship_class) * agility


@rule("A2.65")
def class_cost(ship_class: ShipClass) -> int:
    """Return the points of a class at Average grades, whole points.

    The root of its worth, scaled so that the specimen class costs what its sheet says; never less than a
    hull's price of one point for each forty boxes times scale.
    """
    quadruple = 4 * SPECIMEN_COST**2 * worth(ship_class) // SPECIMEN_WORTH
    fighting = (isqrt(quadruple) + 1) // 2
    return max(fighting, ceil(Fraction(boxes_total(ship_class) * ship_class.scale, 40)))


@rule("D1.112")
def officer_costs(cost: int) -> dict[str, tuple[int, ...]]:
    """Return the officer and crew costs of a class that costs so many points, Poor to Elite.

    Each is the specimen's share of the cost, rounded away from zero, so that no grade comes free.
    """
    return {
        post: tuple(_away_from_zero(Fraction(cost * share, SPECIMEN_COST)) for share in SPECIMEN_OFFICERS[post])
        for post in POSTS
    }


def _away_from_zero(points: Fraction) -> int:
    return ceil(points) if points > 0 else -ceil(-points)
