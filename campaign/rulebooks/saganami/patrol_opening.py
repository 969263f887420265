"""How a patrol scenario begins (D3.11): the agreement checked whole, and the scenario made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field, ValidationError

from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.engine.procedure import Input, problems_of
from campaign.rulebooks.saganami.grades import ShipGrades
from campaign.rulebooks.saganami.patrol import DEFAULT_BASE, DEFAULT_YEAR, ROLES, check_set_up
from campaign.rulebooks.saganami.patrol_buying import check_name
from campaign.rulebooks.saganami.patrol_dealing import check_deck
from campaign.rulebooks.saganami.patrol_force import offers_of
from campaign.rulebooks.saganami.patrol_scenario import Library, Opening, Scenario, SideOpening, SideState
from campaign.rulebooks.saganami.patrol_setup import HexSize
from campaign.rulebooks.saganami.source import rule

FEWEST_HULLS, MOST_HULLS = 3, 40
FEWEST_OF_A_CLASS, MOST_OF_A_CLASS = 2, 20
ALL_ELITE = ShipGrades("elite", "elite", "elite", "elite", "elite", "elite")


class SideIn(Input):
    """A side as agreed: its faction is a nation of the library."""

    faction: str = Field(max_length=80)
    name: str = Field(default="", max_length=40)
    seat: Literal["person", "automatic"] = "person"


class OpeningIn(Input):
    """What both agree on: year PD, base budget in points, sides, manners of cards and dice, bounds of a force."""

    year: int = DEFAULT_YEAR
    base: int = DEFAULT_BASE
    attacker: SideIn
    defender: SideIn
    cards: Literal["server", "table"] = "server"
    dice: Literal["server", "table"] = "server"
    hulls: int = 12
    of_a_class: int = 4
    hex_size: HexSize = "large"
    miracles: bool = False
    deck: list[str] = Field(default_factory=list, max_length=60, description="typed in by an umpire, from the top")


def load_opening(document: Any) -> Opening:
    """Return the opening of a document, or raise ProblemsError with everything that is wrong with its form."""
    try:
        given = OpeningIn.model_validate(document)
    except ValidationError as error:
        raise ProblemsError(problems_of(error, rule="D3.11")) from error
    sides = {}
    for role in ROLES:
        side = given.attacker if role == "attacker" else given.defender
        sides[role] = SideOpening(side.name.strip() or f"{role.capitalize()} force", side.faction, side.seat)
    return Opening(
        year=given.year,
        base=given.base,
        attacker=sides["attacker"],
        defender=sides["defender"],
        cards=given.cards,
        dice=given.dice,
        hulls=given.hulls,
        of_a_class=given.of_a_class,
        hex_size=given.hex_size,
        miracles=given.miracles,
        deck=tuple(card.strip().upper() for card in given.deck),
    )


@rule("D3.11", "D3.111", "D3.112")
def check_opening(opening: Opening, library: Library) -> tuple[Problem, ...]:
    """Return everything that is wrong with an agreement.

    The cheapest class of a faction must fit into the first purchase with the dearest grades, so that no
    roll can leave a side without a ship.
    """
    problems: list[Problem] = []
    for role in ROLES:
        side = opening.side(role)
        offers = offers_of(tuple(library.values()), side.faction, opening.year)
        costs = [offer.cost_with(ALL_ELITE) for offer in offers]
        for found in check_set_up(opening.base, opening.year, {side.faction: costs}):
            place = found.place.replace(pointer("factions", side.faction), pointer(role, "faction"))
            problems.append(replace(found, place=place))
        problems.extend(check_name(side.name, pointer(role, "name")))
    for name, number, least, most in (
        ("hulls", opening.hulls, FEWEST_HULLS, MOST_HULLS),
        ("of_a_class", opening.of_a_class, FEWEST_OF_A_CLASS, MOST_OF_A_CLASS),
    ):
        if not least <= number <= most:
            message = f"From {least} to {most} ships."
            problems.append(Problem(pointer(name), "out-of-range", message, "D3.112"))
    problems.extend(check_deck(opening.deck))
    if opening.deck and opening.cards == "table":
        message = "Either the whole deck is typed in, or each side types what it draws."
        problems.append(Problem("/deck", "deck-and-cards", message, "D3.13"))
    if any(opening.side(role).seat == "automatic" for role in ROLES) and "table" in (opening.cards, opening.dice):
        message = "An automatic side draws no real cards and throws no real dice."
        problems.append(Problem("/cards", "nobody-at-the-table", message, "D3.13"))
    return tuple(sorted(set(problems)))


@rule("D3.11")
def open_scenario(token: str, opening: Opening, library: Library, nonces: Mapping[str, str]) -> Scenario:
    """Return a new scenario, or raise ProblemsError with everything that is wrong with the agreement.

    ``nonces`` are the words that seats which are taken already mix into their dice.
    """
    problems = check_opening(opening, library)
    if problems:
        raise ProblemsError(problems)
    sides = {role: SideState(opening.side(role).name, nonce=nonces.get(role, "")) for role in ROLES}
    return Scenario(token, opening, sides["attacker"], sides["defender"])
