"""Who moves with whom: forces split, merge, change flagships and names at the start of a turn (B5.12, B5.122)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from campaign.engine.dice import TurnDice
from campaign.engine.ruleset import Event
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.force_rows import NewForce, with_new, with_values
from operational.rules.saganami.forces import force_thrusts, leading_ship
from operational.rules.saganami.orders import Merge, Orders, Split
from operational.rules.saganami.state import GONE, Forces, State
from operational.rules.saganami.tokens import new_token

PHASE = "forces"


@rule("B5.12", "B5.122")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Carry out splits, then merges, then new flagships and names."""
    events: list[Event] = []
    for sheet in orders.values():
        for split in sheet.splits:
            state, event = _split(state, split, dice)
            events.append(event)
        for merge in sheet.merges:
            state, event = _merge(state, merge)
            events.append(event)
    state, renamed = _lead(state, orders)
    return state, (*events, *renamed)


def _split(state: State, split: Split, dice: TurnDice) -> tuple[State, Event]:
    """Take ships (or a dummy) out of a force; a new force gets its id from the umpire's stream."""
    forces, ships = state.forces, state.ships
    row = forces.index[split.force]
    names = ", ".join(ships.name[ships.index[ship]] for ship in split.ships)
    if split.into:
        into = forces.name[forces.index[split.into]]
        state = _with_ships(state, split.ships, split.into)
        text = f"{names} leaves {forces.name[row]} for {into}."
        return state, _event(state, row, "ships-transferred", text, {"into": split.into, "ships": list(split.ships)})
    token = new_token(dice.umpire(PHASE, split.force, "token"))
    name = split.name or f"{forces.name[row]} detachment"
    new = NewForce(token, row, name, split.ships[0] if split.ships else "", is_dummy=split.is_dummy)
    grown = with_new(forces, [new])
    if split.course:
        grown = replace(grown, course={**grown.course, token: split.course})
    if split.is_dummy:
        grown = _guised(state, grown, row, token)
    state = _with_ships(replace(state, forces=grown), split.ships, token)
    text = f"{name} leaves {forces.name[row]}" + (f" with {names}." if names else " as a dummy.")
    return state, _event(state, row, "force-split", text, {"new": token, "name": name, "ships": list(split.ships)})


def _guised(state: State, grown: Forces, row: int, token: str) -> Forces:
    """Return the forces with a new dummy looking like the force it left: its classes and its thrust."""
    ships = state.ships
    shown = tuple(ships.ship_class[each] for each in ships.of_force.get(state.forces.id[row], ()))
    return replace(
        grown,
        guise={**grown.guise, token: shown or state.forces.guise.get(state.forces.id[row], ())},
        pretends={**grown.pretends, token: int(force_thrusts(state)[row])},
    )


@rule("B5.12")
def _merge(state: State, merge: Merge) -> tuple[State, Event]:
    """Let forces join another: its place, vectors, half hexes and course stay; theirs are gone."""
    forces, ships = state.forces, state.ships
    into = forces.index[merge.into]
    rows = [forces.index[force] for force in merge.forces]
    moving = [ships.id[each] for force in merge.forces for each in ships.of_force.get(force, ())]
    names = ", ".join(forces.name[row] for row in rows)
    changed = with_values(
        forces,
        {
            "place": dict.fromkeys(rows, GONE),
            "flagship": dict.fromkeys(rows, ""),
            "dummy": dict.fromkeys(rows, False),
        },
    )
    gone = set(merge.forces)
    left: dict[str, Any] = {
        name: {force: value for force, value in getattr(changed, name).items() if force not in gone}
        for name in ("carry", "course", "raised", "pretends", "guise")
    }
    changed = replace(changed, **left)
    state = _with_ships(replace(state, forces=changed), moving, merge.into)
    data = {"into": merge.into, "forces": list(merge.forces), "ships": moving}
    return state, _event(state, into, "forces-merged", f"{names} joins {forces.name[into]}.", data)


def _lead(state: State, orders: Mapping[str, Orders]) -> tuple[State, list[Event]]:
    """Set new names and flagships; a force whose flagship left it is led by its first ship."""
    forces, ships = state.forces, state.ships
    names: dict[int, str] = {}
    flagships: dict[int, str] = {}
    events: list[Event] = []
    touched: set[str] = set()
    for sheet in orders.values():
        for split in sheet.splits:
            touched |= {split.force}
        for force, order in sheet.forces.items():
            row = forces.index.get(force)
            if row is None or int(forces.place[row]) == GONE:
                continue
            if order.name is not None and order.name != forces.name[row]:
                names[row] = order.name
                text = f"{forces.name[row]} is called {order.name} from now on."
                events.append(_event(state, row, "force-renamed", text, {"name": order.name}))
            if order.flagship is not None and order.flagship != forces.flagship[row]:
                flagships[row] = order.flagship
                text = f"{ships.name[ships.index[order.flagship]]} leads {order.name or forces.name[row]}."
                events.append(_event(state, row, "flagship-named", text, {"flagship": order.flagship}))
    for force in sorted(touched, key=forces.index.__getitem__):
        row = forces.index[force]
        leader = leading_ship(state, force)
        if row not in flagships and leader is not None and ships.id[leader] != forces.flagship[row]:
            flagships[row] = ships.id[leader]
    return replace(state, forces=with_values(forces, {"name": names, "flagship": flagships})), events


def _with_ships(state: State, moving: Iterable[str], force: str) -> State:
    leaving = set(moving)
    held = tuple(
        force if ship in leaving else before for ship, before in zip(state.ships.id, state.ships.force, strict=True)
    )
    return replace(state, ships=replace(state.ships, force=held))


def _event(state: State, row: int, kind: str, text: str, data: dict[str, Any]) -> Event:
    forces = state.forces
    return Event(kind, text, (forces.side[row],), ("B5.12",), {"force": forces.id[row], **data})
