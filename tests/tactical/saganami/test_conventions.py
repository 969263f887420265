"""Dice and columns of A1.2, and probable kills as text."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import TypedDice, d10_difference, d10_sum, shift_column, three_d10
from campaign.engine.errors import ProblemsError
from tactical.rules.saganami.conventions import format_kills, read_kills

faces = st.integers(1, 10)


@pytest.mark.rule("A1.21", "A1.212", "A1.213")
@given(faces, faces)
def test_two_dice_are_subtracted_or_added(one: int, other: int) -> None:
    """A1.212: the smaller from the larger, 0 to 9; A1.213: 2 to 20."""
    assert d10_difference(TypedDice([one, other])) == max(one, other) - min(one, other)
    assert d10_sum(TypedDice([one, other])) == one + other


def test_the_zero_of_a_die_is_a_ten() -> None:
    """A1.211: faces 0 and 1 differ by nine."""
    assert d10_difference(TypedDice([10, 1])) == 9


@pytest.mark.rule("A1.214", "A1.215", "A1.216")
@given(faces, faces, faces)
def test_of_three_dice_the_low_the_middle_or_the_high_one(one: int, two: int, three: int) -> None:
    """A1.214 to A1.216."""
    low, middle, high = sorted((one, two, three))
    found = [three_d10(TypedDice([one, two, three]), which) for which in ("low", "med", "hi")]
    assert found == [low, middle, high]


@pytest.mark.rule("A1.22", "A1.23")
def test_shifts_go_right_for_more_and_stop_at_the_ends() -> None:
    """A1.22: added after the roll; A1.23: 24 plus 4 is the 25th of 25 columns."""
    assert shift_column(24, 4, last=25) == 25
    assert shift_column(3, -5, last=19) == 1
    assert shift_column(8, 3, last=19) == 11


@given(st.integers(0, 300).map(lambda number: Fraction(number, 3)))
@pytest.mark.rule("A2.633", "C4.131")
def test_probable_kills_read_back_from_their_text(kills: Fraction) -> None:
    """A2.633: whole numbers and thirds, as the boxes print them."""
    assert read_kills(format_kills(kills), "/cm") == kills


@pytest.mark.parametrize("text", ["", "1/2", "3/3", "-1", "4 ", "a", "1 1", "0.5"])
def test_other_texts_are_no_probable_kills(text: str) -> None:
    """C4.131: refused with place and rule."""
    with pytest.raises(ProblemsError) as refused:
        read_kills(text, "/cm")
    assert (refused.value.problems[0].code, refused.value.problems[0].place) == ("not-thirds", "/cm")
