"""The embedded worker: a Celery worker with its beat as a child of the command that needs it.

The child sits in a session of its own and ends with its parent (PR_SET_PDEATHSIG on Linux). It is
given a moment to stop and then killed with its group; the jobs' leases make that harmless.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from campaign.services.jobs import queue_folders_make

if TYPE_CHECKING:
    from collections.abc import Iterator

PR_SET_PDEATHSIG = 1
PATIENCE = 1.5  # seconds; a worker takes 2.5 to 6.5 s to stop by itself, with every broker


class WorkerStartError(RuntimeError):
    """The worker ended at once; its own words are in the log file that the message names."""


@contextmanager
def worker_running() -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker with its beat while the block runs; its output goes to var/worker.log."""
    var = Path(settings.VAR)
    var.mkdir(parents=True, exist_ok=True)
    queue_folders_make()
    log = var / "worker.log"
    command = [
        sys.executable,
        "-W",
        "ignore:You're running the worker",
        "-m",
        "celery",
        "-q",
        "-A",
        "campaign.celery",
        "worker",
        "-B",
        "-s",
        str(var / "beat-schedule"),
        "-c",
        "1",
        "--without-gossip",
        "--without-mingle",
        "--loglevel",
        "WARNING",
    ]
    with log.open("ab") as output:
        child = subprocess.Popen(
            command,
            cwd=settings.ROOT,
            env={**os.environ},
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )
        try:
            yield child
        finally:
            _stop(child)


def worker_check(child: subprocess.Popen[bytes]) -> None:
    """Raise WorkerStartError if the worker has ended: a wait for it would never end."""
    if child.poll() is not None:
        raise WorkerStartError(f"The worker ended with status {child.returncode}; see {settings.VAR}/worker.log.")


def _end_with_parent() -> None:
    ctypes.CDLL("libc.so.6", use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _stop(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        child.terminate()
        with suppress(subprocess.TimeoutExpired):
            child.wait(PATIENCE)
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
