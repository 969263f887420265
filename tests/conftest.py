"""Shared by every test."""

import os

from hypothesis import settings

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # playwright keeps an event loop

# Property tests draw the same examples everywhere, and a slow machine is no failure.
settings.register_profile("flag-bridge", derandomize=True, database=None, deadline=None)
settings.load_profile("flag-bridge")
