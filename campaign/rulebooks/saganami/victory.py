"""Victory conditions (D2.2): what each side earned, what it cost, and who won by how much.

Points are whole (fractions are rounded up where they are earned), ratios are exact fractions. Every
point stands on a ``Line`` with its label and rule, so that a result can be read back line by line;
missions and other house matters add lines and never change one in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Literal, TypeAlias, get_args

from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.rulebooks.saganami.source import rule

Fate: TypeAlias = Literal["fighting", "disengaged", "surrendered", "captured", "destroyed"]
FATES: tuple[Fate, ...] = get_args(Fate)

Margin: TypeAlias = Literal[
    "draw", "minor-victory", "victory", "major-victory", "overwhelming-victory", "legendary-victory"
]

# D2.232: the largest difference of the two ratios that still belongs to each band.
MARGIN_BANDS: tuple[tuple[Fraction, Margin], ...] = (
    (Fraction(10, 100), "draw"),
    (Fraction(30, 100), "minor-victory"),
    (Fraction(60, 100), "victory"),
    (Fraction(90, 100), "major-victory"),
    (Fraction(130, 100), "overwhelming-victory"),
)
BEYOND_ALL_BANDS: Margin = "legendary-victory"

OFFICERS_PER_POINT = 5  # D2.224: 0.2 points for each officer
ENLISTED_PER_POINT = 100  # D2.224: 0.01 points for each rating or marine

DAWDLING_TURNS = 10  # D2.0, the designer's note on fights that never begin
DAWDLING_SHARE = Fraction(2, 100)


def exact(number: int | float | Fraction) -> Fraction:
    """Return a number as the exact fraction it prints as: 0.3 is three tenths, not its binary neighbour."""
    return number if isinstance(number, Fraction) else Fraction(str(number))


@rule("D2.223")
def damage_points(cost: int, boxes: int, damaged: int) -> int:
    """Return the points earned by marking off ``damaged`` of a ship's ``boxes``.

    The share of the boxes, of the ship's adjusted cost in points, rounded up; a ship with every box
    gone pays its cost. Refuses a ship without boxes and more damage than there are boxes.
    """
    if boxes <= 0:
        raise refuse("no-boxes", "A ship has at least one box.", place="/boxes", rule="D2.223")
    if not 0 <= damaged <= boxes:
        raise refuse("more-than-all", "A ship loses from none to all of its boxes.", place="/damaged", rule="D2.223")
    return ceil(Fraction(cost * damaged, boxes))


@rule("D2.224")
def surrender_points(cost: int, officers: int, enlisted_and_marines: int) -> int:
    """Return the points a ship gives the enemy when it strikes its colours.

    Its cost, less a fifth of a point for each officer and a hundredth for each rating and marine
    aboard, rounded up once at the end; never below nothing.
    """
    spared = Fraction(officers, OFFICERS_PER_POINT) + Fraction(enlisted_and_marines, ENLISTED_PER_POINT)
    return max(0, ceil(cost - spared))


@rule("D2.225", "C8.12")
def pod_points(cost: int, bought: int, spent: int) -> int:
    """Return the enemy's points for pods fired or shot away: their share of what the card cost, rounded up."""
    if not 0 <= spent <= bought:
        raise refuse("more-than-all", "A ship spends from none to all of its pods.", place="/spent", rule="D2.225")
    return ceil(Fraction(cost * spent, bought)) if bought else 0


@rule("D2.231")
def victory_point_ratio(points: int | Fraction, initial_cost: int | Fraction) -> Fraction:
    """Return the points earned over what the earning side itself brought to the battle."""
    if initial_cost <= 0:
        raise refuse("no-cost", "A force costs at least one point.", place="/cost", rule="D2.231")
    return Fraction(points) / initial_cost


@rule("D2.232")
def margin_band(difference: Fraction) -> Margin:
    """Return the margin of victory for a difference of two ratios (bands without gaps, upper ends included)."""
    if difference < 0:
        raise refuse("negative", "The smaller ratio is taken from the larger.", place="/difference", rule="D2.232")
    return next((margin for upper, margin in MARGIN_BANDS if difference <= upper), BEYOND_ALL_BANDS)


@dataclass(frozen=True, slots=True)
class ShipOutcome:
    """What became of one ship in a battle.

    ``cost`` is the adjusted cost in points (A2.65), without pods. ``boxes_lost`` counts the boxes
    marked off in this battle, of ``boxes``. The crew aboard matters only if it surrendered.
    ``pods_spent`` were fired or killed, of ``pods_bought``, which cost ``pod_cost`` together.
    """

    ship: str
    cost: int
    boxes: int
    boxes_lost: int = 0
    fate: Fate = "fighting"
    name: str = ""
    officers: int = 0
    enlisted_and_marines: int = 0
    pods_bought: int = 0
    pods_spent: int = 0
    pod_cost: int = 0

    @property
    def label(self) -> str:
        """Return the name to show: the ship's, or its id."""
        return self.name or self.ship


@dataclass(frozen=True, slots=True)
class Objective:
    """A scenario's objective that a side met, and its bonus in points (D2.222)."""

    label: str
    points: int


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """One side's ships after a battle, the objectives it met, and what else it paid for.

    ``options_cost`` is what commander's options other than pods cost (D4). ``allies`` are sides
    that earn nothing from this side's losses.
    """

    side: str
    ships: tuple[ShipOutcome, ...]
    objectives: tuple[Objective, ...] = ()
    options_cost: int = 0
    allies: tuple[str, ...] = ()

    @property
    def initial_cost(self) -> int:
        """Return what the side brought: adjusted costs, pods and options (D2.231, C8.12)."""
        return sum(ship.cost + ship.pod_cost for ship in self.ships) + self.options_cost


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the account: what earned (or cost) ``points``, and by which rule.

    ``kind`` is damage, destroyed, captured, surrendered, pods, objective, mission or forfeit;
    ``subject`` is the ship it is about, or "".
    """

    label: str
    points: int
    rule: str
    kind: str
    subject: str = ""

    def as_document(self) -> dict[str, Any]:
        """Return the line as it is stored and shown."""
        return {
            "label": self.label,
            "points": self.points,
            "rule": self.rule,
            "kind": self.kind,
            "subject": self.subject,
        }


@dataclass(frozen=True, slots=True)
class SideScore:
    """What one side earned, line by line, over what it brought."""

    side: str
    cost: int
    lines: tuple[Line, ...]

    @property
    def points(self) -> int:
        """Return the sum of the lines."""
        return sum(line.points for line in self.lines)

    @property
    def ratio(self) -> Fraction:
        """Return the victory point ratio (D2.231)."""
        return victory_point_ratio(self.points, self.cost)

    def as_document(self) -> dict[str, Any]:
        """Return the score as it is stored; the ratio as exact text and in ten-thousandths, rounded down."""
        return {
            "side": self.side,
            "cost": self.cost,
            "points": self.points,
            "ratio": fraction_text(self.ratio),
            "ratio_ten_thousandths": self.ratio * 10_000 // 1,
            "lines": [line.as_document() for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class Score:
    """The account of a battle: every side's score, the difference of ratios, the margin and who won."""

    sides: tuple[SideScore, ...]
    difference: Fraction
    margin: Margin
    winner: str | None

    def of(self, side: str) -> SideScore:
        """Return one side's score."""
        return next(one for one in self.sides if one.side == side)

    def as_document(self) -> dict[str, Any]:
        """Return the account as it is stored: integers and texts only."""
        return {
            "sides": [one.as_document() for one in self.sides],
            "difference": fraction_text(self.difference),
            "difference_ten_thousandths": self.difference * 10_000 // 1,
            "margin": self.margin,
            "winner": self.winner,
        }


def fraction_text(number: Fraction) -> str:
    """Return a fraction as text, as in "13/42"; whole ones without the stroke."""
    return str(number)


@rule("D2.223", "D2.224", "D2.225")
def lines_for_ship(ship: ShipOutcome) -> tuple[Line, ...]:
    """Return what the enemy earns from one ship.

    A destroyed ship pays its cost, and so does one that was boarded and taken; one that struck its
    colours pays its cost less its crew; any other pays for its boxes. Pods still towed go down with
    a destroyed ship.
    """
    lines: list[Line] = []
    if ship.fate == "destroyed":
        lines.append(Line(f"{ship.label} destroyed", ship.cost, "D2.223", "destroyed", ship.ship))
    elif ship.fate == "captured":
        lines.append(Line(f"{ship.label} captured", ship.cost, "D2.223", "captured", ship.ship))
    elif ship.fate == "surrendered":
        points = surrender_points(ship.cost, ship.officers, ship.enlisted_and_marines)
        lines.append(Line(f"{ship.label} surrendered", points, "D2.224", "surrendered", ship.ship))
    elif ship.boxes_lost:
        label = f"{ship.label}: {ship.boxes_lost} of {ship.boxes} boxes"
        points = damage_points(ship.cost, ship.boxes, ship.boxes_lost)
        lines.append(Line(label, points, "D2.223", "damage", ship.ship))
    spent = ship.pods_bought if ship.fate == "destroyed" else ship.pods_spent
    if spent:
        label = f"{ship.label}: {spent} of {ship.pods_bought} pods used or killed"
        points = pod_points(ship.pod_cost, ship.pods_bought, spent)
        lines.append(Line(label, points, "D2.225", "pods", ship.ship))
    return tuple(lines)


@rule("D2.2", "D2.22", "D2.221", "D2.222", "D2.23")
def score(sides: Sequence[SideOutcome]) -> Score:
    """Return the account of a battle between two or more sides.

    Each side earns what its enemies' ships and pods lost and the bonus of the objectives it met.
    Raises ProblemsError with everything that is wrong with the outcomes.
    """
    problems = check_outcomes(sides)
    if problems:
        raise ProblemsError(problems)
    scores = []
    for own in sides:
        lines: list[Line] = []
        for other in sides:
            if other.side == own.side or own.side in other.allies or other.side in own.allies:
                continue
            for ship in other.ships:
                lines.extend(lines_for_ship(ship))
        lines.extend(Line(one.label, one.points, "D2.222", "objective") for one in own.objectives)
        scores.append(SideScore(own.side, own.initial_cost, tuple(lines)))
    return settle(scores)


@rule("D2.231", "D2.232")
def settle(scores: Iterable[SideScore]) -> Score:
    """Return the margin between the best and the next best ratio, and who won; a draw has no winner."""
    listed = tuple(scores)
    ranked = sorted(listed, key=lambda one: (-one.ratio, one.side))
    if len(ranked) < 2:
        raise refuse("no-enemy", "A margin needs two sides.", place="/sides", rule="D2.232")
    difference = ranked[0].ratio - ranked[1].ratio
    margin = margin_band(difference)
    return Score(listed, difference, margin, None if margin == "draw" else ranked[0].side)


def check_outcomes(sides: Sequence[SideOutcome]) -> tuple[Problem, ...]:
    """Return every problem of the outcomes, each with its place as "/sides/0/ships/2/boxes_lost"."""
    problems: list[Problem] = []

    def add(code: str, message: str, rule_key: str, *place: str | int) -> None:
        problems.append(Problem(pointer("sides", *place), code, message, rule_key))

    if len(sides) < 2:
        add("no-enemy", "A battle has two sides or more.", "D2.2")
    names = [one.side for one in sides]
    for index, one in enumerate(sides):
        if one.side in names[:index]:
            add("same-side-twice", "Each side is listed once.", "D2.2", index, "side")
        if one.initial_cost <= 0:
            add("no-cost", "A force costs at least one point.", "D2.231", index, "ships")
        if one.options_cost < 0:
            add("negative", "Options cost nothing or more.", "D4.0", index, "options_cost")
        for place, objective in enumerate(one.objectives):
            if objective.points < 0:
                add("negative", "An objective's bonus is not negative.", "D2.222", index, "objectives", place)
        for place, ship in enumerate(one.ships):
            here = (index, "ships", place)
            if any(ship.ship == other.ship for other in one.ships[:place]):
                add("same-ship-twice", "Each ship is listed once.", "D2.2", *here, "ship")
            if ship.fate not in FATES:
                add("unknown-fate", f"A fate is one of {', '.join(FATES)}.", "D2.2", *here, "fate")
            if ship.boxes <= 0:
                add("no-boxes", "A ship has at least one box.", "D2.223", *here, "boxes")
            elif not 0 <= ship.boxes_lost <= ship.boxes:
                add("more-than-all", "A ship loses from none to all of its boxes.", "D2.223", *here, "boxes_lost")
            if not 0 <= ship.pods_spent <= ship.pods_bought:
                add("more-than-all", "A ship spends from none to all of its pods.", "D2.225", *here, "pods_spent")
            amounts: Mapping[str, int] = {
                "cost": ship.cost,
                "officers": ship.officers,
                "enlisted_and_marines": ship.enlisted_and_marines,
                "pod_cost": ship.pod_cost,
            }
            for key, amount in amounts.items():
                if amount < 0:
                    add("negative", "This is nothing or more.", "D2.2", *here, key)
    return tuple(problems)


@rule("D2.21")
def simple_victor(fates: Mapping[str, Sequence[Fate]], conceded: Iterable[str] = ()) -> str | None:
    """Return the one side that is neither out of ships nor has conceded, or None while there are more (or none).

    ``fates`` maps each side to its ships' fates; a ship that was destroyed, captured or struck is gone.
    """
    given_up = tuple(conceded)
    standing = [
        side
        for side, ships in fates.items()
        if side not in given_up and any(fate in ("fighting", "disengaged") for fate in ships)
    ]
    return standing[0] if len(standing) == 1 else None


@rule("D2.0")
def is_cowardly_draw(turns: int, sides: Sequence[SideOutcome]) -> bool:
    """Say whether a fight ended for want of fighting.

    After ten turns or more, no side has done at least two percent damage to at least half of another's ships.
    """
    if turns < DAWDLING_TURNS:
        return False

    def is_hurt(ship: ShipOutcome) -> bool:
        gone = ship.fate in ("destroyed", "captured", "surrendered")
        return gone or Fraction(ship.boxes_lost, ship.boxes) >= DAWDLING_SHARE

    return not any(2 * sum(is_hurt(ship) for ship in one.ships) >= len(one.ships) > 0 for one in sides)
