"""Attitude: where a ship's nose points, how it is rolled, and the six markers that follow (B2.13 to B2.15).

An attitude is exact: the Forward marker points through the middle of a window, and the roll is a
number of steps of 30 degrees to starboard from the upright position, in which Top lies as near to
straight up as the nose allows. With the nose straight up or down there is no upright position; the
roll is then counted from the one reached by pitching up or down while heading A. The other five
markers are derived; only the places that ``tables.MARKERS`` lists ever hold one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from campaign.engine.errors import refuse
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.avid import WINDOWS, Place, opposite, place_at, read_place, read_window
from tactical.rules.saganami.tables import MARKERS

Facing = Literal["forward", "starboard", "aft", "port"]
FACINGS: tuple[Facing, ...] = ("forward", "starboard", "aft", "port")
ROLLS = 12
_WINDOWS = frozenset(WINDOWS)


@rule("B1.11", "B2.151")
@dataclass(frozen=True, slots=True, order=True)
class Attitude:
    """Forward's window, and the roll in steps of 30 degrees to starboard (0 upright, 6 inverted, 11 one to port)."""

    forward: Place
    roll: int = 0

    def __post_init__(self) -> None:
        """Refuse a nose on a spine (B2.151) and a roll that is not a step."""
        if self.forward not in _WINDOWS or not 0 <= self.roll < ROLLS:
            raise ValueError(f"No attitude: {self.forward}, roll {self.roll}")

    def as_document(self) -> dict[str, str | int]:
        """Return the attitude as the state stores it: the window's name and the roll in steps."""
        return {"forward": str(self.forward), "roll": self.roll}


def read_attitude(forward: str, roll: int, at: str = "") -> Attitude:
    """Return the attitude of a document: a window's name and a roll in steps of 30 degrees, any whole number."""
    return Attitude(read_window(forward, at + "/forward"), roll % ROLLS)


@dataclass(frozen=True, slots=True)
class Markers:
    """The six orientation markers on the AVID; opposite ones are six windows apart."""

    forward: Place
    aft: Place
    starboard: Place
    port: Place
    top: Place
    bottom: Place

    def facing(self, facing: Facing) -> Place:
        """Return the place of one of the four markers round the wedge."""
        place: Place = getattr(self, facing)
        return place

    def as_document(self) -> dict[str, str]:
        """Return each marker's place by name."""
        return {name: str(getattr(self, name)) for name in ("forward", "aft", "starboard", "port", "top", "bottom")}


def _top(forward: Place, roll: int) -> Place:
    """Return where Top lies for a nose in that window and a roll in steps to starboard."""
    ring, column = forward
    if ring > 0:
        # Nose up is the same frame as nose down with Forward and Aft exchanged, which turns starboard into port.
        ring, column, roll = -ring, column + 6, -roll
    steps = roll % ROLLS
    side = 1 if steps <= 6 else -1
    # A spine belongs to a hex corner, so only the blue ring below the nose differs between edge and corner.
    offsets = MARKERS[ring, column % 2 if ring == -1 else 0]
    top_ring, over = offsets[steps if side == 1 else ROLLS - steps]
    return place_at(top_ring, column + side * over)


@cache
@rule("B2.13", "B2.132", "B2.134", "B2.135", "B2.14", "B2.15", "B2.152", "B2.153", "Z1.0", "A2.224")
def markers(attitude: Attitude) -> Markers:
    """Return the places of the six orientation markers.

    Starboard is where Top would be after a quarter roll to starboard, so one table serves all.
    """
    top = _top(attitude.forward, attitude.roll)
    starboard = _top(attitude.forward, attitude.roll + 3)
    return Markers(attitude.forward, opposite(attitude.forward), starboard, opposite(starboard), top, opposite(top))


@rule("B2.14", "Z1.0")
def attitude_of_markers(forward: Place, top: Place) -> Attitude:
    """Return the attitude with Forward and Top in those places.

    Raises ``ProblemsError`` (markers-not-square) where no roll brings Top there.
    """
    for roll in range(ROLLS):
        if _top(forward, roll) == top:
            return Attitude(forward, roll)
    message = f"With the nose in {forward} the Top marker cannot lie in {top}: they are not a quarter turn apart."
    raise refuse("markers-not-square", message, place="/top", rule="B2.135")


def read_markers(forward: str, top: str) -> Attitude:
    """Return the attitude of a Forward and a Top marker given by name."""
    return attitude_of_markers(read_window(forward, "/forward"), read_place(top, "/top"))


@rule("B2.212")
def rolled(attitude: Attitude, steps: int) -> Attitude:
    """Return the attitude after a roll of so many windows: positive to starboard, negative to port."""
    return Attitude(attitude.forward, (attitude.roll + steps) % ROLLS)


@rule("B2.211")
def pivoted(attitude: Attitude, path: Sequence[Place]) -> Attitude:
    """Return the attitude after the nose has gone through the windows of ``path``.

    The roll against the horizon is kept. Over the purple window it is kept against the ship's own
    frame, so that a nose that goes up one side and down the other comes out inverted.
    """
    here = attitude
    for window in path:
        here = Attitude(window, (here.roll + _twist(here.forward, window)) % ROLLS)
    return here


def _twist(start: Place, end: Place) -> int:
    """Return the steps by which the roll's reference turns between two windows that touch."""
    if abs(end.ring) == 3 and abs(start.ring) != 3:
        return -start.column if end.ring > 0 else start.column
    if abs(start.ring) == 3 and abs(end.ring) != 3:
        return end.column if start.ring > 0 else -end.column
    return 0


def roll_steps_to(attitude: Attitude, top: Place) -> int:
    """Return the shortest roll that brings Top to a place, in steps (6 to -5, starboard positive; B2.25)."""
    steps = (attitude_of_markers(attitude.forward, top).roll - attitude.roll) % ROLLS
    return steps if steps <= 6 else steps - ROLLS
