"""The calendar: instants of turns, dates of a future era, anniversaries."""

# ruff: noqa: DTZ001 - a game's dates have no zone
from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.clock import (
    anniversaries,
    anniversary,
    exact_minutes,
    format_instant,
    from_minutes,
    instant,
    parse_instant,
    turn_at,
    turn_length,
    turns_between,
    turns_by_ratio,
)
from campaign.engine.errors import ProblemsError

START = datetime(1906, 3, 1)

starts = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9000, 1, 1)).map(
    lambda moment: moment.replace(second=0, microsecond=0)
)
turns = st.integers(0, 100_000)


def code_of(raised: pytest.ExceptionInfo[ProblemsError]) -> list[tuple[str, str]]:
    """Return code and place of the problems raised."""
    return [(problem.code, problem.place) for problem in raised.value.problems]


@pytest.mark.parametrize(
    ("turn", "shown"),
    [
        (0, "1906-03-01T00:00"),
        (1, "1906-03-01T00:18"),
        (3, "1906-03-01T00:56"),
        (19, "1906-03-01T06:00"),
        (38, "1906-03-01T12:00"),
        (76, "1906-03-02T00:00"),
        (77, "1906-03-02T00:18"),
        (76 * 365, "1907-03-01T00:00"),
    ],
)
def test_seventy_six_turns_make_a_day_and_nineteen_six_hours(turn: int, shown: str) -> None:
    """Exact at both, floored to the minute in between."""
    assert format_instant(instant(START, turn)) == shown


@given(starts, turns, st.integers(1, 1000))
def test_a_turn_is_never_shown_later_than_it_is_nor_a_minute_early(start: datetime, turn: int, per_day: int) -> None:
    """The exact instant lies in the minute shown, and a day's turns are a day."""
    shown = instant(start, turn, per_day)
    assert 0 <= exact_minutes(start, turn, per_day) - exact_minutes(shown, 0) < 1
    assert exact_minutes(start, turn + per_day, per_day) - exact_minutes(start, turn, per_day) == 1440
    assert turn_length(per_day) * per_day == 1440


@given(starts, turns)
def test_the_turns_between_two_instants_are_those_that_fit(start: datetime, turn: int) -> None:
    """A shown instant is up to a minute early, so the turn fits at the next minute at the latest."""
    shown = instant(start, turn)
    assert turns_between(start, shown) in (turn, turn - 1)
    assert turns_between(start, from_minutes(exact_minutes(start, turn) + 1)) == turn
    assert exact_minutes(start, turn_at(start, shown)) >= exact_minutes(shown, 0)
    assert turn_at(start, shown) == turn or exact_minutes(start, turn - 1) >= exact_minutes(shown, 0)


def test_time_before_the_start_has_negative_turns() -> None:
    """A day back is 76 turns back."""
    assert turns_between(START, datetime(1906, 2, 28)) == -76
    assert format_instant(instant(START, -76)) == "1906-02-28T00:00"


def test_short_turns_pass_by_an_exact_ratio() -> None:
    """19 to 6: three each, and a fourth every sixth time."""
    assert [turns_by_ratio(n, 19, 6) for n in (0, 1, 4, 6, 12, 19)] == [0, 3, 12, 19, 38, 60]


def test_dates_are_read_as_they_are_written() -> None:
    """With or without the time, with years as small as 1 and as great as 9999."""
    assert parse_instant("1906-03-01T07:05") == datetime(1906, 3, 1, 7, 5)
    assert parse_instant("1906-03-01T07:05:00") == datetime(1906, 3, 1, 7, 5)
    assert parse_instant("1906-03-01") == START
    for text in ("0001-01-01T00:00", "9999-12-31T23:59", "1904-02-29T12:00"):
        assert format_instant(parse_instant(text)) == text


@given(starts)
def test_every_instant_comes_back_from_its_text(moment: datetime) -> None:
    """Writing and reading are each other's inverse."""
    assert parse_instant(format_instant(moment)) == moment


@pytest.mark.parametrize(
    "text",
    [
        "1906-02-30",
        "1905-02-29",
        "1906-13-01",
        "1906-03-01T24:00",
        "1906-03-01T00:00Z",
        "06-03-01",
        "1906-3-1",
        "today",
        "",
    ],
)
def test_other_forms_and_days_that_do_not_exist_are_refused(text: str) -> None:
    """Also the 29 February of a common year, and a time zone."""
    with pytest.raises(ProblemsError) as raised:
        parse_instant(text, "/start", "B5.11")
    assert code_of(raised) == [("not-a-date", "/start")]
    assert raised.value.problems[0].rule == "B5.11"


def test_the_years_end_at_9999_and_begin_at_1() -> None:
    """The last minute exists, the next does not; neither does a year 0."""
    last = datetime(9999, 12, 31, 23, 59)
    assert instant(last, 0) == last
    assert from_minutes(exact_minutes(last, 0) + Fraction(59, 60)) == last
    with pytest.raises(ProblemsError) as raised:
        instant(last, 1, place="/op_turns")
    assert code_of(raised) == [("date-out-of-range", "/op_turns")]
    with pytest.raises(ProblemsError) as raised:
        instant(datetime(1, 1, 1), -1)
    assert code_of(raised) == [("date-out-of-range", "")]
    with pytest.raises(ProblemsError) as raised:
        parse_instant("0000-01-01", "/start")
    assert code_of(raised) == [("date-out-of-range", "/start")]
    with pytest.raises(ProblemsError):
        anniversary(date(1906, 1, 1), 10_000)


def test_an_anniversary_on_29_february_falls_on_the_28th_in_common_years() -> None:
    """1904 and 1908 are leap years, 1900 and 2100 are not, 2000 is."""
    born = date(1904, 2, 29)
    assert [anniversary(born, year).day for year in (1905, 1908, 2000, 2100)] == [28, 29, 29, 28]
    assert anniversary(date(1904, 2, 28), 1908) == date(1908, 2, 28)
    assert anniversary(date(1904, 3, 1), 1905) == date(1905, 3, 1)


def test_anniversaries_in_a_span_leave_out_its_first_day_and_hold_its_last() -> None:
    """So that spans that follow each other hold every anniversary once; the day itself is none."""
    day = date(1906, 3, 1)
    assert anniversaries(day, date(1906, 1, 1), date(1908, 3, 1)) == (date(1907, 3, 1), date(1908, 3, 1))
    assert anniversaries(day, date(1907, 3, 1), date(1908, 2, 29)) == ()
    assert anniversaries(day, date(1900, 1, 1), date(1906, 12, 31)) == ()


@given(st.dates(date(1900, 1, 1), date(1910, 1, 1)), st.lists(st.integers(0, 900), min_size=1, max_size=8))
def test_spans_that_follow_each_other_hold_each_anniversary_once(day: date, lengths: list[int]) -> None:
    """However a stretch of time is cut into turns, the anniversaries are those of the whole."""
    ends = [day.toordinal()]
    for length in lengths:
        ends.append(ends[-1] + length)
    pieces = [
        falls
        for after, through in pairwise(ends)
        for falls in anniversaries(day, date.fromordinal(after), date.fromordinal(through))
    ]
    whole = anniversaries(day, day, date.fromordinal(ends[-1]))
    assert tuple(pieces) == whole
    assert [falls.year for falls in whole] == list(range(day.year + 1, day.year + 1 + len(whole)))
