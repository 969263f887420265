"""The OpenAPI document: who may ask what, with every refusal in the one shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse

from campaign.api.answers import Problems

if TYPE_CHECKING:
    from campaign.api.doors import Door

STATUSES = {
    200: "Done.",
    201: "Made.",
    204: "Done; there is nothing to say.",
    304: "Not changed.",
    400: "The request has not the form it must have.",
    401: "Nobody is signed in.",
    403: "Who is signed in may not do this.",
    404: "There is no such thing for whoever asks.",
    409: "It has moved on since the caller looked, or the first request with this key is under way.",
    422: "Understood, and against the rules.",
    429: "Asked too often.",
}

_OPENING = {"get": "read", "post": "do", "put": "write", "patch": "change", "delete": "end"}


class DoorSchema(AutoSchema):
    """Describe a door: its audience, its statuses, and an id made of its path and method."""

    @property
    def audience(self) -> str:
        """Who may come in by this operation."""
        return cast("Door", self.view).audience_of(self.method)

    def get_tags(self) -> list[str]:
        """Return the audience as the operation's tag."""
        return [self.audience]

    def get_operation_id(self) -> str:
        """Return the method's word and the path's words: "write_campaigns_orders"."""
        words = [part for part in self.path.split("/") if part and not part.startswith("{")]
        ends = "_one" if self.path.rstrip("/").endswith("}") else ""
        return "_".join([_OPENING[self.method.lower()], *words[2:]]).replace("-", "_") + ends

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Return how to sign in; nothing for a public door."""
        auth: list[dict[str, list[str]]] = super().get_auth()
        return [{}] if self.audience == "public" else auth

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        """Add the refusals that follow from the audience and the path."""
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        statuses = [400] if self.audience == "public" else [400, 401]
        if self.audience not in ("public", "person") or "{" in self.path:
            statuses.append(404)
        if self.method != "GET" and self.audience != "public":
            statuses += [403, 409, 422]
        for status in statuses:
            if str(status) not in bodies:
                described = OpenApiResponse(Problems, STATUSES[status])
                bodies[str(status)] = self._get_response_for_code(described, str(status), direction=direction)
        return dict(sorted(bodies.items()))


def bodies_are_required(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say that an operation that describes a body needs it."""
    for path in result["paths"].values():
        for described in path.values():
            if isinstance(described, dict) and "requestBody" in described:
                described["requestBody"]["required"] = True
    return result
