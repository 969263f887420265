"""The side's ships: the roster, and each ship's record sheet with its present damage."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from campaign.services.access import Entry
from campaign.services.refusals import not_there
from campaign.views.doors import door
from campaign.views.frame import page
from campaign.views.player.orders import own_report

PLACE = "fleet"


@require_GET
@door("player")
def fleet(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the roster by force."""
    report = own_report(entry)
    context = {"report": report, "groups": roster(report)}
    return page(request, entry, "campaign/player/fleet.html", PLACE, context)


@require_GET
@door("player")
def ship(request: HttpRequest, entry: Entry, ship: str) -> HttpResponse:
    """Show a ship's record sheet."""
    report = own_report(entry)
    context = {"report": report, **record(report, ship)}
    return page(request, entry, "campaign/player/ship.html", PLACE, context)


def roster(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the ships of a report by force, those of no force last."""
    by_force: dict[str | None, list[dict[str, Any]]] = {}
    for each in report["ships"]:
        by_force.setdefault(each["force"], []).append(each)
    groups = [
        {"force": force, "ships": by_force.pop(force["id"])} for force in report["forces"] if force["id"] in by_force
    ]
    rest = [each for ships in by_force.values() for each in ships]
    return [*groups, *([{"force": None, "ships": rest}] if rest else [])]


def record(report: dict[str, Any], token: str) -> dict[str, Any]:
    """Return a ship of a report with its force, and its tracks: the class's own, with the damage on them."""
    found = next((each for each in report["ships"] if each["id"] == token), None)
    if found is None:
        raise not_there("ship")
    sheet = report.get("classes", {}).get(found["class"], {})
    marked = {track["name"]: track for track in found["tracks"]}
    tracks = [marked.pop(track["name"], track) for track in sheet.get("tracks", [])] + list(marked.values())
    return {
        "ship": found,
        "sheet": sheet,
        "force": next((force for force in report["forces"] if force["id"] == found["force"]), None),
        "tracks": [{**track, "cells": cells(track)} for track in tracks],
    }


def cells(track: dict[str, Any]) -> list[str]:
    """Return the boxes of a track in order: rigged ones first among those lost, then lost, then whole."""
    rigged = min(track.get("rigged", 0), track["lost"])
    return ["rigged"] * rigged + ["hit"] * (track["lost"] - rigged) + [""] * (track["boxes"] - track["lost"])
