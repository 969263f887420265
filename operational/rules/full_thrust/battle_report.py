"""Battle reports: the form in which a result is typed, what is wrong with one, and what it is worth.

The source has no victory points; a destroyed or surrendered ship counts its points here, a damaged one the
share of its hull that it lost, as tables commonly keep score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from campaign.engine.errors import Problem, pointer, stops
from campaign.engine.handoff import (
    FATES,
    EngagedShip,
    Engagement,
    Fate,
    ShipResult,
    boxes_after,
    is_whole,
    load_report,
    ship_documents,
)
from campaign.engine.handoff import check_report as check_neutral
from campaign.engine.ruleset import Document
from campaign.engine.vector_input import VECTORS_SCHEMA
from operational.rules.full_thrust.ship_class import FTL, HULL, TRACK_LABELS
from operational.rules.full_thrust.source import rule

FATE_TITLES: Mapping[Fate, str] = {
    "active": "fights on",
    "destroyed": "destroyed",
    "surrendered": "surrendered",
    "departed": "left by its FTL drive",
}
SEEN_OF_OTHERS = ("fate", "position", "velocity")
COUNTED: tuple[Fate, ...] = ("destroyed", "surrendered")


@rule("table-phase")
def check_report(document: Document, report: Any) -> tuple[Problem, ...]:
    """Return every problem of a result: those of any report (engine.handoff), and those of this map.

    Against a document that ``engagement_for_side`` made, only the side's own ships are looked into.
    """
    problems = check_neutral(document, report)
    if stops(problems):
        return problems
    typed = load_report(report)
    found = list(problems)
    for field in ("frame", "frame_moved"):
        if getattr(typed, field):
            message = "The table does not move on this map: there is no frame."
            found.append(Problem(pointer(field), "no-frame", message, "table-phase"))
    for mark, each in ship_documents(document).items():
        result = typed.ships[mark]
        found += _flat_problems(mark, result)
        if is_whole(each):
            ship = EngagedShip.model_validate(each)
            for place, code, message in _ship_problems(ship, result):
                found.append(Problem(pointer("ships", mark) + place, code, f"{ship.name}: {message}", "table-phase"))
    return tuple(sorted(found))


def _flat_problems(mark: str, result: ShipResult) -> Iterator[Problem]:
    if result.position is not None and result.position.z:
        message = "The table is flat: there is no up and no down."
        yield Problem(pointer("ships", mark, "position", "z"), "flat-map", message, "scales")
    for letter in result.velocity or {}:
        if letter in "+-":
            message = "The table is flat: there is no up and no down."
            yield Problem(pointer("ships", mark, "velocity", letter), "flat-map", message, "scales")


def _ship_problems(ship: EngagedShip, result: ShipResult) -> Iterator[tuple[str, str, str]]:
    """Yield the place below the ship, code and message of each problem."""
    lost = boxes_after(ship, result)
    if lost[HULL] == ship.boxes[HULL].of and result.fate != "destroyed":
        yield "/fate", "hull-gone", "all of its hull is lost, so it is destroyed."
    if result.fate == "departed" and (FTL not in ship.boxes or lost[FTL]):
        yield "/fate", "no-ftl-drive", "without an FTL drive that works it cannot have left."


@rule("table-phase")
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


@rule("table-phase")
def report_schema(document: Document) -> dict[str, Any]:
    """Return the JSON Schema of a result: a part for each ship by its mark, with what may be typed there.

    Of a document that ``engagement_for_side`` made, other sides' ships have their fate and course alone.
    """
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
            "tactical_turns": _number("Tabletop turns played", 10_000, "tabletop turns", "scales"),
            "ships": {
                "type": "object",
                "title": "Ships",
                "additionalProperties": False,
                "required": list(ships),
                "properties": {mark: _ship_schema(*each) for mark, each in ships.items()},
            },
            "notes": {"type": "string", "title": "Notes", "maxLength": 4000},
        },
    }


def _number(title: str, most: int, unit: str, rule_key: str = "", least: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "integer", "title": title, "minimum": least, "maximum": most, "x-unit": unit}
    return {**found, "x-rule": rule_key} if rule_key else found


def _ship_schema(side: str, force: Mapping[str, Any], ship: Mapping[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "fate": {"enum": list(FATES), "title": "What became of it", "x-labels": dict(FATE_TITLES)},
        "position": {
            "type": "object",
            "title": "Where it is on the table",
            "description": "In MU, from the middle of the hex in which the battle began.",
            "x-widget": "hex",
            "x-unit": "MU",
            "x-rule": "scales",
            "additionalProperties": False,
            "required": ["q", "r"],
            "properties": {name: {"type": "integer"} for name in ("q", "r", "z")},
        },
        "velocity": {
            **VECTORS_SCHEMA,
            "title": "Velocity",
            "x-widget": "vector",
            "x-unit": "MU a tabletop turn",
            "x-rule": "velocity-table",
        },
        "note": {"type": "string", "title": "Note", "maxLength": 200},
    }
    if is_whole(ship):
        properties["boxes"] = {
            "type": "object",
            "title": "Boxes lost now",
            "additionalProperties": False,
            "properties": {
                track: {
                    **_number(TRACK_LABELS[track], each["of"], "boxes", least=each["lost"]),
                    "default": each["lost"],
                }
                for track, each in ship["boxes"].items()
            },
        }
        if ship["stores"]:
            properties["stores"] = {
                "type": "object",
                "title": "Craft aboard",
                "additionalProperties": False,
                "properties": {
                    kind: {**_number(kind.rpartition(".")[2].capitalize(), left, "craft"), "default": left}
                    for kind, left in ship["stores"].items()
                },
            }
    return {
        "type": "object",
        "title": f"{ship['name']} ({ship['class_name']})",
        "description": force["name"],
        "x-side": side,
        "additionalProperties": False,
        "required": ["fate"],
        "properties": properties,
    }


# What it is worth ------------------------------------------------------------------------------


def points_for(ship: EngagedShip, result: ShipResult) -> int:
    """Return the points that the other side earns by a ship: all of them, or the share of hull lost in this battle."""
    if result.fate in COUNTED:
        return ship.cost
    hull = ship.boxes[HULL]
    lost = boxes_after(ship, result)[HULL] - hull.lost
    return ship.cost * lost // hull.of


@rule("table-phase")
def score_report(document: Document, report: Document) -> dict[str, Any]:
    """Return the account of a battle: points that each side earned, line by line, the winner, and one sentence.

    Lines name ships by mark, so that no side learns from them what it has not seen.
    """
    engagement, typed = Engagement.model_validate(document), load_report(report)
    names = {key: side.name for key, side in engagement.sides.items()}
    lines: dict[str, list[dict[str, Any]]] = {key: [] for key in sorted(engagement.sides)}
    brought = dict.fromkeys(lines, 0)
    for key, _, ship in engagement.ships():
        brought[key] += ship.cost
        result = typed.ships[ship.id]
        points = points_for(ship, result)
        if points:
            label = f"A ship {result.fate}" if result.fate in COUNTED else "A ship damaged"
            line = {"subject": ship.id, "label": label, "points": points, "rule": ""}
            for other in lines:
                if other != key:
                    lines[other].append(line)
    for met in typed.objectives:
        lines[met.side].append({"subject": "", "label": met.text, "points": met.points, "rule": ""})
    earned = {key: sum(line["points"] for line in each) for key, each in lines.items()}
    most = max(earned.values())
    leaders = [key for key, points in earned.items() if points == most]
    winner = leaders[0] if len(leaders) == 1 else None
    points_text = ", ".join(f"{names[key]} {earned[key]}" for key in earned)
    verdict = "A draw" if winner is None else f"{names[winner]} has the better of it"
    return {
        "engagement": engagement.id,
        "tactical_turns": typed.tactical_turns,
        "sides": [
            {
                "side": key,
                "points": earned[key],
                "cost": brought[key],
                "ratio": f"{earned[key]}/{brought[key]}",
                "lines": lines[key],
            }
            for key in earned
        ],
        "difference": f"{most - min(earned.values())} points",
        "winner": winner,
        "margin": "draw" if winner is None else "victory",
        "text": f"{verdict}. Points: {points_text}.",
    }
