"""What a hit does to a ship: cells struck, boxes marked, and all that follows (C5.2, C5.4, C7.3).

``Damage`` is one ship under fire in one step. Everything it does is written into ``notes``, for the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.dice import Roller
from campaign.rulebooks.saganami.grades import CATEGORY_TITLES, roll_bridge_hit
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.arcs import Aspect
from tactical.rules.saganami.attitude import Facing
from tactical.rules.saganami.damage import Cell, cells_of_hit, roll_location
from tactical.rules.saganami.damage_effects import (
    cic_hits,
    impeller_boxes,
    mounts_hit,
    natural_zero_boxes,
    roll_hull_hit,
    roll_magazine_hit,
    roll_structural_hit,
)
from tactical.rules.saganami.lacs import losing_mounts, roll_craft, roll_lac_damage
from tactical.rules.saganami.sheet import (
    BRIDGE,
    HULL,
    IMPELLERS,
    INTEGRITY,
    LIFE_SUPPORT,
    THRUST,
)
from tactical.rules.saganami.state import Ship

# C7.323: the tracks of a LAC's mount that a weapon circle's letter may take a box from.
LAC_WEAPONS: Mapping[str, tuple[str, ...]] = {"M": ("M",), "L": ("L", "G"), "G": ("G", "L"), "P": ("PD", "CM")}


class Damage:
    """Damage to one ship; ``roller`` is the stream of the step's hits on it."""

    __slots__ = ("notes", "roller", "ship", "turn")

    def __init__(self, ship: Ship, roller: Roller, turn: int) -> None:
        self.ship = ship
        self.roller = roller
        self.turn = turn
        self.notes: list[str] = []

    @property
    def is_over(self) -> bool:
        """Whether the ship is destroyed: no further damage is rolled."""
        return self.ship.fate == "destroyed"

    def destroy(self, why: str) -> None:
        """End the ship."""
        self.ship.fate = "destroyed"
        self.ship.left_turn = self.turn
        self.ship.note = why
        self.notes.append(why)

    # Hits on ships -----------------------------------------------------------------------------

    @rule("C5.23", "C5.25", "C5.33", "C5.412", "C5.413")
    def hit(self, aspect: Aspect, depth: int, span: int) -> dict[str, Any]:
        """Place one hit on the table and mark what it goes through; return it for the log."""
        ship = self.ship
        table = ship.sheet.hit_table
        location = roll_location(self.roller, aspect.edge, aspect.leak)
        before = len(self.notes)
        lines = cells_of_hit(
            table,
            ship.sheet.ship_class.core_armor,
            location,
            depth,
            span,
            lambda cell: not self.is_over and self.strike(cell, location.edge),
        )
        return {
            "edge": location.edge,
            "rolls": list(location.rolls),
            "depth": depth,
            "cells": [[cell.code for cell in line] for line in lines],
            "notes": self.notes[before:],
        }

    @rule("C5.41", "C5.412", "C5.413", "C5.431", "C5.433", "C5.434", "C5.4321", "C5.443", "C5.45", "C5.464")
    def strike(self, cell: Cell, edge: Facing) -> bool:
        """Mark a cell's system; False if nothing of it is left."""
        code = self.ship.sheet.cells[cell.row, cell.column]
        if code == "dcy":
            mounts = mounts_hit(cell, edge)
            # The defender gives up a decoy where it has most of them.
            track = max((f"{mount}.dcy" for mount in mounts), key=lambda name: (self.ship.left(name), name))
            return self.ship.mark(track) > 0
        return self.mark_system(code)

    def mark_system(self, code: str) -> bool:
        """Give a system, named by its track or by a code of its own, one hit."""
        ship = self.ship
        if code == HULL:
            return self._hull()
        if code == INTEGRITY:
            self.structural()
            return True
        if code == BRIDGE:
            return self._bridge()
        if code == "CIC":
            return sum(ship.mark(f"{mount}.fcon") for mount in cic_hits()) > 0
        if code in ("fwd", "aft", "2fwd", "2aft"):
            return self._impeller(code)
        if code.endswith(".mag"):
            return self._magazine(code)
        if ship.mark(code) == 0:
            return False
        if code == LIFE_SUPPORT and ship.left(LIFE_SUPPORT) == 0:
            ship.life_support_failed = self.turn
            self.notes.append("Life support has failed.")
        return True

    @rule("C5.411", "C5.413", "C5.422")
    def _hull(self) -> bool:
        found = roll_hull_hit(self.roller, self.ship.left(HULL))
        self.ship.mark(HULL, found.boxes)
        for _ in range(found.structural):
            self.structural()
        return True

    @rule("C5.411", "C5.413", "C5.433")
    def _magazine(self, track: str) -> bool:
        left = self.ship.left(track)
        if left <= 0:
            return False
        found = roll_magazine_hit(self.roller, left)
        self.ship.gone[track] = self.ship.gone.get(track, 0) + found.boxes
        return True

    @rule("C5.441", "C5.4411", "C5.4412")
    def _bridge(self) -> bool:
        ship = self.ship
        if ship.mark(BRIDGE) == 0:
            return False
        found = roll_bridge_hit(self.roller, ship.grades)
        if found.officer is not None and found.after is not None and found.after != found.before:
            ship.grades = ship.grades.with_grade(found.officer, found.after)
            self.notes.append(f"{CATEGORY_TITLES[found.officer]} hit on the bridge: {found.before} to {found.after}.")
        return True

    @rule("C5.461", "C5.462")
    def _impeller(self, code: str) -> bool:
        """Mark impeller boxes, the sail among them, and a box of Maximum Thrust for each."""
        ship = self.ship
        track = IMPELLERS[code[-3:]]
        kinds = [box.kind for box in ship.sheet.boxes.get(track, ())]
        gone = ship.gone.get(track, 0)
        sails = ship.sheet.sails[track]
        sail_gone = track in ship.sails
        squares = gone - (sails if sail_gone else 0)
        marked = [index < squares or (kind is BoxKind.SAIL and sail_gone) for index, kind in enumerate(kinds)]
        fallen = impeller_boxes(code, kinds, marked)
        if not fallen:
            return False
        ship.mark(track, len(fallen))
        if any(kinds[index] is BoxKind.SAIL for index in fallen):
            ship.sails = (*ship.sails, track)
            self.notes.append(f"The {'forward' if code.endswith('fwd') else 'after'} Warshawski sail is gone.")
        ship.mark(THRUST, len(fallen))
        return True

    @rule("C5.421", "C5.4211", "C5.4212", "C5.4213", "C5.4214")
    def structural(self) -> None:
        """Give Structural Integrity one hit, and roll what its box asks for."""
        ship = self.ship
        if self.is_over:
            return
        gone = ship.gone.get(INTEGRITY, 0)
        boxes = ship.sheet.integrity
        found = roll_structural_hit(self.roller, boxes[gone] if gone < len(boxes) else None, ship.sheet.hit_table)
        ship.mark(INTEGRITY)
        if found.shape == "octagon":
            self.notes.append(f"An octagon of {boxes[gone].number}: {found.die}.")
        if found.is_destroyed:
            self.destroy("It explodes." if found.shape == "octagon" else "Its structure gives way.")
            return
        if found.shape == "cascade":
            self.notes.append(f"A Core cascade in column {found.column}: {', '.join(found.cascade) or 'nothing'}.")
            for code in found.cascade:
                self._cascade(code)

    def _cascade(self, code: str) -> None:
        if self.is_over:
            return
        if code in ("CIC", "fwd", "aft", "2fwd", "2aft"):
            self.mark_system(code)
            return
        tracks = self.ship.sheet.by_code.get(code, ())
        track = next((name for name in tracks if self.ship.left(name)), tracks[0] if tracks else "")
        if track:
            self.mark_system(track)

    @rule("C5.213", "C5.214")
    def natural_zeros(self, facing: str, zeros: int, wall_boxes: int) -> None:
        """Take the boxes that natural zeros cost off the wall that faced the shots, or off the structure."""
        if not zeros or self.ship.sheet.is_lac:
            return
        wall, structural = natural_zero_boxes(zeros, min(wall_boxes, self.ship.left(f"{facing}.sidewall")))
        self.ship.mark(f"{facing}.sidewall", wall)
        for _ in range(structural):
            self.structural()

    # Hits on LACs ------------------------------------------------------------------------------

    @rule("C7.31", "C7.32", "C7.321", "C7.322", "C7.323", "C7.324")
    def squadron_hits(self, facing: Facing, hits: int, points: int, span: int) -> list[dict[str, Any]]:
        """Resolve hits of so many points each on a squadron; return them for the log."""
        found = []
        for craft in roll_craft(self.roller, hits):
            alive = self.ship.live_craft()
            if craft not in alive:
                found.append({"craft": craft, "notes": ["Lost already."]})
                continue
            if points > 0:
                found.append(self._craft_hit(craft, facing, points, span))
        if not self.ship.live_craft() and not self.is_over:
            self.destroy("The squadron is wiped out.")
        return found

    def _craft_hit(self, craft: str, facing: Facing, points: int, span: int) -> dict[str, Any]:
        ship = self.ship
        track = ship.sheet.boxes[f"{craft}.body"]
        marked = ship.marked.get(craft, ())
        weapons = {letter: sum(self._lac_weapons(craft, letter).values()) for letter in LAC_WEAPONS}
        hit = roll_lac_damage(self.roller, track, marked, points, weapons, span)
        now = tuple(range(len(track))) if hit.is_destroyed else tuple(sorted({*marked, *hit.marked}))
        ship.marked[craft] = now
        ship.gone[f"{craft}.body"] = len(now)
        for letter in hit.weapons:
            left = self._lac_weapons(craft, letter)
            mounts = losing_mounts(facing, left)
            # Elsewhere than at the facing mount the defender gives up a weapon where it has most.
            mount = max(mounts, key=lambda name: (left[name], name))
            for code in LAC_WEAPONS[letter]:
                if ship.mark(f"{craft}.{mount}.{code}"):
                    break
        if hit.is_destroyed:
            self.notes.append(f"LAC {craft} is destroyed.")
        return {
            "craft": craft,
            "skipped": hit.skipped,
            "boxes": len(hit.marked),
            "weapons": list(hit.weapons),
            "dice": list(hit.dice),
            "destroyed": hit.is_destroyed,
        }

    def _lac_weapons(self, craft: str, letter: str) -> dict[str, int]:
        return {
            mount.name: sum(self.ship.left(f"{craft}.{mount.name}.{code}") for code in LAC_WEAPONS[letter])
            for mount in self.ship.sheet.mountings
        }
