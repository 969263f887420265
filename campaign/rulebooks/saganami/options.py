"""Commander's options (D4) and what missile pods cost (C8.1): bought for points before a battle.

Pods, canister shot, extra recon drones, extra damage control parties and marines ready to deploy. Each
ship's purchases are a ``ShipOptions`` value; ``check_options`` and ``check_pod_share`` say all that is
wrong with them, ``options_cost`` what they cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil

from campaign.engine.errors import Problem, pointer, refuse
from campaign.rulebooks.saganami.grades import Grade
from campaign.rulebooks.saganami.ship_class_sheet import MOUNTS, ShipClass
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind
from campaign.rulebooks.saganami.source import rule

POD_SHARE = Fraction(1, 10)  # D4.11: of the force's book value
CHEAP_CANISTER_FROM = 1902  # D4.12
DRONE_COST = 2  # D4.13
PARTY_COST = 2  # D4.21
PARTIES_MOST = 3  # D4.21
MARINES_COST = 5  # D4.22
MOST_OF_ANYTHING = 10_000

# C4.15: missiles of up to this damage hold so many canisters; larger ones five.
CANISTERS_BY_DAMAGE: tuple[tuple[int, int], ...] = ((4, 1), (8, 2), (12, 3), (16, 4))
CANISTERS_OF_THE_LARGEST = 5


@dataclass(frozen=True, slots=True)
class PodCard:
    """A missile pod's card (C8.11).

    ``bands`` are (last hex, base MQL); salvoes leave early, middle and late through ``early_through``,
    then middle and late through ``middle_through``, then late alone. ``points`` are costs by the
    grade of the towing ship's tactical officer, for one pod, two pods, and so on.
    """

    key: str
    name: str
    introduced: int
    missiles: int
    damage: int
    bands: tuple[tuple[int, int], ...]
    early_through: int
    middle_through: int
    points: Mapping[Grade, tuple[int, ...]]

    @property
    def most(self) -> int:
        """Return how many pods the card has boxes for."""
        return len(self.points["average"])


_FROM_AVERAGE = (31, 48, 66, 84, 103, 122, 141, 161, 180, 200, 220)

MARK_12 = PodCard(
    key="mark-12",
    name="Mark 12 pod",
    introduced=1905,
    missiles=10,
    damage=16,
    bands=((1, 8), (4, 6), (7, 7), (11, 8), (15, 9), (20, 10), (26, 11), (31, 12)),
    early_through=7,
    middle_through=20,
    points={
        "poor": (10, 20, 32, 44, 56, 68, 81, 94, 107, 120, 133, 146),
        "average": (14, *_FROM_AVERAGE),
        "veteran": (19, *_FROM_AVERAGE),
        "elite": (24, *_FROM_AVERAGE),
    },
)
"""The one printed card. Beyond one pod its average, veteran and elite columns are equal, as printed."""

POD_CARDS: Mapping[str, PodCard] = {MARK_12.key: MARK_12}


@rule("C8.11", "C8.111")
def pod_cost(pods: int, tactical_officer: Grade, card: PodCard = MARK_12) -> int:
    """Return what so many pods cost one ship, in points, by its tactical officer's grade; none cost nothing."""
    if not 0 <= pods <= card.most:
        message = f"A ship's card holds up to {card.most} pods."
        raise refuse("too-many-pods", message, place="/pods", rule="C8.11")
    return card.points[tactical_officer][pods - 1] if pods else 0


@rule("C8.112", "C8.11")
def pod_quality(distance: int, card: PodCard = MARK_12) -> tuple[int | None, tuple[str, ...]]:
    """Return the base MQL of a pod's missiles at a range in tactical hexes, and the salvoes that can leave.

    (None, ()) beyond the last band.
    """
    if distance < 0:
        raise refuse("negative", "A range is nothing or more.", place="/range", rule="C8.112")
    quality = next((mql for last, mql in card.bands if distance <= last), None)
    if quality is None:
        return None, ()
    if distance <= card.early_through:
        return quality, ("early", "middle", "late")
    return quality, ("middle", "late") if distance <= card.middle_through else ("late",)


@rule("D4.11", "D4.111")
def are_pods_available(year: int, card: PodCard = MARK_12) -> bool:
    """Say whether a card's pods exist in a year PD."""
    return year >= card.introduced


@rule("D4.11", "D4.112")
def check_pod_share(
    pod_points: int, book_value: int, *, is_historical: bool = False, place: str = "/pods"
) -> tuple[Problem, ...]:
    """Return what is wrong with a force's pods: together they cost a tenth of its book value at most.

    The book value is the sum of base costs, before grades. A historical scenario may exceed it.
    """
    if is_historical or pod_points <= book_value * POD_SHARE:
        return ()
    most = int(book_value * POD_SHARE)
    message = f"Pods cost {pod_points} points; a force of {book_value} may have {most} in pods."
    return (Problem(place, "too-many-pods", message, "D4.11"),)


@rule("D4.12", "C4.15")
def canisters_in(missile_damage: int) -> int:
    """Return how many canisters replace one missile of that damage."""
    if missile_damage < 1:
        raise refuse("no-missile", "A missile does at least one point.", place="/missile_damage", rule="C4.15")
    return next((held for most, held in CANISTERS_BY_DAMAGE if missile_damage <= most), CANISTERS_OF_THE_LARGEST)


@rule("D4.12", "C4.152")
def canister_price(year: int) -> Fraction:
    """Return the price of one canister in points: half a point from 1902 PD on, one before."""
    return Fraction(1, 2) if year >= CHEAP_CANISTER_FROM else Fraction(1)


@rule("D4.12", "C4.152")
def canister_cost(canisters: int, year: int) -> int:
    """Return what so many canisters cost together, rounded up to whole points."""
    if not 0 <= canisters <= MOST_OF_ANYTHING:
        message = f"From 0 to {MOST_OF_ANYTHING} canisters."
        raise refuse("out-of-range", message, place="/canisters", rule="D4.12")
    return ceil(canisters * canister_price(year))


@rule("D4.13")
def drones_most(standard: int) -> int:
    """Return the most recon drones a ship may carry: half again its own, rounded up."""
    return ceil(Fraction(3 * standard, 2))


@rule("D4.13")
def drones_cost(extra: int) -> int:
    """Return what extra recon drones cost in points."""
    return DRONE_COST * extra


HullRows = Sequence[Sequence[bool]]
"""A hull track row by row, True for a box with a damage control party."""


def hull_rows_of(ship_class: ShipClass) -> HullRows:
    """Return a class's hull track row by row; empty for a class without one."""
    track = ship_class.track("hull")
    if track is None:
        return ()
    boxes = iter(track.boxes)
    return tuple(tuple(next(boxes).kind is BoxKind.WRENCH for _ in range(length)) for length in ship_class.hull_rows)


@rule("D4.21")
def check_parties(rows: HullRows, places: Sequence[tuple[int, int]], *, place: str = "/parties") -> tuple[Problem, ...]:
    """Return what is wrong with the places of extra damage control parties.

    Places are (row, box), from 0. At most three, at most one to a row, on plain hull boxes, and none
    next to another party along the track (the last box of a row is followed by the first of the next).
    """
    problems: list[Problem] = []
    if len(places) > PARTIES_MOST:
        message = f"A ship may have {PARTIES_MOST} more parties."
        problems.append(Problem(place, "too-many-parties", message, "D4.21"))
    starts = [sum(len(row) for row in rows[:index]) for index in range(len(rows))]
    track = [box for row in rows for box in row]
    taken = list(track)
    used_rows: list[int] = []
    for index, (row, box) in enumerate(places):
        here = place + pointer(index)
        if not (0 <= row < len(rows) and 0 <= box < len(rows[row])):
            problems.append(Problem(here, "no-such-box", "The hull has no such box.", "D4.21"))
            continue
        spot = starts[row] + box
        if taken[spot]:
            problems.append(Problem(here, "box-taken", "This box holds a party already.", "D4.21"))
        elif (spot > 0 and taken[spot - 1]) or (spot + 1 < len(taken) and taken[spot + 1]):
            problems.append(Problem(here, "next-to-a-party", "Two parties may not stand side by side.", "D4.21"))
        if row in used_rows:
            problems.append(Problem(here, "row-taken", "A row takes one more party.", "D4.21"))
        taken[spot] = True
        used_rows.append(row)
    return tuple(problems)


@rule("D4.21")
def places_for_parties(rows: HullRows, count: int) -> tuple[tuple[int, int], ...]:
    """Return legal places for so many extra parties, as deep in the hull as they go (last row first).

    Deep boxes are lost last. Returns fewer where the hull has no room.
    """
    places: list[tuple[int, int]] = []
    for row in range(len(rows) - 1, -1, -1):
        if len(places) >= min(count, PARTIES_MOST):
            break
        for box in range(len(rows[row]) - 1, -1, -1):
            if not check_parties(rows, [*places, (row, box)]):
                places.append((row, box))
                break
    return tuple(places)


@rule("D4.21")
def with_parties(ship_class: ShipClass, places: Iterable[tuple[int, int]]) -> ShipClass:
    """Return a class's sheet with extra parties pencilled into its hull; refuse places that are not legal."""
    wanted = tuple(places)
    track = ship_class.track("hull")
    if not wanted or track is None:
        if wanted:
            raise refuse("no-hull", "This class has no hull track.", place="/parties", rule="D4.21")
        return ship_class
    problems = check_parties(hull_rows_of(ship_class), wanted)
    if problems:
        raise refuse(problems[0].code, problems[0].message, place=problems[0].place, rule="D4.21")
    spots = [sum(ship_class.hull_rows[:row]) + box for row, box in wanted]
    boxes = tuple(replace(box, kind=BoxKind.WRENCH) if spot in spots else box for spot, box in enumerate(track.boxes))
    changed = replace(track, boxes=boxes)
    return replace(ship_class, tracks=tuple(changed if one is track else one for one in ship_class.tracks))


# A ship's purchases -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShipOptions:
    """What one ship buys beside its crew.

    ``pods`` of ``pod_card``; ``canister`` maps a mount to missiles replaced by canister shot; ``drones``
    are extra recon drones; ``parties`` are places of extra damage control parties as (row, box).
    """

    pods: int = 0
    pod_card: str = MARK_12.key
    canister: Mapping[str, int] = field(default_factory=dict)
    drones: int = 0
    parties: tuple[tuple[int, int], ...] = ()
    marines_ready: bool = False


def canisters_bought(ship_class: ShipClass, options: ShipOptions) -> int:
    """Return how many canisters a ship's purchase comes to, over all its mounts."""
    total = 0
    for name, missiles in options.canister.items():
        mount = ship_class.mount(name)
        weapon = mount.weapon("M") if mount is not None else None
        if weapon is not None:
            total += missiles * canisters_in(weapon.damage[0])
    return total


@dataclass(frozen=True, slots=True)
class OptionsBill:
    """What a ship's options cost in points, item by item."""

    pods: int
    canister: int
    drones: int
    parties: int
    marines: int

    @property
    def total(self) -> int:
        """Return the whole bill."""
        return self.pods + self.others

    @property
    def others(self) -> int:
        """Return the bill without pods, which the victory conditions count by themselves (D2.225)."""
        return self.canister + self.drones + self.parties + self.marines


@rule("D4.0", "D4.13", "D4.21", "D4.22")
def options_cost(ship_class: ShipClass, options: ShipOptions, *, tactical_officer: Grade, year: int) -> OptionsBill:
    """Return what a ship's options cost."""
    return OptionsBill(
        pods=pod_cost(options.pods, tactical_officer, POD_CARDS[options.pod_card]),
        canister=canister_cost(canisters_bought(ship_class, options), year),
        drones=drones_cost(options.drones),
        parties=PARTY_COST * len(options.parties),
        marines=MARINES_COST if options.marines_ready else 0,
    )


@rule("D4.0", "D4.11", "D4.111", "D4.12", "D4.13", "D4.21", "D4.22", "C8.211")
def check_options(ship_class: ShipClass, options: ShipOptions, *, year: int, place: str = "") -> tuple[Problem, ...]:
    """Return all that is wrong with one ship's options in a year PD, each at its place under ``place``."""
    problems: list[Problem] = []

    def add(code: str, message: str, rule_key: str, *parts: str | int) -> None:
        problems.append(Problem(place + pointer(*parts), code, message, rule_key))

    card = POD_CARDS.get(options.pod_card)
    if card is None:
        add("unknown-pod", f"There is no pod {options.pod_card!r}.", "C8.11", "pod_card")
    elif not 0 <= options.pods <= card.most:
        add("too-many-pods", f"A ship's card holds up to {card.most} pods.", "C8.11", "pods")
    elif options.pods and ship_class.is_lac:
        add("lacs-tow-nothing", "Light attack craft tow no pods.", "C8.211", "pods")
    elif options.pods and not are_pods_available(year, card):
        add("not-in-service", f"The {card.name} enters service in {card.introduced} PD.", "D4.111", "pods")
    for name, missiles in options.canister.items():
        mount = ship_class.mount(name)
        magazine = ship_class.track(f"{name}.mag")
        weapon = mount.weapon("M") if mount is not None else None
        if name not in MOUNTS or weapon is None or magazine is None:
            add("no-launchers", "This mount has no missile launchers.", "D4.12", "canister", name)
        elif not 0 <= missiles <= weapon.count * len(magazine.boxes):
            most = weapon.count * len(magazine.boxes)
            add("more-than-all", f"The magazine holds {most} missiles.", "D4.12", "canister", name)
    most_drones = drones_most(ship_class.recon_drones) - ship_class.recon_drones
    if not 0 <= options.drones <= most_drones:
        add("too-many-drones", f"This class may carry {most_drones} more drones.", "D4.13", "drones")
    problems.extend(check_parties(hull_rows_of(ship_class), options.parties, place=place + "/parties"))
    if options.marines_ready and not ship_class.marines:
        add("no-marines", "This class carries no marines.", "D4.22", "marines_ready")
    return tuple(problems)
