"""Procedures of initiative, movement, task forces and scales."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from campaign.engine.dice import Roller, SeedDice, TypedDice
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.engine.hexes import DIRECTIONS, Hex
from campaign.engine.procedure import Input, Procedure
from campaign.engine.vectors import Vectors, consolidate, from_axial, speed_in_plane, to_axial
from operational.rules.full_thrust import movement, scales, taskforces

FlatVector = Annotated[
    dict[str, int],
    Field(description="directions A to F with whole numbers of hexes, for example A 3; the map is flat"),
]
Direction = Literal["A", "B", "C", "D", "E", "F"]
Thrust = Annotated[int, Field(ge=0, le=1_000_000, description="thrust points")]
Whole = Annotated[int, Field(ge=0, le=10**12)]
Length = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False, description="MU, fractions allowed")]


def _flat_vectors(rule: str, **fields: Vectors) -> dict[str, dict[str, int]]:
    """Return the flat vectors of several fields, or raise with the problems of all of them."""
    found: dict[str, dict[str, int]] = {}
    problems: list[Problem] = []
    for field, value in fields.items():
        found[field], wrong = movement.parse_flat_vector(value, pointer(field), rule)
        problems.extend(wrong)
    if problems:
        raise ProblemsError(problems)
    return found


def _place(position: Hex) -> dict[str, int]:
    """Return a hex as the vector that leads to it from the origin."""
    return from_axial(position.q, position.r)


class InitiativeInput(Input):
    """Two sides, and the faces of each (or a seed that rolls for both)."""

    dice: dict[str, list[Any]] | None = Field(None, description="for each side its faces, a tie's with them")
    sides: list[str] | None = Field(None, description="the two sides, where a seed rolls")
    seed: str | None = Field(None, description="a text that rolls the dice of both sides")


def _initiative(asked: InitiativeInput) -> Mapping[str, Any]:
    if asked.dice is not None:
        if asked.seed is not None:
            raise refuse("dice-and-seed", "Give typed dice or a seed, not both.", place="/dice")
        if asked.sides is not None and sorted(asked.sides) != sorted(asked.dice):
            raise refuse("other-sides", "The dice are not those of the sides.", place="/sides")
        typed = {side: TypedDice(faces, place=pointer("dice", side)) for side, faces in asked.dice.items()}
        found = movement.roll_initiative(typed)
        for one in typed.values():
            one.finish()
    elif asked.seed is not None:
        sides = asked.sides or []
        if len(set(sides)) != 2 or len(sides) != 2:
            raise refuse("not-two-sides", "Name the two sides that roll.", place="/sides", rule="initiative")
        roller: Roller = SeedDice(asked.seed)
        found = movement.roll_initiative(dict.fromkeys(sides, roller))
    else:
        raise refuse("missing", "This rule rolls: give its dice, or a seed.", place="/dice", rule="initiative")
    return {"winner": found.winner, "loser": found.loser, "rounds": found.rounds}


class OrderInput(Input):
    """Who has the initiative, and the task forces (or ships) of both sides in their order of preference."""

    winner: str = Field(description="the side with the initiative")
    forces: dict[str, list[str]] = Field(description="side to its task forces")
    preference: dict[str, list[str]] = Field(default_factory=dict, description="side to those it wants to go first")
    scale: Literal["operational", "tabletop"] = Field("operational", description="on the table the winner begins")


def _order(asked: OrderInput) -> Mapping[str, Any]:
    problems = []
    if len(asked.forces) != 2:
        problems.append(Problem("/forces", "not-two-sides", "Two sides alternate.", "initiative"))
    if asked.winner not in asked.forces:
        problems.append(Problem("/winner", "unknown-side", "The winner is none of the sides.", "initiative"))
    for side, names in asked.forces.items():
        problems.extend(movement.check_preference(names, names, place=pointer("forces", side)))
    for side, names in asked.preference.items():
        if side not in asked.forces:
            problems.append(Problem(pointer("preference", side), "unknown-side", f"{side} is none of the sides."))
        else:
            here = pointer("preference", side)
            problems.extend(movement.check_preference(names, asked.forces[side], place=here))
    if problems:
        raise ProblemsError(problems)
    loser = next(side for side in asked.forces if side != asked.winner)
    listed = {
        side: movement.in_order_of_preference(asked.preference.get(side, []), names)
        for side, names in asked.forces.items()
    }
    play = movement.Initiative(asked.winner, loser, ())
    if asked.scale == "operational":
        return {"first": loser, "order": movement.operational_order(play, listed)}
    return {"first": asked.winner, "order": movement.tabletop_scan_order(play, listed)}


class MoveInput(Input):
    """A task force's vector and the thrust it spends."""

    vector: FlatVector
    thrust: FlatVector
    position: FlatVector = Field(default_factory=dict)
    rate: Thrust | None = Field(None, description="thrust of the task force's slowest ship, to be kept")
    ships: list[Thrust] | None = Field(None, description="thrust of each ship; the slowest sets the rate")


def _move(asked: MoveInput) -> Mapping[str, Any]:
    flat = _flat_vectors("end-point-movement", vector=asked.vector, thrust=asked.thrust, position=asked.position)
    rates = [] if asked.rate is None else [asked.rate]
    if asked.ships is not None:
        rates.append(taskforces.manoeuvre_rate(asked.ships))
    if rates:
        problems = movement.check_thrust(flat["thrust"], min(rates))
        if problems:
            raise ProblemsError(problems)
    made = movement.move(flat["vector"], flat["thrust"], to_axial(flat["position"]))
    return {
        "moved": made.moved,
        "next_vector": made.next_vector,
        "position": _place(made.position),
        "end_point": _place(made.end_point),
        "velocity": speed_in_plane(made.moved),
        "thrust_used": movement.thrust_used(flat["thrust"]),
    }


class PlotInput(Input):
    """A task force's vector and its thrust hex by hex."""

    vector: FlatVector
    steps: list[Direction] = Field(description="the directions in which the end point is moved, in order")
    position: FlatVector = Field(default_factory=dict)


def _plot(asked: PlotInput) -> Mapping[str, Any]:
    flat = _flat_vectors("end-point-movement", vector=asked.vector, position=asked.position)
    position = to_axial(flat["position"])
    path = movement.end_point_path(movement.projected_end_point(position, flat["vector"]), asked.steps)
    vectors = [movement.vector_between(position, end_point) for end_point in path]
    return {
        "end_points": [_place(end_point) for end_point in path],
        "vectors": vectors,
        "thrust": {letter: asked.steps.count(letter) for letter in DIRECTIONS if letter in asked.steps},
        "thrust_used": len(asked.steps),
    }


class ThrustMarkerInput(Input):
    """The thrust spent, and which sides the opponent prefers in a tie."""

    thrust: FlatVector
    preference: list[str] | None = Field(None, description="the opponent's standing preference of hex sides")


def _thrust_marker(asked: ThrustMarkerInput) -> Mapping[str, Any]:
    thrust = _flat_vectors("thrust-marker", thrust=asked.thrust)["thrust"]
    sides = movement.thrust_marker_sides(thrust)
    chosen = sides[0] if len(sides) == 1 else None
    if asked.preference is not None:
        chosen = movement.opponent_marker(sides, asked.preference)
    return {
        "candidates": sides,
        "chooser": "opponent" if len(sides) > 1 else None,
        "marker": chosen,
        "base": movement.base_facing(chosen),
        "moved": consolidate(thrust),
    }


class FacingsInput(Input):
    """One ship: the base facing, the thrust its task force used, its own rating."""

    base: Annotated[int, Field(ge=0, le=5)] | None = Field(
        description="base facing, a hex side 0 to 5 clockwise from A; null where the task force has none"
    )
    used: Thrust = Field(description="thrust points that the task force spent")
    total: Thrust = Field(description="the ship's own thrust rating")


def _sides(facings: tuple[int, ...]) -> list[str]:
    return [DIRECTIONS[facing] for facing in facings]


def _facings(asked: FacingsInput) -> Mapping[str, Any]:
    found = scales.facings(asked.base, asked.used, asked.total)
    return {"facings": found, "sides": _sides(found)}


class ForceFacingsInput(Input):
    """A task force at the table: its thrust and the rating of each ship."""

    thrust: FlatVector
    ships: dict[str, Thrust] = Field(description="ship to its own thrust rating")
    preference: list[str] = Field(
        default_factory=lambda: list(DIRECTIONS), description="the opponent's standing preference of hex sides"
    )


def _force_facings(asked: ForceFacingsInput) -> Mapping[str, Any]:
    thrust = _flat_vectors("facing-deviation", thrust=asked.thrust)["thrust"]
    problems = movement.check_thrust(thrust, taskforces.manoeuvre_rate(list(asked.ships.values())))
    if problems:
        raise ProblemsError(problems)
    marker = movement.opponent_marker(movement.thrust_marker_sides(thrust), asked.preference)
    base = movement.base_facing(marker)
    used = movement.thrust_used(thrust)
    leeway = {ship: scales.facings(base, used, rating) for ship, rating in asked.ships.items()}
    return {"marker": marker, "base": base, "used": used, "facings": leeway}


class TaskForceThrustInput(Input):
    """The thrust rating of each ship of a task force."""

    ships: list[Thrust] = Field(description="thrust rating of each ship")


class MarkerInput(Input):
    """A task force's marker."""

    side: str
    position: FlatVector = Field(default_factory=dict)
    vector: FlatVector = Field(default_factory=dict)


class MergeInput(Input):
    """The task forces that are to become one."""

    forces: list[MarkerInput] = Field(description="side, position and vector of each")


def _merge(asked: MergeInput) -> Mapping[str, Any]:
    markers: list[taskforces.Marker] = []
    problems: list[Problem] = []
    for index, force in enumerate(asked.forces):
        found = {}
        for field, value in (("position", force.position), ("vector", force.vector)):
            found[field], wrong = movement.parse_flat_vector(value, pointer("forces", index, field), "merge-split")
            problems.extend(wrong)
        markers.append(taskforces.Marker(force.side, to_axial(found["position"]), found["vector"]))
    problems.extend(taskforces.check_merge(markers))
    if problems:
        raise ProblemsError(problems)
    first = markers[0]
    return {"allowed": True, "position": _place(first.position), "vector": consolidate(first.vector)}


class SplitInput(Input):
    """A task force and the parts it is to be divided into."""

    ships: list[str] = Field(description="the ships of the task force")
    parts: list[list[str]] = Field(description="the ships of each new task force")
    vector: FlatVector = Field(default_factory=dict)


def _split(asked: SplitInput) -> Mapping[str, Any]:
    vector = _flat_vectors("merge-split", vector=asked.vector)["vector"]
    problems = taskforces.check_split(asked.ships, asked.parts)
    if problems:
        raise ProblemsError(problems)
    return {"allowed": True, "vectors": [consolidate(vector) for _ in asked.parts]}


class MuInput(Input):
    """A length on the table."""

    mu: Length


class OperationalVelocityInput(Input):
    """A velocity on the map."""

    operational: Whole = Field(description="hexes an operational turn")


class TabletopVelocityInput(Input):
    """A velocity on the table."""

    tabletop: Whole = Field(description="MU a tabletop turn")


class TimeInput(Input):
    """A number of operational turns."""

    op_turns: Whole = Field(description="operational turns")


class HexesInput(Input):
    """A length on the map."""

    hexes: Whole = Field(description="operational hexes")


_MOVED = {
    "moved": "the step that the task force makes, hexes by direction",
    "next_vector": "its vector afterwards, hexes an operational turn",
    "position": "its new hex, as the vector from the origin",
    "end_point": "its new projected end point, likewise",
    "velocity": "hexes an operational turn",
    "thrust_used": "thrust points spent",
}

MOVEMENT_PROCEDURES = (
    Procedure(
        "movement.initiative",
        ("initiative",),
        "Both sides roll a d6 until they differ; the higher has the initiative.",
        InitiativeInput,
        {"winner": "side with the initiative", "loser": "the other side", "rounds": "the faces of each round, by side"},
        _initiative,
        example={"dice": {"red": [3, 3], "blue": [3, 5]}},
    ),
    Procedure(
        "movement.order",
        ("initiative", "tabletop-scans"),
        "The order in which two sides' task forces act by turns: the loser begins, on the table the winner.",
        OrderInput,
        {"first": "the side that begins", "order": "task forces in the order in which they act"},
        _order,
        example={"winner": "red", "forces": {"red": ["r1"], "blue": ["b1", "b2"]}, "preference": {"blue": ["b2"]}},
    ),
    Procedure(
        "movement.move",
        ("end-point-movement", "vectors", "taskforces"),
        "A task force moves: thrust moves its end point at once, it goes there, the end point as far again.",
        MoveInput,
        _MOVED,
        _move,
        example={"vector": {"A": 3}, "thrust": {"B": 1}, "ships": [4, 2]},
    ),
    Procedure(
        "movement.plot",
        ("end-point-movement", "vectors"),
        "The projected end point as thrust moves it hex by hex.",
        PlotInput,
        {
            "end_points": "the end point before and after each point of thrust, as vectors from the origin",
            "vectors": "the task force's vector at each of them",
            "thrust": "the thrust by direction",
            "thrust_used": "thrust points spent",
        },
        _plot,
        example={"vector": {"A": 3}, "steps": ["B", "C"]},
    ),
    Procedure(
        "movement.thrust-marker",
        ("thrust-marker", "opponent-tie", "base-facing"),
        "The hex sides that a task force's thrust marker may be put on, and who chooses.",
        ThrustMarkerInput,
        {
            "candidates": "hex sides A to F, none where the end point was not moved",
            "chooser": '"opponent" where two sides are equally close, else null',
            "marker": "the side it goes on, null while the opponent has to choose",
            "base": "the base facing it gives, hex side 0 to 5",
            "moved": "how the end point was moved by all the thrust",
        },
        _thrust_marker,
        example={"thrust": {"A": 1, "B": 1}, "preference": ["E"]},
    ),
    Procedure(
        "movement.facings",
        ("facing-deviation", "base-facing", "opponent-tie"),
        "The facings that each ship of a task force may choose at the table, by its own thrust rating.",
        ForceFacingsInput,
        {
            "marker": "hex side of the thrust marker",
            "base": "base facing, hex side 0 to 5",
            "used": "thrust points spent",
            "facings": "ship to the hex sides 0 to 5 it may face",
        },
        _force_facings,
        example={"thrust": {"A": 2}, "ships": {"Lantern": 2, "Sparrow": 6}},
    ),
    Procedure(
        "scale.facings",
        ("facing-deviation", "base-facing"),
        "The hex sides that a ship may face on the table.",
        FacingsInput,
        {"facings": "hex sides 0 to 5, clockwise from A", "sides": "the same as letters"},
        _facings,
        example={"base": 0, "used": 1, "total": 4},
    ),
    Procedure(
        "scale.mu-to-hexes",
        ("scales", "operational-sensor-table"),
        "Operational hexes of a length in MU, fractions dropped.",
        MuInput,
        {"hexes": "operational hexes"},
        lambda asked: {"hexes": scales.mu_to_hexes(Fraction(asked.mu))},
        example={"mu": 150},
    ),
    Procedure(
        "scale.hexes-to-mu",
        ("scales",),
        "The length of operational hexes.",
        HexesInput,
        {"mu": "MU", "kilometres": "kilometres"},
        lambda asked: {
            "mu": scales.hexes_to_mu(asked.hexes),
            "kilometres": scales.hexes_to_kilometres(asked.hexes),
        },
        example={"hexes": 2},
    ),
    Procedure(
        "scale.tabletop-velocity",
        ("velocity-table",),
        "The velocity on the table of one on the map: 5.5 MU a hex, halves up.",
        OperationalVelocityInput,
        {"velocity": "MU a tabletop turn"},
        lambda asked: {"velocity": scales.tabletop_velocity(asked.operational)},
        example={"operational": 3},
    ),
    Procedure(
        "scale.operational-velocity",
        ("velocity-table",),
        "The velocity on the map of one on the table: the nearest whole hexes.",
        TabletopVelocityInput,
        {"velocity": "hexes an operational turn"},
        lambda asked: {"velocity": scales.operational_velocity(asked.tabletop)},
        example={"tabletop": 17},
    ),
    Procedure(
        "scale.time",
        ("scales",),
        "The time that passes in operational turns.",
        TimeInput,
        {"tabletop_turns": "tabletop turns", "minutes": "minutes"},
        lambda asked: {
            "tabletop_turns": scales.operational_turns_to_tabletop(asked.op_turns),
            "minutes": scales.operational_turns_to_minutes(asked.op_turns),
        },
        example={"op_turns": 4},
    ),
    Procedure(
        "taskforces.thrust",
        ("taskforces",),
        "The thrust a task force may spend in a turn: its slowest ship's.",
        TaskForceThrustInput,
        {"thrust": "thrust points"},
        lambda asked: {"thrust": taskforces.manoeuvre_rate(asked.ships)},
        example={"ships": [6, 2, 4]},
    ),
    Procedure(
        "taskforces.merge",
        ("merge-split",),
        "Whether task forces may merge: one side, one hex, one vector.",
        MergeInput,
        {"allowed": "true", "position": "hex of the merged task force", "vector": "its vector"},
        _merge,
        example={"forces": [{"side": "red", "vector": {"A": 2}}, {"side": "red", "vector": {"B": 2, "F": 2}}]},
    ),
    Procedure(
        "taskforces.split",
        ("merge-split", "taskforces"),
        "Whether a task force may be divided so; every part starts with its vector.",
        SplitInput,
        {"allowed": "true", "vectors": "the vector of each part"},
        _split,
        example={"ships": ["Lantern", "Sparrow"], "parts": [["Lantern"], ["Sparrow"]], "vector": {"A": 2}},
    ),
)
