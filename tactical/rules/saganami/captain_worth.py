"""What a captain expects: missiles through a defence, boxes from a hit, points from both, in whole thousandths.

Means, not rolls: a 2d10- is taken as three in the columns of the defence tables, and as its whole
distribution where depth is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from campaign.rulebooks.saganami.ship_class_sheet import RangeBands
from tactical.rules.saganami.beams import damage_at, effective_range
from tactical.rules.saganami.missiles import Stage, base_quality, salvoes_available
from tactical.rules.saganami.sheet import ECM, Mounting, Sheet, kills_of
from tactical.rules.saganami.tables import ACTIVE_DEFENSE, ECM_LAYER

MEAN_ROLL = 3
WEDGE = 12
# How often of a hundred 2d10- shows 0 to 9.
SPREAD = (10, 18, 16, 14, 12, 10, 8, 6, 4, 2)
_TEN = Fraction(10)


@cache
def mean_depth(modifier: int) -> int:
    """Return the mean depth of a hit in thousandths, natural zeros counted as one box more."""
    return sum(times * (max(roll + modifier, 0) + (roll == 0)) * 10 for roll, times in enumerate(SPREAD))


@cache
def ecm_stops(quality: int) -> int:
    """Return the share of a salvo that the ECM layer stops in a column, in thousandths."""
    return 35 * min(max(quality, 1), ECM_LAYER.columns) - 25


@cache
def active_stops(quality: int) -> int:
    """Return what one probable kill stops in a column, in thousandths."""
    return 100 * ACTIVE_DEFENSE.value(_TEN, quality)


def leak(missiles: int, mql: int, ecm: int, countermissiles: int, point_defense: int, *, is_wedge: bool) -> int:
    """Return the missiles expected to get through, in thousandths; probable kills are given in thousandths too."""
    after = missiles * (1000 - ecm_stops(mql + MEAN_ROLL + (WEDGE if is_wedge else ecm)))
    rate = active_stops(mql + MEAN_ROLL)
    stopped = point_defense * rate // 1000
    stopped = stopped // 2 if is_wedge else stopped + countermissiles * rate // 1000
    # A defence that should stop everything still lets one through now and then.
    return max(after - stopped, after // 30)


@cache
def thousandths(kills: Fraction) -> int:
    """Return probable kills in thousandths."""
    return int(kills * 1000)


@cache
def _new_kills(sheet: Sheet, mount: str) -> tuple[int, int]:
    """Return the probable kills of an undamaged mount, which is all that one knows of an enemy's."""
    mounting = sheet.mounting[mount]
    found = []
    for code, track in (("CM", mounting.countermissiles), ("PD", mounting.point_defense)):
        if sheet.is_lac:
            rows = [sheet.values.get(f"{craft}.{mount}.{code}") for craft in sheet.craft]
            found.append(sum(thousandths(kills_of(row[0])) for row in rows if row))
        else:
            row = sheet.values.get(track)
            found.append(0 if row is None else thousandths(kills_of(row[0])))
    return found[0], found[1]


@cache
def guard(sheet: Sheet, facing: str) -> tuple[int, int, int, int]:
    """Return what an undamaged unit of a class shows an attacker on one side: ECM, kills of CM and PD, wall."""
    lac = sheet.ship_class.lac
    ecm = lac.ecm if lac is not None else int(sheet.value(ECM, 0))
    countermissiles, point_defense = _new_kills(sheet, facing) if facing in sheet.mounting else (0, 0)
    return ecm, countermissiles, point_defense, sheet.wall(facing, 0)[0]


@cache
def box_worth(sheet: Sheet) -> int:
    """Return what one box of a class is worth, in thousandths of a point."""
    boxes = sum(sheet.size[track] for track in sheet.counted)
    return max(sheet.ship_class.cost * 1000 // max(boxes, 1), 1)


def hit_worth(sheet: Sheet, damage: int, wall: int) -> int:
    """Return what a hit on a unit of a class is worth, in thousandths of a point; the hull takes more than a box."""
    return mean_depth(damage - sheet.scale + wall) * box_worth(sheet) * 2 // 1000


def launchers_of(sheet: Sheet, mount: Mounting) -> int:
    """Return the missiles that an undamaged mount throws in a salvo."""
    if mount.launchers:
        return mount.launchers[0] * len(sheet.craft)
    return sheet.size.get(mount.missiles, 0)


@cache
def best_broadside(sheet: Sheet) -> tuple[int, int]:
    """Return the largest salvo of an undamaged unit of a class, and its missiles' damage."""
    return max(
        ((launchers_of(sheet, mount), mount.missile_damage) for mount in sheet.mountings),
        key=lambda each: each[0] * each[1],
        default=(0, 0),
    )


@cache
def salvoes_at(bands: RangeBands | None, distance: int) -> tuple[tuple[Stage, int], ...]:
    """Return the salvoes that range bands give at a range of the ends of turn, with the quality at that range."""
    if bands is None:
        return ()
    quality = base_quality(bands, min(distance, bands.through[-1]))
    return tuple((stage, quality or 1) for stage in salvoes_available(bands, distance))


@cache
def reach(bands: RangeBands | None) -> int:
    """Return the longest range of the ends of turn at which there is a salvo."""
    return 0 if bands is None else max(bands.early_through, bands.middle_through, bands.late_through)


def beam_worth(profile: Sequence[int], count: int, distance: int, target: Sheet, wall: int, *, is_open: bool) -> int:
    """Return what beams of a mount are worth at a range, in thousandths of a point."""
    damage = damage_at(profile, effective_range(distance, is_open=is_open))
    return 0 if not damage else count * hit_worth(target, damage, wall)


@cache
def best_beams(sheet: Sheet) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the beams of a class's stronger broadside: count and damage by range."""
    found: list[tuple[tuple[int, tuple[int, ...]], ...]] = []
    for mount in sheet.mountings:
        each = []
        for beams in mount.beams:
            code = beams.track.rpartition(".")[2]
            count = (
                sum(sheet.size.get(f"{craft}.{mount.name}.{code}", 0) for craft in sheet.craft)
                if sheet.is_lac
                else sheet.size.get(beams.track, 0)
            )
            if count and beams.weapon != "energy torpedo":
                each.append((count, beams.damage))
        found.append(tuple(each))
    return max(found, key=lambda arms: sum(count * profile[0] for count, profile in arms), default=())


@cache
def beam_range(sheet: Sheet) -> int:
    """Return the longest range of a class's beams."""
    return max((len(beams.damage) for mount in sheet.mountings for beams in mount.beams), default=0)
