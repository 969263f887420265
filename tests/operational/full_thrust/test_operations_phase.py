"""The operations phase: craft launched and recovered, task forces split and merged, dummies split off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from operational.rules.full_thrust.view import view_for
from tests.operational.full_thrust.worlds import contact_on, force, of_kind, play, play_phase, world

FAR = force("z", "blue", {"A": 90}, ("frigate",))


@pytest.mark.rule("operations-phase")
def test_craft_leave_as_a_task_force_of_their_own_and_come_back_in_the_same_hex() -> None:
    """Fighters start with their ship's vector, move by their own thrust, and are taken aboard again."""
    state = world(force("a", "red", {}, ("tender",), velocity={"A": 1}), FAR)
    assert [craft.id for craft in state.aboard["a-1"]] == ["a-1.1", "a-1.2", "a-1.3"]
    launch = {"launch": [{"ship": "a-1", "craft": ["a-1.1", "a-1.2"], "name": "Strike", "thrust": {"B": 8}}]}
    out, events = play(state, {"red": launch})
    strike = next(each for each in out.forces.values() if each.name == "Strike")
    assert (strike.q, strike.r, strike.used, strike.marker) == (8, 1, 8, "E")
    assert len(of_kind(events, "craft-launched", "red")) == 1
    assert [craft.id for craft in out.aboard["a-1"]] == ["a-1.3"]
    here = out.with_forces(replace(strike, q=0, r=1, vq=0, vr=1))
    back, _ = play_phase("operations", here, {"red": {"recover": [{"ship": "a-1", "craft": ["a-1.1", "a-1.2"]}]}})
    assert strike.id not in back.forces
    assert len(back.aboard["a-1"]) == 3


@pytest.mark.rule("merge-split")
def test_a_split_starts_with_the_vector_of_the_whole_and_a_merge_needs_the_same() -> None:
    """The other side sees a marker more, and one less again, but not which ships are in it."""
    state = world(force("a", "red", {}, ("cutter", "frigate"), velocity={"C": 2}), FAR)
    split = {"split": [{"force": "a", "ships": ["a-2"], "name": "Tail"}]}
    state, events = play(state, {"red": split})
    tail = next(each for each in state.forces.values() if each.name == "Tail")
    assert (tail.vq, tail.vr) == (state.forces["a"].vq, state.forces["a"].vr) == (2, -2)
    assert [ship.id for ship in state.members[tail.id]] == ["a-2"]
    assert len(view_for(state, "blue")["contacts"]) == 2
    assert of_kind(events, "force-split", "blue") == []
    state, _ = play(state, {"red": {"merge": [{"into": "a", "forces": [tail.id]}]}})
    assert [ship.id for ship in state.members["a"]] == ["a-1", "a-2"]
    assert len(view_for(state, "blue")["contacts"]) == 1


@pytest.mark.rule("dummy-taskforces")
def test_dummies_are_split_off_up_to_the_number_rolled_and_look_like_any_marker() -> None:
    """They manoeuvre with the thrust of what they left; one that was found out can be made again."""
    state = world(force("a", "red", {}, ("frigate",)), FAR,
                  sides=[{"key": "red", "name": "Red"}, {"key": "blue", "name": "Blue"}])  # fmt: skip
    sheet = {"split": [{"force": "a", "dummy": True, "name": name, "thrust": {"E": 4}} for name in ("One", "Two")]}
    state, events = play(state, {"red": sheet}, {"initiative|red|dummies|0": [1]})
    dummies = [each for each in state.forces.values() if each.dummy]
    assert [(each.name, each.q, each.shown_thrust) for each in dummies] == [("One", -4, 4)]
    assert [event.data for event in of_kind(events, "operation-dropped", "red")] == [{}]
    seen = view_for(state, "blue")["contacts"]
    assert len(seen) == 2
    shapes = [{key: type(value) for key, value in each.items()} for each in seen]
    assert shapes[0] == {**shapes[1], "marker": shapes[0]["marker"]}
    assert [each["knows"] for each in seen] == [["marker"], ["marker"]]


@pytest.mark.rule("sharing")
def test_a_locked_ship_is_tracked_into_the_marker_it_goes_to() -> None:
    """And an unknown one is not: nothing tells which of two markers the rest is in."""
    state = world(force("a", "red", {}, ("cutter", "frigate")), force("b", "blue", {"D": 6}, ("cutter",)),
                  rulings={"contact-distance": "2"})  # fmt: skip
    contact = contact_on(state, "blue", "a")
    sheets = {
        "blue": {"scans": [{"ship": "b-1", "contact": contact}]},
        "red": {"split": [{"force": "a", "ships": ["a-1"], "name": "Head"}]},
    }
    state, _ = play(state, sheets, {"detection|b-1|scan|0": [5]})
    head = next(each for each in state.forces.values() if each.name == "Head")
    (known,) = state.books["blue"].detected
    assert known.ship == "a-1"
    assert known.contact == state.books["blue"].contact_of[head.id].id != contact
