"""The GM's acts on a turn: lock, publish, retry, reopen, deadline. Each names the turn it was meant for."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from campaign.models import Turn
from campaign.services.access import Entry
from campaign.services.refusals import not_there
from campaign.services.resolution import turn_publish
from campaign.services.turns import deadline_set, turn_lock, turn_reopen, turn_retry
from campaign.views.acts import act, local_moment
from campaign.views.doors import door, post_only

DESK = "gm-desk"


def turn_named(entry: Entry, number: int) -> Turn:
    """Return a turn of the current line, or 404."""
    turn = Turn.objects.filter(branch=entry.branch, number=number).select_related("campaign", "branch").first()
    if turn is None:
        raise not_there("turn")
    return turn


@post_only
@door("gm")
def lock(request: HttpRequest, entry: Entry, turn: int) -> HttpResponse:
    """Lock a turn now; sheets that are not sealed are stood in for."""
    row, user = turn_named(entry, turn), entry.seat.user
    return act(
        request,
        lambda: turn_lock(turn=row, now=timezone.now(), user=user, why="the GM locked it"),
        f"Turn {turn} is locked and will be played.",
        DESK,
        entry.campaign.token,
    )


@post_only
@door("gm")
def publish(request: HttpRequest, entry: Entry, turn: int) -> HttpResponse:
    """Let the players see a staged turn, and open the next."""
    row, user = turn_named(entry, turn), entry.seat.user
    return act(
        request,
        lambda: turn_publish(turn=row, user=user, now=timezone.now()),
        f"Turn {turn} is published; turn {turn + 1} is open.",
        DESK,
        entry.campaign.token,
    )


@post_only
@door("gm")
def retry(request: HttpRequest, entry: Entry, turn: int) -> HttpResponse:
    """Play a failed turn again, same orders and same dice."""
    row, user = turn_named(entry, turn), entry.seat.user
    return act(
        request,
        lambda: turn_retry(turn=row, user=user, now=timezone.now()),
        f"Turn {turn} is played again.",
        DESK,
        entry.campaign.token,
    )


@post_only
@door("gm")
def reopen(request: HttpRequest, entry: Entry, turn: int) -> HttpResponse:
    """Open a failed turn for orders again."""
    row, user = turn_named(entry, turn), entry.seat.user
    return act(
        request,
        lambda: turn_reopen(turn=row, user=user, now=timezone.now()),
        f"Turn {turn} takes orders again; every sheet is a draft.",
        DESK,
        entry.campaign.token,
    )


@post_only
@door("gm")
def deadline(request: HttpRequest, entry: Entry, turn: int) -> HttpResponse:
    """Move the deadline of an open turn, or take it away."""
    row, user = turn_named(entry, turn), entry.seat.user
    moment = local_moment(request.POST.get("deadline", ""), entry.campaign.time_zone, "/deadline")
    said = f"Turn {turn} has a new deadline." if moment else f"Turn {turn} has no deadline now."
    return act(
        request,
        lambda: deadline_set(turn=row, deadline=moment, user=user, now=timezone.now()),
        said,
        DESK,
        entry.campaign.token,
    )
