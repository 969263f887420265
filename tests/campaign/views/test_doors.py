"""Doors, headers and the pages' own hygiene: who may come in, and what no page may hold."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import get_resolver

from campaign.models import Campaign, Seat
from campaign.services.access import AUDIENCES
from tests.campaign.services.setups import NOW, play_turn
from tests.campaign.views.worlds import campaign_in_battle, campaign_open, observer, person, url
from tests.fog.routes import routes

pytestmark = pytest.mark.django_db

PLAYER_PAGES = (
    "bridge/", "feed/", "map/", "orders/", "orders/1/", "contacts/", "fleet/", "fleet/shipk1/", "battles/",
    "battles/1/", "history/", "b/1/t/1/", "b/1/t/1/map/",
)  # fmt: skip
GM_PAGES = (
    "gm/", "gm/map/", "gm/sides/", "gm/battles/", "gm/fleet/", "gm/fleet/shipk1/", "gm/history/",
    "gm/history/b/1/t/1/", "gm/audit/", "gm/verify/", "gm/finish/", "gm/change/",
)  # fmt: skip
PUBLIC_PAGES = ("/rules/", "/rules/operational/saganami/hyper.limit/", "/rules/rule/B5.16/", "/login/")


@pytest.fixture
def campaign() -> Campaign:
    """A campaign with a turn played and an engagement open."""
    return campaign_in_battle()


def test_every_route_declares_its_audience() -> None:
    """A route without one fails the build."""
    silent = [route.address for route in routes() if not route.is_api and route.audience("GET") is None]
    assert silent == []
    assert get_resolver().url_patterns


@pytest.mark.parametrize("path", PLAYER_PAGES)
def test_a_players_page_is_open_to_its_side_alone(campaign: Campaign, path: str) -> None:
    """Commander and observer read it; GM, outsider and former player find nothing there."""
    page = url(campaign, path)
    assert person("kestra").get(page).status_code == 200
    assert observer(campaign).get(page).status_code == 200
    assert person("gm").get(page).status_code == 404
    assert person("stranger").get(page).status_code == 404
    assert Client().get(page).headers["Location"].startswith("/login/")
    Seat.objects.filter(user__username="kestra").update(ended_at=NOW)
    assert person("kestra").get(page).status_code == 404


@pytest.mark.parametrize("path", GM_PAGES)
def test_a_gms_page_is_open_to_the_gm_alone(campaign: Campaign, path: str) -> None:
    """Players and outsiders find nothing there."""
    page = url(campaign, path)
    assert person("gm").get(page).status_code == 200
    for name in ("kestra", "stranger"):
        assert person(name).get(page).status_code == 404
    assert Client().get(page).status_code == 302


@pytest.mark.parametrize("path", PUBLIC_PAGES)
def test_public_pages_ask_nobody_who_he_is(path: str) -> None:
    """The rules desk stands open."""
    assert Client().get(path).status_code == 200


@pytest.mark.parametrize("who", ["kestra", "gm"])
def test_no_page_holds_inline_style_or_script_and_none_is_cached(campaign: Campaign, who: str) -> None:
    """The policy refuses both, so a page that had them would be broken; campaign pages stay out of caches."""
    client = person(who)
    for path in PLAYER_PAGES if who == "kestra" else GM_PAGES:
        answer = client.get(url(campaign, path))
        html = answer.content.decode()
        assert "style=" not in html, path
        assert not re.search(r"<script(?![^>]*\bsrc=)", html), path
        assert not re.search(r"\son[a-z]+=", html), path
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Cache-Control"] == "no-store", path


@pytest.mark.parametrize("who", ["kestra", "gm"])
def test_every_form_that_posts_carries_the_token(campaign: Campaign, who: str) -> None:
    """And none changes anything by GET."""
    client = person(who)
    for path in PLAYER_PAGES if who == "kestra" else GM_PAGES:
        html = client.get(url(campaign, path)).content.decode()
        for attributes, body in re.findall(r"<form([^>]*)>(.*?)</form>", html, flags=re.S):
            if 'method="post"' in attributes:
                assert "csrfmiddlewaretoken" in body, path
            else:
                assert 'method="get"' in attributes, path


def test_a_post_without_the_token_is_refused(campaign: Campaign) -> None:
    """The page says what to do."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(campaign.seats.get(role=Seat.Role.GM).user)
    answer = client.post(url(campaign, "gm/turn/2/lock/"))
    assert answer.status_code == 403
    assert "load the page again" in answer.content.decode()


def test_ids_are_told_apart_only_within_a_page_once(campaign: Campaign) -> None:
    """No page has an id twice: labels and descriptions would point to the wrong control."""
    for who, paths in (("kestra", PLAYER_PAGES), ("gm", GM_PAGES)):
        client = person(who)
        for path in paths:
            ids = re.findall(r'\sid="([^"]*)"', client.get(url(campaign, path)).content.decode())
            assert sorted(ids) == sorted(set(ids)), path


def test_a_page_that_is_not_there_says_so_kindly() -> None:
    """The site's own words, and a way on."""
    answer = person("kestra").get("/no/such/page/")
    assert answer.status_code == 404
    assert "Your campaigns" in answer.content.decode()


def test_a_fault_of_the_server_has_a_page_and_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the fault itself is told."""
    from campaign.views.player import contacts

    def broken(*arguments: object) -> None:
        raise RuntimeError("a secret of the house")

    campaign = campaign_open()
    monkeypatch.setattr(contacts, "own_report", broken)
    client = person("kestra")
    client.raise_request_exception = False
    answer = client.get(url(campaign, "contacts/"))
    assert answer.status_code == 500
    assert "Something broke" in answer.content.decode()
    assert "secret of the house" not in answer.content.decode()


def test_an_address_that_takes_a_form_says_so_when_it_is_opened() -> None:
    """405 with a page, for who loads a refused form's address again."""
    campaign = campaign_open()
    answer = person("kestra").get(url(campaign, "orders/1/write/"))
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"
    assert "Only by its form" in answer.content.decode()


def test_no_players_page_names_what_its_side_has_not_learnt() -> None:
    """With fog on, nothing of the other side is in any page of this one: no name, no id, no word of its ships."""
    from tests.campaign.services.setups import campaign_small

    campaign = campaign_small()
    play_turn(campaign, 1)
    client = person("kestra")
    for path in PLAYER_PAGES:
        if path == "battles/1/":
            continue
        html = client.get(url(campaign, path)).content.decode()
        for secret in ("Visitors", "Plough", "forcem1", "shipm1"):
            assert secret not in html, path


def test_audiences_are_the_known_ones() -> None:
    """A door for nobody known cannot be made."""
    from campaign.views.doors import door

    with pytest.raises(ValueError, match="no audience"):
        door("everybody")
    assert "gm" in AUDIENCES


def test_a_front_page_leads_each_seat_to_its_own() -> None:
    """The GM to the desk, the player to the bridge."""
    campaign = campaign_open()
    assert person("gm").get(url(campaign)).headers["Location"] == url(campaign, "gm/")
    assert person("kestra").get(url(campaign)).headers["Location"] == url(campaign, "bridge/")
