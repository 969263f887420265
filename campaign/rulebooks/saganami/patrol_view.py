"""What a side may know of a patrol scenario (D3.13): its own, what is agreed, and what lies open on the table.

Everything that a page, the API, a PDF or the automatic opponent gets comes from here. Of the other side a
view tells the name, the faction, whether it is done, how many cards it drew, the ship that one chose for it,
and once the forces stand on the map, its ships' names and classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.cards import title
from campaign.engine.dice import commitment
from campaign.rulebooks.saganami.patrol import ROLES, Mission, Role, force_multiplier, mission_on, time_limit
from campaign.rulebooks.saganami.patrol_acts import check_done
from campaign.rulebooks.saganami.patrol_buying import PURCHASE_STAGES, held, open_offers, owner_of
from campaign.rulebooks.saganami.patrol_dealing import can_conceal, mission_draw
from campaign.rulebooks.saganami.patrol_declaring import (
    asked_of,
    away,
    corner_of,
    default_declaration,
    default_starts,
    is_declared,
    miracle_side,
    ready_ships,
    visible,
)
from campaign.rulebooks.saganami.patrol_ending import facts_digest, facts_document
from campaign.rulebooks.saganami.patrol_missions import briefing_of
from campaign.rulebooks.saganami.patrol_scenario import (
    Declaration,
    Entry,
    Hull,
    Library,
    Scenario,
    SideState,
    other,
    points_left,
)
from campaign.rulebooks.saganami.patrol_setup import Start
from campaign.rulebooks.saganami.source import rule

OPEN_FORCES = ("set-up", "battle", "revealed")


def commitments_of(seeds: Mapping[str, str]) -> dict[str, str]:
    """Return what is published of the secret seeds before anything is rolled."""
    return {owner: commitment(seed) for owner, seed in seeds.items()}


def mission_document(mission: Mission) -> dict[str, Any]:
    """Return a mission with its briefing."""
    told = briefing_of(mission)
    return {
        "listed": mission.listed,
        "rank": mission.rank,
        "key": mission.key,
        "rule": mission.rule,
        "title": told.title,
        "orders": told.orders,
        "declares": told.declares,
        "acts_in_play": told.acts_in_play,
    }


def hull_document(hull: Hull, library: Library) -> dict[str, Any]:
    """Return a ship of the own force."""
    bought = hull.bought
    ship_class = library[bought.ship_class]
    options = hull.options
    return {
        "ship": bought.ship,
        "name": hull.name,
        "ship_class": bought.ship_class,
        "class_name": ship_class.name,
        "type": ship_class.type,
        "stage": bought.stage,
        "is_lemon": bought.stage == "lemon",
        "has_officers": bool(ship_class.officer_cost),
        "base_cost": bought.base_cost,
        "cost": bought.cost,
        "total": bought.total,
        "grades": bought.grades.as_document(),
        "options": {
            "pods": options.pods,
            "pod_card": options.pod_card,
            "canister": dict(options.canister),
            "drones": options.drones,
            "parties": [list(place) for place in options.parties],
            "marines_ready": options.marines_ready,
            "cost": bought.options.total,
        },
    }


def start_document(start: Start) -> dict[str, Any]:
    """Return a starting place."""
    return {"at": {"q": start.at.q, "r": start.at.r, "z": start.at.z}, "vectors": dict(start.vectors)}


def entry_document(entry: Entry) -> dict[str, Any]:
    """Return a line of the record."""
    return {
        "number": entry.number,
        "by": entry.by,
        "act": entry.act,
        "text": entry.text,
        "rolls": [dict(roll) for roll in entry.rolls],
        "cards": list(entry.cards),
        "is_typed": entry.is_typed,
    }


def public_view(scenario: Scenario) -> dict[str, Any]:
    """Return what anyone may know: the agreement and how far each side is."""
    opening = scenario.opening
    return {
        "token": scenario.token,
        "stage": scenario.stage,
        "year": opening.year,
        "base": opening.base,
        "cards": opening.cards,
        "dice": opening.dice,
        "hulls": opening.hulls,
        "of_a_class": opening.of_a_class,
        "hex_size": opening.hex_size,
        "miracles": opening.miracles,
        "deck_typed": bool(opening.deck),
        "is_called_off": scenario.is_called_off,
        "is_fighting": scenario.is_fighting and scenario.stage == "battle",
        "sides": {role: _public_side(scenario, role) for role in ROLES},
    }


def _public_side(scenario: Scenario, role: Role) -> dict[str, Any]:
    side, opening = scenario.side(role), scenario.opening.side(role)
    return {
        "name": side.name,
        "faction": opening.faction,
        "seat": opening.seat,
        "is_done": side.is_done,
        "cards_drawn": len(side.hand) + len(side.followers),
        "collisions": side.collisions,
        "has_signed": bool(side.signed),
        "calls_off": side.calls_off,
        "fights_here": side.fights_here,
    }


@rule("D3.13")
def view_for(scenario: Scenario, role: Role, library: Library) -> dict[str, Any]:
    """Return everything that a side may know, as plain data."""
    side = scenario.side(role)
    view = public_view(scenario)
    view |= {
        "role": role,
        "nonce": side.nonce,
        "force": [hull_document(hull, library) for hull in side.ships],
        "chosen_for_enemy": [
            hull_document(hull, library) for hull in scenario.enemy(role).ships if hull.bought.stage == "lemon"
        ],
        "budget": _budget(scenario, role),
        "cards_held": _cards(scenario, role, side),
        "missions": [mission_document(mission) for mission in side.missions],
        "time_limit": side.assignment.turns if side.assignment is not None else None,
        "checks": [problem.as_document() for problem in _checks(scenario, role, library)],
        "enemy": _enemy(scenario, role, library),
        "shop": _shop(scenario, role, library),
        "declaring": _declaring(scenario, role),
        "set_up": _set_up(scenario, role) if scenario.stage in OPEN_FORCES else None,
        "ready": _ready(scenario, role, library) if scenario.stage in ("battle", "revealed") else [],
        "miracle_side": miracle_side(scenario),
        "report": _report(scenario, role),
    }
    view["log"] = [entry_document(entry) | {"number": number} for number, entry in enumerate(_own(scenario, role), 1)]
    return view


def _own(scenario: Scenario, role: Role) -> list[Entry]:
    return [entry for entry in scenario.log if entry.by == role or entry.act in ("collision", "height")]


def _checks(scenario: Scenario, role: Role, library: Library) -> tuple[Any, ...]:
    return () if scenario.side(role).is_done else check_done(scenario, role, library)


@rule("D3.112", "D3.12", "D3.14")
def _budget(scenario: Scenario, role: Role) -> dict[str, Any]:
    side, points = scenario.side(role), scenario.budget(role)
    by_stage = {
        stage: sum(one.cost for one in side.purchases if one.stage == stage) for stage in ("own", "lemon", "final")
    }
    is_known = side.assignment is not None
    return {
        "first": points.first_spend,
        "tenth": points.opponent_spend,
        "whole": points.final_total if is_known else None,
        "percent": side.assignment.percent if side.assignment is not None else None,
        "first_spent": by_stage["own"],
        "tenth_spent": by_stage["lemon"],
        "rest_spent": by_stage["final"],
        "options_spent": sum(one.options.total for one in side.purchases),
        "spent": side.spent,
        "left": points_left(scenario, role) if scenario.stage in PURCHASE_STAGES else None,
    }


def _cards(scenario: Scenario, role: Role, side: SideState) -> dict[str, Any]:
    found = mission_draw(role, side)
    assignment = side.assignment
    return {
        "hand": [
            {
                "card": card,
                "title": title(card),
                "percent": force_multiplier(card),
                "turns": time_limit(card),
                "mission": mission_document(mission_on(role, card)),
            }
            for card in side.hand
        ],
        "assignment": None
        if assignment is None
        else {"multiplier": assignment.multiplier, "time": assignment.time, "mission": assignment.mission},
        "followers": [{"card": card, "title": title(card)} for card in side.followers],
        "needs": found.needs if found is not None else "",
        "options": [mission_document(one) for one in found.options] if found is not None else [],
        "can_conceal": scenario.stage == "cards" and can_conceal(role, side),
    }


def _enemy(scenario: Scenario, role: Role, library: Library) -> list[dict[str, Any]]:
    """Return the enemy's ships once they stand on the map: what anyone sees of them, and no more."""
    if scenario.stage not in OPEN_FORCES:
        return []
    enemy = scenario.enemy(role)
    placed = scenario.stage != "set-up"
    rows = []
    # By class and name: the order of purchase would tell what came after the cards.
    for hull in sorted(visible(scenario, other(role)), key=lambda one: (one.bought.ship_class, one.name, one.ship)):
        ship_class = library[hull.bought.ship_class]
        start = enemy.starts.get(hull.ship) if placed else None
        rows.append(
            {
                "ship": hull.ship,
                "name": hull.name,
                "ship_class": ship_class.key,
                "class_name": ship_class.name,
                "type": ship_class.type,
                "tons": ship_class.tons,
                "is_lemon": hull.bought.stage == "lemon",
                "start": None if start is None else start_document(start),
            }
        )
    return rows


def _shop(scenario: Scenario, role: Role, library: Library) -> dict[str, Any] | None:
    """Return what can be bought now, and for whom."""
    if scenario.stage not in PURCHASE_STAGES:
        return None
    owner = owner_of(scenario, role)
    open_now = {offer.ship_class for offer in open_offers(scenario, role, library)}
    counts = [one.ship_class for one in held(scenario, role)]
    return {
        "for": owner,
        "left": points_left(scenario, role),
        "offers": [
            {
                "ship_class": offer.ship_class,
                "name": library[offer.ship_class].name,
                "type": library[offer.ship_class].type,
                "cost": offer.cost,
                "has_officers": bool(offer.officer_costs),
                "held": counts.count(offer.ship_class),
                "is_open": offer.ship_class in open_now,
                "is_struck": offer.ship_class in scenario.side(role).struck,
            }
            for offer in scenario.offers(owner, library)
        ],
    }


def _set_up(scenario: Scenario, role: Role) -> dict[str, Any]:
    side = scenario.side(role)
    corner = corner_of(scenario, role)
    starts = {**default_starts(scenario, role), **side.starts}
    return {
        "corner": {"q": corner.q, "r": corner.r, "z": corner.z},
        "has_height": scenario.high_side == role,
        "starts": {ship: start_document(start) for ship, start in starts.items()},
        "away": list(away(scenario, role)),
        "pincer_turn": side.pincer_turn,
    }


def _declaring(scenario: Scenario, role: Role) -> dict[str, Any]:
    """Return what the missions ask the side to name now, and what it named, or would if it does not think long."""
    side = scenario.side(role)
    if scenario.stage not in ("rest", *OPEN_FORCES):
        return {"asked": [], "is_declared": True, "targets": {}, "cronies": []}
    is_named = is_declared(scenario, role)
    named = side.declared if side.declared is not None else Declaration()
    shown = named if is_named else default_declaration(scenario, role)
    return {
        "asked": [
            {"rule": one.rule, "count": one.count, "among": list(one.among), "officers": one.officers}
            for one in asked_of(scenario, role)
        ],
        "is_declared": is_named,
        "targets": {key: list(ships) for key, ships in shown.targets.items()},
        "cronies": list(shown.cronies),
    }


def _ready(scenario: Scenario, role: Role, library: Library) -> list[dict[str, Any]]:
    """Return the own ships as they begin the battle; tracks marked off by a mission among it."""
    return [
        {
            "ship": one.hull.ship,
            "grades": one.grades.as_document(),
            "damage": dict(one.damage),
            "spent": dict(one.spent),
        }
        for one in ready_ships(scenario, role, library)
    ]


def _report(scenario: Scenario, role: Role) -> dict[str, Any] | None:
    if scenario.facts is None:
        return None
    return {
        "facts": facts_document(scenario.facts),
        "digest": facts_digest(scenario.facts),
        "signed": {one: bool(scenario.side(one).signed) for one in ROLES},
        "is_mine_signed": scenario.side(role).signed == facts_digest(scenario.facts),
    }


@rule("D3.13", "D3.4")
def revealed_view(scenario: Scenario, library: Library) -> dict[str, Any]:
    """Return everything of a scenario: for its umpire, and for all once it is laid open."""
    return public_view(scenario) | {
        "high_side": scenario.high_side,
        "sides_open": {role: view_for(scenario, role, library) for role in ROLES},
        "facts": None if scenario.facts is None else facts_document(scenario.facts),
        "score": None if scenario.score is None else dict(scenario.score),
        "miracle_side": miracle_side(scenario),
        "deck": None if scenario.deck is None else scenario.deck.as_document(),
        "log": [entry_document(entry) for entry in scenario.log],
    }
