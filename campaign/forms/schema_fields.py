"""The fields of a form: a schema, the document written so far and its problems, ready for a template."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.engine.errors import pointer
from campaign.engine.vectors import format_vectors
from campaign.forms import schema as s

Problem = Mapping[str, str]
SHOWN = 3  # parts of an order that are shown at once; the rest stands under "more"


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a choice, as text, and whether it is taken."""

    value: str
    label: str
    is_taken: bool


@dataclass(slots=True)
class Field:
    """One part of a form.

    ``name`` is the JSON Pointer of its place and the name of its control; ``value`` the text in the
    control; ``children`` the parts of an object, the items of a list or the fields of a variant;
    ``chooser`` the name of the control that chooses a variant; ``told_at`` the id of the element where
    its problems stand, if that is not right beside it.
    """

    name: str
    key: str
    kind: str
    label: str
    help: str = ""
    unit: str = ""
    rule: str = ""
    section: str = ""
    value: str = ""
    is_on: bool = False
    is_default: bool = False
    is_required: bool = False
    limit: Any = None
    chooser: str = ""
    told_at: str = ""
    choices: list[Choice] = field(default_factory=list)
    children: list[Field] = field(default_factory=list)
    blank: Field | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Return an id for the control that is unique on the page and safe in a selector."""
        return "f" + "".join(letter if letter.isalnum() else f"-{ord(letter):x}-" for letter in self.name)

    @property
    def shown_unit(self) -> str:
        """Return the unit, unless the label says it already."""
        return "" if self.unit.lower() in self.label.lower() else self.unit

    @property
    def hint(self) -> str:
        """Return what a control that is written in a form of its own looks like when it is filled."""
        return {s.VECTOR: "2A 1+, or 0", s.COURSE: "2A; 2A; 0"}.get(self.kind, "")

    @property
    def described_by(self) -> str:
        """Return the ids of the texts that belong to the control."""
        found = [self.id + "-help"] if self.help or self.kind == s.JSON else []
        return " ".join([*found, self.told_at or self.id + "-problems"] if self.problems else found)

    @property
    def is_refused(self) -> bool:
        """Return whether a problem at this field stops its order."""
        return any(problem["severity"] == "stop" for problem in self.problems)

    @property
    def is_set(self) -> bool:
        """Return whether anything is written here or below."""
        own = (bool(self.value) or self.is_on) and not self.is_default and self.kind != s.CONSTANT
        return own or any(child.is_set for child in self.children)

    @property
    def is_more_open(self) -> bool:
        """Return whether one of the parts that stand under "more" is written or wrong."""
        return any(each.is_set or each.all_problems() for each in self.children[SHOWN:] if each.kind != s.OBJECT)

    @property
    def sample(self) -> Field | None:
        """Return one order of a section, to explain its fields by: the one with the most of them."""
        orders = [*self.children, *([self.blank] if self.blank else [])]
        if self.section not in ("force", "list") or not orders:
            return None
        found = max(orders, key=lambda order: sum(1 for child in order.children if child.help))
        return found if any(child.help for child in found.children) else None

    def tell_at(self, place: str) -> None:
        """Say where the problems of everything below stand."""
        for child in self.children:
            child.told_at = place
            child.tell_at(place)

    def everything(self) -> Iterator[Field]:
        """Yield this field and all below it."""
        yield self
        for child in self.children:
            yield from child.everything()

    def all_problems(self) -> list[Problem]:
        """Return the problems of this field and of everything below it."""
        return [problem for each in self.everything() for problem in each.problems]

    def child(self, key: str) -> Field | None:
        """Return the part with that key."""
        return next((each for each in self.children if each.key == key), None)


def fields_of(schema: s.Schema, document: Any, problems: Iterable[Problem] = (), place: str = "") -> Field:
    """Return the form of a schema (made by ``schema_of``) filled with a document, problems at their fields."""
    root = _build(schema, document, place, place.rpartition("/")[2])
    by_name = {each.name: each for each in root.everything()}
    for problem in problems:
        here = problem["place"]
        while here not in by_name and here:
            here = here.rpartition("/")[0]
        at = by_name.get(here, root)
        at.problems.append(_for_typing(problem) if at.kind in (s.VECTOR, s.COURSE) else problem)
    return root


def _for_typing(problem: Problem) -> Problem:
    """Return a problem of vectors in the words of who types them: the ruleset speaks of objects."""
    if problem["code"] != "not-vectors":
        return problem
    return {**problem, "message": "Write numbers and directions A to F, + and -, such as 3A 1-."}


def vector_text(value: Any) -> str:
    """Return vectors as they are typed; what is no vectors is shown as it was written."""
    if isinstance(value, Mapping) and all(isinstance(number, int) for number in value.values()):
        known = {letter: number for letter, number in value.items() if number > 0}
        return format_vectors(known)
    return value if isinstance(value, str) else json.dumps(value)


def course_text(value: Any) -> str:
    """Return a course as it is typed: "3A; 3A; 0"."""
    return "; ".join(vector_text(step) for step in value) if isinstance(value, list) else vector_text(value)


def _build(schema: s.Schema, value: Any, place: str, key: str) -> Field:
    kind = s.kind_of(schema)
    made = Field(
        name=place,
        key=key,
        kind=kind,
        label=s.label_of(schema, key),
        help=str(schema.get("description", "")),
        unit=str(schema.get("x-unit", "")),
        rule=str(schema.get("x-rule", "")),
        section=str(schema.get("x-section", "")),
        limit=schema.get("x-limit"),
    )
    made.is_default = value is None
    _FILL.get(kind, _fill_text)(made, schema, value)
    return made


def _fill_text(made: Field, schema: s.Schema, value: Any) -> None:
    if value is None:
        value = schema.get("default")
    made.value = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _fill_words(made: Field, schema: s.Schema, value: Any) -> None:
    shown = schema.get("default") if value is None else value
    made.value = ", ".join(str(each) for each in shown) if isinstance(shown, list) else str(shown or "")
    known = [str(each) for each, _ in s.choices_of(schema.get("items", {}))]
    if known and not made.help:
        made.help = f"Any of {', '.join(known)}."


def _fill_constant(made: Field, schema: s.Schema, value: Any) -> None:
    made.value = str(schema["const"])


def _fill_boolean(made: Field, schema: s.Schema, value: Any) -> None:
    made.is_on = bool(schema.get("default", False) if value is None else value)


def _fill_select(made: Field, schema: s.Schema, value: Any) -> None:
    taken = schema.get("default") if value is None else value
    made.choices = [Choice(str(each), label, each == taken) for each, label in s.choices_of(schema)]
    made.value = "" if value is None else str(value)
    if value is not None and value not in schema["enum"]:
        made.choices.append(Choice(str(value), f"{value} (not a choice)", True))
    if "default" not in schema:
        made.choices.insert(0, Choice("", "none chosen", taken is None))


def _fill_checks(made: Field, schema: s.Schema, value: Any) -> None:
    taken = value if isinstance(value, list) else []
    made.choices = [Choice(str(each), label, each in taken) for each, label in s.choices_of(schema["items"])]
    known = schema["items"].get("enum", ())
    made.choices += [Choice(str(each), f"{each} (not a choice)", True) for each in taken if each not in known]
    made.value = ", ".join(choice.label for choice in made.choices if choice.is_taken)


def _fill_groups(made: Field, schema: s.Schema, value: Any) -> None:
    groups = value if isinstance(value, list) else []
    for each, label in s.choices_of(schema["items"]["items"]):
        number = next((str(at) for at, group in enumerate(groups, start=1) if each in group), "")
        made.children.append(Field(made.name + pointer(str(each)), str(each), s.INTEGER, label, value=number))


def _fill_order(made: Field, schema: s.Schema, value: Any) -> None:
    ranked = value if isinstance(value, list) else schema.get("default") or []
    for each, label in s.choices_of(schema["items"]):
        rank = str(ranked.index(each) + 1) if each in ranked else ""
        made.children.append(Field(made.name + pointer(str(each)), str(each), s.INTEGER, label, value=rank))
    for child in made.children:
        child.is_default = made.is_default


def _fill_vector(made: Field, schema: s.Schema, value: Any) -> None:
    value = (schema.get("default") or None) if value is None else value
    made.value = "" if value is None else vector_text(value)


def _fill_course(made: Field, schema: s.Schema, value: Any) -> None:
    made.value = "" if value is None else course_text(value)


def _fill_object(made: Field, schema: s.Schema, value: Any) -> None:
    parts = value if isinstance(value, Mapping) else {}
    required = set(schema.get("required", ()))
    for key, each in schema["properties"].items():
        child = _build(each, parts.get(key), made.name + pointer(key), key)
        child.is_required = key in required
        made.children.append(child)


def _fill_list(made: Field, schema: s.Schema, value: Any) -> None:
    items = value if isinstance(value, list) else []
    made.children = [_item(made, schema, each, number) for number, each in enumerate(items)]
    made.blank = _item(made, schema, None, len(items))


def _item(made: Field, schema: s.Schema, value: Any, number: int) -> Field:
    item = _build(schema["items"], value, made.name + pointer(number), str(number))
    item.label = f"{made.label} {number + 1}"
    return item


def _fill_union(made: Field, schema: s.Schema, value: Any) -> None:
    key = s.discriminator_of(schema)
    made.chooser = made.name + pointer(key)
    taken = value.get(key) if isinstance(value, Mapping) else None
    for variant in s.variants_of(schema):
        constant = s.constant_of(variant["properties"][key])
        label = s.label_of(variant, str(constant))
        made.choices.append(Choice(str(constant), label, constant == taken))
    made.value = "" if taken is None else str(taken)
    variant_taken = s.variant_named(schema, taken)
    if variant_taken is not None:
        _fill_object(made, variant_taken, value)


_FILL = {
    s.CONSTANT: _fill_constant,
    s.BOOLEAN: _fill_boolean,
    s.SELECT: _fill_select,
    s.CHECKS: _fill_checks,
    s.GROUPS: _fill_groups,
    s.ORDER: _fill_order,
    s.WORDS: _fill_words,
    s.VECTOR: _fill_vector,
    s.COURSE: _fill_course,
    s.OBJECT: _fill_object,
    s.HEX: _fill_object,
    s.LIST: _fill_list,
    s.UNION: _fill_union,
}
