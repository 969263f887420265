"""Sheets with everything wrong in them: each thing refused with code, place and rule (A3.12, A3.13)."""

from __future__ import annotations

from typing import Any

import pytest

from tactical.rules.saganami.plot_reading import read_plots
from tactical.rules.saganami.plots import FacingPlot, LaunchPlot, MovementPlot
from tests.tactical.saganami.battles import battle, codes, play, ship, to_launch


def problems_of(state: Any, side: str, ships: Any) -> list[tuple[str, str, str]]:
    """Return the place, code and rule of every problem of a sheet."""
    found = read_plots(state, side, {"ships": ships}).problems
    return [(problem.place, problem.code, problem.rule) for problem in found]


def two(**fields: Any) -> Any:
    """Return two light cruisers ten hexes apart, broadside on."""
    return battle(ship("r1", nose="C yellow"), ship("g1", "adze", (0, 10, 0), "C yellow"), **fields)


@pytest.mark.rule("B2.22", "B2.24", "B3.22", "B3.2541", "A3.12")
def test_a_movement_sheet_is_told_all_its_problems_at_once() -> None:
    """A plot over the ratings, an unknown window and a strange field are refused, each in its place."""
    found = problems_of(
        two(),
        "red",
        {
            "r1": {
                "pivot": ["Q yellow"],
                "roll": 99,
                "thrust": {"thrust": 1, "cell": [1], "split": {"A": 1}},
                "hover": True,
                "red_line": "yes",
            },
            "g1": {},
            "r7": {},
        },
    )
    assert found == [
        ("/ships/g1", "not-your-plot", "A3.12"),
        ("/ships/r1/hover", "unknown-field", ""),
        ("/ships/r1/pivot/0", "unknown-window", "B2.123"),
        ("/ships/r1/red_line", "not-true-or-false", ""),
        ("/ships/r1/roll", "out-of-range", "B2.25"),
        ("/ships/r1/thrust/cell", "not-a-cell", "B3.24"),
        ("/ships/r7", "unknown-field", ""),
    ]


@pytest.mark.rule("B2.22", "B3.22", "B3.242", "B3.2541", "B3.231")
def test_plots_over_the_ratings_are_refused() -> None:
    """B2.22, B3.22: a roll and a thrust beyond the tracks; B3.2541: no corner from the green ring."""
    state = two()
    assert problems_of(state, "red", {"r1": {"roll": 7}}) == [("/ships/r1/roll", "roll-over-rating", "B2.22")]
    thrust = {"thrust": 4, "cell": [4, 0], "split": {"C": 4}}
    assert problems_of(state, "red", {"r1": {"thrust": thrust}}) == [
        ("/ships/r1/thrust/thrust", "thrust-over-rating", "B3.22")
    ]
    assert problems_of(state, "red", {"r1": {"thrust": thrust, "red_line": True}}) == []
    steep = battle(ship("r1", nose="A green+"), ship("g1", "adze", (0, 10, 0)))
    corner = {"thrust": 3, "cell": [2, 3], "split": {"B": 1, "C": 1}}
    assert problems_of(steep, "red", {"r1": {"thrust": corner}})[0][1:] == ("corner-in-green", "B3.2541")


@pytest.mark.rule("B5.123")
def test_no_plot_takes_a_ship_over_the_speed_limit_frame_and_all() -> None:
    """B5.123: 360 hexes a turn with the map's own velocity."""
    fast = battle(ship("r1", vectors={"A": 100}), ship("g1", "adze", (0, 10, 0)), frame={"A": 260})
    ahead = {"thrust": 3, "cell": [3, 0], "split": {"A": 3}}
    assert problems_of(fast, "red", {"r1": {"thrust": ahead}}) == [("/ships/r1/thrust", "too-fast", "B5.123")]
    slower = battle(ship("r1", vectors={"A": 97}), ship("g1", "adze", (0, 10, 0)), frame={"A": 260})
    assert problems_of(slower, "red", {"r1": {"thrust": ahead}}) == []


@pytest.mark.rule("C7.11")
def test_two_ships_that_would_end_in_one_hex_are_warned_of_and_lacs_are_not() -> None:
    """C7.11: the stacking limit leaves LAC squadrons out; the house rule lifts it."""

    def crossing(second: str, **rulings: str) -> Any:
        return battle(
            ship("r1", vectors={"A": 1}),
            ship("r2", second, (0, 2, 0), vectors={"D": 1}),
            ship("g1", "adze", (0, 30, 0)),
            rulings=rulings,
        )

    assert problems_of(crossing("petrel"), "red", {}) == [("/ships/r2", "stacked", "C7.11")]
    assert problems_of(crossing("gannet"), "red", {}) == []
    assert problems_of(crossing("petrel", stacking="any"), "red", {}) == []


@pytest.mark.rule("C2.13", "C2.121", "C1.225", "A2.634", "C4.15", "C4.153", "C5.444", "C8.31", "C6.15", "C8.23")
def test_a_launch_sheet_is_told_all_its_problems_at_once() -> None:
    """A launch out of arc, without ammunition, at a friend; canister beyond fire control; pods without any."""
    state = battle(
        ship("r1", nose="C yellow", lost={"starboard.mag": 22}, canister={"port": 9}),
        ship("r2", "petrel", (30, 0, 0), nose="C yellow"),
        ship("g1", "adze", (0, 10, 0), "C yellow"),
    )
    state = to_launch(state)
    found = problems_of(
        state,
        "red",
        {
            "r1": {
                "launches": [
                    {"mount": "starboard", "target": "g1", "stages": ["late"]},
                    {"mount": "port", "target": "r2", "stages": ["late"]},
                    {"mount": "port", "target": "g1", "stages": ["early", "late"], "held": {"late": 4}},
                    {"mount": "dorsal", "target": "g9", "stages": ["sometime"]},
                    {"mount": "port", "target": "g1", "stages": ["late"], "lead": "r2"},
                ],
                "pods": [{"mount": "port", "target": "g1", "stage": "late", "pods": 2}],
                "repairs": [{"track": "hull"}, {"track": "tea_urn"}],
                "deploy": 2,
                "translate": False,
            }
        },
    )
    assert ("/ships/r1/launches/0/stages", "no-ammunition", "A2.634") in found
    assert ("/ships/r1/launches/0/stages/late", "out-of-arc", "C1.225") in found
    assert ("/ships/r1/launches/1/target", "own-target", "C2.1") in found
    assert ("/ships/r1/launches/2/stages/early", "no-such-salvo", "C2.121") in found
    assert ("/ships/r1/launches/2/held/late", "beyond-fire-control", "C4.153") in found
    assert ("/ships/r1/launches/3/mount", "no-launcher", "C2.13") in found
    assert ("/ships/r1/launches/3/stages", "unknown-stage", "C2.122") in found
    assert ("/ships/r1/launches/3/target", "unknown-target", "C2.1") in found
    assert ("/ships/r1/launches/4/lead/r1", "not-adjacent", "C2.172") in found
    assert ("/ships/r1/pods/0/pods", "no-pods-left", "C8.23") in found
    assert ("/ships/r1/repairs/0/track", "not-in-combat", "C6.15") in found
    assert ("/ships/r1/repairs/1/track", "unknown-track", "C6.12") in found
    assert ("/ships/r1/deploy", "too-many-deployed", "C8.23") in found


@pytest.mark.rule("A3.12")
def test_a_bad_part_is_left_out_and_the_rest_of_the_sheet_stands() -> None:
    """A launch that is wrong falls away alone; a movement plot that is wrong falls away as a whole."""
    state = to_launch(battle(ship("r1", nose="C yellow"), ship("g1", "adze", (0, 10, 0), "C yellow")))
    reading = read_plots(
        state,
        "red",
        {"ships": {"r1": {"launches": [{"mount": "port", "target": "g1", "stages": ["late"]},
                                       {"mount": "forward", "target": "g1", "stages": ["late"]}]}}},
    )  # fmt: skip
    plot = reading.orders["r1"]
    assert isinstance(plot, LaunchPlot)
    assert [launch.mount for launch in plot.launches] == ["port"]
    assert [problem.code for problem in reading.problems] == ["out-of-arc"]
    assert read_plots(two(), "red", {"ships": {"r1": {"roll": 99}}}).orders == {}


def test_a_sheet_that_is_no_sheet_is_a_problem_and_not_an_error() -> None:
    """Whatever is sent, reading never raises."""
    for nonsense in (None, [], "x", 3, {"ships": []}, {"ships": {"r1": None}}, {"ships": {"r1": {"thrust": 1}}}):
        reading = read_plots(two(), "red", nonsense)
        assert all(isinstance(plot, MovementPlot) for plot in reading.orders.values())
        assert reading.problems or nonsense == {"ships": []} or nonsense is None


@pytest.mark.rule("B5.12", "C8.21")
def test_facings_are_chosen_before_the_first_turn_and_pods_taken_in_tow() -> None:
    """B5.12: facing is the commander's; C8.21: no pods that would bring the thrust into the circles."""
    stated = ship("r1", "scoria", pods=4)
    del stated["facing"]
    state = battle(stated, ship("g1", "adze", (0, 30, 0)))
    assert state.stage == "facing"
    wrong = read_plots(state, "red", {"ships": {"r1": {"forward": "A/B green+", "roll": 1, "tow": 9}}})
    assert [(problem.place, problem.code) for problem in wrong.problems] == [
        ("/ships/r1", "unknown-window"),
        ("/ships/r1/tow", "out-of-range"),
    ] or [problem.code for problem in wrong.problems] == ["unknown-window", "out-of-range"]
    after, played = play(state, {"r1": {"forward": "B/C blue-", "roll": 2, "tow": 1}})
    assert codes(played) == []
    attitude = after.ship("r1").attitude
    assert attitude is not None
    assert (str(attitude.forward), attitude.roll) == ("B/C blue-", 2)
    assert (after.ship("r1").pods_towed, after.ship("r1").pods_aboard) == (1, 3)
    assert isinstance(read_plots(state, "red", {"ships": {"r1": {"forward": "A yellow"}}}).orders["r1"], FacingPlot)


@pytest.mark.rule("B5.145")
def test_without_a_wedge_nothing_thrusts() -> None:
    """B5.145: a ship whose wedge is down has no thrust to plot."""
    state = battle(ship("r1", wedge="down"), ship("g1", "adze", (0, 30, 0)))
    thrust = {"thrust": 1, "cell": [1, 0], "split": {"A": 1}}
    assert problems_of(state, "red", {"r1": {"thrust": thrust}}) == [("/ships/r1/thrust", "wedge-is-down", "B5.145")]
