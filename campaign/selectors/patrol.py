"""Patrol scenarios as they are stored, read back: the state, the classes it plays with, who has taken a seat."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from campaign.models import PatrolAct, PatrolLink, PatrolScenario, ShipClass
from campaign.rulebooks.saganami.patrol import ROLES
from campaign.rulebooks.saganami.patrol_force import offers_of
from campaign.rulebooks.saganami.patrol_opening import load_opening
from campaign.rulebooks.saganami.patrol_scenario import Library, Scenario, load_scenario
from campaign.rulebooks.saganami.ship_class import STAT_BLOCK, load_class
from campaign.selectors.archive import unpack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from campaign.rulebooks.saganami.patrol_scenario import Opening


def patrol_blocks(nations: tuple[str, ...] | None = None) -> dict[str, Any]:
    """Return the stat blocks of the site's library that a scenario may play with, by class key."""
    rows = ShipClass.objects.order_by("key").values_list("key", "nation", "stat_blocks")
    return {
        key: blocks[STAT_BLOCK]
        for key, nation, blocks in rows
        if STAT_BLOCK in blocks and (nations is None or nation in nations)
    }


def library_of_blocks(blocks: Mapping[str, Any]) -> Library:
    """Return the classes of stat blocks."""
    return {key: load_class(block) for key, block in sorted(blocks.items())}


@lru_cache(maxsize=64)
def _library(digest: str, stored: bytes) -> Library:
    return library_of_blocks(unpack(stored))


def patrol_library(row: PatrolScenario) -> Library:
    """Return the classes that a scenario plays with."""
    return _library(row.library_digest, bytes(row.library))


def patrol_state(row: PatrolScenario) -> Scenario:
    """Return a scenario's state."""
    return load_scenario(unpack(row.state))


def patrol_opening(row: PatrolScenario) -> Opening:
    """Return what was agreed on."""
    return load_opening(unpack(row.opening))


def patrol_factions(year: int) -> list[dict[str, Any]]:
    """Return the nations of the library with what each can send on patrol in a year PD, by name."""
    library = library_of_blocks(patrol_blocks())
    found = []
    for nation in sorted({one.nation for one in library.values()}):
        offers = offers_of(tuple(library.values()), nation, year)
        found.append(
            {
                "faction": nation,
                "classes": [
                    {
                        "ship_class": one.ship_class,
                        "name": library[one.ship_class].name,
                        "type": library[one.ship_class].type,
                        "cost": one.cost,
                    }
                    for one in offers
                ],
            }
        )
    return found


def patrol_seats(row: PatrolScenario) -> dict[str, str]:
    """Return how each seat stands: "taken", "invited", or "automatic"."""
    opening = patrol_opening(row)
    taken = set(PatrolLink.objects.filter(scenario=row, is_invitation=False).values_list("role", flat=True))
    return {
        role: "automatic" if opening.side(role).seat == "automatic" else "taken" if role in taken else "invited"
        for role in ROLES
    }


def patrol_acts(row: PatrolScenario) -> list[tuple[int, str, str]]:
    """Return a scenario's acts in order: number, by whom, canonical document."""
    return list(PatrolAct.objects.filter(scenario=row).order_by("number").values_list("number", "by", "document"))
