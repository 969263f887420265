"""Ship classes: the library's fleets are whole, and damage takes away what it says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from campaign.selectors.rulesets import class_checks
from operational.rules.full_thrust.ship_class import (
    ShipClass,
    area_ecm_grade,
    can_cloak,
    check_class,
    class_schema,
    dump_class,
    ecm_grade,
    fire_controls,
    load_classes,
    sensor_grade,
    systems_cost,
    thrust_rating,
    undump_class,
)
from operational.rules.full_thrust.tables import SystemCost
from tests.operational.full_thrust.replays import CLASSES
from tests.operational.full_thrust.worlds import FRIGATE, TENDER

FILES = sorted(CLASSES.glob("*.toml"))


def frigate(**fields: object) -> ShipClass:
    """Return a frigate's class, changed."""
    return load_classes({**FRIGATE, **fields})[0]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_class_of_the_library_has_no_problem_and_is_kept_as_it_is(path: Path) -> None:
    """Its key is its file's name, and it goes into a state's document and out again."""
    document = tomllib.loads(path.read_text())
    assert check_class(document) == ()
    assert document["key"] == path.stem
    for each in load_classes(document):
        assert undump_class(dump_class(each)) == each


def test_the_library_has_two_fleets_that_differ_in_how_they_see_and_hide() -> None:
    """Eight classes and more; each grade of sensors and ECM is somewhere in use, and so are craft and a cloak."""
    classes = [load_classes(tomllib.loads(path.read_text()))[0] for path in FILES]
    assert len(classes) >= 8
    assert {each.nation for each in classes} == {"talavar", "brisane"}
    assert {each.sensors for each in classes} == {"standard", "enhanced", "superior"}
    assert {each.ecm for each in classes} >= {"none", "standard", "enhanced"}
    assert any(each.area_ecm != "none" for each in classes)
    assert any(each.cloak for each in classes)
    assert any(each.craft for each in classes)


@pytest.mark.rule("sensors", "ecm-packages", "fire-control-limit", "taskforces")
def test_damage_takes_systems_away() -> None:
    """Standard sensors are left to every ship; the first hit on the drive halves the thrust, the second takes it."""
    its = frigate(sensors="superior", area_ecm="standard", thrust=5)
    assert (sensor_grade(its), ecm_grade(its), area_ecm_grade(its)) == ("superior", "standard", "standard")
    hurt = {"sensors": 1, "ecm": 1, "area_ecm": 1, "cloak": 1, "fire_control": 1}
    assert (sensor_grade(its, hurt), ecm_grade(its, hurt), area_ecm_grade(its, hurt)) == ("standard", "none", "none")
    assert (can_cloak(its), can_cloak(its, hurt)) == (True, False)
    assert (fire_controls(its), fire_controls(its, hurt)) == (2, 1)
    assert [thrust_rating(its, {"drive": lost}) for lost in (0, 1, 2)] == [5, 2, 0]
    assert its.tracks["drive"] == 2
    assert "drive" not in frigate(thrust=0).tracks


@pytest.mark.rule("sensors", "ecm-packages")
def test_sensors_and_ecm_are_bought_by_mass_and_points() -> None:
    """Superior sensors, enhanced own ECM and standard area ECM: 2 + 4 + 3 mass, 30 + 40 + 30 points."""
    assert systems_cost(frigate(sensors="superior", ecm="enhanced", area_ecm="standard")) == SystemCost(9, 100)
    assert systems_cost(frigate(ecm="none")) == SystemCost(0, 0)


@pytest.mark.rule("size-class", "operations-phase")
def test_craft_are_classes_of_their_own_with_the_sensors_of_fighters() -> None:
    """Mass 1 to 4, size class 1; heavier ones are ships."""
    ship, craft = load_classes(TENDER)
    assert (craft.key, craft.kind, craft.sensors, craft.fire_controls) == ("tender.dart", "craft", "fighter", 0)
    assert [(each.ship_class, each.count) for each in ship.craft] == [("tender.dart", 3)]
    heavy = {**TENDER, "craft": [{**TENDER["craft"][0], "mass": 5}]}
    assert [(one.place, one.code) for one in check_class(heavy)] == [("/craft/0/mass", "less-than-equal")]


def test_the_library_asks_the_ruleset_what_is_wrong_with_a_class() -> None:
    """By the key under which a stat block stands; no list of keys is kept beside the registry."""
    assert class_checks()["full-thrust"] is check_class
    assert set(class_schema()["properties"]) >= {"sensors", "ecm", "area_ecm", "fire_controls", "craft"}
