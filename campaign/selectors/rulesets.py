"""Which ruleset a campaign plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operational.rules.registry import RULESETS
from tactical.rules.registry import RULESETS as TACTICAL_RULESETS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from campaign.engine.errors import Problem
    from campaign.engine.ruleset import OperationalRuleset
    from campaign.models import Campaign


class EditionMissingError(LookupError):
    """The campaign's edition is no longer runnable here."""


def operational_rulesets() -> dict[str, OperationalRuleset]:
    """Return the rulesets that a campaign may choose, by key."""
    return {ruleset.key: ruleset for ruleset in RULESETS}


def ruleset_key(setup: Mapping[str, Any]) -> str:
    """Return the operational ruleset that a setup asks for; the first of the registry where it names none."""
    return str(setup.get("ruleset", RULESETS[0].key))


def tactical_key(setup: Mapping[str, Any], ruleset: OperationalRuleset) -> Any:
    """Return the tactical ruleset that a setup asks for, else the first that the ruleset hands off to."""
    return setup.get("tactical", next(iter(ruleset.conversions), ""))


def class_checks() -> dict[str, Callable[[Any], tuple[Problem, ...]]]:
    """Return what checks a ship class's stat block, by the key of the ruleset that reads it, of either level."""
    found: dict[str, Callable[[Any], tuple[Problem, ...]]] = {}
    for tactical in TACTICAL_RULESETS:
        if tactical.check_class is not None:
            found[tactical.key] = tactical.check_class
    for operational in RULESETS:
        if operational.check_class is not None:
            found[operational.key] = operational.check_class
    return found


def ruleset_of(campaign: Campaign) -> OperationalRuleset:
    """Return the campaign's ruleset in its edition, or raise EditionMissingError."""
    return ruleset_by(campaign.ruleset_key, campaign.ruleset_edition)


def ruleset_by(key: str, edition: int) -> OperationalRuleset:
    """Return a ruleset by key and edition, or raise EditionMissingError."""
    for ruleset in RULESETS:
        if ruleset.key == key and ruleset.edition == edition:
            return ruleset
    raise EditionMissingError(f"operational/{key} edition {edition} is not available here")
