"""Everything that one person gets of a campaign: every route of the URL table, every method, and what is asked wrongly.

An observation is status, headers, body and the number of queries; two worlds are compared by them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

from django.contrib.auth.models import User
from django.db import connection, reset_queries, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.models import Campaign, Engagement
from campaign.selectors.archive import unpack
from campaign.views.player import stream
from tests.fog.routes import Route, routes

_SESSION = re.compile(r"(?<=sessionid=)[^;]*")
HIDDEN_NAMES = ("fm1", "sm1", "Force m1")
ELSEWHERE = {
    "rules-desk", "rule", "procedure", "api-rules", "api-coverage", "api-procedure", "api-schema", "api-nowhere",
}  # fmt: skip
"""Public pages and doors that know no campaign, as patrol scenarios do not either."""


@dataclass(frozen=True)
class Observation:
    """What came back."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    queries: int


@dataclass(frozen=True)
class Ask:
    """One request: a name for it, and what is sent."""

    name: str
    method: str
    url: str
    body: Any = None


def knows_no_campaign(route: Route) -> bool:
    """Return whether a route's answers cannot depend on any campaign."""
    return route.name in ELSEWHERE or route.name.startswith(("patrol-", "api-patrol"))


class Reader:
    """A person with a session, whose every request is undone again; what is ``opaque`` is shown as one word."""

    def __init__(self, username: str | None, opaque: Mapping[bytes, bytes] | None = None) -> None:
        self._opaque = opaque or {}
        self._client = Client(raise_request_exception=False)
        if username is not None:
            self._client.force_login(User.objects.get(username=username))

    def see(self, ask: Ask) -> Observation:
        """Send a request and return what came back."""
        client = Client(raise_request_exception=False)
        client.cookies = self._client.cookies.copy()  # type: ignore[assignment]
        if isinstance(ask.body, dict) and not ask.url.startswith("/api/"):
            sent: dict[str, Any] = {"data": ask.body}
        else:
            data = "" if ask.body is None else json.dumps(ask.body)
            sent = {"data": data, "content_type": "application/json"}
        reset_queries()
        with transaction.atomic():
            with CaptureQueriesContext(connection) as queries:
                send = getattr(client, ask.method.lower())
                response = send(ask.url, **sent) if ask.method not in ("GET", "HEAD") else send(ask.url)
            body = b"" if response.streaming else response.content
            for value, shown in self._opaque.items():
                body = body.replace(value, shown)
            headers = dict(response.headers)
            if response.cookies:
                headers["Set-Cookie"] = _SESSION.sub("", response.cookies.output(header=""))
            status = response.status_code
            transaction.set_rollback(True)
        return Observation(status, tuple(sorted(headers.items())), body, len(queries))


def values_of(campaign: Campaign) -> dict[str, Any]:
    """Return what Kestra's addresses name; of others, what it cannot know."""
    return {
        "campaign": campaign.token, "branch": 1, "turn": 2, "number": 1, "digest": "0" * 64, "ship": "sk1",
        "force": "fk1", "secret": "no-such-secret", "level": "operational", "ruleset": "saganami",
        "procedure": "vectors.consolidate", "name": "vectors.consolidate", "folder": "campaigns",
        "fixture": "ambush-at-lantern-gate", "key": "adze", "engagement": "no-such-token", "side": "morvane",
        "username": "morvane", "seat": 1, "invitation": "0" * 16,
    }  # fmt: skip


def asks(campaign: Campaign, table: list[Route]) -> Iterator[Ask]:
    """Yield a request for every route and method, and those that probe for what is hidden."""
    values = values_of(campaign)
    for route in table:
        if knows_no_campaign(route):
            continue
        url = route.url({**values, "invitation": 1} if not route.is_api else values)
        for method in route.methods():
            yield Ask(f"{method} {route.address}", method, url)
    yield from _api_probes(campaign)
    yield from _page_probes(campaign)


def _api_probes(campaign: Campaign) -> Iterator[Ask]:
    here = f"/api/v1/campaigns/{campaign.token}/"
    for turn in (1, 3, 4):
        for part in ("report", "contacts", "forces", "ships", "turns"):
            yield Ask(f"{part} of turn {turn}", "GET", f"{here}{part}/?turn={turn}")
        yield Ask(f"seeds of turn {turn}", "GET", f"{here}seeds/{turn}/")
        yield Ask(f"sheet of turn {turn}", "GET", f"{here}orders/?turn={turn}")
    for after in (0, 1, 5):
        yield Ask(f"news after {after}", "GET", f"{here}feed/?after={after}&limit=3")
    yield Ask("engagement 2", "GET", f"{here}engagements/2/")
    for name in HIDDEN_NAMES:
        documents: list[dict[str, Any]] = [
            {"forces": {name: {"thrust": {"A": 1}}}},
            {"forces": {"fk1": {"name": name, "flagship": name}}},
            {"split": [{"force": "fk1", "ships": [name], "name": name}]},
            {"merge": [{"into": name, "forces": ["fk1"]}, {"into": "fk1", "forces": [name]}]},
            {"search": [{"ship": name, "window": "A yellow"}], "repair": [{"ship": name, "track": "hull"}]},
        ]
        for number, document in enumerate(documents):
            yield Ask(f"check {number} of {name}", "POST", f"{here}orders/check/", {"document": document})
        writing = {"turn": 4, "version": 1, "document": documents[1]}
        yield Ask(f"write {name}", "PUT", f"{here}orders/", writing)
        plan = {"force": "fk1", "arrive": "meet", "contact": name}
        yield Ask(f"plan to {name}", "POST", f"{here}orders/course/", plan)
        yield Ask(f"gm engagement {name}", "GET", f"{here}gm/engagements/{name}/")
    seal = {"turn": 4, "version": 1, "nonce": "nonce-of-tests"}
    yield Ask("seal", "POST", f"{here}orders/seal/", seal)
    occupied = {"system": "lantern", "at": {"q": 0, "r": 100, "z": 0}}
    yield Ask("emerge", "POST", f"{here}orders/check/", {"document": {"forces": {"fk1": {"emerge": occupied}}}})
    for number, bid in ((1, {"A": 99}), (2, {"A": 1}), (9, {})):  # a good bid in the first would reveal it
        yield Ask(f"bid in {number}", "POST", f"{here}engagements/1/bids/", {"round": number, "bid": bid})
    for number, document in enumerate(_reports(campaign)):
        yield Ask(f"report {number}", "POST", f"{here}engagements/1/reports/", {"document": document})


def _reports(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Yield reports on Kestra's engagement that guess at the condition of the other side's ships."""
    engagement = Engagement.objects.filter(campaign=campaign, briefings__side__key="kestra").first()
    if engagement is None:
        return
    document = unpack(engagement.document)
    marks = [ship["id"] for side in document["sides"].values() for force in side["forces"] for ship in force["ships"]]
    blank = {
        "engagement": document["id"],
        "issue": document["issue"],
        "digest": document["digest"],
        "tactical_turns": 3,
    }
    guesses: list[dict[str, Any]] = [
        {"boxes": {"hull": 2}},
        {"boxes": {"hull": 999}},
        {"stores": {"recon_drones": 3}},
        {"grades": {"tactical": "veteran", "ewo": "veteran"}},
        {"fate": "departed"},
    ]
    for mark in marks:
        for guess in guesses:
            ships: dict[str, dict[str, Any]] = {other: {"fate": "active"} for other in marks}
            ships[mark] |= guess
            yield {**blank, "ships": ships}
        yield {**blank, "ships": {other: {"fate": "active"} for other in marks if other != mark}}


def _page_probes(campaign: Campaign) -> Iterator[Ask]:
    here = f"/c/{campaign.token}/"
    for turn in (1, 3, 4):
        yield Ask(f"page of turn {turn}", "GET", f"{here}b/1/t/{turn}/")
        yield Ask(f"map of turn {turn}", "GET", f"{here}b/1/t/{turn}/map/")
        yield Ask(f"sheet page of turn {turn}", "GET", f"{here}orders/{turn}/")
    for system in ("lantern", "saltmere", "nowhere"):
        yield Ask(f"map of {system}", "GET", f"{here}map/?system={system}")
    for name in HIDDEN_NAMES:
        yield Ask(f"page of ship {name}", "GET", f"{here}fleet/{name}/")
        yield Ask(f"map order of {name}", "POST", f"{here}map/orders/4/{name}/", {"version": "1", "thrust": "A1"})
        yield Ask(f"map plan of {name}", "GET", f"{here}map/?force={name}&contact={name}&to={name}")
    typed = {"version": "1", "/forces/fm1/thrust": "1", "/forces/fk1/name": "Force m1", "nonce": "nonce-of-tests"}
    for act in ("write", "check", "unseal"):
        yield Ask(f"form {act}", "POST", f"{here}orders/4/{act}/", typed)
        yield Ask(f"form {act}, sealed", "POST", f"{here}orders/4/{act}/", {**typed, "act": "seal"})


def stream_of(campaign: Campaign, reader: Reader) -> list[str]:
    """Return the messages of a player's stream, as the view opens it, from the first news on."""
    opened: list[stream.Listener] = []

    def listening(listener: stream.Listener) -> list[str]:
        opened.append(listener)
        return []

    with mock.patch.object(stream, "_messages", listening):
        reader.see(Ask("open the stream", "GET", f"/c/{campaign.token}/stream/"))
    return [message for listener in opened for message in stream._news(replace(listener, turn=None))]


def opaque_in(campaign: Campaign) -> dict[bytes, bytes]:
    """Return what stands for hidden things without telling of them: digests salted with what no side has."""
    opaque: dict[bytes, bytes] = {}
    for engagement in Engagement.objects.filter(campaign=campaign):
        assert unpack(engagement.document)["salt"], "an unsalted digest could be guessed"
        opaque[engagement.digest.encode()] = b"the salted digest"
    return opaque


def everything(campaign: Campaign, username: str | None) -> dict[str, Observation | list[str]]:
    """Return all that somebody gets, by the name of the request."""
    reader = Reader(username, opaque_in(campaign))
    seen: dict[str, Observation | list[str]] = {ask.name: reader.see(ask) for ask in asks(campaign, routes())}
    if username is not None:
        seen["the stream"] = list(stream_of(campaign, reader))
    return seen


def differences(
    before: Mapping[str, Observation | list[str]], after: Mapping[str, Observation | list[str]]
) -> list[str]:
    """Return a line for everything in which two worlds differ to the same eyes."""
    found = [f"{name}: only in one world" for name in sorted(before.keys() ^ after.keys())]
    for name in before:
        one, other = before[name], after.get(name, before[name])
        if one == other:
            continue
        if isinstance(one, Observation) and isinstance(other, Observation):
            for field in ("status", "headers", "body", "queries"):
                if getattr(one, field) != getattr(other, field):
                    found.append(f"{name}: {field}: {_apart(getattr(one, field), getattr(other, field))}")
        else:
            found.append(f"{name}: {_apart(one, other)}")
    return found


def _apart(one: Any, other: Any) -> str:
    """Return two values from a little before where they part."""
    first, second = str(one), str(other)
    at = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))
    start = max(0, at - 60)
    return f"...{first[start : at + 60]} / ...{second[start : at + 60]}"
