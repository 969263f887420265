"""The order desk: one sheet a side and turn, drafted, sealed, unsealed.

A sheet is checked against the side's own stored report only, so its problems never tell more than
the report does. Every write names the version it saw; a newer one refuses it with both versions.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F

from campaign.engine.errors import Problem, ProblemsError, stops
from campaign.models import Campaign, OrderSheet, Side, Turn
from campaign.selectors.reports import report_for
from campaign.selectors.rulesets import ruleset_of
from campaign.services.audit import audit_add
from campaign.services.refusals import NotThereError, ShapeError, StaleError, not_there, stale
from campaign.services.turns import turn_lock

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import User

    from campaign.engine.ruleset import Reading

NONCE_LENGTH = (8, 128)
MOST_BYTES = 1_000_000


def sheet_for(*, side: Side, turn_number: int | None = None) -> OrderSheet:
    """Return a side's sheet of a turn of the current line (the newest by default), or 404."""
    branch = side.campaign.active_branch
    sheets = OrderSheet.objects.filter(side=side, turn__branch=branch).select_related("turn", "side")
    if turn_number is not None:
        sheets = sheets.filter(turn__number=turn_number)
    sheet = sheets.order_by("-turn__number").first()
    if sheet is None:
        raise not_there("order sheet")
    return sheet


def order_sheet_check(*, side: Side, document: Any) -> Reading:
    """Read a sheet as the engine would, from the side's newest report; never writes."""
    _shape(document)
    report = report_for(side=side, branch=_line(side.campaign))
    if report is None:
        raise not_there("report")
    return ruleset_of(side.campaign).read_orders(report, document)


def order_sheet_save(
    *, side: Side, turn_number: int, version: int, document: Any, user: User | None, now: datetime
) -> OrderSheet:
    """Write a draft. Problems do not keep a draft from being kept; they stand beside it.

    Raises ShapeError (400) for what is no sheet, StaleError (409) for a turn that has moved on, a
    sealed sheet, or a version another tab has overtaken.
    """
    reading = order_sheet_check(side=side, document=document)
    with transaction.atomic():
        turn = _open_turn(side.campaign, turn_number)
        _write(
            turn,
            side,
            version,
            OrderSheet.Status.DRAFT,
            now,
            document=document,
            problems=[problem.as_document() for problem in reading.problems],
        )
    return sheet_for(side=side, turn_number=turn_number)


def order_sheet_seal(
    *, side: Side, turn_number: int, version: int, nonce: str, user: User | None, now: datetime
) -> OrderSheet:
    """Seal a sheet with the nonce the seat's client made; the last side to seal locks the turn.

    Raises ProblemsError (422) while an order is refused: a sheet is sealed whole or not at all.
    """
    if not isinstance(nonce, str) or not NONCE_LENGTH[0] <= len(nonce) <= NONCE_LENGTH[1]:
        raise ShapeError([Problem("/nonce", "bad-nonce", "The nonce must be a text of 8 to 128 characters.")])
    with transaction.atomic():
        turn = _open_turn(side.campaign, turn_number)
        sheet = OrderSheet.objects.get(turn=turn, side=side)
        reading = order_sheet_check(side=side, document=sheet.document)
        refused = stops(reading.problems)
        if refused:
            raise ProblemsError(refused)
        _write(
            turn, side, version, OrderSheet.Status.DRAFT, now,
            status=OrderSheet.Status.SEALED, nonce=nonce, sealed_by=user, sealed_at=now,
        )  # fmt: skip
        audit_add(campaign=side.campaign, now=now, user=user, role="commander", act="order-sheet-seal",
                  subject=f"{side.key} turn {turn.number}")  # fmt: skip
        waiting = turn.sheets.filter(side__is_computer=False).exclude(status=OrderSheet.Status.SEALED)
        if not waiting.exists():
            turn_lock(turn=turn, now=now, user=None, why="last-seal")
    return sheet_for(side=side, turn_number=turn_number)


def order_sheet_unseal(*, side: Side, turn_number: int, version: int, user: User | None, now: datetime) -> OrderSheet:
    """Take a seal back while the turn is open; the nonce is forgotten."""
    with transaction.atomic():
        turn = _open_turn(side.campaign, turn_number)
        _write(
            turn, side, version, OrderSheet.Status.SEALED, now,
            status=OrderSheet.Status.DRAFT, nonce="", sealed_by=None, sealed_at=None,
        )  # fmt: skip
        audit_add(campaign=side.campaign, now=now, user=user, role="commander", act="order-sheet-unseal",
                  subject=f"{side.key} turn {turn.number}")  # fmt: skip
    return sheet_for(side=side, turn_number=turn_number)


def _line(campaign: Campaign) -> Any:
    if campaign.active_branch is None:
        raise not_there("campaign")
    return campaign.active_branch


def _shape(document: Any) -> None:
    if not isinstance(document, dict):
        raise ShapeError([Problem("", "not-an-object", "An order sheet is a JSON object.")])
    if len(json.dumps(document)) > MOST_BYTES:
        raise ShapeError([Problem("", "too-large", "An order sheet holds at most a million characters.")])


def _open_turn(campaign: Campaign, number: int) -> Turn:
    """Return the turn, its row locked for this transaction, if orders may still come."""
    turn = Turn.objects.select_for_update().filter(branch=campaign.active_branch, number=number).first()
    if turn is None:
        raise NotThereError([Problem("/turn", "no-such-turn", f"There is no turn {number} to give orders for.")])
    if turn.status != Turn.Status.OPEN:
        raise stale("turn-closed", f"Turn {number} takes no more orders: it is {turn.status}.", "/turn")
    return turn


def _write(turn: Turn, side: Side, version: int, expected: str, now: datetime, **values: Any) -> None:
    """Change a sheet that still has the version and status the caller saw, else refuse."""
    rows = OrderSheet.objects.filter(turn=turn, side=side, version=version, status=expected)
    if rows.update(version=F("version") + 1, updated_at=now, **values):
        return
    sheet = OrderSheet.objects.get(turn=turn, side=side)
    if sheet.status != expected:
        raise stale("sheet-" + sheet.status, f"The sheet of turn {turn.number} is {sheet.status}.", "/version")
    message = f"The sheet is at version {sheet.version}, you wrote from version {version}."
    raise StaleError([Problem("/version", "sheet-overtaken", message)])
