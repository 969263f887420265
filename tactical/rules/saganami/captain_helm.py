"""How a captain flies: thrust for the range it wants, then the attitude that deals most and suffers least.

It looks ahead along the markers. Enemies are taken to coast; where their missiles would come from, and
through what they would find the ship, is worked out for the midpoint and for the end of the turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from campaign.engine.hexes import Hex, true_range
from campaign.engine.vectors import to_axial
from campaign.rulebooks.saganami.movement import TACTICAL_SPEED_LIMIT
from tactical.rules.saganami.attitude import ROLLS, Attitude, pivoted, rolled
from tactical.rules.saganami.avid import WINDOWS, Path, Place, distance, paths
from tactical.rules.saganami.bearings import shoot
from tactical.rules.saganami.captain_guns import own_guard
from tactical.rules.saganami.captain_picture import Assessment, own_salvo, step_between
from tactical.rules.saganami.captain_worth import (
    beam_range,
    beam_worth,
    best_beams,
    best_broadside,
    guard,
    hit_worth,
    leak,
    reach,
    salvoes_at,
)
from tactical.rules.saganami.gunnery import entries, seen_in
from tactical.rules.saganami.helm_room import is_too_fast, ratings_of, thrust_of
from tactical.rules.saganami.movement import course
from tactical.rules.saganami.state import Ship
from tactical.rules.saganami.thrust import ThrustPlot, options, velocity_change
from tactical.rules.saganami.view import Seen, View

LOOK_AHEAD = (1, 3)  # turns at whose end the range is to be right
PIVOTS_KEPT = 5
ASTRAY = 3  # hexes from its leader beyond which a ship is out of formation


@cache
def reachable(start: Place, windows: int) -> tuple[Path, ...]:
    """Return an arrow to each window within so many windows of a nose, the nearest first, none at all among them."""
    return tuple(
        paths(start, window)[0]
        for window in sorted(WINDOWS, key=lambda each: (distance(start, each), each))
        if distance(start, window) <= windows
    )


@cache
def burns(window: Place, thrust: int) -> tuple[tuple[ThrustPlot, Hex], ...]:
    """Return the thrusts that accrue in a window worth looking at, full and half, each with its change of velocity."""
    found = []
    for amount in sorted({thrust, thrust // 2} - {0}, reverse=True):
        found += [(plot, to_axial(velocity_change(plot))) for plot in options(window, amount)]
    return tuple(found)


@cache
def turned(attitude: Attitude, roll: int, path: Path) -> Attitude:
    """Return the attitude after a roll and a pivot."""
    return pivoted(rolled(attitude, roll), path)


@dataclass(slots=True)
class Threat:
    """Enemies that would shoot along one bearing at one moment: their missiles, quality, damage, and beams."""

    windows: tuple[Place, ...]
    missiles: int = 0
    mql: int = 20
    damage: int = 0
    beams: list[tuple[int, tuple[int, ...], int]] = field(default_factory=list)


@dataclass(slots=True)
class Outlook:
    """What a ship would meet at one moment: threats by bearing, and its target's bearing and range."""

    threats: list[Threat]
    aim: tuple[Place, ...]
    range: int


@dataclass(slots=True)
class Scales:
    """What a ship's choices are weighed with: worth of each mount's fire, losses by how a shot finds it."""

    fire: dict[tuple[str, bool], int] = field(default_factory=dict)
    losses: dict[tuple[int, int, str, str], int] = field(default_factory=dict)


def plot_movement(view: View, picture: Assessment) -> dict[str, Any]:
    """Return the movement sheet of a side: its ships first to last, followers keeping to their leader."""
    ships: dict[str, Any] = {}
    ends: dict[str, Hex] = {}
    mine = [ship for ship in picture.own if ship.id in view.plots]
    for ship in sorted(mine, key=lambda each: (each.sheet.is_lac, -each.cost, each.id)):
        if should_strike(ship, picture):
            ships[ship.id] = {"strike_colours": True}
            continue
        if ship.sheet.is_base or picture.focus is None or ship.attitude is None:
            continue
        leader = None if ship.sheet.is_lac else ends.get(ship.force)
        plot, end = _plot(view, ship, picture, leader)
        if not ship.sheet.is_lac:
            ends.setdefault(ship.force, end)
        ships[ship.id] = plot
    return {"ships": ships}


def plot_facings(view: View, picture: Assessment) -> dict[str, Any]:
    """Return the facings of newcomers: the nose towards the focus, or away from it when running."""
    ships: dict[str, Any] = {}
    for ship in view.own:
        if ship.id not in view.plots:
            continue
        focus = picture.focus or next(iter(view.enemies), None)
        if focus is None:
            continue
        seen = shoot(ship.place, focus.place).windows
        if picture.is_running:
            seen = shoot(focus.place, ship.place).windows
        if seen:
            ships[ship.id] = {"forward": str(seen[0]), "roll": 0}
    return {"ships": ships}


def should_strike(ship: Ship, picture: Assessment) -> bool:
    """Return whether a ship is done for: nothing left to fight with, its frame nearly gone, enemies about."""
    if ship.sheet.is_lac or ship.sheet.is_base or not picture.enemies:
        return False
    frame = ship.left("structural_integrity")
    if frame > max(2, ship.sheet.size["structural_integrity"] // 5):
        return False
    guns = sum(ship.left(mount.missiles) for mount in ship.sheet.mountings)
    guns += sum(ship.left(beams.track) for mount in ship.sheet.mountings for beams in mount.beams)
    whole = sum(ship.sheet.size.get(mount.missiles, 0) for mount in ship.sheet.mountings)
    near = min(step_between(ship.place, enemy.place) for enemy in picture.enemies)
    return guns * 5 <= whole and near <= 40 and picture.own_strength < picture.enemy_strength


# Movement ---------------------------------------------------------------------------------------


def _plot(view: View, ship: Ship, picture: Assessment, leader: Hex | None) -> tuple[dict[str, Any], Hex]:
    """Return a unit's plot and where it means to be after the next turn."""
    thrust = thrust_of(ship)
    focus = picture.focus
    attitude = ship.attitude
    if focus is None or attitude is None:
        return {}, ship.place
    mine = to_axial(ship.vectors)
    here = ship.place.moved(*mine)
    gap = focus.course.end.less(here)
    relative = mine.less(to_axial(focus.vectors))
    own_reach = max(reach(ship.sheet.bands), 1)

    def motion(change: Hex) -> int:
        """Return how far a change of velocity leaves the ship from what it wants (less is better)."""
        off = 0
        for turns in LOOK_AHEAD:
            step = (
                gap.q - turns * (relative.q + change.q),
                gap.r - turns * (relative.r + change.r),
                gap.z - turns * (relative.z + change.z),
            )
            off += abs(true_range(*step) - picture.wanted_range) * 4
        # A pass at speed is no fight: what is left of relative speed counts once the range is right.
        if abs(true_range(*gap) - picture.wanted_range) < own_reach:
            off += true_range(relative.q + change.q, relative.r + change.r, relative.z + change.z)
        if leader is not None:
            stray = true_range(*here.moved(mine.q + change.q, mine.r + change.r, mine.z + change.z).less(leader))
            off += 6 * max(0, stray - ASTRAY)
        return off

    if ship.sheet.is_lac:
        return _plot_lac(view, ship, picture, motion, thrust)
    best: dict[Place, tuple[int, ThrustPlot | None, Hex]] = {}
    none = motion(Hex(0, 0, 0))
    is_slow = _is_slow(view, ship, thrust)

    def burn(window: Place) -> tuple[int, ThrustPlot | None, Hex]:
        if window not in best:
            found: tuple[int, ThrustPlot | None, Hex] = (none, None, Hex(0, 0, 0))
            for plot, change in burns(window, thrust) if thrust else ():
                worth = motion(change)
                if worth < found[0] and (is_slow or not is_too_fast(_after(ship, plot), view.frame, ship.vectors)):
                    found = (worth, plot, change)
            best[window] = found
        return best[window]

    ratings = ratings_of(ship)
    arrows = []
    for path in reachable(attitude.forward, ratings.pivot):
        half = len(path) // 2
        window = path[half - 1] if half else attitude.forward
        arrows.append((burn(window), path))
    arrows.sort(key=lambda each: each[0][0])
    kept = _kept(arrows, attitude, ship, focus)
    path, roll = _best_attitude(view, ship, picture, kept, ratings.roll)
    half = len(path) // 2
    chosen = burn(path[half - 1] if half else attitude.forward)
    plotted: dict[str, Any] = {"pivot": [str(window) for window in path], "roll": roll}
    if chosen[1] is not None:
        plotted["thrust"] = _thrust(chosen[1])
    return plotted, here.moved(mine.q + chosen[2].q, mine.r + chosen[2].r, mine.z + chosen[2].z)


def _is_slow(view: View, ship: Ship, thrust: int) -> bool:
    """Return whether no thrust can take a unit near the speed limit."""
    return sum(ship.vectors.values()) + sum(view.frame.values()) + 2 * thrust < TACTICAL_SPEED_LIMIT


def _after(ship: Ship, plot: ThrustPlot) -> Mapping[str, int]:
    return course(ship.place, ship.vectors, velocity_change(plot)).vectors


def _thrust(plot: ThrustPlot) -> dict[str, Any]:
    return {"thrust": plot.thrust, "cell": list(plot.cell), "split": dict(plot.split)}


Arrow = tuple[tuple[int, ThrustPlot | None, Hex], Path]


def _kept(arrows: list[Arrow], attitude: Attitude, ship: Ship, focus: Seen) -> list[Arrow]:
    """Return the arrows worth a closer look: the best by movement, and those that end broadside to the target."""
    kept = arrows[:PIVOTS_KEPT]
    aim = shoot(ship.place, focus.course.end).windows
    if aim:
        abeam = [
            arrow
            for arrow in arrows[PIVOTS_KEPT:]
            if distance(arrow[1][-1] if arrow[1] else attitude.forward, aim[0]) == 3
        ]
        kept += abeam[:PIVOTS_KEPT]
    return kept


# Attitude ---------------------------------------------------------------------------------------


def _rolls(rating: int) -> tuple[int, ...]:
    rating = min(rating, ROLLS // 2)
    return tuple(sorted({0, 1, -1, 3, -3, rating, -rating} & set(range(-rating, rating + 1))))


def _best_attitude(
    view: View, ship: Ship, picture: Assessment, arrows: list[Arrow], roll_rating: int
) -> tuple[Path, int]:
    """Return the pivot and roll that weigh best: fire dealt late and next turn against what comes in."""
    attitude = ship.attitude
    if attitude is None:
        return (), 0
    scales = Scales()
    halfway, end = _outlooks(view, ship, picture)
    best: tuple[int, int, int] | None = None
    chosen: tuple[Path, int] = ((), 0)
    seen: dict[tuple[Attitude, bool], int] = {}

    def worth(at: Attitude, outlook: Outlook, is_end: bool) -> int:
        key = (at, is_end)
        if key not in seen:
            seen[key] = _weigh(ship, picture, at, outlook, scales)
        return seen[key]

    ground = arrows[0][0][0] if arrows else 0
    price = _price(ship, picture)
    for burned, path in arrows:
        half = len(path) // 2
        behind = (burned[0] - ground) * price
        for roll in _rolls(roll_rating):
            middle = turned(attitude, abs(roll) // 2 * (1 if roll > 0 else -1), path[:half])
            last = turned(attitude, roll, path)
            value = worth(middle, halfway, False) + 2 * worth(last, end, True) - behind
            rank = (value, -len(path), -abs(roll))
            if best is None or rank > best:
                best, chosen = rank, (path, roll)
    return chosen


def _price(ship: Ship, picture: Assessment) -> int:
    """Return what a point of movement is worth, in thousandths of a point: more while the range is wrong."""
    if picture.focus is None:
        return 0
    gap = step_between(ship.place, picture.focus.place)
    off = abs(gap - picture.wanted_range)
    far = 3 if gap > reach(ship.sheet.bands) else 1
    return max(ship.cost * 1000 // 400, 1) * (2 + min(off, 20)) * far // 10


def _outlooks(view: View, ship: Ship, picture: Assessment) -> tuple[Outlook, Outlook]:
    """Return what a ship meets at its midpoint and at the end of its turn, if everybody coasts."""
    mine = course(ship.place, ship.vectors, {})
    found = []
    for name in ("midpoint", "end"):
        here = mine.midpoint if name == "midpoint" else mine.end
        threats: dict[tuple[Place, ...], Threat] = {}
        for enemy in picture.enemies:
            there = enemy.course.midpoint if name == "midpoint" else enemy.course.end
            _add_threat(threats, ship, enemy, here, there)
        focus = picture.focus
        aim: tuple[Place, ...] = ()
        gap = 0
        if focus is not None:
            bearing = shoot(here, focus.course.midpoint if name == "midpoint" else focus.course.end)
            aim, gap = bearing.windows, bearing.range
        found.append(Outlook(list(threats.values()), aim, gap))
    return found[0], found[1]


def _add_threat(threats: dict[tuple[Place, ...], Threat], ship: Ship, enemy: Seen, here: Hex, there: Hex) -> None:
    """Add what an enemy at a place can throw at a ship; its bearing is the one the enemy shoots along."""
    bearing = shoot(there, here)
    if not bearing.windows:
        return
    salvoes = salvoes_at(enemy.sheet.bands, bearing.range)
    beams = bearing.range <= 2 * beam_range(enemy.sheet)
    if not salvoes and not beams:
        return
    threat = threats.setdefault(bearing.windows, Threat(bearing.windows))
    if salvoes:
        missiles, damage = best_broadside(enemy.sheet)
        if missiles:
            threat.missiles += missiles
            threat.mql = min(threat.mql, salvoes[0][1])
            threat.damage = max(threat.damage, damage)
    if beams:
        threat.beams += [(count, profile, bearing.range) for count, profile in best_beams(enemy.sheet)]


def _weigh(ship: Ship, picture: Assessment, attitude: Attitude, outlook: Outlook, scales: Scales) -> int:
    """Return the worth of an attitude at one moment, in thousandths of a point."""
    gained = lost = 0
    if outlook.aim and picture.focus is not None:
        seen = seen_in(attitude, outlook.aim)
        for mount in ship.sheet.mountings:
            if not mount.windows.isdisjoint(seen):
                key = (mount.name, outlook.range <= beam_range(ship.sheet))
                if key not in scales.fire:
                    scales.fire[key] = _mount_worth(ship, mount.name, picture.focus, outlook.range)
                gained += scales.fire[key]
    share = max(len(picture.own), 1)
    for index, threat in enumerate(outlook.threats):
        entry = entries(attitude, threat.windows, ship.sheet.is_base)[0]
        key_of_loss = (id(outlook), index, entry.aspect.edge, entry.aspect.cover)
        if key_of_loss not in scales.losses:
            scales.losses[key_of_loss] = _loss(ship, threat, entry.aspect.edge, entry.aspect.cover, share)
        lost += scales.losses[key_of_loss]
    return gained * picture.doctrine.offence - lost * picture.doctrine.defence


def _mount_worth(ship: Ship, name: str, focus: Seen, gap: int) -> int:
    """Return what a mount's fire at the focus is worth: salvoes as the range gives them, and beams in reach."""
    mount = ship.sheet.mounting[name]
    ecm, cm, pd, wall = guard(focus.sheet, "port" if "port" in focus.sheet.mounting else "forward")
    worth = 0
    missiles = own_salvo(ship, mount)
    salvoes = salvoes_at(ship.sheet.bands, gap)
    if missiles and salvoes:
        through = leak(missiles, salvoes[0][1], ecm, cm, pd, is_wedge=False)
        # Even a salvo that is stopped costs decoys and adds up with the others'.
        through += missiles * 60
        worth += through * hit_worth(focus.sheet, mount.missile_damage, wall) // 1000 * len(salvoes)
    for beams in mount.beams:
        if beams.weapon != "energy torpedo":
            count = ship.left(beams.track)
            worth += beam_worth(beams.damage, count, gap, focus.sheet, wall, is_open=False)
    return worth


def _loss(ship: Ship, threat: Threat, edge: str, cover: str, share: int) -> int:
    """Return what a threat is expected to cost a ship that it finds on an edge, through a cover."""
    is_wedge = cover == "wedge" and ship.wedge_up
    ecm, cm, pd, wall = own_guard(ship, edge)
    lost = 0
    if threat.missiles:
        through = leak(threat.missiles, threat.mql, ecm, cm, pd, is_wedge=is_wedge)
        lost += through * hit_worth(ship.sheet, threat.damage, wall) // 1000 // share
    if not is_wedge:
        is_open = cover in ("bow", "stern", "none")
        for count, profile, gap in threat.beams:
            lost += beam_worth(profile, count, gap, ship.sheet, wall, is_open=is_open) // share
    return lost


# LACs -------------------------------------------------------------------------------------------


def _plot_lac(view: View, ship: Ship, picture: Assessment, motion: Any, thrust: int) -> tuple[dict[str, Any], Hex]:
    """Return a squadron's plot: it thrusts whichever way is best and ends the turn as is best."""
    attitude = ship.attitude
    if attitude is None:
        return {}, ship.place
    best: tuple[int, Place, ThrustPlot | None] = (motion(Hex(0, 0, 0)), attitude.forward, None)
    for window in WINDOWS:
        for plot, change in burns(window, thrust):
            worth = motion(change)
            if worth < best[0] and not is_too_fast(_after(ship, plot), view.frame, ship.vectors):
                best = (worth, window, plot)
    scales = Scales()
    halfway, end = _outlooks(view, ship, picture)
    ways = [Attitude(best[1], roll) for roll in range(0, ROLLS, 3)]
    middle = max(ways, key=lambda at: _weigh(ship, picture, at, halfway, scales))
    ends = [
        middle,
        *(Attitude(window, roll) for window in WINDOWS if window.ring in (0, 1, -1) for roll in (0, 3, 6, 9)),
    ]
    last = max(ends, key=lambda at: _weigh(ship, picture, at, end, scales))
    plotted: dict[str, Any] = {"halfway": middle.as_document(), "end": last.as_document()}
    if best[2] is not None:
        plotted["thrust"] = _thrust(best[2])
    return plotted, ship.place
