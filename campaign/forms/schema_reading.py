"""From a posted form to the document it stands for.

What cannot be read is kept as it was written, so that the ruleset names it as a problem at its place
and nobody's typing is lost. A field left empty is left out; so is one that says its default.
"""

from __future__ import annotations

import json
import re
from typing import Any

from django.http import QueryDict

from campaign.engine.errors import ProblemsError, pointer
from campaign.engine.vectors import parse_text
from campaign.forms import schema as s

ABSENT: Any = object()
_WHOLE = re.compile(r"[-+−]?[0-9]{1,15}")
_NUMBER = re.compile(r"[-+−]?[0-9]{1,15}(\.[0-9]{1,9})?")
MOST_ITEMS = 500


def document_from(schema: s.Schema, posted: QueryDict, place: str = "") -> Any:
    """Return the document that a form drawn from ``schema`` stands for."""
    found = _read(schema, posted, place)
    return {} if found is ABSENT else found


def vector_from(text: str) -> Any:
    """Return vectors written as "3A 1-", or the text itself where it cannot be read."""
    try:
        return parse_text(text.replace("−", "-"))
    except ProblemsError:
        return text


def course_from(text: str) -> list[Any]:
    """Return a course written as "3A; 3A; 0", one part a turn; a part that cannot be read stays as it is."""
    parts = re.split(r"[;\n]", text.strip().rstrip(";"))
    return [vector_from(part.strip()) for part in parts]


def _read(schema: s.Schema, posted: QueryDict, place: str) -> Any:
    kind = s.kind_of(schema)
    if kind in (s.OBJECT, s.HEX):
        return _object(schema, posted, place)
    if kind == s.LIST:
        return _list(schema, posted, place)
    if kind == s.UNION:
        variant = s.variant_named(schema, posted.get(place + pointer(s.discriminator_of(schema))))
        return ABSENT if variant is None else _object(variant, posted, place)
    if kind == s.CHECKS:
        return [_of_choice(schema["items"], value) for value in posted.getlist(place)] or ABSENT
    if kind == s.GROUPS:
        return _groups(schema, posted, place)
    if kind == s.ORDER:
        return _order(schema, posted, place)
    if kind == s.BOOLEAN:
        return _boolean(schema, posted, place)
    return _scalar(kind, schema, posted.get(place, "").strip())


def _scalar(kind: str, schema: s.Schema, text: str) -> Any:
    if kind == s.CONSTANT:
        return _constant(schema["const"], text)
    if text == "":
        return ABSENT
    if kind == s.COURSE:
        return course_from(text)
    value = vector_from(text) if kind == s.VECTOR else _plain(kind, schema, text)
    return ABSENT if "default" in schema and value == schema["default"] else value


def _constant(wanted: Any, text: str) -> Any:
    """Return a fixed value; one that came from an older form stays as it came, to be refused."""
    if text in ("", str(wanted)):
        return wanted
    return int(text) if isinstance(wanted, int) and _WHOLE.fullmatch(text) else text


def _plain(kind: str, schema: s.Schema, text: str) -> Any:
    if kind == s.SELECT:
        return _of_choice(schema, text)
    if kind == s.INTEGER:
        return int(text.replace("−", "-")) if _WHOLE.fullmatch(text) else text
    if kind == s.NUMBER:
        return _number(text)
    if kind == s.WORDS:
        item = schema.get("items", {})
        return [_plain(s.kind_of(item), item, word) for word in re.split(r"[,\s]+", text.strip(", ")) if word]
    if kind == s.JSON:
        return _json(text)
    return text


def _number(text: str) -> Any:
    if not _NUMBER.fullmatch(text):
        return text
    plain = text.replace("−", "-")
    return float(plain) if "." in plain else int(plain)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _of_choice(schema: s.Schema, text: str) -> Any:
    """Return the choice that a text stands for; a stranger stays text and is refused by the ruleset."""
    return next((value for value in schema.get("enum", ()) if str(value) == text), text)


def _boolean(schema: s.Schema, posted: QueryDict, place: str) -> Any:
    value = posted.get(place, "") in ("on", "true", "1")
    return ABSENT if value == schema.get("default", False) else value


def _object(schema: s.Schema, posted: QueryDict, place: str) -> Any:
    found = {}
    for key, each in schema["properties"].items():
        value = _read(each, posted, place + pointer(key))
        if value is not ABSENT:
            found[key] = value
    return found or ABSENT


def _list(schema: s.Schema, posted: QueryDict, place: str) -> Any:
    """Return the items in their order; removed and empty ones are dropped."""
    start = re.compile(re.escape(place) + r"/([0-9]{1,4})(/|$)")
    numbers = sorted({int(match[1]) for name in posted if (match := start.match(name))})
    removed = set(posted.getlist("remove"))
    found = []
    for number in numbers[:MOST_ITEMS]:
        here = place + pointer(number)
        if here in removed:
            continue
        value = _read(schema["items"], posted, here)
        if value is not ABSENT:
            found.append(value)
    return found or ABSENT


def _groups(schema: s.Schema, posted: QueryDict, place: str) -> Any:
    """Return ships by group: a number beside each of them; those without one form no group."""
    groups: dict[int, list[Any]] = {}
    for value in schema["items"]["items"]["enum"]:
        text = posted.get(place + pointer(str(value)), "").strip()
        if _WHOLE.fullmatch(text):
            groups.setdefault(int(text.replace("−", "-")), []).append(value)
    return [groups[number] for number in sorted(groups)] or ABSENT


def _order(schema: s.Schema, posted: QueryDict, place: str) -> Any:
    """Return things in the order of the numbers beside them; those without one are not named."""
    ranked = []
    known = schema["items"].get("enum", ())
    if all(place + pointer(str(value)) not in posted for value in known):
        return ABSENT
    for number, value in enumerate(known):
        text = posted.get(place + pointer(str(value)), "").strip()
        if _WHOLE.fullmatch(text):
            ranked.append((int(text.replace("−", "-")), number, value))
    found = [value for _, _, value in sorted(ranked)]
    return ABSENT if found == schema.get("default", []) else found
