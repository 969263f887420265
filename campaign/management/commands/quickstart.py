"""From nothing to a played demo: database, library, campaign, worker, engagement, result."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.engine.errors import ProblemsError
from campaign.services.demo import DemoStuckError, demo_open, demo_play
from campaign.services.embedded import WorkerStartError, worker_check, worker_running
from campaign.services.fixtures import library_load
from campaign.services.history import campaign_verify, rows_verify

DEMO = "ambush-at-lantern-gate"


class Command(BaseCommand):
    """Set up, play the demo to its first engagement and past it, and (with --serve) serve the site."""

    help = "Make the database, load the library, play the demo through the worker; with --serve go on to serve."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--serve", action="store_true", help="go on to serve the site")
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--campaign", default=DEMO, help="which campaign of fixtures/campaigns to play")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it all, saying what happens."""
        start = time.monotonic()
        call_command("migrate", verbosity=0, interactive=False)
        loaded, problems = library_load()
        self._say(f"Database {settings.DATABASES['default']['NAME']}; {loaded} ship classes in the library.")
        for problem in problems:
            self.stderr.write(f"left out: {problem.place} {problem.message} [{problem.rule}]")
        try:
            campaign, script, log_ins = demo_open(options["campaign"])
        except ProblemsError as error:
            raise CommandError("\n".join(f"{one.place}: {one.message}" for one in error.problems)) from error
        self._say(f"Campaign {campaign.token}: {campaign.name}, from {campaign.epoch} PD.")
        try:
            with worker_running() as worker:
                engagement = demo_play(campaign, script, say=self._say, wait=lambda: worker_check(worker))
        except (DemoStuckError, WorkerStartError) as error:
            raise CommandError(str(error)) from error
        score = engagement.score or {}
        self._say("")
        self._say(f"Stored: engagement of turn {engagement.turn}, {engagement.status}, margin {score.get('margin')}.")
        verdicts = [one.verdict for one in campaign_verify(campaign=campaign)]
        rows = rows_verify(campaign=campaign)
        self._say(f"Verified: {len(verdicts)} turns played again, {verdicts.count('same')} the same; "
                  f"roster and map rows {'agree' if not rows else f'differ in {len(rows)} places'}.")  # fmt: skip
        if verdicts.count("same") != len(verdicts) or rows:
            raise CommandError("The demo does not verify.")
        self._say(f"Ready after {time.monotonic() - start:.0f} seconds.")
        self._say("")
        for log_in in log_ins:
            self._say(f"  {log_in.role}: user {log_in.username}, password {log_in.password}")
        address = f"http://{options['host']}:{options['port']}/"
        if options["serve"]:
            self._say(f"  address: {address}")
            call_command("serve", host=options["host"], port=options["port"])
        else:
            self._say(f"manage.py serve shows it at {address}")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
