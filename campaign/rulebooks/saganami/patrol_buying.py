"""The purchases of a patrol scenario (D3.112, D3.12, D4): one ship at a time, or by the composer; options; names.

A ship's grades are rolled when it is bought, and paid for. A ship whose grades make it too dear is not
bought, and its class is out for the rest of the stage: nobody rolls until the grades please.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.engine.dice import Roller, TypedDice
from campaign.engine.errors import Problem, ProblemsError, refuse
from campaign.rulebooks.saganami.options import ShipOptions, check_options, options_cost
from campaign.rulebooks.saganami.patrol import Role
from campaign.rulebooks.saganami.patrol_doing import Doing
from campaign.rulebooks.saganami.patrol_force import (
    ALL_AVERAGE,
    Bounds,
    Offer,
    Purchase,
    Stage,
    check_purchases,
    compose,
    roll_ship_grades,
)
from campaign.rulebooks.saganami.patrol_scenario import (
    LEMON_HULLS,
    LEMON_OF_A_CLASS,
    UMPIRE,
    Hull,
    Library,
    Scenario,
    ScenarioStage,
    SideState,
    other,
    points_left,
)
from campaign.rulebooks.saganami.source import rule

PURCHASE_STAGES: Mapping[ScenarioStage, Stage] = {"first": "own", "lemon": "lemon", "rest": "final"}
OVER = {
    "own": ("over-first-budget", "D3.112"),
    "lemon": ("over-lemon-budget", "D3.12"),
    "final": ("over-budget", "D3.14"),
}
LONGEST_NAME = 40
MOST_HULL_NUMBER = 250


def owner_of(scenario: Scenario, role: Role) -> Role:
    """Return whose force a side buys for at the present stage."""
    return other(role) if scenario.stage == "lemon" else role


def held(scenario: Scenario, role: Role) -> tuple[Purchase, ...]:
    """Return the ships that count against the bounds of a side's purchase at this stage: those it knows of."""
    bought = scenario.side(owner_of(scenario, role)).purchases
    if scenario.stage == "lemon":
        return tuple(one for one in bought if one.stage == "lemon")
    return bought


def bounds_of(scenario: Scenario) -> Bounds:
    """Return the hard limits of a purchase at this stage."""
    if scenario.stage == "lemon":
        return Bounds(LEMON_HULLS, LEMON_OF_A_CLASS)
    return scenario.own_bounds if scenario.stage == "first" else scenario.bounds


@rule("D3.11", "D3.112", "D3.12")
def open_offers(scenario: Scenario, role: Role, library: Library) -> tuple[Offer, ...]:
    """Return what a side can buy right now: in service, affordable, within the bounds, not out for this stage."""
    left = points_left(scenario, role)
    counts = Counter(one.ship_class for one in held(scenario, role))
    bounds = bounds_of(scenario)
    if sum(counts.values()) >= bounds.hulls:
        return ()
    return tuple(
        offer
        for offer in scenario.offers(owner_of(scenario, role), library)
        if offer.cost <= left
        and offer.ship_class not in scenario.side(role).struck
        and counts[offer.ship_class] < bounds.of_a_class
    )


def _check_buy(doing: Doing, key: str) -> Offer:
    """Return the offer of a class, or refuse with everything that stands in the way."""
    scenario, role = doing.scenario, doing.role
    offers = {offer.ship_class: offer for offer in scenario.offers(owner_of(scenario, role), doing.library)}
    offer = offers.get(key)
    if offer is None:
        message = f"The faction has no class {key!r} in {scenario.opening.year} PD."
        raise refuse("not-offered", message, place="/ship_class", rule="D3.11")
    problems: list[Problem] = []

    def add(code: str, message: str, rule_key: str) -> None:
        problems.append(Problem("/ship_class", code, message, rule_key))

    left, bounds, ships = points_left(scenario, role), bounds_of(scenario), held(scenario, role)
    stage = PURCHASE_STAGES[scenario.stage]
    if offer.cost > left:
        add(OVER[stage][0], f"This ship costs {offer.cost} points; {left} are left.", OVER[stage][1])
    if key in doing.side.struck:
        add("class-struck", "The grades of this class were too dear; it is out for this stage.", "D3.112")
    if len(ships) >= bounds.hulls:
        add("too-many-hulls", f"No more than {bounds.hulls} ships can be bought here.", "D3.112")
    if sum(one.ship_class == key for one in ships) >= bounds.of_a_class:
        add("too-many-of-a-class", f"No more than {bounds.of_a_class} of one class.", "D3.112")
    if problems:
        raise ProblemsError(problems)
    return offer


def _hull_number(doing: Doing, owner: Role, side: SideState, stream: str) -> int:
    """Roll a hull number that the force does not have yet.

    Ids and names are made of it: numbers in order would tell that a ship is missing from those in sight.
    """
    taken = [hull.ship for hull in side.ships]
    while True:
        number = doing.roller(stream, "hull-number").die(MOST_HULL_NUMBER)
        if f"{owner}-{number}" not in taken:
            return number


def _add(doing: Doing, bought: Purchase, stream: str, name: str = "") -> Hull:
    """Put a ship into the force it is bought for."""
    owner = owner_of(doing.scenario, doing.role)
    side = doing.scenario.side(owner)
    ship_class = doing.ship_class(bought.ship_class)
    number = _hull_number(doing, owner, side, stream)
    hull = Hull(replace(bought, ship=f"{owner}-{number}"), name or f"{ship_class.name} {number}", ship_class.tons)
    doing.change(owner, ships=(*side.ships, hull))
    return hull


def check_name(name: str, place: str = "/name") -> tuple[Problem, ...]:
    """Return what is wrong with a ship's or a force's name."""
    if len(name) > LONGEST_NAME or not name.isprintable():
        message = f"A name has up to {LONGEST_NAME} letters on one line."
        return (Problem(place, "bad-name", message),)
    return ()


@rule("D3.112", "D3.12", "D1.12", "D1.125")
def buy(doing: Doing, key: str, name: str = "", dice: Sequence[int] | None = None) -> None:
    """Buy one ship of a class, for the own force, or in the lemon stage for the opponent's.

    ``dice`` are twelve faces thrown at the table, two for each post in the order of the sheet. The act
    always stands: a ship that its grades made too dear is in the record, and its class is out.
    """
    doing.at(*PURCHASE_STAGES)
    offer = _check_buy(doing, key)
    stage = PURCHASE_STAGES[doing.scenario.stage]
    _check_dice(doing, offer, name, dice)
    grades = ALL_AVERAGE
    stream = UMPIRE if stage == "lemon" else doing.role
    if offer.officer_costs:
        roller: Roller = doing.roller(stream, "grades", dice)
        grades = roll_ship_grades(roller)[0]
        if isinstance(roller, TypedDice):
            doing.typed_roll(stream, "grades", roller)
    cost = offer.cost_with(grades)
    left = points_left(doing.scenario, doing.role)
    label = doing.ship_class(key).name
    if cost > left:
        text = f"{label}: {cost} points with its grades, {left} left; not bought, and out for this stage."
        doing.record("buy", text)
        doing.change(struck=(*doing.side.struck, key), tries=doing.side.tries + 1)
        return
    hull = _add(doing, Purchase("", key, stage, offer.cost, cost, grades), stream, name)
    doing.record("buy", f"{hull.name} ({label}) for {cost} points.")
    doing.change(tries=doing.side.tries + 1)


def _check_dice(doing: Doing, offer: Offer, name: str, dice: Sequence[int] | None) -> None:
    problems = list(check_name(name))
    is_table = doing.scenario.opening.dice == "table"
    if dice is not None and not is_table:
        problems.append(Problem("/dice", "dice-not-typed", "This scenario's dice are rolled by the server.", "D1.12"))
    elif dice is not None and not offer.officer_costs:
        problems.append(Problem("/dice", "no-dice", "This class has no officers to roll for.", "D1.12"))
    elif dice is None and is_table and offer.officer_costs:
        problems.append(Problem("/dice", "dice-missing", "Type the twelve faces that you threw.", "D1.12"))
    if problems:
        raise ProblemsError(problems)


@rule("D3.112", "D3.12")
def compose_rest(doing: Doing) -> None:
    """Let the composer spend what is left at this stage, within the bounds; dice of the server, marked as such.

    First among the ships that are worth their place: with few hulls left for many points, small ones
    would leave most of the budget unspent.
    """
    doing.at(*PURCHASE_STAGES)
    stage = PURCHASE_STAGES[doing.scenario.stage]
    slots = max(bounds_of(doing.scenario).hulls - len(held(doing.scenario, doing.role)), 1)
    worth = points_left(doing.scenario, doing.role)
    hulls: list[Hull] = []
    for is_worthy in (True, False):
        offers = tuple(
            offer
            for offer in open_offers(doing.scenario, doing.role, doing.library)
            if not is_worthy or 2 * offer.cost * slots >= worth
        )
        hulls += _compose(doing, offers, stage)
    words = ", ".join(f"{hull.name} for {hull.cost}" for hull in hulls) or "nothing"
    doing.record("compose", f"The composer bought {words}.")
    doing.change(tries=doing.side.tries + 1)


def _compose(doing: Doing, offers: tuple[Offer, ...], stage: Stage) -> list[Hull]:
    """Compose once among some offers; what could still be paid for was too dear with its grades, and is out."""
    stream = UMPIRE if stage == "lemon" else doing.role
    bought = compose(
        offers,
        points_left(doing.scenario, doing.role),
        stage,
        doing.roller(stream, "compose"),
        already=held(doing.scenario, doing.role),
        bounds=bounds_of(doing.scenario),
    )
    hulls = [_add(doing, one, stream) for one in bought]
    tried = [offer.ship_class for offer in offers]
    out = [key for offer in open_offers(doing.scenario, doing.role, doing.library)
           if (key := offer.ship_class) in tried]  # fmt: skip
    doing.change(struck=(*doing.side.struck, *out))
    return hulls


@rule("D4.0", "D4.11", "D3.14")
def set_options(doing: Doing, ship: str, options: ShipOptions) -> None:
    """Buy commander's options for one own ship, in place of those it had; refuse with every problem at once."""
    doing.at("rest")
    hull = doing.side.hull(ship)
    if hull is None:
        raise refuse("unknown-ship", f"There is no ship {ship!r} in your force.", place="/ship", rule="D4.0")
    ship_class = doing.ship_class(hull.bought.ship_class)
    year = doing.scenario.opening.year
    problems = list(check_options(ship_class, options, year=year))
    if problems:
        raise ProblemsError(problems)
    bill = options_cost(ship_class, options, tactical_officer=hull.bought.grades.tactical, year=year)
    left = points_left(doing.scenario, doing.role) + hull.bought.options.total
    if bill.total > left:
        message = f"These options cost {bill.total} points; {left} are left."
        raise refuse("over-budget", message, place="", rule="D3.14")
    _replace_hull(doing, replace(hull, bought=replace(hull.bought, options=bill), options=options))
    doing.record("options", f"Options of {hull.name} for {bill.total} points.")


def name_ship(doing: Doing, ship: str, name: str) -> None:
    """Give an own ship another name, at any time before the battle."""
    if doing.scenario.stage in ("battle", "revealed"):
        doing.at()
    hull = doing.side.hull(ship)
    if hull is None:
        raise refuse("unknown-ship", f"There is no ship {ship!r} in your force.", place="/ship")
    problems = check_name(name)
    if not name.strip() or problems:
        raise ProblemsError(problems or [Problem("/name", "bad-name", "A ship has a name.")])
    _replace_hull(doing, replace(hull, name=name.strip()))
    doing.record("name", f"{hull.name} is called {name.strip()}.")


def _replace_hull(doing: Doing, changed: Hull) -> None:
    doing.change(ships=tuple(changed if one.ship == changed.ship else one for one in doing.side.ships))


@rule("D3.112", "D3.12", "D3.14", "D4.11", "D3.3/4")
def check_stage_bought(scenario: Scenario, role: Role, library: Library) -> tuple[Problem, ...]:
    """Return what keeps a side from being done with a purchase."""
    side = scenario.side(role)
    if scenario.stage == "first" and not side.ships:
        return (Problem("/ships", "no-ships", "The first purchase is a ship or more.", "D3.112"),)
    if scenario.stage == "lemon":
        offers = open_offers(scenario, role, library)
        if offers and not held(scenario, role):
            message = f"{points_left(scenario, role)} points of your opponent's are yours to spend: choose a ship."
            return (Problem("/ships", "tenth-unspent", message, "D3.12"),)
    if scenario.stage == "rest":
        return check_purchases(scenario.budget(role), side.purchases, missions=side.mission_keys)
    return ()


def options_of(document: Mapping[str, Any]) -> ShipOptions:
    """Return options from the plain fields of an act."""
    return ShipOptions(
        pods=document["pods"],
        pod_card=document["pod_card"],
        canister={mount: count for mount, count in document["canister"].items() if count},
        drones=document["drones"],
        parties=tuple((row, box) for row, box in document["parties"]),
        marines_ready=document["marines_ready"],
    )
