"""What the side believes of others, and the ledger of its own attempts to learn."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from campaign.services.access import Entry
from campaign.views.chart.marks import age_words
from campaign.views.doors import door
from campaign.views.frame import page
from campaign.views.player.orders import own_report

PLACE = "contacts"


@require_GET
@door("player")
def contacts(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the contacts by their numbers, the lost ones last, and the ledger of the newest turn."""
    report = own_report(entry)
    ships = {ship["id"]: ship for ship in report["ships"]}
    rows = [{"contact": each, "age": age_words(each["age"])} for each in report["contacts"]]
    ledger = [{**each, "ship_row": ships.get(each["ship"])} for each in report["ledger"]]
    context = {"report": report, "rows": sorted(rows, key=_is_lost), "ledger": ledger}
    return page(request, entry, "campaign/player/contacts.html", PLACE, context)


def _is_lost(row: dict[str, dict[str, bool]]) -> bool:
    return row["contact"]["lost"]
