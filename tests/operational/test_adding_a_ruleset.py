"""docs/adding-a-ruleset.md, done: what stands in the registry can be opened, played and read like any other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from campaign.engine.ruleset import OperationalRuleset, Saying
from campaign.models import Seat, Turn
from campaign.selectors import rulesets
from campaign.selectors.reports import report_for
from campaign.services.campaigns import campaign_create
from campaign.services.fixtures import ship_class_import
from campaign.services.history import campaign_verify
from operational.rules.registry import RULESETS
from tests.campaign.services.setups import NOW, play_turn

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = RULESETS[-1]


def a_third() -> OperationalRuleset:
    """Return a ruleset of another key, with words of its own and no phase but the last: nobody moves."""
    return replace(
        TEMPLATE,
        key="becalmed",
        title="Becalmed",
        edition=7,
        phases=TEMPLATE.phases[-1:],
        sayings={**TEMPLATE.sayings, "no-engagement": Saying("Nobody will ever meet anybody here.")},
    )


def a_set_up() -> dict[str, Any]:
    """Return a campaign of the third ruleset with a class of its own stat block."""
    raft = {"key": "raft", "name": "Raft", "mass": 12, "points": 20, "thrust": 2, "hull": 4, "fire_controls": 1}
    ship_class_import(ruleset="becalmed", document=raft)
    return {
        "ruleset": "becalmed",
        "epoch": "2214-01-01T00:00",
        "sides": [{"key": "north", "name": "North"}, {"key": "south", "name": "South"}],
        "systems": [{"key": "sea", "name": "Sea"}],
        "ships": [{"id": f"{side}1", "side": side, "name": side, "class": "raft"} for side in ("north", "south")],
        "forces": [
            {"id": f"f{side}", "side": side, "name": f"Rafts of {side}", "system": "sea", "at": {"A": at},
             "ships": [f"{side}1"]}
            for side, at in (("north", 40), ("south", 0))
        ],
    }  # fmt: skip


@pytest.mark.django_db
def test_a_ruleset_in_the_registry_is_all_that_the_house_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stat block, set-up, sheets, turn, report, pages, verify: by its key, with no other place touched."""
    monkeypatch.setattr(rulesets, "RULESETS", (*RULESETS, a_third()))
    gm = User.objects.create(username="gm")
    campaign = campaign_create(gm=gm, name="Doldrums", setup=a_set_up(), now=NOW, auto_publish=True)
    assert (campaign.ruleset_key, campaign.ruleset_edition) == ("becalmed", 7)
    assert campaign.tactical_key == next(iter(TEMPLATE.conversions))
    side = campaign.sides.get(key="north")
    north = User.objects.create(username="north")
    Seat.objects.create(campaign=campaign, user=north, side=side, role=Seat.Role.COMMANDER, created_at=NOW)
    turn = play_turn(campaign, 1, north={"forces": {"fnorth": {"thrust": {"A": 1}}}})
    assert turn.status == Turn.Status.PUBLISHED
    campaign.refresh_from_db()
    assert campaign.active_branch is not None
    report = report_for(side=side, branch=campaign.active_branch)
    assert report is not None
    assert (report["turn"], report["forces"][0]["r"]) == (1, 40)
    client = Client()
    client.force_login(north)
    page = client.get(reverse("battles", args=[campaign.token]))
    assert "Nobody will ever meet anybody here." in page.content.decode()
    assert client.get(reverse("orders", args=[campaign.token])).status_code == 200
    assert [each.verdict for each in campaign_verify(campaign=campaign)] == ["same"]


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_every_ruleset_has_the_places_that_the_page_names(ruleset: OperationalRuleset) -> None:
    """Folder, fixtures and tests, under its key or its folder's name."""
    folder = ruleset.key.replace("-", "_")
    places = (
        f"operational/rules/{folder}/ruleset.py",
        f"operational/rules/{folder}/state.py",
        f"operational/rules/{folder}/view.py",
        f"operational/rules/{folder}/captain.py",
        f"fixtures/rule_index/{ruleset.source}.txt",
        f"fixtures/rulings/{ruleset.source}.toml",
        f"fixtures/ship_classes/{ruleset.key}",
        f"tests/operational/{folder}",
    )
    assert [place for place in places if not (ROOT / place).exists()] == []
    assert set(ruleset.sayings) <= set(RULESETS[0].sayings)
    page = (ROOT / "docs" / "rulesets.md").read_text()
    assert [key for key in ruleset.sayings if f"`{key}`" not in page] == []
