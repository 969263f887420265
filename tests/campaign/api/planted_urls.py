"""A URL table with planted faults, for the test that the access matrix sees them."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign.api.doors import Door
from campaign.models import Briefing
from campaign.services.refusals import forbidden
from campaign.urls import urlpatterns as real


def silent(request: HttpRequest, campaign: str) -> HttpResponse:
    """A page that does not say for whom it is."""
    return HttpResponse(campaign)


class SilentDoor(APIView):
    """A view of the framework's own, without an audience."""

    permission_classes = []

    def get(self, request: Request, campaign: str) -> Response:
        """Answer anyone."""
        return Response({})


class OpenDoor(Door):
    """A door that says "gm" and looks at nobody."""

    audience = "gm"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Let everyone in."""

    def get(self, request: Request, campaign: str) -> Response:
        """Answer anyone."""
        return Response({})


def open_page(request: HttpRequest, campaign: str) -> HttpResponse:
    """A page whose declared audience nobody checks."""
    return HttpResponse(campaign)


open_page.audience = "gm"  # type: ignore[attr-defined]


class OtherSideDoor(Door):
    """A door for players that looks a briefing up without its side."""

    audience = "player"

    def get(self, request: Request, campaign: str, number: int) -> Response:
        """Answer whose briefing it may be."""
        return Response({"found": Briefing.objects.filter(number=number).exists()})


class ForbiddingDoor(Door):
    """A door that tells outsiders that there is something."""

    audience = "gm"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse with 403."""
        raise forbidden()


class UnknownPartDoor(Door):
    """A door whose address names what no table of values knows."""

    audience = "gm"


urlpatterns = [
    path("c/<slug:campaign>/silent/", silent, name="planted-silent"),
    path("api/v1/campaigns/<name:campaign>/silent/", SilentDoor.as_view(), name="planted-silent-door"),
    path("api/v1/campaigns/<name:campaign>/open/", OpenDoor.as_view(), name="planted-open-door"),
    path("c/<slug:campaign>/open/", open_page, name="planted-open-page"),
    path("api/v1/campaigns/<name:campaign>/b/<number:number>/", OtherSideDoor.as_view(), name="planted-other-side"),
    path("api/v1/campaigns/<name:campaign>/forbidding/", ForbiddingDoor.as_view(), name="planted-forbidding"),
    path("api/v1/<name:wormhole>/", UnknownPartDoor.as_view(), name="planted-unknown-part"),
    *real,
]
