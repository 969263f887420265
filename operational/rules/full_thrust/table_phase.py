"""To and from the table: who meets whom at the end of a turn, and the doors of the hand-off.

Opposing markers within the contact distance are turned up: ships go to the table, dummies leave play. A
side may also call for battle with a force of which it has detected a ship. Survivors come back by
``battle_return`` at the start of the turn after.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from campaign.engine.dice import TurnDice
from campaign.engine.errors import Problem
from campaign.engine.handoff import Engagement, Place, Placed, Setting
from campaign.engine.hexes import Hex, distance_in_plane, round_hex
from campaign.engine.proximity import Approach, meetings, position_at
from campaign.engine.ruleset import Document, Event
from operational.rules.full_thrust.contacts import dice_tokens, refreshed
from operational.rules.full_thrust.conversions import START_RANGE, to_table
from operational.rules.full_thrust.detection_phase import unmasked
from operational.rules.full_thrust.engagement_documents import (
    Joined,
    Opening,
    build,
    for_side,
    opening_of,
    place_in_mu,
)
from operational.rules.full_thrust.orders import Orders
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import Force, Meeting, State
from operational.rules.full_thrust.switches import CALL_DISTANCE, CONTACT_DISTANCE, CROSSING, ruling
from operational.rules.full_thrust.tables import OPERATIONAL_TURN_TABLETOP_TURNS
from operational.rules.full_thrust.tokens import new_token

PHASE = "table"
AT_THE_END = Approach(1, 1, 0)
engagement_for_side = for_side


@dataclass(frozen=True, slots=True)
class Pair:
    """Two opposing forces that meet, and the moment of the turn."""

    one: str
    other: str
    approach: Approach

    @property
    def key(self) -> tuple[str, str]:
        """Return both ids in one order."""
        return (min(self.one, self.other), max(self.one, self.other))


@rule("table-phase", "dummy-taskforces")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Take to the table who meets, bring both sides' contacts up to date, and count the turn."""
    turn = state.turn + 1
    pairs = pairs_within(state)
    state, pairs = _without_parting(state, pairs)
    state, events = _dummies_turned_up(state, pairs)
    pairs = [pair for pair in pairs if pair.one in state.forces and pair.other in state.forces]
    called, refusals = _calls(state, orders)
    events += refusals
    state, opened = _met(state, [*pairs, *called], turn, dice)
    tokens = dice_tokens(dice, PHASE)
    state, seen = refreshed(state, turn, tokens)
    events += seen
    state, told = _written(state, opened)
    events += told
    return replace(state, turn=turn), tuple(events)


# Who meets ---------------------------------------------------------------------------------------


@rule("table-phase", "end-point-movement")
def pairs_within(state: State) -> list[Pair]:
    """Return the opposing forces that came within the contact distance this turn, by the moment, then by id."""
    reach = int(ruling(state.rulings, CONTACT_DISTANCE))
    sides = list(state.books)
    found: list[Pair] = []
    for system in state.systems:
        here = sorted((each for each in state.forces.values() if each.system == system.key), key=lambda each: each.id)
        if ruling(state.rulings, CROSSING) == "paths":
            groups = np.array([sides.index(each.side) for each in here], dtype=np.int64)
            start = np.array([(each.q - each.mq, each.r - each.mr, 0) for each in here], dtype=np.int64)
            end = np.array([(each.q, each.r, 0) for each in here], dtype=np.int64)
            found += [
                Pair(here[one].id, here[other].id, approach)
                for one, other, approach in (meetings(groups, start, end, reach) if here else ())
            ]
        else:
            found += _pairs_at_end(here, reach)
    return sorted(found, key=lambda pair: (pair.approach.time, pair.key))


def _pairs_at_end(here: Sequence[Force], reach: int) -> Iterator[Pair]:
    for index, one in enumerate(here):
        for other in here[index + 1 :]:
            range_ = _range(one, other)
            if one.side != other.side and range_ <= reach:
                yield Pair(one.id, other.id, AT_THE_END._replace(range=range_))


def _range(one: Force, other: Force) -> int:
    return distance_in_plane(one.q - other.q, one.r - other.r)


def _without_parting(state: State, pairs: Sequence[Pair]) -> tuple[State, list[Pair]]:
    """Leave out pairs that come from one battle and have not been apart since; forget those that are apart now."""
    reach = int(ruling(state.rulings, CONTACT_DISTANCE))
    still: set[tuple[str, str]] = set()
    kept = []
    for meeting in state.meetings:
        near = tuple(
            (one, other)
            for one, other in meeting.parting
            if one in state.forces and other in state.forces and _range(state.forces[one], state.forces[other]) <= reach
        )
        still.update(meeting.parting)
        kept.append(replace(meeting, parting=near))
    return replace(state, meetings=tuple(kept)), [pair for pair in pairs if pair.key not in still]


def _dummies_turned_up(state: State, pairs: Sequence[Pair]) -> tuple[State, list[Event]]:
    """Take dummies off the map that an opposing marker has come near to, whatever that marker is."""
    events: list[Event] = []
    for force in (force for pair in pairs for force in (pair.one, pair.other)):
        if force in state.forces and state.forces[force].dummy:
            state, told = unmasked(state, force, "table-phase")
            events += told
    return state, events


@rule("table-phase")
def _calls(state: State, orders: Mapping[str, Orders]) -> tuple[list[Pair], list[Event]]:
    """Return the pairs that a side called to the table, and a word for each call that came to nothing."""
    reach = int(ruling(state.rulings, CALL_DISTANCE))
    pairs: list[Pair] = []
    events: list[Event] = []
    for side in state.books:
        sheet = orders.get(side)
        for call in sheet.calls if sheet else ():
            book = state.books[side]
            contact = next((each for each in book.contacts if each.id == call.contact), None)
            own = state.forces.get(call.force)
            target = state.forces.get(contact.force) if contact else None
            is_detected = contact is not None and any(
                each.contact == contact.id and each.is_locked for each in book.detected
            )
            if own is None or own.engaged or own.id not in state.members:
                reason = "the task force is not there."
            elif target is None or target.id not in state.members or not is_detected:
                reason = "no ship of it is detected any more."
            elif own.system != target.system or _range(own, target) > reach:
                reason = f"it is not within {reach} hexes."
            else:
                pairs.append(Pair(own.id, target.id, AT_THE_END._replace(range=_range(own, target))))
                continue
            name = "the contact" if contact is None else f"contact {contact.number}"
            text = f"The call for battle with {name} came to nothing: {reason}"
            events.append(Event("call-dropped", text, (side,), ("table-phase",), {"contact": call.contact}))
    return pairs, events


# Engagements -------------------------------------------------------------------------------------


def _met(state: State, pairs: Sequence[Pair], turn: int, dice: TurnDice) -> tuple[State, dict[str, Opening]]:
    """Return the state with the forces of all pairs engaged, and the openings of what was opened or issued anew."""
    open_now = {meeting.id: meeting for meeting in state.meetings if not meeting.closed}
    openings: dict[str, Opening] = {}
    for group in _groups(state, pairs):
        forces = sorted({force for pair in group for force in (pair.one, pair.other)})
        known = sorted({state.forces[force].engaged for force in forces} - {""})
        new = [force for force in forces if not state.forces[force].engaged]
        if not new:
            continue
        if known:
            meeting = open_now[known[0]]
            changed = replace(
                meeting, issue=meeting.issue + 1, issued=turn, forces=(*meeting.forces, *_by_side(state, new))
            )
            opening = opening_of(meeting.document)
        else:
            first = min(group, key=lambda pair: pair.approach.time).approach
            token = new_token(dice.umpire(PHASE, "/".join(forces), "engagement"))
            changed = Meeting(
                token, 1, turn, turn, state.forces[forces[0]].system, tuple(_by_side(state, new)), document={}
            )
            salt = new_token(dice.umpire(PHASE, token, "salt"))
            origin = _middle([_at(state.forces[force], first) for force in forces])
            opening = Opening(token, salt, first.step, first.steps, first.range, origin)
        opening = _joined(state, changed, opening, group, new, turn, dice)
        openings[changed.id] = opening
        state = state.with_forces(*(replace(state.forces[force], engaged=changed.id) for force in new))
        others = [each for each in state.meetings if each.id != changed.id]
        state = replace(state, meetings=(*others, changed))
    return state, openings


def _by_side(state: State, forces: Sequence[str]) -> list[str]:
    return sorted(forces, key=lambda force: (state.forces[force].side, force))


def _groups(state: State, pairs: Sequence[Pair]) -> list[list[Pair]]:
    """Return the pairs in groups that hang together, each by its earliest pair; fights that are on stay apart."""
    groups: list[tuple[set[str], list[Pair]]] = []
    for pair in pairs:
        one, other = state.forces[pair.one], state.forces[pair.other]
        if one.dummy or other.dummy or (one.engaged and other.engaged):
            continue
        forces, members = {pair.one, pair.other}, [pair]
        apart = []
        for known, listed in groups:
            if known & forces and _may_join(state, known | forces):
                forces |= known
                members = [*listed, *members]
            else:
                apart.append((known, listed))
        groups = [*apart, (forces, members)]
    return [members for _, members in groups]


def _may_join(state: State, forces: set[str]) -> bool:
    """Return whether forces are in at most one battle so far."""
    return len({state.forces[force].engaged for force in forces} - {""}) <= 1


def _at(force: Force, approach: Approach) -> tuple[Fraction, Fraction]:
    """Return where a force was at a moment of the turn, in hexes: it flew its step evenly."""
    left = 1 - approach.time
    return force.q - left * force.mq, force.r - left * force.mr


def _middle(points: Sequence[tuple[Fraction, Fraction]]) -> Hex:
    count = len(points)
    return Hex(
        *round_hex(sum((q for q, _ in points), Fraction(0)) / count, sum((r for _, r in points), Fraction(0)) / count)
    )


@rule("table-phase", "scales")
def _joined(
    state: State, meeting: Meeting, opening: Opening, group: Sequence[Pair], new: Sequence[str], turn: int,
    dice: TurnDice,
) -> Opening:  # fmt: skip
    """Return the opening with the forces that join now, each where it was at its moment."""
    joined = dict(opening.joined)
    began = Fraction(opening.step, opening.steps)
    for force in new:
        row = state.forces[force]
        own = [pair.approach for pair in group if force in (pair.one, pair.other)]
        moment = Approach(opening.step, opening.steps, opening.range) if meeting.issue == 1 else own[0]
        passed = (turn - meeting.turn + moment.time - began) * OPERATIONAL_TURN_TABLETOP_TURNS
        start = Hex(row.q - row.mq, row.r - row.mr)
        marks = {
            ship.id: new_token(dice.umpire(PHASE, f"{meeting.id}/{ship.id}", "mark")) for ship in state.members[force]
        }
        joined[force] = Joined(
            mark=new_token(dice.umpire(PHASE, f"{meeting.id}/{force}", "mark")),
            issue=meeting.issue,
            turn=turn,
            arrives=0 if meeting.issue == 1 else max(1, passed.numerator // passed.denominator),
            position=position_at(start, row.hex, moment.step, moment.steps),
            place=place_in_mu(_at(row, moment), opening.origin),
            ships=marks,
        )
    return replace(opening, joined=joined)


def _written(state: State, openings: Mapping[str, Opening]) -> tuple[State, list[Event]]:
    """Number the new engagements for both sides, write their documents, and tell the sides."""
    events: list[Event] = []
    meetings_now = []
    for meeting in state.meetings:
        opening = openings.get(meeting.id)
        if opening is None:
            meetings_now.append(meeting)
            continue
        for side in tuple(state.books):
            book = state.books[side]
            if meeting.id not in book.engagement_numbers:
                numbers = {**book.engagement_numbers, meeting.id: book.next_engagement}
                state = state.with_book(
                    replace(book, engagement_numbers=numbers, next_engagement=book.next_engagement + 1)
                )
        written = replace(meeting, document=build(state, meeting, opening))
        meetings_now.append(written)
        events += [_opened(state, written, opening, side) for side in state.books]
    return replace(state, meetings=tuple(meetings_now)), events


def _opened(state: State, meeting: Meeting, opening: Opening, side: str) -> Event:
    book = state.books[side]
    number = book.engagement_numbers[meeting.id]
    own = [state.forces[force].name for force in meeting.forces if state.forces[force].side == side]
    met = sorted(book.contact_of[force].number for force in meeting.forces if force in book.contact_of)
    contacts = " and ".join(f"contact {each}" for each in met)
    several = len(own) > 1
    what = ("meet" if several else "meets") if meeting.issue == 1 else ("fight" if several else "fights")
    again = "" if meeting.issue == 1 else f", issue {meeting.issue}"
    return Event(
        "engagement-opened" if meeting.issue == 1 else "engagement-joined",
        f"Engagement {number}{again}: {', '.join(own)} {what} {contacts} at {opening.range} hexes.",
        (side,),
        ("table-phase",),
        {"engagement": meeting.id, "number": number, "issue": meeting.issue, "range": opening.range},
    )


@rule("table-phase")
def open_engagements(state: State) -> tuple[dict[str, Any], ...]:
    """Return the engagements opened or issued anew in the turn that ended in this state, in their order."""
    return tuple(dict(each.document) for each in state.meetings if each.issued == state.turn and not each.closed)


# The doors of the hand-off -----------------------------------------------------------------------


def bidding_rounds(document: Document) -> list[dict[str, Any]]:
    """Return the rounds of bids: there are none, since the vectors of the map go to the table as they are."""
    return []


def check_bid(document: Document, side: str, bid: Document) -> tuple[Problem, ...]:
    """Return why a bid is refused: this ruleset has none."""
    return (Problem("", "no-bids", "Forces go to the table with the vectors that they have.", "table-phase"),)


def captain_bids(document: Document, side: str, doctrine: str) -> list[dict[str, int]]:
    """Return a computer side's bids: none."""
    return []


@rule("table-phase", "velocity-table", "facing-deviation")
def set_engagement(document: Document, bids: Sequence[Document]) -> dict[str, Any]:
    """Return the engagement with its setting: places in MU, velocities in MU a tabletop turn, no frame, no limit."""
    engagement = Engagement.model_validate(document)
    forces = {
        force.id: Placed(position=Place.of(force.place.hex), velocity=to_table(force.velocity), arrives=force.arrives)
        for _, force in engagement.forces()
    }
    setting = Setting(
        range=START_RANGE,
        frame={},
        time_limit=None,
        forces=forces,
        ships={ship.id: forces[force.id] for _, force, ship in engagement.ships()},
        steps=[
            {
                "kind": "velocity-table",
                "round": 0,
                "change": {force.id: dict(force.velocity) for _, force in engagement.forces()},
                "velocities": {mark: dict(placed.velocity) for mark, placed in forces.items()},
                "frame": {},
            }
        ],
    )
    return engagement.model_copy(update={"status": "set", "setting": setting}).as_document()
