"""One phase at a time: a small world, one side's orders, and the dice a person typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from campaign.engine.dice import TurnDice, canonical, turn_keys
from campaign.engine.ruleset import Event
from operational.rules.saganami.orders import ForceOrder, Orders
from operational.rules.saganami.state import State
from tests.operational.saganami.meeting_worlds import SEEDS

PREFIX = ("campaign", "branch")
Address = tuple[str, str, str]
"""Phase, subject and purpose of a roll."""


def orders(side: str = "red", **fields: Any) -> dict[str, Orders]:
    """Return one side's orders; forces by id are given as ``ForceOrder``."""
    return {side: Orders(side=side, **fields)}


def does(force: str, side: str = "red", **fields: Any) -> dict[str, Orders]:
    """Return the orders of a side that tells one force what to do."""
    return orders(side, forces={force: ForceOrder(**fields)})


def rolls(state: State, typed: Mapping[Address, Sequence[int]] | None = None) -> TurnDice:
    """Return the dice of the turn after a state; ``typed`` are faces by their first roll's address."""
    prefix = (*PREFIX, state.turn + 1)
    faces = {canonical((*prefix, *address, 0)): list(each) for address, each in (typed or {}).items()}
    return TurnDice(turn_keys(SEEDS, {}), prefix, faces)


def play(
    phase: Callable[..., tuple[State, tuple[Event, ...]]],
    state: State,
    given: Mapping[str, Orders] | None = None,
    typed: Mapping[Address, Sequence[int]] | None = None,
) -> tuple[State, tuple[Event, ...]]:
    """Play one phase; every typed face must be taken."""
    dice = rolls(state, typed)
    after, events = phase(state, given or {}, dice)
    assert dice.check_typed() == ()
    return after, events


def kinds(events: Sequence[Event]) -> list[str]:
    """Return what happened, by kind."""
    return [event.kind for event in events]
