"""Refusals as pages: never a stack trace, always every problem."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaign.engine.errors import ProblemsError
from campaign.services.refusals import status_of


class ProblemsMiddleware:
    """Turn a refusal that no view caught into a page with its problems."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer a refusal; leave everything else to Django."""
        if not isinstance(error, ProblemsError):
            return None
        problems = [problem.as_document() for problem in error.problems]
        return render(request, "problems.html", {"problems": problems}, status=status_of(error))
