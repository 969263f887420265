"""Forces for a patrol scenario: D3.1."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import SeedDice, TypedDice
from campaign.rulebooks.saganami.grades import ShipGrades
from campaign.rulebooks.saganami.options import OptionsBill
from campaign.rulebooks.saganami.patrol import budget
from campaign.rulebooks.saganami.patrol_force import (
    Bounds,
    Offer,
    Purchase,
    check_purchases,
    compose,
    offers_of,
    roll_ship_grades,
)
from campaign.rulebooks.saganami.ship_class import load_toml

FIXTURES = Path(__file__).parents[4] / "fixtures" / "ship_classes" / "saganami"
SAMPLE = load_toml((FIXTURES / "sample.toml").read_text())
COSTS = ((-6, 0, 6, 12), (-2, 0, 2, 4), (-1, 0, 2, 3), (-1, 0, 1, 2), (-1, 0, 1, 2), (-4, 0, 3, 6))
OFFERS = (Offer("cruiser", 124, COSTS), Offer("destroyer", 36, COSTS), Offer("craft", 8))


def bought(number: int, cost: int, stage: str = "own", **facts: object) -> Purchase:
    """Return a ship of that cost."""
    return Purchase(f"s{number}", "cruiser", stage, cost, cost, **facts)  # type: ignore[arg-type]


@pytest.mark.rule("D3.11")
def test_a_faction_offers_what_it_has_in_that_year() -> None:
    """D3.11: the year decides; bases are no ships of a patrol."""
    mine = replace(SAMPLE, key="mine", nation="Arden", cost=50, service_from=1900, service_to=1905)
    late = replace(mine, key="late", cost=40, service_from=1907, service_to=None)
    base = replace(mine, key="base", kind="base")
    other = replace(mine, key="other", nation="Corvus")
    always = replace(mine, key="always", cost=60, service_to=None)
    classes = [always, base, late, mine, other]
    assert [one.ship_class for one in offers_of(classes, "Arden", 1905)] == ["mine", "always"]
    assert [one.ship_class for one in offers_of(classes, "Arden", 1907)] == ["late", "always"]
    assert offers_of(classes, "Arden", 1800) == ()
    assert offers_of(classes, "Arden", 1905)[0].cost_with(ShipGrades(crew="elite")) == 50 + 133


@pytest.mark.rule("D3.112", "D1.12", "D1.125")
def test_grades_are_rolled_and_paid_for_with_each_ship() -> None:
    """D1.12's example: a veteran EWO, two points more."""
    grades, rolls = roll_ship_grades(TypedDice([2, 1, 9, 1, 4, 4, 4, 2, 8, 1, 6, 1]))
    assert grades == ShipGrades(ewo="veteran")
    assert len(rolls) == 6
    assert Offer("cruiser", 124, COSTS).cost_with(grades) == 126
    assert Offer("craft", 8).cost_with(grades) == 8


@pytest.mark.rule("D3.112", "D3.12", "D3.14")
def test_a_force_over_budget_by_one_point_is_refused() -> None:
    """Each stage by itself, and the whole."""
    whole = budget(600, 80)
    fits = [bought(1, 360), bought(2, 60, "lemon"), bought(3, 60, "final")]
    assert check_purchases(whole, fits) == ()
    assert [one.code for one in check_purchases(whole, [bought(1, 361)])] == ["over-first-budget"]
    assert [one.code for one in check_purchases(whole, [bought(2, 61, "lemon")])] == ["over-lemon-budget"]
    assert [one.code for one in check_purchases(whole, [*fits[:2], bought(3, 61, "final")])] == ["over-budget"]
    armed = bought(1, 360, options=OptionsBill(pods=0, canister=1, drones=0, parties=0, marines=0))
    assert [one.code for one in check_purchases(whole, [armed, *fits[1:]])] == ["over-budget"]
    assert [one.code for one in check_purchases(whole, [])] == ["no-ships"]
    assert [one.code for one in check_purchases(whole, [fits[0], replace(fits[1], ship="s1")])] == ["same-ship-twice"]


@pytest.mark.rule("D4.11", "C8.12", "D3.3/4")
def test_pods_count_in_the_budget_and_are_a_tenth_at_most() -> None:
    """D4.11: of the book value; a picket has none."""
    pods = OptionsBill(pods=24, canister=0, drones=0, parties=0, marines=0)
    force = [bought(1, 240, options=pods)]
    assert check_purchases(budget(600, 100), force) == ()
    veteran = [replace(force[0], base_cost=239)]
    assert [one.code for one in check_purchases(budget(600, 100), veteran)] == ["too-many-pods"]
    assert [one.code for one in check_purchases(budget(600, 100), force, missions=["picket-duty"])] == ["no-pods"]


@pytest.mark.rule("D3.112", "D3.12")
@given(st.text(max_size=6), st.integers(1, 2000), st.integers(1, 12), st.integers(1, 5))
def test_a_composed_force_is_never_over_budget_nor_absurd(seed: str, points: int, hulls: int, of_a_class: int) -> None:
    """Hard bounds on points, hulls and repetition; the costs are those of the grades rolled."""
    force = compose(OFFERS, points, "own", SeedDice(seed), bounds=Bounds(hulls, of_a_class))
    assert sum(one.cost for one in force) <= points
    assert len(force) <= hulls
    for offer in OFFERS:
        mine = [one for one in force if one.ship_class == offer.ship_class]
        assert len(mine) <= of_a_class
        assert all(one.cost == offer.cost_with(one.grades) for one in mine)
    if points >= 8:
        assert force
    more = compose(OFFERS, points, "final", SeedDice(seed), already=force, bounds=Bounds(hulls, of_a_class))
    assert len(force) + len(more) <= hulls
    assert len({one.ship for one in (*force, *more)}) == len(force) + len(more)


@pytest.mark.rule("D3.112")
def test_a_ship_that_its_grades_make_too_dear_is_not_taken() -> None:
    """One point short of the crew that was rolled: the class is not tried again."""
    elite = [1, 1] + [10, 1] * 6
    cost = 124 + 12 + 4 + 3 + 2 + 2 + 6
    assert [one.cost for one in compose([OFFERS[0]], cost, "own", TypedDice(elite))] == [cost]
    assert compose([OFFERS[0]], cost - 1, "own", TypedDice(elite)) == ()
    assert compose([], 600, "own", SeedDice("x")) == ()
