"""Playing cards as the pages of a patrol scenario draw them."""

from __future__ import annotations

from django import template

from campaign.engine.cards import rank, suit

register = template.Library()

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@register.filter
def card_sign(card: str) -> str:
    """Return the sign of a card's suit."""
    return SIGNS[suit(card)]


@register.filter
def card_mark(card: str) -> str:
    """Return a card as its corner shows it: "10♥"."""
    return rank(card) + SIGNS[suit(card)]


@register.filter
def is_red(card: str) -> bool:
    """Say whether a card is of hearts or diamonds."""
    return suit(card) in "HD"
