"""The rules desk's procedures for clock, movement, scales and hyperspace (B3, B5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema

from campaign.engine import clock
from campaign.engine.dice import Roller
from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.engine.procedure import Input, NoInput, Procedure
from campaign.engine.vector_input import Letter, VectorsInput
from campaign.engine.vectors import speed
from campaign.rulebooks.saganami import movement, scales
from campaign.rulebooks.saganami.grades import Grade

VECTORS_OUT = "directions A to F, + and - to hexes per turn, consolidated"

Count: TypeAlias = Annotated[int, Field(ge=0)]


def _as_list(value: Any) -> Any:
    """Let one direction stand for a list of one."""
    return [value] if isinstance(value, str) else value


Directions: TypeAlias = Annotated[
    list[Letter],
    BeforeValidator(_as_list),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": ["A", "B", "C", "D", "E", "F", "+", "-"]},
                {"type": "array", "items": {"enum": ["A", "B", "C", "D", "E", "F", "+", "-"]}},
            ]
        }
    ),
]


class DateInput(Input):
    """When the campaign started and how many operational turns have passed."""

    start: str = Field(description="Start of the campaign, as 1906-03-01T00:00")
    op_turns: Count = Field(description="Operational turns that have passed")


class OperationalTurnsInput(Input):
    """A number of operational turns."""

    op_turns: Count = Field(description="Operational turns that have passed")


class VectorsOnlyInput(Input):
    """One velocity."""

    vectors: VectorsInput = Field(description="Velocity in hexes per turn")


class FrameInput(Input):
    """A velocity and the velocity given to the map."""

    vectors: VectorsInput = Field(description="Velocity in hexes per turn")
    frame: VectorsInput = Field(description="Velocity given to the map, in hexes per turn")


class StarInput(Input):
    """A star."""

    star: str = Field(description="Spectral class: O, B, A, F0 to F9, G0 to G9, K0 to K9, M0 to M9, RedGiant")


class SpeedInput(Input):
    """A speed."""

    velocity: Count = Field(description="Speed in operational hexes per turn")


class DistanceInput(Input):
    """A distance and the velocity towards it."""

    hexes: Count = Field(description="Distance in operational hexes")
    velocity: VectorsInput = Field(description="Velocity towards it in operational hexes per turn")


class DisplacementInput(Input):
    """A turn's thrust and what was carried into it."""

    change: VectorsInput = Field(description="Change of velocity made by this turn's thrust, in hexes per turn")
    pivot_windows: Count = Field(default=0, description="Windows pivoted in the turn; any pivot ends displacement")
    engineer: Grade = Field(default="average", description="Grade of the engineering officer")
    carry: list[Letter] = Field(default=[], description="Directions in which a half hex is carried from before")


class LightMinutesInput(Input):
    """A distance in light minutes."""

    light_minutes: float = Field(ge=0, allow_inf_nan=False, description="Distance in light minutes")


class ToOperationalInput(Input):
    """A tactical velocity, and where the points go that its left-over thirds make."""

    vectors: VectorsInput = Field(description="Tactical velocity in hexes per turn")
    spare_to: Directions = Field(default=[], description="Direction for every spare point, or a list with one for each")
    frame: VectorsInput = Field(default={}, description="Tactical velocity of the map, added first")


class ThrustLegalInput(Input):
    """A thrust rating and a change of velocity."""

    thrust: Count = Field(description="Thrust rating")
    change: VectorsInput = Field(description="Change of velocity in hexes per turn")


class ApplyThrustInput(Input):
    """A velocity and the changes of one or more thrusts."""

    vectors: VectorsInput = Field(description="Velocity in hexes per turn")
    thrust: list[VectorsInput] = Field(description="Changes of velocity, one for each thrust or bid")


def clock_date(given: DateInput) -> Mapping[str, Any]:
    """Answer clock.date."""
    start = clock.parse_instant(given.start, "/start", "B5.11")
    return {"at": clock.format_instant(scales.operational_instant(start, given.op_turns, "/op_turns"))}


def clock_tactical_turns(given: OperationalTurnsInput) -> Mapping[str, Any]:
    """Answer clock.tactical-turns."""
    return {"tactical_turns": scales.tactical_turns(given.op_turns)}


def frame_shift(given: FrameInput) -> Mapping[str, Any]:
    """Answer frame.shift."""
    return {"vectors": scales.frame_shift(given.vectors, given.frame)}


def hyper_emergence(given: NoInput, roller: Roller) -> Mapping[str, Any]:
    """Answer hyper.emergence."""
    return {"distance": scales.emergence_distance(roller)}


def hyper_limit(given: StarInput) -> Mapping[str, Any]:
    """Answer hyper.limit."""
    star = scales.star_class(given.star, "/star")
    minutes, hexes = scales.hyper_limit(star)
    return {
        "star": star,
        "light_minutes": minutes,
        "hexes": hexes,
        "misprinted_hexes": scales.MISPRINTED_HYPER_LIMIT_HEXES.get(star),
    }


def hyper_translate(given: VectorsOnlyInput) -> Mapping[str, Any]:
    """Answer hyper.translate."""
    after = scales.translated(given.vectors)
    return {"vectors": after, "allowed": after is not None, "speed": speed(given.vectors)}


def hyper_translate_speed(given: SpeedInput) -> Mapping[str, Any]:
    """Answer hyper.translate-speed."""
    return {"allowed": scales.can_translate(given.velocity), "after": scales.translated_speed(given.velocity)}


def hyper_turns_to_limit(given: DistanceInput) -> Mapping[str, Any]:
    """Answer hyper.turns-to-limit."""
    turns = scales.turns_to_cover(given.hexes, given.velocity)
    return {"turns": turns, "tactical_turns": None if turns is None else scales.tactical_turns(turns)}


def movement_displacement(given: DisplacementInput) -> Mapping[str, Any]:
    """Answer movement.displacement."""
    twice = [
        Problem(pointer("carry", index), "carried-twice", f"Only one half hex is carried in {letter}.", "B3.271")
        for index, letter in enumerate(given.carry)
        if letter in given.carry[:index]
    ]
    if twice:
        raise ProblemsError(twice)
    shift, carry = movement.displacement(
        given.change, given.engineer, given.carry, is_pivoted=bool(given.pivot_windows)
    )
    return {"displacement": shift, "carry": carry}


def movement_midpoint(given: VectorsOnlyInput) -> Mapping[str, Any]:
    """Answer movement.midpoint."""
    return {"vectors": movement.midpoint(given.vectors)}


def scale_light_minutes(given: LightMinutesInput) -> Mapping[str, Any]:
    """Answer scale.light-minutes."""
    return {"hexes": scales.light_minutes_to_hexes(given.light_minutes)}


def scale_to_operational(given: ToOperationalInput) -> Mapping[str, Any]:
    """Answer scale.to-operational."""
    return scales.to_operational(given.vectors, given.spare_to, given.frame)._asdict()


def scale_to_tactical(given: VectorsOnlyInput) -> Mapping[str, Any]:
    """Answer scale.to-tactical."""
    return {"vectors": scales.to_tactical(given.vectors)}


def thrust_legal(given: ThrustLegalInput) -> Mapping[str, Any]:
    """Answer thrust.legal."""
    return {
        "legal": movement.is_thrust_legal(given.thrust, given.change),
        "needs": movement.thrust_needed(given.change),
    }


def vectors_apply_thrust(given: ApplyThrustInput) -> Mapping[str, Any]:
    """Answer vectors.apply-thrust."""
    return {"vectors": movement.apply_thrust(given.vectors, *given.thrust)}


def vectors_consolidate(given: VectorsOnlyInput) -> Mapping[str, Any]:
    """Answer vectors.consolidate."""
    return {"vectors": movement.consolidate(given.vectors)}


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="clock.date",
        rules=("B5.11",),
        summary="The date after a number of operational turns: 76 to the day, floored to the minute.",
        input=DateInput,
        result={"at": "date and time, as 1906-03-02T00:00"},
        run=clock_date,
        example={"start": "1906-03-01T00:00", "op_turns": 76},
    ),
    Procedure(
        name="clock.tactical-turns",
        rules=("B5.111",),
        summary="The tactical turns that pass in a number of operational turns, three each and four every sixth.",
        input=OperationalTurnsInput,
        result={"tactical_turns": "tactical turns that have passed"},
        run=clock_tactical_turns,
        example={"op_turns": 6},
    ),
    Procedure(
        name="frame.shift",
        rules=("B5.13", "B5.12"),
        summary="A velocity relative to a map that has been given a velocity of its own.",
        input=FrameInput,
        result={"vectors": VECTORS_OUT},
        run=frame_shift,
        example={"vectors": {"A": 12, "F": 4, "-": 2}, "frame": {"A": 7}},
    ),
    Procedure(
        name="hyper.emergence",
        rules=("B5.162",),
        summary="How far from its chosen hex a command group leaves hyperspace (2d10-).",
        input=NoInput,
        result={"distance": "operational hexes, 0 to 9"},
        run=hyper_emergence,
        dice="dice",
        example={"dice": [7, 3]},
    ),
    Procedure(
        name="hyper.limit",
        rules=("B5.16", "B5.11"),
        summary="The distance from a star within which no ship enters or leaves hyperspace.",
        input=StarInput,
        result={
            "star": "the row of the table",
            "light_minutes": "light minutes",
            "hexes": "operational hexes",
            "misprinted_hexes": "operational hexes that the table prints against its own factor; null elsewhere",
        },
        run=hyper_limit,
        example={"star": "G2"},
    ),
    Procedure(
        name="hyper.translate",
        rules=("B5.161",),
        summary="The velocity that is left after a hyper translation: each direction divided by twelve.",
        input=VectorsOnlyInput,
        result={
            "vectors": f"{VECTORS_OUT}; null where the speed is over 45",
            "allowed": "whether the speed is low enough",
            "speed": "speed before, in operational hexes per turn",
        },
        run=hyper_translate,
        example={"vectors": {"A": 24, "B": 20}},
    ),
    Procedure(
        name="hyper.translate-speed",
        rules=("B5.161",),
        summary="Whether a speed allows a hyper translation, and the speed that is left.",
        input=SpeedInput,
        result={"allowed": "whether it is at most 45", "after": "hexes per turn afterwards; null where not allowed"},
        run=hyper_translate_speed,
        example={"velocity": 45},
    ),
    Procedure(
        name="hyper.turns-to-limit",
        rules=("B5.12", "B5.132"),
        summary="The operational turns until a velocity has covered the distance to the hyper limit.",
        input=DistanceInput,
        result={
            "turns": "operational turns; null at rest",
            "tactical_turns": "the tactical turns within them; null at rest",
        },
        run=hyper_turns_to_limit,
        example={"hexes": 23, "velocity": {"A": 4, "B": 2}},
    ),
    Procedure(
        name="movement.displacement",
        rules=("B3.27", "B3.271", "B3.272"),
        summary="The shift of the end of turn by half of this turn's thrust, and the halves carried on.",
        input=DisplacementInput,
        result={
            "displacement": "directions A to F, + and - to hexes",
            "carry": "directions in which a half hex is carried on",
        },
        run=movement_displacement,
        example={"change": {"A": 3, "+": 3}, "pivot_windows": 0, "engineer": "average", "carry": []},
    ),
    Procedure(
        name="movement.midpoint",
        rules=("B3.121",),
        summary="The step to the midpoint of a turn: half of each direction, rounded up.",
        input=VectorsOnlyInput,
        result={"vectors": "directions A to F, + and - to hexes"},
        run=movement_midpoint,
        example={"vectors": {"A": 7}},
    ),
    Procedure(
        name="scale.light-minutes",
        rules=("B5.11", "B5.16"),
        summary="Light minutes in operational hexes: 7.5 to each, to the nearest hex.",
        input=LightMinutesInput,
        result={"hexes": "operational hexes"},
        run=scale_light_minutes,
        example={"light_minutes": 33.42},
    ),
    Procedure(
        name="scale.to-operational",
        rules=("B5.121", "B5.13"),
        summary="A tactical velocity on the operational scale: a third, with the left-over thirds summed.",
        input=ToOperationalInput,
        result={
            "vectors": VECTORS_OUT,
            "whole_points_assigned": "points made of the left-over thirds",
            "thirds_lost": "thirds left over after them",
        },
        run=scale_to_operational,
        example={"vectors": {"A": 13, "B": 7, "-": 1}, "spare_to": "-"},
    ),
    Procedure(
        name="scale.to-tactical",
        rules=("B5.121",),
        summary="An operational velocity on the tactical scale: three times as many hexes per turn.",
        input=VectorsOnlyInput,
        result={"vectors": VECTORS_OUT},
        run=scale_to_tactical,
        example={"vectors": {"A": 4, "B": 2, "-": 1}},
    ),
    Procedure(
        name="thrust.legal",
        rules=("B3.24",),
        summary="Whether a thrust rating is enough for a change of velocity, and what the change costs.",
        input=ThrustLegalInput,
        result={"legal": "whether the rating is enough", "needs": "thrust that the change costs"},
        run=thrust_legal,
        example={"thrust": 3, "change": {"B": 2, "+": 2}},
    ),
    Procedure(
        name="vectors.apply-thrust",
        rules=("B3.31", "B3.32", "B3.33"),
        summary="A velocity after the changes of one or more thrusts or bids, consolidated.",
        input=ApplyThrustInput,
        result={"vectors": VECTORS_OUT},
        run=vectors_apply_thrust,
        example={"vectors": {"A": 5, "F": 4, "-": 2}, "thrust": [{"B": 3}, {"B": 3}, {"A": 2, "B": 1}]},
    ),
    Procedure(
        name="vectors.consolidate",
        rules=("B3.3", "B3.33", "B3.331", "B3.332"),
        summary="The least vectors for the same velocity.",
        input=VectorsOnlyInput,
        result={"vectors": VECTORS_OUT},
        run=vectors_consolidate,
        example={"vectors": {"A": 7, "D": 8, "B": 4}},
    ),
)
