"""The turn sequence in play: markers, movement, who plots when, what is secret (A3)."""

from __future__ import annotations

import pytest

from campaign.engine.hexes import Hex
from tactical.rules.saganami.documents import dump_state, load_state
from tactical.rules.saganami.plot_reading import plotters
from tactical.rules.saganami.sequence import PHASES, STEPS, dice_of, sides_to_plot, step
from tactical.rules.saganami.view import load_view, view_for, view_of
from tests.tactical.saganami.battles import battle, kinds, play, ship, to_launch, turn


@pytest.mark.rule("A2.312", "A3.0", "A3.1", "A3.13", "A3.2", "A3.23", "A3.25", "A3.3", "A3.34")
def test_the_turn_sequence_is_the_rulebooks() -> None:
    """A2.312, A3: plotting, launch, damage and movement, record keeping, in this order."""
    assert [each.name for each in STEPS] == ["facing", "movement", "lacs", "launch"]
    assert [phase.name for phase in PHASES] == [
        "facings",
        "plots",
        "compensators",
        "lac-plots",
        "missile-launch",
        "early-impact",
        "move-to-midpoint",
        "middle-impact",
        "first-beams",
        "move-to-end",
        "late-impact",
        "second-beams",
        "vectors",
        "damage-control",
        "other-actions",
        "life-support",
        "departures",
        "arrivals",
        "end-of-turn",
    ]


@pytest.mark.rule("A3.0", "A3.23", "A3.25")
def test_each_phase_played_alone_comes_to_the_same_as_the_step() -> None:
    """A phase is a pure function: one after the other they make the step, and leave their input as it was."""
    state = to_launch(battle(ship("r1", nose="C yellow"), ship("g1", "adze", (0, 2, 0), "F yellow")))
    before = dump_state(state)
    dice = dice_of("test", 1, "launch", {"umpire": b"k" * 32})
    whole, events = step(state, {}, dice)
    single, log = state, []
    dice = dice_of("test", 1, "launch", {"umpire": b"k" * 32})
    for phase in STEPS[3].phases:
        single, told = phase.run(single, {}, dice)
        log += told
    assert dump_state(state) == before
    assert [event.text for event in log] == [event.text for event in events]
    assert len(kinds(events, "beams-fired")) > 1
    single.stage = whole.stage
    assert dump_state(single) == dump_state(whole)


@pytest.mark.rule("A3.11", "A3.22", "A3.24", "A3.31", "A3.32", "A3.123", "B3.26", "B3.27")
def test_thrust_without_a_pivot_displaces_the_marker_and_counts_from_the_next_turn() -> None:
    """B3.27: 3A of thrust shift the end by 1A and carry a half; the vector is 5A in the next turn."""
    state = battle(ship("r1", vectors={"A": 2}), ship("g1", "adze", (0, 40, 0)))
    ahead = {"thrust": {"thrust": 3, "cell": [3, 0], "split": {"A": 3}}}
    state, events = turn(state, {"r1": ahead})
    marker = next(event for event in kinds(events, "markers-placed") if event.data["ship"] == "r1")
    assert (marker.data["midpoint"], marker.data["end"]) == ([0, 1, 0], [0, 3, 0])
    red = state.ship("r1")
    assert (red.place, red.vectors, red.carry) == (Hex(0, 3, 0), {"A": 5}, ("A",))
    state, _ = turn(state, {"r1": ahead})
    assert state.ship("r1").place == Hex(0, 3 + 5 + 2, 0)


@pytest.mark.rule("A3.22", "A3.24", "B2.241", "B3.21", "B2.24")
def test_a_pivot_is_half_done_at_the_midpoint_where_thrust_accrues() -> None:
    """B2.241: a four-window pivot from A thrusts in B, and ends in C; no displacement."""
    state = battle(ship("r1"), ship("g1", "adze", (0, 40, 0)))
    plot = {
        "pivot": ["A/B yellow", "B yellow", "B/C yellow", "C yellow"],
        "thrust": {"thrust": 3, "cell": [3, 0], "split": {"B": 3}},
    }
    state, _ = turn(state, {"r1": plot})
    red = state.ship("r1")
    assert (red.place, red.vectors) == (Hex(0, 0, 0), {"B": 3})
    assert red.attitude is not None
    assert str(red.attitude.forward) == "C yellow"


@pytest.mark.rule("C7.12", "C7.121", "C7.122")
def test_lacs_plot_after_the_ships_have_shown_their_thrust() -> None:
    """C7.12: squadrons wait for the displaced markers; they turn anywhere, and displace only without a second pivot."""
    state = battle(ship("r1", "nettle"), ship("g1", "adze", (0, 30, 0)))
    assert [each.id for each in plotters(state)] == ["g1"]
    assert sides_to_plot(state) == ("green",)
    state, _ = play(state, {"g1": {"thrust": {"thrust": 3, "cell": [3, 0], "split": {"A": 3}}}})
    assert state.stage == "lacs"
    seen = view_of(state, "red").enemies[0]
    assert seen.has_plotted
    assert seen.course.end == Hex(0, 31, 0)
    side_on = {"forward": "D yellow", "roll": 0}
    burn = {"thrust": 4, "cell": [4, 0], "split": {"D": 4}}
    steady, _ = play(state, {"r1": {"halfway": side_on, "thrust": burn}})
    assert steady.ship("r1").move.course.end == Hex(0, -2, 0)
    turning, _ = play(state, {"r1": {"halfway": side_on, "end": {"forward": "A yellow"}, "thrust": burn}})
    assert turning.ship("r1").move.course.end == Hex(0, 0, 0)
    after, _ = play(turning)
    assert after.ship("r1").vectors == {"D": 4}
    assert str(after.ship("r1").attitude.forward) == "A yellow"


@pytest.mark.rule("C7.12")
def test_by_the_timesaving_ruling_lacs_plot_with_the_ships() -> None:
    """C7.12: movement plotting can be combined."""
    state = battle(ship("r1", "nettle"), ship("g1", "adze", (0, 30, 0)), rulings={"lac-plots": "with"})
    assert [each.id for each in plotters(state)] == ["g1", "r1"]
    state, _ = play(state)
    assert state.stage == "launch"


@pytest.mark.rule("C7.11", "C7.13")
def test_two_ships_that_end_their_turn_in_one_hex_part() -> None:
    """C7.11: one ship in a hex and level at the end of the turn; squadrons share, and by the house rule all do."""
    crossing = (ship("r1", vectors={"A": 1}), ship("r2", "petrel", (0, 2, 0), vectors={"D": 1}))
    state, events = turn(battle(*crossing, ship("g1", "adze", (0, 40, 0))))
    assert state.ship("r1").place == Hex(0, 1, 0)
    assert state.ship("r2").place != Hex(0, 1, 0)
    assert [event.data["ship"] for event in kinds(events, "gave-way")] == ["r2"]
    state, _ = turn(battle(*crossing, ship("g1", "adze", (0, 40, 0)), rulings={"stacking": "any"}))
    assert state.ship("r2").place == Hex(0, 1, 0)
    crossing = (ship("r1", vectors={"A": 1}), ship("r2", "gannet", (0, 2, 0), vectors={"D": 1}))
    state, _ = turn(battle(*crossing, ship("g1", "adze", (0, 40, 0))))
    assert state.ship("r2").place == Hex(0, 1, 0)


@pytest.mark.rule("A3.12", "C2.11")
def test_what_a_side_sees_of_the_others_tells_nothing_of_plots_and_damage() -> None:
    """A3.12, C2.11: displaced markers are seen at launch; pivots, rolls, vectors to come, damage and stores are not."""
    roll = {"g1": {"roll": 3, "thrust": {"thrust": 2, "cell": [2, 0], "split": {"A": 2}}}}
    plain = battle(ship("r1"), ship("g1", "adze", (0, 30, 0)))
    hurt = battle(ship("r1"), ship("g1", "adze", (0, 30, 0), lost={"ecm": 2, "port.M": 3}, grades={"crew": "elite"}))
    assert view_for(plain, "red") == view_for(hurt, "red")
    at_launch = to_launch(plain, roll)
    rolled_other_way = to_launch(plain, {"g1": {**roll["g1"], "roll": -2}})
    assert view_for(at_launch, "red") == view_for(rolled_other_way, "red")
    seen = view_for(at_launch, "red")["others"][0]
    assert seen["end"] == [0, 31, 0]
    assert seen["attitude"] == {"forward": "A yellow", "roll": 0}
    assert "gone" not in seen
    assert view_for(at_launch, "green") != view_for(rolled_other_way, "green")


def test_a_view_and_a_state_survive_their_documents() -> None:
    """load_view(view_for) and load_state(dump_state) are the same again, also in the middle of a turn."""
    state = to_launch(battle(ship("r1", "scoria", pods=2), ship("g1", "nettle", (0, 30, 0))), {"r1": {"roll": 2}})
    again = load_state(dump_state(state))
    assert dump_state(again) == dump_state(state)
    assert again == state
    for side in state.sides:
        assert load_view(view_for(state, side)) == view_of(state, side)
