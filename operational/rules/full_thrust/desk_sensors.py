"""Procedures of sensors: dice, scores, scans and what they tell."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

from pydantic import AliasChoices, Field

from campaign.engine.dice import Roller, TypedDice
from campaign.engine.errors import ProblemsError, pointer, refuse
from campaign.engine.procedure import Input, Procedure
from operational.rules.full_thrust import ecm, sensors
from operational.rules.full_thrust.tables import (
    AREA_ECM_MODIFIER,
    DIE_SIDES,
    SIZE_CLASS_NAMES,
    EcmGrade,
    Mode,
    SensorGrade,
    TabletopSensorGrade,
)

RangeHexes = Annotated[int, Field(ge=0, le=10**9, description="range in operational hexes")]
RangeMu = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False, description="range in MU, fractions allowed")]
Count = Annotated[int, Field(ge=0, le=1000)]


class Modified(Input):
    """The modifiers of a die as numbers."""

    positive_dm: int = Field(0, ge=0, le=3, description="bonus from what the target does; for re-rolls too")
    negative_dm: int | None = Field(
        None,
        ge=-3,
        le=3,
        validation_alias=AliasChoices("negative_dm", "area_dm"),
        description="what area ECM takes off, with its minus or without; not for re-rolls",
    )
    area_ecm: EcmGrade | None = Field(
        None, validation_alias=AliasChoices("area_ecm", "area"), description="grade of the area ECM, instead"
    )

    def modifiers(self) -> ecm.DieModifiers:
        """Return the modifiers; raise where grade and number of the area ECM disagree."""
        area = 0 if self.negative_dm is None else -abs(self.negative_dm)
        if self.area_ecm is not None:
            if self.negative_dm is not None and area != AREA_ECM_MODIFIER[self.area_ecm]:
                message = f"Area ECM of this grade is {AREA_ECM_MODIFIER[self.area_ecm]}, not {area}."
                raise refuse("area-ecm-twice", message, place="/negative_dm", rule="die-modifiers")
            area = AREA_ECM_MODIFIER[self.area_ecm]
        return ecm.DieModifiers(self.positive_dm, area)


class DieInput(Modified):
    """The target's own ECM; the die comes as ``roll``."""

    ecm: EcmGrade = Field(description="the target's individual ECM")


def _die(asked: DieInput, roller: Roller) -> Mapping[str, Any]:
    modifiers = asked.modifiers()
    face = roller.die(DIE_SIDES)
    found = ecm.score_die(asked.ecm, face, modifiers)
    return {"hits": found.hits, "reroll": found.reroll}


class ScoreInput(DieInput):
    """The target's own ECM; the dice of the attempt, and the re-rolls apart."""

    rerolls: list[Any] | None = Field(None, description="faces of the re-rolls, in order, where dice are typed")
    dice_count: Count | None = Field(None, description="dice of the attempt, where a seed rolls or rerolls is left out")


def typed_rerolls(rerolls: list[Any] | None, roller: Roller) -> TypedDice | None:
    """Return what rolls the typed re-rolls, None where they come from the roller itself."""
    if rerolls is None:
        return None
    if not isinstance(roller, TypedDice):
        raise refuse("dice-and-seed", "A seed rolls the re-rolls too.", place="/rerolls", rule="ecm-table")
    return TypedDice(rerolls, place="/rerolls", sides=DIE_SIDES)


def finish_rerolls(reroller: TypedDice | None) -> None:
    """Refuse typed re-rolls that no die asked for."""
    if reroller is not None:
        reroller.finish()


def _score(asked: ScoreInput, roller: Roller) -> Mapping[str, Any]:
    typed = len(roller.typed) if isinstance(roller, TypedDice) else None
    count = asked.dice_count if asked.dice_count is not None else typed
    if count is None:
        raise refuse("missing", "Say how many dice the seed is to roll.", place="/dice_count", rule="ecm-table")
    rerolls = asked.rerolls
    if rerolls is None and asked.dice_count is None:
        rerolls = []  # without a count all typed dice are the attempt's, so that a 6 asks for rerolls by name
    reroller = typed_rerolls(rerolls, roller)
    found = ecm.roll_score(count, asked.ecm, roller, asked.modifiers(), reroller)
    finish_rerolls(reroller)
    return score_document(found)


def score_document(score: ecm.Score) -> dict[str, Any]:
    """Return a score as answers carry it."""
    return {"hits": score.hits, "dice": score.dice, "rerolls": score.rerolls}


class Circumstances(Input):
    """What modifies the dice of a scan."""

    mode: Mode
    target_active: bool = Field(False, description="the target uses active sensors")
    target_burning_away: bool = Field(
        False, description="the target's main drive burned facing away from the scanner in the last movement phase"
    )
    vector_movement: bool = Field(False, description="vector movement is used: burning counts, and facing is told")
    area_ecm: EcmGrade = Field(
        "none", validation_alias=AliasChoices("area_ecm", "area"), description="area ECM that covers the target"
    )

    def modifiers(self) -> ecm.DieModifiers:
        """Return the modifiers; raise where a main drive burn is told of without vector movement."""
        if self.target_burning_away and not self.vector_movement:
            message = "A main drive burn counts only where vector movement is used."
            raise refuse("vector-movement-only", message, place="/target_burning_away", rule="die-modifiers")
        return ecm.die_modifiers(
            self.mode,
            target_active=self.target_active,
            target_burning_away=self.target_burning_away,
            vector_movement=self.vector_movement,
            area_ecm=self.area_ecm,
        )


def _modifiers(asked: Circumstances) -> Mapping[str, Any]:
    found = asked.modifiers()
    return {"modifier": found.bonus + found.area, "reroll_modifier": found.bonus}


class OperationalDiceInput(Input):
    """A sensor and a range on the map."""

    grade: SensorGrade
    mode: Mode
    range_hex: RangeHexes


class TabletopDiceInput(Input):
    """A sensor and a range on the table."""

    grade: TabletopSensorGrade
    mode: Mode
    range_mu: RangeMu


class ScanInput(Circumstances):
    """A scan of a ship; the dice may have the re-rolls at their end, or rerolls has them."""

    ecm: EcmGrade = Field("none", description="the target's individual ECM")
    rerolls: list[Any] | None = Field(None, description="faces of the re-rolls, in order, where dice are typed")


class OperationalScanInput(ScanInput):
    """A scan on the map."""

    grade: SensorGrade
    range_hex: RangeHexes


class TabletopScanInput(ScanInput):
    """A scan on the table."""

    grade: TabletopSensorGrade
    range_mu: RangeMu


def _scan(asked: ScanInput, count: int, roller: Roller, place: str) -> Mapping[str, Any]:
    reroller = typed_rerolls(asked.rerolls, roller)
    found = sensors.roll_scan(
        count,
        asked.mode,
        asked.ecm,
        roller,
        asked.modifiers(),
        vector_movement=asked.vector_movement,
        reroller=reroller,
        place=place,
    )
    finish_rerolls(reroller)
    return {
        **score_document(found.score),
        "knows": found.facts,
        "marker": sensors.contact_marker(found.facts),
        "firing_solution": sensors.has_firing_solution(found.facts),
        "may_go_on": found.is_success,
        "dice_count": count,
    }


def _operational_scan(asked: OperationalScanInput, roller: Roller) -> Mapping[str, Any]:
    count = sensors.operational_dice(asked.grade, asked.mode, asked.range_hex)
    return _scan(asked, count, roller, "/range_hex")


def _tabletop_scan(asked: TabletopScanInput, roller: Roller) -> Mapping[str, Any]:
    count = sensors.tabletop_dice(asked.grade, asked.mode, Fraction(asked.range_mu))
    return _scan(asked, count, roller, "/range_mu")


class ResultsInput(Input):
    """The hits of a scan."""

    mode: Mode
    hits: Count
    vector_movement: bool = Field(False, description="the facing is told too")


def _results(asked: ResultsInput) -> Mapping[str, Any]:
    facts = sensors.facts_known(asked.mode, asked.hits, vector_movement=asked.vector_movement)
    return {
        "knows": facts,
        "marker": sensors.contact_marker(facts),
        "firing_solution": sensors.has_firing_solution(facts),
    }


class ShareInput(Input):
    """What each scan of a fleet's ships told of one target."""

    scans: list[ResultsInput]


def _share(asked: ShareInput) -> Mapping[str, Any]:
    told = (sensors.facts_known(one.mode, one.hits, vector_movement=one.vector_movement) for one in asked.scans)
    facts = sensors.share(*told)
    return {"knows": facts, "marker": sensors.contact_marker(facts)}


class SizeClassInput(Input):
    """A ship's mass."""

    mass: int = Field(ge=1, description="mass of the design rules")


def _size_class(asked: SizeClassInput) -> Mapping[str, Any]:
    found = sensors.size_class(asked.mass)
    return {"size_class": found, "name": SIZE_CLASS_NAMES[found - 1]}


class ScansLeftInput(Input):
    """A ship's fire controls and the hits of the scans it has made, in order."""

    fire_controls: Count
    hits: list[Count]


def _allowance(fire_controls: int, scans: list[int]) -> sensors.ScanAllowance:
    """Return what is left to a ship after scans with these hits; raise at the first that it had not left."""
    allowance = sensors.ScanAllowance(fire_controls)
    for index, hits in enumerate(scans):
        allowance = sensors.after_scan(allowance, hits, place=pointer("hits", index))
    return allowance


def _scans_left(asked: ScansLeftInput) -> Mapping[str, Any]:
    allowance = _allowance(asked.fire_controls, asked.hits)
    return {"left": allowance.left, "failed": allowance.has_failed}


class CheckScanInput(Input):
    """A scan that is to be made, and what stands around it."""

    mode: Mode
    grade: SensorGrade
    range_hex: RangeHexes
    scanner_side: str
    target_side: str
    fire_controls: Count
    hits: list[Count] = Field(default_factory=list, description="hits of the ship's scans of this turn so far")
    is_active: bool = Field(False, description="the ship declared its active sensors")
    is_cloaked: bool = Field(False, description="the ship is cloaked")


def _check_scan(asked: CheckScanInput) -> Mapping[str, Any]:
    allowance = _allowance(asked.fire_controls, asked.hits)
    scanner = sensors.Scanner(asked.scanner_side, asked.grade, allowance, asked.is_active, asked.is_cloaked)
    dice = sensors.operational_dice(asked.grade, asked.mode, asked.range_hex)
    problems = sensors.check_scan(scanner, mode=asked.mode, target_side=asked.target_side, dice=dice)
    if problems:
        raise ProblemsError(problems)
    return {"allowed": True, "dice_count": dice, "left": allowance.left}


class ActiveCountersInput(Input):
    """The sensors that each ship of a task force uses."""

    ships: dict[str, Mode]


SCORED = {"hits": "hits", "dice": "natural faces of the dice", "rerolls": "natural faces of the re-rolls"}
_KNOWS = {
    "knows": "facts known of the target",
    "marker": '"bogey" or "identified" (class known), null without a hit',
}
_FIRING = {"firing_solution": "whether the target may be fired at"}
_SCANNED = {
    **SCORED,
    **_KNOWS,
    **_FIRING,
    "may_go_on": "whether the ship may go on to its next scan: it stops at the first failure",
    "dice_count": "dice rolled",
}
_COUNT = {"dice_count": "d6 to roll; 0 where the sensor does not reach"}

SENSOR_PROCEDURES = (
    Procedure(
        "sensors.operational-dice",
        ("operational-sensor-table", "sensors"),
        "The dice of a scan on the map.",
        OperationalDiceInput,
        _COUNT,
        lambda asked: {"dice_count": sensors.operational_dice(asked.grade, asked.mode, asked.range_hex)},
        example={"grade": "superior", "mode": "passive", "range_hex": 5},
    ),
    Procedure(
        "sensors.tabletop-dice",
        ("sensor-table", "sensors"),
        "The dice of a scan on the table.",
        TabletopDiceInput,
        _COUNT,
        lambda asked: {"dice_count": sensors.tabletop_dice(asked.grade, asked.mode, Fraction(asked.range_mu))},
        example={"grade": "fighter", "mode": "passive", "range_mu": 18},
    ),
    Procedure(
        "sensors.die",
        ("ecm-table", "die-modifiers"),
        "What one sensor die scores against a target's ECM.",
        DieInput,
        {"hits": "hits", "reroll": "whether it is rolled again, as against no ECM"},
        _die,
        dice="roll",
        sides=DIE_SIDES,
        example={"ecm": "standard", "roll": 6, "area_ecm": "standard"},
    ),
    Procedure(
        "sensors.score",
        ("ecm-table", "die-modifiers"),
        "The hits of the dice of an attempt, re-rolls with them.",
        ScoreInput,
        SCORED,
        _score,
        dice="dice",
        sides=DIE_SIDES,
        example={"ecm": "superior", "dice": [6], "rerolls": [3]},
    ),
    Procedure(
        "sensors.scan",
        ("operational-sensor-table", "ecm-table", "die-modifiers", "passive-results", "active-results"),
        "A scan on the map: its hits, and what they tell.",
        OperationalScanInput,
        _SCANNED,
        _operational_scan,
        dice="dice",
        sides=DIE_SIDES,
        example={"mode": "passive", "grade": "superior", "range_hex": 2, "ecm": "standard", "dice": [4, 5, 2]},
    ),
    Procedure(
        "sensors.tabletop-scan",
        ("sensor-table", "ecm-table", "die-modifiers", "passive-results", "active-results"),
        "A scan on the table: its hits, and what they tell.",
        TabletopScanInput,
        _SCANNED,
        _tabletop_scan,
        dice="dice",
        sides=DIE_SIDES,
        example={"mode": "active", "grade": "fighter", "range_mu": 20, "dice": [4]},
    ),
    Procedure(
        "sensors.modifiers",
        ("die-modifiers",),
        "What is added to each die of a scan, and to its re-rolls.",
        Circumstances,
        {"modifier": "added to each die", "reroll_modifier": "added to each re-roll"},
        _modifiers,
        example={"mode": "passive", "target_active": True, "area_ecm": "enhanced"},
    ),
    Procedure(
        "sensors.results",
        ("passive-results", "active-results"),
        "What a number of hits tells.",
        ResultsInput,
        {**_KNOWS, **_FIRING},
        _results,
        example={"mode": "active", "hits": 1},
    ),
    Procedure(
        "sensors.share",
        ("sharing", "passive-results", "active-results"),
        "What a whole fleet knows of a target that several of its ships have scanned.",
        ShareInput,
        _KNOWS,
        _share,
        example={"scans": [{"mode": "passive", "hits": 1}, {"mode": "active", "hits": 1}]},
    ),
    Procedure(
        "sensors.size-class",
        ("size-class",),
        "The size class of a mass.",
        SizeClassInput,
        {"size_class": "1 to 5", "name": "what such a size is"},
        _size_class,
        example={"mass": 50},
    ),
    Procedure(
        "sensors.scans-left",
        ("fire-control-limit", "failed-scan-stops"),
        "The scans a ship may still make this turn.",
        ScansLeftInput,
        {"left": "scans", "failed": "whether one has failed, which ended them"},
        _scans_left,
        example={"fire_controls": 3, "hits": [1]},
    ),
    Procedure(
        "sensors.check-scan",
        ("fire-control-limit", "failed-scan-stops", "active-counters", "cloaking", "operational-sensor-table"),
        "Whether a scan on the map may be made: every reason why not.",
        CheckScanInput,
        {"allowed": "true", "dice_count": "dice to roll", "left": "scans left, this one with them"},
        _check_scan,
        example={
            "mode": "passive",
            "grade": "standard",
            "range_hex": 2,
            "scanner_side": "red",
            "target_side": "blue",
            "fire_controls": 1,
        },
    ),
    Procedure(
        "sensors.active-counters",
        ("active-counters",),
        "The active sensor counters with a task force, which both sides see.",
        ActiveCountersInput,
        {"counters": "one for each ship that uses active sensors"},
        lambda asked: {"counters": sensors.active_counters(asked.ships)},
        example={"ships": {"Lantern": "active", "Sparrow": "passive"}},
    ),
)
