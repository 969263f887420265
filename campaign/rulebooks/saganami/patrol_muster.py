"""A patrol battle as the tactical level takes it in (D2.12, D3): every ship where it starts, as it begins.

Grades are those that the missions left, boxes marked off and salvoes missing are lost, extra parties are in
the ship's own sheet, and the other arm of a pincer comes in its turn at range 30 of the enemy's corner.
"""

from __future__ import annotations

from typing import Any

from campaign.engine.hexes import Hex
from campaign.rulebooks.saganami.patrol import ROLES, Role
from campaign.rulebooks.saganami.patrol_declaring import ReadyShip, corner_of, ready_ships
from campaign.rulebooks.saganami.patrol_play import PINCER_RANGE
from campaign.rulebooks.saganami.patrol_scenario import Library, Scenario, other
from campaign.rulebooks.saganami.ship_class_dump import dump_class
from campaign.rulebooks.saganami.source import rule

Document = dict[str, Any]


def _class_key(ready: ReadyShip) -> str:
    """Return the key of a ship's sheet: its own where parties were drawn into it."""
    return f"{ready.ship_class.key}-{ready.hull.ship}" if ready.hull.options.parties else ready.ship_class.key


@rule("D3.3/K")
def arm_place(scenario: Scenario, role: Role) -> Hex:
    """Return where the other arm of a pincer comes in: on the flank, at range 30 of the enemy's corner."""
    return corner_of(scenario, other(role)).moved(0, PINCER_RANGE)


def _ship(scenario: Scenario, role: Role, ready: ReadyShip) -> Document:
    hull, start = ready.hull, ready.start
    place = start.at if start is not None else arm_place(scenario, role)
    lost = {track: ready.damage.get(track, 0) + ready.spent.get(track, 0) for track in (*ready.damage, *ready.spent)}
    document: Document = {
        "id": hull.ship,
        "name": hull.name,
        "class": _class_key(ready),
        "force": role,
        "grades": ready.grades.as_document() if ready.ship_class.officer_cost else {},
        "cost": hull.cost,
        "place": list(place),
        "vectors": dict(start.vectors) if start is not None else {"D": 4},
        "lost": lost,
        "pods": hull.options.pods,
        "canister": dict(hull.options.canister),
    }
    if start is None:
        document["arrives"] = scenario.side(role).pincer_turn or 1
    return document


@rule("D2.12", "D3.4")
def battle_document(scenario: Scenario, library: Library) -> tuple[Document, dict[str, Document]]:
    """Return the set-up of a scenario's battle, and the sheets of its ships by class key."""
    sides: dict[str, Document] = {}
    classes: dict[str, Document] = {}
    for number, role in enumerate(ROLES):
        side = scenario.side(role)
        ready = ready_ships(scenario, role, library)
        for one in ready:
            key = _class_key(one)
            classes[key] = {**dump_class(one.ship_class), "key": key}
        sides[role] = {
            "name": side.name,
            "corner": number,
            "options_cost": sum(one.options.others for one in side.purchases),
            "ships": [_ship(scenario, role, one) for one in ready],
        }
    return {
        "kind": "historical",
        "battle": scenario.token,
        "title": f"{scenario.attacker.name} against {scenario.defender.name}",
        "map": scenario.opening.hex_size,
        "high_side": scenario.high_side or "",
        "sides": sides,
    }, classes
