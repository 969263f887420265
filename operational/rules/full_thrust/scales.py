"""From the map to the table and back: lengths, times, velocities and the facing of each ship."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from campaign.engine.errors import refuse
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.tables import (
    HEX_MU,
    MU_KILOMETRES,
    OPERATIONAL_TURN_MINUTES,
    OPERATIONAL_TURN_TABLETOP_TURNS,
    SIDES_OF_A_HEX,
)


@rule("scales", "operational-sensor-table")
def mu_to_hexes(mu: int | Fraction) -> int:
    """Return the operational hexes of a length in MU: 55 MU each, fractions dropped, as the sensor ranges have it."""
    return floor(Fraction(mu) / HEX_MU)


@rule("scales")
def hexes_to_mu(hexes: int) -> int:
    """Return the length of operational hexes in MU."""
    return hexes * HEX_MU


@rule("scales")
def hexes_to_kilometres(hexes: int) -> int:
    """Return the length of operational hexes in kilometres."""
    return hexes_to_mu(hexes) * MU_KILOMETRES


@rule("scales")
def operational_turns_to_tabletop(turns: int) -> int:
    """Return the tabletop turns that pass in operational turns: ten each."""
    return turns * OPERATIONAL_TURN_TABLETOP_TURNS


@rule("scales")
def operational_turns_to_minutes(turns: int) -> int:
    """Return the minutes that pass in operational turns: 150 each."""
    return turns * OPERATIONAL_TURN_MINUTES


@rule("velocity-table")
def tabletop_velocity(operational: int) -> int:
    """Return the velocity on the table (MU a tabletop turn) of one on the map (hexes an operational turn, at least 0).

    Five and a half MU a hex, halves up: every printed row, and the rows beyond the printed twenty.
    """
    return (operational * HEX_MU + OPERATIONAL_TURN_TABLETOP_TURNS // 2) // OPERATIONAL_TURN_TABLETOP_TURNS


@rule("velocity-table")
def operational_velocity(tabletop: int) -> int:
    """Return the velocity on the map (hexes an operational turn) of one on the table (MU a tabletop turn, at least 0).

    The source gives no way back; this is the hexes whose 5.5 MU are nearest, so that a velocity
    carried to the table and back unchanged is the one it was.
    """
    doubled = 2 * tabletop * OPERATIONAL_TURN_TABLETOP_TURNS
    return (doubled + HEX_MU) // (2 * HEX_MU)


@rule("facing-deviation")
def facings(base: int | None, used: int, total: int) -> tuple[int, ...]:
    """Return the hex sides (0 to 5, clockwise from A) that a ship may face on the table, in order.

    ``base`` is the task force's base facing (None where it has none), ``used`` the thrust that its
    task force spent, ``total`` the ship's own thrust rating. All of its thrust leaves the base
    facing alone; half or more leaves one side either way; less leaves all but the thrust marker's
    side; none leaves all six. Raises ``ProblemsError`` where more was used than the ship has.
    """
    if used > total:
        message = f"The ship's thrust rating is {total}: it cannot have used {used}."
        raise refuse("thrust-beyond-rating", message, place="/used", rule="taskforces")
    if used == 0 or base is None:
        return tuple(range(SIDES_OF_A_HEX))
    if used == total:
        turns: tuple[int, ...] = (0,)
    elif 2 * used >= total:
        turns = (-1, 0, 1)
    else:
        turns = (-2, -1, 0, 1, 2)
    return tuple(sorted((base + turn) % SIDES_OF_A_HEX for turn in turns))
