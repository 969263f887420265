"""Jobs: the row is the truth, the broker only a bell.

A job is claimed by one conditional update that raises ``runs``, the fencing token. Its handler
computes outside any transaction, renews the lease with each step of progress, and calls
``Claim.fence`` as the first statement of its writing transaction: a worker that lost its lease
changes nothing. A sweep sends again what is queued or whose lease ran out.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from campaign.models import Campaign, Job
from campaign.services.tokens import new_token

LEASE = timedelta(seconds=10)
SEND_AGAIN = timedelta(seconds=10)
TASK = "campaign.job_run"
MOST_RUNS = 20  # a job that loses its lease this often is given up: something kills its workers

log = logging.getLogger(__name__)


class LostLeaseError(Exception):
    """Another worker holds the job now; whatever this one computed is thrown away."""


class JobRefusedError(Exception):
    """The handler's plain word that the job cannot be done; its text is for the GM."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's hold on a job."""

    job_id: int
    runs: int
    kind: str
    arguments: Mapping[str, Any]

    def progress(self, done: int, total: int, what: str) -> None:
        """Show how far the work is, and renew the lease; LostLeaseError if another worker holds the job."""
        held = Job.objects.filter(pk=self.job_id, runs=self.runs, state=Job.State.RUNNING)
        if not held.update(done=done, total=total, what=what[:120], lease=timezone.now() + LEASE):
            raise LostLeaseError

    def fence(self) -> None:
        """Take the job's row for this transaction and end it as done; LostLeaseError if it is not ours."""
        held = Job.objects.filter(pk=self.job_id, runs=self.runs, state=Job.State.RUNNING)
        now = timezone.now()
        if not held.update(state=Job.State.DONE, done=F("total"), finished_at=now, lease=None, failure=""):
            raise LostLeaseError


Handler = Callable[[Claim], None]
GivenUp = Callable[[Mapping[str, Any], str], None]
_handlers: dict[str, tuple[Handler, GivenUp | None]] = {}


def handler_register(kind: str, handler: Handler, given_up: GivenUp | None = None) -> None:
    """Bind a kind of job to what does it; called from an app's ready()."""
    _handlers[kind] = (handler, given_up)


def job_enqueue(
    *, kind: str, subject: str, campaign: Campaign | None, arguments: Mapping[str, Any], now: datetime, total: int = 0
) -> Job:
    """Write a job, to be sent when the transaction commits."""
    job = Job.objects.create(
        token=new_token(),
        kind=kind,
        subject=subject[:80],
        campaign=campaign,
        arguments=dict(arguments),
        total=total,
        created_at=now,
    )
    transaction.on_commit(lambda: job_send(job.pk))
    return job


def queue_folders_make() -> None:
    """Make the folders of the file-system broker."""
    options = getattr(settings, "CELERY_BROKER_TRANSPORT_OPTIONS", {})
    for name in ("data_folder_in", "control_folder", "processed_folder"):
        if name in options:
            Path(options[name]).mkdir(parents=True, exist_ok=True)


def job_send(job_id: int) -> None:
    """Ring the bell for a job. A broker that does not answer is no loss: the sweep rings again."""
    Job.objects.filter(pk=job_id).update(sent_at=timezone.now())
    try:
        queue_folders_make()
        current_app.tasks[TASK].delay(job_id)  # by name: the task stands above this floor
    except (OperationalError, OSError) as error:
        log.warning("job %s not sent: %s", job_id, error)


def job_claim(job_id: int) -> Claim | None:
    """Claim a queued job, or a running one whose lease ran out; None when it is not ours to do."""
    now = timezone.now()
    free = Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease__lt=now)
    claimed = Job.objects.filter(free, pk=job_id).update(state=Job.State.RUNNING, runs=F("runs") + 1, lease=now + LEASE)
    if not claimed:
        return None
    job = Job.objects.get(pk=job_id)
    return Claim(job.pk, job.runs, job.kind, job.arguments)


def job_execute(job_id: int) -> None:
    """Claim and do one job; its failure is written to the row and never lost."""
    claim = job_claim(job_id)
    if claim is None:
        return
    handler, given_up = _handlers[claim.kind]
    try:
        if claim.runs > MOST_RUNS:
            raise JobRefusedError("Its worker was lost too often.")
        handler(claim)
    except LostLeaseError:
        log.info("job %s: another worker holds it", job_id)
    except JobRefusedError as error:
        _fail(claim, str(error), given_up)
    except Exception as error:  # the worker's outer wall: whatever a handler raises must reach the row and the GM
        log.exception("job %s failed", job_id)
        last = traceback.extract_tb(error.__traceback__)[-1]
        _fail(claim, f"{type(error).__name__}: {error} ({last.name}, line {last.lineno})", given_up)


def _fail(claim: Claim, why: str, given_up: GivenUp | None) -> None:
    held = Job.objects.filter(pk=claim.job_id, runs=claim.runs, state=Job.State.RUNNING)
    with transaction.atomic():
        if held.update(state=Job.State.FAILED, failure=why, finished_at=timezone.now(), lease=None) and given_up:
            given_up(claim.arguments, why)


def jobs_sweep(*, now: datetime) -> int:
    """Send again what is queued and was not sent lately, and what a dead worker left; return how many."""
    waiting = Q(state=Job.State.QUEUED) & (Q(sent_at__isnull=True) | Q(sent_at__lt=now - SEND_AGAIN))
    left = Q(state=Job.State.RUNNING, lease__lt=now)
    found = list(Job.objects.filter(waiting | left).order_by("pk").values_list("pk", flat=True)[:200])
    for job_id in found:
        job_send(job_id)
    return len(found)
