"""The rules desk on clock, movement, scales and hyperspace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from campaign.engine.procedure import answer
from operational.rules.saganami.desk import DESK
from operational.rules.saganami.desk_movement import PROCEDURES

VECTORS = Path(__file__).parents[2] / "vectors" / "operational-saganami.jsonl"
NAMES = {procedure.name for procedure in PROCEDURES}
ROWS = [row for row in map(json.loads, VECTORS.read_text().splitlines()) if row["procedure"] in NAMES]


def ask(name: str, **given: Any) -> dict[str, Any]:
    """Return the desk's whole answer."""
    procedure = DESK.procedure(name)
    assert procedure is not None, name
    return answer(procedure, given)


def result(name: str, **given: Any) -> dict[str, Any]:
    """Return the result of an answer that has one."""
    reply = ask(name, **given)
    assert "result" in reply, reply
    found: dict[str, Any] = reply["result"]
    return found


def problems(name: str, **given: Any) -> list[tuple[str, str]]:
    """Return place and code of every problem of an answer that is refused."""
    reply = ask(name, **given)
    assert "error" in reply, reply
    return [(problem["place"], problem["code"]) for problem in reply["error"]["problems"]]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_the_worked_examples_come_out(row: dict[str, Any]) -> None:
    """Each row names its rule."""
    found = result(row["procedure"], **row["input"])
    assert {key: found.get(key, "absent") for key in row["result"]} == row["result"]


@pytest.mark.parametrize("procedure", PROCEDURES, ids=[procedure.name for procedure in PROCEDURES])
def test_every_procedure_answers_its_own_example_with_the_fields_it_promises(procedure: Any) -> None:
    """The desk's pages show the example first."""
    reply = answer(procedure, procedure.example)
    assert set(reply["result"]) == set(procedure.result)
    assert reply["rules"] == list(procedure.rules)
    json.dumps(reply)


@pytest.mark.parametrize("procedure", PROCEDURES, ids=[procedure.name for procedure in PROCEDURES])
def test_every_procedure_refuses_an_unknown_field_and_a_document_that_is_none(procedure: Any) -> None:
    """With all problems, never with an exception."""
    reply = answer(procedure, {**procedure.example, "extra": 1})
    assert [problem["code"] for problem in reply["error"]["problems"]] == ["unknown-field"]
    assert answer(procedure, [1])["error"]["code"] == "not-an-object"


@pytest.mark.rule("B5.11")
def test_the_date_is_asked_by_turns() -> None:
    """B5.11: over a leap day, and refused outside the calendar."""
    assert result("clock.date", start="1908-02-28T12:00", op_turns=76) == {"at": "1908-02-29T12:00"}
    assert result("clock.date", start="1906-03-01", op_turns=3) == {"at": "1906-03-01T00:56"}
    assert problems("clock.date", start="1906-02-29", op_turns=1) == [("/start", "not-a-date")]
    assert problems("clock.date", start="9999-12-31T23:59", op_turns=1) == [("/op_turns", "date-out-of-range")]
    assert problems("clock.date", start="1906-03-01", op_turns=10**30) == [("/op_turns", "date-out-of-range")]
    assert problems("clock.date", start=1906, op_turns=-1) == [
        ("/op_turns", "greater-than-equal"),
        ("/start", "string-type"),
    ]


@pytest.mark.rule("B5.111")
def test_tactical_turns_are_whole() -> None:
    """B5.111: a count of turns is a whole number, and none is before the start."""
    assert result("clock.tactical-turns", op_turns=0) == {"tactical_turns": 0}
    assert problems("clock.tactical-turns", op_turns=1.5) == [("/op_turns", "int-type")]
    assert problems("clock.tactical-turns", op_turns=-6) == [("/op_turns", "greater-than-equal")]
    assert problems("clock.tactical-turns") == [("/op_turns", "missing")]


@pytest.mark.rule("B5.162")
def test_emergence_takes_two_dice_or_a_seed() -> None:
    """B5.162: 0 is ten; a seed shows what it rolled."""
    assert result("hyper.emergence", dice=[0, 1]) == {"distance": 9}
    assert problems("hyper.emergence", dice=[7]) == [("/dice", "too-few-dice")]
    assert problems("hyper.emergence", dice=[7, 3, 1]) == [("/dice", "too-many-dice")]
    assert problems("hyper.emergence", dice=[7, 11]) == [("/dice/1", "not-a-face")]
    assert problems("hyper.emergence") == [("/dice", "missing")]
    reply = ask("hyper.emergence", seed="arrival")
    assert reply == ask("hyper.emergence", seed="arrival")
    assert reply["result"]["distance"] == abs(reply["rolls"][0] - reply["rolls"][1])


@pytest.mark.rule("B5.16")
def test_a_hyper_limit_is_shown_with_the_slip_of_the_printed_table() -> None:
    """B5.16: the B row prints 315."""
    assert result("hyper.limit", star="B") == {
        "star": "B",
        "light_minutes": 33.42,
        "hexes": 251,
        "misprinted_hexes": 315,
    }
    assert result("hyper.limit", star="G0") == {
        "star": "G0",
        "light_minutes": 22,
        "hexes": 165,
        "misprinted_hexes": None,
    }
    assert problems("hyper.limit", star="Q7") == [("/star", "unknown-star")]


@pytest.mark.rule("B5.161")
def test_too_fast_a_velocity_does_not_translate() -> None:
    """B5.161: 46 hexes a turn, on one course or two."""
    assert result("hyper.translate", vectors={"A": 24, "B": 22}) == {"vectors": None, "allowed": False, "speed": 46}
    assert result("hyper.translate-speed", velocity=46) == {"allowed": False, "after": None}
    assert result("hyper.translate", vectors={}) == {"vectors": {}, "allowed": True, "speed": 0}
    assert problems("hyper.translate-speed", velocity=-1) == [("/velocity", "greater-than-equal")]


@pytest.mark.rule("B5.132")
def test_what_is_at_rest_never_reaches_the_limit() -> None:
    """B5.132: opposite vectors are rest too; a limit that is reached needs no turn."""
    assert result("hyper.turns-to-limit", hexes=23, velocity={"A": 4, "D": 4}) == {
        "turns": None,
        "tactical_turns": None,
    }
    assert result("hyper.turns-to-limit", hexes=0, velocity={}) == {"turns": 0, "tactical_turns": 0}
    assert result("hyper.turns-to-limit", hexes=23, velocity={"A": 4, "B": 2}) == {"turns": 4, "tactical_turns": 12}


@pytest.mark.rule("B3.271")
def test_displacement_asks_for_true_directions_and_grades() -> None:
    """B3.271: one half a direction; every fault at its place."""
    assert problems("movement.displacement", change={"A": 1}, carry=["A", "B", "A"]) == [("/carry/2", "carried-twice")]
    assert problems("movement.displacement", change={"G": 1}, carry=["x"], engineer="superb", pivot_windows=-1) == [
        ("/carry/0", "literal-error"),
        ("/change/G", "unknown-direction"),
        ("/engineer", "literal-error"),
        ("/pivot_windows", "greater-than-equal"),
    ]
    assert result("movement.displacement", change={"B": 3}, carry=["A"]) == {"displacement": {"B": 1}, "carry": ["B"]}


@pytest.mark.rule("B5.121")
def test_spare_points_go_where_the_commander_says() -> None:
    """B5.121: one direction for all, or one for each; the map's own velocity is added first."""
    assert result("scale.to-operational", vectors={"A": 1, "B": 1, "+": 1}, spare_to="D") == {
        "vectors": {"D": 1},
        "whole_points_assigned": 1,
        "thirds_lost": 0,
    }
    assert result("scale.to-operational", vectors={"A": 5, "B": 5, "+": 5}, spare_to=["+", "-"])["vectors"] == {
        "A": 1,
        "B": 1,
        "+": 1,
    }
    assert result("scale.to-operational", vectors={"A": 1}, frame={"A": 2})["vectors"] == {"A": 1}
    assert problems("scale.to-operational", vectors={"A": 1, "B": 2}) == [("/spare_to", "spare-direction-missing")]
    assert problems("scale.to-operational", vectors={"A": 1}, spare_to="up") == [("/spare_to/0", "literal-error")]


@pytest.mark.rule("B5.11")
def test_light_minutes_are_a_number_of_at_least_nothing() -> None:
    """B5.11: whole or broken, no text, nothing endless."""
    assert result("scale.light-minutes", light_minutes=8) == {"hexes": 60}
    for bad in (-1, "8", True, float("nan"), float("inf"), None):
        assert problems("scale.light-minutes", light_minutes=bad)[0][0] == "/light_minutes"


@pytest.mark.rule("B3.24")
def test_thrust_is_legal_up_to_its_rating() -> None:
    """B3.24: what it needs is said either way."""
    assert result("thrust.legal", thrust=3, change={"A": 3, "+": 3}) == {"legal": False, "needs": 4}
    assert result("thrust.legal", thrust=0, change={}) == {"legal": True, "needs": 0}
    assert problems("thrust.legal", thrust=-1, change={"A": 0.5}) == [
        ("/change/A", "not-whole-number"),
        ("/thrust", "greater-than-equal"),
    ]


@pytest.mark.rule("B3.3", "B3.31", "B3.33")
def test_bad_vectors_are_refused_wherever_they_stand() -> None:
    """B3.3, B3.31: in every list and map, all at once."""
    assert problems("vectors.consolidate", vectors={"A": -1, "B": True, "Z": 1}) == [
        ("/vectors/A", "negative-vector"),
        ("/vectors/B", "not-whole-number"),
        ("/vectors/Z", "unknown-direction"),
    ]
    assert problems("vectors.apply-thrust", vectors=[], thrust=[{"B": 3}, {"Q": 1}, None]) == [
        ("/thrust/1/Q", "unknown-direction"),
        ("/thrust/2", "not-vectors"),
        ("/vectors", "not-vectors"),
    ]
    assert result("vectors.apply-thrust", vectors={"A": 2}, thrust=[]) == {"vectors": {"A": 2}}
    assert result("vectors.consolidate", vectors={"A": 3, "C": 1, "D": 2, "E": 1, "+": 1, "-": 2}) == {
        "vectors": {"-": 1}
    }
    assert result("frame.shift", vectors={}, frame={"A": 7}) == {"vectors": {"D": 7}}
    assert result("movement.midpoint", vectors={"-": 3}) == {"vectors": {"-": 2}}
    assert result("scale.to-tactical", vectors={"A": 4, "B": 2, "-": 1}) == {"vectors": {"A": 12, "B": 6, "-": 3}}
