"""Mustering: a battle from a set engagement, every ship exactly as it was handed over (D2.13, B5.12).

Forces stand at the places of the setting. One ship stands in a hex and level, so the ships of a force
take berths round its flagship; ``Ship.berth`` is that step, and a report takes it off again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.engine.handoff import EngagedForce, EngagedShip, Engagement, Place
from campaign.engine.hexes import ORIGIN, Hex, disc, squared_range
from campaign.rulebooks.saganami.grades import load_grades
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.documents import sheet_of
from tactical.rules.saganami.pods import check_towing
from tactical.rules.saganami.sheet import THRUST, Sheet
from tactical.rules.saganami.state import Rig, Ship, Side, State

PODS: Final = "pods"
CANISTER: Final = "canister_"  # a store of canister is named by its mount: canister_port
WEDGE_DOWN, SIDEWALLS_NEXT_TURN = "wedge-down", "sidewalls-next-turn"
BERTHS_REACH = 3


def _steps() -> tuple[Hex, ...]:
    """Return the steps to the berths round a flagship: nearest first, on the flagship's level before others."""
    found = [Hex(q, r, z) for q, r in disc(0, 0, BERTHS_REACH) for z in range(-BERTHS_REACH, BERTHS_REACH + 1)]
    return tuple(sorted(found, key=lambda step: (squared_range(*step), abs(step.z), -step.z, step)))


BERTHS: Final = _steps()


@rule("C7.11")
def berth(place: Hex, taken: Collection[Hex]) -> Hex:
    """Return the step from a force's place to the nearest hex and level that nobody has taken."""
    return next((step for step in BERTHS if place.moved(*step) not in taken), ORIGIN)


def muster(document: Mapping[str, Any], classes: Mapping[str, Mapping[str, Any]]) -> State:
    """Return the battle of a set engagement (engine.handoff); ``classes`` maps class keys to their documents.

    Raises ProblemsError for an engagement that is not set ("not-set") and for ships of a class that is
    not given or has other tracks ("class-missing", "other-class").
    """
    engagement = Engagement.model_validate(document)
    setting = engagement.setting
    if setting is None:
        raise refuse("not-set", "The engagement has no places to begin from yet.", place="/setting", rule="B5.12")
    sheets = _sheets(engagement, classes)
    taken: list[Hex] = []
    ships: list[Ship] = []
    for side, force in engagement.forces():
        placed = setting.forces[force.id]
        ordered = sorted(force.ships, key=lambda ship: ship.id != force.flagship)
        berths: dict[str, Hex] = {}
        for ship in ordered:
            berths[ship.id] = berth(placed.position.hex, taken if not placed.arrives else list(_of(placed, berths)))
            if not placed.arrives:
                taken.append(placed.position.hex.moved(*berths[ship.id]))
        for ship in force.ships:
            made = _ship(side, force, ship, sheets[ship.ship_class])
            made.berth = berths[ship.id]
            made.place = placed.position.hex.moved(*made.berth)
            made.vectors = dict(placed.velocity)
            made.arrives = placed.arrives
            made.nearest = placed.nearest
            made.step = None if placed.step is None else placed.step.hex
            ships.append(made)
    _name(ships)
    return State(
        battle=engagement.id,
        title=f"Engagement in {engagement.system.name}",
        sides={key: Side(side.name, tuple(side.allies)) for key, side in sorted(engagement.sides.items())},
        ships=ships,
        classes={key: dict(classes[key]) for key in sorted(sheets)},
        sheets=sheets,
        rulings={},
        frame=dict(setting.frame),
        time_limit=setting.time_limit,
        handed={"engagement": engagement.id, "issue": engagement.issue, "digest": engagement.digest},
        chart=_chart(engagement),
    )


def _of(placed: Any, berths: Mapping[str, Hex]) -> Iterator[Hex]:
    return (placed.position.hex.moved(*step) for step in berths.values())


def _sheets(engagement: Engagement, classes: Mapping[str, Mapping[str, Any]]) -> dict[str, Sheet]:
    sheets: dict[str, Sheet] = {}
    problems: list[Problem] = []
    for side, force, ship in engagement.ships():
        place = pointer("sides", side, "forces", force.id, "ships", ship.id, "class")
        if ship.ship_class not in classes:
            problems.append(Problem(place, "class-missing", f"There is no sheet of the class {ship.ship_class!r}."))
            continue
        sheet = sheets.setdefault(ship.ship_class, sheet_of(ship.ship_class, classes[ship.ship_class]))
        tracks = {track: boxes.of for track, boxes in ship.boxes.items()}
        if tracks and tracks != sheet.size:
            problems.append(
                Problem(place, "other-class", f"{ship.name} was handed over with other tracks than its class.")
            )
    if problems:
        raise ProblemsError(problems)
    return {key: sheets[key] for key in sorted(sheets)}


@rule("B5.145", "C6.13", "C7.111", "C8.111", "A2.65")
def _ship(side: str, force: EngagedForce, ship: EngagedShip, sheet: Sheet) -> Ship:
    """Return a ship exactly as it was handed over; a rig's turns count from when it comes in."""
    lost = {track: boxes.lost for track, boxes in ship.boxes.items() if boxes.lost}
    gone = dict(lost)
    for rig in ship.rigs:
        gone[rig.track] = gone.get(rig.track, 0) - rig.boxes
    pods = ship.stores.get(PODS, 0)
    grades = load_grades(ship.grades)
    made = Ship(
        id=ship.id,
        name=ship.name,
        seen_name="",
        side=side,
        force=force.id,
        sheet=sheet,
        cost=ship.cost,
        crew=dict(ship.crew),
        stores={kind: count for kind, count in ship.stores.items() if kind != PODS},
        grades=grades,
        place=ORIGIN,
        vectors={},
        fate=ship.fate,
        wedge_up=WEDGE_DOWN not in ship.marks,
        walls_from=force.arrives + 2 if SIDEWALLS_NEXT_TURN in ship.marks else 0,
        gone={track: boxes for track, boxes in gone.items() if boxes},
        rigs=[Rig(rig.track, rig.boxes, force.arrives + rig.left) for rig in ship.rigs],
        canister={
            kind.removeprefix(CANISTER): count for kind, count in ship.stores.items() if kind.startswith(CANISTER)
        },
        pods_aboard=pods,
        pod_cost=int(ship.facts.get("pod_cost", 0)),
        came=lost,
        brought=dict(ship.stores),
        came_grades=grades,
    )
    mark_bodies(made)
    take_in_tow(made, pods_to_tow(made))
    return made


def mark_bodies(ship: Ship) -> None:
    """Mark the bodies of LACs that come with losses, from the left: the hand-off counts boxes without telling which."""
    for craft in ship.sheet.craft:
        boxes = ship.gone.get(f"{craft}.body", 0)
        if boxes:
            ship.marked[craft] = tuple(range(boxes))


@rule("C8.21", "C8.211", "C8.231")
def pods_to_tow(ship: Ship) -> int:
    """Return the pods a ship has in tow when the battle begins: as many as it may; a pod-layer lays them later."""
    if ship.sheet.pods.is_layer or not ship.pods_aboard:
        return 0
    return max(count for count in range(ship.pods_aboard + 1) if count == 0 or not towing_problems(ship, count))


def towing_problems(ship: Ship, pods: int) -> tuple[Problem, ...]:
    """Return what is wrong with towing so many pods (C8.21)."""
    boxes = ship.sheet.boxes.get(THRUST, ())[ship.gone.get(THRUST, 0) :]
    squares = sum(box.kind is BoxKind.SQUARE for box in boxes)
    return check_towing(ship.sheet.scale, pods, squares, is_lac=ship.sheet.is_lac)


def take_in_tow(ship: Ship, pods: int) -> None:
    """Put pods from aboard into tow, ready to fire."""
    ship.pods_aboard += ship.pods_towed - pods
    ship.pods_towed = pods


def _name(ships: list[Ship]) -> None:
    """Give every ship the name by which the other sides know it: its class, and a number within side and class."""
    numbers: dict[tuple[str, str], int] = {}
    for ship in sorted(ships, key=lambda ship: (ship.side, ship.id)):
        name = ship.sheet.ship_class.name
        numbers[ship.side, name] = numbers.get((ship.side, name), 0) + 1
        ship.seen_name = f"{name} {numbers[ship.side, name]}"


name_for_others = _name


@rule("B5.12", "B5.13", "B5.132", "B5.16")
def _chart(engagement: Engagement) -> dict[str, Any]:
    """Return where the battle lies on the star's map: its hyper limit, and each force's origin in tactical hexes.

    A ship stands there at its place, less its berth, plus its force's origin and the way of the map.
    """
    setting = engagement.setting
    forces = {force.id: force for _, force in engagement.forces()}
    origins = {}
    for mark, force in forces.items():
        base, seen = force, [mark]
        while base.nearest in forces and base.nearest not in seen:
            base = forces[base.nearest]
            seen.append(base.id)
        start = Place(q=0, r=0) if setting is None else setting.forces[base.id].position
        origins[mark] = list(base.place.hex.less(start.hex))
    return {
        "hyper_limit": engagement.theatre.get("hyper_limit"),
        "origins": origins,
        "limits": [] if setting is None else [limit.as_document() for limit in setting.limits],
    }
