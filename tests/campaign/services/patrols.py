"""Patrol scenarios in the database, for the tests of services, pages, API and papers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from campaign.models import PatrolScenario
from campaign.services.fixtures import fixtures_root, ship_class_import, toml_read
from campaign.services.patrol import patrol_act, patrol_open, patrol_seat, patrol_take, patrol_view

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
KEYS = ("petrel", "mistral", "sirocco", "fastnet", "gannet", "bramble", "adze", "mattock", "nettle", "carrick")


def library_patrol() -> None:
    """Put the small classes of two nations, and a freighter, into the library."""
    for key in KEYS:
        path = fixtures_root() / "ship_classes" / "saganami" / f"{key}.toml"
        ship_class_import(ruleset="saganami", document=toml_read(path))


def agreement(**changes: Any) -> dict[str, Any]:
    """Return an agreement of Kestra against Morvane."""
    document: dict[str, Any] = {
        "attacker": {"faction": "kestra", "name": "Raid Group Cinder"},
        "defender": {"faction": "morvane", "name": "Picket Four"},
    }
    return {**document, **changes}


@dataclass
class Game:
    """A stored scenario and the secrets of its seats."""

    row: PatrolScenario
    secrets: dict[str, str] = field(default_factory=dict)
    invitations: dict[str, str] = field(default_factory=dict)

    def act(self, role: str, act: str, **fields: Any) -> None:
        """Do one act from a seat."""
        patrol_act(secret=self.secrets[role], document={"act": act, **fields}, now=NOW)
        self.row.refresh_from_db()

    def view(self, role: str) -> dict[str, Any]:
        """Return what a seat sees."""
        return patrol_view(patrol_seat(secret=self.secrets[role]))

    def buy_all(self, role: str) -> None:
        """Let the composer buy, and be done."""
        self.act(role, "compose")
        self.act(role, "done")

    def lay(self, role: str) -> None:
        """Lay the cards as they come, and draw and choose what they ask for."""
        first, second, third = (one["card"] for one in self.view(role)["cards_held"]["hand"])
        self.act(role, "assign", multiplier=first, time=second, mission=third)
        while needs := self.view(role)["cards_held"]["needs"]:
            if needs == "card":
                self.act(role, "draw")
            else:
                one = self.view(role)["cards_held"]["options"][0]
                self.act(role, "choose", listed=one["listed"], rank=one["rank"])
        self.act(role, "done")

    def declare(self, role: str) -> None:
        """Name what is asked for as the view proposes it."""
        declaring = self.view(role)["declaring"]
        if declaring["asked"]:
            targets = {one["rule"]: declaring["targets"][one["rule"]] for one in declaring["asked"]}
            self.act(role, "declare", targets=targets, cronies=declaring["cronies"])

    def play(self, *roles: str) -> Game:
        """Bring the scenario to its battle, from the seats of these roles."""
        for _ in ("first", "lemon"):
            for role in roles:
                self.buy_all(role)
        for role in roles:
            self.lay(role)
        for role in roles:
            self.act(role, "compose")
            self.declare(role)
            self.act(role, "done")
        for role in roles:
            self.declare(role)
            self.act(role, "done")
        return self

    def facts(self, role: str) -> dict[str, Any]:
        """Return the facts of twelve turns in which one ship of each force is lost."""
        view = self.view(role)
        own = [ship["ship"] for ship in view["force"]]
        enemy = [ship["ship"] for ship in view["enemy"]]
        ships: dict[str, Any] = {ship: {} for ship in (*own, *enemy)}
        for ship in (own[0], enemy[0]):
            ships[ship] = {"fate": "destroyed", "left_turn": 5}
        return {"turns": 12, "ships": ships}


def game_open(opener: str = "attacker", **changes: Any) -> Game:
    """Open a scenario; every invitation is taken."""
    opened = patrol_open(document=agreement(**changes), opener=opener, nonce="opener", now=NOW)
    game = Game(opened.row, {opener: opened.secret}, dict(opened.invitations))
    for role, secret in opened.invitations.items():
        _, game.secrets[role] = patrol_take(secret=secret, name="", nonce=role, now=NOW)
    game.row.refresh_from_db()
    return game


def solo(**changes: Any) -> Game:
    """Open a scenario against an automatic defender."""
    return game_open(defender={"faction": "morvane", "name": "Picket Four", "seat": "automatic"}, **changes)
