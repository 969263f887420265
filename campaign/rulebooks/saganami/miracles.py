"""Miracle-grade commanders (D1.2): who may have one, when cards are drawn, and what a hand is worth.

The cards lie in a ``Miracles`` value: a deck, the commander's hand as the cards dealt from it, and what
a hand of 19 or more has opened. Every act returns a new value and never rolls but through the dice it
is handed. What a miracle can do is in ``miracle_effects``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from campaign.engine.cards import RANKS, Deck, load_deck, new_deck, parse_card, rank
from campaign.engine.dice import Roller
from campaign.engine.errors import pointer, refuse
from campaign.rulebooks.saganami.source import rule

Level: TypeAlias = Literal["superb", "excellent", "legendary"]
LEVELS: tuple[Level, ...] = get_args(Level)
Scale: TypeAlias = Literal["tactical", "operational"]
SCALES: tuple[Scale, ...] = get_args(Scale)

# D1.231, D1.232, D1.233: the turn at whose end the first card is drawn, and the turns from card to card.
DRAWS: Mapping[Level, tuple[int, int]] = {"superb": (6, 4), "excellent": (4, 3), "legendary": (2, 3)}

BLACK_JACK = 21
MIRACLE_FROM = 19  # D1.222
FACE_VALUE = 10
HIGH_ACE = 10  # what an ace counts beyond one when it counts eleven
MAXIMUM_COUNT = 1000


@rule("D1.23")
def level_number(level: Level) -> int:
    """Return how many diamonds stand after the ship's name: 1 superb, 2 excellent, 3 legendary."""
    return LEVELS.index(level) + 1


@rule("D1.22", "D3.42")
def is_eligible(own_points: int, enemy_points: int) -> bool:
    """Say whether a side fights at a disadvantage of a fifth or more in points."""
    if own_points <= 0 or enemy_points <= 0:
        raise refuse("no-cost", "A force costs at least one point.", place="/own_points", rule="D1.22")
    return own_points * 5 <= enemy_points * 4


@rule("D1.236", "D1.211", "D3.42")
def may_command(own_points: int, enemy_points: int, *, is_campaign_rule: bool, consents: Mapping[str, bool]) -> bool:
    """Say whether a side may have a miracle-grade commander in a battle.

    It must be eligible, and the campaign must play with miracles or every other side allow it
    (``consents``: the other sides' answers). The commander has no price: no ship's cost changes.
    """
    is_allowed = is_campaign_rule or (bool(consents) and all(consents.values()))
    return is_allowed and is_eligible(own_points, enemy_points)


@rule("D1.231", "D1.232", "D1.233", "D1.234")
def draw_turns(level: Level, count: int) -> tuple[int, ...]:
    """Return the first ``count`` turns at whose end a card is drawn; the same on both scales."""
    if not 1 <= count <= MAXIMUM_COUNT:
        message = f"Ask for 1 to {MAXIMUM_COUNT} turns."
        raise refuse("out-of-range", message, place="/count", rule="D1.23")
    first, step = DRAWS[level]
    return tuple(range(first, first + step * count, step))


@rule("D1.231", "D1.232", "D1.233", "D1.2211")
def is_draw_turn(level: Level, turn: int) -> bool:
    """Say whether a card must be drawn at the end of a turn, counted from 1 on the present scale."""
    first, step = DRAWS[level]
    return turn >= first and (turn - first) % step == 0


@dataclass(frozen=True, slots=True)
class Hand:
    """What a hand counts: its total, whether it is over 21, and 19, 20 or 21 for the miracle it opens."""

    total: int
    is_bust: bool
    miracle: int | None


def rank_of(card: Any, *, place: str = "", rule_key: str = "") -> str:
    """Return the rank of a card written with its suit ("10H") or without ("10"); refuse what is no card."""
    text = card.strip().upper() if isinstance(card, str) else ""
    return text if text in RANKS else rank(parse_card(card, place, rule_key))


@rule("D1.221", "D1.222")
def count_hand(cards: Sequence[str]) -> Hand:
    """Return what a hand of cards (ranks, or ranks with suits) counts.

    Number cards count what they show, face cards ten, one ace eleven where that does not go over 21
    and every other ace one.
    """
    ranks = [rank_of(card, place=pointer("cards", index), rule_key="D1.221") for index, card in enumerate(cards)]
    total = sum(1 if one == "A" else FACE_VALUE if one in ("K", "Q", "J") else int(one) for one in ranks)
    if "A" in ranks and total + HIGH_ACE <= BLACK_JACK:
        total += HIGH_ACE
    is_bust = total > BLACK_JACK
    return Hand(total, is_bust, total if total >= MIRACLE_FROM and not is_bust else None)


@dataclass(frozen=True, slots=True)
class Persisting:
    """A miracle that goes on: the effect's key, the declared choices, the turn it began and the last one (or None)."""

    effect: str
    choices: tuple[tuple[str, Any], ...]
    since: int
    until: int | None


@dataclass(frozen=True, slots=True)
class Miracles:
    """One commander's cards.

    The hand is what is dealt from ``deck``. ``turn`` is the last turn (of this scale) for which draws
    were made, ``opened`` the miracle the present hand has opened and not spent (19, 20, 21 or None).
    ``spent_21`` are the level 21 effects that were used: none may be used twice. ``persisting`` last
    beyond their turn.
    """

    commander: str
    level: Level
    scale: Scale
    deck: Deck
    turn: int = 0
    opened: int | None = None
    spent_21: tuple[str, ...] = ()
    persisting: tuple[Persisting, ...] = ()

    @property
    def hand(self) -> tuple[str, ...]:
        """Return the cards of the hand, in the order drawn; they lie face down (D1.221)."""
        return self.deck.dealt

    @property
    def face_up(self) -> tuple[str, ...]:
        """Return the cards that the enemy may see: none, until a hand is complete (D1.221)."""
        return self.hand if self.opened is not None else ()

    def as_document(self) -> dict[str, Any]:
        """Return the cards as they lie in the snapshot."""
        return {
            "commander": self.commander,
            "level": self.level,
            "scale": self.scale,
            "deck": self.deck.as_document(),
            "turn": self.turn,
            "opened": self.opened,
            "spent_21": list(self.spent_21),
            "persisting": [
                {"effect": one.effect, "choices": dict(one.choices), "since": one.since, "until": one.until}
                for one in self.persisting
            ],
        }


def load_miracles(document: Mapping[str, Any]) -> Miracles:
    """Return a commander's cards from their document."""
    return Miracles(
        commander=document["commander"],
        level=document["level"],
        scale=document["scale"],
        deck=load_deck(document["deck"], "/deck"),
        turn=document["turn"],
        opened=document["opened"],
        spent_21=tuple(document["spent_21"]),
        persisting=tuple(
            Persisting(one["effect"], tuple(sorted(one["choices"].items())), one["since"], one["until"])
            for one in document["persisting"]
        ),
    )


@dataclass(frozen=True, slots=True)
class Draw:
    """What the end of a turn brought: the card, whether the hand went over, the miracle open afterwards.

    ``lapsed`` is the miracle that was open and had not been used when this card came (D1.235).
    """

    turn: int
    card: str
    total: int
    is_bust: bool
    opened: int | None
    lapsed: int | None


def new_miracles(commander: str, level: Level, scale: Scale, roller: Roller) -> Miracles:
    """Return a commander's cards at the beginning: a shuffled deck, no hand."""
    return Miracles(commander, level, scale, new_deck(roller))


@rule("D1.2211", "D1.221", "D1.222", "D1.235")
def end_turn(miracles: Miracles, roller: Roller, typed: Sequence[str] = ()) -> tuple[Miracles, Draw | None]:
    """Return the cards after the end of the next turn, and the draw if one was due; a due draw cannot be declined.

    A card joins the hand as it is: an unused miracle lapses, and the new card may raise it, or break
    the hand. A broken hand is shuffled back and begins again. ``typed`` is the card where people drew
    a real one.
    """
    turn = miracles.turn + 1
    kept = tuple(one for one in miracles.persisting if one.until is None or one.until > turn)
    after = replace(miracles, turn=turn, persisting=kept)
    if not is_draw_turn(miracles.level, turn):
        if typed:
            raise refuse("no-draw-due", f"No card is drawn on turn {turn}.", place="/cards", rule="D1.2211")
        return after, None
    if len(typed) > 1:
        raise refuse("one-card", "One card is drawn at a time.", place="/cards", rule="D1.23")
    cards, deck = miracles.deck.take(typed) if typed else miracles.deck.deal()
    hand = count_hand(deck.dealt)
    draw = Draw(turn, cards[0], hand.total, hand.is_bust, hand.miracle, miracles.opened)
    if hand.is_bust:
        deck = deck.gather_all(roller)
    return replace(after, deck=deck, opened=hand.miracle), draw


@rule("D1.234", "D1.26")
def change_scale(miracles: Miracles, scale: Scale, roller: Roller) -> Miracles:
    """Return the cards after a change of scale: all shuffled, draws counted anew, lasting effects over.

    Which level 21 effects were used is remembered.
    """
    if scale == miracles.scale:
        raise refuse("same-scale", f"The game is on the {scale} scale already.", place="/scale", rule="D1.234")
    deck = miracles.deck.gather_all(roller)
    return replace(miracles, scale=scale, deck=deck, turn=0, opened=None, persisting=())


@rule("D1.235", "D1.26")
def spend(
    miracles: Miracles, effect: str, level: int, choices: Mapping[str, Any], turns: int | None, roller: Roller
) -> Miracles:
    """Return the cards after a miracle was used: the hand is shuffled back and begins again.

    ``level`` is the list the effect stands in; a better hand may use a lower list. ``turns`` is how
    long it lasts beyond the present turn (0: it does not, None: to the end of the combat).
    """
    if miracles.opened is None:
        raise refuse("no-miracle", "The hand has opened no miracle.", place="/effect", rule="D1.222")
    if level > miracles.opened:
        message = f"A hand of {miracles.opened} does not reach a miracle of {level}."
        raise refuse("hand-too-low", message, place="/effect", rule="D1.222")
    if effect in miracles.spent_21:
        raise refuse("used-before", "A level 21 miracle is used once.", place="/effect", rule="D1.26")
    spent = (*miracles.spent_21, effect) if level == BLACK_JACK else miracles.spent_21
    persisting = miracles.persisting
    if turns != 0:
        since = miracles.turn + 1
        until = None if turns is None else since + turns
        persisting = (*persisting, Persisting(effect, tuple(sorted(choices.items())), since, until))
    return replace(miracles, deck=miracles.deck.gather_all(roller), opened=None, spent_21=spent, persisting=persisting)
