"""Whole battles: captains play them out, everything replays byte for byte, the log and the picture tell of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.battle import Fought, battle_log
from campaign.engine.dice import canonical
from tactical.rules.saganami.battle import digest, fight, replay, replay_document
from tactical.rules.saganami.captain import captain, captain_of, plan
from tactical.rules.saganami.captain_picture import DOCTRINES
from tactical.rules.saganami.documents import dump_state, load_state
from tactical.rules.saganami.log import log_for, log_lines
from tactical.rules.saganami.picture import picture
from tactical.rules.saganami.plot_reading import read_plots
from tactical.rules.saganami.report import report, score
from tactical.rules.saganami.ruleset import RULESET
from tactical.rules.saganami.sequence import sides_to_plot
from tactical.rules.saganami.state import State
from tactical.rules.saganami.view import view_for, view_of
from tests.tactical.saganami.battles import battle, play, ship

REPLAYS = Path(__file__).parents[3] / "fixtures" / "replays" / "tactical-saganami"
SHIPS = ("mistral", "adze", "sirocco", "mattock", "petrel", "bramble", "gannet", "nettle")


def meeting(red: tuple[str, ...], green: tuple[str, ...], gap: int = 40, speed: int = 4) -> State:
    """Return two squadrons that close on each other, ships side by side, noses at the enemy."""
    return battle(
        *(
            ship(f"r{number}", key, (number, 0, 0), "A yellow", vectors={"A": speed})
            for number, key in enumerate(red, start=1)
        ),
        *(
            ship(f"g{number}", key, (number, gap, 3), "D yellow", vectors={"D": speed})
            for number, key in enumerate(green, start=1)
        ),
    )


def fought(state: State, seed: str = "seed", red: str = "balanced", green: str = "aggressive") -> Fought:
    """Return a battle fought by two captains."""
    return fight(state, {"red": captain_of(red), "green": captain_of(green)}, seed)


def test_captains_bring_a_battle_to_an_end_with_plots_that_break_no_rule() -> None:
    """No sheet of a captain has a stopping problem, in any doctrine."""
    for number, doctrine in enumerate(DOCTRINES):
        end = fought(meeting(("sirocco", "gannet"), ("mattock", "nettle")), str(number), doctrine, "balanced")
        assert end.state.over is not None
        assert end.state.over["why"] != "called-off"
        stops = [
            each
            for step in end.steps
            for found in step.problems.values()
            for each in found
            if each["severity"] == "stop"
        ]
        assert stops == []


def test_a_captain_reads_nothing_but_its_view() -> None:
    """The sheet from the view's document is the sheet from the view, and another truth behind it changes nothing."""
    state = meeting(("sirocco", "petrel"), ("mattock", "adze"))
    hurt = state.copy()
    hurt.ship("g1").gone = {"ecm": 2, "port.M": 4, "structural_integrity": 5}
    hurt.ship("g1").grades = hurt.ship("g1").grades.with_grade("tactical", "elite")
    for _ in range(9):
        for side in sides_to_plot(state):
            sheet = plan(view_of(state, side), "balanced")
            assert captain(json.loads(canonical(view_for(state, side))), "balanced") == sheet
        assert plan(view_of(state, "red"), "balanced") == plan(view_of(hurt, "red"), "balanced")
        sheets = {side: plan(view_of(state, side), "balanced")["ships"] for side in sides_to_plot(state)}
        orders = {key: plot for each in sheets.values() for key, plot in each.items()}
        state, _ = play(state, orders)
        again = hurt.copy()
        hurt, _ = play(again, {key: plot for key, plot in orders.items() if key.startswith("r")})
        if state.turn:
            break


def test_a_captain_rolls_its_wedge_at_a_salvo_it_cannot_stop_and_not_at_one_it_can() -> None:
    """A destroyer before a superdreadnought at missile range shows the wedge; before a freighter it does not."""
    from tactical.rules.saganami.arcs import is_behind_wedge
    from tactical.rules.saganami.bearings import shoot

    def shows_wedge(enemy: str) -> bool:
        state = battle(
            ship("r1", "petrel", nose="C yellow"),
            ship("g1", enemy, (0, 18, 0), "C yellow"),
        )
        state, _ = play(state, plan(view_of(state, "red"), "balanced")["ships"])
        move = state.ship("r1").move
        assert move is not None
        windows = shoot(move.course.end, state.ship("g1").place).windows
        return any(is_behind_wedge(move.end, window) for window in windows)

    assert shows_wedge("pharos")
    assert not shows_wedge("carrick")


def test_two_runs_of_a_battle_are_the_same_bytes_and_another_seed_is_another_battle() -> None:
    """The same state, sheets and seed give the same battle, also from a document in the middle of it."""
    start = meeting(("fastnet", "gannet"), ("scoria", "adze"))
    before = canonical(dump_state(start))
    one, two, other = fought(start), fought(start), fought(start, "another")
    assert canonical(dump_state(start)) == before
    assert [step.as_document() for step in one.steps] == [step.as_document() for step in two.steps]
    assert canonical(dump_state(one.state)) == canonical(dump_state(two.state))
    assert digest(dump_state(other.state)) != digest(dump_state(one.state))
    state = start
    for step in one.steps:
        state = load_state(json.loads(canonical(dump_state(state))))
        orders = {key: plot for sheet in step.sheets.values() for key, plot in sheet["ships"].items()}
        state, played = play(state, orders)
        assert played.as_document()["events"] == step.as_document()["events"]
    assert state.over == one.state.over


@pytest.mark.parametrize("path", sorted(REPLAYS.glob("*.json")), ids=lambda path: path.stem)
def test_kept_battles_replay_byte_for_byte(path: Path) -> None:
    """A change of the rules that alters a finished battle must raise the edition."""
    document = json.loads(path.read_text(encoding="utf-8"))
    state, differing = replay(document)
    assert differing == ()
    assert digest(dump_state(state)) == document["end"]
    assert state.over is not None


def test_there_are_kept_battles_of_ships_pods_and_lacs() -> None:
    """Three finished battles stand among the fixtures."""
    assert sorted(path.stem for path in REPLAYS.glob("*.json")) == ["cruisers", "light-craft", "pod-layers"]


def test_a_replay_document_tells_where_a_battle_came_out_differently() -> None:
    """One changed sheet is found at its step and at every later one that it touches."""
    start = meeting(("mistral",), ("adze",), 20)
    document = replay_document(start, fought(start), "seed")
    assert replay(document)[1] == ()
    step = next(number for number, each in enumerate(document["steps"]) if each["stage"] == "movement")
    document["steps"][step]["sheets"]["red"] = {"ships": {"r1": {"roll": 5}}}
    assert replay(document)[1][0] == step


@settings(max_examples=12, deadline=None)
@given(
    red=st.lists(st.sampled_from(SHIPS), min_size=1, max_size=3),
    green=st.lists(st.sampled_from(SHIPS), min_size=1, max_size=3),
    gap=st.integers(5, 45),
    seed=st.text("abc", min_size=1, max_size=4),
)
def test_whatever_happens_in_a_battle_the_state_stays_sound(
    red: list[str], green: list[str], gap: int, seed: str
) -> None:
    """No track loses more boxes than it has, no two ships share a hex, the score adds up, documents hold."""
    start = meeting(tuple(red), tuple(green), gap)
    end = fought(start, seed).state
    for one in end.ships:
        for track, boxes in one.gone.items():
            assert 0 <= boxes <= one.sheet.size[track], track
        for track, boxes in one.lost().items():
            assert boxes <= one.sheet.size[track]
        for track, boxes in one.spent.items():
            assert boxes <= one.gone[track]
        assert one.pods_towed >= 0
        integrity = one.sheet.size.get("structural_integrity", 0)
        if integrity and one.left("structural_integrity") == 0:
            assert one.fate == "destroyed"
    standing = [one.place for one in end.active() if not one.sheet.is_lac]
    assert len(set(standing)) == len(standing)
    account = score(end)
    for side in account["sides"]:
        assert side["points"] == sum(line["points"] for line in side["lines"])
    assert canonical(dump_state(load_state(dump_state(end)))) == canonical(dump_state(end))
    assert set(report(end)["ships"]) == {one.id for one in end.ships}


@settings(max_examples=40, deadline=None)
@given(
    sheet=st.recursive(
        st.none() | st.booleans() | st.integers(-9, 99) | st.sampled_from(["g1", "port", "early", "A yellow", "ecm"]),
        lambda inner: st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["ships", "r1", "pivot", "roll", "thrust", "cell", "split", "launches", "mount", "target", "stages",
                 "pods", "held", "lead", "repairs", "track", "deploy", "wedge", "A", "early"]
            ),
            inner,
            max_size=5,
        ),
        max_leaves=20,
    )
)  # fmt: skip
def test_reading_a_sheet_never_raises_and_what_it_keeps_can_be_played(sheet: Any) -> None:
    """Whatever is sent, the answer is problems and orders that the step takes."""
    state = meeting(("scoria",), ("mattock",), 12)
    for _ in range(2):
        reading = read_plots(state, "red", sheet)
        assert all(problem.place.startswith("/") or problem.place == "" for problem in reading.problems)
        ships = sheet["ships"] if isinstance(sheet, dict) and isinstance(sheet.get("ships"), dict) else {}
        state, _ = play(state, {"r1": ships["r1"]} if "r1" in ships else {})


def test_the_log_can_be_followed_and_a_sides_log_hides_the_others_plots() -> None:
    """Plots, bearings, rolls, hits and rules stand in the log; a side reads its own plots alone."""
    end = fought(meeting(("sirocco",), ("mattock",), 20))
    whole = battle_log(RULESET, end.steps)
    text = "\n".join(whole)
    assert "Turn 1: Pivots, rolls and thrust" in text
    for wanted in ("plots ", "MQL", "ECM roll", "column", " deep: ", "[C4.1, C4.12, C4.13]"):
        assert wanted in text
    mine = "\n".join(log_for(end.events, "red"))
    assert "R1 plots" in mine
    assert "G1 plots" not in mine
    assert "G1 plots" in "\n".join(log_for(end.events, "green"))
    assert log_lines(()) == ()


def test_the_picture_of_a_step_is_an_svg_with_both_views_and_every_ship() -> None:
    """Top and side view, a label for each unit, markers and shots of the step."""
    end = fought(meeting(("sirocco", "gannet"), ("mattock",), 20))
    step = next(each for each in end.steps if any(event.kind == "salvo-launched" for event in each.events))
    root = ElementTree.fromstring(picture(end.state, step.events))
    texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any("From above" in text for text in texts)
    assert any("From the side" in text for text in texts)
    for one in end.state.ships:
        assert any(one.seen_name in text for text in texts)
    lines = list(root.iter("{http://www.w3.org/2000/svg}line"))
    assert any(line.get("stroke-dasharray") == "4 3" for line in lines)
