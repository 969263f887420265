"""Outward ids drawn from the umpire's dice: random letters that tell nothing of what else was made."""

from __future__ import annotations

from campaign.engine.dice import Roller

_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"  # no l, o, 0, 1: ids are read aloud at tables
LENGTH = 12


def new_token(roller: Roller) -> str:
    """Return an id of 12 letters, five bits each, from one roll of the umpire's stream."""
    return "".join(_ALPHABET[roller.die(len(_ALPHABET)) - 1] for _ in range(LENGTH))
