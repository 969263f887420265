"""Dummy task forces, and attempts on forces in which there is nothing (more) to detect."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.engine.dice import Roller
from campaign.engine.errors import Problem
from operational.rules.full_thrust.ecm import NO_MODIFIERS, DieModifiers, Score
from operational.rules.full_thrust.sensors import roll_scan
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.tables import DIE_SIDES, Mode


@rule("dummy-taskforces")
def roll_dummies(roller: Roller) -> int:
    """Roll how many dummy task forces a side may have in play: a d6."""
    return roller.die(DIE_SIDES)


@rule("dummy-taskforces")
def check_split_off(in_play: int, allowed: int, *, place: str = "") -> tuple[Problem, ...]:
    """Return a problem where a side may not split a dummy off a task force: it has all that it rolled in play.

    A dummy that was found out has left play, and may be made again this way.
    """
    if in_play < allowed:
        return ()
    message = f"The side has {in_play} dummies in play, and may have {allowed}."
    return (Problem(place, "too-many-dummies", message, "dummy-taskforces"),)


@rule("false-contacts")
def is_false_contact(ships: int, detected: int) -> bool:
    """Return whether an attempt on a force finds nothing new: it is a dummy, or all of its ships are detected."""
    return detected >= ships


@dataclass(frozen=True, slots=True)
class FalseScan:
    """An attempt on a false contact: its score, and what is told: None, "dummy" or "all-detected"."""

    score: Score
    announcement: str | None


@rule("false-contacts")
def roll_false_scan(
    count: int,
    mode: Mode,
    roller: Roller,
    modifiers: DieModifiers = NO_MODIFIERS,
    *,
    is_dummy: bool,
    reroller: Roller | None = None,
) -> FalseScan:
    """Make an attempt on a force with nothing to find: as on a ship without ECM, with the modifiers that apply.

    Only a success tells the sensing side that it knows all ships there, or that there never were
    any; a dummy then leaves play. A failure looks like any other. Raises ``ProblemsError`` beyond
    the sensor's last band.
    """
    score = roll_scan(count, mode, "none", roller, modifiers, reroller=reroller).score
    if score.hits == 0:
        return FalseScan(score, None)
    return FalseScan(score, "dummy" if is_dummy else "all-detected")
