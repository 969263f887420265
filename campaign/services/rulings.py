"""Our readings of what the sources print unclearly: the data of fixtures/rulings, and docs/rulings.md made from it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from operational.rules.registry import DESKS as OPERATIONAL_DESKS
from tactical.rules.registry import DESKS as TACTICAL_DESKS

HEAD = """# Rulings

How we read what the sources print unclearly, wrongly or not at all, by rule. A switch is a choice that a campaign
makes for itself when it is opened; what stands here is its default. Made by `manage.py rules --rulings` from
`fixtures/rulings/`; the rules desk shows a ruling beside every answer that rests on it.
"""
COLUMNS = ("rule", "how we read it", "why, or what is printed", "switch", "where")


@dataclass(frozen=True, slots=True)
class Ruling:
    """One reading.

    ``source`` and ``rules`` as in the rule index; ``switch`` the key of a campaign's switch, or ""; ``where``
    the dotted place of the code, "" where there is none. ``procedures`` are the questions of the rules desk
    that it is shown beside, None for all that use one of its rules.
    """

    source: str
    rules: tuple[str, ...]
    reading: str
    why: str
    switch: str
    where: str
    procedures: tuple[str, ...] | None

    def as_document(self) -> dict[str, Any]:
        """Return the ruling as an answer carries it."""
        return {"rules": list(self.rules), "reading": self.reading, "why": self.why, "switch": self.switch or None}


@cache
def rulings(source: str) -> tuple[Ruling, ...]:
    """Return a source's rulings in the order of its rules; none for a source without a file."""
    path = _fixtures() / "rulings" / f"{source}.toml"
    if not path.is_file():
        return ()
    index = (_fixtures() / "rule_index" / f"{source}.txt").read_text().split()
    order = {rule: place for place, rule in enumerate(index)}
    found = [
        Ruling(
            source=source,
            rules=tuple(row["rules"]),
            reading=row["reading"],
            why=row["why"],
            switch=row.get("switch", ""),
            where=row["where"],
            procedures=tuple(row["procedures"]) if "procedures" in row else None,
        )
        for row in tomllib.loads(path.read_text())["ruling"]
    ]
    # Rules that the index does not list come last; of one rule's rulings the order is the file's.
    return tuple(sorted(found, key=lambda one: order.get(one.rules[0], len(order))))


def rulings_of_rule(rule: str) -> tuple[Ruling, ...]:
    """Return the rulings on a rule in every source."""
    return tuple(one for source in ruled_sources() for one in rulings(source) if rule in one.rules)


def rulings_for_answer(*, source: str, procedure: str, rules: Iterable[str]) -> list[dict[str, Any]]:
    """Return the rulings that an answer of the rules desk rests on, by the rules it used."""
    used = frozenset(rules)
    return [
        one.as_document()
        for one in rulings(source)
        if used.intersection(one.rules) and (one.procedures is None or procedure in one.procedures)
    ]


def ruled_sources() -> tuple[str, ...]:
    """Return the sources that have rulings, in the order in which the desks are listed, then by name."""
    found = sorted(path.stem for path in (_fixtures() / "rulings").glob("*.toml"))
    listed = [desk.source for desk in (*OPERATIONAL_DESKS, *TACTICAL_DESKS)]
    return tuple(sorted(found, key=lambda source: listed.index(source) if source in listed else len(listed)))


def rulings_text() -> str:
    """Return docs/rulings.md: a table for each source."""
    return HEAD + "".join(f"\n## {_title(source)}\n\n{_table(rulings(source))}" for source in ruled_sources())


def _table(listed: Sequence[Ruling]) -> str:
    lines = [_row(COLUMNS), _row(["---"] * len(COLUMNS))]
    for one in listed:
        switch = f"`{one.switch}`" if one.switch else ""
        where = f"`{one.where}`" if one.where else ""
        lines.append(_row([", ".join(one.rules), one.reading, one.why, switch, where]))
    return "".join(lines)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _title(source: str) -> str:
    title: str = tomllib.loads((_fixtures() / "rulings" / f"{source}.toml").read_text())["title"]
    return title


def _fixtures() -> Path:
    return Path(settings.ROOT) / "fixtures"
