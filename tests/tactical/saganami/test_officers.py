"""What officers and crews change in a battle."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import SeedDice, TypedDice
from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.grades import GRADES, Grade
from tactical.rules.saganami.officers import (
    Ratings,
    assistant_kills,
    bridge_target,
    helm_ratings,
    roll_crew_check,
    tactical_quality,
    warfare_ecm,
)


@pytest.mark.rule("B2.22", "B2.23", "B2.231", "B2.232", "B2.233", "D1.144", "C5.464")
@pytest.mark.parametrize(
    ("pivot", "roll", "grade", "boost", "ratings"),
    [
        (3, 4, "poor", "pivot", Ratings(2, 3)),
        (1, 1, "poor", "pivot", Ratings(1, 1)),
        (3, 4, "average", "roll", Ratings(3, 4)),
        (3, 4, "veteran", "pivot", Ratings(3, 5)),
        (3, 4, "elite", "pivot", Ratings(4, 4)),
        (3, 4, "elite", "roll", Ratings(3, 5)),
        (0, 2, "elite", "pivot", Ratings(0, 2)),
        (0, 0, "poor", "pivot", Ratings(0, 0)),
    ],
)
def test_the_helm(pivot: int, roll: int, grade: Grade, boost: str, ratings: Ratings) -> None:
    """D1.144: never below 1 while boxes are left; an elite officer boosts one of the two."""
    assert helm_ratings(pivot, roll, grade, boost) == ratings  # type: ignore[arg-type]


def test_a_negative_rating_is_refused() -> None:
    """B2.22."""
    with pytest.raises(ProblemsError) as refused:
        helm_ratings(2, -1, "average")
    assert refused.value.problems[0].place == "/roll"


@pytest.mark.rule("D1.141")
@pytest.mark.parametrize(("grade", "quality"), [("poor", 7), ("average", 6), ("veteran", 5), ("elite", 4)])
def test_the_tactical_officer(grade: Grade, quality: int) -> None:
    """D1.141: on every missile the ship launches."""
    assert tactical_quality(6, grade) == quality


@pytest.mark.rule("D1.142")
@pytest.mark.parametrize(("grade", "ecm"), [("poor", 2), ("average", 3), ("veteran", 4), ("elite", 5)])
def test_the_electronic_warfare_officer(grade: Grade, ecm: int) -> None:
    """D1.142: as long as the ECM track has anything."""
    assert warfare_ecm(3, grade, 2) == ecm
    assert warfare_ecm(0, grade, 0) == 0


@pytest.mark.rule("D1.143")
@pytest.mark.parametrize(
    ("cm", "pd", "grade", "expected"),
    [
        ("4", "4", "poor", ("3", "4")),
        ("1", "4", "poor", ("1", "4")),
        ("4/3", "4", "poor", ("1", "4")),
        ("2/3", "4", "poor", ("2/3", "4")),
        ("4", "4", "average", ("4", "4")),
        ("4", "4", "veteran", ("5", "4")),
        ("4", "4", "elite", ("5", "5")),
        ("0", "0", "elite", ("0", "0")),
    ],
)
def test_the_assistant_tactical_officer(cm: str, pd: str, grade: Grade, expected: tuple[str, str]) -> None:
    """D1.143: a poor one never brings countermissiles below 1; nobody helps what is gone."""
    assert assistant_kills(Fraction(cm), Fraction(pd), grade) == tuple(map(Fraction, expected))


@pytest.mark.rule("A1.211", "A1.21", "A2.674", "D1.111", "C6.121")
def test_a_check_is_one_d10_at_or_under_the_target() -> None:
    """A1.211: the 0 is a ten."""
    assert roll_crew_check(TypedDice([5]), 5).passed
    assert not roll_crew_check(TypedDice([6]), 5).passed
    assert not roll_crew_check(TypedDice([10]), 9).passed


@given(st.text(max_size=8), st.integers(-3, 12))
@pytest.mark.rule("A1.211")
def test_a_check_never_shows_a_zero(seed: str, target: int) -> None:
    """A1.211: 1 to 10."""
    check = roll_crew_check(SeedDice(seed), target)
    assert 1 <= check.die <= 10
    assert check.passed == (check.die <= target)


@pytest.mark.rule("C5.441", "C5.4411")
def test_a_ruined_bridge_asks_for_a_check_with_its_circle_s_penalty() -> None:
    """C5.4411: none while a square is left; then 0, -1 and -2 on the crew's number."""
    assert [bridge_target(grade, 1, 0) for grade in GRADES] == [None] * 4
    assert [bridge_target("average", 0, penalty) for penalty in (0, -1, -2)] == [5, 4, 3]
    assert bridge_target("poor", 0, -2) == 0
