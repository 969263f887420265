"""The caller's side's engagements: its stored briefings, its bids and its reports."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request

from campaign.api.answers import Briefing as BriefingAnswer
from campaign.api.answers import EngagementEntry, EngagementList, Schema
from campaign.api.bodies import Bidding, Reporting
from campaign.api.doors import Door, operation
from campaign.models import BattleReport, Briefing, Engagement
from campaign.selectors.archive import unpack
from campaign.selectors.rulesets import ruleset_of
from campaign.services.access import Entry
from campaign.services.engagements import bid_file, engagement_for, report_file, report_sign
from campaign.services.refusals import not_there


class EngagementsDoor(Door):
    """The side's engagements."""

    audience = "player"

    @operation("List the engagements", answer=EngagementList)
    def get(self, request: Request) -> EngagementList:
        """Answer the side's engagements of the current line, by the side's own number."""
        rows = Briefing.objects.filter(side=self.entry.side, engagement__branch=self.entry.branch).order_by("number")
        read = [(row.number, unpack(row.body)) for row in rows]
        return EngagementList(
            engagements=[
                EngagementEntry(number=number, turn=body["turn"], issue=body["issue"], status=body["status"])
                for number, body in read
            ]
        )


class EngagementDoor(Door):
    """One engagement."""

    audience = "player"

    @operation("Read an engagement", answer=BriefingAnswer)
    def get(self, request: Request, number: int) -> BriefingAnswer:
        """Answer what the side may read of an engagement now: forces, rounds of bids, reports, the score."""
        return briefing_answer(self.entry, number)


class BidDoor(Door):
    """A secret bid."""

    audience = "commander"

    @operation("File a bid", body=Bidding, answer=BriefingAnswer)
    def post(self, request: Request, number: int, body: Bidding) -> BriefingAnswer:
        """File the side's bid of one round; it may be changed until the round is revealed."""
        bid_file(
            engagement=engagement_for(side=self.entry.side, number=number),
            side=self.entry.side,
            round_number=body.round,
            bid=body.bid,
            user=self.person,
            now=timezone.now(),
        )
        return briefing_answer(self.entry, number)


class ReportFormDoor(Door):
    """The form of a battle report."""

    audience = "player"

    @operation("Read the form of the battle report", answer=Schema)
    def get(self, request: Request, number: int) -> dict[str, Any]:
        """Answer the JSON Schema of a report on this engagement."""
        return {"form": report_form(self.entry, number)}


class ReportDoor(Door):
    """The side's battle report."""

    audience = "commander"

    @operation("File a battle report", body=Reporting, answer=BriefingAnswer)
    def post(self, request: Request, number: int, body: Reporting) -> BriefingAnswer:
        """File the side's report; it stands when every side filed or signed the same. Twice changes nothing."""
        report_file(
            engagement=engagement_for(side=self.entry.side, number=number),
            side=self.entry.side,
            document=body.document,
            user=self.person,
            now=timezone.now(),
        )
        return briefing_answer(self.entry, number)


class SignatureDoor(Door):
    """A signature below another side's report."""

    audience = "commander"

    @operation("Sign a battle report", answer=BriefingAnswer)
    def post(self, request: Request, number: int, digest: str) -> BriefingAnswer:
        """Sign a report of the present issue by its digest; with every side's signature it stands."""
        engagement = engagement_for(side=self.entry.side, number=number)
        report_sign(report=report_of(engagement, digest), side=self.entry.side, user=self.person, now=timezone.now())
        return briefing_answer(self.entry, number)


def report_of(engagement: Engagement, digest: str) -> BattleReport:
    """Return a report of an engagement's present issue by its digest, the first filed, or 404."""
    report = engagement.reports.filter(issue=engagement.issue, digest=digest).order_by("pk").first()
    if report is None:
        raise not_there("report")
    return report


def report_form(entry: Entry, number: int) -> dict[str, Any]:
    """Return the form of a report from what the side may read of the engagement."""
    return ruleset_of(entry.campaign).report_schema(_briefing(entry, number)["engagement"])


def briefing_answer(entry: Entry, number: int) -> BriefingAnswer:
    """Return the stored briefing of a side's engagement, or 404."""
    return BriefingAnswer(number=number, briefing=_briefing(entry, number))


def _briefing(entry: Entry, number: int) -> dict[str, Any]:
    row = Briefing.objects.filter(side=entry.side, number=number, engagement__branch=entry.branch).first()
    if row is None:
        raise not_there("engagement")
    document: dict[str, Any] = unpack(row.body)
    return document
