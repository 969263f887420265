"""The Celery tasks: one that does a job, one that ticks."""

from __future__ import annotations

from celery import shared_task
from celery.signals import worker_ready
from django.utils import timezone

from campaign.services.deadlines import beat_tick
from campaign.services.jobs import job_execute, jobs_sweep


@shared_task(name="campaign.job_run")
def job_run(job_id: int) -> None:
    """Do one job."""
    job_execute(job_id)


@shared_task(name="campaign.tick")
def tick() -> None:
    """Send again what was lost, and lock the turns whose deadline has come."""
    beat_tick(now=timezone.now())


@worker_ready.connect
def send_what_waits(**_: object) -> None:
    """Send again what waited while no worker ran."""
    jobs_sweep(now=timezone.now())
