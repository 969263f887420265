"""Compensators: who must check when it thrusts, and what a failure costs (B3.23, C5.421, C5.465)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from campaign.engine.dice import TypedDice
from campaign.engine.ruleset import Event
from campaign.rulebooks.saganami.ship_class import load_class
from operational.rules.saganami import compensators, movement
from operational.rules.saganami.state import ACTIVE, DESTROYED, GONE, State
from operational.rules.saganami.structure import core_cascade, integrity_hit
from tests.operational.saganami.meeting_worlds import class_document, force, world
from tests.operational.saganami.phase_worlds import does, kinds, play

INTEGRITY = "structural_integrity"
MISTRAL = load_class(class_document("mistral"))


def check(
    faces: Sequence[int], damage: Mapping[str, int] | None = None, thrust: int = 3, **order: Any
) -> tuple[State, tuple[Event, ...]]:
    """Let a cruiser with an average crew thrust, and roll the given dice for it."""
    state = world(force("lantern", "red", {}, ships={"damage": dict(damage or {})}))
    given = does("lantern", thrust={"A": thrust} if thrust else {}, **order)
    moved, _ = play(movement.run, state, given)
    typed = {(compensators.PHASE, "lantern-1", "compensators"): faces} if faces else {}
    return play(compensators.run, moved, given, typed)


@pytest.mark.rule("B3.23", "B3.231")
@pytest.mark.parametrize(("face", "lost"), [(5, 0), (6, 1)])
def test_a_ship_that_red_lines_checks_against_its_crew(face: int, lost: int) -> None:
    """At five an average crew holds; at six a box of the frame goes."""
    after, events = check([face], thrust=4, red_line=("lantern-1",))
    assert kinds(events) == ["compensators-failed" if lost else "compensators-held"]
    assert after.ships.damage.get("lantern-1", {}).get(INTEGRITY, 0) == lost
    assert events[0].audience == ("red",)


@pytest.mark.rule("B3.23")
def test_damage_to_the_frame_makes_the_check_harder() -> None:
    """Two boxes lost: three holds, four does not."""
    assert kinds(check([3], {INTEGRITY: 2}, thrust=4, red_line=("lantern-1",))[1]) == ["compensators-held"]
    after, events = check([4], {INTEGRITY: 2}, thrust=4, red_line=("lantern-1",))
    assert kinds(events) == ["compensators-failed"]
    assert after.ships.damage["lantern-1"][INTEGRITY] == 3


@pytest.mark.rule("B3.232", "B3.233", "C5.465")
@pytest.mark.parametrize("damage", [{"forward_impeller": 5, "max_thrust": 5}, {"max_thrust": 8}])
def test_a_ruined_drive_checks_in_every_turn_it_thrusts(damage: dict[str, int]) -> None:
    """An impeller track with no box left, and a thrust track down to its circles."""
    _, events = check([5], damage, thrust=1)
    assert kinds(events) == ["compensators-held"]
    assert "C5.465" in events[0].rules
    assert check([], damage, thrust=0)[1] == (), "coasting risks nothing"


@pytest.mark.rule("B3.23")
def test_a_sound_ship_that_keeps_to_its_rating_risks_nothing() -> None:
    """Nor does a damaged one whose drive is whole."""
    assert check([])[1] == ()
    assert check([], {"hull": 2})[1] == ()


@pytest.mark.rule("C5.421", "C5.4214", "B3.23")
def test_a_ship_whose_frame_is_gone_breaks_up() -> None:
    """The star at the end of the track: the ship is lost, and a force without ships with it."""
    boxes = len(MISTRAL.track(INTEGRITY).boxes)  # type: ignore[union-attr]
    after, events = check([10], {INTEGRITY: boxes - 1}, thrust=4, red_line=("lantern-1",))
    assert kinds(events) == ["ship-lost"]
    assert after.ships.status == (DESTROYED,)
    assert after.forces.place.tolist() == [GONE]


@pytest.mark.rule("C5.4213")
@pytest.mark.parametrize(("die", "is_lost"), [(4, True), (5, False)])
def test_an_octagon_is_reached_or_the_ship_explodes(die: int, is_lost: bool) -> None:
    """The seventh box of this class prints a five."""
    hit = integrity_hit(MISTRAL, {INTEGRITY: 6}, TypedDice([die]))
    assert hit.is_lost is is_lost
    assert hit.damage[INTEGRITY] == 7
    assert hit.rules == (("C5.4213",) if is_lost else ("C5.465",))


@pytest.mark.rule("C5.421", "C5.4211")
def test_a_square_of_the_frame_costs_nothing_more() -> None:
    """No die is rolled for it."""
    hit = integrity_hit(MISTRAL, {"hull": 1}, TypedDice([]))
    assert (dict(hit.damage), hit.is_lost) == ({"hull": 1, INTEGRITY: 1}, False)


@pytest.mark.rule("C5.4212")
@pytest.mark.parametrize(
    ("dice", "lost"),
    [
        ([2, 2], {"forward_impeller": 2, "max_thrust": 2}),  # column 4: the double impeller, pivots
        ([3, 4], {"life_support": 1}),
        ([5, 6], {"hyper_generator": 1}),
        ([4, 5], {"forward.fcon": 1, "aft.fcon": 1, "port.fcon": 1, "starboard.fcon": 1}),
    ],
)
def test_a_cascade_hits_each_system_of_one_column_of_the_core(dice: list[int], lost: dict[str, int]) -> None:
    """2d10+ names the column; a CIC hit marks every fire control once, a hull hit rolls its boxes."""
    found = core_cascade(MISTRAL, {}, TypedDice([*dice, 4, 2, 9, 7, 3, 1]))
    assert lost.items() <= found.items()
    assert INTEGRITY not in found


@pytest.mark.rule("C5.4212", "C5.421")
def test_the_fourth_box_of_this_class_cascades() -> None:
    """The box itself is lost with it."""
    hit = integrity_hit(MISTRAL, {INTEGRITY: 3}, TypedDice([5, 6, 7, 4]))
    assert hit.damage[INTEGRITY] == 4
    assert (hit.damage["hyper_generator"], hit.damage["hull"]) == (1, 3)
    assert not hit.is_lost
    assert "C5.4212" in hit.rules


@pytest.mark.rule("B3.23")
def test_ships_of_a_force_check_each_for_itself() -> None:
    """One fails, the other holds; the force goes on."""
    state = world(force("lantern", "red", {}, classes=("mistral", "mistral")))
    given = does("lantern", thrust={"A": 4}, red_line=("lantern-1", "lantern-2"))
    moved, _ = play(movement.run, state, given)
    typed = {(compensators.PHASE, f"lantern-{ship}", "compensators"): [face] for ship, face in ((1, 9), (2, 2))}
    after, events = play(compensators.run, moved, given, typed)
    assert kinds(events) == ["compensators-failed", "compensators-held"]
    assert after.ships.damage == {"lantern-1": {INTEGRITY: 1}}
    assert after.ships.status == (ACTIVE, ACTIVE)
