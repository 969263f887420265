"""Bids of thrust before a battle (B5.122, B5.123) and the frame of the map (B5.13)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.vectors import add, consolidate, from_axial
from campaign.rulebooks.saganami.grades import GRADES, Grade
from operational.rules.saganami.bidding import (
    Bidder,
    check_thrust,
    common_vector,
    frame_rounds,
    play,
    rounds_between,
    rounds_of,
    schedule,
)


@pytest.mark.rule("B5.122")
def test_a_crew_bids_as_many_rounds_as_its_target_number() -> None:
    assert [rounds_of(crew) for crew in GRADES] == [2, 5, 7, 9]


@pytest.mark.rule("B5.123")
@pytest.mark.parametrize(
    ("a", "b", "before", "together", "after", "more"),
    [
        ("elite", "poor", 3, 2, 4, "a"),
        ("poor", "elite", 3, 2, 4, "b"),
        ("average", "poor", 1, 2, 2, "a"),
        ("average", "veteran", 1, 5, 1, "b"),
        ("veteran", "veteran", 0, 7, 0, None),
    ],
)
def test_half_of_the_excess_is_bid_before_and_the_odd_round_after(
    a: Grade, b: Grade, before: int, together: int, after: int, more: str | None
) -> None:
    found = rounds_between(rounds_of(a), rounds_of(b))
    assert (found.solo_before, found.simultaneous, found.solo_after, found.more) == (before, together, after, more)


@pytest.mark.rule("B5.123")
@pytest.mark.parametrize("crews", list(product(GRADES, repeat=3)))
def test_between_any_two_of_several_bidders_the_rounds_lie_as_the_rule_has_it(crews: tuple[Grade, ...]) -> None:
    rounds = {str(number): rounds_of(crew) for number, crew in enumerate(crews)}
    plan = schedule(rounds)
    assert Counter(bidder for due in plan for bidder in due) == rounds
    for one, other in combinations(rounds, 2):
        seen = [due for due in plan if one in due or other in due]
        together = [number for number, due in enumerate(seen) if one in due and other in due]
        wanted = rounds_between(rounds[one], rounds[other])
        assert len(together) == wanted.simultaneous
        assert together[0] == wanted.solo_before
        assert len(seen) - 1 - together[-1] == wanted.solo_after


@pytest.mark.rule("B5.122")
@pytest.mark.parametrize(
    ("bid", "thrust", "allowed"),
    [
        ({"B": 3}, 3, True),
        ({"A": 2, "B": 1}, 3, True),
        ({"A": 2, "B": 2}, 3, False),
        ({"B": 3, "+": 2}, 3, True),  # the root of 13 is 3 and a bit
        ({"B": 3, "+": 3}, 3, False),
        ({"A": 3, "C": 3}, 3, True),  # together 3B
        ({}, 0, True),
        ({"+": 1}, 0, False),
    ],
)
def test_a_bid_costs_what_the_plotting_grids_ask(bid: dict[str, int], thrust: int, allowed: bool) -> None:
    assert [problem.code for problem in check_thrust(bid, thrust, "/b")] == ([] if allowed else ["bid-over-thrust"])


@pytest.mark.rule("B5.13")
def test_the_common_vector_is_what_all_have_in_each_direction() -> None:
    assert common_vector([{"A": 11, "B": 3, "-": 2}, {"A": 6, "B": 7, "-": 1}]) == {"A": 6, "B": 3, "-": 1}
    assert common_vector([{"A": 3}, {"D": 3}]) == {}
    assert common_vector([{"A": 4, "-": 1}, {"B": 2, "F": 2, "-": 3}]) == {"A": 2, "-": 1}
    assert common_vector([{"A": 4, "-": 1}, {"A": 4, "-": 3}], on_map=True) == {"A": 4}


BIDDERS = {"one": Bidder({"A": 6}, 3, 2), "two": Bidder({"A": 6}, 3, 2)}


@pytest.mark.rule("B5.122", "B5.123")
def test_a_bid_out_of_turn_over_the_thrust_or_beyond_the_limit_counts_as_none() -> None:
    bidders = {"quick": Bidder({"A": 359}, 3, 5), "slow": Bidder({"A": 6}, 3, 2)}
    course = play(
        bidders,
        [{"slow": {"A": 1}}, {"quick": {"A": 2}}, {"quick": {"A": 4}}, {"nobody": {"A": 1}}, {}, {"quick": {"D": 1}}],
    )
    assert [(problem.place, problem.code) for problem in course.problems] == [
        ("/0/slow", "not-your-round"),
        ("/1/quick", "too-fast"),
        ("/2/quick", "bid-over-thrust"),
        ("/3/nobody", "not-your-round"),
        ("/5", "no-such-round"),
    ]
    assert consolidate(add(course.velocities["quick"], course.frame)) == {"A": 359}


@pytest.mark.rule("B5.13", "B5.131")
def test_without_a_frame_the_velocities_stay_whole() -> None:
    course = play(BIDDERS, [{"one": {"B": 3}}], with_frame=False)
    assert course.frame == {}
    assert course.velocities == {"one": {"A": 6, "B": 3}, "two": {"A": 6}}


@pytest.mark.rule("B5.123", "B5.13")
def test_the_frame_is_set_before_the_bids_after_the_last_shared_round_and_at_the_end() -> None:
    assert frame_rounds({"a": 5, "b": 2}) == (0, 3, 5)
    assert frame_rounds({"a": 5, "b": 5}) == (0, 5)


VELOCITY = st.builds(from_axial, st.integers(-90, 90), st.integers(-90, 90), st.integers(-30, 30))


@pytest.mark.rule("B5.13")
@given(st.lists(VELOCITY, min_size=2, max_size=4))
def test_whatever_the_frame_takes_the_velocities_in_space_stay(velocities: list[dict[str, int]]) -> None:
    bidders = {str(number): Bidder(each, 3, 2) for number, each in enumerate(velocities)}
    course = play(bidders, [])
    for number, each in enumerate(velocities):
        assert consolidate(add(course.velocities[str(number)], course.frame)) == consolidate(each)
