"""The system map: where things are drawn, what may be chosen, orders and courses from its panel, history."""

from __future__ import annotations

import re
from typing import Any

import pytest

from campaign.engine.hexes import distance_in_plane, to_plane
from campaign.models import Campaign, OrderSheet
from campaign.views.chart.labels import Lettering
from campaign.views.chart.system_map import chart_of
from campaign.views.chart.window import window_around
from tests.campaign.services.setups import campaign_small, play_turn
from tests.campaign.views.worlds import campaign_open, form_values, observer, person, text_of, url

SYSTEM = {
    "key": "lantern",
    "name": "Lantern",
    "star": "G3",
    "bodies": [{"id": "b1", "name": "Mill", "kind": "planet", "q": 4, "r": 2, "z": -3}],
    "rings": [{"label": "hyper limit", "radius": 20, "style": "limit", "rule": "B5.16"}],
}


def force(identity: str, q: int, r: int, z: int = 0, **fields: Any) -> dict[str, Any]:
    """Return a force's row of a report."""
    row = {"id": identity, "name": identity, "system": "lantern", "place": "map", "q": q, "r": r, "z": z,
           "velocity": {}, "thrust": 3, "marks": [], "ships": ["s"], "ghosts": [], "facts": []}  # fmt: skip
    return {**row, **fields}


def contact(number: int, q: int, r: int, z: int = 0, **fields: Any) -> dict[str, Any]:
    """Return a contact's row of a report."""
    row = {"id": f"c{number}", "number": number, "label": f"Contact {number}", "system": "lantern", "q": q, "r": r,
           "z": z, "velocity": None, "pips": 1, "facts": [], "seen": 3, "age": 0, "lost": False, "ghosts": [],
           "side": None, "side_name": None, "reach": 0}  # fmt: skip
    return {**row, **fields}


def report_of(forces: list[dict[str, Any]], contacts: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return a report with just these."""
    return {"side": "kestra", "turn": 3, "systems": [SYSTEM], "forces": forces, "contacts": contacts or []}


def draw(report: dict[str, Any], **wishes: Any) -> Any:
    """Return the chart of a report."""
    return chart_of(report, "lantern", {"kestra": 1, "morvane": 2}, lambda kind, name: f"?{kind}={name}", **wishes)


def test_a_direction_is_where_the_map_says() -> None:
    """A runs up the page, B up and to the right; a hex is as far as its scale."""
    chart = draw(report_of([force("a", 0, 10), force("b", 10, 0)]))
    star = chart.window.at(0, 0)
    a, b = chart.marks
    assert a.x == star[0]
    assert a.y == pytest.approx(star[1] - 10 * chart.window.scale, abs=0.2)
    assert b.x > star[0]
    assert b.y < star[1]
    assert 0 <= b.x <= chart.window.width


def test_a_ring_is_drawn_where_the_range_is_that_many_hexes() -> None:
    """What lies at 20 hexes is a hexagon, its corners in the six directions, so no drawing says outside for inside."""
    chart = draw(report_of([force("a", 0, 25)]))
    corners = re.findall(r"(-?[\d.]+) (-?[\d.]+)", chart.rings[0].path)
    hexes = [(0, 20), (20, 0), (20, -20), (0, -20), (-20, 0), (-20, 20)]
    assert all(distance_in_plane(q, r) == 20 for q, r in hexes)
    assert [(float(x), float(y)) for x, y in corners] == [chart.window.at(q, r) for q, r in hexes]


def test_the_side_view_has_altitude_upwards_on_the_same_line_across() -> None:
    """A force above another is above it in the strip, at its own x."""
    chart = draw(report_of([force("low", 0, 5, -4), force("high", 0, 9, 6)]))
    low, high = chart.side_spots
    assert high.y < low.y
    assert low.mark.x == chart.marks[0].x


def test_marks_in_one_hex_stand_apart() -> None:
    """So that each can be pressed."""
    chart = draw(report_of([force("a", 3, 3), force("b", 3, 3), force("c", 3, 3)]))
    assert len({mark.x for mark in chart.marks}) == 3


def test_a_contact_is_drawn_by_what_is_known() -> None:
    """Dotted for a wedge, outline for a course, filled for an exact scale, a mark of its own for a footprint."""
    contacts = [contact(number, number, 0, pips=pips) for number, pips in enumerate((0, 1, 2, 3, 4, 5), start=1)]
    chart = draw(report_of([], contacts))
    assert [mark.quality for mark in chart.marks] == ["footprint", "q1", "q2", "q2", "q2", "q5"]
    assert {mark.number for mark in chart.marks} == {6}


def test_an_old_contact_has_its_age_written_and_drawn() -> None:
    """A circle as wide as it may have moved; no vector as if it were seen now; a lost one is not drawn."""
    ghosts = [{"turn": 4, "q": 5, "r": 5, "z": 0}]
    old = contact(1, 4, 4, age=2, reach=9, velocity={"A": 1}, ghosts=ghosts, pips=2)
    chart = draw(report_of([], [old, contact(2, 1, 1, lost=True)]))
    (mark,) = chart.marks
    assert mark.age == chart.window.length(9)
    assert "2 turns old" in mark.note
    assert mark.tip is None
    assert len(mark.ghosts) == 1


def test_a_closest_approach_is_measured_between_coasting_things() -> None:
    """At the ends of turns, from the chosen force to each contact of known course."""
    chaser = force("a", 0, 0, velocity={"A": 3})
    flyer = contact(1, 0, 12, velocity={"D": 3}, pips=2)
    chart = draw(report_of([chaser], [flyer, contact(2, 9, 9)]), chosen="a")
    assert chart.approach.hexes == 0
    assert chart.approach.turn == 5
    ranges = {row["contact"]["number"]: (row["range"], row["approach"]) for row in chart.rows}
    assert ranges == {1: (12, (0, 5)), 2: (18, None)}
    assert [row["contact"]["number"] for row in chart.rows] == [1, 2]


def test_a_window_shows_all_of_its_hexes() -> None:
    """With a margin, however far apart they are."""
    hexes = [(-40, 10), (90, -30), (0, 0)]
    window = window_around(hexes, 880, 600)
    for q, r in hexes:
        x, y = window.at(q, r)
        assert 0 < x < 880
        assert 0 < y < 600
    assert window.of_plane(*to_plane(90, -30)) == window.at(90, -30)


def test_labels_do_not_lie_on_each_other() -> None:
    """The second moves to another side of its mark; one that finds no room is left out."""
    lettering = Lettering(200, 60)
    first = lettering.place(60, 30, "Home Guard")
    second = lettering.place(60, 30, "Home Guard")
    assert first is not None
    assert second is None or second.anchor != first.anchor
    assert lettering.place(60, 30, "Home Guard far too long for this chart") is None


@pytest.mark.django_db
class TestPages:
    """The page around the chart."""

    def test_a_side_sees_its_own_and_its_contacts(self) -> None:
        """The picture and the lists say the same; the side view is there."""
        campaign = campaign_open()
        play_turn(campaign, 1)
        html = person("kestra").get(url(campaign, "map/")).content.decode()
        assert 'id="top-view"' in html
        assert 'id="side-view"' in html
        assert html.count("Home Guard") >= 2
        assert "Contact 1" in html
        assert 'aria-label="contact 1,' in html

    def test_choosing_a_contact_shows_what_is_known_and_a_stranger_shows_nothing(self) -> None:
        """An id that the report does not have chooses nothing, whether it exists or not."""
        campaign = campaign_open()
        play_turn(campaign, 1)
        client = person("kestra")
        page = client.get(url(campaign, "map/"))
        link = re.search(r'href="(/c/[^"]*contact=[^"]*)#chosen"', page.content.decode().replace("&amp;", "&"))
        assert link is not None
        assert "Last seen at" in text_of(client.get(link[1]))
        for query in ({"force": "forcem1"}, {"contact": "forcem1"}, {"force": "no-such"}):
            assert "Nothing chosen" in text_of(client.get(url(campaign, "map/"), query))

    def test_zoom_and_pan_are_links(self) -> None:
        """They work without a script; nonsense in the address shows everything."""
        campaign = campaign_small()
        client = person("kestra")
        page = client.get(url(campaign, "map/")).content.decode()
        closer = re.search(r'href="([^"]*)" data-tool="Closer"', page)
        assert closer is not None
        near = client.get(closer[1].replace("&amp;", "&").partition("#")[0]).content.decode()
        before, after = (float(re.search(r'data-scale="([\d.]+)"', text)[1]) for text in (page, near))  # type: ignore[index]
        assert after > before
        for query in ({"x": "nan", "y": "1", "k": "9"}, {"x": "1", "y": "1", "k": "1e99"}, {"x": "a"}):
            assert f'data-scale="{before}"' in client.get(url(campaign, "map/"), query).content.decode()

    def test_the_order_of_a_force_is_kept_from_the_panel(self) -> None:
        """The rest of the sheet stays as it was."""
        campaign = campaign_small()
        client = person("kestra")
        OrderSheet.objects.filter(side__key="kestra").update(document={"preferences": {"spare_point": "D"}})
        page = client.get(url(campaign, "map/"), {"force": "forcek1"})
        action = url(campaign, "map/orders/1/forcek1/")
        answer = client.post(action, {**form_values(page, action), "/forces/forcek1/thrust": "1A"})
        assert answer.headers["Location"] == url(campaign, "map/?force=forcek1#chosen")
        document = OrderSheet.objects.get(side__key="kestra").document
        assert document == {"preferences": {"spare_point": "D"}, "forces": {"forcek1": {"thrust": {"A": 1}}}}
        page = client.get(url(campaign, "map/"), {"force": "forcek1"})
        client.post(action, {**form_values(page, action), "/forces/forcek1/thrust": ""})
        assert "forces" not in OrderSheet.objects.get(side__key="kestra").document

    def test_the_panels_check_answers_only_its_own_force(self) -> None:
        """Nothing is kept."""
        campaign = campaign_small()
        client = person("kestra")
        action = url(campaign, "map/orders/1/forcek1/check/")
        answer = client.post(action, {"/forces/forcek1/thrust": "8A"}, headers={"HX-Request": "true"})
        assert "needs thrust 8" in text_of(answer)
        assert "Good" in text_of(client.post(action, {"/forces/forcek1/thrust": "1A"}))
        assert OrderSheet.objects.get(side__key="kestra").document == {}

    def test_another_sides_force_takes_no_orders_here(self) -> None:
        """404, as for one that is not there."""
        campaign = campaign_small()
        client = person("kestra")
        for path in ("map/orders/1/forcem1/", "map/orders/1/nobody/", "map/orders/1/forcem1/check/"):
            assert client.post(url(campaign, path), {"version": "1"}).status_code == 404

    def test_a_stale_order_from_the_map_is_refused_on_the_map(self) -> None:
        """With the words of the refusal and what was typed."""
        campaign = campaign_small()
        client = person("kestra")
        action = url(campaign, "map/orders/1/forcek1/")
        OrderSheet.objects.filter(side__key="kestra").update(version=5)
        answer = client.post(action, {"version": "1", "/forces/forcek1/thrust": "1A"})
        assert answer.status_code == 409
        assert "version 5" in text_of(answer)
        assert 'value="1A"' in answer.content.decode()

    def test_an_observer_has_no_form_on_the_map(self) -> None:
        """The panel shows the force."""
        campaign = campaign_small()
        page = observer(campaign).get(url(campaign, "map/"), {"force": "forcek1"})
        assert "Home Guard" in text_of(page)
        assert 'id="burn"' not in page.content.decode()

    def test_an_earlier_turn_is_history(self) -> None:
        """The picture then, no form, and a way back; a turn that was not published is not there."""
        campaign = campaign_small()
        play_turn(campaign, 1, kestra={"forces": {"forcek1": {"thrust": {"A": 1}}}})
        client = person("kestra")
        then = client.get(url(campaign, "map/"), {"turn": "0", "force": "forcek1"})
        assert "history" in text_of(then)
        assert 'id="burn"' not in then.content.decode()
        assert "After turn 0" in text_of(then)
        assert client.get(url(campaign, "map/"), {"turn": "2"}).status_code == 404
        assert client.get(url(campaign, "b/1/t/0/map/")).status_code == 200
        assert client.get(url(campaign, "b/9/t/0/map/")).status_code == 404

    def test_a_system_that_is_not_in_the_report_is_not_there(self) -> None:
        """Whether it exists elsewhere or not."""
        campaign: Campaign = campaign_small()
        assert person("kestra").get(url(campaign, "map/"), {"system": "saltmere"}).status_code == 404
