"""The gate: the life of a turn, by compare-and-set.

open -> locked -> resolving -> staged -> published, or failed with the reason and a retry that gives
the same result. Whoever changes a status names the status it must have; two clicks change it once.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F

from campaign.engine.dice import TurnDice, commitment
from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.models import Branch, Campaign, Engagement, OrderSheet, RosterChange, Side, Snapshot, Turn
from campaign.selectors.archive import pack, unpack
from campaign.selectors.reports import report_for
from campaign.selectors.rulesets import ruleset_of
from campaign.selectors.umpire import snapshot_at, state_at
from campaign.services.audit import audit_add
from campaign.services.bulk_write import insert_objects
from campaign.services.jobs import job_enqueue
from campaign.services.refusals import stale
from campaign.services.tokens import new_seed

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import User

RESOLVE = "turn-resolve"


def turn_open(*, branch: Branch, number: int, now: datetime, drafts: dict[int, dict[str, Any]] | None = None) -> Turn:
    """Open a turn for orders: secret seeds, their commitments, a deadline, a draft sheet a side.

    ``drafts`` offers earlier orders again (side row to document) after a rollback.
    """
    campaign = branch.campaign
    sides = list(campaign.sides.all())
    seeds = {owner: new_seed() for owner in [*(side.key for side in sides), TurnDice.UMPIRE]}
    turn = Turn.objects.create(
        campaign=campaign,
        branch=branch,
        number=number,
        seeds=seeds,
        commitments={owner: commitment(seed) for owner, seed in seeds.items()},
        deadline=now + timedelta(hours=campaign.turn_hours) if campaign.turn_hours else None,
        opened_at=now,
    )
    insert_objects(
        [OrderSheet(turn=turn, side=side, document=(drafts or {}).get(side.pk, {}), updated_at=now) for side in sides]
    )
    return turn


def turn_lock(*, turn: Turn, now: datetime, user: User | None, why: str) -> Turn:
    """Close a turn for orders, freeze its sheets into the envelope and ask for its resolution.

    Sheets that were not sealed are stood in for by the campaign's late policy; computer sides are
    played by their captain from their own report. StaleError if the turn is not open.
    """
    with transaction.atomic():
        _move(turn, [Turn.Status.OPEN], Turn.Status.LOCKED, locked_at=now)
        for sheet in turn.sheets.select_related("side", "turn__campaign", "turn__branch"):
            _freeze(sheet, now)
        _envelope_write(turn)
        audit_add(campaign=turn.campaign, now=now, user=user, role="gm" if user else "system", act="turn-lock",
                  subject=f"turn {turn.number}", reason=why, after=turn.envelope_digest)  # fmt: skip
        _ask(turn, now)
    return turn


def turn_amend(*, turn: Turn, document: dict[str, Any], reason: str, user: User, now: datetime) -> RosterChange:
    """Amend a staged turn: the amendment joins the envelope and the turn is resolved again, same dice."""
    with transaction.atomic():
        _move(turn, [Turn.Status.STAGED], Turn.Status.LOCKED, staged_at=None, attempts=0)
        _check_change(turn, document, reason, staged=True)
        change = _change_add(turn, RosterChange.Stage.AMENDMENT, document, reason, user, now)
        _envelope_write(turn)
        _ask(turn, now)
    return change


def turn_change(*, turn: Turn, document: dict[str, Any], reason: str, user: User, now: datetime) -> RosterChange:
    """Change the campaign between turns: the change is the first input of the open turn."""
    with transaction.atomic():
        locked = Turn.objects.select_for_update().get(pk=turn.pk)
        if locked.status != Turn.Status.OPEN:
            raise stale("turn-closed", f"Turn {turn.number} is {locked.status}.")
        _check_change(turn, document, reason, staged=False)
        return _change_add(turn, RosterChange.Stage.CHANGE, document, reason, user, now)


def turn_retry(*, turn: Turn, user: User | None, now: datetime) -> Turn:
    """Resolve a failed turn again, from the same envelope and dice, and let the campaign go on."""
    with transaction.atomic():
        _move(turn, [Turn.Status.FAILED], Turn.Status.LOCKED, failure="", attempts=0)
        Campaign.objects.filter(pk=turn.campaign_id, status=Campaign.Status.HELD).update(
            status=Campaign.Status.RUNNING, held_because=""
        )
        audit_add(campaign=turn.campaign, now=now, user=user, role="gm", act="turn-retry",
                  subject=f"turn {turn.number}")  # fmt: skip
        _ask(turn, now)
    return turn


def turn_reopen(*, turn: Turn, user: User, now: datetime) -> Turn:
    """Take a failed turn back to open, so that what broke it can be mended; seals are kept as drafts."""
    with transaction.atomic():
        _move(turn, [Turn.Status.FAILED], Turn.Status.OPEN, failure="", attempts=0, envelope=None,
              envelope_digest="", locked_at=None)  # fmt: skip
        turn.sheets.update(status=OrderSheet.Status.DRAFT, nonce="", stood_in="", version=F("version") + 1)
        Engagement.objects.filter(branch=turn.branch, enters_turn=turn.number).update(enters_turn=None)
        Campaign.objects.filter(pk=turn.campaign_id, status=Campaign.Status.HELD).update(
            status=Campaign.Status.RUNNING, held_because=""
        )
        audit_add(campaign=turn.campaign, now=now, user=user, role="gm", act="turn-reopen",
                  subject=f"turn {turn.number}")  # fmt: skip
    return turn


def deadline_set(*, turn: Turn, deadline: datetime | None, user: User, now: datetime) -> Turn:
    """Move an open turn's deadline (UTC), or take it away."""
    with transaction.atomic():
        if not Turn.objects.filter(pk=turn.pk, status=Turn.Status.OPEN).update(deadline=deadline):
            raise stale("turn-closed", f"Turn {turn.number} takes no more orders.")
        audit_add(campaign=turn.campaign, now=now, user=user, role="gm", act="deadline-set",
                  subject=f"turn {turn.number}", reason=str(deadline))  # fmt: skip
    turn.refresh_from_db()
    return turn


def envelope_of(turn: Turn) -> dict[str, Any]:
    """Return a locked turn's whole input, the state before put back in by its digest."""
    envelope: dict[str, Any] = unpack(turn.envelope)  # type: ignore[arg-type]  # locked turns have one
    before = Snapshot.objects.filter(campaign=turn.campaign, state_digest=envelope["state_digest"]).first()
    if before is None:
        raise LookupError(f"the state before turn {turn.number} is gone")
    return {**envelope, "state": unpack(before.state)}


def _move(turn: Turn, expected: list[str], status: str, **values: Any) -> None:
    """Change a turn's status if it still is one of those expected, else StaleError."""
    if not Turn.objects.filter(pk=turn.pk, status__in=expected).update(status=status, **values):
        turn.refresh_from_db()
        raise stale("turn-moved-on", f"Turn {turn.number} is {turn.status}, not {' or '.join(expected)}.")
    turn.refresh_from_db()


def _freeze(sheet: OrderSheet, now: datetime) -> None:
    """Turn a sheet into what the engine will get, standing in for one that was not sealed."""
    side = sheet.side
    campaign = sheet.turn.campaign
    stood_in = ""
    if side.is_computer or sheet.status != OrderSheet.Status.SEALED:
        report = report_for(side=side, branch=sheet.turn.branch) or {}
        ruleset = ruleset_of(campaign)
        if side.is_computer or campaign.late_policy == Campaign.Late.CAPTAIN:
            stood_in, sheet.document = "captain", ruleset.captain(report, side.doctrine)
        elif campaign.late_policy == Campaign.Late.STANDING:
            stood_in, sheet.document = "standing", ruleset.default_orders(report)
        else:
            stood_in, sheet.document = "coast", {}
        sheet.nonce = ""
    OrderSheet.objects.filter(pk=sheet.pk).update(
        status=OrderSheet.Status.FROZEN,
        stood_in=stood_in,
        document=sheet.document,
        nonce=sheet.nonce,
        version=F("version") + 1,
        updated_at=now,
    )


def _envelope_write(turn: Turn) -> None:
    """Write down everything the engine will get, so that every run gets the same."""
    campaign = turn.campaign
    before = snapshot_at(turn.branch, turn.number - 1)
    over = Engagement.objects.filter(branch=turn.branch, status__in=[Engagement.Status.SIGNED, Engagement.Status.VOID])
    over.filter(enters_turn__isnull=True).update(enters_turn=turn.number)
    reports, released = [], []
    for engagement in over.filter(enters_turn=turn.number).order_by("turn", "token"):
        if engagement.status == Engagement.Status.VOID:
            released.append({"act": "release-engagement", "engagement": engagement.token})
            continue
        report = engagement.reports.filter(status="signed", issue=engagement.issue).get()
        settled = unpack(engagement.settled or engagement.document)
        reports.append({"engagement": settled, "report": report.document})
    sheets = {
        sheet.side.key: {"orders": sheet.document, "nonce": sheet.nonce, "stood_in": sheet.stood_in}
        for sheet in turn.sheets.select_related("side").order_by("side__number")
    }
    envelope = {
        "campaign": campaign.token,
        "branch": turn.branch.number,
        "turn": turn.number,
        "ruleset": {"key": campaign.ruleset_key, "edition": campaign.ruleset_edition},
        "sides": [side.key for side in campaign.sides.all()],
        "state_digest": before.state_digest,
        "sheets": sheets,
        "changes": released + [row.document for row in turn.changes.filter(stage=RosterChange.Stage.CHANGE)],
        "amendments": [row.document for row in turn.changes.filter(stage=RosterChange.Stage.AMENDMENT)],
        "reports": reports,
        "seeds": turn.seeds,
    }
    turn.envelope, turn.envelope_digest = pack(envelope)
    turn.save(update_fields=["envelope", "envelope_digest"])


def _ask(turn: Turn, now: datetime) -> None:
    job_enqueue(kind=RESOLVE, subject=f"turn {turn.number}", campaign=turn.campaign,
                arguments={"turn": turn.pk}, now=now)  # fmt: skip


def _check_change(turn: Turn, document: dict[str, Any], reason: str, *, staged: bool) -> None:
    """Refuse a change that has no reason or that the ruleset cannot make to the state it will meet."""
    if not reason.strip():
        raise ProblemsError([Problem("/reason", "no-reason", "A change needs a reason.")])
    ruleset = ruleset_of(turn.campaign)
    stage = RosterChange.Stage.AMENDMENT if staged else RosterChange.Stage.CHANGE
    if staged:
        document_before = unpack(Snapshot.objects.get(branch=turn.branch, turn=turn.number).state)
        earlier: list[Any] = []
    else:
        document_before = state_at(turn.branch, turn.number - 1)
        earlier = list(turn.changes.filter(stage=stage).values_list("document", flat=True))
    state = ruleset.load_state(document_before)
    for known in earlier:
        state, _ = ruleset.amend(state, known)
    try:
        ruleset.amend(state, document)
    except ProblemsError as error:
        raise ProblemsError(
            Problem(pointer("document") + one.place, one.code, one.message, one.rule) for one in error.problems
        ) from error


def _change_add(
    turn: Turn, stage: str, document: dict[str, Any], reason: str, user: User, now: datetime
) -> RosterChange:
    number = turn.changes.filter(stage=stage).count() + 1
    change = RosterChange.objects.create(
        turn=turn, stage=stage, number=number, document=document, reason=reason[:200], author=user, created_at=now
    )
    audit_add(campaign=turn.campaign, now=now, user=user, role="gm", act=f"turn-{stage}",
              subject=f"turn {turn.number}: {document.get('act', '')}", reason=reason)  # fmt: skip
    return change


def sides_waiting(turn: Turn) -> list[Side]:
    """Return the sides whose sheet is not sealed."""
    return [
        sheet.side
        for sheet in turn.sheets.select_related("side").order_by("side__number")
        if sheet.status == OrderSheet.Status.DRAFT and not sheet.side.is_computer
    ]
