"""The movement phase: end points, thrust markers and ties, alternation, and forces that go for a contact."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.hexes import Hex, distance_in_plane
from campaign.engine.vectors import to_axial, total
from operational.rules.full_thrust.pursuit import Course, closing_speed, pursue
from operational.rules.full_thrust.view import view_for
from tests.operational.full_thrust.worlds import contact_on, force, of_kind, play, play_phase, world

PLACE = st.tuples(st.integers(-60, 60), st.integers(-60, 60)).map(lambda place: Hex(*place))


@pytest.mark.rule("movement-phase", "end-point-movement")
def test_thrust_moves_the_end_point_at_once_and_the_marker_goes_there() -> None:
    """The end point then lies as far ahead again; without orders a force coasts and has no thrust marker."""
    state = world(force("a", "red", {}, ("frigate",), velocity={"A": 3}), force("b", "blue", {"D": 90}, ("frigate",)))
    state, events = play(state, {"red": {"forces": {"a": {"thrust": {"B": 1}}}}})
    assert {event.audience for event in of_kind(events, "force-moved")} == {("red",), ("blue",)}
    moved = state.forces["a"]
    assert ((moved.q, moved.r), (moved.vq, moved.vr)) == ((1, 3), (1, 3))
    assert (moved.marker, moved.used) == ("E", 1)
    assert moved.end_point == Hex(2, 6)
    state, _ = play(state)
    assert (state.forces["a"].marker, state.forces["a"].used) == ("", 0)


@pytest.mark.rule("opponent-tie", "thrust-marker")
def test_the_other_side_decides_where_a_thrust_marker_goes_between_two_sides() -> None:
    """By the order of sides that it filed; nobody is asked."""
    for filed, side in ((["E", "D"], "E"), ([], "D")):
        state = world(force("a", "red", {}, ("frigate",)), force("b", "blue", {"D": 90}, ("frigate",)))
        sheets = {
            "red": {"forces": {"a": {"thrust": {"A": 1, "B": 1}}}},
            "blue": {"preferences": {"marker_sides": filed}},
        }
        state, _ = play(state, sheets)
        assert state.forces["a"].marker == side
        assert view_for(state, "blue")["contacts"][0]["marker"] == side


@pytest.mark.rule("movement-phase", "initiative")
def test_who_has_the_initiative_moves_later_and_sees_where_the_other_went() -> None:
    """A force told to keep a contact's end point goes for where it is when its own turn comes."""

    def chased(initiative: str) -> int:
        state = world(force("a", "red", {}, ("frigate",)), force("b", "blue", {"A": 8}, ("frigate",)))
        sheets = {
            "red": {"forces": {"a": {"chase": {"contact": contact_on(state, "red", "b"), "distance": 6}}}},
            "blue": {"forces": {"b": {"thrust": {"A": 4}}}},
        }
        after, _ = play_phase("movement", state, sheets, initiative=initiative)
        return after.forces["a"].r

    assert chased("blue") == 2  # red moves first: blue still lies still at 8
    assert chased("red") > 2  # red moves second, after blue's end point has gone ahead


@pytest.mark.rule("movement-phase")
def test_forces_move_by_turns_in_each_sides_order_of_preference() -> None:
    """The loser begins."""
    state = world(
        force("a", "red", {}, ("frigate",)), force("c", "red", {"E": 9}, ("frigate",)),
        force("b", "blue", {"D": 90}, ("frigate",)),
    )  # fmt: skip
    state = state.with_book(replace(state.books["red"], preferences={"movement_order": ["c"]}))
    _, events = play_phase("movement", state, initiative="blue")
    assert [event.data["force"] for event in of_kind(events, "force-moved")] == ["c", "b", "a"]


@given(PLACE, PLACE, PLACE, PLACE, st.integers(0, 12), st.integers(0, 20), st.booleans())
def test_pursuit_never_spends_more_thrust_than_there_is(
    one: Hex, moves: Hex, other: Hex, drift: Hex, rate: int, distance: int, is_away: bool
) -> None:
    """Toward and away, wherever the other is and however it moves."""
    thrust = pursue(Course(one, moves), Course(other, drift), rate, distance=distance, is_away=is_away)
    assert total(thrust) <= rate
    assert set(thrust) <= set("ABCDEF")


@given(PLACE, PLACE, st.integers(1, 8))
def test_a_pursuer_arrives_and_comes_to_rest(start: Hex, goal: Hex, rate: int) -> None:
    """From rest to a place at rest, in the turns that it takes and a few for the corners of the hexes."""
    own = Course(start)
    far = distance_in_plane(*start.less(goal)[:2])
    turns = 0
    while (own.place, own.velocity) != (goal, Hex(0, 0)):
        thrust = to_axial(pursue(own, Course(goal), rate))
        velocity = own.velocity.moved(*thrust)
        own = Course(own.place.moved(*velocity), velocity)
        turns += 1
        assert turns * turns <= 16 * (far + 8) // rate + 400, own


def test_closing_speed_is_the_most_that_can_still_be_braked() -> None:
    """Of thrust 4 over 12 hexes: 8, then 4, then at rest."""
    assert closing_speed(12, 4) == 8
    assert closing_speed(11, 4) == 7
    assert closing_speed(5, 0) == 5
    assert closing_speed(0, 4) == 0
