"""The rows of roster and map, and what changed of each ship between two states."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from campaign.engine.vectors import format_vectors, from_axial
from operational.rules.saganami.state import GONE, IN_HYPERSPACE, ON_MAP, Grades, Ships, State

PLACES = {ON_MAP: "map", IN_HYPERSPACE: "hyperspace", GONE: "gone"}


@lru_cache(maxsize=65536)
def velocity_text(q: int, r: int, z: int) -> str:
    """Return a velocity as players write it: "3A 1-"."""
    return format_vectors(from_axial(q, r, z))


def projection(state: State) -> dict[str, Any]:
    """Return {"forces": columns, "ships": columns}; forces that are gone are left out."""
    forces = state.forces
    keys = [system.key for system in state.systems]
    here = [row for row, place in enumerate(forces.place.tolist()) if place != GONE]
    numbers = {name: getattr(forces, name)[here].tolist() for name in ("system", "place", "q", "r", "z", "dummy")}
    velocity = zip(forces.vq[here].tolist(), forces.vr[here].tolist(), forces.vz[here].tolist(), strict=True)
    return {
        "forces": {
            "id": [forces.id[row] for row in here],
            "side": [forces.side[row] for row in here],
            "name": [forces.name[row] for row in here],
            "system": [keys[index] for index in numbers["system"]],
            "place": [PLACES[place] for place in numbers["place"]],
            "q": numbers["q"],
            "r": numbers["r"],
            "z": numbers["z"],
            "velocity": [velocity_text(*each) for each in velocity],
            "dummy": numbers["dummy"],
            "engaged": [forces.engaged[row] for row in here],
        },
        "ships": _ship_columns(state.ships),
    }


@lru_cache(maxsize=4096)
def grades_document(grades: Grades) -> dict[str, str]:
    """Return a ship's grades by post; not to be written to."""
    return {
        "tactical": grades.tactical,
        "ewo": grades.ewo,
        "assistant": grades.assistant,
        "helm": grades.helm,
        "engineer": grades.engineer,
        "crew": grades.crew,
    }


def _ship_columns(ships: Ships) -> dict[str, Any]:
    drones = ships.drones.tolist()
    return {
        "id": list(ships.id),
        "side": list(ships.side),
        "name": list(ships.name),
        "ship_class": list(ships.ship_class),
        "force": list(ships.force),
        "status": list(ships.status),
        "cost": ships.cost.tolist(),
        "grades": list(map(grades_document, ships.grades)),
        "damage": [dict(ships.damage[ship]) if ship in ships.damage else {} for ship in ships.id],
        "stores": [
            {"recon_drones": left, **ships.stores.get(ship, {})} for ship, left in zip(ships.id, drones, strict=True)
        ],
    }


def roster_changes(before: State, after: State) -> list[dict[str, Any]]:
    """Return what changed of each ship: {"ship", "side", "name", "before", "after"}, only the fields that differ.

    A ship that is new has "before" null, one that the roster no longer holds "after" null.
    """
    if before.ships is after.ships:
        return []
    old, new = _ship_columns(before.ships), _ship_columns(after.ships)
    fields = [name for name in new if name != "id"]
    same = {name: old[name] == new[name] for name in new}
    if all(same.values()):
        return []
    rows_before = before.ships.index
    changes: list[dict[str, Any]] = []
    for row, ship in enumerate(new["id"]):
        there = rows_before.get(ship)
        now = {name: new[name][row] for name in fields}
        if there is None:
            changes.append(_change(ship, now, None, now))
            continue
        differs = [name for name in fields if not same[name] and old[name][there] != new[name][row]]
        if differs:
            was = {name: old[name][there] for name in differs}
            changes.append(_change(ship, now, was, {name: now[name] for name in differs}))
    for row, ship in enumerate(old["id"]):
        if ship not in after.ships.index:
            was = {name: old[name][row] for name in fields}
            changes.append(_change(ship, was, was, None))
    return changes


def _change(
    ship: str, who: dict[str, Any], before: dict[str, Any] | None, after: dict[str, Any] | None
) -> dict[str, Any]:
    return {"ship": ship, "side": who["side"], "name": who["name"], "before": before, "after": after}
