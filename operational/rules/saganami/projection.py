"""The rows of roster and map, and what changed of each ship between two states."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

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
            {"recon_drones": left, **ships.stores[ship]} if ship in ships.stores else {"recon_drones": left}
            for ship, left in zip(ships.id, ships.drones.tolist(), strict=True)
        ],
    }


def _ship_row(ships: Ships, row: int) -> dict[str, Any]:
    """Return what ``_ship_columns`` says of one ship, its id left out."""
    ship = ships.id[row]
    return {
        "side": ships.side[row],
        "name": ships.name[row],
        "ship_class": ships.ship_class[row],
        "force": ships.force[row],
        "status": ships.status[row],
        "cost": int(ships.cost[row]),
        "grades": grades_document(ships.grades[row]),
        "damage": dict(ships.damage.get(ship, {})),
        "stores": {"recon_drones": int(ships.drones[row]), **ships.stores.get(ship, {})},
    }


def roster_changes(before: State, after: State) -> list[dict[str, Any]]:
    """Return what changed of each ship: {"ship", "side", "name", "before", "after"}, only the fields that differ.

    A ship that is new has "before" null, one that the roster no longer holds "after" null. Ships come in
    the order of the roster after, those it no longer holds last.
    """
    old, new = before.ships, after.ships
    if old is new:
        return []
    changes: list[dict[str, Any]] = []
    for row in _rows_that_may_differ(old, new):
        ship = new.id[row]
        there = old.index.get(ship)
        now = _ship_row(new, row)
        if there is None:
            changes.append(_change(ship, now, None, now))
            continue
        was = _ship_row(old, there)
        differs = [name for name in now if now[name] != was[name]]
        if differs:
            kept = {name: was[name] for name in differs}
            changes.append(_change(ship, now, kept, {name: now[name] for name in differs}))
    for row, ship in enumerate(old.id):
        if ship not in new.index:
            was = _ship_row(old, row)
            changes.append(_change(ship, was, was, None))
    return changes


def _rows_that_may_differ(old: Ships, new: Ships) -> list[int]:
    """Return the rows of the later roster that may differ from the earlier one; columns that are one object do not."""
    if old.id != new.id:
        return list(range(len(new)))
    rows: set[int] = set()
    for name in ("side", "name", "ship_class", "force", "status", "grades"):
        one, other = getattr(old, name), getattr(new, name)
        if one is not other:
            rows.update(row for row, (was, now) in enumerate(zip(one, other, strict=True)) if was != now)
    for name in ("cost", "drones"):
        one, other = getattr(old, name), getattr(new, name)
        if one is not other:
            rows.update(np.flatnonzero(one != other).tolist())
    for name in ("damage", "stores"):
        one, other = getattr(old, name), getattr(new, name)
        if one is not other:
            rows.update(new.index[ship] for ship in one.keys() | other.keys() if one.get(ship) != other.get(ship))
    return sorted(rows)


def _change(
    ship: str, who: dict[str, Any], before: dict[str, Any] | None, after: dict[str, Any] | None
) -> dict[str, Any]:
    return {"ship": ship, "side": who["side"], "name": who["name"], "before": before, "after": after}
