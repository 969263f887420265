"""The truth, for the GM: each side's exact view before the players have it, the umpire's view, events and rolls."""

from __future__ import annotations

import json
import zlib

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from campaign.api.answers import EventRow, Events, Report, Rolls, Verdict, Verdicts
from campaign.api.bodies import TurnQuery, VerifyQuery
from campaign.api.doors import operation
from campaign.api.gm.turns import GmDoor
from campaign.api.player.reports import line_asked
from campaign.api.replies import json_bytes, tagged_reply
from campaign.models import SideReport, Snapshot
from campaign.selectors.umpire import events_at, overview_at, rolls_at, snapshot_at
from campaign.services.access import Entry
from campaign.services.history import campaign_verify, rows_verify
from campaign.services.refusals import not_there


def snapshot_asked(entry: Entry, query: TurnQuery) -> Snapshot:
    """Return the snapshot after a turn, staged or published (the newest by default), or 404."""
    branch = line_asked(entry, query.branch)
    newest = Snapshot.objects.filter(branch=branch).order_by("-turn").values_list("turn", flat=True).first()
    turn = query.turn if query.turn is not None else newest if newest is not None else branch.forked_after or 0
    try:
        return snapshot_at(branch, turn)
    except Snapshot.DoesNotExist as error:
        raise not_there("turn") from error


class SideViewDoor(GmDoor):
    """A side's report, published or not."""

    @operation("Read a side's view", query=TurnQuery, answer=Report)
    def get(self, request: Request, side: str, query: TurnQuery) -> HttpResponseBase:
        """Answer exactly what a side reads, or will read when the staged turn is published."""
        snapshot = snapshot_asked(self.entry, query)
        row = SideReport.objects.filter(branch=snapshot.branch, turn=snapshot.turn, side__key=side).first()
        if row is None:
            raise not_there("side")
        return tagged_reply(request._request, zlib.decompress(bytes(row.body)), row.digest)


class OverviewDoor(GmDoor):
    """The umpire's view."""

    @operation("Read the overview", query=TurnQuery, answer=Report)
    def get(self, request: Request, query: TurnQuery) -> HttpResponseBase:
        """Answer the truth after a turn, in the shape of a report."""
        snapshot = snapshot_asked(self.entry, query)
        tag = f"{snapshot.state_digest}-overview"
        body = json_bytes(overview_at(snapshot.branch, snapshot.turn))
        return tagged_reply(request._request, body, tag)


class EventsDoor(GmDoor):
    """Every event."""

    @operation("Read the events", query=TurnQuery, answer=Events)
    def get(self, request: Request, query: TurnQuery) -> Events:
        """Answer everything that happened in a turn, with who may read it."""
        snapshot = snapshot_asked(self.entry, query)
        return Events(
            turn=snapshot.turn,
            events=[
                EventRow(
                    number=event.number,
                    phase=event.phase,
                    kind=event.kind,
                    text=event.text,
                    audience=json.loads(event.audience),
                    rules=json.loads(event.rules),
                    data=json.loads(event.data),
                )
                for event in events_at(snapshot.branch, snapshot.turn)
            ],
        )


class RollsDoor(GmDoor):
    """Every roll."""

    @operation("Read the rolls", query=TurnQuery, answer=Rolls)
    def get(self, request: Request, query: TurnQuery) -> Rolls:
        """Answer every die of a turn with its address."""
        snapshot = snapshot_asked(self.entry, query)
        return Rolls(turn=snapshot.turn, rolls=rolls_at(snapshot.branch, snapshot.turn))


class VerifyDoor(GmDoor):
    """Every turn played again."""

    @operation("Verify", query=VerifyQuery, answer=Verdicts)
    def get(self, request: Request, query: VerifyQuery) -> Verdicts:
        """Resolve the turns again from their envelopes, on every line, and compare; compare the rows with the head."""
        campaign = self.entry.campaign
        verdicts = campaign_verify(campaign=campaign, first=query.first, last=query.last)
        return Verdicts(
            verdicts=[
                Verdict(branch=one.branch, turn=one.turn, verdict=one.verdict, detail=one.detail) for one in verdicts
            ],
            rows=rows_verify(campaign=campaign),
        )
