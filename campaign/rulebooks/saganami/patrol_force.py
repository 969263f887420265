"""Forces for a patrol scenario (D3.1): what is bought at which stage, checked to the point, or composed.

A side buys for sixty percent itself, its opponent buys a tenth for it, and what the multiplier leaves is
bought last. Grades are rolled and paid for with each ship. Commander's options come out of the whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from campaign.engine.dice import Roller
from campaign.engine.errors import Problem, pointer
from campaign.rulebooks.saganami.grades import CATEGORIES, GRADES, GradeRoll, ShipGrades, adjusted_cost, roll_initial
from campaign.rulebooks.saganami.options import OptionsBill, check_pod_share
from campaign.rulebooks.saganami.patrol import Budget
from campaign.rulebooks.saganami.patrol_play import check_picket_pods
from campaign.rulebooks.saganami.ship_class import in_service
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from campaign.rulebooks.saganami.source import rule

Stage: TypeAlias = Literal["own", "lemon", "final"]
"""Bought by the side before the cards, by the opponent for it, or by the side after the cards."""

MOST_OFFERS = 200  # what one die can choose among
ALL_AVERAGE = ShipGrades()
NO_OPTIONS = OptionsBill(pods=0, canister=0, drones=0, parties=0, marines=0)


@dataclass(frozen=True, slots=True)
class Offer:
    """A class that can be bought: base cost in points, and the six rows of officers' costs (none for LACs)."""

    ship_class: str
    cost: int
    officer_costs: tuple[tuple[int, ...], ...] = ()

    def cost_with(self, grades: ShipGrades) -> int:
        """Return the adjusted cost of a ship of the class (A2.65); a class without officers has no grades."""
        if not self.officer_costs:
            return self.cost
        changes = [
            row[GRADES.index(grades.of(category))] for category, row in zip(CATEGORIES, self.officer_costs, strict=True)
        ]
        return adjusted_cost(self.cost, changes)


def is_armed(ship_class: ShipClass) -> bool:
    """Say whether a class has a weapon at all: a patrol of freighters alone would be no fight."""
    return any(mount.weapons or mount.launchers for mount in ship_class.mounts)


@rule("D3.11")
def offers_of(ship_classes: Sequence[ShipClass], nation: str, year: int) -> tuple[Offer, ...]:
    """Return what a faction can buy in a year PD, the cheapest first.

    Bases stay where they are built, and what has no weapon goes on no patrol.
    """
    offers = [
        Offer(one.key, one.cost, one.officer_cost)
        for one in ship_classes
        if one.nation == nation and not one.is_base and is_armed(one) and in_service(one, year)
    ]
    return tuple(sorted(offers, key=lambda offer: (offer.cost, offer.ship_class)))


@dataclass(frozen=True, slots=True)
class Purchase:
    """One ship of a force: its class, when it was bought, its grades, its adjusted cost, and its options' bill."""

    ship: str
    ship_class: str
    stage: Stage
    base_cost: int
    cost: int
    grades: ShipGrades = ALL_AVERAGE
    options: OptionsBill = NO_OPTIONS

    @property
    def total(self) -> int:
        """Return the ship with its options, in points."""
        return self.cost + self.options.total


@rule("D3.112", "D1.12", "D1.125")
def roll_ship_grades(roller: Roller) -> tuple[ShipGrades, tuple[GradeRoll, ...]]:
    """Roll the six grades of a ship that is bought, in the order of its sheet."""
    rolls = tuple(roll_initial(roller) for _ in CATEGORIES)
    grades = ShipGrades()
    for category, rolled in zip(CATEGORIES, rolls, strict=True):
        grades = grades.with_grade(category, rolled.grade)
    return grades, rolls


@rule("D3.112", "D3.12", "D3.14", "D4.11", "C8.12")
def check_purchases(
    budget: Budget, purchases: Sequence[Purchase], *, missions: Collection[str] = (), place: str = "/ships"
) -> tuple[Problem, ...]:
    """Return what is wrong with a whole force: each stage within its points, all within the budget, pods in measure.

    ``missions`` are those of the side: a force on picket duty has no pods.
    """
    problems: list[Problem] = []
    own = sum(one.cost for one in purchases if one.stage == "own")
    lemons = sum(one.cost for one in purchases if one.stage == "lemon")
    whole = sum(one.total for one in purchases)
    if not purchases:
        problems.append(Problem(place, "no-ships", "A force has a ship or more.", "D3.112"))
    if own > budget.first_spend:
        message = f"The first purchase costs {own} points of {budget.first_spend}."
        problems.append(Problem(place, "over-first-budget", message, "D3.112"))
    if lemons > budget.opponent_spend:
        message = f"The opponent's choice costs {lemons} points of {budget.opponent_spend}."
        problems.append(Problem(place, "over-lemon-budget", message, "D3.12"))
    if whole > budget.final_total:
        message = f"The force costs {whole} points of {budget.final_total}."
        problems.append(Problem(place, "over-budget", message, "D3.14"))
    pods = sum(one.options.pods for one in purchases)
    problems.extend(check_pod_share(pods, sum(one.base_cost for one in purchases), place=place))
    if "picket-duty" in missions:
        problems.extend(check_picket_pods(pods, place=place))
    for index, one in enumerate(purchases):
        if any(one.ship == other.ship for other in purchases[:index]):
            problems.append(Problem(place + pointer(index), "same-ship-twice", "Name each ship once.", "D3.112"))
    return tuple(problems)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Hard limits of the composer over a whole force: hulls in all, and of one class."""

    hulls: int = 12
    of_a_class: int = 4


@rule("D3.112", "D3.12")
def compose(
    offers: Sequence[Offer],
    points: int,
    stage: Stage,
    roller: Roller,
    *,
    already: Sequence[Purchase] = (),
    bounds: Bounds = Bounds(),
    name: str = "ship",
) -> tuple[Purchase, ...]:
    """Return ships for at most so many points, chosen by the dice, with their grades rolled and paid for.

    Larger classes are likelier (the better of two picks). A ship whose grades make it too dear is not
    taken, and its class is not tried again at this stage. ``already`` counts against the bounds. Ids are
    ``name``-1, ``name``-2, ... after those already there.
    """
    bought: list[Purchase] = []
    struck: list[str] = []
    left = points
    while len(already) + len(bought) < bounds.hulls:
        held = [one.ship_class for one in (*already, *bought)]
        affordable = [
            offer
            for offer in sorted(offers, key=lambda one: (one.cost, one.ship_class))
            if offer.cost <= left
            and offer.ship_class not in struck
            and held.count(offer.ship_class) < bounds.of_a_class
        ][-MOST_OFFERS:]
        if not affordable:
            break
        pick = max(roller.die(len(affordable)), roller.die(len(affordable))) - 1
        offer = affordable[pick]
        grades = roll_ship_grades(roller)[0] if offer.officer_costs else ALL_AVERAGE
        cost = offer.cost_with(grades)
        if cost > left:
            struck.append(offer.ship_class)
            continue
        number = len(already) + len(bought) + 1
        bought.append(Purchase(f"{name}-{number}", offer.ship_class, stage, offer.cost, cost, grades))
        left -= cost
    return tuple(bought)
