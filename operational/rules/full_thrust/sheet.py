"""The order sheet at the door: its sections and the form of each order, before any rule is asked.

``reading`` takes the sections apart and reads every order for itself, so that one bad order does
not take the others with it; ``order_schema`` draws the form of the same fields.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from campaign.engine.vector_input import VectorsInput

MOST_SCANS = 24

Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"\S")]


class Item(BaseModel):
    """Base of the orders: unknown fields and silent conversions are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ChaseItem(Item):
    """Go for a contact, or away from it."""

    contact: str
    way: Literal["toward", "away"] = "toward"
    distance: int = Field(default=0, ge=0, le=1000)


class ForceItem(Item):
    """The orders of one task force."""

    thrust: VectorsInput | None = None
    chase: ChaseItem | None = None
    active: list[str] = []
    name: Name | None = None


class ScanItem(Item):
    """A ship scans a contact."""

    ship: str
    contact: str
    mode: Literal["passive", "active"] = "passive"
    scans: int = Field(default=1, ge=1, le=MOST_SCANS)
    bogey: str | None = None


class LaunchItem(Item):
    """A ship launches craft."""

    ship: str
    craft: list[str] = Field(min_length=1)
    name: Name | None = None
    thrust: VectorsInput | None = None


class RecoverItem(Item):
    """A ship takes craft aboard."""

    ship: str
    craft: list[str] = Field(min_length=1)


class SplitItem(Item):
    """Ships, or a dummy, leave a task force."""

    force: str
    ships: list[str] = []
    dummy: bool = False
    name: Name | None = None
    thrust: VectorsInput | None = None


class MergeItem(Item):
    """Task forces join another."""

    into: str
    forces: list[str]


class CallItem(Item):
    """A task force calls for battle."""

    force: str
    contact: str


class CloakingItem(Item):
    """Ships that cloak and decloak."""

    cloak: list[str] = []
    decloak: list[str] = []


FORCES, SCANS, LAUNCH, RECOVER, SPLIT, MERGE = "forces", "scans", "launch", "recover", "split", "merge"
CLOAKING, CALLS, PREFERENCES = "cloaking", "calls", "preferences"
LISTS: dict[str, type[Item]] = {
    SCANS: ScanItem,
    RECOVER: RecoverItem,
    LAUNCH: LaunchItem,
    SPLIT: SplitItem,
    MERGE: MergeItem,
    CALLS: CallItem,
}
SECTIONS = (FORCES, *LISTS, CLOAKING, PREFERENCES)

Document = dict[str, Any]
