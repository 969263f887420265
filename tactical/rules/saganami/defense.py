"""Missile defence: the ECM layer, countermissiles and point defence (C4).

Missiles are counted down by both layers; what is left hits. Probable kills are fractions in thirds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

from campaign.engine.dice import Roller, d10_difference, shift_column
from campaign.engine.errors import Problem, refuse
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.missiles import Warhead
from tactical.rules.saganami.tables import ACTIVE_DEFENSE, ECM_LAYER

WEDGE_SHIFT = 12  # C4.122
Layer = Literal["countermissiles", "point defense"]

# The ECM layer ----------------------------------------------------------------------------------


@rule("C4.125")
def missile_rows(missiles: int) -> tuple[int, ...]:
    """Return the rows whose kills are added for a number of missiles: hundreds one by one, tens, units."""
    if missiles < 0:
        raise refuse("negative", "Missiles are counted from 0.", place="/missiles", rule="C4.125")
    hundreds, rest = divmod(missiles, 100)
    return (*(100,) * hundreds, *(part for part in (rest // 10 * 10, rest % 10) if part))


@rule("A2.41", "A2.411", "A2.412", "C4.111", "C4.112", "C4.12", "C4.121", "C4.122", "C4.123", "C4.124", "A1.23")
def ecm_column(
    mql: int, ecm: int, roll: int, *, is_wedge_hit: bool = False, decoy: int = 0, has_boxes: bool = True
) -> int:
    """Return the final ECM quality, the column of the ECM layer (1 to 25).

    The wedge stands in for the ECM value. ``roll`` is a 2d10- and counts only while the track has a
    box left, be it a 0; ``decoy`` is the shift of a decoy spent after that roll.
    """
    shift = ecm_shift(ecm, roll, is_wedge_hit=is_wedge_hit, has_boxes=has_boxes)
    return shift_column(mql, shift + decoy, last=ECM_LAYER.columns)


def ecm_shift(ecm: int, roll: int, *, is_wedge_hit: bool = False, has_boxes: bool = True) -> int:
    """Return by how many columns the ECM layer is better than the MQL, before any decoy."""
    return (WEDGE_SHIFT if is_wedge_hit else ecm) + (roll if has_boxes else 0)


@cache
@rule("C4.113", "C4.12", "C4.124", "C4.125")
def ecm_kills(missiles: int, quality: int, decoy: int = 0) -> int:
    """Return the missiles that the ECM layer stops.

    ``quality`` is the column without the decoy. A decoy shifts it and stops at least one missile more
    than would have been stopped, never more than there are.
    """

    def in_column(column: int) -> int:
        return sum(ECM_LAYER.value(Fraction(row), column) for row in missile_rows(missiles))

    plain = in_column(quality)
    return min(missiles, max(in_column(quality + decoy), plain + 1)) if decoy > 0 else plain


Volley = tuple[int, int]
"""Missiles and base MQL of one salvo."""


@rule("C2.17", "C4.114", "C4.126")
def linked_ecm_kills(volleys: Sequence[Volley], shift: int, decoy: int = 0) -> tuple[int, ...]:
    """Return the missiles that the ECM layer stops of each of several linked salvoes.

    They are one large salvo to the defence: one ECM value or wedge and one roll (``shift``), one
    decoy, and those of the same MQL are looked up together. The decoy's one missile more is counted
    over them all.
    """
    together: dict[int, int] = {}
    for missiles, quality in volleys:
        together[quality] = together.get(quality, 0) + missiles
    stopped = {quality: ecm_kills(count, quality + shift) for quality, count in together.items()}
    if decoy > 0:
        shifted = {quality: ecm_kills(count, quality + shift + decoy) for quality, count in together.items()}
        if sum(shifted.values()) <= sum(stopped.values()):
            # The one missile more comes out of the best of the salvoes that have any left.
            for quality in sorted(together):
                if stopped[quality] < together[quality]:
                    shifted[quality] += 1
                    break
        stopped = shifted
    return _shared_out(volleys, stopped)


def _shared_out(volleys: Sequence[Volley], stopped: dict[int, int]) -> tuple[int, ...]:
    """Return the kills of each quality dealt to its salvoes in their order."""
    left = dict(stopped)
    found = []
    for missiles, quality in volleys:
        taken = min(missiles, left[quality])
        left[quality] -= taken
        found.append(taken)
    return tuple(found)


# Active defences --------------------------------------------------------------------------------


@rule("C4.13", "C4.132", "C4.133", "C5.432", "A1.23")
def active_column(mql: int, roll: int, fire_control: int = 0) -> int:
    """Return the active defence quality, a column from 1 to 19: MQL and 2d10-, less fire-control damage."""
    return shift_column(mql, roll - fire_control, last=ACTIVE_DEFENSE.columns)


@rule("C4.13", "C4.131")
def kill_rows(probable_kills: Fraction) -> tuple[Fraction, ...]:
    """Return the rows whose kills are added for a number of probable kills (thirds).

    14 2/3 is row 10, row 4 and row 2/3; above thirty, row 30 is taken as often as it fits.
    """
    if probable_kills < 0 or probable_kills * 3 % 1:
        message = "Probable kills are counted in thirds, from 0."
        raise refuse("not-thirds", message, place="/probable_kills", rule="C4.131")
    whole, third = divmod(probable_kills, 1)
    thirties, rest = divmod(int(whole), 30)
    parts = (*(30,) * thirties, rest // 10 * 10, rest % 10)
    return (*(Fraction(part) for part in parts if part), *((third,) if third else ()))


@cache
@rule("C4.113", "C4.13", "C4.131")
def table_kills(probable_kills: Fraction, quality: int) -> int:
    """Return the number in the active defence table, the rows of the probable kills added up."""
    return sum(ACTIVE_DEFENSE.value(row, quality) for row in kill_rows(probable_kills))


@rule("C4.141", "C4.142")
def kills_scored(
    kills: int,
    layer: Layer,
    *,
    is_wedge_hit: bool = False,
    warhead: Warhead = "laser head",
    missiles: int | None = None,
) -> int:
    """Return the missiles that a layer stops of those the table gives.

    Behind the wedge there are no countermissiles, and point defence stops half, rounded down; of
    contact nukes point defence stops double. Doubling goes before halving, so that one rounding is
    done. Never more than ``missiles`` where their number is given.
    """
    if layer == "countermissiles":
        kills = 0 if is_wedge_hit else kills
    else:
        kills = kills * (2 if warhead == "contact nuke" else 1) // (2 if is_wedge_hit else 1)
    return kills if missiles is None else min(kills, missiles)


@dataclass(frozen=True, slots=True)
class Battery:
    """The probable kills of a layer in one mount, and the number of the mount's fire-control track."""

    probable_kills: Fraction
    fire_control: int = 0


@rule("C4.13", "C4.131", "C4.132", "C4.133", "C5.432")
def battery_kills(batteries: Iterable[Battery], mql: int, roll: int) -> int:
    """Return the table's kills of a layer in all mounts that bear, under one roll.

    Mounts whose fire control is equally good are one number of probable kills; the others are looked
    up in columns of their own.
    """
    together: dict[int, Fraction] = {}
    for battery in batteries:
        together[battery.fire_control] = together.get(battery.fire_control, Fraction(0)) + battery.probable_kills
    return sum(table_kills(kills, active_column(mql, roll, shift)) for shift, kills in sorted(together.items()))


@rule("C2.17", "C4.144", "A1.25")
def linked_quality(volleys: Iterable[Volley]) -> int:
    """Return the MQL at which linked salvoes meet the active defences, once for them all: the best of theirs.

    The rulebook leaves open which one counts; roundings go to the attacker (A1.25), and so does this.
    """
    return min(quality for missiles, quality in volleys if missiles > 0)


# Canister ---------------------------------------------------------------------------------------


@rule("C4.15")
def canisters_per_tube(missile_size: int) -> int:
    """Return how many canisters stand in for one missile of that damage."""
    if missile_size < 1:
        raise refuse("no-size", "A missile does at least 1 damage.", place="/missile_size", rule="C4.15")
    return min((missile_size + 3) // 4, 5)


@rule("C4.15")
def canister_kills(missile_size: int, tubes: int) -> Fraction:
    """Return the probable kills that canister in so many tubes adds to the countermissiles: a third a canister."""
    return Fraction(canisters_per_tube(missile_size) * tubes, 3)


@rule("C4.151", "C4.152", "C4.153", "C4.154")
def check_canister(tubes: int, held_back: int, fire_control_boxes: int, rounds: int) -> tuple[Problem, ...]:
    """Return what is wrong with firing canister from tubes of a mount in one impact step.

    Only tubes held back from the same salvo fire it, no more than the facing fire-control track has
    boxes, and no more than rounds were bought. Each tube that fires disables a box for the step.
    """
    limits = (
        (held_back, "not-held-back", "C4.151", f"{held_back} tubes were held back from this salvo."),
        (
            fire_control_boxes,
            "beyond-fire-control",
            "C4.153",
            f"{fire_control_boxes} boxes of fire control face it.",
        ),
        (rounds, "no-canister", "C4.152", f"{rounds} rounds of canister are left."),
    )
    return tuple(
        Problem("/tubes", code, f"{tubes} tubes cannot fire: {message}", number)
        for limit, code, number, message in limits
        if tubes > limit
    )


# Lending ----------------------------------------------------------------------------------------


@rule("C4.143", "C5.444")
def layers_lent(distance: int, *, is_seen_beside: bool, has_communications: bool) -> tuple[Layer, ...]:
    """Return the layers whose kills an escort can lend to a friendly ship at a missile impact.

    At range one both, wherever it stands; at range two countermissiles, if the target sees it in or
    next to the impact window. Only mounts that bear on the impact window lend. Both ships need
    communications.
    """
    if not has_communications:
        return ()
    if distance <= 1:
        return ("countermissiles", "point defense")
    return ("countermissiles",) if distance == 2 and is_seen_beside else ()


# All of it --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Defender:
    """What a ship has against one salvo.

    ``ecm`` is the value with the officer's change, ``ecm_boxes`` what is left of the track. The
    batteries are those of the mounts that bear, with canister and officers in them. ``decoy`` is the
    shift of a decoy it may spend, 0 for none, and ``decoy_worth`` how many missiles more the decoy
    must stop, once the roll is known, to be spent.
    """

    ecm: int
    ecm_boxes: int
    countermissiles: tuple[Battery, ...] = ()
    point_defense: tuple[Battery, ...] = ()
    decoy: int = 0
    decoy_worth: int = 1
    is_wedge_hit: bool = False


@dataclass(frozen=True, slots=True)
class Defense:
    """How a salvo was whittled down; a roll is None where none was made."""

    ecm_roll: int | None
    ecm_column: int
    is_decoy_spent: bool
    ecm_kills: int
    countermissile_roll: int | None
    countermissile_kills: int
    point_defense_roll: int | None
    point_defense_kills: int
    hits: int


@rule("C4.1", "C4.11", "C4.12", "C4.124", "C4.13", "A2.414", "A2.415", "A3.21")
def defend(missiles: int, mql: int, warhead: Warhead, defender: Defender, roller: Roller) -> Defense:
    """Roll a ship's defence against one salvo.

    2d10- for ECM while a box is left, for the countermissiles and for point defence; no roll for a
    layer that has nothing to fire or nothing left to fire at.
    """
    wedge, has_boxes = defender.is_wedge_hit, defender.ecm_boxes > 0
    ecm_roll = d10_difference(roller) if has_boxes else None
    shift = ecm_shift(defender.ecm, ecm_roll or 0, is_wedge_hit=wedge, has_boxes=has_boxes)
    plain, decoyed = ecm_kills(missiles, mql + shift), ecm_kills(missiles, mql + shift, defender.decoy)
    is_decoy_spent = defender.decoy > 0 and decoyed - plain >= max(defender.decoy_worth, 1)
    by_ecm = decoyed if is_decoy_spent else plain
    cm_roll, by_cm = _roll_layer("countermissiles", missiles - by_ecm, mql, warhead, defender, roller)
    pd_roll, by_pd = _roll_layer("point defense", missiles - by_ecm - by_cm, mql, warhead, defender, roller)
    return Defense(
        ecm_roll=ecm_roll,
        ecm_column=shift_column(mql, shift + (defender.decoy if is_decoy_spent else 0), last=ECM_LAYER.columns),
        is_decoy_spent=is_decoy_spent,
        ecm_kills=by_ecm,
        countermissile_roll=cm_roll,
        countermissile_kills=by_cm,
        point_defense_roll=pd_roll,
        point_defense_kills=by_pd,
        hits=missiles - by_ecm - by_cm - by_pd,
    )


def _roll_layer(
    layer: Layer, missiles: int, mql: int, warhead: Warhead, defender: Defender, roller: Roller
) -> tuple[int | None, int]:
    """Return a layer's roll, or None without one, and its kills."""
    batteries = defender.countermissiles if layer == "countermissiles" else defender.point_defense
    can_fire = any(battery.probable_kills > 0 for battery in batteries)
    if missiles == 0 or not can_fire or (defender.is_wedge_hit and layer == "countermissiles"):
        return None, 0
    roll = d10_difference(roller)
    kills = battery_kills(batteries, mql, roll)
    return roll, kills_scored(kills, layer, is_wedge_hit=defender.is_wedge_hit, warhead=warhead, missiles=missiles)
