"""Two worlds that differ only in what a side never found give that side the same bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from campaign.engine.dice import canonical
from campaign.engine.turn import resolve
from campaign.rulebooks.saganami.bearings import WINDOWS
from operational.rules.saganami.documents import dump_state, load_state
from operational.rules.saganami.ruleset import RULESET
from operational.rules.saganami.state import State
from operational.rules.saganami.view import view_for
from tests.operational.saganami.detection_worlds import SEEDS, detect, force, searches, world

TURNS = 3
PLACE = st.fixed_dictionaries({"q": st.integers(-130, 130), "r": st.integers(-130, 130), "z": st.integers(-20, 20)})
KIND = st.sampled_from([("mistral",), ("sample", "mistral"), ("gannet",), ("mistral", "gannet")])
BLUE = st.fixed_dictionaries(
    {
        "at": PLACE,
        "classes": KIND,
        "wedge": st.sampled_from(["up", "up", "down"]),
        "dummy": st.booleans(),
        "arrives": st.integers(0, TURNS * 2),
        "velocity": st.sampled_from([{}, {"A": 4}, {"C": 3, "+": 1}]),
    }
)
RED = (
    force("lantern", "red", {}, ("mistral", "mistral"), grades={"crew": "veteran"}),
    force("wick", "red", {"q": 40, "r": -10}, ("sample",)),
)
SHIPS = ("lantern-1", "lantern-2", "wick-1")


def blue_force(name: str, drawn: dict[str, Any]) -> dict[str, Any]:
    """Return a blue force as it was drawn."""
    fields = {key: drawn[key] for key in ("wedge", "velocity")}
    dummy = {"dummy": True, "guise": list(drawn["classes"])} if drawn["dummy"] else {}
    return force(name, "blue", drawn["at"], drawn["classes"], **fields, **dummy)


def played(blue: dict[str, dict[str, Any]], orders: list[Any], rulings: dict[str, str]) -> tuple[list[str], set[str]]:
    """Return what red reads after each turn, as bytes would be made of it, and the blue forces it ever found."""
    state: State = world(*RED, *(blue_force(name, drawn) for name, drawn in blue.items()), rulings=rulings)
    read, found = [], set()
    for turn in range(1, TURNS + 1):
        arrivals = tuple(name for name, drawn in blue.items() if drawn["arrives"] == turn)
        sheet = searches("red", *orders[turn - 1])
        state, events = detect(replace(state, arrivals=arrivals), sheet)
        mine = [event.as_document() for event in events if "red" in event.audience]
        read.append(canonical([view_for(state, "red"), mine]))
        found |= {contact.force for contact in state.books["red"].contacts}
    return read, found


@pytest.mark.rule("B5.14", "B5.142", "B5.143")
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_hidden_leaves_no_trace_in_what_a_side_reads(data: st.DataObject) -> None:
    """B5.14: undetected forces moved, added, removed, renamed and put in another order."""
    rulings = data.draw(st.sampled_from([{}, {}, {"wedge-presence": "automatic"}]))
    windows = st.tuples(*(st.tuples(st.just(ship), st.sampled_from(WINDOWS[:36]), st.integers(0, 2)) for ship in SHIPS))
    orders = data.draw(st.lists(windows, min_size=TURNS, max_size=TURNS))
    blue = {f"b{number}": drawn for number, drawn in enumerate(data.draw(st.lists(BLUE, min_size=1, max_size=8)))}
    read, found = played(blue, orders, rulings)
    hidden = [name for name in blue if name not in found]
    other = {name: drawn for name, drawn in blue.items() if name in found}
    for name in data.draw(st.lists(st.sampled_from(hidden), unique=True)) if hidden else []:
        other[f"renamed-{name}"] = blue[name] if data.draw(st.booleans()) else data.draw(BLUE)
    other.update({f"added-{number}": drawn for number, drawn in enumerate(data.draw(st.lists(BLUE, max_size=4)))})
    other = {name: other[name] for name in data.draw(st.permutations(list(other)))}
    changed, found_too = played(other, orders, rulings)
    assume(found_too == found)
    assert changed == read


def whole_turns(blue: dict[str, dict[str, Any]], sheets: list[dict[str, Any]]) -> tuple[list[str], set[str]]:
    """Return what red is given after each whole turn, and the blue forces it ever knew or met."""
    state = world(*RED, *(blue_force(name, drawn) for name, drawn in blue.items()))
    document, read, known = dump_state(state), [], set[str]()
    for turn, sheet in enumerate(sheets, start=1):
        answer = resolve(
            RULESET,
            {
                "campaign": "demo",
                "branch": "main",
                "turn": turn,
                "sides": ["red", "blue"],
                "state": document,
                "sheets": {"red": {"orders": sheet, "nonce": "n1", "status": "sealed"}},
                "seeds": SEEDS,
            },
        )
        document = answer.state
        mine = [event.as_document() for event in answer.events if "red" in event.audience]
        read.append(canonical([answer.reports["red"], mine, answer.problems["red"]]))
        after = load_state(document)
        known |= {contact.force for contact in after.books["red"].contacts}
        known |= {force for meeting in after.meetings for force in meeting.forces}
    return read, known


@pytest.mark.rule("B5.14", "B5.142")
@settings(max_examples=12, deadline=None)
@given(st.data())
def test_a_whole_turn_leaves_no_trace_of_what_is_hidden(data: st.DataObject) -> None:
    """B5.14: movement, hand-off, wedges, detection, report: nothing of the others' hidden forces shows."""
    windows = st.sampled_from(WINDOWS[:36])
    sheets = [
        {
            "forces": {"lantern": {"thrust": {"A": 2}}},
            "search": [{"ship": ship, "window": data.draw(windows), "drones": 1} for ship in SHIPS],
        }
        for _ in range(TURNS)
    ]
    blue = {f"b{number}": drawn for number, drawn in enumerate(data.draw(st.lists(BLUE, min_size=1, max_size=6)))}
    read, known = whole_turns(blue, sheets)
    other = {name: drawn for name, drawn in blue.items() if name in known}
    for name in [name for name in blue if name not in known]:
        other[f"renamed-{name}"] = data.draw(st.sampled_from([blue[name], data.draw(BLUE)]))
    other.update({f"added-{number}": drawn for number, drawn in enumerate(data.draw(st.lists(BLUE, max_size=3)))})
    other = {name: other[name] for name in data.draw(st.permutations(list(other)))}
    changed, known_too = whole_turns(other, sheets)
    assume(known_too == known)
    assert changed == read


@pytest.mark.rule("B5.142")
def test_in_a_whole_turn_the_wrong_window_misses_what_the_right_one_finds() -> None:
    """B5.142: searched from where the ship ends the turn; the sheet, the dice and the other side are the same."""
    blue = {
        "b0": {"at": {"q": 0, "r": 60, "z": 0}, "classes": ("mistral",), "wedge": "up", "dummy": False, "velocity": {}}
    }
    found = {}
    for window in ("A/B yellow", "A yellow"):
        sheet = {"search": [{"ship": ship, "window": window} for ship in SHIPS[:2]]}
        read, known = whole_turns(blue, [sheet] * 4)
        found[window] = known
        assert ("contact-gained" in "".join(read)) is bool(known)
    assert found == {"A/B yellow": set(), "A yellow": {"b0"}}
