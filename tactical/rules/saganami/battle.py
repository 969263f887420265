"""A battle from its set-up to its end: captains plot, steps are played, everything is kept for a replay.

Chance comes from one seed: each step has its own dice, addressed by battle, turn and step. The same state,
sheets and seed give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from campaign.engine.battle import Fought, Played, Progress, battle_keys
from campaign.engine.dice import canonical
from tactical.rules.saganami.captain import Captain, captain_of
from tactical.rules.saganami.documents import dump_state, load_state
from tactical.rules.saganami.plot_reading import read_plots
from tactical.rules.saganami.plots import Plots
from tactical.rules.saganami.sequence import dice_of, sides_to_plot, step
from tactical.rules.saganami.state import State
from tactical.rules.saganami.view import view_of

MOST_TURNS: Final = 200  # a battle that captains cannot end is called off


def play_step(state: State, sheets: Mapping[str, Any], seed: str) -> tuple[State, Played]:
    """Play one plot step from the sides' sheets (documents); a sheet that is missing does nothing."""
    plots: dict[str, Plots] = {}
    problems: dict[str, list[dict[str, str]]] = {}
    for side in sides_to_plot(state):
        reading = read_plots(state, side, sheets.get(side) or {"ships": {}})
        plots[side] = reading.orders
        if reading.problems:
            problems[side] = [problem.as_document() for problem in reading.problems]
    dice = dice_of(state.battle, state.turn + 1, state.stage, battle_keys(seed))
    after, events = step(state, plots, dice)
    rolls = tuple(roll.as_document() for roll in dice.rolls())
    return after, Played(state.turn + 1, state.stage, dict(sheets), events, rolls, problems)


def fight(
    state: State, captains: Mapping[str, Captain], seed: str, progress: Progress | None = None, most: int = MOST_TURNS
) -> Fought:
    """Fight a battle to its end; ``captains`` plot by side, one that is missing lets its ships coast.

    After ``most`` turns it is over where it stands ("called-off").
    """
    steps: list[Played] = []
    while state.over is None:
        if state.turn >= most:
            state = state.copy()
            state.over = {"why": "called-off", "text": f"The battle is called off after {most} turns.", "winner": None}
            break
        sheets = {side: captains[side](view_of(state, side)) for side in sides_to_plot(state) if side in captains}
        state, played = play_step(state, sheets, seed)
        steps.append(played)
        if progress is not None and state.stage == "movement":
            progress(state.turn, state.time_limit or most, f"Turn {state.turn}")
    return Fought(state, state.turn, str(state.over["why"]), tuple(steps))


def fight_by_doctrine(
    state: State, doctrines: Mapping[str, str], seed: str, progress: Progress | None = None
) -> Fought:
    """Fight a battle to its end by captains of these doctrines."""
    return fight(state, {side: captain_of(doctrine) for side, doctrine in doctrines.items()}, seed, progress)


def replay_document(start: State, fought: Fought, seed: str) -> dict[str, Any]:
    """Return a whole battle as it is kept: the first state, the seed, every sheet, and digests of what came of them."""
    state = start
    kept = []
    for each in fought.steps:
        state, played = play_step(state, each.sheets, seed)
        kept.append({"turn": played.turn, "stage": played.stage, "sheets": dict(each.sheets),
                     "digest": digest([dump_state(state), played.as_document()])})  # fmt: skip
    return {"schema": 1, "seed": seed, "start": dump_state(start), "steps": kept, "end": digest(dump_state(state))}


def replay(document: Mapping[str, Any]) -> tuple[State, tuple[int, ...]]:
    """Play a kept battle again; return its last state and the numbers of the steps that came out differently."""
    state = load_state(document["start"])
    differing = []
    for number, each in enumerate(document["steps"]):
        state, played = play_step(state, each["sheets"], document["seed"])
        if digest([dump_state(state), played.as_document()]) != each["digest"]:
            differing.append(number)
    return state, tuple(differing)


def digest(value: Any) -> str:
    """Return the SHA-256 (hex) of a document's canonical bytes."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()
