"""What comes in: JSON and nothing else, bounded before anything reads it.

A body is at most a million bytes and 64 levels deep; its text holds no NUL and no lone surrogate, its
numbers are finite and within a thousand million (at the rules desk: what JSON carries exactly). So
whatever stands below never meets a document that a column, an array or a database cannot take.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request

from campaign.engine.errors import Problem, pointer
from campaign.engine.procedure import problems_of
from campaign.services.refusals import ShapeError

MOST_BYTES: Final = 1_000_000
MOST_DEEP: Final = 64
LARGEST: Final = 1_000_000_000
LARGEST_EXACT: Final = 2**53 - 1

Model = TypeVar("Model", bound=BaseModel)


class JsonAlways(BaseContentNegotiation):
    """The API speaks JSON, whatever a client says it likes; bodies are read by ``read_document``."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """Return the one parser."""
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """Return the one renderer."""
        return renderers[0], renderers[0].media_type


def read_document(request: Request, *, largest: int = LARGEST) -> Any:
    """Return the JSON of a request's body (UTF-8, whatever charset is claimed); no body is an empty object.

    Raises ShapeError (400) with every problem, UnsupportedMediaType (415) for a body that is said to
    be something else.
    """
    raw = request._request.read(MOST_BYTES + 1)  # bounded, and whole where no length is told
    if len(raw) > MOST_BYTES:
        raise ShapeError([Problem("", "too-large", f"A body holds at most {MOST_BYTES} bytes.")])
    if not raw.strip():
        return {}
    kind = (request.content_type or "").split(";")[0].strip().lower()
    if kind != "application/json":
        raise UnsupportedMediaType(kind or "nothing")
    try:
        document = json.loads(raw.decode(), parse_constant=_no_constant)
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:  # no UTF-8, no JSON, or a number of thousands of digits
        raise ShapeError([Problem("", "not-json", f"The body is no JSON: {error}.")]) from error
    check_plain(document, largest)
    return document


def check_plain(document: Any, largest: int = LARGEST) -> None:
    """Raise ShapeError with the place of everything in a document that cannot be kept."""
    problems: list[Problem] = []
    waiting: list[tuple[Any, str, int]] = [(document, "", 1)]
    while waiting:
        value, place, depth = waiting.pop()
        if depth > MOST_DEEP:
            raise _too_deep()
        if isinstance(value, dict):
            for key, item in value.items():
                _check_text(key, place, problems)
                waiting.append((item, place + pointer(key), depth + 1))
        elif isinstance(value, list):
            waiting += [(item, place + pointer(number), depth + 1) for number, item in enumerate(value)]
        elif isinstance(value, str):
            _check_text(value, place, problems)
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and not -largest <= value <= largest:
            problems.append(Problem(place, "number-too-large", f"Numbers go from -{largest} to {largest}."))
    if problems:
        raise ShapeError(Problem(_shown(one.place), one.code, one.message) for one in problems)


def read_body(model: type[Model], document: Any) -> Model:
    """Return a body as its model, or raise ShapeError (400) with every problem."""
    if not isinstance(document, dict):
        raise ShapeError([Problem("", "not-an-object", "The body must be a JSON object.")])
    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise ShapeError(problems_of(error)) from error


def read_query(model: type[Model], parameters: Mapping[str, str]) -> Model:
    """Return the query's parameters as their model, or raise ShapeError (400) with every problem."""
    document = dict(parameters.items())
    check_plain(document)
    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise ShapeError(problems_of(error)) from error


def _check_text(text: str, place: str, problems: list[Problem]) -> None:
    if "\0" in text:
        problems.append(Problem(place, "nul-character", "Text cannot hold the character NUL."))
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        problems.append(Problem(place, "half-a-character", "Text cannot hold half of a surrogate pair."))


def _shown(place: str) -> str:
    """Return a place that can itself be written out."""
    return place.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _too_deep() -> ShapeError:
    return ShapeError([Problem("", "too-deep", f"A body is at most {MOST_DEEP} levels deep.")])
