"""The hand-off through the services: a meeting, bids, reports, points, the way back, and again."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from campaign.engine.errors import ProblemsError
from campaign.engine.handoff import blank_report
from campaign.models import Bid, Briefing, Campaign, Engagement, Ship
from campaign.selectors.archive import unpack
from campaign.selectors.rulesets import ruleset_of
from campaign.services.engagements import (
    bid_file,
    bidding_close,
    engagement_void,
    report_file,
    report_rule,
    report_sign,
    revealed_rounds,
    sides_of,
)
from campaign.services.history import campaign_rollback, campaign_verify, rows_verify
from campaign.services.refusals import StaleError
from operational.models import Force
from tests.campaign.services.setups import NOW, campaign_small, play_turn, small_setup

pytestmark = pytest.mark.django_db


def near_setup(**rulings: str) -> dict[str, Any]:
    """Return two cruisers that pass each other within range 5 in turn 1; one is damaged already."""
    setup = small_setup(rulings={"battle-clock": "apart", **rulings})
    setup["ships"][0] |= {"damage": {"hull": 2, "ecm": 1}, "grades": {"tactical": "veteran"}}
    setup["forces"][0] |= {"at": {"A": 20}, "velocity": {"A": 8}}
    setup["forces"][1] |= {"at": {"A": 38}, "velocity": {"D": 8}}
    return setup


def met(**rulings: str) -> tuple[Campaign, Engagement]:
    """Play the turn in which they meet."""
    campaign = campaign_small(setup=near_setup(**rulings))
    play_turn(campaign, 1)
    return campaign, Engagement.objects.get(campaign=campaign)


def bid_all(engagement: Engagement) -> Engagement:
    """Bid nothing for every side in every round."""
    ruleset = ruleset_of(engagement.campaign)
    document = unpack(engagement.document)
    for one in ruleset.bidding_rounds(document):
        for side in sides_of(engagement):
            if side.key in one["sides"]:
                bid_file(engagement=engagement, side=side, round_number=one["round"], bid={}, user=None, now=NOW)
    engagement.refresh_from_db()
    return engagement


def marks(document: dict[str, Any]) -> dict[str, str]:
    """Return roster id to the mark of this engagement."""
    return {
        ship["ship"]: ship["id"]
        for side in document["sides"].values()
        for force in side["forces"]
        for ship in force["ships"]
    }


@pytest.mark.rule("B5.12", "D2.13")
def test_two_forces_that_pass_within_range_five_are_handed_over_with_their_condition() -> None:
    """Both paths cross in the turn; the engagement holds boxes, stores and grades as on the map."""
    campaign, engagement = met()
    assert engagement.status == Engagement.Status.OPENED
    document = unpack(engagement.document)
    assert document["range"] == 5
    ships = {
        ship["ship"]: ship for side in document["sides"].values() for force in side["forces"] for ship in force["ships"]
    }
    assert ships["shipk1"]["boxes"]["hull"]["lost"] == 2
    assert ships["shipk1"]["grades"]["tactical"] == "veteran"
    assert set(Force.objects.filter(campaign=campaign).values_list("engaged", flat=True)) == {engagement.token}


def test_a_side_reads_its_briefing_and_never_the_others_damage() -> None:
    """The stored briefing of the other side does not tell what the first has lost."""
    _, engagement = met()
    mine = unpack(Briefing.objects.get(engagement=engagement, side__key="kestra").body)
    theirs = unpack(Briefing.objects.get(engagement=engagement, side__key="morvane").body)
    assert '"lost": 2' in repr(mine).replace("'", '"')
    assert "shipk1" not in repr(theirs)
    assert "'lost': 2" not in repr(theirs)


@pytest.mark.rule("B5.122", "B5.123")
def test_bids_are_secret_until_both_are_in_and_stand_once_revealed() -> None:
    """Write and reveal, round by round."""
    _, engagement = met()
    kestra, morvane = sides_of(engagement)
    bid_file(engagement=engagement, side=kestra, round_number=1, bid={"A": 3}, user=None, now=NOW)
    assert revealed_rounds(engagement) == {}
    assert "'A': 3" not in repr(unpack(Briefing.objects.get(engagement=engagement, side=morvane).body)["rounds"])
    bid_file(engagement=engagement, side=kestra, round_number=1, bid={"B": 2}, user=None, now=NOW)
    bid_file(engagement=engagement, side=morvane, round_number=1, bid={"D": 1}, user=None, now=NOW)
    assert revealed_rounds(engagement) == {1: {"kestra": {"B": 2}, "morvane": {"D": 1}}}
    with pytest.raises(StaleError):
        bid_file(engagement=engagement, side=kestra, round_number=1, bid={}, user=None, now=NOW)


def test_every_problem_of_a_bid_comes_at_once_and_nothing_is_written() -> None:
    """Too much thrust and an unknown direction."""
    _, engagement = met()
    kestra = sides_of(engagement)[0]
    with pytest.raises(ProblemsError) as caught:
        bid_file(engagement=engagement, side=kestra, round_number=1, bid={"A": 9, "X": 1}, user=None, now=NOW)
    assert caught.value.problems
    with pytest.raises(ProblemsError):
        bid_file(engagement=engagement, side=kestra, round_number=99, bid={}, user=None, now=NOW)
    assert not Bid.objects.exists()


@pytest.mark.rule("B5.12", "B5.121")
def test_the_last_bid_sets_the_engagement_at_range_fifty() -> None:
    """Velocities tripled, the frame taken out."""
    _, engagement = met()
    bid_all(engagement)
    assert engagement.status == Engagement.Status.SET
    setting = unpack(engagement.settled)["setting"]
    assert setting["range"] == 50
    places = setting["forces"].values()
    assert {place["velocity"].get("A", 0) + setting["frame"].get("A", 0) for place in places} >= {24}


def reported(engagement: Engagement, **fates: str) -> dict[str, Any]:
    """Return a report in which shipk1 loses boxes and drones, and fates are as given."""
    document = unpack(engagement.settled)
    report = blank_report(document)
    report["tactical_turns"] = 6
    mark = marks(document)
    own = report["ships"][mark["shipk1"]]
    own["boxes"]["hull"] = 5
    own["stores"]["recon_drones"] -= 2
    for ship, fate in fates.items():
        report["ships"][mark[ship]]["fate"] = fate
    return report


@pytest.mark.rule("D2.223", "D2.231", "D2.232", "B5.121")
def test_a_signed_result_is_scored_and_comes_back_to_the_map_exactly() -> None:
    """Boxes, stores and grades as reported; frame added back; the next engagement starts from there."""
    campaign, engagement = met()
    bid_all(engagement)
    report = reported(engagement, shipm1="destroyed")
    before = unpack(engagement.document)["sides"]["kestra"]["forces"][0]
    report_file(engagement=engagement, side=None, document=report, user=User.objects.get(username="gm"), now=NOW)
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.SIGNED
    # 66 points for the cruiser over a cost of 68 with its veteran, against 2 for three boxes over a cost of 66
    assert engagement.score["difference"] == "1055/1122"
    assert engagement.score["margin"] == "overwhelming-victory"
    play_turn(campaign, 2)
    ship = Ship.objects.get(campaign=campaign, token="shipk1")
    assert '"hull":5' in ship.damage
    assert '"ecm":1' in ship.damage
    assert Ship.objects.get(campaign=campaign, token="shipm1").status == "destroyed"
    force = Force.objects.get(campaign=campaign, token="forcek1")
    assert force.velocity == "8A", "24A tactical with the frame added back is 8A again"
    assert force.engaged == ""
    # six tactical turns at 24A are 144 tactical hexes, 14 on the map, on from where they met
    start = before["position"]
    assert start["q"] == force.q
    assert force.r >= start["r"] + 14
    assert {one.verdict for one in campaign_verify(campaign=campaign)} == {"same"}
    assert rows_verify(campaign=campaign) == []


def test_the_dead_stay_dead_in_every_later_report() -> None:
    """A report may not raise a ship that an earlier one buried, nor heal, nor invent one."""
    _, engagement = met()
    bid_all(engagement)
    document = unpack(engagement.settled)
    mark = marks(document)
    good = reported(engagement)
    bad = {**good, "ships": {**good["ships"]}}
    bad["ships"].pop(mark["shipm1"])
    bad["ships"]["stranger"] = {"fate": "active"}
    with pytest.raises(ProblemsError) as caught:
        report_file(engagement=engagement, side=None, document=bad, user=None, now=NOW)
    codes = {problem.code for problem in caught.value.problems}
    assert len(caught.value.problems) >= 2, codes
    for change in ({"digest": "0" * 64}, {"issue": 9}, {"engagement": "another"}):
        with pytest.raises(ProblemsError):
            report_file(engagement=engagement, side=None, document={**good, **change}, user=None, now=NOW)


def test_the_same_report_twice_changes_nothing() -> None:
    """A double click files once."""
    _, engagement = met()
    bid_all(engagement)
    kestra = sides_of(engagement)[0]
    first = report_file(engagement=engagement, side=kestra, document=reported(engagement), user=None, now=NOW)
    again = report_file(engagement=engagement, side=kestra, document=reported(engagement), user=None, now=NOW)
    assert first.pk == again.pk
    assert engagement.reports.count() == 1


def test_a_result_stands_when_both_sides_have_signed_it() -> None:
    """One files, the other signs."""
    _, engagement = met()
    bid_all(engagement)
    kestra, morvane = sides_of(engagement)
    report = report_file(engagement=engagement, side=kestra, document=reported(engagement), user=None, now=NOW)
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.REPORTED
    report_sign(report=report, side=morvane, user=User.objects.get(username="morvane"), now=NOW)
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.SIGNED


def test_the_gm_rules_where_the_sides_differ() -> None:
    """Two reports that disagree on a fate wait for the ruling."""
    _, engagement = met()
    bid_all(engagement)
    kestra, morvane = sides_of(engagement)
    mine = report_file(
        engagement=engagement, side=kestra, document=reported(engagement, shipm1="destroyed"), user=None, now=NOW
    )
    theirs = {**reported(engagement)}
    theirs["ships"] = {**theirs["ships"], marks(unpack(engagement.settled))["shipk1"]: {"fate": "active"}}
    report_file(engagement=engagement, side=morvane, document=theirs, user=None, now=NOW)
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.REPORTED
    report_rule(report=mine, user=User.objects.get(username="gm"), now=NOW)
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.SIGNED


def test_the_gm_may_end_the_bidding_and_a_missing_bid_counts_as_none() -> None:
    """Nobody can hold up a battle by not bidding."""
    _, engagement = met()
    bidding_close(engagement=engagement, user=User.objects.get(username="gm"), now=NOW)
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.SET


def test_a_voided_engagement_lets_its_forces_go_in_the_next_turn() -> None:
    """The release is in the envelope, so verify sees it too."""
    campaign, engagement = met()
    engagement_void(engagement=engagement, reason="a misread map", user=User.objects.get(username="gm"), now=NOW)
    play_turn(campaign, 2)
    assert set(Force.objects.filter(campaign=campaign).values_list("engaged", flat=True)) == {""}
    assert {one.verdict for one in campaign_verify(campaign=campaign)} == {"same"}


def test_a_rollback_offers_an_open_engagement_again_unfought() -> None:
    """The new line has it with the issue and digest of then; the old line keeps its result."""
    campaign, engagement = met()
    bid_all(engagement)
    report_file(
        engagement=engagement, side=None, document=reported(engagement), user=User.objects.get(username="gm"), now=NOW
    )
    play_turn(campaign, 2)
    branch = campaign_rollback(
        campaign=campaign,
        after_turn=1,
        reason="fought by the wrong rules",
        user=User.objects.get(username="gm"),
        now=NOW,
    )
    again = Engagement.objects.get(branch=branch, token=engagement.token)
    assert again.status == Engagement.Status.OPENED
    assert again.digest == engagement.digest
    engagement.refresh_from_db()
    assert engagement.status == Engagement.Status.SIGNED
