"""The tactical rulesets, listed by hand."""

from campaign.engine.procedure import Desk
from campaign.engine.ruleset import TacticalRuleset
from tactical.rules.saganami.desk import DESK as SAGANAMI_DESK
from tactical.rules.saganami.patrols import PATROL_BATTLES as SAGANAMI_PATROL_BATTLES
from tactical.rules.saganami.patrols import PatrolBattles
from tactical.rules.saganami.ruleset import RULESET as SAGANAMI

DESKS: tuple[Desk, ...] = (SAGANAMI_DESK,)
RULESETS: tuple[TacticalRuleset, ...] = (SAGANAMI,)
PATROL_BATTLES: PatrolBattles = SAGANAMI_PATROL_BATTLES
