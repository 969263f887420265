"""The battle's result taken back to the map: fates, damage, stores, and forces by where their ships ended (B5.121).

A report that cannot be used never stops a turn: it is refused with its reasons, and nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.engine.dice import Stream, canonical
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
    rigs_after,
)
from campaign.engine.hexes import Hex, is_within
from campaign.engine.ruleset import Document, Event
from campaign.engine.vectors import format_vectors, from_axial, to_axial
from campaign.rulebooks.saganami.scales import TACTICAL_TURNS, translated
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.battle_report import check_report
from operational.rules.saganami.engagement_documents import PODS, RECON_DRONES, seen_names
from operational.rules.saganami.force_rows import NewForce, with_new, with_values
from operational.rules.saganami.preferences import SPARE_POINT, preference
from operational.rules.saganami.return_course import operational_velocity, where, with_setting
from operational.rules.saganami.state import (
    ACTIVE,
    DESTROYED,
    GONE,
    IN_HYPERSPACE,
    ON_MAP,
    SURRENDERED,
    Forces,
    Grades,
    JuryRig,
    Meeting,
    Ships,
    State,
)
from operational.rules.saganami.tokens import new_token

LIFE_SUPPORT = "life_support"
LIFE_SUPPORT_TURNS = 19  # C5.423
TOGETHER = 1  # hexes within which ships of one velocity are one force
TALLY: Mapping[Fate, str] = {
    "active": "in service",
    "destroyed": "destroyed",
    "surrendered": "surrendered",
    "departed": "gone through hyperspace",
}
LOST_TEXT: Mapping[Fate, str] = {"destroyed": "is lost", "surrendered": "has struck its colours"}


@dataclass(slots=True)
class Group:
    """Ships of one force that go on together: where, how fast, on the map or in hyperspace; the first leads."""

    place: int
    at: Hex
    velocity: Hex
    ships: list[str] = field(default_factory=list)


@rule("B5.12", "B5.121", "B5.13")
def apply_report(state: State, document: Document, report: Document) -> tuple[State, tuple[Event, ...]]:
    """Take a signed report back to the map.

    Ships get their fates, boxes, stores, grades and rigs; survivors stand where the frame and they have
    moved, with the frame's velocity added and the whole divided by three; ships of one force that ended
    apart become forces of their own. A report for another engagement or issue is refused with an event for
    the umpire; one that was taken back already changes nothing.
    """
    its = next((each for each in state.meetings if each.id == document.get("id")), None)
    if its is not None and its.closed:
        return state, ()
    problems = _refusals(its, document, report)
    if its is None or problems:
        return state, (_refused(document, problems),)
    engagement, typed = with_setting(Engagement.model_validate(document)), load_report(report)
    dead = tuple(
        ship for _, _, ship in engagement.ships() if state.ships.status[state.ships.index[ship.ship]] != ACTIVE
    )
    ships = _with_results(state, engagement, typed)
    state, events, came_out = _regrouped(replace(state, ships=ships), its, engagement, typed)
    return _closed(state, its, came_out), (*_told(state, its, engagement, typed, dead), *events)


def _refusals(its: Meeting | None, document: Document, report: Document) -> tuple[Problem, ...]:
    if its is None:
        return (Problem("/engagement", "unknown-engagement", "There is no such engagement on this map."),)
    if its.issue != document["issue"] or its.document["digest"] != document["digest"]:
        return (Problem("/issue", "other-issue", "The engagement was issued anew since.", "B5.12"),)
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


@rule("B5.12", "C5.423", "C5.4412", "C6.13", "C8.12", "D2.223")
def _with_results(state: State, engagement: Engagement, report: BattleReport) -> Ships:
    """Return the ships with what the battle did to them. A ship that was dead stays so."""
    ships = state.ships
    status, grades, drones = list(ships.status), list(ships.grades), ships.drones.copy()
    of_force = list(ships.force)
    damage = {ship: dict(lost) for ship, lost in ships.damage.items()}
    stores = {ship: dict(left) for ship, left in ships.stores.items()}
    rigs, life_support = dict(ships.rigs), dict(ships.life_support)
    for _, _, engaged in engagement.ships():
        ship, result = engaged.ship, report.ships[engaged.id]
        row = ships.index[ship]
        if status[row] != ACTIVE:
            continue
        is_lost = result.fate in ("destroyed", "surrendered")
        if is_lost:
            status[row] = DESTROYED if result.fate == "destroyed" else SURRENDERED
            of_force[row] = ""
        lost = boxes_after(engaged, result)
        _keep(damage, ship, {track: count for track, count in lost.items() if count})
        left = _stores_left(engaged, result)
        drones[row] = left.pop(RECON_DRONES)
        bay = state.classes[engaged.ship_class].pods
        carried = {} if bay is None else {PODS: bay.carried}
        _keep(stores, ship, {kind: count for kind, count in left.items() if carried.get(kind) != count})
        grades[row] = _grades(grades[row], result)
        _keep(rigs, ship, () if is_lost else _rigs(engaged, result, report.tactical_turns, state.turn))
        track = engaged.boxes.get(LIFE_SUPPORT)
        if is_lost:
            life_support.pop(ship, None)
        elif track is not None and 0 < track.of == lost[LIFE_SUPPORT]:
            life_support.setdefault(ship, state.turn + LIFE_SUPPORT_TURNS)
    return replace(
        ships,
        status=tuple(status),
        force=tuple(of_force),
        grades=tuple(grades),
        drones=drones,
        damage=damage,
        stores=stores,
        rigs=rigs,
        life_support=life_support,
    )


def _keep(kept: dict[str, Any], ship: str, value: Any) -> None:
    """Keep what a ship has of something; nothing is left out."""
    if value:
        kept[ship] = value
    else:
        kept.pop(ship, None)


@rule("C8.12")
def _stores_left(engaged: EngagedShip, result: ShipResult) -> dict[str, int]:
    """Return what a ship has left: as reported; pods that were used or killed are gone in any case."""
    left = {**engaged.stores, **result.stores}
    if PODS in left and PODS not in result.stores:
        left[PODS] -= result.pods_used + result.pods_killed
    return left


def _grades(grades: Grades, result: ShipResult) -> Grades:
    fallen: dict[str, Any] = dict(result.grades)
    return replace(grades, **fallen)


@rule("C6.13")
def _rigs(engaged: EngagedShip, result: ShipResult, turns: int, now: int) -> tuple[JuryRig, ...]:
    """Return the jury rigs on the operational clock: six tactical turns of nineteen are one of its turns."""
    return tuple(
        JuryRig(rig.track, rig.boxes, now, now + -(-rig.left * TACTICAL_TURNS[1] // TACTICAL_TURNS[0]), rig.left)
        for rig in rigs_after(engaged, result, turns)
        if rig.left
    )


# Forces ----------------------------------------------------------------------------------------


@rule("B5.12", "B5.121", "B5.161")
def _regrouped(
    state: State, its: Meeting, engagement: Engagement, report: BattleReport
) -> tuple[State, list[Event], tuple[str, ...]]:
    """Put every force back on the map, or into hyperspace, or take it off; ships that ended apart split off.

    Returns with it the ids of all forces that came out of the battle.
    """
    events: list[Event] = []
    new: list[NewForce] = []
    values: dict[str, dict[int, Any]] = {name: {} for name in _COLUMNS}
    moved: dict[str, str] = {}
    came_out: list[str] = []
    held = {force.force: (side, force) for side, force in engagement.forces()}
    for identity in its.forces:
        row = state.forces.index[identity]
        if identity not in held:
            groups: list[Group] = []
        else:
            groups = _groups(state, engagement, report, *held[identity], state.turn - its.turn)
        values["engaged"][row] = ""
        if not groups:
            values["place"][row] = GONE
            values["flagship"][row] = ""
            events.append(_force_event(state, row, "force-lost", "is no more"))
            continue
        came_out.append(identity)
        main, *others = groups
        _set(values, row, main)
        values["flagship"][row] = main.ships[0]
        for number, group in enumerate(others, start=2):
            token = new_token(Stream(engagement.salt.encode(), canonical(["split", identity, number])))
            name = f"{state.forces.name[row]} {number}"
            at = len(state.forces) + len(new)
            new.append(NewForce(token, row, name, group.ships[0]))
            _set(values, at, group)
            values["engaged"][at] = ""
            moved.update(dict.fromkeys(group.ships, token))
            came_out.append(token)
            events.append(_split(state, row, token, name, group))
    forces = with_values(with_new(state.forces, new), values)
    ships = replace(
        state.ships,
        force=tuple(moved.get(ship, force) for ship, force in zip(state.ships.id, state.ships.force, strict=True)),
    )
    state = replace(state, forces=_at_rest(forces, [*its.forces, *came_out]), ships=ships)
    return state, events, tuple(came_out)


_COLUMNS = ("place", "q", "r", "z", "vq", "vr", "vz", "mq", "mr", "mz", "dq", "dr", "dz", "flagship", "engaged")


def _set(values: Mapping[str, dict[int, Any]], row: int, group: Group) -> None:
    """Write where a group is and how it moves into a row; what it did last turn was the battle."""
    for name, value in zip(("q", "r", "z"), group.at, strict=True):
        values[name][row] = value
    for name, value in zip(("vq", "vr", "vz"), group.velocity, strict=True):
        values[name][row] = value
    for name in ("mq", "mr", "mz", "dq", "dr", "dz"):
        values[name][row] = 0
    values["place"][row] = group.place


def _at_rest(forces: Forces, back: Iterable[str]) -> Forces:
    """Return the forces without half hexes and courses of those that come out of battle."""
    names = set(back)
    return replace(
        forces,
        carry={force: letters for force, letters in forces.carry.items() if force not in names},
        course={force: course for force, course in forces.course.items() if force not in names},
    )


def _groups(
    state: State, engagement: Engagement, report: BattleReport, side: str, force: EngagedForce, elapsed: int
) -> list[Group]:
    """Return the groups into which a force falls apart: that of its flagship first, else the largest first.

    Ships stay together that have one velocity on the map and stand in one hex or in neighbouring ones.
    """
    ships = state.ships
    spare = preference(state.books[side].preferences, SPARE_POINT)
    groups: list[Group] = []
    leader = next((each.ship for each in force.ships if each.id == force.flagship), "")
    for each in sorted(force.ships, key=lambda one: one.ship != leader):
        if ships.status[ships.index[each.ship]] != ACTIVE:
            continue
        result = report.ships[each.id]
        moves = operational_velocity(engagement, report, each, result, spare)
        velocity = to_axial(moves)
        if result.fate == "departed":
            group = Group(IN_HYPERSPACE, Hex(0, 0, 0), to_axial(translated(moves) or {}))
        else:
            group = Group(ON_MAP, where(engagement, report, each, result, elapsed, velocity), velocity)
        for known in groups:
            if (known.place, known.velocity) == (group.place, group.velocity) and is_within(
                *known.at.less(group.at), TOGETHER
            ):
                group = known
                break
        else:
            groups.append(group)
        group.ships.append(each.ship)
    return sorted(groups, key=lambda one: (leader not in one.ships, one.place != ON_MAP, -len(one.ships)))


# Telling of it ---------------------------------------------------------------------------------


def _closed(state: State, its: Meeting, came_out: tuple[str, ...]) -> State:
    """Return the state with the meeting closed by the forces that came out, and no contact with what is gone."""
    forces = state.forces
    gone = {force for force in its.forces if int(forces.place[forces.index[force]]) != ON_MAP}
    books = {
        side: replace(
            book,
            contacts=tuple(replace(each, lost=True) if each.force in gone else each for each in book.contacts),
        )
        for side, book in state.books.items()
    }
    meetings = tuple(
        replace(each, closed=True, forces=came_out) if each.id == its.id else each for each in state.meetings
    )
    return replace(state, meetings=meetings, books=books)


@rule("B5.12", "B5.121")
def _told(
    state: State, its: Meeting, engagement: Engagement, report: BattleReport, dead: tuple[EngagedShip, ...]
) -> list[Event]:
    """Tell each side how the battle ended: its own ships by name, the others' as it saw them; the umpire all."""
    names = seen_names(engagement)
    turns = report.tactical_turns
    fates = {ship.id: report.ships[ship.id].fate for _, _, ship in engagement.ships()}
    events = [
        Event(
            "battle-ended",
            f"Engagement {its.id} is over after {turns} tactical turns.",
            (),
            ("B5.121",),
            {
                "engagement": its.id,
                "tactical_turns": turns,
                "fates": {ship.ship: fates[ship.id] for _, _, ship in engagement.ships()},
                "dead_before": [ship.ship for ship in dead],
                "notes": report.notes,
            },
        )
    ]
    for side in sorted(engagement.sides):
        number = state.books[side].engagement_numbers[its.id]
        own = [(ship.name, fates[ship.id]) for key, _, ship in engagement.ships() if key == side]
        others = sorted((names[ship.id], fates[ship.id]) for key, _, ship in engagement.ships() if key != side)
        events.append(
            Event(
                "battle-ended",
                f"Engagement {number} is over after {turns} tactical turns. Ours: {_tally(own)}. "
                f"The others: {_tally(others)}.",
                (side,),
                ("B5.121", "D2.22"),
                {
                    "engagement": its.id,
                    "number": number,
                    "tactical_turns": turns,
                    "own": {ship.ship: fates[ship.id] for key, _, ship in engagement.ships() if key == side},
                    "others": dict(others),
                },
            )
        )
        for key, _, ship in engagement.ships():
            text = LOST_TEXT.get(fates[ship.id])
            if key == side and text is not None:
                what = f"ship-{fates[ship.id]}"
                events.append(Event(what, f"{ship.name} {text}.", (side,), ("D2.223",), {"ship": ship.ship}))
    return events


def _tally(fates: Sequence[tuple[str, Fate]]) -> str:
    """Return how many ships met each fate, as in "2 in service, 1 destroyed"."""
    words = {
        "active": "still with us",
        "destroyed": "destroyed",
        "surrendered": "surrendered",
        "departed": "gone to hyperspace",
    }
    counts = {fate: sum(each == fate for _, each in fates) for fate in words}
    return ", ".join(f"{count} {words[fate]}" for fate, count in counts.items() if count)


def _force_event(state: State, row: int, kind: str, text: str) -> Event:
    forces = state.forces
    return Event(kind, f"{forces.name[row]} {text}.", (forces.side[row],), ("B5.12",), {"force": forces.id[row]})


def _split(state: State, row: int, token: str, name: str, group: Group) -> Event:
    forces, ships = state.forces, state.ships
    members = ", ".join(ships.name[ships.index[ship]] for ship in group.ships)
    where_to = (
        "in hyperspace" if group.place == IN_HYPERSPACE else f"with {format_vectors(from_axial(*group.velocity))}"
    )
    return Event(
        "force-split",
        f"{members} ended apart from {forces.name[row]}, {where_to}: {name}.",
        (forces.side[row],),
        ("B5.12", "B5.121"),
        {"force": forces.id[row], "new": token, "name": name, "ships": list(group.ships)},
    )


# Calling one off -------------------------------------------------------------------------------


@rule("B5.12")
def release(state: State, engagement: str) -> tuple[State, tuple[Event, ...]]:
    """Let go the forces of an engagement that the game master called off: they fly on from where they are.

    They meet again only after they were out of each other's reach.
    Raises ProblemsError (code "unknown-engagement") where there is none open of that id.
    """
    its = next((each for each in state.meetings if each.id == engagement and not each.closed), None)
    if its is None:
        raise refuse("unknown-engagement", "There is no open engagement of that id.", place="/engagement")
    forces = state.forces
    rows = [forces.index[force] for force in its.forces]
    events = [
        Event(
            "engagement-void",
            f"Engagement {state.books[side].engagement_numbers[its.id]} was called off.",
            (side,),
            (),
            {"engagement": its.id},
        )
        for side in sorted({forces.side[row] for row in rows})
    ]
    state = replace(state, forces=with_values(forces, {"engaged": dict.fromkeys(rows, "")}))
    void = replace(its, closed=True, document={**its.document, "status": "void"})
    meetings = tuple(void if each.id == its.id else each for each in state.meetings)
    return replace(state, meetings=meetings), tuple(events)
