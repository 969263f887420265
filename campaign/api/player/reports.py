"""What the caller's side knows: its stored reports, and nothing else."""

from __future__ import annotations

import json
import zlib
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from campaign.api.answers import (
    Contacts,
    Feed,
    FeedRow,
    Forces,
    Report,
    Schema,
    Seeds,
    Ships,
    TurnReport,
    TurnReportList,
)
from campaign.api.bodies import AfterQuery, TurnQuery
from campaign.api.doors import Door, operation
from campaign.api.replies import json_bytes, tagged_reply
from campaign.models import Branch, SideReport, Turn
from campaign.selectors.archive import unpack
from campaign.selectors.reports import feed_for, published_turns, report_row
from campaign.selectors.rulesets import ruleset_of
from campaign.services.access import Entry
from campaign.services.refusals import not_there


def line_asked(entry: Entry, number: int | None) -> Branch:
    """Return the line of that number, the current one where none is named, or 404."""
    if number is None:
        return entry.branch
    branch = Branch.objects.filter(campaign=entry.campaign, number=number).first()
    if branch is None:
        raise not_there("line")
    return branch


def report_asked(entry: Entry, query: TurnQuery) -> SideReport:
    """Return the side's stored report of a published turn, or 404."""
    row = report_row(side=entry.side, branch=line_asked(entry, query.branch), turn=query.turn)
    if row is None:
        raise not_there("report")
    return row


class ReportDoor(Door):
    """A whole report."""

    audience = "player"

    @operation("Read the report", query=TurnQuery, answer=Report)
    def get(self, request: Request, query: TurnQuery) -> HttpResponseBase:
        """Answer everything the side knows after a turn (docs/rulesets.md). Send the ETag back for a 304."""
        row = report_asked(self.entry, query)
        return tagged_reply(request._request, zlib.decompress(bytes(row.body)), row.digest)


class PartDoor(Door):
    """A part of a report; ``part`` names its list."""

    audience = "player"
    part = ""

    def part_reply(self, request: Request, query: TurnQuery) -> HttpResponseBase:
        """Answer one list of a report under a tag of its own."""
        row = report_asked(self.entry, query)
        report = unpack(row.body)
        body = json_bytes({"turn": report["turn"], self.part: report[self.part]})
        return tagged_reply(request._request, body, f"{row.digest}-{self.part}")


class ContactsDoor(PartDoor):
    """The contacts of a report."""

    part = "contacts"

    @operation("Read the contacts", query=TurnQuery, answer=Contacts)
    def get(self, request: Request, query: TurnQuery) -> HttpResponseBase:
        """Answer what the side believes of others, in the order of its list numbers."""
        return self.part_reply(request, query)


class ForcesDoor(PartDoor):
    """The forces of a report."""

    part = "forces"

    @operation("Read the forces", query=TurnQuery, answer=Forces)
    def get(self, request: Request, query: TurnQuery) -> HttpResponseBase:
        """Answer the side's own forces."""
        return self.part_reply(request, query)


class ShipsDoor(PartDoor):
    """The ships of a report."""

    part = "ships"

    @operation("Read the ships", query=TurnQuery, answer=Ships)
    def get(self, request: Request, query: TurnQuery) -> HttpResponseBase:
        """Answer the side's own ships, with damage, stores and grades."""
        return self.part_reply(request, query)


class TurnsDoor(Door):
    """The turns that can be read."""

    audience = "player"

    @operation("List the published turns", query=TurnQuery, answer=TurnReportList)
    def get(self, request: Request, query: TurnQuery) -> TurnReportList:
        """Answer the turns of a line for which the side has a report, oldest first."""
        branch = line_asked(self.entry, query.branch)
        turns = published_turns(side=self.entry.side, branch=branch)
        wanted = [turn for turn in turns if query.turn is None or turn == query.turn]
        rows = [report_row(side=self.entry.side, branch=branch, turn=turn) for turn in wanted]
        return TurnReportList(
            turns=[
                TurnReport(turn=row.turn, digest=row.digest, published_at=row.published_at)
                for row in rows
                if row is not None and row.published_at is not None
            ]
        )


class FeedDoor(Door):
    """The side's news."""

    audience = "player"

    @operation("Read the news", query=AfterQuery, answer=Feed)
    def get(self, request: Request, query: AfterQuery) -> Feed:
        """Answer the side's news with numbers above ``after``, oldest first."""
        rows = feed_for(side=self.entry.side, after=query.after, limit=query.limit)
        return Feed(
            feed=[
                FeedRow(
                    number=row.number,
                    turn=row.turn,
                    kind=row.kind,
                    text=row.text,
                    rules=json.loads(row.rules),
                    data=json.loads(row.data),
                )
                for row in rows
            ]
        )


class SeedDoor(Door):
    """The seeds of a turn that the side may know."""

    audience = "player"

    @operation("Read the own seed", answer=Seeds)
    def get(self, request: Request, turn: int) -> Seeds:
        """Answer the side's own seed and nonce of a published turn, so that its dice can be recomputed.

        Once the campaign is revealed, those of everyone.
        """
        side = self.entry.side
        report = report_row(side=side, branch=self.entry.branch, turn=turn)
        row = None if report is None else Turn.objects.filter(branch=report.branch, number=turn).first()
        if row is None:
            raise not_there("published turn")
        nonces = dict(row.sheets.order_by("side__number").values_list("side__key", "nonce"))
        if self.entry.campaign.revealed_at is None:
            own = {side.key: row.seeds[side.key]}
            return Seeds(turn=turn, seeds=own, nonces={side.key: nonces[side.key]}, commitments=row.commitments)
        return Seeds(turn=turn, seeds=row.seeds, nonces=nonces, commitments=row.commitments)


class OrderSchemaDoor(Door):
    """The form of the order sheet."""

    audience = "player"

    @operation("Read the form of the order sheet", answer=Schema)
    def get(self, request: Request) -> dict[str, Any]:
        """Answer the JSON Schema of the sheet, with the side's own forces and ships filled in."""
        report = unpack(report_asked(self.entry, TurnQuery()).body)
        return {"form": ruleset_of(self.entry.campaign).order_schema(report)}
