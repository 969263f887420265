"""The rules desk of operational/full-thrust: its procedures, each under the name of its rule's subject."""

from campaign.engine.procedure import Desk
from operational.rules.full_thrust.desk_contacts import CONTACT_PROCEDURES
from operational.rules.full_thrust.desk_movement import MOVEMENT_PROCEDURES
from operational.rules.full_thrust.desk_sensors import SENSOR_PROCEDURES
from operational.rules.full_thrust.desk_tabletop import TABLETOP_PROCEDURES
from operational.rules.full_thrust.source import SOURCE

DESK = Desk(
    level="operational",
    key="full-thrust",
    title="Full Thrust",
    source=SOURCE,
    procedures=(*MOVEMENT_PROCEDURES, *SENSOR_PROCEDURES, *CONTACT_PROCEDURES, *TABLETOP_PROCEDURES),
)
