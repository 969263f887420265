"""Procedures: single rules under a name, with typed input and output (the rules desk).

A ruleset lists its procedures; the engine, the command, the API and the calculator pages ask the
same ones. ``answer`` is the only door: it checks the input, hands out the dice, and returns the
answer document ``{"result", "rolls", "rules"}`` or ``{"error": {...}}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from campaign.engine.dice import Roller, SeedDice, TypedDice
from campaign.engine.errors import Problem, ProblemsError, pointer


class Input(BaseModel):
    """Base of every procedure's input: unknown fields and silent conversions are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NoInput(Input):
    """For procedures that ask for nothing."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """One named rule of the rules desk.

    ``run`` takes the typed input, and a ``Roller`` as second argument where ``dice`` names the
    field in which typed faces come ("dice", "die", "rolls", ...). Faces may come as one number or
    a list of d10 (or ``sides``); left out, ``"seed": "text"`` rolls them. ``result`` says what each
    field of the result is, with its unit.
    """

    name: str
    rules: tuple[str, ...]
    summary: str
    input: type[Input]
    result: Mapping[str, str]
    run: Callable[..., Mapping[str, Any]]
    dice: str | None = None
    sides: int = 10
    example: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """The procedures of one ruleset: level and key as in "operational/saganami"."""

    level: str
    key: str
    title: str
    source: str
    procedures: tuple[Procedure, ...]

    def procedure(self, name: str) -> Procedure | None:
        """Return the procedure of that name, or None."""
        return next((one for one in self.procedures if one.name == name), None)


def problems_of(error: ValidationError, *, rule: str = "") -> tuple[Problem, ...]:
    """Return pydantic's findings as problems, one for each place."""
    found = []
    for item in error.errors(include_url=False, include_context=False):
        code = "unknown-field" if item["type"] == "extra_forbidden" else item["type"].replace("_", "-")
        found.append(Problem(pointer(*item["loc"]), code, str(item["msg"]), rule))
    return tuple(sorted(found))


def plain(value: Any) -> Any:
    """Return a value as JSON carries it: whole numbers as integers, tuples as lists."""
    if isinstance(value, bool) or value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no place in an answer")


def answer(procedure: Procedure, document: Any) -> dict[str, Any]:
    """Answer one question put to a procedure.

    Returns ``{"result", "rolls", "rules"}``, or ``{"error": {"code", "field", "message",
    "problems"}}`` with every problem of the input. Never raises for a bad input.
    """
    try:
        if not isinstance(document, Mapping):
            raise ProblemsError([Problem("", "not-an-object", "The input must be a JSON object.")])
        fields = dict(document)
        roller = _roller(procedure, fields)
        try:
            typed = procedure.input.model_validate(fields)
        except ValidationError as error:
            raise ProblemsError(problems_of(error, rule=procedure.rules[0])) from error
        result = procedure.run(typed) if roller is None else procedure.run(typed, roller)
        if isinstance(roller, TypedDice):
            roller.finish()
    except ProblemsError as error:
        return {"error": error_document(error.problems)}
    return {
        "result": plain(result),
        "rolls": list(roller.faces) if roller is not None else [],
        "rules": list(procedure.rules),
    }


def error_document(problems: tuple[Problem, ...]) -> dict[str, Any]:
    """Return the error of an answer: the first problem, and all of them in ``problems``."""
    first = problems[0]
    return {
        "code": first.code,
        "field": first.place.lstrip("/").replace("/", "."),
        "message": first.message,
        "problems": [problem.as_document() for problem in problems],
    }


def _roller(procedure: Procedure, fields: dict[str, Any]) -> Roller | None:
    """Take the dice or the seed out of the input, and return what rolls for it."""
    if procedure.dice is None:
        return None
    faces = fields.pop(procedure.dice, None)
    if faces is None and procedure.dice != "dice":
        faces = fields.pop("dice", None)
    seed = fields.pop("seed", None)
    place = pointer(procedure.dice)
    if faces is not None and seed is not None:
        raise ProblemsError([Problem(place, "dice-and-seed", "Give typed dice or a seed, not both.")])
    if faces is not None:
        listed = faces if isinstance(faces, list) else [faces]
        return TypedDice(listed, place=place, sides=procedure.sides)
    if isinstance(seed, str):
        return SeedDice(seed)
    if seed is not None:
        raise ProblemsError([Problem("/seed", "seed-not-text", "The seed must be a text.")])
    raise ProblemsError([Problem(place, "missing", "This rule rolls: give its dice, or a seed.")])
