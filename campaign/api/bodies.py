"""What may come in: one model for each body and query. Unknown fields and silent conversions are refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, RootModel

LARGEST_COUNT = 2**31 - 1
YEARS = (2000, 2999)  # of a real deadline; beyond, conversions between time zones overflow

Count = Annotated[int, Field(ge=0, le=LARGEST_COUNT)]
Reason = Annotated[str, Field(min_length=1, max_length=200, description="why, for the record")]
Document = dict[str, Any]


class Body(BaseModel):
    """Base of every body."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Query(BaseModel):
    """Base of every query: its values come as text."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Nothing(Body):
    """No body, or an empty object."""


class TurnQuery(Query):
    """Which published turn, on which line."""

    turn: Count | None = Field(default=None, description="operational turn; left out: the newest")
    branch: Count | None = Field(default=None, description="line of history by number; left out: the current one")


class SheetQuery(Query):
    """Which turn's sheet."""

    turn: Count | None = Field(default=None, description="operational turn; left out: the newest")


class AfterQuery(Query):
    """A part of a numbered list."""

    after: Count = Field(default=0, description="only what has a larger number")
    limit: Annotated[int, Field(ge=1, le=500)] = Field(default=200, description="how many at most")


class VerifyQuery(Query):
    """Which turns to play again."""

    first: Count = Field(default=1, description="first operational turn to play again")
    last: Count | None = Field(default=None, description="last operational turn; left out: the newest")


class SignIn(Body):
    """Name and password."""

    username: str = Field(min_length=1, max_length=150)
    password: str = Field(min_length=1, max_length=4096)


class CampaignOpening(Body):
    """A new campaign: a fixture by name, or a whole set-up document; and the manners of its turns."""

    name: str | None = Field(default=None, max_length=80, description="left out: the fixture's")
    fixture: str | None = Field(default=None, max_length=60, description="key of a campaign of the fixtures")
    setup: Document | None = Field(default=None, description="a whole set-up, in place of a fixture")
    auto_publish: bool = Field(default=False, description="publish each turn without the GM's review")
    late_policy: Literal["standing", "coast", "captain"] = Field(
        default="standing", description="what stands in for a sheet that does not come"
    )
    turn_hours: Annotated[int, Field(ge=1, le=8760)] | None = Field(
        default=None, description="real hours for each turn's orders; left out: no deadline"
    )
    time_zone: str = Field(default="UTC", max_length=64, description="in which deadlines are shown")


class InvitationSecret(Body):
    """The secret at the end of an invitation's link."""

    secret: str = Field(min_length=1, max_length=200)


class ShipClassDocument(Body):
    """A class's stat block for one ruleset."""

    ruleset: str = Field(max_length=40, description="key of the ruleset that reads it, such as saganami")
    document: Document = Field(description="the stat block")


class SheetWriting(Body):
    """A whole order sheet, from the version the writer saw."""

    turn: Count = Field(description="the turn the writer believes it is")
    version: Count = Field(description="the version the writer saw; a newer one refuses the writing (409)")
    document: Document = Field(description="the sheet, in the form of the order schema")


class SheetChecking(Body):
    """A whole order sheet, to be read and not kept."""

    document: Document = Field(description="the sheet, in the form of the order schema")


class HexBody(Body):
    """A hex of the force's system; the star stands at 0, 0, 0."""

    q: Annotated[int, Field(ge=-100_000, le=100_000)]
    r: Annotated[int, Field(ge=-100_000, le=100_000)]
    z: Annotated[int, Field(ge=-100_000, le=100_000)] = 0


class CoursePlanning(Body):
    """Where one's own force is to go."""

    force: str = Field(max_length=24, description="id of an own force on the map")
    arrive: Literal["pass", "rest", "meet", "match"] = Field(
        description="pass through a hex or rest in it; meet a contact in its hex, or match its velocity too"
    )
    to: HexBody | None = Field(default=None, description="the hex, for pass and rest")
    contact: str | None = Field(default=None, max_length=24, description="id of the contact, for meet and match")


class Sealing(Body):
    """The sheet's seal: the turn, the version seen, and the client's own nonce for the dice."""

    turn: Count
    version: Count
    nonce: str = Field(min_length=8, max_length=128, description="made by the client; it is mixed into the dice")


class Unsealing(Body):
    """The seal taken back."""

    turn: Count
    version: Count


class Bidding(Body):
    """A secret bid for one round."""

    round: Count
    bid: Document = Field(description="thrust by letter; empty: none")


class Reporting(Body):
    """A battle report."""

    document: Document = Field(description="the report, in the form of the report schema")


class Amending(Body):
    """A typed change and its reason."""

    document: Document = Field(description="the change, in the form of the amendment schema")
    reason: Reason


class RollingBack(Body):
    """Back to the end of a published turn."""

    after_turn: Count
    reason: Reason


def _in_range(moment: AwareDatetime) -> AwareDatetime:
    if not YEARS[0] <= moment.year <= YEARS[1]:
        raise ValueError(f"A deadline lies in the years {YEARS[0]} to {YEARS[1]}")
    return moment


class Deadline(Body):
    """When an open turn locks; null takes the deadline away."""

    deadline: Annotated[AwareDatetime, Field(strict=False), AfterValidator(_in_range)] | None = Field(
        description="with its offset from UTC, such as 2026-05-03T20:00:00+02:00"
    )


class Inviting(Body):
    """Whom to seat."""

    role: Literal["gm", "commander", "observer"]
    side: str | None = Field(default=None, max_length=24, description="key of the side; none for a GM")


class Voiding(Body):
    """Why an engagement is called off."""

    reason: Reason


class WayChoosing(Body):
    """How an engagement is fought."""

    way: Literal["table", "auto", "web", "bot"]


class DeskInput(RootModel[Document]):
    """A procedure's input, as GET describes it."""
