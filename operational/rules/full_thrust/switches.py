"""What a campaign on this map may choose differently, with our reading as default.

A state's ``rulings`` maps switch keys to the chosen value; ``ruling`` answers with the default where
a campaign chose nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from campaign.engine.errors import Problem, pointer
from campaign.engine.ruleset import Switch

MARKERS = "markers"
CONTACT_DISTANCE = "contact-distance"
CALL_DISTANCE = "call-distance"
CROSSING = "crossing"
VECTOR_MOVEMENT = "vector-movement"
SECOND_LOOK = "second-look"
CONTACT_MEMORY = "contact-memory"

SWITCHES: tuple[Switch, ...] = (
    Switch(
        key=MARKERS,
        title="Markers of task forces",
        rules=("taskforces", "vectors", "dummy-taskforces"),
        default="open",
        choices={
            "open": "Every marker and its end point lie on the map for all to see; what they stand for is hidden.",
            "in-reach": "A marker is seen while sensors of the other side can reach it, and its end point once it "
            "is detected.",
        },
    ),
    Switch(
        key=CONTACT_DISTANCE,
        title="Contact distance",
        rules=("table-phase",),
        default="5",
        choices={
            "2": "Forces that come within 2 hexes go to the table.",
            "5": "Forces that come within 5 hexes go to the table.",
            "10": "Forces that come within 10 hexes go to the table.",
        },
    ),
    Switch(
        key=CALL_DISTANCE,
        title="Calling for battle",
        rules=("table-phase",),
        default="10",
        choices={
            "10": "A side may call for battle with a detected force within 10 hexes.",
            "21": "A side may call for battle with a detected force within 21 hexes.",
            "43": "A side may call for battle with a detected force within 43 hexes.",
        },
    ),
    Switch(
        key=CROSSING,
        title="Crossing paths",
        rules=("table-phase", "end-point-movement"),
        default="paths",
        choices={
            "paths": "Forces meet where their ways of the turn, flown evenly, first come within contact distance.",
            "ends": "Only where forces stand at the end of the turn counts.",
        },
    ),
    Switch(
        key=VECTOR_MOVEMENT,
        title="Vector movement on the table",
        rules=("die-modifiers", "passive-results", "active-results"),
        default="off",
        choices={
            "off": "Ships move on the table as they head.",
            "on": "The vector option: facings are learnt, and a burn away from a sensor is easier to detect.",
        },
    ),
    Switch(
        key=SECOND_LOOK,
        title="Scanning what is detected",
        rules=("detection-phase", "easiest-ship"),
        default="never",
        choices={
            "never": "Scans go to ships that are not detected yet.",
            "allowed": "House rule: a ship that is detected may be scanned by name, to learn more of it.",
        },
    ),
    Switch(
        key=CONTACT_MEMORY,
        title="When a lost marker is forgotten",
        rules=("sharing",),
        default="10",
        choices={
            "5": "After 5 operational turns out of reach.",
            "10": "After 10 operational turns, 25 hours, out of reach.",
            "never": "Never; it only ages.",
        },
    ),
)

_DEFAULTS: Mapping[str, str] = {switch.key: switch.default for switch in SWITCHES}


def ruling(rulings: Mapping[str, str], key: str) -> str:
    """Return what a campaign chose for a switch, or the default."""
    return rulings.get(key, _DEFAULTS[key])


def check_rulings(rulings: Mapping[str, str], place: str) -> tuple[Problem, ...]:
    """Return every unknown switch and every value that a switch does not have."""
    problems = []
    choices = {switch.key: switch.choices for switch in SWITCHES}
    for key, value in rulings.items():
        if key not in choices:
            message = f"There is no ruling {key!r}; there are {', '.join(choices)}."
            problems.append(Problem(place + pointer(key), "unknown-ruling", message))
        elif value not in choices[key]:
            message = f"{key} is one of {', '.join(choices[key])}."
            problems.append(Problem(place + pointer(key), "unknown-choice", message))
    return tuple(problems)
