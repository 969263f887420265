"""Our times over bare yardsticks', in one run on the same data and database."""

from __future__ import annotations

import gc
import json
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.engine.vectors import from_axial
from campaign.management.yardsticks import SIDES, bare_tables_make, bare_turn, scattered
from campaign.models import Campaign, Job, Turn
from campaign.selectors.reports import report_for
from campaign.services.campaigns import campaign_create
from campaign.services.fixtures import library_load, system_setup
from campaign.services.jobs import job_claim
from campaign.services.resolution import turn_resolve
from campaign.services.turns import turn_lock

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
THRUSTING, SEARCHING = 10, 20  # one force in ten thrusts, one ship in twenty searches
WINDOWS = ("A yellow", "B/C yellow", "D blue+", "E/F blue-")


class Command(BaseCommand):
    """Print ratios: an operational turn, SQL statements, a player's report, peak memory."""

    help = "Measure operational turns and a player's page beside bare yardsticks, on a database of its own."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument("forces", nargs="*", type=int, default=[100, 1000, 10000], help="sizes to measure")
        parser.add_argument("--turns", type=int, default=7, help="turns a size; the median is printed")
        parser.add_argument("--json", action="store_true", help="one JSON line a size")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure."""
        with tempfile.TemporaryDirectory() as folder:
            name = connection.settings_dict["NAME"]
            if connection.vendor == "sqlite":
                connection.settings_dict["TEST"]["NAME"] = str(Path(folder) / "bench.sqlite3")
            settings.CELERY_TASK_ALWAYS_EAGER = False
            connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
            try:
                library_load()
                for count in options["forces"]:
                    self._print(measure(count, options["turns"]), as_json=options["json"])
            finally:
                connection.creation.destroy_test_db(name, verbosity=0)

    def _print(self, row: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(row))
            return
        self.stdout.write(
            f"{row['forces']:>7,} forces on {row['database']}: "
            f"turn {row['turn_ms']:,.0f} ms, bare {row['bare_ms']:,.0f} ms, "
            f"ratio {row['ratio']:.2f}; {row['statements']} statements; report read {row['report_ms']:.1f} ms; "
            f"peak {row['peak_mb']:,.0f} MB"
        )
        self.stdout.flush()


def measure(count: int, turns: int) -> dict[str, Any]:
    """Return the medians of one size, times in milliseconds, memory in megabytes."""
    bare_tables_make(count)
    bare = [_timed(partial(bare_turn, number)) for number in range(1, turns + 1)]
    campaign = _campaign(count)
    times, statements = [], 0
    for number in range(1, turns + 1):
        turn = Turn.objects.get(branch=campaign.active_branch, number=number)
        _orders(turn, count, number)
        turn_lock(turn=turn, now=NOW, user=None, why="bench")
        claim = job_claim(Job.objects.filter(campaign=campaign).latest("pk").pk)
        assert claim is not None
        with CaptureQueriesContext(connection) as queries:
            times.append(_timed(partial(turn_resolve, claim)))
        statements = max(statements, len(queries))
        turn.refresh_from_db()
        if turn.status != Turn.Status.PUBLISHED:
            raise RuntimeError(f"turn {number} is {turn.status}: {turn.failure}")
    side = campaign.sides.first()
    assert side is not None
    branch = campaign.active_branch
    assert branch is not None
    reading = [_timed(lambda: report_for(side=side, branch=branch)) for _ in range(turns)]
    return {
        "forces": count,
        "database": connection.vendor,
        "turn_ms": statistics.median(times),
        "bare_ms": statistics.median(bare),
        "ratio": statistics.median(times) / statistics.median(bare),
        "statements": statements,
        "report_ms": statistics.median(reading),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _timed(work: Callable[[], Any]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def _campaign(count: int) -> Campaign:
    """Open a campaign of ``count`` one-ship forces of four sides, under referee detection."""
    gm, _ = User.objects.get_or_create(username="bench")
    sides = [{"key": f"side{number}", "name": f"Side {number}"} for number in range(SIDES)]
    forces, ships = [], []
    for number, (q, r, z, vq, vr, vz) in enumerate(scattered(count).tolist()):
        side = f"side{number % SIDES}"
        ships.append({"id": f"s{number}", "side": side, "name": f"Ship {number}", "class": "adze"})
        forces.append(
            {
                "id": f"f{number}",
                "side": side,
                "name": f"Force {number}",
                "system": "lantern",
                "at": {"q": q, "r": r, "z": z},
                "velocity": dict(from_axial(vq, vr, vz)),
                "ships": [f"s{number}"],
            }
        )
    setup = {
        "epoch": "1906-03-01T00:00",
        "sides": sides,
        "systems": [{**system_setup("lantern"), "defender": "side0"}],
        "ships": ships,
        "forces": forces,
    }
    return campaign_create(gm=gm, name=f"Bench {count}", setup=setup, now=NOW, auto_publish=True)


def _orders(turn: Turn, count: int, number: int) -> None:
    """Write the sheets of one turn straight into their rows, sealed."""
    for index, sheet in enumerate(turn.sheets.select_related("side").order_by("side__number")):
        own = range(index, count, SIDES)
        sheet.document = {
            "forces": {f"f{n}": {"thrust": {"AD"[number % 2]: 1}} for n in own if n // SIDES % THRUSTING == 0},
            "search": [
                {"ship": f"s{n}", "window": WINDOWS[number % len(WINDOWS)]} for n in own if n // SIDES % SEARCHING == 1
            ],
        }
        sheet.status = "sealed"
        sheet.nonce = "bench-nonce"
        sheet.save()
