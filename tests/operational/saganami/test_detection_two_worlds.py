"""Two worlds that differ only in what a side never found give that side the same bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from campaign.engine.dice import canonical
from campaign.rulebooks.saganami.bearings import WINDOWS
from operational.rules.saganami.state import State
from operational.rules.saganami.view import view_for
from tests.operational.saganami.detection_worlds import detect, force, searches, world

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
