"""The state of a battle as a document: whole numbers and texts, the same bytes for the same battle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.engine.errors import refuse
from campaign.engine.hexes import Hex
from campaign.rulebooks.saganami.grades import load_grades
from campaign.rulebooks.saganami.ship_class import load_class
from tactical.rules.saganami.attitude import Attitude, read_attitude
from tactical.rules.saganami.movement import Course
from tactical.rules.saganami.sheet import Sheet
from tactical.rules.saganami.state import SCHEMA, Move, Rig, Ship, Side, State

_SHEETS: dict[str, tuple[Mapping[str, Any], Sheet]] = {}


def sheet_of(key: str, document: Mapping[str, Any]) -> Sheet:
    """Return the sheet of a class's document; raises ProblemsError for a document that is none.

    The last one made of each class is kept: reading a class takes longer than a turn of battle.
    """
    kept = _SHEETS.get(key)
    if kept is not None and kept[0] == document:
        return kept[1]
    made = Sheet(load_class(document))
    _SHEETS[key] = (document, made)
    return made


def dump_state(state: State) -> dict[str, Any]:
    """Return the whole battle as a document; ``load_state`` is its inverse."""
    return {
        "schema": SCHEMA,
        "battle": state.battle,
        "title": state.title,
        "turn": state.turn,
        "stage": state.stage,
        "frame": dict(state.frame),
        "time_limit": state.time_limit,
        "rulings": dict(state.rulings),
        "handed": state.handed,
        "chart": state.chart,
        "objectives": list(state.objectives),
        "over": state.over,
        "sides": {
            key: {"name": side.name, "allies": list(side.allies), "options_cost": side.options_cost}
            for key, side in state.sides.items()
        },
        "classes": state.classes,
        "ships": [dump_ship(ship) for ship in state.ships],
    }


def _hex(place: Hex | None) -> list[int] | None:
    return None if place is None else list(place)


def _attitude(attitude: Attitude | None) -> dict[str, str | int] | None:
    return None if attitude is None else attitude.as_document()


def dump_ship(ship: Ship) -> dict[str, Any]:
    """Return a unit whole, as the state keeps it and its own side sees it."""
    return {
        "id": ship.id,
        "name": ship.name,
        "seen_name": ship.seen_name,
        "side": ship.side,
        "force": ship.force,
        "class": ship.sheet.key,
        "cost": ship.cost,
        "crew": dict(ship.crew),
        "stores": dict(ship.stores),
        "grades": dict(ship.grades.as_document()),
        "place": _hex(ship.place),
        "vectors": dict(ship.vectors),
        "attitude": _attitude(ship.attitude),
        "carry": list(ship.carry),
        "fate": ship.fate,
        "note": ship.note,
        "left_turn": ship.left_turn,
        "arrives": ship.arrives,
        "nearest": ship.nearest,
        "step": _hex(ship.step),
        "berth": _hex(ship.berth),
        "wedge_up": ship.wedge_up,
        "walls_from": ship.walls_from,
        "gone": {track: boxes for track, boxes in sorted(ship.gone.items()) if boxes},
        "rigs": [{"track": rig.track, "boxes": rig.boxes, "fails": rig.fails} for rig in ship.rigs],
        "failed": dict(sorted(ship.failed.items())),
        "spent": dict(sorted(ship.spent.items())),
        "marked": {craft: list(boxes) for craft, boxes in sorted(ship.marked.items())},
        "sails": list(ship.sails),
        "canister": dict(sorted(ship.canister.items())),
        "pods": {
            "aboard": ship.pods_aboard,
            "towed": ship.pods_towed,
            "settling": [list(each) for each in ship.pods_settling],
            "used": ship.pods_used,
            "killed": ship.pods_killed,
            "cost": ship.pod_cost,
        },
        "came": dict(sorted(ship.came.items())),
        "brought": dict(sorted(ship.brought.items())),
        "came_grades": dict(ship.came_grades.as_document()),
        "life_support_failed": ship.life_support_failed,
        "hits_seen": ship.hits_seen,
        "move": None if ship.move is None else _dump_move(ship.move),
        "is_mute": ship.is_mute,
        "disabled": dict(sorted(ship.disabled.items())),
    }


def _dump_move(move: Move) -> dict[str, Any]:
    course = move.course
    return {
        "start": _hex(course.start),
        "halfway": _hex(course.midpoint),
        "end": _hex(course.end),
        "displacement": dict(course.displacement),
        "carry": list(course.carry),
        "vectors": dict(course.vectors),
        "attitude_halfway": _attitude(move.midpoint),
        "attitude_end": _attitude(move.end),
        "pivot": move.pivot_windows,
        "roll": move.roll_windows,
        "thrust": move.thrust,
        "change": dict(move.change),
        "red_line": move.is_red_lined,
    }


def load_state(document: Mapping[str, Any]) -> State:
    """Return the battle of a document. Raises ProblemsError ("unknown-schema") for one that is not ours."""
    if document.get("schema") != SCHEMA:
        raise refuse("unknown-schema", f"This battle is not of schema {SCHEMA}.", place="/schema")
    classes = {key: dict(each) for key, each in document["classes"].items()}
    sheets = {key: sheet_of(key, each) for key, each in classes.items()}
    return State(
        battle=document["battle"],
        title=document["title"],
        sides={
            key: Side(side["name"], tuple(side["allies"]), side["options_cost"])
            for key, side in document["sides"].items()
        },
        ships=[load_ship(ship, sheets) for ship in document["ships"]],
        classes=classes,
        sheets=sheets,
        rulings=dict(document["rulings"]),
        turn=document["turn"],
        stage=document["stage"],
        frame=dict(document["frame"]),
        time_limit=document["time_limit"],
        handed=dict(document["handed"]),
        chart=dict(document["chart"]),
        objectives=list(document["objectives"]),
        over=document["over"],
    )


def _read_hex(value: Any) -> Hex | None:
    return None if value is None else Hex(*value)


def _read_attitude(value: Any) -> Attitude | None:
    return None if value is None else read_attitude(value["forward"], value["roll"])


def load_ship(document: Mapping[str, Any], sheets: Mapping[str, Sheet]) -> Ship:
    """Return the unit of a document that ``dump_ship`` made."""
    pods = document["pods"]
    return Ship(
        id=document["id"],
        name=document["name"],
        seen_name=document["seen_name"],
        side=document["side"],
        force=document["force"],
        sheet=sheets[document["class"]],
        cost=document["cost"],
        crew=dict(document["crew"]),
        stores=dict(document["stores"]),
        grades=load_grades(document["grades"]),
        place=Hex(*document["place"]),
        vectors=dict(document["vectors"]),
        attitude=_read_attitude(document["attitude"]),
        carry=tuple(document["carry"]),
        fate=document["fate"],
        note=document["note"],
        left_turn=document["left_turn"],
        arrives=document["arrives"],
        nearest=document["nearest"],
        step=_read_hex(document["step"]),
        berth=Hex(*document["berth"]),
        wedge_up=document["wedge_up"],
        walls_from=document["walls_from"],
        gone=dict(document["gone"]),
        rigs=[Rig(rig["track"], rig["boxes"], rig["fails"]) for rig in document["rigs"]],
        failed=dict(document["failed"]),
        spent=dict(document["spent"]),
        marked={craft: tuple(boxes) for craft, boxes in document["marked"].items()},
        sails=tuple(document["sails"]),
        canister=dict(document["canister"]),
        pods_aboard=pods["aboard"],
        pods_towed=pods["towed"],
        pods_settling=tuple((ready, count) for ready, count in pods["settling"]),
        pods_used=pods["used"],
        pods_killed=pods["killed"],
        pod_cost=pods["cost"],
        came=dict(document["came"]),
        brought=dict(document["brought"]),
        came_grades=load_grades(document["came_grades"]),
        life_support_failed=document["life_support_failed"],
        hits_seen=document["hits_seen"],
        move=None if document["move"] is None else _load_move(document["move"]),
        is_mute=document["is_mute"],
        disabled=dict(document["disabled"]),
    )


def _load_move(document: Mapping[str, Any]) -> Move:
    course = Course(
        start=Hex(*document["start"]),
        midpoint=Hex(*document["halfway"]),
        end=Hex(*document["end"]),
        displacement=dict(document["displacement"]),
        carry=tuple(document["carry"]),
        vectors=dict(document["vectors"]),
    )
    halfway, end = document["attitude_halfway"], document["attitude_end"]
    return Move(
        course=course,
        midpoint=read_attitude(halfway["forward"], halfway["roll"]),
        end=read_attitude(end["forward"], end["roll"]),
        pivot_windows=document["pivot"],
        roll_windows=document["roll"],
        thrust=document["thrust"],
        change=dict(document["change"]),
        is_red_lined=document["red_line"],
    )
