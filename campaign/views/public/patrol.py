"""Patrol scenarios: opened by anyone, taken by invitation, read as a result by whoever has its address."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaign.engine.errors import ProblemsError
from campaign.forms.patrol import opening_from
from campaign.rulebooks.saganami.patrol import DEFAULT_YEAR
from campaign.rulebooks.saganami.patrol_view import public_view
from campaign.selectors.patrol import patrol_factions, patrol_state
from campaign.services.patrol import patrol_invitation, patrol_open, patrol_result, patrol_take
from campaign.services.patrol_papers import result_lines
from campaign.services.refusals import status_of
from campaign.services.tokens import new_token
from campaign.views.acts import refusal
from campaign.views.doors import door

PLACE = "patrol"
YEARS = (1, 9999)


@door("public")
def patrol_new(request: HttpRequest) -> HttpResponse:
    """Show what is to be agreed on; on POST open the scenario and show its links, which are shown once."""
    problems: list[dict[str, str]] = []
    status = 200
    if request.method == "POST":
        try:
            opened = patrol_open(
                document=opening_from(request.POST),
                opener=request.POST.get("opener", "attacker"),
                nonce=request.POST.get("nonce", ""),
                now=timezone.now(),
            )
        except ProblemsError as error:
            problems, status = refusal(error), status_of(error)
        else:
            context = {"opened": opened, "place": PLACE}
            return _private(render(request, "campaign/public/patrol/opened.html", context, status=201))
    given = request.POST if request.method == "POST" else request.GET
    year = _year(given.get("year", ""))
    context = {
        "place": PLACE,
        "problems": problems,
        "given": given,
        "year": year,
        "factions": sorted(
            (one for one in patrol_factions(year) if one["classes"]),
            key=lambda one: (-len(one["classes"]), one["faction"]),
        ),
        "nonce": new_token(),
    }
    return _private(render(request, "campaign/public/patrol/new.html", context, status=status))


def _year(text: str) -> int:
    """Return the year whose factions are shown: the one asked for where it is one."""
    return int(text) if text.isdecimal() and len(text) < 5 and YEARS[0] <= int(text) <= YEARS[1] else DEFAULT_YEAR


@door("public")
def patrol_join(request: HttpRequest, patrol_invitation_secret: str) -> HttpResponse:
    """Show what an invitation offers; on POST take the seat, whose own link follows."""
    seat = patrol_invitation(secret=patrol_invitation_secret)
    if request.method == "POST":
        _, secret = patrol_take(
            secret=patrol_invitation_secret,
            name=request.POST.get("name", ""),
            nonce=request.POST.get("nonce", ""),
            now=timezone.now(),
        )
        return _private(redirect("patrol-seat", secret))
    context = {"role": seat.role, "patrol": public_view(patrol_state(seat.row)), "nonce": new_token(), "place": PLACE}
    return _private(render(request, "campaign/public/patrol/join.html", context))


@require_GET
@door("public")
def patrol_shown(request: HttpRequest, patrol_id: str) -> HttpResponse:
    """Show a scenario that is laid open: result, both sides, the record, the opened seeds and their replay."""
    result = patrol_result(token=patrol_id)
    sides = [
        {
            "role": role,
            "number": number,
            "public": result["sides"][role],
            "open": result["sides_open"][role],
            "score": _score_of(result["score"], role),
        }
        for number, role in enumerate(("attacker", "defender"), start=1)
    ]
    context = {
        "result": result,
        "sides": sides,
        "lines": result_lines(result),
        "place": PLACE,
        "seeds": sorted(result["seeds"].items()),
    }
    return render(request, "campaign/public/patrol/result.html", context)


def _score_of(score: dict[str, Any] | None, role: str) -> dict[str, Any] | None:
    return next((side for side in score["sides"] if side["side"] == role), None) if score else None


def _private(response: HttpResponse) -> HttpResponse:
    """Keep a page with a secret out of every cache."""
    response.headers["Cache-Control"] = "no-store"
    return response
