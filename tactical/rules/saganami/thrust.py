"""Thrust: how much, at what risk, and how the plotting grids split it (B3.2).

The vertical grid turns thrust into hexes on the map and levels of altitude, the hex-edge and
hex-corner grids the hexes on the map into directions. Squares of the vertical grid belong to the
ring in which their angle lies; its number is the length of the arrow to it, fraction dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import isqrt

from campaign.engine.errors import Problem, refuse
from campaign.engine.hexes import DIRECTIONS
from campaign.engine.vectors import ordered
from campaign.rulebooks.saganami.bearings import COLUMNS, RINGS, ring_of
from campaign.rulebooks.saganami.grades import ENGINEER_THRUST, Grade
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.avid import Place, ring_name
from tactical.rules.saganami.tables import GREEN_EXTRA_SPLITS

Cell = tuple[int, int]
"""A square of the vertical grid: hexes on the map (0 or more), levels of altitude (negative is down)."""

Split = dict[str, int]


@rule("B3.24", "B3.242", "B3.243", "A2.23", "A2.231")
def vertical_cell(horizontal: int, vertical: int) -> tuple[int, tuple[str, ...]]:
    """Return the number in a square of the vertical grid, and the rings from which it can be reached.

    The squares on the diagonal are split between blue and green. The triangle at (0, 0) has no thrust
    and no ring.
    """
    if horizontal < 0:
        raise refuse("negative", "Hexes on the map are counted from 0.", place="/horizontal", rule="B3.24")
    thrust = isqrt(horizontal * horizontal + vertical * vertical)
    if thrust == 0:
        return 0, ()
    ring = ring_of(horizontal, vertical)
    if horizontal == abs(vertical):
        return thrust, (ring, f"green{ring[-1]}")
    return thrust, (ring,)


@cache
@rule("B3.24", "B3.241", "B3.242", "B3.243", "B3.251")
def vertical_cells(ring: str, thrust: int) -> tuple[Cell, ...]:
    """Return the squares that a thrust accruing in a ring ("blue+", "yellow", ...) may pick, sorted.

    The grid goes on by its own rule beyond the seven squares that are printed. No thrust picks
    nothing but the triangle, (0, 0).
    """
    if ring not in RINGS:
        raise refuse("unknown-ring", f"A ring is one of {', '.join(RINGS)}.", place="/ring", rule="B2.123")
    if thrust < 0:
        raise refuse("negative", "Thrust is never negative.", place="/thrust", rule="B3.242")
    if thrust == 0:
        return ((0, 0),)
    found = []
    for horizontal in range(thrust + 1):
        # The squares of one column with this number lie between two heights; one more would be too long.
        for vertical in range(-thrust, thrust + 1):
            number, rings = vertical_cell(horizontal, vertical)
            if number == thrust and ring in rings:
                found.append((horizontal, vertical))
    return tuple(sorted(found))


def is_in_edge_cells(larger: int, smaller: int) -> bool:
    """Return whether a split is a white cell of the hex-edge grid."""
    return larger >= 3 * smaller


@rule("B3.25", "B3.251", "B3.253", "B3.254", "B3.2541", "B3.255", "A2.232")
def splits(direction: str, thrust: int, *, is_green: bool = False) -> tuple[Split, ...]:
    """Return every split that a horizontal thrust in a direction ("A", "B/C", ...) may take.

    The middle of the hex-edge grid comes first, then each cell to the left and to the right; the
    hex-corner grid goes from left to right. Thrust in the green ring has no corners (code
    corner-in-green) and the green hexagons as well. A thrust of 0 splits into nothing.
    """
    if direction not in COLUMNS:
        message = f"A direction on the map is one of {', '.join(COLUMNS)}."
        raise refuse("unknown-direction", message, place="/direction", rule="B3.251")
    if thrust < 0:
        raise refuse("negative", "Thrust is never negative.", place="/thrust", rule="B3.253")
    column = COLUMNS.index(direction)
    if column % 2 and is_green:
        message = "Thrust in the green ring of the AVID goes to hex edges only."
        raise refuse("corner-in-green", message, place="/direction", rule="B3.2541")
    if thrust == 0:
        return ({},)
    return _corner_splits(column, thrust) if column % 2 else _edge_splits(column, thrust, is_green)


def _edge_splits(column: int, thrust: int, is_green: bool) -> tuple[Split, ...]:
    middle = DIRECTIONS[column // 2]
    sides = (DIRECTIONS[(column // 2 - 1) % 6], DIRECTIONS[(column // 2 + 1) % 6])
    offs = [off for off in range(thrust) if is_in_edge_cells(thrust - off, off)]
    if is_green:
        offs += [off for off in GREEN_EXTRA_SPLITS.get(thrust, ()) if off not in offs]
    found: list[Split] = []
    for off in offs:
        if off == 0:
            found.append({middle: thrust})
        else:
            found.extend({middle: thrust - off, side: off} for side in sides)
    return tuple(found)


def _corner_splits(column: int, thrust: int) -> tuple[Split, ...]:
    left, right = DIRECTIONS[column // 2], DIRECTIONS[(column // 2 + 1) % 6]
    if thrust == 1:
        # No cell of one hex lies on the line: either direction may be chosen.
        return ({left: 1}, {right: 1})
    found: list[Split] = []
    for off in range(thrust + 1):
        more, less = max(thrust - off, off), min(thrust - off, off)
        if more <= 3 * less:
            found.append({left: thrust - off, right: off})
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ThrustPlot:
    """A plotted thrust: the thrust points, the square picked on the vertical grid, the split on the map.

    ``split`` is the change in the directions A to F; its hexes sum to the square's.
    """

    thrust: int
    cell: Cell
    split: Mapping[str, int]


@rule("B3.241", "B3.251", "B3.252", "B3.2541", "B3.255")
def plane_splits(window: Place, cell: Cell) -> tuple[Split, ...]:
    """Return the splits that thrust accruing in a window may take for the hexes of a square.

    The hex that a purple square adds goes in any of the six directions.
    """
    horizontal = cell[0]
    if horizontal == 0:
        return ({},)
    if abs(window.ring) == 3:
        return tuple({direction: horizontal} for direction in DIRECTIONS)
    return splits(COLUMNS[window.column], horizontal, is_green=abs(window.ring) == 2)


def options(window: Place, thrust: int) -> tuple[ThrustPlot, ...]:
    """Return every plot of a thrust that accrues in a window, by square and then by split."""
    ring = ring_name(window)
    cells = vertical_cells(ring, thrust)
    return tuple(ThrustPlot(thrust, cell, split) for cell in cells for split in plane_splits(window, cell))


@rule("B3.22", "B3.24", "B3.242", "B3.25", "A3.122")
def check_thrust(window: Place, plot: ThrustPlot, rating: int, at: str = "") -> tuple[Problem, ...]:
    """Return what is wrong with a thrust that accrues in ``window`` under a rating.

    Codes: thrust-over-rating, cell-not-in-ring, corner-in-green and split-not-on-grid.
    """
    problems = []
    if plot.thrust > rating:
        message = f"The ship can thrust {rating} this turn, not {plot.thrust}."
        problems.append(Problem(at + "/thrust", "thrust-over-rating", message, "B3.22"))
    ring = ring_name(window)
    if plot.cell not in vertical_cells(ring, plot.thrust):
        message = f"Thrust {plot.thrust} in the {ring} ring has no square {plot.cell[0]} out and {plot.cell[1]} up."
        problems.append(Problem(at + "/cell", "cell-not-in-ring", message, "B3.242"))
    elif ordered(plot.split) not in [ordered(split) for split in plane_splits(window, plot.cell)]:
        problems.append(_split_problem(window, plot, at))
    return tuple(problems)


def _split_problem(window: Place, plot: ThrustPlot, at: str) -> Problem:
    if abs(window.ring) == 2 and _is_corner_split(plot.split):
        message = "Thrust in the green ring of the AVID goes to hex edges only."
        return Problem(at + "/split", "corner-in-green", message, "B3.2541")
    message = f"No hex of the plotting grid for {window} and {plot.cell[0]} hexes gives this split."
    return Problem(at + "/split", "split-not-on-grid", message, "B3.253")


def _is_corner_split(split: Mapping[str, int]) -> bool:
    numbers = sorted(number for number in split.values() if number)
    return len(numbers) == 2 and numbers[1] < 3 * numbers[0]


@rule("B3.26", "A2.221", "A3.124")
def velocity_change(plot: ThrustPlot) -> dict[str, int]:
    """Return the change of velocity of a plot, as it is written in the gray arrows."""
    vertical = plot.cell[1]
    return ordered({**plot.split, "+" if vertical > 0 else "-": abs(vertical)})


# How much thrust there is, and what it risks ----------------------------------------------------


@rule("B3.22", "B3.221", "B3.231", "D1.145")
def thrust_rating(track_value: int, engineer: Grade, *, is_red_lined: bool = False) -> int:
    """Return the thrust that a ship may plot (points a turn).

    ``track_value`` is the first unmarked box of the Maximum Thrust track. Red-lining adds one, an elite
    engineer one, both together no more than one. A track with nothing left gives no thrust at all.
    """
    if track_value <= 0:
        return 0
    return track_value + max(ENGINEER_THRUST[engineer], 1 if is_red_lined else 0)


@rule("B3.23", "B3.231", "B3.232", "B3.233", "C5.465", "A2.674")
def compensator_checks(
    thrust: int, *, is_red_lined: bool, is_impeller_gone: bool, is_on_circles: bool
) -> tuple[str, ...]:
    """Return why a ship must check its compensators this turn, one reason for each cause.

    Nothing is risked without thrust. "red-line" is a plotted red-lining, "impeller" an impeller track
    with no box left, "circles" a Maximum Thrust track down to its circles.
    """
    if thrust == 0:
        return ()
    causes = (("red-line", is_red_lined), ("impeller", is_impeller_gone), ("circles", is_on_circles))
    return tuple(name for name, holds in causes if holds)


@rule("B3.23")
def compensator_target(crew_target: int, structural_lost: int) -> int:
    """Return the number that a compensator check must not exceed: the crew's less the SI boxes lost.

    A failed check costs one SI hit, whatever its cause (C5.465).
    """
    return crew_target - structural_lost
