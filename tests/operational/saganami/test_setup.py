"""The set-up of a campaign: every problem of it at once, and what is made of a good one."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from operational.rules.saganami.setup import new_state
from tests.operational.saganami.meeting_worlds import class_document, place_of, velocity_of


def document() -> dict[str, Any]:
    """Return a small set-up with a ship of each side, a dummy and a force in hyperspace."""
    return {
        "epoch": "1906-03-01T00:00",
        "rulings": {"displacement": "half"},
        "sides": [
            {"key": "red", "name": "Reds", "preferences": {"direction_away": "body:holm"}},
            {"key": "blue", "name": "Blues"},
        ],
        "systems": [
            {
                "key": "alpha",
                "name": "Alpha",
                "star": "G2",
                "defender": "red",
                "bodies": [{"id": "holm", "name": "Holm", "kind": "planet", "q": 3, "r": -9}],
            },
            {"key": "beta", "name": "Beta", "star": "no such star", "hyper_limit": 12},
        ],
        "classes": {"petrel": class_document("petrel")},
        "ships": [
            {"id": "r1", "side": "red", "name": "Whinchat", "class": "petrel", "grades": {"crew": "elite"}},
            {
                "id": "b1",
                "side": "blue",
                "name": "Larch",
                "class": "petrel",
                "drones": 1,
                "damage": {"hull": 2, "ecm": 0},
            },
        ],
        "forces": [
            {
                "id": "van",
                "side": "red",
                "name": "Van",
                "system": "alpha",
                "at": {"A": 40, "+": 2},
                "velocity": {"A": 3, "C": 2},
                "wedge": "down",
                "ships": ["r1"],
                "course": [{"A": 1}, {}],
            },
            {"id": "decoy", "side": "red", "name": "Decoy", "system": "alpha", "at": {"q": 5, "r": 7}, "dummy": True},
            {"id": "deep", "side": "blue", "name": "Deep", "system": "beta", "place": "hyperspace", "ships": ["b1"]},
        ],
    }


def problems(broken: dict[str, Any]) -> list[tuple[str, str]]:
    """Return (place, code) of everything that is wrong with a set-up."""
    with pytest.raises(ProblemsError) as caught:
        new_state(broken)
    return [(problem.place, problem.code) for problem in caught.value.problems]


@pytest.mark.rule("B5.16", "D1.112", "B3.15")
def test_a_set_up_becomes_the_state_of_turn_nought() -> None:
    """Places and velocities from vectors, limits from the star, cost with grades, stores and damage as stated."""
    state = new_state(document())
    assert (state.turn, state.epoch, dict(state.rulings)) == (0, "1906-03-01T00:00", {"displacement": "half"})
    assert [system.hyper_limit for system in state.systems] == [158, 12]
    assert place_of(state, "van") == (0, 40, 2)
    assert velocity_of(state, "van") == (2, 1, 0)
    assert place_of(state, "decoy") == (5, 7, 0)
    assert state.forces.dummy.tolist() == [False, True, False]
    assert state.forces.place.tolist() == [0, 0, 1]
    assert state.forces.wedge.tolist() == [0, 1, 1]
    assert state.forces.flagship == ("r1", "", "b1")
    assert state.forces.course == {"van": ({"A": 1}, {})}
    base = class_document("petrel")
    assert state.ships.cost.tolist() == [base["cost"] + base["officer_cost"]["CREW"][3], base["cost"]]
    assert state.ships.drones.tolist() == [base["recon_drones"], 1]
    assert state.ships.damage == {"b1": {"hull": 2}}
    assert state.books["red"].preferences == {"direction_away": "body:holm"}


def test_everything_that_is_wrong_is_told_at_once() -> None:
    """One broken thing of each kind, each at its place."""
    broken = document()
    broken["epoch"] = "1906-02-30T00:00"
    broken["rulings"] = {"gravity": "on", "displacement": "double"}
    broken["sides"][0]["allies"] = ["red"]
    broken["sides"][1]["preferences"] = {"direction_away": "body:nowhere", "spare_point": "X"}
    broken["systems"][0]["defender"] = "green"
    del broken["systems"][1]["hyper_limit"]
    broken["ships"][0]["grades"] = {"cook": "elite"}
    broken["ships"][1] |= {"class": "frigate", "side": "green"}
    broken["forces"][0] |= {
        "at": {"A": -1, "X": 2},
        "velocity": {"A": 121},
        "ships": ["r1", "r1", "b1"],
        "flagship": "b2",
    }
    broken["forces"][1] |= {"ships": ["r1"], "system": "gamma", "guise": ["frigate"]}
    broken["forces"][2] |= {"ships": [], "course": [{"A": 1.5}], "id": "van"}
    assert problems(broken) == [
        ("/epoch", "not-a-date"),
        ("/forces/0/at/A", "negative-vector"),
        ("/forces/0/at/X", "unknown-direction"),
        ("/forces/0/flagship", "unknown-ship"),
        ("/forces/0/ships/1", "used-twice"),
        ("/forces/0/ships/2", "unknown-ship"),
        ("/forces/0/velocity", "too-fast"),
        ("/forces/1/guise/0", "unknown-class"),
        ("/forces/1/ships", "dummy-with-ships"),
        ("/forces/1/ships/0", "used-twice"),
        ("/forces/1/system", "unknown-system"),
        ("/forces/2/course/0/A", "not-whole-number"),
        ("/forces/2/id", "used-twice"),
        ("/forces/2/ships", "no-ships"),
        ("/rulings/displacement", "unknown-choice"),
        ("/rulings/gravity", "unknown-ruling"),
        ("/ships/0/grades/cook", "unknown-post"),
        ("/ships/1/class", "unknown-class"),
        ("/ships/1/side", "unknown-side"),
        ("/sides/0/allies/0", "unknown-side"),
        ("/sides/1/preferences/direction_away", "unknown-direction"),
        ("/sides/1/preferences/spare_point", "unknown-direction"),
        ("/systems/0/defender", "unknown-side"),
        ("/systems/1/star", "unknown-star"),
    ]


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"epoch": 1906}, [("/epoch", "string-type")]),
        ({"sides": []}, [("/sides", "too-short")]),
        ({"moons": 3}, [("/moons", "unknown-field")]),
        ({"systems": [{"key": "a", "name": "A"}]}, [("/systems/0/star", "missing")]),
        ({"epoch": "0000-01-01"}, [("/epoch", "date-out-of-range")]),
    ],
)
def test_a_document_of_another_shape_is_refused_by_place(change: dict[str, Any], wrong: list[tuple[str, str]]) -> None:
    """Shape first: types and fields, before any rule is asked."""
    assert problems({**document(), **change}) == wrong


def test_a_broken_class_names_the_place_inside_its_document() -> None:
    """The class's own problems, under the set-up's place of it."""
    broken = document()
    broken["classes"] = {"petrel": copy.deepcopy(class_document("petrel"))}
    broken["classes"]["petrel"]["ecm"] = [1, 5]
    broken["classes"]["petrel"]["tons"] = 0
    found = problems(broken)
    assert [place for place, _ in found] == ["/classes/petrel/ecm", "/classes/petrel/tons"]


@pytest.mark.parametrize(
    ("damage", "stores", "wrong"),
    [
        ({"hull": 999}, {}, ("/ships/0/damage/hull", "too-many-boxes")),
        ({"spinnaker": 1}, {}, ("/ships/0/damage/spinnaker", "unknown-track")),
        ({"hull": -1}, {}, ("/ships/0/damage/hull", "too-many-boxes")),
        ({}, {"pods": -1}, ("/ships/0/stores/pods", "negative")),
    ],
)
@pytest.mark.rule("A2.67")
def test_a_ship_cannot_have_lost_what_its_class_has_not(damage: Any, stores: Any, wrong: tuple[str, str]) -> None:
    """Tracks and boxes are the sheet's."""
    broken = document()
    broken["ships"][0] |= {"damage": damage, "stores": stores}
    assert problems(broken) == [wrong]


def test_a_campaign_without_dummies_takes_none() -> None:
    """A house rule forbids them; nowhere may one be in hyperspace."""
    broken = document()
    broken["rulings"] = {"dummies": "none"}
    assert problems(broken) == [("/forces/1/dummy", "no-dummies")]
    broken = document()
    broken["forces"][1]["place"] = "hyperspace"
    assert problems(broken) == [("/forces/1/place", "dummy-in-hyperspace")]
