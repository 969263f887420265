"""Decks of cards: dealt, taken from a real deck, discarded, shuffled again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.cards import CARDS, Deck, load_deck, new_deck, parse_card, rank, suit, title
from campaign.engine.dice import SeedDice
from campaign.engine.errors import ProblemsError


def fresh(seed: str = "one") -> Deck:
    """Return a shuffled deck."""
    return new_deck(SeedDice(seed))


def problems_of(raised: pytest.ExceptionInfo[ProblemsError]) -> list[tuple[str, str]]:
    """Return place and code of the problems raised."""
    return [(problem.place, problem.code) for problem in raised.value.problems]


def test_a_deck_has_each_of_52_cards_once() -> None:
    """Four suits of thirteen ranks, in an order that hangs on the dice."""
    assert len(CARDS) == len(set(CARDS)) == 52
    assert sorted(fresh().pile) == sorted(CARDS)
    assert fresh("one").pile == fresh("one").pile != fresh("two").pile


def test_a_card_is_its_rank_and_its_suit() -> None:
    """As people write and as they say it."""
    assert (rank("10H"), suit("10H"), title("10H")) == ("10", "H", "10 of hearts")
    assert title("AS") == "ace of spades"
    assert parse_card(" 10h ") == "10H"


@pytest.mark.parametrize("text", ["1H", "AX", "10", "", "A", 10, None, "11H", "AAS"])
def test_what_is_no_card_is_refused(text: object) -> None:
    """With its place."""
    with pytest.raises(ProblemsError) as raised:
        parse_card(text, "/card", "D3.14")
    assert problems_of(raised) == [("/card", "not-a-card")]


def test_cards_are_dealt_from_the_top_in_order() -> None:
    """The deck before stays as it was."""
    deck = fresh()
    cards, after = deck.deal(3)
    more, last = after.deal()
    assert cards + more == deck.pile[:4]
    assert last.dealt == deck.pile[:4]
    assert last.pile == deck.pile[4:]
    assert deck == fresh()
    assert last.physical == ()


def test_more_cards_than_are_left_cannot_be_dealt() -> None:
    """The last one can."""
    _, deck = fresh().deal(51)
    assert deck.deal(1)[1].pile == ()
    with pytest.raises(ProblemsError) as raised:
        deck.deal(2)
    assert problems_of(raised) == [("", "deck-too-short")]
    with pytest.raises(ProblemsError):
        deck.deal(-1)


def test_cards_from_a_real_deck_are_taken_by_name_and_marked() -> None:
    """The order of the rest stays."""
    deck = fresh()
    middle, low = deck.pile[20], deck.pile[40]
    taken, after = deck.take([low.lower(), middle])
    assert taken == after.dealt == after.physical == (low, middle)
    assert after.pile == tuple(card for card in deck.pile if card not in (low, middle))


def test_every_fault_of_taken_cards_is_told() -> None:
    """Not a card, named twice, already drawn or laid down, and not in the deck, each with its place."""
    deck = Deck(pile=("AS", "KS"), dealt=("QS",), discards=("JS",))
    with pytest.raises(ProblemsError) as raised:
        deck.take(["AS", "as", "QS", "JS", "2H", "joker"], "/drawn")
    assert problems_of(raised) == [
        ("/drawn/1", "card-twice"),
        ("/drawn/2", "card-already-drawn"),
        ("/drawn/3", "card-already-drawn"),
        ("/drawn/4", "card-not-in-deck"),
        ("/drawn/5", "not-a-card"),
    ]


def test_only_dealt_cards_are_laid_down() -> None:
    """In the order given; every other one is a problem."""
    _, deck = fresh().deal(3)
    one, two, three = deck.dealt
    after = deck.discard([three, one])
    assert after.discards == (three, one)
    assert after.dealt == (two,)
    with pytest.raises(ProblemsError) as raised:
        after.discard([one, two, two])
    assert problems_of(raised) == [("/cards/0", "card-not-dealt"), ("/cards/2", "card-twice")]


def test_the_rest_is_shuffled_without_what_was_drawn() -> None:
    """What is dealt or laid down stays there, and the new order hangs on the dice alone, not on the old order."""
    _, deck = fresh("one").deal(5)
    deck = deck.discard(deck.dealt[:2])
    again = deck.reshuffle_rest(SeedDice("again"))
    assert (again.dealt, again.discards) == (deck.dealt, deck.discards)
    assert sorted(again.pile) == sorted(deck.pile)
    assert again.pile != deck.pile
    backwards = Deck(deck.pile[::-1], deck.dealt, deck.discards)
    assert backwards.reshuffle_rest(SeedDice("again")) == again


def test_discards_and_hands_come_back_into_the_pile() -> None:
    """Discards alone, or everything; marks of real cards end when they return."""
    deck = fresh()
    _, deck = deck.take([deck.pile[7], deck.pile[9]])
    deck = deck.discard(deck.dealt[:1])
    gathered = deck.gather_discards(SeedDice("x"))
    assert len(gathered.pile) == 51
    assert gathered.dealt == gathered.physical == deck.dealt
    assert gathered.discards == ()
    whole = deck.gather_all(SeedDice("x"))
    assert (sorted(whole.pile), whole.dealt, whole.discards, whole.physical) == (sorted(CARDS), (), (), ())


@given(st.integers(0, 30), st.integers(0, 10), st.text(max_size=5))
def test_a_deck_comes_back_from_the_snapshot(deal: int, taken: int, seed: str) -> None:
    """Order, hands, discards and marks."""
    cards, deck = fresh(seed).deal(deal)
    _, deck = deck.take(deck.pile[5 : 5 + taken])
    deck = deck.discard(cards[::2])
    assert load_deck(deck.as_document()) == deck
    assert sorted(deck.pile + deck.dealt + deck.discards) == sorted(CARDS)


def test_a_document_that_is_no_deck_is_refused_with_every_fault() -> None:
    """A card twice, an unknown card, no list, and a mark on a card that was never drawn."""
    with pytest.raises(ProblemsError) as raised:
        load_deck(
            {"pile": ["AS", "AS", "1X"], "dealt": ["AS", "KH"], "discards": "QS", "physical": ["KH", "KH", "AD"]},
            "/deck",
        )
    assert problems_of(raised) == [
        ("/deck/dealt/0", "card-twice"),
        ("/deck/discards", "not-a-deck"),
        ("/deck/physical/1", "card-twice"),
        ("/deck/physical/2", "card-not-drawn"),
        ("/deck/pile/1", "card-twice"),
        ("/deck/pile/2", "not-a-card"),
    ]
    with pytest.raises(ProblemsError) as raised:
        load_deck([], "/deck")
    assert problems_of(raised) == [("/deck", "not-a-deck")]
