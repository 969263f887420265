"""What the pages of a patrol scenario post, read into the documents of openings and acts.

A number that is none stays the text that was typed, so that the form of the act refuses it at its place.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from campaign.engine.errors import ProblemsError
from campaign.engine.vectors import parse_text
from campaign.rulebooks.saganami.options import hull_rows_of, places_for_parties
from campaign.rulebooks.saganami.patrol import DEFAULT_BASE, DEFAULT_YEAR, ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import QueryDict

    from campaign.rulebooks.saganami.patrol_scenario import Library

_WORDS = re.compile(r"[\s,;]+")
OPENING_NUMBERS = (("year", DEFAULT_YEAR), ("base", DEFAULT_BASE), ("hulls", 12), ("of_a_class", 4))


def number_or_text(text: str) -> int | str:
    """Return a whole number, or what was typed where it is none."""
    text = text.strip()
    try:
        return int(text)
    except ValueError:
        return text


def words(text: str) -> list[str]:
    """Return what is typed with spaces or commas between."""
    return [word for word in _WORDS.split(text.strip()) if word]


def opening_from(posted: QueryDict) -> dict[str, Any]:
    """Return the agreement that the opening form posts."""
    document: dict[str, Any] = {
        key: number_or_text(posted.get(key, "") or str(default)) for key, default in OPENING_NUMBERS
    }
    opener = posted.get("opener", "attacker")
    for role in ROLES:
        is_alone = posted.get("opponent") == "automatic" and role != opener
        document[role] = {
            "faction": posted.get(f"{role}_faction", ""),
            "name": posted.get(f"{role}_name", "").strip(),
            "seat": "automatic" if is_alone else "person",
        }
    document["cards"] = "table" if posted.get("cards") == "table" else "server"
    document["dice"] = "table" if posted.get("dice") == "table" else "server"
    document["miracles"] = "miracles" in posted
    document["deck"] = words(posted.get("deck", ""))
    return document


def act_from(posted: QueryDict, view: Mapping[str, Any], library: Library) -> dict[str, Any]:
    """Return the act that a form of a seat's page posts."""
    act = posted.get("act", "")
    document: dict[str, Any] = {"act": act}
    if act == "buy":
        document |= {"ship_class": posted.get("ship_class", ""), "name": posted.get("name", "").strip()}
        if posted.get("dice", "").strip():
            document["dice"] = [number_or_text(word) for word in words(posted.get("dice", ""))]
    elif act == "hand":
        document["cards"] = [word.upper() for word in words(posted.get("cards", ""))]
    elif act == "assign":
        uses = {posted.get(f"use-{one['card']}", ""): one["card"] for one in view["cards_held"]["hand"]}
        document |= {use: uses.get(use, "") for use in ("multiplier", "time", "mission")}
    elif act == "draw" and posted.get("card", "").strip():
        document["card"] = posted.get("card", "").strip().upper()
    elif act == "choose":
        listed, _, rank = posted.get("choice", "").partition("/")
        document |= {"listed": listed, "rank": rank}
    elif act == "options":
        document |= _options(posted, library)
    elif act == "name":
        document |= {"ship": posted.get("ship", ""), "name": posted.get("name", "")}
    elif act == "declare":
        targets = {one["rule"]: posted.getlist(f"target-{one['rule']}") for one in view["declaring"]["asked"]}
        document |= {"targets": targets, "cronies": posted.getlist("cronies")}
    elif act == "place":
        document["starts"] = {ship: _start(posted, ship) for ship in view["set_up"]["starts"]}
    elif act == "report":
        document |= {"facts": _facts(posted, view), "account": _account(posted)}
    elif act == "sign":
        document |= {"digest": posted.get("digest", ""), "account": _account(posted)}
    elif act == "rule":
        document |= {"facts": _facts(posted, view)}
        document |= {role: _account(posted, f"{role}-") for role in ROLES}
    return document


def _options(posted: QueryDict, library: Library) -> dict[str, Any]:
    """Return options; extra parties are asked for by number, and go as deep into the hull as the rule lets them."""
    parties = number_or_text(posted.get("parties", "0") or "0")
    places: Any = parties
    ship_class = library.get(posted.get("ship_class", ""))
    if isinstance(parties, int) and ship_class is not None:
        found = places_for_parties(hull_rows_of(ship_class), parties)
        places = [list(place) for place in found]
    return {
        "ship": posted.get("ship", ""),
        "pods": number_or_text(posted.get("pods", "0") or "0"),
        "canister": {
            key.removeprefix("canister-"): number_or_text(str(value) or "0")
            for key, value in posted.items()
            if key.startswith("canister-")
        },
        "drones": number_or_text(posted.get("drones", "0") or "0"),
        "parties": places,
        "marines_ready": "marines_ready" in posted,
    }


def _start(posted: QueryDict, ship: str) -> dict[str, Any]:
    text = posted.get(f"vectors-{ship}", "")
    try:
        vectors: Any = parse_text(text, f"/starts/{ship}/vectors", "D2.12")
    except ProblemsError:
        vectors = text
    at = {axis: number_or_text(posted.get(f"{axis}-{ship}", "")) for axis in ("q", "r", "z")}
    return {"at": at, "vectors": vectors}


def _turn(posted: QueryDict, key: str) -> int | str | None:
    text = posted.get(key, "").strip()
    return number_or_text(text) if text else None


def _facts(posted: QueryDict, view: Mapping[str, Any]) -> dict[str, Any]:
    ships = {}
    for ship in ships_of(view):
        ships[ship] = {
            "boxes_lost": number_or_text(posted.get(f"boxes-{ship}", "") or "0"),
            "fate": posted.get(f"fate-{ship}", "fighting"),
            "left_turn": _turn(posted, f"left-{ship}"),
            "is_past_enemy": f"past-{ship}" in posted,
            "hyper_works": f"nohyper-{ship}" not in posted,
            "pods_spent": number_or_text(posted.get(f"pods-{ship}", "") or "0"),
        }
    return {
        "turns": number_or_text(posted.get("turns", "")),
        "ships": ships,
        **{f"{role}_disengaged": _turn(posted, f"{role}_disengaged") for role in ROLES},
    }


def ships_of(view: Mapping[str, Any]) -> list[str]:
    """Return the ships that a seat can report on, its own first; the umpire every one."""
    if "sides_open" in view:
        return [ship["ship"] for role in ROLES for ship in view["sides_open"][role]["force"]]
    return [one["ship"] for one in (*view["force"], *view["enemy"])]


def _account(posted: QueryDict, prefix: str = "") -> dict[str, Any]:
    """Return a side's own word: watched ships are written turn by turn, a line each."""
    lines = posted.get(f"{prefix}close_turns", "").splitlines()
    return {
        "spy_act": posted.get(f"{prefix}spy_act", "kept"),
        "close_turns": [words(line) for line in lines] if any(line.strip() for line in lines) else [],
        "objective_turn": _turn(posted, f"{prefix}objective_turn"),
    }
