"""The library of ship classes."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from rest_framework.request import Request

from campaign.api.answers import ShipClassFacts, ShipClassList, ShipClassWhole
from campaign.api.bodies import ShipClassDocument
from campaign.api.doors import Door, operation
from campaign.models import Seat, ShipClass
from campaign.services.fixtures import ship_class_import
from campaign.services.refusals import forbidden, not_there


class ShipClassesDoor(Door):
    """Every class of the library."""

    audience = "person"

    @operation("List the ship classes", answer=ShipClassList)
    def get(self, request: Request) -> ShipClassList:
        """Answer the library, by key."""
        return ShipClassList(ship_classes=[ShipClassFacts(**_facts(row)) for row in ShipClass.objects.order_by("key")])

    @operation("Import a ship class", body=ShipClassDocument, answer=ShipClassWhole, status=201)
    def post(self, request: Request, body: ShipClassDocument) -> ShipClassWhole:
        """Check a stat block and put it into the library.

        For game masters; the library is everyone's, so only the site's staff may replace what another
        campaign may be opened with. Running campaigns keep the classes that they started with.
        """
        if not self.person.is_staff:
            _check_may_import(self.person, body)
        return _whole(ship_class_import(ruleset=body.ruleset, document=body.document))


class ShipClassDoor(Door):
    """One class."""

    audience = "person"

    @operation("Read a ship class", answer=ShipClassWhole)
    def get(self, request: Request, key: str) -> ShipClassWhole:
        """Answer a class with its stat block for each ruleset."""
        row = ShipClass.objects.filter(key=key).first()
        if row is None:
            raise not_there("ship class")
        return _whole(row)


def _check_may_import(user: User, body: ShipClassDocument) -> None:
    if not Seat.objects.filter(user=user, role=Seat.Role.GM, ended_at__isnull=True).exists():
        raise forbidden("Only a game master may import ship classes.")
    known = ShipClass.objects.filter(key=str(body.document.get("key"))).first()
    if known is not None and known.stat_blocks.get(body.ruleset) != body.document:
        raise forbidden("The library has another class of this key; only the site's staff may replace it.")


def _facts(row: ShipClass) -> dict[str, Any]:
    rulesets = sorted(row.stat_blocks)
    return {"key": row.key, "name": row.name, "nation": row.nation, "hull": row.hull, "rulesets": rulesets}


def _whole(row: ShipClass) -> ShipClassWhole:
    return ShipClassWhole(**_facts(row), stat_blocks=row.stat_blocks)
