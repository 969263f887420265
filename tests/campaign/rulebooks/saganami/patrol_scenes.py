"""Patrol scenarios for tests: a library, seeds, and a table at which acts are done one by one."""

from __future__ import annotations

from typing import Any

from campaign.rulebooks.saganami.patrol import Role
from campaign.rulebooks.saganami.patrol_acts import load_act, perform
from campaign.rulebooks.saganami.patrol_measure import seeds_from
from campaign.rulebooks.saganami.patrol_opening import load_opening, open_scenario
from campaign.rulebooks.saganami.patrol_opponent import play_automatic
from campaign.rulebooks.saganami.patrol_scenario import Scenario
from campaign.rulebooks.saganami.patrol_view import view_for
from tests.campaign.rulebooks.saganami.ship_class_fixtures import ship_class

KEYS = (
    "petrel",
    "mistral",
    "sirocco",
    "fastnet",
    "gannet",
    "bramble",
    "adze",
    "mattock",
    "nettle",
    "carrick",
    "tamrin",
)
LIBRARY = {key: ship_class(key) for key in KEYS}
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")


def agreement(**changes: Any) -> dict[str, Any]:
    """Return an agreement of Kestra against Morvane over 600 points."""
    document: dict[str, Any] = {"attacker": {"faction": "kestra"}, "defender": {"faction": "morvane"}}
    return {**document, **changes}


class Table:
    """A scenario on the table, and its seeds."""

    def __init__(self, seed: str = "table", **changes: Any) -> None:
        self.seeds = seeds_from(seed)
        self.scenario: Scenario = open_scenario(seed, load_opening(agreement(**changes)), LIBRARY, {})

    def do(self, role: str, act: str, **fields: Any) -> Scenario:
        """Do one act."""
        self.scenario = perform(self.scenario, role, load_act({"act": act, **fields}), LIBRARY, self.seeds)
        return self.scenario

    def both(self, act: str, **fields: Any) -> None:
        """Do the same act for both sides."""
        for role in ("attacker", "defender"):
            self.do(role, act, **fields)

    def view(self, role: Role) -> dict[str, Any]:
        """Return a side's view."""
        return view_for(self.scenario, role, LIBRARY)

    def to_cards(self) -> Table:
        """Buy the first ships and the lemons with the composer."""
        for _ in range(2):
            self.both("compose")
            self.both("done")
        return self

    def lay(self, role: Role, mission: str = "", more: tuple[str, ...] = ()) -> None:
        """Lay a side's cards down, with that card as the mission (the last one unless told); draw and choose on."""
        hand = self.scenario.side(role).hand
        wanted = mission or hand[-1]
        rest = [card for card in hand if card != wanted]
        self.do(role, "assign", multiplier=rest[0], time=rest[1], mission=wanted)
        drawn = list(more)
        while (needs := self.view(role)["cards_held"]["needs"]) != "":
            if needs == "card":
                self.do(role, "draw", **({"card": drawn.pop(0)} if drawn else {}))
            else:
                first = self.view(role)["cards_held"]["options"][0]
                self.do(role, "choose", listed=first["listed"], rank=first["rank"])
        self.do(role, "done")

    def to_set_up(self) -> Table:
        """Spend the rest with the composer; an arm of a pincer is named as the view proposes."""
        for role in ("attacker", "defender"):
            self.do(role, "compose")
            self.name_what_is_asked(role)
            self.do(role, "done")
        return self

    def name_what_is_asked(self, role: Any) -> None:
        """Declare what a side's view proposes, where it is asked for anything."""
        declaring = self.view(role)["declaring"]
        if declaring["asked"]:
            targets = {one["rule"]: declaring["targets"][one["rule"]] for one in declaring["asked"]}
            self.do(role, "declare", targets=targets, cronies=declaring["cronies"])

    def to_battle(self) -> Table:
        """Declare and place as proposed."""
        for role in ("attacker", "defender"):
            self.name_what_is_asked(role)
            self.do(role, "done")
        return self


def with_cards(
    attacker: str, defender: str, *, more: tuple[str, ...] = (), seed: str = "table", **changes: Any
) -> Table:
    """Return a table before the rest of the budget, the missions drawn from these cards of a typed deck.

    Both sides have a five and a nine beside their mission card; ``more`` are the cards drawn after, in order.
    """
    top = [attacker, defender, "5C", "5D", "9C", "9D", *more]
    rest = [rank + suit for suit in "SHDC" for rank in RANKS if rank + suit not in top]
    table = Table(seed, deck=[*top, *rest], **changes).to_cards()
    table.lay("attacker", attacker)
    table.lay("defender", defender)
    return table


def automatic(seed: str = "auto", **changes: Any) -> Table:
    """Return a table at which both sides are automatic, brought to the battle."""
    sides = {role: {"faction": faction, "seat": "automatic"}
             for role, faction in (("attacker", "kestra"), ("defender", "morvane"))}  # fmt: skip
    table = Table(seed, **{**sides, **changes})
    table.scenario, _ = play_automatic(table.scenario, LIBRARY, table.seeds)
    return table


def facts_of(table: Table, **ships: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a battle of twelve turns in which all fought to the end but for what is told."""
    every = [hull.ship for role in ("attacker", "defender") for hull in table.scenario.side(role).ships]  # type: ignore[arg-type]
    return {"turns": 12, "ships": {ship: ships.get(ship.replace("-", "_"), {}) for ship in every}}
