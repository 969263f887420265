"""Bad input on a sheet and in a set-up: every problem at once, each with its code, place and rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from operational.rules.full_thrust.order_schema import order_schema
from operational.rules.full_thrust.orders import Orders
from operational.rules.full_thrust.reading import read_orders
from operational.rules.full_thrust.setup import new_state
from operational.rules.full_thrust.ship_class import check_class
from operational.rules.full_thrust.state import State
from operational.rules.full_thrust.view import view_for
from tests.operational.full_thrust.worlds import FRIGATE, TENDER, contact_on, force, setup_of, world


@pytest.fixture
def state() -> State:
    """Return red with a cutter and a frigate, a tender and a dummy; blue twelve hexes off, and far away."""
    return world(
        force("a", "red", {}, ("cutter", "frigate")),
        force("c", "red", {}, ("tender",), velocity={"A": 1}),
        force("d", "red", {"E": 3}),
        force("b", "blue", {"A": 12}, ("frigate",)),
        force("z", "blue", {"A": 50}, ("frigate",)),
    )


def problems(state: State, sheet: Any) -> list[tuple[str, str, str]]:
    """Return place, code and rule of each problem of a red sheet."""
    found = read_orders(view_for(state, "red"), sheet).problems
    return [(one.place, one.code, one.rule) for one in found]


@pytest.mark.rule("detection-phase", "operational-sensor-table", "fire-control-limit", "active-counters")
def test_scans_are_of_enemies_in_reach_with_a_fire_control_each_and_declared_sensors(state: State) -> None:
    """A friend, a contact beyond the last band, too many scans, and active sensors that nobody declared."""
    near, far = contact_on(state, "red", "b"), contact_on(state, "red", "z")
    sheet = {
        "forces": {"a": {"active": ["a-1"]}},
        "scans": [
            {"ship": "a-1", "contact": "c"},
            {"ship": "a-1", "contact": far, "mode": "active"},
            {"ship": "a-2", "contact": near},
            {"ship": "a-2", "contact": near, "mode": "active"},
            {"ship": "a-1", "contact": near, "mode": "active", "scans": 3},
            {"ship": "b-1", "contact": near},
            {"ship": "c-1.1", "contact": near},
            {"ship": "a-1", "contact": near, "mode": "active", "bogey": "whoever"},
        ],
    }
    assert problems(state, sheet) == [
        ("/scans/0/contact", "scan-of-a-friend", "detection-phase"),
        ("/scans/1/contact", "beyond-sensor-range", "sensor-table"),
        ("/scans/2/contact", "beyond-sensor-range", "sensor-table"),
        ("/scans/3/contact", "beyond-sensor-range", "sensor-table"),
        ("/scans/3/mode", "active-not-declared", "active-counters"),
        ("/scans/4/scans", "scans-beyond-fire-controls", "fire-control-limit"),
        ("/scans/5/ship", "unknown-ship", ""),
        ("/scans/6/ship", "ship-not-on-map", "taskforces"),
        ("/scans/7/bogey", "second-look", "easiest-ship"),
    ]


@pytest.mark.rule("taskforces", "end-point-movement", "movement-phase")
def test_thrust_is_flat_and_no_more_than_the_slowest_ship_has(state: State) -> None:
    """A split counts: without its frigate the cutter may thrust with all it has."""
    sheet = {"forces": {"a": {"thrust": {"A": 5}}, "c": {"thrust": {"+": 1}}, "b": {"thrust": {"A": 1}},
                        "d": {"thrust": {"A": 4}, "chase": {"contact": contact_on(state, "red", "b")}}}}  # fmt: skip
    assert problems(state, sheet) == [
        ("/forces/a/thrust", "thrust-beyond-rating", "taskforces"),
        ("/forces/b", "unknown-force", ""),
        ("/forces/c/thrust/+", "flat-map", "end-point-movement"),
        ("/forces/d/chase", "thrust-and-chase", "end-point-movement"),
    ]
    split = {"split": [{"force": "a", "ships": ["a-2"]}], "forces": {"a": {"thrust": {"A": 6}}}}
    assert problems(state, split) == []
    wrong = {"forces": {"a": {"thrust": {"A": -1, "G": 2, "B": 1.5}}}}
    assert [(place, rule) for place, _, rule in problems(state, wrong)] == [
        ("/forces/a/thrust/A", "end-point-movement"),
        ("/forces/a/thrust/B", "end-point-movement"),
        ("/forces/a/thrust/G", "end-point-movement"),
    ]


@pytest.mark.rule("merge-split", "dummy-taskforces", "taskforces")
def test_splits_leave_ships_behind_and_merges_need_one_hex_and_one_vector(state: State) -> None:
    """A task force without ships that is not a dummy, and a merge with different vectors."""
    sheet = {
        "split": [
            {"force": "a", "ships": ["a-1", "a-2"]},
            {"force": "a", "ships": []},
            {"force": "a", "ships": ["c-1"]},
            {"force": "a", "ships": ["a-1"], "dummy": True},
        ],
        "merge": [
            {"into": "a", "forces": ["c"]},
            {"into": "a", "forces": ["d"]},
            {"into": "a", "forces": ["b", "a"]},
            {"into": "a", "forces": []},
        ],
    }
    assert problems(state, sheet) == [
        ("/merge/0/forces/0", "merge-other-vector", "merge-split"),
        ("/merge/1/forces/0", "merge-other-hex", "merge-split"),
        ("/merge/2/forces/0", "unknown-force", ""),
        ("/merge/2/forces/1", "force-twice", "merge-split"),
        ("/merge/3/forces", "merge-too-few", "merge-split"),
        ("/split/0/ships", "force-without-ships", "taskforces"),
        ("/split/1/ships", "force-without-ships", "taskforces"),
        ("/split/2/ships/0", "unknown-ship", "merge-split"),
        ("/split/3/ships", "dummy-with-ships", "dummy-taskforces"),
    ]
    few = state.with_book(replace(state.books["red"], dummies=1))
    assert problems(few, {"split": [{"force": "a", "dummy": True}]}) == [
        ("/split/0/dummy", "too-many-dummies", "dummy-taskforces")
    ]


@pytest.mark.rule("operations-phase", "cloaking", "table-phase")
def test_craft_cloaks_and_calls_are_checked(state: State) -> None:
    """Craft of another ship, cloaks that are not there, calls on what is not detected."""
    contact = contact_on(state, "red", "b")
    sheet = {
        "launch": [{"ship": "c-1", "craft": ["c-1.1", "c-1.1", "a-1"]}, {"ship": "a-1", "craft": ["c-1.2"]}],
        "recover": [{"ship": "c-1", "craft": ["c-1.3", "a-1"]}],
        "cloaking": {"cloak": ["a-1", "a-2", "a-2"], "decloak": ["a-2"]},
        "calls": [{"force": "d", "contact": contact}],
    }
    assert problems(state, sheet) == [
        ("/calls/0/contact", "not-detected", "table-phase"),
        ("/calls/0/force", "dummy-calls", "table-phase"),
        ("/cloaking/cloak/0", "no-cloak", "cloaking"),
        ("/cloaking/cloak/2", "ship-twice", "cloaking"),
        ("/cloaking/decloak/0", "ship-twice", "cloaking"),
        ("/launch/0/craft/1", "ship-twice", "operations-phase"),
        ("/launch/0/craft/2", "unknown-craft", "operations-phase"),
        ("/launch/1/craft/0", "unknown-craft", "operations-phase"),
        ("/recover/0/craft", "no-room", "operations-phase"),
        ("/recover/0/craft/0", "ship-not-on-map", "taskforces"),
        ("/recover/0/craft/1", "not-a-craft", "operations-phase"),
    ]


@pytest.mark.rule("opponent-tie", "easiest-ship", "detection-phase")
def test_orders_of_preference_name_everything_once(state: State) -> None:
    """A force twice, a stranger, a hex side twice, and what is no list."""
    sheet = {
        "preferences": {
            "detection_order": ["a", "c", "a"],
            "movement_order": ["b"],
            "easiest_ship": ["a-1", "a-1", "b-1"],
            "marker_sides": ["A", "A", "G"],
            "mood": [],
        }
    }
    assert problems(state, sheet) == [
        ("/preferences/detection_order/2", "force-twice", "detection-phase"),
        ("/preferences/easiest_ship/1", "ship-twice", "easiest-ship"),
        ("/preferences/easiest_ship/2", "unknown-ship", "easiest-ship"),
        ("/preferences/marker_sides/1", "side-twice", "opponent-tie"),
        ("/preferences/marker_sides/2", "unknown-direction", "opponent-tie"),
        ("/preferences/mood", "unknown-preference", ""),
        ("/preferences/movement_order/0", "unknown-force", "movement-phase"),
    ]
    assert problems(state, {"preferences": {"marker_sides": "A"}}) == [
        ("/preferences/marker_sides", "not-a-list", "opponent-tie")
    ]


@pytest.mark.parametrize(
    "sheet", [None, [], {"nonsense": 1}, {"forces": []}, {"scans": {}}, {"scans": [7]}, {"preferences": 1}]
)
def test_what_is_no_sheet_gives_problems_and_empty_orders(state: State, sheet: Any) -> None:
    """Reading never raises; whatever can be used of a sheet still is."""
    reading = read_orders(view_for(state, "red"), sheet)
    assert reading.problems
    assert isinstance(reading.orders, Orders)
    assert reading.orders.scans == ()


def test_one_bad_order_leaves_the_others_standing(state: State) -> None:
    """The thrust of a force is dropped, the rest of the sheet is not."""
    sheet = {
        "forces": {"a": {"thrust": {"A": 50}}, "c": {"thrust": {"B": 1}}},
        "preferences": {"detection_order": ["a", "a"], "marker_sides": ["F"]},
    }
    orders = read_orders(view_for(state, "red"), sheet).orders
    assert list(orders.forces) == ["c"]
    assert orders.preferences == {"marker_sides": ["F"]}


@pytest.mark.rule("ecm-packages", "sensors")
def test_a_class_has_grades_that_exist_and_pays_for_its_systems() -> None:
    """ECM of a grade that does not exist, too little mass and points, craft under one key."""
    assert [(one.place, one.code) for one in check_class({**FRIGATE, "ecm": "splendid"})] == [("/ecm", "literal-error")]
    heavy = {**FRIGATE, "mass": 23, "points": 19}
    assert [(one.place, one.code, one.rule) for one in check_class(heavy)] == [
        ("/mass", "mass-too-small", "ecm-packages"),
        ("/points", "points-too-few", "ecm-packages"),
    ]
    twice = {**TENDER, "craft": [*TENDER["craft"], *TENDER["craft"]]}
    assert [one.code for one in check_class(twice)] == ["used-twice"]
    assert [one.code for one in check_class({**TENDER, "armour": 4})] == ["unknown-field"]


@pytest.mark.rule("initiative", "dummy-taskforces", "taskforces", "scales")
def test_a_set_up_names_everything_that_is_wrong_with_it_at_once() -> None:
    """Sides, maps, hexes, classes, ships, damage, dummies, rulings."""
    document = setup_of(
        force("a", "red", {"q": 1, "r": 0, "z": 3}, ("frigate",)),  # type: ignore[arg-type]
        force("d", "red", {}, dummy=False),
        force("e", "blue", {"A": 2}, ("frigate",), dummy=True),
        rulings={"markers": "upside-down", "weather": "fine"},
        sides=[{"key": "red", "name": "Red", "dummies": 0}, {"key": "blue", "name": "Blue", "dummies": 0},
               {"key": "green", "name": "Green"}],
    )  # fmt: skip
    document["ships"][0]["damage"] = {"hull": 99, "wings": 1}
    document["ships"].append({"id": "a-1", "side": "pink", "name": "Again", "class": "galleon"})
    with pytest.raises(ProblemsError) as caught:
        new_state(document)
    assert [(one.place, one.code) for one in caught.value.problems] == [
        ("/forces/0/at/z", "flat-map"),
        ("/forces/0/ships/0", "unknown-ship"),
        ("/forces/1/ships", "force-without-ships"),
        ("/forces/2/ships", "dummy-with-ships"),
        ("/rulings/markers", "unknown-choice"),
        ("/rulings/weather", "unknown-ruling"),
        ("/ships/0/damage/hull", "too-many-boxes"),
        ("/ships/0/damage/wings", "unknown-track"),
        ("/ships/2/class", "unknown-class"),
        ("/ships/2/id", "used-twice"),
        ("/ships/2/side", "unknown-side"),
        ("/sides", "not-two-sides"),
        ("/sides/1/dummies", "too-many-dummies"),
    ]


def test_the_form_of_a_sheet_offers_only_what_the_reading_takes(state: State) -> None:
    """Own forces, ships that may scan, contacts in sight; a sheet filled from it has no problem."""
    schema = order_schema(view_for(state, "red"))
    sections = schema["properties"]
    assert set(sections["forces"]["properties"]) == {"a", "c", "d"}
    assert sections["scans"]["items"]["properties"]["ship"]["enum"] == ["a-1", "a-2", "c-1"]
    assert len(sections["scans"]["items"]["properties"]["contact"]["enum"]) == 2
    assert sections["calls"]["items"]["properties"]["contact"]["enum"] == []
    assert sections["launch"]["items"]["properties"]["craft"]["items"]["enum"] == ["c-1.1", "c-1.2", "c-1.3"]
    filed = {key: each["default"] for key, each in sections["preferences"]["properties"].items()}
    assert problems(state, {"preferences": filed}) == []
