"""The eight worked movements of B3 and B4, ships renamed."""

from __future__ import annotations

import pytest

from campaign.engine.hexes import ORIGIN, Hex
from campaign.engine.vectors import to_axial
from tactical.rules.saganami.attitude import markers, read_attitude, read_markers
from tactical.rules.saganami.avid import Place, read_window
from tactical.rules.saganami.helm import Maneuver, check_maneuver, thrust_window, turning
from tactical.rules.saganami.movement import course
from tactical.rules.saganami.officers import Ratings
from tactical.rules.saganami.thrust import ThrustPlot, check_thrust, velocity_change


def w(*names: str) -> tuple[Place, ...]:
    """Return windows by name."""
    return tuple(read_window(name) for name in names)


def at(**legs: int) -> Hex:
    """Return the hex at the end of legs such as A=3, up=1."""
    up = legs.pop("up", 0)
    return to_axial(legs).moved(0, 0, up)


@pytest.mark.rule("B3.11", "B3.12", "B3.121", "A3.11", "B3.14")
def test_seven_hexes_a_turn_stay_seven_hexes_a_turn() -> None:
    """B3.11, B3.121: 7A moves on and on; the midpoint is 4 hexes away."""
    place = ORIGIN
    vectors = {"A": 7}
    for turn in range(1, 4):
        now = course(place, vectors, {})
        assert now.midpoint == place.moved(*at(A=4))
        place, vectors = now.end, now.vectors
        assert place == at(A=7 * turn)


@pytest.mark.rule("B3.12", "B3.121")
def test_three_vectors_place_the_markers_leg_by_leg() -> None:
    """B3.12: 4B 3A 1+; each leg's half is rounded up."""
    now = course(ORIGIN, {"B": 4, "A": 3, "+": 1}, {})
    assert now.end == at(B=4, A=3, up=1)
    assert now.midpoint == at(B=2, A=2, up=1)


@pytest.mark.rule("B3.27", "B3.271", "A3.123")
def test_a_thrust_of_four_up_through_a_displaces_one_and_one() -> None:
    """B3.27: 3A and 3+ make one hex each way, and half a hex of each is carried."""
    change = velocity_change(ThrustPlot(4, (3, 3), {"A": 3}))
    now = course(ORIGIN, {}, change)
    assert now.end == at(A=1, up=1)
    assert now.midpoint == ORIGIN
    assert now.carry == ("A", "+")


@pytest.mark.rule("B3.31", "B3.32", "A3.31")
def test_thrust_adds_to_an_existing_vector() -> None:
    """B3.32: 3 on 5 in D are 8."""
    assert course(ORIGIN, {"D": 5}, {"D": 3}).vectors == {"D": 8}


@pytest.mark.rule("B3.3", "B3.33", "B3.331", "B3.332", "A3.32", "A2.311")
def test_seven_a_eight_d_and_four_b_consolidate() -> None:
    """B3.33: 3B and 1C are left, and the same path is flown."""
    now = course(ORIGIN, {}, {"A": 7, "D": 8, "B": 4})
    assert now.vectors == {"B": 3, "C": 1}
    assert to_axial(now.vectors) == to_axial({"A": 7, "D": 8, "B": 4})


@pytest.mark.rule("B4.11", "B4.111", "B4.112", "B4.12", "B4.13", "B4.14", "B4.15")
def test_pivot_and_roll_without_thrust() -> None:
    """B4.1: from B to C with Top from C/D over the purple window to the spine of A and B.

    The midpoint of the three-window roll is one window (see the rulings), so 30 degrees are left.
    """
    start = read_markers("B yellow", "C/D blue+")
    assert start == read_attitude("B yellow", 2)
    plot = Maneuver(w("B/C yellow", "C yellow"), -3)
    assert check_maneuver(start, plot, Ratings(3, 4)) == ()
    turn = turning(start, plot, Ratings(3, 4))
    assert str(turn.midpoint.forward) == "B/C yellow"
    assert turn.midpoint.roll == 1
    end = markers(turn.end)
    assert (str(end.forward), str(end.top)) == ("C yellow", "A/B green+")
    now = course(ORIGIN, {"B": 7, "+": 2}, {}, pivot_windows=turn.pivot_windows)
    assert now.midpoint == at(B=4, up=1)
    assert now.end == at(B=7, up=2)
    assert now.vectors == {"B": 7, "+": 2}


@pytest.mark.rule("B4.211", "B4.212", "B4.213", "B4.22", "B4.221", "B4.23", "B4.24", "B4.25", "B4.251")
def test_thrust_with_displacement() -> None:
    """B4.2: nose C up, thrust 3, vectors 4C 2D: one hex of displacement in C, one up, half a hex of C carried."""
    facing = read_attitude("C blue+", 0)
    turn = turning(facing, Maneuver(), Ratings(3, 3))
    plot = ThrustPlot(3, (3, 2), {"C": 3})
    assert check_thrust(thrust_window(turn), plot, 3) == ()
    now = course(ORIGIN, {"C": 4, "D": 2}, velocity_change(plot))
    assert now.displacement == {"C": 1, "+": 1}
    assert now.midpoint == at(C=2, D=1)
    assert now.end == at(C=5, D=2, up=1)
    assert now.vectors == {"C": 7, "D": 2, "+": 2}
    assert now.carry == ("C",)


@pytest.mark.rule(
    "B4.31", "B4.311", "B4.312", "B4.313", "B4.32", "B4.33", "B4.34", "B4.35", "B4.351", "B4.352", "B4.353"
)
def test_simultaneous_pivot_and_thrust() -> None:
    """B4.3: from B/C by B up to A/B up, thrusting 3 through B: 3+ and 2A are left, and nothing is displaced."""
    turn = turning(read_attitude("B/C yellow", 0), Maneuver(w("B blue+", "A/B blue+")), Ratings(3, 3))
    assert str(thrust_window(turn)) == "B blue+"
    assert str(turn.end.forward) == "A/B blue+"
    plot = ThrustPlot(3, (3, 2), {"B": 3})
    assert check_thrust(thrust_window(turn), plot, 3) == ()
    now = course(ORIGIN, {"+": 1, "F": 2, "E": 1}, velocity_change(plot), pivot_windows=turn.pivot_windows)
    assert now.displacement == {}
    assert now.midpoint == at(F=1, E=1, up=1)
    assert now.end == at(F=2, E=1, up=1)
    assert now.vectors == {"A": 2, "+": 3}


@pytest.mark.rule("B3.27", "B4.313")
def test_a_pivot_of_one_window_ends_displacement_but_not_thrust() -> None:
    """B3.27: though the midpoint's facing is the old one, 4A displaces nothing and is added at the end of the turn."""
    now = course(ORIGIN, {}, {"A": 4}, pivot_windows=1)
    assert (now.displacement, now.end, now.vectors) == ({}, ORIGIN, {"A": 4})


@pytest.mark.rule("B3.27", "D1.145")
def test_the_engineer_rounds_the_half_hexes_of_displacement() -> None:
    """B3.272: a poor one loses them, a better one has them at once; half a hex carried makes a whole one."""
    assert course(ORIGIN, {}, {"A": 3}, engineer="poor").displacement == {"A": 1}
    assert course(ORIGIN, {}, {"A": 3}, engineer="poor").carry == ()
    assert course(ORIGIN, {}, {"A": 1}, engineer="elite").displacement == {"A": 1}
    assert course(ORIGIN, {}, {"C": 3}, carry=("C",)).displacement == {"C": 2}
