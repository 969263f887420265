"""Beam impacts: what fires at whom, in which order, through what (A3.23, C3, C5.31)."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.battle import battle_keys
from tactical.rules.saganami.beam_step import beam_impacts, beam_reach
from tactical.rules.saganami.plot_reading import read_plots
from tactical.rules.saganami.sequence import dice_of
from tactical.rules.saganami.state import State
from tactical.rules.saganami.table import Table
from tests.tactical.saganami.battles import battle, kinds, ship, to_launch, turned


def close(red: str = "sample", green: str = "sample", gap: int = 2, **fields: Any) -> State:
    """Return the launch step of two ships abeam (their noses in B/C and E/F)."""
    return to_launch(battle(ship("r1", red, nose="B/C yellow"), ship("g1", green, (0, gap, 0), "E/F yellow"), **fields))


def fired(state: State, plots: dict[str, Any] | None = None, seed: str = "seed") -> Table:
    """Return the table after a beam impact step."""
    orders = {}
    for side in state.sides:
        mine = {key: plot for key, plot in (plots or {}).items() if state.ship(key).side == side}
        orders[side] = read_plots(state, side, {"ships": mine}).orders
    table = Table(state.copy(), orders, dice_of("test", 1, "launch", battle_keys(seed)))
    beam_impacts(table, "first")
    return table


def shots(table: Table) -> list[tuple[str, str, str, int, int]]:
    """Return shooter, weapon, mount, count and damage of every shot."""
    return [
        (each.data["shooter"], each.data["weapon"], each.data["mount"], each.data["count"], each.data["damage"])
        for each in kinds(table.events, "beams-fired")
    ]


@pytest.mark.rule("A3.23", "C3.11", "C3.111", "C5.31", "C5.311", "C5.312")
def test_broadsides_fire_all_their_beams_lasers_before_grasers() -> None:
    """C5.31: both ships' lasers, then both ships' grasers; energy torpedoes need the wall gone."""
    table = fired(close())
    assert shots(table) == [
        ("g1", "laser", "port", 19, 11),
        ("r1", "laser", "port", 19, 11),
        ("g1", "graser", "port", 21, 10),
        ("r1", "graser", "port", 21, 10),
    ] or [shot[:2] for shot in shots(table)] == [
        ("r1", "laser"),
        ("g1", "laser"),
        ("r1", "graser"),
        ("g1", "graser"),
    ]
    mounts = {shot[2] for shot in shots(table)}
    assert len(mounts) == 1


@pytest.mark.rule("C5.311", "A3.25")
def test_weapons_destroyed_before_their_step_do_not_fire() -> None:
    """C5.311: a ship lost to lasers fires no grasers, but its lasers go off with the others'."""
    state = close()
    green = state.ship("g1")
    green.gone["structural_integrity"] = len(green.sheet.integrity) - 1
    green.gone["hull"] = green.sheet.size["hull"]
    for mount in ("port", "starboard"):
        green.gone[f"{mount}.sidewall"] = 17
    table = fired(state)
    weapons = [(shot[0], shot[1]) for shot in shots(table)]
    assert ("g1", "energy torpedo") not in weapons
    assert table.state.ship("g1").fate == "destroyed"
    assert ("g1", "graser") not in weapons


@pytest.mark.rule("C3.122", "C5.111", "C3.12")
def test_nothing_passes_a_wedge_and_all_passes_one_that_is_down() -> None:
    """C3.122, C5.1111: belly on it is safe; with the wedge down the depth doubles."""
    state = close()
    turned(state, "g1", "E/F yellow", 3)
    assert [shot for shot in shots(fired(state)) if shot[0] == "r1"] == []
    state.ship("g1").wedge_up = False
    assert [shot for shot in shots(fired(state)) if shot[0] == "r1"] != []


@pytest.mark.rule("C3.123", "C3.124", "C5.342")
def test_an_open_bow_halves_the_range() -> None:
    """C3.123: at range 2 down the throat lasers do what they do at 1; energy torpedoes fire there too."""
    state = close()
    turned(state, "g1", "D yellow")
    mine = [shot for shot in shots(fired(state)) if shot[0] == "r1"]
    assert ("r1", "laser", mine[0][2], 19, 17) in mine
    state.ship("g1").place = state.ship("r1").place.moved(0, 1)
    weapons = [shot[1] for shot in shots(fired(state)) if shot[0] == "r1"]
    assert weapons == ["energy torpedo", "laser", "graser"]


@pytest.mark.rule("C5.341")
def test_a_grav_lance_tears_at_the_wall_at_range_0_only() -> None:
    """C5.341: a die for each box of the thrust track; 3 and more takes a box."""
    assert kinds(fired(close()).events, "grav-lance-fired") == []
    state = close()
    for each in ("r1", "g1"):
        state.ship(each).place = state.ship("r1").place
    table = fired(state)
    lances = kinds(table.events, "grav-lance-fired")
    assert {each.data["shooter"] for each in lances} == {"r1", "g1"}
    for each in lances:
        assert len(each.data["dice"]) == 18
        assert each.data["boxes"] == min(17, sum(face >= 3 for face in each.data["dice"]))
    assert table.state.ship("g1").gone["port.sidewall"] > 0


@pytest.mark.rule("C3.11")
def test_beams_fire_where_they_are_told_to_and_may_be_held() -> None:
    """A standing order names the targets that go first; held beams do not fire."""
    state = to_launch(
        battle(
            ship("r1", "sample", nose="B/C yellow"),
            ship("g1", "petrel", (0, 2, 0), "E/F yellow"),
            ship("g2", "sample", (1, 1, 1), "E/F yellow"),
        )
    )

    def targets(plots: dict[str, Any]) -> set[str]:
        told = kinds(fired(state, plots).events, "beams-fired")
        port = [each.data for each in told if (each.data["shooter"], each.data["mount"]) == ("r1", "port")]
        return {each["target"] for each in port if each["weapon"] == "laser"}

    assert targets({}) == {"g1"}
    assert targets({"r1": {"beam_targets": ["g2"]}}) == {"g2"}
    assert [shot for shot in shots(fired(state, {"r1": {"hold_beams": True}})) if shot[0] == "r1"] == []


@pytest.mark.rule("C7.23", "C7.31", "C7.324")
def test_a_squadron_fires_the_beams_of_all_its_live_lacs_and_is_hit_lac_by_lac() -> None:
    """C7.23: ten LACs, ten lasers; a destroyed one's is missing."""
    state = to_launch(battle(ship("r1", "nettle", nose="A yellow"), ship("g1", "petrel", (0, 1, 0), "D yellow")))
    red = state.ship("r1")
    red.marked["A"] = tuple(range(red.sheet.size["A.body"]))
    table = fired(state)
    assert ("r1", "laser", "forward", 9, 6) in shots(table)
    hits = kinds(table.events, "damage-done")
    assert any("craft" in each for event in hits if event.data["ship"] == "r1" for each in event.data["log"])


def test_the_reach_of_beams_is_that_of_those_that_work() -> None:
    """beam_reach falls to what is left."""
    red = close().ship("r1")
    assert beam_reach(red) == 4
    for mount in ("forward", "aft", "port", "starboard"):
        red.gone[f"{mount}.L"] = red.sheet.size[f"{mount}.L"]
    assert beam_reach(red) == 3
