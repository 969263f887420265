"""Patrol scenarios for anyone: opened, taken, played and read by secret link, without an account."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpResponse
from django.utils import timezone
from pydantic import Field
from rest_framework.request import Request

from campaign.api.answers import Answer
from campaign.api.bodies import Body, Count, Document, Query
from campaign.api.doors import Door, operation
from campaign.api.replies import private
from campaign.rulebooks.saganami.patrol import DEFAULT_YEAR
from campaign.rulebooks.saganami.patrol_acts import act_schema
from campaign.rulebooks.saganami.patrol_opening import OpeningIn
from campaign.rulebooks.saganami.patrol_view import public_view
from campaign.selectors.patrol import patrol_factions, patrol_state
from campaign.services.paper import paper_named
from campaign.services.patrol import (
    PatrolSeat,
    patrol_act,
    patrol_invitation,
    patrol_open,
    patrol_result,
    patrol_revealed,
    patrol_seat,
    patrol_take,
    patrol_view,
)
from campaign.services.patrol_papers import seat_pdf

Nonce = Annotated[str, Field(max_length=128, description="a word of the client's own, mixed into its dice")]


class PatrolOpening(Body):
    """A new scenario: what both agree on, and as whom the opener sits."""

    opener: Literal["attacker", "defender", "umpire"]
    opening: Document = Field(description="year, base, attacker, defender and manners; GET describes it")
    nonce: Nonce = ""


class PatrolTaking(Body):
    """A seat taken by invitation."""

    name: str = Field(default="", max_length=40, description="the force's name; left out: the agreed one")
    nonce: Nonce = ""


class PatrolActing(Body):
    """One act."""

    act: Document = Field(description="in the form of the act schema")
    version: Count | None = Field(default=None, description="what the writer saw; a newer one refuses the act (409)")


class YearQuery(Query):
    """A year PD."""

    year: Annotated[int, Field(ge=1, le=9999)] = DEFAULT_YEAR


class PaperQuery(Query):
    """What to print on."""

    paper: str = Field(default="a4", max_length=10, description="a4 or letter")


class ResultPaperQuery(PaperQuery):
    """Whose papers of a scenario that is laid open."""

    of: Literal["attacker", "defender", "umpire"] = "umpire"


class PatrolForms(Answer):
    """The forms of an opening and of every act, as JSON Schema."""

    opening: Document
    act: Document


class PatrolFactions(Answer):
    """Each nation of the library with what it can send."""

    year: int
    factions: list[Document]


class PatrolMade(Answer):
    """A seat at a scenario: its secret, which is shown once, and the invitations to send on, by role."""

    patrol: str
    role: str
    secret: str
    invitations: dict[str, str]


class PatrolOffered(Answer):
    """What an invitation offers."""

    role: str
    patrol: Document


class PatrolSeen(Answer):
    """What a seat may see."""

    view: Document


class PatrolResult(Answer):
    """Everything of a scenario that is laid open."""

    result: Document


class PatrolDoor(Door):
    """A door that nobody signs in at; a secret in its address is kept out of every cache."""

    audience = "public"
    authentication_classes = []

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Keep the answer out of shared caches."""
        finished = super().finalize_response(request, response, *args, **kwargs)
        private(finished)
        return finished


class PatrolsDoor(PatrolDoor):
    """Every scenario begins here."""

    @operation("Read the forms of an opening and of every act", answer=PatrolForms)
    def get(self, request: Request) -> PatrolForms:
        """Answer the forms."""
        return PatrolForms(opening=OpeningIn.model_json_schema(), act=act_schema())

    @operation("Open a patrol scenario", body=PatrolOpening, answer=PatrolMade, status=201, refusals=(422, 429))
    def post(self, request: Request, body: PatrolOpening) -> PatrolMade:
        """Open a scenario as attacker, defender or umpire; the answer's secrets are shown once."""
        opened = patrol_open(document=body.opening, opener=body.opener, nonce=body.nonce, now=timezone.now())
        return PatrolMade(
            patrol=opened.row.token, role=opened.role, secret=opened.secret, invitations=dict(opened.invitations)
        )


class PatrolFactionsDoor(PatrolDoor):
    """What each faction can send in a year."""

    @operation("List the factions of a year", query=YearQuery, answer=PatrolFactions)
    def get(self, request: Request, query: YearQuery) -> PatrolFactions:
        """Answer the nations of the library and their classes that are in service and armed."""
        return PatrolFactions(year=query.year, factions=patrol_factions(query.year))


class PatrolInvitationDoor(PatrolDoor):
    """A seat that waits for its player."""

    @operation("Read an invitation", answer=PatrolOffered, refusals=(404,))
    def get(self, request: Request, patrol_invitation_secret: str) -> PatrolOffered:
        """Answer which seat the invitation gives, and what was agreed on."""
        seat = patrol_invitation(secret=patrol_invitation_secret)
        return PatrolOffered(role=seat.role, patrol=public_view(patrol_state(seat.row)))

    @operation("Take a seat", body=PatrolTaking, answer=PatrolMade, status=201, refusals=(404, 409, 422))
    def post(self, request: Request, patrol_invitation_secret: str, body: PatrolTaking) -> PatrolMade:
        """Take the seat; the invitation is used up, and the answer's secret is the seat's from now on."""
        seat, secret = patrol_take(
            secret=patrol_invitation_secret, name=body.name, nonce=body.nonce, now=timezone.now()
        )
        return PatrolMade(patrol=seat.row.token, role=seat.role, secret=secret, invitations={})


class PatrolSeatDoor(PatrolDoor):
    """A seat's own view."""

    @operation("Read a seat's view", answer=PatrolSeen, refusals=(404, 409))
    def get(self, request: Request, patrol_secret: str) -> PatrolSeen:
        """Answer what the seat may see; 409 once the scenario is laid open, where the result takes its place."""
        return PatrolSeen(view=patrol_view(patrol_seat(secret=patrol_secret)))


class PatrolActsDoor(PatrolDoor):
    """A seat's acts."""

    @operation("Do an act", body=PatrolActing, answer=PatrolSeen, refusals=(404, 409, 422))
    def post(self, request: Request, patrol_secret: str, body: PatrolActing) -> PatrolSeen:
        """Do one act and answer the seat's view after it; of a scenario that it laid open, what anyone may know."""
        seat = patrol_act(secret=patrol_secret, document=body.act, version=body.version, now=timezone.now())
        view = public_view(patrol_state(seat.row)) if seat.is_revealed else patrol_view(seat)
        return PatrolSeen(view=view)


def pdf_reply(seat: PatrolSeat, paper: str) -> HttpResponse:
    """Return the papers of a seat: its own side's, or the umpire's."""
    made, name = seat_pdf(row=seat.row, role=seat.role, paper=paper_named(paper))
    response = HttpResponse(made, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response


class PatrolPapersDoor(PatrolDoor):
    """A seat's papers."""

    @operation("Print a seat's papers", query=PaperQuery, answer=None, file="application/pdf", refusals=(404, 409, 422))
    def get(self, request: Request, patrol_secret: str, query: PaperQuery) -> HttpResponse:
        """Answer the PDF of the seat's own side, or the umpire's; 409 before the battle."""
        return pdf_reply(patrol_seat(secret=patrol_secret), query.paper)


class PatrolResultDoor(PatrolDoor):
    """A scenario that is laid open."""

    @operation("Read a result", answer=PatrolResult, refusals=(404,))
    def get(self, request: Request, patrol_id: str) -> PatrolResult:
        """Answer both sides, the record of draws and rolls, the score, the opened seeds and the replay's verdict."""
        return PatrolResult(result=patrol_result(token=patrol_id))


class PatrolResultPapersDoor(PatrolDoor):
    """The papers of a scenario that is laid open."""

    @operation(
        "Print a result's papers", query=ResultPaperQuery, answer=None, file="application/pdf", refusals=(404, 409, 422)
    )
    def get(self, request: Request, patrol_id: str, query: ResultPaperQuery) -> HttpResponse:
        """Answer the PDF of either side or of the umpire; 409 for a scenario that was called off too early."""
        return pdf_reply(PatrolSeat(patrol_revealed(token=patrol_id), query.of), query.paper)
