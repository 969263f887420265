"""What missions do in play, and the ships they make a side pick: D3.2 and D3.3."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import TypedDice
from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami import patrol_choices, patrol_play
from campaign.rulebooks.saganami.grades import ShipGrades
from campaign.rulebooks.saganami.ship_class import load_toml

FIXTURES = Path(__file__).parents[4] / "fixtures" / "ship_classes" / "saganami"
SAMPLE = load_toml((FIXTURES / "sample.toml").read_text())


@dataclass(frozen=True)
class Hull:
    """A ship as the choices see it."""

    ship: str
    cost: int
    tons: int


FORCE = (Hull("big", 300, 900), Hull("mid", 200, 500), Hull("twin", 180, 500), Hull("small", 120, 100))


@pytest.mark.rule("D3.2/Q", "D3.3/2", "D3.3/3")
def test_size_goes_by_tons() -> None:
    """The largest, and what may pass for the second largest."""
    assert [one.ship for one in patrol_choices.largest_of(FORCE)] == ["big"]
    assert [one.ship for one in patrol_choices.largest_of(FORCE[1:])] == ["mid", "twin"]
    assert [one.ship for one in patrol_choices.second_largest_of(FORCE)] == ["mid", "twin"]
    assert [one.ship for one in patrol_choices.second_largest_of(FORCE[1:3])] == ["mid", "twin"]
    assert [one.ship for one in patrol_choices.second_largest_of(FORCE[:1])] == ["big"]
    assert patrol_choices.largest_of([]) == patrol_choices.second_largest_of([]) == ()


@pytest.mark.rule("D3.3/3")
@pytest.mark.parametrize(
    ("chosen", "codes"),
    [
        (["big"], []),
        (["mid"], ["too-few"]),  # a fifth of 800, but none of the largest
        (["big", "small"], ["too-many"]),
        (["big", "big"], ["same-ship-twice"]),
        (["x"], ["unknown-ship"]),
        ([], ["too-few"]),
    ],
)
def test_the_walking_wounded_are_a_fifth_with_one_of_the_largest(chosen: list[str], codes: list[str]) -> None:
    """D3.3, three: and no more than it takes."""
    assert [one.code for one in patrol_choices.check_wounded(FORCE, chosen)] == codes


@pytest.mark.rule("D3.3/3")
def test_the_largest_ship_alone_may_be_too_little_for_the_wounded() -> None:
    """D3.3, three: a fifth of 500 points is 100, and no less."""
    long_and_thin = (Hull("long", 99, 900), Hull("fat", 201, 500), Hull("third", 200, 400))
    assert [one.code for one in patrol_choices.check_wounded(long_and_thin, ["long"])] == ["too-few"]
    assert patrol_choices.check_wounded(long_and_thin, ["long", "third"]) == ()
    exact = (Hull("long", 100, 900), Hull("fat", 200, 500), Hull("third", 200, 400))
    assert patrol_choices.check_wounded(exact, ["long"]) == ()


@pytest.mark.rule("D3.3/4")
def test_a_quarter_of_a_picket_has_poor_crews() -> None:
    """D3.3, four: 200 of 800 points."""
    assert patrol_choices.check_poor_crews(FORCE, ["mid"]) == ()
    assert [one.code for one in patrol_choices.check_poor_crews(FORCE, ["twin"])] == ["too-few"]
    assert patrol_choices.check_poor_crews(FORCE, ["twin", "small"]) == ()


@pytest.mark.rule("D3.3/K")
def test_a_third_of_the_force_is_the_other_arm_of_the_pincer() -> None:
    """D3.3, king: 267 of 800 points; somebody stays on the map."""
    assert patrol_choices.check_pincer(FORCE, ["big"]) == ()
    assert patrol_choices.check_pincer(FORCE, ["twin", "small"]) == ()
    assert [one.code for one in patrol_choices.check_pincer(FORCE, ["mid"])] == ["too-few"]
    everybody = [hull.ship for hull in FORCE]
    assert [one.code for one in patrol_choices.check_pincer(FORCE, everybody)] == ["nobody-left"]
    assert patrol_choices.check_pincer(FORCE[:1], []) == ()


hulls = st.lists(st.tuples(st.integers(1, 500), st.integers(1, 9)), min_size=1, max_size=8).map(
    lambda facts: [Hull(f"s{index}", cost, tons) for index, (cost, tons) in enumerate(facts)]
)


@pytest.mark.rule("D3.3/3", "D3.3/4")
@given(hulls, st.sampled_from([Fraction(1, 3), Fraction(1, 4), Fraction(1, 5)]))
def test_what_an_absent_player_would_name_is_legal(force: list[Hull], share: Fraction) -> None:
    """The default picks pass the same checks."""
    picked = patrol_choices.pick_share(force, share)
    assert patrol_choices.check_share(force, picked, share, rule_key="D3.3/4", place="") == ()
    wounded = patrol_choices.pick_share(force, patrol_choices.WOUNDED_SHARE, patrol_choices.largest_of(force))
    assert patrol_choices.check_wounded(force, wounded) == ()


@pytest.mark.rule("D3.2/A")
def test_a_spy_sabotages_four_cells_that_touch() -> None:
    """D3.2, ace: two points in each."""
    table = SAMPLE.hit_table
    assert table is not None
    middle = [(5, 10), (5, 11), (6, 11), (5, 12)]
    assert patrol_play.check_sabotage(table, middle) == ()
    hits = patrol_play.sabotage(table, middle)
    assert len(hits) == 8
    assert hits[:2] == (table.code(5, 10),) * 2
    apart = [(5, 10), (5, 11), (5, 13), (5, 14)]
    assert [one.code for one in patrol_play.check_sabotage(table, apart)] == ["not-adjacent"]
    corners = [(5, 10), (6, 11), (7, 12), (8, 13)]
    assert [one.code for one in patrol_play.check_sabotage(table, corners)] == ["not-adjacent"]
    bad = [(5, 10), (5, 10), (11, 2), (5, 21), (5, 1)]
    assert [one.code for one in patrol_play.check_sabotage(table, bad)] == [
        "same-cell-twice",
        "no-such-cell",
        "no-such-cell",
        "no-such-cell",
        "not-four",
    ]
    blank = next((row, column) for row in range(11) for column in range(2, 21) if table.code(row, column) == ".")
    assert "no-such-cell" in [one.code for one in patrol_play.check_sabotage(table, [blank])]
    with pytest.raises(ProblemsError):
        patrol_play.sabotage(table, apart)


@pytest.mark.rule("D3.2/A")
def test_a_spy_freezes_a_ship_for_the_next_three_turns() -> None:
    """D3.2, ace."""
    assert patrol_play.frozen_turns(4) == (5, 6, 7)


@pytest.mark.rule("D3.3/K")
def test_the_pincer_closes_by_the_middle_of_three_dice() -> None:
    """D3.3, king: at range 30."""
    assert patrol_play.roll_pincer_arrival(TypedDice([9, 2, 5])) == 5
    assert patrol_play.PINCER_RANGE == 30


@pytest.mark.rule("D3.3/4")
def test_a_picket_is_short_of_everything() -> None:
    """D3.3, four: half the salvoes, poor crews, no pods, countermissiles that run out on seven."""
    assert patrol_play.magazines_spent(SAMPLE) == {
        "forward.mag": 24,
        "aft.mag": 24,
        "port.mag": 60,
        "starboard.mag": 60,
    }
    assert patrol_play.roll_countermissiles_out(TypedDice([9, 2]))
    assert not patrol_play.roll_countermissiles_out(TypedDice([8, 2]))
    assert patrol_play.check_picket_pods(0) == ()
    assert [one.code for one in patrol_play.check_picket_pods(1)] == ["no-pods"]
    assert patrol_play.with_poor_crew(ShipGrades(crew="elite", helm="elite")) == ShipGrades(crew="poor", helm="elite")


@pytest.mark.rule("D3.3/3")
def test_the_wounded_begin_with_half_their_structure_gone() -> None:
    """D3.3, three: the star does not count; the wound shows with the next hit on it."""
    track = SAMPLE.track("structural_integrity")
    assert track is not None
    hits = len(track.boxes) - 1
    assert patrol_play.wounded_boxes(SAMPLE) == {"structural_integrity": hits // 2}
    assert patrol_play.is_wound_revealed(["hull", "SI"])
    assert not patrol_play.is_wound_revealed(["hull", "lif"])


@pytest.mark.rule("D3.3/2")
def test_a_political_appointee_brings_two_cronies_and_loses_his_nerve() -> None:
    """D3.3, two: two officers poor, the crew average at best; more than half a broadside, or an octagon."""
    elite = ShipGrades("elite", "elite", "elite", "elite", "elite", "elite")
    assert patrol_play.with_appointee(elite, ["helm", "ewo"]) == ShipGrades(
        "elite", "poor", "elite", "poor", "elite", "average"
    )
    assert patrol_play.with_appointee(ShipGrades(crew="poor"), ["helm", "ewo"]).crew == "poor"
    for cronies, codes in (
        (["helm"], ["not-two"]),
        (["helm", "helm"], ["not-an-officer"]),
        (["helm", "crew"], ["not-an-officer"]),
        (["helm", "ewo", "tactical"], ["not-two"]),
    ):
        with pytest.raises(ProblemsError) as refused:
            patrol_play.with_appointee(elite, cronies)  # type: ignore[arg-type]
        assert [one.code for one in refused.value.problems] == codes
    must = patrol_play.must_find_courage
    assert not must({"port": (5, 10), "starboard": (0, 10)}, has_passed_octagon=False)
    assert must({"port": (6, 10), "starboard": (0, 10)}, has_passed_octagon=False)
    assert must({"port": (0, 10)}, has_passed_octagon=True)
    assert patrol_play.roll_courage(TypedDice([5]), "average")
    assert not patrol_play.roll_courage(TypedDice([6]), "average")


@pytest.mark.rule("D3.3/J")
def test_a_lemon_with_an_elite_crew() -> None:
    """D3.3, jack: the tactical officer and the crew."""
    assert patrol_play.with_elite_crew(ShipGrades(ewo="veteran", crew="poor")) == ShipGrades(
        tactical="elite", ewo="veteran", crew="elite"
    )


@pytest.mark.rule("D3.2/7", "D3.2/5")
def test_two_missions_hold_a_force_in_the_fight() -> None:
    """D3.2: the bluff until one enemy has gone, the mettle until two are destroyed."""

    def may(*missions: str, gone: int = 0, kills: int = 0) -> bool:
        return patrol_play.may_disengage(missions, enemies_disengaged=gone, hyper_capable_kills=kills)

    assert may("vendetta")
    assert [may("liars-bluff", gone=gone) for gone in (0, 1)] == [False, True]
    assert [may("demonstration-of-mettle", kills=kills) for kills in (1, 2)] == [False, True]
