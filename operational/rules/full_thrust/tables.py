"""The numbers of the Full Thrust operational text, each table with the heading it stands under.

MU are movement units (one inch on the table, 1,000 km), hexes are operational hexes, dice are d6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Mode = Literal["passive", "active"]
SensorGrade = Literal["standard", "enhanced", "superior"]
TabletopSensorGrade = Literal["fighter", "standard", "enhanced", "superior"]
EcmGrade = Literal["none", "standard", "enhanced", "superior"]
EcmKind = Literal["individual", "area"]

MODES: tuple[Mode, ...] = ("passive", "active")
SENSOR_GRADES: tuple[SensorGrade, ...] = ("standard", "enhanced", "superior")
ECM_GRADES: tuple[EcmGrade, ...] = ("none", "standard", "enhanced", "superior")

DIE_SIDES = 6

# scales
MU_KILOMETRES = 1_000
HEX_MU = 55
TABLETOP_TURN_MINUTES = 15
OPERATIONAL_TURN_TABLETOP_TURNS = 10
OPERATIONAL_TURN_MINUTES = 150
SIDES_OF_A_HEX = 6


@dataclass(frozen=True, slots=True)
class SystemCost:
    """What a system takes of a ship: mass (mass points of the design rules) and points."""

    mass: int
    points: int


# sensor-table: ranges on the table in MU, the last number of each band; dice by grade and band
TABLETOP_BANDS_MU: Mapping[Mode, tuple[int, ...]] = {"passive": (18, 36, 72, 144), "active": (27, 54, 108, 216)}
TABLETOP_DICE: Mapping[TabletopSensorGrade, tuple[int, ...]] = {
    "fighter": (1, 0, 0, 0),
    "standard": (2, 1, 0, 0),
    "enhanced": (3, 2, 1, 0),
    "superior": (4, 3, 2, 1),
}

# operational-sensor-table: ranges on the map; the hexes are the MU over 55, fractions dropped
OPERATIONAL_BANDS_MU: Mapping[Mode, tuple[int, ...]] = {"passive": (150, 300, 600), "active": (600, 1200, 2400)}
OPERATIONAL_BANDS_HEXES: Mapping[Mode, tuple[int, ...]] = {"passive": (2, 5, 10), "active": (10, 21, 43)}
OPERATIONAL_DICE: Mapping[SensorGrade, tuple[int, ...]] = {
    "standard": (1, 0, 0),
    "enhanced": (2, 1, 0),
    "superior": (3, 2, 1),
}

# sensor-table: one system holds the passive and the active sensors
SENSOR_COSTS: Mapping[TabletopSensorGrade, SystemCost] = {
    "fighter": SystemCost(0, 0),
    "standard": SystemCost(0, 0),
    "enhanced": SystemCost(1, 15),
    "superior": SystemCost(2, 30),
}

# ecm-table: hits of a die by its modified face, 1 to 6
ECM_HITS: Mapping[EcmGrade, tuple[int, ...]] = {
    "none": (0, 0, 1, 1, 1, 2),
    "standard": (0, 0, 0, 1, 1, 2),
    "enhanced": (0, 0, 0, 0, 1, 2),
    "superior": (0, 0, 0, 0, 1, 1),
}
REROLL_FACE = 6
ECM_COSTS: Mapping[EcmKind, Mapping[EcmGrade, SystemCost]] = {
    "individual": {
        "none": SystemCost(0, 0),
        "standard": SystemCost(2, 20),
        "enhanced": SystemCost(4, 40),
        "superior": SystemCost(8, 80),
    },
    "area": {
        "none": SystemCost(0, 0),
        "standard": SystemCost(3, 30),
        "enhanced": SystemCost(6, 60),
        "superior": SystemCost(12, 120),
    },
}
AREA_ECM_REACH_MU = 12

# die-modifiers
TARGET_ACTIVE_MODIFIER = 1
TARGET_BURNING_AWAY_MODIFIER = 2
AREA_ECM_MODIFIER: Mapping[EcmGrade, int] = {"none": 0, "standard": -1, "enhanced": -2, "superior": -3}

# passive-results and active-results: what each number of hits adds to the row before; the last row is "or more"
FACTS = (
    "size-class",
    "velocity",
    "course",
    "facing",
    "screens",
    "mass",
    "class",
    "layout",
    "condition",
)
RESULTS: Mapping[Mode, tuple[tuple[str, ...], ...]] = {
    "passive": (
        (),
        ("size-class", "velocity", "course", "facing", "screens"),
        ("mass",),
        ("class",),
        ("layout", "condition"),
    ),
    "active": (
        (),
        ("mass", "velocity", "course", "facing", "screens", "class"),
        ("layout", "condition"),
    ),
}

# size-class: the smallest mass of each class, from class 1
SIZE_CLASS_LEAST_MASS = (1, 5, 50, 100, 300)
SIZE_CLASS_NAMES = ("fighters and missiles", "light escorts", "cruisers", "capitals", "very large")

# velocity-table: tabletop MU for operational 1 to 20; it is 5.5 a hex, halves up, in every row
PRINTED_VELOCITIES = (6, 11, 17, 22, 28, 33, 39, 44, 50, 55, 61, 66, 72, 77, 83, 88, 94, 99, 105, 110)
