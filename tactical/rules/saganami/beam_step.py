"""The beam impact steps in play: grav lances, energy torpedoes, lasers, grasers, in that order (A3.23, C3, C5.31).

Beams of one type are simultaneous: all shots are taken from the state before any of them, and weapons
destroyed before their turn in the order no longer fire.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.arcs import Aspect
from tactical.rules.saganami.avid import Place, opposite
from tactical.rules.saganami.beams import (
    ORDER_OF_RESOLUTION,
    Weapon,
    can_affect,
    damage_at,
    effective_range,
    is_open_aspect,
    roll_energy_torpedo,
    roll_grav_lance,
    span,
)
from tactical.rules.saganami.bearings import shoot
from tactical.rules.saganami.damage import depth_modifier, roll_penetrations
from tactical.rules.saganami.gunnery import closing_windows, entry_of, mount_bears, wall_of
from tactical.rules.saganami.hits import Damage
from tactical.rules.saganami.impact_step import tell_damage
from tactical.rules.saganami.plots import LaunchPlot
from tactical.rules.saganami.sheet import THRUST, Mounting
from tactical.rules.saganami.state import Ship
from tactical.rules.saganami.table import Table

When = Literal["first", "second"]
BEAMS: Final[tuple[Weapon, ...]] = ORDER_OF_RESOLUTION[2:]
GRAV_LANCE: Final = "grav lance"


@dataclass(frozen=True, slots=True)
class Shot:
    """Beams of one type in one mount that fire at one target."""

    shooter: Ship
    mount: Mounting
    weapon: Weapon
    count: int
    damage: int
    target: Ship
    aspect: Aspect
    range: int
    wall: int
    wall_boxes: int


@rule("A3.23", "A3.25", "C3.11", "C5.31", "C5.311", "C5.312")
def beam_impacts(table: Table, when: When) -> None:
    """Resolve one beam impact step, type after type."""
    sights = _sights(table)
    if not sights:
        return
    for weapon in BEAMS:
        shots = [
            shot
            for ship in table.state.active()
            if ship.id in sights
            for shot in _shots(table, ship, weapon, sights[ship.id])
        ]
        if shots and weapon == GRAV_LANCE:
            _grav_lances(table, when, shots)
        elif shots:
            _fire(table, when, weapon, shots)


Seen = list[tuple[Ship, int, tuple[Place, ...]]]


@rule("C3.11", "C3.111")
def _sights(table: Table) -> dict[str, Seen]:
    """Return for each ship the enemies in reach of any beam: range, and the windows it sees them through."""
    found: dict[str, Seen] = {}
    active = list(table.state.active())
    for ship in active:
        reach = beam_reach(ship)
        if not reach:
            continue
        for other in active:
            if not table.state.oppose(ship.side, other.side):
                continue
            bearing = shoot(ship.place, other.place)
            # An open aspect halves the range, so that beams reach twice as far (C3.123).
            if bearing.range > 2 * reach + 1:
                continue
            windows = bearing.windows or _closing(ship, other)
            found.setdefault(ship.id, []).append((other, bearing.range, windows))
    return found


def _closing(ship: Ship, other: Ship) -> tuple[Place, ...]:
    start = ship.place if ship.move is None else ship.move.course.start
    there = other.place if other.move is None else other.move.course.start
    if (ship.id, start) > (other.id, there):
        return tuple(opposite(window) for window in closing_windows(there, start))
    return closing_windows(start, there)


def beam_reach(ship: Ship) -> int:
    """Return the longest range of a ship's beams that still work, in hexes."""
    return max(
        (
            len(beams.damage)
            for mount in ship.sheet.mountings
            for beams in mount.beams
            if beam_count(ship, mount, beams.track) > 0
        ),
        default=0,
    )


@rule("C7.23")
def beam_count(ship: Ship, mount: Mounting, track: str) -> int:
    """Return the beams of a track that work: the ship's, or those of all live LACs of a squadron."""
    if not ship.sheet.is_lac:
        return ship.left(track)
    code = track.rpartition(".")[2]
    return sum(ship.left(f"{craft}.{mount.name}.{code}") for craft in ship.live_craft())


@rule("C3.12", "C3.121", "C3.122", "C3.123", "C3.124", "C5.341", "C5.342")
def _shots(table: Table, ship: Ship, weapon: Weapon, seen: Seen) -> list[Shot]:
    """Return what a ship fires of one type: each mount at the target it was told to prefer, or hurts most."""
    plot = table.plot(ship, LaunchPlot)
    if (plot is not None and plot.holds_beams) or ship.attitude is None:
        return []
    preferred = () if plot is None else plot.beam_targets
    found = []
    for mount in ship.sheet.mountings:
        if weapon == GRAV_LANCE:
            arms: list[tuple[int, tuple[int, ...]]] = [(1, (1,))] if mount.grav_lance and ship.left(THRUST) else []
        else:
            arms = [
                (beam_count(ship, mount, beams.track), beams.damage) for beams in mount.beams if beams.weapon == weapon
            ]
        for count, profile in arms:
            if not count:
                continue
            options = []
            for target, distance, windows in seen:
                shot = _shot(table, ship, mount, weapon, count, profile, target, distance, windows)
                if shot is not None:
                    rank = preferred.index(target.id) if target.id in preferred else len(preferred)
                    options.append((rank, -shot.damage + target.sheet.scale - shot.wall, target.id, shot))
            if options:
                found.append(min(options, key=lambda each: each[:3])[3])
    return found


def _shot(
    table: Table,
    ship: Ship,
    mount: Mounting,
    weapon: Weapon,
    count: int,
    profile: tuple[int, ...],
    target: Ship,
    distance: int,
    windows: tuple[Place, ...],
) -> Shot | None:
    if ship.attitude is None or target.attitude is None or target.fate != "active":
        return None
    if not mount_bears(mount, ship.attitude, windows):
        return None
    aspect = entry_of(target, target.attitude, windows, table.turn).aspect
    number, boxes = wall_of(target, aspect, table.turn)
    if target.sheet.is_lac:
        # A squadron's wall has no boxes to lose, but it covers the LACs' sides.
        boxes = 1 if target.has_walls(table.turn) and aspect.cover == "sidewall" else 0
    if not can_affect(weapon, aspect, distance, boxes, is_wedge_up=target.wedge_up):
        return None
    if weapon == GRAV_LANCE:
        return None if target.sheet.is_lac else Shot(ship, mount, weapon, 1, 0, target, aspect, distance, number, boxes)
    is_open = is_open_aspect(aspect, boxes)
    damage = damage_at(profile, effective_range(distance, weapon, is_open=is_open))
    if not damage:
        return None
    return Shot(ship, mount, weapon, count, damage, target, aspect, distance, number, boxes)


@rule("C5.341")
def _grav_lances(table: Table, when: When, shots: list[Shot]) -> None:
    for shot in shots:
        roller = table.roll(shot.shooter.id, f"grav lance {shot.mount.name}")
        lance = roll_grav_lance(roller, shot.shooter.left(THRUST), shot.wall_boxes)
        shot.target.mark(f"{shot.aspect.edge}.sidewall", lance.boxes)
        text = (
            f"{shot.shooter.seen_name} tears {lance.boxes} boxes off the {shot.aspect.edge} wall of "
            f"{shot.target.seen_name} with a grav lance."
        )
        data = {"shooter": shot.shooter.id, "target": shot.target.id, "dice": list(lance.faces), "boxes": lance.boxes}
        table.tell("grav-lance-fired", text, ("C5.341",), data)


@rule("C3.11", "C5.213", "C5.22", "C5.33", "C5.342", "C5.3421", "C7.32")
def _fire(table: Table, when: When, weapon: Weapon, shots: list[Shot]) -> None:
    for target in table.state.ships:
        mine = [shot for shot in shots if shot.target is target]
        if not mine:
            continue
        damage = Damage(target, table.roll(target.id, f"{weapon} damage"), table.turn)
        log: list[dict[str, Any]] = []
        zeros: dict[str, tuple[int, int]] = {}
        struck: list[tuple[int, Aspect]] = []
        penetrating = 0
        for shot in mine:
            hits = shot.count
            if weapon == "energy torpedo":
                hits = sum(roll_energy_torpedo(damage.roller, shot.count))
            modifier = depth_modifier(shot.damage, target.sheet.scale, shot.wall)
            text = (
                f"{shot.shooter.seen_name} fires {shot.count} {weapon}s ({shot.damage}) from {shot.mount.name} at "
                f"{target.seen_name}, range {shot.range}, {shot.aspect.edge} {shot.aspect.cover}."
            )
            data = {"shooter": shot.shooter.id, "target": target.id, "weapon": weapon, "count": shot.count,
                    "hits": hits, "damage": shot.damage, "range": shot.range, "edge": shot.aspect.edge,
                    "cover": shot.aspect.cover, "mount": shot.mount.name}  # fmt: skip
            table.tell("beams-fired", text, ("C3.11", "C3.111"), data)
            if target.sheet.is_lac:
                points = modifier * 2 if weapon == "energy torpedo" else modifier
                log += damage.squadron_hits(shot.aspect.edge, hits, points, span(weapon))
                penetrating += hits
                continue
            down = shot.aspect.cover == "wedge" and not target.wedge_up
            found = roll_penetrations(damage.roller, hits, modifier, weapon, is_wedge_down=down)
            edge = shot.aspect.edge
            zeros[edge] = (zeros.get(edge, (0, 0))[0] + found.natural_zeros, shot.wall_boxes)
            struck += [(depth, shot.aspect) for depth in found.depths]
            penetrating += len(found.depths)
        for depth, aspect in sorted(struck, key=lambda each: -each[0]):
            if damage.is_over:
                break
            log.append(damage.hit(aspect, depth, span(weapon)))
        for wall, (count, boxes) in zeros.items():
            damage.natural_zeros(wall, count, boxes)
        tell_damage(table, target, damage, log, penetrating, f"{weapon}s")
