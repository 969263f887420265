"""What a game master may change in a battle between its steps: a ship's fate, damage, place, and met objectives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.engine.hexes import Hex
from campaign.engine.procedure import problems_of
from campaign.engine.ruleset import Event
from campaign.engine.vector_input import VectorsInput
from campaign.rulebooks.saganami.movement import consolidate
from campaign.rulebooks.saganami.source import rule
from tactical.rules.saganami.ends import end_of
from tactical.rules.saganami.state import Fate, State


class _Act(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ChangeShip(_Act):
    """Set what is stated of one ship; the rest stays. ``boxes`` are those not working now, by track."""

    act: Literal["ship"]
    ship: str
    fate: Fate | None = None
    boxes: dict[str, int] = {}
    place: list[int] | None = Field(default=None, min_length=3, max_length=3)
    vectors: VectorsInput | None = None


class AddObjective(_Act):
    """Count an objective as met by a side (D2.222)."""

    act: Literal["objective"]
    side: str
    points: int = Field(ge=0)
    text: str = Field(min_length=1, max_length=200)


class EndBattle(_Act):
    """End the battle where it stands."""

    act: Literal["end"]
    text: str = Field(default="The game master ends the battle.", max_length=200)


Amendment = Annotated[ChangeShip | AddObjective | EndBattle, Field(discriminator="act")]
_READER: TypeAdapter[ChangeShip | AddObjective | EndBattle] = TypeAdapter(Amendment)
AMENDMENT_SCHEMA: Mapping[str, Any] = _READER.json_schema()


@rule("D2.222")
def amend(state: State, amendment: Mapping[str, Any]) -> tuple[State, tuple[Event, ...]]:
    """Return the battle with a game master's change. Raises ProblemsError with every problem of it."""
    try:
        act = _READER.validate_python(dict(amendment))
    except ValidationError as error:
        raise ProblemsError(problems_of(error)) from error
    changed = state.copy()
    if isinstance(act, ChangeShip):
        text = _change(changed, act)
    elif isinstance(act, AddObjective):
        if act.side not in changed.sides:
            raise refuse("unknown-side", f"There is no side {act.side!r}.", place="/side", rule="D2.222")
        changed.objectives.append({"side": act.side, "points": act.points, "text": act.text})
        text = f"{changed.sides[act.side].name} met an objective: {act.text}."
    else:
        changed.over = {"why": "ended", "text": act.text, "winner": None}
        text = act.text
    if changed.over is None:
        changed.over = end_of(changed, changed.turn)
    return changed, (Event("battle-amended", text, (), (), dict(amendment), "amendments"),)


def _change(state: State, act: ChangeShip) -> str:
    ship = state.find(act.ship)
    if ship is None:
        raise refuse("unknown-ship", f"There is no ship {act.ship!r}.", place="/ship")
    problems = [
        Problem(
            pointer("boxes", track), "too-many-boxes", f"{track} has {ship.sheet.size.get(track, 0)} boxes.", "A2.67"
        )
        for track, boxes in act.boxes.items()
        if not 0 <= boxes <= ship.sheet.size.get(track, -1) - ship.rigged(track)
    ]
    if problems:
        raise ProblemsError(problems)
    ship.gone |= act.boxes
    for craft in ship.sheet.craft:
        if f"{craft}.body" in act.boxes:
            ship.marked[craft] = tuple(range(act.boxes[f"{craft}.body"]))
    if act.place is not None:
        ship.place = Hex(*act.place)
    if act.vectors is not None:
        ship.vectors = consolidate(act.vectors)
    if act.fate is not None and act.fate != ship.fate:
        ship.fate = act.fate
        ship.left_turn = None if act.fate == "active" else state.turn
    return f"{ship.seen_name} is changed by the game master."
