"""The library of ship classes through the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from campaign.models import Campaign, ShipClass
from campaign.services.fixtures import fixtures_root, toml_read
from tests.campaign.api.callers import Caller, codes

pytestmark = pytest.mark.django_db


def stat_block(fixture: str = "petrel", /, **changes: Any) -> dict[str, Any]:
    """Return a class of the fixtures."""
    return {**toml_read(fixtures_root() / "ship_classes" / "saganami" / f"{fixture}.toml"), **changes}


def test_the_library_is_listed_and_read(war: Campaign, kestra: Caller) -> None:
    """Each class with the rulesets it has a stat block for."""
    listed = kestra.get("ship-classes/").json()["ship_classes"]
    assert [(row["key"], row["rulesets"]) for row in listed] == [("adze", ["saganami"])]
    whole = kestra.get("ship-classes/adze/").json()
    assert whole["stat_blocks"]["saganami"]["key"] == "adze"
    assert kestra.get("ship-classes/nothing/").status_code == 404


def test_a_gm_imports_a_class_and_nobody_else_does(war: Campaign, gm: Caller, kestra: Caller) -> None:
    """The same class again changes nothing."""
    body = {"ruleset": "saganami", "document": stat_block()}
    refused = kestra.post("ship-classes/", body)
    assert (refused.status_code, codes(refused)) == (403, ["forbidden"])
    assert gm.post("ship-classes/", body).status_code == 201
    assert gm.post("ship-classes/", body).status_code == 201
    assert ShipClass.objects.get(key="petrel").stat_blocks["saganami"]["key"] == "petrel"


def test_a_class_that_others_may_use_is_replaced_by_staff_alone(war: Campaign, gm: Caller) -> None:
    """The library is everyone's: one GM does not change another's classes."""
    body = {"ruleset": "saganami", "document": stat_block("adze", name="Hatchet")}
    assert codes(gm.post("ship-classes/", body)) == ["forbidden"]
    assert ShipClass.objects.get(key="adze").name == "Adze"
    User.objects.filter(username="gm").update(is_staff=True)
    assert gm.post("ship-classes/", body).status_code == 201
    assert ShipClass.objects.get(key="adze").name == "Hatchet"


@pytest.mark.parametrize(
    "changes",
    [
        {"key": ""},
        {"key": ["petrel"]},
        {"key": "x" * 200},
        {"key": "../petrel"},
        {"name": 5},
        {"name": "x" * 500},
        {"type": []},
        {"cost": -1},
        {"cost": 10**9},
        {"scale": "large"},
        {"tracks": 5},
        {"surprise": 1},
    ],
)
def test_a_broken_class_is_refused_with_its_places(war: Campaign, gm: Caller, changes: dict[str, Any]) -> None:
    """Nothing is written for a class that is not whole."""
    answer = gm.post("ship-classes/", {"ruleset": "saganami", "document": stat_block(**changes)})
    assert answer.status_code == 422, answer.content
    assert codes(answer)
    assert ShipClass.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"ruleset": "saganami", "document": []}, 400),
        ({"ruleset": "saganami", "document": {}}, 422),
        ({"ruleset": "chess", "document": {}}, 422),
        ({"ruleset": 5, "document": {}}, 400),
        ({"ruleset": "saganami", "document": {}, "source": "x"}, 400),
    ],
)
def test_an_import_of_another_form_is_refused(war: Campaign, gm: Caller, body: Any, status: int) -> None:
    """Form is 400, content 422."""
    assert gm.post("ship-classes/", body).status_code == status
