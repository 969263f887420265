"""A POST that comes with a key has its effect once, however often it is sent.

The key's row is the first write of the transaction that has the effect, so that both stand or neither
does; the first answer is kept with it, and given again byte for byte for a day.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.core.cache import cache
from django.db import IntegrityError, transaction

from campaign.engine.dice import canonical
from campaign.engine.errors import Problem, ProblemsError
from campaign.models import IdempotencyKey
from campaign.services.refusals import ShapeError, stale

if TYPE_CHECKING:
    from django.contrib.auth.models import User

KEPT: Final = timedelta(hours=24)
LONGEST: Final = 120
IN_FLIGHT: Final = 60  # seconds after which a request that never ended no longer counts as under way


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it went out: status and body. ``again`` tells that it was given before."""

    status: int
    body: str
    again: bool = False


def request_digest(path: str, document: Any) -> str:
    """Return what tells two requests of one key apart: where they went and what they said."""
    return hashlib.sha256(canonical([path, document]).encode()).hexdigest()


def answered_once(*, user: User, key: str, digest: str, now: datetime, answer: Callable[[], Given]) -> Given:
    """Return the answer given to this key before, or have it answered and keep the answer with the effect.

    ``answer`` turns its own refusals into answers and leaves nothing half done. Raises ShapeError for
    a key that is none, ProblemsError (422) for one that came with another request, StaleError (409)
    while the first request is still under way.
    """
    if not 1 <= len(key) <= LONGEST or not (key.isascii() and key.isprintable()):
        message = f"An Idempotency-Key is 1 to {LONGEST} printable ASCII characters."
        raise ShapeError([Problem("", "bad-idempotency-key", message)])
    known = _known(user, key, digest)
    if known is not None:
        return known
    mark = f"idempotency-{user.pk}-{hashlib.sha256(key.encode()).hexdigest()}"
    if not cache.add(mark, 1, IN_FLIGHT):
        raise stale("in-flight", "The first request with this Idempotency-Key is still under way.")
    try:
        return _first(user, key, digest, now, answer)
    finally:
        cache.delete(mark)


def _first(user: User, key: str, digest: str, now: datetime, answer: Callable[[], Given]) -> Given:
    with transaction.atomic():
        try:
            with transaction.atomic():
                row = IdempotencyKey.objects.create(user=user, key=key, request_digest=digest, created_at=now)
        except IntegrityError:  # another process was faster, and has committed by now
            known = _known(user, key, digest)
            if known is None:
                raise
            return known
        given = answer()
        row.status, row.body = given.status, given.body
        row.save(update_fields=["status", "body"])
        return given


def _known(user: User, key: str, digest: str) -> Given | None:
    row = IdempotencyKey.objects.filter(user=user, key=key).first()
    if row is None:
        return None
    if row.request_digest != digest:
        message = "This Idempotency-Key came before with another request."
        raise ProblemsError([Problem("", "idempotency-key-reused", message)])
    return Given(row.status, row.body, again=True)


def idempotency_keys_drop(*, now: datetime) -> int:
    """Forget the keys that are older than a day; return how many."""
    dropped, _ = IdempotencyKey.objects.filter(created_at__lt=now - KEPT).delete()
    return dropped
