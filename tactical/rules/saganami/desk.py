"""The rules desk of tactical/saganami: its procedures, each under the name of its rule's subject."""

from campaign.engine.procedure import Desk
from tactical.rules.saganami import desk_crew, desk_damage, desk_fire, desk_movement

DESK = Desk(
    level="tactical",
    key="saganami",
    title="Saganami",
    source="saganami",
    procedures=(
        *desk_movement.PROCEDURES,
        *desk_fire.PROCEDURES,
        *desk_damage.PROCEDURES,
        *desk_crew.PROCEDURES,
    ),
)
