"""The doors of the pages: each view declares its audience, and gets the entry of who asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from campaign.services.access import AUDIENCES, Entry, entry_for

Page = Callable[..., HttpResponse]
AsyncPage = Callable[..., Awaitable[HttpResponseBase]]


def door(audience: str) -> Callable[[Page], Page]:
    """Return the decorator that lets only that audience into a page.

    Campaign audiences take the route's ``campaign`` token away and hand the view an ``Entry`` in its
    place; whoever is not signed in is asked to.
    """
    if audience not in AUDIENCES:
        raise ValueError(f"{audience} is no audience")

    def decorate(view: Page) -> Page:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if audience == "public":
                return view(request, *args, **kwargs)
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if audience == "person":
                return _private(view(request, *args, **kwargs))
            entry: Entry = entry_for(user=request.user, token=kwargs.pop("campaign"), audience=audience)
            request.entry = entry  # type: ignore[attr-defined]  # for the frame of every campaign page
            return _private(view(request, entry, *args, **kwargs))

        guarded.audience = audience  # type: ignore[attr-defined]  # read by the test of all routes
        return guarded

    return decorate


def async_door(audience: str) -> Callable[[AsyncPage], Callable[..., Any]]:
    """Return the same decorator for a campaign's asynchronous view; whoever is not signed in gets 401."""
    if audience not in AUDIENCES:
        raise ValueError(f"{audience} is no audience")

    def decorate(view: AsyncPage) -> Callable[..., Any]:
        @wraps(view)
        async def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            user = await request.auser()  # type: ignore[attr-defined]  # from the authentication middleware
            if not user.is_authenticated:
                return HttpResponse(status=401)
            token = kwargs.pop("campaign")
            entry = await sync_to_async(entry_for)(user=user, token=token, audience=audience)
            response = await view(request, entry, *args, **kwargs)
            response.headers.setdefault("Cache-Control", "no-store")
            return response

        guarded.audience = audience  # type: ignore[attr-defined]  # read by the test of all routes
        return guarded

    return decorate


def post_only(view: Page) -> Page:
    """Answer anything but a POST with 405 and a way back to the page that has the form."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST":
            return view(request, *args, **kwargs)
        response = render(request, "405.html", status=405)
        response.headers["Allow"] = "POST"
        return response

    return guarded


def _private(response: HttpResponse) -> HttpResponse:
    """Keep a page out of every shared cache."""
    response.headers.setdefault("Cache-Control", "no-store")
    return response
