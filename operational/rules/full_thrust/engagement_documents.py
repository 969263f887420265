"""The engagement as a document: what the state says of the forces that go to the table (engine.handoff).

The game master's document holds everything. ``for_side`` makes of it what one side may read: its own
ships whole, and of the others the markers and what its scans have told. Distances of ``place`` are MU,
counted from the middle of the hex ``theatre.origin``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from campaign.engine.handoff import (
    Boxes,
    EngagedForce,
    EngagedShip,
    EngagedSide,
    Engagement,
    Knowledge,
    Place,
    SystemName,
    issued,
)
from campaign.engine.hexes import DIRECTIONS, Hex, round_hex
from campaign.engine.vectors import from_axial
from operational.rules.full_thrust.conversions import to_table
from operational.rules.full_thrust.forces import ship_thrust
from operational.rules.full_thrust.movement import base_facing, nearest_sides
from operational.rules.full_thrust.scales import facings, tabletop_velocity
from operational.rules.full_thrust.sensors import contact_marker, has_firing_solution, size_class
from operational.rules.full_thrust.ship_class import (
    SCREENS,
    area_ecm_grade,
    ecm_grade,
    fire_controls,
    left,
    sensor_grade,
)
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import Force, Meeting, Ship, State
from operational.rules.full_thrust.switches import VECTOR_MOVEMENT, ruling
from operational.rules.full_thrust.tables import HEX_MU
from operational.rules.full_thrust.view_ships import craft_aboard

RULESET = "operational/full-thrust"
ACTIVE_SENSORS, CLOAKED = "active-sensors", "cloaked"
UNKNOWN_CLASS, UNKNOWN_NAME = "", "unknown"
Point = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Joined:
    """How one force came to the table: its mark, when, where, and the marks of its ships.

    ``place`` is in MU from the middle of the origin's hex; ``arrives`` the tabletop turn in which it comes in.
    """

    mark: str
    issue: int
    turn: int
    arrives: int
    position: Hex
    place: Hex
    ships: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Opening:
    """What the map knows of an engagement beside the state: its tokens, its moment, how each force joined."""

    id: str
    salt: str
    step: int
    steps: int
    range: int
    origin: Hex
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
        )
        for _, force in engagement.forces()
    }
    origin = Hex(**engagement.theatre["origin"])
    return Opening(engagement.id, engagement.salt, engagement.step, engagement.steps, engagement.range, origin, joined)


@rule("scales")
def place_in_mu(point: Point, origin: Hex) -> Hex:
    """Return a point of the map, in hexes, as a place of the table: MU from the middle of the origin's hex."""
    return Hex(*round_hex((point[0] - origin.q) * HEX_MU, (point[1] - origin.r) * HEX_MU))


@rule("table-phase")
def build(state: State, meeting: Meeting, opening: Opening) -> dict[str, Any]:
    """Return the engagement of a meeting as the state has it now."""
    sides: dict[str, EngagedSide] = {}
    here = [state.forces[force] for force in meeting.forces]
    for key in sorted({force.side for force in here}):
        forces = [_force(state, force, opening.joined[force.id]) for force in here if force.side == key]
        sides[key] = EngagedSide(name=state.books[key].name, forces=forces)
    for key, side in sides.items():
        sides[key] = side.model_copy(update={"knows": _knowledge(state, key, opening)})
    system = next(each for each in state.systems if each.key == meeting.system)
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
        rulings={VECTOR_MOVEMENT: ruling(state.rulings, VECTOR_MOVEMENT)},
        theatre={"origin": {"q": opening.origin.q, "r": opening.origin.r}, "hex_mu": HEX_MU},
        sides=sides,
    )
    return issued(engagement).as_document()


@rule("table-phase", "velocity-table")
def _force(state: State, force: Force, joined: Joined) -> EngagedForce:
    members = state.members[force.id]
    return EngagedForce(
        id=joined.mark,
        force=force.id,
        name=force.name,
        flagship=joined.ships[members[0].id],
        issue=joined.issue,
        turn=joined.turn,
        arrives=joined.arrives,
        position=Place.of(joined.position),
        place=Place.of(joined.place),
        velocity=from_axial(force.vq, force.vr),
        ships=[_ship(state, force, ship, joined.ships[ship.id]) for ship in members],
    )


@rule("facing-deviation", "base-facing", "velocity-table")
def facings_of(state: State, force: Force, ship: Ship) -> tuple[str, tuple[str, ...]]:
    """Return how a ship may face on the table: the facing it has if nobody chooses, and all that it may choose.

    The base facing is the task force's; how far a ship may turn from it hangs on the ship's own thrust.
    Without a thrust marker a ship faces where it flies.
    """
    base = base_facing(force.marker or None)
    rating = ship_thrust(state, ship)
    allowed = facings(base, min(force.used, rating), rating)
    if base is None:
        course = nearest_sides(from_axial(force.vq, force.vr))
        base = DIRECTIONS.index(course[0]) if course else allowed[0]
    return DIRECTIONS[base], tuple(DIRECTIONS[each] for each in allowed)


@rule("table-phase", "active-counters")
def _ship(state: State, force: Force, ship: Ship, mark: str) -> EngagedShip:
    its_class, damage = state.class_of(ship), ship.damage
    facing, choices = facings_of(state, force, ship)
    marks = [ACTIVE_SENSORS] if ship.id in force.active else []
    if ship.cloaked:
        marks.append(CLOAKED)
    return EngagedShip(
        id=mark,
        ship=ship.id,
        name=ship.name,
        ship_class=its_class.key,
        class_name=its_class.name,
        cost=ship.cost,
        boxes={track: Boxes(of=count, lost=damage.get(track, 0)) for track, count in its_class.tracks.items()},
        stores=craft_aboard(state.aboard.get(ship.id, ()), state),
        marks=marks,
        facts={
            "kind": its_class.kind,
            "mass": its_class.mass,
            "size_class": size_class(its_class.mass),
            "thrust": ship_thrust(state, ship),
            "screens": left(its_class, damage, SCREENS),
            "fire_controls": fire_controls(its_class, damage),
            "sensors": sensor_grade(its_class, damage),
            "ecm": ecm_grade(its_class, damage),
            "area_ecm": area_ecm_grade(its_class, damage),
            "velocity_mu": tabletop_velocity(force.speed),
            "course_mu": to_table(from_axial(force.vq, force.vr)),
            "facing": facing,
            "facings": list(choices),
        },
    )


@rule("table-phase", "sharing")
def _knowledge(state: State, side: str, opening: Opening) -> list[Knowledge]:
    """Return what a side has learnt of the forces it meets: its bogeys with their facts and locks, by mark."""
    book = state.books[side]
    own = {ship: mark for joined in opening.joined.values() for ship, mark in joined.ships.items()}
    found = []
    for force, joined in sorted(opening.joined.items(), key=lambda each: each[1].mark):
        contact = book.contact_of.get(force)
        if contact is None:
            continue
        ships = {
            joined.ships[each.ship]: {
                "bogey": each.number,
                "marker": contact_marker(each.facts),
                "facts": dict(each.facts),
                "locked_by": [own[holder] for holder in each.holders if holder in own],
                "firing_solution": each.is_locked and has_firing_solution(each.facts),
            }
            for each in book.detected
            if each.ship in joined.ships
        }
        found.append(
            Knowledge(
                contact=contact.id,
                number=contact.number,
                force=joined.mark,
                facts={"counters": contact.counters, "ships": ships},
                learnt=dict(contact.told),
                seen=contact.seen,
            )
        )
    return found


def rebuilt(state: State, meeting: Meeting) -> Meeting:
    """Return a meeting with its document as the state has it now; who joined, when and where stays."""
    return replace(meeting, document=build(state, meeting, opening_of(meeting.document)))


# What a side reads ------------------------------------------------------------------------------


@rule("table-phase", "passive-results", "active-results")
def for_side(document: Mapping[str, Any], side: str) -> dict[str, Any]:
    """Return the engagement as one side may read it.

    Its own forces, ships and knowledge stand whole. Of the others it sees the markers, how they move, and
    one possible contact for each ship: only what its own scans told of a ship is filled in.
    """
    engagement = Engagement.model_validate(document)
    known = {each.force: each for each in engagement.sides[side].knows}
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
            "forces": [_seen_force(force, known.get(force.id)) for force in sorted(each.forces, key=_by_mark)],
        }
        for key, each in sorted(engagement.sides.items())
    }
    shown["side"] = side
    shown["number"] = engagement.numbers[side]
    return shown


def _by_mark(one: EngagedForce | EngagedShip) -> str:
    """Return by what enemies are listed: their marks are random, so that no order tells anything."""
    return one.id


def _seen_force(force: EngagedForce, known: Knowledge | None) -> dict[str, Any]:
    learnt: Mapping[str, Any] = {} if known is None else known.facts["ships"]
    ships = sorted(force.ships, key=_by_mark)
    return {
        "id": force.id,
        "name": "Enemy force" if known is None else f"Contact {known.number}",
        "contact": None if known is None else known.contact,
        "flagship": None,
        "issue": force.issue,
        "turn": force.turn,
        "arrives": force.arrives,
        "position": force.position.as_document(),
        "place": force.place.as_document(),
        "velocity": dict(force.velocity),
        "ships": [_seen_ship(ship, number, learnt.get(ship.id)) for number, ship in enumerate(ships, start=1)],
    }


def _seen_ship(ship: EngagedShip, number: int, known: Mapping[str, Any] | None) -> dict[str, Any]:
    facts: Mapping[str, Any] = {} if known is None else known["facts"]
    is_identified = "class" in facts
    return {
        "id": ship.id,
        "name": f"Possible contact {number}" if known is None else f"Bogey {known['bogey']}",
        "class": ship.ship_class if is_identified else UNKNOWN_CLASS,
        "class_name": ship.class_name if is_identified else UNKNOWN_NAME,
        "marks": [],
        "tracks": {},
        "facts": dict(facts),
        "firing_solution": known is not None and known["firing_solution"],
    }


def seen_names(engagement: Engagement, side: str) -> dict[str, str]:
    """Return what a side calls each ship of an engagement, by mark: its own by name, the others as it sees them."""
    shown = for_side(engagement.as_document(), side)
    return {
        ship["id"]: ship["name"]
        for each in shown["sides"].values()
        for force in each["forces"]
        for ship in force["ships"]
    }
