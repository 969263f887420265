"""A seat's own page of a patrol scenario: what it sees, what it may do now, its briefing and its papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaign.engine.errors import ProblemsError
from campaign.engine.vectors import format_vectors
from campaign.forms.patrol import act_from
from campaign.rulebooks.saganami.grades import OFFICERS
from campaign.rulebooks.saganami.patrol import ROLES
from campaign.rulebooks.saganami.patrol_scenario import STAGES, UMPIRE
from campaign.rulebooks.saganami.ship_class import boxes_total
from campaign.rulebooks.saganami.victory import FATES
from campaign.selectors.patrol import patrol_library, patrol_state
from campaign.services.paper import PAPERS, paper_named
from campaign.services.patrol import PatrolSeat, patrol_act, patrol_revealed, patrol_seat, patrol_view
from campaign.services.patrol_papers import check_ready, seat_pdf, side_papers
from campaign.services.refusals import not_there, status_of
from campaign.views.acts import refusal
from campaign.views.doors import door

if TYPE_CHECKING:
    from campaign.rulebooks.saganami.patrol import Role
    from campaign.rulebooks.saganami.patrol_scenario import Library

PLACE = "patrol"
STEPS = {
    "first": "First 60 percent",
    "lemon": "Opponent's tenth",
    "cards": "Cards",
    "rest": "Rest of the budget",
    "set-up": "Set-up",
    "battle": "Battle",
    "revealed": "Result",
}
SPY_ACTS = (
    ("kept", "stayed hidden"),
    ("sabotage", "sabotaged the ship"),
    ("reveal", "had the mission card laid open"),
    ("freeze", "kept the ship from plotting"),
)


@door("public")
def seat(request: HttpRequest, patrol_secret: str) -> HttpResponse:
    """Show a seat's page; on POST do an act and come back. Once the scenario is laid open, go to its result."""
    held = patrol_seat(secret=patrol_secret)
    if held.is_revealed:
        return redirect("patrol-result", held.row.token)
    problems: list[dict[str, str]] = []
    status = 200
    if request.method == "POST":
        document = act_from(request.POST, patrol_view(held), patrol_library(held.row))
        try:
            held = patrol_act(secret=patrol_secret, document=document, now=timezone.now())
        except ProblemsError as error:
            problems, status = refusal(error), status_of(error)
            held = patrol_seat(secret=patrol_secret)
        else:
            return redirect("patrol-seat", patrol_secret)
    context = {**_page(held), "secret": patrol_secret, "problems": problems, "posted": request.POST}
    template = "campaign/public/patrol/umpire.html" if held.role == UMPIRE else "campaign/public/patrol/seat.html"
    return _private(render(request, template, context, status=status))


def _page(held: PatrolSeat) -> dict[str, Any]:
    view, library = patrol_view(held), patrol_library(held.row)
    stage = view["stage"]
    context: dict[str, Any] = {
        "view": view,
        "place": PLACE,
        "steps": [
            {"label": STEPS[one], "is_done": STAGES.index(one) < STAGES.index(stage), "is_now": one == stage}
            for one in STAGES
        ],
        "fates": FATES,
        "reported": _reported(view),
        "papers": PAPERS,
        "sides": [
            {"role": role, "number": number, "seat": view["seats"][role], **view["sides"][role]}
            for number, role in enumerate(ROLES, start=1)
        ],
    }
    if held.role == UMPIRE:
        rows = [
            _report_row(ship["ship"], ship["name"], ship["ship_class"], view, library, ship["options"]["pods"])
            for role in ROLES
            for ship in view["sides_open"][role]["force"]
        ]
        return context | {"report_rows": rows, "spy_acts": SPY_ACTS}
    return context | _side_page(view, library)


def _facts(view: dict[str, Any]) -> dict[str, Any] | None:
    """Return the facts of a battle that lie on the table, in a side's view or the umpire's."""
    found: dict[str, Any] | None = view["report"]["facts"] if view.get("report") else view.get("facts")
    return found


def _reported(view: dict[str, Any]) -> dict[str, Any]:
    """Return the turns of a report as its form shows them, empty where nothing is known."""
    facts = _facts(view) or {}
    return {key: facts.get(key) or "" for key in ("turns", "attacker_disengaged", "defender_disengaged")}


def _side_page(view: dict[str, Any], library: Library) -> dict[str, Any]:
    enemy_role: Role = "defender" if view["role"] == "attacker" else "attacker"
    own_pods = {ship["ship"]: ship["options"]["pods"] for ship in view["force"]}
    names = {ship["ship"]: ship["name"] for ship in (*view["force"], *view["enemy"])}
    missions = {mission["rule"]: mission for mission in view["missions"]}
    return {
        "me": view["sides"][view["role"]],
        "enemy": view["sides"][enemy_role],
        "enemy_role": enemy_role,
        "is_waiting": view["sides"][view["role"]]["is_done"],
        "option_rows": [_option_row(ship, library) for ship in view["force"]],
        "asked": [
            {
                **one,
                "title": missions[one["rule"]]["title"],
                "declares": missions[one["rule"]]["declares"],
                "ships": [
                    {"ship": ship, "name": names.get(ship, ship),
                     "is_chosen": ship in view["declaring"]["targets"].get(one["rule"], ())}
                    for ship in one["among"]
                ],
            }
            for one in view["declaring"]["asked"]
        ],
        "officers": [{"key": one, "is_chosen": one in view["declaring"]["cronies"]} for one in OFFICERS],
        "start_rows": [
            {"ship": ship, "name": names.get(ship, ship), **start["at"], "vectors": format_vectors(start["vectors"])}
            for ship, start in (view["set_up"]["starts"] if view["set_up"] else {}).items()
        ],
        "report_rows": [
            _report_row(one["ship"], one["name"], one["ship_class"], view, library, own_pods.get(one["ship"]))
            for one in (*view["force"], *view["enemy"])
        ],
        "has_spy": any(mission["key"] == "spy" for mission in view["missions"]),
        "watches": any(mission["key"] == "intelligence-gathering" for mission in view["missions"]),
        "spy_acts": SPY_ACTS,
    }  # fmt: skip


def _option_row(ship: dict[str, Any], library: Library) -> dict[str, Any]:
    ship_class = library[ship["ship_class"]]
    mounts = [
        {"name": mount.name, "missiles": ship["options"]["canister"].get(mount.name, 0)}
        for mount in ship_class.mounts
        if mount.weapon("M") is not None and ship_class.track(f"{mount.name}.mag") is not None
    ]
    return {**ship, "mounts": mounts, "parties": len(ship["options"]["parties"]), "has_marines": ship_class.marines > 0}


def _report_row(
    ship: str, name: str, ship_class: str, view: dict[str, Any], library: Library, pods: int | None
) -> dict[str, Any]:
    """Return a row of the report form; an enemy's pods (None) are counted by whoever saw them."""
    reported = _facts(view)
    facts = reported["ships"].get(ship, {}) if reported else {}
    return {
        "ship": ship,
        "name": name,
        "class_name": library[ship_class].name,
        "boxes": boxes_total(library[ship_class]),
        "has_pods": pods is None or pods > 0,
        "facts": facts,
    }


@require_GET
@door("public")
def state(request: HttpRequest, patrol_secret: str) -> HttpResponse:
    """Say whether anything happened since a page was made: a waiting page asks, and is made anew."""
    held = patrol_seat(secret=patrol_secret)
    response = HttpResponse(status=200)
    if str(held.row.version) != request.GET.get("version", "") or held.is_revealed:
        response.headers["HX-Refresh"] = "true"
    return _private(response)


@require_GET
@door("public")
def briefing(request: HttpRequest, patrol_secret: str) -> HttpResponse:
    """Show a side's briefing for the phone, from the battle on: the same words as on its paper."""
    held = patrol_seat(secret=patrol_secret)
    role = next((one for one in ROLES if one == held.role), None)
    if role is None:
        raise not_there("briefing")
    check_ready(held.row)
    papers = side_papers(patrol_state(held.row), role, patrol_library(held.row))
    context = {"papers": papers, "secret": patrol_secret, "place": PLACE, "sizes": PAPERS}
    return _private(render(request, "campaign/public/patrol/briefing.html", context))


@require_GET
@door("public")
def papers(request: HttpRequest, patrol_secret: str, paper: str) -> HttpResponse:
    """Give a seat's PDF: its own side's, or the umpire's."""
    return _pdf(patrol_seat(secret=patrol_secret), paper)


@require_GET
@door("public")
def result_papers(request: HttpRequest, patrol_id: str, of: str, paper: str) -> HttpResponse:
    """Give the PDF of either side or of the umpire of a scenario that is laid open."""
    if of not in (*ROLES, UMPIRE):
        raise not_there("paper")
    return _pdf(PatrolSeat(patrol_revealed(token=patrol_id), of), paper)


def _pdf(held: PatrolSeat, paper: str) -> HttpResponse:
    made, name = seat_pdf(row=held.row, role=held.role, paper=paper_named(paper))
    response = HttpResponse(made, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return _private(response)


def _private(response: HttpResponse) -> HttpResponse:
    """Keep a page with a secret out of every cache."""
    response.headers["Cache-Control"] = "no-store"
    return response
