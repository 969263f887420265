"""Every worked example of the rules desk, one line a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from campaign.services.rules_desk import desk_answer

ROWS = [
    json.loads(line) for path in sorted(Path(__file__).parent.glob("*.jsonl")) for line in path.read_text().splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_the_worked_example_comes_out_as_printed(row: dict[str, Any]) -> None:
    """Each row names its rule; extra keys in a result are allowed."""
    reply = desk_answer(ruleset=row["ruleset"], procedure=row["procedure"], document=row["input"])
    assert "result" in reply, reply
    shown = {key: reply["result"].get(key, "absent") for key in row["result"]}
    assert shown == row["result"]
