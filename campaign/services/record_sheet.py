"""A ship's record sheet as plain data for paper and screen: tracks box by box, weapons, hit location, grades."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from campaign.rulebooks.saganami.grades import CATEGORIES, POST_OF_CATEGORY, effect_text
from campaign.rulebooks.saganami.options import POD_CARDS, canisters_in
from campaign.rulebooks.saganami.ship_class_hits import COLUMNS, ROWS, is_core
from campaign.rulebooks.saganami.ship_class_sheet import MOUNTS
from campaign.services.box_drawing import Box, boxes_drawing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from campaign.rulebooks.saganami.patrol_declaring import ReadyShip
    from campaign.rulebooks.saganami.ship_class_sheet import Mount, ShipClass
    from campaign.rulebooks.saganami.ship_class_tracks import Track

WEAPON_NAMES = {"M": "missiles", "L": "lasers", "G": "grasers", "ET": "energy torpedoes"}
TRACK_NAMES = {
    "fcon": "fire control",
    "mag": "magazine",
    "CM": "countermissiles",
    "PD": "point defence",
    "dcy": "decoys",
    "sidewall": "sidewall",
    **WEAPON_NAMES,
}
HULL_NAMES = {"ecm": "ECM"}
HALF_ROW, MOUNT_ROW = 18, 8  # boxes to a row of the picture, in half of the page and in a quarter
MOST_DAMAGE_BANDS = 12  # beam damage by range: more columns than any sheet prints


def track_title(name: str) -> str:
    """Return a track's name as the sheet says it, without its mount or craft."""
    own = name.rpartition(".")[2]
    return TRACK_NAMES.get(own, HULL_NAMES.get(own, own.replace("_", " ")))


def track_boxes(track: Track, lost: int) -> list[Box]:
    """Return a track's boxes as they are drawn: kind, what is printed inside, whether it is marked off."""
    boxes = []
    for index, box in enumerate(track.boxes):
        text = box.weapon
        if box.kind in ("octagon", "circle") and box.number:
            text = str(box.number)
        elif box.kind == "square" and track.name != "hull" and str(box.value) != str(len(track.boxes) - index):
            text = str(box.value)
        boxes.append(Box(str(box.kind), text, index < lost))
    return boxes


def track_data(track: Track, lost: int, per_row: int = HALF_ROW) -> dict[str, Any]:
    """Return a track with its picture."""
    drawing = boxes_drawing(track_boxes(track, lost), per_row)
    return {"name": track.name, "title": track_title(track.name), "after": str(track.after), **drawing}


def _mount_data(ship_class: ShipClass, mount: Mount, lost: Mapping[str, int]) -> dict[str, Any]:
    weapons = [
        {
            "title": WEAPON_NAMES.get(weapon.code, weapon.code),
            "count": weapon.count,
            "damage": [str(one) for one in weapon.damage[:MOST_DAMAGE_BANDS]],
        }
        for weapon in mount.weapons
    ]
    tracks = [track for track in ship_class.tracks if track.name.startswith(f"{mount.name}.")]
    return {
        "name": mount.name,
        "weapons": weapons,
        "arc": list(mount.arc),
        "grav_lance": mount.grav_lance,
        "decoy_shift": mount.decoy_shift,
        "launchers": list(mount.launchers),
        "tracks": [track_data(track, lost.get(track.name, 0), MOUNT_ROW) for track in tracks],
    }


def _bands(ship_class: ShipClass) -> dict[str, Any] | None:
    bands = ship_class.range_bands
    if bands is None:
        return None
    return {
        "bands": [{"through": last, "mql": mql} for last, mql in zip(bands.through, bands.mql, strict=True)],
        "early": bands.early_through,
        "middle": bands.middle_through,
        "late": bands.late_through,
    }


def _hull_tracks(ship_class: ShipClass) -> tuple[list[Track], list[Track]]:
    """Return the ship's own tracks, the hull left out, and those of the craft of a squadron."""
    own: list[Track] = []
    craft: list[Track] = []
    for track in ship_class.tracks:
        if track.name == "hull" or track.name.partition(".")[0] in MOUNTS:
            continue
        (craft if "." in track.name else own).append(track)
    return own, craft


def _hull_rows(ship_class: ShipClass, lost: int) -> list[dict[str, Any]]:
    """Return the hull's rows, two side by side where they are short enough."""
    track = ship_class.track("hull")
    if track is None:
        return []
    boxes = track_boxes(track, lost)
    rows, at = [], 0
    for length in ship_class.hull_rows:
        rows.append(boxes_drawing(boxes[at : at + length], length))
        at += length
    return rows


def _craft(tracks: list[Track], lost: Mapping[str, int]) -> list[dict[str, Any]]:
    letters = sorted({track.name.partition(".")[0] for track in tracks})
    found = []
    for letter in letters:
        own = [track for track in tracks if track.name.partition(".")[0] == letter]
        rows = []
        for track in own:
            data = track_data(track, lost.get(track.name, 0), MOUNT_ROW)
            mount = track.name.split(".")[1:-1]
            data["title"] = " ".join([*mount, data["title"]])
            rows.append(data)
        found.append({"letter": letter, "tracks": rows})
    return found


def _hit_table(ship_class: ShipClass) -> dict[str, Any] | None:
    table = ship_class.hit_table
    if table is None:
        return None
    rows = []
    for row, label in enumerate(ROWS):
        cells = [
            {"code": "" if (code := table.code(row, column)) == "." else code, "core": is_core(row, column)}
            for column in COLUMNS
        ]
        rows.append({"label": label, "cells": cells})
    return {"columns": [str(column) for column in COLUMNS], "rows": rows}


def _options(ready: ReadyShip) -> list[str]:
    options, ship_class = ready.hull.options, ready.ship_class
    lines = []
    if options.pods:
        lines.append(
            f"{options.pods} {'pod' if options.pods == 1 else 'pods'} in tow ({POD_CARDS[options.pod_card].name})"
        )
    for name, missiles in options.canister.items():
        mount = ship_class.mount(name)
        weapon = mount.weapon("M") if mount is not None else None
        if weapon is not None:
            shots = missiles * canisters_in(weapon.damage[0])
            lines.append(f"Canister, {name}: {missiles} missiles replaced by {shots} rounds")
    if options.drones:
        lines.append(f"Recon drones: {options.drones} more")
    if options.parties:
        parties = len(options.parties)
        lines.append(f"{parties} more damage control {'party' if parties == 1 else 'parties'}, drawn into the hull")
    if options.marines_ready:
        lines.append("Marines ready to deploy")
    return lines


def record_sheet(ready: ReadyShip) -> dict[str, Any]:
    """Return the record sheet of a ship as it begins the battle."""
    ship_class = ready.ship_class
    marked = {track: ready.damage.get(track, 0) + ready.spent.get(track, 0) for track in (*ready.damage, *ready.spent)}
    own, craft = _hull_tracks(ship_class)
    grades = ready.grades
    return {
        "ship": ready.hull.ship,
        "name": ready.hull.name,
        "class_name": ship_class.name,
        "type": ship_class.type.replace("-", " "),
        "is_lac": ship_class.is_lac,
        "is_lemon": ready.hull.bought.stage == "lemon",
        "cost": ready.hull.cost,
        "tons": ship_class.tons,
        "scale": ship_class.scale,
        "recon_drones": ship_class.recon_drones + ready.hull.options.drones,
        "marines": ship_class.marines,
        "armor": [ship_class.core_armor, ship_class.hammerhead_armor],
        "lac": None
        if ship_class.lac is None
        else {
            "craft": ship_class.lac.craft,
            "thrust": ship_class.lac.thrust,
            "ecm": ship_class.lac.ecm,
            "sidewall": ship_class.lac.sidewall,
        },
        "grades": [
            {"post": POST_OF_CATEGORY[one], "grade": grades.of(one), "effect": effect_text(one, grades.of(one))}
            for one in CATEGORIES
        ]
        if ship_class.officer_cost
        else [],
        "options": _options(ready),
        "notes": _notes(ready),
        "bands": _bands(ship_class),
        "mounts": [
            _mount_data(ship_class, mount, marked)
            for mount in ship_class.mounts
            if mount.weapons or mount.launchers or any(t.name.startswith(f"{mount.name}.") for t in ship_class.tracks)
        ],
        "tracks": [track_data(track, marked.get(track.name, 0)) for track in own],
        "hull": _hull_rows(ship_class, marked.get("hull", 0)),
        "craft": _craft(craft, marked),
        "hits": _hit_table(ship_class),
    }


def _notes(ready: ReadyShip) -> list[str]:
    notes = []
    if ready.damage:
        notes.append("Wounded: marked boxes show only with the next hit on structural integrity.")
    if ready.spent:
        notes.append("Short of supplies: marked salvoes are not aboard.")
    return notes
