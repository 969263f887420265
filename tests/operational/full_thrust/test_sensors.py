"""Sensors: bands, scans, results, sharing, limits and locks."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import TypedDice
from campaign.engine.errors import ProblemsError
from operational.rules.full_thrust import sensors
from operational.rules.full_thrust.ecm import DieModifiers
from operational.rules.full_thrust.sensors import Lock, ScanAllowance, Scanner, Target
from operational.rules.full_thrust.tables import (
    FACTS,
    MODES,
    OPERATIONAL_BANDS_HEXES,
    SENSOR_GRADES,
    TABLETOP_BANDS_MU,
    Mode,
)


@pytest.mark.rule("operational-sensor-table", "sensors")
@pytest.mark.parametrize(
    ("grade", "dice"), [("standard", [1, 0, 0, 0]), ("enhanced", [2, 1, 0, 0]), ("superior", [3, 2, 1, 0])]
)
def test_the_dice_on_the_map_fall_by_band_and_bands_include_their_ends(grade, dice) -> None:
    """At the end of each band, and one hex beyond it."""
    for mode, ends in (("passive", (2, 5, 10)), ("active", (10, 21, 43))):
        assert [sensors.operational_dice(grade, mode, end) for end in ends] == dice[:3]
        assert [sensors.operational_dice(grade, mode, end + 1) for end in ends] == dice[1:]
        assert sensors.operational_dice(grade, mode, 0) == dice[0]


@pytest.mark.rule("sensor-table", "sensors")
@pytest.mark.parametrize(
    ("grade", "dice"),
    [
        ("fighter", [1, 0, 0, 0, 0]),
        ("standard", [2, 1, 0, 0, 0]),
        ("enhanced", [3, 2, 1, 0, 0]),
        ("superior", [4, 3, 2, 1, 0]),
    ],
)
def test_the_dice_on_the_table_fall_by_band_and_bands_include_their_ends(grade, dice) -> None:
    """At the end of each band, and half a MU beyond it."""
    for mode, ends in (("passive", (18, 36, 72, 144)), ("active", (27, 54, 108, 216))):
        assert [sensors.tabletop_dice(grade, mode, end) for end in ends] == dice[:4]
        assert [sensors.tabletop_dice(grade, mode, end + Fraction(1, 2)) for end in ends] == dice[1:]


@pytest.mark.rule("sensor-table", "operational-sensor-table")
def test_a_sensor_reaches_as_far_as_it_has_dice() -> None:
    """One step further there are none."""
    for mode in MODES:
        for grade in SENSOR_GRADES:
            reach = sensors.operational_reach(grade, mode)
            assert sensors.operational_dice(grade, mode, reach) > 0 == sensors.operational_dice(grade, mode, reach + 1)
            reach = sensors.tabletop_reach(grade, mode)
            assert sensors.tabletop_dice(grade, mode, reach) > 0 == sensors.tabletop_dice(grade, mode, reach + 1)
    assert sensors.tabletop_reach("fighter", "active") == 27


@pytest.mark.rule("sensors")
def test_active_sensors_reach_half_as_far_again_on_the_table_and_four_times_on_the_map() -> None:
    """The two tables agree with each other."""
    assert [2 * far for far in TABLETOP_BANDS_MU["active"]] == [3 * near for near in TABLETOP_BANDS_MU["passive"]]
    pairs = zip(OPERATIONAL_BANDS_HEXES["passive"], OPERATIONAL_BANDS_HEXES["active"], strict=True)
    assert all(4 * near <= far < 4 * (near + 1) for near, far in pairs)


@pytest.mark.rule("sensor-table", "operational-sensor-table")
def test_better_sensors_are_bought() -> None:
    """Mass and points; standard sensors come with the ship."""
    costs = [sensors.sensor_cost(grade) for grade in ("fighter", "standard", "enhanced", "superior")]
    assert [(one.mass, one.points) for one in costs] == [(0, 0), (0, 0), (1, 15), (2, 30)]


@pytest.mark.rule("size-class")
def test_size_classes_begin_at_their_least_mass() -> None:
    """49 is class 2, 50 is class 3."""
    masses = (1, 4, 5, 49, 50, 99, 100, 299, 300, 5000)
    assert [sensors.size_class(mass) for mass in masses] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    with pytest.raises(ProblemsError) as caught:
        sensors.size_class(0)
    assert caught.value.problems[0].code == "mass-too-small"


@pytest.mark.rule("passive-results")
def test_passive_hits_tell_step_by_step() -> None:
    """One: a bogey to fire at; two: its mass; three: its class; four: its condition."""
    first = ("size-class", "velocity", "course", "screens")
    assert [sensors.facts_known("passive", hits) for hits in range(6)] == [
        (),
        first,
        (*first, "mass"),
        (*first, "mass", "class"),
        (*first, "mass", "class", "layout", "condition"),
        (*first, "mass", "class", "layout", "condition"),
    ]
    markers = [sensors.contact_marker(sensors.facts_known("passive", hits)) for hits in range(5)]
    assert markers == [None, "bogey", "bogey", "identified", "identified"]


@pytest.mark.rule("active-results")
def test_one_active_hit_tells_the_class_and_two_the_condition() -> None:
    """Active sensors need half as many hits."""
    first = ("mass", "velocity", "course", "screens", "class")
    assert [sensors.facts_known("active", hits) for hits in range(4)] == [
        (),
        first,
        (*first, "layout", "condition"),
        (*first, "layout", "condition"),
    ]
    assert sensors.contact_marker(first) == "identified"


@pytest.mark.rule("passive-results", "active-results")
@given(st.sampled_from(MODES), st.integers(0, 9))
def test_the_facing_is_known_with_vector_movement_and_any_hit_is_a_firing_solution(mode: Mode, hits: int) -> None:
    """The facing is the only fact that hangs on it."""
    with_facing = sensors.facts_known(mode, hits, vector_movement=True)
    without = sensors.facts_known(mode, hits)
    assert tuple(fact for fact in with_facing if fact != "facing") == without
    assert ("facing" in with_facing) == (hits > 0) == sensors.has_firing_solution(without)


@pytest.mark.rule("sharing")
def test_a_fleet_knows_what_any_of_its_ships_found_out() -> None:
    """A passive hit and an active one add up; the order is that of the list of facts."""
    together = sensors.share(sensors.facts_known("active", 1), (), sensors.facts_known("passive", 1))
    assert together == ("size-class", "velocity", "course", "screens", "mass", "class")
    assert sensors.share() == ()
    assert sensors.share(reversed(FACTS)) == FACTS


@pytest.mark.rule("passive-results", "size-class")
def test_only_known_facts_are_revealed() -> None:
    """The size class is told without the mass that it comes from."""
    truth = {"mass": 72, "velocity": 4, "course": "A", "screens": 0, "class": "Lantern", "condition": "two hull boxes"}
    told = sensors.reveal(truth, sensors.facts_known("passive", 1))
    assert told == {"size-class": 3, "velocity": 4, "course": "A", "screens": 0}
    assert sensors.reveal(truth, ()) == {}


@pytest.mark.rule("operational-sensor-table", "ecm-table", "passive-results")
def test_a_scan_scores_its_dice_and_tells_what_they_show() -> None:
    """Three dice against standard ECM: 4 and 5 hit, 2 does not."""
    found = sensors.roll_scan(3, "passive", "standard", TypedDice([4, 5, 2]))
    assert (found.score.hits, found.is_success) == (2, True)
    assert found.facts == ("size-class", "velocity", "course", "screens", "mass")
    failed = sensors.roll_scan(1, "active", "none", TypedDice([4]), DieModifiers(area=-3), vector_movement=True)
    assert (failed.score.hits, failed.is_success, failed.facts) == (0, False, ())
    turned = sensors.roll_scan(1, "active", "none", TypedDice([4]), vector_movement=True)
    assert (turned.score.hits, turned.is_success) == (1, True)
    assert "facing" in turned.facts


@pytest.mark.rule("sensor-table")
def test_a_scan_beyond_the_last_band_is_refused() -> None:
    """There is no die to roll."""
    with pytest.raises(ProblemsError) as caught:
        sensors.roll_scan(0, "passive", "none", TypedDice([]), place="/range_mu")
    assert [(one.place, one.code) for one in caught.value.problems] == [("/range_mu", "beyond-sensor-range")]


@pytest.mark.rule("fire-control-limit", "tabletop-scans")
def test_a_ship_scans_once_for_each_fire_control() -> None:
    """Two fire controls, two scans; a third is refused."""
    allowance = sensors.after_scan(sensors.after_scan(ScanAllowance(2), 1), 3)
    assert allowance.left == 0
    with pytest.raises(ProblemsError) as caught:
        sensors.after_scan(allowance, 1, place="/scans/2")
    assert [(one.place, one.code) for one in caught.value.problems] == [("/scans/2", "scans-beyond-fire-controls")]
    assert ScanAllowance(0).left == 0
    assert sensors.check_allowance(ScanAllowance(0))


@pytest.mark.rule("failed-scan-stops", "tabletop-scans")
def test_the_first_failed_scan_ends_a_ships_scans() -> None:
    """However many fire controls are left."""
    allowance = sensors.after_scan(sensors.after_scan(ScanAllowance(5), 2), 0)
    assert (allowance.left, allowance.used) == (0, 2)
    assert [one.code for one in sensors.check_allowance(allowance)] == ["scan-after-failure"]
    assert sensors.after_scan(ScanAllowance(5), 1).left == 4


@pytest.mark.rule("fire-control-limit", "cloaking", "active-counters")
def test_all_that_forbids_a_scan_is_told_at_once() -> None:
    """A friend, beyond reach, an active sensor not declared, a cloaked ship, no fire control left."""
    bad = Scanner("red", "standard", ScanAllowance(0), is_cloaked=True)
    found = sensors.check_scan(bad, mode="active", target_side="red", dice=0)
    assert {one.code for one in found} == {
        "scans-beyond-fire-controls",
        "beyond-sensor-range",
        "scan-of-a-friend",
        "active-not-declared",
        "scanner-cloaked",
    }
    good = Scanner("red", "standard", ScanAllowance(1), is_active=True)
    assert sensors.check_scan(good, mode="active", target_side="blue", dice=1) == ()
    quiet = Scanner("red", "standard", ScanAllowance(1))
    assert sensors.check_scan(quiet, mode="passive", target_side="blue", dice=1) == ()


@pytest.mark.rule("active-counters")
def test_a_counter_lies_with_the_force_for_each_active_sensor() -> None:
    """The number is seen, the ships are not named."""
    assert sensors.active_counters({"Lantern": "active", "Sparrow": "passive", "Heron": "active"}) == 2
    assert sensors.active_counters({}) == 0


@pytest.mark.rule("easiest-ship")
def test_the_attempt_is_on_the_ship_with_the_poorest_ecm() -> None:
    """Of equal ones the owner chooses, so all of them are named."""
    targets = [Target("a", "enhanced"), Target("b", "standard"), Target("c", "standard"), Target("d", "superior")]
    assert sensors.easiest_ships(targets, "active") == ("b", "c")
    assert sensors.easiest_ships([*targets, Target("e")], "active") == ("e",)
    assert sensors.easiest_ships([], "active") == ()


@pytest.mark.rule("easiest-ship")
def test_under_strong_area_ecm_the_poorest_ecm_is_still_the_easiest() -> None:
    """Where no first die can hit either ship, their own ECM decides."""
    targets = [Target("a", "superior"), Target("b", "standard")]
    assert sensors.easiest_ships(targets, "active", area_ecm="superior") == ("b",)


@pytest.mark.rule("easiest-ship", "die-modifiers")
def test_a_loud_ship_can_be_easier_than_one_with_poorer_ecm() -> None:
    """For passive sensors only."""
    targets = [Target("quiet", "none"), Target("loud", "standard", is_active=True)]
    assert sensors.easiest_ships(targets, "passive") == ("loud",)
    assert sensors.easiest_ships(targets, "active") == ("quiet",)
    burning = [Target("quiet", "none"), Target("burning", "standard", is_burning_away=True)]
    assert sensors.easiest_ships(burning, "passive", vector_movement=True) == ("burning",)
    assert sensors.easiest_ships(burning, "passive") == ("quiet",)


@pytest.mark.rule("cloaking")
def test_a_ship_that_cloaks_is_lost_and_loses_its_own_locks() -> None:
    """The locks of others on others stay."""
    locks = [Lock("a", "x"), Lock("x", "a"), Lock("b", "x"), Lock("a", "y"), Lock("y", "b")]
    assert sensors.locks_after_cloaking(locks, "x") == (Lock("a", "y"), Lock("y", "b"))
