"""A patrol scenario from the agreement to the battle: D3.1."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.engine.cards import CARDS
from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.patrol_acts import load_act
from campaign.rulebooks.saganami.patrol_opening import load_opening, open_scenario
from campaign.rulebooks.saganami.patrol_scenario import load_scenario
from tests.campaign.rulebooks.saganami.patrol_scenes import LIBRARY, RANKS, Table, agreement, automatic, with_cards


def codes(error: pytest.ExceptionInfo[ProblemsError]) -> list[tuple[str, str]]:
    """Return codes and places of a refusal."""
    return [(one.code, one.place) for one in error.value.problems]


def refused_opening(**changes: Any) -> list[tuple[str, str]]:
    """Return codes and places of what is wrong with an agreement."""
    with pytest.raises(ProblemsError) as error:
        open_scenario("x", load_opening(agreement(**changes)), LIBRARY, {})
    return codes(error)


@pytest.mark.rule("D3.11", "D3.111", "D3.112")
def test_an_agreement_is_refused_with_every_problem() -> None:
    """A budget of zero, negative, a million; a faction without ships that year; several at once."""
    for base, code in ((0, "no-budget"), (-5, "no-budget"), (1_000_000, "budget-too-large")):
        assert (code, "/base") in refused_opening(base=base)
    assert refused_opening(year=1700) == [("no-ships", "/attacker/faction"), ("no-ships", "/defender/faction")]
    assert refused_opening(defender={"faction": "nowhere"}) == [("no-ships", "/defender/faction")]
    assert refused_opening(base=50)[0] == ("nothing-affordable", "/attacker/faction")
    wrong = refused_opening(year=0, hulls=0, of_a_class=99, attacker={"faction": "kestra", "name": "a\nb"})
    assert {code for code, _ in wrong} >= {"out-of-range", "bad-name", "no-ships"}
    assert refused_opening(attacker={"faction": "kestra"}, bogus=1) == [("extra-forbidden", "/bogus")] or (
        "unknown-field", "/bogus") in refused_opening(bogus=1)  # fmt: skip


@pytest.mark.rule("D3.11")
def test_freighters_alone_are_no_patrol() -> None:
    """A faction whose ships have no weapon has nothing to send."""
    assert refused_opening(attacker={"faction": "free-traders"}) == [("no-ships", "/attacker/faction")]


@pytest.mark.rule("D3.13")
def test_a_typed_deck_is_refused_with_a_duplicate_a_stranger_and_too_few_cards() -> None:
    """Each at its place."""
    deck = [rank + suit for suit in "SH" for rank in RANKS]
    assert refused_opening(deck=["AS", *deck]) == [("card-twice", "/deck/1")]
    assert refused_opening(deck=["1S", *deck]) == [("not-a-card", "/deck/0")]
    assert refused_opening(deck=deck[:20]) == [("deck-too-short", "/deck")]
    assert ("deck-and-cards", "/deck") in refused_opening(deck=deck, cards="table")
    assert refused_opening(dice="table", defender={"faction": "morvane", "seat": "automatic"}) == [
        ("nobody-at-the-table", "/cards")
    ]


@pytest.mark.rule("D3.112", "D1.125")
def test_a_purchase_over_budget_by_one_point_is_refused() -> None:
    """360 points for the first purchase: what is left is 32 after these, and a class of 33 is out of reach."""
    table = Table(base=600)
    for key in ("sirocco", "sirocco"):
        table.do("attacker", "buy", ship_class=key)
    left = table.view("attacker")["shop"]["left"]
    dear = LIBRARY["petrel"].cost
    while left >= dear:
        table.do("attacker", "buy", ship_class="petrel" if left < 64 else "mistral")
        left = table.view("attacker")["shop"]["left"]
    for offer in table.view("attacker")["shop"]["offers"]:
        assert offer["is_open"] == (offer["cost"] <= left and not offer["is_struck"])
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "buy", ship_class="petrel")
    assert ("over-first-budget", "/ship_class") in codes(error)
    assert table.scenario.attacker.spent <= 360


@pytest.mark.rule("D3.112", "D1.12", "D1.125")
def test_typed_dice_set_the_grades_are_marked_and_may_make_a_ship_too_dear() -> None:
    """A ship that its grades make dearer than what is left is not bought, and its class is out for the stage."""
    plain = [2, 1] * 6
    elite = [10, 1] * 6
    table = Table(dice="table", base=600)
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "buy", ship_class="petrel")
    assert codes(error) == [("dice-missing", "/dice")]
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "buy", ship_class="petrel", dice=[11, *plain[1:]])
    assert error.value.problems[0].place == "/dice/0"
    table.do("attacker", "buy", ship_class="petrel", dice=elite)
    bought = table.scenario.attacker.purchases[0]
    assert set(bought.grades.as_document().values()) == {"elite"}
    assert bought.cost == 36 + sum(row[3] for row in LIBRARY["petrel"].officer_cost)
    entry = table.scenario.log[-1]
    assert entry.is_typed and entry.rolls[0]["typed"] and entry.rolls[0]["faces"] == elite
    table.do("attacker", "buy", ship_class="sirocco", dice=plain)
    table.do("attacker", "buy", ship_class="sirocco", dice=plain)
    left = table.view("attacker")["shop"]["left"]
    assert 36 <= left < 80
    while left >= 2 * 36:
        table.do("attacker", "buy", ship_class="petrel", dice=plain)
        left = table.view("attacker")["shop"]["left"]
    before = table.scenario.attacker.ships
    table.do("attacker", "buy", ship_class="mistral" if left >= 64 else "petrel", dice=elite)
    assert table.scenario.attacker.ships == before
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "buy", ship_class="mistral" if left >= 64 else "petrel", dice=plain)
    assert ("class-struck", "/ship_class") in codes(error)
    rolled = Table()
    with pytest.raises(ProblemsError) as error:
        rolled.do("attacker", "buy", ship_class="petrel", dice=plain)
    assert codes(error) == [("dice-not-typed", "/dice")]


@pytest.mark.rule("D3.112")
def test_no_force_is_many_copies_of_one_cheap_hull() -> None:
    """By hand or by the composer, hulls and repetition are bounded; room is kept for the lemons."""
    table = Table(base=5000)
    for _ in range(3):
        table.do("attacker", "buy", ship_class="petrel")
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "buy", ship_class="petrel")
    assert ("too-many-of-a-class", "/ship_class") in codes(error)
    table.do("attacker", "compose")
    table.do("attacker", "compose")
    assert len(table.scenario.attacker.ships) <= 10
    rich = automatic("rich", base=40_000)
    for role in ("attacker", "defender"):
        side = rich.scenario.side(role)  # type: ignore[arg-type]
        classes = [one.ship_class for one in side.purchases]
        assert len(classes) <= 12
        assert max(classes.count(key) for key in classes) <= 4


@pytest.mark.rule("D3.12")
def test_the_opponent_buys_a_tenth_for_each_side_and_must_where_it_can() -> None:
    """60 points of the other side's, of the other side's faction; it knows what it chose, and no more."""
    table = Table()
    table.both("compose")
    table.both("done")
    assert table.scenario.stage == "lemon"
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "done")
    assert codes(error) == [("tenth-unspent", "/ships")]
    view = table.view("attacker")
    assert view["shop"]["for"] == "defender" and view["shop"]["left"] == 60
    assert {offer["ship_class"] for offer in view["shop"]["offers"]} >= {"bramble", "nettle"}
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "buy", ship_class="adze")
    assert codes(error) == [("over-lemon-budget", "/ship_class")]
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "buy", ship_class="petrel")
    assert codes(error) == [("not-offered", "/ship_class")]
    table.do("attacker", "buy", ship_class="nettle")
    lemon = table.scenario.defender.purchases[-1]
    assert (lemon.ship_class, lemon.stage) == ("nettle", "lemon")
    assert [one["ship"] for one in table.view("attacker")["chosen_for_enemy"]] == [lemon.ship]
    assert table.view("defender")["force"][-1]["is_lemon"]


@pytest.mark.rule("D3.13")
def test_three_cards_each_are_dealt_alternately_from_a_shuffled_deck() -> None:
    """All 52 cards, six of them out."""
    table = Table().to_cards()
    deck = table.scenario.deck
    assert deck is not None
    assert sorted((*deck.pile, *deck.dealt)) == sorted(CARDS)
    pile = next(entry.cards for entry in table.scenario.log if entry.act == "deck")
    assert table.scenario.attacker.hand == pile[0:6:2]
    assert table.scenario.defender.hand == pile[1:6:2]
    assert Table("another").to_cards().scenario.attacker.hand != table.scenario.attacker.hand


@pytest.mark.rule("D3.13", "D3.14")
def test_cards_get_their_uses_once_and_set_budget_and_clock() -> None:
    """A card that is not held, or used twice, is refused; what lies cannot be changed."""
    table = with_cards("9S", "8S")
    side = table.scenario.attacker
    assert side.mission_keys == ("deep-strike",)
    assert table.scenario.budget("attacker").final_total == 600
    assert table.view("attacker")["time_limit"] == side.assignment.turns  # type: ignore[union-attr]
    fresh = Table().to_cards()
    hand = fresh.scenario.attacker.hand
    with pytest.raises(ProblemsError) as error:
        fresh.do("attacker", "assign", multiplier=hand[0], time=hand[0], mission="ZZ")
    assert codes(error) == [("not-in-hand", "/mission"), ("card-used-twice", "/time")]
    with pytest.raises(ProblemsError) as error:
        fresh.do("attacker", "done")
    assert codes(error) == [("not-laid-down", "/cards")]
    fresh.do("attacker", "assign", multiplier=hand[0], time=hand[1], mission=hand[2])
    with pytest.raises(ProblemsError) as error:
        fresh.do("attacker", "assign", multiplier=hand[1], time=hand[0], mission=hand[2])
    assert codes(error) == [("laid-down", "")]


@pytest.mark.rule("D3.13", "D3.2/K", "D3.2/A")
def test_further_cards_and_choices_are_asked_for_in_turn() -> None:
    """A king, then an ace taken as the attacker's spy, then the spy's true mission."""
    top = ["KS", "8S", "5C", "5D", "9C", "9D", "AS", "KD", "3C"]
    deck = [*top, *(card for card in CARDS if card not in top)]
    table = Table(deck=deck).to_cards()
    table.do("attacker", "assign", multiplier="5C", time="9C", mission="KS")
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "done")
    assert codes(error) == [("card-needed", "/cards")]
    table.do("attacker", "draw")
    assert table.view("attacker")["cards_held"]["needs"] == "choice"
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "choose", listed="attacker", rank="5")
    assert codes(error) == [("not-an-option", "/rank")]
    table.do("attacker", "choose", listed="attacker", rank="A")
    assert table.view("attacker")["cards_held"]["needs"] == "card"
    table.do("attacker", "draw")
    table.do("attacker", "draw")
    assert table.scenario.attacker.mission_keys == ("spy", "economy-of-force")
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "draw")
    assert codes(error) == [("no-draw", "")]
    assert all(entry.is_typed for entry in table.scenario.log if entry.act in ("deck", "deal", "draw"))


@pytest.mark.rule("D3.13")
def test_one_card_may_be_drawn_to_conceal_and_the_other_side_counts_it() -> None:
    """What the count tells is the same as for a mission that needs the card."""
    table = with_cards("9S", "10S", more=("8D",))
    assert table.view("attacker")["sides"]["defender"]["cards_drawn"] == 4
    concealed = Table(deck=["9S", "10S", "5C", "5D", "9C", "9D", *(c for c in CARDS if c not in
                      ("9S", "10S", "5C", "5D", "9C", "9D"))]).to_cards()  # fmt: skip
    concealed.do("attacker", "assign", multiplier="5C", time="9C", mission="9S")
    concealed.do("attacker", "draw")
    assert concealed.scenario.attacker.mission_keys == ("deep-strike",)
    assert concealed.view("defender")["sides"]["attacker"]["cards_drawn"] == 4
    with pytest.raises(ProblemsError) as error:
        concealed.do("attacker", "draw")
    assert codes(error) == [("no-draw", "")]


@pytest.mark.rule("D3.13")
def test_real_cards_are_typed_in_marked_and_refused_when_they_are_out() -> None:
    """A card already drawn, named twice, or no card; both sides count the attempts."""
    table = Table(cards="table").to_cards()
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "hand", cards=["AS", "AS", "1X"])
    assert codes(error) == [("card-twice", "/cards/1"), ("not-a-card", "/cards/2")]
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "hand", cards=["AS"])
    assert codes(error) == [("not-three", "/cards")]
    table.do("attacker", "hand", cards=["10s", "5C", "9C"])
    assert table.scenario.deck.physical == ("10S", "5C", "9C")  # type: ignore[union-attr]
    with pytest.raises(ProblemsError) as error:
        table.do("defender", "hand", cards=["10S", "5D", "9D"])
    assert codes(error) == [("card-already-drawn", "/cards/0")]
    for _ in range(3):
        table.do("defender", "collision")
    assert table.view("attacker")["sides"]["defender"]["collisions"] == 3
    with pytest.raises(ProblemsError) as error:
        table.do("defender", "hand", cards=["2S", "5D", "9D"])
    assert codes(error) == [("deck-in-doubt", "/cards")]
    assert table.scenario.log[-4].is_typed
    dealt = Table().to_cards()
    with pytest.raises(ProblemsError) as error:
        dealt.do("attacker", "hand", cards=["10S", "5C", "9C"])
    assert codes(error) == [("cards-not-typed", "/cards")]


@pytest.mark.rule("D3.14", "D4.0", "D4.11")
def test_options_come_out_of_the_rest_and_pods_need_their_year() -> None:
    """Refused over budget by a point, before 1905, and beyond a tenth of the force."""
    table = with_cards("9S", "8S", year=1906)
    ship = table.scenario.attacker.ships[0].ship
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "options", ship="nobody")
    assert codes(error) == [("unknown-ship", "/ship")]
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "options", ship=ship, pods=99, drones=500, parties=[[0, 0], [0, 2]])
    assert {code for code, _ in codes(error)} >= {"too-many-pods", "too-many-drones"}
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "options", ship=ship, pods=12)
    assert codes(error) == [("over-budget", "")]
    table.do("attacker", "options", ship=ship, pods=5)
    assert "too-many-pods" in {one["code"] for one in table.view("attacker")["checks"]}
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "done")
    assert {code for code, _ in codes(error)} == {"too-many-pods"}
    table.do("attacker", "options", ship=ship, pods=1)
    bill = table.scenario.attacker.ships[0].bought.options
    assert bill.pods == table.view("attacker")["budget"]["options_spent"]
    early = with_cards("9S", "8S", year=1903)
    with pytest.raises(ProblemsError) as error:
        early.do("attacker", "options", ship=early.scenario.attacker.ships[0].ship, pods=1)
    assert codes(error) == [("not-in-service", "/pods")]


@pytest.mark.rule("D2.12")
def test_ships_start_around_opposite_corners_with_vectors_up_to_five() -> None:
    """One side has the height; both sides' places are shown to the other when both are done."""
    table = with_cards("9S", "8S").to_set_up()
    corner = table.view("attacker")["set_up"]["corner"]
    assert {table.view(role)["set_up"]["corner"]["z"] for role in ("attacker", "defender")} == {0, 12}
    ship = table.scenario.attacker.ships[0].ship
    far = {"at": {**corner, "q": corner["q"] + 6}, "vectors": {"A": 6}}
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "place", starts={ship: far, "nobody": far})
    assert {code for code, _ in codes(error)} == {"too-far-from-corner", "too-fast", "unknown-ship"}
    near = {"at": {**corner, "q": corner["q"] + 5}, "vectors": {"A": 5}}
    table.do("attacker", "place", starts={ship: near})
    assert table.view("defender")["enemy"][0]["start"] is None
    table.to_battle()
    assert next(one for one in table.view("defender")["enemy"] if one["ship"] == ship)["start"] == near


def test_acts_out_of_turn_are_refused() -> None:
    """At another stage, after being done, by the wrong hand, in a form that is none."""
    table = Table()
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "draw")
    assert codes(error) == [("wrong-stage", "")]
    table.do("attacker", "compose")
    table.do("attacker", "done")
    with pytest.raises(ProblemsError) as error:
        table.do("attacker", "compose")
    assert codes(error) == [("already-done", "")]
    with pytest.raises(ProblemsError) as error:
        table.do("umpire", "buy", ship_class="petrel")
    assert codes(error) == [("not-yours", "/act")]
    for document, place in (
        ({"act": "fly"}, ""),
        ({"act": "buy"}, "/ship_class"),
        ([], ""),
        ({"act": "done", "x": 1}, "/x"),
    ):
        with pytest.raises(ProblemsError) as error:
            load_act(document)
        assert error.value.problems[0].place == place


def test_the_same_seeds_and_acts_give_the_same_scenario_and_its_document_reads_back() -> None:
    """To the last byte."""
    first, second = automatic("same"), automatic("same")
    assert first.scenario == second.scenario
    assert load_scenario(first.scenario.as_document()) == first.scenario
    assert automatic("other").scenario.attacker != first.scenario.attacker


def test_every_roll_can_be_recomputed_from_its_seed_and_address() -> None:
    """Each line's faces follow from the side's seed and nonce and the address that stands with them."""
    from campaign.engine.dice import Stream, canonical, turn_keys

    table = Table("recompute")
    table.do("attacker", "take", name="Cinder", nonce="a word of mine")
    table.do("attacker", "buy", ship_class="petrel")
    keys = turn_keys({"attacker": table.seeds["attacker"]}, {"attacker": "a word of mine"})
    rolls = table.scenario.log[-1].rolls
    assert [roll["address"][5] for roll in rolls] == ["grades", "hull-number"]
    for roll in rolls:
        stream = Stream(keys["attacker"], canonical(roll["address"]))
        sides = 10 if roll["address"][5] == "grades" else 250
        assert [stream.die(sides) for _ in roll["faces"]] == roll["faces"]
