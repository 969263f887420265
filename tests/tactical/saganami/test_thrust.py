"""The plotting grids, ratings and compensators."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from campaign.engine.hexes import DIRECTIONS
from campaign.rulebooks.saganami.bearings import COLUMNS, RINGS
from tactical.rules.saganami.avid import WINDOWS, Place, read_window
from tactical.rules.saganami.thrust import (
    ThrustPlot,
    check_thrust,
    compensator_checks,
    compensator_target,
    options,
    plane_splits,
    splits,
    thrust_rating,
    velocity_change,
    vertical_cell,
    vertical_cells,
)

# B3.24, as the grid is printed: rows +7 to 0, columns 0 to 7; / is split between blue and green.
PRINTED_GRID = """
7P 7P 7G 7G 8G 8G 9G 9/
6P 6P 6G 6G 7G 7G 8/ 9B
5P 5P 5G 5G 6G 7/ 7B 8B
4P 4P 4G 5G 5/ 6B 7B 8B
3P 3G 3G 4/ 5B 5B 6B 7B
2P 2G 2/ 3B 4B 5B 6B 7B
1P 1/ 2B 3B 4Y 5Y 6Y 7Y
-- 1Y 2Y 3Y 4Y 5Y 6Y 7Y
"""
RING_OF_MARK = {"Y": ["yellow"], "B": ["blue"], "G": ["green"], "P": ["purple"], "/": ["blue", "green"]}


@pytest.mark.rule("B3.24", "B3.242", "B3.243", "A2.23", "A2.231")
def test_the_vertical_grid_is_the_printed_one() -> None:
    """B3.24: each square's number is the length of the arrow, its colour the ring of its angle; below as above."""
    for row, line in enumerate(PRINTED_GRID.split("\n")[1:-1]):
        for horizontal, mark in enumerate(line.split()):
            if mark == "--":
                continue
            for vertical in (7 - row, row - 7):
                thrust, rings = vertical_cell(horizontal, vertical)
                sign = "" if mark[1] == "Y" else "+" if vertical > 0 else "-"
                assert thrust == int(mark[0])
                assert list(rings) == [name + sign for name in RING_OF_MARK[mark[1]]]


def test_the_triangle_has_no_thrust_and_no_ring() -> None:
    """B3.242: arrows start there."""
    assert vertical_cell(0, 0) == (0, ())


@pytest.mark.rule("B3.24", "B3.241", "B3.242")
@pytest.mark.parametrize(
    ("ring", "thrust", "cells"),
    [
        ("blue+", 3, ((3, 1), (3, 2))),
        ("blue+", 4, ((3, 3), (4, 2))),
        ("blue-", 6, ((5, -4), (6, -3), (6, -2))),
        ("green+", 1, ((1, 1),)),
        ("yellow", 4, ((4, -1), (4, 0), (4, 1))),
        ("purple+", 4, ((0, 4), (1, 4))),
        ("purple-", 3, ((0, -3),)),
        ("yellow", 0, ((0, 0),)),
    ],
)
def test_a_thrust_in_a_ring_picks_among_its_squares(ring: str, thrust: int, cells: tuple[tuple[int, int], ...]) -> None:
    """B3.242: only squares of the ring's colour with the thrust's number."""
    assert vertical_cells(ring, thrust) == cells


@pytest.mark.rule("B3.241", "B3.243")
@given(st.sampled_from(RINGS), st.integers(1, 12))
def test_every_thrust_has_a_square_in_every_ring(ring: str, thrust: int) -> None:
    """B3.242: no ship is stuck for its facing, and no square is longer than the thrust plus a fraction."""
    cells = vertical_cells(ring, thrust)
    assert cells
    for horizontal, vertical in cells:
        assert thrust <= sqrt(horizontal**2 + vertical**2) < thrust + 1


@pytest.mark.rule("B3.253", "B3.254", "B3.255", "B3.25")
@pytest.mark.parametrize(
    ("direction", "thrust", "expected"),
    [
        ("A", 3, [{"A": 3}]),
        ("A", 4, [{"A": 4}, {"A": 3, "F": 1}, {"A": 3, "B": 1}]),
        ("F", 7, [{"F": 7}, {"F": 6, "E": 1}, {"F": 6, "A": 1}]),
        ("B/C", 1, [{"B": 1}, {"C": 1}]),
        ("B/C", 2, [{"B": 1, "C": 1}]),
        ("B/C", 3, [{"B": 2, "C": 1}, {"B": 1, "C": 2}]),
        ("B/C", 4, [{"B": 3, "C": 1}, {"B": 2, "C": 2}, {"B": 1, "C": 3}]),
        ("F/A", 5, [{"F": 3, "A": 2}, {"F": 2, "A": 3}]),
        ("F/A", 7, [{"F": 5, "A": 2}, {"F": 4, "A": 3}, {"F": 3, "A": 4}, {"F": 2, "A": 5}]),
        ("D", 0, [{}]),
    ],
)
def test_a_horizontal_thrust_splits_as_its_grid_allows(direction: str, thrust: int, expected: list[object]) -> None:
    """B3.254 and B3.255, with the odd thrusts of the rulings."""
    assert list(splits(direction, thrust)) == expected


@pytest.mark.rule("B3.2541", "A2.232")
def test_the_green_ring_has_hexagons_of_its_own_and_no_corners() -> None:
    """B3.2541: edges only, and the green hexagons as well."""
    assert list(splits("A", 4, is_green=True))[3:] == [{"A": 2, "F": 2}, {"A": 2, "B": 2}]
    assert list(splits("A", 2, is_green=True)) == [{"A": 2}, {"A": 1, "F": 1}, {"A": 1, "B": 1}]
    assert splits("A", 6, is_green=True) == splits("A", 6)
    with pytest.raises(ProblemsError) as refused:
        splits("B/C", 2, is_green=True)
    problem = refused.value.problems[0]
    assert (problem.code, problem.place, problem.rule) == ("corner-in-green", "/direction", "B3.2541")


@pytest.mark.rule("B3.254", "B3.255")
@given(st.sampled_from(COLUMNS), st.integers(1, 9))
def test_splits_add_up_and_are_mirrored_left_and_right(direction: str, thrust: int) -> None:
    """B3.254: what leaves the middle goes into a neighbouring direction, hex for hex."""
    found = splits(direction, thrust)
    assert found
    assert all(sum(split.values()) == thrust for split in found)
    numbers = sorted(tuple(sorted(split.values())) for split in found)
    letters = direction.split("/")
    middle = DIRECTIONS.index(letters[0])

    def mirrored(letter: str) -> str:
        if len(letters) == 2:
            return {letters[0]: letters[1], letters[1]: letters[0]}[letter]
        return DIRECTIONS[(2 * middle - DIRECTIONS.index(letter)) % 6]

    turned = [{mirrored(letter): number for letter, number in split.items()} for split in found]
    assert all(split in turned for split in found)
    assert numbers == sorted(tuple(sorted(split.values())) for split in turned)


@pytest.mark.rule("B3.251", "B3.252", "B3.241")
def test_the_hex_of_a_purple_square_goes_anywhere() -> None:
    """B3.251: straight up with thrust 4, one hex to any side is free."""
    assert plane_splits(read_window("purple+"), (1, 4)) == tuple({letter: 1} for letter in DIRECTIONS)
    assert plane_splits(read_window("purple+"), (0, 4)) == ({},)


@pytest.mark.rule("B3.26", "A2.221", "A3.124", "B3.255")
def test_the_printed_thrust_of_four_up_through_a() -> None:
    """B3.243 to B3.26: square (3, 3), all of it in A, recorded as 3A and 3+."""
    plot = ThrustPlot(4, (3, 3), {"A": 3})
    assert check_thrust(read_window("A blue+"), plot, 4) == ()
    assert velocity_change(plot) == {"A": 3, "+": 3}
    assert velocity_change(ThrustPlot(4, (3, -3), {"A": 3})) == {"A": 3, "-": 3}


@pytest.mark.rule("B3.22", "B3.242", "B3.25", "B3.253", "B3.2541", "A3.122")
@pytest.mark.parametrize(
    ("window", "plot", "rating", "codes"),
    [
        ("A blue+", ThrustPlot(4, (3, 3), {"A": 3}), 3, ["thrust-over-rating"]),
        ("A yellow", ThrustPlot(4, (3, 3), {"A": 3}), 4, ["cell-not-in-ring"]),
        ("A blue-", ThrustPlot(4, (3, 3), {"A": 3}), 4, ["cell-not-in-ring"]),
        ("A blue+", ThrustPlot(4, (3, 3), {"A": 2, "B": 1}), 4, ["split-not-on-grid"]),
        ("A green+", ThrustPlot(4, (2, 4), {"A": 1, "B": 1}), 4, []),
        ("A green+", ThrustPlot(4, (2, 4), {"B": 1, "C": 1}), 4, ["corner-in-green"]),
        ("A green+", ThrustPlot(4, (2, 4), {"B": 2}), 4, ["split-not-on-grid"]),
        ("A yellow", ThrustPlot(4, (4, 0), {"A": 4, "B": 0}), 4, []),
    ],
)
def test_a_plotted_thrust_is_checked_against_rating_and_grids(
    window: str, plot: ThrustPlot, rating: int, codes: list[str]
) -> None:
    """B3.22 and B3.24: each fault with its code."""
    problems = check_thrust(read_window(window), plot, rating, "/thrust")
    assert [problem.code for problem in problems] == codes
    assert all(problem.place.startswith("/thrust/") for problem in problems)


@given(st.sampled_from(WINDOWS), st.integers(0, 7))
@pytest.mark.rule("B3.25", "B3.26")
def test_every_option_is_a_legal_plot(window: Place, thrust: int) -> None:
    """B3.24: what the grids offer, the check accepts, and hexes and levels add up to the square."""
    found = options(window, thrust)
    assert found
    for plot in found:
        assert check_thrust(window, plot, thrust) == ()
        change = velocity_change(plot)
        assert sum(number for letter, number in change.items() if letter in DIRECTIONS) == plot.cell[0]
        assert change.get("+", 0) - change.get("-", 0) == plot.cell[1]


@pytest.mark.rule("B3.22", "B3.221", "B3.231", "D1.145")
@pytest.mark.parametrize(
    ("track", "engineer", "red_line", "rating"),
    [
        (4, "average", False, 4),
        (4, "veteran", False, 4),
        (4, "elite", False, 5),
        (4, "average", True, 5),
        (4, "elite", True, 5),
        (0, "elite", True, 0),
    ],
)
def test_an_elite_engineer_and_red_lining_add_one_between_them(
    track: int, engineer: str, red_line: bool, rating: int
) -> None:
    """B3.221: the two cannot be combined; a dead drive gives nothing."""
    assert thrust_rating(track, engineer, is_red_lined=red_line) == rating  # type: ignore[arg-type]


@pytest.mark.rule("B3.23", "B3.231", "B3.232", "B3.233", "C5.465", "A2.674")
def test_each_cause_of_compensator_failure_asks_for_its_check() -> None:
    """B3.23: three causes, none without thrust."""
    assert compensator_checks(3, is_red_lined=True, is_impeller_gone=False, is_on_circles=False) == ("red-line",)
    assert compensator_checks(1, is_red_lined=False, is_impeller_gone=True, is_on_circles=False) == ("impeller",)
    assert compensator_checks(1, is_red_lined=False, is_impeller_gone=False, is_on_circles=True) == ("circles",)
    assert compensator_checks(0, is_red_lined=False, is_impeller_gone=True, is_on_circles=True) == ()


@pytest.mark.rule("B3.23")
def test_structural_damage_makes_the_compensator_check_harder() -> None:
    """B3.23: crew number less the SI boxes lost."""
    assert compensator_target(5, 2) == 3
