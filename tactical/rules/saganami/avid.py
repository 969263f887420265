"""The AVID: the sphere round a ship as 50 windows, fixed relative to the map (B2.1).

A place on it is a ring and a column. Rings count 30 degrees from -3 (purple, straight down) over 0
(yellow) to +3 (purple, straight up); columns count 30 degrees clockwise from A (0 is A, 1 is A/B,
11 is F/A). The green rings have windows in the six hex-edge directions only; the border between two
of them is a spine, where the markers of a rolled ship may lie but never its Forward and Aft (B2.15).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from campaign.engine.errors import Problem, pointer, refuse
from campaign.rulebooks.saganami.bearings import COLUMNS
from campaign.rulebooks.saganami.source import rule

RING_NAMES = ("yellow", "blue", "green", "purple")


class Place(NamedTuple):
    """A window of the AVID, or a spine between two green ones."""

    ring: int
    column: int

    def __str__(self) -> str:
        """Return the name, such as "A/B blue+", "C yellow" or "purple-"; a spine is "A/B green+"."""
        ring = ring_name(self)
        return ring if abs(self.ring) == 3 else f"{COLUMNS[self.column]} {ring}"

    @property
    def is_spine(self) -> bool:
        """Whether this is the border between two green windows."""
        return abs(self.ring) == 2 and self.column % 2 == 1


def ring_name(place: Place) -> str:
    """Return the ring of a place with its half of the sphere: "yellow", "blue+", "green-", ..."""
    return RING_NAMES[abs(place.ring)] + ("" if place.ring == 0 else "+" if place.ring > 0 else "-")


UP = Place(3, 0)
DOWN = Place(-3, 0)


@rule("B2.12", "B2.122", "B2.123", "A2.22")
def _all_places() -> tuple[Place, ...]:
    """Return every window and spine: down, then each ring upwards, clockwise from A."""
    between = [Place(ring, column) for ring in range(-2, 3) for column in range(len(COLUMNS))]
    return (DOWN, *between, UP)


PLACES = _all_places()
WINDOWS = tuple(place for place in PLACES if not place.is_spine)
SPINES = tuple(place for place in PLACES if place.is_spine)


def place_at(ring: int, column: int) -> Place:
    """Return the place of that ring (-3 to 3), its column taken round the circle."""
    return Place(ring, 0 if abs(ring) == 3 else column % len(COLUMNS))


_BY_NAME: Mapping[str, Place] = MappingProxyType({str(place): place for place in PLACES})


def read_window(text: str, at: str = "") -> Place:
    """Return the window of a name such as "A/B blue+"; "B/A blue+" is read as well.

    Raises ``ProblemsError`` (unknown-window) for anything else, a spine included; ``at`` is the
    JSON Pointer named in the problem.
    """
    place = read_place(text, at)
    if place.is_spine:
        message = f"{text!r} is the border between two green windows; the green ring has hex-edge windows only."
        raise refuse("unknown-window", message, place=at, rule="B2.151")
    return place


def read_place(text: str, at: str = "") -> Place:
    """Return the window or spine of a name; raises ``ProblemsError`` (unknown-window)."""
    direction, _, ring = text.strip().rpartition(" ")
    place = _BY_NAME.get(f"{direction} {ring}".strip())
    if place is None:
        place = _BY_NAME.get(f"{'/'.join(reversed(direction.split('/')))} {ring}".strip())
    if place is None:
        message = f"{text!r} is no AVID window; they are named like 'A yellow', 'A/B blue+', 'D green-', 'purple+'."
        raise refuse("unknown-window", message, place=at, rule="B2.123")
    return place


@rule("B2.133", "C1.16")
def opposite(place: Place) -> Place:
    """Return the place on the other side of the sphere, always six windows away."""
    return place_at(-place.ring, place.column + 6)


@cache
def _edge_steps(place: Place) -> tuple[Place, ...]:
    """Return what shares an edge with a place, spines with it."""
    ring, column = place
    side = 1 if ring > 0 else -1
    around = (place_at(ring, column + 1), place_at(ring, column - 1))
    if abs(ring) == 3:
        return tuple(place_at(2 * side, each) for each in range(len(COLUMNS)))
    if ring == 0:
        return (*around, place_at(1, column), place_at(-1, column))
    if abs(ring) == 1:
        # A corner window lies under the spine of its column and touches both green windows beside it.
        greens = (0,) if column % 2 == 0 else (0, 1, -1)
        return (*around, place_at(0, column), *(place_at(2 * side, column + each) for each in greens))
    if place.is_spine:
        return (*around, place_at(3 * side, 0), place_at(side, column))
    next_greens = (place_at(ring, column + 2), place_at(ring, column - 2))
    blues = tuple(place_at(side, column + each) for each in (0, 1, -1))
    return (*around, *next_greens, place_at(3 * side, 0), *blues)


@cache
def neighbours(window: Place) -> tuple[Place, ...]:
    """Return the windows that share an edge with a window, in the order of ``WINDOWS``."""
    return tuple(sorted(place for place in _edge_steps(window) if not place.is_spine))


@cache
def diagonals(window: Place) -> tuple[Place, ...]:
    """Return the windows that touch a window at a corner: from yellow to blue one column over, and back."""
    ring, column = window
    rings = (1, -1) if ring == 0 else (0,) if abs(ring) == 1 else ()
    return tuple(sorted(place_at(other, column + side) for other in rings for side in (1, -1)))


@cache
def _distances(start: Place) -> Mapping[Place, int]:
    """Return the windows counted from a place to every other, with at most one diagonal."""
    found: dict[tuple[Place, bool], int] = {(start, False): 0}
    front = [(start, False)]
    while front:
        coming = []
        for here, has_crossed in front:
            steps = [(place, has_crossed) for place in _edge_steps(here)]
            if not has_crossed:
                steps += [(place, True) for place in diagonals(here)]
            for step in steps:
                if step not in found:
                    found[step] = found[here, has_crossed] + 1
                    coming.append(step)
        front = coming
    return {place: min(found[place, flag] for flag in (False, True) if (place, flag) in found) for place in PLACES}


@rule("B2.24", "C1.221")
def distance(start: Place, end: Place) -> int:
    """Return the number of windows from one place to another (0 to 6), with at most one diagonal crossing."""
    return _distances(start)[end]


@rule("C4.143")
def is_next_to(window: Place, other: Place) -> bool:
    """Return whether a window is the other one or touches it, at an edge or at a corner."""
    return other == window or other in neighbours(window) or other in diagonals(window)


Path = tuple[Place, ...]


@cache
def paths(start: Place, end: Place) -> tuple[Path, ...]:
    """Return every shortest way from one window to another, each without its start and with its end.

    No way uses more than one diagonal crossing (B2.24). Sorted; the empty way where both are the same.
    """
    found: list[Path] = []

    def walk(here: Place, has_crossed: bool, gone: Path, left: int) -> None:
        if left == 0:
            if here == end:
                found.append(gone)
            return
        for place in neighbours(here):
            if distance(place, end) <= left - 1:
                walk(place, has_crossed, (*gone, place), left - 1)
        if not has_crossed:
            for place in diagonals(here):
                if distance(place, end) <= left - 1:
                    walk(place, True, (*gone, place), left - 1)

    walk(start, False, (), distance(start, end))
    return tuple(sorted(found))


@rule("B2.24", "B2.151", "B2.242", "B2.25")
def check_path(start: Place, path: Sequence[Place], at: str = "") -> tuple[Problem, ...]:
    """Return what is wrong with an arrow drawn from ``start`` through the windows of ``path``.

    Each window must touch the one before it, and one step at most may cross a corner. Codes:
    pivot-on-spine, pivot-not-adjacent, pivot-second-diagonal; ``at`` is the path's JSON Pointer.
    """
    problems = []
    has_crossed = False
    here = start
    for index, place in enumerate(path):
        where = at + pointer(index)
        if place.is_spine:
            message = f"The nose points through a window, never along the border {place}."
            problems.append(Problem(where, "pivot-on-spine", message, "B2.151"))
        elif place in diagonals(here):
            if has_crossed:
                message = f"From {here} to {place} is a second crossing of a corner; a pivot may make one."
                problems.append(Problem(where, "pivot-second-diagonal", message, "B2.24"))
            has_crossed = True
        elif place not in neighbours(here):
            message = f"{place} does not touch {here}."
            problems.append(Problem(where, "pivot-not-adjacent", message, "B2.24"))
        here = place
    return tuple(problems)


@rule("B2.222", "B2.241", "B2.25")
def windows_at_midpoint(windows: int) -> int:
    """Return how many windows of a pivot or roll are done at the midpoint: half, rounded down."""
    return windows // 2


@rule("B2.242")
def u_turns(start: Place, path: Iterable[Place]) -> tuple[Place, ...]:
    """Return the yellow windows in which an arrow turns over from one half of the AVID to the other."""
    turned = []
    above = start.ring
    yellow: Place | None = start if start.ring == 0 else None
    for place in path:
        if place.ring == 0:
            yellow = place
        else:
            if yellow is not None and above * place.ring < 0:
                turned.append(yellow)
            above, yellow = place.ring, None
    return tuple(turned)
