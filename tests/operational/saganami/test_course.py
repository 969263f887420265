"""Courses: the fewest turns to a point or a coasting contact, legal, and flown by the engine to where they say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.hexes import LETTERS, ORIGIN, Hex
from campaign.engine.procedure import answer
from campaign.engine.vectors import from_axial, to_axial
from campaign.rulebooks.saganami.grades import GRADES
from campaign.rulebooks.saganami.movement import displacement, is_within_speed_limit, legal_changes, thrust_needed
from operational.rules.saganami import clock, movement
from operational.rules.saganami.course import Goal, plan
from operational.rules.saganami.course_bounds import MOST_CHANGES, MOST_PAIRS, displacements, reach_of
from operational.rules.saganami.desk import DESK
from operational.rules.saganami.flight import Flight, fly
from operational.rules.saganami.forces import force_thrusts
from operational.rules.saganami.state import State
from tests.operational.saganami.meeting_worlds import force, world
from tests.operational.saganami.phase_worlds import does, play

REST = Flight(ORIGIN, ORIGIN)


def ask(**question: Any) -> dict[str, Any]:
    """Ask course.plan."""
    procedure = DESK.procedure("course.plan")
    assert procedure is not None
    return answer(procedure, question)


def fewest_by_trying(flight: Flight, thrust: int, turns: int, *, is_level: bool) -> dict[tuple[Hex, Hex], int]:
    """Return every place and velocity that can be reached in so many turns, with the fewest turns, by flying all."""
    found = {(flight.position, flight.velocity): 0}
    flights = {flight}
    changes = [from_axial(*change) for change in legal_changes(thrust) if not (is_level and change.z)]
    for turn in range(1, turns + 1):
        flights = {each.after(change) for each in flights for change in changes}
        for each in flights:
            found.setdefault((each.position, each.velocity), turn)
    return found


@pytest.mark.rule("B3.27", "B5.12")
def test_sixty_hexes_from_rest_to_rest_take_nine_turns_at_thrust_three() -> None:
    """With displacement and without: a turn of coasting between four of thrust and four of braking."""
    for is_displaced in (True, False):
        course = plan(Flight(ORIGIN, ORIGIN, is_displaced=is_displaced), 3, Goal(Hex(0, 60, 0)))
        assert course is not None
        assert course.turns == 9
        assert course.is_fewest
        assert course.end.position == Hex(0, 60, 0)
        assert course.end.velocity == ORIGIN


@pytest.mark.rule("B3.27")
def test_displacement_saves_a_turn_where_half_a_change_makes_up_the_distance() -> None:
    """Fifty hexes: 54 are in reach of six turns with displacement, only 45 without."""
    turns = {
        is_displaced: plan(
            Flight(ORIGIN, ORIGIN, is_displaced=is_displaced), 3, Goal(Hex(0, 50, 0), is_matched=False)
        ).turns  # type: ignore[union-attr]
        for is_displaced in (True, False)
    }
    assert turns == {True: 6, False: 7}


@pytest.mark.rule("B3.24", "B3.27", "B3.271", "B3.272", "B5.12")
@pytest.mark.parametrize("engineer", GRADES)
@pytest.mark.parametrize(("thrust", "turns", "is_level"), [(1, 4, True), (2, 3, True), (1, 3, False)])
def test_no_course_of_fewer_turns_is_found_by_trying_them_all(
    engineer: Any, thrust: int, turns: int, is_level: bool
) -> None:
    """Every place, and every place at rest, that all flights together reach: the planner takes no turn more."""
    flight = Flight(ORIGIN, Hex(1, 0, 0), carry=("A",) if engineer == "average" else (), engineer=engineer)
    reached = fewest_by_trying(flight, thrust, turns, is_level=is_level)
    passing: dict[Hex, int] = {}
    for (position, _), fewest in reached.items():
        passing[position] = min(fewest, passing.get(position, turns))
    resting = {position: fewest for (position, velocity), fewest in reached.items() if velocity == ORIGIN}
    for wanted, is_matched in ((passing, False), (resting, True)):
        for position, fewest in sorted(wanted.items())[::3]:
            course = plan(flight, thrust, Goal(position, is_matched=is_matched))
            assert course is not None
            assert (position, course.turns, course.is_fewest) == (position, fewest, True)


@pytest.mark.rule("B3.24", "B5.123")
@settings(max_examples=40, deadline=None)
@given(
    velocity=st.tuples(st.integers(-6, 6), st.integers(-6, 6), st.integers(-2, 2)),
    at=st.tuples(st.integers(-50, 50), st.integers(-50, 50), st.integers(-8, 8)),
    drift=st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.integers(-1, 1)),
    thrust=st.integers(1, 5),
    engineer=st.sampled_from(GRADES),
    is_matched=st.booleans(),
)
def test_a_course_is_legal_and_ends_at_its_goal(
    velocity: Any, at: Any, drift: Any, thrust: int, engineer: Any, is_matched: bool
) -> None:
    """Each change is within the thrust, no velocity over the highest, and the last turn ends where the goal is."""
    flight = Flight(ORIGIN, Hex(*velocity), engineer=engineer)
    goal = Goal(Hex(*at), Hex(*drift), is_matched=is_matched)
    course = plan(flight, thrust, goal)
    assert course is not None
    assert all(thrust_needed(change) <= thrust for change in course.changes)
    flown = [flight, *fly(flight, course.changes)]
    assert all(is_within_speed_limit(from_axial(*each.velocity)) for each in flown)
    assert flown[-1] == course.end
    assert course.end.position == goal.after(course.turns)
    assert not is_matched or course.end.velocity == goal.drift


def fly_by_engine(state: State, name: str, changes: Any) -> State:
    """Order a course, and let the movement phase fly it turn by turn as the standing course of the force."""
    state, _ = play(movement.run, state, does(name, course=tuple(changes)))
    state, _ = play(clock.run, state)
    for _ in changes[1:]:
        state, _ = play(movement.run, state)
        state, _ = play(clock.run, state)
    return state


@pytest.mark.rule("B3.11", "B3.32", "B5.12")
@pytest.mark.parametrize("engineer", GRADES)
@pytest.mark.parametrize(
    ("at", "drift", "is_matched"),
    [
        ({"A": 41, "B": 7, "+": 3}, {}, True),
        ({"D": 30, "-": 4}, {}, False),
        ({"A": 25, "F": 12}, {"C": 2, "+": 1}, True),
        ({"E": 33}, {"A": 4, "-": 1}, False),
    ],
)
def test_the_engine_flies_a_course_to_exactly_where_it_says(
    engineer: str, at: Any, drift: Any, is_matched: bool
) -> None:
    """Ordered once as a course and left standing, the force ends in the hex and with the velocity planned."""
    grades = {"grades": {"engineer": engineer}}
    state = world(force("wick", "red", {"A": 3, "+": 1}, {"B": 2}, classes=("petrel",), ships=grades))
    row = state.forces.index["wick"]
    flight = Flight(Hex(0, 3, 1), to_axial({"B": 2}), engineer=engineer)  # type: ignore[arg-type]
    goal = Goal(to_axial(at), to_axial(drift), is_matched=is_matched)
    course = plan(flight, int(force_thrusts(state)[row]), goal)
    assert course is not None
    after = fly_by_engine(state, "wick", course.changes).forces
    where = goal.after(course.turns)
    assert (after.q[row], after.r[row], after.z[row]) == where
    assert (after.vq[row], after.vr[row], after.vz[row]) == course.end.velocity
    assert after.carry.get("wick", ()) == course.end.carry
    assert after.course == {}


@pytest.mark.rule("B3.27", "B3.271", "B3.272")
@pytest.mark.parametrize(
    ("engineer", "halves"),
    [("poor", "lost"), ("average", "carried"), ("veteran", "rounded-up"), ("elite", "rounded-up")],
)
def test_many_displacements_at_once_are_those_of_one_at_a_time(engineer: Any, halves: str) -> None:
    """The planner's arrays and the engine's rule agree for every change and carry."""
    changes = [from_axial(*change) for change in legal_changes(4)]
    letters = np.array([[change.get(letter, 0) for letter in LETTERS] for change in changes])
    carries = ((), ("A",), ("A", "B"), ("D", "-"), ("C", "D", "+")) if engineer == "average" else ((),)
    for carry in carries:
        bits = sum(1 << LETTERS.index(letter) for letter in carry)
        moved, onward = displacements(letters, bits, halves)
        for change, step, held in zip(changes, moved.tolist(), onward.tolist(), strict=True):
            shift, kept = displacement(change, engineer, carry)
            assert to_axial(shift) == tuple(step)
            assert sum(1 << LETTERS.index(letter) for letter in kept) == held


@pytest.mark.rule("B3.22")
def test_a_force_without_thrust_gets_there_by_coasting_or_not_at_all() -> None:
    """Ten turns of six hexes; never to a place off its line."""
    drifting = Flight(ORIGIN, Hex(0, 6, 0))
    course = plan(drifting, 0, Goal(Hex(0, 60, 0), is_matched=False))
    assert course is not None
    assert course.changes == ({},) * 10
    assert plan(drifting, 0, Goal(Hex(1, 60, 0), is_matched=False)) is None
    assert plan(drifting, 0, Goal(Hex(0, 60, 0))) is None


def test_who_is_there_already_needs_no_turn() -> None:
    """At rest at the goal, and flying along with a contact in its hex."""
    assert plan(REST, 3, Goal(ORIGIN)).turns == 0  # type: ignore[union-attr]
    along = Flight(Hex(4, 4, 1), Hex(2, 0, 0))
    assert plan(along, 3, Goal(Hex(4, 4, 1), Hex(2, 0, 0))).turns == 0  # type: ignore[union-attr]


@pytest.mark.rule("B5.123")
def test_a_fast_force_is_not_planned_over_the_highest_speed() -> None:
    """At 118 hexes a turn, thrust 6: only two more are allowed."""
    fast = Flight(ORIGIN, Hex(0, 118, 0))
    course = plan(fast, 6, Goal(Hex(0, 360, 0), is_matched=False))
    assert course is not None
    assert all(each.velocity.r <= 120 for each in fly(fast, course.changes))


@pytest.mark.rule("B3.24", "B5.12")
@pytest.mark.parametrize(
    ("arrive", "drift"), [("rest", {}), ("pass", {}), ("meet", {"D": 7, "-": 2}), ("match", {"D": 7, "-": 2})]
)
def test_the_fastest_drives_are_planned_for_with_a_part_of_their_changes(arrive: str, drift: dict[str, int]) -> None:
    """Thrust 20 with altitude has 36,461 changes a turn: the course is exact, and says that fewer may be enough."""
    goal = {"A": 130, "B": 40, "+": 90}
    asked = ask(thrust=20, to=goal, to_vectors=drift, arrive=arrive)["result"]
    assert asked["turns"] > 2
    assert not asked["fewest"]
    end = to_axial(goal).moved(*(asked["turns"] * step for step in to_axial(drift)))
    assert to_axial(asked["position"]) == end
    assert all(thrust_needed(change) <= 20 for change in asked["plan"])
    if arrive in ("rest", "match"):
        assert asked["vectors"] == drift


def test_what_a_fast_drive_may_cost_to_plan_is_bounded() -> None:
    """Neither the changes followed nor the pairs of the last two turns grow with the cube of the thrust."""
    reach = reach_of(20, "average", True, False)
    assert len(reach.changes) == 36_461
    assert len(reach.tried) <= MOST_CHANGES + len(reach.ways) + 1
    first, second = reach._pairs(reach.moves(0)[1])
    assert len(first) == len(second) <= 2 * MOST_PAIRS
    assert reach_of(8, "average", True, False).is_whole


def test_one_turn_of_a_fast_drive_is_found_whichever_change_it_takes() -> None:
    """Also with changes that longer searches leave out."""
    reach = reach_of(20, "average", True, False)
    left_out = np.setdiff1d(np.arange(len(reach.changes)), reach.tried)
    for row in left_out[:: len(left_out) // 5].tolist():
        change = from_axial(*reach.changes[row].tolist())
        end = REST.after(change)
        start = end.position.moved(*(-step for step in end.velocity))
        course = plan(REST, 20, Goal(start, drift=end.velocity))
        assert course is not None
        assert (course.turns, course.is_fewest) == (1, True)
        assert (course.end.position, course.end.velocity) == (end.position, end.velocity)


def test_the_desk_answers_with_the_plan_and_where_it_ends() -> None:
    """The contract's example, and an intercept that matches the contact."""
    asked = ask(position={"A": 0}, vectors={}, thrust=3, to={"A": 60}, arrive="rest")["result"]
    assert asked["turns"] == 9
    assert asked["plan"] == [{"A": 3}] * 4 + [{}] + [{"D": 3}] * 4
    assert (asked["position"], asked["vectors"], asked["fewest"]) == ({"A": 60}, {}, True)
    asked = ask(vectors={"A": 4}, thrust=4, to={"A": 20, "B": 9}, to_vectors={"D": 3, "+": 1}, arrive="match")["result"]
    assert asked["vectors"] == {"D": 3, "+": 1}
    end = to_axial({"A": 20, "B": 9}).moved(*(asked["turns"] * step for step in to_axial({"D": 3, "+": 1})))
    assert to_axial(asked["position"]) == end


@pytest.mark.parametrize(
    ("question", "code", "field"),
    [
        ({"thrust": -1, "to": {"A": 3}}, "greater-than-equal", "thrust"),
        ({"thrust": 3, "to": {"X": 3}}, "unknown-direction", "to.X"),
        ({"thrust": 3, "to": {"A": 3.5}}, "not-whole-number", "to.A"),
        ({"thrust": 3, "to": {"A": 1001}}, "too-far", "to"),
        ({"thrust": 3, "to": {"A": 5}, "vectors": {"B": 121}}, "too-fast", "vectors"),
        ({"thrust": 3, "to": {"A": 5}, "to_vectors": {"B": 1}, "arrive": "rest"}, "goal-moves", "arrive"),
        ({"thrust": 0, "to": {"A": 5}}, "no-course", "to"),
        ({"thrust": 3, "to": {"A": 5}, "arrive": "soon"}, "literal-error", "arrive"),
    ],
)
def test_the_desk_says_what_it_cannot_plan(question: dict[str, Any], code: str, field: str) -> None:
    """Each bad question names its field."""
    error = ask(**question)["error"]
    assert (error["code"], error["field"]) == (code, field)


def test_problems_of_a_question_come_together() -> None:
    """Two fields, two problems."""
    error = ask(thrust=3, to={"A": 2000}, vectors={"B": 200})["error"]
    assert [each["code"] for each in error["problems"]] == ["too-far", "too-fast"]
