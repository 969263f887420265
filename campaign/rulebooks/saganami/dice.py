"""Saganami's ways to read its ten-sided dice (A1.2): the engine has them all, here they get their rule numbers."""

from campaign.engine.dice import TypedDice, d10_difference, d10_sum, shift_column, three_d10
from campaign.rulebooks.saganami.source import rule

rule("A1.21", "A1.211")(TypedDice)
rule("A1.21", "A1.212")(d10_difference)
rule("A1.21", "A1.213")(d10_sum)
rule("A1.21", "A1.214", "A1.215", "A1.216")(three_d10)
rule("A1.23")(shift_column)
