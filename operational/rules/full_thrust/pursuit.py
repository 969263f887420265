"""Steering: the thrust that brings a task force to a place, or to another force, without flying past it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from campaign.engine.hexes import DIRECTIONS, ORIGIN, STEP, Hex, distance_in_plane, round_hex


class Course(NamedTuple):
    """Where something is before a turn's movement, and its vector in hexes a turn."""

    place: Hex
    velocity: Hex = ORIGIN


def pursue(own: Course, other: Course, rate: int, *, distance: int = 0, is_away: bool = False) -> dict[str, int]:
    """Return thrust, at most ``rate``, that brings ``own`` to within ``distance`` hexes of ``other``, or farther away.

    Toward it a force closes as fast as it can still brake from; away from it, it opens with all its thrust
    until the end points are ``distance`` apart.
    """
    end = own.place.moved(*own.velocity)
    if is_away:
        return _flee(end, other.place.moved(*other.velocity), rate, distance)
    gap = other.place.less(own.place)
    far = distance_in_plane(gap.q, gap.r)
    closing = closing_speed(max(0, far - distance), rate)
    share = Fraction(closing, far) if far else Fraction(0)
    wanted = Hex(*round_hex(share * gap.q, share * gap.r))
    aim = own.place.moved(other.velocity.q + wanted.q, other.velocity.r + wanted.r)
    return _toward(end, aim, rate)


def closing_speed(far: int, rate: int) -> int:
    """Return the most hexes a turn at which something can close over ``far`` hexes and still stop there.

    It flies its speed in the first turn and takes ``rate`` off in each turn after.
    """
    speed = 0
    while speed < far and _way(speed + 1, rate) <= far:
        speed += 1
    return speed


def _way(speed: int, rate: int) -> int:
    """Return the hexes that something flies until it has braked; without thrust it never has."""
    if rate <= 0:
        return speed
    turns = speed // rate
    return speed * (turns + 1) - rate * turns * (turns + 1) // 2


def _toward(end: Hex, aim: Hex, rate: int) -> dict[str, int]:
    """Return the thrust that moves an end point hex by hex toward ``aim``, straight on where there is a choice."""
    thrust: dict[str, int] = {}
    here = end
    for _ in range(rate):
        if here == aim:
            break
        best = min(DIRECTIONS, key=lambda letter: (_square(here.moved(*STEP[letter]), aim), letter))
        here = here.moved(*STEP[best])
        thrust[best] = thrust.get(best, 0) + 1
    return {letter: thrust[letter] for letter in DIRECTIONS if letter in thrust}


def _flee(end: Hex, other: Hex, rate: int, distance: int) -> dict[str, int]:
    """Return the thrust that moves an end point away from another until it is ``distance`` off."""
    thrust: dict[str, int] = {}
    here = end
    for _ in range(rate):
        away = here.less(other)
        if distance_in_plane(away.q, away.r) >= distance:
            break
        best = max(DIRECTIONS, key=lambda letter: (_square(here.moved(*STEP[letter]), other), letter))
        here = here.moved(*STEP[best])
        thrust[best] = thrust.get(best, 0) + 1
    return {letter: thrust[letter] for letter in DIRECTIONS if letter in thrust}


def _square(one: Hex, other: Hex) -> int:
    """Return the square of the straight distance, which tells hexes of one range apart."""
    q, r = one.q - other.q, one.r - other.r
    return q * q + q * r + r * r
