"""The order sheet as a JSON Schema, filled in with a side's own forces, ships and choices (docs/rulesets.md).

The shared pages draw their forms from it; ``reading`` checks the same fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from campaign.engine.hexes import LETTERS
from campaign.rulebooks.saganami.bearings import WINDOWS
from operational.rules.saganami import preferences as standing
from operational.rules.saganami import sheet as form
from operational.rules.saganami.structure import INTEGRITY
from operational.rules.saganami.switches import DUMMIES, ruling

Document = dict[str, Any]


def order_schema(report: Mapping[str, Any]) -> Document:
    """Return the schema of a side's sheet for the turn after its report."""
    forces = [force for force in report["forces"] if not force["engaged"]]
    ships = [ship for ship in report["ships"] if ship["status"] == "active" and ship["force"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Orders of {report['side_name']} for turn {report['turn'] + 1}",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            form.FORCES: _forces(report, forces),
            form.SPLIT: _split(report, forces, ships),
            form.MERGE: _merge(forces),
            form.SEARCH: _search(ships, report["forces"]),
            form.REPAIR: _repair(ships),
            form.PREFERENCES: _preferences(report),
        },
    }


def _choice(rows: Iterable[Mapping[str, Any]], title: str, label: Callable[[Any], str] | None = None) -> Document:
    """Return a field that takes one id of some rows, shown by their names."""
    listed = list(rows)
    return {
        "type": "string",
        "title": title,
        "enum": [row["id"] for row in listed],
        "x-labels": {row["id"]: row["name"] if label is None else label(row) for row in listed},
    }


def _thrust(limit: int | None = None) -> Document:
    found: Document = {
        "type": "object",
        "title": "Thrust",
        "description": "Change of velocity made this turn; it ends a standing course.",
        "propertyNames": {"enum": list(LETTERS)},
        "additionalProperties": {"type": "integer", "minimum": 0},
        "x-widget": "vector",
        "x-unit": "hexes a turn",
        "x-rule": "B3.24",
    }
    return found if limit is None else {**found, "x-limit": limit}


def _course() -> Document:
    return {
        "type": "array",
        "title": "Course",
        "description": "Changes of velocity for this and the coming turns; flown until it is done or replaced.",
        "items": _thrust(),
        "maxItems": form.MOST_STEPS,
        "x-widget": "course",
        "x-rule": "B3.11",
    }


def _hex() -> Document:
    number = {"type": "integer", "minimum": -100_000, "maximum": 100_000}
    return {
        "type": "object",
        "title": "Entry hex",
        "properties": {"q": number, "r": number, "z": {**number, "default": 0}},
        "required": ["q", "r"],
        "additionalProperties": False,
        "x-widget": "hex",
        "x-rule": "B5.162",
    }


def _name(title: str) -> Document:
    return {"type": "string", "title": title, "minLength": 1, "maxLength": 80}


def _forces(report: Mapping[str, Any], forces: list[Any]) -> Document:
    names = {ship["id"]: ship["name"] for ship in report["ships"]}
    return {
        "type": "object",
        "title": "Forces",
        "description": "What each force does. Without an order it keeps its standing course, else it coasts.",
        "x-section": "force",
        "x-rule": "B5.12",
        "properties": {force["id"]: _force(report, force, names) for force in forces},
        "additionalProperties": False,
    }


def _force(report: Mapping[str, Any], force: Mapping[str, Any], names: Mapping[str, str]) -> Document:
    """Return the fields of one force; those that cannot apply to it where it is are left out."""
    members = [{"id": ship, "name": names[ship]} for ship in force["ships"]]
    fields: Document = {
        "thrust": _thrust(force["thrust"]),
        "course": _course(),
        "wedge": {
            "type": "string",
            "title": "Wedge",
            "description": "A raised wedge is up at the end of the turn, its sidewalls a tactical turn later.",
            "enum": ["keep", "up", "down"],
            "x-labels": {"keep": "as it is", "up": "raise", "down": "take down"},
            "default": "keep",
            "x-rule": "B5.145",
        },
        "name": _name("Name"),
    }
    if len(members) > 1:
        fields["flagship"] = {**_choice(members, "Flagship"), "x-rule": "B5.122"}
    if members:
        fields["red_line"] = {
            "type": "array",
            "title": "Red-line",
            "description": "Ships that take one more point of thrust this turn, against a crew check.",
            "items": _choice(members, "Ship"),
            "uniqueItems": True,
            "x-widget": "ships",
            "x-rule": "B3.231",
        }
    if force["place"] == "hyperspace":
        fields["emerge"] = _emerge(report, members)
    elif members:
        fields["translate_out"] = {
            "type": "boolean",
            "title": "Into hyperspace",
            "description": "At the end of the turn, at the hyper limit or beyond, at 45 hexes a turn or less.",
            "default": False,
            "x-rule": "B5.161",
        }
    return {"type": "object", "title": force["name"], "properties": fields, "additionalProperties": False}


def _emerge(report: Mapping[str, Any], members: list[Document]) -> Document:
    systems = [{"id": system["key"], "name": system["name"]} for system in report["systems"]]
    return {
        "type": "object",
        "title": "Out of hyperspace",
        "description": "At the start of the turn. Each command group comes out 2d10- hexes from the entry hex.",
        "properties": {
            "system": _choice(systems, "System"),
            "at": _hex(),
            "groups": {
                "type": "array",
                "title": "Command groups",
                "description": "Left out: the force comes as one. Else each ship belongs to one group.",
                "items": {"type": "array", "items": _choice(members, "Ship"), "x-widget": "ships"},
            },
        },
        "required": ["system", "at"],
        "additionalProperties": False,
        "x-rule": "B5.162",
    }


def _list(title: str, description: str, rule: str, fields: Document, required: list[str]) -> Document:
    """Return a section that is a list of orders."""
    return {
        "type": "array",
        "title": title,
        "description": description,
        "x-section": "list",
        "x-rule": rule,
        "items": {
            "type": "object",
            "properties": fields,
            "required": required,
            "additionalProperties": False,
        },
    }


def _ship_label(ship: Mapping[str, Any]) -> str:
    return f"{ship['name']} ({ship['class_name']})"


def _split(report: Mapping[str, Any], forces: list[Any], ships: list[Any]) -> Document:
    fields: Document = {
        "force": {**_choice(forces, "Force"), "x-widget": "force"},
        "ships": {
            "type": "array",
            "title": "Ships that leave it",
            "items": _choice(ships, "Ship", _ship_label),
            "uniqueItems": True,
            "x-widget": "ships",
        },
        "name": _name("Name of the new force"),
        "into": {
            **_choice(forces, "Or into the force"),
            "description": "In the same hex and with the same velocity.",
            "x-widget": "force",
        },
        "thrust": _thrust(),
        "course": _course(),
    }
    if ruling(report["rulings"], DUMMIES) == "launched":
        fields["dummy"] = {
            "type": "boolean",
            "title": "A dummy",
            "description": "No ship leaves; a dummy does, one a force and turn.",
            "default": False,
        }
    return _list("Split", "Ships leave a force at the start of the turn.", "B5.12", fields, ["force"])


def _merge(forces: list[Any]) -> Document:
    fields: Document = {
        "into": {**_choice(forces, "Force"), "x-widget": "force"},
        "forces": {"type": "array", "title": "Forces that join it", "items": _choice(forces, "Force"), "minItems": 1},
    }
    description = "Forces join another in the same hex, with the same velocity, at the start of the turn."
    return _list("Merge", description, "B5.12", fields, ["into", "forces"])


def _search(ships: list[Any], forces: list[Any]) -> Document:
    can = {force["id"] for force in forces if not force["engaged"]}
    fields: Document = {
        "ship": _choice(
            (ship for ship in ships if ship["force"] in can),
            "Ship",
            lambda ship: f"{_ship_label(ship)}, {ship['stores']['recon_drones']} drones",
        ),
        "window": {
            "type": "string",
            "title": "Window",
            "enum": list(WINDOWS),
            "x-widget": "window",
            "x-rule": "B5.142",
        },
        "drones": {
            "type": "integer",
            "title": "Recon drones",
            "description": "Each shortens the range of this search by five hexes, and is spent.",
            "minimum": 0,
            "default": 0,
            "x-unit": "drones",
            "x-rule": "B5.142",
        },
    }
    return _list("Search", "One AVID window a ship and turn.", "B5.142", fields, ["ship", "window"])


def _repair(ships: list[Any]) -> Document:
    hurt = [ship for ship in ships if ship["tracks"] and ship["parties"]]
    tracks = {
        track["name"]: track["label"]
        for ship in hurt
        for track in ship["tracks"]
        if track["lost"] > track["shipyard"] and track["name"] != INTEGRITY
    }
    fields: Document = {
        "ship": _choice(hurt, "Ship", lambda ship: f"{ship['name']}, {ship['parties']} parties"),
        "track": {"type": "string", "title": "Track", "enum": sorted(tracks), "x-labels": tracks},
        "boxes": {"type": "integer", "title": "Boxes", "minimum": 1, "default": 1, "x-unit": "boxes"},
        "parties": {
            "type": "integer",
            "title": "Parties for each box",
            "enum": [1, 2],
            "default": 1,
            "x-unit": "damage control parties",
        },
    }
    description = "Permanent repairs; each takes the whole turn and a crew check for each party."
    return _list("Repair", description, "C6.16", fields, ["ship", "track"])


def _preferences(report: Mapping[str, Any]) -> Document:
    bodies = [body for system in report["systems"] for body in system["bodies"]]
    away = {
        **standing.TITLES,
        **{standing.BODY + body["id"]: f"away from {body['name']}" for body in bodies},
    }
    filed = report["preferences"]
    return {
        "type": "object",
        "title": "Standing choices",
        "description": "Asked of every side every turn, so being asked tells nothing.",
        "x-section": "choice",
        "properties": {
            standing.DIRECTION_AWAY: {
                "type": "string",
                "title": "Arrivals near us come out",
                "enum": list(away),
                "x-labels": away,
                "default": filed[standing.DIRECTION_AWAY],
                "x-rule": "B5.162",
            },
            standing.SPARE_POINT: {
                "type": "string",
                "title": "Spare points after a battle go to",
                "enum": list(LETTERS),
                "x-labels": {letter: f"direction {letter}" for letter in LETTERS},
                "default": filed[standing.SPARE_POINT],
                "x-rule": "B5.121",
            },
        },
        "additionalProperties": False,
    }
