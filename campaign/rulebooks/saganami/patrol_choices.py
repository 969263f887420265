"""Ships that a mission's card makes a side pick (D3.2, D3.3): the largest, the second largest, a share of the force.

A share "by points" is a set of ships that reaches it and has none to spare: without any one of them it
would fall short. Choices are checked the same before a battle, in play, and in its summary.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

from campaign.engine.errors import Problem, pointer
from campaign.rulebooks.saganami.source import rule

PINCER_SHARE = Fraction(1, 3)  # D3.3/K
PICKET_SHARE = Fraction(1, 4)  # D3.3/4
WOUNDED_SHARE = Fraction(1, 5)  # D3.3/3


class Hull(Protocol):
    """What the choices ask of a ship: its id, its adjusted cost in points, its mass in tons."""

    @property
    def ship(self) -> str:
        """The ship's id."""
        ...

    @property
    def cost(self) -> int:
        """Adjusted cost in points."""
        ...

    @property
    def tons(self) -> int:
        """Mass in tons."""
        ...


AnyHull = TypeVar("AnyHull", bound=Hull)


@rule("D3.2/Q", "D3.3/3")
def largest_of(hulls: Sequence[AnyHull]) -> tuple[AnyHull, ...]:
    """Return the largest ships by tons (all of them, where some are equally large)."""
    most = max((hull.tons for hull in hulls), default=0)
    return tuple(hull for hull in hulls if hull.tons == most)


@rule("D3.3/2")
def second_largest_of(hulls: Sequence[AnyHull]) -> tuple[AnyHull, ...]:
    """Return the ships that may pass for the second largest: those of its tons. A force of one has that one."""
    ranked = sorted(hulls, key=lambda hull: -hull.tons)
    if len(ranked) < 2:
        return tuple(ranked)
    return tuple(hull for hull in hulls if hull.tons == ranked[1].tons)


def check_share(
    hulls: Sequence[AnyHull],
    chosen: Sequence[str],
    share: Fraction,
    *,
    rule_key: str,
    place: str,
    among: Sequence[AnyHull] = (),
) -> tuple[Problem, ...]:
    """Return what is wrong with ships chosen to make up a share of a force's points.

    At least one of ``among`` must be in it, where given. Each ship is of the force and named once; the
    share is reached, with no ship to spare.
    """
    problems = []
    costs = {hull.ship: hull.cost for hull in hulls}
    for index, ship in enumerate(chosen):
        if ship not in costs:
            message = f"There is no ship {ship!r} in the force."
            problems.append(Problem(place + pointer(index), "unknown-ship", message, rule_key))
        elif ship in chosen[:index]:
            problems.append(Problem(place + pointer(index), "same-ship-twice", "Name each ship once.", rule_key))
    if problems:
        return tuple(problems)
    needed = sum(costs.values()) * share
    wanted = [hull.ship for hull in among]

    def is_enough(ships: Sequence[str]) -> bool:
        return sum(costs[ship] for ship in ships) >= needed and (not wanted or any(ship in wanted for ship in ships))

    if not is_enough(chosen):
        message = f"These ships do not make up {share} of the force."
        if wanted and not any(ship in wanted for ship in chosen):
            message = "One of the largest ships must be among them."
        problems.append(Problem(place, "too-few", message, rule_key))
    else:
        spare = [ship for ship in chosen if is_enough([other for other in chosen if other != ship])]
        if spare:
            message = f"{spare[0]} is more than {share} of the force asks for."
            problems.append(Problem(place, "too-many", message, rule_key))
    return tuple(problems)


def pick_share(hulls: Sequence[AnyHull], share: Fraction, among: Sequence[AnyHull] = ()) -> tuple[str, ...]:
    """Return ships that make up a share of a force, the cheapest first: what an absent player would name."""
    needed = sum(hull.cost for hull in hulls) * share
    picked: list[AnyHull] = list(sorted(among, key=_cheapest_first)[:1])
    for hull in sorted(hulls, key=_cheapest_first):
        if sum(one.cost for one in picked) >= needed:
            break
        if all(hull.ship != one.ship for one in picked):
            picked.append(hull)
    kept = list(picked)
    for hull in sorted(picked, key=_cheapest_first):
        rest = [one for one in kept if one.ship != hull.ship]
        is_largest_kept = not among or any(one.ship == other.ship for one in rest for other in among)
        if is_largest_kept and sum(one.cost for one in rest) >= needed:
            kept = rest
    return tuple(hull.ship for hull in kept)


def _cheapest_first(hull: Hull) -> tuple[int, str]:
    return hull.cost, hull.ship


@rule("D3.3/3")
def check_wounded(hulls: Sequence[AnyHull], chosen: Sequence[str], *, place: str = "/wounded") -> tuple[Problem, ...]:
    """Return what is wrong with the walking wounded: a fifth of the force by points, one of the largest among them."""
    return check_share(hulls, chosen, WOUNDED_SHARE, rule_key="D3.3/3", place=place, among=largest_of(hulls))


@rule("D3.3/4")
def check_poor_crews(hulls: Sequence[AnyHull], chosen: Sequence[str], *, place: str = "/crews") -> tuple[Problem, ...]:
    """Return what is wrong with a picket's poor crews: a quarter of the force by points."""
    return check_share(hulls, chosen, PICKET_SHARE, rule_key="D3.3/4", place=place)


@rule("D3.3/K")
def check_pincer(hulls: Sequence[AnyHull], chosen: Sequence[str], *, place: str = "/pincer") -> tuple[Problem, ...]:
    """Return what is wrong with the arm of a pincer: a third of the force by points; a lone ship has no arm."""
    if len(hulls) == 1 and not chosen:
        return ()
    if len(hulls) == len(set(chosen)):
        message = "Some of the force must be on the map."
        return (Problem(place, "nobody-left", message, "D3.3/K"),)
    return check_share(hulls, chosen, PINCER_SHARE, rule_key="D3.3/K", place=place)
