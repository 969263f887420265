"""The missions as a briefing tells them (D3.2, D3.3): title, orders, and what the side must declare.

Keys are rule keys, as in "D3.2/J". The rules themselves are in ``patrol_score`` (the account),
``patrol_play`` (in play) and ``patrol`` (the draw).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rulebooks.saganami.patrol import MISSIONS_BY_CARD, ROLES, Mission
from campaign.rulebooks.saganami.source import rule


@dataclass(frozen=True, slots=True)
class Briefing:
    """How a mission is told to its side: its title, what counts, and what is declared beforehand ("" nothing)."""

    title: str
    orders: str
    declares: str = ""
    acts_in_play: bool = False


BRIEFINGS: Mapping[str, Briefing] = {
    "D3.2/A": Briefing(
        "Spy",
        "You have an agent aboard one enemy ship. Once in the battle the agent may sabotage four cells of that ship "
        "that touch, two points each; or have the enemy's mission card laid open; or keep the ship from plotting "
        "movement for the next three turns. An agent who is never revealed is worth five percent of the enemy's "
        "budget. Draw another card for your true mission; a second ace lets you choose it.",
        "the enemy ship with the agent",
        acts_in_play=True,
    ),
    "D3.2/K": Briefing(
        "Dummy draw",
        "Draw another card and take its mission from either list, as you like.",
    ),
    "D3.2/Q": Briefing(
        "Force majeure",
        "Destroy the largest enemy ship: your points count double.",
    ),
    "D3.2/J": Briefing(
        "Convoy raid",
        "Freighters lie behind the enemy. Each hyper capable ship of yours that disengages past the enemy takes one, "
        "worth five percent of the enemy's budget; up to half of the base budget in all.",
    ),
    "D3.2/10": Briefing(
        "Vendetta",
        "Your commander has a score to settle with one enemy ship. Destroyed, it counts three times; if it gets away, "
        "the enemy scores twice its cost.",
        "the enemy ship",
    ),
    "D3.2/9": Briefing(
        "Deep strike",
        "You raid far from home. Any unit of yours without a working hyper generator at the end counts as destroyed. "
        "All you score counts 120 percent.",
    ),
    "D3.2/8": Briefing(
        "Dummy draw",
        "Draw another card and take its mission from the defender's list; on another dummy, choose one there.",
    ),
    "D3.2/7": Briefing(
        "Liar's bluff",
        "You are here to be seen. None of your ships may disengage until an enemy has.",
        acts_in_play=True,
    ),
    "D3.2/6": Briefing(
        "Space superiority",
        "Intercept the enemy and destroy him. Damage to ships that are not destroyed counts half.",
    ),
    "D3.2/5": Briefing(
        "Demonstration of mettle",
        "Your time limit does not count. You may not try to disengage until two hyper capable enemies are destroyed.",
        acts_in_play=True,
    ),
    "D3.2/4": Briefing(
        "System blockade",
        "Keep the enemy from the hyper limit. Each enemy whose hyper generator is gone at the end counts half again.",
    ),
    "D3.2/3": Briefing(
        "Economy of force",
        "Intercept the enemy and destroy him, and spare your own: damage to you earns the enemy a quarter more.",
    ),
    "D3.2/2": Briefing(
        "Intelligence gathering",
        "Watch three enemy ships, each of another class. Each turn with a unit of yours within 5 hexes of one of them "
        "earns one percent of the enemy's points, of two at once two percent, of all three four; up to 25 percent.",
        "three enemy ships of different classes",
    ),
    "D3.3/A": Briefing(
        "Vengeance",
        "The enemy has had his way here and shall not leave. Ships you destroy count double; each that gets away "
        "earns him twice its cost.",
    ),
    "D3.3/K": Briefing(
        "Pincer maneuver",
        "A third of your points is off the map. It appears at range 30 with vectors of choice after 3d10med turns.",
        "the ships of the other arm",
        acts_in_play=True,
    ),
    "D3.3/Q": Briefing(
        "Dummy draw",
        "Draw another card and take its mission instead; on another dummy, choose one of the attacker's.",
    ),
    "D3.3/J": Briefing(
        "Elite crew",
        "One of the ships that your opponent chose for you has an elite tactical officer and crew, at no cost. "
        "If the enemy destroys it, twice its cost is taken from your points.",
        "the ship, one of those the opponent chose",
        acts_in_play=True,
    ),
    "D3.3/10": Briefing(
        "Dummy draw",
        "Draw another card and take its mission from the defender's list; on another dummy, choose one there.",
    ),
    "D3.3/9": Briefing(
        "Convoy defense",
        "A convoy lies behind you. What is left of each enemy that disengages past you is taken from your points, up "
        "to half of the base budget. If no enemy disengages at all, your points count double.",
    ),
    "D3.3/8": Briefing(
        "Space superiority",
        "Intercept the attacker and destroy him. Damage to ships that are not destroyed counts half.",
    ),
    "D3.3/7": Briefing(
        "System blockade",
        "Nobody leaves. Each enemy that gets away with a working hyper generator takes its cost from your points.",
    ),
    "D3.3/6": Briefing(
        "Fleet in being",
        "Yours is the only force here: keep it whole. Each ship of yours lost or taken counts double for the enemy.",
    ),
    "D3.3/5": Briefing(
        "Space supremacy",
        "Frustrate whatever the enemy plans. If he has not reached his objective by turn 10, your points count double.",
    ),
    "D3.3/4": Briefing(
        "Picket duty",
        "Supplies are overdue. Magazines are half full, there are no pods, and a quarter of your force by points has a "
        "poor crew. On each turn in which a side of a ship fires countermissiles, roll 2d10-: on 7 or more that side "
        "has no more of them. Canister is not affected.",
        "the ships with poor crews, a quarter of your points",
        acts_in_play=True,
    ),
    "D3.3/3": Briefing(
        "Walking wounded",
        "A fifth of your force by points, one of the largest ships among it, begins with half of its structural "
        "integrity gone, which shows only with the next hit on it. Half of the cost of each is yours if it disengages "
        "past the enemy when your time is up.",
        "the wounded ships, a fifth of your points with one of the largest",
        acts_in_play=True,
    ),
    "D3.3/2": Briefing(
        "Political appointee",
        "Somebody with friends commands your second largest ship: two of its officers are poor and its crew is "
        "average at best. When it loses more than half of a broadside's weapons, or survives an octagon, it checks "
        "crew quality or leaves at once. If it gets away, the damage to it earns the enemy half again; if it is "
        "destroyed, twice its cost is taken from your points.",
        "the ship, and the two poor officers",
        acts_in_play=True,
    ),
}


@rule("D3.2", "D3.3")
def briefing_of(mission: Mission) -> Briefing:
    """Return how a mission is told to its side."""
    return BRIEFINGS[mission.rule]


def all_missions() -> tuple[Mission, ...]:
    """Return all 26 cards' missions, attacker's first, in the order of the lists."""
    return tuple(Mission(role, drawn, key) for role in ROLES for drawn, key in MISSIONS_BY_CARD[role].items())
