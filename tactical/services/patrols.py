"""Battles of patrol scenarios as jobs: fought by captains, then everything is laid open."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from django.utils import timezone

from campaign.engine.errors import ProblemsError
from campaign.models import PatrolScenario
from campaign.selectors.patrol import patrol_library, patrol_state
from campaign.services.jobs import JobRefusedError
from campaign.services.patrol import patrol_fought
from campaign.services.refusals import StaleError
from tactical.rules.registry import PATROL_BATTLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from campaign.services.jobs import Claim


def battle_seed(row_seeds: Mapping[str, str], token: str) -> str:
    """Return the seed of a scenario's battle, out of the umpire's: committed to before anything was bought."""
    return hmac.digest(bytes.fromhex(row_seeds["umpire"]), f"battle {token}".encode(), "sha256").hex()


def patrol_fight(claim: Claim) -> None:
    """The handler of the job: fight the scenario's battle and lay everything open."""
    row = PatrolScenario.objects.get(pk=claim.arguments["patrol"])
    if row.revealed_at is not None:
        raise JobRefusedError("The scenario was settled meanwhile.")
    scenario, library = patrol_state(row), patrol_library(row)
    try:
        seed = battle_seed(row.seeds, row.token)
        state, watched = PATROL_BATTLES.fight(scenario, library, seed, claim.progress)
        facts = PATROL_BATTLES.facts(scenario, state)
        accounts = PATROL_BATTLES.accounts(scenario, watched)
        patrol_fought(row=row, facts=facts, accounts=accounts, claim=claim, now=timezone.now())
    except (StaleError, ProblemsError) as error:
        raise JobRefusedError(str(error)) from error
