"""Which windows a captain's ships search, and with how many drones (B5.142)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaign.engine.hexes import ORIGIN, Hex, true_range
from campaign.rulebooks.saganami.bearings import WINDOWS, window_of_bearing
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.captain_picture import CONSIDERED, Foe, Own, Picture
from operational.rules.saganami.detection_ranges import DRONE_HEXES, PENALTY_STARTS, farthest_reach

YELLOW, BLUE = WINDOWS[:12], WINDOWS[12:36]
KEPT_DRONES = 2  # a captain keeps so many of a ship's drones back for a battle's eve
FAR_FOR_A_DRONE = 60  # hexes: nearer than this a search needs no help


@rule("B5.142")
def search_orders(picture: Picture) -> list[dict[str, Any]]:
    """Return the search of every ship on a map that takes orders: one window each.

    First the windows of the foes that are nearest, then a rotation through the level ring, beginning
    on the side of the limit, that covers it in as many turns as the force's ships allow; every fourth
    turn looks above and below instead.
    """
    found = []
    for own in picture.forces:
        if own.row["place"] != "map":
            continue
        ships = len(own.row["ships"])
        foes = _in_reach(own, picture.nearest_foes(own.system, own.next, max(CONSIDERED, 4 * ships)))
        rota = _rotation(own, picture.turn)
        for number, ship in enumerate(own.row["ships"]):
            if number < len(foes):
                found.append(_toward(picture, own, ship, foes[number]))
            else:
                found.append({"ship": ship, "window": rota[(number - len(foes)) % len(rota)], "drones": 0})
    return found


def _in_reach(own: Own, foes: Sequence[Foe]) -> list[Foe]:
    """Return the foes that a search may find, one for each window, the nearest first."""
    by_window: dict[str, Foe] = {}
    for foe in foes:
        away = foe.place.less(own.next)
        if away != ORIGIN and true_range(*away) <= farthest_reach() + foe.reach:
            by_window.setdefault(window_of_bearing(*away), foe)
    return list(by_window.values())


def _toward(picture: Picture, own: Own, ship: str, foe: Foe) -> dict[str, Any]:
    """Return a ship's search for a foe, with a drone where the range is long and enough drones are left."""
    away = foe.place.less(own.next)
    left = int(picture.own.ships[ship]["stores"]["recon_drones"]) - KEPT_DRONES
    hexes = true_range(*away)
    wanted = 1 if hexes > FAR_FOR_A_DRONE else 0
    if hexes > farthest_reach():
        wanted = -(-(hexes - farthest_reach()) // DRONE_HEXES)
    drones = wanted if wanted <= left and hexes > PENALTY_STARTS else 0
    return {"ship": ship, "window": window_of_bearing(*away), "drones": drones}


def _rotation(own: Own, turn: int) -> tuple[str, ...]:
    """Return the windows to search in this turn, first for the first ship without a foe."""
    ships = max(1, len(own.row["ships"]))
    ring = BLUE if turn % 4 == 3 else YELLOW
    out = Hex(own.next.q, own.next.r)
    first = 0
    if out != ORIGIN:
        first = YELLOW.index(window_of_bearing(out.q, out.r, 0))
    # outward, one to the right, one to the left, two to the right, ...
    order = [0, *(side * step for step in range(1, 7) for side in (1, -1))][:12]
    windows = [ring[(first + each) % 12] for each in order]
    if ring is BLUE:
        windows += [ring[12 + (first + each) % 12] for each in order]
    begin = turn // 4 * ships if ring is BLUE else (turn - turn // 4) * ships
    return tuple(windows[(begin + each) % len(windows)] for each in range(len(windows)))
