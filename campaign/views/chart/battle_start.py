"""How a battle begins, from above: the forces' places on the tactical map and their velocities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import atan2, degrees
from typing import Any

from campaign.engine.vectors import to_axial
from campaign.templatetags.flag_bridge import signed
from campaign.views.chart.labels import Lettering
from campaign.views.chart.marks import Mark
from campaign.views.chart.window import Window, window_around

WIDTH, HEIGHT = 560, 340


@dataclass(slots=True)
class StartChart:
    """The picture for its template; ``rows`` say the same in words."""

    window: Window
    marks: list[Mark]
    rows: list[dict[str, Any]] = field(default_factory=list)


def start_chart(engagement: Mapping[str, Any], numbers: Mapping[str, int]) -> StartChart | None:
    """Return the picture of a set engagement, or None before it is set."""
    setting = engagement.get("setting")
    if not setting:
        return None
    forces = {
        force["id"]: (side, force["name"]) for side, each in engagement["sides"].items() for force in each["forces"]
    }
    rows = []
    for mark, placed in setting["forces"].items():
        side, name = forces[mark]
        step = to_axial(placed["velocity"])
        at = placed["position"]
        rows.append(
            {"id": mark, "side": side, "name": name, **placed, "step": placed.get("step"), "tip": step, "at": at}
        )
    hexes = [(row["at"]["q"], row["at"]["r"]) for row in rows]
    hexes += [(row["at"]["q"] + row["tip"].q, row["at"]["r"] + row["tip"].r) for row in rows]
    window = window_around(hexes, WIDTH, HEIGHT)
    lettering = Lettering(WIDTH, HEIGHT)
    marks = [_mark(row, window, numbers) for row in rows]
    for each in marks:
        lettering.keep_clear(each.x, each.y)
    for each in marks:
        each.label = lettering.place(each.x, each.y, each.name, each.note)
    return StartChart(window, marks, rows)


def _mark(row: Mapping[str, Any], window: Window, numbers: Mapping[str, int]) -> Mark:
    at, tip = row["at"], row["tip"]
    x, y = window.at(at["q"], at["r"])
    end = window.at(at["q"] + tip.q, at["r"] + tip.r)
    return Mark(
        id=row["id"],
        kind="force",
        name=row["name"],
        number=numbers.get(row["side"], 6),
        quality="q5",
        x=x,
        y=y,
        z=at["z"],
        q=at["q"],
        r=at["r"],
        tip=end if end != (x, y) else None,
        tip_z=at["z"] + tip.z,
        angle=round(degrees(atan2(end[1] - y, end[0] - x)), 1),
        note=f"z {signed(at['z'])}",
    )
