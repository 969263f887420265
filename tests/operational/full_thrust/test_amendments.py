"""The game master's typed changes: refused with a reason, or made, seen on the map, and told to whom they concern."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from operational.rules.full_thrust.amendments import AMENDMENT_SCHEMA, amend
from operational.rules.full_thrust.state import State
from operational.rules.full_thrust.view import view_for
from tests.operational.full_thrust.worlds import force, play, resolved, world

AT = {"q": 3, "r": -2}


@pytest.fixture
def state() -> State:
    """Return red with two ships in a force and a tender, blue far away."""
    return world(
        force("a", "red", {}, ("cutter", "frigate")), force("c", "red", {"E": 9}, ("tender",)),
        force("b", "blue", {"A": 60}, ("frigate",)),
    )  # fmt: skip


def refused(state: State, **act: Any) -> list[tuple[str, str]]:
    """Return place and code of the problems of a change."""
    with pytest.raises(ProblemsError) as caught:
        amend(state, act)
    return [(one.place, one.code) for one in caught.value.problems]


def test_a_task_force_is_moved_named_and_given_a_vector(state: State) -> None:
    """The other side sees its marker where it is now, and none of the words."""
    state, events = amend(state, {"act": "move-force", "force": "a", "at": AT})
    assert [event.audience for event in events] == [("red",)]
    state, _ = amend(state, {"act": "set-velocity", "force": "a", "velocity": {"B": 2}})
    state, _ = amend(state, {"act": "rename-force", "force": "a", "name": " Van "})
    moved = state.forces["a"]
    assert (moved.q, moved.r, moved.vq, moved.vr, moved.name) == (3, -2, 2, 0, "Van")
    seen = {(each["q"], each["r"]): each for each in view_for(state, "blue")["contacts"]}
    assert seen[3, -2]["velocity"] == {"B": 2}
    assert "Van" not in str(seen)


def test_forces_and_ships_come_and_go(state: State) -> None:
    """A new ship has its class's craft; a force that is removed leaves its ships on the roster."""
    state, _ = amend(state, {"act": "add-ship", "id": "late", "side": "red", "name": "Late", "class": "tender"})
    assert len(state.aboard["late"]) == 3
    new = {"act": "add-force", "side": "red", "name": "Reserve", "system": "sea", "at": AT, "ships": ["late"]}
    state, events = amend(state, new)
    assert {event.audience for event in events} == {("red",), ("blue",)}  # the owner, and who sees a marker more
    reserve = next(each for each in state.forces.values() if each.name == "Reserve")
    assert len(view_for(state, "blue")["contacts"]) == 3
    state, _ = amend(state, {"act": "transfer-ship", "ship": "a-2", "force": reserve.id})
    assert [ship.id for ship in state.members[reserve.id]] == ["a-2", "late"]
    state, _ = amend(state, {"act": "remove-force", "force": reserve.id})
    assert (state.ships["late"].force, state.ships["late"].status) == ("", "active")
    assert len(view_for(state, "blue")["contacts"]) == 2


def test_ships_are_damaged_lost_and_named(state: State) -> None:
    """Who is lost leaves its force, with the craft aboard; an empty force leaves the map."""
    state, _ = amend(state, {"act": "set-damage", "ship": "a-1", "damage": {"hull": 3, "sensors": 1}})
    state, _ = amend(state, {"act": "set-damage", "ship": "a-1", "damage": {"hull": 0}})
    assert state.ships["a-1"].damage == {"sensors": 1}
    state, _ = amend(state, {"act": "rename-ship", "ship": "a-1", "name": "Newt"})
    assert state.ships["a-1"].name == "Newt"
    state, _ = amend(state, {"act": "set-status", "ship": "c-1", "status": "destroyed"})
    assert "c" not in state.forces
    assert {ship.status for ship in state.ships.values() if ship.carrier == "c-1"} == {"destroyed"}
    state, _ = amend(state, {"act": "set-status", "ship": "c-1", "status": "active"})
    assert (state.ships["c-1"].status, state.ships["c-1"].force) == ("active", "")


@pytest.mark.rule("dummy-taskforces")
def test_dummies_rulings_and_notes(state: State) -> None:
    """How many dummies a side may have is told to that side, a ruling to both."""
    state, events = amend(state, {"act": "set-dummies", "side": "blue", "dummies": 6})
    assert state.books["blue"].dummies == 6
    assert [event.audience for event in events] == [("blue",)]
    state, events = amend(state, {"act": "set-ruling", "key": "contact-distance", "value": "10"})
    assert state.rulings == {"contact-distance": "10"}
    assert [event.audience for event in events] == [("red", "blue")]
    state, events = amend(state, {"act": "add-note", "text": "Beacons are out.", "sides": ["red"]})
    assert [(event.text, event.audience) for event in events] == [("Beacons are out.", ("red",))]
    added = {"act": "add-force", "side": "blue", "name": "Ghost", "system": "sea", "at": AT, "dummy": True}
    state, _ = amend(state, added)
    assert sum(each.dummy for each in state.forces.values()) == 1


@pytest.mark.rule("taskforces", "table-phase")
def test_changes_that_cannot_be_made_are_refused_with_their_reasons(state: State) -> None:
    """Strangers, twice the same, forces without ships, up and down on a flat map, and who is at the table."""
    assert refused(state, act="fly") == [("/act", "unknown-act")]
    assert refused(state, act="move-force", force="x", at=AT) == [("/force", "unknown-force")]
    assert refused(state, act="move-force", force="a", at={"q": 0, "r": 0, "z": 1}) == [("/at/z", "literal-error")]
    assert refused(state, act="set-velocity", force="a", velocity={"+": 1}) == [("/velocity/+", "flat-map")]
    assert refused(state, act="transfer-ship", ship="c-1") == [("/ship", "force-without-ships")]
    assert refused(state, act="transfer-ship", ship="a-1", force="b") == [("/force", "unknown-force")]
    assert refused(state, act="set-damage", ship="a-1", damage={"hull": 99, "wing": 1}) == [
        ("/damage/hull", "too-many-boxes"), ("/damage/wing", "unknown-track"),
    ]  # fmt: skip
    assert refused(state, act="set-ruling", key="contact-distance", value="7") == [("/value", "unknown-choice")]
    assert refused(state, act="set-ruling", key="weather", value="7") == [("/key", "unknown-ruling")]
    assert refused(state, act="add-note", text="x", sides=["green"]) == [("/sides/0", "unknown-side")]
    assert refused(state, act="release-engagement", engagement="x") == [("/engagement", "unknown-engagement")]
    wrong = {"act": "add-force", "id": "aaaa", "side": "green", "name": "N", "system": "lake", "at": AT,
             "ships": ["a-1", "b-1", "c-1.1"]}  # fmt: skip
    assert refused(state, **wrong) == [
        ("/ships/0", "unknown-ship"), ("/ships/1", "unknown-ship"), ("/ships/2", "unknown-ship"),
        ("/side", "unknown-side"), ("/system", "unknown-system"),
    ]  # fmt: skip
    assert refused(state, **{**wrong, "side": "red", "system": "sea", "ships": []}) == [
        ("/ships", "force-without-ships")
    ]
    fought, _ = play(world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 5}, ("frigate",))))
    assert refused(fought, act="move-force", force="a", at=AT) == [("/force", "in-battle")]
    assert refused(fought, act="set-damage", ship="a-1", damage={"hull": 1}) == [("/ship", "in-battle")]
    renamed, _ = amend(fought, {"act": "rename-ship", "ship": "a-1", "name": "Newt"})
    assert renamed.meetings[0].document["sides"]["red"]["forces"][0]["ships"][0]["name"] == "Newt"
    assert renamed.meetings[0].document["digest"] != fought.meetings[0].document["digest"]


def test_every_act_has_a_form() -> None:
    """A discriminated union over "act", as the shared pages draw it."""
    assert AMENDMENT_SCHEMA["discriminator"]["propertyName"] == "act"
    assert len(AMENDMENT_SCHEMA["oneOf"]) == 14


def test_the_same_change_gives_the_same_ids_whenever_it_is_run(state: State) -> None:
    """In the envelope, as a change between turns and as an amendment of the staged turn."""
    new = {"act": "add-force", "side": "red", "name": "Ghost", "system": "sea", "at": AT, "dummy": True}
    answers = [resolved(state, {}, changes=[new], amendments=[{"act": "add-note", "text": "x"}]) for _ in range(2)]
    assert answers[0] == answers[1]
