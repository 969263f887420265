"""What the children of the fault tests do; each prints JSON. PLANTED_FAULT breaks one safety on purpose."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import time
from contextlib import nullcontext
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import IntegrityError, connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from campaign.models import Campaign, Event, Job, OrderSheet, Side, SideReport, Snapshot, Turn  # noqa: E402
from campaign.selectors.archive import unpack  # noqa: E402
from campaign.services import jobs, orders, resolution, turns  # noqa: E402
from campaign.services.refusals import StaleError  # noqa: E402
from tests.campaign.services.setups import campaign_small, play_turn, seal, turn_of  # noqa: E402

FAULT = os.environ.get("PLANTED_FAULT", "")


def migrate() -> None:
    """Make the tables."""
    call_command("migrate", verbosity=0)


def prepare(count: str) -> list[int]:
    """Open campaigns and lock their first turn by its last seal; print the jobs."""
    for number in range(int(count)):
        campaign = campaign_small(name=f"War {number}")
        for side in campaign.sides.all():
            seal(side, 1, {"forces": {f"force{side.key[0]}1": {"thrust": {"A": 1}}}})
    return list(Job.objects.order_by("pk").values_list("pk", flat=True))


def deliver(times: str) -> int:
    """Do every job of the database, over and over, as a broker that delivers too often would have it."""
    done = 0
    for _ in range(int(times)):
        for job_id in Job.objects.order_by("pk").values_list("pk", flat=True):
            if FAULT == "no-claim":
                _deliver_without_claim(job_id)
            else:
                jobs.job_execute(job_id)
            done += 1
    return done


def _deliver_without_claim(job_id: int) -> None:
    """The planted fault: nobody asks whether the work is done, each delivery does it."""
    job = Job.objects.get(pk=job_id)
    turn = Turn.objects.get(pk=job.arguments["turn"])
    Turn.objects.filter(pk=turn.pk).update(attempts=turn.attempts + 1, status=Turn.Status.RESOLVING)
    answer = resolution.answer_of(turn)
    time.sleep(0.01)
    try:
        resolution._stage(turn, answer, resolution._Packed(answer))
    except IntegrityError:
        return
    Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.STAGED)


def execute(pause: str) -> None:
    """Do the one job, slowly enough to be killed in the middle of its writing."""
    real = resolution.insert_rows

    def slow(*arguments: Any) -> None:
        time.sleep(float(pause))
        real(*arguments)
        time.sleep(float(pause))

    resolution.insert_rows = slow
    jobs.LEASE = jobs.timedelta(seconds=0.2)
    if FAULT == "two-transactions":
        resolution.transaction = _NoTransaction()
    print("ready", flush=True)
    for job_id in Job.objects.order_by("pk").values_list("pk", flat=True):
        jobs.job_execute(job_id)


class _NoTransaction:
    """The planted fault: what should be one transaction commits line by line."""

    def atomic(self) -> Any:
        return nullcontext()


def halves() -> list[str]:
    """Print what is half written: parts of a turn without the rest."""
    found = []
    for turn in Turn.objects.order_by("pk"):
        key = {"branch": turn.branch, "turn": turn.number}
        parts = (
            Snapshot.objects.filter(**key).exists(),
            SideReport.objects.filter(**key).count() == 2,
            Event.objects.filter(**key).exists(),
            turn.status == Turn.Status.STAGED,
        )
        if len(set(parts)) > 1:
            found.append(f"turn {turn.pk}: snapshot, reports, events, staged = {parts}")
    return found


def settle() -> list[str]:
    """Do what is left as the beat would, until nothing is; print the turns' statuses."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        Job.objects.filter(state=Job.State.RUNNING).update(lease=timezone.now() - jobs.LEASE)
        waiting = Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])
        ids = list(waiting.order_by("pk").values_list("pk", flat=True))
        if not ids:
            break
        for job_id in ids:
            jobs.job_execute(job_id)
    return list(Turn.objects.order_by("pk").values_list("status", flat=True))


def state_hash() -> dict[str, Any]:
    """Print a digest over what the turns came to, in a fixed order, and the attempts."""
    lines = [
        f"{row.campaign_id} {row.branch_id} {row.turn} {row.state_digest} {row.answer_digest}"
        for row in Snapshot.objects.order_by("campaign_id", "branch_id", "turn")
    ]
    lines += [
        f"{row.turn} {row.number} {row.kind} {row.text}"
        for row in Event.objects.order_by("branch_id", "turn", "number")
    ]
    return {
        "hash": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
        "attempts": list(Turn.objects.order_by("pk").values_list("attempts", flat=True)),
        "statuses": list(Turn.objects.order_by("pk").values_list("status", flat=True)),
        "snapshots": Snapshot.objects.filter(turn=1).count(),
    }


def race(rounds: str) -> dict[str, int]:
    """Seal against the lock, round after round, in threads; count what was promised and not kept."""
    counts = {"kept": 0, "late": 0, "broken": 0}
    if FAULT == "write-unasked":
        orders._open_turn = lambda campaign, number: Turn.objects.get(branch=campaign.active_branch, number=number)
        orders._write = _write_unasked
    for number in range(int(rounds)):
        campaign = campaign_small(name=f"Race {number}")
        turn = turn_of(campaign, 1)
        sides = list(campaign.sides.order_by("number"))
        promised: dict[int, dict[str, Any]] = {}
        start = threading.Barrier(3)

        def send(side: Side, start: threading.Barrier = start, promised: dict[int, Any] = promised) -> None:
            document = {"forces": {f"force{side.key[0]}1": {"thrust": {"A": 1}}}}
            start.wait()
            try:
                sheet = orders.order_sheet_save(
                    side=side, turn_number=1, version=1, document=document, user=None, now=timezone.now()
                )
                orders.order_sheet_seal(
                    side=side, turn_number=1, version=sheet.version, nonce="long-enough", user=None, now=timezone.now()
                )
                promised[side.pk] = document
            except StaleError:
                pass
            finally:
                connection.close()

        def lock(turn: Turn = turn, start: threading.Barrier = start, pause: float = number % 10 / 400) -> None:
            start.wait()
            time.sleep(pause)
            try:
                turns.turn_lock(turn=turn, now=timezone.now(), user=None, why="deadline")
            except StaleError:
                pass  # the last seal was faster
            finally:
                connection.close()

        threads = [threading.Thread(target=send, args=(side,)) for side in sides] + [threading.Thread(target=lock)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        turn.refresh_from_db()
        envelope = unpack(turn.envelope) if turn.envelope else {"sheets": {}}
        for side in sides:
            got = envelope["sheets"].get(side.key, {})
            if side.pk not in promised:
                counts["late" if got.get("stood_in") else "broken"] += 1
            else:
                counts["kept" if got.get("orders") == promised[side.pk] and not got["stood_in"] else "broken"] += 1
    return counts


def _write_unasked(turn: Turn, side: Side, version: int, expected: str, now: Any, **values: Any) -> None:
    """The planted fault of the race: a write that asks neither for the turn's status nor for the sheet's."""
    OrderSheet.objects.filter(turn=turn, side=side).update(updated_at=now, **values)


def overtake(rounds: str) -> dict[str, int]:
    """Two tabs write one sheet from the same version; count who was told, and what was lost."""
    campaign = campaign_small()
    side = campaign.sides.get(key="kestra")
    counts = {"written": 0, "told": 0, "rounds": int(rounds)}
    for number in range(int(rounds)):
        version = OrderSheet.objects.get(turn__number=1, side=side).version
        start = threading.Barrier(2)

        def write(tab: int, version: int = version, number: int = number, start: threading.Barrier = start) -> None:
            document = {"forces": {"forcek1": {"name": f"Tab {tab} of {number}"}}}
            start.wait()
            try:
                if FAULT == "no-version":
                    OrderSheet.objects.filter(turn__number=1, side=side).update(document=document)
                else:
                    orders.order_sheet_save(
                        side=side, turn_number=1, version=version, document=document, user=None, now=timezone.now()
                    )
                counts["written"] += 1
            except StaleError:
                counts["told"] += 1
            finally:
                connection.close()

        threads = [threading.Thread(target=write, args=(tab,)) for tab in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return counts


def long_campaign(count: str) -> str:
    """Play a campaign of many turns with orders for both sides; print its token."""
    campaign = campaign_small(name="Long war")
    for number in range(1, int(count) + 1):
        letter, other = "ABCDEF"[number % 6], "ABCDEF"[(number + 2) % 6]
        play_turn(
            campaign,
            number,
            kestra={"forces": {"forcek1": {"thrust": {letter: 1}}}, "search": [_search("shipk1", number)]},
            morvane={"forces": {"forcem1": {"thrust": {other: 1}}}, "search": [_search("shipm1", number)]},
        )
    token: str = campaign.token
    return token


def _search(ship: str, number: int) -> dict[str, Any]:
    return {"ship": ship, "window": ("A yellow", "D yellow", "B/C yellow")[number % 3], "drones": 0}


def replay(token: str) -> list[list[Any]]:
    """Resolve every turn of a campaign from its envelope; print turn and digest of the answer."""
    digests = []
    if FAULT == "unseeded":
        _unseed()
    for turn in Turn.objects.filter(campaign__token=token, status=Turn.Status.PUBLISHED).order_by("number"):
        answer = resolution.answer_of(turn)
        packed = resolution._Packed(answer)
        stored = Snapshot.objects.get(branch=turn.branch, turn=turn.number).answer_digest
        digests.append([turn.number, packed.answer_digest, packed.answer_digest == stored])
    return digests


def _unseed() -> None:
    """The planted fault of the replay: one use of chance that no seed knows."""
    from campaign.engine.dice import Stream

    real = Stream.die
    Stream.die = lambda self, sides=10: real(self, sides) if os.urandom(1)[0] % 2 else 1  # type: ignore[method-assign]


def poison(count: str) -> dict[str, Any]:
    """One campaign's turn raises, the others' must not notice; print statuses and what the GM is told."""
    prepare(count)
    victim = Campaign.objects.order_by("pk").first()
    assert victim is not None
    real = resolution.resolve

    def resolve(ruleset: Any, envelope: Any, progress: Any = None) -> Any:
        if envelope["campaign"] == victim.token:
            raise ZeroDivisionError("poisoned")
        return real(ruleset, envelope, progress)

    resolution.resolve = resolve
    if FAULT == "unlimited-retry":
        resolution.MOST_ATTEMPTS = 1_000_000
    until = time.monotonic() + 10
    while time.monotonic() < until and (job := Job.objects.filter(state=Job.State.QUEUED).order_by("pk").first()):
        jobs.job_execute(job.pk)
    victim.refresh_from_db()
    statuses = dict(Turn.objects.values_list("campaign__name", "status"))
    return {"victim": statuses.pop(victim.name), "others": sorted(statuses.values()), "told": victim.held_because,
            "attempts": Turn.objects.get(campaign=victim).attempts}  # fmt: skip


COMMANDS = {
    "migrate": migrate, "prepare": prepare, "deliver": deliver, "execute": execute, "halves": halves,
    "settle": settle, "hash": state_hash, "race": race, "overtake": overtake, "long": long_campaign,
    "replay": replay, "poison": poison,
}  # fmt: skip

if __name__ == "__main__":
    transaction.get_connection()
    result = COMMANDS[sys.argv[1]](*sys.argv[2:])  # type: ignore[operator]
    if result is not None:
        print(json.dumps(result))
