"""The GM's typed changes: before an open turn, or amendments of a staged one, by forms drawn from the ruleset."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from campaign.engine.errors import ProblemsError
from campaign.forms import schema as s
from campaign.forms.schema_fields import fields_of
from campaign.forms.schema_reading import document_from
from campaign.models import Turn
from campaign.selectors import umpire
from campaign.selectors.rulesets import ruleset_of
from campaign.services.access import Entry
from campaign.services.refusals import status_of
from campaign.services.turns import turn_amend, turn_change
from campaign.views.acts import act, refusal
from campaign.views.doors import door
from campaign.views.frame import page

PLACE = "gm-desk"
ROOT = "/document"


@door("gm")
def change(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Choose an act (GET), fill in its form, and file it with a reason (POST)."""
    turn = umpire.turn_at_head(entry.branch)
    truth = _truth(entry, turn)
    schema = s.schema_of(ruleset_of(entry.campaign).amendment_schema)
    if truth and schema:
        schema = _with_choices(schema, truth)
    posted = request.POST if request.method == "POST" else request.GET
    document = document_from(schema, posted, ROOT) if schema else {}
    problems: list[dict[str, str]] = []
    status = 200
    if request.method == "POST" and turn is not None:
        reason = request.POST.get("reason", "")
        service = turn_amend if turn.status == Turn.Status.STAGED else turn_change
        said = f"Turn {turn.number} is played again with your amendment." if service is turn_amend else "Changed."
        try:
            return act(
                request,
                lambda: service(turn=turn, document=document, reason=reason, user=entry.seat.user, now=timezone.now()),
                said,
                PLACE,
                entry.campaign.token,
            )
        except ProblemsError as error:
            problems, status = refusal(error), status_of(error)
    context: dict[str, Any] = {
        "turn": turn,
        "field": fields_of(schema, document, problems, ROOT) if schema else None,
        "problems": [problem for problem in problems if not problem["place"].startswith(ROOT)],
        "reason": request.POST.get("reason", ""),
        "truth": truth,
    }
    return page(request, entry, "campaign/gm/change.html", PLACE, context, status)


def _with_choices(schema: dict[str, Any], truth: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with the forces, ships, sides, systems and classes of the campaign as choices."""
    rows = {
        "force": {force["id"]: f"{force['name']} ({force['side']})" for force in truth["forces"]},
        "ship": {ship["id"]: f"{ship['name']} ({ship['class_name']}, {ship['side']})" for ship in truth["ships"]},
        "side": {side["key"]: side["name"] for side in truth["sides"]},
        "system": {system["key"]: system["name"] for system in truth["systems"]},
        "class": {key: sheet["name"] for key, sheet in truth.get("classes", {}).items()},
        "engagement": {each["id"]: each["text"] for each in truth["engagements"]},
    }
    lists = {"ships": "ship", "guise": "class"}

    def fill(key: str, field: dict[str, Any]) -> dict[str, Any]:
        if key in rows and field.get("type") == "string":
            return {**field, "enum": list(rows[key]), "x-labels": rows[key]}
        if key in lists and field.get("type") == "array":
            known = rows[lists[key]]
            return {**field, "items": {"type": "string", "enum": list(known), "x-labels": known}}
        return field

    variants = [
        {**variant, "properties": {key: fill(key, each) for key, each in variant["properties"].items()}}
        for variant in s.variants_of(schema)
    ]
    return {**schema, "oneOf": variants} if variants else schema


def _truth(entry: Entry, turn: Turn | None) -> dict[str, Any]:
    """Return the truth that the change will meet; its forces and ships are the choices of the form."""
    if turn is None:
        return {}
    after = turn.number if turn.status == Turn.Status.STAGED else turn.number - 1
    return umpire.overview_at(entry.branch, after)
