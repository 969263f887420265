"""Site and worker together, on the embedded default."""

from __future__ import annotations

import signal
import sys
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from campaign.services.embedded import worker_running


class Command(BaseCommand):
    """Serve the site with uvicorn, the worker beside it as a child."""

    help = "Serve the site and run its worker, until interrupted."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-worker", action="store_true", help="only the site; workers run elsewhere")

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve."""
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        # uvicorn raises SIGTERM again after its own shutdown: without this, the worker would be left behind
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        if options["no_worker"]:
            self._serve(options["host"], options["port"])
            return
        with worker_running():
            self._serve(options["host"], options["port"])

    def _serve(self, host: str, port: int) -> None:
        import uvicorn

        self.stdout.write(f"Flag Bridge listens on http://{host}:{port}/ (stop with Ctrl-C).")
        self.stdout.flush()
        uvicorn.run(
            "campaign.asgi:application",
            host=host,
            port=port,
            log_level="warning",
            timeout_graceful_shutdown=2,  # open event streams would hold up a stop
        )
