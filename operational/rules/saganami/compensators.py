"""Compensator checks of ships that thrust beyond what is safe (B3.23, C5.465)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from campaign.engine.dice import TurnDice
from campaign.engine.ruleset import Event
from campaign.rulebooks.saganami.grades import GRADES, Grade
from campaign.rulebooks.saganami.ship_class import thrust_needs_check
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.losses import with_lost
from operational.rules.saganami.orders import Orders
from operational.rules.saganami.state import DESTROYED, State
from operational.rules.saganami.structure import INTEGRITY, integrity_hit

PHASE = "compensators"


def crew_number(ship_class: ShipClass, crew: Grade) -> int:
    """Return the number at or under which a d10 passes this crew's quality check (D1.111)."""
    return ship_class.crew_target[GRADES.index(crew)]


@rule("B3.23", "B3.231", "B3.232", "B3.233", "C5.465")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Check every ship that red-lined, or thrust with its drive in ruins, once for this turn's thrust.

    A d10 at or under the crew's number, less the boxes of structural integrity lost, holds; a failure
    costs one more box. The dice are the own side's: it knows its ships and its orders.
    """
    ships = state.ships
    events: list[Event] = []
    damage = dict(ships.damage)
    lost: dict[str, str] = {}
    for row, because in _at_risk(state, orders):
        ship, side = ships.id[row], ships.side[row]
        its_class = state.classes[ships.ship_class[row]]
        before = damage.get(ship, {})
        needs = crew_number(its_class, ships.grades[row].crew) - before.get(INTEGRITY, 0)
        roller = dice.open(side, PHASE, ship, "compensators")
        face = roller.die()
        data = {"ship": ship, "because": because, "target": needs, "die": face, "held": face <= needs}
        if face <= needs:
            text = f"The compensators of {ships.name[row]} hold ({face} against {needs})."
            events.append(Event("compensators-held", text, (side,), ("B3.23", because), data))
            continue
        hit = integrity_hit(its_class, before, roller)
        damage[ship] = dict(hit.damage)
        if hit.is_lost:
            lost[ship] = DESTROYED
        text = f"The compensators of {ships.name[row]} fail ({face} against {needs}): {hit.text}."
        kind = "ship-lost" if hit.is_lost else "compensators-failed"
        events.append(Event(kind, text, (side,), ("B3.23", because, *hit.rules), data))
    if not events:
        return state, ()
    return with_lost(replace(state, ships=replace(ships, damage=damage)), lost), tuple(events)


def _at_risk(state: State, orders: Mapping[str, Orders]) -> Iterator[tuple[int, str]]:
    """Yield the ships that must check, by row, each with the rule that asks for it."""
    forces, ships = state.forces, state.ships
    red_lined = {ship for sheet in orders.values() for order in sheet.forces.values() for ship in order.red_line}
    if not red_lined and not ships.damage:
        return
    for at in np.flatnonzero((forces.dq != 0) | (forces.dr != 0) | (forces.dz != 0)).tolist():
        for row in ships.of_force.get(forces.id[at], ()):
            ship = ships.id[row]
            if ship in red_lined:
                yield row, "B3.231"
            elif ship in ships.damage and thrust_needs_check(
                state.classes[ships.ship_class[row]], ships.not_working(ship)
            ):
                yield row, "C5.465"
