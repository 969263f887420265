"""Beams: lasers, grasers, energy torpedoes and the grav lance (C3, C5.34)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from campaign.engine.dice import Roller, three_d10
from campaign.engine.errors import refuse
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.arcs import Aspect

Weapon = Literal["laser head", "contact nuke", "grav lance", "energy torpedo", "laser", "graser"]

# C5.31, C5.311, A2.413: warheads before beams, and the beams in this order.
ORDER_OF_RESOLUTION: tuple[Weapon, ...] = (
    "laser head",
    "contact nuke",
    "grav lance",
    "energy torpedo",
    "laser",
    "graser",
)
SPANS: dict[Weapon, int] = {
    "laser head": 1,
    "laser": 1,
    "graser": 3,
    "energy torpedo": 5,
    "contact nuke": 5,
}
GRAV_LANCE_DESTROYS = 3  # C5.341: on a die of this and more


@rule("C5.31", "C5.311", "A2.413")
def resolution_order(weapon: Weapon) -> int:
    """Return a weapon's place in the order of resolution; weapons of one type are simultaneous."""
    return ORDER_OF_RESOLUTION.index(weapon)


@rule("C5.33", "C5.331", "C5.332", "C5.333")
def span(weapon: Weapon) -> int:
    """Return how many adjacent rows or columns of the hit location table a hit goes down; a grav lance has none."""
    if weapon not in SPANS:
        raise refuse("no-span", f"A {weapon} does not use the hit location table.", place="/weapon", rule="C5.33")
    return SPANS[weapon]


@rule("C3.123", "C3.124", "C5.342")
def effective_range(distance: int, weapon: Weapon = "laser", *, is_open: bool = False) -> int:
    """Return the range at which a beam's damage is read: half, rounded down, through an open aspect.

    An energy torpedo's range is never halved.
    """
    if distance < 0:
        raise refuse("negative", "A range is never negative.", place="/range", rule="C3.111")
    return distance // 2 if is_open and weapon != "energy torpedo" else distance


@rule("C3.111", "C3.121", "C3.123", "C7.23")
def damage_at(profile: Sequence[int], distance: int) -> int:
    """Return a beam's damage at an effective range; the first number is for 0 and 1, past the last there is none."""
    index = max(distance, 1) - 1
    return profile[index] if index < len(profile) else 0


@rule("C3.12", "C3.121", "C3.122", "C3.123", "C5.341", "C5.342")
def can_affect(weapon: Weapon, aspect: Aspect, distance: int, sidewall_boxes: int, *, is_wedge_up: bool = True) -> bool:
    """Return whether a beam can do anything to a target that shows it an aspect.

    Nothing passes a wedge that is up. Energy torpedoes need the sidewall gone, and a grav lance one to
    tear at and range 0. ``sidewall_boxes`` are those left on the wall that faces the shot, bow or
    stern wall included.
    """
    if aspect.cover == "wedge" and is_wedge_up:
        return False
    if weapon == "grav lance":
        return distance == 0 and aspect.cover != "wedge" and sidewall_boxes > 0
    return weapon != "energy torpedo" or aspect.cover == "wedge" or sidewall_boxes == 0


@rule("C3.12", "C3.123", "C5.112")
def is_open_aspect(aspect: Aspect, sidewall_boxes: int) -> bool:
    """Return whether neither wedge nor wall covers the target; walls with no box left do not cover."""
    return aspect.cover != "wedge" and sidewall_boxes == 0


@dataclass(frozen=True, slots=True)
class Lance:
    """A grav lance's dice and the sidewall boxes it destroys."""

    faces: tuple[int, ...]
    boxes: int


@rule("C5.341")
def roll_grav_lance(roller: Roller, thrust_boxes: int, sidewall_boxes: int) -> Lance:
    """Roll a grav lance: a d10 for each unmarked box of the firer's Maximum Thrust track, circles with them.

    Three and more destroys a box of the target's facing sidewall.
    """
    faces = tuple(roller.die() for _ in range(thrust_boxes))
    return Lance(faces, min(sum(face >= GRAV_LANCE_DESTROYS for face in faces), sidewall_boxes))


@rule("A1.214", "C5.3421")
def roll_energy_torpedo(roller: Roller, launchers: int) -> tuple[int, ...]:
    """Roll the hits of each energy torpedo launcher: the lowest of three d10."""
    return tuple(three_d10(roller, "low") for _ in range(launchers))
