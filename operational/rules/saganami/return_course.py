"""From the tactical map back to the operational one: where a ship of a battle is then, and how it moves (B5.121)."""

from __future__ import annotations

from fractions import Fraction

from campaign.engine import vectors as v
from campaign.engine.handoff import BattleReport, EngagedForce, EngagedShip, Engagement, Placed, ShipResult
from campaign.engine.hexes import ORIGIN, Hex, round_hex
from campaign.rulebooks.saganami.scales import (
    TACTICAL_HEXES,
    TACTICAL_TURNS,
    spare_points,
    tactical_turns,
    to_operational,
)
from campaign.rulebooks.saganami.source import rule
from operational.rules.saganami.engagement import set_engagement
from operational.rules.saganami.switches import BATTLE_CLOCK

Point = tuple[Fraction, Fraction, Fraction]


def with_setting(engagement: Engagement) -> Engagement:
    """Return the engagement with its setting; one that was never set begins as if nobody had bid."""
    if engagement.setting is not None:
        return engagement
    return Engagement.model_validate(set_engagement(engagement.as_document(), []))


def frame_of(engagement: Engagement, report: BattleReport) -> dict[str, int]:
    """Return the map's velocity at the end: what was reported, else that of the setting."""
    if report.frame is not None:
        return dict(report.frame)
    return {} if engagement.setting is None else dict(engagement.setting.frame)


def tactical_velocity(engagement: Engagement, ship: EngagedShip, result: ShipResult) -> dict[str, int]:
    """Return a ship's velocity at the end, relative to the map: what was reported, else that of the start."""
    if result.velocity is not None:
        return dict(result.velocity)
    return dict(_start(engagement, ship).velocity)


@rule("B5.121", "B5.13")
def operational_velocity(
    engagement: Engagement, report: BattleReport, ship: EngagedShip, result: ShipResult, preference: str
) -> dict[str, int]:
    """Return a ship's velocity back on the map: the frame added first, then divided by three.

    Spare points go where the report says, one after the other, the rest to the side's preference.
    """
    moves, frame = tactical_velocity(engagement, ship, result), frame_of(engagement, report)
    points = spare_points(v.add(moves, frame))
    directions = [*result.spare, *[preference] * points][:points]
    return to_operational(moves, directions, frame).vectors


@rule("B5.121", "B5.13", "B5.132")
def where(
    engagement: Engagement,
    report: BattleReport,
    ship: EngagedShip,
    result: ShipResult,
    elapsed: int = 0,
    velocity: Hex = ORIGIN,
) -> Hex:
    """Return the operational hex nearest to where the frame and the ship have moved.

    ``elapsed`` operational turns have passed on the map since the battle was opened. If it runs beside the
    theatre and was over before that, the ship has coasted on with ``velocity`` since.
    """
    q, r, z = (each / TACTICAL_HEXES for each in _tactical_point(engagement, report, ship, result))
    is_beside = engagement.rulings.get(BATTLE_CLOCK, "beside") == "beside"
    if is_beside and tactical_turns(elapsed) > report.tactical_turns:
        since = elapsed - Fraction(report.tactical_turns * TACTICAL_TURNS[1], TACTICAL_TURNS[0])
        q, r, z = q + since * velocity.q, r + since * velocity.r, z + since * velocity.z
    return Hex(*round_hex(q, r), _nearest(z))


def _tactical_point(engagement: Engagement, report: BattleReport, ship: EngagedShip, result: ShipResult) -> Point:
    """Return where a ship is at the end in tactical hexes, counted from the middle of the map's hex (0, 0, 0)."""
    force = _force_of(engagement, ship)
    start = _start(engagement, ship)
    turns = report.tactical_turns
    if report.frame_moved is not None:
        moved = v.to_axial(report.frame_moved)
    else:
        moved = _times(frame_of(engagement, report), turns)
    if result.position is not None:
        base = _from_the_start(engagement, force)
        its_start = _forces(engagement)[base.id]
        way = result.position.hex.less(its_start.position.hex)
        place = base.place.hex.moved(*way).moved(*moved)
        return Fraction(place.q), Fraction(place.r), Fraction(place.z)
    # Nobody measured it: the mean of its first and last velocity has carried it as long as it was there.
    present = max(0, turns - force.arrives)
    mean = v.sum_axial((start.velocity, tactical_velocity(engagement, ship, result)))
    own = Fraction(present, 2)
    share = Fraction(present, turns) if turns else Fraction(0)
    q, r, z = (at + own * by + share * frame for at, by, frame in zip(force.place.hex, mean, moved, strict=True))
    return q, r, z


def _from_the_start(engagement: Engagement, force: EngagedForce) -> EngagedForce:
    """Return the force by whose start a tactical place is measured: who arrives later was put down by another."""
    forces = {each.id: each for _, each in engagement.forces()}
    seen = [force.id]
    while force.nearest in forces and force.nearest not in seen:
        force = forces[force.nearest]
        seen.append(force.id)
    return force


def _forces(engagement: Engagement) -> dict[str, Placed]:
    setting = engagement.setting
    return {} if setting is None else setting.forces


def _start(engagement: Engagement, ship: EngagedShip) -> Placed:
    return _forces(engagement)[_force_of(engagement, ship).id]


def _force_of(engagement: Engagement, ship: EngagedShip) -> EngagedForce:
    return next(force for _, force, each in engagement.ships() if each.id == ship.id)


def _times(vectors: v.Vectors, turns: int) -> Hex:
    step = v.to_axial(vectors)
    return Hex(step.q * turns, step.r * turns, step.z * turns)


def _nearest(value: Fraction) -> int:
    level = 2 * value + 1
    return level.numerator // (2 * level.denominator)
