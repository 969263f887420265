"""What happened, turn by turn, as the side read it: feed, own sheet, map, and the dice of its own seed."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from campaign.forms.schema_fields import fields_of
from campaign.models import Branch, Feed, OrderSheet, Side, Turn
from campaign.selectors.reports import published_turns, report_for, report_row
from campaign.services.access import Entry
from campaign.services.refusals import not_there
from campaign.views.doors import door
from campaign.views.frame import instants, page
from campaign.views.player.bridge import feed_rows
from campaign.views.player.lines import branch_named, branches_of
from campaign.views.player.orders import sheet_schema, spoken

PLACE = "history"


@require_GET
@door("player")
def history(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the published turns of a line (the current one by default), the newest first, each with its news."""
    text = request.GET.get("line", "")
    branch = branch_named(entry, int(text)) if text.isdigit() else entry.branch
    turns = published_turns(side=entry.side, branch=branch)
    news: dict[int, list[Any]] = {}
    for row in feed_of_line(entry.side, branch):
        news.setdefault(row["turn"], []).append(row)
    rows = [
        {"turn": turn, "at": instants(entry.campaign, turn), "news": news.get(turn, [])} for turn in reversed(turns)
    ]
    context = {"rows": rows, "branch": branch, "branches": branches_of(entry)}
    return page(request, entry, "campaign/player/history.html", PLACE, context)


@require_GET
@door("player")
def turn(request: HttpRequest, entry: Entry, branch: int, turn: int) -> HttpResponse:
    """Show one published turn: its news, the own sheet, and what its dice can be checked with."""
    line = branch_named(entry, branch)
    row = report_row(side=entry.side, branch=line, turn=turn)
    if row is None:
        raise not_there("turn")
    turns = published_turns(side=entry.side, branch=line)
    played = Turn.objects.filter(branch=row.branch, number=turn, status=Turn.Status.PUBLISHED).first()
    sheet = OrderSheet.objects.filter(turn=played, side=entry.side).first() if played is not None else None
    context = {
        "number": turn,
        "at": instants(entry.campaign, turn),
        "line": line,
        "turns": turns,
        "before": max((each for each in turns if each < turn), default=None),
        "after": min((each for each in turns if each > turn), default=None),
        "feed": feed_rows(Feed.objects.filter(side=entry.side, branch=row.branch, turn=turn).order_by("number")),
        "sheet": sheet,
        "said": _said(entry, sheet),
        "dice": dice_of(entry, played),
        "digest": row.digest,
    }
    return page(request, entry, "campaign/player/turn.html", PLACE, context)


def dice_of(entry: Entry, played: Turn | None) -> dict[str, Any] | None:
    """Return the commitments of a published turn, and the seeds open to the side: its own, all after the reveal."""
    if played is None:
        return None
    side: Side = entry.side
    is_revealed = entry.campaign.revealed_at is not None
    seeds = {owner: seed for owner, seed in played.seeds.items() if is_revealed or owner == side.key}
    rows = [
        {"owner": owner, "commitment": commitment, "seed": seeds.get(owner)}
        for owner, commitment in sorted(played.commitments.items())
    ]
    return {"rows": rows, "is_revealed": is_revealed}


def _said(entry: Entry, sheet: OrderSheet | None) -> list[dict[str, Any]]:
    if sheet is None:
        return []
    report = report_for(side=entry.side, branch=sheet.turn.branch, turn=sheet.turn.number - 1)
    if report is None:
        return []
    return spoken(fields_of(sheet_schema(entry, report), sheet.document, sheet.problems))


def feed_of_line(side: Side, branch: Branch) -> list[dict[str, Any]]:
    """Return the side's news of a line, oldest first: of a branch that was left only what lies before the fork."""
    found: list[dict[str, Any]] = []
    here: Branch | None = branch
    last: int | None = None
    while here is not None:
        rows = Feed.objects.filter(side=side, branch=here)
        found += feed_rows(rows if last is None else rows.filter(turn__lte=last))
        if here.forked_after is not None:
            last = here.forked_after if last is None else min(last, here.forked_after)
        here = here.parent
    return sorted(found, key=lambda row: int(row["number"]))
