"""Miracle-grade commanders: D1.2."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.cards import CARDS, Deck, rank
from campaign.engine.dice import SeedDice, TypedDice
from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami import miracle_effects, miracles
from campaign.rulebooks.saganami.miracles import Miracles, count_hand, end_turn


def stacked(*top: str, level: miracles.Level = "legendary", scale: miracles.Scale = "tactical") -> Miracles:
    """Return a commander whose deck has these cards on top."""
    rest = tuple(card for card in CARDS if card not in top)
    return Miracles("Vane", level, scale, Deck(top + rest))


def play(cards: Miracles, turns: int) -> tuple[Miracles, list[miracles.Draw]]:
    """Return the cards and the draws after so many turns."""
    draws = []
    for _ in range(turns):
        cards, draw = end_turn(cards, SeedDice("shuffle"))
        if draw is not None:
            draws.append(draw)
    return cards, draws


def use(cards: Miracles, key: str, **choices: object) -> Miracles:
    """Return the cards after an effect that the engine carries out."""
    used, _ = miracle_effects.declare(cards, key, choices, SeedDice("x"), applied=[key])
    return used


@pytest.mark.rule("D1.22", "D3.42")
@pytest.mark.parametrize(
    ("own", "enemy", "eligible"), [(480, 600, True), (481, 600, False), (80, 100, True), (600, 480, False)]
)
def test_a_fifth_less_makes_a_side_eligible(own: int, enemy: int, eligible: bool) -> None:
    """D1.22: a disadvantage of 20 % or more."""
    assert miracles.is_eligible(own, enemy) is eligible


@pytest.mark.rule("D1.22")
def test_a_force_without_points_is_refused() -> None:
    """D1.22."""
    with pytest.raises(ProblemsError):
        miracles.is_eligible(0, 100)


@pytest.mark.rule("D1.236", "D1.211", "D3.42")
def test_miracles_are_off_unless_allowed() -> None:
    """D1.236 and D3.42: by the campaign, or by every other side's consent; and only to the weaker."""
    assert not miracles.may_command(480, 600, is_campaign_rule=False, consents={})
    assert not miracles.may_command(480, 600, is_campaign_rule=False, consents={"green": True, "blue": False})
    assert miracles.may_command(480, 600, is_campaign_rule=False, consents={"green": True})
    assert miracles.may_command(480, 600, is_campaign_rule=True, consents={})
    assert not miracles.may_command(590, 600, is_campaign_rule=True, consents={"green": True})


@pytest.mark.rule("D1.23", "D1.231", "D1.232", "D1.233", "D1.234")
@pytest.mark.parametrize(
    ("level", "turns"),
    [("superb", (6, 10, 14, 18)), ("excellent", (4, 7, 10, 13)), ("legendary", (2, 5, 8, 11))],
)
def test_each_level_draws_at_its_own_pace(level: miracles.Level, turns: tuple[int, ...]) -> None:
    """D1.231 to D1.233; the printed list for superb slips and the text governs."""
    assert miracles.draw_turns(level, 4) == turns
    assert tuple(turn for turn in range(1, turns[-1] + 1) if miracles.is_draw_turn(level, turn)) == turns
    with pytest.raises(ProblemsError):
        miracles.draw_turns(level, 0)


@pytest.mark.rule("D1.23")
def test_a_level_is_a_number_of_diamonds() -> None:
    """D1.23."""
    assert [miracles.level_number(level) for level in miracles.LEVELS] == [1, 2, 3]


@pytest.mark.rule("D1.221", "D1.222")
@pytest.mark.parametrize(
    ("cards", "total", "is_bust", "miracle"),
    [
        (["K", "9"], 19, False, 19),
        (["10", "9", "3"], 22, True, None),
        (["A", "5", "K"], 16, False, None),
        (["A", "8", "K"], 19, False, 19),
        (["A", "A", "9"], 21, False, 21),
        (["A", "A", "A", "A"], 14, False, None),
        (["AS", "QH"], 21, False, 21),
        (["7", "7", "6"], 20, False, 20),
        ([], 0, False, None),
    ],
)
def test_a_hand_counts_as_in_black_jack(cards: list[str], total: int, is_bust: bool, miracle: int | None) -> None:
    """D1.221: an ace is eleven only where that does not break the hand."""
    assert count_hand(cards) == miracles.Hand(total, is_bust, miracle)


@pytest.mark.rule("D1.221")
@given(st.lists(st.sampled_from(CARDS), unique=True, max_size=8))
def test_the_best_reading_of_the_aces_is_taken(cards: list[str]) -> None:
    """D1.221: against every way to count the aces."""
    plain = sum(10 if rank(card) in "KQJ" else int(rank(card)) for card in cards if rank(card) != "A")
    aces = sum(rank(card) == "A" for card in cards)
    readings = [plain + aces + 10 * high for high in range(aces + 1)]
    within = [total for total in readings if total <= 21]
    assert count_hand(cards).total == (max(within) if within else min(readings))
    assert count_hand(cards).is_bust is not bool(within)


@pytest.mark.rule("D1.221")
def test_what_is_no_card_is_refused() -> None:
    """With its place."""
    with pytest.raises(ProblemsError) as refused:
        count_hand(["K", "1"])
    assert refused.value.problems[0].place == "/cards/1"


@pytest.mark.rule("D1.2211", "D1.221", "D1.235")
def test_a_hand_grows_turn_by_turn_and_lies_face_down_until_it_is_complete() -> None:
    """D1.2211: a due card is always drawn; D1.221: hidden until 19 or more."""
    cards, draws = play(stacked("9S", "9H", "2S"), 7)
    assert [draw.turn for draw in draws] == [2, 5]
    assert (cards.hand, cards.face_up, cards.opened) == (("9S", "9H"), (), None)
    cards, draws = play(cards, 1)
    assert (draws[0].card, draws[0].total, cards.opened) == ("2S", 20, 20)
    assert cards.face_up == ("9S", "9H", "2S")


@pytest.mark.rule("D1.235", "D1.221")
def test_an_unused_miracle_is_not_banked_and_the_next_card_may_break_the_hand() -> None:
    """D1.235: the next draw ends it; a broken hand goes back and the process starts over."""
    cards, draws = play(stacked("KS", "9H", "5S"), 8)
    assert (draws[1].opened, draws[2].lapsed, draws[2].is_bust) == (19, 19, True)
    assert (cards.hand, cards.opened, len(cards.deck.pile)) == ((), None, 52)
    assert sorted(cards.deck.pile) == sorted(CARDS)
    assert cards.deck.pile != stacked("KS", "9H", "5S").deck.pile


@pytest.mark.rule("D1.235")
def test_the_next_card_may_also_raise_an_unused_miracle() -> None:
    """D1.235: 19 and a two make 21."""
    cards, draws = play(stacked("KS", "9H", "2S"), 8)
    assert (draws[2].lapsed, draws[2].opened, cards.opened) == (19, 21, 21)


@pytest.mark.rule("D1.2211")
def test_a_real_card_is_taken_by_name_and_only_when_one_is_due() -> None:
    """Physical cards stay marked."""
    cards, _ = end_turn(stacked(), SeedDice("x"))
    with pytest.raises(ProblemsError):
        end_turn(stacked(), SeedDice("x"), ["KS"])
    with pytest.raises(ProblemsError):
        end_turn(cards, SeedDice("x"), ["KS", "QS"])
    cards, draw = end_turn(cards, SeedDice("x"), ["7d"])
    assert draw is not None
    assert (draw.card, cards.deck.physical) == ("7D", ("7D",))


@pytest.mark.rule("D1.234", "D1.26")
def test_a_change_of_scale_shuffles_all_and_counts_anew() -> None:
    """D1.234: draws start over; lasting effects end, and what was used stays used."""
    cards, _ = play(stacked("KS", "AS"), 5)
    cards = use(cards, "unbreakable", ship="Heron")
    assert len(cards.persisting) == 1
    moved = miracles.change_scale(cards, "operational", SeedDice("y"))
    assert (moved.turn, moved.hand, moved.opened, moved.persisting) == (0, (), None, ())
    assert moved.spent_21 == ("unbreakable",)
    assert sorted(moved.deck.pile) == sorted(CARDS)
    _, draws = play(moved, 2)
    assert draws[0].turn == 2
    with pytest.raises(ProblemsError):
        miracles.change_scale(moved, "operational", SeedDice("y"))


@pytest.mark.rule("D1.221")
def test_a_new_commander_has_a_shuffled_deck_and_comes_back_from_the_snapshot() -> None:
    """The whole value as a document."""
    cards = miracles.new_miracles("Vane", "legendary", "operational", SeedDice("new"))
    assert sorted(cards.deck.pile) == sorted(CARDS)
    assert cards.deck.pile != CARDS
    used, _ = play(stacked("KS", "AS"), 5)
    used, _ = miracle_effects.declare(
        used,
        "somewhere-else",
        {"ship": "Heron", "displacement": {"A": 3, "B": 2}},
        SeedDice("x"),
        applied=["somewhere-else"],
    )
    lasting, _ = play(stacked("KS", "AS"), 5)
    lasting = use(lasting, "spoiled-seekers", ship="Heron")
    for value in (cards, used, lasting):
        assert miracles.load_miracles(value.as_document()) == value


def opened(hand: str, scale: miracles.Scale = "tactical") -> Miracles:
    """Return a commander with 19, 20 or 21 open."""
    second = {"19": "9H", "20": "QH", "21": "AH"}[hand]
    cards, _ = play(stacked("KS", second, scale=scale), 5)
    assert cards.opened == int(hand)
    return cards


@pytest.mark.rule("D1.24", "D1.25", "D1.26")
def test_the_three_lists_hold_what_the_rules_suggest() -> None:
    """D1.24 to D1.26: every numbered suggestion has an effect; a better hand may use a lower list."""
    by_rule = {
        level: sorted({one.rule for one in miracle_effects.EFFECTS if one.level == level}) for level in (19, 20, 21)
    }
    assert by_rule == {
        19: ["D1.241", "D1.242", "D1.243", "D1.244"],
        20: ["D1.251", "D1.252", "D1.253", "D1.254", "D1.255", "D1.256", "D1.257"],
        21: ["D1.261", "D1.262", "D1.263", "D1.264", "D1.265", "D1.266", "D1.267"],
    }
    on_map = [one.key for one in miracle_effects.effects_for(20, "operational")]
    assert on_map == ["sure-detection", "drone-picture", "steer-bids"]
    assert "great-leap" in [one.key for one in miracle_effects.effects_for(21, "operational")]
    assert "unbreakable" not in [one.key for one in miracle_effects.effects_for(21, "tactical", ["unbreakable"])]
    assert len(miracle_effects.BY_KEY) == len(miracle_effects.EFFECTS)


@pytest.mark.rule(
    "D1.241", "D1.242", "D1.243", "D1.244", "D1.251", "D1.252", "D1.253", "D1.254", "D1.255", "D1.256", "D1.257"
)
@pytest.mark.rule("D1.261", "D1.262", "D1.263", "D1.264", "D1.265", "D1.266", "D1.267")
@pytest.mark.parametrize("effect", miracle_effects.EFFECTS, ids=lambda effect: effect.key)
def test_every_effect_can_be_declared_with_its_choices_and_spends_the_hand(effect: miracle_effects.Effect) -> None:
    """Each list's effects: the declaration names the rule, the hand goes back, level 21 is used up."""
    samples: dict[str, object] = {"vectors": {"A": 1}, "cells": ["8/SI"], "one-of": "kilt"}
    choices = {choice.name: samples.get(choice.kind, "this") for choice in effect.choices}
    cards, declared = miracle_effects.declare(
        opened("21", effect.scale), effect.key, choices, SeedDice("x"), applied=[effect.key]
    )
    assert (declared.rule, declared.level, declared.turn, declared.applied_by) == (
        effect.rule,
        effect.level,
        6,
        "engine",
    )
    assert declared.as_document()["choices"] == choices
    assert (cards.hand, cards.opened) == ((), None)
    assert cards.spent_21 == ((effect.key,) if effect.level == 21 else ())
    assert bool(cards.persisting) is (effect.turns != 0)


@pytest.mark.rule("D1.235", "D1.26")
def test_a_miracle_needs_a_hand_that_reaches_it_and_its_scale() -> None:
    """D1.222 and D1.26."""
    ship = {"ship": "Heron"}
    with pytest.raises(ProblemsError) as refused:
        miracle_effects.declare(stacked(), "perfect-wedge", ship, SeedDice("x"))
    assert refused.value.problems[0].code == "no-miracle"
    with pytest.raises(ProblemsError) as refused:
        miracle_effects.declare(opened("20"), "unbreakable", ship, SeedDice("x"), applied=["unbreakable"])
    assert refused.value.problems[0].code == "hand-too-low"
    with pytest.raises(ProblemsError) as refused:
        miracle_effects.declare(opened("20"), "levitation", {}, SeedDice("x"))
    assert refused.value.problems[0].code == "unknown-effect"
    with pytest.raises(ProblemsError) as refused:
        miracle_effects.declare(
            opened("19"), "sure-detection", {"ship": "Heron", "target": "c1"}, SeedDice("x"), applied=["sure-detection"]
        )
    assert refused.value.problems[0].code == "wrong-scale"


@pytest.mark.rule("D1.26")
def test_a_level_21_miracle_is_used_once() -> None:
    """D1.26."""
    cards = use(opened("21"), "unbreakable", ship="Heron")
    again = Miracles("Vane", "legendary", "tactical", opened("21").deck, 5, 21, cards.spent_21)
    with pytest.raises(ProblemsError) as refused:
        miracle_effects.declare(again, "unbreakable", {"ship": "Egret"}, SeedDice("x"), applied=["unbreakable"])
    assert refused.value.problems[0].code == "used-before"


@pytest.mark.rule("D1.24", "D1.26")
def test_what_the_engine_does_not_carry_out_needs_consent_and_a_note() -> None:
    """Every other side's yes, or the game master's ruling; an improvised stunt never goes without."""
    choices = {"target": "Egret", "system": "ECM", "reduction": "halved"}
    with pytest.raises(ProblemsError) as refused:
        miracle_effects.declare(opened("21"), "blinded-system", choices, SeedDice("x"), consents={"green": False})
    assert [one.code for one in refused.value.problems] == ["consent-needed", "note-needed"]
    _, declared = miracle_effects.declare(
        opened("21"), "blinded-system", choices, SeedDice("x"), consents={"green": True}, note="ECM is halved"
    )
    assert declared.applied_by == "table"
    cards, declared = miracle_effects.declare(
        opened("21"), "improvised", {}, SeedDice("x"), is_ruled_by_game_master=True, note="rams the buoy"
    )
    assert (declared.rule, declared.level) == ("D1.26", 21)
    assert cards.spent_21 == ("improvised: rams the buoy",)
    _, declared = miracle_effects.declare(
        opened("19"), "improvised", {}, SeedDice("x"), consents={"green": True}, note="a bluff"
    )
    assert declared.rule == "D1.24"


@pytest.mark.rule("D1.263", "D1.264", "D1.262", "D1.243")
def test_choices_are_checked_all_at_once() -> None:
    """D1.263: five hexes and no more."""
    check = miracle_effects.check_choices
    effects = miracle_effects.BY_KEY
    assert [
        one.code for one in check(effects["somewhere-else"], {"displacement": {"A": 4, "C": 4, "+": 9}, "x": 1})
    ] == [
        "missing",
        "too-far",
        "unknown-choice",
    ]
    assert check(effects["great-feint"], {"displacement": {"A": 3}}) == ()
    assert [one.code for one in check(effects["great-feint"], {"displacement": {"A": 4}})] == ["too-far"]
    assert [one.code for one in check(effects["great-leap"], {"displacement": {"X": 4}})] == ["unknown-direction"]
    assert [one.code for one in check(effects["throat-or-kilt"], {"salvo": "s1", "end": "keel"})] == ["not-an-option"]
    assert [one.code for one in check(effects["aimed-hits"], {"salvo": " ", "locations": []})] == [
        "not-text",
        "not-a-list",
    ]


@pytest.mark.rule("D1.253", "D1.267", "D1.26")
def test_what_lasts_ends_when_it_should() -> None:
    """D1.253: this turn and the next; D1.267: six hours, sixty tactical turns; D1.266: the whole combat."""
    thrust = use(opened("20"), "double-thrust", ship="Heron")
    assert [bool(play(thrust, turns)[0].persisting) for turns in (0, 1, 2)] == [True, True, False]
    magazines = use(opened("21"), "immortal-magazines", ship="Heron")
    assert [bool(play(magazines, turns)[0].persisting) for turns in (59, 60)] == [True, False]
    hull = use(opened("21"), "unbreakable", ship="Heron")
    assert play(hull, 100)[0].persisting


@pytest.mark.rule("D1.241", "D1.243", "D1.255", "D1.251", "D1.253", "D1.254", "D1.257", "D1.265", "D1.261")
def test_the_arithmetic_of_single_effects() -> None:
    """Each number with its own rule."""
    assert miracle_effects.roll_sure_hits(TypedDice([3, 9, 5]), 20) == 9
    assert miracle_effects.roll_sure_hits(TypedDice([3, 9, 5]), 4) == 4
    assert [miracle_effects.doubled_kills(kills, 10) for kills in (0, 4, 7)] == [0, 8, 10]
    assert [miracle_effects.aimed_weapons(hits) for hits in (0, 1, 10, 11)] == [0, 1, 1, 2]
    assert [miracle_effects.may_fire_double_broadside(windows) for windows in (3, 4)] == [False, True]
    assert miracle_effects.doubled_thrust(3, 5, is_impeller_damaged=True) == 5
    assert miracle_effects.doubled_thrust(2, 5, is_impeller_damaged=True) == 4
    with pytest.raises(ProblemsError):
        miracle_effects.doubled_thrust(5, 5, is_impeller_damaged=False)
    assert miracle_effects.steerable_thrust([3, 3, 1]) == 3
    assert miracle_effects.halved_range(5) == 2
    assert [miracle_effects.spoiled_seekers_modifier(turns) for turns in range(5)] == [1, 1, 2, 2, 3]


@pytest.mark.rule("D1.2211", "D1.222", "D1.235")
@given(st.text(max_size=8), st.sampled_from(miracles.LEVELS), st.integers(1, 60))
def test_the_deck_is_always_whole(seed: str, level: miracles.Level, turns: int) -> None:
    """No card is ever lost or doubled, and a miracle is open exactly while the hand counts 19 to 21."""
    cards = miracles.new_miracles("Vane", level, "tactical", SeedDice(seed))
    for turn in range(turns):
        cards, draw = end_turn(cards, SeedDice(f"{seed}{turn}"))
        assert (draw is not None) is miracles.is_draw_turn(level, turn + 1)
        assert sorted(cards.deck.pile + cards.deck.dealt + cards.deck.discards) == sorted(CARDS)
        assert cards.opened == count_hand(cards.hand).miracle
