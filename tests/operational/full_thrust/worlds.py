"""Small worlds of task forces, and turns played in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.dice import TurnDice, canonical, turn_keys
from campaign.engine.ruleset import Event
from campaign.engine.turn import Answer, resolve
from operational.rules.full_thrust.orders import Orders
from operational.rules.full_thrust.reading import read_orders
from operational.rules.full_thrust.ruleset import RULESET
from operational.rules.full_thrust.setup import new_state
from operational.rules.full_thrust.state import State
from operational.rules.full_thrust.view import view_for

SEEDS = {"red": "aa" * 32, "blue": "bb" * 32, "umpire": "cc" * 32}
CUTTER: dict[str, Any] = {
    "key": "cutter", "name": "Cutter", "mass": 30, "points": 120, "thrust": 6, "hull": 10, "fire_controls": 2,
    "sensors": "superior",
}  # fmt: skip
FRIGATE: dict[str, Any] = {
    "key": "frigate", "name": "Frigate", "mass": 60, "points": 200, "thrust": 4, "hull": 20, "fire_controls": 2,
    "screens": 1, "ecm": "standard", "cloak": True,
}  # fmt: skip
TENDER: dict[str, Any] = {
    "key": "tender", "name": "Tender", "mass": 120, "points": 320, "thrust": 2, "hull": 30, "fire_controls": 1,
    "area_ecm": "enhanced", "ftl": False,
    "craft": [{"key": "dart", "name": "Dart group", "kind": "fighters", "count": 3, "mass": 4, "thrust": 8, "hull": 6}],
}  # fmt: skip
CLASSES = {each["key"]: each for each in (CUTTER, FRIGATE, TENDER)}


def force(
    identity: str, side: str, at: Mapping[str, int], ships: tuple[str, ...] = (), **fields: Any
) -> dict[str, Any]:
    """Return a force of a set-up and the ships it has, by class; without ships it is a dummy."""
    made: dict[str, Any] = {
        "id": identity, "side": side, "name": f"Force {identity}", "system": "sea", "at": dict(at),
        "ships": [f"{identity}-{number}" for number in range(1, len(ships) + 1)], "dummy": not ships, **fields,
    }  # fmt: skip
    rows = [
        {"id": f"{identity}-{number}", "side": side, "name": f"{identity.capitalize()} {number}", "class": each}
        for number, each in enumerate(ships, start=1)
    ]
    return {"force": made, "ships": rows}


def setup_of(*forces: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a set-up document of these forces: sides red and blue on one map."""
    document: dict[str, Any] = {
        "epoch": "2214-03-01T00:00",
        "sides": [{"key": "red", "name": "Red", "dummies": 3}, {"key": "blue", "name": "Blue", "dummies": 3}],
        "systems": [{"key": "sea", "name": "Sea of Rocks", "star": "a giant",
                     "bodies": [{"id": "rock", "name": "Rock", "kind": "moon", "q": 0, "r": 20}]}],
        "classes": CLASSES,
        "forces": [each["force"] for each in forces],
        "ships": [ship for each in forces for ship in each["ships"]],
    }  # fmt: skip
    return {**document, **fields}


def world(*forces: dict[str, Any], **fields: Any) -> State:
    """Return the state of such a set-up."""
    return new_state(setup_of(*forces, **fields))


def dice_for(turn: int, typed: Mapping[str, list[int]] | None = None) -> TurnDice:
    """Return the dice of a turn; ``typed`` maps addresses (without campaign, branch and turn) to faces."""
    faces = {canonical(["test", 1, turn, *address.split("|")[:-1], int(address.split("|")[-1])]): listed
             for address, listed in (typed or {}).items()}  # fmt: skip
    return TurnDice(turn_keys(SEEDS, {}), ("test", 1, turn), faces)


def orders_of(state: State, side: str, sheet: Mapping[str, Any]) -> Orders:
    """Return a side's orders from a sheet that must have no problem."""
    reading = read_orders(view_for(state, side), sheet)
    assert not [problem for problem in reading.problems if problem.severity == "stop"], reading.problems
    orders: Orders = reading.orders
    return orders


def play(
    state: State,
    sheets: Mapping[str, Mapping[str, Any]] | None = None,
    typed: Mapping[str, list[int]] | None = None,
) -> tuple[State, list[Event]]:
    """Play one whole turn; ``sheets`` by side."""
    orders = {side: orders_of(state, side, (sheets or {}).get(side, {})) for side in state.books}
    dice = dice_for(state.turn + 1, typed)
    events: list[Event] = []
    for phase in RULESET.phases:
        state, told = phase.run(state, orders, dice)
        events += told
    assert dice.check_typed() == ()
    return state, events


def play_phase(
    name: str,
    state: State,
    sheets: Mapping[str, Mapping[str, Any]] | None = None,
    typed: Mapping[str, list[int]] | None = None,
    initiative: str = "blue",
) -> tuple[State, list[Event]]:
    """Play one phase of the next turn alone."""
    from dataclasses import replace

    phase = next(each for each in RULESET.phases if each.name == name)
    orders = {side: orders_of(state, side, (sheets or {}).get(side, {})) for side in state.books}
    dice = dice_for(state.turn + 1, typed)
    after, events = phase.run(replace(state, initiative=initiative), orders, dice)
    assert dice.check_typed() == ()
    return after, list(events)


def envelope(state: State, sheets: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a turn's envelope as the gate writes it."""
    return {
        "campaign": "test", "branch": 1, "turn": state.turn + 1, "sides": list(state.books),
        "state": RULESET.dump_state(state), "seeds": SEEDS, "changes": [], "reports": [], "amendments": [],
        "sheets": {side: {"orders": sheet, "nonce": "nonce-of-tests", "status": "sealed"}
                   for side, sheet in sheets.items()},
        **fields,
    }  # fmt: skip


def resolved(state: State, sheets: Mapping[str, Any], **fields: Any) -> Answer:
    """Resolve a whole turn through the engine."""
    return resolve(RULESET, envelope(state, sheets, **fields))


def contact_on(state: State, side: str, force_id: str) -> str:
    """Return the id of a side's contact on a force."""
    return state.books[side].contact_of[force_id].id


def of_kind(events: list[Event], kind: str, side: str | None = None) -> list[Event]:
    """Return the events of a kind, for one side where it is named."""
    return [event for event in events if event.kind == kind and (side is None or side in event.audience)]
