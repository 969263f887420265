"""How a captain reads the table: who the enemy is, whom to fight first, how far off, and whether to go on at all.

Only from the side's own view. What is hidden is taken as it most likely is: an enemy is undamaged but for
the hits that everybody saw go in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from campaign.engine.hexes import Hex, true_range
from tactical.rules.saganami.beam_step import beam_count
from tactical.rules.saganami.captain_worth import beam_range, best_broadside, guard, leak, reach
from tactical.rules.saganami.fire_reading import unfired
from tactical.rules.saganami.sheet import INTEGRITY, Mounting
from tactical.rules.saganami.state import Ship
from tactical.rules.saganami.view import Seen, View


@dataclass(frozen=True, slots=True)
class Doctrine:
    """A way to fight.

    ``range_of_reach`` is the wanted range as a percentage of the own missiles' middle salvo's; ``offence``
    and ``defence`` weigh what is done against what is suffered; the side breaks off when its strength
    falls below ``breaks_off`` percent of the enemy's.
    """

    title: str
    range_of_reach: int
    offence: int
    defence: int
    breaks_off: int
    least_range: int = 0


DOCTRINES: Final[Mapping[str, Doctrine]] = {
    "balanced": Doctrine("Balanced: closes to good missile range and trades broadsides", 55, 10, 10, 35),
    "cautious": Doctrine("Cautious: keeps its distance, spares its ships, breaks off early", 85, 8, 14, 60, 8),
    "aggressive": Doctrine("Aggressive: closes for three salvoes a turn and beams", 25, 13, 8, 20),
    "missile-duel": Doctrine(
        "Missile duel: holds the range at which its missiles still get two salvoes", 90, 10, 10, 45, 8
    ),
    "close-action": Doctrine("Close action: goes in for the beams", 5, 14, 6, 10),
    "evade": Doctrine("Evade: opens the range behind its wedge, and leaves if it can", 400, 2, 16, 1000, 40),
}
USUAL = "balanced"
USUAL_MQL, NO_LEAK = 7, 500  # the quality a salvo is judged by, and the thousandths of a missile that make no fight
BEAM_RANGE = 3
PATIENT_TURNS, IMPATIENCE = 14, 4  # percent of the wanted range a turn


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a captain makes of a view: own and enemy units, the focus of fire, the wanted range, whether to run."""

    doctrine: Doctrine
    own: tuple[Ship, ...]
    enemies: tuple[Seen, ...]
    focus: Seen | None
    wanted_range: int
    is_running: bool
    own_strength: int
    enemy_strength: int


def assess(view: View, doctrine: str) -> Assessment:
    """Return what a captain of a doctrine makes of the table."""
    rule = DOCTRINES.get(doctrine, DOCTRINES[USUAL])
    own = tuple(ship for ship in view.own if ship.is_active)
    enemies = view.enemies
    own_strength = sum(strength_of(ship) for ship in own)
    enemy_strength = sum(seen_strength(enemy) for enemy in enemies)
    focus = _focus(own, enemies)
    is_running = rule.breaks_off >= 1000 or own_strength * 100 < enemy_strength * rule.breaks_off
    return Assessment(
        doctrine=rule,
        own=own,
        enemies=enemies,
        focus=focus,
        wanted_range=400 if is_running else _wanted_range(rule, own, focus, view.turn),
        is_running=is_running,
        own_strength=own_strength,
        enemy_strength=enemy_strength,
    )


def strength_of(ship: Ship) -> int:
    """Return the fighting strength that is left of an own unit: its points, as far as weapons and structure last."""
    if ship.sheet.is_lac:
        return ship.cost * len(ship.live_craft()) // max(len(ship.sheet.craft), 1)
    armed = sum(ship.left(mount.missiles) for mount in ship.sheet.mountings if ship.left(mount.magazine) > 0)
    armed += sum(beam_count(ship, mount, beams.track) for mount in ship.sheet.mountings for beams in mount.beams)
    whole = sum(ship.sheet.size.get(mount.missiles, 0) for mount in ship.sheet.mountings)
    whole += sum(ship.sheet.size[beams.track] for mount in ship.sheet.mountings for beams in mount.beams)
    frame = ship.left(INTEGRITY) * 100 // max(ship.sheet.size.get(INTEGRITY, 1), 1)
    guns = armed * 100 // max(whole, 1)
    return ship.cost * (30 + guns * 4 // 10 + frame * 3 // 10) // 100


def seen_strength(enemy: Seen) -> int:
    """Return an enemy's strength as the hits that went in let one guess it."""
    boxes = sum(enemy.sheet.size[track] for track in enemy.sheet.counted)
    left = max(25, 100 - enemy.hits_seen * 400 // max(boxes, 1))
    return enemy.sheet.ship_class.cost * left // 100


def step_between(one: Hex, other: Hex) -> int:
    """Return the range between two places."""
    return true_range(other.q - one.q, other.r - one.r, other.z - one.z)


def _focus(own: tuple[Ship, ...], enemies: tuple[Seen, ...]) -> Seen | None:
    """Return the enemy to fight first: near, worth it, and hurt already."""
    if not own or not enemies:
        return None

    def appeal(enemy: Seen) -> tuple[int, str]:
        distance = sum(step_between(ship.place, enemy.course.end) for ship in own) // len(own)
        missiles, damage = best_broadside(enemy.sheet)
        danger = missiles * damage + 10 * beam_range(enemy.sheet)
        return (1000 + danger + 20 * enemy.hits_seen) // (distance + 12), enemy.id

    return max(enemies, key=appeal)


def _wanted_range(doctrine: Doctrine, own: tuple[Ship, ...], focus: Seen | None, turn: int) -> int:
    """Return the range a side wants: a share of what its missiles give two salvoes at.

    Missiles that are gone, or that all fired together would not get through, are no reason to stand off: then
    it goes in for the beams. Patience wears off: each turn after the first dozen takes a share of the range.
    """
    reaches = []
    missiles = damage = 0
    for ship in own:
        bands = ship.sheet.bands
        if bands is None or not has_missiles(ship):
            continue
        reaches.append(min(bands.middle_through, reach(bands)))
        missiles += max((own_salvo(ship, mount) for mount in ship.sheet.mountings), default=0)
        damage = max(damage, best_broadside(ship.sheet)[1])
    if not reaches or focus is None:
        return max(1, doctrine.least_range // 4)
    usual = sorted(reaches)[len(reaches) // 2]
    wanted = usual * doctrine.range_of_reach // 100
    ecm, countermissiles, point_defense, _ = guard(focus.sheet, "port" if "port" in focus.sheet.mounting else "forward")
    if leak(missiles, USUAL_MQL, ecm, countermissiles, point_defense, is_wedge=False) < NO_LEAK:
        wanted = min(wanted, BEAM_RANGE)
    patience = max(0, 100 - IMPATIENCE * max(0, turn - PATIENT_TURNS))
    return max(max(wanted, doctrine.least_range) * patience // 100, 1)


def own_salvo(ship: Ship, mount: Mounting) -> int:
    """Return the missiles in the next salvo of an own mount, 0 without launchers or ammunition."""
    if ship.sheet.is_lac:
        return sum(launchers[0] for launchers in unfired(ship, mount).values() if launchers)
    return ship.left(mount.missiles) if ship.left(mount.magazine) > 0 else 0


def has_missiles(ship: Ship) -> bool:
    """Return whether a unit can still launch anything."""
    if ship.sheet.is_lac:
        return any(
            ship.left(f"{craft}.{mount.name}.M") for craft in ship.live_craft() for mount in ship.sheet.mountings
        )
    if ship.pods_towed or (ship.sheet.pods.is_layer and ship.pods_aboard):
        return True
    return any(ship.left(mount.missiles) > 0 and ship.left(mount.magazine) > 0 for mount in ship.sheet.mountings)
