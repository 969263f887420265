"""`manage.py patrol`: a whole scenario from a seed, its papers, and the figures of many."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError


def run(*arguments: str) -> str:
    """Return what the command prints."""
    out = io.StringIO()
    call_command("patrol", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_the_same_seed_prints_the_same_briefings_and_each_side_its_own() -> None:
    """Both briefings and the umpire's sheet, or one of them."""
    whole = run("--seed", "ember", "--attacker-name", "Raid Group Cinder")
    assert whole == run("--seed", "ember", "--attacker-name", "Raid Group Cinder")
    assert "RAID GROUP CINDER" in whole and "UMPIRE" in whole and "DEFENDER FORCE" in whole
    assert whole != run("--seed", "ash", "--attacker-name", "Raid Group Cinder")
    attacker = run("--seed", "ember", "--show", "attacker")
    assert "Secret orders" in attacker and "UMPIRE" not in attacker and "DEFENDER FORCE," not in attacker


def test_a_scenario_comes_as_json_with_its_seeds() -> None:
    """Both sides, the record, the commitments."""
    document: dict[str, Any] = json.loads(run("--seed", "ember", "--json", "--year", "1911", "--base", "900"))
    assert (document["year"], document["base"], document["stage"]) == (1911, 900, "battle")
    assert set(document["seeds"]) == set(document["commitments"]) == {"attacker", "defender", "umpire"}
    assert document["log"]


def test_bad_options_are_refused_with_every_problem() -> None:
    """A budget of a million in a year without ships, a deck with a duplicate."""
    with pytest.raises(CommandError) as error:
        run("--base", "1000000", "--year", "1", "--deck", "AS,AS")
    for code in ("budget-too-large", "no-ships", "card-twice"):
        assert code in str(error.value)
    for arguments in (("--base", "0"), ("--base", "-5"), ("--measure", "0")):
        with pytest.raises(CommandError):
            run(*arguments)


def test_the_three_pdfs_are_written(tmp_path: Path) -> None:
    """One a side and the umpire's."""
    run("--base", "300", "--pdf", str(tmp_path), "--paper", "letter")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["attacker.pdf", "defender.pdf", "umpire.pdf"]
    assert all(path.read_bytes().startswith(b"%PDF") for path in tmp_path.iterdir())


def test_many_scenarios_are_measured_and_a_sample_is_fought() -> None:
    """None over budget, none without a fight, how long they took, and who wins."""
    figures = json.loads(run("--measure", "2", "--base", "220", "--json", "--battles", "1", "--sample", "1"))
    assert (figures["scenarios"], figures["over_budget"], figures["without_fight"]) == (2, 0, 0)
    assert figures["milliseconds_a_scenario_median"] >= 0
    (fought,) = figures["battles"].values()
    assert set(fought) == {"attacker", "defender", "draws", "multipliers"}
