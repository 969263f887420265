"""The tactical rulesets, listed by hand."""

from campaign.engine.procedure import Desk
from campaign.engine.ruleset import TacticalRuleset
from tactical.rules.saganami.desk import DESK as SAGANAMI_DESK
from tactical.rules.saganami.ruleset import RULESET as SAGANAMI

DESKS: tuple[Desk, ...] = (SAGANAMI_DESK,)
RULESETS: tuple[TacticalRuleset, ...] = (SAGANAMI,)
