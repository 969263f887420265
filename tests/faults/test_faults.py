"""Faults, real and planted: processes are killed, messages come again, tabs and clocks race.

Each test runs on SQLite, and through tests/servers on PostgreSQL; each has its planted fault, which
must be seen.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.faults.arena import Arena, finished

pytestmark = pytest.mark.faults


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """Give an empty arena."""
    made = Arena(tmp_path).make()
    yield made
    made.drop()


def copied(arena: Arena, name: str) -> Arena:
    """Return a copy of an arena under another name."""
    return Arena(arena.folder, name).make(template=arena)


class TestDeliveredTooOften:
    """Fault test 1: the same turns delivered again and again, by several processes at once."""

    def test_each_turn_is_applied_once_and_comes_out_as_undisturbed(self, arena: Arena) -> None:
        """Claim, fence and the unique turn make a second delivery harmless."""
        arena.run("prepare", "8")
        quiet = copied(arena, "quiet")
        quiet.run("deliver", "1")
        expected = quiet.run("hash")
        quiet.drop()
        for child in [arena.start("deliver", "3") for _ in range(3)]:
            finished(child)
        arena.run("settle")
        seen = arena.run("hash")
        assert seen["attempts"] == [1] * 8
        assert seen["statuses"] == ["staged"] * 8
        assert seen["hash"] == expected["hash"]

    def test_without_the_claim_it_would_be_seen(self, arena: Arena) -> None:
        """The planted fault: every delivery does the work."""
        arena.run("prepare", "2")
        for child in [arena.start("deliver", "2", fault="no-claim") for _ in range(2)]:
            finished(child)
        assert arena.run("hash")["attempts"] != [1, 1]


class TestKilled:
    """Fault tests 2 and 3: a worker is killed at a random moment of its turn."""

    MOMENTS = (0.03, 0.07, 0.11, 0.15, 0.2, 0.26, 0.33, 0.42)  # seconds after the work began

    def kill_again_and_again(self, arena: Arena, moments: Iterable[float], fault: str = "") -> list[str]:
        """Start the job and kill it at each of the moments; return what was found half written."""
        found = []
        for moment in moments:
            child = arena.start("execute", "0.05", fault=fault)
            assert child.stdout is not None
            assert child.stderr is not None
            assert child.stdout.readline() == "ready\n"
            time.sleep(moment)
            child.send_signal(signal.SIGKILL)
            child.wait()
            child.stdout.close()
            child.stderr.close()
            found += arena.run("halves")
        return found

    def test_no_kill_leaves_half_a_turn_and_the_next_worker_ends_it(self, arena: Arena) -> None:
        """One transaction a turn: before or after, never between."""
        arena.run("prepare", "1")
        quiet = copied(arena, "quiet")
        quiet.run("deliver", "1")
        expected = quiet.run("hash")["hash"]
        quiet.drop()
        assert self.kill_again_and_again(arena, self.MOMENTS) == []
        assert arena.run("settle") == ["staged"]
        assert arena.run("hash")["hash"] == expected

    def test_in_two_transactions_it_would_be_seen(self, arena: Arena) -> None:
        """The planted fault: the write commits line by line."""
        arena.run("prepare", "1")
        found: list[str] = []
        for moment in self.MOMENTS * 2:
            found += self.kill_again_and_again(arena, [moment], fault="two-transactions")
            if found:
                break
        assert found


class TestPoison:
    """Fault test 7: a turn that always raises."""

    def test_the_campaign_is_held_its_gm_told_and_the_others_go_on(self, arena: Arena) -> None:
        """Three attempts, then held."""
        seen = arena.run("poison", "4")
        assert seen["victim"] == "failed"
        assert seen["attempts"] == 3
        assert "poisoned" in seen["told"]
        assert seen["others"] == ["staged"] * 3

    def test_unlimited_retries_would_be_seen(self, arena: Arena) -> None:
        """The planted fault: it is tried for ever."""
        seen = arena.run("poison", "2", fault="unlimited-retry")
        assert seen["victim"] != "failed"
        assert seen["attempts"] > 3


class TestDeadlineRace:
    """Fault test 9: seals against the lock."""

    def test_what_was_acknowledged_is_in_the_turn(self, arena: Arena) -> None:
        """A sheet is in the envelope as sealed, or was answered too late."""
        seen = arena.run("race", "25")
        assert seen["broken"] == 0
        assert seen["kept"] + seen["late"] == 50

    def test_a_seal_that_does_not_look_would_be_seen(self, arena: Arena) -> None:
        """The planted fault: neither turn nor sheet is asked before the write."""
        broken = 0
        for _ in range(4):
            try:
                broken += arena.run("race", "25", fault="write-unasked")["broken"]
            except AssertionError:
                broken += 1
            if broken:
                break
        assert broken


class TestLostUpdate:
    """Fault test 10: two tabs, one sheet."""

    def test_the_second_writer_is_told(self, arena: Arena) -> None:
        """Of two writes from one version, one is kept and one is told."""
        seen = arena.run("overtake", "40")
        assert (seen["written"], seen["told"]) == (40, 40)

    def test_without_a_version_updates_are_lost(self, arena: Arena) -> None:
        """The planted fault: both write, nobody is told."""
        seen = arena.run("overtake", "5", fault="no-version")
        assert seen["told"] == 0


class TestDeterminism:
    """Fault test 13: a long campaign played again in new processes with other hash seeds."""

    def test_fifty_turns_come_out_the_same(self, arena: Arena) -> None:
        """Other process, other PYTHONHASHSEED: the same fifty digests."""
        token = arena.run("long", "50", PYTHONHASHSEED="0")
        first = arena.run("replay", token, PYTHONHASHSEED="1")
        second = arena.run("replay", token, PYTHONHASHSEED="4711")
        assert len(first) == 50
        assert first == second
        assert all(same for _, _, same in first)

    def test_one_unseeded_die_would_be_seen(self, arena: Arena) -> None:
        """The planted fault: chance that no seed knows."""
        token = arena.run("long", "6")
        assert not all(same for _, _, same in arena.run("replay", token, fault="unseeded"))
