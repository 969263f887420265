"""The turn sequence of A3 as one list: four steps in which the sides plot, and what follows from each.

A step in which nobody plots anything is passed over: facings are chosen when units come onto the map, and
LACs plot on their own only where there are any and the battle's rulings let them wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from campaign.engine.dice import TurnDice
from campaign.engine.ruleset import Event, Outcome, Phase, PlotStep
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.beam_step import beam_impacts
from tactical.rules.saganami.ends import conclude, departures, turn_ends
from tactical.rules.saganami.impact_step import impacts
from tactical.rules.saganami.launch_step import launch
from tactical.rules.saganami.plot_reading import plotters
from tactical.rules.saganami.plots import Plots
from tactical.rules.saganami.plotting_steps import compensators, facings, lac_plots, ship_plots
from tactical.rules.saganami.record_steps import (
    arrivals,
    damage_control,
    life_support,
    move_to_end,
    move_to_midpoint,
    other_actions,
    vectors,
)
from tactical.rules.saganami.state import PLOTTING, Plotting, State
from tactical.rules.saganami.table import Play, Table, phase

SEQUENCE: Final[tuple[tuple[Plotting, str, tuple[tuple[str, str, tuple[str, ...], Play], ...]], ...]] = (
    (
        "facing",
        "Facings of newcomers",
        (("facings", "Units take their facing", ("B5.12", "D2.12"), facings),),
    ),
    (
        "movement",
        "Pivots, rolls and thrust",
        (
            ("plots", "Markers placed, plots carried out", ("A3.11", "A3.12", "B2.2", "B3.2"), ship_plots),
            ("compensators", "Compensator checks", ("B3.23", "C5.465"), compensators),
        ),
    ),
    (
        "lacs",
        "Pivots and thrust of LACs",
        (("lac-plots", "LACs answer the ships' thrust", ("C7.12",), lac_plots),),
    ),
    (
        "launch",
        "Missile launch",
        (
            ("missile-launch", "Salvo cards filled out", ("A3.13", "C2.1", "C8.3"), launch),
            ("early-impact", "Early salvoes", ("A3.21", "C4.1", "C5.0"), partial(impacts, stage="early")),
            ("move-to-midpoint", "Move to midpoint markers", ("A3.22",), move_to_midpoint),
            ("middle-impact", "Middle salvoes", ("A3.23", "C4.1", "C5.0"), partial(impacts, stage="middle")),
            ("first-beams", "First beam impacts", ("A3.23", "C3.1"), partial(beam_impacts, when="first")),
            ("move-to-end", "Move to end-of-turn markers", ("A3.24",), move_to_end),
            ("late-impact", "Late salvoes", ("A3.25", "C4.1", "C5.0"), partial(impacts, stage="late")),
            ("second-beams", "Second beam impacts", ("A3.25", "C3.1"), partial(beam_impacts, when="second")),
            ("vectors", "Thrust added, vectors consolidated", ("A3.31", "A3.32"), vectors),
            ("damage-control", "Damage control", ("A3.33", "C6.1"), damage_control),
            ("other-actions", "Other actions", ("A3.34", "B5.145", "C8.23"), other_actions),
            ("life-support", "Life support", ("C5.423",), life_support),
            ("departures", "Into hyperspace", ("B5.16", "C5.463"), departures),
            ("arrivals", "Reinforcements", ("B5.131",), arrivals),
            ("end-of-turn", "The turn is over", ("D2.2", "B5.132"), turn_ends),
        ),
    ),
)
STEPS: Final[tuple[PlotStep, ...]] = tuple(
    PlotStep(name, title, tuple(phase(*each) for each in phases)) for name, title, phases in SEQUENCE
)
PHASES: Final[tuple[Phase, ...]] = tuple(each for step in STEPS for each in step.phases)
_PLAYS: Final = {name: phases for name, _, phases in SEQUENCE}


def sides_to_plot(state: State) -> tuple[str, ...]:
    """Return the sides that plot something in the present step; none once the battle is over."""
    if state.over is not None:
        return ()
    waiting = [ship.side for ship in plotters(state)]
    return tuple(side for side in state.sides if side in waiting)


@rule("A2.312", "A3.0", "A3.1", "A3.13", "A3.2", "A3.3", "C7.12")
def step(state: State, plots: Mapping[str, Plots], dice: TurnDice) -> Outcome:
    """Return the battle at its next plot step, and what happened: the phases of the present one in order.

    ``plots`` are typed sheets by side; units without a plot do nothing. The state given stays as it was.
    """
    table = Table(state.copy(), plots, dice)
    stage = table.state.stage
    for name, _, _, play in _PLAYS[stage]:
        table.phase = name
        play(table)
    if stage == "facing":
        conclude(table)
    _next_stage(table.state)
    return table.state, tuple(table.events)


def _next_stage(state: State) -> None:
    """Go on to the next step in which anybody plots; units on the map always plot movement and launch."""
    index = PLOTTING.index(state.stage)
    while True:
        index = (index + 1) % len(PLOTTING)
        state.stage = PLOTTING[index]
        if state.stage in ("movement", "launch") or plotters(state):
            return


def dice_of(battle: str, turn: int, stage: str, keys: Mapping[str, bytes]) -> TurnDice:
    """Return the dice of one step: their addresses begin with the battle, the turn being played and the step."""
    return TurnDice(keys, (battle, turn, stage))


__all__ = ["PHASES", "STEPS", "Event", "dice_of", "sides_to_plot", "step"]
