"""How a computer side bids: from what its own side sees of the engagement, without chance (B5.122)."""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import Any

from campaign.engine.hexes import Hex
from campaign.engine.ruleset import Document
from campaign.engine.vectors import from_axial, to_axial
from campaign.rulebooks.saganami.movement import legal_changes
from campaign.rulebooks.saganami.scales import to_tactical
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.engagement import bidding_rounds
from operational.rules.saganami.engagement_documents import for_side

EVASIVE = ("convoy", "run")
CLOSING = 6  # tactical hexes a turn: as fast as a captain likes to come near


@rule("B5.122", "B5.123")
def captain_bids(document: Document, side: str, doctrine: str) -> list[dict[str, int]]:
    """Return a side's bids, one for each round in which it bids.

    Who runs or guards a convoy bids away from the nearest enemy; everybody else bids toward it until
    the range closes at six hexes a turn, and takes sideways drift off first. The most a bid may cost
    is the least thrust of the side's flagships.
    """
    seen = for_side(document, side)
    own = [force for force in seen["sides"][side]["forces"] if force["issue"] == 1]
    rounds = [one for one in bidding_rounds(document) if side in one["sides"]]
    if not own:
        return [{} for _ in rounds]
    allies = {side, *seen["sides"][side]["allies"]}
    enemies = [force for key, each in sorted(seen["sides"].items()) if key not in allies for force in each["forces"]]
    lead = own[0]
    enemy = min(enemies, key=lambda force: (_square(_between(lead, force)), force["id"]))
    toward = _between(lead, enemy)
    drift = to_axial(to_tactical(lead["velocity"])).less(to_axial(to_tactical(enemy["velocity"])))
    thrust = min(ship["facts"]["thrust"] for force in own for ship in force["ships"] if ship["id"] == force["flagship"])
    bids = []
    for _ in rounds:
        change = _best(thrust, toward, drift, away=doctrine in EVASIVE)
        drift = drift.moved(*change)
        bids.append(from_axial(*change))
    return bids


def _between(one: Mapping[str, Any], other: Mapping[str, Any]) -> Hex:
    return Hex(**other["place"]).less(Hex(**one["place"]))


def _best(thrust: int, toward: Hex, drift: Hex, *, away: bool) -> Hex:
    """Return the change of velocity that suits best: the least thrust of equals."""

    def how_bad(change: Hex) -> tuple[int, int]:
        after = drift.moved(*change)
        if away:
            return _dot(after, toward), _square(change)
        # The distance from the velocity that closes at the wanted rate, all times the length of the way.
        length = max(1, _root(_square(toward)))
        gap = Hex(*(length * now - CLOSING * way for now, way in zip(after, toward, strict=True)))
        return _square(gap), _square(change)

    return min(legal_changes(thrust), key=how_bad)


def _dot(one: Hex, other: Hex) -> int:
    """Return twice the product of two steps as vectors in space (axial axes stand at 60 degrees)."""
    plane = 2 * (one.q * other.q + one.r * other.r) + one.q * other.r + one.r * other.q
    return plane + 2 * one.z * other.z


def _square(step: Hex) -> int:
    return _dot(step, step)


def _root(twice_square: int) -> int:
    """Return the length of a step of which ``_square`` gave twice the square, fraction dropped."""
    return isqrt(twice_square // 2)
