"""Damage tracks drawn: one small picture in ink for each, since a sheet has hundreds of boxes.

The shapes are those of the record sheet: squares, circles, numbered octagons, a W for a sail, a w for a damage
control party, a C for a cascade, a star. A box that is marked off is crossed.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

SIDE = 33  # tenths of a millimetre
STEP = 37
LETTERS = {"wrench": "w", "cascade": "C", "sail": "W", "star": "\u2605"}
HEAVY = ("wrench", "cascade", "star")
OCTAGON = ((10, 0), (23, 0), (33, 10), (33, 23), (23, 33), (10, 33), (0, 23), (0, 10))


@dataclass(frozen=True, slots=True)
class Box:
    """A box of a track: its kind, what is printed in it, whether it is marked off."""

    kind: str
    text: str
    is_hit: bool


def _shape(kind: str, x: int, y: int) -> str:
    stroke = 7 if kind in HEAVY else 4
    if kind == "octagon":
        points = " ".join(f"{x + px},{y + py}" for px, py in OCTAGON)
        return f'<polygon points="{points}" stroke-width="6"/>'
    if kind in ("circle", "weapon"):
        return f'<circle cx="{x + SIDE / 2}" cy="{y + SIDE / 2}" r="{SIDE / 2}" stroke-width="4"/>'
    corner = ' rx="9"' if kind == "padding" else ""
    fill = ' fill="#e6e6e6"' if kind == "wrench" else ""
    return f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" stroke-width="{stroke}"{corner}{fill}/>'


def _box(box: Box, x: int, y: int) -> str:
    parts = [_shape(box.kind, x, y)]
    text = LETTERS.get(box.kind, box.text)
    if text:
        size = 24 if box.kind == "star" else 18 if len(text) < 3 else 13
        parts.append(
            f'<text x="{x + SIDE / 2}" y="{y + SIDE / 2 + size * 0.36:.1f}" font-size="{size}">{escape(text)}</text>'
        )
    if box.is_hit:
        end_x, end_y = x + SIDE, y + SIDE
        parts.append(f'<path d="M{x} {y}L{end_x} {end_y}M{x} {end_y}L{end_x} {y}" stroke-width="8"/>')
    return "".join(parts)


def boxes_drawing(boxes: Sequence[Box], per_row: int) -> dict[str, Any]:
    """Return boxes as an SVG of so many to a row: ``svg``, and ``width`` and ``height`` in tenths of a millimetre."""
    columns = max(min(len(boxes), per_row), 1)
    rows = max(-(-len(boxes) // per_row), 1)
    width, height = (columns - 1) * STEP + SIDE + 8, (rows - 1) * STEP + SIDE + 8
    drawn = "".join(
        _box(box, 4 + index % per_row * STEP, 4 + index // per_row * STEP) for index, box in enumerate(boxes)
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<g fill="none" stroke="#000" font-family="DejaVu Sans" text-anchor="middle">{drawn}</g></svg>'
    )
    # Letters are filled and not outlined; the group draws lines only.
    return {"svg": svg.replace("<text ", '<text fill="#000" stroke="none" '), "width": width, "height": height}
