"""A ship's grades over the years (D1.13): effective-dated, rolled once, never rewritten.

A history is a tuple of ``GradeChange`` in the order in which they took effect. The grade in force at
an instant is what the last change at or before it left; so an old event keeps its old grade. An
instant is an exact count of minutes, as ``campaign.engine.clock`` makes it from a campaign's start and
its turns; a date's instant is its midnight.

Rolls of the calendar come from the campaign's calendar seed, addressed by ship, date, cause and
category: whatever is run again or rolled back, a date's roll shows the same faces.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, datetime, timedelta
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from campaign.engine.clock import anniversaries, exact_minutes, from_minutes
from campaign.engine.dice import Roller, Stream, canonical
from campaign.engine.errors import refuse
from campaign.rulebooks.saganami.grades import (
    CATEGORIES,
    CATEGORY_TITLES,
    BridgeHit,
    Category,
    Grade,
    ShipGrades,
    categories_rolled_afresh,
    commander_modifier,
    roll_anniversary,
    roll_initial,
    victory_modifier,
)
from campaign.rulebooks.saganami.source import rule

Cause: TypeAlias = Literal["commissioning", "anniversary", "commander", "victory", "bridge-hit", "amendment"]
RULE_OF_CAUSE: dict[Cause, str] = {
    "commissioning": "D1.12",
    "anniversary": "D1.131",
    "commander": "D1.132",
    "victory": "D1.135",
    "bridge-hit": "C5.4412",
    "amendment": "D1.134",
}

Custom: TypeAlias = Literal["anniversary", "calendar-year"]
"""When grades are rolled each year: on the ship's anniversary, or on 1 January for every ship (D1.131)."""

MONTHS_UNTIL_REVIEW = 2  # D1.132


@dataclass(frozen=True, slots=True)
class GradeChange:
    """One roll or change in one category of one ship; ``before`` and ``after`` are equal if nothing came of it.

    ``dice`` is empty for what was not rolled, ``note`` says why where the cause does not.
    """

    ship: str
    at: Fraction
    category: Category
    before: Grade | None
    after: Grade
    cause: Cause
    dice: tuple[int, ...] = ()
    modifier: int = 0
    note: str = ""

    @property
    def rule(self) -> str:
        """Return the rule that asked for it."""
        return RULE_OF_CAUSE[self.cause]

    @property
    def on(self) -> date:
        """Return the date on which it took effect."""
        return date_of(self.at)

    def as_document(self) -> dict[str, Any]:
        """Return the change as it is stored; ``at`` in exact minutes, ``date`` for people."""
        return {
            "ship": self.ship,
            "at": str(self.at),
            "date": self.on.isoformat(),
            "category": self.category,
            "before": self.before,
            "after": self.after,
            "cause": self.cause,
            "dice": list(self.dice),
            "modifier": self.modifier,
            "rule": self.rule,
            "note": self.note,
        }

    def sentence(self) -> str:
        """Return the change as a line of the ship's service record."""
        who = CATEGORY_TITLES[self.category]
        if self.before is None:
            told = f"{who} {self.after}"
        elif self.before == self.after:
            told = f"{who} remains {self.after}"
        else:
            told = f"{who} from {self.before} to {self.after}"
        rolled = f" (rolled {', '.join(str(face) for face in self.dice)})" if self.dice else ""
        return f"{self.on.isoformat()}: {told}{rolled}"


def load_change(document: dict[str, Any]) -> GradeChange:
    """Return a change from its document."""
    return GradeChange(
        ship=document["ship"],
        at=Fraction(document["at"]),
        category=document["category"],
        before=document["before"],
        after=document["after"],
        cause=document["cause"],
        dice=tuple(document["dice"]),
        modifier=document["modifier"],
        note=document["note"],
    )


History: TypeAlias = tuple[GradeChange, ...]


# Dates ------------------------------------------------------------------------------------------


def instant_of(day: date) -> Fraction:
    """Return the midnight with which a date begins, in minutes."""
    midnight = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - a game's date has no zone
    return exact_minutes(midnight, 0)


def date_of(instant: Fraction) -> date:
    """Return the date in which an instant lies; refuse one outside the years 1 to 9999."""
    return from_minutes(instant).date()


def months_later(day: date, months: int) -> date:
    """Return the day so many months later; a day that the month has not becomes its last one.

    Refuses a date outside the years 1 to 9999.
    """
    whole = day.year * 12 + day.month - 1 + months
    year, month = whole // 12, whole % 12 + 1
    if not MINYEAR <= year <= MAXYEAR:
        raise refuse("date-out-of-range", "Dates lie in the years 1 to 9999.", rule="D1.132")
    return date(year, month, min(day.day, monthrange(year, month)[1]))


@rule("D1.13", "D1.131")
def anniversaries_due(commissioned: date, after: Fraction, until: Fraction, custom: Custom) -> tuple[date, ...]:
    """Return the dates on which a ship's grades are rolled after one instant and up to another.

    Commissioning itself is no anniversary. A clock moved back finds none.
    """
    if until <= after:
        return ()
    first, last = date_of(after), date_of(until)
    if custom == "calendar-year":
        days = tuple(date(year, 1, 1) for year in range(first.year, last.year + 1))
    else:
        days = anniversaries(commissioned, first - timedelta(days=1) if first > date.min else first, last)
    return tuple(day for day in days if day > commissioned and after < instant_of(day) <= until)


# Reading a history ------------------------------------------------------------------------------


@rule("D1.134")
def grade_at(history: History, category: Category, instant: Fraction) -> Grade:
    """Return the grade in force at an instant; refuse an instant before the ship was commissioned."""
    found = [one.after for one in history if one.category == category and one.at <= instant]
    if not found:
        raise refuse("not-commissioned", "The ship had no grades at that time.", place="/instant", rule="D1.12")
    return found[-1]


@rule("D1.134")
def grades_at(history: History, instant: Fraction) -> ShipGrades:
    """Return the six grades in force at an instant."""
    return ShipGrades(**{category: grade_at(history, category, instant) for category in CATEGORIES})


@rule("D1.134")
def extended(history: History, changes: Iterable[GradeChange]) -> History:
    """Return a history with more changes at its end.

    Refuses another ship's change (grades belong to a ship and never move with an officer), and one
    that would take effect before what is already written: the past is not rewritten.
    """
    longer = list(history)
    for change in changes:
        if longer and change.ship != longer[0].ship:
            raise refuse("another-ship", "Grades belong to their ship.", place="/ship", rule="D1.134")
        if longer and change.at < longer[-1].at:
            raise refuse("before-the-last", "A change cannot take effect in the past.", place="/at", rule="D1.134")
        longer.append(change)
    return tuple(longer)


# Writing it ---------------------------------------------------------------------------------------

OpenRoll: TypeAlias = Callable[[str, date, Cause, Category], Roller]
"""Opens the dice of one roll: ship, date, cause, category."""


def calendar_rolls(seed: str) -> OpenRoll:
    """Return the opener of rolls of a campaign's calendar seed (hex text): same address, same faces."""
    key = bytes.fromhex(seed)

    def open_roll(ship: str, on: date, cause: Cause, category: Category) -> Roller:
        return Stream(key, canonical(["calendar", ship, on.isoformat(), cause, category]))

    return open_roll


@rule("D1.12")
def commission(ship: str, on: date, open_roll: OpenRoll) -> History:
    """Return a new ship's history: six grades rolled on the day it is commissioned."""
    changes = []
    for category in CATEGORIES:
        rolled = roll_initial(open_roll(ship, on, "commissioning", category))
        changes.append(GradeChange(ship, instant_of(on), category, None, rolled.grade, "commissioning", rolled.dice))
    return tuple(changes)


def commission_as(ship: str, on: date, grades: ShipGrades, note: str = "") -> History:
    """Return a new ship's history with grades that were given, not rolled (a scenario's, or a GM's)."""
    return tuple(
        GradeChange(ship, instant_of(on), category, None, grades.of(category), "commissioning", note=note)
        for category in CATEGORIES
    )


@dataclass(frozen=True, slots=True)
class Command:
    """A miracle-grade commander's time aboard one ship: level 1 to 3, day taken, day left (None: still aboard)."""

    officer: str
    level: int
    taken: date
    left: date | None = None

    @property
    def review(self) -> date:
        """Return the day of the fresh rolls: two months after taking command (D1.132)."""
        return months_later(self.taken, MONTHS_UNTIL_REVIEW)

    def is_settled(self, day: date) -> bool:
        """Say whether the commander has had the ship for two months on that day, and still has it."""
        return self.review <= day and (self.left is None or day < self.left)


@rule("D1.132", "D1.231")
def modifier_on(commands: Sequence[Command], day: date) -> int:
    """Return what the ship's commanders add to its rolls for grades on a day (the best of them)."""
    return max((commander_modifier(one.level) for one in commands if one.is_settled(day)), default=0)


@rule("D1.13", "D1.131", "D1.132")
def advance_calendar(
    history: History,
    *,
    commissioned: date,
    after: Fraction,
    until: Fraction,
    custom: Custom,
    open_roll: OpenRoll,
    commands: Sequence[Command] = (),
) -> History:
    """Return a ship's history carried on from one instant to another.

    Rolls every anniversary in between and, two months after a miracle-grade commander took the
    ship, the fresh rolls; in order of date, the anniversary first. What the history already holds
    for a date is not rolled again, so advancing over the same time twice changes nothing.
    """
    if not history:
        raise refuse("not-commissioned", "The ship has no grades yet.", place="/history", rule="D1.12")
    ship = history[0].ship
    due: list[tuple[date, int, Cause]] = [
        (day, 0, "anniversary") for day in anniversaries_due(commissioned, after, until, custom)
    ]
    for command in commands:
        if after < instant_of(command.review) <= until and command.is_settled(command.review):
            due.append((command.review, 1, "commander"))
    for day, _, cause in sorted(due):
        at = instant_of(day)
        if any(one.cause == cause and one.at == at for one in history):
            continue
        modifier = modifier_on(commands, day)
        if cause == "anniversary":
            changes = _anniversary(history, ship, day, modifier, open_roll)
        else:
            changes = _fresh_rolls(history, ship, day, modifier, open_roll)
        history = extended(history, changes)
    return history


def _anniversary(history: History, ship: str, day: date, modifier: int, open_roll: OpenRoll) -> list[GradeChange]:
    at = instant_of(day)
    changes = []
    for category in CATEGORIES:
        before = grade_at(history, category, at)
        rolled = roll_anniversary(open_roll(ship, day, "anniversary", category), before, modifier)
        changes.append(GradeChange(ship, at, category, before, rolled.grade, "anniversary", rolled.dice, modifier))
    return changes


def _fresh_rolls(history: History, ship: str, day: date, modifier: int, open_roll: OpenRoll) -> list[GradeChange]:
    at = instant_of(day)
    changes = []
    for category in categories_rolled_afresh(grades_at(history, at)):
        before = grade_at(history, category, at)
        rolled = roll_initial(open_roll(ship, day, "commander", category), modifier)
        changes.append(GradeChange(ship, at, category, before, rolled.grade, "commander", rolled.dice, modifier))
    return changes


@rule("D1.135")
def review_after_victory(
    history: History, *, at: Fraction, margin: str, accepted: Sequence[Category], open_roll: OpenRoll
) -> History:
    """Return the history of a winning ship with the re-rolls that its side accepted, category by category.

    A re-roll stands, better or worse; a category that was not accepted keeps its grade. Refuses a
    margin below an overwhelming victory.
    """
    modifier = victory_modifier(margin)
    if modifier is None:
        raise refuse("margin-too-small", "Only overwhelming and legendary victories.", place="/margin", rule="D1.135")
    unknown = [category for category in accepted if category not in CATEGORIES]
    if unknown:
        raise refuse("unknown-category", f"There is no category {unknown[0]}.", place="/accepted", rule="D1.135")
    changes = []
    for category in CATEGORIES:
        if category not in accepted:
            continue
        before = grade_at(history, category, at)
        rolled = roll_initial(open_roll(history[0].ship, date_of(at), "victory", category), modifier)
        changes.append(
            GradeChange(history[0].ship, at, category, before, rolled.grade, "victory", rolled.dice, modifier)
        )
    return extended(history, changes)


@rule("C5.4412", "D1.134")
def after_bridge_hit(history: History, *, at: Fraction, hit: BridgeHit) -> History:
    """Return a ship's history after a bridge hit; one that hurt nobody leaves no line."""
    if hit.officer is None or hit.after is None:
        return history
    change = GradeChange(history[0].ship, at, hit.officer, hit.before, hit.after, "bridge-hit", hit.dice)
    return extended(history, [change])


def amended(history: History, *, at: Fraction, category: Category, grade: Grade, note: str) -> History:
    """Return a ship's history with a grade that the game master set, and why; the past stays as it was."""
    before = grade_at(history, category, at)
    return extended(history, [GradeChange(history[0].ship, at, category, before, grade, "amendment", note=note)])
