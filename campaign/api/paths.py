"""What an address of the API may hold: each kind of part, so that nothing else reaches a query."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import StringConverter


class Number:
    """A whole number of at most nine digits."""

    regex = "[0-9]{1,9}"

    def to_python(self, value: str) -> int:
        """Return the number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Return the number's digits."""
        return str(value)


class Name(StringConverter):
    """A token, key or name of a ruleset or procedure."""

    regex = r"[A-Za-z0-9_.-]{1,80}"


class Username(StringConverter):
    """A person's name."""

    regex = r"[\w.@+-]{1,150}"


class Digest(StringConverter):
    """The SHA-256 of a document, as hex."""

    regex = "[0-9a-f]{64}"


class DigestStart(StringConverter):
    """The first sixteen letters of one."""

    regex = "[0-9a-f]{16}"


CONVERTERS: dict[str, type[Number] | type[StringConverter]] = {
    "number": Number,
    "name": Name,
    "username": Username,
    "digest": Digest,
    "digest-start": DigestStart,
}
for _name, _converter in CONVERTERS.items():
    register_converter(_converter, _name)
