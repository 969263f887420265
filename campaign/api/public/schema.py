"""The OpenAPI document of the API itself."""

from __future__ import annotations

from functools import cache

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request

from campaign.api.doors import Door
from campaign.api.replies import JSON, json_bytes


@cache
def document() -> bytes:
    """Return the OpenAPI document, made once a process."""
    return json_bytes(SchemaGenerator().get_schema(request=None, public=True))


class SchemaDoor(Door):
    """The document."""

    audience = "public"
    authentication_classes = []
    schema = None  # type: ignore[assignment]  # it does not describe itself

    def get(self, request: Request) -> HttpResponseBase:
        """Answer the OpenAPI 3.1 document."""
        return HttpResponse(document(), content_type=JSON)
