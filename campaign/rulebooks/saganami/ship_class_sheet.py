"""A ship class as the engine uses it: frozen values made from its sheet (A2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from campaign.rulebooks.saganami.ship_class_hits import HitTable
from campaign.rulebooks.saganami.ship_class_tracks import Track

MOUNTS = ("forward", "aft", "port", "starboard")
CRAFT = "ABCDEFGHJK"
"""Letters of a squadron's craft; I is left out, so that ten letters meet a d10 (C7.31)."""


@dataclass(frozen=True, slots=True)
class RangeBands:
    """Missile range bands (A2.66): last hex of each band and its base MQL, last hex of each salvo zone."""

    through: tuple[int, ...]
    mql: tuple[int, ...]
    early_through: int
    middle_through: int
    late_through: int
    drives: int


@dataclass(frozen=True, slots=True)
class Weapon:
    """The weapons of one type in a mount: code ("M", "L", "G", "ET"), how many, and damage by range 0-1, 2, 3, ..."""

    code: str
    count: int
    damage: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mount:
    """One weapon mount (A2.63); its boxes are the tracks "<name>.<code>" of the class.

    ``arc`` is three rows (upper blue, yellow, lower blue) of five marks for the AVID columns two to the
    left of the mount's facing to two to the right; "#" bears (C1.2). ``launchers`` are the salvo sizes of
    one LAC's box launchers and empty on ships (C7.21). ``decoy_shift`` is 0 without decoys (C4.124).
    """

    name: str
    arc: tuple[str, ...]
    weapons: tuple[Weapon, ...]
    grav_lance: bool = False
    decoy_shift: int = 0
    launchers: tuple[int, ...] = ()

    def weapon(self, code: str) -> Weapon | None:
        """Return the weapons of that code, or None."""
        return next((weapon for weapon in self.weapons if weapon.code == code), None)


@dataclass(frozen=True, slots=True)
class LacSquadron:
    """What only a LAC squadron has (C7.0): craft, constant thrust, squadron ECM and sidewall."""

    craft: int
    thrust: int
    ecm: int
    sidewall: int


@dataclass(frozen=True, slots=True)
class PodBay:
    """A pod-layer's bay: pods laid in one tactical turn, pods carried (C8.231), missiles in a pod and their damage."""

    per_turn: int
    carried: int
    missiles: int
    damage: int


@dataclass(frozen=True, slots=True)
class ShipClass:
    """A ship class as the engine uses it; equal documents give equal values.

    ``kind`` is "ship", "base" or "lac-squadron". ``tons`` is the mass in tons. ``service_to`` is None for
    a class that stays in service. ``crew_target`` and each tuple of ``officer_cost`` follow Poor, Average,
    Veteran, Elite; ``officer_cost`` follows POSTS (TAC, EWO, ATO, HELM, ENG, CREW) and is empty for LACs.
    """

    key: str
    name: str
    kind: str
    type: str
    nation: str
    note: str
    service_from: int
    service_to: int | None
    cost: int
    printed_boxes: int | None
    tons: int
    scale: int
    core_armor: int
    hammerhead_armor: int
    officers: int
    enlisted: int
    marines: int
    recon_drones: int
    range_bands: RangeBands | None
    mounts: tuple[Mount, ...]
    tracks: tuple[Track, ...]
    evolution_delay: tuple[int, ...]
    hull_rows: tuple[int, ...]
    hit_table: HitTable | None
    officer_cost: tuple[tuple[int, ...], ...]
    crew_target: tuple[int, ...]
    pods: PodBay | None
    lac: LacSquadron | None
    _by_name: Mapping[str, Track] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {track.name: track for track in self.tracks})

    @property
    def is_lac(self) -> bool:
        """Tell whether the class is a squadron of light attack craft (B5.144, C7.0)."""
        return self.kind == "lac-squadron"

    @property
    def is_base(self) -> bool:
        """Tell whether the class is a base behind a bubble wall (C5.1112)."""
        return self.kind == "base"

    def track(self, name: str) -> Track | None:
        """Return the track of that name, or None if the class has no such track."""
        return self._by_name.get(name)

    def mount(self, name: str) -> Mount | None:
        """Return the mount "forward", "aft", "port" or "starboard", or None."""
        return next((mount for mount in self.mounts if mount.name == name), None)
