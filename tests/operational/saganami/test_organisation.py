"""Who moves with whom: splits, merges, flagships and wedges (B5.12, B5.122, B5.145)."""

from __future__ import annotations

import pytest

from operational.rules.saganami import organisation, wedge
from operational.rules.saganami.forces import force_thrusts, leading_ship
from operational.rules.saganami.orders import ForceOrder, Merge, Split
from operational.rules.saganami.state import GONE, WEDGE_DOWN, WEDGE_UP, State
from tests.operational.saganami.meeting_worlds import force, place_of, velocity_of, world
from tests.operational.saganami.phase_worlds import does, kinds, orders, play


def members(state: State) -> dict[str, list[str]]:
    """Return each force's active ships."""
    return {key: [state.ships.id[row] for row in rows] for key, rows in state.ships.of_force.items()}


def squadron(**fields: object) -> State:
    """Return a world with the force Lantern of three ships, under way."""
    return world(force("lantern", "red", {"A": 9}, {"B": 2}, classes=("mistral", "petrel", "carrick")), **fields)  # type: ignore[arg-type]


@pytest.mark.rule("B5.12")
def test_ships_that_split_off_are_a_force_in_the_same_place_with_the_same_velocity() -> None:
    """Its id tells nobody where it came from, its name is its own."""
    given = orders(splits=(Split("lantern", ("lantern-2", "lantern-3"), name="Wick", course=({"A": 1},)),))
    after, events = play(organisation.run, squadron(), given)
    assert kinds(events) == ["force-split"]
    new = after.forces.id[1]
    assert "lantern" not in new
    assert members(after) == {"lantern": ["lantern-1"], new: ["lantern-2", "lantern-3"]}
    assert after.forces.name == ("Lantern", "Wick")
    assert place_of(after, new) == place_of(after, "lantern") == (0, 9, 0)
    assert velocity_of(after, new) == (2, 0, 0)
    assert after.forces.course == {new: ({"A": 1},)}


@pytest.mark.rule("B5.122")
def test_a_force_goes_on_under_its_flagship_and_at_its_slowest_ships_thrust() -> None:
    """Where the flagship left, the first ship leads; without the freighter the rest is quicker."""
    state = squadron()
    assert force_thrusts(state).tolist() == [1]
    after, _ = play(organisation.run, state, orders(splits=(Split("lantern", ("lantern-1", "lantern-3")),)))
    new = after.forces.id[1]
    assert dict(zip(after.forces.id, after.forces.flagship, strict=True)) == {"lantern": "lantern-2", new: "lantern-1"}
    assert force_thrusts(after).tolist() == [3, 1]
    row = leading_ship(after, "lantern")
    assert row is not None and after.ships.id[row] == "lantern-2"


@pytest.mark.rule("B5.12")
def test_ships_join_another_force_of_theirs() -> None:
    """A transfer makes no new force."""
    state = world(
        force("lantern", "red", {"A": 9}, classes=("mistral", "petrel")), force("wick", "red", {"A": 9}), rulings={}
    )
    after, events = play(organisation.run, state, orders(splits=(Split("lantern", ("lantern-2",), into="wick"),)))
    assert kinds(events) == ["ships-transferred"]
    assert members(after) == {"lantern": ["lantern-1"], "wick": ["lantern-2", "wick-1"]}
    assert len(after.forces) == 2


@pytest.mark.rule("B5.12")
def test_a_merge_leaves_one_force_and_takes_the_others_off_the_map() -> None:
    """Place, velocity, half hexes and course are those of the force that is joined."""
    state = world(
        force("lantern", "red", {"A": 9}, {"B": 2}, course=[{"A": 1}]),
        force("wick", "red", {"A": 9}, {"B": 2}, classes=("petrel", "bramble"), course=[{"C": 1}]),
    )
    after, events = play(organisation.run, state, orders(merges=(Merge("lantern", ("wick",)),)))
    assert kinds(events) == ["forces-merged"]
    assert members(after) == {"lantern": ["lantern-1", "wick-1", "wick-2"]}
    assert after.forces.place.tolist()[1] == GONE
    assert after.forces.flagship == ("lantern-1", "")
    assert after.forces.course == {"lantern": ({"A": 1},)}
    assert velocity_of(after, "lantern") == (2, 0, 0)


@pytest.mark.rule("B5.12", "B5.14")
def test_a_dummy_that_is_launched_looks_like_the_force_it_left() -> None:
    """The same classes and the same thrust, and no ships."""
    state = squadron(rulings={"dummies": "launched"})
    after, _ = play(organisation.run, state, orders(splits=(Split("lantern", (), is_dummy=True),)))
    decoy = after.forces.id[1]
    assert bool(after.forces.dummy[1])
    assert members(after) == {"lantern": ["lantern-1", "lantern-2", "lantern-3"]}
    assert after.forces.guise[decoy] == ("mistral", "petrel", "carrick")
    assert force_thrusts(after).tolist() == [1, 1]


@pytest.mark.rule("B5.122")
def test_a_force_takes_a_new_flagship_and_a_new_name() -> None:
    """Both by order alone."""
    after, events = play(organisation.run, squadron(), does("lantern", flagship="lantern-2", name="Candle"))
    assert kinds(events) == ["force-renamed", "flagship-named"]
    assert after.forces.name == ("Candle",)
    assert after.forces.flagship == ("lantern-2",)


@pytest.mark.rule("B5.145")
def test_a_wedge_ordered_up_is_up_at_the_end_of_the_turn_and_its_sidewalls_follow() -> None:
    """The turn in which it came up is kept for one turn."""
    state = world(force("lantern", "red", {}, wedge="down"), force("verdict", "blue", {"A": 9}))
    given = {**does("lantern", wedge="up"), **orders("blue", forces={"verdict": ForceOrder(wedge="down")})}
    after, events = play(wedge.run, state, given)
    assert after.forces.wedge.tolist() == [WEDGE_UP, WEDGE_DOWN]
    assert after.forces.raised == {"lantern": state.turn + 1}
    assert [(event.kind, event.audience) for event in events] == [
        ("wedge-raised", ("red",)),
        ("wedge-lowered", ("blue",)),
    ]
    later, nothing = play(wedge.run, after)
    assert later.forces.raised == {}
    assert later.forces.wedge.tolist() == [WEDGE_UP, WEDGE_DOWN]
    assert nothing == ()


@pytest.mark.rule("B5.145")
def test_a_wedge_that_is_up_is_not_raised_again() -> None:
    """So its sidewalls are not late."""
    after, events = play(wedge.run, world(force("lantern", "red", {})), does("lantern", wedge="up"))
    assert after.forces.raised == {}
    assert events == ()
