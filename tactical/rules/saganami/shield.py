"""What a unit has against a salvo that comes in: ECM, decoys, its batteries, canister, and what friends lend (C4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from campaign.rulebooks.saganami.grades import Grade
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.arcs import sees_beside
from tactical.rules.saganami.avid import Place, opposite
from tactical.rules.saganami.bearings import shoot
from tactical.rules.saganami.defense import Battery, Defender, canister_kills, layers_lent
from tactical.rules.saganami.gunnery import Entry, entry_of, seen_in
from tactical.rules.saganami.launch_step import fire_control
from tactical.rules.saganami.missiles import Stage
from tactical.rules.saganami.officers import assistant_kills, warfare_ecm
from tactical.rules.saganami.plots import LaunchPlot
from tactical.rules.saganami.sheet import ECM, Mounting, kills_of
from tactical.rules.saganami.state import Card, Ship
from tactical.rules.saganami.table import Table

NOTHING = Fraction(0)


@rule("A2.633", "C4.131", "C7.132", "C7.22")
def mount_kills(ship: Ship, mount: Mounting) -> tuple[Fraction, Fraction]:
    """Return the probable kills of a mount's countermissiles and point defence, a squadron's pooled."""
    if not ship.sheet.is_lac:
        found = []
        for track in (mount.countermissiles, mount.point_defense):
            row = ship.sheet.values.get(track)
            found.append(NOTHING if row is None else kills_of(row[min(ship.gone.get(track, 0), len(row) - 1)]))
        return found[0], found[1]
    countermissiles = point_defense = NOTHING
    for craft in ship.live_craft():
        for code in ("CM", "PD"):
            track = f"{craft}.{mount.name}.{code}"
            row = ship.sheet.values.get(track)
            if row is None:
                continue
            kills = kills_of(row[min(ship.gone.get(track, 0), len(row) - 1)])
            if code == "CM":
                countermissiles += kills
            else:
                point_defense += kills
    return countermissiles, point_defense


@rule("C4.13", "C4.133", "C4.141", "C5.432", "D1.143")
def batteries(
    ship: Ship, mounts: Sequence[Mounting], extra: Fraction = NOTHING
) -> tuple[tuple[Battery, ...], tuple[Battery, ...]]:
    """Return the batteries of the mounts that bear, canister (``extra``) and the assistant's change in the first.

    The assistant tactical officer changes each layer once, however many mounts bear.
    """
    cm: list[Battery] = []
    pd: list[Battery] = []
    for mount in mounts:
        control = 0 if ship.sheet.is_lac else fire_control(ship, mount)
        kills_cm, kills_pd = mount_kills(ship, mount)
        if kills_cm + extra:
            cm.append(Battery(kills_cm + extra, control))
            extra = NOTHING
        if kills_pd:
            pd.append(Battery(kills_pd, control))
    grade: Grade = "average" if ship.sheet.is_lac else ship.grades.assistant
    if grade != "average":
        total_cm = sum((each.probable_kills for each in cm), NOTHING)
        total_pd = sum((each.probable_kills for each in pd), NOTHING)
        new_cm, new_pd = assistant_kills(total_cm, total_pd, grade)
        _change_first(cm, new_cm - total_cm)
        _change_first(pd, new_pd - total_pd)
    return tuple(cm), tuple(pd)


def _change_first(found: list[Battery], change: Fraction) -> None:
    """Change the strongest battery of a layer; what that cannot give up comes from the next."""
    for index in sorted(range(len(found)), key=lambda index: (-found[index].probable_kills, index)):
        if not change:
            return
        now = max(found[index].probable_kills + change, NOTHING)
        change -= now - found[index].probable_kills
        found[index] = Battery(now, found[index].fire_control)


@rule("C4.121", "C4.122", "C4.123", "C4.124", "C4.141", "C4.15", "C7.132", "D1.142")
def defender_of(
    table: Table, ship: Ship, entry: Entry, windows: tuple[Place, ...], canister: dict[tuple[str, str], int]
) -> tuple[Defender, list[str]]:
    """Return all that stands against a salvo at a ship, and who lent some of it.

    Behind the wedge the point defence of the side to which the missiles slide fires.
    """
    sheet = ship.sheet
    is_wedge = entry.aspect.cover == "wedge" and ship.wedge_up
    if abs(entry.window.ring) >= 2:
        mounts = [mount for mount in sheet.mountings if mount.name == entry.aspect.edge]
    else:
        mounts = [mount for mount in sheet.mountings if entry.window in mount.windows]
    tubes = {mount.name: canister.get((ship.id, mount.name), 0) for mount in mounts}
    extra = sum((canister_kills(mount.missile_damage, tubes[mount.name]) for mount in mounts if tubes[mount.name]),
                NOTHING)  # fmt: skip
    cm, pd = batteries(ship, mounts, extra)
    lent: list[str] = []
    for friend, friend_cm, friend_pd in _lenders(table, ship, windows):
        lent.append(friend.id)
        cm, pd = cm + friend_cm, pd + friend_pd
    if sheet.is_lac:
        lac = sheet.ship_class.lac
        ecm, boxes = (0 if lac is None else lac.ecm), 1
    else:
        boxes = ship.left(ECM)
        ecm = warfare_ecm(ship.number(ECM), ship.grades.ewo, boxes)
    plot = table.plot(ship, LaunchPlot)
    worth = 2 if plot is None else plot.decoy_worth
    decoy = 0
    if worth:
        found = decoy_mount(ship, entry)
        decoy = 0 if found is None else found.decoy_shift
    return Defender(ecm, boxes, cm, pd, decoy, worth, is_wedge), lent


@rule("C4.124", "C5.434")
def decoy_mount(ship: Ship, entry: Entry) -> Mounting | None:
    """Return the mount whose decoy may be spent on a salvo, None without one.

    It is the one that faces the salvo; from straight ahead or astern, and through the wedge, either side's
    serves, and the one with more of them gives it.
    """
    edge = entry.aspect.edge
    if entry.aspect.cover == "sidewall" and edge in ("port", "starboard"):
        names: tuple[str, ...] = (edge,)
    else:
        names = ("port", "starboard")
    found = [
        mount for mount in ship.sheet.mountings if mount.name in names and mount.decoys and ship.left(mount.decoys) > 0
    ]
    return max(found, key=lambda mount: (ship.left(mount.decoys), mount.name), default=None)


@rule("C4.124")
def spend_decoy(ship: Ship, entry: Entry) -> None:
    """Mark the decoy off: it is used up, and no repair brings it back."""
    mount = decoy_mount(ship, entry)
    if mount is not None:
        ship.mark(mount.decoys)
        ship.spent[mount.decoys] = ship.spent.get(mount.decoys, 0) + 1


@rule("C4.143", "C5.444")
def _lenders(
    table: Table, ship: Ship, windows: tuple[Place, ...]
) -> list[tuple[Ship, tuple[Battery, ...], tuple[Battery, ...]]]:
    """Return the friends that lend kills to a ship at this impact, with the batteries they lend."""
    found = []
    for friend in table.state.active():
        if friend is ship or friend.side != ship.side or friend.attitude is None:
            continue
        bearing = shoot(ship.place, friend.place)
        if bearing.range > 2:
            continue
        plot = table.plot(friend, LaunchPlot)
        if plot is not None and not plot.lends:
            continue
        is_beside = any(sees_beside(seen, opposite(window)) for seen in bearing.windows for window in windows)
        layers = layers_lent(
            bearing.range, is_seen_beside=is_beside, has_communications=ship.can_talk() and friend.can_talk()
        )
        if not layers:
            continue
        seen = seen_in(friend.attitude, tuple(opposite(window) for window in windows))
        mounts = [mount for mount in friend.sheet.mountings if not mount.windows.isdisjoint(seen)]
        cm, pd = batteries(friend, mounts)
        pd = pd if "point defense" in layers else ()
        if cm or pd:
            found.append((friend, cm, pd))
    return found


@rule("C4.15", "C4.151", "C4.152", "C4.153", "C4.154")
def fire_canister(table: Table, due: Sequence[Card], stage: Stage) -> dict[tuple[str, str], int]:
    """Fire the canister held back for a stage where a salvo comes in, and return the tubes by ship and mount.

    Each tube takes a round and disables a box of its mount's fire control for the step.
    """
    found: dict[tuple[str, str], int] = {}
    for ship in table.state.active():
        plot = table.plot(ship, LaunchPlot)
        coming = [card for card in due if card.target == ship.id]
        if plot is None or not coming or ship.attitude is None:
            continue
        aspects = [entry_of(ship, ship.attitude, card.windows, table.turn).aspect for card in coming]
        # Behind the wedge no countermissiles fly, and canister is one.
        edges = [aspect.edge for aspect in aspects if aspect.cover != "wedge" or not ship.wedge_up]
        for order in plot.launches:
            mount = ship.sheet.mounting[order.mount]
            tubes = min(
                order.held.get(stage, 0),
                ship.canister.get(mount.name, 0),
                ship.left(mount.fcon),
                ship.left(mount.missiles),
            )
            if tubes > 0 and mount.name in edges:
                ship.canister[mount.name] -= tubes
                ship.disabled[mount.name] = ship.disabled.get(mount.name, 0) + tubes
                found[ship.id, mount.name] = tubes
                text = f"{ship.seen_name} fires canister from {tubes} tubes to {mount.name}."
                data = {"ship": ship.id, "mount": mount.name, "tubes": tubes}
                table.tell("canister-fired", text, ("C4.15",), data)
    return found


def canister_spent(table: Table, canister: dict[tuple[str, str], int]) -> None:
    """Give back the fire-control boxes that canister disabled for a step (C4.154)."""
    for (identity, mount), tubes in canister.items():
        ship = table.state.ship(identity)
        ship.disabled[mount] = ship.disabled.get(mount, 0) - tubes
