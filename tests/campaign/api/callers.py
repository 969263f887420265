"""Clients of the API for its tests."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.models import User
from django.http.response import HttpResponseBase
from django.test import Client
from rest_framework.authtoken.models import Token

from campaign.models import Campaign

ROOT = "/api/v1/"


class Caller:
    """Somebody who asks the API, with a token of his own where he has a name."""

    def __init__(self, username: str | None = None) -> None:
        self.client = Client()
        self.headers: dict[str, str] = {}
        if username is not None:
            user, _ = User.objects.get_or_create(username=username)
            token, _ = Token.objects.get_or_create(user=user)
            self.headers = {"Authorization": f"Token {token.key}"}

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request below the API's root; bytes and text go as they are, documents as JSON."""
        data = body if isinstance(body, (bytes, str)) else b"" if body is None else json.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(
            method, ROOT + path, data, content_type="application/json", headers={**self.headers, **named}
        )

    def get(self, path: str, **headers: str) -> Any:
        """Read."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """Do."""
        return self.ask("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Any:
        """Write."""
        return self.ask("PUT", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        """End."""
        return self.ask("DELETE", path, **headers)


def at(campaign: Campaign, path: str = "") -> str:
    """Return a path below a campaign."""
    return f"campaigns/{campaign.token}/{path}"


def codes(response: HttpResponseBase) -> list[str]:
    """Return the codes of a refusal, having checked its one shape."""
    problems = response.json()["problems"]  # type: ignore[attr-defined]  # the test client adds it
    assert problems
    for problem in problems:
        assert set(problem) == {"code", "place", "rule", "message", "severity"}
    return [problem["code"] for problem in problems]
