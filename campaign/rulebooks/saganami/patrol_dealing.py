"""The cards of a patrol scenario (D3.13): hands dealt or typed in, secret roles, further draws, free choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from campaign.engine.cards import CARDS, Deck, new_deck, title
from campaign.engine.errors import Problem, ProblemsError, refuse
from campaign.rulebooks.saganami.patrol import (
    CARDS_EACH,
    ROLES,
    Mission,
    MissionDraw,
    Role,
    assign,
    deal_hands,
    draw_mission,
    may_conceal,
    mission_on,
)
from campaign.rulebooks.saganami.patrol_doing import Doing
from campaign.rulebooks.saganami.patrol_scenario import MOST_COLLISIONS, UMPIRE, Scenario, SideState
from campaign.rulebooks.saganami.source import rule


@rule("D3.13")
def lay_out(doing: Doing) -> None:
    """Put the deck on the table when the cards' turn comes, and deal both hands unless they are drawn at the table."""
    opening = doing.scenario.opening
    if opening.cards == "table":
        doing.scenario = replace(doing.scenario, deck=Deck(CARDS))
        doing.record("deck", "A real deck is drawn from.", is_typed=True, by=UMPIRE)
        return
    if opening.deck:
        deck = Deck(opening.deck)
        doing.record("deck", "The umpire typed the deck in.", cards=opening.deck, is_typed=True, by=UMPIRE)
    else:
        dice = doing.scenario.dice(doing.seeds, 0)
        deck = new_deck(dice.umpire("cards", "deck", "shuffle"))
        doing.rolls.extend(dice.rolls())
        doing.record("deck", "The deck is shuffled.", cards=deck.pile, by=UMPIRE)
    first, second, deck = deal_hands(deck)
    doing.scenario = replace(doing.scenario, deck=_marked(doing.scenario, deck))
    for role, hand in zip(ROLES, (first, second), strict=True):
        doing.change(role, hand=hand)
        doing.record("deal", "Three cards.", cards=hand, is_typed=bool(opening.deck), by=role)


def _marked(scenario: Scenario, deck: Deck) -> Deck:
    """Return the deck with what was dealt marked as real cards, where the umpire typed it in."""
    return replace(deck, physical=deck.dealt) if scenario.opening.deck else deck


@rule("D3.13")
def type_hand(doing: Doing, cards: Sequence[str]) -> None:
    """Take the three cards that a side drew from a real deck; refuse one that is out already, or named twice."""
    doing.at("cards")
    _check_table(doing)
    if doing.side.hand:
        raise refuse("hand-dealt", "You hold your three cards.", place="/cards", rule="D3.13")
    if len(cards) != CARDS_EACH:
        raise refuse("not-three", f"Each side draws {CARDS_EACH} cards.", place="/cards", rule="D3.13")
    hand, deck = _deck(doing).take(cards)
    doing.scenario = replace(doing.scenario, deck=deck)
    doing.change(hand=hand)
    doing.record("hand", "Three cards from a real deck.", cards=hand, is_typed=True)


def note_collision(doing: Doing) -> None:
    """Count a typed card that was out already; both sides see the count, for it may be a way of asking."""
    doing.change(collisions=doing.side.collisions + 1)
    doing.record("collision", "A card was typed in that had been drawn.")


def _check_table(doing: Doing) -> None:
    if doing.scenario.opening.cards != "table":
        raise refuse("cards-not-typed", "This scenario's cards are dealt by the server.", place="/cards", rule="D3.13")
    if doing.side.collisions >= MOST_COLLISIONS:
        message = "Too many cards were typed in that had been drawn. Call this scenario off, and sort out the deck."
        raise refuse("deck-in-doubt", message, place="/cards", rule="D3.13")


def _deck(doing: Doing) -> Deck:
    deck = doing.scenario.deck
    if deck is None:
        raise LookupError("no deck at this stage")
    return deck


@rule("D3.13")
def lay_down(doing: Doing, multiplier: str, time: str, mission: str) -> None:
    """Give each of the three cards its use, face down; it cannot be taken back."""
    doing.at("cards")
    if not doing.side.hand:
        raise refuse("no-hand", "Draw your three cards first.", rule="D3.13")
    if doing.side.assignment is not None:
        raise refuse("laid-down", "Your cards lie face down already.", rule="D3.13")
    doing.change(assignment=assign(doing.side.hand, multiplier=multiplier, time=time, mission=mission))
    doing.record("assign", f"Multiplier {title(multiplier)}, time limit {title(time)}, mission {title(mission)}.",
                 cards=(multiplier, time, mission))  # fmt: skip
    _settle(doing)


def mission_draw(role: Role, side: SideState) -> MissionDraw | None:
    """Return how far a side has come in finding its mission, or None before its cards are laid down."""
    if side.assignment is None:
        return None
    return draw_mission(role, (side.assignment.mission, *side.followers), side.choice)


def can_conceal(role: Role, side: SideState) -> bool:
    """Say whether a side may draw one more card for show."""
    return side.assignment is not None and not side.followers and may_conceal(role, side.assignment.mission)


def _settle(doing: Doing) -> None:
    found = mission_draw(doing.role, doing.side)
    if found is not None and not found.needs:
        doing.change(missions=found.missions)


@rule("D3.13")
def draw_card(doing: Doing, card: str | None = None) -> None:
    """Draw the further card that a mission asks for, or one that only conceals; typed in where the deck is real."""
    doing.at("cards")
    found = mission_draw(doing.role, doing.side)
    if found is None:
        raise refuse("not-laid-down", "Give your three cards their uses first.", rule="D3.13")
    if found.needs != "card" and not can_conceal(doing.role, doing.side):
        raise refuse("no-draw", "You may draw no further card.", rule="D3.13")
    if doing.scenario.opening.cards == "table":
        _check_table(doing)
        if card is None:
            raise refuse("card-missing", "Type the card that you drew.", place="/card", rule="D3.13")
        try:
            drawn, deck = _deck(doing).take([card], "/card")
        except ProblemsError as error:
            raise ProblemsError(replace(one, place="/card") for one in error.problems) from error
    elif card is not None:
        raise refuse("cards-not-typed", "This scenario's cards are dealt by the server.", place="/card", rule="D3.13")
    else:
        drawn, deck = _deck(doing).deal(1)
        deck = _marked(doing.scenario, deck)
    doing.scenario = replace(doing.scenario, deck=deck)
    doing.change(followers=(*doing.side.followers, *drawn))
    is_typed = doing.scenario.opening.cards == "table" or bool(doing.scenario.opening.deck)
    doing.record("draw", f"A further card: the {title(drawn[0])}.", cards=drawn, is_typed=is_typed)
    _settle(doing)


@rule("D3.13", "D3.2/K", "D3.2/A")
def choose_mission(doing: Doing, listed: Role, rank: str) -> None:
    """Choose a mission where the cards leave a choice."""
    doing.at("cards")
    found = mission_draw(doing.role, doing.side)
    if found is None or found.needs != "choice":
        raise refuse("no-choice", "Your cards leave no choice.", rule="D3.13")
    choice: Mission | None = next((one for one in found.options if (one.listed, one.rank) == (listed, rank)), None)
    if choice is None:
        raise refuse("not-an-option", "This mission is not to be had here.", place="/rank", rule="D3.13")
    doing.change(choice=choice)
    doing.record("choose", f"The mission {mission_on(listed, rank).key}.")
    _settle(doing)


@rule("D3.13")
def check_cards_done(role: Role, side: SideState) -> tuple[Problem, ...]:
    """Return what keeps a side from being done with its cards."""
    if not side.hand:
        return (Problem("/cards", "no-hand", "Draw your three cards.", "D3.13"),)
    found = mission_draw(role, side)
    if found is None:
        return (Problem("/cards", "not-laid-down", "Give each card its use.", "D3.13"),)
    if found.needs == "card":
        return (Problem("/cards", "card-needed", "Your mission card asks for a further card.", "D3.13"),)
    if found.needs == "choice":
        return (Problem("/cards", "choice-needed", "Choose your mission.", "D3.13"),)
    return ()


@rule("D3.13")
def check_deck(cards: Sequence[str], *, place: str = "/deck") -> tuple[Problem, ...]:
    """Return what is wrong with a deck that was typed in: cards that are none, cards twice, too few of them."""
    try:
        Deck(CARDS).take(list(cards), place)
    except ProblemsError as error:
        return error.problems
    if cards and len(cards) < len(CARDS) // 2:
        message = f"Type the whole deck from the top, or at least {len(CARDS) // 2} cards of it."
        return (Problem(place, "deck-too-short", message, "D3.13"),)
    return ()
