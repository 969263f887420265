"""The frame of every campaign page: whose it is, which turn is on, when it locks, where one can go."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from campaign.engine.clock import format_instant, instant, parse_instant
from campaign.engine.errors import ProblemsError
from campaign.models import OrderSheet, Side, Turn
from campaign.selectors.rulesets import EditionMissingError, ruleset_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from campaign.engine.ruleset import Saying
    from campaign.services.access import Entry

PLAYER_PLACES = (
    ("bridge", "Bridge", True),
    ("map", "Map", False),
    ("orders", "Orders", False),
    ("contacts", "Contacts", False),
    ("fleet", "Fleet", True),
    ("battles", "Battles", False),
    ("history", "History", True),
)
GM_PLACES = (
    ("gm-desk", "Desk", False),
    ("gm-map", "Map", False),
    ("gm-sides", "Sides", False),
    ("gm-battles", "Battles", False),
    ("gm-fleet", "Fleet", True),
    ("gm-history", "History", True),
    ("gm-audit", "Audit", True),
)


@dataclass(frozen=True, slots=True)
class Place:
    """One place of the navigation; ``is_wide`` ones are under More on a phone."""

    url: str
    label: str
    is_current: bool
    is_wide: bool


class Frame:
    """What the frame of a page shows; made of public facts of the campaign and the reader's own seat."""

    def __init__(self, entry: Entry, place: str) -> None:
        self.entry = entry
        self.campaign = entry.campaign
        self.seat = entry.seat
        self.side = entry.seat.side
        self.place = place

    @cached_property
    def turn(self) -> Turn | None:
        """The newest turn of the current line."""
        return Turn.objects.filter(branch=self.entry.branch).order_by("-number").first()

    @cached_property
    def sides(self) -> list[Side]:
        """The sides of the campaign, by number."""
        return list(self.campaign.sides.all())

    @cached_property
    def side_numbers(self) -> dict[str, int]:
        """Each side's number, which gives its shape and colour, by its key."""
        return {side.key: side.number for side in self.sides}

    @property
    def places(self) -> list[Place]:
        """Where this seat can go."""
        listed = GM_PLACES if self.entry.is_gm else PLAYER_PLACES
        return [
            Place(reverse(name, args=[self.campaign.token]), label, name == self.place, is_wide)
            for name, label, is_wide in listed
        ]

    @cached_property
    def sayings(self) -> Mapping[str, Saying]:
        """What the campaign's ruleset has to say on the shared pages; nothing where its edition is not here."""
        try:
            return ruleset_of(self.campaign).sayings
        except EditionMissingError:
            return {}

    @property
    def hours(self) -> tuple[str, str] | None:
        """The campaign's instants between which the turn on the table is played; None past the calendar."""
        if self.turn is None:
            return None
        return instants(self.campaign, self.turn.number - 1), instants(self.campaign, self.turn.number)

    @cached_property
    def own_sheet(self) -> OrderSheet | None:
        """The reader's own sheet of that turn."""
        if self.turn is None or self.side is None:
            return None
        return OrderSheet.objects.filter(turn=self.turn, side=self.side).first()


def instants(campaign: Any, turn: int) -> str:
    """Return the instant after a turn as "1906-03-01T00:19", or "" where the calendar or edition has none."""
    try:
        start = parse_instant(campaign.epoch)
        return format_instant(instant(start, turn, ruleset_of(campaign).turns_per_day))
    except (ProblemsError, EditionMissingError):
        return ""


def page(
    request: HttpRequest,
    entry: Entry,
    template: str,
    place: str,
    context: Mapping[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Return a campaign page in its frame; ``place`` is the route that the navigation marks."""
    frame = Frame(entry, place)
    return render(request, template, {"entry": entry, "frame": frame, **(context or {})}, status=status)
