"""Finished games come out to the same bytes, and the state document is read back as it was written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from campaign.engine.dice import canonical
from campaign.engine.errors import ProblemsError
from operational.rules.saganami.documents import dump_state, load_state
from operational.rules.saganami.state import SCHEMA
from tests.operational.saganami.meeting_worlds import force, world
from tests.operational.saganami.replays import FOLDER, GAMES, digest, outcome, replayed

FILES = sorted(FOLDER.glob("*.json"))


@pytest.mark.rule("B5.11", "B5.12", "B5.14", "B5.145", "B5.16", "B5.161", "B5.162", "C6.16")
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_finished_game_comes_out_the_same(path: Path) -> None:
    """Every turn's state, events, rolls, engagements and reports; a change of them needs a new edition."""
    document: dict[str, Any] = json.loads(path.read_text())
    answers = replayed(document)
    assert [[event.text for event in answer.events] for answer in answers] == [
        turn["told"] for turn in document["turns"]
    ]
    assert [outcome(answer) for answer in answers] == [turn["outcome"] for turn in document["turns"]]
    assert digest(answers[-1].state) == digest(document["last_state"])


def test_the_games_are_all_there_and_have_what_they_are_kept_for() -> None:
    """Every order of the sheet, an arrival in groups, a battle and its return, and orders that are refused."""
    assert {path.stem for path in FILES} == set(GAMES)
    told = [line for path in FILES for turn in json.loads(path.read_text())["turns"] for line in turn["told"]]
    for words in (
        "leaves Van with",
        "leaves Van for Rear",
        "as a dummy",
        "Rear joins Tail",
        "goes into hyperspace",
        "Hidden 2 comes out of hyperspace",
        "raises its wedge",
        "takes its wedge down",
        "The compensators of Whinchat",
        "repaired for good",
        "You have no such force",
        "are not in the same hex",
        "By the umpire",
        "engagement",
        "is over after 9 tactical turns",
    ):
        assert any(words in line for line in told), words


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_stored_state_is_read_and_written_as_it_was(path: Path) -> None:
    """The sample of schema 1: what a campaign of today stores is readable for as long as its edition is."""
    stored = json.loads(path.read_text())["last_state"]
    assert stored["schema"] == SCHEMA == 1
    assert canonical(dump_state(load_state(stored))) == canonical(stored)


def test_a_state_of_an_unknown_schema_or_with_uneven_columns_is_refused() -> None:
    """By code and place."""
    document = dump_state(world(force("a", "red", {}), force("b", "blue", {"A": 90})))
    for schema in (99, None):
        with pytest.raises(ProblemsError) as caught:
            load_state({**document, "schema": schema})
        assert [(one.place, one.code) for one in caught.value.problems] == [("/schema", "unknown-schema")]
    for place, part in (("/map/forces/q", "forces"), ("/roster/ships/cost", "ships")):
        broken = json.loads(canonical(document))
        broken["map" if part == "forces" else "roster"][part][place.rsplit("/", 1)[1]] = [1]
        with pytest.raises(ProblemsError) as caught:
            load_state(broken)
        assert [(one.place, one.code) for one in caught.value.problems] == [(place, "columns-differ")]


def test_ten_thousand_forces_are_read_and_written_the_same() -> None:
    """Columns, not rows; how fast is the bench's to say."""
    many = [force(f"f{number}", "red" if number % 2 else "blue", {"A": number}) for number in range(10_000)]
    document = json.loads(canonical(dump_state(world(*many))))
    assert dump_state(load_state(document)) == document
