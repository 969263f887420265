"""What a side reads: its stored reports under tags, its news, its seeds, the form of its sheet."""

from __future__ import annotations

import hashlib

import pytest

from campaign.models import Campaign, SideReport
from campaign.selectors.archive import unpack
from tests.campaign.api.callers import Caller, at, codes
from tests.campaign.services.setups import play_turn, run_jobs, seal

pytestmark = pytest.mark.django_db


def test_a_report_is_the_stored_bytes_under_the_tag_of_its_digest(war: Campaign, kestra: Caller) -> None:
    """The newest by default, any published turn by number; 304 to a client that has it."""
    answer = kestra.get(at(war, "report/"))
    row = SideReport.objects.get(side__key="kestra", turn=1)
    assert answer.json() == unpack(row.body)
    assert hashlib.sha256(answer.content).hexdigest() == row.digest
    assert answer["ETag"] == f'"{row.digest}"'
    assert answer["Cache-Control"] == "private, no-cache"
    unchanged = kestra.get(at(war, "report/"), If_None_Match=answer["ETag"])
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    start = kestra.get(at(war, "report/?turn=0"), If_None_Match=answer["ETag"])
    assert start.status_code == 200
    assert start.json()["turn"] == 0


@pytest.mark.parametrize("part", ["contacts", "forces", "ships"])
def test_a_part_of_the_report_has_a_tag_of_its_own(war: Campaign, kestra: Caller, part: str) -> None:
    """Contacts, forces and ships come from the report and from nowhere else."""
    whole = kestra.get(at(war, "report/")).json()
    answer = kestra.get(at(war, f"{part}/"))
    assert answer.json() == {"turn": 1, part: whole[part]}
    assert kestra.get(at(war, f"{part}/"), If_None_Match=answer["ETag"]).status_code == 304
    assert kestra.get(at(war, f"{part}/"), If_None_Match=kestra.get(at(war, "report/"))["ETag"]).status_code == 200


@pytest.mark.parametrize("path", ["report/", "contacts/", "forces/", "ships/"])
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("turn=99", 404),
        ("turn=2", 404),
        ("branch=7", 404),
        ("turn=-1", 400),
        ("turn=one", 400),
        ("turn=999999999999999999999999", 400),
        ("turn=%00", 400),
        ("side=morvane", 400),
    ],
)
def test_a_report_that_is_not_there_is_not_there(
    war: Campaign, kestra: Caller, path: str, query: str, status: int
) -> None:
    """Unknown, unpublished and misspelt are refused, each in the one shape."""
    answer = kestra.get(at(war, f"{path}?{query}"))
    assert answer.status_code == status
    assert codes(answer)


def test_a_staged_turn_is_not_yet_there_for_a_player(war: Campaign, kestra: Caller, gm: Caller) -> None:
    """The GM reads both sides' views first."""
    for side in war.sides.all():
        seal(side, 2)
    run_jobs()
    assert kestra.get(at(war, "report/?turn=2")).status_code == 404
    assert [row["turn"] for row in kestra.get(at(war, "turns/")).json()["turns"]] == [0, 1]
    staged = gm.get(at(war, "gm/views/kestra/"))
    assert staged.json()["turn"] == 2
    assert gm.post(at(war, "gm/turn/publish/")).status_code == 200
    assert kestra.get(at(war, "report/")).content == staged.content
    assert kestra.get(at(war, "turns/?turn=2")).json()["turns"][0]["digest"] == staged["ETag"].strip('"')


def test_news_is_numbered_for_the_side_alone(war: Campaign, kestra: Caller, morvane: Caller) -> None:
    """After a number only what is newer; a side counts from one whatever the others hear."""
    for number in (2, 3):
        play_turn(war, number, kestra={"forces": {"forcek1": {"thrust": {"A": 1}}}})
    feed = kestra.get(at(war, "feed/")).json()["feed"]
    assert [row["number"] for row in feed] == list(range(1, len(feed) + 1))
    assert len(feed) >= 2
    assert kestra.get(at(war, "feed/?after=1")).json()["feed"] == feed[1:]
    assert kestra.get(at(war, "feed/?limit=1")).json()["feed"] == feed[:1]
    assert codes(kestra.get(at(war, "feed/?limit=0&after=x"))) == ["int-parsing", "greater-than-equal"]
    assert morvane.get(at(war, "feed/")).json() == {"feed": []}
    play_turn(war, 4, morvane={"forces": {"forcem1": {"thrust": {"D": 1}}}})
    assert [row["number"] for row in morvane.get(at(war, "feed/")).json()["feed"]] == [1]


def test_a_side_gets_its_own_seed_when_the_turn_is_published(war: Campaign, kestra: Caller, gm: Caller) -> None:
    """The commitment is the seed's SHA-256; other seeds stay shut until the reveal."""
    answer = kestra.get(at(war, "seeds/1/")).json()
    seed = answer["seeds"]["kestra"]
    assert list(answer["seeds"]) == ["kestra"]
    assert answer["nonces"] == {"kestra": "nonce-of-tests"}
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == answer["commitments"]["kestra"]
    assert kestra.get(at(war, "seeds/2/")).status_code == 404
    assert kestra.get(at(war, "seeds/0/")).status_code == 404
    assert kestra.get(at(war, "seeds/99999999999/")).status_code == 404
    assert gm.post(at(war, "gm/reveal/")).status_code == 200
    assert sorted(kestra.get(at(war, "seeds/1/")).json()["seeds"]) == ["kestra", "morvane", "umpire"]


def test_the_old_line_stays_readable_after_a_rollback(war: Campaign, kestra: Caller, gm: Caller) -> None:
    """Lines are named by number; the current one is the default."""
    play_turn(war, 2, kestra={"forces": {"forcek1": {"thrust": {"A": 1}}}})
    before = kestra.get(at(war, "report/?turn=2")).content
    made = gm.post(at(war, "gm/rollback/"), {"after_turn": 1, "reason": "a typing error"})
    assert made.json() == {"branch": 2, "forked_after": 1, "turn": 2}
    assert kestra.get(at(war, "report/?turn=2")).status_code == 404
    assert kestra.get(at(war, "report/?turn=2&branch=1")).content == before
    assert kestra.get(at(war, "report/")).json()["turn"] == 1
    assert kestra.get(at(war, "seeds/1/")).status_code == 200
    assert kestra.get(at(war, "seeds/2/")).status_code == 404


def test_the_form_of_the_sheet_names_the_own_forces_only(war: Campaign, kestra: Caller, morvane: Caller) -> None:
    """The order schema is drawn from the report."""
    answer = kestra.get(at(war, "orders/schema/"))
    assert answer.json()["form"]["type"] == "object"
    assert "forcek1" in answer.content.decode()
    assert "forcem1" not in answer.content.decode()
    assert "forcem1" in morvane.get(at(war, "orders/schema/")).content.decode()


def test_the_same_question_gets_the_same_bytes(war: Campaign, kestra: Caller) -> None:
    """Answers are written in one order, whatever asked first."""
    paths = ["", "report/", "contacts/", "turns/", "feed/", "orders/", "orders/schema/", "seeds/1/", "job/"]
    first = [kestra.get(at(war, path)).content for path in paths]
    assert [Caller("kestra").get(at(war, path)).content for path in paths] == first


def test_private_answers_stay_out_of_shared_caches(war: Campaign, kestra: Caller) -> None:
    """What is not public says so, refusals too; the rules are anyone's."""
    for path in ("campaigns/", at(war), at(war, "orders/"), at(war, "gm/turn/")):
        answer = kestra.get(path)
        assert answer["Cache-Control"] == "no-store"
        assert {"Authorization", "Cookie"} <= {name.strip() for name in answer["Vary"].split(",")}
    assert "no-store" not in kestra.get("rules/").get("Cache-Control", "")


def test_players_see_that_work_is_under_way_and_not_how_far(war: Campaign, kestra: Caller, gm: Caller) -> None:
    """The state for players, the counts for the GM."""
    assert kestra.get(at(war, "job/")).json() == {"state": "done"}
    jobs = gm.get(at(war, "gm/jobs/")).json()["jobs"]
    assert [(job["kind"], job["state"], job["done"] == job["total"] > 0) for job in jobs] == [
        ("turn-resolve", "done", True)
    ]
