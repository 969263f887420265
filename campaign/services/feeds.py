"""News for sides that does not come out of a turn: a revealed bid, a signed report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Max

from campaign.engine.dice import canonical
from campaign.models import Branch, Feed, Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def feed_add(
    *,
    side: Side,
    branch: Branch,
    turn: int,
    kind: str,
    text: str,
    rules: Sequence[str] = (),
    data: Mapping[str, Any] | None = None,
) -> Feed:
    """Add one row to a side's feed; call it inside the transaction of its cause.

    The side's row is locked first, so that two writers never take one number.
    """
    Side.objects.select_for_update().get(pk=side.pk)
    last = Feed.objects.filter(side=side).aggregate(last=Max("number"))["last"] or 0
    return Feed.objects.create(
        campaign_id=side.campaign_id,
        branch=branch,
        side=side,
        number=last + 1,
        turn=turn,
        kind=kind,
        text=text,
        rules=canonical(list(rules)),
        data=canonical(dict(data or {})),
    )
