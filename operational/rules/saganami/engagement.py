"""The hand-off's doors: engagements opened, bids, and how a battle begins (B5.12 to B5.13).

Forces, ships and bids are named by the marks of the engagement's document (engine.handoff).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.engine import vectors as v
from campaign.engine.dice import TurnDice
from campaign.engine.errors import Problem, pointer
from campaign.engine.handoff import EngagedForce, Engagement, Limit, Place, Placed, Setting
from campaign.engine.hexes import LETTERS, Hex, true_range
from campaign.engine.ruleset import Document, Event
from campaign.engine.vectors import Vectors, parse_vectors, to_axial
from campaign.rulebooks.saganami.scales import (
    VELOCITY_FACTOR,
    frame_shift,
    spare_points,
    tactical_turns,
    to_operational,
    to_tactical,
)
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami import bidding
from operational.rules.saganami.engagement_documents import for_side, rebuilt
from operational.rules.saganami.orders import Orders
from operational.rules.saganami.start_places import START_RANGE, Unit, start_places
from operational.rules.saganami.state import State
from operational.rules.saganami.switches import BATTLE_CLOCK, RANGE_50

APART = "apart"
FARTHEST_LIMIT = 1000  # operational turns; a limit that far away limits nothing
engagement_for_side = for_side


@rule("B5.12")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Write the engagements of the turn being played as the turn left their ships and contacts."""
    return refreshed(state, state.turn + 1), ()


def refreshed(state: State, turn: int) -> State:
    """Return the state with the documents of all engagements issued in ``turn`` written anew.

    For whoever changes a ship after the hand-off and before the turn is over, as an amendment does.
    """
    return replace(
        state,
        meetings=tuple(
            rebuilt(state, each, turn) if each.issued == turn and not each.closed else each for each in state.meetings
        ),
    )


@rule("B5.12", "D2.13")
def open_engagements(state: State) -> tuple[dict[str, Any], ...]:
    """Return the engagements opened or issued anew in the turn that ended in this state, in their order."""
    return tuple(dict(each.document) for each in state.meetings if each.issued == state.turn and not each.closed)


# Bids ------------------------------------------------------------------------------------------


def _bidders(engagement: Engagement) -> dict[str, EngagedForce]:
    """Return the forces that bid: those that were there when the engagement was opened."""
    return {force.id: force for _, force in engagement.forces() if force.issue == 1}


def _flagship(force: EngagedForce) -> Mapping[str, Any]:
    return next(ship.facts for ship in force.ships if ship.id == force.flagship)


@rule("B5.122")
def _rounds(engagement: Engagement) -> dict[str, int]:
    return {mark: int(_flagship(force)["crew_target"]) for mark, force in _bidders(engagement).items()}


@rule("B5.122", "B5.123")
def bidding_rounds(document: Document) -> list[dict[str, Any]]:
    """Return the rounds of bids in order: "round", the "sides" that bid in it, and their "forces" by side.

    Each force bids as one, by its flagship's crew and thrust; who joined a battle that was opened
    before finds its terms set.
    """
    engagement = Engagement.model_validate(document)
    side_of = {force.id: side for side, force in engagement.forces()}
    found = []
    for number, due in enumerate(bidding.schedule(_rounds(engagement)), start=1):
        forces: dict[str, list[str]] = {}
        for mark in due:
            forces.setdefault(side_of[mark], []).append(mark)
        found.append({"round": number, "sides": sorted(forces), "forces": {key: forces[key] for key in sorted(forces)}})
    return found


@rule("B5.122")
def check_bid(document: Document, side: str, bid: Any) -> tuple[Problem, ...]:
    """Return every problem of one bid of a side.

    A bid is vectors for all of the side's forces that bid in the round, or ``{force: vectors}``.
    """
    engagement = Engagement.model_validate(document)
    own = [force for force in engagement.sides[side].forces if force.issue == 1] if side in engagement.sides else []
    if not own:
        return (Problem("", "not-a-bidder", "This side has no force that bids.", "B5.122"),)
    if not isinstance(bid, Mapping):
        return parse_vectors(bid, "", "B5.122")[1]
    problems: list[Problem] = []
    if _is_for_all(bid):
        parts = [("", bid, own)]
    else:
        parts = [(pointer(str(mark)), each, [force for force in own if force.id == mark]) for mark, each in bid.items()]
    for place, value, forces in parts:
        if not forces:
            problems.append(Problem(place, "unknown-force", "A bid is for forces of this side that bid.", "B5.122"))
            continue
        found, bad = parse_vectors(value, place, "B5.122")
        problems += bad
        if not bad:
            least = min(int(_flagship(force)["thrust"]) for force in forces)
            problems += bidding.check_thrust(found, least, place)
    return tuple(sorted(problems))


def _is_for_all(bid: Mapping[str, Any]) -> bool:
    """Return whether a bid is plain vectors: keys of directions, or values that are no vectors of a force."""
    return all(key in LETTERS or not isinstance(value, Mapping) for key, value in bid.items())


def _by_force(document: Document, bids: Sequence[Document]) -> list[dict[str, dict[str, int]]]:
    """Return the bids of each round by force: {mark: vectors}, unreadable ones left out."""
    found = []
    for number, due in enumerate(bidding_rounds(document)):
        filed = bids[number] if number < len(bids) else {}
        row: dict[str, dict[str, int]] = {}
        for side, marks in due["forces"].items():
            bid = filed.get(side) or {}
            if not check_bid(document, side, bid):
                for mark in marks:
                    vectors = v.ordered(bid if _is_for_all(bid) else bid.get(mark, {}))
                    if vectors:
                        row[mark] = vectors
        found.append(row)
    return found


# The setting -----------------------------------------------------------------------------------


@rule("B5.12", "B5.121", "B5.122", "B5.123", "B5.13", "B5.131", "B5.132")
def set_engagement(document: Document, bids: Sequence[Document]) -> dict[str, Any]:
    """Return the engagement with its setting: starting places, velocities, frame of the map and time limit.

    ``bids`` has one ``{side: bid}`` a round, as ``bidding_rounds`` lists them; a bid that is missing or
    out of order counts as none. No frame while the battle runs beside the theatre (B5.131).
    """
    engagement = Engagement.model_validate(document)
    is_apart = engagement.rulings.get(BATTLE_CLOCK) == APART
    rounds = _rounds(engagement)
    forces = {force.id: (side, force) for side, force in engagement.forces()}
    by_force = _by_force(document, bids)
    course = bidding.play(
        {
            mark: bidding.Bidder(to_tactical(force.velocity), int(_flagship(force)["thrust"]), rounds[mark], force.name)
            for mark, force in _bidders(engagement).items()
        },
        by_force,
        with_frame=is_apart,
    )
    velocities = {
        mark: dict(course.velocities[mark])
        if mark in course.velocities
        else frame_shift(to_tactical(force.velocity), course.frame)
        for mark, (_, force) in forces.items()
    }
    # Those that were there from the start come first, so that nothing moves when others join.
    order = sorted(forces, key=lambda mark: forces[mark][1].issue)
    places = start_places(
        {mark: _unit(*forces[mark], velocities[mark]) for mark in order},
        engagement.oppose,
        engagement.rulings.get(RANGE_50, "true"),
    )
    placed = {
        mark: Placed(
            position=Place.of(places[mark]),
            velocity=velocities[mark],
            arrives=force.arrives,
            nearest=force.nearest,
            step=None
            if force.step is None
            else Place.of(places[mark].less(places[force.nearest]) if force.nearest in places else force.step.hex),
        )
        for mark, (_, force) in forces.items()
    }
    limits = _limits(engagement, velocities, course.frame)
    setting = Setting(
        range=START_RANGE,
        frame=dict(course.frame),
        time_limit=min((each.tactical_turns for each in limits), default=None),
        limits=limits,
        forces=placed,
        ships={ship.id: placed[force.id] for _, force, ship in engagement.ships()},
        bids=by_force,
        steps=[step.as_document() for step in course.steps],
    )
    return engagement.model_copy(update={"status": "set", "setting": setting}).as_document()


def _unit(side: str, force: EngagedForce, velocity: Vectors) -> Unit:
    step = None if force.step is None else force.step.hex
    return Unit(side, force.place.hex, to_axial(velocity), force.nearest, step)


@rule("B5.121")
def spare_directions(vectors: Vectors, points: int) -> tuple[str, ...]:
    """Return where spare points go when nobody says: to the directions that lose most, of equals the slowest.

    So a velocity that would vanish in the division does not: 13A 7B 1- keeps its 1-.
    """
    _, left = v.divide(v.consolidate(vectors), VELOCITY_FACTOR)
    ranked = sorted(left, key=lambda letter: (-left[letter], v.consolidate(vectors)[letter], LETTERS.index(letter)))
    return tuple(ranked[index % len(ranked)] for index in range(points)) if ranked else ()


@rule("B5.12", "B5.132")
def _limits(engagement: Engagement, velocities: Mapping[str, Vectors], frame: Vectors) -> list[Limit]:
    """Return the time limits: when the map, or without a frame each force, reaches the hyper limit.

    The tactical velocity is turned back into an operational one; the turns are whole. A force that is
    out there already, or never gets there, sets no limit.
    """
    radius = int(engagement.theatre["hyper_limit"])
    found = []
    for _, force in engagement.forces():
        moves = frame if frame else velocities[force.id]
        operational = to_operational(moves, spare_directions(moves, spare_points(moves))).vectors
        turns = turns_to_limit(force.position.hex, operational, radius)
        if turns:
            found.append(
                Limit(
                    force=force.id,
                    operational_turns=turns,
                    tactical_turns=tactical_turns(turns),
                    text=f"the hyper limit, {radius} hexes from the star",
                )
            )
    return found


@rule("B5.12", "B5.132", "B5.16")
def turns_to_limit(position: Hex, velocity: Vectors, radius: int) -> int | None:
    """Return after how many operational turns of coasting something is at the hyper limit or beyond; None for never.

    0 means that it is there now. ``position`` is counted from the star.
    """
    step = to_axial(velocity)
    for turns in range(FARTHEST_LIMIT):
        if true_range(*(at + turns * by for at, by in zip(position, step, strict=True))) >= radius:
            return turns
        if step == (0, 0, 0):
            return None
    return None
