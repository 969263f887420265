"""The pages of a patrol scenario, walked through without script: opened, joined, played, reported, laid open."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from campaign.models import PatrolScenario
from tests.campaign.services.patrols import Game, game_open, library_patrol, solo

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def library(db: None) -> None:
    """The classes of two nations."""
    library_patrol()


FORM = {"year": "1906", "base": "600", "opener": "attacker", "opponent": "person", "attacker_faction": "kestra",
        "defender_faction": "morvane", "attacker_name": "Raid Group Cinder", "nonce": "mine"}  # fmt: skip


def secret_of(page: str, name: str) -> str:
    """Return the secret at the end of a link of a page."""
    found = re.search(rf"/patrol/{name}/([A-Za-z0-9_-]+)/", page)
    assert found is not None
    return found[1]


def test_two_people_open_join_and_play_a_scenario_by_forms_alone() -> None:
    """From the agreement to the result page, by GET and POST."""
    first, second = Client(), Client()
    assert first.get("/patrol/?year=1906").status_code == 200
    opened = first.post("/patrol/", FORM)
    assert opened.status_code == 201
    page = opened.content.decode()
    own, invitation = secret_of(page, "seat"), secret_of(page, "join")
    assert "no-store" in opened.headers["Cache-Control"]
    assert "You are the defender" in second.get(f"/patrol/join/{invitation}/").content.decode()
    taken = second.post(f"/patrol/join/{invitation}/", {"name": "Iron Wall", "nonce": "theirs"})
    assert taken.status_code == 302
    other = secret_of(taken.headers["Location"], "seat")
    assert second.get(f"/patrol/join/{invitation}/").status_code == 404
    seats = {"attacker": (first, f"/patrol/seat/{own}/"), "defender": (second, f"/patrol/seat/{other}/")}

    def post(role: str, **fields: Any) -> None:
        client, url = seats[role]
        answer = client.post(url, fields)
        assert answer.status_code == 302, answer.content.decode()

    def read(role: str) -> str:
        client, url = seats[role]
        answer = client.get(url)
        assert answer.status_code == 200
        return answer.content.decode()

    post("attacker", act="buy", ship_class="petrel", name="Sand Martin")
    assert "Sand Martin" in read("attacker") and "Sand Martin" not in read("defender")
    for _ in range(2):
        for role in seats:
            post(role, act="compose")
            post(role, act="done")
    row = PatrolScenario.objects.get()
    game = Game(row, {"attacker": own, "defender": other})
    for role in seats:
        hand = game.view(role)["cards_held"]["hand"]
        assert "Use as" in read(role)
        uses = ("multiplier", "time", "mission")
        post(role, act="assign", **{f"use-{one['card']}": use for one, use in zip(hand, uses, strict=True)})
        while needs := game.view(role)["cards_held"]["needs"]:
            option = game.view(role)["cards_held"]["options"][:1]
            choice = {"choice": f"{option[0]['listed']}/{option[0]['rank']}"} if option else {}
            post(role, act="draw" if needs == "card" else "choose", **choice)
        post(role, act="done")
    for _ in ("rest", "set-up"):
        for role in seats:
            view = game.view(role)
            if view["stage"] == "rest":
                post(role, act="compose")
                ship = view["force"][0]
                post(role, act="options", ship=ship["ship"], ship_class=ship["ship_class"], parties="0", pods="0")
                post(role, act="name", ship=ship["ship"], name="Bold Venture")
            else:
                starts = view["set_up"]["starts"]
                fields = {f"{axis}-{ship}": str(one["at"][axis]) for ship, one in starts.items() for axis in "qrz"}
                post(role, act="place", **fields, **{f"vectors-{ship}": "2A" for ship in starts})
            declaring = game.view(role)["declaring"]
            if declaring["asked"]:
                named = {f"target-{one['rule']}": declaring["targets"][one["rule"]] for one in declaring["asked"]}
                post(role, act="declare", cronies=declaring["cronies"], **named)
            read(role)
            post(role, act="done")
    assert "Fight it out" in read("attacker")
    briefing = first.get(f"/patrol/seat/{own}/briefing/").content.decode()
    assert "Secret orders" in briefing and "Raid Group Cinder" in briefing
    fields = {"act": "report", "turns": "11"}
    enemy = game.view("attacker")["enemy"][0]["ship"]
    fields |= {f"fate-{enemy}": "destroyed", f"left-{enemy}": "6"}
    post("attacker", **fields)
    assert "Raid Group Cinder reports a result" in read("defender")
    post("defender", act="sign", digest=game.view("defender")["report"]["digest"])
    answer = second.get(f"/patrol/seat/{other}/")
    assert answer.status_code == 302
    shown = Client().get(answer.headers["Location"]).content.decode()
    assert "Played again from the opened seeds" in shown and "destroyed" in shown
    assert row.seeds["umpire"] in shown
    late = second.post(f"/patrol/seat/{other}/", {"act": "compose"})
    assert late.status_code == 302 and "/result/" in late.headers["Location"]


def test_a_bad_agreement_comes_back_with_every_problem_and_what_was_typed() -> None:
    """422, nothing opened; a number that is none is 400."""
    answer = Client().post("/patrol/", {**FORM, "base": "0", "deck": "AS AS"})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "at least one point" in text and "named twice" in text and "Raid Group Cinder" in text
    assert Client().post("/patrol/", {**FORM, "base": "lots"}).status_code == 400
    assert not PatrolScenario.objects.exists()


def test_a_refused_act_is_shown_with_its_reason_on_the_seat_s_own_page() -> None:
    """422 for a rule, 409 for too late, and the page is still the seat's."""
    game = solo()
    url = f"/patrol/seat/{game.secrets['attacker']}/"
    answer = Client().post(url, {"act": "buy", "ship_class": "adze"})
    assert answer.status_code == 422 and "no class" in answer.content.decode()
    assert Client().post(url, {"act": "draw"}).status_code == 409
    assert Client().post(url, {"act": "fly"}).status_code == 400
    assert Client().post(url, {}).status_code == 400
    assert "Your first purchase" in Client().get(url).content.decode()


def test_a_wrong_link_is_not_there_and_a_result_is_not_shown_early() -> None:
    """404 for guesses, for invitations as seats, for results before the reveal."""
    game = game_open()
    for url in (
        "/patrol/seat/guess/",
        f"/patrol/seat/{game.invitations['defender']}/",
        f"/patrol/join/{game.secrets['attacker']}/",
        f"/patrol/result/{game.row.token}/",
        f"/patrol/result/{game.row.token}/umpire/a4.pdf",
    ):
        assert Client().get(url).status_code == 404
    assert Client().get(f"/patrol/seat/{game.secrets['attacker']}/briefing/").status_code == 409


def test_a_waiting_page_is_made_anew_when_the_scenario_moved_on() -> None:
    """By its version, and for nothing else."""
    game = game_open()
    url = f"/patrol/seat/{game.secrets['attacker']}/state/"
    assert "HX-Refresh" not in Client().get(url, {"version": game.row.version}).headers
    game.act("defender", "compose")
    assert Client().get(url, {"version": game.row.version - 1}).headers["HX-Refresh"] == "true"


def test_the_umpire_s_page_shows_both_sides_and_settles_the_battle() -> None:
    """An umpire opens for two others, types the deck in, and has the last word."""
    ranks = ("9", "8", "5", "6", "7", "J", "Q", "4", "3", "2", "10", "A", "K")
    deck = [rank + suit for suit in "SHDC" for rank in ranks]
    game = game_open("umpire", deck=deck, base=300).play("attacker", "defender")
    client, url = Client(), f"/patrol/seat/{game.secrets['umpire']}/"
    text = client.get(url).content.decode()
    assert "Raid Group Cinder" in text and "Picket Four" in text and "typed in" in text
    view = game.view("umpire")
    for side in view["sides_open"].values():
        assert side["missions"][0]["title"].replace("'", "&#x27;") in text
    assert client.post(url, {"act": "rule", "turns": "9"}).status_code == 302
    pdf = client.get(f"/patrol/result/{game.row.token}/attacker/letter.pdf")
    assert pdf.headers["Content-Type"] == "application/pdf" and pdf.content.startswith(b"%PDF")
    assert client.get(f"/patrol/result/{game.row.token}/spectator/letter.pdf").status_code == 404


def test_a_seat_s_papers_are_its_own_side_s() -> None:
    """A PDF by the link, and no other paper than A4 and letter."""
    game = solo(base=300).play("attacker")
    url = f"/patrol/seat/{game.secrets['attacker']}/papers/"
    assert Client().get(f"{url}a4.pdf").content.startswith(b"%PDF")
    assert Client().get(f"{url}b5.pdf").status_code == 422
