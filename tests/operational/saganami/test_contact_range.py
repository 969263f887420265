"""Contact at range 5: who meets, when in the turn, and what becomes of the rest (B5.12, D2.13)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.hexes import Hex, true_range
from campaign.engine.vectors import from_axial
from operational.rules.saganami import clock, contact_range, engagement, movement
from operational.rules.saganami.battle_return import release
from operational.rules.saganami.contact_range import REACH, Paths, sweep
from operational.rules.saganami.state import GONE, Contact, State
from tests.operational.saganami.meeting_worlds import (
    dice_of,
    force,
    mark_of,
    opened,
    place_of,
    turn,
    velocity_of,
    world,
)

pytestmark = pytest.mark.rule("B5.12", "D2.13")


def axial(at: tuple[int, int, int]) -> dict[str, int]:
    """Return a hex as a set-up writes it."""
    return dict(zip("qrz", at, strict=True))


# Who meets -------------------------------------------------------------------------------------


def test_opposing_forces_at_range_5_at_the_end_of_a_turn_meet() -> None:
    """B5.12: at 5 operational hexes the scale changes."""
    state, log = turn(world(force("lantern", "red", {"A": 16}), force("verdict", "blue", {}, {"A": 11})))
    engaged = opened(state)
    assert engaged.range == 5
    assert (engaged.step, engaged.steps) == (1, 1)
    assert place_of(state, "verdict") == (0, 11, 0)
    assert set(state.forces.engaged) == {engaged.id}
    assert [event.audience for event in log if event.kind == "engagement-opened"] == [(), ("blue",), ("red",)]


def test_range_6_is_no_contact() -> None:
    state, log = turn(world(force("lantern", "red", {"A": 16}), force("verdict", "blue", {}, {"A": 10})))
    assert state.meetings == () and log == ()


def test_the_range_that_counts_is_the_true_range() -> None:
    """Three out and five up is range 5; four out and five up is range 6."""
    near, _ = turn(world(force("lantern", "red", {"A": 3, "+": 5}), force("verdict", "blue", {})))
    far, _ = turn(world(force("lantern", "red", {"A": 4, "+": 5}), force("verdict", "blue", {})))
    assert opened(near).range == 5
    assert far.meetings == ()


def test_paths_that_cross_within_a_turn_meet_and_both_forces_stop_there() -> None:
    """40 hexes apart and closing at 120: after 35 of 120 steps they are 5 apart."""
    start = world(force("lantern", "red", {"A": 40}, {"D": 60}), force("verdict", "blue", {}, {"A": 60}))
    state, _ = turn(start)
    engaged = opened(state)
    assert Fraction(engaged.step, engaged.steps) == Fraction(35, 120)
    assert place_of(state, "lantern") == (0, 23, 0)  # 40 - 17.5, to the nearest hex
    assert place_of(state, "verdict") == (0, 18, 0)
    assert velocity_of(state, "lantern") == (0, -60, 0)
    forces = {each.force: each for _, each in engaged.forces()}
    assert forces["lantern"].place.hex == (0, 225, 0)
    assert forces["verdict"].place.hex == (0, 175, 0)
    step = Hex(0, int(state.forces.mr[state.forces.index["lantern"]]))
    assert step == Hex(0, -17)


def test_forces_that_graze_between_two_steps_meet() -> None:
    """The closest approach counts where no whole step of one hex falls within reach."""
    missed_by_steps = world(
        force("lantern", "red", axial((0, 0, 0)), from_axial(7, 3, 0)),
        force("verdict", "blue", axial((9, -3, 5)), from_axial(0, 0, -1)),
    )
    state, _ = turn(missed_by_steps)
    paths = Paths(movement.run(missed_by_steps, {}, dice_of(missed_by_steps))[0])
    assert bool(state.meetings) == _brute_force_meets(paths, 0, 1, 4096)


def test_everybody_else_flies_on() -> None:
    state, _ = turn(
        world(
            force("lantern", "red", {"A": 40}, {"D": 60}),
            force("verdict", "blue", {}, {"A": 60}),
            force("far", "blue", {"B": 100}, {"B": 60}),
        )
    )
    assert place_of(state, "far") == (160, 0, 0)
    assert opened(state).numbers == {"blue": 1, "red": 1}


def test_allies_friends_and_other_systems_never_meet() -> None:
    allied = [{"key": "red", "name": "Reds", "allies": ["blue"]}, {"key": "blue", "name": "Blues"}]
    assert turn(world(force("a", "red", {}), force("b", "blue", {}), sides=allied))[0].meetings == ()
    assert turn(world(force("a", "red", {}), force("b", "red", {})))[0].meetings == ()
    assert turn(world(force("a", "red", {}), force("b", "blue", {}, system="beta")))[0].meetings == ()


def test_forces_in_hyperspace_and_forces_that_are_gone_never_meet() -> None:
    hidden = world(force("a", "red", {}), force("b", "blue", {}, place="hyperspace"))
    assert turn(hidden)[0].meetings == ()
    both = world(force("a", "red", {}), force("b", "blue", {}))
    gone = replace(both, forces=replace(both.forces, place=np.array([0, GONE])))
    assert turn(gone)[0].meetings == ()


def test_a_force_that_lost_its_last_ship_meets_nobody() -> None:
    state = world(force("a", "red", {}), force("b", "blue", {}))
    state = replace(state, ships=replace(state.ships, status=("active", "destroyed")))
    assert turn(state)[0].meetings == ()


# Several at once -------------------------------------------------------------------------------


def test_three_sides_that_meet_at_once_are_in_one_engagement() -> None:
    state, _ = turn(
        world(
            force("a", "red", {"A": 20}, {"D": 18}),
            force("b", "blue", {"C": 20}, {"F": 18}),
            force("c", "green", {"E": 20}, {"B": 18}),
        )
    )
    engaged = opened(state)
    assert sorted(engaged.sides) == ["blue", "green", "red"]
    assert len(state.meetings) == 1
    assert {state.books[side].engagement_numbers[engaged.id] for side in state.books} == {1}


def test_forces_stop_at_their_first_contact_and_never_reach_the_second() -> None:
    """B stands before C on the way of A: A never gets to C."""
    state, _ = turn(
        world(
            force("a", "red", {}, {"A": 100}),
            force("b", "blue", {"A": 30}),
            force("c", "blue", {"A": 60}),
        )
    )
    assert state.meetings[0].forces == ("a", "b")
    assert place_of(state, "a") == (0, 25, 0)
    assert state.forces.engaged[2] == ""


def test_who_comes_later_in_the_turn_to_where_two_stopped_joins_their_engagement() -> None:
    """C's path never comes near A's as flown to its end, only near where A stopped."""
    state, _ = turn(
        world(
            force("a", "red", {}, {"A": 100}),
            force("b", "blue", {"A": 30}),
            force("c", "green", {"A": 30, "B": 60}, {"E": 60}),
        )
    )
    assert state.meetings[0].forces == ("a", "b", "c")
    assert opened(state).issue == 1
    assert place_of(state, "c") == (5, 30, 0)


def test_two_meetings_far_apart_are_two_engagements_with_numbers_of_each_side() -> None:
    state, _ = turn(
        world(
            force("a", "red", {}),
            force("b", "blue", {"A": 3}),
            force("c", "red", {"A": 90}),
            force("d", "green", {"A": 93}),
        )
    )
    first, second = state.meetings
    assert (first.forces, second.forces) == (("a", "b"), ("c", "d"))
    numbers = {side: list(book.engagement_numbers.values()) for side, book in state.books.items()}
    assert numbers == {"red": [1, 2], "blue": [1], "green": [1]}


def test_a_force_that_reaches_a_battle_joins_it_and_the_engagement_is_issued_anew() -> None:
    """B5.111: four operational turns are twelve tactical turns and a bit."""
    state, _ = turn(
        world(
            force("a", "red", {}),
            force("b", "blue", {"A": 5}),
            force("c", "blue", {"D": 62}, {"A": 12}),
        )
    )
    before = opened(state)
    for _ in range(3):
        state, log = turn(state)
        assert engagement.open_engagements(state) == ()
    state, log = turn(state)
    after = opened(state)
    assert (after.id, after.issue, after.turn, after.issued) == (before.id, 2, 1, 5)
    assert after.digest != before.digest
    joined = next(each for _, each in after.forces() if each.force == "c")
    assert (joined.issue, joined.turn, joined.arrives) == (2, 5, 12)
    assert joined.nearest == next(each.id for _, each in after.forces() if each.force == "a")
    assert joined.step is not None and joined.step.hex == (0, -50, 0)
    assert mark_of(before.as_document(), "a-1") == mark_of(after.as_document(), "a-1")
    assert [event.audience for event in log if event.kind == "engagement-reinforced"] == [(), ("blue",), ("red",)]
    assert len(state.meetings) == 1


def test_two_that_are_in_battle_already_do_not_meet_again() -> None:
    state, _ = turn(world(force("a", "red", {}), force("b", "blue", {"A": 5})))
    again, log = turn(state)
    assert again.meetings == state.meetings and log == ()


# Dummies ---------------------------------------------------------------------------------------


def test_a_dummy_that_is_reached_is_seen_through_and_gone_and_nobody_stops_for_it() -> None:
    state = world(force("a", "red", {}, {"A": 60}), force("ghost", "blue", {"A": 30}, dummy=True))
    known = Contact("t", 4, "ghost", 0, 0, 30, 0, 0, {}, {"presence": 0})
    state = replace(state, books={**state.books, "red": replace(state.books["red"], contacts=(known,))})
    state, log = turn(state)
    assert state.meetings == ()
    assert place_of(state, "a") == (0, 60, 0)
    assert int(state.forces.place[1]) == GONE
    assert [(event.kind, event.audience) for event in log] == [
        ("dummy-unmasked", ("blue",)),
        ("dummy-found", ("red",)),
    ]
    assert "Contact 4" in log[1].text and "ghost" not in str(log[1].as_document())
    contact = state.books["red"].contacts[0]
    assert contact.facts["dummy"] is True and contact.lost


def test_two_dummies_fly_through_each_other() -> None:
    state, log = turn(world(force("a", "red", {}, dummy=True), force("b", "blue", {"A": 2}, dummy=True)))
    assert log == () and state.forces.place.tolist() == [0, 0]


# What each side is told ------------------------------------------------------------------------


def test_a_side_is_told_of_others_only_by_its_own_contacts() -> None:
    state = world(force("lantern", "red", {}), force("verdict", "blue", {"A": 5}))
    known = Contact("tok", 7, "verdict", 0, 0, 5, 0, 0, {}, {"presence": 0})
    state = replace(state, books={**state.books, "red": replace(state.books["red"], contacts=(known,))})
    _, log = turn(state)
    told = {event.audience: event for event in log}
    assert "Lantern and contact 7" in told["red",].text
    assert "a force not seen before" in told["blue",].text
    for side, secret in (("red", "verdict"), ("blue", "lantern")):
        assert secret not in str(told[side,].as_document()).lower()


def test_a_third_side_hears_nothing() -> None:
    _, log = turn(world(force("a", "red", {}), force("b", "blue", {"A": 5}), force("c", "green", {"A": 100})))
    assert log and not any("green" in event.audience for event in log)


# Parting ---------------------------------------------------------------------------------------


def _after_battle(**velocities: dict[str, int]) -> State:
    state = world(
        force("a", "red", {}, velocities["a"]),
        force("b", "blue", {"A": 4}, velocities["b"]),
    )
    met, _ = turn(world(force("a", "red", {}), force("b", "blue", {"A": 4})))
    return replace(state, meetings=(replace(met.meetings[0], id="old", closed=True),))


def test_two_that_come_out_of_a_battle_flying_apart_are_let_go() -> None:
    state, _ = turn(_after_battle(a={"D": 3}, b={"A": 3}))
    assert len(state.meetings) == 1
    assert place_of(state, "a") == (0, -3, 0)


def test_two_that_come_out_of_a_battle_and_do_not_part_meet_again() -> None:
    state, _ = turn(_after_battle(a={"A": 3}, b={"A": 3}))
    assert [each.closed for each in state.meetings] == [True, False]


def test_two_whose_engagement_was_called_off_meet_again_only_after_they_were_out_of_reach() -> None:
    state, _ = turn(world(force("a", "red", {}), force("b", "blue", {"A": 4}, {"A": 4})))
    state, _ = release(state, state.meetings[0].id)
    state, _ = turn(state)
    assert len(state.meetings) == 1
    assert place_of(state, "b") == (0, 8, 0)
    forces = replace(state.forces, vr=np.array([0, -3]))
    state, _ = turn(replace(state, forces=forces))
    assert [each.closed for each in state.meetings] == [True, False]


# Nothing is missed -----------------------------------------------------------------------------


def _brute_force_meets(paths: Paths, one: int, other: int, steps: int) -> bool:
    """Return whether two paths come within reach at any of many fine steps, in whole numbers."""
    (a, to_a), (b, to_b) = paths.from_to(one), paths.from_to(other)
    for step in range(steps + 1):
        gap = [
            (steps - step) * (left - right) + step * (left_end - right_end)
            for left, right, left_end, right_end in zip(a, b, to_a, to_b, strict=True)
        ]
        plane = max(abs(gap[0]), abs(gap[1]), abs(gap[0] + gap[1]))
        if plane * plane + gap[2] * gap[2] < ((REACH + 1) * steps) ** 2:
            return True
    return False


COORDINATE = st.integers(-70, 70)
STEP = st.tuples(st.integers(-120, 120), st.integers(-120, 120), st.integers(-40, 40)).filter(
    lambda step: true_range(*step) <= 120
)
FLYER = st.tuples(
    st.tuples(COORDINATE, COORDINATE, st.integers(-15, 15)), STEP, st.sampled_from(["red", "blue", "green"])
)


def _flying(flyers: list[Any], engaged: int = 0) -> State:
    """Return a world of flyers; the first ``engaged`` are in one battle already."""
    state = world(
        *(force(f"f{number}", side, axial(at), from_axial(*step)) for number, (at, step, side) in enumerate(flyers))
    )
    if engaged:
        met, _ = turn(world(*(force(f"f{n}", side, {}) for n, side in enumerate(["red", "blue"][:engaged]))))
        state = replace(
            state,
            meetings=met.meetings,
            books=met.books,
            forces=replace(
                state.forces,
                engaged=tuple(met.meetings[0].id if n < engaged else "" for n in range(len(flyers))),
            ),
        )
    return state


@settings(max_examples=60, deadline=None)
@given(FLYER, FLYER)
def test_no_pair_that_passes_within_range_5_is_missed(one: Any, other: Any) -> None:
    """Against a path in a thousand steps, at speeds up to 120."""
    state, _, _ = _moved(_flying([one, other]))
    paths = Paths(state)
    if one[2] != other[2] and _brute_force_meets(paths, 0, 1, 1000):
        assert sweep(paths).encounters


def _moved(state: State) -> tuple[State, State, Any]:
    dice = dice_of(state)
    moved, _ = movement.run(state, {}, dice)
    after, _ = contact_range.run(moved, {}, dice)
    return moved, after, dice


@settings(max_examples=40, deadline=None)
@given(st.lists(FLYER, min_size=3, max_size=6), st.sampled_from([0, 2]))
def test_of_many_forces_nobody_flies_past_another_within_range_5(flyers: list[Any], engaged: int) -> None:
    """Each force is followed, in fine steps, to where it stopped; with two of them in battle already, too.

    At no moment are two opposing forces that both still fly within reach, and at the end of the turn
    nobody stands within reach of an opponent but in one engagement with it.
    """
    if engaged:
        flyers = [(at, step, side) for (at, step, _), side in zip(flyers, ("red", "blue"), strict=False)] + flyers[2:]
    moved, after, _ = _moved(_flying(flyers, engaged))
    paths = Paths(moved)
    found = sweep(paths)
    until = {row: found.stopped[row][0] if row in found.stopped else Fraction(1) for row in range(len(flyers))}
    fine = 240
    for one in range(len(flyers)):
        for other in range(one + 1, len(flyers)):
            if flyers[one][2] == flyers[other][2] or max(one, other) < engaged:
                continue
            both_fly = min(until[one], until[other])
            (a, to_a), (b, to_b) = paths.from_to(one), paths.from_to(other)
            for step in range(fine):
                time = Fraction(step, fine)
                if time >= both_fly:
                    break
                gap = [
                    (left - right) + time * ((left_end - left) - (right_end - right))
                    for left, right, left_end, right_end in zip(a, b, to_a, to_b, strict=True)
                ]
                plane = max(abs(gap[0]), abs(gap[1]), abs(gap[0] + gap[1]))
                assert plane * plane + gap[2] * gap[2] >= (REACH + 1) ** 2
            gap_now = Hex(*place_of(after, f"f{one}")).less(Hex(*place_of(after, f"f{other}")))
            free = {after.forces.engaged[one], after.forces.engaged[other]}
            if true_range(*gap_now) <= REACH:
                assert "" not in free, "a free force stands beside an opponent"


@settings(max_examples=40, deadline=None)
@given(st.lists(FLYER, min_size=2, max_size=6))
def test_a_force_stops_only_where_an_opponent_is_within_reach(flyers: list[Any]) -> None:
    moved, _, _ = _moved(_flying(flyers))
    paths = Paths(moved)
    found = sweep(paths)
    for each in found.encounters:
        assert each.range <= REACH
        assert flyers[each.one][2] != flyers[each.other][2]
    assert [each.time for each in found.encounters] == sorted(each.time for each in found.encounters)
    assert all(before <= after for before, after in pairwise(each.time for each in found.encounters))
    assert set(found.stopped) == {row for each in found.encounters for row in (each.one, each.other)}
    for row in found.stopped:
        first = next(each for each in found.encounters if row in (each.one, each.other))
        gap = found.stopped[first.one][1].less(found.stopped[first.other][1])
        assert true_range(*gap) <= REACH


@settings(max_examples=60, deadline=None)
@given(st.lists(FLYER, min_size=3, max_size=6))
def test_nobody_flies_past_a_force_that_has_stopped(flyers: list[Any]) -> None:
    """From the moment it stopped, its hex counts; followed in fine steps."""
    moved, _, _ = _moved(_flying(flyers))
    paths = Paths(moved)
    found = sweep(paths)
    for row, (since, place) in found.stopped.items():
        for other in range(len(flyers)):
            if flyers[other][2] == flyers[row][2] or other in found.stopped:
                continue
            start, end = paths.from_to(other)
            for step in range(301):
                time = Fraction(step, 300)
                if time < since:
                    continue
                gap = [at + time * (to - at) - by for at, to, by in zip(start, end, place, strict=True)]
                plane = max(abs(gap[0]), abs(gap[1]), abs(gap[0] + gap[1]))
                assert plane * plane + gap[2] * gap[2] >= (REACH + 1) ** 2


def test_the_same_turn_gives_the_same_engagement() -> None:
    state = world(force("a", "red", {}), force("b", "blue", {"A": 5}))
    assert turn(state)[0].meetings == turn(state)[0].meetings


def test_marks_and_ids_come_from_the_umpires_stream() -> None:
    state = world(force("a", "red", {}), force("b", "blue", {"A": 5}))
    dice = dice_of(state)
    moved, _ = movement.run(state, {}, dice)
    contact_range.run(moved, {}, dice)
    assert {roll.stream for roll in dice.rolls()} == {"umpire"}
    other = turn(clock.run(state, {}, dice)[0])[0]
    assert opened(other).id != opened(turn(state)[0]).id


def test_ten_thousand_forces_are_looked_at_at_once() -> None:
    """Whoever meets is found among thousands without a look at every pair."""
    base = world(force("a", "red", {}), force("b", "blue", {"A": 5}))
    count = 10_000
    grid = np.arange(count)
    forces = replace(
        base.forces,
        id=tuple(f"f{number}" for number in range(count)),
        side=tuple(("red", "blue")[number % 2] for number in range(count)),
        name=tuple(f"F{number}" for number in range(count)),
        flagship=("",) * count,
        engaged=("",) * count,
        dummy=np.zeros(count, dtype=np.bool_),
        **{name: np.zeros(count, dtype=np.int64) for name in ("system", "place", "z", "vq", "vr", "vz", "mq", "mz")},
        **{name: np.zeros(count, dtype=np.int64) for name in ("dq", "dr", "dz", "wedge")},
        q=20 * (grid % 100),
        r=20 * (grid // 100),
        mr=np.full(count, 9),
    )
    ship = base.ships
    ships = replace(
        ship,
        id=tuple(f"s{number}" for number in range(count)),
        side=forces.side,
        name=forces.name,
        ship_class=(ship.ship_class[0],) * count,
        force=forces.id,
        status=("active",) * count,
        grades=(ship.grades[0],) * count,
        cost=np.full(count, 64),
        drones=np.full(count, 3),
    )
    state = replace(base, forces=forces, ships=ships)
    moved = replace(state, forces=replace(forces, q=np.where(grid == 5001, 20 * (5000 % 100) + 3, forces.q)))
    found = sweep(Paths(moved))
    assert [(each.one, each.other) for each in found.encounters] == [(5000, 5001)]
