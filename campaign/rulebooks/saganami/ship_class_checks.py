"""Checks of a ship class's document: every problem at once, each with its place and its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError

from campaign.engine.errors import Problem, pointer
from campaign.engine.procedure import problems_of
from campaign.rulebooks.saganami.ship_class_document import Common, LacSheet, ShipSheet
from campaign.rulebooks.saganami.ship_class_hits import CODES, COLUMNS, ROWS, holes, mount_of_cell
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind, read_tokens

POSTS = ("TAC", "EWO", "ATO", "HELM", "ENG", "CREW")
GRADES = ("poor", "average", "veteran", "elite")
SIDES = {"hammerhead": ("forward", "aft"), "broadside": ("port", "starboard")}
WEAPONS = {
    "missiles": "M",
    "lasers": "L",
    "grasers": "G",
    "energy_torpedoes": "ET",
    "countermissiles": "CM",
    "point_defense": "PD",
}

_FIELD_RULES = {
    "key": "A2.62",
    "name": "A2.62",
    "type": "A2.62",
    "nation": "A2.62",
    "kind": "A2.62",
    "service": "D4.111",
    "cost": "A2.65",
    "tons": "B5.14",
    "scale": "C5.21",
    "crew": "D2.224",
    "range_bands": "A2.66",
    "core_armor": "C5.24",
    "hammerhead_armor": "C5.21",
    "recon_drones": "D4.13",
    "sidewall": "C5.45",
    "bow_wall": "C5.112",
    "stern_wall": "C5.112",
    "bridge": "C5.441",
    "flag_bridge": "C5.442",
    "life_support": "C5.423",
    "communications": "C5.444",
    "ecm": "C5.45",
    "pivot": "C5.464",
    "evolution_delay": "C5.4641",
    "roll": "C5.464",
    "forward_impeller": "C5.461",
    "aft_impeller": "C5.461",
    "max_thrust": "C5.465",
    "hyper_generator": "C5.463",
    "hull": "C5.422",
    "structural_integrity": "C5.421",
    "pods": "C8.231",
    "officer_cost": "D1.11",
    "crew_target": "D1.111",
    "hit_location": "C5.23",
    "craft": "C7.11",
    "thrust": "C7.123",
    "body": "C7.32",
    "damage_control": "C7.33",
    "printed_boxes": "A2.65",
    **dict.fromkeys(("hammerhead", "forward", "aft", "broadside", "port", "starboard"), "A2.63"),
}
_SHEETS: dict[str, type[Common]] = {"ship": ShipSheet, "base": ShipSheet, "lac-squadron": LacSheet}


@cache
def _adapter(sheet: type[Common], field: str) -> TypeAdapter[Any]:
    info = sheet.model_fields[field]
    annotation: Any = info.annotation
    for constraint in info.metadata:
        annotation = Annotated[annotation, constraint]
    return TypeAdapter(annotation)


def read_sheet(document: object) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """Read a document field by field; return the fields that hold, and every problem, sorted by place.

    The fields are those of ``ShipSheet`` or ``LacSheet``; checks between fields run on all that hold.
    """
    if not isinstance(document, Mapping):
        return {}, (Problem("", "not-an-object", "A ship class must be a table of fields.", "A2.6"),)
    kind = document.get("kind")
    sheet = _SHEETS.get(kind) if isinstance(kind, str) else None
    if sheet is None:
        known = ", ".join(_SHEETS)
        return {}, (Problem("/kind", "unknown-kind", f"The kind of a class is one of {known}.", "A2.62"),)
    fields: dict[str, Any] = {}
    problems: list[Problem] = []
    for name in document:
        if name not in sheet.model_fields:
            message = f"A {kind} has no field {name!r}."
            problems.append(Problem(pointer(str(name)), "unknown-field", message, "A2.6"))
    for name, info in sheet.model_fields.items():
        if name in document:
            try:
                fields[name] = _adapter(sheet, name).validate_python(document[name])
            except ValidationError as error:
                problems.extend(
                    _placed(name, problem) for problem in problems_of(error, rule=_FIELD_RULES.get(name, ""))
                )
        elif info.is_required():
            message = f"The field {name!r} is missing."
            problems.append(Problem(pointer(name), "missing", message, _FIELD_RULES[name]))
        else:
            fields[name] = info.get_default(call_default_factory=True)
    checks = _LAC_CHECKS if sheet is LacSheet else _SHIP_CHECKS
    for needs, check in checks:
        if all(need in fields for need in needs):
            problems.extend(check(fields))
    return fields, tuple(sorted(set(problems)))


def _placed(field: str, problem: Problem) -> Problem:
    return Problem(pointer(field) + problem.place, problem.code, problem.message, problem.rule, problem.severity)


def mount_field(fields: Mapping[str, Any], mount: str) -> str | None:
    """Return the name of the field that states a mount: "forward" itself or "hammerhead" for both, or None."""
    if fields.get(mount) is not None:
        return mount
    for shared, mounts in SIDES.items():
        if mount in mounts and fields.get(shared) is not None:
            return shared
    return None


def _check_years(fields: Mapping[str, Any]) -> Iterator[Problem]:
    service = fields["service"]
    if service.to is not None and service.to < service.from_:
        message = f"The class leaves service in {service.to} PD, before it enters in {service.from_} PD."
        yield Problem("/service/to", "bad-year-range", message, "D4.111")


def _check_mounts(fields: Mapping[str, Any]) -> Iterator[Problem]:
    for shared, mounts in SIDES.items():
        single = [mount for mount in mounts if fields[mount] is not None]
        if fields[shared] is not None and single:
            for mount in single:
                message = f"The {mount} mount is stated twice: here and under {shared}."
                yield Problem(pointer(mount), "mount-twice", message, "A2.63")
        elif fields[shared] is None and fields["kind"] != "lac-squadron":
            for mount in mounts:
                if fields[mount] is None:
                    message = f"The {mount} mount is missing; state it, or {shared} for both."
                    yield Problem(pointer(mount), "mount-missing", message, "A2.63")


def _stated_mounts(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for field in (*SIDES, "forward", "aft", "port", "starboard"):
        if fields[field] is not None:
            yield field, fields[field]


def _check_magazines(fields: Mapping[str, Any]) -> Iterator[Problem]:
    for field, mount in _stated_mounts(fields):
        if mount.missiles is not None and mount.magazine == 0:
            message = "Launchers without a magazine cannot fire."
            yield Problem(pointer(field, "magazine"), "launchers-without-magazine", message, "A2.634")
        if mount.missiles is None and mount.magazine:
            message = "A magazine without launchers serves nothing."
            yield Problem(pointer(field, "magazine"), "magazine-without-launchers", message, "A2.634")
        armed = any(getattr(mount, weapon) for weapon in WEAPONS)
        if armed and mount.fcon is None:
            message = "A mount with weapons needs a fire control track."
            yield Problem(pointer(field, "fcon"), "fire-control-missing", message, "A2.631")
        if mount.fcon is not None and mount.fcon.after < mount.fcon.boxes[-1]:
            message = "The value after the last box must not be better than the last box."
            yield Problem(pointer(field, "fcon", "after"), "track-does-not-end", message, "C5.432")


def _check_launchers_have_bands(fields: Mapping[str, Any]) -> Iterator[Problem]:
    armed = any(
        mount.launchers if fields["kind"] == "lac-squadron" else mount.missiles for _, mount in _stated_mounts(fields)
    )
    if armed and fields["range_bands"] is None:
        message = "A class with missiles needs its range bands."
        yield Problem("/range_bands", "range-bands-missing", message, "A2.66")


def _check_range_bands(fields: Mapping[str, Any]) -> Iterator[Problem]:
    bands = fields["range_bands"]
    if bands is None:
        return
    if any(later <= earlier for earlier, later in pairwise(bands.through)):
        yield Problem("/range_bands/through", "bands-not-rising", "The bands must reach farther one by one.", "A2.66")
    if len(bands.mql) != len(bands.through):
        message = f"{len(bands.through)} bands need as many base MQLs, not {len(bands.mql)}."
        yield Problem("/range_bands/mql", "bands-uneven", message, "C2.15")
    if not bands.early_through <= bands.middle_through <= bands.late_through:
        message = "Early, Middle and Late salvoes must reach farther in that order."
        yield Problem("/range_bands/middle_through", "salvo-zones-crossed", message, "C2.12")
    for name in ("early_through", "middle_through", "late_through"):
        if getattr(bands, name) not in bands.through:
            yield Problem(pointer("range_bands", name), "salvo-zone-off-band", "A zone must end with a band.", "C2.121")
    if bands.late_through != bands.through[-1]:
        message = "The Late salvo must reach to the end of the last band."
        yield Problem("/range_bands/late_through", "salvo-zone-short", message, "C2.122")


def _check_walls(fields: Mapping[str, Any]) -> Iterator[Problem]:
    for name in ("sidewall", "bow_wall", "stern_wall"):
        wall = fields.get(name)
        if wall is not None and wall.boxes and wall.after < wall.boxes[-1]:
            message = "The value after the last box must not be better than the last box."
            yield Problem(pointer(name, "after"), "track-does-not-end", message, "C5.214")


def _check_propulsion(fields: Mapping[str, Any]) -> Iterator[Problem]:
    kind, thrust = fields["kind"], fields["max_thrust"]
    impellers = [name for name in ("forward_impeller", "aft_impeller") if fields[name] is not None]
    if kind == "base":
        for name in (*impellers, *(["max_thrust"] if thrust is not None else [])):
            yield Problem(pointer(name), "base-with-drive", "A base has no drive.", "C5.1112")
        return
    if thrust is None:
        yield Problem("/max_thrust", "thrust-missing", "A ship needs a maximum thrust track.", "C5.465")
    for name in ("forward_impeller", "aft_impeller"):
        if fields[name] is None:
            code = "thrust-without-impellers" if thrust is not None else "impellers-missing"
            yield Problem(pointer(name), code, "A ship's thrust needs both impeller tracks.", "C5.461")
    if thrust is not None and len(impellers) == 2:
        kinds = (BoxKind.SQUARE, BoxKind.SAIL)
        driving = sum(len(read_tokens(fields[name], kinds)) for name in impellers)
        boxes = len(thrust.squares) + len(thrust.circles)
        if boxes != driving:
            message = f"{driving} impeller boxes mark {boxes} thrust boxes; there must be one for each."
            yield Problem("/max_thrust", "thrust-unlike-impellers", message, "C5.461")
        if thrust.circles and thrust.circles[0] > thrust.squares[-1]:
            yield Problem("/max_thrust/circles", "track-wrong-way", "Circles must not thrust harder.", "C5.465")


def _check_helm(fields: Mapping[str, Any]) -> Iterator[Problem]:
    if fields["kind"] == "ship":
        for name in ("pivot", "roll"):
            if not fields[name]:
                yield Problem(pointer(name), "track-empty", f"A ship needs a {name} track.", "C5.464")
    if fields["evolution_delay"] and len(fields["evolution_delay"]) != len(fields["pivot"]):
        message = "There must be one evolution delay under each pivot box."
        yield Problem("/evolution_delay", "delays-uneven", message, "C5.4641")


def _check_bridge(fields: Mapping[str, Any]) -> Iterator[Problem]:
    bridge = fields["bridge"]
    tokens = read_tokens(bridge.track, (BoxKind.SQUARE, BoxKind.CIRCLE))
    numbers = [token.number for token in tokens]
    shapes = [token.kind for token in tokens]
    if any(number > 0 for number in numbers) or numbers != sorted(numbers, reverse=True):
        message = "Penalties are 0 or less and grow from left to right."
        yield Problem("/bridge/track", "track-wrong-way", message, "C5.4411")
    if BoxKind.SQUARE in shapes[shapes.index(BoxKind.CIRCLE) :] if BoxKind.CIRCLE in shapes else False:
        message = "Once the track has changed to circles no square may follow."
        yield Problem("/bridge/track", "circles-before-squares", message, "A2.674")
    if bridge.after > numbers[-1]:
        message = "The value after the last box must not be better than the last box."
        yield Problem("/bridge/after", "track-does-not-end", message, "C5.4411")


def _check_officer_cost(fields: Mapping[str, Any]) -> Iterator[Problem]:
    for post in POSTS:
        costs = getattr(fields["officer_cost"], post)
        place = pointer("officer_cost", post)
        if len(costs) != len(GRADES):
            message = f"{post} needs four costs, Poor to Elite, and has {len(costs)}."
            yield Problem(place, "grade-missing", message, "D1.11")
            continue
        poor, average, veteran, elite = costs
        if average != 0:
            yield Problem(pointer("officer_cost", post, 1), "average-not-free", "Average costs nothing.", "D1.112")
        if poor > 0 or not 0 <= veteran <= elite:
            message = "Poor must lower the cost; Veteran and Elite must raise it, Elite the most."
            yield Problem(place, "grade-cost-wrong-way", message, "D1.112")


def _check_crew_target(fields: Mapping[str, Any]) -> Iterator[Problem]:
    targets = [getattr(fields["crew_target"], grade) for grade in GRADES]
    if targets != sorted(targets):
        message = "Better crews need higher target numbers."
        yield Problem("/crew_target", "grade-target-wrong-way", message, "D1.111")


def _check_hit_table(fields: Mapping[str, Any]) -> Iterator[Problem]:
    cells = [row.split() for row in fields["hit_location"]]
    if len(cells) != len(ROWS):
        message = f"The table needs eleven rows, starboard to port, and has {len(cells)}."
        yield Problem("/hit_location", "hit-table-shape", message, "C5.23")
    uneven = False
    for row, codes in enumerate(cells):
        if len(codes) != len(COLUMNS):
            uneven = True
            message = f"A row needs nineteen cells, columns 2 to 20, and has {len(codes)}."
            yield Problem(pointer("hit_location", row), "hit-table-shape", message, "C5.23")
        for index, code in enumerate(codes):
            if code != "." and code not in CODES:
                message = f"Unknown code {code!r} in cell {index + 1} of the row."
                yield Problem(pointer("hit_location", row), "hit-table-unknown-code", message, "C5.23")
    if uneven or len(cells) != len(ROWS):
        return
    for row, _, message in holes(cells):
        yield Problem(pointer("hit_location", row), "hit-table-hole", message, "C5.23")


def _systems(fields: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return the codes of the systems aboard: under "" those of the hull, and those of each mount."""
    found: dict[str, set[str]] = {"": {"hull", "SI", "lif", "brg"}}
    optional = {
        "communications": ("com",),
        "ecm": ("ECM",),
        "pivot": ("piv",),
        "roll": ("rol",),
        "flag_bridge": ("flg",),
        "forward_impeller": ("fwd", "2fwd"),
        "aft_impeller": ("aft", "2aft"),
        "hyper_generator": ("hyp",),
    }
    for name, codes in optional.items():
        if fields[name]:
            found[""].update(codes)
    for mount in ("forward", "aft", "port", "starboard"):
        field = mount_field(fields, mount)
        stated = None if field is None else fields[field]
        aboard = {code for name, code in WEAPONS.items() if stated is not None and getattr(stated, name)}
        if stated is not None:
            aboard |= {"fcon"} if stated.fcon is not None else set()
            aboard |= {"mag"} if stated.magazine else set()
            aboard |= {"dcy"} if stated.decoys is not None else set()
        if fields["sidewall"].boxes and mount in ("port", "starboard"):
            aboard.add("sdwl")
        found[mount] = aboard
    if any("fcon" in codes for codes in found.values()):
        found[""].add("CIC")
    return found


_MUST_BE_HIT = ("hull", "SI", "lif", "com", "brg", "ECM", "piv", "rol", "fwd", "aft", "hyp")


def _check_hit_systems(fields: Mapping[str, Any]) -> Iterator[Problem]:
    cells = [row.split() for row in fields["hit_location"]]
    if len(cells) != len(ROWS) or any(len(codes) != len(COLUMNS) for codes in cells):
        return
    systems = _systems(fields)
    mounted = set(WEAPONS.values()) | {"fcon", "mag", "dcy", "sdwl"}
    struck: set[tuple[str, str]] = set()
    for row, codes in enumerate(cells):
        for column, code in zip(COLUMNS, codes, strict=True):
            if code not in CODES:
                continue
            mount = (mount_of_cell(row, column) or "") if code in mounted else ""
            struck.add((mount, code))
            if code not in systems[mount]:
                message = (
                    f"Column {column} names {code}, which the ship does not have {'there' if mount else 'at all'}."
                )
                yield Problem(pointer("hit_location", row), "hit-table-absent-system", message, "C5.413", "warn")
    for mount in ("forward", "aft", "port", "starboard"):
        for code in sorted(systems[mount] - {code for where, code in struck if where == mount}):
            message = f"No cell can hit {code} in the {mount} mount."
            yield Problem("/hit_location", "hit-table-unreachable-system", message, "C5.23", "warn")
    for code in _MUST_BE_HIT:
        if code in systems[""] and ("", code) not in struck:
            message = f"No cell can hit {code}."
            yield Problem("/hit_location", "hit-table-unreachable-system", message, "C5.23", "warn")


def _check_hyper(fields: Mapping[str, Any]) -> Iterator[Problem]:
    if fields["kind"] == "base" and fields["hyper_generator"]:
        yield Problem("/hyper_generator", "base-with-drive", "A base has no hyper generator.", "C5.463")


def _check_type(fields: Mapping[str, Any]) -> Iterator[Problem]:
    same = {"base": "base", "lac-squadron": "lac-squadron"}
    if same.get(fields["type"]) != same.get(fields["kind"]):
        message = f"A class of kind {fields['kind']} cannot be of type {fields['type']}."
        yield Problem("/type", "type-unlike-kind", message, "A2.62")


def _check_lac_mounts(fields: Mapping[str, Any]) -> Iterator[Problem]:
    weapons: set[str] = set()
    for field, mount in _stated_mounts(fields):
        if mount.launchers and mount.damage is None:
            message = "Box launchers need the damage of their missiles."
            yield Problem(pointer(field, "damage"), "missile-damage-missing", message, "C7.21")
        weapons |= {"M"} if mount.launchers else set()
        weapons |= {"L"} if mount.lasers is not None else set()
        weapons |= {"G"} if mount.grasers is not None else set()
        weapons |= {"P"} if mount.point_defense or mount.countermissiles else set()
    body = read_tokens(fields["body"], (BoxKind.PADDING, BoxKind.WEAPON, BoxKind.OCTAGON, BoxKind.STAR))
    for letter in sorted({token.weapon for token in body if token.weapon} - weapons):
        message = f"The body sends damage to {letter}, which the craft does not carry."
        yield Problem("/body", "hit-table-absent-system", message, "C7.323")


Check = Callable[[Mapping[str, Any]], Iterator[Problem]]
_MOUNTS = ("hammerhead", "forward", "aft", "broadside", "port", "starboard")
_LAC_MOUNTS = ("forward", "aft", "broadside", "port", "starboard")
_COMMON_CHECKS: list[tuple[tuple[str, ...], Check]] = [
    (("type", "kind"), _check_type),
    (("service",), _check_years),
    (("range_bands",), _check_range_bands),
    (("crew_target",), _check_crew_target),
]
_SHIP_CHECKS: list[tuple[tuple[str, ...], Check]] = [
    *_COMMON_CHECKS,
    (_MOUNTS, _check_mounts),
    (_MOUNTS, _check_magazines),
    ((*_MOUNTS, "range_bands"), _check_launchers_have_bands),
    (("sidewall", "bow_wall", "stern_wall"), _check_walls),
    (("max_thrust", "forward_impeller", "aft_impeller"), _check_propulsion),
    (("pivot", "roll", "evolution_delay"), _check_helm),
    (("bridge",), _check_bridge),
    (("officer_cost",), _check_officer_cost),
    (("hyper_generator",), _check_hyper),
    (("hit_location",), _check_hit_table),
    (
        (
            *_MOUNTS,
            "hit_location",
            "communications",
            "ecm",
            "pivot",
            "roll",
            "flag_bridge",
            "forward_impeller",
            "aft_impeller",
            "hyper_generator",
            "sidewall",
        ),
        _check_hit_systems,
    ),
]
_LAC_CHECKS: list[tuple[tuple[str, ...], Check]] = [
    *_COMMON_CHECKS,
    (_LAC_MOUNTS, lambda fields: _check_mounts({"hammerhead": None, **fields})),
    ((*_LAC_MOUNTS, "body"), lambda fields: _check_lac_mounts({"hammerhead": None, **fields})),
    ((*_LAC_MOUNTS, "range_bands"), lambda fields: _check_launchers_have_bands({"hammerhead": None, **fields})),
]
