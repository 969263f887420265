"""Small worlds for the tests of the hand-off: forces that fly straight, and the turn in which they meet."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from campaign.engine.dice import TurnDice, turn_keys
from campaign.engine.handoff import Engagement
from campaign.engine.ruleset import Event
from operational.rules.saganami import clock, contact_range, engagement, movement
from operational.rules.saganami.setup import new_state
from operational.rules.saganami.state import State

CLASSES = Path(__file__).parents[3] / "fixtures" / "ship_classes" / "saganami"
SEEDS = {"red": "11" * 32, "blue": "22" * 32, "green": "44" * 32, "umpire": "33" * 32}
SIDES = ("red", "blue", "green")


@cache
def class_document(key: str) -> dict[str, Any]:
    """Return a ship class of the fixtures."""
    return tomllib.loads((CLASSES / f"{key}.toml").read_text())


def force(
    name: str,
    /,
    side: str,
    at: Mapping[str, int],
    velocity: Mapping[str, int] | None = None,
    classes: Sequence[str] = ("mistral",),
    ships: Mapping[str, Any] | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """Return a force's set-up with a ship of each class, ids "name-1" and on; ``ships`` are fields of all of them."""
    members = [] if fields.get("dummy") else list(classes)
    return {
        "force": {
            "id": name,
            "side": side,
            "name": name.title(),
            "system": "alpha",
            "at": dict(at),
            "velocity": dict(velocity or {}),
            "ships": [f"{name}-{number}" for number in range(1, len(members) + 1)],
            **fields,
        },
        "ships": [
            {
                "id": f"{name}-{number}",
                "side": side,
                "name": f"{name.title()} {number}",
                "class": key,
                **(ships or {}),
            }
            for number, key in enumerate(members, start=1)
        ],
    }


def world(*forces: dict[str, Any], rulings: Mapping[str, str] | None = None, **setup: Any) -> State:
    """Return the state of turn 0 with these forces of red, blue and green in the systems Alpha and Beta."""
    used = {ship["class"] for each in forces for ship in each["ships"]}
    return new_state(
        {
            "epoch": "1906-03-01T00:00",
            "rulings": dict(rulings or {}),
            "sides": [{"key": side, "name": f"{side.title()}s"} for side in SIDES],
            "systems": [
                {"key": "alpha", "name": "Alpha", "star": "G2"},
                {"key": "beta", "name": "Beta", "star": "M9"},
            ],
            "classes": {key: class_document(key) for key in sorted(used)},
            "ships": [ship for each in forces for ship in each["ships"]],
            "forces": [each["force"] for each in forces],
            **setup,
        }
    )


def dice_of(state: State) -> TurnDice:
    """Return the dice of the turn that comes after a state."""
    return TurnDice(turn_keys(SEEDS, {}), ("campaign", "branch", state.turn + 1))


def turn(state: State) -> tuple[State, tuple[Event, ...]]:
    """Play a turn without orders: movement, contact range, the engagements written, the clock."""
    dice = dice_of(state)
    log: list[Event] = []
    for phase in (movement.run, contact_range.run, engagement.run, clock.run):
        state, events = phase(state, {}, dice)
        log += events
    return state, tuple(log)


def opened(state: State) -> Engagement:
    """Return the one engagement that the last turn opened or issued anew."""
    (document,) = engagement.open_engagements(state)
    return Engagement.model_validate(document)


def mark_of(document: Mapping[str, Any], ship: str) -> str:
    """Return the mark that an engagement gave a ship of the roster."""
    return next(each.id for _, _, each in Engagement.model_validate(document).ships() if each.ship == ship)


def force_mark(document: Mapping[str, Any], force_id: str) -> str:
    """Return the mark that an engagement gave a force."""
    return next(each.id for _, each in Engagement.model_validate(document).forces() if each.force == force_id)


def place_of(state: State, force_id: str) -> tuple[int, int, int]:
    """Return the hex of a force."""
    row = state.forces.index[force_id]
    return int(state.forces.q[row]), int(state.forces.r[row]), int(state.forces.z[row])


def velocity_of(state: State, force_id: str) -> tuple[int, int, int]:
    """Return the velocity of a force as an axial step."""
    row = state.forces.index[force_id]
    return int(state.forces.vq[row]), int(state.forces.vr[row]), int(state.forces.vz[row])
