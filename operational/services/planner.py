"""The course planner for the map: a question to the rules desk's ``course.plan``, made of one side's report alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.engine.errors import Problem, ProblemsError
from campaign.engine.vectors import from_axial
from campaign.services.rules_desk import desk_answer, desks

ARRIVALS: Mapping[str, str] = {
    "pass": "pass through the hex",
    "rest": "arrive at rest",
    "meet": "meet the contact in its hex",
    "match": "match the contact's course",
}
OF_CONTACT = ("meet", "match")
PROCEDURE = "course.plan"


@dataclass(frozen=True, slots=True)
class Plan:
    """A course: one change of velocity a turn, how many turns it takes, and whether fewer are surely not enough."""

    turns: int
    changes: tuple[Mapping[str, int], ...]
    is_fewest: bool


def is_planner_offered(*, report: Mapping[str, Any]) -> bool:
    """Return whether the ruleset's desk plans courses."""
    desk = desks().get(report["ruleset"])
    return desk is not None and desk.procedure(PROCEDURE) is not None


def course_plan(
    *,
    report: Mapping[str, Any],
    force: Mapping[str, Any],
    arrive: str,
    at: tuple[int, int, int] | None = None,
    contact: Mapping[str, Any] | None = None,
) -> Plan:
    """Plan a force's way to a hex, or to a contact that goes on as it was last seen.

    ``force`` and ``contact`` are rows of the report. Raises ProblemsError with what the planner refuses.
    """
    if force["place"] != "map":
        raise ProblemsError([Problem("/force", "not-on-map", f"{force['name']} is not on the map.", "B5.12")])
    question: dict[str, Any] = {
        "position": _vectors(force["q"], force["r"], force["z"]),
        "vectors": dict(force["velocity"]),
        "thrust": force["thrust"],
        "arrive": arrive,
        "carry": list(force.get("carry", ())),
        "engineer": _engineer(report, force),
        "displacement": report.get("rulings", {}).get("displacement") != "none",
    }
    if arrive in OF_CONTACT:
        question |= _of_contact(contact, force)
    else:
        if at is None:
            raise ProblemsError([Problem("/to", "no-hex", "Name the hex to go to: q, r and z.")])
        question["to"] = _vectors(*at)
    answer = desk_answer(ruleset=report["ruleset"], procedure=PROCEDURE, document=question)
    if "error" in answer:
        raise ProblemsError(
            Problem(problem["place"], problem["code"], problem["message"], problem["rule"])
            for problem in answer["error"]["problems"]
        )
    result = answer["result"]
    return Plan(int(result["turns"]), tuple(result["plan"]), bool(result["fewest"]))


def _engineer(report: Mapping[str, Any], force: Mapping[str, Any]) -> str:
    """Return the grade of the flagship's engineer, who leads the force's drive; average for a dummy."""
    flagship = next((ship for ship in report["ships"] if ship["id"] == force["flagship"]), None)
    return "average" if flagship is None else str(flagship["grades"].get("engineer", "average"))


def _of_contact(contact: Mapping[str, Any] | None, force: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of the question that names a contact: where it is reckoned to be now, and its course."""
    if contact is None or contact["lost"] or contact["system"] != force["system"]:
        raise ProblemsError([Problem("/contact", "no-contact", "Choose a contact in the force's own system.")])
    if contact["velocity"] is None:
        message = f"The course of {contact['label']} is not known, so it cannot be met."
        raise ProblemsError([Problem("/contact", "course-not-known", message, "B5.143")])
    here = next(
        (ghost for ghost in contact["ghosts"] if contact["age"] and ghost["turn"] == contact["seen"] + contact["age"]),
        contact,
    )
    return {"to": _vectors(here["q"], here["r"], here["z"]), "to_vectors": dict(contact["velocity"])}


def _vectors(q: int, r: int, z: int) -> dict[str, int]:
    return from_axial(q, r, z)
