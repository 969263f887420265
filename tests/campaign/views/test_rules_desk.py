"""The rules desk as pages: a calculator for every procedure, and a page for every rule."""

from __future__ import annotations

import pytest
from django.test import Client

from campaign.services.rules_desk import desks
from tests.campaign.views.worlds import text_of

PROCEDURES = [(key, each.name) for key, desk in sorted(desks().items()) for each in desk.procedures]


@pytest.mark.parametrize(("ruleset", "name"), PROCEDURES)
def test_every_procedure_has_a_calculator(ruleset: str, name: str) -> None:
    """Drawn from its input model; asked with nothing it answers, or says what is missing, and never breaks."""
    page = f"/rules/{ruleset}/{name}/"
    client = Client()
    assert client.get(page).status_code == 200
    assert client.get(page, {"ask": "1"}).status_code in (200, 422)


def test_a_question_is_answered_with_its_rules() -> None:
    """The sum of a procedure without dice."""
    said = text_of(Client().get("/rules/operational/saganami/hyper.limit/", {"ask": "1", "/in/star": "G2"}))
    assert "158" in said
    assert "B5.16" in said


def test_vectors_are_typed_as_players_write_them() -> None:
    """And answered so."""
    page = "/rules/operational/saganami/hyper.translate/"
    html = Client().get(page, {"ask": "1", "/in/vectors": "24A 20B"}).content.decode()
    assert '<span class="vec">2<b>A</b>1<b>B</b></span>' in html


def test_dice_are_typed_or_rolled_from_a_seed_that_rolls_the_same_again() -> None:
    """Physical dice count as typed; rolled ones can be rolled again by who has the address."""
    page = "/rules/operational/saganami/hyper.emergence/"
    client = Client()
    typed = text_of(client.get(page, {"ask": "1", "/dice": "7, 3", "how": "type"}))
    assert "Dice: 7, 3" in typed
    assert "as typed" in typed
    first = text_of(client.get(page, {"ask": "1", "how": "roll", "seed": "our table"}))
    again = text_of(client.get(page, {"ask": "1", "how": "roll", "seed": "our table"}))
    assert "rolled from the seed our table" in first
    assert first == again


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"/in/star": "Q7"}, "star"),
        ({}, "required"),
    ],
)
def test_a_bad_question_is_answered_with_every_problem(query: dict[str, str], words: str) -> None:
    """Beside its field; what was typed stays."""
    answer = Client().get("/rules/operational/saganami/hyper.limit/", {"ask": "1", **query})
    assert answer.status_code == 422
    assert words in text_of(answer).lower()
    assert 'aria-invalid="true"' in answer.content.decode()
    assert query.get("/in/star", "") in answer.content.decode()


def test_too_many_dice_are_refused() -> None:
    """As at the command."""
    answer = Client().get("/rules/operational/saganami/hyper.emergence/", {"ask": "1", "/dice": "7 3 4", "how": "type"})
    assert answer.status_code == 422


def test_the_list_has_every_ruleset() -> None:
    """Each with all its procedures."""
    html = Client().get("/rules/").content.decode()
    for key, name in PROCEDURES:
        assert f"/rules/{key}/{name}/" in html


def test_a_rules_page_says_where_it_is_asked_and_played() -> None:
    """By number, or by source and number; a number nobody knows is not there."""
    client = Client()
    said = text_of(client.get("/rules/rule/B5.16/"))
    assert "Ask it" in said
    assert "Where it is played" in said
    assert client.get("/rules/rule/saganami/B5.16/").status_code == 200
    assert client.get("/rules/rule/Z9.99/").status_code == 404


@pytest.mark.parametrize(
    "page", ["/rules/operational/saganami/no.such/", "/rules/operational/none/hyper.limit/", "/rules/naval/x/y/"]
)
def test_a_procedure_that_is_not_there_is_not_there(page: str) -> None:
    """Unknown level, ruleset or name."""
    client = Client()
    assert client.get(page).status_code == 404
