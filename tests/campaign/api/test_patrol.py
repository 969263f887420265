"""Patrol scenarios through the API: one program plays both sides, and bad input gets its status."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.campaign.services.patrols import agreement, game_open, library_patrol, solo

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/patrol/"


@pytest.fixture(autouse=True)
def library(db: None) -> None:
    """The classes of two nations."""
    library_patrol()


def ask(method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """Return status and document of an answer."""
    data = json.dumps(body).encode() if body is not None else b""
    answer = Client().generic(method, ROOT + path, data, content_type="application/json")
    return answer.status_code, json.loads(answer.content)


def test_a_scenario_is_opened_joined_and_played_by_programs() -> None:
    """Secrets are in addresses, kept out of caches; each act answers the view after it."""
    status, made = ask("POST", "", {"opener": "attacker", "opening": agreement(), "nonce": "first"})
    assert status == 201 and set(made["invitations"]) == {"defender"}
    invitation = made["invitations"]["defender"]
    status, offer = ask("GET", f"invitations/{invitation}/")
    assert (status, offer["role"]) == (200, "defender")
    status, taken = ask("POST", f"invitations/{invitation}/", {"name": "Iron Wall", "nonce": "second"})
    assert status == 201
    assert ask("POST", f"invitations/{invitation}/", {})[0] == 404
    status, seen = ask("POST", f"seats/{made['secret']}/acts/", {"act": {"act": "buy", "ship_class": "petrel"}})
    assert status == 200 and seen["view"]["force"][0]["ship_class"] == "petrel"
    status, other = ask("GET", f"seats/{taken['secret']}/")
    assert other["view"]["role"] == "defender" and other["view"]["force"] == []
    assert "petrel" not in json.dumps(other["view"]["log"])
    answer = Client().get(f"{ROOT}seats/{taken['secret']}/")
    assert answer.headers["Cache-Control"] == "no-store"


def test_bad_input_has_its_status_and_its_place() -> None:
    """400 for shape, 404 for strangers, 409 for late, 422 for rules."""
    for base in (0, -3, 1_000_000):
        status, answer = ask("POST", "", {"opener": "attacker", "opening": agreement(base=base)})
        assert status == 422 and answer["problems"][0]["place"] == "/base"
    assert ask("POST", "", {"opener": "attacker", "opening": {"base": "x"}})[0] == 400
    assert ask("POST", "", {"opener": "nobody", "opening": agreement()})[0] == 400
    game = solo()
    url = f"seats/{game.secrets['attacker']}/acts/"
    assert ask("POST", url, {"act": {"act": "fly"}})[0] == 400
    assert ask("POST", url, {"act": {"act": "take"}})[0] == 400
    assert ask("POST", url, {"act": {"act": "draw"}})[0] == 409
    assert ask("POST", url, {"act": {"act": "compose"}, "version": 0})[0] == 409
    status, answer = ask("POST", url, {"act": {"act": "buy", "ship_class": "pharos"}})
    assert (status, answer["problems"][0]["code"]) == (422, "not-offered")
    assert ask("GET", "seats/guess/")[0] == 404
    assert ask("POST", "seats/guess/acts/", {"act": {"act": "done"}})[0] == 404
    assert ask("GET", f"results/{game.row.token}/")[0] == 404
    assert ask("GET", f"seats/{game.secrets['attacker']}/papers/")[0] == 409


def test_a_link_stops_at_the_reveal_and_the_result_takes_its_place() -> None:
    """The act that lays the scenario open answers what anyone may know; after it the seat is 409."""
    game = solo(base=300).play("attacker")
    report = {"act": "report", "facts": game.facts("attacker")}
    status, seen = ask("POST", f"seats/{game.secrets['attacker']}/acts/", {"act": report})
    assert status == 200 and seen["view"]["stage"] == "revealed"
    assert ask("GET", f"seats/{game.secrets['attacker']}/")[0] == 409
    assert ask("POST", f"seats/{game.secrets['attacker']}/acts/", {"act": report})[0] == 409
    status, answer = ask("GET", f"results/{game.row.token}/")
    assert status == 200 and answer["result"]["replay"] == "same" and answer["result"]["seeds"]
    paper = Client().get(f"{ROOT}results/{game.row.token}/papers/?of=defender&paper=letter")
    assert paper.headers["Content-Type"] == "application/pdf"
    assert ask("GET", f"results/{game.row.token}/papers/?paper=b5")[0] == 422


def test_a_scenario_called_off_early_still_has_its_record_and_its_papers() -> None:
    """Before a card was dealt: nothing of it is missing on paper but what never was."""
    game = game_open("umpire")
    game.act("umpire", "call-off")
    status, answer = ask("GET", f"results/{game.row.token}/")
    assert status == 200 and answer["result"]["is_called_off"] and answer["result"]["score"] is None
    for of in ("attacker", "umpire"):
        assert Client().get(f"{ROOT}results/{game.row.token}/papers/?of={of}").content.startswith(b"%PDF")
    assert Client().get(f"/patrol/result/{game.row.token}/").status_code == 200


def test_forms_and_factions_are_described() -> None:
    """What a client needs before it opens anything."""
    status, forms = ask("GET", "")
    assert status == 200 and "attacker" in forms["opening"]["properties"] and forms["act"]["discriminator"]
    status, listed = ask("GET", "factions/?year=1906")
    assert [one["faction"] for one in listed["factions"] if one["classes"]] == ["kestra", "morvane"]
    assert ask("GET", "factions/?year=0")[0] == 400
