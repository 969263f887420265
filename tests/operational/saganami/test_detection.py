"""The detection phase: windows, checks, drones, footprints, and both modes of B5.14."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from campaign.engine.ruleset import Event
from operational.rules.saganami import detection
from operational.rules.saganami.contacts_view import ledger_for, view_contacts
from operational.rules.saganami.detection_ranges import MEGATON
from operational.rules.saganami.state import IN_HYPERSPACE, Meeting, State
from tests.operational.saganami.detection_worlds import class_document, detect, dice, force, searches, world

RED_SHIP = "lantern-1"


def contacts(state: State, side: str = "red") -> list[dict[str, Any]]:
    """Return a side's contacts."""
    return view_contacts(state, side)


def told(events: tuple[Event, ...], side: str = "red") -> list[str]:
    """Return the kinds of the events that a side may read."""
    return [event.kind for event in events if side in event.audience]


def pursuit(**fields: Any) -> State:
    """Return a red force at the star and a blue one 70 hexes away in A, moving 9D."""
    return world(force("lantern", "red", {}), force("osmark", "blue", {"A": 70}, velocity={"D": 9}, **fields))


@pytest.mark.rule("B5.142")
def test_the_wrong_window_misses_the_force_that_the_right_one_finds() -> None:
    """B5.142: one attempt looks through one AVID window; the same die, the same force."""
    wrong, events = detect(pursuit(), searches("red", (RED_SHIP, "A/B yellow")), {RED_SHIP: 1})
    assert contacts(wrong) == []
    assert told(events) == []
    assert ledger_for(wrong, "red")[0]["outcome"] == "nothing-found"
    right, events = detect(pursuit(), searches("red", (RED_SHIP, "A yellow")), {RED_SHIP: 1})
    (contact,) = contacts(right)
    assert (contact["number"], contact["q"], contact["r"], contact["z"]) == (1, 0, 70, 0)
    assert contact["knows"] == ["presence", "acceleration", "scale/10"]
    assert contact["velocity"] == {"D": 9}
    assert told(events) == ["contact-gained"]
    assert ledger_for(right, "red")[0]["text"] == "Lantern 1 searched A yellow: contact 1."


@pytest.mark.rule("B5.14", "B5.142")
def test_without_a_search_nothing_of_a_wedge_is_seen() -> None:
    """B5.14 as settled: presence too is learnt by searching."""
    after, events = detect(world(force("lantern", "red", {}), force("osmark", "blue", {"A": 8})))
    assert contacts(after) == []
    assert events == ()


@pytest.mark.rule("B5.141")
@pytest.mark.parametrize(("face", "found"), [(2, True), (3, False)])
def test_the_check_counts_the_range(face: int, found: bool) -> None:
    """B5.141: average crew 5, three full tens over forty at 70 hexes."""
    after, _ = detect(pursuit(), searches("red", (RED_SHIP, "A yellow")), {RED_SHIP: face})
    assert bool(contacts(after)) is found


@pytest.mark.rule("B5.141")
def test_a_failed_check_reads_like_an_empty_window() -> None:
    """B5.141: the ledger tells nothing of why nothing was found."""
    failed, events = detect(pursuit(), searches("red", (RED_SHIP, "A yellow", 1)), {RED_SHIP: 10})
    empty, others = detect(
        world(force("lantern", "red", {})), searches("red", (RED_SHIP, "A yellow", 1)), {RED_SHIP: 10}
    )
    assert ledger_for(failed, "red") == ledger_for(empty, "red")
    assert told(events) == told(others) == []
    assert failed.ships.drones[0] == empty.ships.drones[0] == 7


@pytest.mark.rule("B5.142")
def test_drones_are_spent_from_the_ships_stores_and_shorten_the_range() -> None:
    """B5.142: 81 hexes with one drone count as 76, so scale over ten is told."""
    state = world(force("lantern", "red", {}, drones=2), force("osmark", "blue", {"A": 81}))
    plain, _ = detect(state, searches("red", (RED_SHIP, "A yellow")), {RED_SHIP: 1})
    assert contacts(plain)[0]["pips"] == 2
    drone, _ = detect(state, searches("red", (RED_SHIP, "A yellow", 1)), {RED_SHIP: 1})
    assert contacts(drone)[0]["pips"] == 3
    assert drone.ships.drones[0] == 1
    many, _ = detect(state, searches("red", (RED_SHIP, "A yellow", 9)), {RED_SHIP: 1})
    assert many.ships.drones[0] == 0
    assert "2 recon drones" in ledger_for(many, "red")[0]["text"]


@pytest.mark.rule("B5.142")
def test_a_ship_searches_one_window_a_turn() -> None:
    """B5.142: a second order of the same ship is not made."""
    orders = searches("red", (RED_SHIP, "D yellow"), (RED_SHIP, "A yellow"))
    after, _ = detect(pursuit(), orders, {RED_SHIP: 1})
    assert contacts(after) == []
    assert len(ledger_for(after, "red")) == 1


@pytest.mark.rule("B5.142")
def test_the_ships_of_a_force_add_their_attempts() -> None:
    """B5.142: an attempt a ship; the one that passes tells the whole side."""
    state = world(force("lantern", "red", {}, ("mistral", "mistral")), force("osmark", "blue", {"A": 70}))
    orders = searches("red", (RED_SHIP, "A yellow"), ("lantern-2", "A yellow"))
    after, events = detect(state, orders, {RED_SHIP: 10, "lantern-2": 1})
    assert [entry["outcome"] for entry in ledger_for(after, "red")] == ["nothing-found", "found"]
    assert told(events) == ["contact-gained"]


@pytest.mark.rule("B5.142")
def test_only_ones_own_ships_on_the_map_search() -> None:
    """B5.142: not another side's, not one in hyperspace, not one in battle."""
    state = pursuit()
    stolen, _ = detect(state, searches("red", ("osmark-1", "D yellow")), {"osmark-1": 1})
    assert ledger_for(stolen, "red") == []
    place = state.forces.place.copy()
    place[0] = IN_HYPERSPACE
    away = replace(state, forces=replace(state.forces, place=place))
    after, _ = detect(away, searches("red", (RED_SHIP, "A yellow", 1)), {RED_SHIP: 1})
    (entry,) = ledger_for(after, "red")
    assert (entry["outcome"], entry["text"]) == ("not-made", "Lantern 1 made no search: it is in hyperspace.")
    assert after.ships.drones[0] == state.ships.drones[0]
    fighting = replace(state, forces=replace(state.forces, engaged=("e1", "")))
    after, _ = detect(fighting, searches("red", (RED_SHIP, "A yellow")), {RED_SHIP: 1})
    assert ledger_for(after, "red")[0]["outcome"] == "not-made"


@pytest.mark.rule("D1.142", "B5.141")
@pytest.mark.parametrize(("ewo", "found"), [("poor", False), ("average", True)])
def test_the_ewo_counts_in_the_search(ewo: str, found: bool) -> None:
    """D1.142: a poor EWO takes one off the target number."""
    state = world(force("lantern", "red", {}, grades={"ewo": ewo}), force("osmark", "blue", {"A": 40}))
    after, _ = detect(state, searches("red", (RED_SHIP, "A yellow")), {RED_SHIP: 5})
    assert bool(contacts(after)) is found


@pytest.mark.rule("B5.141")
def test_ecm_counts_as_it_is_after_damage_and_the_easiest_ship_gives_a_force_away() -> None:
    """B5.141: the superdreadnought's ECM is 5, the cruiser's 3, so two levels; less with the track hit."""
    hidden = world(force("lantern", "red", {}), force("osmark", "blue", {"A": 40}, ("sample",)))
    order = searches("red", (RED_SHIP, "A yellow"))
    assert contacts(detect(hidden, order, {RED_SHIP: 4})[0]) == []
    assert len(contacts(detect(hidden, order, {RED_SHIP: 3})[0])) == 1
    hurt = world(force("lantern", "red", {}), force("osmark", "blue", {"A": 40}, ("sample",), damage={"ecm": 3}))
    assert len(contacts(detect(hurt, order, {RED_SHIP: 5})[0])) == 1
    mixed = world(force("lantern", "red", {}), force("osmark", "blue", {"A": 40}, ("sample", "mistral")))
    assert len(contacts(detect(mixed, order, {RED_SHIP: 5})[0])) == 1
    blind = world(force("lantern", "red", {}, damage={"ecm": 5}), force("osmark", "blue", {"A": 40}))
    assert contacts(detect(blind, order, {RED_SHIP: 4})[0]) == []


@pytest.mark.rule("B5.144")
def test_lacs_are_found_at_a_quarter_and_told_only_where_they_are_in_range() -> None:
    """B5.144: a squadron beside a cruiser is not counted at 31 hexes, and is at 20."""
    order, die = searches("red", (RED_SHIP, "A yellow")), {RED_SHIP: 1}
    alone = world(force("lantern", "red", {}), force("gulls", "blue", {"A": 31}, ("gannet",)))
    assert contacts(detect(alone, order, die)[0]) == []
    near = world(force("lantern", "red", {}), force("gulls", "blue", {"A": 20}, ("gannet",)))
    assert contacts(detect(near, order, die)[0])[0]["pips"] == 3
    far = world(force("lantern", "red", {}), force("osmark", "blue", {"A": 31}, ("mistral", "gannet")))
    assert scale(detect(far, order, die)[0]) == "scale 4"
    both = world(force("lantern", "red", {}), force("osmark", "blue", {"A": 20}, ("mistral", "gannet")))
    assert scale(detect(both, order, die)[0]) == "scale 4; scale at least 0, less than 10"


def scale(state: State) -> str:
    """Return what is told of the first contact's scale."""
    (fact,) = [fact["value"] for fact in contacts(state)[0]["facts"] if fact["label"] == "Scale"]
    return str(fact)


@pytest.mark.rule("B5.145")
@pytest.mark.parametrize(("hexes", "pips"), [(4, 5), (6, 4), (12, 1), (13, None)])
def test_a_force_with_its_wedge_down_is_found_at_a_tenth(hexes: int, pips: int | None) -> None:
    """B5.145: presence at 12 hexes, exact scale at 4."""
    state = world(force("lantern", "red", {}), force("osmark", "blue", {"A": hexes}, wedge="down"))
    found = contacts(detect(state, searches("red", (RED_SHIP, "A yellow")), {RED_SHIP: 1})[0])
    assert (found[0]["pips"] if found else None) == pips
    if found:
        assert found[0]["facts"][0]["value"] == "down"


@pytest.mark.rule("B5.143")
def test_the_referee_tells_scales_as_at_least_and_less_than() -> None:
    """B5.143: three cruisers of scale 4 and a superdreadnought of 15, over five."""
    state = world(force("lantern", "red", {}), force("osmark", "blue", {"A": 60}, ("mistral", "sample", "mistral")))
    after, events = detect(state, searches("red", (RED_SHIP, "A yellow")), {RED_SHIP: 1})
    assert scale(after) == "scale at least 15, less than 20; 2 of scale at least 0, less than 5"
    (event,) = [each for each in events if each.audience == ("red",)]
    assert event.text == (
        "Contact 1: detected, accelerating 0, velocities of 0, "
        "scale at least 15, less than 20; 2 of scale at least 0, less than 5."
    )


def arrival(tons: int, hexes: int, **fields: Any) -> tuple[State, tuple[Event, ...]]:
    """Return what is detected when a blue group of so many tons comes out of hyperspace, red at the star."""
    heavy = {**class_document("mistral"), "tons": tons}
    newcomer = force("osmark", "blue", {"A": hexes}, **fields)
    state = world(force("lantern", "red", {}), newcomer, classes={"mistral": heavy})
    return detect(replace(state, arrivals=("osmark",)))


@pytest.mark.rule("B5.14")
@pytest.mark.parametrize(
    ("tons", "hexes"), [(101 * MEGATON, 300), (100 * MEGATON, 225), (50 * MEGATON, 225), (50 * MEGATON - 1, 150)]
)
def test_a_hyper_footprint_is_seen_by_itself_within_its_range(tons: int, hexes: int) -> None:
    """B5.14: no search, no die; the hex and the row of mass are told, and nothing else."""
    after, events = arrival(tons, hexes)
    (contact,) = contacts(after)
    assert (contact["knows"], contact["pips"], contact["r"], contact["velocity"]) == (["footprint"], 0, hexes, None)
    assert (contact["seen"], contact["age"], contact["reach"]) == (0, 1, 120)
    assert told(events) == ["footprint-detected"]
    assert after.arrivals == ()
    beyond, events = arrival(tons, hexes + 1)
    assert contacts(beyond) == []
    assert events == ()


@pytest.mark.rule("B5.14")
def test_a_footprint_counts_all_the_ships_of_a_group_and_no_wedge_hides_it() -> None:
    """B5.14: two ships of 30 million tons are seen at 225 hexes; only wedges are hidden by being down."""
    after, _ = arrival(30 * MEGATON, 225, classes=("mistral", "mistral"), wedge="down")
    assert contacts(after)[0]["facts"][0]["value"] == "50 to 100 million tons"


@pytest.mark.rule("B5.14")
def test_a_footprint_is_where_the_group_came_out_before_it_moved_on() -> None:
    """B5.14: groups come out at the start of a turn and move in it; who saw it stood where it was then too."""
    state = world(force("lantern", "red", {"A": 20}), force("osmark", "blue", {"A": 160}))
    moves = np.array([0, -10])
    state = replace(state, arrivals=("osmark",), forces=replace(state.forces, mr=moves))
    after, (event,) = detect(state)
    assert (contacts(after)[0]["r"], event.data["r"]) == (170, 170)
    assert after.arrivals == ()
    away = replace(state, forces=replace(state.forces, mr=np.array([1, -10])))
    assert detect(away)[1] == ()


@pytest.mark.rule("B5.14")
def test_a_dummy_sees_no_footprint_and_makes_one_like_a_force() -> None:
    """B5.14: a dummy has no eyes; the footprint of one is that of the ships it pretends to be."""
    shown = force("ghost", "blue", {"A": 100}, dummy=True, guise=["sample"])
    state = world(force("lantern", "red", {}), shown)
    after, events = detect(replace(state, arrivals=("ghost",)))
    assert told(events) == ["footprint-detected"]
    assert contacts(after)[0]["facts"][0]["value"] == "less than 50 million tons"
    blind = world(force("ghost", "red", {}, dummy=True), force("osmark", "blue", {"A": 10}))
    after, events = detect(replace(blind, arrivals=("osmark",)))
    assert events == ()


@pytest.mark.rule("B5.14")
def test_a_footprint_and_the_wedge_found_behind_it_are_one_contact() -> None:
    """B5.14: the searching ship looks where the discharge was."""
    state = pursuit()
    after, events = detect(replace(state, arrivals=("osmark",)), searches("red", (RED_SHIP, "A yellow")), {RED_SHIP: 1})
    assert sorted(told(events)) == ["contact-gained", "footprint-detected"]
    (contact,) = contacts(after)
    assert contact["knows"] == ["footprint", "presence", "acceleration", "scale/10"]


@pytest.mark.rule("B5.14")
def test_in_the_open_everyone_sees_everyone_exactly() -> None:
    """B5.14: the simplest way, with no search, no die and no drone spent."""
    state = world(
        force("lantern", "red", {}),
        force("osmark", "blue", {"A": 900}, ("sample",), velocity={"D": 4}),
        force("ghost", "blue", {"C": 500}, dummy=True),
        rulings={"detection": "open"},
    )
    after, events = detect(state, searches("red", (RED_SHIP, "A yellow", 1)))
    ghost, osmark = sorted(contacts(after), key=lambda each: int(each["r"]))
    assert osmark["knows"] == ["presence", "acceleration", "scale/10", "scale/5", "exact"]
    assert osmark["side_name"] == "Blues"
    assert any(fact["label"] == "Dummy" for fact in ghost["facts"])
    assert after.ships.drones[0] == state.ships.drones[0]
    assert len(contacts(after, "blue")) == 1
    assert told(events).count("contact-gained") == 2


@pytest.mark.rule("B5.14")
@pytest.mark.parametrize(("hexes", "knows"), [(120, 1), (101, 1), (100, 2), (30, 2), (121, None)])
def test_the_house_switch_shows_presence_and_acceleration_in_range(hexes: int, knows: int | None) -> None:
    """B5.14: a campaign may play the first two rows as automatic; scale still asks for a search."""
    rulings = {"wedge-presence": "automatic"}
    state = world(force("lantern", "red", {}), force("osmark", "blue", {"A": hexes}), rulings=rulings)
    found = contacts(detect(state)[0])
    assert (found[0]["pips"] if found else None) == knows
    lacs = world(force("lantern", "red", {}), force("gulls", "blue", {"A": 31}, ("gannet",)), rulings=rulings)
    assert contacts(detect(lacs)[0]) == []


@pytest.mark.rule("B5.14")
def test_allies_show_each_other_their_forces_and_are_never_hunted() -> None:
    """B5.14: an ally's force is known, with its side, without a search."""
    sides = [{"key": "red", "name": "Reds", "allies": ["blue"]}, {"key": "blue", "name": "Blues"}]
    state = world(force("lantern", "red", {}), force("osmark", "blue", {"A": 900}), sides=sides)
    after, _ = detect(state)
    assert (contacts(after)[0]["side"], contacts(after)[0]["pips"]) == ("blue", 5)
    assert contacts(after, "blue")[0]["side"] == "red"


@pytest.mark.rule("B5.12")
def test_who_is_in_battle_sees_the_other() -> None:
    """B5.12: forces at range 5 know where the other is, how it moves and whose it is."""
    state = world(force("lantern", "red", {}), force("osmark", "blue", {"A": 5}), force("far", "blue", {"D": 50}))
    battle = Meeting(id="e1", issue=1, turn=0, issued=0, system=0, forces=("lantern", "osmark"), document={})
    after, _ = detect(replace(state, meetings=(battle,)))
    (contact,) = contacts(after)
    assert (contact["r"], contact["pips"], contact["side_name"]) == (5, 2, "Blues")
    over, _ = detect(replace(state, meetings=(replace(battle, closed=True),)))
    assert contacts(over) == []


@pytest.mark.rule("B5.142")
def test_the_dice_of_a_turn_hang_on_the_orders_alone() -> None:
    """B5.142: one die a search, whatever is in the window; a hidden force changes no other die."""
    orders = searches("red", (RED_SHIP, "A yellow"), ("lantern-2", "D yellow"))
    rolled = []
    for others in ((), (force("osmark", "blue", {"A": 60}), force("second", "blue", {"A": 61}))):
        state = world(force("lantern", "red", {}, ("mistral", "mistral")), *others)
        stream = dice()
        detection.run(state, orders, stream)
        rolled.append([roll.as_document() for roll in stream.rolls() if "search" in roll.address])
    assert rolled[0] == rolled[1]
    assert [len(roll["faces"]) for roll in rolled[0]] == [1, 1]
    assert {roll["stream"] for roll in rolled[0]} == {"umpire"}


@pytest.mark.rule("B5.141")
def test_the_umpire_reads_every_die_and_no_side_does() -> None:
    """B5.141: a die would tell whether a window is empty."""
    _, events = detect(pursuit(), searches("red", (RED_SHIP, "A yellow")), {RED_SHIP: 10})
    (event,) = events
    assert event.audience == ()
    assert event.data["searches"] == [
        {"ship": RED_SHIP, "window": "A yellow", "drones": 0, "target": 5, "die": 10, "found": 0}
    ]
