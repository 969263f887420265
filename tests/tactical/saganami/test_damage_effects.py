"""What hits do to tracks, structure, bridge and drive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import SeedDice, TypedDice
from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.ship_class_tracks import Box, BoxKind
from tactical.rules.saganami.damage import Cell
from tactical.rules.saganami.damage_effects import (
    can_communicate,
    can_translate,
    cic_hits,
    explodes,
    impeller_boxes,
    life_support_checks,
    mounts_hit,
    natural_zero_boxes,
    roll_hull_hit,
    roll_life_support,
    roll_magazine_hit,
    roll_structural_hit,
    track_value,
    wall_number,
)
from tactical.rules.saganami.tables import SAMPLE_HIT_TABLE

FCON = (0, 0, 1, 1, 2, 2, 3)


@pytest.mark.rule("A2.671", "A2.672", "A2.632", "A2.633", "C5.41", "C5.432", "C5.45", "C5.464")
@pytest.mark.parametrize(
    ("track", "hits", "after", "value"),
    [
        (FCON, 0, None, 0),
        (FCON, 6, None, 3),
        (FCON, 7, None, 3),
        ((0, 0, 1, 3), 4, 4, 4),
        ((3, 3, 2, 2, 2, 1), 6, 0, 0),
        ((5, 4, 4), 2, None, 4),
    ],
)
def test_the_first_unmarked_box_counts(track: tuple[int, ...], hits: int, after: int | None, value: int) -> None:
    """A2.671; C5.432: an exhausted track keeps its last number unless the sheet prints one after it."""
    assert track_value(track, hits, after) == value


@pytest.mark.parametrize(("track", "hits"), [((), 0), ((1,), -1)])
def test_tracks_without_boxes_and_negative_hits_are_refused(track: tuple[int, ...], hits: int) -> None:
    """A2.671."""
    with pytest.raises(ProblemsError):
        track_value(track, hits)


@pytest.mark.rule("C5.214", "C5.45", "C5.112")
def test_the_sidewall_box_of_the_card() -> None:
    """C5.214: without a wall the number at the end of the track, or the hammerhead's armour."""
    assert wall_number((-4, -4, -3), 0, 3) == -4
    assert wall_number((-4, -4, -3), 2, 3) == -3
    assert wall_number((-4, -4, -3), 3, 3) == 3
    assert wall_number((), 0, 1) == 1


@pytest.mark.rule("C5.412", "C5.431", "C5.433", "C5.434")
@pytest.mark.parametrize(
    ("cell", "edge", "mounts"),
    [
        (Cell(8, 20, "mag"), "aft", ("aft",)),
        (Cell(8, 14, "mag"), "aft", ("port",)),
        (Cell(0, 8, "G"), "starboard", ("starboard",)),
        (Cell(10, 3, "fcon"), "port", ("forward",)),
        (Cell(1, 6, "dcy"), "starboard", ("starboard",)),
        (Cell(1, 6, "dcy"), "forward", ("port", "starboard")),
    ],
)
def test_the_place_of_a_cell_tells_its_mount(cell: Cell, edge: str, mounts: tuple[str, ...]) -> None:
    """C5.412: a deep hit from astern finds the broadside's magazine; C5.434: decoys from the ends are chosen."""
    assert mounts_hit(cell, edge) == mounts  # type: ignore[arg-type]


def test_the_core_belongs_to_no_mount() -> None:
    """C5.412."""
    with pytest.raises(ProblemsError, match="no weapon mount"):
        mounts_hit(Cell(5, 11, "hyp"), "port")


@pytest.mark.rule("C5.4321", "C5.443")
def test_a_cic_hit_marks_all_four_fire_controls() -> None:
    """C5.443."""
    assert sorted(cic_hits()) == ["aft", "forward", "port", "starboard"]


@pytest.mark.rule("C5.411", "C5.433", "A1.212")
def test_a_magazine_hit_burns_the_difference_of_two_dice() -> None:
    """C5.411: three dots of the example; none on a 0; no more than there are."""
    assert roll_magazine_hit(TypedDice([7, 4]), 48).boxes == 3
    assert roll_magazine_hit(TypedDice([6, 6]), 48).boxes == 0
    assert roll_magazine_hit(TypedDice([10, 1]), 4).boxes == 4


@pytest.mark.rule("C5.411", "C5.413", "C5.422", "A1.212")
@pytest.mark.parametrize(
    ("faces", "left", "boxes", "structural"),
    [([9, 3], 100, 6, 0), ([9, 3], 2, 2, 1), ([9, 3], 6, 6, 0), ([5, 5], 2, 0, 0), ([], 0, 0, 1)],
)
def test_hull_hits_cascade_when_the_hull_is_gone(faces: list[int], left: int, boxes: int, structural: int) -> None:
    """C5.422: one SI box for the hit, however many hull boxes were wanting."""
    dice = TypedDice(faces)
    found = roll_hull_hit(dice, left)
    dice.finish()
    assert (found.boxes, found.structural) == (boxes, structural)


@pytest.mark.rule("C5.421", "C5.4211", "C5.4212", "C5.4213", "C5.4214", "A2.675")
@pytest.mark.parametrize(
    ("box", "faces", "shape", "destroyed", "cascade"),
    [
        (Box(BoxKind.SQUARE, 9), [], "square", False, ()),
        (Box(BoxKind.CASCADE, 9), [4, 5], "cascade", False, ("hull", "CIC")),
        (Box(BoxKind.CASCADE, 9), [1, 1], "cascade", False, ()),
        (Box(BoxKind.OCTAGON, 5, 4), [4], "octagon", False, ()),
        (Box(BoxKind.OCTAGON, 5, 4), [3], "octagon", True, ()),
        (Box(BoxKind.STAR, 1), [], "star", True, ()),
        (None, [], "none", True, ()),
    ],
)
def test_structural_integrity_box_by_box(
    box: Box | None, faces: list[int], shape: str, destroyed: bool, cascade: tuple[str, ...]
) -> None:
    """C5.421: squares are free, circles cascade, octagons are rolled, the star is the end."""
    dice = TypedDice(faces)
    found = roll_structural_hit(dice, box, SAMPLE_HIT_TABLE)
    dice.finish()
    assert (found.shape, found.is_destroyed, found.cascade) == (shape, destroyed, cascade)


@pytest.mark.rule("A2.675", "C5.4213")
@given(st.integers(1, 10), st.integers(2, 10))
def test_an_octagon_is_passed_at_its_number_or_higher(die: int, octagon: int) -> None:
    """A2.675: roll this number or higher, or stop playing the ship."""
    assert explodes(die, octagon) is not (die >= octagon)


@pytest.mark.rule("C5.213", "C5.214")
@pytest.mark.parametrize(
    ("zeros", "left", "expected"), [(2, 9, (2, 0)), (3, 1, (1, 2)), (2, 0, (0, 2)), (0, 4, (0, 0))]
)
def test_natural_zeros_take_the_wall_then_the_structure(zeros: int, left: int, expected: tuple[int, int]) -> None:
    """C5.213: a box each, SI where no wall is left."""
    assert natural_zero_boxes(zeros, left) == expected


@pytest.mark.rule("C5.423")
def test_life_support_is_checked_every_nineteen_operational_turns() -> None:
    """C5.423: from the turn it failed, whatever steps the clock takes."""
    assert life_support_checks(10, 28, failed_at=10) == 0
    assert life_support_checks(10, 29, failed_at=10) == 1
    assert life_support_checks(29, 30, failed_at=10) == 0
    assert life_support_checks(0, 67, failed_at=10) == 3
    assert life_support_checks(0, 9, failed_at=10) == 0
    assert life_support_checks(0, 28, failed_at=10) == 0
    assert roll_life_support(TypedDice([5]), 5).passed
    assert not roll_life_support(TypedDice([6]), 5).passed


@given(st.integers(0, 50), st.lists(st.integers(0, 30), max_size=6))
@pytest.mark.rule("C5.423")
def test_life_support_checks_do_not_hang_on_the_steps(failed: int, steps: list[int]) -> None:
    """C5.423: the sum over steps is the count over all."""
    turn = failed
    counted = 0
    for step in steps:
        counted += life_support_checks(turn, turn + step, failed)
        turn += step
    assert counted == (turn - failed) // 19


TRACK = (BoxKind.SQUARE, BoxKind.SQUARE, BoxKind.SQUARE, BoxKind.SAIL)


@pytest.mark.rule("C5.461", "C5.462")
@pytest.mark.parametrize(
    ("code", "marked", "boxes"),
    [
        ("fwd", (False,) * 4, (0,)),
        ("fwd", (True, True, True, False), (3,)),
        ("fwd", (True,) * 4, ()),
        ("2fwd", (False,) * 4, (0, 3)),
        ("2aft", (True, False, False, True), (1, 2)),
        ("2aft", (True, True, True, False), (3,)),
    ],
)
def test_a_double_impeller_hit_takes_the_sail(code: str, marked: tuple[bool, ...], boxes: tuple[int, ...]) -> None:
    """C5.462: one of the two is the sail while it is there."""
    assert impeller_boxes(code, TRACK, marked) == boxes


@pytest.mark.rule("C5.444", "C5.463")
def test_the_last_box_of_communications_and_hyper_generator_is_enough() -> None:
    """C5.444, C5.463."""
    assert can_communicate(1) and not can_communicate(0)
    assert can_translate(1) and not can_translate(0)


@given(st.text(max_size=6), st.integers(0, 30))
@pytest.mark.rule("C5.422")
def test_a_hull_hit_never_marks_more_than_the_hull(seed: str, left: int) -> None:
    """C5.422: and goes on to structure only where the hull ran out."""
    found = roll_hull_hit(SeedDice(seed), left)
    assert found.boxes <= left
    assert found.structural == (1 if left == 0 or found.roll > left else 0)
