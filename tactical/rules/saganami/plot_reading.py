"""Sheets of the facing and movement steps read and checked, every problem at once (A3.12, B2.2, B3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from campaign.engine.errors import Problem, pointer, stops
from campaign.engine.hexes import DIRECTIONS
from campaign.engine.ruleset import Reading
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.avid import Place
from tactical.rules.saganami.fields import Fields
from tactical.rules.saganami.fire_reading import read_launch_plot
from tactical.rules.saganami.helm import Maneuver, check_maneuver, thrust_window, turning
from tactical.rules.saganami.helm_room import is_too_fast, ratings_of, shares_place, thrust_of
from tactical.rules.saganami.movement import course
from tactical.rules.saganami.muster import towing_problems
from tactical.rules.saganami.officers import Boost
from tactical.rules.saganami.plots import FacingPlot, LacMovement, MovementPlot, Plot
from tactical.rules.saganami.state import Ship, State
from tactical.rules.saganami.switches import LAC_PLOTS, STACKING, ruling
from tactical.rules.saganami.thrust import ThrustPlot, check_thrust, velocity_change

FACING_FIELDS: Final = ("forward", "roll", "tow")
MOVEMENT_FIELDS: Final = ("pivot", "roll", "thrust", "red_line", "boost", "strike_colours")
LAC_FIELDS: Final = ("halfway", "end", "thrust", "displace", "strike_colours")
THRUST_FIELDS: Final = ("thrust", "cell", "split")


@rule("C7.12", "B5.12")
def plotters(state: State, side: str | None = None) -> list[Ship]:
    """Return the units for which something is plotted in the present step: all sides', or one side's."""
    alone = ruling(state.rulings, LAC_PLOTS) == "after"
    found = []
    for ship in state.ships:
        if side is not None and ship.side != side:
            continue
        if state.stage == "facing":
            if ship.fate == "active" and ship.attitude is None and ship.arrives <= state.turn:
                found.append(ship)
        elif ship.is_active and (
            state.stage == "launch"
            or (state.stage == "lacs" and ship.sheet.is_lac and alone)
            or (state.stage == "movement" and not (ship.sheet.is_lac and alone))
        ):
            found.append(ship)
    return found


@rule("A3.1", "A3.12")
def read_plots(state: State, side: str, document: Any) -> Reading:
    """Return a side's sheet for the present step as typed plots, and all its problems.

    The sheet is ``{"ships": {id: plot}}``. A unit whose plot has a stopping problem does nothing of it (a
    launch that is wrong is left out alone); so does one that is not listed.
    """
    problems: list[Problem] = []
    sheet = Fields(document, "", ("ships",), problems)
    listed = Fields(sheet.value.get("ships") or {}, "/ships", tuple(ship.id for ship in state.ships), problems)
    own = {ship.id: ship for ship in plotters(state, side)}
    orders: dict[str, Plot] = {}
    for identity, value in listed.value.items():
        place = "/ships" + pointer(str(identity))
        ship = own.get(str(identity))
        if ship is None:
            if state.find(str(identity)) is not None:
                message = "Nothing is plotted for this unit by this side in this step."
                problems.append(Problem(place, "not-your-plot", message, "A3.12"))
            continue
        found: list[Problem] = []
        plot: Plot | None
        if state.stage == "facing":
            plot = _facing(ship, value, place, found)
        elif state.stage == "launch":
            plot = read_launch_plot(state, ship, value, place, found)
        elif ship.sheet.is_lac:
            plot = _lac_movement(state, ship, value, place, found)
        else:
            plot = _movement(state, ship, value, place, found)
        problems += found
        if plot is not None and (state.stage == "launch" or not stops(found)):
            orders[ship.id] = plot
    if state.stage in ("movement", "lacs"):
        problems += _stacked(state, side, orders)
    return Reading(orders, tuple(sorted(problems)))


@rule("B5.12", "C8.21")
def _facing(ship: Ship, value: Any, at: str, problems: list[Problem]) -> FacingPlot | None:
    fields = Fields(value, at, FACING_FIELDS, problems)
    wrapped = Fields({"facing": {key: fields.value[key] for key in ("forward", "roll") if key in fields.value}},
                     "", ("facing",), problems)  # fmt: skip
    before = len(problems)
    attitude = wrapped.attitude("facing")
    problems[before:] = [
        Problem(at + each.place.removeprefix("/facing"), each.code, each.message, each.rule, each.severity)
        for each in problems[before:]
    ]
    tow = None
    if fields.has("tow"):
        tow = fields.number("tow", 0, 0, ship.pods_aboard + ship.pods_towed, "C8.21")
        problems += [Problem(at + "/tow", each.code, each.message, each.rule) for each in towing_problems(ship, tow)]
        if ship.sheet.pods.is_layer and tow:
            fields.say("layer-tows-none", "A pod-layer lays its pods in the course of the battle.", "C8.231", "tow")
    return None if attitude is None else FacingPlot(attitude, tow)


def _thrust(fields: Fields, problems: list[Problem]) -> ThrustPlot | None:
    """Read {"thrust", "cell": [hexes, levels], "split": vectors}; None without one or where it cannot be read."""
    if not fields.has("thrust"):
        return None
    before = len(problems)
    part = Fields(fields.value["thrust"], fields.at + "/thrust", THRUST_FIELDS, problems)
    amount = part.number("thrust", 0, 0, 100, "B3.22")
    cell = part.items("cell", 2)
    split = Fields(part.value.get("split") or {}, part.at + "/split", DIRECTIONS, problems)
    hexes = {letter: split.number(letter, 0, 0, 100, "B3.253") for letter in DIRECTIONS if split.has(letter)}
    if len(cell) != 2 or any(isinstance(each, bool) or not isinstance(each, int) for each in cell):
        part.say("not-a-cell", "A square of the vertical grid is two whole numbers: hexes and levels.", "B3.24", "cell")
    if len(problems) > before:
        return None
    return ThrustPlot(amount, (cell[0], cell[1]), hexes)


@rule("B3.22", "B3.24", "B3.25", "B3.26", "B5.123", "B5.145", "A3.122", "A3.124")
def _check_thrust(
    state: State, ship: Ship, window: Place, plot: ThrustPlot, rating: int, at: str, problems: list[Problem]
) -> None:
    if not ship.wedge_up and plot.thrust:
        problems.append(Problem(at, "wedge-is-down", "Without its wedge nothing thrusts.", "B5.145"))
        return
    found = check_thrust(window, plot, rating, at)
    problems += found
    if not found:
        after = course(ship.place, ship.vectors, velocity_change(plot)).vectors
        if is_too_fast(after, state.frame, ship.vectors):
            message = "With the map's velocity this is over 360 hexes a turn."
            problems.append(Problem(at, "too-fast", message, "B5.123"))


@rule("B2.22", "B2.24", "B2.25", "B2.233", "B3.231", "D2.224")
def _movement(state: State, ship: Ship, value: Any, at: str, problems: list[Problem]) -> MovementPlot | None:
    fields = Fields(value, at, MOVEMENT_FIELDS, problems)
    boost: Boost = "roll" if fields.choice("boost", ("pivot", "roll"), "pivot") == "roll" else "pivot"
    red_line = fields.flag("red_line")
    strikes = fields.flag("strike_colours")
    path = fields.windows("pivot")
    roll = fields.number("roll", 0, -12, 12, "B2.25")
    plot = _thrust(fields, problems)
    if stops(problems) or ship.attitude is None:
        return None
    if ship.sheet.is_base and (path or roll or plot):
        fields.say("base-stays", "A base neither turns nor moves.", "B2.22")
        return None
    ratings = ratings_of(ship, boost)
    maneuver = Maneuver(path, roll)
    problems += check_maneuver(ship.attitude, maneuver, ratings, at)
    if red_line and ship.sheet.is_lac:
        fields.say("lac-red-line", "LACs have nothing to red-line.", "C7.123", "red_line")
    if plot is not None and not stops(problems):
        window = thrust_window(turning(ship.attitude, maneuver, ratings))
        rating = thrust_of(ship, is_red_lined=red_line)
        _check_thrust(state, ship, window, plot, rating, at + "/thrust", problems)
    return MovementPlot(path, roll, plot, red_line, boost, strikes)


@rule("C7.12", "C7.121", "C7.122", "C7.123")
def _lac_movement(state: State, ship: Ship, value: Any, at: str, problems: list[Problem]) -> LacMovement | None:
    fields = Fields(value, at, LAC_FIELDS, problems)
    halfway = fields.attitude("halfway") if fields.has("halfway") else ship.attitude
    end = fields.attitude("end") if fields.has("end") else halfway
    displaces = fields.flag("displace", True)
    strikes = fields.flag("strike_colours")
    plot = _thrust(fields, problems)
    if stops(problems) or halfway is None or end is None:
        return None
    if plot is not None:
        _check_thrust(state, ship, halfway.forward, plot, thrust_of(ship), at + "/thrust", problems)
    return LacMovement(halfway, end, plot, displaces, strikes)


@rule("C7.11")
def _stacked(state: State, side: str, orders: Mapping[str, Plot]) -> list[Problem]:
    """Return a warning for each of a side's ships that would end its turn where another one does.

    It is no stopping problem, because ships may not be able to help it: then the later one gives way.
    """
    if ruling(state.rulings, STACKING) != "one":
        return []
    ends = []
    for ship in state.active():
        if ship.side != side or ship.sheet.is_lac:
            continue
        plot = orders.get(ship.id)
        if isinstance(plot, MovementPlot):
            change = {} if plot.thrust is None else velocity_change(plot.thrust)
            found = course(ship.place, ship.vectors, change, pivot_windows=len(plot.pivot),
                           engineer=ship.grades.engineer, carry=ship.carry)  # fmt: skip
        else:
            found = course(ship.place, ship.vectors, {})
        ends.append((ship, found.end))
    problems = []
    for index, (ship, end) in enumerate(ends):
        for other, there in ends[:index]:
            if shares_place(ship, other, end, there):
                message = f"{ship.name} and {other.name} would end the turn in one hex: the later one gives way."
                problems.append(Problem("/ships" + pointer(ship.id), "stacked", message, "C7.11", "warn"))
                break
    return problems
