"""The operations phase: craft launched and recovered, task forces split and merged, cloaks; both sides at once.

Within a sheet the order is: recoveries, launches, splits, merges, cloaks. What a sheet asks for and the
turn no longer allows is dropped, with a word to its side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from campaign.engine.dice import TurnDice
from campaign.engine.ruleset import Event
from campaign.engine.vectors import Vectors, from_axial
from operational.rules.full_thrust.contacts import with_cloaked
from operational.rules.full_thrust.dummies import check_split_off
from operational.rules.full_thrust.forces import force_thrust
from operational.rules.full_thrust.orders import ForceOrder, Launch, Merge, Orders, Recovery, Split
from operational.rules.full_thrust.ship_class import can_cloak
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import ACTIVE, Force, Ship, State
from operational.rules.full_thrust.taskforces import Marker, check_merge, check_split
from operational.rules.full_thrust.tokens import new_token

PHASE = "operations"


@rule("operations-phase", "merge-split", "dummy-taskforces")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Carry out both sides' operations; nothing that one side does here hangs on the other."""
    phase = _Phase(state, dice)
    for side in state.books:
        sheet = orders.get(side)
        if sheet is not None:
            phase.play(sheet)
    return phase.state, tuple(phase.events)


class _Phase:
    """One operations phase while it is played."""

    def __init__(self, state: State, dice: TurnDice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    def play(self, sheet: Orders) -> None:
        """Carry out one side's sheet."""
        for recovery in sheet.recoveries:
            self._recover(sheet.side, recovery)
        for number, launch in enumerate(sheet.launches):
            self._launch(sheet.side, launch, f"launch-{number}")
        for number, split in enumerate(sheet.splits):
            self._split(sheet.side, split, f"split-{number}")
        for merge in sheet.merges:
            self._merge(sheet.side, merge)
        for ship in sheet.cloaking.cloak:
            self._cloak(sheet.side, ship)
        for ship in sheet.cloaking.decloak:
            self._decloak(sheet.side, ship)
        for force, order in sheet.forces.items():
            self._rename(sheet.side, force, order)

    def _tell(self, kind: str, text: str, side: str, key: str, **data: object) -> None:
        self.events.append(Event(kind, text, (side,), ("operations-phase", key), data))

    def _dropped(self, side: str, text: str, key: str) -> None:
        self._tell("operation-dropped", text, side, key)

    def _own(self, side: str, force: str) -> Force | None:
        """Return an own force that may operate."""
        found = self.state.forces.get(force)
        return found if found is not None and found.side == side and not found.engaged else None

    def _ship(self, side: str, ship: str) -> Ship | None:
        found = self.state.ships.get(ship)
        return found if found is not None and found.side == side and found.status == ACTIVE else None

    def _recover(self, side: str, order: Recovery) -> None:
        carrier = self._ship(side, order.ship)
        host = self._own(side, carrier.force) if carrier else None
        if carrier is None or host is None:
            self._dropped(side, "No ship is there to take the craft aboard.", "merge-split")
            return
        taken: list[Ship] = []
        room = room_for_craft(self.state, carrier)
        for identity in order.craft:
            craft = self._ship(side, identity)
            force = self._own(side, craft.force) if craft and craft.carrier else None
            if craft is None or force is None or not is_together(force, host):
                self._dropped(side, f"{carrier.name} cannot take a craft aboard: not in its hex.", "merge-split")
                continue
            if len(taken) >= room:
                self._dropped(side, f"{carrier.name} has no room for {craft.name}.", "operations-phase")
                continue
            taken.append(replace(craft, force="", carrier=carrier.id))
        self.state = self.state.with_ships(*taken)
        if taken:
            self._tell(
                "craft-recovered", f"{carrier.name} takes {named(taken)} aboard.", side, "operations-phase",
                ship=carrier.id, craft=[each.id for each in taken],
            )  # fmt: skip
        self._close_empty(side)

    def _launch(self, side: str, order: Launch, key: str) -> None:
        carrier = self._ship(side, order.ship)
        host = self._own(side, carrier.force) if carrier else None
        aboard = {craft.id: craft for craft in self.state.aboard.get(order.ship, ())}
        craft = [aboard[identity] for identity in order.craft if identity in aboard]
        if carrier is None or host is None or not craft:
            self._dropped(side, "There is nothing to launch.", "operations-phase")
            return
        name = order.name or f"{carrier.name}'s {self.state.class_of(craft[0]).name}"
        strike = self._new_force(host, name, key)
        self.state = self.state.with_forces(strike).with_ships(*(replace(each, force=strike.id) for each in craft))
        self._underway(strike, order.thrust)
        self._tell(
            "craft-launched", f"{carrier.name} launches {named(craft)} as {name}.", side, "operations-phase",
            ship=carrier.id, force=strike.id, craft=[each.id for each in craft],
        )  # fmt: skip

    def _new_force(self, parent: Force, name: str, key: str) -> Force:
        """Return a force that leaves ``parent``: in its hex, with its vector."""
        token = new_token(self.dice.umpire(PHASE, f"{parent.side}/{key}", "token"))
        return Force(
            id=token,
            side=parent.side,
            name=name,
            system=parent.system,
            q=parent.q,
            r=parent.r,
            vq=parent.vq,
            vr=parent.vr,
            marker=parent.marker,
            used=parent.used,
        )

    def _underway(self, force: Force, thrust: Vectors | None) -> None:
        """Keep a new force's thrust for the movement phase."""
        if thrust:
            self.state = replace(self.state, underway={**self.state.underway, force.id: thrust})

    @rule("merge-split", "dummy-taskforces")
    def _split(self, side: str, order: Split, key: str) -> None:
        parent = self._own(side, order.force)
        if parent is None:
            self._dropped(side, "The task force that was to split is not there.", "merge-split")
            return
        if order.is_dummy:
            self._split_dummy(side, parent, order, key)
            return
        members = {ship.id: ship for ship in self.state.members.get(parent.id, ())}
        leaving = [ship for ship in order.ships if ship in members]
        staying = [ship for ship in members if ship not in leaving]
        problems = check_split(list(members), [staying, leaving])
        if problems:
            self._dropped(side, f"{parent.name} cannot split: {problems[0].message}", "merge-split")
            return
        name = order.name or f"{parent.name} detachment"
        new = replace(
            self._new_force(parent, name, key), active=tuple(ship for ship in parent.active if ship in leaving)
        )
        rest = replace(parent, active=tuple(ship for ship in parent.active if ship in staying))
        ships = [replace(members[ship], force=new.id) for ship in leaving]
        self.state = self.state.with_forces(rest, new).with_ships(*ships)
        self._underway(new, order.thrust)
        text = f"{named(ships)} leave {parent.name} as {name}."
        self._tell("force-split", text, side, "merge-split", force=parent.id, new=new.id, ships=leaving)

    def _split_dummy(self, side: str, parent: Force, order: Split, key: str) -> None:
        book = self.state.books[side]
        in_play = sum(force.dummy for force in self.state.forces_of(side))
        problems = check_split_off(in_play, book.dummies or 0)
        if problems:
            self._dropped(side, problems[0].message, "dummy-taskforces")
            return
        name = order.name or f"{parent.name} decoy"
        thrust = force_thrust(self.state, parent)
        dummy = replace(self._new_force(parent, name, key), dummy=True, shown_thrust=thrust)
        self.state = self.state.with_forces(dummy)
        self._underway(dummy, order.thrust)
        text = f"A dummy leaves {parent.name} as {name}."
        self._tell("dummy-split-off", text, side, "dummy-taskforces", force=parent.id, new=dummy.id)

    @rule("merge-split")
    def _merge(self, side: str, order: Merge) -> None:
        into = self._own(side, order.into)
        joining = [force for each in order.forces if (force := self._own(side, each)) is not None]
        if into is None or not joining:
            self._dropped(side, "The task forces that were to merge are not there.", "merge-split")
            return
        problems = check_merge([marker_of(force) for force in (into, *joining)])
        if problems or any(force.system != into.system for force in joining):
            message = problems[0].message if problems else "They are on different maps."
            self._dropped(side, f"{into.name} cannot be joined: {message}", "merge-split")
            return
        ships = [replace(ship, force=into.id) for force in joining for ship in self.state.members.get(force.id, ())]
        merged = replace(
            into,
            active=(*into.active, *(ship for force in joining for ship in force.active)),
            dummy=into.dummy and all(force.dummy for force in joining),
        )
        gone = [force.id for force in joining]
        # who held a lock on a ship that joins sees it in the other marker, and these markers leave the map
        self.state = self.state.with_forces(merged).with_ships(*ships).without_forces(*gone)
        names = ", ".join(force.name for force in joining)
        self._tell("forces-merged", f"{names} join {into.name}.", side, "merge-split", into=into.id, forces=gone)

    def _close_empty(self, side: str) -> None:
        """Take markers off the map whose last craft went aboard."""
        members = self.state.members
        empty = [force.id for force in self.state.forces_of(side) if not force.dummy and force.id not in members]
        if empty:
            self.state = self.state.without_forces(*empty)

    @rule("cloaking")
    def _cloak(self, side: str, identity: str) -> None:
        ship = self._ship(side, identity)
        if ship is None or ship.cloaked or not can_cloak(self.state.class_of(ship), ship.damage):
            return
        self.state = with_cloaked(self.state, identity)
        force = self.state.forces.get(ship.force)
        if force is not None:
            active = tuple(each for each in force.active if each != identity)
            self.state = self.state.with_forces(replace(force, active=active))
        self._tell("ship-cloaked", f"{ship.name} cloaks; all sensor locks are lost.", side, "cloaking", ship=identity)

    @rule("cloaking")
    def _decloak(self, side: str, identity: str) -> None:
        ship = self._ship(side, identity)
        if ship is not None and ship.cloaked:
            self.state = self.state.with_ships(replace(ship, cloaked=False))
            self._tell("ship-decloaked", f"{ship.name} decloaks.", side, "cloaking", ship=identity)

    def _rename(self, side: str, identity: str, order: ForceOrder) -> None:
        force = self._own(side, identity)
        if force is not None and order.name is not None and order.name != force.name:
            self.state = self.state.with_forces(replace(force, name=order.name))


def room_for_craft(state: State, carrier: Ship) -> int:
    """Return how many more craft a ship can take aboard: as many as its class carries."""
    carried = sum(each.count for each in state.class_of(carrier).craft)
    return carried - len(state.aboard.get(carrier.id, ()))


def is_together(one: Force, other: Force) -> bool:
    """Return whether two forces are in one hex of one map with one vector."""
    return (one.system, one.q, one.r, one.vq, one.vr) == (other.system, other.q, other.r, other.vq, other.vr)


def marker_of(force: Force) -> Marker:
    """Return a force as merging looks at it."""
    return Marker(force.side, force.hex, from_axial(force.vq, force.vr))


def named(ships: Sequence[Ship]) -> str:
    """Return ships' names in a row."""
    return ", ".join(ship.name for ship in ships)
