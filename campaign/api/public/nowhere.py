"""Addresses below the API that lead nowhere: refused in the API's own shape."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request

from campaign.api.doors import Door
from campaign.services.refusals import not_there


class NowhereDoor(Door):
    """Whatever no other door takes."""

    audience = "public"
    authentication_classes = []
    schema = None  # type: ignore[assignment]  # it is no operation

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse every method."""
        raise not_there("address; every address of the API ends with a slash")
