"""The map in a browser: hexes by arithmetic, pan and zoom, a press that becomes a hex, a burn from the rosette."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from campaign.engine.hexes import distance_in_plane, round_hex, to_plane
from campaign.engine.vectors import format_vectors, from_axial, parse_text, to_axial

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import People, Site

pytestmark = pytest.mark.browser


def where(page: Page, q: int, r: int) -> dict[str, float]:
    """Return where a hex's centre lies on the screen, by the drawing's own numbers."""
    found: dict[str, float] = page.evaluate(
        """([x, y]) => {
            const svg = document.getElementById("top-view"), data = svg.dataset;
            const left = (x - data.x) * data.scale + data.width / 2;
            const down = data.height / 2 - (y - data.y) * data.scale;
            const at = new DOMPoint(left, down).matrixTransform(svg.getScreenCTM());
            return {x: at.x, y: at.y};
        }""",
        list(to_plane(q, r)),
    )
    return found


def test_the_scripts_hexes_are_the_engines(site: Site, people: People) -> None:
    """Over many random hexes and vectors both reckon the same."""
    chance = np.random.default_rng(5142)
    hexes = [tuple(int(each) for each in row) for row in chance.integers(-300, 300, (300, 3))]
    points = [(q + off, r - off / 3) for (q, r, _), off in zip(hexes, chance.uniform(-0.4, 0.4, 300), strict=True)]
    page = people.page("kestra")
    page.goto(site.url("map/"))
    told = page.evaluate(
        """async ([hexes, points, texts]) => {
            const map = document.querySelector('script[src*="campaign/map"]').src;
            const {hexAt, toPlane, roundHex, distance, fromAxial, toAxial, format, parse} =
                await import(map.replace(/map\\.js.*/, "hexes.js"));
            return {
                planes: hexes.map(([q, r]) => toPlane(q, r)),
                back: hexes.map(([q, r]) => hexAt(...toPlane(q, r))),
                rounded: points.map(([q, r]) => roundHex(q, r)),
                far: hexes.map(([q, r]) => distance(q, r)),
                texts: hexes.map(([q, r, z]) => format(fromAxial(q, r, z))),
                steps: texts.map(text => toAxial(parse(text))),
                bad: ["3X", "-2A", "1.5B", "A"].map(text => parse(text)),
            };
        }""",
        [hexes, points, [format_vectors(from_axial(*each)) for each in hexes]],
    )
    assert [tuple(each) for each in told["planes"]] == [pytest.approx(to_plane(q, r)) for q, r, _ in hexes]
    assert [tuple(each) for each in told["back"]] == [(q, r) for q, r, _ in hexes]
    assert [tuple(each) for each in told["rounded"]] == [round_hex(Fraction(q), Fraction(r)) for q, r in points]
    assert told["far"] == [distance_in_plane(q, r) for q, r, _ in hexes]
    assert told["texts"] == [format_vectors(from_axial(*each)) for each in hexes]
    assert [tuple(each) for each in told["steps"]] == [tuple(to_axial(parse_text(text))) for text in told["texts"]]
    assert told["bad"] == [None] * 4


def test_a_press_on_the_map_becomes_its_hex(site: Site, people: People) -> None:
    """Also after zooming and dragging; it fills the planner's fields."""
    page = people.page("kestra")
    page.goto(site.url("map/?force=forcek2"))
    page.get_by_text("Plan a course").click()
    page.locator("#top-view").scroll_into_view_if_needed()
    for q, r in ((5, -3), (-4, 2)):
        at = where(page, q, r)
        page.mouse.click(at["x"], at["y"])
        expect(page.locator("#readout")).to_contain_text(f"q {q:+d}".replace("-", "−"))
        expect(page.locator('#planner input[name="q"]')).to_have_value(str(q))
        expect(page.locator('#planner input[name="r"]')).to_have_value(str(r))
        page.get_by_role("link", name="Closer").click()
        middle = where(page, 0, 0)
        page.mouse.move(middle["x"] + 60, middle["y"] + 60)
        page.mouse.down()
        page.mouse.move(middle["x"] + 100, middle["y"] + 90, steps=4)
        page.mouse.up()
        moved = where(page, 0, 0)
        assert moved["x"] == pytest.approx(middle["x"] + 40, abs=2)
        assert moved["y"] == pytest.approx(middle["y"] + 30, abs=2)


def test_marks_keep_their_size_when_the_map_zooms(site: Site, people: People) -> None:
    """The hexes grow; the marks and words do not; the side view moves along."""
    page = people.page("kestra")
    page.goto(site.url("map/"))
    size = "document.querySelector('#top-view a use').getBoundingClientRect().width"
    before, scale = page.evaluate(size), where(page, 10, 0)["x"] - where(page, 0, 0)["x"]
    page.get_by_role("link", name="Closer").click()
    after = where(page, 10, 0)["x"] - where(page, 0, 0)["x"]
    assert after == pytest.approx(scale * 1.6, rel=0.02)
    assert page.evaluate(size) == pytest.approx(before, rel=0.02)
    left = "document.getElementById('{}').viewBox.baseVal.x"
    assert page.evaluate(left.format("side-view")) == pytest.approx(page.evaluate(left.format("top-view")))


def test_a_burn_is_set_in_the_rosette_and_checked(site: Site, people: People) -> None:
    """A press on a hex writes the field; a cell beyond the thrust refuses; the server's check answers."""
    page = people.page("kestra")
    page.goto(site.url("map/?force=forcek2"))
    field = page.locator("#burn").get_by_label("Thrust")
    cells = page.locator(".rosette polygon.cell")
    expect(cells).to_have_count(37)
    cells.filter(has_text="2A, thrust 2").click()
    expect(field).to_have_value("2A")
    expect(page.locator("[data-then]")).to_have_text("1A")
    expect(page.locator("#burn-check")).to_contain_text("Good")
    field.fill("7B")
    expect(page.locator("#burn-check")).to_contain_text("needs thrust 7")
    field.fill("1B 1+")
    page.get_by_role("button", name="Keep these orders").click()
    expect(page.locator("#burn").get_by_label("Thrust")).to_have_value("1B 1+")
    page.goto(site.url("orders/"))
    expect(page.get_by_role("group", name="Orders for Picket").get_by_label("Thrust")).to_have_value("1B 1+")


def test_choosing_a_force_on_the_picture_opens_its_panel(site: Site, people: People) -> None:
    """By press and by keyboard."""
    page = people.page("kestra")
    page.goto(site.url("map/"))
    mark = page.get_by_role("link", name="force Home Guard")
    mark.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Home Guard")).to_be_visible()
    page.get_by_role("link", name="force Picket").click()
    expect(page.get_by_role("heading", name="Picket")).to_be_visible()
