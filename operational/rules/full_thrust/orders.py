"""One side's orders of one turn, as the phases use them; ``reading`` makes them from a sheet.

Ids are of the own side's forces, ships, contacts and bogeys only. Vectors are maps over A to F, in hexes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from operational.rules.full_thrust.tables import Mode


@dataclass(frozen=True, slots=True)
class Chase:
    """Thrust chosen when the force's turn to move comes: its end point toward, or away from, a contact's.

    ``distance`` in hexes is near enough, or far enough.
    """

    contact: str
    way: Literal["toward", "away"] = "toward"
    distance: int = 0


@dataclass(frozen=True, slots=True)
class ForceOrder:
    """What one task force does: ``thrust`` moves its end point, hex by hex; ``active`` ships use active sensors."""

    thrust: Mapping[str, int] | None = None
    chase: Chase | None = None
    active: tuple[str, ...] = ()
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Scan:
    """A ship scans a contact, up to ``scans`` times; ``bogey`` names a detected ship (house rule)."""

    ship: str
    contact: str
    mode: Mode
    scans: int = 1
    bogey: str = ""


@dataclass(frozen=True, slots=True)
class Launch:
    """A ship launches craft, as a task force of their own."""

    ship: str
    craft: tuple[str, ...]
    name: str = ""
    thrust: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Recovery:
    """A ship takes craft aboard that are in its hex and have its vector."""

    ship: str
    craft: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Ships leave a task force for a new one; with ``is_dummy`` no ship leaves, a dummy does."""

    force: str
    ships: tuple[str, ...]
    name: str = ""
    is_dummy: bool = False
    thrust: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Merge:
    """Task forces join another one in their hex and with their vector."""

    into: str
    forces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cloaking:
    """Ships that raise, or drop, their cloaks."""

    cloak: tuple[str, ...] = ()
    decloak: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A task force calls for battle with a detected contact."""

    force: str
    contact: str


@dataclass(frozen=True, slots=True)
class Orders:
    """A whole sheet. A force without an order coasts, and uses no active sensors."""

    side: str
    forces: Mapping[str, ForceOrder] = field(default_factory=dict)
    scans: tuple[Scan, ...] = ()
    launches: tuple[Launch, ...] = ()
    recoveries: tuple[Recovery, ...] = ()
    splits: tuple[Split, ...] = ()
    merges: tuple[Merge, ...] = ()
    cloaking: Cloaking = Cloaking()
    calls: tuple[Call, ...] = ()
    preferences: Mapping[str, Any] = field(default_factory=dict)
