"""What the beat does: send lost jobs again, lock turns whose deadline has come, leave its heartbeat.

After a downtime no campaign catches up blindly: each has one open turn, and locking it opens no
other before that one is published with a new deadline of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F

from campaign.models import Beat, Campaign, Turn
from campaign.services.idempotency import idempotency_keys_drop
from campaign.services.jobs import jobs_sweep
from campaign.services.refusals import StaleError
from campaign.services.turns import turn_lock

if TYPE_CHECKING:
    from datetime import datetime


def beat_tick(*, now: datetime) -> int:
    """Do one tick; return how many turns were locked."""
    Beat.objects.update_or_create(name="beat", defaults={"at": now})
    jobs_sweep(now=now)
    idempotency_keys_drop(now=now)
    return deadlines_lock(now=now)


def deadlines_lock(*, now: datetime) -> int:
    """Lock every open turn of a running campaign's current line whose deadline has come."""
    due = Turn.objects.filter(
        status=Turn.Status.OPEN,
        deadline__lte=now,
        campaign__status=Campaign.Status.RUNNING,
        campaign__active_branch=F("branch"),
    ).select_related("campaign", "branch")
    locked = 0
    for turn in due.order_by("deadline", "pk"):
        try:
            turn_lock(turn=turn, now=now, user=None, why="deadline")
        except StaleError:
            continue  # the GM or the last seal was faster
        locked += 1
    return locked
