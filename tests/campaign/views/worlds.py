"""Campaigns for the tests of the pages, and people who ask for them."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from campaign.models import Campaign, Seat
from tests.campaign.services.setups import NOW, campaign_small, play_turn, small_setup


def person(name: str) -> Client:
    """Return a client that is signed in as a person, who is made if need be."""
    user, _ = User.objects.get_or_create(username=name)
    client = Client()
    client.force_login(user)
    return client


def observer(campaign: Campaign, side: str = "kestra") -> Client:
    """Return a client with an observer's seat."""
    user, _ = User.objects.get_or_create(username="watch")
    seat = {"campaign": campaign, "side": campaign.sides.get(key=side), "role": Seat.Role.OBSERVER}
    Seat.objects.get_or_create(user=user, **seat, defaults={"created_at": NOW})
    return person("watch")


def campaign_open(**changes: Any) -> Campaign:
    """Open a campaign in which everyone sees everyone, so that there are contacts after a turn."""
    setup = small_setup(rulings={"detection": "open"}, **changes)
    return campaign_small(setup=setup)


def campaign_in_battle() -> Campaign:
    """Open a campaign whose two forces meet in turn 1, and play it."""
    setup = small_setup(rulings={"detection": "open"})
    setup["forces"][1]["at"] = {"A": 16}
    campaign = campaign_small(setup=setup)
    play_turn(campaign, 1)
    return campaign


def url(campaign: Campaign, path: str = "") -> str:
    """Return the address of a campaign's page."""
    return f"/c/{campaign.token}/{path}"


def text_of(response: HttpResponse) -> str:
    """Return what a page says, markup taken out and white space made single."""
    html = re.sub(r"<(script|style)[^>]*>.*?</\1>", " ", response.content.decode(), flags=re.S)
    plain = re.sub(r"<[^>]+>", " ", html).replace("&#x27;", "'").replace("&quot;", '"').replace("&amp;", "&")
    return re.sub(r"\s+", " ", plain)


def form_values(response: HttpResponse, action: str) -> dict[str, Any]:
    """Return what the form with an action would send if it were sent as it stands."""
    html = response.content.decode()
    found = re.search(rf'<form[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', html, flags=re.S)
    assert found is not None, f"no form goes to {action}"
    body = found[1]
    values: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", body):
        attributes = dict(re.findall(r'([a-z-]+)="([^"]*)"', tag))
        name = attributes.get("name")
        if not name or name == "csrfmiddlewaretoken":
            continue
        if attributes.get("type") in ("checkbox", "radio"):
            if " checked" in tag:
                values.setdefault(name, []).append(attributes.get("value", "on"))
        else:
            values[name] = attributes.get("value", "")
    for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', body, flags=re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        first = re.search(r'<option value="([^"]*)"', options)
        picked = chosen or first
        values[name] = picked[1] if picked else ""
    for name, inner in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>(.*?)</textarea>', body, flags=re.S):
        values[name] = inner
    return values
