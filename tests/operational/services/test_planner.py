"""Courses planned on the map: from the side's report alone, kept as a standing course, and flown by the engine."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from campaign.engine.hexes import Hex
from campaign.engine.vectors import to_axial
from campaign.models import Campaign, OrderSheet
from campaign.selectors.reports import report_for
from campaign.views.chart.marks import position_after
from operational.rules.saganami.flight import Flight
from operational.rules.saganami.flight import fly as fly_engine
from operational.services.planner import course_plan, is_planner_offered
from tests.campaign.services.setups import campaign_small, play_turn, small_setup
from tests.campaign.views.worlds import form_values, person, text_of, url

pytestmark = pytest.mark.django_db


def report_of(campaign: Campaign, side: str = "kestra") -> dict[str, Any]:
    """Return a side's newest report."""
    campaign.refresh_from_db()
    report = report_for(side=campaign.sides.get(key=side), branch=campaign.active_branch)
    assert report is not None
    return report


def fly(campaign: Campaign, course: list[Any]) -> dict[str, Any]:
    """Play a course as standing orders of Home Guard; return its row when it is done."""
    for turn in range(1, len(course) + 1):
        play_turn(campaign, turn, kestra={"forces": {"forcek1": {"course": course}}} if turn == 1 else {})
    (force,) = report_of(campaign)["forces"]
    return dict(force)


@pytest.mark.rule("B3.24", "B3.32")
@pytest.mark.parametrize(("arrive", "at"), [("rest", (4, 14, 1)), ("pass", (-3, 17, 0))])
def test_a_planned_course_ends_where_it_says(arrive: str, at: tuple[int, int, int]) -> None:
    """Flown by the engine as a standing course it arrives in its last turn, at rest if that was asked."""
    campaign = campaign_small()
    report = report_of(campaign)
    plan = course_plan(report=report, force=report["forces"][0], arrive=arrive, at=at)
    assert plan.turns == len(plan.changes)
    force = fly(campaign, [dict(change) for change in plan.changes])
    assert (force["q"], force["r"], force["z"]) == at
    if arrive == "rest":
        assert force["velocity"] == {}


@pytest.mark.rule("B3.24")
@pytest.mark.parametrize("arrive", ["meet", "match"])
def test_a_coasting_contact_is_met_where_it_will_be(arrive: str) -> None:
    """Planned from what the side knows of it; the contact keeps its course and so it holds."""
    setup = small_setup(rulings={"detection": "open"})
    setup["forces"][1] |= {"at": {"A": 40, "B": 30}, "velocity": {"D": 2}}
    campaign = campaign_small(setup=setup)
    play_turn(campaign, 1)
    report = report_of(campaign)
    (contact,) = report["contacts"]
    plan = course_plan(report=report, force=report["forces"][0], arrive=arrive, contact=contact)
    force = report["forces"][0]
    start = Flight(
        position=Hex(force["q"], force["r"], force["z"]),
        velocity=to_axial(force["velocity"]),
        carry=tuple(force["carry"]),
        engineer="average",
        is_displaced=True,
    )
    end = fly_engine(start, plan.changes)[-1]
    assert tuple(end.position) == position_after(contact, plan.turns)
    assert (end.velocity == to_axial(contact["velocity"])) or arrive == "meet"


def test_what_cannot_be_planned_says_why() -> None:
    """A contact of unknown course, a hex nobody named, a force in hyperspace, a place out of reach."""
    campaign = campaign_small()
    report = report_of(campaign)
    force = report["forces"][0]
    unknown = {"id": "c", "label": "Contact 1", "lost": False, "system": "lantern", "velocity": None, "age": 0,
               "ghosts": [], "q": 1, "r": 1, "z": 0, "seen": 0}  # fmt: skip
    for wish, code in (
        ({"arrive": "meet", "contact": unknown}, "course-not-known"),
        ({"arrive": "meet", "contact": None}, "no-contact"),
        ({"arrive": "rest"}, "no-hex"),
        ({"arrive": "rest", "at": (5000, 0, 0)}, "too-far"),
    ):
        with pytest.raises(ProblemsError) as refused:
            course_plan(report=report, force=force, **wish)
        assert refused.value.problems[0].code == code
    with pytest.raises(ProblemsError) as refused:
        course_plan(report=report, force={**force, "place": "hyperspace"}, arrive="rest", at=(0, 0, 0))
    assert refused.value.problems[0].code == "not-on-map"


def test_the_map_offers_a_plan_and_it_fills_the_course() -> None:
    """Asking changes nothing; keeping writes the standing course into the draft."""
    campaign = campaign_small()
    client = person("kestra")
    assert is_planner_offered(report=report_of(campaign))
    query = {"force": "forcek1", "arrive": "rest", "q": "2", "r": "15", "z": "0"}
    page = client.get(url(campaign, "map/"), query)
    assert "The course below is planned" in text_of(page)
    assert OrderSheet.objects.get(side__key="kestra").document == {}
    action = url(campaign, "map/orders/1/forcek1/")
    values = form_values(page, action)
    assert ";" in values["/forces/forcek1/course"]
    client.post(action, values)
    course = OrderSheet.objects.get(side__key="kestra").document["forces"]["forcek1"]["course"]
    force = fly(campaign, course)
    assert (force["q"], force["r"], force["z"]) == (2, 15, 0)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"arrive": "rest", "q": "x", "r": "1", "z": "0"}, "whole numbers of hexes"),
        ({"arrive": "meet", "target": "nobody"}, "Choose a contact"),
        ({"arrive": "rest", "q": "9999", "r": "0", "z": "0"}, "at most 1000 hexes"),
    ],
)
def test_a_bad_wish_is_answered_on_the_map(query: dict[str, str], words: str) -> None:
    """With what was typed still in its fields."""
    campaign = campaign_small()
    page = person("kestra").get(url(campaign, "map/"), {"force": "forcek1", **query})
    assert page.status_code == 200
    assert words in text_of(page)
    if query.get("q"):
        assert f'value="{query["q"]}"' in page.content.decode()
