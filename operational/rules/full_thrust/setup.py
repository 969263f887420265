"""The state of turn 0, from the document in which a game master sets a campaign up.

``new_state`` reads the whole document, collects every problem with its place, and only then builds.
Places and velocities may be written as players write them, in vectors from the middle of the map ({"A": 6}).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from campaign.engine.clock import parse_instant
from campaign.engine.dice import canonical
from campaign.engine.errors import Problem, ProblemsError, pointer, stops
from campaign.engine.hexes import LETTERS, ORIGIN, Hex
from campaign.engine.procedure import problems_of
from campaign.engine.vectors import to_axial
from operational.rules.full_thrust.contacts import keyed_tokens, refreshed
from operational.rules.full_thrust.movement import parse_flat_vector
from operational.rules.full_thrust.preferences import check_preferences
from operational.rules.full_thrust.ship_class import ShipClass, check_class, load_classes
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import (
    ACTIVE,
    Body,
    Force,
    Ship,
    SideBook,
    StarSystem,
    State,
)
from operational.rules.full_thrust.switches import check_rulings
from operational.rules.full_thrust.tables import DIE_SIDES

MOST_DUMMIES = DIE_SIDES


class Part(BaseModel):
    """Base of the parts of a set-up: unknown fields and silent conversions are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SideSetup(Part):
    """A side."""

    key: str = Field(min_length=1, max_length=24)
    name: str = Field(min_length=1, max_length=80)
    dummies: int | None = Field(
        default=None, ge=0, le=MOST_DUMMIES, description="dummies in play at most; left out: rolled in the first turn"
    )
    preferences: dict[str, Any] = Field(default={}, description="standing choices, as on an order sheet")


class BodySetup(Part):
    """A planet, station or other thing that keeps its place."""

    id: str = Field(min_length=1, max_length=24)
    name: str = Field(min_length=1, max_length=80)
    kind: str = Field(min_length=1, max_length=24)
    q: int
    r: int
    z: Literal[0] = 0


class SystemSetup(Part):
    """A map of hexes of 55,000 km; ``star`` says what stands in the middle."""

    key: str = Field(min_length=1, max_length=24)
    name: str = Field(min_length=1, max_length=80)
    star: str = Field(default="", max_length=40)
    bodies: list[BodySetup] = []


class ShipSetup(Part):
    """A ship. Its class's craft come with it; their ids are the ship's with a number behind it."""

    id: str = Field(min_length=1, max_length=20)
    side: str
    name: str = Field(min_length=1, max_length=80)
    ship_class: str = Field(alias="class")
    cost: int | None = Field(default=None, ge=0, description="points; left out: the class's")
    damage: dict[str, int] = Field(default={}, description="track to boxes lost")


class ForceSetup(Part):
    """A task force: ships that move as one, or a dummy."""

    id: str = Field(min_length=1, max_length=24)
    side: str
    name: str = Field(min_length=1, max_length=80)
    system: str
    at: dict[str, Any] = Field(default={}, description="q and r, or vectors from the middle of the map")
    velocity: dict[str, Any] = Field(default={}, description="vectors in hexes a turn")
    ships: list[str] = []
    dummy: bool = False
    thrust: int = Field(default=4, ge=0, le=36, description="what a dummy manoeuvres with")


class Setup(Part):
    """A whole set-up."""

    epoch: str = Field(description="instant of turn 0, such as 2214-03-01T00:00")
    rulings: dict[str, str] = {}
    sides: list[SideSetup] = Field(min_length=2)
    systems: list[SystemSetup] = Field(min_length=1)
    classes: dict[str, dict[str, Any]] = {}
    ships: list[ShipSetup] = []
    forces: list[ForceSetup] = []


def new_state(document: Mapping[str, Any]) -> State:
    """Build the state of turn 0. Raises ProblemsError with every problem of the set-up."""
    try:
        setup = Setup.model_validate(document)
    except ValidationError as error:
        raise ProblemsError(problems_of(error)) from error
    check = _Check(setup)
    if check.problems:
        raise ProblemsError(check.problems)
    state = State(
        turn=0,
        epoch=setup.epoch,
        rulings=dict(setup.rulings),
        systems=tuple(_system(each) for each in setup.systems),
        classes=check.classes,
        forces={force.id: force for force in _forces(setup, check)},
        ships={ship.id: ship for ship in _ships(setup, check)},
        books={
            side.key: SideBook(side.key, side.name, dummies=side.dummies, preferences=dict(side.preferences))
            for side in setup.sides
        },
    )
    # Nobody has rolled yet. The whole set-up, which no side knows, is what the first contacts' ids hang on.
    return refreshed(state, 0, keyed_tokens(canonical(document)))[0]


def parse_hex(value: Mapping[str, Any], place: str) -> tuple[Hex, tuple[Problem, ...]]:
    """Return the hex in a document ({"q", "r"}, or vectors from the middle) and every problem of it."""
    if not value or set(value) <= set(LETTERS):
        vectors, problems = parse_flat_vector(value, place, "vectors")
        return to_axial(vectors), problems
    found = [
        Problem(place + pointer(key), "unknown-field", "A hex has q and r, or vectors from the middle of the map.")
        for key in value
        if key not in ("q", "r", "z")
    ]
    numbers = {}
    for key in ("q", "r", "z"):
        number = value.get(key, 0)
        if isinstance(number, bool) or not isinstance(number, int):
            found.append(Problem(place + pointer(key), "not-whole-number", "A hex is given in whole numbers."))
        else:
            numbers[key] = number
    if numbers.get("z"):
        found.append(Problem(place + "/z", "flat-map", "This map is flat: there is no up and no down.", "scales"))
    return (Hex(numbers["q"], numbers["r"]) if not found else ORIGIN), tuple(found)


def check_damage(ship_class: ShipClass, damage: Mapping[str, int], place: str) -> Iterator[Problem]:
    """Yield what is wrong with the boxes lost of a ship of a class."""
    tracks = ship_class.tracks
    for name, lost in damage.items():
        here = place + pointer("damage", name)
        if name not in tracks:
            yield Problem(here, "unknown-track", f"The {ship_class.name} class has no track {name!r}.")
        elif not 0 <= lost <= tracks[name]:
            yield Problem(here, "too-many-boxes", f"This track has {tracks[name]} boxes.")


class _Check:
    """Everything the set-up's parts say of each other, checked once; ``problems`` is what is wrong."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.problems: list[Problem] = []
        self.classes: dict[str, ShipClass] = {}
        self.sides = {side.key for side in setup.sides}
        self.ships = {ship.id: ship for ship in setup.ships}
        self.force_of: dict[str, str] = {}
        self.at: list[Hex] = []
        self.velocity: list[Hex] = []
        self._instant()
        self.problems += check_rulings(setup.rulings, "/rulings")
        self._systems()
        self._classes()
        self._ships()
        self._forces()
        self._sides()

    def _say(self, place: str, code: str, message: str, key: str = "") -> None:
        self.problems.append(Problem(place, code, message, key))

    def _instant(self) -> None:
        try:
            parse_instant(self.setup.epoch, place="/epoch", rule="scales")
        except ProblemsError as error:
            self.problems += error.problems

    def _twice(self, where: str, ids: Sequence[str], name: str = "id") -> None:
        seen: set[str] = set()
        for index, each in enumerate(ids):
            if each in seen:
                self._say(pointer(where, index, name), "used-twice", f"{each!r} is used twice.")
            seen.add(each)

    @rule("initiative", "dummy-taskforces")
    def _sides(self) -> None:
        setup = self.setup
        self._twice("sides", [side.key for side in setup.sides], "key")
        if len(setup.sides) != 2:
            self._say("/sides", "not-two-sides", "This map is for two sides, which take turns.", "initiative")
        for index, side in enumerate(setup.sides):
            place = pointer("sides", index)
            forces = [force.id for force in setup.forces if force.side == side.key]
            ships = [ship.id for ship in setup.ships if ship.side == side.key]
            self.problems += check_preferences(side.preferences, forces, ships, place + "/preferences")
            dummies = sum(force.dummy for force in setup.forces if force.side == side.key)
            most = MOST_DUMMIES if side.dummies is None else side.dummies
            if dummies > most:
                message = f"{side.name} starts with {dummies} dummies and may have {most}."
                self._say(place + "/dummies", "too-many-dummies", message, "dummy-taskforces")

    def _systems(self) -> None:
        self._twice("systems", [system.key for system in self.setup.systems], "key")
        self._twice("systems", [body.id for system in self.setup.systems for body in system.bodies], "bodies")

    def _classes(self) -> None:
        for key, document in self.setup.classes.items():
            place = pointer("classes", key)
            found = stops(check_class(document))
            self.problems += [Problem(place + each.place, each.code, each.message, each.rule) for each in found]
            if not found:
                self.classes.update({each.key: each for each in load_classes(document)})

    def _ships(self) -> None:
        self._twice("ships", [ship.id for ship in self.setup.ships])
        for index, ship in enumerate(self.setup.ships):
            place = pointer("ships", index)
            if ship.side not in self.sides:
                self._say(place + "/side", "unknown-side", f"{ship.side!r} is no side.")
            if ship.ship_class not in self.setup.classes:
                self._say(place + "/class", "unknown-class", f"There is no ship class {ship.ship_class!r}.")
            elif ship.ship_class in self.classes:
                self.problems += check_damage(self.classes[ship.ship_class], ship.damage, place)

    def _forces(self) -> None:
        self._twice("forces", [force.id for force in self.setup.forces])
        systems = {system.key for system in self.setup.systems}
        for index, force in enumerate(self.setup.forces):
            place = pointer("forces", index)
            if force.side not in self.sides:
                self._say(place + "/side", "unknown-side", f"{force.side!r} is no side.")
            if force.system not in systems:
                self._say(place + "/system", "unknown-system", f"{force.system!r} is no map of this set-up.")
            at, problems = parse_hex(force.at, place + "/at")
            velocity, wrong = parse_flat_vector(force.velocity, place + "/velocity", "vectors")
            self.problems += [*problems, *wrong]
            self.at.append(at)
            self.velocity.append(to_axial(velocity))
            self._members(force, place)

    def _members(self, force: ForceSetup, place: str) -> None:
        if force.dummy and force.ships:
            self._say(place + "/ships", "dummy-with-ships", "A dummy has no ships.", "dummy-taskforces")
        elif not force.dummy and not force.ships:
            message = "A task force has at least one ship; without one it is a dummy."
            self._say(place + "/ships", "force-without-ships", message, "taskforces")
        for number, ship in enumerate(force.ships):
            here = place + pointer("ships", number)
            known = self.ships.get(ship)
            if known is None or known.side != force.side:
                self._say(here, "unknown-ship", f"{ship!r} is no ship of this side.")
            elif ship in self.force_of:
                self._say(here, "used-twice", f"{known.name} is in two task forces.")
            else:
                self.force_of[ship] = force.id


def _system(system: SystemSetup) -> StarSystem:
    bodies = tuple(Body(each.id, each.name, each.kind, each.q, each.r) for each in system.bodies)
    return StarSystem(system.key, system.name, system.star, bodies)


def _forces(setup: Setup, check: _Check) -> Iterator[Force]:
    for force, at, velocity in zip(setup.forces, check.at, check.velocity, strict=True):
        yield Force(
            id=force.id,
            side=force.side,
            name=force.name,
            system=force.system,
            q=at.q,
            r=at.r,
            vq=velocity.q,
            vr=velocity.r,
            dummy=force.dummy,
            shown_thrust=force.thrust if force.dummy else 0,
        )


def _ships(setup: Setup, check: _Check) -> Iterator[Ship]:
    for ship in setup.ships:
        its_class = check.classes[ship.ship_class]
        made = Ship(
            id=ship.id,
            side=ship.side,
            name=ship.name,
            ship_class=ship.ship_class,
            force=check.force_of.get(ship.id, ""),
            status=ACTIVE,
            cost=its_class.points if ship.cost is None else ship.cost,
            damage={track: lost for track, lost in ship.damage.items() if lost},
        )
        yield made
        yield from craft_of(made, check.classes)


@rule("operations-phase")
def craft_of(ship: Ship, classes: Mapping[str, ShipClass]) -> Iterator[Ship]:
    """Yield the craft that a new ship has aboard: groups of fighters, small craft and ordnance of its class."""
    number = 0
    for carried in classes[ship.ship_class].craft:
        its_class = classes[carried.ship_class]
        for count in range(1, carried.count + 1):
            number += 1
            yield Ship(
                id=f"{ship.id}.{number}",
                side=ship.side,
                name=f"{ship.name} {its_class.name} {count}",
                ship_class=its_class.key,
                force="",
                status=ship.status,
                cost=its_class.points,
                carrier=ship.id,
            )
