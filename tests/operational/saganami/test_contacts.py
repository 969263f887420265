"""Contacts: gained, improved, aged, lost, and never more than what was learnt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.hexes import Hex, true_range
from campaign.engine.vectors import from_axial
from campaign.rulebooks.saganami.movement import is_thrust_legal
from operational.rules.saganami.contacts import Sighting, Whereabouts, coarser, learn, reach
from operational.rules.saganami.contacts_view import view_contacts
from operational.rules.saganami.documents import dump_state, load_state
from operational.rules.saganami.flight import Flight, fly
from operational.rules.saganami.state import GONE, State
from tests.operational.saganami.detection_worlds import detect, dice, force, searches, world

SHIP = "lantern-1"
SEARCH = searches("red", (SHIP, "A yellow"))


def contacts(state: State, side: str = "red") -> list[dict[str, Any]]:
    """Return a side's contacts."""
    return view_contacts(state, side)


def moved(state: State, name: str, q: int, r: int) -> State:
    """Return the state with a force in another hex."""
    forces = state.forces
    at = forces.index[name]
    columns = {"q": forces.q.copy(), "r": forces.r.copy()}
    columns["q"][at], columns["r"][at] = q, r
    return replace(state, forces=replace(forces, **columns))


def found_at(hexes: int, **fields: Any) -> State:
    """Return a world in which red has just found a blue force so many hexes away in A."""
    state = world(force("lantern", "red", {}), force("osmark", "blue", {"A": hexes}, **fields))
    return detect(state, SEARCH, {SHIP: 1})[0]


@pytest.mark.rule("B5.14")
def test_a_contact_that_is_not_seen_again_keeps_what_was_learnt_and_ages() -> None:
    """B5.14: the last known hex, the turn of it, and how far it may be by now."""
    state = found_at(70, velocity={"D": 9})
    for _ in range(3):
        state, events = detect(moved(state, "osmark", 40, 40))
        assert events == ()
    (contact,) = contacts(state)
    assert (contact["r"], contact["seen"], contact["age"], contact["lost"]) == (70, 1, 3, False)
    assert contact["reach"] == reach(3, velocity_age=0)
    assert contact["ghosts"][0] == {"turn": 4, "q": 0, "r": 43, "z": 0}
    assert contact["ghosts"][-1] == {"turn": 7, "q": 0, "r": 16, "z": 0}


@pytest.mark.rule("B5.14")
def test_presence_alone_tells_no_velocity_and_no_course() -> None:
    """B5.14: at 120 hexes presence, and nothing more."""
    state = found_at(110, grades={"ewo": "poor"})
    assert contacts(state) == []  # a die of one with seven tens over forty fails an average crew
    state = world(
        force("lantern", "red", {}, grades={"crew": "elite"}), force("osmark", "blue", {"A": 110}, velocity={"D": 9})
    )
    after, _ = detect(state, SEARCH, {SHIP: 1})
    (contact,) = contacts(after)
    assert (contact["knows"], contact["velocity"], contact["ghosts"]) == (["presence"], None, [])
    assert [fact["label"] for fact in contact["facts"]] == ["Wedge"]
    later, _ = detect(after)
    assert contacts(later)[0]["reach"] == 120


@pytest.mark.rule("B5.14")
@pytest.mark.parametrize(("memory", "turns"), [("6", 6), ("19", 19), ("never", None)])
def test_a_contact_is_lost_after_the_turns_a_campaign_chose(memory: str, turns: int | None) -> None:
    """B5.14: nothing seen for that long; then it is forgotten, and what is found is a new contact."""
    state = world(force("lantern", "red", {}), force("osmark", "blue", {"A": 30}), rulings={"contact-memory": memory})
    state, _ = detect(state, SEARCH, {SHIP: 1})
    for _ in range(turns or 40):
        state, events = detect(state)
        assert events == ()
    assert contacts(state)[0]["lost"] is False
    if turns is None:
        return
    state, events = detect(state)
    assert [event.kind for event in events] == ["contact-lost"]
    assert contacts(state)[0]["lost"] is True
    assert contacts(state)[0]["ghosts"] == []
    again, events = detect(state, SEARCH, {SHIP: 1})
    assert [(each["number"], each["lost"]) for each in contacts(again)] == [(1, True), (2, False)]
    assert [event.kind for event in events if event.audience] == ["contact-gained"]
    for _ in range(turns):
        state, events = detect(state)
        assert events == ()
    assert contacts(state) == []


@pytest.mark.rule("B5.14")
def test_a_contact_found_again_keeps_its_number_and_improves() -> None:
    """B5.14: nearer, more rows are learnt; the side is told once."""
    state = found_at(70, velocity={"D": 30})
    first = contacts(state)[0]
    state, events = detect(moved(state, "osmark", 0, 40), SEARCH, {SHIP: 1})
    (contact,) = contacts(state)
    assert (contact["id"], contact["number"], contact["pips"]) == (first["id"], 1, 5)
    assert [event.kind for event in events if event.audience] == ["contact-improved"]
    assert contact["facts"][-1]["value"] == "scale 4"
    state, events = detect(moved(state, "osmark", 0, 10), SEARCH, {SHIP: 1})
    assert [event.kind for event in events if event.audience] == []
    assert contacts(state)[0]["r"] == 10


@pytest.mark.rule("B5.143")
def test_a_finer_scale_of_before_stays_until_it_is_denied() -> None:
    """B5.143: 15 exactly agrees with 10 to 20; a second ship in the force does not."""
    state = world(
        force("lantern", "red", {}),
        force("osmark", "blue", {"A": 30}, ("sample",), velocity={"A": 19}),
        force("tender", "blue", {"C": 300}),
    )
    state, _ = detect(state, SEARCH, {SHIP: 1})
    assert contacts(state)[0]["facts"][-1]["value"] == "scale 15"
    state, _ = detect(moved(state, "osmark", 0, 49), SEARCH, {SHIP: 1})
    fact = contacts(state)[0]["facts"][-1]
    assert (fact["value"], fact["turn"]) == ("scale 15", 1)
    ships = state.ships
    joined = replace(state, ships=replace(ships, force=("lantern", "osmark", "osmark")))
    state, _ = detect(moved(joined, "osmark", 0, 68), SEARCH, {SHIP: 1})
    fact = contacts(state)[0]["facts"][-1]
    assert fact["value"] == "scale at least 10, less than 20; scale at least 0, less than 10"
    assert fact["turn"] == 3


@pytest.mark.rule("B5.143")
def test_scales_read_over_a_coarser_divisor() -> None:
    """B5.143: 15 and 12 are both at least ten and less than twenty."""
    assert coarser([[15, 16, 1], [12, 13, 2], [4, 5, 1]], 10) == [[10, 20, 3], [0, 10, 1]]
    assert coarser([[15, 16, 1], [12, 13, 2]], 5) == [[15, 20, 1], [10, 15, 2]]


@pytest.mark.rule("B5.14")
def test_a_dummy_looks_like_a_force_until_its_exact_scale_would_be_told() -> None:
    """B5.14: over ten and over five a dummy shows the ships it pretends to be; at 40 hexes it is seen through."""
    shapes = []
    for newcomer in (
        force("osmark", "blue", {"A": 60}, ("sample",), velocity={"D": 20}),
        force("osmark", "blue", {"A": 60}, dummy=True, guise=["sample"], velocity={"D": 20}),
    ):
        state = world(force("lantern", "red", {}, grades={"ewo": "elite"}), newcomer)
        far, events = detect(state, SEARCH, {SHIP: 1})
        shapes.append((contacts(far), [event for event in events if event.audience]))
        near, _ = detect(moved(far, "osmark", 0, 40), SEARCH, {SHIP: 1})
    assert shapes[0] == shapes[1]
    (contact,) = contacts(near)
    assert contact["pips"] == 5
    assert [fact["label"] for fact in contact["facts"]][-1] == "Dummy"
    assert not any(fact["label"] == "Scale" for fact in contact["facts"])


@pytest.mark.rule("B5.14")
def test_a_dummy_of_no_stated_guise_shows_its_sides_first_ship() -> None:
    """B5.14: and goes on to, whatever becomes of that ship."""
    state = world(
        force("lantern", "red", {}, grades={"ewo": "elite"}),
        force("fleet", "blue", {"C": 300}, ("sample",)),
        force("ghost", "blue", {"A": 60}, dummy=True),
    )
    after, _ = detect(state, SEARCH, {SHIP: 1})
    assert contacts(after)[0]["facts"][-1]["value"] == "scale at least 15, less than 20"
    wreck = replace(state, ships=replace(state.ships, status=("active", "destroyed")))
    after, _ = detect(wreck, SEARCH, {SHIP: 1})
    assert contacts(after)[0]["facts"][-1]["value"] == "scale at least 15, less than 20"


@pytest.mark.rule("B5.14")
def test_new_contacts_are_numbered_by_place_and_have_random_ids() -> None:
    """B5.14: nothing in a list tells the order in which the other side has its forces."""
    names = ("second", "first", "third")
    lists = []
    for order in (names, names[::-1]):
        blue = [force(name, "blue", {"A": 30 + 5 * names.index(name)}) for name in order]
        after, _ = detect(world(force("lantern", "red", {}), *blue), SEARCH, {SHIP: 1})
        lists.append(contacts(after))
    assert lists[0] == lists[1]
    assert [(each["number"], each["r"]) for each in lists[0]] == [(1, 30), (2, 35), (3, 40)]
    assert len({each["id"] for each in lists[0]}) == 3
    assert not any(name in each["id"] for each in lists[0] for name in names)


@pytest.mark.rule("B5.14")
def test_a_force_that_is_gone_ages_like_one_that_hides() -> None:
    """B5.14: who left is not told."""
    state = found_at(30)
    place = state.forces.place.copy()
    place[1] = GONE
    gone, _ = detect(replace(state, forces=replace(state.forces, place=place)), SEARCH, {SHIP: 1})
    hidden, _ = detect(moved(state, "osmark", 0, 400), SEARCH, {SHIP: 1})
    assert contacts(gone) == contacts(hidden)
    assert contacts(gone)[0]["age"] == 1


@pytest.mark.rule("B5.14")
@pytest.mark.parametrize(("r", "numbers"), [(70, [1]), (34, [1]), (33, [1, 2])])
def test_what_is_seen_where_a_contact_cannot_have_got_to_is_a_new_contact(r: int, numbers: list[int]) -> None:
    """B5.14: 9D from 70 hexes is 52 after two turns, and thrust bends that by 18 hexes; farther off it is another."""
    state, _ = detect(found_at(70, velocity={"D": 9}))
    found, _ = detect(moved(state, "osmark", 0, r), SEARCH, {SHIP: 1})
    assert [contact["number"] for contact in contacts(found)] == numbers


@pytest.mark.rule("B5.14", "B5.16")
def test_a_force_that_comes_back_out_of_hyperspace_is_a_new_contact() -> None:
    """B5.14: its footprint does not tell that it was here before; the old contact ages on by itself."""
    state = found_at(30)
    after, events = detect(replace(state, arrivals=("osmark",)))
    old, new = contacts(after)
    assert (old["number"], old["age"], old["knows"][0]) == (1, 1, "presence")
    assert (new["number"], new["knows"]) == (2, ["footprint"])
    assert [event.kind for event in events] == ["footprint-detected"]
    later, _ = detect(after, SEARCH, {SHIP: 1})
    assert [(each["number"], each["age"]) for each in contacts(later)] == [(1, 2), (2, 0)]


@pytest.mark.rule("B5.14")
def test_a_dummy_that_was_seen_through_is_not_believed_again() -> None:
    """B5.14: farther away it shows its guise again, to those who do not know it yet."""
    state = world(
        force("lantern", "red", {}, grades={"ewo": "elite"}),
        force("ghost", "blue", {"A": 40}, dummy=True, guise=["sample"], velocity={"A": 18}),
    )
    state, _ = detect(state, SEARCH, {SHIP: 1})
    state, _ = detect(moved(state, "ghost", 0, 58), SEARCH, {SHIP: 1})
    (contact,) = contacts(state)
    assert (contact["age"], contact["pips"]) == (0, 5)
    assert not any(fact["label"] == "Scale" for fact in contact["facts"])


def test_a_contact_survives_the_state_document() -> None:
    """Contacts are plain whole numbers and text."""
    state = found_at(40, classes=("sample", "mistral"), velocity={"D": 9})
    document = dump_state(state)
    assert dump_state(load_state(document)) == document
    assert contacts(load_state(document)) == contacts(state)


@pytest.mark.rule("B5.14")
def test_a_sighting_of_nobody_changes_no_book() -> None:
    """B5.14: an empty turn leaves the book and its numbers alone."""
    state = found_at(40)
    learnt = learn(state.books["red"], [], Whereabouts(state), 2, dice(2), 19)
    assert (learnt.book, learnt.events, dict(learnt.seen)) == (state.books["red"], (), {})
    assert Sighting(row=0, rows=0).scale is None


@pytest.mark.rule("B3.27", "B5.123")
@given(
    st.lists(st.tuples(st.integers(-8, 8), st.integers(-8, 8), st.integers(-8, 8)), min_size=1, max_size=12),
    st.sampled_from(["poor", "average", "elite"]),
    st.integers(0, 4),
)
def test_no_legal_course_leaves_the_reach_of_a_contact(
    steps: list[tuple[int, int, int]], engineer: Any, velocity_age: int
) -> None:
    """B3.27: with any thrust up to eight, reckoned with a velocity that may be some turns older than the place."""
    changes = [from_axial(*step) for step in steps if is_thrust_legal(8, from_axial(*step))]
    flown = [Flight(Hex(0, 0, 0), Hex(5, -2, 1), engineer=engineer)]
    flown += fly(flown[0], changes)
    for age, after in enumerate(flown[velocity_age:]):
        seen = flown[velocity_age].position
        reckoned = seen.moved(5 * age, -2 * age, age)
        assert true_range(*after.position.less(reckoned)) <= reach(age, velocity_age=velocity_age)


def test_a_contact_that_was_never_seen_moving_may_be_anywhere_within_the_speed_limit() -> None:
    """B5.123: 120 hexes a turn."""
    assert [reach(age, velocity_age=None) for age in (0, 1, 4)] == [0, 120, 480]
    assert reach(0, velocity_age=0) == 0
    assert reach(100, velocity_age=0) == 24_000
    assert np.all(np.diff([reach(age, velocity_age=0) for age in range(60)]) > 0)
