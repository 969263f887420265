"""The OpenAPI document: valid, whole, and kept: requests made from it never break a door and get what it promises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from campaign.api.player.campaign import CampaignDoor
from campaign.api.public.schema import document
from campaign.api.replies import json_reply
from tests.campaign.api.access_world import GM, PLAYER, World, world_make
from tests.campaign.api.callers import ROOT, Caller
from tests.fog.routes import routes

pytestmark = pytest.mark.django_db
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
GOOD_EXAMPLES, BAD_EXAMPLES = 3, 2
PROBLEMS = "#/components/schemas/Problems"


@contextmanager
def connection_kept() -> Iterator[None]:
    """Keep the server from closing the database's connection after each request: the test's transaction is in it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_the_document_is_valid_and_without_a_warning() -> None:
    """As the framework's own validation sees it."""
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=StringIO(), stderr=StringIO())


def test_the_document_is_open_to_anyone() -> None:
    """OpenAPI 3.1, the same bytes each time."""
    answer = Caller().get("schema/")
    assert answer.status_code == 200
    assert answer.json()["openapi"].startswith("3.1")
    assert Caller().get("schema/").content == answer.content == document()


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Return path, method and description of every operation."""
    paths = Caller().get("schema/").json()["paths"]
    return [(path, method, one) for path, methods in paths.items() for method, one in methods.items()]


def test_every_door_is_in_the_document() -> None:
    """Each route and method of the API but the document itself, and no other."""
    described = {(path.count("/"), method.upper(), one["operationId"]) for path, method, one in operations()}
    assert len({identity for _, _, identity in described}) == len(described)
    doors = [route for route in routes() if route.is_api and route.name not in ("api-schema", "api-nowhere")]
    wanted = [(route, method) for route in doors for method in route.methods() if method != "HEAD"]
    assert len(described) == len(wanted) > 60


def test_bodies_are_required_and_refusals_have_the_one_shape() -> None:
    """400 everywhere, 401 where one signs in, 404 at a campaign; the problems' shape but at the rules desk."""
    for path, method, one in operations():
        assert one.get("requestBody", {"required": True})["required"] is True
        answers = one["responses"]
        assert "400" in answers
        assert ("401" in answers) == (one["security"] != [{}] or "token" in path), path
        assert "404" in answers or "{" not in path
        for status, answer in answers.items():
            shape = answer.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref", "")
            if int(status) >= 400 and not ("/rules/" in path and status == "422"):
                assert shape == PROBLEMS, (method, path, status)
            elif status != "204":
                assert shape or "application/pdf" in answer["content"], (method, path, status)


def real(world: World, path: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return path parameters that lead somewhere, in place of made-up ones."""
    values = {**world.values, **(world.gm_values if "/gm/" in path else {}), "turn": 1}
    return {name: values.get(name, value) for name, value in parameters.items()}


def served() -> Any:
    """Return the document as the server gives it, bound to the server."""
    with connection_kept():
        return schemathesis.openapi.from_wsgi(f"{ROOT}schema/", get_wsgi_application())


def ask_around(world: World, operation: Any, mode: GenerationMode, examples: int) -> None:
    """Make good or bad requests of one operation as who may come in, and hold the answers to the document."""
    headers = {"Authorization": f"Token {world.tokens[GM if '/gm/' in operation.path else PLAYER]}"}

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def are_answered(case: Any) -> None:
        for parameters in (case.path_parameters, real(world, operation.path, case.path_parameters or {})):
            case.path_parameters = parameters
            with transaction.atomic():
                case.call_and_validate(headers=headers, checks=CHECKS)
                transaction.set_rollback(True)

    with connection_kept():
        are_answered()


def test_requests_made_from_the_document_get_what_it_promises() -> None:
    """Statuses, content and shapes as described, for made-up values and for the campaign's own."""
    world = world_make()
    schema = served()
    found = [one.ok() for one in schema.get_all_operations()]
    assert len(found) == len(operations())
    for operation in found:
        ask_around(world, operation, GenerationMode.POSITIVE, GOOD_EXAMPLES)
        if operation.body or operation.query or operation.path_parameters:
            ask_around(world, operation, GenerationMode.NEGATIVE, BAD_EXAMPLES)


def test_a_door_that_breaks_its_promise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: an answer of another shape."""
    monkeypatch.setattr(CampaignDoor, "get", lambda door, request, **route: json_reply({"surprise": 1}))
    schema = served()
    operation = schema[f"{ROOT}campaigns/{{campaign}}/"]["GET"]
    with pytest.raises(FailureGroup):
        ask_around(world_make(), operation, GenerationMode.POSITIVE, GOOD_EXAMPLES)
