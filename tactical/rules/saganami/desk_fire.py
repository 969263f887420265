"""The rules desk's procedures for missiles, pods, beams and missile defence (C2, C3, C4, C8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AliasChoices, Field

from campaign.engine.dice import Roller
from campaign.engine.errors import ProblemsError, refuse
from campaign.engine.hexes import Hex
from campaign.engine.procedure import Input, Procedure
from campaign.engine.vector_input import VectorsInput
from campaign.engine.vectors import to_axial
from campaign.rulebooks.saganami.grades import Grade
from campaign.rulebooks.saganami.ship_class_sheet import RangeBands
from tactical.rules.saganami import avid, beams, defense, missiles, pods, tables
from tactical.rules.saganami.arcs import sees_beside
from tactical.rules.saganami.conventions import format_kills, read_kills
from tactical.rules.saganami.desk_movement import WINDOW, Count, Whole

Hexes: TypeAlias = Annotated[int, Field(ge=0, le=10_000)]
Roll: TypeAlias = Annotated[int, Field(ge=0, le=9)]
Profile: TypeAlias = Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1, max_length=20)]
ContactNukes: TypeAlias = Annotated[
    bool,
    Field(
        validation_alias=AliasChoices("contact_nukes", "contact_nuke"),
        description="Whether the salvo is contact nukes",
    ),
]
KILLS = 'Probable kills, as "4", "2/3" or "14 2/3"'
BANDS: dict[str, RangeBands] = {"sample": tables.SAMPLE_BANDS, "pod": tables.POD_CARD_BANDS}


class BandsInput(Input):
    """The range bands of a sheet."""

    through: list[Count] = Field(min_length=1, description="Last hex of each band")
    mql: list[Count] = Field(min_length=1, description="Base MQL of each band")
    early_through: Count = Field(description="Last hex of early salvoes")
    middle_through: Count = Field(description="Last hex of middle salvoes")
    late_through: Count = Field(description="Last hex of late salvoes")


class SalvoesInput(Input):
    """A ship class, or range bands, and a range."""

    ship_class: str | None = Field(default=None, alias="class", description='"sample", or "pod" for the pod card')
    bands: BandsInput | None = Field(default=None, description="Range bands in place of a class")
    range: Hexes = Field(description="Hexes from end of turn to end of turn")

    def range_bands(self) -> RangeBands:
        """Return the range bands asked for."""
        return read_bands(self.ship_class, self.bands)


def read_bands(ship_class: str | None, bands: BandsInput | None) -> RangeBands:
    """Return the bands of a class by name, or those that are given."""
    if (ship_class is None) == (bands is None):
        raise refuse("class-or-bands", "Give a class or range bands, one of them.", place="/class", rule="C2.121")
    if bands is None:
        known = BANDS.get(str(ship_class))
        if known is None:
            message = f"The desk knows the classes {', '.join(sorted(BANDS))}; give others as bands."
            raise refuse("unknown-class", message, place="/class", rule="A2.66")
        return known
    if len(bands.through) != len(bands.mql) or sorted(set(bands.through)) != bands.through:
        message = "Each band has its last hex, rising from band to band, and its MQL."
        raise refuse("bands-broken", message, place="/bands", rule="A2.66")
    return RangeBands(
        through=tuple(bands.through),
        mql=tuple(bands.mql),
        early_through=bands.early_through,
        middle_through=bands.middle_through,
        late_through=bands.late_through,
        drives=1,
    )


class QualityInput(SalvoesInput):
    """A salvo's range and the ship that launches it."""

    fire_control: Whole = Field(default=0, description="Number of the mount's fire-control track")
    tactical: Grade = Field(default="average", description="Grade of the tactical officer")


class PlaceInput(Input):
    """Where a ship is at the start and at the midpoint of a turn."""

    start: VectorsInput = Field(default={}, description="Place at the start, as legs from any point with + and -")
    midpoint: VectorsInput = Field(default={}, description="Place at the midpoint, likewise")


class LinkInput(Input):
    """Two ships that would link their salvoes."""

    one: PlaceInput = Field(description="The ship that gives range and bearing")
    other: PlaceInput = Field(description="The ship that links")


class TowingInput(Input):
    """A ship and the pods it tows."""

    scale: Count = Field(description="Scale of the ship")
    pods: Count = Field(description="Pods towed")
    thrust_squares: Count | None = Field(default=None, description="Unmarked squares of the Maximum Thrust track")
    lac: bool = Field(default=False, description="Whether the ship is a LAC squadron")


class SoftKillsInput(Input):
    """Penetration rolls and the pods they may catch."""

    rolls: list[Roll] = Field(max_length=1000, description="Bare penetration rolls (2d10-), stopped ones too")
    pods: Count = Field(description="Unfired pods")


class PodFireInput(Input):
    """Pods fired from one bearing."""

    pods: Count = Field(description="Pods fired")
    fire_control: list[Count] = Field(min_length=1, description="Boxes of the facing fire-control track")
    after: Count = Field(description="Number of the track once every box is gone")
    lost: Count = Field(default=0, description="Fire-control boxes destroyed")


class BeamInput(Input):
    """A beam and its range."""

    profile: Profile = Field(description="Damage at range 0 and 1, at 2, at 3, ...")
    range: Hexes = Field(description="Range in hexes")
    open_aspect: bool = Field(default=False, description="Whether neither sidewall nor wedge covers the target")
    weapon: Literal["laser", "graser", "energy torpedo"] = Field(default="laser", description="Type of the weapon")
    wedge: bool = Field(default=False, description="Whether the wedge is in the way")


class GravLanceInput(Input):
    """A grav lance and what it fires at."""

    thrust_boxes: Annotated[int, Field(ge=0, le=100)] = Field(description="Unmarked boxes of the firer's thrust track")
    sidewall_boxes: Count = Field(description="Unmarked boxes of the target's facing sidewall")
    range: Hexes = Field(default=0, description="Range in hexes")


class LaunchersInput(Input):
    """Energy torpedo launchers."""

    launchers: Annotated[int, Field(ge=1, le=100)] = Field(description="Launchers that fire")


class EcmColumnInput(Input):
    """What shifts the ECM column."""

    mql: Whole = Field(description="Base MQL")
    ecm: Whole = Field(default=0, description="ECM value of the target")
    roll: Roll = Field(default=0, description="2d10-")
    wedge: bool = Field(default=False, description="Whether the salvo hits the wedge")
    decoy: Count = Field(default=0, description="Shift of a decoy spent")
    boxes: Count = Field(default=1, description="Boxes left on the ECM track; without any the roll is not made")


class EcmKillsInput(Input):
    """Missiles and the ECM column."""

    missiles: Count = Field(description="Missiles coming in")
    quality: Whole = Field(description="ECM quality, without the decoy")
    decoy: Count = Field(default=0, description="Shift of a decoy spent")


class ActiveColumnInput(Input):
    """What makes the active defence column."""

    mql: Whole = Field(description="Base MQL")
    roll: Roll = Field(description="2d10-")
    fcon: Whole = Field(default=0, description="Number of the mount's fire-control track")


class ActiveKillsInput(Input):
    """Probable kills and the active defence column."""

    probable_kills: int | str = Field(description=KILLS)
    quality: Whole = Field(description="Active defence quality")
    layer: Literal["countermissiles", "point defense"] = Field(default="point defense", description="Which layer")
    wedge: bool = Field(default=False, description="Whether the wedge is interposed")
    contact_nukes: ContactNukes = False
    missiles: Count | None = Field(default=None, description="Missiles left, at most so many are stopped")


class CanisterInput(Input):
    """Missile tubes held back for canister."""

    missile_size: Annotated[int, Field(ge=1, le=1000)] = Field(description="Damage of the mount's missiles")
    tubes: Count = Field(description="Tubes that fire canister")
    fcon_boxes: Count | None = Field(default=None, description="Boxes of the facing fire-control track, the most tubes")
    held_back: Count | None = Field(default=None, description="Tubes held back from this salvo")
    rounds: Count | None = Field(default=None, description="Rounds of canister left in the mount")


class LendInput(Input):
    """An escort and a ship under fire."""

    range: Hexes = Field(description="Range of the escort from the target at the impact")
    bearing: str = Field(default="A yellow", description=f"Escort as the target sees it: {WINDOW}")
    impact_window: str = Field(default="A yellow", description=f"Impact window of the salvo: {WINDOW}")
    communications: bool = Field(default=True, description="Whether both ships have communications")


class DefendInput(Input):
    """A salvo and what meets it."""

    missiles: Count = Field(description="Missiles coming in")
    mql: Whole = Field(description="Base MQL")
    contact_nukes: ContactNukes = False
    ecm: Whole = Field(default=0, description="ECM value of the target")
    ecm_boxes: Count = Field(default=1, description="Boxes left on the ECM track")
    countermissiles: int | str = Field(default=0, description=KILLS)
    point_defense: int | str = Field(default=0, description=KILLS)
    fcon: Whole = Field(default=0, description="Number of the facing fire-control track")
    decoy: Count = Field(default=0, description="Shift of a decoy it may spend")
    decoy_worth: Count = Field(default=1, description="Missiles more that the decoy must stop to be spent")
    wedge: bool = Field(default=False, description="Whether the wedge is interposed")


def _warhead(contact_nukes: bool) -> missiles.Warhead:
    return "contact nuke" if contact_nukes else "laser head"


def missiles_salvoes(given: SalvoesInput) -> Mapping[str, Any]:
    """Answer missiles.salvoes."""
    return {"salvoes": list(missiles.salvoes_available(given.range_bands(), given.range))}


def missiles_quality(given: QualityInput) -> Mapping[str, Any]:
    """Answer missiles.quality."""
    base = missiles.base_quality(given.range_bands(), given.range)
    quality = None if base is None else missiles.launch_quality(base, given.fire_control, given.tactical)
    return {"base": base, "mql": quality}


def missiles_link(given: LinkInput) -> Mapping[str, Any]:
    """Answer missiles.link."""
    one, other = given.one, given.other

    def place(legs: Mapping[str, int]) -> Hex:
        return to_axial(legs)

    return {
        "stages": list(
            missiles.stages_of_places(place(one.start), place(other.start), place(one.midpoint), place(other.midpoint))
        )
    }


def pods_towing(given: TowingInput) -> Mapping[str, Any]:
    """Answer pods.towing."""
    if given.thrust_squares is not None or given.lac:
        squares = given.thrust_squares if given.thrust_squares is not None else 0
        problems = pods.check_towing(given.scale, given.pods, squares, is_lac=given.lac)
        if problems:
            raise ProblemsError(problems)
    cost = pods.towing(given.scale, given.pods)
    return {"free": cost.free, "excess": cost.excess, "thrust_boxes_disabled": cost.thrust_boxes_disabled}


def pods_soft_kills(given: SoftKillsInput) -> Mapping[str, Any]:
    """Answer pods.soft-kills."""
    lost = pods.soft_kills(given.rolls, given.pods)
    return {"killed": lost.killed, "left": lost.left}


def pods_fire(given: PodFireInput) -> Mapping[str, Any]:
    """Answer pods.fire."""
    launch = pods.fire(given.pods, max(len(given.fire_control) - given.lost, 0))
    value = pods.fire_control_value(given.fire_control, given.after, given.lost, launch.fire_control_disabled)
    return {"missiles": launch.missiles, "damage": launch.damage, "fire_control": value}


def beams_damage(given: BeamInput) -> Mapping[str, Any]:
    """Answer beams.damage."""
    at = beams.effective_range(given.range, given.weapon, is_open=given.open_aspect)
    return {"effective_range": at, "damage": 0 if given.wedge else beams.damage_at(given.profile, at)}


def beams_grav_lance(given: GravLanceInput, roller: Roller) -> Mapping[str, Any]:
    """Answer beams.grav-lance."""
    if given.range > 0:
        raise refuse("beyond-range-0", "A grav lance reaches range 0 only.", place="/range", rule="C5.341")
    return {"boxes": beams.roll_grav_lance(roller, given.thrust_boxes, given.sidewall_boxes).boxes}


def beams_energy_torpedo(given: LaunchersInput, roller: Roller) -> Mapping[str, Any]:
    """Answer beams.energy-torpedo."""
    hits = beams.roll_energy_torpedo(roller, given.launchers)
    return {"hits": sum(hits), "by_launcher": list(hits)}


def defense_ecm_column(given: EcmColumnInput) -> Mapping[str, Any]:
    """Answer defense.ecm-column."""
    column = defense.ecm_column(
        given.mql, given.ecm, given.roll, is_wedge_hit=given.wedge, decoy=given.decoy, has_boxes=given.boxes > 0
    )
    return {"column": column}


def defense_ecm_kills(given: EcmKillsInput) -> Mapping[str, Any]:
    """Answer defense.ecm-kills."""
    kills = defense.ecm_kills(given.missiles, given.quality, given.decoy)
    return {"kills": kills, "left": given.missiles - kills, "rows": list(defense.missile_rows(given.missiles))}


def defense_active_column(given: ActiveColumnInput) -> Mapping[str, Any]:
    """Answer defense.active-column."""
    return {"column": defense.active_column(given.mql, given.roll, given.fcon)}


def defense_active_kills(given: ActiveKillsInput) -> Mapping[str, Any]:
    """Answer defense.active-kills."""
    probable = read_kills(given.probable_kills, "/probable_kills")
    found = defense.table_kills(probable, given.quality)
    kills = defense.kills_scored(
        found,
        given.layer,
        is_wedge_hit=given.wedge,
        warhead=_warhead(given.contact_nukes),
        missiles=given.missiles,
    )
    return {"kills": kills, "rows": [format_kills(row) for row in defense.kill_rows(probable)]}


def defense_canister(given: CanisterInput) -> Mapping[str, Any]:
    """Answer defense.canister."""
    unlimited = given.tubes
    problems = defense.check_canister(
        given.tubes,
        given.held_back if given.held_back is not None else unlimited,
        given.fcon_boxes if given.fcon_boxes is not None else unlimited,
        given.rounds if given.rounds is not None else unlimited,
    )
    if problems:
        raise ProblemsError(problems)
    each = defense.canisters_per_tube(given.missile_size)
    return {
        "canisters_per_tube": each,
        "canisters": each * given.tubes,
        "probable_kills": format_kills(defense.canister_kills(given.missile_size, given.tubes)),
    }


def defense_lend(given: LendInput) -> Mapping[str, Any]:
    """Answer defense.lend."""
    bearing = avid.read_window(given.bearing, "/bearing")
    window = avid.read_window(given.impact_window, "/impact_window")
    is_beside = sees_beside(bearing, window)
    layers = defense.layers_lent(given.range, is_seen_beside=is_beside, has_communications=given.communications)
    return {"layers": list(layers), "beside": is_beside}


def defense_salvo(given: DefendInput, roller: Roller) -> Mapping[str, Any]:
    """Answer defense.salvo."""
    countermissiles = read_kills(given.countermissiles, "/countermissiles")
    point_defense = read_kills(given.point_defense, "/point_defense")
    defender = defense.Defender(
        ecm=given.ecm,
        ecm_boxes=given.ecm_boxes,
        countermissiles=(defense.Battery(countermissiles, given.fcon),),
        point_defense=(defense.Battery(point_defense, given.fcon),),
        decoy=given.decoy,
        decoy_worth=given.decoy_worth,
        is_wedge_hit=given.wedge,
    )
    found = defense.defend(given.missiles, given.mql, _warhead(given.contact_nukes), defender, roller)
    return {
        "ecm_column": found.ecm_column,
        "decoy_spent": found.is_decoy_spent,
        "ecm_kills": found.ecm_kills,
        "cm_kills": found.countermissile_kills,
        "pd_kills": found.point_defense_kills,
        "hits": found.hits,
    }


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="missiles.salvoes",
        rules=("C2.12", "C2.121", "C2.122"),
        summary="Say which salvoes a ship may launch, by the range from end of turn to end of turn.",
        input=SalvoesInput,
        result={"salvoes": "early, middle, late"},
        run=missiles_salvoes,
        example={"class": "sample", "range": 6},
    ),
    Procedure(
        name="missiles.quality",
        rules=("C2.15", "C2.151", "D1.141", "A2.66"),
        summary="Find a salvo's MQL from its range, the mount's fire control and the tactical officer.",
        input=QualityInput,
        result={"base": "base MQL, null beyond the last band", "mql": "MQL of the salvo card"},
        run=missiles_quality,
        example={"class": "sample", "range": 18, "fire_control": 2},
    ),
    Procedure(
        name="missiles.link",
        rules=("C2.17", "C2.172"),
        summary="Say which salvoes two ships may link by their places.",
        input=LinkInput,
        result={"stages": "early, middle, late"},
        run=missiles_link,
        example={"one": {}, "other": {"start": {"A": 1}, "midpoint": {"A": 2}}},
    ),
    Procedure(
        name="pods.towing",
        rules=("C8.21", "C8.211"),
        summary="Find what towing pods costs a ship.",
        input=TowingInput,
        result={
            "free": "pods towed at no cost",
            "excess": "pods over that",
            "thrust_boxes_disabled": "boxes of the Maximum Thrust track",
        },
        run=pods_towing,
        example={"scale": 15, "pods": 8},
    ),
    Procedure(
        name="pods.soft-kills",
        rules=("C8.22",),
        summary="Find how many unfired pods the penetration rolls of a step destroy.",
        input=SoftKillsInput,
        result={"killed": "pods", "left": "pods"},
        run=pods_soft_kills,
        example={"rolls": [0, 3, 5], "pods": 12},
    ),
    Procedure(
        name="pods.fire",
        rules=("C8.31", "C8.32", "C5.4322"),
        summary="Fire pods: missiles, damage and the fire-control number until the turn ends.",
        input=PodFireInput,
        result={"missiles": "missiles", "damage": "damage of each", "fire_control": "number of the track"},
        run=pods_fire,
        example={"pods": 5, "fire_control": [0, 0, 1, 1, 2], "after": 3},
    ),
    Procedure(
        name="beams.damage",
        rules=("C3.111", "C3.121", "C3.122", "C3.123", "C3.124"),
        summary="Find a beam's damage at a range and aspect.",
        input=BeamInput,
        result={"effective_range": "hexes", "damage": "points, 0 out of range or through the wedge"},
        run=beams_damage,
        example={"profile": [10, 7, 5], "range": 7, "open_aspect": True},
    ),
    Procedure(
        name="beams.grav-lance",
        rules=("C5.341",),
        summary="Roll a grav lance's dice: the sidewall boxes it destroys.",
        input=GravLanceInput,
        result={"boxes": "sidewall boxes"},
        run=beams_grav_lance,
        dice="dice",
        example={"thrust_boxes": 4, "sidewall_boxes": 9, "dice": [1, 3, 9, 2]},
    ),
    Procedure(
        name="beams.energy-torpedo",
        rules=("C5.3421",),
        summary="Roll the hits of energy torpedo launchers.",
        input=LaunchersInput,
        result={"hits": "hits", "by_launcher": "hits of each launcher"},
        run=beams_energy_torpedo,
        dice="dice",
        example={"launchers": 1, "dice": [4, 2, 7]},
    ),
    Procedure(
        name="defense.ecm-column",
        rules=("C4.12", "C4.121", "C4.122", "C4.123", "C4.124"),
        summary="Find the column of the ECM layer.",
        input=EcmColumnInput,
        result={"column": "ECM quality, 1 to 25"},
        run=defense_ecm_column,
        example={"mql": 8, "ecm": 3, "roll": 5},
    ),
    Procedure(
        name="defense.ecm-kills",
        rules=("C4.12", "C4.124", "C4.125"),
        summary="Find the missiles that the ECM layer stops.",
        input=EcmKillsInput,
        result={"kills": "missiles", "left": "missiles left", "rows": "rows of the table that were added up"},
        run=defense_ecm_kills,
        example={"missiles": 23, "quality": 20},
    ),
    Procedure(
        name="defense.active-column",
        rules=("C4.13", "C4.132", "C4.133"),
        summary="Find the column of the active defences.",
        input=ActiveColumnInput,
        result={"column": "active defence quality, 1 to 19"},
        run=defense_active_column,
        example={"mql": 8, "roll": 3, "fcon": 0},
    ),
    Procedure(
        name="defense.active-kills",
        rules=("C4.13", "C4.131", "C4.141", "C4.142"),
        summary="Find the missiles that a layer of the active defences stops.",
        input=ActiveKillsInput,
        result={"kills": "missiles", "rows": "rows of the table that were added up"},
        run=defense_active_kills,
        example={"probable_kills": "4", "quality": 11},
    ),
    Procedure(
        name="defense.canister",
        rules=("C4.15", "C4.151", "C4.152", "C4.153", "C4.154"),
        summary="Find what canister in some tubes adds to the countermissiles.",
        input=CanisterInput,
        result={
            "canisters_per_tube": "canisters in place of a missile",
            "canisters": "canisters in all",
            "probable_kills": "probable kills added",
        },
        run=defense_canister,
        example={"missile_size": 7, "tubes": 3},
    ),
    Procedure(
        name="defense.lend",
        rules=("C4.143", "C5.444"),
        summary="Say which kills an escort can lend to a ship under fire.",
        input=LendInput,
        result={"layers": "layers lent", "beside": "whether the escort is in or next to the impact window"},
        run=defense_lend,
        example={"range": 2, "bearing": "A/B blue+", "impact_window": "A yellow"},
    ),
    Procedure(
        name="defense.salvo",
        rules=("C4.1", "C4.11", "C4.12", "C4.13", "C4.141", "C4.142"),
        summary="Roll a whole defence against one salvo.",
        input=DefendInput,
        result={
            "ecm_column": "ECM quality",
            "decoy_spent": "whether the decoy was spent",
            "ecm_kills": "missiles",
            "cm_kills": "missiles",
            "pd_kills": "missiles",
            "hits": "missiles that hit",
        },
        run=defense_salvo,
        dice="dice",
        example={
            "missiles": 23,
            "mql": 8,
            "ecm": 3,
            "countermissiles": "4",
            "point_defense": "4",
            "decoy": 4,
            "dice": [7, 2, 4, 1, 5, 6],
        },
    ),
)
