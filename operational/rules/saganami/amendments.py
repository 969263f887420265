"""A game master's typed changes: to the staged turn, and between turns.

Each is refused with its reason, or gives the state with the change and an event for whom it concerns.
Forces and ships in battle are locked, but for a ship's name: their battle report puts them right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import ValidationError

from campaign.engine.dice import Stream, canonical
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.engine.procedure import problems_of
from campaign.engine.ruleset import Event
from campaign.engine.vectors import consolidate, to_axial
from campaign.rulebooks.saganami.movement import OPERATIONAL_SPEED_LIMIT, is_within_speed_limit
from campaign.rulebooks.saganami.ship_class import officer_cost
from operational.rules.saganami import amendment_forms as forms
from operational.rules.saganami.battle_return import release
from operational.rules.saganami.documents import FORCE_NUMBERS
from operational.rules.saganami.engagement_documents import RECON_DRONES
from operational.rules.saganami.force_rows import with_values
from operational.rules.saganami.losses import with_leaders, with_lost
from operational.rules.saganami.setup import CLASS_POSTS, check_condition
from operational.rules.saganami.sheet import HexItem
from operational.rules.saganami.state import (
    ACTIVE,
    GONE,
    IN_HYPERSPACE,
    ON_MAP,
    WEDGE_DOWN,
    WEDGE_UP,
    Grades,
    State,
)
from operational.rules.saganami.switches import DUMMIES, check_rulings, ruling
from operational.rules.saganami.tokens import new_token
from operational.rules.saganami.upkeep import is_in_battle

AMENDMENT_SCHEMA = forms.AMENDMENT_SCHEMA

Outcome = tuple[State, tuple[Event, ...]]


def amend(state: State, document: Mapping[str, Any]) -> Outcome:
    """Make one change. Raises ProblemsError for a document of no known form, or a change that cannot be made."""
    try:
        act = forms.ADAPTER.validate_python(document)
    except ValidationError as error:
        raise ProblemsError(_placed(error)) from error
    return _ACTS[act.act](state, act)


def _placed(error: ValidationError) -> list[Problem]:
    """Return pydantic's findings with places in the document itself, the form's name left out of them."""
    found = []
    for problem in problems_of(error):
        if problem.code.startswith("union-tag"):
            found.append(Problem("/act", "unknown-act", f"An act is one of {', '.join(_ACTS)}."))
            continue
        head, _, rest = problem.place.removeprefix("/").partition("/")
        place = problem.place if head not in _ACTS else f"/{rest}" if rest else ""
        found.append(Problem(place, problem.code, problem.message, problem.rule))
    return found


# Forces ----------------------------------------------------------------------------------------


def _row(state: State, force: str) -> int:
    """Return the row of a force that may be changed."""
    row = state.forces.index.get(force)
    if row is None or int(state.forces.place[row]) == GONE:
        raise refuse("unknown-force", "There is no such force.", place="/force")
    if state.forces.engaged[row]:
        message = f"{state.forces.name[row]} is in battle; its report will say where it is."
        raise refuse("in-battle", message, place="/force", rule="B5.12")
    return row


def _system(state: State, key: str) -> int:
    for index, system in enumerate(state.systems):
        if system.key == key:
            return index
    raise refuse("unknown-system", f"There is no system {key!r}.", place="/system")


def _told(state: State, row: int, text: str, data: Mapping[str, Any]) -> tuple[Event, ...]:
    """Return the event of a changed force, for its own side."""
    forces = state.forces
    return (
        Event("umpire-changed", f"By the umpire: {text}.", (forces.side[row],), (), {"force": forces.id[row], **data}),
    )


def _move_force(state: State, act: forms.MoveForce) -> Outcome:
    row = _row(state, act.force)
    forces = state.forces
    system = int(forces.system[row]) if act.system is None else _system(state, act.system)
    on_map = act.place == "map"
    if not on_map and bool(forces.dummy[row]):
        raise refuse("dummy-in-hyperspace", "A dummy is never in hyperspace.", place="/place")
    at = act.at if on_map else HexItem(q=0, r=0)
    values = {
        "system": {row: system},
        "place": {row: ON_MAP if on_map else IN_HYPERSPACE},
        "q": {row: at.q},
        "r": {row: at.r},
        "z": {row: at.z},
        **{name: {row: 0} for name in ("mq", "mr", "mz")},
    }
    moved = with_values(forces, values)
    moved = replace(moved, carry={force: each for force, each in moved.carry.items() if force != act.force})
    where = f"to {at.q}, {at.r}, altitude {at.z} at {state.systems[system].name}" if on_map else "into hyperspace"
    return replace(state, forces=moved), _told(state, row, f"{forces.name[row]} is moved {where}", {})


def _set_velocity(state: State, act: forms.SetVelocity) -> Outcome:
    row = _row(state, act.force)
    velocity = consolidate(act.velocity)
    if not is_within_speed_limit(velocity):
        message = f"No force is faster than {OPERATIONAL_SPEED_LIMIT} hexes a turn."
        raise refuse("too-fast", message, place="/velocity", rule="B5.123")
    step = to_axial(velocity)
    forces = with_values(state.forces, {"vq": {row: step.q}, "vr": {row: step.r}, "vz": {row: step.z}})
    text = f"the velocity of {state.forces.name[row]} is set"
    return replace(state, forces=forces), _told(state, row, text, {"velocity": velocity})


def _set_course(state: State, act: forms.SetCourse) -> Outcome:
    row = _row(state, act.force)
    course = {force: steps for force, steps in state.forces.course.items() if force != act.force}
    if act.course:
        course[act.force] = tuple(consolidate(step) for step in act.course)
    forces = replace(state.forces, course=course)
    return replace(state, forces=forces), _told(state, row, f"the course of {state.forces.name[row]} is set", {})


def _set_wedge(state: State, act: forms.SetWedge) -> Outcome:
    row = _row(state, act.force)
    wanted = WEDGE_UP if act.wedge == "up" else WEDGE_DOWN
    forces = with_values(state.forces, {"wedge": {row: wanted}})
    text = f"the wedge of {state.forces.name[row]} is {act.wedge}"
    return replace(state, forces=forces), _told(state, row, text, {"wedge": act.wedge})


def _rename_force(state: State, act: forms.RenameForce) -> Outcome:
    row = _row(state, act.force)
    forces = with_values(state.forces, {"name": {row: act.name.strip()}})
    text = f"{state.forces.name[row]} is called {act.name.strip()}"
    return replace(state, forces=forces), _told(state, row, text, {})


def _add_force(state: State, act: forms.AddForce) -> Outcome:
    problems = list(_check_new_force(state, act))
    if problems:
        raise ProblemsError(problems)
    system = _system(state, act.system)
    velocity = to_axial(consolidate(act.velocity))
    force = act.id or _made_id(state, act)
    on_map = act.place == "map"
    values = {
        "system": system,
        "place": ON_MAP if on_map else IN_HYPERSPACE,
        "q": act.at.q if on_map else 0,
        "r": act.at.r if on_map else 0,
        "z": act.at.z if on_map else 0,
        "vq": velocity.q,
        "vr": velocity.r,
        "vz": velocity.z,
        "wedge": WEDGE_UP if act.wedge == "up" else WEDGE_DOWN,
    }
    forces = state.forces
    numbers: dict[str, Any] = {
        name: np.append(getattr(forces, name), np.int64(values.get(name, 0))) for name in FORCE_NUMBERS
    }
    grown = replace(
        forces,
        **numbers,
        id=(*forces.id, force),
        side=(*forces.side, act.side),
        name=(*forces.name, act.name.strip()),
        flagship=(*forces.flagship, act.ships[0] if act.ships else ""),
        engaged=(*forces.engaged, ""),
        dummy=np.append(forces.dummy, act.dummy),
        pretends={**forces.pretends, **({force: act.thrust} if act.dummy else {})},
        guise={**forces.guise, **({force: tuple(act.guise)} if act.dummy and act.guise else {})},
    )
    joined = set(act.ships)
    held = tuple(
        force if ship in joined else before for ship, before in zip(state.ships.id, state.ships.force, strict=True)
    )
    state = replace(state, forces=grown, ships=replace(state.ships, force=held))
    return state, _told(state, len(grown) - 1, f"{act.name.strip()} joins the campaign", {})


def _check_new_force(state: State, act: forms.AddForce) -> list[Problem]:
    """Return everything that is wrong with a force to be added."""
    ships = state.ships
    found = []
    if act.side not in state.books:
        found.append(Problem("/side", "unknown-side", "There is no such side."))
    if act.system not in [system.key for system in state.systems]:
        found.append(Problem("/system", "unknown-system", "There is no such system."))
    if act.id is not None and act.id in state.forces.index:
        found.append(Problem("/id", "used-twice", "There is a force of that id."))
    if not is_within_speed_limit(act.velocity):
        found.append(Problem("/velocity", "too-fast", "No force is so fast.", "B5.123"))
    if act.dummy:
        if ruling(state.rulings, DUMMIES) == "none":
            found.append(Problem("/dummy", "no-dummies", "This campaign plays without dummies."))
        if act.place == "hyperspace":
            found.append(Problem("/place", "dummy-in-hyperspace", "A dummy is never in hyperspace."))
    if act.dummy == bool(act.ships):
        found.append(Problem("/ships", "no-ships", "A force has ships, or is a dummy without any."))
    for number, ship in enumerate(act.ships):
        row = ships.index.get(ship)
        place = pointer("ships", number)
        if row is None or ships.side[row] != act.side or ships.status[row] != ACTIVE:
            found.append(Problem(place, "unknown-ship", "That is no ship of this side in service."))
        elif ships.force[row] or ship in act.ships[:number]:
            found.append(Problem(place, "used-twice", f"{ships.name[row]} is with a force already."))
    found += [
        Problem(pointer("guise", number), "unknown-class", f"There is no class {key!r}.")
        for number, key in enumerate(act.guise)
        if key not in state.classes
    ]
    return found


def _made_id(state: State, act: forms.AddForce | forms.AddShip) -> str:
    """Return an id made from the change itself and the turn, so that it is the same whenever this is run."""
    taken = state.forces.index.keys() | state.ships.index.keys()
    stream = Stream(canonical(act.model_dump(by_alias=True)).encode(), canonical([state.turn, len(taken)]))
    token = new_token(stream)
    while token in taken:
        token = new_token(stream)
    return token


def _remove_force(state: State, act: forms.RemoveForce) -> Outcome:
    row = _row(state, act.force)
    told = _told(state, row, f"{state.forces.name[row]} leaves the map", {})
    forces = with_values(state.forces, {"place": {row: GONE}, "dummy": {row: False}, "flagship": {row: ""}})
    held = tuple("" if force == act.force else force for force in state.ships.force)
    state = replace(state, forces=forces, ships=replace(state.ships, force=held))
    return with_leaders(state, [act.force]), told


# Ships -----------------------------------------------------------------------------------------


def _ship(state: State, ship: str, *, is_locked: bool = True) -> int:
    """Return the row of a ship that may be changed."""
    row = state.ships.index.get(ship)
    if row is None:
        raise refuse("unknown-ship", "There is no such ship.", place="/ship")
    if is_locked and is_in_battle(state, row):
        message = f"{state.ships.name[row]} is in battle: it is locked but for its name."
        raise refuse("in-battle", message, place="/ship", rule="B5.12")
    return row


def _told_of(state: State, row: int, text: str, data: Mapping[str, Any]) -> tuple[Event, ...]:
    ships = state.ships
    return (
        Event("umpire-changed", f"By the umpire: {text}.", (ships.side[row],), (), {"ship": ships.id[row], **data}),
    )


def _rename_ship(state: State, act: forms.RenameShip) -> Outcome:
    row = _ship(state, act.ship, is_locked=False)
    names = list(state.ships.name)
    names[row] = act.name.strip()
    told = _told_of(state, row, f"{state.ships.name[row]} is called {act.name.strip()}", {})
    return replace(state, ships=replace(state.ships, name=tuple(names))), told


def _add_ship(state: State, act: forms.AddShip) -> Outcome:
    ships = state.ships
    problems = []
    if act.side not in state.books:
        problems.append(Problem("/side", "unknown-side", "There is no such side."))
    if act.ship_class not in state.classes:
        problems.append(Problem("/class", "unknown-class", "There is no such class in this campaign."))
    if act.id is not None and act.id in ships.index:
        problems.append(Problem("/id", "used-twice", "There is a ship of that id."))
    if problems:
        raise ProblemsError(problems)
    if act.force is not None:
        _target(state, act.force, act.side)
    ship = act.id or _made_id(state, act)
    its_class = state.classes[act.ship_class]
    cost = its_class.cost + sum(officer_cost(its_class, CLASS_POSTS[post], grade) for post, grade in act.grades.items())
    grown = replace(
        ships,
        id=(*ships.id, ship),
        side=(*ships.side, act.side),
        name=(*ships.name, act.name.strip()),
        ship_class=(*ships.ship_class, act.ship_class),
        force=(*ships.force, act.force or ""),
        status=(*ships.status, ACTIVE),
        cost=np.append(ships.cost, np.int64(cost)),
        grades=(*ships.grades, _graded(Grades(), act.grades)),
        drones=np.append(ships.drones, np.int64(its_class.recon_drones)),
    )
    state = replace(state, ships=grown)
    if act.force is not None:
        state = with_leaders(state, [act.force])
    return state, _told_of(state, len(grown) - 1, f"{act.name.strip()} joins the roster", {})


def _graded(grades: Grades, changed: Mapping[Any, Any]) -> Grades:
    return replace(grades, **changed)


def _target(state: State, force: str, side: str) -> int:
    """Return the row of a force that a ship of this side may join."""
    row = _row(state, force)
    if state.forces.side[row] != side or bool(state.forces.dummy[row]):
        raise refuse("unknown-force", "That is no force of this side that ships can join.", place="/force")
    return row


def _transfer_ship(state: State, act: forms.TransferShip) -> Outcome:
    row = _ship(state, act.ship)
    ships = state.ships
    if ships.status[row] != ACTIVE:
        raise refuse("dead-ship", f"{ships.name[row]} is {ships.status[row]}.", place="/ship")
    left = ships.force[row]
    where = "no force"
    if act.force is not None:
        where = state.forces.name[_target(state, act.force, ships.side[row])]
    held = list(ships.force)
    held[row] = act.force or ""
    told = _told_of(state, row, f"{ships.name[row]} is moved to {where}", {"force": act.force})
    state = replace(state, ships=replace(ships, force=tuple(held)))
    return with_leaders(state, [force for force in (left, act.force) if force]), told


def _set_damage(state: State, act: forms.SetDamage) -> Outcome:
    row = _ship(state, act.ship)
    ships = state.ships
    problems = list(check_condition(state.classes[ships.ship_class[row]], act.damage, {}, ""))
    if problems:
        raise ProblemsError(problems)
    lost = {track: boxes for track, boxes in {**ships.damage.get(act.ship, {}), **act.damage}.items() if boxes}
    damage = {ship: tracks for ship, tracks in ships.damage.items() if ship != act.ship}
    if lost:
        damage[act.ship] = lost
    repairs, rigs = dict(ships.repairs), dict(ships.rigs)
    for track in act.damage:
        # what is set by hand starts afresh: no rigs hold it, nothing was tried on it
        kept = {name: each for name, each in repairs.pop(act.ship, {}).items() if name != track}
        if kept:
            repairs[act.ship] = kept
        held = tuple(rig for rig in rigs.pop(act.ship, ()) if rig.track != track)
        if held:
            rigs[act.ship] = held
    told = _told_of(state, row, f"the damage of {ships.name[row]} is set", {"damage": dict(act.damage)})
    return replace(state, ships=replace(ships, damage=damage, repairs=repairs, rigs=rigs)), told


def _set_stores(state: State, act: forms.SetStores) -> Outcome:
    row = _ship(state, act.ship)
    ships = state.ships
    drones = ships.drones
    if RECON_DRONES in act.stores:
        drones = drones.copy()
        drones[row] = act.stores[RECON_DRONES]
    others = {name: left for name, left in act.stores.items() if name != RECON_DRONES}
    stores = dict(ships.stores)
    if others:
        stores[act.ship] = {**stores.get(act.ship, {}), **others}
    told = _told_of(state, row, f"the stores of {ships.name[row]} are set", {"stores": dict(act.stores)})
    return replace(state, ships=replace(ships, drones=drones, stores=stores)), told


def _set_grade(state: State, act: forms.SetGrade) -> Outcome:
    row = _ship(state, act.ship)
    ships = state.ships
    its_class = state.classes[ships.ship_class[row]]
    before = ships.grades[row].of(act.post)
    code = CLASS_POSTS[act.post]
    cost = ships.cost.copy()
    cost[row] += officer_cost(its_class, code, act.grade) - officer_cost(its_class, code, before)
    grades = list(ships.grades)
    grades[row] = grades[row].with_grade(act.post, act.grade)
    text = f"{act.post} of {ships.name[row]} is {act.grade}"
    told = _told_of(state, row, text, {"post": act.post, "before": before, "after": act.grade})
    return replace(state, ships=replace(ships, grades=tuple(grades), cost=cost)), told


def _set_status(state: State, act: forms.SetStatus) -> Outcome:
    row = _ship(state, act.ship)
    ships = state.ships
    told = _told_of(state, row, f"{ships.name[row]} is {act.status}", {"status": act.status})
    if act.status != ACTIVE:
        return with_lost(state, {act.ship: act.status}), told
    status = list(ships.status)
    status[row] = ACTIVE
    return replace(state, ships=replace(ships, status=tuple(status))), told


# The campaign ----------------------------------------------------------------------------------


def _set_ruling(state: State, act: forms.SetRuling) -> Outcome:
    problems = check_rulings({act.key: act.value}, "")
    if problems:
        code, message = problems[0].code, problems[0].message
        raise refuse(code, message, place="/key" if code == "unknown-ruling" else "/value")
    sides = tuple(state.books)
    event = Event("ruling-changed", f"From now on {act.key} is {act.value}.", sides, (), {act.key: act.value})
    return replace(state, rulings={**state.rulings, act.key: act.value}), (event,)


def _add_note(state: State, act: forms.AddNote) -> Outcome:
    unknown = [number for number, side in enumerate(act.sides) if side not in state.books]
    if unknown:
        raise ProblemsError(
            Problem(pointer("sides", number), "unknown-side", "There is no such side.") for number in unknown
        )
    return state, (Event("umpire-note", act.text, tuple(act.sides)),)


def _release(state: State, act: forms.ReleaseEngagement) -> Outcome:
    return release(state, act.engagement)


_ACTS: Mapping[str, Callable[[State, Any], Outcome]] = {
    "move-force": _move_force,
    "set-velocity": _set_velocity,
    "set-course": _set_course,
    "set-wedge": _set_wedge,
    "rename-force": _rename_force,
    "rename-ship": _rename_ship,
    "add-force": _add_force,
    "remove-force": _remove_force,
    "add-ship": _add_ship,
    "transfer-ship": _transfer_ship,
    "set-damage": _set_damage,
    "set-stores": _set_stores,
    "set-grade": _set_grade,
    "set-status": _set_status,
    "set-ruling": _set_ruling,
    "add-note": _add_note,
    "release-engagement": _release,
}
