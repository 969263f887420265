"""The two scales and hyperspace (B5.1)."""

# ruff: noqa: DTZ001 - a game's dates have no zone
from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import SeedDice, TypedDice
from campaign.engine.errors import ProblemsError
from campaign.engine.hexes import LETTERS, true_range
from campaign.engine.vectors import consolidate, multiply, parse_text, speed, to_axial, total
from campaign.rulebooks.saganami.scales import (
    HEXES_A_LIGHT_MINUTE,
    HEXES_AN_ASTRONOMICAL_UNIT,
    HYPER_LIMIT_LIGHT_MINUTES,
    LIGHT_SECONDS_A_HEX,
    MISPRINTED_HYPER_LIMIT_HEXES,
    OPERATIONAL_TURN_MINUTES,
    STARS,
    TACTICAL_HEXES,
    can_translate,
    emergence_distance,
    frame_shift,
    frame_undo,
    hyper_limit,
    light_minutes_to_hexes,
    operational_instant,
    spare_points,
    star_class,
    tactical_turns,
    tactical_turns_of,
    to_operational,
    to_tactical,
    translated,
    translated_speed,
    turns_to_cover,
)

maps = st.dictionaries(st.sampled_from(LETTERS), st.integers(0, 90))

# Operational hexes of each row of B5.16, reckoned apart from the code.
LIMIT_HEXES = json.loads(
    """{"O": 372, "B": 251, "A": 216,
    "F0": 198, "F1": 195, "F2": 192, "F3": 188, "F4": 185, "F5": 182, "F6": 178, "F7": 175, "F8": 172, "F9": 168,
    "G0": 165, "G1": 162, "G2": 158, "G3": 155, "G4": 152, "G5": 149, "G6": 145, "G7": 142, "G8": 139, "G9": 135,
    "K0": 132, "K1": 129, "K2": 125, "K3": 122, "K4": 119, "K5": 116, "K6": 112, "K7": 109, "K8": 105, "K9": 102,
    "M0": 99, "M1": 96, "M2": 92, "M3": 89, "M4": 86, "M5": 83, "M6": 79, "M7": 76, "M8": 73, "M9": 69,
    "RedGiant": 42}"""
)


def code_of(raised: pytest.ExceptionInfo[ProblemsError]) -> list[tuple[str, str]]:
    """Return code and place of the problems raised."""
    return [(problem.code, problem.place) for problem in raised.value.problems]


@pytest.mark.rule("B5.11")
def test_the_campaigns_clock_has_76_turns_a_day() -> None:
    """B5.11: exact at six hours and at a day; in between floored to the minute."""
    start = datetime(1906, 3, 1)
    assert operational_instant(start, 76) == datetime(1906, 3, 2)
    assert operational_instant(start, 19) == datetime(1906, 3, 1, 6)
    assert operational_instant(start, 1) == datetime(1906, 3, 1, 0, 18)
    with pytest.raises(ProblemsError) as raised:
        operational_instant(datetime(9999, 12, 31), 76, "/op_turns")
    assert code_of(raised) == [("date-out-of-range", "/op_turns")]


@pytest.mark.rule("B5.111")
@pytest.mark.parametrize(("op_turns", "passed"), [(0, 0), (1, 3), (4, 12), (5, 15), (6, 19), (12, 38), (19, 60)])
def test_every_sixth_operational_turn_has_four_tactical_turns(op_turns: int, passed: int) -> None:
    """B5.111: 19 in six."""
    assert tactical_turns(op_turns) == passed
    assert [tactical_turns_of(turn) for turn in range(1, 13)] == [3, 3, 3, 3, 3, 4] * 2
    assert sum(tactical_turns_of(turn) for turn in range(1, op_turns + 1)) == passed


@pytest.mark.rule("B5.11")
@pytest.mark.parametrize(
    ("light_minutes", "hexes"),
    [(33.42, 251), (26.42, 198), (25.98, 195), (25.1, 188), (28.75, 216), (24.2, 182), (15.4, 116), (0, 0), (1, 8)],
)
def test_light_minutes_are_seven_and_a_half_hexes_each(light_minutes: float, hexes: int) -> None:
    """B5.11: to the nearest hex, exact halves (24.2, 15.4, 1) upwards."""
    assert light_minutes_to_hexes(light_minutes) == hexes
    assert light_minutes_to_hexes(Decimal(str(light_minutes))) == hexes
    assert light_minutes_to_hexes(Fraction(str(light_minutes))) == hexes


@given(st.decimals(0, 5000, places=2))
def test_light_minutes_round_to_the_nearest_hex_whatever_they_are(light_minutes: Decimal) -> None:
    """B5.11: never more than half a hex off, and a float of the same digits is the same."""
    hexes = light_minutes_to_hexes(light_minutes)
    assert -Fraction(1, 2) < hexes - Fraction(light_minutes) * HEXES_A_LIGHT_MINUTE <= Fraction(1, 2)
    assert light_minutes_to_hexes(float(light_minutes)) == hexes


@pytest.mark.rule("B5.11", "B5.12")
def test_the_printed_measures_are_kept() -> None:
    """B5.11, B5.12: 8 light seconds and 10 tactical hexes to a hex, 63 hexes to an astronomical unit, 19 minutes."""
    assert LIGHT_SECONDS_A_HEX * HEXES_A_LIGHT_MINUTE == 60
    assert (HEXES_AN_ASTRONOMICAL_UNIT, TACTICAL_HEXES, OPERATIONAL_TURN_MINUTES) == (63, 10, 19)


@pytest.mark.rule("B5.16")
@pytest.mark.parametrize("star", LIMIT_HEXES)
def test_every_class_of_star_has_its_hyper_limit(star: str) -> None:
    """B5.16: all rows, K6 filled in, none held at 195 hexes."""
    light_minutes, hexes = hyper_limit(star)
    assert hexes == LIMIT_HEXES[star]
    assert light_minutes == HYPER_LIMIT_LIGHT_MINUTES[star]


@pytest.mark.rule("B5.16")
def test_hotter_stars_have_wider_limits() -> None:
    """B5.16: the table falls from O to M9; the slip in its printed B row is kept beside it."""
    main = [HYPER_LIMIT_LIGHT_MINUTES[star] for star in STARS[:-1]]
    assert main == sorted(main, reverse=True)
    assert tuple(LIMIT_HEXES) == STARS
    assert hyper_limit("G2") == (Fraction(2112, 100), 158)
    assert MISPRINTED_HYPER_LIMIT_HEXES == {"B": 315}


@pytest.mark.rule("B5.16")
def test_a_star_is_found_however_it_is_written() -> None:
    """B5.16: case, spaces and hyphens aside; the digit of an O, B or A star falls away; others are refused."""
    assert [star_class(text) for text in ("g2", "Red Giant", "red-giant", "B5", "A0", "k6")] == [
        "G2",
        "RedGiant",
        "RedGiant",
        "B",
        "A",
        "K6",
    ]
    for text in ("", "G", "G10", "X1", "Z", "BB", "giant", "G2V"):
        with pytest.raises(ProblemsError) as raised:
            hyper_limit(text, "/star")
        assert code_of(raised) == [("unknown-star", "/star")]


@pytest.mark.rule("B5.121")
def test_velocities_are_tripled_for_the_tactical_map() -> None:
    """B5.121: each direction."""
    assert to_tactical({"A": 4, "B": 2, "-": 1}) == {"A": 12, "B": 6, "-": 3}
    assert to_tactical({"A": 4, "C": 4}) == {"B": 12}


@pytest.mark.rule("B5.121")
@pytest.mark.parametrize(
    ("tactical", "spare_to", "operational", "points", "lost"),
    [
        ("4A 8B 2+", "B", "1A 3B", 1, 2),
        ("13A 7B 1-", "-", "4A 2B 1-", 1, 0),
        ("5A 5B 5+", "A", "3A 1B 1+", 2, 0),
        ("5A 5B 5+", "+-", "1A 1B 1+", 2, 0),
        ("1A 1B 1+", "D", "1D", 1, 0),
        ("4A 1B 1+", "D", "0", 1, 0),
        ("9A 3-", "", "3A 1-", 0, 0),
        ("1A 1B", "A", "0", 0, 2),
        ("0", "", "0", 0, 0),
        ("2A 2B", "E", "1E", 1, 1),
    ],
)
def test_velocities_are_divided_by_three_and_the_thirds_are_summed(
    tactical: str, spare_to: str, operational: str, points: int, lost: int
) -> None:
    """B5.121: every whole point of the thirds goes where the commander says, even where there was no velocity."""
    found = to_operational(parse_text(tactical), spare_to)
    assert found == (parse_text(operational), points, lost)
    assert spare_points(parse_text(tactical)) == points


@pytest.mark.rule("B5.121", "B5.13")
def test_the_frame_is_added_before_the_division() -> None:
    """B5.121 with B5.13: 1A on a map that moves with 2A is one operational hex."""
    assert to_operational({"A": 1}, frame={"A": 2}) == ({"A": 1}, 0, 0)
    assert to_operational({"A": 7, "-": 1}, "-", {"A": 13, "B": 7, "-": 1}) == ({"A": 6, "B": 2, "-": 1}, 1, 2)


@pytest.mark.rule("B5.121")
@pytest.mark.parametrize(
    ("spare_to", "code"),
    [
        ((), "spare-direction-missing"),
        (("A", "B", "C"), "spare-directions-too-many"),
        (("A", "G"), "unknown-direction"),
    ],
)
def test_each_spare_point_needs_one_direction(spare_to: Sequence[str], code: str) -> None:
    """B5.121: 5A 5B 5+ has two of them."""
    with pytest.raises(ProblemsError) as raised:
        to_operational({"A": 5, "B": 5, "+": 5}, spare_to)
    assert code_of(raised) == [(code, "/spare_to")]


@given(maps)
def test_going_to_the_tactical_map_and_back_changes_nothing(vectors: dict[str, int]) -> None:
    """B5.121: three times a velocity leaves no thirds."""
    assert to_operational(to_tactical(vectors)) == (consolidate(vectors), 0, 0)


@given(maps, st.sampled_from(LETTERS))
def test_no_third_is_won_on_the_way_back(vectors: dict[str, int], letter: str) -> None:
    """B5.121: quotients, points and lost thirds add up to what there was, and fewer than a point is lost."""
    recorded = consolidate(vectors)
    found = to_operational(vectors, letter)
    assert 0 <= found.thirds_lost < 3
    whole = sum(number // 3 for number in recorded.values())
    assert 3 * (whole + found.whole_points_assigned) + found.thirds_lost == total(recorded)


@pytest.mark.rule("B5.12", "B5.13")
def test_the_printed_pursuit_is_reckoned_from_frame_to_frame() -> None:
    """B5.12: the example's frames of 7A, then 6A 3B 1-, then 4B, and the operational velocity of the map."""
    assert frame_shift(parse_text("12A 4F 2-"), parse_text("7A")) == parse_text("5A 4F 2-")
    assert frame_shift(parse_text("7A 7B 1-"), parse_text("7A")) == parse_text("7B 1-")
    assert frame_shift(parse_text("11A 3B 2-"), parse_text("6A 3B 1-")) == parse_text("5A 1-")
    assert frame_shift(parse_text("6A 7B 1-"), parse_text("6A 3B 1-")) == parse_text("4B")
    assert frame_shift(parse_text("7A 4B 1-"), parse_text("4B")) == parse_text("7A 1-")
    assert frame_shift({}, {"A": 2}) == {"D": 2}
    map_velocity = frame_undo(frame_undo(parse_text("7A"), parse_text("6A 3B 1-")), parse_text("4B"))
    assert map_velocity == parse_text("13A 7B 1-")
    operational = to_operational(map_velocity, "-").vectors
    assert operational == parse_text("4A 2B 1-")
    assert turns_to_cover(23, operational) == 4
    assert tactical_turns(4) == 12


@given(maps, maps)
def test_a_frame_can_be_taken_and_given_back(vectors: dict[str, int], frame: dict[str, int]) -> None:
    """B5.13: the velocity in space is unchanged."""
    assert frame_undo(frame_shift(vectors, frame), frame) == consolidate(vectors)


@pytest.mark.rule("B5.12", "B5.132")
@pytest.mark.parametrize(
    ("hexes", "velocity", "turns"),
    [
        (23, "4A 2B", 4),
        (24, "4A 2B", 4),
        (25, "4A 2B", 5),
        (0, "0", 0),
        (1, "0", None),
        (23, "3A 3D", None),
        (10, "3A 4+", 2),
    ],
)
def test_a_distance_takes_the_turns_that_cover_it(hexes: int, velocity: str, turns: int | None) -> None:
    """B5.12: a part of a turn counts as one; at rest it is never reached."""
    assert turns_to_cover(hexes, parse_text(velocity)) == turns


@given(st.integers(0, 500), maps)
def test_no_turn_earlier_covers_the_distance(hexes: int, velocity: dict[str, int]) -> None:
    """B5.132: the turn found reaches it, the one before does not."""
    turns = turns_to_cover(hexes, velocity)
    if turns is None:
        assert to_axial(velocity) == (0, 0, 0)
    else:
        assert true_range(*to_axial(multiply(velocity, turns))) >= hexes
        assert turns == 0 or true_range(*to_axial(multiply(velocity, turns - 1))) < hexes


@pytest.mark.rule("B5.161")
@pytest.mark.parametrize(
    ("before", "after"), [(45, 3), (44, 3), (36, 3), (35, 2), (12, 1), (11, 0), (0, 0), (46, None), (120, None)]
)
def test_a_translation_leaves_a_twelfth_of_a_speed_up_to_45(before: int, after: int | None) -> None:
    """B5.161: fractions dropped; at 46 there is none."""
    assert can_translate(before) == (after is not None)
    assert translated_speed(before) == after


@pytest.mark.rule("B5.161")
def test_a_translation_divides_each_recorded_vector() -> None:
    """B5.161: 24A 20B is 44 hexes, so it may cross; 2A 1B is left. 24A 22B is 46."""
    assert translated(parse_text("24A 20B")) == {"A": 2, "B": 1}
    assert translated(parse_text("24A 22B")) is None
    assert translated(parse_text("11A 11B 11+")) == {}
    assert translated(parse_text("60A 36D")) == {"A": 2}
    assert translated(parse_text("24A 24C")) == {"B": 2}
    assert translated(parse_text("44A 12-")) == {"A": 3, "-": 1}
    assert translated(parse_text("44A 13-")) == {"A": 3, "-": 1}
    assert translated(parse_text("44A 14-")) is None


@given(maps)
def test_after_a_translation_nothing_is_faster_than_a_twelfth(vectors: dict[str, int]) -> None:
    """B5.161: three hexes a turn at most."""
    after = translated(vectors)
    assert (after is None) == (speed(vectors) > 45)
    if after is not None:
        assert speed(after) * 12 <= speed(vectors) + 11
        assert speed(after) <= 3


@pytest.mark.rule("B5.162")
def test_a_group_emerges_up_to_nine_hexes_from_its_chosen_hex() -> None:
    """B5.162: the larger of two d10 less the smaller; 0 on the die is ten."""
    assert emergence_distance(TypedDice([7, 3])) == 4
    assert emergence_distance(TypedDice([1, 0])) == 9
    assert emergence_distance(TypedDice([5, 5])) == 0
    roller = SeedDice("emergence")
    assert {emergence_distance(roller) for _ in range(2000)} == set(range(10))
