"""Ships in a report: grades, stores, and the tracks that lost boxes; whole sheets stand once for each class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from campaign.rulebooks.saganami.ship_class import damage_control_parties, thrust_needs_check
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from campaign.rulebooks.saganami.ship_class_tracks import Track
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.forces import NO_DAMAGE, has_hyper_generator, ship_thrusts
from operational.rules.saganami.projection import grades_document
from operational.rules.saganami.state import State

Document = dict[str, Any]


def ship_documents(state: State, rows: Iterable[int]) -> list[Document]:
    """Return the documents of ships by row. ``tracks`` lists those that lost boxes; the rest is as in ``classes``.

    Not to be written to.
    """
    known: list[Document] | None = state.worked_out.get("ship_documents")
    if known is None:
        known = state.worked_out["ship_documents"] = _all_ships(state)
    return [known[row] for row in rows]


def _all_ships(state: State) -> list[Document]:
    """Return the document of every ship, by row."""
    ships, classes = state.ships, state.classes
    whole = {key: _working(each, NO_DAMAGE) for key, each in classes.items()}
    marked = ships.damage.keys() | ships.rigs.keys() | ships.repairs.keys()
    stated = marked | ships.life_support.keys()
    found: list[Document] = []
    for ship, side, name, key, force, status, cost, drones, thrust, grades in zip(
        ships.id, ships.side, ships.name, ships.ship_class, ships.force, ships.status,
        ships.cost.tolist(), ships.drones.tolist(), ship_thrusts(state).tolist(), ships.grades, strict=True,
    ):  # fmt: skip
        is_marked = ship in marked
        checked, translating, parties = _working(classes[key], ships.not_working(ship)) if is_marked else whole[key]
        found.append(
            {
                "id": ship,
                "side": side,
                "name": name,
                "class": key,
                "class_name": classes[key].name,
                "force": force or None,
                "status": status,
                "cost": cost,
                "thrust": thrust,
                "thrust_check": checked,
                "can_translate": translating,
                "parties": parties,
                "grades": grades_document(grades),
                "stores": {"recon_drones": drones, **ships.stores.get(ship, {})},
                "tracks": _marked_tracks(state, ship, classes[key]) if is_marked else [],
                "facts": _ship_facts(state, ship, cost) if ship in stated else _cost_fact(cost),
            }
        )
    return found


def _working(ship_class: ShipClass, damage: Mapping[str, int]) -> tuple[bool, bool, int]:
    """Return whether thrust asks for a check, whether a ship can translate, and its damage control parties."""
    return (
        thrust_needs_check(ship_class, damage),
        has_hyper_generator(ship_class, damage),
        damage_control_parties(ship_class, damage),
    )


@lru_cache(maxsize=4096)
def _cost_fact(cost: int) -> list[Document]:
    """Return the one statement about a ship that has nothing else to state; shared, not to be written to."""
    return [{"label": "Adjusted cost", "value": f"{cost} points", "rule": "D1.112"}]


@rule("A2.67", "C6.13", "C6.16")
def _marked_tracks(state: State, ship: str, ship_class: ShipClass) -> list[Document]:
    """Return a ship's tracks that lost boxes, hold by a jury rig, or failed to be repaired."""
    damage = state.ships.damage.get(ship, {})
    rigs = state.ships.rigs.get(ship, ())
    tries = state.ships.repairs.get(ship, {})
    found = []
    for track in ship_class.tracks:
        lost = damage.get(track.name, 0)
        rigged = sum(rig.boxes for rig in rigs if rig.track == track.name)
        tried = tries.get(track.name)
        if lost or rigged or tried:
            found.append(
                {
                    **_track(track),
                    "lost": lost,
                    "rigged": rigged,
                    "failed_once": tried.once if tried else 0,
                    "shipyard": tried.shipyard if tried else 0,
                }
            )
    return found


def class_documents(state: State, keys: Iterable[str]) -> dict[str, Document]:
    """Return the sheets of classes by key, undamaged: name, type, tons, scale, boxes, every track."""
    return {key: _class_document(state.classes[key]) for key in sorted(keys)}


@lru_cache(maxsize=512)
def _class_document(ship_class: ShipClass) -> Document:
    return {
        "key": ship_class.key,
        "name": ship_class.name,
        "kind": ship_class.kind,
        "type": ship_class.type,
        "tons": ship_class.tons,
        "scale": ship_class.scale,
        "cost": ship_class.cost,
        "recon_drones": ship_class.recon_drones,
        "parties": damage_control_parties(ship_class, NO_DAMAGE),
        "tracks": [{**_track(track), "lost": 0, "rigged": 0} for track in ship_class.tracks],
    }


_LABELS = {
    "fcon": "Fire control",
    "mag": "Magazine",
    "M": "Missiles",
    "L": "Lasers",
    "G": "Grasers",
    "ET": "Energy torpedoes",
    "CM": "Countermissiles",
    "PD": "Point defence",
    "dcy": "Decoys",
    "sdwl": "Sidewall",
    "max_thrust": "Maximum thrust",
    "ecm": "ECM",
    "SI": "Structural integrity",
}


@lru_cache(maxsize=4096)
def track_label(name: str) -> str:
    """Return a track's name as a page shows it: "Port lasers", "Life support", "Craft A body"."""
    *places, what = name.split(".")
    label = _LABELS.get(what) or what.replace("_", " ").capitalize()
    if not places:
        return label
    where = " ".join(f"craft {place}" if len(place) == 1 else place for place in places)
    text = f"{where} {label if label.isupper() else label.lower()}"
    return text[0].upper() + text[1:]


def _track(track: Track) -> Document:
    return {
        "name": track.name,
        "label": track_label(track.name),
        "code": track.code,
        "boxes": len(track.boxes),
        "ammunition": not track.counts,
        "rule": "A2.67",
    }


def _ship_facts(state: State, ship: str, cost: int) -> list[Document]:
    """Return the statements about a ship that hang on a rule."""
    facts = [*_cost_fact(cost)]
    check = state.ships.life_support.get(ship)
    if check is not None:
        facts.append({"label": "Life support", "value": f"next crew check after turn {check}", "rule": "C5.423"})
    for rig in state.ships.rigs.get(ship, ()):
        boxes = "1 box" if rig.boxes == 1 else f"{rig.boxes} boxes"
        value = f"{track_label(rig.track)}, {boxes}, fails after turn {rig.due}"
        facts.append({"label": "Jury rig", "value": value, "rule": "C6.13"})
    return facts
