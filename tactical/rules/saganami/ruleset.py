"""Tactical/saganami: the turn sequence of A3 and its doors, as one value."""

from __future__ import annotations

from campaign.engine.ruleset import TacticalRuleset
from campaign.rulebooks.saganami.ship_class import check_class
from tactical.rules.saganami.amendments import AMENDMENT_SCHEMA, amend
from tactical.rules.saganami.battle import fight_by_doctrine
from tactical.rules.saganami.captain import DOCTRINE_TITLES, captain
from tactical.rules.saganami.desk import DESK
from tactical.rules.saganami.documents import dump_state, load_state
from tactical.rules.saganami.log import log_lines
from tactical.rules.saganami.muster import muster
from tactical.rules.saganami.picture import picture
from tactical.rules.saganami.plot_reading import read_plots
from tactical.rules.saganami.plot_schema import plot_schema
from tactical.rules.saganami.report import report, score
from tactical.rules.saganami.scenario import new_battle
from tactical.rules.saganami.sequence import STEPS, sides_to_plot, step
from tactical.rules.saganami.state import EDITION, SCHEMA
from tactical.rules.saganami.switches import SWITCHES
from tactical.rules.saganami.view import view_for, view_of_umpire

RULESET = TacticalRuleset(
    key="saganami",
    title="Saganami",
    source="saganami",
    edition=EDITION,
    schema=SCHEMA,
    maturity="playable",
    desk=DESK,
    switches=SWITCHES,
    steps=STEPS,
    doctrines=DOCTRINE_TITLES,
    muster=muster,
    new_battle=new_battle,
    load_state=load_state,
    dump_state=dump_state,
    step_of=lambda state: str(state.stage),
    sides_to_plot=sides_to_plot,
    plot_schema=plot_schema,
    read_plots=read_plots,
    step=step,
    end_of=lambda state: None if state.over is None else dict(state.over),
    view_for=view_for,
    view_of_umpire=view_of_umpire,
    captain=captain,
    fight=fight_by_doctrine,
    report=report,
    score=score,
    amend=amend,
    amendment_schema=AMENDMENT_SCHEMA,
    log_lines=log_lines,
    picture=picture,
    check_class=check_class,
)
