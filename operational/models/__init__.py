"""The operational level's tables."""

from operational.models.force import Force

__all__ = ["Force"]
