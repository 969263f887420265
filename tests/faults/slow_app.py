"""An app of the tests: it slows a turn down, on its way from the phases to the ledger."""

from __future__ import annotations

import os
import time
from typing import Any

from django.apps import AppConfig


class SlowConfig(AppConfig):
    """Sleep inside every turn for SLOW_TURN seconds."""

    name = "tests.faults"
    label = "slow"

    def ready(self) -> None:
        """Wrap the engine's resolve."""
        seconds = float(os.environ.get("SLOW_TURN", "0"))
        if not seconds:
            return
        from campaign.services import resolution

        real = resolution.resolve

        def slow(*arguments: Any) -> Any:
            answer = real(*arguments)
            time.sleep(seconds)
            return answer

        resolution.resolve = slow
