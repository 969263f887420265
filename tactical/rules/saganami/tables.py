"""The tactical tables of the rulebook: numbers with their rule numbers, and where each number is from.

Provenance: "printed" is legible in the source, "sourced" was cut off there and comes from an
independent reading that agrees with the source's examples, "example" is forced by a worked example,
"reconstructed" is our fill-in by the formula stated beside it, "conflict" is our choice of two
readings. A table is data that a GM can replace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from campaign.rulebooks.saganami.ship_class_hits import HitTable
from campaign.rulebooks.saganami.ship_class_sheet import RangeBands
from campaign.rulebooks.saganami.source import rule

Provenance = Literal["printed", "sourced", "example", "reconstructed", "conflict"]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of whole numbers: rows by their heading, columns counted from 1.

    ``origin`` is the provenance of a cell that ``cells`` does not name; ``cells`` holds the others
    as (heading, column).
    """

    name: str
    rule_number: str
    rows: Mapping[Fraction, tuple[int, ...]]
    origin: Provenance
    cells: Mapping[tuple[Fraction, int], Provenance] = field(default_factory=dict)

    @property
    def columns(self) -> int:
        """The number of the rightmost column."""
        return len(next(iter(self.rows.values())))

    def provenance(self, heading: Fraction, column: int) -> Provenance:
        """Return where the number in a row and a column (from 1) is from."""
        return self.cells.get((heading, column), self.origin)

    @rule("A1.23", "C4.113")
    def value(self, heading: Fraction, column: int) -> int:
        """Return the number in a row; a column beyond an end counts as the end column."""
        row = self.rows[heading]
        return row[min(max(column, 1), len(row)) - 1]


def _rows(numbers: Mapping[str, Sequence[int]]) -> Mapping[Fraction, tuple[int, ...]]:
    return MappingProxyType({Fraction(heading): tuple(row) for heading, row in numbers.items()})


# C4.12. Every cell is floor((N x (35 x column - 25) + 500) / 1000) for N missiles: 1 % in column 1,
# 3.5 points more in each, 85 % in column 25. Counts off the rows are split by digit, not computed.
ECM_LAYER = Grid(
    name="ECM layer",
    rule_number="C4.12",
    origin="sourced",
    rows=_rows(
        {
            str(missiles): [(missiles * (35 * column - 25) + 500) // 1000 for column in range(1, 26)]
            for missiles in (*range(1, 11), *range(20, 101, 10))
        }
    ),
    cells=MappingProxyType(
        {
            **{(Fraction(1), column): "printed" for column in (1, 2, 3)},
            (Fraction(20), 20): "example",
            (Fraction(3), 20): "example",
            (Fraction(20), 16): "example",
            (Fraction(3), 16): "example",
        }
    ),
)

# C4.13
ACTIVE_DEFENSE = Grid(
    name="Active defense",
    rule_number="C4.13",
    origin="sourced",
    rows=_rows(
        {
            "1/3": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1),
            "2/3": (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
            "1": (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2),
            "2": (1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4),
            "3": (1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6),
            "4": (1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8),
            "5": (1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 7, 8, 9, 10),
            "6": (2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12),
            "7": (2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 7, 8, 9, 10, 11, 13, 14),
            "8": (2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 10, 12, 13, 14, 16),
            "9": (2, 3, 3, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 11, 12, 13, 15, 16, 18),
            "10": (3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 11, 12, 13, 14, 16, 18, 20),
            "20": (5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 17, 19, 21, 23, 26, 29, 32, 36, 40),
            "30": (8, 9, 10, 11, 13, 15, 16, 18, 21, 23, 25, 28, 32, 35, 39, 43, 48, 54, 60),
        }
    ),
    cells=MappingProxyType(
        {
            **{(Fraction(1, 3), column): "printed" for column in range(1, 11)},
            (Fraction(4), 11): "example",
            (Fraction(4), 9): "example",
        }
    ),
)

# B2.13, Z1.0: where Top lies for a nose level or down, as (ring, columns to starboard) after 0 to 6
# steps of roll to starboard; key (ring of Forward, 1 for a hex-corner facing in the blue ring).
# The places are those of exact frames; two kinds of direction fall within 1.1 degrees of a border
# between two blue columns and take the hex-corner column there, as the annex's pitched and rolled
# ship (edge facing) and the two-window roll of B2.25 (corner facing) do.
MARKERS: Mapping[tuple[int, int], tuple[tuple[int, int], ...]] = MappingProxyType(
    {
        (0, 0): ((3, 0), (2, 3), (1, 3), (0, 3), (-1, 3), (-2, 3), (-3, 0)),
        (-1, 0): ((2, 0), (2, 2), (1, 3), (0, 3), (-1, 3), (-2, 4), (-2, 6)),
        (-1, 1): ((2, 0), (2, 1), (1, 2), (0, 3), (-1, 4), (-2, 5), (-2, 6)),
        (-2, 0): ((1, 0), (1, 1), (0, 2), (0, 3), (0, 4), (-1, 5), (-1, 6)),
        (-3, 0): ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6)),
    }
)
MARKERS_PROVENANCE: Mapping[tuple[int, int], tuple[Provenance, ...]] = MappingProxyType(
    {
        (0, 0): ("printed",) * 7,
        (-1, 0): ("printed",) * 7,
        (-1, 1): ("example", "reconstructed", "example", "printed", "reconstructed", "reconstructed", "example"),
        (-2, 0): ("printed", "reconstructed", "reconstructed", "printed", "reconstructed", "reconstructed", "printed"),
        (-3, 0): ("printed", *("reconstructed",) * 5, "printed"),
    }
)

# B3.2541: hexes off the middle row that the green hexagons of the hex-edge grid add, by horizontal thrust.
GREEN_EXTRA_SPLITS: Mapping[int, tuple[int, ...]] = MappingProxyType({2: (1,), 3: (1,), 4: (2,), 5: (2,)})
GREEN_EXTRA_PROVENANCE: Provenance = "sourced"

# C1.21: where a mount fires, in three readings of the arc diagrams. Rows are the upper blue ring, the
# yellow and the lower blue one of the ship's own sphere; the five marks run from two columns left of the
# mount's facing to two right of it, "#" bears. None fires through the green rows or the caps. A ship
# class carries its own arcs as data; these are what a sheet starts from.
ARCS: Mapping[str, Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        "wide": {"hammerhead": ("#####", "#####", "#####"), "broadside": ("#####", "#####", "#####")},
        "shaded": {"hammerhead": (".###.", ".###.", ".###."), "broadside": (".###.", "#####", ".###.")},
        "single": {"hammerhead": (".###.", ".###.", ".###."), "broadside": (".###.", ".###.", ".###.")},
    }
)
ARCS_PROVENANCE: Mapping[str, Provenance] = MappingProxyType(
    {"wide": "sourced", "shaded": "conflict", "single": "reconstructed"}
)

# A2.66, C5.23: of the rulebook's specimen class, what the rules desk answers by the name "sample".
SAMPLE_BANDS = RangeBands(
    through=(1, 4, 7, 11, 15, 20, 25, 29),
    mql=(4, 2, 3, 4, 5, 6, 7, 8),
    early_through=7,
    middle_through=20,
    late_through=29,
    drives=1,
)
SAMPLE_BANDS_PROVENANCE: Provenance = "printed"
SAMPLE_SCALE = 15
SAMPLE_CORE_ARMOR = 3
SAMPLE_HIT_TABLE = HitTable(
    tuple(
        tuple(row.split())
        for row in (
            # 2  3    4    5    6    7    8    9    10   11   12   13   14   15   16   17   18   19   20
            ".   fcon .    .    .    .    G    M    M    ET   G    M    L    .    .    .    .    fcon .",
            ".   hull .    .    dcy  fcon sdwl PD   CM   L    PD   PD   CM   fcon dcy  .    .    hull .",
            "mag mag  fwd  fwd  hull ECM  mag  mag  mag  sdwl mag  mag  mag  ECM  hull aft  aft  mag  mag",
            "L   hull hull hull fwd  hull mag  hull hull hull hull hull mag  hull aft  hull hull hull L",
            "CM  hull piv  rol  SI   hull brg  hull SI   hull SI   hull brg  hull SI   rol  piv  hull CM",
            "M   hull 2fwd SI   com  lif  SI   CIC  flg  hyp  flg  CIC  SI   lif  com  SI   2aft hull M",
            "PD  hull piv  rol  SI   hull brg  hull SI   hull SI   hull brg  hull SI   rol  piv  hull PD",
            "G   hull hull hull fwd  hull mag  hull hull hull hull hull mag  hull aft  hull hull hull G",
            "mag mag  fwd  fwd  hull ECM  mag  mag  mag  sdwl mag  mag  mag  ECM  hull aft  aft  mag  mag",
            ".   hull .    .    dcy  fcon sdwl PD   CM   L    PD   PD   CM   fcon dcy  .    .    hull .",
            ".   fcon .    .    .    .    G    M    M    ET   G    M    L    .    .    .    .    fcon .",
        )
    )
)
# Row and column of the cells that are not merely sourced. Row 8 (the fourth), column 20 is read as a
# laser: the worked example says graser, the table laser, and with it each end column lists every system.
SAMPLE_HIT_TABLE_PROVENANCE: Mapping[tuple[int, int], Provenance] = MappingProxyType(
    {
        **{(0, column): "printed" for column in (3, 8, 9, 10, 11)},
        **{(5, column): "printed" for column in (4, 5, 17, 18)},
        **{(8, column): "example" for column in range(14, 21)},
        **{(7, column): "example" for column in range(14, 21)},
        **{(9, column): "example" for column in (18, 19, 20)},
        **{(5, column): "example" for column in (19, 20)},
        **{(4, column): "example" for column in (18, 19, 20)},
        (3, 20): "conflict",
    }
)

# C8.1: the pod card. Each pod is one salvo of ten capital missiles.
POD_CARD_BANDS = RangeBands(
    through=(1, 4, 7, 11, 15, 20, 26, 31),
    mql=(8, 6, 7, 8, 9, 10, 11, 12),
    early_through=7,
    middle_through=20,
    late_through=31,
    drives=1,
)
POD_CARD_MISSILES = 10
POD_CARD_DAMAGE = 16
POD_CARD_PODS = 12
POD_CARD_PROVENANCE: Provenance = "printed"
