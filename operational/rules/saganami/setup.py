"""The state of turn 0, from the document in which a game master sets a campaign up.

``new_state`` reads the whole document, collects every problem with its place, and only then builds.
Places and velocities may be written as players write them, in vectors from the star ({"A": 60, "+": 2}).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from campaign.engine.clock import parse_instant
from campaign.engine.errors import Problem, ProblemsError, pointer, stops
from campaign.engine.hexes import Hex
from campaign.engine.procedure import problems_of
from campaign.engine.vectors import parse_vectors, to_axial
from campaign.rulebooks.saganami.movement import OPERATIONAL_SPEED_LIMIT, is_within_speed_limit
from campaign.rulebooks.saganami.scales import hyper_limit
from campaign.rulebooks.saganami.ship_class import adjusted_cost, check_class, load_class
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from operational.rules.saganami.documents import POSTS
from operational.rules.saganami.preferences import check_preferences
from operational.rules.saganami.state import (
    ACTIVE,
    IN_HYPERSPACE,
    ON_MAP,
    WEDGE_DOWN,
    WEDGE_UP,
    Body,
    Forces,
    Grades,
    Ships,
    SideBook,
    StarSystem,
    State,
)
from operational.rules.saganami.switches import DUMMIES, check_rulings, ruling

Grade = Literal["poor", "average", "veteran", "elite"]
CLASS_POSTS: Mapping[str, str] = dict(zip(POSTS, ("TAC", "EWO", "ATO", "HELM", "ENG", "CREW"), strict=True))
"""Our name of a post to the code that a class's sheet gives it."""


class Part(BaseModel):
    """Base of the parts of a set-up: unknown fields and silent conversions are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SideSetup(Part):
    """A side."""

    key: str = Field(min_length=1, max_length=24)
    name: str = Field(min_length=1, max_length=80)
    allies: list[str] = Field(default=[], description="sides it does not fight")
    preferences: dict[str, Any] = Field(default={}, description="standing choices, as on an order sheet")


class BodySetup(Part):
    """A planet, station or other thing that keeps its place."""

    id: str = Field(min_length=1, max_length=24)
    name: str = Field(min_length=1, max_length=80)
    kind: str = Field(min_length=1, max_length=24)
    q: int
    r: int
    z: int = 0


class SystemSetup(Part):
    """A star system; the star stands in hex (0, 0) at altitude 0."""

    key: str = Field(min_length=1, max_length=24)
    name: str = Field(min_length=1, max_length=80)
    star: str = Field(description="spectral class, such as G2")
    hyper_limit: int | None = Field(default=None, ge=0, description="hexes; left out: by the star (B5.16)")
    defender: str | None = Field(default=None, description="the side at home here, which answers for arrivals (B5.162)")
    bodies: list[BodySetup] = []


class ShipSetup(Part):
    """A ship."""

    id: str = Field(min_length=1, max_length=24)
    side: str
    name: str = Field(min_length=1, max_length=80)
    ship_class: str = Field(alias="class")
    grades: dict[str, Grade] = Field(default={}, description="post to grade; a post left out is average")
    cost: int | None = Field(default=None, ge=0, description="points; left out: the class's with grades (D1.112)")
    drones: int | None = Field(default=None, ge=0, description="recon drones; left out: the class's")
    stores: dict[str, int] = Field(default={}, description="what differs from the class, such as pods")
    damage: dict[str, int] = Field(default={}, description="track to boxes lost")


class ForceSetup(Part):
    """A force: ships that move as one, or a dummy."""

    id: str = Field(min_length=1, max_length=24)
    side: str
    name: str = Field(min_length=1, max_length=80)
    system: str
    place: Literal["map", "hyperspace"] = "map"
    at: dict[str, Any] = Field(default={}, description="q, r and z, or vectors from the star")
    velocity: dict[str, Any] = Field(default={}, description="vectors in hexes a turn")
    wedge: Literal["up", "down"] = "up"
    ships: list[str] = []
    flagship: str | None = Field(default=None, description="left out: the first ship")
    course: list[dict[str, Any]] = Field(default=[], description="standing course: changes for the coming turns")
    dummy: bool = False
    thrust: int = Field(default=3, ge=0, le=20, description="the thrust rating that a dummy shows")
    guise: list[str] = Field(default=[], description="the ship classes whose wedges a dummy shows")


class Setup(Part):
    """A whole set-up."""

    epoch: str = Field(description="PD instant of turn 0, such as 1906-03-01T00:00")
    rulings: dict[str, str] = {}
    sides: list[SideSetup] = Field(min_length=1)
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
    return State(
        turn=0,
        epoch=setup.epoch,
        rulings=dict(setup.rulings),
        systems=tuple(check.systems),
        classes=check.classes,
        forces=_forces(setup, check),
        ships=_ships(setup, check),
        books={
            side.key: SideBook(
                side=side.key, name=side.name, preferences=dict(side.preferences), allies=tuple(side.allies)
            )
            for side in setup.sides
        },
    )


def parse_hex(value: Mapping[str, Any], place: str) -> tuple[Hex, tuple[Problem, ...]]:
    """Return the hex in a document ({"q", "r", "z"}, or vectors from the star) and every problem of it."""
    if not {"q", "r", "z"} & set(value):
        vectors, problems = parse_vectors(value, place)
        return to_axial(vectors), problems
    found = [
        Problem(place + pointer(key), "unknown-field", "A hex has q, r and z, or vectors from the star.")
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
    return (Hex(**numbers) if not found else Hex(0, 0, 0)), tuple(found)


class _Check:
    """Everything the set-up's parts say of each other, checked once; ``problems`` is what is wrong."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.problems: list[Problem] = []
        self.classes: dict[str, ShipClass] = {}
        self.systems: list[StarSystem] = []
        self.sides = {side.key for side in setup.sides}
        self.ships = {ship.id: ship for ship in setup.ships}
        self.force_of: dict[str, str] = {}
        self.at: list[Hex] = []
        self.velocity: list[Hex] = []
        self.course: list[tuple[dict[str, int], ...]] = []
        self._instant()
        self.problems += check_rulings(setup.rulings, "/rulings")
        self._sides()
        self._systems()
        self._classes()
        self._ships()
        self._forces()

    def _say(self, place: str, code: str, message: str, rule: str = "") -> None:
        self.problems.append(Problem(place, code, message, rule))

    def _instant(self) -> None:
        try:
            parse_instant(self.setup.epoch, place="/epoch", rule="B5.11")
        except ProblemsError as error:
            self.problems += error.problems

    def _twice(self, where: str, ids: Sequence[str], name: str = "id") -> None:
        seen: set[str] = set()
        for index, each in enumerate(ids):
            if each in seen:
                self._say(pointer(where, index, name), "used-twice", f"{each!r} is used twice.")
            seen.add(each)

    def _sides(self) -> None:
        self._twice("sides", [side.key for side in self.setup.sides], "key")
        bodies = {body.id for system in self.setup.systems for body in system.bodies}
        for index, side in enumerate(self.setup.sides):
            for number, ally in enumerate(side.allies):
                if ally not in self.sides or ally == side.key:
                    place = pointer("sides", index, "allies", number)
                    self._say(place, "unknown-side", f"{ally!r} is no other side.")
            self.problems += check_preferences(side.preferences, bodies, pointer("sides", index, "preferences"))

    def _systems(self) -> None:
        self._twice("systems", [system.key for system in self.setup.systems], "key")
        self._twice("systems", [body.id for system in self.setup.systems for body in system.bodies], "bodies")
        for index, system in enumerate(self.setup.systems):
            limit = system.hyper_limit
            if limit is None:
                try:
                    limit = hyper_limit(system.star, pointer("systems", index, "star"))[1]
                except ProblemsError as error:
                    self.problems += error.problems
            if system.defender is not None and system.defender not in self.sides:
                place = pointer("systems", index, "defender")
                self._say(place, "unknown-side", f"{system.defender!r} is no side.")
            bodies = tuple(Body(**body.model_dump()) for body in system.bodies)
            self.systems.append(
                StarSystem(system.key, system.name, system.star, limit or 0, bodies, system.defender or "")
            )

    def _classes(self) -> None:
        for key, document in self.setup.classes.items():
            place = pointer("classes", key)
            found = check_class(document)
            self.problems += [Problem(place + each.place, each.code, each.message, each.rule) for each in stops(found)]
            if not stops(found):
                self.classes[key] = load_class(document)

    def _ships(self) -> None:
        self._twice("ships", [ship.id for ship in self.setup.ships])
        for index, ship in enumerate(self.setup.ships):
            place = pointer("ships", index)
            if ship.side not in self.sides:
                self._say(place + "/side", "unknown-side", f"{ship.side!r} is no side.")
            for post in ship.grades:
                if post not in POSTS:
                    message = f"{post!r} is no post; there are {', '.join(POSTS)}."
                    self._say(place + pointer("grades", post), "unknown-post", message, "D1.11")
            if ship.ship_class not in self.setup.classes:
                self._say(place + "/class", "unknown-class", f"There is no ship class {ship.ship_class!r}.")
            elif ship.ship_class in self.classes:
                self.problems += check_condition(self.classes[ship.ship_class], ship.damage, ship.stores, place)

    def _forces(self) -> None:
        self._twice("forces", [force.id for force in self.setup.forces])
        systems = {system.key for system in self.setup.systems}
        for index, force in enumerate(self.setup.forces):
            place = pointer("forces", index)
            if force.side not in self.sides:
                self._say(place + "/side", "unknown-side", f"{force.side!r} is no side.")
            if force.system not in systems:
                self._say(place + "/system", "unknown-system", f"{force.system!r} is no system of this set-up.")
            self._position(force, place)
            self._members(force, place)

    def _position(self, force: ForceSetup, place: str) -> None:
        at, problems = parse_hex(force.at, place + "/at")
        velocity, wrong = parse_vectors(force.velocity, place + "/velocity")
        self.problems += [*problems, *wrong]
        if not wrong and not is_within_speed_limit(velocity):
            message = f"No force is faster than {OPERATIONAL_SPEED_LIMIT} hexes a turn."
            self._say(place + "/velocity", "too-fast", message, "B5.123")
        steps = []
        for number, step in enumerate(force.course):
            found, bad = parse_vectors(step, place + pointer("course", number))
            self.problems += bad
            steps.append(found)
        self.at.append(at)
        self.velocity.append(to_axial(velocity))
        self.course.append(tuple(steps))

    def _members(self, force: ForceSetup, place: str) -> None:
        if force.dummy:
            if ruling(self.setup.rulings, DUMMIES) == "none":
                self._say(place + "/dummy", "no-dummies", "This campaign plays without dummies.")
            if force.place == "hyperspace":
                self._say(place + "/place", "dummy-in-hyperspace", "A dummy is never in hyperspace.")
            if force.ships:
                self._say(place + "/ships", "dummy-with-ships", "A dummy has no ships.")
        elif not force.ships:
            self._say(place + "/ships", "no-ships", "A force has ships, or is a dummy.")
        for number, ship in enumerate(force.ships):
            here = place + pointer("ships", number)
            known = self.ships.get(ship)
            if known is None or known.side != force.side:
                self._say(here, "unknown-ship", f"{ship!r} is no ship of this side.")
            elif ship in self.force_of:
                self._say(here, "used-twice", f"{known.name} is in two forces.")
            else:
                self.force_of[ship] = force.id
        for number, key in enumerate(force.guise):
            if key not in self.setup.classes:
                self._say(place + pointer("guise", number), "unknown-class", f"There is no ship class {key!r}.")
        if force.flagship is not None and force.flagship not in force.ships:
            self._say(place + "/flagship", "unknown-ship", "The flagship is a ship of the force.", "B5.122")


def check_condition(
    ship_class: ShipClass, damage: Mapping[str, int], stores: Mapping[str, int], place: str
) -> Iterator[Problem]:
    """Yield what is wrong with a ship's damage and stores for its class."""
    for name, lost in damage.items():
        track = ship_class.track(name)
        here = place + pointer("damage", name)
        if track is None:
            yield Problem(here, "unknown-track", f"The {ship_class.name} class has no track {name!r}.", "A2.67")
        elif not 0 <= lost <= len(track.boxes):
            yield Problem(here, "too-many-boxes", f"This track has {len(track.boxes)} boxes.", "A2.67")
    for name, left in stores.items():
        if left < 0:
            yield Problem(place + pointer("stores", name), "negative", "Stores are never below 0.")


def _forces(setup: Setup, check: _Check) -> Forces:
    system_index = {system.key: index for index, system in enumerate(setup.systems)}
    forces = setup.forces
    count = len(forces)
    on_map = [force.place == "map" for force in forces]
    still: dict[str, Any] = {name: np.zeros(count, dtype=np.int64) for name in ("dq", "dr", "dz", "mq", "mr", "mz")}

    def column(values: Sequence[int]) -> Any:
        return np.array(values, dtype=np.int64)

    return Forces(
        id=tuple(force.id for force in forces),
        side=tuple(force.side for force in forces),
        name=tuple(force.name for force in forces),
        system=column([system_index[force.system] for force in forces]),
        place=column([ON_MAP if each else IN_HYPERSPACE for each in on_map]),
        q=column([at.q if there else 0 for at, there in zip(check.at, on_map, strict=True)]),
        r=column([at.r if there else 0 for at, there in zip(check.at, on_map, strict=True)]),
        z=column([at.z if there else 0 for at, there in zip(check.at, on_map, strict=True)]),
        vq=column([velocity.q for velocity in check.velocity]),
        vr=column([velocity.r for velocity in check.velocity]),
        vz=column([velocity.z for velocity in check.velocity]),
        **still,
        wedge=column([WEDGE_UP if force.wedge == "up" else WEDGE_DOWN for force in forces]),
        dummy=np.array([force.dummy for force in forces], dtype=np.bool_),
        flagship=tuple(force.flagship or (force.ships[0] if force.ships else "") for force in forces),
        engaged=("",) * count,
        course={force.id: steps for force, steps in zip(forces, check.course, strict=True) if steps},
        pretends={force.id: force.thrust for force in forces if force.dummy},
        guise={force.id: tuple(force.guise) for force in forces if force.dummy and force.guise},
    )


def _ships(setup: Setup, check: _Check) -> Ships:
    ships = setup.ships
    classes = [check.classes[ship.ship_class] for ship in ships]
    return Ships(
        id=tuple(ship.id for ship in ships),
        side=tuple(ship.side for ship in ships),
        name=tuple(ship.name for ship in ships),
        ship_class=tuple(ship.ship_class for ship in ships),
        force=tuple(check.force_of.get(ship.id, "") for ship in ships),
        status=(ACTIVE,) * len(ships),
        cost=np.array([_cost(ship, its) for ship, its in zip(ships, classes, strict=True)], dtype=np.int64),
        grades=tuple(Grades(**ship.grades) for ship in ships),
        drones=np.array(
            [
                its.recon_drones if ship.drones is None else ship.drones
                for ship, its in zip(ships, classes, strict=True)
            ],
            dtype=np.int64,
        ),
        damage={ship.id: lost for ship in ships if (lost := {name: n for name, n in ship.damage.items() if n})},
        stores={ship.id: dict(ship.stores) for ship in ships if ship.stores},
    )


def _cost(ship: ShipSetup, ship_class: ShipClass) -> int:
    if ship.cost is not None:
        return ship.cost
    return adjusted_cost(ship_class, {CLASS_POSTS[post]: grade for post, grade in ship.grades.items()})
