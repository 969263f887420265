"""The mark for rules of the Saganami rulebook: ``@rule("B5.121")``."""

from campaign.engine.rule_index import rules_of

SOURCE = "saganami"
rule = rules_of(SOURCE)
