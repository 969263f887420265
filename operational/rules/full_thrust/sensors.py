"""Sensors: grades and bands, scans, what they tell, who shares it, and how locks are lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from campaign.engine.dice import Roller
from campaign.engine.errors import Problem, ProblemsError, refuse
from operational.rules.full_thrust.ecm import (
    NO_MODIFIERS,
    DieModifiers,
    Score,
    die_modifiers,
    expected_hits,
    roll_score,
)
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.tables import (
    ECM_GRADES,
    FACTS,
    OPERATIONAL_BANDS_HEXES,
    OPERATIONAL_DICE,
    RESULTS,
    SENSOR_COSTS,
    SIZE_CLASS_LEAST_MASS,
    TABLETOP_BANDS_MU,
    TABLETOP_DICE,
    EcmGrade,
    Mode,
    SensorGrade,
    SystemCost,
    TabletopSensorGrade,
)


def _dice_in_band(range_: int | Fraction, bands: Sequence[int], dice: Sequence[int]) -> int:
    """Return the dice of the first band that reaches ``range_``, bands' ends included; 0 beyond the last."""
    return next((number for reach, number in zip(bands, dice, strict=True) if range_ <= reach), 0)


@rule("operational-sensor-table", "sensors")
def operational_dice(grade: SensorGrade, mode: Mode, range_hex: int) -> int:
    """Return the dice of a scan on the map at a range in hexes (at least 0); 0 where the sensor does not reach."""
    return _dice_in_band(range_hex, OPERATIONAL_BANDS_HEXES[mode], OPERATIONAL_DICE[grade])


@rule("sensor-table", "sensors")
def tabletop_dice(grade: TabletopSensorGrade, mode: Mode, range_mu: int | Fraction) -> int:
    """Return the dice of a scan on the table at a range in MU (at least 0); 0 where the sensor does not reach."""
    return _dice_in_band(range_mu, TABLETOP_BANDS_MU[mode], TABLETOP_DICE[grade])


@rule("operational-sensor-table")
def operational_reach(grade: SensorGrade, mode: Mode) -> int:
    """Return how far a sensor reaches on the map, in hexes."""
    pairs = zip(OPERATIONAL_BANDS_HEXES[mode], OPERATIONAL_DICE[grade], strict=True)
    return max(reach for reach, number in pairs if number)


@rule("sensor-table")
def tabletop_reach(grade: TabletopSensorGrade, mode: Mode) -> int:
    """Return how far a sensor reaches on the table, in MU."""
    return max(reach for reach, number in zip(TABLETOP_BANDS_MU[mode], TABLETOP_DICE[grade], strict=True) if number)


@rule("sensor-table", "operational-sensor-table")
def sensor_cost(grade: TabletopSensorGrade) -> SystemCost:
    """Return the mass and the points of a sensor system: one price for its passive and its active part."""
    return SENSOR_COSTS[grade]


@rule("size-class")
def size_class(mass: int) -> int:
    """Return the size class, 1 to 5, of a mass of at least 1."""
    if mass < SIZE_CLASS_LEAST_MASS[0]:
        raise refuse("mass-too-small", "Mass starts at 1.", place="/mass", rule="size-class")
    return sum(mass >= least for least in SIZE_CLASS_LEAST_MASS)


@rule("passive-results", "active-results")
def facts_known(mode: Mode, hits: int, *, vector_movement: bool = False) -> tuple[str, ...]:
    """Return what a scan with so many hits tells, in the order in which the source lists it.

    Facts are of ``tables.FACTS``; the facing is one only where vector movement is used.
    """
    told = [fact for row in RESULTS[mode][: hits + 1] for fact in row]
    return tuple(fact for fact in told if fact != "facing" or vector_movement)


@rule("passive-results", "active-results")
def has_firing_solution(facts: Iterable[str]) -> bool:
    """Return whether the facts known of a ship are good enough to fire at it: any success is."""
    return any(True for _ in facts)


@rule("passive-results", "active-results")
def contact_marker(facts: Iterable[str]) -> str | None:
    """Return how a contact stands on the map or the table: None, "bogey", or "identified" once its class is known."""
    known = tuple(facts)
    if not known:
        return None
    return "identified" if "class" in known else "bogey"


@rule("sharing")
def share(*known: Iterable[str]) -> tuple[str, ...]:
    """Return what a fleet knows of one ship: whatever any of its ships has found out, at any time."""
    together = {fact for facts in known for fact in facts}
    return tuple(fact for fact in FACTS if fact in together)


@rule("passive-results", "active-results", "size-class")
def reveal(truth: Mapping[str, Any], facts: Iterable[str]) -> dict[str, Any]:
    """Return the true values of the facts known, and of no other.

    ``truth`` maps facts to values; "size-class" is worked out from its "mass".
    """
    full = {**truth, "size-class": size_class(truth["mass"])}
    known = frozenset(facts)
    return {fact: full[fact] for fact in FACTS if fact in known and fact in full}


@dataclass(frozen=True, slots=True)
class Scan:
    """A scan made: its hits with the faces, and the facts that they tell of the target."""

    score: Score
    facts: tuple[str, ...]

    @property
    def is_success(self) -> bool:
        """Whether the target was detected: any hit does it."""
        return self.score.hits > 0


@rule("sensor-table", "operational-sensor-table", "ecm-table")
def roll_scan(
    count: int,
    mode: Mode,
    ecm: EcmGrade,
    roller: Roller,
    modifiers: DieModifiers = NO_MODIFIERS,
    *,
    vector_movement: bool = False,
    reroller: Roller | None = None,
    place: str = "/range_hex",
) -> Scan:
    """Make a scan with ``count`` dice (from ``operational_dice`` or ``tabletop_dice``) against a ship's own ECM.

    Raises ``ProblemsError`` where there is no die, because the target is beyond the sensor's last band.
    """
    if count < 1:
        raise ProblemsError(_check_reach(count, place))
    score = roll_score(count, ecm, roller, modifiers, reroller)
    return Scan(score, facts_known(mode, score.hits, vector_movement=vector_movement))


def _check_reach(count: int, place: str) -> tuple[Problem, ...]:
    if count > 0:
        return ()
    message = "The target is beyond the last band of this sensor."
    return (Problem(place, "beyond-sensor-range", message, "sensor-table"),)


@dataclass(frozen=True, slots=True)
class ScanAllowance:
    """A ship's scans of one turn: its fire controls, how many it has used, whether one has failed."""

    fire_controls: int
    used: int = 0
    has_failed: bool = False

    @property
    def left(self) -> int:
        """How many scans the ship may still make."""
        return 0 if self.has_failed else max(self.fire_controls - self.used, 0)


@rule("fire-control-limit", "failed-scan-stops")
def check_allowance(allowance: ScanAllowance, *, place: str = "") -> tuple[Problem, ...]:
    """Return a problem where a ship may not scan again: one scan a fire control, none after the first failure."""
    if allowance.has_failed:
        message = "A scan of this ship has failed: it makes no more this turn."
        return (Problem(place, "scan-after-failure", message, "failed-scan-stops"),)
    if allowance.used >= allowance.fire_controls:
        message = f"The ship has {allowance.fire_controls} fire controls, and one scan for each."
        return (Problem(place, "scans-beyond-fire-controls", message, "fire-control-limit"),)
    return ()


@rule("fire-control-limit", "failed-scan-stops")
def after_scan(allowance: ScanAllowance, hits: int, *, place: str = "") -> ScanAllowance:
    """Return a ship's allowance after a scan with so many hits; raises ``ProblemsError`` where it had none left."""
    problems = check_allowance(allowance, place=place)
    if problems:
        raise ProblemsError(problems)
    return replace(allowance, used=allowance.used + 1, has_failed=hits == 0)


@dataclass(frozen=True, slots=True)
class Scanner:
    """A ship that is to scan: side, sensor grade, scans left, whether it declared active sensors or is cloaked."""

    side: str
    grade: TabletopSensorGrade
    allowance: ScanAllowance
    is_active: bool = False
    is_cloaked: bool = False


@rule("fire-control-limit", "failed-scan-stops", "active-counters", "cloaking")
def check_scan(scanner: Scanner, *, mode: Mode, target_side: str, dice: int) -> tuple[Problem, ...]:
    """Return all that forbids a scan; ``dice`` is what the tables give for the range.

    A friend cannot be scanned, nor a target beyond the last band; active sensors must have been
    declared at the choice of the task force; a cloaked ship scans nothing.
    """
    problems = [*check_allowance(scanner.allowance, place="/fire_controls"), *_check_reach(dice, "/range_hex")]
    if scanner.side == target_side:
        problems.append(Problem("/target_side", "scan-of-a-friend", "Only enemies are scanned.", "detection-phase"))
    if mode == "active" and not scanner.is_active:
        message = "Which ships use active sensors is declared before their task force scans."
        problems.append(Problem("/mode", "active-not-declared", message, "active-counters"))
    if scanner.is_cloaked:
        problems.append(Problem("/is_cloaked", "scanner-cloaked", "A cloaked ship holds no sensor lock.", "cloaking"))
    return tuple(sorted(problems))


@rule("active-counters")
def active_counters(modes: Mapping[str, Mode]) -> int:
    """Return the active sensor counters that lie with a task force, for all to see: one for each ship that uses them.

    ``modes`` maps ships to the sensors they use. Which ships they are is the owner's note alone.
    """
    return sum(mode == "active" for mode in modes.values())


@dataclass(frozen=True, slots=True)
class Target:
    """A ship that may be scanned: its name, its own ECM, and what makes it easier for passive sensors."""

    name: str
    ecm: EcmGrade = "none"
    is_active: bool = False
    is_burning_away: bool = False


@rule("easiest-ship")
def easiest_ships(
    targets: Sequence[Target], mode: Mode, *, area_ecm: EcmGrade = "none", vector_movement: bool = False
) -> tuple[str, ...]:
    """Return the ships of a task force that are easiest to detect; of several the owner chooses.

    ``targets`` are those that the sensing side has not detected yet. Easiest is the ship with the
    most hits to expect from a die, and of these the one with the poorest ECM: normally that is the
    poorest ECM of all, but a ship that uses active sensors or burns away can be easier still.
    """

    def ease(target: Target) -> tuple[Fraction, int]:
        modifiers = die_modifiers(
            mode,
            target_active=target.is_active,
            target_burning_away=target.is_burning_away,
            vector_movement=vector_movement,
            area_ecm=area_ecm,
        )
        return expected_hits(target.ecm, modifiers), -ECM_GRADES.index(target.ecm)

    most = max((ease(target) for target in targets), default=None)
    return tuple(target.name for target in targets if ease(target) == most)


class Lock(NamedTuple):
    """A sensor lock: the ship that holds it and the ship it is on."""

    holder: str
    target: str


@rule("cloaking")
def locks_after_cloaking(locks: Iterable[Lock], ship: str) -> tuple[Lock, ...]:
    """Return the locks that are left when a ship cloaks: those on it and its own are lost, for new attempts later."""
    return tuple(lock for lock in locks if ship not in (lock.holder, lock.target))
