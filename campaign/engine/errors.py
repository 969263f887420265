"""Problems: how the pure floors say that an input cannot be used.

A problem names a kebab-case code, the place as a JSON Pointer (RFC 6901) into the
document that was checked, the rule that asks for it and a sentence for a person.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong with an input.

    ``place`` is a JSON Pointer ("" is the whole document). ``rule`` is a rule number of the
    ruleset's source, or "" where no rule but plain form is broken. ``severity`` is "stop" for a
    problem that refuses the input and "warn" for one the reader only has to know.
    """

    place: str
    code: str
    message: str
    rule: str = ""
    severity: str = "stop"

    def as_document(self) -> dict[str, str]:
        """Return the problem in the one JSON shape that every door uses."""
        return {
            "code": self.code,
            "place": self.place,
            "rule": self.rule,
            "message": self.message,
            "severity": self.severity,
        }


class ProblemsError(Exception):
    """Raised where an input is refused; carries every problem found, in order of place."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(sorted(problems))
        super().__init__("; ".join(problem.message for problem in self.problems))


def refuse(code: str, message: str, *, place: str = "", rule: str = "") -> ProblemsError:
    """Return an error with one problem, to be raised."""
    return ProblemsError([Problem(place=place, code=code, message=message, rule=rule)])


def pointer(*parts: str | int) -> str:
    """Return the JSON Pointer to a place, each part escaped as RFC 6901 asks.

    >>> pointer("forces", 0, "a/b")
    '/forces/0/a~1b'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def stops(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems that refuse an input, without the warnings."""
    return tuple(problem for problem in problems if problem.severity == "stop")
