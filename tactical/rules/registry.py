"""The tactical rulesets, listed by hand."""

from campaign.engine.procedure import Desk
from tactical.rules.saganami.desk import DESK as SAGANAMI_DESK

DESKS: tuple[Desk, ...] = (SAGANAMI_DESK,)
