"""The form of a sheet: a sound JSON Schema of the side's own, that takes what the reading takes and no more."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from campaign.rulebooks.saganami.bearings import WINDOWS
from operational.rules.saganami.order_schema import order_schema
from operational.rules.saganami.reading import read_orders
from operational.rules.saganami.state import State
from operational.rules.saganami.view import view_for
from tests.operational.saganami.meeting_worlds import force, turn, world


def fleet(**rulings: str) -> State:
    """Return two red forces in one hex, one in hyperspace, one in battle's reach of nobody, and a blue one."""
    hurt = {"damage": {"hull": 3, "structural_integrity": 1}}
    return world(
        force("van", "red", {"A": 100}, {"A": 3}, classes=("petrel", "mistral"), ships=hurt),
        force("rear", "red", {"A": 100}, {"A": 3}),
        force("deep", "red", {}, {"D": 24}, classes=("petrel", "petrel"), place="hyperspace"),
        force("foe", "blue", {"D": 300}),
        rulings=rulings,
    )


def schema(state: State, side: str = "red") -> dict[str, Any]:
    """Return the schema of a side's sheet."""
    return order_schema(view_for(state, side))


def walk(node: Any) -> Any:
    """Yield every mapping inside a schema."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from walk(value)


GOOD: dict[str, Any] = {
    "forces": {
        "van": {"thrust": {"A": 2}, "wedge": "up", "flagship": "van-2", "red_line": ["van-1"], "name": "Vanguard"},
        "rear": {"course": [{"A": 1}, {}]},
        "deep": {"emerge": {"system": "alpha", "at": {"q": 0, "r": 200}, "groups": [["deep-1"], ["deep-2"]]}},
    },
    "split": [{"force": "van", "ships": ["van-1"], "into": "rear"}],
    "search": [{"ship": "rear-1", "window": "A/B blue+", "drones": 1}],
    "repair": [{"ship": "van-1", "track": "hull", "boxes": 1, "parties": 2}],
    "preferences": {"direction_away": "toward-star", "spare_point": "-"},
}


def test_the_schema_is_sound_and_every_section_says_what_it_is() -> None:
    """Titles, rules and kinds of section, and a label for every choice."""
    found = schema(fleet())
    Draft202012Validator.check_schema(found)
    kinds = {name: section["x-section"] for name, section in found["properties"].items()}
    assert kinds == {
        "forces": "force",
        "split": "list",
        "merge": "list",
        "search": "list",
        "repair": "list",
        "preferences": "choice",
    }
    for node in walk(found["properties"]):
        if "enum" in node and "x-labels" in node:
            assert set(node["x-labels"]) == set(node["enum"])
    assert all(section["title"] for section in found["properties"].values())


def test_a_good_sheet_fits_the_schema_and_is_read_without_a_problem() -> None:
    """The form and the engine agree."""
    state = fleet()
    sheet = {**GOOD, "forces": {**GOOD["forces"], "van": {**GOOD["forces"]["van"], "red_line": []}}}
    assert list(Draft202012Validator(schema(state)).iter_errors(sheet)) == []
    reading = read_orders(view_for(state, "red"), sheet)
    assert reading.problems == ()
    assert set(reading.orders.forces) == {"van", "rear", "deep"}
    assert Draft202012Validator(schema(state)).is_valid(GOOD)


@pytest.mark.parametrize(
    "sheet",
    [
        {"forces": {"foe": {}}},
        {"forces": {"van": {"thrust": {"X": 1}}}},
        {"forces": {"van": {"thrust": {"A": -1}}}},
        {"forces": {"van": {"wedge": "sideways"}}},
        {"forces": {"van": {"emerge": {"system": "alpha", "at": {"q": 0, "r": 200}}}}},
        {"forces": {"deep": {"translate_out": True}}},
        {"forces": {"rear": {"flagship": "van-1"}}},
        {"split": [{"force": "van", "dummy": True}]},
        {"search": [{"ship": "foe-1", "window": "A yellow"}]},
        {"search": [{"ship": "van-1", "window": "A purple+"}]},
        {"repair": [{"ship": "van-1", "track": "structural_integrity"}]},
        {"repair": [{"ship": "rear-1", "track": "hull"}]},
        {"merge": [{"into": "van", "forces": []}]},
        {"preferences": {"direction_away": "up"}},
        {"tea": True},
    ],
)
def test_what_the_engine_refuses_by_form_the_schema_refuses_too(sheet: dict[str, Any]) -> None:
    """Unknown ids and fields, bad numbers, orders that cannot apply where the force is."""
    state = fleet()
    assert not Draft202012Validator(schema(state)).is_valid(sheet)
    assert read_orders(view_for(state, "red"), sheet).problems


def test_choices_are_the_sides_own() -> None:
    """Nothing of another side's: no id, no name."""
    text = str(schema(fleet()))
    assert "foe" not in text.lower()
    assert schema(fleet(), "blue")["properties"]["forces"]["properties"].keys() == {"foe"}


@pytest.mark.rule("B5.142")
def test_a_search_chooses_among_the_fifty_windows() -> None:
    """Twelve yellow, twenty-four blue, twelve green and two purple."""
    windows = schema(fleet())["properties"]["search"]["items"]["properties"]["window"]["enum"]
    assert windows == list(WINDOWS)
    assert len(windows) == 50


def test_dummies_are_offered_where_the_campaign_launches_them() -> None:
    """A house rule."""
    fields = schema(fleet(dummies="launched"))["properties"]["split"]["items"]["properties"]
    assert "dummy" in fields
    assert "dummy" not in schema(fleet())["properties"]["split"]["items"]["properties"]


@pytest.mark.rule("B5.12")
def test_a_force_in_battle_is_offered_no_orders() -> None:
    """Nor are its ships a search."""
    state, _ = turn(
        world(force("van", "red", {"A": 30}), force("rear", "red", {"A": 200}), force("foe", "blue", {"A": 33}))
    )
    found = schema(state)["properties"]
    assert set(found["forces"]["properties"]) == {"rear"}
    assert found["search"]["items"]["properties"]["ship"]["enum"] == ["rear-1"]


def test_standing_choices_start_from_what_was_filed() -> None:
    """And name the bodies of every system."""
    state = world(
        force("van", "red", {"A": 30}),
        force("foe", "blue", {"A": 90}),
        sides=[
            {"key": "red", "name": "Reds", "preferences": {"direction_away": "D"}},
            {"key": "blue", "name": "Blues"},
            {"key": "green", "name": "Greens"},
        ],
        systems=[
            {
                "key": "alpha",
                "name": "Alpha",
                "star": "G2",
                "bodies": [{"id": "holm", "name": "Holm", "kind": "planet", "q": 1, "r": 2}],
            }
        ],
    )
    choice = schema(state)["properties"]["preferences"]["properties"]["direction_away"]
    assert choice["default"] == "D"
    assert choice["x-labels"]["body:holm"] == "away from Holm"
