"""What a side sees of a battle: its own units whole, of the others what the table shows (A3.12, B1.1).

Of others' units that is the class, where they stand and face, how they move, whether the wedge is up,
which hits all have seen go in, pods in tow, and, once they are placed, the markers of their turn. Plots,
damage, stores, officers and orders are their own.

``View`` is what captains think with; ``view_for`` is the same as a document, and ``load_view`` its inverse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.engine.hexes import Hex
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.attitude import Attitude, read_attitude
from tactical.rules.saganami.documents import dump_ship, load_ship, sheet_of
from tactical.rules.saganami.helm_room import coasting
from tactical.rules.saganami.movement import Course
from tactical.rules.saganami.plot_reading import plotters
from tactical.rules.saganami.sheet import Sheet
from tactical.rules.saganami.state import Ship, State


@dataclass(frozen=True, slots=True)
class Seen:
    """Another side's unit as everybody sees it; ``course`` are its markers, coasting until they are placed."""

    id: str
    name: str
    side: str
    is_enemy: bool
    sheet: Sheet
    place: Hex
    vectors: Mapping[str, int]
    attitude: Attitude | None
    course: Course
    has_plotted: bool
    wedge_up: bool
    pods_towed: int
    hits_seen: int


@dataclass(frozen=True, slots=True)
class View:
    """A side's view. ``own`` are its units on the map or to come, ``others`` those of everybody else on it.

    ``plots`` names the own units for which something is plotted in this step.
    """

    side: str
    battle: str
    turn: int
    stage: str
    frame: Mapping[str, int]
    time_limit: int | None
    hyper_limit: int | None
    rulings: Mapping[str, str]
    own: tuple[Ship, ...]
    others: tuple[Seen, ...]
    plots: tuple[str, ...]
    gone: tuple[tuple[str, str, str], ...]

    @property
    def enemies(self) -> tuple[Seen, ...]:
        """The units that may be fired on."""
        return tuple(other for other in self.others if other.is_enemy)


@rule("A3.12", "B1.14", "C2.11", "B3.12")
def view_of(state: State, side: str) -> View:
    """Return what a side sees."""
    others = []
    for ship in state.ships:
        if ship.side == side or not ship.is_active:
            continue
        shown = ship.move is not None and (state.stage == "launch" or (state.stage == "lacs" and not ship.sheet.is_lac))
        others.append(
            Seen(
                id=ship.id,
                name=ship.seen_name,
                side=ship.side,
                is_enemy=state.oppose(side, ship.side),
                sheet=ship.sheet,
                place=ship.place,
                vectors=ship.vectors,
                attitude=ship.attitude,
                course=_markers(ship, shown),
                has_plotted=shown,
                wedge_up=ship.wedge_up,
                pods_towed=ship.pods_towed,
                hits_seen=ship.hits_seen,
            )
        )
    return View(
        side=side,
        battle=state.battle,
        turn=state.turn,
        stage=state.stage,
        frame=state.frame,
        time_limit=state.time_limit,
        hyper_limit=state.chart.get("hyper_limit"),
        rulings=state.rulings,
        own=tuple(ship for ship in state.ships if ship.side == side),
        others=tuple(others),
        plots=tuple(ship.id for ship in plotters(state, side)),
        gone=tuple((ship.id, ship.seen_name, ship.fate) for ship in state.ships if ship.fate != "active"),
    )


def _markers(ship: Ship, shown: bool) -> Course:
    """Return the public markers of a unit: where it is displaced to, but not what its thrust makes of its vectors."""
    if not shown or ship.move is None:
        public = coasting(ship)
        return Course(public.start, public.midpoint, public.end, {}, (), dict(ship.vectors))
    course = ship.move.course
    return Course(course.start, course.midpoint, course.end, dict(course.displacement), (), dict(ship.vectors))


def view_for(state: State, side: str) -> dict[str, Any]:
    """Return what a side sees as a document: "ships" whole by id, "others" as everybody sees them, "classes"."""
    view = view_of(state, side)
    keys = sorted({ship.sheet.key for ship in view.own} | {other.sheet.key for other in view.others})
    return {
        "side": side,
        "battle": view.battle,
        "title": state.title,
        "turn": view.turn,
        "stage": view.stage,
        "frame": dict(view.frame),
        "time_limit": view.time_limit,
        "hyper_limit": view.hyper_limit,
        "rulings": dict(view.rulings),
        "sides": {key: {"name": each.name, "allies": list(each.allies) if key == side else []}
                  for key, each in state.sides.items()},
        "ships": [dump_ship(ship) for ship in view.own],
        "others": [_dump_seen(other) for other in view.others],
        "plots": list(view.plots),
        "gone": [list(each) for each in view.gone],
        "over": state.over,
        "classes": {key: state.classes[key] for key in keys},
    }  # fmt: skip


def _dump_seen(other: Seen) -> dict[str, Any]:
    return {
        "id": other.id,
        "name": other.name,
        "side": other.side,
        "enemy": other.is_enemy,
        "class": other.sheet.key,
        "place": list(other.place),
        "vectors": dict(other.vectors),
        "attitude": None if other.attitude is None else other.attitude.as_document(),
        "midpoint": list(other.course.midpoint),
        "end": list(other.course.end),
        "displacement": dict(other.course.displacement),
        "has_plotted": other.has_plotted,
        "wedge_up": other.wedge_up,
        "pods_towed": other.pods_towed,
        "hits_seen": other.hits_seen,
    }


def load_view(document: Mapping[str, Any]) -> View:
    """Return the view of a document that ``view_for`` made."""
    sheets = {key: sheet_of(key, each) for key, each in document["classes"].items()}
    others = []
    for each in document["others"]:
        place = Hex(*each["place"])
        attitude = each["attitude"]
        others.append(
            Seen(
                id=each["id"],
                name=each["name"],
                side=each["side"],
                is_enemy=each["enemy"],
                sheet=sheets[each["class"]],
                place=place,
                vectors=dict(each["vectors"]),
                attitude=None if attitude is None else read_attitude(attitude["forward"], attitude["roll"]),
                course=Course(place, Hex(*each["midpoint"]), Hex(*each["end"]), dict(each["displacement"]), (),
                              dict(each["vectors"])),
                has_plotted=each["has_plotted"],
                wedge_up=each["wedge_up"],
                pods_towed=each["pods_towed"],
                hits_seen=each["hits_seen"],
            )
        )  # fmt: skip
    return View(
        side=document["side"],
        battle=document["battle"],
        turn=document["turn"],
        stage=document["stage"],
        frame=dict(document["frame"]),
        time_limit=document["time_limit"],
        hyper_limit=document["hyper_limit"],
        rulings=dict(document["rulings"]),
        own=tuple(load_ship(each, sheets) for each in document["ships"]),
        others=tuple(others),
        plots=tuple(document["plots"]),
        gone=tuple((each[0], each[1], each[2]) for each in document["gone"]),
    )


def view_of_umpire(state: State) -> dict[str, Any]:
    """Return everything, as the umpire sees it."""
    return {
        "battle": state.battle,
        "title": state.title,
        "turn": state.turn,
        "stage": state.stage,
        "frame": dict(state.frame),
        "time_limit": state.time_limit,
        "rulings": dict(state.rulings),
        "sides": {key: {"name": side.name, "allies": list(side.allies)} for key, side in state.sides.items()},
        "ships": [dump_ship(ship) for ship in state.ships],
        "over": state.over,
    }
