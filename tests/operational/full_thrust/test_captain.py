"""The map captain: legal sheets from a side's own report, by doctrine, and better than lying still."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.hexes import distance_in_plane
from operational.rules.full_thrust.captain import DOCTRINES, captain
from operational.rules.full_thrust.documents import load_state
from operational.rules.full_thrust.reading import read_orders
from operational.rules.full_thrust.ruleset import RULESET
from operational.rules.full_thrust.state import State
from operational.rules.full_thrust.view import view_for
from tests.operational.full_thrust.worlds import force, resolved, world


def far_apart(**fields: Any) -> State:
    """Return a red squadron with a dummy, and blue sixty hexes off."""
    return world(
        force("a", "red", {"D": 10}, ("cutter", "frigate")), force("d", "red", {"D": 8, "B": 6}),
        force("b", "blue", {"A": 50}, ("frigate", "tender")), force("e", "blue", {"A": 48, "E": 5}), **fields,
    )  # fmt: skip


def turns(state: State, count: int, **doctrines: str) -> State:
    """Return the state after so many turns of captains on both sides, each sheet without a stopping problem."""
    for _ in range(count):
        sheets = {side: captain(view_for(state, side), doctrines[side]) for side in state.books}
        answer = resolved(state, sheets)
        assert not [one for each in answer.problems.values() for one in each if one["severity"] == "stop"]
        state = load_state(answer.state)
    return state


def gap(state: State) -> int:
    """Return the hexes between the two real forces."""
    one, other = state.forces["a"], state.forces["b"]
    return distance_in_plane(one.q - other.q, one.r - other.r)


@pytest.mark.rule("movement-phase")
@pytest.mark.parametrize("doctrine", list(DOCTRINES))
def test_every_doctrine_gives_a_sheet_without_problems_in_every_turn(doctrine: str) -> None:
    """Also with markers out of sight, and against each other."""
    for rulings in ({}, {"markers": "in-reach"}):
        state = turns(far_apart(rulings=rulings), 8, red=doctrine, blue="picket")
        report = view_for(state, "red")
        assert captain(report, doctrine) == captain(report, doctrine)
        assert not [one for one in read_orders(report, captain(report, doctrine)).problems if one.severity == "stop"]


def test_an_interceptor_comes_near_and_a_fugitive_stays_away() -> None:
    """After eight turns one is at contact distance or at the table, the other farther off than before."""
    near = turns(far_apart(), 8, red="intercept", blue="picket")
    assert near.forces["a"].engaged or gap(near) <= 10
    away = turns(far_apart(), 8, red="evade", blue="picket")
    assert gap(away) > gap(far_apart())


def test_a_shadow_keeps_its_distance() -> None:
    """Twice the contact distance, give or take what a turn brings."""
    state = turns(far_apart(), 12, red="shadow", blue="picket")
    assert not state.forces["a"].engaged
    assert 6 <= gap(state) <= 20


@pytest.mark.rule("active-counters", "fire-control-limit")
def test_who_hides_sends_out_nothing_and_who_hunts_uses_its_best_sensors() -> None:
    """One active ship for the interceptor, with a scan for each fire control; none for the fugitive."""
    state = world(force("a", "red", {}, ("frigate", "cutter")), force("b", "blue", {"A": 20}, ("frigate",)))
    hunting = captain(view_for(state, "red"), "intercept")
    assert hunting["forces"]["a"]["active"] == ["a-2"]
    assert [(scan["ship"], scan["mode"], scan.get("scans", 1)) for scan in hunting["scans"]] == [("a-2", "active", 2)]
    hiding = captain(view_for(state, "red"), "evade")
    assert "active" not in hiding["forces"]["a"]
    assert "scans" not in hiding


@pytest.mark.rule("table-phase")
def test_an_interceptor_calls_for_battle_with_what_it_has_detected() -> None:
    """Only with a contact of which a ship is locked, and only when it is near enough to count."""
    state = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 9}, ("cutter",)))
    sheet = captain(view_for(state, "red"), "intercept")
    assert "calls" not in sheet
    answer = resolved(state, {"red": {**sheet, "forces": {"a": {"active": ["a-1"]}}}, "blue": {}})
    state = load_state(answer.state)
    called = "calls" in captain(view_for(state, "red"), "intercept")
    assert called == bool(state.books["red"].detected)


def test_an_unknown_doctrine_is_played_as_an_interceptor() -> None:
    """A campaign may name a doctrine that a later edition no longer has."""
    report = view_for(far_apart(), "red")
    assert captain(report, "whatever") == captain(report, "intercept")
    assert set(RULESET.doctrines) == set(DOCTRINES)
