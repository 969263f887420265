"""Engagements for the GM: bids, results, rulings, and calling one off."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaign.engine.errors import ProblemsError
from campaign.forms import schema as s
from campaign.forms.schema_fields import fields_of
from campaign.forms.schema_reading import document_from
from campaign.models import Engagement
from campaign.selectors.archive import unpack
from campaign.selectors.rulesets import ruleset_of
from campaign.services.access import Entry
from campaign.services.engagements import (
    bidding_close,
    engagement_void,
    report_file,
    report_rule,
    revealed_rounds,
)
from campaign.services.refusals import not_there, status_of
from campaign.views.acts import act, refusal
from campaign.views.chart.battle_start import start_chart
from campaign.views.doors import door, post_only
from campaign.views.frame import Frame, page
from campaign.views.player.battles import (
    BIDDABLE,
    REPORTABLE,
    names_of,
    read_report,
    score_of,
    sides_of,
    spoken_bid,
    steps_of,
)
from tactical.services.battles import battle_told, engagement_way_choose

PLACE = "gm-battles"
ONE = "gm-battle"


@require_GET
@door("gm")
def battles(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show every engagement of the current line, the newest first."""
    rows = [
        {"engagement": each, "briefings": list(each.briefings.select_related("side"))}
        for each in Engagement.objects.filter(branch=entry.branch).order_by("-turn", "-pk")
    ]
    return page(request, entry, "campaign/gm/battles.html", PLACE, {"rows": rows})


@require_GET
@door("gm")
def battle(request: HttpRequest, entry: Entry, engagement: str) -> HttpResponse:
    """Show one engagement whole."""
    return _answer(request, entry, _named(entry, engagement))


@post_only
@door("gm")
def close(request: HttpRequest, entry: Entry, engagement: str) -> HttpResponse:
    """End the bidding; a bid that did not come counts as none."""
    row, user = _named(entry, engagement), entry.seat.user
    return act(
        request,
        lambda: bidding_close(engagement=row, user=user, now=timezone.now()),
        "The bidding is closed and the engagement is set.",
        ONE,
        entry.campaign.token,
        engagement,
    )


@post_only
@door("gm")
def way(request: HttpRequest, entry: Entry, engagement: str) -> HttpResponse:
    """Choose how the engagement is fought."""
    row, user = _named(entry, engagement), entry.seat.user
    chosen = request.POST.get("way", "")
    return act(
        request,
        lambda: engagement_way_choose(engagement=row, way=chosen, user=user, now=timezone.now()),
        "How it is fought is settled.",
        ONE,
        entry.campaign.token,
        engagement,
    )


@post_only
@door("gm")
def report(request: HttpRequest, entry: Entry, engagement: str) -> HttpResponse:
    """File the GM's result, which stands at once."""
    row = _named(entry, engagement)
    schema = s.schema_of(ruleset_of(entry.campaign).report_schema(_document(row)))
    document = document_from(schema, request.POST)
    try:
        report_file(engagement=row, side=None, document=document, user=entry.seat.user, now=timezone.now())
    except ProblemsError as error:
        return _answer(request, entry, row, {"document": document, "problems": refusal(error)}, status_of(error))
    messages.success(request, "The result stands; the next turn takes the survivors back to the map.")
    return redirect(ONE, entry.campaign.token, engagement)


@post_only
@door("gm")
def rule(request: HttpRequest, entry: Entry, engagement: str, digest: str) -> HttpResponse:
    """Rule that a side's result stands."""
    row, user = _named(entry, engagement), entry.seat.user
    filed = row.reports.filter(issue=row.issue, digest=digest).first()
    if filed is None:
        raise not_there("report")
    return act(
        request,
        lambda: report_rule(report=filed, user=user, now=timezone.now()),
        "That result stands.",
        ONE,
        entry.campaign.token,
        engagement,
    )


@post_only
@door("gm")
def void(request: HttpRequest, entry: Entry, engagement: str) -> HttpResponse:
    """Call an engagement off, with a reason."""
    row, user = _named(entry, engagement), entry.seat.user
    reason = request.POST.get("reason", "")
    return act(
        request,
        lambda: engagement_void(engagement=row, reason=reason, user=user, now=timezone.now()),
        "Called off; the next turn lets the forces go.",
        ONE,
        entry.campaign.token,
        engagement,
    )


def _named(entry: Entry, token: str) -> Engagement:
    row = Engagement.objects.select_related("campaign", "branch").filter(branch=entry.branch, token=token).first()
    if row is None:
        raise not_there("engagement")
    return row


def _document(row: Engagement) -> dict[str, Any]:
    document: dict[str, Any] = unpack(row.settled or row.document)
    return document


def _answer(
    request: HttpRequest, entry: Entry, row: Engagement, typed: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    document = _document(row)
    names = names_of(document)
    ruleset = ruleset_of(entry.campaign)
    shown = revealed_rounds(row)
    filed: dict[int, dict[str, Any]] = {}
    for bid in row.bids.filter(issue=row.issue).select_related("side"):
        filed.setdefault(bid.round, {})[bid.side.key] = spoken_bid(bid.bid, names)
    side_names = {key: each["name"] for key, each in document["sides"].items()}
    rounds = [
        {
            "round": one["round"],
            "is_shown": one["round"] in shown,
            "bids": [(key, side_names[key], filed.get(one["round"], {}).get(key)) for key in one["sides"]],
        }
        for one in ruleset.bidding_rounds(unpack(row.document))
    ]
    reports = [
        {
            "digest": each.digest,
            "by": each.side.key if each.side else "all" if each.signatures else "gm",
            "status": each.status,
            "signatures": each.signatures,
            "document": each.document,
        }
        for each in row.reports.filter(issue=row.issue).select_related("side")
    ]
    context: dict[str, Any] = {
        "row": row,
        "token": row.token,
        "engagement": document,
        "sides": sides_of(document),
        "rounds": rounds,
        "can_close": row.status in BIDDABLE,
        "fought": battle_told(row),
        "can_void": row.status not in (Engagement.Status.SIGNED, Engagement.Status.VOID),
        "can_choose": row.status in (Engagement.Status.SET, Engagement.Status.FIGHTING),
        "can_rule": row.status == Engagement.Status.REPORTED,
        "ways": Engagement.Way.choices,
        "start": start_chart(document, Frame(entry, PLACE).side_numbers),
        "steps": steps_of(document, names),
        "names": names,
        "reports": [read_report(each, names, "gm") for each in reports],
        "score": score_of(row.score, document),
    }
    if row.status in REPORTABLE:
        kept = typed or {"document": {}, "problems": []}
        schema = s.schema_of(ruleset.report_schema(document))
        context["form"] = fields_of(schema, kept["document"], kept["problems"])
        context["is_typed"] = typed is not None
    elif typed is not None:
        context["refused"] = typed["problems"]
    return page(request, entry, "campaign/gm/battle.html", PLACE, context, status)
