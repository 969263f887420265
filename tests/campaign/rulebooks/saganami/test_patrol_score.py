"""The account of a patrol battle: D3.4, and what each mission of D3.2 and D3.3 makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.patrol import missions_of
from campaign.rulebooks.saganami.patrol_battle import (
    MissionPlayed,
    PatrolBattle,
    PatrolShip,
    PatrolSide,
    check_battle,
    load_battle,
)
from campaign.rulebooks.saganami.patrol_score import (
    forfeited_percent,
    objective_turn,
    release_turn,
    score_patrol,
    watched_percent,
)
from campaign.rulebooks.saganami.victory import Score, SideOutcome, score

NEUTRAL = MissionPlayed("defender", "K")
"""The pincer: a mission that acts in play and leaves the account alone."""


def ship(identity: str, lost: int = 0, **facts: Any) -> PatrolShip:
    """Return a cruiser of 100 points and 100 boxes."""
    known: dict[str, Any] = {"cost": 100, "boxes": 100, "tons": 200_000, "ship_class": identity, **facts}
    return PatrolShip(ship=identity, boxes_lost=lost, **known)


def gone(identity: str, turn: int = 10, lost: int = 0, **facts: Any) -> PatrolShip:
    """Return a cruiser that disengaged."""
    return ship(identity, lost, fate="disengaged", left_turn=turn, **facts)


def dead(identity: str, turn: int = 10, **facts: Any) -> PatrolShip:
    """Return a cruiser that was destroyed."""
    return ship(identity, fate="destroyed", left_turn=turn, **facts)


@dataclass(frozen=True)
class Setting:
    """The two forces and times of a test; the side with the mission is ``own``."""

    own: tuple[PatrolShip, ...]
    enemy: tuple[PatrolShip, ...]
    turns: int = 12
    facts: dict[str, Any] = field(default_factory=dict)
    enemy_facts: dict[str, Any] = field(default_factory=dict)
    enemy_mission: MissionPlayed = NEUTRAL

    def battle(self, *missions: MissionPlayed, as_attacker: bool = True) -> PatrolBattle:
        """Return the battle with these missions on the own side."""
        own = PatrolSide("red", missions, 12, 400, self.own, **self.facts)
        enemy = PatrolSide("green", (self.enemy_mission,), 12, 400, self.enemy, **self.enemy_facts)
        attacker, defender = (own, enemy) if as_attacker else (enemy, own)
        return PatrolBattle(self.turns, 400, attacker, defender)


def result(found: Score) -> tuple[str, str | None]:
    """Return the margin and the winner."""
    return found.margin, found.winner


EVEN = ((ship("r1", 20), ship("r2", 20)), (ship("g1", 20), ship("g2", 20)))

# Each mission: what it is, a battle whose margin it changes, and one whose margin it must not.
CASES: dict[str, tuple[MissionPlayed, Setting, Setting]] = {
    "D3.2/A": (
        MissionPlayed("attacker", "A", ("g1",)),
        Setting((ship("r1", 20), ship("r2", 20)), (ship("g1", 25), ship("g2", 20))),
        Setting((ship("r1", 20), ship("r2", 30)), (ship("g1", 20), ship("g2", 20))),
    ),
    "D3.2/Q": (
        MissionPlayed("attacker", "Q"),
        Setting(EVEN[0], (dead("g1", tons=300_000), ship("g2"))),
        Setting(EVEN[0], (ship("g1", tons=300_000), dead("g2"))),
    ),
    "D3.2/J": (
        MissionPlayed("attacker", "J"),
        Setting((gone("r1", 12, 20, is_past_enemy=True), gone("r2", 12, 20, is_past_enemy=True)), EVEN[1]),
        Setting(
            (gone("r1", 12, 20), gone("r2", 12, 20, is_past_enemy=True, is_hyper_capable=False, hyper_works=False)),
            EVEN[1],
        ),
    ),
    "D3.2/10": (
        MissionPlayed("attacker", "10", ("g1",)),
        Setting(EVEN[0], (dead("g1"), ship("g2"))),
        Setting(EVEN[0], (ship("g1"), dead("g2"))),
    ),
    "D3.2/9": (
        MissionPlayed("attacker", "9"),
        Setting((ship("r1", 20, hyper_works=False), ship("r2", 20)), EVEN[1]),
        Setting(EVEN[0], EVEN[1]),
    ),
    "D3.2/7": (
        MissionPlayed("attacker", "7"),
        Setting((gone("r1", 12), ship("r2", 10)), (gone("g1", 24, 40), ship("g2", 40)), 30, {"disengaged_turn": 13}),
        Setting((gone("r1", 12), ship("r2", 10)), (gone("g1", 11, 40), ship("g2", 40)), 30, {"disengaged_turn": 13}),
    ),
    "D3.2/6": (
        MissionPlayed("attacker", "6"),
        Setting(EVEN[0], (ship("g1", 60), ship("g2", 60))),
        Setting(EVEN[0], (dead("g1"), ship("g2"))),
    ),
    "D3.2/5": (
        MissionPlayed("attacker", "5"),
        Setting(EVEN[0], (ship("g1", 60), ship("g2", 60)), 22),
        Setting(EVEN[0], (ship("g1", 60), ship("g2", 60)), 21),
    ),
    "D3.2/4": (
        MissionPlayed("attacker", "4"),
        Setting(EVEN[0], (ship("g1", 80, hyper_works=False), ship("g2"))),
        Setting(EVEN[0], (ship("g1", 80), ship("g2", hyper_works=False))),
    ),
    "D3.2/3": (
        MissionPlayed("attacker", "3"),
        Setting((dead("r1"), ship("r2", 80)), EVEN[1]),
        Setting((ship("r1", fate="captured", left_turn=9), ship("r2")), EVEN[1]),
    ),
    "D3.2/2": (
        MissionPlayed("attacker", "2", ("g1", "g2")),
        Setting(*EVEN, facts={"close_turns": (("g1", "g2"),) * 6}),
        Setting(*EVEN, facts={"close_turns": (("g1", "g2"),) * 5}),
    ),
    "D3.3/A": (
        MissionPlayed("defender", "A"),
        Setting(EVEN[0], (dead("g1"), ship("g2"))),
        Setting(EVEN[0], (ship("g1", 80), ship("g2"))),
    ),
    "D3.3/J": (
        MissionPlayed("defender", "J", ("r1",)),
        Setting((dead("r1", is_lemon=True), ship("r2")), EVEN[1]),
        Setting((ship("r1", fate="surrendered", is_lemon=True, left_turn=9), ship("r2")), EVEN[1]),
    ),
    "D3.3/9": (
        MissionPlayed("defender", "9"),
        Setting(EVEN[0], (gone("g1", 11, is_past_enemy=True), ship("g2"))),
        Setting(EVEN[0], (gone("g1", 11, 80), ship("g2"))),
    ),
    "D3.3/8": (
        MissionPlayed("defender", "8"),
        Setting(EVEN[0], (ship("g1", 60), ship("g2", 60))),
        Setting(EVEN[0], (dead("g1"), ship("g2"))),
    ),
    "D3.3/7": (
        MissionPlayed("defender", "7"),
        Setting(EVEN[0], (gone("g1", 11), ship("g2"))),
        Setting(EVEN[0], (gone("g1", 11, hyper_works=False), ship("g2"))),
    ),
    "D3.3/6": (
        MissionPlayed("defender", "6"),
        Setting((dead("r1"), ship("r2")), EVEN[1]),
        Setting((ship("r1", 90), ship("r2")), EVEN[1]),
    ),
    "D3.3/5": (
        MissionPlayed("defender", "5"),
        Setting((dead("r1", 11), ship("r2")), (dead("g1"), dead("g2"))),
        Setting((dead("r1", 10), ship("r2")), (dead("g1"), dead("g2"))),
    ),
    "D3.3/3": (
        MissionPlayed("defender", "3", ("r1",)),
        Setting((gone("r1", 12, is_past_enemy=True), ship("r2", 20)), EVEN[1]),
        Setting((gone("r1", 11, is_past_enemy=True), ship("r2", 20)), EVEN[1]),
    ),
    "D3.3/2": (
        MissionPlayed("defender", "2", ("r2",)),
        Setting((ship("r1", tons=300_000), dead("r2")), EVEN[1]),
        Setting((dead("r1", tons=300_000), ship("r2")), EVEN[1]),
    ),
}


@pytest.mark.rule("D3.2/A", "D3.2/Q", "D3.2/J", "D3.2/10", "D3.2/9", "D3.2/7", "D3.2/6", "D3.2/5", "D3.2/4", "D3.2/3")
@pytest.mark.rule("D3.2/2", "D3.3/A", "D3.3/J", "D3.3/9", "D3.3/8", "D3.3/7", "D3.3/6", "D3.3/5", "D3.3/3", "D3.3/2")
@pytest.mark.parametrize("key", CASES)
def test_a_mission_changes_the_margin_where_it_should_and_not_where_it_must_not(key: str) -> None:
    """Each mission in two battles, against the same battle under a mission that scores nothing."""
    mission, changing, other = CASES[key]
    as_attacker = mission.listed == "attacker"
    if key == "D3.3/9":  # unharmed convoys double the total, so the second battle has a ship that got away
        assert other.enemy[0].has_disengaged
    for setting, changes in ((changing, True), (other, False)):
        plain = score_patrol(setting.battle(NEUTRAL, as_attacker=as_attacker))
        played = score_patrol(setting.battle(mission, as_attacker=as_attacker))
        assert (result(plain) != result(played)) is changes, (plain.as_document(), played.as_document())
    lines = score_patrol(changing.battle(mission, as_attacker=as_attacker))
    ruled = {line.rule for side in lines.sides for line in side.lines}
    assert mission.rule in ruled or key in ("D3.2/7", "D3.2/5")


def lines_of(setting: Setting, mission: MissionPlayed, side: str = "red") -> list[tuple[str, int]]:
    """Return the mission's lines on one side's account."""
    found = score_patrol(setting.battle(mission, as_attacker=mission.listed == "attacker")).of(side)
    return [(line.label, line.points) for line in found.lines if line.rule == mission.rule]


@pytest.mark.rule("D3.2/A")
def test_a_spy_pays_only_while_it_is_hidden() -> None:
    """D3.2, ace: five percent of the enemy's whole budget, beside the true mission."""
    setting = Setting(*EVEN)
    assert lines_of(setting, MissionPlayed("attacker", "A", ("g1",))) == [("A spy who stayed hidden", 20)]
    for act in ("sabotage", "reveal", "freeze"):
        assert lines_of(setting, MissionPlayed("attacker", "A", ("g1",), act)) == []  # type: ignore[arg-type]
    both = setting.battle(MissionPlayed("attacker", "A", ("g1",)), MissionPlayed("attacker", "6"))
    assert [line.points for line in score_patrol(both).of("red").lines] == [20, 20, 20, -10, -10]


@pytest.mark.rule("D3.2/J")
def test_freighters_are_paid_up_to_half_of_the_base() -> None:
    """D3.2, jack: five percent of the opponent's budget each."""
    raiders = tuple(gone(f"r{number}", is_past_enemy=True) for number in range(12))
    assert lines_of(Setting(raiders[:3], EVEN[1]), MissionPlayed("attacker", "J")) == [("3 freighters captured", 60)]
    assert lines_of(Setting(raiders, EVEN[1]), MissionPlayed("attacker", "J")) == [("12 freighters captured", 200)]


@pytest.mark.rule("D3.2/Q", "D3.3/5")
def test_a_total_is_doubled_or_left_alone() -> None:
    """D3.2, queen, and D3.3, five: a line of its own, or none."""
    majeure = MissionPlayed("attacker", "Q")
    assert lines_of(Setting(EVEN[0], (ship("g1", 37, tons=300_000), dead("g2"))), majeure) == []
    won = Setting(EVEN[0], (dead("g1", tons=300_000), ship("g2", 37)))
    assert [points for _, points in lines_of(won, majeure)] == [137]
    supremacy = MissionPlayed("defender", "5")
    assert lines_of(Setting((dead("r1", 10), ship("r2")), EVEN[1]), supremacy) == []
    assert [points for _, points in lines_of(Setting((dead("r1", 11), ship("r2")), EVEN[1]), supremacy)] == [40]


@pytest.mark.rule("D3.2/10")
def test_a_vendetta_triples_or_pays_the_enemy_double() -> None:
    """D3.2, ten."""
    mission = MissionPlayed("attacker", "10", ("g1",))
    assert [points for _, points in lines_of(Setting(EVEN[0], (dead("g1"), ship("g2"))), mission)] == [200]
    escaped = Setting(EVEN[0], (gone("g1", 9, 30), ship("g2")))
    assert lines_of(escaped, mission) == []
    assert [points for _, points in lines_of(escaped, mission, "green")] == [200]


@pytest.mark.rule("D3.2/9")
def test_a_deep_strike_counts_the_stranded_as_lost_and_pays_a_fifth_more() -> None:
    """D3.2, nine: also a ship that had got away without its generator."""
    setting = Setting((gone("r1", 9, 20, hyper_works=False), ship("r2")), (ship("g1", 33), ship("g2")))
    found = score_patrol(setting.battle(MissionPlayed("attacker", "9")))
    assert [(line.kind, line.points) for line in found.of("green").lines] == [("destroyed", 100)]
    assert [line.points for line in found.of("red").lines] == [33, 7]


@pytest.mark.rule("D3.2/4")
def test_the_attackers_blockade_pays_half_again_for_a_lost_generator() -> None:
    """D3.2, four: whatever became of the ship."""
    setting = Setting(EVEN[0], (ship("g1", 25, hyper_works=False), dead("g2", hyper_works=False)))
    assert [points for _, points in lines_of(setting, MissionPlayed("attacker", "4"))] == [13, 50]


@pytest.mark.rule("D3.2/3", "D3.3/6")
def test_what_the_enemy_earns_more() -> None:
    """D3.2, three: a quarter more for damage; D3.3, six: double for ships lost."""
    setting = Setting((dead("r1"), ship("r2", 30)), EVEN[1])
    assert [points for _, points in lines_of(setting, MissionPlayed("attacker", "3"), "green")] == [25, 8]
    assert [points for _, points in lines_of(setting, MissionPlayed("defender", "6"), "green")] == [100]


@pytest.mark.rule("D3.2/2")
def test_watching_pays_by_the_ships_watched_at_once() -> None:
    """D3.2, two: one, two, four percent a turn, 25 at most."""
    watched = ("a", "b", "c")
    assert watched_percent(watched, [("a",), (), ("a", "b"), ("c", "b", "a", "x"), ("x",)]) == 7
    assert watched_percent(watched, [("a", "b", "c")] * 7) == 25
    assert watched_percent(watched, [("a", "a")]) == 1


@pytest.mark.rule("D3.3/A")
def test_vengeance_doubles_kills_and_pays_for_those_who_escape() -> None:
    """D3.3, ace."""
    setting = Setting(EVEN[0], (dead("g1"), gone("g2")))
    assert [points for _, points in lines_of(setting, MissionPlayed("defender", "A"))] == [100]
    assert [points for _, points in lines_of(setting, MissionPlayed("defender", "A"), "green")] == [200]


@pytest.mark.rule("D3.3/J", "D3.3/7", "D3.3/2")
def test_what_is_taken_from_the_own_total() -> None:
    """D3.3: the elite crew twice its ship, the blockade each ship that left with its generator, the appointee twice."""
    lemon = Setting((dead("r1", is_lemon=True), ship("r2")), EVEN[1])
    assert [points for _, points in lines_of(lemon, MissionPlayed("defender", "J", ("r1",)))] == [-200]
    leaving = Setting(EVEN[0], (gone("g1"), gone("g2", is_hyper_capable=False, hyper_works=False)))
    assert [points for _, points in lines_of(leaving, MissionPlayed("defender", "7"))] == [-100]
    crony = MissionPlayed("defender", "2", ("r2",))
    lost = Setting((ship("r1", tons=300_000), dead("r2")), EVEN[1])
    assert [points for _, points in lines_of(lost, crony)] == [-200]
    fled = Setting((ship("r1", tons=300_000), gone("r2", 9, 50)), EVEN[1])
    assert [points for _, points in lines_of(fled, crony, "green")] == [25]
    assert lines_of(fled, crony) == []


@pytest.mark.rule("D3.3/9")
def test_ships_loose_among_the_convoy_cost_what_is_left_of_them() -> None:
    """D3.3, nine: up to half of the base; with no enemy gone the total is doubled."""
    loose = tuple(gone(f"g{number}", 9, 40, is_past_enemy=True) for number in range(5))
    mission = MissionPlayed("defender", "9")
    assert [points for _, points in lines_of(Setting(EVEN[0], loose[:2]), mission)] == [-120]
    assert [points for _, points in lines_of(Setting(EVEN[0], loose), mission)] == [-200]
    assert [points for _, points in lines_of(Setting(*EVEN), mission)] == [40]
    assert lines_of(Setting(EVEN[0], (gone("g1", 9, 40), ship("g2"))), mission) == []


@pytest.mark.rule("D3.3/3")
@pytest.mark.parametrize(
    ("turn", "past", "paid"), [(11, True, []), (12, True, [50]), (22, True, [50]), (23, True, []), (15, False, [])]
)
def test_the_wounded_must_come_home_past_the_enemy_when_time_is_up(turn: int, past: bool, paid: list[int]) -> None:
    """D3.3, three: from the limit on, and within its ten turns of grace."""
    setting = Setting((gone("r1", turn, is_past_enemy=past), ship("r2")), EVEN[1], 25)
    mission = MissionPlayed("defender", "3", ("r1",))
    assert [points for _, points in lines_of(setting, mission)] == paid


@pytest.mark.rule("D3.131")
def test_a_force_that_stays_forfeits_its_points() -> None:
    """D3.131: half after ten turns, all after twenty, of what is scored in the end."""
    for turns, kept in ((21, 37), (22, 19), (31, 19), (32, 0)):
        setting = Setting(EVEN[0], (ship("g1", 37), ship("g2")), turns)
        assert score_patrol(setting.battle(NEUTRAL)).of("red").points == kept
    left = Setting(EVEN[0], (ship("g1", 37), ship("g2")), 40, {"disengaged_turn": 23})
    found = score_patrol(left.battle(NEUTRAL)).of("red")
    assert [(line.points, line.rule) for line in found.lines] == [(37, "D2.223"), (-18, "D3.131")]


@pytest.mark.rule("D3.131")
def test_nobody_need_leave_an_empty_field() -> None:
    """D3.131: once the last ship of either side is out of the fight, the clock stands still."""
    cleared = Setting(EVEN[0], (dead("g1", 9), gone("g2", 20)), 40)
    assert forfeited_percent(cleared.battle(NEUTRAL), cleared.battle(NEUTRAL).attacker) == 0
    own = Setting((dead("r1", 9), gone("r2", 24)), EVEN[1], 40)
    assert forfeited_percent(own.battle(NEUTRAL), own.battle(NEUTRAL).attacker) == 50


@pytest.mark.rule("D3.2/7", "D3.2/5")
def test_a_force_whose_mission_holds_it_has_not_disengaged() -> None:
    """D3.2: the bluff waits for the enemy, the mettle for two kills and then knows no limit."""
    bluff = MissionPlayed("attacker", "7")
    waiting = Setting((gone("r1", 9), gone("r2", 10)), EVEN[1], 35).battle(bluff)
    assert release_turn(waiting, waiting.attacker) is None
    assert forfeited_percent(waiting, waiting.attacker) == 100
    followed = Setting((gone("r1", 9), gone("r2", 10)), (gone("g1", 24), ship("g2")), 35).battle(bluff)
    assert release_turn(followed, followed.attacker) == 24
    assert forfeited_percent(followed, followed.attacker) == 50
    mettle = MissionPlayed("attacker", "5")
    kills = Setting(
        EVEN[0],
        (dead("g1", 5), dead("g2", 8, is_hyper_capable=False, hyper_works=False), dead("g3", 9), ship("g4")),
        40,
    )
    assert release_turn(kills.battle(mettle), kills.battle(mettle).attacker) == 9
    assert forfeited_percent(kills.battle(mettle), kills.battle(mettle).attacker) == 0


@pytest.mark.rule("D3.3/5")
@pytest.mark.parametrize(
    ("mission", "enemy", "facts", "turn"),
    [
        (MissionPlayed("attacker", "Q"), (dead("g1", 7, tons=300_000), dead("g2", 3)), {}, 7),
        (MissionPlayed("attacker", "Q"), (ship("g1", tons=300_000), dead("g2", 3)), {}, None),
        (MissionPlayed("attacker", "10", ("g2",)), (dead("g1", 3), dead("g2", 6)), {}, 6),
        (MissionPlayed("attacker", "10", ("g2",)), (dead("g1", 3), ship("g2")), {}, None),
        (MissionPlayed("attacker", "7"), (gone("g1", 9), gone("g2", 8)), {}, 8),
        (MissionPlayed("attacker", "5"), (dead("g1", 3), dead("g2", 6)), {}, 6),
        (MissionPlayed("attacker", "4"), (ship("g1", hyper_works=False), ship("g2")), {}, 12),
        (
            MissionPlayed("attacker", "4"),
            (ship("g1", is_hyper_capable=False, hyper_works=False), ship("g2")),
            {},
            None,
        ),
        (MissionPlayed("attacker", "2", ("g1", "g2")), EVEN[1], {"close_turns": (("g1",), (), ("g2",))}, 3),
        (MissionPlayed("attacker", "2", ("g1", "g2")), EVEN[1], {"close_turns": (("g1",), ())}, None),
        (MissionPlayed("attacker", "6"), (dead("g1", 4), ship("g2")), {}, 4),
        (MissionPlayed("attacker", "6"), (dead("g1", 4), ship("g2", cost=101)), {}, None),
        (MissionPlayed("attacker", "6"), EVEN[1], {"objective_turn": 2}, 2),
    ],
)
def test_when_an_objective_was_met(
    mission: MissionPlayed, enemy: tuple[PatrolShip, ...], facts: dict[str, Any], turn: int | None
) -> None:
    """D3.3, five asks when the enemy achieved what its mission wants."""
    battle = Setting(EVEN[0], enemy, facts=facts).battle(mission)
    assert objective_turn(battle, battle.attacker) == turn


@pytest.mark.rule("D3.3/5")
def test_a_convoy_raid_meets_its_objective_with_the_first_freighter() -> None:
    """D3.2, jack, for D3.3, five."""
    battle = Setting((gone("r1", 9, is_past_enemy=True), gone("r2", 7)), EVEN[1]).battle(MissionPlayed("attacker", "J"))
    assert objective_turn(battle, battle.attacker) == 9


@pytest.mark.rule("D3.4", "D3.41")
def test_without_missions_that_score_the_account_is_the_plain_one() -> None:
    """D3.41: points, ratios and margin as in D2.2."""
    setting = Setting((ship("r1", 60), ship("r2")), (dead("g1", pods_bought=2, pod_cost=31), ship("g2")))
    battle = setting.battle(NEUTRAL)
    plain = score([battle.attacker.outcome(), battle.defender.outcome()])
    assert score_patrol(battle) == plain
    assert isinstance(battle.attacker.outcome(), SideOutcome)


@pytest.mark.rule("D3.41")
def test_a_battle_comes_back_from_its_document() -> None:
    """Every field, through plain JSON."""
    mission, setting, _ = CASES["D3.2/2"]
    battle = setting.battle(mission)
    assert load_battle(battle.as_document()) == battle
    with pytest.raises(ProblemsError) as refused:
        load_battle({**battle.as_document(), "turns": "12", "weather": "fair"})
    assert {one.place for one in refused.value.problems} == {"/turns", "/weather"}


@pytest.mark.rule("D3.41", "D3.2/10", "D3.2/2", "D3.3/J", "D3.3/3", "D3.3/2")
@pytest.mark.parametrize(
    ("mission", "codes"),
    [
        (MissionPlayed("attacker", "10"), ["wrong-number"]),
        (MissionPlayed("attacker", "10", ("x",)), ["unknown-ship"]),
        (MissionPlayed("attacker", "6", ("g1",)), ["no-target"]),
        (MissionPlayed("attacker", "2", ("g1", "g1")), ["same-class-twice", "same-ship-twice"]),
        (MissionPlayed("attacker", "K"), ["not-a-mission"]),
        (MissionPlayed("attacker", "1"), ["not-a-card"]),
        (MissionPlayed("attacker", "6", spy_act="freeze"), ["no-spy"]),
        (MissionPlayed("defender", "J", ("r1",)), ["not-a-lemon"]),
        (MissionPlayed("defender", "2", ("r1",)), ["not-second-largest"]),
        (MissionPlayed("defender", "3"), ["too-few"]),
        (MissionPlayed("defender", "3", ("r2",)), ["too-few"]),
        (MissionPlayed("defender", "3", ("r1", "r2")), ["too-many"]),
        (MissionPlayed("defender", "3", ("x",)), ["unknown-ship"]),
    ],
)
def test_a_mission_without_its_ships_is_refused(mission: MissionPlayed, codes: list[str]) -> None:
    """Each mission names what it needs and no more."""
    own = (ship("r1", tons=300_000), ship("r2"))
    battle = Setting(own, (ship("g1"), ship("g2"))).battle(mission)
    assert [one.code for one in check_battle(battle)] == codes
    assert all(one.place.startswith("/attacker/missions/0") for one in check_battle(battle))
    with pytest.raises(ProblemsError):
        score_patrol(battle)


@pytest.mark.rule("D3.41")
def test_every_problem_of_a_summary_is_named_at_once() -> None:
    """Impossible turns, fates and numbers, each at its place."""
    bad = replace(
        Setting(
            (ship("r1", 101, left_turn=13), ship("r2", is_past_enemy=True)),
            (ship("g1", is_hyper_capable=False, tons=0), ship("g2", fate="disengaged")),
            facts={"close_turns": ((),) * 13, "disengaged_turn": 14},
        ).battle(),
        base_budget=0,
    )
    assert [(one.place, one.code) for one in check_battle(bad)] == [
        ("/attacker/close_turns", "out-of-range"),
        ("/attacker/disengaged_turn", "out-of-range"),
        ("/attacker/missions", "no-mission"),
        ("/attacker/ships/0/boxes_lost", "more-than-all"),
        ("/attacker/ships/0/left_turn", "out-of-range"),
        ("/attacker/ships/1/is_past_enemy", "not-disengaged"),
        ("/base_budget", "no-budget"),
        ("/defender/ships/0/hyper_works", "no-generator"),
        ("/defender/ships/0/tons", "out-of-range"),
        ("/defender/ships/1/left_turn", "missing"),
    ]
    least = PatrolBattle(1, 1, *Setting(*EVEN, facts={"disengaged_turn": 1}).battle(NEUTRAL).sides)
    least = replace(least, attacker=replace(least.attacker, time_limit=1))
    assert check_battle(least) == ()
    short = replace(Setting(*EVEN).battle(NEUTRAL), turns=0)
    assert "/turns" in [one.place for one in check_battle(short)]
    limit = Setting(*EVEN).battle(NEUTRAL)
    limit = replace(limit, attacker=replace(limit.attacker, time_limit=0))
    assert [one.place for one in check_battle(limit)] == ["/attacker/time_limit"]


fates = st.sampled_from(["fighting", "disengaged", "surrendered", "captured", "destroyed"])
forces = st.lists(st.tuples(st.integers(0, 100), fates, st.booleans(), st.integers(1, 30)), min_size=1, max_size=5)


@pytest.mark.rule("D3.41", "D2.232")
@given(forces, forces, st.sampled_from(missions_of("attacker", "defender")), st.integers(1, 30))
def test_any_mission_scores_any_battle(own: list[Any], enemy: list[Any], mission: Any, turns: int) -> None:
    """Every line is whole and names its rule; the sum of the lines is the points; a draw has no winner."""

    def force(letter: str, facts: list[Any]) -> tuple[PatrolShip, ...]:
        return tuple(
            ship(
                f"{letter}{index}",
                lost,
                fate=fate,
                left_turn=min(turn, turns),
                is_past_enemy=past and fate == "disengaged",
                is_lemon=True,
                tons=1000 * (9 - index),
            )
            for index, (lost, fate, past, turn) in enumerate(facts)
        )

    reds, greens = force("r", own), force("g", enemy)
    second = reds[min(1, len(reds) - 1)].ship
    largest = reds[0].ship
    named = {
        "vendetta": ("g0",),
        "intelligence-gathering": tuple(one.ship for one in greens[:3]),
        "elite-crew": ("r0",),
        "political-appointee": (second,),
        "walking-wounded": (largest,),
    }
    played = MissionPlayed(mission.listed, mission.rank, named.get(mission.key, ()))
    found = score_patrol(Setting(reds, greens, turns).battle(played, as_attacker=mission.listed == "attacker"))
    for side in found.sides:
        assert all(line.rule and isinstance(line.points, int) for line in side.lines)
        assert side.points == sum(line.points for line in side.lines)
    assert (found.winner is None) is (found.margin == "draw")
