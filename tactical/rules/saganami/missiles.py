"""Missile launch: how many salvoes, from where to where, of what quality, and which may be linked (C2)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from campaign.engine.errors import Problem
from campaign.engine.hexes import Hex
from campaign.rulebooks.saganami.grades import Grade
from campaign.rulebooks.saganami.ship_class_sheet import RangeBands
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.bearings import Bearing, are_adjacent, shoot
from tactical.rules.saganami.movement import Course
from tactical.rules.saganami.officers import tactical_quality

Stage = Literal["early", "middle", "late"]
STAGES: tuple[Stage, ...] = ("early", "middle", "late")
Warhead = Literal["laser head", "contact nuke"]


@rule("A3.131", "A3.132", "C2.12", "C2.121", "C2.122", "C8.112")
def salvoes_available(bands: RangeBands, end_range: int) -> tuple[Stage, ...]:
    """Return the salvoes that a ship may launch at a target whose end of turn is ``end_range`` hexes from its own."""
    through = {"early": bands.early_through, "middle": bands.middle_through, "late": bands.late_through}
    return tuple(stage for stage in STAGES if 0 <= end_range <= through[stage])


@rule("A3.133", "A3.134", "A3.135", "C2.14", "C2.142", "C2.143", "C2.144", "C1.17")
def salvo_bearing(stage: Stage, shooter: Course, target: Course) -> Bearing:
    """Return the range and bearing of a salvo.

    Early goes from ship to ship, middle from ship to the target's midpoint, late from the ship's
    midpoint to the target's end of turn. Arcs are those of the shooter's attitude at the point it is
    shot from.
    """
    if stage == "late":
        return shoot(shooter.midpoint, target.end)
    return shoot(shooter.start, target.start if stage == "early" else target.midpoint)


@rule("A2.66", "C2.15", "C8.311")
def base_quality(bands: RangeBands, distance: int) -> int | None:
    """Return the base MQL at a range in hexes, or None beyond the last band; lower is better for the attacker."""
    for through, quality in zip(bands.through, bands.mql, strict=True):
        if 0 <= distance <= through:
            return quality
    return None


@rule("C2.15", "C2.151", "C5.432", "D1.141")
def launch_quality(base: int, fire_control: int, tactical: Grade) -> int:
    """Return the MQL written on the salvo card: base, plus fire control, as the tactical officer changes it."""
    return tactical_quality(base + fire_control, tactical)


@rule("A2.51", "C2.152", "C2.16", "C2.161")
@dataclass(frozen=True, slots=True)
class Salvo:
    """One column of a salvo card (C2.1): what comes in, when, from where, how good and how hard."""

    stage: Stage
    missiles: int
    quality: int
    damage: int
    warhead: Warhead = "laser head"


@rule("A2.634", "C2.13", "C2.151")
def check_launch(
    stages: Collection[Stage],
    *,
    end_range: int,
    bands: RangeBands,
    ranges: dict[Stage, int],
    bears: dict[Stage, bool],
    launchers: int,
    dots: int,
    at: str = "",
) -> tuple[Problem, ...]:
    """Return what is wrong with launching salvoes of one mount at one target.

    ``ranges`` and ``bears`` are the range and whether the mount bears, by stage. ``launchers`` is the
    number left at the start of the turn, all of which fire in every salvo; ``dots`` the full salvoes
    left in the magazine, one for each launch. Codes: no-launcher, no-such-salvo, beyond-range-bands,
    out-of-arc, no-ammunition.
    """
    problems = []
    if launchers < 1:
        problems.append(Problem(at, "no-launcher", "The mount has no missile launcher left.", "C2.13"))
    available = salvoes_available(bands, end_range)
    for stage in [stage for stage in STAGES if stage in stages]:
        place = f"{at}/{stage}"
        if stage not in available:
            message = f"With the ends of turn {end_range} apart there is no {stage} salvo."
            problems.append(Problem(place, "no-such-salvo", message, "C2.121"))
        elif base_quality(bands, ranges[stage]) is None:
            message = f"At {ranges[stage]} hexes the missiles have no range band."
            problems.append(Problem(place, "beyond-range-bands", message, "C2.15"))
        if not bears[stage]:
            message = f"The mount does not bear on the target of the {stage} salvo."
            problems.append(Problem(place, "out-of-arc", message, "C1.225"))
    if len(stages) > dots:
        message = f"The magazine holds {dots} full salvoes, not {len(stages)}."
        problems.append(Problem(at, "no-ammunition", message, "A2.634"))
    return tuple(problems)


@rule("C2.17", "C2.171", "C2.172")
def stages_linked(one: Course, other: Course) -> tuple[Stage, ...]:
    """Return the stages whose salvoes two ships may link by their places.

    Early and middle salvoes leave from the start of the turn, late ones from the midpoint.
    """
    return stages_of_places(one.start, other.start, one.midpoint, other.midpoint)


def stages_of_places(one_start: Hex, other_start: Hex, one_midpoint: Hex, other_midpoint: Hex) -> tuple[Stage, ...]:
    """Return ``stages_linked`` for two ships' places at the start and at the midpoint."""
    at_start, at_midpoint = are_adjacent(one_start, other_start), are_adjacent(one_midpoint, other_midpoint)
    return tuple(stage for stage in STAGES if (at_midpoint if stage == "late" else at_start))


@rule("C2.17", "C2.171", "C5.444")
def check_link(
    lead: Course, others: dict[str, Course], stage: Stage, silent: Collection[str] = (), at: str = ""
) -> tuple[Problem, ...]:
    """Return what is wrong with linking the salvoes of several ships of a side at one target.

    All must be adjacent to the ship whose range and bearing they use. ``silent`` are the ships (""
    for the lead) without a communications box. Codes: not-adjacent, no-communications.
    """
    problems = []
    if "" in silent:
        problems.append(Problem(at, "no-communications", "The leading ship has no communications left.", "C5.444"))
    for name, course in others.items():
        place = f"{at}/{name}"
        if name in silent:
            problems.append(Problem(place, "no-communications", f"{name} has no communications left.", "C5.444"))
        if stage not in stages_linked(lead, course):
            when = "the midpoint" if stage == "late" else "the start of the turn"
            message = f"{name} is not next to the leading ship at {when}, where the {stage} salvo is launched."
            problems.append(Problem(place, "not-adjacent", message, "C2.172"))
    return tuple(problems)


@rule("C2.171", "C2.173", "C4.126")
def consolidated(salvoes: Collection[Salvo]) -> tuple[Salvo, ...]:
    """Return linked salvoes with those that are alike in all but number put on one card, in the order given."""
    cards: dict[tuple[Stage, int, int, Warhead], int] = {}
    for salvo in salvoes:
        key = (salvo.stage, salvo.quality, salvo.damage, salvo.warhead)
        cards[key] = cards.get(key, 0) + salvo.missiles
    return tuple(
        Salvo(stage, missiles, quality, damage, warhead)
        for (stage, quality, damage, warhead), missiles in cards.items()
    )


@rule("C2.13", "C2.131")
def missiles_in_salvo(launchers_at_start: int, launchers_now: int, *, is_reduced: bool) -> int:
    """Return how many missiles a later salvo of the turn has.

    By the usual rule destroyed launchers still fire what was launched; by the optional one
    (``is_reduced``) a salvo has no more missiles than launchers are left.
    """
    return min(launchers_at_start, launchers_now) if is_reduced else launchers_at_start
