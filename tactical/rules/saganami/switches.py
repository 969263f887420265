"""The rulings of tactical/saganami that a table may choose differently, with our reading as default."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.engine.errors import Problem, pointer
from campaign.engine.ruleset import Switch

STACKING = "stacking"
LATER_SALVOES = "later-salvoes"
LAC_PLOTS = "lac-plots"
DISENGAGEMENT = "disengagement"
COWARDLY_DRAW = "cowardly-draw"

SWITCHES: tuple[Switch, ...] = (
    Switch(
        key=STACKING,
        title="Ships in one hex and level",
        rules=("C7.11", "C7.13"),
        default="one",
        choices={
            "one": "One ship ends its turn in a hex and level, squadrons of LACs not counted.",
            "any": "House rule: any number of ships may end a turn together.",
        },
    ),
    Switch(
        key=LATER_SALVOES,
        title="Missiles of a damaged ship's later salvoes",
        rules=("C2.13", "C2.131"),
        default="all",
        choices={
            "all": "What was launched comes in, whatever has become of the launchers.",
            "reduced": "Optional rule: damage to launchers and fire control counts for the turn's later salvoes.",
        },
    ),
    Switch(
        key=LAC_PLOTS,
        title="When squadrons of LACs plot",
        rules=("C7.12",),
        default="after",
        choices={
            "after": "After the ships' thrust has been seen.",
            "with": "Together with the ships, to save time.",
        },
    ),
    Switch(
        key=DISENGAGEMENT,
        title="Getting away",
        rules=("D3.131",),
        default="ends",
        choices={
            "ends": "The battle ends when all opponents are more than 50 hexes apart and opening by 3 a turn.",
            "plays-on": "It goes on until another end.",
        },
    ),
    Switch(
        key=COWARDLY_DRAW,
        title="A fight that never begins",
        rules=("D2.0",),
        default="ends",
        choices={
            "ends": "After ten turns without two percent damage to half of a side's ships it is a draw.",
            "plays-on": "It goes on until another end.",
        },
    ),
)
_BY_KEY = {switch.key: switch for switch in SWITCHES}


def ruling(rulings: Mapping[str, str], key: str) -> str:
    """Return the choice for a switch: the battle's, or our reading."""
    return rulings.get(key, _BY_KEY[key].default)


def check_rulings(rulings: Mapping[str, str], place: str = "/rulings") -> tuple[Problem, ...]:
    """Return what is wrong with rulings: codes unknown-switch and unknown-choice."""
    found = []
    for key, choice in rulings.items():
        switch = _BY_KEY.get(key)
        here = place + pointer(key)
        if switch is None:
            found.append(Problem(here, "unknown-switch", f"A switch is one of {', '.join(_BY_KEY)}."))
        elif choice not in switch.choices:
            message = f"{switch.title}: one of {', '.join(switch.choices)}."
            found.append(Problem(here, "unknown-choice", message, switch.rules[0]))
    return tuple(found)
