"""Vectors as typed input of a procedure: every bad entry is its own problem, at its own place."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, ValidationError, WithJsonSchema
from pydantic_core import InitErrorDetails, PydanticCustomError

from campaign.engine.vectors import parse_vectors

Letter: TypeAlias = Literal["A", "B", "C", "D", "E", "F", "+", "-"]

VECTORS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "propertyNames": {"enum": ["A", "B", "C", "D", "E", "F", "+", "-"]},
    "additionalProperties": {"type": "integer", "minimum": 0},
    "examples": [{"A": 3, "-": 1}],
}


def _checked(value: Any) -> dict[str, int]:
    """Return the vectors of a document, zeros left out; raise pydantic's error with every problem."""
    found, problems = parse_vectors(value, "")
    if not problems:
        return found
    details = []
    for problem in problems:
        # The message is our own finished sentence: braces in it are no placeholders.
        error = PydanticCustomError(problem.code, "{message}", {"message": problem.message})
        place = (problem.place.removeprefix("/").replace("~1", "/").replace("~0", "~"),) if problem.place else ()
        details.append(InitErrorDetails(type=error, loc=place, input=value))
    raise ValidationError.from_exception_data("vectors", details)


VectorsInput: TypeAlias = Annotated[dict[str, int], BeforeValidator(_checked), WithJsonSchema(VECTORS_SCHEMA)]
