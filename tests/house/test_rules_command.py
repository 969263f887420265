"""The rules desk on the command line: one answer a question, whatever the question."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from campaign.services.rules_desk import desks

ASK = {"ruleset": "operational/saganami", "procedure": "vectors.consolidate", "input": {"vectors": {"A": 1, "D": 2}}}


def said(*arguments: str) -> str:
    """Return what the command prints."""
    output = StringIO()
    call_command("rules", *arguments, stdout=output)
    return output.getvalue()


def refused(*arguments: str) -> dict[str, Any]:
    """Return the error that a single call prints, having seen its exit status."""
    output = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("rules", *arguments, stdout=output)
    assert ended.value.code == 1
    answer = json.loads(output.getvalue())
    assert set(answer) == {"id", "error"}
    error: dict[str, Any] = answer["error"]
    return error


def batch(folder: Path, *lines: bytes) -> list[dict[str, Any]]:
    """Return the answers to a file of lines."""
    rows = folder / "rows.jsonl"
    rows.write_bytes(b"\n".join(lines) + b"\n")
    return [json.loads(line) for line in said("--batch", str(rows)).splitlines()]


def test_the_list_names_every_procedure_with_its_rules_input_and_output() -> None:
    """One line for the procedure, one for each field."""
    lines = said("--list").splitlines()
    for name, desk in desks().items():
        assert f"{name}: {desk.title}" in lines
        for one in desk.procedures:
            at = lines.index(f"  {one.name} ({', '.join(one.rules)}): {one.summary}")
            below = lines[at + 1 : at + 2 + len(one.input.model_fields) + len(one.result)]
            assert all(f"    out {field}: {says}" in below for field, says in one.result.items())
            taken = [field.alias or key for key, field in one.input.model_fields.items()]
            told = [line.strip().removeprefix("in ").partition(":")[0] for line in below if line.startswith("    in ")]
            assert told == [*taken, *([one.dice] if one.dice else [])]


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        (
            ("operational/saganami", "vectors.consolidate", "--json", '{"vectors": {"A": -1}}'),
            "negative-vector",
            "vect",
        ),
        (
            ("operational/saganami", "vectors.consolidate", "--json", '{"vectors": {"G": 1}}'),
            "unknown-direction",
            "vect",
        ),
        (("operational/saganami", "vectors.consolidate"), "missing", "vectors"),
        (("operational/saganami", "vectors.consolidate", "--json", "{"), "not-json", ""),
        (("operational/saganami", "vectors.consolidate", "--json", "[]"), "not-an-object", ""),
        (("operational/saganami", "nothing", "--json", "{}"), "unknown-procedure", "procedure"),
        (("operational/nothing", "vectors.consolidate", "--json", "{}"), "unknown-ruleset", "ruleset"),
        (("operational/saganami", "hyper.emergence", "--json", '{"dice": [7]}'), "too-few-dice", "dice"),
        (("operational/saganami", "hyper.emergence", "--json", '{"dice": [7, 3, 1]}'), "too-many-dice", "dice"),
        (("operational/saganami", "hyper.emergence", "--json", '{"seed": "\\ud800"}'), "not-text", "seed"),
        (("operational/saganami", "clock.tactical-turns", "--json", '{"op_turns": 1e999}'), "number-too-large", "op_"),
    ],
)
def test_a_bad_single_call_prints_its_error_and_ends_with_one(
    arguments: tuple[str, ...], code: str, field: str
) -> None:
    """Code, field and message."""
    error = refused(*arguments)
    assert error["code"] == code
    assert error["field"].startswith(field)
    assert error["message"]


def test_a_good_single_call_has_result_rolls_and_rules() -> None:
    """And leaves by the front door."""
    answer = json.loads(said("operational/saganami", "hyper.emergence", "--json", '{"dice": [7, 3]}'))
    assert answer["id"] is None
    assert answer["result"] == {"distance": 4}
    assert answer["rolls"] == [7, 3]
    assert answer["rules"] == ["B5.162"]


def test_a_batch_answers_line_by_line_and_goes_on_over_bad_rows(tmp_path: Path) -> None:
    """Broken JSON, no object, no ruleset, bytes that are no text, NaN, depth, an odd separator; each id as it was."""
    answers = batch(
        tmp_path,
        json.dumps({"id": "first", **ASK}).encode(),
        b'{"id": 1',
        b"[1, 2]",
        json.dumps({"id": 2}).encode(),
        json.dumps({"id": 3, **ASK, "input": 7}).encode(),
        json.dumps({"id": 4, **ASK, "procedure": None}).encode(),
        b"\xff\xfe",
        b'{"id": 5, "input": NaN}',
        b"[" * 100_000,
        json.dumps({"id": "\u2028", **ASK}, ensure_ascii=False).encode(),
        json.dumps({"id": "\ud800", **ASK}).encode(),
        json.dumps({"id": 6, **ASK, "input": {"vectors": {"A": 10**20}}}).encode(),
        json.dumps({"id": {"row": 7}, **ASK}).encode(),
    )
    assert [answer["id"] for answer in answers] == [
        *("first", None, None, 2, 3, 4, None, None, None, "\u2028", None, 6),
        {"row": 7},
    ]
    assert [answer.get("error", {}).get("code") for answer in answers] == [
        *(None, "not-json", "not-an-object", "unknown-ruleset", "not-an-object", "unknown-procedure"),
        *("not-json", "not-json", "not-json", None, "bad-id", "number-too-large", None),
    ]
    assert answers[-1]["result"] == answers[0]["result"] == {"vectors": {"D": 1}}


def test_a_batch_that_cannot_be_read_says_so() -> None:
    """A file that is not there; and a call that names nothing to ask."""
    with pytest.raises(CommandError, match="Cannot read"):
        said("--batch", "/nowhere/rows.jsonl")
    with pytest.raises(CommandError, match="Name a ruleset"):
        said("operational/saganami")


def test_the_coverage_is_a_list_of_rows_as_json() -> None:
    """Source, rule, status, where, why."""
    rows = json.loads(said("--coverage", "--json"))
    assert {"source", "rule", "status", "where", "why"} <= set(rows[0])
    assert {row["status"] for row in rows} <= {"implemented", "ruled-out", "missing"}
    assert f"{rows[0]['source']} {rows[0]['rule']}: {rows[0]['status']}" in said("--coverage")
