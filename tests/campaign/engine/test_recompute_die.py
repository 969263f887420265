"""The stand-alone script in docs recomputes any die of a campaign."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from campaign.engine.dice import TurnDice, turn_keys


def script() -> ModuleType:
    """Load the script as a module."""
    path = Path(__file__).resolve().parents[3] / "docs" / "recompute_die.py"
    spec = importlib.util.spec_from_file_location("recompute_die", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_script_shows_the_faces_that_the_engine_rolled() -> None:
    """Both streams, several dice, a die of another size."""
    seeds = {"red": "11" * 32, "blue": "22" * 32, "umpire": "33" * 32}
    nonces = {"red": "a nonce of red"}
    dice = TurnDice(turn_keys(seeds, nonces), ("token", 1, 7))
    own = dice.open("red", "arrivals", "force", "scatter")
    umpire = dice.umpire("detection", "ship", "search")
    faces = [own.die() for _ in range(40)]
    others = [umpire.die(52) for _ in range(40)]
    mine, its = dice.rolls()
    assert script().faces(seeds["red"], {"red": "a nonce of red"}, list(mine.address), 40) == faces
    mixed = {"red": "a nonce of red", "blue": "late"}
    assert script().faces(seeds["umpire"], mixed, list(its.address), 40, 52) == others
