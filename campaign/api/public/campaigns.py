"""The caller's campaigns, and new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from django.utils import timezone
from rest_framework.request import Request

from campaign.api.answers import CampaignEntry, CampaignList, FixtureList, Seated, SeatFacts
from campaign.api.bodies import CampaignOpening, InvitationSecret
from campaign.api.doors import Door, operation
from campaign.engine.errors import Problem, ProblemsError
from campaign.models import Seat
from campaign.services.campaigns import campaign_create
from campaign.services.fixtures import campaign_setup, fixtures_listed
from campaign.services.refusals import ShapeError
from campaign.services.seats import invitation_accept

if TYPE_CHECKING:
    from collections.abc import Mapping


def seat_facts(seat: Seat) -> SeatFacts:
    """Return a seat as its person sees it."""
    return SeatFacts(role=seat.role, side=seat.side.key if seat.side else None)


class CampaignsDoor(Door):
    """The campaigns at which the caller sits."""

    audience = "person"

    @operation("List the campaigns", answer=CampaignList)
    def get(self, request: Request) -> CampaignList:
        """Answer the campaigns at which the caller has a seat, by name."""
        seats = (
            Seat.objects.filter(user=self.person, ended_at__isnull=True)
            .select_related("campaign", "side")
            .order_by("campaign__name", "campaign__token")
        )
        return CampaignList(campaigns=[_entry(seat) for seat in seats])

    @operation("Open a campaign", body=CampaignOpening, answer=CampaignEntry, status=201)
    def post(self, request: Request, body: CampaignOpening) -> CampaignEntry:
        """Open a campaign from a fixture or a set-up; the caller is its game master."""
        setup = _setup(body)
        campaign = campaign_create(
            gm=self.person,
            name=body.name if body.name is not None else str(setup.get("name", "")),
            setup=setup,
            now=timezone.now(),
            auto_publish=body.auto_publish,
            late_policy=body.late_policy,
            turn_hours=body.turn_hours,
            time_zone=body.time_zone,
        )
        return _entry(Seat.objects.select_related("campaign", "side").get(campaign=campaign, user=self.person))


class FixturesDoor(Door):
    """The campaigns that come with the project."""

    audience = "person"

    @operation("List the fixtures", answer=FixtureList)
    def get(self, request: Request) -> Mapping[str, Any]:
        """Answer the campaigns from which one can be opened by name."""
        return {"fixtures": fixtures_listed()}


class AcceptanceDoor(Door):
    """An invitation's seat."""

    audience = "person"

    @operation("Accept an invitation", body=InvitationSecret, answer=Seated, status=201, refusals=(404,))
    def post(self, request: Request, body: InvitationSecret) -> Seated:
        """Take the seat that a link gives; a link opens once."""
        seat = invitation_accept(secret=body.secret, user=self.person, now=timezone.now())
        return Seated(campaign=seat.campaign.token, name=seat.campaign.name, seat=seat_facts(seat))


def _entry(seat: Seat) -> CampaignEntry:
    campaign = seat.campaign
    return CampaignEntry(campaign=campaign.token, name=campaign.name, status=campaign.status, seat=seat_facts(seat))


def _setup(body: CampaignOpening) -> dict[str, Any]:
    """Return the set-up to open with, or raise every problem of the choice."""
    problems = []
    if (body.fixture is None) == (body.setup is None):
        problems.append(Problem("/fixture", "one-of-two", "Name a fixture, or give a set-up, and not both."))
    if body.time_zone not in available_timezones():
        problems.append(Problem("/time_zone", "unknown-time-zone", f"There is no time zone {body.time_zone}."))
    if problems:
        raise ShapeError(problems)
    if body.setup is not None:
        return body.setup
    known = [fixture["key"] for fixture in fixtures_listed()]
    if body.fixture not in known:
        message = f"There is no campaign {body.fixture} among the fixtures."
        raise ProblemsError([Problem("/fixture", "unknown-fixture", message)])
    return campaign_setup(str(body.fixture))
