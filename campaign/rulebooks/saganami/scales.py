"""The two scales (B5.1): turns, hexes and velocities between the operational and the tactical map, and hyperspace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from campaign.engine import clock
from campaign.engine import vectors as v
from campaign.engine.dice import Roller, d10_difference
from campaign.engine.errors import refuse
from campaign.engine.hexes import LETTERS, squared_range
from campaign.engine.vectors import Vectors
from campaign.rulebooks.saganami.source import rule

OPERATIONAL_TURNS_A_DAY = 76  # B5.11
OPERATIONAL_TURN_MINUTES = 19  # B5.11, as printed; the calendar uses the exact 76th of a day
TACTICAL_TURNS = (19, 6)  # B5.111: three and one sixth tactical turns to an operational one
TACTICAL_HEXES = 10  # B5.12: tactical hexes to an operational one
VELOCITY_FACTOR = 3  # B5.121
LIGHT_SECONDS_A_HEX = 8  # B5.11
HEXES_A_LIGHT_MINUTE = Fraction(15, 2)  # B5.11
HEXES_AN_ASTRONOMICAL_UNIT = 63  # B5.11: printed; 62.4 by the light minutes
TRANSLATE_SPEED_LIMIT = 45  # B5.161: 30 percent of c
TRANSLATE_DIVISOR = 12  # B5.161

# B5.16: light minutes from a star of each class. K6 is not printed; it follows the step of its neighbours.
_HYPER_LIMITS = """
O 49.60, B 33.42, A 28.75,
F0 26.42, F1 25.98, F2 25.54, F3 25.10, F4 24.66, F5 24.20, F6 23.76, F7 23.32, F8 22.88, F9 22.44,
G0 22.00, G1 21.56, G2 21.12, G3 20.68, G4 20.24, G5 19.80, G6 19.36, G7 18.92, G8 18.48, G9 18.04,
K0 17.60, K1 17.15, K2 16.72, K3 16.28, K4 15.84, K5 15.40, K6 14.96, K7 14.52, K8 14.04, K9 13.64,
M0 13.20, M1 12.76, M2 12.32, M3 11.88, M4 11.44, M5 11.00, M6 10.56, M7 10.12, M8 9.68, M9 9.24,
RedGiant 5.64
"""
HYPER_LIMIT_LIGHT_MINUTES: Mapping[str, Fraction] = {
    star: Fraction(minutes) for star, minutes in (entry.split() for entry in _HYPER_LIMITS.split(",") if entry.strip())
}
STARS = tuple(HYPER_LIMIT_LIGHT_MINUTES)
# What the printed table says where it breaks its own factor; kept to be shown, never used.
MISPRINTED_HYPER_LIMIT_HEXES: Mapping[str, int] = {"B": 315}


class ToOperational(NamedTuple):
    """A tactical velocity on the operational scale: what was gained and lost with the fractions."""

    vectors: dict[str, int]
    whole_points_assigned: int
    thirds_lost: int


@rule("B5.11")
def operational_instant(start: datetime, op_turns: int, place: str = "") -> datetime:
    """Return the date and time after a number of operational turns: 76 to the day, floored to the minute.

    Raises ``ProblemsError`` ("date-out-of-range") outside the years 1 to 9999.
    """
    return clock.instant(start, op_turns, OPERATIONAL_TURNS_A_DAY, place=place)


@rule("B5.111")
def tactical_turns(op_turns: int) -> int:
    """Return the tactical turns that have passed through that many operational turns: every sixth has four."""
    return clock.turns_by_ratio(op_turns, *TACTICAL_TURNS)


@rule("B5.111")
def tactical_turns_of(op_turn: int) -> int:
    """Return the tactical turns within one operational turn of a battle, the first being 1: three or four."""
    return tactical_turns(op_turn) - tactical_turns(op_turn - 1)


@rule("B5.11")
def light_minutes_to_hexes(light_minutes: Fraction | Decimal | int | float) -> int:
    """Return light minutes in operational hexes: 7.5 to each, to the nearest hex, halves up.

    A float counts as the decimal number it shows, so that 24.2 is no hair under 24.2.
    """
    exact = Fraction(repr(light_minutes)) if isinstance(light_minutes, float) else Fraction(light_minutes)
    hexes = exact * HEXES_A_LIGHT_MINUTE
    return (2 * hexes.numerator + hexes.denominator) // (2 * hexes.denominator)


@rule("B5.121")
def to_tactical(vectors: Vectors) -> dict[str, int]:
    """Return an operational velocity on the tactical scale: three times as many hexes per turn, consolidated."""
    return v.consolidate(v.multiply(vectors, VELOCITY_FACTOR))


@rule("B5.121")
def spare_points(vectors: Vectors) -> int:
    """Return how many whole points the left-over thirds of a tactical velocity make for the commander to place."""
    return v.total(v.divide(v.consolidate(vectors), VELOCITY_FACTOR)[1]) // VELOCITY_FACTOR


@rule("B5.121")
def to_operational(
    vectors: Vectors, spare_to: Sequence[str] = (), frame: Vectors | None = None, place: str = "/spare_to"
) -> ToOperational:
    """Return a tactical velocity on the operational scale.

    The map's ``frame`` is added first; then each direction is divided by three, and the thirds left
    over are summed: every whole point of them goes where the commander says, the rest is lost.
    ``spare_to`` names any of the eight directions, one for each point, or one for all.

    Raises ``ProblemsError`` at ``place`` where a point has no direction ("spare-direction-missing"),
    or there are more directions than points and than one ("spare-directions-too-many").
    """
    whole, left = v.divide(v.consolidate(v.add(vectors, frame or {})), VELOCITY_FACTOR)
    points, lost = divmod(v.total(left), VELOCITY_FACTOR)
    directions = tuple(spare_to) * points if len(spare_to) == 1 else tuple(spare_to)
    unknown = [letter for letter in directions if letter not in LETTERS]
    if unknown:
        raise refuse("unknown-direction", f"{unknown[0]!r} is no direction.", place=place, rule="B5.121")
    if len(directions) < points:
        message = f"The thirds left over make {points} points: say in which direction each goes."
        raise refuse("spare-direction-missing", message, place=place, rule="B5.121")
    if len(directions) > points and len(spare_to) > 1:
        message = f"The thirds left over make only {points} points, but {len(directions)} directions are given."
        raise refuse("spare-directions-too-many", message, place=place, rule="B5.121")
    placed = v.add(whole, *({letter: 1} for letter in directions))
    return ToOperational(v.consolidate(placed), points, lost)


@rule("B5.12", "B5.13")
def frame_shift(vectors: Vectors, frame: Vectors) -> dict[str, int]:
    """Return a velocity relative to a map that moves with ``frame``, consolidated."""
    return v.consolidate(v.subtract(vectors, frame))


@rule("B5.13")
def frame_undo(vectors: Vectors, frame: Vectors) -> dict[str, int]:
    """Return the velocity in space of what moves with ``vectors`` on a map that moves with ``frame``."""
    return v.consolidate(v.add(vectors, frame))


@rule("B5.16")
def star_class(text: str, place: str = "") -> str:
    """Return the row of the hyper limit table for a star, as "G2" or "RedGiant".

    Case, spaces and hyphens do not matter. O, B and A stars have one row each, so their digit falls
    away. Raises ``ProblemsError`` ("unknown-star").
    """
    plain = "".join(letter for letter in text.upper() if letter not in " -_")
    if len(plain) == 2 and plain[0] in "OBA" and plain[1] in "0123456789":
        plain = plain[0]
    for star in STARS:
        if star.upper() == plain:
            return star
    message = f"{text!r} has no hyper limit: the classes are O, B, A, F0 to F9, G0 to G9, K0 to K9, M0 to M9, RedGiant."
    raise refuse("unknown-star", message, place=place, rule="B5.16")


@rule("B5.16")
def hyper_limit(star: str, place: str = "") -> tuple[Fraction, int]:
    """Return a star's hyper limit in light minutes and in operational hexes."""
    minutes = HYPER_LIMIT_LIGHT_MINUTES[star_class(star, place)]
    return minutes, light_minutes_to_hexes(minutes)


@rule("B5.161")
def can_translate(speed: int) -> bool:
    """Return whether a speed, operational hexes per turn, is low enough to cross into hyperspace."""
    return speed <= TRANSLATE_SPEED_LIMIT


@rule("B5.161")
def translated_speed(speed: int) -> int | None:
    """Return the speed that is left after the crossing: a twelfth, fraction dropped; None where it is too fast."""
    return speed // TRANSLATE_DIVISOR if can_translate(speed) else None


@rule("B5.161")
def translated(vectors: Vectors) -> dict[str, int] | None:
    """Return the velocity that is left after the crossing, or None where it is too fast for one.

    Each recorded (consolidated) direction is divided on its own, fractions dropped; the speed that
    decides is the count of hexes, with any altitude as a range has it.
    """
    recorded = v.consolidate(vectors)
    if not can_translate(v.speed(recorded)):
        return None
    return v.divide(recorded, TRANSLATE_DIVISOR)[0]


@rule("B5.12", "B5.132")
def turns_to_cover(hexes: int, vectors: Vectors) -> int | None:
    """Return the operational turns until a velocity has covered a distance; None where it never will.

    The first turn at whose end the exact 3-D distance is at least ``hexes``.
    """
    if hexes <= 0:
        return 0
    squared = squared_range(*v.to_axial(vectors))
    if squared == 0:
        return None
    # The least n with n * n * squared >= hexes * hexes.
    ratio = -(-hexes * hexes // squared)
    return isqrt(ratio - 1) + 1


@rule("B5.162")
def emergence_distance(roller: Roller) -> int:
    """Roll how far from the chosen hex a command group leaves hyperspace: 2d10-, 0 to 9 operational hexes."""
    return d10_difference(roller)
