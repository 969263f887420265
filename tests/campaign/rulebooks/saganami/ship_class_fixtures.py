"""The ship classes of the fixtures, for the tests of this folder."""

from pathlib import Path
from typing import Any

from campaign.rulebooks.saganami.ship_class import ShipClass, load_toml, read_toml

ROOT = Path(__file__).resolve().parents[4]
CLASSES = sorted((ROOT / "fixtures" / "ship_classes" / "saganami").glob("*.toml"))
SYSTEMS = sorted((ROOT / "fixtures" / "systems").glob("*.toml"))


def document(key: str) -> dict[str, Any]:
    """Return a fresh document of a class of the fixtures."""
    return read_toml((ROOT / "fixtures" / "ship_classes" / "saganami" / f"{key}.toml").read_text("utf-8"))


def ship_class(key: str) -> ShipClass:
    """Return a class of the fixtures."""
    return load_toml((ROOT / "fixtures" / "ship_classes" / "saganami" / f"{key}.toml").read_text("utf-8"))
