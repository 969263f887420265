"""Reading the fields of a sheet: each value checked, every problem kept with its place, and nothing raised."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from campaign.engine.errors import Problem, ProblemsError, pointer
from tactical.rules.saganami.attitude import Attitude, read_attitude
from tactical.rules.saganami.avid import Place, read_place


class Fields:
    """The object at one place of a sheet; what is asked of it is checked, what is wrong is collected."""

    def __init__(self, value: Any, at: str, known: Collection[str], problems: list[Problem]) -> None:
        self.at = at
        self.problems = problems
        self.value: Mapping[str, Any] = {}
        if not isinstance(value, (dict, Mapping)):
            problems.append(Problem(at, "not-an-object", "This part of the sheet is an object."))
            return
        self.value = value
        for key in value:
            if key not in known:
                message = f"There is no field {key!r} here; there are {', '.join(known)}."
                problems.append(Problem(at + pointer(str(key)), "unknown-field", message))

    def say(self, code: str, message: str, rule: str = "", *place: str | int) -> None:
        """Add a problem at a place below this one."""
        self.problems.append(Problem(self.at + pointer(*place), code, message, rule))

    def has(self, key: str) -> bool:
        """Return whether a field is there and not null."""
        return self.value.get(key) is not None

    def number(self, key: str, default: int = 0, least: int = 0, most: int = 10_000, rule: str = "") -> int:
        """Return a whole number between two ends, or the default."""
        value = self.value.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            self.say("not-whole-number", "A whole number is asked for.", rule, key)
            return default
        if not least <= value <= most:
            self.say("out-of-range", f"From {least} to {most}.", rule, key)
            return default
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """Return true or false."""
        value = self.value.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.say("not-true-or-false", "True or false is asked for.", "", key)
            return default
        return value

    def text(self, key: str, default: str = "") -> str:
        """Return a text."""
        value = self.value.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            self.say("not-text", "A text is asked for.", "", key)
            return default
        return value

    def choice(self, key: str, choices: Collection[str], default: str) -> str:
        """Return one of several words."""
        value = self.value.get(key)
        if value is None:
            return default
        if not isinstance(value, str) or value not in choices:
            self.say("unknown-choice", f"One of {', '.join(choices)}.", "", key)
            return default
        return value

    def items(self, key: str, most: int = 64) -> list[Any]:
        """Return the items of a list, none if it is missing."""
        value = self.value.get(key)
        if value is None:
            return []
        if not isinstance(value, (list, tuple)):
            self.say("not-a-list", "A list is asked for.", "", key)
            return []
        if len(value) > most:
            self.say("too-many", f"At most {most} are read.", "", key)
            return []
        return list(value)

    def windows(self, key: str) -> tuple[Place, ...]:
        """Return the windows (or spines) of a list of names."""
        found = []
        for index, name in enumerate(self.items(key)):
            try:
                found.append(read_place(name if isinstance(name, str) else "", self.at + pointer(key, index)))
            except ProblemsError as error:
                self.problems.extend(error.problems)
        return tuple(found)

    def attitude(self, key: str) -> Attitude | None:
        """Return the attitude of an object {"forward", "roll"}, None where it cannot be read."""
        at = self.at + pointer(key)
        before = len(self.problems)
        part = Fields(self.value.get(key), at, ("forward", "roll"), self.problems)
        roll = part.number("roll", 0, -12, 12, "B2.25")
        forward = part.text("forward")
        if len(self.problems) > before:
            return None
        try:
            return read_attitude(forward, roll, at)
        except ProblemsError as error:
            self.problems.extend(error.problems)
            return None
