"""Wedges go up and down at the end of movement (B5.145)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from campaign.engine.dice import TurnDice
from campaign.engine.ruleset import Event
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.force_rows import with_values
from operational.rules.saganami.orders import Orders
from operational.rules.saganami.state import GONE, WEDGE_DOWN, WEDGE_UP, State

TURN_TEXT = {WEDGE_UP: "raises its wedge; sidewalls follow a tactical turn later", WEDGE_DOWN: "takes its wedge down"}


@rule("B5.145")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Raise and lower wedges as ordered: a raised one is up from now on, its sidewalls a tactical turn later."""
    forces = state.forces
    wedges: dict[int, int] = {}
    raised: dict[str, int] = {}
    events: list[Event] = []
    for sheet in orders.values():
        for force, order in sheet.forces.items():
            row = forces.index.get(force)
            if row is None or order.wedge is None or int(forces.place[row]) == GONE:
                continue
            wanted = WEDGE_UP if order.wedge == "up" else WEDGE_DOWN
            if int(forces.wedge[row]) == wanted:
                continue
            wedges[row] = wanted
            if wanted == WEDGE_UP:
                raised[force] = state.turn + 1
            events.append(
                Event(
                    "wedge-raised" if wanted == WEDGE_UP else "wedge-lowered",
                    f"{forces.name[row]} {TURN_TEXT[wanted]}.",
                    (forces.side[row],),
                    ("B5.145",),
                    {"force": force},
                )
            )
    if not wedges and not forces.raised:
        return state, ()
    return replace(state, forces=replace(with_values(forces, {"wedge": wedges}), raised=raised)), tuple(events)
