"""The record of who did what, verification, and the end of a campaign."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaign.models import Audit, Turn
from campaign.services.access import Entry
from campaign.services.history import campaign_reveal, campaign_verify, rows_verify
from campaign.views.acts import act
from campaign.views.doors import door
from campaign.views.frame import page

PLACE = "gm-audit"
A_PAGE = 100
MOST_TURNS = 60  # more than a page should make a person wait for; the command knows no limit


@require_GET
@door("gm")
def audit(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the record, the newest first."""
    rows = Audit.objects.filter(campaign=entry.campaign).select_related("user").order_by("-pk")
    shown = Paginator(rows, A_PAGE).get_page(request.GET.get("page"))
    return page(request, entry, "campaign/gm/audit.html", PLACE, {"shown": shown})


@door("gm")
def verify(request: HttpRequest, entry: Entry) -> HttpResponse:
    """On POST play every turn again from its envelope and compare; nothing is written."""
    played = (Turn.Status.STAGED, Turn.Status.PUBLISHED)
    count = Turn.objects.filter(campaign=entry.campaign, status__in=played).count()
    context: dict[str, Any] = {"count": count, "is_large": count > MOST_TURNS, "most": MOST_TURNS}
    if request.method == "POST" and not context["is_large"]:
        context["verdicts"] = list(campaign_verify(campaign=entry.campaign))
        context["differences"] = rows_verify(campaign=entry.campaign)
    return page(request, entry, "campaign/gm/verify.html", PLACE, context)


@door("gm")
def finish(request: HttpRequest, entry: Entry) -> HttpResponse:
    """On POST end the campaign and open every seed to everybody."""
    if request.method == "POST" and request.POST.get("sure") == "on":
        user = entry.seat.user
        return act(
            request,
            lambda: campaign_reveal(campaign=entry.campaign, user=user, now=timezone.now()),
            "The campaign is finished; every seed is open.",
            "gm-desk",
            entry.campaign.token,
        )
    return page(request, entry, "campaign/gm/finish.html", PLACE, {"was_unsure": request.method == "POST"})
