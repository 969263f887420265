"""Dice by address: fair, repeatable, independent, and checkable by anyone."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import (
    SeedDice,
    Stream,
    TurnDice,
    TypedDice,
    canonical,
    commitment,
    d10_difference,
    d10_sum,
    shift_column,
    shuffled,
    three_d10,
    turn_keys,
)
from campaign.engine.errors import ProblemsError

SEEDS = {"red": "aa" * 32, "blue": "bb" * 32, "umpire": "cc" * 32}
PREFIX = ("c1", "main", 4)


def turn_dice(nonces: dict[str, str] | None = None, typed: dict[str, list[int]] | None = None) -> TurnDice:
    """Return the dice of a turn."""
    return TurnDice(turn_keys(SEEDS, nonces or {"red": "n1", "blue": "n2"}), PREFIX, typed)


def faces(dice: TurnDice, stream: str, subject: str = "s1", purpose: str = "search", count: int = 8) -> list[int]:
    """Return the faces of one roll."""
    roller = dice.open(stream, "detection", subject, purpose)
    return [roller.die() for _ in range(count)]


def problems_of(raised: pytest.ExceptionInfo[ProblemsError]) -> list[tuple[str, str]]:
    """Return place and code of the problems raised."""
    return [(problem.place, problem.code) for problem in raised.value.problems]


def test_a_die_can_be_recomputed_with_nothing_but_sha256() -> None:
    """As the documents say: HMAC in counter mode, bytes at or above the last multiple of ten dropped."""
    nonces = {"blue": "n2", "red": "n1"}
    key = hmac.digest(bytes.fromhex(SEEDS["umpire"]), json.dumps(nonces, separators=(",", ":")).encode(), "sha256")
    address = '["c1","main",4,"detection","s1","search",0]'
    stream = b"".join(
        hmac.new(key, address.encode() + b"\x00" + block.to_bytes(4, "big"), hashlib.sha256).digest()
        for block in range(3)
    )
    by_hand = [byte % 10 + 1 for byte in stream if byte < 250]
    assert faces(turn_dice(), "umpire", count=60) == by_hand[:60]


def test_the_same_address_gives_the_same_faces_and_others_differ() -> None:
    """Subject, purpose, stream and number within the subject each open dice of their own."""
    dice = turn_dice()
    first = faces(dice, "red")
    assert faces(turn_dice(), "red") == first
    others = [
        faces(dice, "red"),
        faces(dice, "red", "s2"),
        faces(dice, "red", "s1", "scatter"),
        faces(dice, "blue"),
        faces(dice, "umpire"),
    ]
    assert all(other != first for other in others)
    assert faces(TurnDice(turn_keys(SEEDS, {"red": "n1", "blue": "n2"}), ("c1", "main", 5)), "red") != first


def test_one_roll_more_changes_no_other() -> None:
    """Whatever else is rolled before, in between or more of."""
    alone = faces(turn_dice(), "red", "s9")
    dice = turn_dice()
    faces(dice, "red", "s1", count=100)
    faces(dice, "umpire", "s9")
    assert faces(dice, "red", "s9") == alone


def test_a_sides_nonce_moves_its_own_dice_and_the_umpires_but_not_the_other_sides() -> None:
    """So neither server nor player can choose luck; a missing sheet counts as late."""
    plain, changed = turn_dice(), turn_dice({"red": "other", "blue": "n2"})
    assert faces(plain, "red") != faces(changed, "red")
    assert faces(plain, "umpire") != faces(changed, "umpire")
    assert faces(plain, "blue") == faces(changed, "blue")
    assert faces(turn_dice({"blue": "n2"}), "red") == faces(turn_dice({"red": "late", "blue": "n2"}), "red")


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    """Anyone can check it when the seed is shown."""
    assert commitment("00ff") == hashlib.sha256(b"\x00\xff").hexdigest()


@pytest.mark.parametrize("sides", [2, 6, 10, 52])
def test_no_face_is_favoured(sides: int) -> None:
    """Chi-square over many faces of a fixed stream stays near its mean (five standard deviations)."""
    stream = Stream(b"key", "fairness")
    counts = Counter(stream.die(sides) for _ in range(sides * 2000))
    assert sorted(counts) == list(range(1, sides + 1))
    chi = sum((count - 2000) ** 2 / 2000 for count in counts.values())
    assert abs(chi - (sides - 1)) < 5 * (2 * (sides - 1)) ** 0.5


@pytest.mark.parametrize("sides", [0, -1, 257])
def test_a_die_that_a_byte_cannot_show_is_refused(sides: int) -> None:
    """Instead of rolling for ever."""
    with pytest.raises(ValueError, match="1 to 256"):
        Stream(b"key", "x").die(sides)
    assert Stream(b"key", "x").die(1) == 1
    assert 1 <= Stream(b"key", "x").die(256) <= 256


def test_the_record_names_every_roll_made_in_order() -> None:
    """With its stream, address and faces; an opened roll without a die is none."""
    dice = turn_dice()
    dice.open("red", "bidding", "f1", "none")
    shown = faces(dice, "umpire", "s1", count=2)
    again = faces(dice, "umpire", "s1", count=1)
    documents = [roll.as_document() for roll in dice.rolls()]
    assert documents == [
        {"stream": "umpire", "address": ["c1", "main", 4, "detection", "s1", "search", 0], "faces": shown},
        {"stream": "umpire", "address": ["c1", "main", 4, "detection", "s1", "search", 1], "faces": again},
    ]


def test_dice_typed_in_for_an_address_replace_the_stream_and_are_marked() -> None:
    """Other addresses roll on; too few are a problem at that address."""
    address = canonical([*PREFIX, "detection", "s1", "search", 0])
    dice = turn_dice(typed={address: [3, 0]})
    assert faces(dice, "umpire", count=2) == [3, 10]
    assert faces(dice, "umpire", "s2") == faces(turn_dice(), "umpire", "s2")
    assert [roll.as_document().get("typed") for roll in dice.rolls()] == [True, None]
    assert dice.check_typed() == ()
    with pytest.raises(ProblemsError) as raised:
        faces(turn_dice(typed={address: [3]}), "umpire", count=2)
    assert problems_of(raised)[0][1] == "too-few-dice"
    assert problems_of(raised)[0][0].startswith("/typed_dice/")


def test_typed_dice_that_nobody_rolled_are_told() -> None:
    """A roll that never came, and faces left over."""
    address = canonical([*PREFIX, "detection", "s1", "search", 0])
    dice = turn_dice(typed={address: [3, 4], "never": [1]})
    faces(dice, "red", count=1)
    assert [problem.code for problem in dice.check_typed()] == ["typed-dice-unused", "typed-dice-unused"]


def test_typed_faces_are_taken_in_order_and_a_zero_is_a_ten() -> None:
    """On a d10; a d6 has no zero."""
    dice = TypedDice([0, 1, 10])
    assert [dice.die(), dice.die(), dice.die()] == [10, 1, 10]
    assert dice.faces == [10, 1, 10]
    with pytest.raises(ProblemsError):
        TypedDice([0]).die(6)


@pytest.mark.parametrize("face", [11, -1, "3", 2.0, True, False, None])
def test_what_is_on_no_die_is_refused(face: object) -> None:
    """At the place of the face."""
    with pytest.raises(ProblemsError) as raised:
        TypedDice([face], place="/die").die()
    assert problems_of(raised) == [("/die/0", "not-a-face")]


def test_too_few_and_too_many_typed_dice_are_refused() -> None:
    """A rule takes exactly the dice that it rolls."""
    dice = TypedDice([4, 5])
    dice.die()
    with pytest.raises(ProblemsError) as raised:
        dice.finish()
    assert problems_of(raised) == [("/dice", "too-many-dice")]
    dice.die()
    dice.finish()
    with pytest.raises(ProblemsError) as raised:
        dice.die()
    assert problems_of(raised) == [("/dice", "too-few-dice")]


@pytest.mark.rule("A1.21", "A1.211", "A1.212", "A1.213", "A1.214", "A1.215", "A1.216")
def test_the_ways_to_read_dice() -> None:
    """A1.21: 0 is ten; larger less smaller; the sum; the lowest, middle and highest of three."""
    assert d10_difference(TypedDice([0, 1])) == 9
    assert d10_difference(TypedDice([3, 7])) == d10_difference(TypedDice([7, 3])) == 4
    assert d10_sum(TypedDice([10, 10])) == 20
    assert [three_d10(TypedDice([5, 2, 9]), which) for which in ("low", "med", "hi")] == [2, 5, 9]
    with pytest.raises(ValueError, match="tuple"):
        three_d10(TypedDice([1, 2, 3]), "middle")


@pytest.mark.rule("A1.23")
def test_a_column_never_leaves_its_table() -> None:
    """A1.23: shifted beyond an end it stays on the last or the first."""
    assert shift_column(24, 4, last=25) == 25
    assert shift_column(2, -5, last=25) == 1
    assert shift_column(2, -5, last=25, first=0) == 0
    assert shift_column(8, 3, last=25) == 11


@given(st.lists(st.text(max_size=3), max_size=60, unique=True), st.text(max_size=8))
def test_a_shuffle_keeps_every_card(cards: list[str], seed: str) -> None:
    """And is the same for the same dice."""
    once = shuffled(cards, SeedDice(seed))
    assert sorted(once) == sorted(cards)
    assert shuffled(cards, SeedDice(seed)) == once


def test_every_order_of_three_cards_comes_up_about_equally_often() -> None:
    """Fisher and Yates favours none of the six."""
    roller = SeedDice("orders")
    counts = Counter("".join(shuffled("ABC", roller)) for _ in range(6000))
    assert len(counts) == 6
    assert all(880 < count < 1120 for count in counts.values())


def test_canonical_json_has_one_form() -> None:
    """Sorted keys, no spaces, plain letters; what JSON cannot say is refused."""
    assert canonical({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))
