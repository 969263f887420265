"""What is wrong with a ship class's document: every problem, at its place, with its rule."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from campaign.engine.errors import ProblemsError, stops
from campaign.rulebooks.saganami.ship_class import check_class, load_class
from tests.campaign.rulebooks.saganami.ship_class_fixtures import document

Mutation = Callable[[dict[str, Any]], None]


def put(*path_and_value: Any) -> Mutation:
    """Return a mutation that writes the last argument at the path before it."""
    *path, last, value = path_and_value

    def mutate(sheet: dict[str, Any]) -> None:
        place: Any = sheet
        for step in path:
            place = place[step]
        place[last] = value

    return mutate


def drop(*path: Any) -> Mutation:
    """Return a mutation that takes a field away."""
    *before, last = path

    def mutate(sheet: dict[str, Any]) -> None:
        place: Any = sheet
        for step in before:
            place = place[step]
        del place[last]

    return mutate


def cell(row: int, column: int, code: str) -> Mutation:
    """Return a mutation of one cell of the hit location table."""

    def mutate(sheet: dict[str, Any]) -> None:
        codes = sheet["hit_location"][row].split()
        codes[column - 2] = code
        sheet["hit_location"][row] = " ".join(codes)

    return mutate


SAMPLE = document("sample")
ABSENT = "hit-table-absent-system"

SAMPLE_PROBLEMS: list[tuple[str, Mutation, list[tuple[str, str, str]]]] = [
    # tracks that do not end
    (
        "SI without star",
        put("structural_integrity", "s*6 C o4"),
        [("/structural_integrity", "track-does-not-end", "C5.421")],
    ),
    (
        "SI with two stars",
        put("structural_integrity", "s X s X"),
        [("/structural_integrity", "track-does-not-end", "C5.421")],
    ),
    (
        "star in the middle",
        put("structural_integrity", "s X s"),
        [("/structural_integrity", "track-does-not-end", "C5.421")],
    ),
    ("SI empty", put("structural_integrity", ""), [("/structural_integrity", "track-empty", "C5.421")]),
    ("impeller without sail", put("aft_impeller", "s*9"), [("/aft_impeller", "track-does-not-end", "C5.461")]),
    (
        "fcon ends better",
        put("broadside", "fcon", "after", 1),
        [("/broadside/fcon/after", "track-does-not-end", "C5.432")],
    ),
    ("fcon has no end", drop("broadside", "fcon", "after"), [("/broadside/fcon/after", "missing", "A2.63")]),
    ("sidewall ends better", put("sidewall", "after", 2), [("/sidewall/after", "track-does-not-end", "C5.214")]),
    ("bridge ends better", put("bridge", "after", 0), [("/bridge/after", "track-does-not-end", "C5.4411")]),
    ("ecm empty", put("ecm", []), [("/ecm", "too-short", "C5.45")]),
    (
        "pivot empty",
        lambda sheet: sheet.update(pivot=[], evolution_delay=[]),
        [
            ("/pivot", "track-empty", "C5.464"),
        ],
    ),
    # tracks that run the wrong way
    ("ecm rises", put("ecm", [3, 4]), [("/ecm", "track-wrong-way", "C5.45")]),
    ("sidewall gets better", put("sidewall", "boxes", [-3, -4]), [("/sidewall/boxes", "track-wrong-way", "C5.45")]),
    ("weapon by its code", put("broadside", "CM", [1]), [("/broadside/CM", "unknown-field", "A2.63")]),
    (
        "kills rise",
        put("broadside", "point_defense", ["1/3", 1]),
        [("/broadside/point_defense", "track-wrong-way", "A2.63")],
    ),
    (
        "circles thrust harder",
        put("max_thrust", "circles", [2, 1, 1]),
        [("/max_thrust/circles", "track-wrong-way", "C5.465")],
    ),
    ("bridge penalty heals", put("bridge", "track", "s*4 c-1 c0"), [("/bridge/track", "track-wrong-way", "C5.4411")]),
    ("bridge bonus", put("bridge", "track", "s*4 c1 c0"), [("/bridge/track", "track-wrong-way", "C5.4411")]),
    ("square after circle", put("bridge", "track", "s c0 s"), [("/bridge/track", "circles-before-squares", "A2.674")]),
    # unknown tokens
    ("hull token", put("hull", 2, "s*4 q"), [("/hull/2", "unknown-token", "C5.422")]),
    ("star in the hull", put("hull", 0, "s*4 X"), [("/hull/0", "unknown-token", "C5.422")]),
    (
        "octagon of eleven",
        put("structural_integrity", "s o11 X"),
        [("/structural_integrity", "unknown-token", "C5.421")],
    ),
    (
        "kills of a half",
        put("hammerhead", "countermissiles", 0, "1/2"),
        [("/hammerhead/countermissiles/0", "unknown-token", "A2.63")],
    ),
    (
        "kills of 2.5",
        put("hammerhead", "countermissiles", 0, 2.5),
        [("/hammerhead/countermissiles/0", "unknown-token", "A2.63")],
    ),
    (
        "kills of 0",
        put("hammerhead", "point_defense", 9, 0),
        [("/hammerhead/point_defense/9", "out-of-range", "A2.63")],
    ),
    # the hit location table
    (
        "blank in the Core",
        cell(5, 11, "."),
        [
            ("/hit_location/5", "hit-table-hole", "C5.23"),
        ],
    ),
    ("blank in a column", cell(3, 9, "."), [("/hit_location/3", "hit-table-hole", "C5.23")]),
    ("row of nothing", put("hit_location", 0, ". " * 19), [("/hit_location/0", "hit-table-hole", "C5.23")]),
    ("row too short", put("hit_location", 4, "hull " * 18), [("/hit_location/4", "hit-table-shape", "C5.23")]),
    (
        "row too many",
        lambda sheet: sheet["hit_location"].append("hull " * 19),
        [("/hit_location", "hit-table-shape", "C5.23")],
    ),
    ("code unknown", cell(3, 9, "fish"), [("/hit_location/3", "hit-table-unknown-code", "C5.23")]),
    # negative numbers
    ("cost", put("cost", -1), [("/cost", "greater-than-equal", "A2.65")]),
    ("drones", put("recon_drones", -1), [("/recon_drones", "greater-than-equal", "D4.13")]),
    ("marines", put("crew", "marines", -5), [("/crew/marines", "greater-than-equal", "D2.224")]),
    (
        "launchers",
        put("hammerhead", "missiles", "count", -8),
        [("/hammerhead/missiles/count", "greater-than-equal", "A2.63")],
    ),
    ("magazine", put("broadside", "magazine", -1), [("/broadside/magazine", "greater-than-equal", "A2.63")]),
    ("cost as text", put("cost", "4434"), [("/cost", "int-type", "A2.65")]),
    ("cost as a bool", put("cost", True), [("/cost", "int-type", "A2.65")]),
    ("scale as a fraction", put("scale", 15.5), [("/scale", "int-type", "C5.21")]),
    # officers and crew
    ("grade missing", put("officer_cost", "ENG", [-8, 0, 8]), [("/officer_cost/ENG", "grade-missing", "D1.11")]),
    ("post missing", drop("officer_cost", "HELM"), [("/officer_cost/HELM", "missing", "D1.11")]),
    ("average costs", put("officer_cost", "TAC", 1, 5), [("/officer_cost/TAC/1", "average-not-free", "D1.112")]),
    ("poor costs more", put("officer_cost", "CREW", 0, 88), [("/officer_cost/CREW", "grade-cost-wrong-way", "D1.112")]),
    ("elite is cheap", put("officer_cost", "CREW", 3, 5), [("/officer_cost/CREW", "grade-cost-wrong-way", "D1.112")]),
    ("targets fall", put("crew_target", "elite", 6), [("/crew_target", "grade-target-wrong-way", "D1.111")]),
    # propulsion
    (
        "no fore impeller",
        drop("forward_impeller"),
        [
            ("/forward_impeller", "thrust-without-impellers", "C5.461"),
        ],
    ),
    ("no thrust", drop("max_thrust"), [("/max_thrust", "thrust-missing", "C5.465")]),
    ("thrust unlike", put("max_thrust", "circles", [1]), [("/max_thrust", "thrust-unlike-impellers", "C5.461")]),
    ("delays uneven", put("evolution_delay", [4]), [("/evolution_delay", "delays-uneven", "C5.4641")]),
    # mounts
    (
        "no magazine",
        put("hammerhead", "magazine", 0),
        [
            ("/hammerhead/magazine", "launchers-without-magazine", "A2.634"),
        ],
    ),
    ("mount twice", put("port", copy.deepcopy(SAMPLE["broadside"])), [("/port", "mount-twice", "A2.63")]),
    (
        "mount missing",
        drop("broadside"),
        [("/port", "mount-missing", "A2.63"), ("/starboard", "mount-missing", "A2.63")],
    ),
    (
        "no fire control",
        drop("hammerhead", "fcon"),
        [
            ("/hammerhead/fcon", "fire-control-missing", "A2.631"),
        ],
    ),
    ("arc of four", put("broadside", "arc", ["####"] * 3), [("/broadside/arc", "arc-shape", "A2.63")]),
    ("arc of nothing", put("broadside", "arc", ["....."] * 3), [("/broadside/arc", "arc-empty", "A2.63")]),
    # range bands
    ("bands missing", drop("range_bands"), [("/range_bands", "range-bands-missing", "A2.66")]),
    ("bands turn back", put("range_bands", "through", 1, 0), [("/range_bands/through", "bands-not-rising", "A2.66")]),
    ("bands uneven", put("range_bands", "mql", [4, 2]), [("/range_bands/mql", "bands-uneven", "C2.15")]),
    (
        "zones crossed",
        put("range_bands", "middle_through", 4),
        [("/range_bands/middle_through", "salvo-zones-crossed", "C2.12")],
    ),
    (
        "zone off its band",
        put("range_bands", "early_through", 6),
        [("/range_bands/early_through", "salvo-zone-off-band", "C2.121")],
    ),
    (
        "late falls short",
        put("range_bands", "late_through", 25),
        [("/range_bands/late_through", "salvo-zone-short", "C2.122")],
    ),
    # head
    ("years turned round", put("service", {"from": 1900, "to": 1899}), [("/service/to", "bad-year-range", "D4.111")]),
    ("year nought", put("service", {"from": 0}), [("/service/from", "greater-than-equal", "D4.111")]),
    ("year ten thousand", put("service", "to", 10_000), [("/service/to", "less-than-equal", "D4.111")]),
    ("key with blanks", put("key", "Sample Class"), [("/key", "string-pattern-mismatch", "A2.62")]),
    ("type unknown", put("type", "gunboat"), [("/type", "literal-error", "A2.62")]),
    ("ship as a squadron", put("type", "lac-squadron"), [("/type", "type-unlike-kind", "A2.62")]),
    ("kind unknown", put("kind", "moon"), [("/kind", "unknown-kind", "A2.62")]),
    ("field unknown", put("shields", 3), [("/shields", "unknown-field", "A2.6")]),
    ("field missing", drop("hull"), [("/hull", "missing", "C5.422")]),
]


def found(sheet: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return place, code and rule of each problem that stops a document."""
    return [(problem.place, problem.code, problem.rule) for problem in stops(check_class(sheet))]


def warned(sheet: dict[str, Any]) -> set[tuple[str, str]]:
    """Return place and code of each warning about a document."""
    return {(problem.place, problem.code) for problem in check_class(sheet) if problem.severity == "warn"}


@pytest.mark.parametrize(
    ("mutate", "expected"), [case[1:] for case in SAMPLE_PROBLEMS], ids=[c[0] for c in SAMPLE_PROBLEMS]
)
def test_each_fault_of_a_good_sheet_is_found_at_its_place(mutate, expected):
    """One fault gives its problem and no other that stops the class."""
    sheet = document("sample")
    assert found(sheet) == []
    mutate(sheet)
    assert found(sheet) == expected


BASE_PROBLEMS = [
    (put("hyper_generator", 1), ("/hyper_generator", "base-with-drive", "C5.463")),
    (put("forward_impeller", "s W"), ("/forward_impeller", "base-with-drive", "C5.1112")),
    (put("max_thrust", {"squares": [1]}), ("/max_thrust", "base-with-drive", "C5.1112")),
]


@pytest.mark.parametrize(("mutate", "expected"), BASE_PROBLEMS)
def test_a_base_has_no_drive(mutate, expected):
    """C5.1112: bases stand behind a bubble wall and do not move."""
    sheet = document("breakwater")
    assert found(sheet) == []
    mutate(sheet)
    assert found(sheet) == [expected]


LAC_PROBLEMS = [
    (put("body", "b*4 M L"), ("/body", "track-does-not-end", "C7.32")),
    (put("body", "b*4 M L G X"), ("/body", "hit-table-absent-system", "C7.323")),
    (put("body", "s*4 X"), ("/body", "unknown-token", "C7.32")),
    (drop("broadside", "damage"), ("/broadside/damage", "missile-damage-missing", "C7.21")),
    (put("craft", 11), ("/craft", "less-than-equal", "C7.11")),
    (put("thrust", 0), ("/thrust", "greater-than-equal", "C7.123")),
    (put("hull", ["s"]), ("/hull", "unknown-field", "A2.6")),
    (drop("range_bands"), ("/range_bands", "range-bands-missing", "A2.66")),
    (put("type", "destroyer"), ("/type", "type-unlike-kind", "A2.62")),
    (put("port", {}), ("/port", "mount-twice", "A2.63")),
]


@pytest.mark.parametrize(("mutate", "expected"), LAC_PROBLEMS)
def test_each_fault_of_a_good_squadron_is_found_at_its_place(mutate, expected):
    """C7.0: a squadron's sheet has its own faults."""
    sheet = document("gannet")
    assert found(sheet) == []
    mutate(sheet)
    assert found(sheet) == [expected]


def test_every_fault_of_a_sheet_is_found_at_once():
    """One reading names them all, in order of place."""
    sheet = document("sample")
    faults = {
        "/cost": put("cost", -1),
        "/ecm": put("ecm", [1, 2]),
        "/evolution_delay": put("evolution_delay", [4]),
        "/hit_location/3": cell(3, 9, "."),
        "/hull/2": put("hull", 2, "s w q"),
        "/max_thrust": put("max_thrust", "circles", [1]),
        "/officer_cost/ENG": put("officer_cost", "ENG", [-8, 0, 8]),
        "/officer_cost/TAC/1": put("officer_cost", "TAC", 1, 3),
        "/service/to": put("service", {"from": 1900, "to": 1800}),
        "/structural_integrity": put("structural_integrity", "s*3"),
        "/shields": put("shields", 3),
        "/tons": drop("tons"),
    }
    for mutate in faults.values():
        mutate(sheet)
    with pytest.raises(ProblemsError) as refused:
        load_class(sheet)
    places = [problem.place for problem in refused.value.problems]
    assert places == sorted(faults)
    assert all(problem.rule and problem.message for problem in refused.value.problems)


def test_a_warning_does_not_stop_a_class():
    """C5.413: a cell that names a system not aboard is skipped in play, so the sheet still loads."""
    sheet = document("sample")
    cell(5, 2, "ET")(sheet)
    assert found(sheet) == []
    assert warned(sheet) == {
        ("/hit_location/5", "hit-table-absent-system"),
        ("/hit_location", "hit-table-unreachable-system"),
    }
    assert load_class(sheet).hit_table.code(5, 2) == "ET"


WARNINGS = [
    (drop("energy_torpedoes"), {("/hit_location/0", ABSENT), ("/hit_location/10", ABSENT)}),
    (drop("grasers"), {(f"/hit_location/{row}", ABSENT) for row in (0, 10)}),
    (drop("decoys"), {(f"/hit_location/{row}", ABSENT) for row in (1, 9)}),
]


@pytest.mark.parametrize(("mutate", "expected"), WARNINGS)
def test_a_cell_of_a_system_that_is_not_aboard_is_warned_of(mutate, expected):
    """C5.413: the cell would always be skipped."""
    sheet = document("sample")
    mutate(sheet["broadside"])
    assert (found(sheet), warned(sheet)) == ([], expected)


def test_a_system_that_no_cell_can_hit_is_warned_of():
    """C5.23: a system outside the table could never be lost."""
    sheet = document("sample")
    cell(5, 11, "hull")(sheet)
    cell(0, 11, "L")(sheet)
    problems = [problem for problem in check_class(sheet) if problem.severity == "warn"]
    assert [problem.message for problem in problems] == [
        "No cell can hit ET in the starboard mount.",
        "No cell can hit hyp.",
    ]


def places(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of each value of a document, three steps deep at most."""
    steps = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    paths = []
    for step, inner in steps:
        paths.append((*before, step))
        if len(before) < 2:
            paths += places(inner, (*before, step))
    return paths


@pytest.mark.parametrize("key", ["sample", "breakwater", "gannet"])
def test_no_wild_value_anywhere_makes_the_reader_fall_over(key):
    """Whatever stands in a field, the answer is a class or a list of problems within that field's reach."""
    good = document(key)
    for path in places(good):
        for wild in (None, -1, 10**30, 1.5, True, "", "x y", [], [[]], {}, {"a": 1}):
            sheet = copy.deepcopy(good)
            put(*path, wild)(sheet)
            try:
                load_class(sheet)
            except ProblemsError as refused:
                assert refused.problems
