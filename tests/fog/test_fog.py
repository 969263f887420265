"""Fault test 16: two worlds that differ only in what a side cannot see give that side the same bytes.

Pages and API, headers and tags, lists and counts, validation messages, history, news and the number
of queries: every route of the URL table has a verdict. ``FLAGBRIDGE_FOG_WORLDS`` asks for that many further
worlds with several hidden changes at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from django.db import transaction

from tests.fog import worlds
from tests.fog.observe import Observation, asks, differences, everything, knows_no_campaign
from tests.fog.routes import routes
from tests.fog.worlds import GLIMPSED, MET, QUIET, SIGHTED, Plot, glimpsed, met, played, plot, sighted

pytestmark = pytest.mark.django_db
Seen = dict[str, Observation | list[str]]
_before: dict[Any, Seen] = {}
MIXES = int(os.environ.get("FLAGBRIDGE_FOG_WORLDS", "2"))


def seen_in(begin: Callable[[], None], made: Plot, username: str | None = "kestra") -> Seen:
    """Play a world, return what somebody gets of it, and leave no trace of it."""
    with transaction.atomic():
        begin()
        campaign = played(made)
        begin()
        everything_there = everything(campaign, username)
        transaction.set_rollback(True)
    return everything_there


def changed(made: Plot, *changes: Callable[[Plot], None]) -> Plot:
    """Return a world with hidden changes made to it."""
    for change in changes:
        change(made)
    return made


def compare(begin: Callable[[], None], base: Callable[[], Plot], changes: Any, username: str | None = "kestra") -> Any:
    """Return what differs to somebody between a world and each of those with hidden changes."""
    key = (base, username, routes()[0].name)
    if key not in _before:
        seen_in(begin, base(), username)  # caches are filled
        _before[key] = seen_in(begin, base(), username)
    before = _before[key]
    found = {}
    for change in changes:
        mixed = change if isinstance(change, tuple) else (change,)
        apart = differences(before, seen_in(begin, changed(base(), *mixed), username))
        if apart:
            found[" and ".join(one.__name__ for one in mixed)] = apart
    return before, found


def mixes(changes: tuple[Callable[[Plot], None], ...], most: int) -> list[tuple[Callable[[Plot], None], ...]]:
    """Return pairs and triples of changes, spread over all of them."""
    several = [mix for size in (2, 3) for mix in combinations(changes, size) if worlds.gone not in mix]
    return several[:: max(1, len(several) // most)][:most] if most else []


def test_a_world_played_twice_gives_the_same_bytes(still: Callable[[], None]) -> None:
    """The instrument itself: without a change nothing differs."""
    seen_in(still, plot())
    assert differences(seen_in(still, plot()), seen_in(still, plot())) == []


def test_what_is_out_of_sight_leaves_no_trace(still: Callable[[], None]) -> None:
    """Moved, renamed, reordered, added, gone, refuelled, a dummy, other orders, late, at war elsewhere."""
    before, found = compare(still, plot, [*QUIET, *mixes(QUIET, MIXES)])
    assert found == {}
    contacts = before["contacts of turn 3"]
    assert isinstance(contacts, Observation)
    assert b'"contacts":[]' in contacts.body, "nothing of theirs may be found in this world"


@pytest.mark.parametrize(("base", "changes"), [(sighted, SIGHTED), (glimpsed, GLIMPSED)])
def test_what_a_search_does_not_tell_leaves_no_trace(
    still: Callable[[], None], base: Callable[[], Plot], changes: tuple[Callable[[Plot], None], ...]
) -> None:
    """A contact is never more than what was learnt: neither name nor stores, and a far dummy looks like a force."""
    before, found = compare(still, base, changes)
    assert found == {}
    contacts = before["contacts of turn 3"]
    assert isinstance(contacts, Observation)
    assert b'"knows":["' in contacts.body, "the force must be found in this world"


def test_what_a_meeting_does_not_tell_leaves_no_trace(still: Callable[[], None]) -> None:
    """Names, condition, officers and unrevealed bids of the opponent; and no report guesses at them."""
    before, found = compare(still, met, MET)
    assert found == {}
    engagement = before["GET api/v1/campaigns/<name:campaign>/engagements/<number:number>/"]
    assert isinstance(engagement, Observation)
    assert engagement.status == 200, "the forces must meet in this world"


@pytest.mark.parametrize("username", ["watch", None])
def test_nobody_else_is_told_more(still: Callable[[], None], username: str | None) -> None:
    """The observer of the side and anybody without a name."""
    _, found = compare(still, met, [worlds.spent, worlds.other_bid, worlds.battle_elsewhere], username)
    assert found == {}


def test_every_route_has_a_verdict(still: Callable[[], None]) -> None:
    """Each route is asked in every method it has, or knows no campaign; nothing answers with a fault."""
    with transaction.atomic():
        still()
        campaign = played(plot())
        asked = {ask.name for ask in asks(campaign, routes())}
        seen = everything(campaign, "kestra")
        transaction.set_rollback(True)
    for route in routes():
        for method in route.methods():
            assert f"{method} {route.address}" in asked or knows_no_campaign(route), route.address
    faults = [name for name, one in seen.items() if isinstance(one, Observation) and one.status >= 500]
    assert faults == []
    good = [name for name, one in seen.items() if isinstance(one, Observation) and one.status == 200]
    assert len(good) > 60


@pytest.mark.urls("tests.fog.planted_urls")
@pytest.mark.parametrize("leak", ["count", "header", "queries", "order", "message"])
def test_a_planted_leak_is_found(still: Callable[[], None], leak: str) -> None:
    """A count, a tag, a query more, a number among all, a message that says why: each turns the test red."""
    change = {"message": worlds.moved, "order": worlds.renamed}.get(leak, worlds.added)
    _, found = compare(still, plot, [change])
    lines = [line for apart in found.values() for line in apart]
    assert any(f"planted/{leak}/" in line for line in lines)
