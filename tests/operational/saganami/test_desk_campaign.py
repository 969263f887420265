"""The campaign's rules desk: every procedure answers its own example, with the results it names."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.procedure import Procedure, answer
from operational.rules.saganami.desk_campaign import PROCEDURES

BY_NAME = {procedure.name: procedure for procedure in PROCEDURES}


def ask(name: str, **document: Any) -> dict[str, Any]:
    """Return the result of a procedure, or its error."""
    reply = answer(BY_NAME[name], document)
    found: dict[str, Any] = reply.get("result") or reply["error"]
    return found


@pytest.mark.parametrize("procedure", PROCEDURES, ids=lambda one: one.name)
def test_a_procedure_answers_its_example_with_every_result_it_names(procedure: Procedure) -> None:
    """The example is what the calculator page shows first."""
    reply = answer(procedure, procedure.example)
    assert "result" in reply, reply
    assert set(procedure.result) <= set(reply["result"])
    assert reply["rules"] == list(procedure.rules)


@pytest.mark.parametrize("procedure", PROCEDURES, ids=lambda one: one.name)
def test_a_procedure_refuses_a_field_it_does_not_know(procedure: Procedure) -> None:
    """Nothing is silently ignored."""
    reply = answer(procedure, {**dict(procedure.example or {}), "colour": "red"})
    assert reply["error"]["code"] == "unknown-field"
    assert reply["error"]["field"] == "colour"


def test_names_are_listed_once() -> None:
    """One procedure to a name."""
    assert len(BY_NAME) == len(PROCEDURES)


@pytest.mark.rule("D2.232")
def test_a_number_means_what_it_prints() -> None:
    """D2.232: 0.1 + 0.2 as written is three tenths; the difference is exact; a draw has no winner."""
    assert ask("victory.margin-band", difference=0.3)["margin"] == "minor-victory"
    assert ask("victory.margin", vp_a=3, cost_a=10, vp_b=0, cost_b=1)["margin"] == "minor-victory"
    assert ask("victory.margin", vp_a=1.1, cost_a=11, vp_b=0, cost_b=7) == {
        "margin": "draw",
        "winner": None,
        "ratio_a": 0.1,
        "ratio_b": 0,
        "difference": 0.1,
        "exact": "1/10",
    }
    assert ask("victory.margin", vp_a=0, cost_a=42, vp_b=50, cost_b=36)["winner"] == "b"
    assert ask("victory.margin", vp_a=13, cost_a=0, vp_b=5, cost_b=36)["field"] == "cost_a"
    assert ask("victory.margin-band", difference=-0.1)["field"] == "difference"


@pytest.mark.rule("D2.223")
def test_impossible_damage_is_an_error_with_its_field() -> None:
    """D2.223: more boxes gone than there are."""
    assert ask("victory.damage-points", cost=36, boxes=114, damaged=115)["field"] == "damaged"


@pytest.mark.rule("D1.12", "D1.131")
def test_dice_are_typed_or_seeded_and_counted() -> None:
    """Two to a roll, no more and no fewer."""
    assert ask("grades.initial", dice=[10], modifier=0)["code"] == "too-few-dice"
    assert ask("grades.anniversary", dice=[1, 1, 1], grade="elite")["code"] == "too-many-dice"
    assert ask("grades.anniversary", dice=[1, 1], grade="superb")["field"] == "grade"
    assert ask("grades.initial", seed="x") == ask("grades.initial", seed="x")


@pytest.mark.rule("D1.132")
def test_the_legendary_captains_review() -> None:
    """D1.132: E V A P A A has four categories to roll, at plus three."""
    held = dict(zip(["tactical", "ewo", "helm"], ["elite", "veteran", "poor"], strict=True))
    found = ask("grades.commander-review", taken="1905-12-31", level=3, grades=held)
    assert (found["rerolled"], found["modifier"], found["date"]) == ([2, 3, 4, 5], 3, "1906-02-28")
    assert ask("grades.commander-review", taken="1905-02-30", level=3)["field"] == "taken"


@pytest.mark.rule("D1.135")
def test_a_small_victory_has_no_review() -> None:
    """D1.135."""
    reply = ask("grades.victory-review", dice=[8, 1], margin="victory", grade="average")
    assert reply["code"] == "margin-too-small"


@pytest.mark.rule("A2.65")
def test_a_ship_cost_names_what_is_wrong_with_its_table() -> None:
    """A2.65: a poor cell that costs."""
    example = dict(BY_NAME["grades.ship-cost"].example or {})
    assert ask("grades.ship-cost", **example)["points"] == 126
    broken = {**example, "costs": {**example["costs"], "helm": [1, 0, 1, 2]}}
    assert ask("grades.ship-cost", **broken)["field"] == "costs.helm"


@pytest.mark.rule("D4.21")
def test_places_for_parties_are_judged_and_suggested() -> None:
    """D4.21."""
    rows = ["s*4 w s*4 w", "s*4 w s*4 w", "s*3 w"]
    found = ask("options.damage-control-parties", hull_rows=rows, places=[[0, 3]])
    assert (found["legal"], [one["code"] for one in found["problems"]]) == (False, ["next-to-a-party"])
    again = ask("options.damage-control-parties", hull_rows=rows, places=found["suggested"])
    assert again["legal"] is True
    assert ask("options.damage-control-parties", hull_rows=["s X"])["field"] == "hull_rows.0"


@pytest.mark.rule("D4.11", "D4.111")
def test_pods_before_their_year_are_not_allowed() -> None:
    """D4.111: none in 1904; none is always allowed."""
    assert ask("options.pod-share", book_value=600, pod_points=48, year=1904)["allowed"] is False
    assert ask("options.pod-share", book_value=600, pod_points=0, year=1904)["allowed"] is True
    assert ask("options.pod-share", book_value=600, pod_points=61)["allowed"] is False
    assert ask("options.pod-share", book_value=600, pod_points=61, historical=True)["most"] is None


@pytest.mark.rule("D3.13")
def test_a_mission_is_followed_through_its_draws() -> None:
    """D3.13: what is needed next, and the options by list and card."""
    first = ask("patrol.draw-mission", role="defender", cards=["QS"])
    assert (first["missions"], first["needs"], first["drawn"]) == ([], "card", 1)
    second = ask("patrol.draw-mission", role="defender", cards=["QS", "10H"])
    assert second["needs"] == "choice"
    assert {"listed": "attacker", "card": "10", "mission": "vendetta"} in second["options"]


@pytest.mark.rule("D3.41")
def test_a_patrol_score_names_its_missions_rules() -> None:
    """D3.41: the vendetta triples; a broken summary is refused at its place."""
    example = dict(BY_NAME["patrol.score"].example or {})
    found = ask("patrol.score", **example)
    assert found["winner"] == "red"
    assert [line["points"] for line in found["sides"][0]["lines"]] == [100, 200]
    assert ask("patrol.score", battle={**example["battle"], "base_budget": 0})["field"] == "battle.base_budget"
    assert ask("patrol.score", battle={**example["battle"], "turns": float("nan")})["code"] == "not-json"
