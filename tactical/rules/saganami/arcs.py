"""From a bearing to the ship's own frame: firing arcs, sidewalls, wedge, bow and stern (C1.2, C5.1).

A ship carries a sphere of its own, with its nose in column 0 of the yellow row, starboard in column 3
and Top above. A bearing on the AVID is placed on it by counting windows to the orientation markers,
as the rulebook's five steps do: the row by the nearer of Top and Bottom, the column by the nearest of
the other four. Where two of those are equally near, or both sides fit, the attacker chooses (C1.222).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.attitude import FACINGS, Attitude, Facing, markers
from tactical.rules.saganami.avid import WINDOWS, Place, distance, is_next_to

FACING_COLUMN: dict[Facing, int] = {"forward": 0, "starboard": 3, "aft": 6, "port": 9}
_OWN_PLACE = {facing: Place(0, column) for facing, column in FACING_COLUMN.items()}

Cover = Literal["wedge", "sidewall", "bow", "stern", "none"]
Leak = Literal["near_forward", "near_aft"]


@dataclass(frozen=True, slots=True, order=True)
class Sight:
    """One way to place a bearing on the ship's own sphere: the marker it is counted from, and the window."""

    facing: Facing
    window: Place


@cache
@rule("C1.221")
def row_of(attitude: Attitude, bearing: Place) -> int:
    """Return the row on the ship's own sphere: 3 Top's window, 2 and -2 the green rows, 0 the middle, -3 Bottom's.

    The windows of the four markers round the middle are in it, also where a steep and rolled ship's
    Top counts nearer to one of them than to the opposite one.
    """
    marks = markers(attitude)
    if bearing in (marks.forward, marks.starboard, marks.aft, marks.port):
        return 0
    from_top, from_bottom = distance(bearing, marks.top), distance(bearing, marks.bottom)
    if from_top == from_bottom:
        return 0
    return max(3 - from_top, 0) if from_top < from_bottom else min(from_bottom - 3, 0)


@cache
@rule("C1.222", "C5.11")
def nearest_facings(attitude: Attitude, bearing: Place) -> tuple[Facing, ...]:
    """Return the facings whose markers are fewest windows from a bearing, clockwise from forward."""
    marks = markers(attitude)
    counts = {facing: distance(bearing, marks.facing(facing)) for facing in FACINGS}
    least = min(counts.values())
    return tuple(facing for facing in FACINGS if counts[facing] == least)


@cache
@rule("C1.2", "C1.21", "C1.22", "C1.222", "C1.223", "C1.224", "C5.12")
def sights(attitude: Attitude, bearing: Place) -> tuple[Sight, ...]:
    """Return the windows of the ship's own sphere that a bearing may count as; more than one is the attacker's choice.

    In its row it takes the window that is as far from the nearest marker as the bearing is, and fits
    the other three markers best; one straight above or below the marker goes before one beside that.
    """
    marks = markers(attitude)
    row = row_of(attitude, bearing)
    counts = {facing: distance(bearing, marks.facing(facing)) for facing in FACINGS}
    found: list[Sight] = []
    for facing in nearest_facings(attitude, bearing):

        def misfit(window: Place, facing: Facing = facing) -> tuple[int, int, int]:
            off = {each: abs(distance(window, _OWN_PLACE[each]) - counts[each]) for each in FACINGS}
            beside = (window.column - FACING_COLUMN[facing]) % 12
            return off[facing], sum(off.values()), min(beside, 12 - beside)

        candidates = [window for window in WINDOWS if window.ring == row]
        best = min(misfit(window) for window in candidates)
        found += [Sight(facing, window) for window in candidates if misfit(window) == best]
    return tuple(found)


# Firing arcs ------------------------------------------------------------------------------------


@rule("C1.223", "C1.224", "C1.225", "A2.631")
def bears(arc: Sequence[str], mount: Facing, window: Place) -> bool:
    """Return whether a mount bears on a window of the ship's own sphere.

    ``arc`` is three rows of five marks as in ``tables.ARCS``.
    """
    off = (window.column - FACING_COLUMN[mount] + 6) % 12 - 6
    return abs(window.ring) <= 1 and abs(off) <= 2 and arc[1 - window.ring][off + 2] == "#"


@rule("C1.225", "C5.112")
def cover_of(window: Place) -> Cover:
    """Return what covers a window of the ship's own sphere.

    The wedge covers Top, Bottom and both green rows; "bow" is the nose's window and those above and
    below it, "stern" Aft's alone, each covered only by a bow or stern wall; the windows above and
    below Aft are covered by nothing; sidewalls cover the rest.
    """
    if abs(window.ring) >= 2:
        return "wedge"
    if window.column == 0:
        return "bow"
    if window.column == 6:
        return "stern" if window.ring == 0 else "none"
    return "sidewall"


# Where damage comes in --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Aspect:
    """How a shot finds its target.

    ``edge`` is the edge of the hit location table, ``leak`` the shift of a shot that leaks round the
    sidewall's end, ``cover`` what stands in its way.
    """

    edge: Facing
    cover: Cover
    leak: Leak | None = None


_LEAKS: dict[int, tuple[Facing, Leak]] = {
    1: ("starboard", "near_forward"),
    5: ("starboard", "near_aft"),
    7: ("port", "near_aft"),
    11: ("port", "near_forward"),
}


@rule("C5.11", "C5.1112", "C5.112", "C5.113")
def aspect_of(sight: Sight, *, has_bubble_wall: bool = False) -> Aspect:
    """Return the aspect of a shot that comes in through a sight's window; the wedge's has the nearest facing's edge.

    A bubble wall goes all round its base: there is no wedge above and below it, and no open end.
    """
    cover = cover_of(sight.window)
    if has_bubble_wall and cover == "wedge":
        return Aspect(sight.facing, "sidewall")
    if cover == "sidewall" and sight.window.column in _LEAKS:
        edge, leak = _LEAKS[sight.window.column]
        return Aspect(edge, cover, leak)
    if cover == "wedge":
        return Aspect(sight.facing, cover)
    edges: dict[int, Facing] = {0: "forward", 6: "aft"}
    side: Facing = "starboard" if sight.window.column < 6 else "port"
    return Aspect(edges.get(sight.window.column, side), "sidewall" if has_bubble_wall else cover)


@cache
@rule("C5.11", "C5.111", "C5.1111", "C5.1112", "C5.12", "C4.141")
def aspects(attitude: Attitude, bearing: Place, has_bubble_wall: bool = False) -> tuple[Aspect, ...]:
    """Return the aspects that a target may show to a bearing, no two alike.

    Of several the attacker chooses, but through the wedge, up or down, and through a bubble wall's
    Top and Bottom the defender does.
    """
    found: list[Aspect] = []
    for sight in sights(attitude, bearing):
        aspect = aspect_of(sight, has_bubble_wall=has_bubble_wall)
        if aspect not in found:
            found.append(aspect)
    return tuple(found)


@rule("C3.11", "C3.122", "C5.111")
def is_behind_wedge(attitude: Attitude, bearing: Place) -> bool:
    """Return whether a bearing meets the wedge: one window at most from Top or Bottom."""
    return abs(row_of(attitude, bearing)) >= 2


@rule("C4.143")
def sees_beside(bearing: Place, impact_window: Place) -> bool:
    """Return whether an escort on a bearing stands in the impact window or beside it, corners with it."""
    return is_next_to(impact_window, bearing)
