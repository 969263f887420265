"""The record of who did what, and the work in the background."""

from __future__ import annotations

from rest_framework.request import Request

from campaign.api.answers import AuditList, AuditRow, JobList, JobRow
from campaign.api.bodies import AfterQuery
from campaign.api.doors import operation
from campaign.api.gm.turns import GmDoor
from campaign.models import Audit, Job

MOST_JOBS = 100


class AuditDoor(GmDoor):
    """The record."""

    @operation("Read the record", query=AfterQuery, answer=AuditList)
    def get(self, request: Request, query: AfterQuery) -> AuditList:
        """Answer who did what at this campaign, numbered from 1, oldest first."""
        rows = Audit.objects.filter(campaign=self.entry.campaign).select_related("user").order_by("pk")
        page = rows[query.after : query.after + query.limit]
        return AuditList(
            audit=[
                AuditRow(
                    number=number,
                    at=row.at,
                    who=row.user.username if row.user else "",
                    role=row.role,
                    act=row.act,
                    subject=row.subject,
                    reason=row.reason,
                    before=row.before,
                    after=row.after,
                )
                for number, row in enumerate(page, start=query.after + 1)
            ]
        )


class JobsDoor(GmDoor):
    """The work."""

    @operation("List the work", answer=JobList)
    def get(self, request: Request) -> JobList:
        """Answer the campaign's newest pieces of work with how far they are."""
        rows = Job.objects.filter(campaign=self.entry.campaign).order_by("-pk")[:MOST_JOBS]
        return JobList(
            jobs=[
                JobRow(
                    job=row.token,
                    kind=row.kind,
                    subject=row.subject,
                    state=row.state,
                    done=row.done,
                    total=row.total,
                    what=row.what,
                    runs=row.runs,
                    failure=row.failure,
                    created_at=row.created_at,
                    finished_at=row.finished_at,
                )
                for row in rows
            ]
        )
