"""The conventions of A1.2: which of the engine's dice and columns they are, and probable kills as text."""

from __future__ import annotations

import re
from fractions import Fraction

from campaign.engine.dice import d10_difference, d10_sum, shift_column, three_d10
from campaign.engine.errors import refuse
from campaign.rulebooks.saganami.source import rule

# The engine's dice are nobody's rules; here they become the rulebook's.
rule("A1.21", "A1.212")(d10_difference)
rule("A1.213")(d10_sum)
rule("A1.214", "A1.215", "A1.216")(three_d10)
rule("A1.22", "A1.23")(shift_column)

_KILLS = re.compile(r"([0-9]{1,4})(?: ([12])/3)?|([12])/3")


@rule("A2.633", "C4.131")
def read_kills(value: int | str, at: str) -> Fraction:
    """Return probable kills from a number or a text such as "4", "2/3" or "14 2/3".

    Raises ``ProblemsError`` (not-thirds); ``at`` is the JSON Pointer of the value.
    """
    found = _KILLS.fullmatch(str(value))
    if found is None:
        message = f"{value!r} is no number of probable kills; they are written 4, 2/3 or 14 2/3."
        raise refuse("not-thirds", message, place=at, rule="C4.131")
    return Fraction(int(found[1] or 0)) + Fraction(int(found[2] or found[3] or 0), 3)


def format_kills(kills: Fraction) -> int | str:
    """Return probable kills as the sheet prints them: a whole number, or text with thirds."""
    whole, third = divmod(kills, 1)
    if not third:
        return int(whole)
    return f"{whole} {third}" if whole else str(third)
