"""The patrol scenario generator (D3): budgets, cards and their three uses, disengagement and forfeits.

Missions are in ``patrol_missions``, what they do in play in ``patrol_play``, the account of a battle in
``patrol_score``, purchases in ``patrol_force``. All of it is values in, values out: the deck is
``campaign.engine.cards.Deck``, so a scenario's deck lies in whatever snapshot holds it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from campaign.engine.cards import Deck
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.rulebooks.saganami.miracles import rank_of
from campaign.rulebooks.saganami.source import rule

Role: TypeAlias = Literal["attacker", "defender"]
ROLES: tuple[Role, ...] = get_args(Role)

DEFAULT_YEAR = 1906  # D3.11
DEFAULT_BASE = 600  # D3.111
MOST_BASE = 100_000  # a fleet of twenty of the largest ships; what is larger is a slip of the pen
FIRST_PERCENT = 60  # D3.112
LEMON_PERCENT = 10  # D3.12
CARDS_EACH = 3  # D3.13

# D3.14's sidebar: percent of the base budget, and turns until the force must start to disengage.
MULTIPLIERS: Mapping[str, int] = {
    "A": 130,
    "K": 120,
    "Q": 110,
    "J": 100,
    "10": 100,
    "9": 100,
    "8": 100,
    "7": 100,
    "6": 100,
    "5": 100,
    "4": 90,
    "3": 80,
    "2": 70,
}
TIME_LIMITS: Mapping[str, int] = {
    "A": 20,
    "K": 18,
    "Q": 16,
    "J": 15,
    "10": 14,
    "9": 13,
    "8": 12,
    "7": 12,
    "6": 12,
    "5": 12,
    "4": 11,
    "3": 10,
    "2": 9,
}

DISENGAGED_BEYOND = 50  # D3.131: hexes between the closest elements of the forces
DISENGAGED_OPENING = 3  # D3.131: hexes per turn
HALF_FORFEIT_AFTER = 10  # D3.131: turns past the limit
WHOLE_FORFEIT_AFTER = 20


@dataclass(frozen=True, slots=True)
class Budget:
    """A side's points: ``first_spend`` on its own before the cards, ``opponent_spend`` by the opponent for it.

    ``final_total`` is the whole budget once the multiplier is known, ``remaining`` what is then left.
    """

    first_spend: int
    opponent_spend: int
    final_total: int

    @property
    def remaining(self) -> int:
        """Return the points left after the first purchase and the opponent's."""
        return self.final_total - self.first_spend - self.opponent_spend


@rule("D3.111")
def check_base(base: int, *, place: str = "/base") -> tuple[Problem, ...]:
    """Return what is wrong with an agreed base budget in points."""
    if base <= 0:
        return (Problem(place, "no-budget", "A budget is at least one point.", "D3.111"),)
    if base > MOST_BASE:
        return (Problem(place, "budget-too-large", f"A budget is at most {MOST_BASE} points.", "D3.111"),)
    return ()


@rule("D3.11", "D3.112", "D3.12", "D3.14")
def budget(base: int, multiplier: int) -> Budget:
    """Return a side's budget from the base and its multiplier in percent (100 before the cards are drawn).

    Ships are bought into and underneath it, so fractions of a point are dropped. The opponent's tenth
    stands beside the sixty percent. Refuses a base or a multiplier that the rules do not know.
    """
    problems = list(check_base(base))
    if multiplier not in MULTIPLIERS.values():
        message = f"A multiplier is one of {', '.join(str(one) for one in sorted(set(MULTIPLIERS.values())))}."
        problems.append(Problem("/multiplier", "unknown-multiplier", message, "D3.14"))
    if problems:
        raise ProblemsError(problems)
    return Budget(
        first_spend=base * FIRST_PERCENT // 100,
        opponent_spend=base * LEMON_PERCENT // 100,
        final_total=base * multiplier // 100,
    )


@rule("D3.14")
def force_multiplier(card: str) -> int:
    """Return what a card makes of the base budget, in percent."""
    return MULTIPLIERS[rank_of(card, place="/card", rule_key="D3.14")]


@rule("D3.14")
def time_limit(card: str) -> int:
    """Return the tactical turns that a card gives a force before it must start to disengage."""
    return TIME_LIMITS[rank_of(card, place="/card", rule_key="D3.14")]


@rule("D3.131")
def is_disengaged(separation: int, opening_rate: int) -> bool:
    """Say whether a force has disengaged: closest elements more than 50 hexes apart, opening by 3 a turn or more."""
    return separation > DISENGAGED_BEYOND and opening_rate >= DISENGAGED_OPENING


@rule("D3.131")
def forfeit_percent(turns_past_limit: int, *, is_disengaged: bool) -> int:
    """Return how much of its points a side forfeits, in percent.

    A force that is still there at the end of the tenth turn past its limit has failed, and again at
    the end of the twentieth. One that did disengage did so in the turn given: by the tenth it forfeits
    nothing, by the twentieth half.
    """
    late = turns_past_limit - 1 if is_disengaged else turns_past_limit
    if late >= WHOLE_FORFEIT_AFTER:
        return 100
    return 50 if late >= HALF_FORFEIT_AFTER else 0


# Cards -----------------------------------------------------------------------------------------------


@rule("D3.13")
def deal_hands(deck: Deck) -> tuple[tuple[str, ...], tuple[str, ...], Deck]:
    """Deal three cards to the attacker and three to the defender, in turn; refuse a deck too short."""
    cards, rest = deck.deal(2 * CARDS_EACH)
    return cards[0::2], cards[1::2], rest


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which of a side's three cards it uses for what; face down until the battle is scored (D3.13)."""

    multiplier: str
    time: str
    mission: str

    @property
    def percent(self) -> int:
        """Return the force multiplier in percent."""
        return force_multiplier(self.multiplier)

    @property
    def turns(self) -> int:
        """Return the time limit in tactical turns."""
        return time_limit(self.time)


@rule("D3.13")
def assign(hand: Sequence[str], *, multiplier: str, time: str, mission: str) -> Assignment:
    """Return a side's secret assignment; refuse cards that it does not hold, or one used twice."""
    wanted = {"multiplier": multiplier, "time": time, "mission": mission}
    problems = []
    left = list(hand)
    for use, card in wanted.items():
        if card in left:
            left.remove(card)
            continue
        code, message = ("card-used-twice", "Each card has one use.")
        if card not in hand:
            code, message = ("not-in-hand", f"The hand does not hold {card!r}.")
        problems.append(Problem(pointer(use), code, message, "D3.13"))
    if problems:
        raise ProblemsError(problems)
    return Assignment(multiplier, time, mission)


ATTACKER_MISSIONS: Mapping[str, str] = {
    "A": "spy",
    "K": "dummy-draw",
    "Q": "force-majeure",
    "J": "convoy-raid",
    "10": "vendetta",
    "9": "deep-strike",
    "8": "dummy-draw",
    "7": "liars-bluff",
    "6": "space-superiority",
    "5": "demonstration-of-mettle",
    "4": "system-blockade",
    "3": "economy-of-force",
    "2": "intelligence-gathering",
}
DEFENDER_MISSIONS: Mapping[str, str] = {
    "A": "vengeance",
    "K": "pincer-maneuver",
    "Q": "dummy-draw",
    "J": "elite-crew",
    "10": "dummy-draw",
    "9": "convoy-defense",
    "8": "space-superiority",
    "7": "system-blockade",
    "6": "fleet-in-being",
    "5": "space-supremacy",
    "4": "picket-duty",
    "3": "walking-wounded",
    "2": "political-appointee",
}
MISSIONS_BY_CARD: Mapping[Role, Mapping[str, str]] = {"attacker": ATTACKER_MISSIONS, "defender": DEFENDER_MISSIONS}
LIST_RULE: Mapping[Role, str] = {"attacker": "D3.2", "defender": "D3.3"}
DUMMY = "dummy-draw"
SPY = "spy"


@dataclass(frozen=True, slots=True, order=True)
class Mission:
    """A mission of one of the two lists: which list, the rank of its card, its key; ``rule`` as in "D3.2/J"."""

    listed: Role
    rank: str
    key: str

    @property
    def rule(self) -> str:
        """Return the rule key."""
        return f"{LIST_RULE[self.listed]}/{self.rank}"


@rule("D3.2", "D3.3")
def mission_on(role: Role, card: str) -> Mission:
    """Return what a card is in the list of a role."""
    drawn = rank_of(card, place="/card", rule_key=LIST_RULE[role])
    return Mission(role, drawn, MISSIONS_BY_CARD[role][drawn])


def missions_of(*roles: Role) -> tuple[Mission, ...]:
    """Return the missions that may be chosen freely from the lists of these roles (no dummies, no spy)."""
    return tuple(
        Mission(role, drawn, key)
        for role in roles
        for drawn, key in MISSIONS_BY_CARD[role].items()
        if key not in (DUMMY, SPY)
    )


@dataclass(frozen=True, slots=True)
class MissionDraw:
    """How far a side has come in finding its mission.

    ``missions`` are settled (a spy and the true mission, or one mission). ``needs`` is "card" where
    another must be drawn, "choice" where one of ``options`` must be chosen, "" when all is settled;
    ``drawn`` counts the cards used, the first included.
    """

    missions: tuple[Mission, ...]
    needs: Literal["card", "choice", ""]
    options: tuple[Mission, ...] = ()
    drawn: int = 1


@rule("D3.13", "D3.2/A", "D3.2/K", "D3.2/8", "D3.3/Q", "D3.3/10")
def draw_mission(role: Role, cards: Sequence[str], choice: Mission | None = None) -> MissionDraw:
    """Follow a side's mission card through its further draws and choices.

    ``cards`` are the mission card and those drawn after it, in order; ``choice`` the mission chosen
    where the cards leave one. Dummies: the attacker's king gives the next card's mission of either list,
    as chosen; the attacker's eight and both of the defender's give the next card's defender mission. A
    second dummy gives a free choice: from the defender's list, but from the attacker's after the
    defender's queen, and from the list in question after a king. A spy comes with a true mission, and a
    second ace with any. Cards beyond what is needed conceal and mean nothing.
    """
    if not cards:
        raise refuse("no-cards", "A mission begins with a card.", place="/cards", rule="D3.13")
    settled: list[Mission] = []
    found = mission_on(role, cards[0])
    used = 1
    if found.key == SPY:
        settled.append(found)
        if len(cards) == 1:
            return MissionDraw(tuple(settled), "card", drawn=used)
        found = mission_on(role, cards[1])
        used = 2
        if found.key == SPY:
            return _chosen(settled, missions_of("attacker", "defender"), choice, used)
    if found.key != DUMMY:
        return MissionDraw((*settled, found), "", drawn=used)
    if len(cards) == used:
        return MissionDraw(tuple(settled), "card", drawn=used)
    following = cards[used]
    used += 1
    if found.listed == "attacker" and found.rank == "K":
        options: list[Mission] = []
        for listed in ROLES:
            option = mission_on(listed, following)
            free = option.key == DUMMY or (option.key == SPY and bool(settled))
            options.extend(missions_of(listed) if free else [option])
        drawn = _chosen(settled, tuple(options), choice, used)
    else:
        option = mission_on("defender", following)
        if option.key != DUMMY:
            return MissionDraw((*settled, option), "", drawn=used)
        after_queen = found.listed == "defender" and found.rank == "Q"
        drawn = _chosen(settled, missions_of("attacker" if after_queen else "defender"), choice, used)
    if drawn.missions and drawn.missions[-1].key == SPY and not drawn.needs:
        # A king's ace taken as the attacker's: the spy's own second card follows.
        return _true_mission(drawn.missions, cards, used)
    return drawn


def _chosen(settled: Sequence[Mission], options: tuple[Mission, ...], choice: Mission | None, used: int) -> MissionDraw:
    if choice is None:
        return MissionDraw(tuple(settled), "choice", options, used)
    if choice not in options:
        raise refuse("not-an-option", "This mission is not to be had here.", place="/choice", rule="D3.13")
    return MissionDraw((*settled, choice), "", drawn=used)


def _true_mission(missions: tuple[Mission, ...], cards: Sequence[str], used: int) -> MissionDraw:
    """Return the draw with the true mission of a spy who came by a dummy; a dummy or ace there is passed over."""
    while used < len(cards):
        found = mission_on("attacker", cards[used])
        used += 1
        if found.key not in (DUMMY, SPY):
            return MissionDraw((*missions, found), "", drawn=used)
    return MissionDraw(missions, "card", drawn=used)


@rule("D3.13")
def may_conceal(role: Role, card: str) -> bool:
    """Say whether a second draw after this mission card would be for show alone."""
    return mission_on(role, card).key not in (DUMMY, SPY)


@rule("D3.11")
def check_set_up(base: int, year: int, ships_of: Mapping[str, Sequence[int]]) -> tuple[Problem, ...]:
    """Return what is wrong with a scenario's first agreement.

    ``ships_of`` maps each faction to the base costs of the classes it has in that year. A faction needs
    a class that the first purchase can pay.
    """
    problems = list(check_base(base))
    if not 1 <= year <= 9999:
        problems.append(Problem("/year", "out-of-range", "Years run from 1 to 9999 PD.", "D3.11"))
    if len(ships_of) < 1:
        problems.append(Problem("/factions", "no-faction", "Each side draws on a faction.", "D3.11"))
    for faction, costs in ships_of.items():
        place = pointer("factions", faction)
        if not costs:
            message = f"{faction} has no ships in {year} PD."
            problems.append(Problem(place, "no-ships", message, "D3.11"))
        elif not problems and min(costs) > base * FIRST_PERCENT // 100:
            message = f"The cheapest ship of {faction} costs {min(costs)} points, more than the first purchase."
            problems.append(Problem(place, "nothing-affordable", message, "D3.112"))
    return tuple(problems)
