"""The AVID's windows, counted as B2 counts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from tactical.rules.saganami.avid import (
    PLACES,
    SPINES,
    WINDOWS,
    Place,
    check_path,
    diagonals,
    distance,
    is_next_to,
    neighbours,
    opposite,
    paths,
    place_at,
    read_place,
    read_window,
    ring_name,
    u_turns,
    windows_at_midpoint,
)

windows = st.sampled_from(WINDOWS)
places = st.sampled_from(PLACES)


def w(name: str) -> Place:
    """Return a window by name."""
    return read_window(name)


@pytest.mark.rule("B2.12", "B2.122", "B2.123", "A2.22")
def test_the_sphere_has_fifty_windows_in_seven_rings() -> None:
    """B2.123: twelve yellow, twelve in each blue ring, six in each green one, one purple above and below."""
    counts = {}
    for window in WINDOWS:
        counts[ring_name(window)] = counts.get(ring_name(window), 0) + 1
    assert counts == {
        "yellow": 12,
        "blue+": 12,
        "blue-": 12,
        "green+": 6,
        "green-": 6,
        "purple+": 1,
        "purple-": 1,
    }
    assert len(SPINES) == 12


@given(places)
def test_every_place_reads_back_from_its_name(place: Place) -> None:
    """A window's name is "A/B blue+"; a spine is named by its two green windows."""
    assert read_place(str(place)) == place


@pytest.mark.parametrize("name", ["G yellow", "A red", "A purple+", "yellow", "A/C blue+", "A blue", "A yellow+", ""])
def test_a_name_that_is_no_window_is_refused(name: str) -> None:
    """B2.123: with code, place and rule."""
    with pytest.raises(ProblemsError) as refused:
        read_window(name, "/window")
    problem = refused.value.problems[0]
    assert (problem.code, problem.place, problem.rule) == ("unknown-window", "/window", "B2.123")


@pytest.mark.rule("B2.151")
def test_a_spine_is_a_place_but_no_window() -> None:
    """B2.151: the nose is never on a border."""
    assert read_place("B/A green+") == Place(2, 1)
    with pytest.raises(ProblemsError, match="border"):
        read_window("A/B green+")


@pytest.mark.parametrize(
    ("window", "edges", "corners"),
    [
        (
            "A yellow",
            ["F/A yellow", "A/B yellow", "A blue-", "A blue+"],
            ["A/B blue+", "F/A blue+", "A/B blue-", "F/A blue-"],
        ),
        ("A blue+", ["F/A blue+", "A/B blue+", "A yellow", "A green+"], ["A/B yellow", "F/A yellow"]),
        ("A/B blue-", ["A blue-", "B blue-", "A/B yellow", "A green-", "B green-"], ["A yellow", "B yellow"]),
        ("C green+", ["B green+", "D green+", "purple+", "B/C blue+", "C blue+", "C/D blue+"], []),
        ("purple-", [f"{letter} green-" for letter in "ABCDEF"], []),
    ],
)
def test_each_ring_touches_its_neighbours(window: str, edges: list[str], corners: list[str]) -> None:
    """B2.123, B2.24: shared edges, and the corners between yellow and blue."""
    assert sorted(map(str, neighbours(w(window)))) == sorted(edges)
    assert sorted(map(str, diagonals(w(window)))) == sorted(corners)


@pytest.mark.rule("B2.24", "C1.221")
@pytest.mark.parametrize(
    ("start", "end", "count"),
    [
        ("C/D blue+", "D/E blue-", 3),
        ("B/C yellow", "A/B blue+", 2),
        ("B/C yellow", "C/D blue+", 2),
        ("B yellow", "C yellow", 2),
        ("C/D blue+", "purple+", 2),
        ("E/F yellow", "B yellow", 5),
        ("A green+", "A/B yellow", 2),
        ("A yellow", "A yellow", 0),
    ],
)
def test_windows_are_counted_with_one_diagonal(start: str, end: str, count: int) -> None:
    """B2.24: one crossing of a corner is free, a second one is not to be had."""
    assert distance(w(start), w(end)) == count


@given(places, places)
def test_distance_is_symmetric_and_never_over_six(start: Place, end: Place) -> None:
    """No two places are farther apart than opposite ones."""
    assert distance(start, end) == distance(end, start)
    assert 0 <= distance(start, end) <= 6
    assert (distance(start, end) == 0) == (start == end)


@pytest.mark.rule("B2.133", "C1.16")
@given(places)
def test_the_opposite_is_six_windows_away_and_mutual(place: Place) -> None:
    """B2.133, C1.16: what I see through a window sees me through the one six away."""
    assert distance(place, opposite(place)) == 6
    assert opposite(opposite(place)) == place


@given(windows, windows, st.integers(0, 11))
def test_distance_does_not_change_when_both_turn(start: Place, end: Place, sixths: int) -> None:
    """The AVID looks the same from every hex edge."""
    turned = [place_at(place.ring, place.column + 2 * sixths) for place in (start, end)]
    assert distance(*turned) == distance(start, end)


@pytest.mark.rule("B2.24")
@given(windows, windows)
def test_every_shortest_way_is_a_legal_arrow_of_that_length(start: Place, end: Place) -> None:
    """B2.24: ways have the counted length, end where they should and cross one corner at most."""
    found = paths(start, end)
    assert found
    for path in found:
        assert len(path) == distance(start, end)
        assert (path or (start,))[-1] == end
        assert check_path(start, path) == ()


def test_the_ways_from_a_corner_facing_to_the_next_start_in_either_of_two_windows() -> None:
    """B2.24: from B/C yellow to C/D blue two windows; the first is C yellow or, by the diagonal, C blue."""
    assert {str(path[0]) for path in paths(w("B/C yellow"), w("C/D blue+"))} == {"C yellow", "C blue+"}


@pytest.mark.rule("B2.24", "B2.25", "B2.151")
@pytest.mark.parametrize(
    ("path", "codes"),
    [
        (["A/B blue+"], []),
        (["A/B blue+", "B yellow"], ["pivot-second-diagonal"]),
        (["B yellow"], ["pivot-not-adjacent"]),
        (["A blue+", "A green+", "A/B green+", "B green+"], ["pivot-on-spine"]),
    ],
)
def test_an_arrow_goes_from_window_to_window(path: list[str], codes: list[str]) -> None:
    """B2.24: the problems name the window in the arrow."""
    problems = check_path(w("A yellow"), [read_place(name) for name in path], "/pivot")
    assert [problem.code for problem in problems] == codes
    assert all(problem.place.startswith("/pivot/") for problem in problems)


@pytest.mark.rule("B2.222", "B2.241")
@given(st.integers(0, 12))
def test_half_of_a_pivot_rounds_down(count: int) -> None:
    """B2.222: one window has its midpoint where it started."""
    assert 2 * windows_at_midpoint(count) in (count, count - 1)


@pytest.mark.rule("B2.242")
def test_an_arrow_through_the_equator_turns_over_in_its_yellow_window() -> None:
    """B2.242: the picture's pivot turns over in the yellow window it goes through."""
    path = [w("D blue+"), w("D/E yellow"), w("D/E blue-")]
    assert u_turns(w("C/D blue+"), path) == (w("D/E yellow"),)
    assert u_turns(w("C/D blue+"), [w("C/D yellow"), w("C/D blue+")]) == ()
    assert u_turns(w("A yellow"), [w("A blue+")]) == ()


@pytest.mark.rule("C4.143")
def test_next_to_a_yellow_window_lie_nine() -> None:
    """C4.143: the window itself, those beside it and the three above and below."""
    near = [str(window) for window in WINDOWS if is_next_to(w("A/B yellow"), window)]
    assert sorted(near) == sorted(f"{c} {r}" for c in ("A", "A/B", "B") for r in ("yellow", "blue+", "blue-"))
