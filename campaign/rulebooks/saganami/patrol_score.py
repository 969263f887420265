"""The account of a patrol battle (D3.4): normal points first, then what each mission makes of them.

The order is fixed and every step is a line: (1) normal points for the enemy's losses; (2) each mission's
additions and subtractions, reckoned from the normal points of both sides; (3) missions that multiply a
side's whole total; (4) what is forfeited for leaving too late (D3.131). Fractions are rounded up, line
by line (D2.223), and the margin is found as in any battle (D2.232).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.patrol import forfeit_percent
from campaign.rulebooks.saganami.patrol_battle import MissionPlayed, PatrolBattle, PatrolShip, PatrolSide, check_battle
from campaign.rulebooks.saganami.patrol_choices import largest_of
from campaign.rulebooks.saganami.source import rule
from campaign.rulebooks.saganami.victory import Line, Score, SideScore, lines_for_ship, settle

Lines: TypeAlias = tuple[Line, ...]

SPY_PERCENT = 5  # D3.2/A: of the enemy's whole budget
FREIGHTER_PERCENT = 5  # D3.2/J: of the enemy's budget, for each freighter
CONVOY_MOST_PERCENT = 50  # D3.2/J and D3.3/9: of the base budget
WATCHED_PERCENTS = (0, 1, 2, 4)  # D3.2/2: of the enemy's points, by ships watched in one turn
WATCHED_MOST_PERCENT = 25
SUPREMACY_TURN = 10  # D3.3/5
METTLE_KILLS = 2  # D3.2/5
SHIP_KINDS = ("damage", "destroyed", "captured", "surrendered")


@dataclass(frozen=True, slots=True)
class Situation:
    """A battle as one side's mission sees it: both sides, and what each earned normally."""

    battle: PatrolBattle
    own: PatrolSide
    enemy: PatrolSide
    own_lines: Lines
    enemy_lines: Lines
    mission: MissionPlayed

    def line(self, label: str, points: int, subject: str = "") -> Line:
        """Return a line of this mission."""
        return Line(label, points, self.mission.rule, "mission", subject)

    def scaled(self, lines: Iterable[Line], percent: int, label: str) -> Lines:
        """Return what makes these lines count so many percent of what they did."""
        return tuple(
            self.line(f"{label}: {line.label}", percent_of(line.points, percent) - line.points, line.subject)
            for line in lines
            if line.points
        )


Additions: TypeAlias = tuple[Lines, Lines]
"""Lines that a mission adds to its own side's account, and to the enemy's."""


def percent_of(points: int, percent: int) -> int:
    """Return so many percent of points, rounded up."""
    return ceil(Fraction(points * percent, 100))


def about(lines: Lines, ship: str, kinds: Sequence[str] = SHIP_KINDS) -> Lines:
    """Return the lines of these kinds about one ship."""
    return tuple(line for line in lines if line.subject == ship and line.kind in kinds)


# The missions' additions ----------------------------------------------------------------------------


@rule("D3.2/A")
def _spy(seen: Situation) -> Additions:
    if seen.mission.spy_act != "kept":
        return (), ()
    return (seen.line("A spy who stayed hidden", percent_of(seen.enemy.budget, SPY_PERCENT)),), ()


@rule("D3.2/J")
def _convoy_raid(seen: Situation) -> Additions:
    raiders = [ship for ship in seen.own.ships if ship.is_hyper_capable and ship.is_past_enemy]
    if not raiders:
        return (), ()
    most = seen.battle.base_budget * CONVOY_MOST_PERCENT // 100
    points = min(percent_of(seen.enemy.budget, FREIGHTER_PERCENT * len(raiders)), most)
    return (seen.line(f"{len(raiders)} freighters captured", points),), ()


@rule("D3.2/10")
def _vendetta(seen: Situation) -> Additions:
    target = _target(seen.enemy, seen.mission)
    if target.fate == "destroyed":
        lines = about(seen.own_lines, target.ship, ("destroyed",))
        return seen.scaled(lines, 300, "Vendetta settled"), ()
    if target.has_disengaged:
        line = seen.line(f"{target.label} escapes the vendetta", 2 * target.cost, target.ship)
        return (), (line,)
    return (), ()


@rule("D3.2/6", "D3.3/8")
def _space_superiority(seen: Situation) -> Additions:
    damaged = [line for line in seen.own_lines if line.kind == "damage"]
    return seen.scaled(damaged, 50, "Not destroyed"), ()


@rule("D3.2/4")
def _attackers_blockade(seen: Situation) -> Additions:
    lines: list[Line] = []
    for ship in seen.enemy.ships:
        if ship.is_hyper_capable and not ship.hyper_works:
            lines.extend(seen.scaled(about(seen.own_lines, ship.ship), 150, "Hyper generator lost"))
    return tuple(lines), ()


@rule("D3.2/3")
def _economy_of_force(seen: Situation) -> Additions:
    hurt = [line for line in seen.enemy_lines if line.kind in ("damage", "destroyed")]
    return (), seen.scaled(hurt, 125, "Economy of force")


@rule("D3.2/2")
def _intelligence(seen: Situation) -> Additions:
    percent = watched_percent(seen.mission.targets, seen.own.close_turns)
    if not percent:
        return (), ()
    points = percent_of(seen.enemy.outcome().initial_cost, percent)
    return (seen.line(f"Intelligence gathered: {percent} percent", points),), ()


@rule("D3.2/2")
def watched_percent(watched: Sequence[str], close_turns: Sequence[Sequence[str]]) -> int:
    """Return the percent earned by watching three ships, turn by turn, up to 25."""
    total = 0
    for turn in close_turns:
        seen = len({ship for ship in turn if ship in watched})
        total += WATCHED_PERCENTS[min(seen, len(WATCHED_PERCENTS) - 1)]
    return min(total, WATCHED_MOST_PERCENT)


@rule("D3.3/A")
def _vengeance(seen: Situation) -> Additions:
    destroyed = [line for line in seen.own_lines if line.kind == "destroyed"]
    escaped = [ship for ship in seen.enemy.ships if ship.has_disengaged]
    return (
        seen.scaled(destroyed, 200, "Vengeance"),
        tuple(seen.line(f"{ship.label} escapes vengeance", 2 * ship.cost, ship.ship) for ship in escaped),
    )


@rule("D3.3/J")
def _elite_crew(seen: Situation) -> Additions:
    target = _target(seen.own, seen.mission)
    if target.fate != "destroyed":
        return (), ()
    return (seen.line(f"The elite crew of {target.label} is lost", -2 * target.cost, target.ship),), ()


@rule("D3.3/9")
def _convoy_defense(seen: Situation) -> Additions:
    loose = [ship for ship in seen.enemy.ships if ship.is_past_enemy]
    left = sum(ship.cost - sum(line.points for line in about(seen.own_lines, ship.ship, ("damage",))) for ship in loose)
    loss = min(left, seen.battle.base_budget * CONVOY_MOST_PERCENT // 100)
    if not loss:
        return (), ()
    return (seen.line(f"{len(loose)} ships loose among the convoy", -loss),), ()


@rule("D3.3/7")
def _defenders_blockade(seen: Situation) -> Additions:
    away = [ship for ship in seen.enemy.ships if ship.has_disengaged and ship.is_hyper_capable and ship.hyper_works]
    return tuple(seen.line(f"{ship.label} leaves the system", -ship.cost, ship.ship) for ship in away), ()


@rule("D3.3/6")
def _fleet_in_being(seen: Situation) -> Additions:
    lost = [line for line in seen.enemy_lines if line.kind in ("destroyed", "captured", "surrendered")]
    return (), seen.scaled(lost, 200, "Fleet in being")


@rule("D3.3/3")
def _walking_wounded(seen: Situation) -> Additions:
    brought_home = []
    for identity in seen.mission.targets:
        ship = seen.own.ship(identity)
        if ship is None or ship.left_turn is None or not ship.is_past_enemy:
            continue
        if ship.left_turn >= seen.own.time_limit and not forfeit_percent(
            ship.left_turn - seen.own.time_limit, is_disengaged=True
        ):
            brought_home.append(ship)
    return (
        tuple(
            seen.line(f"{ship.label} brought home wounded", percent_of(ship.cost, 50), ship.ship)
            for ship in brought_home
        ),
        (),
    )


@rule("D3.3/2")
def _political_appointee(seen: Situation) -> Additions:
    target = _target(seen.own, seen.mission)
    if target.has_disengaged:
        lines = about(seen.enemy_lines, target.ship)
        return (), seen.scaled(lines, 150, "The appointee runs")
    if target.fate == "destroyed":
        return (seen.line(f"The appointee is lost with {target.label}", -2 * target.cost, target.ship),), ()
    return (), ()


def _target(side: PatrolSide, mission: MissionPlayed) -> PatrolShip:
    found = side.ship(mission.targets[0])
    if found is None:  # check_battle has looked
        raise LookupError(mission.targets[0])
    return found


ADDITIONS: Mapping[str, Callable[[Situation], Additions]] = {
    "D3.2/A": _spy,
    "D3.2/J": _convoy_raid,
    "D3.2/10": _vendetta,
    "D3.2/6": _space_superiority,
    "D3.2/4": _attackers_blockade,
    "D3.2/3": _economy_of_force,
    "D3.2/2": _intelligence,
    "D3.3/A": _vengeance,
    "D3.3/J": _elite_crew,
    "D3.3/9": _convoy_defense,
    "D3.3/8": _space_superiority,
    "D3.3/7": _defenders_blockade,
    "D3.3/6": _fleet_in_being,
    "D3.3/3": _walking_wounded,
    "D3.3/2": _political_appointee,
}
"""By rule. Missions that are not here change the total, the time, or what happens in play."""


# The missions' multipliers --------------------------------------------------------------------------


@rule("D3.2/Q")
def _force_majeure(seen: Situation) -> int:
    return 200 if any(ship.fate == "destroyed" for ship in largest_of(seen.enemy.ships)) else 100


@rule("D3.2/9")
def _deep_strike(seen: Situation) -> int:
    return 120


@rule("D3.3/9")
def _convoy_unharmed(seen: Situation) -> int:
    return 100 if any(ship.has_disengaged for ship in seen.enemy.ships) else 200


@rule("D3.3/5")
def _space_supremacy(seen: Situation) -> int:
    turn = objective_turn(seen.battle, seen.enemy)
    return 200 if turn is None or turn > SUPREMACY_TURN else 100


MULTIPLIERS: Mapping[str, tuple[str, Callable[[Situation], int]]] = {
    "D3.2/Q": ("Force majeure: the largest ship destroyed", _force_majeure),
    "D3.2/9": ("Deep strike", _deep_strike),
    "D3.3/9": ("No enemy ship disengaged: the convoy is safe", _convoy_unharmed),
    "D3.3/5": ("The enemy's plans were frustrated in time", _space_supremacy),
}


# Time -----------------------------------------------------------------------------------------------------


def first_disengagement(side: PatrolSide) -> int | None:
    """Return the turn at whose end the first ship of a side got away, or None."""
    turns = [ship.left_turn for ship in side.ships if ship.has_disengaged and ship.left_turn is not None]
    return min(turns, default=None)


def kills_turn(enemy: PatrolSide, kills: int, *, last_turn: int) -> int | None:
    """Return the turn in which so many hyper capable ships of the enemy had been destroyed, or None."""
    turns = sorted(
        ship.left_turn or last_turn for ship in enemy.ships if ship.is_hyper_capable and ship.fate == "destroyed"
    )
    return turns[kills - 1] if len(turns) >= kills else None


@rule("D3.131", "D3.2/7", "D3.2/5")
def release_turn(battle: PatrolBattle, side: PatrolSide) -> int | None:
    """Return the turn from which a side's mission lets its ships disengage, or None if it never did.

    A liar's bluff holds until an enemy ship has disengaged, a demonstration of mettle until two hyper
    capable enemies are destroyed; other missions do not hold at all (turn 0).
    """
    enemy = battle.enemy_of(side)
    turns: list[int | None] = [0]
    if side.has("liars-bluff"):
        turns.append(first_disengagement(enemy))
    if side.has("demonstration-of-mettle"):
        turns.append(kills_turn(enemy, METTLE_KILLS, last_turn=battle.turns))
    known = [turn for turn in turns if turn is not None]
    return max(known) if len(known) == len(turns) else None


@rule("D3.131")
def field_cleared_turn(side: PatrolSide) -> int | None:
    """Return the turn at whose end a side had no ship left in the fight, or None."""
    turns = [ship.left_turn for ship in side.ships if ship.has_disengaged or ship.is_lost]
    known = [turn for turn in turns if turn is not None]
    return max(known, default=None) if len(known) == len(side.ships) else None


@rule("D3.131", "D3.2/5", "D3.2/7")
def forfeited_percent(battle: PatrolBattle, side: PatrolSide) -> int:
    """Return how much of its points a side forfeits for not having disengaged in time.

    Once either side has no ship left there is nothing to disengage from. A force that left while its
    mission held it has not disengaged until its mission let it go. The limit does not count for a
    demonstration of mettle.
    """
    if side.has("demonstration-of-mettle"):
        return 0
    ends = []
    released = release_turn(battle, side)
    if side.disengaged_turn is not None and released is not None:
        ends.append(max(side.disengaged_turn, released))
    ends.extend(
        turn
        for turn in (field_cleared_turn(battle.enemy_of(side)), _last_stand(battle, side, released))
        if turn is not None
    )
    if ends:
        return forfeit_percent(min(ends) - side.time_limit, is_disengaged=True)
    return forfeit_percent(battle.turns - side.time_limit, is_disengaged=False)


def _last_stand(battle: PatrolBattle, side: PatrolSide, released: int | None) -> int | None:
    """Return the turn at which a side's last ship was out of the fight, by a way that its mission allows."""
    cleared = field_cleared_turn(side)
    if cleared is None or not any(ship.has_disengaged for ship in side.ships):
        return cleared
    return None if released is None else max(cleared, released)


@rule("D3.3/5")
def objective_turn(battle: PatrolBattle, side: PatrolSide) -> int | None:
    """Return the turn in which a side achieved what its mission asks for, or None.

    What the summary states goes first. Otherwise: the largest enemy destroyed (force majeure), a
    freighter captured (convoy raid), the target destroyed (vendetta), an enemy gone (liar's bluff), two
    hyper capable enemies destroyed (mettle), a hyper generator lost (blockade), every watched ship seen
    close by (intelligence); for any other mission, half of the enemy force by points destroyed, taken or
    struck.
    """
    if side.objective_turn is not None or not side.missions:
        return side.objective_turn
    enemy, mission = battle.enemy_of(side), side.missions[-1]
    last = battle.turns
    turns: list[int]
    if mission.rule == "D3.2/Q":
        turns = [ship.left_turn or last for ship in largest_of(enemy.ships) if ship.fate == "destroyed"]
    elif mission.rule == "D3.2/J":
        turns = [ship.left_turn or last for ship in side.ships if ship.is_hyper_capable and ship.is_past_enemy]
    elif mission.rule == "D3.2/10":
        target = _target(enemy, mission)
        turns = [target.left_turn or last] if target.fate == "destroyed" else []
    elif mission.rule == "D3.2/7":
        first = first_disengagement(enemy)
        turns = [] if first is None else [first]
    elif mission.rule == "D3.2/5":
        second = kills_turn(enemy, METTLE_KILLS, last_turn=last)
        turns = [] if second is None else [second]
    elif mission.rule == "D3.2/4":
        turns = [ship.left_turn or last for ship in enemy.ships if ship.is_hyper_capable and not ship.hyper_works]
    elif mission.rule == "D3.2/2":
        turns = [_all_watched(mission.targets, side.close_turns)]
        turns = [turn for turn in turns if turn]
    else:
        return _half_lost(enemy, last)
    return min(turns, default=None)


def _all_watched(watched: Sequence[str], close_turns: Sequence[Sequence[str]]) -> int:
    """Return the turn by which every watched ship had been close, or 0."""
    missing = list(watched)
    for turn, close in enumerate(close_turns, start=1):
        missing = [ship for ship in missing if ship not in close]
        if not missing:
            return turn
    return 0


def _half_lost(enemy: PatrolSide, last_turn: int) -> int | None:
    whole = sum(ship.cost for ship in enemy.ships)
    gone = 0
    for turn, cost in sorted((ship.left_turn or last_turn, ship.cost) for ship in enemy.ships if ship.is_lost):
        gone += cost
        if 2 * gone >= whole:
            return turn
    return None


# The account ----------------------------------------------------------------------------------------------


@rule("D3.2/9")
def after_deep_strike(battle: PatrolBattle) -> PatrolBattle:
    """Return the battle with the raiders that could not translate counted as destroyed at its end."""
    return replace(
        battle,
        attacker=_stranded(battle.attacker, battle.turns),
        defender=_stranded(battle.defender, battle.turns),
    )


def _stranded(side: PatrolSide, last_turn: int) -> PatrolSide:
    if not side.has("deep-strike"):
        return side
    ships = tuple(
        replace(ship, fate="destroyed", left_turn=last_turn, is_past_enemy=False)
        if not ship.is_lost and not ship.hyper_works
        else ship
        for ship in side.ships
    )
    return replace(side, ships=ships)


@rule("D3.4", "D3.41", "D3.131")
def score_patrol(battle: PatrolBattle) -> Score:
    """Return the account of a patrol battle: every side's lines, ratios, margin and winner.

    Raises ProblemsError with everything that is wrong with the summary.
    """
    problems = check_battle(battle)
    if problems:
        raise ProblemsError(problems)
    battle = after_deep_strike(battle)
    normal = {
        side.side: tuple(line for ship in battle.enemy_of(side).ships for line in lines_for_ship(ship.outcome()))
        for side in battle.sides
    }
    accounts: dict[str, list[Line]] = {side.side: list(normal[side.side]) for side in battle.sides}
    for side in battle.sides:
        enemy = battle.enemy_of(side)
        for mission in side.missions:
            seen = Situation(battle, side, enemy, normal[side.side], normal[enemy.side], mission)
            found = ADDITIONS.get(mission.rule)
            if found is not None:
                own_lines, enemy_lines = found(seen)
                accounts[side.side].extend(own_lines)
                accounts[enemy.side].extend(enemy_lines)
    for side in battle.sides:
        account = accounts[side.side]
        enemy = battle.enemy_of(side)
        for mission in side.missions:
            label, percent_by = MULTIPLIERS.get(mission.rule, ("", None))
            total = sum(line.points for line in account)
            if percent_by is None or total <= 0:
                continue
            percent = percent_by(Situation(battle, side, enemy, normal[side.side], normal[enemy.side], mission))
            if percent != 100:
                account.append(Line(label, percent_of(total, percent) - total, mission.rule, "mission"))
        total = sum(line.points for line in account)
        forfeited = forfeited_percent(battle, side)
        if forfeited and total > 0:
            kept = percent_of(total, 100 - forfeited)
            account.append(Line(f"Still there after the limit: {forfeited} percent", kept - total, "D3.131", "forfeit"))
    return settle(
        SideScore(side.side, side.outcome().initial_cost, tuple(accounts[side.side])) for side in battle.sides
    )
