"""Damage tracks of a ship's sheet: ordered boxes, marked off from the left (A2.67, C5.41).

A track is a tuple of boxes. Damage to a ship is the number of boxes lost on each of its tracks;
the first box that is not marked gives the present value, and ``after`` counts once all are gone.
Tracks are written as tokens, for example ``"s*6 C s*2 C s o4 X"``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from campaign.rulebooks.saganami.source import rule

Value = int | Fraction


class BoxKind(StrEnum):
    """The shapes a box can have on the sheet (A2.674, A2.675, C5.421, C5.422, C5.462, C7.32)."""

    SQUARE = "square"
    WRENCH = "wrench"
    CASCADE = "cascade"
    CIRCLE = "circle"
    OCTAGON = "octagon"
    SAIL = "sail"
    STAR = "star"
    PADDING = "padding"
    WEAPON = "weapon"


@dataclass(frozen=True, slots=True)
class Box:
    """One box: its shape, the value it gives while it is the first unmarked one, what is printed in it.

    ``number`` is the number of an octagon (roll it or higher on a d10) or of a circle (the penalty),
    and 0 elsewhere. ``weapon`` is the code a LAC's weapon circle sends the damage to ("M", "L", "P"; C7.323).
    """

    kind: BoxKind
    value: Value
    number: int = 0
    weapon: str = ""


@dataclass(frozen=True, slots=True)
class Track:
    """One damage track.

    ``code`` is the hit location code that marks it ("mag", "fwd", "SI"). ``counts`` is False where
    the boxes are ammunition and not boxes of the ship (magazine dots, LAC launchers), which are left
    out of the victory count of D2.223.
    """

    name: str
    code: str
    boxes: tuple[Box, ...]
    after: Value = 0
    counts: bool = True

    def value(self, lost: int) -> Value:
        """Return the value of the first unmarked box, or ``after`` when all are marked (A2.671, A2.672)."""
        return value_after(self, lost)


@rule("A2.671", "A2.672", "C5.41", "C5.45", "C5.464")
def value_after(track: Track, lost: int) -> Value:
    """Return the value of the leftmost unmarked box after ``lost`` boxes, or ``after`` when none is left."""
    if lost < 0:
        raise ValueError(f"{track.name}: {lost} boxes lost")
    return track.boxes[lost].value if lost < len(track.boxes) else track.after


@dataclass(frozen=True, slots=True)
class Token:
    """One written token: shape, printed number and weapon letter."""

    kind: BoxKind
    number: int = 0
    weapon: str = ""


class TokenError(ValueError):
    """A track's text holds a token that is not known there."""

    def __init__(self, token: str, allowed: str) -> None:
        self.token = token
        super().__init__(f"Unknown token {token!r}; this track takes {allowed}.")


_LETTERS = {
    "s": BoxKind.SQUARE,
    "w": BoxKind.WRENCH,
    "C": BoxKind.CASCADE,
    "W": BoxKind.SAIL,
    "X": BoxKind.STAR,
    "b": BoxKind.PADDING,
}
_NAMES = {kind: letter for letter, kind in _LETTERS.items()}
_TOKEN = re.compile(r"(?:(?P<letter>[swCWXb])|(?P<weapon>[MLGP])|o(?P<octagon>\d{1,2})|c(?P<circle>-?\d{1,2}))")
_MOST_REPEATS = 200


@rule("A2.674", "A2.675")
def read_tokens(text: str, kinds: Sequence[BoxKind]) -> tuple[Token, ...]:
    """Read the tokens of a track's text; only boxes of the given kinds are allowed.

    Raises TokenError for the first token that is unknown, of a kind that this track does not take,
    or repeated less than once or more than 200 times.
    """
    allowed = ", ".join(kind.value for kind in kinds)
    tokens: list[Token] = []
    for word in text.split():
        body, star, repeat = word.partition("*")
        token = _read_token(body)
        if token is None or token.kind not in kinds:
            raise TokenError(word, allowed)
        times = 1
        if star:
            if not repeat.isascii() or not repeat.isdigit() or not 1 <= int(repeat[:4]) <= _MOST_REPEATS:
                raise TokenError(word, allowed)
            times = int(repeat[:4])
        tokens.extend([token] * times)
    return tuple(tokens)


def _read_token(body: str) -> Token | None:
    found = _TOKEN.fullmatch(body)
    if found is None:
        return None
    if found["letter"]:
        return Token(_LETTERS[found["letter"]])
    if found["weapon"]:
        return Token(BoxKind.WEAPON, weapon=found["weapon"])
    if found["octagon"]:
        number = int(found["octagon"])
        return Token(BoxKind.OCTAGON, number) if 1 <= number <= 10 else None
    return Token(BoxKind.CIRCLE, int(found["circle"]))


def write_tokens(boxes: Iterable[Box]) -> str:
    """Write boxes as the shortest token text; ``read_tokens`` reads it back."""
    words: list[tuple[str, int]] = []
    for box in boxes:
        word = _write_token(box)
        if words and words[-1][0] == word:
            words[-1] = (word, words[-1][1] + 1)
        else:
            words.append((word, 1))
    return " ".join(word if times == 1 else f"{word}*{times}" for word, times in words)


def _write_token(box: Box) -> str:
    if box.kind is BoxKind.WEAPON:
        return box.weapon
    if box.kind is BoxKind.OCTAGON:
        return f"o{box.number}"
    if box.kind is BoxKind.CIRCLE:
        return f"c{box.number}"
    return _NAMES[box.kind]


def left_track(name: str, code: str, tokens: Sequence[Token], *, counts: bool = True) -> Track:
    """Return a track whose value is the number of boxes left (hull, impellers, life support, weapons)."""
    return _track(name, code, tokens, lambda index, token: len(tokens) - index, counts=counts)


def count_track(name: str, code: str, count: int, *, counts: bool = True) -> Track:
    """Return a track of plain squares that counts down to 0."""
    return left_track(name, code, (Token(BoxKind.SQUARE),) * count, counts=counts)


def number_track(name: str, code: str, values: Sequence[Value], after: Value = 0) -> Track:
    """Return a track of squares with a printed value each."""
    return Track(name, code, tuple(Box(BoxKind.SQUARE, value) for value in values), after)


@rule("C5.4411")
def penalty_track(name: str, code: str, tokens: Sequence[Token], after: int) -> Track:
    """Return a track whose value is the penalty printed in its circles, and 0 in its squares (C5.4411)."""
    return _track(name, code, tokens, lambda index, token: token.number, after=after)


def _track(
    name: str,
    code: str,
    tokens: Sequence[Token],
    value: Callable[[int, Token], int],
    *,
    after: int = 0,
    counts: bool = True,
) -> Track:
    boxes = tuple(
        Box(token.kind, value(index, token), token.number, token.weapon) for index, token in enumerate(tokens)
    )
    return Track(name, code, boxes, after, counts)
