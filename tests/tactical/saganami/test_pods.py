"""Missile pods: towing, deploying, firing, soft kills."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from tactical.rules.saganami.pods import (
    Pods,
    after_soft_kills,
    check_deploying,
    check_towing,
    fire,
    fire_control_value,
    keeps_settling_pods,
    ready_turn,
    soft_kills,
    towing,
)


@pytest.mark.rule("C8.21")
@pytest.mark.parametrize(
    ("scale", "pods", "free", "excess", "boxes"),
    [(15, 5, 5, 0, 0), (15, 8, 5, 3, 6), (8, 1, 0, 1, 2), (10, 0, 0, 0, 0), (3, 2, 0, 2, 4)],
)
def test_pods_over_scale_less_ten_cost_two_thrust_boxes_each(
    scale: int, pods: int, free: int, excess: int, boxes: int
) -> None:
    """C8.21: below scale 10 none is free."""
    found = towing(scale, pods)
    assert (found.free, found.excess, found.thrust_boxes_disabled) == (free, excess, boxes)


@pytest.mark.rule("C8.21", "C8.211", "A2.676")
def test_towing_never_brings_the_thrust_track_to_its_circles_and_lacs_never_tow() -> None:
    """C8.21, C8.211."""
    assert check_towing(15, 8, 7) == ()
    assert [problem.code for problem in check_towing(15, 8, 6)] == ["tows-into-circles"]
    assert check_towing(15, 5, 0) == ()
    assert [problem.code for problem in check_towing(1, 1, 9, is_lac=True)] == ["lac-tows-pods"]


@pytest.mark.rule("C8.22")
@given(st.lists(st.integers(0, 9), max_size=20), st.integers(0, 60))
def test_soft_kills_are_the_bare_rolls_up_to_the_pods_there_are(rolls: list[int], pods: int) -> None:
    """C8.22: a missile that the sidewall stops counts with its whole roll."""
    found = soft_kills(rolls, pods)
    assert found.killed == min(sum(rolls), pods)
    assert found.killed + found.left == pods


@pytest.mark.rule("C8.221", "C8.222", "C8.223", "C8.22")
def test_soft_kills_fall_on_what_has_not_fired() -> None:
    """C8.221 to C8.223: the pods of later steps, then the towed and the settling."""
    pods = Pods(early=2, middle=3, late=4, held=5, settling=6)
    assert after_soft_kills(pods, "early", 4) == Pods(2, 0, 3, 5, 6)
    assert after_soft_kills(pods, "middle", 5) == Pods(2, 3, 0, 4, 6)
    assert after_soft_kills(pods, "late", 7) == Pods(2, 3, 4, 0, 4)
    assert after_soft_kills(pods, "late", 99) == Pods(2, 3, 4, 0, 0)
    assert pods.of("middle") == 3


@pytest.mark.rule("C8.23", "C8.231")
def test_pods_settle_for_two_turns_or_one_behind_a_pod_layer() -> None:
    """C8.23, C8.231."""
    assert ready_turn(3, is_pod_layer=False) == 5
    assert ready_turn(3, is_pod_layer=True) == 4
    assert check_deploying(1, 1, 4) == ()
    assert [problem.code for problem in check_deploying(2, 1, 4)] == ["too-many-deployed"]
    assert check_deploying(6, 6, 6) == ()
    assert [problem.code for problem in check_deploying(6, 6, 5)] == ["no-pods-left"]


@pytest.mark.rule("C8.23")
@pytest.mark.parametrize(
    ("plot", "kept"), [((0, 0, 0), True), ((1, 0, 0), False), ((0, 1, 0), False), ((0, 0, 1), False)]
)
def test_settling_pods_are_lost_to_any_maneuver(plot: tuple[int, int, int], kept: bool) -> None:
    """C8.23: no pivot, no roll, no thrust."""
    assert keeps_settling_pods(*plot) is kept


@pytest.mark.rule("C8.31", "C8.32", "C5.4322", "A2.676", "C8.11")
def test_five_pods_of_a_battlecruiser_blind_its_own_fire_control() -> None:
    """C8.31: fifty missiles of 16, and the number at the end of the five-box track."""
    launch = fire(5, 5)
    assert (launch.missiles, launch.damage, launch.fire_control_disabled) == (50, 16, 5)
    track = (0, 0, 1, 1, 2)
    assert fire_control_value(track, 3, 0, launch.fire_control_disabled) == 3
    assert fire_control_value(track, 3, 1, 1) == 1
    assert fire_control_value(track, 3, 0, 0) == 0


@pytest.mark.rule("C8.31", "C5.4322")
def test_a_pod_needs_a_fire_control_box() -> None:
    """C5.4322: no more pods than boxes, counted before any is disabled."""
    with pytest.raises(ProblemsError) as refused:
        fire(4, 3)
    assert (refused.value.problems[0].code, refused.value.problems[0].rule) == ("too-few-boxes", "C8.31")
