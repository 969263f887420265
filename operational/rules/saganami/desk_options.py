"""Procedures of the rules desk on commander's options (D4) and the cost of pods (C8.1)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.engine.procedure import Input, Procedure
from campaign.rulebooks.saganami import options
from campaign.rulebooks.saganami.grades import GRADES
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind, TokenError, read_tokens


class PodCost(Input):
    """Pods that one ship tows."""

    pods: int = Field(ge=0, le=12, description="pods on the card")


class PodRange(Input):
    """A range to fire pods at."""

    range: int = Field(ge=0, description="tactical hexes")


class PodShare(Input):
    """A force and what it wants to spend on pods."""

    book_value: int = Field(ge=0, description="sum of the ships' base costs, before grades, in points")
    pod_points: int = Field(ge=0, description="what all its pods cost together, in points")
    year: int = Field(default=1906, ge=1, le=9999, description="year PD")
    historical: bool = Field(default=False, description="a historical scenario, which may exceed the limit")


class Canister(Input):
    """Missiles replaced by canister shot."""

    missile_damage: int = Field(ge=1, description="damage of one missile")
    missiles: int = Field(ge=0, le=options.MOST_OF_ANYTHING // 5, description="missiles replaced")
    year: int = Field(default=1906, ge=1, le=9999, description="year PD")


class ReconDrones(Input):
    """A class's recon drones."""

    standard: int = Field(ge=0, description="recon drones of the class")


class Parties(Input):
    """A hull and where extra damage control parties shall stand."""

    hull_rows: list[str] = Field(description='rows of the hull track, as in "s*4 w s*4 w" (w is a party)')
    places: list[Annotated[list[int], Field(min_length=2, max_length=2)]] = Field(
        default=[], description="row and box of each extra party, from 0"
    )


def _pod_cost(asked: PodCost) -> dict[str, Any]:
    return {grade: options.pod_cost(asked.pods, grade) for grade in GRADES}


def _pod_range(asked: PodRange) -> dict[str, Any]:
    mql, salvoes = options.pod_quality(asked.range)
    return {"mql": mql, "salvoes": list(salvoes)}


def _pod_share(asked: PodShare) -> dict[str, Any]:
    problems = options.check_pod_share(asked.pod_points, asked.book_value, is_historical=asked.historical)
    is_available = options.are_pods_available(asked.year)
    return {
        "allowed": not problems and (is_available or not asked.pod_points),
        "most": None if asked.historical else int(asked.book_value * options.POD_SHARE),
        "available": is_available,
    }


def _canister(asked: Canister) -> dict[str, Any]:
    each = options.canisters_in(asked.missile_damage)
    canisters = each * asked.missiles
    return {
        "canisters_per_missile": each,
        "canisters": canisters,
        "price": options.canister_price(asked.year),
        "points": options.canister_cost(canisters, asked.year),
    }


def _recon_drones(asked: ReconDrones) -> dict[str, Any]:
    most = options.drones_most(asked.standard)
    extra = most - asked.standard
    return {"extra_max": extra, "total_max": most, "cost_max": options.drones_cost(extra)}


def _parties(asked: Parties) -> dict[str, Any]:
    rows: list[tuple[bool, ...]] = []
    for index, text in enumerate(asked.hull_rows):
        try:
            tokens = read_tokens(text, (BoxKind.SQUARE, BoxKind.WRENCH))
        except TokenError as error:
            problem = Problem(pointer("hull_rows", index), "unknown-token", str(error), "D4.21")
            raise ProblemsError([problem]) from error
        rows.append(tuple(token.kind is BoxKind.WRENCH for token in tokens))
    problems = options.check_parties(rows, [(row, box) for row, box in asked.places], place="/places")
    return {
        "legal": not problems,
        "problems": [problem.as_document() for problem in problems],
        "cost": options.PARTY_COST * len(asked.places),
        "suggested": [list(place) for place in options.places_for_parties(rows, options.PARTIES_MOST)],
    }


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        name="options.pod-cost",
        rules=("C8.111", "C8.11"),
        summary="What so many missile pods cost one ship, by its tactical officer's grade.",
        input=PodCost,
        result={grade: f"points with a {grade} tactical officer" for grade in GRADES},
        run=_pod_cost,
        example={"pods": 4},
    ),
    Procedure(
        name="options.pod-range",
        rules=("C8.112",),
        summary="The quality of a pod's missiles at a range, and the salvoes that can leave.",
        input=PodRange,
        result={"mql": "base MQL, or null out of range", "salvoes": "early, middle, late as far as they can leave"},
        run=_pod_range,
        example={"range": 9},
    ),
    Procedure(
        name="options.pod-share",
        rules=("D4.11", "D4.111", "D4.112"),
        summary="How much of a force may be spent on pods.",
        input=PodShare,
        result={
            "allowed": "whether the force may have these pods",
            "most": "most points in pods, or null without limit",
            "available": "whether pods are in service that year",
        },
        run=_pod_share,
        example={"book_value": 600, "pod_points": 48, "year": 1906},
    ),
    Procedure(
        name="options.canister",
        rules=("D4.12", "C4.15", "C4.152"),
        summary="How many canisters replace missiles, and what they cost that year.",
        input=Canister,
        result={
            "canisters_per_missile": "canisters in place of one missile",
            "canisters": "canisters in all",
            "price": "points for one canister",
            "points": "points for all, rounded up",
        },
        run=_canister,
        example={"missile_damage": 16, "missiles": 3, "year": 1906},
    ),
    Procedure(
        name="options.recon-drones",
        rules=("D4.13",),
        summary="How many recon drones a ship may buy beyond its own.",
        input=ReconDrones,
        result={
            "extra_max": "most extra drones",
            "total_max": "most drones in all",
            "cost_max": "points for the most extra drones",
        },
        run=_recon_drones,
        example={"standard": 13},
    ),
    Procedure(
        name="options.damage-control-parties",
        rules=("D4.21",),
        summary="Whether extra damage control parties may stand where they are wanted, and where they could.",
        input=Parties,
        result={
            "legal": "whether the places are allowed",
            "problems": "what is wrong with them",
            "cost": "points",
            "suggested": "legal places, row and box, from 0",
        },
        run=_parties,
        example={"hull_rows": ["s*4 w s*4 w", "s*4 w s*4 w", "s*3 w"], "places": [[0, 1]]},
    ),
)
