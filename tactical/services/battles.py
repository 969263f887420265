"""Battles fought here: a set engagement goes in, captains fight it, the signed-for result goes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from campaign.engine.battle import battle_log
from campaign.engine.errors import ProblemsError
from campaign.models import Engagement, ShipClass
from campaign.selectors.archive import pack, unpack
from campaign.selectors.umpire import state_at
from campaign.services.engagements import engagement_way, report_file, sides_of
from campaign.services.jobs import JobRefusedError, job_enqueue
from campaign.services.refusals import StaleError, stale
from campaign.services.tokens import new_token
from tactical.models import Battle
from tactical.rules.registry import RULESETS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from campaign.engine.ruleset import TacticalRuleset
    from campaign.models import Job
    from campaign.services.jobs import Claim

FIGHT: Final = "battle-fight"
Status = Engagement.Status
FIGHTABLE: Final = (Status.SET, Status.FIGHTING)


def battle_fight_ask(
    *,
    engagement: Engagement,
    user: User | None,
    now: datetime,
    seed: str = "",
    doctrines: Mapping[str, str] | None = None,
) -> Job:
    """Have an engagement fought by captains in the background; the seed is drawn now, so that a retry is the same.

    Raises StaleError ("not-set") for an engagement that cannot be fought.
    """
    _require_set(engagement)
    return job_enqueue(
        kind=FIGHT,
        subject=f"engagement {engagement.token}",
        campaign=engagement.campaign,
        arguments={
            "engagement": engagement.pk,
            "issue": engagement.issue,
            "seed": seed or new_token(),
            "doctrines": dict(doctrines or {}),
            "user": user.pk if user is not None else None,
        },
        now=now,
    )


def engagement_way_choose(*, engagement: Engagement, way: str, user: User, now: datetime) -> Engagement:
    """Choose how a set engagement is fought; by captains, it is sent to be fought at once.

    Raises StaleError ("not-set", "no-such-ruleset") and ProblemsError for a way that there is not.
    """
    with transaction.atomic():
        if way == Engagement.Way.AUTO:
            _ruleset_of(engagement)
        engagement = engagement_way(engagement=engagement, way=way, user=user, now=now)
        if way == Engagement.Way.AUTO:
            battle_fight_ask(engagement=engagement, user=user, now=now)
    return engagement


def battle_told(engagement: Engagement) -> dict[str, Any] | None:
    """Return what the game master reads of the last battle fought here: seed, turns, why it ended, the log."""
    battle = Battle.objects.filter(engagement=engagement).last()
    if battle is None:
        return None
    return {
        "ruleset": battle.ruleset_key,
        "edition": battle.ruleset_edition,
        "seed": battle.seed,
        "doctrines": battle.doctrines,
        "turns": battle.turns,
        "ended_because": battle.ended_because.replace("-", " "),
        "log": unpack(battle.log),
    }


def battle_fight_auto(
    *,
    engagement: Engagement,
    seed: str,
    now: datetime,
    user: User | None = None,
    doctrines: Mapping[str, str] | None = None,
    claim: Claim | None = None,
) -> Battle:
    """Fight a set engagement by captains on all sides, file the result as the game master's, and keep the battle.

    ``doctrines`` name a side's captain; left out, it is the side's own where the ruleset knows it, else its first. The
    battle is worked out first; row and report are written in one transaction, under the job's ``claim``.
    Raises StaleError ("not-set", "no-such-ruleset") and ProblemsError.
    """
    _require_set(engagement)
    ruleset = _ruleset_of(engagement)
    document = unpack(engagement.settled or engagement.document)
    chosen = _doctrines(ruleset, engagement, doctrines or {})
    start = ruleset.muster(document, _classes(engagement, document))
    fought = ruleset.fight(start, chosen, seed, None if claim is None else claim.progress)
    end, end_digest = pack(ruleset.dump_state(fought.state))
    with transaction.atomic():
        if claim is not None:
            claim.fence()
        battle = Battle.objects.create(
            campaign=engagement.campaign,
            engagement=engagement,
            issue=engagement.issue,
            ruleset_key=ruleset.key,
            ruleset_edition=ruleset.edition,
            seed=seed,
            doctrines=chosen,
            start=pack(ruleset.dump_state(start))[0],
            steps=pack([step.as_document() for step in fought.steps])[0],
            end=end,
            end_digest=end_digest,
            log=pack(list(battle_log(ruleset, fought.steps)))[0],
            turns=fought.turns,
            ended_because=fought.why,
            score=ruleset.score(fought.state),
            fought_at=now,
        )
        battle.report = report_file(
            engagement=engagement, side=None, document=ruleset.report(fought.state), user=user, now=now
        )
        battle.save(update_fields=["report"])
    return battle


def battle_fight(claim: Claim) -> None:
    """The handler of the job: fight the engagement as asked, if it still stands as it was."""
    engagement = Engagement.objects.select_related("campaign", "branch").get(pk=claim.arguments["engagement"])
    if engagement.issue != claim.arguments["issue"]:
        raise JobRefusedError("The engagement was issued anew since.")
    try:
        battle_fight_auto(
            engagement=engagement,
            seed=claim.arguments["seed"],
            now=timezone.now(),
            user=User.objects.filter(pk=claim.arguments["user"]).first(),
            doctrines=claim.arguments["doctrines"],
            claim=claim,
        )
    except (StaleError, ProblemsError) as error:
        raise JobRefusedError(str(error)) from error


def _require_set(engagement: Engagement) -> None:
    if engagement.status not in FIGHTABLE:
        raise stale("not-set", f"The engagement is {engagement.status}: it cannot be fought now.")


def _ruleset_of(engagement: Engagement) -> TacticalRuleset:
    """Return the campaign's tactical ruleset; only one whose captains and loop are here can be fought."""
    key = engagement.campaign.tactical_key
    for ruleset in RULESETS:
        if ruleset.key == key:
            return ruleset
    raise stale("no-such-ruleset", f"Battles of tactical/{key} are not fought here.")


def _doctrines(ruleset: TacticalRuleset, engagement: Engagement, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return each side's doctrine: the wanted one, else its own if the ruleset knows it, else the first."""
    usual = next(iter(ruleset.doctrines))
    found = {}
    for side in sides_of(engagement):
        doctrine = wanted.get(side.key) or side.doctrine
        found[side.key] = doctrine if doctrine in ruleset.doctrines else usual
    return found


def _classes(engagement: Engagement, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sheets of the classes that were handed over: the campaign's own copies, else the library's."""
    key = engagement.campaign.tactical_key
    wanted = sorted(
        {ship["class"] for side in document["sides"].values() for force in side["forces"] for ship in force["ships"]}
    )
    roster = state_at(engagement.branch, document["issued"]).get("roster", {})
    found = {each: roster.get("classes", {})[each] for each in wanted if each in roster.get("classes", {})}
    if engagement.campaign.ruleset_key == key:
        return found
    rows = ShipClass.objects.filter(key__in=wanted).order_by("key")
    return {row.key: row.stat_blocks[key] for row in rows if key in row.stat_blocks}
