"""The order sheet at the door: its sections and the form of each order, before any rule is asked.

``reading`` takes the sections apart and reads every order for itself, so that one bad order does
not take the others with it; ``order_schema`` draws the form from the same models.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from campaign.engine.vector_input import VectorsInput

MOST_STEPS = 200

Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"\S")]


class Item(BaseModel):
    """Base of the orders: unknown fields and silent conversions are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class HexItem(Item):
    """A hex of a system's map, the star at 0, 0, 0."""

    q: int = Field(ge=-100_000, le=100_000)
    r: int = Field(ge=-100_000, le=100_000)
    z: int = Field(default=0, ge=-100_000, le=100_000)


class EmergeItem(Item):
    """Out of hyperspace."""

    system: str
    at: HexItem
    groups: list[list[str]] = []


class ForceItem(Item):
    """The orders of one force."""

    thrust: VectorsInput | None = None
    course: Annotated[list[VectorsInput], Field(max_length=MOST_STEPS)] | None = None
    wedge: Literal["keep", "up", "down"] = "keep"
    translate_out: bool = False
    emerge: EmergeItem | None = None
    red_line: list[str] = []
    flagship: str | None = None
    name: Name | None = None


class SplitItem(Item):
    """Ships, or a dummy, leave a force."""

    force: str
    ships: list[str] = []
    name: Name | None = None
    into: str | None = None
    dummy: bool = False
    thrust: VectorsInput | None = None
    course: Annotated[list[VectorsInput], Field(max_length=MOST_STEPS)] | None = None


class MergeItem(Item):
    """Forces join another."""

    into: str
    forces: list[str]


class SearchItem(Item):
    """A ship searches a window."""

    ship: str
    window: str
    drones: int = Field(default=0, ge=0, le=1000)


class RepairItem(Item):
    """A ship repairs boxes for good."""

    ship: str
    track: str
    boxes: int = Field(default=1, ge=1, le=100)
    parties: Literal[1, 2] = 1


FORCES, SPLIT, MERGE, SEARCH, REPAIR, PREFERENCES = "forces", "split", "merge", "search", "repair", "preferences"
LISTS: dict[str, type[Item]] = {SPLIT: SplitItem, MERGE: MergeItem, SEARCH: SearchItem, REPAIR: RepairItem}
SECTIONS = (FORCES, *LISTS, PREFERENCES)

Document = dict[str, Any]
