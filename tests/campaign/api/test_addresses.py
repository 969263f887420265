"""Addresses as nobody writes them: every part of every route filled with what a query or a loop cannot take."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.db import transaction

from tests.campaign.api.access_world import GM, PLAYER, World, world_make
from tests.fog.routes import Route, routes

pytestmark = pytest.mark.django_db
NUL = "\0"
HOSTILE = (NUL, "x" * 3000, "../../etc", "9" * 25, "\U0001d54f")


@pytest.fixture
def world(db: None) -> World:
    """The world of the access matrix."""
    return world_make()


def hostile_urls(world: World, route: Route) -> list[tuple[str, str]]:
    """Return a route's address with each of its parts spoilt in each way, and the way."""
    values = {**world.values, **(world.gm_values if "gm/" in route.address else {})}
    return [
        (route.url({**values, part: quote(spoilt, safe="")}), spoilt)
        for part in route.parts
        for spoilt in HOSTILE
        if part != "campaign" or route.name in ("api-campaign", "bridge")
    ]


def test_no_address_breaks_the_site(world: World) -> None:
    """Whatever stands in an address, it leads somewhere or nowhere (a NUL nowhere); it is no fault of the server."""
    faults = []
    for route in routes():
        who = GM if "gm/" in route.address else PLAYER
        for url, spoilt in hostile_urls(world, route):
            for method in route.methods():
                if method == "HEAD":
                    continue
                with transaction.atomic():
                    status = world.ask(who, method, url).status_code
                    transaction.set_rollback(True)
                if status >= 500 or (spoilt == NUL and status != 404):
                    faults.append(f"{method} {url[:100]}: {status}")
    assert faults == []


@pytest.mark.parametrize(
    "query", ["turn=%00", "turn=%ff", "after=9" + "9" * 30, "branch=-1&branch=2", "%00=%00", "a[]=1"]
)
def test_no_query_breaks_a_page_or_a_door(world: World, query: str) -> None:
    """Whatever stands behind the question mark, on every route that is read."""
    faults = []
    for route in routes():
        who = GM if "gm/" in route.address else PLAYER
        values = {**world.values, **(world.gm_values if "gm/" in route.address else {})}
        if route.name in ("api-coverage", "rule"):
            continue
        answer = world.ask(who, "GET", f"{route.url(values)}?{query}")
        if answer.status_code >= 500 or ("%00" in query and not route.is_api and answer.status_code != 400):
            faults.append(f"{route.address}: {answer.status_code}")
    assert faults == []


def test_a_form_with_a_nul_is_refused(world: World) -> None:
    """400 on every page that takes one, whoever sends it."""
    for route in (route for route in routes() if not route.is_api):
        values = {**world.values, **(world.gm_values if "gm/" in route.address else {})}
        answer = world.clients[GM].post(route.url(values), {"name": f"a{NUL}b"})
        assert answer.status_code == 400, route.address
