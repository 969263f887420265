"""Small campaigns for the tests of services, pages and API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import User

from campaign.models import Campaign, Job, Seat, Side, Turn
from campaign.services.campaigns import campaign_create
from campaign.services.fixtures import fixtures_root, ship_class_import, system_setup, toml_read
from campaign.services.jobs import job_execute
from campaign.services.orders import order_sheet_save, order_sheet_seal, sheet_for

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
PASSWORD = "long-enough-for-tests"


def small_setup(**changes: Any) -> dict[str, Any]:
    """Return two sides with one cruiser each, far apart in one system."""
    setup: dict[str, Any] = {
        "ruleset": "saganami",
        "epoch": "1906-03-01T00:00",
        "sides": [{"key": "kestra", "name": "Kestran Commonwealth"}, {"key": "morvane", "name": "Morvane"}],
        "systems": [{**system_setup("lantern"), "defender": "kestra"}],
        "ships": [
            {"id": "shipk1", "side": "kestra", "name": "Sand Martin", "class": "adze"},
            {"id": "shipm1", "side": "morvane", "name": "Plough", "class": "adze"},
        ],
        "forces": [
            {"id": "forcek1", "side": "kestra", "name": "Home Guard", "system": "lantern", "at": {"A": 10},
             "velocity": {"A": 3}, "ships": ["shipk1"]},
            {"id": "forcem1", "side": "morvane", "name": "Visitors", "system": "lantern", "at": {"A": 100},
             "velocity": {"D": 3}, "ships": ["shipm1"]},
        ],
    }  # fmt: skip
    return {**setup, **changes}


def library_small() -> None:
    """Put the one class of ``small_setup`` into the library."""
    path = fixtures_root() / "ship_classes" / "saganami" / "adze.toml"
    ship_class_import(ruleset="saganami", document=toml_read(path))


def campaign_small(**manners: Any) -> Campaign:
    """Open a campaign with a GM "gm" and commanders "kestra" and "morvane"."""
    library_small()
    setup = manners.pop("setup", small_setup())
    gm, _ = User.objects.get_or_create(username="gm")
    campaign = campaign_create(gm=gm, name=manners.pop("name", "Small war"), setup=setup, now=NOW, **manners)
    for side in campaign.sides.all():
        user, _ = User.objects.get_or_create(username=side.key)
        Seat.objects.create(campaign=campaign, user=user, side=side, role=Seat.Role.COMMANDER, created_at=NOW)
    return campaign


def turn_of(campaign: Campaign, number: int) -> Turn:
    """Return a turn of the current line."""
    campaign.refresh_from_db()
    return Turn.objects.get(branch=campaign.active_branch, number=number)


def seal(side: Side, number: int, document: dict[str, Any] | None = None, nonce: str = "nonce-of-tests") -> None:
    """Write and seal a side's sheet."""
    sheet = sheet_for(side=side, turn_number=number)
    if document is not None:
        sheet = order_sheet_save(
            side=side, turn_number=number, version=sheet.version, document=document, user=None, now=NOW
        )
    order_sheet_seal(side=side, turn_number=number, version=sheet.version, nonce=nonce, user=None, now=NOW)


def run_jobs() -> None:
    """Do every queued job in this process, as a worker would, those it queues included."""
    while job := Job.objects.filter(state=Job.State.QUEUED).order_by("pk").first():
        job_execute(job.pk)


def play_turn(campaign: Campaign, number: int, **orders: dict[str, Any]) -> Turn:
    """Seal every side's sheet, resolve and (unless the campaign publishes itself) publish the turn."""
    from campaign.services.resolution import turn_publish

    for side in campaign.sides.filter(is_computer=False):
        seal(side, number, orders.get(side.key))
    run_jobs()
    turn = turn_of(campaign, number)
    if turn.status == Turn.Status.STAGED:
        turn = turn_publish(turn=turn, user=None, now=NOW)
    return turn
