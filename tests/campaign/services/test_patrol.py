"""Patrol scenarios by secret link: D3 as a service."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campaign.engine.dice import commitment
from campaign.engine.errors import ProblemsError
from campaign.models import PatrolAct, PatrolLink, PatrolScenario
from campaign.selectors.patrol import patrol_factions, patrol_state
from campaign.services.patrol import (
    MOST_AN_HOUR,
    patrol_act,
    patrol_invitation,
    patrol_open,
    patrol_result,
    patrol_seat,
    patrol_take,
    patrol_verify,
    patrol_view,
)
from campaign.services.refusals import NotThereError, ShapeError, StaleError, TooManyError
from tests.campaign.services.patrols import NOW, agreement, game_open, library_patrol, solo

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def library(db: None) -> None:
    """The classes of two nations."""
    library_patrol()


def refused(**changes: Any) -> set[tuple[str, str]]:
    """Return codes and places of what is wrong with an opening."""
    opener = changes.pop("opener", "attacker")
    with pytest.raises(ProblemsError) as error:
        patrol_open(document=agreement(**changes), opener=opener, nonce="", now=NOW)
    assert not PatrolScenario.objects.exists()
    return {(one.code, one.place) for one in error.value.problems}


@pytest.mark.rule("D3.11", "D3.111")
def test_a_bad_agreement_writes_nothing_and_names_every_problem() -> None:
    """Zero, negative, a million; no ships that year; two automatic sides for an attacker; a deck of a player's own."""
    for base in (0, -1, 1_000_000):
        assert any(place == "/base" for _, place in refused(base=base))
    assert refused(year=1500) == {("no-ships", "/attacker/faction"), ("no-ships", "/defender/faction")}
    assert ("seat-automatic", "/attacker/seat") in refused(attacker={"faction": "kestra", "seat": "automatic"})
    assert refused(deck=["AS", "AS"]) == {("deck-not-yours", "/deck"), ("card-twice", "/deck/1")}
    assert refused(deck=["AS", "AS"], opener="umpire") == {("card-twice", "/deck/1")}
    assert refused(opener="spectator") == {("unknown-role", "/opener")}
    with pytest.raises(ShapeError):
        patrol_open(document={"base": "many"}, opener="attacker", nonce="", now=NOW)


def test_an_invitation_opens_once_and_gives_a_secret_that_its_sender_never_saw() -> None:
    """The opener cannot come in by it, before or after; nor does a seat's secret work as an invitation."""
    opened = patrol_open(document=agreement(), opener="attacker", nonce="one", now=NOW)
    invitation = opened.invitations["defender"]
    assert set(opened.invitations) == {"defender"}
    assert patrol_invitation(secret=invitation).role == "defender"
    with pytest.raises(NotThereError):
        patrol_seat(secret=invitation)
    seat, own = patrol_take(secret=invitation, name="Iron Wall", nonce="two", now=NOW)
    assert (seat.role, own != invitation) == ("defender", True)
    for call in (patrol_invitation, patrol_seat):
        with pytest.raises(NotThereError):
            call(secret=invitation)
    with pytest.raises(NotThereError):
        patrol_take(secret=invitation, name="", nonce="", now=NOW)
    with pytest.raises(NotThereError):
        patrol_take(secret=opened.secret, name="", nonce="", now=NOW)
    assert patrol_view(patrol_seat(secret=own))["sides"]["defender"]["name"] == "Iron Wall"
    stored = " ".join(PatrolLink.objects.values_list("digest", flat=True))
    assert own not in stored and opened.secret not in stored


def test_a_seat_sees_its_own_side_and_acts_for_it_alone() -> None:
    """Two people play a whole scenario; no view of one holds what is the other's."""
    game = game_open()
    game.act("attacker", "buy", ship_class="petrel", name="Sand Martin")
    assert "Sand Martin" not in json.dumps(game.view("defender"))
    assert game.view("defender")["force"] == []
    assert "seeds" not in game.view("attacker")
    assert game.view("attacker")["commitments"] == game.row.commitments
    game.act("attacker", "compose")
    game.act("attacker", "done")
    game.buy_all("defender")
    game.buy_all("attacker")
    game.buy_all("defender")
    state = patrol_state(game.row)
    assert not set(state.attacker.hand) & {one["card"] for one in game.view("defender")["cards_held"]["hand"]}
    for card in state.attacker.hand:
        assert json.dumps(card) not in json.dumps(game.view("defender"))


def test_acts_are_refused_with_the_status_of_their_fault() -> None:
    """No act, the server's act, an old version, a stage that is over, a rule."""
    game = solo()
    for document in ({"act": "fly"}, {"act": "take"}, {"act": "collision"}, {"act": "buy"}):
        with pytest.raises(ShapeError):
            patrol_act(secret=game.secrets["attacker"], document=document, now=NOW)
    with pytest.raises(StaleError):
        patrol_act(secret=game.secrets["attacker"], document={"act": "compose"}, now=NOW, version=0)
    with pytest.raises(StaleError):
        game.act("attacker", "draw")
    with pytest.raises(ProblemsError) as error:
        game.act("attacker", "buy", ship_class="adze")
    assert not isinstance(error.value, ShapeError | StaleError)
    with pytest.raises(NotThereError):
        patrol_act(secret="nonsense", document={"act": "compose"}, now=NOW)
    acts = PatrolAct.objects.filter(scenario=game.row).count()
    assert acts == len(PatrolAct.objects.filter(scenario=game.row, number__lte=acts))


@pytest.mark.rule("D3.13")
def test_a_real_card_that_is_out_is_refused_and_the_attempt_is_on_record() -> None:
    """Both sides see how often it happened."""
    game = game_open(cards="table")
    for _ in range(2):
        for role in ("attacker", "defender"):
            game.buy_all(role)
    game.act("attacker", "hand", cards=["AS", "5C", "9C"])
    with pytest.raises(ProblemsError) as error:
        game.act("defender", "hand", cards=["AS", "5D", "9D"])
    assert [one.code for one in error.value.problems] == ["card-already-drawn"]
    assert game.view("attacker")["sides"]["defender"]["collisions"] == 1
    assert game.view("defender")["cards_held"]["hand"] == []


@pytest.mark.rule("D3.4", "D3.41")
def test_one_person_plays_against_the_automatic_side_to_the_reveal() -> None:
    """The result opens the seeds, which keep their commitments; the record plays again to the same state."""
    game = solo().play("attacker")
    assert game.row.stage == "battle"
    with pytest.raises(NotThereError):
        patrol_result(token=game.row.token)
    game.act("attacker", "report", facts=game.facts("attacker"))
    assert game.row.revealed_at == NOW
    found = patrol_result(token=game.row.token)
    assert found["replay"] == "same"
    assert found["score"]["margin"]
    assert {owner: commitment(seed) for owner, seed in found["seeds"].items()} == found["commitments"]
    assert found["sides_open"]["defender"]["missions"]
    with pytest.raises(StaleError):
        game.act("attacker", "report", facts={"turns": 1, "ships": {}})
    with pytest.raises(StaleError):
        game.view("attacker")


@pytest.mark.rule("D3.41")
def test_two_people_sign_one_result() -> None:
    """Nothing is laid open by one alone."""
    game = game_open().play("attacker", "defender")
    game.act("defender", "report", facts=game.facts("defender"))
    assert game.row.revealed_at is None
    game.act("attacker", "sign", digest=game.view("attacker")["report"]["digest"])
    assert patrol_result(token=game.row.token)["replay"] == "same"


def test_an_umpire_sees_both_sides_but_no_seed_and_closes_the_battle() -> None:
    """The umpire's link is a seat of its own, and both players are invited."""
    game = game_open("umpire").play("attacker", "defender")
    view = game.view("umpire")
    assert set(view["sides_open"]) == {"attacker", "defender"} and "seeds" not in view
    assert "sides_open" not in game.view("attacker")
    ships = [ship["ship"] for side in view["sides_open"].values() for ship in side["force"]]
    game.act("umpire", "rule", facts={"turns": 9, "ships": {ship: {} for ship in ships}})
    assert patrol_result(token=game.row.token)["replay"] == "same"


def test_a_record_that_was_tampered_with_does_not_play_again_to_the_same() -> None:
    """A changed act, a changed seed, a changed state."""
    game = solo().play("attacker")
    game.act("attacker", "call-off")
    assert patrol_verify(row=game.row) == "same"
    act = PatrolAct.objects.filter(scenario=game.row, by="attacker", document__contains="compose").first()
    assert act is not None
    PatrolAct.objects.filter(pk=act.pk).update(document='{"act":"done"}')
    assert patrol_verify(row=game.row) == "differs"
    PatrolAct.objects.filter(pk=act.pk).update(document=act.document)
    game.row.seeds = {**game.row.seeds, "attacker": "00" * 32}
    assert patrol_verify(row=game.row) == "differs"


def test_the_site_bounds_how_many_scenarios_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anyone may open one, so there is a limit by the hour."""
    monkeypatch.setattr("campaign.services.patrol.MOST_AN_HOUR", 1)
    assert MOST_AN_HOUR > 1
    solo()
    with pytest.raises(TooManyError):
        solo()


@pytest.mark.rule("D3.11")
def test_the_year_says_what_each_faction_can_send() -> None:
    """Unarmed ships go on no patrol."""
    by_nation = {one["faction"]: [each["ship_class"] for each in one["classes"]] for one in patrol_factions(1906)}
    assert by_nation["free-traders"] == []
    assert by_nation["kestra"][0] == "petrel"
    assert {one["faction"]: one["classes"] for one in patrol_factions(1500)}["kestra"] == []
