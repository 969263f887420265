"""What goes out: one model for each answer. The documents of the rulesets are described in docs/rulesets.md."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

Document = dict[str, Any]


class Answer(BaseModel):
    """Base of every answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ProblemDocument(Answer):
    """One thing that is wrong."""

    code: str = Field(description="kebab-case")
    place: str = Field(description="JSON Pointer into what was sent; empty: the whole of it")
    rule: str = Field(description="rule number of the source, or empty")
    message: str
    severity: str = Field(description="stop, or warn")


class Problems(Answer):
    """Everything that is wrong."""

    problems: list[ProblemDocument]


class Key(Answer):
    """A token for the Authorization header: "Token <token>"."""

    token: str


class SideFacts(Answer):
    """What everyone knows of a side."""

    key: str
    name: str
    number: int
    is_computer: bool


class TurnFacts(Answer):
    """What everyone at a campaign knows of its turn."""

    number: int
    status: str = Field(description="open, locked, resolving, staged, published or failed")
    deadline: datetime | None
    commitments: dict[str, str] = Field(description="SHA-256 of each secret seed, by side and umpire")


class LineFacts(Answer):
    """A line of history."""

    number: int
    forked_after: int | None
    is_current: bool


class SeatFacts(Answer):
    """The caller's own place."""

    role: str
    side: str | None


class CampaignEntry(Answer):
    """A campaign in a list."""

    campaign: str = Field(description="outward id")
    name: str
    status: str
    seat: SeatFacts


class CampaignList(Answer):
    """The caller's campaigns, by name."""

    campaigns: list[CampaignEntry]


class CampaignFacts(CampaignEntry):
    """What everyone at a campaign knows of it."""

    ruleset: str
    edition: int
    tactical: str
    epoch: str
    rulings: dict[str, str]
    late_policy: str
    time_zone: str
    calendar_commitment: str
    sides: list[SideFacts]
    lines: list[LineFacts]
    turn: TurnFacts


class FixtureFacts(Answer):
    """A campaign that comes with the project."""

    key: str
    name: str
    story: str


class FixtureList(Answer):
    """The campaigns that come with the project."""

    fixtures: list[FixtureFacts]


class Seated(Answer):
    """A seat taken."""

    campaign: str
    name: str
    seat: SeatFacts


class ShipClassFacts(Answer):
    """A ship class in a list."""

    key: str
    name: str
    nation: str
    hull: str
    rulesets: list[str]


class ShipClassList(Answer):
    """The library."""

    ship_classes: list[ShipClassFacts]


class ShipClassWhole(ShipClassFacts):
    """A ship class with its stat blocks by ruleset."""

    stat_blocks: dict[str, Document]


class Report(BaseModel):
    """What a side knows after a turn (docs/rulesets.md, section 1); further fields are the ruleset's."""

    model_config = ConfigDict(extra="allow")

    turn: int
    side: str | None
    forces: list[Document]
    contacts: list[Document]
    ships: list[Document]


class TurnReport(Answer):
    """A published turn with the digest of the side's report."""

    turn: int
    digest: str
    published_at: datetime


class TurnReportList(Answer):
    """The published turns of a line."""

    turns: list[TurnReport]


class Contacts(Answer):
    """What is believed of others."""

    turn: int
    contacts: list[Document]


class Forces(Answer):
    """The side's own forces."""

    turn: int
    forces: list[Document]


class Ships(Answer):
    """The side's own ships."""

    turn: int
    ships: list[Document]


class Schema(Answer):
    """A form, as JSON Schema (draft 2020-12)."""

    form: Document


class Sheet(Answer):
    """An order sheet."""

    turn: int
    status: str = Field(description="draft, sealed, frozen or resolved")
    version: int
    document: Document
    problems: list[ProblemDocument]
    stood_in: str = Field(description="what stood in for a sheet that did not come, or empty")
    sealed_by: str | None
    sealed_at: datetime | None
    updated_at: datetime


class SheetCheck(Answer):
    """What is wrong with a sheet; it can be sealed when nothing stops it."""

    can_be_sealed: bool
    problems: list[ProblemDocument]


class Course(Answer):
    """A course of fewest turns: one change of velocity a turn, in hexes a turn."""

    turns: int
    plan: list[dict[str, int]]


class FeedRow(Answer):
    """One piece of news, numbered for the side alone."""

    number: int
    turn: int
    kind: str
    text: str
    rules: list[str]
    data: Document


class Feed(Answer):
    """News, oldest first."""

    feed: list[FeedRow]


class Seeds(Answer):
    """Seeds of a published turn, by side and umpire; the SHA-256 of each is its commitment."""

    turn: int
    seeds: dict[str, str]
    nonces: dict[str, str]
    commitments: dict[str, str]


class EngagementEntry(Answer):
    """An engagement in a side's list, by the side's own number."""

    number: int
    turn: int
    issue: int
    status: str


class EngagementList(Answer):
    """A side's engagements on the current line."""

    engagements: list[EngagementEntry]


class Briefing(Answer):
    """What a side may read of an engagement now."""

    number: int
    briefing: Document


class JobState(Answer):
    """Where the newest piece of work stands; how far it is, is for the GM."""

    state: str = Field(description="queued, running, done, failed, cancelled; idle: there was none")


class DeskProcedure(Answer):
    """A procedure of the rules desk."""

    ruleset: str = Field(description="level and key")
    procedure: str
    rules: list[str]
    summary: str
    dice: str | None = Field(description="field in which typed faces come, or null where nothing is rolled")
    input: Document = Field(description="JSON Schema of the input")
    result: dict[str, str]
    example: Document | None


class Desk(Answer):
    """Every procedure."""

    procedures: list[DeskProcedure]


class DeskError(Answer):
    """Why a question is not answered."""

    code: str
    field: str
    message: str
    problems: list[ProblemDocument]


class DeskRefusal(Answer):
    """A question that is not answered."""

    id: None
    error: DeskError


class DeskRuling(Answer):
    """How an unclear rule is read, why, and the campaign's switch that may read it otherwise."""

    rules: list[str]
    reading: str
    why: str
    switch: str | None


class DeskAnswer(Answer):
    """A question's answer, with the rules it used and the readings it rests on."""

    id: None
    result: Document
    rolls: list[int]
    rules: list[str]
    rulings: list[DeskRuling]


class CoverageRow(Answer):
    """A rule of a source, and what became of it."""

    source: str
    rule: str
    status: str
    where: str
    test: str
    why: str


class Coverage(Answer):
    """Every rule of every source."""

    coverage: list[CoverageRow]


class SheetState(Answer):
    """Where a side's sheet stands."""

    side: str
    status: str
    stood_in: str
    problems: int
    sealed_at: datetime | None


class TurnState(TurnFacts):
    """A turn, for its GM."""

    branch: int
    attempts: int
    failure: str
    envelope_digest: str
    opened_at: datetime
    locked_at: datetime | None
    staged_at: datetime | None
    published_at: datetime | None
    sheets: list[SheetState]
    waiting_for: list[str]
    held_because: str


class EventRow(Answer):
    """An event with its audience."""

    number: int
    phase: str
    kind: str
    text: str
    audience: list[str]
    rules: list[str]
    data: Document


class Events(Answer):
    """Every event of a turn."""

    turn: int
    events: list[EventRow]


class Rolls(Answer):
    """Every roll of a turn with its address."""

    turn: int
    rolls: list[Document]


class Change(Answer):
    """A typed change of a turn."""

    number: int
    stage: str = Field(description="change: before the turn; amendment: after its phases")
    document: Document
    reason: str
    author: str
    created_at: datetime


class Changes(Answer):
    """The changes of a turn, and the form of one."""

    turn: int
    changes: list[Change]
    form: Document


class Line(Answer):
    """The new line of a rollback."""

    branch: int
    forked_after: int
    turn: int


class Verdict(Answer):
    """What came of playing a turn again: same, differs, or edition not available."""

    branch: int
    turn: int
    verdict: str
    detail: str


class Verdicts(Answer):
    """Turns played again, and how the rows differ from the head's snapshot."""

    verdicts: list[Verdict]
    rows: list[str]


class InvitationFacts(Answer):
    """An invitation, without its secret."""

    id: str
    role: str
    side: str | None
    state: str = Field(description="open, used, withdrawn or expired")
    used_by: str | None
    created_at: datetime
    expires_at: datetime


class InvitationList(Answer):
    """A campaign's invitations."""

    invitations: list[InvitationFacts]


class InvitationMade(InvitationFacts):
    """An invitation with the secret of its link, which is shown this once."""

    secret: str


class SeatRow(Answer):
    """A person's seat."""

    username: str
    role: str
    side: str | None
    created_at: datetime
    ended_at: datetime | None


class SeatList(Answer):
    """A campaign's seats, ended ones too."""

    seats: list[SeatRow]


class Battle(Answer):
    """An engagement, for the GM: everything."""

    engagement: str
    numbers: dict[str, int]
    turn: int
    issue: int
    status: str
    way: str
    digest: str
    document: Document
    settled: Document | None
    bids: list[Document]
    reports: list[Document]
    score: Document | None
    report_form: Document


class BattleEntry(Answer):
    """An engagement in the GM's list."""

    engagement: str
    numbers: dict[str, int]
    turn: int
    issue: int
    status: str
    way: str
    enters_turn: int | None


class BattleList(Answer):
    """Every engagement of the current line."""

    engagements: list[BattleEntry]


class AuditRow(Answer):
    """Who did what."""

    number: int
    at: datetime
    who: str
    role: str
    act: str
    subject: str
    reason: str
    before: str
    after: str


class AuditList(Answer):
    """The record, oldest first."""

    audit: list[AuditRow]


class JobRow(Answer):
    """A piece of work, for the GM."""

    job: str
    kind: str
    subject: str
    state: str
    done: int
    total: int
    what: str
    runs: int
    failure: str
    created_at: datetime
    finished_at: datetime | None


class JobList(Answer):
    """Work, newest first."""

    jobs: list[JobRow]
