"""Bearings mapped to a ship's own frame: arcs, wedge, sidewalls and edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical.rules.saganami.arcs import (
    Aspect,
    Sight,
    aspect_of,
    aspects,
    bears,
    cover_of,
    is_behind_wedge,
    nearest_facings,
    row_of,
    sees_beside,
    sights,
)
from tactical.rules.saganami.attitude import Attitude, markers, read_attitude
from tactical.rules.saganami.avid import WINDOWS, Place, distance, place_at, read_window
from tactical.rules.saganami.tables import ARCS

attitudes = st.builds(Attitude, st.sampled_from(WINDOWS), st.integers(0, 11))
windows = st.sampled_from(WINDOWS)
LEVEL = read_attitude("A yellow", 0)


def w(name: str) -> Place:
    """Return a window by name."""
    return read_window(name)


@pytest.mark.rule("C1.2", "C1.22", "C1.221", "C1.222", "C1.223", "C1.224")
def test_the_worked_firing_arc() -> None:
    """C1.22: nose up in A, target in B/C above: two rows down from Top, one window from Starboard towards it."""
    attitude = read_attitude("A blue+", 0)
    bearing = w("B/C blue+")
    assert distance(bearing, markers(attitude).top) == 2
    assert row_of(attitude, bearing) == 1
    assert nearest_facings(attitude, bearing) == ("starboard",)
    assert sights(attitude, bearing) == (Sight("starboard", w("B/C blue+")),)


@pytest.mark.rule("C1.21", "C1.22")
@given(st.integers(0, 11), windows)
def test_a_level_ship_carries_the_map_s_own_sphere(column: int, bearing: Place) -> None:
    """C1.21: with the nose level and no roll the two spheres differ by the heading alone."""
    attitude = Attitude(place_at(0, column), 0)
    seen = sights(attitude, bearing)
    if abs(bearing.ring) < 2:
        assert {sight.window for sight in seen} == {place_at(bearing.ring, bearing.column - column)}
    assert row_of(attitude, bearing) == bearing.ring


@pytest.mark.rule("C1.22")
@given(attitudes, windows)
def test_port_and_starboard_are_mirror_images(attitude: Attitude, bearing: Place) -> None:
    """C1.22: what the one side sees rolled one way, the other sees rolled the other way."""

    def mirrored(place: Place) -> Place:
        return place_at(place.ring, -place.column)

    other = Attitude(mirrored(attitude.forward), -attitude.roll % 12)
    here = {sight.window for sight in sights(attitude, bearing)}
    there = {mirrored(sight.window) for sight in sights(other, mirrored(bearing))}
    assert here == there


@pytest.mark.rule("C1.222", "C5.11")
@given(attitudes, windows)
def test_the_nearest_facings_are_those_with_the_fewest_windows(attitude: Attitude, bearing: Place) -> None:
    """C1.222: all four are counted, ties stay in."""
    marks = markers(attitude)
    counts = {name: distance(bearing, getattr(marks, name)) for name in ("forward", "starboard", "aft", "port")}
    least = min(counts.values())
    assert set(nearest_facings(attitude, bearing)) == {name for name, count in counts.items() if count == least}


@pytest.mark.rule("C1.223", "C1.221")
@given(attitudes)
def test_markers_are_seen_where_they_are(attitude: Attitude) -> None:
    """C1.223: Top is at the top of the diagram, the nose in its middle."""
    marks = markers(attitude)
    assert row_of(attitude, marks.forward) == 0
    assert [sight.window for sight in sights(attitude, marks.forward)] == [w("A yellow")]
    assert [sight.window for sight in sights(attitude, marks.aft)] == [w("D yellow")]
    if marks.top in WINDOWS:
        assert row_of(attitude, marks.top) == 3
        assert row_of(attitude, marks.bottom) == -3


@pytest.mark.rule("C1.225", "A2.631", "C1.223", "C1.224")
def test_a_mount_bears_on_what_its_diagram_leaves_clear() -> None:
    """C1.225: the wide reading covers five columns and three rows; nothing fires through the wedge."""
    wide, narrow = ARCS["wide"]["broadside"], ARCS["single"]["broadside"]
    assert bears(wide, "starboard", w("B/C yellow"))
    assert bears(wide, "starboard", w("A/B blue+"))
    assert not bears(narrow, "starboard", w("A/B blue+"))
    assert bears(narrow, "starboard", w("B blue-"))
    assert not bears(wide, "starboard", w("A yellow"))
    assert not bears(wide, "starboard", w("B green+"))
    assert not bears(wide, "forward", w("purple+"))
    assert bears(wide, "forward", w("E/F yellow")) is False
    assert bears(wide, "forward", w("F yellow"))
    assert bears(("....#", ".....", "....."), "aft", w("E blue+"))


@pytest.mark.rule("C1.225")
@given(windows)
def test_the_narrow_arcs_share_the_sphere_out_and_no_arc_meets_the_wedge(window: Place) -> None:
    """C1.225: in the single reading exactly one mount bears on each window that is not the wedge's."""
    kinds = {"forward": "hammerhead", "starboard": "broadside", "aft": "hammerhead", "port": "broadside"}
    found = [mount for mount, kind in kinds.items() if bears(ARCS["single"][kind], mount, window)]  # type: ignore[arg-type]
    assert len(found) == (0 if cover_of(window) == "wedge" else 1)


@pytest.mark.rule("C1.225", "C5.112")
@pytest.mark.parametrize(
    ("window", "cover"),
    [
        ("A yellow", "bow"),
        ("A blue+", "bow"),
        ("A blue-", "bow"),
        ("D yellow", "stern"),
        ("D blue+", "none"),
        ("D blue-", "none"),
        ("A/B yellow", "sidewall"),
        ("F blue-", "sidewall"),
        ("B green+", "wedge"),
        ("purple-", "wedge"),
    ],
)
def test_wedge_walls_and_open_ends(window: str, cover: str) -> None:
    """C5.112: three windows ahead and one astern need a wall of their own."""
    assert cover_of(w(window)) == cover


@pytest.mark.rule("C5.11", "C5.112", "C5.113")
@pytest.mark.parametrize(
    ("bearing", "expected"),
    [
        ("A blue+", Aspect("forward", "bow")),
        ("D yellow", Aspect("aft", "stern")),
        ("D blue+", Aspect("aft", "none")),
        ("A/B yellow", Aspect("starboard", "sidewall", "near_forward")),
        ("F/A blue-", Aspect("port", "sidewall", "near_forward")),
        ("C/D blue+", Aspect("starboard", "sidewall", "near_aft")),
        ("D/E yellow", Aspect("port", "sidewall", "near_aft")),
        ("B/C blue-", Aspect("starboard", "sidewall")),
        ("F yellow", Aspect("port", "sidewall")),
    ],
)
def test_each_window_of_a_level_ship_has_its_edge(bearing: str, expected: Aspect) -> None:
    """C5.112, C5.113: ends, leaks beside them, and the sides."""
    assert aspects(LEVEL, w(bearing)) == (expected,)


@pytest.mark.rule("C5.11", "C5.111", "C5.1111", "C4.141", "C3.11", "C3.122")
def test_a_hit_on_the_wedge_goes_to_the_nearest_facing() -> None:
    """C5.111: from straight above all four are equally near, and the defender chooses."""
    assert is_behind_wedge(LEVEL, w("purple+"))
    assert {aspect.edge for aspect in aspects(LEVEL, w("purple+"))} == {"forward", "starboard", "aft", "port"}
    assert aspects(LEVEL, w("A green+")) == (Aspect("forward", "wedge"),)
    assert not is_behind_wedge(LEVEL, w("A blue+"))


@pytest.mark.rule("C5.1112")
def test_a_bubble_wall_covers_a_base_all_round() -> None:
    """C5.1112: from above it is hit on the closest facing, behind its wall like everywhere else."""
    from_above = aspects(LEVEL, w("purple+"), has_bubble_wall=True)
    assert {aspect.edge for aspect in from_above} == {"forward", "starboard", "aft", "port"}
    assert {aspect.cover for aspect in from_above} == {"sidewall"}
    assert aspects(LEVEL, w("D blue+"), has_bubble_wall=True) == (Aspect("aft", "sidewall"),)


@pytest.mark.rule("C5.12")
@given(attitudes, windows)
def test_every_aspect_of_a_bearing_has_the_same_kind_of_cover_or_lies_at_a_border(
    attitude: Attitude, bearing: Place
) -> None:
    """C5.12: doubts concern edges, never whether the wedge is in the way."""
    found = aspects(attitude, bearing)
    assert found and len(set(found)) == len(found)
    assert {aspect.cover == "wedge" for aspect in found} == {is_behind_wedge(attitude, bearing)}


@pytest.mark.rule("C3.11")
def test_rolling_the_wedge_turns_it_to_the_enemy() -> None:
    """A quarter roll brings Top or Bottom to where a broadside was."""
    rolled = read_attitude("A yellow", 3)
    assert is_behind_wedge(rolled, w("B/C yellow"))
    assert not is_behind_wedge(rolled, w("purple+"))


def test_an_aspect_is_read_off_one_sight() -> None:
    """C5.112: a shot placed above the nose comes in at the forward edge."""
    assert aspect_of(Sight("forward", w("A blue-"))) == Aspect("forward", "bow")


@pytest.mark.rule("C4.143")
def test_an_escort_is_seen_beside_the_impact_window() -> None:
    """C4.143: through it or any window that touches it."""
    assert sees_beside(w("B blue-"), w("A/B yellow"))
    assert not sees_beside(w("C yellow"), w("A/B yellow"))
