"""Ships in a report: what each can do as it is damaged, its craft, and the tracks that lost boxes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from operational.rules.full_thrust.forces import ship_thrust
from operational.rules.full_thrust.operations_phase import room_for_craft
from operational.rules.full_thrust.sensors import size_class
from operational.rules.full_thrust.ship_class import (
    AREA_ECM,
    ECM,
    FIRE_CONTROL,
    SENSORS,
    TRACK_LABELS,
    ShipClass,
    area_ecm_grade,
    can_cloak,
    ecm_grade,
    fire_controls,
    sensor_grade,
)
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import Ship, State
from operational.rules.full_thrust.tables import SIZE_CLASS_NAMES

Document = dict[str, Any]
TRACK_RULES = {FIRE_CONTROL: "fire-control-limit", SENSORS: "sensors", ECM: "ecm-packages", AREA_ECM: "ecm-packages"}


@rule("sensors", "ecm-packages", "fire-control-limit")
def ship_document(state: State, ship: Ship) -> Document:
    """Return one ship, or craft, as its owner reads it. ``tracks`` lists those that lost boxes."""
    its_class, damage = state.class_of(ship), ship.damage
    aboard = state.aboard.get(ship.id, ())
    return {
        "id": ship.id,
        "side": ship.side,
        "name": ship.name,
        "class": ship.ship_class,
        "class_name": its_class.name,
        "kind": its_class.kind,
        "force": ship.force or None,
        "status": ship.status,
        "cost": ship.cost,
        "thrust": ship_thrust(state, ship),
        "fire_controls": fire_controls(its_class, damage),
        "sensors": sensor_grade(its_class, damage),
        "ecm": ecm_grade(its_class, damage),
        "area_ecm": area_ecm_grade(its_class, damage),
        "cloak": can_cloak(its_class, damage),
        "cloaked": ship.cloaked,
        "carrier": ship.carrier or None,
        "craft": [craft.id for craft in aboard],
        "room": room_for_craft(state, ship),
        "grades": {},
        "stores": craft_aboard(aboard, state),
        "tracks": [
            {"name": track, "label": TRACK_LABELS[track], "boxes": boxes, "lost": damage[track], "rigged": 0,
             "rule": TRACK_RULES.get(track, "")}
            for track, boxes in its_class.tracks.items()
            if damage.get(track)
        ],
        "facts": _facts(state, ship),
    }  # fmt: skip


def craft_aboard(aboard: Iterable[Ship], state: State) -> dict[str, int]:
    """Return how many craft of each class are aboard, by the craft's own key."""
    counts: dict[str, int] = {}
    for craft in aboard:
        counts[craft.ship_class] = counts.get(craft.ship_class, 0) + 1
    return counts


def _facts(state: State, ship: Ship) -> list[Document]:
    """Return the statements about a ship that hang on a rule."""
    its_class, damage = state.class_of(ship), ship.damage
    number = size_class(its_class.mass)
    facts = [_fact("Size class", f"{number}, {SIZE_CLASS_NAMES[number - 1]}", "size-class")]
    if its_class.kind == "ship":
        facts.append(_fact("Sensors", sensor_grade(its_class, damage), "sensors"))
        facts.append(_fact("Scans a turn", str(fire_controls(its_class, damage)), "fire-control-limit"))
        facts.append(_fact("ECM", ecm_grade(its_class, damage), "ecm-packages"))
        area = area_ecm_grade(its_class, damage)
        if area != "none":
            facts.append(_fact("Area ECM", area, "ecm-packages"))
    if ship.cloaked:
        facts.append(_fact("Cloak", "raised", "cloaking"))
    return facts


def _fact(label: str, value: str, rule_key: str) -> Document:
    return {"label": label, "value": value, "rule": rule_key}


def class_documents(state: State, keys: Iterable[str]) -> dict[str, Document]:
    """Return the sheets of classes by key, undamaged."""
    return {key: class_document(state.classes[key]) for key in sorted(keys)}


def class_document(its_class: ShipClass) -> Document:
    """Return a class's sheet as pages show it."""
    number = size_class(its_class.mass)
    return {
        "key": its_class.key,
        "name": its_class.name,
        "kind": its_class.kind,
        "type": its_class.type,
        "nation": its_class.nation,
        "mass": its_class.mass,
        "size_class": number,
        "cost": its_class.points,
        "thrust": its_class.thrust,
        "fire_controls": its_class.fire_controls,
        "screens": its_class.screens,
        "sensors": its_class.sensors,
        "ecm": its_class.ecm,
        "area_ecm": its_class.area_ecm,
        "ftl": its_class.ftl,
        "cloak": its_class.cloak,
        "craft": [{"class": each.ship_class, "count": each.count} for each in its_class.craft],
        "tracks": [
            {"name": track, "label": TRACK_LABELS[track], "boxes": boxes, "lost": 0, "rigged": 0,
             "rule": TRACK_RULES.get(track, "")}
            for track, boxes in its_class.tracks.items()
        ],
    }  # fmt: skip
