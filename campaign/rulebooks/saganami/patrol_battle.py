"""What is known of a patrol battle when it is over: a neutral summary that any level can write (D3.4).

The tactical app writes it from its log, two players from their record sheets. ``load_battle`` reads the
document and finds everything that is wrong with it; ``as_document`` writes it. Costs and budgets are
points, turns are tactical turns counted from 1, tons are tons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import ConfigDict, TypeAdapter, ValidationError

from campaign.engine.dice import canonical
from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.engine.procedure import problems_of
from campaign.rulebooks.saganami.patrol import MISSIONS_BY_CARD, Mission, Role
from campaign.rulebooks.saganami.patrol_choices import check_wounded, second_largest_of
from campaign.rulebooks.saganami.source import rule
from campaign.rulebooks.saganami.victory import Fate, ShipOutcome, SideOutcome, check_outcomes

SpyAct: TypeAlias = Literal["kept", "sabotage", "reveal", "freeze"]

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class MissionPlayed:
    """One mission that a side played, by list and card rank, and what it declared for it.

    ``targets`` are ships: the vendetta's enemy, the three watched enemies, the own wounded, the elite
    lemon, or the appointee's ship. ``spy_act`` is what the spy did ("kept": it stayed hidden).
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    listed: Role
    rank: str
    targets: tuple[str, ...] = ()
    spy_act: SpyAct = "kept"

    @property
    def key(self) -> str:
        """Return the mission's name."""
        return MISSIONS_BY_CARD[self.listed][self.rank]

    @property
    def rule(self) -> str:
        """Return the rule key, as in "D3.2/J"."""
        return Mission(self.listed, self.rank, self.key).rule


@dataclass(frozen=True, slots=True)
class PatrolShip:
    """One ship after the battle.

    ``left_turn`` is the turn at whose end it was out of the fight, whatever its fate, or None for one
    that fought to the end. ``is_past_enemy`` says that it disengaged past the enemy force.
    ``is_hyper_capable`` is a matter of its class, ``hyper_works`` of its state at the end.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    ship: str
    ship_class: str
    cost: int
    boxes: int
    tons: int
    name: str = ""
    boxes_lost: int = 0
    fate: Fate = "fighting"
    left_turn: int | None = None
    is_past_enemy: bool = False
    is_hyper_capable: bool = True
    hyper_works: bool = True
    is_lemon: bool = False
    officers: int = 0
    enlisted_and_marines: int = 0
    pods_bought: int = 0
    pods_spent: int = 0
    pod_cost: int = 0

    @property
    def label(self) -> str:
        """Return the name to show: the ship's, or its id."""
        return self.name or self.ship

    @property
    def has_disengaged(self) -> bool:
        """Say whether the ship got away."""
        return self.fate == "disengaged"

    @property
    def is_lost(self) -> bool:
        """Say whether the ship was destroyed, taken, or struck."""
        return self.fate in ("destroyed", "captured", "surrendered")

    def outcome(self) -> ShipOutcome:
        """Return the ship as the victory conditions take it."""
        return ShipOutcome(
            ship=self.ship,
            cost=self.cost,
            boxes=self.boxes,
            boxes_lost=self.boxes_lost,
            fate=self.fate,
            name=self.name,
            officers=self.officers,
            enlisted_and_marines=self.enlisted_and_marines,
            pods_bought=self.pods_bought,
            pods_spent=self.pods_spent,
            pod_cost=self.pod_cost,
        )


@dataclass(frozen=True, slots=True)
class PatrolSide:
    """One side after the battle.

    ``time_limit`` is its secret limit in turns. ``disengaged_turn`` is the turn at whose end the force
    met the conditions of D3.131, or None. ``budget`` is its whole budget after the multiplier.
    ``close_turns`` lists, turn by turn, the enemy ships that had one of this side's units within 5
    hexes. ``objective_turn`` overrides the turn in which its mission's objective was met.
    ``options_cost`` is what it paid for commander's options other than pods.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    side: str
    missions: tuple[MissionPlayed, ...]
    time_limit: int
    budget: int
    ships: tuple[PatrolShip, ...]
    disengaged_turn: int | None = None
    close_turns: tuple[tuple[str, ...], ...] = ()
    objective_turn: int | None = None
    options_cost: int = 0

    def has(self, key: str) -> bool:
        """Say whether the side played a mission of that name."""
        return any(mission.key == key for mission in self.missions)

    def outcome(self) -> SideOutcome:
        """Return the side as the victory conditions take it."""
        ships = tuple(ship.outcome() for ship in self.ships)
        return SideOutcome(self.side, ships, options_cost=self.options_cost)

    def ship(self, identity: str) -> PatrolShip | None:
        """Return the ship of that id, or None."""
        return next((one for one in self.ships if one.ship == identity), None)


@dataclass(frozen=True, slots=True)
class PatrolBattle:
    """A patrol battle that is over: after how many turns, from which base budget, and both sides."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    turns: int
    base_budget: int
    attacker: PatrolSide
    defender: PatrolSide

    @property
    def sides(self) -> tuple[PatrolSide, PatrolSide]:
        """Return both sides, the attacker first."""
        return self.attacker, self.defender

    def enemy_of(self, side: PatrolSide) -> PatrolSide:
        """Return the other side."""
        return self.defender if side.side == self.attacker.side else self.attacker

    def as_document(self) -> dict[str, Any]:
        """Return the battle as it is stored and reported."""
        document: dict[str, Any] = _ADAPTER.dump_python(self, mode="json")
        return document


_ADAPTER = TypeAdapter(PatrolBattle)


@rule("D3.41")
def load_battle(document: Mapping[str, Any]) -> PatrolBattle:
    """Return the battle in a document, or raise ProblemsError with everything that is wrong with it."""
    try:
        battle = _ADAPTER.validate_json(canonical(document), strict=True)
    except ValidationError as error:
        raise ProblemsError(problems_of(error, rule="D3.41")) from error
    problems = check_battle(battle)
    if problems:
        raise ProblemsError(problems)
    return battle


# How many ships each mission names, and whose: "own", "enemy", or a lemon of the own.
_TARGETS: Mapping[str, tuple[str, int]] = {
    "spy": ("enemy", 1),
    "vendetta": ("enemy", 1),
    "intelligence-gathering": ("enemy", 3),
    "elite-crew": ("own", 1),
    "walking-wounded": ("own", 0),
    "political-appointee": ("own", 1),
}


@rule("D3.41", "D3.2/10", "D3.2/2", "D3.3/J", "D3.3/3")
def check_battle(battle: PatrolBattle) -> tuple[Problem, ...]:
    """Return everything that is wrong with a summary, by place: unknown ships, missing targets, impossible turns."""
    problems: list[Problem] = []

    def add(code: str, message: str, *place: str | int, rule_key: str = "D3.41", at: str = "") -> None:
        problems.append(Problem(at or pointer(*place), code, message, rule_key))

    if battle.turns < 1:
        add("out-of-range", "A battle lasts a turn or more.", "turns")
    if battle.base_budget < 1:
        add("no-budget", "A budget is at least one point.", "base_budget", rule_key="D3.111")
    for found in check_outcomes((battle.attacker.outcome(), battle.defender.outcome())):
        place = found.place.replace("/sides/0", "/attacker").replace("/sides/1", "/defender")
        problems.append(replace(found, place=place))
    for name, side in (("attacker", battle.attacker), ("defender", battle.defender)):
        enemy = battle.enemy_of(side)
        if not side.missions:
            add("no-mission", "Each side has a mission.", name, "missions", rule_key="D3.13")
        if side.time_limit < 1:
            add("out-of-range", "A time limit is a turn or more.", name, "time_limit", rule_key="D3.14")
        if len(side.close_turns) > battle.turns:
            add("out-of-range", "There are more entries than turns.", name, "close_turns", rule_key="D3.2/2")
        for label, turn in (("disengaged_turn", side.disengaged_turn), ("objective_turn", side.objective_turn)):
            if turn is not None and not 1 <= turn <= battle.turns:
                add("out-of-range", "The battle had no such turn.", name, label)
        for index, mission in enumerate(side.missions):
            _check_mission(add, name, index, mission, side, enemy)
        for index, ship in enumerate(side.ships):
            here = (name, "ships", index)
            if ship.left_turn is not None and not 1 <= ship.left_turn <= battle.turns:
                add("out-of-range", "The battle had no such turn.", *here, "left_turn")
            if ship.has_disengaged and ship.left_turn is None:
                add("missing", "Say in which turn the ship disengaged.", *here, "left_turn")
            if ship.is_past_enemy and not ship.has_disengaged:
                add("not-disengaged", "Only a ship that disengaged can be past the enemy.", *here, "is_past_enemy")
            if ship.hyper_works and not ship.is_hyper_capable:
                add("no-generator", "This ship has no hyper generator that could work.", *here, "hyper_works")
            if ship.tons < 1:
                add("out-of-range", "A ship has a ton or more.", *here, "tons")
    return tuple(sorted(problems))


def _check_mission(
    add: Any, name: str, index: int, mission: MissionPlayed, side: PatrolSide, enemy: PatrolSide
) -> None:
    here = (name, "missions", index)
    if mission.rank not in MISSIONS_BY_CARD[mission.listed]:
        add("not-a-card", "A rank is A, K, Q, J, or 10 to 2.", *here, "rank", rule_key="D3.13")
        return
    if mission.key == "dummy-draw":
        add("not-a-mission", "A dummy draw stands for another mission.", *here, "rank", rule_key=mission.rule)
        return
    whose, count = _TARGETS.get(mission.key, ("", 0))
    named = side if whose == "own" else enemy
    if not whose and mission.targets:
        add("no-target", "This mission names no ship.", *here, "targets", rule_key=mission.rule)
    if mission.key == "intelligence-gathering":
        count = min(count, len({ship.ship_class for ship in enemy.ships}))
        classes = [found.ship_class for target in mission.targets if (found := enemy.ship(target)) is not None]
        if len(set(classes)) < len(classes):
            message = "The ships watched are each of another class."
            add("same-class-twice", message, *here, "targets", rule_key=mission.rule)
        if enemy.has("pincer-maneuver") and mission.targets:
            count = min(count, len(mission.targets))  # the classes of the other arm could not be seen
    if count and len(mission.targets) != count:
        add("wrong-number", f"Name {count} of the ships.", *here, "targets", rule_key=mission.rule)
    if mission.key == "walking-wounded":
        for problem in check_wounded(side.ships, mission.targets, place=pointer(*here, "targets")):
            add(problem.code, problem.message, rule_key=mission.rule, at=problem.place)
        return
    for place, target in enumerate(mission.targets if whose else ()):
        found = named.ship(target)
        if found is None:
            add("unknown-ship", f"There is no ship {target!r} there.", *here, "targets", place, rule_key=mission.rule)
        elif mission.key == "elite-crew" and not found.is_lemon:
            message = "The elite crew serves on a ship that the opponent chose."
            add("not-a-lemon", message, *here, "targets", place, rule_key=mission.rule)
        elif mission.key == "political-appointee" and found not in second_largest_of(side.ships):
            message = "The appointee commands the second largest ship."
            add("not-second-largest", message, *here, "targets", place, rule_key=mission.rule)
    if len(set(mission.targets)) < len(mission.targets):
        add("same-ship-twice", "Name each ship once.", *here, "targets", rule_key=mission.rule)
    if mission.spy_act != "kept" and mission.key != "spy":
        add("no-spy", "This mission has no spy.", *here, "spy_act", rule_key="D3.2/A")
