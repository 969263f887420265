"""Finding, or starting, the servers that some tests need; elsewhere those tests skip and say why.

With FLAGBRIDGE_CI=1 a server that cannot be reached is a failure.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

import psycopg
import pytest
import redis

LOCAL = "postgres://postgres@127.0.0.1:5432/postgres"


def missing(what: str) -> NoReturn:
    """Skip the test, or fail it where everything must run."""
    if os.environ.get("FLAGBRIDGE_CI") == "1":
        pytest.fail(f"{what}, and FLAGBRIDGE_CI=1 asks for it")
    pytest.skip(what)


def free_port() -> int:
    """Return a port of the loopback interface that nobody listens on."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """Give the URL of a PostgreSQL server: POSTGRESQL_URL, the local one, or a temporary cluster."""
    for url in filter(None, [os.environ.get("POSTGRESQL_URL"), LOCAL]):
        try:
            psycopg.connect(url, connect_timeout=3).close()
        except psycopg.OperationalError:
            continue
        yield url
        return
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not programs:
        missing("no PostgreSQL server answers and none is installed")
    binaries, data, port = programs[-1].parent, folder / "cluster", free_port()
    folder.chmod(0o755)
    data.mkdir()
    prefix: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(data, "postgres")
        prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    run = [*prefix, str(binaries / "initdb"), "-D", str(data), "-A", "trust", "-U", "postgres", "--no-sync"]
    subprocess.run(run, check=True, capture_output=True, cwd="/")
    options = f"-p {port} -h 127.0.0.1 -k {data} -F"
    control = [*prefix, str(binaries / "pg_ctl"), "-D", str(data)]
    subprocess.run(
        [*control, "-w", "-o", options, "-l", str(data / "log"), "start"], check=True, capture_output=True, cwd="/"
    )
    try:
        yield f"postgres://postgres@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=True, capture_output=True, cwd="/")


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Give the URL of a Redis server of our own, started for the test (or REDIS_URL)."""
    given = os.environ.get("REDIS_URL")
    if given:
        yield given
        return
    program = shutil.which("redis-server")
    if program is None:
        missing("redis-server is not installed")
    port = free_port()
    child = subprocess.Popen(
        [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)],
        stdout=subprocess.DEVNULL,
    )
    try:
        client = redis.Redis(port=port, socket_connect_timeout=5)
        for _ in range(100):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                child.poll()
                if child.returncode is not None:
                    missing("redis-server does not start")
                import time

                time.sleep(0.05)
        client.close()
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        child.terminate()
        child.wait()
