"""A whole patrol scenario as one value (D3): its opening, its stages, both sides, the deck and what was done.

The stages follow D3.1: the first purchase, the opponent's tenth, the cards, the rest of the budget, the
set-up with its declarations, the battle, and the reveal. Acts are in ``patrol_acts``; ``patrol_view`` says
what a side may know. ``load_scenario`` reads the document that ``Scenario.as_document`` writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from pydantic import ConfigDict, TypeAdapter

from campaign.engine.cards import Deck
from campaign.engine.dice import TurnDice, canonical, turn_keys
from campaign.rulebooks.saganami.options import ShipOptions
from campaign.rulebooks.saganami.patrol import ROLES, Assignment, Budget, Mission, Role, budget
from campaign.rulebooks.saganami.patrol_battle import SpyAct
from campaign.rulebooks.saganami.patrol_force import Bounds, Offer, Purchase, offers_of
from campaign.rulebooks.saganami.patrol_setup import HexSize, Start
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass
from campaign.rulebooks.saganami.source import rule

Seat: TypeAlias = Literal["person", "automatic"]
Source: TypeAlias = Literal["server", "table"]
"""Where cards or dice come from: dealt and rolled here, or drawn and thrown at the table and typed in."""
ScenarioStage: TypeAlias = Literal["first", "lemon", "cards", "rest", "set-up", "battle", "revealed"]
STAGES: tuple[ScenarioStage, ...] = get_args(ScenarioStage)
Library: TypeAlias = Mapping[str, ShipClass]

UMPIRE = TurnDice.UMPIRE
SERIES = "patrol"  # the first word of every address of a scenario's dice
LEMON_HULLS = 2  # of a force's hulls, how many the opponent may choose
LEMON_OF_A_CLASS = 1
MOST_COLLISIONS = 3  # typed cards that were out already, before a side's cards are dealt to it

NOTHING_BOUGHT = ShipOptions()

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class SideOpening:
    """A side as it was agreed: the force's name, its faction (a nation of the library), who plays it."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: str
    faction: str
    seat: Seat = "person"


@dataclass(frozen=True, slots=True)
class Opening:
    """What both agree on before anything is bought (D3.11): year PD, base budget in points, sides, manners.

    ``hulls`` and ``of_a_class`` bound each force. ``deck`` is a deck that the umpire typed in, from the top.
    ``miracles`` says that both turned miracle-grade commanders on (D3.42).
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    year: int
    base: int
    attacker: SideOpening
    defender: SideOpening
    cards: Source = "server"
    dice: Source = "server"
    hulls: int = 12
    of_a_class: int = 4
    hex_size: HexSize = "large"
    miracles: bool = False
    deck: tuple[str, ...] = ()

    def side(self, role: Role) -> SideOpening:
        """Return a side's part of the opening."""
        return self.attacker if role == "attacker" else self.defender


@dataclass(frozen=True, slots=True)
class Hull:
    """A ship of a force: what was bought, its name, its class's mass in tons, its commander's options."""

    bought: Purchase
    name: str
    tons: int
    options: ShipOptions = NOTHING_BOUGHT

    @property
    def ship(self) -> str:
        """The ship's id."""
        return self.bought.ship

    @property
    def cost(self) -> int:
        """Adjusted cost in points, without options."""
        return self.bought.cost


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a side's missions make it name: ships by rule key, and the officers of an appointee."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    targets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cronies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """A side's own word on what only it knows of the battle: its spy, the ships it watched, when it succeeded.

    ``close_turns`` lists turn by turn the enemy ships that had one of its units within 5 hexes.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    spy_act: SpyAct = "kept"
    close_turns: tuple[tuple[str, ...], ...] = ()
    objective_turn: int | None = None


@dataclass(frozen=True, slots=True)
class ShipFacts:
    """What became of a ship: boxes lost in the battle, fate, the turn at whose end it left, and so on."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    boxes_lost: int = 0
    fate: str = "fighting"
    left_turn: int | None = None
    is_past_enemy: bool = False
    hyper_works: bool = True
    pods_spent: int = 0


@dataclass(frozen=True, slots=True)
class BattleFacts:
    """What both sides saw of a battle: tactical turns, every ship's end, when a force had disengaged (D3.131)."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    turns: int
    ships: Mapping[str, ShipFacts]
    attacker_disengaged: int | None = None
    defender_disengaged: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the record: which act, by whom, in words; the rolls made and the cards drawn for it."""

    number: int
    by: str
    act: str
    text: str
    rolls: tuple[Mapping[str, Any], ...] = ()
    cards: tuple[str, ...] = ()
    is_typed: bool = False


@dataclass(frozen=True, slots=True)
class SideState:
    """Everything of one side; what of it the other side may know is ``patrol_view``'s to say.

    ``tries`` counts what the side rolled for at this stage, ``struck`` are classes whose grades were too dear at this
    stage (own or, in the lemon stage, for the opponent). ``followers`` were drawn after the mission card.
    """

    name: str
    nonce: str = ""
    ships: tuple[Hull, ...] = ()
    tries: int = 0
    struck: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    assignment: Assignment | None = None
    followers: tuple[str, ...] = ()
    choice: Mission | None = None
    missions: tuple[Mission, ...] = ()
    declared: Declaration | None = None
    pincer_turn: int | None = None
    starts: Mapping[str, Start] = field(default_factory=dict)
    is_done: bool = False
    collisions: int = 0
    account: Account = Account()
    signed: str = ""
    calls_off: bool = False
    fights_here: bool = False

    @property
    def purchases(self) -> tuple[Purchase, ...]:
        """Return what was bought for the side, in order."""
        return tuple(hull.bought for hull in self.ships)

    @property
    def spent(self) -> int:
        """Return the points of all ships with their options."""
        return sum(one.total for one in self.purchases)

    @property
    def mission_keys(self) -> tuple[str, ...]:
        """Return the names of the settled missions."""
        return tuple(mission.key for mission in self.missions)

    def hull(self, ship: str) -> Hull | None:
        """Return the ship of that id, or None."""
        return next((hull for hull in self.ships if hull.ship == ship), None)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A patrol scenario between two acts."""

    token: str
    opening: Opening
    attacker: SideState
    defender: SideState
    stage: ScenarioStage = "first"
    deck: Deck | None = None
    high_side: Role | None = None
    facts: BattleFacts | None = None
    score: Mapping[str, Any] | None = None
    is_called_off: bool = False
    is_fighting: bool = False
    log: tuple[Entry, ...] = ()

    def side(self, role: Role) -> SideState:
        """Return a side."""
        return self.attacker if role == "attacker" else self.defender

    def enemy(self, role: Role) -> SideState:
        """Return the other side."""
        return self.side(other(role))

    def with_side(self, role: Role, **changes: Any) -> Scenario:
        """Return the scenario with something of a side changed."""
        changed = replace(self.side(role), **changes)
        return replace(self, attacker=changed) if role == "attacker" else replace(self, defender=changed)

    def budget(self, role: Role) -> Budget:
        """Return a side's points; before its cards lie, those of the base."""
        assignment = self.side(role).assignment
        return budget(self.opening.base, 100 if assignment is None else assignment.percent)

    @property
    def bounds(self) -> Bounds:
        """Return the hard limits of a whole force."""
        return Bounds(self.opening.hulls, self.opening.of_a_class)

    @property
    def own_bounds(self) -> Bounds:
        """Return the limits of what a side buys before it knows its lemons: room for them is kept."""
        return Bounds(self.opening.hulls - LEMON_HULLS, self.opening.of_a_class - LEMON_OF_A_CLASS)

    def offers(self, role: Role, library: Library) -> tuple[Offer, ...]:
        """Return what can be bought for a side in the scenario's year."""
        return offers_of(tuple(library.values()), self.opening.side(role).faction, self.opening.year)

    def dice(self, seeds: Mapping[str, str], number: int) -> TurnDice:
        """Return the dice of a numbered act of whoever rolls; each side's own nonce is mixed into its stream."""
        nonces: dict[str, str] = {role: self.side(role).nonce for role in ROLES if self.side(role).nonce}
        return TurnDice(turn_keys(seeds, nonces), (SERIES, self.token, number))

    def as_document(self) -> dict[str, Any]:
        """Return the scenario as it is stored."""
        document: dict[str, Any] = _ADAPTER.dump_python(self, mode="json")
        return document


def other(role: Role) -> Role:
    """Return the other role."""
    return "defender" if role == "attacker" else "attacker"


_ADAPTER = TypeAdapter(Scenario)


def load_scenario(document: Mapping[str, Any]) -> Scenario:
    """Return the scenario of a stored document."""
    return _ADAPTER.validate_json(canonical(document))


@rule("D3.112", "D3.12", "D3.14")
def points_left(scenario: Scenario, role: Role) -> int:
    """Return what a side may still spend at the present stage: for itself, or in the lemon stage for its opponent.

    What the first purchase and the tenth leave over comes back with the rest of the budget.
    """
    points = scenario.budget(role)
    side = scenario.side(role)
    if scenario.stage == "first":
        return points.first_spend - sum(one.cost for one in side.purchases if one.stage == "own")
    if scenario.stage == "lemon":
        bought = scenario.enemy(role).purchases
        return points.opponent_spend - sum(one.cost for one in bought if one.stage == "lemon")
    return points.final_total - side.spent if scenario.stage == "rest" else 0
