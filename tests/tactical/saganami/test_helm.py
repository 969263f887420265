"""Pivots and rolls under the ratings, and where they stand at the midpoint."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical.rules.saganami.attitude import Attitude, read_attitude
from tactical.rules.saganami.avid import WINDOWS, Place, paths, read_window
from tactical.rules.saganami.helm import Maneuver, check_maneuver, finished_first, thrust_window, turning
from tactical.rules.saganami.officers import Ratings


def w(*names: str) -> tuple[Place, ...]:
    """Return windows by name."""
    return tuple(read_window(name) for name in names)


@pytest.mark.rule("B2.22", "B2.25", "A3.12", "A3.121")
@pytest.mark.parametrize(
    ("maneuver", "ratings", "codes"),
    [
        (Maneuver((), 3), Ratings(3, 3), []),
        (Maneuver((), -4), Ratings(3, 3), ["roll-over-rating"]),
        (Maneuver((), 7), Ratings(3, 8), ["roll-too-far"]),
        (Maneuver((), -6), Ratings(3, 8), []),
        (Maneuver(w("A/B yellow")), Ratings(0, 3), ["no-pivot-left"]),
        (Maneuver(w("B yellow"), 9), Ratings(3, 3), ["pivot-not-adjacent", "roll-over-rating"]),
        (Maneuver(w("A/B yellow", "B yellow", "B/C yellow", "C yellow")), Ratings(3, 3), []),
    ],
)
def test_a_plot_keeps_to_the_roll_rating_and_to_the_windows(
    maneuver: Maneuver, ratings: Ratings, codes: list[str]
) -> None:
    """B2.22 limits rolls; B2.24 lets an arrow be longer than the pivot rating."""
    assert [problem.code for problem in check_maneuver(read_attitude("A yellow", 0), maneuver, ratings)] == codes


@pytest.mark.rule("B2.24")
def test_an_arrow_beyond_the_rating_is_carried_out_up_to_it() -> None:
    """B2.24: the rest is left for later; the midpoint counts the windows of this turn."""
    arrow = w("A/B yellow", "B yellow", "B/C yellow", "C yellow", "C/D yellow")
    turn = turning(read_attitude("A yellow", 0), Maneuver(arrow), Ratings(3, 3))
    assert turn.end.forward == arrow[2]
    assert turn.midpoint.forward == arrow[0]
    assert (turn.pivot_windows, turn.left) == (3, arrow[3:])


@pytest.mark.rule("B2.222", "B2.241", "B3.21", "A3.122")
def test_a_pivot_of_one_window_thrusts_where_the_nose_was() -> None:
    """B2.241: its midpoint is the facing before."""
    turn = turning(read_attitude("A yellow", 0), Maneuver(w("A/B yellow")), Ratings(3, 3))
    assert str(thrust_window(turn)) == "A yellow"
    assert str(turn.end.forward) == "A/B yellow"


@given(st.sampled_from(WINDOWS), st.sampled_from(WINDOWS), st.integers(-6, 6), st.integers(0, 11))
@pytest.mark.rule("B2.21", "B2.26", "B3.13", "A3.22", "A3.24", "B2.261")
def test_pivot_and_roll_of_one_turn_do_not_cost_each_other(start: Place, end: Place, roll: int, before: int) -> None:
    """B2.26: each is done whole by the end, and half of each, rounded down, at the midpoint."""
    attitude = Attitude(start, before)
    for path in paths(start, end)[:2]:
        turn = turning(attitude, Maneuver(path, roll), Ratings(6, 6))
        alone = turning(attitude, Maneuver(path), Ratings(6, 6))
        assert (turn.end.forward, turn.midpoint.forward) == (end, alone.midpoint.forward)
        assert (turn.end.roll - alone.end.roll - roll) % 12 == 0
        half = abs(roll) // 2 * (1 if roll > 0 else -1)
        assert (turn.midpoint.roll - alone.midpoint.roll - half) % 12 == 0
        assert thrust_window(turn) == alone.midpoint.forward


@pytest.mark.rule("B2.26")
@pytest.mark.parametrize(
    ("pivot", "roll", "first"),
    [(3, 1, "roll"), (1, 3, "pivot"), (2, 2, "roll"), (0, 2, "roll"), (2, 0, "pivot"), (0, 0, None)],
)
def test_the_shorter_of_pivot_and_roll_is_over_first(pivot: int, roll: int, first: str | None) -> None:
    """B2.26: at the same length rolls go before pivots."""
    assert finished_first(pivot, roll) == first
