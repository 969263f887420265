"""Declarations, the state in which ships begin, results and the reveal: D3.2, D3.3, D3.4."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.grades import ShipGrades
from campaign.rulebooks.saganami.patrol_declaring import miracle_side, ready_ships
from campaign.rulebooks.saganami.patrol_ending import facts_digest
from campaign.rulebooks.saganami.patrol_measure import measure
from campaign.rulebooks.saganami.patrol_opening import load_opening
from campaign.rulebooks.saganami.patrol_view import revealed_view
from tests.campaign.rulebooks.saganami.patrol_scenes import (
    LIBRARY,
    Table,
    agreement,
    automatic,
    facts_of,
    with_cards,
)


def problems(error: pytest.ExceptionInfo[ProblemsError]) -> set[str]:
    """Return the codes of a refusal."""
    return {one.code for one in error.value.problems}


def settled(table: Table, facts: dict[str, Any], **accounts: dict[str, Any]) -> dict[str, Any]:
    """Report, sign, and return the score."""
    table.do("attacker", "report", facts=facts, account=accounts.get("attacker", {}))
    digest = facts_digest(table.scenario.facts)  # type: ignore[arg-type]
    table.do("defender", "sign", digest=digest, account=accounts.get("defender", {}))
    assert table.scenario.score is not None
    return dict(table.scenario.score)


@pytest.mark.rule("D3.2/A", "D3.2/10", "D3.2/2", "D3.3/J", "D3.3/4", "D3.3/3", "D3.3/2")
def test_missions_that_name_ships_refuse_what_may_not_be_named() -> None:
    """The wrong number, the wrong side, a class twice, officers of nobody."""
    for card in ("10S", "2S"):
        table = with_cards(card, "8S").to_set_up()
        key = "D3.2/10" if card == "10S" else "D3.2/2"
        own = table.scenario.attacker.ships[0].ship
        with pytest.raises(ProblemsError) as error:
            table.do("attacker", "declare", targets={key: [own, own, own, own], "D3.3/J": [own]}, cronies=["helm"])
        assert problems(error) >= {"wrong-number", "unknown-ship", "not-asked"}
        with pytest.raises(ProblemsError) as error:
            table.do("attacker", "done")
        assert problems(error) == {"not-declared"}
    table = with_cards("9S", "2H").to_set_up()
    second = table.view("defender")["declaring"]["asked"][0]["among"][0]
    with pytest.raises(ProblemsError) as error:
        table.do("defender", "declare", targets={"D3.3/2": [second]}, cronies=["crew", "helm", "helm"])
    assert problems(error) == {"not-an-officer", "not-two"}


@pytest.mark.rule("D3.3/J", "D3.3/4", "D3.3/3", "D3.3/2")
def test_ships_begin_as_their_missions_leave_them() -> None:
    """Elite, poor, wounded, short of missiles; what was paid for them stays."""
    table = with_cards("9S", "JS").to_set_up().to_battle()
    lemon = next(one for one in ready_ships(table.scenario, "defender", LIBRARY) if one.hull.bought.stage == "lemon")
    if lemon.ship_class.officer_cost:
        assert (lemon.grades.tactical, lemon.grades.crew) == ("elite", "elite")
    table = with_cards("9S", "4S").to_set_up().to_battle()
    named = table.scenario.defender.declared.targets["D3.3/4"]  # type: ignore[union-attr]
    for one in ready_ships(table.scenario, "defender", LIBRARY):
        if one.hull.ship in named and one.ship_class.officer_cost:
            assert one.grades.crew == "poor"
        if one.ship_class.track("port.mag") is not None:
            assert one.spent["port.mag"] == len(one.ship_class.track("port.mag").boxes) // 2  # type: ignore[union-attr]
    assert all(not one.spent for one in ready_ships(table.scenario, "attacker", LIBRARY))
    table = with_cards("9S", "3S").to_set_up().to_battle()
    named = table.scenario.defender.declared.targets["D3.3/3"]  # type: ignore[union-attr]
    wounded = {one.hull.ship for one in ready_ships(table.scenario, "defender", LIBRARY) if one.damage}
    assert wounded <= set(named) and wounded
    table = with_cards("9S", "2H").to_set_up().to_battle()
    declared = table.scenario.defender.declared
    cost = table.scenario.defender.spent
    ship = next(one for one in ready_ships(table.scenario, "defender", LIBRARY)
                if one.hull.ship in declared.targets["D3.3/2"])  # type: ignore[union-attr]  # fmt: skip
    if ship.ship_class.officer_cost:
        assert [ship.grades.of(post) for post in declared.cronies] == ["poor", "poor"]  # type: ignore[union-attr,arg-type]
        assert ship.grades != ShipGrades()
    assert table.scenario.defender.spent == cost


@pytest.mark.rule("D3.41")
def test_a_result_is_refused_with_every_problem_and_tells_nothing_of_missions() -> None:
    """Unknown and missing ships, impossible numbers, at the places of the result."""
    table = with_cards("10S", "3S").to_set_up().to_battle()
    ship = table.scenario.attacker.ships[0].ship
    facts = facts_of(table)
    del facts["ships"][ship]
    facts["ships"]["ghost"] = {}
    enemy = table.scenario.defender.ships[0].ship
    facts["ships"][enemy] = {"boxes_lost": 9999, "left_turn": 40, "is_past_enemy": True}
    facts["attacker_disengaged"] = 99
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "report", facts=facts, account={"spy_act": "freeze", "close_turns": [["x"]] * 20})
    places = {(one.code, one.place) for one in error.value.problems}
    assert places >= {
        ("missing", f"/ships/{ship}"),
        ("unknown-ship", "/ships/ghost"),
        ("more-than-all", f"/ships/{enemy}/boxes_lost"),
        ("out-of-range", f"/ships/{enemy}/left_turn"),
        ("not-disengaged", f"/ships/{enemy}/is_past_enemy"),
        ("out-of-range", "/attacker_disengaged"),
        ("no-spy", "/account/spy_act"),
        ("out-of-range", "/account/close_turns"),
        ("unknown-ship", "/account/close_turns/0/0"),
    }
    assert table.scenario.facts is None


@pytest.mark.rule("D3.41", "D3.4")
def test_both_sides_sign_the_same_result_before_anything_is_laid_open() -> None:
    """A new report takes the other's signature away; an old digest is refused; then the score stands for ever."""
    table = with_cards("9S", "8S").to_set_up().to_battle()
    with pytest.raises(ProblemsError) as error:
        table.do("defender", "sign", digest="0" * 64)
    assert problems(error) == {"nothing-reported"}
    table.do("attacker", "report", facts=facts_of(table))
    first = facts_digest(table.scenario.facts)  # type: ignore[arg-type]
    facts = facts_of(table)
    for hull in table.scenario.defender.ships:
        facts["ships"][hull.ship] = {"fate": "destroyed", "left_turn": 7}
    table.do("defender", "report", facts=facts)
    assert table.scenario.stage == "battle"
    assert table.view("attacker")["report"]["signed"] == {"attacker": False, "defender": True}
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "sign", digest=first)
    assert problems(error) == {"other-result"}
    table.do("attacker", "sign", digest=table.view("attacker")["report"]["digest"])
    assert table.scenario.stage == "revealed"
    score = table.scenario.score
    assert score is not None
    points = score["sides"][0]["points"]
    lost = sum(hull.cost for hull in table.scenario.defender.ships)
    assert points == -(-lost * 120 // 100)  # the deep strike's fifth on top
    assert score["winner"] == "attacker"
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "report", facts=facts)
    assert problems(error) == {"revealed"}
    shown = revealed_view(table.scenario, LIBRARY)
    assert shown["sides_open"]["defender"]["missions"][0]["key"] == "space-superiority"
    assert any(entry["act"] == "deck" for entry in shown["log"])


@pytest.mark.rule("D3.2/A", "D3.2/2")
def test_what_a_side_alone_knows_counts_when_the_result_is_scored() -> None:
    """A hidden spy is worth five percent of the enemy's whole budget."""
    kept = with_cards("AS", "8S", more=("6S",)).to_set_up().to_battle()
    assert kept.scenario.attacker.mission_keys == ("spy", "space-superiority")
    whole = kept.scenario.budget("defender").final_total
    assert settled(kept, facts_of(kept))["sides"][0]["points"] == whole * 5 // 100
    acted = with_cards("AS", "8S", more=("6S",)).to_set_up().to_battle()
    assert settled(acted, facts_of(acted), attacker={"spy_act": "freeze"})["sides"][0]["points"] == 0
    watching = with_cards("2S", "8S").to_set_up().to_battle()
    targets = watching.scenario.attacker.declared.targets["D3.2/2"]  # type: ignore[union-attr]
    close = [list(targets), list(targets[:1])]
    lines = settled(watching, facts_of(watching), attacker={"close_turns": close})["sides"][0]["lines"]
    assert any("5 percent" in line["label"] for line in lines)


@pytest.mark.rule("D3.41")
def test_the_umpire_settles_a_battle_without_signatures() -> None:
    """And nobody else may."""
    table = with_cards("6S", "8S").to_set_up().to_battle()
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "rule", facts=facts_of(table))
    assert problems(error) == {"not-yours"}
    with pytest.raises(ProblemsError) as error:
        table.do("umpire", "rule", facts={"turns": 3, "ships": {}}, defender={"spy_act": "freeze"})
    assert problems(error) == {"missing", "no-spy"}
    table.do("umpire", "rule", facts=facts_of(table))
    assert table.scenario.score["margin"] == "draw"  # type: ignore[index]


def test_a_scenario_is_called_off_by_both_or_by_the_umpire() -> None:
    """It is laid open without a result."""
    table = Table()
    table.do("attacker", "call-off")
    assert table.scenario.stage == "first"
    assert table.view("defender")["sides"]["attacker"]["calls_off"]
    table.do("defender", "call-off")
    assert table.scenario.stage == "revealed" and table.scenario.score is None
    umpired = Table()
    umpired.do("umpire", "call-off")
    assert umpired.scenario.is_called_off
    alone = Table(defender={"faction": "morvane", "seat": "automatic"})
    alone.do("attacker", "call-off")
    assert alone.scenario.is_called_off


@pytest.mark.rule("D3.42", "D1.22")
def test_a_miracle_is_for_a_side_at_a_fifth_less_where_both_turned_it_on() -> None:
    """And only once the forces stand on the map."""
    deck = ["2S", "AS", "2H", "5D", "9C", "9D", *(r + s for s in "SHDC" for r in ("3", "6", "8", "7", "4", "J"))]
    for miracles in (True, False):
        table = Table("miracle", deck=deck, miracles=miracles).to_cards()
        table.do("attacker", "assign", multiplier="2S", time="9C", mission="2H")
        table.do("attacker", "done")
        table.do("defender", "assign", multiplier="AS", time="5D", mission="9D")
        table.do("defender", "done")
        table.to_set_up()
        assert miracle_side(table.scenario) is None
        table.to_battle()
        assert miracle_side(table.scenario) == ("attacker" if miracles else None)


@pytest.mark.rule("D3.112", "D3.12", "D3.14")
def test_measured_scenarios_keep_their_budgets_and_have_a_fight() -> None:
    """Sixty of them, over three budgets."""
    for base in (300, 600, 2500):
        sides = {role: {"faction": faction, "seat": "automatic"}
                 for role, faction in (("attacker", "kestra"), ("defender", "morvane"))}  # fmt: skip
        figures = measure(range(20), load_opening(agreement(base=base, **sides)), LIBRARY, f"measure-{base}")
        found = figures.as_document()
        assert (found["scenarios"], found["over_budget"], found["without_fight"]) == (20, 0, 0)
        assert found["most_hulls"] <= 12 and found["most_of_a_class"] <= 4
        assert sum(found["time_limits"].values()) == 40


def test_any_automatic_scenario_can_be_scored() -> None:
    """Whatever was drawn, a battle in which the first ships are lost gives an account."""
    for number in range(25):
        table = automatic(f"score-{number}")
        facts = facts_of(table)
        for role in ("attacker", "defender"):
            side = table.scenario.side(role)  # type: ignore[arg-type]
            facts["ships"][side.ships[0].ship] = {"fate": "destroyed", "left_turn": 5}
        table.do("umpire", "rule", facts=facts)
        assert table.scenario.score is not None
