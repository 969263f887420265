"""Beams: range, aspect, order, span, lance and torpedo."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import TypedDice
from campaign.engine.errors import ProblemsError
from tactical.rules.saganami.arcs import Aspect
from tactical.rules.saganami.beams import (
    ORDER_OF_RESOLUTION,
    can_affect,
    damage_at,
    effective_range,
    is_open_aspect,
    resolution_order,
    roll_energy_torpedo,
    roll_grav_lance,
    span,
)

WALL = Aspect("starboard", "sidewall")
BOW = Aspect("forward", "bow")
WEDGE = Aspect("forward", "wedge")


@pytest.mark.rule("C3.111", "C3.121", "C7.23")
@pytest.mark.parametrize(("distance", "points"), [(0, 10), (1, 10), (2, 7), (3, 5), (4, 0)])
def test_damage_falls_with_range(distance: int, points: int) -> None:
    """C3.111: the first number is for range 0 and for 1."""
    assert damage_at([10, 7, 5], distance) == points


@pytest.mark.rule("C3.123", "C3.124", "C5.342")
@pytest.mark.parametrize(
    ("distance", "weapon", "is_open", "effective"),
    [
        (7, "laser", True, 3),
        (3, "graser", True, 1),
        (1, "laser", True, 0),
        (7, "laser", False, 7),
        (3, "energy torpedo", True, 3),
    ],
)
def test_an_open_aspect_halves_the_range(distance: int, weapon: str, is_open: bool, effective: int) -> None:
    """C3.123: rounded for the attacker; C3.124: never for energy torpedoes."""
    assert effective_range(distance, weapon, is_open=is_open) == effective  # type: ignore[arg-type]


@pytest.mark.rule("C3.11", "C3.12", "C3.121", "C3.122", "C3.123", "C5.342", "C5.341")
@pytest.mark.parametrize(
    ("weapon", "aspect", "distance", "boxes", "works"),
    [
        ("laser", WALL, 3, 9, True),
        ("laser", WEDGE, 0, 0, False),
        ("energy torpedo", WALL, 1, 9, False),
        ("energy torpedo", WALL, 1, 0, True),
        ("energy torpedo", BOW, 1, 0, True),
        ("energy torpedo", BOW, 1, 3, False),
        ("grav lance", WALL, 0, 9, True),
        ("grav lance", WALL, 1, 9, False),
        ("grav lance", WALL, 0, 0, False),
        ("graser", BOW, 2, 0, True),
    ],
)
def test_what_a_beam_can_hit(weapon: str, aspect: Aspect, distance: int, boxes: int, works: bool) -> None:
    """C3.122: the wedge stops all; torpedoes need the wall gone, lances need one."""
    assert can_affect(weapon, aspect, distance, boxes) is works  # type: ignore[arg-type]


@pytest.mark.rule("C3.122", "C5.1111")
def test_a_wedge_that_is_down_lets_beams_through() -> None:
    """C5.1111."""
    assert can_affect("laser", WEDGE, 2, 9, is_wedge_up=False)
    assert not can_affect("grav lance", WEDGE, 0, 9, is_wedge_up=False)


@pytest.mark.rule("C3.123", "C5.112", "C3.12")
def test_an_aspect_is_open_without_wedge_and_wall() -> None:
    """C3.123: bow and stern unless walled, and sides whose wall is gone."""
    assert is_open_aspect(BOW, 0)
    assert is_open_aspect(WALL, 0)
    assert not is_open_aspect(BOW, 2)
    assert not is_open_aspect(WALL, 1)
    assert not is_open_aspect(WEDGE, 0)


@pytest.mark.rule("C5.31", "C5.311", "A2.413")
def test_warheads_come_before_beams_and_lances_before_lasers() -> None:
    """C5.31, C5.311: the order of the card."""
    assert sorted(sorted(ORDER_OF_RESOLUTION), key=resolution_order) == [
        "laser head",
        "contact nuke",
        "grav lance",
        "energy torpedo",
        "laser",
        "graser",
    ]


@pytest.mark.rule("C5.33", "C5.331", "C5.332", "C5.333")
def test_spans() -> None:
    """C5.331 to C5.333; a lance has no place on the table."""
    assert [span(weapon) for weapon in ORDER_OF_RESOLUTION if weapon != "grav lance"] == [1, 5, 5, 1, 3]
    with pytest.raises(ProblemsError, match="hit location"):
        span("grav lance")


@pytest.mark.rule("C5.341")
def test_a_grav_lance_tears_a_box_for_each_three_and_more() -> None:
    """C5.341: never more than the wall has."""
    assert roll_grav_lance(TypedDice([1, 2, 3, 10, 4]), 5, 9).boxes == 3
    assert roll_grav_lance(TypedDice([9, 9, 9]), 3, 2).boxes == 2
    assert roll_grav_lance(TypedDice([]), 0, 9).faces == ()


@pytest.mark.rule("C5.3421", "A1.214")
@given(st.lists(st.tuples(*[st.integers(1, 10)] * 3), min_size=1, max_size=5))
def test_each_torpedo_launcher_hits_with_the_lowest_of_three(rolls: list[tuple[int, int, int]]) -> None:
    """C5.3421: 3d10low hits."""
    faces = [face for roll in rolls for face in roll]
    assert roll_energy_torpedo(TypedDice(faces), len(rolls)) == tuple(min(roll) for roll in rolls)
