"""The order sheet through the API: written from a version, checked, sealed, unsealed, too late."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Campaign, OrderSheet, Seat
from tests.campaign.api.callers import Caller, at, codes
from tests.campaign.services.setups import NOW, run_jobs

pytestmark = pytest.mark.django_db
NONCE = "a-nonce-of-tests"


def thrust(**change: int) -> dict[str, Any]:
    """Return a sheet with Kestra's one force thrusting."""
    return {"forces": {"forcek1": {"thrust": change}}}


def test_a_sheet_is_written_from_the_version_that_was_seen(war: Campaign, kestra: Caller) -> None:
    """Each writing raises the version; the sheet comes back as it was written."""
    sheet = kestra.get(at(war, "orders/")).json()
    assert (sheet["turn"], sheet["status"], sheet["version"], sheet["document"]) == (2, "draft", 1, {})
    written = kestra.put(at(war, "orders/"), {"turn": 2, "version": 1, "document": thrust(A=1)})
    assert written.status_code == 200
    assert written.json()["version"] == 2
    assert written.json()["problems"] == []
    assert kestra.get(at(war, "orders/")).json() == written.json()
    assert kestra.get(at(war, "orders/?turn=1")).json()["status"] == "resolved"


def test_two_tabs_and_one_sheet_lose_nothing(war: Campaign, kestra: Caller) -> None:
    """The second tab's writing is a 409 that names both versions, over many interleavings."""
    for number in range(1, 21):
        first = kestra.put(at(war, "orders/"), {"turn": 2, "version": number, "document": thrust(A=number % 3)})
        second = kestra.put(at(war, "orders/"), {"turn": 2, "version": number, "document": thrust(B=1)})
        assert first.status_code == 200
        assert (second.status_code, codes(second)) == (409, ["sheet-overtaken"])
        message = second.json()["problems"][0]["message"]
        assert f"version {number + 1}" in message
        assert f"version {number}." in message
        assert kestra.get(at(war, "orders/")).json()["document"] == thrust(A=number % 3)


def test_a_check_keeps_nothing(war: Campaign, kestra: Caller) -> None:
    """Every problem at once, each with its place and rule."""
    bad = {"forces": {"forcek1": {"thrust": {"A": 99}}, "forcem1": {"thrust": {"A": 1}}, "ghost": {}}, "extra": 1}
    answer = kestra.post(at(war, "orders/check/"), {"document": bad})
    assert answer.status_code == 200
    assert answer.json()["can_be_sealed"] is False
    places = {problem["place"] for problem in answer.json()["problems"]}
    assert len(places) >= 4
    assert any(problem["rule"] for problem in answer.json()["problems"])
    assert kestra.get(at(war, "orders/")).json()["version"] == 1
    assert kestra.post(at(war, "orders/check/"), {"document": thrust(A=1)}).json() == {
        "can_be_sealed": True,
        "problems": [],
    }


def test_another_sides_force_is_as_unknown_as_no_force(war: Campaign, kestra: Caller) -> None:
    """The problem of an order for an enemy's force differs from that for a made-up one in the id alone."""
    enemy = kestra.post(at(war, "orders/check/"), {"document": {"forces": {"forcem1": {"thrust": {"A": 1}}}}})
    made_up = kestra.post(at(war, "orders/check/"), {"document": {"forces": {"forcexx": {"thrust": {"A": 1}}}}})
    assert enemy.content.replace(b"forcem1", b"forcexx") == made_up.content


def test_a_sheet_is_sealed_with_a_nonce_and_unsealed(war: Campaign, kestra: Caller) -> None:
    """A sealed sheet is not written; unsealed it is a draft again."""
    kestra.put(at(war, "orders/"), {"turn": 2, "version": 1, "document": thrust(A=1)})
    sealed = kestra.post(at(war, "orders/seal/"), {"turn": 2, "version": 2, "nonce": NONCE})
    assert (sealed.json()["status"], sealed.json()["sealed_by"]) == ("sealed", "kestra")
    assert NONCE not in kestra.get(at(war, "orders/")).content.decode()
    refused = kestra.put(at(war, "orders/"), {"turn": 2, "version": 3, "document": {}})
    assert (refused.status_code, codes(refused)) == (409, ["sheet-sealed"])
    unsealed = kestra.post(at(war, "orders/unseal/"), {"turn": 2, "version": 3})
    assert unsealed.json()["status"] == "draft"
    again = kestra.post(at(war, "orders/unseal/"), {"turn": 2, "version": 4})
    assert (again.status_code, codes(again)) == (409, ["sheet-draft"])


def test_a_sheet_with_a_stop_is_kept_and_not_sealed(war: Campaign, kestra: Caller) -> None:
    """The draft stands with its problems; sealing is refused with all of them."""
    bad = {"forces": {"forcek1": {"thrust": {"A": 99}}, "nobody": {"thrust": {"A": 1}}}}
    written = kestra.put(at(war, "orders/"), {"turn": 2, "version": 1, "document": bad})
    assert written.status_code == 200
    assert len(written.json()["problems"]) == 2
    refused = kestra.post(at(war, "orders/seal/"), {"turn": 2, "version": 2, "nonce": NONCE})
    assert refused.status_code == 422
    assert refused.json()["problems"] == written.json()["problems"]
    assert OrderSheet.objects.get(turn__number=2, side__key="kestra").status == "draft"


def test_the_last_seal_locks_the_turn_and_later_orders_are_too_late(
    war: Campaign, kestra: Caller, morvane: Caller, gm: Caller
) -> None:
    """A sealed sheet after the lock, and one for a turn that has moved on, are 409."""
    for caller in (kestra, morvane):
        assert caller.post(at(war, "orders/seal/"), {"turn": 2, "version": 1, "nonce": NONCE}).status_code == 200
    assert kestra.get(at(war)).json()["turn"]["status"] == "locked"
    late = {"turn": 2, "version": 3, "document": {}}
    assert codes(kestra.put(at(war, "orders/"), late)) == ["turn-closed"]
    assert codes(kestra.post(at(war, "orders/unseal/"), {"turn": 2, "version": 3})) == ["turn-closed"]
    run_jobs()
    assert gm.post(at(war, "gm/turn/publish/")).status_code == 200
    old = kestra.put(at(war, "orders/"), late)
    assert (old.status_code, codes(old)) == (409, ["turn-closed"])
    ahead = kestra.put(at(war, "orders/"), {**late, "turn": 9})
    assert (ahead.status_code, codes(ahead)) == (404, ["no-such-turn"])


def test_an_observer_reads_and_does_not_write(war: Campaign) -> None:
    """The observer of a side sees its sheet; the pen is the commander's (403, not 404)."""
    caller = Caller("watcher")
    from django.contrib.auth.models import User

    side = war.sides.get(key="kestra")
    Seat.objects.create(campaign=war, user=User.objects.get(username="watcher"), side=side, role="observer",
                        created_at=NOW)  # fmt: skip
    assert caller.get(at(war, "orders/")).status_code == 200
    assert caller.post(at(war, "orders/check/"), {"document": {}}).status_code == 200
    for method, path in (("PUT", "orders/"), ("POST", "orders/seal/"), ("POST", "orders/unseal/")):
        refused = caller.ask(method, at(war, path), {})
        assert (refused.status_code, codes(refused)) == (403, ["forbidden"])


BAD_SHEETS: list[Any] = [
    {"forces": {"forcek1": {"thrust": {"A": 4}}}},
    {"forces": {"forcek1": {"thrust": {"X": 1}}}},
    {"forces": {"forcek1": {"thrust": {"A": -1}}}},
    {"forces": {"forcek1": {"thrust": {"A": 1.5}}}},
    {"forces": {"forcek1": {"thrust": {"A": True}}}},
    {"forces": {"forcek1": {"thrust": {"A": 10**9}}}},
    {"forces": {"forcek1": {"thrust": "A3"}}},
    {"forces": {"forcek1": {"thrust": [3]}}},
    {"forces": {"forcek1": {"warp": 9}}},
    {"forces": {"forcek1": None}},
    {"forces": {"forcek1": {"translate_out": True}}},
    {"forces": {"forcek1": {"course": [{"A": 1}] * 5000}}},
    {"forces": {"forcek1": {"course": {"A": 1}}}},
    {"forces": {"forcem1": {"thrust": {"A": 1}}}},
    {"forces": {"": {}}},
    {"forces": []},
    {"forces": None},
    {"forces": 0},
    {"split": [{"force": "forcek1", "ships": [], "name": "Nothing"}]},
    {"split": [{"force": "forcek1", "ships": ["shipk1", "shipk1"], "name": "Twice"}]},
    {"split": [{"force": "forcek1", "ships": ["shipm1"], "name": "Theirs"}]},
    {"split": {"force": "forcek1"}},
    {"split": [[]]},
    {"merge": [{"into": "forcek1", "forces": ["forcem1"]}]},
    {"merge": [{"into": "forcek1", "forces": ["forcek1"]}]},
    {"search": [{"ship": "shipk1", "window": "A/Q puce", "drones": 0}]},
    {"search": [{"ship": "shipk1", "window": "A/B blue+", "drones": 10**6}]},
    {"search": [{"ship": "shipm1", "window": "A/B blue+"}]},
    {"search": [{"ship": ["shipk1"], "window": {}}]},
    {"search": "everything"},
    {"preferences": {"direction_away": "nowhere"}},
    {"preferences": []},
    {"forces": {"forcek1": {"emerge": {"system": "lantern", "at": {"q": 10**9, "r": "x"}}}}},
    {"forces": {"forcek1": {"emerge": {"system": "elsewhere", "at": {"q": 1, "r": 1}, "groups": [[]]}}}},
    {"repair": [{"ship": "shipk1", "track": "hull", "boxes": 1}]},
    {"repair": [{"ship": "shipm1", "track": [], "parties": 3}]},
    {"nonsense": {"deep": [[[[[[{}]]]]]]}},
]


@pytest.mark.parametrize("document", BAD_SHEETS)
def test_a_sheet_of_any_form_is_read_and_never_breaks(war: Campaign, kestra: Caller, document: object) -> None:
    """Every bad order is a problem with a place; a bad sheet is kept as a draft and cannot be sealed."""
    checked = kestra.post(at(war, "orders/check/"), {"document": document})
    assert checked.status_code == 200, checked.content
    assert checked.json()["problems"], "what is wrong must be said"
    written = kestra.put(at(war, "orders/"), {"turn": 2, "version": 1, "document": document})
    assert written.status_code == 200, written.content
    assert written.json()["problems"] == checked.json()["problems"]
    if not checked.json()["can_be_sealed"]:
        sealed = kestra.post(at(war, "orders/seal/"), {"turn": 2, "version": 2, "nonce": NONCE})
        assert sealed.status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"turn": 2, "version": 1},
        {"turn": "2", "version": 1, "document": {}},
        {"turn": 2, "version": 1.0, "document": {}},
        {"turn": 2, "version": True, "document": {}},
        {"turn": 2, "version": -1, "document": {}},
        {"turn": 2, "version": 1, "document": []},
        {"turn": 2, "version": 1, "document": None},
        {"turn": 2, "version": 1, "document": {}, "side": "morvane"},
        {"turn": 2, "version": 1, "document": {"forces": {"fo\0rce": {}}}},
        {"turn": 2, "version": 1, "document": {"note": "\ud800"}},
        {"turn": 2, "version": 1, "document": {"forces": {"forcek1": {"thrust": {"A": 10**30}}}}},
        [],
        "sheet",
        7,
    ],
)
def test_a_writing_of_another_form_is_refused(war: Campaign, kestra: Caller, body: object) -> None:
    """Form is 400 with places, and nothing is written."""
    answer = kestra.put(at(war, "orders/"), body)
    assert answer.status_code == 400, answer.content
    assert codes(answer)
    assert OrderSheet.objects.get(turn__number=2, side__key="kestra").version == 1


def test_several_wrong_fields_are_told_at_once(war: Campaign, kestra: Caller) -> None:
    """All problems, in order of place."""
    answer = kestra.put(at(war, "orders/"), {"turn": "two", "version": -1, "sealed": True})
    assert [problem["place"] for problem in answer.json()["problems"]] == ["/document", "/sealed", "/turn", "/version"]


@pytest.mark.parametrize("nonce", ["short", "", 12345678, "n" * 129, "eight\0nul", None])
def test_a_nonce_is_a_text_of_some_length(war: Campaign, kestra: Caller, nonce: object) -> None:
    """The nonce is mixed into the dice, so its form is checked."""
    answer = kestra.post(at(war, "orders/seal/"), {"turn": 2, "version": 1, "nonce": nonce})
    assert answer.status_code == 400
    assert OrderSheet.objects.get(turn__number=2, side__key="kestra").status == "draft"
