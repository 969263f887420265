"""The end of the operational turn: 19 minutes have passed (B5.11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from campaign.engine.dice import TurnDice
from campaign.engine.ruleset import Event
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.orders import Orders
from operational.rules.saganami.state import State


@rule("B5.11")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Count the turn: until here ``state.turn`` was the turn before the one that was played."""
    return replace(state, turn=state.turn + 1), ()
