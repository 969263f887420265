"""A ship class written back as a document, in its shortest form (docs/ship-classes.md)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from campaign.rulebooks.saganami.ship_class_checks import GRADES, POSTS
from campaign.rulebooks.saganami.ship_class_sheet import MOUNTS, Mount, ShipClass
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind, Track, Value, write_tokens


def dump_class(ship_class: ShipClass) -> dict[str, Any]:
    """Return the document of a class in its shortest form; ``load_class`` reads it back to an equal value.

    Both hammerheads, and both broadsides, are written once where they are alike; parts the class lacks are left out.
    """
    document: dict[str, Any] = {name: getattr(ship_class, name) for name in ("key", "name", "kind", "type", "nation")}
    document["service"] = {"from": ship_class.service_from}
    if ship_class.service_to is not None:
        document["service"]["to"] = ship_class.service_to
    if ship_class.note:
        document["note"] = ship_class.note
    document |= {"cost": ship_class.cost, "tons": ship_class.tons, "scale": ship_class.scale}
    document["crew"] = {"officers": ship_class.officers, "enlisted": ship_class.enlisted, "marines": ship_class.marines}
    document["crew_target"] = dict(zip(GRADES, ship_class.crew_target, strict=True))
    if ship_class.range_bands is not None:
        bands = ship_class.range_bands
        document["range_bands"] = {
            "through": list(bands.through),
            "mql": list(bands.mql),
            "early_through": bands.early_through,
            "middle_through": bands.middle_through,
            "late_through": bands.late_through,
            "drives": bands.drives,
        }
    return document | (_dump_lac(ship_class) if ship_class.lac is not None else _dump_ship(ship_class))


def _dump_ship(ship_class: ShipClass) -> dict[str, Any]:
    table = ship_class.hit_table
    document: dict[str, Any] = {
        "core_armor": ship_class.core_armor,
        "hammerhead_armor": ship_class.hammerhead_armor,
        "recon_drones": ship_class.recon_drones,
        **_shared_mounts({mount.name: _dump_mount(ship_class, mount) for mount in ship_class.mounts}),
        "life_support": _boxes(ship_class, "life_support"),
        "communications": _boxes(ship_class, "communications"),
        "hyper_generator": _boxes(ship_class, "hyper_generator"),
        "hit_location": [] if table is None else [" ".join(row) for row in table.cells],
        "officer_cost": {post: list(costs) for post, costs in zip(POSTS, ship_class.officer_cost, strict=True)},
    }
    if ship_class.printed_boxes is not None:
        document["printed_boxes"] = ship_class.printed_boxes
    walls = {"sidewall": "port.sidewall", "bow_wall": "forward.sidewall", "stern_wall": "aft.sidewall"}
    for name, track_name in walls.items():
        wall = ship_class.track(track_name)
        if wall is not None:
            document[name] = {"boxes": _numbers(wall), "after": _number(wall.after)}
    for track in ship_class.tracks:
        if track.name == "bridge":
            document["bridge"] = {"track": write_tokens(track.boxes), "after": _number(track.after)}
        elif track.name in ("flag_bridge", "ecm", "pivot", "roll"):
            document[track.name] = _numbers(track)
        elif track.name in ("forward_impeller", "aft_impeller", "structural_integrity"):
            document[track.name] = write_tokens(track.boxes)
        elif track.name == "max_thrust":
            document["max_thrust"] = {
                "squares": [_number(box.value) for box in track.boxes if box.kind is BoxKind.SQUARE],
                "circles": [_number(box.value) for box in track.boxes if box.kind is BoxKind.CIRCLE],
            }
        elif track.name == "hull":
            ends = [sum(ship_class.hull_rows[: row + 1]) for row in range(len(ship_class.hull_rows))]
            starts = [0, *ends[:-1]]
            document["hull"] = [write_tokens(track.boxes[start:end]) for start, end in zip(starts, ends, strict=True)]
    if ship_class.evolution_delay:
        document["evolution_delay"] = list(ship_class.evolution_delay)
    if ship_class.pods is not None:
        pods = ship_class.pods
        document["pods"] = {
            "per_turn": pods.per_turn,
            "carried": pods.carried,
            "missiles": pods.missiles,
            "damage": pods.damage,
        }
    return document


def _dump_lac(ship_class: ShipClass) -> dict[str, Any]:
    lac, body = ship_class.lac, ship_class.track("A.body")
    if lac is None or body is None:
        raise ValueError(f"{ship_class.name} is not a squadron of LACs")
    mounts: dict[str, dict[str, Any] | None] = dict.fromkeys(MOUNTS)
    for mount in ship_class.mounts:
        stated = _dump_weapons(mount, without="M")
        missiles = mount.weapon("M")
        if missiles is not None:
            stated |= {"launchers": list(mount.launchers), "damage": missiles.damage[0]}
        mounts[mount.name] = stated | _dump_defenses(ship_class, f"A.{mount.name}") | {"arc": list(mount.arc)}
    return {
        "craft": lac.craft,
        "thrust": lac.thrust,
        "ecm": lac.ecm,
        "sidewall": lac.sidewall,
        "body": write_tokens(body.boxes),
        "damage_control": _boxes(ship_class, "A.damage_control"),
        **_shared_mounts(mounts, hammerhead=False),
    }


def _shared_mounts(mounts: Mapping[str, dict[str, Any] | None], *, hammerhead: bool = True) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for shared, first, second in (("hammerhead", "forward", "aft"), ("broadside", "port", "starboard")):
        if mounts[first] == mounts[second] and (shared == "broadside" or hammerhead):
            document[shared] = mounts[first]
        else:
            document |= {first: mounts[first], second: mounts[second]}
    return {name: stated for name, stated in document.items() if stated is not None}


_FIELDS = {"M": "missiles", "L": "lasers", "G": "grasers", "ET": "energy_torpedoes"}


def _dump_weapons(mount: Mount, *, without: str = "") -> dict[str, Any]:
    stated: dict[str, Any] = {}
    for weapon in mount.weapons:
        if weapon.code != without:
            damage = weapon.damage[0] if weapon.code == "M" else list(weapon.damage)
            stated[_FIELDS[weapon.code]] = {"count": weapon.count, "damage": damage}
    return stated


def _dump_defenses(ship_class: ShipClass, prefix: str) -> dict[str, Any]:
    stated: dict[str, Any] = {}
    for code, name in (("CM", "countermissiles"), ("PD", "point_defense")):
        track = ship_class.track(f"{prefix}.{code}")
        if track is not None:
            stated[name] = _numbers(track)
    return stated


def _dump_mount(ship_class: ShipClass, mount: Mount) -> dict[str, Any]:
    stated = _dump_weapons(mount) | _dump_defenses(ship_class, mount.name) | {"arc": list(mount.arc)}
    fcon = ship_class.track(f"{mount.name}.fcon")
    if fcon is not None:
        stated["fcon"] = {"boxes": _numbers(fcon), "after": _number(fcon.after)}
    magazine = _boxes(ship_class, f"{mount.name}.mag")
    if magazine:
        stated["magazine"] = magazine
    if mount.grav_lance:
        stated["grav_lance"] = True
    if mount.decoy_shift:
        stated["decoys"] = {"count": _boxes(ship_class, f"{mount.name}.dcy"), "shift": mount.decoy_shift}
    return stated


def _number(value: Value) -> int | str:
    return str(value) if isinstance(value, Fraction) else value


def _numbers(track: Track) -> list[int | str]:
    return [_number(box.value) for box in track.boxes]


def _boxes(ship_class: ShipClass, name: str) -> int:
    track = ship_class.track(name)
    return 0 if track is None else len(track.boxes)
