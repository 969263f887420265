"""Shooting bearings from ships and their markers."""

from __future__ import annotations

from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.hexes import ORIGIN, Hex
from campaign.engine.vectors import to_axial
from tactical.rules.saganami.avid import opposite, read_window
from tactical.rules.saganami.bearings import are_adjacent, shoot

hexes = st.builds(Hex, st.integers(-30, 30), st.integers(-30, 30), st.integers(-30, 30))


def at(z: int = 0, **legs: int) -> Hex:
    """Return the hex at the end of legs such as A=3, at an altitude."""
    return to_axial(legs).moved(0, 0, z)


@pytest.mark.rule("C1.11", "C1.122", "C1.13", "C1.14", "A2.313", "B1.14")
def test_the_example_bearing_is_seen_at_seven_in_the_blue_ring() -> None:
    """C1.12 to C1.14: four in B, three in C, two levels up."""
    seen = shoot(ORIGIN, at(2, B=4, C=3))
    assert (seen.range, seen.horizontal, seen.altitude) == (7, 7, 2)
    assert seen.windows == (read_window("B/C blue+"),)
    assert seen.impact_windows == (read_window("E/F blue-"),)


@pytest.mark.rule("C1.12", "C1.121", "C1.122", "A2.314")
@pytest.mark.parametrize(
    ("legs", "window"),
    [
        ({"A": 6, "B": 2}, "A yellow"),
        ({"A": 5, "B": 2}, "A/B yellow"),
        ({"A": 2, "F": 5}, "F/A yellow"),
        ({"A": 2, "F": 6}, "F yellow"),
        ({"D": 1}, "D yellow"),
    ],
)
def test_three_to_one_is_a_hex_edge(legs: dict[str, int], window: str) -> None:
    """C1.12: exactly three times counts."""
    assert shoot(ORIGIN, at(**legs)).windows == (read_window(window),)


@pytest.mark.rule("C1.15", "C1.151", "C1.152", "C1.153")
@pytest.mark.parametrize(
    ("out", "up", "window"),
    [
        (8, 2, "A yellow"),
        (15, 4, "A blue+"),
        (4, -4, "A blue-"),
        (3, 4, "A green+"),
        (2, -8, "purple-"),
        (0, 6, "purple+"),
    ],
)
def test_the_ring_is_found_by_the_four_to_one_rule(out: int, up: int, window: str) -> None:
    """C1.15: four to one, steeper than one to one, and the blue ring for the rest."""
    assert shoot(ORIGIN, at(up, A=out)).windows == (read_window(window),)


@pytest.mark.rule("C1.16")
@given(hexes, hexes)
def test_bearings_are_reciprocal(one: Hex, other: Hex) -> None:
    """C1.16: each sees the other through the opposite window, at the same range."""
    there, back = shoot(one, other), shoot(other, one)
    assert there.range == back.range
    assert set(there.impact_windows) == set(back.windows)
    assert all(opposite(window) in back.windows for window in there.windows)


@pytest.mark.rule("C1.14")
@given(hexes, hexes)
def test_the_true_range_is_the_floor_of_the_distance(one: Hex, other: Hex) -> None:
    """C1.14: by Pythagoras from hexes and levels."""
    seen = shoot(one, other)
    assert seen.range == isqrt(seen.horizontal**2 + seen.altitude**2)


@pytest.mark.rule("C5.12")
def test_a_target_on_a_green_spine_shows_in_two_windows() -> None:
    """C5.12: the green ring has no corner; equal legs leave the attacker a choice, others do not."""
    assert [str(window) for window in shoot(ORIGIN, at(8, B=3, C=3)).windows] == ["B green+", "C green+"]
    assert [str(window) for window in shoot(ORIGIN, at(8, B=4, C=2)).windows] == ["B green+"]


def test_nothing_is_seen_in_the_same_place() -> None:
    """Two squadrons of LACs may share a place: range 0, no window."""
    seen = shoot(ORIGIN, ORIGIN)
    assert (seen.range, seen.windows, seen.impact_windows) == (0, (), ())


@pytest.mark.rule("C1.17")
def test_a_bearing_is_shot_from_any_point_to_any_point() -> None:
    """C1.17: only the two places count."""
    assert shoot(at(1, A=3), at(1, A=9)) == shoot(ORIGIN, at(0, A=6))


@pytest.mark.rule("C2.172", "C4.143")
@pytest.mark.parametrize(
    ("place", "expected"),
    [(at(0, A=1), True), (at(1), True), (at(1, C=1), True), (ORIGIN, True), (at(0, A=2), False), (at(2), False)],
)
def test_adjacent_is_range_one(place: Hex, expected: bool) -> None:
    """C4.143: the true range, so one hex out and one level up is still one."""
    assert are_adjacent(ORIGIN, place) is expected
