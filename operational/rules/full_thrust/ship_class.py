"""Ship classes of this ruleset: the stat block "full-thrust", its checks, and what a damaged ship can still do.

Mass and points are those of the Full Thrust design rules, thrust in points, hull in boxes. Every number
that damage takes away is a track: hull, fire_control, sensors, ecm, area_ecm, screens, drive, ftl, cloak.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.engine.procedure import problems_of
from operational.rules.full_thrust.ecm import ecm_cost
from operational.rules.full_thrust.sensors import sensor_cost
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.tables import SIZE_CLASS_LEAST_MASS, EcmGrade, SystemCost, TabletopSensorGrade

HULL, FIRE_CONTROL, SENSORS, ECM = "hull", "fire_control", "sensors", "ecm"
AREA_ECM, SCREENS, DRIVE, FTL, CLOAK = "area_ecm", "screens", "drive", "ftl", "cloak"
TRACK_LABELS: Mapping[str, str] = {
    HULL: "Hull",
    FIRE_CONTROL: "Fire controls",
    SENSORS: "Sensors",
    ECM: "ECM",
    AREA_ECM: "Area ECM",
    SCREENS: "Screens",
    DRIVE: "Main drive",
    FTL: "FTL drive",
    CLOAK: "Cloaking device",
}
DRIVE_HITS = 2  # the first halves the thrust, the second takes it
MOST_CRAFT_MASS = SIZE_CLASS_LEAST_MASS[1] - 1  # fighters and missiles are of size class 1
NO_DAMAGE: Mapping[str, int] = {}

Kind = Literal["ship", "craft"]
CraftKind = Literal["fighters", "small-craft", "ordnance"]
Key = Annotated[str, Field(min_length=1, max_length=24, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"\S")]


class Part(BaseModel):
    """Base of the sheet's parts: unknown fields and silent conversions are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class CraftSheet(Part):
    """What a ship launches: a group of fighters, a small craft, or a salvo of ordnance."""

    key: Key
    name: Name
    kind: CraftKind
    count: int = Field(ge=1, le=48, description="how many of them the ship carries")
    mass: int = Field(ge=1, le=MOST_CRAFT_MASS, description="mass of one; size class 1")
    points: int = Field(default=0, ge=0, le=10_000)
    thrust: int = Field(ge=0, le=36, description="thrust on the map")
    hull: int = Field(default=1, ge=1, le=48, description="boxes of one: a group has one for each fighter")


class ShipClassSheet(Part):
    """A ship class as it is written down, in TOML or JSON."""

    key: Key
    name: Name
    nation: str = Field(default="", max_length=24)
    type: str = Field(default="", max_length=40, description="what the navy calls it")
    note: str = Field(default="", max_length=400)
    mass: int = Field(ge=1, le=10_000)
    points: int = Field(ge=0, le=100_000)
    thrust: int = Field(ge=0, le=36)
    hull: int = Field(ge=1, le=2_000, description="hull boxes")
    fire_controls: int = Field(default=0, ge=0, le=24, description="and as many scans a turn")
    screens: int = Field(default=0, ge=0, le=3)
    sensors: Literal["standard", "enhanced", "superior"] = "standard"
    ecm: EcmGrade = Field(default="none", description="its own ECM")
    area_ecm: EcmGrade = Field(default="none", description="ECM that covers its whole task force")
    ftl: bool = True
    cloak: bool = False
    craft: list[CraftSheet] = []


@dataclass(frozen=True, slots=True)
class Craft:
    """What a class carries: how many of which craft class."""

    ship_class: str
    count: int


@dataclass(frozen=True, slots=True)
class ShipClass:
    """A ship class, or with ``kind`` "craft" one of the craft that a class carries.

    A craft's key is its carrier's, a point and its own. ``craft_kind`` is "" for ships.
    """

    key: str
    name: str
    kind: Kind
    nation: str
    type: str
    note: str
    mass: int
    points: int
    thrust: int
    hull: int
    fire_controls: int
    screens: int
    sensors: TabletopSensorGrade
    ecm: EcmGrade
    area_ecm: EcmGrade
    ftl: bool
    cloak: bool
    craft: tuple[Craft, ...] = ()
    craft_kind: str = ""

    @property
    def tracks(self) -> dict[str, int]:
        """Return the damage tracks: name to boxes, those without boxes left out."""
        boxes = {
            HULL: self.hull,
            FIRE_CONTROL: self.fire_controls,
            SENSORS: int(self.sensors in ("enhanced", "superior")),
            ECM: int(self.ecm != "none"),
            AREA_ECM: int(self.area_ecm != "none"),
            SCREENS: self.screens,
            DRIVE: DRIVE_HITS if self.thrust else 0,
            FTL: int(self.ftl),
            CLOAK: int(self.cloak),
        }
        return {track: count for track, count in boxes.items() if count}


# Reading and checking --------------------------------------------------------------------------


def check_class(document: Any) -> tuple[Problem, ...]:
    """Return every problem of a stat block: of its form, else of its numbers against each other."""
    try:
        sheet = ShipClassSheet.model_validate(document)
    except ValidationError as error:
        return problems_of(error)
    return tuple(sorted(_check(sheet)))


def load_classes(document: Mapping[str, Any]) -> tuple[ShipClass, ...]:
    """Read a stat block: the class, and after it the craft that it carries. Raises ProblemsError."""
    problems = check_class(document)
    if problems:
        raise ProblemsError(problems)
    sheet = ShipClassSheet.model_validate(document)
    carried = tuple(Craft(f"{sheet.key}.{each.key}", each.count) for each in sheet.craft)
    ship = ShipClass(
        key=sheet.key,
        name=sheet.name,
        kind="ship",
        nation=sheet.nation,
        type=sheet.type,
        note=sheet.note,
        mass=sheet.mass,
        points=sheet.points,
        thrust=sheet.thrust,
        hull=sheet.hull,
        fire_controls=sheet.fire_controls,
        screens=sheet.screens,
        sensors=sheet.sensors,
        ecm=sheet.ecm,
        area_ecm=sheet.area_ecm,
        ftl=sheet.ftl,
        cloak=sheet.cloak,
        craft=carried,
    )
    return (ship, *(_craft(sheet, each) for each in sheet.craft))


def _craft(sheet: ShipClassSheet, craft: CraftSheet) -> ShipClass:
    return ShipClass(
        key=f"{sheet.key}.{craft.key}",
        name=craft.name,
        kind="craft",
        nation=sheet.nation,
        type=craft.kind,
        note="",
        mass=craft.mass,
        points=craft.points,
        thrust=craft.thrust,
        hull=craft.hull,
        fire_controls=0,
        screens=0,
        sensors="fighter",
        ecm="none",
        area_ecm="none",
        ftl=False,
        cloak=False,
        craft_kind=craft.kind,
    )


@rule("sensors", "ecm-packages")
def systems_cost(ship_class: ShipClass | ShipClassSheet) -> SystemCost:
    """Return what the sensors and the ECM of a class take of its mass and its points."""
    costs = (
        sensor_cost(ship_class.sensors),
        ecm_cost(ship_class.ecm, "individual"),
        ecm_cost(ship_class.area_ecm, "area"),
    )
    return SystemCost(sum(each.mass for each in costs), sum(each.points for each in costs))


def _check(sheet: ShipClassSheet) -> Iterator[Problem]:
    """Yield what is wrong between the numbers: a hull box and a fire control take one mass each."""
    cost = systems_cost(sheet)
    taken = sheet.hull + sheet.fire_controls + cost.mass + sum(each.count * each.mass for each in sheet.craft)
    if taken > sheet.mass:
        message = f"Hull, fire controls, sensors, ECM and craft take {taken} mass; the ship has {sheet.mass}."
        yield Problem("/mass", "mass-too-small", message, "ecm-packages")
    if cost.points > sheet.points:
        message = f"The sensors and the ECM alone cost {cost.points} points."
        yield Problem("/points", "points-too-few", message, "ecm-packages")
    seen: set[str] = set()
    for index, craft in enumerate(sheet.craft):
        if craft.key in seen:
            yield Problem(pointer("craft", index, "key"), "used-twice", f"{craft.key} is carried under another entry.")
        seen.add(craft.key)


def dump_class(ship_class: ShipClass) -> dict[str, Any]:
    """Return a class, or a craft class, as the state's document holds it."""
    return {
        "key": ship_class.key,
        "name": ship_class.name,
        "kind": ship_class.kind,
        "nation": ship_class.nation,
        "type": ship_class.type,
        "note": ship_class.note,
        "mass": ship_class.mass,
        "points": ship_class.points,
        "thrust": ship_class.thrust,
        "hull": ship_class.hull,
        "fire_controls": ship_class.fire_controls,
        "screens": ship_class.screens,
        "sensors": ship_class.sensors,
        "ecm": ship_class.ecm,
        "area_ecm": ship_class.area_ecm,
        "ftl": ship_class.ftl,
        "cloak": ship_class.cloak,
        "craft": [{"class": each.ship_class, "count": each.count} for each in ship_class.craft],
        "craft_kind": ship_class.craft_kind,
    }


def undump_class(document: Mapping[str, Any]) -> ShipClass:
    """Return the class of ``dump_class``."""
    fields = {name: value for name, value in document.items() if name != "craft"}
    return ShipClass(**fields, craft=tuple(Craft(each["class"], each["count"]) for each in document["craft"]))


# What works still ------------------------------------------------------------------------------


def left(ship_class: ShipClass, damage: Mapping[str, int], track: str) -> int:
    """Return the boxes of a track that are not lost."""
    return max(0, ship_class.tracks.get(track, 0) - damage.get(track, 0))


@rule("taskforces")
def thrust_rating(ship_class: ShipClass, damage: Mapping[str, int] = NO_DAMAGE) -> int:
    """Return a ship's thrust: half of it, fraction dropped, with one hit on the drive, none with two."""
    lost = damage.get(DRIVE, 0)
    return ship_class.thrust if not lost else ship_class.thrust // 2 if lost < DRIVE_HITS else 0


@rule("fire-control-limit")
def fire_controls(ship_class: ShipClass, damage: Mapping[str, int] = NO_DAMAGE) -> int:
    """Return the fire controls that work: the ship's scans in a turn."""
    return left(ship_class, damage, FIRE_CONTROL)


@rule("sensors")
def sensor_grade(ship_class: ShipClass, damage: Mapping[str, int] = NO_DAMAGE) -> TabletopSensorGrade:
    """Return the grade of the sensors that work: every ship has standard ones, which cost and weigh nothing."""
    return "standard" if damage.get(SENSORS, 0) and ship_class.sensors != "fighter" else ship_class.sensors


@rule("ecm-packages")
def ecm_grade(ship_class: ShipClass, damage: Mapping[str, int] = NO_DAMAGE) -> EcmGrade:
    """Return the grade of the ship's own ECM that works."""
    return "none" if damage.get(ECM, 0) else ship_class.ecm


@rule("ecm-packages")
def area_ecm_grade(ship_class: ShipClass, damage: Mapping[str, int] = NO_DAMAGE) -> EcmGrade:
    """Return the grade of the ship's area ECM that works."""
    return "none" if damage.get(AREA_ECM, 0) else ship_class.area_ecm


def can_cloak(ship_class: ShipClass, damage: Mapping[str, int] = NO_DAMAGE) -> bool:
    """Return whether the ship has a cloaking device that works."""
    return bool(left(ship_class, damage, CLOAK))


def class_schema() -> dict[str, Any]:
    """Return the JSON Schema of a stat block."""
    return ShipClassSheet.model_json_schema()
