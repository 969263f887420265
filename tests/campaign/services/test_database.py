"""Which database the services' tests run on, and how it is set up."""

from __future__ import annotations

import os

import pytest
from django.conf import settings
from django.db import connection


@pytest.mark.django_db
def test_the_database_is_the_one_that_was_asked_for() -> None:
    """SQLite by default, in IMMEDIATE mode; PostgreSQL by one setting."""
    assert connection.vendor == os.environ.get("EXPECTED_VENDOR", "sqlite")
    options = settings.DATABASES["default"].get("OPTIONS", {})
    assert settings.DATABASES["default"]["CONN_MAX_AGE"] == 0
    if connection.vendor == "sqlite":
        assert options["transaction_mode"] == "IMMEDIATE"
