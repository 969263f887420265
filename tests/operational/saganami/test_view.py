"""What a side is shown, and the rows of roster and map: own things whole, nothing of others but contacts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campaign.engine.dice import canonical
from campaign.engine.hexes import Hex
from campaign.engine.vectors import from_axial
from operational.rules.saganami import clock, movement
from operational.rules.saganami.projection import projection, roster_changes
from operational.rules.saganami.state import JuryRig, State, Tries
from operational.rules.saganami.view import view_for, view_of_umpire
from operational.rules.saganami.view_ships import track_label
from tests.operational.saganami.meeting_worlds import force, turn, world
from tests.operational.saganami.phase_worlds import does, play


def fleet() -> State:
    """Return a damaged red force and a dummy, one of the reds in hyperspace, and a blue force far away."""
    return world(
        force(
            "van", "red", {"A": 100}, {"A": 3, "+": 1}, classes=("petrel", "mistral"), course=[{"A": 2}, {}, {"B": 1}]
        ),
        force("decoy", "red", {"D": 30}, dummy=True, thrust=4, guise=["petrel"]),
        force("deep", "red", {}, {"D": 24}, place="hyperspace"),
        force("foe", "blue", {"D": 300}, {"D": 46}, wedge="down", ships={"damage": {"hull": 3, "life_support": 2}}),
    )


def row(report: dict[str, Any], section: str, identity: str) -> dict[str, Any]:
    """Return one row of a report's section."""
    return next(each for each in report[section] if each["id"] == identity)


def test_a_report_has_the_fields_of_the_contract_and_plain_json() -> None:
    """docs/rulesets.md, section 1."""
    report = view_for(fleet(), "red")
    assert json.loads(canonical(report)) == report
    assert {
        "ruleset": "operational/saganami",
        "schema": 1,
        "turn": 0,
        "at": "1906-03-01T00:00",
        "side": "red",
        "side_name": "Reds",
        "contacts": [],
        "ledger": [],
        "engagements": [],
    }.items() <= report.items()
    assert {"units", "systems", "forces", "ships", "classes", "preferences", "facts", "sides", "rulings"} <= set(report)
    assert report["preferences"] == {"direction_away": "away-from-star", "spare_point": "A"}
    assert report["systems"][0]["rings"] == [{"label": "hyper limit", "radius": 158, "style": "limit", "rule": "B5.16"}]


def test_a_side_is_shown_its_own_forces_and_ships_only() -> None:
    """Not a word of the others': neither names nor ids."""
    text = canonical(view_for(fleet(), "red"))
    assert "foe" not in text.lower()
    report = view_for(fleet(), "blue")
    assert [each["id"] for each in report["forces"]] == ["foe"]
    assert [each["id"] for each in report["ships"]] == ["foe-1"]
    assert list(report["classes"]) == ["mistral"]


@pytest.mark.rule("B5.122", "B5.16", "B5.161")
def test_a_force_is_shown_with_thrust_marks_and_what_the_limit_lets_it_do() -> None:
    """Inside the limit, outside and too fast, outside and slow."""
    red = view_for(fleet(), "red")
    van, decoy, deep = (row(red, "forces", each) for each in ("van", "decoy", "deep"))
    assert (van["q"], van["r"], van["z"], van["velocity"], van["speed"]) == (0, 100, 0, {"A": 3, "+": 1}, 3)
    assert (van["thrust"], van["marks"], van["flagship"]) == (3, ["wedge-up"], "van-1")
    assert (decoy["thrust"], decoy["marks"], decoy["flagship"]) == (4, ["wedge-up", "dummy"], None)
    assert (deep["place"], deep["ghosts"], deep["outside_limit"]) == ("hyperspace", [], False)
    assert [fact["value"] for fact in van["facts"]] == ["3 of at most 120 hexes a turn", "inside"]
    foe = row(view_for(fleet(), "blue"), "forces", "foe")
    assert foe["marks"] == ["wedge-down"]
    assert foe["facts"][-1]["value"] == "too fast to translate, at most 45 hexes a turn"
    slow = view_for(world(force("van", "red", {"A": 158}, {"A": 45})), "red")
    assert row(slow, "forces", "van")["facts"][-1]["value"] == "may translate"


@pytest.mark.rule("B3.27", "B5.12")
def test_ghosts_are_where_the_engine_will_fly() -> None:
    """Three turns ahead, by the standing course and by coasting after it."""
    state = fleet()
    ghosts = {each["id"]: each["ghosts"] for each in view_for(state, "red")["forces"]}
    for number in range(3):
        state, _ = play(movement.run, state)
        state, _ = play(clock.run, state)
        for name in ("van", "decoy"):
            at = state.forces.index[name]
            ghost = ghosts[name][number]
            assert ghost["turn"] == state.turn
            assert (ghost["q"], ghost["r"], ghost["z"]) == (
                int(state.forces.q[at]),
                int(state.forces.r[at]),
                int(state.forces.z[at]),
            )


@pytest.mark.rule("A2.67", "C5.423", "C6.13", "C6.16")
def test_a_ship_is_shown_with_its_marked_tracks_and_what_holds_them() -> None:
    """Lost, held by a rig, failed once, for the shipyard; what is whole stands in the class."""
    state = fleet()
    object.__setattr__(state.ships, "rigs", {"foe-1": (JuryRig("hull", 1, 0, 3),)})
    object.__setattr__(state.ships, "repairs", {"foe-1": {"hull": Tries(once=1, shipyard=1)}})
    object.__setattr__(state.ships, "life_support", {"foe-1": 19})
    report = view_for(state, "blue")
    ship = row(report, "ships", "foe-1")
    assert [(each["name"], each["lost"], each["rigged"]) for each in ship["tracks"]] == [
        ("life_support", 2, 0),
        ("hull", 3, 1),
    ]
    assert (ship["tracks"][1]["failed_once"], ship["tracks"][1]["shipyard"]) == (1, 1)
    values = [fact["value"] for fact in ship["facts"]]
    assert values[1:] == ["next crew check after turn 19", "Hull, 1 box, fails after turn 3"]
    whole = {each["name"]: each["boxes"] for each in report["classes"]["mistral"]["tracks"]}
    assert whole["hull"] > 3
    assert row(view_for(state, "red"), "ships", "van-1")["tracks"] == []


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("port.L", "Port lasers"),
        ("max_thrust", "Maximum thrust"),
        ("life_support", "Life support"),
        ("ecm", "ECM"),
        ("forward.mag", "Forward magazine"),
        ("C.port.PD", "Craft C port point defence"),
    ],
)
def test_tracks_are_named_in_the_rulebooks_words(name: str, label: str) -> None:
    """As a page shows them."""
    assert track_label(name) == label


def test_an_engagement_is_shown_to_each_side_under_its_own_number_and_contact() -> None:
    """Own forces and ships; of the other only the contact."""
    state, _ = turn(
        world(force("van", "red", {"A": 30}, classes=("petrel", "mistral")), force("foe", "blue", {"A": 33}))
    )
    red, blue = view_for(state, "red"), view_for(state, "blue")
    (seen,), (theirs,) = red["engagements"], blue["engagements"]
    assert (seen["number"], seen["forces"], seen["ships"]) == (1, ["van"], ["van-1", "van-2"])
    assert (theirs["number"], theirs["forces"], theirs["ships"]) == (1, ["foe"], ["foe-1"])
    assert row(red, "forces", "van")["engaged"] == seen["id"]
    assert "in-battle" in row(red, "forces", "van")["marks"]
    umpire = view_of_umpire(state)
    assert umpire["engagements"][0]["forces"] == ["van", "foe"]


def test_the_umpire_sees_every_force_and_ship_in_the_same_shape() -> None:
    """Side null, each row with its own side."""
    report, own = view_of_umpire(fleet()), view_for(fleet(), "red")
    assert report["side"] is None
    assert set(report) == set(own)
    assert [(each["id"], each["side"]) for each in report["forces"]] == [
        ("van", "red"),
        ("decoy", "red"),
        ("deep", "red"),
        ("foe", "blue"),
    ]
    assert set(report["forces"][0]) == set(own["forces"][0])
    assert set(report["ships"][0]) == set(own["ships"][0])


def test_the_rows_of_roster_and_map_are_the_states() -> None:
    """One column a field, all of one length; forces that are gone have no row."""
    rows = projection(fleet())
    assert rows["forces"] == {
        "id": ["van", "decoy", "deep", "foe"],
        "side": ["red", "red", "red", "blue"],
        "name": ["Van", "Decoy", "Deep", "Foe"],
        "system": ["alpha"] * 4,
        "place": ["map", "map", "hyperspace", "map"],
        "q": [0, 0, 0, 0],
        "r": [100, -30, 0, -300],
        "z": [0, 0, 0, 0],
        "velocity": ["3A 1+", "0", "24D", "46D"],
        "dummy": [False, True, False, False],
        "engaged": ["", "", "", ""],
    }
    assert rows["ships"]["id"] == ["van-1", "van-2", "deep-1", "foe-1"]
    assert rows["ships"]["damage"][3] == {"hull": 3, "life_support": 2}
    assert rows["ships"]["stores"][0] == {"recon_drones": 4}
    assert {len(column) for column in rows["ships"].values()} == {4}


def test_only_ships_that_changed_are_listed_and_only_what_changed_of_them() -> None:
    """The ledger of the roster."""
    before = fleet()
    assert roster_changes(before, before) == []
    moved, _ = play(movement.run, before, does("van", thrust={"B": 1}))
    assert roster_changes(before, moved) == []
    names = list(before.ships.name)
    after = fleet()
    object.__setattr__(after.ships, "name", (*names[:3], "Larch"))
    object.__setattr__(after.ships, "damage", {"foe-1": {"hull": 5}})
    assert roster_changes(before, after) == [
        {
            "ship": "foe-1",
            "side": "blue",
            "name": "Larch",
            "before": {"name": "Foe 1", "damage": {"hull": 3, "life_support": 2}},
            "after": {"name": "Larch", "damage": {"hull": 5}},
        }
    ]


def test_velocities_are_shown_consolidated() -> None:
    """However they came about."""
    state = world(force("van", "red", {"A": 9}, {"A": 3, "C": 2, "E": 1}))
    assert view_for(state, "red")["forces"][0]["velocity"] == from_axial(*Hex(1, 1, 0)) == {"A": 1, "B": 1}
