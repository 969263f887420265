"""Reports and rows: what the shared pages are given, in the shape of docs/rulesets.md."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from campaign.engine.clock import format_instant, instant, parse_instant
from operational.rules.full_thrust.projection import SHIP_COLUMNS, projection, roster_changes
from operational.rules.full_thrust.ruleset import RULESET
from operational.rules.full_thrust.view import view_for, view_of_umpire
from tests.operational.full_thrust.worlds import contact_on, force, play, world

REPORT = {
    "ruleset", "schema", "turn", "at", "side", "side_name", "units", "systems", "forces", "contacts", "ships", "ledger",
    "engagements", "preferences", "facts", "rulings", "classes", "sides", "dummies", "initiative",
}  # fmt: skip
CONTACT = {
    "id", "number", "label", "system", "q", "r", "z", "velocity", "knows", "pips", "facts", "seen", "age", "lost",
    "ghosts", "side", "side_name", "ally", "reach", "ships", "counters", "marker",
}  # fmt: skip


def test_a_report_has_the_shared_fields_for_a_side_and_for_the_umpire() -> None:
    """The umpire's has the truth, each row with its side."""
    state = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 9}, ("tender",)))
    report = view_for(state, "red")
    truth = view_of_umpire(state)
    assert set(report) == set(truth) == REPORT
    assert set(report["contacts"][0]) == CONTACT
    assert [each["id"] for each in report["forces"]] == ["a"]
    assert [(each["id"], each["side"]) for each in truth["forces"]] == [("a", "red"), ("b", "blue")]
    assert truth["contacts"] == []
    assert truth["side"] is None
    assert set(report["classes"]) == {"cutter"}
    assert set(truth["classes"]) == {"cutter", "frigate", "tender", "tender.dart"}


@pytest.mark.rule("scales")
def test_a_turn_is_150_minutes_of_the_calendar() -> None:
    """Nine turns and three fifths a day; the frame of the pages reckons the same instants."""
    state = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 90}, ("tender",)))
    assert view_for(state, "red")["at"] == "2214-03-01T00:00"
    for _ in range(2):
        state, _ = play(state)
    assert view_for(state, "red")["at"] == "2214-03-01T05:00"
    assert RULESET.turns_per_day == Fraction(48, 5)
    start = parse_instant(state.epoch)
    assert format_instant(instant(start, 2, RULESET.turns_per_day)) == "2214-03-01T05:00"
    assert format_instant(instant(start, 48, RULESET.turns_per_day)) == "2214-03-06T00:00"


@pytest.mark.rule("passive-results", "active-results", "sharing")
def test_a_contact_says_what_was_learnt_and_when_and_remembers_it_without_the_lock() -> None:
    """A bogey, then its layout; once the holder is gone the lock is, the knowledge stays."""
    state = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 9}, ("frigate",)))
    sheet = {"scans": [{"ship": "a-1", "contact": contact_on(state, "red", "b")}]}
    state, _ = play(state, {"red": sheet}, {"detection|a-1|scan|0": [5]})
    (seen,) = view_for(state, "red")["contacts"]
    assert (seen["knows"], seen["pips"]) == (["marker", "bogey"], 1)
    (ship,) = seen["ships"]
    assert (ship["locked"], ship["firing_solution"], ship["marker"]) == (True, True, "bogey")
    assert {fact["label"]: fact["value"] for fact in ship["facts"]} == {
        "Size class": "3, cruisers", "Velocity": "0 hexes a turn", "Course": "0", "Screens": "1",
    }  # fmt: skip
    assert "Bogey 1" in [fact["label"] for fact in seen["facts"]]
    alone = state.with_ships(replace(state.ships["a-1"], status="destroyed", force=""))
    alone, _ = play(alone.without_forces("a"))
    (seen,) = view_for(alone, "red")["contacts"]
    assert [(each["locked"], each["firing_solution"]) for each in seen["ships"]] == [(False, False)]
    assert "Bogey 1, lock lost" in [fact["label"] for fact in seen["facts"]]


def test_rows_of_the_roster_say_what_changed_of_each_ship() -> None:
    """New, changed and gone ships, and nothing of the others."""
    state = world(force("a", "red", {}, ("cutter", "tender")), force("b", "blue", {"A": 90}, ("frigate",)))
    columns = projection(state)
    assert set(columns["ships"]) == set(SHIP_COLUMNS)
    assert {len(column) for column in columns["ships"].values()} == {6}
    assert columns["ships"]["stores"][columns["ships"]["id"].index("a-2")] == {"tender.dart": 3}
    assert columns["forces"]["velocity"] == ["0", "0"]
    hurt = state.with_ships(replace(state.ships["a-1"], damage={"hull": 2}))
    assert roster_changes(state, hurt) == [
        {"ship": "a-1", "side": "red", "name": "A 1", "before": {"damage": {}}, "after": {"damage": {"hull": 2}}}
    ]
    fewer = replace(state, ships={key: ship for key, ship in state.ships.items() if key != "b-1"})
    assert [(each["ship"], each["after"]) for each in roster_changes(state, fewer)] == [("b-1", None)]
    assert [(each["ship"], each["before"]) for each in roster_changes(fewer, state)] == [("b-1", None)]
    assert roster_changes(state, state) == []
