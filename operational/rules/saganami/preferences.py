"""Standing choices: what every side files with every sheet, so that no question betrays anything.

``direction_away`` is where an enemy that comes out of hyperspace near us is shifted to (B5.162);
``spare_point`` is the direction that takes the whole points left over when tactical velocities are
divided by three (B5.121).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from campaign.engine.dice import TurnDice
from campaign.engine.errors import Problem, pointer
from campaign.engine.hexes import LETTERS
from campaign.engine.ruleset import Event
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.orders import Orders
from operational.rules.saganami.state import State

DIRECTION_AWAY = "direction_away"
SPARE_POINT = "spare_point"
TOWARD_STAR, AWAY_FROM_STAR, NEAREST_OWN_FORCE, BODY = "toward-star", "away-from-star", "nearest-own-force", "body:"
DEFAULTS: Mapping[str, str] = {DIRECTION_AWAY: AWAY_FROM_STAR, SPARE_POINT: "A"}

TITLES: Mapping[str, str] = {
    TOWARD_STAR: "toward the star",
    AWAY_FROM_STAR: "away from the star",
    NEAREST_OWN_FORCE: "away from my nearest force",
    **{letter: f"in direction {letter}" for letter in LETTERS},
}


def preference(preferences: Mapping[str, Any], key: str) -> str:
    """Return a side's standing choice, or the default where it never filed one."""
    return str(preferences.get(key, DEFAULTS[key]))


def check_preferences(preferences: Mapping[str, Any], bodies: Collection[str], place: str) -> tuple[Problem, ...]:
    """Return every problem of the standing choices; ``bodies`` are the ids of all bodies."""
    problems = []
    for key, value in preferences.items():
        here = place + pointer(key)
        if key not in DEFAULTS:
            problems.append(Problem(here, "unknown-preference", f"There is no standing choice {key!r}."))
        elif key == SPARE_POINT and value not in LETTERS:
            problems.append(Problem(here, "unknown-direction", "The directions are A to F, + and -.", "B5.121"))
        elif key == DIRECTION_AWAY and not _is_direction_away(value, bodies):
            message = "Choose toward-star, away-from-star, nearest-own-force, body: and a body's id, or a direction."
            problems.append(Problem(here, "unknown-direction", message, "B5.162"))
    return tuple(problems)


def _is_direction_away(value: Any, bodies: Collection[str]) -> bool:
    if not isinstance(value, str):
        return False
    return value in TITLES or (value.startswith(BODY) and value.removeprefix(BODY) in bodies)


@rule("B5.121", "B5.162")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Write the standing choices of every sheet into the sides' books; what a sheet leaves out stays as it was."""
    books = dict(state.books)
    for side, sheet in orders.items():
        if sheet.preferences:
            books[side] = replace(books[side], preferences={**books[side].preferences, **sheet.preferences})
    return replace(state, books=books), ()
