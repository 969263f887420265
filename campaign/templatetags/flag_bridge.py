"""Marks and words that every page shares: sides, vectors, rule numbers, pips, dates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from campaign.engine.vectors import format_vectors, ordered

register = template.Library()

SHAPES = {1: "circle", 2: "diamond", 3: "square", 4: "triangle", 5: "penta", 6: "cross"}
UNKNOWN_SIDE = 6
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
MOST_PIPS = 5


@register.simple_tag
def side_mark(number: int | None) -> SafeString:
    """Return a side's shape in its colour; the cross where the side is not known."""
    known = number if number in SHAPES else UNKNOWN_SIDE
    return format_html(
        '<svg class="side s{}" aria-hidden="true"><use href="#{}"></use></svg>',
        known, SHAPES[known],
    )  # fmt: skip


@register.filter
def vec(value: Mapping[str, int] | None) -> SafeString | str:
    """Return vectors as players write them, the letters in bold; "at rest" for none."""
    if value is None:
        return "not known"
    if not isinstance(value, Mapping):
        return str(value)
    terms = [(number, "−" if letter == "-" else letter) for letter, number in ordered(value).items()]
    if not terms:
        return "at rest"
    return format_html('<span class="vec">{}</span>', format_html_join("", "{}<b>{}</b>", terms))


@register.simple_tag
def rule(key: str) -> SafeString:
    """Return a rule number that opens what the project knows of the rule."""
    if not key:
        return mark_safe("")
    return format_html('<a class="rule" href="{}">{}</a>', reverse("rule", args=[key]), key)


@register.simple_tag
def rules(keys: Iterable[str]) -> SafeString:
    """Return several rule numbers."""
    return format_html_join(" ", "{}", ((rule(key),) for key in keys if key))


@register.simple_tag(takes_context=True)
def saying(context: Mapping[str, Any], key: str) -> SafeString:
    """Return what the campaign's ruleset says in this place, with its rules; nothing where it says nothing."""
    said = context["frame"].sayings.get(key)
    return mark_safe("") if said is None else format_html("{} {}", said.text, rules(said.rules))


@register.simple_tag
def pips(number: int) -> SafeString:
    """Return how much is known of a contact, out of five."""
    known = max(0, min(MOST_PIPS, int(number)))
    return format_html(
        '<span class="pips" aria-hidden="true">{}<i>{}</i></span><span class="vh">{} of {} known</span>',
        "▮" * known, "▯" * (MOST_PIPS - known), known, MOST_PIPS,
    )  # fmt: skip


@register.filter
def vec_text(value: Mapping[str, int] | None) -> str:
    """Return vectors as they are typed: "3A 1-", "0" for none."""
    return format_vectors(value or {})


@register.filter
def signed(value: int) -> str:
    """Return a whole number with its sign: +4, −2, 0."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


@register.filter
def thousands(value: int) -> str:
    """Return a whole number with commas."""
    return f"{value:,}"


@register.filter
def words(value: str) -> str:
    """Return a kebab-case or snake_case word as words."""
    return str(value).replace("-", " ").replace("_", " ")


@register.filter
def pd(text: str) -> str:
    """Return a campaign instant, "1906-03-01T00:19", as a person writes it."""
    day, _, clock = str(text).partition("T")
    year, month, number = day.split("-")
    return f"{int(number)} {_MONTHS[int(month) - 1]} {int(year)} PD" + (f", {clock}" if clock else "")


@register.filter
def zoned(moment: datetime | None, zone: str) -> str:
    """Return a real instant in a time zone, the zone named: "Tue 2 Dec, 21:00 CET"."""
    if moment is None:
        return "no deadline"
    here = moment.astimezone(ZoneInfo(zone))
    return f"{here:%a} {here.day} {here:%b}, {here:%H:%M %Z}"


@register.filter
def time_left(moment: datetime | None) -> str:
    """Return how long it is until an instant, in its two largest units, or "late"."""
    if moment is None:
        return ""
    minutes = int((moment - timezone.now()).total_seconds() // 60)
    if minutes < 0:
        return "late"
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    if days:
        return f"in {days} d {hours} h"
    return f"in {hours} h {minutes} min" if hours else f"in {minutes} min"


@register.filter
def item(mapping: Mapping[str, Any], key: Any) -> Any:
    """Return a mapping's value under a key that only the page knows, or None."""
    return mapping.get(key) if isinstance(mapping, Mapping) else None


@register.filter
def times(number: int) -> range:
    """Return a range to loop over so many times."""
    return range(int(number))


@register.filter
def is_mapping(value: Any) -> bool:
    """Return whether a value of a document is an object."""
    return isinstance(value, Mapping)


@register.filter
def is_list(value: Any) -> bool:
    """Return whether a value of a document is a list."""
    return isinstance(value, (list, tuple))


@register.filter
def is_vectors(value: Any) -> bool:
    """Return whether a value of a document is a map of directions to numbers."""
    return isinstance(value, Mapping) and bool(value) and set(value) <= set("ABCDEF+-")
