"""Figures over many generated scenarios: budgets kept, no absurd forces, the spread of all that is drawn."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from campaign.engine.dice import canonical
from campaign.rulebooks.saganami.patrol import ROLES
from campaign.rulebooks.saganami.patrol_declaring import ready_ships
from campaign.rulebooks.saganami.patrol_force import check_purchases
from campaign.rulebooks.saganami.patrol_opening import open_scenario
from campaign.rulebooks.saganami.patrol_opponent import play_automatic
from campaign.rulebooks.saganami.patrol_scenario import UMPIRE, Library, Opening, Scenario
from campaign.rulebooks.saganami.patrol_view import mission_document

OWNERS = (*ROLES, UMPIRE)
PERCENTILES = (0, 5, 25, 50, 75, 95, 100)


def seeds_from(text: str) -> dict[str, str]:
    """Return both sides' and the umpire's seeds (hex), made from one text: for the command and for measurements."""
    return {owner: hashlib.sha256(canonical([text, owner]).encode()).hexdigest() for owner in OWNERS}


def generate(token: str, opening: Opening, library: Library, seeds: Mapping[str, str]) -> Scenario:
    """Return a scenario whose automatic sides did all they can; two of them bring it to the battle."""
    return play_automatic(open_scenario(token, opening, library, {}), library, seeds)[0]


@dataclass(slots=True)
class Figures:
    """What was counted over scenarios; ``add`` takes one more, ``as_document`` gives the figures."""

    scenarios: int = 0
    over_budget: int = 0
    without_fight: int = 0
    most_hulls: int = 0
    most_of_a_class: int = 0
    missions: Counter[str] = field(default_factory=Counter)
    percents: Counter[int] = field(default_factory=Counter)
    limits: Counter[int] = field(default_factory=Counter)
    hulls: Counter[int] = field(default_factory=Counter)
    lemons: Counter[int] = field(default_factory=Counter)
    ratios: list[Fraction] = field(default_factory=list)
    used: list[Fraction] = field(default_factory=list)

    def add(self, scenario: Scenario, library: Library) -> None:
        """Count one scenario that stands before its battle."""
        self.scenarios += 1
        points = []
        for role in ROLES:
            side, budget = scenario.side(role), scenario.budget(role)
            if check_purchases(budget, side.purchases, missions=side.mission_keys):
                self.over_budget += 1
            classes = Counter(one.ship_class for one in side.purchases)
            self.most_hulls = max(self.most_hulls, len(side.ships))
            self.most_of_a_class = max(self.most_of_a_class, *classes.values())
            self.hulls[len(side.ships)] += 1
            self.lemons[sum(one.stage == "lemon" for one in side.purchases)] += 1
            for mission in side.missions:
                self.missions[f"{mission.rule} {mission_document(mission)['title']}"] += 1
            if side.assignment is not None:
                self.percents[side.assignment.percent] += 1
                self.limits[side.assignment.turns] += 1
            points.append(side.spent)
            self.used.append(Fraction(side.spent, budget.final_total))
        # A fight takes ships on the map on both sides; what has no weapon is never offered.
        if not all(any(one.start is not None for one in ready_ships(scenario, role, library)) for role in ROLES):
            self.without_fight += 1
        self.ratios.append(Fraction(points[0], points[1]))

    def as_document(self) -> dict[str, Any]:
        """Return the figures; ratios in percent, rounded down."""
        return {
            "scenarios": self.scenarios,
            "over_budget": self.over_budget,
            "without_fight": self.without_fight,
            "most_hulls": self.most_hulls,
            "most_of_a_class": self.most_of_a_class,
            "hulls": _sorted(self.hulls),
            "lemons": _sorted(self.lemons),
            "multipliers": _sorted(self.percents),
            "time_limits": _sorted(self.limits),
            "missions": _sorted(self.missions),
            "attackers_points_percent_of_defenders": percentiles(self.ratios),
            "budget_used_percent": percentiles(self.used),
        }


def _sorted(counted: Mapping[Any, int]) -> dict[str, int]:
    return {str(key): counted[key] for key in sorted(counted)}


def percentiles(ratios: Sequence[Fraction]) -> dict[str, int]:
    """Return percentiles of ratios, in percent."""
    ranked = sorted(ratios)
    return {
        str(percent): int(100 * ranked[min(len(ranked) * percent // 100, len(ranked) - 1)])
        for percent in PERCENTILES
        if ranked
    }


def measure(numbers: Iterable[int], opening: Opening, library: Library, seed: str) -> Figures:
    """Generate one scenario for each number and count them all."""
    figures = Figures()
    for number in numbers:
        token = f"{seed}-{number}"
        figures.add(generate(token, opening, library, seeds_from(token)), library)
    return figures
