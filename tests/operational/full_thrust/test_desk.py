"""The procedures of operational/full-thrust through the one door of the rules desk."""

import json
from pathlib import Path
from typing import Any

import pytest

from campaign.engine.procedure import Procedure, answer
from campaign.engine.rule_index import marks
from operational.rules.full_thrust.desk import DESK
from operational.rules.full_thrust.source import SOURCE

HEADINGS = (Path(__file__).parents[3] / "fixtures/rule_index/full-thrust-operational.txt").read_text().split()


def ask(name: str, document: Any) -> dict[str, Any]:
    """Return a procedure's answer."""
    procedure = DESK.procedure(name)
    assert procedure is not None
    return answer(procedure, document)


def codes(reply: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the place and the code of each problem."""
    return [(one["place"], one["code"]) for one in reply["error"]["problems"]]


@pytest.mark.parametrize("procedure", DESK.procedures, ids=[one.name for one in DESK.procedures])
def test_each_procedure_answers_its_example_with_the_fields_it_promises(procedure: Procedure) -> None:
    """Its rules are headings of the source, and asking twice gives the same."""
    assert procedure.example is not None
    reply = answer(procedure, procedure.example)
    assert set(reply["result"]) == set(procedure.result), reply
    assert set(procedure.rules) <= set(HEADINGS)
    assert json.dumps(reply) == json.dumps(answer(procedure, procedure.example))


@pytest.mark.parametrize("procedure", DESK.procedures, ids=[one.name for one in DESK.procedures])
def test_each_procedure_refuses_a_field_it_does_not_know(procedure: Procedure) -> None:
    """At the place of the field."""
    reply = answer(procedure, {**dict(procedure.example or {}), "colour": "red"})
    assert ("/colour", "unknown-field") in codes(reply)


def test_procedures_have_names_of_their_own() -> None:
    """A name asks one procedure."""
    names = [one.name for one in DESK.procedures]
    assert len(names) == len(set(names))


def test_marks_name_headings_of_the_source() -> None:
    """A mark with a heading that is not of the source would count for nothing."""
    marked = {mark.rule for mark in marks() if mark.source == SOURCE}
    assert marked
    assert marked <= set(HEADINGS)


@pytest.mark.parametrize(
    ("name", "document", "expected"),
    [
        (
            "sensors.operational-dice",
            {"grade": "superb", "mode": "passive", "range_hex": 1},
            ("/grade", "literal-error"),
        ),
        (
            "sensors.operational-dice",
            {"grade": "fighter", "mode": "passive", "range_hex": 1},
            ("/grade", "literal-error"),
        ),
        ("sensors.operational-dice", {"grade": "standard", "mode": "loud", "range_hex": 1}, ("/mode", "literal-error")),
        (
            "sensors.operational-dice",
            {"grade": "standard", "mode": "active", "range_hex": -1},
            ("/range_hex", "greater-than-equal"),
        ),
        ("sensors.tabletop-dice", {"grade": "none", "mode": "active", "range_mu": 3}, ("/grade", "literal-error")),
        (
            "sensors.tabletop-dice",
            {"grade": "fighter", "mode": "active", "range_mu": float("nan")},
            ("/range_mu", "finite-number"),
        ),
        (
            "sensors.tabletop-dice",
            {"grade": "fighter", "mode": "active", "range_mu": 10**400},
            ("/range_mu", "float-type"),
        ),
        ("sensors.die", {"ecm": "ultimate", "roll": 3}, ("/ecm", "literal-error")),
        ("sensors.die", {"ecm": "none", "roll": 7}, ("/roll/0", "not-a-face")),
        ("sensors.die", {"ecm": "none"}, ("/roll", "missing")),
        (
            "sensors.die",
            {"ecm": "none", "roll": 3, "area_ecm": "standard", "negative_dm": -2},
            ("/negative_dm", "area-ecm-twice"),
        ),
        ("sensors.score", {"ecm": "none", "dice": [6]}, ("/rerolls", "too-few-dice")),
        ("sensors.score", {"ecm": "none", "dice": [5], "rerolls": [1]}, ("/rerolls", "too-many-dice")),
        (
            "sensors.score",
            {"ecm": "none", "dice": [6, 1], "dice_count": 1, "rerolls": []},
            ("/rerolls", "too-few-dice"),
        ),
        ("sensors.score", {"ecm": "none", "seed": "x"}, ("/dice_count", "missing")),
        ("sensors.score", {"ecm": "none", "seed": "x", "dice_count": 1, "rerolls": [1]}, ("/rerolls", "dice-and-seed")),
        ("sensors.score", {"ecm": "none", "dice": [1], "positive_dm": 4}, ("/positive_dm", "less-than-equal")),
        (
            "sensors.scan",
            {"mode": "passive", "grade": "standard", "range_hex": 3, "ecm": "none", "dice": []},
            ("/range_hex", "beyond-sensor-range"),
        ),
        (
            "sensors.scan",
            {"mode": "passive", "grade": "standard", "range_hex": 2, "ecm": "none", "dice": [1, 1]},
            ("/dice", "too-many-dice"),
        ),
        (
            "sensors.scan",
            {"mode": "passive", "grade": "standard", "range_hex": 2, "dice": [1], "target_burning_away": True},
            ("/target_burning_away", "vector-movement-only"),
        ),
        (
            "sensors.tabletop-scan",
            {"mode": "active", "grade": "fighter", "range_mu": 27.5, "dice": []},
            ("/range_mu", "beyond-sensor-range"),
        ),
        (
            "dummies.scan",
            {
                "mode": "active",
                "grade": "standard",
                "range_hex": 1,
                "is_dummy": True,
                "area_ecm": "standard",
                "dice": [3],
            },
            ("/area_ecm", "dummy-without-systems"),
        ),
        (
            "dummies.scan",
            {"mode": "active", "grade": "standard", "range_hex": 11, "is_dummy": True, "dice": []},
            ("/range_hex", "beyond-sensor-range"),
        ),
        ("sensors.scans-left", {"fire_controls": 1, "hits": [1, 1]}, ("/hits/1", "scans-beyond-fire-controls")),
        ("sensors.scans-left", {"fire_controls": 3, "hits": [0, 1]}, ("/hits/1", "scan-after-failure")),
        ("sensors.size-class", {"mass": 0}, ("/mass", "greater-than-equal")),
        ("sensors.size-class", {"mass": 4.5}, ("/mass", "int-type")),
        (
            "sensors.easiest-ship",
            {"mode": "active", "ships": [{"name": "Lantern"}, {"name": "Lantern"}]},
            ("/ships/1/name", "ship-twice"),
        ),
        ("movement.initiative", {"dice": {"red": [3], "blue": [3]}}, ("/dice/red", "too-few-dice")),
        ("movement.initiative", {"dice": {"red": [3], "blue": [1, 2]}}, ("/dice/blue", "too-many-dice")),
        ("movement.initiative", {"dice": {"red": [7], "blue": [1]}}, ("/dice/red/0", "not-a-face")),
        ("movement.initiative", {"dice": {"red": [3]}}, ("/dice", "not-two-sides")),
        ("movement.initiative", {"seed": "x"}, ("/sides", "not-two-sides")),
        ("movement.initiative", {}, ("/dice", "missing")),
        ("movement.initiative", {"dice": {"red": [3], "blue": [1]}, "seed": "x"}, ("/dice", "dice-and-seed")),
        (
            "movement.order",
            {"winner": "red", "forces": {"red": ["r"], "blue": ["b"]}, "preference": {"blue": ["b", "b"]}},
            ("/preference/blue/1", "force-twice"),
        ),
        ("movement.order", {"winner": "green", "forces": {"red": [], "blue": []}}, ("/winner", "unknown-side")),
        ("movement.move", {"vector": {"A": 3, "+": 1}, "thrust": {}}, ("/vector/+", "flat-map")),
        ("movement.move", {"vector": {}, "thrust": {"B": -1}}, ("/thrust/B", "negative-vector")),
        ("movement.move", {"vector": {}, "thrust": {"B": 3}, "ships": [4, 2]}, ("/thrust", "thrust-beyond-rating")),
        ("movement.move", {"vector": {}, "thrust": {"B": 3}, "rate": 2}, ("/thrust", "thrust-beyond-rating")),
        ("movement.move", {"vector": {}, "thrust": {}, "ships": []}, ("/ships", "force-without-ships")),
        ("movement.thrust-marker", {"thrust": {"A": 1}, "preference": ["G"]}, ("/preference/0", "unknown-direction")),
        ("movement.facings", {"thrust": {"A": 3}, "ships": {"Lantern": 2}}, ("/thrust", "thrust-beyond-rating")),
        ("scale.facings", {"base": 6, "used": 0, "total": 4}, ("/base", "less-than-equal")),
        ("scale.facings", {"used": 0, "total": 4}, ("/base", "missing")),
        ("scale.facings", {"base": 0, "used": 5, "total": 4}, ("/used", "thrust-beyond-rating")),
        ("scale.tabletop-velocity", {"operational": -1}, ("/operational", "greater-than-equal")),
        ("scale.tabletop-velocity", {"operational": True}, ("/operational", "int-type")),
        ("taskforces.thrust", {"ships": []}, ("/ships", "force-without-ships")),
        (
            "taskforces.merge",
            {"forces": [{"side": "red", "vector": {"A": 2}}, {"side": "red", "vector": {"B": 2}}]},
            ("/forces/1", "merge-other-vector"),
        ),
        ("taskforces.split", {"ships": ["a"], "parts": [["a"], []]}, ("/parts/1", "force-without-ships")),
    ],
)
def test_a_bad_input_is_refused_at_its_place(name: str, document: Any, expected: tuple[str, str]) -> None:
    """Nothing is guessed, nothing crashes."""
    assert expected in codes(ask(name, document))


@pytest.mark.rule("fire-control-limit", "active-counters", "cloaking", "operational-sensor-table")
def test_a_scan_of_a_friend_beyond_reach_is_refused_for_every_reason() -> None:
    """All problems at once, in order of place."""
    document = {
        "mode": "active",
        "grade": "standard",
        "range_hex": 11,
        "scanner_side": "red",
        "target_side": "red",
        "fire_controls": 1,
        "is_cloaked": True,
        "hits": [2],
    }
    assert codes(ask("sensors.check-scan", document)) == [
        ("/fire_controls", "scans-beyond-fire-controls"),
        ("/is_cloaked", "scanner-cloaked"),
        ("/mode", "active-not-declared"),
        ("/range_hex", "beyond-sensor-range"),
        ("/target_side", "scan-of-a-friend"),
    ]


@pytest.mark.rule("ecm-table", "die-modifiers")
@pytest.mark.parametrize(
    "area", [{"area_ecm": "standard"}, {"area": "standard"}, {"negative_dm": -1}, {"negative_dm": 1}, {"area_dm": -1}]
)
def test_area_ecm_can_be_given_as_grade_or_number(area: dict[str, Any]) -> None:
    """A natural 6 against enhanced ECM counts as 5 and is rolled again free of both."""
    reply = ask("sensors.score", {"ecm": "enhanced", "dice": [6], "rerolls": [3], **area})
    assert reply["result"]["hits"] == 2
    assert ask("sensors.die", {"ecm": "enhanced", "roll": 6, **area})["result"] == {"hits": 1, "reroll": True}


@pytest.mark.rule("die-modifiers", "passive-results")
def test_a_scan_takes_its_modifiers_from_what_the_target_does() -> None:
    """Two dice of 2: nothing alone, two hits on an emitter, none again for active sensors."""
    scan = {"grade": "enhanced", "range_hex": 2, "ecm": "none", "dice": [2, 2], "target_active": True}
    loud = ask("sensors.scan", {"mode": "passive", **scan})["result"]
    assert (loud["hits"], loud["knows"][-1], loud["marker"]) == (2, "mass", "bogey")
    assert ask("sensors.scan", {"mode": "active", **scan})["result"]["hits"] == 0
    burning = {"target_burning_away": True, "vector_movement": True, "area_ecm": "enhanced"}
    assert ask("sensors.scan", {"mode": "passive", **scan, **burning})["result"]["hits"] == 2
    assert ask("sensors.scan", {"mode": "active", **scan, **burning})["result"]["may_go_on"] is False


@pytest.mark.rule("ecm-table")
def test_the_rerolls_of_a_scan_follow_its_dice_or_come_apart() -> None:
    """Two dice, one of them a 6."""
    scan = {"mode": "active", "grade": "enhanced", "range_hex": 10, "ecm": "superior"}
    after = ask("sensors.scan", {**scan, "dice": [6, 1, 6, 1]})["result"]
    apart = ask("sensors.scan", {**scan, "dice": [6, 1], "rerolls": [6, 1]})["result"]
    assert after == apart
    assert (after["hits"], after["rerolls"]) == (3, [6, 1])
    counted = ask("sensors.score", {"ecm": "superior", "dice": [6, 1, 6, 1], "dice_count": 2})["result"]
    assert (counted["hits"], counted["rerolls"]) == (3, [6, 1])


@pytest.mark.rule("initiative")
def test_a_seed_rolls_for_both_sides_the_same_again() -> None:
    """The rounds of rolls are shown, ties with them."""
    first = ask("movement.initiative", {"sides": ["red", "blue"], "seed": "dawn"})
    assert first == ask("movement.initiative", {"sides": ["red", "blue"], "seed": "dawn"})
    last = first["result"]["rounds"][-1]
    assert last[first["result"]["winner"]] > last[first["result"]["loser"]]


@pytest.mark.rule("facing-deviation", "base-facing", "opponent-tie")
def test_each_ship_has_the_leeway_of_its_own_thrust() -> None:
    """Two points spent: all of one ship's thrust, half of another's, a third of the last one's."""
    asked = {"thrust": {"A": 1, "B": 1}, "ships": {"Lantern": 2, "Heron": 4, "Sparrow": 6}, "preference": ["E"]}
    assert ask("movement.facings", asked)["result"] == {
        "marker": "E",
        "base": 1,
        "used": 2,
        "facings": {"Lantern": [1], "Heron": [0, 1, 2], "Sparrow": [0, 1, 2, 3, 5]},
    }
    idle = ask("movement.facings", {"thrust": {}, "ships": {"Lantern": 2}})["result"]
    assert (idle["marker"], idle["facings"]["Lantern"]) == (None, [0, 1, 2, 3, 4, 5])
    tied = ask("movement.thrust-marker", {"thrust": {"A": 1, "B": 1}})["result"]
    assert (tied["chooser"], tied["marker"], tied["base"]) == ("opponent", None, None)
    alone = ask("movement.thrust-marker", {"thrust": {"C": 2}})["result"]
    assert (alone["chooser"], alone["marker"], alone["base"]) == (None, "F", 2)
