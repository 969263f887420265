"""What a side may read: its stored, published reports and its feed. Player-facing code reads here only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from campaign.models import Branch, Feed, SideReport
from campaign.selectors.archive import unpack

if TYPE_CHECKING:
    from campaign.models import Side


def published_turns(*, side: Side, branch: Branch) -> list[int]:
    """Return the turns of a line for which the side has a published report, oldest first."""
    turns: set[int] = set()
    here: Branch | None = branch
    last: int | None = None
    while here is not None:
        rows = SideReport.objects.filter(side=side, branch=here, published_at__isnull=False)
        if last is not None:
            rows = rows.filter(turn__lte=last)
        turns |= set(rows.values_list("turn", flat=True))
        if here.forked_after is not None:
            last = here.forked_after if last is None else min(last, here.forked_after)
        here = here.parent
    return sorted(turns)


def report_row(*, side: Side, branch: Branch, turn: int | None = None) -> SideReport | None:
    """Return the stored report of a published turn (the newest by default), or None."""
    turns = published_turns(side=side, branch=branch)
    wanted = (turns[-1] if turns else None) if turn is None else turn if turn in turns else None
    if wanted is None:
        return None
    here: Branch | None = branch
    while here is not None:
        row = SideReport.objects.filter(side=side, branch=here, turn=wanted, published_at__isnull=False).first()
        if row is not None:
            return row
        here = here.parent
    return None


def report_for(*, side: Side, branch: Branch, turn: int | None = None) -> dict[str, Any] | None:
    """Return what a side knows after a published turn (the newest by default), or None."""
    row = report_row(side=side, branch=branch, turn=turn)
    if row is None:
        return None
    document: dict[str, Any] = unpack(row.body)
    return document


def feed_for(*, side: Side, after: int = 0, turn: int | None = None, limit: int = 500) -> list[Feed]:
    """Return a side's feed rows with a number above ``after``, oldest first."""
    rows = Feed.objects.filter(side=side, number__gt=after)
    if turn is not None:
        rows = rows.filter(turn=turn)
    return list(rows.order_by("number")[:limit])
