"""The window of a chart: which part of a system's plane is shown, and where a hex lies on the paper.

A runs up the page, as on a map with A to the north: x = q times the root of 3 over 2, y = r + q/2 in
hexes, and y grows downwards on the paper. ``scale`` is units of the drawing for one hex.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from campaign.engine.hexes import to_plane

LEAST_SPAN = 12.0  # hexes across, so that a lone force is not drawn as large as the page
MARGIN = 1.3


@dataclass(frozen=True, slots=True)
class Window:
    """A view of the plane: ``x, y`` in hexes at the middle, ``scale`` units a hex, size in units."""

    x: float
    y: float
    scale: float
    width: int
    height: int

    def at(self, q: float, r: float) -> tuple[float, float]:
        """Return where a hex lies on the paper, in units."""
        return self.of_plane(q * sqrt(3) / 2, r + q / 2)

    def of_plane(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the plane (in hexes) lies on the paper."""
        return (
            round((x - self.x) * self.scale + self.width / 2, 1),
            round(self.height / 2 - (y - self.y) * self.scale, 1),
        )

    def length(self, hexes: float) -> float:
        """Return a distance in units."""
        return round(hexes * self.scale, 1)

    def zoomed(self, factor: float) -> Window:
        """Return the window with everything ``factor`` times as large."""
        return Window(self.x, self.y, self.scale * factor, self.width, self.height)

    def moved(self, right: float, up: float) -> Window:
        """Return the window moved by parts of its own size."""
        return Window(
            self.x + right * self.width / self.scale,
            self.y + up * self.height / self.scale,
            self.scale,
            self.width,
            self.height,
        )


def window_around(hexes: Iterable[tuple[int, int]], width: int, height: int) -> Window:
    """Return the window that shows all of some hexes with a margin."""
    points = [to_plane(q, r) for q, r in hexes] or [(0.0, 0.0)]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    across = max((right - left) * MARGIN, LEAST_SPAN)
    along = max((high - low) * MARGIN, LEAST_SPAN * height / width)
    scale = min(width / across, height / along)
    return Window((left + right) / 2, (low + high) / 2, round(scale, 3), width, height)
