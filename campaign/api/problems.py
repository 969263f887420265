"""Refusals in the API: one JSON shape, {"problems": [{"code", "place", "rule", "message", "severity"}]}."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import HttpResponse
from rest_framework import exceptions
from rest_framework.views import exception_handler as framework_handler

from campaign.api.replies import problems_reply
from campaign.engine.errors import Problem, ProblemsError
from campaign.services.refusals import status_of

log = logging.getLogger(__name__)


def exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Answer a refusal, ours or the framework's, in the one shape; None for a fault of ours."""
    if isinstance(error, ProblemsError):
        return refusal_reply(error)
    if isinstance(error, OperationalError):
        return _busy(error)
    if isinstance(error, RequestDataTooBig):
        return problems_reply([Problem("", "too-large", "The body is too large.")], 400)
    response = framework_handler(error, context)
    if response is None:
        return None
    code = "not-found" if response.status_code == 404 else getattr(error, "default_code", "refused")
    detail = error.detail if isinstance(error, exceptions.APIException) else "There is no such thing."
    message = "The request is not understood." if isinstance(detail, (dict, list)) else str(detail)
    reply = problems_reply([Problem("", str(code).replace("_", "-"), message)], response.status_code)
    for name in ("WWW-Authenticate", "Retry-After"):
        if name in response:
            reply[name] = response[name]
    return reply


def refusal_reply(error: ProblemsError) -> HttpResponse:
    """Answer a service's refusal with all its problems."""
    return problems_reply(error.problems, status_of(error))


def _busy(error: OperationalError) -> HttpResponse:
    """The database was locked or away for longer than a request waits: say so, and that nothing was done."""
    log.warning("database not available: %s", error)
    message = "The database is busy. Nothing was done; try again in a moment."
    reply = problems_reply([Problem("", "database-busy", message)], 503)
    reply["Retry-After"] = "2"
    return reply
