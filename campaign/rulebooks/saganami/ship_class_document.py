"""The written form of a ship class: one model per sheet, for JSON and TOML alike (docs/ship-classes.md).

The models say what each field is and refuse what one field alone can get wrong; what several fields
get wrong together is found in ``ship_class_checks``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, TypeAdapter
from pydantic_core import PydanticCustomError

from campaign.rulebooks.saganami.ship_class_tracks import BoxKind, TokenError, read_tokens

FIRST_YEAR, LAST_YEAR = 1, 9999

ShipType = Literal[
    "destroyer",
    "light-cruiser",
    "heavy-cruiser",
    "battlecruiser",
    "battleship",
    "dreadnought",
    "superdreadnought",
    "pod-layer",
    "lac-squadron",
    "freighter",
    "transport",
    "base",
]


class Sheet(BaseModel):
    """Base of all parts of the document: unknown fields and silent conversions are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _tokens(kinds: Sequence[BoxKind], last: BoxKind | None = None, most: int = 120) -> AfterValidator:
    def check(text: str) -> str:
        try:
            tokens = read_tokens(text, kinds)
        except TokenError as error:
            raise PydanticCustomError("unknown_token", "{reason}", {"reason": str(error)}) from error
        if not tokens:
            raise PydanticCustomError("track_empty", "The track has no box.")
        if len(tokens) > most:
            raise PydanticCustomError("track_too_long", "The track has more than {most} boxes.", {"most": most})
        if last is not None:
            ends = [index for index, token in enumerate(tokens) if token.kind is last]
            if ends != [len(tokens) - 1]:
                raise PydanticCustomError(
                    "track_does_not_end", "The track must end with its one {last} box.", {"last": last.value}
                )
        return text

    return AfterValidator(check)


def _ordered(rising: bool) -> Callable[[list[int]], list[int]]:
    def check(values: list[int]) -> list[int]:
        if any((later < earlier) if rising else (later > earlier) for earlier, later in pairwise(values)):
            raise PydanticCustomError(
                "track_wrong_way",
                "The values of the track must never {word} from left to right.",
                {"word": "fall" if rising else "rise"},
            )
        return values

    return check


def _probable_kills(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        if not 1 <= value <= 60:
            raise PydanticCustomError("out_of_range", "Probable kills in a box are 1 to 60, or a third or two.")
    elif value not in ("1/3", "2/3"):
        raise PydanticCustomError("unknown_token", 'Probable kills are a whole number, "1/3" or "2/3".')
    return value


def kills_value(value: int | str) -> int | Fraction:
    """Return probable kills as a number: a whole number, one third or two thirds (C4.13)."""
    return Fraction(value) if isinstance(value, str) else value


def _falling_kills(values: list[int | str]) -> list[int | str]:
    numbers = [kills_value(value) for value in values]
    if any(later > earlier for earlier, later in pairwise(numbers)):
        raise PydanticCustomError("track_wrong_way", "Probable kills must never rise from left to right.")
    return values


def _rows(value: list[str]) -> list[str]:
    if any(len(row) != 5 or set(row) - {"#", "."} for row in value):
        raise PydanticCustomError("arc_shape", "An arc is three rows of five marks, '#' bears and '.' does not.")
    if not any("#" in row for row in value):
        raise PydanticCustomError("arc_empty", "An arc must bear on at least one window.")
    return value


Text = Annotated[str, Field(min_length=1, max_length=80)]
Key = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Count = Annotated[StrictInt, Field(ge=0, le=200)]
Boxes = Annotated[StrictInt, Field(ge=1, le=120)]
Damage = Annotated[StrictInt, Field(ge=1, le=60)]
Falling = Annotated[list[Count], Field(min_length=1, max_length=60), AfterValidator(_ordered(rising=False))]
Kills = Annotated[
    list[Annotated[int | str, BeforeValidator(_probable_kills)]], Field(max_length=60), AfterValidator(_falling_kills)
]
Penalty = Annotated[StrictInt, Field(ge=-20, le=20)]
Arc = Annotated[list[str], Field(min_length=3, max_length=3), AfterValidator(_rows)]
S, W, C, O, X = BoxKind.SQUARE, BoxKind.WRENCH, BoxKind.CASCADE, BoxKind.OCTAGON, BoxKind.STAR
HullRow = Annotated[str, _tokens((S, W))]
Integrity = Annotated[str, _tokens((S, C, O, X), last=X)]
Impeller = Annotated[str, _tokens((S, BoxKind.SAIL), last=BoxKind.SAIL)]
BridgeBoxes = Annotated[str, _tokens((S, BoxKind.CIRCLE))]
LacBody = Annotated[str, _tokens((BoxKind.PADDING, BoxKind.WEAPON, O, X), last=X)]


class Service(Sheet):
    """The years (PD) in which the class serves; ``to`` left out means to the end of all campaigns (D4.111)."""

    from_: Annotated[StrictInt, Field(alias="from", ge=FIRST_YEAR, le=LAST_YEAR)]
    to: Annotated[StrictInt, Field(ge=FIRST_YEAR, le=LAST_YEAR)] | None = None


class Crew(Sheet):
    """Who is aboard, for the points of a surrender (D2.224)."""

    officers: Annotated[StrictInt, Field(ge=0, le=100_000)]
    enlisted: Annotated[StrictInt, Field(ge=0, le=100_000)]
    marines: Annotated[StrictInt, Field(ge=0, le=100_000)] = 0


class RangeBands(Sheet):
    """Missile range bands (A2.66, C2.12): last hex of each band, its base MQL, last hex of each salvo zone."""

    through: Annotated[list[Annotated[StrictInt, Field(ge=0, le=400)]], Field(min_length=1, max_length=20)]
    mql: Annotated[list[Annotated[StrictInt, Field(ge=-5, le=30)]], Field(min_length=1, max_length=20)]
    early_through: Annotated[StrictInt, Field(ge=0, le=400)]
    middle_through: Annotated[StrictInt, Field(ge=0, le=400)]
    late_through: Annotated[StrictInt, Field(ge=0, le=400)]
    drives: Literal[1, 2, 3] = 1


class Wall(Sheet):
    """A sidewall, bow wall or stern wall: no boxes where there is none, and the number without it (C5.214)."""

    boxes: Annotated[list[Penalty], Field(max_length=40), AfterValidator(_ordered(rising=True))]
    after: Penalty


class NumberTrack(Sheet):
    """A track of numbers that get worse, and the number once all boxes are gone (C5.432, C5.45)."""

    boxes: Annotated[list[Penalty], Field(min_length=1, max_length=40), AfterValidator(_ordered(rising=True))]
    after: Penalty


class Launchers(Sheet):
    """Missile launchers of one mount: how many, and the damage of their missile (A2.632, C2.16)."""

    count: Annotated[StrictInt, Field(ge=1, le=120)]
    damage: Damage


class Beams(Sheet):
    """Beam weapons of one mount: how many, and damage at range 0-1, 2, 3, ... hexes (C3.111)."""

    count: Annotated[StrictInt, Field(ge=1, le=120)]
    damage: Annotated[list[Damage], Field(min_length=1, max_length=8), AfterValidator(_ordered(rising=False))]


class Decoys(Sheet):
    """Decoys of one broadside and the columns that one of them shifts the ECM layer (C4.124)."""

    count: Boxes
    shift: Annotated[StrictInt, Field(ge=1, le=25)]


class WeaponMount(Sheet):
    """One weapon mount (A2.63)."""

    fcon: NumberTrack | None = None
    magazine: Count = 0
    missiles: Launchers | None = None
    lasers: Beams | None = None
    grasers: Beams | None = None
    energy_torpedoes: Beams | None = None
    countermissiles: Kills = []
    point_defense: Kills = []
    grav_lance: bool = False
    decoys: Decoys | None = None
    arc: Arc = ["#####", "#####", "#####"]


class Bridge(Sheet):
    """The bridge track: squares, then circles with the penalty to the crew check (C5.441)."""

    track: BridgeBoxes
    after: Annotated[StrictInt, Field(ge=-20, le=0)]


class Thrust(Sheet):
    """The maximum thrust track: squares, then circles that ask for a crew check (C5.465)."""

    squares: Annotated[list[Count], Field(min_length=1, max_length=40), AfterValidator(_ordered(rising=False))]
    circles: Annotated[list[Count], Field(max_length=20), AfterValidator(_ordered(rising=False))] = []


class PodBay(Sheet):
    """A pod-layer's bay: pods laid in one tactical turn, pods carried (C8.231), missiles in a pod and their damage."""

    per_turn: Annotated[StrictInt, Field(ge=1, le=40)]
    carried: Annotated[StrictInt, Field(ge=1, le=2000)]
    missiles: Annotated[StrictInt, Field(ge=1, le=40)]
    damage: Damage


class OfficerCost(Sheet):
    """Points that Poor, Average, Veteran and Elite add to the cost, per post (D1.11)."""

    TAC: list[int]
    EWO: list[int]
    ATO: list[int]
    HELM: list[int]
    ENG: list[int]
    CREW: list[int]


class CrewTarget(Sheet):
    """Crew quality target number of each grade: roll it or less on a d10 (D1.111)."""

    poor: Annotated[StrictInt, Field(ge=0, le=10)] = 2
    average: Annotated[StrictInt, Field(ge=0, le=10)] = 5
    veteran: Annotated[StrictInt, Field(ge=0, le=10)] = 7
    elite: Annotated[StrictInt, Field(ge=0, le=10)] = 9


class Common(Sheet):
    """What every class states."""

    key: Key
    name: Text
    type: ShipType
    nation: Key
    service: Service
    note: Annotated[str, Field(max_length=600)] = ""
    cost: Annotated[StrictInt, Field(ge=0, le=100_000)]
    tons: Annotated[StrictInt, Field(ge=1, le=1_000_000_000)]
    scale: Annotated[StrictInt, Field(ge=1, le=40)]
    crew: Crew
    range_bands: RangeBands | None = None


class ShipSheet(Common):
    """A ship or a base (A2.6)."""

    kind: Literal["ship", "base"]
    printed_boxes: Annotated[StrictInt, Field(ge=1, le=5000)] | None = None
    core_armor: Annotated[StrictInt, Field(ge=0, le=20)]
    hammerhead_armor: Annotated[StrictInt, Field(ge=-20, le=20)] = 1
    recon_drones: Count
    hammerhead: WeaponMount | None = None
    forward: WeaponMount | None = None
    aft: WeaponMount | None = None
    broadside: WeaponMount | None = None
    port: WeaponMount | None = None
    starboard: WeaponMount | None = None
    sidewall: Wall
    bow_wall: Wall | None = None
    stern_wall: Wall | None = None
    bridge: Bridge
    flag_bridge: Annotated[list[Count], Field(max_length=20), AfterValidator(_ordered(rising=False))] = []
    life_support: Boxes
    communications: Count
    ecm: Falling
    pivot: Annotated[list[Count], Field(max_length=20), AfterValidator(_ordered(rising=False))] = []
    evolution_delay: Annotated[list[Count], Field(max_length=20), AfterValidator(_ordered(rising=True))] = []
    roll: Annotated[list[Count], Field(max_length=20), AfterValidator(_ordered(rising=False))] = []
    forward_impeller: Impeller | None = None
    aft_impeller: Impeller | None = None
    max_thrust: Thrust | None = None
    hyper_generator: Count
    hull: Annotated[list[HullRow], Field(min_length=1, max_length=40)]
    structural_integrity: Integrity
    pods: PodBay | None = None
    officer_cost: OfficerCost
    crew_target: CrewTarget = CrewTarget()
    hit_location: list[str]


class LacMount(Sheet):
    """One side of each LAC of a squadron (C7.2): box launchers by salvo size, beams, defences."""

    launchers: Annotated[list[Annotated[StrictInt, Field(ge=1, le=40)]], Field(max_length=12)] = []
    damage: Damage | None = None
    lasers: Beams | None = None
    grasers: Beams | None = None
    countermissiles: Kills = []
    point_defense: Kills = []
    arc: Arc = ["#####", "#####", "#####"]


class LacSheet(Common):
    """A squadron of light attack craft (C7.0); ``cost``, ``tons`` and ``crew`` are those of the full squadron."""

    kind: Literal["lac-squadron"]
    craft: Annotated[StrictInt, Field(ge=1, le=10)]
    thrust: Annotated[StrictInt, Field(ge=1, le=20)]
    ecm: Count
    sidewall: Penalty
    forward: LacMount | None = None
    aft: LacMount | None = None
    broadside: LacMount | None = None
    port: LacMount | None = None
    starboard: LacMount | None = None
    body: LacBody
    damage_control: Count = 1
    crew_target: CrewTarget = CrewTarget()


def class_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a ship class's document, for machines that write one.

    The schema says the form; ``check_class`` also says what the fields get wrong together.
    """
    sheet: Any = Annotated[ShipSheet | LacSheet, Field(discriminator="kind")]
    schema: dict[str, Any] = TypeAdapter(sheet).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Ship class (saganami)", **schema}
