"""The shared pages and the API serve a campaign on this ruleset: they know no other words than the ruleset's."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign, Engagement
from campaign.selectors.archive import unpack
from tests.campaign.services.setups import play_turn
from tests.operational.full_thrust.test_campaign import sheets, tansy

STRANGE = re.compile(r"\b[A-DZ][1-9](?:\.\d+)?\b|hyper|wedge|[Dd]rones|AVID", re.ASCII)
PLAYER = ("bridge", "map", "orders", "contacts", "fleet", "battles", "history")
MASTER = ("gm-desk", "gm-map", "gm-sides", "gm-battles", "gm-fleet", "gm-history", "gm-audit", "gm-change")


def words(html: str) -> str:
    """Return the words of a page, without tags, scripts and the styles of the sheet."""
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def visited(user: str, campaign: Campaign, *places: tuple[Any, ...]) -> dict[str, str]:
    """Return the words of the pages that a user opens, each of which must be there."""
    client = Client()
    client.force_login(User.objects.get(username=user))
    found = {}
    for name, *arguments in places:
        url = reverse(name, args=[campaign.token, *arguments])
        response = client.get(url)
        assert response.status_code == 200, (url, response.status_code)
        found[" ".join(map(str, (name, *arguments)))] = words(response.content.decode())
    return found


def strangers(pages: dict[str, str]) -> list[tuple[str, str]]:
    """Return the words on pages that are another ruleset's."""
    return [(name, text[max(0, hit.start() - 40) : hit.end() + 20]) for name, text in pages.items()
            for hit in STRANGE.finditer(text)]  # fmt: skip


@pytest.mark.django_db
def test_every_page_of_a_fresh_campaign_speaks_this_rulesets_words() -> None:
    """Player and game master, before anything happened."""
    campaign = tansy(auto_publish=True)
    pages = visited("talavar", campaign, *((name,) for name in PLAYER), ("ship", "t1"))
    pages |= visited("gm", campaign, *((name,) for name in MASTER if name != "gm-change"), ("gm-ship", "b3"))
    assert strangers(pages) == []
    assert "Deep Adit" in pages["fleet"]
    assert "Contact 4" in pages["map"]


@pytest.mark.django_db
def test_every_page_of_a_campaign_with_a_battle_speaks_this_rulesets_words() -> None:
    """With contacts, a ledger, an engagement that is set, and a turn of history."""
    campaign = tansy(auto_publish=True)
    number = 0
    while not Engagement.objects.filter(campaign=campaign).exists() and number < 14:
        number += 1
        play_turn(campaign, number, **sheets(campaign))
    engagement = Engagement.objects.get(campaign=campaign)
    document = unpack(engagement.document)
    for side in sorted(document["sides"]):
        own = document["sides"][side]["forces"][0]["ships"][0]["ship"]
        pages = visited(side, campaign, *((name,) for name in PLAYER), ("ship", own),
                        ("battle", document["numbers"][side]), ("turn", 1, number),
                        ("map-then", 1, number))  # fmt: skip
        assert strangers(pages) == []
    pages = visited("gm", campaign, *((name,) for name in MASTER if name != "gm-change"),
                    ("gm-battle", engagement.token), ("gm-turn", 1, number))  # fmt: skip
    assert strangers(pages) == []
