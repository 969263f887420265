"""Pivots and rolls: what may be plotted, and the attitude at the midpoint and at the end of a turn (B2.2)."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.engine.errors import Problem
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.attitude import ROLLS, Attitude, pivoted, rolled
from tactical.rules.saganami.avid import Path, Place, check_path, windows_at_midpoint
from tactical.rules.saganami.officers import Ratings


@dataclass(frozen=True, slots=True)
class Maneuver:
    """A plotted change of attitude.

    ``pivot`` is the arrow of the nose, window by window without its start. ``roll`` is in windows,
    positive to starboard and negative to port.
    """

    pivot: Path = ()
    roll: int = 0


@dataclass(frozen=True, slots=True)
class Turning:
    """A turn's change of attitude as it is carried out.

    ``pivot_windows`` and ``roll_windows`` are done in the turn; ``left`` is what an arrow longer than
    the rating leaves for later turns, to be plotted again or dropped (B2.24).
    """

    start: Attitude
    midpoint: Attitude
    end: Attitude
    pivot_windows: int
    roll_windows: int
    left: Path


@rule("B2.22", "B2.24", "B2.25", "B2.26", "A3.12", "A3.121")
def check_maneuver(attitude: Attitude, maneuver: Maneuver, ratings: Ratings, at: str = "") -> tuple[Problem, ...]:
    """Return what is wrong with a plot; pivot and roll cost each other nothing.

    An arrow longer than the pivot rating is no fault (B2.24): only the rating's windows are carried
    out. A roll beyond its rating is one (code roll-over-rating), and so is a pivot without any rating.
    """
    problems = list(check_path(attitude.forward, maneuver.pivot, at + "/pivot"))
    if maneuver.pivot and ratings.pivot == 0:
        problems.append(Problem(at + "/pivot", "no-pivot-left", "The ship can no longer pivot.", "B2.22"))
    if abs(maneuver.roll) > ratings.roll:
        message = f"The ship can roll {ratings.roll} windows this turn, not {abs(maneuver.roll)}."
        problems.append(Problem(at + "/roll", "roll-over-rating", message, "B2.22"))
    elif abs(maneuver.roll) > ROLLS // 2:
        message = "Half a turn, six windows, is the farthest that a roll can go."
        problems.append(Problem(at + "/roll", "roll-too-far", message, "B2.25"))
    return tuple(problems)


@rule(
    "B2.21",
    "B2.222",
    "B2.24",
    "B2.241",
    "B2.25",
    "B2.26",
    "B3.13",
    "A3.22",
    "A3.24",
    "B4.11",
    "B4.111",
    "B4.112",
    "B4.13",
    "B4.14",
    "B4.15",
    "B4.31",
    "B4.311",
    "B4.33",
    "B4.34",
)
def turning(attitude: Attitude, maneuver: Maneuver, ratings: Ratings) -> Turning:
    """Return the attitudes at midpoint and end of turn of a plot that ``check_maneuver`` found right.

    Both halves round down. Rolls happen before pivots, each counted on its own.
    """
    done = maneuver.pivot[: ratings.pivot]
    windows = windows_at_midpoint(len(done))
    half_roll = windows_at_midpoint(abs(maneuver.roll)) * (1 if maneuver.roll > 0 else -1)
    return Turning(
        start=attitude,
        midpoint=pivoted(rolled(attitude, half_roll), done[:windows]),
        end=pivoted(rolled(attitude, maneuver.roll), done),
        pivot_windows=len(done),
        roll_windows=abs(maneuver.roll),
        left=maneuver.pivot[len(done) :],
    )


@rule("B2.26")
def finished_first(pivot_windows: int, roll_windows: int) -> str | None:
    """Return which of a pivot and a roll of the same turn is over first: "roll", "pivot" or None without either.

    The shorter one in windows; at the same length the roll.
    """
    if pivot_windows == 0 or roll_windows == 0:
        return "roll" if roll_windows else "pivot" if pivot_windows else None
    return "roll" if roll_windows <= pivot_windows else "pivot"


@rule("B3.21", "B2.241", "B2.261", "A3.122")
def thrust_window(turn: Turning) -> Place:
    """Return the window in which a ship's thrust accrues: where its nose points at the midpoint."""
    return turn.midpoint.forward
