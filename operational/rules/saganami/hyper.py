"""Hyperspace: out of it at the start of a turn, into it at the end (B5.16).

A force in hyperspace is on no map; it keeps its velocity there and may change it by its thrust.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from campaign.engine.dice import TurnDice
from campaign.engine.hexes import Hex, ring, squared_range
from campaign.engine.ruleset import Event
from campaign.engine.vectors import Vectors, consolidate, divide, format_vectors, from_axial, speed, to_axial
from campaign.rulebooks.saganami.scales import (
    TRANSLATE_DIVISOR,
    TRANSLATE_SPEED_LIMIT,
    can_translate,
    emergence_distance,
    translated,
)
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami import preferences as standing
from operational.rules.saganami.force_rows import NewForce, with_new, with_values
from operational.rules.saganami.forces import has_hyper_generator
from operational.rules.saganami.orders import Emergence, Orders
from operational.rules.saganami.state import GONE, IN_HYPERSPACE, ON_MAP, State
from operational.rules.saganami.tokens import new_token

ARRIVALS, DEPARTURES = "arrivals", "departures"


@rule("B5.16")
def is_outside(position: Hex, limit: int) -> bool:
    """Return whether a hex lies at a star's hyper limit or beyond, where translation is possible.

    The range is the 3-D distance to the star, its fraction dropped; a force that has covered the
    distance to the limit has reached it.
    """
    return squared_range(*position) >= limit * limit


@rule("B5.161", "B5.162")
def emerged_velocity(vectors: Vectors) -> dict[str, int]:
    """Return the velocity that is left on coming out of hyperspace: each direction over 12, fractions dropped.

    Only the way into hyperspace has a greatest speed.
    """
    return divide(consolidate(vectors), TRANSLATE_DIVISOR)[0]


# Coming out ------------------------------------------------------------------------------------


@rule("B5.161", "B5.162")
def arrive(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Bring forces out of hyperspace: each command group rolls 2d10- from the chosen hex, away as the defender has it.

    The first group keeps the force; each other becomes a force of its own, with the same orders.
    """
    events: list[Event] = []
    arrived: list[str] = []
    for sheet in orders.values():
        for force, order in sheet.forces.items():
            row = state.forces.index.get(force)
            if order.emerge is None or row is None or int(state.forces.place[row]) != IN_HYPERSPACE:
                continue
            course = order.course if order.course is not None else (order.thrust,) if order.thrust else None
            state, groups = _command_groups(state, row, order.emerge, course, dice)
            for group in groups:
                state, event = _emerge(state, state.forces.index[group], order.emerge, dice)
                events.append(event)
                arrived.append(group)
    return (replace(state, arrivals=tuple(arrived)) if arrived else state), tuple(events)


def _command_groups(
    state: State, row: int, emerge: Emergence, course: tuple[Mapping[str, int], ...] | None, dice: TurnDice
) -> tuple[State, list[str]]:
    """Make a force of every command group after the first; return the ids of all, in the order of the sheet."""
    forces = state.forces
    force = forces.id[row]
    if len(emerge.groups) < 2:
        return state, [force]
    new: list[NewForce] = []
    moved: dict[str, str] = {}
    for number, ships in enumerate(emerge.groups[1:], start=2):
        token = new_token(dice.umpire(ARRIVALS, force, "token"))
        new.append(NewForce(token, row, f"{forces.name[row]} {number}", ships[0]))
        moved.update(dict.fromkeys(ships, token))
    grown = with_new(forces, new)
    if course is None:
        course = forces.course.get(force)
    if course:
        grown = replace(grown, course={**grown.course, **{each.id: course for each in new}})
    first = emerge.groups[0]
    if forces.flagship[row] not in first:
        grown = with_values(grown, {"flagship": {row: first[0]}})
    of = tuple(moved.get(ship, held) for ship, held in zip(state.ships.id, state.ships.force, strict=True))
    return replace(state, forces=grown, ships=replace(state.ships, force=of)), [force, *(each.id for each in new)]


def _emerge(state: State, row: int, emerge: Emergence, dice: TurnDice) -> tuple[State, Event]:
    """Put one group on the map, its distance rolled in its own side's stream."""
    forces = state.forces
    force, side = forces.id[row], forces.side[row]
    system = next(index for index, each in enumerate(state.systems) if each.key == emerge.system)
    limit = state.systems[system].hyper_limit
    distance = emergence_distance(dice.open(side, ARRIVALS, force, "scatter"))
    at = scattered(emerge.entry, distance, limit, _wish(state, side, system, emerge.entry))
    velocity = emerged_velocity(from_axial(int(forces.vq[row]), int(forces.vr[row]), int(forces.vz[row])))
    step = to_axial(velocity)
    values: dict[str, Mapping[int, Any]] = {
        "system": {row: system},
        "place": {row: ON_MAP},
        "q": {row: at.q},
        "r": {row: at.r},
        "z": {row: at.z},
        "vq": {row: step.q},
        "vr": {row: step.r},
        "vz": {row: step.z},
    }
    event = Event(
        "force-emerged",
        f"{forces.name[row]} comes out of hyperspace at {state.systems[system].name}, "
        f"{distance} {'hex' if distance == 1 else 'hexes'} from the chosen hex, with {format_vectors(velocity)}.",
        (side,),
        ("B5.161", "B5.162"),
        {
            "force": force,
            "system": emerge.system,
            "entry": {"q": emerge.entry.q, "r": emerge.entry.r, "z": emerge.entry.z},
            "distance": distance,
            "q": at.q,
            "r": at.r,
            "z": at.z,
            "velocity": velocity,
        },
    )
    return replace(state, forces=with_values(forces, values)), event


@rule("B5.162")
def defender_of(state: State, side: str, system: int, entry: Hex) -> str | None:
    """Return the side that chooses the direction of an arrival at ``entry``, or None if nobody opposes.

    It is the side at home in the system; else the one with the force nearest to the entry hex; else
    the first opposing side of the campaign.
    """
    allies = {side, *state.books[side].allies}
    opposing = [key for key, book in state.books.items() if key not in allies and side not in book.allies]
    home = state.systems[system].defender
    if home in opposing:
        return home
    forces = state.forces
    near = [
        (squared_range(*_place(state, row).less(entry)), opposing.index(forces.side[row]))
        for row in np.flatnonzero((forces.place == ON_MAP) & (forces.system == system)).tolist()
        if forces.side[row] in opposing and not bool(forces.dummy[row])
    ]
    if near:
        return opposing[min(near)[1]]
    return opposing[0] if opposing else None


Wish = tuple[str, Hex]
"""What the defender wants of an arrival: ("to" or "from", a hex), or ("step", the step of one hex)."""


def _wish(state: State, side: str, system: int, entry: Hex) -> Wish:
    """Return where the defender wants an arrival to be, from its standing preference."""
    defender = defender_of(state, side, system, entry)
    if defender is None:
        return "to", entry
    choice = standing.preference(state.books[defender].preferences, standing.DIRECTION_AWAY)
    if choice == standing.TOWARD_STAR:
        return "to", Hex(0, 0, 0)
    if choice == standing.NEAREST_OWN_FORCE:
        nearest = _nearest_force(state, defender, system, entry)
        return "from", nearest if nearest is not None else Hex(0, 0, 0)
    if choice.startswith(standing.BODY):
        body = choice.removeprefix(standing.BODY)
        here = [Hex(each.q, each.r, each.z) for each in state.systems[system].bodies if each.id == body]
        return "from", here[0] if here else Hex(0, 0, 0)
    if choice == standing.AWAY_FROM_STAR:
        return "from", Hex(0, 0, 0)
    return "step", to_axial({choice: 1})


@rule("B5.162")
def scattered(entry: Hex, distance: int, limit: int, wish: Wish) -> Hex:
    """Return where a group comes out: ``distance`` hexes from the entry hex, as the defender wishes.

    Nobody comes out inside the hyper limit: of the hexes at that distance outside it, it is the one that
    suits the wish best. Of hexes equally far it is the one straight that way, then the first clockwise from A.
    """
    if distance == 0:
        return entry
    around = [Hex(q, r, entry.z) for q, r in ring(entry.q, entry.r, distance)]
    around += [entry.moved(0, 0, distance), entry.moved(0, 0, -distance)]
    allowed = [each for each in around if is_outside(each, limit)]
    kind, hexed = wish
    if kind == "step":
        wanted = entry.moved(*(part * distance for part in hexed))
        return min(allowed, key=lambda each: _distances(each.less(wanted)))
    if kind == "to":
        return min(allowed, key=lambda each: _distances(each.less(hexed)))
    return max(allowed, key=lambda each: _distances(each.less(hexed)))


def _distances(step: Hex) -> tuple[int, int]:
    """Return the squares of a step's length: counted in hexes, and as the crow flies on the drawn map."""
    return squared_range(*step), step.q**2 + step.q * step.r + step.r**2 + step.z**2


def _place(state: State, row: int) -> Hex:
    forces = state.forces
    return Hex(int(forces.q[row]), int(forces.r[row]), int(forces.z[row]))


def _nearest_force(state: State, side: str, system: int, entry: Hex) -> Hex | None:
    forces = state.forces
    places = [
        _place(state, row)
        for row in np.flatnonzero((forces.place == ON_MAP) & (forces.system == system)).tolist()
        if forces.side[row] == side
    ]
    return min(places, key=lambda each: (squared_range(*each.less(entry)), each), default=None)


# Going in --------------------------------------------------------------------------------------


@rule("B5.16", "B5.161", "C5.463")
def depart(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Take forces into hyperspace that reached the limit slowly enough; a twelfth of their velocity is left."""
    forces = state.forces
    events: list[Event] = []
    values: dict[str, dict[int, Any]] = {name: {} for name in ("place", "q", "r", "z", "vq", "vr", "vz")}
    for sheet in orders.values():
        for force, order in sheet.forces.items():
            row = forces.index.get(force)
            if row is None or not order.translate_out or int(forces.place[row]) == GONE:
                continue
            reason = next(_why_not(state, row), None)
            if reason is not None:
                events.append(_failed(state, row, reason))
                continue
            before = from_axial(int(forces.vq[row]), int(forces.vr[row]), int(forces.vz[row]))
            after = translated(before) or {}
            step = to_axial(after)
            for name, value in zip(values, (IN_HYPERSPACE, 0, 0, 0, step.q, step.r, step.z), strict=True):
                values[name][row] = value
            events.append(_departed(state, row, after))
    if not values["place"]:
        return state, tuple(events)
    left = [forces.id[row] for row in values["place"]]
    gone = with_values(forces, values)
    gone = replace(
        gone,
        carry={force: letters for force, letters in gone.carry.items() if force not in left},
        course={force: course for force, course in gone.course.items() if force not in left},
    )
    return replace(state, forces=gone), tuple(events)


def _why_not(state: State, row: int) -> Iterator[tuple[str, str]]:
    """Yield why a force cannot go into hyperspace now, as (sentence, rule)."""
    forces, ships = state.forces, state.ships
    if int(forces.place[row]) != ON_MAP:
        yield "it is not on a map", "B5.161"
    if forces.engaged[row]:
        yield "it is in battle", "B5.12"
    if bool(forces.dummy[row]):
        yield "a dummy has nothing to translate with", "B5.161"
    if not is_outside(_place(state, row), state.systems[int(forces.system[row])].hyper_limit):
        yield "it is inside the hyper limit", "B5.16"
    fast = speed(from_axial(int(forces.vq[row]), int(forces.vr[row]), int(forces.vz[row])))
    if not can_translate(fast):
        yield f"it makes {fast} hexes a turn, and {TRANSLATE_SPEED_LIMIT} is the most", "B5.161"
    for ship in ships.of_force.get(forces.id[row], ()):
        if not has_hyper_generator(state.classes[ships.ship_class[ship]], ships.not_working(ships.id[ship])):
            yield f"{ships.name[ship]} has no hyper generator", "C5.463"


def _failed(state: State, row: int, reason: tuple[str, str]) -> Event:
    forces = state.forces
    return Event(
        "translation-failed",
        f"{forces.name[row]} does not translate: {reason[0]}.",
        (forces.side[row],),
        (reason[1],),
        {"force": forces.id[row]},
    )


def _departed(state: State, row: int, after: Vectors) -> Event:
    forces = state.forces
    system = state.systems[int(forces.system[row])]
    return Event(
        "force-translated",
        f"{forces.name[row]} goes into hyperspace from {system.name} and keeps {format_vectors(after)}.",
        (forces.side[row],),
        ("B5.161",),
        {"force": forces.id[row], "system": system.key, "velocity": dict(after)},
    )
