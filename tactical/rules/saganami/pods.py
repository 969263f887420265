"""Missile pods: towing, deploying, firing, and what the enemy's warheads do to them (C8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from campaign.engine.errors import Problem, refuse
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.missiles import STAGES, Stage
from tactical.rules.saganami.tables import POD_CARD_DAMAGE, POD_CARD_MISSILES

BOXES_PER_EXCESS_POD = 2
DEPLOYING_TURNS = 2
LAYING_TURNS = 1


@dataclass(frozen=True, slots=True)
class Towing:
    """What towing costs: the pods that cost nothing, those over it, and the thrust boxes they disable."""

    free: int
    excess: int
    thrust_boxes_disabled: int


@rule("C8.21")
def towing(scale: int, pods: int) -> Towing:
    """Return the cost of towing ``pods`` behind a ship of that scale."""
    if pods < 0:
        raise refuse("negative", "Pods are counted from 0.", place="/pods", rule="C8.21")
    free = max(scale - 10, 0)
    excess = max(pods - free, 0)
    return Towing(free, excess, excess * BOXES_PER_EXCESS_POD)


@rule("C8.21", "C8.211", "A2.676")
def check_towing(scale: int, pods: int, thrust_squares_left: int, *, is_lac: bool = False) -> tuple[Problem, ...]:
    """Return what is wrong with towing: LACs never do, and the thrust track keeps a square.

    ``thrust_squares_left`` are the unmarked boxes of the Maximum Thrust track before its circles.
    """
    if pods and is_lac:
        return (Problem("/pods", "lac-tows-pods", "LACs tow no pods and guide none.", "C8.211"),)
    disabled = towing(scale, pods).thrust_boxes_disabled
    if disabled and disabled >= thrust_squares_left:
        message = f"{pods} pods would disable {disabled} thrust boxes and bring the track to its circles."
        return (Problem("/pods", "tows-into-circles", message, "C8.21"),)
    return ()


@dataclass(frozen=True, slots=True)
class SoftKills:
    """Pods lost to the warheads that went off close by, and those left."""

    killed: int
    left: int


@rule("C8.22")
def soft_kills(rolls: Sequence[int], pods: int) -> SoftKills:
    """Return what the penetration rolls of a step do to unfired pods: each destroys as many as its bare 2d10-.

    Every missile that rolls counts, also one that the sidewall then stops.
    """
    killed = min(sum(rolls), pods)
    return SoftKills(killed, pods - killed)


@dataclass(frozen=True, slots=True)
class Pods:
    """A ship's pods that have not fired: those that will this turn, by stage, and the rest.

    ``held`` are towed without a target this turn, ``settling`` deployed and not yet ready.
    """

    early: int = 0
    middle: int = 0
    late: int = 0
    held: int = 0
    settling: int = 0

    def of(self, stage: Stage) -> int:
        """Return the pods that fire in a stage."""
        return {"early": self.early, "middle": self.middle, "late": self.late}[stage]


@rule("C8.22", "C8.221", "C8.222", "C8.223")
def after_soft_kills(pods: Pods, stage: Stage, killed: int) -> Pods:
    """Return the pods after so many soft kills in an impact step.

    Those whose missiles impact in this step or an earlier one have fired. The kills fall on the pods
    of the later steps first, the next step's before the last's, then on the held and the settling.
    """
    later = STAGES[STAGES.index(stage) + 1 :]
    left = {"early": pods.early, "middle": pods.middle, "late": pods.late, "held": pods.held, "settling": pods.settling}
    for name in (*later, "held", "settling"):
        taken = min(killed, left[name])
        left[name] -= taken
        killed -= taken
    return Pods(**left)


@rule("C8.23", "C8.231")
def ready_turn(deployed: int, *, is_pod_layer: bool) -> int:
    """Return the first tactical turn in which pods deployed in turn ``deployed`` may fire."""
    return deployed + (LAYING_TURNS if is_pod_layer else DEPLOYING_TURNS)


@rule("C8.23", "C8.231")
def check_deploying(pods: int, per_turn: int, left: int) -> tuple[Problem, ...]:
    """Return what is wrong with deploying pods in the Other Actions step.

    ``per_turn`` is 1, or what a pod-layer's sheet prints; ``left`` are the pods still aboard.
    """
    if pods > per_turn:
        return (Problem("/pods", "too-many-deployed", f"The ship can deploy {per_turn} a turn.", "C8.23"),)
    if pods > left:
        return (Problem("/pods", "no-pods-left", f"Only {left} pods are left aboard.", "C8.23"),)
    return ()


@rule("C8.23")
def keeps_settling_pods(pivot_windows: int, roll_windows: int, thrust: int) -> bool:
    """Return whether a ship's plot keeps the pods that are deployed and not yet ready."""
    return pivot_windows == 0 and roll_windows == 0 and thrust == 0


@dataclass(frozen=True, slots=True)
class PodFire:
    """A launch from pods: missiles, the damage of each, and the fire-control boxes disabled until the turn ends."""

    missiles: int
    damage: int
    fire_control_disabled: int


@rule("C8.31", "C8.32", "C5.4322", "A2.676", "C8.11", "C8.311")
def fire(
    pods: int, fire_control_boxes: int, missiles: int = POD_CARD_MISSILES, damage: int = POD_CARD_DAMAGE
) -> PodFire:
    """Return a launch from pods of one bearing's mount.

    ``fire_control_boxes`` are that mount's undamaged boxes, counted before any is disabled; a pod
    needs one each (code too-few-boxes). Range and MQL come from the pod's own card.
    """
    if pods > fire_control_boxes:
        message = f"{fire_control_boxes} fire-control boxes can guide as many pods, not {pods}."
        raise refuse("too-few-boxes", message, place="/pods", rule="C8.31")
    return PodFire(pods * missiles, damage, pods)


@rule("C8.31")
def fire_control_value(track: Sequence[int], after: int, lost: int, disabled: int) -> int:
    """Return the number of a fire-control track with boxes destroyed and others disabled.

    It holds for all missiles and active defences of the mount until the turn ends.
    """
    gone = lost + disabled
    return track[gone] if gone < len(track) else after
