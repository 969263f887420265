"""What a service answers when it will not: the same problems everywhere, and which HTTP status they are.

A plain ProblemsError is 422: understood, and against the rules.
"""

from __future__ import annotations

from campaign.engine.errors import Problem, ProblemsError


class ShapeError(ProblemsError):
    """The document has not the form it must have (400)."""


class StaleError(ProblemsError):
    """The turn, sheet or engagement has moved on since the caller looked (409)."""


class NotThereError(ProblemsError):
    """There is no such thing for this caller (404): also said where its existence is secret."""


class ForbiddenError(ProblemsError):
    """The caller is known, but may not do this (403)."""


class TooManyError(ProblemsError):
    """The caller has asked too often (429)."""


def stale(code: str, message: str, place: str = "") -> StaleError:
    """Return a 409 with one problem."""
    return StaleError([Problem(place, code, message)])


def not_there(what: str = "page") -> NotThereError:
    """Return a 404 that says no more than that."""
    return NotThereError([Problem("", "not-found", f"There is no such {what}.")])


def forbidden(message: str = "Your seat does not allow this.") -> ForbiddenError:
    """Return a 403 with one problem."""
    return ForbiddenError([Problem("", "forbidden", message)])


def too_many(message: str) -> TooManyError:
    """Return a 429 with one problem."""
    return TooManyError([Problem("", "too-many-requests", message)])


def status_of(error: ProblemsError) -> int:
    """Return the HTTP status of a refusal."""
    statuses = (
        (ShapeError, 400),
        (ForbiddenError, 403),
        (NotThereError, 404),
        (StaleError, 409),
        (TooManyError, 429),
    )
    for kind, status in statuses:
        if isinstance(error, kind):
            return status
    return 422
