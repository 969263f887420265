"""The rules desk: single rules by name, for anyone."""

from __future__ import annotations

from functools import cache

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from campaign.api.answers import Coverage, Desk, DeskAnswer, DeskProcedure, DeskRefusal
from campaign.api.bodies import DeskInput
from campaign.api.documents import LARGEST_EXACT
from campaign.api.doors import Door, operation
from campaign.api.replies import JSON, json_bytes, json_reply
from campaign.engine.errors import Problem
from campaign.services.refusals import NotThereError, not_there
from campaign.services.rules_desk import coverage, desk_answer, desks


@cache
def described() -> dict[tuple[str, str], DeskProcedure]:
    """Return every procedure of every ruleset by "level/key" and name."""
    return {
        (ruleset, one.name): DeskProcedure(
            ruleset=ruleset,
            procedure=one.name,
            rules=list(one.rules),
            summary=one.summary,
            dice=one.dice,
            input=one.input.model_json_schema(),
            result=dict(one.result),
            example=None if one.example is None else dict(one.example),
        )
        for ruleset, desk in sorted(desks().items())
        for one in desk.procedures
    }


@cache
def covered() -> bytes:
    """Return the coverage as it is sent; it is made once a process, for anyone may ask for it."""
    return json_bytes({"coverage": coverage()})


class PublicDesk(Door):
    """A door of the desk: nobody is asked who he is, and numbers go as far as JSON is exact."""

    audience = "public"
    authentication_classes = []
    largest = LARGEST_EXACT


class DeskDoor(PublicDesk):
    """Every procedure."""

    @operation("List the procedures", answer=Desk)
    def get(self, request: Request) -> Desk:
        """Answer every ruleset's procedures with their rules, input and result."""
        return Desk(procedures=list(described().values()))


class CoverageDoor(PublicDesk):
    """Every rule of every source."""

    @operation("List the coverage of the sources", answer=Coverage)
    def get(self, request: Request) -> HttpResponseBase:
        """Answer each rule's status: implemented (where, and the tests that hold it), ruled out (why), or missing."""
        return HttpResponse(covered(), content_type=JSON)


class ProcedureDoor(PublicDesk):
    """One procedure."""

    @operation("Describe a procedure", answer=DeskProcedure)
    def get(self, request: Request, level: str, ruleset: str, procedure: str) -> DeskProcedure:
        """Answer the procedure's rules, input and result."""
        found = described().get((f"{level}/{ruleset}", procedure))
        if found is None:
            raise not_there("procedure")
        return found

    @operation("Ask a rule", body=DeskInput, answer=DeskAnswer, answers={422: DeskRefusal})
    def post(self, request: Request, level: str, ruleset: str, procedure: str, body: DeskInput) -> HttpResponseBase:
        """Answer a question put to a rule, the body being its input: the same as the command's answer."""
        key = f"{level}/{ruleset}"
        answered = {"id": None, **desk_answer(ruleset=key, procedure=procedure, document=body.root)}
        if (key, procedure) not in described():
            raise NotThereError(Problem(**problem) for problem in answered["error"]["problems"])
        return json_reply(answered, 422 if "error" in answered else 200)
