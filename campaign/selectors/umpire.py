"""The truth: snapshots, overviews, events and rolls. Only the GM's doors and the services read here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from campaign.models import Branch, Event, SideReport, Snapshot, Turn
from campaign.selectors.archive import unpack
from campaign.selectors.rulesets import ruleset_of

if TYPE_CHECKING:
    from campaign.models import Side


def line_of(branch: Branch) -> list[tuple[Branch, int | None]]:
    """Return the branches a line runs through, newest first, each with the last turn it gives to the line.

    The branch itself gives all its turns (None); a parent gives those up to the fork.
    """
    line: list[tuple[Branch, int | None]] = [(branch, None)]
    here, last = branch, None
    while here.parent_id is not None:
        forked = here.forked_after or 0
        last = forked if last is None else min(last, forked)
        here = Branch.objects.get(pk=here.parent_id)
        line.append((here, last))
    return line


def branch_holding(branch: Branch, turn: int) -> Branch:
    """Return the branch of the line on which that turn was played."""
    for here, last in line_of(branch):
        if (last is None or turn <= last) and (here.forked_after is None or turn > here.forked_after):
            return here
    return branch


def snapshot_at(branch: Branch, turn: int) -> Snapshot:
    """Return the snapshot after a turn of a line; Snapshot.DoesNotExist when there is none."""
    return Snapshot.objects.get(branch=branch_holding(branch, turn), turn=turn)


def state_at(branch: Branch, turn: int) -> dict[str, Any]:
    """Return the state document after a turn of a line."""
    document: dict[str, Any] = unpack(snapshot_at(branch, turn).state)
    return document


def overview_at(branch: Branch, turn: int) -> dict[str, Any]:
    """Return the umpire's view after a turn: the report's shape, with the truth in it.

    It is made from the snapshot when a GM asks: nobody else does, and most turns are never looked at again.
    """
    ruleset = ruleset_of(branch.campaign)
    return ruleset.view_of_umpire(ruleset.load_state(state_at(branch, turn)))


def rolls_at(branch: Branch, turn: int) -> list[dict[str, Any]]:
    """Return every roll of a turn with its address."""
    rolls: list[dict[str, Any]] = unpack(snapshot_at(branch, turn).rolls)
    return rolls


def staged_report(branch: Branch, turn: int, side: Side) -> dict[str, Any]:
    """Return a side's report whether published or not, for the GM's review."""
    document: dict[str, Any] = unpack(
        SideReport.objects.get(branch=branch_holding(branch, turn), turn=turn, side=side).body
    )
    return document


def events_at(branch: Branch, turn: int) -> list[Event]:
    """Return every event of a turn, with its audience."""
    return list(Event.objects.filter(branch=branch_holding(branch, turn), turn=turn).order_by("number"))


def turn_at_head(branch: Branch) -> Turn | None:
    """Return the newest turn of a branch."""
    return Turn.objects.filter(branch=branch).order_by("-number").first()
