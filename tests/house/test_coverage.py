"""The coverage of the sources is true: nothing is missing where it must not be, and what is ruled out says why.

What the operational campaign stands on (vectors, displacement, consolidation, the operational map, victory)
is implemented or ruled out rule by rule; an implemented rule names a test, and tests/house/test_mutations.py
breaks a sample of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from campaign.services.rules_desk import coverage, ruled_out_reasons, rules_held_by_tests

ROOT = Path(__file__).resolve().parents[2]
Row = Mapping[str, str]

WHOLE_SECTIONS = ("B3.1", "B3.2", "B3.3", "B5", "D2.2")
# Rules that the sources have and their lists of headings do not.
ADDITIONS: Mapping[str, tuple[str, ...]] = {"saganami": ("Z1.0",)}
SHORTEST_REASON = 25
RULE_NUMBER = re.compile(r"\b[A-DZ]\d(?:\.\d+)\b")


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    """Return every rule of every source."""
    return coverage()


def known_rules(source: str) -> set[str]:
    """Return the rules of a source: its list and the additions."""
    listed = (ROOT / "fixtures" / "rule_index" / f"{source}.txt").read_text().split()
    return {*listed, *ADDITIONS.get(source, ())}


def is_below(rule: str, section: str) -> bool:
    """Return whether a rule is a section's, or the section itself: B5.12 is of B5, B5.123 of B5.12."""
    return rule.startswith(section) and (rule == section or "." in section or rule[len(section)] == ".")


def missing_in(rows: Iterable[Row], sections: Sequence[str]) -> list[str]:
    """Return the rules of the sections that have neither code nor a reason."""
    return [
        row["rule"]
        for row in rows
        if row["source"] == "saganami"
        and row["status"] == "missing"
        and any(is_below(row["rule"], section) for section in sections)
    ]


def untested(rows: Iterable[Row]) -> list[tuple[str, str]]:
    """Return the implemented rules that name no test."""
    return [(row["source"], row["rule"]) for row in rows if row["status"] == "implemented" and not row["test"]]


def shared_reasons(rows: Iterable[Row]) -> list[tuple[str, ...]]:
    """Return the groups of rules that were ruled out with one and the same sentence.

    A rule and its own parts may share one (what is printed on a box, side by side).
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["status"] == "ruled-out":
            groups[row["why"].strip().lower()].append(row["rule"])
    return [tuple(group) for group in groups.values() if not all(is_below(rule, group[0]) for rule in group)]


def test_nothing_is_missing_where_the_campaign_stands_on_it(rows: list[dict[str, str]]) -> None:
    """B3.1 to B3.3, B5 and D2.2, every rule of them."""
    asked = [row for row in rows if row["source"] == "saganami"]
    for section in WHOLE_SECTIONS:
        assert any(is_below(row["rule"], section) for row in asked), section
    assert missing_in(rows, WHOLE_SECTIONS) == []


def test_every_implemented_rule_names_a_test(rows: list[dict[str, str]]) -> None:
    """Of every source."""
    assert untested(rows) == []


def test_a_rule_is_ruled_out_with_a_reason_of_its_own(rows: list[dict[str, str]]) -> None:
    """No empty words, and no sentence that does for rules which have nothing to do with each other."""
    ruled_out = [row for row in rows if row["status"] == "ruled-out"]
    assert ruled_out
    for row in ruled_out:
        assert len(row["why"]) >= SHORTEST_REASON and row["why"].endswith("."), row
    assert shared_reasons(rows) == []


def test_a_reason_names_rules_that_exist(rows: list[dict[str, str]]) -> None:
    """A heading points to its rules, an exception to what replaces it."""
    for row in rows:
        for named in RULE_NUMBER.findall(row["why"]):
            assert named in known_rules(row["source"]), (row["rule"], named)
            assert named != row["rule"], row


def test_no_rule_is_both_implemented_and_ruled_out(rows: list[dict[str, str]]) -> None:
    """Whoever writes the code takes the reason away."""
    implemented = {(row["source"], row["rule"]) for row in rows if row["status"] == "implemented"}
    assert sorted(implemented & set(ruled_out_reasons())) == []


def test_code_reasons_and_tests_name_rules_of_the_sources(rows: list[dict[str, str]]) -> None:
    """A slip of the pen in a mark would hold a rule that there is not."""
    for row in rows:
        assert row["rule"] in known_rules(row["source"]), row
    for source, rule in ruled_out_reasons():
        assert rule in known_rules(source), (source, rule)
    sources = sorted({row["source"] for row in rows})
    for (source, rule), held_by in rules_held_by_tests().items():
        if not all("[" in test for test in held_by):  # rows of the vectors go by the headings of their source
            assert any(rule in known_rules(each) for each in ([source] if source else sources)), (source, rule)


def test_a_gap_would_be_seen() -> None:
    """The planted faults: a rule without code, one without a test, one sentence for two strangers."""

    def row(rule: str, status: str, **more: Any) -> dict[str, str]:
        return {"source": "saganami", "rule": rule, "status": status, "where": "", "test": "", "why": "", **more}

    planted = [
        row("B5.12", "missing"),
        row("B3.271", "missing"),
        row("C5.1", "missing"),
        row("B5.16", "implemented", where="somewhere"),
        row("B5.151", "ruled-out", why="Nothing to play here at all."),
        row("C7.2", "ruled-out", why="Nothing to play here at all."),
    ]
    assert missing_in(planted, WHOLE_SECTIONS) == ["B5.12", "B3.271"]
    assert untested(planted) == [("saganami", "B5.16")]
    assert shared_reasons(planted) == [("B5.151", "C7.2")]
