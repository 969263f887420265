"""Every main page in a browser: no accessibility violation, no overflow on a phone, by keyboard, light and dark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import overflow, too_small, violations

if TYPE_CHECKING:
    from tests.browser.conftest import People, Site

pytestmark = pytest.mark.browser

PLAYER = (
    "bridge/",
    "map/?force=forcek1",
    "orders/",
    "contacts/",
    "fleet/",
    "fleet/shipk1/",
    "battles/",
    "history/",
    "b/1/t/0/",
)
GM = (
    "gm/",
    "gm/map/",
    "gm/sides/",
    "gm/battles/",
    "gm/fleet/",
    "gm/history/",
    "gm/history/b/1/t/1/",
    "gm/audit/",
    "gm/verify/",
    "gm/finish/",
    "gm/change/?/document/act=move-force",
)
PUBLIC = (
    "/login/",
    "/rules/",
    "/rules/operational/saganami/hyper.limit/?ask=1",
    "/rules/rule/B5.16/",
    "/no/such/page/",
)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("who", "paths"), [("kestra", PLAYER), ("gm", GM)])
def test_axe_finds_nothing(site: Site, people: People, who: str, paths: tuple[str, ...], dark: bool) -> None:
    """On the pages of a player and of the GM, light and dark."""
    page = people.page(who, dark=dark)
    wrong = {}
    for path in paths:
        page.goto(site.url(path))
        found = violations(page)
        if found:
            wrong[path] = found
    assert wrong == {}


def test_axe_finds_nothing_on_public_pages(site: Site, people: People) -> None:
    """Nor in front of the door."""
    page = people.page()
    wrong = {}
    for path in PUBLIC:
        page.goto(site.address + path)
        found = violations(page)
        if found:
            wrong[path] = found
    assert wrong == {}


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
@pytest.mark.parametrize(("who", "paths"), [("kestra", PLAYER), ("gm", GM)])
def test_nothing_overflows_a_phone(site: Site, people: People, who: str, paths: tuple[str, ...], script: bool) -> None:
    """390 pixels are enough, with a script and without, and no text is under 12 pixels."""
    page = people.page(who, phone=True, script=script)
    wide = {}
    for path in paths:
        page.goto(site.url(path))
        if overflow(page) > 0:
            wide[path] = overflow(page)
        assert too_small(page) == [], path
    assert wide == {}


def test_no_text_is_small_on_a_desk(site: Site, people: People) -> None:
    """12 pixels is the least."""
    for who, paths in (("kestra", PLAYER), ("gm", GM)):
        page = people.page(who)
        for path in paths:
            page.goto(site.url(path))
            assert too_small(page) == [], path


def test_the_keyboard_reaches_the_page_and_the_navigation(site: Site, people: People) -> None:
    """First the way past the frame, then every place; the focus is seen."""
    page = people.page("kestra")
    page.goto(site.url("bridge/"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    width = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert width == "3px"


def test_the_phones_more_menu_holds_the_other_places(site: Site, people: People) -> None:
    """Fleet and history are one press away, without a script too."""
    page = people.page("kestra", phone=True, script=False)
    page.goto(site.url("map/"))
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Fleet").click()
    expect(page.get_by_role("heading", name="Fleet", exact=True)).to_be_visible()


def test_a_page_prints_without_its_controls(site: Site, people: People) -> None:
    """The record sheet on paper: no navigation, no buttons."""
    page = people.page("kestra")
    page.goto(site.url("fleet/shipk1/"))
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Sand Martin")).to_be_visible()
    expect(page.locator(".main-nav")).to_be_hidden()
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()
