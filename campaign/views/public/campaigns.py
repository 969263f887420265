"""A person's campaigns, and opening one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaign.engine.errors import ProblemsError
from campaign.forms.campaign import CampaignForm
from campaign.models import OrderSheet, Seat, Turn
from campaign.selectors.rulesets import operational_rulesets, ruleset_key
from campaign.services.access import Entry
from campaign.services.campaigns import campaign_create
from campaign.services.fixtures import campaign_setup, fixtures_listed
from campaign.services.refusals import not_there, status_of
from campaign.views.acts import refusal
from campaign.views.doors import door

PLACE = "campaign-list"
FOLDERS = ("campaigns", "scenarios")


@require_GET
@door("person")
def campaign_list(request: HttpRequest) -> HttpResponse:
    """Show where the person has a seat, and whose move it is there."""
    seats = (
        Seat.objects.filter(user=request.user.pk, ended_at__isnull=True)
        .select_related("campaign", "campaign__active_branch", "side")
        .order_by("campaign__name", "campaign__pk")
    )
    rows = [_row(seat) for seat in seats]
    return render(request, "campaign/public/campaigns.html", {"rows": rows, "place": PLACE})


def _row(seat: Seat) -> dict[str, Any]:
    turn = Turn.objects.filter(branch=seat.campaign.active_branch).order_by("-number").first()
    return {"seat": seat, "campaign": seat.campaign, "turn": turn, "move": _move_of(seat, turn)}


def _move_of(seat: Seat, turn: Turn | None) -> str:
    """Return what the seat is asked to do now, or nothing."""
    if turn is None or seat.role == Seat.Role.OBSERVER:
        return ""
    if seat.role == Seat.Role.GM:
        asked = {Turn.Status.STAGED: "publish", Turn.Status.FAILED: "mend"}
        return f"{asked[turn.status]} turn {turn.number}" if turn.status in asked else ""  # type: ignore[index]
    drafts = OrderSheet.objects.filter(turn=turn, side=seat.side, status=OrderSheet.Status.DRAFT)
    return f"orders for turn {turn.number}" if turn.status == Turn.Status.OPEN and drafts.exists() else ""


@require_GET
@door("person")
def campaign_choose(request: HttpRequest) -> HttpResponse:
    """Show the campaigns and scenarios that come with the project."""
    fixtures = [{**each, "folder": folder} for folder in FOLDERS for each in fixtures_listed(folder)]
    return render(request, "campaign/public/campaign_choose.html", {"fixtures": fixtures, "place": PLACE})


@door("person")
def campaign_new(request: HttpRequest, folder: str, fixture: str) -> HttpResponse:
    """Open a campaign from a fixture, its manners and switches as the form says."""
    if folder not in FOLDERS or fixture not in {each["key"] for each in fixtures_listed(folder)}:
        raise not_there("fixture")
    setup = campaign_setup(fixture, folder)
    ruleset = operational_rulesets().get(ruleset_key(setup))
    if ruleset is None:
        raise not_there("fixture")
    form = CampaignForm(setup, ruleset, request.POST if request.method == "POST" else None)
    problems: list[dict[str, str]] = []
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                campaign = campaign_create(
                    gm=request.user,  # type: ignore[arg-type]  # the door let in nobody anonymous
                    name=form.cleaned_data["name"],
                    setup=form.setup(),
                    now=timezone.now(),
                    **form.manners(),
                )
            except ProblemsError as error:
                problems, status = refusal(error), status_of(error)
            else:
                messages.success(request, f"{campaign.name} is open. Invite the players next.")
                return redirect("gm-sides", campaign.token)
    context = {"form": form, "setup": setup, "ruleset": ruleset, "problems": problems, "place": PLACE}
    return render(request, "campaign/public/campaign_new.html", context, status=status)


@require_GET
@door("member")
def campaign_home(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Send each seat to its own front page."""
    return redirect("gm-desk" if entry.is_gm else "bridge", entry.campaign.token)
