"""The initiative and detection phases: who is chosen when, who is scanned, what is learnt, and what is not told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from operational.rules.full_thrust.state import State
from operational.rules.full_thrust.view import view_for
from tests.operational.full_thrust.worlds import contact_on, force, of_kind, play, play_phase, world


def near(**fields: object) -> State:
    """Return a red cutter two hexes from a blue frigate and tender."""
    return world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 2}, ("frigate", "tender")), **fields)


def scan(state: State, force_id: str = "b", **fields: object) -> dict[str, object]:
    """Return a red sheet on which the cutter scans."""
    return {"scans": [{"ship": "a-1", "contact": contact_on(state, "red", force_id), **fields}]}


@pytest.mark.rule("initiative")
def test_the_higher_die_has_the_initiative_and_ties_roll_again() -> None:
    """Both sides see every round of it."""
    state, events = play(near(), typed={"initiative|red|initiative|0": [4, 2], "initiative|blue|initiative|0": [4, 5]})
    (event,) = of_kind(events, "initiative-rolled")
    assert event.audience == ("red", "blue")
    assert event.data == {"winner": "blue", "rounds": [{"red": 4, "blue": 4}, {"red": 2, "blue": 5}]}
    assert state.initiative == "blue"


@pytest.mark.rule("dummy-taskforces")
def test_dummies_are_rolled_for_in_the_first_turn_where_the_set_up_does_not_say() -> None:
    """A d6 a side, told to that side alone, and never again."""
    state = near(sides=[{"key": "red", "name": "Red"}, {"key": "blue", "name": "Blue", "dummies": 2}])
    state, events = play(state, typed={"initiative|red|dummies|0": [4]})
    assert [(event.audience, event.data["dummies"]) for event in of_kind(events, "dummies-rolled")] == [(("red",), 4)]
    assert (state.books["red"].dummies, state.books["blue"].dummies) == (4, 2)
    assert of_kind(play(state)[1], "dummies-rolled") == []


@pytest.mark.rule("detection-phase", "initiative")
def test_task_forces_detect_by_turns_and_the_loser_of_the_initiative_begins() -> None:
    """In each side's order of preference; who has more left goes on alone."""
    state = world(
        force("a", "red", {}, ("cutter",)),
        force("c", "red", {}, ("cutter",)),
        force("b", "blue", {"A": 2}, ("cutter",)),
    )
    sheets = {
        "red": {
            "scans": [{"ship": f"{each}-1", "contact": contact_on(state, "red", "b")} for each in "ac"],
        },
        "blue": {"scans": [{"ship": "b-1", "contact": contact_on(state, "blue", "a")}]},
    }
    for winner, order in (("blue", ["c-1", "b-1", "a-1"]), ("red", ["b-1", "c-1", "a-1"])):
        book = replace(state.books["red"], preferences={"detection_order": ["c", "a"]})
        _, events = play_phase("detection", state.with_book(book), sheets, initiative=winner)
        assert [event.data["ship"] for event in of_kind(events, "scan-rolled")] == order


@pytest.mark.rule("passive-results", "sharing", "operational-sensor-table")
def test_a_hit_makes_a_bogey_that_the_whole_fleet_knows() -> None:
    """Three dice at two hexes; a 5 is a 3 under the area ECM, one hit: size class, vector and screens."""
    state = near()
    state, events = play_phase("detection", state, {"red": scan(state)}, {"detection|a-1|scan|0": [5, 1, 2]})
    (known,) = state.books["red"].detected
    assert known.ship == "b-2"  # the tender, without ECM, is easier than the frigate
    assert known.facts == {"size-class": 4, "velocity": 0, "course": [0, 0], "screens": 0}
    assert known.holders == ("a-1",)
    (event,) = of_kind(events, "ship-detected")
    assert event.audience == ("red",)
    (entry,) = state.books["red"].ledger
    assert entry["outcome"] == "found"
    assert state.books["blue"].detected == () == state.books["blue"].ledger


@pytest.mark.rule("active-results", "active-counters")
def test_active_sensors_put_a_counter_with_the_force_that_the_other_side_sees() -> None:
    """One hit tells mass and class; the note of which ship it was is the owner's."""
    state = near()
    sheet = {**scan(state, mode="active"), "forces": {"a": {"active": ["a-1"]}}}
    typed = {"detection|a-1|scan|0": [6, 1, 1, 1]}
    state, _ = play(state, {"red": sheet}, typed)
    (known,) = state.books["red"].detected
    assert {"mass", "class"} <= set(known.facts)
    assert state.forces["a"].active == ("a-1",)
    (seen,) = view_for(state, "blue")["contacts"]
    assert seen["counters"] == 1
    assert "a-1" not in str(seen)


@pytest.mark.rule("easiest-ship")
def test_the_owner_gives_up_the_ship_it_prefers_of_those_that_are_equally_easy() -> None:
    """A poorer ECM goes first whatever the preference says."""
    state = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 2}, ("cutter", "cutter", "frigate")))
    for wanted, given in ((["b-3", "b-2"], "b-2"), ([], "b-1")):
        book = replace(state.books["blue"], preferences={"easiest_ship": wanted})
        after, _ = play_phase(
            "detection", state.with_book(book), {"red": scan(state)}, {"detection|a-1|scan|0": [5, 1, 1]}
        )
        assert [each.ship for each in after.books["red"].detected] == [given]


@pytest.mark.rule("failed-scan-stops", "fire-control-limit")
def test_a_ship_scans_once_for_each_fire_control_and_stops_at_its_first_failure() -> None:
    """Two fire controls, two scans; after a failure the second is not made."""
    state = near()
    both, _ = play_phase("detection", state, {"red": scan(state, scans=2)}, {"detection|a-1|scan|0": [5, 5, 5]})
    assert len(both.books["red"].ledger) == 2
    first, events = play_phase("detection", state, {"red": scan(state, scans=2)}, {"detection|a-1|scan|0": [1, 2, 2]})
    assert [entry["outcome"] for entry in first.books["red"].ledger] == ["nothing-found"]
    assert len(of_kind(events, "scan-rolled")) == 1
    hurt = state.with_ships(replace(state.ships["a-1"], damage={"fire_control": 1}))
    lost, _ = play_phase("detection", hurt, {"red": scan(state)}, {"detection|a-1|scan|0": [5, 5, 5]})
    assert len(lost.books["red"].ledger) == 1


@pytest.mark.rule("false-contacts", "dummy-taskforces")
def test_only_a_success_tells_that_there_never_were_any_ships() -> None:
    """A dummy fails like any ship, and is gone once it is found out; its owner is told."""
    state = world(force("a", "red", {}, ("cutter",)), force("d", "blue", {"A": 2}))
    sheet = {"red": scan(state, "d")}
    failed, events = play_phase("detection", state, sheet, {"detection|a-1|scan|0": [1, 2, 2]})
    assert [entry["text"] for entry in failed.books["red"].ledger] == [
        "A 1 scans contact 1 with passive sensors: nothing."
    ]
    assert of_kind(events, "dummy-unmasked") == []
    found, events = play_phase("detection", state, sheet, {"detection|a-1|scan|0": [3, 1, 1]})
    assert "d" not in found.forces
    assert found.books["red"].contacts == ()
    assert [event.audience for event in of_kind(events, "dummy-unmasked")] == [("red",)]
    assert [event.audience for event in of_kind(events, "dummy-lost")] == [("blue",)]


@pytest.mark.rule("false-contacts", "ecm-packages")
def test_a_force_of_which_every_ship_is_detected_says_so_only_on_a_success_as_without_ecm() -> None:
    """Its own ECM does not count then, area ECM does: a 4 is a 2 and fails, a 5 is a 3 and tells."""
    state = near()
    typed = {"detection|a-1|scan|0": [6, 1, 1, 2], "detection|a-1|scan|1": [6, 1, 1, 5]}
    both, _ = play_phase("detection", state, {"red": scan(state, scans=2)}, typed)
    assert len(both.books["red"].detected) == 2
    for dice, told in (([4, 4, 4], {}), ([5, 1, 1], {"all-detected": 1})):
        after, events = play_phase("detection", both, {"red": scan(both)}, {"detection|a-1|scan|0": dice})
        (contact,) = after.books["red"].contacts
        assert contact.told == told
        assert "against none ECM, -2" in of_kind(events, "scan-rolled")[0].text


@pytest.mark.rule("false-contacts", "detection-phase")
def test_what_finds_nothing_reads_the_same_against_a_dummy_and_against_ecm() -> None:
    """No dice stand in the ledger: a face that fails would tell that there is ECM."""
    real = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 2}, ("frigate",)))
    dummy = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 2}))
    ledgers = []
    for state, dice in ((real, [3, 3, 3]), (dummy, [2, 2, 2])):
        after, _ = play_phase("detection", state, {"red": scan(state)}, {"detection|a-1|scan|0": dice})
        ledgers.append([{**entry, "contact": ""} for entry in after.books["red"].ledger])
    assert ledgers[0] == ledgers[1]


@pytest.mark.rule("die-modifiers")
def test_passive_sensors_gain_from_active_ones_and_from_a_burn_away() -> None:
    """The counter of the turn before lies there until its force is chosen again; the burn is of the vector option."""
    state = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 2}, ("frigate",)))
    lit = state.with_forces(replace(state.forces["b"], active=("b-1",)))
    _, events = play_phase("detection", lit, {"red": scan(state)}, initiative="blue")
    assert of_kind(events, "scan-rolled")[0].data["bonus"] == 1
    _, events = play_phase("detection", lit, {"red": scan(state)}, initiative="red")
    assert of_kind(events, "scan-rolled")[0].data["bonus"] == 0  # blue was chosen first and declared nothing
    burning = state.with_forces(replace(state.forces["b"], marker="D"))
    _, events = play_phase("detection", burning, {"red": scan(state)})
    assert of_kind(events, "scan-rolled")[0].data["bonus"] == 0
    vectors = replace(burning, rulings={"vector-movement": "on"})
    after, events = play_phase("detection", vectors, {"red": scan(state)}, {"detection|a-1|scan|0": [2, 1, 1]})
    assert of_kind(events, "scan-rolled")[0].data["bonus"] == 2
    assert after.books["red"].detected[0].facts["facing"] == "A"


@pytest.mark.rule("detection-phase")
def test_a_named_ship_is_looked_at_again_only_by_the_house_rule() -> None:
    """Then a second scan adds to what is known."""
    state = world(
        force("a", "red", {}, ("cutter",)),
        force("b", "blue", {"A": 2}, ("cutter",)),
        rulings={"second-look": "allowed"},
    )
    state, _ = play_phase("detection", state, {"red": scan(state)}, {"detection|a-1|scan|0": [4, 1, 1]})
    (known,) = state.books["red"].detected
    again = scan(state, bogey=known.id)
    state, _ = play_phase("detection", state, {"red": again}, {"detection|a-1|scan|0": [5, 4, 1]})
    (known,) = state.books["red"].detected
    assert known.facts["mass"] == 30
    assert known.number == 1


@pytest.mark.rule("cloaking")
def test_who_cloaks_is_lost_from_all_locks_and_loses_its_own() -> None:
    """And cannot be scanned until it decloaks: a force of cloaked ships reads as one with nothing to find."""
    state = world(force("a", "red", {}, ("frigate",)), force("b", "blue", {"A": 2}, ("frigate",)))
    sheets = {
        side: {"scans": [{"ship": f"{own}-1", "contact": contact_on(state, side, other)}]}
        for side, own, other in (("red", "a", "b"), ("blue", "b", "a"))
    }
    typed = {"detection|a-1|scan|0": [5], "detection|b-1|scan|0": [5]}
    state, _ = play_phase("detection", state, sheets, typed)
    assert [each.is_locked for side in ("red", "blue") for each in state.books[side].detected] == [True, True]
    state, _ = play_phase("operations", state, {"red": {"cloaking": {"cloak": ["a-1"]}}})
    assert [each.is_locked for side in ("red", "blue") for each in state.books[side].detected] == [False, False]
    after, _ = play_phase("detection", state, {"blue": sheets["blue"]}, {"detection|b-1|scan|0": [5]})
    assert after.books["blue"].ledger[0]["outcome"] == "all-detected"
    assert after.books["red"].ledger == ()
    state, _ = play_phase("operations", state, {"red": {"cloaking": {"decloak": ["a-1"]}}})
    state, _ = play_phase("detection", state, sheets, {"detection|b-1|scan|0": [5]})
    assert state.books["blue"].detected[0].is_locked
