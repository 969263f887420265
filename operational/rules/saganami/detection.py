"""The detection phase: hyper footprints by themselves, everything about a wedge by searching (B5.14).

``state.turn`` is still the turn before the one that is played. What a side may be told is written into
its book: contacts, and the ledger of its searches. Every die is the umpire's, one a search, and a
search that finds nothing reads the same whether the check failed or nothing is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from campaign.engine.dice import TurnDice
from campaign.engine.hexes import Integers
from campaign.engine.proximity import seen_by_any
from campaign.engine.ruleset import Event
from campaign.rulebooks.saganami.bearings import INDEX_OF_WINDOW
from campaign.rulebooks.saganami.grades import EWO_ECM, GRADES, Grade
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami import detection_ranges as ranges
from operational.rules.saganami.contacts import (
    PHASE,
    Learnt,
    Scale,
    Sighting,
    Whereabouts,
    coarser,
    learn,
    memory_of,
)
from operational.rules.saganami.detection_ranges import Target
from operational.rules.saganami.detection_search import Finds, Searches, find
from operational.rules.saganami.detection_targets import (
    Booleans,
    class_keys_of,
    hostile_sides,
    sensors_of,
    ship_columns,
    side_indexes,
    targets_of,
    tons_of,
)
from operational.rules.saganami.orders import Orders
from operational.rules.saganami.state import ACTIVE, ON_MAP, State
from operational.rules.saganami.switches import DETECTION, WEDGE_PRESENCE, ruling

EVERY_ROW = len(ranges.ROWS)
_IN_BATTLE = 2  # rows: who fights sees where the other is and how it moves
_DIVISORS = (0, *(ranges.DIVISOR.get(row, 0) for row in ranges.ROWS))  # by rows learnt
FOUND, NOTHING, NOT_MADE = "found", "nothing-found", "not-made"
_LIST_AT_MOST = 12  # contacts named in a ledger's sentence


class Attempt(NamedTuple):
    """A search that was ordered: whose, the ship and its row, the window, drones it spends, why it was not made."""

    side: str
    ship: str
    row: int
    window: str
    drones: int
    reason: str = ""


@rule("B5.14", "B5.141", "B5.142")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Find what is found this turn and write it into every side's book."""
    is_open = ruling(state.rulings, DETECTION) == "open"
    attempts = [] if is_open else _attempts(state, orders)
    made = [attempt for attempt in attempts if not attempt.reason]
    look = _Look(state, is_open=is_open)
    searches = _searches(look, made, dice)
    finds = find(searches, look.targets, look.hostile)
    footprints = _footprints(state, look)
    where, memory = Whereabouts(state), memory_of(state)
    books = dict(state.books)
    events: list[Event] = []
    for number, (side, book) in enumerate(state.books.items()):
        sightings = _sightings(look, number, _rows_learnt(look, number, finds, searches), footprints[number])
        learnt = learn(book, sightings, where, state.turn + 1, dice, memory)
        mine = [index for index, attempt in enumerate(made) if attempt.side == side] if made else []
        numbers = _numbers_found(look, made, mine, finds, learnt)
        ledger = [_entry(state, each, numbers.get(each.ship, ())) for each in attempts if each.side == side]
        books[side] = replace(learnt.book, ledger=tuple(ledger))
        events += learnt.events
        if mine:
            events.append(_umpires_event(side, made, mine, searches, finds))
    ships = replace(state.ships, drones=_drones_left(state, made)) if made else state.ships
    return replace(state, books=books, ships=ships, arrivals=()), tuple(events)


class _Look:
    """What every side's detection of one turn is worked out from, made once."""

    def __init__(self, state: State, *, is_open: bool) -> None:
        self.state = state
        self.is_open = is_open
        columns = ship_columns(state)
        self.ecm = columns[2]
        self.targets = targets_of(state, columns)
        self.hostile = hostile_sides(state)
        self.eyes = sensors_of(state)
        self.is_dummy: list[bool] = state.forces.dummy.tolist()
        _, self.sides = side_indexes(state)
        self.places = np.stack((state.forces.q, state.forces.r, state.forces.z), axis=1)
        self._scales: dict[tuple[tuple[str, ...], bool, int], Scale] = {}

    def eyes_of(self, number: int, system: int) -> Integers:
        """Return the places of a side's forces that can see, on one map: (n, 3)."""
        here: Integers = self.places[self.eyes & (self.sides == number) & (self.state.forces.system == system)]
        return here

    @rule("B5.143")
    def scale(self, row: int, is_lac: bool, divisor: int) -> Scale:
        """Return [at least, less than, how many] of a force's ships, or of its LACs, largest first."""
        key = (class_keys_of(self.state, row), is_lac, divisor)
        found = self._scales.get(key)
        if found is None:
            shown = [self.state.classes[each] for each in key[0]]
            exact = [[each.scale, each.scale + 1, 1] for each in shown if (each.lac is not None) == is_lac]
            found = self._scales[key] = coarser(exact, divisor)
        return found


# What was ordered ------------------------------------------------------------------------------


@rule("B5.142")
def _attempts(state: State, orders: Mapping[str, Orders]) -> list[Attempt]:
    """Return every search ordered: one a ship, in the order of the books and sheets; a second of a ship is dropped.

    A search spends the drones that were ordered, no more than its ship has left.
    """
    found: list[Attempt] = []
    ships = state.ships
    left = ships.drones.tolist()
    for side in state.books:
        sheet = orders.get(side)
        tried: set[str] = set()
        for ship, window, drones in [(each.ship, each.window, each.drones) for each in sheet.searches] if sheet else ():
            row = ships.index.get(ship)
            if row is None or ships.side[row] != side or ship in tried or window not in INDEX_OF_WINDOW:
                continue
            tried.add(ship)
            reason = _why_not(state, row)
            spent = 0 if reason else max(0, min(drones, left[row]))
            found.append(Attempt(side, ship, row, window, spent, reason))
    return found


def _why_not(state: State, row: int) -> str:
    """Return why a ship cannot search after this turn's movement, or ""."""
    ships, forces = state.ships, state.forces
    at = forces.index.get(ships.force[row])
    if ships.status[row] != ACTIVE or at is None:
        return "it is no longer with a force"
    if forces.place[at] != ON_MAP:
        return "it is in hyperspace"
    return "it is in battle" if forces.engaged[at] else ""


@rule("B5.142")
def _drones_left(state: State, made: Sequence[Attempt]) -> Integers:
    """Return the ships' drones after the turn; a drone is spent whether anything is found or not."""
    left = state.ships.drones.copy()
    left[[attempt.row for attempt in made]] -= np.array([attempt.drones for attempt in made], dtype=np.int64)
    return left


@rule("B5.141", "D1.142")
def _target_number(state: State, key: str, crew: Grade, ewo: Grade) -> int:
    """Return the number a ship rolls at or under: its crew's, changed as its EWO changes the ship's ECM."""
    return state.classes[key].crew_target[GRADES.index(crew)] + EWO_ECM[ewo]


def _searches(look: _Look, made: Sequence[Attempt], dice: TurnDice) -> Searches:
    """Return the searches as columns, each with its one die from the umpire's stream."""
    state = look.state
    ships, forces = state.ships, state.forces
    number_of, _ = side_indexes(state)
    rows = _column([attempt.row for attempt in made])
    at = _column([forces.index[ships.force[attempt.row]] for attempt in made])
    known: dict[tuple[str, Grade, Grade], int] = {}
    numbers = []
    for attempt in made:
        grades = ships.grades[attempt.row]
        key = (ships.ship_class[attempt.row], grades.crew, grades.ewo)
        if key not in known:
            known[key] = _target_number(state, *key)
        numbers.append(known[key])
    return Searches(
        side=_column([number_of[attempt.side] for attempt in made]),
        system=forces.system[at],
        q=forces.q[at],
        r=forces.r[at],
        z=forces.z[at],
        window=_column([INDEX_OF_WINDOW[attempt.window] for attempt in made]),
        drones=_column([attempt.drones for attempt in made]),
        number=_column(numbers),
        die=_column([dice.umpire(PHASE, attempt.ship, "search").die() for attempt in made]),
        ecm=look.ecm[rows],
    )


def _column(values: Sequence[int]) -> Integers:
    return np.array(values, dtype=np.int64)


# What is seen ----------------------------------------------------------------------------------


@rule("B5.14")
def _footprints(state: State, look: _Look) -> list[dict[int, str]]:
    """Return for each side the rows of the forces whose hyper footprint it sees, with the row of the table.

    Each group that arrived makes a footprint of its own where it came out, at the start of the turn's
    movement; a side sees it where any of its ships on that map was in range then.
    """
    found: list[dict[int, str]] = [{} for _ in state.books]
    forces = state.forces
    before = look.places - np.stack((forces.mq, forces.mr, forces.mz), axis=1)
    for force in state.arrivals:
        row = forces.index.get(force)
        if row is None or int(forces.place[row]) != ON_MAP:
            continue
        band = ranges.footprint_band(tons_of(state, row))
        for number, seen in enumerate(found):
            if not look.hostile[number, look.sides[row]]:
                continue
            near = look.eyes & (look.sides == number) & (forces.system == forces.system[row])
            if bool(seen_by_any(before[row : row + 1], before[near], ranges.FOOTPRINT_HEXES[band])[0]):
                seen[row] = band
    return found


@rule("B5.14")
def _rows_learnt(look: _Look, number: int, finds: Finds, searches: Searches) -> Integers:
    """Return target by target how many rows of the table a side learns (0 for nothing).

    The best of its ships' attempts counts. In the open everything is learnt, and of allies always.
    """
    targets = look.targets
    rows = np.zeros(len(targets), dtype=np.int64)
    foe = look.hostile[number][targets.side]
    other = targets.side != number
    rows[other if look.is_open else other & ~foe] = EVERY_ROW
    own = searches.side[finds.search] == number
    np.maximum.at(rows, finds.target[own], finds.rows[own])
    if not look.is_open and ruling(look.state.rulings, WEDGE_PRESENCE) == "automatic":
        rows = np.maximum(rows, _automatic(look, number, foe))
    return rows


@rule("B5.14", "B5.144", "B5.145")
def _automatic(look: _Look, number: int, foe: Booleans) -> Integers:
    """Return the rows a side learns without a search where a campaign plays presence and acceleration so."""
    targets = look.targets
    rows = np.zeros(len(targets), dtype=np.int64)
    for system in np.unique(targets.system[foe]).tolist():
        eyes = look.eyes_of(number, system)
        for kind in Target:
            those = np.flatnonzero(foe & (targets.system == system) & (targets.kind == kind))
            for count, row in enumerate((ranges.PRESENCE, ranges.ACCELERATION), start=1):
                reach = ranges.detection_hexes(ranges.ROW_HEXES[row], kind)
                those = those[seen_by_any(targets.places[those], eyes, reach)]
                rows[those] = count
    return rows


def _sightings(look: _Look, number: int, rows: Integers, footprints: Mapping[int, str]) -> list[Sighting]:
    """Return what a side learns of each force, by force row: its parts together, footprints, battles."""
    state, targets = look.state, look.targets
    seen = np.flatnonzero(rows)
    parts: dict[int, list[tuple[int, bool]]] = {}
    for row, count, kind in zip(
        targets.force[seen].tolist(), rows[seen].tolist(), targets.kind[seen].tolist(), strict=True
    ):
        parts.setdefault(row, []).append((count, bool(kind & 1)))
    in_battle = _foes_in_battle(state, list(state.books)[number])
    hostile, sides = look.hostile[number].tolist(), look.sides.tolist()
    found = []
    for row in sorted({*parts, *footprints, *in_battle}):
        is_told = look.is_open or not hostile[sides[row]] or row in in_battle
        learnt = parts.get(row, [])
        if row in in_battle:
            learnt = [*learnt, (_IN_BATTLE, False)]
        found.append(_sighting(look, row, learnt, footprints.get(row, ""), state.forces.side[row] if is_told else ""))
    return found


def _sighting(look: _Look, row: int, parts: Sequence[tuple[int, bool]], footprint: str, side: str) -> Sighting:
    """Return the sighting of a force from its parts: (rows learnt, whether of its LACs)."""
    if not parts:
        return Sighting(row, 0, footprint, side=side)
    most = parts[0][0] if len(parts) == 1 else max(count for count, _ in parts)
    divisor = _DIVISORS[most]
    if not divisor:
        return Sighting(row, most, footprint, side=side)
    if most == EVERY_ROW and look.is_dummy[row]:
        return Sighting(row, most, footprint, is_seen_through=True, side=side)
    scales = [look.scale(row, is_lac, _DIVISORS[count]) for count, is_lac in parts if _DIVISORS[count]]
    scale = scales[0] if len(scales) == 1 else sorted((each for part in scales for each in part), reverse=True)
    # a dummy that pretends to no class at all has no scale to show
    return Sighting(row, most, footprint, scale or None, divisor if scale else 0, side=side)


def _numbers_found(
    look: _Look, made: Sequence[Attempt], mine: Sequence[int], finds: Finds, learnt: Learnt
) -> dict[str, list[int]]:
    """Return the list numbers of the contacts that each of a side's searches found, by ship."""
    number = {force: contact.number for force, contact in learnt.seen.items()}
    begin = np.searchsorted(finds.search, mine, side="left").tolist()
    end = np.searchsorted(finds.search, mine, side="right").tolist()
    ids = look.state.forces.id
    forces = look.targets.force[finds.target].tolist()
    return {
        made[index].ship: sorted({number[ids[row]] for row in forces[first:last]})
        for index, first, last in zip(mine, begin, end, strict=True)
        if last > first
    }


def _foes_in_battle(state: State, side: str) -> list[int]:
    """Return the rows of the forces that a side is fighting: who is in battle sees the other."""
    forces = state.forces
    found: set[int] = set()
    for meeting in state.meetings:
        rows = [forces.index[force] for force in meeting.forces if force in forces.index]
        if not meeting.closed and any(forces.side[row] == side for row in rows):
            found.update(row for row in rows if forces.side[row] != side and int(forces.place[row]) == ON_MAP)
    return sorted(found)


# What is told ----------------------------------------------------------------------------------


@rule("B5.142", "B5.143")
def _entry(state: State, attempt: Attempt, numbers: Sequence[int]) -> dict[str, Any]:
    """Return one attempt as its side reads it. Nothing found is told in one way, whatever the reason."""
    window, drones, name = attempt.window, attempt.drones, state.ships.name[attempt.row]
    spent = f" with {drones} recon drone{'' if drones == 1 else 's'}" if drones else ""
    listed = ", ".join(map(str, numbers[:_LIST_AT_MOST]))
    if len(numbers) > _LIST_AT_MOST:
        listed += f" and {len(numbers) - _LIST_AT_MOST} more"
    if attempt.reason:
        outcome, result = NOT_MADE, f"made no search: {attempt.reason}."
    elif numbers:
        plural = "" if len(numbers) == 1 else "s"
        outcome, result = FOUND, f"searched {window}{spent}: contact{plural} {listed}."
    else:
        outcome, result = NOTHING, f"searched {window}{spent}: nothing found."
    return {
        "text": f"{name} {result}",
        "ship": attempt.ship,
        "outcome": outcome,
        "rules": ["B5.142", "B5.141"],
        "facts": [
            {"label": "Window", "value": window, "rule": "B5.142"},
            {"label": "Recon drones spent", "value": str(drones), "rule": "B5.142"},
            {"label": "Contacts", "value": listed or "none", "rule": "B5.14"},
        ],
    }


def _umpires_event(side: str, made: Sequence[Attempt], mine: Sequence[int], searches: Searches, finds: Finds) -> Event:
    """Return what the umpire reads of a side's searches: numbers, dice and how many forces' parts were found."""
    count = np.bincount(finds.search, minlength=len(made)).tolist()
    number, die = searches.number.tolist(), searches.die.tolist()
    rows = [
        {
            "ship": made[index].ship,
            "window": made[index].window,
            "drones": made[index].drones,
            "target": number[index],
            "die": die[index],
            "found": count[index],
        }
        for index in mine
    ]
    return Event(
        "searches-resolved",
        f"{len(rows)} ships of {side} searched, {sum(count[index] > 0 for index in mine)} found something.",
        (),
        ("B5.141", "B5.142"),
        {"side": side, "searches": rows},
    )
