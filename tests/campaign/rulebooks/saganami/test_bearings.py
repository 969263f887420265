"""Bearings: the 50 windows of the AVID, edges, corners, rings and spines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from campaign.engine.vectors import to_axial
from campaign.rulebooks.saganami.bearings import (
    WINDOWS,
    are_in_window,
    horizontal_direction,
    ring_of,
    window_of_bearing,
    windows_of_bearing,
)

STEP = st.integers(-60, 60)


@pytest.mark.rule("B2.12", "B2.123")
def test_the_avid_has_fifty_windows() -> None:
    """B2.12: twelve yellow, twelve blue and six green in each half, a purple one at each pole."""
    assert len(WINDOWS) == len(set(WINDOWS)) == 50
    of_ring = {
        ring: sum(window.endswith(ring) for window in WINDOWS) for ring in ("yellow", "blue+", "green-", "purple+")
    }
    assert of_ring == {"yellow": 12, "blue+": 12, "green-": 6, "purple+": 1}


@pytest.mark.rule("C1.12")
@pytest.mark.parametrize(
    ("vectors", "direction"),
    [
        ({"B": 4, "C": 3}, "B/C"),
        ({"A": 6, "B": 2}, "A"),
        ({"A": 5, "B": 2}, "A/B"),
        ({"C": 7}, "C"),
        ({"A": 2, "F": 2}, "F/A"),
        ({"A": 1, "F": 3}, "F"),
        ({"D": 5, "E": 1}, "D"),
        ({"E": 3, "F": 2}, "E/F"),
    ],
)
def test_three_times_as_far_is_a_hex_edge(vectors: dict[str, int], direction: str) -> None:
    """C1.12: exactly three to one counts as an edge."""
    step = to_axial(vectors)
    assert horizontal_direction(step.q, step.r) == direction


@pytest.mark.rule("C1.15", "C1.151", "C1.152", "C1.153")
@pytest.mark.parametrize(
    ("horizontal", "altitude", "ring"),
    [
        (8, 2, "yellow"),
        (15, 4, "blue+"),
        (7, 2, "blue+"),
        (4, -4, "blue-"),
        (3, 4, "green+"),
        (2, -7, "green-"),
        (2, -8, "purple-"),
        (0, 6, "purple+"),
        (5, 0, "yellow"),
    ],
)
def test_the_ring_follows_from_the_four_times_and_the_equal_tests(horizontal: int, altitude: int, ring: str) -> None:
    """C1.15: 15 out and 4 up is blue, though under 15 degrees."""
    assert ring_of(horizontal, altitude) == ring


@pytest.mark.rule("C1.11")
def test_the_printed_example_is_seen_through_the_upper_blue_window_between_b_and_c() -> None:
    """C1.1: four B and three C away, two levels up."""
    step = to_axial({"B": 4, "C": 3})
    assert windows_of_bearing(step.q, step.r, 2) == ("B/C blue+",)


@pytest.mark.rule("B2.153")
def test_a_corner_in_the_green_ring_lies_in_the_window_of_its_larger_leg_or_on_a_spine() -> None:
    """B2.12: the green ring has no corner windows."""
    more = to_axial({"B": 3, "C": 2})
    assert windows_of_bearing(more.q, more.r, 8) == ("B green+",)
    equal = to_axial({"A": 2, "F": 2})
    assert windows_of_bearing(equal.q, equal.r, -8) == ("F green-", "A green-")
    assert window_of_bearing(equal.q, equal.r, -8) == "F green-"


@pytest.mark.rule("C1.15")
def test_the_own_place_has_no_bearing() -> None:
    """C1.15: no direction, and no ring."""
    with pytest.raises(ProblemsError, match="own place"):
        windows_of_bearing(0, 0, 0)
    with pytest.raises(ProblemsError, match="no direction"):
        horizontal_direction(0, 0)


@pytest.mark.rule("C1.16")
@given(STEP, STEP, STEP)
def test_bearings_are_reciprocal(dq: int, dr: int, dz: int) -> None:
    """C1.16: who is seen through a window sees back through the opposite one."""
    if (dq, dr, dz) == (0, 0, 0):
        return
    turned = {"A": "D", "B": "E", "C": "F", "D": "A", "E": "B", "F": "C"}
    there = windows_of_bearing(dq, dr, dz)
    back = set(windows_of_bearing(-dq, -dr, -dz))
    expected = set()
    for window in there:
        half = window.translate(str.maketrans("+-", "-+"))
        column, space, ring = half.rpartition(" ")
        expected.add("/".join(turned[letter] for letter in column.split("/")) + space + ring if column else half)
    assert back == expected


@pytest.mark.rule("C1.11", "C1.12", "C1.15")
def test_arrays_of_steps_give_the_same_windows_as_single_steps() -> None:
    """C1.1: every step of a box around the observer."""
    reach = np.arange(-9, 10)
    dq, dr, dz = (part.ravel() for part in np.meshgrid(reach, reach, reach, indexing="ij"))
    shown = np.stack([are_in_window(window, dq, dr, dz) for window in range(len(WINDOWS))])
    for column, step in enumerate(zip(dq.tolist(), dr.tolist(), dz.tolist(), strict=True)):
        expected = set() if step == (0, 0, 0) else set(windows_of_bearing(*step))
        assert {WINDOWS[index] for index in np.flatnonzero(shown[:, column])} == expected, step
