"""Patrol scenarios without a campaign: opened, their seats taken by secret link, played act by act, laid open.

A scenario's rules are ``campaign.rulebooks.saganami.patrol_*``; here its state is locked, one act done, the
automatic sides let on, and all of it written in one transaction. A seat is known by its link alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from django.db import IntegrityError, transaction

from campaign.engine.dice import canonical
from campaign.engine.errors import Problem, ProblemsError
from campaign.models import PatrolAct, PatrolLink, PatrolScenario
from campaign.rulebooks.saganami.patrol import ROLES, Role
from campaign.rulebooks.saganami.patrol_acts import SERVERS, load_act, perform
from campaign.rulebooks.saganami.patrol_doing import wrong_stage
from campaign.rulebooks.saganami.patrol_opening import check_opening, load_opening, open_scenario
from campaign.rulebooks.saganami.patrol_opponent import play_automatic
from campaign.rulebooks.saganami.patrol_scenario import UMPIRE, Library, Scenario
from campaign.rulebooks.saganami.patrol_view import commitments_of, revealed_view, view_for
from campaign.selectors.archive import digest, pack
from campaign.selectors.patrol import (
    library_of_blocks,
    patrol_acts,
    patrol_blocks,
    patrol_library,
    patrol_opening,
    patrol_seats,
    patrol_state,
)
from campaign.services.audit import audit_add
from campaign.services.jobs import job_enqueue
from campaign.services.refusals import ShapeError, StaleError, not_there, stale, too_many
from campaign.services.tokens import new_secret, new_seed, new_token, secret_digest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from campaign.services.jobs import Claim

MOST_AN_HOUR = 500  # new scenarios on the whole site: anyone may open one, so something must bound them
FIGHT = "patrol-fight"  # the kind of job that fights a scenario's battle; the tactical level does it
OVERTAKEN = (
    "reported-already",
    "wrong-stage",
    "already-done",
    "revealed",
    "laid-down",
    "hand-dealt",
    "other-result",
    "nothing-reported",
)


@dataclass(frozen=True, slots=True)
class PatrolSeat:
    """A secret link's seat: the scenario, and whose it is."""

    row: PatrolScenario
    role: str

    @property
    def is_revealed(self) -> bool:
        """Whether the scenario is laid open, so that this link is over."""
        return self.row.revealed_at is not None


@dataclass(frozen=True, slots=True)
class PatrolOpened:
    """A new scenario: the opener's own secret, and the secrets of the invitations to send on, by role."""

    row: PatrolScenario
    role: str
    secret: str
    invitations: Mapping[str, str]


def patrol_open(*, document: Any, opener: str, nonce: str, now: datetime) -> PatrolOpened:
    """Open a scenario for whoever asks: as attacker, defender or umpire.

    Raises ShapeError for a document that is none, ProblemsError with everything that is wrong with the
    agreement: the opener's seat is not automatic, and only an umpire, who plays neither side, types a deck.
    """
    if PatrolScenario.objects.filter(created_at__gt=now - timedelta(hours=1)).count() >= MOST_AN_HOUR:
        raise too_many("Too many scenarios were opened in the last hour. Wait a little.")
    try:
        opening = load_opening(document)
    except ProblemsError as error:
        raise ShapeError(error.problems) from error
    blocks = patrol_blocks((opening.attacker.faction, opening.defender.faction))
    library = library_of_blocks(blocks)
    problems = [*check_opening(opening, library), *_check_opener(opener, opening.deck)]
    if opener in ROLES and opening.side(opener).seat != "person":
        problems.append(Problem(f"/{opener}/seat", "seat-automatic", "You cannot sit on the automatic side."))
    if problems:
        raise ProblemsError(problems)
    seeds = {owner: new_seed() for owner in (*ROLES, UMPIRE)}
    token = new_token()
    scenario = open_scenario(token, opening, library, {})
    packed_opening, _ = pack(document)
    packed_library, library_digest = pack(blocks)
    packed, state_digest = pack(scenario.as_document())
    with transaction.atomic():
        row = PatrolScenario.objects.create(
            token=token,
            stage=scenario.stage,
            state=packed,
            state_digest=state_digest,
            opening=packed_opening,
            library=packed_library,
            library_digest=library_digest,
            seeds=seeds,
            commitments=commitments_of(seeds),
            created_at=now,
            updated_at=now,
        )
        secret = _link(row, opener, now)
        people = [role for role in ROLES if opening.side(role).seat == "person" and role != opener]
        invitations: dict[str, str] = {role: _link(row, role, now, is_invitation=True) for role in people}
        audit_add(campaign=None, now=now, user=None, role=opener, act="patrol-open", subject=token, after=state_digest)
        first: list[tuple[str, Any]] = [(opener, {"act": "take", "nonce": nonce[:128]})] if opener in ROLES else []
        _go_on(row, scenario, library, first, now)
    return PatrolOpened(row, opener, secret, invitations)


def _check_opener(opener: str, deck: tuple[str, ...]) -> list[Problem]:
    if opener not in (*ROLES, UMPIRE):
        return [Problem("/opener", "unknown-role", "Open a scenario as attacker, defender or umpire.")]
    if deck and opener != UMPIRE:
        return [Problem("/deck", "deck-not-yours", "Who plays a side cannot type the deck in; an umpire can.", "D3.13")]
    return []


def _link(row: PatrolScenario, role: str, now: datetime, *, is_invitation: bool = False) -> str:
    secret = new_secret()
    PatrolLink.objects.create(
        scenario=row,
        role=role,
        digest=secret_digest(secret),
        is_invitation=is_invitation,
        created_at=now,
        taken_at=None if is_invitation else now,
    )
    return secret


def patrol_invitation(*, secret: str) -> PatrolSeat:
    """Return the seat that an invitation still offers; 404 for any other link."""
    link = (
        PatrolLink.objects.select_related("scenario")
        .filter(digest=secret_digest(secret), is_invitation=True, taken_at__isnull=True)
        .first()
    )
    if link is None or link.scenario.revealed_at is not None:
        raise not_there("invitation")
    return PatrolSeat(link.scenario, link.role)


def patrol_take(*, secret: str, name: str, nonce: str, now: datetime) -> tuple[PatrolSeat, str]:
    """Take the seat of an invitation; return it with the new secret that is the seat's from now on.

    The invitation is used up: the other side, which sent it, cannot come in by it any more.
    """
    seat = patrol_invitation(secret=secret)
    try:
        with transaction.atomic():
            row = PatrolScenario.objects.select_for_update().get(pk=seat.row.pk)
            free = PatrolLink.objects.filter(digest=secret_digest(secret), is_invitation=True, taken_at__isnull=True)
            if not free.update(taken_at=now):
                raise not_there("invitation")
            own = _link(row, seat.role, now)
            take = {"act": "take", "name": name.strip(), "nonce": nonce[:128]}
            _go_on(row, patrol_state(row), patrol_library(row), [(seat.role, take)], now)
    except IntegrityError as error:
        raise not_there("invitation") from error
    return PatrolSeat(row, seat.role), own


def patrol_seat(*, secret: str) -> PatrolSeat:
    """Return the seat of a secret link; 404 for any other text, an invitation among them."""
    link = (
        PatrolLink.objects.select_related("scenario").filter(digest=secret_digest(secret), is_invitation=False).first()
    )
    if link is None:
        raise not_there("patrol seat")
    return PatrolSeat(link.scenario, link.role)


def patrol_act(*, secret: str, document: Any, now: datetime, version: int | None = None) -> PatrolSeat:
    """Do one act from a seat, and whatever the automatic side does after it.

    ``version`` is what the writer saw, where it wants to be refused after any other act. Raises
    ShapeError for what is no act (400), StaleError for one that came too late (409), ProblemsError with
    everything that the rules have against it (422).
    """
    seat = patrol_seat(secret=secret)
    try:
        act = load_act(document)
    except ProblemsError as error:
        raise ShapeError(error.problems) from error
    if act.act in SERVERS:
        raise ShapeError([Problem("/act", "unknown-act", "There is no such act.")])
    refused: ProblemsError | None = None
    with transaction.atomic():
        row = PatrolScenario.objects.select_for_update().get(pk=seat.row.pk)
        if row.revealed_at is not None:
            raise StaleError(wrong_stage(patrol_state(row)).problems)
        if version is not None and version != row.version:
            raise stale("moved-on", "The scenario has moved on since you looked.", "/version")
        scenario, library = patrol_state(row), patrol_library(row)
        try:
            _go_on(row, scenario, library, [(seat.role, document)], now)
        except ProblemsError as error:
            refused = error
            if any(one.code == "card-already-drawn" for one in error.problems):
                _go_on(row, scenario, library, [(seat.role, {"act": "collision"})], now)
    if refused is not None:
        if any(one.code in OVERTAKEN for one in refused.problems):
            raise StaleError(refused.problems) from refused
        raise refused
    return PatrolSeat(row, seat.role)


def _go_on(
    row: PatrolScenario, scenario: Scenario, library: Library, acts: list[tuple[str, Any]], now: datetime
) -> None:
    """Do acts, let the automatic sides on, and write the acts and the new state."""
    done = list(acts)
    was_fighting = scenario.is_fighting
    for by, document in acts:
        scenario = perform(scenario, by, load_act(document), library, row.seeds)
    scenario, automatic = play_automatic(scenario, library, row.seeds)
    done += automatic
    number = PatrolAct.objects.filter(scenario=row).count()
    for index, (by, document) in enumerate(done, start=number + 1):
        PatrolAct.objects.create(scenario=row, number=index, by=by, document=canonical(document), at=now)
    if scenario.is_fighting and not was_fighting:
        job_enqueue(kind=FIGHT, subject=f"patrol {row.token}", campaign=None, arguments={"patrol": row.pk}, now=now)
    before = row.state_digest
    row.state, row.state_digest = pack(scenario.as_document())
    row.stage = scenario.stage
    row.version += 1
    row.updated_at = now
    if scenario.stage == "revealed" and row.revealed_at is None:
        row.revealed_at = now
        audit_add(campaign=None, now=now, user=None, role="umpire", act="patrol-reveal", subject=row.token,
                  before=before, after=row.state_digest)  # fmt: skip
    row.save()


def patrol_fought(*, row: PatrolScenario, facts: Any, accounts: Mapping[str, Any], claim: Claim, now: datetime) -> None:
    """Take in what captains made of a scenario's battle: its facts, and each side's account, as the umpire's word.

    Under the job's ``claim``; a scenario that was settled or called off meanwhile keeps its end.
    """
    with transaction.atomic():
        claim.fence()
        held = PatrolScenario.objects.select_for_update().get(pk=row.pk)
        if held.revealed_at is None:
            document = {"act": "rule", "facts": facts, **accounts}
            _go_on(held, patrol_state(held), patrol_library(held), [(UMPIRE, document)], now)


# Reading ------------------------------------------------------------------------------------------------


def patrol_view(seat: PatrolSeat) -> dict[str, Any]:
    """Return what a seat may see: a side its own, the umpire everything but the seeds. 409 once it is laid open."""
    if seat.is_revealed:
        message = "The scenario is laid open: everyone reads its result page now."
        raise StaleError([Problem("", "revealed", message, "D3.41")])
    return _stored(seat.row) | seat_view(seat)


def seat_view(seat: PatrolSeat) -> dict[str, Any]:
    """Return a seat's view, before or after the reveal."""
    scenario, library = patrol_state(seat.row), patrol_library(seat.row)
    if seat.role == UMPIRE:
        return revealed_view(scenario, library) | {"role": UMPIRE}
    return view_for(scenario, cast("Role", seat.role), library)


def _stored(row: PatrolScenario) -> dict[str, Any]:
    return {"version": row.version, "commitments": row.commitments, "seats": patrol_seats(row)}


def patrol_revealed(*, token: str) -> PatrolScenario:
    """Return a scenario that is laid open; 404 for any other."""
    row = PatrolScenario.objects.filter(token=token, revealed_at__isnull=False).first()
    if row is None:
        raise not_there("patrol result")
    return row


def patrol_result(*, token: str) -> dict[str, Any]:
    """Return everything of a scenario that is laid open: both sides, record, score, opened seeds, its replay."""
    row = patrol_revealed(token=token)
    view = revealed_view(patrol_state(row), patrol_library(row))
    return {**_stored(row), **view, "seeds": row.seeds, "replay": patrol_verify(row=row)}


def patrol_verify(*, row: PatrolScenario) -> str:
    """Play a scenario again from its opening, seeds and acts, and say "same" or "differs"."""
    library = patrol_library(row)
    scenario = open_scenario(row.token, patrol_opening(row), library, {})
    try:
        for _, by, document in patrol_acts(row):
            scenario = perform(scenario, by, load_act(json.loads(document)), library, row.seeds)
    except ProblemsError:
        return "differs"
    is_same = digest(scenario.as_document()) == row.state_digest and commitments_of(row.seeds) == row.commitments
    return "same" if is_same else "differs"
