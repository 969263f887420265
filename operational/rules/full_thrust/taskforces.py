"""Task forces: how fast they manoeuvre, and how they are merged and split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from campaign.engine.errors import Problem, pointer, refuse
from campaign.engine.hexes import Hex
from campaign.engine.vectors import Vectors, to_axial
from operational.rules.full_thrust.source import rule


@rule("taskforces")
def manoeuvre_rate(thrusts: Sequence[int]) -> int:
    """Return the thrust a task force may spend in a turn: that of its ship with the lowest rating.

    Raises ``ProblemsError`` where there is no ship: what has none is a dummy, and no task force.
    """
    if not thrusts:
        message = "A task force has at least one ship; without one it is a dummy."
        raise refuse("force-without-ships", message, place="/ships", rule="taskforces")
    return min(thrusts)


@dataclass(frozen=True, slots=True)
class Marker:
    """A task force's marker as it matters for merging: whose it is, its hex and its vector."""

    side: str
    position: Hex
    vector: Vectors


@rule("merge-split")
def check_merge(forces: Sequence[Marker], *, place: str = "/forces") -> tuple[Problem, ...]:
    """Return what forbids merging task forces: they need one side, one hex and the same vector."""
    if len(forces) < 2:
        return (Problem(place, "merge-too-few", "It takes two task forces to merge.", "merge-split"),)
    first = forces[0]
    problems = []
    for index, force in enumerate(forces[1:], start=1):
        here = place + pointer(index)
        if force.side != first.side:
            problems.append(Problem(here, "merge-other-side", "Only task forces of one side can merge.", "merge-split"))
        if force.position != first.position:
            message = "Task forces merge only in the same hex."
            problems.append(Problem(here, "merge-other-hex", message, "merge-split"))
        if to_axial(force.vector) != to_axial(first.vector):
            message = "Task forces merge only with the same vector."
            problems.append(Problem(here, "merge-other-vector", message, "merge-split"))
    return tuple(problems)


@rule("merge-split")
def check_split(ships: Sequence[str], parts: Sequence[Sequence[str]], *, place: str = "/parts") -> tuple[Problem, ...]:
    """Return what is wrong with a division of a task force's ships: each stands in one part, no part is empty.

    All parts start with the vector of the whole. Dummies are split off by ``dummies.check_split_off``.
    """
    problems = []
    if len(parts) < 2:
        problems.append(Problem(place, "split-too-few", "A split makes two task forces or more.", "merge-split"))
    seen: set[str] = set()
    for index, part in enumerate(parts):
        if not part:
            message = "A task force has at least one ship; without one it is a dummy."
            problems.append(Problem(place + pointer(index), "force-without-ships", message, "taskforces"))
        for number, ship in enumerate(part):
            here = place + pointer(index, number)
            if ship in seen:
                problems.append(Problem(here, "ship-twice", f"{ship} already stands in a part.", "merge-split"))
            elif ship not in ships:
                message = f"{ship} is no ship of this task force."
                problems.append(Problem(here, "unknown-ship", message, "merge-split"))
            seen.add(ship)
    left = [ship for ship in ships if ship not in seen]
    if left:
        message = f"Every ship goes with a part: {', '.join(left)} would be left behind."
        problems.append(Problem(place, "ship-left-out", message, "merge-split"))
    return tuple(problems)
