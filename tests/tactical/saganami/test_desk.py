"""The rules desk of tactical/saganami: its examples, and how it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from campaign.engine.procedure import Procedure, answer
from tactical.rules.saganami.desk import DESK

# What each procedure's own example answers; where the source works the example, its numbers.
EXAMPLES: dict[str, dict[str, Any]] = {
    "avid.distance": {"windows": 3},
    "avid.paths": {"midpoints": ["C/D yellow", "D yellow", "D blue+"]},
    "avid.neighbours": {"diagonals": ["A yellow", "B yellow"]},
    "avid.opposite": {"window": "F/A yellow"},
    "avid.midpoint": {"windows_done": 0},
    "avid.top": {"top": "B green+", "spine": False},
    "avid.attitude": {"roll": 60},
    "helm.turn": {"thrust_window": "B/C yellow", "pivot_windows": 2, "first": "pivot"},
    "thrust.vertical-cell": {"thrust": 4, "ring": "blue+", "rings": ["blue+", "green+"]},
    "thrust.vertical-cells": {"cells": [[5, 4], [6, 2], [6, 3]]},
    "thrust.splits": {"splits": [{"A": 4}, {"A": 3, "F": 1}, {"A": 3, "B": 1}]},
    "thrust.options": {
        "plots": [
            {"cell": [3, 3], "change": {"A": 3, "+": 3}},
            {"cell": [4, 2], "change": {"A": 4, "+": 2}},
            {"cell": [4, 2], "change": {"A": 3, "F": 1, "+": 2}},
            {"cell": [4, 2], "change": {"A": 3, "B": 1, "+": 2}},
        ]
    },
    "thrust.rating": {"rating": 3, "checks": ["red-line"], "target": 5},
    "movement.turn": {"displacement": {"C": 1, "+": 1}, "carry": ["C"], "vectors": {"C": 7, "D": 2, "+": 2}},
    "bearing.horizontal": {"direction": "B/C", "hexes": 7},
    "bearing.range": {"range": 7},
    "bearing.ring": {"ring": "yellow"},
    "bearing.shoot": {"range": 7, "window": "B/C blue+", "impact_window": "E/F blue-"},
    "arcs.shoot": {"row": 1, "windows": ["B/C blue+"], "facings": ["starboard"], "bears": ["starboard"]},
    "missiles.salvoes": {"salvoes": ["early", "middle", "late"]},
    "missiles.quality": {"base": 6, "mql": 8},
    "missiles.link": {"stages": ["early", "middle"]},
    "pods.towing": {"free": 5, "excess": 3, "thrust_boxes_disabled": 6},
    "pods.soft-kills": {"killed": 8, "left": 4},
    "pods.fire": {"missiles": 50, "damage": 16, "fire_control": 3},
    "beams.damage": {"effective_range": 3, "damage": 5},
    "beams.grav-lance": {"boxes": 2},
    "beams.energy-torpedo": {"hits": 2, "by_launcher": [2]},
    "defense.ecm-column": {"column": 16},
    "defense.ecm-kills": {"kills": 16, "left": 7, "rows": [20, 3]},
    "defense.active-column": {"column": 11},
    "defense.active-kills": {"kills": 3, "rows": [4]},
    "defense.canister": {"canisters_per_tube": 2, "canisters": 6, "probable_kills": 2},
    "defense.lend": {"layers": ["countermissiles"], "beside": True},
    "defense.salvo": {"ecm_column": 20, "ecm_kills": 16, "cm_kills": 3, "pd_kills": 3, "hits": 1},
    "damage.depth": {"depth": 2, "penetrates": True, "extra_box": False},
    "damage.depth-modifier": {"modifier": -1},
    "damage.hit-roll-shift": {"modified": 4, "reroll_edge": None},
    "damage.column": {"hits": ["mag", "mag", "aft", "aft", "hull", "ECM", "mag"]},
    "damage.track-value": {"value": 3},
    "damage.salvo": {"modifier": -1, "depths": [3], "sidewall_boxes_lost": 0},
    "damage.location": {"edge": "forward", "roll": 8},
    "damage.hull": {"hull": 2, "si": 1},
    "damage.magazine": {"dots": 3},
    "damage.structure": {"shape": "octagon", "destroyed": True},
    "damage.bridge": {"officer": "helm", "before": "elite", "after": "veteran"},
    "crew.check": {"target": 6, "passed": True},
    "crew.bridge-target": {"target": 4},
    "damage-control.repair": {"repaired": False},
    "damage-control.jury-rig": {"fails_in": 14, "failed": False},
    "damage-control.reload": {"dots": 2},
    "lacs.skip": {"boxes": 4},
    "lacs.craft": {"craft": ["A", "K", "A"], "hits": {"A": 2, "K": 1}},
    "lacs.damage": {"skipped": 5, "marked": [5, 6, 7], "weapons": ["M", "L"], "destroyed": False},
    "officers.assistant-tactical": {"cm": 1, "pd": 4},
    "officers.helm": {"pivot": 2, "roll": 3},
    "officers.tactical": {"mql": 4},
    "officers.electronic-warfare": {"ecm": 4},
}


def ask(name: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer of a procedure."""
    procedure = DESK.procedure(name)
    assert procedure is not None, name
    return answer(procedure, document)


def result(name: str, **document: Any) -> dict[str, Any]:
    """Return the result of a procedure that must answer."""
    reply = ask(name, document)
    assert "result" in reply, reply
    found: dict[str, Any] = reply["result"]
    return found


def error(name: str, **document: Any) -> tuple[str, str]:
    """Return code and field of a procedure's refusal."""
    reply = ask(name, document)
    assert "error" in reply, reply
    return reply["error"]["code"], reply["error"]["field"]


@pytest.mark.parametrize("procedure", DESK.procedures, ids=[one.name for one in DESK.procedures])
def test_every_example_answers_as_shown(procedure: Procedure) -> None:
    """Each procedure shows one question; its answer has just the fields that it lists."""
    reply = answer(procedure, dict(procedure.example or {}))
    assert "result" in reply, reply
    assert set(reply["result"]) == set(procedure.result)
    assert reply["result"].items() >= EXAMPLES[procedure.name].items()
    assert reply["rules"] == list(procedure.rules)


def test_names_are_told_once() -> None:
    """No two procedures share a name, and none is left without its numbers here."""
    assert sorted(one.name for one in DESK.procedures) == sorted(EXAMPLES)


@pytest.mark.parametrize("procedure", [one for one in DESK.procedures if one.dice], ids=lambda one: one.name)
def test_what_rolls_takes_a_seed_and_counts_its_dice(procedure: Procedure) -> None:
    """The same seed rolls the same faces; a die too many or no dice at all is refused."""
    plain = {key: value for key, value in (procedure.example or {}).items() if key != procedure.dice}
    first, second = (answer(procedure, {**plain, "seed": "desk"}) for _ in range(2))
    assert first == second and "result" in first
    assert answer(procedure, plain)["error"]["code"] == "missing"
    faces = [*(first["rolls"]), 1, 1, 1]
    assert answer(procedure, {**plain, str(procedure.dice): faces})["error"]["code"] in ("too-many-dice", "parties")


@pytest.mark.parametrize(
    ("name", "document", "refusal"),
    [
        ("avid.distance", {"from": "X", "to": "A yellow"}, ("unknown-window", "from")),
        ("avid.top", {"forward": "A blue+", "roll": 45}, ("roll-not-step", "roll")),
        ("helm.turn", {"forward": "A yellow", "roll_windows": 5, "roll_rating": 4}, ("roll-over-rating", "roll")),
        ("helm.turn", {"forward": "A yellow", "pivot": ["B yellow"]}, ("pivot-not-adjacent", "pivot.0")),
        ("thrust.splits", {"direction": "B/C", "thrust": 2, "ring": "green+"}, ("corner-in-green", "direction")),
        ("thrust.splits", {"direction": "B/C", "thrust": 2, "ring": "pink"}, ("unknown-ring", "ring")),
        ("thrust.vertical-cells", {"ring": "blue", "thrust": 2}, ("unknown-ring", "ring")),
        ("thrust.rating", {"track": 2, "thrust": 3}, ("thrust-over-rating", "thrust")),
        ("bearing.ring", {"horizontal": 0, "altitude": 0}, ("no-bearing", "")),
        ("missiles.salvoes", {"class": "warrior", "range": 3}, ("unknown-class", "class")),
        ("missiles.salvoes", {"range": 3}, ("class-or-bands", "class")),
        ("pods.towing", {"scale": 1, "pods": 1, "lac": True}, ("lac-tows-pods", "pods")),
        ("pods.towing", {"scale": 12, "pods": 9, "thrust_squares": 4}, ("tows-into-circles", "pods")),
        ("pods.fire", {"pods": 3, "fire_control": [0, 0], "after": 1}, ("too-few-boxes", "pods")),
        ("beams.damage", {"profile": [], "range": 1}, ("too-short", "profile")),
        ("defense.canister", {"missile_size": 5, "tubes": 4, "fcon_boxes": 3}, ("beyond-fire-control", "tubes")),
        ("defense.active-kills", {"probable_kills": "1/2", "quality": 9}, ("not-thirds", "probable_kills")),
        ("damage.column", {"edge": "aft", "roll": 4, "depth": 2}, ("class-or-table", "class")),
        ("damage.depth", {"roll": 10, "modifier": 0}, ("less-than-equal", "roll")),
        ("damage-control.repair", {"target": 5, "rolls": [1, 2, 3]}, ("parties", "parties")),
    ],
)
def test_bad_questions_are_refused_with_code_and_place(
    name: str, document: dict[str, Any], refusal: tuple[str, str]
) -> None:
    """The list of bad input: each with its code, the field and a rule."""
    assert error(name, **document) == refusal
    assert ask(name, document)["error"]["problems"][0]["rule"]


def test_a_broken_hit_table_is_refused_row_by_row() -> None:
    """C5.23: every row that is wrong is named."""
    rows = [" ".join(["hull"] * 19)] * 9 + ["hull", " ".join(["wing"] * 19)]
    reply = ask("damage.column", {"table": rows, "edge": "port", "roll": 4, "depth": 2})
    found = [(problem["code"], problem["place"]) for problem in reply["error"]["problems"]]
    assert found == [("unknown-code", "/table/10"), ("table-shape", "/table/9")]
    assert error("damage.column", table=rows[:3], edge="port", roll=4, depth=2) == ("table-shape", "table")


@pytest.mark.rule("C2.121")
def test_bands_of_any_class_may_be_given() -> None:
    """A2.66: in place of a class by name."""
    bands = {"through": [2, 5], "mql": [3, 4], "early_through": 1, "middle_through": 2, "late_through": 5}
    assert result("missiles.salvoes", bands=bands, range=2) == {"salvoes": ["middle", "late"]}
    assert result("missiles.quality", bands=bands, range=9) == {"base": None, "mql": None}
    assert error("missiles.salvoes", bands={**bands, "through": [5, 2]}, range=2) == ("bands-broken", "bands")
    assert result("missiles.salvoes", **{"class": "pod"}, range=31) == {"salvoes": ["late"]}


@pytest.mark.rule("C5.413")
def test_a_table_of_any_class_may_be_given_and_systems_left_out() -> None:
    """C5.23, C5.413."""
    rows = [" ".join(["hull"] * 9 + ["ECM"] + ["hull"] * 9)] * 11
    given = {"table": rows, "core_armor": 1, "edge": "starboard", "roll": 11, "depth": 12}
    assert result("damage.column", **given)["hits"] == ["ECM"] * 10
    assert result("damage.column", **given, exhausted=["ECM"])["hits"] == []
    assert result("damage.column", **{**given, "edge": "forward", "roll": 2, "depth": 2, "span": 3})["lines"] == [
        ["hull", "hull"],
        ["hull", "hull"],
    ]


@pytest.mark.rule("C4.141", "C4.142")
def test_the_desk_knows_wedge_and_contact_nukes() -> None:
    """C4.141, C4.142."""
    given = {"probable_kills": "4", "quality": 11}
    assert result("defense.active-kills", **given, wedge=True)["kills"] == 1
    assert result("defense.active-kills", **given, contact_nukes=True)["kills"] == 6
    assert result("defense.active-kills", **given, contact_nukes=True, wedge=True)["kills"] == 3
    assert result("defense.active-kills", **given, contact_nuke=True)["kills"] == 6
    assert result("defense.active-kills", **given, wedge=True, layer="countermissiles")["kills"] == 0
    for name in ("wedge_down", "lowered_wedge"):
        assert result("damage.depth", roll=3, modifier=1, weapon="laser", **{name: True})["depth"] == 8


def test_a_bearing_straight_up_has_no_direction_and_a_shared_place_no_window() -> None:
    """C1.12: nothing lies between the two on the map."""
    assert result("bearing.horizontal", vectors={}) == {"direction": None, "hexes": 0}
    here = result("bearing.shoot", **{"from": {}, "to": {}})
    assert (here["range"], here["window"], here["impact_window"]) == (0, None, None)
    up = result("bearing.shoot", **{"from": {"altitude": -3}, "to": {"altitude": 3}})
    assert (up["range"], up["window"]) == (6, "purple+")


@pytest.mark.rule("B2.233")
def test_an_elite_helm_has_a_choice() -> None:
    """B2.233: pivot or roll, shown both."""
    found = result("officers.helm", pivot=3, roll=4, grade="elite", boost="roll")
    assert (found["pivot"], found["roll"]) == (3, 5)
    assert found["choices"] == [{"pivot": 4, "roll": 4}, {"pivot": 3, "roll": 5}]


@pytest.mark.rule("C3.122", "C3.124")
def test_the_desk_s_beams_mind_wedge_and_torpedoes() -> None:
    """C3.122, C3.124."""
    assert result("beams.damage", profile=[10, 7, 5], range=1, wedge=True)["damage"] == 0
    torpedo = result("beams.damage", profile=[7], range=3, open_aspect=True, weapon="energy torpedo")
    assert torpedo == {"effective_range": 3, "damage": 0}


@pytest.mark.rule("C5.341")
def test_a_lance_beyond_range_zero_is_refused() -> None:
    """C5.341."""
    assert error("beams.grav-lance", thrust_boxes=1, sidewall_boxes=1, range=1, dice=[5]) == ("beyond-range-0", "range")


def test_a_leak_is_for_the_sides() -> None:
    """C5.113."""
    assert error("damage.location", edge="aft", leak="near_aft", dice=[1, 2]) == ("leak-on-end", "leak")


def test_tokens_that_no_track_has_are_refused() -> None:
    """C5.421, C7.32."""
    assert error("damage.structure", track="s*2 q", seed="x") == ("unknown-token", "track")
    assert error("lacs.damage", track="b W X", points=2, seed="x") == ("unknown-token", "track")
