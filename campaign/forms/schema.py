"""Forms drawn from a JSON Schema: what kind of control each part of a schema becomes.

One drawing serves every ruleset: order sheets, amendments, battle reports and the calculators of the
rules desk. A field's name is its JSON Pointer in the document, so that a problem's place names the
field it stands beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from campaign.engine.hexes import LETTERS

Schema = Mapping[str, Any]

TEXT, INTEGER, NUMBER, BOOLEAN, SELECT = "text", "integer", "number", "boolean", "select"
CHECKS, WORDS, GROUPS, ORDER = "checks", "words", "groups", "order"
VECTOR, COURSE, HEX = "vector", "course", "hex"
OBJECT, LIST, UNION, CONSTANT, JSON = "object", "list", "union", "constant", "json"


def kind_of(schema: Schema) -> str:
    """Return the kind of control for a schema without references (see ``resolved``)."""
    widget = schema.get("x-widget")
    if widget in (VECTOR, COURSE, HEX, ORDER):
        return str(widget)
    if "const" in schema:
        return CONSTANT
    if "enum" in schema:
        return SELECT
    if "oneOf" in schema or "anyOf" in schema:
        return UNION if discriminator_of(schema) else JSON
    kind = schema.get("type")
    if kind == "object":
        return _kind_of_object(schema)
    if kind == "array":
        return _kind_of_array(schema)
    return {"integer": INTEGER, "number": NUMBER, "boolean": BOOLEAN, "string": TEXT}.get(str(kind), JSON)


def _kind_of_object(schema: Schema) -> str:
    if set(schema.get("propertyNames", {}).get("enum", ())) == set(LETTERS):
        return VECTOR
    if "properties" not in schema:
        return JSON
    return HEX if set(schema["properties"]) == {"q", "r", "z"} else OBJECT


def _kind_of_array(schema: Schema) -> str:
    item = schema.get("items", {})
    kind = kind_of(item) if item else JSON
    if kind == VECTOR:
        return COURSE
    if kind == SELECT:
        return CHECKS if schema.get("uniqueItems") or schema.get("x-widget") == "ships" or _has_ids(item) else WORDS
    if kind in (INTEGER, NUMBER, TEXT):
        return WORDS
    if kind in (CHECKS, WORDS) and "enum" in item.get("items", {}):
        return GROUPS
    return LIST if kind in (OBJECT, UNION) else JSON


def _has_ids(item: Schema) -> bool:
    """Return whether a choice is one of named things, of which each is taken once."""
    return "x-labels" in item


def resolved(schema: Any, root: Schema) -> dict[str, Any]:
    """Return a schema with its references, single ``allOf`` and "or null" taken away, all the way down."""
    if not isinstance(schema, Mapping):
        return {}
    found = dict(schema)
    if "$ref" in found:
        target: Any = root
        for part in str(found.pop("$ref")).removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        found = {**target, **found}
        return resolved(found, root)
    if len(found.get("allOf", ())) == 1:
        (only,) = found.pop("allOf")
        return resolved({**only, **found}, root)
    for word in ("anyOf", "oneOf"):
        if word in found:
            kept = [each for each in found[word] if each.get("type") != "null"]
            if len(kept) == 1:
                del found[word]
                if found.get("default", 0) is None:
                    del found["default"]
                return resolved({**kept[0], **found}, root)
            found[word] = [resolved(each, root) for each in kept]
    names = found.get("propertyNames", {})
    if isinstance(names, Mapping) and "$ref" in names:
        names = found["propertyNames"] = resolved(names, root)
    spare = found.get("additionalProperties")
    if "properties" not in found and isinstance(spare, Mapping) and names.get("enum") and _is_not_vector(names):
        found["properties"] = dict.fromkeys(names["enum"], spare)
    if isinstance(found.get("properties"), Mapping):
        found["properties"] = {key: resolved(each, root) for key, each in found["properties"].items()}
    if "items" in found:
        found["items"] = resolved(found["items"], root)
    return found


def _is_not_vector(names: Schema) -> bool:
    return set(names["enum"]) != set(LETTERS)


def schema_of(document: Schema) -> dict[str, Any]:
    """Return a whole schema ready for drawing and reading."""
    return resolved(document, document)


def discriminator_of(schema: Schema) -> str:
    """Return the property whose fixed value tells the variants of a union apart, or nothing."""
    named = schema.get("discriminator", {})
    name = named.get("propertyName") if isinstance(named, Mapping) else None
    variants = variants_of(schema)
    candidates = [name] if name else list(variants[0].get("properties", {})) if variants else []
    for candidate in candidates:
        if all(constant_of(variant.get("properties", {}).get(candidate, {})) is not None for variant in variants):
            return str(candidate)
    return ""


def variants_of(schema: Schema) -> list[Schema]:
    """Return the variants of a union."""
    return list(schema.get("oneOf") or schema.get("anyOf") or ())


def variant_named(schema: Schema, value: Any) -> Schema | None:
    """Return the variant of a union whose discriminator has that value."""
    key = discriminator_of(schema)
    for variant in variants_of(schema):
        if constant_of(variant["properties"][key]) == value:
            return variant
    return None


def constant_of(schema: Schema) -> Any:
    """Return the one value a schema allows, or None."""
    if "const" in schema:
        return schema["const"]
    choices = schema.get("enum", ())
    return choices[0] if len(choices) == 1 else None


def label_of(schema: Schema, key: str) -> str:
    """Return what a field is called: its title, else its key in plain words."""
    title = str(schema.get("title", ""))
    words = key.replace("_", " ").replace("-", " ").strip()
    # What a model makes of a field's own name or class is no title for a person.
    is_made = title.lower() == words.lower() or (" " not in title and title[1:] != title[1:].lower())
    return title if title and not is_made else words[:1].upper() + words[1:] or title


def choices_of(schema: Schema) -> Iterator[tuple[Any, str]]:
    """Yield the values of a choice, each with its words."""
    labels = schema.get("x-labels", {})
    for value in schema.get("enum", ()):
        yield value, str(labels.get(str(value), str(value).replace("-", " ") if not labels else value))
