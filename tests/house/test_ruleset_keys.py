"""No ruleset's key stands outside its own places: its folders, the registries, fixtures and tests (design, section 3).

What is shared knows rulesets as values only: a key written down elsewhere is a branch on a ruleset, or the
beginning of one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from operational.rules import registry as operational_registry
from tactical.rules import registry as tactical_registry

ROOT = Path(__file__).resolve().parents[2]
DESKS = (*operational_registry.DESKS, *tactical_registry.DESKS)
KEYS = {desk.key for desk in DESKS} | {"saganami", "full-thrust", "honorverse", "traveller"}
NAMES = KEYS | {f"{level}/{key}" for level in ("operational", "tactical") for key in KEYS}
OWN_PLACES = ("campaign/rulebooks/", "operational/rules/", "tactical/rules/")
RULESET_MODULE = re.compile(r"^(operational|tactical)\.rules\.(?!registry\b)\w+")


def shared_modules() -> list[Path]:
    """Return the modules of what is shared: all but rulesets, rulebooks and migrations."""
    found = []
    for package in ("campaign", "operational", "tactical"):
        for path in sorted((ROOT / package).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if not place.startswith(OWN_PLACES) and "/migrations/" not in place:
                found.append(path)
    return found


def docstrings(tree: ast.Module) -> set[int]:
    """Return the ids of the nodes that are docstrings: they may give a key as an example."""
    found = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and body:
            first = body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.add(id(first.value))
    return found


def keys_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and key of each text that is a ruleset's key, and of each import from a ruleset's folder."""
    tree = ast.parse(text)
    told = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in NAMES and id(node) not in told:
            yield node.lineno, str(node.value)
        elif isinstance(node, ast.ImportFrom) and RULESET_MODULE.match(node.module or ""):
            yield node.lineno, str(node.module)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names if RULESET_MODULE.match(each.name))


@pytest.mark.parametrize("path", shared_modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_shared_module_names_a_ruleset(path: Path) -> None:
    """Neither its key nor its folder."""
    assert list(keys_in(path.read_text())) == []


def test_no_shared_template_or_script_names_a_ruleset() -> None:
    """Templates and static files of a ruleset stand in folders of its key; the rest knows none."""
    found = []
    quoted = re.compile("[\"'](" + "|".join(sorted(map(re.escape, NAMES))) + ")[\"']")
    for folder in ("templates", "campaign/static", "operational/static", "tactical/static"):
        for path in sorted((ROOT / folder).rglob("*")):
            place = path.relative_to(ROOT)
            if path.suffix not in (".html", ".txt", ".js", ".typ") or set(place.parts) & KEYS:
                continue
            for number, line in enumerate(path.read_text().splitlines(), start=1):
                if quoted.search(line):
                    found.append((place.as_posix(), number, line.strip()[:80]))
    assert found == []


def test_the_search_sees_keys_imports_and_no_docstrings() -> None:
    """A planted branch is found, a key in a docstring is not one."""
    planted = (
        '"""As in "saganami"."""\n'
        "from operational.rules.saganami.state import State\n"
        "import tactical.rules.honorverse.desk\n"
        "from operational.rules.registry import RULESETS\n"
        'if key == "full-thrust" or name == "operational/saganami":\n    pass\n'
    )
    assert [found for _, found in keys_in(planted)] == [
        "operational.rules.saganami.state",
        "tactical.rules.honorverse.desk",
        "full-thrust",
        "operational/saganami",
    ]
