"""Roster and map rows: a projection of the active branch's head, written from a snapshot only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from campaign.engine.dice import canonical
from campaign.models import Ship
from campaign.services.bulk_write import insert_rows, update_rows
from operational.models import Force

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db import models

    from campaign.models import Campaign

FORCE_COLUMNS = ("side", "name", "system", "place", "q", "r", "z", "velocity", "dummy", "engaged")
SHIP_COLUMNS = ("side", "name", "ship_class", "force", "status", "cost", "grades", "damage", "stores")
_DOCUMENTS = {"grades", "damage", "stores"}

Rows = dict[str, tuple[Any, ...]]


def projection_write(*, campaign: Campaign, projection: Mapping[str, Any]) -> None:
    """Make the rows of a campaign equal to a projection; only rows that differ are written."""
    _write(Force, campaign, FORCE_COLUMNS, _wanted(projection["forces"], FORCE_COLUMNS))
    _write(Ship, campaign, SHIP_COLUMNS, _wanted(projection["ships"], SHIP_COLUMNS))


def projection_differences(*, campaign: Campaign, projection: Mapping[str, Any]) -> list[str]:
    """Return what the rows say otherwise than the projection, a line a difference."""
    found: list[str] = []
    tables: list[tuple[type[models.Model], tuple[str, ...], str]] = [
        (Force, FORCE_COLUMNS, "forces"),
        (Ship, SHIP_COLUMNS, "ships"),
    ]
    for model, columns, name in tables:
        wanted = _wanted(projection[name], columns)
        present = {token: values for token, (_, values) in _present(model, campaign, columns).items()}
        for token in sorted(wanted.keys() | present.keys()):
            if token not in present:
                found.append(f"{name} {token}: no row")
            elif token not in wanted:
                found.append(f"{name} {token}: a row too many")
            elif wanted[token] != present[token]:
                differ = [c for c, a, b in zip(columns, wanted[token], present[token], strict=True) if a != b]
                found.append(f"{name} {token}: {', '.join(differ)}")
    return found


def _wanted(columns: Mapping[str, Sequence[Any]], names: Sequence[str]) -> Rows:
    """Return token to values, documents as canonical text; most ships share a few documents."""
    known: dict[str, str] = {}

    def text(value: Any) -> str:
        key = repr(value)
        if key not in known:
            known[key] = canonical(value)
        return known[key]

    sequences = [[text(value) for value in columns[name]] if name in _DOCUMENTS else columns[name] for name in names]
    return dict(zip(columns["id"], zip(*sequences, strict=True), strict=True))


def _present(
    model: type[models.Model], campaign: Campaign, columns: Sequence[str]
) -> dict[str, tuple[int, tuple[Any, ...]]]:
    rows = model._default_manager.filter(campaign=campaign).order_by().values_list("token", "pk", *columns)
    return {row[0]: (row[1], tuple(row[2:])) for row in rows}


def _write(model: type[models.Model], campaign: Campaign, columns: Sequence[str], wanted: Rows) -> None:
    present = _present(model, campaign, columns)
    update_rows(
        model,
        columns,
        [
            (present[token][0], *values)
            for token, values in wanted.items()
            if token in present and present[token][1] != values
        ],
    )
    insert_rows(
        model,
        ("campaign_id", "token", *columns),
        [(campaign.pk, token, *values) for token, values in wanted.items() if token not in present],
    )
    gone = [pk for token, (pk, _) in present.items() if token not in wanted]
    if gone:
        model._default_manager.filter(pk__in=gone).delete()
