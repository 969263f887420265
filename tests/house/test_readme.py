"""What the README shows is what the command answers."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

from django.core.management import call_command

README = (Path(__file__).resolve().parent.parent.parent / "README.md").read_text()


def test_the_first_example_of_the_readme_runs() -> None:
    """The rule that is asked in the README answers what stands below it."""
    found = re.search(r"manage\.py rules (\S+) (\S+) --json '(.*)'\n\s*(\{.*\})", README)
    assert found is not None
    output = StringIO()
    call_command("rules", found[1], found[2], "--json", found[3], stdout=output)
    assert json.loads(output.getvalue()) == json.loads(found[4])


def test_every_command_that_the_readme_names_exists() -> None:
    """`manage.py X` in the README is a command of ours."""
    from django.core.management import get_commands

    named = set(re.findall(r"manage\.py ([a-z_]+)", README))
    assert named <= set(get_commands())
