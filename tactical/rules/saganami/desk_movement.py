"""The rules desk's procedures for the AVID, attitudes, thrust and bearings (B2, B3.2, C1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from campaign.engine.errors import ProblemsError, pointer, refuse
from campaign.engine.hexes import Hex
from campaign.engine.procedure import Input, Procedure
from campaign.engine.vector_input import Letter, VectorsInput
from campaign.engine.vectors import from_axial, speed_in_plane, to_axial
from campaign.rulebooks.saganami.bearings import horizontal_direction, ring_of
from campaign.rulebooks.saganami.grades import Grade, crew_target
from tactical.rules.saganami import arcs, attitude, avid, bearings, helm, movement, officers, tables, thrust

Count: TypeAlias = Annotated[int, Field(ge=0, le=10_000)]
Whole: TypeAlias = Annotated[int, Field(ge=-10_000, le=10_000)]
WINDOW = 'AVID window, as "A yellow", "A/B blue+", "D green-" or "purple+"'
DEGREES = "Roll in degrees to starboard, in steps of 30; negative to port"
DEGREES_PER_STEP = 30


def roll_in_steps(degrees: int, at: str = "/roll") -> int:
    """Return a roll of the desk in steps; the markers know only steps of 30 degrees (B2.14)."""
    if degrees % DEGREES_PER_STEP:
        message = "A ship is rolled in steps of 30 degrees, one AVID window each."
        raise refuse("roll-not-step", message, place=at, rule="B2.14")
    return degrees // DEGREES_PER_STEP


class FromToInput(Input):
    """Two windows."""

    start: str = Field(alias="from", description=WINDOW)
    end: str = Field(alias="to", description=WINDOW)


class WindowInput(Input):
    """One window."""

    window: str = Field(description=WINDOW)


class WindowsInput(Input):
    """A number of windows."""

    windows: Count = Field(description="Windows of a pivot or roll carried out in the turn")


class AttitudeInput(Input):
    """A nose and a roll."""

    forward: str = Field(description=f"Forward's {WINDOW}")
    roll: Whole = Field(default=0, description=DEGREES)


class MarkersInput(Input):
    """Two markers."""

    forward: str = Field(description=f"Forward's {WINDOW}")
    top: str = Field(description='Top\'s window, or a spine of the green ring as "A/B green+"')


class ManeuverInput(Input):
    """A plotted pivot and roll."""

    forward: str = Field(description=f"Forward's {WINDOW} at the start of the turn")
    roll: Whole = Field(default=0, description=f"At the start of the turn. {DEGREES}")
    pivot: list[str] = Field(default=[], max_length=24, description="Windows the nose goes through, without its start")
    roll_windows: Whole = Field(default=0, description="Windows of roll, positive to starboard, negative to port")
    pivot_rating: Count = Field(default=6, description="First unmarked box of the pivot track")
    roll_rating: Count = Field(default=6, description="First unmarked box of the roll track")
    helm: Grade = Field(default="average", description="Grade of the helm officer")
    boost: Literal["pivot", "roll"] = Field(default="pivot", description="Where an elite helm's window goes")


class CellInput(Input):
    """A square of the vertical grid."""

    horizontal: Count = Field(description="Hexes on the map")
    vertical: Whole = Field(description="Levels of altitude, negative down")


class RingThrustInput(Input):
    """A ring and a thrust."""

    ring: str = Field(description='"yellow", "blue+", "blue-", "green+", "green-", "purple+" or "purple-"')
    thrust: Annotated[int, Field(ge=0, le=40)] = Field(description="Thrust points")


class SplitsInput(Input):
    """A direction on the map and the hexes of thrust in it."""

    direction: str = Field(description='Hex edge as "A" or hex corner as "B/C"')
    thrust: Annotated[int, Field(ge=0, le=40)] = Field(description="Hexes of thrust on the map")
    ring: str = Field(default="yellow", description="Ring in which the thrust accrues; green has its own hexes")


class WindowThrustInput(Input):
    """A window in which thrust accrues, and how much."""

    window: str = Field(description=f"Where the nose points at the midpoint: {WINDOW}")
    thrust: Annotated[int, Field(ge=0, le=40)] = Field(description="Thrust points")


class RatingInput(Input):
    """What a ship's thrust rating depends on."""

    track: Count = Field(description="First unmarked box of the Maximum Thrust track")
    engineer: Grade = Field(default="average", description="Grade of the engineering officer")
    red_line: bool = Field(default=False, description="Whether the compensators are red-lined")
    thrust: Count | None = Field(default=None, description="Thrust plotted; left out, the whole rating")
    impeller_gone: bool = Field(default=False, description="Whether an impeller track has no box left")
    on_circles: bool = Field(default=False, description="Whether the Maximum Thrust track is down to its circles")
    crew: Grade = Field(default="average", description="Crew grade")
    structural_lost: Count = Field(default=0, description="Boxes lost on the Structural Integrity track")


class TurnInput(Input):
    """A unit's place, velocity and this turn's thrust."""

    position: VectorsInput = Field(default={}, description="Place on the map as legs from any point")
    altitude: Whole = Field(default=0, description="Altitude in levels")
    vectors: VectorsInput = Field(default={}, description="Velocity in hexes per turn")
    change: VectorsInput = Field(default={}, description="Change of velocity made by this turn's thrust")
    pivot_windows: Count = Field(default=0, description="Windows pivoted in the turn")
    engineer: Grade = Field(default="average", description="Grade of the engineering officer")
    carry: list[Letter] = Field(default=[], description="Directions in which a half hex is carried from before")


class LegsInput(Input):
    """The legs from a ship to its target on the map."""

    vectors: VectorsInput = Field(description="Hexes from the ship to the target, by direction")


class DistanceInput(Input):
    """A distance on the map and a difference of altitude."""

    horizontal: Count = Field(description="Hexes on the map")
    altitude: Whole = Field(description="Levels of the target above the ship, negative below")


class PointInput(Input):
    """A place."""

    position: VectorsInput = Field(default={}, description="Place on the map as legs from any point")
    altitude: Whole = Field(default=0, description="Altitude in levels")

    def hex(self) -> Hex:
        """Return the place as a hex with altitude."""
        return Hex(0, 0, self.altitude).moved(*to_axial(self.position))


class ShootInput(Input):
    """Two points: ships or their markers."""

    start: PointInput = Field(alias="from", description="The firing ship, or its marker")
    end: PointInput = Field(alias="to", description="The target, or its marker")


class ArcInput(Input):
    """A ship's attitude and a bearing on its AVID."""

    forward: str = Field(description=f"Forward's {WINDOW}")
    roll: Whole = Field(default=0, description=DEGREES)
    bearing: str = Field(description=f"Bearing of the target, or the impact window: {WINDOW}")
    reading: Literal["wide", "shaded", "single"] = Field(default="wide", description="Reading of the arc diagrams")


def avid_distance(given: FromToInput) -> Mapping[str, Any]:
    """Answer avid.distance."""
    return {"windows": avid.distance(avid.read_place(given.start, "/from"), avid.read_place(given.end, "/to"))}


def avid_paths(given: FromToInput) -> Mapping[str, Any]:
    """Answer avid.paths."""
    start, end = avid.read_window(given.start, "/from"), avid.read_window(given.end, "/to")
    found = avid.paths(start, end)
    return {
        "windows": avid.distance(start, end),
        "paths": [[str(place) for place in path] for path in found],
        "midpoints": [str(place) for place in sorted({_midpoint(start, path) for path in found})],
    }


def _midpoint(start: avid.Place, path: avid.Path) -> avid.Place:
    done = avid.windows_at_midpoint(len(path))
    return path[done - 1] if done else start


def avid_neighbours(given: WindowInput) -> Mapping[str, Any]:
    """Answer avid.neighbours."""
    window = avid.read_window(given.window, "/window")
    return {
        "neighbours": [str(place) for place in avid.neighbours(window)],
        "diagonals": [str(place) for place in avid.diagonals(window)],
    }


def avid_opposite(given: WindowInput) -> Mapping[str, Any]:
    """Answer avid.opposite."""
    return {"window": str(avid.opposite(avid.read_place(given.window, "/window")))}


def avid_midpoint(given: WindowsInput) -> Mapping[str, Any]:
    """Answer avid.midpoint."""
    return {"windows_done": avid.windows_at_midpoint(given.windows)}


def avid_top(given: AttitudeInput) -> Mapping[str, Any]:
    """Answer avid.top."""
    marks = attitude.markers(attitude.read_attitude(given.forward, roll_in_steps(given.roll)))
    return {"top": str(marks.top), "spine": marks.top.is_spine, "markers": marks.as_document()}


def avid_attitude(given: MarkersInput) -> Mapping[str, Any]:
    """Answer avid.attitude."""
    found = attitude.read_markers(given.forward, given.top)
    return {"roll": found.roll * DEGREES_PER_STEP, "markers": attitude.markers(found).as_document()}


def helm_turn(given: ManeuverInput) -> Mapping[str, Any]:
    """Answer helm.turn."""
    start = attitude.read_attitude(given.forward, roll_in_steps(given.roll))
    path = tuple(avid.read_place(name, pointer("pivot", index)) for index, name in enumerate(given.pivot))
    ratings = officers.helm_ratings(given.pivot_rating, given.roll_rating, given.helm, given.boost)
    plot = helm.Maneuver(path, given.roll_windows)
    problems = helm.check_maneuver(start, plot, ratings)
    if problems:
        raise ProblemsError(problems)
    turn = helm.turning(start, plot, ratings)

    def shown(at: attitude.Attitude) -> dict[str, Any]:
        return {"roll": at.roll * DEGREES_PER_STEP, "markers": attitude.markers(at).as_document()}

    return {
        "midpoint": shown(turn.midpoint),
        "end": shown(turn.end),
        "thrust_window": str(helm.thrust_window(turn)),
        "pivot_windows": turn.pivot_windows,
        "left": [str(place) for place in turn.left],
        "u_turns": [str(place) for place in avid.u_turns(start.forward, path)],
        "first": helm.finished_first(turn.pivot_windows, turn.roll_windows),
    }


def thrust_vertical_cell(given: CellInput) -> Mapping[str, Any]:
    """Answer thrust.vertical-cell."""
    number, rings = thrust.vertical_cell(given.horizontal, given.vertical)
    return {"thrust": number, "ring": rings[0] if rings else None, "rings": list(rings)}


def thrust_vertical_cells(given: RingThrustInput) -> Mapping[str, Any]:
    """Answer thrust.vertical-cells."""
    return {"cells": [list(cell) for cell in thrust.vertical_cells(given.ring, given.thrust)]}


def thrust_splits(given: SplitsInput) -> Mapping[str, Any]:
    """Answer thrust.splits."""
    if given.ring.rstrip("+-") not in avid.RING_NAMES:
        message = f"A ring is one of {', '.join(avid.RING_NAMES)}."
        raise refuse("unknown-ring", message, place="/ring", rule="B2.123")
    is_green = given.ring.startswith("green")
    return {"splits": list(thrust.splits(given.direction, given.thrust, is_green=is_green))}


def thrust_options(given: WindowThrustInput) -> Mapping[str, Any]:
    """Answer thrust.options."""
    plots = thrust.options(avid.read_window(given.window, "/window"), given.thrust)
    return {
        "plots": [{"cell": list(plot.cell), "change": thrust.velocity_change(plot)} for plot in plots],
    }


def thrust_rating(given: RatingInput) -> Mapping[str, Any]:
    """Answer thrust.rating."""
    rating = thrust.thrust_rating(given.track, given.engineer, is_red_lined=given.red_line)
    plotted = rating if given.thrust is None else given.thrust
    if plotted > rating:
        message = f"The ship can thrust {rating} this turn, not {plotted}."
        raise refuse("thrust-over-rating", message, place="/thrust", rule="B3.22")
    causes = thrust.compensator_checks(
        plotted, is_red_lined=given.red_line, is_impeller_gone=given.impeller_gone, is_on_circles=given.on_circles
    )
    target = thrust.compensator_target(crew_target(given.crew), given.structural_lost)
    return {"rating": rating, "checks": list(causes), "target": target if causes else None}


def movement_turn(given: TurnInput) -> Mapping[str, Any]:
    """Answer movement.turn."""
    start = Hex(0, 0, given.altitude).moved(*to_axial(given.position))
    found = movement.course(
        start,
        given.vectors,
        given.change,
        pivot_windows=given.pivot_windows,
        engineer=given.engineer,
        carry=given.carry,
    )

    def place(point: Hex) -> dict[str, Any]:
        return {"position": from_axial(point.q, point.r), "altitude": point.z}

    return {
        "midpoint": place(found.midpoint),
        "end": place(found.end),
        "displacement": found.displacement,
        "carry": list(found.carry),
        "vectors": found.vectors,
    }


def bearing_horizontal(given: LegsInput) -> Mapping[str, Any]:
    """Answer bearing.horizontal."""
    q, r, _ = to_axial(given.vectors)
    return {
        "direction": horizontal_direction(q, r) if (q, r) != (0, 0) else None,
        "hexes": speed_in_plane(given.vectors),
    }


def bearing_range(given: DistanceInput) -> Mapping[str, Any]:
    """Answer bearing.range."""
    return {"range": bearings.shoot(Hex(0, 0, 0), Hex(given.horizontal, 0, given.altitude)).range}


def bearing_ring(given: DistanceInput) -> Mapping[str, Any]:
    """Answer bearing.ring."""
    return {"ring": ring_of(given.horizontal, given.altitude)}


def bearing_shoot(given: ShootInput) -> Mapping[str, Any]:
    """Answer bearing.shoot."""
    seen = bearings.shoot(given.start.hex(), given.end.hex())
    return {
        "range": seen.range,
        "window": str(seen.windows[0]) if seen.windows else None,
        "windows": [str(window) for window in seen.windows],
        "impact_window": str(seen.impact_windows[0]) if seen.windows else None,
        "horizontal": seen.horizontal,
        "altitude": seen.altitude,
    }


def arcs_shoot(given: ArcInput) -> Mapping[str, Any]:
    """Answer arcs.shoot."""
    at = attitude.read_attitude(given.forward, roll_in_steps(given.roll))
    bearing = avid.read_window(given.bearing, "/bearing")
    seen = arcs.sights(at, bearing)
    kinds = {"forward": "hammerhead", "starboard": "broadside", "aft": "hammerhead", "port": "broadside"}
    shapes = tables.ARCS[given.reading]
    return {
        "row": arcs.row_of(at, bearing),
        "windows": [str(sight.window) for sight in seen],
        "facings": list(arcs.nearest_facings(at, bearing)),
        "bears": [
            mount
            for mount in attitude.FACINGS
            if any(arcs.bears(shapes[kinds[mount]], mount, sight.window) for sight in seen)
        ],
        "wedge": arcs.is_behind_wedge(at, bearing),
        "aspects": [
            {"edge": aspect.edge, "cover": aspect.cover, "leak": aspect.leak} for aspect in arcs.aspects(at, bearing)
        ],
    }


_MARKERS_OUT = "each of the six markers to its window, or spine of the green ring"

PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="avid.distance",
        rules=("B2.24", "C1.221"),
        summary="Count the windows from one to another, with at most one diagonal crossing.",
        input=FromToInput,
        result={"windows": "windows, 0 to 6"},
        run=avid_distance,
        example={"from": "C/D blue+", "to": "D/E blue-"},
    ),
    Procedure(
        name="avid.paths",
        rules=("B2.24", "B2.241"),
        summary="List every shortest pivot from one window to another, and where its midpoint can be.",
        input=FromToInput,
        result={
            "windows": "windows of each way",
            "paths": "ways, each a list of windows without its start",
            "midpoints": "windows at which the ways have their midpoint",
        },
        run=avid_paths,
        example={"from": "C/D blue+", "to": "D/E blue-"},
    ),
    Procedure(
        name="avid.neighbours",
        rules=("B2.122", "B2.24"),
        summary="List the windows that touch a window.",
        input=WindowInput,
        result={"neighbours": "windows that share an edge", "diagonals": "windows that touch at a corner"},
        run=avid_neighbours,
        example={"window": "A/B blue+"},
    ),
    Procedure(
        name="avid.opposite",
        rules=("B2.133", "C1.16"),
        summary="Find the window six away: Aft's for Forward's, the impact window for a bearing.",
        input=WindowInput,
        result={"window": "the opposite window"},
        run=avid_opposite,
        example={"window": "C/D yellow"},
    ),
    Procedure(
        name="avid.midpoint",
        rules=("B2.222", "B2.241", "B2.25"),
        summary="Say how many windows of a pivot or roll are done at the midpoint.",
        input=WindowsInput,
        result={"windows_done": "windows"},
        run=avid_midpoint,
        example={"windows": 1},
    ),
    Procedure(
        name="avid.top",
        rules=("B2.13", "B2.14", "B2.15", "Z1.0"),
        summary="Place the markers of a ship with its nose in a window, rolled by so much.",
        input=AttitudeInput,
        result={"top": "Top's place", "spine": "whether Top lies on a spine", "markers": _MARKERS_OUT},
        run=avid_top,
        example={"forward": "A blue-", "roll": 30},
    ),
    Procedure(
        name="avid.attitude",
        rules=("B2.135", "B2.14"),
        summary="Find the roll of a ship from its Forward and Top markers.",
        input=MarkersInput,
        result={"roll": "degrees to starboard, 0 to 330", "markers": _MARKERS_OUT},
        run=avid_attitude,
        example={"forward": "B yellow", "top": "C/D blue+"},
    ),
    Procedure(
        name="helm.turn",
        rules=("B2.22", "B2.222", "B2.24", "B2.241", "B2.25", "B2.26", "D1.144"),
        summary="Carry out a plotted pivot and roll: the markers at the midpoint and at the end of the turn.",
        input=ManeuverInput,
        result={
            "midpoint": "roll in degrees and markers at the midpoint",
            "end": "roll in degrees and markers at the end of the turn",
            "thrust_window": "window in which thrust accrues",
            "pivot_windows": "windows of the pivot carried out",
            "left": "windows of the arrow left for later turns",
            "u_turns": "yellow windows in which the arrow turns over",
            "first": "what is over first, pivot or roll",
        },
        run=helm_turn,
        example={"forward": "B yellow", "roll": 60, "pivot": ["B/C yellow", "C yellow"], "roll_windows": -3},
    ),
    Procedure(
        name="thrust.vertical-cell",
        rules=("B3.243", "B3.242"),
        summary="Read a square of the vertical grid: its thrust and its ring.",
        input=CellInput,
        result={"thrust": "thrust points", "ring": "its ring", "rings": "every ring from which it can be reached"},
        run=thrust_vertical_cell,
        example={"horizontal": 3, "vertical": 3},
    ),
    Procedure(
        name="thrust.vertical-cells",
        rules=("B3.24", "B3.241", "B3.242"),
        summary="List the squares of the vertical grid for a thrust in a ring.",
        input=RingThrustInput,
        result={"cells": "pairs of hexes on the map and levels of altitude"},
        run=thrust_vertical_cells,
        example={"ring": "blue+", "thrust": 6},
    ),
    Procedure(
        name="thrust.splits",
        rules=("B3.253", "B3.254", "B3.2541", "B3.255"),
        summary="List the splits of a horizontal thrust over the directions of the map.",
        input=SplitsInput,
        result={"splits": "directions to hexes per turn, one for each choice"},
        run=thrust_splits,
        example={"direction": "A", "thrust": 4},
    ),
    Procedure(
        name="thrust.options",
        rules=("B3.24", "B3.25", "B3.26"),
        summary="List every change of velocity that a thrust in a window can be plotted as.",
        input=WindowThrustInput,
        result={"plots": "square of the vertical grid, and the change of velocity it gives with one of its splits"},
        run=thrust_options,
        example={"window": "A blue+", "thrust": 4},
    ),
    Procedure(
        name="thrust.rating",
        rules=("B3.22", "B3.221", "B3.23", "B3.231", "B3.232", "B3.233", "C5.465"),
        summary="Find a ship's thrust rating and the compensator checks its thrust asks for.",
        input=RatingInput,
        result={
            "rating": "thrust points",
            "checks": 'causes of a check: "red-line", "impeller", "circles"',
            "target": "number at or under which a d10 passes, or null without a check",
        },
        run=thrust_rating,
        example={"track": 2, "engineer": "elite", "red_line": True},
    ),
    Procedure(
        name="movement.turn",
        rules=("A3.11", "B3.12", "B3.121", "B3.27", "B3.3"),
        summary="Place a unit's midpoint and end of turn, and find its vectors after the turn.",
        input=TurnInput,
        result={
            "midpoint": "legs from the origin and altitude",
            "end": "legs from the origin and altitude, displacement counted",
            "displacement": "directions to hexes",
            "carry": "directions that carry a half hex",
            "vectors": "velocity in hexes per turn, consolidated",
        },
        run=movement_turn,
        example={"vectors": {"C": 4, "D": 2}, "change": {"C": 3, "+": 2}},
    ),
    Procedure(
        name="bearing.horizontal",
        rules=("C1.12", "C1.121"),
        summary="Say through which hex edge or corner a target is seen.",
        input=LegsInput,
        result={"direction": 'hex edge as "A", hex corner as "B/C", null straight above', "hexes": "hexes on the map"},
        run=bearing_horizontal,
        example={"vectors": {"B": 4, "C": 3}},
    ),
    Procedure(
        name="bearing.range",
        rules=("C1.13", "C1.14"),
        summary="Find the true range of a target.",
        input=DistanceInput,
        result={"range": "hexes, fraction dropped"},
        run=bearing_range,
        example={"horizontal": 7, "altitude": 2},
    ),
    Procedure(
        name="bearing.ring",
        rules=("C1.15", "C1.151", "C1.152", "C1.153"),
        summary="Find the ring through which a target is seen.",
        input=DistanceInput,
        result={"ring": "ring, with its half of the sphere but for yellow"},
        run=bearing_ring,
        example={"horizontal": 8, "altitude": 2},
    ),
    Procedure(
        name="bearing.shoot",
        rules=("C1.1", "C1.11", "C1.16"),
        summary="Shoot a bearing: range, window and impact window.",
        input=ShootInput,
        result={
            "range": "hexes, fraction dropped",
            "window": "window of the target, null in the same place",
            "windows": "both windows where it lies on a spine (the attacker's choice)",
            "impact_window": "window through which the target sees it come",
            "horizontal": "hexes on the map",
            "altitude": "levels of the target above the ship",
        },
        run=bearing_shoot,
        example={"from": {}, "to": {"position": {"B": 4, "C": 3}, "altitude": 2}},
    ),
    Procedure(
        name="arcs.shoot",
        rules=("C1.22", "C1.221", "C1.222", "C1.225", "C5.11", "C5.112", "C5.113"),
        summary="Map a bearing to a ship's own frame: mounts that bear, wedge, edge and cover.",
        input=ArcInput,
        result={
            "row": "rows above the ship's middle, 3 Top's to -3 Bottom's",
            "windows": "windows of the ship's own sphere, its nose in A; several are the attacker's choice",
            "facings": "facings nearest to the bearing",
            "bears": "mounts that bear by that reading of the arcs",
            "wedge": "whether the bearing meets the wedge",
            "aspects": "edge of the hit table, cover and leak of a shot from there",
        },
        run=arcs_shoot,
        example={"forward": "A blue+", "bearing": "B/C blue+"},
    ),
)
