"""The rules desk: every procedure as a calculator, and every rule number with what the project knows of it.

A question is a plain GET, so that its answer has an address that can be sent round; nothing is kept.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign.engine.procedure import Desk, Procedure
from campaign.engine.rule_index import marks
from campaign.forms import schema as s
from campaign.forms.schema_fields import Field, fields_of
from campaign.forms.schema_reading import document_from
from campaign.services.refusals import not_there
from campaign.services.rules_desk import desk_answer, desks
from campaign.services.rulings import rulings_of_rule
from campaign.services.tokens import new_token
from campaign.views.doors import door

PLACE = "rules-desk"
ROOT = "/in"
DICE = "/dice"
LEVELS = ("operational", "tactical")


@require_GET
@door("public")
def rules_desk(request: HttpRequest) -> HttpResponse:
    """Show every ruleset's procedures."""
    groups = [
        {"key": key, "desk": desk, "subjects": _subjects(desk), "count": len(desk.procedures)}
        for key, desk in sorted(desks().items())
    ]
    return render(request, "campaign/public/rules_desk.html", {"groups": groups, "place": PLACE})


@require_GET
@door("public")
def procedure(request: HttpRequest, level: str, key: str, name: str) -> HttpResponse:
    """Show a procedure's calculator; with ``?ask=`` its answer beside the question."""
    desk = desks().get(f"{level}/{key}")
    found = desk.procedure(name) if desk is not None else None
    if desk is None or found is None:
        raise not_there("procedure")
    schema = _schema_of(f"{level}/{key}", name)
    is_asked = "ask" in request.GET
    document: Any = document_from(schema, request.GET, ROOT) if is_asked else dict(found.example or {})
    context: dict[str, Any] = {
        "place": PLACE,
        "desk": desk,
        "subjects": _subjects(desk),
        "procedure": found,
        "is_asked": is_asked,
        "dice_text": request.GET.get(DICE, "").strip() if is_asked else _example_dice(found, document),
        "seed": request.GET.get("seed", "").strip(),
    }
    problems: list[dict[str, str]] = []
    status = 200
    if is_asked:
        question = dict(document)
        if found.dice is not None:
            context["seed"] = _add_dice(found, question, request.GET, context["dice_text"])
        answer = desk_answer(ruleset=f"{level}/{key}", procedure=name, document=question)
        if "error" in answer:
            problems = [{**problem, "place": ROOT + problem["place"]} for problem in answer["error"]["problems"]]
            status = 422
        else:
            context["answer"] = answer
            context["results"] = _results(found, answer["result"])
    context["form"] = _form(schema, document, problems)
    return render(request, "campaign/public/procedure.html", context, status=status)


@require_GET
@door("public")
def rule(request: HttpRequest, key: str) -> HttpResponse:
    """Show what the project knows of a rule: the procedures that answer it and the functions that play it.

    ``key`` is a rule number, with its source before it ("saganami/B3.33") where others may have the same.
    """
    loaded = desks()
    before, _, rest = key.partition("/")
    source = before if rest and before in {desk.source for desk in loaded.values()} else ""
    key = rest if source else key
    procedures = [
        {"desk": desk, "procedure": each}
        for desk in loaded.values()
        for each in desk.procedures
        if key in each.rules and source in ("", desk.source)
    ]
    played = [
        {"source": mark.source, "where": mark.where, "says": _says(mark.where)}
        for mark in marks()
        if mark.rule == key and source in ("", mark.source)
    ]
    rulings = rulings_of_rule(key)
    if not procedures and not played and not rulings:
        raise not_there("rule here")
    context = {"key": key, "procedures": procedures, "played": played, "rulings": rulings, "place": PLACE}
    return render(request, "campaign/public/rule.html", context)


def _subjects(desk: Desk) -> list[tuple[str, list[Procedure]]]:
    """Return a desk's procedures by the word before the point, which names their subject."""
    listed = sorted(desk.procedures, key=lambda each: each.name)
    return [(subject, list(each)) for subject, each in groupby(listed, key=lambda each: each.name.partition(".")[0])]


@cache
def _schema_of(ruleset: str, name: str) -> dict[str, Any]:
    found = desks()[ruleset].procedure(name)
    assert found is not None
    return s.schema_of(found.input.model_json_schema())


def _form(schema: dict[str, Any], document: Any, problems: list[dict[str, str]]) -> Field:
    return fields_of({"type": "object", "properties": {}, **schema}, document, problems, ROOT)


def _example_dice(found: Procedure, document: dict[str, Any]) -> str:
    """Take the dice out of the example and return them as typed."""
    document.pop("seed", None)
    faces = document.pop(found.dice, None) if found.dice else None
    if found.dice and faces is None:
        faces = document.pop("dice", None)
    return ", ".join(str(face) for face in faces) if isinstance(faces, list) else "" if faces is None else str(faces)


def _add_dice(found: Procedure, question: dict[str, Any], asked: QueryDict, text: str) -> str:
    """Put typed faces or a seed into a question; return the seed that rolled, or nothing for typed faces."""
    assert found.dice is not None
    if text and asked.get("how") != "roll":
        words = text.replace(",", " ").split()
        question[found.dice] = [int(word) if word.isdigit() else word for word in words]
        return ""
    seed = asked.get("seed", "").strip() or new_token()
    question["seed"] = seed
    return seed


def _results(found: Procedure, result: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of a result with their meaning, the first one large where it is one plain value."""
    return [
        {
            "key": key.replace("_", " "),
            "value": value,
            "means": found.result.get(key, ""),
            "is_plain": isinstance(value, (str, int, float, bool)) or value is None,
        }
        for key, value in result.items()
    ]


def _says(where: str) -> str:
    """Return the first sentence of what a marked function says of itself."""
    parts = where.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            found: Any = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            found = getattr(found, name, None)
        return str(getattr(found, "__doc__", None) or "").strip().partition("\n")[0]
    return ""
