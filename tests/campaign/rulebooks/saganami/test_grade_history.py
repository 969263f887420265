"""A ship's grades over the years: D1.13."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.clock import turn_length
from campaign.engine.dice import Roller, TypedDice
from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.grade_history import (
    Cause,
    Command,
    advance_calendar,
    after_bridge_hit,
    amended,
    anniversaries_due,
    calendar_rolls,
    commission,
    commission_as,
    date_of,
    extended,
    grade_at,
    grades_at,
    instant_of,
    load_change,
    modifier_on,
    months_later,
    review_after_victory,
)
from campaign.rulebooks.saganami.grades import CATEGORIES, BridgeHit, Category, ShipGrades

TURN = turn_length(76)
SEED = "5a" * 32
BORN = date(1904, 2, 29)


def typed(**faces: list[int]) -> object:
    """Return an opener of rolls with typed faces by category; (5, 3), no change, where none are given."""

    def open_roll(ship: str, on: date, cause: Cause, category: Category) -> Roller:
        return TypedDice(list(faces.get(category, [5, 3])))

    return open_roll


@pytest.mark.rule("D1.13")
@pytest.mark.parametrize(
    ("day", "months", "later"),
    [
        (date(1904, 2, 29), 12, date(1905, 2, 28)),
        (date(1904, 2, 29), 48, date(1908, 2, 29)),
        (date(1905, 12, 31), 2, date(1906, 2, 28)),
        (date(1905, 12, 30), 1, date(1906, 1, 30)),
        (date(1905, 8, 31), 1, date(1905, 9, 30)),
    ],
)
def test_a_day_that_a_month_has_not_becomes_its_last(day: date, months: int, later: date) -> None:
    """Two months in command are over in the second month, whatever its length."""
    assert months_later(day, months) == later


@pytest.mark.rule("D1.13")
def test_the_calendar_has_an_end() -> None:
    """The years 1 to 9999, refused beyond."""
    for broken in (
        lambda: months_later(date(9999, 12, 1), 1),
        lambda: date_of(Fraction(-1)),
        lambda: date_of(instant_of(date.max) + 1440),
    ):
        with pytest.raises(ProblemsError) as refused:
            broken()
        assert refused.value.problems[0].code == "date-out-of-range"


@pytest.mark.rule("D1.13", "D1.131")
def test_a_ship_of_29_february_has_one_anniversary_each_year() -> None:
    """D1.131: 29 February in leap years, 28 February in the others."""
    due = anniversaries_due(BORN, instant_of(BORN), instant_of(date(1909, 1, 1)), "anniversary")
    first = instant_of(date(1905, 2, 28))
    assert anniversaries_due(BORN, first, first + 1, "anniversary") == ()
    assert anniversaries_due(BORN, first - 1, first, "anniversary") == (date(1905, 2, 28),)
    assert due == (date(1905, 2, 28), date(1906, 2, 28), date(1907, 2, 28), date(1908, 2, 29))


@pytest.mark.rule("D1.131")
def test_by_calendar_year_every_ship_rolls_on_1_january() -> None:
    """D1.131: the campaign's other choice; commissioning on that day is no anniversary."""
    until = instant_of(date(1907, 1, 1))
    assert anniversaries_due(BORN, instant_of(BORN), until, "calendar-year") == (
        date(1905, 1, 1),
        date(1906, 1, 1),
        date(1907, 1, 1),
    )
    assert anniversaries_due(date(1907, 1, 1), until - 1, until, "calendar-year") == ()


@pytest.mark.rule("D1.131")
@given(
    st.dates(date(1890, 1, 1), date(1910, 1, 1)),
    st.lists(st.integers(0, 76 * 2000), min_size=2, max_size=8),
    st.sampled_from(["anniversary", "calendar-year"]),
)
def test_advancing_in_steps_meets_each_anniversary_once(born: date, turns: list[int], custom: str) -> None:
    """The dates of a stretch are the dates of its parts, each once; a clock moved back finds none."""
    start = instant_of(date(1900, 1, 1))
    stops = sorted(start + turn * TURN for turn in turns)
    whole = anniversaries_due(born, stops[0], stops[-1], custom)  # type: ignore[arg-type]
    parts: list[date] = []
    for after, until in pairwise(stops):
        parts.extend(anniversaries_due(born, after, until, custom))  # type: ignore[arg-type]
    assert tuple(parts) == whole
    assert len({day.year for day in whole}) == len(whole)
    assert anniversaries_due(born, stops[-1], stops[0], custom) == ()  # type: ignore[arg-type]


@pytest.mark.rule("D1.12")
def test_a_ship_is_commissioned_with_six_rolls() -> None:
    """D1.12's example: 1, 8, 0 of even dice, 2, 7, 5."""
    open_roll = typed(tactical=[2, 1], ewo=[9, 1], assistant=[4, 4], helm=[4, 2], engineer=[8, 1], crew=[6, 1])
    history = commission("Heron", BORN, open_roll)  # type: ignore[arg-type]
    assert grades_at(history, instant_of(BORN)) == ShipGrades(ewo="veteran")
    assert [one.dice for one in history] == [(2, 1), (9, 1), (4, 4), (4, 2), (8, 1), (6, 1)]
    with pytest.raises(ProblemsError):
        grade_at(history, "helm", instant_of(BORN) - 1)


@pytest.mark.rule("D1.13", "D1.131", "D1.134")
def test_the_years_example_improves_the_engineer_and_old_events_keep_the_old_grade() -> None:
    """D1.13's example: 1, 3, 7, 7, 9 and a nothing of two fives."""
    born = date(1905, 6, 1)
    history = commission_as("Heron", born, ShipGrades(ewo="veteran"))
    open_roll = typed(tactical=[2, 1], ewo=[4, 1], assistant=[8, 1], helm=[9, 2], engineer=[10, 1], crew=[5, 5])
    later = advance_calendar(
        history,
        commissioned=born,
        after=instant_of(born),
        until=instant_of(date(1906, 7, 1)),
        custom="anniversary",
        open_roll=open_roll,  # type: ignore[arg-type]
    )
    birthday = instant_of(date(1906, 6, 1))
    assert grades_at(later, birthday) == ShipGrades(ewo="veteran", engineer="veteran")
    assert grade_at(later, "engineer", birthday - TURN) == "average"
    assert later[6 + 4].sentence() == "1906-06-01: Engineering officer from average to veteran (rolled 10, 1)"
    assert later[6].sentence() == "1906-06-01: Tactical officer remains average (rolled 2, 1)"
    assert later[0].sentence() == "1905-06-01: Tactical officer average"


@pytest.mark.rule("D1.13", "D1.131")
def test_three_years_roll_three_times_whatever_is_run_again_or_rolled_back() -> None:
    """The calendar's seed is addressed by ship, date, cause and category."""
    born, until = date(1904, 2, 29), instant_of(date(1907, 6, 1))
    open_roll = calendar_rolls(SEED)
    history = commission("Heron", born, open_roll)

    def advance(known: tuple, after: Fraction, to: Fraction) -> tuple:
        return advance_calendar(
            known, commissioned=born, after=after, until=to, custom="anniversary", open_roll=open_roll
        )

    at_once = advance(history, instant_of(born), until)
    assert len(at_once) == 6 + 3 * 6
    assert advance(at_once, instant_of(born), until) == at_once
    halfway = instant_of(date(1906, 3, 1))
    stepwise = advance(advance(history, instant_of(born), halfway), halfway, until)
    rolled_back = tuple(one for one in at_once if one.at <= halfway)
    assert stepwise == at_once
    assert advance(rolled_back, halfway, until) == at_once
    other = commission("Egret", born, open_roll)
    assert [one.dice for one in other] != [one.dice for one in history]


@pytest.mark.rule("D1.132", "D1.231")
def test_a_legendary_commander_has_the_rolls_made_after_two_months() -> None:
    """D1.132: only average or worse, each at plus three; a poor helm can only gain."""
    born = date(1905, 1, 10)
    history = commission_as("Heron", born, ShipGrades("elite", "veteran", "average", "poor", "average", "average"))
    command = Command("Vane", 3, date(1905, 3, 5))
    later = advance_calendar(
        history,
        commissioned=born,
        after=instant_of(born),
        until=instant_of(date(1905, 12, 1)),
        custom="anniversary",
        open_roll=typed(assistant=[7, 1], helm=[3, 3], engineer=[6, 1], crew=[5, 3]),  # type: ignore[arg-type]
        commands=[command],
    )
    added = later[6:]
    assert {one.on for one in added} == {date(1905, 5, 5)}
    assert [(one.category, one.after, one.modifier) for one in added] == [
        ("assistant", "elite", 3),
        ("helm", "average", 3),
        ("engineer", "veteran", 3),
        ("crew", "average", 3),
    ]


@pytest.mark.rule("D1.132", "D1.231")
def test_a_commander_who_left_too_early_changes_nothing() -> None:
    """D1.132: two months in command, and still in command."""
    early = Command("Vane", 2, date(1905, 3, 5), left=date(1905, 5, 5))
    settled = Command("Vane", 2, date(1905, 3, 5), left=date(1905, 5, 6))
    assert modifier_on([early], date(1905, 5, 5)) == 0
    assert modifier_on([settled], date(1905, 5, 4)) == 0
    assert modifier_on([settled, Command("Orr", 1, date(1904, 1, 1))], date(1905, 5, 5)) == 2
    born = date(1905, 1, 10)
    history = commission_as("Heron", born, ShipGrades())
    assert (
        advance_calendar(
            history,
            commissioned=born,
            after=instant_of(born),
            until=instant_of(date(1905, 12, 1)),
            custom="anniversary",
            open_roll=calendar_rolls(SEED),
            commands=[early],
        )
        == history
    )


@pytest.mark.rule("D1.231")
def test_a_settled_commander_helps_the_anniversary_too() -> None:
    """D1.231: the level is added to the ship's rolls for grades."""
    born = date(1905, 1, 10)
    history = commission_as("Heron", born, ShipGrades())
    later = advance_calendar(
        history,
        commissioned=born,
        after=instant_of(date(1905, 6, 1)),
        until=instant_of(date(1906, 2, 1)),
        custom="anniversary",
        open_roll=typed(helm=[9, 1]),  # type: ignore[arg-type]
        commands=[Command("Vane", 1, date(1905, 3, 5))],
    )
    assert grade_at(later, "helm", instant_of(date(1906, 1, 10))) == "veteran"


@pytest.mark.rule("D1.135")
def test_a_review_after_a_victory_rolls_only_what_was_accepted() -> None:
    """D1.135: never forced; the roll stands, better or worse."""
    at = instant_of(date(1906, 3, 1)) + 30 * TURN
    history = commission_as("Heron", BORN, ShipGrades(helm="elite"))
    open_roll = typed(crew=[8, 1], helm=[5, 5], ewo=[10, 1])
    later = review_after_victory(
        history,
        at=at,
        margin="overwhelming-victory",
        accepted=["helm", "crew"],
        open_roll=open_roll,  # type: ignore[arg-type]
    )
    assert grades_at(later, at) == ShipGrades(helm="average", crew="veteran")
    assert [one.modifier for one in later[6:]] == [1, 1]
    with pytest.raises(ProblemsError):
        review_after_victory(history, at=at, margin="victory", accepted=["helm"], open_roll=open_roll)  # type: ignore[arg-type]
    with pytest.raises(ProblemsError):
        review_after_victory(
            history,
            at=at,
            margin="legendary-victory",
            accepted=["cook"],  # type: ignore[list-item]
            open_roll=open_roll,  # type: ignore[arg-type]
        )


@pytest.mark.rule("C5.4412", "D1.134")
def test_a_bridge_hit_lowers_the_officer_from_that_instant_on() -> None:
    """C5.4412 in the ship's record."""
    at = instant_of(date(1906, 3, 1)) + TURN
    history = commission_as("Heron", BORN, ShipGrades(helm="elite"))
    later = after_bridge_hit(history, at=at, hit=BridgeHit((9, 2, 7), "helm", "elite", "veteran"))
    assert (grade_at(later, "helm", at), grade_at(later, "helm", at - 1)) == ("veteran", "elite")
    assert after_bridge_hit(history, at=at, hit=BridgeHit((5, 2), None)) == history


@pytest.mark.rule("D1.134")
def test_grades_stay_with_their_ship_and_the_past_is_not_rewritten() -> None:
    """D1.134: no officer moves between ships."""
    history = commission_as("Heron", BORN, ShipGrades(), note="as the scenario says")
    stranger = commission_as("Egret", BORN, ShipGrades())
    with pytest.raises(ProblemsError) as refused:
        extended(history, stranger)
    assert refused.value.problems[0].code == "another-ship"
    later = amended(history, at=instant_of(date(1906, 1, 1)), category="crew", grade="poor", note="mutiny")
    assert grade_at(later, "crew", instant_of(date(1906, 1, 1))) == "poor"
    with pytest.raises(ProblemsError) as refused:
        amended(later, at=instant_of(date(1905, 1, 1)), category="crew", grade="elite", note="no")
    assert refused.value.problems[0].code == "before-the-last"


@pytest.mark.rule("D1.134")
def test_a_record_comes_back_from_its_document() -> None:
    """Fractions of minutes and all."""
    history = commission("Heron", BORN, calendar_rolls(SEED))
    history = amended(history, at=instant_of(BORN) + 5 * TURN, category="crew", grade="poor", note="n")
    assert tuple(load_change(one.as_document()) for one in history) == history
    assert history[-1].as_document()["date"] == "1904-02-29"
    assert {one.category for one in history} == set(CATEGORIES)
