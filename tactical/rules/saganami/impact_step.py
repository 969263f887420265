"""The missile impact steps in play: defences, penetration, damage, pods lost to warheads (A3.21, C4, C5, C8.22).

All defences of a step are those that stood when it began, and all warheads of one type go off together,
so nothing hangs on the order in which targets are taken: first the laser heads, then the contact nukes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.attitude import Attitude
from tactical.rules.saganami.avid import Place
from tactical.rules.saganami.beams import span
from tactical.rules.saganami.damage import depth_modifier, roll_penetrations
from tactical.rules.saganami.defense import Defense, defend
from tactical.rules.saganami.gunnery import Entry, entry_of, wall_of
from tactical.rules.saganami.hits import Damage
from tactical.rules.saganami.launch_step import fire_control
from tactical.rules.saganami.linked import defend_linked
from tactical.rules.saganami.missiles import STAGES, Stage, Warhead, launch_quality, missiles_in_salvo
from tactical.rules.saganami.plotting_steps import announce_loss
from tactical.rules.saganami.pods import Pods, after_soft_kills, soft_kills
from tactical.rules.saganami.shield import canister_spent, defender_of, fire_canister, spend_decoy
from tactical.rules.saganami.state import Card, Ship
from tactical.rules.saganami.switches import LATER_SALVOES, ruling
from tactical.rules.saganami.table import Table

WARHEADS: tuple[Warhead, ...] = ("laser head", "contact nuke")


@dataclass(frozen=True, slots=True)
class Incoming:
    """What comes in at one target as one salvo: the cards, how it finds the target, what got through of each."""

    cards: tuple[Card, ...]
    target: Ship
    entry: Entry
    through: tuple[int, ...]


@rule("A3.21", "A3.23", "A3.25", "A3.2", "C2.17", "C4.114", "C4.144", "C5.31", "C5.312")
def impacts(table: Table, stage: Stage) -> None:
    """Resolve all salvoes of a stage."""
    due = [card for card in table.state.cards if card.stage == stage]
    _fire_pods(table, due)
    rolls: dict[str, list[int]] = {}
    if due:
        canister = fire_canister(table, due, stage)
        arrived = [
            incoming
            for group in _groups(_as_reduced(table, due))
            if (incoming := _defend(table, stage, group, canister)) is not None
        ]
        canister_spent(table, canister)
        for warhead in WARHEADS:
            for target in table.state.ships:
                hits = [each for each in arrived if each.target is target and each.cards[0].warhead == warhead]
                if hits and target.fate == "active":
                    _damage(table, stage, target, hits, warhead, rolls.setdefault(target.id, []))
    for ship in table.state.ships:
        if ship.id in rolls:
            _soft_kill(table, ship, stage, rolls[ship.id])
    table.state.cards = tuple(card for card in table.state.cards if card.stage != stage)


def _fire_pods(table: Table, due: Sequence[Card]) -> None:
    """Count the pods whose missiles come in now as fired (C8.22, C8.12)."""
    for card in due:
        if card.pods:
            ship = table.state.ship(card.shooter)
            ship.pods_towed -= card.pods
            ship.pods_used += card.pods


@rule("C2.13", "C2.131")
def _as_reduced(table: Table, due: Sequence[Card]) -> list[Card]:
    """Return the salvoes as they come in: by the optional rule the launching ship's damage counts."""
    if ruling(table.state.rulings, LATER_SALVOES) != "reduced":
        return list(due)
    found = []
    for card in due:
        ship = table.state.ship(card.shooter)
        if card.stage == "early" or card.pods or ship.sheet.is_lac:
            found.append(card)
            continue
        mount = ship.sheet.mounting[card.mount]
        now = ship.left(mount.missiles) if ship.fate == "active" else 0
        missiles = missiles_in_salvo(card.missiles, now, is_reduced=True)
        if missiles:
            quality = launch_quality(card.base, fire_control(ship, mount), ship.grades.tactical)
            found.append(replace(card, missiles=missiles, quality=max(card.quality, quality)))
    return found


@rule("C2.17", "C2.173", "C4.114")
def _groups(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Return the cards as the target meets them: linked ones of a warhead together, the others alone."""
    found: dict[tuple[Any, ...], list[Card]] = {}
    for card in cards:
        key = (card.target, card.side, card.link, card.warhead) if card.link else (card.target, card.number)
        found.setdefault(key, []).append(card)
    return [tuple(each) for each in found.values()]


@rule("A2.41", "C4.11", "C4.114", "C4.143", "C4.144", "C5.11")
def _defend(
    table: Table, stage: Stage, cards: tuple[Card, ...], canister: dict[tuple[str, str], int]
) -> Incoming | None:
    """Roll a target's defence against one salvo or linked set; None where the target is gone."""
    target = table.state.ship(cards[0].target)
    if target.fate != "active" or target.attitude is None:
        return None
    attitude: Attitude = target.attitude
    windows: tuple[Place, ...] = cards[0].windows
    entry = entry_of(target, attitude, windows, table.turn)
    roller = table.roll(target.id, f"defence {cards[0].number}")
    defender, lent = defender_of(table, target, entry, windows, canister)
    if len(cards) == 1:
        result = defend(cards[0].missiles, cards[0].quality, cards[0].warhead, defender, roller)
        through: tuple[int, ...] = (result.hits,)
    else:
        result, through = defend_linked(cards, defender, roller)
    if result.is_decoy_spent:
        spend_decoy(target, entry)
    _tell_defence(table, stage, target, cards, entry, result, lent)
    return Incoming(cards, target, entry, through)


def _tell_defence(
    table: Table, stage: Stage, target: Ship, cards: tuple[Card, ...], entry: Entry, result: Defense, lent: list[str]
) -> None:
    coming = sum(card.missiles for card in cards)
    parts = [f"ECM stops {result.ecm_kills}{' with a decoy' if result.is_decoy_spent else ''}"]
    if result.countermissile_roll is not None:
        parts.append(f"countermissiles {result.countermissile_kills}")
    if result.point_defense_roll is not None:
        parts.append(f"point defence {result.point_defense_kills}")
    where = "wedge" if entry.aspect.cover == "wedge" else entry.aspect.edge
    text = (
        f"{stage.capitalize()} impact at {target.seen_name} ({where}): {coming} missiles, "
        f"{', '.join(parts)}; {result.hits} hit."
    )
    data = {
        "target": target.id,
        "cards": [card.number for card in cards],
        "cover": entry.aspect.cover,
        "edge": entry.aspect.edge,
        "missiles": coming,
        "ecm_roll": result.ecm_roll,
        "ecm_column": result.ecm_column,
        "ecm_kills": result.ecm_kills,
        "decoy": result.is_decoy_spent,
        "countermissile_roll": result.countermissile_roll,
        "countermissile_kills": result.countermissile_kills,
        "point_defense_roll": result.point_defense_roll,
        "point_defense_kills": result.point_defense_kills,
        "lent_by": lent,
        "hits": result.hits,
    }
    table.tell("salvo-defended", text, ("C4.1", "C4.12", "C4.13"), data)


@rule("A2.511", "C5.21", "C5.213", "C5.22", "C5.312", "C5.32", "C8.22")
def _damage(
    table: Table, stage: Stage, target: Ship, hits: Sequence[Incoming], warhead: Warhead, rolls: list[int]
) -> None:
    """Roll what a warhead type's missiles do to one target: all depths against the walls as they stand now."""
    roller = table.roll(target.id, f"{warhead} damage")
    damage = Damage(target, roller, table.turn)
    struck: list[tuple[int, int, Incoming]] = []
    zeros: dict[str, tuple[int, int]] = {}
    log: list[dict[str, Any]] = []
    penetrating = 0
    for incoming in hits:
        edge = incoming.entry.aspect.edge
        number, boxes = wall_of(target, incoming.entry.aspect, table.turn)
        for card, count in zip(incoming.cards, incoming.through, strict=True):
            if not count:
                continue
            modifier = depth_modifier(card.damage, target.sheet.scale, number)
            if target.sheet.is_lac:
                points = modifier // 2 if warhead == "contact nuke" else modifier
                log += damage.squadron_hits(edge, count, points, span(warhead))
                penetrating += count
                continue
            down = incoming.entry.aspect.cover == "wedge" and not target.wedge_up
            found = roll_penetrations(roller, count, modifier, warhead, is_wedge_down=down)
            rolls += found.rolls
            struck += [(depth, -len(struck) - index, incoming) for index, depth in enumerate(found.depths)]
            zeros[edge] = (zeros.get(edge, (0, 0))[0] + found.natural_zeros, boxes)
            penetrating += len(found.depths)
    for depth, _, incoming in sorted(struck, key=lambda each: (-each[0], -each[1])):
        if damage.is_over:
            break
        log.append(damage.hit(incoming.entry.aspect, depth, span(warhead)))
    for wall, (count, boxes) in zeros.items():
        damage.natural_zeros(wall, count, boxes)
    tell_damage(table, target, damage, log, penetrating, f"{stage} {warhead}s")


def tell_damage(
    table: Table, target: Ship, damage: Damage, log: list[dict[str, Any]], penetrating: int, what: str
) -> None:
    """Tell all that a ship was hurt, and its own side where."""
    if target.sheet.is_lac:
        target.hits_seen += sum(bool(each.get("destroyed")) for each in log)
    else:
        target.hits_seen += penetrating
    if penetrating or damage.notes:
        text = f"{target.seen_name} takes {penetrating} hits from {what}."
        table.tell("ship-hit", text, ("C5.2",), {"ship": target.id, "hits": penetrating})
        cells = "; ".join(_hit_text(each) for each in log if each.get("cells") or each.get("craft"))
        own = f"{target.name}: {cells}" if cells else f"{target.name}:"
        notes = " ".join(damage.notes)
        table.tell("damage-done", f"{own} {notes}".strip(), ("C5.23", "C5.4"), {"ship": target.id, "log": log,
                   "notes": list(damage.notes)}, audience=(target.side,))  # fmt: skip
    announce_loss(table, target)


def _hit_text(hit: dict[str, Any]) -> str:
    if "craft" in hit:
        return f"LAC {hit['craft']}" + (" destroyed" if hit.get("destroyed") else "")
    lines = " / ".join(" ".join(line) for line in hit["cells"] if line)
    rolls = "+".join(str(face) for face in hit["rolls"])
    return f"{hit['depth']} deep from {hit['edge']} at {rolls}: {lines or 'nothing'}"


@rule("C8.22", "C8.221", "C8.222", "C8.223")
def _soft_kill(table: Table, ship: Ship, stage: Stage, rolls: Sequence[int]) -> None:
    """Take the pods that the warheads around a ship destroyed, the later salvoes' first."""
    later = {
        each: sum(card.pods for card in table.state.cards if card.shooter == ship.id and card.stage == each)
        for each in STAGES[STAGES.index(stage) + 1 :]
    }
    settling = sum(count for _, count in ship.pods_settling)
    held = ship.pods_towed - sum(later.values())
    found = soft_kills(rolls, held + settling + sum(later.values()))
    if not found.killed:
        return
    before = Pods(middle=later.get("middle", 0), late=later.get("late", 0), held=held, settling=settling)
    after = after_soft_kills(before, stage, found.killed)
    _cut_cards(table, ship, {"middle": after.middle, "late": after.late})
    ship.pods_towed = after.held + after.middle + after.late
    ship.pods_settling = _cut_settling(ship.pods_settling, after.settling)
    ship.pods_killed += found.killed
    text = f"{ship.seen_name} loses {found.killed} pods to the warheads around it."
    table.tell("pods-killed", text, ("C8.22",), {"ship": ship.id, "pods": found.killed})


def _cut_cards(table: Table, ship: Ship, left: dict[str, int]) -> None:
    cards = []
    for card in table.state.cards:
        if card.shooter == ship.id and card.pods and card.stage in left:
            pods = min(card.pods, left[card.stage])
            left[card.stage] -= pods
            if pods:
                cards.append(replace(card, pods=pods, missiles=card.missiles * pods // card.pods))
        else:
            cards.append(card)
    table.state.cards = tuple(cards)


def _cut_settling(settling: tuple[tuple[int, int], ...], left: int) -> tuple[tuple[int, int], ...]:
    found = []
    for ready, count in settling:
        kept = min(count, left)
        left -= kept
        if kept:
            found.append((ready, kept))
    return tuple(found)
