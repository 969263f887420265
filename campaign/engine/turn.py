"""One turn: from its envelope to its answer, for any operational ruleset.

The envelope is the whole input of a turn and the answer its whole output, so the same envelope
gives the same bytes anywhere. Order of work: changes the GM made between turns, signed battle
reports, orders read again, the phases, engagements opened, amendments, and last the views.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from campaign.engine.dice import TurnDice, turn_keys
from campaign.engine.ruleset import Document, Event, OperationalRuleset

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a turn came to.

    ``state`` is the document after the turn, ``reports`` a document a side, ``events`` in order,
    ``rolls`` every die with its address, ``engagements`` the documents opened, ``problems`` a side's
    refused orders, ``projection`` rows for the roster.
    """

    state: dict[str, Any]
    reports: dict[str, dict[str, Any]]
    events: tuple[Event, ...]
    rolls: tuple[dict[str, Any], ...]
    engagements: tuple[dict[str, Any], ...]
    problems: dict[str, list[dict[str, str]]]
    projection: dict[str, Any]
    roster_changes: list[dict[str, Any]]


def resolve(ruleset: OperationalRuleset, envelope: Document, progress: Progress | None = None) -> Answer:
    """Play one turn of ``ruleset`` from its envelope.

    Envelope fields: "campaign", "branch", "turn" (the turn being played, 1 for the first), "sides",
    "state" (document before), "sheets" (side to {"orders", "nonce", "status"}), "changes" (GM's
    typed changes between turns), "reports" (list of {"engagement", "report"}), "amendments",
    "seeds" (side and "umpire" to hex), "typed_dice" (canonical address to faces).
    Bad orders are dropped with an order-rejected event; a bad amendment raises ProblemsError.
    """
    before = ruleset.load_state(envelope["state"])
    sheets: Mapping[str, Any] = envelope["sheets"]
    dice = TurnDice(
        turn_keys(envelope["seeds"], {side: sheet["nonce"] for side, sheet in sheets.items() if sheet.get("nonce")}),
        (envelope["campaign"], envelope["branch"], envelope["turn"]),
        envelope.get("typed_dice"),
    )
    steps = len(ruleset.phases) + 3
    log: list[Event] = []
    state = before

    _tell(progress, 0, steps, "Changes and battle reports")
    for change in envelope.get("changes", ()):
        state, events = ruleset.amend(state, change)
        log += _in_phase(events, "changes")
    for signed in envelope.get("reports", ()):
        state, events = ruleset.apply_report(state, signed["engagement"], signed["report"])
        log += _in_phase(events, "battle-reports")

    orders: dict[str, Any] = {}
    problems: dict[str, list[dict[str, str]]] = {}
    for side in envelope["sides"]:
        report = ruleset.view_for(state, side)
        sheet = sheets.get(side)
        document = sheet["orders"] if sheet else ruleset.default_orders(report)
        reading = ruleset.read_orders(report, document)
        orders[side] = reading.orders
        problems[side] = [problem.as_document() for problem in reading.problems]
        log += [
            Event(
                "order-rejected",
                problem.message,
                (side,),
                (problem.rule,) if problem.rule else (),
                problem.as_document(),
                "orders",
            )
            for problem in reading.problems
            if problem.severity == "stop"
        ]

    for number, phase in enumerate(ruleset.phases, start=1):
        _tell(progress, number, steps, phase.title)
        state, events = phase.run(state, orders, dice)
        log += _in_phase(events, phase.name)

    _tell(progress, steps - 2, steps, "Amendments")
    for amendment in envelope.get("amendments", ()):
        state, events = ruleset.amend(state, amendment)
        log += _in_phase(events, "amendments")

    _tell(progress, steps - 1, steps, "Reports")
    answer = Answer(
        state=ruleset.dump_state(state),
        reports={side: ruleset.view_for(state, side) for side in envelope["sides"]},
        events=tuple(log),
        rolls=tuple(roll.as_document() for roll in dice.rolls()),
        engagements=ruleset.open_engagements(state),
        problems=problems,
        projection=ruleset.projection(state),
        roster_changes=ruleset.roster_changes(before, state),
    )
    _tell(progress, steps, steps, "Done")
    return answer


def _in_phase(events: tuple[Event, ...], phase: str) -> list[Event]:
    return [event if event.phase else replace(event, phase=phase) for event in events]


def _tell(progress: Progress | None, done: int, total: int, what: str) -> None:
    if progress is not None:
        progress(done, total, what)
