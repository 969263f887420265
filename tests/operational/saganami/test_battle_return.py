"""From the battle back to the map: fates, boxes, stores, grades, vectors and places (B5.121, D2.2)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from campaign.engine.handoff import Engagement, blank_report, load_report
from campaign.engine.ruleset import Event
from campaign.engine.vectors import from_axial, to_axial
from operational.rules.saganami import engagement
from operational.rules.saganami.battle_return import apply_report, release
from operational.rules.saganami.documents import dump_state, load_state
from operational.rules.saganami.return_course import where, with_setting
from operational.rules.saganami.state import (
    ACTIVE,
    DESTROYED,
    GONE,
    IN_HYPERSPACE,
    ON_MAP,
    SURRENDERED,
    Contact,
    JuryRig,
    State,
)
from tests.operational.saganami.meeting_worlds import (
    force,
    force_mark,
    mark_of,
    opened,
    place_of,
    turn,
    velocity_of,
    world,
)

APART = {"battle-clock": "apart"}


def battle(*forces: dict[str, Any], rulings: dict[str, str] | None = None) -> tuple[State, dict[str, Any]]:
    """Return the state in which these forces have met, and their engagement, set without bids."""
    state, _ = turn(world(*forces, rulings=rulings if rulings is not None else APART))
    return state, engagement.set_engagement(engagement.open_engagements(state)[0], [])


def report_of(document: dict[str, Any], turns: int = 12, **results: dict[str, Any]) -> dict[str, Any]:
    """Return a report: ``results`` are changes by roster id, with "_" for "-"."""
    report = blank_report(document)
    report["tactical_turns"] = turns
    for ship, changes in results.items():
        mark = mark_of(document, ship.replace("_", "-"))
        for field, value in changes.items():
            if isinstance(value, dict) and field in ("boxes", "stores"):
                report["ships"][mark][field].update(value)
            else:
                report["ships"][mark][field] = value
    return report


def pair(**ships: Any) -> tuple[State, dict[str, Any]]:
    """Return two forces met in a battle apart from the theatre, both flying A."""
    return battle(
        force("lantern", "red", {"A": 97}, {"A": 3}, classes=("mistral", "mistral"), ships=ships),
        force("verdict", "blue", {"A": 102}, {"A": 3}),
    )


def kinds(events: tuple[Event, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """Return what happened and who is told."""
    return [(event.kind, event.audience) for event in events]


# Vectors and places ----------------------------------------------------------------------------


@pytest.mark.rule("B5.121", "B5.13", "B5.12")
def test_the_frame_is_added_first_and_the_whole_divided_by_three() -> None:
    """The printed pursuit's frame 13A 7B 1- comes back as 4A 2B and the spare point on -."""
    state, document = pair()
    report = report_of(
        document, 0, lantern_1={"velocity": {}, "spare": ["-"]}, lantern_2={"velocity": {}, "spare": ["-"]}
    )
    report["frame"] = {"A": 13, "B": 7, "-": 1}
    after, _ = apply_report(state, document, report)
    assert velocity_of(after, "lantern") == (2, 4, -1)


@pytest.mark.rule("B5.121")
@pytest.mark.parametrize(("spare", "velocity"), [("B", {"A": 1, "B": 3}), ("+", {"A": 1, "B": 2, "+": 1})])
def test_a_spare_point_goes_where_the_commander_says(spare: str, velocity: dict[str, int]) -> None:
    """4A 8B 2+ are 1A 2B and five thirds: one point to place, two thirds lost."""
    state, document = pair()
    moves = {"velocity": {"A": 4, "B": 8, "+": 2}, "spare": [spare]}
    report = report_of(document, 0, lantern_1=moves, lantern_2=moves)
    report["frame"] = {}
    after, _ = apply_report(state, document, report)
    assert from_axial(*velocity_of(after, "lantern")) == velocity


@pytest.mark.rule("B5.121")
def test_where_nobody_says_the_standing_preference_places_the_spare_point() -> None:
    state, document = pair()
    book = replace(state.books["red"], preferences={"spare_point": "C"})
    state = replace(state, books={**state.books, "red": book})
    moves = {"velocity": {"A": 5, "B": 4}}
    report = report_of(document, 0, lantern_1=moves, lantern_2=moves)
    report["frame"] = {}
    after, _ = apply_report(state, document, report)
    assert velocity_of(after, "lantern") == (2, 0, 0)  # 1A 1B 1C is 2B


@pytest.mark.rule("B5.12", "B5.121", "B5.13")
def test_survivors_stand_in_the_hex_nearest_to_where_the_frame_and_they_have_moved() -> None:
    """Twelve turns with the frame at 9A are 108 tactical hexes; the ship went 26 in B and 13 up besides."""
    state, document = pair()
    start = document["setting"]["ships"][mark_of(document, "lantern-1")]["position"]
    there = {"q": start["q"] + 26, "r": start["r"], "z": start["z"] + 15}
    moves = {"position": there, "velocity": {"B": 6}}
    after, events = apply_report(state, document, report_of(document, 12, lantern_1=moves, lantern_2=moves))
    assert document["setting"]["frame"] == {"A": 9}
    assert place_of(after, "lantern") == (3, 108, 2)  # from (0, 97, 0): 2.6 in B, 10.8 in A, 1.5 up
    assert velocity_of(after, "lantern") == (2, 3, 0)
    assert place_of(after, "verdict") == (0, 113, 0)  # coasted with the frame from (0, 102, 0)
    assert after.forces.engaged == ("", "")
    assert kinds(events) == [("battle-ended", ()), ("battle-ended", ("blue",)), ("battle-ended", ("red",))]


@pytest.mark.rule("B5.132")
def test_the_way_of_the_frame_can_be_told_where_its_velocity_changed() -> None:
    state, document = pair()
    report = report_of(document, 12)
    report["frame_moved"] = {"A": 60, "B": 30}
    report["frame"] = {"A": 6, "B": 3}
    after, _ = apply_report(state, document, report)
    assert place_of(after, "lantern") == (3, 103, 0)
    assert velocity_of(after, "lantern") == (1, 2, 0)


@pytest.mark.rule("B5.12")
def test_a_ship_that_nobody_measured_has_flown_the_mean_of_its_first_and_last_velocity() -> None:
    state, document = pair()
    moves = {"velocity": {"B": 10}}
    after, _ = apply_report(state, document, report_of(document, 10, lantern_1=moves, lantern_2=moves))
    assert place_of(after, "lantern") == (5, 106, 0)  # 50 tactical hexes in B, 90 in A with the frame


@pytest.mark.rule("B5.111", "B5.131")
def test_a_battle_beside_the_theatre_that_was_over_early_lets_its_survivors_coast_on() -> None:
    """Six operational turns have passed, nineteen tactical ones; the battle took none of them."""
    state, document = battle(
        force("a", "red", {}, {"A": 2}), force("b", "blue", {"A": 5}, {"A": 2}), rulings={"battle-clock": "beside"}
    )
    for _ in range(6):
        state, _ = turn(state)
    at_once, _ = apply_report(state, document, report_of(document, 0))
    assert place_of(at_once, "a") == (0, 12, 0)
    in_time, _ = apply_report(state, document, report_of(document, 19))
    assert place_of(in_time, "a") == (0, 11, 0)  # 114 tactical hexes


@pytest.mark.rule("B5.111")
def test_who_arrived_later_is_measured_from_whom_it_met() -> None:
    state, _ = turn(
        world(
            force("a", "red", {}), force("b", "blue", {"A": 5}), force("c", "blue", {"D": 62}, {"A": 12}), rulings=APART
        )
    )
    while len(state.meetings[0].forces) < 3:
        state, _ = turn(state)
    document = engagement.set_engagement(engagement.open_engagements(state)[0], [])
    a = document["setting"]["forces"][force_mark(document, "a")]["position"]
    beside_a = {"position": {"q": a["q"], "r": a["r"] - 10, "z": a["z"]}, "velocity": {}}
    after, _ = apply_report(state, document, report_of(document, 15, c_1=beside_a))
    assert place_of(after, "c") == (0, -1, 0)
    assert place_of(after, "a") == (0, 0, 0)
    # Unmeasured, it has flown for the three turns that it was there: from -5 the mean of 36 and 0.
    late, _ = apply_report(state, document, report_of(document, 15, c_1={"velocity": {}}))
    assert place_of(late, "c") == (0, 0, 0)


# Forces ----------------------------------------------------------------------------------------


@pytest.mark.rule("B5.12", "B5.121")
def test_a_force_whose_ships_end_with_different_vectors_splits() -> None:
    state, document = pair()
    report = report_of(document, 3, lantern_2={"velocity": {"C": 9}})
    after, events = apply_report(state, document, report)
    assert len(after.forces) == 3
    token = after.forces.id[2]
    assert after.ships.force == ("lantern", token, "verdict")
    assert (after.forces.name[2], after.forces.flagship[2], after.forces.side[2]) == ("Lantern 2", "lantern-2", "red")
    assert velocity_of(after, token) == (3, 0, 0)  # 9A and 9C are 9B
    assert len(token) == 12 and "lantern" not in token
    assert ("force-split", ("red",)) in kinds(events)
    assert after.meetings[0].forces == ("lantern", token, "verdict")
    assert after.meetings[0].closed
    assert dump_state(load_state(dump_state(after))) == dump_state(after)
    assert apply_report(state, document, report)[0].forces.id == after.forces.id


@pytest.mark.rule("B5.121")
def test_ships_of_one_vector_stay_together_over_a_hex_border_and_not_over_two() -> None:
    state, document = pair()
    start = document["setting"]["ships"][mark_of(document, "lantern-1")]["position"]

    def ended(apart: int) -> State:
        there = {"q": start["q"] + apart, "r": start["r"], "z": start["z"]}
        return apply_report(state, document, report_of(document, 3, lantern_2={"position": there}))[0]

    assert len(ended(8).forces) == 2
    assert len(ended(20).forces) == 3


@pytest.mark.rule("B5.122")
def test_the_force_goes_on_with_its_flagship_or_without_it_with_the_most() -> None:
    state, document = battle(force("a", "red", {}, classes=("mistral",) * 3), force("b", "blue", {"A": 5}))
    after, _ = apply_report(
        state, document, report_of(document, 3, a_1={"fate": "destroyed"}, a_2={"velocity": {"B": 9}})
    )
    assert after.forces.flagship[0] in ("a-2", "a-3")
    assert sum(force == "a" for force in after.ships.force) == 1
    three, _ = apply_report(state, document, report_of(document, 3, a_1={"velocity": {"B": 9}}))
    assert three.forces.flagship[0] == "a-1"
    assert three.ships.force[1] == three.ships.force[2] != "a"


@pytest.mark.rule("D2.223", "D2.224")
def test_the_dead_stay_dead_and_nobody_else_does() -> None:
    state, document = pair()
    known = Contact("tok", 1, "verdict", 0, 0, 105, 0, 1, {}, {"presence": 1})
    state = replace(state, books={**state.books, "red": replace(state.books["red"], contacts=(known,))})
    report = report_of(document, 6, lantern_2={"fate": "surrendered"}, verdict_1={"fate": "destroyed"})
    after, events = apply_report(state, document, report)
    assert after.ships.status == (ACTIVE, SURRENDERED, DESTROYED)
    assert after.ships.force == ("lantern", "", "")
    assert after.forces.place.tolist() == [ON_MAP, GONE]
    assert after.forces.flagship == ("lantern-1", "")
    assert after.books["red"].contacts[0].lost
    assert {("ship-destroyed", ("blue",)), ("force-lost", ("blue",)), ("ship-surrendered", ("red",))} <= set(
        kinds(events)
    )
    later, _ = turn(after)
    assert later.ships.status == after.ships.status and len(later.meetings) == 1


@pytest.mark.rule("D2.223")
def test_a_ship_that_died_on_the_map_before_the_report_came_stays_dead() -> None:
    state, document = pair()
    state = replace(
        state, ships=replace(state.ships, status=(ACTIVE, DESTROYED, ACTIVE), force=("lantern", "", "verdict"))
    )
    after, events = apply_report(state, document, report_of(document, 3))
    assert after.ships.status == (ACTIVE, DESTROYED, ACTIVE)
    assert events[0].data["dead_before"] == ["lantern-2"]


@pytest.mark.rule("B5.16", "B5.161")
def test_who_left_through_hyperspace_is_there_with_a_twelfth_of_its_velocity() -> None:
    state, document = battle(
        force("a", "red", {"A": 200}, {"A": 24}, classes=("mistral", "mistral")),
        force("b", "blue", {"A": 205}, {"A": 24}),
    )
    after, events = apply_report(state, document, report_of(document, 3, a_2={"fate": "departed"}))
    left = after.forces.id[2]
    assert after.forces.place.tolist() == [ON_MAP, ON_MAP, IN_HYPERSPACE]
    assert velocity_of(after, left) == (0, 2, 0)
    assert after.ships.status == (ACTIVE, ACTIVE, ACTIVE)
    whole, _ = apply_report(state, document, report_of(document, 3, a_1={"fate": "departed"}, a_2={"fate": "departed"}))
    assert int(whole.forces.place[0]) == IN_HYPERSPACE and len(whole.forces) == 2
    assert place_of(whole, "a") == (0, 0, 0)
    assert ("force-split", ("red",)) in kinds(events)


# Ships -----------------------------------------------------------------------------------------


@pytest.mark.rule("D2.223", "C5.4412", "C8.12")
def test_ships_come_back_with_exactly_their_boxes_stores_and_grades() -> None:
    state, document = pair(damage={"hull": 3, "ecm": 1}, stores={"pods": 4}, drones=2, grades={"helm": "veteran"})
    report = report_of(
        document,
        6,
        lantern_1={
            "boxes": {"hull": 7, "port.mag": 4},
            "stores": {"recon_drones": 1, "pods": 1},
            "grades": {"helm": "average"},
            "pods_used": 2,
            "pods_killed": 1,
        },
    )
    after, _ = apply_report(state, document, report)
    assert after.ships.damage == {
        "lantern-1": {"hull": 7, "ecm": 1, "port.mag": 4},
        "lantern-2": {"hull": 3, "ecm": 1},
    }
    assert after.ships.stores == {"lantern-1": {"pods": 1}, "lantern-2": {"pods": 4}}
    assert after.ships.drones.tolist() == [1, 2, state.ships.drones[2]]
    assert (after.ships.grades[0].helm, after.ships.grades[1].helm) == ("average", "veteran")
    assert after.ships.cost.tolist() == state.ships.cost.tolist()


@pytest.mark.rule("C8.12")
def test_pods_used_and_killed_are_gone_without_a_word_of_what_is_left() -> None:
    state, document = pair(stores={"pods": 4})
    report = report_of(document, 6, lantern_1={"pods_used": 2, "pods_killed": 1})
    del report["ships"][mark_of(document, "lantern-1")]["stores"]["pods"]
    after, _ = apply_report(state, document, report)
    assert after.ships.stores["lantern-1"] == {"pods": 1}


@pytest.mark.rule("C6.13")
@pytest.mark.parametrize(("left", "turns"), [(10, 4), (9, 3), (4, 2), (3, 1), (1, 1)])
def test_a_jury_rig_goes_on_failing_by_nineteen_tactical_to_six_operational_turns(left: int, turns: int) -> None:
    state, document = pair()
    rig = {"track": "ecm", "boxes": 1, "left": left}
    after, _ = apply_report(state, document, report_of(document, 6, lantern_1={"boxes": {"ecm": 2}, "rigs": [rig]}))
    assert after.ships.rigs == {"lantern-1": (JuryRig("ecm", 1, state.turn, state.turn + turns, left),)}
    assert after.ships.damage["lantern-1"] == {"ecm": 2}
    assert after.ships.not_working("lantern-1") == {"ecm": 1}


@pytest.mark.rule("C5.423")
def test_a_ship_that_lost_its_life_support_has_nineteen_turns_to_its_next_check() -> None:
    state, document = pair()
    boxes = Engagement.model_validate(document).sides["red"].forces[0].ships[0].boxes["life_support"].of
    after, _ = apply_report(state, document, report_of(document, 6, lantern_1={"boxes": {"life_support": boxes}}))
    assert after.ships.life_support == {"lantern-1": state.turn + 19}
    some, _ = apply_report(state, document, report_of(document, 6, lantern_1={"boxes": {"life_support": boxes - 1}}))
    assert some.ships.life_support == {}


@pytest.mark.rule("B5.12", "B5.121", "C6.13")
def test_a_second_battle_of_the_same_ships_begins_from_how_the_first_left_them() -> None:
    state, first = pair(stores={"pods": 4}, damage={"hull": 1})
    report = report_of(
        first,
        6,
        lantern_1={
            "boxes": {"hull": 4, "ecm": 2},
            "stores": {"pods": 2, "recon_drones": 0},
            "pods_used": 2,
            "rigs": [{"track": "ecm", "boxes": 1, "left": 8}],
            "grades": {"ewo": "poor"},
        },
    )
    state, _ = apply_report(state, first, report)
    state, _ = turn(state)
    second = opened(state)
    assert second.id != first["id"]
    assert second.numbers == {"blue": 2, "red": 2}
    ship = next(each for _, _, each in second.ships() if each.ship == "lantern-1")
    assert (ship.boxes["hull"].lost, ship.boxes["ecm"].lost) == (4, 2)
    assert ship.stores == {"recon_drones": 0, "pods": 2}
    assert ship.grades["ewo"] == "poor"
    assert [(rig.track, rig.boxes, rig.left) for rig in ship.rigs] == [("ecm", 1, 5)]
    assert ship.facts["pod_cost"] == 31
    healed = report_of(second.as_document(), 3, lantern_1={"boxes": {"hull": 3}})
    assert kinds(apply_report(state, second.as_document(), healed)[1]) == [("battle-report-refused", ())]


# Refusals --------------------------------------------------------------------------------------


@pytest.mark.rule("B5.12")
def test_the_same_report_twice_changes_nothing() -> None:
    state, document = pair()
    report = report_of(document, 6, verdict_1={"fate": "destroyed"})
    once, _ = apply_report(state, document, report)
    twice, events = apply_report(once, document, report)
    assert twice is once and events == ()


@pytest.mark.rule("B5.12")
def test_a_report_that_cannot_be_used_is_refused_with_its_reasons_and_changes_nothing() -> None:
    state, document = pair()
    silent = report_of(document, 6)
    del silent["ships"][mark_of(document, "verdict-1")]
    stale = {**document, "issue": 2}
    for bad_document, report, code in (
        (document, silent, "ship-missing"),
        (stale, report_of(document), "other-issue"),
        ({**document, "digest": "0" * 64}, report_of(document), "other-issue"),
        ({**document, "id": "elsewhere"}, report_of(document), "unknown-engagement"),
    ):
        after, (event,) = apply_report(state, bad_document, report)
        assert after is state
        assert (event.kind, event.audience) == ("battle-report-refused", ())
        assert event.data["problems"][0]["code"] == code


@pytest.mark.rule("B5.12")
def test_an_engagement_that_is_called_off_lets_its_forces_go() -> None:
    state, document = pair()
    after, events = release(state, document["id"])
    assert after.forces.engaged == ("", "") and after.meetings[0].closed
    assert kinds(events) == [("engagement-void", ("blue",)), ("engagement-void", ("red",))]
    with pytest.raises(ProblemsError):
        release(after, document["id"])


@pytest.mark.rule("B5.14")
def test_each_side_hears_of_the_others_only_what_it_saw() -> None:
    state, document = pair(damage={"hull": 5})
    _, events = apply_report(
        state, document, report_of(document, 6, lantern_2={"fate": "destroyed"}, verdict_1={"boxes": {"hull": 2}})
    )
    for side, secret in (("red", "verdict"), ("blue", "lantern")):
        told = json.dumps([event.as_document() for event in events if side in event.audience]).lower()
        assert told and secret not in told


VECTOR = st.builds(from_axial, st.integers(-60, 60), st.integers(-60, 60), st.integers(-20, 20))


@pytest.mark.rule("B5.121", "B5.13")
@settings(max_examples=60, deadline=None)
@given(VECTOR, VECTOR, st.integers(0, 40))
def test_with_the_frame_or_without_it_a_ship_is_the_same_place(own: Any, frame: Any, turns: int) -> None:
    """A motion counted with the map or on it makes no difference to where a ship is back on the operational map."""
    _, document = pair()
    typed = with_setting(Engagement.model_validate(document))
    ship = typed.sides["red"].forces[0].ships[0]
    start = document["setting"]["ships"][ship.id]["position"]
    step = [turns * (one + other) for one, other in zip(to_axial(own), to_axial(frame), strict=True)]
    on_map = dict(zip("qrz", (turns * part for part in to_axial(own)), strict=True))
    moving = report_of(document, turns, lantern_1={"position": {k: start[k] + on_map[k] for k in "qrz"}})
    moving["frame"] = frame
    still = report_of(
        document, turns, lantern_1={"position": {k: start[k] + v for k, v in zip("qrz", step, strict=True)}}
    )
    still["frame"] = {}
    found = [where(typed, load_report(each), ship, load_report(each).ships[ship.id]) for each in (moving, still)]
    assert found[0] == found[1]
