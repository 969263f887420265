"""The life of a turn: sheets, gate, ledger, publication, rollback, verify."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from campaign.engine.errors import ProblemsError
from campaign.models import Campaign, Event, Feed, Job, OrderSheet, SideReport, Snapshot, Turn
from campaign.selectors.archive import unpack
from campaign.selectors.reports import feed_for, published_turns, report_for
from campaign.services.deadlines import beat_tick
from campaign.services.history import campaign_rollback, campaign_verify, rows_verify
from campaign.services.jobs import Claim, LostLeaseError, job_claim
from campaign.services.orders import order_sheet_save, order_sheet_seal, order_sheet_unseal, sheet_for
from campaign.services.refusals import ShapeError, StaleError
from campaign.services.resolution import turn_publish, turn_resolve
from campaign.services.turns import turn_lock
from operational.models import Force
from tests.campaign.services.setups import NOW, campaign_small, play_turn, run_jobs, seal, turn_of

pytestmark = pytest.mark.django_db


def thrust(force: str, **change: int) -> dict[str, object]:
    """Return a sheet with one force's thrust."""
    return {"forces": {force: {"thrust": change}}}


def test_a_turn_goes_from_open_sheets_to_published_reports() -> None:
    """Two sealed sheets lock the turn; the job stages it; publishing opens the next."""
    campaign = campaign_small()
    turn = play_turn(campaign, 1, kestra=thrust("forcek1", A=1))
    assert turn.status == Turn.Status.PUBLISHED
    assert turn_of(campaign, 2).status == Turn.Status.OPEN
    kestra = campaign.sides.get(key="kestra")
    report = report_for(side=kestra, branch=campaign.active_branch)
    assert report is not None
    assert report["turn"] == 1
    assert report["forces"][0]["velocity"] == {"A": 4}
    assert Force.objects.get(token="forcek1").velocity == "4A"
    assert OrderSheet.objects.filter(turn=turn, status=OrderSheet.Status.RESOLVED).count() == 2


def test_each_side_reads_its_own_feed_numbered_from_one() -> None:
    """A side's feed holds only events with the side in their audience."""
    campaign = campaign_small()
    play_turn(campaign, 1, kestra=thrust("forcek1", A=1), morvane=thrust("forcem1", D=2))
    for side in campaign.sides.all():
        feed = feed_for(side=side)
        assert [row.number for row in feed] == list(range(1, len(feed) + 1))
        texts = [row.text for row in feed]
        other = "Visitors" if side.key == "kestra" else "Home Guard"
        assert texts
        assert not any(other in text for text in texts)


def test_an_unpublished_turn_shows_a_player_nothing() -> None:
    """Staged reports are the GM's."""
    campaign = campaign_small()
    for side in campaign.sides.all():
        seal(side, 1)
    run_jobs()
    assert turn_of(campaign, 1).status == Turn.Status.STAGED
    kestra = campaign.sides.get(key="kestra")
    assert published_turns(side=kestra, branch=campaign.active_branch) == [0]
    assert not Feed.objects.filter(side=kestra).exists()


def test_publishing_twice_is_refused_and_changes_nothing() -> None:
    """Two clicks publish once."""
    campaign = campaign_small()
    turn = play_turn(campaign, 1)
    with pytest.raises(StaleError):
        turn_publish(turn=turn, user=None, now=NOW)
    assert Turn.objects.filter(branch=campaign.active_branch, number=2).count() == 1


def test_a_redelivered_job_resolves_nothing_again() -> None:
    """Fault test 1 in small: the same turn delivered five times is applied once."""
    campaign = campaign_small()
    for side in campaign.sides.all():
        seal(side, 1)
    job = Job.objects.get()
    for _ in range(5):
        Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED)
        run_jobs()
    assert Snapshot.objects.filter(turn=1).count() == 1
    turn = turn_of(campaign, 1)
    assert (turn.status, turn.attempts) == (Turn.Status.STAGED, 1)


def test_a_worker_that_lost_its_lease_writes_nothing() -> None:
    """The fencing token is the first statement of the writing transaction."""
    campaign = campaign_small()
    for side in campaign.sides.all():
        seal(side, 1)
    slow = job_claim(Job.objects.get().pk)
    assert slow is not None
    Job.objects.update(lease=NOW - timedelta(hours=1))
    quick = job_claim(slow.job_id)
    assert quick is not None
    turn_resolve(quick)
    before = Snapshot.objects.get(turn=1).answer_digest
    with pytest.raises(LostLeaseError):
        turn_resolve(Claim(slow.job_id, slow.runs, slow.kind, slow.arguments))
    assert Snapshot.objects.get(turn=1).answer_digest == before


def test_a_sheet_written_from_an_old_version_is_refused_with_both_versions() -> None:
    """Two tabs, one sheet: the second write is a 409."""
    campaign = campaign_small()
    side = campaign.sides.get(key="kestra")
    order_sheet_save(side=side, turn_number=1, version=1, document={}, user=None, now=NOW)
    with pytest.raises(StaleError) as caught:
        order_sheet_save(side=side, turn_number=1, version=1, document={}, user=None, now=NOW)
    assert caught.value.problems[0].code == "sheet-overtaken"
    assert "version 2" in caught.value.problems[0].message


def test_a_sealed_sheet_cannot_be_changed_until_it_is_unsealed() -> None:
    """Seal, refuse, unseal, write."""
    campaign = campaign_small()
    side = campaign.sides.get(key="kestra")
    seal(side, 1)
    sheet = sheet_for(side=side)
    with pytest.raises(StaleError):
        order_sheet_save(side=side, turn_number=1, version=sheet.version, document={}, user=None, now=NOW)
    sheet = order_sheet_unseal(side=side, turn_number=1, version=sheet.version, user=None, now=NOW)
    assert sheet.status == OrderSheet.Status.DRAFT
    assert sheet.nonce == ""
    order_sheet_save(side=side, turn_number=1, version=sheet.version, document={}, user=None, now=NOW)


def test_a_locked_turn_takes_no_orders() -> None:
    """Orders after the lock are refused as too late."""
    campaign = campaign_small()
    turn_lock(turn=turn_of(campaign, 1), now=NOW, user=None, why="test")
    side = campaign.sides.get(key="kestra")
    with pytest.raises(StaleError) as caught:
        order_sheet_save(side=side, turn_number=1, version=1, document={}, user=None, now=NOW)
    assert caught.value.problems[0].code == "turn-closed"


def test_a_sheet_with_a_refused_order_is_not_sealed() -> None:
    """Sealing gives every stop at once."""
    campaign = campaign_small()
    side = campaign.sides.get(key="kestra")
    bad = {"forces": {"forcek1": {"thrust": {"A": 99, "X": 1}}, "nobody": {"thrust": {"A": 1}}}}
    sheet = order_sheet_save(side=side, turn_number=1, version=1, document=bad, user=None, now=NOW)
    assert len(sheet.problems) >= 2
    with pytest.raises(ProblemsError):
        order_sheet_seal(side=side, turn_number=1, version=sheet.version, nonce="long-enough", user=None, now=NOW)
    assert sheet_for(side=side).status == OrderSheet.Status.DRAFT


def test_a_nonce_must_be_a_text_of_some_length() -> None:
    """The client's nonce is mixed into the dice, so it is checked."""
    campaign = campaign_small()
    side = campaign.sides.get(key="kestra")
    with pytest.raises(ShapeError):
        order_sheet_seal(side=side, turn_number=1, version=1, nonce="x", user=None, now=NOW)


def test_a_deadline_locks_once_and_stands_in_for_the_missing_sheet() -> None:
    """The beat locks a due turn; the late side's policy is written on its frozen sheet."""
    campaign = campaign_small(turn_hours=24)
    seal(campaign.sides.get(key="kestra"), 1, thrust("forcek1", A=1))
    assert beat_tick(now=NOW + timedelta(hours=23)) == 0
    assert beat_tick(now=NOW + timedelta(hours=60)) == 1
    assert beat_tick(now=NOW + timedelta(hours=60)) == 0
    turn = turn_of(campaign, 1)
    assert turn.status == Turn.Status.STAGED, "the tick after the lock sends the job again, and it is done here"
    stood_in = {sheet.side.key: sheet.stood_in for sheet in turn.sheets.all()}
    assert stood_in == {"kestra": "", "morvane": "standing"}


def test_a_poison_turn_is_tried_three_times_then_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fault test 7 in small: the campaign is held with the reason, another goes on, and a retry works."""
    campaign, other = campaign_small(), campaign_small(name="Other war")
    for one in (campaign, other):
        turn_lock(turn=turn_of(one, 1), now=NOW, user=None, why="test")
    import campaign.services.resolution as resolution

    real = resolution.resolve

    def poison(ruleset: object, envelope: dict[str, object], progress: object = None) -> object:
        if envelope["campaign"] == campaign.token:
            raise ZeroDivisionError("a poisoned force")
        return real(ruleset, envelope, progress)  # type: ignore[arg-type]

    monkeypatch.setattr(resolution, "resolve", poison)
    run_jobs()
    turn = turn_of(campaign, 1)
    assert (turn.status, turn.attempts) == (Turn.Status.FAILED, 3)
    assert "a poisoned force" in turn.failure
    campaign.refresh_from_db()
    assert campaign.status == Campaign.Status.HELD
    assert turn_of(other, 1).status == Turn.Status.STAGED
    monkeypatch.setattr(resolution, "resolve", real)
    from campaign.services.turns import turn_retry

    turn_retry(turn=turn, user=User.objects.get(username="gm"), now=NOW)
    run_jobs()
    assert turn_of(campaign, 1).status == Turn.Status.STAGED
    campaign.refresh_from_db()
    assert campaign.status == Campaign.Status.RUNNING


def test_verify_says_same_and_notices_a_changed_answer() -> None:
    """A stored turn is played again byte for byte; a planted change differs."""
    campaign = campaign_small()
    for number in (1, 2, 3):
        play_turn(campaign, number, kestra=thrust("forcek1", B=1))
    assert [one.verdict for one in campaign_verify(campaign=campaign)] == ["same"] * 3
    assert rows_verify(campaign=campaign) == []
    Snapshot.objects.filter(turn=2).update(answer_digest="0" * 64)
    assert [one.verdict for one in campaign_verify(campaign=campaign)] == ["same", "differs", "same"]
    Force.objects.filter(token="forcek1").update(q=77)
    assert rows_verify(campaign=campaign) == ["forces forcek1: q"]


def test_a_rollback_starts_a_line_with_new_seeds_and_offers_the_orders_again() -> None:
    """The old line stays readable, the rows follow the new head."""
    campaign = campaign_small()
    for number in (1, 2):
        play_turn(campaign, number, kestra=thrust("forcek1", A=1))
    old_line = campaign.active_branch
    old_seeds = turn_of(campaign, 2).seeds
    branch = campaign_rollback(
        campaign=campaign, after_turn=1, reason="a typing error", user=User.objects.get(username="gm"), now=NOW
    )
    turn = turn_of(campaign, 2)
    assert turn.branch == branch
    assert turn.seeds != old_seeds
    kestra = campaign.sides.get(key="kestra")
    assert sheet_for(side=kestra).document == thrust("forcek1", A=1)
    assert Force.objects.get(token="forcek1").velocity == "4A"
    assert rows_verify(campaign=campaign) == []
    assert published_turns(side=kestra, branch=branch) == [0, 1]
    assert published_turns(side=kestra, branch=old_line) == [0, 1, 2]
    play_turn(campaign, 2)
    assert {one.verdict for one in campaign_verify(campaign=campaign)} == {"same"}


def test_what_is_stored_of_a_turn_is_canonical_bytes() -> None:
    """State and reports come back as they were packed, and their digests match."""
    from campaign.selectors.archive import pack

    campaign = campaign_small()
    play_turn(campaign, 1)
    snapshot = Snapshot.objects.get(turn=1)
    assert pack(unpack(snapshot.state))[1] == snapshot.state_digest
    for report in SideReport.objects.filter(turn=1):
        assert pack(unpack(report.body))[1] == report.digest
    assert Event.objects.filter(turn=1).count() == len({row.number for row in Event.objects.filter(turn=1)})
