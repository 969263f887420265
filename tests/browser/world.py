"""Makes the world that the browser tests play in: a GM, two commanders, an observer and a campaign.

Run as ``python -m tests.browser.world`` with FLAGBRIDGE_VAR set; it prints the campaign's token.
"""

from __future__ import annotations

import os
import sys

PASSWORD = "long-enough-for-tests"


def make() -> str:
    """Fill a new database and return the campaign's token."""
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.utils import timezone

    from campaign.models import Seat
    from campaign.services.campaigns import campaign_create
    from tests.campaign.services.setups import library_small, small_setup

    call_command("migrate", verbosity=0, interactive=False)
    library_small()
    people = {name: User.objects.create_user(name, password=PASSWORD) for name in ("gm", "kestra", "morvane", "watch")}
    setup = small_setup(rulings={"detection": "open"}, **_forces())
    now = timezone.now()
    campaign = campaign_create(gm=people["gm"], name="The Lantern Dispute", setup=setup, now=now, turn_hours=48)
    for side in campaign.sides.all():
        Seat.objects.create(
            campaign=campaign, user=people[side.key], side=side, role=Seat.Role.COMMANDER, created_at=now
        )
    kestra = campaign.sides.get(key="kestra")
    Seat.objects.create(campaign=campaign, user=people["watch"], side=kestra, role=Seat.Role.OBSERVER, created_at=now)
    return campaign.token


def _forces() -> dict[str, object]:
    """Two forces of Kestra and one of Morvane, which closes in and is met in a few turns."""
    ships = [
        {"id": "shipk1", "side": "kestra", "name": "Sand Martin", "class": "adze"},
        {"id": "shipk2", "side": "kestra", "name": "Whimbrel", "class": "adze"},
        {"id": "shipk3", "side": "kestra", "name": "Dunlin", "class": "adze"},
        {"id": "shipm1", "side": "morvane", "name": "Plough", "class": "adze"},
        {"id": "shipm2", "side": "morvane", "name": "Harrow", "class": "adze"},
    ]
    forces = [
        {"id": "forcek1", "side": "kestra", "name": "Home Guard", "system": "lantern", "at": {"A": 10},
         "velocity": {"A": 3}, "ships": ["shipk1", "shipk2"]},
        {"id": "forcek2", "side": "kestra", "name": "Picket", "system": "lantern", "at": {"C": 14, "+": 3},
         "velocity": {"D": 1}, "ships": ["shipk3"]},
        {"id": "forcem1", "side": "morvane", "name": "Visitors", "system": "lantern", "at": {"A": 24, "B": 2, "+": 2},
         "velocity": {"D": 3}, "ships": ["shipm1", "shipm2"]},
    ]  # fmt: skip
    return {"ships": ships, "forces": forces}


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaign.settings.local")
    django.setup()
    sys.stdout.write(make() + "\n")
