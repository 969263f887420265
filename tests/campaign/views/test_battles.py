"""Engagements on the pages: bids, the setting, results, signatures, rulings, points."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from campaign.models import BattleReport, Bid, Campaign, Engagement
from tests.campaign.services.setups import campaign_small, play_turn
from tests.campaign.views.worlds import campaign_in_battle, form_values, observer, person, text_of, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    """Home Guard and Visitors have met in turn 1."""
    return campaign_in_battle()


def bid_all(campaign: Campaign, *sides: str, text: str = "0") -> None:
    """File a bid in every round for some sides."""
    for side in sides:
        client = person(side)
        for number in re.findall(r'name="round" value="(\d+)"', page(client, campaign)):
            answer = client.post(url(campaign, "battles/1/bid/"), {"round": number, "/bid": text})
            assert answer.status_code == 302


def page(client: Client, campaign: Campaign) -> str:
    """Return the engagement's page."""
    return client.get(url(campaign, "battles/1/")).content.decode()


def result(client: Client, campaign: Campaign, **fates: str) -> dict[str, Any]:
    """Return the form of the result, every ship fighting on but those named by a part of their names."""
    action = url(campaign, "battles/1/report/")
    values = form_values(client.get(url(campaign, "battles/1/")), action)
    html = page(client, campaign)
    for name in [name for name in values if name.endswith("/fate")]:
        legend = html.split(f'name="{name}"')[0].rsplit("<legend>", 1)[1].split("</legend>")[0]
        values[name] = next((fate for ship, fate in fates.items() if ship in legend), "active")
    return {**values, "/tactical_turns": "6"}


def test_an_engagement_asks_for_bids(campaign: Campaign) -> None:
    """Bridge, list and page say so, by the side's own number."""
    client = person("kestra")
    assert "Engagement 1: bid for round 1" in text_of(client.get(url(campaign, "bridge/")))
    assert "bid for round 1" in text_of(client.get(url(campaign, "battles/")))
    said = text_of(client.get(url(campaign, "battles/1/")))
    assert "Your move: bid for round 1" in said
    assert "Sand Martin" in said
    assert "Plough" not in said


def test_a_bid_is_secret_until_its_round_is_complete(campaign: Campaign) -> None:
    """The own page shows it as filed; the other side's page does not; then both show both."""
    kestra, morvane = person("kestra"), person("morvane")
    kestra.post(url(campaign, "battles/1/bid/"), {"round": "1", "/bid": "2B"})
    assert Bid.objects.get().bid == {"B": 2}
    assert 'value="2B"' in page(kestra, campaign)
    assert "2<b>B</b>" not in page(morvane, campaign)
    assert "2B" not in page(morvane, campaign)
    morvane.post(url(campaign, "battles/1/bid/"), {"round": "1", "/bid": "1E"})
    for client in (kestra, morvane):
        assert "2<b>B</b>" in page(client, campaign)
        assert "1<b>E</b>" in page(client, campaign)
    answer = kestra.post(url(campaign, "battles/1/bid/"), {"round": "1", "/bid": "3A"})
    assert answer.status_code == 409


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"round": "1", "/bid": "9A"}, 422, "thrust"),
        ({"round": "1", "/bid": "1Q"}, 422, "Write numbers and directions"),
        ({"round": "77", "/bid": "0"}, 422, "no bid in round 77"),
        ({"round": "one", "/bid": "0"}, 400, "whole number"),
    ],
)
def test_a_bad_bid_is_refused_beside_its_round(
    campaign: Campaign, fields: dict[str, str], status: int, words: str
) -> None:
    """What was typed stays, and nothing is filed."""
    answer = person("kestra").post(url(campaign, "battles/1/bid/"), fields)
    assert answer.status_code == status
    assert words in text_of(answer)
    assert not Bid.objects.exists()


def test_a_set_engagement_shows_how_it_begins(campaign: Campaign) -> None:
    """Starting places drawn and listed, frame, time limit, the account of the bids."""
    bid_all(campaign, "kestra", "morvane")
    said = text_of(person("kestra").get(url(campaign, "battles/1/")))
    for words in ("How it begins", "Map's own velocity", "Time limit", "Type the result"):
        assert words in said
    assert Engagement.objects.get().status == Engagement.Status.SET


def test_the_gm_closes_the_bidding_and_chooses_how_it_is_fought(campaign: Campaign) -> None:
    """A bid that did not come counts as none."""
    gm = person("gm")
    token = Engagement.objects.get().token
    assert "has not bid" in text_of(gm.get(url(campaign, f"gm/battles/{token}/")))
    gm.post(url(campaign, f"gm/battles/{token}/close/"))
    assert Engagement.objects.get().status == Engagement.Status.SET
    assert gm.post(url(campaign, f"gm/battles/{token}/close/")).status_code == 409
    gm.post(url(campaign, f"gm/battles/{token}/way/"), {"way": "auto"})
    assert Engagement.objects.get().status == Engagement.Status.FIGHTING
    assert gm.post(url(campaign, f"gm/battles/{token}/way/"), {"way": "chess"}).status_code == 422


def test_two_sides_agree_on_a_result_and_the_points_stand(campaign: Campaign) -> None:
    """One files, the other signs: points with their sums and rules, and the survivors go back."""
    bid_all(campaign, "kestra", "morvane")
    kestra, morvane = person("kestra"), person("morvane")
    answer = kestra.post(url(campaign, "battles/1/report/"), result(kestra, campaign, Adze="destroyed"))
    assert answer.status_code == 302
    html = page(morvane, campaign)
    action = re.search(r'action="([^"]+/sign/[^"]+)"', html)
    assert action is not None
    assert "sign the result" in text_of(morvane.get(url(campaign, "bridge/")))
    assert morvane.post(action[1]).status_code == 302
    engagement = Engagement.objects.get()
    assert engagement.status == Engagement.Status.SIGNED
    said = text_of(kestra.get(url(campaign, "battles/1/")))
    assert "Points" in said
    assert "D2.223" in said
    assert "Winner" in said
    play_turn(campaign, 2)
    assert "forcem1" not in str(kestra.get(url(campaign, "map/")).content)


def test_a_result_with_problems_is_refused_at_their_fields(campaign: Campaign) -> None:
    """A ship without a fate, turns that are no number: nothing is filed, and the form keeps what was typed."""
    bid_all(campaign, "kestra", "morvane")
    client = person("kestra")
    values = result(client, campaign)
    fate = next(name for name in values if name.endswith("/fate"))
    answer = client.post(url(campaign, "battles/1/report/"), {**values, fate: ""})
    assert answer.status_code == 422
    assert "p-stop" in answer.content.decode()
    answer = client.post(url(campaign, "battles/1/report/"), {**values, "/tactical_turns": "many"})
    assert answer.status_code == 422
    assert 'value="many"' in answer.content.decode()
    assert not BattleReport.objects.exists()


def test_a_result_for_an_earlier_issue_is_refused(campaign: Campaign) -> None:
    """The form names the issue it was drawn for."""
    bid_all(campaign, "kestra", "morvane")
    client = person("kestra")
    values = result(client, campaign)
    answer = client.post(url(campaign, "battles/1/report/"), {**values, "/issue": "7"})
    assert answer.status_code == 422
    assert "issued anew" in text_of(answer)


def test_a_result_sent_twice_is_one(campaign: Campaign) -> None:
    """The same word changes nothing."""
    bid_all(campaign, "kestra", "morvane")
    client = person("kestra")
    values = result(client, campaign)
    for _ in range(2):
        client.post(url(campaign, "battles/1/report/"), values)
    assert BattleReport.objects.filter(side__key="kestra").count() == 1


def test_the_gm_rules_on_a_result_or_types_his_own(campaign: Campaign) -> None:
    """A ruling lets a side's result stand; a result of the GM's stands at once."""
    bid_all(campaign, "kestra", "morvane")
    kestra, gm = person("kestra"), person("gm")
    kestra.post(url(campaign, "battles/1/report/"), result(kestra, campaign))
    token = Engagement.objects.get().token
    html = gm.get(url(campaign, f"gm/battles/{token}/")).content.decode()
    action = re.search(r'action="([^"]+/rule/[^"]+)"', html)
    assert action is not None
    assert gm.post(action[1]).status_code == 302
    assert Engagement.objects.get().status == Engagement.Status.SIGNED
    assert gm.post(action[1]).status_code == 409


def test_the_gms_own_result_stands_at_once(campaign: Campaign) -> None:
    """With the whole form: boxes and stores of both sides."""
    gm = person("gm")
    token = Engagement.objects.get().token
    gm.post(url(campaign, f"gm/battles/{token}/close/"))
    action = url(campaign, f"gm/battles/{token}/report/")
    values = form_values(gm.get(url(campaign, f"gm/battles/{token}/")), action)
    values |= {name: "active" for name in values if name.endswith("/fate")}
    assert any("/boxes/" in name for name in values)
    answer = gm.post(action, {**values, "/tactical_turns": "4"})
    assert answer.status_code == 302
    assert Engagement.objects.get().status == Engagement.Status.SIGNED
    bad = gm.post(action, {**values, "/tactical_turns": "x"})
    assert bad.status_code in (409, 422)


def test_an_engagement_is_called_off_with_a_reason(campaign: Campaign) -> None:
    """Without one it is not."""
    gm = person("gm")
    token = Engagement.objects.get().token
    assert gm.post(url(campaign, f"gm/battles/{token}/void/"), {"reason": ""}).status_code == 422
    gm.post(url(campaign, f"gm/battles/{token}/void/"), {"reason": "the players made peace"})
    assert Engagement.objects.get().status == Engagement.Status.VOID
    assert "Called off" in text_of(person("kestra").get(url(campaign, "battles/1/")))


def test_an_observer_reads_an_engagement_and_does_nothing(campaign: Campaign) -> None:
    """No form for a bid, and none accepted."""
    client = observer(campaign)
    assert "/bid/" not in page(client, campaign)
    assert client.post(url(campaign, "battles/1/bid/"), {"round": "1", "/bid": "0"}).status_code == 404


def test_an_engagement_that_is_not_the_sides_own_is_not_there(campaign: Campaign) -> None:
    """By number for a side, by token for the GM of this campaign alone."""
    other = campaign_small(name="Another war")
    token = Engagement.objects.get().token
    assert person("kestra").get(url(campaign, "battles/2/")).status_code == 404
    assert person("kestra").post(url(campaign, "battles/1/sign/none/")).status_code == 404
    assert person("gm").get(url(other, f"gm/battles/{token}/")).status_code == 404
