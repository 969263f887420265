"""Ships leave the roster's active ones, and forces without ships leave the map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from operational.rules.saganami.force_rows import with_values
from operational.rules.saganami.state import GONE, State

_OF_SHIPS = ("rigs", "life_support")
_OF_FORCES = ("carry", "course", "raised", "pretends", "guise")


def with_lost(state: State, lost: Mapping[str, str]) -> State:
    """Return the state with ships lost: ship id to its new status. Their damage stays on record.

    A force that loses its flagship is led by its first ship left; one without ships is gone.
    """
    if not lost:
        return state
    ships = state.ships
    kept: dict[str, Any] = {
        name: {ship: value for ship, value in getattr(ships, name).items() if ship not in lost} for name in _OF_SHIPS
    }
    hit = {ships.force[ships.index[ship]] for ship in lost}
    changed = replace(
        ships,
        status=tuple(lost.get(ship, status) for ship, status in zip(ships.id, ships.status, strict=True)),
        force=tuple("" if ship in lost else force for ship, force in zip(ships.id, ships.force, strict=True)),
        **kept,
    )
    return with_leaders(replace(state, ships=changed), hit)


def with_leaders(state: State, forces: Iterable[str]) -> State:
    """Return the state with a flagship for each of these forces, those without ships gone from the map."""
    rows = state.forces
    places: dict[int, int] = {}
    flagships: dict[int, str] = {}
    for force in forces:
        row = rows.index.get(force)
        if row is None or bool(rows.dummy[row]):
            continue
        members = [state.ships.id[each] for each in state.ships.of_force.get(force, ())]
        if not members:
            places[row], flagships[row] = GONE, ""
        elif rows.flagship[row] not in members:
            flagships[row] = members[0]
    gone = {rows.id[row] for row in places}
    changed = with_values(rows, {"place": places, "flagship": flagships})
    if gone:
        kept: dict[str, Any] = {
            name: {force: value for force, value in getattr(changed, name).items() if force not in gone}
            for name in _OF_FORCES
        }
        changed = replace(changed, **kept)
    return replace(state, forces=changed)
