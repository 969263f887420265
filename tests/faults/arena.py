"""A database of its own for a fault test, and processes that work on it.

The test process never opens the database: everything is done by children of ``tests.faults.play``, so
that kills and races are real. On PostgreSQL (DATABASE_URL) an arena is a database made from a
template, on SQLite a file.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Arena:
    """One database, below ``folder``."""

    folder: Path
    name: str = "arena"
    server: str = field(default_factory=lambda: os.environ.get("DATABASE_URL", ""))

    @property
    def is_postgresql(self) -> bool:
        """Whether a PostgreSQL server was asked for."""
        return self.server.startswith("postgres")

    @property
    def url(self) -> str:
        """The DATABASE_URL of the arena."""
        if self.is_postgresql:
            return urlunsplit(urlsplit(self.server)._replace(path="/" + self.database))
        return f"sqlite:///{self.folder / self.name}.sqlite3"

    @property
    def database(self) -> str:
        """The arena's PostgreSQL database."""
        return f"flagbridge_{self.folder.name.replace('-', '_')[-30:]}_{self.name}"[:60].lower()

    def make(self, template: Arena | None = None) -> Arena:
        """Create the database, empty or as a copy of another arena's."""
        if self.is_postgresql:
            source = f' TEMPLATE "{template.database}"' if template else ""
            self._on_server(f'DROP DATABASE IF EXISTS "{self.database}" WITH (FORCE)')
            self._on_server(f'CREATE DATABASE "{self.database}"{source}')
        elif template is not None:
            for path in template.folder.glob(f"{template.name}.sqlite3*"):
                shutil.copy(path, self.folder / path.name.replace(template.name, self.name, 1))
        if template is None:
            self.run("migrate")
        return self

    def drop(self) -> None:
        """Drop a PostgreSQL database; a file goes with its folder."""
        if self.is_postgresql:
            self._on_server(f'DROP DATABASE IF EXISTS "{self.database}" WITH (FORCE)')

    def start(self, *words: str, fault: str = "", **environment: str) -> subprocess.Popen[str]:
        """Start a child on the arena."""
        return subprocess.Popen(
            [sys.executable, "-m", "tests.faults.play", *words],
            cwd=ROOT,
            env={
                **os.environ,
                "DATABASE_URL": self.url,
                "DJANGO_SETTINGS_MODULE": "campaign.settings.local",
                "FLAGBRIDGE_VAR": str(self.folder / "var"),
                "PLANTED_FAULT": fault,
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str, fault: str = "", **environment: str) -> Any:
        """Run a child to its end and return the JSON it printed."""
        return finished(self.start(*words, fault=fault, **environment))

    def _on_server(self, statement: str) -> None:
        with psycopg.connect(self.server, autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]  # our own text, no user's


def finished(child: subprocess.Popen[str], seconds: float = 120) -> Any:
    """Wait for a child; return its JSON, or raise with what it said on its way down."""
    output, errors = child.communicate(timeout=seconds)
    if child.returncode != 0:
        raise AssertionError(f"child ended with {child.returncode}: {errors[-3000:]}")
    return json.loads(output) if output.strip() else None
