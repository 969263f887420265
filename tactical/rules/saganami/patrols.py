"""Battles of patrol scenarios, fought by captains: each side's breaks off when its own time is up (D3.131)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from campaign.engine.hexes import true_range
from campaign.engine.turn import Progress
from campaign.rulebooks.saganami.patrol import ROLES, Role
from campaign.rulebooks.saganami.patrol_acts import load_act, perform
from campaign.rulebooks.saganami.patrol_declaring import corner_of
from campaign.rulebooks.saganami.patrol_muster import battle_document
from campaign.rulebooks.saganami.patrol_scenario import UMPIRE, Library, Scenario, other
from tactical.rules.saganami.battle import play_step
from tactical.rules.saganami.captain import captain_of
from tactical.rules.saganami.report import outcomes
from tactical.rules.saganami.scenario import new_battle
from tactical.rules.saganami.sequence import sides_to_plot
from tactical.rules.saganami.state import Ship, State
from tactical.rules.saganami.view import view_of

FIGHTING: Final = "balanced"
LEAVING: Final = "evade"
CLOSE: Final = 5  # D3.2/2: hexes from which a ship is watched
PATIENCE: Final = 21  # turns past the later limit: then everything is forfeited, and no captain changes that
MOST_WITHOUT_LIMIT: Final = 60

Watched = dict[str, list[list[str]]]


def doctrine_at(scenario: Scenario, role: Role, turn: int) -> str:
    """Return how a side's captain fights in a turn; a demonstration of mettle has no limit, a bluff must not leave."""
    side = scenario.side(role)
    if {"demonstration-of-mettle", "liars-bluff"} & set(side.mission_keys) or side.assignment is None:
        return FIGHTING
    return LEAVING if turn >= side.assignment.turns else FIGHTING


def patrol_battle(
    scenario: Scenario, library: Library, seed: str, progress: Progress | None = None
) -> tuple[State, Watched]:
    """Fight a scenario's battle; return its last state, and turn by turn the enemies that each side had close."""
    document, classes = battle_document(scenario, library)
    state = new_battle(document, classes)
    limits = [side.assignment.turns for side in (scenario.attacker, scenario.defender) if side.assignment is not None]
    most = min(max(limits, default=0) + PATIENCE, MOST_WITHOUT_LIMIT)
    watched: Watched = {role: [] for role in ROLES}
    while state.over is None and state.turn < most:
        sheets: dict[str, Any] = {
            role: captain_of(doctrine_at(scenario, role, state.turn))(view_of(state, role))
            for role in ROLES
            if role in sides_to_plot(state)
        }
        before = state.turn
        state, _ = play_step(state, sheets, seed)
        if state.turn > before:
            for role in ROLES:
                watched[role].append(_close(state, role))
            if progress is not None:
                progress(state.turn, most, f"Turn {state.turn}")
    return state, watched


def _on_map(state: State, role: str) -> list[Ship]:
    return [ship for ship in state.ships if ship.side == role and ship.fate == "active" and ship.arrives <= state.turn]


def _close(state: State, role: Role) -> list[str]:
    """Return the enemy ships that have a unit of this side within 5 hexes."""
    own = _on_map(state, role)
    return [
        enemy.id
        for enemy in _on_map(state, other(role))
        if any(true_range(*ship.place.less(enemy.place)) <= CLOSE for ship in own)
    ]


def battle_facts(scenario: Scenario, state: State) -> dict[str, Any]:
    """Return what became of everyone, in the form of a report.

    When the forces have lost touch, those that still stand have disengaged; one does so past the enemy
    if it is nearer to the enemy's corner than every enemy is to it.
    """
    turns = max(state.turn, 1)
    has_lost_touch = state.over is not None and state.over["why"] == "disengaged"
    ships = {ship.id: ship for ship in state.ships}
    facts: dict[str, Any] = {}
    for side in outcomes(state):
        role: Role = "attacker" if side.side == "attacker" else "defender"
        for one in side.ships:
            ship = ships[one.ship]
            fate = "disengaged" if has_lost_touch and one.fate == "fighting" else one.fate
            left = turns if fate == "disengaged" and ship.left_turn is None else ship.left_turn
            track = ship.sheet.size.get("hyper_generator", 0)
            facts[one.ship] = {
                "boxes_lost": one.boxes_lost,
                "fate": fate,
                "left_turn": left if left is None else min(max(left, 1), turns),
                "is_past_enemy": fate == "disengaged" and _is_past(scenario, state, role, ship),
                "hyper_works": ship.lost().get("hyper_generator", 0) < track if track else True,
                "pods_spent": min(one.pods_spent, one.pods_bought),
            }
    disengaged = turns if has_lost_touch else None
    return {
        "turns": turns,
        "ships": facts,
        "attacker_disengaged": disengaged,
        "defender_disengaged": disengaged,
    }


def _is_past(scenario: Scenario, state: State, role: Role, ship: Ship) -> bool:
    corner = corner_of(scenario, other(role))
    own = true_range(*ship.place.less(corner))
    enemies = [one for one in state.ships if one.side != role and one.fate == "active"]
    return bool(enemies) and all(own < true_range(*one.place.less(corner)) for one in enemies)


def accounts_of(scenario: Scenario, watched: Watched) -> dict[str, Any]:
    """Return what each side alone knows: spies stay hidden, and the ships watched are those that were close."""
    return {
        role: {"close_turns": watched[role] if "intelligence-gathering" in scenario.side(role).mission_keys else []}
        for role in ROLES
    }


def patrol_winner(scenario: Scenario, library: Library, seed: str) -> str:
    """Fight a scenario's battle by captains and return who won it by its account, "" for a draw."""
    state, watched = patrol_battle(scenario, library, seed)
    act = load_act({"act": "rule", "facts": battle_facts(scenario, state), **accounts_of(scenario, watched)})
    score = perform(scenario, UMPIRE, act, library, {}).score
    return str(score["winner"] or "") if score is not None else ""


@dataclass(frozen=True, slots=True)
class PatrolBattles:
    """How this ruleset fights the battles of patrol scenarios, as one value for the services."""

    fight: Callable[[Scenario, Library, str, Progress | None], tuple[State, Watched]]
    facts: Callable[[Scenario, State], dict[str, Any]]
    accounts: Callable[[Scenario, Watched], dict[str, Any]]
    winner: Callable[[Scenario, Library, str], str]


PATROL_BATTLES = PatrolBattles(patrol_battle, battle_facts, accounts_of, patrol_winner)
