"""Before a patrol battle (D2.12, D3.2, D3.3): what missions make a side name, where ships start, in what state.

A force without a ship that its opponent could pay for has no lemon; its elite crew then serves on any ship
of the own choice. Crews that a mission makes poor or elite change no cost: the ship is paid for already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.engine.hexes import Hex
from campaign.engine.vectors import from_axial
from campaign.rulebooks.saganami.grades import OFFICERS, Category, ShipGrades
from campaign.rulebooks.saganami.miracles import is_eligible
from campaign.rulebooks.saganami.options import with_parties
from campaign.rulebooks.saganami.patrol import ROLES, Role
from campaign.rulebooks.saganami.patrol_choices import (
    PICKET_SHARE,
    PINCER_SHARE,
    WOUNDED_SHARE,
    check_pincer,
    check_poor_crews,
    check_wounded,
    largest_of,
    pick_share,
    second_largest_of,
)
from campaign.rulebooks.saganami.patrol_doing import Doing
from campaign.rulebooks.saganami.patrol_play import (
    APPOINTEE_OFFICERS,
    magazines_spent,
    roll_pincer_arrival,
    with_appointee,
    with_elite_crew,
    with_poor_crew,
    wounded_boxes,
)
from campaign.rulebooks.saganami.patrol_scenario import Declaration, Hull, Library, Scenario, SideState, other
from campaign.rulebooks.saganami.patrol_setup import (
    ALTITUDE,
    AROUND_CORNER,
    LOW_CORNER,
    Start,
    check_starts,
    high_corner,
)
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from campaign.rulebooks.saganami.source import rule

SPY, VENDETTA, INTELLIGENCE = "D3.2/A", "D3.2/10", "D3.2/2"
PINCER, ELITE, PICKET, WOUNDED, APPOINTEE = "D3.3/K", "D3.3/J", "D3.3/4", "D3.3/3", "D3.3/2"
WATCHED = 3  # D3.2/2
APPROACH = 4  # hexes per turn toward the enemy, where nothing else is said


@dataclass(frozen=True, slots=True)
class Asked:
    """What one mission asks a side to name: how many of which ships (0: a share of the force), and officers."""

    rule: str
    count: int
    among: tuple[str, ...]
    officers: int = 0


def away(scenario: Scenario, role: Role) -> tuple[str, ...]:
    """Return the ships of a side that are not on the map when the battle begins: the arm of a pincer."""
    declared = scenario.side(role).declared
    return tuple(declared.targets.get(PINCER, ())) if declared is not None else ()


def visible(scenario: Scenario, role: Role) -> tuple[Hull, ...]:
    """Return the ships of a side that the other sees on the map, or in a result that names them."""
    hidden = () if scenario.stage == "revealed" else away(scenario, role)
    named = scenario.facts.ships if scenario.facts is not None else {}
    return tuple(hull for hull in scenario.side(role).ships if hull.ship not in hidden or hull.ship in named)


def lemons_of(side: SideState) -> tuple[Hull, ...]:
    """Return the ships that the opponent chose; the whole force where it could pay for none."""
    lemons = tuple(hull for hull in side.ships if hull.bought.stage == "lemon")
    return lemons or side.ships


@rule("D3.2/A", "D3.2/10", "D3.2/2", "D3.3/K", "D3.3/J", "D3.3/2")
def asked_of(scenario: Scenario, role: Role) -> tuple[Asked, ...]:
    """Return what a side's missions ask it to name at this stage.

    The arm of a pincer is chosen with the last purchase, before the enemy sees what stands on the map;
    everything else when both forces do. A lone ship has no arm.
    """
    side, seen = scenario.side(role), visible(scenario, other(role))
    own, theirs = tuple(hull.ship for hull in side.ships), tuple(hull.ship for hull in seen)
    classes = len({hull.bought.ship_class for hull in seen})
    second = tuple(hull.ship for hull in second_largest_of(side.ships))
    all_asked = {
        SPY: Asked(SPY, 1, theirs),
        VENDETTA: Asked(VENDETTA, 1, theirs),
        INTELLIGENCE: Asked(INTELLIGENCE, min(WATCHED, classes), theirs),
        PINCER: Asked(PINCER, 0, own),
        ELITE: Asked(ELITE, 1, tuple(hull.ship for hull in lemons_of(side))),
        PICKET: Asked(PICKET, 0, own),
        WOUNDED: Asked(WOUNDED, 0, own),
        APPOINTEE: Asked(APPOINTEE, 1, second, APPOINTEE_OFFICERS),
    }
    found = tuple(all_asked[mission.rule] for mission in side.missions if mission.rule in all_asked)
    if scenario.stage == "rest":
        return tuple(one for one in found if one.rule == PINCER and len(side.ships) > 1)
    return tuple(one for one in found if one.rule != PINCER)


def is_declared(scenario: Scenario, role: Role) -> bool:
    """Say whether a side has named all that its missions ask for at this stage."""
    declared = scenario.side(role).declared or Declaration()
    return all(one.rule in declared.targets for one in asked_of(scenario, role))


@rule("D3.2/A", "D3.2/10", "D3.2/2", "D3.3/K", "D3.3/J", "D3.3/4", "D3.3/3", "D3.3/2")
def check_declaration(scenario: Scenario, role: Role, declared: Declaration) -> tuple[Problem, ...]:
    """Return everything that is wrong with what a side names for its missions."""
    side, enemy = scenario.side(role), scenario.enemy(role)
    asked = {one.rule: one for one in asked_of(scenario, role)}
    problems: list[Problem] = []
    for key in declared.targets:
        if key not in asked:
            place = pointer("targets", key)
            problems.append(Problem(place, "not-asked", "Your missions ask for no such ships.", "D3.13"))
    for key, one in asked.items():
        place = pointer("targets", key)
        chosen = declared.targets.get(key, ())
        if key == WOUNDED:
            problems.extend(check_wounded(side.ships, chosen, place=place))
        elif key == PICKET:
            problems.extend(check_poor_crews(side.ships, chosen, place=place))
        elif key == PINCER:
            problems.extend(check_pincer(side.ships, chosen, place=place))
        else:
            problems.extend(_check_count(one, chosen, place))
        if key == INTELLIGENCE:
            classes = [hull.bought.ship_class for ship in chosen if (hull := enemy.hull(ship)) is not None]
            if len(set(classes)) < len(classes):
                message = "The ships watched are each of another class."
                problems.append(Problem(place, "same-class-twice", message, key))
    problems.extend(_check_cronies(APPOINTEE in asked, declared.cronies))
    return tuple(sorted(problems))


def _check_count(asked: Asked, chosen: Sequence[str], place: str) -> list[Problem]:
    problems = []
    if len(chosen) != asked.count:
        problems.append(Problem(place, "wrong-number", f"Name {asked.count} of the ships.", asked.rule))
    for index, ship in enumerate(chosen):
        if ship not in asked.among:
            message = "This ship is none of those that may be named."
            problems.append(Problem(place + pointer(index), "unknown-ship", message, asked.rule))
        elif ship in chosen[:index]:
            problems.append(Problem(place + pointer(index), "same-ship-twice", "Name each ship once.", asked.rule))
    return problems


def _check_cronies(is_asked: bool, cronies: Sequence[str]) -> list[Problem]:
    if not is_asked:
        problem = Problem("/cronies", "not-asked", "Your missions ask for no officers.", "D3.13")
        return [problem] if cronies else []
    problems = []
    if len(cronies) != APPOINTEE_OFFICERS:
        problems.append(Problem("/cronies", "not-two", "Two officers are poor.", APPOINTEE))
    for index, officer in enumerate(cronies):
        if officer not in OFFICERS or officer in cronies[:index]:
            place = pointer("cronies", index)
            problems.append(Problem(place, "not-an-officer", "Name two of the five officers.", APPOINTEE))
    return problems


def default_declaration(scenario: Scenario, role: Role) -> Declaration:
    """Return what a side would name that does not think long: the first that is allowed, shares the cheapest."""
    side = scenario.side(role)
    targets: dict[str, tuple[str, ...]] = {}
    cronies: tuple[str, ...] = ()
    for one in asked_of(scenario, role):
        if one.rule == WOUNDED:
            targets[one.rule] = pick_share(side.ships, WOUNDED_SHARE, largest_of(side.ships))
        elif one.rule == PICKET:
            targets[one.rule] = pick_share(side.ships, PICKET_SHARE)
        elif one.rule == PINCER:
            targets[one.rule] = _default_arm(side)
        elif one.rule == INTELLIGENCE:
            by_class: dict[str, str] = {}
            for hull in visible(scenario, other(role)):
                by_class.setdefault(hull.bought.ship_class, hull.ship)
            targets[one.rule] = tuple(by_class.values())[: one.count]
        else:
            targets[one.rule] = one.among[: one.count]
        if one.officers:
            cronies = tuple(OFFICERS[: one.officers])
    return Declaration(targets, cronies)


def _default_arm(side: SideState) -> tuple[str, ...]:
    """Return an arm of ships that the enemy does not know of, or of any where those are too few.

    The enemy knows the ship that it chose itself, and would miss it on the map.
    """
    unknown = tuple(hull for hull in side.ships if hull.bought.stage != "lemon")
    needed = sum(hull.cost for hull in side.ships) * PINCER_SHARE
    have = sum(hull.cost for hull in unknown)
    if 0 < needed <= have:
        arm = pick_share(unknown, needed / have)
        if not check_pincer(side.ships, arm, place=""):
            return arm
    return pick_share(side.ships, PINCER_SHARE)


@rule("D3.13")
def declare(doing: Doing, declared: Declaration) -> None:
    """Write down in secret what the missions ask for; it may be written anew until the side is done."""
    doing.at("rest", "set-up")
    problems = check_declaration(doing.scenario, doing.role, declared)
    if problems:
        raise ProblemsError(problems)
    arm = doing.side.declared.targets.get(PINCER) if doing.side.declared is not None else None
    kept = {PINCER: arm} if arm and doing.scenario.stage == "set-up" else {}
    doing.change(declared=Declaration({**kept, **declared.targets}, declared.cronies))
    doing.record("declare", "What the mission asks for is written down.")


# Where ships start ------------------------------------------------------------------------------------


@rule("D2.12")
def corner_of(scenario: Scenario, role: Role) -> Hex:
    """Return a side's corner: the high one is at its altitude."""
    return high_corner(scenario.opening.hex_size) if scenario.high_side == role else LOW_CORNER


def on_map(scenario: Scenario, role: Role) -> tuple[str, ...]:
    """Return the ships of a side that begin on the map."""
    off = away(scenario, role)
    return tuple(hull.ship for hull in scenario.side(role).ships if hull.ship not in off)


@rule("D2.12")
def default_starts(scenario: Scenario, role: Role) -> dict[str, Start]:
    """Return a line of ships around a side's corner, on course for the enemy's."""
    corner, target = corner_of(scenario, role), corner_of(scenario, other(role))
    toward = 1 if target.q > corner.q else -1
    starts = {}
    for index, ship in enumerate(on_map(scenario, role)):
        row, column = divmod(index, AROUND_CORNER)
        step = ((column + 1) // 2) * (1 if column % 2 else -1)
        at = corner.moved(-toward * min(row, AROUND_CORNER - 2), step)
        starts[ship] = Start(at, from_axial(toward * APPROACH, 0))
    return starts


@rule("D2.12")
def place_ships(doing: Doing, starts: Mapping[str, Start]) -> None:
    """Place a side's ships; those that are not named start where ``default_starts`` puts them."""
    doing.at("set-up")
    scenario, role = doing.scenario, doing.role
    problems = list(check_starts(corner_of(scenario, role), starts))
    known = on_map(scenario, role)
    for ship in starts:
        if ship not in known:
            message = f"There is no ship {ship!r} of yours on the map."
            problems.append(Problem(pointer("starts", ship), "unknown-ship", message, "D2.12"))
    if problems:
        raise ProblemsError(problems)
    doing.change(starts={**default_starts(scenario, role), **starts})
    doing.record("place", "The ships are placed.")


@rule("D2.12")
def roll_height(doing: Doing) -> None:
    """Roll which side has the height: the attacker on an odd die."""
    dice = doing.scenario.dice(doing.seeds, 0)
    face = dice.umpire("set-up", "map", "height").die()
    doing.rolls.extend(dice.rolls())
    high: Role = "attacker" if face % 2 else "defender"
    doing.scenario = replace(doing.scenario, high_side=high)
    doing.record("height", f"The {high} has the height: {ALTITUDE[doing.scenario.opening.hex_size]} levels.",
                 by="umpire")  # fmt: skip


@rule("D3.13", "D3.3/K")
def check_declared(scenario: Scenario, role: Role) -> tuple[Problem, ...]:
    """Return what keeps a side from being done as far as its missions ask it to name ships; an arm may not fit now."""
    if not is_declared(scenario, role):
        return (Problem("/targets", "not-declared", "Your mission asks you to name ships.", "D3.13"),)
    declared = scenario.side(role).declared
    asked = [one.rule for one in asked_of(scenario, role)]
    if scenario.stage == "rest" and declared is not None and PINCER in asked:
        return check_declaration(scenario, role, declared)
    return ()


@rule("D2.12", "D3.3/K")
def finish_set_up(doing: Doing) -> None:
    """Place what was left to the default, and roll when the arm of a pincer comes."""
    scenario, role = doing.scenario, doing.role
    placed = doing.side.starts
    doing.change(starts={ship: placed.get(ship, start) for ship, start in default_starts(scenario, role).items()})
    if away(scenario, role):
        dice = scenario.dice(doing.seeds, 0)
        turn = roll_pincer_arrival(dice.umpire("set-up", role, "pincer"))
        doing.rolls.extend(dice.rolls())
        doing.change(pincer_turn=turn)
        doing.record("pincer", f"The other arm appears in turn {turn}.")


# The state in which ships begin ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadyShip:
    """A ship as the battle begins: its sheet with extra parties, grades, boxes marked off, salvoes missing.

    ``damage`` and ``spent`` map tracks to boxes; ``start`` is None for a ship that comes later.
    """

    hull: Hull
    ship_class: ShipClass
    grades: ShipGrades
    damage: Mapping[str, int] = field(default_factory=dict)
    spent: Mapping[str, int] = field(default_factory=dict)
    start: Start | None = None


@rule("D3.3/J", "D3.3/4", "D3.3/3", "D3.3/2", "D4.21")
def ready_ships(scenario: Scenario, role: Role, library: Library) -> tuple[ReadyShip, ...]:
    """Return a side's ships as its missions and options leave them at the start of the battle."""
    side = scenario.side(role)
    declared = side.declared or Declaration()
    is_picket = "picket-duty" in side.mission_keys
    found = []
    for hull in side.ships:
        ship_class = with_parties(library[hull.bought.ship_class], hull.options.parties)
        grades, damage = hull.bought.grades, dict[str, int]()
        if ship_class.officer_cost:
            if hull.ship in declared.targets.get(PICKET, ()):
                grades = with_poor_crew(grades)
            if hull.ship in declared.targets.get(ELITE, ()):
                grades = with_elite_crew(grades)
            if hull.ship in declared.targets.get(APPOINTEE, ()):
                grades = with_appointee(grades, cast("tuple[Category, ...]", declared.cronies))
        if hull.ship in declared.targets.get(WOUNDED, ()):
            damage = wounded_boxes(ship_class)
        spent = magazines_spent(ship_class) if is_picket else {}
        found.append(ReadyShip(hull, ship_class, grades, damage, spent, side.starts.get(hull.ship)))
    return tuple(found)


@rule("D3.42", "D1.22")
def miracle_side(scenario: Scenario) -> Role | None:
    """Return the side that may have a miracle-grade commander, once the forces stand on the map."""
    if not scenario.opening.miracles or scenario.stage not in ("battle", "revealed"):
        return None
    for role in ROLES:
        own, enemy = scenario.side(role).spent, scenario.enemy(role).spent
        if own and enemy and is_eligible(own, enemy):
            return role
    return None
