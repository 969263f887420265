"""Light attack craft: squadrons, their plots, launchers and damage (C7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from campaign.engine.dice import Roller, d10_difference
from campaign.engine.errors import Problem
from campaign.rulebooks.saganami.grades import CREW_TARGET
from campaign.rulebooks.saganami.ship_class_sheet import CRAFT
from campaign.rulebooks.saganami.ship_class_tracks import Box, BoxKind
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.attitude import Attitude
from tactical.rules.saganami.damage_effects import explodes
from tactical.rules.saganami.missiles import STAGES, Stage

WIDE_SPAN_SKIPS = 2  # C7.324
CREW_TARGET_OF_LACS = CREW_TARGET["average"]  # C7.33


# Movement ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LacPlot:
    """A squadron's plot: the attitude it takes at once and thrusts in, and the one it ends the turn in."""

    midpoint: Attitude
    end: Attitude


@rule("C7.12", "C7.121", "C7.122")
def may_displace(plot: LacPlot) -> bool:
    """Return whether a squadron's thrust may displace it: only if it does not turn again after the first pivot."""
    return plot.midpoint == plot.end


@rule("C7.11", "C7.13")
def may_share_place(is_lac: bool, is_other_lac: bool) -> bool:
    """Return whether two units may stand in one hex and level: the stacking limit leaves LAC squadrons out."""
    return is_lac or is_other_lac


# Launchers and defences -------------------------------------------------------------------------


@rule("C7.13", "C7.131", "C7.21", "C7.211", "C7.212")
def launchers_fired(unfired: Mapping[str, Sequence[int]], stages: Sequence[Stage]) -> dict[Stage, int]:
    """Return the missiles of a squadron's salvoes, one box launcher of each craft in each stage.

    ``unfired`` maps each live craft to the missiles in its unfired launchers of one broadside, in the
    order in which they go. All craft of a squadron fire together as one salvo; a launcher that has
    fired is marked off.
    """
    chosen = [stage for stage in STAGES if stage in stages]
    return {
        stage: sum(launchers[index] for launchers in unfired.values() if index < len(launchers))
        for index, stage in enumerate(chosen)
    }


@rule("C7.131", "C7.21", "C7.212")
def check_launchers(unfired: Mapping[str, Sequence[int]], stages: Sequence[Stage]) -> tuple[Problem, ...]:
    """Return what is wrong with a squadron's launch: a stage fired twice, or no launcher left for one."""
    problems = []
    if len(set(stages)) < len(stages):
        message = "A broadside fires one box launcher of each LAC in a stage."
        problems.append(Problem("/stages", "launcher-twice", message, "C7.21"))
    most = max((len(launchers) for launchers in unfired.values()), default=0)
    if len(set(stages)) > most:
        problems.append(Problem("/stages", "no-launcher", f"At most {most} launchers are left on a LAC.", "C7.212"))
    return tuple(problems)


@rule("C7.13", "C7.132", "C7.22")
def pooled_kills(craft: Mapping[str, Fraction]) -> Fraction:
    """Return the probable kills of a squadron: those of all live craft together."""
    return sum(craft.values(), Fraction(0))


# Damage -----------------------------------------------------------------------------------------


@rule("C7.11", "C7.31")
def roll_craft(roller: Roller, hits: int) -> tuple[str, ...]:
    """Roll which LAC each missile hits, before any damage is done: a d10 over the letters A to K without I.

    Craft already lost may be hit again.
    """
    return tuple(CRAFT[roller.die() - 1] for _ in range(hits))


@rule("C7.32", "C7.324")
def boxes_skipped(roll: int, span: int) -> int:
    """Return how many boxes of a LAC's track a hit skips: the 2d10- roll, two more for a span over 1."""
    return roll + (WIDE_SPAN_SKIPS if span > 1 else 0)


@dataclass(frozen=True, slots=True)
class LacDamage:
    """What a hit did to one LAC.

    ``skipped`` boxes were passed over; ``marked`` are the boxes of its track now marked (from 0);
    ``weapons`` the codes of weapons lost, the facing mount's first; ``dice`` those of the octagons.
    """

    skipped: int
    marked: tuple[int, ...]
    weapons: tuple[str, ...]
    dice: tuple[int, ...]
    is_destroyed: bool


@rule("C7.32", "C7.321", "C7.322", "C7.323", "C7.324")
def roll_lac_damage(
    roller: Roller,
    track: Sequence[Box],
    marked: Sequence[int],
    points: int,
    weapons_left: Mapping[str, int],
    span: int = 1,
) -> LacDamage:
    """Roll and mark a hit of so many points on one LAC.

    ``points`` is damage less scale plus sidewall (the depth modifier); nothing is done below 1. After
    the skip, boxes are marked from the left; ones already marked are passed over. Padding takes a
    point, an octagon a point and a die that destroys the LAC below its number, a circle a point and a
    weapon of its type, or nothing at all once that type is gone; the star destroys the LAC.
    """
    skipped = boxes_skipped(d10_difference(roller), span)
    left, lost_weapons = max(points, 0), dict(weapons_left)
    now: list[int] = []
    weapons: list[str] = []
    dice: list[int] = []
    is_destroyed = False
    for index in range(skipped, len(track)):
        if left == 0 or is_destroyed:
            break
        box = track[index]
        if box.kind is BoxKind.STAR:
            is_destroyed = True
        elif index in marked:
            continue
        elif box.kind is BoxKind.WEAPON:
            if lost_weapons.get(box.weapon, 0) == 0:
                continue
            lost_weapons[box.weapon] -= 1
            weapons.append(box.weapon)
        elif box.kind is BoxKind.OCTAGON:
            dice.append(roller.die())
            is_destroyed = explodes(dice[-1], box.number)
        now.append(index)
        left -= 1
    # A skip that passes the end of the track has nothing left before the star.
    if left > 0 and skipped >= len(track):
        is_destroyed = True
    return LacDamage(skipped, tuple(now), tuple(weapons), tuple(dice), is_destroyed)


@rule("C7.33")
def has_party(squares_left: int) -> bool:
    """Return whether a LAC has its damage control party: a square of its damage control track is left.

    LACs check at the Average crew's number.
    """
    return squares_left > 0


@rule("C7.323")
def losing_mounts(facing: str, left: Mapping[str, int]) -> tuple[str, ...]:
    """Return the mounts that may lose a weapon hit on a LAC: the one facing the shot, or else what the defender picks.

    ``left`` are the weapons of that type by mount.
    """
    if left.get(facing, 0) > 0:
        return (facing,)
    return tuple(mount for mount, count in left.items() if count > 0)
