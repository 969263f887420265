"""Fault test 11 in small: a POST with a key has one effect, however often it is sent and wherever it is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, transaction
from django.utils import timezone

import campaign.api.doors as doors
import campaign.services.idempotency as idempotency
from campaign.models import Audit, Campaign, IdempotencyKey, Invitation, OrderSheet, RosterChange
from campaign.services.deadlines import beat_tick
from campaign.services.idempotency import KEPT, Given
from tests.campaign.api.callers import Caller, at, codes

pytestmark = pytest.mark.django_db
CHANGE = {"document": {"act": "rename-ship", "ship": "shipk1", "name": "Curlew"}, "reason": "a new name"}


@pytest.fixture(autouse=True)
def _nothing_in_flight() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def test_the_same_request_five_times_has_one_effect_and_one_answer(war: Campaign, gm: Caller) -> None:
    """Byte-equal replies; the change is made once, and recorded once."""
    answers = [gm.post(at(war, "gm/changes/"), CHANGE, Idempotency_Key="change-1") for _ in range(5)]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert RosterChange.objects.count() == 1
    assert Audit.objects.filter(act="turn-change").count() == 1
    assert gm.post(at(war, "gm/changes/"), CHANGE, Idempotency_Key="change-2").status_code == 201
    assert gm.post(at(war, "gm/changes/"), CHANGE).status_code == 201
    assert RosterChange.objects.count() == 3


@pytest.mark.parametrize(
    ("path", "body", "count"),
    [
        ("gm/invitations/", {"role": "observer", "side": "kestra"}, lambda: Invitation.objects.count()),
        ("gm/rollback/", {"after_turn": 0, "reason": "again"}, lambda: Campaign.objects.get().branches.count() - 1),
        ("gm/turn/lock/", None, lambda: Audit.objects.filter(act="turn-lock", reason="by the GM").count()),
    ],
)
def test_every_post_can_be_repeated(war: Campaign, gm: Caller, path: str, body: Any, count: Callable[[], int]) -> None:
    """Invitations, rollbacks and locks alike, whose second sending would do more or be refused."""
    answers = [gm.post(at(war, path), body, Idempotency_Key="once") for _ in range(5)]
    assert len({(answer.status_code, answer.content) for answer in answers}) == 1
    assert answers[0].status_code in (200, 201)
    assert count() == 1


def test_a_seal_that_is_sent_again_is_answered_again(war: Campaign, kestra: Caller) -> None:
    """Without the key the second sending is a 409."""
    body = {"turn": 2, "version": 1, "nonce": "a-nonce-of-tests"}
    first = kestra.post(at(war, "orders/seal/"), body, Idempotency_Key="seal")
    assert kestra.post(at(war, "orders/seal/"), body, Idempotency_Key="seal").content == first.content
    assert kestra.post(at(war, "orders/seal/"), body).status_code == 409


def test_the_key_with_another_request_is_refused(war: Campaign, gm: Caller) -> None:
    """Another body, and another address, are other requests; the same body written otherwise is not."""
    assert gm.post(at(war, "gm/changes/"), CHANGE, Idempotency_Key="k").status_code == 201
    other = gm.post(at(war, "gm/changes/"), {**CHANGE, "reason": "another"}, Idempotency_Key="k")
    assert (other.status_code, codes(other)) == (422, ["idempotency-key-reused"])
    elsewhere = gm.post(at(war, "gm/turn/amend/"), CHANGE, Idempotency_Key="k")
    assert (elsewhere.status_code, codes(elsewhere)) == (422, ["idempotency-key-reused"])
    spaced = b'{ "reason": "a new name", "document": {"name": "Curlew", "ship": "shipk1", "act": "rename-ship"} }'
    assert gm.post(at(war, "gm/changes/"), spaced, Idempotency_Key="k").status_code == 201
    assert RosterChange.objects.count() == 1


def test_a_key_is_its_persons_own(war: Campaign, kestra: Caller, morvane: Caller) -> None:
    """Two people may use one key; neither gets the other's answer."""
    body = {"document": {}}
    mine = kestra.post(at(war, "orders/check/"), body, Idempotency_Key="k")
    theirs = morvane.post(at(war, "orders/check/"), {"document": {"x": 1}}, Idempotency_Key="k")
    assert (mine.status_code, theirs.status_code) == (200, 200)
    assert mine.content != theirs.content


def test_a_refusal_is_kept_with_its_key_too(war: Campaign, gm: Caller) -> None:
    """The repeated request gets the refusal it got, though it would be granted by now."""
    body = {"document": {"act": "rename-ship", "ship": "shipk1", "name": "Curlew"}, "reason": "early"}
    first = gm.post(at(war, "gm/turn/amend/"), body, Idempotency_Key="early")
    assert (first.status_code, codes(first)) == (409, ["turn-moved-on"])
    gm.post(at(war, "gm/turn/lock/"))
    from tests.campaign.services.setups import run_jobs

    run_jobs()
    assert gm.post(at(war, "gm/turn/amend/"), body, Idempotency_Key="early").content == first.content
    assert gm.post(at(war, "gm/turn/amend/"), body, Idempotency_Key="later").status_code == 201


def test_while_the_first_request_is_under_way_the_second_is_told(
    war: Campaign, gm: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """409, and nothing is done twice."""
    second: list[Any] = []
    real = idempotency._first

    def slow(*arguments: Any) -> Given:
        second.append(gm.post(at(war, "gm/changes/"), CHANGE, Idempotency_Key="k"))
        return real(*arguments)

    monkeypatch.setattr(idempotency, "_first", slow)
    assert gm.post(at(war, "gm/changes/"), CHANGE, Idempotency_Key="k").status_code == 201
    assert [(answer.status_code, codes(answer)) for answer in second] == [(409, ["in-flight"])]
    assert RosterChange.objects.count() == 1


@pytest.mark.parametrize("key", ["", "k" * 121, "tab\tkey", "schlüssel"])
def test_a_key_of_another_form_is_refused(war: Campaign, gm: Caller, key: str) -> None:
    """1 to 120 printable characters."""
    answer = gm.post(at(war, "gm/changes/"), CHANGE, Idempotency_Key=key)
    assert (answer.status_code, codes(answer)) == (400, ["bad-idempotency-key"])
    assert not RosterChange.objects.exists()


def test_a_key_is_kept_for_a_day_and_then_forgotten(war: Campaign, gm: Caller) -> None:
    """The beat drops what is older."""
    gm.post(at(war, "gm/changes/"), CHANGE, Idempotency_Key="k")
    made = timezone.now()
    beat_tick(now=made + KEPT - timedelta(minutes=1))
    assert IdempotencyKey.objects.count() == 1
    beat_tick(now=made + KEPT + timedelta(minutes=1))
    assert IdempotencyKey.objects.count() == 0


def test_an_ended_seat_gets_no_kept_answer(war: Campaign, gm: Caller, kestra: Caller) -> None:
    """Who may come in is asked before the key."""
    body = {"document": {}}
    assert kestra.post(at(war, "orders/check/"), body, Idempotency_Key="k").status_code == 200
    gm.delete(at(war, "gm/seats/kestra/"))
    assert kestra.post(at(war, "orders/check/"), body, Idempotency_Key="k").status_code == 404


class CutError(Exception):
    """The connection, or the process, is gone."""


def effects_of_cut_requests(war: Campaign, gm: Caller, monkeypatch: pytest.MonkeyPatch) -> int:
    """Send one change five times, the first three cut just before the answer is kept; return the changes made."""
    cuts = [True, True, True]
    real = IdempotencyKey.save

    def save(row: IdempotencyKey, **options: Any) -> None:
        if options.get("update_fields") and cuts:
            cuts.pop()
            raise CutError
        real(row, **options)

    monkeypatch.setattr(IdempotencyKey, "save", save)
    gm.client.raise_request_exception = False
    answers = [gm.post(at(war, "gm/changes/"), CHANGE, Idempotency_Key="cut") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [500, 500, 500, 201, 201]
    assert answers[3].content == answers[4].content
    return RosterChange.objects.count()


def test_a_cut_request_leaves_nothing_and_can_be_sent_again(
    war: Campaign, gm: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Key and effect stand or fall together."""
    assert effects_of_cut_requests(war, gm, monkeypatch) == 1


def test_a_key_that_is_stored_after_the_effect_is_found_out(
    war: Campaign, gm: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault: the effect commits, then the key."""

    def after(*, user: Any, key: str, digest: str, now: Any, answer: Callable[[], Given]) -> Given:
        known = IdempotencyKey.objects.filter(user=user, key=key).first()
        if known is not None:
            return Given(known.status, known.body)
        given = answer()
        with transaction.atomic():
            row = IdempotencyKey.objects.create(user=user, key=key, request_digest=digest, created_at=now)
            row.status, row.body = given.status, given.body
            row.save(update_fields=["status", "body"])
        return given

    monkeypatch.setattr(doors, "answered_once", after)
    assert effects_of_cut_requests(war, gm, monkeypatch) == 4


def test_a_busy_database_is_a_clear_answer_and_keeps_no_key(
    war: Campaign, kestra: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 with a time to try again; nothing was done."""

    def locked(**_: object) -> OrderSheet:
        raise OperationalError("database is locked")

    import campaign.api.player.orders as orders

    body = {"turn": 2, "version": 1, "nonce": "a-nonce-of-tests"}
    with monkeypatch.context() as patch:
        patch.setattr(orders, "order_sheet_seal", locked)
        answer = kestra.post(at(war, "orders/seal/"), body, Idempotency_Key="busy")
    assert (answer.status_code, codes(answer), answer["Retry-After"]) == (503, ["database-busy"], "2")
    assert kestra.post(at(war, "orders/seal/"), body, Idempotency_Key="busy").status_code == 200
