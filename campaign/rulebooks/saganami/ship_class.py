"""Ship classes of Saganami: the printed sheet as a value, and the questions the game asks of it.

``load_class`` reads a document (JSON or TOML, docs/ship-classes.md); ``check_class`` lists all that is
wrong with one; ``dump_class`` writes it back. Damage is a mapping from track name to boxes lost, and
``track_value`` and its kin say what is left. Track names are "bridge", "ecm", "max_thrust", ... for the
hull, "port.fcon", "forward.M", "starboard.sidewall", ... for the mounts, and "A.body", "C.port.L", ...
for the craft of a LAC squadron.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from campaign.engine.errors import Problem, ProblemsError, refuse, stops
from campaign.rulebooks.saganami.grades import adjusted_cost as cost_with_changes
from campaign.rulebooks.saganami.ship_class_checks import GRADES, POSTS, mount_field, read_sheet
from campaign.rulebooks.saganami.ship_class_document import (
    LAST_YEAR,
    LacMount,
    WeaponMount,
    class_schema,
    kills_value,
)
from campaign.rulebooks.saganami.ship_class_dump import dump_class
from campaign.rulebooks.saganami.ship_class_hits import HitTable
from campaign.rulebooks.saganami.ship_class_sheet import (
    CRAFT,
    MOUNTS,
    LacSquadron,
    Mount,
    PodBay,
    RangeBands,
    ShipClass,
    Weapon,
)
from campaign.rulebooks.saganami.ship_class_tracks import (
    BoxKind,
    Token,
    Track,
    Value,
    count_track,
    left_track,
    number_track,
    penalty_track,
    read_tokens,
)
from campaign.rulebooks.saganami.source import rule

STAT_BLOCK = "saganami"  # the key under which a class of the library keeps this sheet
_BEAMS = {"lasers": "L", "grasers": "G", "energy_torpedoes": "ET"}


def check_class(document: object) -> tuple[Problem, ...]:
    """Return every problem of a ship class's document, warnings among them, sorted by place."""
    return read_sheet(document)[1]


@rule("A2.6", "A2.62", "A2.63", "A2.64", "A2.66", "A2.67")
def load_class(document: object) -> ShipClass:
    """Read a ship class's document. Raises ProblemsError with every problem where one of them stops it."""
    fields, problems = read_sheet(document)
    if stops(problems):
        raise ProblemsError(problems)
    return _load_lac(fields) if fields["kind"] == "lac-squadron" else _load_ship(fields)


def load_toml(text: str) -> ShipClass:
    """Read a ship class written by hand as TOML. Raises ProblemsError (code "toml-broken" for the text itself)."""
    return load_class(read_toml(text))


def load_json(text: str) -> ShipClass:
    """Read a ship class written by a machine as JSON. Raises ProblemsError ("json-broken" for the text itself)."""
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise refuse("json-broken", f"This is not JSON: {error}") from error
    return load_class(document)


def read_toml(text: str) -> dict[str, Any]:
    """Return the document of a TOML text. Raises ProblemsError with the code "toml-broken"."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise refuse("toml-broken", f"This is not TOML: {error}") from error


def track_names(ship_class: ShipClass) -> tuple[str, ...]:
    """Return the names of all damage tracks of a class, in the order of the sheet."""
    return tuple(track.name for track in ship_class.tracks)


@rule("A2.65", "D2.223")
def boxes_total(ship_class: ShipClass) -> int:
    """Return the number of boxes of a class, counted from its tracks.

    Ammunition (magazine dots, LAC box launchers) is not counted: firing it is no damage.
    """
    return sum(len(track.boxes) for track in ship_class.tracks if track.counts)


@rule("D2.223")
def boxes_lost(ship_class: ShipClass, lost: Mapping[str, int]) -> int:
    """Return the boxes of a class that are lost, by the count of ``boxes_total``.

    ``lost`` maps track names to boxes lost; a track never loses more boxes than it has.
    """
    return sum(min(lost.get(track.name, 0), len(track.boxes)) for track in ship_class.tracks if track.counts)


def boxes_left(ship_class: ShipClass, track: str, lost: Mapping[str, int] | int = 0) -> int:
    """Return the unmarked boxes of a track; 0 for a track the class does not have."""
    found = ship_class.track(track)
    return 0 if found is None else max(0, len(found.boxes) - _lost(track, lost))


def track_value(ship_class: ShipClass, track: str, lost: Mapping[str, int] | int = 0) -> Value:
    """Return the present value of a track: its first unmarked box, or its value once all are gone.

    ``lost`` is the boxes lost on that track, or the ship's whole damage by track name. Raises
    ProblemsError (code "unknown-track") for a track the class does not have.
    """
    found = ship_class.track(track)
    if found is None:
        raise refuse("unknown-track", f"The {ship_class.name} class has no track {track!r}.", rule="A2.67")
    return found.value(_lost(track, lost))


def _lost(track: str, lost: Mapping[str, int] | int) -> int:
    return lost if isinstance(lost, int) else lost.get(track, 0)


@rule("A2.671", "C7.123")
def thrust_rating(ship_class: ShipClass, lost: Mapping[str, int]) -> int:
    """Return the maximum thrust in thrust points a turn, 0 for a base or once the track is gone.

    Impeller damage has marked the "max_thrust" track when it fell. LACs keep their thrust until they die.
    """
    if ship_class.lac is not None:
        return ship_class.lac.thrust
    track = ship_class.track("max_thrust")
    return 0 if track is None else int(track.value(lost.get("max_thrust", 0)))


@rule("C5.465")
def thrust_needs_check(ship_class: ShipClass, lost: Mapping[str, int]) -> bool:
    """Tell whether thrust asks for a crew quality check: only circles left, or one impeller track gone."""
    track = ship_class.track("max_thrust")
    if track is None:
        return False
    left = track.boxes[lost.get("max_thrust", 0) :]
    gone = any(
        ship_class.track(name) is not None and boxes_left(ship_class, name, lost) == 0
        for name in ("forward_impeller", "aft_impeller")
    )
    return gone or (bool(left) and left[0].kind is BoxKind.CIRCLE)


@rule("C5.45", "C7.132")
def ecm_rating(ship_class: ShipClass, lost: Mapping[str, int]) -> int:
    """Return the present ECM rating (the squadron's for LACs), 0 once the track is gone."""
    if ship_class.lac is not None:
        return ship_class.lac.ecm
    return int(track_value(ship_class, "ecm", lost))


@rule("C5.422", "C6.11", "C7.33")
def damage_control_parties(ship_class: ShipClass, lost: Mapping[str, int]) -> int:
    """Return the damage control parties left: unmarked wrenches of the hull, or unmarked squares of the LACs."""
    parties = 0
    for track in ship_class.tracks:
        if track.code == "hull" or track.code == "damage_control":
            left = track.boxes[lost.get(track.name, 0) :]
            parties += sum(box.kind is BoxKind.WRENCH or track.code == "damage_control" for box in left)
    return parties


@rule("D1.11", "D1.112")
def officer_cost(ship_class: ShipClass, post: str, grade: str) -> int:
    """Return the points that a grade ("poor" to "elite") in a post ("TAC" to "CREW") adds to the cost.

    LACs are always of Average grade, at no cost. Raises ProblemsError for an unknown post or grade.
    """
    if post not in POSTS:
        raise refuse("unknown-post", f"There is no post {post!r}.", rule="D1.11")
    if grade not in GRADES:
        raise refuse("unknown-grade", f"There is no grade {grade!r}.", rule="D1.11")
    return ship_class.officer_cost[POSTS.index(post)][GRADES.index(grade)] if ship_class.officer_cost else 0


@rule("D1.112")
def adjusted_cost(ship_class: ShipClass, grades: Mapping[str, str]) -> int:
    """Return the cost of a ship with the given grade in each post; posts left out are Average."""
    changes = [officer_cost(ship_class, post, grade) for post, grade in grades.items()]
    return cost_with_changes(ship_class.cost, changes)


@rule("D4.111")
def in_service(ship_class: ShipClass, year: int) -> bool:
    """Tell whether the class serves in a year (PD)."""
    return ship_class.service_from <= year <= (LAST_YEAR if ship_class.service_to is None else ship_class.service_to)


def _load_ship(fields: Mapping[str, Any]) -> ShipClass:
    stated = {mount: fields[mount_field(fields, mount) or ""] for mount in MOUNTS}
    walls = {
        "forward": fields["bow_wall"],
        "aft": fields["stern_wall"],
        "port": fields["sidewall"],
        "starboard": fields["sidewall"],
    }
    tracks: list[Track] = []
    for mount in MOUNTS:
        tracks.extend(_mount_tracks(mount, stated[mount]))
        if walls[mount] is not None:
            tracks.append(number_track(f"{mount}.sidewall", "sdwl", walls[mount].boxes, walls[mount].after))
    hull = [read_tokens(row, (BoxKind.SQUARE, BoxKind.WRENCH)) for row in fields["hull"]]
    bridge, pods = fields["bridge"], fields["pods"]
    tracks.append(
        penalty_track("bridge", "brg", read_tokens(bridge.track, (BoxKind.SQUARE, BoxKind.CIRCLE)), bridge.after)
    )
    tracks += [
        number_track("flag_bridge", "flg", fields["flag_bridge"]),
        count_track("life_support", "lif", fields["life_support"]),
        count_track("communications", "com", fields["communications"]),
        number_track("ecm", "ECM", fields["ecm"]),
        number_track("pivot", "piv", fields["pivot"]),
        number_track("roll", "rol", fields["roll"]),
    ]
    for name, code in (("forward_impeller", "fwd"), ("aft_impeller", "aft")):
        if fields[name] is not None:
            tracks.append(left_track(name, code, read_tokens(fields[name], (BoxKind.SQUARE, BoxKind.SAIL))))
    if fields["max_thrust"] is not None:
        tracks.append(_thrust_track(fields["max_thrust"].squares, fields["max_thrust"].circles))
    tracks += [
        count_track("hyper_generator", "hyp", fields["hyper_generator"]),
        left_track("hull", "hull", [token for row in hull for token in row]),
        left_track("structural_integrity", "SI", read_tokens(fields["structural_integrity"], _INTEGRITY)),
    ]
    return ShipClass(
        **_common(fields),
        printed_boxes=fields["printed_boxes"],
        core_armor=fields["core_armor"],
        hammerhead_armor=fields["hammerhead_armor"],
        recon_drones=fields["recon_drones"],
        mounts=tuple(_mount(mount, stated[mount]) for mount in MOUNTS),
        tracks=tuple(track for track in tracks if track.boxes or track.code == "sdwl"),
        evolution_delay=tuple(fields["evolution_delay"]),
        hull_rows=tuple(len(row) for row in hull),
        hit_table=HitTable(tuple(tuple(row.split()) for row in fields["hit_location"])),
        officer_cost=tuple(tuple(getattr(fields["officer_cost"], post)) for post in POSTS),
        pods=None if pods is None else PodBay(pods.per_turn, pods.carried, pods.missiles, pods.damage),
        lac=None,
    )


_INTEGRITY = (BoxKind.SQUARE, BoxKind.CASCADE, BoxKind.OCTAGON, BoxKind.STAR)
_LAC_BODY = (BoxKind.PADDING, BoxKind.WEAPON, BoxKind.OCTAGON, BoxKind.STAR)


def _common(fields: Mapping[str, Any]) -> dict[str, Any]:
    bands = fields["range_bands"]
    return {
        **{name: fields[name] for name in ("key", "name", "kind", "type", "nation", "note", "cost", "tons", "scale")},
        "service_from": fields["service"].from_,
        "service_to": fields["service"].to,
        "officers": fields["crew"].officers,
        "enlisted": fields["crew"].enlisted,
        "marines": fields["crew"].marines,
        "crew_target": tuple(getattr(fields["crew_target"], grade) for grade in GRADES),
        "range_bands": None
        if bands is None
        else RangeBands(
            through=tuple(bands.through),
            mql=tuple(bands.mql),
            early_through=bands.early_through,
            middle_through=bands.middle_through,
            late_through=bands.late_through,
            drives=bands.drives,
        ),
    }


def _thrust_track(squares: list[int], circles: list[int]) -> Track:
    tokens = [Token(BoxKind.SQUARE)] * len(squares) + [Token(BoxKind.CIRCLE)] * len(circles)
    plain = left_track("max_thrust", "thr", tokens)
    values = [*squares, *circles]
    boxes = tuple(type(box)(box.kind, value) for box, value in zip(plain.boxes, values, strict=True))
    return Track("max_thrust", "thr", boxes)


@rule("A2.631", "A2.632", "A2.633", "A2.634", "A2.673")
def _mount_tracks(name: str, stated: WeaponMount) -> list[Track]:
    tracks: list[Track] = []
    if stated.fcon is not None:
        tracks.append(number_track(f"{name}.fcon", "fcon", stated.fcon.boxes, stated.fcon.after))
    tracks.append(count_track(f"{name}.mag", "mag", stated.magazine, counts=False))
    if stated.missiles is not None:
        tracks.append(count_track(f"{name}.M", "M", stated.missiles.count))
    for weapon, code in _BEAMS.items():
        beams = getattr(stated, weapon)
        if beams is not None:
            tracks.append(count_track(f"{name}.{code}", code, beams.count))
    tracks.append(number_track(f"{name}.CM", "CM", [kills_value(value) for value in stated.countermissiles]))
    tracks.append(number_track(f"{name}.PD", "PD", [kills_value(value) for value in stated.point_defense]))
    if stated.decoys is not None:
        tracks.append(count_track(f"{name}.dcy", "dcy", stated.decoys.count))
    return tracks


def _mount(name: str, stated: WeaponMount) -> Mount:
    weapons = []
    if stated.missiles is not None:
        weapons.append(Weapon("M", stated.missiles.count, (stated.missiles.damage,)))
    for field_name, code in _BEAMS.items():
        beams = getattr(stated, field_name)
        if beams is not None:
            weapons.append(Weapon(code, beams.count, tuple(beams.damage)))
    decoy_shift = 0 if stated.decoys is None else stated.decoys.shift
    return Mount(name, tuple(stated.arc), tuple(weapons), stated.grav_lance, decoy_shift)


@rule("C7.22", "C7.32")
def _load_lac(fields: Mapping[str, Any]) -> ShipClass:
    letters = CRAFT[: fields["craft"]]
    stated: dict[str, LacMount | None] = {}
    for mount in MOUNTS:
        named = mount_field(fields, mount)
        stated[mount] = None if named is None else fields[named]
    body = read_tokens(fields["body"], _LAC_BODY)
    tracks: list[Track] = []
    for letter in letters:
        tracks.append(left_track(f"{letter}.body", "body", body))
        tracks.append(count_track(f"{letter}.damage_control", "damage_control", fields["damage_control"]))
        for mount, its in stated.items():
            if its is not None:
                tracks.extend(_lac_mount_tracks(f"{letter}.{mount}", its))
    return ShipClass(
        **_common(fields),
        printed_boxes=None,
        core_armor=0,
        hammerhead_armor=0,
        recon_drones=0,
        mounts=tuple(_lac_mount(mount, its) for mount, its in stated.items() if its is not None),
        tracks=tuple(track for track in tracks if track.boxes),
        evolution_delay=(),
        hull_rows=(),
        hit_table=None,
        officer_cost=(),
        pods=None,
        lac=LacSquadron(len(letters), fields["thrust"], fields["ecm"], fields["sidewall"]),
    )


def _lac_mount_tracks(name: str, stated: LacMount) -> list[Track]:
    tracks = [count_track(f"{name}.M", "M", len(stated.launchers), counts=False)]
    for weapon, code in (("lasers", "L"), ("grasers", "G")):
        beams = getattr(stated, weapon)
        if beams is not None:
            tracks.append(count_track(f"{name}.{code}", code, beams.count))
    tracks.append(number_track(f"{name}.CM", "CM", [kills_value(value) for value in stated.countermissiles]))
    tracks.append(number_track(f"{name}.PD", "PD", [kills_value(value) for value in stated.point_defense]))
    return tracks


@rule("C7.211")
def _lac_mount(name: str, stated: LacMount) -> Mount:
    weapons = []
    if stated.launchers:
        weapons.append(Weapon("M", len(stated.launchers), (stated.damage or 0,)))
    for field_name, code in (("lasers", "L"), ("grasers", "G")):
        beams = getattr(stated, field_name)
        if beams is not None:
            weapons.append(Weapon(code, beams.count, tuple(beams.damage)))
    return Mount(name, tuple(stated.arc), tuple(weapons), launchers=tuple(stated.launchers))


__all__ = [
    "CRAFT",
    "GRADES",
    "LAST_YEAR",
    "MOUNTS",
    "POSTS",
    "HitTable",
    "LacSquadron",
    "Mount",
    "PodBay",
    "RangeBands",
    "ShipClass",
    "Track",
    "Weapon",
    "adjusted_cost",
    "boxes_left",
    "boxes_lost",
    "boxes_total",
    "check_class",
    "class_schema",
    "damage_control_parties",
    "dump_class",
    "ecm_rating",
    "in_service",
    "load_class",
    "load_json",
    "load_toml",
    "officer_cost",
    "read_toml",
    "thrust_needs_check",
    "thrust_rating",
    "track_names",
    "track_value",
]
