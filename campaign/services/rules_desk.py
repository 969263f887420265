"""The rules desk and the coverage of the sources, for the command, the API and the calculator pages."""

from __future__ import annotations

import ast
import json
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from django.conf import settings

from campaign.engine.errors import Problem
from campaign.engine.procedure import Desk, answer, error_document
from campaign.engine.rule_index import marks
from campaign.services.rulings import rulings_for_answer

PURE_PACKAGES = ("campaign.engine", "campaign.rulebooks", "operational.rules", "tactical.rules")
REGISTRIES = ("operational.rules.registry", "tactical.rules.registry")


@cache
def desks() -> dict[str, Desk]:
    """Return every ruleset's desk under "level/key"."""
    found: dict[str, Desk] = {}
    for name in REGISTRIES:
        for desk in import_module(name).DESKS:
            found[f"{desk.level}/{desk.key}"] = desk
    return found


def desk_answer(*, ruleset: str, procedure: str, document: Any) -> dict[str, Any]:
    """Answer one question; an unknown ruleset or procedure is an error answer too.

    A result comes with ``rulings``, the readings of unclear print that it rests on.
    """
    desk = desks().get(ruleset)
    if desk is None:
        known = ", ".join(sorted(desks()))
        return {"error": error_document((Problem("/ruleset", "unknown-ruleset", f"Known rulesets: {known}."),))}
    found = desk.procedure(procedure)
    if found is None:
        problem = Problem("/procedure", "unknown-procedure", f"{ruleset} has no procedure {procedure}.")
        return {"error": error_document((problem,))}
    answered = answer(found, document)
    if "error" in answered:
        return answered
    rulings = rulings_for_answer(source=desk.source, procedure=found.name, rules=answered["rules"])
    return {**answered, "rulings": rulings}


def batch_answers(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Answer one JSON line after the other; a line that is no question gets an error and the rest goes on."""
    for line in lines:
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            problem = Problem("", "not-json", f"The line is no JSON: {error}.")
            yield {"id": None, "error": error_document((problem,))}
            continue
        if not isinstance(row, dict):
            yield {"id": None, "error": error_document((Problem("", "not-an-object", "A line must be an object."),))}
            continue
        ruleset, procedure = str(row.get("ruleset", "")), str(row.get("procedure", ""))
        yield {"id": row.get("id"), **desk_answer(ruleset=ruleset, procedure=procedure, document=row.get("input", {}))}


def coverage() -> list[dict[str, str]]:
    """Return every rule of every source with its status.

    Each row is ``{"source", "rule", "status", "where", "test", "why"}``; status is "implemented"
    (where, and the tests that hold it), "ruled-out" (why) or "missing".
    """
    for package in PURE_PACKAGES:
        for module in walk_packages(import_module(package).__path__, package + "."):
            import_module(module.name)
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for mark in marks():
        places[mark.source, mark.rule].append(mark.where)
    ruled_out = _ruled_out()
    tests = _tests_by_rule()
    rows = []
    for path in sorted((_fixtures() / "rule_index").glob("*.txt")):
        source = path.stem
        listed = [line.strip() for line in path.read_text().splitlines() if line.strip()]
        extra = sorted({key for src, key in places if src == source} - set(listed))
        for key in [*listed, *extra]:
            where = places.get((source, key), [])
            why = ruled_out.get((source, key), "")
            status = "implemented" if where else "ruled-out" if why else "missing"
            row = {"source": source, "rule": key, "status": status, "where": ", ".join(where)}
            rows.append({**row, "test": ", ".join(tests.get(key, [])), "why": why if not where else ""})
    return rows


def _fixtures() -> Path:
    return Path(settings.ROOT) / "fixtures"


def _ruled_out() -> dict[tuple[str, str], str]:
    """Read fixtures/rule_index/ruled_out/*.toml: a table a source, rule = reason."""
    reasons: dict[tuple[str, str], str] = {}
    for path in sorted((_fixtures() / "rule_index" / "ruled_out").glob("*.toml")):
        for source, table in tomllib.loads(path.read_text()).items():
            for key, reason in table.items():
                reasons[source, key] = reason
    return reasons


@cache
def _tests_by_rule() -> dict[str, list[str]]:
    """Return the tests that hold each rule: those marked ``pytest.mark.rule``, and the vectors' rows."""
    tests: dict[str, list[str]] = defaultdict(list)
    root = Path(settings.ROOT) / "tests"
    for path in sorted(root.rglob("test_*.py")):
        place = path.relative_to(root.parent).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    for argument in mark.args:
                        tests[ast.literal_eval(argument)].append(f"{place}::{node.name}")
    for path in sorted((root / "vectors").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            tests[row["rule"].removesuffix(" table")].append(f"tests/vectors/test_vectors.py::{row['id']}")
    return dict(tests)
