"""A ruleset is a value: the rulebook's sequence of play and its doors, for every level.

Nothing here knows any game. ``state`` and ``orders`` are whatever frozen dataclasses the ruleset
uses inside; documents are plain JSON (mappings, lists, text, whole numbers, booleans, null).

The documents every ruleset shares, so that the common pages and the API serve any of them, are the
side's *report* (``view_for``), the *order sheet* (``order_schema``), the *projection* (rows for the
roster and the map) and the engagement (``engine.handoff``). docs/rulesets.md describes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from campaign.engine.battle import Fought, Progress
from campaign.engine.dice import TurnDice
from campaign.engine.errors import Problem
from campaign.engine.procedure import Desk

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a turn.

    ``kind`` is past tense in kebab case ("force-moved"). ``audience`` names the sides that may read
    it; nobody named means the GM alone. ``text`` is one sentence in campaign words, ``data`` its
    numbers, ``rules`` the rule keys it rests on. ``phase`` is filled in by the engine.
    """

    kind: str
    text: str
    audience: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    data: Document = field(default_factory=dict)
    phase: str = ""

    def as_document(self) -> dict[str, Any]:
        """Return the event as it is stored."""
        return {
            "kind": self.kind,
            "text": self.text,
            "audience": sorted(self.audience),
            "rules": list(self.rules),
            "data": dict(self.data),
            "phase": self.phase,
        }


Outcome = tuple[Any, tuple[Event, ...]]
"""The new state and what happened."""


@dataclass(frozen=True, slots=True)
class Phase:
    """One step of the sequence of play: ``run(state, orders, dice)``, ``orders`` by side."""

    name: str
    title: str
    rules: tuple[str, ...]
    run: Callable[[Any, Mapping[str, Any], TurnDice], Outcome]


@dataclass(frozen=True, slots=True)
class Switch:
    """A ruling or house rule that a campaign may choose differently.

    ``choices`` maps each allowed value to what it means; ``default`` is our reading.
    """

    key: str
    title: str
    rules: tuple[str, ...]
    default: str
    choices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """A sheet as the engine will use it: typed orders, and the problems of what was dropped.

    Each order with a stopping problem is left out (the ruleset's default stands in for it);
    warnings leave their order in.
    """

    orders: Any
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Saying:
    """What the shared pages and feeds say in a ruleset's own words, and the rules that it rests on."""

    text: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One ruleset of one level.

    ``edition`` is the rules, ``schema`` the shape of the state document, ``maturity`` one of
    "complete", "playable", "desk". The functions:

    - ``new_state(setup)``: the state of turn 0 from a setup document; raises ProblemsError.
    - ``load_state(document)`` lifts older schemas; ``dump_state(state)`` is its inverse. The state
      document holds "roster" (ships, classes) beside the map, so one document is the whole truth.
    - ``read_orders(report, document)``: a sheet checked against the side's own report; never raises.
    - ``order_schema(report)``: JSON Schema of the sheet with titles, units ("unit") and labels.
    - ``default_orders(report)``: the sheet of a side that sent none and has no standing orders.
    - ``view_for(state, side)``: the side's report; ``view_of_umpire(state)``: the same with the truth.
    - ``amend(state, amendment)``: a GM's typed change; raises ProblemsError for one it cannot make.
    - ``amendment_schema``: JSON Schema of an amendment (a discriminated union over "act").
    - ``projection(state)``: {"forces": columns, "ships": columns} for the roster rows.
    - ``roster_changes(before, after)``: what changed of each ship, as documents.
    - ``captain(report, doctrine)``: a whole sheet from a side's own report, without chance.
    - ``check_class(stat_block)``: every problem of a ship class's stat block under this ruleset's key; None for
      a ruleset that reads another one's.
    - ``sayings``: the words of the shared pages that are this ruleset's (docs/rulesets.md lists their keys); where
      there is none for a key, a page leaves the place empty.
    """

    level: str
    key: str
    title: str
    source: str
    edition: int
    schema: int
    maturity: str
    desk: Desk
    switches: tuple[Switch, ...]
    phases: tuple[Phase, ...]
    doctrines: Mapping[str, str]
    new_state: Callable[[Document], Any]
    load_state: Callable[[Document], Any]
    dump_state: Callable[[Any], dict[str, Any]]
    read_orders: Callable[[Document, Document], Reading]
    order_schema: Callable[[Document], dict[str, Any]]
    default_orders: Callable[[Document], dict[str, Any]]
    view_for: Callable[[Any, str], dict[str, Any]]
    view_of_umpire: Callable[[Any], dict[str, Any]]
    amend: Callable[[Any, Document], Outcome]
    amendment_schema: Document
    projection: Callable[[Any], dict[str, Any]]
    roster_changes: Callable[[Any, Any], list[dict[str, Any]]]
    captain: Callable[[Document, str], dict[str, Any]]
    check_class: Callable[[Any], tuple[Problem, ...]] | None = None
    sayings: Mapping[str, Saying] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationalRuleset(Ruleset):
    """A ruleset of the map level.

    - ``turns_per_day``: operational turns in 24 hours, for the campaign clock.
    - ``open_engagements(state)``: the engagement documents (engine.handoff) opened or issued anew in
      the turn that ended in this state.
    - ``apply_report(state, engagement, report)``: the signed result taken back to the map.
    - ``conversions``: tactical ruleset key to the stated conversion of distance, time, velocity and
      condition; a pair that is not listed may not be handed off.
    - ``bidding_rounds(engagement)``: the rounds of bids in order, ``[{"round", "sides"}]``; the sides of
      a round bid secretly and at once, and a round is revealed when all of them have bid.
    - ``check_bid(engagement, side, bid)``: every problem of one bid.
    - ``set_engagement(engagement, bids)``: the engagement with its starting places, velocities, frame and
      time limit, ``bids`` a list with one ``{side: bid}`` for each round; a missing bid counts as none.
    - ``engagement_for_side(engagement, side)``: what that side may read of it, before and after setting.
    - ``captain_bids(engagement, side, doctrine)``: a computer side's bids, one for each round it bids in.
    - ``report_schema(engagement)``, ``check_report(engagement, report)``: the result form and every problem
      of a result; ``score_report(engagement, report)``: points, ratios and margin with their sums;
      ``report_for_side(engagement, report, side)``: a result as far as a side may read it.
    """

    turns_per_day: int | Fraction
    open_engagements: Callable[[Any], tuple[dict[str, Any], ...]]
    apply_report: Callable[[Any, Document, Document], Outcome]
    conversions: Mapping[str, Any]
    bidding_rounds: Callable[[Document], list[dict[str, Any]]]
    check_bid: Callable[[Document, str, Document], tuple[Problem, ...]]
    set_engagement: Callable[[Document, Sequence[Document]], dict[str, Any]]
    engagement_for_side: Callable[[Document, str], dict[str, Any]]
    captain_bids: Callable[[Document, str, str], list[dict[str, int]]]
    report_schema: Callable[[Document], dict[str, Any]]
    check_report: Callable[[Document, Document], tuple[Problem, ...]]
    score_report: Callable[[Document, Document], dict[str, Any]]
    report_for_side: Callable[[Document, Document, str], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class PlotStep:
    """One step of a tactical turn in which the sides plot in secret, and the phases that follow from it.

    The last step of a turn carries the rest of the turn. A step in which nobody has anything to plot is
    passed over.
    """

    name: str
    title: str
    phases: tuple[Phase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TacticalRuleset:
    """A ruleset of the battle level.

    A battle stands at one plot step after another; ``step`` resolves the present one from all sides'
    sheets and stands at the next. Documents and values as in ``Ruleset``. The functions:

    - ``muster(engagement, classes)``: the battle of a set engagement (engine.handoff), every ship as it was
      handed over; ``classes`` maps class keys to their documents. ``new_battle(scenario, classes)``: one of
      a scenario's own set-up. Both raise ProblemsError with every problem.
    - ``load_state`` lifts older schemas, ``dump_state`` is its inverse.
    - ``step_of(state)``: the name of the step that is plotted next; ``sides_to_plot(state)``: the sides that
      have something to plot in it.
    - ``plot_schema(view)``: JSON Schema of a side's sheet for the present step, from its view.
    - ``read_plots(state, side, document)``: a sheet checked with what its side knows; never raises.
    - ``step(state, plots, dice)``: the state at the next plot step and what happened; ``plots`` maps sides to
      typed sheets, a missing one does nothing. ``dice`` are those of (battle, turn, step).
    - ``end_of(state)``: None, or ``{"why", "text", "winner"}``.
    - ``view_for(state, side)``: what that side may see; ``view_of_umpire(state)``: everything.
    - ``captain(view, doctrine)``: a whole sheet from a side's own view, without chance.
    - ``report(state)``: the battle report (engine.handoff); ``score(state)``: the account of victory.
    - ``amend(state, amendment)``: a GM's typed change by ``amendment_schema``; raises ProblemsError.
    - ``fight(state, doctrines, seed, progress)``: the whole battle fought by captains, ``doctrines`` by side
      (a side that is missing lets its units coast).
    - ``log_lines(events)``: the log a person reads; ``picture(state, events)``: an SVG of a step as text.
    - ``check_class(stat_block)``: every problem of a ship class's stat block under this ruleset's key.
    """

    level: str = "tactical"
    key: str
    title: str
    source: str
    edition: int
    schema: int
    maturity: str
    desk: Desk
    switches: tuple[Switch, ...]
    steps: tuple[PlotStep, ...]
    doctrines: Mapping[str, str]
    muster: Callable[[Document, Mapping[str, Document]], Any]
    new_battle: Callable[[Any, Mapping[str, Document]], Any]
    load_state: Callable[[Document], Any]
    dump_state: Callable[[Any], dict[str, Any]]
    step_of: Callable[[Any], str]
    sides_to_plot: Callable[[Any], tuple[str, ...]]
    plot_schema: Callable[[Document], dict[str, Any]]
    read_plots: Callable[[Any, str, Any], Reading]
    step: Callable[[Any, Mapping[str, Any], TurnDice], Outcome]
    end_of: Callable[[Any], dict[str, Any] | None]
    view_for: Callable[[Any, str], dict[str, Any]]
    view_of_umpire: Callable[[Any], dict[str, Any]]
    captain: Callable[[Document, str], dict[str, Any]]
    fight: Callable[[Any, Mapping[str, str], str, Progress | None], Fought]
    report: Callable[[Any], dict[str, Any]]
    score: Callable[[Any], dict[str, Any]]
    amend: Callable[[Any, Document], Outcome]
    amendment_schema: Document
    log_lines: Callable[[tuple[Event, ...]], tuple[str, ...]]
    picture: Callable[[Any, tuple[Event, ...]], str]
    check_class: Callable[[Any], tuple[Problem, ...]] | None = None

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The whole sequence of play, in order."""
        return tuple(phase for each in self.steps for phase in each.phases)
