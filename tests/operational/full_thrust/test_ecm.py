"""Sensor dice against electronic counter measures."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import SeedDice, TypedDice
from campaign.engine.errors import ProblemsError
from operational.rules.full_thrust import ecm
from operational.rules.full_thrust.ecm import DieModifiers
from operational.rules.full_thrust.tables import ECM_GRADES, EcmGrade

GRADES = st.sampled_from(ECM_GRADES)
MODIFIERS = st.builds(DieModifiers, st.integers(0, 3), st.integers(-3, 0))


@pytest.mark.rule("ecm-table")
@pytest.mark.parametrize(
    ("grade", "hits"),
    [
        ("none", [0, 0, 1, 1, 1, 2]),
        ("standard", [0, 0, 0, 1, 1, 2]),
        ("enhanced", [0, 0, 0, 0, 1, 2]),
        ("superior", [0, 0, 0, 0, 1, 1]),
    ],
)
def test_each_ecm_grade_has_its_row_and_a_six_rolls_again(grade: EcmGrade, hits: list[int]) -> None:
    """Faces 1 to 6 without modifiers."""
    found = [ecm.score_die(grade, face) for face in range(1, 7)]
    assert [one.hits for one in found] == hits
    assert [one.reroll for one in found] == [False] * 5 + [True]


@pytest.mark.rule("die-modifiers")
def test_only_the_natural_six_rolls_again() -> None:
    """A 5 made 6 scores as 6 and stays; a 6 made 5 scores as 5 and is rolled again."""
    assert ecm.score_die("none", 5, DieModifiers(bonus=1)) == ecm.DieResult(2, False)
    assert ecm.score_die("none", 6, DieModifiers(area=-1)) == ecm.DieResult(1, True)
    assert ecm.score_die("none", 6, DieModifiers(area=-3)) == ecm.DieResult(1, True)
    assert ecm.score_die("superior", 6, DieModifiers(area=-2)) == ecm.DieResult(0, True)
    assert ecm.score_die("none", 6, DieModifiers(bonus=3)) == ecm.DieResult(2, True)
    assert ecm.score_die("none", 1, DieModifiers(area=-3)) == ecm.DieResult(0, False)


@pytest.mark.rule("ecm-table", "die-modifiers")
def test_rerolls_are_free_of_ecm_but_keep_the_bonus() -> None:
    """Enhanced ECM under standard area ECM: the 6 counts as 5, its re-roll 3 as against nothing."""
    scored = ecm.roll_score(1, "enhanced", TypedDice([6, 3]), DieModifiers(area=-1))
    assert scored == ecm.Score(2, (6,), (3,))
    assert ecm.roll_score(1, "superior", TypedDice([6, 2]), DieModifiers(bonus=1)).hits == 2
    assert ecm.roll_score(1, "superior", TypedDice([6, 2])).hits == 1


@pytest.mark.rule("ecm-table")
def test_a_six_on_a_reroll_rolls_again() -> None:
    """All dice come first, then the re-rolls as long as sixes come."""
    assert ecm.roll_score(1, "none", TypedDice([6, 6, 2])).hits == 4
    assert ecm.roll_score(2, "standard", TypedDice([6, 6, 1, 6, 1])) == ecm.Score(6, (6, 6), (1, 6, 1))
    apart = ecm.roll_score(2, "none", TypedDice([6, 1]), reroller=TypedDice([5]))
    assert apart == ecm.Score(3, (6, 1), (5,))
    with pytest.raises(ProblemsError) as caught:
        ecm.roll_score(1, "none", TypedDice([6]))
    assert caught.value.problems[0].code == "too-few-dice"


@pytest.mark.rule("ecm-table")
@given(st.text(max_size=9), st.integers(0, 6), GRADES, MODIFIERS)
def test_every_six_is_followed_by_one_reroll(seed: str, count: int, grade: EcmGrade, modifiers: DieModifiers) -> None:
    """As many re-rolls as sixes, and the hits are those of the faces one by one."""
    roller = SeedDice(seed)
    found = ecm.roll_score(count, grade, roller, modifiers)
    assert len(found.dice) == count
    assert len(found.rerolls) == (found.dice + found.rerolls).count(6)
    assert [*found.dice, *found.rerolls] == roller.faces
    first = sum(ecm.score_die(grade, face, modifiers).hits for face in found.dice)
    again = sum(ecm.score_die("none", face, DieModifiers(modifiers.bonus)).hits for face in found.rerolls)
    assert found.hits == first + again


@pytest.mark.rule("die-modifiers")
@pytest.mark.parametrize(
    ("mode", "active", "burning", "vector", "bonus"),
    [
        ("passive", False, False, True, 0),
        ("passive", True, False, False, 1),
        ("passive", False, True, True, 2),
        ("passive", True, True, True, 3),
        ("passive", False, True, False, 0),
        ("active", True, True, True, 0),
    ],
)
def test_a_loud_target_helps_passive_sensors_only(mode, active, burning, vector, bonus) -> None:
    """1 for active sensors, 2 for a burn away with vector movement; active sensors gain nothing."""
    found = ecm.die_modifiers(
        mode, target_active=active, target_burning_away=burning, vector_movement=vector, area_ecm="none"
    )
    assert found == DieModifiers(bonus, 0)


@pytest.mark.rule("die-modifiers")
def test_area_ecm_takes_its_grade_off_every_die_in_both_modes() -> None:
    """1, 2 and 3."""
    for mode in ("passive", "active"):
        assert [ecm.die_modifiers(mode, area_ecm=grade).area for grade in ECM_GRADES] == [0, -1, -2, -3]


@pytest.mark.rule("ecm-table")
def test_the_expected_hits_of_a_die_count_its_rerolls() -> None:
    """Without ECM 5/6 for the die and as much again for a sixth, and so on: one hit a die."""
    assert ecm.expected_hits("none") == 1
    assert ecm.expected_hits("superior") == Fraction(1, 3) + Fraction(1, 6)
    assert ecm.expected_hits("none", DieModifiers(bonus=1)) == Fraction(7, 6) * Fraction(6, 5)
    assert ecm.expected_hits("none", DieModifiers(bonus=2)) == Fraction(9, 6) * Fraction(6, 5)
    assert ecm.expected_hits("none", DieModifiers(area=-3)) == Fraction(1, 6) + Fraction(1, 6)


@pytest.mark.rule("ecm-table", "ecm-packages")
def test_ecm_is_bought_by_grade_and_kind() -> None:
    """Mass and points of individual and of area systems."""
    individual = [ecm.ecm_cost(grade, "individual") for grade in ECM_GRADES]
    assert [(one.mass, one.points) for one in individual] == [(0, 0), (2, 20), (4, 40), (8, 80)]
    area = [ecm.ecm_cost(grade, "area") for grade in ECM_GRADES]
    assert [(one.mass, one.points) for one in area] == [(0, 0), (3, 30), (6, 60), (12, 120)]


@pytest.mark.rule("ecm-packages")
def test_area_ecm_reaches_twelve_mu_and_the_best_one_counts() -> None:
    """Beyond twelve it does not protect."""
    assert ecm.area_cover([("standard", 0), ("enhanced", 12), ("superior", Fraction(25, 2))]) == "enhanced"
    assert ecm.area_cover([("superior", 13)]) == "none"
    assert ecm.strongest_ecm(["standard", "superior", "enhanced"]) == "superior"
    assert ecm.strongest_ecm([]) == "none"
