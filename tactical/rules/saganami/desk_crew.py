"""The rules desk's procedures for crews and officers, damage control and LACs (C6, C7, D1.14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from campaign.engine.dice import Roller, TypedDice
from campaign.engine.errors import refuse
from campaign.engine.procedure import Input, Procedure
from campaign.rulebooks.saganami.grades import Grade, crew_target
from campaign.rulebooks.saganami.ship_class_sheet import CRAFT
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind, TokenError, left_track, read_tokens
from tactical.rules.saganami import damage_control, lacs, officers
from tactical.rules.saganami.conventions import format_kills, read_kills
from tactical.rules.saganami.desk_damage import BoxesInput
from tactical.rules.saganami.desk_fire import KILLS, Roll
from tactical.rules.saganami.desk_movement import Count, Whole


class CheckInput(Input):
    """A crew quality check."""

    crew: Grade = Field(default="average", description="Crew grade")
    modifier: Whole = Field(default=0, description="Added to the target: bridge circles, SI boxes lost")


class RepairInput(Input):
    """A repair by one party or two."""

    target: Whole = Field(description="Crew target")
    parties: Literal[1, 2] | None = Field(default=None, description="Parties; left out, one for each die typed, or one")


class RigInput(Input):
    """A jury rig."""

    repaired: Count = Field(description="Tactical turn of the repair")
    turn: Count = Field(description="Tactical turn now, or the battle's last")
    op_turns: Count = Field(default=0, description="Operational turns since the battle's last turn")


class SkipInput(Input):
    """A hit on a LAC."""

    roll: Roll = Field(description="Skip roll (2d10-)")
    span: Annotated[int, Field(ge=1, le=5)] = Field(default=1, description="Span of the weapon")


class CraftInput(Input):
    """Missiles that hit a squadron."""

    hits: Annotated[int, Field(ge=1, le=1000)] = Field(description="Missiles that hit")


class LacDamageInput(Input):
    """A hit on one LAC."""

    track: str = Field(description='Boxes: "b" padding, "M", "L", "G", "P" weapons, "o9" octagon, "X" star')
    marked: list[Count] = Field(default=[], description="Boxes already marked, from 0")
    points: Whole = Field(description="Damage less scale plus sidewall")
    span: Annotated[int, Field(ge=1, le=5)] = Field(default=1, description="Span of the weapon")
    weapons: dict[str, Count] = Field(default={}, description="Weapons left on the LAC by letter")


class AssistantInput(Input):
    """Probable kills and the officer who manages them."""

    cm: int | str = Field(description=f"Of countermissiles. {KILLS}")
    pd: int | str = Field(description=f"Of point defence. {KILLS}")
    grade: Grade = Field(description="Grade of the assistant tactical officer")


class HelmInput(Input):
    """Ratings and the officer at the helm."""

    pivot: Count = Field(description="Pivot rating of the track")
    roll: Count = Field(description="Roll rating of the track")
    grade: Grade = Field(description="Grade of the helm officer")
    boost: Literal["pivot", "roll"] = Field(default="pivot", description="Where an elite officer's window goes")


class TacticalInput(Input):
    """An MQL and the tactical officer."""

    mql: Whole = Field(description="MQL without the officer")
    grade: Grade = Field(description="Grade of the tactical officer")


class WarfareInput(Input):
    """An ECM value and the electronic warfare officer."""

    ecm: Whole = Field(description="ECM value of the track")
    grade: Grade = Field(description="Grade of the electronic warfare officer")
    boxes: Count = Field(default=1, description="Boxes left on the ECM track")


class BridgeInput(Input):
    """A bridge track."""

    crew: Grade = Field(default="average", description="Crew grade")
    squares: Count = Field(description="Unmarked squares of the bridge track")
    penalty: Annotated[int, Field(ge=-10, le=0)] = Field(default=0, description="Number in the first unmarked circle")


def crew_check(given: CheckInput, roller: Roller) -> Mapping[str, Any]:
    """Answer crew.check."""
    found = officers.roll_crew_check(roller, crew_target(given.crew) + given.modifier)
    return {"target": found.target, "passed": found.passed}


def crew_bridge(given: BridgeInput) -> Mapping[str, Any]:
    """Answer crew.bridge-target."""
    return {"target": officers.bridge_target(given.crew, given.squares, given.penalty)}


def damage_control_repair(given: RepairInput, roller: Roller) -> Mapping[str, Any]:
    """Answer damage-control.repair."""
    typed = len(roller.typed) if isinstance(roller, TypedDice) else 1
    return {"repaired": damage_control.roll_repair(roller, given.target, given.parties or typed).repaired}


def damage_control_rig(given: RigInput) -> Mapping[str, Any]:
    """Answer damage-control.jury-rig."""
    return {
        "fails_in": damage_control.rig_fails_in(given.repaired),
        "failed": damage_control.rig_has_failed(given.repaired, given.turn, given.op_turns),
    }


def damage_control_reload(given: BoxesInput, roller: Roller) -> Mapping[str, Any]:
    """Answer damage-control.reload: ``left`` are the dots missing."""
    return {"dots": damage_control.roll_reload(roller, given.left).dots}


def lacs_skip(given: SkipInput) -> Mapping[str, Any]:
    """Answer lacs.skip."""
    return {"boxes": lacs.boxes_skipped(given.roll, given.span)}


def lacs_craft(given: CraftInput, roller: Roller) -> Mapping[str, Any]:
    """Answer lacs.craft."""
    craft = lacs.roll_craft(roller, given.hits)
    return {"craft": list(craft), "hits": {letter: craft.count(letter) for letter in CRAFT if letter in craft}}


def lacs_damage(given: LacDamageInput, roller: Roller) -> Mapping[str, Any]:
    """Answer lacs.damage."""
    kinds = (BoxKind.PADDING, BoxKind.WEAPON, BoxKind.OCTAGON, BoxKind.STAR)
    try:
        tokens = read_tokens(given.track, kinds)
    except TokenError as error:
        raise refuse("unknown-token", str(error), place="/track", rule="C7.32") from error
    boxes = left_track("body", "body", tokens).boxes
    found = lacs.roll_lac_damage(roller, boxes, given.marked, given.points, given.weapons, given.span)
    return {
        "skipped": found.skipped,
        "marked": list(found.marked),
        "weapons": list(found.weapons),
        "destroyed": found.is_destroyed,
    }


def officers_assistant_tactical(given: AssistantInput) -> Mapping[str, Any]:
    """Answer officers.assistant-tactical."""
    cm, pd = officers.assistant_kills(read_kills(given.cm, "/cm"), read_kills(given.pd, "/pd"), given.grade)
    return {"cm": format_kills(cm), "pd": format_kills(pd)}


def officers_helm(given: HelmInput) -> Mapping[str, Any]:
    """Answer officers.helm."""
    found = officers.helm_ratings(given.pivot, given.roll, given.grade, given.boost)
    choices = dict.fromkeys(
        (ratings.pivot, ratings.roll)
        for ratings in (
            officers.helm_ratings(given.pivot, given.roll, given.grade, "pivot"),
            officers.helm_ratings(given.pivot, given.roll, given.grade, "roll"),
        )
    )
    return {
        "pivot": found.pivot,
        "roll": found.roll,
        "choices": [{"pivot": pivot, "roll": roll} for pivot, roll in choices],
    }


def officers_tactical(given: TacticalInput) -> Mapping[str, Any]:
    """Answer officers.tactical."""
    return {"mql": officers.tactical_quality(given.mql, given.grade)}


def officers_electronic_warfare(given: WarfareInput) -> Mapping[str, Any]:
    """Answer officers.electronic-warfare."""
    return {"ecm": officers.warfare_ecm(given.ecm, given.grade, given.boxes)}


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="crew.check",
        rules=("A1.211", "A2.674", "D1.111"),
        summary="Roll a crew quality check.",
        input=CheckInput,
        result={"target": "number the die must not exceed", "passed": "whether it did not"},
        run=crew_check,
        dice="die",
        example={"crew": "veteran", "modifier": -1, "die": 6},
    ),
    Procedure(
        name="crew.bridge-target",
        rules=("C5.441", "C5.4411"),
        summary="Find the target of the check a ship makes to pivot, thrust and launch with a ruined bridge.",
        input=BridgeInput,
        result={"target": "number the die must not exceed, null while no check is needed"},
        run=crew_bridge,
        example={"squares": 0, "penalty": -1},
    ),
    Procedure(
        name="damage-control.repair",
        rules=("C6.12", "C6.121", "C6.122"),
        summary="Say whether the dice of one or two parties repair a box.",
        input=RepairInput,
        result={"repaired": "whether the box is back"},
        run=damage_control_repair,
        dice="rolls",
        example={"target": 5, "rolls": [7, 9]},
    ),
    Procedure(
        name="damage-control.jury-rig",
        rules=("C6.13",),
        summary="Say when a jury rig fails, and whether it has.",
        input=RigInput,
        result={"fails_in": "tactical turn", "failed": "whether it has failed"},
        run=damage_control_rig,
        example={"repaired": 4, "turn": 13},
    ),
    Procedure(
        name="damage-control.reload",
        rules=("C6.14",),
        summary="Roll what the repair of a magazine restores.",
        input=BoxesInput,
        result={"dots": "salvo dots"},
        run=damage_control_reload,
        dice="dice",
        example={"left": 48, "dice": [9, 2, 5]},
    ),
    Procedure(
        name="lacs.skip",
        rules=("C7.32", "C7.324"),
        summary="Find how many boxes a hit on a LAC skips.",
        input=SkipInput,
        result={"boxes": "boxes"},
        run=lacs_skip,
        example={"roll": 4, "span": 1},
    ),
    Procedure(
        name="lacs.craft",
        rules=("C7.31",),
        summary="Roll which LACs of a squadron are hit.",
        input=CraftInput,
        result={"craft": "a letter for each missile", "hits": "letters to hits"},
        run=lacs_craft,
        dice="dice",
        example={"hits": 3, "dice": [1, 10, 1]},
    ),
    Procedure(
        name="lacs.damage",
        rules=("C7.32", "C7.321", "C7.322", "C7.323", "C7.324"),
        summary="Roll and mark a hit on one LAC.",
        input=LacDamageInput,
        result={
            "skipped": "boxes skipped",
            "marked": "boxes marked, from 0",
            "weapons": "letters of the weapons lost, to be taken from the facing mount first",
            "destroyed": "whether the LAC is destroyed",
        },
        run=lacs_damage,
        dice="dice",
        example={"track": "b*6 M L o9 P o10 X", "points": 3, "weapons": {"M": 2, "L": 1, "P": 2}, "dice": [8, 3]},
    ),
    Procedure(
        name="officers.assistant-tactical",
        rules=("D1.143",),
        summary="Change probable kills as the assistant tactical officer does.",
        input=AssistantInput,
        result={"cm": "probable kills of countermissiles", "pd": "probable kills of point defence"},
        run=officers_assistant_tactical,
        example={"cm": 1, "pd": 4, "grade": "poor"},
    ),
    Procedure(
        name="officers.helm",
        rules=("B2.231", "B2.232", "B2.233", "D1.144"),
        summary="Change the pivot and roll ratings as the helm officer does.",
        input=HelmInput,
        result={
            "pivot": "windows a turn",
            "roll": "windows a turn",
            "choices": "what the officer can choose from, two for an elite one",
        },
        run=officers_helm,
        example={"pivot": 3, "roll": 4, "grade": "poor"},
    ),
    Procedure(
        name="officers.tactical",
        rules=("D1.141",),
        summary="Change a salvo's MQL as the tactical officer does.",
        input=TacticalInput,
        result={"mql": "MQL, lower is better for the attacker"},
        run=officers_tactical,
        example={"mql": 6, "grade": "elite"},
    ),
    Procedure(
        name="officers.electronic-warfare",
        rules=("D1.142",),
        summary="Change the ECM value as the electronic warfare officer does.",
        input=WarfareInput,
        result={"ecm": "ECM value"},
        run=officers_electronic_warfare,
        example={"ecm": 3, "grade": "veteran"},
    ),
)
