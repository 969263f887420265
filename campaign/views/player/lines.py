"""Lines of history: the branches of a campaign, which are public, and the turns a side may read on them."""

from __future__ import annotations

from campaign.models import Branch
from campaign.services.access import Entry
from campaign.services.refusals import not_there


def branch_named(entry: Entry, number: int) -> Branch:
    """Return a line of the campaign by its number, or 404."""
    branch = Branch.objects.filter(campaign=entry.campaign, number=number).first()
    if branch is None:
        raise not_there("line")
    return branch


def branches_of(entry: Entry) -> list[Branch]:
    """Return every line of the campaign, oldest first."""
    return list(Branch.objects.filter(campaign=entry.campaign).order_by("number"))
