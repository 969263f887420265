"""Movement and record keeping in play: markers reached, vectors, damage control, other actions (A3.2, A3.3)."""

from __future__ import annotations

from campaign.engine import vectors as v
from campaign.engine.hexes import Hex
from campaign.rulebooks.saganami.grades import Grade, crew_target
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.damage_control import (
    NOT_IN_COMBAT,
    Attempt,
    check_attempts,
    rig_fails_in,
    roll_reload,
    roll_repair,
)
from tactical.rules.saganami.damage_effects import life_support_checks, roll_life_support
from tactical.rules.saganami.helm_room import shares_place
from tactical.rules.saganami.lacs import CREW_TARGET_OF_LACS
from tactical.rules.saganami.muster import BERTHS
from tactical.rules.saganami.plots import LaunchPlot, Repair
from tactical.rules.saganami.plotting_steps import announce_loss
from tactical.rules.saganami.pods import ready_turn
from tactical.rules.saganami.sheet import COMMUNICATIONS, ECM, IMPELLERS, LIFE_SUPPORT, PIVOT, ROLL, THRUST
from tactical.rules.saganami.state import Rig, Ship, craft_of
from tactical.rules.saganami.switches import STACKING, ruling
from tactical.rules.saganami.table import Table

OPERATIONAL_TURNS, TACTICAL_TURNS = 6, 19  # B5.111: nineteen tactical turns to six operational ones

# What is mended first where nobody says otherwise: eyes and hands of the defence, guns, engines, the rest.
MOUNT_PRIORITY = ("fcon", "CM", "PD", "sidewall", "M", "L", "G", "ET", "dcy")
USUAL_ORDER = (LIFE_SUPPORT, "bridge", ECM, THRUST)


# Movement ---------------------------------------------------------------------------------------


@rule("A3.22", "B3.13", "B2.222", "B2.241")
def move_to_midpoint(table: Table) -> None:
    """Bring every unit to its midpoint marker, half its pivot and roll done."""
    for ship in table.state.active():
        if ship.move is not None:
            ship.place = ship.move.course.midpoint
            ship.attitude = ship.move.midpoint


@rule("A3.24", "B3.13", "C7.11", "C7.13")
def move_to_end(table: Table) -> None:
    """Bring every unit to its end-of-turn marker, pivot and roll done; two ships in one place part."""
    taken: list[Ship] = []
    alone = ruling(table.state.rulings, STACKING) == "one"
    for ship in table.state.active():
        if ship.move is not None:
            ship.place = ship.move.course.end
            ship.attitude = ship.move.end
        if alone and any(shares_place(ship, other, ship.place, other.place) for other in taken):
            _give_way(table, ship, taken)
        taken.append(ship)


@rule("C7.11")
def _give_way(table: Table, ship: Ship, taken: list[Ship]) -> None:
    """Shift a ship to the nearest free hex and level: one stands in each."""
    places = [other.place for other in taken if not other.sheet.is_lac]
    step = next((each for each in BERTHS if ship.place.moved(*each) not in places), Hex(0, 0, 0))
    ship.place = ship.place.moved(*step)
    text = f"{ship.seen_name} gives way to stand alone in its hex."
    table.tell("gave-way", text, ("C7.11",), {"ship": ship.id, "place": list(ship.place)})


@rule("A3.31", "A3.32", "B3.26", "B3.31", "B3.32", "B3.3")
def vectors(table: Table) -> None:
    """Add the turn's thrust to the vectors, consolidate them, and keep what half hexes carry on."""
    for ship in table.state.active():
        if ship.move is not None:
            ship.vectors = dict(ship.move.course.vectors)
            ship.carry = ship.move.course.carry


# Damage control ---------------------------------------------------------------------------------


def repair_order(ship: Ship) -> tuple[Repair, ...]:
    """Return the usual order of repairs: one party to a box."""
    names = [*USUAL_ORDER]
    for code in MOUNT_PRIORITY:
        names += [f"{mount.name}.{code}" for mount in ship.sheet.mountings]
    names += [*IMPELLERS.values(), PIVOT, ROLL, COMMUNICATIONS, "flag_bridge"]
    if ship.sheet.is_lac:
        names = [track for track in ship.sheet.size if ship.sheet.codes[track] in ("CM", "PD", "L", "G")]
    return tuple(Repair(name) for name in names if name in ship.sheet.size)


@rule("C6.11", "C6.12", "C6.121", "C6.122", "C6.14", "C6.141", "C6.15")
def attempts_of(ship: Ship, order: tuple[Repair, ...]) -> tuple[Attempt, ...]:
    """Return the turn's repair attempts, down the list of priorities until no party is left.

    Boxes are named by track and number. Used decoys and box launchers are no damage.
    """
    parties = ship.parties()
    left_of_craft = {craft: int(ship.left(f"{craft}.damage_control") > 0) for craft in ship.live_craft()}
    found: list[Attempt] = []
    for repair in order:
        track = repair.track
        code = ship.sheet.codes[track]
        if code in NOT_IN_COMBAT or code == "body":
            continue
        if code == "mag":
            if ship.gone.get(track, 0) and track.partition(".")[0] not in ship.fired and parties >= repair.parties:
                found.append(Attempt("mag", track, repair.parties))
                parties -= repair.parties
            continue
        craft = craft_of(track)
        if craft and (code == "M" or craft not in left_of_craft):
            continue
        for index in range(repairable(ship, track)):
            if parties < repair.parties or (craft and left_of_craft[craft] < repair.parties):
                break
            # Failed boxes come first on a track, so that those still to be tried keep their names.
            found.append(Attempt(code, f"{track} {ship.failed.get(track, 0) + index + 1}", repair.parties))
            parties -= repair.parties
            if craft:
                left_of_craft[craft] -= repair.parties
    return tuple(found)


@rule("C6.121", "C6.15", "C4.124")
def repairable(ship: Ship, track: str) -> int:
    """Return the boxes of a track that a party may still try: destroyed, not failed, no sail, no used decoy."""
    boxes = ship.gone.get(track, 0) - ship.failed.get(track, 0) - ship.spent.get(track, 0)
    if track in ship.sails or (ship.sheet.sails.get(track) and ship.left(track) == 0):
        boxes -= ship.sheet.sails[track]
    return max(boxes, 0)


@rule("A3.33", "C6.12", "C6.121", "C6.123", "C6.13", "C6.14", "C6.141", "C7.33")
def damage_control(table: Table) -> None:
    """Let every ship's parties work; then the rigs whose ten turns are over fail."""
    for ship in table.state.active():
        plot = table.plot(ship, LaunchPlot)
        order = repair_order(ship) if plot is None or plot.repairs is None else plot.repairs
        if ship.parties() and any(ship.gone.get(repair.track) for repair in order):
            _repair(table, ship, attempts_of(ship, order))
        _rigs_fail(table, ship)


def _repair(table: Table, ship: Ship, attempts: tuple[Attempt, ...]) -> None:
    if not attempts:
        return
    target = CREW_TARGET_OF_LACS if ship.sheet.is_lac else crew_target(ship.grades.crew)
    roller = table.roll(ship.id, "damage control")
    done: list[str] = []
    failed: list[str] = []
    log = []
    for attempt in attempts:
        track = attempt.box if attempt.track == "mag" else attempt.box.rpartition(" ")[0]
        result = roll_repair(roller, target, attempt.parties)
        entry = {"track": track, "dice": list(result.dice), "repaired": result.repaired}
        if result.repaired and attempt.track == "mag":
            reload = roll_reload(roller, ship.gone.get(track, 0))
            ship.gone[track] = ship.gone.get(track, 0) - reload.dots
            entry["dots"] = reload.dots
            done.append(f"{track} +{reload.dots}")
        elif result.repaired:
            rig_box(ship, track, rig_fails_in(table.turn))
            done.append(track)
        elif attempt.track != "mag":
            ship.failed[track] = ship.failed.get(track, 0) + 1
            failed.append(track)
        log.append(entry)
    text = f"{ship.name}: repaired {', '.join(done) or 'nothing'}"
    text += f"; failed on {', '.join(failed)}." if failed else "."
    table.tell("damage-control-worked", text, ("A3.33", "C6.12"), {"ship": ship.id, "target": target, "log": log},
               audience=(ship.side,))  # fmt: skip


@rule("C6.123", "C6.13")
def rig_box(ship: Ship, track: str, fails: int) -> None:
    """Bring one box of a track back until the end of tactical turn ``fails``."""
    ship.gone[track] -= 1
    for rig in ship.rigs:
        if rig.track == track and rig.fails == fails:
            rig.boxes += 1
            return
    ship.rigs.append(Rig(track, 1, fails))


@rule("C6.13")
def _rigs_fail(table: Table, ship: Ship) -> None:
    over = [rig for rig in ship.rigs if rig.fails <= table.turn]
    if not over:
        return
    ship.rigs = [rig for rig in ship.rigs if rig.fails > table.turn]
    for rig in over:
        ship.gone[rig.track] = ship.gone.get(rig.track, 0) + rig.boxes
    names = ", ".join(f"{rig.boxes} of {rig.track}" for rig in over)
    text = f"{ship.name}: jury rigs fail: {names}."
    table.tell("rigs-failed", text, ("C6.13",), {"ship": ship.id, "boxes": {rig.track: rig.boxes for rig in over}},
               audience=(ship.side,))  # fmt: skip


def attempt_problems(ship: Ship, attempts: tuple[Attempt, ...]) -> tuple[str, ...]:
    """Return the codes of what is wrong with a turn's attempts, by the rules desk's own check."""
    damaged = [attempt.box for attempt in attempts if attempt.track != "mag"]
    magazines = [f"{mount}.mag" for mount in ship.fired]
    found = check_attempts(attempts, ship.parties(), damaged, (), magazines)
    return tuple(problem.code for problem in found)


# Other actions ----------------------------------------------------------------------------------


@rule("A3.34", "B5.145", "C8.23", "C8.231", "C8.31")
def other_actions(table: Table) -> None:
    """Deploy pods, let others settle, raise and lower wedges, and clear what was disabled for the turn."""
    for ship in table.state.active():
        plot = table.plot(ship, LaunchPlot)
        ready = sum(count for turn, count in ship.pods_settling if turn <= table.turn + 1)
        if ready:
            ship.pods_towed += ready
            ship.pods_settling = tuple(each for each in ship.pods_settling if each[0] > table.turn + 1)
        if plot is not None and plot.deploy:
            _deploy(table, ship, min(plot.deploy, ship.pods_aboard))
        if plot is not None and plot.wedge is not None and (plot.wedge == "up") != ship.wedge_up:
            _change_wedge(table, ship, plot.wedge == "up")
        ship.disabled = {}


@rule("C8.23", "C8.231")
def _deploy(table: Table, ship: Ship, pods: int) -> None:
    if pods <= 0:
        return
    ship.pods_aboard -= pods
    ready = ready_turn(table.turn, is_pod_layer=ship.sheet.pods.is_layer)
    if ready <= table.turn + 1:
        ship.pods_towed += pods
    else:
        ship.pods_settling = (*ship.pods_settling, (ready, pods))
    text = f"{ship.name} deploys {pods} pods, ready in turn {ready}."
    table.tell("pods-deployed", text, ("C8.23",), {"ship": ship.id, "pods": pods, "ready": ready},
               audience=(ship.side,))  # fmt: skip


@rule("B5.145")
def _change_wedge(table: Table, ship: Ship, up: bool) -> None:
    """Raise or lower a wedge: it is up at the end of the turn, and the sidewalls follow a tactical turn later."""
    ship.wedge_up = up
    if up:
        ship.walls_from = table.turn + 2
    text = f"{ship.seen_name}'s wedge is {'up' if up else 'down'}."
    table.tell("wedge-changed", text, ("B5.145",), {"ship": ship.id, "up": up})


@rule("C5.423")
def life_support(table: Table) -> None:
    """Check ships without life support every 19 operational turns; in a campaign the map's clock does it."""
    if table.state.handed:
        return
    for ship in list(table.state.active()):
        if ship.life_support_failed is None or ship.left(LIFE_SUPPORT) > 0:
            continue
        before, after, failed = (
            turn * OPERATIONAL_TURNS // TACTICAL_TURNS
            for turn in (table.turn - 1, table.turn, ship.life_support_failed)
        )
        for _ in range(life_support_checks(before, after, failed)):
            grade: Grade = ship.grades.crew
            check = roll_life_support(table.roll(ship.id, "life support"), crew_target(grade))
            if not check.passed and ship.fate == "active":
                ship.fate, ship.left_turn, ship.note = "destroyed", table.turn, "Lost with all hands: no life support."
                announce_loss(table, ship)


@rule("B5.131", "A3.11")
def arrivals(table: Table) -> None:
    """Bring in who arrives in this tactical turn, at its step from where the force it met is now.

    It stands on the map from the end of the turn on, faces as its commander wants, and plots in the next.
    """
    state = table.state
    for ship in state.ships:
        if ship.fate != "active" or ship.attitude is not None or ship.arrives != table.turn:
            continue
        anchor = next((other for other in state.ships if other.force == ship.nearest and other.is_active), None)
        if anchor is not None and ship.step is not None:
            ship.place = anchor.place.less(anchor.berth).moved(*ship.step).moved(*ship.berth)
        taken = [other.place for other in state.active() if not other.sheet.is_lac]
        if ship.place in taken and not ship.sheet.is_lac:
            step = next(each for each in BERTHS if ship.place.moved(*each) not in taken)
            ship.place = ship.place.moved(*step)
        text = f"{ship.seen_name} arrives."
        table.tell("ship-arrived", text, ("B5.131",), {"ship": ship.id, "place": list(ship.place),
                   "velocity": v.ordered(ship.vectors)})  # fmt: skip
