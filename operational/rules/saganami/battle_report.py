"""Battle reports: the form in which a result is typed, what is wrong with one, and the points it earns (D2.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from campaign.engine import vectors as v
from campaign.engine.errors import Problem, pointer, stops
from campaign.engine.handoff import (
    FATES,
    BattleReport,
    EngagedShip,
    Engagement,
    Fate,
    ShipResult,
    boxes_after,
    is_whole,
    load_report,
    rigs_after,
    ship_documents,
)
from campaign.engine.handoff import check_report as check_neutral
from campaign.engine.ruleset import Document
from campaign.engine.vector_input import VECTORS_SCHEMA
from campaign.rulebooks.saganami import victory
from campaign.rulebooks.saganami.grades import GRADES
from campaign.rulebooks.saganami.movement import TACTICAL_SPEED_LIMIT, is_within_speed_limit
from campaign.rulebooks.saganami.scales import can_translate, frame_undo
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.engagement_documents import PODS, seen_names
from operational.rules.saganami.hyper import is_outside
from operational.rules.saganami.return_course import (
    frame_of,
    operational_velocity,
    tactical_velocity,
    where,
    with_setting,
)
from operational.rules.saganami.view_ships import track_label

STRUCTURAL_INTEGRITY, HYPER_GENERATOR = "structural_integrity", "hyper_generator"
# C6.15: what a jury rig cannot hold together. The sails are boxes of the impeller tracks and not told apart here.
NEVER_RIGGED = ("hull", STRUCTURAL_INTEGRITY, HYPER_GENERATOR)
SEEN_OF_OTHERS = ("fate", "position", "velocity")
RANK: Mapping[str, int] = {grade: rank for rank, grade in enumerate(GRADES)}
RIG_LASTS = 10  # C6.13, tactical turns
OUTCOME_OF: Mapping[Fate, victory.Fate] = {
    "active": "fighting",
    "departed": "disengaged",
    "surrendered": "surrendered",
    "destroyed": "destroyed",
}
FATE_TITLES: Mapping[Fate, str] = {
    "active": "fights on",
    "destroyed": "destroyed",
    "surrendered": "surrendered",
    "departed": "left through hyperspace",
}


# What is wrong with a report -------------------------------------------------------------------


@rule("B5.121", "B5.123", "B5.16", "B5.161", "C5.4214", "C5.4412", "C5.463", "C6.13", "C6.15", "C8.12")
def check_report(document: Document, report: Any) -> tuple[Problem, ...]:
    """Return every problem of a result: those of any report (engine.handoff), and those of these rules.

    Against a document that ``engagement_for_side`` made, only the side's own ships are looked into.
    """
    problems = check_neutral(document, report)
    if stops(problems):
        return problems
    typed = load_report(report)
    found = list(problems)
    # A side's document has no theatre: where its ships end is checked when the whole result is.
    engagement = with_setting(Engagement.model_validate(document)) if "theatre" in document else None
    for mark, each in ship_documents(document).items():
        if is_whole(each):
            ship = EngagedShip.model_validate(each)
            for place, code, message, key in _ship_problems(engagement, typed, ship, typed.ships[mark]):
                found.append(Problem(pointer("ships", mark) + place, code, f"{ship.name}: {message}", key))
    return tuple(sorted(found))


def _ship_problems(
    engagement: Engagement | None, report: BattleReport, ship: EngagedShip, result: ShipResult
) -> Iterator[tuple[str, str, str, str]]:
    """Yield the place below the ship, code, message and rule of each problem."""
    lost = boxes_after(ship, result)
    gone = {track: boxes.of > 0 and lost[track] == boxes.of for track, boxes in ship.boxes.items()}
    if gone.get(STRUCTURAL_INTEGRITY) and result.fate != "destroyed":
        yield "/fate", "integrity-gone", "all structural integrity is lost, so it is destroyed.", "C5.4214"
    if gone.get(HYPER_GENERATOR) and result.fate == "departed":
        yield "/fate", "no-hyper-generator", "without a hyper generator it cannot have left.", "C5.463"
    for post, grade in result.grades.items():
        here = pointer("grades", post)
        if grade not in RANK:
            yield here, "unknown-grade", f"a grade is one of {', '.join(GRADES)}.", "D1.11"
        elif RANK[grade] > RANK[ship.grades[post]]:
            yield here, "grade-rose", "no grade rises in a battle.", "C5.4412"
        elif post == "crew" and grade != ship.grades[post]:
            yield here, "crew-grade-fell", "no damage lowers the crew's grade.", "C5.4412"
    for index, rig in enumerate(rigs_after(ship, result, report.tactical_turns)):
        if rig.track in NEVER_RIGGED:
            yield pointer("rigs", index, "track"), "never-rigged", f"{rig.track} cannot be rigged.", "C6.15"
        if rig.left > RIG_LASTS:
            yield pointer("rigs", index, "left"), "rig-too-long", f"a rig lasts {RIG_LASTS} turns.", "C6.13"
    yield from _pod_problems(ship, result)
    if engagement is not None and result.fate in ("active", "departed"):
        yield from _course_problems(engagement, report, ship, result)


@rule("C8.12")
def _pod_problems(ship: EngagedShip, result: ShipResult) -> Iterator[tuple[str, str, str, str]]:
    brought, spent = ship.stores.get(PODS, 0), result.pods_used + result.pods_killed
    if spent > brought:
        yield "/pods_used", "too-many-pods", f"it brought {brought} pods.", "C8.12"
    elif result.fate in ("active", "departed") and PODS in result.stores and result.stores[PODS] != brought - spent:
        message = f"of {brought} pods {spent} were used or killed, so {brought - spent} are left."
        yield pointer("stores", PODS), "pods-do-not-add-up", message, "C8.12"


@rule("B5.123", "B5.16", "B5.161")
def _course_problems(
    engagement: Engagement, report: BattleReport, ship: EngagedShip, result: ShipResult
) -> Iterator[tuple[str, str, str, str]]:
    moves = frame_undo(tactical_velocity(engagement, ship, result), frame_of(engagement, report))
    if not is_within_speed_limit(moves, TACTICAL_SPEED_LIMIT):
        yield "/velocity", "too-fast", f"no ship is faster than {TACTICAL_SPEED_LIMIT} tactical hexes a turn.", "B5.123"
    if result.fate != "departed":
        return
    if not can_translate(v.speed(operational_velocity(engagement, report, ship, result, "A"))):
        yield "/fate", "too-fast-to-translate", "it was too fast to go into hyperspace.", "B5.161"
    limit = int(engagement.theatre["hyper_limit"])
    if result.position is not None and not is_outside(where(engagement, report, ship, result), limit):
        yield "/fate", "inside-limit", f"inside {limit} hexes of the star nobody goes into hyperspace.", "B5.16"


@rule("B5.14", "D2.22")
def report_for_side(document: Document, report: Document, side: str) -> dict[str, Any]:
    """Return a result as one side may read it: its own ships whole, of others their fate, place and velocity."""
    engagement = Engagement.model_validate(document)
    owner = {ship.id: key for key, _, ship in engagement.ships()}
    seen = dict(load_report(report).as_document())
    seen["ships"] = {
        mark: result if owner.get(mark) == side else {field: result[field] for field in SEEN_OF_OTHERS}
        for mark, result in seen["ships"].items()
    }
    del seen["notes"]
    return seen


# The form --------------------------------------------------------------------------------------


@rule("D2.22", "D2.222")
def report_schema(document: Document) -> dict[str, Any]:
    """Return the JSON Schema of a result: a part for each ship by its mark, with what may be typed there.

    Of a document that ``engagement_for_side`` made, nothing there tells how other sides' ships came.
    """
    setting = document.get("setting") or {}
    ships = {
        ship["id"]: (side, force, ship)
        for side, each in sorted(document["sides"].items())
        for force in each["forces"]
        for ship in force["ships"]
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Battle report",
        "type": "object",
        "additionalProperties": False,
        "required": ["engagement", "issue", "digest", "tactical_turns", "ships"],
        "properties": {
            "engagement": {"const": document["id"], "title": "Engagement"},
            "issue": {"const": document["issue"], "title": "Issue"},
            "digest": {"const": document["digest"], "title": "Digest of the ships handed over"},
            "tactical_turns": _number("Tactical turns played", 10_000, "tactical turns", rule="B5.111"),
            "frame": _vectors("Velocity of the map at the end", "B5.13", setting.get("frame", {})),
            "frame_moved": _vectors("Way of the map in all, if it was not that velocity in every turn", "B5.132"),
            "ships": {
                "type": "object",
                "title": "Ships",
                "additionalProperties": False,
                "required": list(ships),
                "properties": {mark: _ship_schema(*each) for mark, each in ships.items()},
            },
            "objectives": {
                "type": "array",
                "title": "Objectives met",
                "x-rule": "D2.222",
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["side", "points", "text"],
                    "properties": {
                        "side": {
                            "enum": sorted(document["sides"]),
                            "title": "Side",
                            "x-labels": {key: each["name"] for key, each in sorted(document["sides"].items())},
                        },
                        "points": _number("Bonus", None, "points"),
                        "text": {"type": "string", "title": "What was achieved", "minLength": 1, "maxLength": 200},
                    },
                },
            },
            "notes": {"type": "string", "title": "Notes", "maxLength": 4000},
        },
    }


def _number(title: str, most: int | None, unit: str, least: int = 0, rule: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {"type": "integer", "title": title, "minimum": least, "x-unit": unit}
    if most is not None:
        found["maximum"] = most
    if rule:
        found["x-rule"] = rule
    return found


def _vectors(title: str, rule: str, default: Mapping[str, int] | None = None) -> dict[str, Any]:
    found = {**VECTORS_SCHEMA, "title": title, "x-widget": "vector", "x-rule": rule, "x-unit": "tactical hexes a turn"}
    return found if default is None else {**found, "default": dict(default)}


def _boxes(tracks: Mapping[str, tuple[int, int, int | None]]) -> dict[str, Any]:
    """Return the schema of the boxes lost: track to boxes, fewest that may be lost now, and how many were before."""
    return {
        "type": "object",
        "title": "Boxes lost now",
        "x-rule": "A2.67",
        "additionalProperties": False,
        "properties": {
            track: {
                **_number(track_label(track), of, "boxes", least),
                **({} if before is None else {"default": before}),
            }
            for track, (of, least, before) in tracks.items()
        },
    }


def _ship_schema(side: str, force: Mapping[str, Any], ship: Mapping[str, Any]) -> dict[str, Any]:
    fate = {
        "enum": list(FATES),
        "title": "What became of it",
        "x-labels": dict(FATE_TITLES),
        "x-rule": "D2.223",
    }
    head = {
        "type": "object",
        "title": f"{ship['name']} ({ship['class_name']})",
        "description": force["name"],
        "x-side": side,
        "additionalProperties": False,
        "required": ["fate"],
    }
    end = {
        "position": {
            "type": "object",
            "title": "Where it is on the tactical map",
            "x-widget": "hex",
            "x-unit": "tactical hexes",
            "additionalProperties": False,
            "required": ["q", "r"],
            "properties": {name: {"type": "integer"} for name in ("q", "r", "z")},
        },
        "velocity": _vectors("Velocity relative to the map", "B5.121"),
        "note": {"type": "string", "title": "Note", "maxLength": 200},
    }
    if not is_whole(ship):
        boxes = _boxes({track: (of, 0, None) for track, of in ship["tracks"].items()})
        return {**head, "properties": {"fate": fate, "boxes": boxes, **end}}
    pods = ship["stores"].get(PODS, 0)
    properties = {
        "fate": fate,
        "boxes": _boxes(
            {
                track: (each["of"], 0 if each["refills"] else each["lost"], each["lost"])
                for track, each in ship["boxes"].items()
            }
        ),
        "stores": {
            "type": "object",
            "title": "Stores left",
            "additionalProperties": False,
            "properties": {
                kind: {**_number(kind.replace("_", " ").capitalize(), left, ""), "default": left}
                for kind, left in ship["stores"].items()
            },
        },
        "rigs": {
            "type": "array",
            "title": "Jury rigs that hold at the end",
            "x-rule": "C6.13",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["track", "boxes", "left"],
                "properties": {
                    "track": {"enum": [track for track in ship["boxes"] if track not in NEVER_RIGGED]},
                    "boxes": _number("Boxes", None, "boxes", 1),
                    "left": _number("Turns until they fail", RIG_LASTS, "tactical turns"),
                },
            },
        },
        "grades": {
            "type": "object",
            "title": "Grades now",
            "x-rule": "C5.4412",
            "additionalProperties": False,
            "properties": {
                post: {"enum": list(GRADES), "title": post.capitalize(), "default": grade}
                for post, grade in ship["grades"].items()
                if post != "crew"
            },
        },
        "spare": {
            "type": "array",
            "title": "Where left-over points of velocity go",
            "x-rule": "B5.121",
            "maxItems": 8,
            "items": {"enum": list(VECTORS_SCHEMA["propertyNames"]["enum"])},
        },
        **end,
    }
    if pods:
        properties["pods_used"] = _number("Pods used", pods, "pods", rule="C8.12")
        properties["pods_killed"] = _number("Pods killed", pods, "pods", rule="C8.22")
    return {**head, "properties": properties}


# Points ----------------------------------------------------------------------------------------


def outcomes(engagement: Engagement, report: BattleReport) -> tuple[victory.SideOutcome, ...]:
    """Return every side as the victory rules take it: boxes lost in this battle, not those lost before."""
    names = seen_names(engagement)
    found = []
    for key, side in sorted(engagement.sides.items()):
        ships = []
        for force in side.forces:
            for ship in force.ships:
                result = report.ships[ship.id]
                after = boxes_after(ship, result)
                counted = {track: boxes for track, boxes in ship.boxes.items() if not boxes.refills}
                ships.append(
                    victory.ShipOutcome(
                        ship=ship.id,
                        cost=ship.cost,
                        boxes=sum(boxes.of for boxes in counted.values()),
                        boxes_lost=sum(after[track] - boxes.lost for track, boxes in counted.items()),
                        fate=OUTCOME_OF[result.fate],
                        name=f"{names[ship.id]} ({side.name})",
                        officers=ship.crew.get("officers", 0),
                        enlisted_and_marines=ship.crew.get("enlisted", 0) + ship.crew.get("marines", 0),
                        pods_bought=ship.stores.get(PODS, 0),
                        pods_spent=result.pods_used + result.pods_killed,
                        pod_cost=int(ship.facts["pod_cost"]),
                    )
                )
        met = tuple(victory.Objective(each.text, each.points) for each in report.objectives if each.side == key)
        found.append(victory.SideOutcome(key, tuple(ships), met, allies=tuple(side.allies)))
    return tuple(found)


@rule("D2.0", "D2.22", "D2.222", "D2.223", "D2.224", "D2.225", "D2.23", "D2.231", "D2.232", "C8.12")
def score_report(document: Document, report: Document) -> dict[str, Any]:
    """Return the account of a battle: points line by line, ratios, margin, winner, and one sentence of it.

    A fight of ten turns in which nobody hurt anybody is a cowardly draw, whatever the points. Ships go
    by class and number there, as every side saw them; "subject" is the mark.
    """
    engagement, typed = Engagement.model_validate(document), load_report(report)
    sides = outcomes(engagement, typed)
    account = victory.score(sides).as_document()
    names = {key: side.name for key, side in engagement.sides.items()}
    is_cowardly = victory.is_cowardly_draw(typed.tactical_turns, sides)
    if is_cowardly:
        account = {**account, "margin": "draw", "winner": None}
    points = ", ".join(f"{names[each['side']]} {each['points']}" for each in account["sides"])
    if is_cowardly:
        verdict = "a cowardly draw"
    elif account["winner"] is None:
        verdict = "a draw"
    else:
        verdict = f"{account['margin'].replace('-', ' ')} for {names[account['winner']]}"
    return {
        **account,
        "engagement": engagement.id,
        "tactical_turns": typed.tactical_turns,
        "cowardly_draw": is_cowardly,
        "text": f"{verdict[0].upper()}{verdict[1:]}. Victory points: {points}.",
    }
