"""Depth, hit location, core armour and the silhouette."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import SeedDice, TypedDice
from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.ship_class_hits import BLANK, is_core
from tactical.rules.saganami.damage import (
    Cell,
    Location,
    cells_hit,
    cells_of_hit,
    core_cascade,
    depth_modifier,
    depth_of,
    lines_hit,
    roll_location,
    roll_penetrations,
    shifted_roll,
)
from tactical.rules.saganami.tables import SAMPLE_CORE_ARMOR, SAMPLE_HIT_TABLE

EDGES = ("forward", "starboard", "aft", "port")
SAMPLE = (SAMPLE_HIT_TABLE, SAMPLE_CORE_ARMOR)


def codes(edge: str, roll: int, depth: int, span: int = 1) -> list[list[str]]:
    """Return the codes a hit on the specimen class goes through, line by line."""
    location = Location(edge, roll, (roll,))  # type: ignore[arg-type]
    return [[cell.code for cell in line] for line in cells_of_hit(*SAMPLE, location, depth, span)]


@pytest.mark.rule("C5.21", "C5.214", "A2.511")
@pytest.mark.parametrize(
    ("damage", "scale", "sidewall", "modifier"), [(8, 5, -4, -1), (8, 5, -3, 0), (18, 15, 1, 4), (16, 15, 3, 4)]
)
def test_the_depth_modifier(damage: int, scale: int, sidewall: int, modifier: int) -> None:
    """C5.21: damage less scale plus sidewall."""
    assert depth_modifier(damage, scale, sidewall) == modifier


@pytest.mark.rule("C5.21", "C5.211", "C5.212", "C5.213", "C5.32", "C5.1111", "A1.22")
@pytest.mark.parametrize(
    ("roll", "modifier", "weapon", "wedge_down", "depth", "zero"),
    [
        (1, -1, "laser head", False, 0, False),
        (4, -1, "laser head", False, 3, False),
        (3, 0, "laser head", False, 3, False),
        (0, 0, "laser head", False, 0, True),
        (0, 4, "graser", False, 4, True),
        (3, 0, "contact nuke", False, 1, False),
        (1, 0, "contact nuke", False, 0, False),
        (2, 1, "energy torpedo", False, 6, False),
        (3, 1, "laser", True, 8, False),
        (3, 1, "energy torpedo", True, 8, False),
        (3, 0, "contact nuke", True, 3, False),
        (2, -6, "laser head", True, 0, False),
    ],
)
def test_penetration(roll: int, modifier: int, weapon: str, wedge_down: bool, depth: int, zero: bool) -> None:
    """C5.21, C5.32: the multipliers work on the depth; a torpedo is not doubled twice."""
    found = depth_of(roll, modifier, weapon, is_wedge_down=wedge_down)  # type: ignore[arg-type]
    assert (found.depth, found.is_natural_zero) == (depth, zero)


def test_a_roll_that_no_dice_show_is_refused() -> None:
    """C5.211: 2d10- shows 0 to 9."""
    with pytest.raises(ProblemsError, match="0 to 9"):
        depth_of(10, 0)


@pytest.mark.rule("C5.213", "C5.22", "C5.312")
def test_a_salvo_is_rolled_in_one_batch_against_the_wall_as_it_stands() -> None:
    """C5.213, C5.22: two natural zeros do not help the third missile; the deepest goes first."""
    found = roll_penetrations(TypedDice([4, 4, 2, 1, 7, 7, 9, 2]), 4, -1)
    assert found.rolls == (0, 1, 0, 7)
    assert found.depths == (6,)
    assert found.natural_zeros == 2
    assert roll_penetrations(TypedDice([3, 1, 9, 2, 5, 1]), 3, 0).depths == (7, 4, 2)


@pytest.mark.rule("C5.113")
@pytest.mark.parametrize(
    ("roll", "leak", "expected"),
    [
        (14, "near_forward", (4, None)),
        (11, "near_forward", (1, "forward")),
        (12, "near_forward", (2, None)),
        (9, "near_forward", (-1, "forward")),
        (10, "near_aft", (20, None)),
        (11, "near_aft", (21, "aft")),
        (11, None, (11, None)),
    ],
)
def test_a_leak_shifts_the_hit_and_may_send_it_to_the_end(
    roll: int, leak: str | None, expected: tuple[int, str | None]
) -> None:
    """C5.113: ten forward or ten aft; off the side, the end edge is rolled."""
    assert shifted_roll(roll, leak) == expected  # type: ignore[arg-type]


@pytest.mark.rule("A1.213", "C5.113", "C5.23")
def test_a_hit_location_is_rolled_again_on_the_end_edge() -> None:
    """C5.113: two more dice, without a shift."""
    again = roll_location(TypedDice([4, 5, 6, 6]), "port", "near_forward")
    assert (again.edge, again.roll, again.rolls) == ("forward", 12, (9, 12))
    once = roll_location(TypedDice([4, 5]), "port", "near_aft")
    assert (once.edge, once.roll) == ("port", 19)


@pytest.mark.rule("C5.23", "C5.24", "C5.25", "C5.251", "C5.33", "A2.64")
def test_the_worked_graser_hits_on_the_stern() -> None:
    """C5.34: depth 4 on row 9-10, depth 7 on row 15-16, each three rows wide."""
    assert codes("aft", 9, 4, 3) == [
        ["CM", "hull", "piv", "rol"],
        ["M", "hull"],
        ["L", "hull", "hull", "hull"],
    ]
    assert codes("aft", 15, 7, 3) == [
        ["mag", "mag", "aft", "aft", "hull", "ECM", "mag"],
        ["hull"],
        ["G", "hull", "hull", "hull", "aft", "hull", "mag"],
    ]


@pytest.mark.rule("C5.23")
@pytest.mark.parametrize(
    ("edge", "roll", "depth", "expected"),
    [
        ("port", 7, 2, ["fcon", "ECM"]),
        ("port", 19, 1, ["fcon"]),
        ("port", 10, 3, ["M", "CM", "mag"]),
        ("starboard", 13, 2, ["M", "PD"]),
        ("forward", 2, 9, ["fcon"]),
        ("starboard", 2, 3, ["mag", "L", "CM"]),
    ],
)
def test_hits_are_read_from_their_own_edge(edge: str, roll: int, depth: int, expected: list[str]) -> None:
    """C5.23: starboard from above, port from below, the ends along the rows."""
    assert codes(edge, roll, depth) == [expected]


@pytest.mark.rule("C5.24", "C5.25")
def test_the_core_costs_its_armour_in_and_out() -> None:
    """C5.24: column 11 has three Core rows; less depth than the armour is lost."""
    outside = ["ET", "L", "sdwl", "hull"]
    core = ["hull", "hyp", "hull"]
    assert codes("starboard", 11, 6) == [outside]
    assert codes("starboard", 11, 7) == [outside]
    assert codes("starboard", 11, 8) == [[*outside, "hull"]]
    assert codes("starboard", 11, 12) == [outside + core]
    assert codes("starboard", 11, 13) == [outside + core]
    assert codes("starboard", 11, 14) == [[*outside, *core, "hull"]]
    assert codes("starboard", 11, 99) == [outside + core + outside[::-1]]


@given(st.sampled_from(EDGES), st.integers(2, 20), st.integers(0, 40), st.sampled_from([1, 3, 5]))
@pytest.mark.rule("C5.25", "C5.251", "C5.33")
def test_no_line_takes_more_than_the_depth_and_none_meets_a_blank(edge: str, roll: int, depth: int, span: int) -> None:
    """C5.25: what goes through the ship is lost; each line of a span takes the whole depth."""
    lines = cells_of_hit(*SAMPLE, Location(edge, roll, (roll,)), depth, span)  # type: ignore[arg-type]
    assert 1 <= len(lines) <= span
    for line in lines:
        assert len(line) <= depth
        assert all(cell.code != BLANK for cell in line)
        if any(is_core(cell.row, cell.column) for cell in line):
            assert len(line) <= depth - SAMPLE_CORE_ARMOR


@pytest.mark.rule("C5.23")
@given(st.integers(2, 20), st.integers(0, 40))
def test_the_specimen_is_the_same_from_both_ends(roll: int, depth: int) -> None:
    """C5.23: its outline and Core are symmetrical, so hits from ahead and astern are as long."""
    assert [len(line) for line in codes("forward", roll, depth)] == [len(line) for line in codes("aft", roll, depth)]


@pytest.mark.rule("C5.33", "C5.251")
@pytest.mark.parametrize(
    ("edge", "roll", "span", "lines"),
    [
        ("starboard", 11, 3, (11, 12, 10)),
        ("port", 2, 5, (2, 3, 4)),
        ("port", 20, 3, (20, 19)),
        ("forward", 9, 3, (4, 5, 3)),
        ("aft", 2, 5, (0, 1, 2)),
    ],
)
def test_a_span_covers_the_lines_beside(edge: str, roll: int, span: int, lines: tuple[int, ...]) -> None:
    """C5.33: centred on the roll; off the chart it is lost."""
    assert lines_hit(edge, roll, span) == lines  # type: ignore[arg-type]


@pytest.mark.parametrize(("roll", "span"), [(1, 1), (21, 1), (11, 2), (11, 0)])
def test_rolls_and_spans_that_are_none_are_refused(roll: int, span: int) -> None:
    """C5.23, C5.33."""
    with pytest.raises(ProblemsError):
        lines_hit("port", roll, span)


@pytest.mark.rule("C5.413")
def test_exhausted_systems_are_skipped_at_no_cost() -> None:
    """C5.413: the hit goes on to the next system, as deep as it was."""
    struck = cells_hit(*SAMPLE, "aft", 8, 4, lambda cell: cell.code != "aft")
    assert [cell.code for cell in struck] == ["mag", "mag", "hull", "ECM"]


@pytest.mark.rule("C5.413")
def test_a_system_may_run_out_in_the_middle_of_a_hit() -> None:
    """C5.413: each cell is asked when the hit comes to it."""
    left = {"mag": 1}

    def strike(cell: Cell) -> bool:
        if cell.code in left:
            left[cell.code] -= 1
            return left[cell.code] >= 0
        return True

    struck = cells_hit(*SAMPLE, "aft", 8, 3, strike)
    assert [(cell.column, cell.code) for cell in struck] == [(20, "mag"), (18, "aft"), (17, "aft")]


@pytest.mark.rule("C5.4212")
def test_a_core_cascade_takes_each_system_of_the_column_once() -> None:
    """C5.4212: no SI, nothing twice, nothing outside the Core."""
    assert core_cascade(SAMPLE_HIT_TABLE, 8) == ("brg",)
    assert core_cascade(SAMPLE_HIT_TABLE, 9) == ("hull", "CIC")
    assert core_cascade(SAMPLE_HIT_TABLE, 4) == ("2fwd",)
    assert [core_cascade(SAMPLE_HIT_TABLE, column) for column in (2, 3, 19, 20)] == [()] * 4


@given(st.sampled_from(EDGES), st.sampled_from([None, "near_forward", "near_aft"]), st.text(max_size=6))
@pytest.mark.rule("C5.113", "C5.23")
def test_every_location_is_on_its_edge(edge: str, leak: str | None, seed: str) -> None:
    """C5.23: 2 to 20, and one of the four edges."""
    found = roll_location(SeedDice(seed), edge, leak)  # type: ignore[arg-type]
    assert 2 <= found.roll <= 20
    assert found.edge in EDGES
