"""Orientation markers: the catalogue of annex Z1, and exact frames."""

from __future__ import annotations

from math import asin, atan2, cos, degrees, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from tactical.rules.saganami.attitude import (
    Attitude,
    Markers,
    attitude_of_markers,
    markers,
    pivoted,
    read_attitude,
    read_markers,
    roll_steps_to,
    rolled,
)
from tactical.rules.saganami.avid import WINDOWS, Place, distance, opposite, place_at, read_place, read_window

attitudes = st.builds(Attitude, st.sampled_from(WINDOWS), st.integers(0, 11))


def shown(forward: str, roll_degrees: int = 0) -> Markers:
    """Return the markers of a nose and a roll in degrees to starboard."""
    return markers(read_attitude(forward, roll_degrees // 30))


@pytest.mark.rule("Z1.0", "B2.13", "B2.132", "B2.133", "B2.134", "B2.135", "B2.15", "A2.224")
@pytest.mark.parametrize(
    ("forward", "roll", "expected"),
    [
        ("purple+", 0, {"top": "D yellow", "aft": "purple-"}),
        ("A yellow", 0, {"top": "purple+", "bottom": "purple-", "starboard": "B/C yellow", "port": "E/F yellow"}),
        ("A/B yellow", 0, {"top": "purple+", "bottom": "purple-", "starboard": "C yellow", "port": "F yellow"}),
        ("A blue+", 0, {"top": "D green+", "bottom": "A green-", "aft": "D blue-"}),
        ("A blue-", 0, {"top": "A green+", "bottom": "D green-", "aft": "D blue+"}),
        ("A blue-", 30, {"top": "B green+", "starboard": "B/C blue-", "port": "E/F blue+", "bottom": "E green-"}),
        ("A blue+", -30, {"top": "E green+"}),
    ],
)
def test_the_catalogue_of_orientations(forward: str, roll: int, expected: dict[str, str]) -> None:
    """Z1.0; the last line is the garbled caption, read by rotating Top (see the rulings)."""
    found = shown(forward, roll).as_document()
    assert {name: found[name] for name in expected} == expected


@pytest.mark.rule("B2.14", "B2.153")
def test_a_ship_rolled_by_sixty_degrees_has_its_sides_on_spines() -> None:
    """B2.14: facing A, rolled to starboard, Top in B/C blue above, Port and Starboard on green spines."""
    found = shown("A yellow", 60)
    assert (str(found.top), str(found.bottom)) == ("B/C blue+", "E/F blue-")
    assert (str(found.starboard), str(found.port)) == ("B/C green-", "E/F green+")
    assert found.starboard.is_spine and found.port.is_spine


@pytest.mark.rule("B2.25", "B2.153")
def test_the_two_window_roll_of_a_nose_down_corner_facing() -> None:
    """B2.25: nose D/E down, Top from the spine of D and E two windows to E/F blue."""
    start = read_markers("D/E blue-", "D/E green+")
    assert start.roll == 0
    assert roll_steps_to(start, read_place("E/F blue+")) == 2
    assert distance(read_place("D/E green+"), read_place("E/F blue+")) == 2


@given(attitudes)
@pytest.mark.rule("B2.13", "B2.152")
def test_pairs_of_markers_are_opposite_and_in_one_ring(attitude: Attitude) -> None:
    """B2.13: a pair shares its ring's colour; B2.152: yellow and blue markers are in windows."""
    found = markers(attitude)
    for one, other in ((found.forward, found.aft), (found.starboard, found.port), (found.top, found.bottom)):
        assert opposite(one) == other
        assert abs(one.ring) == abs(other.ring)


@given(attitudes)
@pytest.mark.rule("B2.134", "B2.135")
def test_markers_of_different_pairs_are_three_windows_apart(attitude: Attitude) -> None:
    """B2.135: counted from each other; a nose out of the yellow ring may put a rolled marker one window off."""
    found = markers(attitude)
    counts = [
        distance(one, other)
        for one, other in (
            (found.top, found.starboard),
            (found.top, found.port),
            (found.top, found.forward),
            (found.starboard, found.forward),
        )
    ]
    is_square = found.forward.ring in (0, 3, -3) or attitude.roll % 3 == 0
    assert all(count == 3 if is_square else 2 <= count <= 4 for count in counts)


def _vector(azimuth: float, elevation: float) -> tuple[float, float, float]:
    a, e = radians(azimuth), radians(elevation)
    return cos(e) * cos(a), cos(e) * sin(a), sin(e)


def _exact_top(attitude: Attitude) -> tuple[float, float]:
    """Return Top's azimuth and elevation in degrees, by turning the frame in space."""
    ring, column = attitude.forward
    azimuth = 30.0 * column
    up = _vector(azimuth, 30.0 * ring + 90)
    starboard = _vector(azimuth + 90, 0)
    turn = radians(30 * attitude.roll)
    top = [cos(turn) * u + sin(turn) * s for u, s in zip(up, starboard, strict=True)]
    return degrees(atan2(top[1], top[0])) % 360, degrees(asin(max(-1.0, min(1.0, top[2]))))


@given(attitudes)
@pytest.mark.rule("B2.123", "B2.14")
def test_markers_lie_where_the_exact_frame_points(attitude: Attitude) -> None:
    """Each Top is inside its window, or within 1.2 degrees of it where it lies at a border of blue columns."""
    top = markers(attitude).top
    azimuth, elevation = _exact_top(attitude)
    low, high = {0: (0, 15), 1: (15, 45), 2: (45, 75), 3: (75, 90)}[abs(top.ring)]
    assert low - 1e-6 <= abs(elevation) <= high + 1e-6
    assert top.ring == 0 or (elevation > 0) == (top.ring > 0)
    if abs(top.ring) == 3:
        return
    off = abs((azimuth - 30 * top.column + 180) % 360 - 180)
    half_width = 0.0 if top.is_spine else 30.0 if abs(top.ring) == 2 else 15.0
    border = 1.2 if abs(top.ring) == 1 else 1e-6
    assert off <= half_width + border
    if off > half_width + 1e-6:
        assert top.column % 2 == 1


@given(attitudes, st.integers(-24, 24))
@pytest.mark.rule("B2.212")
def test_a_roll_keeps_the_nose_and_twelve_windows_are_a_whole_turn(attitude: Attitude, steps: int) -> None:
    """B2.212: the ship turns about its long axis."""
    assert rolled(attitude, steps).forward == attitude.forward
    assert rolled(rolled(attitude, steps), -steps) == attitude
    assert rolled(attitude, steps + 12) == rolled(attitude, steps)


@given(attitudes)
@pytest.mark.rule("B2.134")
def test_half_a_roll_exchanges_port_with_starboard_and_top_with_bottom(attitude: Attitude) -> None:
    """B2.134: a ship rolled by 180 degrees has its sides the other way."""
    before, after = markers(attitude), markers(rolled(attitude, 6))
    assert (after.starboard, after.top) == (before.port, before.bottom)


@given(attitudes)
def test_an_attitude_is_known_by_two_markers(attitude: Attitude) -> None:
    """Forward and Top tell everything."""
    assert attitude_of_markers(attitude.forward, markers(attitude).top) == attitude


def test_markers_that_are_not_square_are_refused() -> None:
    """B2.135: Top is a quarter turn from Forward."""
    with pytest.raises(ProblemsError, match="quarter turn") as refused:
        read_markers("A yellow", "A blue+")
    assert refused.value.problems[0].code == "markers-not-square"


@pytest.mark.rule("B1.11", "B2.151")
def test_a_nose_faces_edges_and_corners_but_no_border() -> None:
    """B1.11: twelve facings on the map; B2.151: never along a spine."""
    assert Attitude(place_at(0, 0)) != Attitude(place_at(0, 1))
    with pytest.raises(ValueError, match="No attitude"):
        Attitude(read_place("A/B green+"))


@pytest.mark.rule("B2.211")
def test_a_pivot_keeps_the_roll_and_comes_out_inverted_over_the_top() -> None:
    """B2.211: pitch and yaw are one motion; a half loop ends upside down, heading back."""
    rolled_ship = read_attitude("B yellow", 2)
    assert pivoted(rolled_ship, [read_window("B/C yellow")]) == read_attitude("B/C yellow", 2)
    upright = read_attitude("A green+", 0)
    vertical = pivoted(upright, [read_window("purple+")])
    assert markers(vertical).top == read_window("D yellow")
    over = pivoted(vertical, [read_window("D green+")])
    assert str(markers(over).top) == "D blue-"
    assert markers(over).starboard == markers(upright).starboard


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 11), st.sampled_from([1, -1]))
@pytest.mark.rule("B2.211")
def test_through_the_purple_window_and_back_nothing_has_turned(first: int, second: int, roll: int, side: int) -> None:
    """B2.211: over the pole the frame is kept, so that the way back undoes the way there."""
    start = Attitude(place_at(2 * side, 2 * first), roll)
    there = pivoted(start, [place_at(3 * side, 0), place_at(2 * side, 2 * second)])
    assert pivoted(there, [place_at(3 * side, 0), start.forward]) == start


@given(st.sampled_from([1, -1]), st.integers(0, 5), st.integers(0, 11))
@pytest.mark.rule("B2.211")
def test_the_frame_is_the_same_just_before_and_in_the_purple_window(side: int, sixth: int, roll: int) -> None:
    """B2.211: pitching by one window moves no marker by more than two."""
    before = Attitude(place_at(2 * side, 2 * sixth), roll)
    after = pivoted(before, [place_at(3 * side, 0)])
    assert distance(markers(before).top, markers(after).top) <= 2
    assert distance(markers(before).starboard, markers(after).starboard) <= 2


def test_reading_an_attitude_takes_the_roll_round_the_circle() -> None:
    """Thirteen windows to starboard are one."""
    assert read_attitude("A yellow", 13) == Attitude(Place(0, 0), 1)
    assert read_attitude("A yellow", -1).as_document() == {"forward": "A yellow", "roll": 11}
