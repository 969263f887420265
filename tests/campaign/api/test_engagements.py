"""An engagement through the API: bids, reports, signatures, and the GM's hand in it."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Campaign, Engagement
from campaign.selectors.archive import unpack
from tests.campaign.api.callers import Caller, at, codes
from tests.campaign.services.setups import play_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(meeting: Campaign) -> Engagement:
    """The engagement of the meeting."""
    return Engagement.objects.get(campaign=meeting)


def briefing(caller: Caller, campaign: Campaign) -> dict[str, Any]:
    """Return what a side may read of its first engagement."""
    document: dict[str, Any] = caller.get(at(campaign, "engagements/1/")).json()["briefing"]
    return document


def result(engagement: Engagement, **changes: Any) -> dict[str, Any]:
    """Return a report after which every ship fights on."""
    document = unpack(engagement.document)
    ships = [ship["id"] for side in document["sides"].values() for force in side["forces"] for ship in force["ships"]]
    report: dict[str, Any] = {
        "engagement": document["id"],
        "issue": document["issue"],
        "digest": document["digest"],
        "tactical_turns": 4,
        "ships": {mark: {"fate": "active"} for mark in ships},
    }
    return {**report, **changes}


def set_it(campaign: Campaign, gm: Caller, engagement: Engagement) -> None:
    """Close the bidding."""
    closed = gm.post(at(campaign, f"gm/engagements/{engagement.token}/close-bidding/"))
    assert (closed.status_code, closed.json()["status"]) == (200, "set")


def test_a_side_lists_its_engagements_by_its_own_number(
    meeting: Campaign, battle: Engagement, kestra: Caller, gm: Caller
) -> None:
    """The GM's list names them by token."""
    row = {"number": 1, "turn": 1, "issue": 1, "status": "opened"}
    assert kestra.get(at(meeting, "engagements/")).json() == {"engagements": [row]}
    assert kestra.get(at(meeting, "engagements/2/")).status_code == 404
    listed = gm.get(at(meeting, "gm/engagements/")).json()["engagements"]
    assert [(one["engagement"], one["numbers"]) for one in listed] == [(battle.token, {"kestra": 1, "morvane": 1})]


def test_a_bid_stays_secret_until_the_round_is_revealed(
    meeting: Campaign, battle: Engagement, kestra: Caller, morvane: Caller
) -> None:
    """Both sides bid at once, each round shows when both have; the last round sets the engagement."""
    rounds = briefing(kestra, meeting)["rounds"]
    assert all(one["yours"] and one["bids"] is None for one in rounds)
    bid = {"round": 1, "bid": {"A": 1}}
    mine = kestra.post(at(meeting, "engagements/1/bids/"), bid)
    assert mine.status_code == 200
    assert mine.json()["briefing"]["own_bids"] == {"1": {"A": 1}}
    assert briefing(morvane, meeting)["rounds"][0]["bids"] is None
    assert briefing(morvane, meeting)["own_bids"] == {}
    for number in range(1, len(rounds) + 1):
        for caller in (kestra, morvane):
            sent = caller.post(at(meeting, "engagements/1/bids/"), {"round": number, "bid": {}})
            assert sent.status_code == 200, sent.content
    settled = briefing(morvane, meeting)
    assert settled["status"] == "set"
    assert settled["rounds"][0]["bids"] == {"kestra": {}, "morvane": {}}
    late = kestra.post(at(meeting, "engagements/1/bids/"), bid)
    assert (late.status_code, codes(late)) == (409, ["bidding-over"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"round": 1, "bid": {"A": 99}}, 422),
        ({"round": 1, "bid": {"X": 1}}, 422),
        ({"round": 1, "bid": {"A": -1}}, 422),
        ({"round": 1, "bid": {"A": 1.5}}, 422),
        ({"round": 1, "bid": {"A": {"B": {}}}}, 422),
        ({"round": 1, "bid": {"forcem1": {"A": 1}}}, 422),
        ({"round": 99, "bid": {}}, 422),
        ({"round": -1, "bid": {}}, 400),
        ({"round": "1", "bid": {}}, 400),
        ({"round": 1, "bid": []}, 400),
        ({"round": 1}, 400),
        ({"round": 1, "bid": {}, "side": "morvane"}, 400),
        ([], 400),
    ],
)
def test_a_bid_that_cannot_be_is_refused(
    meeting: Campaign, battle: Engagement, kestra: Caller, body: object, status: int
) -> None:
    """Nothing is filed for a bad bid."""
    answer = kestra.post(at(meeting, "engagements/1/bids/"), body)
    assert answer.status_code == status, answer.content
    assert codes(answer)
    assert not battle.bids.exists()


def test_a_result_of_both_sides_stands_when_both_signed(
    meeting: Campaign, battle: Engagement, kestra: Caller, morvane: Caller
) -> None:
    """The first side files, the other signs; twice the same report changes nothing."""
    set_it(meeting, Caller("gm"), battle)
    assert kestra.get(at(meeting, "engagements/1/report-schema/")).json()["form"]["type"] == "object"
    report = {"document": result(battle)}
    for _ in range(2):
        filed = kestra.post(at(meeting, "engagements/1/reports/"), report)
        assert filed.json()["briefing"]["status"] == "reported"
        assert len(filed.json()["briefing"]["reports"]) == 1
    name = briefing(morvane, meeting)["reports"][0]["digest"]
    signed = morvane.post(at(meeting, f"engagements/1/reports/{name}/sign/"))
    assert signed.json()["briefing"]["status"] == "signed"
    assert signed.json()["briefing"]["score"]["text"]
    again = morvane.post(at(meeting, f"engagements/1/reports/{name}/sign/"))
    assert (again.status_code, codes(again)) == (409, ["report-settled"])
    assert kestra.get(at(meeting, "feed/")).json()["feed"][-1]["kind"] == "battle-report-signed"
    other = kestra.post(at(meeting, "engagements/1/reports/"), {"document": result(battle, tactical_turns=9)})
    assert (other.status_code, codes(other)) == (409, ["not-reportable"])
    assert play_turn(meeting, 2).status == "published"


def test_two_equal_reports_sign_each_other_and_two_others_wait_for_the_gm(
    meeting: Campaign, battle: Engagement, kestra: Caller, morvane: Caller, gm: Caller
) -> None:
    """Different reports wait; the GM rules that one stands."""
    set_it(meeting, gm, battle)
    first, second = result(battle), result(battle, tactical_turns=9)
    kestra.post(at(meeting, "engagements/1/reports/"), {"document": first})
    morvane.post(at(meeting, "engagements/1/reports/"), {"document": second})
    assert briefing(kestra, meeting)["status"] == "reported"
    path = at(meeting, f"gm/engagements/{battle.token}/")
    assert len(gm.get(path).json()["reports"]) == 2
    assert gm.post(path + f"reports/{'0' * 64}/rule/").status_code == 404
    ruled = gm.post(path + f"reports/{briefing(morvane, meeting)['reports'][1]['digest']}/rule/")
    assert ruled.json()["status"] == "signed"
    assert {one["status"] for one in ruled.json()["reports"]} == {"signed", "refused"}


def marks_of(engagement: Engagement, side: str) -> list[str]:
    """Return the marks of a side's ships."""
    forces = unpack(engagement.document)["sides"][side]["forces"]
    return [ship["id"] for force in forces for ship in force["ships"]]


def with_hull(engagement: Engagement, side: str, boxes: int) -> dict[str, Any]:
    """Return a report in which one side's ship has lost hull boxes."""
    report = result(engagement)
    report["ships"][marks_of(engagement, side)[0]]["boxes"] = {"hull": boxes}
    return {"document": report}


def test_each_sides_own_ships_are_taken_from_its_own_word(
    meeting: Campaign, battle: Engagement, kestra: Caller, morvane: Caller, gm: Caller
) -> None:
    """Two reports that agree on turns, frame and fates make one; neither side reads the other's boxes."""
    set_it(meeting, gm, battle)
    kestra.post(at(meeting, "engagements/1/reports/"), with_hull(battle, "kestra", 5))
    filed = briefing(morvane, meeting)["reports"][0]["document"]["ships"]
    assert filed[marks_of(battle, "kestra")[0]].keys() == {"fate", "position", "velocity"}
    morvane.post(at(meeting, "engagements/1/reports/"), with_hull(battle, "morvane", 7))
    battle.refresh_from_db()
    assert battle.status == "signed"
    stands = battle.reports.get(status="signed").document["ships"]
    assert stands[marks_of(battle, "kestra")[0]]["boxes"] == {"hull": 5}
    assert stands[marks_of(battle, "morvane")[0]]["boxes"] == {"hull": 7}
    assert play_turn(meeting, 2).status == "published"
    for caller, lost in ((kestra, 5), (morvane, 7)):
        tracks = caller.get(at(meeting, "ships/")).json()["ships"][0]["tracks"]
        assert [track["lost"] for track in tracks if track["name"] == "hull"] == [lost]


def test_a_signature_makes_what_is_said_of_ones_ships_ones_own_word(
    meeting: Campaign, battle: Engagement, kestra: Caller, morvane: Caller, gm: Caller
) -> None:
    """The signer reads all of what the report says of his ships, and is told what is wrong with that."""
    set_it(meeting, gm, battle)
    sign = at(meeting, "engagements/1/reports/{}/sign/")
    wrong = with_hull(battle, "morvane", 9)
    wrong["document"]["ships"][marks_of(battle, "morvane")[0]]["stores"] = {"recon_drones": 500}
    assert kestra.post(at(meeting, "engagements/1/reports/"), wrong).status_code == 200
    seen = briefing(morvane, meeting)["reports"][0]
    assert seen["document"]["ships"][marks_of(battle, "morvane")[0]]["stores"] == {"recon_drones": 500}
    refused = morvane.post(sign.format(seen["digest"]))
    assert (refused.status_code, codes(refused)) == (422, ["stores-grew"])
    kestra.post(at(meeting, "engagements/1/reports/"), with_hull(battle, "morvane", 9))
    second = briefing(morvane, meeting)["reports"][1]
    assert morvane.post(sign.format(second["digest"])).json()["briefing"]["status"] == "signed"
    stands = battle.reports.get(status="signed").document
    assert stands["ships"][marks_of(battle, "morvane")[0]]["boxes"] == {"hull": 9}


def test_the_gms_ruling_settles_what_differs_and_leaves_each_its_own_boxes(
    meeting: Campaign, battle: Engagement, kestra: Caller, morvane: Caller, gm: Caller
) -> None:
    """Turns and fates of the report that is ruled for; condition as each side said of its own ships."""
    set_it(meeting, gm, battle)
    first, second = with_hull(battle, "kestra", 5), with_hull(battle, "morvane", 7)
    second["document"]["tactical_turns"] = 9
    kestra.post(at(meeting, "engagements/1/reports/"), first)
    morvane.post(at(meeting, "engagements/1/reports/"), second)
    assert briefing(kestra, meeting)["status"] == "reported"
    name = briefing(kestra, meeting)["reports"][0]["digest"]
    assert gm.post(at(meeting, f"gm/engagements/{battle.token}/reports/{name}/rule/")).status_code == 200
    stands = battle.reports.get(status="signed").document
    assert stands["tactical_turns"] == 4
    assert stands["ships"][marks_of(battle, "kestra")[0]]["boxes"] == {"hull": 5}
    assert stands["ships"][marks_of(battle, "morvane")[0]]["boxes"] == {"hull": 7}


def test_the_gm_reports_and_it_stands_at_once(
    meeting: Campaign, battle: Engagement, gm: Caller, kestra: Caller
) -> None:
    """A battle that the GM writes down needs no signatures."""
    set_it(meeting, gm, battle)
    path = at(meeting, f"gm/engagements/{battle.token}/")
    way = gm.post(path + "way/", {"way": "table"})
    assert way.json()["status"] == "fighting"
    assert gm.post(path + "way/", {"way": "dice"}).status_code == 400
    reported = gm.post(path + "report/", {"document": result(battle)})
    assert reported.json()["status"] == "signed"
    assert gm.post(path + "report/", {"document": result(battle)}).status_code == 200
    assert codes(gm.post(path + "void/", {"reason": "a mistake"})) == ["engagement-over"]


def test_an_engagement_that_is_called_off_takes_no_more(
    meeting: Campaign, battle: Engagement, gm: Caller, kestra: Caller
) -> None:
    """Voided with a reason, for both sides at once; the next turn lets the forces go."""
    path = at(meeting, f"gm/engagements/{battle.token}/")
    assert gm.post(path + "void/", {"reason": ""}).status_code == 400
    assert codes(gm.post(path + "void/", {"reason": "   "})) == ["no-reason"]
    assert gm.post(path + "void/", {"reason": "typed wrongly"}).json()["status"] == "void"
    assert codes(kestra.post(at(meeting, "engagements/1/bids/"), {"round": 1, "bid": {}})) == ["bidding-over"]
    assert codes(gm.post(path + "close-bidding/")) == ["bidding-over"]
    assert play_turn(meeting, 2).status == "published"


def bad_results(engagement: Engagement) -> list[Any]:
    """Return reports that must be refused: of another battle, with a missing ship, a stranger, of any form."""
    good = result(engagement)
    marks = list(good["ships"])
    few = {mark: {"fate": "active"} for mark in marks[1:]}
    return [
        {},
        {**good, "engagement": "another"},
        {**good, "issue": 2},
        {**good, "digest": "0" * 64},
        {**good, "ships": few},
        {**good, "ships": {**good["ships"], "stranger": {"fate": "active"}}},
        {**good, "ships": {mark: {"fate": "asleep"} for mark in marks}},
        {**good, "ships": {mark: {} for mark in marks}},
        {**good, "ships": dict.fromkeys(marks)},
        {**good, "ships": [marks]},
        {**good, "ships": {marks[0]: {"fate": "active", "boxes": {"hull": 10**9}}, **few}},
        {**good, "ships": {marks[0]: {"fate": "active", "boxes": {"hull": -1}}, **few}},
        {**good, "ships": {marks[0]: {"fate": "active", "boxes": {"unicorns": 1}}, **few}},
        {**good, "ships": {marks[0]: {"fate": "active", "boxes": []}, **few}},
        {**good, "ships": {marks[0]: {"fate": "active", "stores": {"recon_drones": 999}}, **few}},
        {**good, "ships": {marks[0]: {"fate": "active", "velocity": {"A": 10**9}}, **few}},
        {**good, "ships": {marks[0]: {"fate": "active", "position": {"q": "x"}}, **few}},
        {**good, "tactical_turns": -1},
        {**good, "tactical_turns": 2.5},
        {**good, "tactical_turns": "many"},
        {**good, "objectives": [{"side": "nobody", "points": 5, "text": "x"}]},
        {**good, "objectives": "all"},
        {**good, "notes": "x" * 5000},
        {**good, "winner": "kestra"},
    ]


def test_a_bad_result_is_refused_with_its_places_and_changes_nothing(
    meeting: Campaign, battle: Engagement, kestra: Caller, gm: Caller
) -> None:
    """Every ship sent needs a fate; silence is never loss."""
    set_it(meeting, gm, battle)
    for number, document in enumerate(bad_results(battle)):
        for caller, path in ((kestra, "engagements/1/reports/"), (gm, f"gm/engagements/{battle.token}/report/")):
            answer = caller.post(at(meeting, path), {"document": document})
            assert answer.status_code == 422, (number, answer.content)
            assert codes(answer)
    assert not battle.reports.exists()
    battle.refresh_from_db()
    assert battle.status == "set"
    for body in ({}, {"document": 5}, {"document": None}, [], {"document": {}, "side": "kestra"}):
        assert kestra.post(at(meeting, "engagements/1/reports/"), body).status_code == 400


def test_a_result_comes_after_the_setting(meeting: Campaign, battle: Engagement, kestra: Caller) -> None:
    """A report for an engagement that is not set is refused."""
    answer = kestra.post(at(meeting, "engagements/1/reports/"), {"document": result(battle)})
    assert (answer.status_code, codes(answer)) == (409, ["not-reportable"])


def test_a_side_reads_no_truth_in_its_briefing(meeting: Campaign, battle: Engagement, kestra: Caller) -> None:
    """Names and ids of the other side are not in it, nor in what a refused report says."""
    set_it(meeting, Caller("gm"), battle)
    texts = [
        kestra.get(at(meeting, "engagements/1/")).content,
        kestra.get(at(meeting, "engagements/1/report-schema/")).content,
    ]
    texts += [
        kestra.post(at(meeting, "engagements/1/reports/"), {"document": document}).content
        for document in bad_results(battle)
    ]
    marks = list(result(battle)["ships"])
    for mark in marks:
        ships = {other: {"fate": "active"} for other in marks}
        ships[mark] |= {"boxes": {"hull": 500}, "stores": {"recon_drones": 500}, "pods_used": 9}
        texts.append(
            kestra.post(at(meeting, "engagements/1/reports/"), {"document": result(battle, ships=ships)}).content
        )
    for text in texts:
        for hidden in (b"Plough", b"shipm1", b"forcem1", b"Visitors", b'"salt"'):
            assert hidden not in text
