"""The tactical level's tables."""

from tactical.models.battle import Battle

__all__ = ["Battle"]
