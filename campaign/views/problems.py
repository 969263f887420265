"""Refusals as pages: never a stack trace, always every problem."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

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
        template = "_problems.html" if getattr(request, "htmx", False) else "problems.html"
        context = {"problems": problems, "back": _back(request)}
        response = render(request, template, context, status=status_of(error))
        response.headers["Cache-Control"] = "no-store"
        return response


def _back(request: HttpRequest) -> str:
    """Return the page of this site that the request came from, or the front page."""
    came_from = request.headers.get("Referer", "")
    if request.method == "POST" and url_has_allowed_host_and_scheme(came_from, {request.get_host()}):
        return came_from
    return "/"
