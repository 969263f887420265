"""The engagement as a document: what the state says of the forces that meet (engine.handoff).

The game master's document holds everything. ``for_side`` makes of it what one side may read: its own
ships whole, and of the others what can be seen at tactical range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.engine.handoff import (
    Boxes,
    EngagedForce,
    EngagedShip,
    EngagedSide,
    Engagement,
    Knowledge,
    Place,
    Rig,
    SystemName,
    issued,
)
from campaign.engine.hexes import Hex
from campaign.engine.vectors import from_axial
from campaign.rulebooks.saganami.grades import crew_target
from campaign.rulebooks.saganami.options import MARK_12, pod_cost
from campaign.rulebooks.saganami.scales import tactical_turns
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.documents import POSTS
from operational.rules.saganami.forces import leading_ship, ship_thrust
from operational.rules.saganami.state import WEDGE_UP, Grades, Meeting, State
from operational.rules.saganami.switches import BATTLE_CLOCK, RANGE_50, ruling

RULESET = "operational/saganami"
RECON_DRONES, PODS = "recon_drones", "pods"
WEDGE_IS_UP, WEDGE_IS_DOWN = "wedge-up", "wedge-down"
SIDEWALLS_UP, SIDEWALLS_NEXT_TURN, SIDEWALLS_DOWN = "sidewalls-up", "sidewalls-next-turn", "sidewalls-down"
SEEN_MARKS = (WEDGE_IS_UP, WEDGE_IS_DOWN)
SEEN_FACTS = ("scale", "kind", "type")


@dataclass(frozen=True, slots=True)
class Joined:
    """How one force came into an engagement: its mark, when, where, and the marks of its ships.

    ``position`` is in operational hexes, ``place`` and ``step`` in tactical ones (engine.handoff).
    """

    mark: str
    issue: int
    turn: int
    arrives: int
    position: Hex
    place: Hex
    ships: Mapping[str, str]
    nearest: str = ""
    step: Hex | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """What the map knows of an engagement beside the state: its tokens, its moment, how each force joined."""

    id: str
    salt: str
    step: int
    steps: int
    range: int
    joined: Mapping[str, Joined] = field(default_factory=dict)


def opening_of(document: Mapping[str, Any]) -> Opening:
    """Return the opening that an engagement's document was built from."""
    engagement = Engagement.model_validate(document)
    joined = {
        force.force: Joined(
            mark=force.id,
            issue=force.issue,
            turn=force.turn,
            arrives=force.arrives,
            position=force.position.hex,
            place=force.place.hex,
            ships={ship.ship: ship.id for ship in force.ships},
            nearest=force.nearest,
            step=force.step.hex if force.step else None,
        )
        for _, force in engagement.forces()
    }
    return Opening(engagement.id, engagement.salt, engagement.step, engagement.steps, engagement.range, joined)


@rule("B5.12", "D2.13")
def build(state: State, meeting: Meeting, opening: Opening, turn: int) -> dict[str, Any]:
    """Return the engagement of a meeting as the state has it now; ``turn`` is the operational turn it is.

    A force that lost its last ship since it joined is left out with it.
    """
    sides: dict[str, EngagedSide] = {}
    rows = {force: state.forces.index[force] for force in meeting.forces}
    for key in sorted({state.forces.side[row] for row in rows.values()}):
        book = state.books[key]
        forces = [
            _force(state, row, opening.joined[force], turn)
            for force, row in rows.items()
            if state.forces.side[row] == key and state.ships.of_force.get(force)
        ]
        if forces:
            sides[key] = EngagedSide(name=book.name, allies=list(book.allies), forces=forces)
    marks = {force: joined.mark for force, joined in opening.joined.items()}
    for key, side in sides.items():
        sides[key] = side.model_copy(update={"knows": _knowledge(state, key, marks)})
    system = state.systems[meeting.system]
    engagement = Engagement(
        ruleset=RULESET,
        id=meeting.id,
        turn=meeting.turn,
        step=opening.step,
        steps=opening.steps,
        issue=meeting.issue,
        issued=meeting.issued,
        numbers={key: state.books[key].engagement_numbers[meeting.id] for key in sides},
        system=SystemName(key=system.key, name=system.name),
        range=opening.range,
        salt=opening.salt,
        rulings={key: ruling(state.rulings, key) for key in (RANGE_50, BATTLE_CLOCK)},
        theatre={"hyper_limit": system.hyper_limit, "star": system.star},
        sides=sides,
    )
    return issued(engagement).as_document()


@rule("B5.12", "B5.122", "B5.145")
def _force(state: State, row: int, joined: Joined, turn: int) -> EngagedForce:
    forces, ships = state.forces, state.ships
    force = forces.id[row]
    leader = leading_ship(state, force)
    members = ships.of_force[force]
    if forces.wedge[row] != WEDGE_UP:
        marks = [WEDGE_IS_DOWN, SIDEWALLS_DOWN]
    else:
        marks = [WEDGE_IS_UP, SIDEWALLS_NEXT_TURN if forces.raised.get(force) == turn else SIDEWALLS_UP]
    return EngagedForce(
        id=joined.mark,
        force=force,
        name=forces.name[row],
        flagship=joined.ships[ships.id[members[0] if leader is None else leader]],
        issue=joined.issue,
        turn=joined.turn,
        arrives=joined.arrives,
        position=Place.of(joined.position),
        place=Place.of(joined.place),
        nearest=joined.nearest,
        step=None if joined.step is None else Place.of(joined.step),
        velocity=from_axial(int(forces.vq[row]), int(forces.vr[row]), int(forces.vz[row])),
        ships=[_ship(state, ship, joined.ships[ships.id[ship]], marks, turn) for ship in members],
    )


@rule("A2.65", "C6.13", "C8.111", "D2.223")
def _ship(state: State, row: int, mark: str, marks: list[str], turn: int) -> EngagedShip:
    ships = state.ships
    identity = ships.id[row]
    its_class = state.classes[ships.ship_class[row]]
    grades = ships.grades[row]
    damage = ships.damage.get(identity, {})
    stores = {RECON_DRONES: int(ships.drones[row]), **_stores(its_class, ships.stores.get(identity, {}))}
    return EngagedShip(
        id=mark,
        ship=identity,
        name=ships.name[row],
        ship_class=its_class.key,
        class_name=its_class.name,
        cost=int(ships.cost[row]),
        crew={"officers": its_class.officers, "enlisted": its_class.enlisted, "marines": its_class.marines},
        grades={post: getattr(grades, post) for post in POSTS},
        boxes={
            track.name: Boxes(of=len(track.boxes), lost=damage.get(track.name, 0), refills=not track.counts)
            for track in its_class.tracks
        },
        stores=stores,
        rigs=[
            Rig(track=rig.track, boxes=rig.boxes, left=max(1, rig.left - tactical_turns(turn - rig.made)))
            for rig in ships.rigs.get(identity, ())
        ],
        marks=marks,
        facts={
            "thrust": ship_thrust(its_class, ships.not_working(identity), grades.engineer),
            "crew_target": crew_target(grades.crew),
            "scale": its_class.scale,
            "kind": its_class.kind,
            "type": its_class.type,
            "pod_cost": _pod_cost(stores.get(PODS, 0), grades),
        },
    )


def _stores(its_class: ShipClass, left: Mapping[str, int]) -> dict[str, int]:
    """Return what a ship carries beside recon drones: as its class has it, where nothing else is said."""
    carried = {} if its_class.pods is None else {PODS: its_class.pods.carried}
    return {**carried, **left}


@rule("C8.11", "C8.111")
def _pod_cost(pods: int, grades: Grades) -> int:
    """Return what pods cost, in points: a card for every twelve, and one for the rest."""
    cards, rest = divmod(pods, MARK_12.most)
    return cards * pod_cost(MARK_12.most, grades.tactical) + pod_cost(rest, grades.tactical)


def _knowledge(state: State, side: str, marks: Mapping[str, str]) -> list[Knowledge]:
    """Return what a side's contacts tell of the forces it meets."""
    return [
        Knowledge(
            contact=contact.id,
            number=contact.number,
            force=marks[contact.force],
            facts=dict(contact.facts),
            learnt=dict(contact.learnt),
            seen=contact.seen,
        )
        for contact in state.books[side].contacts
        if contact.force in marks and not contact.lost
    ]


@rule("B5.131")
def rebuilt(state: State, meeting: Meeting, turn: int) -> Meeting:
    """Return a meeting with its document as the state has it now; who joined, when and where stays."""
    return replace(meeting, document=build(state, meeting, opening_of(meeting.document), turn))


@rule("B5.12", "B5.14")
def for_side(document: Mapping[str, Any], side: str) -> dict[str, Any]:
    """Return the engagement as one side may read it.

    Its own forces, ships and knowledge stand whole. Of the others it sees what tactical range shows: how
    many ships, their classes with the class's tracks, whether the wedge is up, where they are and how
    they move. Names, grades, damage, stores, points and roster ids are not told, nor what they know.
    """
    engagement = Engagement.model_validate(document)
    numbers = {known.force: known for known in engagement.sides[side].knows}
    names = seen_names(engagement)
    shown: dict[str, Any] = engagement.as_document()
    del shown["salt"], shown["theatre"]
    shown["numbers"] = {side: engagement.numbers[side]}
    shown["sides"] = {
        key: each.as_document()
        if key == side
        else {
            "name": each.name,
            "allies": [],
            "knows": [],
            "forces": [_seen_force(force, numbers.get(force.id), names) for force in sorted(each.forces, key=_by_mark)],
        }
        for key, each in sorted(engagement.sides.items())
    }
    shown["side"] = side
    shown["number"] = engagement.numbers[side]
    return shown


def seen_names(engagement: Engagement) -> dict[str, str]:
    """Return what every side may call each ship, by its mark: class and a number within side and class."""
    names: dict[str, str] = {}
    for _, side in sorted(engagement.sides.items()):
        numbers: dict[str, int] = {}
        for ship in sorted((ship for force in side.forces for ship in force.ships), key=_by_mark):
            numbers[ship.class_name] = numbers.get(ship.class_name, 0) + 1
            names[ship.id] = f"{ship.class_name} {numbers[ship.class_name]}"
    return names


def _seen_force(force: EngagedForce, known: Knowledge | None, names: Mapping[str, str]) -> dict[str, Any]:
    name = "Enemy force" if known is None else f"Contact {known.number}"
    return {
        "id": force.id,
        "name": name,
        "contact": None if known is None else known.contact,
        "flagship": None,
        "issue": force.issue,
        "turn": force.turn,
        "arrives": force.arrives,
        "position": force.position.as_document(),
        "place": force.place.as_document(),
        "nearest": force.nearest,
        "step": None if force.step is None else force.step.as_document(),
        "velocity": dict(force.velocity),
        "ships": [_seen_ship(ship, names[ship.id]) for ship in sorted(force.ships, key=_by_mark)],
    }


def _by_mark(one: EngagedForce | EngagedShip) -> str:
    """Return by what enemies are listed: their marks are random, so that no order tells anything."""
    return one.id


def _seen_ship(ship: EngagedShip, name: str) -> dict[str, Any]:
    return {
        "id": ship.id,
        "name": name,
        "class": ship.ship_class,
        "class_name": ship.class_name,
        "marks": [mark for mark in ship.marks if mark in SEEN_MARKS],
        "facts": {key: ship.facts[key] for key in SEEN_FACTS},
        "tracks": {track: boxes.of for track, boxes in ship.boxes.items()},
    }
