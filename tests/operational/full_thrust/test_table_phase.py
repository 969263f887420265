"""To the table and back: who meets, what is handed over, what a side reads of it, and where survivors stand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.conversion import Conversion
from campaign.engine.handoff import blank_report, load_engagement
from campaign.engine.vectors import consolidate, from_axial, total
from operational.rules.full_thrust.conversions import CONVERSIONS, REFUSED, to_map, to_table
from operational.rules.full_thrust.ruleset import RULESET
from operational.rules.full_thrust.scales import tabletop_velocity
from operational.rules.full_thrust.sensors import Lock
from operational.rules.full_thrust.state import State
from operational.rules.full_thrust.tabletop_ew import of_engagement
from operational.rules.full_thrust.view import view_for
from tests.operational.full_thrust.worlds import contact_on, force, of_kind, play, resolved, world

Document = dict[str, Any]


def opened(state: State) -> tuple[Document, ...]:
    """Return the engagements of the turn just played."""
    return RULESET.open_engagements(state)


def set_up(*forces: dict[str, Any], **fields: Any) -> tuple[State, Document]:
    """Return a world after one turn of coasting, and its one engagement, set."""
    state, _ = play(world(*forces, **fields))
    (document,) = opened(state)
    return state, RULESET.set_engagement(document, [])


def reported(document: Document, turns: int = 10, **results: Document) -> Document:
    """Return a report in which everything is as it was, but for the ships named by their roster ids."""
    report = blank_report(document)
    report["tactical_turns"] = turns
    marks = {ship["ship"]: ship["id"] for side in document["sides"].values()
             for each in side["forces"] for ship in each["ships"]}  # fmt: skip
    for ship, result in results.items():
        report["ships"][marks[ship.replace("_", "-")]].update(result)
    return report


# Who meets ---------------------------------------------------------------------------------------


@pytest.mark.rule("table-phase")
@pytest.mark.parametrize(
    ("away", "chosen", "meets"), [(5, "5", True), (6, "5", False), (2, "2", True), (10, "10", True)]
)
def test_forces_within_the_contact_distance_go_to_the_table(away: int, chosen: str, meets: bool) -> None:
    """Default range 5, its end included."""
    state = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": away}, ("frigate",)),
                  rulings={"contact-distance": chosen})  # fmt: skip
    state, events = play(state)
    assert bool(opened(state)) == meets
    assert bool(state.forces["a"].engaged) == bool(state.forces["b"].engaged) == meets
    assert {event.audience for event in of_kind(events, "engagement-opened")} == (
        {("red",), ("blue",)} if meets else set()
    )


@pytest.mark.rule("table-phase", "end-point-movement")
def test_ways_that_cross_meet_where_they_first_come_near() -> None:
    """Twenty hexes a turn each: they would fly past each other; by the switch only the ends count."""
    forces = (
        force("a", "red", {}, ("cutter",), velocity={"A": 20}),
        force("b", "blue", {"A": 20, "B": 3}, ("frigate",), velocity={"D": 20}),
    )
    state, document = set_up(*forces)
    assert (document["step"], document["steps"], document["range"]) == (18, 40, 5)
    red, blue = (document["sides"][key]["forces"][0] for key in ("red", "blue"))
    assert blue["place"]["r"] - red["place"]["r"] == (20 - 18) * 55
    assert blue["place"]["q"] - red["place"]["q"] == 3 * 55
    assert (state.forces["a"].r, state.forces["b"].r) == (20, 0)  # on the map both coast on
    assert opened(play(world(*forces, rulings={"crossing": "ends"}))[0]) == ()


@pytest.mark.rule("table-phase", "dummy-taskforces")
def test_dummies_near_an_opposing_marker_are_turned_up_and_leave_play() -> None:
    """Both of two dummies: a dummy that stays lying would tell that the other marker is one."""
    state = world(
        force("a", "red", {}, ("cutter",)), force("d", "blue", {"A": 4}),
        force("e", "red", {"A": 40}), force("f", "blue", {"A": 42}), force("g", "blue", {"A": 70}),
    )  # fmt: skip
    state, events = play(state)
    assert list(state.forces) == ["a", "g"]
    assert opened(state) == ()
    assert len(of_kind(events, "dummy-unmasked", "red")) == 2
    assert len(of_kind(events, "dummy-unmasked", "blue")) == 1


@pytest.mark.rule("table-phase")
def test_a_side_may_call_for_battle_with_a_force_of_which_it_has_detected_a_ship() -> None:
    """Within the call distance after the movement; else the call comes to nothing, with the reason."""
    state = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 9}, ("frigate",)))
    contact = contact_on(state, "red", "b")
    look = {"scans": [{"ship": "a-1", "contact": contact}]}
    state, _ = play(state, {"red": look}, {"detection|a-1|scan|0": [5]})
    assert opened(state) == ()
    called, _ = play(state, {"red": {"calls": [{"force": "a", "contact": contact}]}})
    (document,) = opened(called)
    assert document["range"] == 9
    fled = {"red": {"calls": [{"force": "a", "contact": contact}]}, "blue": {"forces": {"b": {"thrust": {"A": 4}}}}}
    after, events = play(state, fled)
    assert opened(after) == ()
    assert "within 10 hexes" in of_kind(events, "call-dropped", "red")[0].text


@pytest.mark.rule("table-phase", "cloaking")
def test_a_call_comes_to_nothing_when_the_lock_is_lost_in_the_same_turn() -> None:
    """The caller cloaks, and with its lock goes its firing solution."""
    state = world(force("a", "red", {}, ("frigate",)), force("b", "blue", {"A": 9}, ("frigate",)))
    contact = contact_on(state, "red", "b")
    look = {
        "forces": {"a": {"active": ["a-1"]}},
        "scans": [{"ship": "a-1", "contact": contact, "mode": "active"}],
    }
    state, _ = play(state, {"red": look}, {"detection|a-1|scan|0": [5]})
    sheet = {"calls": [{"force": "a", "contact": contact}], "cloaking": {"cloak": ["a-1"]}}
    state, events = play(state, {"red": sheet})
    assert opened(state) == ()
    assert "no ship of it is detected" in of_kind(events, "call-dropped", "red")[0].text


@pytest.mark.rule("table-phase")
def test_who_comes_near_later_joins_the_battle_with_a_new_issue() -> None:
    """It arrives in the tabletop turn that it is then, at its place in MU; reports on the old issue are refused."""
    state, first = set_up(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 5}, ("frigate",)),
                          force("c", "blue", {"A": 15}, ("tender",), velocity={"D": 5}))  # fmt: skip
    assert first["issue"] == 1
    state, events = play(state)
    (second,) = opened(state)
    assert (second["id"], second["issue"], second["turn"]) == (first["id"], 2, 1)
    late = next(each for each in second["sides"]["blue"]["forces"] if each["force"] == "c")
    assert late["arrives"] == 20
    assert late["place"]["r"] - second["sides"]["red"]["forces"][0]["place"]["r"] == 5 * 55
    assert len(of_kind(events, "engagement-joined")) == 2
    old = reported(RULESET.set_engagement(first, []), a_1={"fate": "destroyed"})
    after, told = RULESET.apply_report(state, first, old)
    assert after is state
    assert [event.kind for event in told] == ["battle-report-refused"]
    assert load_engagement(second).issue == 2


# What goes to the table --------------------------------------------------------------------------


@pytest.mark.rule("velocity-table", "facing-deviation", "base-facing", "table-phase")
def test_velocities_facings_and_places_are_carried_over() -> None:
    """5.5 MU a hex, halves up; each ship's leeway by its own thrust; 55 MU a hex between the forces."""
    state = world(force("a", "red", {}, ("cutter", "frigate"), velocity={"A": 3}),
                  force("b", "blue", {"A": 9, "B": 2}, ("tender",)))  # fmt: skip
    state, _ = play(state, {"red": {"forces": {"a": {"thrust": {"A": 3}}}}})
    (document,) = opened(state)
    red = document["sides"]["red"]["forces"][0]
    assert red["velocity"] == {"A": 6}
    facts = {ship["ship"]: ship["facts"] for ship in red["ships"]}
    assert (facts["a-1"]["velocity_mu"], facts["a-1"]["course_mu"]) == (33, {"A": 33})
    assert facts["a-1"]["facings"] == ["A", "B", "F"]  # 3 of 6: half
    assert facts["a-2"]["facings"] == ["A", "B", "F"]  # 3 of 4: more than half
    assert facts["a-1"]["facing"] == "A"
    tender = document["sides"]["blue"]["forces"][0]["ships"][0]
    assert tender["facts"]["facings"] == ["A", "B", "C", "D", "E", "F"]  # no thrust: as it likes
    assert tender["stores"] == {"tender.dart": 3}
    setting = RULESET.set_engagement(document, [])["setting"]
    assert setting["frame"] == {}
    assert {tuple(each["velocity"].items()) for each in setting["ships"].values()} == {(("A", 33),), ()}


@pytest.mark.rule("table-phase", "sharing")
def test_bogeys_and_locks_go_along_and_a_side_reads_no_more_than_it_learnt() -> None:
    """A possible contact for each ship that is not detected; what was told is filled in, nothing else."""
    state = world(
        force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 6}, ("frigate", "tender"), velocity={"D": 1})
    )
    look = {"scans": [{"ship": "a-1", "contact": contact_on(state, "red", "b")}]}
    state, _ = play(state, {"red": look}, {"detection|a-1|scan|0": [5]})
    assert [each.ship for each in state.books["red"].detected] == ["b-2"]
    (document,) = opened(state)
    marks = {ship["ship"]: ship["id"] for ship in document["sides"]["blue"]["forces"][0]["ships"]}
    known = {each.ship: each for each in state.books["red"].detected}
    seen = RULESET.engagement_for_side(document, "red")
    ships = {ship["id"]: ship for ship in seen["sides"]["blue"]["forces"][0]["ships"]}
    for ship, mark in marks.items():
        facts = dict(known[ship].facts) if ship in known else {}
        assert ships[mark]["facts"] == facts
        assert (ships[mark]["class"] != "") == ("class" in facts)
    words = str(seen)
    for hidden in ("Force b", "B 1", "B 2", "'b'", "b-1", "salt", "theatre"):
        assert hidden not in words
    table = of_engagement(document)
    own = document["sides"]["red"]["forces"][0]["ships"][0]["id"]
    assert table.locks == tuple(Lock(own, marks[ship]) for ship in sorted(known, key=lambda each: known[each].number))
    assert set(table.known["red"]) == {marks[ship] for ship in known}


# Conversions -------------------------------------------------------------------------------------


@pytest.mark.rule("velocity-table")
@given(st.integers(-60, 60), st.integers(-60, 60))
def test_a_vector_comes_back_from_the_table_as_it_went_there(q: int, r: int) -> None:
    """And its velocity there is that of the table."""
    vectors = from_axial(q, r)
    assert to_map(to_table(vectors)) == vectors
    assert total(to_table(vectors)) == tabletop_velocity(total(vectors))
    assert consolidate(to_table(vectors)) == to_table(vectors)


def test_every_pair_is_stated_or_refused_with_its_reason() -> None:
    """A tactical ruleset is in one of the two lists."""
    assert set(CONVERSIONS) & set(REFUSED) == set()
    for key, conversion in CONVERSIONS.items():
        assert isinstance(conversion, Conversion)
        statement = conversion.as_document()
        assert statement["tactical"] == key
        assert statement["distance"] == "1 operational hex is 55 MU"
        assert set(statement["condition"]) >= {"boxes", "stores", "facing", "locks"}
    assert all(len(reason) > 100 for reason in REFUSED.values())


# Back to the map ---------------------------------------------------------------------------------


@pytest.mark.rule("table-phase", "scales")
def test_survivors_stand_where_they_ended_with_their_own_velocities() -> None:
    """A place in MU, 55 to the hex; who was faster or elsewhere goes on as a task force of its own."""
    state, document = set_up(force("a", "red", {}, ("cutter", "frigate")), force("b", "blue", {"A": 5}, ("frigate",)))
    origin = document["theatre"]["origin"]
    report = reported(
        document,
        a_1={"position": {"q": 0, "r": 110 - 55 * origin["r"], "z": 0}, "velocity": {"A": 11}},
        a_2={"position": {"q": -165, "r": -55 * origin["r"], "z": 0}, "velocity": {}, "boxes": {"hull": 6}},
        b_1={"fate": "surrendered"},
    )
    assert RULESET.check_report(document, report) == ()
    after, events = RULESET.apply_report(state, document, report)
    first = after.forces["a"]
    assert ((first.q, first.r), (first.vq, first.vr), first.engaged) == ((0, 2), (0, 2), "")
    other = next(each for each in after.forces.values() if each.id != "a")
    assert ((other.q, other.r), other.speed, other.name) == ((-3, 0), 0, "Force a 2")
    assert after.ships["a-2"].damage == {"hull": 6}
    assert "b" not in after.forces
    assert after.ships["b-1"].status == "surrendered"
    assert [event.audience for event in of_kind(list(events), "force-split")] == [("red",)]
    assert view_for(after, "red")["contacts"] == []
    again, silent = RULESET.apply_report(after, document, report)
    assert again is after
    assert silent == ()


@pytest.mark.rule("table-phase", "scales")
def test_who_was_not_measured_is_where_its_velocities_took_it_and_coasts_on() -> None:
    """Ten tabletop turns are one turn here; a report that comes a turn later finds them that much farther on."""
    state, document = set_up(force("a", "red", {}, ("cutter",), velocity={"B": 2}),
                             force("b", "blue", {"A": 2, "B": 2}, ("frigate",)))  # fmt: skip
    assert (document["step"], document["steps"]) == (0, 1)
    report = reported(document, turns=10)
    now, _ = RULESET.apply_report(state, document, report)
    assert (now.forces["a"].q, now.forces["a"].vq) == (2, 2)
    state, _ = play(state)
    later, _ = RULESET.apply_report(state, document, report)
    assert (later.forces["a"].q, later.forces["a"].vq) == (4, 2)


@pytest.mark.rule("operations-phase", "table-phase")
def test_craft_aboard_share_their_ships_fate_and_losses_are_counted() -> None:
    """One of three groups lost; then the whole ship with what it has aboard."""
    state, document = set_up(force("a", "red", {}, ("tender",)), force("b", "blue", {"A": 5}, ("frigate",)))
    left, _ = RULESET.apply_report(state, document, reported(document, a_1={"stores": {"tender.dart": 2}}))
    assert [craft.status for craft in left.ships.values() if craft.carrier] == ["active", "active", "destroyed"]
    gone, _ = RULESET.apply_report(state, document, reported(document, a_1={"fate": "destroyed"}))
    assert {craft.status for craft in gone.ships.values() if craft.carrier} == {"destroyed"}
    assert gone.forces.keys() == {"b"}


@pytest.mark.rule("table-phase")
def test_forces_that_come_from_one_battle_part_before_they_meet_again() -> None:
    """Still at contact distance they are left alone; once they were apart they meet like any others."""
    state, document = set_up(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 5}, ("frigate",)))
    state, _ = RULESET.apply_report(state, document, reported(document))
    state, _ = play(state)
    assert opened(state) == ()
    state, _ = play(state, {"blue": {"forces": {"b": {"thrust": {"A": 1}}}}})
    state, _ = play(state, {"blue": {"forces": {"b": {"thrust": {"D": 2}}}}})
    assert len(opened(state)) == 1


@pytest.mark.rule("table-phase")
def test_a_result_that_cannot_be_is_refused_with_every_reason() -> None:
    """Hull gone and alive, gone without an FTL drive, off a flat table, a frame, a ship left out."""
    state, document = set_up(force("a", "red", {}, ("cutter", "tender")), force("b", "blue", {"A": 5}, ("frigate",)))
    report = reported(
        document,
        a_1={"boxes": {"hull": 10}, "position": {"q": 0, "r": 0, "z": 2}},
        a_2={"fate": "departed"},
        b_1={"velocity": {"+": 1}},
    )
    report["frame"] = {"A": 1}
    assert sorted(one.code for one in RULESET.check_report(document, report)) == [
        "flat-map", "flat-map", "hull-gone", "no-frame", "no-ftl-drive",
    ]  # fmt: skip
    short = reported(document)
    short["ships"].popitem()
    assert [one.code for one in RULESET.check_report(document, short)] == ["ship-missing"]
    after, events = RULESET.apply_report(state, document, report)
    assert after is state
    assert [(event.kind, event.audience) for event in events] == [("battle-report-refused", ())]
    seen = RULESET.engagement_for_side(document, "blue")
    told = " ".join(one.message for one in RULESET.check_report(seen, {**short, "ships": {}}))
    assert "A 1" not in told
    assert RULESET.check_report(seen, reported(document)) == ()


@pytest.mark.rule("table-phase")
def test_points_go_by_ships_lost_and_hull_lost_in_the_battle() -> None:
    """A frigate of 200 with 5 of 20 boxes lost counts 50; boxes lost before count nothing."""
    state = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 5}, ("frigate",)))
    state = state.with_ships(replace(state.ships["b-1"], damage={"hull": 4}))
    state, _ = play(state)
    document = RULESET.set_engagement(opened(state)[0], [])
    score = RULESET.score_report(document, reported(document, b_1={"boxes": {"hull": 9}}))
    assert [(each["side"], each["points"]) for each in score["sides"]] == [("blue", 0), ("red", 50)]
    assert score["winner"] == "red"
    assert score["text"] == "Red has the better of it. Points: Blue 0, Red 50."
    assert "B 1" not in str(score)
    both = reported(document, a_1={"fate": "destroyed"}, b_1={"fate": "surrendered"})
    assert [each["points"] for each in RULESET.score_report(document, both)["sides"]] == [120, 200]
    assert RULESET.score_report(document, reported(document))["winner"] is None


@pytest.mark.rule("table-phase")
def test_a_report_shows_a_side_its_own_ships_whole_and_the_fates_of_others() -> None:
    """Boxes, stores and notes of the others are theirs."""
    _, document = set_up(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 5}, ("frigate",)))
    report = {**reported(document, b_1={"boxes": {"hull": 3}, "note": "secret"}), "notes": "all"}
    seen = RULESET.report_for_side(document, report, "red")
    theirs = document["sides"]["blue"]["forces"][0]["ships"][0]["id"]
    assert set(seen["ships"][theirs]) == {"fate", "position", "velocity"}
    assert "notes" not in seen
    form = RULESET.report_schema(RULESET.engagement_for_side(document, "red"))
    assert set(form["properties"]["ships"]["properties"][theirs]["properties"]) == {
        "fate", "position", "velocity", "note",
    }  # fmt: skip


@pytest.mark.rule("table-phase")
def test_a_battle_that_is_called_off_lets_its_forces_fly_on() -> None:
    """By the umpire's change, between turns."""
    state, document = set_up(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 5}, ("frigate",)))
    answer = resolved(state, {}, changes=[{"act": "release-engagement", "engagement": document["id"]}])
    assert answer.engagements == ()
    assert answer.state["map"]["forces"]["engaged"] == ["", ""]
    assert len([event for event in answer.events if event.kind == "engagement-void"]) == 2
