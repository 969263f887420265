"""The end of a patrol battle (D3.4): its facts typed in, signed by both, scored, and everything laid open."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from campaign.engine.dice import canonical
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.rulebooks.saganami.patrol import ROLES, Role
from campaign.rulebooks.saganami.patrol_battle import (
    MissionPlayed,
    PatrolBattle,
    PatrolShip,
    PatrolSide,
    check_battle,
)
from campaign.rulebooks.saganami.patrol_declaring import (
    APPOINTEE,
    ELITE,
    INTELLIGENCE,
    SPY,
    VENDETTA,
    WOUNDED,
    lemons_of,
    visible,
)
from campaign.rulebooks.saganami.patrol_doing import Doing
from campaign.rulebooks.saganami.patrol_scenario import (
    Account,
    BattleFacts,
    Declaration,
    Library,
    Scenario,
    ShipFacts,
    other,
)
from campaign.rulebooks.saganami.patrol_score import score_patrol
from campaign.rulebooks.saganami.ship_class import boxes_total
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from campaign.rulebooks.saganami.source import rule
from campaign.rulebooks.saganami.victory import Fate

NAMED_IN_ACCOUNT = (SPY, VENDETTA, INTELLIGENCE, ELITE, WOUNDED, APPOINTEE)
# What a battle is checked with before its missions are laid open: missions and limits that name nothing.
NEUTRAL: Mapping[Role, MissionPlayed] = {
    "attacker": MissionPlayed("attacker", "6"),
    "defender": MissionPlayed("defender", "8"),
}


def is_hyper_capable(ship_class: ShipClass) -> bool:
    """Say whether a class has a hyper generator at all."""
    return ship_class.track("hyper_generator") is not None


def battle_of(scenario: Scenario, facts: BattleFacts, library: Library, *, is_open: bool = True) -> PatrolBattle:
    """Return the summary that the account is made from; ``is_open`` puts the secret missions in."""
    return PatrolBattle(
        turns=facts.turns,
        base_budget=scenario.opening.base,
        attacker=_side(scenario, "attacker", facts, library, is_open=is_open),
        defender=_side(scenario, "defender", facts, library, is_open=is_open),
    )


def _side(scenario: Scenario, role: Role, facts: BattleFacts, library: Library, *, is_open: bool) -> PatrolSide:
    side = scenario.side(role)
    declared = side.declared or Declaration()
    lemons = [hull.ship for hull in lemons_of(side)]
    ships = []
    for hull in side.ships:
        ship_class = library[hull.bought.ship_class]
        capable = is_hyper_capable(ship_class)
        its = facts.ships.get(hull.ship, ShipFacts())
        ships.append(
            PatrolShip(
                ship=hull.ship,
                ship_class=ship_class.key,
                cost=hull.cost,
                boxes=boxes_total(ship_class),
                tons=ship_class.tons,
                name=hull.name,
                boxes_lost=its.boxes_lost,
                fate=cast("Fate", its.fate),
                left_turn=its.left_turn,
                is_past_enemy=its.is_past_enemy,
                is_hyper_capable=capable,
                hyper_works=capable and its.hyper_works,
                is_lemon=hull.ship in lemons,
                officers=ship_class.officers,
                enlisted_and_marines=ship_class.enlisted + ship_class.marines,
                pods_bought=hull.options.pods,
                pods_spent=its.pods_spent,
                pod_cost=hull.bought.options.pods,
            )
        )
    missions = tuple(
        MissionPlayed(
            mission.listed,
            mission.rank,
            tuple(declared.targets.get(mission.rule, ())) if mission.rule in NAMED_IN_ACCOUNT else (),
            side.account.spy_act if mission.rule == SPY else "kept",
        )
        for mission in side.missions
    )
    disengaged = facts.attacker_disengaged if role == "attacker" else facts.defender_disengaged
    return PatrolSide(
        side=role,
        missions=missions if is_open else (NEUTRAL[role],),
        time_limit=side.assignment.turns if is_open and side.assignment is not None else 1,
        budget=scenario.budget(role).final_total if is_open else scenario.opening.base,
        ships=tuple(ships),
        disengaged_turn=disengaged,
        close_turns=side.account.close_turns if is_open else (),
        objective_turn=side.account.objective_turn if is_open else None,
        options_cost=sum(one.options.others for one in side.purchases),
    )


@rule("D3.41")
def check_facts(
    scenario: Scenario, facts: BattleFacts, library: Library, *, by: Role | None = None
) -> tuple[Problem, ...]:
    """Return everything that is wrong with the facts of a battle, at the places of ``BattleFacts``.

    The secret missions are not looked at, so that a refusal tells nothing of them; and a side (``by``)
    is not asked for ships that it never saw: they count as unhurt unless a report names them.
    """
    ids = {role: [hull.ship for hull in scenario.side(role).ships] for role in ROLES}
    every = [ship for role in ROLES for ship in ids[role]]
    unseen = [hull.ship for hull in scenario.side(other(by)).ships] if by is not None else []
    if by is not None:
        seen = [hull.ship for hull in visible(scenario, other(by))]
        unseen = [ship for ship in unseen if ship not in seen]
    problems = [
        Problem(pointer("ships", ship), "unknown-ship", "There is no such ship here.", "D3.41")
        for ship in facts.ships
        if ship not in every or ship in unseen
    ]
    problems += [
        Problem(pointer("ships", ship), "missing", "Say what became of every ship.", "D3.41")
        for ship in every
        if ship not in facts.ships and ship not in unseen
    ]
    for found in check_battle(battle_of(scenario, facts, library, is_open=False)):
        place = found.place
        for role in ROLES:
            for index, ship in enumerate(ids[role]):
                prefix = pointer(role, "ships", index)
                if place == prefix or place.startswith(prefix + "/"):
                    place = pointer("ships", ship) + place.removeprefix(prefix)
            place = place.replace(f"/{role}/disengaged_turn", f"/{role}_disengaged")
        problems.append(replace(found, place=place))
    return tuple(sorted(problems))


@rule("D3.41", "D3.2/A", "D3.2/2")
def check_account(scenario: Scenario, role: Role, facts: BattleFacts, account: Account) -> tuple[Problem, ...]:
    """Return everything that is wrong with what a side alone knows of a battle."""
    problems = []
    enemies = [hull.ship for hull in scenario.side(other(role)).ships]
    if account.spy_act != "kept" and "spy" not in scenario.side(role).mission_keys:
        problems.append(Problem("/account/spy_act", "no-spy", "You have no spy.", "D3.2/A"))
    if len(account.close_turns) > facts.turns:
        message = "There are more entries than turns."
        problems.append(Problem("/account/close_turns", "out-of-range", message, "D3.2/2"))
    for turn, ships in enumerate(account.close_turns):
        for index, ship in enumerate(ships):
            if ship not in enemies:
                place = pointer("account", "close_turns", turn, index)
                problems.append(Problem(place, "unknown-ship", "There is no such enemy.", "D3.2/2"))
    if account.objective_turn is not None and not 1 <= account.objective_turn <= facts.turns:
        message = "The battle had no such turn."
        problems.append(Problem("/account/objective_turn", "out-of-range", message, "D3.41"))
    return tuple(problems)


def facts_digest(facts: BattleFacts) -> str:
    """Return the digest of a battle's facts, which the sides sign."""
    return hashlib.sha256(canonical(facts_document(facts)).encode()).hexdigest()


def facts_document(facts: BattleFacts) -> dict[str, Any]:
    """Return facts as plain data."""
    return {
        "turns": facts.turns,
        "attacker_disengaged": facts.attacker_disengaged,
        "defender_disengaged": facts.defender_disengaged,
        "ships": {
            ship: {
                "boxes_lost": its.boxes_lost,
                "fate": its.fate,
                "left_turn": its.left_turn,
                "is_past_enemy": its.is_past_enemy,
                "hyper_works": its.hyper_works,
                "pods_spent": its.pods_spent,
            }
            for ship, its in facts.ships.items()
        },
    }


@rule("D3.41")
def report(doing: Doing, facts: BattleFacts, account: Account) -> None:
    """Type in what became of everyone, in place of any earlier report; who reports has signed."""
    doing.at("battle")
    problems = [
        *check_facts(doing.scenario, facts, doing.library, by=doing.role),
        *check_account(doing.scenario, doing.role, facts, account),
    ]
    if problems:
        raise ProblemsError(problems)
    doing.scenario = replace(doing.scenario, facts=facts)
    doing.change(other(doing.role), signed="")
    doing.change(signed=facts_digest(facts), account=account)
    doing.record("report", f"A result after {facts.turns} turns.")
    _settle(doing)


@rule("D3.41")
def sign(doing: Doing, digest: str, account: Account) -> None:
    """Sign the reported facts by their digest, and add what only this side knows."""
    doing.at("battle")
    facts = doing.scenario.facts
    if facts is None:
        raise refuse("nothing-reported", "No result has been reported yet.", rule="D3.41")
    if digest != facts_digest(facts):
        message = "This is not the result that is on the table; look at it again."
        raise refuse("other-result", message, place="/digest", rule="D3.41")
    problems = check_account(doing.scenario, doing.role, facts, account)
    if problems:
        raise ProblemsError(problems)
    doing.change(signed=digest, account=account)
    doing.record("sign", "The result is signed.")
    _settle(doing)


@rule("D3.4", "D3.41")
def rule_result(doing: Doing, facts: BattleFacts, accounts: Mapping[Role, Account]) -> None:
    """Settle the battle by the umpire's word, which needs no signature."""
    doing.at("battle")
    problems = list(check_facts(doing.scenario, facts, doing.library))
    for role in ROLES:
        found = check_account(doing.scenario, role, facts, accounts.get(role, Account()))
        problems += [replace(one, place=one.place.replace("/account", f"/accounts/{role}", 1)) for one in found]
    if problems:
        raise ProblemsError(problems)
    doing.scenario = replace(doing.scenario, facts=facts)
    for role in ROLES:
        doing.change(role, account=accounts.get(role, Account()), signed=facts_digest(facts))
    doing.record("rule", f"A result after {facts.turns} turns, by the umpire.", by="umpire")
    _settle(doing)


def _settle(doing: Doing) -> None:
    """Score the battle and lay everything open once both have signed."""
    scenario = doing.scenario
    facts = scenario.facts
    if facts is None or any(scenario.side(role).signed != facts_digest(facts) for role in ROLES):
        return
    score = score_patrol(battle_of(scenario, facts, doing.library)).as_document()
    doing.scenario = replace(scenario, score=score, stage="revealed")
    winner = score["winner"] or "nobody"
    doing.record("reveal", f"{score['margin'].replace('-', ' ')}: {winner}.", by="umpire")


def fight_here(doing: Doing) -> None:
    """Wish to have the battle fought by captains here; it is, once both wish it (an automatic side always does)."""
    doing.at("battle")
    if doing.scenario.facts is not None:
        raise refuse("reported-already", "A result has been reported; sign it, or report otherwise.", rule="D3.41")
    doing.change(fights_here=True)
    doing.record("fight", "The battle may be fought by captains here.")
    if all(doing.scenario.side(role).fights_here or _is_automatic(doing.scenario, role) for role in ROLES):
        doing.scenario = replace(doing.scenario, is_fighting=True)


def call_off(doing: Doing, by: str) -> None:
    """Wish to call the scenario off; it ends without a result once both wish it, or at the umpire's word."""
    if doing.scenario.stage == "revealed":
        doing.at()
    if by == "umpire":
        for role in ROLES:
            doing.change(role, calls_off=True)
    doing.change(calls_off=True)
    doing.record("call-off", "The scenario should be called off.", by=by)
    if all(doing.scenario.side(role).calls_off or _is_automatic(doing.scenario, role) for role in ROLES):
        doing.scenario = replace(doing.scenario, stage="revealed", is_called_off=True)
        doing.record("reveal", "Called off; everything is laid open.", by="umpire")


def _is_automatic(scenario: Scenario, role: Role) -> bool:
    return scenario.opening.side(role).seat == "automatic"
