"""The order sheet: drawn from the ruleset's schema over the side's own report, checked, drafted, sealed, unsealed."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaign.engine.errors import ProblemsError
from campaign.engine.ruleset import OperationalRuleset
from campaign.forms import schema as s
from campaign.forms.schema_fields import Field, fields_of
from campaign.forms.schema_reading import document_from
from campaign.models import OrderSheet, Seat, Turn
from campaign.selectors.reports import report_for
from campaign.selectors.rulesets import ruleset_of
from campaign.services.access import Entry
from campaign.services.orders import (
    order_sheet_check,
    order_sheet_save,
    order_sheet_seal,
    order_sheet_unseal,
    sheet_for,
)
from campaign.services.refusals import StaleError, not_there, status_of
from campaign.views.acts import refusal, whole_number
from campaign.views.doors import door, post_only
from campaign.views.frame import page

PLACE = "orders"
OVERTAKEN = "sheet-overtaken"
FORCE, LIST = "force", "list"  # sections whose orders have a check of their own


def own_report(entry: Entry, turn: int | None = None) -> dict[str, Any]:
    """Return the side's report after a turn (the newest by default), or 404."""
    report = report_for(side=entry.side, branch=entry.branch, turn=turn)
    if report is None:
        raise not_there("report")
    return report


def sheet_schema(entry: Entry, report: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the side's sheet, ready for drawing."""
    ruleset: OperationalRuleset = ruleset_of(entry.campaign)
    return s.schema_of(ruleset.order_schema(report))


def drawn(schema: dict[str, Any], document: Any, problems: list[dict[str, str]]) -> Field:
    """Return the sheet's form; the problems of an order stand in its own check."""
    root = fields_of(schema, document, problems)
    for section in root.children:
        if section.section in (FORCE, LIST):
            for order in section.children:
                order.told_at = order.id + "-check"
                order.tell_at(order.id + "-check")
    return root


def can_write(entry: Entry, sheet: OrderSheet) -> bool:
    """Return whether this seat may still change the sheet."""
    is_open = sheet.turn.status == Turn.Status.OPEN and sheet.status == OrderSheet.Status.DRAFT
    return is_open and entry.seat.role == Seat.Role.COMMANDER


@require_GET
@door("player")
def orders(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the sheet of the turn on the table: to write, or as it was sealed."""
    sheet = sheet_for(side=entry.side)
    return _answer(request, entry, sheet, sheet.document)


@require_GET
@door("player")
def orders_of_turn(request: HttpRequest, entry: Entry, turn: int) -> HttpResponse:
    """Show the side's own sheet of an earlier turn of the current line."""
    sheet = sheet_for(side=entry.side, turn_number=turn)
    return _answer(request, entry, sheet, sheet.document)


@post_only
@door("commander")
def write(request: HttpRequest, entry: Entry, turn: int) -> HttpResponse:
    """Keep the sheet as written; with "seal" seal it, with "more" show one more empty line."""
    report = own_report(entry)
    document = document_from(sheet_schema(entry, report), request.POST)
    version = whole_number(request.POST, "version")
    try:
        sheet = order_sheet_save(
            side=entry.side,
            turn_number=turn,
            version=version,
            document=document,
            user=entry.seat.user,
            now=timezone.now(),
        )
    except StaleError as error:
        return _stale(request, entry, turn, document, error)
    if request.POST.get("act") != "seal":
        messages.success(request, f"Your draft for turn {turn} is kept.")
        return redirect("orders", entry.campaign.token)
    try:
        order_sheet_seal(
            side=entry.side,
            turn_number=turn,
            version=sheet.version,
            nonce=request.POST.get("nonce", "").strip(),
            user=entry.seat.user,
            now=timezone.now(),
        )
    except ProblemsError as error:
        sheet = sheet_for(side=entry.side, turn_number=turn)
        return _answer(request, entry, sheet, document, refusal(error), status_of(error))
    messages.success(request, f"Your sheet for turn {turn} is sealed.")
    return redirect("orders", entry.campaign.token)


@post_only
@door("commander")
def check(request: HttpRequest, entry: Entry, turn: int) -> HttpResponse:
    """Answer the problems of a sheet as it is typed; nothing is kept."""
    sheet = sheet_for(side=entry.side, turn_number=turn)
    report = own_report(entry)
    schema = sheet_schema(entry, report)
    document = document_from(schema, request.POST)
    problems = [problem.as_document() for problem in order_sheet_check(side=entry.side, document=document).problems]
    root = drawn(schema, document, problems)
    context = {"root": root, "sheet": sheet, "entry": entry, "summary": _summary(problems), "is_check": True}
    if request.htmx:  # type: ignore[attr-defined]  # from django-htmx
        return render(request, "campaign/player/_checks.html", context)
    return _answer(request, entry, sheet, document)


@post_only
@door("commander")
def unseal(request: HttpRequest, entry: Entry, turn: int) -> HttpResponse:
    """Take a seal back while the turn is open."""
    order_sheet_unseal(
        side=entry.side,
        turn_number=turn,
        version=whole_number(request.POST, "version"),
        user=entry.seat.user,
        now=timezone.now(),
    )
    messages.success(request, f"Your sheet for turn {turn} is a draft again.")
    return redirect("orders", entry.campaign.token)


def _answer(
    request: HttpRequest,
    entry: Entry,
    sheet: OrderSheet,
    document: Any,
    refused: list[dict[str, str]] | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Return the page of a sheet; an open one is checked anew, an old one shows what was found then."""
    report = own_report(entry, sheet.turn.number - 1)
    schema = sheet_schema(entry, report)
    is_own_to_write = can_write(entry, sheet)
    problems = sheet.problems
    if sheet.turn.status == Turn.Status.OPEN:
        reading = order_sheet_check(side=entry.side, document=document)
        problems = [problem.as_document() for problem in reading.problems]
    root = drawn(schema, document, problems)
    known = {problem["code"] for problem in problems}
    context = {
        "root": root,
        "sheet": sheet,
        "report": report,
        "forces": {force["id"]: force for force in report["forces"]},
        "version": sheet.version,
        "can_write": is_own_to_write,
        "can_unseal": sheet.turn.status == Turn.Status.OPEN
        and sheet.status == OrderSheet.Status.SEALED
        and entry.seat.role == Seat.Role.COMMANDER,
        "said": spoken(root),
        "problems": problems,
        "refused": [problem for problem in refused or [] if problem["code"] not in known],
        "summary": _summary(problems),
        **more,
    }
    return page(request, entry, "campaign/player/orders.html", PLACE, context, status)


def _stale(request: HttpRequest, entry: Entry, turn: int, document: Any, error: StaleError) -> HttpResponse:
    """Answer a write that came too late: what was written, and what stands now."""
    sheet = sheet_for(side=entry.side, turn_number=turn)
    if all(problem.code != OVERTAKEN for problem in error.problems):
        lost = spoken(fields_of(sheet_schema(entry, own_report(entry, turn - 1)), document))
        return _answer(request, entry, sheet, sheet.document, refusal(error), status_of(error), lost=lost)
    theirs = spoken(fields_of(sheet_schema(entry, own_report(entry)), sheet.document))
    return _answer(request, entry, sheet, document, refusal(error), status_of(error), theirs=theirs)


def spoken(root: Field) -> list[dict[str, Any]]:
    """Return what a sheet says as rows to read: section, order, and label with value for each part that is set."""
    rows = []
    for section in root.children:
        orders = section.children if section.kind in (s.LIST, s.OBJECT) and section.section != "choice" else [section]
        for order in orders:
            parts = [(part.label, _value(part)) for part in _leaves(order) if part.is_set]
            if parts:
                label = order.label if order is not section else ""
                rows.append(
                    {"section": section.label, "order": label, "parts": parts, "problems": order.all_problems()}
                )
    return rows


def _leaves(field: Field) -> list[Field]:
    if field.kind in (s.OBJECT, s.LIST, s.UNION) and field.children:
        return [leaf for child in field.children for leaf in _leaves(child)]
    return [field]


def _value(field: Field) -> str:
    if field.kind == s.BOOLEAN:
        return "yes"
    if field.kind == s.SELECT:
        return next((choice.label for choice in field.choices if choice.value == field.value), field.value)
    if field.kind in (s.HEX, s.GROUPS, s.ORDER):
        return ", ".join(f"{child.label} {child.value}" for child in field.children if child.value)
    return field.value


def _summary(problems: list[dict[str, str]]) -> dict[str, int]:
    stops = sum(1 for problem in problems if problem["severity"] == "stop")
    return {"stops": stops, "warnings": len(problems) - stops}
