"""No NUL gets in by an address or a form: PostgreSQL keeps no text with one, and nobody types one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse

NUL = "\0"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class PlainTextMiddleware:
    """Refuse a NUL in a page's path (404), query or form (400); the API's doors look for themselves."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on if its text can be kept."""
        if request.path_info.startswith("/api/"):
            return self.get_response(request)
        if NUL in request.path_info:
            raise Http404
        told = [request.GET]
        if request.content_type in FORMS:
            told.append(request.POST)
        if any(NUL in text for each in told for text in chain(each, *(values for _, values in each.lists()))):
            raise BadRequest("Text cannot hold the character NUL.")
        return self.get_response(request)
