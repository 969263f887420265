"""Who may come in: a person, a campaign's outward token, and the seat that joins them.

An outsider, a former player and a campaign that does not exist get the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from campaign.models import Campaign, Seat
from campaign.services.refusals import not_there
from campaign.services.seats import seat_of

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

    from campaign.models import Branch, Side

AUDIENCES = ("public", "person", "member", "player", "commander", "gm")
"""public: anyone; person: whoever is signed in; member: any seat of the campaign; player: a seat on a
side; commander: a player who gives orders; gm: the game master."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A person at a campaign: what every door hands to its view."""

    campaign: Campaign
    seat: Seat

    @property
    def side(self) -> Side:
        """The side of a player's seat; 404 for a GM, who has none."""
        if self.seat.side is None:
            raise not_there()
        return self.seat.side

    @property
    def branch(self) -> Branch:
        """The current line."""
        if self.campaign.active_branch is None:
            raise not_there("campaign")
        return self.campaign.active_branch

    @property
    def is_gm(self) -> bool:
        """Whether this is a game master."""
        return self.seat.role == Seat.Role.GM


def entry_for(*, user: User | AnonymousUser, token: str, audience: str) -> Entry:
    """Return the entry of a person at a campaign, or 404 unless the seat is of that audience."""
    campaign = Campaign.objects.select_related("active_branch").filter(token=token).first()
    if campaign is None or not user.is_authenticated:
        raise not_there("campaign")
    seat = seat_of(user=user, campaign=campaign)
    if seat is None:
        raise not_there("campaign")
    allowed = {
        "member": True,
        "player": seat.side_id is not None,
        "commander": seat.role == Seat.Role.COMMANDER,
        "gm": seat.role == Seat.Role.GM,
    }
    if not allowed[audience]:
        raise not_there()
    return Entry(campaign, seat)
