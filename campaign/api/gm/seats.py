"""Who sits at the campaign: invitations and seats."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request

from campaign.api.answers import InvitationFacts, InvitationList, InvitationMade, SeatList, SeatRow
from campaign.api.bodies import Inviting
from campaign.api.doors import operation
from campaign.api.gm.turns import GmDoor
from campaign.engine.errors import Problem, ProblemsError
from campaign.models import Invitation, Seat
from campaign.services.access import Entry
from campaign.services.refusals import not_there, stale
from campaign.services.seats import invitation_create, invitation_withdraw, seat_end

ID_LETTERS = 16  # of the digest; enough to name one of a campaign's invitations


class InvitationsDoor(GmDoor):
    """Every invitation."""

    @operation("List the invitations", answer=InvitationList)
    def get(self, request: Request) -> InvitationList:
        """Answer the campaign's invitations, oldest first; their secrets are not kept."""
        rows = Invitation.objects.filter(campaign=self.entry.campaign).select_related("side", "used_by").order_by("pk")
        return InvitationList(invitations=[InvitationFacts(**_facts(row)) for row in rows])

    @operation("Invite somebody", body=Inviting, answer=InvitationMade, status=201)
    def post(self, request: Request, body: Inviting) -> InvitationMade:
        """Make an invitation. The secret of its link is in this answer and nowhere else."""
        side = None
        if body.side is not None:
            side = self.entry.campaign.sides.filter(key=body.side).first()
            if side is None:
                raise ProblemsError([Problem("/side", "unknown-side", f"There is no side {body.side}.")])
        invitation, secret = invitation_create(
            campaign=self.entry.campaign, role=body.role, side=side, gm=self.person, now=timezone.now()
        )
        return InvitationMade(**_facts(invitation), secret=secret)


class InvitationDoor(GmDoor):
    """One invitation."""

    @operation("Withdraw an invitation", answer=None, status=204)
    def delete(self, request: Request, invitation: str) -> None:
        """Make an open invitation's link useless."""
        row = _invitation(self.entry, invitation)
        if row.used_at is not None:
            raise stale("invitation-used", "The invitation is used; end the seat instead.")
        invitation_withdraw(invitation=row, gm=self.person, now=timezone.now())


class SeatsDoor(GmDoor):
    """Every seat."""

    @operation("List the seats", answer=SeatList)
    def get(self, request: Request) -> SeatList:
        """Answer the campaign's seats, ended ones too, oldest first."""
        rows = Seat.objects.filter(campaign=self.entry.campaign).select_related("user", "side").order_by("pk")
        return SeatList(
            seats=[
                SeatRow(
                    username=row.user.username,
                    role=row.role,
                    side=row.side.key if row.side else None,
                    created_at=row.created_at,
                    ended_at=row.ended_at,
                )
                for row in rows
            ]
        )


class SeatDoor(GmDoor):
    """One person's seat."""

    @operation("End a seat", answer=None, status=204)
    def delete(self, request: Request, username: str) -> None:
        """End a person's seat at once; the last GM keeps his."""
        seat = (
            Seat.objects.select_related("user", "campaign")
            .filter(campaign=self.entry.campaign, user__username=username, ended_at__isnull=True)
            .first()
        )
        if seat is None:
            raise not_there("seat")
        seat_end(seat=seat, gm=self.person, now=timezone.now())


def _invitation(entry: Entry, name: str) -> Invitation:
    row = Invitation.objects.filter(
        campaign=entry.campaign, token_digest__startswith=name, withdrawn_at__isnull=True
    ).first()
    if row is None:
        raise not_there("invitation")
    return row


def _facts(row: Invitation) -> dict[str, Any]:
    if row.used_at is not None:
        state = "used"
    elif row.withdrawn_at is not None:
        state = "withdrawn"
    else:
        state = "open" if row.expires_at > timezone.now() else "expired"
    return {
        "id": row.token_digest[:ID_LETTERS],
        "role": row.role,
        "side": row.side.key if row.side else None,
        "state": state,
        "used_by": row.used_by.username if row.used_by else None,
        "created_at": row.created_at,
        "expires_at": row.expires_at,
    }
