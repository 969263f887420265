"""What is stated of a pair of rulesets that hand battles to each other: lengths, times, velocities, condition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Ratio:
    """How one unit of the operational map counts on the tactical one: ``tactical`` to ``operational`` whole units."""

    tactical: int
    operational: int
    tactical_unit: str
    operational_unit: str

    @property
    def text(self) -> str:
        """Return the ratio as a sentence says it."""
        return f"{self.operational} {self.operational_unit} is {self.tactical} {self.tactical_unit}"


@dataclass(frozen=True, slots=True)
class Conversion:
    """What is stated of a pair of an operational and a tactical ruleset that may hand off to each other.

    ``start_range`` in tactical units; ``there`` and ``back`` turn a velocity (vectors) into the other
    scale's; ``condition`` maps each part of a ship's condition to how it is carried over and back.
    ``rules`` are the rule keys it rests on, empty for a house ruling.
    """

    operational: str
    tactical: str
    distance: Ratio
    altitude: Ratio
    time: Ratio
    velocity: Ratio
    start_range: int
    there: Callable[[Mapping[str, int]], dict[str, int]]
    back: Callable[[Mapping[str, int]], dict[str, int]]
    condition: Mapping[str, str]
    rules: tuple[str, ...] = ()

    def as_document(self) -> dict[str, Any]:
        """Return the statement as it is shown."""
        return {
            "operational": self.operational,
            "tactical": self.tactical,
            "distance": self.distance.text,
            "altitude": self.altitude.text,
            "time": self.time.text,
            "velocity": self.velocity.text,
            "start_range": self.start_range,
            "condition": dict(self.condition),
            "rules": list(self.rules),
        }
