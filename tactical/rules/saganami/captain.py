"""The automatic commander: a whole sheet for each plot step, from its side's own view and without chance.

``plan(view, doctrine)`` is all that a battle asks of it. It assesses the table (captain_picture), flies
(captain_helm) and fires (captain_guns) by expectations (captain_worth).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tactical.rules.saganami.captain_guns import plot_launch
from tactical.rules.saganami.captain_helm import plot_facings, plot_movement
from tactical.rules.saganami.captain_picture import DOCTRINES, assess
from tactical.rules.saganami.view import View, load_view

Captain: TypeAlias = Callable[[View], dict[str, Any]]
"""Whoever plots for a side: a view in, a sheet out."""

DOCTRINE_TITLES: Mapping[str, str] = {key: doctrine.title for key, doctrine in DOCTRINES.items()}


def plan(view: View, doctrine: str = "balanced") -> dict[str, Any]:
    """Return a side's sheet for the present plot step."""
    if not view.plots:
        return {"ships": {}}
    picture = assess(view, doctrine)
    if view.stage == "facing":
        return plot_facings(view, picture)
    if view.stage == "launch":
        return plot_launch(view, picture)
    return plot_movement(view, picture)


def captain(report: Mapping[str, Any], doctrine: str = "balanced") -> dict[str, Any]:
    """Return a side's sheet from its view as a document."""
    return plan(load_view(report), doctrine)


def captain_of(doctrine: str) -> Captain:
    """Return the captain of a doctrine."""

    def plots(view: View) -> dict[str, Any]:
        return plan(view, doctrine)

    return plots
