"""LAC squadrons: plots, launchers, hits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import SeedDice, TypedDice
from campaign.rulebooks.saganami.ship_class_tracks import Box, BoxKind, left_track, read_tokens
from tactical.rules.saganami.attitude import read_attitude
from tactical.rules.saganami.lacs import (
    CREW_TARGET_OF_LACS,
    LacDamage,
    LacPlot,
    boxes_skipped,
    check_launchers,
    has_party,
    launchers_fired,
    losing_mounts,
    may_displace,
    may_share_place,
    pooled_kills,
    roll_craft,
    roll_lac_damage,
)

KINDS = (BoxKind.PADDING, BoxKind.WEAPON, BoxKind.OCTAGON, BoxKind.STAR)
BODY: tuple[Box, ...] = left_track("body", "body", read_tokens("b*3 M L o9 P o10 X", KINDS)).boxes
ARMED = {"M": 2, "L": 1, "P": 2}


def hit(faces: list[int], points: int, marked: Sequence[int] = (), span: int = 1, **weapons: int) -> LacDamage:
    """Return a hit on the LAC, all its dice used."""
    dice = TypedDice(faces)
    found = roll_lac_damage(dice, BODY, marked, points, {**ARMED, **weapons}, span)
    dice.finish()
    return found


@pytest.mark.rule("C7.12", "C7.121", "C7.122")
def test_a_squadron_displaces_only_if_it_keeps_its_first_facing() -> None:
    """C7.121, C7.122."""
    ahead, astern = read_attitude("A yellow", 0), read_attitude("D yellow", 0)
    assert may_displace(LacPlot(ahead, ahead))
    assert not may_displace(LacPlot(ahead, astern))
    assert not may_displace(LacPlot(ahead, read_attitude("A yellow", 1)))


@pytest.mark.rule("C7.11", "C7.13")
def test_squadrons_share_a_place() -> None:
    """C7.11: the stacking limit counts ships alone."""
    assert may_share_place(True, True) and may_share_place(True, False)
    assert not may_share_place(False, False)


@pytest.mark.rule("C7.13", "C7.131", "C7.21", "C7.211", "C7.212")
def test_a_squadron_fires_one_launcher_of_each_craft_in_a_stage() -> None:
    """C7.131, C7.21: all craft in one salvo, a launcher each."""
    unfired = {"A": (6, 6), "B": (6,), "C": (4, 6)}
    assert launchers_fired(unfired, ["late", "early"]) == {"early": 16, "late": 12}
    assert check_launchers(unfired, ["early", "late"]) == ()
    assert [p.code for p in check_launchers(unfired, ["early", "early"])] == ["launcher-twice"]
    assert [p.code for p in check_launchers(unfired, ["early", "middle", "late"])] == ["no-launcher"]


@pytest.mark.rule("C7.132", "C7.22", "C7.13")
def test_a_squadron_pools_its_probable_kills() -> None:
    """C7.132: ten craft of two thirds."""
    assert pooled_kills({letter: Fraction(2, 3) for letter in "ABCDEFGHJK"}) == Fraction(20, 3)
    assert pooled_kills({}) == 0


@pytest.mark.rule("C7.11", "C7.31")
def test_each_missile_finds_its_lac_before_any_damage() -> None:
    """C7.31: ten letters, I left out."""
    assert roll_craft(TypedDice([1, 9, 10, 1]), 4) == ("A", "J", "K", "A")


@pytest.mark.rule("C7.32", "C7.324")
@pytest.mark.parametrize(("roll", "span", "boxes"), [(4, 1, 4), (4, 3, 6), (0, 5, 2), (0, 1, 0)])
def test_wide_weapons_skip_two_more(roll: int, span: int, boxes: int) -> None:
    """C7.324."""
    assert boxes_skipped(roll, span) == boxes


@pytest.mark.rule("C7.32", "C7.321", "C7.322", "C7.323")
def test_a_hit_marks_boxes_from_the_skip_on() -> None:
    """C7.32: padding, weapons, octagons, star."""
    light = hit([5, 3], 2)
    assert (light.skipped, light.marked, light.weapons, light.is_destroyed) == (2, (2, 3), ("M",), False)
    through = hit([5, 3, 9], 4)
    assert (through.marked, through.weapons, through.dice, through.is_destroyed) == (
        (2, 3, 4, 5),
        ("M", "L"),
        (9,),
        False,
    )
    burst = hit([5, 3, 8], 4)
    assert burst.is_destroyed
    assert hit([9, 1], 1).is_destroyed
    assert hit([9, 2, 10], 1) == LacDamage(7, (7,), (), (10,), False)
    assert hit([9, 2, 10], 2).is_destroyed
    assert hit([5, 3], 0).marked == ()


@pytest.mark.rule("C7.322", "C7.323", "C7.32")
def test_marked_boxes_and_lost_weapons_are_passed_over() -> None:
    """C7.322, C7.323: the point goes on to the next box."""
    assert hit([4, 4], 2, marked=(0, 1)).marked == (2, 3)
    assert hit([4, 4], 1, marked=(0, 1, 2), M=0).weapons == ("L",)
    assert hit([4, 4, 10], 1, marked=(0, 1, 2, 3, 4, 5), P=0).marked == (7,)


@pytest.mark.rule("C7.324", "C7.32")
def test_a_skip_past_the_track_destroys_the_lac() -> None:
    """C7.32: nothing but the star is left to hit."""
    assert hit([10, 1], 1, span=3).is_destroyed
    assert not hit([10, 1], 0, span=3).is_destroyed


@given(st.text(max_size=6), st.integers(0, 20), st.sets(st.integers(0, 7)))
@pytest.mark.rule("C7.32")
def test_no_hit_marks_more_boxes_than_its_points(seed: str, points: int, marked: set[int]) -> None:
    """C7.32: and none twice."""
    found = roll_lac_damage(SeedDice(seed), BODY, tuple(marked), points, ARMED)
    assert len(found.marked) <= points
    assert not set(found.marked) & marked
    assert all(index >= found.skipped for index in found.marked)


@pytest.mark.rule("C7.323")
def test_weapons_are_taken_from_the_facing_mount_first() -> None:
    """C7.323: then from a side that the defender picks."""
    assert losing_mounts("port", {"port": 1, "starboard": 2}) == ("port",)
    assert losing_mounts("port", {"port": 0, "starboard": 2, "forward": 1}) == ("starboard", "forward")
    assert losing_mounts("port", {"port": 0, "starboard": 0}) == ()


@pytest.mark.rule("C7.33")
def test_lacs_have_average_crews_and_a_party_while_a_square_is_left() -> None:
    """C7.33."""
    assert CREW_TARGET_OF_LACS == 5
    assert has_party(1) and not has_party(0)
