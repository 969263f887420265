"""What a captain makes of its side's report: own forces, foes as they are believed to be, places to go to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from campaign.engine.hexes import ORIGIN, Hex, Integers, ranges_squared, squared_range, true_range
from campaign.engine.vectors import to_axial
from operational.rules.saganami.flight import Flight
from operational.rules.saganami.own_report import OwnReport
from operational.rules.saganami.steering import resized

Row = Mapping[str, Any]

CONSIDERED = 12  # foes that a captain looks at for one force: the nearest ones


@dataclass(frozen=True, slots=True)
class Foe:
    """A contact that may be hostile, as it is reckoned to be at the end of the turn that is ordered."""

    contact: str
    number: int
    system: str
    place: Hex
    velocity: Hex
    is_moving_known: bool
    reach: int
    age: int


@dataclass(frozen=True, slots=True)
class Own:
    """An own force: its report, how it flies, and where it will be at the end of the turn if it coasts."""

    row: Row
    flight: Flight
    thrust: int
    can_translate: bool

    @property
    def id(self) -> str:
        """Return the force's id."""
        return str(self.row["id"])

    @property
    def system(self) -> str:
        """Return the key of its system."""
        return str(self.row["system"])

    @property
    def next(self) -> Hex:
        """Return where the force will be at the end of the turn, thrust left out."""
        return self.flight.position.moved(*self.flight.velocity)

    @property
    def velocity(self) -> Hex:
        """Return its velocity."""
        return self.flight.velocity

    @property
    def is_dummy(self) -> bool:
        """Return whether it is a dummy."""
        return "dummy" in self.row["marks"]


class Picture:
    """The report of one side, read for a captain. Nothing but the report is looked at."""

    def __init__(self, report: Mapping[str, Any]) -> None:
        self.report = report
        self.own = OwnReport(report)
        self.turn = int(report["turn"])

    @cached_property
    def forces(self) -> list[Own]:
        """Return the own forces that take orders, in the report's order."""
        return [
            Own(
                row=row,
                flight=self.own.flight(key),
                thrust=0 if "wedge-down" in row["marks"] else self.own.thrust(key),
                can_translate="dummy" not in row["marks"]
                and all(self.own.ships[ship]["can_translate"] for ship in row["ships"]),
            )
            for key, row in self.own.forces.items()
            if not row["engaged"]
        ]

    @cached_property
    def foes(self) -> list[Foe]:
        """Return the contacts that count: not lost, no known dummy, no ally; reckoned to the end of this turn."""
        found = []
        for row in self.report["contacts"]:
            if row["lost"] or row.get("ally") or any(fact["label"] == "Dummy" for fact in row["facts"]):
                continue
            velocity = ORIGIN if row["velocity"] is None else to_axial(row["velocity"])
            ahead = int(row["age"]) + 1
            place = Hex(row["q"], row["r"], row["z"]).moved(*(part * ahead for part in velocity))
            found.append(
                Foe(
                    contact=str(row["id"]),
                    number=int(row["number"]),
                    system=str(row["system"]),
                    place=place,
                    velocity=velocity,
                    is_moving_known=row["velocity"] is not None,
                    reach=int(row["reach"]),
                    age=int(row["age"]),
                )
            )
        return found

    @cached_property
    def _crowds(self) -> dict[str, tuple[list[Foe], Integers]]:
        """Return the foes of each system, and their places as (n, 3): q, r, z."""
        by_system: dict[str, list[Foe]] = {}
        for foe in self.foes:
            by_system.setdefault(foe.system, []).append(foe)
        return {key: (foes, np.array([foe.place for foe in foes], dtype=np.int64)) for key, foes in by_system.items()}

    def nearest_foes(self, system: str, place: Hex, count: int = CONSIDERED) -> list[Foe]:
        """Return the foes of a system that are nearest to a place, the nearest first, of equals by list number."""
        foes, places = self._crowds.get(system, ([], np.zeros((0, 3), dtype=np.int64)))
        away = places - np.array(place, dtype=np.int64)
        # contacts come in the order of their numbers, so a stable sort puts the lower of equals first
        order = np.argsort(ranges_squared(away[:, 0], away[:, 1], away[:, 2]), kind="stable")
        return [foes[index] for index in order[:count].tolist()]

    def is_foe_near(self, system: str, place: Hex, hexes: int) -> bool:
        """Return whether a foe is reckoned to be within so many hexes of a place."""
        return any(true_range(*foe.place.less(place)) <= hexes for foe in self.nearest_foes(system, place, 1))

    def limit(self, system: str) -> int:
        """Return a system's hyper limit in hexes."""
        return self.own.limit(system)

    def bodies(self, system: str) -> list[tuple[str, Hex]]:
        """Return the bodies of a system but its star: id and hex."""
        return [
            (str(body["id"]), Hex(body["q"], body["r"], body["z"]))
            for body in self.own.systems[system]["bodies"]
            if body["kind"] != "star"
        ]

    def nearest_body(self, system: str, place: Hex) -> Hex | None:
        """Return the hex of the body nearest to a place, or None in a system without any."""
        bodies = self.bodies(system)
        if not bodies:
            return None
        return min(bodies, key=lambda body: (squared_range(*body[1].less(place)), body[0]))[1]

    def exits(self, system: str, place: Hex) -> list[Hex]:
        """Return hexes just outside a hyper limit: straight out from a place, and in twelve directions."""
        far = self.limit(system) + 1
        around = [Hex(0, 1), Hex(1, 1), Hex(1, 0), Hex(2, -1), Hex(1, -1), Hex(1, -2)]
        ways = [*around, *(Hex(-way.q, -way.r) for way in around)]
        if place != ORIGIN:
            ways.insert(0, place)
        return [outside(way, far) for way in ways]


def outside(way: Hex, distance: int) -> Hex:
    """Return a hex in a direction from the star, at least so many hexes away from it and hardly more.

    For no direction it is direction A.
    """
    ahead = way if way != ORIGIN else Hex(0, 1)
    return next(
        place for extra in range(distance + 3) if true_range(*(place := resized(ahead, distance + extra))) >= distance
    )
