"""The rules desk through the API: the same answers as the command's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.campaign.api.callers import Caller, codes

VECTORS = sorted((Path(__file__).parents[2] / "vectors").glob("*.jsonl"))


def test_every_procedure_is_listed_with_its_input() -> None:
    """Ruleset, name, rules, input and result of each; one alone by its address."""
    listed = Caller().get("rules/").json()["procedures"]
    one = next(row for row in listed if row["procedure"] == "vectors.consolidate" and "operational" in row["ruleset"])
    assert one["input"]["type"] == "object"
    assert "B3.33" in one["rules"]
    assert Caller().get(f"rules/{one['ruleset']}/{one['procedure']}/").json() == one
    assert Caller().get("rules/operational/saganami/nothing/").status_code == 404


def test_a_question_gets_the_commands_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """Result, rolls and rules, without signing in."""
    question = {"vectors": {"A": 7, "D": 8, "B": 4}}
    call_command("rules", "operational/saganami", "vectors.consolidate", json=json.dumps(question))
    said = json.loads(capsys.readouterr().out)
    answer = Caller().post("rules/operational/saganami/vectors.consolidate/", question)
    assert (answer.status_code, answer.json()) == (200, said)
    assert answer.json()["result"] == {"vectors": {"B": 3, "C": 1}}


def test_every_printed_example_is_answered_alike() -> None:
    """The rows of the vectors come out as their files say."""
    rows = [json.loads(line) for path in VECTORS for line in path.read_text().splitlines() if line.strip()]
    known = {(row["ruleset"], row["procedure"]) for row in Caller().get("rules/").json()["procedures"]}
    asked = [row for row in rows if (row["ruleset"], row["procedure"]) in known]
    assert len(asked) > 100
    for row in asked:
        answer = Caller().post(f"rules/{row['ruleset']}/{row['procedure']}/", row["input"])
        assert answer.status_code == 200, (row["id"], answer.content)
        result = answer.json()["result"]
        assert {key: result.get(key) for key in row["result"]} == row["result"], row["id"]


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("operational/saganami/vectors.consolidate", {"vectors": {"X": 1}}, 422, ""),
        ("operational/saganami/vectors.consolidate", {"vectors": {"A": -1}}, 422, ""),
        ("operational/saganami/vectors.consolidate", {"vectors": {"A": 0.5}}, 422, ""),
        ("operational/saganami/vectors.consolidate", {}, 422, ""),
        ("operational/saganami/vectors.consolidate", {"vectors": {}, "more": 1}, 422, "unknown-field"),
        ("operational/saganami/clock.date", {"start": "9999-12-31T23:00", "op_turns": 10**6}, 422, ""),
        ("operational/saganami/clock.date", {"start": "now", "op_turns": 1}, 422, "not-a-date"),
    ],
)
def test_a_bad_question_gets_an_error_with_its_field(path: str, body: Any, status: int, code: str) -> None:
    """The command's error document, and a status that says so."""
    answer = Caller().post(f"rules/{path}/", body)
    assert answer.status_code == status, answer.content
    error = answer.json()["error"]
    assert {"code", "field", "message", "problems"} <= set(error)
    assert code in ("", error["code"])


def test_a_rule_that_is_not_there_is_not_found() -> None:
    """Unknown rulesets and procedures are 404, in the shape of every other 404."""
    for path, code in (
        ("operational/saganami/nothing", "unknown-procedure"),
        ("operational/nothing/vectors.consolidate", "unknown-ruleset"),
    ):
        answer = Caller().post(f"rules/{path}/", {})
        assert (answer.status_code, codes(answer)) == (404, [code])


def test_a_body_that_is_no_question_is_refused() -> None:
    """No JSON, no object, too deep, too long: 400 in the API's own shape."""
    path = "rules/operational/saganami/vectors.consolidate/"
    for body in ("{", "[]", "7", "null", '{"a": NaN}', "[" * 10_000, b"\xff\xfe", '{"a": "\\u0000"}', "1" * 5000):
        answer = Caller().ask("POST", path, body)
        assert answer.status_code == 400, body[:20]
        assert codes(answer)


def test_the_coverage_names_every_rule() -> None:
    """The rows of the command's JSON."""
    rows = Caller().get("rules/coverage/").json()["coverage"]
    assert {row["status"] for row in rows} <= {"implemented", "ruled-out", "missing"}
    assert any(row["source"] == "saganami" and row["rule"] == "B3.331" for row in rows)


JUNK: list[Any] = [None, -1, 10**15, 1.5, "x", [], {"A": -1}, [0, 11]]


@pytest.mark.parametrize("ruleset", ["operational/saganami", "operational/full-thrust", "tactical/saganami"])
def test_no_procedure_breaks_on_junk(ruleset: str) -> None:
    """Whatever a field holds, a procedure answers or says what is wrong, and is quick about it."""
    listed = [row for row in Caller().get("rules/").json()["procedures"] if row["ruleset"] == ruleset]
    assert listed
    for row in listed:
        example = dict(row["example"] or {})
        fields = [*row["input"].get("properties", {}), *([row["dice"]] if row["dice"] else []), "seed"]
        for field in fields:
            for value in JUNK:
                answer = Caller().post(f"rules/{ruleset}/{row['procedure']}/", {**example, field: value})
                assert answer.status_code in (200, 422), (row["procedure"], field, value, answer.content)
