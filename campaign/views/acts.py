"""Acts: a form posted, a service called, and the way back to the page that shows its effect."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect
from django.utils import timezone

from campaign.engine.errors import Problem, ProblemsError
from campaign.services.refusals import ShapeError


def act(request: HttpRequest, call: Callable[[], Any], said: str, to: str, *args: Any) -> HttpResponseRedirect:
    """Do ``call``, say that it is done and go to the route ``to``; refusals go up to the middleware."""
    call()
    messages.success(request, said)
    return redirect(to, *args)


def whole_number(posted: QueryDict, name: str) -> int:
    """Return a whole number of a form, or refuse (400) with the field's place."""
    text = posted.get(name, "").strip()
    try:
        return int(text)
    except ValueError as error:
        message = f"{name.replace('_', ' ').capitalize()} must be a whole number."
        raise ShapeError([Problem("/" + name, "not-whole-number", message)]) from error


def local_moment(text: str, zone: str, place: str) -> datetime | None:
    """Return the instant of a form's date and time in a zone, None for an empty one; refuse what cannot be read."""
    if not text.strip():
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        message = "Write the deadline as 2026-05-01T21:00, or leave it empty for none."
        raise ProblemsError([Problem(place, "not-a-date", message)]) from error
    moment = moment.replace(tzinfo=ZoneInfo(zone)) if moment.tzinfo is None else moment
    if moment <= timezone.now():
        raise ProblemsError([Problem(place, "deadline-past", "A deadline lies in the future; lock the turn instead.")])
    return moment


def refusal(error: ProblemsError) -> list[dict[str, str]]:
    """Return the problems of a refusal as documents."""
    return [problem.as_document() for problem in error.problems]
