"""Rulings: the data names rules, code, switches and procedures that exist, and docs/rulings.md is made from it."""

from __future__ import annotations

import json
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from campaign.services.rules_desk import coverage, desk_answer, desks
from campaign.services.rulings import Ruling, ruled_sources, rulings
from operational.rules.registry import RULESETS

ROOT = Path(__file__).resolve().parents[2]
ALL = [ruling for source in ruled_sources() for ruling in rulings(source)]
SOURCE_OF_RULESET = {key: desk.source for key, desk in desks().items()}


def name(ruling: Ruling) -> str:
    """Return how a failing ruling is shown."""
    return f"{ruling.rules[0]}: {ruling.reading[:40]}"


def found_at(where: str) -> Any:
    """Return what stands at a dotted place, or fail."""
    parts = where.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return found
    raise AssertionError(where)


def test_the_document_is_what_the_command_makes() -> None:
    """After a change of fixtures/rulings: manage.py rules --rulings > docs/rulings.md."""
    output = StringIO()
    call_command("rules", "--rulings", stdout=output)
    assert output.getvalue() == (ROOT / "docs" / "rulings.md").read_text()


@pytest.mark.parametrize("ruling", ALL, ids=name)
def test_a_ruling_names_what_exists(ruling: Ruling) -> None:
    """Its rules are in the source, its code can be found, its procedures are on a desk of that source."""
    known = {row["rule"]: row["status"] for row in coverage() if row["source"] == ruling.source}
    assert set(ruling.rules) <= set(known)
    assert ruling.reading.endswith(".") and ruling.why.endswith(".")
    if ruling.where or any(known[rule] == "implemented" for rule in ruling.rules):
        assert found_at(ruling.where) is not None
    asked = {one.name for desk in desks().values() if desk.source == ruling.source for one in desk.procedures}
    assert set(ruling.procedures or ()) <= asked


def test_every_switch_of_a_campaign_is_a_ruling_and_no_other() -> None:
    """Whoever opens a campaign finds each choice explained, with the rule it is about."""
    for ruleset in RULESETS:
        source = SOURCE_OF_RULESET[f"operational/{ruleset.key}"]
        switches = {switch.key: switch for switch in ruleset.switches}
        named = [ruling for ruling in rulings(source) if ruling.switch]
        assert sorted(ruling.switch for ruling in named) == sorted(switches)
        for ruling in named:
            assert set(ruling.rules) & set(switches[ruling.switch].rules), ruling.switch


def test_an_answer_comes_with_the_readings_it_rests_on() -> None:
    """By the rules it used; an error has none."""
    check = {"crew": "average", "ewo": "elite", "ecm_disadvantage": 0, "op_range": 75, "drones": 0, "die": 4}
    answered = desk_answer(ruleset="operational/saganami", procedure="detection.check", document=check)
    of_the_range = next(row for row in answered["rulings"] if "full ten hexes over 40" in row["reading"])
    assert of_the_range["rules"] == ["B5.141"]
    assert of_the_range["switch"] is None
    assert [row["switch"] for row in answered["rulings"] if row["switch"]] == ["wedge-presence"]
    refused = desk_answer(ruleset="operational/saganami", procedure="detection.check", document={**check, "die": 11})
    assert set(refused) == {"error"}


def test_a_ruling_is_shown_beside_its_own_procedures_only() -> None:
    """B5.12 has many readings; a shift of the frame has nothing to do with the range at the start."""

    def readings(procedure: str, document: dict[str, Any]) -> str:
        answered = desk_answer(ruleset="operational/saganami", procedure=procedure, document=document)
        return json.dumps(answered["rulings"])

    assert "Range 50" not in readings("frame.shift", {"vectors": {"A": 12}, "frame": {"A": 7}})
    assert "first turn at whose end" in readings("hyper.turns-to-limit", {"hexes": 23, "velocity": {"A": 4, "B": 2}})


@pytest.mark.django_db
def test_the_site_shows_rulings_on_the_rules_page_and_beside_an_answer() -> None:
    """One click from a rule's number to how it is read."""
    page = Client().get("/rules/rule/B5.143/").content.decode()
    assert "at least the lower bound" in page
    question = {"ask": "1", "/in/scale": "10", "/in/divisor": "10"}
    answered = Client().get("/rules/operational/saganami/detection.report/", question)
    assert answered.status_code == 200
    assert "at least the lower bound" in answered.content.decode()
    example = Client().get("/rules/operational/saganami/detection.report/").content.decode()
    assert "at least the lower bound" not in example, "no reading without an answer"
