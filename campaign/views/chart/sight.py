"""What a reader asked a map to show: system, turn, window, and the force or contact chosen, out of the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from campaign.services.refusals import not_there
from campaign.views.chart.system_map import Chart, chart_of, systems_in_use
from campaign.views.chart.window import Window

STEP = 0.25
FACTOR = 1.6
FARTHEST, NEAREST = 0.2, 400.0  # units a hex


@dataclass(frozen=True, slots=True)
class Sight:
    """A map's address taken apart; ``kept`` goes with every link of the page."""

    path: str
    kept: Mapping[str, str]
    system: str
    chosen: str
    chart: Chart

    def link(self, **change: Any) -> str:
        """Return this map's address with some parts changed; None takes a part away."""
        return address(self.path, {**self.kept, **change})

    @property
    def tools(self) -> list[tuple[str, str, str]]:
        """Zoom and pan as links: sign, what it does, address."""
        window = self.chart.window
        moves = (
            ("+", "Closer", window.zoomed(FACTOR)),
            ("−", "Farther", window.zoomed(1 / FACTOR)),
            ("←", "Left", window.moved(-STEP, 0)),
            ("→", "Right", window.moved(STEP, 0)),
            ("↑", "Up", window.moved(0, STEP)),
            ("↓", "Down", window.moved(0, -STEP)),
        )
        found = [
            (sign, words, self.link(x=f"{each.x:.2f}", y=f"{each.y:.2f}", k=f"{each.scale:.3f}"))
            for sign, words, each in moves
        ]
        return [*found, ("◎", "Everything", self.link(x=None, y=None, k=None))]


def address(path: str, parts: Mapping[str, Any]) -> str:
    """Return a path with the parts that say something."""
    query = urlencode({key: value for key, value in parts.items() if value not in (None, "")})
    return f"{path}?{query}" if query else path


def sight_of(path: str, asked: QueryDict, report: dict[str, Any], numbers: Mapping[str, int]) -> Sight:
    """Return what an address asks to see of a report; 404 for a system that is not in it."""
    systems = systems_in_use(report)
    if not systems:
        raise not_there("map")
    chosen = asked.get("force", "") or asked.get("contact", "")
    rows = {row["id"]: row for row in (*report["forces"], *report["contacts"])}
    system = asked.get("system", "") or (rows[chosen]["system"] if chosen in rows else systems[0]["key"])
    if all(each["key"] != system for each in systems):
        raise not_there("system")
    kept = {key: asked.get(key, "") for key in ("turn", "as", "system", "force", "contact", "x", "y", "k")}

    def link(kind: str, name: str) -> str:
        choice = {"force": None, "contact": None, kind: name}
        return address(path, {**kept, "system": system, **choice}) + "#chosen"

    window = _window(asked)
    chart = chart_of(report, system, numbers, link, chosen=chosen, window=window)
    return Sight(path, kept, system, chosen, chart)


def _window(asked: QueryDict) -> Window | None:
    """Return the window an address names, or None for the one that shows everything."""
    try:
        x, y, scale = (float(str(asked[key])) for key in ("x", "y", "k"))
    except (KeyError, ValueError):
        return None
    if not (abs(x) < 1e6 and abs(y) < 1e6 and FARTHEST <= scale <= NEAREST):
        return None
    return Window(x, y, scale, 880, 600)
