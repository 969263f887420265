"""Standing choices: what every side files with every sheet, so that nobody is asked and no question tells.

``marker_sides`` is where the other side's thrust markers go when two hex sides are equally close;
``easiest_ship`` the order in which own ships that are equally easy to detect are given up;
``detection_order`` and ``movement_order`` the own task forces in the order in which they search and move.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.engine.dice import TurnDice
from campaign.engine.errors import Problem, pointer
from campaign.engine.ruleset import Event
from operational.rules.full_thrust.movement import check_marker_preference, check_preference
from operational.rules.full_thrust.orders import Orders
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import State

MARKER_SIDES, EASIEST_SHIP = "marker_sides", "easiest_ship"
DETECTION_ORDER, MOVEMENT_ORDER = "detection_order", "movement_order"
KEYS = (DETECTION_ORDER, MOVEMENT_ORDER, EASIEST_SHIP, MARKER_SIDES)
RULES: Mapping[str, str] = {
    DETECTION_ORDER: "detection-phase",
    MOVEMENT_ORDER: "movement-phase",
    EASIEST_SHIP: "easiest-ship",
    MARKER_SIDES: "opponent-tie",
}


def preference(preferences: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return a side's standing order of preference, empty where it never filed one."""
    return tuple(preferences.get(key, ()))


def check_preferences(
    preferences: Mapping[str, Any], forces: Collection[str], ships: Collection[str], place: str
) -> tuple[Problem, ...]:
    """Return every problem of the standing choices; ``forces`` and ``ships`` are the ids of the side's own."""
    problems: list[Problem] = []
    for key, value in preferences.items():
        here = place + pointer(key)
        if key not in KEYS:
            problems.append(Problem(here, "unknown-preference", f"There is no standing choice {key!r}."))
        elif not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            problems.append(Problem(here, "not-a-list", "An order of preference is a list of names.", RULES[key]))
        elif key == MARKER_SIDES:
            problems += check_marker_preference(value, place=here)
        elif key == EASIEST_SHIP:
            problems += _check_ships(value, ships, here)
        else:
            problems += [replace(each, rule=RULES[key]) for each in check_preference(value, forces, place=here)]
    return tuple(problems)


def _check_ships(value: Sequence[str], ships: Collection[str], place: str) -> list[Problem]:
    problems = []
    for index, ship in enumerate(value):
        here = place + pointer(index)
        if ship in value[:index]:
            problems.append(Problem(here, "ship-twice", "This ship already stands in the order.", "easiest-ship"))
        elif ship not in ships:
            problems.append(Problem(here, "unknown-ship", "You have no such ship.", "easiest-ship"))
    return problems


@rule("opponent-tie", "easiest-ship")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Write the standing choices of every sheet into the sides' books; what a sheet leaves out stays as it was."""
    for side, sheet in orders.items():
        if sheet.preferences:
            book = state.books[side]
            state = state.with_book(replace(book, preferences={**book.preferences, **sheet.preferences}))
    return state, ()
