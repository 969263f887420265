"""Finished games come out to the same bytes, and states of every schema can be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from operational.rules.full_thrust.documents import dump_state, load_state
from operational.rules.full_thrust.state import SCHEMA
from tests.operational.full_thrust.replays import FOLDER, GAMES, replayed
from tests.operational.full_thrust.worlds import force, play, resolved, world

FILES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_finished_game_comes_out_the_same(path: Path) -> None:
    """Every turn's state, events, rolls, engagements and reports; a change of them needs a new edition."""
    document: dict[str, Any] = json.loads(path.read_text())
    assert replayed(document) == [turn["outcome"] for turn in document["turns"]]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_stored_state_is_read_and_written_as_it_was(path: Path) -> None:
    """The sample of schema 1."""
    stored = json.loads(path.read_text())["last_state"]
    assert stored["schema"] == SCHEMA == 1
    assert dump_state(load_state(stored)) == stored


def test_the_games_are_all_there_and_have_what_they_are_kept_for() -> None:
    """Detection, a dummy found out, a battle and its return, in at least nine turns."""
    assert {path.stem for path in FILES} == set(GAMES)
    told = [line for path in FILES for turn in json.loads(path.read_text())["turns"] for line in turn["told"]]
    for words in ("is detected", "was a dummy", "Engagement 1:", "is over after 8 tabletop turns", "is out of reach"):
        assert any(words in line for line in told), words


def test_a_state_of_an_unknown_schema_or_with_uneven_columns_is_refused() -> None:
    """By code and place, before anything is built."""
    document = dump_state(world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 9}, ("frigate",))))
    for changed, place in (({"schema": 99}, "/schema"), ({"schema": None}, "/schema")):
        with pytest.raises(ProblemsError) as caught:
            load_state({**document, **changed})
        assert [(one.place, one.code) for one in caught.value.problems] == [(place, "unknown-schema")]
    columns = {**document["map"]["forces"], "q": [1]}
    with pytest.raises(ProblemsError) as caught:
        load_state({**document, "map": {"forces": columns}})
    assert [(one.place, one.code) for one in caught.value.problems] == [("/map/forces/q", "columns-differ")]


def test_the_same_envelope_gives_the_same_bytes_and_one_bad_sheet_stops_nobody() -> None:
    """What is wrong is dropped with a word to its side; the rest of both sheets is played."""
    state = world(force("a", "red", {}, ("cutter",)), force("b", "blue", {"A": 40}, ("frigate",)))
    sheets = {
        "red": {"forces": {"a": {"thrust": {"A": 1}}, "b": {"thrust": {"A": 1}}}, "nonsense": 1},
        "blue": {"forces": {"b": {"thrust": {"D": 2}}}},
    }
    answer = resolved(state, sheets)
    assert answer == resolved(state, sheets)
    assert answer.state["map"]["forces"]["r"] == [1, 38]
    assert [one["code"] for one in answer.problems["red"]] == ["unknown-force", "unknown-section"]
    rejected = [event for event in answer.events if event.kind == "order-rejected"]
    assert {event.audience for event in rejected} == {("red",)}
    assert load_state(answer.state).turn == 1
    assert play(load_state(answer.state))[0].turn == 2
