"""Patrol battles fought by captains: asked for by both, scored with their missions, laid open."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from campaign.models import Job
from campaign.rulebooks.saganami.patrol_muster import battle_document
from campaign.selectors.patrol import patrol_library, patrol_state
from campaign.services.jobs import job_execute
from campaign.services.patrol import patrol_result
from tactical.rules.saganami.patrols import battle_facts, doctrine_at, patrol_battle
from tactical.rules.saganami.scenario import new_battle
from tests.campaign.services.patrols import Game, game_open, library_patrol, solo

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def library(db: None) -> None:
    """The classes of two nations."""
    library_patrol()


def jobs() -> list[Job]:
    """Return the fights that were asked for."""
    return list(Job.objects.filter(kind="patrol-fight"))


def test_captains_fight_a_scenario_once_both_sides_wish_it() -> None:
    """One wish is only seen; the second writes the job; its result is settled as the umpire's word."""
    game = game_open(base=220).play("attacker", "defender")
    game.act("attacker", "fight")
    assert jobs() == [] and game.view("defender")["sides"]["attacker"]["fights_here"]
    game.act("defender", "fight")
    assert game.view("attacker")["is_fighting"]
    (job,) = jobs()
    job_execute(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.failure
    found = patrol_result(token=game.row.token)
    assert found["replay"] == "same" and found["score"]["margin"]
    assert any(ship["boxes_lost"] for ship in found["facts"]["ships"].values())


def test_a_fight_that_was_overtaken_changes_nothing() -> None:
    """The players reported meanwhile; the job says so."""
    game = solo(base=220).play("attacker")
    game.act("attacker", "fight")
    (job,) = jobs()
    game.act("attacker", "call-off")
    job_execute(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED and "meanwhile" in job.failure
    assert patrol_result(token=game.row.token)["score"] is None


def test_captains_are_not_called_on_a_result_that_lies_on_the_table() -> None:
    """Sign it, or report otherwise."""
    game = game_open(base=220).play("attacker", "defender")
    game.act("attacker", "report", facts=game.facts("attacker"))
    with pytest.raises(ProblemsError):
        game.act("defender", "fight")


@pytest.mark.rule("D2.12", "D3.3/K", "D3.3/J", "D3.3/4", "D3.3/3")
def test_ships_come_to_the_battle_as_their_papers_say() -> None:
    """Places, vectors, grades, damage, parties, cost."""
    game: Game = game_open(base=300).play("attacker", "defender")
    state, library = patrol_state(game.row), patrol_library(game.row)
    document, classes = battle_document(state, library)
    battle = new_battle(document, classes)
    by_id: dict[str, Any] = {ship.id: ship for ship in battle.ships}
    for side in (state.attacker, state.defender):
        for hull in side.ships:
            ship = by_id[hull.ship]
            assert ship.cost == hull.cost and ship.name == hull.name
            if hull.ship in side.starts:
                assert ship.vectors == side.starts[hull.ship].vectors and ship.arrives == 0
            else:
                assert ship.arrives == side.pincer_turn


@pytest.mark.rule("D3.131")
def test_a_captain_leaves_when_its_own_time_is_up_and_the_fight_comes_out_the_same_twice() -> None:
    """By the side's own limit; the facts pass every check of a report."""
    game = solo(base=220).play("attacker")
    state, library = patrol_state(game.row), patrol_library(game.row)
    limit = state.attacker.assignment.turns  # type: ignore[union-attr]
    if not {"demonstration-of-mettle", "liars-bluff"} & set(state.attacker.mission_keys):
        assert doctrine_at(state, "attacker", limit - 1) != doctrine_at(state, "attacker", limit)
    first = battle_facts(state, patrol_battle(state, library, "seed")[0])
    assert first == battle_facts(state, patrol_battle(state, library, "seed")[0])
