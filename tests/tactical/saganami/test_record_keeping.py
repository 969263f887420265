"""Record keeping: repairs, rigs, pods laid, wedges, life support, and the ends of a battle (A3.3, C6, D2)."""

from __future__ import annotations

from typing import Any

import pytest

from tactical.rules.saganami.ends import are_disengaged, end_of, why_no_translation
from tactical.rules.saganami.muster import towing_problems
from tactical.rules.saganami.plots import Repair
from tactical.rules.saganami.record_steps import attempt_problems, attempts_of, repair_order
from tactical.rules.saganami.report import outcomes, report, score
from tactical.rules.saganami.state import State
from tests.tactical.saganami.battles import battle, kinds, ship, to_launch, turn


def lone(ship_class: str = "sample", **fields: Any) -> State:
    """Return a battle of one red ship with a green one far off."""
    return battle(ship("r1", ship_class, **fields), ship("g1", "petrel", (0, 45, 0)))


@pytest.mark.rule("A3.33", "C6.11", "C6.12", "C6.121", "C6.122", "C6.123", "C6.13")
def test_parties_mend_boxes_for_ten_turns_and_a_failure_is_final() -> None:
    """C6.12, C6.13: what is mended in turn 1 fails at the end of turn 11; a failed box is not tried again."""
    state = lone(lost={"ecm": 4})
    state.rulings["cowardly-draw"] = "plays-on"
    orders = {"r1": {"repairs": [{"track": "ecm", "parties": 1}]}}
    state, events = turn(state, launch=orders)
    (work,) = kinds(events, "damage-control-worked")
    assert len(work.data["log"]) == 4
    mended = sum(each["repaired"] for each in work.data["log"])
    red = state.ship("r1")
    assert 0 < mended < 4
    assert red.gone.get("ecm", 0) == 4 - mended
    assert red.failed == {"ecm": 4 - mended}
    assert red.lost()["ecm"] == 4
    for _ in range(2, 11):
        state, events = turn(state, launch=orders)
        assert kinds(events, "damage-control-worked") == []
    assert state.ship("r1").gone["ecm"] == 4 - mended
    state, events = turn(state)
    assert state.turn == 11
    assert state.ship("r1").gone["ecm"] == 4
    assert kinds(events, "rigs-failed") != []


@pytest.mark.rule("C6.11", "C6.122", "C6.15", "C4.124", "C5.434")
def test_attempts_keep_to_the_parties_and_to_what_may_be_mended() -> None:
    """C6.15: no hull, structure, sail or hyper generator; no used decoy; never more parties than there are."""
    red = lone(
        "mistral",
        lost={
            "hull": 12,
            "structural_integrity": 2,
            "hyper_generator": 1,
            "forward_impeller": 5,
            "port.dcy": 2,
            "ecm": 3,
        },
    ).ship("r1")
    red.spent = {"port.dcy": 1}
    assert red.parties() == 1
    everything = tuple(Repair(track) for track in red.sheet.size)
    red.gone["hull"] = 0
    attempts = attempts_of(red, everything)
    tracks = [attempt.box.rpartition(" ")[0] for attempt in attempts]
    assert red.parties() == 4
    assert len(attempts) == 4
    assert attempt_problems(red, attempts) == ()
    assert set(tracks) <= {"ecm", "forward_impeller", "port.dcy"}
    assert len(attempts_of(red, (Repair("forward_impeller"),))) == 4
    assert len(attempts_of(red, (Repair("port.dcy"),))) == 1
    assert attempts_of(red, (Repair("hull"), Repair("structural_integrity"), Repair("hyper_generator"))) == ()
    assert [one.parties for one in attempts_of(red, (Repair("ecm", 2),))] == [2, 2]


@pytest.mark.rule("C6.14", "C6.141")
def test_magazines_are_filled_again_in_turns_in_which_their_mount_is_silent() -> None:
    """C6.14: 3d10low salvoes come back, again and again; not where missiles flew this turn."""
    state = lone(lost={"port.mag": 100})
    orders = {"r1": {"repairs": [{"track": "port.mag", "parties": 2}]}}
    left = []
    for _ in range(4):
        state, _ = turn(state, launch=orders)
        left.append(state.ship("r1").left("port.mag"))
    assert left == sorted(left)
    assert left[-1] > 20
    red = state.ship("r1")
    assert red.rigs == []
    red.fired = ("port",)
    assert attempts_of(red, (Repair("port.mag"),)) == ()


@pytest.mark.rule("C7.33")
def test_each_lac_has_one_party_for_itself() -> None:
    """C7.33: a party mends its own LAC; launchers that have fired are no damage."""
    red = battle(ship("r1", "nettle"), ship("g1", "petrel", (0, 45, 0))).ship("r1")
    red.gone = {"A.port.PD": 2, "A.port.M": 2, "B.damage_control": 1, "B.port.PD": 1}
    attempts = attempts_of(red, repair_order(red))
    assert [attempt.box for attempt in attempts] == ["A.port.PD 1"]


@pytest.mark.rule("A3.34", "C8.23", "C8.231")
def test_pods_settle_before_they_fire_and_are_lost_when_the_ship_moves_off() -> None:
    """C8.23: deployed in turn 1, ready in turn 3; a pod-layer's a turn sooner; a plotted move loses them."""
    state = lone("scoria", pods=3, tow=0)
    state, _ = turn(state, launch={"r1": {"deploy": 1}})
    assert state.ship("r1").pods_settling == ((3, 1),)
    state, _ = turn(state)
    assert (state.ship("r1").pods_towed, state.ship("r1").pods_settling) == (1, ())
    layer = lone("cordouan")
    layer, _ = turn(layer, launch={"r1": {"deploy": 4}})
    assert layer.ship("r1").pods_towed == 4
    assert layer.turn == 1
    moving = lone("scoria", pods=3, tow=0)
    moving, _ = turn(moving, launch={"r1": {"deploy": 1}})
    moving, events = turn(moving, {"r1": {"roll": 1}})
    assert moving.ship("r1").pods_killed == 1
    assert kinds(events, "pods-lost") != []


@pytest.mark.rule("C8.21")
def test_a_ship_starts_with_as_many_pods_in_tow_as_it_may() -> None:
    """C8.21: pods beyond the free ones disable thrust boxes, and never bring the track into its circles."""
    red = lone("scoria", pods=9).ship("r1")
    assert towing_problems(red, red.pods_towed) == ()
    assert [problem.rule for problem in towing_problems(red, red.pods_towed + 1)] == ["C8.21"]
    assert red.pods_towed + red.pods_aboard == 9
    heavy = lone("sample", pods=5).ship("r1")
    assert (heavy.pods_towed, heavy.pods_aboard) == (5, 0)


@pytest.mark.rule("B5.145")
def test_a_wedge_goes_up_at_the_end_of_its_turn_and_the_walls_a_turn_later() -> None:
    """B5.145: ordered up in turn 1; no walls in turn 2; walls in turn 3."""
    state = lone("mistral", wedge="down")
    assert not state.ship("r1").has_walls(1)
    state, _ = turn(state, launch={"r1": {"wedge": "up"}})
    red = state.ship("r1")
    assert red.wedge_up
    assert [red.has_walls(number) for number in (2, 3)] == [False, True]
    assert red.sheet.wall("port", 0, has_walls=False)[0] == red.sheet.values["port.sidewall"][-1]


@pytest.mark.rule("C5.423")
def test_a_ship_without_life_support_is_checked_every_nineteen_map_turns() -> None:
    """C5.423: a battle of its own keeps that clock; one that was handed over leaves it to the map."""
    state = lone("mistral", lost={"life_support": 2}, grades={"crew": "poor"})
    state.rulings["cowardly-draw"] = "plays-on"
    state.ship("r1").life_support_failed = 0

    def fates(turns: int) -> set[str]:
        state.turn = turns
        return {turn(state, seed=seed)[0].ship("r1").fate for seed in "abcdef"}

    assert fates(50) == {"active"}
    assert fates(60) == {"active", "destroyed"}
    assert fates(61) == {"active"}
    state.handed = {"engagement": "e"}
    assert fates(60) == {"active"}


@pytest.mark.rule("D2.21", "D2.224")
def test_colours_struck_end_a_ships_battle_at_once() -> None:
    """D2.224: who strikes is out before missiles are launched, and pays its cost less its crew."""
    state = battle(ship("r1", nose="C yellow"), ship("g1", "adze", (0, 6, 0), "C yellow"))
    state, events = turn(state, {"g1": {"strike_colours": True}})
    assert state.ship("g1").fate == "surrendered"
    assert state.over is not None
    assert (state.over["why"], state.over["winner"]) == ("one-side-left", "red")
    account = score(state)
    lines = next(side for side in account["sides"] if side["side"] == "red")["lines"]
    assert [line["kind"] for line in lines] == ["surrendered"]
    assert kinds(events, "battle-over") != []


@pytest.mark.rule("B5.16", "B5.161", "C5.463")
def test_ships_leave_for_hyperspace_if_they_can() -> None:
    """B5.161: not too fast; C5.463: not without a generator; B5.16: not inside the limit."""
    state = lone("mistral")
    state, _ = turn(state, launch={"r1": {"translate": True}})
    assert (state.ship("r1").fate, state.ship("r1").left_turn) == ("departed", 1)
    fast = lone("mistral", vectors={"A": 139})
    assert why_no_translation(fast, fast.ship("r1"), 1) == "too-fast-to-translate"
    fast, events = turn(fast, launch={"r1": {"translate": True}})
    assert fast.ship("r1").fate == "active"
    assert kinds(events, "translation-failed") != []
    broken = lone("mistral", lost={"hyper_generator": 1})
    assert why_no_translation(broken, broken.ship("r1"), 1) == "no-hyper-generator"
    inside = lone("mistral")
    inside.chart = {"hyper_limit": 100, "origins": {"red": [0, 500, 0], "green": [0, 500, 0]}}
    assert why_no_translation(inside, inside.ship("r1"), 1) == "inside-limit"
    inside.chart["origins"]["red"] = [0, 1000, 0]
    assert why_no_translation(inside, inside.ship("r1"), 1) == ""


@pytest.mark.rule("D3.131")
def test_a_battle_ends_when_the_sides_have_lost_touch() -> None:
    """D3.131: more than 50 hexes between the nearest, opening by three a turn."""
    for gap, speed, expected in ((51, 3, True), (50, 3, False), (51, 2, False)):
        state = battle(ship("r1"), ship("g1", place=(0, gap, 0), vectors={"A": speed}))
        assert are_disengaged(state) is expected
        assert (end_of(state, 1) is not None) is expected
        state.rulings["disengagement"] = "plays-on"
        assert end_of(state, 1) is None


@pytest.mark.rule("D2.0", "B5.132")
def test_a_battle_ends_by_the_clock_and_for_want_of_fighting() -> None:
    """B5.132: at its time limit; D2.0: after ten turns without damage to half of a side."""
    state = lone("mistral")
    assert end_of(state, 9) is None
    state.turn = 10
    found = end_of(state, 10)
    assert found is not None
    assert found["why"] == "cowardly-draw"
    assert score(state)["cowardly_draw"]
    state.ship("g1").gone["hull"] = 9
    assert end_of(state, 10) is None
    state.time_limit = 10
    found = end_of(state, 10)
    assert found is not None
    assert found["why"] == "time-limit"


@pytest.mark.rule("D2.223", "D2.225", "C8.12")
def test_only_boxes_lost_in_this_battle_count_and_pods_used() -> None:
    """D2.223: damage that a ship came with earns nothing; pods fired do."""
    state = lone("scoria", lost={"hull": 5}, pods=2)
    red = state.ship("r1")
    red.gone["hull"] = 8
    red.pods_used = 1
    red.pods_towed -= 1
    mine = next(side for side in outcomes(state) if side.side == "red").ships[0]
    assert (mine.boxes_lost, mine.pods_spent, mine.pods_bought) == (3, 1, 2)
    assert report(state)["ships"]["r1"]["stores"]["pods"] == 1


@pytest.mark.rule("B3.23", "B3.231", "C5.465")
def test_red_lined_compensators_are_checked_and_cost_structure() -> None:
    """B3.231: a check for a red-lined thrust; a failure is an SI hit."""
    lost = set()
    burn = {"thrust": 4, "cell": [4, 0], "split": {"A": 4}}
    for seed in "abcdef":
        state = lone("mistral")
        at_launch = to_launch(state, {"r1": {"thrust": burn, "red_line": True}}, seed)
        lost.add(at_launch.ship("r1").gone.get("structural_integrity", 0))
    assert lost == {0, 1}
    calm = to_launch(lone("mistral"), {"r1": {"thrust": {**burn, "thrust": 3, "cell": [3, 0], "split": {"A": 3}}}})
    assert calm.ship("r1").gone == {}
