"""The mark for rules of the Full Thrust operational text, by its headings: ``@rule("velocity-table")``."""

from campaign.engine.rule_index import rules_of

SOURCE = "full-thrust-operational"
rule = rules_of(SOURCE)
