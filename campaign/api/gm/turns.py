"""The GM's hand on the turn: lock, review, amend, publish, and what to do when it fails."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request

from campaign.api.answers import Change, Changes, Line, SheetState, TurnState
from campaign.api.bodies import Amending, Deadline, RollingBack
from campaign.api.doors import Door, operation
from campaign.models import RosterChange, Turn
from campaign.selectors.rulesets import ruleset_of
from campaign.selectors.umpire import turn_at_head
from campaign.services.access import Entry
from campaign.services.history import campaign_reveal, campaign_rollback
from campaign.services.refusals import not_there
from campaign.services.resolution import turn_publish
from campaign.services.turns import (
    deadline_set,
    sides_waiting,
    turn_amend,
    turn_change,
    turn_lock,
    turn_reopen,
    turn_retry,
)


class GmDoor(Door):
    """A door for game masters."""

    audience = "gm"

    @property
    def turn(self) -> Turn:
        """The newest turn of the current line."""
        return newest_turn(self.entry)


class TurnDoor(GmDoor):
    """The turn as it stands."""

    @operation("Read the turn", answer=TurnState)
    def get(self, request: Request) -> TurnState:
        """Answer the newest turn: its status, whose sheets are missing, and why it failed if it did."""
        return turn_state(self.turn)


class LockDoor(GmDoor):
    """The end of orders."""

    @operation("Lock the turn", answer=TurnState)
    def post(self, request: Request) -> TurnState:
        """Close the open turn for orders and ask for its resolution; sheets that did not come are stood in for."""
        turn = turn_lock(turn=self.turn, now=timezone.now(), user=self.person, why="by the GM")
        return turn_state(turn)


class PublishDoor(GmDoor):
    """Publication."""

    @operation("Publish the turn", answer=TurnState)
    def post(self, request: Request) -> TurnState:
        """Let the players see the staged turn, and open the next one, which is answered."""
        turn_publish(turn=self.turn, user=self.person, now=timezone.now())
        return turn_state(self.turn)


class AmendDoor(GmDoor):
    """An amendment to a staged turn."""

    @operation("Amend the turn", body=Amending, answer=Change, status=201)
    def post(self, request: Request, body: Amending) -> Change:
        """Add an amendment to the staged turn's envelope and resolve it again, with the same dice."""
        change = turn_amend(
            turn=self.turn, document=body.document, reason=body.reason, user=self.person, now=timezone.now()
        )
        return change_answer(change)


class ChangesDoor(GmDoor):
    """Changes between turns."""

    @operation("List the changes", answer=Changes)
    def get(self, request: Request) -> Changes:
        """Answer the changes and amendments of the newest turn, and the form of one."""
        turn = self.turn
        return Changes(
            turn=turn.number,
            changes=[change_answer(change) for change in turn.changes.select_related("author").order_by("pk")],
            form=dict(ruleset_of(self.entry.campaign).amendment_schema),
        )

    @operation("Change the campaign", body=Amending, answer=Change, status=201)
    def post(self, request: Request, body: Amending) -> Change:
        """Add a typed change as the first input of the open turn."""
        change = turn_change(
            turn=self.turn, document=body.document, reason=body.reason, user=self.person, now=timezone.now()
        )
        return change_answer(change)


class RetryDoor(GmDoor):
    """Another try."""

    @operation("Retry the turn", answer=TurnState)
    def post(self, request: Request) -> TurnState:
        """Resolve a failed turn again from the same envelope, with the same dice."""
        return turn_state(turn_retry(turn=self.turn, user=self.person, now=timezone.now()))


class ReopenDoor(GmDoor):
    """A failed turn taken back."""

    @operation("Reopen the turn", answer=TurnState)
    def post(self, request: Request) -> TurnState:
        """Take a failed turn back to open, so that what broke it can be mended."""
        return turn_state(turn_reopen(turn=self.turn, user=self.person, now=timezone.now()))


class DeadlineDoor(GmDoor):
    """The deadline."""

    @operation("Set the deadline", body=Deadline, answer=TurnState)
    def put(self, request: Request, body: Deadline) -> TurnState:
        """Move the open turn's deadline, or take it away."""
        turn = deadline_set(turn=self.turn, deadline=body.deadline, user=self.person, now=timezone.now())
        return turn_state(turn)


class RollbackDoor(GmDoor):
    """Back to an earlier turn."""

    @operation("Roll back", body=RollingBack, answer=Line, status=201)
    def post(self, request: Request, body: RollingBack) -> Line:
        """Start a new line after a published turn; the old line stays readable, the orders are offered again."""
        branch = campaign_rollback(
            campaign=self.entry.campaign,
            after_turn=body.after_turn,
            reason=body.reason,
            user=self.person,
            now=timezone.now(),
        )
        return Line(branch=branch.number, forked_after=body.after_turn, turn=body.after_turn + 1)


class RevealDoor(GmDoor):
    """The end."""

    @operation("Reveal the seeds", answer=TurnState)
    def post(self, request: Request) -> TurnState:
        """Finish the campaign and open every seed to its sides."""
        campaign_reveal(campaign=self.entry.campaign, user=self.person, now=timezone.now())
        return turn_state(self.turn)


def newest_turn(entry: Entry) -> Turn:
    """Return the newest turn of a campaign's current line, or 404."""
    turn = turn_at_head(entry.branch)
    if turn is None:
        raise not_there("turn")
    return turn


def turn_state(turn: Turn) -> TurnState:
    """Return a turn as its GM sees it."""
    sheets = turn.sheets.select_related("side").order_by("side__number")
    return TurnState(
        number=turn.number,
        branch=turn.branch.number,
        status=turn.status,
        deadline=turn.deadline,
        commitments=turn.commitments,
        attempts=turn.attempts,
        failure=turn.failure,
        envelope_digest=turn.envelope_digest,
        opened_at=turn.opened_at,
        locked_at=turn.locked_at,
        staged_at=turn.staged_at,
        published_at=turn.published_at,
        sheets=[
            SheetState(
                side=sheet.side.key,
                status=sheet.status,
                stood_in=sheet.stood_in,
                problems=len(sheet.problems),
                sealed_at=sheet.sealed_at,
            )
            for sheet in sheets
        ],
        waiting_for=[side.key for side in sides_waiting(turn)],
        held_because=turn.campaign.held_because,
    )


def change_answer(change: RosterChange) -> Change:
    """Return a change as the GM sees it."""
    return Change(
        number=change.number,
        stage=change.stage,
        document=change.document,
        reason=change.reason,
        author=change.author.username,
        created_at=change.created_at,
    )
