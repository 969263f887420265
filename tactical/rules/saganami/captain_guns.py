"""How a captain fires: one target for a salvo of the whole side, linked where ships stand together, and the rest.

Markers are on the table, so ranges and bearings are known; how the target will have turned is not, but for
the early salvo. Pods go when they bear at two salvoes' range, decoys by a standing order, parties by what
a fight needs first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tactical.rules.saganami.bearings import are_adjacent, shoot
from tactical.rules.saganami.captain_picture import Assessment, own_salvo
from tactical.rules.saganami.captain_worth import guard, hit_worth, leak, thousandths
from tactical.rules.saganami.ends import why_no_translation_of
from tactical.rules.saganami.fire_reading import unfired
from tactical.rules.saganami.gunnery import end_range, entries, mount_bears, salvo_solution
from tactical.rules.saganami.missiles import STAGES, Stage, base_quality, launch_quality, salvoes_available
from tactical.rules.saganami.sheet import ECM, Mounting
from tactical.rules.saganami.shield import mount_kills
from tactical.rules.saganami.state import Ship
from tactical.rules.saganami.view import Seen, View

LEAST_LEAK = 150  # thousandths of a missile that a salvo must be expected to bring in, to be worth its ammunition
POD_RANGE = 20


def own_guard(ship: Ship, facing: str) -> tuple[int, int, int, int]:
    """Return what an own unit shows on one side as it is now: ECM, kills of CM and PD in thousandths, wall."""
    lac = ship.sheet.ship_class.lac
    ecm = lac.ecm if lac is not None else ship.number(ECM)
    cm = pd = 0
    mount = ship.sheet.mounting.get(facing)
    if mount is not None:
        kills_cm, kills_pd = mount_kills(ship, mount)
        cm, pd = thousandths(kills_cm), thousandths(kills_pd)
    number, _ = ship.sheet.wall(facing, ship.gone.get(f"{facing}.sidewall", 0), has_walls=ship.wedge_up)
    return ecm, cm, pd, number


@dataclass(frozen=True, slots=True)
class Bid:
    """A mount that could join a salvo at a target: missiles and quality."""

    ship: Ship
    mount: Mounting
    missiles: int
    mql: int


def plot_launch(view: View, picture: Assessment) -> dict[str, Any]:
    """Return the launch sheet of a side."""
    ships: dict[str, dict[str, Any]] = {}
    mine = [ship for ship in picture.own if ship.id in view.plots]
    for ship in mine:
        ships[ship.id] = _standing(view, ship, picture)
    left = {ship.id: _dots(ship) for ship in mine}
    for stage in STAGES:
        _fire_stage(stage, mine, picture, ships, left)
    for ship in mine:
        _fire_pods(ship, picture, ships[ship.id])
    return {"ships": ships}


def _dots(ship: Ship) -> dict[str, int]:
    """Return the salvoes that each mount of a unit still has."""
    if ship.sheet.is_lac:
        return {
            mount.name: max((len(each) for each in unfired(ship, mount).values()), default=0)
            for mount in ship.sheet.mountings
        }
    return {mount.name: ship.left(mount.magazine) for mount in ship.sheet.mountings}


def _standing(view: View, ship: Ship, picture: Assessment) -> dict[str, Any]:
    """Return a unit's standing orders for the turn."""
    decoys = sum(ship.left(mount.decoys) for mount in ship.sheet.mountings)
    plot: dict[str, Any] = {"launches": [], "pods": [], "decoy_worth": 1 if decoys > 3 else 2, "lend": True}
    if picture.focus is not None:
        plot["beam_targets"] = [picture.focus.id]
    bay = ship.sheet.pods
    if bay.is_layer and ship.pods_aboard and ship.pods_towed < 3 * bay.per_turn:
        plot["deploy"] = min(bay.per_turn, ship.pods_aboard)
    if not ship.wedge_up:
        plot["wedge"] = "up"
    if picture.is_running and why_no_translation_of(view, ship) == "":
        plot["translate"] = True
    repairs = _repairs(ship)
    if repairs:
        plot["repairs"] = repairs
    return plot


FIRST_AID: Final = ("life_support", "bridge", "ecm")
GUNS: Final = ("fcon", "CM", "PD", "M", "sidewall", "G", "L", "ET")
THE_REST: Final = ("max_thrust", "pivot", "roll", "communications", "forward_impeller", "aft_impeller")


def _repairs(ship: Ship) -> list[dict[str, Any]]:
    """Return what the parties mend, in order: the defence first, two parties where they are plenty."""
    if not any(ship.gone.values()):
        return []
    if ship.sheet.is_lac:
        return [
            {"track": track, "parties": 1}
            for track in ship.sheet.size
            if ship.sheet.codes[track] in ("PD", "CM", "L", "G") and ship.gone.get(track)
        ]
    mounts = sorted(ship.sheet.mountings, key=lambda mount: -len(mount.windows))
    names = [*FIRST_AID, *(f"{mount.name}.{code}" for code in GUNS for mount in mounts), *THE_REST]
    damaged = [name for name in names if ship.gone.get(name)]
    empty = [mount.magazine for mount in mounts if mount.missiles and ship.left(mount.magazine) < 2 and mount.magazine]
    boxes = sum(ship.gone[name] for name in damaged)
    each = 2 if ship.parties() >= 2 * boxes else 1
    return [{"track": name, "parties": each} for name in (*empty[:1], *damaged)]


# Salvoes ----------------------------------------------------------------------------------------


def _fire_stage(
    stage: Stage,
    mine: list[Ship],
    picture: Assessment,
    ships: dict[str, dict[str, Any]],
    left: dict[str, dict[str, int]],
) -> None:
    """Give a stage's salvoes to the target at which they do most, link them, then see whether others bear elsewhere."""
    free = [ship for ship in mine if not ship.is_mute and ship.move is not None]
    for _ in range(3):
        best: tuple[int, str, Seen, list[Bid]] | None = None
        for enemy in picture.enemies:
            bids = [bid for ship in free if (bid := _bid(stage, ship, enemy, left)) is not None]
            if not bids:
                continue
            worth = _salvo_worth(stage, bids, enemy)
            if picture.focus is enemy:
                worth = worth * 5 // 4
            if best is None or (worth, enemy.id) > (best[0], best[1]):
                best = (worth, enemy.id, enemy, bids)
        if best is None or best[0] <= 0:
            return
        fired = _launch(stage, best[2], best[3], ships, left)
        free = [ship for ship in free if ship.id not in fired]
        if not free:
            return


def _bid(stage: Stage, ship: Ship, enemy: Seen, left: dict[str, dict[str, int]]) -> Bid | None:
    """Return the mount of a ship that throws most at an enemy in a stage, None without one."""
    move, bands = ship.move, ship.sheet.bands
    if move is None or bands is None:
        return None
    if stage not in salvoes_available(bands, end_range(move.course, enemy.course)):
        return None
    bearing, attitude, windows = salvo_solution(stage, ship, enemy.course)
    base = base_quality(bands, bearing.range)
    if base is None:
        return None
    best: Bid | None = None
    for mount in ship.sheet.mountings:
        if left[ship.id].get(mount.name, 0) <= 0 or not mount.missile_damage:
            continue
        missiles = own_salvo(ship, mount)
        if missiles and mount_bears(mount, attitude, windows) and (best is None or missiles > best.missiles):
            quality = base if ship.sheet.is_lac else base + ship.number(mount.fcon)
            best = Bid(ship, mount, missiles, launch_quality(quality, 0, ship.grades.tactical))
    return best


def _salvo_worth(stage: Stage, bids: list[Bid], enemy: Seen) -> int:
    """Return what a salvo of several ships at one enemy is worth, in thousandths of a point."""
    lead = bids[0]
    facing, is_wedge = "port", False
    if stage == "early" and enemy.attitude is not None:
        _, _, windows = salvo_solution(stage, lead.ship, enemy.course)
        entry = entries(enemy.attitude, windows, enemy.sheet.is_base)[0]
        facing, is_wedge = entry.aspect.edge, entry.aspect.cover == "wedge" and enemy.wedge_up
    if facing not in enemy.sheet.mounting:
        facing = enemy.sheet.mountings[0].name
    ecm, cm, pd, wall = guard(enemy.sheet, facing)
    missiles = sum(bid.missiles for bid in bids)
    through = leak(missiles, min(bid.mql for bid in bids), ecm, cm, pd, is_wedge=is_wedge)
    if through < LEAST_LEAK:
        return 0
    damage = max(bid.mount.missile_damage for bid in bids)
    return max(through * hit_worth(enemy.sheet, damage, wall) // 1000, 1)


def _launch(
    stage: Stage,
    enemy: Seen,
    bids: list[Bid],
    ships: dict[str, dict[str, Any]],
    left: dict[str, dict[str, int]],
) -> list[str]:
    """Write the launches of a stage's salvo: in groups round leaders that stand together, the rest alone."""
    waiting = list(bids)
    while waiting:
        lead = max(waiting, key=lambda bid: (len(_followers(stage, enemy, bid, waiting)), bid.missiles, bid.ship.id))
        followers = _followers(stage, enemy, lead, waiting)
        for bid in (lead, *followers):
            order: dict[str, Any] = {"mount": bid.mount.name, "target": enemy.id, "stages": [stage]}
            if followers:
                order["lead"] = lead.ship.id
            ships[bid.ship.id]["launches"].append(order)
            left[bid.ship.id][bid.mount.name] -= 1
            waiting.remove(bid)
    return [bid.ship.id for bid in bids]


def _followers(stage: Stage, enemy: Seen, lead: Bid, bids: list[Bid]) -> list[Bid]:
    """Return the bids that can be linked to a leader's: next to it at launch, able to talk, bearing where it points."""
    if lead.ship.move is None or not lead.ship.can_talk() or len(bids) < 2:
        return []
    course = lead.ship.move.course
    _, _, windows = salvo_solution(stage, lead.ship, enemy.course)
    gap = end_range(course, enemy.course)
    found = []
    for bid in bids:
        move, bands = bid.ship.move, bid.ship.sheet.bands
        if bid is lead or move is None or bands is None or not bid.ship.can_talk() or bid.ship.attitude is None:
            continue
        ends = (course.midpoint, move.course.midpoint) if stage == "late" else (course.start, move.course.start)
        attitude = move.midpoint if stage == "late" else bid.ship.attitude
        if (
            are_adjacent(*ends)
            and stage in salvoes_available(bands, gap)
            and base_quality(bands, shoot(ends[0], enemy.course.end).range) is not None
            and mount_bears(bid.mount, attitude, windows)
        ):
            found.append(bid)
    return found


def _fire_pods(ship: Ship, picture: Assessment, plot: dict[str, Any]) -> None:
    """Fire pods at the focus at two salvoes' range, with half of the guiding mount's boxes, the last stage first."""
    focus, move = picture.focus, ship.move
    if not ship.pods_towed or focus is None or move is None or ship.is_mute:
        return
    gap = end_range(move.course, focus.course)
    stages = salvoes_available(ship.sheet.pods.bands, gap)
    if gap > POD_RANGE:
        return
    ready = ship.pods_towed
    for stage in reversed(stages):
        bearing, attitude, windows = salvo_solution(stage, ship, focus.course)
        if base_quality(ship.sheet.pods.bands, bearing.range) is None:
            continue
        for mount in ship.sheet.mountings:
            used = sum(each["pods"] for each in plot["pods"] if each["mount"] == mount.name)
            pods = min(ready, (ship.left(mount.fcon) + 1) // 2 - used)
            if pods > 0 and mount_bears(mount, attitude, windows):
                plot["pods"].append({"mount": mount.name, "target": focus.id, "stage": stage, "pods": pods})
                ready -= pods
