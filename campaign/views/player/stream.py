"""The live feed: server-sent events out of a side's feed rows, which are numbered for that side alone.

One reader a process asks the database once a tick for all its listeners, in autocommit. At every tick
each listener's seat and session are looked at again: whoever lost one gets nothing more. The row's
number is the event's id, so a reconnecting browser goes on where it was.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from asgiref.sync import sync_to_async
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, connection
from django.http import HttpRequest, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_GET

from campaign.models import Feed, Seat, Turn
from campaign.services.access import Entry
from campaign.views.doors import async_door
from campaign.views.player.bridge import feed_rows

log = logging.getLogger(__name__)

TICK = 1.0  # seconds
BEATS = 15  # ticks between two signs of life
MOST_AT_ONCE = 200
RETRY = 3000  # milliseconds a browser waits before it comes again


@dataclass(eq=False)
class Listener:
    """One open stream: who listens, what they have, and the messages on their way."""

    seat_id: int
    side_id: int
    session_key: str
    after: int
    turn: tuple[int, str] | None
    queue: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)


class Hub:
    """The one reader of this process for one event loop."""

    def __init__(self) -> None:
        self._listeners: set[Listener] = set()
        self._task: asyncio.Task[None] | None = None
        # a thread of its own keeps the reader's connection apart from those of requests
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="feed-reader")

    def join(self, listener: Listener) -> None:
        """Let a listener in; the reader starts with the first."""
        self._listeners.add(listener)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._read())

    def leave(self, listener: Listener) -> None:
        """Let a listener go; the reader ends with the last."""
        self._listeners.discard(listener)

    async def _read(self) -> None:
        read = sync_to_async(news_of, thread_sensitive=False, executor=self._thread)
        while self._listeners:
            listeners = list(self._listeners)
            try:
                news = await read(listeners)
            except DatabaseError as error:  # a busy database costs a tick, not the streams
                log.warning("the feed's reader missed a tick: %s", error)
                news = [[] for _ in listeners]
            for listener, messages in zip(listeners, news, strict=True):
                for message in messages:
                    listener.queue.put_nowait(message)
            await asyncio.sleep(TICK)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub_here() -> Hub:
    """Return the hub of the running event loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


def news_of(listeners: list[Listener]) -> list[list[str | None]]:
    """Return the messages for each listener since the last tick; None ends its stream.

    What a listener has is written down only once all is read, so that a database error loses nothing.
    """
    try:
        seats = set(
            Seat.objects.filter(pk__in=[one.seat_id for one in listeners], ended_at__isnull=True).values_list(
                "pk", flat=True
            )
        )
        found: list[tuple[list[str | None], int, tuple[int, str] | None]] = []
        for one in listeners:
            if one.seat_id not in seats or not is_signed_in(one):
                found.append(([None], one.after, one.turn))
            else:
                messages, after, turn = _news(one)
                found.append(([*messages], after, turn))
        for one, (_, after, turn) in zip(listeners, found, strict=True):
            one.after, one.turn = after, turn
        return [messages for messages, _, _ in found]
    finally:
        connection.close()


def is_signed_in(listener: Listener) -> bool:
    """Return whether the listener's session still stands, with the password it was opened with."""
    stored = SessionStore(session_key=listener.session_key).load()
    user_id = Seat.objects.filter(pk=listener.seat_id).values_list("user_id", flat=True).first()
    user = User.objects.filter(pk=user_id or 0, is_active=True).first()
    if user is None or stored.get(SESSION_KEY) != str(user.pk):
        return False
    return constant_time_compare(stored.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())


def _news(listener: Listener) -> tuple[list[str], int, tuple[int, str] | None]:
    """Return a listener's messages, and the feed number and turn that it has with them."""
    messages, after, known = [], listener.after, listener.turn
    rows = list(Feed.objects.filter(side=listener.side_id, number__gt=after).order_by("number")[:MOST_AT_ONCE])
    for shown in feed_rows(rows):
        html = render_to_string("campaign/player/_feed_rows.html", {"feed": [shown], "is_fresh": True})
        messages.append(message("feed", html, shown["number"]))
        after = shown["number"]
    turn = turn_now(listener.seat_id)
    if turn is not None and turn != known:
        html = render_to_string("campaign/player/_turn_state.html", {"number": turn[0], "status": turn[1]})
        messages.append(message("turn", html))
        known = turn
    return messages, after, known


def turn_now(seat_id: int) -> tuple[int, str] | None:
    """Return number and status of the newest turn of the line that a seat's campaign plays."""
    seats = Seat.objects.filter(pk=seat_id)
    turns = Turn.objects.filter(branch__in=seats.values("campaign__active_branch"))
    return turns.order_by("-number").values_list("number", "status").first()


def message(event: str, html: str, number: int | None = None) -> str:
    """Return one server-sent event."""
    lines = "".join(f"data: {line}\n" for line in html.strip().splitlines())
    mark = "" if number is None else f"id: {number}\n"
    return f"event: {event}\n{mark}{lines}\n"


async def _messages(listener: Listener) -> AsyncIterator[str]:
    hub = hub_here()
    hub.join(listener)
    try:
        yield f"retry: {RETRY}\n\n"
        while True:
            try:
                news = await asyncio.wait_for(listener.queue.get(), TICK * BEATS)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            if news is None:
                return
            yield news
    finally:
        hub.leave(listener)


def _number(text: str) -> int:
    return int(text) if text.isdigit() and len(text) < 10 else 0


@require_GET
@async_door("player")
async def stream(request: HttpRequest, entry: Entry) -> StreamingHttpResponse:
    """Stream the side's feed from ``Last-Event-ID`` (or ``?after=``) on."""
    last = request.headers.get("Last-Event-ID") or request.GET.get("after", "0")
    listener = Listener(
        seat_id=entry.seat.pk,
        side_id=entry.side.pk,
        session_key=request.session.session_key or "",
        after=_number(last),
        turn=await sync_to_async(turn_now)(entry.seat.pk),
    )
    return StreamingHttpResponse(
        _messages(listener), content_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )
