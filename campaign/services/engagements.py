"""The hand-off's own life: issue, bids, setting, reports, signatures.

An engagement never stops the theatre: all of this happens between and beside turns, and a signed
report enters the next turn's envelope. Each side reads its stored briefing only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from campaign.engine.errors import Problem, ProblemsError, stops
from campaign.engine.handoff import load_report, merge_reports
from campaign.models import BattleReport, Bid, Briefing, Engagement, Side
from campaign.selectors.archive import digest, pack, unpack
from campaign.selectors.rulesets import ruleset_of
from campaign.services.audit import audit_add
from campaign.services.feeds import feed_add
from campaign.services.refusals import ShapeError, not_there, stale

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.contrib.auth.models import User

    from campaign.engine.ruleset import OperationalRuleset
    from campaign.models import Turn

Status = Engagement.Status
BIDDABLE = [Status.OPENED, Status.BIDDING]
REPORTABLE = [Status.SET, Status.FIGHTING, Status.REPORTED]


def engagement_issue(*, turn: Turn, document: Mapping[str, Any], now: datetime) -> Engagement:
    """Write an engagement that a published turn opened, or a new issue of one that others joined.

    A new issue keeps the bids (only those who met first bid, B5.123) and refuses reports on the old
    one; a battle under way goes on. Computer sides bid at once.
    """
    body, _ = pack(document)
    fields = {"issue": document["issue"], "document": body, "digest": document["digest"], "settled": None}
    known = Engagement.objects.select_for_update().filter(branch=turn.branch, token=document["id"]).first()
    if known is None:
        engagement = Engagement.objects.create(
            campaign=turn.campaign, branch=turn.branch, token=document["id"], turn=turn.number, opened_at=now, **fields
        )
        engagement_start(engagement=engagement, now=now)
        return engagement
    was = known.status
    known.bids.update(issue=document["issue"])
    for name, value in fields.items():
        setattr(known, name, value)
    known.status = Status.BIDDING if was == Status.BIDDING else Status.OPENED
    known.save(update_fields=[*fields, "status"])
    engagement_start(engagement=known, now=now)
    if known.status == Status.SET and was in (Status.FIGHTING, Status.REPORTED):
        known.status = Status.FIGHTING
        known.save(update_fields=["status"])
        _brief(known, now)
    return known


def engagement_start(*, engagement: Engagement, now: datetime) -> None:
    """Brief the sides, let the computer sides bid, and set the engagement where nobody else has to."""
    ruleset = ruleset_of(engagement.campaign)
    document = unpack(engagement.document)
    for side in sides_of(engagement):
        if side.is_computer:
            bids = ruleset.captain_bids(document, side.key, side.doctrine)
            rounds = [one["round"] for one in ruleset.bidding_rounds(document) if side.key in one["sides"]]
            for number, bid in zip(rounds, bids, strict=False):
                Bid.objects.update_or_create(
                    engagement=engagement, issue=engagement.issue, round=number, side=side,
                    defaults={"bid": bid, "filed_at": now},
                )  # fmt: skip
    _settle_if_complete(engagement, now)
    _brief(engagement, now)


def sides_of(engagement: Engagement) -> list[Side]:
    """Return the sides that meet, by number."""
    keys = list(unpack(engagement.document)["sides"])
    return list(Side.objects.filter(campaign=engagement.campaign, key__in=keys).order_by("number"))


def engagement_for(*, side: Side, number: int) -> Engagement:
    """Return a side's engagement by the side's own number, on the current line, or 404."""
    briefing = (
        Briefing.objects.select_related("engagement", "engagement__campaign", "engagement__branch")
        .filter(side=side, number=number, engagement__branch=side.campaign.active_branch)
        .first()
    )
    if briefing is None:
        raise not_there("engagement")
    return briefing.engagement


def bid_file(
    *, engagement: Engagement, side: Side, round_number: int, bid: Any, user: User | None, now: datetime
) -> Engagement:
    """File a side's secret bid for one round; it may be changed until the round is revealed.

    A later round may be bid ahead. Every problem at once (422); 409 once the round is revealed.
    """
    with transaction.atomic():
        engagement = _locked(engagement)
        document = unpack(engagement.document)
        ruleset = ruleset_of(engagement.campaign)
        if engagement.status not in BIDDABLE:
            raise stale("bidding-over", f"Engagement is {engagement.status}: it takes no bids.")
        rounds = {one["round"]: one["sides"] for one in ruleset.bidding_rounds(document)}
        if side.key not in rounds.get(round_number, ()):
            raise ProblemsError([Problem("/round", "not-your-round", f"You have no bid in round {round_number}.",
                                         next(iter(_rules(ruleset, "bids")), ""))])  # fmt: skip
        if round_number in revealed_rounds(engagement):
            raise stale("round-revealed", f"Round {round_number} is revealed; its bids stand.", "/round")
        problems = ruleset.check_bid(document, side.key, bid)
        if problems:
            raise ProblemsError(problems)
        Bid.objects.update_or_create(
            engagement=engagement, issue=engagement.issue, round=round_number, side=side,
            defaults={"bid": {k: v for k, v in bid.items() if v}, "filed_by": user, "filed_at": now},
        )  # fmt: skip
        engagement.status = Status.BIDDING
        engagement.save(update_fields=["status"])
        audit_add(campaign=engagement.campaign, now=now, user=user, role="commander", act="bid-file",
                  subject=f"{engagement.token} round {round_number} {side.key}")  # fmt: skip
        _settle_if_complete(engagement, now)
        _brief(engagement, now)
    return engagement


def bidding_close(*, engagement: Engagement, user: User, now: datetime) -> Engagement:
    """The GM ends the bidding: a bid that did not come counts as none."""
    with transaction.atomic():
        engagement = _locked(engagement)
        if engagement.status not in BIDDABLE:
            raise stale("bidding-over", f"Engagement is {engagement.status}: the bidding is over.")
        _settle(engagement, now)
        _brief(engagement, now)
        audit_add(campaign=engagement.campaign, now=now, user=user, role="gm", act="bidding-close",
                  subject=engagement.token)  # fmt: skip
    return engagement


def revealed_rounds(engagement: Engagement) -> dict[int, dict[str, Any]]:
    """Return the bids of the rounds that every side has bid in, as far as no earlier round is open."""
    ruleset = ruleset_of(engagement.campaign)
    filed: dict[int, dict[str, Any]] = {}
    for bid in engagement.bids.filter(issue=engagement.issue).select_related("side"):
        filed.setdefault(bid.round, {})[bid.side.key] = bid.bid
    shown: dict[int, dict[str, Any]] = {}
    closed = engagement.settled is not None
    for one in ruleset.bidding_rounds(unpack(engagement.document)):
        bids = filed.get(one["round"], {})
        if not closed and set(bids) != set(one["sides"]):
            break
        shown[one["round"]] = bids
    return shown


def report_file(
    *, engagement: Engagement, side: Side | None, document: Any, user: User | None, now: datetime
) -> BattleReport:
    """File a result: the GM's (side None) rules at once, a side's waits until all sides' reports agree.

    A side states the whole of its own ships and the fate of the others, and is told what is wrong with
    that alone. The same report twice changes nothing. Every problem at once; nothing is written for a bad
    one.
    """
    with transaction.atomic():
        engagement = _locked(engagement)
        if not isinstance(document, dict):
            raise ShapeError([Problem("", "not-an-object", "A battle report is a JSON object.")])
        name = _report_digest(engagement, document)
        known = engagement.reports.filter(issue=engagement.issue, side=side, digest=name).first()
        if known is not None and known == _latest(engagement, side):
            return known
        if engagement.status not in REPORTABLE:
            stands = "not set yet" if engagement.status in BIDDABLE else engagement.status
            raise stale("not-reportable", f"The engagement is {stands}: it takes no report.")
        problems = _problems_of(engagement, document, side)
        if problems:
            raise ProblemsError(problems)
        report, _made = BattleReport.objects.update_or_create(
            engagement=engagement, issue=engagement.issue, side=side, digest=name,
            defaults={"document": document, "filed_by": user, "filed_at": now},
        )  # fmt: skip
        engagement.status = Status.REPORTED
        engagement.save(update_fields=["status"])
        audit_add(campaign=engagement.campaign, now=now, user=user, role=side.key if side else "gm",
                  act="report-file", subject=engagement.token, after=name)  # fmt: skip
        if side is None:
            _sign(engagement, report, now)
        else:
            _agree(engagement, now)
        _brief(engagement, now)
    report.refresh_from_db()
    return report


def report_sign(*, report: BattleReport, side: Side, user: User, now: datetime) -> BattleReport:
    """Sign another side's report: what it says of the signer's ships becomes the signer's own word.

    With every side's word the result stands. Problems are those of the signer's own ships.
    """
    with transaction.atomic():
        engagement = _locked(report.engagement)
        report = BattleReport.objects.select_for_update().get(pk=report.pk)
        if side not in sides_of(engagement):
            raise not_there("report")
        if engagement.status != Status.REPORTED or report.issue != engagement.issue:
            raise stale("report-settled", f"The engagement is {engagement.status}.")
        problems = _problems_of(engagement, report.document, side)
        if problems:
            raise ProblemsError(problems)
        BattleReport.objects.update_or_create(
            engagement=engagement, issue=engagement.issue, side=side, digest=report.digest,
            defaults={"document": report.document, "filed_by": user, "filed_at": now},
        )  # fmt: skip
        audit_add(campaign=engagement.campaign, now=now, user=user, role="commander", act="report-sign",
                  subject=engagement.token, after=report.digest)  # fmt: skip
        _agree(engagement, now)
        _brief(engagement, now)
    report.refresh_from_db()
    return report


def report_rule(*, report: BattleReport, user: User, now: datetime) -> BattleReport:
    """The GM rules that this report stands: its fates, turns and frame, with each side's word on its own ships."""
    with transaction.atomic():
        engagement = _locked(report.engagement)
        if engagement.status != Status.REPORTED or report.issue != engagement.issue:
            raise stale("report-settled", f"The engagement is {engagement.status}.")
        merged, _ = merge_reports(_current(engagement), _words(engagement, report))
        document = merged or report.document
        problems = _problems_of(engagement, document, None)
        if problems:
            raise ProblemsError(problems)
        _stand(engagement, report, document, now)
        _brief(engagement, now)
        audit_add(campaign=engagement.campaign, now=now, user=user, role="gm", act="report-rule",
                  subject=engagement.token, after=report.digest)  # fmt: skip
    report.refresh_from_db()
    return report


def engagement_way(*, engagement: Engagement, way: str, user: User, now: datetime) -> Engagement:
    """Choose how a set engagement is fought; it is fighting from then on."""
    if way not in Engagement.Way.values:
        raise ProblemsError([Problem("/way", "unknown-way", f"A way is one of {', '.join(Engagement.Way.values)}.")])
    with transaction.atomic():
        moved = Engagement.objects.filter(pk=engagement.pk, status__in=[Status.SET, Status.FIGHTING])
        if not moved.update(way=way, status=Status.FIGHTING):
            raise stale("not-set", "The engagement is not set, or is over.")
        engagement.refresh_from_db()
        _brief(engagement, now)
        audit_add(campaign=engagement.campaign, now=now, user=user, role="gm", act="engagement-way",
                  subject=f"{engagement.token} {way}")  # fmt: skip
    return engagement


def _locked(engagement: Engagement) -> Engagement:
    return Engagement.objects.select_for_update(of=("self",)).select_related("campaign", "branch").get(pk=engagement.pk)


def _current(engagement: Engagement) -> dict[str, Any]:
    document: dict[str, Any] = unpack(engagement.settled or engagement.document)
    return document


def _report_digest(engagement: Engagement, document: Mapping[str, Any]) -> str:
    """Return a report's name: salted, so that nobody guesses the hidden part of a report from it."""
    return digest([unpack(engagement.document).get("salt", ""), document])


def _latest(engagement: Engagement, side: Side | None) -> BattleReport | None:
    """Return a side's last word on the present issue."""
    return engagement.reports.filter(issue=engagement.issue, side=side).order_by("filed_at", "pk").last()


def _problems_of(engagement: Engagement, document: Mapping[str, Any], side: Side | None) -> list[Problem]:
    """Return what is wrong with a report, as far as its side may know.

    For a side it is held to the side's own document, and the truth is asked about its own ships alone; the
    condition of the others is left to them, and to the check of the whole result.
    """
    ruleset = ruleset_of(engagement.campaign)
    current = _current(engagement)
    if side is None:
        return list(stops(ruleset.check_report(current, document)))
    seen = stops(ruleset.check_report(ruleset.engagement_for_side(current, side.key), document))
    if seen:
        return list(seen)
    own = set(_marks(current)[side.key])
    ships = {mark: result if mark in own else {"fate": result["fate"]} for mark, result in document["ships"].items()}
    whole = stops(ruleset.check_report(current, {**document, "ships": ships}))
    return [problem for problem in whole if own & set(problem.place.split("/")[2:3])]


def _marks(document: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the marks of each side's ships."""
    return {
        key: [ship["id"] for force in side["forces"] for ship in force["ships"]]
        for key, side in document["sides"].items()
    }


def _words(engagement: Engagement, ruling: BattleReport | None = None) -> dict[str, dict[str, Any]]:
    """Return each side's last report by side; a computer side takes the word of the first that reported.

    A ``ruling`` settles what is told differently: its turns, frame and fates go into every side's report,
    and it stands for a side that has not reported.
    """
    words: dict[str, dict[str, Any]] = {}
    sides = sides_of(engagement)
    for side in sides:
        latest = None if side.is_computer else _latest(engagement, side)
        if latest is not None:
            words[side.key] = latest.document
    first = ruling.document if ruling is not None else next(iter(words.values()), None)
    if first is None:
        return words
    for side in sides:
        if side.is_computer or ruling is not None:
            words.setdefault(side.key, first)
    if ruling is None:
        return words
    common = {field: first.get(field) for field in ("tactical_turns", "frame", "frame_moved")}
    for key, word in words.items():
        ships = {
            mark: {**word["ships"].get(mark, result), "fate": result["fate"]} for mark, result in first["ships"].items()
        }
        words[key] = {**word, **common, "ships": ships, "objectives": first.get("objectives", [])}
    return words


def _agree(engagement: Engagement, now: datetime) -> None:
    """Note who gave the same word; let the result stand once every side has given it and nothing differs."""
    latest = {side.key: _latest(engagement, side) for side in sides_of(engagement) if not side.is_computer}
    for report in engagement.reports.filter(issue=engagement.issue, side__isnull=False):
        signed = [key for key, last in latest.items() if last is not None and last.digest == report.digest]
        if report.signatures != signed:
            report.signatures = signed
            report.save(update_fields=["signatures"])
    if None in latest.values():
        return
    merged, differences = merge_reports(_current(engagement), _words(engagement))
    if merged is None or differences or _problems_of(engagement, merged, None):
        return
    last = next(report for report in latest.values() if report is not None)
    _stand(engagement, last, merged, now)


def _stand(engagement: Engagement, report: BattleReport, document: Mapping[str, Any], now: datetime) -> None:
    """Let a document stand: the report itself where it says just that, else one of its own for all sides."""
    if _same(report.document, document):
        _sign(engagement, report, now)
        return
    name = _report_digest(engagement, document)
    whole = BattleReport.objects.create(
        engagement=engagement, issue=engagement.issue, side=None, document=document, digest=name,
        filed_at=now, signatures=[side.key for side in sides_of(engagement)],
    )  # fmt: skip
    _sign(engagement, whole, now)


def _same(document: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two reports say the same, whatever each leaves out."""
    return load_report(document) == load_report(other)


def _sign(engagement: Engagement, report: BattleReport, now: datetime) -> None:
    """Let a report stand: its points are worked out and stored, and it waits for the next turn."""
    ruleset = ruleset_of(engagement.campaign)
    score = ruleset.score_report(_current(engagement), report.document)
    engagement.reports.filter(issue=engagement.issue).exclude(pk=report.pk).update(status=BattleReport.Status.REFUSED)
    report.status = BattleReport.Status.SIGNED
    report.save(update_fields=["status"])
    engagement.status = Status.SIGNED
    engagement.signed_at = now
    engagement.score = score
    engagement.save(update_fields=["status", "signed_at", "score"])
    for side in sides_of(engagement):
        number = unpack(engagement.document)["numbers"].get(side.key)
        feed_add(side=side, branch=engagement.branch, turn=engagement.turn, kind="battle-report-signed",
                 text=f"The result of engagement {number} stands: {score['text']}",
                 rules=_rules(ruleset, "result-stands"), data={"engagement": number})  # fmt: skip


def _rules(ruleset: OperationalRuleset, key: str) -> tuple[str, ...]:
    """Return the rules behind one of a ruleset's sayings."""
    said = ruleset.sayings.get(key)
    return () if said is None else said.rules


def _settle_if_complete(engagement: Engagement, now: datetime) -> None:
    rounds = ruleset_of(engagement.campaign).bidding_rounds(unpack(engagement.document))
    if len(revealed_rounds(engagement)) == len(rounds):
        _settle(engagement, now)


def _settle(engagement: Engagement, now: datetime) -> None:
    """Set the engagement from the bids that came."""
    ruleset = ruleset_of(engagement.campaign)
    document = unpack(engagement.document)
    filed: dict[int, dict[str, Any]] = {}
    for bid in engagement.bids.filter(issue=engagement.issue).select_related("side"):
        filed.setdefault(bid.round, {})[bid.side.key] = bid.bid
    bids = [filed.get(one["round"], {}) for one in ruleset.bidding_rounds(document)]
    settled = ruleset.set_engagement(document, bids)
    engagement.settled, _ = pack(settled)
    engagement.status = Status.SET
    engagement.save(update_fields=["settled", "status"])
    for side in sides_of(engagement):
        number = document["numbers"].get(side.key)
        feed_add(side=side, branch=engagement.branch, turn=engagement.turn, kind="engagement-set",
                 text=f"Engagement {number} is set: it can be fought.", rules=_rules(ruleset, "engagement-set"),
                 data={"engagement": number})  # fmt: skip


def _brief(engagement: Engagement, now: datetime) -> None:
    """Store what each side may read now."""
    ruleset = ruleset_of(engagement.campaign)
    document = _current(engagement)
    rounds = ruleset.bidding_rounds(unpack(engagement.document))
    shown = revealed_rounds(engagement)
    reports = list(engagement.reports.filter(issue=engagement.issue).select_related("side"))
    for side in sides_of(engagement):
        own = list(engagement.bids.filter(issue=engagement.issue, side=side))
        body, _ = pack(
            {
                "status": _seen_status(engagement, own),
                "issue": engagement.issue,
                "turn": engagement.turn,
                "way": engagement.way,
                "engagement": ruleset.engagement_for_side(document, side.key),
                "rounds": [
                    {
                        "round": one["round"],
                        "yours": side.key in one["sides"],
                        "alone": len(one["sides"]) == 1,
                        "bids": shown.get(one["round"]),
                    }
                    for one in rounds
                ],
                "own_bids": {str(bid.round): bid.bid for bid in own},
                "reports": [
                    {
                        "digest": report.digest,
                        "by": report.side.key if report.side else "all" if report.signatures else "gm",
                        "status": report.status,
                        "signatures": report.signatures,
                        "document": ruleset.report_for_side(document, report.document, side.key),
                    }
                    for report in reports
                ],
                "score": engagement.score,
            }
        )
        Briefing.objects.update_or_create(
            engagement=engagement,
            side=side,
            defaults={"body": body, "updated_at": now},
            create_defaults={
                "body": body,
                "updated_at": now,
                "number": document["numbers"][side.key],
            },
        )


def _seen_status(engagement: Engagement, own: list[Bid]) -> str:
    """Return where an engagement stands for a side: whether others have bid is nothing it sees."""
    if engagement.status in BIDDABLE:
        return Status.BIDDING if own else Status.OPENED
    return engagement.status


def engagement_void(*, engagement: Engagement, reason: str, user: User, now: datetime) -> Engagement:
    """The GM calls an engagement off; the forces are let go by a change in the next turn."""
    if not reason.strip():
        raise ProblemsError([Problem("/reason", "no-reason", "Calling an engagement off needs a reason.")])
    with transaction.atomic():
        engagement = _locked(engagement)
        if engagement.status in (Status.SIGNED, Status.VOID):
            raise stale("engagement-over", f"The engagement is {engagement.status}.")
        engagement.status = Status.VOID
        engagement.save(update_fields=["status"])
        _brief(engagement, now)
        audit_add(campaign=engagement.campaign, now=now, user=user, role="gm", act="engagement-void",
                  subject=engagement.token, reason=reason)  # fmt: skip
    return engagement
