"""Fault test 3: the whole worker is killed in the middle of a turn, and a new one ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.arena import ROOT, Arena
from tests.servers.reach import redis_server

pytestmark = pytest.mark.faults
WITHIN = 25  # seconds: a lease of ten, a beat of two, and a start of the worker on a busy machine


@contextmanager
def worker(arena: Arena, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Celery worker with its beat on an arena, in a session of its own."""
    var = arena.folder / "var"
    var.mkdir(exist_ok=True)
    with (var / "worker.log").open("ab") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "celery", "-q", "-A", "campaign.celery", "worker", "-B", "-c", "1",
             "-s", str(var / "beat"), "--without-gossip", "--without-mingle"],
            cwd=ROOT,
            env={
                **os.environ,
                "DATABASE_URL": arena.url,
                "DJANGO_SETTINGS_MODULE": "tests.faults.slow_settings",
                "FLAGBRIDGE_VAR": str(var),
                **environment,
            },
            stdout=log,
            stderr=log,
            start_new_session=True,
        )  # fmt: skip
        try:
            yield child
        finally:
            kill(child)


def kill(child: subprocess.Popen[bytes]) -> None:
    """Kill a worker with all its processes, at once."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def wait_for(arena: Arena, wanted: str, seconds: float) -> list[str]:
    """Wait until a turn has that status, and return all statuses."""
    until = time.monotonic() + seconds
    while True:
        statuses: list[str] = arena.run("hash")["statuses"]
        if wanted in statuses or time.monotonic() > until:
            return statuses
        time.sleep(0.2)


def killed_and_ended(arena: Arena, **environment: str) -> None:
    """Kill the worker while it resolves, start another, and see the turn ended once, as undisturbed."""
    arena.run("prepare", "1")
    quiet = Arena(arena.folder, "quiet").make(template=arena)
    quiet.run("deliver", "1")
    expected = quiet.run("hash")["hash"]
    quiet.drop()
    with worker(arena, SLOW_TURN="30", **environment) as first:
        assert wait_for(arena, "resolving", 30) == ["resolving"]
        kill(first)
    assert arena.run("halves") == []
    with worker(arena, **environment):
        assert wait_for(arena, "staged", WITHIN) == ["staged"]
    seen = arena.run("hash")
    assert seen["hash"] == expected
    assert seen["attempts"] == [2]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """Give an empty arena."""
    made = Arena(tmp_path).make()
    yield made
    made.drop()


def test_a_killed_worker_costs_one_lease_on_the_file_system_broker(arena: Arena) -> None:
    """The embedded default: the message is gone with the worker, the job row is not."""
    killed_and_ended(arena)


@pytest.mark.redis
def test_a_killed_worker_costs_one_lease_on_redis(arena: Arena, tmp_path: Path) -> None:
    """The same with Redis as the bell, by one setting."""
    with redis_server(tmp_path) as url:
        killed_and_ended(arena, BROKER_URL=url)
