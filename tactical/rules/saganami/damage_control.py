"""Damage control: jury rigs in battle and permanent repairs after it (C6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from campaign.engine.dice import Roller, three_d10
from campaign.engine.errors import Problem, refuse
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.officers import check_passes

JURY_RIG_TURNS = 10  # C6.13: tactical turns
TURNS_OF_A_MAP_TURN = Fraction(19, 6)  # B5.111: tactical turns in an operational one
MOST_PARTIES = 2
MOST_PERMANENT_TRIES = 2

# C6.15: tracks (by hit location code) and kinds of box that no jury rig mends.
NOT_IN_COMBAT = ("hull", "SI", "sail", "hyp")
NOT_EVER = ("SI",)


@dataclass(frozen=True, slots=True)
class Repair:
    """One attempt: the dice of its parties, and whether any of them brought the box back."""

    dice: tuple[int, ...]
    repaired: bool


@rule("A3.33", "C6.12", "C6.121", "C6.122", "C6.123")
def repair(target: int, dice: Sequence[int]) -> Repair:
    """Return what one or two parties achieve on one box: one die at or under the crew target is enough."""
    if not 1 <= len(dice) <= MOST_PARTIES:
        raise refuse("parties", "One party or two work on a box.", place="/rolls", rule="C6.122")
    return Repair(tuple(dice), any(check_passes(die, target) for die in dice))


@rule("C6.12", "C6.121", "C6.122")
def roll_repair(roller: Roller, target: int, parties: int) -> Repair:
    """Roll a repair by one or two parties, a die each."""
    if not 1 <= parties <= MOST_PARTIES:
        raise refuse("parties", "One party or two work on a box.", place="/parties", rule="C6.122")
    return repair(target, [roller.die() for _ in range(parties)])


@dataclass(frozen=True, slots=True)
class Attempt:
    """Parties sent to one box in one turn.

    ``track`` is the box's hit location code, or "sail" for a Warshawski sail; ``box`` names it among
    the boxes of the ship, so that nobody tries it twice.
    """

    track: str
    box: str
    parties: int = 1


@rule("C6.11", "C6.121", "C6.122", "C6.14", "C6.141", "C6.15", "C5.434")
def check_attempts(
    attempts: Sequence[Attempt],
    parties_left: int,
    damaged: Sequence[str],
    tried: Sequence[str],
    mounts_fired: Sequence[str] = (),
) -> tuple[Problem, ...]:
    """Return what is wrong with a turn's damage control in battle.

    ``damaged`` and ``tried`` are the boxes that are destroyed, and those on which an attempt failed
    earlier; ``mounts_fired`` those of magazines whose launchers fired this turn. A box may be new
    damage of the same turn. Magazines may be tried again and again, and topped up undamaged.
    """
    problems = []
    if sum(attempt.parties for attempt in attempts) > parties_left:
        problems.append(Problem("/attempts", "too-few-parties", f"The ship has {parties_left} parties.", "C6.11"))
    seen: list[str] = []
    for index, attempt in enumerate(attempts):
        place = f"/attempts/{index}"
        if not 1 <= attempt.parties <= MOST_PARTIES:
            problems.append(Problem(place, "parties", "One party or two work on a box.", "C6.122"))
        if attempt.track in NOT_IN_COMBAT:
            message = f"No jury rig mends {attempt.track}."
            problems.append(Problem(place, "not-in-combat", message, "C6.15"))
        if attempt.box in seen:
            problems.append(Problem(place, "box-twice", "A box has one attempt in a turn.", "C6.122"))
        seen.append(attempt.box)
        if attempt.track == "mag":
            if attempt.box in mounts_fired:
                message = "The launchers of this magazine's mount fired this turn."
                problems.append(Problem(place, "magazine-fired", message, "C6.14"))
        elif attempt.box not in damaged:
            problems.append(Problem(place, "not-damaged", f"{attempt.box} is not destroyed.", "C6.12"))
        elif attempt.box in tried:
            message = f"An attempt on {attempt.box} has failed; it waits for a permanent repair."
            problems.append(Problem(place, "tried-before", message, "C6.121"))
    return tuple(problems)


@rule("C6.13")
def rig_fails_in(repaired: int) -> int:
    """Return the tactical turn in which a jury rig of turn ``repaired`` fails: ten later."""
    return repaired + JURY_RIG_TURNS


@rule("C6.13")
def rig_has_failed(repaired: int, turn: int, map_turns: int = 0) -> bool:
    """Return whether a jury rig made in a tactical turn has failed.

    ``turn`` is the tactical turn now, or the battle's last, and ``map_turns`` the operational turns
    gone since then, each 19/6 tactical turns long.
    """
    return turn + map_turns * TURNS_OF_A_MAP_TURN >= rig_fails_in(repaired)


@dataclass(frozen=True, slots=True)
class Reload:
    """What a magazine repair brings back: the three dice, and the salvo dots."""

    dice: tuple[int, ...]
    dots: int


@rule("A1.214", "C6.14")
def roll_reload(roller: Roller, dots_missing: int) -> Reload:
    """Roll what a successful repair brings to a magazine: 3d10low salvo dots, no more than are missing."""
    before = len(roller.faces)
    low = three_d10(roller, "low")
    return Reload(tuple(roller.faces[before:]), min(low, dots_missing))


@rule("C6.16")
def check_permanent(track: str, failures: int) -> tuple[Problem, ...]:
    """Return what is wrong with trying a permanent repair of one box, one operational turn for each party.

    ``failures`` are the permanent repairs of the box that failed; the second one sends it to a yard.
    Structural Integrity is never mended this way.
    """
    if track in NOT_EVER:
        return (Problem("/track", "needs-shipyard", "Structural Integrity is mended in a shipyard.", "C6.16"),)
    if failures >= MOST_PERMANENT_TRIES:
        return (Problem("/box", "needs-shipyard", "Two permanent repairs have failed on this box.", "C6.16"),)
    return ()
