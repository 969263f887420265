"""Signing in, invitations, seats, and opening a campaign."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from campaign.models import Campaign, Invitation, Seat
from campaign.services import fixtures
from campaign.services.seats import invitation_create
from tests.campaign.services.setups import PASSWORD, campaign_small, library_small
from tests.campaign.views.worlds import person, text_of, url

pytestmark = pytest.mark.django_db

ACCOUNT = {"username": "ines", "password1": "quite-a-long-one", "password2": "quite-a-long-one"}


@pytest.fixture(autouse=True)
def _nobody_has_guessed() -> None:
    """Failed sign-ins of other tests are forgotten."""
    cache.clear()


def invite(campaign: Campaign, side: str = "kestra", role: str = "commander") -> str:
    """Return the address of a new invitation."""
    gm = campaign.seats.get(role=Seat.Role.GM).user
    _, secret = invitation_create(
        campaign=campaign, role=role, side=campaign.sides.get(key=side), gm=gm, now=timezone.now()
    )
    return f"/invitation/{secret}/"


def test_a_person_signs_in_and_out() -> None:
    """By name and password; out by a form, never by a link."""
    User.objects.create_user("marit", password=PASSWORD)
    client = Client()
    assert client.post("/login/", {"username": "marit", "password": PASSWORD}).headers["Location"] == "/"
    assert client.get("/").status_code == 200
    assert client.get("/logout/").status_code == 405
    client.post("/logout/")
    assert client.get("/").status_code == 302


def test_a_wrong_password_is_told_and_guessing_ends() -> None:
    """The page says no more than that name and password do not fit, and after a while that one must wait."""
    User.objects.create_user("marit", password=PASSWORD)
    client = Client()
    answer = client.post("/login/", {"username": "marit", "password": "guess"})
    assert "correct username and password" in text_of(answer)
    for _ in range(10):
        answer = client.post("/login/", {"username": "marit", "password": "guess"})
    assert "Too many failed sign-ins" in text_of(answer)
    answer = client.post("/login/", {"username": "marit", "password": PASSWORD})
    assert "Too many failed sign-ins" in text_of(answer)


def test_a_password_is_changed() -> None:
    """By who knows the old one."""
    user = User.objects.create_user("marit", password=PASSWORD)
    client = Client()
    client.force_login(user)
    fields = {"old_password": PASSWORD, "new_password1": "another-long-one", "new_password2": "another-long-one"}
    assert client.post("/password/", fields).status_code == 302
    user.refresh_from_db()
    assert user.check_password("another-long-one")


def test_a_link_seats_a_new_person_who_makes_an_account() -> None:
    """The account is made, the seat taken, the person signed in, and the link is used up."""
    campaign = campaign_small()
    link = invite(campaign)
    client = Client()
    assert "commander" in text_of(client.get(link))
    answer = client.post(link, ACCOUNT)
    assert answer.headers["Location"] == url(campaign)
    assert client.get(url(campaign, "bridge/")).status_code == 200
    assert Seat.objects.get(user__username="ines").side == campaign.sides.get(key="kestra")
    assert Client().get(link).status_code == 404


def test_a_link_seats_a_person_who_has_an_account() -> None:
    """One press; whoever is seated already is told so and the link stays open."""
    campaign = campaign_small()
    link = invite(campaign, role="observer")
    assert person("tomas").post(link).status_code == 302
    assert Seat.objects.get(user__username="tomas").role == Seat.Role.OBSERVER
    second = invite(campaign)
    answer = person("tomas").post(second)
    assert answer.status_code == 409
    assert "already have a seat" in text_of(answer)
    assert person("ines").get(second).status_code == 200


def test_a_bad_account_leaves_the_link_open() -> None:
    """Every problem stands at its field; nobody is half made."""
    campaign = campaign_small()
    link = invite(campaign)
    answer = Client().post(link, {**ACCOUNT, "password2": "something else"})
    assert answer.status_code == 422
    assert "match" in text_of(answer)
    assert not User.objects.filter(username="ines").exists()
    assert Client().get(link).status_code == 200


def test_a_link_that_never_was_is_not_there() -> None:
    """Used, withdrawn, expired and invented links get the same answer."""
    assert Client().get("/invitation/nothing-of-the-kind/").status_code == 404


def test_the_gm_makes_a_link_sees_it_once_and_withdraws_it() -> None:
    """The secret is on the answer to the form and on no page after it."""
    campaign = campaign_small()
    gm = person("gm")
    answer = gm.post(url(campaign, "gm/sides/"), {"seat": "commander:morvane"})
    found = re.search(r'value="(http://testserver(/invitation/[^"]+))"', answer.content.decode())
    assert found is not None
    page = gm.get(url(campaign, "gm/sides/"))
    assert found[2] not in page.content.decode()
    assert "Withdraw the link for commander of Morvane" in text_of(page)
    invitation = Invitation.objects.get()
    gm.post(url(campaign, f"gm/sides/invitations/{invitation.pk}/withdraw/"))
    assert Client().get(found[2]).status_code == 404


def test_a_seat_for_nobody_known_is_refused_at_its_field() -> None:
    """A side that is not there cannot be invited to."""
    campaign = campaign_small()
    answer = person("gm").post(url(campaign, "gm/sides/"), {"seat": "commander:osmark"})
    assert answer.status_code == 422
    assert not Invitation.objects.exists()


def test_the_gm_ends_a_seat_at_once_but_not_the_last_gms() -> None:
    """The player is out with the next page; a campaign keeps a GM."""
    campaign = campaign_small()
    kestra = person("kestra")
    assert kestra.get(url(campaign, "bridge/")).status_code == 200
    gm = person("gm")
    gm.post(url(campaign, f"gm/sides/seats/{campaign.seats.get(user__username='kestra').pk}/end/"))
    assert kestra.get(url(campaign, "bridge/")).status_code == 404
    answer = gm.post(url(campaign, f"gm/sides/seats/{campaign.seats.get(role=Seat.Role.GM).pk}/end/"))
    assert answer.status_code == 422
    assert "keeps at least one GM" in text_of(answer)


FIXTURE = """
name = "Two Cutters"
story = "They meet."
ruleset = "saganami"
epoch = "1906-03-01T00:00"
sides = [{ key = "kestra", name = "Kestra" }, { key = "morvane", name = "Morvane", computer = true }]
systems = [{ key = "lantern", defender = "kestra" }]
ships = [{ id = "k1", side = "kestra", name = "Sand Martin", class = "adze" }]
forces = [{ id = "kf", side = "kestra", name = "Guard", system = "lantern", at = { A = 4 }, ships = ["k1"] }]
"""


@pytest.fixture
def fixture_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's fixtures with one campaign of our own in place of its campaigns."""
    real = fixtures.fixtures_root()
    for name in ("systems", "ship_classes", "scenarios"):
        (tmp_path / name).symlink_to(real / name)
    (tmp_path / "campaigns").mkdir()
    (tmp_path / "campaigns" / "two-cutters.toml").write_text(FIXTURE)
    monkeypatch.setattr(fixtures, "fixtures_root", lambda: tmp_path)
    return tmp_path


def test_a_person_opens_a_campaign_from_a_fixture_and_becomes_its_gm(fixture_folder: Path) -> None:
    """Chosen, named, its manners, switches and sides set in one form."""
    library_small()
    client = person("marit")
    assert "Two Cutters" in text_of(client.get("/campaigns/new/"))
    page = "/campaigns/new/campaigns/two-cutters/"
    form = client.get(page).content.decode()
    for words in ("Who sees whom", "Time zone of deadlines", "Morvane is played by its captain"):
        assert words in form
    fields = {
        **fields_of_new(client.get(page).content.decode()),
        "name": "Our war",
        "turn_hours": "24",
        "time_zone": "Europe/Berlin",
        "late_policy": "coast",
        "ruling-detection": "open",
        "computer-kestra": "",
    }
    answer = client.post(page, fields)
    campaign = Campaign.objects.get(name="Our war")
    assert answer.headers["Location"] == url(campaign, "gm/sides/")
    assert campaign.rulings == {"detection": "open"}
    assert campaign.turn_hours == 24
    assert campaign.late_policy == Campaign.Late.COAST
    assert campaign.sides.get(key="morvane").is_computer
    assert "Our war" in text_of(client.get("/"))


def fields_of_new(html: str) -> dict[str, str]:
    """Return the values of the form that opens a campaign, as it stands."""
    found = dict(re.findall(r'<input[^>]*name="([a-z_-]+)"[^>]*value="([^"]*)"', html))
    found |= dict(re.findall(r'type="radio" name="([a-z0-9_-]+)" value="([^"]*)"[^>]*checked', html))
    for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', html, flags=re.S):
        chosen = re.search(r'value="([^"]*)" selected', options) or re.search(r'value="([^"]*)"', options)
        found[name] = chosen[1] if chosen else ""
    if re.search(r'name="computer-morvane"[^>]*checked', html):
        found["computer-morvane"] = "on"
    found.pop("csrfmiddlewaretoken", None)
    return found


def test_a_campaign_that_cannot_be_is_refused_with_every_problem(fixture_folder: Path) -> None:
    """Form problems at their fields; problems of the setup above them; nothing is made."""
    client = person("marit")
    page = "/campaigns/new/campaigns/two-cutters/"
    fields = fields_of_new(client.get(page).content.decode())
    answer = client.post(page, {**fields, "turn_hours": "-3", "time_zone": "Mars/Olympus", "name": ""})
    assert answer.status_code == 422
    assert answer.content.decode().count("p-stop") >= 3
    (fixture_folder / "campaigns" / "two-cutters.toml").write_text(FIXTURE.replace('class = "adze"', 'class = "ark"'))
    answer = client.post(page, fields)
    assert answer.status_code == 422
    assert "ark" in text_of(answer)
    assert not Campaign.objects.exists()


def test_a_fixture_that_is_not_there_is_not_there(fixture_folder: Path) -> None:
    """No path leads out of the folder."""
    client = person("marit")
    for page in ("campaigns/none", "systems/lantern", "scenarios/two-cutters"):
        assert client.get(f"/campaigns/new/{page}/").status_code == 404


def test_the_list_says_whose_move_it_is() -> None:
    """A player reads that orders are asked for; the GM nothing before the turn is played."""
    campaign_small()
    assert "orders for turn 1" in text_of(person("kestra").get("/"))
    assert "nothing now" in text_of(person("gm").get("/"))
