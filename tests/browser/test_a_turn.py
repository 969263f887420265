"""A turn played to publication through the browser: two players and the GM, with worker and live feed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import People, Site

pytestmark = pytest.mark.browser


def test_gm_and_two_players_play_a_turn(site: Site, people: People) -> None:
    """Orders with a live check, sealed; the worker plays; the GM reviews and publishes; the bridge hears of it."""
    kestra, morvane, gm = people.page("kestra"), people.page("morvane"), people.page("gm")

    kestra.goto(site.url("bridge/"))
    expect(kestra.get_by_role("heading", name="Your move: orders for turn 1")).to_be_visible()
    kestra.get_by_role("link", name="Write the orders").click()
    thrust = kestra.get_by_role("group", name="Orders for Home Guard").get_by_label("Thrust")
    thrust.fill("9A")
    expect(kestra.get_by_text("needs thrust 9")).to_be_visible()
    expect(kestra.locator("#check-summary")).to_contain_text("1 order to mend")
    expect(thrust).to_have_attribute("aria-invalid", "true")
    thrust.fill("2A")
    expect(kestra.locator("#check-summary")).to_contain_text("Nothing is refused")
    expect(thrust).not_to_have_attribute("aria-invalid", "true")
    kestra.get_by_role("button", name="Seal for turn 1").click()
    expect(kestra.get_by_text("Your sheet for turn 1 is sealed.")).to_be_visible()
    expect(kestra.locator(".own")).to_have_count(0)

    gm.goto(site.url("gm/"))
    expect(gm.get_by_role("heading", name="Turn 1 waits for Morvane")).to_be_visible()

    kestra.goto(site.url("bridge/"))
    expect(kestra.locator("#live-state")).to_have_text("newest first, live")

    morvane.goto(site.url("orders/"))
    morvane.get_by_role("button", name="Seal for turn 1").click()
    expect(morvane.get_by_text("Your sheet for turn 1 is sealed.")).to_be_visible()

    expect(kestra.locator("#turn-state")).to_contain_text(re.compile("locked|played"))
    gm.reload()
    expect(gm.get_by_role("heading", name="Your move: publish turn 1")).to_be_visible()
    for words in ("Truth", "Kestran Commonwealth sees", "Morvane sees"):
        expect(gm.get_by_role("heading", name=words)).to_be_visible()
    gm.get_by_role("button", name="Publish turn 1").click()
    expect(gm.get_by_text("Turn 1 is published; turn 2 is open.")).to_be_visible()

    expect(kestra.locator("#feed li.fresh").first).to_contain_text("Contact 1")
    expect(kestra.locator("#turn-state")).to_contain_text("Turn 2 is open")
    numbers = kestra.locator("#feed li").evaluate_all("rows => rows.map(row => row.id)")
    assert len(numbers) == len(set(numbers))
    kestra.goto(site.url("map/"))
    expect(kestra.get_by_role("link", name=re.compile("contact 1"))).to_be_visible()


def test_the_feed_is_asked_for_where_the_stream_will_not_open(site: Site, people: People) -> None:
    """Every twenty seconds; no row comes twice."""
    page = people.page("kestra")
    page.clock.install()
    page.route("**/stream/**", lambda route: route.abort())
    page.goto(site.url("bridge/"))
    expect(page.locator("#live-state")).to_have_text("newest first, asked for now and then")
    rows = page.locator("#feed li")
    count = rows.count()
    assert count > 0
    page.evaluate("document.getElementById('feed').replaceChildren()")
    page.clock.run_for(25_000)
    expect(rows).to_have_count(count)
    page.clock.run_for(25_000)
    expect(rows).to_have_count(count)
    assert set(people.errors) <= {"[object Event]"}  # htmx notes the stream that did not open
    people.errors.clear()


def test_the_desk_hears_of_a_seal_by_itself(site: Site, people: People) -> None:
    """Asked for now and then; no reload."""
    gm, kestra = people.page("gm"), people.page("kestra")
    gm.clock.install()
    gm.goto(site.url("gm/"))
    expect(gm.get_by_role("heading", name="Turn 2 waits for Kestran Commonwealth and Morvane")).to_be_visible()
    kestra.goto(site.url("orders/"))
    kestra.get_by_role("button", name="Seal for turn 2").click()
    expect(kestra.get_by_text("Your sheet for turn 2 is sealed.")).to_be_visible()
    gm.clock.run_for(16_000)
    expect(gm.get_by_role("heading", name="Turn 2 waits for Morvane")).to_be_visible()
    expect(gm.locator("#sheets")).to_contain_text("sealed")
    kestra.get_by_role("button", name="Unseal").click()
    expect(kestra.get_by_text("is a draft again")).to_be_visible()


def test_the_same_turn_without_a_script(site: Site, people: People) -> None:
    """Fields, buttons and links do all of it; luck is typed."""
    kestra = people.page("kestra", script=False)
    kestra.goto(site.url("orders/"))
    kestra.get_by_role("group", name="Orders for Picket").get_by_label("Thrust").fill("1C")
    kestra.get_by_role("button", name="Keep the draft").click()
    expect(kestra.get_by_text("Your draft for turn 2 is kept.")).to_be_visible()
    kestra.get_by_label("Your luck").fill("four dice and a prayer")
    kestra.get_by_role("button", name="Seal for turn 2").click()
    expect(kestra.get_by_text("Your sheet for turn 2 is sealed.")).to_be_visible()
    kestra.get_by_role("button", name="Unseal").click()
    expect(kestra.get_by_role("group", name="Orders for Picket").get_by_label("Thrust")).to_have_value("1C")
    kestra.goto(site.url("map/"))
    before = kestra.locator("#top-view").get_attribute("data-scale")
    kestra.get_by_role("link", name="Closer").click()
    assert kestra.locator("#top-view").get_attribute("data-scale") != before
