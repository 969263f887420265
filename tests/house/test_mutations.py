"""Rules that are broken on purpose, each seen by the test that its coverage names.

mutations.toml says how. Every entry must fit the code and every test named must pass; of the entries twenty
are put into a copy of the tree, one at a time, and their tests must then fail. Which twenty hangs on the
files, so that a change of a file brings others up; with FLAGBRIDGE_MUTATIONS=all every one is tried.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue

import pytest

from campaign.engine.rule_index import marks
from campaign.services.rules_desk import coverage, rules_held_by_tests

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("campaign", "operational", "tactical", "fixtures", "tests")
SAMPLE = 20
AT_ONCE = 2
FAILED = 1  # pytest's exit status where a test failed; an error of collection is 2


@dataclass(frozen=True, slots=True)
class Mutation:
    """One way to break a rule: its key, the file, the text that stands once in it, what replaces it, who sees it."""

    rule: str
    file: str
    find: str
    replace: str
    test: str

    @property
    def text(self) -> str:
        """Return the file as it is."""
        return (ROOT / self.file).read_text()

    @property
    def broken(self) -> str:
        """Return the file with the rule broken."""
        return self.text.replace(self.find, self.replace)

    @property
    def module(self) -> str:
        """Return the dotted name of the file."""
        return self.file.removesuffix(".py").replace("/", ".")


MUTATIONS = [
    Mutation(**row) for row in tomllib.loads((Path(__file__).parent / "mutations.toml").read_text())["mutation"]
]


def name(mutation: Mutation) -> str:
    """Return how an entry is shown."""
    return f"{mutation.rule}-{mutation.find[:30]}"


@cache
def marked() -> frozenset[tuple[str, str]]:
    """Return every rule with every place that implements it."""
    coverage()  # imports every module that has marks
    return frozenset((mark.rule, mark.where) for mark in marks())


def function_of(mutation: Mutation) -> str:
    """Return the dotted place of the function in which the text stands."""
    line = mutation.text[: mutation.text.index(mutation.find)].count("\n") + 1
    found = [mutation.module]
    inside: list[ast.stmt] = ast.parse(mutation.text).body
    while True:
        around = next((node for node in inside if _is_around(node, line)), None)
        if not isinstance(around, ast.FunctionDef | ast.ClassDef):
            return ".".join(found)
        found.append(around.name)
        inside = around.body if isinstance(around, ast.ClassDef) else []


def _is_around(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def sample() -> list[Mutation]:
    """Return the entries to try: twenty of them, or all where the environment asks for it."""
    if os.environ.get("FLAGBRIDGE_MUTATIONS") == "all":
        return MUTATIONS
    return sorted(MUTATIONS, key=lambda one: hashlib.sha256((one.find + one.text).encode()).hexdigest())[:SAMPLE]


class Tree:
    """A copy of what the tests of the rules need."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def planted(cls, root: Path) -> Tree:
        """Return a copy of the working tree's Python files, fixtures and settings of the tests."""
        for package in PACKAGES:
            shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
        shutil.copy2(ROOT / "pyproject.toml", root)
        return cls(root)

    def run(self, *tests: str, may_write: bool = False) -> subprocess.CompletedProcess[str]:
        """Run tests in the copy, with no plugin but Django's."""
        quiet = {} if may_write else {"PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-p",
                "pytest_django.plugin",
                "-p",
                "no:cacheprovider",
                "-x",
                "-q",
                *tests,
            ],
            cwd=self.root,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "", **quiet},
            capture_output=True,
            text=True,
            check=False,
        )

    def run_broken(self, mutation: Mutation) -> subprocess.CompletedProcess[str]:
        """Run an entry's test with its rule broken, and mend the file again."""
        path = self.root / mutation.file
        path.write_text(mutation.broken)
        # The compiled file of the whole rule could pass for that of the broken one.
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
        try:
            return self.run(mutation.test)
        finally:
            shutil.copy2(ROOT / mutation.file, path)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """Return a copy in which every test named has passed once."""
    return Tree.planted(tmp_path_factory.mktemp("mutations") / "first")


def test_there_are_more_entries_than_the_sample_takes() -> None:
    """And each stands once."""
    assert len(MUTATIONS) >= SAMPLE + 4
    assert len(set(MUTATIONS)) == len(MUTATIONS)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=name)
def test_an_entry_fits_the_code_its_rule_and_its_test(mutation: Mutation) -> None:
    """The text stands once, in a function marked with the rule, and the test is one of those that hold it."""
    assert mutation.text.count(mutation.find) == 1
    compile(mutation.broken, mutation.file, "exec")
    assert (mutation.rule, function_of(mutation)) in marked(), function_of(mutation)
    held_by = {test for (_, rule), tests in rules_held_by_tests().items() if rule == mutation.rule for test in tests}
    assert mutation.test in held_by


def test_every_test_named_passes_and_sees_its_rule_broken(tree: Tree, tmp_path: Path) -> None:
    """First all of them on the rules as they are, then one by one on each rule broken."""
    whole = tree.run(*sorted({mutation.test for mutation in MUTATIONS}), may_write=True)
    assert whole.returncode == 0, whole.stdout[-3000:]
    shutil.copytree(tree.root, tmp_path / "second")  # with the compiled files of that run
    free: SimpleQueue[Tree] = SimpleQueue()
    for one in (tree, Tree(tmp_path / "second")):
        free.put(one)

    def broken(mutation: Mutation) -> tuple[Mutation, subprocess.CompletedProcess[str]]:
        here = free.get()
        try:
            return mutation, here.run_broken(mutation)
        finally:
            free.put(here)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        unseen = [report(*done) for done in pool.map(broken, sample()) if done[1].returncode != FAILED]
    assert not unseen, "\n".join(unseen)


def report(mutation: Mutation, done: subprocess.CompletedProcess[str]) -> str:
    """Return what an entry is told that nobody saw, or that did not even run."""
    return f"{mutation.rule} in {mutation.file} ({mutation.find}): status {done.returncode}\n{done.stdout[-800:]}"


def test_a_rule_that_is_not_broken_would_be_told(tree: Tree) -> None:
    """The planted fault: a change that changes nothing leaves its test green."""
    idle = Mutation(MUTATIONS[0].rule, MUTATIONS[0].file, MUTATIONS[0].find, MUTATIONS[0].find, MUTATIONS[0].test)
    done = tree.run_broken(idle)
    assert done.returncode == 0
    assert "status 0" in report(idle, done)
