"""Battles that nobody handed over: the simple set-up, and scenarios with their own ship lists (D2.1).

A scenario is a document::

    {"kind": "simple", "battle": "...", "title": "...", "map": "large", "high_side": "green",
     "sides": {"red": {"name": "Reds", "corner": 0, "ships": [{"id", "name", "class", "grades", ...}]}}, ...}

A simple one puts the forces near opposite corners of the map; a "historical" one says of each ship where
it is ("place": [q, r, z]), how it moves ("vectors") and in what condition it begins ("lost": boxes by track).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.engine.hexes import Hex, distance_in_plane
from campaign.engine.procedure import problems_of
from campaign.engine.vector_input import VectorsInput
from campaign.rulebooks.saganami.grades import GRADES, load_grades
from campaign.rulebooks.saganami.movement import TACTICAL_SPEED_LIMIT, is_within_speed_limit
from campaign.rulebooks.saganami.options import MARK_12, pod_cost
from campaign.rulebooks.saganami.ship_class import adjusted_cost
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.attitude import read_attitude
from tactical.rules.saganami.documents import sheet_of
from tactical.rules.saganami.muster import (
    CANISTER,
    PODS,
    berth,
    mark_bodies,
    name_for_others,
    pods_to_tow,
    take_in_tow,
)
from tactical.rules.saganami.sheet import Sheet
from tactical.rules.saganami.state import Ship, Side, State
from tactical.rules.saganami.switches import check_rulings

FROM_CORNER = 5  # D2.12: hexes from the corner within which a force starts, and its fastest vectors
# D2.12: hexes between opposite corners of two sheets laid long edge to long edge (not printed; by the size of
# the hexes on a sheet), and the altitude of the higher side.
SIMPLE_MAPS: Final[Mapping[str, tuple[int, int]]] = {"large": (38, 12), "small": (70, 20)}


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class FacingInput(_Part):
    """An attitude: the window of the nose, and the roll in steps of 30 degrees."""

    forward: str
    roll: int = 0


class ScenarioShip(_Part):
    """A ship of a scenario; a "craft" number leaves the rest of a squadron at home (C7.111)."""

    id: str = Field(min_length=1)
    name: str
    ship_class: str = Field(alias="class")
    force: str = ""
    grades: dict[str, str] = {}
    cost: int | None = Field(default=None, ge=0)
    place: list[int] | None = Field(default=None, min_length=3, max_length=3)
    vectors: VectorsInput = {}
    facing: FacingInput | None = None
    lost: dict[str, int] = {}
    pods: int = Field(default=0, ge=0)
    tow: int | None = Field(default=None, ge=0)
    canister: dict[str, int] = {}
    craft: int | None = Field(default=None, ge=1, le=10)
    wedge: Literal["up", "down"] = "up"
    arrives: int = Field(default=0, ge=0)


class ScenarioSide(_Part):
    """A side of a scenario; ``corner`` is the end of the map it starts from in a simple set-up."""

    name: str
    allies: list[str] = []
    corner: Literal[0, 1] = 0
    options_cost: int = Field(default=0, ge=0)
    ships: list[ScenarioShip] = Field(min_length=1)


class ScenarioObjective(_Part):
    """An objective that a side has met, and its bonus (D2.222)."""

    side: str
    points: int = Field(ge=0)
    text: str


class Scenario(_Part):
    """A scenario's set-up."""

    kind: Literal["simple", "historical"]
    battle: str = Field(min_length=1)
    title: str = ""
    map: Literal["large", "small"] = "large"
    high_side: str = ""
    frame: VectorsInput = {}
    time_limit: int | None = Field(default=None, ge=1)
    rulings: dict[str, str] = {}
    objectives: list[ScenarioObjective] = []
    sides: dict[str, ScenarioSide] = Field(min_length=2)


@rule("D2.12", "D2.14", "D2.222", "A2.65", "C7.111", "C8.12")
def new_battle(document: Any, classes: Mapping[str, Mapping[str, Any]]) -> State:
    """Return the battle of a scenario. Raises ProblemsError with every problem of it."""
    try:
        scenario = Scenario.model_validate(document)
    except ValidationError as error:
        raise ProblemsError(problems_of(error)) from error
    problems = list(check_rulings(scenario.rulings))
    sheets: dict[str, Sheet] = {}
    for side, index, ship in _ships(scenario):
        if ship.ship_class not in classes:
            place = pointer("sides", side, "ships", index, "class")
            problems.append(Problem(place, "class-missing", f"There is no sheet of the class {ship.ship_class!r}."))
        else:
            sheets.setdefault(ship.ship_class, sheet_of(ship.ship_class, classes[ship.ship_class]))
    problems += _check(scenario, sheets)
    if problems:
        raise ProblemsError(problems)
    ships: list[Ship] = []
    taken: list[Hex] = []
    for side, _, stated in _ships(scenario):
        made = _ship(side, stated, sheets[stated.ship_class])
        base = _base(scenario, side) if stated.place is None else Hex(*stated.place)
        made.berth = berth(base, taken) if not stated.arrives else Hex(0, 0, 0)
        made.place = base.moved(*made.berth)
        if not stated.arrives:
            taken.append(made.place)
        ships.append(made)
    name_for_others(ships)
    return State(
        battle=scenario.battle,
        title=scenario.title or "Scenario",
        sides={
            key: Side(side.name, tuple(side.allies), side.options_cost) for key, side in sorted(scenario.sides.items())
        },
        ships=ships,
        classes={key: dict(classes[key]) for key in sorted(sheets)},
        sheets={key: sheets[key] for key in sorted(sheets)},
        rulings=dict(scenario.rulings),
        frame=dict(scenario.frame),
        time_limit=scenario.time_limit,
        objectives=[each.model_dump() for each in scenario.objectives],
        stage="movement" if all(ship.attitude for ship in ships if not ship.arrives) else "facing",
    )


def _ships(scenario: Scenario) -> list[tuple[str, int, ScenarioShip]]:
    return [(key, index, ship) for key, side in sorted(scenario.sides.items()) for index, ship in enumerate(side.ships)]


def _base(scenario: Scenario, side: str) -> Hex:
    """Return the corner at which a side starts: 0 is the map's middle hex, 1 lies as far off as corners do."""
    distance, altitude = SIMPLE_MAPS[scenario.map]
    height = altitude if scenario.high_side == side else 0
    return Hex(0, distance if scenario.sides[side].corner else 0, height)


def _check(scenario: Scenario, sheets: Mapping[str, Sheet]) -> list[Problem]:
    problems: list[Problem] = []
    seen: list[str] = []
    for side, index, ship in _ships(scenario):
        place = pointer("sides", side, "ships", index)
        if ship.id in seen:
            problems.append(Problem(place + "/id", "same-ship-twice", "Each ship has an id of its own.", "D2.12"))
        seen.append(ship.id)
        problems += _check_start(scenario, side, ship, place)
        if ship.ship_class in sheets:
            problems += _check_condition(ship, sheets[ship.ship_class], place)
    for index, each in enumerate(scenario.objectives):
        if each.side not in scenario.sides:
            problems.append(Problem(pointer("objectives", index, "side"), "unknown-side", "No such side.", "D2.222"))
    return problems


@rule("B5.123", "D2.12", "D2.14")
def _check_start(scenario: Scenario, side: str, ship: ScenarioShip, at: str) -> list[Problem]:
    """Return what is wrong with where a ship begins, how it faces and how fast it moves."""
    problems: list[Problem] = []
    if ship.facing is not None:
        try:
            read_attitude(ship.facing.forward, ship.facing.roll, at + "/facing")
        except ProblemsError as error:
            problems += error.problems
    if not is_within_speed_limit(ship.vectors, TACTICAL_SPEED_LIMIT):
        message = f"No ship is faster than {TACTICAL_SPEED_LIMIT}."
        problems.append(Problem(at + "/vectors", "too-fast", message, "B5.123"))
    if scenario.kind == "historical":
        if ship.place is None:
            message = "A historical scenario says where each ship begins."
            problems.append(Problem(at + "/place", "no-place", message, "D2.14"))
        return problems
    if max(ship.vectors.values(), default=0) > FROM_CORNER:
        message = f"Vectors of up to {FROM_CORNER} hexes are allowed."
        problems.append(Problem(at + "/vectors", "too-fast", message, "D2.12"))
    if ship.place is not None:
        step = Hex(*ship.place).less(_base(scenario, side))
        if distance_in_plane(step.q, step.r) > FROM_CORNER or step.z:
            message = f"Ships start within {FROM_CORNER} hexes of their corner."
            problems.append(Problem(at + "/place", "not-at-corner", message, "D2.12"))
    return problems


@rule("C7.111", "D1.11", "D2.14")
def _check_condition(ship: ScenarioShip, sheet: Sheet, at: str) -> list[Problem]:
    """Return what is wrong with a ship's grades, its damage, and the craft of a squadron."""
    problems: list[Problem] = []
    try:
        load_grades(ship.grades, place=at + "/grades")
    except ProblemsError as error:
        problems += error.problems
    for track, lost in ship.lost.items():
        if not 0 <= lost <= sheet.size.get(track, -1):
            message = f"{track} has {sheet.size.get(track, 0)} boxes."
            problems.append(Problem(at + pointer("lost", track), "too-many-boxes", message, "D2.14"))
    if ship.craft is not None and ship.craft > len(sheet.craft):
        message = f"The squadron has {len(sheet.craft)} LACs."
        problems.append(Problem(at + "/craft", "too-many-craft", message, "C7.111"))
    return problems


def _ship(side: str, stated: ScenarioShip, sheet: Sheet) -> Ship:
    grades = load_grades(stated.grades)
    gone = {track: lost for track, lost in stated.lost.items() if lost}
    cost = adjusted_cost(sheet.ship_class, {} if sheet.is_lac else grades.by_post())
    if stated.craft is not None:
        unused = sheet.craft[stated.craft :]
        gone |= {track: size for track, size in sheet.size.items() if track.partition(".")[0] in unused}
        # A squadron of fewer craft is paid for by the craft, rounded up.
        cost = -(-cost * stated.craft // len(sheet.craft))
    pods = stated.pods or (0 if sheet.ship_class.pods is None else sheet.ship_class.pods.carried)
    facing = stated.facing
    ship_class = sheet.ship_class
    ship = Ship(
        id=stated.id,
        name=stated.name,
        seen_name="",
        side=side,
        force=stated.force or side,
        sheet=sheet,
        cost=cost if stated.cost is None else stated.cost,
        crew={"officers": ship_class.officers, "enlisted": ship_class.enlisted, "marines": ship_class.marines},
        stores={},
        grades=grades,
        place=Hex(0, 0, 0),
        vectors=dict(stated.vectors),
        attitude=None if facing is None else read_attitude(facing.forward, facing.roll),
        arrives=stated.arrives,
        wedge_up=stated.wedge == "up",
        gone=gone,
        canister=dict(stated.canister),
        pods_aboard=pods,
        pod_cost=_pods_cost(stated.pods, grades.tactical),
        came=dict(gone),
        brought={
            **({PODS: pods} if pods else {}),
            **{f"{CANISTER}{mount}": count for mount, count in stated.canister.items()},
        },
        came_grades=grades,
    )
    mark_bodies(ship)
    take_in_tow(ship, pods_to_tow(ship) if stated.tow is None else min(stated.tow, pods))
    return ship


@rule("C8.11", "C8.111", "C8.12")
def _pods_cost(pods: int, tactical: str) -> int:
    """Return what bought pods cost: a card for every twelve, and one for the rest. A pod-layer's own cost nothing."""
    grade = next(each for each in GRADES if each == tactical)
    cards, rest = divmod(pods, MARK_12.most)
    return cards * pod_cost(MARK_12.most, grade) + pod_cost(rest, grade)
