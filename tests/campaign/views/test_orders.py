"""The order sheet as a page: drawn from the schema, checked, drafted, sealed, unsealed, overtaken."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaign.models import Campaign, OrderSheet, Turn
from tests.campaign.services.setups import campaign_small, play_turn, seal, turn_of
from tests.campaign.views.worlds import form_values, observer, person, text_of, url

pytestmark = pytest.mark.django_db

NONCE = "an-own-nonce"


@pytest.fixture
def campaign() -> Campaign:
    """Two sides with one cruiser each."""
    return campaign_small()


def sheet_of(campaign: Campaign, side: str = "kestra", turn: int = 1) -> OrderSheet:
    """Return a side's sheet."""
    return OrderSheet.objects.get(turn__number=turn, turn__campaign=campaign, side__key=side)


def write(client: Client, campaign: Campaign, act: str = "keep", **fields: Any) -> Any:
    """Fill the sheet's form with some fields and send it."""
    action = url(campaign, "orders/1/write/")
    values = form_values(client.get(url(campaign, "orders/")), action)
    return client.post(action, {**values, "nonce": NONCE, **fields, "act": act})


def test_the_sheet_asks_for_what_the_rulesets_schema_asks(campaign: Campaign) -> None:
    """Every section and the side's own forces, and no force of another side."""
    said = text_of(person("kestra").get(url(campaign, "orders/")))
    for words in ("Forces", "Home Guard", "Split", "Merge", "Search", "Repair", "Standing choices", "Wedge"):
        assert words in said
    assert "Visitors" not in said


def test_a_draft_is_kept_and_shown_again(campaign: Campaign) -> None:
    """What was typed stands in the sheet, and the form shows it."""
    client = person("kestra")
    answer = write(client, campaign, **{"/forces/forcek1/thrust": "2A", "/search/0/ship": "shipk1",
                                        "/search/0/window": "A yellow"})  # fmt: skip
    assert answer.headers["Location"] == url(campaign, "orders/")
    sheet = sheet_of(campaign)
    assert sheet.document["forces"] == {"forcek1": {"thrust": {"A": 2}}}
    assert sheet.document["search"][0]["ship"] == "shipk1"
    assert sheet.version == 2
    assert 'value="2A"' in client.get(url(campaign, "orders/")).content.decode()


def test_a_sealed_sheet_is_read_and_no_longer_written(campaign: Campaign) -> None:
    """The seal carries the nonce; the buff goes; the seal can be taken back while the turn is open."""
    client = person("kestra")
    write(client, campaign, "seal", **{"/forces/forcek1/thrust": "1B"})
    sheet = sheet_of(campaign)
    assert (sheet.status, sheet.nonce) == (OrderSheet.Status.SEALED, NONCE)
    html = client.get(url(campaign, "orders/")).content.decode()
    assert 'class="own' not in html
    assert "Thrust <strong>1B</strong>" in html
    action = url(campaign, "orders/1/unseal/")
    client.post(action, form_values(client.get(url(campaign, "orders/")), action))
    sheet = sheet_of(campaign)
    assert (sheet.status, sheet.nonce) == (OrderSheet.Status.DRAFT, "")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"/forces/forcek1/thrust": "9A"}, "needs thrust 9"),
        ({"/forces/forcek1/thrust": "3X"}, "Write numbers and directions A to F"),
        ({"/forces/forcek1/thrust": "-2A"}, "Write numbers and directions A to F"),
        ({"/forces/forcek1/thrust": "1.5A"}, "Write numbers and directions A to F"),
        ({"/forces/forcek1/translate_out": "on"}, "inside the hyper limit"),
        ({"/split/0/force": "forcek1"}, "at least one ship"),
        ({"/search/0/ship": "shipm1", "/search/0/window": "A yellow"}, "no such ship"),
        ({"/search/0/ship": "shipk1", "/search/0/window": "A yellow", "/search/0/drones": "999"}, "drones"),
        ({"/search/0/ship": "shipk1", "/search/0/window": "A yellow", "/search/0/drones": "x"}, "integer"),
        ({"/merge/0/into": "forcek1", "/merge/0/forces": ["forcem1"]}, "no such force"),
    ],
)
def test_a_refused_order_stands_in_the_draft_with_its_problem(
    campaign: Campaign, fields: dict[str, Any], words: str
) -> None:
    """A draft may be wrong and is kept; sealing it is refused, and the turn stays open."""
    client = person("kestra")
    assert write(client, campaign, **fields).status_code == 302
    page = client.get(url(campaign, "orders/"))
    assert words in text_of(page)
    assert "to mend" in text_of(page)
    answer = write(client, campaign, "seal", **fields)
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert sheet_of(campaign).status == OrderSheet.Status.DRAFT


def test_the_field_that_is_refused_says_so(campaign: Campaign) -> None:
    """For a screen reader: invalid, and described by its order's check."""
    client = person("kestra")
    write(client, campaign, **{"/forces/forcek1/thrust": "9A"})
    html = client.get(url(campaign, "orders/")).content.decode()
    tag = next(part for part in html.split("<input") if 'name="/forces/forcek1/thrust"' in part).split(">")[0]
    assert 'aria-invalid="true"' in tag
    described = tag.split('aria-describedby="')[1].split('"')[0].split()
    assert all(f'id="{name}"' in html for name in described)
    assert any(name.endswith("-check") for name in described)


def test_a_live_check_answers_problems_and_keeps_nothing(campaign: Campaign) -> None:
    """As one types: the order's problems and the summary, by the same reading as the seal's."""
    client = person("kestra")
    action = url(campaign, "orders/1/check/")
    fields = {"version": "1", "/forces/forcek1/thrust": "9A"}
    answer = client.post(action, fields, headers={"HX-Request": "true"})
    assert "needs thrust 9" in text_of(answer)
    assert "1 order to mend" in text_of(answer)
    assert 'hx-swap-oob="true"' in answer.content.decode()
    assert 'data-place="/forces/forcek1/thrust"' in answer.content.decode()
    assert sheet_of(campaign).version == 1
    plain = client.post(action, fields)
    assert "<html" in plain.content.decode()
    assert "needs thrust 9" in text_of(plain)


def test_an_overtaken_draft_shows_both_and_may_be_kept(campaign: Campaign) -> None:
    """Two people of a side: who comes second reads what stands now, keeps his own text, and can put it over."""
    client = person("kestra")
    action = url(campaign, "orders/1/write/")
    old = form_values(client.get(url(campaign, "orders/")), action)
    write(client, campaign, **{"/forces/forcek1/thrust": "1C"})
    answer = client.post(action, {**old, "/forces/forcek1/thrust": "2A", "act": "keep"})
    assert answer.status_code == 409
    assert "What stands now, version 2" in text_of(answer)
    assert "1C" in text_of(answer)
    again = form_values(answer, action)
    assert again["/forces/forcek1/thrust"] == "2A"
    assert client.post(action, {**again, "act": "keep"}).status_code == 302
    assert sheet_of(campaign).document["forces"]["forcek1"]["thrust"] == {"A": 2}


def test_a_sheet_for_a_turn_that_moved_on_is_refused_with_what_was_written(campaign: Campaign) -> None:
    """The lock came first: nothing is kept, and nothing is lost from view."""
    client = person("kestra")
    action = url(campaign, "orders/1/write/")
    old = form_values(client.get(url(campaign, "orders/")), action)
    play_turn(campaign, 1)
    answer = client.post(action, {**old, "/forces/forcek1/thrust": "2A", "act": "seal", "nonce": NONCE})
    assert answer.status_code == 409
    assert "takes no more orders" in text_of(answer)
    assert "What you wrote was not kept" in text_of(answer)
    assert sheet_of(campaign).document == {}
    assert client.post(url(campaign, "orders/99/write/"), {**old, "act": "keep"}).status_code == 404


@pytest.mark.parametrize(
    ("change", "status"), [({"version": "soon"}, 400), ({"version": ""}, 400), ({"act": "seal", "nonce": "short"}, 400)]
)
def test_a_form_of_the_wrong_shape_is_refused(campaign: Campaign, change: dict[str, str], status: int) -> None:
    """A version that is no number; luck too short to be any."""
    client = person("kestra")
    action = url(campaign, "orders/1/write/")
    values = form_values(client.get(url(campaign, "orders/")), action)
    assert client.post(action, {**values, "act": "keep", **change}).status_code == status
    assert sheet_of(campaign).status == OrderSheet.Status.DRAFT


def test_an_observer_reads_and_does_not_write(campaign: Campaign) -> None:
    """Sheets are the commanders'."""
    client = observer(campaign)
    assert 'class="own' not in client.get(url(campaign, "orders/")).content.decode()
    assert client.post(url(campaign, "orders/1/write/"), {"version": "1", "act": "keep"}).status_code == 404


def test_the_last_seal_locks_the_turn(campaign: Campaign) -> None:
    """No GM is needed to go on."""
    seal(campaign.sides.get(key="morvane"), 1)
    write(person("kestra"), campaign, "seal")
    assert turn_of(campaign, 1).status != Turn.Status.OPEN


def test_an_old_sheet_is_read_as_it_was(campaign: Campaign) -> None:
    """With what was refused then."""
    play_turn(campaign, 1, kestra={"forces": {"forcek1": {"thrust": {"A": 1}}}})
    said = text_of(person("kestra").get(url(campaign, "orders/1/")))
    assert "Orders, turn 1" in said
    assert "Thrust 1A" in said
    assert "resolved" in said


def test_a_sheet_without_the_stylesheets_js_still_has_a_field_for_luck(campaign: Campaign) -> None:
    """The nonce is a text field; a script fills it in and takes it away."""
    html = person("kestra").get(url(campaign, "orders/")).content.decode()
    assert 'name="nonce"' in html
    assert "hidden" not in html.split('name="nonce"')[0].split("data-nonce")[1]
