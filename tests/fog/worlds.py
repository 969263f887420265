"""Pairs of worlds that differ only in what one side cannot see, played through the services.

Everything that is random in the server (tokens, seeds, CSRF) and its clock are held still, so that
whatever the side gets must be the same byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Any

from django.contrib.auth.models import User

from campaign.engine.handoff import blank_report
from campaign.models import Campaign, Engagement, Seat, Turn
from campaign.selectors.archive import unpack
from campaign.services.campaigns import campaign_create
from campaign.services.engagements import bid_file, bidding_close, report_file
from campaign.services.fixtures import fixtures_root, ship_class_import, system_setup, toml_read
from campaign.services.orders import order_sheet_save, order_sheet_seal, sheet_for
from campaign.services.resolution import turn_publish
from campaign.services.turns import turn_amend, turn_change, turn_lock
from tests.campaign.services.setups import NOW, run_jobs

CLASSES = ("adze", "petrel", "bramble")
TURNS = 3
AWAY = "D yellow"
TOWARDS = "A yellow"

Change = Callable[["Plot"], None]
Mix = tuple[Change, ...]


class Still:
    """Stands in for ``secrets`` in the tokens: every value is the next of one series, so two worlds draw alike."""

    def __init__(self) -> None:
        self._letters = count()
        self._seeds = count()

    def choice(self, alphabet: str) -> str:
        """Return a letter."""
        return alphabet[sha256(f"letter {next(self._letters)}".encode()).digest()[0] % len(alphabet)]

    def token_hex(self, length: int) -> str:
        """Return a seed."""
        return sha256(f"seed {next(self._seeds)}".encode()).hexdigest()[: 2 * length]

    def token_urlsafe(self, length: int) -> str:
        """Return a secret."""
        return self.token_hex(length)


@dataclass
class Plot:
    """A world to be played: its set-up, each side's sheets by turn, and what else the others and the GM do."""

    setup: dict[str, Any]
    sheets: dict[str, dict[int, dict[str, Any]]] = field(default_factory=dict)
    late: set[str] = field(default_factory=set)
    doctrines: dict[str, str] = field(default_factory=dict)
    changes: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    amendments: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    bid: dict[str, int] | None = None
    after: list[Callable[[Campaign, int], None]] = field(default_factory=list)

    def side(self, table: str, key: str) -> dict[str, Any]:
        """Return a force, ship or side of the set-up by id."""
        return next(row for row in self.setup[table] if row.get("id", row.get("key")) == key)

    def add(self, side: str, name: str, at: Mapping[str, int], system: str = "lantern", **fields: Any) -> None:
        """Add a force of one ship."""
        self.setup["ships"].append({"id": f"s{name}", "side": side, "name": f"Ship {name}", "class": "adze"})
        force = {"id": f"f{name}", "side": side, "name": f"Force {name}", "system": system, "ships": [f"s{name}"]}
        self.setup["forces"].append({**force, "at": dict(at), **fields})

    def make_dummy(self, name: str) -> None:
        """Let nothing be behind a force but its guise."""
        force = self.side("forces", f"f{name}")
        force.update(ships=[], dummy=True, thrust=3, guise=["adze"])
        self.setup["ships"] = [ship for ship in self.setup["ships"] if ship["id"] != f"s{name}"]


def plot() -> Plot:
    """Return Kestra's home guard and decoy; a Morvane force far ahead of it, and one in another system."""
    made = Plot(
        {
            "ruleset": "saganami",
            "epoch": "1906-03-01T00:00",
            "sides": [
                {"key": "kestra", "name": "Kestran Commonwealth"},
                {"key": "morvane", "name": "Morvane Directorate"},
                {"key": "tessaly", "name": "Tessaly"},
            ],
            "systems": [{**system_setup("lantern"), "defender": "kestra"}, system_setup("saltmere")],
            "ships": [],
            "forces": [],
            "class_keys": list(CLASSES),
        }
    )
    made.add("kestra", "k1", {"A": 10}, velocity={"A": 3})
    made.add("kestra", "k2", {"C": 20})
    made.add("kestra", "k3", {"E": 20})
    made.make_dummy("k3")
    made.add("morvane", "m1", {"A": 100}, velocity={"D": 3})
    made.add("morvane", "m2", {"B": 30}, system="saltmere")
    made.add("tessaly", "t1", {"E": 90}, system="saltmere")
    made.sheets["kestra"] = {
        turn: {
            "forces": {"fk1": {"thrust": {"A": 1}}},
            "search": [{"ship": "sk1", "window": AWAY, "drones": 1}, {"ship": "sk2", "window": AWAY}],
        }
        for turn in range(1, TURNS + 1)
    }
    return made


def played(made: Plot) -> Campaign:
    """Play a world for some turns; Kestra's commander, an observer beside him, and the GM are there."""
    for key in CLASSES:
        ship_class_import(
            ruleset="saganami", document=toml_read(fixtures_root() / "ship_classes" / "saganami" / f"{key}.toml")
        )
    gm = User.objects.create(username="gm")
    campaign = campaign_create(gm=gm, name="War in the dark", setup=made.setup, now=NOW)
    for side in campaign.sides.all():
        user = User.objects.create(username=side.key)
        Seat.objects.create(campaign=campaign, user=user, side=side, role="commander", created_at=NOW)
        side.doctrine = made.doctrines.get(side.key, side.doctrine)
        side.save(update_fields=["doctrine"])
    watch = User.objects.create(username="watch")
    Seat.objects.create(campaign=campaign, user=watch, side=campaign.sides.get(key="kestra"), role="observer",
                        created_at=NOW)  # fmt: skip
    for number in range(1, TURNS + 1):
        _play_turn(made, campaign, gm, number)
    return campaign


def _play_turn(made: Plot, campaign: Campaign, gm: User, number: int) -> None:
    turn = Turn.objects.get(branch=campaign.active_branch, number=number)
    for when, document in made.changes:
        if when == number:
            turn_change(turn=turn, document=document, reason="as it should be", user=gm, now=NOW)
    for side in campaign.sides.exclude(key="tessaly").exclude(key__in=made.late):
        document = made.sheets.get(side.key, {}).get(number, {})
        sheet = sheet_for(side=side, turn_number=number)
        sheet = order_sheet_save(
            side=side, turn_number=number, version=sheet.version, document=document, user=None, now=NOW
        )
        if not any(problem["severity"] == "stop" for problem in sheet.problems):
            order_sheet_seal(side=side, turn_number=number, version=sheet.version, nonce="nonce-of-tests", user=None,
                             now=NOW)  # fmt: skip
    turn_lock(turn=turn, now=NOW, user=gm, why="by the GM")
    run_jobs()
    for when, document in made.amendments:
        if when == number:
            turn_amend(turn=turn, document=document, reason="as it should be", user=gm, now=NOW)
            run_jobs()
    turn.refresh_from_db()
    turn_publish(turn=turn, user=gm, now=NOW)
    if number == 1 and made.bid is not None:
        met_here = Engagement.objects.get(campaign=campaign, briefings__side__key="kestra")
        bid_file(engagement=met_here, side=campaign.sides.get(key="morvane"), round_number=1, bid=made.bid, user=None,
                 now=NOW)  # fmt: skip
    for act in made.after:
        act(campaign, number)


# What the others and the GM may do without Kestra's learning of it ------------------------------------


def moved(made: Plot) -> None:
    """The hidden force is somewhere else."""
    made.side("forces", "fm1").update(at={"C": 120, "+": 5}, velocity={"B": 9})


def renamed(made: Plot) -> None:
    """Hidden things have other names, that sort otherwise."""
    made.side("forces", "fm1").update(name="Aardvark")
    made.side("ships", "sm1").update(name="Zebra")


def reordered(made: Plot) -> None:
    """The hidden forces and ships stand in another order, and before Kestra's."""
    made.setup["forces"].reverse()
    made.setup["ships"].reverse()
    own = [row for row in made.setup["forces"] if row["side"] == "kestra"][::-1]
    made.setup["forces"] = [row for row in made.setup["forces"] if row["side"] != "kestra"] + own
    ships = [row for row in made.setup["ships"] if row["side"] == "kestra"][::-1]
    made.setup["ships"] = [row for row in made.setup["ships"] if row["side"] != "kestra"] + ships


def added(made: Plot) -> None:
    """There are more of them."""
    for number in range(4, 9):
        made.add("morvane", f"m{number}", {"B": 100 + number}, velocity={"C": number})


def gone(made: Plot) -> None:
    """There is nobody."""
    made.setup["forces"] = [row for row in made.setup["forces"] if row["side"] == "kestra"]
    made.setup["ships"] = [row for row in made.setup["ships"] if row["side"] == "kestra"]


def refuelled(made: Plot) -> None:
    """Hidden ships have other officers, stores and damage."""
    made.side("ships", "sm1").update(grades={"ewo": "elite", "crew": "poor"}, drones=1, damage={"hull": 4})


def dummy(made: Plot) -> None:
    """Nothing is behind the hidden force."""
    made.make_dummy("m1")


def other_class(made: Plot) -> None:
    """The hidden ship is of another class."""
    made.side("ships", "sm1").update({"class": "bramble"})


def other_orders(made: Plot) -> None:
    """The others thrust, search, run silent and set courses."""
    made.sheets["morvane"] = {
        1: {"forces": {"fm1": {"thrust": {"C": 2}}}, "search": [{"ship": "sm1", "window": "F yellow", "drones": 2}]},
        2: {"forces": {"fm1": {"wedge": "down"}, "fm2": {"course": [{"A": 1}, {"B": 1}]}}},
        3: {"preferences": {"direction_away": "away-from-star"}, "forces": {"fm1": {"name": "Renamed"}}},
    }


def bad_orders(made: Plot) -> None:
    """The others' sheets are refused in part and stood in for."""
    made.sheets["morvane"] = {
        1: {"forces": {"fm1": {"thrust": {"A": 99}}, "fk1": {"thrust": {"A": 1}}, "nobody": {}}},
        2: {"search": "everything", "forces": []},
        3: {"merge": [{"into": "fm1", "forces": ["fm2"]}]},
    }


def late(made: Plot) -> None:
    """The others' sheets never come."""
    made.late.add("morvane")


def other_doctrine(made: Plot) -> None:
    """Their captain would do otherwise."""
    made.doctrines["morvane"] = "raid"


def changed_by_the_gm(made: Plot) -> None:
    """The GM mends their roster between turns and amends a staged turn."""
    made.changes.append((2, {"act": "rename-ship", "ship": "sm1", "name": "Mended"}))
    made.amendments.append((3, {"act": "set-stores", "ship": "sm1", "stores": {"recon_drones": 1}}))


def moved_by_the_gm(made: Plot) -> None:
    """The GM puts a hidden force elsewhere."""
    made.changes.append((2, {"act": "move-force", "force": "fm2", "at": {"q": 50, "r": -3, "z": 2}}))


def battle_elsewhere(made: Plot) -> None:
    """Morvane and Tessaly meet in another system, bid, fight and report."""
    made.side("forces", "ft1").update(at={"B": 32})
    made.after.append(_fight)


def _fight(campaign: Campaign, number: int) -> None:
    """Bid after the first turn, report after the second."""
    gm = User.objects.get(username="gm")
    for engagement in Engagement.objects.filter(campaign=campaign).exclude(status__in=["signed", "void"]):
        if "kestra" in unpack(engagement.document)["sides"]:
            continue
        if number == 1:
            morvane = campaign.sides.get(key="morvane")
            bid_file(engagement=engagement, side=morvane, round_number=1, bid={"A": 1}, user=None, now=NOW)
        elif engagement.settled is None:
            bidding_close(engagement=engagement, user=gm, now=NOW)
            engagement.refresh_from_db()
            report = blank_report(unpack(engagement.settled or b""))
            report["tactical_turns"] = 12
            report_file(engagement=engagement, side=None, document=report, user=gm, now=NOW)


QUIET: tuple[Mix, ...] = (
    (moved, other_class, other_doctrine),
    (renamed, reordered, refuelled),
    (added, late),
    (gone,),
    (dummy, bad_orders, moved_by_the_gm),
    (other_orders, changed_by_the_gm, battle_elsewhere),
)


# What stays hidden of a force that Kestra has found, and of one that it meets --------------------------


def sighted() -> Plot:
    """Return the world in which Kestra searches the right window and finds the Morvane force."""
    made = plot()
    made.side("forces", "fm1").update(at={"A": 60}, velocity={"A": 1})
    made.side("ships", "sk1").update(grades={"ewo": "elite", "crew": "elite"})
    for turn in range(1, TURNS + 1):
        made.sheets["kestra"][turn]["search"] = [{"ship": "sk1", "window": TOWARDS, "drones": 2}]
    return made


def spent(made: Plot) -> None:
    """The ship that was found has other stores and damage, of which a search tells nothing."""
    made.side("ships", "sm1").update(drones=1, damage={"hull": 4})


SIGHTED: tuple[Mix, ...] = ((renamed, spent, added), (changed_by_the_gm, battle_elsewhere, other_doctrine))


def glimpsed() -> Plot:
    """Return the world in which what Kestra finds is too far away for its scale to be told exactly."""
    made = sighted()
    made.side("forces", "fm1").update(at={"A": 95})
    return made


GLIMPSED: tuple[Mix, ...] = ((renamed, dummy), (spent, battle_elsewhere))


def met() -> Plot:
    """Return the world in which Kestra's home guard meets the Morvane force in the first turn."""
    made = plot()
    made.side("forces", "fm1").update(at={"A": 20})
    made.bid = {"B": 1}
    for turn in range(2, TURNS + 1):
        made.sheets["kestra"][turn] = {}
    return made


def other_bid(made: Plot) -> None:
    """Morvane's bid of a round that Kestra has not bid in is another."""
    made.bid = {"F": 2}


def no_bid(made: Plot) -> None:
    """Morvane has not bid yet."""
    made.bid = None


def other_officers(made: Plot) -> None:
    """Officers who play no part before the battle have other grades."""
    made.side("ships", "sm1").update(grades={"tactical": "elite", "assistant": "poor"})


MET: tuple[Mix, ...] = (
    (renamed, spent, other_officers),
    (other_bid, added, other_doctrine),
    (no_bid, battle_elsewhere),
)
