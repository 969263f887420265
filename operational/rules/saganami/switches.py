"""The rulings of operational/saganami that a campaign may choose differently, with our reading as default.

A state's ``rulings`` maps switch keys to the chosen value; ``ruling`` answers with the default where
a campaign chose nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from campaign.engine.errors import Problem, pointer
from campaign.engine.ruleset import Switch

DETECTION = "detection"
WEDGE_PRESENCE = "wedge-presence"
CONTACT_MEMORY = "contact-memory"
DISPLACEMENT = "displacement"
DUMMIES = "dummies"
RANGE_50 = "range-50"
MERGING = "merging"
ENGAGED_FORCES = "engaged-forces"
BATTLE_CLOCK = "battle-clock"

SWITCHES: tuple[Switch, ...] = (
    Switch(
        key=DETECTION,
        title="Who sees whom",
        rules=("B5.14",),
        default="referee",
        choices={
            "referee": "Fog of war: hyper footprints are seen by themselves, wedges only by searching.",
            "open": "Everyone sees everyone, and is out in the open.",
        },
    ),
    Switch(
        key=WEDGE_PRESENCE,
        title="Presence of a wedge",
        rules=("B5.14", "B5.142"),
        default="searched",
        choices={
            "searched": "Learnt, like everything about a wedge, by a search that passes its check.",
            "automatic": "Presence, acceleration and direction are seen by themselves within their ranges.",
        },
    ),
    Switch(
        key=CONTACT_MEMORY,
        title="When a contact is lost",
        rules=("B5.14",),
        default="19",
        choices={
            "6": "After 6 operational turns in which nothing is seen of it.",
            "19": "After 19 operational turns, six hours, in which nothing is seen of it.",
            "76": "After 76 operational turns, a day, in which nothing is seen of it.",
            "never": "Never; it only ages.",
        },
    ),
    Switch(
        key=DISPLACEMENT,
        title="Displacement from thrust",
        rules=("B3.27",),
        default="half",
        choices={
            "half": "Thrust moves a force by half of its change of velocity in the turn it is made.",
            "none": "Thrust changes the velocity at the end of the turn, and nothing else.",
        },
    ),
    Switch(
        key=DUMMIES,
        title="Dummies",
        rules=("B5.14",),
        default="set-up",
        choices={
            "none": "No dummies.",
            "set-up": "Only those that a side has from the start.",
            "launched": "A force may split off a dummy, one a turn.",
        },
    ),
    Switch(
        key=RANGE_50,
        title="Range 50 at the hand-off",
        rules=("B5.12",),
        default="true",
        choices={
            "true": "The true range is 50, altitude counted.",
            "map": "50 hexes on the map, whatever the altitude.",
        },
    ),
    Switch(
        key=MERGING,
        title="Merging forces",
        rules=("B5.12",),
        default="same-velocity",
        choices={
            "same-velocity": "Forces merge in one hex with one velocity.",
            "same-hex": "Forces merge in one hex; those that join take the velocity of the force they join.",
        },
    ),
    Switch(
        key=ENGAGED_FORCES,
        title="Forces in battle",
        rules=("B3.11", "B5.131"),
        default="coast",
        choices={
            "coast": "While a battle is fought its forces coast on the map; its report puts them right.",
            "hold": "Forces in battle keep their hex on the map until the report comes.",
        },
    ),
    Switch(
        key=BATTLE_CLOCK,
        title="Battles and the theatre",
        rules=("B5.111", "B5.131"),
        default="beside",
        choices={
            "beside": "A battle runs beside the theatre: three tactical turns to an operational one, every sixth four.",
            "apart": "A battle is fought to its end between two operational turns.",
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
