"""Small worlds for the tests of detection: forces in one system, with the classes of the fixtures."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from campaign.engine.dice import TurnDice, canonical, turn_keys
from campaign.engine.ruleset import Event
from operational.rules.saganami import detection
from operational.rules.saganami.orders import Orders, Search
from operational.rules.saganami.setup import new_state
from operational.rules.saganami.state import State

CLASSES = Path(__file__).parents[3] / "fixtures" / "ship_classes" / "saganami"
SEEDS = {"red": "11" * 32, "blue": "22" * 32, "umpire": "33" * 32}


@cache
def class_document(key: str) -> dict[str, Any]:
    """Return a ship class of the fixtures."""
    return tomllib.loads((CLASSES / f"{key}.toml").read_text())


def force(
    name: str, side: str, at: Mapping[str, int], classes: Sequence[str] = ("mistral",), **fields: Any
) -> dict[str, Any]:
    """Return a force's set-up with a ship of each class; ``grades``, ``drones`` and ``damage`` go to its ships."""
    ships = {key: fields.pop(key) for key in ("grades", "drones", "damage") if key in fields}
    return {
        "force": {"id": name, "side": side, "name": name.title(), "system": "alpha", "at": dict(at), **fields},
        "ships": [
            {"id": f"{name}-{number}", "side": side, "name": f"{name.title()} {number}", "class": key, **ships}
            for number, key in enumerate(classes, start=1)
        ],
    }


def world(*forces: dict[str, Any], rulings: Mapping[str, str] | None = None, **setup: Any) -> State:
    """Return the state of turn 0 with these forces of red and blue in the system Alpha."""
    ships = [ship for each in forces if not each["force"].get("dummy") for ship in each["ships"]]
    used = {ship["class"] for each in forces for ship in each["ships"]}
    used |= {key for each in forces for key in each["force"].get("guise", ())}
    document = {
        "epoch": "1906-03-01T00:00",
        "rulings": dict(rulings or {}),
        "sides": [{"key": "red", "name": "Reds"}, {"key": "blue", "name": "Blues"}],
        "systems": [{"key": "alpha", "name": "Alpha", "star": "G2"}],
        "classes": {key: class_document(key) for key in sorted(used)},
        "ships": ships,
        "forces": [
            {**each["force"], "ships": [] if each["force"].get("dummy") else [ship["id"] for ship in each["ships"]]}
            for each in forces
        ],
        **setup,
    }
    return new_state(document)


def dice(turn: int = 1, faces: Mapping[str, int] | None = None) -> TurnDice:
    """Return a turn's dice; ``faces`` are the searches' dice, by ship, as a person typed them."""
    typed = {
        canonical(("demo", "main", turn, "detection", ship, "search", 0)): [face]
        for ship, face in (faces or {}).items()
    }
    return TurnDice(turn_keys(SEEDS, {}), ("demo", "main", turn), typed)


def searches(side: str, *orders: tuple[str, str] | tuple[str, str, int]) -> dict[str, Orders]:
    """Return the orders of a side that searches: ship, window, and drones where some are spent."""
    return {side: Orders(side=side, searches=tuple(Search(*order) for order in orders))}


def detect(
    state: State, orders: Mapping[str, Orders] | None = None, faces: Mapping[str, int] | None = None
) -> tuple[State, tuple[Event, ...]]:
    """Play the detection phase of the next turn and count the turn."""
    after, events = detection.run(state, orders or {}, dice(state.turn + 1, faces))
    return replace(after, turn=state.turn + 1), events
