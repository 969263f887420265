"""Every route of the site, read from the URL table: its address for a set of values, and its audience."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from campaign.services.access import AUDIENCES

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_PART = re.compile(r"<(?:[a-z-]+:)?([a-z_]+)>")
ANYWHERE = "^.*$"  # the API's door for addresses that lead nowhere


@dataclass(frozen=True)
class Route:
    """One route: its address with named parts, the view, and what the view declares."""

    address: str
    name: str
    view: Any

    @property
    def is_api(self) -> bool:
        """Whether it answers in JSON."""
        return self.address.startswith("api/")

    @property
    def parts(self) -> list[str]:
        """The names in its address."""
        return _PART.findall(self.address)

    def audience(self, method: str) -> str | None:
        """Return who may come in by a method, or None where the view does not say."""
        door = getattr(self.view, "cls", None)
        if door is not None and hasattr(door, "audience_of"):
            found = door.audience_of(method)
        else:
            found = getattr(self.view, "audience", None)
        return found if found in AUDIENCES else None

    def methods(self) -> list[str]:
        """Return the methods that the view may have: all that a door defines, GET and POST of a page."""
        door = getattr(self.view, "cls", None)
        if door is None:
            return ["GET", "POST"]
        return [method for method in METHODS if hasattr(door, method.lower()) and method != "OPTIONS"]

    def url(self, values: Mapping[str, Any]) -> str:
        """Return the address for a set of values; KeyError for a part that nobody gave a value."""
        if self.address.endswith(ANYWHERE):
            return "/" + self.address.removesuffix(ANYWHERE) + "no/such/address/"
        return "/" + _PART.sub(lambda part: str(values[part[1]]), self.address)


def routes() -> list[Route]:
    """Return every route of the URL table, in its order."""
    return list(_routes(get_resolver().url_patterns, ""))


def _routes(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[Route]:
    for pattern in patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, address)
        else:
            yield Route(address, pattern.name or "", pattern.callback)
