"""The course planner through the API."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Campaign
from tests.campaign.api.callers import Caller, at, codes
from tests.campaign.services.setups import play_turn

pytestmark = pytest.mark.django_db


def test_a_planned_course_is_flown_to_where_it_says(war: Campaign, kestra: Caller) -> None:
    """The plan goes into the sheet as it is, and the force ends at rest in the hex."""
    body = {"force": "forcek1", "arrive": "rest", "to": {"q": 0, "r": 20, "z": 0}}
    answer = kestra.post(at(war, "orders/course/"), body)
    assert answer.status_code == 200, answer.content
    course = answer.json()
    assert course["turns"] == len(course["plan"]) > 1
    play_turn(war, 2, kestra={"forces": {"forcek1": {"course": course["plan"]}}})
    for number in range(3, 2 + course["turns"]):
        play_turn(war, number)
    force = kestra.get(at(war, "forces/")).json()["forces"][0]
    assert (force["q"], force["r"], force["z"], force["velocity"]) == (0, 20, 0, {})


def test_an_enemys_force_is_as_unknown_as_none(war: Campaign, kestra: Caller) -> None:
    """The planner reads the own report only."""
    body = {"arrive": "rest", "to": {"q": 0, "r": 20}}
    enemy = kestra.post(at(war, "orders/course/"), {**body, "force": "forcem1"})
    made_up = kestra.post(at(war, "orders/course/"), {**body, "force": "forcexx"})
    assert (enemy.status_code, codes(enemy)) == (422, ["unknown-force"])
    assert enemy.content.replace(b"forcem1", b"forcexx") == made_up.content


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"force": "forcek1", "arrive": "rest"}, 422),
        ({"force": "forcek1", "arrive": "meet"}, 422),
        ({"force": "forcek1", "arrive": "meet", "contact": "nobody"}, 422),
        ({"force": "forcek1", "arrive": "slowly", "to": {"q": 0, "r": 0}}, 400),
        ({"force": "forcek1", "arrive": "rest", "to": {"q": 10**9, "r": 0}}, 400),
        ({"force": "forcek1", "arrive": "rest", "to": {"q": 100_000, "r": 100_000, "z": 100_000}}, 422),
        ({"force": "forcek1", "arrive": "rest", "to": [0, 1]}, 400),
        ({"force": {}, "arrive": "rest", "to": {"q": 0, "r": 0}}, 400),
    ],
)
def test_a_course_that_cannot_be_planned_is_refused(war: Campaign, kestra: Caller, body: Any, status: int) -> None:
    """Form is 400, what the planner refuses 422."""
    answer = kestra.post(at(war, "orders/course/"), body)
    assert answer.status_code == status, answer.content
    assert codes(answer)
