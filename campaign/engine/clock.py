"""The calendar: when a turn is, which day an anniversary falls on, and years of a future era.

Instants are exact fractions of a minute; what is shown is floored to the minute. Dates are Gregorian
with a game's own year numbers (1 to 9999), and carry no time zone. Real time never comes in here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import MAXYEAR, MINYEAR, date, datetime, timedelta
from fractions import Fraction

from campaign.engine.errors import ProblemsError, refuse

MINUTES_A_DAY = 24 * 60

_EPOCH = datetime(1, 1, 1)  # noqa: DTZ001 - a game's date has no zone
_LAST_MINUTE = (date.max.toordinal() - 1) * MINUTES_A_DAY + MINUTES_A_DAY - 1
_INSTANT = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::00)?)?")


def turn_length(per_day: int | Fraction) -> Fraction:
    """Return the minutes of one turn, where ``per_day`` of them make 24 hours."""
    return Fraction(MINUTES_A_DAY, per_day)


def exact_minutes(start: datetime, turn: int, per_day: int | Fraction = 76) -> Fraction:
    """Return the exact instant at which ``turn`` turns have passed: minutes since 1 January of year 1.

    ``start`` is a naive instant of the campaign; ``turn`` may be negative.
    """
    return _minutes(start) + turn * turn_length(per_day)


def instant(start: datetime, turn: int, per_day: int | Fraction = 76, *, place: str = "") -> datetime:
    """Return the instant at which ``turn`` turns have passed, floored to the minute.

    Raises ``ProblemsError`` ("date-out-of-range" at ``place``) outside the years 1 to 9999.
    """
    return from_minutes(exact_minutes(start, turn, per_day), place=place)


def from_minutes(minutes: Fraction, *, place: str = "") -> datetime:
    """Return an exact instant (minutes since year 1) as it is shown, floored to the minute.

    Raises ``ProblemsError`` ("date-out-of-range" at ``place``) outside the years 1 to 9999.
    """
    shown = minutes.numerator // minutes.denominator
    if not 0 <= shown <= _LAST_MINUTE:
        raise _out_of_range(place)
    return _EPOCH + timedelta(minutes=shown)


def turns_between(start: datetime, end: datetime, per_day: int | Fraction = 76) -> int:
    """Return how many whole turns fit from ``start`` to ``end`` (negative if the end is earlier)."""
    turns = (_minutes(end) - _minutes(start)) / turn_length(per_day)
    return turns.numerator // turns.denominator


def turn_at(start: datetime, moment: datetime, per_day: int | Fraction = 76) -> int:
    """Return the first turn that ends at or after ``moment``."""
    turns = (_minutes(moment) - _minutes(start)) / turn_length(per_day)
    return -(-turns.numerator // turns.denominator)


def turns_by_ratio(turns: int, numerator: int, denominator: int) -> int:
    """Return the short turns that have passed through ``turns`` long ones, of which each is numerator/denominator."""
    return turns * numerator // denominator


def parse_instant(text: str, place: str = "", rule: str = "") -> datetime:
    """Return the instant written as "1906-03-01T00:00" (the time may be left out: midnight).

    Raises ``ProblemsError``: "not-a-date" for other forms and days that do not exist, such as a 30
    February; "date-out-of-range" for the year 0.
    """
    found = _INSTANT.fullmatch(text)
    if found is None:
        message = "Write a date as 1906-03-01T00:00, without seconds or a time zone; years have four digits."
        raise refuse("not-a-date", message, place=place, rule=rule)
    year, month, day, hour, minute = (int(part or 0) for part in found.groups())
    if not MINYEAR <= year <= MAXYEAR:
        raise _out_of_range(place, rule)
    try:
        return datetime(year, month, day, hour, minute)  # noqa: DTZ001 - a game's date has no zone
    except ValueError as error:
        raise refuse("not-a-date", f"{text} does not exist: {error}.", place=place, rule=rule) from error


def format_instant(moment: datetime) -> str:
    """Return an instant as "1906-03-01T00:00"."""
    return f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}T{moment.hour:02d}:{moment.minute:02d}"


def anniversary(day: date, year: int) -> date:
    """Return the day in ``year`` on which the anniversary of ``day`` falls.

    29 February falls on 28 February in common years: the anniversary stays in its month, so that
    every year has exactly one. Raises ``ProblemsError`` ("date-out-of-range") outside 1 to 9999.
    """
    if not MINYEAR <= year <= MAXYEAR:
        raise _out_of_range()
    if day.month == 2 and day.day == 29 and not _is_leap(year):
        return date(year, 2, 28)
    return date(year, day.month, day.day)


def anniversaries(day: date, after: date, through: date) -> tuple[date, ...]:
    """Return the anniversaries of ``day`` later than ``after`` and not later than ``through``, in order.

    The day itself is no anniversary, and none lies before it.
    """
    return tuple(_anniversaries(day, after, through))


def _anniversaries(day: date, after: date, through: date) -> Iterator[date]:
    for year in range(max(day.year + 1, after.year), through.year + 1):
        falls = anniversary(day, year)
        if after < falls <= through:
            yield falls


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _minutes(moment: datetime) -> Fraction:
    passed = moment - _EPOCH
    return passed.days * MINUTES_A_DAY + Fraction(passed.seconds, 60) + Fraction(passed.microseconds, 60_000_000)


def _out_of_range(place: str = "", rule: str = "") -> ProblemsError:
    return refuse("date-out-of-range", "Dates lie in the years 1 to 9999.", place=place, rule=rule)
