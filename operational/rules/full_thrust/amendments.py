"""A game master's typed changes: to the staged turn, and between turns.

Each is refused with its reason, or gives the state with the change and an event for whom it concerns.
Forces and ships at the table are locked, but for their names: their battle report puts them right. What a
change does to the markers on the map, both sides see at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from campaign.engine.dice import canonical
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.engine.procedure import problems_of
from campaign.engine.ruleset import Event
from campaign.engine.vectors import Vectors, to_axial
from operational.rules.full_thrust import amendment_forms as forms
from operational.rules.full_thrust.battle_return import release
from operational.rules.full_thrust.contacts import keyed_tokens, refreshed
from operational.rules.full_thrust.engagement_documents import rebuilt
from operational.rules.full_thrust.movement import parse_flat_vector
from operational.rules.full_thrust.setup import check_damage, craft_of
from operational.rules.full_thrust.state import ACTIVE, Force, Ship, State
from operational.rules.full_thrust.switches import check_rulings

AMENDMENT_SCHEMA = forms.AMENDMENT_SCHEMA
MOST_LETTERS = 24

Outcome = tuple[State, tuple[Event, ...]]


def amend(state: State, document: Mapping[str, Any]) -> Outcome:
    """Make one change. Raises ProblemsError for a document of no known form, or a change that cannot be made."""
    try:
        act = forms.ADAPTER.validate_python(document)
    except ValidationError as error:
        raise ProblemsError(_placed(error)) from error
    after, events = _ACTS[act.act](state, act)
    after, seen = refreshed(after, state.turn, keyed_tokens(_key(state, act)))
    return after, (*events, *seen)


def _key(state: State, act: forms.Act) -> str:
    """Return what the ids of a change's contacts hang on: the change, which only the game master knows."""
    return canonical([state.turn, len(state.forces), act.model_dump(by_alias=True), sorted(state.ships)])


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


# Task forces -----------------------------------------------------------------------------------


def _force(state: State, force: str) -> Force:
    """Return a task force that may be changed."""
    found = state.forces.get(force)
    if found is None:
        raise refuse("unknown-force", "There is no such task force.", place="/force")
    if found.engaged:
        message = f"{found.name} is at the table; its report will say where it is."
        raise refuse("in-battle", message, place="/force", rule="table-phase")
    return found


def _system(state: State, key: str) -> str:
    if key not in [system.key for system in state.systems]:
        raise refuse("unknown-system", f"There is no map {key!r}.", place="/system")
    return key


def _told(force: Force, text: str, **data: Any) -> tuple[Event, ...]:
    """Return the event of a changed task force, for its own side."""
    return (Event("umpire-changed", f"By the umpire: {text}.", (force.side,), (), {"force": force.id, **data}),)


def _flat(vectors: Vectors) -> tuple[int, int]:
    flat, problems = parse_flat_vector(vectors, "/velocity", "vectors")
    if problems:
        raise ProblemsError(problems)
    step = to_axial(flat)
    return step.q, step.r


def _move_force(state: State, act: forms.MoveForce) -> Outcome:
    force = _force(state, act.force)
    system = force.system if act.system is None else _system(state, act.system)
    moved = replace(force, system=system, q=act.at.q, r=act.at.r, mq=0, mr=0)
    return state.with_forces(moved), _told(force, f"{force.name} is moved to {act.at.q}, {act.at.r}")


def _set_velocity(state: State, act: forms.SetVelocity) -> Outcome:
    force = _force(state, act.force)
    vq, vr = _flat(act.velocity)
    moved = replace(force, vq=vq, vr=vr)
    return state.with_forces(moved), _told(force, f"the vector of {force.name} is set", velocity=dict(act.velocity))


def _rename_force(state: State, act: forms.RenameForce) -> Outcome:
    force = _force(state, act.force)
    renamed = replace(force, name=act.name.strip())
    return state.with_forces(renamed), _told(force, f"{force.name} is called {renamed.name}")


def _add_force(state: State, act: forms.AddForce) -> Outcome:
    problems = _check_new_force(state, act)
    if problems:
        raise ProblemsError(problems)
    vq, vr = _flat(act.velocity)
    force = Force(
        id=act.id or _made_id(state, act),
        side=act.side,
        name=act.name.strip(),
        system=act.system,
        q=act.at.q,
        r=act.at.r,
        vq=vq,
        vr=vr,
        dummy=act.dummy,
        shown_thrust=act.thrust if act.dummy else 0,
    )
    state = state.with_forces(force).with_ships(*(replace(state.ships[ship], force=force.id) for ship in act.ships))
    return state, _told(force, f"{force.name} joins the campaign")


def _check_new_force(state: State, act: forms.AddForce) -> list[Problem]:
    """Return everything that is wrong with a task force to be added."""
    found = []
    if act.side not in state.books:
        found.append(Problem("/side", "unknown-side", "There is no such side."))
    if act.system not in [system.key for system in state.systems]:
        found.append(Problem("/system", "unknown-system", "There is no such map."))
    if act.id is not None and act.id in state.forces:
        found.append(Problem("/id", "used-twice", "There is a task force of that id."))
    found += parse_flat_vector(act.velocity, "/velocity", "vectors")[1]
    if act.dummy and act.ships:
        found.append(Problem("/ships", "dummy-with-ships", "A dummy has no ships.", "dummy-taskforces"))
    elif not act.dummy and not act.ships:
        message = "A task force has at least one ship; without one it is a dummy."
        found.append(Problem("/ships", "force-without-ships", message, "taskforces"))
    for number, identity in enumerate(act.ships):
        ship = state.ships.get(identity)
        place = pointer("ships", number)
        if ship is None or ship.side != act.side or ship.status != ACTIVE or ship.carrier:
            found.append(Problem(place, "unknown-ship", "That is no ship of this side in service."))
        elif ship.force or identity in act.ships[:number]:
            found.append(Problem(place, "used-twice", f"{ship.name} is with a task force already."))
    return found


def _made_id(state: State, act: forms.AddForce | forms.AddShip) -> str:
    """Return an id made from the change itself and the turn, so that it is the same whenever this is run."""
    tokens = keyed_tokens(_key(state, act))
    number = 0
    while (token := tokens(act.side, f"new {number}")) in {*state.forces, *state.ships}:
        number += 1
    return token


def _remove_force(state: State, act: forms.RemoveForce) -> Outcome:
    force = _force(state, act.force)
    ships = [replace(ship, force="") for ship in state.members.get(force.id, ())]
    return state.without_forces(force.id).with_ships(*ships), _told(force, f"{force.name} leaves the map")


# Ships -----------------------------------------------------------------------------------------


def _ship(state: State, identity: str) -> Ship:
    """Return a ship that may be changed."""
    ship = state.ships.get(identity)
    if ship is None:
        raise refuse("unknown-ship", "There is no such ship.", place="/ship")
    if is_at_the_table(state, ship):
        message = f"{ship.name} is at the table; her report will say how she is."
        raise refuse("in-battle", message, place="/ship", rule="table-phase")
    return ship


def is_at_the_table(state: State, ship: Ship) -> bool:
    """Return whether a ship, or the ship that carries it, is in a battle."""
    host = state.ships[ship.carrier].force if ship.carrier and not ship.force else ship.force
    return bool(host) and bool(state.forces[host].engaged)


def _told_of(ship: Ship, text: str, **data: Any) -> tuple[Event, ...]:
    return (Event("umpire-changed", f"By the umpire: {text}.", (ship.side,), (), {"ship": ship.id, **data}),)


def _rename_ship(state: State, act: forms.RenameShip) -> Outcome:
    ship = state.ships.get(act.ship)
    if ship is None:
        raise refuse("unknown-ship", "There is no such ship.", place="/ship")
    renamed = replace(ship, name=act.name.strip())
    state = state.with_ships(renamed)
    # An engagement that is being written in this turn goes out with the new name.
    meetings = tuple(
        rebuilt(state, each) if each.issued == state.turn and not each.closed else each for each in state.meetings
    )
    return replace(state, meetings=meetings), _told_of(ship, f"{ship.name} is called {renamed.name}")


def _add_ship(state: State, act: forms.AddShip) -> Outcome:
    problems = []
    if act.side not in state.books:
        problems.append(Problem("/side", "unknown-side", "There is no such side."))
    if act.ship_class not in state.classes or state.classes[act.ship_class].kind != "ship":
        problems.append(Problem("/class", "unknown-class", "The campaign has no such class of ships."))
    if act.id is not None and act.id in state.ships:
        problems.append(Problem("/id", "used-twice", "There is a ship of that id."))
    if act.force is not None:
        force = state.forces.get(act.force)
        if force is None or force.side != act.side or force.engaged or force.dummy:
            problems.append(Problem("/force", "unknown-force", "That is no task force of this side on the map."))
    if problems:
        raise ProblemsError(problems)
    ship = Ship(
        id=act.id or _made_id(state, act),
        side=act.side,
        name=act.name.strip(),
        ship_class=act.ship_class,
        force=act.force or "",
        status=ACTIVE,
        cost=state.classes[act.ship_class].points,
    )
    state = state.with_ships(ship, *craft_of(ship, state.classes))
    return state, _told_of(ship, f"{ship.name} joins the fleet")


def _transfer_ship(state: State, act: forms.TransferShip) -> Outcome:
    ship = _ship(state, act.ship)
    if ship.status != ACTIVE or ship.carrier:
        raise refuse("not-in-service", f"{ship.name} cannot be moved between task forces.", place="/ship")
    target = None if act.force is None else _force(state, act.force)
    if target is not None and target.side != ship.side:
        raise refuse("unknown-force", "That is no task force of this side.", place="/force")
    left = ship.force
    if left and len(state.members[left]) == 1 and (target is None or target.id != left):
        message = "It is the last ship there; remove the task force instead."
        raise refuse("force-without-ships", message, place="/ship", rule="taskforces")
    if target is not None and target.dummy:
        state = state.with_forces(replace(target, dummy=False, shown_thrust=0))
    state = state.with_ships(replace(ship, force="" if target is None else target.id))
    where = "is with no task force" if target is None else f"joins {target.name}"
    return _without_counter(state, ship), _told_of(ship, f"{ship.name} {where}")


def _without_counter(state: State, ship: Ship) -> State:
    """Return the state without the active sensor counter that a ship had in the force it leaves."""
    force = state.forces.get(ship.force)
    if force is None:
        return state
    return state.with_forces(replace(force, active=tuple(each for each in force.active if each != ship.id)))


def _set_damage(state: State, act: forms.SetDamage) -> Outcome:
    ship = _ship(state, act.ship)
    problems = list(check_damage(state.class_of(ship), act.damage, ""))
    if problems:
        raise ProblemsError(problems)
    damage = {track: lost for track, lost in {**ship.damage, **act.damage}.items() if lost}
    changed = state.with_ships(replace(ship, damage=damage))
    return changed, _told_of(ship, f"the damage of {ship.name} is set", damage=dict(act.damage))


def _set_status(state: State, act: forms.SetStatus) -> Outcome:
    ship = _ship(state, act.ship)
    told = _told_of(ship, f"{ship.name} is {act.status}", status=act.status)
    if act.status == ship.status:
        return state, told
    lost = act.status != ACTIVE
    aboard = state.aboard.get(ship.id, ()) if lost else ()
    state = state.with_ships(
        replace(ship, status=act.status, force="", cloaked=False),
        *(replace(craft, status=act.status) for craft in aboard),
    )
    state = _without_counter(state, ship)
    if lost and ship.force and ship.force not in state.members:
        state = state.without_forces(ship.force)
    return state, told


# The campaign ----------------------------------------------------------------------------------


def _set_dummies(state: State, act: forms.SetDummies) -> Outcome:
    book = state.books.get(act.side)
    if book is None:
        raise refuse("unknown-side", "There is no such side.", place="/side")
    text = f"By the umpire: we may have {act.dummies} dummies in play."
    event = Event("umpire-changed", text, (act.side,), ("dummy-taskforces",), {"dummies": act.dummies})
    return state.with_book(replace(book, dummies=act.dummies)), (event,)


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
    "rename-force": _rename_force,
    "rename-ship": _rename_ship,
    "add-force": _add_force,
    "remove-force": _remove_force,
    "add-ship": _add_ship,
    "transfer-ship": _transfer_ship,
    "set-damage": _set_damage,
    "set-status": _set_status,
    "set-dummies": _set_dummies,
    "set-ruling": _set_ruling,
    "add-note": _add_note,
    "release-engagement": _release,
}
