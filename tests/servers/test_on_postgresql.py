"""The services', fault, access and fog tests once more, on PostgreSQL: some faults cannot be seen on SQLite."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers.reach import postgresql

ROOT = Path(__file__).resolve().parent.parent.parent


API = "tests/campaign/api/test_"
SUITES = {
    "services": ("tests/campaign/services", "tests/faults"),
    "doors": (
        "tests/fog",
        *(f"{API}{name}.py" for name in ("access", "campaigns", "engagements", "idempotency", "orders")),
    ),
}


@pytest.mark.postgresql
@pytest.mark.parametrize("suite", SUITES)
def test_what_the_database_can_break_holds_on_postgresql(tmp_path: Path, suite: str) -> None:
    """A child pytest runs the suite with DATABASE_URL set."""
    with postgresql(tmp_path) as url:
        child = subprocess.run(
            [sys.executable, "-m", "pytest", *SUITES[suite]],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": url, "EXPECTED_VENDOR": "postgresql"},
            capture_output=True,
            text=True,
        )
    assert child.returncode == 0, child.stdout[-6000:] + child.stderr[-2000:]
    assert " passed" in child.stdout
