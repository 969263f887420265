"""The launch step in play: salvo cards are written from plots and markers (A3.13, C2.1, C8.3)."""

from __future__ import annotations

from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.fire_reading import unfired
from tactical.rules.saganami.gunnery import salvo_solution
from tactical.rules.saganami.lacs import launchers_fired
from tactical.rules.saganami.missiles import STAGES, Stage, Warhead, base_quality, launch_quality
from tactical.rules.saganami.plots import Launch, LaunchPlot, PodLaunch
from tactical.rules.saganami.pods import fire
from tactical.rules.saganami.sheet import Mounting
from tactical.rules.saganami.state import Card, Ship
from tactical.rules.saganami.table import Table


def fire_control(ship: Ship, mount: Mounting) -> int:
    """Return the number of a mount's fire-control track; boxes that pods or canister disable count as gone (C5.432)."""
    if not mount.fcon:
        return 0
    gone = ship.gone.get(mount.fcon, 0) + ship.disabled.get(mount.name, 0)
    row = ship.sheet.values[mount.fcon]
    return int(row[min(gone, len(row) - 1)])


@rule("A3.13", "A3.136", "C2.11", "C2.122", "C2.13", "C8.31")
def launch(table: Table) -> None:
    """Write the salvo cards of all sides, from the plots that were made with the displaced markers in sight.

    Pods come first: the boxes that they disable count against all missiles of their mount this turn.
    """
    cards: list[Card] = []
    for ship in table.state.active():
        plot = table.plot(ship, LaunchPlot)
        if plot is None or ship.is_mute:
            continue
        for guided in plot.pods:
            ship.disabled[guided.mount] = ship.disabled.get(guided.mount, 0) + guided.pods
        for guided in plot.pods:
            _pods(table, ship, guided, cards)
        for order in plot.launches:
            _tubes(table, ship, order, cards)
    table.state.cards = tuple(cards)


@rule("A2.66", "A3.133", "C2.15", "C2.151", "C2.16", "C2.161", "C2.171", "C5.432", "D1.141")
def _card(
    table: Table,
    ship: Ship,
    stage: Stage,
    target_id: str,
    mount: Mounting,
    lead: str,
    missiles: int,
    damage: int,
    warhead: Warhead,
    cards: list[Card],
    pods: int = 0,
) -> None:
    """Write one column of a salvo card: range and bearing from the leading ship, quality from the launching one."""
    target = table.state.ship(target_id)
    leader = table.state.ship(lead) if lead else ship
    bands = ship.sheet.pods.bands if pods else ship.sheet.bands
    if target.move is None or bands is None or missiles <= 0:
        return
    bearing, _, windows = salvo_solution(stage, leader, target.move.course)
    base = base_quality(bands, bearing.range)
    if base is None:
        return
    quality = launch_quality(base, fire_control(ship, mount), ship.grades.tactical)
    card = Card(
        number=len(cards) + 1,
        side=ship.side,
        shooter=ship.id,
        lead=leader.id,
        target=target_id,
        stage=stage,
        mount=mount.name,
        missiles=missiles,
        base=base,
        quality=quality,
        damage=damage,
        warhead=warhead,
        range=bearing.range,
        windows=windows,
        link=lead,
        pods=pods,
    )
    cards.append(card)
    what = f"{pods} pods, " if pods else ""
    text = (
        f"{ship.seen_name} launches {what}{missiles} {'contact nukes' if warhead == 'contact nuke' else 'missiles'} "
        f"({damage}M) from {mount.name} at {target.seen_name}: {stage} salvo, range {bearing.range} through "
        f"{windows[0]}, MQL {quality}{', linked with ' + leader.seen_name if lead and lead != ship.id else ''}."
    )
    data = {
        "card": card.number,
        "shooter": ship.id,
        "target": target_id,
        "stage": stage,
        "mount": mount.name,
        "missiles": missiles,
        "damage": damage,
        "range": bearing.range,
        "bearing": [str(window) for window in windows],
        "mql": quality,
        "warhead": warhead,
        "link": lead,
        "pods": pods,
    }
    table.tell("salvo-launched", text, ("C2.1", "C2.14", "C2.15"), data)


@rule("A2.634", "C2.13", "C4.151", "C4.154", "C7.131", "C7.21", "C7.212")
def _tubes(table: Table, ship: Ship, order: Launch, cards: list[Card]) -> None:
    mount = ship.sheet.mounting[order.mount]
    if ship.sheet.is_lac:
        _boxes(table, ship, order, mount, cards)
        return
    launchers = ship.left(mount.missiles)
    for stage in STAGES:
        if stage not in order.stages:
            continue
        ship.gone[mount.magazine] = ship.gone.get(mount.magazine, 0) + 1
        missiles = launchers - order.held.get(stage, 0)
        _card(table, ship, stage, order.target, mount, order.lead, missiles, mount.missile_damage,
              order.warhead, cards)  # fmt: skip
    if order.mount not in ship.fired:
        ship.fired = (*ship.fired, order.mount)


def _boxes(table: Table, ship: Ship, order: Launch, mount: Mounting, cards: list[Card]) -> None:
    """Fire a squadron's box launchers, one of each LAC in each stage, and mark them off."""
    left = unfired(ship, mount)
    salvoes = launchers_fired(left, order.stages)
    for index, (stage, missiles) in enumerate(salvoes.items()):
        _card(table, ship, stage, order.target, mount, order.lead, missiles, mount.missile_damage,
              order.warhead, cards)  # fmt: skip
        for craft, launchers in left.items():
            if index < len(launchers):
                track = f"{craft}.{mount.name}.M"
                ship.gone[track] = ship.gone.get(track, 0) + 1


@rule("C8.11", "C8.12", "C8.31", "C8.311", "C8.32", "C5.4322", "D2.225")
def _pods(table: Table, ship: Ship, order: PodLaunch, cards: list[Card]) -> None:
    mount = ship.sheet.mounting[order.mount]
    card = ship.sheet.pods
    launched = fire(order.pods, ship.left(mount.fcon), card.missiles, card.damage)
    _card(table, ship, order.stage, order.target, mount, order.lead, launched.missiles, launched.damage,
          "laser head", cards, order.pods)  # fmt: skip
