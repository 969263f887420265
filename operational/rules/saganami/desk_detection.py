"""The rules desk's procedures for detection and operational weapons (B5.14, B5.15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from campaign.engine.dice import Roller
from campaign.engine.errors import refuse
from campaign.engine.hexes import true_range
from campaign.engine.procedure import Input, Procedure
from campaign.engine.vector_input import VectorsInput
from campaign.engine.vectors import to_axial
from campaign.rulebooks.saganami.bearings import windows_of_bearing
from campaign.rulebooks.saganami.grades import Grade, detection_target
from operational.rules.saganami import detection_ranges as ranges
from operational.rules.saganami import weapons
from operational.rules.saganami.detection_ranges import Target

Hexes: TypeAlias = Annotated[int, Field(ge=0, le=100_000)]
Drones: TypeAlias = Annotated[int, Field(ge=0, le=1000)]
TargetName: TypeAlias = Literal["ship", "lac", "wedge_down", "lac_wedge_down"]
TARGETS: Mapping[str, Target] = {
    "ship": Target.SHIP,
    "lac": Target.LAC,
    "wedge_down": Target.SHIP_WEDGE_DOWN,
    "lac_wedge_down": Target.LAC_WEDGE_DOWN,
}
TARGET_FIELD = "What is looked for: a ship, LACs, or one of them with the wedge down"


class AutomaticInput(Input):
    """Something that happened, and how far away."""

    event: Literal["hyper-footprint", "presence", "acceleration", "scale/10", "scale/5", "exact"] = Field(
        description="A row of the detection table"
    )
    tons: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Tons of the group that left hyperspace; a footprint needs them"
    )
    range: Hexes = Field(description="Operational hexes, the fraction of the true range dropped")


class CheckInput(Input):
    """A search, without its die."""

    crew: Grade = Field(description="Grade of the searching ship's crew")
    ewo: Grade = Field(default="average", description="Grade of its electronic warfare officer")
    ecm_disadvantage: Annotated[int, Field(ge=0, le=100)] = Field(
        default=0, description="Levels of ECM by which the searcher is the worse"
    )
    op_range: Hexes = Field(description="Operational hexes to the target")
    drones: Drones = Field(default=0, description="Recon drones spent")
    target: TargetName = Field(default="ship", description=TARGET_FIELD)


class LevelInput(Input):
    """A search that was rolled."""

    range: Hexes = Field(description="Operational hexes to the target")
    target: TargetName = Field(default="ship", description=TARGET_FIELD)
    success: bool = Field(default=True, description="Whether the check passed")
    drones: Drones = Field(default=0, description="Recon drones spent")


class RangeInput(Input):
    """A range of the table and a target."""

    event_range: Hexes = Field(description="Range of the table, in operational hexes")
    target: TargetName = Field(default="ship", description=TARGET_FIELD)


class ReportInput(Input):
    """A scale, and how well it is known."""

    scale: Annotated[int, Field(ge=0, le=1000)] = Field(description="True scale of the target")
    divisor: Literal[10, 5, 1] = Field(description="10, 5, or 1 where the scale is known exactly")


class WindowInput(Input):
    """Where the target is, from the searcher."""

    vectors: VectorsInput = Field(description="Operational hexes from the searcher to the target, by direction")


class MqlInput(Input):
    """Missiles fired over operational hexes."""

    base_mql: Annotated[int, Field(ge=-20, le=100)] = Field(description="Missile quality level, lower is better")
    op_range: Hexes = Field(description="Operational hexes to the target")


class MissileRangeInput(Input):
    """A kind of missile."""

    drives: Literal[1, 2, 3] = Field(description="Drives of the missile")
    salvo: Literal["maximum", "early"] = Field(default="maximum", description="Which range of it")
    op_range: Hexes | None = Field(default=None, description="Operational hexes to a target; may be left out")


def detection_automatic(given: AutomaticInput) -> Mapping[str, Any]:
    """Answer detection.automatic."""
    if given.event == "hyper-footprint":
        if given.tons is None:
            message = "A hyper footprint is seen as far as the group's tons say: give them."
            raise refuse("missing", message, place="/tons", rule="B5.14")
        limit = ranges.footprint_hexes(given.tons)
        return {"detected": given.range <= limit, "limit": limit, "automatic": True}
    return {"detected": False, "limit": ranges.ROW_HEXES[given.event], "automatic": False}


def detection_check(given: CheckInput, roller: Roller) -> Mapping[str, Any]:
    """Answer detection.check."""
    check = ranges.search_check(
        detection_target(given.crew, given.ewo),
        roller.die(),
        given.op_range,
        drones=given.drones,
        disadvantage=given.ecm_disadvantage,
        target=TARGETS[given.target],
    )
    return {"target": check.target, "modified_roll": check.modified_roll, "success": check.success}


def detection_level(given: LevelInput) -> Mapping[str, Any]:
    """Answer detection.level."""
    rows = ranges.rows_in_range(given.range, TARGETS[given.target], given.drones)
    return {"knows": list(rows) if given.success else []}


def detection_range(given: RangeInput) -> Mapping[str, Any]:
    """Answer detection.range."""
    return {"hexes": ranges.detection_hexes(given.event_range, TARGETS[given.target])}


def detection_report(given: ReportInput) -> Mapping[str, Any]:
    """Answer detection.report."""
    low, above = ranges.scale_bounds(given.scale, given.divisor)
    return {"at_least": low, "less_than": above}


def detection_window(given: WindowInput) -> Mapping[str, Any]:
    """Answer detection.window."""
    step = to_axial(given.vectors)
    if step == (0, 0, 0):
        message = "A target in the searcher's own hex is found through whichever window is searched."
        raise refuse("no-bearing", message, place="/vectors", rule="C1.15")
    windows = windows_of_bearing(*step)
    return {"window": windows[0], "windows": list(windows), "range": true_range(*step)}


def weapons_missile_range(given: MissileRangeInput) -> Mapping[str, Any]:
    """Answer weapons.missile-range."""
    found = weapons.missile_range(given.drives, given.salvo)
    reached = None
    if given.op_range is not None:
        reached = weapons.is_in_missile_range(given.drives, given.salvo, given.op_range)
    return {"op_hexes": found.operational, "tactical_hexes": found.tactical, "in_range": reached}


def weapons_operational_mql(given: MqlInput) -> Mapping[str, Any]:
    """Answer weapons.operational-mql."""
    return {"mql": weapons.operational_mql(given.base_mql, given.op_range)}


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="detection.automatic",
        rules=("B5.14",),
        summary="Whether an event is seen by itself: a hyper footprint by its tons, everything about a wedge never.",
        input=AutomaticInput,
        result={
            "detected": "whether it is seen without a search",
            "limit": "the range of its row, in operational hexes",
            "automatic": "whether this row needs no search",
        },
        run=detection_automatic,
        example={"event": "hyper-footprint", "tons": 60_000_000, "range": 200},
    ),
    Procedure(
        name="detection.check",
        rules=("B5.141", "B5.142", "B5.144", "D1.142"),
        summary="The check of a ship that searches a window, against one target in it (d10, at or under).",
        input=CheckInput,
        result={
            "target": "number to roll at or under: the crew's, with the EWO's grade",
            "modified_roll": "the die with ECM and range added",
            "success": "whether the target is found",
        },
        run=detection_check,
        dice="die",
        example={
            "crew": "average",
            "ewo": "elite",
            "ecm_disadvantage": 0,
            "op_range": 75,
            "drones": 0,
            "die": 4,
        },
    ),
    Procedure(
        name="detection.level",
        rules=("B5.14", "B5.142", "B5.144", "B5.145"),
        summary="What a search learns of a target at a range: every row in whose range it is, or nothing.",
        input=LevelInput,
        result={"knows": "presence, acceleration (with direction), scale/10, scale/5, exact: those that are learnt"},
        run=detection_level,
        example={"range": 75, "target": "ship", "success": True, "drones": 0},
    ),
    Procedure(
        name="detection.range",
        rules=("B5.144", "B5.145"),
        summary="A range of the detection table for LACs (a quarter) or with the wedge down (a tenth).",
        input=RangeInput,
        result={"hexes": "operational hexes"},
        run=detection_range,
        example={"event_range": 100, "target": "lac"},
    ),
    Procedure(
        name="detection.report",
        rules=("B5.143",),
        summary="How the referee tells a scale that is known over a divisor: at least, and less than.",
        input=ReportInput,
        result={"at_least": "scale", "less_than": "scale"},
        run=detection_report,
        example={"scale": 12, "divisor": 10},
    ),
    Procedure(
        name="detection.window",
        rules=("B5.142", "C1.11", "C1.12", "C1.15"),
        summary="The AVID window to search for something in a known hex, and its true range.",
        input=WindowInput,
        result={
            "window": "one of the fifty windows",
            "windows": "both windows, for a target on a spine of the green ring",
            "range": "operational hexes",
        },
        run=detection_window,
        example={"vectors": {"B": 40, "C": 30, "+": 20}},
    ),
    Procedure(
        name="weapons.missile-range",
        rules=("B5.15",),
        summary="The printed range of a missile in operational and tactical hexes.",
        input=MissileRangeInput,
        result={
            "op_hexes": "operational hexes",
            "tactical_hexes": "tactical hexes",
            "in_range": "whether the given range is within it; null where none was given",
        },
        run=weapons_missile_range,
        example={"drives": 2, "salvo": "maximum", "op_range": 13},
    ),
    Procedure(
        name="weapons.operational-mql",
        rules=("B5.152",),
        summary="The missile quality level over operational hexes: two worse for every hex past three.",
        input=MqlInput,
        result={"mql": "missile quality level"},
        run=weapons_operational_mql,
        example={"base_mql": 6, "op_range": 4},
    ),
)
