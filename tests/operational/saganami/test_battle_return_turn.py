"""The hand-off through whole turns of the engine: met, handed over, fought, taken back, met again (B5.12, B5.121)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campaign.engine.handoff import blank_report
from campaign.engine.turn import Answer, resolve
from operational.rules.saganami.documents import dump_state
from operational.rules.saganami.ruleset import RULESET
from operational.rules.saganami.state import State
from tests.operational.saganami.meeting_worlds import SEEDS, force, mark_of, world

pytestmark = pytest.mark.rule("B5.12", "B5.121", "D2.13")


def play(state: dict[str, Any], number: int, **envelope: Any) -> Answer:
    """Resolve one turn without sheets."""
    return resolve(
        RULESET,
        {
            "campaign": "campaign",
            "branch": "branch",
            "turn": number,
            "sides": ["red", "blue", "green"],
            "state": json.loads(json.dumps(state)),
            "sheets": {},
            "seeds": SEEDS,
            **envelope,
        },
    )


def start() -> State:
    """Return red and blue on opposite courses, green far away."""
    return world(
        force("lantern", "red", {"A": 60}, {"D": 20}, ships={"damage": {"hull": 1}, "stores": {"pods": 4}}),
        force("verdict", "blue", {}, {"A": 20}),
        force("far", "green", {"B": 100}),
        rulings={"battle-clock": "apart"},
    )


def test_a_battle_goes_out_in_one_turn_and_comes_back_in_the_next() -> None:
    first = play(dump_state(start()), 1)
    assert first.engagements == ()
    second = play(first.state, 2)
    (document,) = second.engagements
    assert second.state["meetings"][0]["document"] == document
    settled = RULESET.set_engagement(document, [])
    report = blank_report(settled)
    report["tactical_turns"] = 3
    mark = mark_of(document, "lantern-1")
    report["ships"][mark].update(boxes={"hull": 6}, pods_used=1, stores={"pods": 3, "recon_drones": 0})
    report["ships"][mark_of(document, "verdict-1")]["fate"] = "destroyed"
    assert RULESET.check_report(settled, report) == ()
    third = play(second.state, 3, reports=[{"engagement": settled, "report": report}])
    ships = third.state["roster"]["ships"]
    assert ships["status"] == ["active", "destroyed", "active"]
    assert ships["damage"] == {"lantern-1": {"hull": 6}} and ships["stores"] == {"lantern-1": {"pods": 3}}
    forces = third.state["map"]["forces"]
    # Met at 33 in A (60 less 20, less 7.5 of the second turn), fought for three turns at 60, then flew a turn more.
    assert (forces["q"][0], forces["r"][0], forces["vr"][0]) == (0, 33 - 18 - 20, -20)
    assert third.engagements == ()
    again = play(second.state, 3, reports=[{"engagement": settled, "report": report}] * 2)
    assert again.state == third.state


def test_a_report_that_cannot_be_used_does_not_stop_the_turn() -> None:
    second = play(play(dump_state(start()), 1).state, 2)
    (document,) = second.engagements
    report = {**blank_report(document), "ships": {}}
    third = play(second.state, 3, reports=[{"engagement": document, "report": report}])
    (refused,) = [event for event in third.events if event.kind == "battle-report-refused"]
    assert refused.audience == () and refused.phase == "battle-reports"
    assert third.state["map"]["forces"]["engaged"][0] == document["id"]


def test_no_report_of_a_side_and_no_event_for_it_holds_the_others_secrets() -> None:
    second = play(play(dump_state(start()), 1).state, 2)
    for side, secret in (("red", "verdict"), ("blue", "lantern"), ("green", "engagement")):
        events = [event.as_document() for event in second.events if side in event.audience]
        assert secret not in json.dumps(events).lower()
    for side, secret in (("red", "verdict"), ("blue", "lantern")):
        assert secret not in json.dumps(second.reports[side]).lower()
    assert second.reports["green"]["engagements"] == []


def test_the_same_envelope_gives_the_same_engagement() -> None:
    first = play(dump_state(start()), 1).state
    assert play(first, 2).engagements == play(first, 2).engagements
