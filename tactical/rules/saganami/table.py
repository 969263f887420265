"""The table at which a step is played: the state being changed, the sheets, the dice, and what happened so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from campaign.engine.dice import Roller, TurnDice
from campaign.engine.ruleset import Event, Outcome, Phase
from tactical.rules.saganami.plots import Plot, Plots
from tactical.rules.saganami.state import Ship, State

Play = Callable[["Table"], None]
Kind = TypeVar("Kind", bound=Plot)


class Table:
    """One step in play. ``turn`` is the number of the tactical turn being played."""

    __slots__ = ("all_sides", "dice", "events", "phase", "sheets", "state", "turn")

    def __init__(self, state: State, sheets: Mapping[str, Plots], dice: TurnDice) -> None:
        self.state = state
        self.sheets = sheets
        self.dice = dice
        self.events: list[Event] = []
        self.phase = ""
        self.turn = state.turn + 1
        self.all_sides = tuple(state.sides)

    def plot(self, ship: Ship, kind: type[Kind]) -> Kind | None:
        """Return what a side plotted for a unit, None for nothing."""
        found = self.sheets.get(ship.side, {}).get(ship.id)
        return found if isinstance(found, kind) else None

    def roll(self, subject: str, purpose: str) -> Roller:
        """Open a roll: everything in a battle hangs on what the other side keeps hidden."""
        return self.dice.umpire(self.phase, subject, purpose)

    def tell(
        self,
        kind: str,
        text: str,
        rules: tuple[str, ...],
        data: Mapping[str, Any],
        *,
        audience: tuple[str, ...] | None = None,
    ) -> None:
        """Note what happened; all sides read it unless an audience is named."""
        seen_by = self.all_sides if audience is None else audience
        self.events.append(Event(kind, text, seen_by, rules, data, self.phase))


def phase(name: str, title: str, rules: tuple[str, ...], play: Play) -> Phase:
    """Return a phase of the sequence of play: ``run`` plays it on a copy and leaves the given state as it was."""

    def run(state: State, orders: Mapping[str, Plots], dice: TurnDice) -> Outcome:
        table = Table(state.copy(), orders, dice)
        table.phase = name
        play(table)
        return table.state, tuple(table.events)

    return Phase(name, title, rules, run)
