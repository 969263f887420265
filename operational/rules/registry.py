"""The operational rulesets, listed by hand."""

from campaign.engine.procedure import Desk
from campaign.engine.ruleset import OperationalRuleset
from operational.rules.full_thrust.desk import DESK as FULL_THRUST_DESK
from operational.rules.full_thrust.ruleset import RULESET as FULL_THRUST
from operational.rules.saganami.desk import DESK as SAGANAMI_DESK
from operational.rules.saganami.ruleset import RULESET as SAGANAMI

DESKS: tuple[Desk, ...] = (SAGANAMI_DESK, FULL_THRUST_DESK)
RULESETS: tuple[OperationalRuleset, ...] = (SAGANAMI, FULL_THRUST)
