"""History for the GM: every line and turn, its events and dice, and going back as a branch."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaign.models import Event, Snapshot, Turn
from campaign.selectors import umpire
from campaign.selectors.archive import unpack
from campaign.services.access import Entry
from campaign.services.history import campaign_rollback
from campaign.services.refusals import not_there
from campaign.views.acts import whole_number
from campaign.views.doors import door, post_only
from campaign.views.frame import instants, page
from campaign.views.player.lines import branch_named, branches_of

PLACE = "gm-history"
MOST_ROLLS = 2000


@require_GET
@door("gm")
def history(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the lines and their turns, and the form that goes back."""
    rows = []
    for turn in Turn.objects.filter(campaign=entry.campaign).select_related("branch").order_by("-branch", "-number"):
        rows.append({"turn": turn, "at": instants(entry.campaign, turn.number)})
    published = [
        number
        for branch, last in umpire.line_of(entry.branch)
        for number in Turn.objects.filter(branch=branch, status=Turn.Status.PUBLISHED).values_list("number", flat=True)
        if last is None or number <= last
    ]
    context = {"rows": rows, "branches": branches_of(entry), "published": sorted({0, *published}, reverse=True)}
    return page(request, entry, "campaign/gm/history.html", PLACE, context)


@require_GET
@door("gm")
def turn(request: HttpRequest, entry: Entry, branch: int, turn: int) -> HttpResponse:
    """Show a turn whole: events with their audiences, sheets, changes, and every roll."""
    line = branch_named(entry, branch)
    row = Turn.objects.filter(branch=line, number=turn).first()
    if row is None:
        raise not_there("turn")
    snapshot = Snapshot.objects.filter(branch=line, turn=turn).first()
    rolls = [] if snapshot is None else unpack(snapshot.rolls)
    context: dict[str, Any] = {
        "row": row,
        "line": line,
        "at": instants(entry.campaign, turn),
        "events": [_event(event) for event in Event.objects.filter(branch=line, turn=turn).order_by("number")],
        "sheets": row.sheets.select_related("side").order_by("side__number"),
        "changes": row.changes.select_related("author"),
        "rolls": rolls[:MOST_ROLLS],
        "rolls_left": max(0, len(rolls) - MOST_ROLLS),
        "roll_fields": sorted({key for roll in rolls[:MOST_ROLLS] for key in roll}),
        "snapshot": snapshot,
        "commitments": sorted(row.commitments.items()),
    }
    return page(request, entry, "campaign/gm/turn.html", PLACE, context)


@post_only
@door("gm")
def rollback(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Go back to the end of a published turn, as a new line."""
    branch = campaign_rollback(
        campaign=entry.campaign,
        after_turn=whole_number(request.POST, "after_turn"),
        reason=request.POST.get("reason", ""),
        user=entry.seat.user,
        now=timezone.now(),
    )
    messages.success(request, f"The game goes on in line {branch.number}, after turn {branch.forked_after}.")
    return redirect("gm-desk", entry.campaign.token)


def _event(event: Event) -> dict[str, Any]:
    return {
        "number": event.number,
        "phase": event.phase,
        "text": event.text,
        "audience": json.loads(event.audience),
        "rules": json.loads(event.rules),
    }
