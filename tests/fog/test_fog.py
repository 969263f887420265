"""Fault test 16: two worlds that differ only in what a side cannot see give that side the same bytes.

Pages and API, headers and tags, lists and counts, validation messages, history, news and the number
of queries: every route of the URL table has a verdict. ``FLAGBRIDGE_FOG_WORLDS`` asks for that many further
worlds with several hidden changes at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import combinations

import pytest
from django.db import transaction

from tests.fog import worlds
from tests.fog.observe import Observation, asks, differences, everything, knows_no_campaign
from tests.fog.routes import routes
from tests.fog.worlds import GLIMPSED, MET, QUIET, SIGHTED, Mix, Plot, glimpsed, met, played, plot, sighted

pytestmark = pytest.mark.django_db
Seen = dict[str, Observation | list[str]]
APART = ({worlds.dummy, worlds.changed_by_the_gm}, {worlds.moved_by_the_gm, worlds.battle_elsewhere})
"""Changes that cannot be made to one world: there is no ship to change, and a force in battle is not moved."""
_before: dict[tuple[Callable[[], Plot], str | None, str], Seen] = {}
_warm: set[str] = set()
MIXES = int(os.environ.get("FLAGBRIDGE_FOG_WORLDS", "0"))


def seen_in(begin: Callable[[], None], made: Plot, username: str | None = "kestra") -> Seen:
    """Play a world, return what somebody gets of it, and leave no trace of it."""
    with transaction.atomic():
        begin()
        campaign = played(made)
        begin()
        everything_there = everything(campaign, username)
        transaction.set_rollback(True)
    return everything_there


def changed(made: Plot, mix: Mix) -> Plot:
    """Return a world with hidden changes made to it."""
    for change in mix:
        change(made)
    return made


def compare(
    begin: Callable[[], None], base: Callable[[], Plot], mixes: Iterable[Mix], username: str | None = "kestra"
) -> tuple[Seen, dict[str, list[str]]]:
    """Return what somebody gets of a world, and what differs from that in those with hidden changes."""
    table = routes()[0].name
    if table not in _warm:
        seen_in(begin, plot())  # caches are filled
        _warm.add(table)
    if (base, username, table) not in _before:
        _before[base, username, table] = seen_in(begin, base(), username)
    before = _before[base, username, table]
    found = {}
    for mix in mixes:
        apart = differences(before, seen_in(begin, changed(base(), mix), username))
        if apart:
            found[" and ".join(change.__name__ for change in mix)] = apart
    return before, found


def further(mixes: tuple[Mix, ...], most: int) -> list[Mix]:
    """Return pairs and triples of single changes, spread over all that there are."""
    single = sorted(
        (change for mix in mixes for change in mix if change is not worlds.gone),
        key=lambda change: change is worlds.dummy,
    )
    several = [
        mix for size in (1, 2, 3) for mix in combinations(single, size) if not any(map(set(mix).issuperset, APART))
    ]
    return several[:: max(1, len(several) // most)][:most] if most else []


def test_a_world_played_twice_gives_the_same_bytes(still: Callable[[], None]) -> None:
    """The instrument itself: without a change nothing differs."""
    _, found = compare(still, plot, [()])
    assert found == {}


def test_what_is_out_of_sight_leaves_no_trace(still: Callable[[], None]) -> None:
    """Moved, renamed, reordered, added, gone, refuelled, a dummy, other orders, late, at war elsewhere."""
    before, found = compare(still, plot, [*QUIET, *further(QUIET, MIXES)])
    assert found == {}
    contacts = before["contacts of turn 3"]
    assert isinstance(contacts, Observation)
    assert b'"contacts":[]' in contacts.body, "nothing of theirs may be found in this world"


@pytest.mark.parametrize(("base", "changes"), [(sighted, SIGHTED), (glimpsed, GLIMPSED)])
def test_what_a_search_does_not_tell_leaves_no_trace(
    still: Callable[[], None], base: Callable[[], Plot], changes: tuple[Mix, ...]
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
    _, found = compare(still, met, [(worlds.spent, worlds.other_bid, worlds.battle_elsewhere)], username)
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
def test_a_planted_leak_is_found(still: Callable[[], None]) -> None:
    """A count, a tag, a query more, a number among all, a message that says why: each turns the test red."""
    _, found = compare(still, plot, [(worlds.moved, worlds.renamed, worlds.added)])
    lines = [line for apart in found.values() for line in apart]
    for leak in ("count", "header", "queries", "order", "message"):
        assert any(f"planted/{leak}/" in line for line in lines), leak
    assert all("planted/" in line for line in lines)
