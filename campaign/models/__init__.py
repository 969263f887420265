"""The campaign's tables."""

from campaign.models.campaign import Branch, Campaign, Invitation, Seat, Side
from campaign.models.engagements import BattleReport, Bid, Briefing, Engagement
from campaign.models.patrol import PatrolAct, PatrolLink, PatrolScenario
from campaign.models.roster import Ship, ShipClass
from campaign.models.turns import Event, Feed, OrderSheet, RosterChange, SideReport, Snapshot, Turn
from campaign.models.work import Audit, Beat, IdempotencyKey, Job

__all__ = [
    "Audit",
    "BattleReport",
    "Beat",
    "Bid",
    "Branch",
    "Briefing",
    "Campaign",
    "Engagement",
    "Event",
    "Feed",
    "IdempotencyKey",
    "Invitation",
    "Job",
    "OrderSheet",
    "PatrolAct",
    "PatrolLink",
    "PatrolScenario",
    "RosterChange",
    "Seat",
    "Ship",
    "ShipClass",
    "Side",
    "SideReport",
    "Snapshot",
    "Turn",
]
