"""The system map as the reader's side knows it: now, or after an earlier turn."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaign.engine.errors import Problem, ProblemsError
from campaign.forms.schema_fields import course_text, fields_of
from campaign.forms.schema_reading import document_from
from campaign.models import OrderSheet
from campaign.selectors.reports import published_turns, report_for
from campaign.services.access import Entry
from campaign.services.orders import order_sheet_check, order_sheet_save, sheet_for
from campaign.services.refusals import NotThereError, not_there, status_of
from campaign.views.acts import refusal, whole_number
from campaign.views.chart.sight import Sight, sight_of
from campaign.views.doors import door, post_only
from campaign.views.frame import Frame, page
from campaign.views.player.lines import branch_named
from campaign.views.player.orders import can_write, own_report, sheet_schema
from operational.services.planner import ARRIVALS, OF_CONTACT, Plan, course_plan, is_planner_offered

PLACE = "map"
FORCES = "forces"


@require_GET
@door("player")
def system_map(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the newest report as a map; ``?turn=`` shows an earlier one of the current line."""
    return _answer(request, entry, branch_number=None)


@require_GET
@door("player")
def system_map_then(request: HttpRequest, entry: Entry, branch: int, turn: int) -> HttpResponse:
    """Show the map after a turn of a line, also of one that was left."""
    return _answer(request, entry, branch_number=branch, turn=turn)


@post_only
@door("commander")
def order(request: HttpRequest, entry: Entry, turn: int, force: str) -> HttpResponse:
    """Write the order of one force into the draft, from the map's panel."""
    report = own_report(entry)
    schema = _force_schema(entry, report, force)
    if schema is None:
        raise not_there("force")
    sheet = sheet_for(side=entry.side, turn_number=turn)
    place = f"/{FORCES}/{force}"
    written = document_from(schema, request.POST, place)
    document = _with_order(sheet.document, force, written)
    try:
        order_sheet_save(
            side=entry.side,
            turn_number=turn,
            version=whole_number(request.POST, "version"),
            document=document,
            user=entry.seat.user,
            now=timezone.now(),
        )
    except ProblemsError as error:
        query = request.GET.copy()
        query["force"] = force
        return _answer(
            request, entry, None, asked=query, refused=refusal(error), status=status_of(error), order=written
        )
    return redirect(f"{_map(entry)}?force={force}#chosen")


@post_only
@door("commander")
def order_check(request: HttpRequest, entry: Entry, turn: int, force: str) -> HttpResponse:
    """Answer the problems of one force's order as it is typed; nothing is kept."""
    schema = _force_schema(entry, own_report(entry), force)
    if schema is None:
        raise not_there("force")
    sheet = sheet_for(side=entry.side, turn_number=turn)
    written = document_from(schema, request.POST, f"/{FORCES}/{force}")
    problems = _problems_of(entry, _with_order(sheet.document, force, written), force)
    return render(request, "campaign/player/_burn_check.html", {"problems": _plainly(schema, written, problems, force)})


def _plainly(schema: dict[str, Any], written: Any, problems: list[dict[str, str]], force: str) -> list[Any]:
    """Return the problems in the words of the form they stand in."""
    return fields_of(schema, written, problems, f"/{FORCES}/{force}").all_problems()


def _problems_of(entry: Entry, document: dict[str, Any], force: str) -> list[dict[str, str]]:
    """Return the problems that a sheet has at one force's order."""
    place = f"/{FORCES}/{force}"
    return [
        problem.as_document()
        for problem in order_sheet_check(side=entry.side, document=document).problems
        if problem.place == place or problem.place.startswith(place + "/")
    ]


def _map(entry: Entry) -> str:
    return reverse(PLACE, args=[entry.campaign.token])


def _with_order(document: Any, force: str, written: Any) -> dict[str, Any]:
    """Return a sheet with one force's order replaced, or taken out where nothing is written."""
    sheet = dict(document) if isinstance(document, dict) else {}
    forces = dict(sheet.get(FORCES, {}))
    forces.pop(force, None)
    if written:
        forces[force] = written
    sheet.pop(FORCES, None)
    return {**sheet, FORCES: forces} if forces else sheet


def _force_schema(entry: Entry, report: dict[str, Any], force: str) -> dict[str, Any] | None:
    """Return the schema of one force's order, or None where it takes none."""
    section = sheet_schema(entry, report)["properties"].get(FORCES, {})
    found: dict[str, Any] | None = section.get("properties", {}).get(force)
    return found


def _answer(
    request: HttpRequest,
    entry: Entry,
    branch_number: int | None,
    *,
    turn: int | None = None,
    asked: Any = None,
    refused: list[dict[str, str]] | None = None,
    status: int = 200,
    order: Any = None,
) -> HttpResponse:
    asked = request.GET if asked is None else asked
    branch = entry.branch if branch_number is None else branch_named(entry, branch_number)
    turns = published_turns(side=entry.side, branch=branch)
    if turn is None and asked.get("turn", "").isdigit():
        turn = int(asked["turn"])
    report = report_for(side=entry.side, branch=branch, turn=turn)
    if report is None:
        raise not_there("report")
    numbers = Frame(entry, PLACE).side_numbers
    sight = sight_of(_map(entry) if request.method == "POST" else request.path, asked, report, numbers)
    is_now = branch == entry.branch and bool(turns) and report["turn"] == turns[-1]
    context: dict[str, Any] = {
        "report": report,
        "sight": sight,
        "chart": sight.chart,
        "turns": turns,
        "is_now": is_now,
        "refused": refused or [],
        **_panel(request, entry, report, sight, asked, is_now=is_now, order=order),
    }
    return page(request, entry, "campaign/player/map.html", PLACE, context, status)


def _panel(
    request: HttpRequest, entry: Entry, report: dict[str, Any], sight: Sight, asked: Any, *, is_now: bool, order: Any
) -> dict[str, Any]:
    """Return the panel of the chosen force or contact, with its order form where one may still be written."""
    force = next((each for each in report["forces"] if each["id"] == asked.get("force")), None)
    contact = next((each for each in report["contacts"] if each["id"] == asked.get("contact")), None)
    found: dict[str, Any] = {"force": force, "contact": contact}
    if force is None or not is_now:
        return found
    found["ships"] = [ship for ship in report["ships"] if ship["force"] == force["id"]]
    try:
        sheet: OrderSheet = sheet_for(side=entry.side)
    except NotThereError:
        return found
    schema = _force_schema(entry, report, force["id"]) if can_write(entry, sheet) else None
    if schema is None:
        return found
    written = sheet.document.get(FORCES, {}).get(force["id"]) if order is None else order
    place = f"/{FORCES}/{force['id']}"
    plan, found["plan_problems"] = _plan(report, force, asked)
    if plan is not None:
        written = {
            **{key: value for key, value in (written or {}).items() if key != "thrust"},
            "course": list(plan.changes),
        }
        found["plan"], found["plan_text"] = plan, course_text(list(plan.changes))
    document = _with_order(sheet.document, force["id"], written)
    problems = _problems_of(entry, document, force["id"])
    drawn = fields_of(schema, written, problems, place)
    drawn.tell_at("burn-check")
    found |= {
        "sheet": sheet,
        "order": drawn,
        "arrivals": ARRIVALS if force["place"] == "map" and is_planner_offered(report=report) else {},
        "asked": {key: asked.get(key, "") for key in ("arrive", "q", "r", "z", "target")},
        "targets": [each for each in report["contacts"] if each["system"] == force["system"] and not each["lost"]],
    }
    return found


def _plan(report: dict[str, Any], force: dict[str, Any], asked: Any) -> tuple[Plan | None, list[dict[str, str]]]:
    """Return the course that the address asks for, or why there is none."""
    arrive = asked.get("arrive", "")
    if arrive not in ARRIVALS or not is_planner_offered(report=report):
        return None, []
    contact = next((each for each in report["contacts"] if each["id"] == asked.get("target")), None)
    try:
        at = None if arrive in OF_CONTACT else _hex(asked)
        return course_plan(report=report, force=force, arrive=arrive, at=at, contact=contact), []
    except ProblemsError as error:
        return None, refusal(error)


def _hex(asked: Any) -> tuple[int, int, int]:
    try:
        q, r, z = (int(asked.get(key, "").strip().replace("−", "-") or 0) for key in ("q", "r", "z"))
    except ValueError as error:
        message = "q, r and z are whole numbers of hexes."
        raise ProblemsError([Problem("/to", "not-whole-number", message)]) from error
    return q, r, z
