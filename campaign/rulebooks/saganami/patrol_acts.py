"""Every act of a patrol scenario: its typed form, what it does, and how the stages follow one another (D3.1).

``open_scenario`` begins one, ``perform`` does one act of a side and returns the scenario after it. The same
opening, seeds and acts give the same scenario, so a stored record can be played again and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from campaign.engine.errors import Problem, ProblemsError, refuse
from campaign.engine.hexes import Hex
from campaign.engine.procedure import Input, problems_of
from campaign.rulebooks.saganami.options import MARK_12
from campaign.rulebooks.saganami.patrol import ROLES, Role
from campaign.rulebooks.saganami.patrol_battle import SpyAct
from campaign.rulebooks.saganami.patrol_buying import (
    buy,
    check_name,
    check_stage_bought,
    compose_rest,
    name_ship,
    options_of,
    set_options,
)
from campaign.rulebooks.saganami.patrol_dealing import (
    check_cards_done,
    choose_mission,
    draw_card,
    lay_down,
    lay_out,
    note_collision,
    type_hand,
)
from campaign.rulebooks.saganami.patrol_declaring import (
    check_declared,
    declare,
    finish_set_up,
    place_ships,
    roll_height,
)
from campaign.rulebooks.saganami.patrol_doing import STAGE_WORDS, Doing, both_done, wrong_stage
from campaign.rulebooks.saganami.patrol_ending import call_off, fight_here, report, rule_result, sign
from campaign.rulebooks.saganami.patrol_scenario import (
    STAGES,
    UMPIRE,
    Account,
    BattleFacts,
    Declaration,
    Library,
    Scenario,
    ScenarioStage,
    ShipFacts,
)
from campaign.rulebooks.saganami.patrol_setup import Start
from campaign.rulebooks.saganami.source import rule
from campaign.rulebooks.saganami.victory import Fate

Face = Annotated[int, Field(ge=0, le=10, description="a d10; its ten may be written 0")]
Card = Annotated[str, Field(max_length=4, description="rank and suit, as 10H or AS")]
Id = Annotated[str, Field(max_length=40)]
Turn = Annotated[int, Field(ge=1, le=1000)]


class Take(Input):
    """Take the seat: the force's name, and a word of one's own that is mixed into the dice."""

    act: Literal["take"]
    name: str = Field(default="", max_length=40)
    nonce: str = Field(default="", max_length=128)


class Buy(Input):
    """Buy a ship for the own force, or in the lemon stage for the opponent's."""

    act: Literal["buy"]
    ship_class: str = Field(max_length=60)
    name: str = Field(default="", max_length=40)
    dice: list[Face] | None = Field(default=None, min_length=12, max_length=12, description="thrown at the table")


class Compose(Input):
    """Let the composer spend what is left of this stage."""

    act: Literal["compose"]


class Done(Input):
    """Be done with this stage."""

    act: Literal["done"]


class Hand(Input):
    """The three cards drawn from a real deck."""

    act: Literal["hand"]
    cards: list[Card] = Field(max_length=52)


class Assign(Input):
    """Give each card its use."""

    act: Literal["assign"]
    multiplier: Card
    time: Card
    mission: Card


class Draw(Input):
    """Draw a further card: one that the mission asks for, or one to conceal."""

    act: Literal["draw"]
    card: Card | None = Field(default=None, description="typed in where the deck is real")


class Choose(Input):
    """Choose a mission where the cards leave a choice."""

    act: Literal["choose"]
    listed: Role
    rank: str = Field(max_length=2)


class Options(Input):
    """Commander's options of one ship, in place of those it had."""

    act: Literal["options"]
    ship: Id
    pods: int = Field(default=0, ge=0, le=1000)
    pod_card: str = Field(default=MARK_12.key, max_length=40)
    canister: dict[str, Annotated[int, Field(ge=0, le=10_000)]] = Field(
        default_factory=dict, description="mount to missiles replaced by canister shot"
    )
    drones: int = Field(default=0, ge=0, le=1000)
    parties: list[Annotated[list[int], Field(min_length=2, max_length=2)]] = Field(
        default_factory=list, max_length=20, description="row and box of each, from 0"
    )
    marines_ready: bool = False


class Name(Input):
    """Another name for an own ship."""

    act: Literal["name"]
    ship: Id
    name: str = Field(max_length=40)


class Declare(Input):
    """What the missions ask for: ships by rule key, and an appointee's two officers."""

    act: Literal["declare"]
    targets: dict[str, list[Id]] = Field(default_factory=dict)
    cronies: list[str] = Field(default_factory=list, max_length=6)


class HexIn(Input):
    """A hex with its altitude."""

    q: int = Field(ge=-1000, le=1000)
    r: int = Field(ge=-1000, le=1000)
    z: int = Field(ge=-1000, le=1000)


class StartIn(Input):
    """A ship's place and vectors (hexes per turn)."""

    at: HexIn
    vectors: dict[str, int]


class Place(Input):
    """Where ships start; those left out start in line at the corner."""

    act: Literal["place"]
    starts: dict[str, StartIn]


class ShipFactsIn(Input):
    """What became of a ship."""

    boxes_lost: int = Field(default=0, ge=0, le=100_000, description="in this battle")
    fate: Fate = "fighting"
    left_turn: Turn | None = Field(default=None, description="at whose end it was out of the fight")
    is_past_enemy: bool = False
    hyper_works: bool = True
    pods_spent: int = Field(default=0, ge=0, le=1000)


class FactsIn(Input):
    """What both sides saw of the battle."""

    turns: Turn
    ships: dict[str, ShipFactsIn]
    attacker_disengaged: Turn | None = None
    defender_disengaged: Turn | None = None


class AccountIn(Input):
    """What a side alone knows of it."""

    spy_act: SpyAct = "kept"
    close_turns: list[list[Id]] = Field(default_factory=list, max_length=1000)
    objective_turn: Turn | None = None


class Report(Input):
    """The result, and with it the own signature."""

    act: Literal["report"]
    facts: FactsIn
    account: AccountIn = AccountIn()


class Sign(Input):
    """The own signature under the result on the table."""

    act: Literal["sign"]
    digest: str = Field(max_length=64)
    account: AccountIn = AccountIn()


class Rule(Input):
    """The umpire's word on the result."""

    act: Literal["rule"]
    facts: FactsIn
    attacker: AccountIn = AccountIn()
    defender: AccountIn = AccountIn()


class CallOff(Input):
    """The wish to call the scenario off."""

    act: Literal["call-off"]


class Fight(Input):
    """The wish to have the battle fought by captains here."""

    act: Literal["fight"]


class Collision(Input):
    """The server's note that a typed card had been drawn."""

    act: Literal["collision"]


Act: TypeAlias = Annotated[
    Take | Buy | Compose | Done | Hand | Assign | Draw | Choose | Options | Name | Declare | Place | Report | Sign
    | Rule | CallOff | Fight | Collision,
    Field(discriminator="act"),
]  # fmt: skip
_ACTS: TypeAdapter[Any] = TypeAdapter(Act)
UMPIRES = ("rule", "call-off")
SERVERS = ("take", "collision")


def load_act(document: Any) -> Any:
    """Return the typed act of a document, or raise ProblemsError with everything that is wrong with its form."""
    try:
        return _ACTS.validate_python(document)
    except ValidationError as error:
        kind = document.get("act") if isinstance(document, Mapping) else None
        prefix = f"/{kind}"
        found = [
            replace(one, place=one.place.removeprefix(prefix)) if one.place.startswith(prefix) else one
            for one in problems_of(error)
        ]
        raise ProblemsError(found) from error


def act_schema() -> dict[str, Any]:
    """Return the JSON Schema of every act."""
    return _ACTS.json_schema()


def _account(given: AccountIn) -> Account:
    return Account(given.spy_act, tuple(tuple(turn) for turn in given.close_turns), given.objective_turn)


def _facts(given: FactsIn) -> BattleFacts:
    ships = {ship: ShipFacts(**its.model_dump()) for ship, its in given.ships.items()}
    return BattleFacts(given.turns, ships, given.attacker_disengaged, given.defender_disengaged)


def _take(doing: Doing, act: Take) -> None:
    problems = check_name(act.name)
    if problems:
        raise ProblemsError(problems)
    doing.change(name=act.name.strip() or doing.side.name, nonce=act.nonce)
    doing.record("take", "The seat is taken.")


def _place(doing: Doing, act: Place) -> None:
    place_ships(doing, {ship: Start(Hex(*one.at.model_dump().values()), one.vectors)
                        for ship, one in act.starts.items()})  # fmt: skip


def _declare(doing: Doing, act: Declare) -> None:
    targets = {key: tuple(ships) for key, ships in act.targets.items() if ships}
    declare(doing, Declaration(targets, tuple(act.cronies)))


@rule("D3.112", "D3.12", "D3.13", "D3.14")
def check_done(scenario: Scenario, role: Role, library: Library) -> tuple[Problem, ...]:
    """Return what keeps a side from being done with the present stage."""
    if scenario.stage in ("first", "lemon"):
        return check_stage_bought(scenario, role, library)
    if scenario.stage == "rest":
        return (*check_stage_bought(scenario, role, library), *check_declared(scenario, role))
    if scenario.stage == "cards":
        return check_cards_done(role, scenario.side(role))
    return check_declared(scenario, role) if scenario.stage == "set-up" else ()


def _done(doing: Doing, act: Done) -> None:
    doing.at("first", "lemon", "cards", "rest", "set-up")
    problems = check_done(doing.scenario, doing.role, doing.library)
    if problems:
        raise ProblemsError(problems)
    if doing.scenario.stage == "set-up":
        finish_set_up(doing)
    doing.change(is_done=True)
    doing.record("done", f"Done with {STAGE_WORDS[doing.scenario.stage]}.")
    if both_done(doing.scenario):
        _next_stage(doing)


@rule("D3.112", "D3.12", "D3.13", "D3.14", "D2.12")
def _next_stage(doing: Doing) -> None:
    following: ScenarioStage = STAGES[STAGES.index(doing.scenario.stage) + 1]
    doing.scenario = replace(doing.scenario, stage=following)
    for role in ROLES:
        doing.change(role, is_done=False, struck=(), tries=0)
    if following == "cards":
        lay_out(doing)
    elif following == "set-up":
        roll_height(doing)


_DOERS: Mapping[str, Callable[[Doing, Any], None]] = {
    "take": _take,
    "buy": lambda doing, act: buy(doing, act.ship_class, act.name.strip(), act.dice),
    "compose": lambda doing, act: compose_rest(doing),
    "done": _done,
    "hand": lambda doing, act: type_hand(doing, act.cards),
    "assign": lambda doing, act: lay_down(doing, act.multiplier, act.time, act.mission),
    "draw": lambda doing, act: draw_card(doing, act.card),
    "choose": lambda doing, act: choose_mission(doing, act.listed, act.rank),
    "options": lambda doing, act: set_options(doing, act.ship, options_of(act.model_dump())),
    "name": lambda doing, act: name_ship(doing, act.ship, act.name),
    "declare": _declare,
    "place": _place,
    "report": lambda doing, act: report(doing, _facts(act.facts), _account(act.account)),
    "sign": lambda doing, act: sign(doing, act.digest, _account(act.account)),
    "rule": lambda doing, act: rule_result(
        doing, _facts(act.facts), {"attacker": _account(act.attacker), "defender": _account(act.defender)}
    ),
    "fight": lambda doing, act: fight_here(doing),
    "collision": lambda doing, act: note_collision(doing),
}


@rule("D3.11", "D3.13")
def perform(scenario: Scenario, by: str, act: Any, library: Library, seeds: Mapping[str, str]) -> Scenario:
    """Return the scenario after one act of a side, or of the umpire.

    ``seeds`` are the secret seeds of both sides and the umpire (hex). Raises ProblemsError with every
    problem; the scenario that came in is never changed.
    """
    if scenario.stage == "revealed":
        raise wrong_stage(scenario)
    if (by == UMPIRE) != (act.act in UMPIRES) and act.act != "call-off":
        raise refuse("not-yours", "This act is not yours to do.", place="/act")
    role: Role = "defender" if by == "defender" else "attacker"
    doing = Doing(scenario, role, library, seeds)
    if act.act == "call-off":
        call_off(doing, by)
    else:
        _DOERS[act.act](doing, act)
    return doing.scenario
