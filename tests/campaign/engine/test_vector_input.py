"""Vectors as typed input of a procedure."""

from __future__ import annotations

from typing import Any

from campaign.engine.procedure import Input, Procedure, answer
from campaign.engine.vector_input import VectorsInput


class Asked(Input):
    """A velocity and a list of changes."""

    vectors: VectorsInput
    changes: list[VectorsInput] = []


ECHO = Procedure(
    name="vectors.echo",
    rules=("X1",),
    summary="Say it again.",
    input=Asked,
    result={"vectors": "the same"},
    run=lambda asked: {"vectors": asked.vectors, "changes": asked.changes},
)


def places(reply: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the place and the code of every problem of an answer."""
    return [(problem["place"], problem["code"]) for problem in reply["error"]["problems"]]


def test_good_vectors_arrive_without_zeros() -> None:
    """In the order of the letters."""
    assert answer(ECHO, {"vectors": {"-": 1, "B": 0, "A": 2}})["result"] == {
        "vectors": {"A": 2, "-": 1},
        "changes": [],
    }


def test_every_fault_in_every_field_is_told_at_once() -> None:
    """Two fields, a list and an unknown field, each fault at its own place."""
    reply = answer(ECHO, {"vectors": {"Q": 1, "A": -1}, "changes": [{"B": 1.5}, {"A": 1}, 7], "more": 1})
    assert places(reply) == [
        ("/changes/0/B", "not-whole-number"),
        ("/changes/2", "not-vectors"),
        ("/more", "unknown-field"),
        ("/vectors/A", "negative-vector"),
        ("/vectors/Q", "unknown-direction"),
    ]
    assert reply["error"]["field"] == "changes.0.B"


def test_braces_and_slashes_in_a_direction_do_no_harm() -> None:
    """The text of a bad direction is shown as it is, and its place is a JSON Pointer."""
    reply = answer(ECHO, {"vectors": {"{x}/~": 1}})
    assert places(reply) == [("/vectors/{x}~1~0", "unknown-direction")]
    assert "{x}/~" in reply["error"]["message"]


def test_the_schema_tells_a_form_what_vectors_are() -> None:
    """Pages and the API draw their fields from it."""
    schema = Asked.model_json_schema()["properties"]["vectors"]
    assert schema["type"] == "object"
    assert schema["propertyNames"]["enum"] == ["A", "B", "C", "D", "E", "F", "+", "-"]
    assert schema["additionalProperties"] == {"type": "integer", "minimum": 0}
