"""The order sheet as a JSON Schema, filled in with a side's own forces, ships and choices (docs/rulesets.md).

The shared pages draw their forms from it; ``reading`` checks the same fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from campaign.engine.hexes import DIRECTIONS, LETTERS
from operational.rules.full_thrust import preferences as standing
from operational.rules.full_thrust import sheet as form
from operational.rules.full_thrust.switches import SECOND_LOOK, ruling

Document = dict[str, Any]
Rows = list[Mapping[str, Any]]


def order_schema(report: Mapping[str, Any]) -> Document:
    """Return the schema of a side's sheet for the turn after its report."""
    forces = [force for force in report["forces"] if not force["engaged"]]
    there = {force["id"] for force in forces}
    ships = [ship for ship in report["ships"] if ship["status"] == "active" and ship["force"] in there]
    contacts = [contact for contact in report["contacts"] if not contact["lost"]]
    sections = {
        form.FORCES: _forces(report, forces, contacts),
        form.SCANS: _scans(report, [ship for ship in ships if ship["kind"] == "ship"], contacts),
        form.RECOVER: _recover(ships),
        form.LAUNCH: _launch(report, ships),
        form.SPLIT: _split(forces, ships),
        form.MERGE: _merge(forces),
        form.CLOAKING: _cloaking(ships),
        form.CALLS: _calls(forces, contacts),
        form.PREFERENCES: _preferences(report, forces),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Orders of {report['side_name']} for turn {report['turn'] + 1}",
        "type": "object",
        "additionalProperties": False,
        "properties": sections,
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


def _contact_label(contact: Mapping[str, Any]) -> str:
    return f"{contact['label']}, {', '.join(contact['knows'])}"


def _ship_label(ship: Mapping[str, Any]) -> str:
    return f"{ship['name']} ({ship['class_name']})"


def _ships(rows: Iterable[Mapping[str, Any]], title: str, description: str, rule: str) -> Document:
    return {
        "type": "array",
        "title": title,
        "description": description,
        "items": _choice(rows, "Ship", _ship_label),
        "uniqueItems": True,
        "x-widget": "ships",
        "x-rule": rule,
    }


def _thrust(limit: int | None = None) -> Document:
    found: Document = {
        "type": "object",
        "title": "Thrust",
        "description": "Moves the end point, one hex for each point; the marker goes there this turn. A to F only.",
        "propertyNames": {"enum": list(LETTERS)},
        "additionalProperties": {"type": "integer", "minimum": 0},
        "x-widget": "vector",
        "x-unit": "hexes",
        "x-rule": "end-point-movement",
    }
    return found if limit is None else {**found, "x-limit": limit}


def _name(title: str) -> Document:
    return {"type": "string", "title": title, "minLength": 1, "maxLength": 80}


def _list(title: str, description: str, rule: str, fields: Document, required: list[str]) -> Document:
    """Return a section that is a list of orders."""
    return {
        "type": "array",
        "title": title,
        "description": description,
        "x-section": "list",
        "x-rule": rule,
        "items": {"type": "object", "properties": fields, "required": required, "additionalProperties": False},
    }


def _forces(report: Mapping[str, Any], forces: Rows, contacts: Rows) -> Document:
    ships = {ship["id"]: ship for ship in report["ships"]}
    return {
        "type": "object",
        "title": "Task forces",
        "description": "What each task force does. Without an order it coasts and uses no active sensors.",
        "x-section": "force",
        "x-rule": "movement-phase",
        "properties": {force["id"]: _force(force, ships, contacts) for force in forces},
        "additionalProperties": False,
    }


def _force(force: Mapping[str, Any], ships: Mapping[str, Any], contacts: Rows) -> Document:
    sensors = [ships[ship] for ship in force["ships"] if ships[ship]["kind"] == "ship" and not ships[ship]["cloaked"]]
    fields: Document = {
        "thrust": _thrust(force["thrust"]),
        "chase": {
            "type": "object",
            "title": "Or go for a contact",
            "description": "Thrust is chosen when the force's turn to move comes, by where the contact's end point "
            "is then: who has the initiative moves later.",
            "properties": {
                "contact": _choice(contacts, "Contact", _contact_label),
                "way": {
                    "type": "string",
                    "title": "Which way",
                    "enum": ["toward", "away"],
                    "x-labels": {"toward": "toward it", "away": "away from it"},
                    "default": "toward",
                },
                "distance": {
                    "type": "integer",
                    "title": "Distance of the end points",
                    "minimum": 0,
                    "maximum": 1000,
                    "default": 0,
                    "x-unit": "hexes",
                },
            },
            "required": ["contact"],
            "additionalProperties": False,
            "x-rule": "movement-phase",
        },
        "name": _name("Name"),
    }
    if sensors:
        fields["active"] = _ships(
            sensors,
            "Active sensors",
            "Ships declared before the force detects. Each puts a counter with the force that all can see.",
            "active-counters",
        )
    return {"type": "object", "title": force["name"], "properties": fields, "additionalProperties": False}


def _scans(report: Mapping[str, Any], ships: Rows, contacts: Rows) -> Document:
    def label(ship: Mapping[str, Any]) -> str:
        return f"{_ship_label(ship)}, {ship['sensors']} sensors, {ship['fire_controls']} scans"

    fields: Document = {
        "ship": _choice(ships, "Ship", label),
        "contact": _choice(contacts, "Contact", _contact_label),
        "mode": {
            "type": "string",
            "title": "Sensors",
            "enum": ["passive", "active"],
            "default": "passive",
            "x-rule": "operational-sensor-table",
        },
        "scans": {
            "type": "integer",
            "title": "Scans",
            "description": "One fire control each; the first that finds nothing is the ship's last this turn.",
            "minimum": 1,
            "maximum": form.MOST_SCANS,
            "default": 1,
            "x-unit": "scans",
            "x-rule": "fire-control-limit",
        },
    }
    if ruling(report["rulings"], SECOND_LOOK) == "allowed":
        bogeys = [ship for contact in contacts for ship in contact["ships"] if ship["locked"]]
        fields["bogey"] = _choice(bogeys, "Detected ship to look at again", lambda ship: str(ship["label"]))
    description = "Scans in the order in which each ship makes them; its owner chooses the ship that is scanned."
    return _list("Scans", description, "detection-phase", fields, ["ship", "contact"])


def _craft(ships: Iterable[Mapping[str, Any]], title: str) -> Document:
    return {
        "type": "array",
        "title": title,
        "items": _choice(ships, "Craft"),
        "uniqueItems": True,
        "minItems": 1,
        "x-widget": "ships",
    }


def _launch(report: Mapping[str, Any], ships: Rows) -> Document:
    carriers = [ship for ship in ships if ship["craft"]]
    by_id = {ship["id"]: ship for ship in report["ships"]}
    aboard = [by_id[craft] for ship in carriers for craft in ship["craft"]]
    fields = {
        "ship": _choice(carriers, "Ship", _ship_label),
        "craft": _craft(aboard, "Craft it launches"),
        "name": _name("Name of their task force"),
        "thrust": _thrust(),
    }
    description = "Fighters, small craft and ordnance leave a ship as a task force of their own, with its vector."
    return _list("Launch", description, "operations-phase", fields, ["ship", "craft"])


def _recover(ships: Rows) -> Document:
    fields = {
        "ship": _choice((ship for ship in ships if ship["room"]), "Ship", _ship_label),
        "craft": _craft((ship for ship in ships if ship["kind"] == "craft"), "Craft it takes aboard"),
    }
    description = "Craft in the ship's hex and with its vector go aboard."
    return _list("Recover", description, "operations-phase", fields, ["ship", "craft"])


def _split(forces: Rows, ships: Rows) -> Document:
    fields = {
        "force": {**_choice(forces, "Task force"), "x-widget": "force"},
        "ships": _ships(ships, "Ships that leave it", "", "merge-split"),
        "dummy": {
            "type": "boolean",
            "title": "A dummy",
            "description": "No ship leaves; a dummy does, as long as fewer are in play than were rolled.",
            "default": False,
            "x-rule": "dummy-taskforces",
        },
        "name": _name("Name of the new task force"),
        "thrust": _thrust(),
    }
    description = "A new task force starts with the vector of the one it leaves."
    return _list("Split", description, "merge-split", fields, ["force"])


def _merge(forces: Rows) -> Document:
    fields = {
        "into": {**_choice(forces, "Task force"), "x-widget": "force"},
        "forces": {
            "type": "array",
            "title": "Task forces that join it",
            "items": _choice(forces, "Task force"),
            "minItems": 1,
            "uniqueItems": True,
        },
    }
    description = "Task forces in one hex and with the same vector become one."
    return _list("Merge", description, "merge-split", fields, ["into", "forces"])


def _cloaking(ships: Rows) -> Document:
    able = [ship for ship in ships if ship["cloak"]]
    return {
        "type": "object",
        "title": "Cloaks",
        "description": "A ship that cloaks is lost from all sensor locks, and loses its own.",
        "x-section": "choice",
        "x-rule": "cloaking",
        "properties": {
            "cloak": _ships((ship for ship in able if not ship["cloaked"]), "Cloak", "", "cloaking"),
            "decloak": _ships((ship for ship in ships if ship["cloaked"]), "Drop the cloak", "", "cloaking"),
        },
        "additionalProperties": False,
    }


def _calls(forces: Rows, contacts: Rows) -> Document:
    detected = [contact for contact in contacts if any(ship["locked"] for ship in contact["ships"])]
    fields = {
        "force": {**_choice((force for force in forces if force["ships"]), "Task force"), "x-widget": "force"},
        "contact": _choice(detected, "Contact", _contact_label),
    }
    description = "After the movement, a detected force that is near enough goes to the table, wanted or not."
    return _list("Call for battle", description, "table-phase", fields, ["force", "contact"])


def _order(rows: Rows, title: str, description: str, rule: str, filed: list[str]) -> Document:
    """Return a field that takes an order of preference."""
    return {
        "type": "array",
        "title": title,
        "description": description,
        "items": _choice(rows, title),
        "x-widget": "order",
        "x-rule": rule,
        "default": filed,
    }


def _preferences(report: Mapping[str, Any], forces: Rows) -> Document:
    ships = [ship for ship in report["ships"] if ship["status"] == "active"]
    filed = report["preferences"]
    listed = "Who is not named comes after the others."
    return {
        "type": "object",
        "title": "Standing choices",
        "description": "Asked of both sides every turn, so being asked tells nothing.",
        "x-section": "choice",
        "properties": {
            standing.DETECTION_ORDER: _order(
                forces, "Task forces detect in this order", listed, "detection-phase", filed[standing.DETECTION_ORDER]
            ),
            standing.MOVEMENT_ORDER: _order(
                forces, "Task forces move in this order", listed, "movement-phase", filed[standing.MOVEMENT_ORDER]
            ),
            standing.EASIEST_SHIP: _order(
                ships,
                "Ships that are scanned first",
                "Of ships that are equally easy to detect, the first of these is scanned.",
                "easiest-ship",
                filed[standing.EASIEST_SHIP],
            ),
            standing.MARKER_SIDES: {
                "type": "array",
                "title": "Sides for the enemy's thrust markers",
                "description": "Where two hex sides are equally close, the first of these.",
                "items": {"type": "string", "enum": list(DIRECTIONS)},
                "x-rule": "opponent-tie",
                "default": filed[standing.MARKER_SIDES],
            },
        },
        "additionalProperties": False,
    }
