"""The map captain: a whole sheet from a side's own report, without chance, by one of a few doctrines.

It sees only what the report says. Active sensors tell everyone that they are in use, so each doctrine has
its own measure of them; scans go to the contacts of which least is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.hexes import ORIGIN, Hex, distance_in_plane
from campaign.engine.vectors import to_axial
from operational.rules.full_thrust import sheet as form
from operational.rules.full_thrust.contacts import ALL_DETECTED
from operational.rules.full_thrust.pursuit import Course, pursue
from operational.rules.full_thrust.sensors import operational_dice
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.switches import CALL_DISTANCE, CONTACT_DISTANCE, ruling

Row = Mapping[str, Any]
Document = dict[str, Any]

PICKET, INTERCEPT, EVADE, SHADOW = "picket", "intercept", "evade", "shadow"
DOCTRINES: Mapping[str, str] = {
    PICKET: "Keeps near the nearest of our places, scans with active sensors, and lets the enemy come.",
    INTERCEPT: "Goes for the nearest contact that is no known dummy, scans with everything, and calls for battle.",
    SHADOW: "Keeps a contact at twice the contact distance, and scans it passively.",
    EVADE: "Keeps away from every contact, and sends out nothing.",
}
USES_ACTIVE = (PICKET, INTERCEPT)


@rule("detection-phase", "movement-phase")
def captain(report: Mapping[str, Any], doctrine: str) -> Document:
    """Return the sheet of a side that a captain commands."""
    return _Captain(report, doctrine if doctrine in DOCTRINES else INTERCEPT).sheet()


class _Captain:
    """One report, read for one doctrine."""

    def __init__(self, report: Mapping[str, Any], doctrine: str) -> None:
        self.report = report
        self.doctrine = doctrine
        self.ships: dict[str, Row] = {ship["id"]: ship for ship in report["ships"]}
        self.forces: list[Row] = [force for force in report["forces"] if not force["engaged"]]
        self.contacts: list[Row] = [each for each in report["contacts"] if not each["lost"]]
        self.contact_distance = int(ruling(report["rulings"], CONTACT_DISTANCE))

    def sheet(self) -> Document:
        """Return the whole sheet; forces without anything to do are left out and coast."""
        forces: Document = {}
        scans: list[Document] = []
        calls: list[Document] = []
        for force in self.forces:
            order: Document = {}
            thrust = self._thrust(force)
            if thrust:
                order["thrust"] = thrust
            chase = self._chase(force)
            if chase:
                order = {"chase": chase}
            made, active = self._scans(force)
            scans += made
            if active:
                order["active"] = active
            if order:
                forces[force["id"]] = order
            calls += self._calls(force)
        sheet: Document = {form.FORCES: forces, form.SCANS: scans, form.CALLS: calls}
        return {section: orders for section, orders in sheet.items() if orders}

    # What it knows ----------------------------------------------------------------------------

    def _near(self, force: Row) -> list[Row]:
        """Return the contacts on a force's map, the nearest end point first; of equals the lower number."""
        here = [each for each in self.contacts if each["system"] == force["system"]]
        return sorted(here, key=lambda each: (_distance(end_of(force), end_of(each)), each["number"]))

    def _is_real(self, contact: Row) -> bool:
        return any(ship["locked"] for ship in contact["ships"])

    # Movement ---------------------------------------------------------------------------------

    def _chase(self, force: Row) -> Document | None:
        """Return whom a force goes for, or keeps at a distance: real ships before markers."""
        near = self._near(force)
        if not near or not force["ships"] or self.doctrine not in (INTERCEPT, SHADOW):
            return None
        prey = min(near, key=lambda each: (not self._is_real(each), _distance(end_of(force), end_of(each))))
        distance = 2 * self.contact_distance if self.doctrine == SHADOW else 0
        found: Document = {"contact": prey["id"]}
        if self.doctrine == SHADOW and _distance(end_of(force), end_of(prey)) < distance:
            found["way"] = "away"
        return {**found, "distance": distance} if distance else found

    def _thrust(self, force: Row) -> dict[str, int]:
        """Return the thrust of a force that follows no contact; dummies move as what they stand for would."""
        rate, own = int(force["thrust"]), course_of(force)
        near = self._near(force)
        if self.doctrine == EVADE and near:
            return pursue(own, course_of(near[0]), rate, distance=10 * self.contact_distance, is_away=True)
        if self.doctrine == PICKET or not near:
            return self._to_station(force, rate, own)
        distance = 2 * self.contact_distance if self.doctrine == SHADOW else 0
        return pursue(own, course_of(near[0]), rate, distance=distance)

    def _to_station(self, force: Row, rate: int, own: Course) -> dict[str, int]:
        """Return thrust toward the nearest body, and to rest there."""
        system = next(each for each in self.report["systems"] if each["key"] == force["system"])
        bodies = [Hex(body["q"], body["r"]) for body in system["bodies"]] or [ORIGIN]
        post = min(bodies, key=lambda body: (_distance(own.place, body), body))
        return pursue(own, Course(post), rate, distance=1)

    # Sensors ----------------------------------------------------------------------------------

    @rule("active-counters", "fire-control-limit")
    def _scans(self, force: Row) -> tuple[list[Document], list[str]]:
        """Return a force's scans, and the ships that use active sensors: the one with the best of them."""
        near = self._near(force)
        scanners = [
            self.ships[ship]
            for ship in force["ships"]
            if self.ships[ship]["kind"] == "ship"
            and not self.ships[ship]["cloaked"]
            and self.ships[ship]["fire_controls"]
        ]
        if not near or not scanners:
            return [], []
        active = [self._best(scanners, force, near)["id"]] if self.doctrine in USES_ACTIVE else []
        scans = []
        for ship in scanners:
            mode = "active" if ship["id"] in active else "passive"
            # of a force of which every ship is detected a scan would learn nothing more
            reached = [
                each for each in near if ALL_DETECTED not in each["knows"] and self._dice(ship, force, each, mode)
            ]
            wanted = sorted(reached, key=lambda each: (each["pips"], _distance(place_of(force), place_of(each))))
            left = int(ship["fire_controls"])
            for contact in wanted[:left]:
                scans.append({"ship": ship["id"], "contact": contact["id"], "mode": mode})
            if wanted and len(wanted) < left:
                scans[-1] = {**scans[-1], "scans": left - len(wanted) + 1}
        used = {scan["ship"] for scan in scans}
        return scans, [ship for ship in active if ship in used]

    def _best(self, scanners: list[Row], force: Row, near: list[Row]) -> Row:
        """Return the ship whose active sensors have most dice on the nearest contact; of equals the first."""
        return max(scanners, key=lambda ship: (self._dice(ship, force, near[0], "active"), int(ship["fire_controls"])))

    @rule("operational-sensor-table")
    def _dice(self, ship: Row, force: Row, contact: Row, mode: str) -> int:
        range_ = _distance(place_of(force), place_of(contact))
        return operational_dice(ship["sensors"], "active" if mode == "active" else "passive", range_)

    @rule("table-phase")
    def _calls(self, force: Row) -> list[Document]:
        """Return the call of an interceptor: for the nearest contact of which a ship is detected."""
        if self.doctrine != INTERCEPT or not any(self.ships[ship]["kind"] == "ship" for ship in force["ships"]):
            return []
        reach = int(ruling(self.report["rulings"], CALL_DISTANCE))
        real = [
            each
            for each in self._near(force)
            if self._is_real(each) and _distance(end_of(force), end_of(each)) <= reach
        ]
        return [{"force": force["id"], "contact": real[0]["id"]}] if real else []


def place_of(row: Row) -> Hex:
    """Return the hex of a force or contact."""
    return Hex(row["q"], row["r"])


def end_of(row: Row) -> Hex:
    """Return the end point of a force or contact; of a contact whose vector is not known, its hex."""
    step = to_axial(row["velocity"] or {})
    return Hex(row["q"] + step.q, row["r"] + step.r)


def course_of(row: Row) -> Course:
    """Return the course of a force or contact; of a contact whose vector is not known, one at rest."""
    return Course(place_of(row), Hex(*to_axial(row["velocity"] or {})))


def _distance(one: Hex, other: Hex) -> int:
    return distance_in_plane(one.q - other.q, one.r - other.r)
