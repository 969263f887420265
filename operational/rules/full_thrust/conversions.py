"""What becomes of distance, time, velocity and condition between this map and a tactical ruleset.

A tactical ruleset that is not in ``CONVERSIONS`` may not be handed a battle; ``REFUSED`` says why not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from campaign.engine.conversion import Conversion, Ratio
from campaign.engine.vectors import Vectors, consolidate, ordered, total
from operational.rules.full_thrust.scales import operational_velocity, tabletop_velocity
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.tables import HEX_MU, OPERATIONAL_TURN_TABLETOP_TURNS

HEX, TURN = "operational hex", "operational turn"
START_RANGE = 5 * HEX_MU  # contact distance, in MU


@rule("velocity-table")
def to_table(vectors: Vectors) -> dict[str, int]:
    """Return a vector of the map (hexes a turn) on the table (MU a tabletop turn): the same course, 5.5 MU a hex.

    The velocity is the velocity table's, the halves rounded up; it is shared out over the two directions
    of the course as they stand to each other.
    """
    return _scaled(vectors, tabletop_velocity)


@rule("velocity-table")
def to_map(vectors: Vectors) -> dict[str, int]:
    """Return a vector of the table on the map; one that was carried to the table comes back as it was."""
    return _scaled(vectors, operational_velocity)


def _scaled(vectors: Vectors, scale: Callable[[int], int]) -> dict[str, int]:
    """Return vectors of the same course whose velocity is ``scale`` of theirs."""
    flat = consolidate({letter: number for letter, number in vectors.items() if letter not in "+-"})
    speed = total(flat)
    wanted = scale(speed)
    found: dict[str, int] = {}
    for letter, number in flat.items():
        # the first of at most two directions is rounded, halves up; the other has the rest
        found[letter] = (2 * wanted * number + speed) // (2 * speed) if not found else wanted - sum(found.values())
    return ordered(found)


CONDITION: Mapping[str, str] = {
    "boxes": "Hull boxes, fire controls, sensors, ECM, screens, drive and FTL box by box, by the names of this map's "
    "tracks; where the tactical sheet counts otherwise, the same share of each.",
    "stores": "Craft aboard count by kind; what is launched stands on the table as a unit of its own.",
    "facing": "The facing is the player's choice among those that the thrust marker leaves the ship.",
    "locks": "Ships with a lock on them lie as bogeys, or stand as models once their class is known; all others are "
    "possible contacts. Nobody fires at what is not detected.",
    "active": "Active sensors stay as they were declared.",
}
CONVERSIONS: Mapping[str, Conversion] = {
    "honorverse": Conversion(
        operational="full-thrust",
        tactical="honorverse",
        distance=Ratio(HEX_MU, 1, "MU", HEX),
        altitude=Ratio(0, 1, "MU", "level: both maps are flat"),
        time=Ratio(OPERATIONAL_TURN_TABLETOP_TURNS, 1, "tabletop turns", TURN),
        velocity=Ratio(11, 2, "MU a tabletop turn", "operational hexes a turn"),
        start_range=START_RANGE,
        there=to_table,
        back=to_map,
        condition={
            **CONDITION,
            "scale": "MU for MU and turn for turn, as this map's rules have it for the Full Thrust table that both "
            "are written for, whatever length and time that ruleset gives a MU and a turn. A ship that arrives "
            "faster than its top speed there keeps its velocity and may only slow down.",
        },
        rules=("scales", "velocity-table", "facing-deviation"),
    ),
}

REFUSED: Mapping[str, str] = {
    "traveller": (
        "At its scale (10,000 km a pixel, 1,000 seconds a turn) a ship changes its vector by one to six pixels a turn, "
        "in the nine turns of one turn here by fifteen hexes or more for each of its G, where thrust here is one hex "
        "a point: survivors would come back at velocities that this map's ships can neither reach nor shed. Its ships "
        "are segments and components, not hull boxes with systems."
    ),
    "saganami": (
        "Its tactical hex is longer than one of this map's, so that forces at contact distance would begin within two "
        "hexes of each other, inside every weapon's last band; and its ships are impeller wedges in three dimensions, "
        "for which a flat map of thrust ratings has neither altitude nor attitude."
    ),
}
