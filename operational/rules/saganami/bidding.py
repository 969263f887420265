"""Bids of thrust before the battle: who bids when, what a bid costs, and the frame of the map (B5.122 to B5.13).

All velocities are tactical, in hexes a tactical turn. A bidder is a force: its flagship's crew gives the
rounds, its flagship's thrust the most that one bid may cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.engine import vectors as v
from campaign.engine.errors import Problem, pointer
from campaign.engine.hexes import DIRECTIONS, LETTERS
from campaign.engine.vectors import Vectors
from campaign.rulebooks.saganami.grades import Grade, crew_target
from campaign.rulebooks.saganami.movement import (
    TACTICAL_SPEED_LIMIT,
    is_thrust_legal,
    is_within_speed_limit,
)
from campaign.rulebooks.saganami.scales import frame_shift, frame_undo
from campaign.rulebooks.saganami.source import rule


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of two bidders: how many are bid alone before and after, how many together, and who has more."""

    more: str | None
    solo_before: int
    simultaneous: int
    solo_after: int


@dataclass(frozen=True, slots=True)
class Bidder:
    """A force that bids: velocity, most thrust of one bid, rounds. ``label`` is what the account calls it."""

    velocity: Vectors
    thrust: int
    rounds: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the account: what was done, the velocities after it, and the frame's whole velocity."""

    kind: str
    round: int
    change: Mapping[str, Vectors]
    velocities: Mapping[str, Vectors]
    frame: Vectors

    def as_document(self) -> dict[str, Any]:
        """Return the line as it is stored and shown."""
        return {
            "kind": self.kind,
            "round": self.round,
            "change": {key: dict(each) for key, each in self.change.items()},
            "velocities": {key: dict(each) for key, each in self.velocities.items()},
            "frame": dict(self.frame),
        }


@dataclass(frozen=True, slots=True)
class Course:
    """How the bidding went: velocities relative to the frame, the frame, the account, and what was refused."""

    velocities: Mapping[str, Vectors]
    frame: Vectors
    steps: tuple[Step, ...]
    problems: tuple[Problem, ...] = ()


@rule("B5.122")
def rounds_of(crew: Grade) -> int:
    """Return the rounds a crew may bid: its crew quality target number."""
    return crew_target(crew)


@rule("B5.123")
def rounds_between(a: int, b: int) -> Rounds:
    """Return how the rounds of two bidders lie: half of the excess first, alone, the odd one at the end."""
    excess = abs(a - b)
    more = None if excess == 0 else "a" if a > b else "b"
    return Rounds(more, excess // 2, min(a, b), excess - excess // 2)


@rule("B5.123")
def schedule(rounds: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Return who bids in each round, for two bidders or more.

    Everybody shares as many rounds as the fewest have; of what somebody has over that, half lies
    before (next to the shared rounds), the rest after. Between any two grades of crew this comes to what
    ``rounds_between`` says.
    """
    if not rounds:
        return ()
    fewest = min(rounds.values())
    before = {bidder: (count - fewest) // 2 for bidder, count in rounds.items()}
    after = {bidder: count - fewest - before[bidder] for bidder, count in rounds.items()}
    first, last = max(before.values()), max(after.values())
    found = [tuple(each for each in rounds if before[each] >= left) for left in range(first, 0, -1)]
    found += [tuple(rounds)] * fewest
    found += [tuple(each for each in rounds if after[each] >= number) for number in range(1, last + 1)]
    return tuple(found)


def frame_rounds(rounds: Mapping[str, int]) -> tuple[int, ...]:
    """Return after which rounds the frame is set: before the first (0), after the last shared one, at the end."""
    plan = schedule(rounds)
    shared = max((number for number, bidders in enumerate(plan, start=1) if len(bidders) == len(rounds)), default=0)
    return tuple(sorted({0, shared, len(plan)}))


@rule("B5.13")
def common_vector(velocities: Iterable[Vectors], *, on_map: bool = False) -> dict[str, int]:
    """Return the vector that all units share: in each direction the least of their consolidated vectors.

    ``on_map`` leaves altitude out, as the printed pursuit does before the bids.
    """
    every = [v.consolidate(each) for each in velocities]
    letters = DIRECTIONS if on_map else LETTERS
    return v.ordered({letter: min((each.get(letter, 0) for each in every), default=0) for letter in letters})


@rule("B5.122")
def check_thrust(bid: Vectors, thrust: int, place: str) -> tuple[Problem, ...]:
    """Return the problem of a bid that costs more than the flagship's thrust by the plotting grids."""
    if is_thrust_legal(thrust, bid):
        return ()
    message = f"A bid costs what the plotting grids ask; the flagship has thrust {thrust}."
    return (Problem(place, "bid-over-thrust", message, "B5.122"),)


@rule("B5.12", "B5.122", "B5.123", "B5.13")
def play(
    bidders: Mapping[str, Bidder],
    bids: Sequence[Mapping[str, Vectors]],
    frames: Mapping[int, Vectors] | None = None,
    *,
    with_frame: bool = True,
) -> Course:
    """Return how the bids change the velocities.

    ``bids`` has one ``{bidder: vectors}`` a round of ``schedule``; none counts as no thrust. ``frames``
    gives the shift of the map after a round (0: before the first); where it is left out the map takes
    the common vector before the first round (on the map alone), after the last shared one and at the end. A bid out of
    turn, over the thrust or beyond the speed limit is left out and told as a problem at
    "/<round>/<bidder>". Bids are summed as players write them, and merged where the frame may shift.
    """
    rounds = {key: bidder.rounds for key, bidder in bidders.items()}
    plan = schedule(rounds)
    shifts = frame_rounds(rounds) if frames is None else tuple(frames)
    velocities = {key: v.consolidate(bidder.velocity) for key, bidder in bidders.items()}
    frame: dict[str, int] = {}
    steps = [Step("start", 0, {}, velocities, frame)]
    problems: list[Problem] = []

    def shift(after: int) -> None:
        nonlocal velocities, frame
        if after not in shifts and after != len(plan):
            return
        merged = {key: v.consolidate(each) for key, each in velocities.items()}
        if merged != velocities:
            velocities = merged
            steps.append(Step("merge", after, {}, velocities, frame))
        if not with_frame or after not in shifts:
            return
        by = common_vector(velocities.values(), on_map=after == 0) if frames is None else frames[after]
        if by:
            velocities = {key: frame_shift(each, by) for key, each in velocities.items()}
            frame = frame_undo(frame, by)
            steps.append(Step("frame", after, {"frame": by}, velocities, frame))

    shift(0)
    for number, due in enumerate(plan, start=1):
        filed = bids[number - 1] if number <= len(bids) else {}
        taken: dict[str, Vectors] = {}
        for key, bid in filed.items():
            found = _check(bidders, due, key, bid, velocities, frame, pointer(number - 1, key))
            problems += found
            if not found and bid:
                taken[key] = v.ordered(bid)
        velocities = {key: v.add(each, taken[key]) if key in taken else each for key, each in velocities.items()}
        steps.append(Step("bid", number, taken, velocities, frame))
        shift(number)
    problems += [
        Problem(pointer(number), "no-such-round", f"There are {len(plan)} rounds.", "B5.123")
        for number in range(len(plan), len(bids))
        if bids[number]
    ]
    return Course(velocities, frame, tuple(steps), tuple(problems))


@rule("B5.123")
def _check(
    bidders: Mapping[str, Bidder],
    due: Sequence[str],
    key: str,
    bid: Vectors,
    velocities: Mapping[str, Vectors],
    frame: Vectors,
    place: str,
) -> tuple[Problem, ...]:
    if key not in due:
        return (Problem(place, "not-your-round", "This round is not bid by this force.", "B5.123"),)
    found = check_thrust(bid, bidders[key].thrust, place)
    if not found and not is_within_speed_limit(frame_undo(v.add(velocities[key], bid), frame), TACTICAL_SPEED_LIMIT):
        message = f"No ship is faster than {TACTICAL_SPEED_LIMIT} tactical hexes a turn."
        found = (Problem(place, "too-fast", message, "B5.123"),)
    return found


def moved_to(problem: Problem, place: str) -> Problem:
    """Return a problem with its place below another."""
    return replace(problem, place=place + problem.place)
