"""Seats and the links that give them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from campaign.engine.errors import Problem, ProblemsError
from campaign.models import Campaign, Invitation, Seat, Side
from campaign.services.audit import audit_add
from campaign.services.refusals import not_there, stale
from campaign.services.tokens import new_secret, secret_digest

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import User

LIFE = timedelta(days=14)


def invitation_create(
    *, campaign: Campaign, role: str, side: Side | None, gm: User, now: datetime
) -> tuple[Invitation, str]:
    """Make an invitation; return it with the secret of its link, which is shown this once."""
    if role not in Seat.Role.values:
        raise ProblemsError([Problem("/role", "unknown-role", f"A role is one of {', '.join(Seat.Role.values)}.")])
    if role != Seat.Role.GM and side is None:
        raise ProblemsError([Problem("/side", "side-needed", "A commander or observer sits on a side.")])
    if role == Seat.Role.GM and side is not None:
        raise ProblemsError([Problem("/side", "side-not-needed", "A GM sits on no side.")])
    secret = new_secret()
    with transaction.atomic():
        invitation = Invitation.objects.create(
            campaign=campaign,
            token_digest=secret_digest(secret),
            side=side,
            role=role,
            created_by=gm,
            created_at=now,
            expires_at=now + LIFE,
        )
        audit_add(campaign=campaign, now=now, user=gm, role="gm", act="invitation-create",
                  subject=f"{role} {side.key if side else ''}".strip())  # fmt: skip
    return invitation, secret


def invitation_of(*, secret: str, now: datetime) -> Invitation:
    """Return the invitation of a link that still opens; 404 for any other, whatever the reason."""
    invitation = (
        Invitation.objects.select_related("campaign", "side")
        .filter(token_digest=secret_digest(secret), used_at__isnull=True, withdrawn_at__isnull=True, expires_at__gt=now)
        .first()
    )
    if invitation is None:
        raise not_there("invitation")
    return invitation


def invitation_accept(*, secret: str, user: User, now: datetime) -> Seat:
    """Take the seat of a link. A link opens once; a person has one seat at a campaign."""
    invitation = invitation_of(secret=secret, now=now)
    try:
        with transaction.atomic():
            if not Invitation.objects.filter(pk=invitation.pk, used_at__isnull=True).update(used_by=user, used_at=now):
                raise not_there("invitation")
            seat = Seat.objects.create(
                campaign=invitation.campaign, user=user, side=invitation.side, role=invitation.role, created_at=now
            )
            audit_add(campaign=invitation.campaign, now=now, user=user, role=invitation.role, act="invitation-accept",
                      subject=invitation.side.key if invitation.side else "")  # fmt: skip
    except IntegrityError as error:
        raise stale("seated-already", "You already have a seat at this campaign.") from error
    return seat


def invitation_withdraw(*, invitation: Invitation, gm: User, now: datetime) -> None:
    """Make a link useless."""
    with transaction.atomic():
        Invitation.objects.filter(pk=invitation.pk, used_at__isnull=True).update(withdrawn_at=now)
        audit_add(campaign=invitation.campaign, now=now, user=gm, role="gm", act="invitation-withdraw")


def seat_end(*, seat: Seat, gm: User, now: datetime) -> None:
    """End a seat at once. The last GM's seat cannot be ended."""
    with transaction.atomic():
        open_gms = Seat.objects.select_for_update().filter(
            campaign=seat.campaign, role=Seat.Role.GM, ended_at__isnull=True
        )
        if seat.role == Seat.Role.GM and len(open_gms) < 2:
            raise ProblemsError([Problem("", "last-gm", "A campaign keeps at least one GM.")])
        Seat.objects.filter(pk=seat.pk, ended_at__isnull=True).update(ended_at=now)
        audit_add(campaign=seat.campaign, now=now, user=gm, role="gm", act="seat-end", subject=str(seat.user))


def seat_of(*, user: User, campaign: Campaign) -> Seat | None:
    """Return a person's open seat at a campaign, or None."""
    return Seat.objects.select_related("side").filter(campaign=campaign, user=user, ended_at__isnull=True).first()
