"""Salvoes from launch to impact: cards, links, pods, canister, decoys, lending, the wedge (C2, C4, C8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from campaign.engine.battle import battle_keys
from campaign.engine.dice import TypedDice
from campaign.engine.hexes import Hex
from campaign.rulebooks.saganami.grades import ShipGrades
from tactical.rules.saganami.defense import Battery, Defender, defend
from tactical.rules.saganami.fire_reading import unfired
from tactical.rules.saganami.gunnery import entries, entry_of, seen_in
from tactical.rules.saganami.impact_step import impacts
from tactical.rules.saganami.launch_step import launch
from tactical.rules.saganami.linked import defend_linked
from tactical.rules.saganami.plot_reading import read_plots
from tactical.rules.saganami.sequence import dice_of
from tactical.rules.saganami.shield import defender_of
from tactical.rules.saganami.state import Card, State
from tactical.rules.saganami.table import Table
from tests.tactical.saganami.battles import battle, kinds, moved, play, ship, to_launch, turn, turned


def table_at_launch(state: State, ships: Mapping[str, Any], *, seed: str = "seed") -> Table:
    """Return the table of a launch step with the sheets read, and the salvo cards written."""
    plots = {}
    for side in state.sides:
        mine = {key: plot for key, plot in ships.items() if state.ship(key).side == side}
        reading = read_plots(state, side, {"ships": mine})
        assert reading.problems == ()
        plots[side] = reading.orders
    table = Table(state.copy(), plots, dice_of("test", 1, "launch", battle_keys(seed)))
    launch(table)
    return table


def abeam(*more: dict[str, Any], red: str = "fastnet", green: str = "scoria", gap: int = 6, **fields: Any) -> State:
    """Return the launch step of two ships abeam of each other, at a range that gives all three salvoes."""
    state = battle(ship("r1", red, nose="C yellow"), ship("g1", green, (0, gap, 0), "C yellow"), *more, **fields)
    return to_launch(state)


def salvo(target: str = "g1", mount: str = "port", *stages: str, **fields: Any) -> dict[str, Any]:
    """Return a launch of a mount."""
    return {"mount": mount, "target": target, "stages": list(stages or ("early",)), **fields}


@pytest.mark.rule("A2.51", "A3.13", "A3.136", "C2.11", "C2.12", "C2.13", "C2.15", "C2.151", "D1.141", "A2.634")
def test_a_salvo_card_says_what_comes_when_from_where_and_how_good() -> None:
    """C2.1: missiles, range, quality with fire control and tactical officer; each salvo costs a dot."""
    state = abeam()
    state.ship("r1").grades = ShipGrades(tactical="veteran")
    state.ship("r1").gone["port.fcon"] = 3
    red = state.ship("r1")
    track = red.sheet.values["port.fcon"]
    dots = red.left("port.mag")
    table = table_at_launch(state, {"r1": {"launches": [salvo("g1", "port", "early", "middle", "late")]}})
    cards = table.state.cards
    assert [card.stage for card in cards] == ["early", "middle", "late"]
    assert {card.missiles for card in cards} == {red.sheet.size["port.M"]}
    bands = red.sheet.ship_class.range_bands
    assert bands is not None
    base = next(mql for through, mql in zip(bands.through, bands.mql, strict=True) if through >= 6)
    assert {card.base for card in cards} == {base}
    assert {card.quality for card in cards} == {base + int(track[3]) - 1}
    assert {str(card.windows[0]) for card in cards} == {"A yellow"}
    assert table.state.ship("r1").left("port.mag") == dots - 3
    assert table.state.ship("r1").fired == ("port",)
    assert [event.data["missiles"] for event in kinds(table.events, "salvo-launched")] == [cards[0].missiles] * 3


@pytest.mark.rule("C2.11", "A3.135", "C2.144")
def test_late_salvoes_are_shot_from_the_midpoint_with_its_attitude() -> None:
    """C2.144: a ship that is broadside on only at its midpoint bears with its late salvo alone."""
    state = battle(ship("r1", "fastnet", nose="B/C yellow"), ship("g1", "scoria", (0, 6, 0), "C yellow"))
    # The nose goes from B/C over C to C/D: at the midpoint it is in C, abeam of the target.
    at_launch = to_launch(state, {"r1": {"pivot": ["C yellow", "C/D yellow"]}})
    assert at_launch.ship("r1").move is not None
    assert str(at_launch.ship("r1").move.midpoint.forward) == "C yellow"
    late = read_plots(at_launch, "red", {"ships": {"r1": {"launches": [salvo("g1", "port", "late")]}}})
    assert late.problems == ()


@pytest.mark.rule("C2.17", "C2.171", "C2.173", "C4.126", "C4.144")
def test_linked_salvoes_meet_the_defence_as_one() -> None:
    """C2.171, C4.144: the leader's range, one defence for the set, and both ships' missiles in it."""
    state = abeam(ship("r2", "fastnet", (1, 0, 0), "C yellow"))
    alone = {"r1": {"launches": [salvo()]}, "r2": {"launches": [salvo()]}}
    linked = {"r1": {"launches": [salvo(lead="r1")]}, "r2": {"launches": [salvo(lead="r1")]}}
    apart, together = table_at_launch(state, alone), table_at_launch(state, linked)
    impacts(apart, "early")
    impacts(together, "early")
    assert len(kinds(apart.events, "salvo-defended")) == 2
    (defended,) = kinds(together.events, "salvo-defended")
    assert defended.data["missiles"] == 2 * state.ship("r1").left("port.M")
    assert len(defended.data["cards"]) == 2
    assert {card.lead for card in table_at_launch(state, linked).state.cards} == {"r1"}


@pytest.mark.rule("C2.17", "C4.114", "C4.126", "C4.144")
def test_one_linked_salvo_is_defended_like_a_plain_one() -> None:
    """defend_linked of a single card gives what defend gives, whatever the dice."""
    defender = Defender(3, 4, (Battery(4 * one()),), (Battery(5 * one(), 1),), decoy=4)
    for faces in ([3, 3, 8, 1, 9, 2], [10, 1, 1, 10, 5, 5], [4, 9, 2, 2, 7, 3]):
        card = _card(missiles=23, quality=8)
        plain = defend(23, 8, "laser head", defender, TypedDice(list(faces)))
        linked, hits = defend_linked([card], defender, TypedDice(list(faces)))
        assert linked == plain
        assert hits == (plain.hits,)


@pytest.mark.rule("C4.143", "C4.144")
def test_the_defender_stops_the_heaviest_of_linked_missiles_first() -> None:
    """C4.144: what the active defences stop is the defender's choice."""
    defender = Defender(0, 0, (Battery(10 * one()),))
    light, heavy = _card(missiles=10, quality=7, damage=4), _card(missiles=10, quality=7, damage=16)
    result, hits = defend_linked([light, heavy], defender, TypedDice([5, 1]))
    assert result.countermissile_kills > 0
    assert hits[0] > hits[1]


def one() -> Any:
    """Return one probable kill."""
    from fractions import Fraction

    return Fraction(1)


def _card(**fields: Any) -> Card:
    values = {"number": 1, "side": "red", "shooter": "r1", "lead": "r1", "target": "g1", "stage": "early",
              "mount": "port", "missiles": 10, "base": 7, "quality": 7, "damage": 10, "warhead": "laser head",
              "range": 5, "windows": (), **fields}  # fmt: skip
    return Card(**values)


@pytest.mark.rule("C4.122", "C4.141", "C5.111", "C3.122")
def test_behind_the_wedge_there_are_no_countermissiles() -> None:
    """C4.122, C4.141: a target rolled belly on defends with the wedge and half its point defence."""
    state = abeam()
    turned(state, "g1", "C yellow", 3)
    table = table_at_launch(state, {"r1": {"launches": [salvo()]}})
    impacts(table, "early")
    (event,) = kinds(table.events, "salvo-defended")
    assert event.data["cover"] == "wedge"
    assert event.data["countermissile_roll"] is None
    missiles, quality = table.state.ship("r1").left("port.M"), event.data["ecm_column"] - (event.data["ecm_roll"] or 0)
    assert missiles
    assert quality >= 12


@pytest.mark.rule("C5.1112", "C5.113")
def test_a_bubble_wall_goes_all_round_its_base() -> None:
    """C5.1112: from above a base is hit on its strongest facing, behind a wall and with all its defences."""
    state = to_launch(
        battle(ship("r1", "fastnet", (0, 0, 6), "C yellow", 3), ship("g1", "breakwater", (0, 0, 0), "C yellow"))
    )
    table = table_at_launch(state, {"r1": {"launches": [salvo("g1", mount_towards_below(state))]}})
    impacts(table, "early")
    (event,) = kinds(table.events, "salvo-defended")
    assert event.data["cover"] == "sidewall"
    assert event.data["countermissile_roll"] is not None


def mount_towards_below(state: State) -> str:
    """Return the mount of r1 that bears straight down."""
    from tactical.rules.saganami.avid import DOWN
    from tactical.rules.saganami.gunnery import mount_bears

    red = state.ship("r1")
    assert red.attitude is not None
    return next(mount.name for mount in red.sheet.mountings if mount_bears(mount, red.attitude, (DOWN,)))


@pytest.mark.rule("C4.124", "C5.434")
def test_a_decoy_is_spent_on_standing_orders_and_not_repaired() -> None:
    """C4.124: spent when it stops as many more as ordered, from the side that faces the salvo; 0 spends none."""
    state = abeam()
    spending = {"r1": {"launches": [salvo()]}, "g1": {"decoy_worth": 1}}
    table = table_at_launch(state, spending)
    impacts(table, "early")
    green = table.state.ship("g1")
    (event,) = kinds(table.events, "salvo-defended")
    assert event.data["decoy"]
    side = event.data["edge"]
    assert green.spent == {f"{side}.dcy": 1}
    assert green.gone[f"{side}.dcy"] >= 1
    keeping = table_at_launch(state, {**spending, "g1": {"decoy_worth": 0}})
    impacts(keeping, "early")
    assert keeping.state.ship("g1").spent == {}


@pytest.mark.rule("C4.143", "C5.444")
def test_friends_lend_at_range_one_and_two_and_only_while_they_can_talk() -> None:
    """C4.143: all active defences at range 1, countermissiles at 2 beside where the salvo comes from; by radio."""

    def lent(place: tuple[int, int, int], plot: dict[str, Any] | None = None, **fields: Any) -> tuple[int, int]:
        state = abeam(ship("g2", "scoria", place, "C yellow", **fields))
        table = table_at_launch(state, {"g2": plot or {}})
        target = table.state.ship("g1")
        windows = seen_from(state)
        entry = entry_of(target, target.attitude, windows, 1)
        defender, by = defender_of(table, target, entry, windows, {})
        assert by == (["g2"] if len(defender.countermissiles) > 2 else [])
        return len(defender.countermissiles), len(defender.point_defense)

    # Two mounts of each ship bear on the salvo.
    assert lent((1, 6, 0)) == (4, 4)
    assert lent((0, 4, 0)) == (4, 2)
    assert lent((0, 8, 0)) == (2, 2)
    assert lent((0, 20, 0)) == (2, 2)
    assert lent((1, 6, 0), {"lend": False}) == (2, 2)
    size = abeam(ship("g2", "scoria", (1, 6, 0))).ship("g2").sheet.size["communications"]
    assert lent((1, 6, 0), lost={"communications": size}) == (2, 2)


def seen_from(state: State) -> Any:
    """Return the windows through which r1 shoots at g1."""
    from tactical.rules.saganami.bearings import shoot

    return shoot(state.ship("r1").place, state.ship("g1").place).windows


@pytest.mark.rule("C4.15", "C4.151", "C4.152", "C4.154")
def test_canister_held_back_joins_the_countermissiles_for_its_step() -> None:
    """C4.15: held tubes throw canister when a salvo comes to their mount; each takes a round and a box for the step."""
    state = abeam()
    green = state.ship("g1")
    green.canister["starboard"] = 5
    orders = {"g1": {"launches": [salvo("r1", "starboard", held={"early": 2})]}, "r1": {"launches": [salvo()]}}
    table = table_at_launch(state, orders)
    mine = next(card for card in table.state.cards if card.shooter == "g1")
    assert mine.missiles == green.left("starboard.M") - 2
    impacts(table, "early")
    after = table.state.ship("g1")
    assert after.canister["starboard"] == 3
    assert after.disabled.get("starboard", 0) == 0
    assert [event.data["tubes"] for event in kinds(table.events, "canister-fired")] == [2]


@pytest.mark.rule("C5.213", "C5.22", "C5.31", "C5.312", "A3.21")
def test_all_warheads_of_a_type_go_off_against_the_same_wall_and_laser_heads_first() -> None:
    """C5.312, C5.31: two ships' laser heads see one wall; contact nukes come after them, at half depth and span 5."""
    state = abeam(ship("r2", "fastnet", (1, 0, 0), "C yellow"))
    orders = {"r1": {"launches": [salvo(warhead="contact nuke")]}, "r2": {"launches": [salvo()]}}
    for seed in ("a", "b", "c", "d"):
        table = table_at_launch(state, orders, seed=seed)
        impacts(table, "early")
        hits = [event.text for event in kinds(table.events, "ship-hit")]
        order = [text.rpartition(" ")[2] for text in hits]
        assert order in ([], ["heads."], ["nukes."], ["heads.", "nukes."])
    swapped = {"r2": orders["r2"], "r1": orders["r1"]}
    one_way, other_way = table_at_launch(state, orders), table_at_launch(state, swapped)
    impacts(one_way, "early")
    impacts(other_way, "early")
    assert one_way.state == other_way.state


@pytest.mark.rule("C2.13", "C2.131")
def test_later_salvoes_come_in_whole_unless_the_table_plays_the_optional_rule() -> None:
    """C2.13, C2.131: by the usual rule destroyed launchers fire all the same."""
    for choice, expected in (("all", 17), ("reduced", 5)):
        state = abeam(red="scoria", rulings={"later-salvoes": choice})
        table = table_at_launch(state, {"r1": {"launches": [salvo("g1", "port", "middle")]}})
        assert table.state.cards[0].missiles == 17
        table.state.ship("r1").gone["port.M"] = 12
        impacts(table, "middle")
        (event,) = kinds(table.events, "salvo-defended")
        assert event.data["missiles"] == expected
    dead = abeam(red="scoria", rulings={"later-salvoes": "reduced"})
    table = table_at_launch(dead, {"r1": {"launches": [salvo("g1", "port", "middle")]}})
    table.state.ship("r1").fate = "destroyed"
    impacts(table, "middle")
    assert kinds(table.events, "salvo-defended") == []


@pytest.mark.rule("C8.31", "C8.32", "C8.311", "C8.12", "C5.4322")
def test_pods_throw_ten_missiles_each_and_blind_their_mount_for_the_turn() -> None:
    """C8.31: each pod disables a box of the guiding mount, against all its missiles and defences that turn."""
    state = battle(ship("r1", "scoria", nose="C yellow", pods=3, tow=3), ship("g1", "fastnet", (0, 6, 0), "C yellow"))
    state = to_launch(state)
    fired = {"mount": "port", "target": "g1", "stage": "early", "pods": 2}
    table = table_at_launch(state, {"r1": {"pods": [fired], "launches": [salvo()]}})
    pods, tubes = table.state.cards
    red = table.state.ship("r1")
    row = red.sheet.values["port.fcon"]
    assert (pods.missiles, pods.damage, pods.pods) == (20, 16, 2)
    assert tubes.quality - tubes.base == int(row[2])
    assert pods.base == 7  # the pod's own card at range 6
    impacts(table, "early")
    assert (red.pods_towed, red.pods_used) == (1, 2)
    over, _ = turn(state, launch={"r1": {"pods": [fired]}})
    assert over.ship("r1").disabled == {}


@pytest.mark.rule("C8.22", "C8.221", "C8.223", "D2.225")
def test_warheads_kill_pods_in_tow_the_later_salvoes_first() -> None:
    """C8.22: every penetration roll's bare number destroys so many unfired pods."""
    state = battle(ship("r1", "scoria", nose="C yellow", pods=4, tow=4), ship("g1", "fastnet", (0, 6, 0), "C yellow"))
    state = to_launch(state)
    for seed in [str(number) for number in range(12)]:
        late = {"mount": "port", "target": "g1", "stage": "late", "pods": 3}
        table = table_at_launch(
            state, {"r1": {"pods": [late]}, "g1": {"launches": [salvo("r1", "starboard")]}}, seed=seed
        )
        impacts(table, "early")
        red = table.state.ship("r1")
        killed = kinds(table.events, "pods-killed")
        left = sum(card.pods for card in table.state.cards if card.shooter == "r1")
        if killed:
            lost = killed[0].data["pods"]
            assert red.pods_killed == lost
            assert left == max(0, 3 - lost)
            assert red.pods_towed == 4 - lost
            assert [card.missiles for card in table.state.cards if card.pods] == ([10 * left] if left else [])
            return
    raise AssertionError("no seed of a dozen killed a pod")


@pytest.mark.rule("C7.131", "C7.21", "C7.211", "C7.212")
def test_a_squadron_fires_one_box_launcher_of_each_lac_in_a_stage() -> None:
    """C7.131, C7.21: all craft together make one salvo; what has fired is marked off."""
    state = battle(ship("r1", "nettle", nose="C yellow"), ship("g1", "fastnet", (0, 4, 0), "C yellow"))
    state.ship("r1").marked["A"] = tuple(range(state.ship("r1").sheet.size["A.body"]))
    state = to_launch(state)
    red = state.ship("r1")
    assert sorted(unfired(red, red.sheet.mounting["port"])) == list("BCDEFGHJK")
    table = table_at_launch(state, {"r1": {"launches": [salvo("g1", "port", "early", "late")]}})
    assert [(card.stage, card.missiles) for card in table.state.cards] == [("early", 72), ("late", 54)]
    assert table.state.ship("r1").left("B.port.M") == 0
    again = read_plots(table.state, "red", {"ships": {"r1": {"launches": [salvo("g1", "port", "early")]}}})
    assert [problem.code for problem in again.problems] == ["no-launcher", "no-launcher"]


@pytest.mark.rule("C5.12", "C4.141", "C5.1112")
def test_the_attacker_chooses_among_ways_in_and_the_defender_behind_the_wedge() -> None:
    """C5.12: of several ways the weakest wall is taken; through the wedge the strongest."""
    state = abeam()
    green = state.ship("g1")
    choices = {"attacker": 0, "defender": 0}
    from tactical.rules.saganami.attitude import Attitude
    from tactical.rules.saganami.avid import PLACES, WINDOWS

    green.gone["port.sidewall"] = 5
    for forward in WINDOWS[::3]:
        for roll in range(12):
            for place in PLACES[::2]:
                attitude = Attitude(forward, roll)
                ways = entries(attitude, (place,), False)
                edges = {way.aspect.edge for way in ways}
                if len(edges) < 2:
                    continue
                found = entry_of(green, attitude, (place,), 1)
                walls = {way.aspect.edge: green.sheet.wall(way.aspect.edge, green.gone.get(
                    f"{way.aspect.edge}.sidewall", 0))[0] for way in ways}  # fmt: skip
                steep = all(abs(way.window.ring) >= 2 for way in ways)
                chosen = walls[found.aspect.edge]
                assert chosen == (min(walls.values()) if steep else max(walls.values()))
                choices["defender" if steep else "attacker"] += 1
    assert choices["attacker"] > 0
    assert choices["defender"] > 0


@pytest.mark.rule("C5.441", "C5.4411")
def test_a_ship_whose_bridge_crew_fails_neither_turns_nor_launches() -> None:
    """C5.441: only circles left: a check each turn decides on plots and missiles."""
    squares = {"bridge": 3}
    seen = set()
    for seed in [str(number) for number in range(12)]:
        state = battle(ship("r1", nose="C yellow", lost=squares), ship("g1", "adze", (0, 6, 0), "C yellow"))
        size = state.ship("r1").sheet.boxes["bridge"]
        assert [box.kind.value for box in size] == ["square", "square", "circle", "circle"]
        state, played = play(state, {"r1": {"roll": 2}}, seed)
        (check,) = kinds(played.events, "bridge-checked")
        assert check.data["target"] == 5 - 1
        red = state.ship("r1")
        assert red.is_mute is not check.data["passed"]
        assert red.move is not None
        assert red.move.roll_windows == (2 if check.data["passed"] else 0)
        reading = read_plots(state, "red", {"ships": {"r1": {"launches": [salvo("g1", "port", "late")]}}})
        assert [problem.code for problem in reading.problems] == ([] if check.data["passed"] else ["bridge-silent"])
        seen.add(check.data["passed"])
    assert seen == {True, False}


@pytest.mark.rule("C1.22", "C5.12")
def test_turning_ship_and_bearing_together_changes_nothing_of_what_is_seen() -> None:
    """The shortcut by which bearings are remembered agrees with the rule itself everywhere."""
    from tactical.rules.saganami.arcs import sights
    from tactical.rules.saganami.attitude import Attitude
    from tactical.rules.saganami.avid import PLACES, WINDOWS

    for forward in WINDOWS[::4]:
        for roll in (0, 1, 5, 8):
            for place in PLACES[::3]:
                attitude = Attitude(forward, roll)
                plain = frozenset(sight.window for sight in sights(attitude, place))
                assert seen_in(attitude, (place,)) == plain


def test_a_target_that_is_gone_takes_no_salvo_and_a_moved_one_is_where_it_is() -> None:
    """Salvoes at a ship that was lost earlier in the turn are spent in vain."""
    state = abeam()
    table = table_at_launch(state, {"r1": {"launches": [salvo("g1", "port", "late")]}})
    moved(table.state, "g1", (0, 7, 0))
    assert table.state.ship("g1").place == Hex(0, 7, 0)
    table.state.ship("g1").fate = "surrendered"
    impacts(table, "late")
    assert kinds(table.events, "salvo-defended") == []
    assert replace(table.state).cards == ()
