"""The automatic commander: legal orders always, and orders that do what its doctrine says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.errors import stops
from campaign.engine.hexes import Hex, true_range
from campaign.rulebooks.saganami.bearings import WINDOWS
from operational.rules.saganami.captain import DOCTRINES, PLANNED_FORCES, captain
from operational.rules.saganami.course import Goal, plan
from operational.rules.saganami.flight import Flight
from operational.rules.saganami.reading import read_orders
from operational.rules.saganami.ruleset import RULESET
from operational.rules.saganami.state import IN_HYPERSPACE, State
from operational.rules.saganami.view import view_for
from tests.operational.saganami.detection_worlds import dice, force, world

SYSTEM = {
    "key": "alpha",
    "name": "Alpha",
    "star": "G2",
    "bodies": [
        {"id": "star", "name": "Alpha", "kind": "star", "q": 0, "r": 0},
        {"id": "harbour", "name": "Harbour", "kind": "planet", "q": 20, "r": 30},
        {"id": "outpost", "name": "Outpost", "kind": "station", "q": -60, "r": 10, "z": 4},
    ],
}


def sheets(state: State, doctrines: Mapping[str, str]) -> dict[str, Any]:
    """Return the typed orders of the sides that have a captain; every sheet must be read without a stop."""
    orders = {}
    for side, doctrine in doctrines.items():
        report = view_for(state, side)
        reading = read_orders(report, captain(report, doctrine))
        assert stops(reading.problems) == (), (doctrine, reading.problems)
        orders[side] = reading.orders
    return orders


def turn(state: State, doctrines: Mapping[str, str]) -> State:
    """Play one turn with captains."""
    orders, stream = sheets(state, doctrines), dice(state.turn + 1)
    for phase in RULESET.phases:
        state, _ = phase.run(state, orders, stream)
    return state


def play(state: State, doctrines: Mapping[str, str], turns: int) -> State:
    """Play some turns with captains."""
    for _ in range(turns):
        state = turn(state, doctrines)
    return state


def here(state: State, name: str) -> tuple[int, int, int]:
    """Return where a force is."""
    row = state.forces.index[name]
    return int(state.forces.q[row]), int(state.forces.r[row]), int(state.forces.z[row])


def speed_of(state: State, name: str) -> int:
    """Return how fast a force is."""
    row = state.forces.index[name]
    return true_range(int(state.forces.vq[row]), int(state.forces.vr[row]), int(state.forces.vz[row]))


def alpha(*forces: dict[str, Any], **setup: Any) -> State:
    """Return a world with two bodies."""
    return world(*forces, systems=[SYSTEM], **setup)


OPEN = {"detection": "open"}


def test_a_picket_stops_and_its_ships_cover_the_level_ring_in_turn() -> None:
    """Windows are searched in rotation, each once before one comes again."""
    state = alpha(force("wick", "red", {"q": 20, "r": 33}, ("mistral", "mistral"), velocity={"B": 7, "+": 2}))
    windows: list[str] = []
    for _ in range(8):
        report = view_for(state, "red")
        searches = captain(report, "picket")["search"]
        assert len({each["ship"] for each in searches}) == len(searches) == 2
        if report["turn"] % 4 != 3:
            windows += [each["window"] for each in searches]
        state = turn(state, {"red": "picket"})
    assert speed_of(state, "wick") == 0
    assert sorted(windows) == sorted(WINDOWS[:12])


def test_a_picket_looks_first_where_a_contact_is_and_helps_a_far_search_with_a_drone() -> None:
    """The nearest contact's window goes to the first ship."""
    far = {"q": 20, "r": 118}
    state = alpha(
        force("wick", "red", {"q": 20, "r": 33}, ("mistral", "mistral")), force("foe", "blue", far), rulings=OPEN
    )
    state = turn(state, {"red": "picket"})
    first, second = captain(view_for(state, "red"), "picket")["search"]
    assert first == {"ship": "wick-1", "window": "A yellow", "drones": 1}
    assert second["drones"] == 0


def test_an_interceptor_meets_a_coasting_contact() -> None:
    """The engagement opens at range 5."""
    state = alpha(
        force("lantern", "red", {"q": 10, "r": -20}),
        force("foe", "blue", {"q": 80, "r": 40, "z": 6}, velocity={"E": 3, "D": 2}),
        rulings=OPEN,
    )
    planned = plan(Flight(Hex(10, -20), Hex(0, 0)), 3, Goal(Hex(80, 40, 6), Hex(-3, -2), is_matched=False))
    assert planned is not None
    state = turn(state, {"red": "intercept"})  # nothing is known when the first sheet is written
    state = play(state, {"red": "intercept"}, planned.turns)
    assert [set(meeting.forces) for meeting in state.meetings] == [{"lantern", "foe"}]


def test_interceptors_in_large_numbers_steer_by_bearings_and_meet_too() -> None:
    """A course is planned for a few forces only."""
    pack = [force(f"hound{number}", "red", {"q": 10 + number, "r": -20}) for number in range(PLANNED_FORCES + 1)]
    state = alpha(*pack, force("foe", "blue", {"q": 80, "r": 40}, velocity={"E": 3}), rulings=OPEN)
    state = play(state, {"red": "intercept"}, 25)
    assert len(state.meetings) == 1


def test_an_interceptor_without_a_contact_holds_station() -> None:
    """It brakes like a picket."""
    state = play(alpha(force("lantern", "red", {}, velocity={"A": 9})), {"red": "intercept"}, 5)
    assert speed_of(state, "lantern") == 0


def test_a_convoy_goes_to_the_nearest_body_and_stays() -> None:
    """It comes to rest there."""
    state = alpha(force("train", "red", {"q": 40, "r": 80, "z": -5}, ("packhorse", "mistral"), velocity={"C": 5}))
    state = play(state, {"red": "convoy"}, 40)
    assert true_range(*(a - b for a, b in zip(here(state, "train"), (20, 30, 0), strict=True))) <= 3
    assert speed_of(state, "train") == 0


def test_a_convoy_runs_from_a_contact_that_comes_near() -> None:
    """The doctrine changes to running when a contact will soon be within its danger range."""
    state = alpha(
        force("train", "red", {"q": 20, "r": 30}), force("foe", "blue", {"q": 20, "r": 60}, velocity={}), rulings=OPEN
    )
    state = turn(state, {"red": "convoy"})
    assert speed_of(state, "train") == 0  # nothing was known when the first sheet was written
    state = play(state, {"red": "convoy"}, 30)
    assert int(state.forces.place[state.forces.index["train"]]) == IN_HYPERSPACE


def test_a_convoy_keeps_out_of_a_system_while_a_foe_lies_at_its_body() -> None:
    """On the map it turns for the limit, however far the foe; in hyperspace it stays there."""
    foe = force("foe", "blue", {"q": 20, "r": 35})
    far = alpha(force("train", "red", {"q": 20, "r": 120}), foe, rulings=OPEN)
    far = play(far, {"red": "convoy"}, 25)
    assert int(far.forces.place[0]) == IN_HYPERSPACE
    later = play(far, {"red": "convoy"}, 3)
    assert int(later.forces.place[0]) == IN_HYPERSPACE
    free = play(alpha(force("train", "red", {}, place="hyperspace")), {"red": "convoy"}, 1)
    assert int(free.forces.place[0]) != IN_HYPERSPACE


def test_a_raider_passes_the_body_and_leaves_across_the_limit() -> None:
    """It comes within range 5 of the body's hex on its way, and translates out."""
    state = alpha(force("fox", "red", {"q": 40, "r": 150}))
    nearest = 999
    for _ in range(60):
        state = turn(state, {"red": "raid"})
        if int(state.forces.place[0]) == IN_HYPERSPACE:
            break
        start = [int(state.forces.q[0] - state.forces.mq[0]), int(state.forces.r[0] - state.forces.mr[0])]
        for part in range(21):
            q = start[0] + int(state.forces.mq[0]) * part / 20 - 20
            r = start[1] + int(state.forces.mr[0]) * part / 20 - 30
            nearest = min(nearest, max(abs(q), abs(r), abs(q + r)))
    assert nearest <= 5
    assert int(state.forces.place[0]) == IN_HYPERSPACE


@pytest.mark.rule("B5.161")
def test_a_runner_reaches_the_limit_slowly_enough_and_is_gone() -> None:
    """At 45 hexes a turn or less, even if it starts faster."""
    state = alpha(force("hare", "red", {"q": 60, "r": 20}, velocity={"B": 60}))
    state = play(state, {"red": "run"}, 40)
    assert int(state.forces.place[0]) == IN_HYPERSPACE


def test_a_runner_avoids_the_exit_that_a_contact_bars() -> None:
    """The shortest way out is straight up in A; a contact stands there."""
    free = alpha(force("hare", "red", {"A": 60}), rulings=OPEN)
    barred = alpha(force("hare", "red", {"A": 60}), force("foe", "blue", {"A": 150}), rulings=OPEN)
    first = play(free, {"red": "run"}, 6)
    second = play(barred, {"red": "run"}, 6)
    assert int(first.forces.vq[0]) == 0
    assert int(second.forces.vq[0]) != 0


def test_forces_in_hyperspace_come_out_unless_they_run() -> None:
    """Just outside the limit, on the side of the first body."""
    state = alpha(force("lantern", "red", {}, place="hyperspace"))
    assert captain(view_for(state, "red"), "run")["forces"] == {"lantern": {}}
    state = turn(state, {"red": "raid"})
    assert true_range(*here(state, "lantern")) >= state.systems[0].hyper_limit


@pytest.mark.rule("C6.16")
def test_captains_repair_what_their_parties_can() -> None:
    """A box of ECM, and never the frame."""
    state = alpha(force("lantern", "red", {}, damage={"ecm": 1, "structural_integrity": 2}))
    (order,) = captain(view_for(state, "red"), "picket")["repair"]
    assert order == {"ship": "lantern-1", "track": "ecm", "boxes": 1, "parties": 1}


def test_a_wedge_that_is_down_is_raised_before_anything_else() -> None:
    """No thrust in that turn."""
    state = alpha(force("lantern", "red", {}, wedge="down", velocity={"A": 4}))
    order = captain(view_for(state, "red"), "picket")["forces"]["lantern"]
    assert order == {"thrust": {}, "wedge": "up"}


def test_a_captain_does_not_chase_allies_dummies_or_what_is_lost() -> None:
    """Only contacts that may be foes are met."""
    sides = [{"key": "red", "name": "Reds", "allies": ["blue"]}, {"key": "blue", "name": "Blues"}]
    friends = alpha(force("lantern", "red", {}), force("friend", "blue", {"A": 60}), sides=sides, rulings=OPEN)
    state = play(friends, {"red": "intercept"}, 3)
    assert len(view_for(state, "red")["contacts"]) == 1
    assert speed_of(state, "lantern") == 0
    dummy = alpha(force("lantern", "red", {}), force("ghost", "blue", {"A": 60}, dummy=True), rulings=OPEN)
    assert speed_of(play(dummy, {"red": "intercept"}, 3), "lantern") == 0


SHIPS = st.sampled_from([("mistral",), ("packhorse", "mistral"), ("gannet",), ("sample", "gannet"), ("breakwater",)])
VECTORS = st.sampled_from([{}, {"A": 9}, {"B": 40, "+": 3}, {"D": 110}, {"E": 70, "F": 50}, {"-": 60}])
FORCE = st.fixed_dictionaries(
    {
        "at": st.fixed_dictionaries(
            {"q": st.integers(-200, 200), "r": st.integers(-200, 200), "z": st.integers(-30, 30)}
        ),
        "classes": SHIPS,
        "velocity": VECTORS,
        "wedge": st.sampled_from(["up", "up", "down"]),
        "place": st.sampled_from(["map", "map", "map", "hyperspace"]),
        "dummy": st.sampled_from([False, False, True]),
        "damage": st.sampled_from([{}, {"ecm": 1}, {"max_thrust": 4}, {"hyper_generator": 1}]),
        "grades": st.sampled_from([{}, {"engineer": "elite"}, {"engineer": "poor"}]),
    }
)


def drawn_force(number: int, side: str, drawn: dict[str, Any]) -> dict[str, Any]:
    """Return a force as it was drawn; damage only where every ship's class has the track."""
    fields = dict(drawn)
    at, classes = fields.pop("at"), fields.pop("classes")
    if set(classes) - {"mistral", "packhorse", "sample"}:
        fields["damage"] = {}
    if fields["dummy"]:
        fields["place"] = "map"
    return force(f"{side}{number}", side, at, classes, **fields)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(FORCE, min_size=1, max_size=4),
    st.lists(FORCE, min_size=1, max_size=3),
    st.sampled_from(sorted(DOCTRINES)),
    st.sampled_from(sorted(DOCTRINES)),
    st.sampled_from(["open", "referee"]),
)
def test_every_order_of_a_captain_is_legal(
    red: list[Any], blue: list[Any], doctrine: str, other: str, detection: str
) -> None:
    """Whatever the side has, wherever it is, through some turns."""
    forces = [drawn_force(number, "red", drawn) for number, drawn in enumerate(red)]
    forces += [drawn_force(number, "blue", drawn) for number, drawn in enumerate(blue)]
    state = alpha(*forces, rulings={"detection": detection})
    play(state, {"red": doctrine, "blue": other}, 5)


def test_a_captain_knows_its_report_only_and_rolls_no_dice() -> None:
    """The same document, read from its bytes, gives the same sheet."""
    state = alpha(force("lantern", "red", {}, ("mistral", "sample")), force("foe", "blue", {"A": 60}), rulings=OPEN)
    report = view_for(turn(state, {"red": "picket"}), "red")
    for doctrine in DOCTRINES:
        sheet = captain(report, doctrine)
        assert captain(json.loads(json.dumps(report)), doctrine) == sheet
        assert json.loads(json.dumps(sheet)) == sheet
