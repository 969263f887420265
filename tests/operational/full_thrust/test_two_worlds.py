"""Two worlds that differ only in what a side never found give that side the same bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from campaign.engine.dice import canonical
from operational.rules.full_thrust.captain import captain
from operational.rules.full_thrust.order_schema import order_schema
from operational.rules.full_thrust.ruleset import RULESET
from operational.rules.full_thrust.state import Force, Ship, State
from operational.rules.full_thrust.view import view_for
from tests.operational.full_thrust.worlds import CLASSES, dice_for, force, orders_of, world

TURNS = 4
RED = (
    force("a", "red", {"D": 1}, ("cutter", "frigate"), velocity={"A": 1}),
    force("c", "red", {"E": 5}, ("tender",)),
    force("d", "red", {"C": 7}),
)
KIND = st.sampled_from([(), ("cutter",), ("frigate",), ("tender",), ("cutter", "frigate"), ("frigate", "frigate")])
HIDDEN = st.fixed_dictionaries({"classes": KIND, "damage": st.sampled_from([{}, {"hull": 1}, {"drive": 1}])})
PLACES = ({"A": 12}, {"B": 14}, {"F": 11, "A": 3}, {"A": 20})


def filled(state: State, contents: list[dict[str, Any]], *, prefix: str) -> State:
    """Return the world with other things behind the same blue markers."""
    for number, drawn in enumerate(contents, start=1):
        name = f"b{number}"
        marker: Force = state.forces[name]
        ships = [
            Ship(id=f"{prefix}{name}-{index}", side="blue", name=f"{prefix}{index}", ship_class=each, force=name,
                 status="active", cost=CLASSES[each]["points"],
                 damage={track: lost for track, lost in drawn["damage"].items() if track in ("hull", "drive")})
            for index, each in enumerate(drawn["classes"], start=1)
        ]  # fmt: skip
        state = state.with_forces(replace(marker, dummy=not ships, name=f"{prefix} {number}", shown_thrust=2))
        state = state.with_ships(*ships)
    return state


def moves(turn: int) -> dict[str, Any]:
    """Return a blue sheet that every world can follow: two points of thrust are in every marker."""
    letters = "DEFABC"
    return {"forces": {f"b{number}": {"thrust": {letters[(turn + number) % 6]: 1}} for number in range(1, 5)}}


def played(state: State, sheets: list[dict[str, Any]], doctrine: str) -> tuple[list[str], set[str], set[str]]:
    """Return what red reads after each turn, the blue markers of which it learnt anything, and those it met."""
    read, found, met = [], set(), set()
    for turn in range(1, TURNS + 1):
        if not sheets[turn - 1]:
            sheet = captain(view_for(state, "red"), doctrine)
        else:
            sheet = sheets[turn - 1]
        theirs = {**moves(turn), "forces": {key: each for key, each in moves(turn)["forces"].items()
                                            if key in state.forces and not state.forces[key].engaged}}  # fmt: skip
        orders = {"red": orders_of(state, "red", sheet), "blue": orders_of(state, "blue", theirs)}
        before = set(state.forces)
        dice = dice_for(turn)
        events = []
        for phase in RULESET.phases:
            state, told = phase.run(state, orders, dice)
            events += told
        report = view_for(state, "red")
        mine = [event.as_document() for event in events if "red" in event.audience]
        read.append(canonical([report, mine, order_schema(report)]))
        found |= {key for key in before if key not in state.forces and key.startswith("b")}
        found |= {state.ships[each.ship].force for each in state.books["red"].detected}
        found |= {contact.force for contact in state.books["red"].contacts if contact.told}
        met |= {key for key, each in state.forces.items() if each.side == "blue" and each.engaged}
    return read, found, met


@pytest.mark.rule("dummy-taskforces", "false-contacts", "sharing", "detection-phase", "easiest-ship")
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_what_is_behind_a_marker_leaves_no_trace_until_it_is_found(data: st.DataObject) -> None:
    """Ships, their number, classes, damage and names, or none at all: a dummy is a marker like any other."""
    rulings = data.draw(st.sampled_from([{}, {"markers": "in-reach"}, {"vector-movement": "on"}, {"crossing": "ends"}]))
    doctrine = data.draw(st.sampled_from(["intercept", "picket", "shadow", "evade"]))
    blank = world(
        *RED, *(force(f"b{number}", "blue", place) for number, place in enumerate(PLACES, start=1)),
        rulings=rulings,
        sides=[{"key": "red", "name": "Red", "dummies": 2}, {"key": "blue", "name": "Blue", "dummies": 6}],
    )  # fmt: skip
    sheets: list[dict[str, Any]] = [{}] * TURNS
    first = data.draw(st.lists(HIDDEN, min_size=4, max_size=4))
    read, found, met = played(filled(blank, first, prefix="x"), sheets, doctrine)
    hidden = [number for number in range(1, 5) if f"b{number}" not in found | met]
    second = [data.draw(HIDDEN) if number in hidden else each for number, each in enumerate(first, start=1)]
    # what was found keeps its names, the rest is renamed
    other = filled(blank, first, prefix="x")
    swapped = filled(blank, second, prefix="y")
    for number in hidden:
        name = f"b{number}"
        other = other.with_forces(swapped.forces[name])
        gone = {ship.id for ship in other.members.get(name, ())}
        other = replace(other, ships={key: ship for key, ship in other.ships.items() if key not in gone})
        other = other.with_ships(*swapped.members.get(name, ()))
    changed, found_too, met_too = played(other, sheets, doctrine)
    # what is only found, or met, in one of the worlds may be read there
    assume(found_too | met_too == found | met)
    assert changed == read


@pytest.mark.rule("operational-sensor-table", "sensors")
def test_with_markers_in_reach_alone_a_force_out_of_reach_is_not_there() -> None:
    """Forces out of reach of every sensor may be added, moved and removed; the report stays the same bytes."""
    rulings = {"markers": "in-reach"}
    near = force("b", "blue", {"A": 9}, ("frigate",))
    worlds = (
        world(force("a", "red", {}, ("cutter",)), near, rulings=rulings),
        world(force("a", "red", {}, ("cutter",)), near, force("z", "blue", {"A": 11}, ("tender",)), rulings=rulings),
        world(force("a", "red", {}, ("cutter",)), force("y", "blue", {"C": 60}), near, rulings=rulings),
    )
    reads = []
    for state in worlds:
        book = state.books["red"]
        (contact,) = book.contacts
        state = state.with_book(replace(book, contacts=(replace(contact, id="same"),)))
        read = []
        for turn in (1, 2):
            orders = {"red": orders_of(state, "red", {}), "blue": orders_of(state, "blue", {})}
            events = []
            dice = dice_for(turn)
            for phase in RULESET.phases:
                state, told = phase.run(state, orders, dice)
                events += [event.as_document() for event in told if "red" in event.audience]
            read.append(canonical([view_for(state, "red"), events]))
        reads.append(read)
    assert reads[0] == reads[1] == reads[2]


@pytest.mark.rule("sharing", "vectors")
def test_with_markers_in_reach_a_vector_is_only_known_of_what_is_detected_and_lost_contacts_age() -> None:
    """Out of reach a contact keeps its last hex, and its force found again is a new contact."""
    state = world(
        force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 9}, ("frigate",), velocity={"A": 3}),
        rulings={"markers": "in-reach"},
    )  # fmt: skip
    (seen,) = view_for(state, "red")["contacts"]
    assert (seen["velocity"], seen["ghosts"], seen["lost"]) == (None, [], False)
    orders = {"red": orders_of(state, "red", {}), "blue": orders_of(state, "blue", {})}
    for phase in RULESET.phases:
        state, _ = phase.run(state, orders, dice_for(1))
    (seen,) = view_for(state, "red")["contacts"]
    assert (seen["lost"], seen["r"], seen["age"]) == (True, 9, 1)
    back = state.with_forces(replace(state.forces["b"], r=7, vq=0, vr=0))
    for phase in RULESET.phases:
        back, _ = phase.run(back, {side: orders_of(back, side, {}) for side in ("red", "blue")}, dice_for(2))
    assert [(each["number"], each["lost"]) for each in view_for(back, "red")["contacts"]] == [(1, True), (2, False)]
