"""What goes out: the same bytes for the same answer, and headers that keep it out of shared caches."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from pydantic import BaseModel

from campaign.engine.errors import Problem

JSON = "application/json"


def json_bytes(answer: Any) -> bytes:
    """Return an answer as JSON: keys sorted, no spaces, UTF-8."""
    document = answer.model_dump(mode="json", by_alias=True) if isinstance(answer, BaseModel) else answer
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def json_reply(answer: Any, status: int = 200) -> HttpResponse:
    """Return an answer as a response; None has no body."""
    if answer is None:
        return HttpResponse(status=status)
    return HttpResponse(json_bytes(answer), status=status, content_type=JSON)


def problems_reply(problems: Iterable[Problem], status: int) -> HttpResponse:
    """Return a refusal: {"problems": [{"code", "place", "rule", "message", "severity"}]}."""
    return json_reply({"problems": [problem.as_document() for problem in problems]}, status)


def tagged_reply(request: HttpRequest, body: bytes, tag: str) -> HttpResponseBase:
    """Return stored bytes under their tag; 304 to a client that names the tag in If-None-Match."""
    response = HttpResponse(body, content_type=JSON)
    response["ETag"] = f'"{tag}"'
    response["Cache-Control"] = "private, no-cache"
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def private(response: HttpResponseBase) -> HttpResponseBase:
    """Keep an answer to one person out of every shared cache."""
    response.headers.setdefault("Cache-Control", "no-store")
    patch_vary_headers(response, ("Authorization", "Cookie"))  # type: ignore[arg-type]  # reads headers only
    return response
