"""The rows of roster and map, and what changed of each ship between two states."""

from __future__ import annotations

from typing import Any

from campaign.engine.vectors import format_vectors, from_axial
from operational.rules.full_thrust.state import Ship, State
from operational.rules.full_thrust.view_ships import craft_aboard

Document = dict[str, Any]


def projection(state: State) -> Document:
    """Return {"forces": columns, "ships": columns} in one order each."""
    forces = list(state.forces.values())
    rows = [_ship_row(state, ship) for ship in state.ships.values()]
    return {
        "forces": {
            "id": [force.id for force in forces],
            "side": [force.side for force in forces],
            "name": [force.name for force in forces],
            "system": [force.system for force in forces],
            "place": ["map" for _ in forces],
            "q": [force.q for force in forces],
            "r": [force.r for force in forces],
            "z": [0 for _ in forces],
            "velocity": [format_vectors(from_axial(force.vq, force.vr)) for force in forces],
            "dummy": [force.dummy for force in forces],
            "engaged": [force.engaged for force in forces],
        },
        "ships": {name: [row[name] for row in rows] for name in SHIP_COLUMNS},
    }


SHIP_COLUMNS = ("id", "side", "name", "ship_class", "force", "status", "cost", "grades", "damage", "stores")


def _ship_row(state: State, ship: Ship) -> Document:
    return {
        "id": ship.id,
        "side": ship.side,
        "name": ship.name,
        "ship_class": ship.ship_class,
        "force": ship.force,
        "status": ship.status,
        "cost": ship.cost,
        "grades": {},
        "damage": dict(ship.damage),
        "stores": craft_aboard(state.aboard.get(ship.id, ()), state),
    }


def roster_changes(before: State, after: State) -> list[Document]:
    """Return what changed of each ship: {"ship", "side", "name", "before", "after"}, only the fields that differ.

    A ship that is new has "before" null, one that the roster no longer holds "after" null.
    """
    old = {ship.id: _ship_row(before, ship) for ship in before.ships.values()}
    new = {ship.id: _ship_row(after, ship) for ship in after.ships.values()}
    changes = []
    for ship, row in new.items():
        was = old.get(ship)
        if was is None:
            changes.append(_change(row, None, _fields(row)))
        elif was != row:
            differs = [name for name in row if row[name] != was[name]]
            before_it, after_it = {name: was[name] for name in differs}, {name: row[name] for name in differs}
            changes.append(_change(row, before_it, after_it))
    changes += [_change(row, _fields(row), None) for ship, row in old.items() if ship not in new]
    return changes


def _fields(row: Document) -> Document:
    return {name: value for name, value in row.items() if name != "id"}


def _change(who: Document, before: Document | None, after: Document | None) -> Document:
    return {"ship": who["id"], "side": who["side"], "name": who["name"], "before": before, "after": after}
