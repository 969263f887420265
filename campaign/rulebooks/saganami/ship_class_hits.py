"""The hit location table of a ship's sheet: eleven rows of nineteen cells (A2.64, C5.23, C5.24).

Columns 2 to 20 run from the bow to the stern and are rolled on the starboard and port edges; rows
are rolled on the forward and aft edges. The first row lies at starboard. "." is outside the silhouette.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campaign.rulebooks.saganami.source import rule

BLANK = "."
COLUMNS = tuple(range(2, 21))
ROWS = ("2-3", "4-5", "6-7", "8", "9-10", "11", "12-13", "14", "15-16", "17-18", "19-20")
MIDDLE_ROW = ROWS.index("11")
WEAPON_CODES = ("fcon", "mag", "M", "L", "G", "ET", "CM", "PD")
CODES = (
    *WEAPON_CODES,
    "dcy",
    "sdwl",
    "hull",
    "SI",
    "lif",
    "com",
    "brg",
    "flg",
    "CIC",
    "ECM",
    "piv",
    "rol",
    "fwd",
    "aft",
    "2fwd",
    "2aft",
    "hyp",
)


@dataclass(frozen=True, slots=True)
class HitTable:
    """A ship's hit location table; ``cells[row][column - 2]`` is a code of C5.23 or "."."""

    cells: tuple[tuple[str, ...], ...]

    def code(self, row: int, column: int) -> str:
        """Return the code in a row (0 at starboard to 10 at port) and a column (2 to 20)."""
        return self.cells[row][column - 2]

    def filled(self) -> Iterator[tuple[int, int, str]]:
        """Yield (row, column, code) for each cell inside the silhouette, row by row."""
        for row, codes in enumerate(self.cells):
            for column, code in zip(COLUMNS, codes, strict=True):
                if code != BLANK:
                    yield row, column, code


@rule("C5.24")
def is_core(row: int, column: int) -> bool:
    """Tell whether a cell lies inside the Core armour belt, which has the same outline on every ship.

    Rows 9-10 and 12-13 hold Core cells in columns 6 to 16, row 11 in columns 4 to 18.
    """
    if row == MIDDLE_ROW:
        return 4 <= column <= 18
    return abs(row - MIDDLE_ROW) == 1 and 6 <= column <= 16


@rule("C5.412")
def mount_of_cell(row: int, column: int) -> str | None:
    """Return the weapon mount whose system a cell names, or None for row 11's Core between the hammerheads.

    Columns 2 and 3 belong to the forward hammerhead, 19 and 20 to the aft one, the rest to the
    broadside on whose half of the table the cell lies.
    """
    if column <= 3:
        return "forward"
    if column >= 19:
        return "aft"
    if row == MIDDLE_ROW:
        return None
    return "starboard" if row < MIDDLE_ROW else "port"


@rule("C5.23")
def row_of_roll(roll: int) -> int:
    """Return the row (0 to 10) that a 2d10+ roll of 2 to 20 finds on the forward or aft edge (C5.23)."""
    for index, label in enumerate(ROWS):
        first, _, last = label.partition("-")
        if int(first) <= roll <= int(last or first):
            return index
    raise ValueError(f"No row for a roll of {roll}")


def holes(cells: Sequence[Sequence[str]]) -> Iterator[tuple[int, int | None, str]]:
    """Yield (row, column or None, message) for each place where the table has a hole.

    A hole is a blank cell in the Core, a blank between two systems of a column, or an edge roll
    whose whole row or column is blank, so that the roll would find no ship at all.
    """
    for row, codes in enumerate(cells):
        if all(code == BLANK for code in codes):
            yield row, None, f"Row {ROWS[row]} is all blank; a roll there finds nothing."
    for index, column in enumerate(COLUMNS):
        filled = [row for row in range(len(ROWS)) if cells[row][index] != BLANK]
        if not filled:
            yield 0, column, f"Column {column} is all blank; a roll there finds nothing."
            continue
        for row in range(len(ROWS)):
            if cells[row][index] == BLANK and (is_core(row, column) or filled[0] < row < filled[-1]):
                where = "in the Core" if is_core(row, column) else "between two systems of its column"
                yield row, column, f"Row {ROWS[row]}, column {column} is blank {where}."
