"""The rules desk's procedures for damage (C5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AliasChoices, Field

from campaign.engine.dice import Roller
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.engine.procedure import Input, Procedure
from campaign.rulebooks.saganami.grades import Grade, ShipGrades, roll_bridge_hit
from campaign.rulebooks.saganami.ship_class_hits import BLANK, CODES, COLUMNS, ROWS, HitTable
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind, TokenError, left_track, read_tokens
from tactical.rules.saganami import beams, damage, damage_effects, tables
from tactical.rules.saganami.desk_fire import Roll
from tactical.rules.saganami.desk_movement import Count, Whole

Weapon: TypeAlias = Literal["laser head", "contact nuke", "energy torpedo", "laser", "graser"]
Edge: TypeAlias = Literal["forward", "starboard", "aft", "port"]
WedgeDown: TypeAlias = Annotated[
    bool,
    Field(
        validation_alias=AliasChoices("wedge_down", "lowered_wedge"),
        description="Whether the hit goes through a wedge that is down",
    ),
]
LocationRoll: TypeAlias = Annotated[int, Field(ge=2, le=20)]


class DepthInput(Input):
    """A penetration roll and its modifier."""

    roll: Roll = Field(description="Penetration roll (2d10-)")
    modifier: Whole = Field(description="Depth modifier")
    weapon: Weapon = Field(default="laser head", description="Type of the weapon")
    wedge_down: WedgeDown = False


class DepthModifierInput(Input):
    """What makes the depth modifier."""

    damage: Count = Field(description="Damage of the weapon")
    scale: Count = Field(description="Scale of the target")
    sidewall: Whole = Field(default=0, description="Number of the facing sidewall, or of what stands in for it")


class HitRollInput(Input):
    """A hit location roll and where the shot comes in."""

    roll: LocationRoll = Field(description="2d10+")
    edge: Literal["near_forward", "near_aft", "forward", "aft", "starboard", "port"] = Field(
        description="Edge of the table, or the window beside Forward or Aft"
    )


class ColumnInput(Input):
    """A hit on a hit location table."""

    ship_class: Literal["sample"] | None = Field(default=None, alias="class", description='"sample", or give the table')
    table: list[str] | None = Field(default=None, description='Eleven rows of nineteen codes, "." for blanks')
    core_armor: Count | None = Field(default=None, description="Core armour, with a table")
    edge: Edge = Field(description="Edge the hit comes in at")
    roll: LocationRoll = Field(description="Hit location roll, shifts counted")
    depth: Annotated[int, Field(ge=0, le=1000)] = Field(description="Depth of the hit")
    span: Literal[1, 3, 5] = Field(default=1, description="Span of the weapon")
    exhausted: list[str] = Field(default=[], description="Codes of which the ship has nothing left")

    def hit_table(self) -> tuple[HitTable, int]:
        """Return the table and its core armour."""
        if (self.ship_class is None) == (self.table is None):
            raise refuse("class-or-table", "Give a class or a table, one of them.", place="/class", rule="C5.23")
        if self.table is None:
            armor = tables.SAMPLE_CORE_ARMOR if self.core_armor is None else self.core_armor
            return tables.SAMPLE_HIT_TABLE, armor
        return read_table(self.table), self.core_armor or 0


def read_table(rows: list[str]) -> HitTable:
    """Return the hit location table of eleven texts; raises ``ProblemsError`` with every row that is wrong."""
    cells = tuple(tuple(row.split()) for row in rows)
    problems = []
    if len(cells) != len(ROWS):
        problems.append(Problem("/table", "table-shape", f"The table has {len(ROWS)} rows.", "C5.23"))
    for index, row in enumerate(cells):
        if len(row) != len(COLUMNS):
            message = f"A row has {len(COLUMNS)} cells."
            problems.append(Problem(pointer("table", index), "table-shape", message, "C5.23"))
        unknown = [code for code in row if code not in CODES and code != BLANK]
        if unknown:
            message = f"Unknown codes: {', '.join(unknown)}."
            problems.append(Problem(pointer("table", index), "unknown-code", message, "C5.23"))
    if problems:
        raise ProblemsError(problems)
    return HitTable(cells)


class TrackInput(Input):
    """A track of numbers and the hits on it."""

    track: list[Whole] = Field(min_length=1, max_length=200, description="Numbers in the boxes, from the left")
    hits: Count = Field(description="Boxes marked off")
    after: Whole | None = Field(default=None, description="Number once every box is gone; left out, the last box's")


class SalvoHitsInput(Input):
    """The hits of one salvo or one type of beam."""

    hits: Annotated[int, Field(ge=1, le=1000)] = Field(description="Missiles or beams that hit")
    damage: Count = Field(description="Damage of each")
    scale: Count = Field(description="Scale of the target")
    sidewall: Whole = Field(default=0, description="Number of the facing sidewall, or of what stands in for it")
    sidewall_boxes: Count = Field(default=1, description="Boxes left on the facing sidewall")
    weapon: Weapon = Field(default="laser head", description="Type of the weapon")
    wedge_down: WedgeDown = False


class LocationInput(Input):
    """An edge of the hit location table."""

    edge: Edge = Field(description="Edge the hit comes in at")
    leak: Literal["near_forward", "near_aft"] | None = Field(default=None, description="Window beside Forward or Aft")


class BoxesInput(Input):
    """Boxes left on a track."""

    left: Count = Field(description="Boxes or dots left")


class StructuralInput(Input):
    """A Structural Integrity track."""

    track: str = Field(description='Boxes: "s" square, "C" cascade, "o4" octagon, "X" star, "s*6" repeats')
    lost: Count = Field(default=0, description="Boxes already lost")
    table: list[str] | None = Field(default=None, description="Hit location table for cascades; left out, the sample's")


class GradesInput(Input):
    """The officers of a ship."""

    tactical: Grade = Field(default="average", description="Tactical officer")
    ewo: Grade = Field(default="average", description="Electronic warfare officer")
    assistant: Grade = Field(default="average", description="Assistant tactical officer")
    helm: Grade = Field(default="average", description="Helm")
    engineer: Grade = Field(default="average", description="Engineering officer")


def damage_depth(given: DepthInput) -> Mapping[str, Any]:
    """Answer damage.depth."""
    found = damage.depth_of(given.roll, given.modifier, given.weapon, is_wedge_down=given.wedge_down)
    return {"depth": found.depth, "penetrates": found.depth > 0, "extra_box": found.is_natural_zero}


def damage_depth_modifier(given: DepthModifierInput) -> Mapping[str, Any]:
    """Answer damage.depth-modifier."""
    return {"modifier": damage.depth_modifier(given.damage, given.scale, given.sidewall)}


def damage_hit_roll_shift(given: HitRollInput) -> Mapping[str, Any]:
    """Answer damage.hit-roll-shift."""
    leak = next((leak for leak in damage.LEAK_SHIFT if leak == given.edge), None)
    modified, again = damage.shifted_roll(given.roll, leak)
    return {"modified": modified, "reroll_edge": again}


def damage_column(given: ColumnInput) -> Mapping[str, Any]:
    """Answer damage.column."""
    table, armor = given.hit_table()
    location = damage.Location(given.edge, given.roll, (given.roll,))
    found = damage.cells_of_hit(
        table, armor, location, given.depth, given.span, lambda cell: cell.code not in given.exhausted
    )
    return {
        "hits": [cell.code for line in found for cell in line],
        "lines": [[cell.code for cell in line] for line in found],
    }


def damage_track_value(given: TrackInput) -> Mapping[str, Any]:
    """Answer damage.track-value."""
    return {"value": damage_effects.track_value(given.track, given.hits, given.after)}


def damage_salvo(given: SalvoHitsInput, roller: Roller) -> Mapping[str, Any]:
    """Answer damage.salvo."""
    modifier = damage.depth_modifier(given.damage, given.scale, given.sidewall)
    found = damage.roll_penetrations(roller, given.hits, modifier, given.weapon, is_wedge_down=given.wedge_down)
    wall, structural = damage_effects.natural_zero_boxes(found.natural_zeros, given.sidewall_boxes)
    return {
        "modifier": modifier,
        "depths": list(found.depths),
        "penetration_rolls": list(found.rolls),
        "sidewall_boxes_lost": wall,
        "structural_hits": structural,
        "span": beams.span(given.weapon),
    }


def damage_location(given: LocationInput, roller: Roller) -> Mapping[str, Any]:
    """Answer damage.location."""
    if given.leak and given.edge in ("forward", "aft"):
        message = "A shot leaks on the port or starboard edge."
        raise refuse("leak-on-end", message, place="/leak", rule="C5.113")
    found = damage.roll_location(roller, given.edge, given.leak)
    return {"edge": found.edge, "roll": found.roll}


def damage_hull(given: BoxesInput, roller: Roller) -> Mapping[str, Any]:
    """Answer damage.hull."""
    found = damage_effects.roll_hull_hit(roller, given.left)
    return {"hull": found.boxes, "si": found.structural}


def damage_magazine(given: BoxesInput, roller: Roller) -> Mapping[str, Any]:
    """Answer damage.magazine."""
    return {"dots": damage_effects.roll_magazine_hit(roller, given.left).boxes}


def damage_structure(given: StructuralInput, roller: Roller) -> Mapping[str, Any]:
    """Answer damage.structure."""
    kinds = (BoxKind.SQUARE, BoxKind.CASCADE, BoxKind.OCTAGON, BoxKind.STAR)
    try:
        tokens = read_tokens(given.track, kinds)
    except TokenError as error:
        raise refuse("unknown-token", str(error), place="/track", rule="C5.421") from error
    boxes = left_track("structural_integrity", "SI", tokens).boxes
    table = tables.SAMPLE_HIT_TABLE if given.table is None else read_table(given.table)
    box = boxes[given.lost] if given.lost < len(boxes) else None
    found = damage_effects.roll_structural_hit(roller, box, table)
    return {
        "shape": found.shape,
        "destroyed": found.is_destroyed,
        "column": found.column,
        "cascade": list(found.cascade),
    }


def damage_bridge(given: GradesInput, roller: Roller) -> Mapping[str, Any]:
    """Answer damage.bridge."""
    grades = ShipGrades(given.tactical, given.ewo, given.assistant, given.helm, given.engineer)
    found = roll_bridge_hit(roller, grades)
    return {"officer": found.officer, "before": found.before, "after": found.after}


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="damage.depth",
        rules=("C5.21", "C5.211", "C5.212", "C5.213", "C5.32"),
        summary="Find how deep a penetration roll goes.",
        input=DepthInput,
        result={
            "depth": "cells, 0 where the sidewall turned it aside",
            "penetrates": "whether it goes in",
            "extra_box": "whether a natural zero destroys a sidewall box (or an SI box without a sidewall)",
        },
        run=damage_depth,
        example={"roll": 2, "modifier": 0},
    ),
    Procedure(
        name="damage.depth-modifier",
        rules=("C5.21",),
        summary="Find the depth modifier of a weapon against a target.",
        input=DepthModifierInput,
        result={"modifier": "added to penetration rolls"},
        run=damage_depth_modifier,
        example={"damage": 8, "scale": 5, "sidewall": -4},
    ),
    Procedure(
        name="damage.hit-roll-shift",
        rules=("C5.113",),
        summary="Shift a hit location roll for a shot beside Forward or Aft.",
        input=HitRollInput,
        result={"modified": "the roll shifted", "reroll_edge": "edge on which to roll again, or null"},
        run=damage_hit_roll_shift,
        example={"roll": 14, "edge": "near_forward"},
    ),
    Procedure(
        name="damage.column",
        rules=("C5.23", "C5.24", "C5.25", "C5.251", "C5.33", "C5.413"),
        summary="List the systems that a hit goes through.",
        input=ColumnInput,
        result={
            "hits": "codes in order, the rolled line first, then those beside it",
            "lines": "the same, line by line",
        },
        run=damage_column,
        example={"class": "sample", "edge": "aft", "roll": 15, "depth": 7, "span": 1},
    ),
    Procedure(
        name="damage.track-value",
        rules=("C5.432", "C5.45", "C5.464", "A2.671", "A2.672"),
        summary="Read the present number of a damage track.",
        input=TrackInput,
        result={"value": "number of the first unmarked box"},
        run=damage_track_value,
        example={"track": [0, 0, 1, 1, 2, 2, 3, 3], "hits": 7},
    ),
    Procedure(
        name="damage.salvo",
        rules=("C5.21", "C5.213", "C5.22", "C5.32"),
        summary="Roll the penetration of every hit of a salvo and sort those that go in.",
        input=SalvoHitsInput,
        result={
            "modifier": "depth modifier",
            "depths": "depths of 1 and more, the deepest first",
            "penetration_rolls": "bare rolls in order",
            "sidewall_boxes_lost": "sidewall boxes destroyed by natural zeros, after the salvo",
            "structural_hits": "SI hits by natural zeros without a sidewall",
            "span": "rows or columns each hit goes down",
        },
        run=damage_salvo,
        dice="dice",
        example={"hits": 2, "damage": 8, "scale": 5, "sidewall": -4, "dice": [2, 1, 7, 3]},
    ),
    Procedure(
        name="damage.location",
        rules=("C5.23", "C5.113"),
        summary="Roll where a hit enters the hit location table, again where a leak takes it off the side.",
        input=LocationInput,
        result={"edge": "edge of the table", "roll": "2 to 20"},
        run=damage_location,
        dice="dice",
        example={"edge": "port", "leak": "near_forward", "dice": [5, 6, 4, 4]},
    ),
    Procedure(
        name="damage.hull",
        rules=("C5.411", "C5.422"),
        summary="Roll a hull hit.",
        input=BoxesInput,
        result={"hull": "hull boxes marked", "si": "SI boxes it goes on to"},
        run=damage_hull,
        dice="dice",
        example={"left": 2, "dice": [9, 3]},
    ),
    Procedure(
        name="damage.magazine",
        rules=("C5.411", "C5.433"),
        summary="Roll a magazine hit.",
        input=BoxesInput,
        result={"dots": "salvo dots marked"},
        run=damage_magazine,
        dice="dice",
        example={"left": 48, "dice": [7, 4]},
    ),
    Procedure(
        name="damage.structure",
        rules=("C5.421", "C5.4211", "C5.4212", "C5.4213", "C5.4214", "A2.675"),
        summary="Mark one Structural Integrity box and roll what it asks for.",
        input=StructuralInput,
        result={
            "shape": "shape of the box marked",
            "destroyed": "whether the ship is destroyed",
            "column": "column of a Core cascade",
            "cascade": "Core systems that take a hit each",
        },
        run=damage_structure,
        dice="dice",
        example={"track": "s*2 o4 X", "lost": 2, "dice": [3]},
    ),
    Procedure(
        name="damage.bridge",
        rules=("C5.4412",),
        summary="Roll whether a bridge hit costs an officer a grade.",
        input=GradesInput,
        result={"officer": "who was hit, or null", "before": "grade before", "after": "grade after"},
        run=damage_bridge,
        dice="dice",
        example={"helm": "elite", "dice": [9, 2, 7]},
    ),
)
