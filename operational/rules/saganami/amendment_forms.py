"""The typed changes a game master can make, as documents: one form for each act."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from campaign.engine.vector_input import VectorsInput
from operational.rules.saganami.sheet import MOST_STEPS, HexItem, Name

Id = Annotated[str, Field(min_length=1, max_length=24)]
NewId = Annotated[str, Field(min_length=4, max_length=24, pattern=r"^[A-Za-z0-9_-]+$")]
Grade = Literal["poor", "average", "veteran", "elite"]
Post = Literal["tactical", "ewo", "assistant", "helm", "engineer", "crew"]
Count = Annotated[int, Field(ge=0, le=100_000)]


class Act(BaseModel):
    """Base of the changes: unknown fields and silent conversions are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class MoveForce(Act):
    """Put a force in a hex of a system, or into hyperspace."""

    act: Literal["move-force"]
    force: Id = Field(title="Force", json_schema_extra={"x-widget": "force"})
    system: Id | None = Field(default=None, title="System", description="left out: where it is")
    place: Literal["map", "hyperspace"] = Field(default="map", title="Place")
    at: HexItem = Field(default=HexItem(q=0, r=0), title="Hex", json_schema_extra={"x-widget": "hex"})


class SetVelocity(Act):
    """Give a force a velocity."""

    act: Literal["set-velocity"]
    force: Id = Field(title="Force", json_schema_extra={"x-widget": "force"})
    velocity: VectorsInput = Field(
        title="Velocity", json_schema_extra={"x-widget": "vector", "x-unit": "hexes a turn", "x-rule": "B3.15"}
    )


class SetCourse(Act):
    """Give a force a standing course, or take its course away."""

    act: Literal["set-course"]
    force: Id = Field(title="Force", json_schema_extra={"x-widget": "force"})
    course: Annotated[list[VectorsInput], Field(max_length=MOST_STEPS)] = Field(
        title="Changes of the coming turns", json_schema_extra={"x-widget": "course", "x-unit": "hexes a turn"}
    )


class SetWedge(Act):
    """Raise or lower a force's wedge at once."""

    act: Literal["set-wedge"]
    force: Id = Field(title="Force", json_schema_extra={"x-widget": "force"})
    wedge: Literal["up", "down"] = Field(title="Wedge", json_schema_extra={"x-rule": "B5.145"})


class RenameForce(Act):
    """Give a force another name."""

    act: Literal["rename-force"]
    force: Id = Field(title="Force", json_schema_extra={"x-widget": "force"})
    name: Name = Field(title="Name")


class RenameShip(Act):
    """Give a ship another name; the one change that a ship in battle takes."""

    act: Literal["rename-ship"]
    ship: Id = Field(title="Ship")
    name: Name = Field(title="Name")


class AddForce(Act):
    """Put a new force on the map: ships that are with no force, or a dummy."""

    act: Literal["add-force"]
    id: NewId | None = Field(default=None, title="Id", description="left out: made from this change")
    side: Id = Field(title="Side")
    name: Name = Field(title="Name")
    system: Id = Field(title="System")
    place: Literal["map", "hyperspace"] = Field(default="map", title="Place")
    at: HexItem = Field(default=HexItem(q=0, r=0), title="Hex", json_schema_extra={"x-widget": "hex"})
    velocity: VectorsInput = Field(
        default={}, title="Velocity", json_schema_extra={"x-widget": "vector", "x-unit": "hexes a turn"}
    )
    wedge: Literal["up", "down"] = Field(default="up", title="Wedge")
    ships: list[Id] = Field(default=[], title="Ships", json_schema_extra={"x-widget": "ships"})
    dummy: bool = Field(default=False, title="A dummy")
    thrust: int = Field(default=3, ge=0, le=20, title="Thrust that a dummy shows")
    guise: list[Id] = Field(default=[], title="Classes that a dummy shows")


class RemoveForce(Act):
    """Take a force off the map; its ships stay on the roster, with no force."""

    act: Literal["remove-force"]
    force: Id = Field(title="Force", json_schema_extra={"x-widget": "force"})


class AddShip(Act):
    """Add a ship to a side's roster."""

    act: Literal["add-ship"]
    id: NewId | None = Field(default=None, title="Id", description="left out: made from this change")
    side: Id = Field(title="Side")
    name: Name = Field(title="Name")
    ship_class: Id = Field(alias="class", title="Class", description="one of the campaign's classes")
    grades: dict[Post, Grade] = Field(default={}, title="Grades")
    force: Id | None = Field(default=None, title="Force", json_schema_extra={"x-widget": "force"})


class TransferShip(Act):
    """Move a ship to another force of its side, or to none."""

    act: Literal["transfer-ship"]
    ship: Id = Field(title="Ship")
    force: Id | None = Field(default=None, title="Force", json_schema_extra={"x-widget": "force"})


class SetDamage(Act):
    """Set the boxes lost of some tracks of a ship; tracks left out stay as they are."""

    act: Literal["set-damage"]
    ship: Id = Field(title="Ship")
    damage: dict[str, Count] = Field(title="Boxes lost by track", json_schema_extra={"x-rule": "A2.67"})


class SetStores(Act):
    """Set what a ship has left of some stores, such as recon_drones and pods."""

    act: Literal["set-stores"]
    ship: Id = Field(title="Ship")
    stores: dict[str, Count] = Field(title="Left by store")


class SetGrade(Act):
    """Set one grade of a ship; its cost follows."""

    act: Literal["set-grade"]
    ship: Id = Field(title="Ship")
    post: Post = Field(title="Post")
    grade: Grade = Field(title="Grade", json_schema_extra={"x-rule": "D1.11"})


class SetStatus(Act):
    """Say what became of a ship; one that is made active again has no force."""

    act: Literal["set-status"]
    ship: Id = Field(title="Ship")
    status: Literal["active", "destroyed", "surrendered", "departed"] = Field(title="Status")


class SetRuling(Act):
    """Choose another reading of a rule, from now on."""

    act: Literal["set-ruling"]
    key: Id = Field(title="Ruling")
    value: str = Field(title="Choice")


class AddNote(Act):
    """Tell some sides something in the turn's events."""

    act: Literal["add-note"]
    text: Annotated[str, Field(min_length=1, max_length=500)] = Field(title="Text")
    sides: list[Id] = Field(default=[], title="Sides", description="who reads it; nobody named means the umpire alone")


class ReleaseEngagement(Act):
    """Call an engagement off; its forces fly on."""

    act: Literal["release-engagement"]
    engagement: Id = Field(title="Engagement")


Amendment = Annotated[
    MoveForce
    | SetVelocity
    | SetCourse
    | SetWedge
    | RenameForce
    | RenameShip
    | AddForce
    | RemoveForce
    | AddShip
    | TransferShip
    | SetDamage
    | SetStores
    | SetGrade
    | SetStatus
    | SetRuling
    | AddNote
    | ReleaseEngagement,
    Field(discriminator="act"),
]

ADAPTER: TypeAdapter[Amendment] = TypeAdapter(Amendment)
AMENDMENT_SCHEMA: dict[str, Any] = ADAPTER.json_schema(by_alias=True)
