"""A real server with its worker, and Debian's Chromium to look at it.

Without playwright or Chromium these tests skip and say why; with FLAGBRIDGE_CI=1 they fail instead.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from tests.browser.world import PASSWORD

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START = 60.0  # seconds a server may take to answer, on a busy machine
SLOW = 20_000  # milliseconds to wait for anything on a page
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


def _missing(what: str) -> None:
    if os.environ.get("FLAGBRIDGE_CI") == "1":
        pytest.fail(f"{what}, and this is continuous integration")
    pytest.skip(what)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, once for all tests."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright is not installed")
    if not CHROMIUM:
        _missing("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass(frozen=True)
class Site:
    """A running site: its address and its campaign's token."""

    address: str
    campaign: str

    def url(self, path: str = "") -> str:
        """Return the address of a page of the campaign."""
        return f"{self.address}/c/{self.campaign}/{path}"


@pytest.fixture(scope="module")
def site(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of its own for each file of tests: fresh folder, free port, worker included."""
    var = tmp_path_factory.mktemp("var")
    root = Path(settings.ROOT)
    environment = {
        **{key: value for key, value in os.environ.items() if key != "DATABASE_URL"},
        "FLAGBRIDGE_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "campaign.settings.local",
    }
    made = subprocess.run(
        [sys.executable, "-m", "tests.browser.world"], cwd=root, env=environment, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (var / "serve.log").open("wb")
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port)],
        cwd=root,
        env=environment,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(address + "/login/", server, var / "serve.log")
        yield Site(address, made.stdout.strip().splitlines()[-1])
    finally:
        with suppress(ProcessLookupError):  # it ended by itself: its log says why
            os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
        log.close()


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START
    while time.monotonic() < until:
        assert server.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.2)
    pytest.fail(f"the server did not answer in {START} s: {log.read_text()}")


class People:
    """Opens a browser window for a person, signed in."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self._browser = browser
        self._site = site
        self._contexts: list[BrowserContext] = []

    def page(self, name: str = "", *, phone: bool = False, dark: bool = False, script: bool = True) -> Page:
        """Return a new page of a person, or of nobody; its console errors fail the test."""
        context = self._browser.new_context(
            viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            has_touch=phone,
        )
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(SLOW)
        self.errors: list[str] = getattr(self, "errors", [])
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self._note(message.type, message.text))
        if name:
            page.goto(self._site.address + "/login/")
            page.fill("#id_username", name)
            page.fill("#id_password", PASSWORD)
            page.get_by_role("main").get_by_role("button", name="Sign in").click()
            page.wait_for_url(self._site.address + "/")
        return page

    def _note(self, kind: str, text: str) -> None:
        # a refused form answers 4xx, which Chromium calls an error; only the policy's and scripts' are ours
        if kind == "error" and "Failed to load resource" not in text:
            self.errors.append(text)

    def close(self) -> None:
        """Close every window."""
        for context in self._contexts:
            context.close()


@pytest.fixture
def people(chromium: Browser, site: Site) -> Iterator[People]:
    """Windows of people, closed after the test; any error in a console fails it."""
    opened = People(chromium, site)
    opened.errors = []
    yield opened
    opened.close()
    assert opened.errors == []
