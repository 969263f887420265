"""Dummies and false contacts."""

import pytest

from campaign.engine.dice import SeedDice, TypedDice
from campaign.engine.errors import ProblemsError
from operational.rules.full_thrust import dummies
from operational.rules.full_thrust.ecm import DieModifiers


@pytest.mark.rule("dummy-taskforces")
def test_a_side_may_have_a_d6_of_dummies() -> None:
    """All six numbers come, and no other."""
    assert dummies.roll_dummies(TypedDice([4])) == 4
    assert {dummies.roll_dummies(SeedDice(str(seed))) for seed in range(60)} == {1, 2, 3, 4, 5, 6}


@pytest.mark.rule("dummy-taskforces")
def test_dummies_are_split_off_up_to_the_number_rolled() -> None:
    """One that was found out may be made again."""
    assert dummies.check_split_off(2, 3) == ()
    problems = dummies.check_split_off(3, 3, place="/orders/1")
    assert [(one.place, one.code) for one in problems] == [("/orders/1", "too-many-dummies")]


@pytest.mark.rule("false-contacts")
def test_a_force_is_a_false_contact_when_nothing_is_left_to_detect() -> None:
    """A dummy always is."""
    assert dummies.is_false_contact(0, 0)
    assert dummies.is_false_contact(3, 3)
    assert not dummies.is_false_contact(3, 2)


@pytest.mark.rule("false-contacts")
def test_a_failed_attempt_on_a_false_contact_tells_nothing() -> None:
    """It looks like any attempt on a ship without ECM."""
    for is_dummy in (True, False):
        found = dummies.roll_false_scan(2, "passive", TypedDice([1, 2]), is_dummy=is_dummy)
        assert (found.score.hits, found.announcement) == (0, None)


@pytest.mark.rule("false-contacts")
def test_a_success_tells_a_dummy_from_a_force_of_which_all_is_known() -> None:
    """A 3 is enough: no ECM counts, but the modifiers do."""
    assert dummies.roll_false_scan(1, "active", TypedDice([3]), is_dummy=True).announcement == "dummy"
    assert dummies.roll_false_scan(1, "active", TypedDice([3]), is_dummy=False).announcement == "all-detected"
    covered = dummies.roll_false_scan(1, "active", TypedDice([3]), DieModifiers(area=-1), is_dummy=False)
    assert covered.announcement is None
    loud = dummies.roll_false_scan(1, "passive", TypedDice([2]), DieModifiers(bonus=1), is_dummy=False)
    assert loud.announcement == "all-detected"


@pytest.mark.rule("false-contacts")
def test_a_false_contact_beyond_reach_is_no_more_in_reach_than_a_ship() -> None:
    """The refusal is the same."""
    with pytest.raises(ProblemsError) as caught:
        dummies.roll_false_scan(0, "active", TypedDice([]), is_dummy=True)
    assert caught.value.problems[0].code == "beyond-sensor-range"
