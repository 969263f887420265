"""Rollback as a branch, the reveal of the seeds, and verify: every turn played again from its envelope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max

from campaign.engine.errors import Problem, ProblemsError
from campaign.models import Branch, Campaign, Engagement, OrderSheet, Snapshot, Turn
from campaign.selectors.archive import pack, unpack
from campaign.selectors.rulesets import EditionMissingError, ruleset_by, ruleset_of
from campaign.selectors.umpire import branch_holding, line_of, snapshot_at
from campaign.services.audit import audit_add
from campaign.services.engagements import engagement_start
from campaign.services.projection import projection_differences, projection_write
from campaign.services.resolution import answer_digest, answer_of
from campaign.services.turns import turn_open

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.contrib.auth.models import User


def campaign_rollback(*, campaign: Campaign, after_turn: int, reason: str, user: User, now: datetime) -> Branch:
    """Go back to the end of a published turn: a new line with new seeds, the old orders offered again.

    The old line stays readable. Engagements that were open then are open again.
    """
    with transaction.atomic():
        locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
        old = locked.active_branch
        assert old is not None  # every campaign has a line from its start
        holder = branch_holding(old, after_turn)
        published = (
            after_turn == 0
            or Turn.objects.filter(branch=holder, number=after_turn, status=Turn.Status.PUBLISHED).exists()
        )
        if not published:
            message = f"Turn {after_turn} of this line is not published."
            raise ProblemsError([Problem("/after_turn", "not-published", message)])
        if not reason.strip():
            raise ProblemsError([Problem("/reason", "no-reason", "A rollback needs a reason.")])
        number = (Branch.objects.filter(campaign=campaign).aggregate(last=Max("number"))["last"] or 0) + 1
        branch = Branch.objects.create(
            campaign=campaign, number=number, parent=old, forked_after=after_turn, reason=reason[:200], created_at=now
        )
        locked.active_branch = branch
        locked.status = Campaign.Status.RUNNING
        locked.held_because = ""
        locked.save(update_fields=["active_branch", "status", "held_because"])
        snapshot = snapshot_at(branch, after_turn)
        ruleset = ruleset_of(locked)
        projection = ruleset.projection(ruleset.load_state(unpack(snapshot.state)))
        projection_write(campaign=locked, projection=projection)
        _engagements_again(old, branch, after_turn)
        earlier = OrderSheet.objects.filter(
            turn__branch=branch_holding(old, after_turn + 1), turn__number=after_turn + 1
        )
        drafts = {sheet.side_id: sheet.document for sheet in earlier}
        turn_open(branch=branch, number=after_turn + 1, now=now, drafts=drafts)
        audit_add(campaign=locked, now=now, user=user, role="gm", act="campaign-rollback",
                  subject=f"after turn {after_turn}", reason=reason, after=snapshot.state_digest)  # fmt: skip
    campaign.refresh_from_db()
    return branch


def _engagements_again(old: Branch, branch: Branch, after_turn: int) -> None:
    """Carry over the engagements that were open after that turn, unfought."""
    holders = [(here, after_turn if last is None else min(last, after_turn)) for here, last in line_of(old)]
    for here, last in holders:
        for engagement in Engagement.objects.filter(branch=here, turn__lte=last).exclude(enters_turn__lte=after_turn):
            if Engagement.objects.filter(branch=branch, token=engagement.token).exists():
                continue
            body = engagement.document
            again = Engagement.objects.create(
                campaign=engagement.campaign, branch=branch, token=engagement.token, issue=engagement.issue,
                turn=engagement.turn, document=body, digest=engagement.digest, opened_at=engagement.opened_at,
                way=engagement.way,
            )  # fmt: skip
            engagement_start(engagement=again, now=branch.created_at)


def campaign_reveal(*, campaign: Campaign, user: User, now: datetime) -> None:
    """Open every seed of the campaign to its sides; it is finished from then on."""
    with transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(revealed_at=now, status=Campaign.Status.FINISHED)
        audit_add(campaign=campaign, now=now, user=user, role="gm", act="campaign-reveal")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What verify says of one turn: "same", "differs" or "edition not available"."""

    branch: int
    turn: int
    verdict: str
    detail: str = ""


def campaign_verify(*, campaign: Campaign, first: int = 1, last: int | None = None) -> Iterator[Verdict]:
    """Resolve every resolved turn (of those from first to last) of every line again from its envelope, and compare."""
    turns = Turn.objects.filter(
        campaign=campaign, status__in=[Turn.Status.STAGED, Turn.Status.PUBLISHED], number__gte=first
    )
    if last is not None:
        turns = turns.filter(number__lte=last)
    for turn in turns.select_related("campaign", "branch").order_by("branch__number", "number"):
        snapshot = Snapshot.objects.get(branch=turn.branch, turn=turn.number)
        envelope = unpack(turn.envelope)  # type: ignore[arg-type]  # a resolved turn has one
        try:
            ruleset_by(envelope["ruleset"]["key"], envelope["ruleset"]["edition"])
        except EditionMissingError as error:
            yield Verdict(turn.branch.number, turn.number, "edition not available", str(error))
            continue
        answer = answer_of(turn)
        _, state_digest = pack(answer.state)
        reports = {side: pack(report)[1] for side, report in answer.reports.items()}
        same = answer_digest(answer, state_digest, reports) == snapshot.answer_digest
        detail = "" if same else ("state" if state_digest != snapshot.state_digest else "reports, events or rolls")
        yield Verdict(turn.branch.number, turn.number, "same" if same else "differs", detail)


def rows_verify(*, campaign: Campaign) -> list[str]:
    """Compare the roster and map rows with the head's snapshot; return a line a difference."""
    if campaign.active_branch is None:
        return []
    head = Turn.objects.filter(branch=campaign.active_branch, status=Turn.Status.PUBLISHED).order_by("-number").first()
    number = head.number if head else campaign.active_branch.forked_after or 0
    ruleset = ruleset_of(campaign)
    state = ruleset.load_state(unpack(snapshot_at(campaign.active_branch, number).state))
    return projection_differences(campaign=campaign, projection=ruleset.projection(state))
