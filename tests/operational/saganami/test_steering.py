"""Steering: legal changes of velocity toward a place, a standstill, or something that moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.hexes import ORIGIN, Hex, true_range
from campaign.engine.vectors import from_axial, to_axial
from campaign.rulebooks.saganami.movement import is_thrust_legal, is_within_speed_limit
from operational.rules.saganami import steering
from operational.rules.saganami.flight import Flight

STEP = st.builds(Hex, st.integers(-60, 60), st.integers(-60, 60), st.integers(-40, 40))


@pytest.mark.rule("B3.24", "B5.123")
@given(STEP, STEP, st.integers(0, 6))
def test_a_change_is_always_legal_and_never_leads_away(velocity: Hex, wanted: Hex, thrust: int) -> None:
    """B3.24, B5.123: paid for by the rating, within the speed limit, nearer to what is wanted."""
    if not is_within_speed_limit(from_axial(*velocity)):
        return
    change = steering.change_toward(velocity, wanted, thrust)
    after = velocity.moved(*to_axial(change))
    assert is_thrust_legal(thrust, change)
    assert is_within_speed_limit(from_axial(*after))
    assert true_range(*wanted.less(after)) <= true_range(*wanted.less(velocity))


@pytest.mark.rule("B3.24")
def test_a_change_that_can_be_made_at_once_is_made_whole() -> None:
    """B3.24: 2 on the map and 2 up cost 2."""
    assert steering.change_toward(ORIGIN, Hex(0, 2, 2), 2) == {"A": 2, "+": 2}
    assert steering.change_toward(Hex(3, 0), Hex(3, 0), 5) == {}


@pytest.mark.rule("B3.24")
@pytest.mark.parametrize("gap", [Hex(-6, 3, -5), Hex(-8, -2, 8)])
def test_a_change_cut_to_length_is_not_rounded_over_the_rating(gap: Hex) -> None:
    """B3.24: rounded hex by hex, four parts of these would cost five."""
    change = steering.change_toward(ORIGIN, gap, 4)
    assert change
    assert is_thrust_legal(4, change)


@given(STEP, st.integers(1, 5))
def test_a_force_that_steers_to_a_place_comes_to_rest_at_it(goal: Hex, thrust: int) -> None:
    """Half hexes of displacement leave it a few hexes off at most."""
    flight = Flight(ORIGIN, Hex(7, -3, 2))
    for _ in range(150):
        away = goal.less(flight.position.moved(*flight.velocity))
        wanted = steering.velocity_to_stop_at(away, thrust)
        flight = flight.after(steering.change_toward(flight.velocity, wanted, thrust))
    assert flight.velocity == ORIGIN
    assert true_range(*goal.less(flight.position)) <= 3


@given(STEP, st.builds(Hex, st.integers(-20, 20), st.integers(-20, 20), st.integers(-5, 5)), st.integers(2, 5))
def test_a_force_that_steers_to_meet_comes_within_range_five(place: Hex, drift: Hex, thrust: int) -> None:
    """Of anything that coasts, sooner or later."""
    flight = Flight(ORIGIN, ORIGIN)
    nearest = true_range(*place)
    for _ in range(200):
        place = place.moved(*drift)
        wanted = steering.velocity_to_meet(place.less(flight.position.moved(*flight.velocity)), drift, thrust)
        flight = flight.after(steering.change_toward(flight.velocity, wanted, thrust))
        nearest = min(nearest, true_range(*place.less(flight.position)))
    assert nearest <= 5


def test_turns_to_cover_a_distance() -> None:
    """From rest with thrust 3: 3, 6, 9, ...; never faster than asked; never at all without a drive."""
    assert steering.turns_to_cover(18, 0, 3, 120) == 3
    assert steering.turns_to_cover(18, 0, 3, 3) == 6
    assert steering.turns_to_cover(18, -3, 3, 120) == 4
    assert steering.turns_to_cover(18, 60, 3, 45) == 1
    assert steering.turns_to_cover(18, 0, 0, 45) == 1_000_000
    assert steering.turns_to_cover(0, 0, 0, 45) == 0


def test_what_leads_away_is_told_from_what_leads_near() -> None:
    """The inner product decides; the closest range is taken over the coming turns."""
    assert steering.is_leaving(Hex(0, 10), Hex(0, -1))
    assert not steering.is_leaving(Hex(0, 10), Hex(1, 0))
    assert steering.closest_in(Hex(0, 50), Hex(0, -12), 10) == 2
    assert steering.closest_in(Hex(0, 50), Hex(0, 12), 10) == 50
    assert steering.speed_along(Hex(0, 8), Hex(0, 30)) == 8
    assert steering.speed_along(Hex(0, -8), Hex(0, 30)) == -8
