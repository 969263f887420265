"""The hand-off: an engagement goes down to the tactical level, a battle report comes back.

Both are documents that know no game. Distances and velocities of an engagement's ``position`` and
``velocity`` are the operational ruleset's, those of its ``place`` and of its ``setting`` the tactical
scale's; vectors are maps of A to F, + and -. Forces and ships are named by marks, tokens that hold
for one engagement only, so that no side learns another's ids; ``force`` and ``ship`` are the ids of
the roster. A document with them is the game master's: a side gets its own, made by its ruleset.

Boxes lost and jury rigs: ``lost`` counts every box that is marked off, those that a rig holds
together too; ``rigs`` says which of them work for a while.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from campaign.engine.dice import canonical
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse, stops
from campaign.engine.hexes import Hex
from campaign.engine.procedure import problems_of
from campaign.engine.vector_input import VectorsInput

SCHEMA: Final = 1

Status: TypeAlias = Literal["opened", "bidding", "set", "fighting", "reported", "signed", "void"]
Act: TypeAlias = Literal["bid", "set", "fight", "report", "withdraw", "sign", "reissue", "void"]
Fate: TypeAlias = Literal["active", "destroyed", "surrendered", "departed"]
FATES: tuple[Fate, ...] = get_args(Fate)

LIFE: Mapping[Status, Mapping[Act, Status]] = {
    "opened": {"bid": "bidding", "set": "set", "report": "reported", "reissue": "opened", "void": "void"},
    "bidding": {"bid": "bidding", "set": "set", "report": "reported", "reissue": "bidding", "void": "void"},
    "set": {"fight": "fighting", "report": "reported", "reissue": "set", "void": "void"},
    "fighting": {"fight": "fighting", "report": "reported", "reissue": "fighting", "void": "void"},
    "reported": {"report": "reported", "withdraw": "fighting", "sign": "signed", "reissue": "fighting", "void": "void"},
    "signed": {},
    "void": {},
}
"""What may be done to an engagement in each status, and what comes of it.

A game master may rule a result before anybody bid. Reinforcements issue it anew: what was reported of
the earlier issue does not count for the new one. Signed and void are final.
"""

Count = Annotated[int, Field(ge=0)]
Text = Annotated[str, Field(max_length=200)]


class Part(BaseModel):
    """Base of the hand-off's documents: unknown fields and silent conversions are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)

    def as_document(self) -> dict[str, Any]:
        """Return the plain document, as it is stored and sent."""
        return self.model_dump(by_alias=True)


class Place(Part):
    """A hex: axial q and r, altitude z."""

    q: int
    r: int
    z: int = 0

    @property
    def hex(self) -> Hex:
        """Return the place as the engine's hex."""
        return Hex(self.q, self.r, self.z)

    @classmethod
    def of(cls, place: Hex) -> Place:
        """Return the document of a hex."""
        return cls(q=place.q, r=place.r, z=place.z)


class Boxes(Part):
    """One damage track: boxes it has, boxes lost. ``refills`` marks ammunition, which can come back in battle."""

    of: Count
    lost: Count
    refills: bool = False


class Rig(Part):
    """Lost boxes that work for now: they fail ``left`` tactical turns from now."""

    track: str
    boxes: int = Field(ge=1)
    left: Count


class EngagedShip(Part):
    """One ship as it was handed over.

    ``crew`` counts heads by rank, ``stores`` what is left of each kind, ``marks`` are kebab-case words
    ("wedge-up"), ``facts`` whatever else the operational ruleset tells the tactical one.
    """

    id: str
    ship: str
    name: str
    ship_class: str = Field(validation_alias=AliasChoices("class", "ship_class"), serialization_alias="class")
    class_name: str
    fate: Fate = "active"
    cost: Count
    crew: dict[str, int] = {}
    grades: dict[str, str] = {}
    boxes: dict[str, Boxes] = {}
    stores: dict[str, Count] = {}
    rigs: list[Rig] = []
    marks: list[str] = []
    facts: dict[str, Any] = {}


class EngagedForce(Part):
    """One force of an engagement.

    ``issue`` and ``turn`` tell when it joined, ``arrives`` in which tactical turn of the battle it comes
    in (0: it was there from the start). ``position`` is its hex on the map when it joined, ``place`` the
    same, to the tactical hex, counted from the middle of the map's hex (0, 0, 0). For one that arrives
    later, ``nearest`` is the opponent it met and ``step`` the way from it then, in tactical hexes.
    """

    id: str
    force: str
    name: str
    flagship: str
    issue: int = Field(ge=1)
    turn: Count
    arrives: Count = 0
    position: Place
    place: Place
    nearest: str = ""
    step: Place | None = None
    velocity: VectorsInput
    ships: list[EngagedShip] = Field(min_length=1)


class Knowledge(Part):
    """What a side has learnt of one enemy force: from its contacts, and nothing else."""

    contact: str
    number: int
    force: str
    facts: dict[str, Any] = {}
    learnt: dict[str, int] = {}
    seen: int


class EngagedSide(Part):
    """One side of an engagement, its forces, and what it knows of the others. ``allies`` are keys of sides."""

    name: str
    allies: list[str] = []
    forces: list[EngagedForce] = Field(min_length=1)
    knows: list[Knowledge] = []


class Placed(Part):
    """Where a force or ship begins, on the tactical map and relative to its frame.

    One that ``arrives`` in a later tactical turn enters at ``step`` from where ``nearest`` is then;
    ``position`` is that step from where ``nearest`` began.
    """

    position: Place
    velocity: VectorsInput
    arrives: Count = 0
    nearest: str = ""
    step: Place | None = None


class Limit(Part):
    """A time limit: after so many operational and tactical turns ``force`` reaches what ``text`` names."""

    force: str
    operational_turns: Count
    tactical_turns: Count
    text: str


class Setting(Part):
    """How the battle begins.

    ``range`` in tactical hexes; ``frame`` is the velocity of the map, already taken from every
    velocity; ``time_limit`` in tactical turns, null for none; ``forces`` and ``ships`` by mark;
    ``bids`` as revealed, one ``{force: vectors}`` a round; ``steps`` the account of bids and frames.
    """

    range: Count
    frame: VectorsInput
    time_limit: Count | None
    limits: list[Limit] = []
    forces: dict[str, Placed]
    ships: dict[str, Placed]
    bids: list[dict[str, dict[str, int]]] = []
    steps: list[dict[str, Any]] = []


class SystemName(Part):
    """The star system in which it happens."""

    key: str
    name: str


class Engagement(Part):
    """Who meets whom, where, with which vectors, in what condition.

    ``turn`` is the operational turn in which it was opened, ``step`` of ``steps`` the moment of that
    turn; ``issue`` rises when a force joins, in turn ``issued``. ``numbers`` is each side's own number
    for it. ``salt`` keeps the digest from telling anything; it is never shown to a side. ``theatre``
    holds what the operational ruleset needs to set the battle and to take it back.
    """

    schema_: Literal[1] = Field(default=SCHEMA, alias="schema")
    ruleset: str
    id: str = Field(min_length=1)
    campaign: str = ""
    turn: Count
    step: Count = 1
    steps: int = Field(default=1, ge=1)
    issue: int = Field(default=1, ge=1)
    issued: Count
    status: Status = "opened"
    numbers: dict[str, int] = {}
    system: SystemName
    range: Count
    salt: str
    rulings: dict[str, str] = {}
    theatre: dict[str, Any] = {}
    sides: dict[str, EngagedSide] = Field(min_length=2)
    digest: str = ""
    setting: Setting | None = None

    def forces(self) -> tuple[tuple[str, EngagedForce], ...]:
        """Return every force with the key of its side: sides by key, forces as they are listed."""
        return tuple((key, force) for key, side in sorted(self.sides.items()) for force in side.forces)

    def ships(self) -> tuple[tuple[str, EngagedForce, EngagedShip], ...]:
        """Return every ship with the key of its side and its force, in the order of ``forces``."""
        return tuple((key, force, ship) for key, force in self.forces() for ship in force.ships)

    def oppose(self, one: str, other: str) -> bool:
        """Return whether two sides fight each other: they differ, and neither counts the other an ally."""
        return one != other and other not in self.sides[one].allies and one not in self.sides[other].allies


class Objective(Part):
    """A scenario objective that a side met, and its bonus."""

    side: str
    points: Count
    text: str = Field(min_length=1, max_length=200)


class ShipResult(Part):
    """What became of one ship. Only the fate must be stated; what is left out is as it was handed over.

    ``boxes`` are the boxes lost now, not in this battle alone; ``stores`` what is left now; ``rigs``
    the jury rigs that hold at the end (left out: those of before that still have time). ``position`` is
    relative to the tactical map, ``velocity`` to its frame. ``spare`` names directions for points of
    velocity that come of left-over fractions. ``pods_used`` and ``pods_killed`` count missile pods.
    """

    fate: Fate
    boxes: dict[str, Count] = {}
    stores: dict[str, Count] = {}
    rigs: list[Rig] | None = None
    grades: dict[str, str] = {}
    position: Place | None = None
    velocity: VectorsInput | None = None
    spare: list[Literal["A", "B", "C", "D", "E", "F", "+", "-"]] = Field(default=[], max_length=8)
    pods_used: Count = 0
    pods_killed: Count = 0
    note: Text = ""


class BattleReport(Part):
    """The result of a battle: every ship's fate, by its mark.

    ``engagement``, ``issue`` and ``digest`` are those of the engagement. ``tactical_turns`` were
    played; ``frame`` is the map's velocity at the end (left out: that of the setting), ``frame_moved``
    its whole way in tactical hexes (left out: that velocity in every turn).
    """

    engagement: str
    issue: int
    digest: str
    tactical_turns: Annotated[int, Field(ge=0, le=10_000)]
    frame: VectorsInput | None = None
    frame_moved: VectorsInput | None = None
    ships: dict[str, ShipResult]
    objectives: list[Objective] = []
    notes: str = Field(default="", max_length=4000)


def advance(status: Status, act: Act) -> Status:
    """Return the status of an engagement after an act. Raises ProblemsError (code "not-allowed-now")."""
    after = LIFE[status].get(act)
    if after is None:
        raise refuse("not-allowed-now", f"An engagement that is {status} cannot be taken through {act!r}.")
    return after


def load_engagement(document: Any) -> Engagement:
    """Read an engagement; raises ProblemsError with every problem of its shape, or where its digest is not its own."""
    try:
        engagement = Engagement.model_validate(document)
    except ValidationError as error:
        raise ProblemsError(problems_of(error)) from error
    if engagement.digest != engagement_digest(document):
        raise refuse("digest-differs", "This engagement was changed after it was issued.", place="/digest")
    return engagement


def load_report(document: Any) -> BattleReport:
    """Read a battle report; raises ProblemsError with every problem of its shape."""
    try:
        return BattleReport.model_validate(document)
    except ValidationError as error:
        raise ProblemsError(problems_of(error)) from error


def engagement_digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hex) of what was handed over: id, issue, turn, system, and every force and ship.

    Status, setting and what the sides know of each other do not change it.
    """
    roster = {
        key: {field: value for field, value in side.items() if field != "knows"}
        for key, side in document["sides"].items()
    }
    part = {key: document[key] for key in ("id", "issue", "turn", "system", "salt")}
    return _digest({**part, "sides": roster})


def report_digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hex) of a report: the same result is the same digest, however it was written down.

    Fields left at their defaults count as given.
    """
    return _digest(load_report(document).as_document())


def issued(engagement: Engagement) -> Engagement:
    """Return an engagement with its digest."""
    document = engagement.as_document()
    return engagement.model_copy(update={"digest": engagement_digest(document)})


def blank_report(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report in which nothing happened: every ship active and as it was; a form starts from it."""
    engagement = Engagement.model_validate(document)
    return BattleReport(
        engagement=engagement.id,
        issue=engagement.issue,
        digest=engagement.digest,
        tactical_turns=0,
        frame=engagement.setting.frame if engagement.setting else None,
        ships={
            ship.id: ShipResult(
                fate="active",
                boxes={track: boxes.lost for track, boxes in ship.boxes.items() if boxes.lost},
                stores=dict(ship.stores),
            )
            for _, _, ship in engagement.ships()
        },
    ).as_document()


def rigs_after(ship: EngagedShip, result: ShipResult, turns: int) -> tuple[Rig, ...]:
    """Return the jury rigs that hold after a battle of ``turns``: the reported ones, else those with time left."""
    if result.rigs is not None:
        return tuple(result.rigs)
    return tuple(rig.model_copy(update={"left": rig.left - turns}) for rig in ship.rigs if rig.left > turns)


def boxes_after(ship: EngagedShip, result: ShipResult) -> dict[str, int]:
    """Return the boxes lost after a battle on every track of a ship, rigged ones counted as lost."""
    return {track: result.boxes.get(track, boxes.lost) for track, boxes in ship.boxes.items()}


def check_report(document: Mapping[str, Any], report: Any) -> tuple[Problem, ...]:
    """Return every problem of a report on an engagement; silence about a ship is one, and never its loss.

    Against a side's document other sides' ships are held only to what that side may know of them (every
    track within its ``tracks``), so that no answer tells of their condition.
    """
    try:
        typed = load_report(report)
    except ProblemsError as error:
        return error.problems
    problems: list[Problem] = []
    for field, key, message in (
        ("engagement", "id", "This report is of another engagement."),
        ("issue", "issue", "The engagement was issued anew since: report on the latest issue."),
        ("digest", "digest", "The ships handed over are not those of this report."),
    ):
        if getattr(typed, field) != document[key]:
            problems.append(Problem(pointer(field), f"other-{field}", message))
    ships = ship_documents(document)
    for mark, ship in ships.items():
        result = typed.ships.get(mark)
        if result is None:
            message = f"{ship['name']} was handed over: state what became of it."
            problems.append(Problem(pointer("ships", mark), "ship-missing", message))
        elif is_whole(ship):
            problems += _check_ship(EngagedShip.model_validate(ship), result, typed.tactical_turns)
        else:
            problems += _check_seen(ship, result)
    problems += [
        Problem(pointer("ships", mark), "stranger", "No such ship was handed over.")
        for mark in typed.ships
        if mark not in ships
    ]
    problems += [
        Problem(pointer("objectives", index, "side"), "unknown-side", f"{each.side!r} is no side of this engagement.")
        for index, each in enumerate(typed.objectives)
        if each.side not in document["sides"]
    ]
    return tuple(sorted(problems))


def ship_documents(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the ships of an engagement's document, or of a side's, by mark."""
    return {
        ship["id"]: ship
        for _, side in sorted(document["sides"].items())
        for force in side["forces"]
        for ship in force["ships"]
    }


def is_whole(ship: Mapping[str, Any]) -> bool:
    """Return whether a ship's document tells its condition; another side's in a side's document does not."""
    return "boxes" in ship


def require_report(document: Mapping[str, Any], report: Any) -> BattleReport:
    """Return a report read and checked; raises ProblemsError with its problems where one of them stops it."""
    problems = check_report(document, report)
    if stops(problems):
        raise ProblemsError(problems)
    return load_report(report)


def merge_reports(
    document: Mapping[str, Any], reports: Mapping[str, Mapping[str, Any]]
) -> tuple[dict[str, Any] | None, tuple[Problem, ...]]:
    """Return the one result that the sides' reports make together, or None and where they differ.

    ``reports`` has a readable report of every side. Of its own ships a side knows best: they are taken
    from its report; every fate, the turns played and the frame must be the same in all.
    """
    engagement = Engagement.model_validate(document)
    typed = {side: load_report(report) for side, report in sorted(reports.items())}
    problems = [
        Problem(pointer(side), "report-missing", f"{engagement.sides[side].name} has not reported yet.")
        for side in sorted(engagement.sides)
        if side not in typed
    ]
    frame = engagement.setting.frame if engagement.setting else {}
    told: dict[str, list[Any]] = {
        "tactical_turns": [each.tactical_turns for each in typed.values()],
        "frame": [frame if each.frame is None else each.frame for each in typed.values()],
        "frame_moved": [each.frame_moved for each in typed.values()],
    }
    for field, values in told.items():
        if any(value != values[0] for value in values):
            problems.append(Problem(pointer(field), "reports-differ", f"The reports differ in {field}."))
    owners = {ship.id: (side, ship) for side, _, ship in engagement.ships()}
    for mark, (_, ship) in owners.items():
        fates = [each.ships[mark].fate for each in typed.values() if mark in each.ships]
        if len(set(fates)) > 1 or len(fates) < len(typed):
            message = f"The reports differ in what became of {ship.name}."
            problems.append(Problem(pointer("ships", mark, "fate"), "reports-differ", message))
    if problems:
        return None, tuple(sorted(problems))
    objectives: list[Objective] = []
    for each in typed.values():
        objectives += [one for one in each.objectives if one not in objectives]
    merged = next(iter(typed.values())).model_copy(
        update={
            "ships": {mark: typed[side].ships[mark] for mark, (side, _) in owners.items()},
            "objectives": objectives,
            "notes": "\n".join(each.notes for each in typed.values() if each.notes),
        }
    )
    return merged.as_document(), ()


def _check_seen(ship: Mapping[str, Any], result: ShipResult) -> list[Problem]:
    tracks = ship["tracks"]
    return [
        Problem(pointer("ships", ship["id"], "boxes", track), "too-many-boxes", f"{track} has {tracks[track]} boxes.")
        if track in tracks
        else Problem(pointer("ships", ship["id"], "boxes", track), "unknown-track", f"There is no track {track!r}.")
        for track, lost in result.boxes.items()
        if lost > tracks.get(track, -1)
    ]


def _check_ship(ship: EngagedShip, result: ShipResult, turns: int) -> list[Problem]:
    problems: list[Problem] = []

    def say(code: str, message: str, *place: str | int) -> None:
        problems.append(Problem(pointer("ships", ship.id, *place), code, message))

    if ship.fate != "active" and result.fate == "active":
        say("ship-revived", f"{ship.name} was {ship.fate} before: nobody comes back from that.", "fate")
    for track, lost in result.boxes.items():
        boxes = ship.boxes.get(track)
        if boxes is None:
            say("unknown-track", f"{ship.name} has no track {track!r}.", "boxes", track)
        elif lost > boxes.of:
            say("too-many-boxes", f"{ship.name}: {track} has {boxes.of} boxes.", "boxes", track)
        elif lost < boxes.lost and not boxes.refills:
            say("damage-healed", f"{ship.name}: {track} came with {boxes.lost} boxes lost.", "boxes", track)
    for kind, left in result.stores.items():
        if kind not in ship.stores:
            say("unknown-store", f"{ship.name} carries no {kind}.", "stores", kind)
        elif left > ship.stores[kind]:
            say("stores-grew", f"{ship.name} came with {ship.stores[kind]} {kind}.", "stores", kind)
    lost_now = boxes_after(ship, result)
    rigged: dict[str, int] = {}
    for index, rig in enumerate(rigs_after(ship, result, turns)):
        rigged[rig.track] = rigged.get(rig.track, 0) + rig.boxes
        if rig.track not in ship.boxes:
            say("unknown-track", f"{ship.name} has no track {rig.track!r}.", "rigs", index, "track")
        elif rigged[rig.track] > lost_now[rig.track]:
            message = f"{ship.name}: only {lost_now[rig.track]} boxes of {rig.track} are lost."
            say("rig-of-nothing", message, "rigs", index, "boxes")
    for post in result.grades:
        if post not in ship.grades:
            say("unknown-post", f"{ship.name} has no post {post!r}.", "grades", post)
    return problems


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()
