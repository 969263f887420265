"""A ship class as the battle asks it: its tracks by name, each as a row of values (A2.6, A2.67).

Made once for each class and shared by its ships. ``values`` holds, for every track, the number in
each box and after them the one that counts when all are gone, so that a track's present value is one
look-up. What is asked again and again of a mount stands ready in ``Battery``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from campaign.rulebooks.saganami.ship_class_hits import COLUMNS, ROWS, HitTable, mount_of_cell
from campaign.rulebooks.saganami.ship_class_sheet import CRAFT, MOUNTS, RangeBands, ShipClass
from campaign.rulebooks.saganami.ship_class_tracks import Box, BoxKind, Track, Value
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.arcs import bears
from tactical.rules.saganami.attitude import FACINGS, Facing
from tactical.rules.saganami.avid import WINDOWS, Place
from tactical.rules.saganami.tables import POD_CARD_BANDS, POD_CARD_DAMAGE, POD_CARD_MISSILES

HULL, INTEGRITY, BRIDGE = "hull", "structural_integrity", "bridge"
LIFE_SUPPORT, COMMUNICATIONS, HYPER = "life_support", "communications", "hyper_generator"
ECM, PIVOT, ROLL, THRUST = "ecm", "pivot", "roll", "max_thrust"
IMPELLERS: Final = {"fwd": "forward_impeller", "aft": "aft_impeller"}
FACING_OF: Final[Mapping[str, Facing]] = {facing: facing for facing in FACINGS}
MISSILES, DECOYS = "M", "dcy"
BEAM_CODES: Final = {"L": "laser", "G": "graser", "ET": "energy torpedo"}

# C5.41: the track that a code of the hit location table marks, where no mount has one of its own.
TRACK_OF_CODE: Final[Mapping[str, str]] = {
    "hull": HULL,
    "SI": INTEGRITY,
    "lif": LIFE_SUPPORT,
    "com": COMMUNICATIONS,
    "brg": BRIDGE,
    "flg": "flag_bridge",
    "ECM": ECM,
    "piv": PIVOT,
    "rol": ROLL,
    "hyp": HYPER,
}


@dataclass(frozen=True, slots=True)
class Beams:
    """The beams of one code in a mount: "laser", "graser" or "energy torpedo", its track, damage by range."""

    weapon: str
    track: str
    damage: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mounting:
    """One weapon mount, ready for use.

    ``windows`` are those of the ship's own sphere on which it bears. Names of tracks are "" where the
    mount has none. ``missile_damage`` is 0 without launchers; ``launchers`` are the salvo sizes of each
    LAC's box launchers.
    """

    name: Facing
    windows: frozenset[Place]
    fcon: str
    magazine: str
    missiles: str
    missile_damage: int
    beams: tuple[Beams, ...]
    grav_lance: bool
    countermissiles: str
    point_defense: str
    decoys: str
    decoy_shift: int
    wall: str
    launchers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PodCard:
    """What a ship's pods throw: missiles in each, their damage, range bands, pods laid in a turn."""

    missiles: int
    damage: int
    bands: RangeBands
    per_turn: int
    is_layer: bool


class Sheet:
    """A class's sheet in the form the battle uses; see the module."""

    __slots__ = (
        "boxes",
        "by_code",
        "cells",
        "codes",
        "counted",
        "craft",
        "integrity",
        "is_base",
        "is_lac",
        "key",
        "mounting",
        "mountings",
        "pods",
        "sails",
        "scale",
        "ship_class",
        "size",
        "values",
        "wrenches",
    )

    def __init__(self, ship_class: ShipClass) -> None:
        self.ship_class = ship_class
        self.key = ship_class.key
        self.is_lac = ship_class.is_lac
        self.is_base = ship_class.is_base
        self.scale = ship_class.scale
        self.values: dict[str, tuple[Value, ...]] = {track.name: _values(track) for track in ship_class.tracks}
        self.boxes: dict[str, tuple[Box, ...]] = {track.name: track.boxes for track in ship_class.tracks}
        self.size: dict[str, int] = {track.name: len(track.boxes) for track in ship_class.tracks}
        self.codes: dict[str, str] = {track.name: track.code for track in ship_class.tracks}
        self.counted: tuple[str, ...] = tuple(track.name for track in ship_class.tracks if track.counts)
        self.integrity = self.boxes.get(INTEGRITY, ())
        self.craft: str = CRAFT[: ship_class.lac.craft] if ship_class.lac is not None else ""
        self.mountings: tuple[Mounting, ...] = tuple(
            _mounting(ship_class, name) for name in MOUNTS if ship_class.mount(name) is not None
        )
        self.mounting: dict[str, Mounting] = {each.name: each for each in self.mountings}
        self.wrenches: tuple[int, ...] = tuple(
            sum(box.kind is BoxKind.WRENCH for box in self.boxes.get(HULL, ())[gone:])
            for gone in range(self.size.get(HULL, 0) + 1)
        )
        self.sails: dict[str, int] = {
            track: sum(box.kind is BoxKind.SAIL for box in self.boxes.get(track, ())) for track in IMPELLERS.values()
        }
        self.pods = _pod_card(ship_class)
        self.cells: dict[tuple[int, int], str] = {} if ship_class.hit_table is None else _cells(ship_class.hit_table)
        self.by_code: dict[str, tuple[str, ...]] = {}
        for track in ship_class.tracks:
            self.by_code[track.code] = (*self.by_code.get(track.code, ()), track.name)

    @property
    def hit_table(self) -> HitTable:
        """The hit location table; LAC squadrons have none."""
        table = self.ship_class.hit_table
        if table is None:
            raise ValueError(f"{self.key} has no hit location table")
        return table

    @property
    def bands(self) -> RangeBands | None:
        """The range bands of the class's own missiles."""
        return self.ship_class.range_bands

    def value(self, track: str, gone: int) -> Value:
        """Return the present value of a track with so many boxes gone, 0 for one the class does not have."""
        row = self.values.get(track)
        return 0 if row is None else row[min(gone, len(row) - 1)]

    @rule("C5.112", "C5.214", "C7.132")
    def wall(self, facing: str, gone: int, *, has_walls: bool = True) -> tuple[int, int]:
        """Return the number of the sidewall that covers a facing, and its boxes left.

        Without walls it is the number at the track's end; a bow or stern that never had one has the
        hammerhead's armour.
        """
        if self.ship_class.lac is not None:
            return (self.ship_class.lac.sidewall if has_walls else 0), 0
        track = f"{facing}.sidewall"
        row = self.values.get(track)
        if row is None:
            return self.ship_class.hammerhead_armor, 0
        size = len(row) - 1
        if not has_walls or gone >= size:
            return int(row[size]), 0
        return int(row[gone]), size - gone


def _values(track: Track) -> tuple[Value, ...]:
    """Return a track's numbers; probable kills are fractions throughout, so that nobody converts them again."""
    row = (*(box.value for box in track.boxes), track.after)
    return tuple(Fraction(value) for value in row) if track.code in ("CM", "PD") else row


def _mounting(ship_class: ShipClass, name: str) -> Mounting:
    mount = ship_class.mount(name)
    if mount is None:
        raise ValueError(f"{ship_class.key} has no mount {name}")
    facing = FACING_OF[name]

    def track(code: str) -> str:
        return f"{name}.{code}" if ship_class.track(f"{name}.{code}") is not None else ""

    missiles = mount.weapon(MISSILES)
    beams = []
    for code, weapon in BEAM_CODES.items():
        found = mount.weapon(code)
        if found is not None:
            beams.append(Beams(weapon, f"{name}.{code}", found.damage))
    return Mounting(
        name=facing,
        windows=frozenset(window for window in WINDOWS if bears(mount.arc, facing, window)),
        fcon=track("fcon"),
        magazine=track("mag"),
        missiles=track(MISSILES),
        missile_damage=0 if missiles is None else missiles.damage[0],
        beams=tuple(beams),
        grav_lance=mount.grav_lance,
        countermissiles=track("CM"),
        point_defense=track("PD"),
        decoys=track(DECOYS),
        decoy_shift=mount.decoy_shift,
        wall=track("sidewall"),
        launchers=mount.launchers,
    )


@rule("C8.11", "C8.32", "C8.231")
def _pod_card(ship_class: ShipClass) -> PodCard:
    bay = ship_class.pods
    if bay is None:
        return PodCard(POD_CARD_MISSILES, POD_CARD_DAMAGE, POD_CARD_BANDS, 1, is_layer=False)
    return PodCard(bay.missiles, bay.damage, POD_CARD_BANDS, bay.per_turn, is_layer=True)


@rule("C5.412", "C5.431")
def _cells(table: HitTable) -> dict[tuple[int, int], str]:
    """Return the track that each cell marks; CIC, impeller and decoy cells keep their code."""
    found = {}
    for row in range(len(ROWS)):
        for column in COLUMNS:
            code = table.code(row, column)
            if code in TRACK_OF_CODE:
                found[row, column] = TRACK_OF_CODE[code]
            elif code in (".", "CIC", "fwd", "aft", "2fwd", "2aft", DECOYS):
                found[row, column] = code
            else:
                mount = mount_of_cell(row, column)
                found[row, column] = f"{mount}.{'sidewall' if code == 'sdwl' else code}"
    return found


def kills_of(value: Value) -> Fraction:
    """Return probable kills as a fraction."""
    return value if isinstance(value, Fraction) else Fraction(value)
