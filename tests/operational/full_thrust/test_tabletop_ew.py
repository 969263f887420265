"""The EW phase of the table: by turns, the winner first, and the cloak, the cover and the fighters there."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.dice import TypedDice
from campaign.engine.hexes import Hex
from campaign.engine.procedure import answer
from operational.rules.full_thrust.desk import DESK
from operational.rules.full_thrust.movement import Initiative
from operational.rules.full_thrust.sensors import Lock
from operational.rules.full_thrust.tabletop_ew import EwPhase, TableScan, TableShip, play_phase, range_in_mu

RED_FIRST = Initiative("red", "blue", ())


def ship(name: str, side: str, r: int, **fields: Any) -> TableShip:
    """Return a ship on a line, with two fire controls and enhanced sensors."""
    return TableShip(
        **{"id": name, "side": side, "sensors": "enhanced", "place": Hex(0, r), "fire_controls": 2, **fields}
    )


def phase(ships: list[TableShip], scans: list[TableScan], faces: list[int], **fields: Any) -> EwPhase:
    """Play a phase with typed dice, all of which must be used."""
    dice = TypedDice(faces, sides=6)
    played = play_phase(RED_FIRST, ships, scans, dice, **fields)
    dice.finish()
    return played


@pytest.mark.rule("tabletop-phase", "tabletop-scans")
def test_ships_scan_by_turns_and_the_side_with_the_initiative_begins() -> None:
    """In each side's order of preference; a ship may also do nothing."""
    ships = [ship("a", "red", 0), ship("c", "red", 1), ship("b", "blue", 10), ship("d", "blue", 12)]
    scans = [TableScan("a", "b"), TableScan("b", "a"), TableScan("c", "d")]
    played = phase(ships, scans, [1, 1, 1, 4, 4, 4, 5, 5, 5], orders={"red": ["c"]})
    assert played.order == ("c", "b", "a", "d")
    assert [(each.ship, each.score.hits) for each in played.scans if each.score] == [("c", 0), ("b", 3), ("a", 3)]


@pytest.mark.rule("tabletop-scans", "failed-scan-stops", "sharing", "passive-results")
def test_a_ship_stops_at_its_first_failure_and_what_one_learns_all_know() -> None:
    """A hit is a firing solution and a bogey; three hits put the model on the table."""
    ships = [ship("a", "red", 0), ship("c", "red", 0), ship("b", "blue", 20), ship("d", "blue", 20)]
    scans = [TableScan("a", "b"), TableScan("a", "d"), TableScan("c", "b")]
    played = phase(ships, scans, [1, 2, 4, 5])
    by_id = {each.id: each for each in ships}
    assert [each.problem.code if each.problem else "" for each in played.scans] == ["", "scan-after-failure", ""]
    assert played.known["red"] == {"b": ("size-class", "velocity", "course", "screens", "mass")}
    assert played.locks == (Lock("c", "b"),)
    assert played.firing_solutions("red", by_id) == ("b",)
    assert played.firing_solutions("blue", by_id) == ()


@pytest.mark.rule("tabletop-scans", "sensor-table")
def test_a_fighter_group_makes_one_scan_with_one_die_as_far_as_its_sensors_reach() -> None:
    """18 MU passive; it has no fire control, and sensors all the same."""
    ships = [ship("f", "red", 0, sensors="fighter", fire_controls=0), ship("b", "blue", 18), ship("d", "blue", 19)]
    assert phase(ships, [TableScan("f", "b")], [4]).known["red"].keys() == {"b"}
    beyond = phase(ships, [TableScan("f", "d")], [])
    assert beyond.scans[0].problem is not None
    assert beyond.scans[0].problem.code == "beyond-sensor-range"


@pytest.mark.rule("ecm-packages", "tabletop-phase")
def test_area_ecm_covers_friends_within_twelve_mu_and_no_farther() -> None:
    """Standard area ECM takes one from each die."""
    for away, hits in ((12, 0), (13, 1)):
        ships = [ship("a", "red", 0, sensors="fighter"), ship("b", "blue", 10),
                 ship("j", "blue", 10 + away, area_ecm="standard")]  # fmt: skip
        assert phase(ships, [TableScan("a", "b")], [3]).scans[0].score.hits == hits  # type: ignore[union-attr]


@pytest.mark.rule("cloaking", "tabletop-phase")
def test_nobody_scans_from_behind_a_cloak_or_through_one() -> None:
    """Both are said, and nothing is rolled."""
    ships = [ship("a", "red", 0, is_cloaked=True), ship("b", "blue", 5)]
    played = phase(ships, [TableScan("a", "b"), TableScan("b", "a")], [])
    assert [each.problem.code for each in played.scans if each.problem] == ["scanner-cloaked", "target-cloaked"]


@pytest.mark.rule("die-modifiers", "tabletop-phase", "active-counters")
def test_active_sensors_are_declared_and_make_their_ship_easier_to_find() -> None:
    """+1 to passive dice; active dice without a declaration are refused."""
    ships = [ship("a", "red", 0, sensors="fighter"), ship("b", "blue", 10, is_active=True)]
    assert phase(ships, [TableScan("a", "b")], [2]).scans[0].score.hits == 1  # type: ignore[union-attr]
    refused = phase(ships, [TableScan("a", "b", "active")], []).scans[0]
    assert refused.problem is not None
    assert refused.problem.code == "active-not-declared"


@pytest.mark.rule("sensor-table")
@pytest.mark.parametrize(("place", "mu"), [(Hex(0, 18), 18), (Hex(18, 0), 18), (Hex(18, 18), 32), (Hex(3, -3), 3)])
def test_ranges_on_the_table_are_straight_and_counted_up(place: Hex, mu: int) -> None:
    """18 by 18 is 31.2 MU as the ruler lies: in the band to 36."""
    assert range_in_mu(Hex(0, 0), place) == mu


@pytest.mark.rule("tabletop-phase", "fire-control-limit")
def test_the_desk_plays_a_whole_phase_and_names_every_problem_of_a_table() -> None:
    """Strangers, ships twice, more scans than fire controls, locks of nobody."""
    procedure = DESK.procedure("tabletop.ew-phase")
    assert procedure is not None
    assert procedure.example is not None
    reply = answer(procedure, procedure.example)
    assert reply["result"]["firing_solutions"] == {"red": ["Sparrow"], "blue": []}
    wrong = {
        "initiative": "green",
        "ships": [
            {"id": "a", "side": "red", "at": {"q": 0, "r": 0}},
            {"id": "a", "side": "blue", "at": {"q": 0, "r": 1}},
        ],
        "scans": [{"ship": "a", "target": "a"}, {"ship": "a", "target": "x"}],
        "locks": [{"holder": "a", "target": "y"}],
        "dice": [],
    }
    codes = [(one["place"], one["code"]) for one in answer(procedure, wrong)["error"]["problems"]]
    assert codes == [
        ("/initiative", "unknown-side"),
        ("/locks/0/target", "unknown-ship"),
        ("/scans/1", "scans-beyond-fire-controls"),
        ("/scans/1/target", "unknown-ship"),
        ("/ships/1/id", "ship-twice"),
    ]
