"""What a force can do by the ships it has: thrust by the slowest ship, and who leads it (B3.22, B5.122)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from campaign.rulebooks.saganami.grades import ENGINEER_THRUST, Grade
from campaign.rulebooks.saganami.ship_class import boxes_left, thrust_rating
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.state import State

NO_DAMAGE: Mapping[str, int] = {}


@rule("B3.22", "B3.221")
def ship_thrust(ship_class: ShipClass, damage: Mapping[str, int], engineer: Grade) -> int:
    """Return a ship's thrust rating: the first open box of its track, one more with an elite engineer.

    A ship without any drive left gains nothing by its engineer.
    """
    rating = thrust_rating(ship_class, damage)
    return rating + ENGINEER_THRUST[engineer] if rating else 0


def ship_thrusts(state: State) -> NDArray[np.int64]:
    """Return the thrust rating of every ship, row by row; not to be written to."""
    done: NDArray[np.int64] | None = state.worked_out.get("ship_thrusts")
    if done is not None:
        return done
    ships, classes = state.ships, state.classes
    known: dict[tuple[str, Grade], int] = {}
    damage = ships.damage
    found = []
    for ship, key, grades in zip(ships.id, ships.ship_class, ships.grades, strict=True):
        if ship in damage:
            found.append(ship_thrust(classes[key], ships.not_working(ship), grades.engineer))
            continue
        rating = known.get((key, grades.engineer))
        if rating is None:
            rating = known[key, grades.engineer] = ship_thrust(classes[key], NO_DAMAGE, grades.engineer)
        found.append(rating)
    done = state.worked_out["ship_thrusts"] = np.array(found, dtype=np.int64)
    return done


@rule("B5.122")
def force_thrusts(state: State) -> NDArray[np.int64]:
    """Return the thrust rating of every force, row by row: its slowest ship's; a dummy's is what it pretends.

    A force without active ships has 0. Not to be written to.
    """
    done: NDArray[np.int64] | None = state.worked_out.get("force_thrusts")
    if done is not None:
        return done
    forces, ships = state.forces, state.ships
    found = np.zeros(len(forces), dtype=np.int64)
    ratings = ship_thrusts(state).tolist()
    index = forces.index
    slowest: dict[str, int] = {}
    for force, rows in ships.of_force.items():
        slowest[force] = ratings[rows[0]] if len(rows) == 1 else min(ratings[row] for row in rows)
    rows_of = [index[force] for force in slowest if force in index]
    found[rows_of] = [rating for force, rating in slowest.items() if force in index]
    for force, rating in forces.pretends.items():
        found[index[force]] = rating
    state.worked_out["force_thrusts"] = found
    return found


@rule("C5.463")
def has_hyper_generator(ship_class: ShipClass, damage: Mapping[str, int]) -> bool:
    """Return whether a ship can cross between normal space and hyperspace: a box of its generator works."""
    return boxes_left(ship_class, "hyper_generator", damage) > 0


def leading_ship(state: State, force: str) -> int | None:
    """Return the row of a force's flagship: the one named, or its first active ship; None for a dummy."""
    rows = state.ships.of_force.get(force, ())
    if not rows:
        return None
    named = state.ships.index.get(state.forces.flagship[state.forces.index[force]])
    return named if named in rows else rows[0]
