"""The rules desk of operational/full-thrust: its procedures, each under the name of its rule's subject."""

from campaign.engine.procedure import Desk

DESK = Desk(level="operational", key="full-thrust", title="Full Thrust", source="full-thrust-operational", procedures=())
