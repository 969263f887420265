"""Jury rigs and permanent repairs."""

from __future__ import annotations

import pytest

from campaign.engine.dice import TypedDice
from campaign.engine.errors import ProblemsError
from tactical.rules.saganami.damage_control import (
    Attempt,
    check_attempts,
    check_permanent,
    repair,
    rig_fails_in,
    rig_has_failed,
    roll_reload,
    roll_repair,
)


@pytest.mark.rule("A3.33", "C6.12", "C6.121", "C6.122", "C6.123")
@pytest.mark.parametrize(
    ("dice", "repaired"), [([7, 9], False), ([2, 4], True), ([9, 5], True), ([5], True), ([6], False), ([10], False)]
)
def test_one_of_two_parties_is_enough(dice: list[int], repaired: bool) -> None:
    """C6.122: the printed turn of an average crew."""
    assert repair(5, dice).repaired is repaired
    assert roll_repair(TypedDice(dice), 5, len(dice)).dice == tuple(dice)


@pytest.mark.rule("C6.122")
@pytest.mark.parametrize("parties", [0, 3])
def test_no_more_than_two_parties_work_on_a_box(parties: int) -> None:
    """C6.122: refused before any die."""
    with pytest.raises(ProblemsError) as refused:
        roll_repair(TypedDice([]), 5, parties)
    assert refused.value.problems[0].code == "parties"
    with pytest.raises(ProblemsError):
        repair(5, [1] * parties)


def codes(*attempts: Attempt, parties: int = 7, fired: tuple[str, ...] = ()) -> list[str]:
    """Return the problem codes of a turn's attempts on a ship with damage."""
    damaged = ("forward_impeller.7", "ecm.0", "port.CM.1", "hull.3", "structural_integrity.0")
    found = check_attempts(attempts, parties, damaged, ("port.CM.1",), fired)
    return [problem.code for problem in found]


@pytest.mark.rule("C6.11", "C6.12", "C6.121", "C6.122", "C6.14", "C6.141", "C6.15")
def test_attempts_keep_to_the_rules_of_combat_damage_control() -> None:
    """C6.1: parties, one attempt a box, no second after a failure, exclusions, magazines."""
    assert codes(Attempt("fwd", "forward_impeller.7", 2), Attempt("ECM", "ecm.0", 2)) == []
    assert codes(Attempt("fwd", "forward_impeller.7", 2), Attempt("ECM", "ecm.0", 2), parties=3) == ["too-few-parties"]
    assert codes(Attempt("ECM", "ecm.0", 3)) == ["parties"]
    assert codes(Attempt("ECM", "ecm.0"), Attempt("ECM", "ecm.0")) == ["box-twice"]
    assert codes(Attempt("CM", "port.CM.1")) == ["tried-before"]
    assert codes(Attempt("ECM", "ecm.1")) == ["not-damaged"]
    assert codes(Attempt("hull", "hull.3")) == ["not-in-combat"]
    assert codes(Attempt("SI", "structural_integrity.0")) == ["not-in-combat"]
    assert codes(Attempt("mag", "port.mag")) == []
    assert codes(Attempt("mag", "port.mag"), fired=("port.mag",)) == ["magazine-fired"]


@pytest.mark.rule("C6.13")
def test_a_jury_rig_of_turn_four_fails_in_turn_fourteen() -> None:
    """C6.13: and goes on failing after the battle, an operational turn being 19/6 tactical ones."""
    assert rig_fails_in(4) == 14
    assert not rig_has_failed(4, 13)
    assert rig_has_failed(4, 14)
    assert not rig_has_failed(4, 4, map_turns=3)
    assert rig_has_failed(4, 4, map_turns=4)
    assert rig_has_failed(4, 8, map_turns=2)


@pytest.mark.rule("C6.14", "A1.214")
def test_a_magazine_repair_brings_back_the_lowest_of_three() -> None:
    """C6.14: of 9, 2 and 5 two dots; never over the original count."""
    found = roll_reload(TypedDice([9, 2, 5]), 48)
    assert (found.dice, found.dots) == ((9, 2, 5), 2)
    assert roll_reload(TypedDice([9, 8, 7]), 3).dots == 3


@pytest.mark.rule("C6.16")
def test_a_permanent_repair_has_a_second_try_and_no_third() -> None:
    """C6.16: hull may be mended, Structural Integrity may not."""
    assert check_permanent("hull", 0) == ()
    assert check_permanent("hull", 1) == ()
    assert [problem.code for problem in check_permanent("hull", 2)] == ["needs-shipyard"]
    assert [problem.code for problem in check_permanent("SI", 0)] == ["needs-shipyard"]
