"""Sheets of the launch step read and checked: salvoes, links, pods, canister and standing orders (C2, C8.3)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, Literal

from campaign.engine.errors import Problem, pointer, stops
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.damage_control import NOT_IN_COMBAT
from tactical.rules.saganami.defense import check_canister
from tactical.rules.saganami.fields import Fields
from tactical.rules.saganami.gunnery import end_range, mount_bears, salvo_solution
from tactical.rules.saganami.lacs import check_launchers
from tactical.rules.saganami.missiles import STAGES, Stage, Warhead, check_launch, check_link
from tactical.rules.saganami.plots import Launch, LaunchPlot, PodLaunch, Repair
from tactical.rules.saganami.pods import check_deploying
from tactical.rules.saganami.sheet import HYPER, Mounting
from tactical.rules.saganami.state import Ship, State

LAUNCH_FIELDS: Final = (
    "launches",
    "pods",
    "decoy_worth",
    "beam_targets",
    "hold_beams",
    "lend",
    "repairs",
    "deploy",
    "wedge",
    "translate",
)
SALVO_FIELDS: Final = ("mount", "target", "stages", "warhead", "lead", "held")
POD_FIELDS: Final = ("mount", "target", "stage", "pods", "lead")
REPAIR_FIELDS: Final = ("track", "parties")


def unfired(ship: Ship, mount: Mounting) -> dict[str, tuple[int, ...]]:
    """Return the box launchers that the live LACs of a squadron have left in a mount, as salvo sizes."""
    return {
        craft: mount.launchers[ship.gone.get(f"{craft}.{mount.name}.M", 0) :]
        for craft in ship.live_craft()
        if ship.left(f"{craft}.{mount.name}.M")
    }


@rule("A3.13", "A3.33", "A3.34", "C5.463", "C6.15", "C8.23", "C8.31")
def read_launch_plot(state: State, ship: Ship, value: Any, at: str, problems: list[Problem]) -> LaunchPlot:
    """Return a unit's launch plot; every part that is wrong is left out, with its problem."""
    fields = Fields(value, at, LAUNCH_FIELDS, problems)
    launches: list[Launch] = []
    for index, each in enumerate(fields.items("launches")):
        launch = _launch(state, ship, each, at + pointer("launches", index), launches, problems)
        if launch is not None:
            launches.append(launch)
    pods: list[PodLaunch] = []
    for index, each in enumerate(fields.items("pods")):
        fired = _pods(state, ship, each, at + pointer("pods", index), pods, problems)
        if fired is not None:
            pods.append(fired)
    targets = []
    for index, name in enumerate(fields.items("beam_targets")):
        if _is_target(state, ship, name, at + pointer("beam_targets", index), problems):
            targets.append(str(name))
    deploy = fields.number("deploy", 0, 0, 100, "C8.23")
    wrong = check_deploying(deploy, ship.sheet.pods.per_turn, ship.pods_aboard)
    problems += [Problem(at + "/deploy", each.code, each.message, each.rule) for each in wrong]
    wedge: Literal["up", "down"] | None = None
    if fields.has("wedge"):
        wedge = "down" if fields.choice("wedge", ("up", "down"), "up") == "down" else "up"
    translates = fields.flag("translate")
    if translates and ship.left(HYPER) == 0:
        fields.say(
            "no-hyper-generator", "Without a hyper generator nobody leaves for hyperspace.", "C5.463", "translate"
        )
        translates = False
    return LaunchPlot(
        launches=tuple(launches),
        pods=tuple(pods),
        decoy_worth=fields.number("decoy_worth", 2, 0, 1000, "C4.124"),
        beam_targets=tuple(targets),
        holds_beams=fields.flag("hold_beams"),
        lends=fields.flag("lend", True),
        repairs=_repairs(ship, fields, problems) if fields.has("repairs") else None,
        deploy=0 if wrong else deploy,
        wedge=wedge,
        translates=translates,
    )


def _is_target(state: State, ship: Ship, name: Any, at: str, problems: list[Problem]) -> bool:
    target = state.find(name) if isinstance(name, str) else None
    if target is None or not target.is_active:
        problems.append(Problem(at, "unknown-target", "There is no such unit on the map.", "C2.1"))
        return False
    if not state.oppose(ship.side, target.side):
        problems.append(Problem(at, "own-target", f"{target.seen_name} is no enemy.", "C2.1"))
        return False
    return True


def _repairs(ship: Ship, fields: Fields, problems: list[Problem]) -> tuple[Repair, ...]:
    found = []
    for index, each in enumerate(fields.items("repairs", 200)):
        part = Fields(each, fields.at + pointer("repairs", index), REPAIR_FIELDS, problems)
        track = part.text("track")
        parties = part.number("parties", 1, 1, 2, "C6.122")
        if track not in ship.sheet.size:
            part.say("unknown-track", f"{ship.name} has no track {track!r}.", "C6.12", "track")
        elif ship.sheet.codes[track] in NOT_IN_COMBAT:
            part.say("not-in-combat", f"No jury rig mends {track}.", "C6.15", "track")
        else:
            found.append(Repair(track, parties))
    return tuple(found)


@rule("C2.11", "C2.13", "C2.17", "C2.171", "C2.173", "C4.151", "C7.21")
def _launch(
    state: State, ship: Ship, value: Any, at: str, earlier: list[Launch], problems: list[Problem]
) -> Launch | None:
    """Read one launch of tubes and check it against what it shows of the markers; None where it is wrong."""
    mine: list[Problem] = []
    fields = Fields(value, at, SALVO_FIELDS, mine)
    mount = ship.sheet.mounting.get(fields.text("mount"))
    target_id = fields.text("target")
    warhead: Warhead = (
        "contact nuke" if fields.choice("warhead", ("laser head", "contact nuke"), "laser head") == "contact nuke"
        else "laser head"
    )  # fmt: skip
    stages = _stages(fields)
    held = Fields(fields.value.get("held") or {}, at + "/held", STAGES, mine)
    kept = {stage: held.number(stage, 0, 0, 200, "C4.151") for stage in STAGES if held.has(stage)}
    lead = fields.text("lead")
    if mount is None or not (mount.missiles or mount.launchers):
        fields.say("no-launcher", "There is no missile launcher in this mount.", "C2.13", "mount")
    if ship.is_mute:
        fields.say("bridge-silent", "The bridge crew failed its check: no missiles this turn.", "C5.441")
    is_target = _is_target(state, ship, target_id, at + "/target", mine)
    leader = _leader(state, ship, lead, at, mine)
    if mine or mount is None or leader is None or not is_target:
        problems += mine
        return None
    for other in earlier:
        if other.mount == mount.name and set(other.stages) & set(stages):
            fields.say("mount-twice", "A mount launches one salvo in a stage.", "C2.13", "stages")
    dots = ship.left(mount.magazine) - sum(len(each.stages) for each in earlier if each.mount == mount.name)
    launchers = ship.left(mount.missiles)
    if ship.sheet.is_lac:
        used = tuple(stage for each in earlier if each.mount == mount.name for stage in each.stages)
        left = unfired(ship, mount)
        mine += [Problem(at + each.place, each.code, each.message, each.rule)
                 for each in check_launchers(left, (*used, *stages))]  # fmt: skip
        launchers, dots = len(left), len(stages)
    _check_bearings(state, ship, leader, mount, target_id, stages, launchers, dots, at, mine)
    _check_held(ship, mount, kept, launchers, at, mine)
    problems += mine
    return None if stops(mine) else Launch(mount.name, target_id, stages, warhead, lead, kept)


def _stages(fields: Fields) -> tuple[Stage, ...]:
    named = fields.items("stages", 3)
    wrong = [each for each in named if each not in STAGES]
    if wrong or not named:
        fields.say("unknown-stage", f"Salvoes are {', '.join(STAGES)}.", "C2.122", "stages")
    return tuple(stage for stage in STAGES if stage in named)


@rule("C2.171", "C7.131")
def _leader(state: State, ship: Ship, lead: str, at: str, problems: list[Problem]) -> Ship | None:
    """Return the ship whose range and bearing a launch uses: itself without a link."""
    if not lead or lead == ship.id:
        return ship
    leader = state.find(lead)
    if leader is None or not leader.is_active or leader.side != ship.side:
        problems.append(Problem(at + "/lead", "unknown-lead", "A friendly ship leads a linked salvo.", "C2.17"))
        return None
    return leader


def _check_bearings(
    state: State,
    ship: Ship,
    leader: Ship,
    mount: Mounting,
    target_id: str,
    stages: Collection[Stage],
    launchers: int,
    dots: int,
    at: str,
    problems: list[Problem],
) -> None:
    target = state.ship(target_id)
    if ship.move is None or leader.move is None or target.move is None or ship.sheet.bands is None:
        problems.append(Problem(at, "no-markers", "There are no markers to shoot from.", "C2.11"))
        return
    ranges: dict[Stage, int] = {}
    is_bearing: dict[Stage, bool] = {}
    for stage in stages:
        bearing, _, windows = salvo_solution(stage, leader, target.move.course)
        _, attitude, _ = salvo_solution(stage, ship, target.move.course)
        ranges[stage] = bearing.range
        is_bearing[stage] = mount_bears(mount, attitude, windows)
        if leader is not ship:
            silent = [name for name, each in (("", leader), (ship.id, ship)) if not each.can_talk()]
            problems += check_link(leader.move.course, {ship.id: ship.move.course}, stage, silent, at + "/lead")
    problems += check_launch(
        stages,
        end_range=end_range(leader.move.course, target.move.course),
        bands=ship.sheet.bands,
        ranges=ranges,
        bears=is_bearing,
        launchers=launchers,
        dots=dots,
        at=at + "/stages",
    )


@rule("C4.15", "C4.151", "C4.152", "C4.153", "C4.154")
def _check_held(
    ship: Ship, mount: Mounting, held: dict[Stage, int], launchers: int, at: str, problems: list[Problem]
) -> None:
    rounds = ship.canister.get(mount.name, 0)
    boxes = ship.left(mount.fcon)
    for stage in STAGES:
        tubes = held.get(stage, 0)
        if not tubes:
            continue
        found = check_canister(tubes, launchers, boxes, rounds)
        problems += [Problem(f"{at}/held/{stage}", each.code, each.message, each.rule) for each in found]
        rounds -= tubes


@rule("C8.211", "C8.31", "C8.311", "C5.4322")
def _pods(
    state: State, ship: Ship, value: Any, at: str, earlier: list[PodLaunch], problems: list[Problem]
) -> PodLaunch | None:
    mine: list[Problem] = []
    fields = Fields(value, at, POD_FIELDS, mine)
    mount = ship.sheet.mounting.get(fields.text("mount"))
    target_id = fields.text("target")
    count = fields.number("pods", 1, 1, 100, "C8.31")
    named = fields.choice("stage", STAGES, "late")
    stage = next(each for each in STAGES if each == named)
    lead = fields.text("lead")
    if mount is None:
        fields.say("no-mount", "A mount's fire control guides the pods.", "C8.31", "mount")
    if ship.sheet.is_lac:
        fields.say("lac-tows-pods", "LACs tow no pods and guide none.", "C8.211")
    if ship.is_mute:
        fields.say("bridge-silent", "The bridge crew failed its check: no missiles this turn.", "C5.441")
    ready = ship.pods_towed - sum(each.pods for each in earlier)
    if count > ready:
        fields.say("no-pods-left", f"{ready} pods are in tow and ready.", "C8.23", "pods")
    if mount is not None:
        boxes = ship.left(mount.fcon) - sum(each.pods for each in earlier if each.mount == mount.name)
        if count > boxes:
            fields.say("too-few-boxes", f"Fire control can guide {boxes} pods more.", "C8.31", "pods")
    is_target = _is_target(state, ship, target_id, at + "/target", mine)
    leader = _leader(state, ship, lead, at, mine)
    target = state.find(target_id)
    if is_target and target is not None and leader is not None and mount is not None and target.move and ship.move:
        bearing, _, windows = salvo_solution(stage, leader, target.move.course)
        _, attitude, _ = salvo_solution(stage, ship, target.move.course)
        if leader is not ship and leader.move is not None:
            silent = [name for name, each in (("", leader), (ship.id, ship)) if not each.can_talk()]
            mine += check_link(leader.move.course, {ship.id: ship.move.course}, stage, silent, at + "/lead")
        start = ship.move.course if leader.move is None else leader.move.course
        mine += check_launch(
            (stage,),
            end_range=end_range(start, target.move.course),
            bands=ship.sheet.pods.bands,
            ranges={stage: bearing.range},
            bears={stage: mount_bears(mount, attitude, windows)},
            launchers=1,
            dots=1,
            at=at,
        )
    problems += mine
    return None if mine or mount is None else PodLaunch(mount.name, target_id, stage, count, lead)
