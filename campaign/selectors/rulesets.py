"""Which ruleset a campaign plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operational.rules.registry import RULESETS

if TYPE_CHECKING:
    from campaign.engine.ruleset import OperationalRuleset
    from campaign.models import Campaign


class EditionMissingError(LookupError):
    """The campaign's edition is no longer runnable here."""


def operational_rulesets() -> dict[str, OperationalRuleset]:
    """Return the rulesets that a campaign may choose, by key."""
    return {ruleset.key: ruleset for ruleset in RULESETS}


def ruleset_of(campaign: Campaign) -> OperationalRuleset:
    """Return the campaign's ruleset in its edition, or raise EditionMissingError."""
    return ruleset_by(campaign.ruleset_key, campaign.ruleset_edition)


def ruleset_by(key: str, edition: int) -> OperationalRuleset:
    """Return a ruleset by key and edition, or raise EditionMissingError."""
    for ruleset in RULESETS:
        if ruleset.key == key and ruleset.edition == edition:
            return ruleset
    raise EditionMissingError(f"operational/{key} edition {edition} is not available here")
