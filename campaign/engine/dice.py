"""Dice by address: all chance of a turn comes from here, and can be recomputed by anyone.

A stream is HMAC-SHA256 in counter mode: block k of an address is
``HMAC(key, canonical address JSON + 0x00 + k as 4 big-endian bytes)``. A die of s sides takes the
stream's bytes in order, drops those at or above the largest multiple of s below 256, and shows
``byte % s + 1``; so no face is favoured. One roll more at one address changes no other address.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from campaign.engine.errors import Problem, ProblemsError, pointer

LATE = "late"  # what a side without a sheet mixes in instead of a nonce


class Roller(Protocol):
    """Whatever can roll a die and remembers the faces it showed."""

    @property
    def faces(self) -> list[int]:
        """The faces shown so far, in order."""
        ...

    def die(self, sides: int = 10) -> int:
        """Return the next face, 1 to ``sides``."""
        ...


def d10_difference(roller: Roller) -> int:
    """Roll two d10 and return the larger less the smaller (0 to 9)."""
    first, second = roller.die(), roller.die()
    return abs(first - second)


def d10_sum(roller: Roller) -> int:
    """Roll two d10 and return their sum (2 to 20)."""
    return roller.die() + roller.die()


def three_d10(roller: Roller, which: str) -> int:
    """Roll three d10 and return the "low", "med" or "hi" one."""
    ordered = sorted(roller.die() for _ in range(3))
    return ordered[("low", "med", "hi").index(which)]


def shift_column(column: int, shift: int, *, last: int, first: int = 1) -> int:
    """Return a table column moved by ``shift``, held between the first and the last."""
    return min(max(column + shift, first), last)


@dataclass(slots=True)
class TypedDice:
    """Faces typed in by a person, taken in order; a d10 prints its ten as 0, so either may be typed for it."""

    typed: list[Any]
    place: str = "/dice"
    sides: int = 10
    faces: list[int] = field(default_factory=list)

    def die(self, sides: int = 10) -> int:
        """Return the next typed face; refuse a missing one or one that is not on the die."""
        index = len(self.faces)
        if index >= len(self.typed):
            raise ProblemsError([Problem(self.place, "too-few-dice", "More dice are needed than were given.")])
        face = self.typed[index]
        if sides == 10 and face == 0 and not isinstance(face, bool):
            face = 10
        if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= sides:
            place = self.place + pointer(index)
            raise ProblemsError([Problem(place, "not-a-face", f"A die here shows 1 to {sides}.")])
        self.faces.append(face)
        return face

    def finish(self) -> None:
        """Refuse faces that nobody took."""
        if len(self.faces) < len(self.typed):
            raise ProblemsError([Problem(self.place, "too-many-dice", "More dice were given than the rule rolls.")])


class Stream:
    """The dice of one address."""

    __slots__ = ("_block", "_counter", "_key", "_message", "_position", "faces")

    def __init__(self, key: bytes, address: str) -> None:
        self._key = key
        self._message = address.encode() + b"\x00"
        self._counter = 0
        self._block = b""
        self._position = 0
        self.faces: list[int] = []

    def die(self, sides: int = 10) -> int:
        """Return the next face of this address, 1 to ``sides`` (1 to 256, or ``ValueError``)."""
        if not 1 <= sides <= 256:
            raise ValueError(f"A die has 1 to 256 sides, not {sides}.")
        bound = 256 - 256 % sides
        while True:
            if self._position == len(self._block):
                message = self._message + self._counter.to_bytes(4, "big")
                self._block = hmac.digest(self._key, message, "sha256")
                self._counter += 1
                self._position = 0
            value = self._block[self._position]
            self._position += 1
            if value < bound:
                face = value % sides + 1
                self.faces.append(face)
                return face


class SeedDice(Stream):
    """Dice for the rules desk: a text is the seed, there is one address."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed.encode(), canonical(["rules-desk"]))


@dataclass(frozen=True, slots=True)
class Roll:
    """What a roll showed: whose stream, which address, the faces in order, and whether a person typed them in."""

    stream: str
    address: tuple[str | int, ...]
    faces: tuple[int, ...]
    is_typed: bool = False

    def as_document(self) -> dict[str, Any]:
        """Return the roll as it is stored and shown; only typed ones carry "typed"."""
        document: dict[str, Any] = {"stream": self.stream, "address": list(self.address), "faces": list(self.faces)}
        if self.is_typed:
            document["typed"] = True
        return document


class TurnDice:
    """The dice of one turn: a stream for each side, and the umpire's.

    ``keys`` come from ``turn_keys``. ``prefix`` is (campaign, branch, turn). Physical dice that a
    GM typed in are handed over as ``typed``: canonical address to faces, and marked in the record.
    """

    UMPIRE = "umpire"

    def __init__(
        self,
        keys: Mapping[str, bytes],
        prefix: tuple[str | int, ...],
        typed: Mapping[str, list[int]] | None = None,
    ) -> None:
        self._keys = dict(keys)
        self._prefix = prefix
        self._typed = dict(typed or {})
        self._counts: dict[tuple[str, tuple[str | int, ...]], int] = {}
        self._opened: list[tuple[str, tuple[str | int, ...], Roller]] = []

    def open(self, stream: str, phase: str, subject: str, purpose: str) -> Roller:
        """Open the next roll of that phase, subject and purpose in a side's (or the umpire's) stream."""
        stem = (phase, subject, purpose)
        count = self._counts.get((stream, stem), 0)
        self._counts[(stream, stem)] = count + 1
        address = (*self._prefix, *stem, count)
        text = canonical(address)
        typed = self._typed.get(text)
        roller: Roller
        if typed is None:
            roller = Stream(self._keys[stream], text)
        else:
            roller = TypedDice(list(typed), place=pointer("typed_dice", text))
        self._opened.append((stream, address, roller))
        return roller

    def umpire(self, phase: str, subject: str, purpose: str) -> Roller:
        """Open a roll in the umpire's stream: whatever hangs on a hidden fact is rolled there."""
        return self.open(self.UMPIRE, phase, subject, purpose)

    def rolls(self) -> tuple[Roll, ...]:
        """Return every roll made, in the order in which they were opened."""
        return tuple(
            Roll(stream, address, tuple(roller.faces), isinstance(roller, TypedDice))
            for stream, address, roller in self._opened
            if roller.faces
        )

    def check_typed(self) -> tuple[Problem, ...]:
        """Return a problem for each typed roll that nobody made, and for faces left over ("typed-dice-unused")."""
        used = {canonical(address): len(roller.faces) for _, address, roller in self._opened}
        return tuple(
            Problem(pointer("typed_dice", text), "typed-dice-unused", "These typed dice were not all rolled.")
            for text, faces in sorted(self._typed.items())
            if used.get(text, 0) < len(faces)
        )


def canonical(value: Any) -> str:
    """Return canonical JSON: sorted keys, no spaces, plain UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def commitment(seed: str) -> str:
    """Return what is published of a secret seed (hex text) before orders come: its SHA-256."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def turn_keys(seeds: Mapping[str, str], nonces: Mapping[str, str]) -> dict[str, bytes]:
    """Return the stream keys of a turn.

    ``seeds`` maps each side and "umpire" to its secret seed (hex), ``nonces`` each side to the
    nonce of its sealed sheet. A side's own nonce goes into its stream, all of them into the
    umpire's; a missing sheet counts as the word "late".
    """
    keys = {}
    for owner, seed in seeds.items():
        if owner == TurnDice.UMPIRE:
            mixed = {side: nonces.get(side, LATE) for side in seeds if side != TurnDice.UMPIRE}
        else:
            mixed = {owner: nonces.get(owner, LATE)}
        keys[owner] = hmac.digest(bytes.fromhex(seed), canonical(mixed).encode(), "sha256")
    return keys


def shuffled(cards: Iterable[str], roller: Roller) -> list[str]:
    """Return the cards in a random order (Fisher and Yates, from the last place down; 256 at most)."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = roller.die(last + 1) - 1
        order[last], order[other] = order[other], order[last]
    return order
