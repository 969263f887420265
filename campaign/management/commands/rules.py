"""The rules desk on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.services.rules_desk import batch_answers, coverage, desk_answer, desks
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
        """Answer."""
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
            document = json.loads(text)
        except ValueError as error:
            raise CommandError(f"--json is no JSON: {error}") from error
        reply = {"id": None, **desk_answer(ruleset=ruleset, procedure=procedure, document=document)}
        self.stdout.write(json.dumps(reply, ensure_ascii=False))
        if "error" in reply:
            sys.exit(1)

    def _batch(self, name: str) -> None:
        try:
            lines = sys.stdin.read() if name == "-" else Path(name).read_text()
        except OSError as error:
            raise CommandError(f"Cannot read {name}: {error.strerror}") from error
        for reply in batch_answers(iter(lines.splitlines())):
            self.stdout.write(json.dumps(reply, ensure_ascii=False))

    def _list(self) -> None:
        for name, desk in sorted(desks().items()):
            self.stdout.write(f"{name}: {desk.title}")
            for one in sorted(desk.procedures, key=lambda item: item.name):
                self.stdout.write(f"  {one.name} ({', '.join(one.rules)}): {one.summary}")
                named = [field.alias or name for name, field in one.input.model_fields.items()]
                fields = [*named, *([one.dice] if one.dice else [])]
                self.stdout.write(f"    in: {', '.join(fields) or 'nothing'}")
                for field, meaning in one.result.items():
                    self.stdout.write(f"    out {field}: {meaning}")

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
