"""Bytes at rest: canonical UTF-8 JSON, compressed, with its SHA-256 taken before compression."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

from campaign.engine.dice import canonical


def pack(document: Any) -> tuple[bytes, str]:
    """Return a document's compressed canonical bytes and their digest."""
    plain = canonical(document).encode()
    return zlib.compress(plain, 1), hashlib.sha256(plain).hexdigest()


def unpack(stored: bytes | memoryview) -> Any:
    """Return the document of stored bytes."""
    return json.loads(zlib.decompress(bytes(stored)))


def digest(document: Any) -> str:
    """Return the SHA-256 of a document's canonical bytes."""
    return hashlib.sha256(canonical(document).encode()).hexdigest()
