"""Engagements fought by captains: the result is filed, the battle is kept, and a retry is the same battle."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.models import BattleReport, Campaign, Engagement, Job
from campaign.selectors.archive import unpack
from campaign.selectors.rulesets import ruleset_of
from campaign.selectors.umpire import state_at
from campaign.services.engagements import bid_file, sides_of
from campaign.services.jobs import job_execute
from campaign.services.refusals import StaleError
from tactical.models import Battle
from tactical.rules.saganami.battle import play_step
from tactical.rules.saganami.documents import dump_state, load_state
from tactical.services.battles import FIGHT, battle_fight_ask, battle_fight_auto, engagement_way_choose
from tests.campaign.services.setups import NOW, campaign_small, play_turn, small_setup

pytestmark = pytest.mark.django_db


def set_engagement(**changes: Any) -> Engagement:
    """Return a set engagement of two cruisers that met in turn 1; the Kestran one is damaged."""
    setup = small_setup(rulings={"battle-clock": "apart"}, **changes)
    setup["ships"][0] |= {"damage": {"hull": 2, "ecm": 1}, "grades": {"tactical": "veteran"}}
    setup["forces"][0] |= {"at": {"A": 20}, "velocity": {"A": 8}}
    setup["forces"][1] |= {"at": {"A": 38}, "velocity": {"D": 8}}
    campaign: Campaign = campaign_small(setup=setup)
    play_turn(campaign, 1)
    engagement = Engagement.objects.get(campaign=campaign)
    for one in ruleset_of(campaign).bidding_rounds(unpack(engagement.document)):
        for side in sides_of(engagement):
            if side.key in one["sides"]:
                bid_file(engagement=engagement, side=side, round_number=one["round"], bid={}, user=None, now=NOW)
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.SET
    return engagement


@pytest.mark.rule("D2.13", "D2.2")
def test_captains_fight_a_set_engagement_and_its_result_is_signed() -> None:
    """The battle row holds all of it; the report is the GM's and goes back to the map."""
    engagement = set_engagement()
    battle = battle_fight_auto(engagement=engagement, seed="first light", now=NOW)
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.SIGNED
    assert battle.report == BattleReport.objects.get(engagement=engagement)
    assert battle.report is not None
    assert battle.report.side is None
    assert battle.report.document["tactical_turns"] == battle.turns > 0
    assert battle.ended_because
    log = unpack(battle.log)
    assert log[0].startswith("Turn 1: ")
    assert engagement.score["margin"] == battle.score["margin"]
    assert [each["points"] for each in engagement.score["sides"]] == [each["points"] for each in battle.score["sides"]]
    play_turn(engagement.campaign, 2)
    damage = state_at(engagement.branch, 2)["roster"]
    assert damage["classes"].keys() == {"adze"}


def test_a_kept_battle_is_played_again_from_its_row() -> None:
    """Start, seed and sheets give the kept end, byte for byte."""
    battle = battle_fight_auto(engagement=set_engagement(), seed="again", now=NOW)
    state = load_state(unpack(battle.start))
    for step in unpack(battle.steps):
        state, played = play_step(state, step["sheets"], battle.seed)
        assert played.as_document()["events"] == step["events"]
        assert played.as_document()["rolls"] == step["rolls"]
    assert dump_state(state) == unpack(battle.end)


def test_the_job_fights_the_battle_it_was_asked_for_with_the_seed_it_drew() -> None:
    """Asked in the background: one job, one battle, one report; doctrines as wanted."""
    engagement = set_engagement()
    job = battle_fight_ask(engagement=engagement, user=None, now=NOW, doctrines={"kestra": "aggressive"})
    assert job.kind == FIGHT
    job_execute(job.pk)
    job.refresh_from_db()
    assert (job.state, job.failure) == (Job.State.DONE, "")
    battle = Battle.objects.get(engagement=engagement)
    assert battle.seed == job.arguments["seed"]
    assert battle.doctrines == {"kestra": "aggressive", "morvane": "balanced"}
    job_execute(job.pk)
    assert Battle.objects.count() == 1


def test_an_engagement_that_is_not_set_or_was_issued_anew_is_refused_and_nothing_is_written() -> None:
    """The job fails with the reason; no battle and no report are left behind."""
    engagement = set_engagement()
    job = battle_fight_ask(engagement=engagement, user=None, now=NOW)
    Engagement.objects.filter(pk=engagement.pk).update(issue=2)
    job_execute(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "issued anew" in job.failure
    Engagement.objects.filter(pk=engagement.pk).update(issue=1, status=Engagement.Status.OPENED)
    engagement.refresh_from_db()
    with pytest.raises(StaleError):
        battle_fight_ask(engagement=engagement, user=None, now=NOW)
    with pytest.raises(StaleError):
        battle_fight_auto(engagement=engagement, seed="x", now=NOW)
    assert (Battle.objects.count(), BattleReport.objects.count()) == (0, 0)


def test_the_gm_lets_captains_fight_it_from_the_page_and_reads_the_log(client: Client) -> None:
    """Choosing the way by captains sends the battle; its log stands on the engagement's page."""
    engagement = set_engagement()
    client.force_login(User.objects.get(username="gm"))
    page = f"/c/{engagement.campaign.token}/gm/battles/{engagement.token}/"
    assert client.post(page + "way/", {"way": "auto"}).status_code == 302
    job_execute(Job.objects.get(kind=FIGHT).pk)
    shown = client.get(page).content.decode()
    assert "Fought by captains" in shown
    assert "Turn 1: " in shown
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.SIGNED


def test_captains_are_refused_where_no_tactical_ruleset_fights() -> None:
    """The choice is refused at once, and the engagement stays as it was."""
    engagement = set_engagement()
    Campaign.objects.filter(pk=engagement.campaign_id).update(tactical_key="elsewhere")
    engagement = Engagement.objects.select_related("campaign").get(pk=engagement.pk)
    with pytest.raises(StaleError):
        engagement_way_choose(engagement=engagement, way="auto", user=User.objects.get(username="gm"), now=NOW)
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.SET
    assert not Job.objects.filter(kind=FIGHT).exists()
