"""Marks that tie a function to the rules it implements.

Each package of rules makes its own ``rule`` decorator with ``rules_of("saganami")``. The marks
are collected here; ``manage.py rules --coverage`` reads them, and answers name their rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A place that implements a rule: source text, rule key, dotted place."""

    source: str
    rule: str
    where: str


_MARKS: set[Mark] = set()


def rules_of(source: str) -> Callable[..., Callable[[Function], Function]]:
    """Return the ``@rule("B5.121", ...)`` decorator for one source text.

    The decorated function or class keeps its behaviour; ``function.rules`` lists its rule keys.
    """

    def rule(*keys: str) -> Callable[[Function], Function]:
        def mark(function: Function) -> Function:
            where = f"{function.__module__}.{function.__qualname__}"
            for key in keys:
                _MARKS.add(Mark(source, key, where))
            setattr(function, "rules", keys)  # noqa: B010 - the attribute is ours, not the type's
            return function

        return mark

    return rule


def marks() -> tuple[Mark, ...]:
    """Return every mark of every module imported so far, sorted."""
    return tuple(sorted(_MARKS))
