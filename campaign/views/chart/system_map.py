"""The system map: top view, side view on the same x, and the facts of both as rows.

Everything comes out of one report, a side's own or the umpire's. A range counts hexes, so what lies
at one range of the star is a hexagon: the rings are drawn as such, and a force drawn outside the
hyper limit is outside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt
from typing import Any

from campaign.engine.hexes import DIRECTIONS, STEP, true_range
from campaign.views.chart.labels import Label, Lettering
from campaign.views.chart.marks import Mark, age_words, marks_of, position_after
from campaign.views.chart.window import Window, window_around

Document = Mapping[str, Any]

WIDTH, HEIGHT = 880, 600
STRIP = 132
MINI_WIDTH, MINI_HEIGHT = 240, 130
FINEST_HEX = 5.0  # units; smaller hexes are only noise
LOOK_AHEAD = 20  # turns in which a closest approach is looked for
MOST_LABELS = 60
SCALE_BARS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True, slots=True)
class Ring:
    """What lies at one range: a path, its class and its words."""

    path: str
    style: str
    label: str
    rule: str
    at: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Body:
    """A star or planet on the paper."""

    name: str
    kind: str
    x: float
    y: float
    z: int
    size: float
    label: Label | None = None


@dataclass(frozen=True, slots=True)
class Approach:
    """Where two coasting things are closest at the end of a turn, and how close."""

    contact: str
    turn: int
    hexes: int
    path: str
    x: float
    y: float


@dataclass(slots=True)
class Strip:
    """The side view: altitude upwards in units of its own."""

    scale: float
    lines: list[tuple[float, int]]

    def up(self, z: float) -> float:
        """Return how far down the strip an altitude lies."""
        return round(STRIP / 2 - z * self.scale, 1)


@dataclass(frozen=True, slots=True)
class SideSpot:
    """A mark in the side view: how far down it lies, and its vector."""

    mark: Mark
    y: float
    path: str


@dataclass(slots=True)
class Chart:
    """A chart ready for its template."""

    window: Window
    system: Document
    hex_path: str
    hex_size: tuple[float, float]
    hex_origin: tuple[float, float]
    marks: list[Mark]
    bodies: list[Body]
    rings: list[Ring]
    strip: Strip
    bar: tuple[int, float] = (10, 80.0)
    approach: Approach | None = None
    side_approach: str = ""
    rows: list[Document] = field(default_factory=list)

    @property
    def has_hexes(self) -> bool:
        """Whether hexes are large enough to be drawn."""
        return self.window.scale >= FINEST_HEX

    @property
    def side_spots(self) -> list[SideSpot]:
        """The marks again, at their altitudes."""
        return [
            SideSpot(
                mark,
                self.strip.up(mark.z),
                ""
                if mark.tip is None
                else f"M{mark.x} {self.strip.up(mark.z)}L{mark.tip[0]} {self.strip.up(mark.tip_z)}",
            )
            for mark in self.marks
        ]

    @property
    def chosen(self) -> Mark | None:
        """The mark that the reader chose."""
        return next((mark for mark in self.marks if mark.is_chosen), None)


def systems_in_use(report: Document) -> list[Document]:
    """Return the systems of a report, those with something in them first."""
    used = {row["system"] for row in (*report["forces"], *report["contacts"])}
    return sorted(report["systems"], key=lambda system: system["key"] not in used)


def chart_of(
    report: Document,
    system_key: str,
    side_numbers: Mapping[str, int],
    link: Callable[[str, str], str],
    *,
    chosen: str = "",
    window: Window | None = None,
    hexes: Sequence[tuple[int, int]] = (),
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> Chart:
    """Return the chart of one system of a report; ``window`` shows everything unless one is given."""
    system = next(each for each in report["systems"] if each["key"] == system_key)
    if window is None:
        window = window_around([*_hexes_of(report, system_key), *hexes], *size)
    marks = marks_of(report, system_key, window, side_numbers, link)
    for mark in marks:
        mark.is_chosen = mark.id == chosen
    lettering = Lettering(window.width, window.height)
    for mark in marks:
        lettering.keep_clear(mark.x, mark.y)
    bodies = list(_bodies(system, window, lettering))
    if size == (WIDTH, HEIGHT):
        _letter(marks, lettering)
    strip = _strip(marks, system)
    _letter_strip(marks, strip, window)
    side = sqrt(3) * window.scale
    chart = Chart(
        window=window,
        system=system,
        hex_path=_hex_path(window.scale),
        hex_size=(round(side, 3), round(window.scale, 3)),
        hex_origin=window.at(0, 0),
        marks=marks,
        bodies=bodies,
        rings=list(_rings(system, window, lettering)),
        strip=strip,
        bar=_bar(window),
    )
    _measure(chart, report, system_key)
    return chart


def _hexes_of(report: Document, system: str) -> Iterator[tuple[int, int]]:
    """Yield the hexes that the first look at a map shows: the star, what is there and where it goes next."""
    yield 0, 0
    for force in report["forces"]:
        if force["system"] == system and force["place"] == "map":
            yield force["q"], force["r"]
            yield from ((ghost["q"], ghost["r"]) for ghost in force["ghosts"][:1])
    for contact in report["contacts"]:
        if contact["system"] == system and not contact["lost"]:
            yield contact["q"], contact["r"]


def _hex_path(scale: float) -> str:
    """Return the lines of the hex pattern's cell, three sides long and one hex high."""
    a, h = scale / sqrt(3), scale / 2
    points = [round(each * a, 3) for each in (0.5, 1, 2, 2.5, 3)]
    half, one, two, more, three = points
    return (
        f"M0 {h:.3f}H{half}L{one} 0H{two}L{more} {h:.3f}H{three}"
        f"M{half} {h:.3f}L{one} {scale:.3f}M{more} {h:.3f}L{two} {scale:.3f}"
    )


def _bodies(system: Document, window: Window, lettering: Lettering) -> Iterator[Body]:
    x, y = window.at(0, 0)
    name = f"{system['name']}, {system['star']}"
    lettering.keep_clear(x, y, 10)
    yield Body(name, "star", x, y, 0, 8.0, lettering.place(x, y, name))
    for body in system["bodies"]:
        x, y = window.at(body["q"], body["r"])
        if 0 <= x <= window.width and 0 <= y <= window.height:
            lettering.keep_clear(x, y)
            yield Body(body["name"], body["kind"], x, y, body.get("z", 0), 5.0, lettering.place(x, y, body["name"]))


def _rings(system: Document, window: Window, lettering: Lettering) -> Iterator[Ring]:
    for ring in system["rings"]:
        corners = [
            window.at(STEP[letter][0] * ring["radius"], STEP[letter][1] * ring["radius"]) for letter in DIRECTIONS
        ]
        path = "M" + "L".join(f"{x} {y}" for x, y in corners) + "Z"
        label = f"{ring['label']}, {ring['radius']} hexes"
        yield Ring(path, ring["style"], label, ring.get("rule", ""), _label_place(corners, window, label, lettering))


def _label_place(
    corners: Sequence[tuple[float, float]], window: Window, label: str, lettering: Lettering
) -> tuple[float, float] | None:
    """Return a point of a ring with free room for its words, nearest to the chart's upper middle; None for none."""
    points = [
        (round(ax + (bx - ax) * step / 12, 1), round(ay + (by - ay) * step / 12, 1))
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True)
        for step in range(13)
    ]
    ranked = sorted(points, key=lambda point: (hypot(point[0] - window.width / 2, point[1] - 30), point))
    return next((point for point in ranked if lettering.claim(*point, label)), None)


def _letter(marks: list[Mark], lettering: Lettering) -> None:
    """Give labels to the chosen mark first, then own forces, then contacts, as far as there is room."""
    ranked = sorted(marks, key=lambda mark: (not mark.is_chosen, mark.kind != "force"))
    for number, mark in enumerate(ranked):
        if number < MOST_LABELS:
            mark.label = lettering.place(mark.x, mark.y, mark.name, mark.note) or lettering.place(
                mark.x, mark.y, mark.name
            )


def _strip(marks: Sequence[Mark], system: Document) -> Strip:
    heights = [abs(z) for mark in marks for z in (mark.z, mark.tip_z)]
    heights += [abs(body.get("z", 0)) for body in system["bodies"]]
    highest = max([*heights, 4])
    step = next(step for step in (2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 100_000) if step * 2 >= highest)
    scale = (STRIP / 2 - 16) / (2 * step)
    strip = Strip(scale, [])
    strip.lines = [(strip.up(z), z) for z in (2 * step, step, 0, -step, -2 * step)]
    return strip


def _letter_strip(marks: Sequence[Mark], strip: Strip, window: Window) -> None:
    lettering = Lettering(window.width, STRIP)
    for mark in marks:
        lettering.keep_clear(mark.x, strip.up(mark.z), 6)
    for mark in sorted(marks, key=lambda mark: (not mark.is_chosen, mark.kind != "force"))[:MOST_LABELS]:
        mark.side_label = lettering.place(mark.x, strip.up(mark.z), mark.name)


def _bar(window: Window) -> tuple[int, float]:
    """Return a scale bar: whole hexes, and its length in units."""
    hexes = next((each for each in SCALE_BARS if window.length(each) >= 60), SCALE_BARS[-1])
    return hexes, window.length(hexes)


def _measure(chart: Chart, report: Document, system: str) -> None:
    """Work out, for the chosen force, range and closest approach to every contact; list the map as rows."""
    chosen = next((force for force in report["forces"] if chart.chosen and force["id"] == chart.chosen.id), None)
    if chosen is not None and chosen["place"] != "map":
        chosen = None
    closest: tuple[int, int, Document] | None = None
    for contact in report["contacts"]:
        if contact["system"] != system or contact["lost"]:
            continue
        row: dict[str, Any] = {"contact": contact, "age": age_words(contact["age"]), "range": None, "approach": None}
        if chosen is not None:
            row["range"] = _range_after(chosen, contact, 0)
            approach = _closest(chosen, contact)
            if approach is not None:
                hexes, turns = approach
                row["approach"] = (hexes, report["turn"] + turns)
                if closest is None or hexes < closest[0]:
                    closest = hexes, turns, contact
        chart.rows.append(row)
    if chosen is not None:
        chart.rows.sort(key=lambda row: (row["range"] is None, row["range"] or 0, row["contact"]["number"]))
    if chosen is not None and closest is not None:
        _draw_approach(chart, chosen, closest, report["turn"])


def _range_after(force: Document, contact: Document, turns: int) -> int | None:
    one, other = position_after(force, turns), position_after(contact, turns)
    if other is None and turns == 0:
        other = contact["q"], contact["r"], contact["z"]
    if one is None or other is None:
        return None
    return true_range(*(a - b for a, b in zip(one, other, strict=True)))


def _closest(force: Document, contact: Document) -> tuple[int, int] | None:
    """Return the least range at the end of a coming turn if both coast, and after how many turns."""
    ranges = [(_range_after(force, contact, turns), turns) for turns in range(1, LOOK_AHEAD + 1)]
    known = [(hexes, turns) for hexes, turns in ranges if hexes is not None]
    return min(known) if known else None


def _draw_approach(chart: Chart, force: Document, closest: tuple[int, int, Document], turn: int) -> None:
    hexes, turns, contact = closest
    one, other = position_after(force, turns), position_after(contact, turns)
    if one is None or other is None:
        return
    ax, ay = chart.window.at(one[0], one[1])
    bx, by = chart.window.at(other[0], other[1])
    middle = round((ax + bx) / 2, 1), round((ay + by) / 2, 1)
    chart.approach = Approach(contact["label"], turn + turns, hexes, f"M{ax} {ay}L{bx} {by}", *middle)
    chart.side_approach = f"M{ax} {chart.strip.up(one[2])}L{bx} {chart.strip.up(other[2])}"


def mini_chart(report: Document, system_key: str, side_numbers: Mapping[str, int], around: Window | None) -> Chart:
    """Return a small picture of a system for the GM's comparison; ``around`` gives all of them one window."""
    return chart_of(
        report, system_key, side_numbers, lambda kind, name: "", window=around, size=(MINI_WIDTH, MINI_HEIGHT)
    )
