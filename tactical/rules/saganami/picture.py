"""A step of a battle as a picture: the map from above and from the side, as SVG text.

Ships are arrows along their noses, with a line to the midpoint and the end of the turn; salvoes are thin
lines from shooter to target, beams thick ones. The side view shows altitude over the way along the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

from campaign.engine.hexes import Hex, to_plane
from campaign.engine.ruleset import Event
from tactical.rules.saganami.state import Ship, State

WIDTH, TOP_HEIGHT, SIDE_HEIGHT, MARGIN = 800, 560, 200, 40
COLOURS: Final = ("#1f618d", "#b9770e", "#7d3c98", "#117a65", "#943126", "#5d6d7e")
Point = tuple[float, float]


def picture(state: State, events: Iterable[Event] = ()) -> str:
    """Return the SVG of a battle as it stands, with the markers, salvoes and beams of the step's events."""
    listed = tuple(events)
    ships = [ship for ship in state.ships if ship.attitude is not None]
    markers = _markers(listed)
    places = [ship.place for ship in ships]
    for each in markers.values():
        places += each
    frame = _Frame(places or [Hex(0, 0, 0)])
    colours = {side: COLOURS[index % len(COLOURS)] for index, side in enumerate(state.sides)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {TOP_HEIGHT + SIDE_HEIGHT}" role="img">',
        f"<title>{escape(state.title)}, turn {state.turn}</title>",
        f'<rect width="{WIDTH}" height="{TOP_HEIGHT + SIDE_HEIGHT}" fill="#fbfcfc"/>',
        f'<text x="10" y="18" font-size="13">From above: A is up. One grid line every {frame.grid} hexes.</text>',
        f'<text x="10" y="{TOP_HEIGHT + 16}" font-size="13">From the side: altitude over the map.</text>',
        f'<line x1="0" y1="{TOP_HEIGHT}" x2="{WIDTH}" y2="{TOP_HEIGHT}" stroke="#aab7b8"/>',
        *frame.lines(),
        *_shots(state, listed, frame, colours),
    ]
    for ship in ships:
        parts += _ship(ship, markers.get(ship.id, ()), frame, colours[ship.side])
    parts.append("</svg>")
    return "\n".join(parts)


class _Frame:
    """The scale at which a set of places fills both views."""

    def __init__(self, places: list[Hex]) -> None:
        flat = [to_plane(place.q, place.r) for place in places]
        self.left, right = min(x for x, _ in flat) - 2, max(x for x, _ in flat) + 2
        self.low, high = min(y for _, y in flat) - 2, max(y for _, y in flat) + 2
        self.ground: float = min(place.z for place in places) - 2
        sky = max(place.z for place in places) + 2
        self.scale = min((WIDTH - 2 * MARGIN) / (right - self.left), (TOP_HEIGHT - 2 * MARGIN) / (high - self.low))
        self.rise = min(self.scale, (SIDE_HEIGHT - 2 * MARGIN) / (sky - self.ground))
        # What one direction leaves free is shared out on both sides.
        self.left -= ((WIDTH - 2 * MARGIN) / self.scale - (right - self.left)) / 2
        right = self.left + (WIDTH - 2 * MARGIN) / self.scale
        self.low -= ((TOP_HEIGHT - 2 * MARGIN) / self.scale - (high - self.low)) / 2
        high = self.low + (TOP_HEIGHT - 2 * MARGIN) / self.scale
        self.ground -= ((SIDE_HEIGHT - 2 * MARGIN) / self.rise - (sky - self.ground)) / 2
        self.right, self.high = right, high
        self.grid = next((each for each in (5, 10, 20, 50, 100) if each * self.scale > 30), 200)

    def above(self, place: Hex) -> Point:
        """Return where a place lies in the upper view."""
        x, y = to_plane(place.q, place.r)
        return MARGIN + (x - self.left) * self.scale, TOP_HEIGHT - MARGIN - (y - self.low) * self.scale

    def beside(self, place: Hex) -> Point:
        """Return where a place lies in the lower view."""
        bottom = TOP_HEIGHT + SIDE_HEIGHT - MARGIN
        return self.above(place)[0], bottom - (place.z - self.ground) * self.rise

    def lines(self) -> list[str]:
        """Return the grid of the upper view."""
        found = []
        for step in range(int(self.left) // self.grid, int(self.right) // self.grid + 1):
            x = MARGIN + (step * self.grid - self.left) * self.scale
            found.append(_line((x, 24), (x, TOP_HEIGHT), "#e5e8e8", 1))
        for step in range(int(self.low) // self.grid, int(self.high) // self.grid + 1):
            y = TOP_HEIGHT - MARGIN - (step * self.grid - self.low) * self.scale
            found.append(_line((0, y), (WIDTH, y), "#e5e8e8", 1))
        return found


def _line(start: Point, end: Point, colour: str, width: float, dashes: str = "") -> str:
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="{colour}" stroke-width="{width}"{dash}/>'
    )


def _markers(events: tuple[Event, ...]) -> dict[str, tuple[Hex, Hex, Hex]]:
    """Return the start, midpoint and end of each unit that the events tell of."""
    return {
        event.data["ship"]: (Hex(*event.data["start"]), Hex(*event.data["midpoint"]), Hex(*event.data["end"]))
        for event in events
        if event.kind == "markers-placed"
    }


def _shots(state: State, events: tuple[Event, ...], frame: _Frame, colours: Mapping[str, str]) -> list[str]:
    found = []
    for event in events:
        if event.kind not in ("salvo-launched", "beams-fired"):
            continue
        shooter, target = state.find(event.data["shooter"]), state.find(event.data["target"])
        if shooter is None or target is None:
            continue
        width, dashes = (0.6, "4 3") if event.kind == "salvo-launched" else (2.0, "")
        for view in (frame.above, frame.beside):
            found.append(_line(view(shooter.place), view(target.place), colours[shooter.side], width, dashes))
    return found


def _ship(ship: Ship, markers: tuple[Hex, ...], frame: _Frame, colour: str) -> list[str]:
    parts = []
    for view in (frame.above, frame.beside):
        for start, end in pairwise(markers):
            parts.append(_line(view(start), view(end), colour, 1, "2 2"))
        for marker in markers[1:]:
            x, y = view(marker)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="none" stroke="{colour}"/>')
    fill = colour if ship.fate == "active" else "none"
    x, y = frame.above(ship.place)
    parts.append(f'<polygon points="{_arrow(x, y, _heading(ship))}" fill="{fill}" stroke="{colour}"/>')
    label = escape(f"{ship.seen_name} ({ship.place.z:+d})" + ("" if ship.fate == "active" else f", {ship.fate}"))
    parts.append(f'<text x="{x + 8:.1f}" y="{y - 6:.1f}" font-size="11" fill="{colour}">{label}</text>')
    x, y = frame.beside(ship.place)
    parts.append(f'<rect x="{x - 3:.1f}" y="{y - 2:.1f}" width="6" height="4" fill="{fill}" stroke="{colour}"/>')
    return parts


def _heading(ship: Ship) -> float:
    """Return the nose's direction on the map in radians clockwise from A."""
    return 0.0 if ship.attitude is None else ship.attitude.forward.column * pi / 6


def _arrow(x: float, y: float, heading: float) -> str:
    points = []
    for angle, length in ((0.0, 9.0), (2.5, 7.0), (pi, 3.0), (-2.5, 7.0)):
        points.append(f"{x + length * sin(heading + angle):.1f},{y - length * cos(heading + angle):.1f}")
    return " ".join(points)
