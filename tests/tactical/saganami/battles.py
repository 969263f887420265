"""Small battles for the tests: a few ships on an empty map, steps played from sheets with known dice."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from campaign.engine.battle import Played
from campaign.engine.hexes import Hex
from campaign.engine.ruleset import Event
from tactical.rules.saganami.attitude import read_attitude
from tactical.rules.saganami.battle import play_step
from tactical.rules.saganami.scenario import new_battle
from tactical.rules.saganami.state import Ship, State

CLASSES = Path(__file__).parents[3] / "fixtures" / "ship_classes" / "saganami"


@cache
def class_documents() -> Mapping[str, Mapping[str, Any]]:
    """Return every ship class of the fixtures by key."""
    return {path.stem: tomllib.loads(path.read_text()) for path in sorted(CLASSES.glob("*.toml"))}


def ship(
    identity: str,
    ship_class: str = "mistral",
    place: Sequence[int] = (0, 0, 0),
    nose: str = "A yellow",
    roll: int = 0,
    **fields: Any,
) -> dict[str, Any]:
    """Return a ship of a scenario; its side is the first letter of its id."""
    return {
        "id": identity,
        "name": identity.title(),
        "class": ship_class,
        "place": list(place),
        "facing": {"forward": nose, "roll": roll},
        **fields,
    }


def battle(*ships: dict[str, Any], **fields: Any) -> State:
    """Return a battle of red ships (ids r...) against green ones (g...), facings taken."""
    names = {"r": "Reds", "g": "Greens"}
    sides = {
        key: {"name": names[key], "ships": [each for each in ships if each["id"].startswith(key)]} for key in names
    }
    return new_battle(
        {"kind": "historical", "battle": "test", "sides": {"red": sides["r"], "green": sides["g"]}, **fields},
        class_documents(),
    )


def turned(state: State, identity: str, nose: str, roll: int = 0) -> Ship:
    """Turn a ship of a battle in place, and return it."""
    found = state.ship(identity)
    found.attitude = read_attitude(nose, roll)
    return found


def moved(state: State, identity: str, place: Sequence[int]) -> Ship:
    """Put a ship of a battle somewhere else, and return it."""
    found = state.ship(identity)
    found.place = Hex(*place)
    return found


def play(state: State, sheets: Mapping[str, Any] | None = None, seed: str = "seed") -> tuple[State, Played]:
    """Play one plot step; ``sheets`` map ships to plots, whatever their side."""
    by_side: dict[str, dict[str, Any]] = {}
    for identity, plot in (sheets or {}).items():
        by_side.setdefault(state.ship(identity).side, {"ships": {}})["ships"][identity] = plot
    return play_step(state, by_side, seed)


def turn(
    state: State,
    movement: Mapping[str, Any] | None = None,
    launch: Mapping[str, Any] | None = None,
    seed: str = "seed",
) -> tuple[State, tuple[Event, ...]]:
    """Play a whole turn from a movement sheet and a launch sheet; LACs that wait get the movement sheet's plots."""
    events: list[Event] = []
    number = state.turn
    while state.turn == number and state.over is None:
        sheets = launch if state.stage == "launch" else movement
        wanted = {
            identity: plot
            for identity, plot in (sheets or {}).items()
            if state.stage != "lacs" or state.ship(identity).sheet.is_lac
        }
        if state.stage == "movement":
            wanted = {
                key: plot for key, plot in wanted.items() if not state.ship(key).sheet.is_lac or has_early_lacs(state)
            }
        state, played = play(state, wanted, seed)
        assert not any(
            problems for problems in played.problems.values() if any(p["severity"] == "stop" for p in problems)
        ), played.problems
        events += played.events
    return state, tuple(events)


def has_early_lacs(state: State) -> bool:
    """Return whether LACs plot together with the ships."""
    return state.rulings.get("lac-plots") == "with"


def to_launch(state: State, movement: Mapping[str, Any] | None = None, seed: str = "seed") -> State:
    """Play a battle up to its launch step."""
    while state.stage != "launch":
        state, _ = play(state, movement if state.stage == "movement" else None, seed)
    return state


def kinds(events: Sequence[Event], kind: str) -> list[Event]:
    """Return the events of a kind."""
    return [event for event in events if event.kind == kind]


def codes(played: Played) -> list[tuple[str, str]]:
    """Return the code and rule of every problem of a step."""
    return sorted((each["code"], each["rule"]) for found in played.problems.values() for each in found)
