"""The doors of the API: each declares its audience, reads its input whole, and answers in JSON.

A view is a ``Door`` with an ``audience`` (one for all its methods, or one a method) and methods
under ``operation``, which gives them their typed body and query and describes them in the schema.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, ClassVar, cast

from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from pydantic import BaseModel
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from campaign.api.answers import Problems
from campaign.api.bodies import Nothing
from campaign.api.documents import LARGEST, JsonAlways, read_body, read_document, read_query
from campaign.api.problems import refusal_reply
from campaign.api.replies import JSON, json_reply, private
from campaign.api.schema import STATUSES, DoorSchema
from campaign.engine.errors import ProblemsError
from campaign.models import Seat
from campaign.services.access import AUDIENCES, Entry, entry_for
from campaign.services.idempotency import Given, answered_once, request_digest
from campaign.services.refusals import NotThereError, forbidden

if TYPE_CHECKING:
    from django.contrib.auth.models import User

log = logging.getLogger(__name__)

Method = Callable[..., Any]


class Door(APIView):
    """A view of the API that lets its audience in and nobody else.

    Campaign audiences find who came in in ``self.entry``. ``largest`` bounds the numbers of bodies.
    """

    audience: ClassVar[str | Mapping[str, str]]
    largest: ClassVar[int] = LARGEST
    entry: Entry

    schema = DoorSchema()
    metadata_class = None
    permission_classes = []
    content_negotiation_class = JsonAlways

    @property
    def person(self) -> User:
        """Who asks, at a door that is not public."""
        return cast("User", self.request.user)

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view; a door without an audience is not built."""
        declared = getattr(cls, "audience", None)
        audiences = set(declared.values()) if isinstance(declared, Mapping) else {declared}
        if not audiences or not audiences <= set(AUDIENCES):
            raise ImproperlyConfigured(f"{cls.__name__} declares no audience")
        return super().as_view(**initkwargs)

    @classmethod
    def audience_of(cls, method: str) -> str:
        """Return who may come in by a method; one that the door does not have is for its first audience."""
        if isinstance(cls.audience, str):
            return cls.audience
        return cls.audience.get("GET" if method == "HEAD" else method, next(iter(cls.audience.values())))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find out who asks, and turn away whoever is not of the audience: 401, 404, or 403 within a side."""
        super().initial(request, *args, **kwargs)
        audience = self.audience_of(request.method or "")
        if audience == "public":
            return
        if not request.user.is_authenticated:
            raise NotAuthenticated
        if audience == "person":
            return
        at_least = "player" if audience == "commander" else audience
        try:
            self.entry = entry_for(user=request.user, token=kwargs["campaign"], audience=at_least)
        except NotThereError:
            log.info("turned away: %s at %s %s", request.user, request.method, request.path)
            raise
        if audience == "commander" and self.entry.seat.role != Seat.Role.COMMANDER:
            raise forbidden("Only a commander of the side may do this.")

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Keep what is not public out of shared caches."""
        finished = super().finalize_response(request, response, *args, **kwargs)
        if self.audience_of(request.method or "") != "public":
            private(finished)
        return finished


def operation(
    summary: str,
    *,
    answer: type[BaseModel] | None,
    body: type[BaseModel] = Nothing,
    query: type[BaseModel] = Nothing,
    status: int = 200,
    refusals: tuple[int, ...] = (),
    answers: Mapping[int, type[BaseModel]] | None = None,
    file: str | None = None,
) -> Callable[[Method], Method]:
    """Return the decorator of a door's method.

    The method gets ``body`` and ``query`` as models where it asks for them, and the path's parameters
    but the campaign, which is ``self.entry``'s. It returns a model, a plain document, None, or a whole
    response. Unknown fields and parameters are refused, with every problem at once. A POST may come with
    an Idempotency-Key. ``refusals`` are the statuses beside those that every door has; ``answers`` those
    with a shape of their own; ``file`` is the media type of an answer that is a file and no document.
    """

    def decorate(method: Method) -> Method:
        @wraps(method)
        def guarded(door: Door, request: Request, **route: Any) -> HttpResponseBase:
            route.pop("campaign", None)
            typed = _typed(door, request, body, query)
            call = partial(method, door, request, **route, **typed)
            key = request.headers.get("Idempotency-Key")
            if request.method != "POST" or key is None or not request.user.is_authenticated:
                return _reply(call(), status)
            document = typed["body"].model_dump(mode="json") if "body" in typed else {}
            given = answered_once(
                user=request.user,
                key=key,
                digest=request_digest(request.get_full_path(), document),
                now=timezone.now(),
                answer=partial(_given, call, status),
            )
            return HttpResponse(given.body, status=given.status, content_type=JSON)

        good = {status: answer, **(answers or {})}
        described: dict[Any, OpenApiResponse] = {
            code: OpenApiResponse(model, STATUSES[code]) for code, model in good.items()
        }
        if file is not None:
            described = {(status, file): OpenApiResponse(OpenApiTypes.BINARY, STATUSES[status])}
        described |= {code: OpenApiResponse(Problems, STATUSES[code]) for code in refusals}
        documented: Method = extend_schema(
            summary=summary,
            description=method.__doc__,
            request=None if body is Nothing else body,
            parameters=_parameters(query),
            responses=described,
        )(guarded)
        return documented

    return decorate


def _typed(door: Door, request: Request, body: type[BaseModel], query: type[BaseModel]) -> dict[str, BaseModel]:
    """Return the typed query and body that a method asks for; whatever else came is refused."""
    typed: dict[str, BaseModel] = {}
    read = read_query(query, request.query_params)
    if query is not Nothing:
        typed["query"] = read
    if request.method not in ("GET", "HEAD"):
        said = read_body(body, read_document(request, largest=door.largest))
        if body is not Nothing:
            typed["body"] = said
    return typed


def _given(call: Callable[[], Any], status: int) -> Given:
    """Answer once, a refusal included; whatever a refused call wrote is undone."""
    try:
        with transaction.atomic():
            reply = _reply(call(), status)
    except ProblemsError as error:
        reply = refusal_reply(error)
    return Given(reply.status_code, reply.content.decode())


def _reply(answer: Any, status: int) -> Any:
    return answer if isinstance(answer, HttpResponseBase) else json_reply(answer, status)


def _parameters(query: type[BaseModel]) -> list[OpenApiParameter]:
    schema = query.model_json_schema()
    required = schema.get("required", [])
    found = []
    for name, field in schema.get("properties", {}).items():
        described = {key: value for key, value in field.items() if key not in ("title", "description")}
        found.append(
            OpenApiParameter(name, described, required=name in required, description=field.get("description", ""))
        )
    return found
