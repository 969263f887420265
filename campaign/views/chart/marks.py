"""What is drawn on a chart: forces and contacts of a report, each with its shape, quality, vector and ghosts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import atan2, degrees
from typing import Any

from campaign.engine.vectors import to_axial
from campaign.templatetags.flag_bridge import SHAPES, UNKNOWN_SIDE, signed
from campaign.views.chart.labels import Label
from campaign.views.chart.window import Window

Document = Mapping[str, Any]
STACKED = 7.0  # units that marks in one hex are set apart


@dataclass(frozen=True, slots=True)
class Spot:
    """A small ghost: where a thing will be at the end of a turn."""

    x: float
    y: float
    z: float
    turn: int


@dataclass(slots=True)
class Mark:
    """One force or contact on the paper; ``x, y`` in units of the top view, ``height`` its z in hexes."""

    id: str
    kind: str
    name: str
    number: int
    quality: str
    x: float
    y: float
    z: int
    q: int
    r: int
    tip: tuple[float, float] | None = None
    tip_z: int = 0
    angle: float = 0.0
    ghosts: list[Spot] = field(default_factory=list)
    age: float = 0.0
    note: str = ""
    href: str = ""
    is_chosen: bool = False
    label: Label | None = None
    side_label: Label | None = None

    @property
    def shape(self) -> str:
        """The symbol of its side."""
        return SHAPES.get(self.number, SHAPES[UNKNOWN_SIDE])

    @property
    def trail(self) -> str:
        """The dotted path through the ghosts."""
        start = self.tip if self.tip is not None else (self.x, self.y)
        return "M{} {}".format(*start) + "".join(f"L{spot.x} {spot.y}" for spot in self.ghosts)

    @property
    def path(self) -> str:
        """The vector to the end of the coming turn."""
        return "" if self.tip is None else f"M{self.x} {self.y}L{self.tip[0]} {self.tip[1]}"


def marks_of(
    report: Document, system: str, window: Window, side_numbers: Mapping[str, int], link: Callable[[str, str], str]
) -> list[Mark]:
    """Return the marks of a report in one system: own forces first, then contacts by their numbers.

    In the umpire's view every row names its own side. ``link(kind, id)`` gives the address that chooses one.
    """
    found = [*_forces(report, system, window, side_numbers), *_contacts(report, system, window, side_numbers)]
    places: dict[tuple[int, int], int] = {}
    for mark in found:
        mark.href = link(mark.kind, mark.id)
        before = places.get((mark.q, mark.r), 0)
        places[mark.q, mark.r] = before + 1
        mark.x = round(mark.x + before * STACKED, 1)
    return found


def _forces(report: Document, system: str, window: Window, side_numbers: Mapping[str, int]) -> Iterator[Mark]:
    for force in report["forces"]:
        if force["place"] != "map" or force["system"] != system:
            continue
        owner = report["side"] or force.get("side")
        ships = len(force["ships"])
        mark = Mark(
            id=force["id"],
            kind="force",
            name=force["name"],
            number=side_numbers.get(owner, UNKNOWN_SIDE),
            quality="q5",
            x=window.at(force["q"], force["r"])[0],
            y=window.at(force["q"], force["r"])[1],
            z=force["z"],
            q=force["q"],
            r=force["r"],
            note=f"z {signed(force['z'])}, " + (f"{ships} ship{'s' if ships != 1 else ''}" if ships else "no ship"),
        )
        _fly(mark, force["ghosts"], window)
        yield mark


def _contacts(report: Document, system: str, window: Window, side_numbers: Mapping[str, int]) -> Iterator[Mark]:
    for contact in report["contacts"]:
        if contact["system"] != system or contact["lost"]:
            continue
        number = side_numbers.get(contact["side"] or "", UNKNOWN_SIDE)
        pips = contact["pips"]
        quality = "footprint" if pips == 0 else "q1" if pips == 1 else "q5" if pips >= 5 else "q2"
        x, y = window.at(contact["q"], contact["r"])
        mark = Mark(
            id=contact["id"],
            kind="contact",
            name=str(contact["number"]),
            number=number,
            quality=quality,
            x=x,
            y=y,
            z=contact["z"],
            q=contact["q"],
            r=contact["r"],
            note=f"z {signed(contact['z'])}, {age_words(contact['age'])}",
            age=window.length(contact["reach"]),
        )
        _fly(mark, contact["ghosts"], window, is_seen_now=not contact["age"])
        yield mark


def _fly(mark: Mark, ghosts: list[Document], window: Window, *, is_seen_now: bool = True) -> None:
    """Draw the way ahead: solid to the end of the coming turn, dotted through the ghosts after it."""
    spots = [Spot(*window.at(ghost["q"], ghost["r"]), z=ghost["z"], turn=ghost["turn"]) for ghost in ghosts]
    if spots and is_seen_now and (spots[0].x, spots[0].y, spots[0].z) != (mark.x, mark.y, mark.z):
        first = spots[0]
        mark.tip, mark.tip_z = (first.x, first.y), int(first.z)
        mark.angle = round(degrees(atan2(first.y - mark.y, first.x - mark.x)), 1)
        mark.ghosts = spots[1:]
    elif spots and any((spot.x, spot.y, spot.z) != (mark.x, mark.y, mark.z) for spot in spots):
        mark.ghosts = spots


def age_words(age: int) -> str:
    """Return how old a contact is, in words."""
    return "now" if age == 0 else f"{age} turn{'s' if age != 1 else ''} old"


def position_after(row: Document, turns: int) -> tuple[int, int, int] | None:
    """Return where a coasting force or contact of known velocity is after so many turns."""
    if row["velocity"] is None:
        return None
    step = to_axial(row["velocity"])
    turns += row.get("age", 0)
    return row["q"] + turns * step.q, row["r"] + turns * step.r, row["z"] + turns * step.z
