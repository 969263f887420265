"""The rules desk of operational/saganami: its procedures, each under the name of its rule's subject."""

from campaign.engine.procedure import Desk
from operational.rules.saganami import desk_campaign, desk_course, desk_detection, desk_handoff, desk_movement

DESK = Desk(
    level="operational",
    key="saganami",
    title="Saganami",
    source="saganami",
    procedures=(
        *desk_campaign.PROCEDURES,
        *desk_movement.PROCEDURES,
        *desk_course.PROCEDURES,
        *desk_detection.PROCEDURES,
        *desk_handoff.PROCEDURES,
    ),
)
