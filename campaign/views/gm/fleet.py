"""Every ship of the campaign for the GM: the roster by force, and each record sheet."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from campaign.selectors import umpire
from campaign.services.access import Entry
from campaign.views.doors import door
from campaign.views.frame import page
from campaign.views.gm.system_map import turns_of
from campaign.views.player.fleet import record, roster

PLACE = "gm-fleet"


@require_GET
@door("gm")
def fleet(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the roster of all sides after the newest turn."""
    truth = _truth(entry)
    return page(request, entry, "campaign/gm/fleet.html", PLACE, {"report": truth, "groups": roster(truth)})


@require_GET
@door("gm")
def ship(request: HttpRequest, entry: Entry, ship: str) -> HttpResponse:
    """Show a ship's record sheet."""
    return page(request, entry, "campaign/gm/ship.html", PLACE, record(_truth(entry), ship))


def _truth(entry: Entry) -> dict[str, Any]:
    return umpire.overview_at(entry.branch, turns_of(entry)[-1])
