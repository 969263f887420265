"""The GM's desk and acts: lock, staged review, amend, publish, retry, deadlines, changes, rollback, verify, finish."""

from __future__ import annotations

import re
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from campaign.models import Branch, Campaign, Job, RosterChange, Turn
from campaign.services.jobs import job_enqueue
from campaign.services.turns import RESOLVE
from tests.campaign.services.setups import NOW, campaign_small, play_turn, run_jobs, seal, turn_of
from tests.campaign.views.worlds import campaign_open, form_values, person, text_of, url

pytestmark = pytest.mark.django_db


def staged(campaign: Campaign, number: int = 1) -> Turn:
    """Seal both sheets and resolve the turn, unpublished."""
    for side in campaign.sides.all():
        seal(side, number)
    run_jobs()
    return turn_of(campaign, number)


def test_the_desk_says_whom_the_turn_waits_for() -> None:
    """By name, with the deadline and what stands in; no sheet's content."""
    campaign = campaign_small()
    seal(campaign.sides.get(key="morvane"), 1, {"forces": {"forcem1": {"thrust": {"A": 1}}}})
    said = text_of(person("gm").get(url(campaign, "gm/")))
    assert "Turn 1 waits for Kestran Commonwealth" in said
    assert "and Morvane" not in said
    assert "last standing orders, else coast" in said
    assert "1A" not in said


def test_the_gm_locks_reviews_and_publishes() -> None:
    """Locked by hand, played by the worker, staged with every side's view beside the truth, then published."""
    campaign = campaign_open()
    gm = person("gm")
    assert gm.post(url(campaign, "gm/turn/1/lock/")).headers["Location"] == url(campaign, "gm/")
    assert "is being played" in text_of(gm.get(url(campaign, "gm/")))
    run_jobs()
    page = gm.get(url(campaign, "gm/"))
    said = text_of(page)
    assert "Your move: publish turn 1" in said
    for words in ("Truth", "Kestran Commonwealth sees", "Morvane sees", "2 forces, 0 of them dummies"):
        assert words in said
    assert "stood in: standing" in said
    assert page.content.decode().count('class="chart"') == 3
    gm.post(url(campaign, "gm/turn/1/publish/"))
    assert turn_of(campaign, 1).status == Turn.Status.PUBLISHED
    assert turn_of(campaign, 2).status == Turn.Status.OPEN


@pytest.mark.parametrize("act", ["lock", "publish", "retry", "reopen", "deadline"])
def test_an_act_for_a_turn_that_moved_on_is_refused(act: str) -> None:
    """The page of yesterday cannot move today's turn; 404 for a turn that never was."""
    campaign = campaign_small()
    play_turn(campaign, 1)
    gm = person("gm")
    answer = gm.post(url(campaign, f"gm/turn/1/{act}/"), {"deadline": ""})
    assert answer.status_code == 409
    assert "Nothing was changed" in text_of(answer)
    assert gm.post(url(campaign, f"gm/turn/9/{act}/")).status_code == 404
    assert gm.get(url(campaign, f"gm/turn/2/{act}/")).status_code == 405


def test_progress_is_shown_until_there_is_none() -> None:
    """The bar is asked for again and again; when the turn is no longer played the page is loaded anew."""
    campaign = campaign_small()
    gm = person("gm")
    gm.post(url(campaign, "gm/turn/1/lock/"))
    Job.objects.update(done=3, total=12, what="Movement")
    answer = gm.get(url(campaign, "gm/progress/1/"))
    assert "Movement" in text_of(answer)
    assert 'max="12" value="3"' in answer.content.decode()
    run_jobs()
    assert gm.get(url(campaign, "gm/progress/1/")).headers["HX-Refresh"] == "true"


def test_an_amendment_is_made_by_a_form_with_a_reason() -> None:
    """Chosen, filled in, filed: the turn is played again with it, and the truth shows it."""
    campaign = campaign_small()
    staged(campaign)
    gm = person("gm")
    page = gm.get(url(campaign, "gm/change/"), {"/document/act": "rename-force"})
    assert "Amend turn 1" in text_of(page)
    assert "Home Guard (kestra)" in text_of(page)
    fields = {"/document/act": "rename-force", "/document/force": "forcek1", "/document/name": "Old Guard"}
    answer = gm.post(url(campaign, "gm/change/"), {**fields, "reason": " "})
    assert answer.status_code == 422
    assert "needs a reason" in text_of(answer)
    assert 'value="Old Guard"' in answer.content.decode()
    assert gm.post(url(campaign, "gm/change/"), {**fields, "reason": "a slip"}).status_code == 302
    run_jobs()
    assert turn_of(campaign, 1).status == Turn.Status.STAGED
    assert RosterChange.objects.get().stage == RosterChange.Stage.AMENDMENT
    assert "Old Guard" in text_of(gm.get(url(campaign, "gm/map/")))


def test_a_change_of_an_open_turn_waits_for_it() -> None:
    """Between turns the same form files a change; one that cannot be made is refused at its field."""
    campaign = campaign_small()
    gm = person("gm")
    page = url(campaign, "gm/change/")
    bad = {"/document/act": "set-velocity", "/document/force": "forcek1", "/document/velocity": "3Z", "reason": "x"}
    answer = gm.post(page, bad)
    assert answer.status_code == 422
    assert "Write numbers and directions" in text_of(answer)
    answer = gm.post(page, {**bad, "/document/velocity": ""})
    assert answer.status_code == 422
    good = {**bad, "/document/velocity": "5A", "reason": "agreed at the table"}
    assert gm.post(page, good).status_code == 302
    assert "agreed at the table" in text_of(gm.get(url(campaign, "gm/")))
    play_turn(campaign, 1)
    assert "5A" in text_of(gm.get(url(campaign, "gm/map/"), {"force": "forcek1"})).replace(" A", "A")


def test_a_failed_turn_is_told_and_can_be_tried_again_or_opened() -> None:
    """The reason stands on the desk; both ways out work."""
    campaign = campaign_small()
    gm = person("gm")
    for side in campaign.sides.all():
        seal(side, 1)
    Turn.objects.update(status=Turn.Status.FAILED, failure="The disk is full.", attempts=3)
    said = text_of(gm.get(url(campaign, "gm/")))
    assert "could not be played" in said
    assert "The disk is full." in said
    assert gm.post(url(campaign, "gm/turn/1/retry/")).status_code == 302
    run_jobs()
    assert turn_of(campaign, 1).status == Turn.Status.STAGED
    Turn.objects.update(status=Turn.Status.FAILED)
    gm.post(url(campaign, "gm/turn/1/reopen/"))
    assert turn_of(campaign, 1).status == Turn.Status.OPEN


def test_a_deadline_is_set_in_the_campaigns_zone_and_taken_away() -> None:
    """What the GM types is local; what is stored is UTC; what is shown names the zone."""
    campaign = campaign_small(time_zone="Europe/Berlin")
    gm = person("gm")
    moment = (timezone.now().astimezone(ZoneInfo("Europe/Berlin")) + timedelta(days=40)).replace(hour=21, minute=0)
    action = url(campaign, "gm/turn/1/deadline/")
    gm.post(action, {"deadline": f"{moment:%Y-%m-%dT%H:%M}"})
    stored = turn_of(campaign, 1).deadline
    assert stored is not None
    assert stored == moment.replace(second=0, microsecond=0).astimezone(UTC)
    page = gm.get(url(campaign, "gm/"))
    assert re.search(r"21:00 CES?T", text_of(page))
    assert form_values(page, action)["deadline"] == f"{moment:%Y-%m-%dT21:00}"
    gm.post(action, {"deadline": ""})
    assert turn_of(campaign, 1).deadline is None


@pytest.mark.parametrize("text", ["tomorrow", "2026-02-30T10:00", "1999-01-01T10:00"])
def test_a_deadline_that_is_none_is_refused(text: str) -> None:
    """No date, a day that does not exist, and the past."""
    campaign = campaign_small()
    answer = person("gm").post(url(campaign, "gm/turn/1/deadline/"), {"deadline": text})
    assert answer.status_code == 422
    assert turn_of(campaign, 1).deadline is None


def test_a_rollback_makes_a_line_and_needs_a_reason() -> None:
    """The desk says which line is played; the old one stays readable."""
    campaign = campaign_small()
    play_turn(campaign, 1)
    gm = person("gm")
    action = url(campaign, "gm/history/rollback/")
    assert gm.post(action, {"after_turn": "0", "reason": ""}).status_code == 422
    assert gm.post(action, {"after_turn": "5", "reason": "x"}).status_code == 422
    assert gm.post(action, {"after_turn": "soon", "reason": "x"}).status_code == 400
    assert gm.post(action, {"after_turn": "0", "reason": "a false start"}).status_code == 302
    assert Branch.objects.count() == 2
    assert "line 2" in text_of(gm.get(url(campaign, "gm/")))
    assert "a false start" in text_of(gm.get(url(campaign, "gm/history/")))
    assert gm.get(url(campaign, "gm/history/b/1/t/1/")).status_code == 200
    kestra = person("kestra")
    assert "This line was left" in text_of(kestra.get(url(campaign, "history/"), {"line": "1"}))
    assert kestra.get(url(campaign, "b/1/t/1/map/")).status_code == 200
    assert kestra.get(url(campaign, "b/2/t/1/map/")).status_code == 404


def test_verify_plays_everything_again_and_says_same() -> None:
    """By a press, since it is work; a large campaign is sent to the command."""
    campaign = campaign_small()
    play_turn(campaign, 1)
    gm = person("gm")
    assert "Verdicts" not in text_of(gm.get(url(campaign, "gm/verify/")))
    said = text_of(gm.post(url(campaign, "gm/verify/")))
    assert "Line 1, turn 1: same" in said
    assert "Rows of the map and roster: same" in said


def test_the_end_opens_every_seed_and_is_asked_for_twice() -> None:
    """Only with the box ticked; then a player reads all seeds of a turn."""
    campaign = campaign_small()
    play_turn(campaign, 1)
    gm, kestra = person("gm"), person("kestra")
    turn = turn_of(campaign, 1)
    assert "Say that you are sure" in text_of(gm.post(url(campaign, "gm/finish/")))
    page = kestra.get(url(campaign, "b/1/t/1/")).content.decode()
    assert turn.seeds["kestra"] in page
    assert turn.seeds["morvane"] not in page
    assert turn.seeds["umpire"] not in page
    gm.post(url(campaign, "gm/finish/"), {"sure": "on"})
    page = kestra.get(url(campaign, "b/1/t/1/")).content.decode()
    assert all(seed in page for seed in turn.seeds.values())


def test_the_record_and_the_turns_page_show_everything() -> None:
    """Who did what; each event with its readers; each die."""
    campaign = campaign_open()
    play_turn(campaign, 1)
    gm = person("gm")
    assert "turn publish" in text_of(gm.get(url(campaign, "gm/audit/")))
    said = text_of(gm.get(url(campaign, "gm/history/b/1/t/1/")))
    assert "Events" in said
    assert turn_of(campaign, 1).envelope_digest in said


def test_the_gms_map_shows_the_truth_or_exactly_a_sides_view() -> None:
    """The truth has both forces; a side's view has its own; a side or turn that is not there is 404."""
    campaign = campaign_small()
    play_turn(campaign, 1)
    gm = person("gm")
    truth = text_of(gm.get(url(campaign, "gm/map/")))
    assert "Home Guard" in truth
    assert "Visitors" in truth
    seen = text_of(gm.get(url(campaign, "gm/map/"), {"as": "kestra"}))
    assert "Kestran Commonwealth sees" in seen
    assert "Visitors" not in seen
    for query in ({"as": "osmark"}, {"turn": "7"}, {"system": "nowhere"}):
        assert gm.get(url(campaign, "gm/map/"), query).status_code == 404


def test_a_job_of_another_turn_is_not_this_turns_progress() -> None:
    """The bar shows the newest job of the turn."""
    campaign = campaign_small()
    gm = person("gm")
    gm.post(url(campaign, "gm/turn/1/lock/"))
    job_enqueue(kind=RESOLVE, subject="turn 7", campaign=campaign, arguments={"turn": 0}, now=NOW)
    Job.objects.filter(subject="turn 7").update(what="Elsewhere", total=4)
    assert "Elsewhere" not in text_of(gm.get(url(campaign, "gm/progress/1/")))
