"""What becomes of distance, time, velocity and condition between this map and a tactical ruleset.

A tactical ruleset that is not in ``CONVERSIONS`` may not be handed a battle; ``REFUSED`` says why not.
"""

from __future__ import annotations

from collections.abc import Mapping

from campaign.engine.conversion import Conversion, Ratio
from campaign.engine.vectors import Vectors
from campaign.rulebooks.saganami.scales import (
    TACTICAL_HEXES,
    TACTICAL_TURNS,
    VELOCITY_FACTOR,
    spare_points,
    to_operational,
    to_tactical,
)
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.engagement import spare_directions
from operational.rules.saganami.start_places import START_RANGE

HEX, TURN, SPEED = "operational hex", "operational turns", "operational hex a turn"


@rule("B5.121")
def back_to_map(vectors: Vectors) -> dict[str, int]:
    """Return a tactical velocity, frame added, on the map; spare points go as ``spare_directions`` says."""
    return to_operational(vectors, spare_directions(vectors, spare_points(vectors))).vectors


CONVERSIONS: Mapping[str, Conversion] = {
    "saganami": Conversion(
        operational="saganami",
        tactical="saganami",
        distance=Ratio(TACTICAL_HEXES, 1, "tactical hexes", HEX),
        altitude=Ratio(TACTICAL_HEXES, 1, "tactical levels", "operational level"),
        time=Ratio(*TACTICAL_TURNS, "tactical turns", TURN),
        velocity=Ratio(VELOCITY_FACTOR, 1, "tactical hexes a turn", SPEED),
        start_range=START_RANGE,
        there=to_tactical,
        back=back_to_map,
        condition={
            "boxes": "Box by box: both scales use the class's tracks by the same names.",
            "grades": "The same six grades; officers may fall in battle, the crew's grade may not.",
            "stores": "Counted as they are: recon drones, pods and whatever else is aboard.",
            "rigs": "By the tactical turns they have left; back on the map in nineteenths of an operational turn.",
            "wedge": "As on the map; sidewalls of one raised in the turn of the hand-off follow a tactical turn later.",
            "life_support": "The check every 19 operational turns goes on beside the battle.",
        },
        rules=("B5.11", "B5.111", "B5.12", "B5.121", "B5.145", "C6.13"),
    ),
}

REFUSED: Mapping[str, str] = {
    "honorverse": (
        "At its scale (280 km a unit, 30 seconds a turn) one operational hex is over 8,500 units and a speed of one "
        "hex a turn 225 units a turn, while its longest missile reaches 54: forces that meet at range 5 would pass "
        "each other unseen. Its ships have thresholds and reactors, not the tracks that this map carries on."
    ),
    "traveller": (
        "At its scale (30 pixels a light second, 1,000 seconds a turn) a speed of one operational hex a turn is 210 "
        "pixels a turn, while a ship there changes its vector by one to six: no battle would ever be joined. Its "
        "ships are segments and components, which the tracks of this map have no counterpart for."
    ),
}
