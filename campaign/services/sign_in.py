"""Who somebody is, by name and password, with a limit for those who guess.

Failures are counted in the cache for a quarter of an hour: few for one name from one address, more
for an address, so that nobody can lock another person out from elsewhere, and more still for a name.
"""

from __future__ import annotations

import hashlib
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from django.contrib.auth import authenticate
from django.core.cache import cache

from campaign.services.refusals import too_many

if TYPE_CHECKING:
    from django.contrib.auth.models import User

WINDOW: Final = 15 * 60  # seconds
MOST_OF_NAME_AND_ADDRESS: Final = 10
MOST_OF_ADDRESS: Final = 60
MOST_OF_NAME: Final = 200

log = logging.getLogger(__name__)


def person_recognise(*, username: str, password: str, address: str) -> User | None:
    """Return the person, or None for a wrong name or password; TooManyError (429) after too many of those."""
    limits = (
        (_mark("both", username, address), MOST_OF_NAME_AND_ADDRESS),
        (_mark("address", address), MOST_OF_ADDRESS),
        (_mark("name", username), MOST_OF_NAME),
    )
    if any(cache.get(mark, 0) >= most for mark, most in limits):
        log.warning("sign-in held back: %r from %s", username, address)
        raise too_many("Too many failed sign-ins. Wait a quarter of an hour.")
    user = authenticate(username=username, password=password)
    if user is None:
        log.warning("sign-in refused: %r from %s", username, address)
        for mark, _ in limits:
            if not cache.add(mark, 1, WINDOW):
                with suppress(ValueError):  # it ran out just now
                    cache.incr(mark)
        return None
    cache.delete(limits[0][0])
    return user


def _mark(kind: str, *parts: str) -> str:
    return f"sign-in-{kind}-" + hashlib.sha256("\n".join(parts).encode()).hexdigest()
