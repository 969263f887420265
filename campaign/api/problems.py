"""Refusals in the API: one JSON shape, {"problems": [{"code", "place", "rule", "message", "severity"}]}."""

from __future__ import annotations

from typing import Any

from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler as framework_handler

from campaign.engine.errors import Problem, ProblemsError
from campaign.services.refusals import status_of


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer a refusal, ours or the framework's, in the one shape."""
    if isinstance(error, ProblemsError):
        problems = [problem.as_document() for problem in error.problems]
        return Response({"problems": problems}, status=status_of(error))
    response = framework_handler(error, context)
    if response is not None:
        code = "not-found" if response.status_code == 404 else getattr(error, "default_code", "refused")
        detail = error.detail if isinstance(error, exceptions.APIException) else "There is no such thing."
        message = str(detail) if not isinstance(detail, (dict, list)) else "The request is not understood."
        response.data = {"problems": [Problem("", str(code).replace("_", "-"), message).as_document()]}
    return response
