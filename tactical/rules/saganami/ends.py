"""How a battle ends: into hyperspace, out of reach, by surrender or loss, by the clock, or for want of fighting."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from campaign.engine import vectors as v
from campaign.engine.hexes import Hex, round_hex, squared_range, true_range
from campaign.rulebooks.saganami import victory
from campaign.rulebooks.saganami.scales import TACTICAL_HEXES, can_translate, to_operational
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.plots import LaunchPlot
from tactical.rules.saganami.report import outcomes
from tactical.rules.saganami.sheet import HYPER
from tactical.rules.saganami.state import Ship, State
from tactical.rules.saganami.switches import COWARDLY_DRAW, DISENGAGEMENT, ruling
from tactical.rules.saganami.table import Table
from tactical.rules.saganami.view import View

APART, OPENING = 50, 3  # D3.131: more than so many hexes, opening by at least so many a turn


@rule("B5.121", "B5.13")
def map_place(state: State, ship: Ship, turn: int) -> Hex | None:
    """Return the operational hex, counted from the star, of a ship after ``turn`` tactical turns; None if unknown."""
    origin = state.chart.get("origins", {}).get(ship.force)
    if origin is None:
        return None
    frame = v.to_axial(v.multiply(state.frame, turn))
    place = ship.place.less(ship.berth).moved(*origin).moved(*frame)
    q, r = round_hex(Fraction(place.q, TACTICAL_HEXES), Fraction(place.r, TACTICAL_HEXES))
    return Hex(q, r, (2 * place.z + TACTICAL_HEXES) // (2 * TACTICAL_HEXES))


@rule("B5.16", "B5.161", "C5.463")
def why_no_translation(state: State, ship: Ship, turn: int) -> str:
    """Return why a ship cannot leave for hyperspace at the end of a turn, "" if it can.

    Without a star on the chart (a scenario of its own) every place is far enough out.
    """
    if ship.left(HYPER) <= 0:
        return "no-hyper-generator"
    speed = v.speed(to_operational(ship.vectors, ("A",), state.frame).vectors)
    if not can_translate(speed):
        return "too-fast-to-translate"
    limit = state.chart.get("hyper_limit")
    place = map_place(state, ship, turn)
    if limit is not None and place is not None and squared_range(*place) < limit * limit:
        return "inside-limit"
    return ""


def why_no_translation_of(view: View, ship: Ship) -> str:
    """Return why a side's own ship could not even try to leave now; "" if it can.

    Whether it is far enough from the star shows when it tries.
    """
    if ship.left(HYPER) <= 0:
        return "no-hyper-generator"
    speed = v.speed(to_operational(ship.vectors, ("A",), view.frame).vectors)
    if not can_translate(speed):
        return "too-fast-to-translate"
    return ""


@rule("A3.34", "B5.16", "B5.161", "C5.463", "D2.13")
def departures(table: Table) -> None:
    """Take ships into hyperspace that were ordered to go and can."""
    for ship in list(table.state.active()):
        plot = table.plot(ship, LaunchPlot)
        if plot is None or not plot.translates:
            continue
        why = why_no_translation(table.state, ship, table.turn)
        if why:
            text = f"{ship.name} cannot translate: {why.replace('-', ' ')}."
            table.tell("translation-failed", text, ("B5.16", "B5.161"), {"ship": ship.id, "why": why},
                       audience=(ship.side,))  # fmt: skip
            continue
        ship.fate, ship.left_turn, ship.note = "departed", table.turn, "It went into hyperspace."
        text = f"{ship.seen_name} goes into hyperspace."
        table.tell("ship-departed", text, ("B5.16",), {"ship": ship.id})


@rule("D3.131")
def are_disengaged(state: State) -> bool:
    """Return whether all opponents are more than 50 hexes apart, the nearest two opening by 3 or more a turn."""
    active = list(state.active())
    pairs = [
        (true_range(*one.place.less(other.place)), one, other)
        for index, one in enumerate(active)
        for other in active[index + 1 :]
        if state.oppose(one.side, other.side)
    ]
    if not pairs:
        return False
    distance, one, other = min(pairs, key=lambda pair: (pair[0], pair[1].id, pair[2].id))
    if distance <= APART:
        return False
    now = one.place.less(other.place)
    then = now.moved(*v.to_axial(one.vectors)).less(v.to_axial(other.vectors))
    return true_range(*then) - distance >= OPENING


@rule("B5.132", "D2.0", "D2.2", "D2.21", "D2.224", "D3.131")
def end_of(state: State, turn: int) -> dict[str, Any] | None:
    """Return the end of a battle after ``turn`` turns, None while it goes on.

    ``{"why", "text", "winner"}``: the winner is the one side left, where there is one; what it is worth is
    told by the account of victory.
    """
    standing = []
    for key in state.sides:
        if any(ship.side == key and ship.fate == "active" for ship in state.ships):
            standing.append(key)
    hostile = [(one, other) for one in standing for other in standing if one < other and state.oppose(one, other)]
    if not hostile:
        winner = standing[0] if len(standing) == 1 else None
        name = "nobody" if not standing else " and ".join(state.sides[key].name for key in standing)
        return {"why": "one-side-left", "text": f"Only {name} is left.", "winner": winner}
    if state.time_limit is not None and turn >= state.time_limit:
        return {"why": "time-limit", "text": f"The time limit of {state.time_limit} turns is reached.", "winner": None}
    awaited = any(ship.fate == "active" and ship.attitude is None and ship.arrives > turn for ship in state.ships)
    if not awaited and ruling(state.rulings, DISENGAGEMENT) == "ends" and are_disengaged(state):
        return {"why": "disengaged", "text": "The two sides have lost touch.", "winner": None}
    can_be_cowardly = turn >= victory.DAWDLING_TURNS and ruling(state.rulings, COWARDLY_DRAW) == "ends"
    if can_be_cowardly and victory.is_cowardly_draw(turn, outcomes(state)):
        text = "Ten turns have brought no fight: a cowardly draw."
        return {"why": "cowardly-draw", "text": text, "winner": None}
    return None


@rule("D2.0", "D2.2", "B5.132")
def turn_ends(table: Table) -> None:
    """Count the turn, and see whether the battle is over."""
    state = table.state
    state.turn = table.turn
    state.cards = ()
    for ship in state.ships:
        ship.move = None
        ship.is_mute = False
        ship.fired = ()
    conclude(table)


def conclude(table: Table) -> None:
    """Write the battle's end, if it has come."""
    state = table.state
    state.over = end_of(state, state.turn)
    if state.over is not None:
        table.tell("battle-over", str(state.over["text"]), ("D2.2",), dict(state.over))
