"""Opening a campaign: its sides, its start as snapshot of turn 0, its first turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from campaign.engine.dice import commitment
from campaign.engine.errors import Problem, ProblemsError, pointer
from campaign.models import Branch, Campaign, Seat, ShipClass, Side, SideReport, Snapshot
from campaign.selectors.archive import digest, pack
from campaign.selectors.rulesets import operational_rulesets, ruleset_key, tactical_key
from campaign.services.audit import audit_add
from campaign.services.projection import projection_write
from campaign.services.tokens import new_seed, new_token
from campaign.services.turns import turn_open

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.contrib.auth.models import User

    from campaign.engine.ruleset import OperationalRuleset

CAMPAIGN_FIELDS = ("ruleset", "tactical", "name", "story", "class_keys", "demo")
SIDE_FIELDS = ("computer", "doctrine", "story")
NAME_LENGTH, SIDE_NAME_LENGTH, SIDE_KEY_LENGTH, KEY_LENGTH = 80, 60, 24, 40
SIDES_AT_MOST = 5  # side shapes 1 to 5; 6 stands for "side not known"


def campaign_create(*, gm: User, name: str, setup: Mapping[str, Any], now: datetime, **manners: Any) -> Campaign:
    """Open a campaign from a setup document.

    ``setup`` holds "ruleset" (key), "epoch" (PD instant), "rulings", "sides" (list of {"key", "name",
    "computer", "doctrine"}) and whatever the ruleset's ``new_state`` asks for; ship classes named in
    it are taken from the library. ``manners`` are Campaign fields (turn_hours, auto_publish, ...).
    Raises ProblemsError with everything that is wrong; nothing is half made.
    """
    if not name.strip() or len(name) > NAME_LENGTH:
        message = f"A campaign needs a name of at most {NAME_LENGTH} characters."
        raise ProblemsError([Problem("/name", "bad-name", message)])
    key = ruleset_key(setup)
    ruleset = operational_rulesets().get(key)
    if ruleset is None:
        raise ProblemsError([Problem("/ruleset", "unknown-ruleset", f"There is no operational ruleset {key}.")])
    sides = _sides(setup, ruleset.doctrines)
    _check_form(setup, ruleset)
    state = ruleset.new_state(_for_ruleset(setup, key))
    body, state_digest = pack(ruleset.dump_state(state))
    reports = {side["key"]: pack(ruleset.view_for(state, side["key"])) for side in sides}
    with transaction.atomic():
        seed = new_seed()
        campaign = Campaign.objects.create(
            token=new_token(),
            name=name.strip(),
            ruleset_key=key,
            ruleset_edition=ruleset.edition,
            ruleset_schema=ruleset.schema,
            tactical_key=str(tactical_key(setup, ruleset)),
            epoch=str(setup["epoch"]),
            rulings=dict(setup.get("rulings", {})),
            calendar_seed=seed,
            calendar_commitment=commitment(seed),
            created_at=now,
            **manners,
        )
        branch = Branch.objects.create(campaign=campaign, number=1, created_at=now)
        campaign.active_branch = branch
        campaign.save(update_fields=["active_branch"])
        rows = {
            side["key"]: Side.objects.create(
                campaign=campaign,
                key=side["key"],
                name=side["name"],
                number=number,
                is_computer=bool(side.get("computer")),
                doctrine=side.get("doctrine") or next(iter(ruleset.doctrines)),
            )
            for number, side in enumerate(sides, start=1)
        }
        Seat.objects.create(campaign=campaign, user=gm, role=Seat.Role.GM, created_at=now)
        nothing, _ = pack([])
        Snapshot.objects.create(
            campaign=campaign, branch=branch, turn=0, state=body, state_digest=state_digest,
            rolls=nothing, engagements=nothing, answer_digest=digest({"state": state_digest}), created_at=now,
        )  # fmt: skip
        for side_key, (report, report_digest) in reports.items():
            SideReport.objects.create(campaign=campaign, branch=branch, turn=0, side=rows[side_key], body=report,
                                      digest=report_digest, published_at=now)  # fmt: skip
        projection_write(campaign=campaign, projection=ruleset.projection(state))
        turn_open(branch=branch, number=1, now=now)
        audit_add(campaign=campaign, now=now, user=gm, role="gm", act="campaign-create", after=state_digest)
    return campaign


def _check_form(setup: Mapping[str, Any], ruleset: OperationalRuleset) -> None:
    """Raise every problem of what a setup says beside its sides and the ruleset's own part."""
    problems = []
    keys = setup.get("class_keys", [])
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        problems.append(Problem("/class_keys", "not-keys", "The class keys are a list of texts."))
    if not isinstance(setup.get("classes", {}), dict):
        problems.append(Problem("/classes", "not-an-object", "Classes are an object of stat blocks by key."))
    tactical, conversions = tactical_key(setup, ruleset), ruleset.conversions
    if not isinstance(tactical, str) or (conversions and tactical not in conversions) or len(tactical) > KEY_LENGTH:
        message = f"There is no hand-off from this ruleset to {str(tactical)[:KEY_LENGTH]}."
        problems.append(Problem("/tactical", "unknown-ruleset", message))
    if problems:
        raise ProblemsError(problems)


def library_blocks(setup: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the library's stat blocks of the classes a setup's ships name, by class key."""
    ships = setup.get("ships", [])
    named = {str(ship.get("class")) for ship in ships if isinstance(ship, dict)} if isinstance(ships, list) else set()
    wanted = set(setup.get("class_keys", [])) | named
    rows = ShipClass.objects.filter(key__in=wanted).order_by("key")
    return {row.key: row.stat_blocks[key] for row in rows if key in row.stat_blocks}


def _for_ruleset(setup: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the part of a setup that is the ruleset's, with the stat blocks of the classes it names."""
    document = {name: value for name, value in setup.items() if name not in CAMPAIGN_FIELDS}
    document["sides"] = [
        {name: value for name, value in side.items() if name not in SIDE_FIELDS} for side in setup["sides"]
    ]
    document["classes"] = {**library_blocks(setup, key), **setup.get("classes", {})}
    return document


def _sides(setup: Mapping[str, Any], doctrines: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the setup's sides, or raise every problem of them."""
    sides = setup.get("sides")
    if not isinstance(sides, list) or not 2 <= len(sides) <= SIDES_AT_MOST:
        raise ProblemsError([Problem("/sides", "bad-sides", f"A campaign has two to {SIDES_AT_MOST} sides.")])
    problems = []
    seen: set[str] = set()
    for number, side in enumerate(sides):
        place = pointer("sides", number)
        if not isinstance(side, dict) or not _is_key(side.get("key")) or not _is_side_name(side.get("name")):
            message = f"A side needs a key (letters, digits, _) and a name of at most {SIDE_NAME_LENGTH} characters."
            problems.append(Problem(place, "bad-side", message))
            continue
        if side["key"] in seen or side["key"] == "umpire":
            problems.append(Problem(place + "/key", "key-taken", f"The key {side['key']} is taken."))
        seen.add(side["key"])
        if side.get("doctrine") and str(side["doctrine"]) not in doctrines:
            known = ", ".join(sorted(doctrines))
            problems.append(Problem(place + "/doctrine", "unknown-doctrine", f"Known doctrines: {known}."))
    if problems:
        raise ProblemsError(problems)
    return sides


def _is_key(key: Any) -> bool:
    return isinstance(key, str) and key.isascii() and key.isidentifier() and len(key) <= SIDE_KEY_LENGTH


def _is_side_name(name: Any) -> bool:
    return isinstance(name, str) and len(name.strip()) > 0 and len(name) <= SIDE_NAME_LENGTH
