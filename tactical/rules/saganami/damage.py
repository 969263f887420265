"""Damage depth and hit location (C5.1 to C5.3): how deep a hit goes, and which cells it goes through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from campaign.engine.dice import Roller, d10_difference, d10_sum
from campaign.engine.errors import refuse
from campaign.rulebooks.saganami.ship_class_hits import BLANK, COLUMNS, ROWS, HitTable, is_core, row_of_roll
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.arcs import Leak
from tactical.rules.saganami.attitude import Facing
from tactical.rules.saganami.beams import Weapon

LEAK_SHIFT: dict[Leak, int] = {"near_forward": -10, "near_aft": 10}
FIRST_COLUMN, LAST_COLUMN = COLUMNS[0], COLUMNS[-1]


@rule("C5.21", "A2.511")
def depth_modifier(damage: int, scale: int, sidewall: int) -> int:
    """Return the depth modifier: the weapon's damage less the target's scale plus the facing sidewall's number."""
    return damage - scale + sidewall


@dataclass(frozen=True, slots=True)
class Depth:
    """What a penetration roll gives.

    ``depth`` is 0 for a hit that the sidewall turned aside. ``is_natural_zero`` costs a box of the
    facing sidewall, or an SI hit without one, whatever the depth.
    """

    roll: int
    depth: int
    is_natural_zero: bool


@rule("C5.21", "C5.211", "C5.212", "C5.213", "C5.32", "C5.1111", "A1.22")
def depth_of(roll: int, modifier: int, weapon: Weapon = "laser head", *, is_wedge_down: bool = False) -> Depth:
    """Return the depth of a penetration roll (2d10-, 0 to 9).

    Energy torpedoes double it, and so do all other hits through a wedge that is down; contact nukes
    then halve it, fractions dropped.
    """
    if not 0 <= roll <= 9:
        raise refuse("not-a-roll", "A penetration roll is 0 to 9.", place="/roll", rule="C5.211")
    depth = roll + modifier
    if weapon == "energy torpedo" or is_wedge_down:
        depth *= 2
    if weapon == "contact nuke":
        depth //= 2
    return Depth(roll, max(depth, 0), roll == 0)


@dataclass(frozen=True, slots=True)
class Penetrations:
    """The penetration rolls of one salvo, or of one type of beam.

    ``depths`` are those of 1 and more, the deepest first; ``natural_zeros`` the boxes that the wall (or
    Structural Integrity) loses after them; ``rolls`` all bare rolls, for soft kills on pods.
    """

    rolls: tuple[int, ...]
    depths: tuple[int, ...]
    natural_zeros: int


@rule("C5.213", "C5.22", "C5.312")
def roll_penetrations(
    roller: Roller, hits: int, modifier: int, weapon: Weapon = "laser head", *, is_wedge_down: bool = False
) -> Penetrations:
    """Roll the penetration of every hit against the same sidewall, and sort those that go in."""
    found = [depth_of(d10_difference(roller), modifier, weapon, is_wedge_down=is_wedge_down) for _ in range(hits)]
    return Penetrations(
        rolls=tuple(each.roll for each in found),
        depths=tuple(sorted((each.depth for each in found if each.depth), reverse=True)),
        natural_zeros=sum(each.is_natural_zero for each in found),
    )


# Hit location -----------------------------------------------------------------------------------


@rule("C5.113")
def shifted_roll(roll: int, leak: Leak | None) -> tuple[int, Facing | None]:
    """Return a hit location roll with a leak's shift, and the end edge on which it must be rolled again, or None."""
    shifted = roll + (LEAK_SHIFT[leak] if leak else 0)
    if shifted < FIRST_COLUMN:
        return shifted, "forward"
    return shifted, "aft" if shifted > LAST_COLUMN else None


@dataclass(frozen=True, slots=True)
class Location:
    """Where a hit enters the table: the edge, the roll on it, and the rolls that led there."""

    edge: Facing
    roll: int
    rolls: tuple[int, ...]


@rule("A1.213", "C5.113", "C5.23")
def roll_location(roller: Roller, edge: Facing, leak: Leak | None = None) -> Location:
    """Roll 2d10+ on an edge of the hit location table, again on the end edge where a leak takes it off the side."""
    first = d10_sum(roller)
    shifted, again = shifted_roll(first, leak)
    if again is None:
        return Location(edge, shifted, (first,))
    second = d10_sum(roller)
    return Location(again, second, (first, second))


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A cell of the hit location table: row (0 at starboard to 10 at port), column (2 to 20), code."""

    row: int
    column: int
    code: str


def _line(edge: Facing, position: int) -> list[tuple[int, int]]:
    """Return the cells of a row or column in the order in which a hit from that edge meets them."""
    if edge in ("forward", "aft"):
        columns = COLUMNS if edge == "forward" else tuple(reversed(COLUMNS))
        return [(position, column) for column in columns]
    rows = range(len(ROWS)) if edge == "starboard" else range(len(ROWS) - 1, -1, -1)
    return [(row, position) for row in rows]


@rule("C5.23", "C5.33", "C5.251")
def lines_hit(edge: Facing, roll: int, span: int) -> tuple[int, ...]:
    """Return the rows (0 to 10) or columns (2 to 20) that a hit goes down, the rolled one first, then outwards.

    ``roll`` is 2 to 20. Lines off the table are lost.
    """
    if not FIRST_COLUMN <= roll <= LAST_COLUMN:
        raise refuse("not-a-roll", "A hit location roll is 2 to 20.", place="/roll", rule="C5.23")
    if span < 1 or span % 2 == 0:
        raise refuse("no-span", "A span is 1, 3 or 5.", place="/span", rule="C5.33")
    is_end = edge in ("forward", "aft")
    centre = row_of_roll(roll) if is_end else roll
    first, last = (0, len(ROWS) - 1) if is_end else (FIRST_COLUMN, LAST_COLUMN)
    wanted = [centre] + [centre + side * off for off in range(1, span // 2 + 1) for side in (1, -1)]
    return tuple(line for line in wanted if first <= line <= last)


Strike = Callable[[Cell], bool]
"""Marks a cell's system; False if nothing of it is left, so that the hit goes on to the next cell (C5.413)."""


@rule("C5.23", "C5.24", "C5.25", "C5.251", "C5.413", "A2.64")
def cells_hit(
    table: HitTable, core_armor: int, edge: Facing, line: int, depth: int, strike: Strike | None = None
) -> tuple[Cell, ...]:
    """Return the cells that a hit of some depth strikes down one row or column, in order.

    The space before the silhouette costs nothing and the first blank after it ends the hit. Crossing
    the border of the Core costs its armour, in and out; less depth than that is lost. A cell that
    ``strike`` turns down costs nothing.
    """
    struck: list[Cell] = []
    inside_hull = inside_core = False
    left = depth
    for row, column in _line(edge, line):
        code = table.code(row, column)
        if code == BLANK:
            if inside_hull:
                break
            continue
        inside_hull = True
        if is_core(row, column) != inside_core:
            if left < core_armor:
                break
            left -= core_armor
            inside_core = not inside_core
        if left == 0:
            break
        cell = Cell(row, column, code)
        if strike is None or strike(cell):
            struck.append(cell)
            left -= 1
    return tuple(struck)


@rule("C5.33", "C5.312")
def cells_of_hit(
    table: HitTable, core_armor: int, location: Location, depth: int, span: int, strike: Strike | None = None
) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells of a hit, line by line in the order of ``lines_hit``; each line takes the full depth."""
    return tuple(
        cells_hit(table, core_armor, location.edge, line, depth, strike)
        for line in lines_hit(location.edge, location.roll, span)
    )


@rule("C5.4212")
def core_cascade(table: HitTable, column: int) -> tuple[str, ...]:
    """Return the systems that a Core cascade hits: the Core's codes in a column, each once and no SI.

    Columns 2, 3, 19 and 20 have no Core cells.
    """
    codes: list[str] = []
    for row in range(len(ROWS)):
        code = table.code(row, column)
        if is_core(row, column) and code != "SI" and code not in codes:
            codes.append(code)
    return tuple(codes)
