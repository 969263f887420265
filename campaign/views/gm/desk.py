"""The GM's desk: whose move it is, what blocks the turn, and the staged turn beside what each side will see."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign.models import Audit, Campaign, Engagement, Event, Job, OrderSheet, Seat, Side, SideReport, Turn
from campaign.selectors import umpire
from campaign.services.access import Entry
from campaign.services.turns import RESOLVE
from campaign.views.chart.system_map import MINI_HEIGHT, MINI_WIDTH, mini_chart, systems_in_use
from campaign.views.chart.window import window_around
from campaign.views.doors import door
from campaign.views.frame import page

PLACE = "gm-desk"
STEPS = (
    (Turn.Status.OPEN, "Open"),
    (Turn.Status.LOCKED, "Locked"),
    (Turn.Status.RESOLVING, "Being played"),
    (Turn.Status.STAGED, "Staged, for your eyes"),
    (Turn.Status.PUBLISHED, "Published"),
)
PLAYING = (Turn.Status.LOCKED, Turn.Status.RESOLVING)
MOST_LINES = 8


@require_GET
@door("gm")
def desk(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the desk."""
    turn = umpire.turn_at_head(entry.branch)
    sheets = _sheets(turn)
    context = {
        "turn": turn,
        "steps": _steps(turn),
        "sheets": sheets,
        "waiting": [row["side"] for row in sheets if row["is_awaited"]],
        "views": _views(entry, turn) if turn is not None and turn.status == Turn.Status.STAGED else [],
        "engagements": engagement_rows(entry),
        "dice": _dice(turn, sheets),
        "job": job_of(turn),
        "changes": list(turn.changes.select_related("author")) if turn is not None else [],
        "lately": Audit.objects.filter(campaign=entry.campaign).select_related("user").order_by("-pk")[:MOST_LINES],
        "is_held": entry.campaign.status == Campaign.Status.HELD,
    }
    return page(request, entry, "campaign/gm/desk.html", PLACE, context)


@require_GET
@door("gm")
def progress(request: HttpRequest, entry: Entry, turn: int) -> HttpResponse:
    """Answer how far the work on a turn is; once it is done, ask the page to be loaded again."""
    row = Turn.objects.filter(branch=entry.branch, number=turn).first()
    if row is None or row.status not in PLAYING:
        return HttpResponse(headers={"HX-Refresh": "true"})
    context = {"turn": row, "job": job_of(row), "entry": entry}
    return render(request, "campaign/gm/_progress.html", context)


def job_of(turn: Turn | None) -> Job | None:
    """Return the newest job that plays a turn."""
    if turn is None:
        return None
    jobs = Job.objects.filter(campaign=turn.campaign_id, kind=RESOLVE, subject=f"turn {turn.number}")
    return jobs.order_by("-pk").first()


def engagement_rows(entry: Entry) -> list[dict[str, Any]]:
    """Return the engagements of the current line that are not over, each with what it waits for."""
    over = (Engagement.Status.SIGNED, Engagement.Status.VOID)
    rows = []
    for engagement in Engagement.objects.filter(branch=entry.branch).exclude(status__in=over):
        briefings = list(engagement.briefings.select_related("side"))
        filed = engagement.bids.filter(issue=engagement.issue).count()
        waits = {
            Engagement.Status.OPENED: f"bids, {filed} filed",
            Engagement.Status.BIDDING: f"bids, {filed} filed",
            Engagement.Status.SET: "its battle and a result",
            Engagement.Status.FIGHTING: "a result",
            Engagement.Status.REPORTED: "signatures, or your ruling",
        }[Engagement.Status(engagement.status)]
        rows.append({"engagement": engagement, "briefings": briefings, "waits": waits})
    return rows


def _steps(turn: Turn | None) -> list[tuple[str, str]]:
    """Return each step of a turn's life with "done", "now" or "" as its state."""
    order = [status for status, _ in STEPS]
    now = order.index(turn.status) if turn is not None and turn.status in order else -1  # type: ignore[arg-type]
    return [(label, "done" if at < now else "now" if at == now else "") for at, (_, label) in enumerate(STEPS)]


def _sheets(turn: Turn | None) -> list[dict[str, Any]]:
    """Return a row for each side's sheet: who sits there, and whether it is still awaited."""
    if turn is None:
        return []
    people: dict[int, list[str]] = {}
    seats = Seat.objects.filter(campaign=turn.campaign, role=Seat.Role.COMMANDER, ended_at__isnull=True)
    for seat in seats.select_related("user"):
        people.setdefault(seat.side_id or 0, []).append(seat.user.get_username())
    return [
        {
            "sheet": sheet,
            "side": sheet.side,
            "people": people.get(sheet.side_id, []),
            "is_awaited": turn.status == Turn.Status.OPEN
            and sheet.status == OrderSheet.Status.DRAFT
            and not sheet.side.is_computer,
            "refused": [problem for problem in sheet.problems if problem["severity"] == "stop"],
        }
        for sheet in turn.sheets.select_related("side", "sealed_by").order_by("side__number")
    ]


def _dice(turn: Turn | None, sheets: list[dict[str, Any]]) -> dict[str, Any]:
    if turn is None:
        return {}
    rolls: list[Any] = []
    if turn.status in (Turn.Status.STAGED, Turn.Status.PUBLISHED):
        rolls = umpire.rolls_at(turn.branch, turn.number)
    return {
        "commitments": sorted(turn.commitments.items()),
        "nonces": sum(1 for row in sheets if row["sheet"].nonce),
        "seats": len(sheets),
        "rolls": len(rolls),
    }


def _views(entry: Entry, turn: Turn) -> list[dict[str, Any]]:
    """Return the truth and each side's staged report as small charts with what is new in them."""
    truth = umpire.overview_at(entry.branch, turn.number)
    events = umpire.events_at(entry.branch, turn.number)
    sides = list(entry.campaign.sides.all())
    numbers = {side.key: side.number for side in sides}
    system = systems_in_use(truth)[0]["key"]
    hexes = [(0, 0), *((row["q"], row["r"]) for row in truth["forces"] if row["system"] == system)]
    window = window_around(hexes, MINI_WIDTH, MINI_HEIGHT)
    views: list[dict[str, Any]] = [
        {
            "side": None,
            "chart": mini_chart(truth, system, numbers, window),
            "lines": [_counted(truth, events), *_lines(event for event in events if event.audience == "[]")],
        }
    ]
    reports = {row.side_id: row for row in SideReport.objects.filter(branch=turn.branch, turn=turn.number)}
    for side in sides:
        if side.pk in reports:
            report = umpire.staged_report(entry.branch, turn.number, side)
            own = [event for event in events if side.key in json.loads(event.audience)]
            views.append({"side": side, "chart": mini_chart(report, system, numbers, window), "lines": _lines(own)})
    return views


def _counted(truth: dict[str, Any], events: list[Event]) -> str:
    forces = truth["forces"]
    dummies = sum(1 for force in forces if "dummy" in force["marks"])
    kinds = Counter(event.kind for event in events)
    refused = kinds["order-rejected"]
    return (
        f"{len(forces)} forces, {dummies} of them dummies; {len(events)} events; "
        f"{refused} order{'s' if refused != 1 else ''} replaced by the default"
    )


def _lines(events: Iterable[Event]) -> list[str]:
    """Return the texts of events, the long tail counted."""
    texts = [event.text for event in events]
    rest = len(texts) - MOST_LINES
    return [*texts[:MOST_LINES], *([f"and {rest} more"] if rest > 0 else [])]


def side_of(entry: Entry, key: str) -> Side | None:
    """Return the campaign's side of a key, or None."""
    return entry.campaign.sides.filter(key=key).first()
