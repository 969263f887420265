"""The defence against linked salvoes: one ECM roll, one decoy, one set of active defences for them all (C2.17)."""

from __future__ import annotations

from collections.abc import Sequence

from campaign.engine.dice import Roller, d10_difference, shift_column
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.defense import (
    Battery,
    Defender,
    Defense,
    Layer,
    battery_kills,
    ecm_shift,
    kills_scored,
    linked_ecm_kills,
    linked_quality,
)
from tactical.rules.saganami.missiles import Warhead
from tactical.rules.saganami.state import Card
from tactical.rules.saganami.tables import ECM_LAYER


@rule("C2.17", "C4.126", "C4.143", "C4.144")
def defend_linked(cards: Sequence[Card], defender: Defender, roller: Roller) -> tuple[Defense, tuple[int, ...]]:
    """Roll a ship's defence against linked salvoes of one warhead; return it, and the hits of each card.

    The defender picks what the active defences stop: the heaviest missiles first.
    """
    wedge, has_boxes = defender.is_wedge_hit, defender.ecm_boxes > 0
    volleys = [(card.missiles, card.quality) for card in cards]
    roll = d10_difference(roller) if has_boxes else None
    shift = ecm_shift(defender.ecm, roll or 0, is_wedge_hit=wedge, has_boxes=has_boxes)
    plain = linked_ecm_kills(volleys, shift)
    decoyed = linked_ecm_kills(volleys, shift, defender.decoy)
    # A worth of 0 is the order never to spend one; the caller then gives no decoy.
    is_spent = defender.decoy > 0 and sum(decoyed) - sum(plain) >= max(defender.decoy_worth, 1)
    stopped = decoyed if is_spent else plain
    left = [card.missiles - kills for card, kills in zip(cards, stopped, strict=True)]
    best = min(card.quality for card in cards)
    column = shift_column(best, shift + (defender.decoy if is_spent else 0), last=ECM_LAYER.columns)
    cm_roll, by_cm = _layer("countermissiles", defender.countermissiles, cards, left, defender, roller)
    pd_roll, by_pd = _layer("point defense", defender.point_defense, cards, left, defender, roller)
    result = Defense(
        ecm_roll=roll,
        ecm_column=column,
        is_decoy_spent=is_spent,
        ecm_kills=sum(stopped),
        countermissile_roll=cm_roll,
        countermissile_kills=by_cm,
        point_defense_roll=pd_roll,
        point_defense_kills=by_pd,
        hits=sum(left),
    )
    return result, tuple(left)


def _layer(
    layer: Layer,
    batteries: Sequence[Battery],
    cards: Sequence[Card],
    left: list[int],
    defender: Defender,
    roller: Roller,
) -> tuple[int | None, int]:
    """Roll a layer against what is left of all cards, and take its kills from ``left``, the heaviest first."""
    can_fire = any(battery.probable_kills > 0 for battery in batteries)
    if not sum(left) or not can_fire or (defender.is_wedge_hit and layer == "countermissiles"):
        return None, 0
    roll = d10_difference(roller)
    quality = linked_quality([(count, card.quality) for count, card in zip(left, cards, strict=True)])
    warhead: Warhead = cards[0].warhead
    kills = kills_scored(
        battery_kills(batteries, quality, roll),
        layer,
        is_wedge_hit=defender.is_wedge_hit,
        warhead=warhead,
        missiles=sum(left),
    )
    rest = kills
    for index in sorted(range(len(cards)), key=lambda index: (-cards[index].damage, index)):
        taken = min(left[index], rest)
        left[index] -= taken
        rest -= taken
    return roll, kills
