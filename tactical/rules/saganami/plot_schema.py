"""The sheet of a plot step as JSON Schema, with titles, units and what may be chosen, from a side's view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.hexes import DIRECTIONS
from tactical.rules.saganami.avid import WINDOWS
from tactical.rules.saganami.helm_room import ratings_of, thrust_of
from tactical.rules.saganami.missiles import STAGES
from tactical.rules.saganami.state import Ship
from tactical.rules.saganami.view import View, load_view

WINDOW_NAMES = [str(window) for window in WINDOWS]


def plot_schema(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a side's sheet for the present step."""
    view = load_view(report)
    own = {ship.id: ship for ship in view.own}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Plots",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "ships": {
                "type": "object",
                "title": "Ships",
                "additionalProperties": False,
                "properties": {identity: _plot(view, own[identity]) for identity in view.plots},
            }
        },
    }


def _object(title: str, properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "title": title, "additionalProperties": False, "properties": properties, **more}


def _number(title: str, least: int, most: int, rule: str, unit: str = "", default: int = 0) -> dict[str, Any]:
    return {"type": "integer", "title": title, "minimum": least, "maximum": most, "default": default,
            "x-rule": rule, "x-unit": unit}  # fmt: skip


def _flag(title: str, rule: str, default: bool = False) -> dict[str, Any]:
    return {"type": "boolean", "title": title, "default": default, "x-rule": rule}


def _window(title: str, rule: str) -> dict[str, Any]:
    return {"enum": WINDOW_NAMES, "title": title, "x-rule": rule, "x-widget": "avid"}


def _attitude(title: str) -> dict[str, Any]:
    return _object(
        title,
        {"forward": _window("Nose", "B2.13"), "roll": _number("Roll", -12, 12, "B2.14", "steps of 30 degrees")},
        required=["forward"],
    )


def _plot(view: View, ship: Ship) -> dict[str, Any]:
    title = f"{ship.name} ({ship.sheet.ship_class.name})"
    if view.stage == "facing":
        return _object(
            title,
            {
                "forward": _window("Nose", "B5.12"),
                "roll": _number("Roll", -12, 12, "B2.14", "steps of 30 degrees"),
                "tow": _number("Pods in tow", 0, ship.pods_aboard + ship.pods_towed, "C8.21", "pods"),
            },
            required=["forward"],
        )
    if view.stage == "launch":
        return _launch(view, ship, title)
    strike = _flag("Strike the colours", "D2.224")
    if ship.sheet.is_lac:
        return _object(
            title,
            {
                "halfway": _attitude("Attitude for thrust, at once"),
                "end": _attitude("Attitude at the end of the turn"),
                "thrust": _thrust(thrust_of(ship)),
                "displace": _flag("Displace the end of turn", "C7.122", True),
                "strike_colours": strike,
            },
        )
    ratings = ratings_of(ship)
    return _object(
        title,
        {
            "pivot": {
                "type": "array",
                "title": f"Pivot, window by window (rating {ratings.pivot})",
                "items": _window("Window", "B2.24"),
                "maxItems": 24,
                "x-rule": "B2.24",
            },
            "roll": _number("Roll", -ratings.roll, ratings.roll, "B2.25", "windows, starboard positive"),
            "thrust": _thrust(thrust_of(ship, is_red_lined=True)),
            "red_line": _flag("Red-line the compensators", "B3.231"),
            "boost": {
                "enum": ["pivot", "roll"],
                "title": "An elite helm's window",
                "default": "pivot",
                "x-rule": "B2.233",
            },
            "strike_colours": strike,
        },
    )


def _thrust(rating: int) -> dict[str, Any]:
    return _object(
        "Thrust",
        {
            "thrust": _number("Points", 0, rating, "B3.22", "thrust points"),
            "cell": {
                "type": "array",
                "title": "Square of the vertical grid: hexes, levels",
                "items": {"type": "integer"},
                "minItems": 2,
                "maxItems": 2,
                "x-rule": "B3.24",
            },
            "split": _object(
                "Hexes by direction",
                {letter: _number(letter, 0, rating, "B3.25", "hexes a turn") for letter in DIRECTIONS},
            ),
        },
        required=["thrust", "cell"],
    )


def _launch(view: View, ship: Ship, title: str) -> dict[str, Any]:
    targets = {enemy.id: enemy.name for enemy in view.enemies}
    target = {"enum": list(targets), "title": "Target", "x-labels": targets, "x-rule": "C2.1"}
    mounts = [mount.name for mount in ship.sheet.mountings if mount.missile_damage or mount.launchers]
    friends = {other.id: other.name for other in view.own if other.is_active}
    lead = {"enum": list(friends), "title": "Linked with", "x-labels": friends, "x-rule": "C2.171"}
    tracks = [track for track in ship.sheet.size if ship.gone.get(track)]
    pods = ship.sheet.pods
    properties: dict[str, Any] = {
        "launches": {
            "type": "array",
            "title": "Salvoes",
            "maxItems": 64,
            "items": _object(
                "Salvo",
                {
                    "mount": {"enum": mounts, "title": "Mount", "x-rule": "C2.13"},
                    "target": target,
                    "stages": {"type": "array", "title": "Salvoes", "items": {"enum": list(STAGES)}, "minItems": 1,
                               "maxItems": 3, "x-rule": "C2.122"},
                    "warhead": {"enum": ["laser head", "contact nuke"], "title": "Warhead", "default": "laser head",
                                "x-rule": "C2.152"},
                    "lead": lead,
                    "held": _object(
                        "Tubes held back for canister",
                        {stage: _number(stage, 0, 200, "C4.151", "tubes") for stage in STAGES},
                    ),
                },
                required=["mount", "target", "stages"],
            ),
        },
        "pods": {
            "type": "array",
            "title": "Pods fired",
            "maxItems": 64,
            "items": _object(
                "Pods",
                {
                    "mount": {"enum": [mount.name for mount in ship.sheet.mountings], "title": "Guiding mount",
                              "x-rule": "C8.31"},
                    "target": target,
                    "stage": {"enum": list(STAGES), "title": "Salvo", "x-rule": "C8.112"},
                    "pods": _number("Pods", 1, max(ship.pods_towed, 1), "C8.31", "pods", 1),
                    "lead": lead,
                },
                required=["mount", "target", "stage", "pods"],
            ),
        },
        "decoy_worth": _number("Spend a decoy if it stops so many more (0: never)", 0, 1000, "C4.124", "missiles", 2),
        "beam_targets": {"type": "array", "title": "Beams prefer", "items": target, "x-rule": "C3.11"},
        "hold_beams": _flag("Hold the beams", "C3.11"),
        "lend": _flag("Lend active defences to friends", "C4.143", True),
        "repairs": {
            "type": "array",
            "title": "Repairs, first to last",
            "items": _object(
                "Repair",
                {"track": {"enum": tracks or list(ship.sheet.size), "title": "Track", "x-rule": "C6.12"},
                 "parties": _number("Parties to a box", 1, 2, "C6.122", "parties", 1)},
                required=["track"],
            ),
        },
        "deploy": _number("Pods deployed", 0, min(pods.per_turn, ship.pods_aboard), "C8.23", "pods"),
        "wedge": {"enum": ["up", "down"], "title": "Wedge", "x-rule": "B5.145"},
        "translate": _flag("Go into hyperspace", "B5.16"),
    }  # fmt: skip
    return _object(title, properties)
