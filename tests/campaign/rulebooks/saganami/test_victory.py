"""Victory conditions of D2.2."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.victory import (
    Objective,
    ShipOutcome,
    SideOutcome,
    damage_points,
    exact,
    is_cowardly_draw,
    lines_for_ship,
    margin_band,
    pod_points,
    score,
    simple_victor,
    surrender_points,
    victory_point_ratio,
)


@pytest.mark.rule("D2.223")
@pytest.mark.parametrize(
    ("cost", "boxes", "damaged", "points"),
    [
        (36, 114, 47, 15),
        (36, 114, 41, 13),
        (36, 114, 1, 1),
        (36, 114, 0, 0),
        (36, 114, 114, 36),
        (4434, 774, 387, 2217),
    ],
)
def test_damage_pays_the_share_of_the_boxes_rounded_up(cost: int, boxes: int, damaged: int, points: int) -> None:
    """D2.223, with the worked destroyer."""
    assert damage_points(cost, boxes, damaged) == points


@pytest.mark.rule("D2.223")
@given(cost=st.integers(0, 10_000), boxes=st.integers(1, 1000), data=st.data())
def test_damage_never_pays_more_than_the_ship_and_more_damage_never_pays_less(
    cost: int, boxes: int, data: st.DataObject
) -> None:
    """D2.223."""
    damaged = data.draw(st.integers(0, boxes - 1))
    less, more = damage_points(cost, boxes, damaged), damage_points(cost, boxes, damaged + 1)
    assert less <= more <= cost
    assert less - 1 < Fraction(cost * damaged, boxes) <= less


@pytest.mark.rule("D2.223")
@pytest.mark.parametrize(("boxes", "damaged", "place"), [(0, 0, "/boxes"), (10, 11, "/damaged"), (10, -1, "/damaged")])
def test_impossible_damage_is_refused(boxes: int, damaged: int, place: str) -> None:
    """D2.223."""
    with pytest.raises(ProblemsError) as refused:
        damage_points(36, boxes, damaged)
    assert refused.value.problems[0].place == place


@pytest.mark.rule("D2.224")
@pytest.mark.parametrize(
    ("cost", "officers", "others", "points"),
    [(4434, 440, 4463, 4302), (100, 0, 0, 100), (100, 5, 0, 99), (100, 1, 0, 100), (100, 0, 100, 99), (10, 100, 0, 0)],
)
def test_a_surrender_pays_the_cost_less_the_crew(cost: int, officers: int, others: int, points: int) -> None:
    """D2.224: a fifth for an officer, a hundredth for a rating or marine, rounded up once."""
    assert surrender_points(cost, officers, others) == points


@pytest.mark.rule("D2.225", "C8.12")
def test_pods_pay_their_share_of_the_card() -> None:
    """D2.225: four pods for 66 points; three of them used are worth 49.5, rounded up."""
    assert pod_points(66, 4, 3) == 50
    assert pod_points(66, 4, 4) == 66
    assert pod_points(66, 4, 0) == 0
    assert pod_points(0, 0, 0) == 0
    with pytest.raises(ProblemsError):
        pod_points(66, 4, 5)


@pytest.mark.rule("D2.231")
def test_the_ratio_is_over_the_own_forces_cost() -> None:
    """D2.231."""
    assert victory_point_ratio(13, 42) == Fraction(13, 42)
    with pytest.raises(ProblemsError):
        victory_point_ratio(13, 0)


@pytest.mark.rule("D2.232")
@pytest.mark.parametrize(
    ("difference", "margin"),
    [
        (0, "draw"),
        (0.1, "draw"),
        (0.101, "minor-victory"),
        (0.3, "minor-victory"),
        (0.305, "victory"),
        (0.31, "victory"),
        (0.6, "victory"),
        (0.61, "major-victory"),
        (0.9, "major-victory"),
        (0.91, "overwhelming-victory"),
        (1.3, "overwhelming-victory"),
        (1.31, "legendary-victory"),
        (50, "legendary-victory"),
    ],
)
def test_the_bands_of_margin_have_no_gaps(difference: float, margin: str) -> None:
    """D2.232: upper ends belong to their band, and a number means what it prints."""
    assert margin_band(exact(difference)) == margin


@pytest.mark.rule("D2.232")
def test_a_negative_difference_is_refused() -> None:
    """D2.232: the smaller is taken from the larger."""
    with pytest.raises(ProblemsError):
        margin_band(Fraction(-1, 10))


def worked_example() -> tuple[SideOutcome, SideOutcome]:
    """The duel of the rulebook under our own names: 41 of 114 boxes of a 36, a tenth of a 42."""
    return (
        SideOutcome("red", (ShipOutcome("Sparrow", 36, 114, 41),)),
        SideOutcome("green", (ShipOutcome("Anvil", 42, 140, 14),)),
    )


@pytest.mark.rule("D2.2", "D2.22", "D2.23", "D2.231", "D2.232")
def test_the_worked_duel_is_a_minor_victory() -> None:
    """D2.232's example, by exact fractions: 13/42 against 5/36."""
    result = score(worked_example())
    assert (result.of("green").ratio, result.of("red").ratio) == (Fraction(13, 42), Fraction(5, 36))
    assert (result.margin, result.winner) == ("minor-victory", "green")
    assert result.as_document()["sides"][1]["lines"] == [
        {
            "label": "Sparrow: 41 of 114 boxes",
            "points": 13,
            "rule": "D2.223",
            "kind": "damage",
            "subject": "Sparrow",
        }
    ]


@pytest.mark.rule("D2.222")
def test_an_objective_adds_its_bonus_and_can_turn_the_day() -> None:
    """D2.222."""
    red, green = worked_example()
    with_objective = SideOutcome("red", red.ships, (Objective("Held the station", 20), Objective("Nothing", 0)))
    result = score((with_objective, green))
    assert result.of("red").points == 25
    assert result.winner == "red"


@pytest.mark.rule("D2.221", "D2.231", "C8.12")
def test_pods_and_options_count_in_what_a_side_brought() -> None:
    """D2.231 and C8.12: the initial cost is everything paid for."""
    ship = ShipOutcome("Sparrow", 36, 114, pods_bought=4, pods_spent=4, pod_cost=66)
    own = SideOutcome("red", (ship,), options_cost=5)
    result = score((own, worked_example()[1]))
    assert result.of("red").cost == 107
    assert [(line.points, line.rule) for line in result.of("green").lines] == [(66, "D2.225")]


@pytest.mark.rule("D2.223", "D2.224", "D2.225")
def test_each_fate_pays_by_its_own_rule() -> None:
    """Destroyed and captured pay the cost, surrendered less the crew, others by boxes; towed pods sink too."""
    common = {"cost": 100, "boxes": 50, "boxes_lost": 25, "officers": 50, "enlisted_and_marines": 1000}
    paid = {
        fate: [(line.kind, line.points) for line in lines_for_ship(ShipOutcome("S", fate=fate, **common))]
        for fate in ("fighting", "disengaged", "surrendered", "captured", "destroyed")
    }
    assert paid == {
        "fighting": [("damage", 50)],
        "disengaged": [("damage", 50)],
        "surrendered": [("surrendered", 80)],
        "captured": [("captured", 100)],
        "destroyed": [("destroyed", 100)],
    }
    towing = ShipOutcome("S", 100, 50, fate="destroyed", pods_bought=2, pods_spent=0, pod_cost=31)
    assert [line.points for line in lines_for_ship(towing)] == [100, 31]


@pytest.mark.rule("D2.2")
def test_allies_do_not_earn_from_each_other() -> None:
    """D2.2: three sides, two of them allied; each ally earns from the common enemy alone."""
    one = SideOutcome("one", (ShipOutcome("A", 100, 50, 50, "destroyed"),), allies=("two",))
    two = SideOutcome("two", (ShipOutcome("B", 100, 50, 25),))
    three = SideOutcome("three", (ShipOutcome("C", 100, 50, 5),))
    result = score((one, two, three))
    assert [side.points for side in result.sides] == [10, 10, 150]
    assert (result.winner, result.margin) == ("three", "legendary-victory")


@pytest.mark.rule("D2.2")
def test_every_problem_of_a_report_is_named_at_once() -> None:
    """Places are JSON Pointers into the sides."""
    bad = SideOutcome(
        "red",
        (ShipOutcome("A", 10, 5, 6), ShipOutcome("A", 10, 0), ShipOutcome("C", -1, 5, pods_spent=1)),
        (Objective("no", -1),),
        options_cost=-1,
    )
    with pytest.raises(ProblemsError) as refused:
        score((bad, SideOutcome("red", (ShipOutcome("B", 0, 5, fate="sunk"),))))  # type: ignore[arg-type]
    assert [(one.place, one.code) for one in refused.value.problems] == [
        ("/sides/0/objectives/0", "negative"),
        ("/sides/0/options_cost", "negative"),
        ("/sides/0/ships/0/boxes_lost", "more-than-all"),
        ("/sides/0/ships/1/boxes", "no-boxes"),
        ("/sides/0/ships/1/ship", "same-ship-twice"),
        ("/sides/0/ships/2/cost", "negative"),
        ("/sides/0/ships/2/pods_spent", "more-than-all"),
        ("/sides/1/ships", "no-cost"),
        ("/sides/1/ships/0/fate", "unknown-fate"),
        ("/sides/1/side", "same-side-twice"),
    ]
    with pytest.raises(ProblemsError):
        score((worked_example()[0],))


@pytest.mark.rule("D2.21")
def test_the_last_side_standing_wins_the_simple_way() -> None:
    """D2.21: the other has conceded or has no ship left."""
    assert simple_victor({"red": ["fighting"], "green": ["destroyed", "captured"]}) == "red"
    assert simple_victor({"red": ["fighting"], "green": ["fighting"]}, conceded=["red"]) == "green"
    assert simple_victor({"red": ["fighting"], "green": ["disengaged"]}) is None
    assert simple_victor({"red": ["destroyed"], "green": ["surrendered"]}) is None


@pytest.mark.rule("D2.0")
def test_ten_turns_without_a_fight_end_in_a_draw() -> None:
    """D2.0: two percent on half of one side's ships is a fight."""
    unhurt = SideOutcome("green", (ShipOutcome("X", 10, 100, 1), ShipOutcome("Y", 10, 100, 1)))
    dawdling = SideOutcome("red", (ShipOutcome("A", 10, 100, 1), ShipOutcome("B", 10, 100)))
    fighting = SideOutcome("red", (ShipOutcome("A", 10, 100, 2), ShipOutcome("B", 10, 100)))
    assert is_cowardly_draw(10, (dawdling, unhurt))
    assert not is_cowardly_draw(9, (dawdling, unhurt))
    assert not is_cowardly_draw(10, (fighting, unhurt))


ships = st.builds(
    lambda number, cost, boxes, lost, fate: ShipOutcome(f"S{number}", cost, boxes, min(lost, boxes), fate),
    st.integers(0, 10**9),
    st.integers(1, 5000),
    st.integers(1, 800),
    st.integers(0, 800),
    st.sampled_from(["fighting", "disengaged", "surrendered", "captured", "destroyed"]),
)
forces = st.lists(ships, min_size=1, max_size=6, unique_by=lambda ship: ship.ship).map(tuple)


@pytest.mark.rule("D2.23")
@given(forces, forces)
def test_the_account_is_the_same_from_both_sides_of_the_table(
    one: tuple[ShipOutcome, ...], two: tuple[ShipOutcome, ...]
) -> None:
    """D2.23: the order of the sides changes nothing, and nobody earns more than the enemy brought."""
    red, green = SideOutcome("red", one), SideOutcome("green", two)
    result, mirrored = score((red, green)), score((green, red))
    assert (result.winner, result.margin, result.difference) == (mirrored.winner, mirrored.margin, mirrored.difference)
    assert 0 <= result.of("red").points <= green.initial_cost
