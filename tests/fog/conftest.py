"""What the comparison of worlds holds still."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from campaign.services import tokens
from tests.campaign.services.setups import NOW
from tests.fog.worlds import Still


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Hold the clock still, and give what starts the series of tokens and seeds from the beginning."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)
    clock = SimpleNamespace(time=NOW.timestamp)
    for place in (
        "django.http.response",
        "django.utils.cache",
        "django.core.signing",
        "django.contrib.sessions.middleware",
    ):
        monkeypatch.setattr(f"{place}.time", clock)
    monkeypatch.setattr("django.middleware.csrf.get_random_string", lambda length, allowed_chars="": "c" * length)

    def begin() -> None:
        monkeypatch.setattr(tokens, "secrets", Still())

    return begin
