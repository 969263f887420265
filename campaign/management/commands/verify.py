"""Play every turn of a campaign again from its envelope, and compare."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.models import Campaign
from campaign.services.history import campaign_verify, rows_verify


class Command(BaseCommand):
    """Say of each resolved turn: same, differs, or edition not available."""

    help = "Resolve every turn of a campaign again from its envelope and say whether it comes out the same."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument("campaign", help="the campaign's token, or its name where only one has it")
        parser.add_argument("--rows", action="store_true", help="compare the roster and map rows as well")

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify; exit status 1 when anything differs."""
        wanted = options["campaign"]
        found = list(Campaign.objects.filter(token=wanted) or Campaign.objects.filter(name=wanted))
        if len(found) != 1:
            known = ", ".join(f"{one.token} ({one.name})" for one in Campaign.objects.all()) or "none"
            raise CommandError(f"No single campaign is called {wanted}. Campaigns here: {known}.")
        bad = 0
        for verdict in campaign_verify(campaign=found[0]):
            note = f" ({verdict.detail})" if verdict.detail else ""
            self.stdout.write(f"line {verdict.branch} turn {verdict.turn}: {verdict.verdict}{note}")
            bad += verdict.verdict == "differs"
        if options["rows"]:
            differences = rows_verify(campaign=found[0])
            for line in differences:
                self.stdout.write(f"rows: {line}")
            self.stdout.write("rows: same" if not differences else f"rows: {len(differences)} differ")
            bad += len(differences)
        if bad:
            sys.exit(1)
