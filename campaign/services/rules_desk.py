"""The rules desk and the coverage of the sources, for the command, the API and the calculator pages.

Whatever is asked is answered: a question that is no JSON, or holds what JSON cannot carry on, gets an
error like every other bad input.
"""

from __future__ import annotations

import ast
import json
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from math import isfinite
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from django.conf import settings

from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.engine.procedure import Desk, answer, error_document
from campaign.engine.rule_index import marks
from campaign.services.rulings import rulings_for_answer

PURE_PACKAGES = ("campaign.engine", "campaign.rulebooks", "operational.rules", "tactical.rules")
REGISTRIES = ("operational.rules.registry", "tactical.rules.registry")
VECTOR_TEST = "tests/vectors/test_vectors.py::test_the_worked_example_comes_out_as_printed"
ANY_SOURCE = ""
LARGEST_NUMBER = 2**53 - 1  # as far as JSON is exact everywhere
MOST_DEEP = 64


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
    problems = check_document(document)
    if problems:
        return {"error": error_document(problems)}
    answered = answer(found, document)
    if "error" in answered:
        return answered
    rulings = rulings_for_answer(source=desk.source, procedure=found.name, rules=answered["rules"])
    return {**answered, "rulings": rulings}


def read_document(text: str | bytes) -> Any:
    """Return the JSON of a text (UTF-8); raise ProblemsError ("not-json") for what is none."""
    try:
        return json.loads(text.decode() if isinstance(text, bytes) else text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ProblemsError([Problem("", "not-json", "This is nested too deep to be read.")]) from error
    except ValueError as error:  # no UTF-8, no JSON, or a number of thousands of digits
        raise ProblemsError([Problem("", "not-json", f"This is no JSON: {error}.")]) from error


def check_document(document: Any) -> tuple[Problem, ...]:
    """Return a problem for each number or text that no answer could give back, and for what is nested too deep."""
    problems: list[Problem] = []
    waiting: list[tuple[Any, str, int]] = [(document, "", 1)]
    while waiting:
        value, place, depth = waiting.pop()
        if depth > MOST_DEEP:
            return (Problem("", "too-deep", f"A document is at most {MOST_DEEP} levels deep."),)
        if isinstance(value, dict):
            waiting += [(item, place + pointer(_shown(key)), depth + 1) for key, item in value.items()]
            problems += [Problem(place, "not-text", "This is no Unicode text.") for key in value if _shown(key) != key]
        elif isinstance(value, list):
            waiting += [(item, place + pointer(number), depth + 1) for number, item in enumerate(value)]
        elif isinstance(value, str) and _shown(value) != value:
            problems.append(Problem(place, "not-text", "This is no Unicode text."))
        elif isinstance(value, (int, float)) and not (isfinite(value) and abs(value) <= LARGEST_NUMBER):
            problems.append(Problem(place, "number-too-large", f"Numbers go up to {LARGEST_NUMBER}."))
    return tuple(sorted(problems))


def batch_answers(lines: Iterable[str | bytes]) -> Iterator[dict[str, Any]]:
    """Answer one JSON line after the other; a line that is no question gets an error and the rest goes on."""
    for line in lines:
        if line.strip():
            yield _row_answer(line)


def _row_answer(line: str | bytes) -> dict[str, Any]:
    try:
        row = read_document(line)
    except ProblemsError as error:
        return {"id": None, "error": error_document(error.problems)}
    if not isinstance(row, dict):
        return {"id": None, "error": error_document((Problem("", "not-an-object", "A line must be an object."),))}
    identity = row.get("id")
    if check_document(identity):
        problem = Problem("/id", "bad-id", "An id is given back as it is: a plain text or number.")
        return {"id": None, "error": error_document((problem,))}
    ruleset, procedure = str(row.get("ruleset", "")), str(row.get("procedure", ""))
    return {"id": identity, **desk_answer(ruleset=ruleset, procedure=procedure, document=row.get("input", {}))}


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not of JSON")


def _shown(text: str) -> str:
    """Return a text as it can be written: lone surrogates are replaced."""
    return text.encode(errors="replace").decode()


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
    ruled_out = ruled_out_reasons()
    tests = rules_held_by_tests()
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
            held_by = [*tests.get((source, key), []), *tests.get((ANY_SOURCE, key), [])]
            rows.append({**row, "test": ", ".join(held_by), "why": why if not where else ""})
    return rows


def _fixtures() -> Path:
    return Path(settings.ROOT) / "fixtures"


def ruled_out_reasons() -> dict[tuple[str, str], str]:
    """Read fixtures/rule_index/ruled_out/*.toml: a table a source, rule = reason."""
    reasons: dict[tuple[str, str], str] = {}
    for path in sorted((_fixtures() / "rule_index" / "ruled_out").glob("*.toml")):
        for source, table in tomllib.loads(path.read_text()).items():
            for key, reason in table.items():
                reasons[source, key] = reason
    return reasons


@cache
def rules_held_by_tests() -> dict[tuple[str, str], list[str]]:
    """Return the tests that hold each rule, by source and rule: those marked so, and the vectors' rows.

    The tests of a ruleset speak of its source; those of what rulesets share may speak of any.
    """
    tests: dict[tuple[str, str], list[str]] = defaultdict(list)
    root = Path(settings.ROOT) / "tests"
    of_folder = {root / key.replace("-", "_"): desk.source for key, desk in desks().items()}
    for path in sorted(root.rglob("test_*.py")):
        place = path.relative_to(root.parent).as_posix()
        source = next((found for folder, found in of_folder.items() if path.is_relative_to(folder)), ANY_SOURCE)
        module = ast.parse(path.read_text())
        of_module = [key for node in module.body if _is_pytestmark(node) for key in _marked_keys(ast.walk(node))]
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                of_all = of_module if node.name.startswith("test_") else []
                for key in [*of_all, *_marked_keys(node.decorator_list)]:
                    tests[source, key].append(f"{place}::{node.name}")
    for path in sorted((root / "vectors").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            desk = desks().get(row["ruleset"])
            source = ANY_SOURCE if desk is None else desk.source
            tests[source, row["rule"].removesuffix(" table")].append(f"{VECTOR_TEST}[{row['id']}]")
    return dict(tests)


def _is_pytestmark(node: ast.stmt) -> bool:
    """Return whether a statement marks every test of its module."""
    return isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["pytestmark"]


def _marked_keys(nodes: Iterable[ast.AST]) -> list[str]:
    """Return the rules that the marks among these nodes name."""
    return [
        ast.literal_eval(argument)
        for node in nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule"
        for argument in node.args
    ]
