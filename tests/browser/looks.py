"""What can be measured of a page's looks: accessibility, width, the size of its letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

SMALL = 11.9  # pixels: text is never under 12, but for rounding


def violations(page: Page) -> list[str]:
    """Return what axe finds wrong on a page."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {', '.join(str(node['target']) for node in one['nodes'][:4])}" for one in found
    ]


def too_small(page: Page) -> list[str]:
    """Return texts that are drawn under 12 pixels, letters in pictures by what they measure on the screen."""
    found: list[str] = page.evaluate(
        """least => Array.from(document.querySelectorAll("body *")).filter(each => {
            const own = Array.from(each.childNodes).some(node => node.nodeType === 3 && node.textContent.trim());
            if (!own || !each.checkVisibility() || each.closest(".vh, .order .help, .order .unit")) return false;
            const factor = each.ownerSVGElement ? each.getScreenCTM().a : 1;
            return parseFloat(getComputedStyle(each).fontSize) * factor < least;
        }).map(each => each.textContent.trim().slice(0, 40))""",
        SMALL,
    )
    return found


def overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
