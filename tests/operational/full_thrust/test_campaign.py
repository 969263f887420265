"""The second ruleset on the same campaign: opened from a fixture, played through the services, fought and verified."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from campaign.models import Campaign, Engagement, Event, Seat, Ship, Turn
from campaign.selectors.archive import unpack
from campaign.selectors.reports import feed_for, report_for
from campaign.selectors.umpire import state_at
from campaign.services.campaigns import campaign_create
from campaign.services.engagements import report_file
from campaign.services.fixtures import campaign_setup, fixtures_root, ship_class_import, toml_read
from campaign.services.history import campaign_verify
from campaign.services.orders import order_sheet_check
from operational.models import Force
from operational.rules.full_thrust.battle_report import report_schema
from operational.rules.full_thrust.captain import captain
from tests.campaign.services.setups import NOW, play_turn, turn_of

MOST_TURNS = 14


def tansy(**manners: Any) -> Campaign:
    """Open the demo campaign of this ruleset, with a GM and a commander for each side."""
    for path in sorted((fixtures_root() / "ship_classes" / "full-thrust").glob("*.toml")):
        ship_class_import(ruleset="full-thrust", document=toml_read(path))
    setup = campaign_setup("the-moons-of-tansy")
    gm = User.objects.create(username="gm")
    campaign = campaign_create(gm=gm, name=setup["name"], setup=setup, now=NOW, **manners)
    for side in campaign.sides.all():
        user = User.objects.create(username=side.key)
        Seat.objects.create(campaign=campaign, user=user, side=side, role=Seat.Role.COMMANDER, created_at=NOW)
    return campaign


def sheets(campaign: Campaign) -> dict[str, dict[str, Any]]:
    """Return what each side's captain would order, from its own stored report."""
    campaign.refresh_from_db()
    assert campaign.active_branch is not None
    found = {}
    for side in campaign.sides.all():
        report = report_for(side=side, branch=campaign.active_branch)
        assert report is not None
        found[side.key] = captain(report, side.doctrine)
    return found


@pytest.mark.django_db
@pytest.mark.rule("table-phase", "movement-phase", "detection-phase", "operations-phase")
def test_the_demo_campaign_is_played_to_a_battle_and_back_and_verifies() -> None:
    """Six turns and more by post: orders, detection, a meeting, its result, and the map after it."""
    campaign = tansy()
    number = 0
    engagement: Engagement | None = None
    while engagement is None and number < MOST_TURNS:
        number += 1
        turn = play_turn(campaign, number, **sheets(campaign))
        assert turn.status == Turn.Status.PUBLISHED
        assert not [one for each in turn.sheets.all() for one in each.problems if one["severity"] == "stop"]
        engagement = Engagement.objects.filter(campaign=campaign).first()
    assert engagement is not None, "nobody met"
    assert engagement.status == Engagement.Status.SET  # no bids in this ruleset: it is set at once
    document = unpack(engagement.settled or engagement.document)
    marks = list(report_schema(document)["properties"]["ships"]["properties"])
    lost = next(ship for force in document["sides"]["brisane"]["forces"] for ship in force["ships"])
    report = {
        "engagement": document["id"],
        "issue": document["issue"],
        "digest": document["digest"],
        "tactical_turns": 6,
        "ships": {mark: {"fate": "destroyed" if mark == lost["id"] else "active"} for mark in marks},
    }
    report_file(engagement=engagement, side=None, document=report, user=None, now=NOW)
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.SIGNED
    assert engagement.score["winner"] == "talavar"
    for _ in range(2):
        number += 1
        play_turn(campaign, number, **sheets(campaign))
    assert Ship.objects.get(campaign=campaign, token=lost["ship"]).status == "destroyed"
    ended = Event.objects.filter(campaign=campaign, kind="battle-ended")
    assert {event.turn for event in ended} == {number - 1}
    assert number >= 6
    assert not Force.objects.filter(campaign=campaign, engaged=document["id"]).exists()
    assert {each.verdict for each in campaign_verify(campaign=campaign)} == {"same"}


@pytest.mark.django_db
@pytest.mark.rule("dummy-taskforces")
def test_no_feed_and_no_report_of_a_side_names_the_other_sides_forces() -> None:
    """Ids and names of hidden forces stand nowhere in what a player reads, turn by turn."""
    campaign = tansy(auto_publish=True)
    for number in range(1, 4):
        play_turn(campaign, number, **sheets(campaign))
    assert campaign.active_branch is not None
    state = state_at(campaign.active_branch, turn_of(campaign, 3).number)
    columns = state["map"]["forces"]
    ships = state["roster"]["ships"]
    for side in campaign.sides.all():
        hidden = [
            text
            for rows in (columns, ships)
            for key, text, owner in zip(rows["id"], rows["name"], rows["side"], strict=True)
            if owner != side.key
            for text in (f'"{key}"', text)
        ]
        report = report_for(side=side, branch=campaign.active_branch)
        words = str([report, [(row.text, row.data) for row in feed_for(side=side)]]).replace("'", '"')
        assert [text for text in hidden if text in words] == []


@pytest.mark.django_db
@pytest.mark.rule("taskforces")
def test_the_order_desk_refuses_with_the_rules_of_this_ruleset() -> None:
    """The shared order desk knows no ruleset: codes, places and rules come from this one."""
    campaign = tansy()
    side = campaign.sides.get(key="talavar")
    reading = order_sheet_check(side=side, document={"forces": {"tmain": {"thrust": {"A": 9}}}})
    assert [(one.code, one.place, one.rule) for one in reading.problems] == [
        ("thrust-beyond-rating", "/forces/tmain/thrust", "taskforces")
    ]
