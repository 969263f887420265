"""Campaigns: listed, opened, read; and the seats that invitations give."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from campaign.models import Campaign, Seat
from campaign.services.fixtures import library_load
from tests.campaign.api.callers import Caller, at, codes
from tests.campaign.services.setups import library_small, small_setup

pytestmark = pytest.mark.django_db


def test_a_person_sees_the_own_campaigns_only(war: Campaign, kestra: Caller) -> None:
    """The list holds the campaigns with an open seat of the caller."""
    listed = kestra.get("campaigns/").json()["campaigns"]
    seat = {"role": "commander", "side": "kestra"}
    assert listed == [{"campaign": war.token, "name": "Small war", "status": "running", "seat": seat}]
    assert Caller("stranger").get("campaigns/").json() == {"campaigns": []}


def test_a_campaign_tells_its_members_what_everyone_knows(war: Campaign, kestra: Caller, gm: Caller) -> None:
    """Sides, lines, the turn with deadline and commitments; no seed and no doctrine."""
    facts = kestra.get(at(war)).json()
    assert [side["key"] for side in facts["sides"]] == ["kestra", "morvane"]
    assert facts["turn"]["number"] == 2
    assert facts["turn"]["status"] == "open"
    assert sorted(facts["turn"]["commitments"]) == ["kestra", "morvane", "umpire"]
    assert facts["lines"] == [{"number": 1, "forked_after": None, "is_current": True}]
    text = kestra.get(at(war)).content.decode()
    turn = war.turns.get(number=2)
    assert not any(seed in text for seed in [*turn.seeds.values(), war.calendar_seed])
    assert "doctrine" not in text
    assert gm.get(at(war)).json()["seat"] == {"role": "gm", "side": None}


def test_a_campaign_is_opened_from_a_fixture(gm: Caller) -> None:
    """The fixture's name stands in for a name that is left out; the caller is its GM."""
    library_load()
    fixtures = gm.get("fixtures/").json()["fixtures"]
    made = gm.post("campaigns/", {"fixture": fixtures[0]["key"], "turn_hours": 48, "time_zone": "Europe/Berlin"})
    assert made.status_code == 201
    assert made.json()["name"] == fixtures[0]["name"]
    assert made.json()["seat"] == {"role": "gm", "side": None}
    opened = Campaign.objects.get(token=made.json()["campaign"])
    assert (opened.turn_hours, opened.time_zone) == (48, "Europe/Berlin")
    assert gm.get(f"campaigns/{opened.token}/gm/turn/").json()["deadline"] is not None


def test_a_campaign_is_opened_from_a_whole_setup(gm: Caller) -> None:
    """A set-up document needs no fixture."""
    library_small()
    made = gm.post("campaigns/", {"name": "Own war", "setup": small_setup()})
    assert made.status_code == 201
    assert Campaign.objects.get(token=made.json()["campaign"]).sides.count() == 2


BAD_SETUPS: list[tuple[str, Any]] = [
    ("/sides", 7),
    ("/sides", []),
    ("/sides", [{"key": "a", "name": "A"}] * 2),
    ("/sides", [{"key": "a", "name": "A", "doctrine": ["x"]}, {"key": "b", "name": "B"}]),
    ("/sides", [{"key": ["a"], "name": {}}, 5]),
    ("/sides", [{"key": "a", "name": "A" * 70}, {"key": "b", "name": "B"}]),
    ("/ruleset", ["saganami"]),
    ("/tactical", "x" * 200),
    ("/epoch", 1906),
    ("/epoch", "0000-03-01T00:00"),
    ("/epoch", "99999-03-01T00:00"),
    ("/rulings", ["fog"]),
    ("/rulings", {"detection": 5}),
    ("/systems", {"lantern": 1}),
    ("/systems", [{"key": "lantern", "name": "Lantern", "star": "Q9", "bodies": "none"}]),
    ("/ships", 5),
    ("/ships", [5, None, {"class": {}}]),
    ("/forces", [{"id": "x", "at": {"A": -1}}, "x"]),
    ("/forces", [{"id": "x", "side": "kestra", "name": "X", "system": "lantern", "at": {"q": 10**9, "r": 0, "z": 0}}]),
    ("/classes", 5),
    ("/classes", {"adze": {"key": "adze"}}),
    ("/class_keys", 5),
    ("/class_keys", [{}]),
    ("/surprise", True),
]


@pytest.mark.parametrize(("place", "value"), BAD_SETUPS)
def test_a_broken_setup_is_refused_whole(gm: Caller, place: str, value: object) -> None:
    """Whatever is wrong with a set-up, it is a 422 with places, and nothing is half made."""
    library_small()
    answer = gm.post("campaigns/", {"name": "War", "setup": {**small_setup(), place[1:]: value}})
    assert answer.status_code == 422, answer.content
    assert codes(answer)
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"fixture": "no-such-war"}, 422),
        ({"fixture": "../systems/lantern"}, 422),
        ({"fixture": "x", "setup": {}}, 400),
        ({"setup": {}}, 422),
        ({"setup": "x"}, 400),
        ({"name": "  ", "setup": {}}, 422),
        ({"fixture": "x", "time_zone": "Mars/Olympus"}, 400),
        ({"fixture": "x", "turn_hours": 0}, 400),
        ({"fixture": "x", "turn_hours": 10**9}, 400),
        ({"fixture": "x", "late_policy": "never"}, 400),
        ({"fixture": "x", "gm": "somebody"}, 400),
    ],
)
def test_an_opening_of_another_form_is_refused(gm: Caller, body: dict[str, object], status: int) -> None:
    """Form is 400, what cannot be played 422."""
    answer = gm.post("campaigns/", body)
    assert answer.status_code == status, answer.content
    assert not Campaign.objects.exists()


def test_an_invitation_seats_whoever_opens_it_first(war: Campaign, gm: Caller) -> None:
    """Made by the GM, accepted once, useless afterwards."""
    made = gm.post(at(war, "gm/invitations/"), {"role": "observer", "side": "kestra"})
    assert made.status_code == 201
    secret = made.json()["secret"]
    asha, ben = Caller("asha"), Caller("ben")
    taken = asha.post("invitations/accept/", {"secret": secret})
    assert taken.status_code == 201
    assert taken.json()["seat"] == {"role": "observer", "side": "kestra"}
    assert asha.get(at(war, "report/")).status_code == 200
    again = ben.post("invitations/accept/", {"secret": secret})
    assert (again.status_code, codes(again)) == (404, ["not-found"])
    assert ben.post("invitations/accept/", {"secret": "made-up"}).content == again.content
    assert gm.get(at(war, "gm/invitations/")).json()["invitations"][0]["state"] == "used"


def test_a_second_seat_at_one_campaign_is_refused(war: Campaign, gm: Caller, kestra: Caller) -> None:
    """One person has one open seat; the link stays open for somebody else."""
    secret = gm.post(at(war, "gm/invitations/"), {"role": "commander", "side": "morvane"}).json()["secret"]
    answer = kestra.post("invitations/accept/", {"secret": secret})
    assert (answer.status_code, codes(answer)) == (409, ["seated-already"])
    assert Caller("asha").post("invitations/accept/", {"secret": secret}).status_code == 201


def test_a_withdrawn_invitation_opens_nothing(war: Campaign, gm: Caller) -> None:
    """The GM takes a link back; a used one is a seat, and ends as one."""
    made = gm.post(at(war, "gm/invitations/"), {"role": "gm"}).json()
    assert gm.delete(at(war, f"gm/invitations/{made['id']}/")).status_code == 204
    assert Caller("asha").post("invitations/accept/", {"secret": made["secret"]}).status_code == 404
    assert gm.delete(at(war, f"gm/invitations/{made['id']}/")).status_code == 404
    used = gm.post(at(war, "gm/invitations/"), {"role": "gm"}).json()
    assert Caller("asha").post("invitations/accept/", {"secret": used["secret"]}).status_code == 201
    assert codes(gm.delete(at(war, f"gm/invitations/{used['id']}/"))) == ["invitation-used"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"role": "admiral", "side": "kestra"}, 400),
        ({"role": "commander"}, 422),
        ({"role": "commander", "side": "nobody"}, 422),
        ({"role": "commander", "side": 5}, 400),
        ({"role": "gm", "side": "kestra"}, 422),
        ({}, 400),
    ],
)
def test_an_invitation_for_nobody_is_refused(war: Campaign, gm: Caller, body: dict[str, object], status: int) -> None:
    """A player's invitation names a side that there is, a GM's none."""
    assert gm.post(at(war, "gm/invitations/"), body).status_code == status


def test_an_ended_seat_is_out_within_one_request(war: Campaign, gm: Caller, kestra: Caller) -> None:
    """After the seat's end the campaign is not there any more, and can be invited to again."""
    assert kestra.get(at(war, "report/")).status_code == 200
    assert gm.delete(at(war, "gm/seats/kestra/")).status_code == 204
    assert kestra.get(at(war, "report/")).status_code == 404
    assert gm.delete(at(war, "gm/seats/kestra/")).status_code == 404
    seats = gm.get(at(war, "gm/seats/")).json()["seats"]
    assert [(seat["username"], seat["ended_at"] is None) for seat in seats] == [
        ("gm", True),
        ("kestra", False),
        ("morvane", True),
    ]


def test_the_last_gm_keeps_the_seat(war: Campaign, gm: Caller) -> None:
    """A campaign is never without a GM."""
    answer = gm.delete(at(war, "gm/seats/gm/"))
    assert (answer.status_code, codes(answer)) == (422, ["last-gm"])
    assert Seat.objects.filter(campaign=war, role="gm", ended_at__isnull=True).count() == 1
    assert User.objects.filter(username="gm").exists()
