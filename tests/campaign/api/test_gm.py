"""The GM's doors: the turn's life, the truth, changes, rollback, verify, the record."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from campaign.models import Campaign, Job, Snapshot, Turn
from campaign.services.jobs import job_execute
from tests.campaign.api.callers import Caller, at, codes
from tests.campaign.services.setups import run_jobs, turn_of

pytestmark = pytest.mark.django_db
RENAME = {"act": "rename-ship", "ship": "shipk1", "name": "Curlew"}


def staged(campaign: Campaign, gm: Caller) -> None:
    """Lock the open turn and have it resolved."""
    locked = gm.post(at(campaign, "gm/turn/lock/"))
    assert (locked.status_code, locked.json()["status"]) == (200, "locked")
    run_jobs()


def test_the_gm_sees_whose_move_it_is(war: Campaign, gm: Caller) -> None:
    """The newest turn with its sheets and what is waited for."""
    state = gm.get(at(war, "gm/turn/")).json()
    assert (state["number"], state["status"], state["branch"]) == (2, "open", 1)
    assert state["waiting_for"] == ["kestra", "morvane"]
    assert [sheet["status"] for sheet in state["sheets"]] == ["draft", "draft"]


def test_a_turn_is_locked_reviewed_and_published(war: Campaign, gm: Caller, kestra: Caller) -> None:
    """The next turn is open afterwards; each step twice is refused."""
    staged(war, gm)
    assert codes(gm.post(at(war, "gm/turn/lock/"))) == ["turn-moved-on"]
    assert gm.get(at(war, "gm/turn/")).json()["status"] == "staged"
    view = gm.get(at(war, "gm/views/kestra/"))
    assert view.json()["turn"] == 2
    assert gm.get(at(war, "gm/views/kestra/"), If_None_Match=view["ETag"]).status_code == 304
    assert gm.get(at(war, "gm/views/nobody/")).status_code == 404
    published = gm.post(at(war, "gm/turn/publish/"))
    assert (published.json()["number"], published.json()["status"]) == (3, "open")
    assert codes(gm.post(at(war, "gm/turn/publish/"))) == ["turn-moved-on"]
    assert kestra.get(at(war, "report/")).content == view.content


def test_an_amendment_joins_the_envelope_and_the_turn_is_resolved_again(war: Campaign, gm: Caller) -> None:
    """The amended state differs, the dice are the same, and verify still says same."""
    staged(war, gm)
    rolls = gm.get(at(war, "gm/rolls/")).content
    amended = gm.post(at(war, "gm/turn/amend/"), {"document": RENAME, "reason": "a new name"})
    assert amended.status_code == 201
    assert (amended.json()["stage"], amended.json()["author"]) == ("amendment", "gm")
    run_jobs()
    assert gm.get(at(war, "gm/views/kestra/")).json()["ships"][0]["name"] == "Curlew"
    assert gm.get(at(war, "gm/rolls/")).content == rolls
    verdicts = gm.get(at(war, "gm/verify/")).json()
    assert [row["verdict"] for row in verdicts["verdicts"]] == ["same", "same"]
    listed = gm.get(at(war, "gm/changes/")).json()
    assert [change["document"] for change in listed["changes"]] == [RENAME]
    assert listed["form"]


def test_a_change_between_turns_is_the_next_turns_first_input(war: Campaign, gm: Caller, kestra: Caller) -> None:
    """Players see it when the turn is published."""
    made = gm.post(at(war, "gm/changes/"), {"document": RENAME, "reason": "a new name"})
    assert (made.status_code, made.json()["stage"]) == (201, "change")
    assert kestra.get(at(war, "ships/")).json()["ships"][0]["name"] == "Sand Martin"
    staged(war, gm)
    assert codes(gm.post(at(war, "gm/changes/"), {"document": RENAME, "reason": "late"})) == ["turn-closed"]
    gm.post(at(war, "gm/turn/publish/"))
    assert kestra.get(at(war, "ships/")).json()["ships"][0]["name"] == "Curlew"


BAD_CHANGES: list[Any] = [
    {},
    {"act": "make-peace"},
    {"act": ["rename-ship"]},
    {"act": "rename-ship"},
    {"act": "rename-ship", "ship": "nobody", "name": "X"},
    {"act": "rename-ship", "ship": "shipk1", "name": ""},
    {"act": "rename-ship", "ship": "shipk1", "name": "x" * 500},
    {"act": "rename-ship", "ship": {}, "name": []},
    {"act": "move-force", "force": "forcek1", "at": {"q": 10**9, "r": 0}},
    {"act": "move-force", "force": "forcek1", "at": {"q": 1.5, "r": 0}},
    {"act": "move-force", "force": "forcek1", "system": "nowhere"},
    {"act": "set-velocity", "force": "forcek1", "velocity": {"A": 500}},
    {"act": "set-velocity", "force": "forcek1", "velocity": "fast"},
    {"act": "set-damage", "ship": "shipk1", "damage": {"hull": 10**9}},
    {"act": "set-status", "ship": "shipk1", "status": "asleep"},
    {"act": "set-ruling", "key": "detection", "value": "maybe"},
    {"act": "release-engagement", "engagement": "none"},
    {"act": "add-note", "text": 5},
]


@pytest.mark.parametrize("document", BAD_CHANGES)
def test_a_change_that_cannot_be_made_is_refused_whole(war: Campaign, gm: Caller, document: object) -> None:
    """Between turns and of a staged turn alike; the turn stays what it was."""
    refused = gm.post(at(war, "gm/changes/"), {"document": document, "reason": "a try"})
    assert refused.status_code == 422, refused.content
    assert all(problem["place"].startswith("/document") for problem in refused.json()["problems"])
    staged(war, gm)
    before = Snapshot.objects.get(turn=2).answer_digest
    amended = gm.post(at(war, "gm/turn/amend/"), {"document": document, "reason": "a try"})
    assert amended.status_code == 422, amended.content
    turn = turn_of(war, 2)
    assert (turn.status, turn.changes.count()) == ("staged", 0)
    assert Snapshot.objects.get(turn=2).answer_digest == before


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("gm/changes/", {"document": RENAME}),
        ("gm/changes/", {"document": RENAME, "reason": ""}),
        ("gm/changes/", {"document": RENAME, "reason": "x" * 201}),
        ("gm/changes/", {"document": [], "reason": "why"}),
        ("gm/changes/", {"document": RENAME, "reason": "why", "author": "somebody"}),
        ("gm/turn/amend/", {"document": None, "reason": "why"}),
        ("gm/rollback/", {"after_turn": "1", "reason": "why"}),
        ("gm/rollback/", {"after_turn": -1, "reason": "why"}),
        ("gm/rollback/", {"after_turn": 1}),
        ("gm/turn/lock/", {"why": "impatience"}),
        ("gm/turn/publish/", []),
        ("gm/invitations/", {"role": "gm", "side": {}}),
    ],
)
def test_an_act_of_another_form_is_refused(war: Campaign, gm: Caller, path: str, body: object) -> None:
    """Form is 400, and nothing moves."""
    answer = gm.post(at(war, path), body)
    assert answer.status_code == 400, answer.content
    assert codes(answer)
    assert turn_of(war, 2).status == "open"


def test_the_truth_is_read_by_turn(war: Campaign, gm: Caller) -> None:
    """Overview, events and rolls of any turn, staged ones too; unknown turns are not there."""
    overview = gm.get(at(war, "gm/overview/")).json()
    assert overview["side"] is None
    assert {force["id"] for force in overview["forces"]} == {"forcek1", "forcem1"}
    assert gm.get(at(war, "gm/overview/?turn=0")).json()["turn"] == 0
    staged(war, gm)
    assert gm.get(at(war, "gm/overview/")).json()["turn"] == 2
    events = gm.get(at(war, "gm/events/?turn=2")).json()
    assert events["turn"] == 2
    assert [row["number"] for row in events["events"]] == list(range(1, len(events["events"]) + 1))
    assert gm.get(at(war, "gm/rolls/?turn=1")).json()["turn"] == 1
    for path in ("overview", "events", "rolls", "views/kestra"):
        assert gm.get(at(war, f"gm/{path}/?turn=7")).status_code == 404
        assert gm.get(at(war, f"gm/{path}/?branch=7")).status_code == 404
        assert gm.get(at(war, f"gm/{path}/?turn=x")).status_code == 400


def test_a_rollback_is_a_new_line(war: Campaign, gm: Caller) -> None:
    """Only to a published turn, and with a reason."""
    refused = gm.post(at(war, "gm/rollback/"), {"after_turn": 2, "reason": "why not"})
    assert (refused.status_code, codes(refused)) == (422, ["not-published"])
    assert codes(gm.post(at(war, "gm/rollback/"), {"after_turn": 1, "reason": "  "})) == ["no-reason"]
    made = gm.post(at(war, "gm/rollback/"), {"after_turn": 0, "reason": "from the start"})
    assert (made.status_code, made.json()) == (201, {"branch": 2, "forked_after": 0, "turn": 1})
    assert gm.get(at(war, "gm/turn/")).json()["branch"] == 2
    assert [line["number"] for line in gm.get(at(war)).json()["lines"]] == [1, 2]
    assert gm.get(at(war, "gm/overview/?turn=1&branch=1")).status_code == 200


def test_a_deadline_is_moved_in_any_time_zone(war: Campaign, gm: Caller) -> None:
    """With its offset, or taken away; a naive or senseless one is refused."""
    soon = timezone.now() + timedelta(days=3)
    answer = gm.put(at(war, "gm/turn/deadline/"), {"deadline": "2030-05-03T20:00:00+02:00"})
    assert answer.json()["deadline"] == "2030-05-03T18:00:00Z"
    assert gm.get(at(war)).json()["turn"]["deadline"] == "2030-05-03T18:00:00Z"
    assert gm.put(at(war, "gm/turn/deadline/"), {"deadline": None}).json()["deadline"] is None
    for wrong in (
        "2030-05-03T20:00:00",
        "tomorrow",
        5,
        "",
        "9999-12-31T23:59:59-23:00",
        "0001-01-01T00:00:00+14:00",
        {},
    ):
        refused = gm.put(at(war, "gm/turn/deadline/"), {"deadline": wrong})
        assert refused.status_code == 400, wrong
    assert gm.put(at(war, "gm/turn/deadline/"), {}).status_code == 400
    staged(war, gm)
    assert codes(gm.put(at(war, "gm/turn/deadline/"), {"deadline": soon.isoformat()})) == ["turn-closed"]


def test_a_failed_turn_is_retried_or_reopened(war: Campaign, gm: Caller, kestra: Caller, monkeypatch: Any) -> None:
    """The GM reads why; the players read that it failed, and no more."""
    import campaign.services.resolution as resolution

    real = resolution.resolve

    def poison(*_: object) -> object:
        raise ZeroDivisionError("a poisoned force")

    monkeypatch.setattr(resolution, "resolve", poison)
    staged(war, gm)
    state = gm.get(at(war, "gm/turn/")).json()
    assert (state["status"], state["attempts"]) == ("failed", 3)
    assert "a poisoned force" in state["failure"]
    assert "a poisoned force" in state["held_because"]
    shown = kestra.get(at(war)).content.decode()
    assert "failed" in shown
    assert "poisoned" not in shown + kestra.get(at(war, "job/")).content.decode()
    assert gm.post(at(war, "gm/turn/reopen/")).json()["status"] == "open"
    assert codes(gm.post(at(war, "gm/turn/retry/"))) == ["turn-moved-on"]
    staged(war, gm)
    monkeypatch.setattr(resolution, "resolve", real)
    assert gm.post(at(war, "gm/turn/retry/")).json()["status"] == "locked"
    run_jobs()
    assert Turn.objects.get(number=2).status == "staged"


def test_verify_names_the_turn_that_differs(war: Campaign, gm: Caller) -> None:
    """A planted change is found; a part of the turns can be asked."""
    Snapshot.objects.filter(turn=1).update(answer_digest="0" * 64)
    assert gm.get(at(war, "gm/verify/")).json()["verdicts"][0]["verdict"] == "differs"
    assert gm.get(at(war, "gm/verify/?first=2")).json()["verdicts"] == []
    assert gm.get(at(war, "gm/verify/?first=1&last=0")).json()["verdicts"] == []
    war.forces.update(q=77)
    assert len(gm.get(at(war, "gm/verify/?first=2")).json()["rows"]) == 2


def test_the_record_says_who_did_what(war: Campaign, gm: Caller) -> None:
    """Numbered for the campaign, oldest first, in pages."""
    gm.post(at(war, "gm/changes/"), {"document": RENAME, "reason": "a new name"})
    rows = gm.get(at(war, "gm/audit/")).json()["audit"]
    assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
    assert rows[0]["act"] == "campaign-create"
    assert (rows[-1]["who"], rows[-1]["act"], rows[-1]["reason"]) == ("gm", "turn-change", "a new name")
    assert gm.get(at(war, "gm/audit/?after=1&limit=2")).json()["audit"] == rows[1:3]


def test_the_gm_sees_how_far_the_work_is(war: Campaign, gm: Caller) -> None:
    """Done of total, and the runs; the newest first."""
    gm.post(at(war, "gm/turn/lock/"))
    jobs = gm.get(at(war, "gm/jobs/")).json()["jobs"]
    assert [(job["state"], job["subject"]) for job in jobs] == [("queued", "turn 2"), ("done", "turn 1")]
    job_execute(Job.objects.get(state="queued").pk)
    assert gm.get(at(war, "gm/jobs/")).json()["jobs"][0]["runs"] == 1


def test_a_player_finds_no_door_of_the_gm(war: Campaign, kestra: Caller) -> None:
    """404, as for an address that does not exist."""
    for path in ("gm/turn/", "gm/overview/", "gm/views/kestra/", "gm/audit/", "gm/seats/"):
        refused = kestra.get(at(war, path))
        assert (refused.status_code, codes(refused)) == (404, ["not-found"])
    assert kestra.post(at(war, "gm/turn/lock/")).status_code == 404
    assert turn_of(war, 2).status == "open"
