"""The course planner, asked from the side's own report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request

from campaign.api.answers import Course
from campaign.api.bodies import CoursePlanning, TurnQuery
from campaign.api.doors import Door, operation
from campaign.api.player.reports import report_asked
from campaign.engine.errors import Problem, ProblemsError
from campaign.selectors.archive import unpack
from operational.services.planner import course_plan


class CourseDoor(Door):
    """A course, to be looked at and put into a sheet."""

    audience = "player"

    @operation("Plan a course", body=CoursePlanning, answer=Course)
    def post(self, request: Request, body: CoursePlanning) -> Course:
        """Answer the fewest turns of one's own force to a hex, or to a contact that goes on as it was last seen.

        The plan is a change of velocity a turn, as a standing course of the order sheet takes it; nothing
        is kept.
        """
        report = unpack(report_asked(self.entry, TurnQuery()).body)
        plan = course_plan(
            report=report,
            force=_row(report["forces"], body.force, "force"),
            arrive=body.arrive,
            at=None if body.to is None else (body.to.q, body.to.r, body.to.z),
            contact=None if body.contact is None else _row(report["contacts"], body.contact, "contact"),
        )
        return Course(turns=plan.turns, plan=[dict(change) for change in plan.changes])


def _row(rows: list[dict[str, Any]], name: str, what: str) -> Mapping[str, Any]:
    """Return a row of the report by id; one of another side is as unknown as one that does not exist."""
    row = next((row for row in rows if row["id"] == name), None)
    if row is None:
        raise ProblemsError([Problem("/" + what, f"unknown-{what}", f"You have no {what} {name}.")])
    return row
