"""Grades of officers and crew: D1.1, A2.65 and C5.4412."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import TypedDice
from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami import grades, ship_class
from campaign.rulebooks.saganami.grades import CATEGORIES, GRADES, ShipGrades

FIXTURES = Path(__file__).parents[4] / "fixtures" / "ship_classes" / "saganami"
SAMPLE_COSTS: dict[grades.Category, tuple[int, ...]] = {
    "tactical": (-122, 0, 122, 245),
    "ewo": (-45, 0, 45, 90),
    "assistant": (-24, 0, 32, 61),
    "helm": (-6, 0, 2, 8),
    "engineer": (-8, 0, 8, 23),
    "crew": (-88, 0, 66, 133),
}


def all_of(grade: grades.Grade) -> ShipGrades:
    """Return six times the same grade."""
    return ShipGrades(grade, grade, grade, grade, grade, grade)


@pytest.mark.rule("A2.65", "D1.11", "D1.112", "D1.125")
@pytest.mark.parametrize(("grade", "points"), [("elite", 4994), ("average", 4434), ("veteran", 4709), ("poor", 4141)])
def test_the_six_grades_change_the_cost_of_the_sample_ship(grade: grades.Grade, points: int) -> None:
    """A2.65: every poor cell is a saving, as D1.112 asks."""
    assert grades.cost_with_grades(4434, SAMPLE_COSTS, all_of(grade)) == points


@pytest.mark.rule("D1.125", "D1.12")
def test_a_rolled_veteran_is_paid_for() -> None:
    """D1.12's example: a cruiser of 124 with a veteran EWO for two points."""
    costs = {**SAMPLE_COSTS, "ewo": (-2, 0, 2, 4)}
    assert grades.cost_with_grades(124, costs, ShipGrades(ewo="veteran")) == 126


@pytest.mark.rule("D1.111", "D1.112")
def test_a_table_of_costs_with_a_lost_minus_sign_is_found() -> None:
    """D1.112: poor is never dearer; each row has four cells and each category a row."""
    assert grades.check_officer_costs(SAMPLE_COSTS) == ()
    bad = {**SAMPLE_COSTS, "helm": (6, 0, 2, 8), "crew": (-1, 0, 1), "cook": (0, 0, 0, 0)}
    del bad["tactical"]
    found = grades.check_officer_costs(bad, place="/costs")
    assert [(one.place, one.code) for one in found] == [
        ("/costs/tactical", "missing"),
        ("/costs/helm", "costs-out-of-order"),
        ("/costs/crew", "not-four"),
        ("/costs/cook", "unknown-category"),
    ]


def shares(modifier: int) -> dict[str, int]:
    """Return how many of the hundred rolls give each grade."""
    counts = dict.fromkeys(GRADES, 0)
    for faces in product(range(1, 11), repeat=2):
        counts[grades.roll_initial(TypedDice(list(faces)), modifier).grade] += 1
    return counts


@pytest.mark.rule("D1.12", "D1.121", "D1.122", "D1.123", "D1.124", "D1.135")
@pytest.mark.parametrize(
    ("modifier", "expected"),
    [
        (0, {"poor": 5, "average": 89, "veteran": 4, "elite": 2}),
        (1, {"poor": 0, "average": 88, "veteran": 6, "elite": 6}),
        (2, {"poor": 0, "average": 80, "veteran": 8, "elite": 12}),
    ],
)
def test_the_hundred_rolls_spread_as_the_rule_says(modifier: int, expected: dict[str, int]) -> None:
    """D1.12: only the five odd doubles are poor; a modifier comes after the difference."""
    assert shares(modifier) == expected


@pytest.mark.rule("D1.121")
@pytest.mark.parametrize(("face", "grade"), [(1, "poor"), (7, "poor"), (2, "average"), (10, "average")])
def test_a_double_is_poor_only_if_it_is_odd(face: int, grade: str) -> None:
    """D1.121: the printed 0 is a ten and even."""
    assert grades.roll_initial(TypedDice([face, face])).grade == grade


@pytest.mark.rule("D1.13", "D1.131")
@pytest.mark.parametrize(
    ("dice", "before", "after"),
    [
        ((1, 1), "average", "poor"),
        ((10, 10), "veteran", "average"),
        ((7, 7), "average", "average"),
        ((5, 5), "average", "average"),
        ((1, 10), "average", "veteran"),
        ((10, 1), "elite", "elite"),
        ((1, 1), "poor", "poor"),
        ((9, 2), "average", "average"),
        ((9, 1), "average", "average"),
    ],
)
def test_a_year_moves_a_grade_by_one_at_most(dice: tuple[int, int], before: grades.Grade, after: grades.Grade) -> None:
    """D1.131: up on nine, down on a double of ones or tens and no other."""
    assert grades.roll_anniversary(TypedDice(list(dice)), before).grade == after


@pytest.mark.rule("D1.131", "D1.132")
def test_a_modifier_on_the_years_roll_helps_and_keeps_a_double_from_hurting() -> None:
    """D1.132: the modifier is added after the difference."""
    assert grades.roll_anniversary(TypedDice([9, 1]), "average", 1).grade == "veteran"
    assert grades.roll_anniversary(TypedDice([1, 1]), "average", 1).grade == "average"
    with pytest.raises(ProblemsError):
        grades.roll_initial(TypedDice([1, 1]), -1)


@pytest.mark.rule("D1.135")
def test_only_the_two_great_victories_allow_a_review() -> None:
    """D1.135."""
    assert grades.victory_modifier("overwhelming-victory") == 1
    assert grades.victory_modifier("legendary-victory") == 2
    assert grades.victory_modifier("major-victory") is None


@pytest.mark.rule("D1.132")
def test_a_commander_rolls_afresh_what_is_average_or_worse() -> None:
    """D1.132: E V A P A A has four categories to roll."""
    ship = ShipGrades("elite", "veteran", "average", "poor", "average", "average")
    assert grades.categories_rolled_afresh(ship) == ("assistant", "helm", "engineer", "crew")


@pytest.mark.rule("D1.132", "D1.231")
def test_a_commanders_level_is_the_modifier() -> None:
    """D1.132 with D1.231."""
    assert [grades.commander_modifier(level) for level in (1, 2, 3)] == [1, 2, 3]
    with pytest.raises(ProblemsError):
        grades.commander_modifier(4)


@pytest.mark.rule("C5.4412")
def test_a_bridge_hit_costs_an_officer_a_grade_on_six_or_more() -> None:
    """C5.4412: two faces to each officer; the crew is never touched."""
    ship = all_of("veteran")
    assert grades.roll_bridge_hit(TypedDice([6, 1]), ship).officer is None
    hurt = [grades.roll_bridge_hit(TypedDice([7, 1, face]), ship) for face in range(1, 11)]
    assert [hit.officer for hit in hurt] == [officer for officer in grades.OFFICERS for _ in range(2)]
    assert {(hit.before, hit.after) for hit in hurt} == {("veteran", "average")}
    poor = grades.roll_bridge_hit(TypedDice([10, 1, 9]), all_of("poor"))
    assert (poor.officer, poor.after) == ("engineer", "poor")


@pytest.mark.rule("D1.111", "D1.142", "B5.141")
def test_the_crews_target_and_the_ewo_make_the_detection_target() -> None:
    """D1.111 prints 2, 5, 7 and 9; D1.142 adds the EWO's change of ECM."""
    assert [grades.crew_target(grade) for grade in GRADES] == [2, 5, 7, 9]
    assert [grades.detection_target("average", ewo) for ewo in GRADES] == [4, 5, 6, 7]


@pytest.mark.rule("D1.14", "D1.141", "D1.142", "D1.143", "D1.144", "D1.145", "D1.111")
def test_every_grade_says_what_it_does() -> None:
    """D1.14: as on the ship's sheet."""
    told = {category: [grades.effect_text(category, grade) for grade in GRADES] for category in CATEGORIES}
    assert told == {
        "tactical": ["+1 MQL", "no effect", "-1 MQL", "-2 MQL"],
        "ewo": ["-1 ECM", "no effect", "+1 ECM", "+2 ECM"],
        "assistant": ["-1 CM", "no effect", "+1 CM", "+1 CM, +1 PD"],
        "helm": ["-1 pivot, -1 roll", "no effect", "+1 roll", "+1 pivot or roll"],
        "engineer": [
            "half hexes lost",
            "no effect",
            "half hexes rounded up",
            "half hexes rounded up, +1 thrust",
        ],
        "crew": ["checks at 2 or less", "checks at 5 or less", "checks at 7 or less", "checks at 9 or less"],
    }


@pytest.mark.rule("D1.11")
def test_a_document_of_grades_is_read_or_refused() -> None:
    """D1.11: six categories, four grades; what is left out is average."""
    assert grades.load_grades({"helm": "elite"}) == ShipGrades(helm="elite")
    assert grades.load_grades(all_of("poor").as_document()) == all_of("poor")
    with pytest.raises(ProblemsError) as refused:
        grades.load_grades({"helm": "superb", "cook": "poor"}, place="/grades")
    assert [(one.place, one.code) for one in refused.value.problems] == [
        ("/grades/cook", "unknown-category"),
        ("/grades/helm", "unknown-grade"),
    ]


@pytest.mark.rule("D1.131")
@given(st.sampled_from(GRADES), st.integers(-9, 9))
def test_a_shifted_grade_stays_on_the_scale(grade: grades.Grade, steps: int) -> None:
    """Poor gets no worse and elite no better."""
    moved = GRADES.index(grades.shifted(grade, steps))
    assert moved == min(max(GRADES.index(grade) + steps, 0), 3)


@pytest.mark.rule("A2.65", "D1.112")
def test_the_ships_sheet_asks_for_grades_by_its_own_abbreviations() -> None:
    """A2.65: a class's own table and ours give the same cost."""
    sheet = ship_class.load_toml((FIXTURES / "sample.toml").read_text())
    held = ShipGrades("poor", "elite", "veteran", "average", "elite", "poor")
    ours = grades.cost_with_grades(4434, SAMPLE_COSTS, held)
    assert ship_class.adjusted_cost(sheet, held.by_post()) == ours
