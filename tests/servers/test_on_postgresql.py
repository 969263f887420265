"""The services' and fault tests once more, on PostgreSQL: some faults cannot be seen on SQLite."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers.reach import postgresql

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.postgresql
def test_the_services_hold_on_postgresql(tmp_path: Path) -> None:
    """A child pytest runs tests/campaign/services and tests/faults with DATABASE_URL set."""
    with postgresql(tmp_path) as url:
        child = subprocess.run(
            [sys.executable, "-m", "pytest", "tests/campaign/services", "tests/faults"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": url, "EXPECTED_VENDOR": "postgresql"},
            capture_output=True,
            text=True,
        )
    assert child.returncode == 0, child.stdout[-6000:] + child.stderr[-2000:]
    assert " passed" in child.stdout
