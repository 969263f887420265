"""Signing in by name and password, and the token's end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from rest_framework.authtoken.models import Token

from campaign.models import Audit
from campaign.services.sign_in import MOST_OF_NAME_AND_ADDRESS
from tests.campaign.api.callers import Caller, codes

pytestmark = pytest.mark.django_db
PASSWORD = "a-long-password-of-tests"


@pytest.fixture(autouse=True)
def _no_failures_remembered() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def asha() -> User:
    """A person with a password."""
    return User.objects.create_user("asha", password=PASSWORD)


def test_a_name_and_password_give_a_token_that_opens_doors(asha: User) -> None:
    """The token answers for the person until it is ended."""
    nobody = Caller()
    answer = nobody.post("token/", {"username": "asha", "password": PASSWORD})
    assert answer.status_code == 200
    nobody.headers = {"Authorization": f"Token {answer.json()['token']}"}
    assert nobody.get("campaigns/").status_code == 200
    assert nobody.post("token/", {"username": "asha", "password": PASSWORD}).json() == answer.json()
    assert nobody.delete("token/").status_code == 204
    ended = nobody.get("campaigns/")
    assert (ended.status_code, codes(ended)) == (401, ["authentication-failed"])
    assert ended["WWW-Authenticate"] == "Token"
    assert list(Audit.objects.values_list("act", flat=True)) == ["token-create", "token-end"]


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(asha: User) -> None:
    """Nobody learns which names there are."""
    wrong = Caller().post("token/", {"username": "asha", "password": "wrong-password"})
    unknown = Caller().post("token/", {"username": "nobody", "password": "wrong-password"})
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.content == unknown.content


def test_an_old_token_does_not_keep_its_person_from_signing_in(asha: User) -> None:
    """The token door reads no token when somebody signs in."""
    caller = Caller()
    caller.headers = {"Authorization": "Token 0000"}
    assert caller.post("token/", {"username": "asha", "password": PASSWORD}).status_code == 200


def test_guessing_is_held_back_even_with_the_right_password(asha: User) -> None:
    """After ten failures from one address the answer is 429, for that name and address only."""
    guess = {"username": "asha", "password": "wrong-password"}
    assert [Caller().post("token/", guess).status_code for _ in range(MOST_OF_NAME_AND_ADDRESS)] == [401] * 10
    right = {"username": "asha", "password": PASSWORD}
    held = Caller().post("token/", right)
    assert (held.status_code, codes(held)) == (429, ["too-many-requests"])
    elsewhere = Caller()
    elsewhere.client.defaults["REMOTE_ADDR"] = "203.0.113.9"
    assert elsewhere.post("token/", right).status_code == 200


def test_a_person_who_is_no_longer_active_is_locked_out_at_once(asha: User) -> None:
    """Disabling an account ends its token within one request."""
    caller = Caller("asha")
    assert caller.get("campaigns/").status_code == 200
    User.objects.filter(pk=asha.pk).update(is_active=False)
    assert caller.get("campaigns/").status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"username": "asha"},
        {"username": 7, "password": ["x"]},
        {"username": "", "password": ""},
        {"username": "a\0b", "password": "x"},
        {"username": "asha", "password": "x", "remember": True},
        [],
        "asha",
        None,
    ],
)
def test_a_sign_in_of_another_form_is_refused(asha: User, body: object) -> None:
    """Every wrong form is a 400 with its places."""
    answer = Caller().post("token/", body)
    assert answer.status_code == 400
    assert codes(answer)
    assert not Token.objects.exists()


def test_a_session_signs_in_too_but_must_show_its_csrf_token(asha: User) -> None:
    """A session may read at once; to write it needs the token of its own site."""
    caller = Caller()
    caller.client.force_login(asha)
    assert caller.get("campaigns/").status_code == 200
    caller.client.handler.enforce_csrf_checks = True
    forged = caller.post("campaigns/", {"fixture": "demo"})
    assert (forged.status_code, codes(forged)) == (403, ["permission-denied"])
    caller.client.logout()
    assert caller.get("campaigns/").status_code == 401
