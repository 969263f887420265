"""Engagements, for the GM: everything in them, and the hand that closes, rules and voids."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request

from campaign.api.answers import Battle, BattleEntry, BattleList
from campaign.api.bodies import Reporting, Voiding, WayChoosing
from campaign.api.doors import operation
from campaign.api.gm.turns import GmDoor
from campaign.api.player.engagements import report_of
from campaign.models import Engagement
from campaign.selectors.archive import unpack
from campaign.selectors.rulesets import ruleset_of
from campaign.services.access import Entry
from campaign.services.engagements import (
    bidding_close,
    engagement_void,
    report_file,
    report_rule,
)
from campaign.services.refusals import not_there
from tactical.services.battles import engagement_way_choose


class BattlesDoor(GmDoor):
    """Every engagement."""

    @operation("List every engagement", answer=BattleList)
    def get(self, request: Request) -> BattleList:
        """Answer the engagements of the current line, oldest first."""
        rows = Engagement.objects.filter(branch=self.entry.branch).order_by("turn", "token")
        return BattleList(
            engagements=[
                BattleEntry(
                    engagement=row.token,
                    numbers=unpack(row.document)["numbers"],
                    turn=row.turn,
                    issue=row.issue,
                    status=row.status,
                    way=row.way,
                    enters_turn=row.enters_turn,
                )
                for row in rows
            ]
        )


class BattleDoor(GmDoor):
    """One engagement."""

    @operation("Read every side of an engagement", answer=Battle)
    def get(self, request: Request, engagement: str) -> Battle:
        """Answer the whole engagement: as issued, as set, its bids, reports and score, and the report's form."""
        return battle_answer(_engagement(self.entry, engagement))


class CloseBiddingDoor(GmDoor):
    """The end of bids."""

    @operation("Close the bidding", answer=Battle)
    def post(self, request: Request, engagement: str) -> Battle:
        """End the bidding; a bid that did not come counts as none."""
        row = _engagement(self.entry, engagement)
        return battle_answer(bidding_close(engagement=row, user=self.person, now=timezone.now()))


class ResultDoor(GmDoor):
    """The GM's own report."""

    @operation("Report a battle", body=Reporting, answer=Battle)
    def post(self, request: Request, engagement: str, body: Reporting) -> Battle:
        """File a report that stands at once. The same report twice changes nothing."""
        row = _engagement(self.entry, engagement)
        report_file(engagement=row, side=None, document=body.document, user=self.person, now=timezone.now())
        return battle_answer(_engagement(self.entry, engagement))


class RulingDoor(GmDoor):
    """A ruling between reports."""

    @operation("Rule that a report stands", answer=Battle)
    def post(self, request: Request, engagement: str, digest: str) -> Battle:
        """Let one of the reports that were filed stand."""
        row = _engagement(self.entry, engagement)
        report_rule(report=report_of(row, digest), user=self.person, now=timezone.now())
        return battle_answer(_engagement(self.entry, engagement))


class VoidDoor(GmDoor):
    """An engagement called off."""

    @operation("Call an engagement off", body=Voiding, answer=Battle)
    def post(self, request: Request, engagement: str, body: Voiding) -> Battle:
        """Call an engagement off; its forces are let go in the next turn."""
        row = _engagement(self.entry, engagement)
        return battle_answer(engagement_void(engagement=row, reason=body.reason, user=self.person, now=timezone.now()))


class WayDoor(GmDoor):
    """How it is fought."""

    @operation("Choose how an engagement is fought", body=WayChoosing, answer=Battle)
    def post(self, request: Request, engagement: str, body: WayChoosing) -> Battle:
        """Choose the way of a set engagement; it is being fought from then on."""
        row = _engagement(self.entry, engagement)
        return battle_answer(engagement_way_choose(engagement=row, way=body.way, user=self.person, now=timezone.now()))


def _engagement(entry: Entry, token: str) -> Engagement:
    row = Engagement.objects.select_related("campaign", "branch").filter(branch=entry.branch, token=token).first()
    if row is None:
        raise not_there("engagement")
    return row


def battle_answer(row: Engagement) -> Battle:
    """Return an engagement as the GM sees it."""
    document = unpack(row.document)
    settled = unpack(row.settled) if row.settled else None
    bids = row.bids.filter(issue=row.issue).select_related("side").order_by("round", "side__number")
    reports = row.reports.select_related("side").order_by("pk")
    return Battle(
        engagement=row.token,
        numbers=document["numbers"],
        turn=row.turn,
        issue=row.issue,
        status=row.status,
        way=row.way,
        digest=row.digest,
        document=document,
        settled=settled,
        bids=[{"round": bid.round, "side": bid.side.key, "bid": bid.bid} for bid in bids],
        reports=[
            {
                "digest": report.digest,
                "issue": report.issue,
                "by": report.side.key if report.side else "gm",
                "status": report.status,
                "signatures": report.signatures,
                "document": report.document,
            }
            for report in reports
        ],
        score=row.score,
        report_form=ruleset_of(row.campaign).report_schema(settled or document),
    )
