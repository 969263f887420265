"""Vector movement shared by both Saganami levels (B3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.hexes import LETTERS, Hex, distance_in_plane
from campaign.engine.vectors import add, to_axial, total
from campaign.rulebooks.saganami.grades import GRADES, Grade
from campaign.rulebooks.saganami.movement import (
    apply_thrust,
    check_vectors,
    consolidate,
    displacement,
    end_of_turn,
    is_thrust_legal,
    is_within_speed_limit,
    legal_changes,
    midpoint,
    thrust_needed,
)

maps = st.dictionaries(st.sampled_from(LETTERS), st.integers(0, 60))
letters = st.lists(st.sampled_from(LETTERS), unique=True)


@pytest.mark.rule("B3.15", "B3.26")
def test_vectors_are_recorded_in_eight_directions_as_whole_numbers() -> None:
    """B3.15: anything else is a problem of that rule, at its place."""
    assert check_vectors({"A": 4, "+": 1, "B": 0}, "/vectors") == ({"A": 4, "+": 1}, ())
    problems = check_vectors({"H": 1, "A": 2.5}, "/vectors")[1]
    assert [(problem.place, problem.rule) for problem in problems] == [("/vectors/A", "B3.15"), ("/vectors/H", "B3.15")]
    assert check_vectors({"A": 121}, "/vectors", most=120)[1][0].code == "vector-too-large"


@pytest.mark.rule("B3.3", "B3.33", "B3.331", "B3.332")
def test_vectors_are_consolidated_by_opposites_and_then_by_wide_pairs() -> None:
    """B3.33: 7A 8D 4B is 4B 1D after the first step, and 3B 1C after the second."""
    assert consolidate({"A": 7, "D": 8}) == {"D": 1}
    assert consolidate({"B": 4, "D": 1}) == {"B": 3, "C": 1}
    assert consolidate({"A": 7, "D": 8, "B": 4}) == {"B": 3, "C": 1}
    assert consolidate({"A": 3, "C": 1, "D": 2, "E": 1, "+": 1, "-": 2}) == {"-": 1}
    assert consolidate({"A": 2, "C": 2, "E": 2}) == {}


@pytest.mark.rule("B3.31", "B3.32")
def test_thrust_is_added_before_anything_is_consolidated() -> None:
    """B3.32: three thrust in D on five make eight."""
    assert apply_thrust({"D": 5}, {"D": 3}) == {"D": 8}
    assert apply_thrust({"A": 5, "F": 4, "-": 2}, {"B": 3}, {"B": 3}, {"A": 2, "B": 1}) == {"A": 11, "B": 3, "-": 2}
    assert apply_thrust({"A": 1}, {"D": 3, "+": 1}) == {"D": 2, "+": 1}
    assert apply_thrust({"A": 3}) == {"A": 3}


@given(maps, st.lists(maps, max_size=4))
def test_the_order_of_thrusts_does_not_matter(vectors: dict[str, int], changes: list[dict[str, int]]) -> None:
    """B3.31: one after the other, backwards, or all at once."""
    stepwise = vectors
    for change in reversed(changes):
        stepwise = apply_thrust(stepwise, change)
    assert apply_thrust(vectors, *changes) == apply_thrust(stepwise)


@pytest.mark.rule("B3.11", "B3.12")
def test_a_vector_carries_on_turn_after_turn() -> None:
    """B3.11, B3.12: seven in A is seven hexes in A this turn and the next; displacement shifts the end of one."""
    first = end_of_turn(Hex(0, 0), {"A": 7})
    assert first == Hex(0, 7)
    assert end_of_turn(first, {"A": 7}) == Hex(0, 14)
    assert end_of_turn(first, {"B": 2, "-": 1}, {"A": 1, "+": 1}) == Hex(2, 8)


@pytest.mark.rule("B3.121")
def test_the_midpoint_is_half_of_each_direction_rounded_up() -> None:
    """B3.121: also downwards, by magnitude."""
    assert midpoint({"A": 7}) == {"A": 4}
    assert midpoint({"B": 4, "A": 3, "+": 1}) == {"A": 2, "B": 2, "+": 1}
    assert midpoint({"-": 3}) == {"-": 2}
    assert midpoint({}) == {}


@pytest.mark.rule("B3.24")
@pytest.mark.parametrize(
    ("change", "needs"),
    [
        ({}, 0),
        ({"B": 2, "+": 2}, 2),
        ({"A": 3, "+": 3}, 4),
        ({"A": 3, "-": 2}, 3),
        ({"A": 6, "+": 3}, 6),
        ({"A": 3, "F": 1}, 4),
        ({"A": 2, "C": 2}, 2),
        ({"A": 2, "D": 2}, 0),
        ({"-": 5}, 5),
        ({"A": 2, "B": 1, "+": 4}, 5),
    ],
)
def test_a_change_of_velocity_costs_what_the_plotting_grids_ask(change: dict[str, int], needs: int) -> None:
    """B3.24: hexes on the map; with a climb the root of both squares, fraction dropped."""
    assert thrust_needed(change) == needs
    assert is_thrust_legal(needs, change)
    assert not is_thrust_legal(needs - 1, change)


@pytest.mark.rule("B3.24")
@pytest.mark.parametrize("thrust", range(8))
def test_the_changes_open_to_a_thrust_are_all_that_it_pays_for(thrust: int) -> None:
    """B3.24: each once, the null change first."""
    reach = range(-thrust - 1, thrust + 2)
    expected = {
        Hex(q, r, z)
        for q in reach
        for r in reach
        for z in reach
        if distance_in_plane(q, r) ** 2 + z * z < (thrust + 1) ** 2
    }
    found = legal_changes(thrust)
    assert found[0] == Hex(0, 0, 0)
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.rule("B3.27", "B3.271", "B3.272")
@pytest.mark.parametrize(
    ("change", "engineer", "carry", "shift", "carried"),
    [
        ({"A": 3, "+": 3}, "average", (), {"A": 1, "+": 1}, ("A", "+")),
        ({"A": 4}, "average", (), {"A": 2}, ()),
        ({"A": 1}, "average", (), {}, ("A",)),
        ({"A": 1}, "average", ("A",), {"A": 1}, ()),
        ({"C": 3}, "average", ("C",), {"C": 2}, ()),
        ({"A": 2}, "average", ("A",), {"A": 1}, ("A",)),
        ({"B": 3}, "average", ("A",), {"B": 1}, ("B",)),
        ({}, "average", ("A", "+"), {}, ()),
        ({"A": 3, "B": 1}, "average", ("B", "-"), {"A": 1, "B": 1}, ("A",)),
        ({"C": 3}, "poor", (), {"C": 1}, ()),
        ({"C": 3}, "poor", ("C",), {"C": 1}, ()),
        ({"A": 1, "+": 3}, "veteran", (), {"A": 1, "+": 2}, ()),
        ({"A": 1}, "elite", (), {"A": 1}, ()),
        ({"A": 2}, "elite", (), {"A": 1}, ()),
        ({}, "elite", (), {}, ()),
    ],
)
def test_half_the_thrust_shifts_the_end_of_the_turn(
    change: dict[str, int], engineer: Grade, carry: tuple[str, ...], shift: dict[str, int], carried: tuple[str, ...]
) -> None:
    """B3.27 to B3.272: halves are lost, carried in their direction, or rounded up, by the engineer."""
    assert displacement(change, engineer, carry) == (shift, carried)


@pytest.mark.rule("B3.27")
@pytest.mark.parametrize("engineer", GRADES)
def test_no_thrust_shifts_the_end_of_a_turn_with_a_pivot(engineer: Grade) -> None:
    """B3.27: even a pivot of one window, whose midpoint is the old facing."""
    assert displacement({"A": 4}, engineer, is_pivoted=True) == ({}, ())


@pytest.mark.rule("B3.271")
def test_a_half_outlives_a_pivot_only_where_the_thrust_keeps_its_direction() -> None:
    """B3.271 ends a half for want of thrust or by thrust elsewhere; a pivot is neither."""
    assert displacement({"A": 4}, "average", ("A", "B"), is_pivoted=True) == ({}, ("A",))
    assert displacement({"A": 4}, "poor", ("A",), is_pivoted=True) == ({}, ())


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.sampled_from(LETTERS))
def test_halves_in_one_direction_add_up_over_the_turns(thrusts: list[int], letter: str) -> None:
    """B3.271: turn after turn, an average engineer shifts by half of the sum, and no hex is lost or won."""
    carry: tuple[str, ...] = ()
    shifted = 0
    for thrust in thrusts:
        shift, carry = displacement({letter: thrust}, "average", carry)
        shifted += shift.get(letter, 0)
    assert 2 * shifted + len(carry) == sum(thrusts)


@given(maps, letters)
def test_a_better_engineer_never_shifts_less(change: dict[str, int], carry: list[str]) -> None:
    """B3.272: poor at most average at most veteran, and never more than a hex a direction between them."""
    poor, average, veteran, elite = (displacement(change, grade, carry)[0] for grade in GRADES)
    assert veteran == elite
    for letter in LETTERS:
        assert poor.get(letter, 0) <= average.get(letter, 0) <= veteran.get(letter, 0) <= poor.get(letter, 0) + 1
    assert total(veteran) <= total(change)


@pytest.mark.rule("B5.123")
def test_nothing_is_faster_than_120_hexes_a_turn() -> None:
    """B5.123: the limit itself is allowed; a climb counts as a range does."""
    assert is_within_speed_limit({"A": 100, "B": 20})
    assert not is_within_speed_limit({"A": 100, "B": 21})
    assert is_within_speed_limit({"A": 120, "+": 15})
    assert not is_within_speed_limit({"A": 120, "+": 16})
    assert is_within_speed_limit({"A": 360}, 360)


@given(maps, maps)
def test_a_turn_with_thrust_ends_where_both_lead(vectors: dict[str, int], shift: dict[str, int]) -> None:
    """B3.12: the step of the vectors and of the displacement, whatever their form."""
    assert end_of_turn(Hex(1, 2, 3), vectors, shift) == Hex(1, 2, 3).moved(*to_axial(add(vectors, shift)))
