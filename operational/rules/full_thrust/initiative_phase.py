"""The initiative phase: both sides roll a d6; and in the first turn, how many dummies each may have in play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from campaign.engine.dice import TurnDice
from campaign.engine.ruleset import Event
from operational.rules.full_thrust.dummies import roll_dummies
from operational.rules.full_thrust.movement import Initiative, roll_initiative
from operational.rules.full_thrust.orders import Orders
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import State

PHASE = "initiative"


@rule("initiative", "dummy-taskforces")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Roll for the initiative of the turn, which its two alternating phases go by; it is public."""
    events: list[Event] = []
    for side, book in tuple(state.books.items()):
        if book.dummies is None:
            number = roll_dummies(dice.open(side, PHASE, side, "dummies"))
            state = state.with_book(replace(book, dummies=number))
            text = f"We may have {number} {'dummy' if number == 1 else 'dummies'} in play."
            events.append(Event("dummies-rolled", text, (side,), ("dummy-taskforces",), {"dummies": number}))
    rolled = roll_initiative({side: dice.umpire(PHASE, side, "initiative") for side in state.books})
    names = {side: book.name for side, book in state.books.items()}
    faces = "; ".join(", ".join(f"{names[side]} {face}" for side, face in each.items()) for each in rolled.rounds)
    events.append(
        Event(
            "initiative-rolled",
            f"{names[rolled.winner]} has the initiative ({faces}): {names[rolled.loser]} detects and moves first.",
            tuple(state.books),
            ("initiative",),
            {"winner": rolled.winner, "rounds": [dict(each) for each in rolled.rounds]},
        )
    )
    return replace(state, initiative=rolled.winner), tuple(events)


def initiative_of(state: State) -> Initiative:
    """Return the initiative of the turn being played."""
    return Initiative(state.initiative, state.enemy_of(state.initiative), ())
