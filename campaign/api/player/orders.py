"""The caller's side's order sheet."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request

from campaign.api.answers import ProblemDocument, Sheet, SheetCheck
from campaign.api.bodies import Sealing, SheetChecking, SheetQuery, SheetWriting, Unsealing
from campaign.api.doors import Door, operation
from campaign.engine.errors import stops
from campaign.models import OrderSheet
from campaign.services.orders import (
    order_sheet_check,
    order_sheet_save,
    order_sheet_seal,
    order_sheet_unseal,
    sheet_for,
)


class SheetDoor(Door):
    """A sheet, to be read and written."""

    audience = {"GET": "player", "PUT": "commander"}

    @operation("Read the order sheet", query=SheetQuery, answer=Sheet)
    def get(self, request: Request, query: SheetQuery) -> Sheet:
        """Answer the side's sheet of a turn, with what is wrong with it."""
        return sheet_answer(sheet_for(side=self.entry.side, turn_number=query.turn))

    @operation("Write the order sheet", body=SheetWriting, answer=Sheet)
    def put(self, request: Request, body: SheetWriting) -> Sheet:
        """Keep a whole draft; its problems stand beside it. A version that was overtaken is refused with 409."""
        sheet = order_sheet_save(
            side=self.entry.side,
            turn_number=body.turn,
            version=body.version,
            document=body.document,
            user=self.person,
            now=timezone.now(),
        )
        return sheet_answer(sheet)


class CheckDoor(Door):
    """A sheet, to be read and not kept."""

    audience = "player"

    @operation("Check an order sheet", body=SheetChecking, answer=SheetCheck)
    def post(self, request: Request, body: SheetChecking) -> SheetCheck:
        """Answer every problem of a sheet; nothing is kept."""
        problems = order_sheet_check(side=self.entry.side, document=body.document).problems
        return SheetCheck(
            can_be_sealed=not stops(problems),
            problems=[ProblemDocument(**problem.as_document()) for problem in problems],
        )


class SealDoor(Door):
    """The seal."""

    audience = "commander"

    @operation("Seal the order sheet", body=Sealing, answer=Sheet)
    def post(self, request: Request, body: Sealing) -> Sheet:
        """Seal the sheet; the last side to seal locks the turn. Refused whole while an order is (422)."""
        sheet = order_sheet_seal(
            side=self.entry.side,
            turn_number=body.turn,
            version=body.version,
            nonce=body.nonce,
            user=self.person,
            now=timezone.now(),
        )
        return sheet_answer(sheet)


class UnsealDoor(Door):
    """The seal taken back."""

    audience = "commander"

    @operation("Unseal the order sheet", body=Unsealing, answer=Sheet)
    def post(self, request: Request, body: Unsealing) -> Sheet:
        """Take the seal back while the turn is open."""
        sheet = order_sheet_unseal(
            side=self.entry.side, turn_number=body.turn, version=body.version, user=self.person, now=timezone.now()
        )
        return sheet_answer(sheet)


def sheet_answer(sheet: OrderSheet) -> Sheet:
    """Return a sheet as its side sees it."""
    return Sheet(
        turn=sheet.turn.number,
        status=sheet.status,
        version=sheet.version,
        document=sheet.document,
        problems=[ProblemDocument(**problem) for problem in sheet.problems],
        stood_in=sheet.stood_in,
        sealed_by=sheet.sealed_by.username if sheet.sealed_by else None,
        sealed_at=sheet.sealed_at,
        updated_at=sheet.updated_at,
    )
