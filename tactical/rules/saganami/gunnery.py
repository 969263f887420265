"""From markers and attitudes to what bears on what: bearings of salvoes and beams, and how a shot finds its target.

What is asked for the same attitude and window again and again is remembered: there are 600 attitudes and
62 places of the AVID.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from campaign.engine.hexes import Hex
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.arcs import Aspect, Sight, aspect_of, sights
from tactical.rules.saganami.attitude import Attitude
from tactical.rules.saganami.avid import Place, opposite, place_at
from tactical.rules.saganami.bearings import Bearing, shoot
from tactical.rules.saganami.missiles import Stage, salvo_bearing
from tactical.rules.saganami.movement import Course
from tactical.rules.saganami.sheet import Mounting
from tactical.rules.saganami.state import Ship


class Entry(NamedTuple):
    """One way in which a shot may find a target: its aspect, and the window of the target's own sphere."""

    aspect: Aspect
    window: Place


def _sights(attitude: Attitude, bearing: Place) -> tuple[Sight, ...]:
    """Return ``sights``, with ship and bearing turned by sixths of a circle until the nose lies at A or A/B.

    That leaves the ship's own sphere as it is and saves five of six answers. A nose straight up or down has
    no side to turn by.
    """
    ring, column = attitude.forward
    sixths = column // 2
    if not sixths or abs(ring) == 3:
        return sights(attitude, bearing)
    turned = Attitude(place_at(ring, column - 2 * sixths), attitude.roll)
    return sights(turned, place_at(bearing.ring, bearing.column - 2 * sixths))


@cache
@rule("C1.22", "C5.12")
def seen_in(attitude: Attitude, windows: tuple[Place, ...]) -> frozenset[Place]:
    """Return the windows of a ship's own sphere in which a bearing may lie; the attacker takes what suits him."""
    return frozenset(sight.window for window in windows for sight in _sights(attitude, window))


def mount_bears(mounting: Mounting, attitude: Attitude, windows: tuple[Place, ...]) -> bool:
    """Return whether a mount bears on a bearing."""
    return not mounting.windows.isdisjoint(seen_in(attitude, windows))


@cache
@rule("C1.16", "C5.11", "C5.111", "C5.1112", "C5.12")
def entries(attitude: Attitude, windows: tuple[Place, ...], has_bubble_wall: bool) -> tuple[Entry, ...]:
    """Return the ways in which a shot along a bearing may find a target; ``windows`` are the shooter's."""
    found: list[Entry] = []
    for window in windows:
        for sight in _sights(attitude, opposite(window)):
            entry = Entry(aspect_of(sight, has_bubble_wall=has_bubble_wall), sight.window)
            if entry not in found:
                found.append(entry)
    return tuple(found)


@rule("C5.112", "C5.21", "C5.214")
def wall_of(ship: Ship, aspect: Aspect, turn: int) -> tuple[int, int]:
    """Return the number of the wall that a shot meets, and its boxes left; above and below Aft there is none."""
    if aspect.cover == "none":
        return ship.sheet.ship_class.hammerhead_armor, 0
    track = f"{aspect.edge}.sidewall"
    return ship.sheet.wall(aspect.edge, ship.gone.get(track, 0), has_walls=ship.has_walls(turn))


@rule("A2.51", "C4.141", "C5.111", "C5.1111", "C5.1112", "C5.12")
def entry_of(ship: Ship, attitude: Attitude, windows: tuple[Place, ...], turn: int) -> Entry:
    """Return how a shot finds a ship, every choice made.

    The attacker takes the way with the weakest wall; where all ways go through the wedge (or over a
    bubble wall's Top and Bottom) the defender takes the one with the strongest.
    """
    found = entries(attitude, windows, ship.sheet.is_base)
    if len(found) == 1:
        return found[0]

    def strength(entry: Entry) -> tuple[int, int]:
        number, left = wall_of(ship, entry.aspect, turn)
        return number, -left

    def is_steep(entry: Entry) -> bool:
        return abs(entry.window.ring) >= 2

    open_ways = [entry for entry in found if not is_steep(entry)]
    if open_ways:
        return max(open_ways, key=strength)
    return min(found, key=strength)


@rule("A3.133", "A3.134", "A3.135", "C2.14", "C2.144")
def salvo_solution(stage: Stage, shooter: Ship, target: Course) -> tuple[Bearing, Attitude, tuple[Place, ...]]:
    """Return a salvo's bearing, the shooter's attitude at launch, and the windows through which it leaves."""
    move = shooter.move
    if move is None or shooter.attitude is None:
        raise ValueError(f"{shooter.id} has no markers")
    bearing = salvo_bearing(stage, move.course, target)
    attitude = move.midpoint if stage == "late" else shooter.attitude
    return bearing, attitude, bearing.windows or closing_windows(move.course.start, target.start)


@rule("C3.11", "C5.12")
def closing_windows(start: Hex, target_start: Hex) -> tuple[Place, ...]:
    """Return through which windows two units see each other that are in one place: as they came together.

    The bearing is that of their places at the start of the turn; if that was one place too, it is A.
    """
    return shoot(start, target_start).windows or (Place(0, 0),)


@rule("A3.132", "C2.12", "C2.121")
def end_range(shooter: Course, target: Course) -> int:
    """Return the range between two ends of turn, which says how many salvoes there are."""
    return shoot(shooter.end, target.end).range
