"""Procedures of whom a scan meets: easiest ships, dummies, cloaking, and what the systems cost."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from pydantic import Field

from campaign.engine.dice import Roller
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.engine.procedure import Input, NoInput, Procedure
from operational.rules.full_thrust import dummies, ecm, sensors
from operational.rules.full_thrust.desk_sensors import (
    SCORED,
    Circumstances,
    RangeHexes,
    RangeMu,
    finish_rerolls,
    score_document,
    typed_rerolls,
)
from operational.rules.full_thrust.tables import (
    AREA_ECM_MODIFIER,
    DIE_SIDES,
    EcmGrade,
    EcmKind,
    Mode,
    SensorGrade,
    SystemCost,
    TabletopSensorGrade,
)


class FalseScanInput(Circumstances):
    """An attempt on a dummy, or on a task force of which every ship is detected."""

    grade: SensorGrade
    range_hex: RangeHexes
    is_dummy: bool
    rerolls: list[Any] | None = Field(None, description="faces of the re-rolls, in order, where dice are typed")


def _false_scan(asked: FalseScanInput, roller: Roller) -> Mapping[str, Any]:
    if asked.is_dummy and (asked.area_ecm != "none" or asked.target_active):
        place = "/area_ecm" if asked.area_ecm != "none" else "/target_active"
        raise refuse(
            "dummy-without-systems", "A dummy has neither sensors nor ECM.", place=place, rule="false-contacts"
        )
    reroller = typed_rerolls(asked.rerolls, roller)
    count = sensors.operational_dice(asked.grade, asked.mode, asked.range_hex)
    found = dummies.roll_false_scan(
        count, asked.mode, roller, asked.modifiers(), is_dummy=asked.is_dummy, reroller=reroller
    )
    finish_rerolls(reroller)
    return {**score_document(found.score), "announcement": found.announcement, "dice_count": count}


class TargetInput(Input):
    """A ship of the task force that is scanned."""

    name: str
    ecm: EcmGrade = "none"
    is_active: bool = Field(False, description="it uses active sensors")
    is_burning_away: bool = Field(False, description="its main drive burned facing away from the scanner")


class EasiestShipInput(Input):
    """The ships of a task force that the sensing side has not detected yet."""

    mode: Mode
    ships: list[TargetInput]
    area_ecm: EcmGrade = "none"
    vector_movement: bool = False


def _easiest_ship(asked: EasiestShipInput) -> Mapping[str, Any]:
    names = [one.name for one in asked.ships]
    twice = [index for index, name in enumerate(names) if name in names[:index]]
    if twice:
        raise ProblemsError(
            Problem(pointer("ships", index, "name"), "ship-twice", "This ship is named twice.", "easiest-ship")
            for index in twice
        )
    targets = [sensors.Target(one.name, one.ecm, one.is_active, one.is_burning_away) for one in asked.ships]
    found = sensors.easiest_ships(targets, asked.mode, area_ecm=asked.area_ecm, vector_movement=asked.vector_movement)
    return {
        "candidates": found,
        "chooser": "owner" if len(found) > 1 else None,
        "false_contact": dummies.is_false_contact(len(targets), 0),
    }


class LockInput(Input):
    """A sensor lock."""

    holder: str
    target: str


class CloakInput(Input):
    """The locks of both sides, and the ship that cloaks."""

    locks: list[LockInput]
    ship: str


def _cloak(asked: CloakInput) -> Mapping[str, Any]:
    locks = [sensors.Lock(one.holder, one.target) for one in asked.locks]
    left = sensors.locks_after_cloaking(locks, asked.ship)
    return {"locks": [lock._asdict() for lock in left], "lost": len(locks) - len(left)}


class SensorCostInput(Input):
    """A sensor grade."""

    grade: TabletopSensorGrade


class EcmCostInput(Input):
    """An ECM system."""

    grade: EcmGrade
    kind: EcmKind


class AreaSystemInput(Input):
    """A friendly area ECM system on the table."""

    grade: Literal["standard", "enhanced", "superior"]
    distance_mu: RangeMu


class AreaCoverInput(Input):
    """The friendly area ECM systems around a ship, its own with them at distance 0."""

    systems: list[AreaSystemInput]


def _area_cover(asked: AreaCoverInput) -> Mapping[str, Any]:
    found = ecm.area_cover((one.grade, Fraction(one.distance_mu)) for one in asked.systems)
    return {"grade": found, "modifier": AREA_ECM_MODIFIER[found]}


def _cost(cost: SystemCost) -> Mapping[str, Any]:
    return {"mass": cost.mass, "points": cost.points}


_COST = {"mass": "mass of the system", "points": "points it costs"}

CONTACT_PROCEDURES = (
    Procedure(
        "sensors.easiest-ship",
        ("easiest-ship",),
        "The ships of a task force on which an attempt is made: the easiest to detect, at the owner's choice.",
        EasiestShipInput,
        {
            "candidates": "the easiest ships",
            "chooser": '"owner" where there are several, else null',
            "false_contact": "whether there is no ship (left) to detect",
        },
        _easiest_ship,
        example={"mode": "passive", "ships": [{"name": "Lantern"}, {"name": "Sparrow", "ecm": "standard"}]},
    ),
    Procedure(
        "sensors.cloak",
        ("cloaking",),
        "The sensor locks that are left when a ship cloaks.",
        CloakInput,
        {"locks": "locks left, each with holder and target", "lost": "how many are lost"},
        _cloak,
        example={"locks": [{"holder": "Lantern", "target": "Sparrow"}], "ship": "Sparrow"},
    ),
    Procedure(
        "sensors.cost",
        ("sensor-table", "operational-sensor-table"),
        "Mass and points of a sensor system.",
        SensorCostInput,
        _COST,
        lambda asked: _cost(sensors.sensor_cost(asked.grade)),
        example={"grade": "enhanced"},
    ),
    Procedure(
        "ecm.cost",
        ("ecm-table", "ecm-packages"),
        "Mass and points of an ECM system.",
        EcmCostInput,
        _COST,
        lambda asked: _cost(ecm.ecm_cost(asked.grade, asked.kind)),
        example={"grade": "standard", "kind": "area"},
    ),
    Procedure(
        "ecm.area-cover",
        ("ecm-packages", "die-modifiers"),
        "The area ECM that covers a ship on the table: the best within 12 MU.",
        AreaCoverInput,
        {"grade": "grade that counts", "modifier": "added to each die against the ship"},
        _area_cover,
        example={"systems": [{"grade": "enhanced", "distance_mu": 12}, {"grade": "superior", "distance_mu": 13}]},
    ),
    Procedure(
        "dummies.number",
        ("dummy-taskforces",),
        "How many dummy task forces a side may have in play.",
        NoInput,
        {"dummies": "dummy task forces"},
        lambda _asked, roller: {"dummies": dummies.roll_dummies(roller)},
        dice="dice",
        sides=DIE_SIDES,
        example={"dice": [4]},
    ),
    Procedure(
        "dummies.scan",
        ("false-contacts", "dummy-taskforces"),
        "An attempt on a force with nothing (more) to detect: told only on a success.",
        FalseScanInput,
        {
            **SCORED,
            "announcement": '"dummy" or "all-detected", null on a failure',
            "dice_count": "dice rolled",
        },
        _false_scan,
        dice="dice",
        sides=DIE_SIDES,
        example={"mode": "active", "grade": "standard", "range_hex": 10, "is_dummy": True, "dice": [3]},
    ),
)
