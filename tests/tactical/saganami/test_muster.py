"""Mustering from a set engagement, and the report that goes back (B5.12, D2.13)."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from campaign.engine.handoff import Engagement, blank_report, check_report, load_report
from campaign.engine.hexes import Hex, true_range
from campaign.rulebooks.saganami.grades import ShipGrades
from operational.rules.saganami import battle_report
from operational.rules.saganami.engagement import open_engagements, set_engagement
from operational.rules.saganami.return_course import where
from tactical.rules.saganami.battle import fight
from tactical.rules.saganami.captain import captain_of
from tactical.rules.saganami.documents import dump_state, load_state
from tactical.rules.saganami.ends import map_place
from tactical.rules.saganami.muster import muster
from tactical.rules.saganami.report import report, score
from tests.operational.saganami import meeting_worlds as worlds
from tests.tactical.saganami.battles import class_documents, play, turn


def met(rulings: dict[str, str] | None = None, **ships: Any) -> dict[str, Any]:
    """Return the set engagement of a red squadron and a green one that have met."""
    state = worlds.world(
        worlds.force("hunters", "red", {"q": 0, "r": -204}, {"A": 2}, ("mistral", "sirocco", "gannet"), ships=ships),
        worlds.force("raiders", "green", {"q": 1, "r": -196}, {"D": 1}, ("adze", "mattock")),
        rulings={"battle-clock": "apart", **(rulings or {})},
    )
    for _ in range(6):
        state, _ = worlds.turn(state)
        opened = open_engagements(state)
        if opened:
            return set_engagement(opened[0], [])
    raise AssertionError("they never met")


@pytest.mark.rule("B5.12", "D2.13")
def test_forces_stand_at_the_places_of_the_setting_one_ship_to_a_hex() -> None:
    """B5.12: range 50; the ships of a force take berths round its flagship."""
    document = met()
    state = muster(document, class_documents())
    places = [ship.place for ship in state.ships]
    assert len(set(places)) == len(places)
    for ship in state.ships:
        placed = document["setting"]["forces"][ship.force]
        assert ship.place.less(ship.berth) == Hex(**placed["position"])
        assert ship.vectors == placed["velocity"]
        assert true_range(*ship.berth) <= 1
    flags = {force["flagship"] for side in document["sides"].values() for force in side["forces"]}
    one, other = (state.ship(flag) for flag in sorted(flags))
    assert true_range(*one.place.less(other.place)) == 50
    assert state.frame == document["setting"]["frame"]
    assert state.time_limit == document["setting"]["time_limit"]


@pytest.mark.rule("C6.13", "A2.67", "D1.11", "B5.145")
def test_every_ship_comes_exactly_in_the_condition_in_which_it_was_handed_over() -> None:
    """Boxes, rigs, grades, stores and the wedge are those of the document."""
    document = met()
    mark = document["sides"]["red"]["forces"][0]["ships"][0]["id"]
    ship = next(each for each in document["sides"]["red"]["forces"][0]["ships"] if each["id"] == mark)
    ship["boxes"]["ecm"]["lost"] = 3
    ship["rigs"] = [{"track": "ecm", "boxes": 1, "left": 4}]
    ship["grades"]["helm"] = "elite"
    ship["marks"] = ["wedge-up", "sidewalls-next-turn"]
    state = muster(document, class_documents())
    found = state.ship(mark)
    assert found.gone == {"ecm": 2}
    assert found.lost() == {"ecm": 3}
    assert [(rig.track, rig.boxes, rig.fails) for rig in found.rigs] == [("ecm", 1, 4)]
    assert found.grades == ShipGrades(helm="elite")
    assert not found.has_walls(1)
    assert found.has_walls(2)
    assert found.wedge_up
    assert all(each.has_walls(1) for each in state.ships if each.id != mark and each.side == "green")


def test_a_report_of_a_battle_in_which_nothing_happened_is_the_blank_report() -> None:
    """Muster and report at once: nothing is said but that all are as they were."""
    document = met()
    found = load_report(report(muster(document, class_documents()))).as_document()
    assert found == load_report(blank_report(document)).as_document()
    assert battle_report.check_report(document, found) == ()


@pytest.mark.rule("B5.121", "B5.13")
def test_ships_that_coast_are_reported_where_the_map_has_them() -> None:
    """B5.121: the place of a coasting ship is where its force's velocity brought it, berths taken off."""
    document = met()
    state = muster(document, class_documents())
    while state.turn < 3:
        state, _ = play(state)
    result = report(state)
    assert battle_report.check_report(document, result) == ()
    for ship in state.ships:
        placed = document["setting"]["forces"][ship.force]
        start = Hex(**placed["position"])
        end = Hex(**result["ships"][ship.id]["position"])
        step = {"A": 0, **ship.vectors}
        assert end.less(start).r == 3 * (step.get("A", 0) - step.get("D", 0) + step.get("F", 0) - step.get("C", 0))


@pytest.mark.rule("B5.16", "B5.13")
def test_the_battle_knows_where_its_ships_are_on_the_star_map_as_the_map_does() -> None:
    """map_place and the operational ruleset's own account agree for every ship and turn."""
    document = met()
    state = muster(document, class_documents())
    engagement = Engagement.model_validate(document)
    while state.turn < 4:
        state, _ = play(state)
        typed = load_report(report(state))
        for _, _, ship in engagement.ships():
            there = where(engagement, typed, ship, typed.ships[ship.id])
            assert map_place(state, state.ship(ship.id), state.turn) == there


def test_a_battle_fought_to_its_end_gives_a_report_that_the_map_accepts() -> None:
    """The whole way: muster, captains to the end, report, check, score."""
    document = met()
    state = muster(document, class_documents())
    fought = fight(state, {"red": captain_of("aggressive"), "green": captain_of("balanced")}, "whole way")
    result = report(fought.state)
    assert battle_report.check_report(document, result) == ()
    assert check_report(document, result) == ()
    theirs = battle_report.score_report(document, result)
    ours = score(fought.state)
    assert [side["points"] for side in theirs["sides"]] == [side["points"] for side in ours["sides"]]
    assert theirs["margin"] == ours["margin"]


def test_an_engagement_that_is_not_set_or_has_no_classes_is_refused() -> None:
    """Codes not-set and class-missing, each with its place."""
    document = met()
    with pytest.raises(ProblemsError) as error:
        muster({**document, "setting": None}, class_documents())
    assert error.value.problems[0].code == "not-set"
    with pytest.raises(ProblemsError) as error:
        muster(document, {"mistral": class_documents()["mistral"]})
    assert {problem.code for problem in error.value.problems} == {"class-missing"}
    assert all(problem.place.startswith("/sides/") for problem in error.value.problems)


@pytest.mark.rule("B5.131")
def test_reinforcements_enter_at_the_end_of_their_turn_at_their_step_from_the_force_they_met() -> None:
    """An arrival in turn 2 stands at its step from where its nearest opponent is then, and faces as it likes."""
    document = met()
    green = document["sides"]["green"]["forces"][0]
    late = {**green, "id": "late", "force": "late-force", "arrives": 2, "nearest": _force(document, "red"),
            "step": {"q": 4, "r": 30, "z": 2}, "flagship": "late-ship",
            "ships": [{**green["ships"][0], "id": "late-ship", "ship": "roster-late"}]}  # fmt: skip
    document["sides"]["green"]["forces"].append(late)
    placed = {"position": {"q": 9, "r": 9, "z": 0}, "velocity": {"D": 2}, "arrives": 2,
              "nearest": late["nearest"], "step": late["step"]}  # fmt: skip
    document["setting"]["forces"]["late"] = placed
    document["setting"]["ships"]["late-ship"] = placed
    state = muster(document, class_documents())
    assert not state.ship("late-ship").is_active
    state, _ = turn(state)
    assert "late-ship" not in [ship.id for ship in state.active()]
    state, _ = turn(state)
    red = next(ship for ship in state.ships if ship.force == late["nearest"])
    arrived = state.ship("late-ship")
    assert arrived.place == red.place.less(red.berth).moved(4, 30, 2)
    assert state.stage == "facing"
    state, played = play(state, {"late-ship": {"forward": "D yellow", "roll": 6}})
    assert played.problems == {}
    assert str(state.ship("late-ship").attitude.forward) == "D yellow"
    assert state.stage == "movement"
    assert load_state(dump_state(state)).ship("late-ship").arrives == 2


def _force(document: dict[str, Any], side: str) -> str:
    return str(document["sides"][side]["forces"][0]["id"])
