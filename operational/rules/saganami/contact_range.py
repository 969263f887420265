"""Who comes within range 5 of whom, and when in the turn: the step from the operational to the tactical map (B5.12).

Every force flies a straight line from where it began the turn to where it ends it. The moments of
contact are taken in the order of time: the forces that meet stop there, all others fly on, and are
looked at again with those that stopped. docs/decisions.md tells how.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from campaign.engine.dice import Roller, TurnDice
from campaign.engine.hexes import Hex, disc, is_within, round_hex, squared_range
from campaign.engine.proximity import meeting, meeting_candidates, position_at, steps_of
from campaign.engine.ruleset import Event
from campaign.rulebooks.saganami.scales import TACTICAL_HEXES, tactical_turns
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.engagement_documents import Joined, Opening, build, opening_of
from operational.rules.saganami.orders import Orders
from operational.rules.saganami.state import GONE, ON_MAP, Contact, Meeting, SideBook, State
from operational.rules.saganami.tokens import new_token

REACH = 5  # B5.12, operational hexes
PHASE = "contact-range"
_END = Fraction(1)


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two opposing forces (rows of the forces) within reach at a time of the turn, 0 to 1, and the range then."""

    time: Fraction
    one: int
    other: int
    range: int


@dataclass(slots=True)
class Sweep:
    """What the paths of one turn come to.

    ``encounters`` in the order of time; ``stopped`` maps a row to the time and the hex at which it
    stopped; ``unmasked`` maps the row of a dummy to the time and the rows that saw through it.
    """

    encounters: list[Encounter] = field(default_factory=list)
    stopped: dict[int, tuple[Fraction, Hex]] = field(default_factory=dict)
    unmasked: dict[int, tuple[Fraction, list[int]]] = field(default_factory=dict)


class Paths:
    """The paths of one turn of the forces that are on the map, and who of them may meet whom."""

    def __init__(self, state: State) -> None:
        forces = state.forces
        self.end = np.stack([forces.q, forces.r, forces.z], axis=1)
        self.start = self.end - np.stack([forces.mq, forces.mr, forces.mz], axis=1)
        crewed = state.ships.of_force
        has_ships = np.array([force in crewed for force in forces.id], dtype=np.bool_)
        self.is_here: NDArray[np.bool_] = (forces.place == ON_MAP) & (has_ships | forces.dummy)
        self.system = forces.system
        sides = list(state.books)
        number = {side: index for index, side in enumerate(sides)}
        self.side = np.array([number[side] for side in forces.side], dtype=np.int64)
        self.oppose = np.array(
            [
                [one != other and other not in state.books[one].allies and one not in state.books[other].allies
                 for other in sides]
                for one in sides
            ],
            dtype=np.bool_,
        ).reshape(len(sides), len(sides))  # fmt: skip
        self.is_engaged = np.array([bool(each) for each in forces.engaged], dtype=np.bool_)
        self.is_dummy = forces.dummy
        self.parted = _parted(state, is_void=False)
        self.let_go = _parted(state, is_void=True)

    def from_to(self, row: int) -> tuple[Hex, Hex]:
        """Return where a force began the turn and where its path ends."""
        return Hex(*self.start[row].tolist()), Hex(*self.end[row].tolist())

    def may_meet(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return for pairs of rows whether a contact between them would mean anything.

        Not among allies, between two dummies, or between two forces that are in battle already.
        """
        found: NDArray[np.bool_] = self.oppose[self.side[one], self.side[other]]
        found = found & ~(self.is_engaged[one] & self.is_engaged[other])
        return found & ~(self.is_dummy[one] & self.is_dummy[other])

    def is_parting(self, one: int, other: int) -> bool:
        """Return whether two forces are not to meet, near as they are.

        Those that came out of one battle and fly away from each other, and those that the game master let
        go, until they are out of reach.
        """
        pair = (min(one, other), max(one, other))
        before = squared_range(*(self.start[one] - self.start[other]).tolist())
        if pair in self.let_go and before < (REACH + 1) ** 2:
            return True
        return pair in self.parted and squared_range(*(self.end[one] - self.end[other]).tolist()) > before


def _parted(state: State, *, is_void: bool) -> frozenset[tuple[int, int]]:
    """Return the pairs of rows, smaller first, of forces that were in one engagement: fought, or called off."""
    index = state.forces.index
    found: set[tuple[int, int]] = set()
    for each in state.meetings:
        if each.closed and (each.document.get("status") == "void") == is_void:
            rows = sorted(index[force] for force in each.forces if force in index)
            found.update((one, other) for at, one in enumerate(rows) for other in rows[at + 1 :])
    return frozenset(found)


@rule("B5.12", "D2.13")
def sweep(paths: Paths) -> Sweep:
    """Follow all forces through the turn and return every contact at range 5, in the order of time.

    A force stops at its first contact, in the hex nearest to where it then is; forces in battle and
    those that see through a dummy do not stop for it, and a dummy that is seen through is gone.
    """
    found = Sweep()
    met: set[tuple[int, int]] = set()
    # An entry counts only while none of its movers has stopped before its time.
    queue: list[tuple[Fraction, int, int, int, tuple[int, ...]]] = []

    def push(time: Fraction, one: int, other: int, hexes: int, movers: tuple[int, ...]) -> None:
        if not paths.is_parting(one, other):
            heapq.heappush(queue, (time, min(one, other), max(one, other), hexes, movers))

    for one, other in _candidates(paths).tolist():
        approach = meeting(*paths.from_to(one), *paths.from_to(other), REACH)
        if approach is not None:
            push(approach.time, one, other, approach.range, (one, other))

    while queue:
        time, one, other, hexes, movers = heapq.heappop(queue)
        if any(row in found.stopped and found.stopped[row][0] < time for row in movers):
            continue
        if paths.is_dummy[one] or paths.is_dummy[other]:
            dummy, seer = (one, other) if paths.is_dummy[one] else (other, one)
            when, seers = found.unmasked.setdefault(dummy, (time, []))
            if when == time:
                seers.append(seer)
            continue
        if (one, other) in met:
            continue
        met.add((one, other))
        found.encounters.append(Encounter(time, one, other, hexes))
        for row in (one, other):
            if row not in found.stopped and not paths.is_engaged[row]:
                beside = found.stopped.get(other if row == one else one)
                found.stopped[row] = (time, _stop(paths, row, time, None if beside is None else beside[1]))
                for near, when, at_range, is_moving in _after_stop(paths, found, row):
                    push(when, row, near, at_range, (near,) if is_moving else ())
    return found


@rule("B5.12")
def _stop(paths: Paths, row: int, time: Fraction, beside: Hex | None) -> Hex:
    """Return the hex in which a force stops: the nearest to where it is.

    Where rounding would take it out of reach of the one it met, it is the nearest of those within reach.
    """
    start, end = paths.from_to(row)
    place = position_at(start, end, time.numerator, time.denominator)
    if beside is None or is_within(*place.less(beside), REACH):
        return place
    scale = time.denominator
    exact = Hex(*(scale * at + time.numerator * by for at, by in zip(start, end.less(start), strict=True)))
    around = [Hex(q, r, place.z + up) for q, r in disc(place.q, place.r, 3) for up in (0, 1, -1, 2, -2)]
    return min(
        (each for each in around if is_within(*each.less(beside), REACH)),
        key=lambda each: squared_range(*Hex(*(scale * at for at in each)).less(exact)),
    )


def _candidates(paths: Paths) -> NDArray[np.int64]:
    """Return the pairs of rows that may come within reach, of all systems."""
    found = [np.zeros((0, 2), dtype=np.int64)]
    for system in np.unique(paths.system[paths.is_here]):
        rows = np.flatnonzero(paths.is_here & (paths.system == system))
        pairs = meeting_candidates(paths.side[rows], paths.start[rows], paths.end[rows], REACH)
        pairs = rows[pairs]
        found.append(pairs[paths.may_meet(pairs[:, 0], pairs[:, 1])])
    return np.concatenate(found)


def _after_stop(paths: Paths, found: Sweep, row: int) -> Iterable[tuple[int, Fraction, int, bool]]:
    """Yield who comes within reach of a force that has just stopped: row, time, range, and whether it still moves."""
    time, place = found.stopped[row]
    here = np.array(place, dtype=np.int64)
    low = np.minimum(paths.start, paths.end) - here
    high = np.maximum(paths.start, paths.end) - here
    near = ((low <= REACH) & (high >= -REACH)).all(axis=1) & paths.is_here & (paths.system == paths.system[row])
    near[row] = False
    rows = np.flatnonzero(near)
    rows = rows[paths.may_meet(np.full(len(rows), row), rows)]
    for met in rows.tolist():
        if met in found.unmasked:
            continue
        if met in found.stopped:
            gap = place.less(found.stopped[met][1])
            if is_within(*gap, REACH):
                yield met, time, isqrt(squared_range(*gap)), False
            continue
        later = _meeting_after(paths, met, place, time)
        if later is not None:
            yield met, *later, True


def _meeting_after(paths: Paths, row: int, place: Hex, time: Fraction) -> tuple[Fraction, int] | None:
    """Return when a force on its path comes within reach of a hex in what is left of the turn, and the range."""
    start, end = paths.from_to(row)
    # All lengths are taken ``scale`` times, so that the point where the path is now is whole.
    scale = time.denominator
    move = end.less(start)
    now = Hex(*(scale * at + time.numerator * by for at, by in zip(start, move, strict=True)))
    last = Hex(*(scale * at for at in end))
    target = Hex(*(scale * at for at in place))
    approach = meeting(now, last, target, target, scale * (REACH + 1) - 1)
    if approach is None:
        return None
    # What is left of the path is taken in steps of at most one hex; a graze between two counts where it is closest.
    steps = -(-steps_of(last.less(now)) // scale)
    step = -(-approach.time.numerator * steps // approach.time.denominator)
    for share in (Fraction(step, steps), approach.time):
        gap = [at + share * (to - at) - by for at, to, by in zip(now, last, target, strict=True)]
        squared = squared_range(*(int(part * share.denominator) for part in gap))
        if squared < (scale * share.denominator * (REACH + 1)) ** 2:
            return time + (_END - time) * share, isqrt(squared) // (scale * share.denominator)
    return None


@rule("B5.12", "D2.13", "B5.111")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Hand the forces that met in the turn being played to the tactical level.

    Forces that met stop, are held by their engagement, and each side hears of it under its own number;
    forces that reached a battle join it, which is issued anew; dummies that were reached are gone.
    """
    paths = Paths(state)
    found = sweep(paths)
    if not found.encounters and not found.unmasked:
        return state, ()
    turn = state.turn + 1
    state = _stopped(state, paths, found)
    state, events = _unmask(state, found, turn)
    open_ones = {each.id: each for each in state.meetings if not each.closed}
    held: dict[str, tuple[Meeting, Opening]] = {}
    entries = [
        _enter(state, paths, found, group, turn, dice, open_ones, held) for group in _groups(state, found.encounters)
    ]
    state = _handed_over(state, entries, held, turn)
    for entry in entries:
        events += _events(state, held[entry.engagement][0], entry)
    return state, tuple(events)


def _stopped(state: State, paths: Paths, found: Sweep) -> State:
    """Return the state with every force that met in the hex where it stopped."""
    forces = state.forces
    end = paths.end.copy()
    for row, (_, place) in found.stopped.items():
        end[row] = place
    step = end - paths.start
    q, r, z = (column.copy() for column in end.T)
    mq, mr, mz = (column.copy() for column in step.T)
    return replace(state, forces=replace(forces, q=q, r=r, z=z, mq=mq, mr=mr, mz=mz))


@rule("B5.14")
def _unmask(state: State, found: Sweep, turn: int) -> tuple[State, list[Event]]:
    """Take the dummies that were reached off the map; who reached one knows it, and so does its owner."""
    forces = state.forces
    place = forces.place.copy()
    events: list[Event] = []
    books = dict(state.books)
    for row, (_, seers) in sorted(found.unmasked.items()):
        place[row] = GONE
        force = forces.id[row]
        events.append(
            Event(
                "dummy-unmasked",
                f"{forces.name[row]} was reached: the dummy is gone.",
                (forces.side[row],),
                ("B5.14",),
                {"force": force},
            )
        )
        for side in sorted({forces.side[seer] for seer in seers}):
            contacts = books[side].contacts
            known = next((each for each in contacts if each.force == force and not each.lost), None)
            what = "What was met at range 5" if known is None else f"Contact {known.number}"
            data = {} if known is None else {"contact": known.id}
            events.append(Event("dummy-found", f"{what} is a dummy, and gone.", (side,), ("B5.14",), data))
            books[side] = replace(books[side], contacts=tuple(_seen_through(each, force, turn) for each in contacts))
    return replace(state, forces=replace(forces, place=place), books=books), events


def _seen_through(contact: Contact, force: str, turn: int) -> Contact:
    if contact.force != force or contact.lost:
        return contact
    return replace(
        contact,
        facts={**contact.facts, "dummy": True},
        learnt={**contact.learnt, "dummy": turn},
        seen=turn,
        lost=True,
    )


def _groups(state: State, encounters: Iterable[Encounter]) -> list[list[Encounter]]:
    """Return the encounters that belong to one engagement together: those that share a force newly in battle.

    Two battles that run already are not made one by somebody who reaches both.
    """
    engaged = state.forces.engaged
    group_of: dict[int, int] = {}
    groups: dict[int, list[Encounter]] = {}
    for number, each in enumerate(encounters):
        joined = sorted({group_of[row] for row in (each.one, each.other) if row in group_of and not engaged[row]})
        into = joined[0] if joined else number
        groups.setdefault(into, []).append(each)
        for other in joined[1:]:
            groups[into] += groups.pop(other)
        for row, group in group_of.items():
            if group in joined:
                group_of[row] = into
        group_of[each.one] = group_of[each.other] = into
    return [groups[number] for number in sorted(groups)]


@dataclass(frozen=True, slots=True)
class Entry:
    """Forces (rows) that went into an engagement together, and whether they opened it."""

    engagement: str
    rows: tuple[int, ...]
    is_new: bool


def _enter(
    state: State,
    paths: Paths,
    found: Sweep,
    group: list[Encounter],
    turn: int,
    dice: TurnDice,
    open_ones: Mapping[str, Meeting],
    held: dict[str, tuple[Meeting, Opening]],
) -> Entry:
    """Open an engagement for a group of forces that met, or let them join the one that is going on.

    ``held`` takes the meeting, its document still to be written, and its opening.
    """
    forces = state.forces
    rows = sorted({row for each in group for row in (each.one, each.other) if not forces.engaged[row]})
    names = tuple(forces.id[row] for row in rows)
    going_on = next(
        (forces.engaged[row] for each in group for row in (each.one, each.other) if forces.engaged[row]), ""
    )
    roller = dice.umpire(PHASE, names[0], "tokens")
    first = group[0]
    if not going_on:
        moment = first.time
        opening = Opening(
            new_token(roller),
            new_token(roller) + new_token(roller),
            moment.numerator,
            moment.denominator,
            first.range,
        )
        its = Meeting(opening.id, 1, turn, turn, int(forces.system[first.one]), names, {})
    elif going_on in held:
        its, opening = held[going_on]
        its = replace(its, forces=(*its.forces, *names))
    else:
        old = open_ones[going_on]
        opening = opening_of(old.document)
        issue = old.issue if old.issued == turn else old.issue + 1
        its = replace(old, issue=issue, issued=turn, forces=(*old.forces, *names))
    joined = dict(opening.joined)
    for row, each in _in_order(forces.id, rows, group, joined, is_new=not going_on):
        joined[forces.id[row]] = _joined(state, paths, found, row, each, its, turn, joined, roller)
    held[its.id] = (its, replace(opening, joined=joined))
    return Entry(its.id, tuple(rows), not going_on)


def _handed_over(
    state: State, entries: Iterable[Entry], held: Mapping[str, tuple[Meeting, Opening]], turn: int
) -> State:
    """Return the state with the forces held by their engagements, numbers in the books, and documents written."""
    engaged = list(state.forces.engaged)
    for entry in entries:
        for row in entry.rows:
            engaged[row] = entry.engagement
    state = replace(state, forces=replace(state.forces, engaged=tuple(engaged)))
    books = dict(state.books)
    for its, _ in held.values():
        for side in sorted({state.forces.side[state.forces.index[force]] for force in its.forces}):
            books[side] = _numbered(books[side], its.id)
    state = replace(state, books=books)
    written = {
        identity: replace(its, document=build(state, its, opening, turn)) for identity, (its, opening) in held.items()
    }
    known = {each.id for each in state.meetings}
    meetings = [written.get(each.id, each) for each in state.meetings]
    meetings += [each for identity, each in written.items() if identity not in known]
    return replace(state, meetings=tuple(meetings))


def _in_order(
    names: tuple[str, ...], rows: list[int], group: list[Encounter], joined: Mapping[str, Joined], *, is_new: bool
) -> Iterable[tuple[int, Encounter]]:
    """Yield the rows that join, each with the encounter that brought it in.

    Into a battle that is going on each comes by somebody who is in it already.
    """
    inside = {row for each in group for row in (each.one, each.other) if is_new or names[row] in joined}
    left = list(rows)
    while left:
        for each in group:
            row = next((row for row in (each.one, each.other) if row in left), None)
            other = each.other if row == each.one else each.one
            if row is not None and other in inside:
                inside.add(row)
                left.remove(row)
                yield row, each
                break
        else:
            inside.update(left)


def _joined(
    state: State,
    paths: Paths,
    found: Sweep,
    row: int,
    encounter: Encounter,
    its: Meeting,
    turn: int,
    joined: Mapping[str, Joined],
    roller: Roller,
) -> Joined:
    """Return how a force joins: with new marks, at its moment, to the tactical hex."""
    forces, ships = state.forces, state.ships
    met = encounter.other if encounter.one == row else encounter.one
    is_first = its.issue == 1
    place, other = (_tactical_place(paths, each, _time_of(found, each, encounter.time)) for each in (row, met))
    return Joined(
        mark=new_token(roller),
        issue=its.issue,
        turn=turn,
        arrives=0 if is_first else tactical_turns(turn - its.turn),
        position=Hex(int(forces.q[row]), int(forces.r[row]), int(forces.z[row])),
        place=place,
        ships={ships.id[ship]: new_token(roller) for ship in ships.of_force.get(forces.id[row], ())},
        nearest="" if is_first else joined[forces.id[met]].mark,
        step=None if is_first else place.less(other),
    )


def _time_of(found: Sweep, row: int, time: Fraction) -> Fraction:
    """Return up to when a force had flown at a time of the turn: it may have stopped before."""
    return min(time, found.stopped[row][0]) if row in found.stopped else time


@rule("B5.12")
def _tactical_place(paths: Paths, row: int, time: Fraction) -> Hex:
    """Return where a force is on its path, to the nearest tactical hex: ten to an operational one."""
    start, end = paths.from_to(row)
    q, r, z = (TACTICAL_HEXES * (at + time * by) for at, by in zip(start, end.less(start), strict=True))
    level = 2 * z + 1
    return Hex(*round_hex(q, r), level.numerator // (2 * level.denominator))


def _numbered(book: SideBook, engagement: str) -> SideBook:
    """Return a side's book with its own number for an engagement."""
    if engagement in book.engagement_numbers:
        return book
    numbers = {**book.engagement_numbers, engagement: book.next_engagement}
    return replace(book, engagement_numbers=numbers, next_engagement=book.next_engagement + 1)


@rule("B5.12", "D2.13")
def _events(state: State, its: Meeting, entry: Entry) -> list[Event]:
    """Tell each side of the engagement under its own number, with its own forces; the umpire all of it."""
    forces, new, is_new = state.forces, entry.rows, entry.is_new
    names = ", ".join(forces.name[row] for row in new)
    system = state.systems[its.system].name
    kind = "engagement-opened" if is_new else "engagement-reinforced"
    rows = [forces.index[force] for force in its.forces]
    sides = sorted({forces.side[row] for row in rows})
    events = [
        Event(
            kind,
            f"{names} at range 5 in {system}: engagement {its.id}, issue {its.issue}.",
            (),
            ("B5.12", "D2.13"),
            {"engagement": its.id, "issue": its.issue, "forces": [forces.id[row] for row in new], "sides": sides},
        )
    ]
    for side in sides:
        number = state.books[side].engagement_numbers[its.id]
        own = [row for row in new if forces.side[row] == side]
        others = [row for row in new if forces.side[row] != side]
        seen = _seen(state.books[side], [forces.id[row] for row in others])
        parts = [forces.name[row] for row in own] + seen
        text = (
            f"Engagement {number} in {system}: {_listed(parts)} at range 5, on to the tactical map."
            if is_new
            else f"Engagement {number} in {system}: {_listed(parts)} reached the battle."
        )
        data = {"engagement": its.id, "number": number, "issue": its.issue, "forces": [forces.id[row] for row in own]}
        events.append(Event(kind, text, (side,), ("B5.12", "D2.13"), data))
    return events


def _seen(book: SideBook, others: list[str]) -> list[str]:
    """Return other sides' forces as this side knows them: by its contact's number, or as somebody unknown."""
    known = {contact.force: contact.number for contact in book.contacts if not contact.lost}
    named = [f"contact {number}" for number in sorted(known[force] for force in others if force in known)]
    unknown = sum(force not in known for force in others)
    if unknown:
        named.append("a force not seen before" if unknown == 1 else f"{unknown} forces not seen before")
    return named


def _listed(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
