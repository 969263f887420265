"""Sides and people: who sits where, links that invite, seats that end."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from campaign.engine.errors import ProblemsError
from campaign.forms.people import InvitationForm
from campaign.models import Invitation, Seat
from campaign.services.access import Entry
from campaign.services.refusals import not_there, status_of
from campaign.services.seats import invitation_create, invitation_withdraw, seat_end
from campaign.views.acts import act, refusal
from campaign.views.doors import door, post_only
from campaign.views.frame import page

PLACE = "gm-sides"


@door("gm")
def sides(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the sides and their people; on POST make an invitation and show its link, this once."""
    form = InvitationForm(entry.campaign, request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"form": form, "problems": []}
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            role, side = form.role_and_side()
            try:
                made, secret = invitation_create(
                    campaign=entry.campaign, role=role, side=side, gm=entry.seat.user, now=timezone.now()
                )
            except ProblemsError as error:
                context["problems"], status = refusal(error), status_of(error)
            else:
                context["made"] = made
                context["link"] = request.build_absolute_uri(reverse("invitation", args=[secret]))
                context["form"] = InvitationForm(entry.campaign)
                status = 200
    seats = Seat.objects.filter(campaign=entry.campaign, ended_at__isnull=True).select_related("user", "side")
    context["seats"] = seats.order_by("side__number", "role", "pk")
    context["invitations"] = (
        Invitation.objects.filter(
            campaign=entry.campaign, used_at__isnull=True, withdrawn_at__isnull=True, expires_at__gt=timezone.now()
        )
        .select_related("side", "created_by")
        .order_by("pk")
    )
    return page(request, entry, "campaign/gm/sides.html", PLACE, context, status)


@post_only
@door("gm")
def withdraw(request: HttpRequest, entry: Entry, invitation: int) -> HttpResponse:
    """Make a link useless."""
    row = Invitation.objects.filter(campaign=entry.campaign, pk=invitation).first()
    if row is None:
        raise not_there("invitation")
    user = entry.seat.user
    return act(
        request,
        lambda: invitation_withdraw(invitation=row, gm=user, now=timezone.now()),
        "The link opens no more.",
        PLACE,
        entry.campaign.token,
    )


@post_only
@door("gm")
def end(request: HttpRequest, entry: Entry, seat: int) -> HttpResponse:
    """End a person's seat at once."""
    row = Seat.objects.filter(campaign=entry.campaign, pk=seat, ended_at__isnull=True).select_related("user").first()
    if row is None:
        raise not_there("seat")
    user = entry.seat.user
    return act(
        request,
        lambda: seat_end(seat=row, gm=user, now=timezone.now()),
        f"{row.user.get_username()} has no seat here any more.",
        "campaign-list" if row.user_id == user.pk else PLACE,
        *([] if row.user_id == user.pk else [entry.campaign.token]),
    )
