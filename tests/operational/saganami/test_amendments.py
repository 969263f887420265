"""The umpire's typed changes: what each does, whom it tells, and what it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from campaign.engine.errors import ProblemsError
from campaign.engine.ruleset import Event
from operational.rules.saganami.amendments import AMENDMENT_SCHEMA, amend
from operational.rules.saganami.documents import dump_state, load_state
from operational.rules.saganami.projection import roster_changes
from operational.rules.saganami.state import GONE, IN_HYPERSPACE, WEDGE_DOWN, JuryRig, State, Tries
from tests.operational.saganami.meeting_worlds import class_document, force, place_of, turn, velocity_of, world


def small() -> State:
    """Return two red forces, one of two ships, and a blue one."""
    return world(
        force("van", "red", {"A": 30}, {"A": 2}, classes=("petrel", "mistral")),
        force("rear", "red", {"A": 30}, {"B": 1}),
        force("foe", "blue", {"D": 90}),
    )


def made(state: State, act: str, **fields: Any) -> tuple[State, Event]:
    """Make a change; the state still goes through its document."""
    after, (event,) = amend(state, {"act": act, **fields})
    assert dump_state(load_state(dump_state(after))) == dump_state(after)
    return after, event


def refused(state: State, document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (place, code) of what a change is refused for."""
    with pytest.raises(ProblemsError) as caught:
        amend(state, document)
    return [(problem.place, problem.code) for problem in caught.value.problems]


def test_a_force_is_moved_on_the_map_and_its_owner_is_told() -> None:
    """Hex and system; the step of the turn and carried halves are gone with it."""
    state, event = made(small(), "move-force", force="van", at={"q": 3, "r": -4, "z": 2}, system="beta")
    assert place_of(state, "van") == (3, -4, 2)
    assert state.systems[int(state.forces.system[0])].key == "beta"
    assert (event.kind, event.audience) == ("umpire-changed", ("red",))
    state, _ = made(state, "move-force", force="van", place="hyperspace")
    assert int(state.forces.place[0]) == IN_HYPERSPACE


def test_velocity_course_wedge_and_name_of_a_force_are_set() -> None:
    """Velocities are consolidated."""
    state, _ = made(small(), "set-velocity", force="van", velocity={"A": 3, "C": 3, "-": 1})
    assert velocity_of(state, "van") == (3, 0, -1)
    state, _ = made(state, "set-course", force="van", course=[{"A": 1}, {}])
    assert state.forces.course == {"van": ({"A": 1}, {})}
    state, _ = made(state, "set-course", force="van", course=[])
    assert state.forces.course == {}
    state, _ = made(state, "set-wedge", force="van", wedge="down")
    assert int(state.forces.wedge[0]) == WEDGE_DOWN
    state, event = made(state, "rename-force", force="van", name=" Vanguard ")
    assert state.forces.name[0] == "Vanguard"
    assert "Vanguard" in event.text


def test_damage_set_by_hand_starts_afresh_on_its_tracks() -> None:
    """No rig holds it, nothing was tried on it; other tracks keep theirs."""
    state = small()
    ships = state.ships
    object.__setattr__(ships, "damage", {"van-1": {"hull": 2, "ecm": 1}})
    object.__setattr__(ships, "rigs", {"van-1": (JuryRig("hull", 1, 0, 9), JuryRig("ecm", 1, 0, 9))})
    object.__setattr__(ships, "repairs", {"van-1": {"hull": Tries(once=1), "ecm": Tries(shipyard=1)}})
    state, _ = made(state, "set-damage", ship="van-1", damage={"hull": 4, "roll": 0})
    assert state.ships.damage == {"van-1": {"hull": 4, "ecm": 1}}
    assert [rig.track for rig in state.ships.rigs["van-1"]] == ["ecm"]
    assert state.ships.repairs == {"van-1": {"ecm": Tries(shipyard=1)}}
    state, _ = made(state, "set-damage", ship="van-1", damage={"hull": 0, "ecm": 0})
    assert state.ships.damage == state.ships.rigs == state.ships.repairs == {}


@pytest.mark.rule("D1.11", "D1.112")
def test_a_new_grade_changes_the_cost_by_the_class_table() -> None:
    """From average to elite, and back."""
    costs = class_document("petrel")["officer_cost"]["ENG"]
    state = small()
    before = int(state.ships.cost[0])
    state, event = made(state, "set-grade", ship="van-1", post="engineer", grade="elite")
    assert int(state.ships.cost[0]) == before + costs[3]
    assert event.data["before"] == "average"
    state, _ = made(state, "set-grade", ship="van-1", post="engineer", grade="average")
    assert int(state.ships.cost[0]) == before


def test_stores_names_and_status_of_a_ship_are_set() -> None:
    """Recon drones have a column of their own; a ship that is lost leaves its force, which gets another flagship."""
    state, _ = made(small(), "set-stores", ship="van-1", stores={"recon_drones": 1, "pods": 3})
    assert int(state.ships.drones[0]) == 1
    assert state.ships.stores == {"van-1": {"pods": 3}}
    state, _ = made(state, "rename-ship", ship="van-1", name="Whinchat")
    assert state.ships.name[0] == "Whinchat"
    state, _ = made(state, "set-status", ship="van-1", status="destroyed")
    assert (state.ships.status[0], state.ships.force[0]) == ("destroyed", "")
    assert state.forces.flagship[0] == "van-2"
    state, _ = made(state, "set-status", ship="van-1", status="active")
    assert (state.ships.status[0], state.ships.force[0]) == ("active", "")


def test_ships_and_forces_are_added_transferred_and_removed() -> None:
    """An id that is not given is made from the change, the same whenever it is run."""
    before = small()
    linnet = {"side": "red", "name": "Linnet", "class": "petrel", "grades": {"crew": "poor"}}
    state, event = made(before, "add-ship", **linnet)
    ship = event.data["ship"]
    assert state.ships.id[-1] == ship
    assert made(before, "add-ship", **linnet)[1].data["ship"] == ship
    assert state.ships.grades[-1].crew == "poor"
    state, event = made(
        state, "add-force", side="red", name="New", system="alpha", at={"q": 1, "r": 1}, velocity={"F": 2}, ships=[ship]
    )
    new = event.data["force"]
    assert state.ships.force[-1] == new
    assert place_of(state, new) == (1, 1, 0)
    assert velocity_of(state, new) == (-2, 2, 0)
    state, _ = made(state, "transfer-ship", ship="van-1", force=new)
    assert state.ships.of_force[new] == (0, 4)
    assert state.forces.flagship[state.forces.index["van"]] == "van-2"
    state, _ = made(state, "transfer-ship", ship="van-2", force=None)
    assert int(state.forces.place[state.forces.index["van"]]) == GONE
    state, _ = made(state, "remove-force", force=new)
    assert int(state.forces.place[state.forces.index[new]]) == GONE
    assert state.ships.force == ("", "", "rear", "foe", "")
    state, event = made(
        state, "add-force", side="blue", name="Ruse", system="alpha", dummy=True, thrust=4, guise=["petrel"]
    )
    ruse = event.data["force"]
    assert state.forces.pretends[ruse] == 4
    assert state.forces.guise[ruse] == ("petrel",)
    changes = roster_changes(before, state)
    assert [change["ship"] for change in changes] == ["van-1", "van-2", ship]
    assert changes[2]["before"] is None


def test_notes_and_rulings_are_told_to_whom_they_concern() -> None:
    """A note to nobody is the umpire's own; a ruling is told to all."""
    state, event = made(small(), "add-note", text="Fog on the slip.", sides=["blue"])
    assert event.audience == ("blue",)
    _, event = made(state, "add-note", text="Watch red.")
    assert event.audience == ()
    state, event = made(state, "set-ruling", key="displacement", value="none")
    assert state.rulings["displacement"] == "none"
    assert set(event.audience) == {"red", "blue", "green"}


@pytest.mark.rule("B5.12")
def test_forces_and_ships_in_battle_are_locked_but_for_a_ships_name() -> None:
    """Until the engagement is called off."""
    state, _ = turn(world(force("van", "red", {"A": 30}), force("foe", "blue", {"A": 32})))
    for document in (
        {"act": "move-force", "force": "van", "at": {"q": 0, "r": 0}},
        {"act": "set-velocity", "force": "van", "velocity": {}},
        {"act": "remove-force", "force": "van"},
    ):
        assert refused(state, document) == [("/force", "in-battle")]
    for document in (
        {"act": "set-damage", "ship": "van-1", "damage": {"hull": 1}},
        {"act": "set-grade", "ship": "van-1", "post": "crew", "grade": "elite"},
        {"act": "set-status", "ship": "van-1", "status": "destroyed"},
        {"act": "transfer-ship", "ship": "van-1", "force": None},
    ):
        assert refused(state, document) == [("/ship", "in-battle")]
    state, _ = made(state, "rename-ship", ship="van-1", name="Whinchat")
    state, events = amend(state, {"act": "release-engagement", "engagement": state.meetings[0].id})
    assert {event.audience for event in events} == {("red",), ("blue",)}
    made(state, "set-velocity", force="van", velocity={})


@pytest.mark.parametrize(
    ("document", "wrong"),
    [
        ({}, [("/act", "unknown-act")]),
        ({"act": "teleport"}, [("/act", "unknown-act")]),
        ({"act": "set-velocity", "force": "van"}, [("/velocity", "missing")]),
        ({"act": "set-velocity", "force": "van", "velocity": {"A": -1, "X": 2}},
         [("/velocity/A", "negative-vector"), ("/velocity/X", "unknown-direction")]),
        ({"act": "set-velocity", "force": "van", "velocity": {"A": 121}}, [("/velocity", "too-fast")]),
        ({"act": "move-force", "force": "nobody", "at": {"q": 0, "r": 0}}, [("/force", "unknown-force")]),
        ({"act": "move-force", "force": "van", "system": "gamma"}, [("/system", "unknown-system")]),
        ({"act": "move-force", "force": "van", "why": "fun"}, [("/why", "unknown-field")]),
        ({"act": "set-damage", "ship": "van-1", "damage": {"hull": 999, "keel": 1}},
         [("/damage/hull", "too-many-boxes"), ("/damage/keel", "unknown-track")]),
        ({"act": "set-damage", "ship": "nobody", "damage": {}}, [("/ship", "unknown-ship")]),
        ({"act": "add-ship", "side": "pink", "name": "X", "class": "yacht", "id": "van-1"},
         [("/class", "unknown-class"), ("/id", "used-twice"), ("/side", "unknown-side")]),
        ({"act": "add-force", "side": "red", "name": "X", "system": "gamma", "ships": ["van-1", "foe-1"], "id": "rear"},
         [("/id", "used-twice"), ("/ships/0", "used-twice"), ("/ships/1", "unknown-ship"),
          ("/system", "unknown-system")]),
        ({"act": "add-force", "side": "red", "name": "X", "system": "alpha"}, [("/ships", "no-ships")]),
        ({"act": "add-force", "side": "red", "name": "X", "system": "alpha", "dummy": True, "place": "hyperspace",
          "guise": ["yacht"]}, [("/guise/0", "unknown-class"), ("/place", "dummy-in-hyperspace")]),
        ({"act": "transfer-ship", "ship": "van-1", "force": "foe"}, [("/force", "unknown-force")]),
        ({"act": "set-ruling", "key": "gravity", "value": "on"}, [("/key", "unknown-ruling")]),
        ({"act": "set-ruling", "key": "displacement", "value": "on"}, [("/value", "unknown-choice")]),
        ({"act": "add-note", "text": "", "sides": []}, [("/text", "string-too-short")]),
        ({"act": "add-note", "text": "Hm.", "sides": ["red", "pink"]}, [("/sides/1", "unknown-side")]),
        ({"act": "release-engagement", "engagement": "none"}, [("/engagement", "unknown-engagement")]),
    ],
)  # fmt: skip
def test_a_change_that_cannot_be_made_is_refused_by_place(
    document: dict[str, Any], wrong: list[tuple[str, str]]
) -> None:
    """Shape and sense; the state stays as it was."""
    assert refused(small(), document) == wrong


def test_a_dead_ship_joins_nobody() -> None:
    """It must be made active first."""
    state, _ = made(small(), "set-status", ship="van-1", status="surrendered")
    assert refused(state, {"act": "transfer-ship", "ship": "van-1", "force": "rear"}) == [("/ship", "dead-ship")]
    assert refused(state, {"act": "add-force", "side": "red", "name": "X", "system": "alpha", "ships": ["van-1"]}) == [
        ("/ships/0", "unknown-ship")
    ]


def test_the_schema_of_amendments_takes_what_the_engine_takes() -> None:
    """The form's schema is sound, and knows each act by its name."""
    Draft202012Validator.check_schema(AMENDMENT_SCHEMA)
    check = Draft202012Validator(AMENDMENT_SCHEMA)
    assert check.is_valid({"act": "set-wedge", "force": "van", "wedge": "up"})
    assert check.is_valid({"act": "set-velocity", "force": "van", "velocity": {"A": 3}})
    assert not check.is_valid({"act": "set-wedge", "force": "van", "wedge": "sideways"})
    assert not check.is_valid({"act": "teleport"})
