"""The end of a turn aboard: permanent repairs, jury rigs that fail, life support (C5.423, C6.13, C6.16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from campaign.engine.ruleset import Event
from operational.rules.saganami import upkeep
from operational.rules.saganami.orders import Repair
from operational.rules.saganami.state import ACTIVE, DESTROYED, GONE, JuryRig, State, Tries
from tests.operational.saganami.meeting_worlds import force, world
from tests.operational.saganami.phase_worlds import kinds, orders, play

SHIP = "lantern-1"
AIR = {"life_support": 2}


def hurt(damage: Mapping[str, int], **grades: str) -> State:
    """Return a world with a damaged cruiser of an average crew."""
    return world(force("lantern", "red", {}, ships={"damage": dict(damage), "grades": dict(grades)}))


def at(state: State, turn: int, **ships: Any) -> State:
    """Return the state after a turn, with columns of its ships changed."""
    return replace(state, turn=turn, ships=replace(state.ships, **ships))


def mend(state: State, faces: Sequence[int], track: str = "hull", **fields: int) -> tuple[State, tuple[Event, ...]]:
    """Let the cruiser try a permanent repair with typed dice."""
    given = orders(repairs=(Repair(SHIP, track, **fields),))
    return play(upkeep.repair, state, given, {(upkeep.PHASE, SHIP, f"repair {track}"): faces})


# Permanent repairs ------------------------------------------------------------------------------


@pytest.mark.rule("C6.16", "C6.12")
@pytest.mark.parametrize(("face", "left"), [(5, 1), (6, 2)])
def test_a_box_is_mended_for_good_by_a_passed_check(face: int, left: int) -> None:
    """A d10 at or under the crew's number."""
    after, events = mend(hurt({"hull": 2}), [face])
    assert after.ships.damage[SHIP] == {"hull": left}
    assert kinds(events) == ["repair-done" if left == 1 else "repair-failed"]
    assert events[0].audience == ("red",)


@pytest.mark.rule("C6.122", "C6.123")
def test_one_of_two_parties_is_enough() -> None:
    """A die each; what is whole again leaves no trace."""
    after, _ = mend(hurt({"hull": 1}), [9, 4], parties=2)
    assert after.ships.damage == {}
    assert mend(hurt({"hull": 1}), [9, 8], parties=2)[0].ships.damage == {SHIP: {"hull": 1}}


@pytest.mark.rule("C6.11", "C6.121")
def test_several_boxes_are_tried_one_after_the_other() -> None:
    """Each has dice of its own, and no more are tried than are lost."""
    after, events = mend(hurt({"hull": 3}), [2, 9, 3], boxes=3)
    assert after.ships.damage[SHIP] == {"hull": 1}
    assert events[0].data["dice"] == [[2], [9], [3]]
    after, events = mend(hurt({"hull": 1}), [2], boxes=3)
    assert after.ships.damage == {}


@pytest.mark.rule("C6.16")
def test_after_two_failures_a_box_waits_for_a_shipyard() -> None:
    """The first leaves one try; fresh boxes are tried before, and a mended one takes its failures along."""
    state = hurt({"hull": 2})
    once, _ = mend(state, [9])
    assert once.ships.repairs == {SHIP: {"hull": Tries(once=1)}}
    both, _ = mend(once, [9])
    assert both.ships.repairs == {SHIP: {"hull": Tries(once=2)}}
    third, _ = mend(both, [9])
    assert third.ships.repairs == {SHIP: {"hull": Tries(once=1, shipyard=1)}}
    mended, _ = mend(third, [1])
    assert mended.ships.damage == {SHIP: {"hull": 1}}
    assert mended.ships.repairs == {SHIP: {"hull": Tries(shipyard=1)}}


@pytest.mark.rule("C6.16", "C6.13")
def test_what_a_jury_rig_holds_is_mended_first() -> None:
    """The rig has nothing left to hold."""
    state = at(hurt({"ecm": 3}), 0, rigs={SHIP: (JuryRig("ecm", 2, 0, 9),)})
    after, _ = mend(state, [1], "ecm")
    assert after.ships.damage[SHIP] == {"ecm": 2}
    assert [rig.boxes for rig in after.ships.rigs[SHIP]] == [1]
    last, _ = mend(after, [1], "ecm")
    assert last.ships.rigs == {}


@pytest.mark.rule("C6.14", "C6.141")
def test_a_magazine_gets_back_the_lowest_of_three_dice() -> None:
    """Never more than it had, and it may be tried again after a failure."""
    after, events = mend(hurt({"port.mag": 9}), [3, 8, 4, 6], "port.mag")
    assert after.ships.damage[SHIP] == {"port.mag": 5}
    assert "C6.14" in events[0].rules
    assert mend(hurt({"port.mag": 2}), [3, 8, 4, 6], "port.mag")[0].ships.damage == {}
    failed, _ = mend(hurt({"port.mag": 9}), [8], "port.mag")
    assert failed.ships.repairs == {}
    assert failed.ships.damage == {SHIP: {"port.mag": 9}}


@pytest.mark.rule("C6.16", "B5.12")
def test_nothing_is_mended_in_battle() -> None:
    """Its engagement holds the ship."""
    state = hurt({"hull": 2})
    state = replace(state, forces=replace(state.forces, engaged=("some-battle",)))
    after, events = play(upkeep.repair, state, orders(repairs=(Repair(SHIP, "hull"),)))
    assert after.ships.damage[SHIP] == {"hull": 2}
    assert events == ()


# Jury rigs --------------------------------------------------------------------------------------


@pytest.mark.rule("C6.13")
def test_jury_rigs_fail_when_their_ten_tactical_turns_are_over() -> None:
    """At the end of the turn in which they are due: the boxes are lost again, other rigs hold on."""
    rigs = (JuryRig("ecm", 2, 0, 4), JuryRig("port.sidewall", 1, 2, 6))
    state = at(hurt({"ecm": 2, "port.sidewall": 1}), 2, rigs={SHIP: rigs})
    assert state.ships.not_working(SHIP)["ecm"] == 0
    third, nothing = upkeep.expire(state)
    assert (third.ships.rigs, nothing) == ({SHIP: rigs}, ())
    fourth, events = upkeep.expire(at(third, 3))
    assert fourth.ships.rigs == {SHIP: rigs[1:]}
    assert fourth.ships.not_working(SHIP)["ecm"] == 2
    assert [(event.kind, event.audience, event.data["boxes"]) for event in events] == [("jury-rig-failed", ("red",), 2)]


@pytest.mark.rule("C6.13")
def test_a_rig_of_a_ship_in_battle_waits_for_the_report() -> None:
    """There its own clock runs."""
    state = at(hurt({"ecm": 2}), 3, rigs={SHIP: (JuryRig("ecm", 2, 0, 4),)})
    state = replace(state, forces=replace(state.forces, engaged=("some-battle",)))
    assert upkeep.expire(state)[0].ships.rigs == state.ships.rigs


# Life support -----------------------------------------------------------------------------------


def breathe(state: State, *faces: int) -> tuple[State, tuple[Event, ...]]:
    """Let life support be checked at the end of the turn after a state."""
    typed = {(upkeep.PHASE, SHIP, "life support"): list(faces)} if faces else {}
    return play(lambda now, given, dice: upkeep.check_life_support(now, dice), state, None, typed)


@pytest.mark.rule("C5.423")
def test_without_life_support_the_crew_checks_every_nineteen_turns() -> None:
    """From the turn in which its last box went: six hours, and six hours again."""
    state, _ = breathe(hurt(AIR))
    assert state.ships.life_support == {SHIP: 20}
    waiting, events = breathe(at(state, 18))
    assert events == ()
    held, events = breathe(at(waiting, 19), 5)
    assert kinds(events) == ["life-support-held"]
    assert held.ships.life_support == {SHIP: 39}
    lost, events = breathe(at(held, 38), 6)
    assert kinds(events) == ["ship-lost"]
    assert lost.ships.status == (DESTROYED,)
    assert lost.forces.place.tolist() == [GONE]


@pytest.mark.rule("C5.423")
def test_a_box_mended_for_good_ends_it_and_a_jury_rig_does_not() -> None:
    """What a rig holds together is no air for six hours."""
    state, _ = breathe(hurt(AIR))
    rigged = at(state, 19, rigs={SHIP: (JuryRig("life_support", 2, 18, 22),)})
    assert kinds(breathe(rigged, 9)[1]) == ["ship-lost"]
    mended = at(state, 19, damage={SHIP: {"life_support": 1}})
    after, events = breathe(mended)
    assert (after.ships.life_support, events) == ({}, ())


@pytest.mark.rule("C5.423")
def test_one_box_of_life_support_is_enough() -> None:
    """A ship with a box left checks nothing."""
    state, events = breathe(hurt({"life_support": 1}))
    assert (state.ships.life_support, events) == ({}, ())


@pytest.mark.rule("C5.423", "C6.13", "C6.16")
def test_the_three_follow_each_other_in_one_phase() -> None:
    """A box mended in this turn keeps its crew from this turn's check."""
    state = at(hurt({**AIR, "ecm": 1}), 19, life_support={SHIP: 20}, rigs={SHIP: (JuryRig("ecm", 1, 16, 20),)})
    given = orders(repairs=(Repair(SHIP, "life_support"),))
    after, events = play(upkeep.run, state, given, {(upkeep.PHASE, SHIP, "repair life_support"): [1]})
    assert kinds(events) == ["repair-done", "jury-rig-failed"]
    assert after.ships.status == (ACTIVE,)
    assert after.ships.life_support == {}
