"""What a patrol scenario gives to take to the table: the papers of a side and of the umpire, as data and as PDF.

A side's papers are made from its own view and its own ships and from nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from campaign.engine.vectors import format_vectors
from campaign.rulebooks.saganami.grades import CATEGORIES, POST_OF_CATEGORY
from campaign.rulebooks.saganami.patrol import ROLES, Role
from campaign.rulebooks.saganami.patrol_declaring import ready_ships
from campaign.rulebooks.saganami.patrol_scenario import Library, Scenario
from campaign.rulebooks.saganami.patrol_view import revealed_view, view_for
from campaign.selectors.patrol import patrol_library, patrol_state
from campaign.services.paper import Paper, pdf_make
from campaign.services.record_sheet import record_sheet
from campaign.services.refusals import stale

if TYPE_CHECKING:
    from collections.abc import Mapping

    from campaign.models import PatrolScenario

READY = ("battle", "revealed")
USES = (("multiplier", "multiplier"), ("time", "time limit"), ("mission", "mission"))


def start_words(start: Mapping[str, Any] | None) -> str:
    """Return a starting place in words: hex, altitude, vectors; empty for a ship that is not on the map."""
    if start is None:
        return "off the map"
    at = start["at"]
    return f"{at['q']}, {at['r']}, z {at['z']:+d}; {format_vectors(start['vectors'])}"


def _grades_words(grades: Mapping[str, str], *, every: bool) -> str:
    named = [f"{POST_OF_CATEGORY[one]} {grades[one]}" for one in CATEGORIES if every or grades[one] != "average"]
    return ", ".join(named)


def _cards(view: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return a side's cards with their uses, and those drawn after."""
    held = view["cards_held"]
    rows = []
    for key, use in USES if held["assignment"] is not None else ():
        card = next(one for one in held["hand"] if one["card"] == held["assignment"][key])
        says = {
            "multiplier": f"{card['percent']} percent of the base budget",
            "time": f"{card['turns']} turns",
            "mission": card["mission"]["title"],
        }
        rows.append({"title": card["title"], "use": use, "says": says[key]})
    rows += [{"title": one["title"], "use": "drawn after", "says": ""} for one in held["followers"]]
    return rows


def side_papers(scenario: Scenario, role: Role, library: Library) -> dict[str, Any]:
    """Return a side's papers as plain data: what its PDF prints and its phone page shows."""
    view = view_for(scenario, role, library)
    names = {ship["ship"]: ship["name"] for ship in (*view["force"], *view["enemy"])}
    enemy = view["sides"]["defender" if role == "attacker" else "attacker"]
    ready = ready_ships(scenario, role, library)
    sheets = [record_sheet(one) for one in ready]
    set_up, declaring = view["set_up"], view["declaring"]
    targets = {**declaring["targets"]}
    now = {one["ship"]: one["grades"] for one in view["ready"]} if view["ready"] else {}
    force = []
    for ship, sheet in zip(view["force"], sheets, strict=True):
        grades = now.get(ship["ship"], ship["grades"]) if ship["has_officers"] else {}
        force.append(
            {
                **{key: ship[key] for key in ("ship", "name", "class_name", "base_cost", "cost", "total", "is_lemon")},
                "type": ship["type"],
                "start": start_words(set_up["starts"].get(ship["ship"])),
                "grades": _grades_words(grades, every=False) if grades else "",
                "all_grades": _grades_words(grades, every=True) if grades else "no officers of its own",
                "options": sheet["options"],
                "options_cost": ship["options"]["cost"],
            }
        )
    return {
        "token": view["token"],
        "role": role,
        "name": view["sides"][role]["name"],
        "faction": view["sides"][role]["faction"],
        "enemy_name": enemy["name"],
        "enemy_faction": enemy["faction"],
        "year": view["year"],
        "base": view["base"],
        "corner_text": _corner_words(set_up),
        "miracle_text": _miracle_words(view),
        "budget": view["budget"],
        "force": force,
        "has_lemon": any(one["is_lemon"] for one in force),
        "enemy": [
            {**{key: one[key] for key in ("ship", "name", "class_name", "tons")}, "type": one["type"].replace("-", " "),
             "start": start_words(one["start"])}
            for one in view["enemy"]
        ],
        "time_limit": view["time_limit"],
        "missions": [_mission(one, targets, declaring["cronies"], names) for one in view["missions"]],
        "arm_text": _arm_words(set_up, names),
        "cards": _cards(view),
        "points_note": "",
        "sheets": sheets,
    }  # fmt: skip


def _mission(
    mission: Mapping[str, Any], targets: Mapping[str, list[str]], cronies: list[str], names: Mapping[str, str]
) -> dict[str, Any]:
    named = [names.get(ship, ship) for ship in targets.get(mission["rule"], ())]
    if mission["key"] == "political-appointee" and cronies:
        named.append("poor: " + " and ".join(cronies))
    return {**{key: mission[key] for key in ("key", "rule", "title", "orders")}, "named": named}


def _corner_words(set_up: Mapping[str, Any]) -> str:
    corner = set_up["corner"]
    height = "You have the height." if set_up["has_height"] else "The enemy has the height."
    return f"Your corner is hex {corner['q']}, {corner['r']} at altitude {corner['z']}. {height}"


def _arm_words(set_up: Mapping[str, Any], names: Mapping[str, str]) -> str:
    if not set_up["away"]:
        return ""
    ships = ", ".join(names.get(ship, ship) for ship in set_up["away"])
    return f"{ships}: at range 30 with vectors of your choice in turn {set_up['pincer_turn']}."


def _miracle_words(view: Mapping[str, Any]) -> str:
    if view["miracle_side"] is None:
        return ""
    return f"The {view['miracle_side']} may have a miracle-grade commander (D3.42)."


def umpire_papers(
    scenario: Scenario, library: Library, commitments: Mapping[str, str], seeds: Mapping[str, str]
) -> dict[str, Any]:
    """Return the umpire's papers as plain data; ``seeds`` are empty before the reveal."""
    view = revealed_view(scenario, library)
    manners = [
        "Cards were drawn from a real deck." if view["cards"] == "table" else "",
        "The deck was typed in." if view["deck_typed"] else "",
        "Dice were thrown at the table." if view["dice"] == "table" else "",
    ]
    return {
        "token": view["token"],
        "year": view["year"],
        "base": view["base"],
        "height_text": f"The {view['high_side']} has the height." if view["high_side"] else "",
        "manners": " ".join(one for one in manners if one),
        "miracle_text": _miracle_words(view),
        "commitments": [{"owner": owner, "commitment": commitments[owner]} for owner in sorted(commitments)],
        "seeds": [{"owner": owner, "seed": seeds[owner]} for owner in sorted(seeds)],
        "result": result_lines(view),
        "sides": [
            {key: value for key, value in side_papers(scenario, role, library).items() if key != "sheets"}
            for role in ROLES
        ],
        "log": [
            {
                "number": entry["number"],
                "by": entry["by"],
                "text": entry["text"],
                "is_typed": entry["is_typed"],
                "shown": " ".join([*_dice_words(entry), *entry["cards"]]),
            }
            for entry in view["log"]
        ],
    }


def _dice_words(entry: Mapping[str, Any]) -> list[str]:
    # The deck's shuffle is in its order already; fifty faces more would tell nobody anything.
    if entry["act"] == "deck":
        return []
    return [f"{roll['address'][5]} {' '.join(str(face) for face in roll['faces'])}" for roll in entry["rolls"]]


def result_lines(view: Mapping[str, Any]) -> list[str]:
    """Return the result in a few lines: margin, winner, points and their sums."""
    if view["is_called_off"]:
        return ["The scenario was called off."]
    score = view["score"]
    if score is None:
        return []
    names = {role: view["sides"][role]["name"] for role in ROLES}
    margin = score["margin"].replace("-", " ").capitalize()
    lines = [f"{margin}: {names[score['winner']]}." if score["winner"] else f"{margin}."]
    for side in score["sides"]:
        lines.append(f"{names[side['side']]}: {side['points']} points of {side['cost']}, a ratio of {side['ratio']}.")
        lines += [f"    {line['points']:+d}  {line['label']} ({line['rule']})" for line in side["lines"]]
    return lines


def check_ready(row: PatrolScenario) -> None:
    """Refuse (409) papers of a scenario that has not come to its battle."""
    if row.stage not in READY:
        raise stale("not-ready", "The papers are made when both sides are done with the set-up.")


def side_pdf(*, row: PatrolScenario, role: Role, paper: Paper) -> bytes:
    """Return a side's papers as a PDF, from the battle on."""
    check_ready(row)
    return pdf_make(template="patrol_side", data=side_papers(patrol_state(row), role, patrol_library(row)), paper=paper)


def umpire_pdf(*, row: PatrolScenario, paper: Paper) -> bytes:
    """Return the umpire's papers as a PDF, from the battle on; with the opened seeds after the reveal."""
    check_ready(row)
    seeds = row.seeds if row.revealed_at is not None else {}
    data = umpire_papers(patrol_state(row), patrol_library(row), row.commitments, seeds)
    return pdf_make(template="patrol_umpire", data=data, paper=paper)


def seat_pdf(*, row: PatrolScenario, role: str, paper: Paper) -> tuple[bytes, str]:
    """Return the PDF of a seat, its own side's or the umpire's, and the name of its file."""
    side = next((one for one in ROLES if one == role), None)
    made = umpire_pdf(row=row, paper=paper) if side is None else side_pdf(row=row, role=side, paper=paper)
    return made, f"patrol-{row.token}-{role}-{paper}.pdf"
