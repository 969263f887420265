"""The append-only record of who did what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from campaign.models import Audit, Campaign

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import User


def audit_add(
    *,
    campaign: Campaign | None,
    now: datetime,
    user: User | None,
    role: str,
    act: str,
    subject: str = "",
    reason: str = "",
    before: str = "",
    after: str = "",
) -> None:
    """Write one line of the record; call it inside the transaction of its effect."""
    Audit.objects.create(
        campaign=campaign,
        at=now,
        user=user,
        role=role,
        act=act,
        subject=subject,
        reason=reason[:200],
        before=before,
        after=after,
    )
