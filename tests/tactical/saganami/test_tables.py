"""The tables hold the numbers they should, and say where each is from."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rulebooks.saganami.ship_class import load_toml
from campaign.rulebooks.saganami.ship_class_hits import BLANK
from tactical.rules.saganami import tables
from tactical.rules.saganami.tables import ACTIVE_DEFENSE, ECM_LAYER

ROOT = Path(__file__).parents[3]

# C4.12, as read: rows 1, 5, 10, 50 and 100 whole.
ECM_ROWS = {
    1: "0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1 1",
    5: "0 0 0 1 1 1 1 1 1 2 2 2 2 2 3 3 3 3 3 3 4 4 4 4 4",
    10: "0 0 1 1 2 2 2 3 3 3 4 4 4 5 5 5 6 6 6 7 7 7 8 8 9",
    50: "1 2 4 6 8 9 11 13 15 16 18 20 22 23 25 27 29 30 32 34 36 37 39 41 43",
    100: "1 5 8 12 15 19 22 26 29 33 36 40 43 47 50 54 57 61 64 68 71 75 78 82 85",
}


@pytest.mark.rule("C4.12", "C4.125")
@pytest.mark.parametrize("row", sorted(ECM_ROWS))
def test_the_ecm_layer_is_the_one_read(row: int) -> None:
    """C4.12: rows 1 to 10 and the tens to 100."""
    assert ECM_LAYER.rows[Fraction(row)] == tuple(map(int, ECM_ROWS[row].split()))
    assert sorted(ECM_LAYER.rows) == [*range(1, 11), *range(20, 101, 10)]


@pytest.mark.rule("C4.12")
def test_the_ecm_layer_never_falls_to_the_right_or_downwards() -> None:
    """A better quality and more missiles never mean fewer kills."""
    rows = [ECM_LAYER.rows[key] for key in sorted(ECM_LAYER.rows)]
    assert all(list(row) == sorted(row) for row in rows)
    assert all(low <= high for one, other in pairwise(rows) for low, high in zip(one, other, strict=True))


@pytest.mark.rule("C4.13")
def test_the_active_defence_table_never_falls() -> None:
    """C4.13: to the right by rows, downwards by probable kills; thirds, units, tens."""
    headings = sorted(ACTIVE_DEFENSE.rows)
    assert headings == [Fraction(1, 3), Fraction(2, 3), *range(1, 11), 20, 30]
    rows = [ACTIVE_DEFENSE.rows[key] for key in headings]
    assert all(len(row) == 19 and list(row) == sorted(row) for row in rows)
    assert all(low <= high for one, other in pairwise(rows) for low, high in zip(one, other, strict=True))


@pytest.mark.rule("A1.23", "C4.113")
@given(st.sampled_from(sorted(ACTIVE_DEFENSE.rows)), st.integers(-50, 80))
def test_no_shift_leaves_the_table(heading: Fraction, column: int) -> None:
    """A1.23: beyond an end, the end column counts."""
    row = ACTIVE_DEFENSE.rows[heading]
    expected = row[0] if column < 1 else row[-1] if column > 19 else row[column - 1]
    assert ACTIVE_DEFENSE.value(heading, column) == expected


@pytest.mark.rule("C4.12", "C4.13")
def test_each_cell_says_where_it_is_from() -> None:
    """What the source shows is printed or an example; the rest is sourced."""
    assert ECM_LAYER.provenance(Fraction(1), 3) == "printed"
    assert ECM_LAYER.provenance(Fraction(20), 20) == "example"
    assert ECM_LAYER.provenance(Fraction(7), 7) == "sourced"
    assert ACTIVE_DEFENSE.provenance(Fraction(1, 3), 10) == "printed"
    assert ACTIVE_DEFENSE.provenance(Fraction(1, 3), 11) == "sourced"
    for grid in (ECM_LAYER, ACTIVE_DEFENSE):
        assert all(heading in grid.rows and 1 <= column <= grid.columns for heading, column in grid.cells)
    assert {key: len(row) for key, row in tables.MARKERS.items()} == {
        key: len(row) for key, row in tables.MARKERS_PROVENANCE.items()
    }
    assert set(tables.ARCS) == set(tables.ARCS_PROVENANCE)


@pytest.mark.rule("C5.23", "A2.64")
def test_the_specimen_s_hit_table_has_the_counted_cells() -> None:
    """C5.23: the checksum of 209 cells."""
    counts = Counter(code for row in tables.SAMPLE_HIT_TABLE.cells for code in row)
    assert counts == {
        "hull": 50,
        BLANK: 32,
        "mag": 24,
        "SI": 12,
        **dict.fromkeys(("fcon", "M", "PD"), 8),
        **dict.fromkeys(("G", "L", "CM", "fwd", "aft"), 6),
        **dict.fromkeys(("dcy", "sdwl", "ECM", "piv", "rol", "brg"), 4),
        **dict.fromkeys(("ET", "com", "lif", "CIC", "flg"), 2),
        **dict.fromkeys(("2fwd", "2aft", "hyp"), 1),
    }
    for row, column in tables.SAMPLE_HIT_TABLE_PROVENANCE:
        tables.SAMPLE_HIT_TABLE.code(row, column)


@pytest.mark.rule("A2.66", "C5.23")
def test_the_desk_s_specimen_is_the_one_of_the_fixtures() -> None:
    """One class, two places: the desk answers without reading files."""
    text = (ROOT / "fixtures/ship_classes/saganami/sample.toml").read_text()
    sample = load_toml(text)
    assert sample.hit_table == tables.SAMPLE_HIT_TABLE
    assert (sample.scale, sample.core_armor) == (tables.SAMPLE_SCALE, tables.SAMPLE_CORE_ARMOR)
    bands = tomllib.loads(text)["range_bands"]
    for name in ("through", "mql"):
        assert tuple(bands[name]) == getattr(tables.SAMPLE_BANDS, name)
    for name in ("early_through", "middle_through", "late_through"):
        assert bands[name] == getattr(tables.SAMPLE_BANDS, name)
