"""The rules desk of tactical/saganami: its procedures, each under the name of its rule's subject."""

from campaign.engine.procedure import Desk

DESK = Desk(level="tactical", key="saganami", title="Saganami", source="saganami", procedures=())
