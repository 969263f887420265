"""Missiles on the operational scale (B5.15)."""

from __future__ import annotations

import pytest

from campaign.engine.errors import ProblemsError
from campaign.services.rules_desk import desk_answer
from operational.rules.saganami import weapons


@pytest.mark.rule("B5.15")
@pytest.mark.parametrize(
    ("drives", "salvo", "hexes", "tactical"),
    [(3, "maximum", 28, 284), (3, "early", 6, 63), (2, "maximum", 13, 128), (2, "early", 3, 28), (1, "early", 0, 6)],
)
def test_missile_ranges_are_the_printed_ones(drives: int, salvo: str, hexes: int, tactical: int) -> None:
    """B5.15: the last row prints 0, which no rounding of 6 gives."""
    assert weapons.missile_range(drives, salvo) == (hexes, tactical)
    assert weapons.is_in_missile_range(drives, salvo, hexes)
    assert not weapons.is_in_missile_range(drives, salvo, hexes + 1)


@pytest.mark.rule("B5.15")
def test_a_missile_with_four_drives_is_unknown() -> None:
    """B5.15: one to three drives."""
    with pytest.raises(ProblemsError, match="drives"):
        weapons.missile_range(4, "maximum")


@pytest.mark.rule("B5.152")
@pytest.mark.parametrize(("hexes", "mql"), [(0, 6), (3, 6), (4, 8), (13, 26)])
def test_every_hex_past_three_costs_two_levels_of_quality(hexes: int, mql: int) -> None:
    """B5.152: no loss up to three hexes."""
    assert weapons.operational_mql(6, hexes) == mql


@pytest.mark.rule("B5.15")
def test_the_desk_tells_whether_a_target_is_in_range() -> None:
    """B5.15: asked with and without a range."""
    document = {"drives": 2, "salvo": "maximum", "op_range": 14}
    reply = desk_answer(ruleset="operational/saganami", procedure="weapons.missile-range", document=document)
    assert reply["result"] == {"op_hexes": 13, "tactical_hexes": 128, "in_range": False}
    del document["op_range"]
    reply = desk_answer(ruleset="operational/saganami", procedure="weapons.missile-range", document=document)
    assert reply["result"]["in_range"] is None
