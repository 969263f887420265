"""What a box of structural integrity costs a ship when its compensators fail (C5.421, C5.465)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from campaign.engine.dice import Roller, d10_difference, d10_sum
from campaign.rulebooks.saganami.ship_class_hits import ROWS, is_core, mount_of_cell
from campaign.rulebooks.saganami.ship_class_sheet import MOUNTS, ShipClass
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind
from campaign.rulebooks.saganami.source import rule

INTEGRITY, THRUST = "structural_integrity", "max_thrust"
_IMPELLERS = {"fwd": "forward_impeller", "aft": "aft_impeller"}


@dataclass(frozen=True, slots=True)
class IntegrityHit:
    """A box of structural integrity marked off: the ship's damage after it, whether it is lost, and how."""

    damage: Mapping[str, int]
    is_lost: bool
    text: str
    rules: tuple[str, ...]


@rule("C5.421", "C5.4211", "C5.4212", "C5.4213", "C5.4214")
def integrity_hit(ship_class: ShipClass, damage: Mapping[str, int], roller: Roller) -> IntegrityHit:
    """Mark the next box of structural integrity and do what its shape asks.

    A square costs nothing more; a circle is a cascade through the core; an octagon is rolled or more on
    a d10, or the ship explodes; the star at the end destroys it.
    """
    track = ship_class.track(INTEGRITY)
    lost = damage.get(INTEGRITY, 0)
    after = {**damage, INTEGRITY: lost + 1}
    if track is None or lost >= len(track.boxes):
        return IntegrityHit(damage, True, "it breaks up", ("C5.421",))
    box = track.boxes[lost]
    if box.kind is BoxKind.STAR:
        return IntegrityHit(after, True, "it breaks up", ("C5.4214",))
    if box.kind is BoxKind.OCTAGON and roller.die() < box.number:
        return IntegrityHit(after, True, "it explodes", ("C5.4213",))
    if box.kind is BoxKind.CASCADE:
        hits = core_cascade(ship_class, after, roller)
        return IntegrityHit(hits, False, "the damage cascades through its core", ("C5.4212",))
    return IntegrityHit(after, False, "it loses a box of structural integrity", ("C5.465",))


@rule("C5.4212")
def core_cascade(ship_class: ShipClass, damage: Mapping[str, int], roller: Roller) -> dict[str, int]:
    """Return a ship's damage after a cascade: each system of the core in one rolled column is hit once."""
    found = dict(damage)
    for name, boxes in _core_hits(ship_class, d10_sum(roller), roller):
        track = ship_class.track(name)
        if track is not None:
            found[name] = min(len(track.boxes), found.get(name, 0) + boxes)
    return found


def _core_hits(ship_class: ShipClass, column: int, roller: Roller) -> Iterator[tuple[str, int]]:
    """Yield (track, boxes) for the systems that a column of the core names, structural integrity left out."""
    if ship_class.hit_table is None:
        return
    seen: set[str] = set()
    for row in range(len(ROWS)):
        code = ship_class.hit_table.code(row, column)
        if not is_core(row, column) or code == "SI" or code in seen:
            continue
        seen.add(code)
        single = code.removeprefix("2")
        if single in _IMPELLERS:
            boxes = 2 if code.startswith("2") else 1
            yield _IMPELLERS[single], boxes
            yield THRUST, boxes  # C5.461: each box of an impeller takes one of thrust along
        elif code == "CIC":
            yield from ((f"{mount}.fcon", 1) for mount in MOUNTS)  # C5.443
        elif code == "hull":
            yield "hull", d10_difference(roller)  # C5.422
        else:
            yield _track_of(ship_class, code, row, column), 1


def _track_of(ship_class: ShipClass, code: str, row: int, column: int) -> str:
    """Return the track that a code of the table marks: the hull's of that code, or the mount's on that side."""
    mount = mount_of_cell(row, column)
    names = [track.name for track in ship_class.tracks if track.code == code]
    own = [name for name in names if mount is not None and name.startswith(f"{mount}.")]
    return (own or [name for name in names if "." not in name] or [""])[0]
