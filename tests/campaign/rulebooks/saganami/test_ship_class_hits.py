"""The hit location table: Core, mounts and edge rolls."""

import pytest

from campaign.rulebooks.saganami.ship_class_hits import COLUMNS, ROWS, is_core, mount_of_cell, row_of_roll
from tests.campaign.rulebooks.saganami.ship_class_fixtures import ship_class


@pytest.mark.rule("C5.24")
def test_the_core_is_the_belt_between_columns_4_and_18():
    """C5.24: two rows of eleven cells on either side of a row of fifteen."""
    core = [(row, column) for row in range(11) for column in COLUMNS if is_core(row, column)]
    assert len(core) == 2 * 11 + 15
    assert {column for _, column in core} == set(range(4, 19))
    assert not is_core(4, 5) and is_core(4, 6) and is_core(6, 16) and not is_core(6, 17)
    assert is_core(5, 4) and not is_core(5, 3) and not is_core(3, 10)


@pytest.mark.rule("C5.412")
def test_a_cells_place_tells_which_mount_is_hit():
    """C5.412: the stern example takes the magazines of columns 20 and 19 and then the port one of column 14."""
    assert [mount_of_cell(8, column) for column in (20, 19, 14)] == ["aft", "aft", "port"]
    assert mount_of_cell(0, 3) == "forward"
    assert mount_of_cell(2, 7) == "starboard"
    assert mount_of_cell(5, 2) == "forward" and mount_of_cell(5, 11) is None


@pytest.mark.rule("C5.23")
def test_a_roll_on_the_aft_edge_finds_the_printed_row():
    """C5.23: a stern hit on 15 runs mag, mag, aft, aft, hull, ECM, mag."""
    assert [row_of_roll(roll) for roll in (2, 3, 4, 8, 9, 10, 11, 14, 15, 20)] == [0, 0, 1, 3, 4, 4, 5, 7, 8, 10]
    table = ship_class("sample").hit_table
    row = row_of_roll(15)
    assert ROWS[row] == "15-16"
    found = [table.code(row, column) for column in range(20, 13, -1)]
    assert found == ["mag", "mag", "aft", "aft", "hull", "ECM", "mag"]
    for roll in (1, 21):
        with pytest.raises(ValueError, match="No row"):
            row_of_roll(roll)
