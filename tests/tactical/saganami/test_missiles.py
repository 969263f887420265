"""Salvoes: how many, from where, how good, and linked with whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.hexes import ORIGIN, Hex
from campaign.engine.vectors import to_axial
from tactical.rules.saganami.avid import read_window
from tactical.rules.saganami.missiles import (
    STAGES,
    Salvo,
    base_quality,
    check_launch,
    check_link,
    consolidated,
    launch_quality,
    missiles_in_salvo,
    salvo_bearing,
    salvoes_available,
    stages_linked,
)
from tactical.rules.saganami.movement import Course, course
from tactical.rules.saganami.tables import POD_CARD_BANDS, SAMPLE_BANDS


def at(z: int = 0, **legs: int) -> Hex:
    """Return the hex at the end of legs such as A=3, at an altitude."""
    return to_axial(legs).moved(0, 0, z)


def going(start: Hex, **vectors: int) -> Course:
    """Return the course of a ship without thrust."""
    return course(start, vectors, {})


@pytest.mark.rule("C2.12", "C2.121", "C2.122", "A3.131", "A3.132")
@pytest.mark.parametrize(
    ("distance", "stages"),
    [
        (0, STAGES),
        (7, STAGES),
        (8, STAGES[1:]),
        (20, STAGES[1:]),
        (21, STAGES[2:]),
        (29, STAGES[2:]),
        (30, ()),
    ],
)
def test_the_ends_of_turn_set_the_number_of_salvoes(distance: int, stages: tuple[str, ...]) -> None:
    """C2.121: three zones of the specimen's range bands."""
    assert salvoes_available(SAMPLE_BANDS, distance) == stages


@pytest.mark.rule("A2.66", "C2.15")
@pytest.mark.parametrize(
    ("distance", "quality"), [(0, 4), (1, 4), (2, 2), (4, 2), (5, 3), (9, 4), (14, 5), (18, 6), (29, 8), (30, None)]
)
def test_the_range_band_gives_the_base_quality(distance: int, quality: int | None) -> None:
    """A2.66: the innermost band is worse than the next; that is printed."""
    assert base_quality(SAMPLE_BANDS, distance) == quality


@pytest.mark.rule("C8.112", "C8.311")
@given(st.integers(0, 31))
def test_pod_missiles_are_four_levels_worse_than_the_specimen_s(distance: int) -> None:
    """C8.112: the pod's card is read like a sheet, and reaches 31 hexes."""
    own, pod = base_quality(SAMPLE_BANDS, distance), base_quality(POD_CARD_BANDS, distance)
    assert pod is not None
    if own is not None and distance != 26:
        assert pod == own + 4


@pytest.mark.rule("C2.151", "D1.141", "C5.432")
@pytest.mark.parametrize(("grade", "quality"), [("poor", 9), ("average", 8), ("veteran", 7), ("elite", 6)])
def test_fire_control_and_the_tactical_officer_change_the_quality(grade: str, quality: int) -> None:
    """C2.151, D1.141: lower is better."""
    assert launch_quality(6, 2, grade) == quality  # type: ignore[arg-type]


@pytest.mark.rule("C2.14", "C2.142", "C2.143", "C2.144", "A3.133", "A3.134", "A3.135", "C1.17")
def test_each_salvo_is_shot_between_its_own_points() -> None:
    """C2.142 to C2.144: ship to ship, ship to midpoint, midpoint to end of turn."""
    shooter, target = going(ORIGIN, A=4), going(at(6, A=20), D=6, **{"-": 2})
    early, middle, late = (salvo_bearing(stage, shooter, target) for stage in STAGES)
    assert (early.range, early.horizontal, early.altitude) == (20, 20, 6)
    assert (middle.horizontal, middle.altitude) == (17, 5)
    assert (late.horizontal, late.altitude) == (12, 4)
    assert late.impact_windows == (read_window("D blue-"),)


def launch(**changes: object) -> list[str]:
    """Return the problem codes of a launch that is right but for ``changes``."""
    given = {
        "end_range": 6,
        "bands": SAMPLE_BANDS,
        "ranges": {"early": 18, "middle": 14, "late": 9},
        "bears": {"early": True, "middle": True, "late": True},
        "launchers": 32,
        "dots": 120,
    }
    stages = changes.pop("stages", STAGES)
    return [problem.code for problem in check_launch(stages, **{**given, **changes})]  # type: ignore[arg-type]


@pytest.mark.rule("C2.13", "C2.151", "A2.634", "C1.225")
def test_a_launch_needs_zone_band_arc_launchers_and_ammunition() -> None:
    """C2.13 and A2.634: each lack has its code."""
    assert launch() == []
    assert launch(end_range=8) == ["no-such-salvo"]
    assert launch(ranges={"early": 35, "middle": 14, "late": 9}) == ["beyond-range-bands"]
    assert launch(bears={"early": True, "middle": True, "late": False}) == ["out-of-arc"]
    assert launch(launchers=0) == ["no-launcher"]
    assert launch(dots=2) == ["no-ammunition"]
    assert launch(dots=2, stages=("middle", "late")) == []


@pytest.mark.rule("C2.17", "C2.172")
@pytest.mark.parametrize(
    ("other", "stages"),
    [
        (going(at(A=1), A=4), ("early", "middle", "late")),
        (going(at(A=1), A=8), ("early", "middle")),
        (going(at(A=3), A=0), ("late",)),
        (going(at(A=9), A=4), ()),
    ],
)
def test_ships_link_the_salvoes_they_launch_side_by_side(other: Course, stages: tuple[str, ...]) -> None:
    """C2.172: the start counts for early and middle, the midpoint for late."""
    assert stages_linked(going(ORIGIN, A=4), other) == stages


@pytest.mark.rule("C2.17", "C2.171", "C5.444")
def test_a_link_needs_neighbours_of_the_lead_with_communications() -> None:
    """C2.171: everyone is next to the lead, though not to each other."""
    lead = going(ORIGIN)
    others = {"one": going(at(A=1)), "two": going(at(D=1))}
    assert check_link(lead, others, "early") == ()
    far = {**others, "three": going(at(D=2))}
    assert [(p.code, p.place) for p in check_link(lead, far, "late", at="/link")] == [("not-adjacent", "/link/three")]
    assert "at the midpoint" in check_link(lead, far, "late")[0].message
    assert "at the start" in check_link(lead, far, "early")[0].message
    assert [p.code for p in check_link(lead, others, "early", silent=["two"])] == ["no-communications"]
    assert [p.code for p in check_link(lead, others, "early", silent=[""])] == ["no-communications"]


@pytest.mark.rule("C2.171", "C2.173", "C4.126", "A2.51", "C2.152", "C2.16", "C2.161")
def test_alike_linked_salvoes_share_a_card() -> None:
    """C2.171: range 19 gives all three ships their MQL; the one with damaged fire control keeps a card of its own."""
    qualities = [launch_quality(6, fire_control, "average") for fire_control in (0, 0, 2)]
    salvoes = [Salvo("late", 20, quality, 16) for quality in qualities]
    assert consolidated(salvoes) == (Salvo("late", 40, 6, 16), Salvo("late", 20, 8, 16))
    nukes = Salvo("late", 20, 6, 16, "contact nuke")
    assert consolidated([salvoes[0], nukes]) == (salvoes[0], nukes)


@pytest.mark.rule("C2.13", "C2.131")
def test_lost_launchers_still_fire_unless_the_optional_rule_is_on() -> None:
    """C2.13: what was launched is on its way; C2.131 is for duels."""
    assert missiles_in_salvo(20, 14, is_reduced=False) == 20
    assert missiles_in_salvo(20, 14, is_reduced=True) == 14
