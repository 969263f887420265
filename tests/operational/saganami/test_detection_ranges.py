"""Detection's table: footprints, ranges, the check, and what a success tells (B5.14)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from campaign.services.rules_desk import desk_answer
from operational.rules.saganami import detection_ranges as ranges
from operational.rules.saganami.detection_ranges import Target

DESK = "operational/saganami"


def ask(procedure: str, **document: Any) -> dict[str, Any]:
    """Return the result of a procedure of the rules desk."""
    reply = desk_answer(ruleset=DESK, procedure=procedure, document=document)
    assert "result" in reply, reply
    found: dict[str, Any] = reply["result"]
    return found


@pytest.mark.rule("B5.14")
@pytest.mark.parametrize(
    ("tons", "hexes"),
    [
        (100_000_001, 300),
        (100_000_000, 225),
        (50_000_000, 225),
        (49_999_999, 150),
        (80_000, 150),
    ],
)
def test_a_hyper_footprint_is_seen_as_far_as_its_tons_say(tons: int, hexes: int) -> None:
    """B5.14: more than 100 million tons, 50 to 100, less than 50."""
    assert ask("detection.automatic", event="hyper-footprint", tons=tons, range=hexes)["detected"] is True
    answer = ask("detection.automatic", event="hyper-footprint", tons=tons, range=hexes + 1)
    assert (answer["detected"], answer["limit"]) == (False, hexes)


@pytest.mark.rule("B5.14")
def test_nothing_about_a_wedge_is_seen_without_a_search() -> None:
    """B5.14 as settled: only footprints are automatic."""
    assert ask("detection.automatic", event="presence", range=10) == {
        "detected": False,
        "limit": 120,
        "automatic": False,
    }


@pytest.mark.rule("B5.14")
def test_a_footprint_without_tons_is_refused_at_its_place() -> None:
    """B5.14: the range hangs on the tons."""
    reply = desk_answer(
        ruleset=DESK, procedure="detection.automatic", document={"event": "hyper-footprint", "range": 200}
    )
    assert (reply["error"]["code"], reply["error"]["field"]) == ("missing", "tons")


@pytest.mark.rule("B5.14")
@pytest.mark.parametrize(
    ("hexes", "knows"),
    [
        (121, []),
        (120, ["presence"]),
        (101, ["presence"]),
        (100, ["presence", "acceleration"]),
        (81, ["presence", "acceleration"]),
        (80, ["presence", "acceleration", "scale/10"]),
        (61, ["presence", "acceleration", "scale/10"]),
        (60, ["presence", "acceleration", "scale/10", "scale/5"]),
        (41, ["presence", "acceleration", "scale/10", "scale/5"]),
        (40, ["presence", "acceleration", "scale/10", "scale/5", "exact"]),
    ],
)
def test_a_success_learns_every_row_in_range_and_a_failure_none(hexes: int, knows: list[str]) -> None:
    """B5.14: presence 120, acceleration 100, scale/10 80, scale/5 60, exact 40."""
    assert ask("detection.level", range=hexes, target="ship", success=True, drones=0)["knows"] == knows
    assert ask("detection.level", range=hexes, target="ship", success=False, drones=0)["knows"] == []


@pytest.mark.rule("B5.141")
@pytest.mark.parametrize(("hexes", "modified"), [(40, 4), (49, 4), (50, 5), (75, 7), (120, 12)])
def test_every_full_ten_hexes_over_forty_add_one_to_the_die(hexes: int, modified: int) -> None:
    """B5.141: 49 hexes are nine over forty and cost nothing."""
    assert ask("detection.check", crew="average", op_range=hexes, die=4)["modified_roll"] == modified


@pytest.mark.rule("B5.141", "D1.142")
@pytest.mark.parametrize(
    ("crew", "ewo", "target"),
    [("poor", "poor", 1), ("average", "average", 5), ("average", "elite", 7), ("elite", "veteran", 10)],
)
def test_the_ewo_changes_the_crews_target_number(crew: str, ewo: str, target: int) -> None:
    """D1.142: the EWO's ECM modifier is added to the crew quality number."""
    assert ask("detection.check", crew=crew, ewo=ewo, op_range=10, die=1)["target"] == target


@pytest.mark.rule("B5.141")
def test_only_a_disadvantage_in_ecm_counts() -> None:
    """B5.141: the better equipment gives nothing, each level of the worse adds one."""
    assert ranges.ecm_disadvantage(searcher=5, target=3) == 0
    assert ranges.ecm_disadvantage(searcher=3, target=5) == 2
    answer = ask("detection.check", crew="average", ecm_disadvantage=2, op_range=10, die=4)
    assert (answer["modified_roll"], answer["success"]) == (6, False)
    assert ask("detection.check", crew="average", ecm_disadvantage=1, op_range=10, die=4)["success"] is True


@pytest.mark.rule("B5.142")
def test_a_drone_shortens_the_range_for_bands_and_for_the_penalty() -> None:
    """B5.142: 81 hexes with one drone count as 76: scale/10 in range, penalty three."""
    assert "scale/10" in ask("detection.level", range=81, success=True, drones=1)["knows"]
    assert "scale/10" not in ask("detection.level", range=81, success=True, drones=0)["knows"]
    assert ask("detection.check", crew="average", op_range=81, drones=1, die=1)["modified_roll"] == 4
    assert ask("detection.check", crew="average", op_range=55, drones=1, die=1)["modified_roll"] == 2
    assert ask("detection.level", range=45, success=True, drones=1)["knows"][-1] == "exact"
    assert ask("detection.level", range=46, success=True, drones=1)["knows"][-1] == "scale/5"
    assert ranges.effective_range(12, drones=5) == 0


@pytest.mark.rule("B5.143")
@pytest.mark.parametrize(
    ("scale", "divisor", "bounds"), [(10, 10, (10, 20)), (9, 10, (0, 10)), (14, 5, (10, 15)), (7, 1, (7, 8))]
)
def test_a_scale_is_told_as_at_least_and_less_than(scale: int, divisor: int, bounds: tuple[int, int]) -> None:
    """B5.143: a scale of exactly ten is at least ten."""
    answer = ask("detection.report", scale=scale, divisor=divisor)
    assert (answer["at_least"], answer["less_than"]) == bounds


@pytest.mark.rule("B5.143")
def test_a_scale_over_another_number_is_not_told() -> None:
    """B5.143: there are three rows."""
    with pytest.raises(ProblemsError):
        ranges.scale_bounds(10, 3)


@pytest.mark.rule("B5.144")
def test_lacs_are_seen_at_a_quarter_and_tire_the_search_from_ten_hexes() -> None:
    """B5.144: exact scale at 10 hexes, +1 for each full ten over ten."""
    assert ask("detection.range", event_range=40, target="lac")["hexes"] == 10
    assert ask("detection.check", crew="average", op_range=25, target="lac", die=4)["modified_roll"] == 5
    assert ask("detection.check", crew="average", op_range=19, target="lac", die=4)["modified_roll"] == 4
    assert ask("detection.level", range=25, target="lac", success=True)["knows"] == ["presence", "acceleration"]


@pytest.mark.rule("B5.145")
def test_a_wedge_that_is_down_is_seen_at_a_tenth() -> None:
    """B5.145: presence at 12 hexes, exact scale at 4; of LACs at 3 and 1."""
    assert ask("detection.range", event_range=60, target="wedge_down")["hexes"] == 6
    assert ask("detection.range", event_range=120, target="lac_wedge_down")["hexes"] == 3
    assert ask("detection.level", range=12, target="wedge_down", success=True)["knows"] == ["presence"]
    assert ask("detection.level", range=13, target="wedge_down", success=True)["knows"] == []
    assert len(ask("detection.level", range=1, target="lac_wedge_down", success=True)["knows"]) == 5


@pytest.mark.rule("B5.142")
def test_the_desk_names_the_window_to_search() -> None:
    """B5.142: one AVID window a ship and turn."""
    answer = ask("detection.window", vectors={"B": 40, "C": 30, "+": 20})
    assert answer == {"window": "B/C blue+", "windows": ["B/C blue+"], "range": 72}
    reply = desk_answer(ruleset=DESK, procedure="detection.window", document={"vectors": {"A": 3, "D": 3}})
    assert reply["error"]["code"] == "no-bearing"


@pytest.mark.rule("B5.141", "B5.144")
@given(st.integers(-2, 12), st.sampled_from(list(Target)))
def test_the_longest_range_with_a_margin_is_where_the_check_begins_to_fail(margin: int, target: Target) -> None:
    """B5.141: found by trying every range."""
    reach = ranges.detection_hexes(120, target)
    passes = [hexes for hexes in range(reach + 1) if ranges.search_check(margin, 0, hexes, target=target).success]
    assert ranges.longest_with_margin(margin, target) == max(passes, default=-1)
