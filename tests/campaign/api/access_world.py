"""The world of the access matrix: everything that an address can name, and everyone who may ask."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.authtoken.models import Token

from campaign.engine.handoff import blank_report
from campaign.models import Campaign, Engagement, Seat
from campaign.selectors.archive import unpack
from campaign.services.engagements import bidding_close, report_file
from campaign.services.patrol import patrol_open
from campaign.services.seats import invitation_create
from tests.campaign.services.patrols import agreement, library_patrol, solo
from tests.campaign.services.setups import NOW, campaign_small, play_turn, small_setup
from tests.fog.routes import Route

ANONYMOUS, OUTSIDER, FORMER, OTHER, OBSERVER, PLAYER, OTHER_GM, GM = PEOPLE = (
    "anonymous",
    "outsider",
    "former player",
    "other side",
    "observer",
    "player",
    "GM of another game",
    "GM",
)
AUDIENCE = {
    "public": set(PEOPLE),
    "person": set(PEOPLE) - {ANONYMOUS},
    "member": {OTHER, OBSERVER, PLAYER, GM},
    "player": {OTHER, OBSERVER, PLAYER},
    "commander": {OTHER, PLAYER},
    "gm": {GM},
}
OWN = {"number", "ship", "force", "digest"}
"""What a player's address names of the own side's: it is not there for another side."""


@dataclass
class World:
    """A campaign of three sides in its second turn, Kestra's engagement with Morvane reported."""

    campaign: Campaign
    values: dict[str, Any]
    gm_values: dict[str, Any]
    users: dict[str, User] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    def url(self, route: Route) -> str:
        """Return a route's address in this world."""
        values = self.gm_values if "gm/" in route.address else self.values
        return route.url({**self.values, **values})

    def ask(self, who: str, method: str, url: str) -> Any:
        """Send an empty request as somebody: a page's with a session, the API's with a token."""
        if url.startswith("/api/"):
            headers = {"Authorization": f"Token {self.tokens[who]}"} if who in self.tokens else {}
            return Client(raise_request_exception=False).generic(
                method, url, b"", content_type="application/json", headers=headers
            )
        client = Client(raise_request_exception=False)
        if who in self.clients:
            client.cookies = self.clients[who].cookies.copy()  # type: ignore[assignment]
        return client.generic(method, url, b"", content_type="application/x-www-form-urlencoded")


def three_sides() -> dict[str, Any]:
    """Return a set-up of three sides, two of which meet at once."""
    setup = small_setup()
    setup["sides"].append({"key": "tessaly", "name": "Tessaly"})
    setup["ships"].append({"id": "shipt1", "side": "tessaly", "name": "Sickle", "class": "adze"})
    setup["forces"].append({"id": "forcet1", "side": "tessaly", "name": "Bystanders", "system": "lantern",
                            "at": {"C": 90}, "velocity": {"C": 1}, "ships": ["shipt1"]})  # fmt: skip
    setup["forces"][1]["at"] = {"A": 20}
    return setup


def patrol_values() -> dict[str, str]:
    """Return secrets of a patrol scenario before its battle, of an invitation, and the token of one laid open."""
    library_patrol()
    fighting = solo(base=300).play("attacker")
    over = solo(base=300).play("attacker")
    over.act("attacker", "call-off")
    waiting = patrol_open(document=agreement(), opener="attacker", nonce="", now=NOW)
    return {
        "patrol_secret": fighting.secrets["attacker"],
        "patrol_invitation_secret": waiting.invitations["defender"],
        "patrol_id": over.row.token,
        "of": "attacker",
        "paper": "a4",
    }


def world_make() -> World:
    """Make the world."""
    campaign = campaign_small(setup=three_sides())
    play_turn(campaign, 1)
    gm = User.objects.get(username="gm")
    other_gm = User.objects.create(username="other-gm")
    other = campaign_small(name="Another war")
    Seat.objects.filter(campaign=other, role="gm").update(user=other_gm)
    users = {
        OUTSIDER: User.objects.create(username="outsider"),
        FORMER: User.objects.create(username="former"),
        OTHER: User.objects.get(username="tessaly"),
        OBSERVER: User.objects.create(username="observer"),
        PLAYER: User.objects.get(username="kestra"),
        OTHER_GM: other_gm,
        GM: gm,
    }
    kestra = campaign.sides.get(key="kestra")
    Seat.objects.create(campaign=campaign, user=users[FORMER], side=kestra, role="commander", created_at=NOW,
                        ended_at=NOW)  # fmt: skip
    watching = Seat.objects.create(campaign=campaign, user=users[OBSERVER], side=kestra, role="observer",
                                   created_at=NOW)  # fmt: skip
    engagement = Engagement.objects.get(campaign=campaign)
    bidding_close(engagement=engagement, user=gm, now=NOW)
    engagement.refresh_from_db()
    morvane = campaign.sides.get(key="morvane")
    filed = report_file(engagement=engagement, side=morvane, document=blank_report(unpack(engagement.settled or b"")),
                        user=None, now=NOW)  # fmt: skip
    invitation, secret = invitation_create(campaign=campaign, role="gm", side=None, gm=gm, now=timezone.now())
    values = {
        "campaign": campaign.token,
        "branch": 1,
        "turn": 1,
        "number": 1,
        "digest": filed.digest,
        "ship": "shipk1",
        "force": "forcek1",
        "secret": secret,
        "level": "operational",
        "ruleset": "saganami",
        "procedure": "vectors.consolidate",
        "name": "vectors.consolidate",
        "folder": "campaigns",
        "fixture": "ambush-at-lantern-gate",
        "key": "adze",
        **patrol_values(),
    }
    gm_values = {
        "turn": 2,
        "engagement": engagement.token,
        "side": "kestra",
        "username": "observer",
        "seat": watching.pk,
        "invitation": invitation.pk,
    }
    world = World(campaign, values, gm_values, users)
    for who, user in users.items():
        world.tokens[who] = Token.objects.create(user=user).key
        world.clients[who] = Client()
        world.clients[who].force_login(user)
    return world
