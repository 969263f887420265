"""What a side of a patrol scenario may know: nothing of the other's cards, purchases, grades, options and arms."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.patrol_opponent import choice_dice, next_act
from tests.campaign.rulebooks.saganami.patrol_scenes import LIBRARY, Table, automatic, facts_of, with_cards


def seen(table: Table, role: Any) -> str:
    """Return a side's view as text."""
    return json.dumps(table.view(role), sort_keys=True)


@pytest.mark.rule("D3.13")
def test_a_view_is_the_same_whatever_the_other_side_bought_and_drew() -> None:
    """Two worlds that differ in the defender's secrets alone, compared at each stage before the forces meet."""
    worlds = []
    for buys, mission in ((("adze", "adze"), "8S"), (("mattock", "bramble", "nettle"), "4H")):
        rest = ["9S", mission, "5C", "5D", "9C", "9D"]
        deck = [*rest, *(r + s for s in "SHDC" for r in ("A", "K", "J", "7", "6", "3", "2", "10") if r + s not in rest)]
        table = Table("worlds", deck=deck)
        views = []
        table.do("attacker", "compose")
        for key in buys:
            table.do("defender", "buy", ship_class=key)
        views.append(seen(table, "attacker"))
        table.both("done")
        table.do("attacker", "compose")
        table.do("defender", "compose")
        views.append(seen(table, "attacker"))
        table.both("done")
        table.lay("attacker", "9S")
        table.lay("defender", mission)
        views.append(seen(table, "attacker"))
        table.do("attacker", "compose")
        table.do("defender", "options", ship=table.scenario.defender.ships[0].ship, parties=[])
        views.append(seen(table, "attacker"))
        worlds.append(views)
    assert worlds[0] == worlds[1]


@pytest.mark.rule("D3.13")
def test_a_view_after_the_forces_met_shows_names_and_classes_and_nothing_else() -> None:
    """No grade, no option, no cost, no mission, no time limit, no target."""
    table = with_cards("10S", "3S").to_set_up().to_battle()
    for row in table.view("attacker")["enemy"]:
        assert set(row) == {"ship", "name", "ship_class", "class_name", "type", "tons", "is_lemon", "start"}
    text = seen(table, "attacker")
    assert "wounded" not in text.lower()
    assert "vendetta" not in seen(table, "defender").lower()
    assert all(entry["by"] == "attacker" for entry in table.view("attacker")["log"] if entry["act"] != "height")


@pytest.mark.rule("D3.3/K")
def test_the_arm_of_a_pincer_is_not_seen_before_a_result_names_it() -> None:
    """Neither in the list of the enemy nor in numbers that leave a gap; and nobody is asked what became of it."""
    table = with_cards("9S", "KS").to_set_up()
    arm = table.scenario.defender.declared.targets["D3.3/K"]  # type: ignore[union-attr]
    assert arm and not any(hull.bought.stage == "lemon" for hull in table.scenario.defender.ships if hull.ship in arm)
    table.to_battle()
    assert 1 <= table.scenario.defender.pincer_turn <= 10  # type: ignore[operator]
    assert table.view("defender")["set_up"]["away"] == list(arm)
    assert not set(arm) & set(table.view("defender")["set_up"]["starts"])
    text = seen(table, "attacker")
    assert not any(json.dumps(ship) in text for ship in arm)
    facts = facts_of(table)
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "report", facts=facts)
    assert {one.code for one in error.value.problems} == {"unknown-ship"}
    known = {ship: its for ship, its in facts["ships"].items() if ship not in arm}
    table.do("attacker", "report", facts={**facts, "ships": known})
    table.do("defender", "report", facts=facts)
    assert set(arm) <= {row["ship"] for row in table.view("attacker")["enemy"]}


@pytest.mark.rule("D3.3/K")
def test_an_arm_is_named_with_the_last_purchase_and_must_still_fit_when_that_is_done() -> None:
    """A third of the points, with no ship to spare."""
    table = with_cards("9S", "KS")
    with pytest.raises(ProblemsError) as error:
        table.do("defender", "done")
    assert [one.code for one in error.value.problems] == ["not-declared"]
    everybody = [hull.ship for hull in table.scenario.defender.ships]
    with pytest.raises(ProblemsError) as error:
        table.do("defender", "declare", targets={"D3.3/K": everybody, "D3.3/3": everybody[:1]})
    assert {one.code for one in error.value.problems} == {"nobody-left", "not-asked"}
    table.name_what_is_asked("defender")
    table.do("defender", "compose")
    with pytest.raises(ProblemsError) as error:
        table.do("defender", "done")
    assert [one.code for one in error.value.problems] == ["too-few"]


def test_the_automatic_opponent_decides_from_its_own_view_alone() -> None:
    """The same act in two worlds that differ in what is hidden from it."""
    acts = []
    for key in ("petrel", "sirocco"):
        table = Table("blind", defender={"faction": "morvane", "seat": "automatic"})
        table.do("attacker", "buy", ship_class=key)
        dice = choice_dice(table.scenario, "defender", table.seeds, 0)
        acts.append(next_act(table.view("defender"), dice, LIBRARY))
    assert acts[0] == acts[1] == {"act": "compose"}


def test_two_automatic_sides_bring_every_scenario_to_a_battle() -> None:
    """Thirty of them, with every stage's demands met."""
    for number in range(30):
        table = automatic(f"battle-{number}")
        assert table.scenario.stage == "battle"
        for role in ("attacker", "defender"):
            assert table.scenario.side(role).starts  # type: ignore[arg-type]
