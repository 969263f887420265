"""A side's report as its sheet is read against: own forces and ships, contacts, and what the sheet makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.hexes import Hex, distance_in_plane
from campaign.engine.vectors import to_axial
from operational.rules.full_thrust.taskforces import Marker

Row = Mapping[str, Any]


class OwnReport:
    """Own forces and ships, and ``members``: the ships of each force as the sheet's operations leave them.

    A force of the other side, and one that does not exist, are both just not there. Nothing but the report
    is looked at, so no problem tells more than it does.
    """

    def __init__(self, report: Mapping[str, Any]) -> None:
        self.side = str(report["side"])
        self.rulings: Mapping[str, str] = report["rulings"]
        self.turn = int(report["turn"])
        self.forces: dict[str, Row] = {force["id"]: force for force in report["forces"]}
        self.ships: dict[str, Row] = {ship["id"]: ship for ship in report["ships"]}
        self.contacts: dict[str, Row] = {each["id"]: each for each in report["contacts"]}
        self.dummies: int | None = report["dummies"]
        self.members: dict[str, list[str]] = {key: list(force["ships"]) for key, force in self.forces.items()}

    def is_active(self, ship: str) -> bool:
        """Return whether a ship or craft is own and in service."""
        return ship in self.ships and self.ships[ship]["status"] == "active"

    def thrust(self, force: str) -> int:
        """Return a force's thrust with the ships it will have."""
        ships = self.members[force]
        if not ships:
            return int(self.forces[force]["thrust"])
        return self.slowest(ships)

    def slowest(self, ships: list[str]) -> int:
        """Return the thrust of the slowest of some ships."""
        return min(int(self.ships[ship]["thrust"]) for ship in ships)

    def is_dummy(self, force: str) -> bool:
        """Return whether an own force is a dummy."""
        return "dummy" in self.forces[force]["marks"]

    def place(self, force: str) -> Hex:
        """Return the hex of an own force's marker."""
        return Hex(self.forces[force]["q"], self.forces[force]["r"])

    def marker(self, force: str) -> Marker:
        """Return an own force as merging looks at it."""
        return Marker(self.side, self.place(force), self.forces[force]["velocity"])

    def are_together(self, one: str, other: str) -> bool:
        """Return whether two own forces are in one hex of one map with one vector."""
        first, second = self.forces[one], self.forces[other]
        same = first["system"] == second["system"] and self.place(one) == self.place(other)
        return same and to_axial(first["velocity"]) == to_axial(second["velocity"])

    def range_to(self, force: str, contact: str) -> int | None:
        """Return the hexes from an own force to a contact; None on another map."""
        row = self.contacts[contact]
        if row["system"] != self.forces[force]["system"]:
            return None
        here = self.place(force)
        return distance_in_plane(row["q"] - here.q, row["r"] - here.r)
