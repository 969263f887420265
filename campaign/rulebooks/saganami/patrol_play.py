"""What missions do while a patrol battle is fought (D3.2, D3.3): spy, pincer, picket, wounded, appointee.

The tactical level asks these functions at the step of play that each names; the account afterwards is
``patrol_score``'s.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from campaign.engine.dice import Roller, d10_difference, three_d10
from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.rulebooks.saganami.grades import OFFICERS, Category, Grade, ShipGrades, crew_target
from campaign.rulebooks.saganami.patrol_score import METTLE_KILLS
from campaign.rulebooks.saganami.ship_class_hits import BLANK, COLUMNS, ROWS, HitTable
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind
from campaign.rulebooks.saganami.source import rule

SABOTAGED_CELLS = 4  # D3.2/A
SABOTAGE_DAMAGE = 2  # points in each cell
FREEZE_TURNS = 3
PINCER_RANGE = 30  # D3.3/K, in tactical hexes
COUNTERMISSILES_OUT_FROM = 7  # D3.3/4, on 2d10-
APPOINTEE_OFFICERS = 2  # D3.3/2

Cell = tuple[int, int]
"""A cell of the hit location table: row from 0 at starboard to 10 at port, column from 2 to 20."""


@rule("D3.2/A")
def check_sabotage(table: HitTable, cells: Sequence[Cell], *, place: str = "/cells") -> tuple[Problem, ...]:
    """Return what is wrong with a spy's sabotage: four cells inside the ship that hang together edge to edge."""
    problems = []
    for index, (row, column) in enumerate(cells):
        here = place + pointer(index)
        if not (0 <= row < len(ROWS) and column in COLUMNS) or table.code(row, column) == BLANK:
            problems.append(Problem(here, "no-such-cell", "This is outside the ship.", "D3.2/A"))
        elif (row, column) in cells[:index]:
            problems.append(Problem(here, "same-cell-twice", "Name each cell once.", "D3.2/A"))
    if len(cells) != SABOTAGED_CELLS:
        problems.append(Problem(place, "not-four", "A spy sabotages four cells.", "D3.2/A"))
    elif not problems and not _hang_together(cells):
        problems.append(Problem(place, "not-adjacent", "The four cells must touch one another.", "D3.2/A"))
    return tuple(problems)


def _hang_together(cells: Sequence[Cell]) -> bool:
    reached = [cells[0]]
    for row, column in reached:
        for neighbour in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if neighbour in cells and neighbour not in reached:
                reached.append(neighbour)
    return len(reached) == len(cells)


@rule("D3.2/A")
def sabotage(table: HitTable, cells: Sequence[Cell]) -> tuple[str, ...]:
    """Return the hits that a spy's sabotage does, code by code: two in each cell. Refuses cells that may not be."""
    problems = check_sabotage(table, cells)
    if problems:
        raise ProblemsError(problems)
    return tuple(table.code(row, column) for row, column in cells for _ in range(SABOTAGE_DAMAGE))


@rule("D3.2/A")
def frozen_turns(turn: int) -> tuple[int, ...]:
    """Return the turns for which a ship cannot plot movement, after a spy acted in ``turn``."""
    return tuple(range(turn + 1, turn + 1 + FREEZE_TURNS))


@rule("D3.3/K")
def roll_pincer_arrival(roller: Roller) -> int:
    """Roll the turn in which the other arm of a pincer appears, at range 30 with any vectors: 3d10med."""
    return three_d10(roller, "med")


@rule("D3.3/4")
def magazines_spent(ship_class: ShipClass) -> dict[str, int]:
    """Return the salvoes that a picket's ship lacks at the start, by magazine track.

    Half of each magazine is gone, and the odd salvo is still there: rounding is for who shoots (A1.25).
    """
    return {
        track.name: len(track.boxes) // 2
        for track in ship_class.tracks
        if track.code == "mag" and len(track.boxes) // 2
    }


@rule("D3.3/4")
def roll_countermissiles_out(roller: Roller) -> bool:
    """Roll, on a turn in which a picket fired countermissiles from a side of a ship, whether that side is out of them.

    Seven or more on 2d10-. Canister is not affected.
    """
    return d10_difference(roller) >= COUNTERMISSILES_OUT_FROM


@rule("D3.3/4")
def check_picket_pods(pods: int, *, place: str = "/pods") -> tuple[Problem, ...]:
    """Return a problem if a picket has pods."""
    return (Problem(place, "no-pods", "A force on picket duty has no pods.", "D3.3/4"),) if pods else ()


@rule("D3.3/4")
def with_poor_crew(grades: ShipGrades) -> ShipGrades:
    """Return the grades of a picket's ship on short rations."""
    return grades.with_grade("crew", "poor")


@rule("D3.3/3")
def wounded_boxes(ship_class: ShipClass) -> dict[str, int]:
    """Return the damage with which a walking wounded begins: half of its structural integrity, rounded down.

    The octagons among it did not blow the ship up. The star is no hit that a ship takes and lives.
    """
    track = ship_class.track("structural_integrity")
    if track is None:
        return {}
    hits = sum(box.kind is not BoxKind.STAR for box in track.boxes)
    return {"structural_integrity": hits // 2} if hits > 1 else {}


@rule("D3.3/3")
def is_wound_revealed(hits: Collection[str]) -> bool:
    """Say whether new hits make a side reveal that a ship is wounded: the first on structural integrity."""
    return "SI" in hits


@rule("D3.3/2")
def with_appointee(grades: ShipGrades, cronies: Sequence[Category]) -> ShipGrades:
    """Return the grades of a political appointee's ship: two officers poor, the crew average at best.

    Refuses other than two different officers.
    """
    problems = []
    for index, officer in enumerate(cronies):
        if officer not in OFFICERS or officer in cronies[:index]:
            message = "Name two of the five officers."
            problems.append(Problem(pointer("cronies", index), "not-an-officer", message, "D3.3/2"))
    if len(cronies) != APPOINTEE_OFFICERS:
        problems.append(Problem("/cronies", "not-two", "Two officers are poor.", "D3.3/2"))
    if problems:
        raise ProblemsError(problems)
    for officer in cronies:
        grades = grades.with_grade(officer, "poor")
    return grades if grades.crew in ("poor", "average") else grades.with_grade("crew", "average")


@rule("D3.3/2")
def must_find_courage(broadsides: Mapping[str, tuple[int, int]], *, has_passed_octagon: bool) -> bool:
    """Say whether an appointee's ship must check its nerve now.

    ``broadsides`` maps each broadside to (weapons lost, weapons it had). More than half of one
    broadside, or an octagon survived.
    """
    return has_passed_octagon or any(2 * lost > had for lost, had in broadsides.values())


@rule("D3.3/2")
def roll_courage(roller: Roller, crew: Grade) -> bool:
    """Roll an appointee's crew quality check: True if the ship stays, False if it must try to leave at once."""
    return roller.die() <= crew_target(crew)


@rule("D3.3/J")
def with_elite_crew(grades: ShipGrades) -> ShipGrades:
    """Return the grades of the lemon that got the best: its tactical officer and its crew, at no cost."""
    return grades.with_grade("tactical", "elite").with_grade("crew", "elite")


@rule("D3.2/7", "D3.2/5")
def may_disengage(missions: Collection[str], *, enemies_disengaged: int, hyper_capable_kills: int) -> bool:
    """Say whether a side's missions let its ships try to disengage now.

    A liar's bluff waits for the first enemy to go, a demonstration of mettle for two hyper capable kills.
    """
    if "liars-bluff" in missions and enemies_disengaged < 1:
        return False
    return "demonstration-of-mettle" not in missions or hyper_capable_kills >= METTLE_KILLS
