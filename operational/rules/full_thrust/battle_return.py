"""The battle's result taken back to the map: fates, damage, craft, and task forces by where their ships ended.

A report that cannot be used never stops a turn: it is refused with its reasons, and nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from campaign.engine.dice import canonical
from campaign.engine.errors import Problem, refuse, stops
from campaign.engine.handoff import (
    BattleReport,
    EngagedForce,
    EngagedShip,
    Engagement,
    Fate,
    ShipResult,
    boxes_after,
    load_report,
)
from campaign.engine.hexes import Hex, distance_in_plane, round_hex
from campaign.engine.ruleset import Document, Event
from campaign.engine.vectors import format_vectors, from_axial, to_axial
from operational.rules.full_thrust.battle_report import check_report
from operational.rules.full_thrust.contacts import keyed_tokens, refreshed, without_contacts
from operational.rules.full_thrust.conversions import to_map
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import ACTIVE, DEPARTED, DESTROYED, SURRENDERED, Force, Meeting, Ship, State
from operational.rules.full_thrust.table_phase import set_engagement
from operational.rules.full_thrust.tables import HEX_MU, OPERATIONAL_TURN_TABLETOP_TURNS

TOGETHER = 1  # hexes within which ships of one velocity go on as one task force
STATUS: Mapping[Fate, str] = {
    "active": ACTIVE,
    "destroyed": DESTROYED,
    "surrendered": SURRENDERED,
    "departed": DEPARTED,
}
LOST_TEXT: Mapping[Fate, str] = {
    "destroyed": "is lost",
    "surrendered": "has struck her colours",
    "departed": "left by her FTL drive",
}


@dataclass(slots=True)
class Group:
    """Ships of one force that go on together: where and how fast; the first leads."""

    at: Hex
    velocity: Hex
    ships: list[str] = field(default_factory=list)


@rule("table-phase")
def apply_report(state: State, document: Document, report: Document) -> tuple[State, tuple[Event, ...]]:
    """Take a signed report back to the map.

    Ships get their fates and boxes, carriers their craft; survivors stand in the hex nearest to where they
    ended, with their velocity of the table turned back; ships of one force that ended apart become forces of
    their own. A report for another engagement or issue is refused with an event for the umpire; one that was
    taken back already changes nothing.
    """
    its = next((each for each in state.meetings if each.id == document.get("id")), None)
    if its is not None and its.closed:
        return state, ()
    problems = _refusals(its, document, report)
    if its is None or problems:
        return state, (_refused(document, problems),)
    engagement, typed = with_setting(Engagement.model_validate(document)), load_report(report)
    state = _with_results(state, engagement, typed)
    state, events, came_out = _regrouped(state, its, engagement, typed)
    state = _closed(state, its, came_out)
    state, seen = refreshed(state, state.turn, keyed_tokens(canonical([engagement.salt, "return"])))
    return state, (*_told(state, its, engagement, typed), *events, *seen)


def with_setting(engagement: Engagement) -> Engagement:
    """Return the engagement with its setting, made where nobody has set it."""
    if engagement.setting is not None:
        return engagement
    return Engagement.model_validate(set_engagement(engagement.as_document(), []))


def _refusals(its: Meeting | None, document: Document, report: Document) -> tuple[Problem, ...]:
    if its is None:
        return (Problem("/engagement", "unknown-engagement", "There is no such engagement on this map."),)
    if its.issue != document["issue"] or its.document["digest"] != document["digest"]:
        return (Problem("/issue", "other-issue", "The engagement was issued anew since.", "table-phase"),)
    return stops(check_report(document, report))


def _refused(document: Document, problems: Sequence[Problem]) -> Event:
    reasons = " ".join(problem.message for problem in problems)
    return Event(
        "battle-report-refused",
        f"The report on engagement {document.get('id')} was refused: {reasons}",
        (),
        tuple(sorted({problem.rule for problem in problems if problem.rule})),
        {"engagement": document.get("id"), "problems": [problem.as_document() for problem in problems]},
    )


# Ships -----------------------------------------------------------------------------------------


def _with_results(state: State, engagement: Engagement, report: BattleReport) -> State:
    """Return the state with what the battle did to its ships; what a carrier loses, its craft aboard share."""
    for _, _, engaged in engagement.ships():
        ship, result = state.ships[engaged.ship], report.ships[engaged.id]
        if ship.status != ACTIVE:
            continue
        status = STATUS[result.fate]
        lost = {track: count for track, count in boxes_after(engaged, result).items() if count}
        aboard = state.aboard.get(ship.id, ())
        state = state.with_ships(
            replace(ship, status=status, force=ship.force if status == ACTIVE else "", damage=lost),
            *_craft_after(aboard, engaged, result, status),
        )
    return state


@rule("operations-phase")
def _craft_after(aboard: Sequence[Ship], engaged: EngagedShip, result: ShipResult, status: str) -> list[Ship]:
    """Return the craft aboard a ship after the battle: with a lost ship all go, else those that are missing."""
    if status != ACTIVE:
        return [replace(craft, status=status) for craft in aboard]
    left = {**engaged.stores, **result.stores}
    gone: list[Ship] = []
    for kind in sorted({craft.ship_class for craft in aboard}):
        of_kind = [craft for craft in aboard if craft.ship_class == kind]
        gone += of_kind[left.get(kind, len(of_kind)) :]
    return [replace(craft, status=DESTROYED) for craft in gone]


# Forces ----------------------------------------------------------------------------------------


@rule("table-phase", "merge-split")
def _regrouped(
    state: State, its: Meeting, engagement: Engagement, report: BattleReport
) -> tuple[State, list[Event], tuple[str, ...]]:
    """Put every force back on the map, or take it off; ships that ended apart split off.

    Returns with it the ids of all forces that came out of the battle.
    """
    events: list[Event] = []
    came_out: list[str] = []
    held = {force.force: force for _, force in engagement.forces()}
    tokens = keyed_tokens(canonical([engagement.salt, "split"]))
    for identity in its.forces:
        force = state.forces[identity]
        groups = _groups(state, its, engagement, report, held[identity])
        if not groups:
            state = without_contacts(state, [identity]).without_forces(identity)
            events.append(_force_event(force, "force-lost", "is no more"))
            continue
        main, *others = groups
        came_out.append(identity)
        state = state.with_forces(_put(force, main, state))
        for number, group in enumerate(others, start=2):
            token = tokens(force.side, f"{identity} {number}")
            new = _put(replace(force, id=token, name=f"{force.name} {number}"), group, state)
            state = state.with_forces(new)
            state = state.with_ships(*(replace(state.ships[ship], force=token) for ship in group.ships))
            came_out.append(token)
            events.append(_split(state, force, new, group))
    return state, events, tuple(came_out)


def _put(force: Force, group: Group, state: State) -> Force:
    """Return a force where a group is, with the group's velocity; it has not thrust on the map."""
    return replace(
        force,
        q=group.at.q,
        r=group.at.r,
        vq=group.velocity.q,
        vr=group.velocity.r,
        mq=0,
        mr=0,
        marker="",
        used=0,
        active=tuple(ship for ship in force.active if ship in group.ships and not state.ships[ship].cloaked),
        engaged="",
    )


def _groups(
    state: State, its: Meeting, engagement: Engagement, report: BattleReport, force: EngagedForce
) -> list[Group]:
    """Return the groups into which a force falls apart: that of its leader first, else the largest first.

    Ships stay together that have one velocity on the map and stand in one hex or in neighbouring ones.
    """
    leader = next((each.ship for each in force.ships if each.id == force.flagship), "")
    groups: list[Group] = []
    for each in sorted(force.ships, key=lambda one: one.ship != leader):
        if state.ships[each.ship].status != ACTIVE:
            continue
        result = report.ships[each.id]
        velocity = to_axial(to_map(_velocity(engagement, each, result)))
        at = _where(state, its, engagement, report, force, each, result, velocity)
        for known in groups:
            away = known.at.less(at)
            if known.velocity == velocity and distance_in_plane(away.q, away.r) <= TOGETHER:
                group = known
                break
        else:
            group = Group(at, velocity)
            groups.append(group)
        group.ships.append(each.ship)
    return sorted(groups, key=lambda one: (leader not in one.ships, -len(one.ships)))


def _velocity(engagement: Engagement, ship: EngagedShip, result: ShipResult) -> dict[str, int]:
    """Return a ship's velocity at the end, in MU a tabletop turn: what was reported, else that of the start."""
    if result.velocity is not None:
        return dict(result.velocity)
    setting = engagement.setting
    return {} if setting is None else dict(setting.ships[ship.id].velocity)


@rule("table-phase", "scales")
def _where(
    state: State,
    its: Meeting,
    engagement: Engagement,
    report: BattleReport,
    force: EngagedForce,
    ship: EngagedShip,
    result: ShipResult,
    velocity: Hex,
) -> Hex:
    """Return the hex nearest to where a ship is: where it ended on the table, and coasted on since.

    Nobody measured it: the mean of its first and last velocity has carried it as long as it was there.
    """
    origin = engagement.theatre["origin"]
    if result.position is not None:
        q, r = Fraction(result.position.q), Fraction(result.position.r)
    else:
        present = max(0, report.tactical_turns - force.arrives)
        start = {} if engagement.setting is None else engagement.setting.ships[ship.id].velocity
        first, last = to_axial(start), to_axial(_velocity(engagement, ship, result))
        q = force.place.q + Fraction(present * (first.q + last.q), 2)
        r = force.place.r + Fraction(present * (first.r + last.r), 2)
    passed = state.turn - its.turn + 1 - Fraction(engagement.step, engagement.steps)
    since = max(Fraction(0), passed - Fraction(report.tactical_turns, OPERATIONAL_TURN_TABLETOP_TURNS))
    return Hex(
        *round_hex(
            origin["q"] + q / HEX_MU + since * velocity.q,
            origin["r"] + r / HEX_MU + since * velocity.r,
        )
    )


# Telling of it ---------------------------------------------------------------------------------


def _closed(state: State, its: Meeting, came_out: tuple[str, ...]) -> State:
    """Return the state with the meeting closed by the forces that came out, which part without another battle."""
    by_side: dict[str, list[str]] = {side: [] for side in state.books}
    for force in came_out:
        by_side[state.forces[force].side].append(force)
    parting = tuple(sorted((min(pair), max(pair)) for pair in product(*by_side.values())))
    meetings = tuple(
        replace(each, closed=True, forces=came_out, parting=parting) if each.id == its.id else each
        for each in state.meetings
    )
    return replace(state, meetings=meetings)


@rule("table-phase")
def _told(state: State, its: Meeting, engagement: Engagement, report: BattleReport) -> list[Event]:
    """Tell each side how the battle ended: its own ships by name, of the others how many met each fate."""
    turns = report.tactical_turns
    fates = {ship.id: report.ships[ship.id].fate for _, _, ship in engagement.ships()}
    events = [
        Event(
            "battle-ended",
            f"Engagement {its.id} is over after {_turns(turns)}.",
            (),
            ("table-phase",),
            {
                "engagement": its.id,
                "tactical_turns": turns,
                "fates": {ship.ship: fates[ship.id] for _, _, ship in engagement.ships()},
                "notes": report.notes,
            },
        )
    ]
    for side in sorted(engagement.sides):
        number = state.books[side].engagement_numbers[its.id]
        own = [fates[ship.id] for key, _, ship in engagement.ships() if key == side]
        others = [fates[ship.id] for key, _, ship in engagement.ships() if key != side]
        events.append(
            Event(
                "battle-ended",
                f"Engagement {number} is over after {_turns(turns)}. Ours: {_tally(own)}. "
                f"The others: {_tally(others)}.",
                (side,),
                ("table-phase",),
                {
                    "engagement": its.id,
                    "number": number,
                    "tactical_turns": turns,
                    "own": {ship.ship: fates[ship.id] for key, _, ship in engagement.ships() if key == side},
                },
            )
        )
        for key, _, ship in engagement.ships():
            text = LOST_TEXT.get(fates[ship.id])
            if key == side and text is not None:
                kind = f"ship-{fates[ship.id]}"
                events.append(Event(kind, f"{ship.name} {text}.", (side,), ("table-phase",), {"ship": ship.ship}))
    return events


def _turns(count: int) -> str:
    return "one tabletop turn" if count == 1 else f"{count} tabletop turns"


def _tally(fates: Sequence[Fate]) -> str:
    """Return how many ships met each fate, as in "2 still with us, 1 destroyed"."""
    words: Mapping[Fate, str] = {
        "active": "still there",
        "destroyed": "destroyed",
        "surrendered": "surrendered",
        "departed": "gone by FTL drive",
    }
    return ", ".join(f"{fates.count(fate)} {text}" for fate, text in words.items() if fate in fates)


def _force_event(force: Force, kind: str, text: str) -> Event:
    return Event(kind, f"{force.name} {text}.", (force.side,), ("table-phase",), {"force": force.id})


def _split(state: State, force: Force, new: Force, group: Group) -> Event:
    members = ", ".join(state.ships[ship].name for ship in group.ships)
    velocity = format_vectors(from_axial(*group.velocity))
    return Event(
        "force-split",
        f"{members} ended apart from {force.name}, with {velocity}: {new.name}.",
        (force.side,),
        ("table-phase", "merge-split"),
        {"force": force.id, "new": new.id, "name": new.name, "ships": list(group.ships)},
    )


# Calling one off -------------------------------------------------------------------------------


@rule("table-phase")
def release(state: State, engagement: str) -> tuple[State, tuple[Event, ...]]:
    """Let go the forces of an engagement that the game master called off: they fly on from where they are.

    Raises ProblemsError (code "unknown-engagement") where there is none open of that id.
    """
    its = next((each for each in state.meetings if each.id == engagement and not each.closed), None)
    if its is None:
        raise refuse("unknown-engagement", "There is no open engagement of that id.", place="/engagement")
    events = tuple(
        Event(
            "engagement-void",
            f"Engagement {state.books[side].engagement_numbers[its.id]} was called off.",
            (side,),
            (),
            {"engagement": its.id},
        )
        for side in sorted({state.forces[force].side for force in its.forces})
    )
    state = state.with_forces(*(replace(state.forces[force], engaged="") for force in its.forces))
    return _closed(state, its, its.forces), events
