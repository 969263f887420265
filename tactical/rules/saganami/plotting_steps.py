"""The plotting steps in play: facings, plots of ships and LACs, colours struck, compensators (A3.1, B2, B3.2)."""

from __future__ import annotations

from campaign.engine.vectors import format_vectors
from campaign.rulebooks.saganami.grades import crew_target
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.attitude import Attitude, markers
from tactical.rules.saganami.avid import Place
from tactical.rules.saganami.bearings import shoot
from tactical.rules.saganami.helm import Maneuver, turning
from tactical.rules.saganami.helm_room import coasting, is_impeller_gone, is_on_circles, ratings_of
from tactical.rules.saganami.hits import Damage
from tactical.rules.saganami.lacs import LacPlot, may_displace
from tactical.rules.saganami.movement import course
from tactical.rules.saganami.muster import take_in_tow
from tactical.rules.saganami.officers import bridge_target, roll_crew_check
from tactical.rules.saganami.plot_reading import plotters
from tactical.rules.saganami.plots import FacingPlot, LacMovement, MovementPlot
from tactical.rules.saganami.pods import keeps_settling_pods
from tactical.rules.saganami.sheet import BRIDGE, INTEGRITY
from tactical.rules.saganami.state import Move, Ship, State
from tactical.rules.saganami.table import Table
from tactical.rules.saganami.thrust import compensator_checks, compensator_target, velocity_change

AHEAD = Place(0, 0)


@rule("B5.12", "D2.12")
def facings(table: Table) -> None:
    """Turn every newcomer as its commander wants it; without a plot its nose points at the nearest opponent."""
    for ship in plotters(table.state):
        plot = table.plot(ship, FacingPlot)
        ship.attitude = default_facing(table.state, ship) if plot is None else plot.attitude
        if plot is not None and plot.tow is not None and plot.tow != ship.pods_towed:
            take_in_tow(ship, plot.tow)
        text = f"{ship.seen_name} faces {ship.attitude.forward}."
        data = {"ship": ship.id, "attitude": ship.attitude.as_document(), "place": list(ship.place)}
        table.tell("facing-taken", text, ("B5.12",), data)


def default_facing(state: State, ship: Ship) -> Attitude:
    """Return the upright attitude whose nose points at the nearest opponent."""
    others = [other for other in state.ships if other.fate == "active" and state.oppose(ship.side, other.side)]
    if not others:
        return Attitude(AHEAD)
    nearest = min(others, key=lambda other: (shoot(ship.place, other.place).range, other.id))
    return Attitude((shoot(ship.place, nearest.place).windows or (AHEAD,))[0])


@rule("A2.674", "A3.12", "B2.21", "B3.21", "C5.441", "C5.4411", "C8.23", "D2.21", "D2.224")
def ship_plots(table: Table) -> None:
    """Carry out what the sheets say: colours are struck first, then bridges are checked and markers placed."""
    for ship in table.state.ships:
        ship.move = None
        ship.is_mute = False
        ship.disabled = {}
        ship.fired = ()
    for ship in plotters(table.state):
        plot = table.plot(ship, MovementPlot) or table.plot(ship, LacMovement)
        if plot is not None and plot.strikes:
            strike_colours(table, ship)
    plotting = [ship.id for ship in plotters(table.state)]
    for ship in table.state.active():
        if ship.sheet.is_lac and ship.id not in plotting:
            continue
        bridge_check(table, ship)
        lac = table.plot(ship, LacMovement)
        place_markers(table, ship, None if ship.is_mute else lac or table.plot(ship, MovementPlot))


@rule("C7.12")
def lac_plots(table: Table) -> None:
    """Place the markers of squadrons that waited for the ships' thrust."""
    for ship in plotters(table.state):
        plot = table.plot(ship, LacMovement)
        if plot is not None and plot.strikes:
            strike_colours(table, ship)
        else:
            place_markers(table, ship, plot)


@rule("D2.21", "D2.224")
def strike_colours(table: Table, ship: Ship) -> None:
    """Take a ship out of the battle: it has surrendered."""
    ship.fate = "surrendered"
    ship.left_turn = table.state.turn
    ship.note = "It struck its colours."
    table.tell("colours-struck", f"{ship.seen_name} strikes its colours.", ("D2.224",), {"ship": ship.id})


@rule("C5.441", "C5.4411")
def bridge_check(table: Table, ship: Ship) -> None:
    """Roll this turn's bridge check of a ship with only circles left; who fails neither turns nor fires missiles."""
    size = ship.sheet.size.get(BRIDGE, 0)
    if not size or ship.gone.get(BRIDGE, 0) == 0:
        return
    boxes = ship.sheet.boxes[BRIDGE][ship.gone[BRIDGE] :]
    squares = sum(box.kind.value == "square" for box in boxes)
    target = bridge_target(ship.grades.crew, squares, ship.number(BRIDGE))
    if target is None:
        return
    check = roll_crew_check(table.roll(ship.id, "bridge"), target)
    ship.is_mute = not check.passed
    verdict = "holds" if check.passed else "fails: no plot and no missiles this turn"
    text = f"{ship.name}: the bridge crew needs {target} and rolls {check.die}; it {verdict}."
    data = {"ship": ship.id, "die": check.die, "target": target, "passed": check.passed}
    table.tell("bridge-checked", text, ("C5.441", "C5.4411"), data, audience=(ship.side,))


def place_markers(table: Table, ship: Ship, plot: MovementPlot | LacMovement | None) -> None:
    """Place a unit's markers by its plot and keep the rest of it for the movement steps."""
    if ship.attitude is None:
        return
    if isinstance(plot, LacMovement):
        ship.move = _lac_move(ship, plot)
    elif plot is not None:
        ship.move = _ship_move(ship, plot)
    else:
        ship.move = Move(coasting(ship), ship.attitude, ship.attitude)
    _lose_settling_pods(table, ship)
    move = ship.move
    start, end = move.course.start, move.course.end
    text = f"{ship.seen_name}: end of turn {shoot(start, end).range} hexes on"
    if move.course.displacement:
        text += f", displaced {format_vectors(move.course.displacement)}"
    data = {
        "ship": ship.id,
        "start": list(start),
        "midpoint": list(move.course.midpoint),
        "end": list(end),
    }
    table.tell("markers-placed", text + ".", ("A3.11", "B3.27"), data)
    if plot is not None:
        where = markers(move.end)
        own = f"{ship.name} plots {move.pivot_windows} windows of pivot, {move.roll_windows} of roll"
        own += f", thrust {move.thrust} as {format_vectors(move.change)}"
        own += ", red-lined" if move.is_red_lined else ""
        own += f"; it ends with its nose in {where.forward} and Top in {where.top}."
        plotted = {"ship": ship.id, "pivot": move.pivot_windows, "roll": move.roll_windows, "thrust": move.thrust,
                   "change": dict(move.change), "end": move.end.as_document()}  # fmt: skip
        table.tell("plot-carried-out", own, ("A3.12", "B2.24", "B3.24"), plotted, audience=(ship.side,))


@rule("A3.123", "B2.24", "B3.21", "B3.27")
def _ship_move(ship: Ship, plot: MovementPlot) -> Move:
    attitude = ship.attitude
    if attitude is None:
        raise ValueError(f"{ship.id} has no attitude")
    turned = turning(attitude, Maneuver(plot.pivot, plot.roll), ratings_of(ship, plot.boost))
    change = {} if plot.thrust is None else velocity_change(plot.thrust)
    return Move(
        course=course(
            ship.place,
            ship.vectors,
            change,
            pivot_windows=turned.pivot_windows,
            engineer=ship.grades.engineer,
            carry=ship.carry,
        ),
        midpoint=turned.midpoint,
        end=turned.end,
        pivot_windows=turned.pivot_windows,
        roll_windows=turned.roll_windows,
        thrust=0 if plot.thrust is None else plot.thrust.thrust,
        change=change,
        is_red_lined=plot.is_red_lined,
    )


@rule("C7.12", "C7.121", "C7.122")
def _lac_move(ship: Ship, plot: LacMovement) -> Move:
    change = {} if plot.thrust is None else velocity_change(plot.thrust)
    displaces = plot.displaces and may_displace(LacPlot(plot.halfway, plot.end))
    return Move(
        course=course(ship.place, ship.vectors, change, pivot_windows=0 if displaces else 1, carry=ship.carry),
        midpoint=plot.halfway,
        end=plot.end,
        thrust=0 if plot.thrust is None else plot.thrust.thrust,
        change=change,
    )


@rule("C8.23")
def _lose_settling_pods(table: Table, ship: Ship) -> None:
    move = ship.move
    if not ship.pods_settling or move is None:
        return
    if keeps_settling_pods(move.pivot_windows, move.roll_windows, move.thrust):
        return
    lost = sum(count for _, count in ship.pods_settling)
    ship.pods_settling = ()
    ship.pods_killed += lost
    text = f"{ship.name} moves off and loses {lost} pods that had not settled."
    table.tell("pods-lost", text, ("C8.23",), {"ship": ship.id, "pods": lost}, audience=(ship.side,))


@rule("B3.23", "B3.231", "B3.232", "B3.233", "C5.465")
def compensators(table: Table) -> None:
    """Check the compensators of whoever asks too much of them; a failed check is an SI hit."""
    for ship in list(table.state.active()):
        move = ship.move
        if move is None or ship.sheet.is_lac or not move.thrust:
            continue
        causes = compensator_checks(
            move.thrust,
            is_red_lined=move.is_red_lined,
            is_impeller_gone=is_impeller_gone(ship),
            is_on_circles=is_on_circles(ship),
        )
        if not causes:
            continue
        roller = table.roll(ship.id, "compensators")
        damage = Damage(ship, roller, table.turn)
        for cause in causes:
            target = compensator_target(crew_target(ship.grades.crew), ship.gone.get(INTEGRITY, 0))
            check = roll_crew_check(roller, target)
            if not check.passed:
                damage.structural()
            text = f"{ship.name}: compensators ({cause}) need {target}, the roll is {check.die}"
            text += "." if check.passed else ": an SI hit."
            data = {"ship": ship.id, "cause": cause, "die": check.die, "target": target, "passed": check.passed,
                    "notes": list(damage.notes)}  # fmt: skip
            table.tell("compensators-checked", text, ("B3.23", "C5.465"), data, audience=(ship.side,))
        announce_loss(table, ship)


def announce_loss(table: Table, ship: Ship) -> None:
    """Tell all sides of a ship that was just destroyed."""
    if ship.fate == "destroyed":
        text = f"{ship.seen_name} is lost. {ship.note}"
        table.tell("ship-destroyed", text, ("C5.421", "C5.4214"), {"ship": ship.id})
