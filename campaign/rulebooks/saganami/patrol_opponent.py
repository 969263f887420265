"""The automatic opponent of a patrol scenario: it plays from its own view, as a person would, and knows no more.

Its choices are rolled in its own side's stream at addresses of their own, so that they can be checked
afterwards; what it buys, the composer buys for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.dice import Roller, Stream, canonical, turn_keys
from campaign.rulebooks.saganami.options import PARTY_COST, hull_rows_of, places_for_parties
from campaign.rulebooks.saganami.patrol import DUMMY, ROLES, Role
from campaign.rulebooks.saganami.patrol_acts import load_act, perform
from campaign.rulebooks.saganami.patrol_scenario import SERIES, Library, Scenario
from campaign.rulebooks.saganami.patrol_view import view_for

Document = dict[str, Any]
MOST_ACTS = 200  # of one side in a row: far more than any scenario takes
EXTRA_PARTIES = 2  # what is left over goes into these, ship by ship


def next_act(view: Mapping[str, Any], roller: Roller, library: Library) -> Document | None:
    """Return what a side does next by its own view, or None while it has nothing to do."""
    role, stage = view["role"], view["stage"]
    if view["sides"][role]["is_done"] or stage == "revealed":
        return None
    if stage in ("first", "lemon", "rest"):
        return _buying(view, roller, library)
    if stage == "cards":
        return _cards(view, roller)
    if stage == "set-up":
        return _declaring(view, roller) if not view["declaring"]["is_declared"] else {"act": "done"}
    report = view["report"]
    if report is not None and not report["is_mine_signed"]:
        return {"act": "sign", "digest": report["digest"]}
    return None


def _buying(view: Mapping[str, Any], roller: Roller, library: Library) -> Document:
    if any(offer["is_open"] for offer in view["shop"]["offers"]):
        return {"act": "compose"}
    if view["stage"] == "rest":
        wanted = _wanted_options(view, library)
        if wanted is not None:
            return wanted
        if not view["declaring"]["is_declared"]:
            return _declaring(view, roller)
    return {"act": "done"}


def _wanted_options(view: Mapping[str, Any], library: Library) -> Document | None:
    """Return options for the next ship that has none, out of what is left: parties, which every ship can use."""
    left = view["shop"]["left"]
    for ship in view["force"]:
        if ship["options"]["cost"] or left < PARTY_COST:
            continue
        count = min(EXTRA_PARTIES, left // PARTY_COST)
        places = places_for_parties(hull_rows_of(library[ship["ship_class"]]), count)
        if places:
            return {"act": "options", "ship": ship["ship"], "parties": [list(place) for place in places]}
    return None


def _cards(view: Mapping[str, Any], roller: Roller) -> Document:
    held = view["cards_held"]
    if held["assignment"] is None:
        return _assigning(held["hand"], roller)
    if held["needs"] == "card":
        return {"act": "draw"}
    if held["needs"] == "choice":
        options = held["options"]
        chosen = options[roller.die(len(options)) - 1]
        return {"act": "choose", "listed": chosen["listed"], "rank": chosen["rank"]}
    if held["can_conceal"] and roller.die(2) == 1:
        return {"act": "draw"}
    return {"act": "done"}


def _assigning(hand: list[Mapping[str, Any]], roller: Roller) -> Document:
    """Return the roles of three cards: the largest multiplier, and of the other two mostly the longer time."""
    ranked = sorted(hand, key=lambda one: (-one["percent"], one["mission"]["key"] != DUMMY, one["card"]))
    best, rest = ranked[0], sorted(ranked[1:], key=lambda one: (-one["turns"], one["card"]))
    time, mission = rest if roller.die(3) > 1 else rest[::-1]
    return {"act": "assign", "multiplier": best["card"], "time": time["card"], "mission": mission["card"]}


def _declaring(view: Mapping[str, Any], roller: Roller) -> Document:
    """Return what the missions ask for; where one ship is to be named, the dice choose it."""
    declaring = view["declaring"]
    targets = {asked["rule"]: list(declaring["targets"].get(asked["rule"], ())) for asked in declaring["asked"]}
    for asked in declaring["asked"]:
        if asked["count"] == 1:
            targets[asked["rule"]] = [asked["among"][roller.die(len(asked["among"])) - 1]]
    return {"act": "declare", "targets": targets, "cronies": list(declaring["cronies"])}


def choice_dice(scenario: Scenario, role: Role, seeds: Mapping[str, str], number: int) -> Roller:
    """Return the dice of an automatic side's numbered choice, out of its own stream."""
    nonce = scenario.side(role).nonce
    keys = turn_keys({role: seeds[role]}, {role: nonce} if nonce else {})
    return Stream(keys[role], canonical([SERIES, scenario.token, "choice", role, number]))


def play_automatic(
    scenario: Scenario, library: Library, seeds: Mapping[str, str]
) -> tuple[Scenario, list[tuple[Role, Document]]]:
    """Let the automatic sides do all they can; return the scenario after it, and the acts in their order."""
    done: list[tuple[Role, Document]] = []
    automatic = [role for role in ROLES if scenario.opening.side(role).seat == "automatic"]
    is_moving = True
    while is_moving and len(done) < MOST_ACTS:
        is_moving = False
        for role in automatic:
            number = sum(entry.by == role for entry in scenario.log)
            act = next_act(view_for(scenario, role, library), choice_dice(scenario, role, seeds, number), library)
            if act is None:
                continue
            scenario = perform(scenario, role, load_act(act), library, seeds)
            done.append((role, act))
            is_moving = True
    return scenario, done
