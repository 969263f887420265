"""What every act of a patrol scenario works with: the scenario, who acts, the library, and dice that are recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.engine.dice import Roll, Roller, TurnDice, TypedDice
from campaign.engine.errors import ProblemsError, refuse
from campaign.rulebooks.saganami.patrol import ROLES, Role
from campaign.rulebooks.saganami.patrol_scenario import (
    SERIES,
    Entry,
    Library,
    Scenario,
    ScenarioStage,
    SideState,
)
from campaign.rulebooks.saganami.ship_class_sheet import ShipClass

STAGE_WORDS: Mapping[ScenarioStage, str] = {
    "first": "the first purchase",
    "lemon": "the opponent's tenth",
    "cards": "the cards",
    "rest": "the rest of the budget",
    "set-up": "the set-up",
    "battle": "the battle",
    "revealed": "the reveal",
}


def wrong_stage(scenario: Scenario) -> ProblemsError:
    """Return the refusal of an act that has no place at the present stage."""
    if scenario.stage == "revealed":
        return refuse("revealed", "The scenario is over and laid open; nothing can be changed any more.", rule="D3.41")
    return refuse("wrong-stage", f"This has no place here: the scenario is at {STAGE_WORDS[scenario.stage]}.")


@dataclass(slots=True)
class Doing:
    """One act under way. ``scenario`` is replaced as it goes on; ``rolls`` are those made for it."""

    scenario: Scenario
    role: Role
    library: Library
    seeds: Mapping[str, str]
    rolls: list[Roll] = field(default_factory=list)
    _dice: TurnDice | None = None

    @property
    def side(self) -> SideState:
        """The side that acts."""
        return self.scenario.side(self.role)

    def change(self, role: Role | None = None, **changes: Any) -> None:
        """Change something of a side, that of the acting one unless told."""
        self.scenario = self.scenario.with_side(role or self.role, **changes)

    def at(self, *stages: ScenarioStage) -> None:
        """Refuse the act at any other stage, and from a side that has said it is done with this one."""
        if self.scenario.stage not in stages:
            raise wrong_stage(self.scenario)
        if self.side.is_done:
            raise refuse("already-done", f"You are done with {STAGE_WORDS[self.scenario.stage]}.")

    def ship_class(self, key: str) -> ShipClass:
        """Return a class of the scenario's library."""
        return self.library[key]

    def roller(self, stream: str, purpose: str, typed: Sequence[int] | None = None) -> Roller:
        """Open a roll of this side's next number; with faces typed in, they take the dice's place."""
        number = self.side.tries
        if self._dice is None:
            self._dice = self.scenario.dice(self.seeds, number)
        if typed is not None:
            return TypedDice(list(typed))
        return self._dice.open(stream, self.scenario.stage, self.role, purpose)

    def typed_roll(self, stream: str, purpose: str, roller: TypedDice) -> None:
        """Record faces that a person typed in; refuse any left over."""
        roller.finish()
        address = (SERIES, self.scenario.token, self.side.tries, self.scenario.stage, self.role, purpose, 0)
        self.rolls.append(Roll(stream, address, tuple(roller.faces), is_typed=True))

    def record(self, act: str, text: str, *, cards: Sequence[str] = (), is_typed: bool = False, by: str = "") -> None:
        """Write a line of the record with everything rolled since the last one."""
        rolls = [*self.rolls, *(self._dice.rolls() if self._dice is not None else ())]
        self.rolls, self._dice = [], None
        entry = Entry(
            number=len(self.scenario.log) + 1,
            by=by or self.role,
            act=act,
            text=text,
            rolls=tuple(roll.as_document() for roll in rolls),
            cards=tuple(cards),
            is_typed=is_typed or any(roll.is_typed for roll in rolls),
        )
        self.scenario = replace(self.scenario, log=(*self.scenario.log, entry))


def both_done(scenario: Scenario) -> bool:
    """Say whether both sides are done with the present stage."""
    return all(scenario.side(role).is_done for role in ROLES)
