"""Who may be found and by whom: the forces on the map as columns, for the detection phase.

A force is looked for in at most two parts, its ships and its LAC squadrons, because LACs are seen at a
quarter of the ranges (B5.144). A dummy is looked for as the ship classes it pretends to hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from campaign.engine.hexes import Integers
from campaign.rulebooks.saganami.ship_class import ecm_rating
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.state import ACTIVE, ON_MAP, WEDGE_UP, State

Booleans = NDArray[np.bool_]

NO_DAMAGE: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Targets:
    """Columns of the parts of forces: force row, side (index into ``sides``), place, kind of ``Target``, lowest ECM."""

    force: Integers
    side: Integers
    system: Integers
    q: Integers
    r: Integers
    z: Integers
    kind: Integers
    ecm: Integers

    def __len__(self) -> int:
        return len(self.force)

    @property
    def places(self) -> Integers:
        """Return the places as (n, 3): q, r, z."""
        return np.stack((self.q, self.r, self.z), axis=1)


def side_indexes(state: State) -> tuple[dict[str, int], Integers]:
    """Return the number of each side in the order of the books, and each force's side by it."""
    number = {side: index for index, side in enumerate(state.books)}
    return number, np.array([number[side] for side in state.forces.side], dtype=np.int64)


def hostile_sides(state: State) -> Booleans:
    """Return which side (row) may look for which (column): all but itself and the allies it or the other names."""
    sides = list(state.books)
    hostile = ~np.eye(len(sides), dtype=np.bool_)
    for row, side in enumerate(sides):
        for ally in state.books[side].allies:
            hostile[row, sides.index(ally)] = hostile[sides.index(ally), row] = False
    return hostile


def pretended_classes(state: State, row: int) -> tuple[str, ...]:
    """Return the classes whose wedges a dummy shows.

    Where none were stated, that is the class of its side's first ship on the roster: the roster only
    grows, so a dummy shows the same for as long as it lives.
    """
    keys: Sequence[str] = state.forces.guise.get(state.forces.id[row], ())
    if not keys:
        side = state.forces.side[row]
        keys = tuple(key for owner, key in zip(state.ships.side, state.ships.ship_class, strict=True) if owner == side)[
            :1
        ]
    return tuple(key for key in keys if key in state.classes)


def class_keys_of(state: State, row: int) -> tuple[str, ...]:
    """Return the class of each of a force's active ships, or those a dummy shows."""
    ships = state.ships
    members = ships.of_force.get(state.forces.id[row], ())
    if not members and bool(state.forces.dummy[row]):
        return pretended_classes(state, row)
    return tuple([ships.ship_class[ship] for ship in members])


@rule("B5.14")
def tons_of(state: State, row: int) -> int:
    """Return the tons of a force that make its hyper footprint: all its ships together."""
    return sum(state.classes[key].tons for key in class_keys_of(state, row))


def ship_columns(state: State) -> tuple[Integers, Booleans, Integers]:
    """Return each ship's force row (-1 for none that counts), whether it is LACs, and its ECM."""
    ships, forces = state.ships, state.forces
    number = {key: index for index, key in enumerate(state.classes)}
    of_class = np.array([number[key] for key in ships.ship_class], dtype=np.int64)
    lacs = np.array([each.lac is not None for each in state.classes.values()], dtype=np.bool_)
    ratings = np.array([ecm_rating(each, NO_DAMAGE) for each in state.classes.values()], dtype=np.int64)
    index = forces.index
    force = np.array(
        [
            index.get(name, -1) if status == ACTIVE else -1
            for name, status in zip(ships.force, ships.status, strict=True)
        ],
        dtype=np.int64,
    )
    ecm = ratings[of_class] if len(of_class) else np.zeros(0, dtype=np.int64)
    for ship in ships.damage:
        row = ships.index.get(ship)
        if row is not None:
            ecm[row] = ecm_rating(state.classes[ships.ship_class[row]], ships.not_working(ship))
    return force, lacs[of_class] if len(of_class) else np.zeros(0, dtype=np.bool_), ecm


@rule("B5.14", "B5.144", "B5.145")
def targets_of(state: State, columns: tuple[Integers, Booleans, Integers]) -> Targets:
    """Return everything on the maps that can be looked for, by force row, ships before LACs.

    ``columns`` are those of ``ship_columns``.
    """
    forces = state.forces
    force, is_lac, ecm = columns
    part, rating = force * 2 + is_lac, ecm
    extra: list[tuple[int, int]] = []
    for row in np.flatnonzero(forces.dummy).tolist():
        shown = [state.classes[key] for key in pretended_classes(state, row)]
        extra += [(row * 2 + (each.lac is not None), ecm_rating(each, NO_DAMAGE)) for each in shown] or [(row * 2, 0)]
    if extra:
        part = np.concatenate((part, np.array([each for each, _ in extra], dtype=np.int64)))
        rating = np.concatenate((rating, np.array([each for _, each in extra], dtype=np.int64)))
    on_map = forces.place == ON_MAP
    counted = part >= 0
    counted[counted] = on_map[part[counted] // 2]
    part, rating = part[counted], rating[counted]
    order = np.lexsort((rating, part))
    part, rating = part[order], rating[order]
    # sorted by part and then by ECM, the first of each part is the ship that is easiest to find
    first = np.flatnonzero(np.diff(part, prepend=-1))
    rows = part[first] // 2
    _, sides = side_indexes(state)
    return Targets(
        force=rows,
        side=sides[rows],
        system=forces.system[rows],
        q=forces.q[rows],
        r=forces.r[rows],
        z=forces.z[rows],
        kind=part[first] % 2 + 2 * (forces.wedge[rows] != WEDGE_UP),
        ecm=rating[first],
    )


def sensors_of(state: State) -> Booleans:
    """Return which forces have eyes: those on the map with a ship (a dummy sees nothing)."""
    held = np.array([name in state.ships.of_force for name in state.forces.id], dtype=np.bool_)
    found: Booleans = held & (state.forces.place == ON_MAP)
    return found
