"""Reading what each force is to do: thrust, course, wedge, hyperspace, flagship (B3.2, B5.12, B5.145, B5.16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from campaign.engine.errors import Problem, pointer
from campaign.engine.hexes import ORIGIN, Hex
from campaign.engine.vectors import Vectors, consolidate, format_vectors, from_axial, speed, to_axial
from campaign.rulebooks.saganami.movement import (
    OPERATIONAL_SPEED_LIMIT,
    is_thrust_legal,
    is_within_speed_limit,
    thrust_needed,
)
from campaign.rulebooks.saganami.scales import TRANSLATE_SPEED_LIMIT, can_translate
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.hyper import emerged_velocity, is_outside
from operational.rules.saganami.orders import Emergence, ForceOrder
from operational.rules.saganami.own_report import OwnReport
from operational.rules.saganami.sheet import EmergeItem, ForceItem

Changes = tuple[dict[str, int], ...]


def changes_of(thrust: Vectors | None, course: Sequence[Vectors] | None) -> Changes | None:
    """Return the changes of this and the coming turns, consolidated; None where the order names neither."""
    if course is not None:
        return tuple(_consolidated(tuple(step.items())) for step in course)
    return None if thrust is None else (_consolidated(tuple(thrust.items())),)


@lru_cache(maxsize=65536)
def _consolidated(vectors: tuple[tuple[str, int], ...]) -> dict[str, int]:
    """Return a change consolidated; shared among all orders of the same change, not to be written to."""
    return consolidate(dict(vectors))


def typed_order(item: ForceItem) -> ForceOrder:
    """Return a force's order as the phases use it."""
    emerge = None
    if item.emerge is not None:
        at = item.emerge.at
        groups = tuple(tuple(group) for group in item.emerge.groups)
        emerge = Emergence(item.emerge.system, ORIGIN.moved(at.q, at.r, at.z), groups)
    changes = changes_of(item.thrust, item.course)
    return ForceOrder(
        thrust=changes[0] if item.course is None and changes is not None else None,
        course=None if item.course is None else changes,
        wedge=None if item.wedge == "keep" else item.wedge,
        translate_out=item.translate_out,
        emerge=emerge,
        red_line=tuple(item.red_line),
        flagship=item.flagship,
        name=None if item.name is None else item.name.strip(),
    )


def check_force(own: OwnReport, force: str, item: ForceItem, place: str) -> Iterator[Problem]:
    """Yield every problem of a force's order; ``own.members`` already has the sheet's splits and merges."""
    row = own.forces[force]
    if row["engaged"]:
        yield Problem(place, "in-battle", f"{row['name']} is in battle and takes no orders on the map.", "B5.12")
        return
    if item.thrust is not None and item.course is not None:
        message = "Give this turn's thrust or a course of several turns, not both."
        yield Problem(place + "/course", "thrust-and-course", message, "B3.21")
        return
    yield from _check_ships(own, force, item, place)
    yield from check_changes(own, force, item, place)
    yield from _check_wedge(own, force, item, place)
    if item.translate_out:
        yield from _check_translation(own, force, item, place + "/translate_out")
    if item.emerge is not None:
        yield from _check_emergence(own, force, item.emerge, place + "/emerge")


def _check_ships(own: OwnReport, force: str, item: ForceItem, place: str) -> Iterator[Problem]:
    members = own.members[force]
    if item.flagship is not None and item.flagship not in members:
        message = "The flagship must be a ship of this force."
        yield Problem(place + "/flagship", "ship-not-in-force", message, "B5.122")
    for number, ship in enumerate(item.red_line):
        here = place + pointer("red_line", number)
        if ship not in members:
            yield Problem(here, "ship-not-in-force", "A ship that red-lines must be in this force.", "B3.231")
        elif own.ships[ship]["grades"]["engineer"] == "elite":
            message = (
                f"{own.ships[ship]['name']} has an elite engineer, whose extra thrust takes the place of red-lining."
            )
            yield Problem(here, "elite-engineer", message, "B3.221")
        elif own.classes[own.ships[ship]["class"]]["kind"] == "lac-squadron":
            yield Problem(here, "lac-cannot-red-line", "Light attack craft fly at their limit already.", "C7.123")
        elif not own.ships[ship]["thrust"]:
            yield Problem(here, "no-drive", f"{own.ships[ship]['name']} has no drive left.", "B3.22")
    thrusts = any(changes_of(item.thrust, item.course) or ())
    for number, ship in enumerate(item.red_line):
        if ship in members and not thrusts:
            message = "Red-lining only helps a force that thrusts this turn."
            yield Problem(place + pointer("red_line", number), "no-thrust", message, "B3.231", "warn")
    for ship in members:
        if thrusts and own.ships[ship]["thrust_check"]:
            message = (
                f"{own.ships[ship]['name']} must pass a crew check each turn it thrusts, or loses a box of its frame."
            )
            yield Problem(place, "crew-check", message, "C5.465", "warn")


@rule("B3.22", "B3.24", "B5.122", "B5.123")
def check_changes(own: OwnReport, force: str, item: ForceItem, place: str) -> Iterator[Problem]:
    """Yield what is wrong with a force's thrust or course: too much thrust, or too fast at its end."""
    changes = changes_of(item.thrust, item.course) or ()
    if not any(changes):
        return
    rating, now = own.thrust(force), own.thrust(force, frozenset(item.red_line))
    velocity = _starting_velocity(own, force, item)
    for number, change in enumerate(changes):
        here = place + ("/thrust" if item.course is None else pointer("course", number))
        limit = rating if number else now
        if not is_thrust_legal(limit, change):
            message = (
                f"{format_vectors(change)} needs thrust {thrust_needed(change)}; "
                f"{own.slowest(force)}, the slowest, has {limit}."
            )
            yield Problem(here, "thrust-over-rating", message, "B3.24")
        velocity = velocity.moved(*to_axial(change))
        if change and not is_within_speed_limit(from_axial(*velocity)):
            message = f"The force would be faster than {OPERATIONAL_SPEED_LIMIT} hexes a turn."
            yield Problem(here, "too-fast", message, "B5.123")


def _starting_velocity(own: OwnReport, force: str, item: ForceItem) -> Hex:
    velocity = own.forces[force]["velocity"]
    return to_axial(emerged_velocity(velocity) if item.emerge is not None else velocity)


@rule("B5.145")
def _check_wedge(own: OwnReport, force: str, item: ForceItem, place: str) -> Iterator[Problem]:
    row = own.forces[force]
    changes = changes_of(item.thrust, item.course)
    if "wedge-down" in row["marks"] and changes and changes[0]:
        here = place + ("/thrust" if item.course is None else "/course/0")
        message = f"{row['name']} has its wedge down; a wedge ordered up is up at the end of the turn."
        yield Problem(here, "wedge-down", message, "B5.145")
    if item.wedge == "down" and changes and any(changes[1:]):
        message = "A force with its wedge down cannot fly the rest of this course."
        yield Problem(place + "/wedge", "wedge-down", message, "B5.145")


@rule("B5.16", "B5.161", "C5.463")
def _check_translation(own: OwnReport, force: str, item: ForceItem, place: str) -> Iterator[Problem]:
    """Yield why a force cannot translate at the end of this turn, where its orders will have brought it."""
    row = own.forces[force]
    if row["place"] != "map":
        yield Problem(place, "not-on-map", f"{row['name']} is not on a map.", "B5.161")
        return
    if "dummy" in row["marks"]:
        yield Problem(place, "dummy-cannot-translate", "A dummy has nothing to translate with.", "B5.161")
    changes = changes_of(item.thrust, item.course)
    if changes is None:
        changes = tuple(consolidate(step) for step in row["course"])
    after = own.flight(force, item.flagship).after(changes[0] if changes else {})
    limit = own.limit(row["system"])
    if not is_outside(after.position, limit):
        message = f"{row['name']} will be inside the hyper limit of {limit} hexes at the end of the turn."
        yield Problem(place, "inside-limit", message, "B5.16")
    fast = speed(from_axial(*after.velocity))
    if not can_translate(fast):
        message = f"{row['name']} will make {fast} hexes a turn; {TRANSLATE_SPEED_LIMIT} is the most."
        yield Problem(place, "too-fast-to-translate", message, "B5.161")
    for ship in own.members[force]:
        if not own.ships[ship]["can_translate"]:
            yield Problem(place, "no-hyper-generator", f"{own.ships[ship]['name']} has no hyper generator.", "C5.463")


@rule("B5.162")
def _check_emergence(own: OwnReport, force: str, item: EmergeItem, place: str) -> Iterator[Problem]:
    row = own.forces[force]
    if row["place"] != "hyperspace":
        yield Problem(place, "not-in-hyperspace", f"{row['name']} is not in hyperspace.", "B5.162")
    if item.system not in own.systems:
        yield Problem(place + "/system", "unknown-system", f"There is no system {item.system!r}.", "B5.162")
    else:
        limit = own.limit(item.system)
        if not is_outside(ORIGIN.moved(item.at.q, item.at.r, item.at.z), limit):
            message = f"The entry hex must lie at the hyper limit of {limit} hexes or beyond."
            yield Problem(place + "/at", "inside-limit", message, "B5.16")
    if item.groups:
        named = [ship for group in item.groups for ship in group]
        if sorted(named) != sorted(own.members[force]) or not all(item.groups):
            message = "Every ship of the force belongs to exactly one command group, and no group is empty."
            yield Problem(place + "/groups", "groups-not-whole", message, "B5.162")
    for ship in own.members[force]:
        if not own.ships[ship]["can_translate"]:
            yield Problem(place, "no-hyper-generator", f"{own.ships[ship]['name']} has no hyper generator.", "C5.463")
