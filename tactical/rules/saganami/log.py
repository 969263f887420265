"""The log of a battle that a person can follow: turn by turn, what was plotted, launched, rolled, hit and mended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.engine.ruleset import Event
from tactical.rules.saganami.sequence import PHASES

TITLES: Mapping[str, str] = {each.name: each.title for each in PHASES}


def log_lines(events: Iterable[Event]) -> tuple[str, ...]:
    """Return the lines of a step or a battle: each phase's title once, its events below with rolls and rules."""
    lines: list[str] = []
    phase = ""
    for event in events:
        if event.phase != phase:
            phase = event.phase
            lines.append(f"{TITLES.get(phase, phase)}:")
        rules = f" [{', '.join(event.rules)}]" if event.rules else ""
        lines.append(f"  {event.text}{_rolls(event)}{rules}")
        lines += [f"    {line}" for line in _details(event)]
    return tuple(lines)


def log_for(events: Iterable[Event], side: str) -> tuple[str, ...]:
    """Return the lines that a side may read."""
    return log_lines(event for event in events if side in event.audience)


def _rolls(event: Event) -> str:
    """Return the rolls that an event rests on, in a few words."""
    data = event.data
    if event.kind == "salvo-defended":
        found = []
        if data["ecm_roll"] is not None:
            found.append(f"ECM roll {data['ecm_roll']}, column {data['ecm_column']}")
        if data["countermissile_roll"] is not None:
            found.append(f"CM roll {data['countermissile_roll']}")
        if data["point_defense_roll"] is not None:
            found.append(f"PD roll {data['point_defense_roll']}")
        return f" ({'; '.join(found)})" if found else ""
    if event.kind == "grav-lance-fired":
        return f" (dice {' '.join(str(face) for face in data['dice'])})"
    return ""


def _details(event: Event) -> list[str]:
    """Return what stands below an event: each hit of a damage roll, each attempt of damage control."""
    if event.kind == "damage-done":
        return [_hit(each) for each in event.data["log"]]
    if event.kind == "damage-control-worked":
        target = event.data["target"]
        return [
            f"{each['track']}: {' '.join(str(die) for die in each['dice'])} against {target}, "
            f"{'mended' if each['repaired'] else 'not mended'}"
            + (f", {each['dots']} salvoes back" if "dots" in each else "")
            for each in event.data["log"]
        ]
    return []


def _hit(hit: Mapping[str, Any]) -> str:
    notes = " ".join(hit.get("notes", ()))
    if "craft" in hit:
        text = f"LAC {hit['craft']}: {hit.get('boxes', 0)} boxes after skipping {hit.get('skipped', 0)}"
        return f"{text}{', destroyed' if hit.get('destroyed') else ''}. {notes}".strip()
    rolls = " then ".join(str(roll) for roll in hit["rolls"])
    cells = " / ".join(" ".join(line) for line in hit["cells"] if line) or "nothing"
    return f"{hit['edge']} edge at {rolls}, {hit['depth']} deep: {cells}. {notes}".strip()
