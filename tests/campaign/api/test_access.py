"""Fault test 17: every route and method for everyone who may ask, read from the URL table.

A view without an audience, an address that the table of values cannot fill, and an answer that the
audience does not call for are complaints; there must be none, and the planted faults must give some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from django.db import connection, transaction

from tests.campaign.api.access_world import (
    ANONYMOUS,
    AUDIENCE,
    GM,
    OBSERVER,
    OTHER,
    OWN,
    PEOPLE,
    PLAYER,
    World,
    world_make,
)
from tests.fog.routes import Route, routes

pytestmark = pytest.mark.django_db

SPECIAL = {
    "procedure": {"key": "saganami"},
    "rule": {"key": "saganami/B3.33"},
    "turn": {"turn": 1},
    "gm-turn": {"turn": 1},
    "api-gm-invitation": {},
}
"""Values that a name of the address has on one route alone."""
SLOW = {
    "api-coverage",
    "rule",
    "patrol-papers",
    "patrol-result-papers",
    "api-patrol-papers",
    "api-patrol-result-papers",
}  # asked by two, for everyone is let in alike


@pytest.fixture
def world(db: None) -> World:
    """The world of the matrix."""
    return world_make()


def url_of(world: World, route: Route) -> str:
    """Return a route's address, with the values of its own."""
    values = {**world.values, **(world.gm_values if "gm/" in route.address else {}), **SPECIAL.get(route.name, {})}
    if route.name == "api-gm-invitation":
        from campaign.models import Invitation

        values["invitation"] = Invitation.objects.get().token_digest[:16]
    return route.url(values)


def complaints(world: World, table: Iterable[Route]) -> Iterator[str]:
    """Yield what is wrong with the answers to everyone, a line each."""
    for route in table:
        try:
            url = url_of(world, route)
        except KeyError as missing:
            yield f"{route.address}: no value for {missing}"
            continue
        for method in (*route.methods(), "TRACE" if not route.is_api else "PATCH"):
            audience = route.audience(method)
            if audience is None:
                yield f"{method} {route.address}: no audience declared"
                continue
            people = (ANONYMOUS, PLAYER) if route.name in SLOW else PEOPLE
            for who in people:
                with transaction.atomic():
                    answer = world.ask(who, method, url)
                    status = answer.status_code
                    location = answer.headers.get("Location", "")
                    transaction.set_rollback(True)
                wrong = verdict(route, method, audience, who, status, location)
                if wrong:
                    yield f"{method} {url} ({audience}) for {who}: {status} {location} {wrong}"


def verdict(route: Route, method: str, audience: str, who: str, status: int, location: str) -> str:
    """Return what is wrong with a status, or an empty text."""
    is_turned_to_login = status == 302 and location.startswith("/login/")
    if status >= 500:
        return "a fault of the server"
    if who in AUDIENCE[audience]:
        return _wrong_inside(route, method, audience, who, status, is_turned_to_login)
    if status == 405 and not route.is_api:
        return ""  # no such method, said before anyone is asked
    if who == ANONYMOUS:
        return "" if status == 401 or (is_turned_to_login and not route.is_api) else "should be asked to sign in"
    if audience == "commander" and who == OBSERVER and route.is_api:
        return "" if status == 403 else "an observer should be told so"
    return "" if status == 404 else "should find nothing there"


def _wrong_inside(route: Route, method: str, audience: str, who: str, status: int, is_turned_to_login: bool) -> str:
    if status == 401 and route.name != "api-token":
        return "is let in nowhere"
    if is_turned_to_login and route.name != "logout":
        return "is asked to sign in again"
    is_own = audience in ("player", "commander") and OWN & set(route.parts)
    if who == OTHER and is_own and status < 400:
        return "sees what is another side's"
    if method in ("GET", "HEAD") and who in (PLAYER, GM) and not route.address.endswith("$"):
        return "" if status < 400 or status == 405 else "should be able to read it"
    return ""


def test_nobody_gets_in_where_the_audience_does_not_let_him(world: World) -> None:
    """0 unexpected 2xx, 404 and not 403 where existence is secret, no route without a verdict."""
    table = routes()
    assert len(table) > 90
    assert list(complaints(world, table)) == []
    assert connection.in_atomic_block


@pytest.mark.urls("tests.campaign.api.planted_urls")
@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("planted-silent", "no audience declared"),
        ("planted-silent-door", "no audience declared"),
        ("planted-open-door", "for outsider: 200"),
        ("planted-open-page", "for outsider: 200"),
        ("planted-other-side", "sees what is another side's"),
        ("planted-forbidding", "should find nothing there"),
        ("planted-unknown-part", "no value for"),
    ],
)
def test_a_planted_fault_is_found(world: World, name: str, complaint: str) -> None:
    """Each fault that the matrix is for, planted once and seen."""
    table = [route for route in routes() if route.name == name]
    assert len(table) == 1
    assert any(complaint in line for line in complaints(world, table))
