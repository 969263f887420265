"""Operational/full-thrust: the operational turn of the source and its doors, as one value.

During the phases ``state.turn`` is the turn before; the turn being played is one more, and the last
phase counts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from campaign.engine.clock import MINUTES_A_DAY
from campaign.engine.dice import TurnDice
from campaign.engine.ruleset import Event, OperationalRuleset, Phase
from operational.rules.full_thrust import (
    detection_phase,
    initiative_phase,
    movement_phase,
    operations_phase,
    preferences,
    table_phase,
)
from operational.rules.full_thrust.amendments import AMENDMENT_SCHEMA, amend
from operational.rules.full_thrust.battle_report import check_report, report_for_side, report_schema, score_report
from operational.rules.full_thrust.battle_return import apply_report
from operational.rules.full_thrust.captain import DOCTRINES, captain
from operational.rules.full_thrust.conversions import CONVERSIONS
from operational.rules.full_thrust.desk import DESK
from operational.rules.full_thrust.documents import dump_state, load_state
from operational.rules.full_thrust.order_schema import order_schema
from operational.rules.full_thrust.orders import Orders
from operational.rules.full_thrust.projection import projection, roster_changes
from operational.rules.full_thrust.reading import read_orders
from operational.rules.full_thrust.sayings import SAYINGS
from operational.rules.full_thrust.setup import new_state
from operational.rules.full_thrust.ship_class import check_class
from operational.rules.full_thrust.source import SOURCE
from operational.rules.full_thrust.state import SCHEMA, State
from operational.rules.full_thrust.switches import SWITCHES
from operational.rules.full_thrust.tables import OPERATIONAL_TURN_MINUTES
from operational.rules.full_thrust.view import view_for, view_of_umpire


def start_of_turn(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Take the standing choices from the sheets, then roll for the initiative."""
    state, _ = preferences.run(state, orders, dice)
    return initiative_phase.run(state, orders, dice)


PHASES: tuple[Phase, ...] = (
    Phase("initiative", "Initiative", ("initiative", "dummy-taskforces"), start_of_turn),
    Phase("detection", "Detection, by turns, loser first", ("detection-phase",), detection_phase.run),
    Phase("operations", "Operations, both sides at once", ("operations-phase",), operations_phase.run),
    Phase("movement", "Movement, by turns, loser first", ("movement-phase",), movement_phase.run),
    Phase("table", "Move to and from the table", ("table-phase",), table_phase.run),
)


def default_orders(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sheet of a side that sent none: every task force coasts and nobody scans."""
    return {}


RULESET = OperationalRuleset(
    level="operational",
    key="full-thrust",
    title="Full Thrust",
    source=SOURCE,
    edition=1,
    schema=SCHEMA,
    maturity="playable",
    desk=DESK,
    switches=SWITCHES,
    phases=PHASES,
    doctrines=DOCTRINES,
    new_state=new_state,
    load_state=load_state,
    dump_state=dump_state,
    read_orders=read_orders,
    order_schema=order_schema,
    default_orders=default_orders,
    view_for=view_for,
    view_of_umpire=view_of_umpire,
    amend=amend,
    amendment_schema=AMENDMENT_SCHEMA,
    projection=projection,
    roster_changes=roster_changes,
    captain=captain,
    check_class=check_class,
    sayings=SAYINGS,
    turns_per_day=Fraction(MINUTES_A_DAY, OPERATIONAL_TURN_MINUTES),
    open_engagements=table_phase.open_engagements,
    engagement_for_side=table_phase.engagement_for_side,
    captain_bids=table_phase.captain_bids,
    apply_report=apply_report,
    conversions=CONVERSIONS,
    bidding_rounds=table_phase.bidding_rounds,
    check_bid=table_phase.check_bid,
    set_engagement=table_phase.set_engagement,
    report_schema=report_schema,
    check_report=check_report,
    score_report=score_report,
    report_for_side=report_for_side,
)
