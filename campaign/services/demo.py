"""The demo: a campaign of the fixtures played through the real worker to its first engagement and past it.

It gives orders as players would, by their sheets; where the fixture has none, a side's captain writes
the sheet from the side's own report.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.utils import timezone

from campaign.engine.handoff import blank_report
from campaign.models import Campaign, Engagement, Event, Job, Seat, Side, Turn
from campaign.selectors.archive import unpack
from campaign.selectors.reports import report_for
from campaign.selectors.rulesets import ruleset_of
from campaign.services.campaigns import campaign_create
from campaign.services.engagements import bid_file, report_file, revealed_rounds, sides_of
from campaign.services.fixtures import campaign_setup
from campaign.services.jobs import job_execute
from campaign.services.orders import order_sheet_save, order_sheet_seal, sheet_for
from campaign.services.resolution import turn_publish
from campaign.services.tokens import new_token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from campaign.engine.ruleset import OperationalRuleset

MOST_TURNS = 30
PATIENCE = 60  # seconds a turn may take before the demo says that its worker is stuck

Say = Callable[[str], None]
Wait = Callable[[], None]


class DemoStuckError(RuntimeError):
    """The demo cannot go on; its text says why."""


@dataclass(frozen=True, slots=True)
class LogIn:
    """A person of the demo, with the password made for this run."""

    role: str
    username: str
    password: str


def people_make(setup: Mapping[str, Any]) -> list[LogIn]:
    """Make (or give new passwords to) the demo's GM and one player a side."""
    wanted = [("GM", "gm"), *((side["name"], side["key"]) for side in setup["sides"])]
    log_ins = []
    for role, username in wanted:
        password = new_token(16)
        user, _ = User.objects.get_or_create(username=username)
        user.set_password(password)
        user.save()
        log_ins.append(LogIn(role, username, password))
    return log_ins


def demo_open(name: str) -> tuple[Campaign, dict[str, Any], list[LogIn]]:
    """Open the demo campaign; return it with its script and its log-ins."""
    setup = campaign_setup(name)
    log_ins = people_make(setup)
    now = timezone.now()
    campaign = campaign_create(gm=User.objects.get(username="gm"), name=setup["name"], setup=setup, now=now)
    for side in campaign.sides.all():
        user = User.objects.get(username=side.key)
        Seat.objects.create(campaign=campaign, user=user, side=side, role=Seat.Role.COMMANDER, created_at=now)
    return campaign, setup.get("demo", {}), log_ins


def demo_play(campaign: Campaign, script: Mapping[str, Any], *, say: Say, wait: Wait | None = None) -> Engagement:
    """Play to the first engagement, fight it on paper, and play one turn more; return the engagement.

    ``wait`` is called while the worker works; without it the jobs are done in this process.
    """
    engagement = None
    number = 0
    while engagement is None:
        number += 1
        if number > MOST_TURNS:
            raise DemoStuckError(f"Nobody met in {MOST_TURNS} turns.")
        demo_turn(campaign, script, number, say=say, wait=wait)
        engagement = Engagement.objects.filter(branch=campaign.active_branch).first()
    say("")
    demo_battle(engagement, script, say=say)
    demo_turn(campaign, script, number + 1, say=say, wait=wait)
    return engagement


def demo_turn(
    campaign: Campaign, script: Mapping[str, Any], number: int, *, say: Say, wait: Wait | None = None
) -> Turn:
    """Give every side's orders for a turn, let it be resolved, publish it and say what happened."""
    for side in campaign.sides.filter(is_computer=False):
        sheet = sheet_for(side=side, turn_number=number)
        user = User.objects.get(username=side.key)
        document = _sheet(campaign, side, script, number)
        sheet = order_sheet_save(
            side=side, turn_number=number, version=sheet.version, document=document, user=user, now=timezone.now()
        )
        order_sheet_seal(
            side=side, turn_number=number, version=sheet.version, nonce=new_token(24), user=user, now=timezone.now()
        )
    turn = Turn.objects.get(branch=campaign.active_branch, number=number)
    for line in _resolved(turn, wait):
        say(line)
    turn.refresh_from_db()
    if turn.status == Turn.Status.FAILED:
        raise DemoStuckError(f"Turn {number} failed: {turn.failure}")
    if turn.status == Turn.Status.STAGED:
        turn = turn_publish(turn=turn, user=User.objects.get(username="gm"), now=timezone.now())
    for event in Event.objects.filter(branch=turn.branch, turn=number).order_by("number"):
        rules = ", ".join(unpack_rules(event.rules))
        say(f"    {event.text}{f'  [{rules}]' if rules else ''}")
    return turn


def demo_battle(engagement: Engagement, script: Mapping[str, Any], *, say: Say) -> None:
    """Bid for every side as its captain would, set the engagement, and type the fixture's result."""
    ruleset = ruleset_of(engagement.campaign)
    document = unpack(engagement.document)
    say("The engagement:")
    rounds = ruleset.bidding_rounds(document)
    for side in sides_of(engagement):
        mine = [one["round"] for one in rounds if side.key in one["sides"]]
        bids = ruleset.captain_bids(document, side.key, side.doctrine)
        for round_number, bid in zip(mine, bids, strict=True):
            bid_file(engagement=engagement, side=side, round_number=round_number, bid=bid,
                     user=User.objects.get(username=side.key), now=timezone.now())  # fmt: skip
    engagement.refresh_from_db()
    for round_number, revealed in sorted(revealed_rounds(engagement).items()):
        shown = "; ".join(f"{key} bids {_text(bid)}" for key, bid in sorted(revealed.items()))
        say(f"    round {round_number}: {shown}{_ruled(ruleset, 'bids')}")
    settled = unpack(engagement.settled or engagement.document)
    setting = settled["setting"]
    limit = setting["time_limit"]
    ends = "no time limit" if limit is None else f"{limit} turns to the limit"
    say(f"    set at range {setting['range']}, the map moving at {_text(setting['frame'])}, {ends}"
        f"{_ruled(ruleset, 'engagement-set')}")  # fmt: skip
    report = report_file(
        engagement=engagement,
        side=None,
        document=_result(settled, script.get("result", {})),
        user=User.objects.get(username="gm"),
        now=timezone.now(),
    )
    engagement.refresh_from_db()
    score = engagement.score or {}
    say(f"    the result stands ({report.status}): {score.get('text', '')}{_ruled(ruleset, 'result-stands')}")


def _ruled(ruleset: OperationalRuleset, key: str) -> str:
    """Return the rules behind one of a ruleset's sayings, as a line ends with them."""
    said = ruleset.sayings.get(key)
    return f"  [{', '.join(said.rules)}]" if said is not None and said.rules else ""


def unpack_rules(text: str) -> list[str]:
    """Return the rule keys of an event's row."""
    import json

    keys: list[str] = json.loads(text)
    return keys


def _sheet(campaign: Campaign, side: Side, script: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return the script's sheet of a turn, else the captain's."""
    for sheet in script.get("sheets", ()):
        if sheet["turn"] == number and sheet["side"] == side.key:
            return {name: value for name, value in sheet.items() if name not in ("turn", "side")}
    branch = campaign.active_branch
    assert branch is not None
    report = report_for(side=side, branch=branch)
    assert report is not None
    return ruleset_of(campaign).captain(report, side.doctrine)


def _resolved(turn: Turn, wait: Wait | None) -> Iterator[str]:
    """Wait until the worker has done a turn's jobs; yield its progress, a line a step."""
    yield f"Turn {turn.number}"
    until = time.monotonic() + PATIENCE
    last = ""
    while True:
        job = Job.objects.filter(arguments__turn=turn.pk).order_by("-pk").first()
        if job is None:
            raise DemoStuckError(f"Turn {turn.number} was not sent to be resolved.")
        if job.state in (Job.State.DONE, Job.State.FAILED):
            yield f"    [{'#' * 12}] {job.state}"
            return
        if wait is None:
            job_execute(job.pk)
            continue
        wait()
        filled = 12 * job.done // job.total if job.total else 0
        line = f"    [{'#' * filled}{'.' * (12 - filled)}] {job.what}"
        if job.what and line != last:
            yield line
            last = line
        if time.monotonic() > until:
            raise DemoStuckError(f"The worker did not end turn {turn.number} in {PATIENCE} seconds.")
        time.sleep(0.05)


def _result(settled: Mapping[str, Any], script: Mapping[str, Any]) -> dict[str, Any]:
    """Return the battle report that the fixture's table typed, on the form of this engagement."""
    report = blank_report(settled)
    report["tactical_turns"] = script.get("tactical_turns", 1)
    report["notes"] = script.get("notes", "")
    marks = {
        ship["name"]: (ship["id"], ship)
        for side in settled["sides"].values()
        for force in side["forces"]
        for ship in force["ships"]
    }
    for typed in script.get("ships", ()):
        if typed["name"] not in marks:
            continue  # it met nobody this time
        mark, ship = marks[typed["name"]]
        result = report["ships"][mark]
        result["fate"] = typed.get("fate", "active")
        for track, lost in typed.get("boxes", {}).items():
            present = ship["boxes"].get(track)
            if present:
                result["boxes"][track] = min(present["of"], max(present.get("lost", 0), lost))
        for store, spent in typed.get("spent", {}).items():
            result["stores"][store] = max(0, ship["stores"].get(store, 0) - spent)
    return report


def _text(vectors: Mapping[str, Any]) -> str:
    parts = []
    for letter, value in vectors.items():
        parts.append(_text(value) if isinstance(value, dict) else f"{value}{letter}")
    return " ".join(parts) or "nothing"
