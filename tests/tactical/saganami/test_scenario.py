"""Scenarios: the simple set-up, historical ones, and everything wrong with one at once (D2.1)."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from campaign.engine.hexes import Hex, distance_in_plane
from tactical.rules.saganami.scenario import SIMPLE_MAPS, new_battle
from tests.tactical.saganami.battles import battle, class_documents, ship


def simple(**fields: Any) -> dict[str, Any]:
    """Return a simple scenario of two cruisers."""
    return {
        "kind": "simple",
        "battle": "pick-up",
        "high_side": "green",
        "sides": {
            "red": {"name": "Reds", "ships": [{"id": "r1", "name": "R1", "class": "sirocco", "vectors": {"A": 5}}]},
            "green": {"name": "Greens", "corner": 1, "ships": [{"id": "g1", "name": "G1", "class": "mattock"}]},
        },
        **fields,
    }


def refused(document: Any) -> list[tuple[str, str]]:
    """Return the place and code of every problem of a scenario."""
    with pytest.raises(ProblemsError) as error:
        new_battle(document, class_documents())
    return [(problem.place, problem.code) for problem in error.value.problems]


@pytest.mark.rule("D2.1", "D2.12")
def test_a_simple_scenario_starts_at_opposite_corners_one_side_higher() -> None:
    """D2.12: 12 levels on large hexes, 20 on small ones; facings are chosen first."""
    for size, (apart, altitude) in SIMPLE_MAPS.items():
        state = new_battle(simple(map=size), class_documents())
        step = state.ship("g1").place.less(state.ship("r1").place)
        assert distance_in_plane(step.q, step.r) == apart
        assert step.z == altitude
        assert state.stage == "facing"
    assert {name: altitude for name, (_, altitude) in SIMPLE_MAPS.items()} == {"large": 12, "small": 20}


@pytest.mark.rule("D2.12", "D2.14", "B5.123", "C7.111", "D2.222")
def test_everything_wrong_with_a_scenario_is_told_at_once() -> None:
    """Vectors over 5, ships off their corner, unknown classes and sides, too many craft or boxes."""
    document = simple(rulings={"tea": "yes", "stacking": "three"})
    document["objectives"] = [{"side": "blue", "points": 3, "text": "x"}]
    document["sides"]["red"]["ships"] = [
        {"id": "r1", "name": "R1", "class": "sirocco", "vectors": {"A": 6}, "place": [0, 9, 0]},
        {"id": "r1", "name": "R2", "class": "unheard-of"},
        {"id": "r3", "name": "R3", "class": "nettle", "craft": 10, "lost": {"A.body": 99}, "grades": {"cook": "elite"}},
        {"id": "r4", "name": "R4", "class": "sirocco", "craft": 1, "facing": {"forward": "A/B green+"}},
    ]
    assert refused(document) == [
        ("/objectives/0/side", "unknown-side"),
        ("/rulings/stacking", "unknown-choice"),
        ("/rulings/tea", "unknown-switch"),
        ("/sides/red/ships/0/place", "not-at-corner"),
        ("/sides/red/ships/0/vectors", "too-fast"),
        ("/sides/red/ships/1/class", "class-missing"),
        ("/sides/red/ships/1/id", "same-ship-twice"),
        ("/sides/red/ships/2/grades/cook", "unknown-category"),
        ("/sides/red/ships/2/lost/A.body", "too-many-boxes"),
        ("/sides/red/ships/3/craft", "too-many-craft"),
        ("/sides/red/ships/3/facing/forward", "unknown-window"),
    ]
    assert ("/sides", "missing") in refused({"kind": "simple", "battle": "x"})


@pytest.mark.rule("D2.14")
def test_a_historical_scenario_says_where_and_in_what_condition_ships_begin() -> None:
    """D2.14: places, vectors and damage are the scenario's."""
    state = battle(
        ship("r1", "sirocco", (3, 4, 5), lost={"hull": 4}, vectors={"A": 9}), ship("g1", "mattock", (0, 30, 0))
    )
    red = state.ship("r1")
    assert (red.place, red.vectors, red.gone) == (Hex(3, 4, 5), {"A": 9}, {"hull": 4})
    assert state.stage == "movement"
    assert ("/sides/red/ships/0/place", "no-place") in refused({**simple(), "kind": "historical"})


@pytest.mark.rule("C7.111")
def test_the_boxes_of_lacs_left_at_home_are_marked_off() -> None:
    """C7.111: a squadron of six flies as A to F, and is paid for by the craft."""
    red = battle(ship("r1", "nettle", craft=6), ship("g1")).ship("r1")
    assert red.live_craft() == tuple("ABCDEF")
    assert all(red.left(track) == 0 for track in red.sheet.size if track[0] in "GHJK")
    assert red.cost == 21
    assert red.came == red.lost()


@pytest.mark.rule("A2.65", "C8.12", "C8.111", "D1.112")
def test_grades_and_pods_are_paid_for() -> None:
    """A2.65: adjusted cost; C8.111: the card's price by the tactical officer."""
    state = battle(ship("r1", "scoria", grades={"tactical": "elite"}, pods=2), ship("g1"))
    red = state.ship("r1")
    costs = red.sheet.ship_class.officer_cost[0]
    assert red.cost == red.sheet.ship_class.cost + costs[3]
    assert red.pod_cost == 31
