"""One side's orders of one turn, as the phases use them; ``reading`` makes them from a sheet.

Ids are of the own side's forces and ships only. Vectors are consolidated maps, in hexes a turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from campaign.engine.hexes import Hex


@dataclass(frozen=True, slots=True)
class Emergence:
    """Out of hyperspace into a system at a chosen hex; each command group scatters for itself (B5.162).

    ``groups`` are ship ids; the first group keeps the force's name and id. A force that comes as one
    has one group, a dummy none.
    """

    system: str
    entry: Hex
    groups: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ForceOrder:
    """What one force does.

    ``thrust`` is this turn's change of velocity, and ends a standing course; ``course`` sets one, its
    first change for this turn. Both None: the standing course goes on, else the force coasts.
    ``wedge`` is "up", "down" or None for as it is. ``red_line`` are ships that push their compensators
    for one more point of thrust (B3.231).
    """

    thrust: Mapping[str, int] | None = None
    course: tuple[Mapping[str, int], ...] | None = None
    wedge: str | None = None
    translate_out: bool = False
    emerge: Emergence | None = None
    red_line: tuple[str, ...] = ()
    flagship: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """Ships leave a force: for a new one, with a ``course`` from this turn on, or ``into`` another in the same hex.

    ``is_dummy``: no ship leaves; a dummy does (house rule).
    """

    force: str
    ships: tuple[str, ...]
    name: str = ""
    into: str = ""
    is_dummy: bool = False
    course: tuple[Mapping[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Merge:
    """Forces join another in the same hex."""

    into: str
    forces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """A ship searches one AVID window, spending recon drones (B5.142)."""

    ship: str
    window: str
    drones: int = 0


@dataclass(frozen=True, slots=True)
class Repair:
    """A ship tries to repair ``boxes`` boxes of a track for good, with ``parties`` (1 or 2) on each (C6.16)."""

    ship: str
    track: str
    boxes: int = 1
    parties: int = 1


@dataclass(frozen=True, slots=True)
class Orders:
    """A whole sheet. What it leaves out goes on as before."""

    side: str
    forces: Mapping[str, ForceOrder] = field(default_factory=dict)
    splits: tuple[Split, ...] = ()
    merges: tuple[Merge, ...] = ()
    searches: tuple[Search, ...] = ()
    repairs: tuple[Repair, ...] = ()
    preferences: Mapping[str, str] = field(default_factory=dict)
