"""What everyone at a campaign knows of it."""

from __future__ import annotations

from rest_framework.request import Request

from campaign.api.answers import CampaignFacts, JobState, LineFacts, SideFacts, TurnFacts
from campaign.api.doors import Door, operation
from campaign.api.public.campaigns import seat_facts
from campaign.models import Job, Turn
from campaign.services.access import Entry
from campaign.services.refusals import not_there


class CampaignDoor(Door):
    """A campaign's public facts."""

    audience = "member"

    @operation("Read a campaign", answer=CampaignFacts)
    def get(self, request: Request) -> CampaignFacts:
        """Answer the sides, the lines of history, the turn with its deadline and the commitments of its seeds."""
        return campaign_facts(self.entry)


class JobDoor(Door):
    """Whether work is under way."""

    audience = "member"

    @operation("Read the state of the work", answer=JobState)
    def get(self, request: Request) -> JobState:
        """Answer where the newest piece of the campaign's work stands."""
        states = Job.objects.filter(campaign=self.entry.campaign).order_by("-pk").values_list("state", flat=True)
        return JobState(state=states.first() or "idle")


def campaign_facts(entry: Entry) -> CampaignFacts:
    """Return a campaign's public facts for a person at it."""
    campaign = entry.campaign
    turn = Turn.objects.filter(branch=entry.branch).order_by("-number").first()
    if turn is None:
        raise not_there("turn")
    current = campaign.active_branch_id
    return CampaignFacts(
        campaign=campaign.token,
        name=campaign.name,
        status=campaign.status,
        seat=seat_facts(entry.seat),
        ruleset=campaign.ruleset_key,
        edition=campaign.ruleset_edition,
        tactical=campaign.tactical_key,
        epoch=campaign.epoch,
        rulings=campaign.rulings,
        late_policy=campaign.late_policy,
        time_zone=campaign.time_zone,
        calendar_commitment=campaign.calendar_commitment,
        sides=[
            SideFacts(key=side.key, name=side.name, number=side.number, is_computer=side.is_computer)
            for side in campaign.sides.order_by("number")
        ],
        lines=[
            LineFacts(
                number=branch.number,
                forked_after=branch.forked_after,
                is_current=branch.pk == current,
            )
            for branch in campaign.branches.order_by("number")
        ],
        turn=TurnFacts(number=turn.number, status=turn.status, deadline=turn.deadline, commitments=turn.commitments),
    )
