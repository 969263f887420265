"""A player's bridge: what is asked of the seat now, and what has come in."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign.models import Briefing, Engagement, Feed, OrderSheet, Seat, Turn
from campaign.selectors.archive import unpack
from campaign.selectors.reports import feed_for, report_for
from campaign.services.access import Entry
from campaign.views.doors import door
from campaign.views.frame import Frame, page

PLACE = "bridge"
SHOWN = 40


@require_GET
@door("player")
def bridge(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the seat's move and the side's newest feed."""
    frame = Frame(entry, PLACE)
    rows = feed_rows(Feed.objects.filter(side=entry.side).order_by("-number")[:SHOWN])
    context = {
        "move": move_of(entry, frame),
        "battles": open_battles(entry),
        "feed": rows,
        "last": rows[0]["number"] if rows else 0,
        "report": report_for(side=entry.side, branch=entry.branch),
    }
    return page(request, entry, "campaign/player/bridge.html", PLACE, context)


@require_GET
@door("player")
def feed(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Answer the feed's rows above ``?after=`` as list items, newest first: what the stream sends, asked for."""
    text = request.GET.get("after", "0")
    after = int(text) if text.isdigit() and len(text) < 10 else 0
    rows = feed_rows(reversed(feed_for(side=entry.side, after=after, limit=SHOWN)))
    return render(request, "campaign/player/_feed_rows.html", {"feed": rows, "is_fresh": True})


def feed_rows(rows: Any) -> list[dict[str, Any]]:
    """Return feed rows as the page shows them."""
    return [
        {"number": row.number, "turn": row.turn, "kind": row.kind, "text": row.text, "rules": json.loads(row.rules)}
        for row in rows
    ]


def move_of(entry: Entry, frame: Frame) -> dict[str, Any]:
    """Return what is asked of the seat: a key for the page, and the turn it is about."""
    turn = frame.turn
    if turn is None:
        return {"ask": "nothing"}
    sheet = frame.own_sheet
    if turn.status == Turn.Status.OPEN and sheet is not None:
        if sheet.status == OrderSheet.Status.DRAFT:
            return {"ask": "orders" if entry.seat.role == Seat.Role.COMMANDER else "watch", "sheet": sheet}
        return {"ask": "sealed", "sheet": sheet}
    return {"ask": "wait"}


def open_battles(entry: Entry) -> list[dict[str, Any]]:
    """Return the side's engagements that wait for it: a bid, a result, a signature."""
    found = []
    rows = Briefing.objects.filter(side=entry.side, engagement__branch=entry.branch)
    for briefing in rows.order_by("-number"):
        body = unpack(briefing.body)
        asked = asked_of(body, entry.side.key)
        if asked:
            found.append({"number": briefing.number, "asked": asked, "status": body["status"]})
    return found


def asked_of(body: dict[str, Any], side: str) -> str:
    """Return what an engagement asks of a side now, or nothing."""
    status = body["status"]
    if status in (Engagement.Status.OPENED, Engagement.Status.BIDDING):
        open_rounds = [
            one["round"]
            for one in body["rounds"]
            if one["yours"] and one["bids"] is None and str(one["round"]) not in body["own_bids"]
        ]
        return f"bid for round {open_rounds[0]}" if open_rounds else ""
    if status in (Engagement.Status.SET, Engagement.Status.FIGHTING):
        return "fight it, then report the result"
    if status == Engagement.Status.REPORTED:
        unsigned = [report for report in body["reports"] if side not in report["signatures"]]
        return "sign the result, or report your own" if unsigned else ""
    return ""
