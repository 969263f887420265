"""Procedures of the table: its EW phase, whole, for a battle that came from a map or for any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from campaign.engine.dice import Roller
from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.engine.hexes import Hex
from campaign.engine.procedure import Input, Procedure
from operational.rules.full_thrust import tabletop_ew
from operational.rules.full_thrust.movement import Initiative
from operational.rules.full_thrust.sensors import Lock
from operational.rules.full_thrust.tables import DIE_SIDES, EcmGrade, TabletopSensorGrade


class PlaceInput(Input):
    """A place on the table, on a grid of hexes of one MU."""

    q: int = Field(ge=-(10**6), le=10**6)
    r: int = Field(ge=-(10**6), le=10**6)


class TableShipInput(Input):
    """A ship or fighter group on the table."""

    id: str = Field(min_length=1, max_length=80)
    side: str = Field(min_length=1, max_length=24)
    at: PlaceInput
    sensors: TabletopSensorGrade = "standard"
    fire_controls: int = Field(default=1, ge=0, le=24, description="and as many scans; a fighter group has one")
    ecm: EcmGrade = "none"
    area_ecm: EcmGrade = "none"
    active: bool = Field(default=False, description="it uses active sensors")
    cloaked: bool = False
    burning_away: bool = Field(default=False, description="its main drive burned facing away from the enemy")


class TableScanInput(Input):
    """A scan that a ship is to make."""

    ship: str
    target: str
    mode: Literal["passive", "active"] = "passive"


class LockInput(Input):
    """A lock held before the phase."""

    holder: str
    target: str


class EwPhaseInput(Input):
    """A whole EW phase of the table."""

    initiative: str = Field(description="the side that has it: its ships begin")
    ships: list[TableShipInput] = Field(min_length=2, max_length=200)
    scans: list[TableScanInput] = Field(default=[], max_length=500)
    orders: dict[str, list[str]] = Field(default={}, description="each side's ships in their order of preference")
    locks: list[LockInput] = []
    vector_movement: bool = False


def _ew_phase(asked: EwPhaseInput, roller: Roller) -> Mapping[str, Any]:
    ships = [
        tabletop_ew.TableShip(
            id=each.id,
            side=each.side,
            sensors=each.sensors,
            place=Hex(each.at.q, each.at.r),
            fire_controls=each.fire_controls,
            ecm=each.ecm,
            area_ecm=each.area_ecm,
            is_active=each.active,
            is_cloaked=each.cloaked,
            is_burning=each.burning_away,
        )
        for each in asked.ships
    ]
    scans = [tabletop_ew.TableScan(each.ship, each.target, each.mode) for each in asked.scans]
    problems = [*tabletop_ew.check_phase(ships, scans), *_check_sides(asked)]
    if problems:
        raise ProblemsError(problems)
    loser = next(each.side for each in asked.ships if each.side != asked.initiative)
    played = tabletop_ew.play_phase(
        Initiative(asked.initiative, loser, ()),
        ships,
        scans,
        roller,
        orders=asked.orders,
        locks=[Lock(each.holder, each.target) for each in asked.locks],
        vector_movement=asked.vector_movement,
    )
    by_id = {ship.id: ship for ship in ships}
    return {
        "order": played.order,
        "scans": [_scan_document(each) for each in played.scans],
        "locks": [lock._asdict() for lock in played.locks],
        "known": {side: dict(facts) for side, facts in played.known.items()},
        "markers": {side: tabletop_ew.markers(facts) for side, facts in played.known.items()},
        "firing_solutions": {side: played.firing_solutions(side, by_id) for side in played.known},
    }


def _check_sides(asked: EwPhaseInput) -> list[Problem]:
    sides = sorted({each.side for each in asked.ships})
    problems = []
    if len(sides) != 2:
        problems.append(Problem("/ships", "not-two-sides", "The phase is played between two sides.", "initiative"))
    elif asked.initiative not in sides:
        message = f"The initiative is with one of {', '.join(sides)}."
        problems.append(Problem("/initiative", "unknown-side", message, "initiative"))
    known = {each.id for each in asked.ships}
    for index, lock in enumerate(asked.locks):
        for name in ("holder", "target"):
            if getattr(lock, name) not in known:
                place = pointer("locks", index, name)
                problems.append(Problem(place, "unknown-ship", "There is no such ship on the table.", "sharing"))
    return problems


def _scan_document(scan: tabletop_ew.ScanMade) -> dict[str, Any]:
    return {
        "ship": scan.ship,
        "target": scan.target,
        "mode": scan.mode,
        "range_mu": scan.range,
        "dice": scan.dice,
        "hits": None if scan.score is None else scan.score.hits,
        "faces": [] if scan.score is None else list(scan.score.dice),
        "rerolls": [] if scan.score is None else list(scan.score.rerolls),
        "facts": list(scan.facts),
        "not_made": None if scan.problem is None else scan.problem.message,
    }


TABLETOP_PROCEDURES = (
    Procedure(
        "tabletop.ew-phase",
        ("tabletop-phase", "tabletop-scans"),
        "The EW phase of the table: both sides' ships scan by turns, the side with the initiative first.",
        EwPhaseInput,
        {
            "order": "the ships in the order in which they are chosen",
            "scans": "each scan with its range in MU, dice, faces, hits and facts, or why it was not made",
            "locks": "the locks after the phase, each with holder and target",
            "known": "side and enemy ship to the facts known",
            "markers": 'side and enemy ship to "bogey" or "identified"',
            "firing_solutions": "the enemy ships that each side may fire at",
        },
        _ew_phase,
        dice="dice",
        sides=DIE_SIDES,
        example={
            "initiative": "red",
            "ships": [
                {"id": "Lantern", "side": "red", "at": {"q": 0, "r": 0}, "fire_controls": 2},
                {"id": "Sparrow", "side": "blue", "at": {"q": 0, "r": 18}, "ecm": "standard"},
            ],
            "scans": [{"ship": "Lantern", "target": "Sparrow"}],
            "dice": [5, 2],
        },
    ),
)
