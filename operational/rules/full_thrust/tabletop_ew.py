"""The EW phase of the table: between the initiative and the fighters, ships scan by turns, the winner first.

It can be played for any table: ships with their sensors, ECM and places, and each side's scans. ``of_engagement``
makes it of what a map has handed over, with the locks that came along, so that a battle starts with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import Any

from campaign.engine.dice import Roller
from campaign.engine.errors import Problem, pointer
from campaign.engine.handoff import Engagement
from campaign.engine.hexes import Hex
from operational.rules.full_thrust.ecm import Score, area_cover, die_modifiers
from operational.rules.full_thrust.movement import Initiative, in_order_of_preference, tabletop_scan_order
from operational.rules.full_thrust.sensors import (
    Lock,
    ScanAllowance,
    Scanner,
    after_scan,
    check_scan,
    contact_marker,
    roll_scan,
    share,
    tabletop_dice,
)
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.tables import EcmGrade, Mode, TabletopSensorGrade

FIGHTER_SCANS = 1  # a fighter group has no fire control; the source gives it sensors, and so one scan


@dataclass(frozen=True, slots=True)
class TableShip:
    """A ship or fighter group on the table; ``place`` in MU (a grid of hexes of one MU).

    ``is_active``: it uses active sensors. ``is_burning``: its main drive burned facing away from the enemy
    in the movement phase before, which counts with vector movement alone.
    """

    id: str
    side: str
    sensors: TabletopSensorGrade
    place: Hex
    fire_controls: int = 0
    ecm: EcmGrade = "none"
    area_ecm: EcmGrade = "none"
    is_active: bool = False
    is_cloaked: bool = False
    is_burning: bool = False

    @property
    def scans(self) -> int:
        """Return the scans it may make: one for each fire control, a fighter group one."""
        return FIGHTER_SCANS if self.sensors == "fighter" else self.fire_controls


@dataclass(frozen=True, slots=True)
class TableScan:
    """A scan that a ship is to make: at whom, and with what."""

    ship: str
    target: str
    mode: Mode = "passive"


@dataclass(frozen=True, slots=True)
class ScanMade:
    """A scan as it was made, or why it was not: "" and a score, or a reason without one."""

    ship: str
    target: str
    mode: Mode
    range: int
    dice: int
    score: Score | None
    facts: tuple[str, ...] = ()
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class EwPhase:
    """What a phase came to: the scans in order, the locks, and what each side knows of each enemy ship."""

    order: tuple[str, ...]
    scans: tuple[ScanMade, ...]
    locks: tuple[Lock, ...]
    known: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def firing_solutions(self, side: str, ships: Mapping[str, TableShip]) -> tuple[str, ...]:
        """Return the enemy ships that a side may fire at: those on which it holds a lock."""
        held = {lock.target for lock in self.locks if ships[lock.holder].side == side}
        return tuple(target for target in self.known[side] if target in held)


@rule("sensor-table")
def range_in_mu(one: Hex, other: Hex) -> int:
    """Return the straight distance of two places in MU, its fraction counted up, since bands end where they say."""
    q, r = one.q - other.q, one.r - other.r
    squared = q * q + q * r + r * r
    root = isqrt(squared)
    return root + (root * root < squared)


@rule("tabletop-phase", "tabletop-scans", "sharing", "failed-scan-stops", "fire-control-limit")
def play_phase(
    initiative: Initiative,
    ships: Sequence[TableShip],
    scans: Sequence[TableScan],
    roller: Roller,
    *,
    orders: Mapping[str, Sequence[str]] | None = None,
    known: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    locks: Sequence[Lock] = (),
    vector_movement: bool = False,
) -> EwPhase:
    """Play the phase: ships are chosen by turns, the side with the initiative first, and make their scans one by one.

    ``orders`` is each side's order of preference; ``known`` maps side and enemy ship to facts known before. A
    ship stops at its first failure or with its last fire control; whatever one ship learns, its side knows.
    """
    by_id = {ship.id: ship for ship in ships}
    wanted = orders or {}
    sides = {
        side: in_order_of_preference(wanted.get(side, ()), [ship.id for ship in ships if ship.side == side])
        for side in (initiative.winner, initiative.loser)
    }
    order = tabletop_scan_order(initiative, sides)
    learnt: dict[str, dict[str, tuple[str, ...]]] = {
        side: {target: tuple(facts) for target, facts in (known or {}).get(side, {}).items()} for side in sides
    }
    held = list(locks)
    made: list[ScanMade] = []
    for identity in order:
        ship = by_id[identity]
        allowance = ScanAllowance(ship.scans)
        for scan in scans:
            if scan.ship != identity:
                continue
            found = _scan(ship, by_id, scan, allowance, roller, vector_movement=vector_movement)
            made.append(found)
            if found.score is None:
                continue
            allowance = after_scan(allowance, found.score.hits)
            if found.score.hits:
                before = learnt[ship.side].get(scan.target, ())
                learnt[ship.side][scan.target] = share(before, found.facts)
                held = [*(lock for lock in held if lock != Lock(identity, scan.target)), Lock(identity, scan.target)]
    return EwPhase(order, tuple(made), tuple(held), learnt)


def _scan(
    ship: TableShip,
    ships: Mapping[str, TableShip],
    scan: TableScan,
    allowance: ScanAllowance,
    roller: Roller,
    *,
    vector_movement: bool,
) -> ScanMade:
    """Make one scan, or say why it cannot be made."""
    target = ships[scan.target]
    range_ = range_in_mu(ship.place, target.place)
    count = tabletop_dice(ship.sensors, scan.mode, range_)
    scanner = Scanner(ship.side, ship.sensors, allowance, ship.is_active, ship.is_cloaked)
    problems = check_scan(scanner, mode=scan.mode, target_side=target.side, dice=count)
    if not problems and target.is_cloaked:
        problems = (Problem("/target", "target-cloaked", "A cloaked ship cannot be locked on.", "cloaking"),)
    if problems:
        return ScanMade(ship.id, target.id, scan.mode, range_, count, None, problem=problems[0])
    modifiers = die_modifiers(
        scan.mode,
        target_active=target.is_active,
        target_burning_away=target.is_burning,
        vector_movement=vector_movement,
        area_ecm=_cover(target, ships),
    )
    found = roll_scan(count, scan.mode, target.ecm, roller, modifiers, vector_movement=vector_movement)
    return ScanMade(ship.id, target.id, scan.mode, range_, count, found.score, found.facts)


@rule("ecm-packages")
def _cover(target: TableShip, ships: Mapping[str, TableShip]) -> EcmGrade:
    """Return the area ECM that covers a ship: the best of its side within 12 MU."""
    return area_cover(
        (ship.area_ecm, range_in_mu(ship.place, target.place)) for ship in ships.values() if ship.side == target.side
    )


def check_phase(ships: Sequence[TableShip], scans: Sequence[TableScan]) -> tuple[Problem, ...]:
    """Return what is wrong with a table before anybody rolls: ships twice, strangers, more scans than fire controls."""
    problems: list[Problem] = []
    seen: dict[str, TableShip] = {}
    for index, ship in enumerate(ships):
        if ship.id in seen:
            problems.append(Problem(pointer("ships", index, "id"), "ship-twice", "This ship is on the table already."))
        seen[ship.id] = ship
    used: dict[str, int] = {}
    for index, scan in enumerate(scans):
        for name in ("ship", "target"):
            if getattr(scan, name) not in seen:
                place = pointer("scans", index, name)
                problems.append(Problem(place, "unknown-ship", "There is no such ship on the table."))
        used[scan.ship] = used.get(scan.ship, 0) + 1
        if scan.ship in seen and used[scan.ship] > seen[scan.ship].scans:
            message = f"The ship may make {seen[scan.ship].scans} scans: one for each fire control."
            problems.append(
                Problem(pointer("scans", index), "scans-beyond-fire-controls", message, "fire-control-limit")
            )
    return tuple(sorted(problems))


@dataclass(frozen=True, slots=True)
class Table:
    """A table as a map hands it over: ships by mark, what each side knows, and the locks."""

    ships: tuple[TableShip, ...]
    known: Mapping[str, Mapping[str, tuple[str, ...]]]
    locks: tuple[Lock, ...]


@rule("tabletop-phase", "table-phase", "passive-results")
def of_engagement(document: Mapping[str, Any]) -> Table:
    """Return the table of a game master's engagement: bogeys and locks stand as the map's scans left them."""
    engagement = Engagement.model_validate(document)
    ships = tuple(
        TableShip(
            id=ship.id,
            side=side,
            sensors=ship.facts["sensors"],
            place=force.place.hex,
            fire_controls=ship.facts["fire_controls"],
            ecm=ship.facts["ecm"],
            area_ecm=ship.facts["area_ecm"],
            is_active="active-sensors" in ship.marks,
            is_cloaked="cloaked" in ship.marks,
        )
        for side, force, ship in engagement.ships()
    )
    known: dict[str, dict[str, tuple[str, ...]]] = {}
    locks: list[Lock] = []
    for side, each in sorted(engagement.sides.items()):
        known[side] = {}
        for contact in each.knows:
            for target, told in contact.facts["ships"].items():
                known[side][target] = share(told["facts"])
                locks += [Lock(holder, target) for holder in told["locked_by"]]
    return Table(ships, known, tuple(locks))


def markers(known: Mapping[str, Sequence[str]]) -> dict[str, str | None]:
    """Return how each enemy ship stands on the table: as a bogey, or as a model once its class is known."""
    return {ship: contact_marker(facts) for ship, facts in known.items()}
