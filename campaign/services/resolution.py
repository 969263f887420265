"""The ledger: a turn's answer, worked out outside any transaction and written in one.

``turn_resolve`` is the handler of the job that ``turns`` asks for; ``turn_publish`` lets the players
see. Both are harmless twice.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from campaign.engine.dice import canonical
from campaign.engine.turn import Answer, resolve
from campaign.models import Campaign, Event, Feed, OrderSheet, SideReport, Snapshot, Turn
from campaign.selectors.archive import digest, pack, unpack
from campaign.selectors.rulesets import EditionMissingError, ruleset_by, ruleset_of
from campaign.services.audit import audit_add
from campaign.services.bulk_write import insert_objects, insert_rows
from campaign.services.engagements import engagement_issue
from campaign.services.jobs import JobRefusedError, LostLeaseError, job_enqueue
from campaign.services.projection import projection_write
from campaign.services.refusals import stale
from campaign.services.turns import RESOLVE, envelope_of, turn_open

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from django.contrib.auth.models import User

    from campaign.services.jobs import Claim

MOST_ATTEMPTS = 3


def turn_resolve(claim: Claim) -> None:
    """Resolve a locked turn: attempt counted first, answer worked out, everything written at once."""
    turn = Turn.objects.select_related("campaign", "branch").get(pk=claim.arguments["turn"])
    live = [Turn.Status.LOCKED, Turn.Status.RESOLVING]
    counted = Turn.objects.filter(pk=turn.pk, status__in=live).update(
        status=Turn.Status.RESOLVING, attempts=F("attempts") + 1
    )
    if not counted:
        _nothing_to_do(claim)
        return
    turn.refresh_from_db()
    with _collector_off():
        answer = answer_of(turn, claim)
        packed = _Packed(answer)
        with transaction.atomic():
            claim.fence()
            moved = Turn.objects.filter(
                pk=turn.pk, status=Turn.Status.RESOLVING, envelope_digest=turn.envelope_digest
            ).update(status=Turn.Status.STAGED, staged_at=timezone.now(), failure="")
            if not moved:
                raise LostLeaseError
            _stage(turn, answer, packed)
            if turn.campaign.auto_publish:
                turn.refresh_from_db()
                turn_publish(turn=turn, user=None, now=timezone.now(), projection=answer.projection)


def turn_given_up(arguments: Mapping[str, Any], why: str) -> None:
    """After a failed run: try again up to three times, then hold this campaign and tell its GM."""
    turn = Turn.objects.select_related("campaign").get(pk=arguments["turn"])
    if turn.status not in (Turn.Status.LOCKED, Turn.Status.RESOLVING):
        return
    now = timezone.now()
    if turn.attempts < MOST_ATTEMPTS:
        job_enqueue(kind=RESOLVE, subject=f"turn {turn.number}", campaign=turn.campaign,
                    arguments=arguments, now=now)  # fmt: skip
        return
    Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.FAILED, failure=why)
    Campaign.objects.filter(pk=turn.campaign_id).update(
        status=Campaign.Status.HELD, held_because=f"Turn {turn.number} failed {turn.attempts} times: {why}"
    )
    audit_add(campaign=turn.campaign, now=now, user=None, role="system", act="turn-failed",
              subject=f"turn {turn.number}", reason=why)  # fmt: skip


def answer_of(turn: Turn, claim: Claim | None = None) -> Answer:
    """Work out a turn's answer from its envelope alone."""
    envelope = envelope_of(turn)
    try:
        ruleset = ruleset_by(envelope["ruleset"]["key"], envelope["ruleset"]["edition"])
    except EditionMissingError as error:
        raise JobRefusedError(str(error)) from error
    return resolve(ruleset, envelope, claim.progress if claim else None)


def answer_document(answer: Answer) -> dict[str, Any]:
    """Return everything a turn answered as one document; its digest is what verify compares.

    The projection follows from the state, and ``verify --rows`` holds the rows against it.
    """
    return {
        "state": answer.state,
        "reports": answer.reports,
        "events": [event.as_document() for event in answer.events],
        "rolls": list(answer.rolls),
        "engagements": list(answer.engagements),
        "problems": answer.problems,
        "roster_changes": answer.roster_changes,
    }


def answer_digest(answer: Answer, state_digest: str, report_digests: Mapping[str, str]) -> str:
    """Return the digest of an answer, from its parts' digests so that no part is serialised twice."""
    document = answer_document(answer)
    document["state"] = state_digest
    document["reports"] = dict(report_digests)
    return digest(document)


class _Packed:
    """An answer's bytes, made before the writing transaction starts."""

    def __init__(self, answer: Answer) -> None:
        self.state, self.state_digest = pack(answer.state)
        self.rolls, _ = pack(list(answer.rolls))
        self.engagements, _ = pack(list(answer.engagements))
        self.reports = {side: pack(report) for side, report in answer.reports.items()}
        self.answer_digest = answer_digest(answer, self.state_digest, {s: d for s, (_, d) in self.reports.items()})


def _stage(turn: Turn, answer: Answer, packed: _Packed) -> None:
    """Write a turn's answer, in place of an earlier one that was staged and amended."""
    now = timezone.now()
    key = {"campaign": turn.campaign, "branch": turn.branch, "turn": turn.number}
    for model in (Snapshot, SideReport, Event):
        model._default_manager.filter(**key).delete()
    Snapshot.objects.create(
        **key,
        state=packed.state,
        state_digest=packed.state_digest,
        rolls=packed.rolls,
        engagements=packed.engagements,
        answer_digest=packed.answer_digest,
        created_at=now,
    )
    sides = {side.key: side for side in turn.campaign.sides.all()}
    insert_objects(
        [
            SideReport(**key, side=sides[side], body=body, digest=body_digest)
            for side, (body, body_digest) in packed.reports.items()
        ]
    )
    for side, problems in answer.problems.items():
        if problems:
            OrderSheet.objects.filter(turn=turn, side=sides[side]).update(problems=problems)
    insert_rows(
        Event,
        ("campaign_id", "branch_id", "turn", "number", "phase", "kind", "text", "audience", "rules", "data"),
        [
            (
                turn.campaign_id,
                turn.branch_id,
                turn.number,
                number,
                event.phase,
                event.kind,
                event.text,
                canonical(sorted(event.audience)),
                canonical(list(event.rules)),
                canonical(dict(event.data)),
            )
            for number, event in enumerate(answer.events, start=1)
        ],
    )


def turn_publish(*, turn: Turn, user: User | None, now: datetime, projection: Mapping[str, Any] | None = None) -> Turn:
    """Let the players see a staged turn, and open the next one. StaleError if it is not staged."""
    with transaction.atomic():
        if not Turn.objects.filter(pk=turn.pk, status=Turn.Status.STAGED).update(
            status=Turn.Status.PUBLISHED, published_at=now
        ):
            turn.refresh_from_db()
            raise stale("turn-moved-on", f"Turn {turn.number} is {turn.status}, not staged.")
        turn.refresh_from_db()
        branch = turn.branch
        SideReport.objects.filter(branch=branch, turn=turn.number).update(published_at=now)
        snapshot = Snapshot.objects.get(branch=branch, turn=turn.number)
        for document in unpack(snapshot.engagements):
            engagement_issue(turn=turn, document=document, now=now)
        turn.sheets.update(status=OrderSheet.Status.RESOLVED)
        _feed_write(turn)
        if projection is None:
            ruleset = ruleset_of(turn.campaign)
            projection = ruleset.projection(ruleset.load_state(unpack(snapshot.state)))
        projection_write(campaign=turn.campaign, projection=projection)
        audit_add(campaign=turn.campaign, now=now, user=user, role="gm" if user else "system", act="turn-publish",
                  subject=f"turn {turn.number}", before=turn.envelope_digest)  # fmt: skip
        turn_open(branch=branch, number=turn.number + 1, now=now)
    return turn


def _feed_write(turn: Turn) -> None:
    """Give each side what it may read of a turn's events, numbered for that side alone."""
    events = list(
        Event.objects.filter(branch=turn.branch, turn=turn.number)
        .order_by("number")
        .values_list("audience", "kind", "text", "rules", "data")
    )
    sides = list(turn.campaign.sides.annotate(last=Max("feed__number")))
    insert_rows(
        Feed,
        ("campaign_id", "branch_id", "side_id", "number", "turn", "kind", "text", "rules", "data"),
        [
            (turn.campaign_id, turn.branch_id, side.pk, number, turn.number, *event[1:])
            for side in sides
            for number, event in enumerate(
                (event for event in events if canonical(side.key) in event[0]), start=(side.last or 0) + 1
            )
        ],
    )


def _nothing_to_do(claim: Claim) -> None:
    """The turn is no longer to be resolved: a redelivered message. End the job quietly."""
    with transaction.atomic():
        claim.fence()


@contextmanager
def _collector_off() -> Iterator[None]:
    """Keep the cyclic collector out of a turn: it would scan the row tuples again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
