"""Initiative, the order of play, and movement on the flat map."""

from collections import Counter
from math import atan2, degrees

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import SeedDice, TypedDice
from campaign.engine.errors import ProblemsError
from campaign.engine.hexes import DIRECTIONS, OPPOSITE, STEP, Hex, to_plane
from campaign.engine.vectors import consolidate, to_axial
from operational.rules.full_thrust import movement

FLAT = st.dictionaries(st.sampled_from(DIRECTIONS), st.integers(1, 9))


@pytest.mark.rule("initiative")
def test_the_higher_die_has_the_initiative_and_ties_roll_again() -> None:
    """Each side rolls a d6; equal faces are rolled again by both."""
    found = movement.roll_initiative({"red": TypedDice([4, 2, 6]), "blue": TypedDice([4, 2, 5])})
    assert (found.winner, found.loser) == ("red", "blue")
    assert found.rounds == ({"red": 4, "blue": 4}, {"red": 2, "blue": 2}, {"red": 6, "blue": 5})
    assert movement.roll_initiative({"red": TypedDice([1]), "blue": TypedDice([2])}).winner == "blue"


@pytest.mark.rule("initiative")
@given(st.text(max_size=9))
def test_one_roller_can_roll_for_both_sides(seed: str) -> None:
    """The last round decides, the rounds before it are ties."""
    roller = SeedDice(seed)
    found = movement.roll_initiative({"red": roller, "blue": roller})
    *ties, last = found.rounds
    assert all(one["red"] == one["blue"] for one in ties)
    assert last[found.winner] > last[found.loser]
    assert len(roller.faces) == 2 * len(found.rounds)
    assert all(1 <= face <= 6 for face in roller.faces)


@pytest.mark.rule("initiative")
@pytest.mark.parametrize("sides", [("red",), ("red", "blue", "green")])
def test_initiative_needs_two_sides(sides: tuple[str, ...]) -> None:
    """The rule knows both sides and no third."""
    with pytest.raises(ProblemsError) as caught:
        movement.roll_initiative({side: TypedDice([1]) for side in sides})
    assert caught.value.problems[0].code == "not-two-sides"


@pytest.mark.rule("initiative")
def test_the_loser_of_the_initiative_begins_on_the_map() -> None:
    """Task forces act by turns, and the side with more of them ends alone."""
    play = movement.Initiative("red", "blue", ())
    forces = {"red": ["r1", "r2", "r3"], "blue": ["b1"]}
    assert movement.operational_order(play, forces) == ("b1", "r1", "r2", "r3")
    assert movement.operational_order(movement.Initiative("blue", "red", ()), forces) == ("r1", "b1", "r2", "r3")


@pytest.mark.rule("tabletop-scans")
def test_the_winner_of_the_initiative_begins_to_scan_on_the_table() -> None:
    """Ships of both sides scan by turns."""
    play = movement.Initiative("red", "blue", ())
    assert movement.tabletop_scan_order(play, {"red": ["r1", "r2"], "blue": ["b1", "b2"]}) == ("r1", "b1", "r2", "b2")


def test_an_order_of_preference_names_each_force_once() -> None:
    """A force named twice, or one that does not take part, is refused at its place."""
    problems = movement.check_preference(["b", "a", "b", "x"], ["a", "b", "c"])
    assert [(one.place, one.code) for one in problems] == [
        ("/preference/2", "force-twice"),
        ("/preference/3", "unknown-force"),
    ]
    assert movement.check_preference(["c", "a"], ["a", "b", "c"]) == ()
    assert movement.in_order_of_preference(["c", "a"], ["a", "b", "c", "d"]) == ("c", "a", "b", "d")


@pytest.mark.rule("vectors")
@given(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), FLAT)
def test_the_vector_is_what_leads_to_the_projected_end_point(at: tuple[int, int], vector: dict[str, int]) -> None:
    """Course and velocity are read off the marker and its end point."""
    position = Hex(*at)
    end_point = movement.projected_end_point(position, vector)
    assert movement.vector_between(position, end_point) == consolidate(vector)


@pytest.mark.rule("end-point-movement")
def test_thrust_takes_effect_at_once_and_the_end_point_goes_on_as_far() -> None:
    """3A with 1B moves 3A 1B now, and again next turn."""
    made = movement.move({"A": 3}, {"B": 1}, Hex(2, 0))
    assert made.moved == made.next_vector == {"A": 3, "B": 1}
    assert made.position == Hex(3, 3)
    assert made.end_point == Hex(4, 6)
    assert movement.move({"A": 2}, {"D": 2}).moved == {}
    assert movement.move({"A": 3}, {"C": 1}).moved == {"A": 2, "B": 1}


@pytest.mark.rule("end-point-movement")
@given(FLAT, st.lists(st.sampled_from(DIRECTIONS), max_size=8), st.randoms())
def test_the_order_of_thrust_hex_by_hex_does_not_change_where_it_ends(vector, steps, mixed) -> None:
    """Each point of thrust moves the end point by one hex, from wherever it is."""
    start = movement.projected_end_point(Hex(0, 0), vector)
    path = movement.end_point_path(start, steps)
    assert len(path) == len(steps) + 1
    for before, after, step in zip(path, path[1:], steps, strict=False):
        assert after.less(before) == STEP[step]
    other = list(steps)
    mixed.shuffle(other)
    thrust = Counter(steps)
    made = movement.move(vector, thrust)
    assert movement.end_point_path(start, other)[-1] == path[-1] == made.position
    assert movement.thrust_used(thrust) == len(steps)
    assert made.end_point == Hex(2 * made.position.q, 2 * made.position.r)


@pytest.mark.rule("end-point-movement", "taskforces")
def test_thrust_beyond_the_slowest_ship_is_refused() -> None:
    """Hexes that cancel each other out are paid all the same."""
    assert movement.check_thrust({"A": 2}, 2) == ()
    problems = movement.check_thrust({"A": 2, "D": 1}, 2, place="/forces/0/thrust")
    assert [(one.place, one.code) for one in problems] == [("/forces/0/thrust", "thrust-beyond-rating")]


@pytest.mark.rule("thrust-marker")
@pytest.mark.parametrize(
    ("thrust", "sides"),
    [
        ({"A": 1}, ("D",)),
        ({"A": 1, "B": 1}, ("D", "E")),
        ({"A": 1, "F": 1}, ("C", "D")),
        ({"C": 2, "D": 2}, ("A", "F")),
        ({"A": 2, "B": 1}, ("D",)),
        ({"A": 1, "B": 2}, ("E",)),
        ({"A": 1, "C": 1}, ("E",)),
        ({"A": 3, "D": 1, "C": 2}, ("E",)),
        ({}, ()),
        ({"A": 2, "D": 2}, ()),
        ({"A": 1, "C": 1, "E": 1}, ()),
    ],
)
def test_the_thrust_marker_lies_opposite_the_way_the_end_point_went(thrust, sides) -> None:
    """The closest side of the six; two where they are equally close; none where the end point stayed."""
    assert movement.thrust_marker_sides(thrust) == sides


@pytest.mark.rule("thrust-marker")
@given(FLAT)
def test_no_hex_side_is_closer_to_the_opposite_of_the_thrust_than_the_markers(thrust: dict[str, int]) -> None:
    """Measured with angles on the plane, apart from the whole numbers that decide."""
    step = to_axial(thrust)
    x, y = to_plane(-step.q, -step.r)
    found = movement.thrust_marker_sides(thrust)
    if (step.q, step.r) == (0, 0):
        assert found == ()
        return
    off = {}
    for side in DIRECTIONS:
        side_x, side_y = to_plane(*STEP[side][:2])
        off[side] = abs(degrees(atan2(x * side_y - y * side_x, x * side_x + y * side_y)))
    least = min(off.values())
    assert found == tuple(side for side in DIRECTIONS if off[side] < least + 1e-6)


@pytest.mark.rule("opponent-tie")
def test_the_opponent_decides_between_two_equally_close_sides() -> None:
    """By a standing preference; sides that it leaves out come last, from A to F."""
    assert movement.opponent_marker(("D", "E"), ["A", "E", "D"]) == "E"
    assert movement.opponent_marker(("D", "E"), ["D"]) == "D"
    assert movement.opponent_marker(("D", "E"), ["E"]) == "E"
    assert movement.opponent_marker(("D", "E")) == "D"
    assert movement.opponent_marker(("C",), ["D"]) == "C"
    assert movement.opponent_marker(()) is None


@pytest.mark.rule("opponent-tie")
def test_a_preference_of_sides_names_hex_sides_once() -> None:
    """Up is no side of a flat hex."""
    with pytest.raises(ProblemsError) as caught:
        movement.opponent_marker(("D", "E"), ["E", "+", "E"])
    assert [(one.place, one.code) for one in caught.value.problems] == [
        ("/preference/1", "unknown-direction"),
        ("/preference/2", "side-twice"),
    ]


@pytest.mark.rule("base-facing")
def test_the_base_facing_is_opposite_the_thrust_marker() -> None:
    """Without a marker there is none."""
    assert [movement.base_facing(side) for side in DIRECTIONS] == [3, 4, 5, 0, 1, 2]
    assert movement.base_facing(None) is None


@pytest.mark.rule("die-modifiers")
def test_a_force_burns_away_from_whom_its_thrust_marker_points_to() -> None:
    """The drives point to the marker's side; the scanner must stand that way."""
    here = Hex(4, 4)
    for side in DIRECTIONS:
        scanner = here.moved(*(5 * step for step in STEP[side]))
        assert movement.is_burning_away(side, here, scanner)
        assert not movement.is_burning_away(OPPOSITE[side], here, scanner)
    assert movement.is_burning_away("D", here, here.moved(-1, -2))
    assert not movement.is_burning_away("E", here, here.moved(-1, -2))
    assert movement.is_burning_away("D", here, here.moved(-1, -1))
    assert movement.is_burning_away("E", here, here.moved(-1, -1))
    assert not movement.is_burning_away("D", here, here)
    assert not movement.is_burning_away(None, here, here.moved(0, -3))


@pytest.mark.rule("vectors")
def test_the_map_is_flat() -> None:
    """Up and down are refused, even as nothing, beside every other fault."""
    found, problems = movement.parse_flat_vector({"+": 0, "-": -1, "A": 2, "B": -1, "Q": 1}, "/thrust", "vectors")
    assert found == {"A": 2}
    assert [(one.place, one.code) for one in problems] == [
        ("/thrust/+", "flat-map"),
        ("/thrust/-", "flat-map"),
        ("/thrust/B", "negative-vector"),
        ("/thrust/Q", "unknown-direction"),
    ]
