"""Engagements as one side may read them: the briefing, its bids, the setting, the result and the points."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaign.engine.errors import ProblemsError
from campaign.forms import schema as s
from campaign.forms.schema_fields import Field, fields_of
from campaign.forms.schema_reading import document_from
from campaign.models import BattleReport, Briefing, Engagement, Seat
from campaign.selectors.archive import unpack
from campaign.selectors.rulesets import ruleset_of
from campaign.services.access import Entry
from campaign.services.engagements import bid_file, engagement_for, report_file, report_sign
from campaign.services.refusals import not_there, status_of
from campaign.views.acts import act, refusal, whole_number
from campaign.views.chart.battle_start import start_chart
from campaign.views.doors import door, post_only
from campaign.views.frame import Frame, page
from campaign.views.player.bridge import asked_of

PLACE = "battles"
BIDDABLE = (Engagement.Status.OPENED, Engagement.Status.BIDDING)
REPORTABLE = (Engagement.Status.SET, Engagement.Status.FIGHTING, Engagement.Status.REPORTED)
BID = "/bid"
VECTOR = {"type": "object", "x-widget": "vector", "x-unit": "hexes a turn"}


@require_GET
@door("player")
def battles(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the side's engagements of the current line, the newest first."""
    rows = []
    briefings = Briefing.objects.filter(side=entry.side, engagement__branch=entry.branch).order_by("-number")
    for briefing in briefings:
        body = unpack(briefing.body)
        rows.append({"number": briefing.number, "body": body, "asked": asked_of(body, entry.side.key)})
    return page(request, entry, "campaign/player/battles.html", PLACE, {"rows": rows})


@require_GET
@door("player")
def battle(request: HttpRequest, entry: Entry, number: int) -> HttpResponse:
    """Show one engagement."""
    return _answer(request, entry, number)


@post_only
@door("commander")
def bid(request: HttpRequest, entry: Entry, number: int) -> HttpResponse:
    """File the side's secret bid of a round."""
    engagement = engagement_for(side=entry.side, number=number)
    body = _briefing(entry, number)
    round_number = whole_number(request.POST, "round")
    document = document_from(bid_schema(body["engagement"], entry.side.key), request.POST, BID)
    try:
        bid_file(
            engagement=engagement,
            side=entry.side,
            round_number=round_number,
            bid=document,
            user=entry.seat.user,
            now=timezone.now(),
        )
    except ProblemsError as error:
        typed = {"round": round_number, "bid": document, "problems": refusal(error)}
        return _answer(request, entry, number, typed_bid=typed, status=status_of(error))
    messages.success(request, f"Your bid for round {round_number} is filed; nobody reads it before its round.")
    return redirect("battle", entry.campaign.token, number)


@post_only
@door("commander")
def report(request: HttpRequest, entry: Entry, number: int) -> HttpResponse:
    """File the side's result."""
    engagement = engagement_for(side=entry.side, number=number)
    body = _briefing(entry, number)
    schema = s.schema_of(ruleset_of(entry.campaign).report_schema(body["engagement"]))
    document = document_from(schema, request.POST)
    try:
        report_file(engagement=engagement, side=entry.side, document=document, user=entry.seat.user, now=timezone.now())
    except ProblemsError as error:
        typed = {"document": document, "problems": refusal(error)}
        return _answer(request, entry, number, typed_report=typed, status=status_of(error))
    messages.success(request, "Your result is filed. It stands when every side agrees, or the game master rules.")
    return redirect("battle", entry.campaign.token, number)


@post_only
@door("commander")
def sign(request: HttpRequest, entry: Entry, number: int, digest: str) -> HttpResponse:
    """Sign a result that another side filed."""
    engagement = engagement_for(side=entry.side, number=number)
    filed = BattleReport.objects.filter(engagement=engagement, issue=engagement.issue, digest=digest).first()
    if filed is None:
        raise not_there("report")
    user = entry.seat.user
    return act(
        request,
        lambda: report_sign(report=filed, side=entry.side, user=user, now=timezone.now()),
        "You have signed the result.",
        "battle",
        entry.campaign.token,
        number,
    )


def bid_schema(engagement: dict[str, Any], side: str) -> dict[str, Any]:
    """Return the form of one bid: vectors, or vectors for each own force where there are several."""
    own = [force for force in engagement["sides"][side]["forces"] if force["issue"] == 1]
    if len(own) < 2:
        return {**VECTOR, "title": own[0]["name"] if own else "Bid"}
    properties = {force["id"]: {**VECTOR, "title": force["name"]} for force in own}
    return {"type": "object", "title": "Bid", "properties": properties}


def _briefing(entry: Entry, number: int) -> dict[str, Any]:
    briefing = Briefing.objects.filter(side=entry.side, number=number, engagement__branch=entry.branch).first()
    if briefing is None:
        raise not_there("engagement")
    body: dict[str, Any] = unpack(briefing.body)
    return body


def _answer(
    request: HttpRequest,
    entry: Entry,
    number: int,
    *,
    typed_bid: dict[str, Any] | None = None,
    typed_report: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    body = _briefing(entry, number)
    engagement = body["engagement"]
    frame = Frame(entry, PLACE)
    is_commander = entry.seat.role == Seat.Role.COMMANDER
    names = names_of(engagement)
    rounds = _rounds(body, entry.side.key, names, is_commander, typed_bid)
    context: dict[str, Any] = {
        "number": number,
        "body": body,
        "engagement": engagement,
        "asked": asked_of(body, entry.side.key),
        "sides": sides_of(engagement),
        "rounds": rounds,
        "start": start_chart(engagement, frame.side_numbers),
        "steps": steps_of(engagement, names),
        "names": names,
        "reports": [read_report(each, names, entry.side.key) for each in body["reports"]],
        "can_sign": is_commander and body["status"] == Engagement.Status.REPORTED,
        "score": score_of(body["score"], engagement),
    }
    if is_commander and body["status"] in REPORTABLE:
        typed = typed_report or {"document": {}, "problems": []}
        schema = s.schema_of(ruleset_of(entry.campaign).report_schema(engagement))
        context["form"] = fields_of(schema, typed["document"], typed["problems"])
        context["is_typed"] = typed_report is not None
    # a refusal that has no form left to stand in stands above the page
    has_place = any(one["form"] is not None and typed_bid and one["round"] == typed_bid["round"] for one in rounds)
    homeless = [] if typed_bid is None or has_place else typed_bid["problems"]
    context["refused"] = [*homeless, *(typed_report["problems"] if typed_report and "form" not in context else [])]
    return page(request, entry, "campaign/player/battle.html", PLACE, context, status)


def names_of(engagement: dict[str, Any]) -> dict[str, str]:
    """Return the names of forces and ships by their marks, as the reader knows them."""
    names = {}
    for each in engagement["sides"].values():
        for force in each["forces"]:
            names[force["id"]] = force["name"]
            names |= {ship["id"]: ship["name"] for ship in force["ships"]}
    return names


def sides_of(engagement: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the sides that meet, by key, each with its forces."""
    return [{"key": key, **each} for key, each in sorted(engagement["sides"].items())]


def _rounds(
    body: dict[str, Any], side: str, names: dict[str, str], is_commander: bool, typed: dict[str, Any] | None
) -> list[dict[str, Any]]:
    """Return the rounds of bids: what is revealed, what is filed, and the form where one may still bid."""
    rows = []
    schema = bid_schema(body["engagement"], side)
    for one in body["rounds"]:
        own = body["own_bids"].get(str(one["round"]))
        form: Field | None = None
        if is_commander and one["yours"] and one["bids"] is None and body["status"] in BIDDABLE:
            is_typed = typed is not None and typed["round"] == one["round"]
            value, problems = (typed["bid"], typed["problems"]) if is_typed and typed else (own, [])
            # the page has a form a round: without a mark of its own each field would have the others' id
            placed = [{**problem, "place": BID + problem["place"]} for problem in problems]
            form = fields_of(schema, value, placed, BID)
        rows.append(
            {
                **one,
                "own": None if own is None else spoken_bid(own, names),
                "shown": None
                if one["bids"] is None
                else [(key, spoken_bid(each, names)) for key, each in sorted(one["bids"].items())],
                "form": form,
            }
        )
    return rows


def spoken_bid(bid: dict[str, Any], names: dict[str, str]) -> list[tuple[str, dict[str, int]]]:
    """Return a bid as pairs of a force's name ("" for all of a side's) and vectors."""
    if all(isinstance(value, int) for value in bid.values()):
        return [("", bid)]
    return [(names.get(mark, mark), vectors) for mark, vectors in bid.items()]


def steps_of(engagement: dict[str, Any], names: dict[str, str]) -> list[dict[str, Any]]:
    """Return the account of bids and frames with the forces' names."""
    setting = engagement.get("setting") or {}
    return [
        {
            "kind": step["kind"],
            "round": step["round"],
            "frame": step["frame"],
            "change": [(names.get(mark, mark), each) for mark, each in step["change"].items()],
            "velocities": [(names.get(mark, mark), each) for mark, each in step["velocities"].items()],
        }
        for step in setting.get("steps", [])
    ]


def read_report(filed: dict[str, Any], names: dict[str, str], side: str) -> dict[str, Any]:
    """Return a filed result as its reader sees it: every ship's fate, the turns, the objectives."""
    document = filed["document"]
    return {
        **filed,
        "is_signed_here": side in filed["signatures"],
        "ships": [{"name": names.get(mark, mark), **result} for mark, result in document.get("ships", {}).items()],
        "turns": document.get("tactical_turns"),
        "objectives": document.get("objectives", []),
    }


def score_of(score: dict[str, Any] | None, engagement: dict[str, Any]) -> dict[str, Any] | None:
    """Return the account of points with the sides' names."""
    if score is None:
        return None
    names = {key: each["name"] for key, each in engagement["sides"].items()}
    sides = [{**each, "name": names.get(each["side"], each["side"])} for each in score.get("sides", [])]
    return {**score, "sides": sides, "winner_name": names.get(score.get("winner") or "", "")}
