"""Shooting bearings: range, window and impact window from one point to another (C1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from campaign.engine.hexes import Hex, distance_in_plane, true_range
from campaign.rulebooks.saganami.bearings import windows_of_bearing
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.avid import Place, opposite, read_window


@dataclass(frozen=True, slots=True)
class Bearing:
    """What one point sees of another.

    ``range`` in hexes, ``horizontal`` the hexes on the map, ``altitude`` the target's levels above the
    shooter (negative below). ``windows`` is empty for a target in the shooter's own place, has two for
    one on a spine of the green ring (the attacker chooses, C5.12), else one.
    """

    range: int
    horizontal: int
    altitude: int
    windows: tuple[Place, ...]

    @property
    def impact_windows(self) -> tuple[Place, ...]:
        """The windows through which the target sees it come: the reciprocals, in the same order."""
        return tuple(opposite(window) for window in self.windows)


@rule("C1.11", "C1.122", "C1.13", "C1.14", "C1.16", "C1.17", "C5.12", "A2.313", "A2.314", "B1.14")
def shoot(shooter: Hex, target: Hex) -> Bearing:
    """Return the range and bearing from one point to another; either may be a ship or one of its markers."""
    return _seen(target.less(shooter))


@lru_cache(maxsize=1 << 16)
def _seen(step: Hex) -> Bearing:
    """Return the bearing of a step; the same steps come again and again in a battle."""
    horizontal = distance_in_plane(step.q, step.r)
    seen = windows_of_bearing(*step) if step != Hex(0, 0, 0) else ()
    return Bearing(
        range=true_range(*step),
        horizontal=horizontal,
        altitude=step.z,
        windows=tuple(read_window(name) for name in seen),
    )


@rule("C2.17", "C2.172", "C4.143")
def are_adjacent(one: Hex, other: Hex) -> bool:
    """Return whether two places are at range 1, or the same place (LAC squadrons may share one)."""
    return true_range(*other.less(one)) <= 1
