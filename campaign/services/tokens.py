"""Secrets and outward ids made by the server: random tokens that tell nothing."""

from __future__ import annotations

import hashlib
import secrets

_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"  # no l, o, 0, 1: tokens are read aloud at tables


def new_token(length: int = 12) -> str:
    """Return an outward id (5 bits a letter)."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def new_seed() -> str:
    """Return a secret seed of 256 bits as hex."""
    return secrets.token_hex(32)


def new_secret() -> str:
    """Return a secret for a link (256 bits, URL-safe)."""
    return secrets.token_urlsafe(32)


def secret_digest(secret: str) -> str:
    """Return what is stored of a link's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
