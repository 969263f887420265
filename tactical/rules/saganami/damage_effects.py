"""What hits do to a ship's systems (C5.4): how many boxes fall, and what follows from it.

Every function answers for one hit or one check from plain numbers; marking the boxes is the
caller's. Tracks are those of ``campaign.rulebooks.saganami.ship_class_tracks``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from campaign.engine.dice import Roller, d10_difference, d10_sum
from campaign.engine.errors import refuse
from campaign.rulebooks.saganami.ship_class_hits import HitTable, mount_of_cell
from campaign.rulebooks.saganami.ship_class_tracks import Box, BoxKind
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.attitude import Facing
from tactical.rules.saganami.damage import Cell, core_cascade
from tactical.rules.saganami.officers import Check, roll_crew_check

LIFE_SUPPORT_TURNS = 19  # C5.423: operational turns between two checks
FEWEST_STRUCTURAL = 1

# Tracks -----------------------------------------------------------------------------------------


@rule("A2.632", "A2.633", "A2.671", "A2.672", "C5.41", "C5.432", "C5.45", "C5.464")
def track_value(track: Sequence[int], hits: int, after: int | None = None) -> int:
    """Return the number in the first unmarked box of a track after so many hits.

    With every box marked it is ``after``, the number printed at the track's end; where the sheet
    prints none, the last box's stays (C5.432).
    """
    if not track:
        raise refuse("no-boxes", "The track has no box.", place="/track", rule="A2.671")
    if hits < 0:
        raise refuse("negative", "Hits are counted from 0.", place="/hits", rule="C5.41")
    if hits < len(track):
        return track[hits]
    return track[-1] if after is None else after


@rule("C5.112", "C5.214", "C5.45")
def wall_number(boxes: Sequence[int], lost: int, after: int) -> int:
    """Return the number in the Sidewall box of a salvo card: the first unmarked box, or ``after`` once all are gone.

    A bow or stern without a wall has no boxes, and the hammerhead's armour for ``after``.
    """
    return boxes[lost] if lost < len(boxes) else after


@rule("C5.412", "C5.431", "C5.433", "C5.434")
def mounts_hit(cell: Cell, edge: Facing) -> tuple[str, ...]:
    """Return the mount that a weapon, magazine, fire-control, decoy or sidewall cell belongs to.

    It goes by the cell's place, not by the edge the hit came in at. A decoy hit from ahead or astern
    may fall on either side: two mounts come back, and the defender chooses.
    """
    if cell.code == "dcy" and edge in ("forward", "aft"):
        return ("port", "starboard")
    mount = mount_of_cell(cell.row, cell.column)
    if mount is None:
        raise refuse("no-mount", f"{cell.code} in the Core belongs to no weapon mount.", rule="C5.412")
    return (mount,)


@rule("C5.4321", "C5.443")
def cic_hits() -> tuple[Facing, ...]:
    """Return the mounts whose fire-control track a CIC hit marks once: all four."""
    return ("forward", "aft", "port", "starboard")


# Magazines and hull -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TrackHit:
    """Boxes that fall for one hit: the 2d10- rolled, the boxes marked, and the SI boxes it goes on to."""

    roll: int
    boxes: int
    structural: int = 0


@rule("C5.411", "C5.433", "A1.212")
def roll_magazine_hit(roller: Roller, dots_left: int) -> TrackHit:
    """Roll a magazine hit: 2d10- salvo dots, none on a 0, no more than are left."""
    roll = d10_difference(roller)
    return TrackHit(roll, min(roll, dots_left))


@rule("C5.411", "C5.413", "C5.422", "A1.212")
def roll_hull_hit(roller: Roller, boxes_left: int) -> TrackHit:
    """Roll a hull hit: 2d10- boxes, none on a 0.

    What the hull cannot take goes to Structural Integrity, one box for the hit however much is left
    over; with no hull left at all every hit does.
    """
    if boxes_left == 0:
        return TrackHit(0, 0, FEWEST_STRUCTURAL)
    roll = d10_difference(roller)
    boxes = min(roll, boxes_left)
    return TrackHit(roll, boxes, FEWEST_STRUCTURAL if roll > boxes else 0)


# Structural Integrity ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StructuralHit:
    """What marking one SI box does: its shape, the explosion's die, the cascade's column and systems."""

    shape: Literal["square", "cascade", "octagon", "star", "none"]
    is_destroyed: bool = False
    die: int | None = None
    column: int | None = None
    cascade: tuple[str, ...] = ()


@rule("A2.675", "C5.421", "C5.4211", "C5.4212", "C5.4213", "C5.4214")
def roll_structural_hit(roller: Roller, box: Box | None, table: HitTable) -> StructuralHit:
    """Mark one box of the SI track and roll what it asks for.

    Squares cost nothing. A cascade rolls a column (2d10+) whose Core systems take a hit each. An
    octagon must be reached or beaten on a d10, or the ship explodes. The star, or a hit with no box
    left, destroys the ship.
    """
    if box is None or box.kind is BoxKind.STAR:
        return StructuralHit("star" if box else "none", is_destroyed=True)
    if box.kind is BoxKind.CASCADE:
        column = d10_sum(roller)
        return StructuralHit("cascade", column=column, cascade=core_cascade(table, column))
    if box.kind is BoxKind.OCTAGON:
        die = roller.die()
        return StructuralHit("octagon", is_destroyed=explodes(die, box.number), die=die)
    return StructuralHit("square")


@rule("A2.675", "C5.4213")
def explodes(die: int, octagon: int) -> bool:
    """Return whether a die on an octagon ends the ship: less than its number."""
    return die < octagon


@rule("C5.213", "C5.214")
def natural_zero_boxes(zeros: int, wall_boxes_left: int) -> tuple[int, int]:
    """Return the wall's boxes and the SI boxes that natural zeros cost at the end of a damage step.

    Where no wall faces the shot, or no box of it is left, each is an SI hit.
    """
    wall = min(zeros, wall_boxes_left)
    return wall, zeros - wall


# Life support, bridge, propulsion ---------------------------------------------------------------


@rule("C5.423")
def life_support_checks(turns_before: int, turns_after: int, failed_at: int) -> int:
    """Return how many checks fall due between two operational turns, the later one counted with it.

    ``failed_at`` is the turn in which the last life support box went: a check every 19 turns from
    then, until a box is permanently repaired.
    """
    before = max(turns_before - failed_at, 0) // LIFE_SUPPORT_TURNS
    return max(turns_after - failed_at, 0) // LIFE_SUPPORT_TURNS - before


@rule("C5.423")
def roll_life_support(roller: Roller, crew_target: int) -> Check:
    """Roll a life support check; a failed one loses the ship with all hands."""
    return roll_crew_check(roller, crew_target)


@rule("C5.461", "C5.462")
def impeller_boxes(code: str, track: Sequence[BoxKind], marked: Sequence[bool]) -> tuple[int, ...]:
    """Return the boxes (from 0) of an impeller track that a hit marks, two for a double hit.

    Boxes go from the left; one of a double hit's is the Warshawski sail, if it is still there. Each box
    marked costs one of the Maximum Thrust track as well.
    """
    free = [index for index, is_marked in enumerate(marked) if not is_marked]
    if code in ("fwd", "aft"):
        return tuple(free[:1])
    sails = [index for index in free if track[index] is BoxKind.SAIL][:1]
    others = [index for index in free if index not in sails]
    return tuple(sorted((sails + others)[:2]))


@rule("C5.444")
def can_communicate(boxes_left: int) -> bool:
    """Return whether a ship can link salvoes and share active defences: a communications box is left."""
    return boxes_left > 0


@rule("C5.463")
def can_translate(hyper_boxes_left: int) -> bool:
    """Return whether a ship can change hyper bands: a box of the hyper generator is left.

    Losing the last one in hyperspace does not throw it out.
    """
    return hyper_boxes_left > 0
