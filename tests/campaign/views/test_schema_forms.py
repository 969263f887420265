"""Forms drawn from a JSON Schema: what is drawn, what a posted form stands for, and where problems stand."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.hexes import LETTERS
from campaign.forms import schema as s
from campaign.forms.schema_fields import Field, fields_of
from campaign.forms.schema_reading import document_from

VECTOR = {"type": "object", "propertyNames": {"enum": list(LETTERS)}, "additionalProperties": {"type": "integer"}}
SHIPS = {"type": "array", "x-widget": "ships", "items": {"enum": ["s1", "s2", "s3"], "x-labels": {"s1": "Plough"}}}
SHEET = {
    "type": "object",
    "properties": {
        "forces": {
            "type": "object",
            "x-section": "force",
            "properties": {
                "f1": {
                    "type": "object",
                    "title": "Home Guard",
                    "properties": {
                        "thrust": {**VECTOR, "x-widget": "vector", "title": "Thrust"},
                        "course": {"type": "array", "items": VECTOR, "x-widget": "course"},
                        "wedge": {"enum": ["keep", "up", "down"], "default": "keep"},
                        "out": {"type": "boolean", "default": False},
                        "at": {"type": "object", "properties": {k: {"type": "integer"} for k in "qrz"}},
                        "groups": {"type": "array", "items": SHIPS},
                    },
                }
            },
        },
        "search": {
            "type": "array",
            "x-section": "list",
            "items": {
                "type": "object",
                "properties": {
                    "ship": {"enum": ["s1", "s2"]},
                    "drones": {"type": "integer", "default": 0},
                    "with": SHIPS,
                },
            },
        },
        "order": {"type": "array", "x-widget": "order", "items": {"enum": ["a", "b", "c"]}, "default": ["b"]},
    },
}
SCHEMA = s.schema_of(SHEET)


def posted(**fields: Any) -> QueryDict:
    """Return a form as it is posted; lists become several values of one name."""
    return QueryDict(urlencode(fields, doseq=True))


def read(fields: dict[str, Any]) -> Any:
    """Return the document of a posted sheet."""
    return document_from(SCHEMA, posted(**fields))


def drawn(document: Any, *problems: dict[str, str]) -> dict[str, Field]:
    """Return the fields of a sheet by name."""
    return {field.name: field for field in fields_of(SCHEMA, document, problems).everything()}


def test_an_empty_form_is_an_empty_sheet() -> None:
    """What nobody filled in is left out, and so is what says the default."""
    assert read({}) == {}
    assert read({"/forces/f1/thrust": " ", "/forces/f1/wedge": "keep", "/search/0/drones": "0"}) == {}


@pytest.mark.parametrize(
    ("fields", "document"),
    [
        ({"/forces/f1/thrust": "2a 1+"}, {"forces": {"f1": {"thrust": {"A": 2, "+": 1}}}}),
        ({"/forces/f1/thrust": "1−"}, {"forces": {"f1": {"thrust": {"-": 1}}}}),
        ({"/forces/f1/thrust": "0"}, {"forces": {"f1": {"thrust": {}}}}),
        ({"/forces/f1/course": "3A; 0; 1B"}, {"forces": {"f1": {"course": [{"A": 3}, {}, {"B": 1}]}}}),
        ({"/forces/f1/wedge": "up"}, {"forces": {"f1": {"wedge": "up"}}}),
        ({"/forces/f1/out": "on"}, {"forces": {"f1": {"out": True}}}),
        ({"/forces/f1/at/q": "3", "/forces/f1/at/r": "-2"}, {"forces": {"f1": {"at": {"q": 3, "r": -2}}}}),
        ({"/forces/f1/groups/s2": "1", "/forces/f1/groups/s1": "2"}, {"forces": {"f1": {"groups": [["s2"], ["s1"]]}}}),
        ({"/search/4/ship": "s1", "/search/7/ship": "s2"}, {"search": [{"ship": "s1"}, {"ship": "s2"}]}),
        ({"/search/0/with": ["s3", "s1"]}, {"search": [{"with": ["s3", "s1"]}]}),
        ({"/order/c": "1", "/order/a": "2"}, {"order": ["c", "a"]}),
        ({"/order/b": "5"}, {}),
    ],
)
def test_a_filled_form_stands_for_its_document(fields: dict[str, Any], document: dict[str, Any]) -> None:
    """Each kind of field is read into what the ruleset asks for."""
    assert read(fields) == document


@pytest.mark.parametrize(
    ("fields", "document"),
    [
        ({"/forces/f1/thrust": "2X"}, {"forces": {"f1": {"thrust": "2X"}}}),
        ({"/forces/f1/thrust": "-3A"}, {"forces": {"f1": {"thrust": "-3A"}}}),
        ({"/forces/f1/thrust": "1.5A"}, {"forces": {"f1": {"thrust": "1.5A"}}}),
        ({"/forces/f1/course": "3A; ?"}, {"forces": {"f1": {"course": [{"A": 3}, "?"]}}}),
        ({"/forces/f1/at/q": "x"}, {"forces": {"f1": {"at": {"q": "x"}}}}),
        ({"/search/0/drones": "two"}, {"search": [{"drones": "two"}]}),
        ({"/search/0/ship": "stranger"}, {"search": [{"ship": "stranger"}]}),
    ],
)
def test_what_cannot_be_read_is_kept_for_the_ruleset_to_refuse(fields: dict[str, Any], document: Any) -> None:
    """Nobody's typing is lost, and nothing bad becomes something else."""
    assert read(fields) == document
    again = {name: field.value for name, field in drawn(document).items()}
    for name, typed in fields.items():
        assert typed.replace("−", "-") in again[name]


def test_a_removed_line_goes_and_the_rest_moves_up() -> None:
    """The box beside a line takes it out."""
    fields = {"/search/0/ship": "s1", "/search/1/ship": "s2", "remove": "/search/0"}
    assert read(fields) == {"search": [{"ship": "s2"}]}


def test_a_form_drawn_from_its_own_document_reads_the_same() -> None:
    """Drawing and reading are inverse."""
    document = {
        "forces": {"f1": {"thrust": {"A": 2}, "course": [{"B": 1}, {}], "wedge": "down", "groups": [["s1"], ["s3"]]}},
        "search": [{"ship": "s2", "drones": 3, "with": ["s1"]}],
        "order": ["c", "b"],
    }
    assert read(values_of(drawn(document))) == document


def values_of(fields: dict[str, Field]) -> dict[str, Any]:
    """Return what a browser would send for drawn fields."""
    sent: dict[str, Any] = {}
    for name, field in fields.items():
        if field.kind == s.CHECKS:
            sent[name] = [choice.value for choice in field.choices if choice.is_taken]
        elif field.kind == s.BOOLEAN:
            if field.is_on:
                sent[name] = "on"
        elif field.kind == s.SELECT:
            sent[name] = next((choice.value for choice in field.choices if choice.is_taken), "")
        elif field.kind not in (s.OBJECT, s.LIST, s.GROUPS, s.ORDER, s.HEX):
            sent[name] = field.value
    return sent


@given(
    st.dictionaries(st.sampled_from(LETTERS), st.integers(1, 99), max_size=8),
    st.lists(st.dictionaries(st.sampled_from(LETTERS), st.integers(1, 9), max_size=3), min_size=1, max_size=5),
)
def test_any_vectors_survive_being_drawn_and_read(thrust: dict[str, int], course: list[dict[str, int]]) -> None:
    """Vectors and courses come back as they were."""
    document = {"forces": {"f1": {"thrust": thrust, "course": course}}}
    assert read(values_of(drawn(document))) == document


def test_a_problem_stands_at_its_field_or_at_the_nearest_above() -> None:
    """A place deeper than any field is told at the field that holds it; an unknown one at the top."""
    bad = {"code": "x", "rule": "", "message": "m", "severity": "stop"}
    fields = drawn(
        {"forces": {"f1": {"thrust": {"A": 9}}}},
        {**bad, "place": "/forces/f1/thrust/A"},
        {**bad, "place": "/search/9/ship"},
        {**bad, "place": "/nowhere"},
    )
    assert len(fields["/forces/f1/thrust"].problems) == 1
    assert fields["/forces/f1/thrust"].is_refused
    assert len(fields["/search"].problems) == 1
    assert len(fields[""].problems) == 1


def test_vectors_that_cannot_be_read_are_explained_to_who_typed_them() -> None:
    """The ruleset speaks of objects; a person types letters."""
    problem = {"code": "not-vectors", "place": "/forces/f1/thrust", "rule": "", "message": "json", "severity": "stop"}
    (told,) = drawn({"forces": {"f1": {"thrust": "x"}}}, problem)["/forces/f1/thrust"].problems
    assert told["message"] == "Write numbers and directions A to F, + and -, such as 3A 1-."


def test_a_union_is_drawn_and_read_by_the_act_that_was_chosen() -> None:
    """Only the fields of the chosen act count."""
    schema = s.schema_of(
        {
            "oneOf": [{"$ref": "#/$defs/Move"}, {"$ref": "#/$defs/Name"}],
            "discriminator": {"propertyName": "act"},
            "$defs": {
                "Move": {"type": "object", "properties": {"act": {"const": "move"}, "to": {"type": "integer"}}},
                "Name": {"type": "object", "properties": {"act": {"const": "name"}, "as": {"type": "string"}}},
            },
        }
    )
    assert document_from(schema, posted(**{"/d/act": "move", "/d/to": "4", "/d/as": "x"}), "/d") == {
        "act": "move",
        "to": 4,
    }
    assert document_from(schema, posted(), "/d") == {}
    field = fields_of(schema, {"act": "name"}, (), "/d")
    assert [(choice.value, choice.is_taken) for choice in field.choices] == [("move", False), ("name", True)]
    assert [child.key for child in field.children] == ["act", "as"]


def test_a_fixed_value_from_an_older_form_is_not_made_new() -> None:
    """A report for an earlier issue stays one, so that it is refused."""
    schema = s.schema_of({"type": "object", "properties": {"issue": {"const": 2}, "note": {"type": "string"}}})
    assert document_from(schema, posted(**{"/issue": "1"})) == {"issue": 1}
    assert document_from(schema, posted(**{"/issue": "2"})) == {"issue": 2}


def test_optional_fields_and_maps_of_known_keys_are_drawn_as_what_they_hold() -> None:
    """An "or null" is an empty field; a map with named keys is a field each."""
    schema = s.schema_of(
        {
            "type": "object",
            "properties": {
                "name": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
                "grades": {
                    "type": "object",
                    "propertyNames": {"enum": ["crew", "ewo"]},
                    "additionalProperties": {"enum": ["poor", "elite"]},
                },
            },
        }
    )
    assert document_from(schema, posted(**{"/name": "Plough", "/grades/ewo": "elite"})) == {
        "name": "Plough",
        "grades": {"ewo": "elite"},
    }
