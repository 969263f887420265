"""Two forces meet, and the engagement goes through the browser: bids, setting, result, signature, points."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import overflow, too_small, violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import People, Site

pytestmark = pytest.mark.browser


def next_turn(gm: Page, site: Site, number: int) -> None:
    """Let the GM lock a turn, wait for the worker, look and publish."""
    gm.goto(site.url("gm/"))
    gm.get_by_role("button", name=f"Lock turn {number} now").click()
    expect(gm.get_by_role("heading", name=f"Your move: publish turn {number}")).to_be_visible(timeout=30_000)
    assert violations(gm) == []
    gm.get_by_role("button", name=f"Publish turn {number}").click()
    expect(gm.get_by_text(f"Turn {number} is published")).to_be_visible()


def looks_well(page: Page, phone: Page, site: Site) -> None:
    """Look at the page as it stands, and at the engagement on a phone."""
    assert violations(page) == []
    assert too_small(page) == []
    phone.goto(site.url("battles/1/"))
    assert overflow(phone) <= 0
    assert too_small(phone) == []


def test_forces_meet_bid_fight_and_sign(site: Site, people: People) -> None:
    """From the hand-off to the points; the survivors are on the map again after the next turn."""
    gm, kestra, morvane = people.page("gm"), people.page("kestra"), people.page("morvane")
    phone = people.page("kestra", phone=True)
    for number in (1, 2):
        next_turn(gm, site, number)

    kestra.goto(site.url("bridge/"))
    expect(kestra.get_by_role("heading", name="Engagement 1: bid for round 1")).to_be_visible()
    for page in (kestra, morvane):
        page.goto(site.url("battles/1/"))
        unbid = page.get_by_role("button", name=re.compile("^Bid for round"))
        for left in range(unbid.count(), 0, -1):
            form = page.locator("form", has=unbid).first
            form.get_by_role("textbox").fill("0")
            form.get_by_role("button").click()
            expect(unbid).to_have_count(left - 1)
        looks_well(page, phone, site)
    expect(morvane.get_by_role("heading", name="How it begins")).to_be_visible()

    kestra.reload()
    kestra.get_by_text("Type the result").click()
    kestra.get_by_label("Tactical turns played").fill("5")
    fates = kestra.get_by_label("What became of it")
    for number in range(fates.count()):
        fates.nth(number).select_option("active" if number else "")
    kestra.get_by_role("button", name="File the result").click()
    expect(kestra.locator("details[open] .p-stop").first).to_be_visible()
    looks_well(kestra, phone, site)
    fates.nth(0).select_option("active")
    kestra.get_by_role("button", name="File the result").click()
    expect(kestra.get_by_text("Your result is filed")).to_be_visible()

    morvane.reload()
    morvane.get_by_role("button", name="Sign this result").click()
    expect(morvane.get_by_role("heading", name="Points")).to_be_visible()
    looks_well(morvane, phone, site)
    gm.goto(site.url("gm/battles/"))
    gm.get_by_role("link", name="Turn 2").click()
    expect(gm.get_by_role("heading", name="Points")).to_be_visible()
    assert violations(gm) == []

    next_turn(gm, site, 3)
    kestra.goto(site.url("map/"))
    expect(kestra.get_by_role("link", name="force Home Guard")).to_be_visible()
    expect(kestra.get_by_text("in battle")).to_have_count(0)
