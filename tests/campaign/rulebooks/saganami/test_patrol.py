"""The patrol generator's budgets, cards and times: D3.1, and the missions by card of D3.2 and D3.3."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.cards import CARDS, RANKS, new_deck
from campaign.engine.dice import SeedDice
from campaign.engine.errors import ProblemsError
from campaign.engine.hexes import Hex
from campaign.rulebooks.saganami import patrol, patrol_missions, patrol_setup
from campaign.rulebooks.saganami.patrol import Mission, MissionDraw, draw_mission, missions_of


@pytest.mark.rule("D3.11", "D3.112", "D3.12", "D3.14")
@pytest.mark.parametrize(
    ("base", "multiplier", "first", "lemon", "whole", "remaining"),
    [
        (600, 70, 360, 60, 420, 0),
        (600, 100, 360, 60, 600, 180),
        (600, 130, 360, 60, 780, 360),
        (601, 70, 360, 60, 420, 0),
        (1, 70, 0, 0, 0, 0),
    ],
)
def test_a_budget_is_sixty_a_tenth_and_what_the_multiplier_leaves(
    base: int, multiplier: int, first: int, lemon: int, whole: int, remaining: int
) -> None:
    """D3.112, D3.12: the lemon tenth stands beside the sixty percent; a deuce leaves nothing."""
    found = patrol.budget(base, multiplier)
    assert (found.first_spend, found.opponent_spend, found.final_total) == (first, lemon, whole)
    assert found.remaining == remaining


@pytest.mark.rule("D3.112", "D3.14")
@given(st.integers(1, patrol.MOST_BASE), st.sampled_from(RANKS))
def test_no_budget_is_overspent_by_its_own_stages(base: int, card: str) -> None:
    """Fractions are dropped, so the stages never come to more than the whole."""
    found = patrol.budget(base, patrol.force_multiplier(card))
    assert found.remaining >= 0


@pytest.mark.rule("D3.111", "D3.14")
def test_a_budget_of_nothing_or_of_a_million_is_refused() -> None:
    """With every problem at once."""
    for base, code in ((0, "no-budget"), (-5, "no-budget"), (1_000_000, "budget-too-large")):
        with pytest.raises(ProblemsError) as refused:
            patrol.budget(base, 75)
        assert [one.code for one in refused.value.problems] == [code, "unknown-multiplier"]


@pytest.mark.rule("D3.14")
def test_the_sidebar_of_cards() -> None:
    """D3.14: ace to deuce."""
    assert [patrol.force_multiplier(card) for card in RANKS] == [
        130,
        120,
        110,
        100,
        100,
        100,
        100,
        100,
        100,
        100,
        90,
        80,
        70,
    ]
    assert [patrol.time_limit(card) for card in RANKS] == [20, 18, 16, 15, 14, 13, 12, 12, 12, 12, 11, 10, 9]
    assert (patrol.force_multiplier("10h"), patrol.time_limit("AS")) == (100, 20)
    with pytest.raises(ProblemsError):
        patrol.time_limit("1")


@pytest.mark.rule("D3.131")
@pytest.mark.parametrize(
    ("separation", "opening", "disengaged"), [(50, 5, False), (51, 2, False), (51, 3, True), (80, 0, False)]
)
def test_disengaging_takes_distance_and_speed(separation: int, opening: int, disengaged: bool) -> None:
    """D3.131: more than 50 hexes, opening by three or more."""
    assert patrol.is_disengaged(separation, opening) is disengaged


@pytest.mark.rule("D3.131")
@pytest.mark.parametrize(
    ("turns", "gone", "percent"),
    [
        (-4, False, 0),
        (9, False, 0),
        (10, False, 50),
        (19, False, 50),
        (20, False, 100),
        (10, True, 0),
        (11, True, 50),
        (20, True, 50),
        (21, True, 100),
    ],
)
def test_staying_too_long_forfeits_points(turns: int, gone: bool, percent: int) -> None:
    """D3.131: charged at the end of the tenth and twentieth turn past the limit."""
    assert patrol.forfeit_percent(turns, is_disengaged=gone) == percent


@pytest.mark.rule("D3.13")
def test_each_side_gets_three_cards_and_gives_each_one_use() -> None:
    """D3.13."""
    deck = new_deck(SeedDice("deal"))
    attacker, defender, rest = patrol.deal_hands(deck)
    assert (attacker[1], defender[1]) == (deck.pile[2], deck.pile[3])
    assert len(set(attacker + defender)) == 6
    assert len(rest.pile) == 46
    found = patrol.assign(["KS", "10H", "2C"], multiplier="KS", time="2C", mission="10H")
    assert (found.percent, found.turns, found.mission) == (120, 9, "10H")
    with pytest.raises(ProblemsError) as refused:
        patrol.assign(["KS", "10H", "2C"], multiplier="KS", time="KS", mission="AS")
    assert [(one.place, one.code) for one in refused.value.problems] == [
        ("/mission", "not-in-hand"),
        ("/time", "card-used-twice"),
    ]


@pytest.mark.rule("D3.2", "D3.3")
def test_every_card_has_its_mission_in_both_lists() -> None:
    """D3.2 and D3.3; the attacker's six is space superiority."""
    assert [patrol.mission_on("attacker", card).key for card in RANKS] == [
        "spy",
        "dummy-draw",
        "force-majeure",
        "convoy-raid",
        "vendetta",
        "deep-strike",
        "dummy-draw",
        "liars-bluff",
        "space-superiority",
        "demonstration-of-mettle",
        "system-blockade",
        "economy-of-force",
        "intelligence-gathering",
    ]
    assert [patrol.mission_on("defender", card).key for card in RANKS] == [
        "vengeance",
        "pincer-maneuver",
        "dummy-draw",
        "elite-crew",
        "dummy-draw",
        "convoy-defense",
        "space-superiority",
        "system-blockade",
        "fleet-in-being",
        "space-supremacy",
        "picket-duty",
        "walking-wounded",
        "political-appointee",
    ]
    assert patrol.mission_on("attacker", "10H").rule == "D3.2/10"


def attackers(card: str) -> Mission:
    """Return a mission of the attacker's list."""
    return patrol.mission_on("attacker", card)


def defenders(card: str) -> Mission:
    """Return a mission of the defender's list."""
    return patrol.mission_on("defender", card)


@pytest.mark.rule("D3.13")
def test_a_plain_mission_needs_no_second_card_but_may_be_concealed_by_one() -> None:
    """D3.13."""
    assert draw_mission("attacker", ["QS"]) == MissionDraw((attackers("Q"),), "", (), 1)
    assert draw_mission("attacker", ["QS", "2C"]) == MissionDraw((attackers("Q"),), "", (), 1)
    assert patrol.may_conceal("attacker", "QS")
    assert not patrol.may_conceal("attacker", "KS")
    assert not patrol.may_conceal("attacker", "AS")
    with pytest.raises(ProblemsError):
        draw_mission("attacker", [])


@pytest.mark.rule("D3.2/A")
def test_a_spy_comes_with_a_true_mission() -> None:
    """D3.2, ace: a second card; a second ace gives any mission beside the spy."""
    spy = attackers("A")
    assert draw_mission("attacker", ["AS"]) == MissionDraw((spy,), "card", (), 1)
    assert draw_mission("attacker", ["AS", "J"]) == MissionDraw((spy, attackers("J")), "", (), 2)
    second = draw_mission("attacker", ["AS", "AH"])
    assert (second.needs, second.options) == ("choice", missions_of("attacker", "defender"))
    chosen = draw_mission("attacker", ["AS", "AH"], defenders("9"))
    assert chosen.missions == (spy, defenders("9"))
    with pytest.raises(ProblemsError):
        draw_mission("attacker", ["AS", "AH"], spy)
    assert draw_mission("attacker", ["AS", "8", "9"]).missions == (spy, defenders("9"))


@pytest.mark.rule("D3.2/K")
def test_the_attackers_king_takes_the_next_card_from_either_list() -> None:
    """D3.2, king."""
    assert draw_mission("attacker", ["K"]).needs == "card"
    found = draw_mission("attacker", ["K", "4"])
    assert (found.needs, found.options) == ("choice", (attackers("4"), defenders("4")))
    assert draw_mission("attacker", ["K", "4"], defenders("4")).missions == (defenders("4"),)
    free = draw_mission("attacker", ["K", "8"])
    assert free.options == (*missions_of("attacker"), defenders("8"))
    spying = draw_mission("attacker", ["K", "A"], attackers("A"))
    assert (spying.missions, spying.needs) == ((attackers("A"),), "card")
    spying = draw_mission("attacker", ["K", "A", "K", "3"], attackers("A"))
    assert (spying.missions, spying.drawn) == ((attackers("A"), attackers("3")), 4)
    assert draw_mission("attacker", ["A", "K", "A"]).options == (*missions_of("attacker"), defenders("A"))


@pytest.mark.rule("D3.2/8")
def test_the_attackers_eight_takes_a_defenders_mission() -> None:
    """D3.2, eight: a second dummy gives the defender's mission of choice."""
    assert draw_mission("attacker", ["8", "J"]).missions == (defenders("J"),)
    second = draw_mission("attacker", ["8", "Q"])
    assert (second.needs, second.options) == ("choice", missions_of("defender"))


@pytest.mark.rule("D3.3/Q", "D3.3/10")
def test_the_defenders_dummies_differ_in_their_second_dummy() -> None:
    """D3.3: after a queen the attacker's list is open, after a ten the defender's."""
    assert draw_mission("defender", ["Q"]).needs == "card"
    assert draw_mission("defender", ["Q", "2"]).missions == (defenders("2"),)
    assert draw_mission("defender", ["QS", "QH"]).options == missions_of("attacker")
    assert draw_mission("defender", ["10", "A"]).missions == (defenders("A"),)
    assert draw_mission("defender", ["10", "Q"]).options == missions_of("defender")
    assert draw_mission("defender", ["10", "Q"], defenders("7")).missions == (defenders("7"),)


@pytest.mark.rule("D3.13")
@given(st.sampled_from(patrol.ROLES), st.permutations(CARDS), st.integers(0, 30))
def test_every_draw_ends_in_one_mission_that_is_no_dummy(role: patrol.Role, cards: list[str], pick: int) -> None:
    """Whatever the cards, a side has its true mission, and at most a spy beside it."""
    used = 1
    choice = None
    found = draw_mission(role, cards[:used])
    while found.needs:
        if found.needs == "card":
            used += 1
        else:
            choice = found.options[pick % len(found.options)]
        found = draw_mission(role, cards[:used], choice)
    assert found.drawn == used
    *before, true = found.missions
    assert true.key not in ("dummy-draw", "spy")
    assert [one.key for one in before] in ([], ["spy"])


@pytest.mark.rule("D3.11")
def test_a_scenario_needs_factions_with_ships_that_it_can_pay() -> None:
    """D3.11: by year."""
    assert patrol.check_set_up(600, 1906, {"Arden": [36, 124], "Corvus": [42]}) == ()
    assert patrol.check_set_up(70, 1, {"Corvus": [42]}) == ()
    assert [one.code for one in patrol.check_set_up(600, 10_000, {"Corvus": [42]})] == ["out-of-range"]
    found = patrol.check_set_up(50, 1906, {"Arden": [], "Corvus": [42]})
    assert [(one.place, one.code) for one in found] == [("/factions/Arden", "no-ships")]
    found = patrol.check_set_up(50, 1906, {"Corvus": [42]})
    assert [one.code for one in found] == ["nothing-affordable"]
    assert [one.code for one in patrol.check_set_up(0, 0, {})] == ["no-budget", "out-of-range", "no-faction"]


@pytest.mark.rule("D2.12")
def test_a_simple_set_up_stands_in_opposite_corners() -> None:
    """D2.12: within five hexes, vectors up to five, one side high."""
    assert (patrol_setup.high_corner().z, patrol_setup.high_corner("small").z) == (12, 20)
    corner = patrol_setup.high_corner()
    near, far = Hex(corner.q - 5, 0, 12), Hex(corner.q - 6, 0, 11)
    start = patrol_setup.Start
    assert patrol_setup.check_starts(corner, {"Heron": start(near, {"A": 3, "-": 4})}) == ()
    found = patrol_setup.check_starts(
        corner, {"Heron": start(far, {"A": 6}), "Egret": start(near, {"X": 1})}, place="/green"
    )
    assert [(one.place, one.code) for one in found] == [
        ("/green/Heron/at", "too-far-from-corner"),
        ("/green/Heron/at/z", "wrong-altitude"),
        ("/green/Heron/vectors", "too-fast"),
        ("/green/Egret/vectors/X", "unknown-direction"),
    ]


@pytest.mark.rule("D3.2", "D3.3")
def test_every_card_has_a_briefing_of_its_own() -> None:
    """26 cards, each with a title and orders; those that act in play say what they declare or need nothing."""
    missions = patrol_missions.all_missions()
    assert len(missions) == 26
    assert {mission.rule for mission in missions} == set(patrol_missions.BRIEFINGS)
    for mission in missions:
        told = patrol_missions.briefing_of(mission)
        assert told.title.lower().replace(" ", "-").replace("'", "") == mission.key
        assert len(told.orders) > 40
