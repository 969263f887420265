"""The rules desk on the command line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.engine.errors import ProblemsError
from campaign.engine.procedure import Procedure, error_document
from campaign.services.rules_desk import batch_answers, coverage, desk_answer, desks, read_document
from campaign.services.rulings import rulings_text


class Command(BaseCommand):
    """Ask a single rule, a batch of rows, or how much of each source is covered."""

    help = "Ask the rules: one procedure, a batch of rows, the list, or the coverage of each source."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument("ruleset", nargs="?", help='level and key, as in "operational/saganami"')
        parser.add_argument("procedure", nargs="?", help='name of the procedure, as in "vectors.consolidate"')
        parser.add_argument("--json", nargs="?", const="", dest="document", metavar="INPUT", help="the input as JSON")
        parser.add_argument("--batch", metavar="FILE", help="rows as JSON lines (- for standard input)")
        parser.add_argument("--list", action="store_true", help="every procedure with its rules, input and output")
        parser.add_argument("--coverage", action="store_true", help="every rule of every source with its status")
        parser.add_argument("--rulings", action="store_true", help="docs/rulings.md: how unclear rules are read")

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer; a reader that has seen enough (| head) ends it in silence."""
        try:
            self._answer(options)
            sys.stdout.flush()
        except BrokenPipeError:
            # What is still in the buffer must go somewhere when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _answer(self, options: dict[str, Any]) -> None:
        if options["list"]:
            self._list()
        elif options["coverage"]:
            self._coverage(as_json=options["document"] is not None)
        elif options["rulings"]:
            self.stdout.write(rulings_text(), ending="")
        elif options["batch"]:
            self._batch(options["batch"])
        elif options["ruleset"] and options["procedure"]:
            self._single(options["ruleset"], options["procedure"], options["document"] or "{}")
        else:
            raise CommandError("Name a ruleset and a procedure, or give --list, --batch or --coverage.")

    def _single(self, ruleset: str, procedure: str, text: str) -> None:
        try:
            reply = desk_answer(ruleset=ruleset, procedure=procedure, document=read_document(text))
        except ProblemsError as error:
            reply = {"error": error_document(error.problems)}
        self._write({"id": None, **reply})
        if "error" in reply:
            sys.exit(1)

    def _batch(self, name: str) -> None:
        if name == "-":
            self._answer_lines(sys.stdin.buffer)
            return
        try:
            with Path(name).open("rb") as lines:
                self._answer_lines(lines)
        except OSError as error:
            raise CommandError(f"Cannot read {name}: {error.strerror}") from error

    def _answer_lines(self, lines: Iterable[bytes]) -> None:
        for reply in batch_answers(lines):
            self._write(reply)

    def _write(self, document: dict[str, Any]) -> None:
        """Write an answer as one line of plain ASCII, whatever its texts hold."""
        self.stdout.write(json.dumps(document))

    def _list(self) -> None:
        for name, desk in sorted(desks().items()):
            self.stdout.write(f"{name}: {desk.title}")
            for one in sorted(desk.procedures, key=lambda item: item.name):
                self.stdout.write(f"  {one.name} ({', '.join(one.rules)}): {one.summary}")
                for field, says in _inputs(one):
                    self.stdout.write(f"    in {field}: {says}")
                for field, says in one.result.items():
                    self.stdout.write(f"    out {field}: {says}")

    def _coverage(self, *, as_json: bool) -> None:
        rows = coverage()
        if as_json:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1))
            return
        for row in rows:
            detail = row["where"] or row["why"]
            self.stdout.write(f"{row['source']} {row['rule']}: {row['status']} {detail}".rstrip())
        for source in sorted({row["source"] for row in rows}):
            of_source = [row["status"] for row in rows if row["source"] == source]
            counts = ", ".join(
                f"{of_source.count(status)} {status}" for status in ("implemented", "ruled-out", "missing")
            )
            self.stdout.write(f"{source}: {counts} of {len(of_source)}")


def _inputs(procedure: Procedure) -> Iterator[tuple[str, str]]:
    """Yield each field of a procedure's input and what it says; the dice last."""
    schema = procedure.input.model_json_schema()
    shared = schema.get("$defs", {})
    for name, field in schema.get("properties", {}).items():
        says = field.get("description") or _kind(field, shared)
        yield name, says if name in schema.get("required", ()) else f"{says} (may be left out)"
    if procedure.dice:
        faces = f"faces of d{procedure.sides}, in the order of the rule"
        yield procedure.dice, f'{faces}; or "seed", a text that rolls them'


def _kind(field: dict[str, Any], shared: dict[str, Any]) -> str:
    """Return what a field without a description takes, from its JSON Schema."""
    field = shared.get(str(field.get("$ref", "")).rpartition("/")[2], field)
    if "enum" in field:
        return f"one of {', '.join(map(str, field['enum']))}"
    if "anyOf" in field:
        return " or ".join(_kind(each, shared) for each in field["anyOf"])
    if field.get("type") == "array":
        return f"a list, each {_kind(field.get('items', {}), shared)}"
    if field.get("type") == "object" and "properties" in field:
        return f"an object with {', '.join(field['properties'])}"
    kinds = {"boolean": "true or false", "integer": "a whole number", "number": "a number", "string": "a text"}
    return kinds.get(field.get("type", ""), "an object" if field.get("type") == "object" else "null")
