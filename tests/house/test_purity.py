"""The pure floors, looked at in a fresh process: importing them loads no framework, driver or chance."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BANNED = ("django", "rest_framework", "celery", "kombu", "redis", "psycopg", "sqlite3", "matplotlib", "typst")
SCRIPT = """
import importlib, json, pkgutil, sys
for name in ("campaign.engine", "campaign.rulebooks", "operational.rules", "tactical.rules"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        importlib.import_module(module.name)
print(json.dumps(sorted(sys.modules)))
"""


def loaded(script: str = SCRIPT) -> set[str]:
    """Return the top names of the modules that a fresh process has after the script."""
    child = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in json.loads(child.stdout)}


def test_the_pure_floors_load_no_framework() -> None:
    """Every module of engine, rulebooks and rules, imported alone."""
    assert loaded() & set(BANNED) == set()


def test_a_framework_would_be_seen() -> None:
    """The planted fault: one import of Django on a pure floor."""
    assert "django" in loaded("import django\n" + SCRIPT)
