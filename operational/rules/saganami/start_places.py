"""Where forces begin on the tactical map: range 50, bearing kept, altitude difference times ten (B5.12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from campaign.engine.hexes import Hex, distance_in_plane, round_hex, squared_range, true_range
from campaign.rulebooks.saganami.source import rule

START_RANGE = 50  # B5.12, tactical hexes
TRUE_RANGE, MAP_RANGE = "true", "map"  # the choices of the switch RANGE_50
_ANYWHERE = Hex(0, 1)


@dataclass(frozen=True, slots=True)
class Unit:
    """A force to be placed: its side, where the map has it, to the tactical hex, and its velocity.

    For one that arrives later ``nearest`` is the unit from which ``step`` leads to it.
    """

    side: str
    place: Hex
    velocity: Hex
    nearest: str = ""
    step: Hex | None = None


@rule("B5.12")
def map_distance(altitude: int, ruling: str = TRUE_RANGE) -> int:
    """Return the hexes on the map that make the range 50 at a difference in altitude (at most 50)."""
    if ruling == MAP_RANGE:
        return START_RANGE
    distance = 0
    while not _is_far_enough(Hex(distance, 0, altitude), ruling):
        distance += 1
    return distance


@rule("B5.12")
def stand_off(step: Hex, way: Hex, hexes: int) -> Hex:
    """Return the step of a length on the map in the direction of ``step``; its altitude stays.

    Straight above one another there is no direction on the map: then ``way`` gives it.
    """
    q, r = (step.q, step.r) if (step.q, step.r) != (0, 0) else (way.q, way.r)
    length = distance_in_plane(q, r)
    return Hex(*round_hex(Fraction(q * hexes, length), Fraction(r * hexes, length)), step.z)


@rule("B5.12")
def start_places(
    units: Mapping[str, Unit], oppose: Callable[[str, str], bool], ruling: str = TRUE_RANGE
) -> dict[str, Hex]:
    """Return where each unit begins, in tactical hexes; the lowest begins at altitude 0.

    The first is put down; then, the nearest first, each goes on its bearing from its nearest opponent
    already down, at ten times the difference in altitude, as near as no opponent is nearer than 50: two
    forces begin exactly at range 50. With no opponent down a unit keeps its own distance from a friend.
    """
    order = list(units)
    placed: dict[str, Hex] = {order[0]: Hex(0, 0, 0)}
    while len(placed) < len(order):
        _, at, number = min(
            (_preference(units, oppose, base, unit), order.index(base), order.index(unit))
            for unit in order
            if unit not in placed
            for base in _bases(units, unit, placed)
        )
        base, unit = order[at], order[number]
        placed[unit] = _put(units, oppose, placed, base, unit, ruling)
    lowest = min(place.z for place in placed.values())
    return {unit: placed[unit].moved(0, 0, -lowest) for unit in order}


def _bases(units: Mapping[str, Unit], unit: str, placed: Mapping[str, Hex]) -> Sequence[str]:
    """Return from which units one may be placed: the one it met, or any."""
    nearest = units[unit].nearest
    return (nearest,) if nearest in placed else tuple(placed)


def _preference(
    units: Mapping[str, Unit], oppose: Callable[[str, str], bool], base: str, unit: str
) -> tuple[bool, bool, int]:
    """Return how late a unit is placed from a base: arrivals last, friends after opponents, then by distance."""
    step = _step(units, base, unit)
    return units[unit].step is not None, not oppose(units[base].side, units[unit].side), squared_range(*step)


def _step(units: Mapping[str, Unit], base: str, unit: str) -> Hex:
    step = units[unit].step
    if step is not None and units[unit].nearest == base:
        return step
    return units[unit].place.less(units[base].place)


def _put(
    units: Mapping[str, Unit],
    oppose: Callable[[str, str], bool],
    placed: Mapping[str, Hex],
    base: str,
    unit: str,
    ruling: str,
) -> Hex:
    step = _step(units, base, unit)
    if not oppose(units[base].side, units[unit].side):
        return placed[base].moved(*step)
    if ruling == TRUE_RANGE:
        # At range 5 or less the altitude never makes more than 50; rounding within a turn can.
        step = Hex(step.q, step.r, min(max(step.z, -START_RANGE), START_RANGE))
    # Of two in one hex, the newcomer stands on the side it came from.
    coming = units[base].velocity.less(units[unit].velocity)
    way = coming if (coming.q, coming.r) != (0, 0) else _ANYWHERE
    opponents = [placed[each] for each in placed if oppose(units[each].side, units[unit].side)]
    hexes = map_distance(step.z, ruling)
    while True:
        place = placed[base].moved(*stand_off(step, way, hexes))
        if all(_is_far_enough(place.less(each), ruling) for each in opponents):
            return place
        hexes += 1


def _is_far_enough(step: Hex, ruling: str) -> bool:
    if ruling == MAP_RANGE:
        return distance_in_plane(step.q, step.r) >= START_RANGE
    return true_range(*step) >= START_RANGE
