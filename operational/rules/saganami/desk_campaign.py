"""The campaign's part of the rules desk: officers, miracles, patrols, options and victory (D1 to D4, C8.1)."""

from __future__ import annotations

from campaign.engine.procedure import Procedure
from operational.rules.saganami import desk_grades, desk_miracles, desk_options, desk_patrol, desk_victory

PROCEDURES: tuple[Procedure, ...] = (
    *desk_grades.PROCEDURES,
    *desk_miracles.PROCEDURES,
    *desk_options.PROCEDURES,
    *desk_patrol.PROCEDURES,
    *desk_victory.PROCEDURES,
)
