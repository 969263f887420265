"""Vectors: reading, consolidating, adding, halving and writing them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from campaign.engine.hexes import DIRECTIONS, LETTERS, Hex, distance_in_plane
from campaign.engine.vectors import (
    add,
    consolidate,
    divide,
    format_vectors,
    from_axial,
    halves,
    halves_up,
    is_consolidated,
    is_faster_than,
    multiply,
    opposite,
    ordered,
    parse_text,
    parse_vectors,
    require_vectors,
    speed,
    speed_in_plane,
    subtract,
    sum_axial,
    to_axial,
    total,
)

maps = st.dictionaries(st.sampled_from(LETTERS), st.integers(0, 400))


@given(maps)
def test_the_players_two_steps_end_at_the_form_found_by_arithmetic(vectors: dict[str, int]) -> None:
    """Two ways to the consolidated form: the loop over both steps, and axial coordinates."""
    assert consolidate(vectors) == from_axial(*to_axial(vectors))


@given(maps)
def test_consolidating_changes_no_velocity(vectors: dict[str, int]) -> None:
    """The step stays the same, and doing it again changes nothing."""
    once = consolidate(vectors)
    assert to_axial(once) == to_axial(vectors)
    assert consolidate(once) == once
    assert is_consolidated(once)


@given(maps)
def test_consolidated_vectors_are_at_most_two_neighbours_and_one_vertical(vectors: dict[str, int]) -> None:
    """No two directions further apart than 60 degrees, letters in order, and no zero."""
    found = consolidate(vectors)
    plane = [DIRECTIONS.index(letter) for letter in found if letter in DIRECTIONS]
    assert len(plane) <= 2
    if len(plane) == 2:
        assert (plane[1] - plane[0]) % 6 in (1, 5)
    assert len([letter for letter in found if letter in "+-"]) <= 1
    assert all(number > 0 for number in found.values())
    assert list(found) == [letter for letter in LETTERS if letter in found]


@given(maps)
def test_consolidated_vectors_are_the_shortest(vectors: dict[str, int]) -> None:
    """Their sum is the number of hexes of the step and its levels."""
    q, r, z = to_axial(vectors)
    assert total(consolidate(vectors)) == distance_in_plane(q, r) + abs(z)
    assert total(consolidate(vectors)) <= total(vectors)


def test_one_pass_is_not_enough() -> None:
    """3A 1C 2D 1E 1+ 2-: the second step opens a new pair of opposites; all that is left is 1-."""
    assert consolidate({"A": 3, "C": 1, "D": 2, "E": 1, "+": 1, "-": 2}) == {"-": 1}
    assert not is_consolidated({"A": 3, "C": 1})


@given(maps, maps)
def test_subtracting_undoes_adding(one: dict[str, int], two: dict[str, int]) -> None:
    """As velocities, and with no negative number on the way."""
    difference = subtract(add(one, two), two)
    assert to_axial(difference) == to_axial(one)
    assert all(number > 0 for number in subtract(one, two).values())
    assert to_axial(subtract(one, two)) == sum_axial((one, opposite(two)))


def test_what_falls_below_nothing_points_the_other_way() -> None:
    """Five less seven is two the other way, on top of what is there."""
    assert subtract({"A": 5, "D": 3}, {"A": 7}) == {"D": 5}
    assert subtract({"+": 1}, {"+": 1}) == {}
    assert add({"A": 5}, {"A": 2, "-": 1}) == {"A": 7, "-": 1}


@given(maps, st.integers(1, 12))
def test_dividing_and_multiplying_back_loses_only_the_remainder(vectors: dict[str, int], divisor: int) -> None:
    """Each direction on its own."""
    quotients, remainders = divide(vectors, divisor)
    assert add(multiply(quotients, divisor), remainders) == ordered(vectors)
    assert all(number < divisor for number in remainders.values())


def test_halves_are_told_apart_from_whole_ones() -> None:
    """Three has one whole half and one left over; rounded up it is two."""
    assert halves({"A": 3, "B": 2, "+": 1}) == ({"A": 1, "B": 1}, ("A", "+"))
    assert halves_up({"A": 3, "B": 2, "+": 1}) == {"A": 2, "B": 1, "+": 1}


def test_speed_is_measured_like_a_range() -> None:
    """24A 20B is 44 hexes; a climb counts with the root of the squares; opposites count nothing."""
    assert speed({"A": 24, "B": 20}) == speed_in_plane({"A": 24, "B": 20}) == 44
    assert speed({"A": 3, "+": 4}) == 5
    assert speed_in_plane({"A": 3, "+": 4}) == 3
    assert speed({"A": 3, "-": 3}) == 4
    assert speed({"A": 9, "D": 9}) == 0
    assert is_faster_than({"A": 121}, 120)
    assert not is_faster_than({"A": 120, "+": 15}, 120)


@given(maps)
def test_a_map_that_is_right_is_read_as_it_is(vectors: dict[str, int]) -> None:
    """Zeros are left out and nothing is found wrong."""
    assert parse_vectors(vectors, "/vectors") == (ordered(vectors), ())


def test_every_fault_of_a_map_is_told_with_its_place() -> None:
    """Unknown directions, negative numbers, fractions, truths and texts, each at its own place; the rest is read."""
    found, problems = parse_vectors(
        {"A": 1, "B": -2, "C": 1.5, "D": True, "E": "3", "G": 1, "a": 1, "+": 0, "x/y": 2}, "/orders/0", "B3.15"
    )
    assert found == {"A": 1}
    assert [(problem.place, problem.code) for problem in problems] == [
        ("/orders/0/B", "negative-vector"),
        ("/orders/0/C", "not-whole-number"),
        ("/orders/0/D", "not-whole-number"),
        ("/orders/0/E", "not-whole-number"),
        ("/orders/0/G", "unknown-direction"),
        ("/orders/0/a", "unknown-direction"),
        ("/orders/0/x~1y", "unknown-direction"),
    ]
    assert {problem.rule for problem in problems} == {"B3.15"}


@pytest.mark.parametrize("value", [None, 3, "3A", [], True])
def test_what_is_no_object_is_no_vectors(value: object) -> None:
    """One problem, at the place itself."""
    assert [(problem.place, problem.code) for problem in parse_vectors(value, "/v")[1]] == [("/v", "not-vectors")]


def test_a_highest_number_can_be_set() -> None:
    """The limit itself is allowed."""
    assert parse_vectors({"A": 120}, "", most=120) == ({"A": 120}, ())
    assert [problem.code for problem in parse_vectors({"A": 121}, "", most=120)[1]] == ["vector-too-large"]


def test_required_vectors_come_back_or_raise_everything() -> None:
    """The raised error holds both problems."""
    assert require_vectors({"F": 2}, "") == {"F": 2}
    with pytest.raises(ProblemsError) as raised:
        require_vectors({"Q": 2, "A": -1}, "/v")
    assert [problem.code for problem in raised.value.problems] == ["negative-vector", "unknown-direction"]


@given(maps)
def test_vectors_written_as_text_are_read_back(vectors: dict[str, int]) -> None:
    """Whatever is written, none included."""
    assert parse_text(format_vectors(vectors)) == ordered(vectors)


def test_vectors_are_written_as_players_do() -> None:
    """Numbers before letters, in the order of the letters."""
    assert format_vectors({"-": 1, "A": 3}) == "3A 1-"
    assert format_vectors({"A": 0}) == "0"
    assert parse_text(" 3a, 1-  2A ") == {"A": 5, "-": 1}
    assert parse_text("3A1-") == {"A": 3, "-": 1}
    assert parse_text("") == {}


@pytest.mark.parametrize("text", ["A3", "3G", "-3A", "3", "3A x", "1.5A", "9999999999A"])
def test_text_that_cannot_be_read_is_refused(text: str) -> None:
    """With the code and the place."""
    with pytest.raises(ProblemsError) as raised:
        parse_text(text, "/change", "B3.15")
    assert [(problem.code, problem.place) for problem in raised.value.problems] == [("not-vectors", "/change")]


def test_steps_add_up() -> None:
    """Axial sums of several maps."""
    assert sum_axial(({"A": 3}, {"B": 2, "+": 1}, {})) == Hex(2, 3, 1)
    assert sum_axial(()) == Hex(0, 0, 0)
