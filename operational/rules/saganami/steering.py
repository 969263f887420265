"""Steering: one turn's thrust toward a place, a standstill or a moving thing, by arithmetic alone.

The thrust of a turn counts from the next turn on, so all is reckoned from where the force will be at
the end of the turn that is ordered. Everything is whole numbers; nothing looks ahead further than a
braking distance, so a captain can steer thousands of forces.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from campaign.engine.hexes import ORIGIN, Hex, round_hex, true_range
from campaign.engine.vectors import from_axial
from campaign.rulebooks.saganami.movement import (
    OPERATIONAL_SPEED_LIMIT,
    is_thrust_legal,
    is_within_speed_limit,
)
from campaign.rulebooks.saganami.source import rule

NEAR_ENOUGH = 2  # hexes from a goal at which a force is taken to be there


def resized(step: Hex, length: int) -> Hex:
    """Return a step in the same direction, about ``length`` hexes long; no step stays none."""
    whole = true_range(*step)
    if whole == 0:
        return step if length else ORIGIN
    q, r = round_hex(Fraction(step.q * length, whole), Fraction(step.r * length, whole))
    return Hex(q, r, (2 * step.z * length + whole) // (2 * whole))


@rule("B3.24", "B5.123")
def change_toward(velocity: Hex, wanted: Hex, thrust: int) -> dict[str, int]:
    """Return the legal change of velocity that comes nearest to a wanted velocity, as vectors.

    No more than the thrust rating pays for and no faster than normal space allows; nothing if it must be.
    """
    gap = wanted.less(velocity)
    for length in range(min(true_range(*gap), thrust), 0, -1):
        change = gap if length == true_range(*gap) else resized(gap, length)
        vectors = from_axial(*change)
        if is_thrust_legal(thrust, vectors) and is_within_speed_limit(from_axial(*velocity.moved(*change))):
            return vectors
    return {}


def braking_speed(distance: int, thrust: int) -> int:
    """Return the speed from which a force with this thrust can stop within a distance (hexes, hexes a turn)."""
    return isqrt(2 * thrust * distance)


def velocity_to_stop_at(away: Hex, thrust: int) -> Hex:
    """Return the velocity to have at ``away`` from the goal, so as to come to rest there.

    Two hexes are near enough: displacement by half hexes would only swing a force to and fro about the goal.
    """
    distance = true_range(*away)
    if distance <= NEAR_ENOUGH:
        return ORIGIN
    return resized(away, min(distance, braking_speed(distance, thrust), OPERATIONAL_SPEED_LIMIT))


def velocity_to_pass(away: Hex, most: int) -> Hex:
    """Return the velocity to have at ``away`` from the goal, so as to pass it no faster than ``most``."""
    return resized(away, most)


def velocity_to_meet(away: Hex, target: Hex, thrust: int) -> Hex:
    """Return the velocity to have at ``away`` from something that moves at ``target``, so as to close with it.

    The closing speed is one that could still be braked, so that the sideways part can be made up for.
    """
    distance = true_range(*away)
    return target.moved(*resized(away, min(distance, braking_speed(distance, thrust) + thrust)))


def turns_to_cover(distance: int, speed: int, thrust: int, most: int) -> int:
    """Return the turns to cover a distance from a speed along it (negative: away), never faster than ``most``.

    With no thrust and no speed toward it that is never: a million turns.
    """
    turns = covered = 0
    while covered < distance:
        speed = min(speed + thrust, most) if speed < most else speed
        if speed <= 0 and thrust <= 0:
            return 1_000_000
        covered += speed
        turns += 1
    return turns


def speed_along(velocity: Hex, direction: Hex) -> int:
    """Return about how fast a velocity leads in a direction, in hexes a turn; negative if it leads away."""
    length = true_range(*direction)
    return 0 if length == 0 else _dot(velocity, direction) // length


def _dot(one: Hex, other: Hex) -> int:
    """Return the inner product of two steps, fraction dropped: at 60 degrees two single hexes give a half."""
    twice = 2 * one.q * other.q + 2 * one.r * other.r + one.q * other.r + one.r * other.q
    return twice // 2 + one.z * other.z


def is_leaving(away: Hex, velocity: Hex) -> bool:
    """Return whether a velocity leads away from a goal that lies at ``away``."""
    return _dot(velocity, away) < 0


def closest_in(away: Hex, drift: Hex, turns: int) -> int:
    """Return the least range at the ends of the coming turns (0 to ``turns``) of something at ``away``.

    ``drift`` is its velocity less our own.
    """
    return min(
        true_range(away.q + drift.q * turn, away.r + drift.r * turn, away.z + drift.z * turn)
        for turn in range(turns + 1)
    )
