"""A side's own report as the reading of its sheet uses it: own forces and ships by id, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.hexes import Hex
from campaign.engine.vectors import to_axial
from campaign.rulebooks.saganami.grades import Grade
from operational.rules.saganami.flight import Flight
from operational.rules.saganami.switches import DISPLACEMENT, ruling

Row = Mapping[str, Any]


class OwnReport:
    """Own forces and ships, and ``members``: the ships of each force as splits and merges of the sheet leave them.

    A force of another side, and one that does not exist, are both just not there.
    """

    def __init__(self, report: Mapping[str, Any]) -> None:
        self.side = str(report["side"])
        self.rulings: Mapping[str, str] = report["rulings"]
        self.forces: dict[str, Row] = {force["id"]: force for force in report["forces"]}
        self.ships: dict[str, Row] = {ship["id"]: ship for ship in report["ships"]}
        self.classes: Mapping[str, Row] = report["classes"]
        self.systems: dict[str, Row] = {system["key"]: system for system in report["systems"]}
        self.bodies = {body["id"] for system in report["systems"] for body in system["bodies"]}
        self.members: dict[str, list[str]] = {key: list(force["ships"]) for key, force in self.forces.items()}

    def thrust(self, force: str, red_line: frozenset[str] = frozenset()) -> int:
        """Return a force's thrust rating with the ships it will have, some of them red-lining (B3.231)."""
        ships = self.members[force]
        if not ships:
            return int(self.forces[force]["thrust"])
        return min(int(self.ships[ship]["thrust"]) + (ship in red_line) for ship in ships)

    def slowest(self, force: str) -> str:
        """Return the name of a force's slowest ship, or of the force itself where it has none."""
        ships = self.members[force]
        if not ships:
            return str(self.forces[force]["name"])
        return str(min((self.ships[ship] for ship in ships), key=lambda ship: int(ship["thrust"]))["name"])

    def flight(self, force: str, flagship: str | None = None) -> Flight:
        """Return the flight of a force as it stands, led by ``flagship`` or its own."""
        row = self.forces[force]
        ships = self.members[force]
        leader = flagship or row["flagship"]
        if leader not in ships:
            leader = ships[0] if ships else None
        engineer: Grade = self.ships[leader]["grades"]["engineer"] if leader else "average"
        return Flight(
            position=Hex(row["q"], row["r"], row["z"]),
            velocity=Hex(*to_axial(row["velocity"])),
            carry=tuple(row["carry"]),
            engineer=engineer,
            is_displaced=ruling(self.rulings, DISPLACEMENT) == "half",
        )

    def limit(self, system: str) -> int:
        """Return a system's hyper limit in hexes."""
        return next(int(ring["radius"]) for ring in self.systems[system]["rings"] if ring["style"] == "limit")

    def is_active(self, ship: str) -> bool:
        """Return whether a ship is own and still in service."""
        return ship in self.ships and self.ships[ship]["status"] == "active"
