"""Engagements: what is handed over, what each side sees of it, the bids, and how the battle begins (B5.12 to B5.13)."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.handoff import Engagement, load_engagement
from campaign.engine.hexes import Hex, distance_in_plane, true_range
from campaign.engine.procedure import answer
from campaign.engine.vectors import add, consolidate, multiply, to_axial
from operational.rules.saganami import engagement
from operational.rules.saganami.captain_bids import captain_bids
from operational.rules.saganami.conversions import CONVERSIONS, REFUSED
from operational.rules.saganami.desk import DESK
from operational.rules.saganami.documents import dump_state, load_state
from operational.rules.saganami.start_places import Unit, map_distance, start_places
from operational.rules.saganami.state import Contact, JuryRig, State
from tests.operational.saganami.meeting_worlds import force, force_mark, mark_of, opened, turn, world

APART = {"battle-clock": "apart"}


def met(*forces: dict[str, Any], **setup: Any) -> tuple[State, dict[str, Any]]:
    """Return the state after a turn in which these forces met, and the engagement's document."""
    state, _ = turn(world(*forces, **setup))
    (document,) = engagement.open_engagements(state)
    return state, document


def pair(**setup: Any) -> tuple[State, dict[str, Any]]:
    """Return red's force at the origin met by blue's five hexes away in direction A, both flying A."""
    return met(
        force("lantern", "red", {}, {"A": 4, "+": 1}, ships={"grades": {"crew": "veteran"}}, **setup.pop("red", {})),
        force("verdict", "blue", {"A": 5}, {"A": 3, "B": 1}, ships={"grades": {"crew": "poor"}}),
        **setup,
    )


# What is handed over ---------------------------------------------------------------------------


@pytest.mark.rule("A2.65", "B5.12", "C8.11", "C8.111", "D2.13", "D2.223")
def test_an_engagement_carries_the_condition_of_every_ship() -> None:
    condition = {
        "damage": {"hull": 3},
        "stores": {"pods": 4},
        "drones": 1,
        "grades": {"tactical": "elite", "engineer": "elite"},
    }
    state, document = met(
        force("lantern", "red", {}, classes=("mistral", "fastnet"), ships=condition), force("b", "blue", {"A": 5})
    )
    engaged = load_engagement(json.loads(json.dumps(document)))
    red = engaged.sides["red"].forces[0]
    first = red.ships[0]
    assert (first.ship, first.name, first.ship_class) == ("lantern-1", "Lantern 1", "mistral")
    assert (first.boxes["hull"].lost, first.boxes["forward.mag"].refills) == (3, True)
    assert first.stores == {"recon_drones": 1, "pods": 4}
    assert first.grades["tactical"] == "elite"
    assert first.facts["pod_cost"] == 66
    assert first.cost == int(state.ships.cost[0]) > state.classes["mistral"].cost
    assert first.facts["crew_target"] == 5
    assert red.flagship == first.id
    assert [ship.ship_class for ship in red.ships] == ["mistral", "fastnet"]
    assert red.ships[1].boxes.keys() != first.boxes.keys()


@pytest.mark.rule("B5.145")
def test_sidewalls_follow_a_wedge_that_was_raised_in_this_turn_a_tactical_turn_later() -> None:
    state = world(force("up", "red", {}), force("down", "red", {}, wedge="down"), force("b", "blue", {"A": 5}))
    raised = replace(state, forces=replace(state.forces, raised={"up": 1}))
    marks = {}
    for name, world_now in (("long up", state), ("raised", raised)):
        after, _ = turn(world_now)
        marks[name] = {each.force: each.ships[0].marks for _, each in opened(after).forces()}
    assert marks["long up"]["up"] == ["wedge-up", "sidewalls-up"]
    assert marks["raised"]["up"] == ["wedge-up", "sidewalls-next-turn"]
    assert marks["raised"]["down"] == ["wedge-down", "sidewalls-down"]


@pytest.mark.rule("C6.13")
def test_jury_rigs_come_with_the_tactical_turns_they_have_left() -> None:
    """Made two operational turns (six tactical ones) ago with nine to go: three are left."""
    state = world(
        force("a", "red", {}, {"A": 1}, ships={"damage": {"hull": 1, "ecm": 2}}),
        force("b", "blue", {"A": 7}),
    )
    state = replace(state, ships=replace(state.ships, rigs={"a-1": (JuryRig("ecm", 2, 0, 3, 9),)}))
    while not state.meetings:
        state, _ = turn(state)
    assert state.turn == 2
    ship = opened(state).sides["red"].forces[0].ships[0]
    assert [(rig.track, rig.boxes, rig.left) for rig in ship.rigs] == [("ecm", 2, 3)]
    assert ship.boxes["ecm"].lost == 2


@pytest.mark.rule("B5.12")
def test_what_changes_after_the_meeting_and_before_the_end_of_the_turn_is_written_anew() -> None:
    state, document = pair()
    hurt = replace(state, ships=replace(state.ships, damage={"lantern-1": {"hull": 2}}))
    after = engagement.refreshed(hurt, state.turn)
    engaged = Engagement.model_validate(engagement.open_engagements(after)[0])
    assert engaged.sides["red"].forces[0].ships[0].boxes["hull"].lost == 2
    assert engaged.digest != document["digest"]
    assert (engaged.id, mark_of(engaged.as_document(), "lantern-1")) == (document["id"], mark_of(document, "lantern-1"))
    assert engagement.refreshed(state, state.turn) == state
    assert engagement.refreshed(hurt, state.turn + 1).meetings == state.meetings


@pytest.mark.rule("B5.12")
def test_an_engagement_is_handed_out_in_its_turn_alone() -> None:
    state, _ = pair()
    later, _ = turn(state)
    assert engagement.open_engagements(later) == ()
    assert dump_state(load_state(dump_state(state))) == dump_state(state)


# What a side sees ------------------------------------------------------------------------------


@pytest.mark.rule("B5.12", "B5.14")
def test_a_side_sees_its_own_ships_whole_and_of_others_what_tactical_range_shows() -> None:
    state, document = met(
        force("lantern", "red", {}, ships={"damage": {"hull": 5}, "stores": {"pods": 3}, "grades": {"ewo": "elite"}}),
        force("verdict", "blue", {"A": 5}, {"A": 2}, classes=("mistral", "mistral")),
    )
    seen = engagement.engagement_for_side(document, "blue")
    assert seen["number"] == 1 and seen["numbers"] == {"blue": 1}
    own = seen["sides"]["blue"]["forces"][0]
    assert own["name"] == "Verdict" and own["ships"][0]["grades"]
    (other,) = seen["sides"]["red"]["forces"]
    assert other["name"] == "Enemy force" and other["contact"] is None
    assert other["position"] == {"q": 0, "r": 0, "z": 0} and other["velocity"] == {}
    (ship,) = other["ships"]
    tracks = ship.pop("tracks")
    assert tracks == {each.name: len(each.boxes) for each in state.classes["mistral"].tracks}
    assert ship == {
        "id": mark_of(document, "lantern-1"),
        "name": "Mistral 1",
        "class": "mistral",
        "class_name": "Mistral",
        "marks": ["wedge-up"],
        "facts": {"scale": 4, "kind": "ship", "type": "light-cruiser"},
    }
    told = json.dumps(seen).lower()
    assert "lantern" not in told and document["salt"] not in told
    assert state.books["red"].engagement_numbers[document["id"]] == 1


@pytest.mark.rule("B5.14")
def test_two_worlds_that_differ_only_in_what_is_hidden_look_the_same_to_the_other_side() -> None:
    """Name, grades, damage, stores and cost of red's ship change nothing for blue, but for the digest."""

    def world_with(**ships: Any) -> dict[str, Any]:
        fields = {"name": ships.pop("force_name", "Lantern")}
        _, document = met(
            force("lantern", "red", {}, ships=ships, **fields), force("verdict", "blue", {"A": 5}, {"A": 2})
        )
        seen = engagement.engagement_for_side(engagement.set_engagement(document, []), "blue")
        assert seen.pop("digest")
        return seen

    plain = world_with()
    hidden = world_with(
        force_name="Ember",
        damage={"hull": 7, "max_thrust": 1},
        stores={"pods": 2},
        drones=0,
        grades={"tactical": "elite", "helm": "poor"},
    )
    assert hidden == plain


@pytest.mark.rule("B5.14")
def test_what_a_side_knows_comes_from_its_contacts_and_is_shown_to_it_alone() -> None:
    state = world(force("lantern", "red", {}), force("verdict", "blue", {"A": 5}))
    known = Contact("tok", 7, "verdict", 0, 0, 5, 0, 0, {"scale": [[4, 5, 1]]}, {"presence": 0, "scale": 0})
    state = replace(state, books={**state.books, "red": replace(state.books["red"], contacts=(known,))})
    after, _ = turn(state)
    (document,) = engagement.open_engagements(after)
    (knows,) = document["sides"]["red"]["knows"]
    assert (knows["contact"], knows["number"], knows["force"]) == ("tok", 7, force_mark(document, "verdict"))
    assert document["sides"]["blue"]["knows"] == []
    assert engagement.engagement_for_side(document, "red")["sides"]["blue"]["forces"][0]["name"] == "Contact 7"
    assert engagement.engagement_for_side(document, "blue")["sides"]["red"]["knows"] == []


# Bids ------------------------------------------------------------------------------------------


@pytest.mark.rule("B5.122", "B5.123")
def test_the_rounds_of_an_engagement_follow_the_crews_of_the_flagships() -> None:
    """Veteran seven, poor two: two alone, two together, three alone."""
    _, document = pair()
    rounds = engagement.bidding_rounds(document)
    assert [each["sides"] for each in rounds] == [["red"]] * 2 + [["blue", "red"]] * 2 + [["red"]] * 3
    assert [each["round"] for each in rounds] == list(range(1, 8))


@pytest.mark.rule("B5.122")
def test_a_formation_bids_by_its_flagship() -> None:
    """The fast flagship leads a slow base ship: thrust and crew are the flagship's."""
    _, document = met(
        force("slow", "red", {}, classes=("drover", "mistral"), flagship="slow-2"), force("b", "blue", {"A": 5})
    )
    red = Engagement.model_validate(document).sides["red"].forces[0]
    by_ship = {ship.ship: int(ship.facts["thrust"]) for ship in red.ships}
    assert by_ship["slow-1"] < by_ship["slow-2"]
    assert engagement.check_bid(document, "red", {"A": by_ship["slow-2"]}) == ()
    over = engagement.check_bid(document, "red", {"A": by_ship["slow-2"] + 1})
    assert [problem.code for problem in over] == ["bid-over-thrust"]


@pytest.mark.rule("B5.122")
def test_a_damaged_drive_bids_less_and_an_elite_engineer_more() -> None:
    _, document = met(
        force("a", "red", {}, ships={"damage": {"max_thrust": 3}}),
        force("b", "blue", {"A": 5}, ships={"grades": {"engineer": "elite"}}),
    )
    engaged = Engagement.model_validate(document)
    thrust = {side: int(each.forces[0].ships[0].facts["thrust"]) for side, each in engaged.sides.items()}
    assert thrust["red"] < thrust["blue"] - 1


@pytest.mark.rule("B5.122")
@pytest.mark.parametrize(
    ("bid", "codes"),
    [
        ({}, []),
        ({"A": 2, "B": 1}, []),
        ({"A": 60}, ["bid-over-thrust"]),
        ({"A": -1}, ["negative-vector"]),
        ({"A": "two"}, ["not-whole-number"]),
        ({"Q": 1}, ["unknown-direction"]),
        ({"nobody": {"A": 1}}, ["unknown-force"]),
        ([1], ["not-vectors"]),
        (None, ["not-vectors"]),
    ],
)
def test_bad_bids_are_told_with_their_place(bid: Any, codes: list[str]) -> None:
    _, document = pair()
    assert [problem.code for problem in engagement.check_bid(document, "red", bid)] == codes


@pytest.mark.rule("B5.122")
def test_a_side_bids_only_for_its_own_forces() -> None:
    _, document = pair()
    theirs = force_mark(document, "verdict")
    assert [each.code for each in engagement.check_bid(document, "red", {theirs: {"A": 1}})] == ["unknown-force"]
    assert [each.code for each in engagement.check_bid(document, "green", {"A": 1})] == ["not-a-bidder"]


@pytest.mark.rule("B5.122")
def test_a_side_with_two_forces_bids_for_each_or_for_all_at_once() -> None:
    _, document = met(force("one", "red", {}), force("two", "red", {"B": 1}), force("b", "blue", {"A": 5}))
    one, two = force_mark(document, "one"), force_mark(document, "two")
    apart = engagement.set_engagement(document, [{"red": {one: {"A": 2}, two: {"D": 2}}}])
    velocities = {mark: placed["velocity"] for mark, placed in apart["setting"]["forces"].items()}
    assert (velocities[one], velocities[two]) == ({"A": 2}, {"D": 2})
    together = engagement.set_engagement(document, [{"red": {"A": 2}}])
    velocities = {mark: placed["velocity"] for mark, placed in together["setting"]["forces"].items()}
    assert (velocities[one], velocities[two]) == ({"A": 2}, {"A": 2})


# How the battle begins -------------------------------------------------------------------------


@pytest.mark.rule("B5.12", "B5.121", "B5.13")
def test_a_battle_fought_apart_begins_on_a_map_with_a_frame() -> None:
    _, document = pair(rulings=APART)
    settled = engagement.set_engagement(document, [{"red": {"A": 2}}, {}, {"red": {"A": 1}, "blue": {"B": 3}}])
    engaged = Engagement.model_validate(settled)
    setting = engaged.setting
    assert setting is not None and engaged.status == "set" and setting.range == 50
    in_space = {
        side: consolidate(add(setting.forces[each.id].velocity, setting.frame)) for side, each in engaged.forces()
    }
    assert in_space == {"red": {"A": 15, "+": 3}, "blue": {"A": 9, "B": 6}}
    assert setting.frame == {"A": 9}
    assert setting.bids[2] == {force_mark(document, "lantern"): {"A": 1}, force_mark(document, "verdict"): {"B": 3}}
    assert setting.ships[mark_of(document, "lantern-1")] == setting.forces[force_mark(document, "lantern")]


@pytest.mark.rule("B5.131")
def test_beside_the_theatre_the_map_does_not_move() -> None:
    _, document = pair()
    settled = engagement.set_engagement(document, [])
    assert settled["setting"]["frame"] == {}
    assert settled["setting"]["forces"][force_mark(document, "lantern")]["velocity"] == {"A": 12, "+": 3}


@pytest.mark.rule("B5.123")
def test_a_bid_that_is_missing_or_over_the_thrust_counts_as_none() -> None:
    _, document = pair()
    none = engagement.set_engagement(document, [])["setting"]["forces"]
    assert engagement.set_engagement(document, [{"red": {"A": 90}}, {"blue": {"A": 1}}])["setting"]["forces"] == none


@pytest.mark.rule("B5.12", "B5.132", "B5.16")
def test_the_time_limit_is_the_way_to_the_hyper_limit() -> None:
    """158 hexes around a G2 star; 23 of them are left at six a turn: four turns, twelve tactical ones."""
    _, document = met(
        force("hunter", "red", {"A": 132, "+": 3}, {"A": 9}),
        force("quarry", "blue", {"A": 135}, {"A": 6}),
        rulings=APART,
    )
    settled = Engagement.model_validate(engagement.set_engagement(document, []))
    assert settled.setting is not None and settled.setting.frame == {"A": 18}
    assert settled.setting.time_limit == 12
    turns = {limit.force: limit.operational_turns for limit in settled.setting.limits}
    assert turns == {force_mark(document, "quarry"): 4, force_mark(document, "hunter"): 5}


@pytest.mark.rule("B5.132")
def test_who_is_beyond_the_limit_or_at_rest_sets_no_time_limit() -> None:
    _, outside = met(force("a", "red", {"A": 200}), force("b", "blue", {"A": 203}, {"A": 1}))
    _, resting = met(force("a", "red", {"A": 20}), force("b", "blue", {"A": 23}))
    for document in (outside, resting):
        settled = engagement.set_engagement(document, [])["setting"]
        assert (settled["time_limit"], settled["limits"]) == (None, [])
    assert engagement.turns_to_limit(Hex(0, 10), {"D": 4}, 20) == 8  # through the middle and out again
    assert engagement.turns_to_limit(Hex(0, 20), {}, 20) == 0


@pytest.mark.rule("B5.12")
@pytest.mark.parametrize(("altitude", "hexes"), [(0, 50), (10, 49), (20, 46), (30, 40), (-40, 30), (50, 0)])
def test_the_map_distance_makes_the_true_range_50(altitude: int, hexes: int) -> None:
    assert map_distance(altitude) == hexes
    assert true_range(0, hexes, altitude) == 50
    assert map_distance(altitude, "map") == 50


@pytest.mark.rule("B5.12")
def test_a_house_rule_counts_range_50_on_the_map() -> None:
    _, document = met(force("a", "red", {"+": 2}), force("b", "blue", {"A": 4}), rulings={"range-50": "map"})
    forces = engagement.set_engagement(document, [])["setting"]["forces"]
    gap = Hex(**forces[force_mark(document, "b")]["position"]).less(
        Hex(**forces[force_mark(document, "a")]["position"])
    )
    assert gap == (0, 50, -20)


def at(q: int, r: int, z: int) -> Hex:
    """Return an operational hex as a place in tactical ones."""
    return Hex(10 * q, 10 * r, 10 * z)


def opposing(one: str, other: str) -> bool:
    """Return whether two sides differ."""
    return one != other


NEAR = st.tuples(st.integers(-5, 5), st.integers(-5, 5), st.integers(-5, 5)).filter(lambda step: true_range(*step) <= 5)


@pytest.mark.rule("B5.12")
@given(NEAR)
def test_two_forces_begin_at_range_50_on_their_bearing_at_ten_times_the_altitude(step: tuple[int, int, int]) -> None:
    found = start_places({"a": Unit("red", at(0, 0, 0), Hex(0, 0)), "b": Unit("blue", at(*step), Hex(0, 0))}, opposing)
    gap = found["b"].less(found["a"])
    assert true_range(*gap) == 50
    assert gap.z == 10 * step[2]
    assert min(place.z for place in found.values()) == 0
    length, hexes = distance_in_plane(gap.q, gap.r), distance_in_plane(step[0], step[1])
    if hexes:  # the direction is kept to the nearest hex
        assert abs(gap.q * hexes - step[0] * length) <= hexes and abs(gap.r * hexes - step[1] * length) <= hexes


@pytest.mark.rule("B5.12")
def test_of_two_in_one_hex_the_newcomer_stands_where_it_came_from() -> None:
    found = start_places(
        {"a": Unit("red", at(0, 0, 0), Hex(0, 0)), "b": Unit("blue", at(0, 0, 0), to_axial({"D": 9}))}, opposing
    )
    assert found["b"].less(found["a"]) == (0, 50, 0)
    still = start_places(
        {"a": Unit("red", at(0, 0, 0), Hex(0, 0)), "b": Unit("blue", at(0, 0, 0), Hex(0, 0))}, opposing
    )
    assert true_range(*still["b"].less(still["a"])) == 50


UNIT = st.tuples(st.sampled_from(["red", "blue", "green"]), NEAR)


@pytest.mark.rule("B5.12")
@settings(deadline=None)
@given(st.lists(UNIT, min_size=2, max_size=6))
def test_of_many_forces_no_two_opponents_begin_nearer_than_50(units: list[Any]) -> None:
    placed = {str(number): Unit(side, at(*step), Hex(0, 0)) for number, (side, step) in enumerate(units)}
    found = start_places(placed, opposing)
    assert list(found) == list(placed)
    for one, other in combinations(placed, 2):
        if placed[one].side != placed[other].side:
            assert true_range(*found[one].less(found[other])) >= 50
    sides = {unit.side for unit in placed.values()}
    if len(sides) > 1:
        nearest = min(
            true_range(*found[one].less(found[other]))
            for one, other in combinations(placed, 2)
            if placed[one].side != placed[other].side
        )
        assert nearest == 50


@pytest.mark.rule("B5.12")
def test_friends_keep_ten_times_their_distance() -> None:
    found = start_places(
        {
            "lead": Unit("red", at(0, 0, 0), Hex(0, 0)),
            "wing": Unit("red", at(1, 0, 0), Hex(0, 0)),
            "foe": Unit("blue", at(0, 5, 0), Hex(0, 0)),
        },
        lambda one, other: "blue" in (one, other) and one != other,
    )
    assert true_range(*found["foe"].less(found["lead"])) == 50
    assert true_range(*found["foe"].less(found["wing"])) >= 50


@pytest.mark.rule("B5.111", "B5.12")
def test_who_joins_later_changes_nothing_for_those_who_are_there() -> None:
    state, first = met(
        force("a", "red", {}), force("b", "blue", {"A": 5}), force("c", "blue", {"D": 62}, {"A": 12}), rulings=APART
    )
    bids = [{"red": {"A": 2}, "blue": {"D": 1}}]
    before = engagement.set_engagement(first, bids)["setting"]
    while len(state.meetings[0].forces) < 3:
        state, _ = turn(state)
    (second,) = engagement.open_engagements(state)
    assert [each["sides"] for each in engagement.bidding_rounds(second)] == [["blue", "red"]] * 5
    after = engagement.set_engagement(second, bids)["setting"]
    for mark, placed in before["forces"].items():
        assert after["forces"][mark] == placed
    joined = after["forces"][force_mark(second, "c")]
    assert joined["arrives"] == 12
    assert joined["nearest"] == force_mark(second, "a")
    assert joined["step"] == {"q": 0, "r": -50, "z": 0}
    assert joined["velocity"] == {"A": 36}
    late = engagement.check_bid(second, "blue", {force_mark(second, "c"): {"A": 1}})
    assert [problem.code for problem in late] == ["unknown-force"]


# Computer sides --------------------------------------------------------------------------------


@pytest.mark.rule("B5.122", "B5.123")
def test_a_captains_bids_are_in_order_and_close_in_or_run() -> None:
    _, document = pair()
    rounds = [each for each in engagement.bidding_rounds(document) if "red" in each["sides"]]
    hunting, running = captain_bids(document, "red", "intercept"), captain_bids(document, "red", "run")
    assert len(hunting) == len(running) == len(rounds) == 7
    for bid in (*hunting, *running):
        assert engagement.check_bid(document, "red", bid) == ()
    # Red closes at three hexes a turn before the bids, with three of altitude to lose.
    after = to_axial(multiply({"A": 4, "+": 1}, 3)).moved(*to_axial(consolidate(add(*hunting))))
    drift = after.less(to_axial(multiply({"A": 3, "B": 1}, 3)))
    assert (drift.q, drift.z) == (0, 0) and drift.r == 6
    assert to_axial(consolidate(add(*running))).r < 0
    assert captain_bids(document, "blue", "intercept") != captain_bids(document, "blue", "run")


@pytest.mark.rule("B5.14")
def test_a_captain_bids_by_what_its_side_sees() -> None:
    _, plain = met(force("a", "red", {}), force("b", "blue", {"A": 5}, {"C": 2}))
    _, hurt = met(force("a", "red", {}), force("b", "blue", {"A": 5}, {"C": 2}, ships={"damage": {"max_thrust": 6}}))
    assert captain_bids(plain, "red", "intercept") == captain_bids(hurt, "red", "intercept")


# Conversions and the desk ----------------------------------------------------------------------


@pytest.mark.rule("B5.111", "B5.12", "B5.121")
def test_every_pair_that_is_allowed_is_stated_and_every_other_refused_with_a_reason() -> None:
    assert set(CONVERSIONS) == {"saganami"}
    assert set(REFUSED) == {"honorverse", "traveller"} and all(len(reason) > 80 for reason in REFUSED.values())
    stated = CONVERSIONS["saganami"]
    assert stated.there({"A": 4, "B": 2, "-": 1}) == {"A": 12, "B": 6, "-": 3}
    assert stated.back({"A": 13, "B": 7, "-": 1}) == {"A": 4, "B": 2, "-": 1}
    assert (stated.distance.tactical, stated.time.tactical, stated.time.operational) == (10, 19, 6)
    assert stated.start_range == 50
    assert {"boxes", "grades", "stores", "rigs", "wedge"} <= set(stated.as_document()["condition"])


@pytest.mark.rule("B5.12", "B5.122", "B5.123", "B5.13", "D2.13")
@pytest.mark.parametrize(
    "name",
    ["bidding.rounds", "bidding.schedule", "contact.approach", "frame.common", "handoff.conversions",
     "handoff.set-up", "handoff.start-places"],
)  # fmt: skip
def test_every_procedure_of_the_hand_off_answers_its_example(name: str) -> None:
    procedure = DESK.procedure(name)
    assert procedure is not None and procedure.example is not None
    reply = answer(procedure, dict(procedure.example))
    assert set(reply["result"]) == set(procedure.result)


@pytest.mark.rule("B5.12")
def test_the_desk_tells_bids_that_cannot_be() -> None:
    procedure = DESK.procedure("handoff.set-up")
    assert procedure is not None and procedure.example is not None
    bad = {**procedure.example, "bids": [{"cruiser": {"A": 1}}, {"destroyer": {"A": 9}}]}
    found = answer(procedure, bad)["error"]["problems"]
    assert [(each["place"], each["code"]) for each in found] == [
        ("/bids/0/cruiser", "not-your-round"),
        ("/bids/1/destroyer", "bid-over-thrust"),
    ]


@pytest.mark.rule("B5.12")
def test_the_desk_finds_who_passes_whom() -> None:
    procedure = DESK.procedure("contact.approach")
    assert procedure is not None
    crossing = {"a": {"start": {}, "move": {"A": 60}}, "b": {"start": {"A": 40}, "move": {"D": 60}}}
    assert answer(procedure, crossing)["result"] == {
        "meets": True, "step": 35, "steps": 120, "range": 5, "closest_range": 0,
    }  # fmt: skip
    passing = {"a": {"start": {}, "move": {"A": 60}}, "b": {"start": {"A": 40, "+": 7}, "move": {"D": 60}}}
    assert answer(procedure, passing)["result"]["meets"] is False
