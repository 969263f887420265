"""Operational/saganami: the sequence of play of B5 and its doors, as one value.

During the phases ``state.turn`` is the turn before; the turn being played is one more, and the last
phase counts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.ruleset import OperationalRuleset, Phase
from campaign.rulebooks.saganami.scales import OPERATIONAL_TURNS_A_DAY
from campaign.rulebooks.saganami.ship_class import check_class
from operational.rules.saganami import (
    clock,
    compensators,
    contact_range,
    detection,
    engagement,
    hyper,
    movement,
    organisation,
    preferences,
    upkeep,
    wedge,
)
from operational.rules.saganami.amendments import AMENDMENT_SCHEMA, amend
from operational.rules.saganami.battle_report import check_report, report_for_side, report_schema, score_report
from operational.rules.saganami.battle_return import apply_report
from operational.rules.saganami.captain import DOCTRINES, captain
from operational.rules.saganami.captain_bids import captain_bids
from operational.rules.saganami.conversions import CONVERSIONS
from operational.rules.saganami.desk import DESK
from operational.rules.saganami.documents import dump_state, load_state
from operational.rules.saganami.order_schema import order_schema
from operational.rules.saganami.projection import projection, roster_changes
from operational.rules.saganami.reading import read_orders
from operational.rules.saganami.sayings import SAYINGS
from operational.rules.saganami.setup import new_state
from operational.rules.saganami.state import SCHEMA
from operational.rules.saganami.switches import SWITCHES
from operational.rules.saganami.view import view_for, view_of_umpire

PHASES: tuple[Phase, ...] = (
    Phase("standing-choices", "Standing choices", ("B5.121", "B5.162"), preferences.run),
    Phase("forces", "Forces split and merge", ("B5.12", "B5.122"), organisation.run),
    Phase("arrivals", "Out of hyperspace", ("B5.16", "B5.161", "B5.162"), hyper.arrive),
    Phase("movement", "Thrust and movement", ("B3.2", "B3.3", "B5.12"), movement.run),
    Phase("compensators", "Compensator checks", ("B3.23", "C5.465"), compensators.run),
    Phase("contact-range", "Within range 5", ("B5.12", "D2.13"), contact_range.run),
    Phase("wedges", "Wedges up and down", ("B5.145",), wedge.run),
    Phase("detection", "Footprints and searches", ("B5.14",), detection.run),
    Phase("departures", "Into hyperspace", ("B5.16", "B5.161"), hyper.depart),
    Phase("upkeep", "Repairs, jury rigs, life support", ("C5.423", "C6.13", "C6.16"), upkeep.run),
    Phase("hand-off", "Engagements are written", ("B5.12", "D2.13"), engagement.run),
    Phase("clock", "The turn is over", ("B5.11",), clock.run),
)


def default_orders(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sheet of a side that sent none: every force keeps its standing course, else coasts."""
    return {}


RULESET = OperationalRuleset(
    level="operational",
    key="saganami",
    title="Saganami",
    source="saganami",
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
    turns_per_day=OPERATIONAL_TURNS_A_DAY,
    open_engagements=engagement.open_engagements,
    engagement_for_side=engagement.engagement_for_side,
    captain_bids=captain_bids,
    apply_report=apply_report,
    conversions=CONVERSIONS,
    bidding_rounds=engagement.bidding_rounds,
    check_bid=engagement.check_bid,
    set_engagement=engagement.set_engagement,
    report_schema=report_schema,
    check_report=check_report,
    score_report=score_report,
    report_for_side=report_for_side,
)
