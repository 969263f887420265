"""The end of a turn aboard: permanent repairs, jury rigs that fail, life support (C5.423, C6.13, C6.16).

Ships in battle are left alone; what fell due meanwhile happens when they are back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from campaign.engine.dice import Roller, TurnDice, three_d10
from campaign.engine.ruleset import Event
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.compensators import crew_number
from operational.rules.saganami.losses import with_lost
from operational.rules.saganami.orders import Orders, Repair
from operational.rules.saganami.state import ACTIVE, DESTROYED, JuryRig, Ships, State, Tries
from operational.rules.saganami.view_ships import track_label

PHASE = "upkeep"
Held = TypeVar("Held")
LIFE_SUPPORT = "life_support"
LIFE_SUPPORT_TURNS = 19  # C5.423: six hours
MAGAZINE = "mag"


def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Repair for good, then let jury rigs fail, then check life support."""
    state, repaired = repair(state, orders, dice)
    state, failed = expire(state)
    state, checked = check_life_support(state, dice)
    return state, (*repaired, *failed, *checked)


def is_in_battle(state: State, row: int) -> bool:
    """Return whether the ship in a row is held by an engagement."""
    at = state.forces.index.get(state.ships.force[row])
    return at is not None and bool(state.forces.engaged[at])


# Permanent repairs -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Bench:
    """One ship's damage while it is repaired."""

    damage: dict[str, int]
    rigs: list[JuryRig]
    tries: dict[str, Tries]


@rule("C6.16", "C6.12", "C6.121", "C6.122", "C6.123", "C6.11")
def repair(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Carry out the permanent repairs ordered: a crew check for each party on each box.

    One success of the one or two parties repairs the box. A box may be tried once more after a
    failure; after the second it needs a shipyard.
    """
    ships = state.ships
    benches: dict[str, _Bench] = {}
    events: list[Event] = []
    for sheet in orders.values():
        for order in sheet.repairs:
            row = ships.index[order.ship]
            if ships.status[row] != ACTIVE or is_in_battle(state, row):
                continue
            bench = benches.get(order.ship)
            if bench is None:
                bench = benches[order.ship] = _Bench(
                    dict(ships.damage.get(order.ship, {})),
                    list(ships.rigs.get(order.ship, ())),
                    dict(ships.repairs.get(order.ship, {})),
                )
            events.append(_repair(state, row, order, bench, dice))
    if not benches:
        return state, ()
    return replace(state, ships=_put_back(ships, benches)), tuple(events)


def _repair(state: State, row: int, order: Repair, bench: _Bench, dice: TurnDice) -> Event:
    """Try one order's boxes, one after the other."""
    ships = state.ships
    ship, side = order.ship, ships.side[row]
    its_class = state.classes[ships.ship_class[row]]
    target = crew_number(its_class, ships.grades[row].crew)
    track = its_class.track(order.track)
    is_magazine = track is not None and track.code == MAGAZINE
    roller = dice.open(side, PHASE, ship, f"repair {order.track}")
    fixed = 0
    rolled: list[list[int]] = []
    for _ in range(order.boxes):
        if not bench.damage.get(order.track):
            break
        faces = [roller.die() for _ in range(order.parties)]
        rolled.append(faces)
        passed = min(faces) <= target
        if is_magazine:
            fixed += _reload(bench, order.track, roller) if passed else 0
        else:
            fixed += _mend(bench, order.track) if passed else _give_up(bench, order.track)
    label = track_label(order.track)
    what = counted(fixed, "salvo", "salvoes") if is_magazine else counted(fixed, "box", "boxes")
    done = "restored" if is_magazine else "repaired for good"
    tries = counted(len(rolled), "try", "tries")
    return Event(
        "repair-done" if fixed else "repair-failed",
        f"{ships.name[row]}, {label}: {what} {done} in {tries} against {target}.",
        (side,),
        ("C6.16", "C6.14") if is_magazine else ("C6.16",),
        {"ship": ship, "track": order.track, "repaired": fixed, "target": target, "dice": rolled},
    )


def counted(number: int, one: str, more: str) -> str:
    """Return a number of things in words: "1 box", "2 boxes"."""
    return f"{number} {one if number == 1 else more}"


@rule("C6.16")
def _mend(bench: _Bench, track: str) -> int:
    """Repair one box: one that a jury rig holds first, then one never tried, then one that failed once."""
    bench.damage[track] -= 1
    tries = bench.tries.get(track, Tries())
    bench.tries[track] = replace(tries, once=min(tries.once, bench.damage[track] - tries.shipyard))
    for index, rig in enumerate(bench.rigs):
        if rig.track == track:
            bench.rigs[index : index + 1] = [replace(rig, boxes=rig.boxes - 1)] if rig.boxes > 1 else []
            break
    return 1


@rule("C6.16")
def _give_up(bench: _Bench, track: str) -> int:
    """Count a failure: a box never tried has one try left, one that failed before needs a shipyard."""
    tries = bench.tries.get(track, Tries())
    fresh = bench.damage[track] - tries.once - tries.shipyard
    bench.tries[track] = (
        replace(tries, once=tries.once + 1) if fresh > 0 else Tries(once=tries.once - 1, shipyard=tries.shipyard + 1)
    )
    return 0


@rule("C6.14", "C6.141")
def _reload(bench: _Bench, track: str, roller: Roller) -> int:
    """Restore the lowest of three d10 salvoes to a magazine, never above what it held; it may be tried again."""
    restored = min(three_d10(roller, "low"), bench.damage[track])
    bench.damage[track] -= restored
    return restored


def _put_back(ships: Ships, benches: Mapping[str, _Bench]) -> Ships:
    damage, rigs, tries = dict(ships.damage), dict(ships.rigs), dict(ships.repairs)
    for ship, bench in benches.items():
        _put(damage, ship, {track: boxes for track, boxes in bench.damage.items() if boxes})
        _put(rigs, ship, tuple(bench.rigs))
        _put(tries, ship, {track: each for track, each in bench.tries.items() if each != Tries()})
    return replace(ships, damage=damage, rigs=rigs, repairs=tries)


def _put(where: dict[str, Held], ship: str, what: Held) -> None:
    """Keep what a ship has, or nothing of it where that is empty."""
    if what:
        where[ship] = what
    else:
        where.pop(ship, None)


# Jury rigs -------------------------------------------------------------------------------------


@rule("C6.13")
def expire(state: State) -> tuple[State, tuple[Event, ...]]:
    """Let jury rigs fail whose ten tactical turns are over at the end of this turn."""
    ships, turn = state.ships, state.turn + 1
    events: list[Event] = []
    rigs = dict(ships.rigs)
    for ship, held in ships.rigs.items():
        row = ships.index[ship]
        if is_in_battle(state, row):
            continue
        due = [rig for rig in held if rig.due <= turn]
        if not due:
            continue
        left = tuple(rig for rig in held if rig.due > turn)
        if left:
            rigs[ship] = left
        else:
            del rigs[ship]
        events += [
            Event(
                "jury-rig-failed",
                f"{ships.name[row]}, {track_label(rig.track)}: a rig of {counted(rig.boxes, 'box', 'boxes')} fails.",
                (ships.side[row],),
                ("C6.13",),
                {"ship": ship, "track": rig.track, "boxes": rig.boxes},
            )
            for rig in due
        ]
    if not events:
        return state, ()
    return replace(state, ships=replace(ships, rigs=rigs)), tuple(events)


# Life support ----------------------------------------------------------------------------------


@rule("C5.423")
def check_life_support(state: State, dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Check ships without life support every 19 turns; a failed crew check loses the ship with all hands.

    Only a permanent repair of one box ends it: what a jury rig holds does not count.
    """
    ships, turn = state.ships, state.turn + 1
    due = dict(ships.life_support)
    lost: dict[str, str] = {}
    events: list[Event] = []
    for row, ship in enumerate(ships.id):
        if ship not in due and ship not in ships.damage:
            continue
        if ships.status[row] != ACTIVE or not _is_without_air(state, row):
            due.pop(ship, None)
            continue
        if ship not in due:
            due[ship] = turn + LIFE_SUPPORT_TURNS
        elif due[ship] <= turn and not is_in_battle(state, row):
            target = crew_number(state.classes[ships.ship_class[row]], ships.grades[row].crew)
            face = dice.open(ships.side[row], PHASE, ship, "life support").die()
            data = {"ship": ship, "target": target, "die": face, "held": face <= target}
            if face <= target:
                due[ship] = turn + LIFE_SUPPORT_TURNS
                text = f"{ships.name[row]} keeps its crew alive without life support ({face} against {target})."
                events.append(Event("life-support-held", text, (ships.side[row],), ("C5.423",), data))
            else:
                lost[ship] = DESTROYED
                text = f"{ships.name[row]} is lost with all hands: no life support ({face} against {target})."
                events.append(Event("ship-lost", text, (ships.side[row],), ("C5.423",), data))
    if due == ships.life_support and not lost:
        return state, ()
    return with_lost(replace(state, ships=replace(ships, life_support=due)), lost), tuple(events)


def _is_without_air(state: State, row: int) -> bool:
    ships = state.ships
    track = state.classes[ships.ship_class[row]].track(LIFE_SUPPORT)
    return track is not None and ships.damage.get(ships.id[row], {}).get(LIFE_SUPPORT, 0) >= len(track.boxes)
