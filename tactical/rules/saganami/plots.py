"""What a side may write down in a turn, as values (A3.12, A3.13); ``plot_reading`` makes them from a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tactical.rules.saganami.attitude import Attitude
from tactical.rules.saganami.avid import Path
from tactical.rules.saganami.missiles import Stage, Warhead
from tactical.rules.saganami.officers import Boost
from tactical.rules.saganami.thrust import ThrustPlot


@dataclass(frozen=True, slots=True)
class FacingPlot:
    """How a unit faces when it comes onto the map, and the pods it has in tow (B5.12, C8.21)."""

    attitude: Attitude
    tow: int | None = None


@dataclass(frozen=True, slots=True)
class MovementPlot:
    """A ship's pivot, roll and thrust; ``boost`` is where an elite helm's window goes."""

    pivot: Path = ()
    roll: int = 0
    thrust: ThrustPlot | None = None
    is_red_lined: bool = False
    boost: Boost = "pivot"
    strikes: bool = False


@dataclass(frozen=True, slots=True)
class LacMovement:
    """A squadron's plot: the attitude it thrusts in, the one it ends in, and whether it displaces."""

    halfway: Attitude
    end: Attitude
    thrust: ThrustPlot | None = None
    displaces: bool = True
    strikes: bool = False


@dataclass(frozen=True, slots=True)
class Launch:
    """Salvoes of one mount at one target.

    ``lead`` is the ship whose range and bearing linked salvoes use, "" without a link. ``held`` are tubes
    held back for canister, by stage.
    """

    mount: str
    target: str
    stages: tuple[Stage, ...]
    warhead: Warhead = "laser head"
    lead: str = ""
    held: Mapping[Stage, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PodLaunch:
    """Pods fired at one target in one stage, guided by the fire control of one mount."""

    mount: str
    target: str
    stage: Stage
    pods: int
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Repair:
    """A track to be repaired, and how many parties go to each of its boxes."""

    track: str
    parties: int = 1


@dataclass(frozen=True, slots=True)
class LaunchPlot:
    """A ship's fire and its standing orders for the rest of the turn.

    ``decoy_worth`` is how many missiles more a decoy must stop to be spent, 0 for never. ``beam_targets``
    go before all others, in their order; ``holds_beams`` keeps the beams silent. ``repairs`` is a list of
    priorities, None the usual one. ``deploy`` pods, ``wedge`` and ``translates`` are other actions (A3.34).
    """

    launches: tuple[Launch, ...] = ()
    pods: tuple[PodLaunch, ...] = ()
    decoy_worth: int = 2
    beam_targets: tuple[str, ...] = ()
    holds_beams: bool = False
    lends: bool = True
    repairs: tuple[Repair, ...] | None = None
    deploy: int = 0
    wedge: Literal["up", "down"] | None = None
    translates: bool = False


Plot: TypeAlias = FacingPlot | MovementPlot | LacMovement | LaunchPlot
Plots: TypeAlias = Mapping[str, Plot]
"""A side's sheet: what it plots for each of its units, by id."""
