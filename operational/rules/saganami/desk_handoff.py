"""The rules desk's procedures for the hand-off: contact, bids, frame, starting places (B5.12, B5.13, D2.13)."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import Field

from campaign.engine import vectors as v
from campaign.engine.errors import ProblemsError
from campaign.engine.hexes import Hex, true_range
from campaign.engine.procedure import Input, NoInput, Procedure
from campaign.engine.proximity import closest_approach, meeting
from campaign.engine.vector_input import VectorsInput
from campaign.rulebooks.saganami.grades import Grade
from campaign.rulebooks.saganami.scales import (
    TACTICAL_HEXES,
    frame_shift,
    spare_points,
    tactical_turns,
    to_operational,
    turns_to_cover,
)
from operational.rules.saganami import bidding
from operational.rules.saganami.contact_range import REACH
from operational.rules.saganami.conversions import CONVERSIONS, REFUSED
from operational.rules.saganami.engagement import spare_directions
from operational.rules.saganami.start_places import START_RANGE, TRUE_RANGE, Unit, start_places

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=40)]
Ruling = Annotated[str, Field(pattern="^(true|map)$", description="range 50 in space (true) or on the map (map)")]


class CrewsInput(Input):
    """Two crews that bid."""

    crew_a: Grade = Field(description="crew grade of a")
    crew_b: Grade = Field(description="crew grade of b")


class ScheduleInput(Input):
    """Any number of crews that bid."""

    crews: dict[Name, Grade] = Field(min_length=1, description="bidder to crew grade")


class VelocitiesInput(Input):
    """Velocities of everybody in a fight."""

    vectors: list[VectorsInput] = Field(min_length=1, description="velocities in hexes a turn")
    on_map: bool = Field(default=False, description="leave altitude out")


class UnitInput(Input):
    """A force that is handed to the tactical level."""

    vectors: VectorsInput = Field(description="tactical velocity before the bids, in hexes a turn")
    thrust: int = Field(ge=0, description="the flagship's thrust rating")
    crew: Grade = Field(description="the flagship's crew grade")


class SetUpInput(Input):
    """Forces, their bids round by round, and the shifts of the map's frame."""

    units: dict[Name, UnitInput] = Field(min_length=2, description="force to velocity, thrust and crew")
    bids: list[dict[Name, VectorsInput]] = Field(default=[], description="force to bid, one object a round")
    frames: dict[Annotated[str, Field(pattern="^[0-9]+$")], VectorsInput] | None = Field(
        default=None, description="round to shift of the frame (0: before the bids); left out: the common vectors"
    )
    limit: int | None = Field(default=None, ge=0, description="operational hexes to the hyper limit or another goal")


class PlaceInput(Input):
    """A force on the operational map."""

    side: Name = Field(description="whom it fights for")
    position: VectorsInput = Field(description="its hex, as vectors from any one hex")
    vectors: VectorsInput = Field(default={}, description="velocity in operational hexes a turn")


class StartInput(Input):
    """Forces that reached range 5."""

    forces: dict[Name, PlaceInput] = Field(min_length=2, description="force to side, hex and velocity")
    range: Ruling = TRUE_RANGE


class PathInput(Input):
    """One force's straight path through a turn."""

    start: VectorsInput = Field(description="its hex at the start, as vectors from any one hex")
    move: VectorsInput = Field(description="the step it makes in the turn")


class ContactInput(Input):
    """Two paths in one operational turn."""

    a: PathInput = Field(description="one force")
    b: PathInput = Field(description="the other")
    reach: int = Field(default=REACH, ge=0, description="the range that counts as contact, in hexes")


def _rounds(asked: CrewsInput) -> dict[str, Any]:
    found = bidding.rounds_between(bidding.rounds_of(asked.crew_a), bidding.rounds_of(asked.crew_b))
    return {
        "more": found.more,
        "solo_before": found.solo_before,
        "simultaneous": found.simultaneous,
        "solo_after": found.solo_after,
    }


def _schedule(asked: ScheduleInput) -> dict[str, Any]:
    rounds = {key: bidding.rounds_of(crew) for key, crew in asked.crews.items()}
    return {"rounds": [list(each) for each in bidding.schedule(rounds)], "frames_after": bidding.frame_rounds(rounds)}


def _common(asked: VelocitiesInput) -> dict[str, Any]:
    frame = bidding.common_vector(asked.vectors, on_map=asked.on_map)
    return {"frame": frame, "vectors": [frame_shift(each, frame) for each in asked.vectors]}


def _set_up(asked: SetUpInput) -> dict[str, Any]:
    course = bidding.play(
        {
            key: bidding.Bidder(unit.vectors, unit.thrust, bidding.rounds_of(unit.crew), key)
            for key, unit in asked.units.items()
        },
        asked.bids,
        None if asked.frames is None else {int(after): frame for after, frame in asked.frames.items()},
    )
    if course.problems:
        raise ProblemsError([bidding.moved_to(problem, "/bids") for problem in course.problems])
    points = spare_points(course.frame)
    operational = to_operational(course.frame, spare_directions(course.frame, points)).vectors
    turns = None if asked.limit is None else turns_to_cover(asked.limit, operational)
    return {
        "vectors": {key: dict(each) for key, each in course.velocities.items()},
        "frame": dict(course.frame),
        "operational_frame": operational,
        "operational_turns": turns,
        "time_limit": None if turns is None else tactical_turns(turns),
        "steps": [step.as_document() for step in course.steps],
    }


def _places(asked: StartInput) -> dict[str, Any]:
    units = {}
    for key, force in asked.forces.items():
        q, r, z = v.to_axial(force.position)
        place = Hex(q * TACTICAL_HEXES, r * TACTICAL_HEXES, z * TACTICAL_HEXES)
        units[key] = Unit(force.side, place, v.to_axial(force.vectors))
    found = start_places(units, lambda one, other: one != other, asked.range)
    first = next(iter(found.values()))
    return {
        "places": {key: {"q": place.q, "r": place.r, "z": place.z} for key, place in found.items()},
        "vectors": {key: v.from_axial(*place.less(first)) for key, place in found.items()},
        "ranges": {key: true_range(*place.less(first)) for key, place in found.items()},
    }


def _contact(asked: ContactInput) -> dict[str, Any]:
    paths = []
    for path in (asked.a, asked.b):
        start = v.to_axial(path.start)
        paths += [start, start.moved(*v.to_axial(path.move))]
    found = meeting(paths[0], paths[1], paths[2], paths[3], asked.reach)
    nearest = closest_approach(paths[0], paths[1], paths[2], paths[3])
    return {
        "meets": found is not None,
        "step": None if found is None else found.step,
        "steps": None if found is None else found.steps,
        "range": None if found is None else found.range,
        "closest_range": nearest.range,
    }


def _conversions(asked: NoInput) -> dict[str, Any]:
    return {"allowed": {key: each.as_document() for key, each in CONVERSIONS.items()}, "refused": dict(REFUSED)}


_PURSUIT = {
    "units": {
        "destroyer": {"vectors": {"A": 12, "F": 4, "-": 2}, "thrust": 3, "crew": "average"},
        "cruiser": {"vectors": {"A": 7, "B": 7, "-": 1}, "thrust": 3, "crew": "poor"},
    },
    "bids": [
        {"destroyer": {"B": 3}},
        {"destroyer": {"B": 3}, "cruiser": {"A": 3}},
        {"destroyer": {"A": 2, "B": 1}, "cruiser": {"A": 3}},
        {"destroyer": {"B": 3}},
        {"destroyer": {"B": 1, "A": 2}},
    ],
    "limit": 23,
}

PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="bidding.rounds",
        rules=("B5.123", "B5.122"),
        summary="How the rounds of two crews' bids lie: alone before, together, alone after.",
        input=CrewsInput,
        result={
            "more": "a, b, or null where both have as many",
            "solo_before": "rounds that the better crew bids alone at first",
            "simultaneous": "rounds that both bid in secret and at once",
            "solo_after": "rounds that the better crew bids alone at the end",
        },
        run=_rounds,
        example={"crew_a": "average", "crew_b": "veteran"},
    ),
    Procedure(
        name="bidding.schedule",
        rules=("B5.123", "B5.122"),
        summary="Who bids in each round, for any number of forces.",
        input=ScheduleInput,
        result={
            "rounds": "the bidders of each round, in order",
            "frames_after": "rounds after which the map's frame is set (0: before the first)",
        },
        run=_schedule,
        example={"crews": {"ours": "average", "theirs": "poor"}},
    ),
    Procedure(
        name="contact.approach",
        rules=("B5.12", "D2.13"),
        summary="Whether two forces come within range 5 in a turn, and at which step of it.",
        input=ContactInput,
        result={
            "meets": "true if they come within reach",
            "step": "the step at which they do, 0 for the start of the turn, or null",
            "steps": "into how many steps the turn is cut, or null",
            "range": "the range then, in hexes, or null",
            "closest_range": "the least range of the whole turn, in hexes",
        },
        run=_contact,
        example={
            "a": {"start": {}, "move": {"A": 60}},
            "b": {"start": {"A": 40, "B": 3}, "move": {"D": 60}},
        },
    ),
    Procedure(
        name="frame.common",
        rules=("B5.13",),
        summary="The vector that everybody in a fight shares, and what is left to each.",
        input=VelocitiesInput,
        result={"frame": "the shared vector", "vectors": "each velocity less the frame, in order"},
        run=_common,
        example={"vectors": [{"A": 11, "B": 3, "-": 2}, {"A": 6, "B": 7, "-": 1}]},
    ),
    Procedure(
        name="handoff.conversions",
        rules=("B5.12", "B5.121", "B5.111"),
        summary="What distance, time, velocity and condition become on the tactical map.",
        input=NoInput,
        result={
            "allowed": "tactical ruleset to the stated conversion",
            "refused": "tactical ruleset to the reason why it takes no battle from this map",
        },
        run=_conversions,
        example={},
    ),
    Procedure(
        name="handoff.set-up",
        rules=("B5.12", "B5.122", "B5.123", "B5.13", "B5.132"),
        summary="Bids, frame of the map and time limit of a battle, step by step.",
        input=SetUpInput,
        result={
            "vectors": "each force's velocity relative to the map at the start, in tactical hexes a turn",
            "frame": "the map's velocity, in tactical hexes a turn",
            "operational_frame": "the same in operational hexes a turn",
            "operational_turns": "operational turns to the limit, or null",
            "time_limit": "tactical turns to the limit, or null",
            "steps": "the account: bids, merged vectors, shifts of the frame",
        },
        run=_set_up,
        example=_PURSUIT,
    ),
    Procedure(
        name="handoff.start-places",
        rules=("B5.12", "D2.13"),
        summary="Where forces that reached range 5 begin on the tactical map.",
        input=StartInput,
        result={
            "places": "force to hex on the tactical map: q, r and altitude z, the lowest at altitude 0",
            "vectors": "force to the way to it from the first force, in tactical hexes",
            "ranges": f"force to its true range from the first, {START_RANGE} between two opponents",
        },
        run=_places,
        example={
            "forces": {
                "destroyer": {"side": "ours", "position": {"+": 2}},
                "cruiser": {"side": "theirs", "position": {"A": 5}},
            }
        },
    ),
)
