"""History, feed and the live stream, as one side reads them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.test import AsyncClient, Client

from campaign.models import Campaign, Feed, Seat
from campaign.services.feeds import feed_add
from campaign.services.history import campaign_rollback
from campaign.views.player import stream as live
from tests.campaign.services.setups import NOW, campaign_small, play_turn, turn_of
from tests.campaign.views.worlds import campaign_open, person, text_of, url

pytestmark = pytest.mark.django_db


def test_history_reads_like_a_gazette() -> None:
    """Turn by turn, the newest first, each with the side's own news and its rules."""
    campaign = campaign_open()
    play_turn(campaign, 1)
    said = text_of(person("kestra").get(url(campaign, "history/")))
    assert said.index("Turn 1") < said.index("The start")
    assert "1 March 1906 PD" in said
    assert "Contact 1" in said


def test_a_turns_page_has_news_sheet_and_the_proof_of_its_dice() -> None:
    """The own seed is open once the turn is published; the others' are not; commitments are all there."""
    campaign = campaign_small()
    play_turn(campaign, 1, kestra={"forces": {"forcek1": {"thrust": {"A": 1}}}})
    page = person("kestra").get(url(campaign, "b/1/t/1/"))
    html, turn = page.content.decode(), turn_of(campaign, 1)
    assert all(commitment in html for commitment in turn.commitments.values())
    assert turn.seeds["kestra"] in html
    assert turn.seeds["umpire"] not in html
    assert turn.seeds["morvane"] not in html
    assert "nonce-of-tests" in html
    assert "Thrust 1A" in text_of(page)


def test_the_commitments_of_an_open_turn_are_public_and_no_seed_is() -> None:
    """Published when the turn opens."""
    campaign = campaign_small()
    html, turn = person("kestra").get(url(campaign, "bridge/")).content.decode(), turn_of(campaign, 1)
    assert all(commitment in html for commitment in turn.commitments.values())
    assert not any(seed in html for seed in turn.seeds.values())


def test_a_turn_that_is_not_published_is_not_there() -> None:
    """Nor one that never was, nor one of a line that is not."""
    campaign = campaign_small()
    client = person("kestra")
    for path in ("b/1/t/1/", "b/1/t/9/", "b/3/t/0/"):
        assert client.get(url(campaign, path)).status_code == 404


def test_a_line_that_was_left_keeps_its_own_news() -> None:
    """After a rollback the new line's turn 1 has its own, and the old one's stays where it was."""
    campaign = campaign_small()
    kestra = campaign.sides.get(key="kestra")
    play_turn(campaign, 1)
    feed_add(side=kestra, branch=campaign.active_branch, turn=1, kind="note", text="The first try.")
    gm = campaign.seats.get(role=Seat.Role.GM).user
    campaign_rollback(campaign=campaign, after_turn=0, reason="a false start", user=gm, now=NOW)
    campaign.refresh_from_db()
    play_turn(campaign, 1)
    feed_add(side=kestra, branch=campaign.active_branch, turn=1, kind="note", text="The second try.")
    client = person("kestra")
    new, old = (text_of(client.get(url(campaign, "history/"), {"line": line})) for line in ("2", "1"))
    assert "The second try." in new
    assert "The first try." in old
    assert "The first try." not in new
    assert "The second try." not in old
    assert "This line was left: a false start" in old
    assert client.get(url(campaign, "history/"), {"line": "7"}).status_code == 404


def test_the_feed_is_asked_for_from_a_number_on() -> None:
    """What the stream sends, for who cannot have one."""
    campaign = campaign_open()
    play_turn(campaign, 1)
    client = person("kestra")
    every = client.get(url(campaign, "feed/")).content.decode()
    last = Feed.objects.filter(side__key="kestra").order_by("-number").first()
    assert last is not None
    assert f'id="feed-{last.number}"' in every
    assert client.get(url(campaign, "feed/"), {"after": str(last.number)}).content.decode().strip() == ""
    assert client.get(url(campaign, "feed/"), {"after": "soon"}).content.decode() == every


def test_a_message_of_the_stream_has_its_number_as_id() -> None:
    """So a browser that comes again goes on where it was; lines stay lines."""
    assert live.message("feed", "<li>\none\n</li>\n", 7) == "event: feed\nid: 7\ndata: <li>\ndata: one\ndata: </li>\n\n"
    assert live.message("turn", "<p>x</p>") == "event: turn\ndata: <p>x</p>\n\n"


async def listen(client: AsyncClient, path: str, count: int, **headers: str) -> list[str]:
    """Return the first messages of a stream, beyond its opening line."""
    answer = await client.get(path, headers=headers)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    found: list[str] = []
    stream: Any = answer.streaming_content
    async with asyncio.timeout(20):
        async for part in stream:
            text = part.decode()
            if text.startswith("event:"):
                found.append(text)
                if len(found) == count:
                    break
    await stream.aclose()
    return found


async def ends(client: AsyncClient, path: str, act: Any) -> bool:
    """Return whether a stream ends by itself after an act."""
    answer = await client.get(path)
    stream: Any = answer.streaming_content
    first = await anext(stream)
    assert first.startswith(b"retry")
    waiting = asyncio.ensure_future(anext(stream, None))
    await sync_to_async(act)()
    async with asyncio.timeout(20):
        return await waiting is None


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that looks ten times a second."""
    monkeypatch.setattr(live, "TICK", 0.1)


@pytest.mark.django_db(transaction=True)
class TestStream:
    """The stream itself, with its reader, in an event loop of its own."""

    def client(self, name: str) -> AsyncClient:
        """Return an asynchronous client of a person."""
        client = AsyncClient()
        client.force_login(User.objects.get(username=name))
        return client

    def test_it_sends_the_sides_rows_and_goes_on_from_the_last(self, quick: None) -> None:
        """From the address's number, or from Last-Event-ID, which counts for more."""
        campaign = campaign_small()
        side = campaign.sides.get(key="kestra")
        other = campaign.sides.get(key="morvane")
        for number in range(1, 4):
            feed_add(side=side, branch=campaign.active_branch, turn=1, kind="x", text=f"ours {number}")
        feed_add(side=other, branch=campaign.active_branch, turn=1, kind="x", text="theirs")
        client, path = self.client("kestra"), url(campaign, "stream/")
        every = asyncio.run(listen(client, path, 3))
        assert [f"ours {number}" in message for number, message in enumerate(every, start=1)] == [True] * 3
        assert "theirs" not in "".join(every)
        (last,) = asyncio.run(listen(client, f"{path}?after=1", 1, **{"Last-Event-ID": "2"}))
        assert "id: 3\n" in last

    def test_it_tells_that_the_turn_moved(self, quick: None) -> None:
        """A player sees the state of the turn, and nobody's counts."""
        campaign = campaign_small()

        async def watch() -> str:
            answer = await self.client_async(campaign)
            stream: Any = answer.streaming_content
            assert (await anext(stream)).startswith(b"retry")
            waiting = asyncio.ensure_future(anext(stream))
            await sync_to_async(play_turn)(campaign, 1)
            async with asyncio.timeout(20):
                found = [(await waiting).decode()]
                while "event: turn" not in found[-1]:
                    found.append((await anext(stream)).decode())
            await stream.aclose()
            return found[-1]

        self.signed = self.client("kestra")
        assert "event: turn" in asyncio.run(watch())

    def test_a_busy_database_costs_a_tick_and_no_message(self, quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
        """The reader goes on after an error, and what was written meanwhile comes with the next tick."""
        campaign = campaign_small()
        side = campaign.sides.get(key="kestra")
        feed_add(side=side, branch=campaign.active_branch, turn=1, kind="x", text="ours")
        real, errors = live.turn_now, iter([DatabaseError("locked"), DatabaseError("locked")])

        def busy(seat_id: int) -> tuple[int, str] | None:
            for error in errors:
                raise error
            return real(seat_id)

        client, path = self.client("kestra"), url(campaign, "stream/?after=0")
        seen = live.news_of

        def reader(listeners: list[live.Listener]) -> list[list[str | None]]:
            monkeypatch.setattr(live, "turn_now", busy)
            return seen(listeners)

        monkeypatch.setattr(live, "news_of", reader)
        (first,) = asyncio.run(listen(client, path, 1))
        assert "ours" in first

    async def client_async(self, campaign: Campaign) -> Any:
        """Return the answer of the stream for the client made before the loop."""
        return await self.signed.get(url(campaign, "stream/"))

    @pytest.mark.parametrize("how", ["seat", "session", "password"])
    def test_it_ends_when_seat_session_or_password_do(self, quick: None, how: str) -> None:
        """Looked at again at every tick."""
        campaign = campaign_small()

        def act() -> None:
            if how == "seat":
                Seat.objects.filter(user__username="kestra").update(ended_at=NOW)
            elif how == "session":
                Session.objects.all().delete()
            else:
                user = User.objects.get(username="kestra")
                user.set_password("another-long-one")
                user.save()

        assert asyncio.run(ends(self.client("kestra"), url(campaign, "stream/"), act))

    def test_nobody_without_a_seat_of_a_side_has_a_stream(self) -> None:
        """401 for who is not signed in, 404 for a GM and a stranger."""
        campaign = campaign_small()
        User.objects.create(username="stranger")
        path = url(campaign, "stream/")
        assert Client().get(path).status_code == 401
        for name in ("gm", "stranger"):
            client = Client()
            client.force_login(User.objects.get(username=name))
            assert client.get(path).status_code == 404
