"""The system map for the GM: the truth, or exactly what one side sees, after any turn, staged ones too."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from campaign.models import Snapshot
from campaign.selectors import umpire
from campaign.services.access import Entry
from campaign.services.refusals import not_there
from campaign.views.chart.sight import sight_of
from campaign.views.doors import door
from campaign.views.frame import Frame, page
from campaign.views.gm.desk import side_of

PLACE = "gm-map"


@require_GET
@door("gm")
def system_map(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the truth after ``?turn=`` (the newest by default); ``?as=`` shows one side's report instead."""
    turns = turns_of(entry)
    asked = request.GET.get("turn", "")
    turn = int(asked) if asked.isdigit() else turns[-1]
    if turn not in turns:
        raise not_there("turn")
    key = request.GET.get("as", "")
    side = side_of(entry, key) if key else None
    if key and side is None:
        raise not_there("side")
    report = umpire.overview_at(entry.branch, turn) if side is None else umpire.staged_report(entry.branch, turn, side)
    sight = sight_of(request.path, request.GET, report, Frame(entry, PLACE).side_numbers)
    chosen = sight.chosen
    context: dict[str, Any] = {
        "report": report,
        "sight": sight,
        "chart": sight.chart,
        "turns": turns,
        "is_now": turn == turns[-1],
        "seen_by": side,
        "force": next((each for each in report["forces"] if each["id"] == chosen), None),
        "contact": next((each for each in report["contacts"] if each["id"] == chosen), None),
        "ships": [ship for ship in report["ships"] if chosen and ship["force"] == chosen],
    }
    return page(request, entry, "campaign/gm/map.html", PLACE, context)


def turns_of(entry: Entry) -> list[int]:
    """Return the turns of the current line that have a snapshot, oldest first."""
    turns: set[int] = set()
    for branch, last in umpire.line_of(entry.branch):
        rows = Snapshot.objects.filter(branch=branch)
        turns |= set((rows if last is None else rows.filter(turn__lte=last)).values_list("turn", flat=True))
    return sorted(turns)
