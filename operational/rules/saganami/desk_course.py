"""The rules desk's course planner: the fewest turns to a point or to a contact that coasts (B3, B5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from campaign.engine.errors import Problem, ProblemsError, refuse
from campaign.engine.procedure import Input, Procedure
from campaign.engine.vector_input import Letter, VectorsInput
from campaign.engine.vectors import from_axial, to_axial
from campaign.rulebooks.saganami.grades import Grade
from campaign.rulebooks.saganami.movement import OPERATIONAL_SPEED_LIMIT, is_within_speed_limit
from operational.rules.saganami.course import MOST_TURNS, Goal, plan
from operational.rules.saganami.flight import Flight

FARTHEST = 1000  # hexes in a direction
MOST_THRUST = 20  # the fastest LACs


class CourseInput(Input):
    """Where a force is, what it can do, and where it is to go."""

    position: VectorsInput = Field(default={}, description="Place in hexes from any point, such as the star")
    vectors: VectorsInput = Field(default={}, description="Velocity in hexes a turn")
    thrust: int = Field(ge=0, le=MOST_THRUST, description="Thrust rating, the slowest ship's")
    to: VectorsInput = Field(description="Place of the goal now, in hexes from the same point")
    to_vectors: VectorsInput = Field(default={}, description="Velocity of a goal that coasts, in hexes a turn")
    arrive: Literal["rest", "pass", "match", "meet"] = Field(
        default="rest",
        description="rest: stop there; pass: end a turn there; match: with the goal's own velocity; meet: in its hex",
    )
    engineer: Grade = Field(default="average", description="Grade of the flagship's engineering officer")
    carry: list[Letter] = Field(default=[], description="Directions in which a half hex is carried")
    displacement: bool = Field(default=True, description="Whether thrust displaces by half of its change")


def course_plan(given: CourseInput) -> Mapping[str, Any]:
    """Answer course.plan."""
    problems = [
        Problem(f"/{name}", "too-far", f"The planner looks at most {FARTHEST} hexes far.", "B5.12")
        for name, vectors in (("position", given.position), ("to", given.to))
        if any(number > FARTHEST for number in vectors.values())
    ]
    problems += [
        Problem(f"/{name}", "too-fast", f"Nothing is faster than {OPERATIONAL_SPEED_LIMIT} hexes a turn.", "B5.123")
        for name, vectors in (("vectors", given.vectors), ("to_vectors", given.to_vectors))
        if not is_within_speed_limit(vectors)
    ]
    if given.to_vectors and given.arrive in ("rest", "pass"):
        message = "A goal that moves is met or matched."
        problems.append(Problem("/arrive", "goal-moves", message, "B3.11"))
    if problems:
        raise ProblemsError(problems)
    flight = Flight(
        position=to_axial(given.position),
        velocity=to_axial(given.vectors),
        carry=tuple(given.carry),
        engineer=given.engineer,
        is_displaced=given.displacement,
    )
    goal = Goal(to_axial(given.to), to_axial(given.to_vectors), is_matched=given.arrive in ("rest", "match"))
    course = plan(flight, given.thrust, goal)
    if course is None:
        message = f"No course gets there within {MOST_TURNS} turns."
        raise refuse("no-course", message, place="/to", rule="B3.24")
    return {
        "turns": course.turns,
        "plan": [dict(change) for change in course.changes],
        "position": from_axial(*course.end.position),
        "vectors": from_axial(*course.end.velocity),
        "carry": list(course.end.carry),
        "fewest": course.is_fewest,
    }


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="course.plan",
        rules=("B3.24", "B3.27", "B3.32", "B5.12", "B5.122", "B5.123"),
        summary="The course of fewest turns to a point (pass or rest), or to a coasting contact (meet or match).",
        input=CourseInput,
        result={
            "turns": "operational turns it takes",
            "plan": "the change of velocity of each turn, hexes a turn by direction",
            "position": "where it ends, in hexes from the same point",
            "vectors": "the velocity it ends with, in hexes a turn",
            "carry": "directions in which a half hex is carried at the end",
            "fewest": "true where it is certain that fewer turns are not enough",
        },
        run=course_plan,
        example={"position": {"A": 0}, "vectors": {}, "thrust": 3, "to": {"A": 60}, "arrive": "rest"},
    ),
)
