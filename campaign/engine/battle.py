"""A battle that was played: its steps and its end, for any tactical ruleset.

Chance comes from one seed, a text: each step has its own dice, addressed by battle, turn and step. The
same first state, sheets and seed give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from campaign.engine.dice import TurnDice, canonical

if TYPE_CHECKING:
    from campaign.engine.ruleset import Event, TacticalRuleset

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Played:
    """One plot step that was played: turn, step, each side's sheet, what happened, the rolls, problems by side."""

    turn: int
    stage: str
    sheets: Mapping[str, Any]
    events: tuple[Event, ...]
    rolls: tuple[dict[str, Any], ...]
    problems: Mapping[str, list[dict[str, str]]] = field(default_factory=dict)

    def as_document(self) -> dict[str, Any]:
        """Return the step as it is stored."""
        return {
            "turn": self.turn,
            "stage": self.stage,
            "sheets": dict(self.sheets),
            "events": [event.as_document() for event in self.events],
            "rolls": list(self.rolls),
            "problems": {side: list(found) for side, found in self.problems.items()},
        }


@dataclass(frozen=True, slots=True)
class Fought:
    """A battle that is over: the last state, the turns it took, why it ended, and every step."""

    state: Any
    turns: int
    why: str
    steps: tuple[Played, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order."""
        return tuple(event for each in self.steps for event in each.events)


def battle_keys(seed: str) -> dict[str, bytes]:
    """Return the keys of a battle's dice from its seed, a text."""
    return {TurnDice.UMPIRE: hashlib.sha256(canonical(["tactical", seed]).encode()).digest()}


def battle_log(ruleset: TacticalRuleset, steps: tuple[Played, ...]) -> tuple[str, ...]:
    """Return the whole log of a battle, each step under its turn and title, refused plots with their places."""
    titles = {step.name: step.title for step in ruleset.steps}
    lines: list[str] = []
    for played in steps:
        heading = f"Turn {played.turn}: {titles.get(played.stage, played.stage)}"
        lines += ["", heading, "=" * len(heading)]
        for side, problems in played.problems.items():
            lines += [f"  {side}: {each['place']}: {each['message']} [{each['rule']}]" for each in problems]
        lines += ruleset.log_lines(played.events)
    return tuple(lines[1:])
