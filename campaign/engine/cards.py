"""Decks of playing cards: an explicit order, dealt from, discarded to and shuffled with the turn's dice.

A card is its rank and its suit, "AS" or "10H". A deck is a value: every act returns a new one, so it
lies in the snapshot and a rollback finds the order as it was. Cards that people drew from a real
deck are taken by name and stay marked as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.engine.dice import Roller, shuffled
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
SUITS = ("S", "H", "D", "C")
CARDS: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

_SUIT_NAMES: Mapping[str, str] = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_RANK_NAMES: Mapping[str, str] = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}


def rank(card: str) -> str:
    """Return the rank of a card: "10" for "10H"."""
    return card[:-1]


def suit(card: str) -> str:
    """Return the suit of a card: "H" for "10H"."""
    return card[-1]


def title(card: str) -> str:
    """Return a card as a player says it: "10 of hearts", "ace of spades"."""
    return f"{_RANK_NAMES.get(rank(card), rank(card))} of {_SUIT_NAMES[suit(card)]}"


def parse_card(text: Any, place: str = "", rule: str = "") -> str:
    """Return the card that a person wrote, as "10h" or "AS".

    Raises ``ProblemsError`` with code "not-a-card".
    """
    card = text.strip().upper() if isinstance(text, str) else ""
    if card not in CARDS:
        message = f"{text!r} is no card: write the rank (A, K, Q, J, 10 to 2) and the suit (S, H, D, C), as 10H."
        raise refuse("not-a-card", message, place=place, rule=rule)
    return card


@dataclass(frozen=True, slots=True)
class Deck:
    """One deck: ``pile`` from the top down, ``dealt`` in the order dealt, ``discards`` in the order laid down.

    ``physical`` are those among the dealt and the discarded that came from a real deck.
    """

    pile: tuple[str, ...]
    dealt: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    physical: tuple[str, ...] = field(default=())

    def deal(self, count: int = 1) -> tuple[tuple[str, ...], Deck]:
        """Return the top cards and the deck without them.

        Raises ``ProblemsError`` ("deck-too-short") where fewer are left than are asked for.
        """
        if not 0 <= count <= len(self.pile):
            raise refuse("deck-too-short", f"{count} cards were asked for, {len(self.pile)} are left.")
        cards = self.pile[:count]
        return cards, replace(self, pile=self.pile[count:], dealt=self.dealt + cards)

    def take(self, cards: Sequence[Any], place: str = "/cards") -> tuple[tuple[str, ...], Deck]:
        """Return the named cards, drawn by people from a real deck, and the deck without them.

        Raises ``ProblemsError`` with every problem: "not-a-card", "card-twice",
        "card-already-drawn" (it is dealt or discarded), "card-not-in-deck".
        """
        found: list[str] = []
        problems: list[Problem] = []
        for index, text in enumerate(cards):
            here = place + pointer(index)
            try:
                card = parse_card(text, here)
            except ProblemsError as error:
                problems.extend(error.problems)
                continue
            if card in found:
                problems.append(Problem(here, "card-twice", f"The {title(card)} is named twice."))
            elif card in self.dealt or card in self.discards:
                problems.append(Problem(here, "card-already-drawn", f"The {title(card)} has already been drawn."))
            elif card not in self.pile:
                problems.append(Problem(here, "card-not-in-deck", f"The {title(card)} is not in this deck."))
            found.append(card)
        if problems:
            raise ProblemsError(problems)
        taken = tuple(found)
        pile = tuple(card for card in self.pile if card not in taken)
        return taken, replace(self, pile=pile, dealt=self.dealt + taken, physical=self.physical + taken)

    def discard(self, cards: Iterable[str], place: str = "/cards") -> Deck:
        """Return the deck with these dealt cards laid down.

        Raises ``ProblemsError`` with every card that is not dealt ("card-not-dealt") or named twice ("card-twice").
        """
        dealt = list(self.dealt)
        laid: list[str] = []
        problems = []
        for index, card in enumerate(cards):
            here = place + pointer(index)
            if card in laid:
                problems.append(Problem(here, "card-twice", f"{card} is named twice."))
            elif card not in dealt:
                problems.append(Problem(here, "card-not-dealt", f"{card} is not dealt, so it cannot be laid down."))
            else:
                dealt.remove(card)
                laid.append(card)
        if problems:
            raise ProblemsError(problems)
        return replace(self, dealt=tuple(dealt), discards=self.discards + tuple(laid))

    def reshuffle_rest(self, roller: Roller) -> Deck:
        """Return the deck with its undealt rest in a new order; what is dealt or discarded stays."""
        return replace(self, pile=tuple(shuffled(_in_order(self.pile), roller)))

    def gather_discards(self, roller: Roller) -> Deck:
        """Return the deck with the discards back in the pile, and that shuffled; what is dealt stays dealt."""
        pile = tuple(shuffled(_in_order(self.pile + self.discards), roller))
        physical = tuple(card for card in self.physical if card not in self.discards)
        return replace(self, pile=pile, discards=(), physical=physical)

    def gather_all(self, roller: Roller) -> Deck:
        """Return the whole deck, shuffled."""
        return Deck(tuple(shuffled(_in_order(self.pile + self.dealt + self.discards), roller)))

    def as_document(self) -> dict[str, list[str]]:
        """Return the deck as it lies in the snapshot."""
        return {
            "pile": list(self.pile),
            "dealt": list(self.dealt),
            "discards": list(self.discards),
            "physical": list(self.physical),
        }


def new_deck(roller: Roller, cards: Iterable[str] = CARDS) -> Deck:
    """Return a shuffled deck of the given cards (all 52 unless told)."""
    return Deck(tuple(shuffled(_in_order(cards), roller)))


def load_deck(document: Any, place: str = "") -> Deck:
    """Return the deck in a document, as ``as_document`` made it.

    Raises ``ProblemsError`` with every problem: "not-a-deck", "not-a-card", "card-twice",
    "card-not-drawn" (marked as from a real deck, but neither dealt nor discarded).
    """
    if not isinstance(document, Mapping):
        raise refuse("not-a-deck", "A deck is an object of pile, dealt, discards and physical.", place=place)
    parts: dict[str, tuple[str, ...]] = {}
    problems: list[Problem] = []
    drawn_or_not: list[str] = []
    for name in ("pile", "dealt", "discards", "physical"):
        listed = document.get(name, [])
        if not isinstance(listed, (list, tuple)):
            problems.append(Problem(place + pointer(name), "not-a-deck", "Cards are written as a list."))
            continue
        cards: list[str] = []
        others = cards if name == "physical" else drawn_or_not
        for index, card in enumerate(listed):
            here = place + pointer(name, index)
            if card not in CARDS:
                problems.append(Problem(here, "not-a-card", f"{card!r} is no card."))
            elif card in others:
                problems.append(Problem(here, "card-twice", f"{card} is in this deck twice."))
            elif name == "physical" and card not in (*parts.get("dealt", ()), *parts.get("discards", ())):
                problems.append(Problem(here, "card-not-drawn", f"{card} has not been drawn."))
            cards.append(card)
            if name != "physical":
                drawn_or_not.append(card)
        parts[name] = tuple(cards)
    if problems:
        raise ProblemsError(problems)
    return Deck(parts["pile"], parts["dealt"], parts["discards"], parts["physical"])


def _in_order(cards: Iterable[str]) -> list[str]:
    """Return cards in the order of a new deck, so that a shuffle hangs on its dice alone."""
    return sorted(cards, key=CARDS.index)
