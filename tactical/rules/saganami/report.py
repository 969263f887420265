"""The battle's result, for whoever handed it over and for the account of victory (D2.2)."""

from __future__ import annotations

from typing import Any

from campaign.engine import vectors as v
from campaign.engine.hexes import Hex
from campaign.rulebooks.saganami import victory
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.muster import CANISTER, PODS
from tactical.rules.saganami.state import Fate, Ship, State

OUTCOME_OF: dict[Fate, victory.Fate] = {
    "active": "fighting",
    "departed": "disengaged",
    "surrendered": "surrendered",
    "destroyed": "destroyed",
}


@rule("B5.121", "B5.132", "C6.13", "C8.12", "D2.223")
def report(state: State) -> dict[str, Any]:
    """Return the battle report (engine.handoff) of a battle that was handed over, as it stands now.

    Positions are relative to the tactical map, the berth taken off; velocities relative to its frame. Where
    no turn was played, nothing is said of them.
    """
    return {
        "engagement": state.handed.get("engagement", state.battle),
        "issue": state.handed.get("issue", 1),
        "digest": state.handed.get("digest", ""),
        "tactical_turns": state.turn,
        "frame": dict(state.frame),
        "frame_moved": None,
        "ships": {ship.id: _result(state, ship) for ship in state.ships},
        "objectives": [dict(each) for each in state.objectives],
        "notes": "" if state.over is None else str(state.over["text"]),
    }


def _result(state: State, ship: Ship) -> dict[str, Any]:
    before, after = ship.came_grades.as_document(), ship.grades.as_document()
    has_moved = state.turn > ship.arrives and ship.attitude is not None
    stores = dict(ship.stores)
    stores |= {f"{CANISTER}{mount}": count for mount, count in ship.canister.items()}
    if PODS in ship.brought:
        stores[PODS] = pods_left(ship)
    return {
        "fate": ship.fate,
        "boxes": ship.lost(),
        "stores": {kind: stores[kind] for kind in ship.brought},
        "rigs": [
            {"track": rig.track, "boxes": rig.boxes, "left": rig.fails - state.turn}
            for rig in ship.rigs
            if rig.fails > state.turn
        ]
        if state.turn > ship.arrives
        else None,
        "grades": {post: after[post] for post in after if after[post] != before[post]},
        "position": _place(_position(state, ship)) if has_moved else None,
        "velocity": dict(ship.vectors) if has_moved else None,
        "spare": [],
        "pods_used": ship.pods_used,
        "pods_killed": ship.pods_killed,
        "note": ship.note,
    }


@rule("B5.13")
def _position(state: State, ship: Ship) -> Hex:
    """Return where a ship is on the tactical map, less its berth; one that left stands where the map was then."""
    since = 0 if ship.left_turn is None else state.turn - ship.left_turn
    moved = v.to_axial(v.multiply(state.frame, since))
    return ship.place.less(ship.berth).less(moved)


def _place(place: Hex) -> dict[str, int]:
    return {"q": place.q, "r": place.r, "z": place.z}


def pods_left(ship: Ship) -> int:
    """Return the pods a ship has left: aboard, towed and settling."""
    return ship.pods_aboard + ship.pods_towed + sum(count for _, count in ship.pods_settling)


@rule("D2.223", "D2.225")
def outcomes(state: State) -> tuple[victory.SideOutcome, ...]:
    """Return every side as the victory rules take it: the boxes lost in this battle, pods used or killed."""
    found = []
    for key, side in state.sides.items():
        ships = []
        for ship in state.ships:
            if ship.side != key:
                continue
            lost = ship.lost()
            ships.append(
                victory.ShipOutcome(
                    ship=ship.id,
                    cost=ship.cost,
                    boxes=sum(ship.sheet.size[track] for track in ship.sheet.counted),
                    boxes_lost=sum(
                        max(0, lost.get(track, 0) - ship.came.get(track, 0)) for track in ship.sheet.counted
                    ),
                    fate=OUTCOME_OF[ship.fate],
                    name=f"{ship.seen_name} ({side.name})",
                    officers=ship.crew.get("officers", 0),
                    enlisted_and_marines=ship.crew.get("enlisted", 0) + ship.crew.get("marines", 0),
                    pods_bought=ship.brought.get(PODS, 0),
                    pods_spent=ship.pods_used + ship.pods_killed,
                    pod_cost=ship.pod_cost,
                )
            )
        met = tuple(
            victory.Objective(str(each["text"]), int(each["points"]))
            for each in state.objectives
            if each["side"] == key
        )
        found.append(victory.SideOutcome(key, tuple(ships), met, side.options_cost, side.allies))
    return tuple(found)


@rule("D2.0", "D2.2", "D2.22", "D2.23", "D2.231", "D2.232")
def score(state: State) -> dict[str, Any]:
    """Return the account of victory as the battle stands: points line by line, ratios, margin and winner."""
    sides = outcomes(state)
    account = victory.score(sides).as_document()
    is_cowardly = victory.is_cowardly_draw(state.turn, sides)
    if is_cowardly:
        account = {**account, "margin": "draw", "winner": None}
    points = ", ".join(f"{state.sides[each['side']].name} {each['points']}" for each in account["sides"])
    if is_cowardly:
        verdict = "A cowardly draw"
    elif account["winner"] is None:
        verdict = "A draw"
    else:
        margin = str(account["margin"]).replace("-", " ").capitalize()
        verdict = f"{margin} for {state.sides[account['winner']].name}"
    return {
        **account,
        "tactical_turns": state.turn,
        "cowardly_draw": is_cowardly,
        "text": f"{verdict}. Victory points: {points}.",
    }


def velocity_in_space(state: State, ship: Ship) -> dict[str, int]:
    """Return a ship's velocity with the map's frame added, consolidated (hexes a tactical turn; B5.13)."""
    return v.consolidate(v.add(ship.vectors, state.frame))
