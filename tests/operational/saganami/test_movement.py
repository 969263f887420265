"""The movement phase: vectors carry forces on, thrust displaces them and counts from the next turn (B3, B5.12)."""

from __future__ import annotations

from typing import Any

import pytest

from operational.rules.saganami import clock, movement
from operational.rules.saganami.forces import force_thrusts
from operational.rules.saganami.orders import ForceOrder
from operational.rules.saganami.state import State
from tests.operational.saganami.meeting_worlds import force, place_of, velocity_of, world
from tests.operational.saganami.phase_worlds import does, kinds, orders, play


def alone(velocity: dict[str, int] | None = None, rulings: dict[str, str] | None = None, **fields: Any) -> State:
    """Return a world with the force Lantern of the reds at the star."""
    return world(force("lantern", "red", {}, velocity, **fields), rulings=rulings)


@pytest.mark.rule("B3.11", "B3.12", "B3.14", "B5.12")
def test_a_force_keeps_its_velocity_without_thrust_in_all_three_dimensions() -> None:
    """Seven hexes a turn stay seven hexes a turn; which way the ships face is nobody's business."""
    state = alone({"A": 7, "B": 2, "-": 3})
    for turns in (1, 2, 3):
        state, events = play(movement.run, state)
        assert place_of(state, "lantern") == (2 * turns, 7 * turns, -3 * turns)
        assert velocity_of(state, "lantern") == (2, 7, -3)
        assert events == ()


@pytest.mark.rule("B3.27", "B3.32")
def test_thrust_shifts_by_half_of_its_change_and_counts_from_the_next_turn() -> None:
    """7A and 2A of thrust: seven hexes and one of displacement now, nine a turn from then on."""
    state, events = play(movement.run, alone({"A": 7}), does("lantern", thrust={"A": 2}))
    assert place_of(state, "lantern") == (0, 8, 0)
    assert velocity_of(state, "lantern") == (0, 9, 0)
    assert (events[0].data["displacement"], events[0].data["velocity"]) == ({"A": 1}, {"A": 9})
    state, _ = play(movement.run, state)
    assert place_of(state, "lantern") == (0, 17, 0)


@pytest.mark.rule("B3.27", "B3.271")
def test_a_half_hex_is_carried_to_the_next_thrust_in_its_direction_and_lost_by_another() -> None:
    """1A twice is one hex; 1A, then 1B, leaves half a hex in B; a turn without thrust leaves none."""
    once, _ = play(movement.run, alone(), does("lantern", thrust={"A": 1}))
    assert place_of(once, "lantern") == (0, 0, 0)
    assert once.forces.carry == {"lantern": ("A",)}
    again, _ = play(movement.run, once, does("lantern", thrust={"A": 1}))
    assert place_of(again, "lantern") == (0, 2, 0)
    assert again.forces.carry == {}
    elsewhere, _ = play(movement.run, once, does("lantern", thrust={"B": 1}))
    assert place_of(elsewhere, "lantern") == (0, 1, 0)
    assert elsewhere.forces.carry == {"lantern": ("B",)}
    coasting, _ = play(movement.run, once)
    assert coasting.forces.carry == {}


@pytest.mark.rule("B3.27", "B3.272")
@pytest.mark.parametrize(
    ("engineer", "place", "carry"),
    [("poor", 0, {}), ("average", 0, {"lantern": ("A",)}), ("veteran", 1, {}), ("elite", 1, {})],
)
def test_the_flagships_engineer_handles_the_half_hexes(engineer: str, place: int, carry: dict[str, Any]) -> None:
    """A poor one loses them, an average one carries them, better ones round them up."""
    state = alone(ships={"grades": {"engineer": engineer}})
    after, _ = play(movement.run, state, does("lantern", thrust={"A": 1}))
    assert place_of(after, "lantern") == (0, place, 0)
    assert after.forces.carry == carry


@pytest.mark.rule("B3.27")
def test_a_house_rule_does_without_displacement() -> None:
    """The switch: thrust changes the velocity and nothing else."""
    state, _ = play(movement.run, alone({"A": 1}, {"displacement": "none"}), does("lantern", thrust={"B": 3}))
    assert place_of(state, "lantern") == (0, 1, 0)
    assert velocity_of(state, "lantern") == (3, 1, 0)


@pytest.mark.rule("B3.11", "B3.32")
def test_a_course_is_flown_turn_by_turn_to_its_end() -> None:
    """A standing course gives one change a turn; a single thrust ends it."""
    state, events = play(movement.run, alone(), does("lantern", course=({"A": 2}, {}, {"D": 2})))
    assert velocity_of(state, "lantern") == (0, 2, 0)
    assert state.forces.course == {"lantern": ({}, {"D": 2})}
    state, events = play(movement.run, state)
    assert velocity_of(state, "lantern") == (0, 2, 0)
    halfway, _ = play(movement.run, state, does("lantern", thrust={"B": 1}))
    assert halfway.forces.course == {}
    state, events = play(movement.run, state)
    assert velocity_of(state, "lantern") == (0, 0, 0)
    assert kinds(events) == ["course-ended", "force-thrust"]


@pytest.mark.rule("B3.22", "B3.24", "B5.122")
def test_a_force_thrusts_as_its_slowest_ship_can() -> None:
    """A freighter of thrust 1 holds a cruiser of thrust 3 back; what is more is not flown at all."""
    state = alone(classes=("mistral", "carrick"))
    assert force_thrusts(state).tolist() == [1]
    held, events = play(movement.run, state, does("lantern", thrust={"A": 2}))
    assert velocity_of(held, "lantern") == (0, 0, 0)
    assert [(event.kind, event.rules) for event in events] == [("thrust-held", ("B3.24",))]
    moved, _ = play(movement.run, state, does("lantern", thrust={"A": 1}))
    assert velocity_of(moved, "lantern") == (0, 1, 0)


@pytest.mark.rule("B3.24")
@pytest.mark.parametrize(
    ("change", "is_flown"), [({"B": 2, "+": 2}, True), ({"B": 3, "+": 1}, True), ({"B": 3, "+": 3}, False)]
)
def test_thrust_costs_what_the_plotting_grids_ask(change: dict[str, int], is_flown: bool) -> None:
    """Two out and two up, three out and one up are thrust 2 and 3; three and three are 4."""
    _, events = play(movement.run, alone(), does("lantern", thrust=change))
    assert kinds(events) == ["force-thrust" if is_flown else "thrust-held"]


@pytest.mark.rule("B3.22", "B3.221")
def test_a_damaged_drive_thrusts_less_and_an_elite_engineer_adds_one() -> None:
    """The first open box of the track counts; a drive that is gone gains nothing."""
    elite = {"grades": {"engineer": "elite"}}
    assert force_thrusts(alone()).tolist() == [3]
    assert force_thrusts(alone(ships={"damage": {"max_thrust": 4}})).tolist() == [2]
    assert force_thrusts(alone(ships=elite)).tolist() == [4]
    assert force_thrusts(alone(ships={**elite, "damage": {"max_thrust": 10}})).tolist() == [0]
    _, events = play(movement.run, alone(ships=elite), does("lantern", thrust={"A": 4}))
    assert kinds(events) == ["force-thrust"]


@pytest.mark.rule("B3.231", "B5.122")
def test_red_lining_adds_a_point_to_the_ships_that_do_it() -> None:
    """One ship alone gains; of two, the one that does not red-line holds the other."""
    pushed, _ = play(movement.run, alone(), does("lantern", thrust={"A": 4}, red_line=("lantern-1",)))
    assert velocity_of(pushed, "lantern") == (0, 4, 0)
    pair = alone(classes=("mistral", "mistral"))
    _, events = play(movement.run, pair, does("lantern", thrust={"A": 4}, red_line=("lantern-1",)))
    assert kinds(events) == ["thrust-held"]
    _, events = play(movement.run, pair, does("lantern", thrust={"A": 4}, red_line=("lantern-1", "lantern-2")))
    assert kinds(events) == ["force-thrust"]


@pytest.mark.rule("B5.123")
def test_no_thrust_takes_a_force_over_120_hexes_a_turn() -> None:
    """At the limit one may still turn, and slow down."""
    state = alone({"A": 119})
    _, events = play(movement.run, state, does("lantern", thrust={"A": 2}))
    assert [(event.kind, event.rules) for event in events] == [("thrust-held", ("B5.123",))]
    fastest, _ = play(movement.run, state, does("lantern", thrust={"A": 1}))
    assert velocity_of(fastest, "lantern") == (0, 120, 0)
    slower, _ = play(movement.run, fastest, does("lantern", thrust={"D": 3}))
    assert velocity_of(slower, "lantern") == (0, 117, 0)


@pytest.mark.rule("B5.145")
def test_without_its_wedge_a_force_coasts() -> None:
    """It keeps its velocity and gains none; its course is at an end."""
    state = alone({"A": 2}, wedge="down")
    after, events = play(movement.run, state, does("lantern", course=({"A": 1}, {"A": 1})))
    assert place_of(after, "lantern") == (0, 2, 0)
    assert velocity_of(after, "lantern") == (0, 2, 0)
    assert after.forces.course == {}
    assert [(event.kind, event.rules) for event in events] == [("thrust-held", ("B5.145",))]


@pytest.mark.rule("B3.32", "B5.12")
def test_in_hyperspace_thrust_changes_the_velocity_and_nothing_moves() -> None:
    """There is no map there."""
    state, _ = play(movement.run, alone({"A": 30}, place="hyperspace"), does("lantern", thrust={"A": 2}))
    assert place_of(state, "lantern") == (0, 0, 0)
    assert velocity_of(state, "lantern") == (0, 32, 0)


@pytest.mark.rule("B3.12", "B5.12")
def test_all_forces_move_at_once_and_their_steps_are_kept() -> None:
    """Whoever looks later in the turn knows where each came from, and how it accelerated."""
    state = world(force("lantern", "red", {}, {"A": 4}), force("verdict", "blue", {"C": 9}, {"F": 1}))
    given = {**does("lantern", thrust={"A": 2}), **orders("blue", forces={"verdict": ForceOrder(thrust={"+": 2})})}
    after, _ = play(movement.run, state, given)
    forces = after.forces
    steps = zip(forces.mq.tolist(), forces.mr.tolist(), forces.mz.tolist(), strict=True)
    assert list(steps) == [(0, 5, 0), (-1, 1, 1)]
    changes = zip(forces.dq.tolist(), forces.dr.tolist(), forces.dz.tolist(), strict=True)
    assert list(changes) == [(0, 2, 0), (0, 0, 2)]


@pytest.mark.rule("B5.11")
def test_the_last_phase_counts_the_turn() -> None:
    """Until then the turn is the one before."""
    state = alone()
    assert play(movement.run, state)[0].turn == 0
    assert play(clock.run, state)[0].turn == 1
