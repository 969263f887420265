"""The typed changes a game master can make, as documents: one form for each act."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from campaign.engine.vector_input import VectorsInput
from operational.rules.full_thrust.sheet import Name

Id = Annotated[str, Field(min_length=1, max_length=24)]
NewId = Annotated[str, Field(min_length=4, max_length=24, pattern=r"^[A-Za-z0-9_-]+$")]
NewShipId = Annotated[str, Field(min_length=4, max_length=20, pattern=r"^[A-Za-z0-9_-]+$")]
Count = Annotated[int, Field(ge=0, le=100_000)]


class Act(BaseModel):
    """Base of the changes: unknown fields and silent conversions are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class HexItem(Act):
    """A hex of a flat map."""

    q: int = Field(ge=-100_000, le=100_000)
    r: int = Field(ge=-100_000, le=100_000)
    z: Literal[0] = 0


class MoveForce(Act):
    """Put a task force in a hex of a map."""

    act: Literal["move-force"]
    force: Id = Field(title="Task force", json_schema_extra={"x-widget": "force"})
    system: Id | None = Field(default=None, title="Map", description="left out: where it is")
    at: HexItem = Field(title="Hex", json_schema_extra={"x-widget": "hex"})


class SetVelocity(Act):
    """Give a task force a vector."""

    act: Literal["set-velocity"]
    force: Id = Field(title="Task force", json_schema_extra={"x-widget": "force"})
    velocity: VectorsInput = Field(
        title="Velocity", json_schema_extra={"x-widget": "vector", "x-unit": "hexes a turn", "x-rule": "vectors"}
    )


class RenameForce(Act):
    """Give a task force another name."""

    act: Literal["rename-force"]
    force: Id = Field(title="Task force", json_schema_extra={"x-widget": "force"})
    name: Name = Field(title="Name")


class RenameShip(Act):
    """Give a ship another name; the one change that a ship in battle takes."""

    act: Literal["rename-ship"]
    ship: Id = Field(title="Ship")
    name: Name = Field(title="Name")


class AddForce(Act):
    """Put a new task force on the map: ships that are with none, or a dummy."""

    act: Literal["add-force"]
    id: NewId | None = Field(default=None, title="Id", description="left out: made from this change")
    side: Id = Field(title="Side")
    name: Name = Field(title="Name")
    system: Id = Field(title="Map")
    at: HexItem = Field(title="Hex", json_schema_extra={"x-widget": "hex"})
    velocity: VectorsInput = Field(
        default={}, title="Velocity", json_schema_extra={"x-widget": "vector", "x-unit": "hexes a turn"}
    )
    ships: list[Id] = Field(default=[], title="Ships", json_schema_extra={"x-widget": "ships"})
    dummy: bool = Field(default=False, title="A dummy")
    thrust: int = Field(default=4, ge=0, le=36, title="Thrust that a dummy shows")


class RemoveForce(Act):
    """Take a task force off the map; its ships stay on the roster, with no force."""

    act: Literal["remove-force"]
    force: Id = Field(title="Task force", json_schema_extra={"x-widget": "force"})


class AddShip(Act):
    """Add a ship to a side's roster, with the craft of its class."""

    act: Literal["add-ship"]
    id: NewShipId | None = Field(default=None, title="Id", description="left out: made from this change")
    side: Id = Field(title="Side")
    name: Name = Field(title="Name")
    ship_class: str = Field(alias="class", title="Class", description="one of the campaign's classes", max_length=50)
    force: Id | None = Field(default=None, title="Task force", json_schema_extra={"x-widget": "force"})


class TransferShip(Act):
    """Move a ship to another task force of its side, or to none."""

    act: Literal["transfer-ship"]
    ship: Id = Field(title="Ship")
    force: Id | None = Field(default=None, title="Task force", json_schema_extra={"x-widget": "force"})


class SetDamage(Act):
    """Set the boxes lost of some tracks of a ship; tracks left out stay as they are."""

    act: Literal["set-damage"]
    ship: Id = Field(title="Ship")
    damage: dict[str, Count] = Field(title="Boxes lost by track")


class SetStatus(Act):
    """Say what became of a ship; one that is made active again has no task force."""

    act: Literal["set-status"]
    ship: Id = Field(title="Ship")
    status: Literal["active", "destroyed", "surrendered", "departed"] = Field(title="Status")


class SetDummies(Act):
    """Set how many dummies a side may have in play."""

    act: Literal["set-dummies"]
    side: Id = Field(title="Side")
    dummies: int = Field(ge=0, le=100, title="Dummies", json_schema_extra={"x-rule": "dummy-taskforces"})


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
    | RenameForce
    | RenameShip
    | AddForce
    | RemoveForce
    | AddShip
    | TransferShip
    | SetDamage
    | SetStatus
    | SetDummies
    | SetRuling
    | AddNote
    | ReleaseEngagement,
    Field(discriminator="act"),
]

ADAPTER: TypeAdapter[Amendment] = TypeAdapter(Amendment)
AMENDMENT_SCHEMA: dict[str, Any] = ADAPTER.json_schema(by_alias=True)
